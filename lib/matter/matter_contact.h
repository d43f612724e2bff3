/* matter_contact.h - the flanks of a touch: what is pushed there, and how it gives.
 *
 * Invariant: a push at a point changes the momentum of a flank by the push, and its angular
 * momentum by that of the push at the point, whatever the flank is; so opposite pushes at one point
 * change neither. The point is where it was when the carried way began (anchor.h). A touch has at
 * most one flank that is a particle, and its point is that particle.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_MATTER_CONTACT_H
#define PV_MATTER_MATTER_CONTACT_H

#include "core/anchor.h"

typedef enum pv__flank_kind {
    /// A particle
    PV__FLANK_PARTICLE,
    /// Two particles, shared by where the point is between them (Bitterli)
    PV__FLANK_EDGE,
    /// All corners of a polygon, as if it were rigid
    PV__FLANK_WHOLE,
    /// A sprite
    PV__FLANK_BODY
} pv__flank_kind;

typedef struct pv__flank {
    pv__flank_kind kind;
    /// The particle; of an edge where it begins and where it ends
    int particle, other;
    /// That it is part of, or -1
    int polygon;
    int body;
    /* as it stands at a point, for a carry */
    double carry;
    /// Of an edge: where along it the point is, and how far beside it, both in its length
    double part, lift;
    /// Of an edge: its normal, of length 1
    pv_vec2 across;
    /// Of all of a polygon [px]
    pv_vec2 center;
    /// Of all of a polygon, or a body: from its center [px]
    pv_vec2 lever;
    /// Of all of a polygon
    double inverse_mass, inverse_inertia;
} pv__flank;

static inline pv__flank pv__matter_contact_of_particle(int particle, int polygon) {
    return (pv__flank){.kind = PV__FLANK_PARTICLE, .particle = particle, .polygon = polygon};
}
static inline pv__flank pv__matter_contact_of_edge(int from, int to, int polygon) {
    return (pv__flank){.kind = PV__FLANK_EDGE, .particle = from, .other = to, .polygon = polygon};
}
static inline pv__flank pv__matter_contact_of_whole(int polygon) {
    return (pv__flank){.kind = PV__FLANK_WHOLE, .polygon = polygon};
}
static inline pv__flank pv__matter_contact_of_body(int body) {
    return (pv__flank){.kind = PV__FLANK_BODY, .body = body, .polygon = -1};
}

/// Where two sides touch, in a substep.
typedef struct pv__touch {
    pv__flank a, b;
    /// From a to b
    pv_vec2 normal;
    /// Where it is now, and how far it came in the substep [px]
    pv_vec2 point, way;
    /// Along the normal, < 0 where they overlap [px]
    double gap;
    double restitution, static_friction, kinetic_friction;
    /* scratch */
    /// In the substep [px]
    double closing;
    /// Of what is pushed: the part of the substep since they touched
    double carry;
    /// Of closing, when all is done [px]
    double wanted;
    /// Across the normal in the substep, as the surface of a body does [px]
    double run;
    /// Along the normal, and across it [mass px]
    double pushed, rubbed;
    double yield, yield_along;
} pv__touch;

/* matter_contact.c */
/// Puts a flank to where a point was, carry of a substep ago.
void pv__matter_contact_stand(const pv_world *world, pv__flank *flank, pv_vec2 point, double carry);
/// Returns how far its material moved at its point in the substep.
pv_vec2 pv__matter_contact_way(const pv_world *world, const pv__flank *flank);
/// Returns how far along n, of length 1, a unit of push along n moves it.
double pv__matter_contact_yield(const pv_world *world, const pv__flank *flank, pv_vec2 n);
/// Pushes it at its point [mass px].
void pv__matter_contact_push(pv_world *world, const pv__flank *flank, pv_vec2 push);

/// Touches that are settled together are no more than this.
#define PV__TOUCHES 16

/// Parts what overlaps of two things, with restitution and friction, so that no touch undoes
/// another. Gaps are < 0.
void pv__matter_contact_part(pv_world *world, pv__touch *touches, int count);

#endif
