# Files of demo/app/, for Makefile.am.
# SPDX-License-Identifier: Zlib
demo_pixverlet_demo_SOURCES += \
	demo/app/clip.c \
	demo/app/clip.h \
	demo/app/game_feel.c \
	demo/app/game_screen.c \
	demo/app/game_screen.h \
	demo/app/game_words.c \
	demo/app/headless.c \
	demo/app/headless.h \
	demo/app/highlight.c \
	demo/app/highlight.h \
	demo/app/hud.c \
	demo/app/hud.h \
	demo/app/labels.c \
	demo/app/labels.h \
	demo/app/main.c \
	demo/app/panel.c \
	demo/app/panel.h \
	demo/app/recorder.c \
	demo/app/recorder.h \
	demo/app/screen.h \
	demo/app/sounds.c \
	demo/app/sounds.h \
	demo/app/viewer_screen.c \
	demo/app/viewer_screen.h \
	demo/app/widgets.c \
	demo/app/widgets.h \
	demo/app/window.c \
	demo/app/window.h
