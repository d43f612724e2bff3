/* pv_integrator.c - one point, stepped in four ways.
 *
 * Invariant: a point that was finite stays so: a step that would lead out of the finite numbers is not taken.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_math.h"

pv_motion pv_motion_start(pv_vec2 position, pv_vec2 velocity) {
    if (!pv__finite2(position) || !pv__finite2(velocity)) return (pv_motion){0};
    return (pv_motion){position, position, velocity, 0};
}

/// Where a step leads to that changes the velocity by itself.
static pv_motion step_euler(pv_motion m, pv_vec2 acceleration, double h, bool velocity_first) {
    pv_vec2 gained = pv__mad(m.velocity, h, acceleration);
    pv_vec2 next = pv__mad(m.position, h, velocity_first ? gained : m.velocity);
    return (pv_motion){next, m.position, gained, h};
}

/// The same for one whose velocity is the way of the last step, if there was one.
static pv_motion step_verlet(pv_motion m, pv_vec2 acceleration, double h, bool corrected) {
    bool first = !(m.last > 0);
    double last = corrected ? m.last : h, gain = first ? 0.5 * h * h : 0.5 * h * (h + last);
    pv_vec2 way = first ? pv__mul(h, m.velocity) : pv__mul(h / last, pv__sub(m.position, m.previous));
    pv_vec2 next = pv__mad(pv__add(m.position, way), gain, acceleration);
    return (pv_motion){next, m.position, pv__mul(1 / h, pv__sub(next, m.position)), h};
}

static pv_motion stepped(pv_integrator integrator, pv_motion m, pv_vec2 acceleration, double h) {
    switch (integrator) {
    case PV_INTEGRATOR_EULER: return step_euler(m, acceleration, h, false);
    case PV_INTEGRATOR_SYMPLECTIC: return step_euler(m, acceleration, h, true);
    case PV_INTEGRATOR_VERLET: return step_verlet(m, acceleration, h, false);
    case PV_INTEGRATOR_CORRECTED_VERLET: return step_verlet(m, acceleration, h, true);
    default: return m;
    }
}

pv_motion pv_motion_step(pv_integrator integrator, pv_motion motion, pv_vec2 acceleration, double h) {
    if (!(h > 0 && h <= 1) || !pv__finite2(acceleration)) return motion;
    pv_motion next = stepped(integrator, motion, acceleration, h);
    return pv__finite2(next.position) && pv__finite2(next.velocity) ? next : motion;
}
