# Files of demo/stage/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_a_SOURCES += \
	demo/stage/aim.c \
	demo/stage/aim.h \
	demo/stage/carving.c \
	demo/stage/dust.c \
	demo/stage/dust.h \
	demo/stage/follow.c \
	demo/stage/grains.c \
	demo/stage/grains.h \
	demo/stage/paint.c \
	demo/stage/props.c \
	demo/stage/props.h \
	demo/stage/reload.c \
	demo/stage/reload.h \
	demo/stage/rounds.c \
	demo/stage/rounds.h \
	demo/stage/scene.h \
	demo/stage/shots.c \
	demo/stage/shots.h \
	demo/stage/sprite.c \
	demo/stage/sprite.h \
	demo/stage/stage.c \
	demo/stage/stage.h \
	demo/stage/texture.c \
	demo/stage/texture.h \
	demo/stage/tuning.c \
	demo/stage/tuning.h
