# Files of lib/core/, for Makefile.am and CMakeLists.txt.
# SPDX-License-Identifier: Zlib
libpixverlet_core_la_SOURCES += \
	lib/core/anchor.c \
	lib/core/anchor.h \
	lib/core/body.h \
	lib/core/body_bitmap.c \
	lib/core/body_bitmap.h \
	lib/core/contact_data.h \
	lib/core/contact_list.c \
	lib/core/contact_list.h \
	lib/core/event_data.h \
	lib/core/events.c \
	lib/core/events.h \
	lib/core/filter.c \
	lib/core/filter.h \
	lib/core/grains.h \
	lib/core/grid_data.h \
	lib/core/handle.c \
	lib/core/handle.h \
	lib/core/impulse.h \
	lib/core/material.h \
	lib/core/matter.h \
	lib/core/pose.c \
	lib/core/pose.h \
	lib/core/report.c \
	lib/core/report.h \
	lib/core/simd.h \
	lib/core/solver_data.h \
	lib/core/stage_timer.c \
	lib/core/stage_timer.h \
	lib/core/tasks.c \
	lib/core/tasks.h \
	lib/core/wake.c \
	lib/core/wake.h \
	lib/core/world.h \
	lib/core/world_lock.c \
	lib/core/world_lock.h
