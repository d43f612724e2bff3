# Files of lib/solver/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/solver/contact_batch.c \
	lib/solver/contact_batch.h \
	lib/solver/contact_kernel.h \
	lib/solver/contact_kernel_avx2.c \
	lib/solver/contact_kernel_generic.c \
	lib/solver/contact_solver.c \
	lib/solver/contact_solver.h \
	lib/solver/integrate.c \
	lib/solver/integrate.h \
	lib/solver/island_group.c \
	lib/solver/island_group.h \
	lib/solver/pixel_stop.c \
	lib/solver/pixel_stop.h \
	lib/solver/solver_body.c \
	lib/solver/solver_body.h \
	lib/solver/squeeze.c \
	lib/solver/squeeze.h \
	lib/solver/strips.c \
	lib/solver/strips.h \
	lib/solver/substeps.c \
	lib/solver/substeps.h \
	lib/solver/sweep.c \
	lib/solver/sweep.h \
	lib/solver/wake_reached.c \
	lib/solver/wake_reached.h
