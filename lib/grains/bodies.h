/* bodies.h - the interface of bodies.c: which bodies are ground for grains, and which move.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Looks at all bodies: those that stand still become ground, and the others movers. Returns false
/// without memory.
bool pv__grain_bodies_follow(pv_world *world, pv__grains *g);
/// Draws the ground of all populations anew where a part of a body's picture has changed.
/// @param was body before the change
void pv__grain_bodies_redraw(pv_world *world, int index, const pv__body *was, pv_rect part);
/// Tells all populations that a body has another picture or scale.
void pv__grain_bodies_forget_picture(pv_world *world, int index);
/// Sight of a body whose picture is still the same
enum { PV__SIGHT_SEEN = 1, PV__SIGHT_GROUND = 2, PV__SIGHT_MOVED = 4 };
/// Returns what a population last saw of a body, for snapshots; 0: nothing that a later step uses.
unsigned pv__grain_bodies_sight(const pv_world *world, const pv__grains *g, int index);
/// Completes the generation, pose and flag of the ground that a snapshot has of a body, and draws
/// its ground. Returns false without memory.
bool pv__grain_bodies_recall(pv_world *world, pv__grains *g, int index);
/// Tells whether grains of a population touch a body.
bool pv__grain_bodies_touch(const pv__grains *g, const pv__body *b);
