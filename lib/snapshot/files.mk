# Files of lib/snapshot/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/snapshot/changes.c \
	lib/snapshot/changes.h \
	lib/snapshot/fields.c \
	lib/snapshot/fields.h \
	lib/snapshot/snapshot.c \
	lib/snapshot/snapshot.h \
	lib/snapshot/state_hash.c \
	lib/snapshot/stream.h \
	lib/snapshot/stream_bodies.c \
	lib/snapshot/stream_events.c \
	lib/snapshot/stream_grains.c \
	lib/snapshot/stream_matter.c \
	lib/snapshot/stream_pairs.c \
	lib/snapshot/stream_shape.c
