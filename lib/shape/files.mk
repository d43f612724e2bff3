# Files of lib/shape/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/shape/contour.c \
	lib/shape/contour_loop.c \
	lib/shape/contour_loop.h \
	lib/shape/contour_update.c \
	lib/shape/contour_update.h \
	lib/shape/convex.c \
	lib/shape/convex.h \
	lib/shape/distance_field.c \
	lib/shape/distance_field.h \
	lib/shape/shape.c \
	lib/shape/shape.h \
	lib/shape/shape_blocks.c
