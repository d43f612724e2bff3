# Files of lib/query/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/query/body_query.c \
	lib/query/debug_draw.c \
	lib/query/poses.c \
	lib/query/query.c \
	lib/query/query.h \
	lib/query/query_cast.c \
	lib/query/query_overlap.c
