/* contact_kernel.h - the operations of contact_batch.h, compiled once for each instruction set.
 *
 * Invariant: vectors use only + - * / sqrt and selections. LANES marks functions for an instruction
 * set, never one that fuses products and sums. simd.h defines the other operations for the
 * instruction set. The arguments points and locked are constants: batches of one point, of two
 * points and with locks have code of their own.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/simd.h"
#include "solver/contact_batch.h"

/// Set of all lanes
#define ALL_LANES ((1 << PV__LANES) - 1)
/// Excess depth up to which nothing is resolved, so that bodies edge to edge stay there [px]. It is
/// smaller for round bodies, which would catch on the edges of flush tiles.
#define PART_SLOP 0.004
#define ROUND_SLOP 0.001
/// Greatest speed of depth resolution in poses [px/s]
#define PART_MOST 200.0
/// Greatest shift of two points, in shifts of one alone; opposite normals would ask for any shift
#define PART_COUPLED 4.0
/// Greatest turn of a pose from depth resolution at once [rad]
#define PART_TURN 0.1
/// Greatest turn of a body in a substep, a little less than a quarter turn [rad]
#define LANE_MOST_TURN 1.57
/// Motion in a substep above which a contact stops a body hard [px]; a contact soft enough to be
/// stable would let it in
#define LANE_FAST 0.25
/// Speed gain in a substep above which a body's pairs must be looked at again [px/s]
#define LANE_JOLT 20
/// Greatest yield of the springs of two points to a load that they share, as a multiple of the
/// yield of the masses. With a smaller one, the loads of a pile wander.
#define SHARED_YIELD 1.5
/// Greatest push of springs if relaxation is soft, as a multiple of what their last load asks for.
/// Such a relaxation yields to the load as well. With a factor of 2, sprites sink under a rain of
/// others; with 16, crowds on a floor burst.
#define LONG_PUSH 6
/// Least cosine between normals of one face
#define SAME_FACE 0.9998
/// Addition to the diagonal of a pair of points, so that two coincident points can be solved
#define PAIR_SLACK 1e-5
/// Share of the yield left free by locks below which a point carries no load
#define LEAST_YIELD 1e-9

/// Vector of truth values for each set of lanes
static const pv__which lane_masks[1 << PV__LANES] = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};

INLINE pv__which lane_which(uint8_t lanes) { return lane_masks[lanes]; }
/// Returns x in the lanes of a set, and 0 in the others.
INLINE pv__four lane_only(uint8_t lanes, pv__four x) {
    return (pv__four)((pv__which)x & lane_masks[lanes]);
}

INLINE pv__four lane_size(pv__four x) { return simd_larger(x, -x); }
INLINE pv__four lane_within(pv__four x, pv__four most) {
    return simd_larger(-most, smaller(x, most));
}

/// Makes the compiler drop memory values that it keeps in registers, and load none ahead of several
/// branches. Registers are few, and operations can read operands from memory as well.
INLINE void let_go(void) { __asm__ volatile("" ::: "memory"); }

INLINE simd_columns load_motion(const pv__solver_body *m, const int *i) {
    return simd_transpose(m[i[0]].motion, m[i[1]].motion, m[i[2]].motion, m[i[3]].motion);
}

INLINE simd_columns load_pose(const pv__solver_body *m, const int *i) {
    return simd_transpose(m[i[0]].pose, m[i[1]].pose, m[i[2]].pose, m[i[3]].pose);
}

INLINE simd_columns load_gain(const pv__solver_state *c, const int *i) {
    return simd_transpose(c[i[0]].gain, c[i[1]].gain, c[i[2]].gain, c[i[3]].gain);
}

/// Stores a row if its lane is in the set. Any other row goes nowhere, because other threads may
/// read its body; a branch would often be mispredicted.
INLINE void store_row(pv__four *to, pv__four row, uint8_t lanes, int l) {
    pv__four nowhere;
    *(lanes & 1u << l ? to : &nowhere) = row;
}

/// Stores the motions of bodies in a set of lanes.
INLINE void store_motion(pv__solver_body *m, const int *i, simd_columns c, uint8_t lanes) {
    simd_columns r = simd_transpose(c.x, c.y, c.z, c.w);
    store_row(&m[i[0]].motion, r.x, lanes, 0);
    store_row(&m[i[1]].motion, r.y, lanes, 1);
    store_row(&m[i[2]].motion, r.z, lanes, 2);
    store_row(&m[i[3]].motion, r.w, lanes, 3);
}

/// Stores the poses of bodies in a set of lanes.
INLINE void store_pose(pv__solver_body *m, const int *i, simd_columns c, uint8_t lanes) {
    simd_columns r = simd_transpose(c.x, c.y, c.z, c.w);
    store_row(&m[i[0]].pose, r.x, lanes, 0);
    store_row(&m[i[1]].pose, r.y, lanes, 1);
    store_row(&m[i[2]].pose, r.z, lanes, 2);
    store_row(&m[i[3]].pose, r.w, lanes, 3);
}

/// Velocities of both bodies of each lane; their inverse masses and inertias, 0 if inactive; and
/// whether there are locks
typedef struct motions {
    simd_columns a, b;
    pv__four mass_a, inertia_a, mass_b, inertia_b;
    bool locked;
} motions;

INLINE motions load_motions(const pv__batch *k, const pv__solver_body *m, bool locked) {
    return (motions){load_motion(m, k->a),
                     load_motion(m, k->b),
                     lane_only(k->moves_a, k->mass_a),
                     lane_only(k->moves_a, k->inertia_a),
                     lane_only(k->moves_b, k->mass_b),
                     lane_only(k->moves_b, k->inertia_b),
                     locked};
}

/// Stores the motions of movable bodies in a set of lanes.
INLINE void store_motions(const pv__batch *k, pv__solver_body *m, const motions *v, uint8_t lanes) {
    store_motion(m, k->a, v->a, k->moves_a & lanes);
    store_motion(m, k->b, v->b, k->moves_b & lanes);
}

/// Returns the speed of b's point relative to a's along the normal.
INLINE pv__four speed_n(const motions *v, const pv__batch_point *p) {
    return (v->b.x - v->a.x) * p->nx + (v->b.y - v->a.y) * p->ny +
           (v->b.z * p->across_b - v->a.z * p->across_a);
}

/// Returns that speed along the tangent (-ny, nx).
INLINE pv__four speed_t(const motions *v, const pv__batch_point *p) {
    return (v->b.y - v->a.y) * p->nx - (v->b.x - v->a.x) * p->ny +
           (v->b.z * p->along_b - v->a.z * p->along_a);
}

/// Takes the parts along locked axes out of changes of both bodies of each lane.
INLINE void keep_locks(const pv__batch *k, pv__four *ax, pv__four *ay, pv__four *bx, pv__four *by) {
    *ax = lane_only((uint8_t)~k->lock_ax & ALL_LANES, *ax);
    *ay = lane_only((uint8_t)~k->lock_ay & ALL_LANES, *ay);
    *bx = lane_only((uint8_t)~k->lock_bx & ALL_LANES, *bx);
    *by = lane_only((uint8_t)~k->lock_by & ALL_LANES, *by);
}

/// Transfers momentum (x, y) from a to b, with its angular momentum about each.
INLINE void lane_push(const pv__batch *k, motions *v, pv__four x, pv__four y, pv__four turn_a,
                      pv__four turn_b) {
    pv__four ax = x * v->mass_a, ay = y * v->mass_a, bx = x * v->mass_b, by = y * v->mass_b;
    if (v->locked) keep_locks(k, &ax, &ay, &bx, &by);
    v->a.x -= ax;
    v->a.y -= ay;
    v->a.z -= turn_a * v->inertia_a;
    v->b.x += bx;
    v->b.y += by;
    v->b.z += turn_b * v->inertia_b;
}

/// Transfers momentum j along the normal from a to b, and along the tangent.
INLINE void exchange_n(const pv__batch *k, motions *v, const pv__batch_point *p, pv__four j) {
    lane_push(k, v, j * p->nx, j * p->ny, j * p->across_a, j * p->across_b);
}
INLINE void exchange_t(const pv__batch *k, motions *v, const pv__batch_point *p, pv__four j) {
    lane_push(k, v, -(j * p->ny), j * p->nx, j * p->along_a, j * p->along_b);
}

/// Returns the locked part of the yield along one direction for an impulse along another one.
INLINE pv__four locked_yield(const pv__batch *k, pv__four x, pv__four y, pv__four other_x,
                             pv__four other_y) {
    pv__four locked_x = lane_only(k->lock_ax, k->mass_a) + lane_only(k->lock_bx, k->mass_b),
             locked_y = lane_only(k->lock_ay, k->mass_a) + lane_only(k->lock_by, k->mass_b);
    return locked_x * x * other_x + locked_y * y * other_y;
}

/// Returns the least yield of both bodies that counts.
INLINE pv__four least_yield(const pv__batch *k) { return LEAST_YIELD * (k->mass_a + k->mass_b); }

/// Returns the gain of speed per unit of impulse along the normal of a point.
INLINE pv__four yield_alone(const pv__batch *k, const pv__batch_point *p, bool locked) {
    pv__four yields = (k->mass_a + k->mass_b) + p->across_a * p->across_a * k->inertia_a +
                      p->across_b * p->across_b * k->inertia_b;
    if (!locked) return yields;
    return simd_larger(least_yield(k), yields - locked_yield(k, p->nx, p->ny, p->nx, p->ny));
}

/// Yield and softness of both points, and speed at the second one per unit of impulse at the
/// first one. The softness counts where springs are soft.
typedef struct weights {
    pv__four yield[2], soft[2], cross;
    bool springs;
} weights;

/// Returns the extra data of a batch.
INLINE pv__batch_extra *extra_of(const pv__batch *k, const pv__sweep *s) {
    return &s->extras[k->extra];
}

/// Returns the spring coefficient of each lane.
INLINE pv__four rate_of(const pv__batch *k, const pv__sweep *s) {
    return simd_pick(lane_which(k->fixed), simd_each(s->fixed_spring.rate),
                     simd_each(s->spring.rate));
}

/// Returns the softness of each lane's spring.
INLINE pv__four softness_of(const pv__batch *k, const pv__sweep *s) {
    return simd_pick(lane_which(k->fixed), simd_each(s->fixed_spring.softness),
                     simd_each(s->spring.softness));
}

/// Computes the weights of a batch from its levers.
INLINE weights weigh(const pv__batch *k, const pv__sweep *s, bool springs, bool locked,
                     int points) {
    const pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four softness = softness_of(k, s);
    weights w;
    w.springs = springs;
    w.yield[0] = yield_alone(k, p, locked);
    w.soft[0] = lane_only(k->sprung[0], softness * w.yield[0]);
    if (points == 1) return w;
    w.yield[1] = yield_alone(k, q, locked);
    w.soft[1] = lane_only(k->sprung[1], softness * w.yield[1]);
    w.cross = (k->mass_a + k->mass_b) * (p->nx * q->nx + p->ny * q->ny) +
              k->inertia_a * p->across_a * q->across_a + k->inertia_b * p->across_b * q->across_b;
    if (locked) w.cross -= locked_yield(k, p->nx, p->ny, q->nx, q->ny);
    return w;
}

/// Returns the yield of a point of a pair to its own impulse.
INLINE pv__four yield_of(const weights *w, int i) {
    pv__four yields = w->yield[i] * (1 + PAIR_SLACK);
    return w->springs ? yields + w->soft[i] : yields;
}

/// Computes the inverse determinant of a pair.
INLINE pv__four inverse_of(const weights *w) {
    return 1.0 / (yield_of(w, 0) * yield_of(w, 1) - w->cross * w->cross);
}

/// Returns the time of touch of two discs at the offset d, as a fraction of the displacement (x,
/// y). It is 0 if they touch already or never will.
INLINE pv__four lane_time_of_touch(pv__four dx, pv__four dy, pv__four x, pv__four y,
                                   pv__four radii) {
    pv__four zero = simd_each(0), a = x * x + y * y, b = dx * x + dy * y,
             c = dx * dx + dy * dy - radii * radii;
    pv__four inside = b * b - a * c;
    pv__which never = simd_ge(zero, c) | simd_ge(b, zero);
    pv__four time =
        simd_pick(simd_ge(inside, zero), c / (simd_root(simd_larger(zero, inside)) - b), -b / a);
    return simd_pick(never, zero, smaller(simd_each(1), time));
}

/// Sets the normals of two discs to their current direction. Before a push, when v has the
/// velocities, fast discs get the direction at their touch.
INLINE void aim_discs(const pv__batch *k, pv__batch_point *p, const simd_columns *a,
                      const simd_columns *b, const motions *v, const pv__sweep *s,
                      const pv__batch_extra *extra) {
    pv__four dx = b->x + (b->z * p->anchor_bx - b->w * p->anchor_by) -
                  (a->x + (a->z * p->anchor_ax - a->w * p->anchor_ay));
    pv__four dy = b->y + (b->w * p->anchor_bx + b->z * p->anchor_by) -
                  (a->y + (a->w * p->anchor_ax + a->z * p->anchor_ay));
    if (v) {
        pv__four x = simd_each(s->h) * (v->b.x - v->a.x), y = simd_each(s->h) * (v->b.y - v->a.y);
        if (simd_any(lane_which(k->discs) &
                     simd_gt(x * x + y * y, simd_each(LANE_FAST * LANE_FAST)))) {
            pv__four time =
                lane_time_of_touch(dx, dy, x, y, extra->radius_a[0] + extra->radius_b[0]);
            dx += time * x;
            dy += time * y;
        }
    }
    pv__four length = simd_root(dx * dx + dy * dy), scale = 1.0 / length;
    pv__which known = lane_which(k->discs) & simd_gt(length, simd_each(0));
    p->nx = simd_pick(known, dx * scale, p->nx);
    p->ny = simd_pick(known, dy * scale, p->ny);
}

/// Place of a's surface from its center, and offsets from a to b of centers and of surfaces [px]
typedef struct surfaces {
    pv__four ax, ay, cx, cy, dx, dy;
} surfaces;

INLINE surfaces surfaces_of(const pv__batch *k, int i, const pv__batch_extra *extra,
                            const simd_columns *a, const simd_columns *b) {
    const pv__batch_point *p = &k->point[i];
    pv__four ax = a->z * p->anchor_ax - a->w * p->anchor_ay;
    pv__four ay = a->w * p->anchor_ax + a->z * p->anchor_ay;
    pv__four bx = b->z * p->anchor_bx - b->w * p->anchor_by;
    pv__four by = b->w * p->anchor_bx + b->z * p->anchor_by;
    if (extra) {
        ax += extra->radius_a[i] * p->nx;
        ay += extra->radius_a[i] * p->ny;
        bx -= extra->radius_b[i] * p->nx;
        by -= extra->radius_b[i] * p->ny;
    }
    pv__four cx = b->x - a->x, cy = b->y - a->y;
    return (surfaces){ax, ay, cx, cy, cx + (bx - ax), cy + (by - ay)};
}

INLINE pv__four gap_of(const pv__batch_point *p, const surfaces *f) {
    return f->dx * p->nx + f->dy * p->ny - PV_REST_GAP;
}

/// Measures levers, and returns the gap. Both levers end in one point, so that angular momentum is
/// kept.
INLINE pv__four measure_point(pv__batch *k, int i, const simd_columns *a, const simd_columns *b,
                              const pv__sweep *s, const pv__batch_extra *extra, bool push,
                              bool locked) {
    pv__batch_point *p = &k->point[i];
    surfaces f = surfaces_of(k, i, extra, a, b);
    pv__four share = extra ? extra->share[i] : simd_each(0.5), lax = f.ax + share * f.dx,
             lay = f.ay + share * f.dy, lbx = lax - f.cx, lby = lay - f.cy;
    pv__four gap = gap_of(p, &f);
    p->across_a = lax * p->ny - lay * p->nx;
    p->across_b = lbx * p->ny - lby * p->nx;
    p->along_a = lax * p->nx + lay * p->ny;
    p->along_b = lbx * p->nx + lby * p->ny;
    pv__which open = simd_gt(gap, simd_each(0));
    pv__four away = gap * simd_each(1.0 / s->h);
    uint8_t on = ALL_LANES;
    if (push) {
        p->speed = simd_pick(open, away, rate_of(k, s) * gap);
        k->sprung[i] = (uint8_t)simd_bits(~open);
    } else {
        p->speed = simd_pick(open, away, simd_each(0));
        k->sprung[i] = s->soft_relax ? (uint8_t)simd_bits(~open) : 0;
        on = (uint8_t)simd_bits(~open | simd_gt(p->impulse_n, simd_each(0)));
    }
    if (locked) on &= (uint8_t)simd_bits(simd_gt(yield_alone(k, p, true), least_yield(k)));
    k->on[i] = on & (uint8_t)~k->idle;
    return gap;
}

/// Turns poses by small angles.
INLINE void lane_twist(simd_columns *c, pv__four angle) {
    pv__four by = lane_within(angle, simd_each(PART_TURN)), k = 1 - 0.5 * by * by;
    pv__four x = k * c->z - by * c->w, y = k * c->w + by * c->z, unit = 1.5 - 0.5 * (x * x + y * y);
    c->z = unit * x;
    c->w = unit * y;
}

/// Corrects the poses of both bodies of each lane along a point's normal, by j times their inverse
/// masses.
INLINE void lane_shift(const pv__batch *k, simd_columns *a, simd_columns *b, const motions *v,
                       const pv__batch_point *p, pv__four j) {
    pv__four ja = j * v->mass_a, jb = j * v->mass_b;
    pv__four ax = ja * p->nx, ay = ja * p->ny, bx = jb * p->nx, by = jb * p->ny;
    if (v->locked) keep_locks(k, &ax, &ay, &bx, &by);
    a->x -= ax;
    a->y -= ay;
    b->x += bx;
    b->y += by;
    lane_twist(a, -j * p->across_a * v->inertia_a);
    lane_twist(b, j * p->across_b * v->inertia_b);
}

/// Restores the angular momentum that a shift of the centers takes from two bodies in relative
/// motion.
INLINE void keep_momentum(motions *v, const pv__batch_point *p, pv__four j) {
    pv__four taken = j * (p->nx * (v->b.y - v->a.y) - p->ny * (v->b.x - v->a.x));
    pv__four both = v->inertia_a + v->inertia_b,
             share = v->inertia_a * v->inertia_b / simd_pick(both > 0, both, simd_each(1));
    v->a.z -= taken * share;
    v->b.z -= taken * share;
}

/// Returns the depth of a point's spring under a load [px].
INLINE pv__four depth_under(const pv__batch *k, pv__four yield, pv__four load, const pv__sweep *s) {
    return softness_of(k, s) * yield * load / rate_of(k, s);
}

/// Returns the depth to resolve at once: a share of the excess that motion alone leaves [px].
INLINE pv__four parted(const pv__batch *k, int i, const motions *v, pv__four excess,
                       const pv__sweep *s, const pv__batch_extra *extra) {
    pv__four zero = simd_each(0);
    excess -= s->h * simd_larger(zero, speed_n(v, &k->point[i]));
    pv__four parting = simd_pick(lane_which(k->fixed), simd_each(s->fixed_spring.parting),
                                 simd_each(s->spring.parting));
    pv__four by = smaller(excess * parting, simd_each(PART_MOST * s->h));
    pv__four slop = simd_each(PART_SLOP);
    if (extra) {
        pv__which round = simd_gt(extra->radius_a[i], zero) | simd_gt(extra->radius_b[i], zero);
        slop = simd_pick(round, simd_each(ROUND_SLOP), slop);
    }
    return (pv__four)((pv__which)by & simd_gt(excess, slop));
}

/// Tells whether a point will touch in this substep, faster than half the bounce speed or the limit
/// of springs.
INLINE pv__which comes_in(pv__four gap, pv__four speed, const pv__sweep *s) {
    double slow = pv__min(0.5 * s->bounce_speed, LANE_FAST / s->h);
    return simd_gt(simd_each(-slow), speed) & simd_gt(simd_each(0), gap + speed * s->h);
}

/// Returns the upper halves of numbers that are not negative, and the numbers with such halves.
INLINE pv__four_halves lane_halve(pv__four x) {
    return __builtin_convertvector((pv__which)x >> 32, pv__four_halves);
}
INLINE pv__four lane_whole(pv__four_halves x) {
    return (pv__four)(__builtin_convertvector(x, pv__which) << 32);
}

/// Stores the approach speeds of a batch's points.
INLINE void note_approach(pv__batch *k, const motions *v) {
    pv__four none = simd_each(0);
    for (int i = 0; i < k->points; i++) {
        pv__four before = k->struck ? lane_whole(k->approach[i]) : none;
        /* 0 - 0 is not -0, so lane_whole() shifts no negative number */
        k->approach[i] = lane_halve(simd_larger(before, none - speed_n(v, &k->point[i])));
    }
    k->struck = true;
}

/// Returns whether a point has an impact in this substep, before its first solve. Stores the
/// approach speeds if one is fast.
INLINE bool note_hits(pv__batch *k, const motions *v, const pv__four *gap, const pv__sweep *s,
                      int points) {
    pv__which fast = {0}, impact = {0};
    for (int i = 0; i < points; i++) {
        pv__four speed = speed_n(v, &k->point[i]);
        fast |= simd_gt(simd_each(-s->hit_speed), speed);
        impact |= comes_in(gap[i], speed, s);
    }
    if (simd_any(fast)) note_approach(k, v);
    return simd_any(impact & ~lane_which(k->idle));
}

/// Adds the push that the depth and the load shared by two points explain. Such a load turns no
/// body, so a wide face would sink farther under it than a narrow one.
INLINE void push_shared(pv__batch *k, const weights *w, pv__four depth, const pv__sweep *s) {
    pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four yields = SHARED_YIELD * (k->mass_a + k->mass_b),
             push = smaller(rate_of(k, s) * depth / yields,
                            softness_of(k, s) * smaller(p->impulse_n, q->impulse_n));
    p->speed -= push * simd_larger(simd_each(0), w->yield[0] - yields);
    q->speed -= push * simd_larger(simd_each(0), w->yield[1] - yields);
}

/// Returns the greatest push of a point's spring alone.
INLINE pv__four most_push(const pv__batch *k, const weights *w, int i, const pv__sweep *s) {
    return (s->soft_relax ? LONG_PUSH : 1) * w->soft[i] * k->point[i].impulse_n +
           simd_each(s->lift);
}

/// Limits the push of springs of a batch in which, in some lanes, two points of one face press
/// together. Such points share the limit.
INLINE void limit_shared(pv__batch *k, const weights *w, const pv__four *gap, const pv__sweep *s,
                         pv__which together) {
    pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four zero = simd_each(0), most_p = most_push(k, w, 0, s), most_q = most_push(k, w, 1, s),
             most = most_p + most_q;
    push_shared(k, w, -simd_pick(together, simd_larger(gap[0], gap[1]), zero), s);
    pv__four over = simd_larger(zero, 0.5 * (-p->speed - q->speed - most));
    pv__four push_p = simd_larger(zero, smaller(-p->speed - over, most));
    pv__which limited = together & simd_gt(over, zero);
    pv__four alone_p = simd_larger(p->speed, -most_p), alone_q = simd_larger(q->speed, -most_q);
    p->speed = simd_pick(limited, -push_p, simd_pick(together, p->speed, alone_p));
    q->speed = simd_pick(limited, push_p - most, simd_pick(together, q->speed, alone_q));
}

/// Returns the lanes whose two points both press.
INLINE pv__which press_together(const pv__four *gap) {
    return simd_ge(simd_each(0), gap[0]) & simd_ge(simd_each(0), gap[1]);
}

/// Limits the push of springs to little more than their last load.
INLINE void limit_push(pv__batch *k, const weights *w, const pv__four *gap, const pv__sweep *s,
                       int points) {
    if (points == 2 && simd_any(press_together(gap))) {
        limit_shared(k, w, gap, s, press_together(gap));
        return;
    }
    for (int i = 0; i < points; i++)
        k->point[i].speed = simd_larger(k->point[i].speed, -most_push(k, w, i, s));
}

/// Resolves the excess depth of a single point; returns the lanes that this moves.
INLINE uint8_t part_one(const pv__batch *k, simd_columns *a, simd_columns *b, motions *v,
                        const weights *w, const pv__four *gap, const pv__sweep *s,
                        const pv__batch_extra *extra) {
    const pv__batch_point *p = &k->point[0];
    pv__four by = parted(k, 0, v, -gap[0] - depth_under(k, w->yield[0], p->impulse_n, s), s, extra);
    uint8_t moved = (uint8_t)simd_bits(simd_gt(by, simd_each(0)));
    if (moved == 0) return 0;
    pv__four j = by / w->yield[0];
    lane_shift(k, a, b, v, p, j);
    keep_momentum(v, p, j);
    return moved;
}

/// Resolves the excess depth of two points of a face. Both resolve their mean excess; a point
/// deeper than the whole load explains resolves more. Returns the lanes that this moves.
INLINE uint8_t part_two(const pv__batch *k, simd_columns *a, simd_columns *b, motions *v,
                        const weights *w, const pv__four *gap, const pv__sweep *s,
                        const pv__batch_extra *extra) {
    const pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four zero = simd_each(0);
    pv__which together = press_together(gap);
    pv__four over_p = -gap[0] - depth_under(k, w->yield[0], p->impulse_n, s),
             over_q = -gap[1] - depth_under(k, w->yield[1], q->impulse_n, s);
    if (simd_any(together)) {
        pv__four load = p->impulse_n + q->impulse_n, mean = 0.5 * (over_p + over_q);
        pv__four all_p = -gap[0] - depth_under(k, w->yield[0], load, s),
                 all_q = -gap[1] - depth_under(k, w->yield[1], load, s);
        over_p = simd_pick(together, simd_larger(mean, all_p), over_p);
        over_q = simd_pick(together, simd_larger(mean, all_q), over_q);
    }
    pv__four by_p = parted(k, 0, v, over_p, s, extra), by_q = parted(k, 1, v, over_q, s, extra);
    uint8_t moved = (uint8_t)simd_bits(simd_gt(by_p, zero) | simd_gt(by_q, zero));
    if (moved == 0) return 0;
    pv__four alone_p = 1.0 / yield_of(w, 0), alone_q = 1.0 / yield_of(w, 1);
    pv__four inverse = inverse_of(w);
    pv__four x = (w->yield[1] * (1 + PAIR_SLACK) * by_p - w->cross * by_q) * inverse;
    pv__four y = (w->yield[0] * (1 + PAIR_SLACK) * by_q - w->cross * by_p) * inverse;
    x = simd_pick(y < 0, by_p * alone_p, simd_larger(zero, x));
    y = simd_pick(simd_ge(zero, x) & simd_gt(by_q, zero), by_q * alone_q, simd_larger(zero, y));
    pv__four most = PART_COUPLED * simd_larger(by_p * alone_p, by_q * alone_q);
    x = smaller(x, most);
    y = smaller(y, most);
    lane_shift(k, a, b, v, p, x);
    lane_shift(k, a, b, v, q, y);
    keep_momentum(v, p, x);
    keep_momentum(v, q, y);
    return moved;
}

LANES static void lane_load(pv__batch *k, const pv__sweep *s, pv__load *load) {
    weights w = weigh(k, s, false, k->locked, k->points);
    for (int i = 0; i < k->points; i++) {
        load->yield[i] = w.yield[i];
        k->given[i] -= k->point[i].impulse_n;
    }
}

/// Poses of both bodies of each lane, and the gaps of the points in them
typedef struct poses {
    simd_columns a, b;
    pv__four gap[2];
} poses;

/// Measures a batch in the current poses, for a push if there are velocities v.
INLINE void measure(pv__batch *k, const pv__solver_body *m, const motions *v, const pv__sweep *s,
                    const pv__batch_extra *extra, poses *x, int points, bool locked) {
    x->a = load_pose(m, k->a);
    x->b = load_pose(m, k->b);
    if (extra && k->discs) aim_discs(k, &k->point[0], &x->a, &x->b, v, s, extra);
    x->gap[0] = measure_point(k, 0, &x->a, &x->b, s, extra, v, locked);
    x->gap[1] = points == 1 ? x->gap[0] : measure_point(k, 1, &x->a, &x->b, s, extra, v, locked);
}

/// Runs an operation on a batch, with code of its own for each kind. Plain batches of two points
/// have no extra data. On the web, there is one code for all, because size counts.
#ifdef __wasm__
#define OF_KIND(run, k, m, s) run(k, m, s, extra_of(k, s), (k)->points, (k)->locked)
#else
#define OF_KIND(run, k, m, s)                                                                      \
    ((k)->locked        ? (let_go(), run(k, m, s, extra_of(k, s), (k)->points, true))              \
     : (k)->points == 1 ? (let_go(), run(k, m, s, extra_of(k, s), 1, false))                       \
     : (k)->extra > 0   ? (let_go(), run(k, m, s, extra_of(k, s), 2, false))                       \
                        : (let_go(), run(k, m, s, NULL, 2, false)))
#endif

/// Measures a batch before a push; returns whether there is an impact.
INLINE bool measure_batch(pv__batch *k, const pv__solver_body *m, const pv__sweep *s,
                          const pv__batch_extra *extra, int points, bool locked) {
    poses x;
    motions v = load_motions(k, m, locked);
    measure(k, m, &v, s, extra, &x, points, locked);
    if (points == 2) let_go();
    weights w = weigh(k, s, true, locked, points);
    limit_push(k, &w, x.gap, s, points);
    return note_hits(k, &v, x.gap, s, points);
}

LANES static bool lane_measure(const int *batches, int count, const pv__solver_body *m,
                               const pv__sweep *sweep) {
    const pv__sweep s = *sweep;
    bool any = false;
    for (int i = 0; i < count; i++) {
        pv__batch *k = &s.batches[batches[i]];
        bool impact = OF_KIND(measure_batch, k, m, &s);
        s.marks[batches[i]].impact = impact;
        any |= impact;
    }
    return any;
}

LANES static void lane_gaps(const pv__batch *k, const pv__solver_body *m,
                            const pv__batch_extra *extra, pv__four *gap) {
    simd_columns a = load_pose(m, k->a), b = load_pose(m, k->b);
    for (int i = 0; i < k->points; i++) {
        surfaces f = surfaces_of(k, i, extra, &a, &b);
        gap[i] = gap_of(&k->point[i], &f);
    }
}

/// Returns the gain of speed per unit of impulse along the tangent of a point.
INLINE pv__four yield_t_of(const pv__batch *k, const pv__batch_point *p, bool locked) {
    pv__four yields = (k->mass_a + k->mass_b) + p->along_a * p->along_a * k->inertia_a +
                      p->along_b * p->along_b * k->inertia_b;
    if (!locked) return yields;
    return simd_larger(least_yield(k), yields - locked_yield(k, p->ny, p->nx, p->ny, p->nx));
}

/// Returns the gain of speed per unit of impulse along the tangent of two points of one face whose
/// loads keep the face flat. The bodies turn as one about their common center then.
INLINE pv__four yield_flat_of(const pv__batch *k, const pv__batch_point *p) {
    pv__four mass = k->mass_a + k->mass_b, inertia = k->inertia_a + k->inertia_b,
             both = k->inertia_a * k->inertia_b / simd_pick(inertia > 0, inertia, simd_each(1)),
             along = p->along_b - p->along_a, across = p->across_b - p->across_a;
    return mass + along * along * both * mass / (mass + across * across * both);
}

/// Returns the impulse that stops the sliding of a point with a yield.
INLINE pv__four lane_grip(const pv__batch_point *p, const motions *v, pv__four yields,
                          pv__four belt) {
    return p->impulse_t - (speed_t(v, p) - belt) / yields;
}

/// Sets the friction impulse of a point, where the velocities already contain a part of it. Without
/// load there is no friction.
INLINE void lane_rub(pv__batch *k, int i, motions *v, pv__four part, pv__four after,
                     pv__which slides) {
    pv__batch_point *p = &k->point[i];
    pv__which presses = simd_gt(p->impulse_n, simd_each(0));
    after = (pv__four)((pv__which)after & presses);
    if (k->idle) {
        presses &= ~lane_which(k->idle);
        after = simd_pick(lane_which(k->idle), p->impulse_t, after);
    }
    k->slides[i] = (uint8_t)simd_bits((slides & presses) | (lane_which(k->slides[i]) & ~presses));
    exchange_t(k, v, p, after - part);
    p->impulse_t = after;
}

/// Tells whether an impulse exceeds friction under a load: the static limit, or the kinetic one
/// while it slides.
INLINE pv__which lane_exceeds(const pv__batch *k, pv__four held, pv__four load, pv__which slides) {
    return lane_size(held) > simd_pick(slides, k->kinetic_friction, k->static_friction) * load;
}

/// Returns the speed of the surfaces relative to each other.
INLINE pv__four belt_of(const pv__batch_extra *extra) { return extra ? extra->belt : simd_each(0); }

/// Impulse of friction of a face whose loads keep it flat
typedef struct flat_grip {
    pv__four both;
    /// Lanes that have such a face, and those in which it slides
    pv__which flat, over;
} flat_grip;

/// Returns the lanes whose face may stay flat: both points press, or one alone and no body turns.
INLINE pv__which may_be_flat(const pv__batch *k, const motions *v) {
    const pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four zero = simd_each(0);
    return simd_gt(p->nx * q->nx + p->ny * q->ny, simd_each(SAME_FACE)) &
           simd_gt(p->impulse_n + q->impulse_n, zero) &
           (simd_gt(smaller(p->impulse_n, q->impulse_n), zero) | simd_eq(v->a.z, v->b.z));
}

/// Returns the friction that two points of one face share. Their loads also stop the relative turn,
/// so it leaves no sliding. Loads that cannot bear both torques let the face tip.
INLINE flat_grip grip_flat(const pv__batch *k, const motions *v, pv__four belt, pv__which slides,
                           pv__which may) {
    const pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four inertia = k->inertia_a + k->inertia_b, load = p->impulse_n + q->impulse_n,
             before = p->impulse_t + q->impulse_t, turn = v->b.z - v->a.z,
             lever = (p->along_a * k->inertia_a + p->along_b * k->inertia_b) /
                     simd_pick(inertia > 0, inertia, simd_each(1));
    pv__four held = lane_grip(p, v, yield_flat_of(k, p), belt + turn * lever) + q->impulse_t;
    pv__which over = lane_exceeds(k, held, load, slides);
    pv__four both = simd_pick(over, lane_within(held, k->kinetic_friction * load), held);
    pv__four most = (p->across_a - q->across_a) * inertia * smaller(p->impulse_n, q->impulse_n);
    pv__which flat =
        may & simd_ge(lane_size(most), lane_size((both - before) * lever * inertia + turn));
    return (flat_grip){both, flat, over};
}

/// Applies friction to a point alone, or to its part in the lanes of a flat face.
INLINE void rub_point(pv__batch *k, int i, motions *v, pv__four belt, const flat_grip *face,
                      pv__four part) {
    const pv__batch_point *p = &k->point[i];
    pv__four held = lane_grip(p, v, yield_t_of(k, p, v->locked), belt),
             most = k->kinetic_friction * p->impulse_n;
    pv__which slides = lane_exceeds(k, held, p->impulse_n, lane_which(k->slides[i]));
    pv__four after = simd_pick(slides, lane_within(held, most), held);
    if (face) {
        after = simd_pick(face->flat, part, after);
        slides = (face->flat & face->over) | (~face->flat & slides);
    }
    lane_rub(k, i, v, p->impulse_t, after, slides);
}

/// Applies friction to two points. Points of a face that stays flat hold or slide together and
/// share friction as they share the load. Others do so one by one.
INLINE void rub_two(pv__batch *k, motions *v, const pv__batch_extra *extra) {
    const pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four belt = belt_of(extra), none = simd_each(0);
    pv__which may = may_be_flat(k, v);
    if (v->locked || !simd_any(may)) {
        rub_point(k, 0, v, belt, NULL, none);
        rub_point(k, 1, v, belt, NULL, none);
        return;
    }
    pv__four load = p->impulse_n + q->impulse_n;
    flat_grip g = grip_flat(k, v, belt, lane_which(k->slides[0]) & lane_which(k->slides[1]), may);
    pv__four part = g.both * p->impulse_n / simd_pick(load > 0, load, simd_each(1));
    rub_point(k, 0, v, belt, &g, part);
    rub_point(k, 1, v, belt, &g, g.both - part);
}

/// Applies rolling resistance: a torque up to its lever times the load of all points. The first
/// point stores it.
INLINE void lane_roll(const pv__batch *k, pv__batch_extra *extra, motions *v, pv__which busy,
                      int points) {
    const pv__batch_point *p = &k->point[0];
    pv__four load = points == 2 ? p->impulse_n + k->point[1].impulse_n : p->impulse_n;
    pv__four before = extra->roll,
             sum = before - (v->b.z - v->a.z) / (k->inertia_a + k->inertia_b + 1e-300);
    pv__four most = extra->rolling * load;
    extra->roll = simd_pick(busy & ~lane_which(k->idle), lane_within(sum, most), before);
    v->a.z -= (extra->roll - before) * v->inertia_a;
    v->b.z += (extra->roll - before) * v->inertia_b;
}

INLINE void solve_one(pv__batch *k, motions *v, const weights *w) {
    pv__batch_point *p = &k->point[0];
    pv__four before = p->impulse_n, wanted = -(speed_n(v, p) + p->speed), yields = w->yield[0];
    if (w->springs) {
        wanted -= w->soft[0] * before;
        yields += w->soft[0];
    }
    pv__four inverse = 1.0 / yields;
    pv__four after = simd_pick(lane_which(k->on[0]),
                               simd_larger(simd_each(0), before + wanted * inverse), before);
    p->impulse_n = after;
    exchange_n(k, v, p, after - before);
}

/// Solves both points of a pair at once, as a linear complementarity problem with all cases tried.
INLINE void solve_two(pv__batch *k, motions *v, const weights *w) {
    pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four zero = simd_each(0), jp = p->impulse_n, jq = q->impulse_n;
    pv__four rp = -(speed_n(v, p) + p->speed) + w->yield[0] * jp + w->cross * jq;
    pv__four rq = -(speed_n(v, q) + q->speed) + w->cross * jp + w->yield[1] * jq;
    pv__four yields_p = yield_of(w, 0), yields_q = yield_of(w, 1), inverse = inverse_of(w);
    pv__four x = (yields_q * rp - w->cross * rq) * inverse,
             y = (yields_p * rq - w->cross * rp) * inverse;
    pv__four only_p = rp * (1.0 / yields_p), only_q = rq * (1.0 / yields_q);
    pv__which on_p = lane_which(k->on[0]), on_q = lane_which(k->on[1]), two = on_p & on_q,
              both = two & simd_ge(x, zero) & simd_ge(y, zero);
    pv__which first = (two & simd_gt(rp, zero) & simd_gt(zero, y)) | (on_p & ~on_q);
    pv__which second = (two & simd_gt(rq, zero) & simd_gt(zero, x)) | (on_q & ~on_p);
    x = simd_pick(both, x, simd_pick(first, simd_larger(zero, only_p), zero));
    y = simd_pick(both, y, simd_pick(second & ~first, simd_larger(zero, only_q), zero));
    if (k->idle) {
        x = simd_pick(lane_which(k->idle), jp, x);
        y = simd_pick(lane_which(k->idle), jq, y);
    }
    p->impulse_n = x;
    q->impulse_n = y;
    exchange_n(k, v, p, x - jp);
    exchange_n(k, v, q, y - jq);
}

/// Returns the lanes whose points bear an impulse.
INLINE pv__which bears_any(const pv__batch *k, const pv__batch_extra *extra, int points) {
    pv__four zero = simd_each(0);
    pv__which bears = simd_ne(k->point[0].impulse_n, zero) | simd_ne(k->point[0].impulse_t, zero);
    if (points == 2)
        bears |= simd_ne(k->point[1].impulse_n, zero) | simd_ne(k->point[1].impulse_t, zero);
    return extra && k->rolls ? bears | simd_ne(extra->roll, zero) : bears;
}

/// Returns the lanes with a point that comes in too fast.
INLINE pv__which comes_any(const pv__batch *k, const motions *v, int points) {
    pv__four zero = simd_each(0);
    pv__which comes = simd_gt(zero, speed_n(v, &k->point[0]) + k->point[0].speed);
    if (points == 1) return comes;
    return comes | simd_gt(zero, speed_n(v, &k->point[1]) + k->point[1].speed);
}

/// Leaves impacts that no push foresaw to the next substep; relaxation would take their bounce.
INLINE void leave_impacts(pv__batch *k, const motions *v, const pv__sweep *s, int points) {
    pv__which bounces = simd_gt(k->restitution, simd_each(0));
    if (!simd_any(bounces)) return;
    for (int i = 0; i < points; i++) {
        pv__batch_point *p = &k->point[i];
        pv__which fast = simd_gt(simd_each(-s->bounce_speed), speed_n(v, p));
        k->on[i] &= (uint8_t)~simd_bits(bounces & fast & simd_ge(simd_each(0), p->impulse_n));
    }
}

/// Solves a batch in velocities that have been loaded. The caller stores only the busy lanes, which
/// bear or need an impulse. So the others stay the same bit for bit, whichever lanes share their
/// batch.
INLINE void solve_loaded(pv__batch *k, motions *v, const weights *w, pv__batch_extra *extra,
                         pv__which busy, int points) {
    if (extra && k->rolls) lane_roll(k, extra, v, busy, points);
    if (points == 2) {
        rub_two(k, v, extra);
        solve_two(k, v, w);
    } else {
        rub_point(k, 0, v, belt_of(extra), NULL, simd_each(0));
        solve_one(k, v, w);
    }
}

/// Relaxes a batch in velocities that have been loaded. Friction comes after the loads, because
/// those of the push are too great. Then the loads of two points balance its torque.
INLINE void relax_loaded(pv__batch *k, motions *v, const weights *w, pv__batch_extra *extra,
                         pv__which busy, int points) {
    if (points == 2) {
        solve_two(k, v, w);
        solve_loaded(k, v, w, extra, busy, points);
        return;
    }
    solve_one(k, v, w);
    if (extra && k->rolls) lane_roll(k, extra, v, busy, points);
    rub_point(k, 0, v, belt_of(extra), NULL, simd_each(0));
}

INLINE void solve_batch(pv__batch *k, pv__solver_body *m, const pv__sweep *s,
                        pv__batch_extra *extra, int points, bool locked) {
    motions v = load_motions(k, m, locked);
    pv__which busy = bears_any(k, extra, points) | comes_any(k, &v, points);
    if (!simd_any(busy)) return;
    let_go();
    weights w = weigh(k, s, true, locked, points);
    solve_loaded(k, &v, &w, extra, busy, points);
    store_motions(k, m, &v, (uint8_t)simd_bits(busy));
}

LANES static void lane_solve(const int *batches, int count, bool back, pv__solver_body *m,
                             const pv__sweep *sweep) {
    const pv__sweep s = *sweep;
    for (int i = 0; i < count; i++) {
        pv__batch *k = &s.batches[batches[back ? count - 1 - i : i]];
        OF_KIND(solve_batch, k, m, &s);
    }
}

/// Adds gains, one after the other, to the motions of bodies in a set of lanes.
INLINE void add_motion(pv__solver_body *m, const int *i, const simd_columns *gains, int count,
                       uint8_t lanes) {
    pv__four p = m[i[0]].motion, q = m[i[1]].motion, r = m[i[2]].motion, s = m[i[3]].motion;
    for (int n = 0; n < count; n++) {
        simd_columns c = simd_transpose(gains[n].x, gains[n].y, gains[n].z, gains[n].w);
        p += c.x;
        q += c.y;
        r += c.z;
        s += c.w;
    }
    store_row(&m[i[0]].motion, p, lanes, 0);
    store_row(&m[i[1]].motion, q, lanes, 1);
    store_row(&m[i[2]].motion, r, lanes, 2);
    store_row(&m[i[3]].motion, s, lanes, 3);
}

INLINE void warm_batch(const pv__batch *k, pv__solver_body *m, const pv__sweep *s,
                       const pv__batch_extra *extra, int points, bool locked) {
    (void)s;
    uint8_t bears = (uint8_t)simd_bits(bears_any(k, extra, points));
    if (bears == 0) return;
    const pv__four none = simd_each(-0.0); /* adding it changes no bit */
    const motions still = {.a = {none, none, none, none},
                           .b = {none, none, none, none},
                           .mass_a = k->mass_a,
                           .inertia_a = k->inertia_a,
                           .mass_b = k->mass_b,
                           .inertia_b = k->inertia_b,
                           .locked = locked};
    simd_columns a[2], b[2];
    for (int i = 0; i < points; i++) {
        const pv__batch_point *p = &k->point[i];
        motions v = still;
        lane_push(k, &v, p->impulse_n * p->nx - p->impulse_t * p->ny,
                  p->impulse_n * p->ny + p->impulse_t * p->nx,
                  p->impulse_n * p->across_a + p->impulse_t * p->along_a,
                  p->impulse_n * p->across_b + p->impulse_t * p->along_b);
        a[i] = v.a;
        b[i] = v.b;
    }
    add_motion(m, k->a, a, points, k->moves_a & bears);
    add_motion(m, k->b, b, points, k->moves_b & bears);
    if (extra && k->rolls) {
        motions v = still;
        v.a.z -= extra->roll * v.inertia_a;
        v.b.z += extra->roll * v.inertia_b;
        add_motion(m, k->a, &v.a, 1, k->moves_a & bears);
        add_motion(m, k->b, &v.b, 1, k->moves_b & bears);
    }
}

LANES static void lane_warm(const int *batches, int count, pv__solver_body *m,
                            const pv__sweep *sweep) {
    const pv__sweep s = *sweep;
    for (int i = 0; i < count; i++) {
        const pv__batch *k = &s.batches[batches[i]];
        OF_KIND(warm_batch, k, m, &s);
    }
}

/// Returns the sum of lanes, in their order.
INLINE double lane_sum_of(pv__four x) { return ((x[0] + x[1]) + x[2]) + x[3]; }
/// Returns the greatest of all lanes.
INLINE double most_of(pv__four x) { return pv__max(pv__max(x[0], x[1]), pv__max(x[2], x[3])); }

/// Computes the residuals of a batch's speeds.
INLINE void residual_of(const pv__batch *k, const pv__solver_body *m, const pv__batch_extra *extra,
                        pv__parts *off) {
    motions v = load_motions(k, m, k->locked);
    for (int i = 0; i < k->points; i++) {
        const pv__batch_point *p = &k->point[i];
        off->n[i] = speed_n(&v, p) + p->speed;
        off->t[i] = speed_t(&v, p) - extra->belt;
    }
}

LANES static void begin_sweep(const pv__batch *k, const pv__solver_body *m,
                              const pv__batch_extra *extra, pv__load *load) {
    residual_of(k, m, extra, &load->residual);
    for (int i = 0; i < k->points; i++) {
        load->from.n[i] = k->point[i].impulse_n;
        load->from.t[i] = k->point[i].impulse_t;
    }
}

LANES static void end_sweep(const pv__batch *k, const pv__solver_body *m,
                            const pv__batch_extra *extra, pv__load *load, pv__swept *swept) {
    pv__four sum = simd_each(0), up = simd_each(0), off = simd_each(0);
    residual_of(k, m, extra, &load->changed);
    for (int i = 0; i < k->points; i++) {
        load->gave.n[i] = k->point[i].impulse_n - load->from.n[i];
        load->gave.t[i] = k->point[i].impulse_t - load->from.t[i];
        off = simd_larger(off, lane_size(load->gave.n[i] * load->yield[i]));
        up += load->gave.n[i] * (load->changed.n[i] + load->residual.n[i]) +
              load->gave.t[i] * (load->changed.t[i] + load->residual.t[i]);
        load->changed.n[i] -= load->residual.n[i];
        load->changed.t[i] -= load->residual.t[i];
        sum += load->gave.n[i] * load->change.n[i] + load->gave.t[i] * load->change.t[i];
    }
    swept->along += lane_sum_of(sum);
    swept->rise += lane_sum_of(up);
    swept->speed = pv__max(swept->speed, most_of(off));
}

LANES static double lane_rise(const pv__batch *k, const pv__solver_body *m,
                              const pv__batch_extra *extra, const pv__load *load) {
    pv__four up = simd_each(0);
    pv__parts now;
    residual_of(k, m, extra, &now);
    for (int i = 0; i < k->points; i++)
        up += (k->point[i].impulse_n - load->from.n[i]) * (now.n[i] + load->residual.n[i]) +
              (k->point[i].impulse_t - load->from.t[i]) * (now.t[i] + load->residual.t[i]);
    return lane_sum_of(up);
}

LANES static void lane_aim(const pv__batch *k, pv__load *load, double share, pv__aim *sum) {
    pv__four down = simd_each(0), bend = simd_each(0), wide = simd_each(0);
    for (int i = 0; i < k->points; i++) {
        load->way.n[i] = load->gave.n[i] + share * load->way.n[i];
        load->way.t[i] = load->gave.t[i] + share * load->way.t[i];
        load->change.n[i] = load->changed.n[i] + share * load->change.n[i];
        load->change.t[i] = load->changed.t[i] + share * load->change.t[i];
        down -= load->residual.n[i] * load->way.n[i] + load->residual.t[i] * load->way.t[i];
        bend += load->change.n[i] * load->way.n[i] + load->change.t[i] * load->way.t[i];
        wide += load->yield[i] * load->way.n[i] * load->way.n[i];
    }
    sum->slope += lane_sum_of(down);
    sum->curve += lane_sum_of(bend);
    sum->size += lane_sum_of(wide);
}

/// Sets the impulses of a point.
INLINE void set_impulses(const pv__batch *k, motions *v, pv__batch_point *p, pv__four n,
                         pv__four t) {
    n = simd_pick(lane_which(k->idle), p->impulse_n, n);
    t = simd_pick(lane_which(k->idle), p->impulse_t, t);
    exchange_n(k, v, p, n - p->impulse_n);
    exchange_t(k, v, p, t - p->impulse_t);
    p->impulse_n = n;
    p->impulse_t = t;
}

LANES static bool lane_advance(pv__batch *k, pv__solver_body *m, const pv__load *load,
                               double part) {
    motions v = load_motions(k, m, k->locked);
    pv__which cut = {0};
    for (int i = 0; i < k->points; i++) {
        pv__four n = load->from.n[i] + part * load->way.n[i],
                 t = load->from.t[i] + part * load->way.t[i];
        pv__four after_n = simd_larger(simd_each(0), n),
                 after_t = lane_within(t, k->static_friction * after_n);
        cut |= simd_ne(after_n, n) | simd_ne(after_t, t);
        set_impulses(k, &v, &k->point[i], after_n, after_t);
    }
    store_motions(k, m, &v, ALL_LANES);
    return !simd_any(cut & ~lane_which(k->idle));
}

LANES static void withdraw(pv__batch *k, pv__solver_body *m, const pv__load *load) {
    motions v = load_motions(k, m, k->locked);
    for (int i = 0; i < k->points; i++)
        set_impulses(k, &v, &k->point[i], load->from.n[i] + load->gave.n[i],
                     load->from.t[i] + load->gave.t[i]);
    store_motions(k, m, &v, ALL_LANES);
}

LANES static void lane_forget(pv__batch *k, const pv__load *load) {
    for (int i = 0; i < k->points; i++) {
        pv__batch_point *p = &k->point[i];
        k->given[i] += p->impulse_n;
        p->impulse_n = smaller(p->impulse_n, load->before[i]);
        p->impulse_t = lane_within(p->impulse_t, k->static_friction * p->impulse_n);
    }
}

/// Tells whether a point has a hard impact in this substep.
INLINE pv__which has_impact(const pv__batch *k, const pv__batch_point *p, pv__four gap,
                            const motions *v, const pv__sweep *s) {
    pv__four speed = speed_n(v, p);
    pv__which bounces = simd_gt(simd_each(-s->bounce_speed), speed) &
                        simd_gt(simd_each(0), gap + speed * s->h) &
                        simd_gt(k->restitution, simd_each(0));
    pv__which sinks = simd_gt(simd_each(-LANE_FAST / s->h), speed) & simd_ge(simd_each(0), gap);
    return bounces | sinks;
}

/// Returns the exit speed of a point with an impact. A chord's velocity is the one at its middle.
/// So gravity's work before and after the touch counts, and no energy is made or lost.
INLINE pv__four exit_of(const pv__batch *k, const pv__batch_point *p, pv__four gap,
                        const motions *v, const motions *gain, const pv__sweep *s) {
    pv__four gained = (gain->b.x - gain->a.x) * p->nx + (gain->b.y - gain->a.y) * p->ny,
             now = speed_n(v, p) - 0.5 * gained;
    pv__four way = 2 * gained / s->h * simd_larger(simd_each(0), gap), touch = now * now - way;
    pv__four left = k->restitution * k->restitution * simd_larger(simd_each(0), touch) + way;
    return simd_root(simd_larger(simd_each(0), left)) + 0.5 * gained;
}

/// Tells whether a point is fast enough for a hard impact.
INLINE bool may_hit(const pv__batch *k, const motions *v, const pv__sweep *s) {
    pv__four slow = simd_each(-pv__min(s->bounce_speed, LANE_FAST / s->h));
    return simd_any(simd_gt(slow, speed_n(v, &k->point[0]))) ||
           (k->points == 2 && simd_any(simd_gt(slow, speed_n(v, &k->point[1]))));
}

/// Applies impulses that reverse impacts at once, both points of a pair together; returns whether
/// there was one.
LANES static bool lane_hit(pv__batch *k, pv__solver_body *m, const pv__sweep *s) {
    motions v = load_motions(k, m, k->locked);
    if (!may_hit(k, &v, s)) return false;
    pv__batch_point *p = &k->point[0], *q = &k->point[1];
    pv__four gap[2], zero = simd_each(0), x, y = zero;
    lane_gaps(k, m, extra_of(k, s), gap);
    pv__which hit_p = has_impact(k, p, gap[0], &v, s), hit_q = {0};
    if (k->points == 2) hit_q = has_impact(k, q, gap[1], &v, s);
    if (k->locked) {
        hit_p &= lane_which(k->on[0]);
        hit_q &= lane_which(k->on[1]);
    }
    if (!simd_any(hit_p | hit_q)) return false;
    motions gain = {.a = load_gain(s->states, k->a), .b = load_gain(s->states, k->b)};
    weights w = weigh(k, s, false, k->locked, k->points);
    motions before = v;
    pv__four wanted_p = exit_of(k, p, gap[0], &v, &gain, s) - speed_n(&v, p),
             only_p = wanted_p / w.yield[0];
    x = simd_pick(hit_p, simd_larger(zero, only_p), zero);
    if (k->points == 2) {
        pv__four wanted_q = exit_of(k, q, gap[1], &v, &gain, s) - speed_n(&v, q),
                 only_q = wanted_q / w.yield[1], scale = inverse_of(&w);
        pv__four both_x = (yield_of(&w, 1) * wanted_p - w.cross * wanted_q) * scale,
                 both_y = (yield_of(&w, 0) * wanted_q - w.cross * wanted_p) * scale;
        pv__which both = hit_p & hit_q & simd_ge(both_x, zero) & simd_ge(both_y, zero);
        pv__which first = hit_p & (~hit_q | simd_gt(zero, both_y));
        x = simd_pick(both, both_x, simd_pick(first, simd_larger(zero, only_p), zero));
        y = simd_pick(both, both_y, simd_pick(hit_q & ~first, simd_larger(zero, only_q), zero));
        exchange_n(k, &v, q, y);
    }
    exchange_n(k, &v, p, x);
    note_approach(k, &before);
    k->given[0] += x;
    if (k->points == 2) k->given[1] += y;
    store_motions(k, m, &v, ALL_LANES);
    return true;
}

/// Resolves excess depth of a batch in its poses. Velocities change only to keep angular momentum.
INLINE void part_batch(const pv__batch *k, pv__solver_body *m, const pv__sweep *s,
                       const pv__batch_extra *extra, poses *x, motions *v, const weights *w,
                       int points) {
    uint8_t moved = points == 2 ? part_two(k, &x->a, &x->b, v, w, x->gap, s, extra)
                                : part_one(k, &x->a, &x->b, v, w, x->gap, s, extra);
    if (moved == 0) return;
    store_pose(m, k->a, x->a, k->moves_a & moved);
    store_pose(m, k->b, x->b, k->moves_b & moved);
}

/// Returns the lanes with a point that may be too deep.
INLINE pv__which lies_deep(const pv__batch *k, const pv__four *gap, int points) {
    pv__which deep = gap[0] < -simd_each(ROUND_SLOP);
    if (points == 2) deep |= gap[1] < -simd_each(ROUND_SLOP);
    return deep & ~lane_which(k->idle);
}

INLINE void relax_batch(pv__batch *k, pv__solver_body *m, const pv__sweep *s,
                        pv__batch_extra *extra, int points, bool locked) {
    poses x;
    measure(k, m, NULL, s, extra, &x, points, locked);
    motions v = load_motions(k, m, locked);
    leave_impacts(k, &v, s, points);
    pv__which deep = lies_deep(k, x.gap, points),
              comes = comes_any(k, &v, points) & lane_which(k->on[0] | k->on[points - 1]),
              busy = deep | bears_any(k, extra, points) | comes;
    if (!simd_any(busy)) return;
    weights w = weigh(k, s, s->soft_relax, locked, points);
    relax_loaded(k, &v, &w, extra, busy, points);
    for (int i = 0; i < points; i++) k->given[i] += k->point[i].impulse_n;
    if (simd_any(deep)) part_batch(k, m, s, extra, &x, &v, &w, points);
    store_motions(k, m, &v, (uint8_t)simd_bits(busy));
}

LANES static void lane_relax(const int *batches, int count, pv__solver_body *m,
                             const pv__sweep *sweep) {
    const pv__sweep s = *sweep;
    for (int i = 0; i < count; i++) {
        pv__batch *k = &s.batches[batches[i]];
        OF_KIND(relax_batch, k, m, &s);
    }
}

INLINE pv_rotation turn_in(double h, double spin) {
    double angle = pv__clamp(h * spin, -LANE_MOST_TURN, LANE_MOST_TURN);
    return pv__abs(angle) < PV__PI / 4 ? pv__sincos_octant(angle) : pv__rotation(angle);
}

/// Returns the pose x moved with the velocity v for a time, in which it turns by r.
INLINE pv__four lane_moved(pv__four x, pv__four v, pv_rotation r, double h) {
    double c = r.c * x[2] - r.s * x[3], s = r.c * x[3] + r.s * x[2],
           k = 1.5 - 0.5 * (c * c + s * s);
    return (pv__four){x[0] + h * v[0], x[1] + h * v[1], k * c, k * s};
}

LANES static void lane_move(pv__solver_body *m, double h) {
    m->pose = lane_moved(m->pose, m->motion, turn_in(h, m->motion[2]), h);
}

/// Turns of four solver bodies in a substep
typedef struct turns {
    pv__four c, s;
} turns;

/// Computes cosines and sines as pv__sincos_octant() does.
INLINE void turn_octants(turns *t, pv__four x) {
    pv__four z = x * x, s;
    PV__SERIES_OCTANT(z, t->c, s);
    t->s = s * x + x;
}

INLINE void turn_all(turns *t, pv__four spin, double h) {
    pv__four angle = lane_within(h * spin, simd_each(LANE_MOST_TURN));
    if (!simd_any(simd_ge(lane_size(angle), simd_each(PV__PI / 4)))) {
        turn_octants(t, angle);
        return;
    }
    for (int i = 0; i < PV__LANES; i++) {
        pv_rotation r = turn_in(h, spin[i]);
        t->c[i] = r.c;
        t->s[i] = r.s;
    }
}

/// Moves four poses as lane_moved() moves one.
INLINE void move_all(simd_columns *x, const simd_columns *v, const turns *t, double h) {
    pv__four c = t->c * x->z - t->s * x->w, s = t->c * x->w + t->s * x->z,
             k = 1.5 - 0.5 * (c * c + s * s);
    x->x += h * v->x;
    x->y += h * v->y;
    x->z = k * c;
    x->w = k * s;
}

LANES static void accelerate(const int *listed, int count, pv__solver_body *m,
                             pv__solver_state *c) {
    for (int i = 0; i < count; i++) {
        int k = listed[i] + 1;
        m[k].motion = c[k].unsolved = m[k].motion + c[k].gain;
    }
}

/// Returns the bodies that contacts sped up so much that their pairs may move farther than
/// foreseen.
INLINE pv__which lane_jolts(const simd_columns *v, const simd_columns *unsolved, pv__four reach) {
    pv__four x = lane_size(v->x - unsolved->x), y = lane_size(v->y - unsolved->y),
             z = lane_size(v->z - unsolved->z);
    return simd_gt(x + y + z * reach, simd_each(LANE_JOLT));
}

/// Moves four listed bodies; returns which are disturbed.
INLINE unsigned move_four(const int *k, pv__solver_body *m, pv__solver_state *c, double h) {
    m++;
    c++;
    pv__solver_body *p = &m[k[0]], *q = &m[k[1]], *r = &m[k[2]], *s = &m[k[3]];
    pv__solver_state *cp = &c[k[0]], *cq = &c[k[1]], *cr = &c[k[2]], *cs = &c[k[3]];
    simd_columns x = simd_transpose(p->pose, q->pose, r->pose, s->pose),
                 v = simd_transpose(p->motion, q->motion, r->motion, s->motion),
                 u = simd_transpose(cp->unsolved, cq->unsolved, cr->unsolved, cs->unsolved);
    pv__four reach = {cp->reach, cq->reach, cr->reach, cs->reach};
    turns t;
    cp->from = p->pose;
    cq->from = q->pose;
    cr->from = r->pose;
    cs->from = s->pose;
    turn_all(&t, v.z, h);
    move_all(&x, &v, &t, h);
    x = simd_transpose(x.x, x.y, x.z, x.w);
    p->pose = x.x;
    q->pose = x.y;
    r->pose = x.z;
    s->pose = x.w;
    return simd_bits(lane_jolts(&v, &u, reach));
}

LANES static bool move_listed(const int *listed, int count, pv__solver_body *m, pv__solver_state *c,
                              bool *disturbed, double h) {
    unsigned any = 0;
    for (int i = 0; i < count; i += PV__LANES) {
        int last[PV__LANES];
        const int *k = listed + i;
        if (i + PV__LANES > count) {
            /* the last body several times */
            for (int l = 0; l < PV__LANES; l++) last[l] = listed[pv__sooner(i + l, count - 1)];
            k = last;
        }
        unsigned jolted = move_four(k, m, c, h);
        for (int l = 0; jolted >> l; l++) disturbed[k[l] + 1] |= jolted >> l & 1;
        any |= jolted;
    }
    return any != 0;
}

LANES static void lane_fly(const pv__squad *f, double h, int substeps) {
    pv__solver_body *const *m = f->bodies;
    pv__four const *const *g = f->gains;
    simd_columns x = simd_transpose(m[0]->pose, m[1]->pose, m[2]->pose, m[3]->pose),
                 v = simd_transpose(m[0]->motion, m[1]->motion, m[2]->motion, m[3]->motion),
                 gain = simd_transpose(*g[0], *g[1], *g[2], *g[3]);
    const bool twists = simd_any(gain.z != simd_each(0));
    turns t;
    turn_all(&t, v.z, h);
    for (int i = 0; i < substeps; i++) {
        v.x += gain.x;
        v.y += gain.y;
        v.z += gain.z;
        if (twists) turn_all(&t, v.z, h);
        move_all(&x, &v, &t, h);
    }
    x = simd_transpose(x.x, x.y, x.z, x.w);
    v = simd_transpose(v.x, v.y, v.z, v.w);
    m[0]->pose = x.x;
    m[1]->pose = x.y;
    m[2]->pose = x.z;
    m[3]->pose = x.w;
    m[0]->motion = v.x;
    m[1]->motion = v.y;
    m[2]->motion = v.z;
    m[3]->motion = v.w;
}
