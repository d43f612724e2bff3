# Files of lib/build/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/build/build.h \
	lib/build/chain.c \
	lib/build/jelly.c \
	lib/build/plant.c \
	lib/build/ragdoll.c \
	lib/build/soft.c
