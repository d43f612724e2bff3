# Files of lib/tasks/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/tasks/task_pool.c
