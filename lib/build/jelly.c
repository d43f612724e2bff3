/* jelly.c - turns sprites into soft lattices.
 *
 * Invariant: a cell of the grid is used if it has a solid pixel, so the lattice is connected where
 * the picture is. Nodes move toward the outline only as long as each corner of their cells keeps a
 * tenth of its area. Thus no triangle turns over.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"

enum { MOST_CELLS = 1 << 16 };

/// Least solid share of half a cell; a half with less is removed
static const double LEAST_CORNER = 0.15;
/// Least area of a cell's corner [cell], and least mass of a node [mass of a whole cell]
static const double LEAST_PART = 0.1;

/// Cell of the grid. Its index is that of the node at its upper left corner.
typedef struct cell {
    /// Number of solid pixels; 0: not used
    int solid;
    /// Corner that is cut off, or -1
    int cut;
    /// Number of pixels, and of solid ones, in the half of the cell nearest to each corner
    int half[4], filled[4];
} cell;

typedef struct node {
    /// Place in the picture [px]
    pv_vec2 at;
    /// Mass [pixels]
    double mass;
    /// Number of cells with this corner
    int cells;
    /// Point of the mesh, or -1
    int point;
} node;

typedef struct lattice {
    const pv_mask *mask;
    /// Bounds of the solid pixels
    pv_rect box;
    /// Cells in a row, and in all rows, with a margin of unused cells on all sides
    int width, count;
    /// Size of a cell [px]
    pv_vec2 size;
    cell *cells;
    node *nodes;
    pv_vec2 *points, *texture;
    double *masses;
    int (*triangles)[3], (*links)[2];
    /// Mesh, with its arrays at the end
    pv__mesh mesh;
} lattice;

/// Returns the first cell and node inside the margin above and at the left.
static int first_of(const lattice *l) { return l->width + 1; }

/// Returns the node at a corner of a cell. Corners are 0...3, clockwise on the screen from the
/// upper left one.
static int node_at(const lattice *l, int i, int corner) {
    return i + (corner == 1 || corner == 2) + (corner >= 2 ? l->width : 0);
}
static node *corner_of(const lattice *l, int i, int corner) {
    return &l->nodes[node_at(l, i, corner)];
}

/// Returns a cell at a node. The cells are 0...3, row by row from the upper left one.
static int cell_at(const lattice *l, int i, int which) {
    return i - 1 + (which & 1) - (which < 2 ? l->width : 0);
}
static bool is_used(const lattice *l, int i) { return l->cells[i].solid > 0; }

/* ---- pixels into cells ---- */

/// Counts a pixel in the halves of its cell.
/// @param place the pixel's center, relative to the cell's upper left corner [cell]
static void count_pixel(cell *c, pv_vec2 place, bool solid) {
    c->solid += solid;
    for (int k = 0; k < 4; k++) {
        double right = k == 1 || k == 2 ? 1 - place.x : place.x,
               down = k >= 2 ? 1 - place.y : place.y;
        if (right + down >= 1) continue;
        c->half[k]++;
        c->filled[k] += solid;
    }
}

/// Distributes a pixel's mass to the corners of its cell, so that their center of mass is the
/// pixel's center.
static void weigh_pixel(lattice *l, int i, pv_vec2 place) {
    corner_of(l, i, 0)->mass += (1 - place.x) * (1 - place.y);
    corner_of(l, i, 1)->mass += place.x * (1 - place.y);
    corner_of(l, i, 2)->mass += place.x * place.y;
    corner_of(l, i, 3)->mass += (1 - place.x) * place.y;
}

static void weigh_pixels(lattice *l) {
    for (int y = 0; y < l->box.h; y++)
        for (int x = 0; x < l->box.w; x++) {
            bool solid = pv_mask_get_pixel(l->mask, l->box.x + x, l->box.y + y);
            double u = (x + 0.5) / l->size.x, v = (y + 0.5) / l->size.y;
            int column = (int)u, row = (int)v, i = first_of(l) + row * l->width + column;
            pv_vec2 place = pv__vec(u - column, v - row);
            count_pixel(&l->cells[i], place, solid);
            if (solid) weigh_pixel(l, i, place);
        }
}

static void fill_cells(lattice *l) {
    for (int i = 0; i < l->count; i++) {
        int column = i % l->width - 1, row = i / l->width - 1;
        l->nodes[i].at = pv__vec(l->box.x + column * l->size.x, l->box.y + row * l->size.y);
        l->nodes[i].point = l->cells[i].cut = -1;
    }
    weigh_pixels(l);
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < 4 && is_used(l, i); k++) corner_of(l, i, k)->cells++;
}

/* ---- almost empty corners ---- */

/// Tells whether all four cells at a node are whole, so that each may lose its edges there.
static bool is_whole_round(const lattice *l, int i) {
    for (int k = 0; k < 4; k++)
        if (!is_used(l, cell_at(l, i, k)) || l->cells[cell_at(l, i, k)].cut >= 0) return false;
    return true;
}

/// Tells whether a cell stays connected to the cell beyond an edge when it loses that edge.
/// @param edge edge from this corner to the next one clockwise
/// @param kept the end of the edge that is not the corner that is cut off
static bool can_lose_edge(const lattice *l, int i, int edge, int kept) {
    const int beyond[4] = {-l->width, 1, l->width, -1};
    return !is_used(l, i + beyond[edge]) || is_whole_round(l, node_at(l, i, kept));
}

static void cut_corner(lattice *l, int i) {
    double least = LEAST_CORNER;
    cell *c = &l->cells[i];
    for (int k = 0; k < 4; k++) {
        double filled = c->half[k] ? (double)c->filled[k] / c->half[k] : 1;
        int before = (k + 3) & 3, after = (k + 1) & 3;
        if (filled >= least || !can_lose_edge(l, i, k, after) ||
            !can_lose_edge(l, i, before, before))
            continue;
        least = filled;
        c->cut = k;
    }
    if (c->cut < 0) return;
    node *gone = corner_of(l, i, c->cut);
    if (--gone->cells > 0) return;
    for (int k = 1; k < 4; k++) corner_of(l, i, (c->cut + k) & 3)->mass += gone->mass / 3;
}

/* ---- nodes at the outline ---- */

/// Returns twice the area of the triangle of a corner and the corners before and after it [px^2].
static double corner_area(const lattice *l, int i, int corner) {
    pv_vec2 a = corner_of(l, i, (corner + 3) & 3)->at, b = corner_of(l, i, corner)->at,
            c = corner_of(l, i, (corner + 1) & 3)->at;
    return pv__cross(pv__sub(b, a), pv__sub(c, b));
}

static bool is_sound(const lattice *l, int i) {
    int cut = l->cells[i].cut;
    double least = LEAST_PART * l->size.x * l->size.y;
    if (cut >= 0) return corner_area(l, i, (cut + 2) & 3) >= least;
    for (int k = 0; k < 4; k++)
        if (corner_area(l, i, k) < least) return false;
    return true;
}

static bool is_sound_round(const lattice *l, int i) {
    for (int k = 0; k < 4; k++)
        if (is_used(l, cell_at(l, i, k)) && !is_sound(l, cell_at(l, i, k))) return false;
    return true;
}

/// Tells whether two cells have only this node in common.
static bool is_hinge(const lattice *l, int i) {
    bool used[4];
    for (int k = 0; k < 4; k++) used[k] = is_used(l, cell_at(l, i, k));
    return used[0] == used[3] && used[1] == used[2] && used[0] != used[1];
}

/// Returns the displacement from a place to the nearest point of a solid pixel in the cells around
/// it [px].
static pv_vec2 way_to_solid(const lattice *l, pv_vec2 at) {
    pv_vec2 best = {0, 0};
    double nearest = INFINITY;
    for (int y = (int)(at.y - l->size.y); y <= (int)(at.y + l->size.y); y++)
        for (int x = (int)(at.x - l->size.x); x <= (int)(at.x + l->size.x); x++) {
            if (!pv_mask_get_pixel(l->mask, x, y)) continue;
            pv_vec2 on = pv__vec(pv__clamp(at.x, x, x + 1), pv__clamp(at.y, y, y + 1)),
                    way = pv__sub(on, at);
            if (pv__dot(way, way) >= nearest) continue;
            nearest = pv__dot(way, way);
            best = way;
        }
    return best;
}

static void snap_node(lattice *l, int i) {
    node *n = &l->nodes[i];
    if (n->cells == 0 || n->cells == 4 || is_hinge(l, i)) return;
    pv_vec2 from = n->at, way = way_to_solid(l, from);
    for (int quarters = 4; quarters >= 0; quarters--) {
        n->at = pv__mad(from, quarters / 4.0, way);
        if (is_sound_round(l, i)) return;
    }
}

/* ---- the mesh ---- */

static void add_triangle(lattice *l, int a, int b, int c) {
    int *t = l->triangles[l->mesh.triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/// Joins two nodes, if both are used.
static void add_link(lattice *l, const node *a, const node *b) {
    if (a->point < 0 || b->point < 0) return;
    int *link = l->links[l->mesh.link_count++];
    link[0] = a->point;
    link[1] = b->point;
}

static void cut_cell(lattice *l, int i) {
    int p[4], cut = l->cells[i].cut;
    for (int k = 0; k < 4; k++) p[k] = corner_of(l, i, k)->point;
    if (cut >= 0) {
        add_triangle(l, p[(cut + 1) & 3], p[(cut + 2) & 3], p[(cut + 3) & 3]);
        return;
    }
    add_triangle(l, p[0], p[1], p[3]);
    add_triangle(l, p[1], p[2], p[3]);
}

/// Joins the corners beside a node that is the only connection of two cells.
static void brace_hinge(lattice *l, int i) {
    if (!is_hinge(l, i)) return;
    int sign = is_used(l, cell_at(l, i, 0)) ? 1 : -1;
    const node *n = &l->nodes[i];
    add_link(l, n - l->width, n + sign);
    add_link(l, n - sign, n + l->width);
}

/// Joins two nodes across the node between them in a line, so that tips do not fold.
/// @param step,aside offsets from a node to the next one in the line, and across the line
static void brace_line(lattice *l, int i, int step, int aside) {
    for (int k = i; k <= i + step; k += step)
        if (!is_used(l, k) && !is_used(l, k - aside)) return;
    add_link(l, &l->nodes[i], &l->nodes[i + 2 * step]);
}

/// Scales the masses of the used nodes to the given sum, and returns their center of mass.
static pv_vec2 balance(lattice *l, double mass) {
    double sum = 0;
    pv_vec2 center = {0, 0};
    for (int i = 0; i < l->count; i++) {
        node *n = &l->nodes[i];
        if (n->cells == 0) continue;
        n->mass = pv__max(n->mass, LEAST_PART * l->size.x * l->size.y);
        sum += n->mass;
        center = pv__mad(center, n->mass, n->at);
    }
    for (int i = 0; i < l->count; i++) l->nodes[i].mass *= mass / sum;
    return pv__mul(1 / sum, center);
}

static void list_points(lattice *l, const pv_jelly_def *def, pv_vec2 center) {
    pv_rotation turn = pv__rotation(def->angle);
    int w = pv_mask_get_width(l->mask), h = pv_mask_get_height(l->mask);
    for (int i = 0; i < l->count; i++) {
        node *n = &l->nodes[i];
        if (n->cells == 0) continue;
        n->point = l->mesh.point_count++;
        l->points[n->point] = pv__add(def->position, pv__rotate(turn, pv__sub(n->at, center)));
        l->texture[n->point] = pv__vec(n->at.x / w, n->at.y / h);
        l->masses[n->point] = n->mass;
    }
}

static void make_lattice(lattice *l, const pv_jelly_def *def) {
    fill_cells(l);
    for (int i = 0; i < l->count; i++)
        if (is_used(l, i)) cut_corner(l, i);
    for (int i = first_of(l); i < l->count; i++) snap_node(l, i);
    list_points(l, def, balance(l, def->density * (double)pv_mask_count_pixels(l->mask)));
    for (int i = 0; i < l->count; i++)
        if (is_used(l, i)) cut_cell(l, i);
    for (int i = first_of(l); i < l->count; i++) {
        brace_hinge(l, i);
        brace_line(l, i, 1, l->width);
        brace_line(l, i, l->width, 1);
    }
}

/* ---- jelly ---- */

pv_jelly_def pv_jelly_def_default(void) {
    return (pv_jelly_def){.spacing = 8,
                          .density = 0.05,
                          .linear_damping = 0.3,
                          .restitution = 0.2,
                          .static_friction = -1,
                          .friction = 0.5,
                          .stiffness = 8000,
                          .damping = 50,
                          .filter = pv__filter_everybody(),
                          .cookie = PV__COOKIE};
}

static const pv__field_row fields[] = {
    PV__VECTOR(pv_jelly_def, position, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_jelly_def, angle, PV__RANGE_SPIN),
    PV__DOUBLE(pv_jelly_def, spacing, 2, 256),
    PV__DOUBLE(pv_jelly_def, density, 1e-6, 1e6),
    PV__BUILD_DAMPING(pv_jelly_def),
    PV__MATERIAL(pv_jelly_def),
    PV__DOUBLE(pv_jelly_def, stiffness, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_jelly_def, damping, PV__RANGE_STIFFNESS),
};

static bool check_def(pv_error *e, const pv_jelly_def *def) {
    return pv__check_cookie(e, def, def ? def->cookie : 0, "pv_jelly_def_default") &&
           pv__build_check_mask(e, def->mask) && PV__CHECK_FIELDS(e, def, fields) &&
           pv__impulse_check_friction(e, "def.friction", def->static_friction, def->friction);
}

/// Returns the number of cells along a side.
static int cells_along(int side, double spacing) {
    return pv__later(1, (int)(side / spacing + 0.5));
}

/// Divides the picture into cells, or fills the error.
static bool divide(pv_error *e, lattice *l, const pv_jelly_def *def) {
    int columns = cells_along(l->box.w, def->spacing), rows = cells_along(l->box.h, def->spacing);
    if ((int64_t)columns * rows > MOST_CELLS)
        return pv__error_say(e, PV_ERROR_TOO_LARGE, "def.spacing",
                             "def.spacing makes %d x %d cells, must make at most %d", columns, rows,
                             MOST_CELLS) == PV_OK;
    l->width = columns + 2;
    l->count = l->width * (rows + 2);
    l->size = pv__vec((double)l->box.w / columns, (double)l->box.h / rows);
    return true;
}

static void build_lattice(pv__build *b, const pv_jelly_def *def, lattice *l) {
    l->mesh.points = l->points;
    l->mesh.texture = l->texture;
    l->mesh.masses = l->masses;
    l->mesh.triangles = (const int(*)[3])l->triangles;
    l->mesh.links = (const int(*)[2])l->links;
    l->mesh.braced = true;
    l->mesh.grain = PV__BUILD_GRAIN(def, 1);
    l->mesh.stiffness = def->stiffness;
    l->mesh.damping = def->damping;
    pv__build_mesh(b, &l->mesh);
}

static void make_jelly(pv__build *b, const pv_jelly_def *def) {
    const pv_allocator *from = &b->world->def.allocator;
    lattice l = {.mask = def->mask, .box = pv_mask_compute_bounds(def->mask)};
    /* A cell has up to two triangles, and a node up to four links. */
    const pv__array arrays[] = {
        {&l.cells, sizeof *l.cells},     {&l.nodes, sizeof *l.nodes},
        {&l.points, sizeof *l.points},   {&l.texture, sizeof *l.texture},
        {&l.masses, sizeof *l.masses},   {&l.triangles, 2 * sizeof *l.triangles},
        {&l.links, 4 * sizeof *l.links},
    };
    int lengths[sizeof arrays / sizeof *arrays] = {0};
    const int count = sizeof arrays / sizeof *arrays;
    if (!divide(b->error, &l, def)) return;
    if (pv__arrays_reserve(from, arrays, lengths, count, l.count)) {
        make_lattice(&l, def);
        build_lattice(b, def, &l);
    } else
        pv__error_set(b->error, PV_ERROR_MEMORY);
    pv__arrays_free(from, arrays, lengths, count);
}

pv_composite_id pv_jelly_create(pv_world *world, const pv_jelly_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) check_def(e, def);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_jelly(&b, def);
    return pv__build_end(&b);
}
