/* numbers.c - sets the integers that a step of grains computes with.
 *
 * Invariant: gravity has 8 bits more than motions; a step keeps the remainder for the next one. A
 * pile at the angle of its friction is stable to both sides, whichever way gravity points.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/numbers.h"

#include <string.h>

/// Motion below which a grain may rest, and twice the approach below which it does not bounce.
/// Gravity adds to both [1/65536 px]
enum { NUMBERS_SLOW = 8192 };
/// Height of a fall that gives the speed of slides [px]. In a step, a slide is at most as long as
/// the slopes that are looked at
static const double SLIDE_FALL = 100;
/// Greatest slope of a pile
static const double STEEPEST_PILE = 4;

/// Adds a component of gravity to its remainder, and takes whole units from the sum.
static int32_t take_whole(double gravity, double dt, int64_t *rest) {
    double most = (double)PV__GRAIN_FASTEST * 256;
    *rest += pv__floor(pv__clamp(gravity * dt * dt * 0x1p24, -most, most) + 0.5);
    int64_t whole = *rest >> 8;
    *rest &= 255;
    return pv__grain_bounded(whole);
}

static int32_t to_unit(double x) { return (int32_t)pv__floor(x * PV__GRAIN_ONE + 0.5); }

static int down_of(pv_vec2 gravity) {
    double x = pv__abs(gravity.x), y = pv__abs(gravity.y);
    if (x == 0 && y == 0) return -1;
    return y >= x ? (gravity.y > 0 ? 0 : 1) : gravity.x > 0 ? 2 : 3;
}

/// Returns the stable drop at a distance along a slope; -1: no place is stable.
static int8_t stable_drop(int distance, double slope) {
    if (slope < 0) return -1;
    int drop = (int)pv__floor(distance * slope + 0.5);
    return (int8_t)(slope > 0 && drop < 1 ? 1 : pv__sooner(drop, PV__GRAIN_DEEP - 2));
}

/// Sets the stable drops. Gravity that is inclined makes slopes on its side steeper.
static void set_drops(pv__grain_numbers *n, double friction, pv_vec2 gravity) {
    double along = n->down < 2 ? gravity.y : gravity.x,
           across = n->down < 2 ? gravity.x : gravity.y;
    double tilt = n->down < 0 ? 0 : across / pv__abs(along);
    n->deep = 1;
    for (int side = 0; side < 2; side++) {
        double lean = side ? tilt : -tilt, rest = 1 + friction * lean;
        double slope = rest > 0 ? pv__min((friction - lean) / rest, STEEPEST_PILE) : STEEPEST_PILE;
        for (int k = 1; k <= PV__GRAIN_LOOK; k++) {
            n->drops[side][k] = stable_drop(k, slope);
            n->deep = pv__later(n->deep, n->drops[side][k] + 1);
        }
    }
}

/// Rescales all motions to another length of a step.
static void retime(pv__grains *g, double ratio) {
    for (int i = 0; i < g->used; i++) {
        g->dx[i] = pv__grain_bounded(pv__floor(g->dx[i] * ratio + 0.5));
        g->dy[i] = pv__grain_bounded(pv__floor(g->dy[i] * ratio + 0.5));
    }
}

bool pv__numbers_set(const pv_world *world, pv__grains *g, double dt) {
    pv__grain_numbers *n = &g->now, was = *n;
    const pv_grains_def *def = &g->def;
    pv_vec2 gravity = pv__mul(def->gravity_scale, world->def.gravity);
    if (g->dt > 0 && g->dt != dt) retime(g, dt / g->dt);
    g->dt = dt;
    n->gravity_x = take_whole(gravity.x, dt, &g->rest_x);
    n->gravity_y = take_whole(gravity.y, dt, &g->rest_y);
    n->drag = to_unit(pv__min(def->linear_damping * dt, 1));
    n->restitution = to_unit(def->restitution);
    n->friction = to_unit(def->friction);
    n->down = def->piles ? down_of(gravity) : -1;
    double most = pv__max(pv__abs(gravity.x), pv__abs(gravity.y)) * dt * dt;
    int32_t pull = pv__grain_bounded(pv__floor(pv__min(most, 256) * 65536));
    n->calm = pv__sooner(4 * pull, PV__GRAIN_FASTEST) + NUMBERS_SLOW / 2;
    n->slow = pull + NUMBERS_SLOW;
    n->kick = (int32_t)(sqrt(pv__min(most, 1)) * 65536);
    n->slides = pv__later(1, (int)pv__min(sqrt(2 * SLIDE_FALL * most), PV__GRAIN_LOOK));
    set_drops(n, def->friction, gravity);
    return was.down != n->down || memcmp(was.drops, n->drops, sizeof n->drops) != 0;
}
