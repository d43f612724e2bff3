# Files of lib/asset/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/asset/atlas.c \
	lib/asset/frames.c \
	lib/asset/frames.h \
	lib/asset/gdx.c \
	lib/asset/gdx.h \
	lib/asset/ldtk.c \
	lib/asset/ldtk.h \
	lib/asset/map.c \
	lib/asset/map.h \
	lib/asset/objects.c \
	lib/asset/objects.h \
	lib/asset/template.c \
	lib/asset/template.h \
	lib/asset/tiled.c \
	lib/asset/tilemap.c \
	lib/asset/unpack.c \
	lib/asset/unpack.h \
	lib/asset/xml.c \
	lib/asset/xml.h
