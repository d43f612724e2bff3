# Files of lib/polygon/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/polygon/polygon.c \
	lib/polygon/polygon.h \
	lib/polygon/polygon_cast.c \
	lib/polygon/polygon_contact.c \
	lib/polygon/polygon_contact.h \
	lib/polygon/polygon_disc.c \
	lib/polygon/polygon_events.c \
	lib/polygon/polygon_events.h \
	lib/polygon/polygon_motion.c \
	lib/polygon/polygon_motion.h \
	lib/polygon/polygon_one_way.c \
	lib/polygon/polygon_overlap.c \
	lib/polygon/polygon_pairs.c \
	lib/polygon/polygon_piece.h \
	lib/polygon/polygon_presolve.c \
	lib/polygon/polygon_presolve.h \
	lib/polygon/polygon_scratch.h \
	lib/polygon/polygon_seam.c \
	lib/polygon/polygon_seam.h \
	lib/polygon/polygon_sleep.c \
	lib/polygon/polygon_sleep.h
