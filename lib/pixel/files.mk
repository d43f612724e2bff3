# Files of lib/pixel/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/pixel/bits.h \
	lib/pixel/canvas.c \
	lib/pixel/canvas.h \
	lib/pixel/file.c \
	lib/pixel/file.h \
	lib/pixel/kernel.c \
	lib/pixel/kernel.h \
	lib/pixel/kernel_avx2.c \
	lib/pixel/kernel_avx512.c \
	lib/pixel/kernel_generic.c \
	lib/pixel/kernel_rows.h \
	lib/pixel/mask.c \
	lib/pixel/mask.h \
	lib/pixel/mask_draw.c \
	lib/pixel/mask_encode.c \
	lib/pixel/mask_encode.h \
	lib/pixel/mask_ops.c \
	lib/pixel/mask_ops.h \
	lib/pixel/material_map.c \
	lib/pixel/material_map.h \
	lib/pixel/overlap.c \
	lib/pixel/overlap.h \
	lib/pixel/png.c \
	lib/pixel/png.h \
	lib/pixel/png_write.c \
	lib/pixel/raster.c \
	lib/pixel/raster.h \
	lib/pixel/regions.c
