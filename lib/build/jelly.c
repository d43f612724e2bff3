/* jelly.c - sprites as soft lattices.
 *
 * Invariant: a cell of the grid is used if it has a solid pixel, so the lattice is connected where
 * the picture is. Nodes move towards the outline only as long as each corner of their cells keeps a
 * tenth of its area. Thus no triangle is turned over.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"
#include "core/world.h"

enum { MOST_CELLS = 1 << 16 };

/// Least solid part of half a cell; a half with less is removed
static const double LEAST_CORNER = 0.15;
/// Least area of a cell's corner [cell], and least mass of a node [mass of a whole cell]
static const double LEAST_PART = 0.1;

typedef struct cell {
    /// Number of solid pixels; 0: not used
    int solid;
    /// Corner that is cut off, or -1
    int cut;
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
    pv_allocator allocator;
    const pv_mask *mask;
    /// Bounds of the solid pixels
    pv_rect box;
    /// Number of cells along each axis
    int columns, rows;
    /// Size of a cell [px]
    pv_vec2 size;
    cell *cells;
    /// Nodes, with a column and a row more than the cells
    node *nodes;
    pv_vec2 *points, *texture;
    double *masses;
    int (*triangles)[3], (*links)[2];
    int point_count, triangle_count, link_count;
} lattice;

static int cell_count(const lattice *l) { return l->columns * l->rows; }
static int node_count(const lattice *l) { return (l->columns + 1) * (l->rows + 1); }

static bool is_used(const lattice *l, int column, int row) {
    return column >= 0 && column < l->columns && row >= 0 && row < l->rows &&
           l->cells[row * l->columns + column].solid > 0;
}

/// Returns a corner of a cell. Corners are 0...3, clockwise on the screen from the upper left one.
static node *corner_of(const lattice *l, int column, int row, int corner) {
    int right = corner == 1 || corner == 2, below = corner >= 2;
    return &l->nodes[(row + below) * (l->columns + 1) + column + right];
}

/* ---- memory ---- */

static bool lattice_alloc(lattice *l) {
    size_t cells = (size_t)cell_count(l), nodes = (size_t)node_count(l);
    l->cells = pv__alloc(&l->allocator, cells, sizeof *l->cells);
    l->nodes = pv__alloc(&l->allocator, nodes, sizeof *l->nodes);
    l->points = pv__alloc(&l->allocator, nodes, sizeof *l->points);
    l->texture = pv__alloc(&l->allocator, nodes, sizeof *l->texture);
    l->masses = pv__alloc(&l->allocator, nodes, sizeof *l->masses);
    l->triangles = pv__alloc(&l->allocator, 2 * cells, sizeof *l->triangles);
    l->links = pv__alloc(&l->allocator, 4 * nodes, sizeof *l->links);
    return l->cells && l->nodes && l->points && l->texture && l->masses && l->triangles && l->links;
}

static void lattice_free(lattice *l) {
    size_t cells = (size_t)cell_count(l), nodes = (size_t)node_count(l);
    pv__free(&l->allocator, l->cells, cells, sizeof *l->cells);
    pv__free(&l->allocator, l->nodes, nodes, sizeof *l->nodes);
    pv__free(&l->allocator, l->points, nodes, sizeof *l->points);
    pv__free(&l->allocator, l->texture, nodes, sizeof *l->texture);
    pv__free(&l->allocator, l->masses, nodes, sizeof *l->masses);
    pv__free(&l->allocator, l->triangles, 2 * cells, sizeof *l->triangles);
    pv__free(&l->allocator, l->links, 4 * nodes, sizeof *l->links);
}

/* ---- pixels into cells ---- */

/// Function for every solid pixel of a cell. Its place is the pixel's center from the cell's upper
/// left corner [cell].
typedef void visit_fn(lattice *l, int column, int row, pv_vec2 place);

static void visit_pixels(lattice *l, visit_fn *visit) {
    for (int y = 0; y < l->box.h; y++)
        for (int x = 0; x < l->box.w; x++) {
            if (!pv_mask_get_pixel(l->mask, l->box.x + x, l->box.y + y)) continue;
            double u = (x + 0.5) / l->size.x, v = (y + 0.5) / l->size.y;
            int column = (int)u, row = (int)v;
            visit(l, column, row, pv__vec(u - column, v - row));
        }
}

/// Distributes a pixel's mass to the corners of its cell, so that their center of mass is the
/// pixel's center.
static void weigh_pixel(lattice *l, int column, int row, pv_vec2 place) {
    l->cells[row * l->columns + column].solid++;
    corner_of(l, column, row, 0)->mass += (1 - place.x) * (1 - place.y);
    corner_of(l, column, row, 1)->mass += place.x * (1 - place.y);
    corner_of(l, column, row, 2)->mass += place.x * place.y;
    corner_of(l, column, row, 3)->mass += (1 - place.x) * place.y;
}

static void fill_cells(lattice *l) {
    int width = l->columns + 1;
    for (int i = 0; i < node_count(l); i++) {
        l->nodes[i].at =
            pv__vec(l->box.x + (i % width) * l->size.x, l->box.y + (i / width) * l->size.y);
        l->nodes[i].point = -1;
    }
    visit_pixels(l, weigh_pixel);
    for (int i = 0; i < cell_count(l); i++) {
        l->cells[i].cut = -1;
        for (int k = 0; k < 4 && l->cells[i].solid; k++)
            corner_of(l, i % l->columns, i / l->columns, k)->cells++;
    }
}

/* ---- almost empty corners ---- */

/// Returns the solid part of the half of a cell that is nearest to a corner, 0...1.
static double half_filled(const lattice *l, int column, int row, int corner) {
    int left = (int)(column * l->size.x), top = (int)(row * l->size.y), found = 0, all = 0;
    for (int y = top; y <= (int)((row + 1) * l->size.y); y++)
        for (int x = left; x <= (int)((column + 1) * l->size.x); x++) {
            double u = (x + 0.5) / l->size.x - column, v = (y + 0.5) / l->size.y - row;
            if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
            if ((corner == 1 || corner == 2 ? 1 - u : u) + (corner >= 2 ? 1 - v : v) >= 1) continue;
            all++;
            found += pv_mask_get_pixel(l->mask, l->box.x + x, l->box.y + y);
        }
    return all ? (double)found / all : 1;
}

/// Tells whether a cell at a node is used. The cells are 0...3, row by row from the upper left one.
static bool is_used_at(const lattice *l, int column, int row, int which) {
    return is_used(l, column - 1 + (which & 1), row - 1 + (which >> 1));
}

/// Tells whether all four cells at a node are whole, so that each may lose its edges there.
static bool is_whole_round(const lattice *l, int column, int row) {
    for (int k = 0; k < 4; k++)
        if (!is_used_at(l, column, row, k) ||
            l->cells[(row - 1 + (k >> 1)) * l->columns + column - 1 + (k & 1)].cut >= 0)
            return false;
    return true;
}

/// Tells whether a cell stays connected with the one beyond an edge from a corner without that
/// edge.
static bool can_lose_edge(const lattice *l, int column, int row, int corner, int next) {
    int right = corner == 1 || corner == 2, below = corner >= 2;
    int next_right = next == 1 || next == 2, next_below = next >= 2;
    int beyond_x = column + (right == next_right ? 2 * right - 1 : 0),
        beyond_y = row + (below == next_below ? 2 * below - 1 : 0);
    return !is_used(l, beyond_x, beyond_y) ||
           is_whole_round(l, column + next_right, row + next_below);
}

static void cut_corner(lattice *l, int column, int row) {
    double least = LEAST_CORNER;
    int *cut = &l->cells[row * l->columns + column].cut;
    for (int k = 0; k < 4; k++) {
        double filled = half_filled(l, column, row, k);
        if (filled >= least || !can_lose_edge(l, column, row, k, (k + 1) & 3) ||
            !can_lose_edge(l, column, row, k, (k + 3) & 3))
            continue;
        least = filled;
        *cut = k;
    }
    if (*cut < 0) return;
    node *gone = corner_of(l, column, row, *cut);
    if (--gone->cells > 0) return;
    for (int k = 1; k < 4; k++) corner_of(l, column, row, (*cut + k) & 3)->mass += gone->mass / 3;
}

/* ---- nodes at the outline ---- */

/// Returns twice the area of the triangle of a corner with the corners before and after it [px^2].
static double corner_area(const lattice *l, int column, int row, int corner) {
    pv_vec2 a = corner_of(l, column, row, (corner + 3) & 3)->at,
            b = corner_of(l, column, row, corner)->at,
            c = corner_of(l, column, row, (corner + 1) & 3)->at;
    return pv__cross(pv__sub(b, a), pv__sub(c, b));
}

static bool is_sound(const lattice *l, int column, int row) {
    int cut = l->cells[row * l->columns + column].cut;
    double least = LEAST_PART * l->size.x * l->size.y;
    if (cut >= 0) return corner_area(l, column, row, (cut + 2) & 3) >= least;
    for (int k = 0; k < 4; k++)
        if (corner_area(l, column, row, k) < least) return false;
    return true;
}

static bool is_sound_round(const lattice *l, int column, int row) {
    for (int k = 0; k < 4; k++)
        if (is_used_at(l, column, row, k) && !is_sound(l, column - 1 + (k & 1), row - 1 + (k >> 1)))
            return false;
    return true;
}

/// Tells whether two cells have only this node in common.
static bool is_hinge(const lattice *l, int column, int row) {
    bool used[4];
    for (int k = 0; k < 4; k++) used[k] = is_used_at(l, column, row, k);
    return used[0] == used[3] && used[1] == used[2] && used[0] != used[1];
}

/// Returns the displacement from a node to the nearest point of a solid pixel in the cells around
/// it [px].
static pv_vec2 way_to_solid(const lattice *l, int column, int row) {
    pv_vec2 at = l->nodes[row * (l->columns + 1) + column].at, best = {0, 0};
    double nearest = -1;
    for (int y = (int)(at.y - l->size.y); y <= (int)(at.y + l->size.y); y++)
        for (int x = (int)(at.x - l->size.x); x <= (int)(at.x + l->size.x); x++) {
            if (!pv_mask_get_pixel(l->mask, x, y)) continue;
            pv_vec2 on = pv__vec(pv__clamp(at.x, x, x + 1), pv__clamp(at.y, y, y + 1)),
                    way = pv__sub(on, at);
            if (nearest >= 0 && pv__dot(way, way) >= nearest) continue;
            nearest = pv__dot(way, way);
            best = way;
        }
    return best;
}

static void snap_node(lattice *l, int column, int row) {
    node *n = &l->nodes[row * (l->columns + 1) + column];
    if (n->cells == 0 || n->cells == 4 || is_hinge(l, column, row)) return;
    pv_vec2 from = n->at, way = way_to_solid(l, column, row);
    for (int quarters = 4; quarters >= 0; quarters--) {
        n->at = pv__mad(from, quarters / 4.0, way);
        if (is_sound_round(l, column, row)) return;
    }
}

/* ---- the mesh ---- */

static void add_triangle(lattice *l, int a, int b, int c) {
    int *t = l->triangles[l->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void add_link(lattice *l, int a, int b) {
    if (a < 0 || b < 0) return;
    int *link = l->links[l->link_count++];
    link[0] = a;
    link[1] = b;
}

static void cut_cell(lattice *l, int column, int row) {
    int p[4], cut = l->cells[row * l->columns + column].cut;
    for (int k = 0; k < 4; k++) p[k] = corner_of(l, column, row, k)->point;
    if (cut >= 0) {
        add_triangle(l, p[(cut + 1) & 3], p[(cut + 2) & 3], p[(cut + 3) & 3]);
        return;
    }
    add_triangle(l, p[0], p[1], p[3]);
    add_triangle(l, p[1], p[2], p[3]);
}

/// Joins the corners beside a node that alone connects two cells.
static void brace_hinge(lattice *l, int column, int row) {
    if (!is_hinge(l, column, row)) return;
    int width = l->columns + 1, at = row * width + column,
        sign = is_used_at(l, column, row, 0) ? 1 : -1;
    add_link(l, l->nodes[at - width].point, l->nodes[at + sign].point);
    add_link(l, l->nodes[at - sign].point, l->nodes[at + width].point);
}

/// Joins two nodes over the node between them in a line, so that tips do not fold.
static void brace_line(lattice *l, int column, int row, bool down) {
    int step = down ? l->columns + 1 : 1, at = row * (l->columns + 1) + column;
    for (int i = 0; i < 2; i++) {
        int x = column + (down ? 0 : i), y = row + (down ? i : 0);
        if (!is_used(l, x, y) && !(down ? is_used(l, x - 1, y) : is_used(l, x, y - 1))) return;
    }
    add_link(l, l->nodes[at].point, l->nodes[at + 2 * step].point);
}

/// Scales the masses of the used nodes to a sum, and returns their center of mass.
static pv_vec2 balance(lattice *l, double mass) {
    double sum = 0;
    pv_vec2 center = {0, 0};
    for (int i = 0; i < node_count(l); i++) {
        node *n = &l->nodes[i];
        if (n->cells == 0) continue;
        n->mass = pv__max(n->mass, LEAST_PART * l->size.x * l->size.y);
        sum += n->mass;
        center = pv__mad(center, n->mass, n->at);
    }
    for (int i = 0; i < node_count(l); i++) l->nodes[i].mass *= mass / sum;
    return pv__mul(1 / sum, center);
}

static void list_points(lattice *l, const pv_jelly_def *def, pv_vec2 center) {
    pv_rotation turn = pv__rotation(def->angle);
    int w = pv_mask_get_width(l->mask), h = pv_mask_get_height(l->mask);
    for (int i = 0; i < node_count(l); i++) {
        node *n = &l->nodes[i];
        if (n->cells == 0) continue;
        n->point = l->point_count++;
        l->points[n->point] = pv__add(def->position, pv__rotate(turn, pv__sub(n->at, center)));
        l->texture[n->point] = pv__vec(n->at.x / w, n->at.y / h);
        l->masses[n->point] = n->mass;
    }
}

static void make_lattice(lattice *l, const pv_jelly_def *def) {
    int columns = l->columns, rows = l->rows;
    fill_cells(l);
    for (int i = 0; i < cell_count(l); i++)
        if (l->cells[i].solid) cut_corner(l, i % columns, i / columns);
    for (int i = 0; i < node_count(l); i++) snap_node(l, i % (columns + 1), i / (columns + 1));
    list_points(l, def, balance(l, def->density * (double)pv_mask_count_pixels(l->mask)));
    for (int i = 0; i < columns * rows; i++)
        if (l->cells[i].solid) cut_cell(l, i % columns, i / columns);
    for (int i = 0; i < node_count(l); i++) {
        brace_hinge(l, i % (columns + 1), i / (columns + 1));
        brace_line(l, i % (columns + 1), i / (columns + 1), false);
        brace_line(l, i % (columns + 1), i / (columns + 1), true);
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
    int count = (int)(side / spacing + 0.5);
    return count < 1 ? 1 : count;
}

/// Makes the lattice, or fills the error.
static bool lay_lattice(pv_error *e, lattice *l, const pv_jelly_def *def) {
    l->columns = cells_along(l->box.w, def->spacing);
    l->rows = cells_along(l->box.h, def->spacing);
    if ((int64_t)l->columns * l->rows > MOST_CELLS)
        return pv__error_say(e, PV_ERROR_TOO_LARGE, "def.spacing",
                             "def.spacing makes %d x %d cells, must make at most %d", l->columns,
                             l->rows, MOST_CELLS) == PV_OK;
    l->size = pv__vec((double)l->box.w / l->columns, (double)l->box.h / l->rows);
    if (!lattice_alloc(l)) {
        lattice_free(l);
        return pv__error_set(e, PV_ERROR_MEMORY) == PV_OK;
    }
    make_lattice(l, def);
    return true;
}

static void make_jelly(pv__build *b, const pv_jelly_def *def) {
    lattice l = {.allocator = pv__allocator(&b->world->def.allocator),
                 .mask = def->mask,
                 .box = pv_mask_compute_bounds(def->mask)};
    if (!lay_lattice(b->error, &l, def)) return;
    pv__mesh mesh = {.points = l.points,
                     .texture = l.texture,
                     .masses = l.masses,
                     .triangles = (const int(*)[3])l.triangles,
                     .links = (const int(*)[2])l.links,
                     .point_count = l.point_count,
                     .triangle_count = l.triangle_count,
                     .link_count = l.link_count,
                     .braced = true,
                     .grain = PV__BUILD_GRAIN(def, 1),
                     .stiffness = def->stiffness,
                     .damping = def->damping};
    pv__build_mesh(b, &mesh);
    lattice_free(&l);
}

pv_composite_id pv_jelly_create(pv_world *world, const pv_jelly_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) check_def(e, def);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_jelly(&b, def);
    pv__build_solid(&b);
    return pv__build_end(&b);
}
