# Files of lib/world/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/world/body.c \
	lib/world/body.h \
	lib/world/body_change.c \
	lib/world/body_mask.c \
	lib/world/body_mask.h \
	lib/world/body_set.c \
	lib/world/composite.c \
	lib/world/force.c \
	lib/world/silhouette.c \
	lib/world/silhouette.h \
	lib/world/sleep.c \
	lib/world/world.c \
	lib/world/world.h
