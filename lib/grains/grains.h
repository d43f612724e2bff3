/* grains.h - populations of grains: the interface of grains.c, emit.c, grains_step.c, ring.c and
 * bodies.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_GRAINS_H
#define PV_GRAINS_GRAINS_H

#include "base/error.h"
#include "core/world.h"

/// Begins a call that changes a population. Returns null with *e filled for a bad id.
pv__grains *pv__grains_begin(pv_error *e, const char *function, const pv_world *world,
                             pv_grains_id grains);
extern const pv__field_row pv__grains_fields[6];
/// Frees everything that a population owns.
void pv__grains_free(pv_world *world, pv__grains *g);
void pv__grains_free_all(pv_world *world);
/// Adds a body's former pixels to the populations that follow it.
/// @param was body before its change
/// @param gone mask of the pixels, with its pixel (0, 0) at a place of the body's picture
void pv__grains_follow_loss(pv_world *world, pv_body_id body, const pv__body *was,
                            const pv_mask *gone, pv_point at);
/// Adds the velocity of an explosion to the grains within its radius.
void pv__grains_explode(pv_world *world, pv_vec2 center, double radius, double impulse);

/* grains_step.c */
/// Moves all grains by a step of the world, in which the bodies have moved already.
void pv__grains_step(pv_world *world, double dt);

/* ring.c */
/// Reserves memory for that many additional grains; returns false without memory.
bool pv__ring_reserve(const pv_world *world, pv__grains *g, int more);
void pv__ring_free(const pv_world *world, pv__grains *g);
/// Adds a moving grain, for which memory is reserved. The oldest grain ends if the ring is full.
void pv__ring_add(const pv_world *world, pv__grains *g, pv_vec2 position, pv_vec2 velocity,
                  uint32_t color);
/// Ends the grain of a slot, and frees its pixel.
void pv__ring_end(pv__grains *g, uint32_t slot);
/// Ends the grains that have lived long enough.
void pv__ring_expire(const pv_world *world, pv__grains *g);
/// Wakes all resting grains, or marks all their slopes for a test.
void pv__ring_unsettle(pv__grains *g, bool wakes);

static inline bool pv__ring_lives(const pv__grains *g, uint32_t slot) {
    return g->y[slot] != PV_GRAIN_NONE;
}
static inline bool pv__ring_moves(const pv__grains *g, uint32_t slot) {
    return g->moving[slot >> 6] >> (slot & 63) & 1;
}

/* bodies.c */
/// Looks at all bodies: those that stand still become ground, and the others movers. Returns false
/// without memory.
bool pv__grain_bodies_follow(pv_world *world, pv__grains *g);
/// Redraws the ground of all populations where a part of a body's picture has changed.
/// @param was body before the change
void pv__grain_bodies_redraw(pv_world *world, int index, const pv__body *was, pv_rect part);
/// Tells all populations that a body has another picture or scale.
void pv__grain_bodies_forget_picture(pv_world *world, int index);
/// Bits of what a population last saw of a body whose picture is unchanged
enum { PV__SIGHT_SEEN = 1, PV__SIGHT_GROUND = 2, PV__SIGHT_MOVED = 4 };
/// Returns what a population last saw of a body, for snapshots; 0 if no later step uses it.
unsigned pv__grain_bodies_sight(const pv_world *world, const pv__grains *g, int index);
/// Completes what a snapshot has of a body (generation, pose, ground flag), and draws the body if
/// it is ground. Returns false without memory.
bool pv__grain_bodies_recall(pv_world *world, pv__grains *g, int index);
/// Tells whether grains of a population touch a body.
bool pv__grain_bodies_touch(const pv__grains *g, const pv__body *b);

#endif
