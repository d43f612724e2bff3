# Files of lib/paper/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/paper/backtrack.c \
	lib/paper/backtrack.h \
	lib/paper/bitmap_contact.c \
	lib/paper/bitmap_contact.h \
	lib/paper/bitmap_normal.c \
	lib/paper/bitmap_normal.h \
	lib/paper/bitmap_solver.c \
	lib/paper/bitmap_solver.h
