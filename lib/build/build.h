/* build.h - common code of the builders: creates composites as a whole or not at all, and lists
 * links.
 *
 * Invariant: builders create their parts only with public functions. After a refusal they create no
 * more parts, and destroy all earlier ones.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BUILD_BUILD_H
#define PV_BUILD_BUILD_H

#include "base/error.h"
#include "base/math.h"
#include "core/impulse.h"
#include "core/report.h"
#include "core/world.h"

/* ---- composites under construction ---- */

typedef struct pv__build {
    pv_world *world;
    pv_composite_id composite;
    /// Error of the builder's call; nothing is created once it is set
    pv_error *error;
    /// Hook of the world, or null; it is off for the parts, so that only the builder reports
    pv_report_fn report;
} pv__build;

static inline bool pv__build_good(const pv__build *b) { return b->error->status == PV_OK; }

/// Takes over the outcome of creating a part. The fields that it names are not the builder's.
static inline bool pv__build_made(pv__build *b, const pv_error *part) {
    if (part->status != PV_OK && part->field)
        pv__error_say(b->error, part->status, "def", "def leads to a refused part: %s",
                      part->message);
    else
        pv__error_set(b->error, part->status);
    return pv__build_good(b);
}

/// Begins a composite, unless the call has failed already.
static inline pv__build pv__build_begin(pv_world *world, pv_error *error) {
    pv__build b = {.world = world, .error = error};
    pv_error part;
    if (!pv__build_good(&b)) return b;
    b.report = world->def.report_callback;
    world->def.report_callback = NULL;
    b.composite = pv_composite_create(world, &part);
    pv__build_made(&b, &part);
    return b;
}

/// Defines a function that creates a part and adds it to the composite. It returns a null id after
/// a refusal.
#define PV__BUILD_PART(name, kind, add)                                                            \
    static inline pv_##kind##_id name(pv__build *b, const pv_##kind##_def *def) {                  \
        pv_error part;                                                                             \
        if (!pv__build_good(b)) return pv_null_##kind;                                             \
        pv_##kind##_id made = pv_##kind##_create(b->world, def, &part);                            \
        if (!pv__build_made(b, &part)) return pv_null_##kind;                                      \
        if (pv__error_set(b->error, add(b->world, b->composite, made)) == PV_OK) return made;      \
        pv_##kind##_destroy(b->world, made);                                                       \
        return pv_null_##kind;                                                                     \
    }
PV__BUILD_PART(pv__build_particle, particle, pv_composite_add_particle)
PV__BUILD_PART(pv__build_constraint, joint, pv_composite_add_joint)
PV__BUILD_PART(pv__build_body, body, pv_composite_add_body)

static inline void pv__build_triangle(pv__build *b, const pv_triangle *triangle) {
    if (pv__build_good(b))
        pv__error_set(b->error, pv_composite_add_triangle(b->world, b->composite, triangle));
}

/// Returns the definition of a rigid stick between two particles, as long as their distance.
static inline pv_joint_def pv__build_stick_def(pv_particle_id from, pv_particle_id to) {
    pv_joint_def def = pv_joint_def_default();
    def.a = pv_anchor_particle(from);
    def.b = pv_anchor_particle(to);
    return def;
}

/// Creates a stick.
static inline pv_joint_id pv__build_stick(pv__build *b, pv_particle_id from, pv_particle_id to,
                                          double stiffness, double damping) {
    pv_joint_def def = pv__build_stick_def(from, to);
    def.stiffness = stiffness;
    def.damping = damping;
    return pv__build_constraint(b, &def);
}

/// Ends a composite: returns it if it is complete; otherwise destroys it and reports the error.
static inline pv_composite_id pv__build_end(pv__build *b) {
    if (b->report) b->world->def.report_callback = b->report;
    if (pv__build_good(b)) return b->composite;
    if (b->composite.generation) pv_composite_destroy(b->world, b->composite);
    pv__refuse(b->world, b->error);
    return pv_null_composite;
}

/* ---- validation of defs ---- */

/// Entries of a table of fields: radius and damping of particles
#define PV__BUILD_RADIUS(def) PV__DOUBLE(def, radius, PV__RANGE_PARTICLE_RADIUS)
#define PV__BUILD_DAMPING(def) PV__DOUBLE(def, linear_damping, PV__RANGE_DAMPING)

/// Checks a mask: not null, and with a solid pixel.
static inline bool pv__build_check_mask(pv_error *e, const pv_mask *mask) {
    return pv__check_pointer(e, "def.mask", mask) &&
           (pv_mask_count_pixels(mask) > 0 ||
            pv__error_say(e, PV_ERROR_EMPTY, "def.mask", "def.mask has no solid pixel") == PV_OK);
}

/// Checks that the ends of a bridge or row of grass are apart.
static inline bool pv__build_check_apart(pv_error *e, pv_vec2 from, pv_vec2 to) {
    return from.x != to.x || from.y != to.y ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "def.to", "def.to is at the place of def.from") ==
               PV_OK;
}

/// Returns the filter that accepts every other one.
static inline pv_filter pv__filter_everybody(void) { return pv_particle_def_default().filter; }

/// Returns the definition of a particle with the default friction and restitution.
static inline pv_particle_def pv__build_grain(double radius, double damping, pv_filter filter) {
    pv_particle_def def = pv_particle_def_default();
    def.radius = radius;
    def.linear_damping = damping;
    def.filter = filter;
    return def;
}

/// Returns the same with a material.
static inline pv_particle_def pv__build_grain_of(pv_particle_def def, double restitution,
                                                 double static_friction, double friction) {
    def.restitution = restitution;
    def.static_friction = static_friction;
    def.friction = friction;
    return def;
}
/// Returns the definition of a particle with the material of a def.
#define PV__BUILD_GRAIN(def, radius)                                                               \
    pv__build_grain_of(pv__build_grain(radius, (def)->linear_damping, (def)->filter),              \
                       (def)->restitution, (def)->static_friction, (def)->friction)

/* soft.c */
/// Two joined points, and their stick
typedef struct pv__link {
    /// Points, a < b
    int a, b;
    /// Third point of their first triangle, or -1
    int across;
    pv_joint_id stick;
} pv__link;

/// Points joined along the sides of triangles, and with additional links
typedef struct pv__mesh {
    /// Points [px], and their texture coordinates or null
    const pv_vec2 *points, *texture;
    /// Masses of the points, or null to use the mass of grain
    const double *masses;
    const int (*triangles)[3];
    /// Additional pairs of points to join
    const int (*links)[2];
    int point_count, triangle_count, link_count;
    /// True if two triangles with a common side must not fold over it
    bool braced;
    /// True if each point is joined to every other point
    bool all_pairs;
    /// Definition of each particle, except for its position
    pv_particle_def grain;
    double stiffness, damping;
} pv__mesh;

/// Creates all parts of a mesh, which collides with other solid composites. No two points are
/// joined twice.
void pv__build_mesh(pv__build *b, const pv__mesh *mesh);

#endif
