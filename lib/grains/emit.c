/* emit.c - new grains: from a list, from a mask, and from what bodies lose.
 *
 * Invariant: all memory is reserved before the first grain is added, so a refused call adds none.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/report.h"
#include "grains/area.h"
#include "grains/bodies.h"
#include "grains/grains.h"
#include "grains/numbers.h"
#include "grains/pile.h"
#include "grains/ring.h"
#include "placed/placed.h"

/// Greatest number of grains along a pixel's side, for enlarged pictures
enum { EMIT_MOST = 16 };

/* ---- a list ---- */

pv_status pv_grains_emit(pv_world *world, pv_grains_id grains, const pv_grain *list, int count) {
    pv_error e;
    pv__grains *g = pv__grains_begin(&e, __func__, world, grains);
    if (!g || !pv__check_range(&e, "count", count, 0, PV_GRAIN_MOST) ||
        (count > 0 && !pv__check_pointer(&e, "list", list)))
        return pv__refuse(world, &e);
    for (int i = 0; i < count; i++)
        if (!pv__check_vector(&e, "list.position", list[i].position, PV_GRAIN_FARTHEST) ||
            !pv__check_place(&e, "list.velocity", list[i].velocity))
            return pv__refuse(world, &e);
    if (!pv__ring_reserve(world, g, count)) return pv__refuse_memory(world, &e);
    for (int i = 0; i < count; i++)
        pv__ring_add(world, g, list[i].position, list[i].velocity, list[i].color);
    return PV_OK;
}

/* ---- pixels ---- */

/// Source of a mask's grains
typedef struct emission {
    const pv_transform *transform;
    /// Velocity of the point at the transform's position [px/s], and angular velocity [rad/s]
    pv_vec2 velocity;
    double spin;
    /// Number of grains along each side of a pixel
    int across, down;
} emission;

/// Returns the number of world pixels along a pixel's side.
static int along(double scale) {
    return pv__sooner(pv__later((int)pv__floor(pv__min(pv__abs(scale), EMIT_MOST) + 0.5), 1),
                      EMIT_MOST);
}

static emission emission_of(const pv_transform *transform, pv_vec2 velocity, double spin) {
    return (emission){transform, velocity, spin, along(transform->scale.x),
                      along(transform->scale.y)};
}

/// Adds the grains of a pixel.
static void pixel(const pv_world *world, pv__grains *g, const emission *from, int x, int y,
                  uint32_t color) {
    for (int j = 0; j < from->down; j++)
        for (int i = 0; i < from->across; i++) {
            pv_vec2 at = {x + (i + 0.5) / from->across, y + (j + 0.5) / from->down};
            pv_vec2 p = pv_transform_to_world(from->transform, at);
            pv_vec2 arm = pv__sub(p, from->transform->position);
            if (pv__abs(p.x) < PV_GRAIN_FARTHEST && pv__abs(p.y) < PV_GRAIN_FARTHEST)
                pv__ring_add(world, g, p, pv__mad(from->velocity, from->spin, pv__perp(arm)),
                             color);
        }
}

/// Returns the number of grains that a number of pixels gives, up to what a population holds.
static int grains_of(const emission *from, int64_t pixels) {
    int64_t count = pixels * from->across * from->down;
    return count < PV_GRAIN_MOST ? (int)count : PV_GRAIN_MOST;
}

pv_status pv_grains_emit_mask(pv_world *world, pv_grains_id grains, const pv_placed *placed,
                              const uint32_t *colors, pv_vec2 velocity, double angular_velocity) {
    static const pv__placed_names names = PV__PLACED_NAMES("placed");
    pv_error e;
    pv__grains *g = pv__grains_begin(&e, __func__, world, grains);
    if (!g || !pv__check_placed(&e, &names, placed) || !pv__check_place(&e, "velocity", velocity) ||
        !pv__check_range(&e, "angular_velocity", angular_velocity, PV__RANGE_SPIN))
        return pv__refuse(world, &e);
    const pv__bits *bits = &placed->mask->bits;
    emission from = emission_of(&placed->transform, velocity, angular_velocity);
    if (!pv__ring_reserve(world, g, grains_of(&from, pv_mask_count_pixels(placed->mask))))
        return pv__refuse_memory(world, &e);
    for (int y = 0; y < bits->h; y++)
        for (int x = 0; x < bits->w; x++)
            if (pv__bits_get(bits, x, y))
                pixel(world, g, &from, x, y,
                      colors ? colors[(size_t)y * (size_t)bits->w + (size_t)x] : g->def.color);
    return PV_OK;
}

/* ---- bodies ---- */

void pv__grains_follow_loss(pv_world *world, pv_body_id body, const pv__body *was,
                            const pv_mask *gone, pv_point at) {
    pv_transform t = pv__body_transform(was, was->pose);
    emission from =
        emission_of(&t, pv__pose_velocity(world, was), pv__pose_angular_velocity(world, was));
    int count = grains_of(&from, pv_mask_count_pixels(gone));
    for (int k = 0; k < world->grains.pool.count; k++) {
        pv__grains *g = &world->grains.items[k];
        if (!pv__slot_lives(&g->slot) || !g->def.follow || !pv__grain_bodies_touch(g, was))
            continue;
        if (!pv__ring_reserve(world, g, count)) {
            world->out_of_memory = true;
            continue;
        }
        for (int y = 0; y < gone->bits.h; y++)
            for (int x = 0; x < gone->bits.w; x++) {
                if (!pv__bits_get(&gone->bits, x, y)) continue;
                uint32_t color = g->def.color;
                if (g->def.color_callback)
                    color = g->def.color_callback(g->def.color_user_data, body, x + at.x, y + at.y);
                pixel(world, g, &from, x + at.x, y + at.y, color);
            }
    }
}

/* ---- explosions ---- */

static void explode_grain(pv__grains *g, uint32_t slot, pv_vec2 point, double reach,
                          double impulse) {
    pv_vec2 way = pv__sub(pv__vec(g->x[slot] / 65536.0, g->y[slot] / 65536.0), point);
    double distance = pv__length(way), speed = impulse * (1 - distance / reach);
    if (distance >= reach) return;
    pv_vec2 n = distance > 0 ? pv__direction(way) : pv__vec(0, -1);
    if (!pv__ring_moves(g, slot))
        pv__pile_wake(g, pv__grain_pixel(g->x[slot]), pv__grain_pixel(g->y[slot]));
    g->dx[slot] = pv__grain_bounded((int64_t)g->dx[slot] + pv__grain_motion(speed * n.x, g->dt));
    g->dy[slot] = pv__grain_bounded((int64_t)g->dy[slot] + pv__grain_motion(speed * n.y, g->dt));
}

void pv__grains_explode(pv_world *world, pv_vec2 point, double reach, double impulse) {
    for (int k = 0; k < world->grains.pool.count; k++) {
        pv__grains *g = &world->grains.items[k];
        if (!pv__slot_lives(&g->slot)) continue;
        for (int i = 0; i < g->used; i++)
            if (pv__ring_lives(g, (uint32_t)i))
                explode_grain(g, (uint32_t)i, point, reach, impulse);
    }
}
