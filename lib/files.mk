# Files of lib/ itself, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/matter_step.c \
	lib/matter_step.h \
	lib/step.c
