# Files of lib/grains/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/grains/area.c \
	lib/grains/area.h \
	lib/grains/bodies.c \
	lib/grains/emit.c \
	lib/grains/flight.h \
	lib/grains/flight_kernel.h \
	lib/grains/flight_kernel_avx2.c \
	lib/grains/flight_kernel_generic.c \
	lib/grains/grains.c \
	lib/grains/grains.h \
	lib/grains/grains_step.c \
	lib/grains/ground.c \
	lib/grains/mover_hit.c \
	lib/grains/movers.c \
	lib/grains/movers.h \
	lib/grains/numbers.c \
	lib/grains/numbers.h \
	lib/grains/pile.c \
	lib/grains/ring.c \
	lib/grains/settle.c \
	lib/grains/walk.c \
	lib/grains/walk.h \
	lib/grains/walkers.c
