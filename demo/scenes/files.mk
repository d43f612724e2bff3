# Files of demo/scenes/, for Makefile.am.
# SPDX-License-Identifier: Zlib
libdemo_scenes_a_SOURCES += \
	demo/scenes/arch.c \
	demo/scenes/arm.c \
	demo/scenes/billiards.c \
	demo/scenes/bounce.c \
	demo/scenes/bridge.c \
	demo/scenes/bullets.c \
	demo/scenes/cards.c \
	demo/scenes/castle.c \
	demo/scenes/cloth.c \
	demo/scenes/conveyor.c \
	demo/scenes/cubes.c \
	demo/scenes/dig.c \
	demo/scenes/dominoes.c \
	demo/scenes/drop.c \
	demo/scenes/game.c \
	demo/scenes/garden.c \
	demo/scenes/hair.c \
	demo/scenes/hourglass.c \
	demo/scenes/integrators.c \
	demo/scenes/intro.c \
	demo/scenes/oneway.c \
	demo/scenes/paper.c \
	demo/scenes/particles.c \
	demo/scenes/pile.c \
	demo/scenes/platformer.c \
	demo/scenes/polygons.c \
	demo/scenes/pyramid.c \
	demo/scenes/ragdolls.c \
	demo/scenes/ramp.c \
	demo/scenes/roll.c \
	demo/scenes/sand.c \
	demo/scenes/sawmill.c \
	demo/scenes/scenes.c \
	demo/scenes/scenes.h \
	demo/scenes/sensors.c \
	demo/scenes/shatter.c \
	demo/scenes/sky.c \
	demo/scenes/spin.c \
	demo/scenes/squishy.c \
	demo/scenes/stack.c \
	demo/scenes/thrust.c \
	demo/scenes/tilemap.c \
	demo/scenes/tiles.c \
	demo/scenes/waterfall.c \
	demo/scenes/wrecking.c
