/* stick_kernel.h - the operations of stick.h, once for every instruction set that includes it.
 *
 * Invariant: the operations are + - * / sqrt and selections on vectors. LANES marks functions of an
 * instruction set without fused products and sums. simd.h defines the other macros of the
 * instruction set.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/simd.h"
#include "joint/stick.h"

/// Least cosine between a constraint's current direction and the one at the substep's start. Below
/// it, the push follows the current direction, at the cost of angular momentum. The old direction
/// would kick the ends sideways.
#define STICK_ASTRAY 0.8

/// Four points, as columns.
typedef struct stick_places {
    pv__four x, y;
} stick_places;

INLINE stick_places stick_gather(const pv_vec2 *at, const int *i) {
    pv_vec2 p = at[i[0]], q = at[i[1]], r = at[i[2]], s = at[i[3]];
    return (stick_places){{p.x, q.x, r.x, s.x}, {p.y, q.y, r.y, s.y}};
}

INLINE void scatter(pv_vec2 *at, const int *i, stick_places p) {
    for (int k = 0; k < PV__LANES; k++) at[i[k]] = (pv_vec2){p.x[k], p.y[k]};
}

INLINE stick_places stick_between(const pv_vec2 *at, const pv__sticks *k) {
    stick_places a = stick_gather(at, k->a), b = stick_gather(at, k->b);
    return (stick_places){b.x - a.x, b.y - a.y};
}

/// Returns the direction of d, or a fallback where d has no length.
INLINE stick_places stick_unit(stick_places d, pv__four length, stick_places fallback) {
    pv__which none = simd_eq(length, simd_each(0));
    pv__four inverse = simd_each(1) / simd_pick(none, simd_each(1), length);
    return (stick_places){simd_pick(none, fallback.x, d.x * inverse),
                          simd_pick(none, fallback.y, d.y * inverse)};
}

LANES static void stick_start(pv__sticks *rows, int count, const pv__particles *p) {
    for (pv__sticks *k = rows; k < rows + count; k++) {
        stick_places then = stick_between(p->was, k), now = stick_between(p->now, k),
                     right = {simd_each(1), simd_each(0)};
        pv__four length = simd_root(then.x * then.x + then.y * then.y);
        stick_places fallback = stick_unit(now, simd_root(now.x * now.x + now.y * now.y), right);
        stick_places along = stick_unit(then, length, fallback);
        k->along_x = along.x;
        k->along_y = along.y;
        k->given = simd_each(0);
        if (k->soft) k->began = length;
    }
}

/// Returns the elements whose constraints turned too far.
INLINE pv__which astray_of(pv__four along, pv__four squared) {
    return simd_gt(simd_each(0), along) |
           simd_gt(simd_each(STICK_ASTRAY * STICK_ASTRAY) * squared, along * along);
}

/// Returns the missing length along the direction [px]. It is exact for a constraint that has not
/// turned. After a turn by an angle t the error is t^4 / 8 of its length.
INLINE pv__four stick_missing(const pv__sticks *k, pv__four along, pv__four squared) {
    return (k->length * k->length - squared) / (along + k->length);
}

INLINE pv__four stick_wanted(const pv__sticks *k, pv__four along, pv__four squared) {
    pv__four more = stick_missing(k, along, squared);
    if (!k->soft) return more * k->inverse;
    pv__four push =
        (more - k->compliance * k->given - k->damping * (along - k->began)) * k->inverse;
    return smaller(simd_larger(k->given + push, k->least), k->most) - k->given;
}

INLINE void relax_row(pv__sticks *k, pv__particles *p) {
    stick_places a = stick_gather(p->now, k->a), b = stick_gather(p->now, k->b),
                 d = {b.x - a.x, b.y - a.y};
    stick_places e = {k->along_x, k->along_y};
    pv__four along = d.x * e.x + d.y * e.y, squared = d.x * d.x + d.y * d.y;
    pv__which astray = astray_of(along, squared);
    if (simd_any(astray)) {
        pv__four length = simd_root(squared);
        stick_places now = stick_unit(d, length, e);
        e = (stick_places){simd_pick(astray, now.x, e.x), simd_pick(astray, now.y, e.y)};
        along = simd_pick(astray, length, along);
    }
    pv__four push = stick_wanted(k, along, squared);
    k->given += push;
    pv__four wa = push * simd_gather(p->inverse_mass, k->a),
             wb = push * simd_gather(p->inverse_mass, k->b);
    scatter(p->now, k->a, (stick_places){a.x - wa * e.x, a.y - wa * e.y});
    scatter(p->now, k->b, (stick_places){b.x + wb * e.x, b.y + wb * e.y});
}

LANES static void stick_relax(pv__sticks *rows, int count, pv__particles *p) {
    for (int i = 0; i < count; i++) relax_row(&rows[i], p);
}

/* ---- integration, two particles per vector ---- */

/// Returns a, a, b, b.
INLINE pv__four stick_twice(const double *two) {
    return (pv__four){two[0], two[0], two[1], two[1]};
}

/// State of two particles during integration.
typedef struct flyers {
    pv__four now, was, keep, gain;
} flyers;

INLINE pv__four gain_of(const pv__particles *p, int i, const pv__flight *f, bool all_move,
                        bool forced) {
    pv__four gravity = {f->gain.x, f->gain.y, f->gain.x, f->gain.y}, w = simd_each(0);
    if (forced || !all_move) w = stick_twice(&p->inverse_mass[i]);
    pv__four gain = all_move ? gravity : simd_pick(simd_eq(w, simd_each(0)), simd_each(0), gravity);
    return forced ? gain + w * simd_load(&p->force[i]) * simd_each(f->h * f->h) : gain;
}

INLINE flyers stick_take_off(const pv__particles *p, int i, const pv__flight *f, bool all_move,
                             bool forced) {
    return (flyers){simd_load(&p->now[i]), simd_load(&p->was[i]), stick_twice(&p->keep[i]),
                    gain_of(p, i, f, all_move, forced)};
}

INLINE void stick_fly(flyers *f) {
    pv__four to = f->now + (f->keep * (f->now - f->was) + f->gain);
    f->was = f->now;
    f->now = to;
}

/// Stores two particles. Tells which coordinates are valid; NaN is not.
INLINE pv__which stick_land(const pv__particles *p, int i, const flyers *f) {
    simd_store(&p->now[i], f->now);
    simd_store(&p->was[i], f->was);
    return simd_ge(simd_each(PV_MAX_COORDINATE * PV_MAX_COORDINATE), f->now * f->now);
}

/// Integrates with four independent vectors side by side, so that none waits for another. The array
/// pointers are passed by value, so the compiler knows that no store changes them.
INLINE bool drift_flock(const pv__particles p, int first, const pv__flight *flight, bool all_move,
                        bool forced) {
    pv__which sound = simd_eq(simd_each(0), simd_each(0));
    const pv__flight f = *flight;
    for (int i = first; i < first + PV__FLOCK; i += 8) {
        flyers a = stick_take_off(&p, i, &f, all_move, forced),
               b = stick_take_off(&p, i + 2, &f, all_move, forced),
               c = stick_take_off(&p, i + 4, &f, all_move, forced),
               d = stick_take_off(&p, i + 6, &f, all_move, forced);
        for (int k = 0; k < f.substeps; k++) {
            stick_fly(&a);
            stick_fly(&b);
            stick_fly(&c);
            stick_fly(&d);
        }
        sound &= stick_land(&p, i, &a) & stick_land(&p, i + 2, &b) & stick_land(&p, i + 4, &c) &
                 stick_land(&p, i + 6, &d);
    }
    return !simd_any(~sound);
}

LANES static bool stick_drift(pv__particles *p, int first, const pv__flight *flight,
                              bool all_move) {
    if (flight->forced) return drift_flock(*p, first, flight, false, true);
    return all_move ? drift_flock(*p, first, flight, true, false)
                    : drift_flock(*p, first, flight, false, false);
}
