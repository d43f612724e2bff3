/* sweep.c - the first contact of two moving sprites.
 *
 * Invariant: a stretch is skipped only if the swept boxes of one sprite, widened for rotation, hold
 * no solid pixel of the other. The rest is tested at every pose that can differ. An exhausted
 * budget or an invalid motion returns a free pose with the rest unknown.
 *
 * Upright sprites are tested between any two changes of their bitmaps, and rotated ones STRIDES
 * times per pixel of motion.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "placed/placed.h"
#include "placed/placed_query.h"

/// Number of poses tested per pixel of a rotated sprite's motion; room for the cuts of such a
/// stretch, which also include the bitmap changes of upright sprites
enum { STRIDES = 16, MAX_CUTS = 2 * STRIDES };
/// Greatest motion of a rim within the final bracket of the contact [px].
static const double SWEEP_TOLERANCE = 0.25 / STRIDES;
/// Side of a part of a picture that is not halved further [px]; a test of a stretch costs hundreds.
enum { SWEEP_PART = 2 };
/// Number of pixels per unit of work of a test, in addition to one unit per test.
#define PIXELS_A_UNIT (INT64_C(1) << 17)

/// Constant data of a sprite's motion.
typedef struct path {
    const pv_swept *moving;
    /// True if the sprite is nowhere 2 px thick, so that its bitmap may have gaps; its pixel
    /// centers are then tracked instead
    bool slight;
    /// Angle from start to end, -pi...pi [rad]
    double turn;
    /// Distance of the pivot to the farthest corner of the picture [px]
    double rim;
    /// Length of the pivot's path [px]
    double length;
    /// True if the motion has neither rotation nor scale
    bool upright;
} path;

typedef struct search_state {
    path a, b;
    /// Sum of the greatest displacements of a pixel of each sprite [px]
    double motion;
    /// Last pose known to be free
    double start;
    /// First pose in contact
    double touch;
    /// Greatest numbers of shared pixels, and of crossed centers, in a free pose
    int64_t most, most_crossed;
    /// Point of the last crossing
    pv_vec2 crossed;
    /// Remaining work budget, or null
    int64_t *work;
} search_state;

static double turn_of(const pv_swept *m) {
    pv_rotation turn = pv__turn_between(m->from.rotation, m->to.rotation);
    return pv__atan2(turn.s, turn.c);
}

static pv_transform pose_at(const pv_swept *m, double turn, double fraction) {
    if (fraction <= 0) return m->from;
    if (fraction >= 1) return m->to;
    pv_transform t = m->from;
    t.position = pv__lerp(m->from.position, m->to.position, fraction);
    if (turn != 0) t.rotation = pv__turned(m->from.rotation, pv__rotation(turn * fraction));
    return t;
}

static bool is_good(const pv_swept *m) {
    if (!m) return false;
    pv_placed from = {m->mask, m->from}, to = {m->mask, m->to};
    return pv__placed_check(&from) == PV_OK && pv__placed_check(&to) == PV_OK &&
           pv__same_place(m->from.pivot, m->to.pivot) && pv__same_place(m->from.scale, m->to.scale);
}

pv_transform pv_swept_get_transform(const pv_swept *moving, double fraction) {
    if (!is_good(moving) || !pv__finite(fraction)) return pv_transform_identity();
    return pose_at(moving, turn_of(moving), fraction);
}

static path path_of(const pv_swept *m) {
    const pv__bits *bits = &m->mask->bits;
    pv_vec2 pivot = m->from.pivot, scale = m->from.scale;
    double x = pv__max(pv__abs(pivot.x), pv__abs(bits->w - pivot.x)) * pv__abs(scale.x);
    double y = pv__max(pv__abs(pivot.y), pv__abs(bits->h - pivot.y)) * pv__abs(scale.y);
    path p = {.moving = m, .turn = turn_of(m), .rim = sqrt(x * x + y * y)};
    p.length = pv__length(pv__sub(m->to.position, m->from.position));
    p.upright = p.turn == 0 && pv__is_plain(&m->from);
    return p;
}

static pv_placed sweep_at(const path *p, double fraction) {
    return (pv_placed){p->moving->mask, pose_at(p->moving, p->turn, fraction)};
}

/// Returns a sprite's share of the cost of a test. The cost of a large sprite grows with its
/// pixels.
static int64_t cost_of(const path *p) {
    const pv__bits *bits = &p->moving->mask->bits;
    return (int64_t)bits->w * bits->h / PIXELS_A_UNIT;
}

/* ---- slight sprites ---- */

/// Returns how many pixels of a scaled picture, at least 2, make the side of a square that holds
/// the center of a world pixel at any angle.
static double pixels_of_side(double scale) {
    return pv__max(2, (double)-pv__floor(-sqrt(2) / pv__abs(scale)));
}

/// Tells whether a picture has a solid rectangle of w x h pixels.
static bool has_rectangle(const pv__bits *bits, int w, int h) {
    for (int y = 0; y + h <= bits->h; y++) {
        uint64_t all = bits->words[y];
        for (int i = 1; i < h; i++) all &= bits->words[y + i];
        for (int i = 1; i < w; i++) all &= all >> 1;
        if (all) return true;
    }
    return false;
}

/// Tells whether no solid square is large enough to hold the center of a world pixel at any angle.
/// A rotated bitmap may then lose any pixel. Gaps in pictures wider than a word do not matter.
static bool is_slight(const pv_swept *m) {
    const pv__bits *bits = &m->mask->bits;
    if (bits->w > 64 || bits->h > 64) return false;
    double w = pixels_of_side(m->from.scale.x), h = pixels_of_side(m->from.scale.y);
    return w > bits->w || h > bits->h || !has_rectangle(bits, (int)w, (int)h);
}

/// Picture in another picture's coordinates: its corner and its axes.
typedef struct view {
    pv_vec2 corner, across, down;
} view;

/// Returns a point of a posed picture in another posed picture's coordinates.
static pv_vec2 seen_from(const pv_transform *of, const pv_transform *by, pv_vec2 place) {
    return pv_transform_to_local(by, pv_transform_to_world(of, place));
}

static view view_of(const path *of, const path *by, double fraction) {
    pv_transform to_world = sweep_at(of, fraction).transform, t = sweep_at(by, fraction).transform;
    pv_vec2 corner = seen_from(&to_world, &t, pv__vec(0, 0));
    return (view){corner, pv__sub(seen_from(&to_world, &t, pv__vec(1, 0)), corner),
                  pv__sub(seen_from(&to_world, &t, pv__vec(0, 1)), corner)};
}

static pv_vec2 seen_in(const view *v, pv_vec2 place) {
    return pv__mad(pv__mad(v->corner, place.x, v->across), place.y, v->down);
}

/// Tells whether a segment passes a picture on one side.
static bool is_beside(pv_vec2 from, pv_vec2 to, const pv__bits *bits) {
    return pv__max(from.x, to.x) < 0 || pv__min(from.x, to.x) > bits->w ||
           pv__max(from.y, to.y) < 0 || pv__min(from.y, to.y) > bits->h;
}

/// Counts the pixel centers of a slight sprite that lie in another's pixels or have crossed them
/// since the last free pose.
static int64_t count_crossed(search_state *s, const path *of, const path *by, double fraction) {
    const pv__bits *bits = &of->moving->mask->bits;
    pv_placed other = {by->moving->mask, pv_transform_identity()};
    view before = view_of(of, by, s->start), now = view_of(of, by, fraction);
    int64_t count = 0;
    for (int y = 0; y < bits->h; y++)
        for (uint64_t row = bits->words[y]; row; row &= row - 1) {
            pv_vec2 center = {__builtin_ctzll(row) + 0.5, y + 0.5};
            pv_vec2 from = seen_in(&before, center), to = seen_in(&now, center);
            if (is_beside(from, to, &other.mask->bits) ||
                !pv_placed_cast_segment(&other, from, to, NULL))
                continue;
            pv_transform t = sweep_at(of, fraction).transform;
            s->crossed = pv_transform_to_world(&t, center);
            count++;
        }
    return count;
}

static int64_t count_all_crossed(search_state *s, double fraction) {
    return (s->a.slight ? count_crossed(s, &s->a, &s->b, fraction) : 0) +
           (s->b.slight ? count_crossed(s, &s->b, &s->a, fraction) : 0);
}

/// Charges the cost of a test. Returns false if the budget is exhausted.
static bool spend(const search_state *s) {
    if (s->work) *s->work -= 1 + cost_of(&s->a) + cost_of(&s->b);
    return !s->work || *s->work >= 0;
}

static bool touches(search_state *s, double fraction) {
    pv_placed a = sweep_at(&s->a, fraction), b = sweep_at(&s->b, fraction);
    bool more = s->most > 0 ? pv_placed_compute_overlap_area(&a, &b) > s->most
                            : pv_placed_test_overlap(&a, &b);
    return more || count_all_crossed(s, fraction) > s->most_crossed;
}

/* ---- skipped stretches ---- */

/// Extends a box by the corners of a part, in the picture of another sprite.
/// @param way from that sprite's position to the part's [px]
static void hold_corners(pv_box *box, const pv_transform *t, pv_rect part, pv_vec2 way,
                         const pv_transform *other) {
    for (int i = 0; i < 4; i++) {
        pv_vec2 corner = {part.x + (i & 1 ? part.w : 0), part.y + (i & 2 ? part.h : 0)};
        pv_vec2 arm = pv__sub(corner, t->pivot);
        pv_vec2 turn = pv__rotate(t->rotation, pv__scale(arm, t->scale));
        pv_vec2 p = pv__unrotate(other->rotation, pv__add(turn, way));
        pv__enclose(box, pv__vec(other->pivot.x + p.x / other->scale.x,
                                 other->pivot.y + p.y / other->scale.y));
    }
}

/// Two sprites on a stretch of their motion.
typedef struct stretch {
    const pv__bits *a, *b;
    /// Transforms halfway through the stretch
    pv_transform ta, tb;
    /// Offsets from a's position to b's at both ends of the stretch [px]
    pv_vec2 from, to;
    /// Margin for rotation away from halfway and for rounding, in a's picture [px]
    pv_vec2 spare;
} stretch;

/// Returns the offset from one sprite's position to another's.
static pv_vec2 way_between(const path *a, const path *b, double fraction) {
    return pv__sub(pose_at(b->moving, 0, fraction).position,
                   pose_at(a->moving, 0, fraction).position);
}

static stretch stretch_of(const path *a, const path *b, double from, double to, double spare) {
    double middle = 0.5 * (from + to);
    pv_transform ta = pose_at(a->moving, a->turn, middle), tb = pose_at(b->moving, b->turn, middle);
    return (stretch){.a = &a->moving->mask->bits,
                     .b = &b->moving->mask->bits,
                     .ta = ta,
                     .tb = tb,
                     .from = way_between(a, b, from),
                     .to = way_between(a, b, to),
                     .spare = {spare / pv__abs(ta.scale.x), spare / pv__abs(ta.scale.y)}};
}

/// Tells whether a part of b may overlap a pixel of a. A large part is halved, as most of it is far
/// from any pixel.
static bool may_meet(const stretch *s, pv_rect part, bool halved) {
    pv_box box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    pv_rect halves[2];
    hold_corners(&box, &s->tb, part, s->from, &s->ta);
    hold_corners(&box, &s->tb, part, s->to, &s->ta);
    box.min = pv__sub(box.min, s->spare);
    box.max = pv__add(box.max, s->spare);
    if (!pv__bits_any_in(s->a, &box)) return false;
    if (halved && !pv__bits_any(s->b, part.x, part.x + part.w - 1, part.y, part.y + part.h - 1))
        return false;
    if (part.w <= SWEEP_PART && part.h <= SWEEP_PART) return true;
    pv__rect_halve(part, halves);
    return may_meet(s, halves[0], true) || may_meet(s, halves[1], true);
}

static double largest_scale(const path *p) {
    pv_vec2 scale = p->moving->from.scale;
    return pv__max(pv__abs(scale.x), pv__abs(scale.y));
}

/// Tells whether the sprites may touch on a stretch. A shared pixel's center lies in a solid pixel
/// of both. The fixed-point map may round it by up to 1/256 px of the picture.
static bool may_touch(const search_state *s, double from, double to) {
    double turn = pv__abs(s->a.turn) * s->a.rim + pv__abs(s->b.turn) * s->b.rim;
    double spare =
        0.5 * (to - from) * turn + 1.0 / 64 + (largest_scale(&s->a) + largest_scale(&s->b)) / 256;
    stretch of_a = stretch_of(&s->a, &s->b, from, to, spare),
            of_b = stretch_of(&s->b, &s->a, from, to, spare);
    return may_meet(&of_a, (pv_rect){0, 0, of_a.b->w, of_a.b->h}, false) &&
           may_meet(&of_b, (pv_rect){0, 0, of_b.b->w, of_b.b->h}, false);
}

/* ---- tests ---- */

typedef struct cuts {
    double at[MAX_CUTS];
    int count;
} cuts;

static void cuts_add(cuts *c, double at, double from, double to) {
    if (!(at > from && at < to) || c->count == MAX_CUTS) return;
    int i = c->count++;
    for (; i > 0 && c->at[i - 1] > at; i--) c->at[i] = c->at[i - 1];
    c->at[i] = at;
}

/// Adds the cuts at which an upright sprite's bitmap moves along an axis. There start + fraction *
/// way - pivot - 1/2 is an integer.
static void cut_axis(cuts *c, double start, double end, double pivot, double from, double to) {
    double way = end - start, base = start - pivot - 0.5;
    if (way == 0) return;
    double low = base + (way > 0 ? from : to) * way, high = base + (way > 0 ? to : from) * way;
    for (double k = (double)pv__floor(low); k <= high + 1; k++)
        cuts_add(c, (k - base) / way, from, to);
}

static void cut_path(cuts *c, const path *p, double from, double to) {
    const pv_transform *s = &p->moving->from, *e = &p->moving->to;
    if (!p->upright) return;
    cut_axis(c, s->position.x, e->position.x, s->pivot.x, from, to);
    cut_axis(c, s->position.y, e->position.y, s->pivot.y, from, to);
}

static bool is_still(const path *p) { return p->length == 0 && p->turn == 0; }

/// Bisects (free, touch] down to the tolerance.
static void bisect(search_state *s, double free, double touch) {
    while ((touch - free) * s->motion > SWEEP_TOLERANCE && spend(s)) {
        double middle = 0.5 * (free + touch);
        if (middle <= free || middle >= touch) break;
        if (touches(s, middle))
            touch = middle;
        else
            s->start = free = middle;
    }
    s->touch = touch;
}

static bool look(search_state *s, double at) {
    if (!spend(s)) return s->touch = s->start, true;
    if (!touches(s, at)) {
        s->start = at;
        return false;
    }
    bisect(s, s->start, at);
    return true;
}

/// Tests a short stretch with a free start between its cuts, and at its end.
static bool look_through(search_state *s, double from, double to) {
    cuts c = {.count = 0};
    bool even = (s->a.upright || is_still(&s->a)) && (s->b.upright || is_still(&s->b));
    int strides = even ? 1 : STRIDES;
    for (int i = 1; i < strides; i++) cuts_add(&c, from + (to - from) * i / strides, from, to);
    cut_path(&c, &s->a, from, to);
    cut_path(&c, &s->b, from, to);
    double before = from;
    for (int i = 0; i < c.count; before = c.at[i++])
        if (look(s, 0.5 * (before + c.at[i]))) return true;
    return look(s, 0.5 * (before + to)) || look(s, to);
}

static bool search(search_state *s, double from, double to) {
    if (!spend(s)) return s->touch = s->start, true;
    if (!may_touch(s, from, to)) {
        s->start = to;
        return false;
    }
    double middle = 0.5 * (from + to);
    if ((to - from) * s->motion <= 1 || middle <= from || middle >= to)
        return look_through(s, from, to);
    return search(s, from, middle) || search(s, middle, to);
}

static search_state sweep_of(const pv_swept *a, const pv_swept *b, int64_t *work) {
    search_state s = {.a = path_of(a), .b = path_of(b), .work = work};
    s.motion = s.a.length + s.b.length + pv__abs(s.a.turn) * s.a.rim + pv__abs(s.b.turn) * s.b.rim;
    return s;
}

static void tell(const search_state *s, pv_swept_hit *hit) {
    pv_placed p = sweep_at(&s->a, s->touch), q = sweep_at(&s->b, s->touch);
    pv_overlap overlap;
    if (!pv_placed_compute_overlap(&p, &q, &overlap)) overlap.point = s->crossed;
    *hit = (pv_swept_hit){s->start, s->touch, overlap.point, overlap.normal};
}

bool pv_swept_cast(const pv_swept *a, const pv_swept *b, pv_swept_hit *hit) {
    if (hit) *hit = (pv_swept_hit){0};
    if (!is_good(a) || !is_good(b)) return false;
    search_state s = sweep_of(a, b, NULL);
    if (!touches(&s, 0) && (s.motion == 0 || !search(&s, 0, 1))) return false;
    if (hit) tell(&s, hit);
    return true;
}

bool pv__sweep_within(const pv_swept *a, const pv_swept *b, pv__way_hit *hit, int64_t *work) {
    *hit = (pv__way_hit){.first.touch_fraction = -1};
    if (!is_good(a) || !is_good(b)) return true;
    search_state s = sweep_of(a, b, work);
    bool has_gaps = !(s.a.upright && s.b.upright);
    s.a.slight = has_gaps && is_slight(a);
    s.b.slight = has_gaps && is_slight(b);
    if (!spend(&s)) return true;
    pv_placed p = sweep_at(&s.a, 0), q = sweep_at(&s.b, 0);
    s.most = pv_placed_compute_overlap_area(&p, &q);
    s.most_crossed = count_all_crossed(&s, 0);
    hit->inside = s.most + s.most_crossed;
    if (s.motion == 0 || !search(&s, 0, 1)) return false;
    hit->first.fraction = s.start;
    if (*work >= 0) tell(&s, &hit->first);
    return true;
}
