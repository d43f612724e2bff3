# Files of demo/draw/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_a_SOURCES += \
	demo/draw/backdrop.c \
	demo/draw/backdrop.h \
	demo/draw/bones.c \
	demo/draw/bones.h \
	demo/draw/camera.c \
	demo/draw/camera.h \
	demo/draw/field.c \
	demo/draw/field.h \
	demo/draw/grains.c \
	demo/draw/grains.h \
	demo/draw/lens.c \
	demo/draw/lens.h \
	demo/draw/motion.c \
	demo/draw/motion.h \
	demo/draw/skin.c \
	demo/draw/skin.h \
	demo/draw/view.c \
	demo/draw/view.h \
	demo/draw/water.c \
	demo/draw/water.h
