# Files of lib/asset/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/asset/atlas.c \
	lib/asset/frames.c \
	lib/asset/frames.h \
	lib/asset/tilemap.c
