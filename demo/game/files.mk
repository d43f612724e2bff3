# Files of demo/game/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_la_SOURCES += \
	demo/game/autopilot.c \
	demo/game/game.h \
	demo/game/parts.h \
	demo/game/rocks.c \
	demo/game/rules.c \
	demo/game/scores.c \
	demo/game/scores.h \
	demo/game/ship.c
