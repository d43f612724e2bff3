/* soft.c - builds soft bodies of points: meshes, all pairs, and cloth.
 *
 * Invariant: sticks are created in the order in which their points first occur together. No two
 * sticks join the same points.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"

enum { SOFT_MOST_POINTS = 4096 };

/// Greatest stiffness of sticks between all pairs, in units of a point's mass over the number of
/// points [1/s^2]. All sticks respond to the same error, so a greater stiffness would add energy in
/// a round
static const double FIRMEST = 3e6;

/* ---- meshes ---- */

/// Mesh under construction
typedef struct weft {
    pv__build *build;
    const pv__mesh *mesh;
    pv_particle_id *particles;
    /// Hash table of links that is never more than half full; free entries have a = b
    pv__link *links;
    /// Length of the table, a power of two
    int room;
} weft;

/// Returns the link of two points, or the free entry for it.
static pv__link *link_of(const weft *w, int p, int q) {
    int a = pv__sooner(p, q), b = pv__later(p, q);
    uint32_t hash = (uint32_t)a * 0x9e3779b1u ^ (uint32_t)b * 0x85ebca77u;
    for (uint32_t i = hash ^ hash >> 15;; i++) {
        pv__link *link = &w->links[i & (uint32_t)(w->room - 1)];
        if (link->a == link->b || (link->a == a && link->b == b)) return link;
    }
}

static void join(weft *w, int p, int q) {
    pv__link *link = link_of(w, p, q);
    if (link->a != link->b || p == q) return;
    pv_joint_id stick = pv__build_stick(w->build, w->particles[p], w->particles[q],
                                        w->mesh->stiffness, w->mesh->damping);
    *link = (pv__link){pv__sooner(p, q), pv__later(p, q), PV__NONE, stick};
}

static void make_particles(weft *w) {
    pv_particle_def def = w->mesh->grain;
    for (int i = 0; i < w->mesh->point_count; i++) {
        def.position = w->mesh->points[i];
        if (w->mesh->masses) def.mass = w->mesh->masses[i];
        w->particles[i] = pv__build_particle(w->build, &def);
    }
}

/// Joins the two corners that are opposite the common side of two triangles.
static void brace(weft *w, const int corners[3], int side) {
    int across = corners[(side + 2) % 3];
    pv__link *link = link_of(w, corners[side], corners[(side + 1) % 3]);
    if (link->across != PV__NONE)
        join(w, link->across, across);
    else
        link->across = across;
}

static void make_sticks(weft *w) {
    const pv__mesh *m = w->mesh;
    for (int t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) join(w, m->triangles[t][i], m->triangles[t][(i + 1) % 3]);
    for (int t = 0; m->braced && t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) brace(w, m->triangles[t], i);
    for (int i = 0; i < m->link_count; i++) join(w, m->links[i][0], m->links[i][1]);
    for (int i = 0; m->all_pairs && i < m->point_count; i++)
        for (int k = i + 1; k < m->point_count; k++) join(w, i, k);
}

static void make_triangles(weft *w) {
    const pv__mesh *m = w->mesh;
    for (int t = 0; t < m->triangle_count; t++) {
        pv_triangle triangle = {0};
        for (int i = 0; i < 3; i++) {
            int p = m->triangles[t][i], q = m->triangles[t][(i + 1) % 3];
            triangle.corners[i] = w->particles[p];
            if (m->texture) triangle.uv[i] = m->texture[p];
            triangle.joints[i] = link_of(w, p, q)->stick;
        }
        pv__build_triangle(w->build, &triangle);
    }
}

void pv__build_mesh(pv__build *b, const pv__mesh *mesh) {
    const pv_allocator *from = &b->world->def.allocator;
    weft w = {.build = b, .mesh = mesh};
    int most = (mesh->braced ? 6 : 3) * mesh->triangle_count + mesh->link_count;
    if (mesh->all_pairs) most += mesh->point_count * (mesh->point_count - 1) / 2;
    w.room = pv__table_length(0, 2 * most);
    w.links = pv__alloc(from, (size_t)w.room, sizeof *w.links);
    w.particles = pv__alloc(from, (size_t)mesh->point_count, sizeof *w.particles);
    if (w.particles && w.links) {
        make_particles(&w);
        make_sticks(&w);
        make_triangles(&w);
        if (pv__build_good(b))
            pv__error_set(b->error, pv_composite_set_solid(b->world, b->composite, true));
    } else
        pv__error_set(b->error, PV_ERROR_MEMORY);
    PV__FREE(from, w.links, w.room);
    PV__FREE(from, w.particles, mesh->point_count);
}

/* ---- soft bodies ---- */

pv_soft_body_def pv_soft_body_def_default(void) {
    return (pv_soft_body_def){.mass = 16,
                              .radius = 2,
                              .linear_damping = 0.3,
                              .restitution = 0.2,
                              .static_friction = -1,
                              .friction = 0.5,
                              .stiffness = 2000,
                              .damping = 4,
                              .filter = pv__filter_everybody(),
                              .cookie = PV__COOKIE};
}

static const pv__field_row fields[] = {
    PV__DOUBLE(pv_soft_body_def, mass, 1.0 * SOFT_MOST_POINTS * PV__LEAST_MASS, PV__MOST_MASS),
    PV__BUILD_RADIUS(pv_soft_body_def),
    PV__BUILD_DAMPING(pv_soft_body_def),
    PV__MATERIAL(pv_soft_body_def),
    PV__DOUBLE(pv_soft_body_def, stiffness, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_soft_body_def, damping, PV__RANGE_STIFFNESS),
};

static bool check_points(pv_error *e, const pv_soft_body_def *def) {
    return pv__check_pointer(e, "def.points", def->points) &&
           pv__check_range(e, "def.point_count", def->point_count, 2,
                           def->all_pairs ? 64 : SOFT_MOST_POINTS) &&
           pv__check_places(e, "def.points", def->points, def->point_count) &&
           (!def->uvs || pv__check_places(e, "def.uvs", def->uvs, def->point_count));
}

/// Checks that all corners are points, and that the corners of each triangle differ.
static bool check_triangles(pv_error *e, const pv_soft_body_def *def) {
    if (!pv__check_range(e, "def.triangle_count", def->triangle_count, !def->all_pairs, 16384) ||
        (def->triangle_count > 0 && !pv__check_pointer(e, "def.triangles", def->triangles)))
        return false;
    for (int t = 0; t < def->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            int p = def->triangles[t][i], q = def->triangles[t][(i + 1) % 3];
            if (p >= 0 && p < def->point_count && p != q) continue;
            pv__error_say(e, PV_ERROR_ARGUMENT, "def.triangles",
                          "def.triangles[%d] has equal corners, or one that is no point", t);
            return false;
        }
    return true;
}

static bool check_def(pv_error *e, const pv_soft_body_def *def) {
    return PV__CHECK_DEF(e, def, pv_soft_body_def_default, fields) &&
           pv__impulse_check_friction(e, "def.friction", def->static_friction, def->friction) &&
           check_points(e, def) && check_triangles(e, def);
}

static double stiffness_of(const pv_soft_body_def *def) {
    double points = def->point_count, most = FIRMEST * def->mass / (points * points);
    bool firm = def->all_pairs && (def->stiffness == 0 || def->stiffness > most);
    return firm ? most : def->stiffness;
}

static void make_soft(pv__build *b, const pv_soft_body_def *def) {
    pv__mesh mesh = {.points = def->points,
                     .texture = def->uvs,
                     .triangles = def->triangles,
                     .point_count = def->point_count,
                     .triangle_count = def->triangle_count,
                     .all_pairs = def->all_pairs,
                     .grain = PV__BUILD_GRAIN(def, def->radius),
                     .stiffness = stiffness_of(def),
                     .damping = def->damping};
    mesh.grain.mass = def->mass / def->point_count;
    pv__build_mesh(b, &mesh);
}

pv_composite_id pv_soft_body_create(pv_world *world, const pv_soft_body_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) check_def(e, def);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_soft(&b, def);
    return pv__build_end(&b);
}

/* ---- cloth: a grid of particles ----
 *
 * Invariant: a cloth is created row by row from the top. Each row first has its particles, then the
 * sticks along it, up to the row before, and diagonally. The triangles between both rows follow.
 */

enum { MOST_IN_LINE = 1024 };

pv_cloth_def pv_cloth_def_default(void) {
    return (pv_cloth_def){.columns = 30,
                          .rows = 30,
                          .spacing = 8,
                          .mass = 1,
                          .radius = 2,
                          .linear_damping = 0.3,
                          .pin_every = 1,
                          .filter = pv__filter_everybody(),
                          .cookie = PV__COOKIE};
}

static const pv__field_row cloth_fields[] = {
    PV__VECTOR(pv_cloth_def, top_left, PV_MAX_COORDINATE),
    PV__INT(pv_cloth_def, columns, 2, MOST_IN_LINE),
    PV__INT(pv_cloth_def, rows, 2, MOST_IN_LINE),
    PV__DOUBLE(pv_cloth_def, spacing, 1e-3, 1e4),
    PV__DOUBLE(pv_cloth_def, mass, PV__LEAST_MASS, PV__MOST_MASS),
    PV__BUILD_RADIUS(pv_cloth_def),
    PV__BUILD_DAMPING(pv_cloth_def),
    PV__DOUBLE(pv_cloth_def, stiffness, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_cloth_def, shear_stiffness, PV__RANGE_STIFFNESS),
    PV__INT(pv_cloth_def, pin_every, 0, DBL_MAX),
    PV__DOUBLE(pv_cloth_def, break_force, PV__RANGE_FORCE),
};

static bool cloth_check_def(pv_error *e, const pv_cloth_def *def) {
    if (!PV__CHECK_DEF(e, def, pv_cloth_def_default, cloth_fields)) return false;
    pv_vec2 last =
        pv__mad(def->top_left, def->spacing, pv__vec(def->columns - 1.0, def->rows - 1.0));
    return pv__placeable(last) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "def.spacing",
                         "def.spacing puts the last particle at (%.9g, %.9g), outside the world",
                         last.x, last.y) == PV_OK;
}

/// Row of a cloth, and its joints to the row before
typedef struct row {
    pv_particle_id particles[MOST_IN_LINE];
    /// Sticks from each particle to the next
    pv_joint_id along[MOST_IN_LINE];
    pv_joint_id up[MOST_IN_LINE];
    /// Diagonal sticks from each particle to the next one of the row before
    pv_joint_id rising[MOST_IN_LINE];
} row;

static bool is_pinned(const pv_cloth_def *def, int column, int line) {
    return line == 0 && def->pin_every > 0 &&
           (column % def->pin_every == 0 || column == def->columns - 1);
}

static void cloth_make_particles(pv__build *b, const pv_cloth_def *def, int line, row *r) {
    pv_particle_def grain = pv__build_grain(def->radius, def->linear_damping, def->filter);
    for (int i = 0; i < def->columns; i++) {
        grain.position = pv__mad(def->top_left, def->spacing, pv__vec(i, line));
        grain.mass = is_pinned(def, i, line) ? 0 : def->mass;
        r->particles[i] = pv__build_particle(b, &grain);
    }
}

static pv_joint_id cloth_join(pv__build *b, const pv_cloth_def *def, double stiffness,
                              pv_particle_id from, pv_particle_id to) {
    pv_joint_def stick = pv__build_stick_def(from, to);
    stick.stiffness = stiffness;
    stick.break_force = def->break_force;
    return pv__build_constraint(b, &stick);
}

/// Creates the sticks of a row.
/// @param above row before, or null
static void cloth_make_sticks(pv__build *b, const pv_cloth_def *def, row *r, const row *above) {
    const pv_particle_id *own = r->particles, *upper = above ? above->particles : NULL;
    int last = def->columns - 1;
    for (int i = 0; i < last; i++)
        r->along[i] = cloth_join(b, def, def->stiffness, own[i], own[i + 1]);
    for (int i = 0; above && i <= last; i++)
        r->up[i] = cloth_join(b, def, def->stiffness, upper[i], own[i]);
    for (int i = 0; above && def->shear_stiffness > 0 && i < last; i++) {
        r->rising[i] = cloth_join(b, def, def->shear_stiffness, own[i], upper[i + 1]);
        cloth_join(b, def, def->shear_stiffness, upper[i], own[i + 1]);
    }
}

/// Returns the texture coordinates of a particle.
static pv_vec2 texture_at(const pv_cloth_def *def, int column, int line) {
    return pv__vec(column / (def->columns - 1.0), line / (def->rows - 1.0));
}

static void cloth_make_triangles(pv__build *b, const pv_cloth_def *def, int line, const row *r,
                                 const row *above) {
    for (int i = 0; i + 1 < def->columns; i++) {
        pv_vec2 low = texture_at(def, i, line), low_next = texture_at(def, i + 1, line),
                high = texture_at(def, i, line - 1), high_next = texture_at(def, i + 1, line - 1);
        pv_particle_id corner = r->particles[i], across = above->particles[i + 1];
        pv_joint_id rising = r->rising[i]; /* the null id without shear_stiffness */
        pv__build_triangle(b, &(pv_triangle){{above->particles[i], across, corner},
                                             {high, high_next, low},
                                             {above->along[i], rising, r->up[i]}});
        pv__build_triangle(b, &(pv_triangle){{across, r->particles[i + 1], corner},
                                             {high_next, low_next, low},
                                             {r->up[i + 1], r->along[i], rising}});
    }
}

/// Creates a cloth row by row.
/// @param rows memory for two rows
static void make_cloth(pv__build *b, const pv_cloth_def *def, row *rows) {
    for (int line = 0; line < def->rows && pv__build_good(b); line++) {
        row *r = &rows[line & 1], *above = line > 0 ? &rows[~line & 1] : NULL;
        cloth_make_particles(b, def, line, r);
        cloth_make_sticks(b, def, r, above);
        if (above) cloth_make_triangles(b, def, line, r, above);
    }
}

pv_composite_id pv_cloth_create(pv_world *world, const pv_cloth_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) cloth_check_def(e, def);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) {
        row *rows = pv__alloc(&world->def.allocator, 2, sizeof *rows);
        if (rows)
            make_cloth(&b, def, rows);
        else
            pv__error_set(b.error, PV_ERROR_MEMORY);
        pv__free(&world->def.allocator, rows, 2, sizeof *rows);
    }
    return pv__build_end(&b);
}
