# Files of lib/matter/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/matter/liquid.c \
	lib/matter/liquid.h \
	lib/matter/liquid_kernel.h \
	lib/matter/liquid_kernel_avx2.c \
	lib/matter/liquid_kernel_generic.c \
	lib/matter/liquid_pairs.h \
	lib/matter/matter_contact.c \
	lib/matter/matter_contact.h \
	lib/matter/particle.c \
	lib/matter/particle.h \
	lib/matter/particle_collide.c \
	lib/matter/particle_collide.h \
	lib/matter/particle_inside.c \
	lib/matter/particle_inside.h \
	lib/matter/particle_stride.c \
	lib/matter/particle_stride.h \
	lib/matter/surface.c \
	lib/matter/surface.h
