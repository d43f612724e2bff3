# Files of lib/collide/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/collide/body_overlap.c \
	lib/collide/body_overlap.h \
	lib/collide/broad_phase.c \
	lib/collide/broad_phase.h \
	lib/collide/collide.h \
	lib/collide/collide_contour.c \
	lib/collide/collide_contour.h \
	lib/collide/contact_points.c \
	lib/collide/contact_points.h \
	lib/collide/convex_kernel.h \
	lib/collide/convex_kernel_avx2.c \
	lib/collide/convex_kernel_generic.c \
	lib/collide/manifold.c \
	lib/collide/manifold.h \
	lib/collide/narrow_phase.c \
	lib/collide/narrow_phase.h \
	lib/collide/pair_limit.c \
	lib/collide/pair_limit.h \
	lib/collide/pixel_touch.c \
	lib/collide/pixel_touch.h \
	lib/collide/presolve.c \
	lib/collide/presolve.h \
	lib/collide/query_index.c \
	lib/collide/query_index.h \
	lib/collide/sensor.c \
	lib/collide/sensor.h \
	lib/collide/touching_box.h \
	lib/collide/wake_near.c \
	lib/collide/wake_near.h
