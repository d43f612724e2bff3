# Files of lib/mover/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/mover/mover.c \
	lib/mover/mover.h \
	lib/mover/mover_escape.c \
	lib/mover/mover_obstacle.c \
	lib/mover/mover_presolve.c \
	lib/mover/mover_query.c \
	lib/mover/mover_start.c \
	lib/mover/mover_walk.c
