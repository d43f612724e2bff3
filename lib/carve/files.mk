# Files of lib/carve/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/carve/carve.c \
	lib/carve/carve.h \
	lib/carve/cut.c \
	lib/carve/cut.h \
	lib/carve/detach.c \
	lib/carve/detach.h \
	lib/carve/fracture.c \
	lib/carve/fracture.h \
	lib/carve/merge.c \
	lib/carve/split.c \
	lib/carve/split.h
