# Files of lib/asset/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/asset/atlas.c \
	lib/asset/frames.c \
	lib/asset/frames.h \
	lib/asset/tilemap.c
