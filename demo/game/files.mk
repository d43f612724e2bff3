# Files of demo/game/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_a_SOURCES += \
	demo/game/autopilot.c \
	demo/game/bolts.c \
	demo/game/bots.c \
	demo/game/bots.h \
	demo/game/effects.c \
	demo/game/effects.h \
	demo/game/finds.c \
	demo/game/fuses.c \
	demo/game/game.h \
	demo/game/gun.c \
	demo/game/hits.c \
	demo/game/hulk.c \
	demo/game/hull.c \
	demo/game/letters.c \
	demo/game/looks.c \
	demo/game/paint.c \
	demo/game/parts.h \
	demo/game/points.c \
	demo/game/rocks.c \
	demo/game/rules.c \
	demo/game/saucer.c \
	demo/game/scores.c \
	demo/game/scores.h \
	demo/game/ship.c \
	demo/game/space.c \
	demo/game/tools.c \
	demo/game/wrap.c
