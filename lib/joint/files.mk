# Files of lib/joint/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/joint/constraint.c \
	lib/joint/constraint.h \
	lib/joint/direct.c \
	lib/joint/direct.h \
	lib/joint/direct_energy.c \
	lib/joint/direct_layout.c \
	lib/joint/direct_newton.c \
	lib/joint/direct_row.c \
	lib/joint/direct_touch.c \
	lib/joint/joint.c \
	lib/joint/joint.h \
	lib/joint/joint_create.c \
	lib/joint/stick.c \
	lib/joint/stick.h \
	lib/joint/stick_kernel.h \
	lib/joint/stick_kernel_avx2.c \
	lib/joint/stick_kernel_generic.c
