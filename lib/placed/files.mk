# Files of lib/placed/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/placed/group.c \
	lib/placed/placed.c \
	lib/placed/placed.h \
	lib/placed/placed_query.c \
	lib/placed/placed_query.h \
	lib/placed/separation.c \
	lib/placed/sweep.c
