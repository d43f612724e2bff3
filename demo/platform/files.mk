# Files of demo/platform/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_a_SOURCES += \
	demo/platform/complain.h \
	demo/platform/data.c \
	demo/platform/data.h \
	demo/platform/free_name.c \
	demo/platform/free_name.h \
	demo/platform/png_write.c \
	demo/platform/png_write.h \
	demo/platform/stopwatch.c \
	demo/platform/stopwatch.h
