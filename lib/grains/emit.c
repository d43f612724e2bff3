/* emit.c - adds grains from a list, from a mask, and from pixels that bodies lose.
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
#include "grains/grains.h"
#include "grains/numbers.h"
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
    return pv__later((int)pv__floor(pv__min(pv__abs(scale), EMIT_MOST) + 0.5), 1);
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

/// Adds the grains of all pixels of a mask, whose pixel (0, 0) is at a place of the picture. Colors
/// are given by pixel, or the callback tells those of a body. Returns false without memory.
static bool add_pixels(const pv_world *world, pv__grains *g, const emission *from,
                       const pv_mask *mask, pv_point at, const uint32_t *colors,
                       const pv_body_id *body) {
    const pv__bits *bits = &mask->bits;
    int64_t count = pv_mask_count_pixels(mask) * from->across * from->down;
    if (!pv__ring_reserve(world, g, count < PV_GRAIN_MOST ? (int)count : PV_GRAIN_MOST))
        return false;
    for (int y = 0; y < bits->h; y++)
        for (int x = 0; x < bits->w; x++) {
            if (!pv__bits_get(bits, x, y)) continue;
            uint32_t color = g->def.color;
            if (colors) color = colors[(size_t)y * (size_t)bits->w + (size_t)x];
            if (body && g->def.color_callback)
                color = g->def.color_callback(g->def.color_user_data, *body, x + at.x, y + at.y);
            pixel(world, g, from, x + at.x, y + at.y, color);
        }
    return true;
}

pv_status pv_grains_emit_mask(pv_world *world, pv_grains_id grains, const pv_placed *placed,
                              const uint32_t *colors, pv_vec2 velocity, double angular_velocity) {
    static const pv__placed_names names = PV__PLACED_NAMES("placed");
    pv_error e;
    pv__grains *g = pv__grains_begin(&e, __func__, world, grains);
    if (!g || !pv__check_placed(&e, &names, placed) || !pv__check_place(&e, "velocity", velocity) ||
        !pv__check_range(&e, "angular_velocity", angular_velocity, PV__RANGE_SPIN))
        return pv__refuse(world, &e);
    emission from = emission_of(&placed->transform, velocity, angular_velocity);
    if (!add_pixels(world, g, &from, placed->mask, (pv_point){0, 0}, colors, NULL))
        return pv__refuse_memory(world, &e);
    return PV_OK;
}

/* ---- bodies ---- */

void pv__grains_follow_loss(pv_world *world, pv_body_id body, const pv__body *was,
                            const pv_mask *gone, pv_point at) {
    pv_transform t = pv__body_transform(was, was->pose);
    emission from =
        emission_of(&t, pv__pose_velocity(world, was), pv__pose_angular_velocity(world, was));
    for (int k = 0; k < world->grains.pool.count; k++) {
        pv__grains *g = &world->grains.items[k];
        if (pv__slot_lives(&g->slot) && g->def.follow && pv__grain_bodies_touch(g, was) &&
            !add_pixels(world, g, &from, gone, at, NULL, &body))
            world->out_of_memory = true;
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
