/* matter_contact.h - the flanks, or sides, of a contact: pushes on them, and their yields.
 *
 * Invariant: a push changes the linear and angular momentum of any flank by exactly its own, so
 * opposite pushes at one point cancel. The point is its place at the start of the carried motion
 * (anchor.h). A touch has at most one flank that is a particle, and its point is that particle.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_MATTER_CONTACT_H
#define PV_MATTER_MATTER_CONTACT_H

#include "core/anchor.h"

/// Greatest number of substeps between two tests of a distant pair
enum { PV__MOST_REST = 64 };

/// Returns the number of motions in which a pair at distance off cannot touch, 1...PV__MOST_REST.
/// Now, one motion of that many substeps moves both together by way [px].
static inline int pv__rest_of_pair(double off, double way, double substeps) {
    double motions = off / (PV__FASTER * way + PV__FASTER_BY * substeps);
    return !(motions > 1)            ? 1 /* NaN as well */
           : motions > PV__MOST_REST ? PV__MOST_REST
                                     : (int)motions;
}

/// Returns the displacement of a particle in the substep [px].
static inline pv_vec2 pv__particle_way(const pv__particles *p, int i) {
    return pv__sub(p->now[i], p->was[i]);
}

typedef enum pv__flank_kind {
    /// Single particle
    PV__FLANK_PARTICLE,
    /// Edge of two particles, with weights from the place of the point between them (Bitterli)
    PV__FLANK_EDGE,
    /// All corners of a polygon, as if it were rigid
    PV__FLANK_WHOLE,
    /// Body with a sprite
    PV__FLANK_BODY
} pv__flank_kind;

typedef struct pv__flank {
    pv__flank_kind kind;
    /// Particle, or the start and the end of an edge
    int particle, other;
    /// Polygon of the flank, or -1
    int polygon;
    int body;
    /* state at a point, for a carry */
    /// Carry of the pushes: the part of the substep since the first touch
    double carry;
    /// Place of the point on an edge: along it and beside it, as multiples of its length
    double part, lift;
    /// Normal of an edge, of length 1
    pv_vec2 across;
    /// Center of a whole polygon [px]
    pv_vec2 center;
    /// Lever of a whole polygon or a body, from its center [px]
    pv_vec2 lever;
    /// Inverse mass and inertia of a whole polygon
    double inverse_mass, inverse_inertia;
} pv__flank;

static inline pv__flank pv__matter_contact_of_particle(int particle, int polygon) {
    return (pv__flank){.kind = PV__FLANK_PARTICLE, .particle = particle, .polygon = polygon};
}
static inline pv__flank pv__matter_contact_of_edge(int from, int to, int polygon) {
    return (pv__flank){.kind = PV__FLANK_EDGE, .particle = from, .other = to, .polygon = polygon};
}
static inline pv__flank pv__matter_contact_of_body(int body) {
    return (pv__flank){.kind = PV__FLANK_BODY, .body = body, .polygon = -1};
}

/// Contact of two flanks in a substep
typedef struct pv__touch {
    pv__flank a, b;
    /// Normal from a to b
    pv_vec2 normal;
    /// Current contact point, and its displacement in the substep [px]
    pv_vec2 point, way;
    /// Gap along the normal, < 0 for an overlap [px]
    double gap;
    pv__material material;
    /// Speed of a's surface relative to b's along the tangent, the normal turned clockwise [px/s]
    double tangent_speed;
    /* scratch */
    /// Closing displacement in the substep [px]
    double closing;
    /// Wanted closing displacement after the solution [px]
    double wanted;
    /// Accumulated pushes along the normal, and across it [mass px]
    double pushed, rubbed;
    double yield, yield_along;
} pv__touch;

/* matter_contact.c */
/// Returns the displacement of a flank's material at a point in the substep [px].
pv_vec2 pv__matter_contact_way_at(const pv_world *world, pv__flank flank, pv_vec2 point);

/// Greatest number of contacts that are solved together
#define PV__TOUCHES 16

/// Resolves the overlaps of two objects with restitution and friction, so that no contact undoes
/// another. Gaps are < 0.
void pv__matter_contact_part(pv_world *world, pv__touch *touches, int count);

#endif
