/* bitmap_normal.c - contact normals from bitmaps, on grounds and of discs (Cheng 2003, section 3).
 *
 * Invariant: all immovable bodies around an overlap are one surface, and a disc is round.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "paper/bitmap_normal.h"
#include "core/body_bitmap.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "pixel/overlap.h"
#include "placed/placed.h"

/// Least depth of a disc's patch, in radii. A deep patch averages many stairs of a drawn slope.
static const double ROUND_DEPTH = 0.5;

/* ---- the normal on immovable bodies: together they are one surface ----
 *
 * Invariant: the edge between two adjacent static bodies does not count. All of them are compared
 * with only the part of the body near the overlap. So neither the ends of a tile nor the ends of
 * the body distort the normal.
 */

/// Reach of the stencil [px]; a body's grounds include all immovable bodies within it
static const int RADIUS = 2;
/// Greatest width of the compared part [px]
enum { GROUND_WIDEST = 64 };

static bool is_ground(const pv__body *b) { return b->inverse_mass == 0 && !b->moved; }

static void add_ground(pv_world *world, int body, int ground) {
    pv__body *b = &world->bodies.items[body];
    if (is_ground(b) || !is_ground(&world->bodies.items[ground])) return;
    if (PV__APPEND(&world->def.allocator, world->bitmaps.grounds, world->bitmaps.ground_capacity,
                   world->bitmaps.ground_count, (pv__ground){ground, b->pixel_motion->grounds}))
        b->pixel_motion->grounds = world->bitmaps.ground_count - 1;
    else
        world->out_of_memory = true;
}

void pv__bitmap_normal_find_grounds(pv_world *world) {
    world->bitmaps.ground_count = 0;
    for (int i = 0; i < world->bodies.count; i++) world->bodies.items[i].pixel_motion->grounds = -1;
    for (int i = 0; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        add_ground(world, pair.a, pair.b);
        add_ground(world, pair.b, pair.a);
    }
}

/// Cuts out the pixels of a bitmap within reach of a box; returns false for none or too many.
static bool ground_cut(const pv__bitmap *from, pv_rect box, uint64_t words[GROUND_WIDEST],
                       pv__bitmap *part) {
    pv_rect cut = pv__rect_meet(pv__rect_grown(box, RADIUS), pv__bitmap_rect(from));
    int w = cut.w, h = cut.h, left = cut.x - from->x, top = cut.y - from->y;
    if (w == 0 || w > GROUND_WIDEST || h > GROUND_WIDEST) return false;
    for (int i = 0; i < h; i++)
        words[i] = pv__bits_word(&from->bits, left, top + i) & pv__bits_between(0, w - 1);
    *part = (pv__bitmap){.x = cut.x, .y = cut.y, .bits = {w, h, words}};
    return true;
}

/// Adds the slope of the area shared by a ground and the part at the offset (x, y).
static void add_slope(const pv__bitmap *ground, const pv__bitmap *part, int64_t x, int64_t y,
                      int64_t slope[2]) {
    pv__bits_slope(&ground->bits, &part->bits, (int64_t)part->x + x - ground->x,
                   (int64_t)part->y + y - ground->y, RADIUS, slope);
}

/// Returns the bitmap of a body's next ground, or null after the last. It skips the body except and
/// large grounds. The cursor begins at the body's first ground.
static const pv__bitmap *next_ground(pv_world *world, int *cursor, int except) {
    const pv__bitmap *found = NULL;
    while (!found && *cursor >= 0) {
        pv__ground ground = world->bitmaps.grounds[*cursor];
        pv__body *g = &world->bodies.items[ground.body];
        *cursor = ground.next;
        if (ground.body != except && !pv__collide_is_large(g))
            found = pv__bitmap_in(world, g, g->pose, &g->pixel_motion->bitmap_now);
    }
    return found;
}

/// Finds the normal of a body on all immovable bodies around the overlap; shared is in a's pixels.
/// Returns false unless exactly one body of the pair is immovable. Returns false for a wide
/// overlap, and without a slope.
static bool find_ground_normal(pv_world *world, const pv__meeting *m, pv_rect shared,
                               pv_vec2 *normal) {
    bool first = is_ground(&world->bodies.items[m->pair.a]);
    if (first == is_ground(&world->bodies.items[m->pair.b])) return false;
    const pv__bitmap *body = first ? m->b : m->a, *ground = first ? m->a : m->b;
    int own = first ? m->pair.b : m->pair.a, except = first ? m->pair.a : m->pair.b,
        next = world->bodies.items[own].pixel_motion->grounds;
    int64_t x = first ? m->x : -m->x, y = first ? m->y : -m->y; /* offset of the body */
    pv_rect box = {shared.x + m->a->x, shared.y + m->a->y, shared.w, shared.h};
    int64_t slope[2] = {0, 0};
    uint64_t words[GROUND_WIDEST];
    pv__bitmap part;
    if (first) {
        box.x -= (int)x;
        box.y -= (int)y;
    }
    if (!ground_cut(body, box, words, &part)) return false;
    add_slope(ground, &part, x, y, slope);
    for (const pv__bitmap *other; (other = next_ground(world, &next, except));)
        add_slope(other, &part, x, y, slope);
    double length = pv__length(pv__vec((double)slope[0], (double)slope[1])), side = first ? -1 : 1;
    if (length > 0)
        *normal = pv__vec(side * (double)slope[0] / length, side * (double)slope[1] / length);
    return length > 0;
}

bool pv__bitmap_normal_measure(pv_world *world, const pv__meeting *m, pv__contact *c) {
    pv_rect shared;
    if (!pv__touch_measure(m, c, &shared)) return false;
    pv__touch_spread(m, find_ground_normal(world, m, shared, &c->normal), c);
    return true;
}

/* ---- discs ---- */

static pv_vec2 round_center(const pv__body *b, double fraction) {
    pv__pose pose = pv__overlap_pose(b, fraction);
    return pv__add(pose.center, pv__rotate(pose.turn, b->pixels->round_center));
}

/// Disc that is pressed into other bodies
typedef struct pressed_disc {
    const pv__bitmap *bitmap;
    /// Shift of its pixels, and their mean after the shift
    pv_point by;
    pv_vec2 center;
    /// Sum of the arms from the center to the pixels that it shares
    pv_vec2 sum;
} pressed_disc;

/// Presses a disc in a direction. Its center is the mean of its pixels, up to half a pixel off the
/// pose.
static pressed_disc press_disc(const pv__bitmap *bitmap, pv_vec2 way) {
    pressed_disc d = {.bitmap = bitmap,
                      .by = {(int)pv__floor(way.x + 0.5), (int)pv__floor(way.y + 0.5)}};
    pv_overlap self;
    pv__bits_overlap(&bitmap->bits, &bitmap->bits, 0, 0, &self);
    d.center = pv__add(self.point, pv__vec(bitmap->x + d.by.x, bitmap->y + d.by.y));
    return d;
}

static void add_shared(pressed_disc *d, const pv__bitmap *other) {
    pv_overlap o;
    int64_t x = (int64_t)d->bitmap->x + d->by.x - other->x,
            y = (int64_t)d->bitmap->y + d->by.y - other->y;
    if (!pv__bits_overlap(&other->bits, &d->bitmap->bits, x, y, &o)) return;
    pv_vec2 from = pv__sub(pv__add(o.point, pv__vec(other->x, other->y)), d->center);
    d->sum = pv__mad(d->sum, (double)o.area, from);
}

/// Points the normal of a disc from its center to the mean of the pixels that it shares, when
/// pressed, with an immovable body, or with all grounds around it. On the stairs of a drawn slope
/// this is the normal of the slope.
static void find_round_normal(pv_world *world, const pv__meeting *m, bool first, pv__contact *c) {
    int own = first ? m->pair.a : m->pair.b, other = first ? m->pair.b : m->pair.a;
    const pv__body *disc = &world->bodies.items[own];
    double deep = pv__max(PV__PATCH_DEPTH, ROUND_DEPTH * disc->pixels->round_radius),
           side = first ? 1 : -1;
    pressed_disc d = press_disc(first ? m->a : m->b, pv__mul(side * deep, c->normal));
    add_shared(&d, first ? m->b : m->a);
    int next = is_ground(&world->bodies.items[other]) ? disc->pixel_motion->grounds : -1;
    for (const pv__bitmap *ground; (ground = next_ground(world, &next, other));)
        add_shared(&d, ground);
    double length = pv__length(d.sum);
    if (length > 0) c->normal = pv__mul(side / length, d.sum);
}

void pv__bitmap_normal_round_off(pv_world *world, const pv__meeting *m, pv__contact *c,
                                 double fraction) {
    const pv__body *a = &world->bodies.items[m->pair.a], *b = &world->bodies.items[m->pair.b];
    double r = a->pixels->round_radius, q = b->pixels->round_radius;
    if (r == 0 && q == 0) return;
    pv_vec2 from = round_center(a, fraction), to = round_center(b, fraction);
    pv_vec2 apart = pv__sub(to, from);
    double distance = pv__length(apart);
    if (r > 0 && q > 0 && distance > 0)
        c->normal = pv__mul(1 / distance, apart);
    else if ((r > 0 ? b : a)->inverse_mass == 0)
        find_round_normal(world, m, r > 0, c);
    c->points[0].place = r > 0 ? pv__mad(from, r, c->normal) : pv__mad(to, -q, c->normal);
    c->point = c->points[0].place;
    c->count = 1;
}

bool pv__bitmap_normal_now(pv_world *world, pv__pair pair, pv__contact *c) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__meeting now = pv__meeting_at(world, a, b, 1);
    *c = (pv__contact){.a = pair.a, .b = pair.b};
    if (!pv__meeting_is_known(world, now) || !pv__bitmap_normal_measure(world, &now, c))
        return false;
    pv__touch_mend_normal(c, a, b);
    pv__bitmap_normal_round_off(world, &now, c, 1);
    c->fraction = 1;
    c->material = pv__impulse_material_of(world, pair.a, pair.b);
    return true;
}
