/* world.h - the structure of a world; included by files of the library only.
 *
 * Invariant: everything is visited in order of index or pair, never of address. So a run repeats
 * bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WORLD_H
#define PV_CORE_WORLD_H

#include "core/event_data.h"
#include "core/grains.h"
#include "core/grid_data.h"
#include "core/matter.h"
#include "core/solver_data.h"

/// Mask or material map in snapshots
typedef struct pv__kept_item {
    /// Mask or map, with a reference; null once it was forgotten
    pv_mask *mask;
    pv_material_map *map;
    /// Digest of its pixels or materials
    uint64_t digest;
    /// Scratch: true if some body has it
    bool used;
    /// Scratch: a body with the mask, or -1
    int body;
    /// Material view of a body with the mask at the last save, with sums; only the id of its map
    pv__material_view weighed;
} pv__kept_item;

/// Masks or material maps that snapshots name by number
typedef struct pv__kept_list {
    pv__kept_item *items;
    int count, capacity;
} pv__kept_list;

/// Number of recent body pixels that a new body may share
#define PV__RECENT 16

/// Bodies of a world.
typedef struct pv__bodies {
    /// Bodies by slot; a free one has an even generation
    pv__body *items;
    /// Number of slots and capacity; first free slot, linked through island, or -1
    int count, capacity, free;
    /// Indices of recent bodies with different pixels, which the next one may share; oldest entry
    int recent[PV__RECENT], oldest;
    /// Memory for the pixels of the next body, or null
    pv__body_pixels *spare_pixels;
    /// Pixel motions by body, in a world of pixel contacts
    pv__pixel_motion *pixel_motions;
    int pixel_motion_capacity;
    /// Awake bodies, in order
    int *awake;
    int awake_count, awake_capacity;
    /// True if awake is out of date
    bool awake_stale;
    /// True if some body, particle or polygon has had a filter of its own
    bool filtered;
    /// True if some body was driven to a place in this step or the last one
    bool driven;
    /// True if the world has ever had a sensor
    bool sensing;
    /// True if a body has ever had a material map
    bool mapped;
} pv__bodies;

/// Scratch memory of a worker
typedef struct pv__worker {
    /// Bitmaps of two bodies
    pv__bitmap bitmaps[2];
    /// Result of a search; room for one more than all bodies
    int *near;
    /// Candidate pairs that it has found
    pv__pair *pairs;
    int near_capacity, pair_capacity, pair_count;
    char apart[PV__OWN_LINES];
} pv__worker;

/// Masks and material maps in snapshots
typedef struct pv__snapshots {
    pv__kept_list masks, maps;
} pv__snapshots;

struct pv_world {
    pv_world_def def;
    /// Length of the last substep, which scales now - before [s]
    double dt;
    /// Substeps of the running step
    int substeps;
    /// Length of the running substep [s]
    double h;
    uint64_t steps;
    pv__bodies bodies;
    pv__broad_phase broad_phase;
    pv__bitmap_contacts bitmaps;
    pv__manifolds manifolds;
    pv__solver solver;
    pv__squeezes squeeze;
    pv__island_groups groups;
    pv__matter matter;
    pv__grain_sets grains;
    pv__events events;
    pv__snapshots snapshot;
    pv_world_profile profile;
    /// Start of the stage that is being timed [s]
    double stage_begin;
    /// True if the running step lacked memory, so that contacts or events were left out
    pv__flag out_of_memory;
    /// Scratch memory by worker
    pv__worker *workers;
    int worker_count;
    /// Workers at shared stages, see tasks.c; null with one worker
    struct pv__crew *crew;
};

/// Returns a manifold of a list of slots, and prefetches one that a loop over it will need soon.
static inline pv__manifold *pv__listed_manifold(pv__manifold *all, const int *slots, int i,
                                                int end) {
    __builtin_prefetch(&all[slots[pv__sooner(i + 8, end - 1)]]);
    return &all[slots[i]];
}

/// Returns an active manifold, and prefetches a later one for a loop over all, with a point.
static inline pv__manifold *pv__active_manifold(const pv_world *world, int i) {
    const pv__manifolds *all = &world->manifolds;
    int ahead = i + 8 < all->active_count ? i + 8 : i;
    __builtin_prefetch(&all->items[all->active[ahead]]);
    __builtin_prefetch(&all->points[PV__MANIFOLD_NEAR * all->active[ahead]].impulse_n);
    return &all->items[all->active[i]];
}

/// Tells whether both bodies of a pair are over the pair limit.
static inline bool pv__pair_is_crowded(const pv_world *world, int a, int b) {
    return world->broad_phase.crowded && world->broad_phase.crowds[a].full &&
           world->broad_phase.crowds[b].full;
}

/// Tells whether both contours of a pair have all pixels.
static inline bool pv__pair_is_exact(const pv_world *world, int a, int b) {
    return world->solver.outlines[a + 1].exact & world->solver.outlines[b + 1].exact;
}

/// Tells whether both bodies of a pair are over the pair limit, and one overlaps an immovable body.
static inline bool pv__pair_is_pressed(const pv_world *world, int a, int b) {
    return pv__pair_is_crowded(world, a, b) &&
           (world->broad_phase.crowds[a].grounded || world->broad_phase.crowds[b].grounded);
}

/// Tells whether a body is driven to a place in this step.
static inline bool pv__body_is_driven(const pv_world *world, const pv__body *b) {
    return b->drive.step == world->steps + 1;
}

/// Returns a body's angular acceleration from torques, or from its drive [rad/s^2].
static inline double pv__body_angular_acceleration(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC) return pv__body_is_driven(world, b) ? b->drive.twist : 0;
    return b->torque * b->inverse_inertia;
}

/// Returns a body's acceleration from gravity and forces, or from its drive [px/s^2].
static inline pv_vec2 pv__body_acceleration(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC)
        return pv__body_is_driven(world, b) ? b->drive.acceleration : (pv_vec2){0, 0};
    pv_vec2 gravity = pv__mul(b->gravity_scale, world->def.gravity);
    return pv__body_unlocked(b, pv__mad(gravity, b->inverse_mass, b->force));
}

static inline pv_body_id pv__handle_of_body(const pv_world *world, int index) {
    return (pv_body_id){(uint32_t)index + 1, world->bodies.items[index].generation};
}

/// Tells whether the running substep is a long one.
static inline bool pv__world_is_brisk(const pv_world *world) { return world->h > world->dt; }

/// Tells whether the running substep is more than twice as long as usual, beyond rounding.
static inline bool pv__world_is_swift(const pv_world *world) {
    return world->h > 2.001 * world->dt;
}

#endif
