# Files of lib/base/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/base/base.c \
	lib/base/base.h \
	lib/base/constants.h \
	lib/base/duo.h \
	lib/base/error.c \
	lib/base/error.h \
	lib/base/math.h \
	lib/base/pool.c \
	lib/base/pool.h \
	lib/base/runner.h \
	lib/base/thread.h
