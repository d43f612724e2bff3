/* pv_build_cloth.c - cloth: a grid of particles.
 *
 * Invariant: made row by row from the top: of a row first its particles, then the sticks along it, those up to the row
 * before and the diagonals, then the triangles between the two.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_build.h"

enum { MOST_IN_LINE = 1024 };

pv_cloth_def pv_cloth_def_default(void) {
    return (pv_cloth_def){.columns = 30,
                          .rows = 30,
                          .spacing = 8,
                          .mass = 1,
                          .radius = 2,
                          .drag = 0.3,
                          .pin_every = 1,
                          .filter = pv__unfiltered(),
                          .cookie = PV__COOKIE};
}

static pv__stuff stuff_of(const pv_cloth_def *def) {
    pv_particle_def usual = pv_particle_def_default();
    return (pv__stuff){def->radius, def->drag, usual.restitution, usual.static_friction, usual.kinetic_friction,
                       def->filter};
}

static pv_status check_def(const pv_cloth_def *def) {
    if (!def || def->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->position.x, def->position.y, def->spacing, def->mass,       def->radius,
                              def->drag,       def->stiffness,  def->shear,   def->break_force};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    pv_vec2 last = pv__mad(def->position, def->spacing, pv__vec(def->columns - 1.0, def->rows - 1.0));
    bool in_range =
        def->columns >= 2 && def->columns <= MOST_IN_LINE && def->rows >= 2 && def->rows <= MOST_IN_LINE &&
        pv__in_range(def->spacing, 1e-3, 1e4) && pv__placeable(def->position) && pv__placeable(last) &&
        pv__in_range(def->mass, PV__LEAST_MASS, PV__MOST_MASS) && pv__stuff_in_range(stuff_of(def)) &&
        pv__in_range(def->stiffness, 0, PV__MOST_FORCE) && pv__in_range(def->shear, 0, PV__MOST_FORCE) &&
        def->pin_every >= 0 && pv__in_range(def->break_force, 0, PV__MOST_FORCE);
    return in_range ? PV_OK : PV_ERROR_ARGUMENT;
}

/// A row, and what it is joined by to the row before.
typedef struct row {
    pv_particle particles[MOST_IN_LINE];
    pv_constraint along[MOST_IN_LINE]; ///< from each to the next
    pv_constraint up[MOST_IN_LINE];
    pv_constraint rising[MOST_IN_LINE]; ///< from each to the next of the row before
} row;

static bool is_pinned(const pv_cloth_def *def, int column, int line) {
    return line == 0 && def->pin_every > 0 && (column % def->pin_every == 0 || column == def->columns - 1);
}

static void make_particles(pv__build *b, const pv_cloth_def *def, int line, row *r) {
    pv_particle_def grain = pv__stuff_def(stuff_of(def));
    for (int i = 0; i < def->columns; i++) {
        grain.position = pv__mad(def->position, def->spacing, pv__vec(i, line));
        grain.mass = is_pinned(def, i, line) ? 0 : def->mass;
        r->particles[i] = pv__build_particle(b, &grain);
    }
}

static pv_constraint join(pv__build *b, const pv_cloth_def *def, double stiffness, pv_particle from,
                          pv_particle to) {
    pv_constraint_def stick = pv_constraint_def_default();
    stick.a = pv_anchor_particle(from);
    stick.b = pv_anchor_particle(to);
    stick.stiffness = stiffness;
    stick.break_force = def->break_force;
    return pv__build_constraint(b, &stick);
}

/// @param above the row before, or null
static void make_sticks(pv__build *b, const pv_cloth_def *def, row *r, const row *above) {
    const pv_particle *own = r->particles, *upper = above ? above->particles : NULL;
    int last = def->columns - 1;
    for (int i = 0; i < last; i++) r->along[i] = join(b, def, def->stiffness, own[i], own[i + 1]);
    for (int i = 0; above && i <= last; i++) r->up[i] = join(b, def, def->stiffness, upper[i], own[i]);
    for (int i = 0; above && def->shear > 0 && i < last; i++) {
        r->rising[i] = join(b, def, def->shear, own[i], upper[i + 1]);
        join(b, def, def->shear, upper[i], own[i + 1]);
    }
}

/// Where a particle is in the picture.
static pv_vec2 texture_at(const pv_cloth_def *def, int column, int line) {
    return pv__vec(column / (def->columns - 1.0), line / (def->rows - 1.0));
}

static void make_triangles(pv__build *b, const pv_cloth_def *def, int line, const row *r, const row *above) {
    for (int i = 0; i + 1 < def->columns; i++) {
        pv_vec2 low = texture_at(def, i, line), low_next = texture_at(def, i + 1, line),
                high = texture_at(def, i, line - 1), high_next = texture_at(def, i + 1, line - 1);
        pv_particle corner = r->particles[i], across = above->particles[i + 1];
        pv_constraint none = {0, 0}, rising = def->shear > 0 ? r->rising[i] : none;
        pv__build_triangle(b, &(pv_triangle){{above->particles[i], across, corner},
                                             {high, high_next, low},
                                             {above->along[i], rising, r->up[i]}});
        pv__build_triangle(b, &(pv_triangle){{across, r->particles[i + 1], corner},
                                             {high_next, low_next, low},
                                             {r->up[i + 1], r->along[i], rising}});
    }
}

/// @param rows room for two
static void make_cloth(pv__build *b, const pv_cloth_def *def, row *rows) {
    for (int line = 0; line < def->rows && b->status == PV_OK; line++) {
        row *r = &rows[line & 1], *above = line > 0 ? &rows[~line & 1] : NULL;
        make_particles(b, def, line, r);
        make_sticks(b, def, r, above);
        if (above) make_triangles(b, def, line, r, above);
    }
}

pv_matter pv_cloth_build(pv_world *world, const pv_cloth_def *def, pv_status *status) {
    pv__build b = pv__build_begin(world, world ? check_def(def) : PV_ERROR_ARGUMENT);
    if (b.status == PV_OK) {
        pv_allocator allocator = pv_world_allocator(world);
        row *rows = pv__alloc(&allocator, 2, sizeof *rows);
        if (rows)
            make_cloth(&b, def, rows);
        else
            b.status = PV_ERROR_MEMORY;
        pv__free(&allocator, rows, 2, sizeof *rows);
    }
    return pv__build_end(&b, __func__, status);
}
