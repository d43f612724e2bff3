/* pv_contact_ground.c - the normal of what touches something that does not move: all such together are one surface.
 *
 * Invariant: the edge between two static bodies side by side is no edge. Only the part of the body near what is shared is moved
 * about over all of them, so neither the ends of a tile nor those of the body pull the normal aside.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_contact.h"

/// Reach of the stencil: what is that near a body is among its grounds [px].
static const int RADIUS = 2;
/// The widest part that is looked at [px].
enum { WIDEST = 64 };

static bool is_ground(const pv__body *b) { return b->inverse_mass == 0 && !b->moved; }

/* ---- which bodies ---- */

static void add_ground(pv_world *world, int body, int ground) {
    pv__body *b = &world->bodies[body];
    if (is_ground(b) || !is_ground(&world->bodies[ground])) return;
    if (!pv__reserve(&world->def.allocator, &world->grounds, &world->ground_capacity, world->ground_count + 1,
                     sizeof(pv__ground))) {
        world->flags |= PV_STEP_NO_MEMORY;
        return;
    }
    world->grounds[world->ground_count] = (pv__ground){ground, b->pixel->grounds};
    b->pixel->grounds = world->ground_count++;
}

void pv__find_grounds(pv_world *world) {
    world->ground_count = 0;
    for (int i = 0; i < world->body_count; i++) world->bodies[i].pixel->grounds = -1;
    for (int i = 0; i < world->pair_count; i++) {
        pv__pair pair = world->pairs[i];
        add_ground(world, pair.a, pair.b);
        add_ground(world, pair.b, pair.a);
    }
}

/* ---- the normal ---- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/// The pixels of a bitmap within reach of a box of the world; false where these are none or too many.
static bool cut(const pv__bitmap *from, int64_t x, int64_t y, pv_rect box, uint64_t words[WIDEST],
                pv__bitmap *part) {
    int64_t left = most(0, x - RADIUS - from->x), right = least(from->bits.w, x + box.w + RADIUS - from->x);
    int64_t top = most(0, y - RADIUS - from->y), bottom = least(from->bits.h, y + box.h + RADIUS - from->y);
    if (left >= right || top >= bottom || right - left > WIDEST || bottom - top > WIDEST) return false;
    int w = (int)(right - left), h = (int)(bottom - top), shift = (int)(left & 63);
    const uint64_t *stripe = from->bits.words + (size_t)(left >> 6) * (size_t)from->bits.h + top;
    bool spills = shift + w > 64;
    for (int i = 0; i < h; i++) {
        uint64_t word = stripe[i] >> shift;
        if (spills) word |= stripe[i + from->bits.h] << (64 - shift);
        words[i] = w < 64 ? word & ((UINT64_C(1) << w) - 1) : word;
    }
    *part = (pv__bitmap){.x = from->x + (int)left, .y = from->y + (int)top, .bits = {w, h, words}};
    return true;
}

/// Adds how the area that a ground shares with the part grows as the part goes by (x, y) and on.
static void add_slope(const pv__bitmap *ground, const pv__bitmap *part, int64_t x, int64_t y,
                      int64_t slope[2]) {
    pv__bits_slope(&ground->bits, &part->bits, (int64_t)part->x + x - ground->x,
                   (int64_t)part->y + y - ground->y, RADIUS, slope);
}

static void add_others(pv_world *world, pv__pair pair, const pv__bitmap *part, int64_t x, int64_t y,
                       int64_t slope[2]) {
    const pv__body *b = &world->bodies[is_ground(&world->bodies[pair.a]) ? pair.b : pair.a];
    for (int i = b->pixel->grounds; i >= 0; i = world->grounds[i].next) {
        int other = world->grounds[i].body;
        pv__body *g = &world->bodies[other];
        if (other == pair.a || other == pair.b || pv__is_large(g)) continue;
        const pv__bitmap *ground = pv__bitmap_in(world, g, g->pose, &g->pixel->bitmap_now);
        if (ground) add_slope(ground, part, x, y, slope);
    }
}

bool pv__ground_normal(pv_world *world, const pv__meeting *m, pv_rect shared, pv_vec2 *normal) {
    bool first = is_ground(&world->bodies[m->pair.a]);
    if (first == is_ground(&world->bodies[m->pair.b])) return false;
    const pv__bitmap *body = first ? m->b : m->a, *ground = first ? m->a : m->b;
    int64_t x = first ? m->x : -m->x, y = first ? m->y : -m->y; /* what the body goes by */
    int64_t left = (int64_t)shared.x + m->a->x, top = (int64_t)shared.y + m->a->y;
    int64_t slope[2] = {0, 0};
    uint64_t words[WIDEST];
    pv__bitmap part;
    if (!cut(body, first ? left - x : left, first ? top - y : top, shared, words, &part)) return false;
    add_slope(ground, &part, x, y, slope);
    add_others(world, m->pair, &part, x, y, slope);
    double length = pv__length(pv__vec((double)slope[0], (double)slope[1])), side = first ? -1 : 1;
    if (length > 0) *normal = pv__vec(side * (double)slope[0] / length, side * (double)slope[1] / length);
    return length > 0;
}
