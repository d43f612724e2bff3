/* plant.c - builds trees and grass.
 *
 * Invariant: the third side of a triangle holds each angle, so it resists even the slightest bend.
 * A straight row of three points would give way. The same seed grows the same plant on every
 * machine.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"

/* ---- dice: splitmix64 (Steele, Lea and Flood 2014) ---- */

static double roll(uint64_t *state, double low, double high) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

/// Ratio of a spring's damping to its stiffness [s]. It is a few substeps, because a greater ratio
/// shakes stiff meshes
static const double LOSS = 0.004;

static pv_particle_def grain_of(double drag, pv_filter filter) {
    pv_particle_def def = pv__build_grain(1, drag, filter);
    def.static_friction = def.friction = 0;
    return def;
}

/// Creates two pinned particles on both sides of a root.
/// @param reach vector from the root to the second one [px]
static void make_stays(pv__build *b, pv_particle_def grain, pv_vec2 root, pv_vec2 reach,
                       pv_particle_id stays[2]) {
    grain.mass = 0;
    grain.collides = false;
    for (int i = 0; i < 2; i++) {
        grain.position = pv__mad(root, 2 * i - 1, reach);
        stays[i] = pv__build_particle(b, &grain);
    }
}

/// Joins a particle to both stays with springs.
static void stay(pv__build *b, const pv_particle_id stays[2], pv_particle_id to, double stiffness) {
    for (int i = 0; i < 2; i++) pv__build_stick(b, stays[i], to, stiffness, LOSS * stiffness);
}

/* ---- trees ---- */

/// Limits of a tree. FOLIAGE is the number of forks with leaves, counted from the tips inward
enum { MOST_FORKS = 8, FOLIAGE = 2 };

/// Length and mass of a branch relative to its parent's, and angle to its parent [rad]
static const double LEAST_LENGTH = 0.68, MOST_LENGTH = 0.86, MASS = 0.4, LEAST_FORK = 0.25,
                    MOST_FORK = 0.6;
/// Distance of the stays from a tree's root, and radii of its trunk and a leaf, per height of the
/// tree
static const double STANCE = 0.12, GIRTH = 0.025, PLANT_LEAF = 0.009;

/// End of a branch
typedef struct node {
    /// Place from the root, in lengths of the trunk
    pv_vec2 at;
    /// Mass in units of the trunk's mass
    double mass;
    /// Nodes of parent and sibling, or PV__NONE
    int parent, twin;
    /// Number of forks up to its leaves
    int height;
    pv_particle_id particle;
    /// Stick from its parent
    pv_joint_id stick;
} node;

typedef struct tree {
    /// Nodes; the first one is the root
    node nodes[1 << (MOST_FORKS + 1)];
    int count;
    uint64_t dice;
    /// Pinned particles beside the root
    pv_particle_id stays[2];
} tree;

/// Grows a branch and all branches on it, and returns the node at its end.
static int grow(tree *t, int parent, double angle, double length, double mass, int depth) {
    int own = t->count++;
    pv_rotation way = pv__rotation(angle);
    t->nodes[own] = (node){.at = pv__mad(t->nodes[parent].at, length, pv__vec(way.s, -way.c)),
                           .mass = mass,
                           .parent = parent,
                           .twin = PV__NONE,
                           .height = depth};
    if (depth == 0) return own;
    int last = PV__NONE;
    for (int side = -1; side <= 1; side += 2) {
        double turn = side * roll(&t->dice, LEAST_FORK, MOST_FORK);
        double part = roll(&t->dice, LEAST_LENGTH, MOST_LENGTH);
        int next = grow(t, own, angle + turn, part * length, MASS * mass, depth - 1);
        t->nodes[next].twin = last;
        last = next;
    }
    return own;
}

static double height_of(const tree *t) {
    double height = 0;
    for (int i = 0; i < t->count; i++) height = pv__max(height, -t->nodes[i].at.y);
    return height;
}

static void plant_tree(pv__build *b, const pv_tree_def *def, tree *t) {
    pv_particle_def grain = grain_of(def->linear_damping, def->filter);
    double scale = def->height / height_of(t);
    for (int i = 0; i < t->count; i++) {
        node *n = &t->nodes[i];
        grain.position = pv__mad(def->root, scale, n->at);
        grain.mass = i == 0 ? 0 : pv__max(def->mass * n->mass, PV__LEAST_MASS);
        grain.radius =
            pv__clamp(def->height * (n->height == 0 ? PLANT_LEAF : GIRTH * sqrt(n->mass)), 0.5,
                      PV__MOST_PARTICLE_RADIUS);
        grain.collides = i != 0;
        n->particle = pv__build_particle(b, &grain);
    }
    make_stays(b, grain, def->root, pv__vec(STANCE * def->height, 0), t->stays);
}

static void brace_tree(pv__build *b, const pv_tree_def *def, tree *t) {
    node *nodes = t->nodes;
    for (int i = 1; i < t->count; i++)
        nodes[i].stick =
            pv__build_stick(b, nodes[nodes[i].parent].particle, nodes[i].particle, 0, 0);
    for (int i = 1; i < t->count; i++) {
        const node *n = &nodes[i];
        double k = def->stiffness * n->mass;
        if (n->parent > 0)
            pv__build_stick(b, nodes[nodes[n->parent].parent].particle, n->particle, k, LOSS * k);
        if (n->twin != PV__NONE)
            pv__build_stick(b, nodes[n->twin].particle, n->particle, k, LOSS * k);
        if (n->parent == 0) stay(b, t->stays, n->particle, k);
    }
}

/// Creates the leaves, each between two twigs and their fork.
static void leaf_tree(pv__build *b, const tree *t) {
    for (int i = 1; i < t->count; i++) {
        const node *n = &t->nodes[i];
        if (n->twin == PV__NONE || n->height > FOLIAGE) continue;
        pv_triangle leaf = {{t->nodes[n->parent].particle, t->nodes[n->twin].particle, n->particle},
                            {{0.5, 1}, {0, 0}, {1, 0}},
                            {t->nodes[n->twin].stick, n->stick}};
        pv__build_triangle(b, &leaf);
    }
}

pv_tree_def pv_tree_def_default(void) {
    return (pv_tree_def){.height = 160,
                         .depth = 5,
                         .mass = 8,
                         .stiffness = 80000,
                         .linear_damping = 1,
                         .filter = pv__filter_everybody(),
                         .cookie = PV__COOKIE};
}

static const pv__field_row tree_fields[] = {
    PV__VECTOR(pv_tree_def, root, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_tree_def, height, 1, 1e5),
    PV__INT(pv_tree_def, depth, 0, MOST_FORKS),
    PV__DOUBLE(pv_tree_def, mass, PV__LEAST_MASS, PV__MOST_MASS),
    PV__DOUBLE(pv_tree_def, stiffness, 1e-6, PV__MOST_STIFFNESS),
    PV__BUILD_DAMPING(pv_tree_def),
};

pv_composite_id pv_tree_create(pv_world *world, const pv_tree_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    (void)(pv__check_world(e, world) && PV__CHECK_DEF(e, def, pv_tree_def_default, tree_fields));
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) {
        tree t = {.count = 1, .dice = def->seed};
        t.nodes[0] = (node){.mass = 1, .parent = PV__NONE, .twin = PV__NONE};
        grow(&t, 0, roll(&t.dice, -0.1, 0.1), 1, 1, def->depth);
        plant_tree(&b, def, &t);
        brace_tree(&b, def, &t);
        leaf_tree(&b, &t);
    }
    return pv__build_end(&b);
}

/* ---- grass ---- */

enum { MOST_PIECES = 16 };

/// Width at the ground, greatest lean of the tip, and distance of the stays, per height of a blade;
/// mass [mass/px]
static const double BLADE_WIDTH = 0.14, BLADE_LEAN = 0.3, BLADE_STANCE = 0.5, BLADE_MASS = 0.0008;

/// Frame of a blade
typedef struct blade {
    /// Root [px], and directions up and along the ground, of length 1
    pv_vec2 root, up, along;
    double height, lean;
} blade;

/// Returns corner i of a blade: two on the ground, then right and left in turn, and the tip.
static pv_vec2 blade_corner(const blade *it, int i, int segments) {
    double t = i < 2 ? 0 : (i - 1.0) / segments, side = i == segments + 1 ? 0 : (i & 1) - 0.5;
    double across = it->height * (side * BLADE_WIDTH * (1 - 0.6 * t) + it->lean * t * t);
    return pv__mad(pv__mad(it->root, across, it->along), it->height * t, it->up);
}

static pv_vec2 blade_texture(int i, int segments) {
    double t = i < 2 ? 0 : (i - 1.0) / segments;
    return pv__vec(i == segments + 1 ? 0.5 : (i & 1), 1 - t);
}

static void grow_blade(pv__build *b, const pv_grass_def *def, const blade *it) {
    pv_particle_id stays[2], corners[MOST_PIECES + 2];
    pv_joint_id web[MOST_PIECES + 2] = {{0, 0}};
    pv_particle_def grain = grain_of(def->linear_damping, def->filter);
    grain.radius = 0.1; /* small, for less drag in wind */
    make_stays(b, grain, it->root, pv__mul(BLADE_STANCE * it->height, it->along), stays);
    for (int i = 0; i < def->segments + 2; i++) {
        grain.collides = i >= 2;
        grain.mass = i < 2 ? 0 : pv__max(BLADE_MASS * it->height / def->segments, PV__LEAST_MASS);
        grain.position = blade_corner(it, i, def->segments);
        corners[i] = pv__build_particle(b, &grain);
        if (i < 2) continue;
        web[i] = pv__build_stick(b, corners[i - 1], corners[i], 0, 0);
        double t = (i - 1.0) / def->segments;
        stay(b, stays, corners[i], def->stiffness / (t * t)); /* stiffer near the ground */
        pv_triangle skin = {{corners[i - 2], corners[i - 1], corners[i]},
                            {blade_texture(i - 2, def->segments),
                             blade_texture(i - 1, def->segments), blade_texture(i, def->segments)},
                            {web[i - 1], web[i]}};
        pv__build_triangle(b, &skin);
    }
}

pv_grass_def pv_grass_def_default(void) {
    return (pv_grass_def){.blade_count = 40,
                          .segments = 3,
                          .height = 24,
                          .stiffness = 3,
                          .linear_damping = 2,
                          .filter = pv__filter_everybody(),
                          .cookie = PV__COOKIE};
}

static const pv__field_row grass_fields[] = {
    PV__VECTOR(pv_grass_def, from, PV_MAX_COORDINATE),
    PV__VECTOR(pv_grass_def, to, PV_MAX_COORDINATE),
    PV__INT(pv_grass_def, blade_count, 1, 4096),
    PV__INT(pv_grass_def, segments, 1, MOST_PIECES),
    PV__DOUBLE(pv_grass_def, height, 1, 1e4),
    PV__DOUBLE(pv_grass_def, stiffness, 1e-6, PV__MOST_STIFFNESS),
    PV__BUILD_DAMPING(pv_grass_def),
};

/// Returns the direction across the ground, against gravity.
static pv_vec2 up_from(pv_vec2 along, pv_vec2 gravity) {
    pv_vec2 down = pv__perp(along);
    return pv__dot(down, gravity) < 0 ? down : pv__mul(-1, down);
}

pv_composite_id pv_grass_create(pv_world *world, const pv_grass_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world) && PV__CHECK_DEF(e, def, pv_grass_def_default, grass_fields))
        pv__build_check_apart(e, def->from, def->to);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) {
        uint64_t dice = def->seed;
        pv_vec2 way = pv__sub(def->to, def->from), along = pv__mul(1 / pv__length(way), way);
        blade it = {.up = up_from(along, pv_world_get_gravity(world)), .along = along};
        for (int i = 0; i < def->blade_count; i++) {
            it.root = pv__mad(def->from, (i + roll(&dice, 0, 1)) / def->blade_count, way);
            it.height = def->height * roll(&dice, 0.7, 1.2);
            it.lean = roll(&dice, -BLADE_LEAN, BLADE_LEAN);
            grow_blade(&b, def, &it);
        }
    }
    return pv__build_end(&b);
}
