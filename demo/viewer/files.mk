# Files of demo/viewer/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_a_SOURCES += \
	demo/viewer/hand.c \
	demo/viewer/hand.h \
	demo/viewer/inspect.c \
	demo/viewer/inspect.h \
	demo/viewer/meter.c \
	demo/viewer/meter.h \
	demo/viewer/rewind.c \
	demo/viewer/rewind.h \
	demo/viewer/viewer.c \
	demo/viewer/viewer.h
