/* collide_bitmap.c - contacts from collision bitmaps (Cheng 2003, sections 3 and 4.1).
 *
 * Invariant: a pair is in contact if the bitmaps of its poses share a pixel along the substep's
 * motion. A pair that shared one lately stays in contact while it is near. Its distance is measured
 * once and holds while the bodies hardly move. Contacts that overlapped before the substep carry a
 * push, others the fraction of motion up to the last free pose.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/collide_bitmap.h"
#include "collide/body_overlap.h"
#include "collide/collide.h"
#include "collide/presolve.h"
#include "core/body_bitmap.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "pixel/overlap.h"
#include "pixel/raster.h"
#include "placed/placed.h"
#include "shape/shape.h"

/// Greatest motion of either body's rim within the bracket of a touch [px]
static const double TOUCH_TOLERANCE = 1.0 / 16;
/// Greatest number of tested poses along one substep, which bounds the time of a step
static const int COLLIDE_BITMAP_MOST_STRIDES = 256;
/// Reach of the gradient's stencil [px]; the paper's 1 is up to 46 degrees off at small touches
static const int GRADIENT_RADIUS = 3;
/// Greatest distance of a contact [px], and accuracy of distances [px]. Bitmaps either share a pixel
/// or not. A contact that ended at once would let resting bodies fall and hit in turn.
static const double COLLIDE_BITMAP_NEAR = 1, GAP_TOLERANCE = 1.0 / 32;
/// Greatest motion in a substep of a pair at rest [px]
static const double SLOW_MOTION = 0.5;
/// Least relative motion in a substep that is tested in advance [px]
static const double QUIET_MOTION = 1.0 / 64;
/// Share of the depth that an overlapping pair is pushed apart per substep, and its greatest value
/// [px]
static const double PUSH_SHARE = 0.2, COLLIDE_BITMAP_PUSH_MOST = 0.5;
/// Depth of contact patches [px]
static const int PATCH_DEPTH = 3;
/// Least depth of a disc's patch, in radii. A deep patch averages many stairs of a drawn slope.
static const double ROUND_DEPTH = 0.5;
/// Shape of contact patches. PATCH_SLIMNESS: least ratio of length to width of a strip. PATCH_LEAN:
/// least offset of the mean of a leaning strip from its middle, in half lengths. PATCH_EVEN: least
/// variance of an even strip, in half lengths squared: between 1/3 and 1/5. PATCH_DOUBT:
/// uncertainty of the offset from the size of pixels [px]. PATCH_SHORT: least half length of a
/// strip [px].
static const double PATCH_SLIMNESS = 2, PATCH_LEAN = 0.1, PATCH_EVEN = 0.27, PATCH_DOUBT = 1,
                    PATCH_SHORT = 2;

/// Ratio of sizes from which the direction of the centers does not tell the way out
static const double MUCH_LARGER = 3;

/* ---- the normal on immovable bodies: together they are one surface ----
 *
 * Invariant: the edge between two static bodies side by side is no edge. Only the part of the body
 * near the overlap is compared with all of them. So neither the ends of a tile nor the ends of the
 * body distort the normal.
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

/// Lists for each body the immovable bodies in world->pairs that may touch it.
static void find_grounds(pv_world *world) {
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

/// Returns the bitmap of the next one of a body's grounds, without one of them and without large
/// ones; null behind the last. The cursor begins at the body's first ground.
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

/* ---- contacts ---- */

static pv_vec2 way_of(const pv__body *b) {
    return b->moved ? pv__sub(b->pose.center, pv__pose_before(b).center) : pv__vec(0, 0);
}

/// Returns the greatest displacement of any pixel of a body from its turn in the substep [px].
static double rim_motion(const pv__body *b) {
    if (!b->moved) return 0;
    pv_rotation before = pv__pose_before(b).turn;
    const pv__bits *bits = &(b->pixels->stand_in ? b->pixels->hull : b->pixels->form)->bits;
    double reach = pv__length(pv__vec(bits->w, bits->h));
    return reach * pv__length(pv__vec(b->pose.turn.c - before.c, b->pose.turn.s - before.s));
}

double pv__collide_motion(const pv__body *a, const pv__body *b) {
    return pv__length(pv__sub(way_of(b), way_of(a))) + rim_motion(a) + rim_motion(b);
}

/// Bisects (free, touching] to the tolerance; the states at both ends are known (section 4.1).
static double bisect(pv_world *world, pv__body *a, pv__body *b, double motion, double free,
                     double touching) {
    while ((touching - free) * motion > TOUCH_TOLERANCE) {
        double middle = 0.5 * (free + touching);
        bool known, hit = pv__overlap_at(world, a, b, middle, &known);
        if (!known) break;
        if (hit)
            touching = middle;
        else
            free = middle;
    }
    return free;
}

/// Returns the offset of one bitmap from the other, with both pressed together along the normal.
static pv_point pressed(const pv__meeting *p, pv_vec2 normal, double by) {
    return (pv_point){p->b->x - p->a->x - (int)pv__floor(by * normal.x + 0.5),
                      p->b->y - p->a->y - (int)pv__floor(by * normal.y + 0.5)};
}

/// Finds the span of the pixels that touch, along an axis through a point: of those that a pair
/// shares one pixel deeper.
static void find_span(const pv__meeting *p, pv_vec2 normal, pv_vec2 from, pv_vec2 axis,
                      double span[2]) {
    pv_point at = pressed(p, normal, 1);
    pv_overlap o;
    if (!pv__bits_overlap(&p->a->bits, &p->b->bits, at.x, at.y, &o)) return;
    double w = o.bounds.w, h = o.bounds.h;
    pv_vec2 middle = {p->a->x + o.bounds.x + 0.5 * w, p->a->y + o.bounds.y + 0.5 * h};
    double to = pv__dot(pv__sub(middle, from), axis),
           half = 0.5 * (pv__abs(axis.x) * (w - 1) + pv__abs(axis.y) * (h - 1));
    span[0] = to - half;
    span[1] = to + half;
}

static void press_at(pv__contact *c, pv_vec2 middle, pv_vec2 axis, double at,
                     const double span[2]) {
    c->points[c->count++].place = pv__mad(middle, pv__clamp(at, span[0], span[1]), axis);
}

/// Finds the contact points of a touch from the overlap that the pair would have a little deeper. A
/// strip of even thickness belongs to two faces, with contact points at its ends. A strip that is
/// thicker to one side belongs to a tilted face, with a contact point at that end. A strip that is
/// thicker in the middle is round, with a contact point there. The moments over the length 2 l tell
/// the thickness. The mean is off the middle by l/3 at most; the variance is l^2/3 if even, l^2/5
/// if round. The normal of a strip is better than the gradient, which the strip's ends distort. The
/// normal of a ground is free of these ends.
static void spread(const pv__meeting *p, bool grounded, pv__contact *c) {
    pv_point at = pressed(p, c->normal, PATCH_DEPTH);
    pv__patch q;
    c->count = 0;
    if (!pv__bits_patch(&p->a->bits, &p->b->bits, at.x, at.y, &q)) {
        c->points[c->count++].place = c->point;
        return;
    }
    double half = 0.5 * (q.high - q.low), lean = 0.5 * (q.high + q.low), span[2] = {0, 0};
    pv_vec2 middle =
        pv__mad(pv__add(q.mean, pv__vec(p->a->x, p->a->y)), 0.5 * PATCH_DEPTH, c->normal);
    bool slim = half > PATCH_SHORT && q.along > PATCH_SLIMNESS * PATCH_SLIMNESS * (q.across + 0.25);
    bool even = slim && q.along >= PATCH_EVEN * half * half;
    bool leans =
        slim && pv__abs(lean) > pv__max(PATCH_DOUBT, (even ? PATCH_LEAN : 2 * PATCH_LEAN) * half);
    find_span(p, c->normal, middle, q.axis, span);
    if (!even && !leans) {
        press_at(c, middle, q.axis, 0, span);
        return;
    }
    pv_vec2 across = pv__perp(q.axis);
    if (!grounded) c->normal = pv__dot(across, c->normal) < 0 ? pv__mul(-1, across) : across;
    if (!leans || lean > 0) press_at(c, middle, q.axis, q.low, span);
    if (!leans || lean < 0) press_at(c, middle, q.axis, q.high, span);
}

/// Measures the overlap of a pair; returns false if there is none.
static bool collide_bitmap_measure(pv_world *world, const pv__meeting *m, pv__contact *c) {
    int64_t dx = (int64_t)m->b->x - m->a->x + m->x, dy = (int64_t)m->b->y - m->a->y + m->y;
    pv_overlap o;
    if (!pv__bits_overlap(&m->a->bits, &m->b->bits, dx, dy, &o)) return false;
    c->normal = o.normal;
    pv__bits_gradient(&m->a->bits, &m->b->bits, dx, dy, GRADIENT_RADIUS, &c->normal);
    bool grounded = world->def.contact_mode == PV_CONTACT_MODE_PIXELS &&
                    find_ground_normal(world, m, o.bounds, &c->normal);
    c->point = pv__add(o.point, pv__vec(m->a->x, m->a->y));
    c->overlap = o.area;
    c->depth = o.depth > 0 ? o.depth : pv__min(o.bounds.w, o.bounds.h);
    spread(m, grounded, c);
    return true;
}

static double push_of(pv__meeting p) {
    pv_overlap o;
    pv__bits_overlap(&p.a->bits, &p.b->bits, (int64_t)p.b->x - p.a->x, (int64_t)p.b->y - p.a->y,
                     &o);
    return pv__min(PUSH_SHARE * pv__max(o.depth, 1), COLLIDE_BITMAP_PUSH_MOST);
}

bool pv__collide_is_much_larger(const pv__body *a, const pv__body *b) {
    return a->pixels->reach >= MUCH_LARGER * b->pixels->reach;
}

/// Finds the direction in which a body inside a much larger one is soonest out of it.
static bool find_exit(const pv__body *inner, const pv__body *outer, pv_vec2 *exit) {
    const pv__shape *shape = outer->pixels->shape;
    pv_vec2 nearest, from = pv__add(outer->pixels->pivot,
                                    pv__unrotate(outer->pose.turn,
                                                 pv__sub(inner->pose.center, outer->pose.center)));
    if (!shape || !pv__shape_find_nearest(shape, from, &nearest)) return false;
    pv_vec2 way = pv__rotate(outer->pose.turn, pv__sub(nearest, from));
    double length = pv__length(way);
    if (length > 1e-9) *exit = pv__mul(1.0 / length, way);
    return length > 1e-9;
}

/// Replaces a normal of length 0. All gradients vanish if one body is inside the other, or if both
/// are alike. A much larger body is left by its nearest side, others in the direction of the
/// centers.
static void mend_normal(pv__contact *c, const pv__body *a, const pv__body *b) {
    if (pv__dot(c->normal, c->normal) > 0) return;
    if (pv__collide_is_much_larger(a, b) && find_exit(b, a, &c->normal)) return;
    if (pv__collide_is_much_larger(b, a) && find_exit(a, b, &c->normal)) {
        c->normal = pv__mul(-1, c->normal);
        return;
    }
    pv_vec2 apart = pv__sub(b->pose.center, a->pose.center);
    double length = pv__length(apart);
    c->normal = length > 1e-9 ? pv__mul(1.0 / length, apart) : pv__vec(0, -1);
}

static pv_vec2 round_center(const pv__body *b, double fraction) {
    pv__pose pose = pv__overlap_pose(b, fraction);
    return pv__add(pose.center, pv__rotate(pose.turn, b->pixels->round_center));
}

/// Disc that is pressed into other bodies
typedef struct pressed_disc {
    const pv__bitmap *bitmap;
    /// Shift of its pixels, and their mean after it
    pv_point by;
    pv_vec2 center;
    /// Sum of the arms from the center to the pixels that it shares
    pv_vec2 sum;
} pressed_disc;

/// Presses a disc in a direction. Its center is the mean of its pixels, which may be half a pixel off
/// the pose.
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

/// Points the normal of a disc from its center to the mean of the pixels that it shares with an
/// immovable body, or with all that are still, when pressed into them. On the stairs of a drawn
/// slope this is the normal of the slope.
static void find_round_normal(pv_world *world, const pv__meeting *m, bool first, pv__contact *c) {
    int own = first ? m->pair.a : m->pair.b, other = first ? m->pair.b : m->pair.a;
    const pv__body *disc = &world->bodies.items[own];
    double deep = pv__max(PATCH_DEPTH, ROUND_DEPTH * disc->pixels->round_radius),
           side = first ? 1 : -1;
    pressed_disc d = press_disc(first ? m->a : m->b, pv__mul(side * deep, c->normal));
    add_shared(&d, first ? m->b : m->a);
    int next = is_ground(&world->bodies.items[other]) ? disc->pixel_motion->grounds : -1;
    for (const pv__bitmap *ground; (ground = next_ground(world, &next, other));)
        add_shared(&d, ground);
    double length = pv__length(d.sum);
    if (length > 0) c->normal = pv__mul(side / length, d.sum);
}

/// Moves the contact of discs to their rims. Their normals go through the centers, which gradients
/// miss by a few degrees. The bodies are at a fraction of the substep's motion.
static void round_off(pv_world *world, const pv__meeting *m, pv__contact *c, double fraction) {
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

/// Finds the poses between which a pair's pixels first overlap, as fractions of the substep.
/// Returns false if they never do. The pair must not overlap before the substep.
static bool first_meeting(pv_world *world, pv__body *a, pv__body *b, double motion, double *free,
                          double *touching) {
    int strides = (int)pv__min(motion / PV__UNSEEN, COLLIDE_BITMAP_MOST_STRIDES) +
                  1; /* the greatest count for NaN */
    for (int i = 1; i <= strides; i++) {
        bool known, hit = pv__overlap_at(world, a, b, (double)i / strides, &known);
        if (!known) return false;
        if (!hit) continue;
        *free = (i - 1.0) / strides;
        *touching = (double)i / strides;
        return true;
    }
    return false;
}

/// Finds the first touch of a pair in the substep; returns false without one.
static bool collide_bitmap_touch(pv_world *world, pv__body *a, pv__body *b, pv__contact *c) {
    double motion = pv__collide_motion(a, b), free, touching;
    bool known, hit = pv__overlap_at(world, a, b, 1, &known);
    if (!known || (!hit && motion <= PV__UNSEEN)) return false;
    bool hit_before = pv__overlap_at(world, a, b, 0, &known);
    if (!known) return false;
    if (hit_before) {
        pv__meeting before = pv__meeting_at(world, a, b, 0),
                    now = hit ? pv__meeting_at(world, a, b, 1) : before;
        if (!pv__meeting_is_known(world, before) || !pv__meeting_is_known(world, now)) return false;
        c->fraction = 0;
        c->push = push_of(before);
        c->overlapped = true;
        return collide_bitmap_measure(world, hit ? &now : &before, c);
    }
    if (!first_meeting(world, a, b, motion, &free, &touching)) return false;
    pv__meeting there = pv__meeting_at(world, a, b, touching);
    if (!pv__meeting_is_known(world, there)) return false;
    collide_bitmap_measure(world, &there, c);
    c->fraction = bisect(world, a, b, motion, free, touching);
    round_off(world, &there, c, c->fraction);
    return true;
}

pv__contact *pv__collide_contact_of(pv__contact *sorted, int count, pv__pair pair, int *cursor) {
    int i = *cursor;
    while (i < count && (sorted[i].a < pair.a || (sorted[i].a == pair.a && sorted[i].b < pair.b)))
        i++;
    *cursor = i;
    return i < count && sorted[i].a == pair.a && sorted[i].b == pair.b ? &sorted[i] : NULL;
}

/// Measures the distance between two bodies along the normal at the start of the substep. It is
/// infinite beyond COLLIDE_BITMAP_NEAR.
static double gap_of(pv_world *world, pv__body *a, pv__body *b, pv_vec2 normal) {
    pv__meeting p = pv__meeting_at(world, a, b, 0);
    bool first = b->inverse_mass == 0;
    const pv__body *nearer = first ? a : b;
    pv__pose pose = pv__overlap_pose(nearer, 0);
    pv__bitmap *scratch = &pv__tasks_worker(world)->bitmaps[first ? 0 : 1];
    double free = 0, touching = INFINITY;
    for (double by = COLLIDE_BITMAP_NEAR; touching - free > GAP_TOLERANCE;
         by = 0.5 * (free + touching)) {
        if (!pv__meeting_is_known(world, p)) return INFINITY;
        pv_vec2 way = pv__mul(first ? by : -by, normal);
        *(first ? &p.a : &p.b) = pv__bitmap_part(world, nearer, pv__pose_moved(pose, way, 0),
                                                 pv__bitmap_rect(first ? p.b : p.a), scratch);
        bool hit = pv__meeting_is_known(world, p) && pv__meeting_shares(p);
        if (!hit && by == COLLIDE_BITMAP_NEAR) return INFINITY;
        *(hit ? &touching : &free) = by;
    }
    return free;
}

/// Keeps the contact of a pair that is still within reach. Its pixels would overlap one pixel
/// farther.
static bool hold(pv_world *world, pv__body *a, pv__body *b, const pv__contact *old, double reach,
                 pv__contact *c) {
    double gap = old ? gap_of(world, a, b, old->normal) : INFINITY;
    if (gap > reach) return false;
    pv__meeting before = pv__meeting_at(world, a, b, 0);
    if (!pv__meeting_is_known(world, before)) return false;
    before.x = -pv__floor(old->normal.x + 0.5);
    before.y = -pv__floor(old->normal.y + 0.5);
    if (!collide_bitmap_measure(world, &before, c)) return false;
    round_off(world, &before, c, 0);
    c->gap = gap;
    c->drift = 0;
    c->overlap = 0;
    return true;
}

/// Keeps the contact of a pair as it was measured if the bodies have hardly moved since.
static bool keep(const pv__contact *old, pv__contact *c) {
    if (old->drift > GAP_TOLERANCE) return false;
    *c = *old;
    c->fraction = c->approach = 0;
    c->stopped = c->bounces = false;
    return true;
}

/// Passes the impulses of the last substep on, each to the nearest point.
static void warm_start(pv__contact *c, const pv__contact *old) {
    for (int i = 0; i < c->count; i++) c->points[i].impulse_n = c->points[i].impulse_t = 0;
    c->roll_impulse = 0;
    if (!old) return;
    c->roll_impulse = old->roll_impulse;
    for (int i = 0; i < old->count; i++) {
        pv__point *to = &c->points[0];
        for (int k = 1; k < c->count; k++) {
            double here = pv__length(pv__sub(c->points[k].place, old->points[i].place));
            if (here < pv__length(pv__sub(to->place, old->points[i].place))) to = &c->points[k];
        }
        to->impulse_n += old->points[i].impulse_n;
        to->impulse_t += old->points[i].impulse_t;
    }
}

void pv__collide_add_contact(pv_world *world, const pv__contact *c) {
    if (!PV__APPEND(&world->def.allocator, world->bitmaps.contacts, world->bitmaps.contact_capacity,
                    world->bitmaps.contact_count, *c))
        world->out_of_memory = true;
}

/// Moves the contacts of the last substep aside.
static void swap_contacts(pv_world *world) {
    pv__swap(&world->bitmaps.contacts, &world->bitmaps.contact_capacity,
             &world->bitmaps.old_contacts, &world->bitmaps.old_contact_capacity);
    world->bitmaps.old_contact_count = world->bitmaps.contact_count;
    world->bitmaps.contact_count = 0;
}

bool pv__collide_touch_now(pv_world *world, pv__pair pair, pv__contact *c) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__meeting now = pv__meeting_at(world, a, b, 1);
    *c = (pv__contact){.a = pair.a, .b = pair.b};
    if (!pv__meeting_is_known(world, now) || !collide_bitmap_measure(world, &now, c)) return false;
    mend_normal(c, a, b);
    round_off(world, &now, c, 1);
    c->fraction = 1;
    c->material = pv__impulse_material_of(world, pair.a, pair.b);
    return true;
}

/// Tells whether both bodies of a contact sleep. Their contact stays unchanged, so that they wake
/// in the same state.
static bool collide_bitmap_sleeps(const pv_world *world, const pv__contact *c) {
    return !world->bodies.items[c->a].moved && !world->bodies.items[c->b].moved;
}

static void keep_sleeping_before(pv_world *world, int *cursor, int a, int b) {
    for (; *cursor < world->bitmaps.old_contact_count; ++*cursor) {
        const pv__contact *old = &world->bitmaps.old_contacts[*cursor];
        if (old->a > a || (old->a == a && old->b >= b)) return;
        if (collide_bitmap_sleeps(world, old)) pv__collide_add_contact(world, old);
    }
}

static bool was_crowded(const pv_world *world, const pv__body *b) {
    return b->crowded > 0 && world->steps <= b->crowded;
}

/// Tells whether a pair was free, and steps alone have moved it since. Bodies over the pair limit may
/// have overlapped unseen.
static bool collide_bitmap_steady(const pv_world *world, const pv__body *a, const pv__body *b,
                                  const pv__contact *old) {
    return a->settled && b->settled && !(old && old->overlapped) && !was_crowded(world, a) &&
           !was_crowded(world, b);
}

/// Finds the contact of a pair from its bitmaps, or keeps the one that it has. Returns false without
/// one. A contact that is too slow to bounce is kept or held. A pair that hardly moves needs no new
/// bitmaps, as a later overlap will be found later.
static bool collide_bitmap_meet(pv_world *world, pv__body *a, pv__body *b, const pv__contact *old,
                                pv__contact *c) {
    double slow = pv__min(SLOW_MOTION, world->def.restitution_threshold * world->dt),
           motion = collide_bitmap_steady(world, a, b, old) ? pv__collide_motion(a, b) : INFINITY;
    if (old && motion <= slow && (keep(old, c) || hold(world, a, b, old, COLLIDE_BITMAP_NEAR, c)))
        return true;
    if (!(motion <= QUIET_MOTION) && collide_bitmap_touch(world, a, b, c)) return true;
    return hold(world, a, b, old, PV__BITMAP_MARGIN, c);
}

/// Finds the contact of a pair; returns false if presolve lets the pair pass through.
static bool find_contact(pv_world *world, pv__pair pair, int *cursor) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__contact c = {.a = pair.a, .b = pair.b, .drift = COLLIDE_BITMAP_NEAR};
    const pv__contact *old = pv__collide_contact_of(world->bitmaps.old_contacts,
                                                    world->bitmaps.old_contact_count, pair, cursor);
    if (!collide_bitmap_meet(world, a, b, old, &c)) return true;
    mend_normal(&c, a, b);
    c.material = pv__impulse_material_of(world, c.a, c.b);
    if (world->manifolds.presolved && !pv__presolve_contact(world, &c, old != NULL)) return false;
    warm_start(&c, old);
    c.fresh = !old;
    c.hit = old ? old->hit : 0;
    c.given = old ? old->given : 0;
    pv__collide_add_contact(world, &c);
    if (!a->awake && a->type == PV_BODY_DYNAMIC) pv__wake_body(world, a);
    if (!b->awake && b->type == PV_BODY_DYNAMIC) pv__wake_body(world, b);
    return true;
}

void pv__collide_find_contacts(pv_world *world) {
    find_grounds(world);
    int sleeping = 0, warm = 0, kept = 0;
    swap_contacts(world);
    for (int i = 0; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        keep_sleeping_before(world, &sleeping, pair.a, pair.b);
        if (find_contact(world, pair, &warm)) world->broad_phase.pairs[kept++] = pair;
    }
    world->broad_phase.pair_count = kept;
    keep_sleeping_before(world, &sleeping, world->bodies.count, 0);
    pv__timer_lap(world, &world->profile.collide);
}
