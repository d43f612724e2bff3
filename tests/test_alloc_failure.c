/* test_alloc_failure.c - a script of all features, repeated with another allocation failing each
 * time, and worlds with extreme numbers.
 *
 * Invariant: the script is first run without failures. In later runs, calls that succeed give the
 * same results, and refused calls change nothing. Extreme worlds are checked with isfinite() and
 * against a world without the extremes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet/paper.h"
#include "support.h"

enum { STEPS = 50, AFTER = 10, MOST_SUMS = 128 };

/// Run of the script in which some allocations fail
typedef struct chaos {
    thief thief;
    pv_allocator allocator;
    pv_world *world;
    /* of the current call */
    /// True if the call may create some of its objects before it fails
    bool of_parts;
    /// True if the call may succeed without memory that it asked for
    bool copes;
    uint64_t hash;
    pv_world_stats stats;
    long failed;
    /* results so far, as numbers */
    int64_t *sums;
    int sum_count;
    /// True in the run without failures, which writes sums instead of comparing them
    bool first;
} chaos;

static void begin(chaos *c, long from, long to, int64_t *sums) {
    *c = (chaos){.thief = {.from = from, .before = to}, .sums = sums, .first = from == 0};
    c->allocator = (pv_allocator){thief_alloc, &c->thief};
}

/* ---- rules for every call ---- */

static void mix(uint64_t *h, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        *h = (*h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

/// Returns a digest of ids and places of all objects, and checks how many exist.
static uint64_t digest(const pv_world *w) {
    uint64_t h = UINT64_C(14695981039346656037);
    pv_world_stats left = pv_world_get_stats(w);
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(w, b)).index; left.bodies--) {
        pv_vec2 v[2] = {pv_body_get_position(w, b), pv_body_get_velocity(w, b)};
        mix(&h, &b, sizeof b), mix(&h, v, sizeof v);
    }
    for (pv_particle_id p = {0}; (p = pv_world_get_next_particle(w, p)).index; left.particles--) {
        pv_vec2 v[2] = {pv_particle_get_position(w, p), pv_particle_get_velocity(w, p)};
        mix(&h, &p, sizeof p), mix(&h, v, sizeof v);
    }
    for (pv_joint_id j = {0}; (j = pv_world_get_next_joint(w, j)).index; left.joints--)
        mix(&h, &j, sizeof j);
    for (pv_body_id p = {0}; (p = pv_world_get_next_polygon(w, p)).index;) left.polygons--;
    ck_assert(left.bodies == 0 && left.particles == 0 && left.joints == 0 && left.polygons == 0);
    return h;
}

static uint64_t state(const chaos *c) {
    return c->of_parts ? digest(c->world) : pv_world_compute_hash(c->world);
}

static void before(chaos *c, bool of_parts) {
    c->of_parts = of_parts;
    c->hash = state(c);
    c->stats = pv_world_get_stats(c->world);
    c->failed = c->thief.failures;
}

/// Checks that a refused call changed nothing. PV_ERROR_MEMORY needs a new failed allocation, and
/// any other error an earlier one. Calls without a world must report every failure.
static void after(chaos *c, pv_status status, int line) {
    pv_world_stats now = pv_world_get_stats(c->world);
    ck_assert_msg(c->thief.failures > 0 || status == PV_OK, "line %d: %s", line,
                  pv_status_to_string(status));
    ck_assert_msg(c->world || c->copes || status != PV_OK || c->thief.failures == c->failed,
                  "line %d, call %ld: nobody was told", line, c->thief.from);
    if (status == PV_OK) return;
    ck_assert_msg(status != PV_ERROR_MEMORY || c->thief.failures > c->failed, "line %d", line);
    ck_assert_msg(state(c) == c->hash, "line %d, call %ld: %s changed the world", line,
                  c->thief.from, pv_status_to_string(status));
    ck_assert_msg(now.bodies == c->stats.bodies && now.particles == c->stats.particles &&
                      now.joints == c->stats.joints && now.polygons == c->stats.polygons,
                  "line %d, call %ld: a half of something stays", line, c->thief.from);
}

#define CALL(c, of_parts, call)                                                                    \
    do {                                                                                           \
        pv_error error = {0};                                                                      \
        before(c, of_parts);                                                                       \
        call;                                                                                      \
        after(c, error.status, __LINE__);                                                          \
    } while (0)
#define TRY(c, call) CALL(c, false, call)
#define MAKE(c, call) CALL(c, true, call)
#define DO(c, call) TRY(c, error.status = call)

/// Compares a result with the run without failures; value < 0: no result.
static void sum(chaos *c, int64_t value) {
    ck_assert_int_lt(c->sum_count, MOST_SUMS);
    if (c->first)
        c->sums[c->sum_count] = value;
    else if (value >= 0)
        ck_assert_int_eq(value, c->sums[c->sum_count]);
    c->sum_count++;
}

/// Compares masks, unless they don't count, and releases them.
static void sum_masks(chaos *c, pv_mask *const *m, int count, bool of_account) {
    for (int i = 0; i < count; i++) {
        const pv_mask *n = of_account ? m[i] : NULL;
        sum(c, n ? pv_mask_count_pixels(n) * 100000 + pv_mask_get_width(n) * 300 +
                       pv_mask_get_height(n)
                 : -1);
        pv_mask_release(m[i]);
    }
}

/* ---- masks, pictures, files ---- */

static pv_mask *lumps(chaos *c, int w, int h) {
    pv_mask *m = NULL;
    TRY(c, m = pv_mask_create(w, h, &c->allocator, &error));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            pv_mask_set_pixel(m, x, y, (x * x + 3 * y * y + x * y) % 97 < 70);
    return m;
}

static pv_material_map *stuff(chaos *c, int w, int h) {
    unsigned char bytes[400];
    pv_material_map *map = NULL;
    ck_assert_int_le(w * h, 400);
    for (int i = 0; i < w * h; i++) bytes[i] = (unsigned char)(i * 3);
    TRY(c, map = pv_material_map_from_bytes(bytes, bytes, w, h, w, &c->allocator, &error));
    return map;
}

static void use_pictures(chaos *c) {
    pv_mask_options o = pv_mask_options_default();
    scoped_image *image = NULL;
    pv_mask *m[4] = {NULL};
    o.limits.allocator = c->allocator;
    TRY(c, image = pv_image_load(source_path("sprites/crate.png"), &o.limits, &error));
    TRY(c, m[0] = pv_mask_load(source_path("sprites/crate.png"), &o, &error));
    TRY(c, m[1] = pv_mask_from_image(image, &o, &error));
    if (image) {
        pv_pixels p = {
            image->pixels, image->width, image->height, 4 * (ptrdiff_t)image->width, 4, 0};
        pv_color_match match = {.tolerance = 0xff};
        TRY(c, m[2] = pv_mask_from_pixels(&p, &o, &error));
        TRY(c, m[3] = pv_mask_from_color(p.data, p.width, p.height, p.pitch, &match, &c->allocator,
                                         &error));
    }
    sum_masks(c, m, 4, true);
}

static void use_operations(chaos *c) {
    pv_mask *a = lumps(c, 70, 40), *b = lumps(c, 9, 11), *m[12] = {NULL};
    unsigned char bytes[2048];
    size_t size = pv_mask_serialize(a, bytes, sizeof bytes);
    ck_assert(size <= sizeof bytes);
    TRY(c, m[0] = pv_mask_crop(a, (pv_rect){-3, 5, 50, 50}, &error));
    TRY(c, m[1] = pv_mask_flip(a, true, false, &error));
    TRY(c, m[2] = pv_mask_rotate90(a, 1, &error));
    TRY(c, m[3] = pv_mask_scale(a, 33, 77, &error));
    TRY(c, m[4] = pv_mask_dilate(a, 3, PV_BRUSH_CIRCLE, &error));
    TRY(c, m[5] = pv_mask_erode(a, 1, PV_BRUSH_SQUARE, &error));
    TRY(c, m[7] = pv_mask_dilate(a, 2, PV_BRUSH_SQUARE, &error));
    TRY(c, m[8] = pv_mask_erode(a, 2, PV_BRUSH_CIRCLE, &error));
    TRY(c, m[9] = pv_mask_from_bits(bytes, 8, 10, 1, PV_BITS_MSB_FIRST, &c->allocator, &error));
    TRY(c, m[10] = pv_mask_obstacle(a, b, &error));
    TRY(c, m[11] = pv_mask_copy(a, &error));
    if (a) TRY(c, m[6] = pv_mask_deserialize(bytes, size, &c->allocator, &error));
    DO(c, pv_mask_combine(m[11], b, 4, 4, PV_COMBINE_XOR));
    sum_masks(c, m, 10, a != NULL);
    sum_masks(c, m + 10, 2, b != NULL); /* without b these differ */
    pv_mask_release(a);
    pv_mask_release(b);
}

static void use_drawing(chaos *c) {
    const pv_vec2 t[3] = {{0, 0}, {9, 0}, {0, 9}};
    pv_mask *m[4] = {NULL};
    TRY(c, m[0] = pv_mask_create_rect(9, 9, &c->allocator, &error));
    TRY(c, m[1] = pv_mask_create_circle(9, &c->allocator, &error));
    TRY(c, m[2] = pv_mask_create_polygon(t, 3, NULL, &c->allocator, &error));
    TRY(c, m[3] = pv_mask_from_text("##", &c->allocator, &error));
    sum_masks(c, m, 4, true);
}

static void use_shapes(chaos *c) {
    pv_mask *a = lumps(c, 70, 40), *m[2] = {NULL};
    scoped_parts *parts = NULL;
    scoped_outline *outline = NULL, *hull = NULL;
    pv_paper_runs *runs = NULL;
    TRY(c, parts = pv_parts_create(a, PV_CONNECTIVITY_4, &error));
    TRY(c, m[0] = pv_parts_create_mask(parts, 0, &error));
    TRY(c, outline = pv_outline_create(a, PV_CONNECTIVITY_8, &error));
    TRY(c, hull = pv_outline_create_hull(a, &error));
    TRY(c, runs = pv_paper_runs_encode(a, &c->allocator, &error));
    TRY(c, m[1] = pv_paper_runs_decode(runs, &c->allocator, &error));
    sum(c, parts ? pv_parts_get_count(parts) : -1);
    sum(c, outline ? pv_outline_get_contour_count(outline) : -1);
    sum(c, hull ? pv_outline_get_contour(hull, 0).area : -1);
    sum_masks(c, m, 2, true);
    pv_paper_runs_destroy(runs);
    pv_mask_release(a);
}

static pv_placed placed(const pv_mask *mask, double x, double angle) {
    pv_placed p = {mask, pv_transform_identity()};
    p.transform.position.x = x;
    p.transform.rotation = pv_rotation_from_angle(angle);
    return p;
}

static void use_group(chaos *c, const pv_placed *p, const pv_placed *q) {
    pv_group *group = NULL;
    pv_member_id a = {0}, b = {0};
    int others = 0;
    TRY(c, group = pv_group_create(16, &c->allocator, &error));
    TRY(c, a = pv_group_add(group, p, NULL, &error));
    TRY(c, b = pv_group_add(group, q, NULL, &error));
    c->copes = true; /* it can do without a larger table of cells */
    for (int i = 0; i < 60; i++) {
        pv_placed far = placed(p->mask, 2000 + 90 * i, 0.1 * i);
        pv_member_id other = {0};
        TRY(c, other = pv_group_add(group, &far, NULL, &error));
        others += other.generation != 0;
    }
    for (int i = 0; i < 8; i++) {
        pv_placed to = placed(p->mask, 9 * i, 0.1 * i);
        DO(c, pv_group_set_transform(group, a, &to.transform));
    }
    c->copes = false;
    int members = pv_group_query_box(group, (pv_box){{-999, -999}, {999, 999}}, NULL, 0);
    ck_assert_int_eq(members, (a.generation != 0) + (b.generation != 0));
    ck_assert_int_le((int)pv_group_query_pairs(group, NULL, 0), 1);
    members = pv_group_query_box(group, (pv_box){{1900, -999}, {9999, 999}}, NULL, 0);
    ck_assert_int_eq(members, others);
    if (group) DO(c, pv_group_remove(group, b));
    pv_group_destroy(group);
}

static void use_placed(chaos *c) {
    pv_mask *a = lumps(c, 30, 20), *m = NULL;
    pv_placed p = placed(a, 0, 0.3), q = placed(a, 7, 1.1);
    pv_vec2 way;
    pv_distance_result nearest;
    TRY(c, m = pv_mask_transform(a, &p.transform, NULL, &c->allocator, &error));
    DO(c, pv_placed_compute_mtv(&p, &q, &way));
    DO(c, pv_placed_compute_distance(&p, &q, &nearest));
    use_group(c, &p, &q);
    sum_masks(c, &m, 1, true);
    pv_mask_release(a);
}

static void use_frames(chaos *c) {
    pv_frames_options o = pv_frames_options_default();
    pv_grid grid = {.width = 8, .height = 8, .cell_count = 4};
    static const char mesh[] = "{\"frames\":[{\"frame\":{\"x\":1,\"y\":2,\"w\":3,\"h\":4},"
                               "\"vertices\":[[0,0],[3,0],[0,3]],\"triangles\":[[0,1,2]]}],"
                               "\"meta\":{\"frameTags\":[{\"name\":\"t\",\"from\":0,\"to\":0}]}}";
    scoped_frames *frames = NULL, *cells = NULL, *cut = NULL;
    scoped_image *image = NULL;
    pv_mask *map = NULL, *tile = lumps(c, 8, 8), *tiles[2] = {NULL, tile};
    const uint32_t ids[6] = {1, 0, 1 | PV_TILE_FLIP_X, 1 | PV_TILE_FLIP_DIAGONAL, 1, 1};
    pv_tilemap_def def = {8, 8, 3, 2, ids, tiles, 2, c->allocator};
    o.limits.allocator = c->allocator;
    TRY(c, image = pv_image_create(32, 16, &o.limits, &error));
    TRY(c, frames = pv_frames_load(source_path("tests/data/walker_array.json"), NULL, &o, &error));
    TRY(c, cut = pv_frames_load_memory(mesh, sizeof mesh - 1, image, &o, &error));
    TRY(c, cells = pv_frames_from_grid(image, &grid, &o, &error));
    DO(c, pv_frames_add_tag(cells, &(pv_tag){"walk", 0, 2, PV_TAG_FORWARD}));
    TRY(c, map = pv_tilemap_create_mask(&def, &error));
    sum(c, frames ? pv_frames_get_count(frames) : -1);
    sum(c, cells ? pv_frames_get_count(cells) : -1);
    sum_masks(c, &map, 1, tile != NULL);
    pv_mask_release(tile);
}

static void use_maps(chaos *c) {
    static const char *const tiles[] = {"tests/data/hills.json", "tests/data/grove.ldtk"},
                             *const objects[] = {"tests/data/hills_objects.tmj",
                                                 "tests/data/hills_templates.tmj",
                                                 "tests/data/cave.ldtk"};
    pv_mask_options o = WITH(pv_mask_options_default(), it.limits.allocator = c->allocator);
    for (int i = 0; i < 2; i++) {
        pv_mask *mask = NULL;
        TRY(c, mask = pv_tilemap_load_mask(source_path(tiles[i]), NULL, &o, &error));
        sum_masks(c, &mask, 1, true);
    }
    for (int i = 0; i < 3; i++) {
        scoped_objects *list = NULL;
        TRY(c, list = pv_map_objects_load(source_path(objects[i]), NULL, &o, &error));
        sum(c, pv_map_objects_get(list, 0) ? 1 : -1);
    }
}

static void play_pixels(chaos *c) {
    use_pictures(c);
    use_operations(c);
    use_drawing(c);
    use_shapes(c);
    use_placed(c);
    use_frames(c);
    use_maps(c);
    ck_assert_int_eq(c->thief.purse.live_bytes, 0);
}

/* ---- worlds ---- */

/// Objects of the script; ids may be null
typedef struct props {
    pv_mask *box, *bar, *lump;
    /// Map with the size of the lump
    pv_material_map *map;
    pv_body_id ground, driven, bodies[10];
    pv_particle_id particles[6];
    pv_joint_id constraints[12];
    /// Polygons; the last one rises through the one-way bar
    pv_body_id polygons[4];
    pv_liquid_id liquid;
    pv_force_field_id forces[3];
    pv_composite_id things[10];
    /// Sand that follows bodies, and a few sparks
    pv_grains_id sand, sparks;
    pv_mover mover;
} props;

static pv_body_id add_body(chaos *c, pv_mask *mask, double x, double y, pv_body_def def) {
    pv_body_id b = {0};
    def.mask = mask;
    def.position = (pv_vec2){x, y};
    TRY(c, b = pv_body_create(c->world, &def, &error));
    return b;
}

static void add_bodies(chaos *c, props *p, bool contours) {
    pv_body_def d = pv_body_def_default(), fixed = of_type(PV_BODY_STATIC),
                mapped = WITH(d, it.material_map = p->map), round = d;
    if (contours) round.collider = PV_COLLIDER_CIRCLE;
    p->ground = add_body(c, p->bar, 0, 100, WITH(fixed, it.tangent_speed = 20));
    p->driven = add_body(c, p->box, -40, 60, of_type(PV_BODY_KINEMATIC));
    p->bodies[0] = add_body(c, p->box, 0, 80, mapped);
    p->bodies[1] = add_body(c, p->box, 2, 60, d);
    p->bodies[2] = add_body(c, p->lump, 4, 40, mapped);
    p->bodies[3] = add_body(c, p->lump, 30, 80, WITH(mapped, it.scale = (pv_vec2){-1.5, 0.75}));
    p->bodies[4] = add_body(c, p->box, 55, 80, round);
    p->bodies[5] = add_body(c, p->bar, 160, 40, WITH(fixed, it.one_way_normal = (pv_vec2){0, -1}));
    p->bodies[6] = add_body(c, p->lump, 10, 60, WITH(fixed, it.sensor = true));
    p->bodies[7] = add_body(c, p->box, 120, 0, d);
    DO(c, pv_body_set_velocity(c->world, p->bodies[7], (pv_vec2){-900, 400}));
}

static void add_particles(chaos *c, props *p) {
    pv_particle_def d = pv_particle_def_default();
    pv_liquid_def liquid = pv_liquid_def_default();
    for (int i = 0; i < 6; i++) {
        d.position = (pv_vec2){-20 + 5 * i, 20 - i};
        d.bounce = (pv_bounce)(i % 4);
        d.radius = i;
        TRY(c, p->particles[i] = pv_particle_create(c->world, &d, &error));
    }
    TRY(c, p->liquid = pv_liquid_create(c->world, &liquid, &error));
    for (int i = 0; i < 12; i++) {
        pv_particle_id drop = {0};
        d.position = (pv_vec2){60 + 4 * (i % 4), 40 + 4 * (i / 4)};
        TRY(c, drop = pv_particle_create(c->world, &d, &error));
        if (drop.generation) DO(c, pv_liquid_add_particle(c->world, p->liquid, drop));
    }
}

static void add_polygons(chaos *c, props *p) {
    static const pv_vec2 square[] = {{0, 0}, {12, 0}, {12, 12}, {0, 12}},
                         dart[] = {{0, 0}, {14, 8}, {0, 16}, {5, 8}};
    for (int i = 0; i < 4; i++) {
        pv_polygon_def d = pv_polygon_def_default();
        pv_vec2 points[4], from = {i < 3 ? 20 * i - 80 : 150, i < 3 ? 60 : 50};
        for (int k = 0; k < 4; k++)
            points[k] = (pv_vec2){(i == 1 ? dart : square)[k].x + from.x,
                                  (i == 1 ? dart : square)[k].y + from.y};
        if (i == 3) d.velocity = (pv_vec2){0, -150};
        d.points = points;
        d.point_count = 4;
        d.collider = i == 2 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES;
        MAKE(c, p->polygons[i] = pv_polygon_create(c->world, &d, &error));
    }
}

static void join(chaos *c, props *p, int i, pv_joint_type type, pv_anchor a, pv_anchor b) {
    pv_joint_def d = WITH(
        pv_joint_def_default(), it.type = type, it.a = a, it.b = b, it.stiffness = i % 2 ? 500 : 0,
        it.axis = (pv_vec2){1, 0}, it.lower = -1, it.upper = 1, it.motor_speed = 2,
        it.max_force = type == PV_JOINT_MOUSE ? 5000 : 0, it.break_force = i == 2 ? 1e3 : 0);
    if (type == PV_JOINT_MOTOR) d.stiffness = 0;
    TRY(c, p->constraints[i] = pv_joint_create(c->world, &d, &error));
}

static void add_constraints(chaos *c, props *p) {
    pv_vec2 at = {0, 70}, far = {30, 70};
    pv_anchor a = pv_anchor_body(p->bodies[0], at), b = pv_anchor_body(p->bodies[1], at),
              w = pv_anchor_world(at);
    pv_anchor d = pv_anchor_body(p->bodies[3], far), s = pv_anchor_particle(p->particles[0]);
    pv_anchor t = pv_anchor_particle(p->particles[1]), q = pv_anchor_body(p->polygons[0], far);
    join(c, p, 0, PV_JOINT_DISTANCE, s, t);
    join(c, p, 1, PV_JOINT_DISTANCE, a, d);
    join(c, p, 2, PV_JOINT_ROPE, d, s);
    join(c, p, 3, PV_JOINT_STRUT, t, pv_anchor_particle(p->particles[2]));
    join(c, p, 4, PV_JOINT_PIN, a, b);
    join(c, p, 5, PV_JOINT_WELD, pv_anchor_body(p->bodies[2], at), b);
    join(c, p, 6, PV_JOINT_ANGLE_LIMIT, d, w);
    join(c, p, 7, PV_JOINT_MOTOR, w, pv_anchor_body(p->bodies[4], at));
    join(c, p, 8, PV_JOINT_SLIDER, pv_anchor_world(far), d);
    join(c, p, 9, PV_JOINT_MOUSE, pv_anchor_body(p->bodies[7], (pv_vec2){120, 0}),
         pv_anchor_world(at));
    join(c, p, 10, PV_JOINT_ROPE, q, w);
}

static void add_forces(chaos *c, props *p) {
    for (int i = 0; i < 3; i++) {
        pv_force_field_def d =
            WITH(pv_force_field_def_default(), it.type = (pv_force_field_type)i,
                 it.velocity = (pv_vec2){30, 0}, it.strength = 50, it.radius = 60);
        if (i == 2) d.area = (pv_box){{50, 60}, {120, 120}};
        TRY(c, p->forces[i] = pv_force_field_create(c->world, &d, &error));
    }
}

/* ---- grains ---- */

static void add_grains(chaos *c, props *p) {
    pv_grains_def d = pv_grains_def_default();
    pv_grain_sink sink = {.box = {{-150, 0}, {-140, 120}}};
    d.follow = true;
    TRY(c, p->sand = pv_grains_create(c->world, &d, &error));
    d.capacity = 20;
    d.life = 0.3;
    TRY(c, p->sparks = pv_grains_create(c->world, &d, &error));
    if (p->sand.generation) DO(c, pv_grains_add_sink(c->world, p->sand, &sink));
}

static void pour(chaos *c, const props *p, int step) {
    pv_grain list[12];
    for (int i = 0; i < 12; i++)
        list[i] = (pv_grain){{3 * i - 30, 60 - 2 * step}, {10 * i, 100}, (uint32_t)i};
    if (p->sand.generation) DO(c, pv_grains_emit(c->world, p->sand, list, 12));
    if (p->sparks.generation) DO(c, pv_grains_emit(c->world, p->sparks, list, 12));
}

/// Restores the world from its own current snapshot. That changes nothing, with or without memory.
static void go_back(chaos *c, unsigned flags) {
    size_t size = 0;
    pv_world_save(c->world, flags, NULL, 0, &size);
    scoped_memory void *bytes = malloc(size + 1);
    ck_assert_ptr_nonnull(bytes);
    if (size > 0 && pv_world_save(c->world, flags, bytes, size, &size) == PV_OK) {
        uint64_t hash = pv_world_compute_hash(c->world);
        DO(c, pv_world_restore(c->world, bytes, size));
        ck_assert_uint_eq(pv_world_compute_hash(c->world), hash);
    }
}

/// Emits grains from a mask.
static void change_grains(chaos *c, const props *p) {
    pv_placed placed = {p->lump, pv_transform_identity()};
    placed.transform.position = (pv_vec2){-60, 20};
    if (!p->sand.generation || !p->lump) return;
    DO(c, pv_grains_emit_mask(c->world, p->sand, &placed, NULL, (pv_vec2){5, 0}, 1));
}

static void build(chaos *c, props *p) {
    static const pv_vec2 points[] = {{-60, 0}, {-50, 0}, {-55, 9}};
    static const int corners[][3] = {{0, 1, 2}};
    pv_world *w = c->world;
    pv_rope_def rope =
        WITH(pv_rope_def_default(), it.from = pv_anchor_body(p->driven, (pv_vec2){0, 70}),
             it.to = pv_anchor_world((pv_vec2){40, 20}), it.segments = 4);
    pv_cloth_def cloth =
        WITH(pv_cloth_def_default(), it.top_left = (pv_vec2){80, 0}, it.columns = it.rows = 4);
    pv_soft_body_def soft = WITH(pv_soft_body_def_default(), it.points = points, it.point_count = 3,
                                 it.triangles = corners, it.triangle_count = 1);
    pv_jelly_def jelly = WITH(pv_jelly_def_default(), it.mask = p->box,
                              it.position = (pv_vec2){-30, 20}, it.spacing = 6);
    pv_tree_def tree = WITH(pv_tree_def_default(), it.depth = 1);
    pv_grass_def grass = WITH(pv_grass_def_default(), it.from = (pv_vec2){-60, 90},
                              it.to = (pv_vec2){-30, 90}, it.blade_count = 3);
    pv_ragdoll_def doll = WITH(pv_ragdoll_def_default(), it.position = (pv_vec2){70, 20});
    pv_bridge_def bridge =
        WITH(pv_bridge_def_default(), it.mask = p->box, it.from = (pv_vec2){-150, 40},
             it.to = (pv_vec2){-90, 40}, it.plank_count = 3);
    MAKE(c, p->things[0] = pv_rope_create(w, &rope, &error));
    MAKE(c, p->things[1] = pv_cloth_create(w, &cloth, &error));
    MAKE(c, p->things[2] = pv_soft_body_create(w, &soft, &error));
    MAKE(c, p->things[3] = pv_jelly_create(w, &jelly, &error));
    MAKE(c, p->things[4] = pv_tree_create(w, &tree, &error));
    MAKE(c, p->things[5] = pv_grass_create(w, &grass, &error));
    MAKE(c, p->things[6] = pv_ragdoll_create(w, &doll, &error));
    MAKE(c, p->things[7] = pv_bridge_create(w, &bridge, &error));
}

static bool finite2(pv_vec2 v) { return isfinite(v.x) && isfinite(v.y); }

/// Checks that all moving objects have finite numbers, and that as many exist as are counted.
static void check_numbers(const pv_world *w) {
    digest(w);
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(w, b)).index;) {
        pv_box box = pv_body_get_bounds(w, b);
        ck_assert(finite2(pv_body_get_position(w, b)) && finite2(pv_body_get_velocity(w, b)) &&
                  isfinite(pv_body_get_angular_velocity(w, b)));
        ck_assert(isfinite(pv_body_get_angle(w, b)) && finite2(box.min) && finite2(box.max));
        ck_assert(finite2(pv_body_get_velocity_at(w, b, (pv_vec2){1, 2})));
    }
    for (pv_particle_id p = {0}; (p = pv_world_get_next_particle(w, p)).index;)
        ck_assert(finite2(pv_particle_get_position(w, p)) &&
                  finite2(pv_particle_get_velocity(w, p)));
    for (pv_joint_id j = {0}; (j = pv_world_get_next_joint(w, j)).index;)
        ck_assert(isfinite(pv_joint_get_force(w, j)));
    for (pv_body_id p = {0}; (p = pv_world_get_next_polygon(w, p)).index;)
        ck_assert(finite2(pv_body_get_position(w, p)) && isfinite(pv_body_get_angle(w, p)) &&
                  isfinite(pv_body_get_angular_velocity(w, p)));
    pv_contact contact;
    if (pv_world_get_contacts(w, &contact, 1) > 0)
        ck_assert(finite2(contact.point) && finite2(contact.normal) && isfinite(contact.impulse));
}

static void draw_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    (void)color;
    *(bool *)user_data &= finite2(from) && finite2(to);
}

static void ask(chaos *c) {
    pv_body_id found[4];
    pv_cast_hit hits[4];
    bool fine = true;
    pv_debug_draw draw = WITH(pv_debug_draw_default(), it.user_data = &fine, it.line = draw_line);
    pv_world_query_box(c->world, (pv_box){{-50, 0}, {50, 120}}, NULL, found, 4);
    pv_world_query_circle(c->world, (pv_vec2){0, 80}, 20, NULL, found, 4);
    pv_world_cast_ray(c->world, (pv_vec2){-100, 80}, (pv_vec2){100, 80}, PV_CAST_ALL, NULL, hits,
                      4);
    pv_world_compute_overlap_area(c->world);
    DO(c, pv_world_debug_draw(c->world, &draw, PV_DEBUG_ALL));
    ck_assert(fine);
}

/// Cuts a body in two, bites into it, or adds pixels to it.
static void carve(chaos *c, pv_body_id b, bool through, bool adds) {
    pv_vec2 at = pv_body_get_position(c->world, b);
    pv_fracture_def f = pv_fracture_def_default();
    pv_cut cut = pv_cut_circle((pv_vec2){at.x, at.y - 5}, 6);
    if (through) cut = pv_cut_line((pv_vec2){at.x - 30, at.y}, (pv_vec2){at.x + 30, at.y + 1}, 3);
    cut.add = adds;
    cut.max_hardness = 230;
    f.min_part_pixels = 4;
    f.spawn_debris = true;
    f.toughness = 1000;
    DO(c, pv_body_set_fracture(c->world, b, &f));
    DO(c, pv_body_carve(c->world, b, &cut, NULL));
}

/// Makes the calls before a step.
static void act(chaos *c, props *p, int step) {
    pv_world *w = c->world;
    pv_body_id b = p->bodies[2];
    if (!w) return;
    switch (step) {
    case 2: pour(c, p, step); break;
    case 4: go_back(c, 0); break;
    case 5: DO(c, pv_body_set_mask(w, b, p->box, (pv_vec2){1, 1})); break;
    case 10: DO(c, pv_body_set_scale(w, b, (pv_vec2){-1, 1.25})); break;
    case 15: DO(c, pv_body_set_scale(w, b, (pv_vec2){1, 1.25})); break;
    case 18: pour(c, p, step); break;
    case 20: DO(c, pv_body_set_enabled(w, p->bodies[1], false)); break;
    case 22: change_grains(c, p); break;
    case 25: DO(c, pv_body_set_enabled(w, p->bodies[1], true)); break;
    case 30: DO(c, pv_world_explode(w, (pv_vec2){20, 80}, 80, 300)); break;
    case 33: carve(c, p->bodies[0], true, false); break;
    case 34: carve(c, p->bodies[2], false, false); break;
    case 35: DO(c, pv_body_set_type(w, p->bodies[4], PV_BODY_KINEMATIC)); break;
    case 36: carve(c, p->bodies[2], false, true); break;
    case 37: carve(c, p->ground, false, false); break;
    case 38: go_back(c, PV_SNAPSHOT_PIXELS); break;
    case 40: DO(c, pv_body_destroy(w, p->bodies[3])); break;
    case 42:
        if (p->sparks.generation) DO(c, pv_grains_destroy(w, p->sparks));
        break;
    case 45: p->bodies[3] = add_body(c, p->lump, 30, 20, pv_body_def_default()); break;
    case 46: DO(c, pv_body_destroy(w, p->polygons[1])); break;
    case 47: DO(c, pv_composite_destroy(w, p->things[1])); break;
    case 48: DO(c, pv_particle_destroy(w, p->particles[2])); break;
    case 49: DO(c, pv_liquid_destroy(w, p->liquid)); break;
    default: break;
    }
    if (step % 10 == 7) ask(c);
    DO(c, pv_body_move_to(w, p->driven, (pv_vec2){-40 + 0.5 * step, 60}, 0.02 * step, 1 / 60.0));
    DO(c, pv_mover_move(w, &p->mover, (pv_vec2){40, 100}, 1 / 60.0));
}

static pv_status step_on(chaos *c) {
    long failed = c->thief.failures;
    pv_status status = pv_world_step(c->world, 1 / 60.0);
    if (!c->world) return PV_OK;
    ck_assert(status == PV_OK || status == PV_ERROR_MEMORY);
    ck_assert_int_eq(pv_world_get_events(c->world).frozen_count, 0);
    bool said = status == PV_ERROR_MEMORY, lacked = c->thief.failures != failed;
    ck_assert_msg(said == lacked, "call %ld: %s", c->thief.from,
                  lacked ? "it lacked memory" : "it had memory");
    pv_events e = pv_world_get_events(c->world);
    ck_assert(e.contact_begin_count >= 0 && e.hit_count >= 0 && e.sensor_begin_count >= 0);
    return status;
}

static void open_world(chaos *c, pv_contact_mode contacts) {
    pv_world_def def =
        WITH(pv_world_def_default(), it.contact_mode = contacts, it.allocator = c->allocator,
             it.bounds = (pv_box){{-200, -200}, {200, 200}}, it.substeps = 4);
    TRY(c, c->world = pv_world_create(&def, &error));
}

static void play_world(chaos *c, pv_contact_mode contacts) {
    props p = {.mover = pv_mover_default()};
    open_world(c, contacts);
    p.box = lumps(c, 14, 12);
    p.bar = lumps(c, 180, 10);
    p.lump = lumps(c, 20, 18);
    p.map = stuff(c, 20, 18);
    p.mover.mask = p.box;
    p.mover.position = (pv_vec2){-70, 80};
    if (c->world) {
        add_bodies(c, &p, contacts == PV_CONTACT_MODE_CONTOURS);
        add_particles(c, &p);
        add_polygons(c, &p);
        add_constraints(c, &p);
        add_forces(c, &p);
        add_grains(c, &p);
        build(c, &p);
        for (int i = 0; i < STEPS; i++) {
            if (p.box) act(c, &p, i);
            step_on(c);
        }
        check_numbers(c->world);
    }
    c->thief.from = 0; /* memory is available again */
    for (int i = 0; i < AFTER; i++) step_on(c);
    check_numbers(c->world);
    pv_world_destroy(c->world);
    c->world = NULL;
    pv_mask_release(p.box);
    pv_mask_release(p.bar);
    pv_mask_release(p.lump);
    pv_material_map_release(p.map);
    ck_assert_int_eq(c->thief.purse.live_bytes, 0);
}

/* ---- one failing allocation after the other ---- */

typedef enum part { PIXELS, BY_CONTOURS, BY_PIXELS } part;

static long play(part what, long from, long to, int64_t *sums) {
    chaos c;
    begin(&c, from, to, sums);
    if (what == PIXELS)
        play_pixels(&c);
    else
        play_world(&c, what == BY_CONTOURS ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS);
    return c.thief.purse.calls;
}

/// Fails each of the first allocations, then ever fewer of the later ones.
static void fail_each(part what, long dense, double growth) {
    int64_t sums[MOST_SUMS];
    long calls = play(what, 0, 0, sums);
    ck_assert_int_gt(calls, 100);
    double stride = 1;
    for (double k = 1; k <= (double)calls + 1; k += (long)stride) {
        play(what, (long)k, (long)k + 1, sums);
        if (k >= (double)dense) stride *= growth;
    }
}

/// Runs a part while all allocations fail for a while.
static void fail_for_a_while(part what, int runs) {
    int64_t sums[MOST_SUMS];
    uint64_t seed = 7;
    long calls = play(what, 0, 0, sums);
    for (int i = 0; i < runs; i++) {
        long from = 1 + (long)(next_unit(&seed) * (double)calls),
             length = 1 + (long)(next_unit(&seed) * (double)calls / 4);
        play(what, from, from + length, sums);
    }
    play(what, 1, calls + 1, sums);
}

START_TEST(pixels_stand_any_failure) {
    fail_each(PIXELS, 2000, 1.05);
    fail_for_a_while(PIXELS, 100);
}

START_TEST_FOR(worlds_stand_any_failure, pixels, 2) {
    fail_each(pixels ? BY_PIXELS : BY_CONTOURS, 50 * (long)last_seed(pixels ? 6 : 8), 1.15);
    fail_for_a_while(pixels ? BY_PIXELS : BY_CONTOURS, (int)last_seed(pixels ? 20 : 30));
}

/* ---- extreme numbers ---- */

enum { FAR_BODIES = 8, MONSTERS = 14, NUMBERS = 19 };

static const double FAR = 4e6;

static double any_of(uint64_t *seed, const double *values, int count) {
    return values[(int)(next_unit(seed) * count)];
}

/// Adds a few boxes on a floor, far from all monsters and on another layer.
static void add_far(pv_world *w, pv_body_id far[FAR_BODIES]) {
    pv_body_def fixed = of_type(PV_BODY_STATIC), d = pv_body_def_default();
    fixed.filter = d.filter = (pv_filter){2, 2, 0};
    put(w, box_mask(200, 10), FAR, 100, fixed);
    for (int i = 0; i < FAR_BODIES; i++)
        far[i] = put(w, box_mask(14, 12), FAR + 30 * (i % 4) - 45, 60 - 30 * (i / 4), d);
}

static void collect_numbers(pv_body_def *d, double *numbers[NUMBERS]) {
    double *all[NUMBERS] = {
        &d->position.x,       &d->position.y,       &d->angle,           &d->velocity.x,
        &d->velocity.y,       &d->angular_velocity, &d->density,         &d->mass,
        &d->restitution,      &d->static_friction,  &d->friction,        &d->rolling_resistance,
        &d->gravity_scale,    &d->linear_damping,   &d->angular_damping, &d->tangent_speed,
        &d->one_way_normal.x, &d->scale.x,          &d->scale.y};
    memcpy(numbers, all, sizeof all);
}

/// Adds a body with some extreme numbers. Numbers that a def refuses keep their defaults.
static pv_body_id add_monster(pv_world *w, uint64_t *seed, pv_mask *mask) {
    static const double values[] = {
        0,   5e-324, 2.3e-308,          1e-300, 1e-100, 1e-9,  1e-6,   1e-3, 1,      16, 1e3,
        1e6, 1e12,   PV_MAX_COORDINATE, 1e30,   1e150,  1e300, 0.0625, 0.5,  1.7e308};
    pv_body_def d = pv_body_def_default();
    double *numbers[NUMBERS];
    pv_error error;
    collect_numbers(&d, numbers);
    d.mask = mask;
    d.type = next_unit(seed) < 0.8 ? PV_BODY_DYNAMIC : PV_BODY_KINEMATIC;
    d.collider = (pv_collider)(next_unit(seed) * 3);
    d.motion_locks = next_unit(seed) < 0.3 ? (unsigned)(next_unit(seed) * 8) : 0;
    for (int i = 0; i < 2; i++) *numbers[i] = 40 * next_unit(seed);
    pv_body_id b = pv_body_create(w, &d, NULL);
    for (int i = 0; i < NUMBERS; i++) {
        if (next_unit(seed) < 0.6) continue;
        double was = *numbers[i];
        *numbers[i] =
            any_of(seed, values, sizeof values / sizeof *values) * (next_unit(seed) < 0.5 ? -1 : 1);
        pv_body_id other = pv_body_create(w, &d, &error);
        if (error.status != PV_OK) *numbers[i] = was;
        pv_body_destroy(w, error.status == PV_OK ? b : other);
        b = error.status == PV_OK ? other : b;
    }
    return b;
}

/// Checks that a world accepts the def that it returns for a body.
static void check_twin(pv_world *w, pv_body_id b) {
    pv_error error;
    pv_body_def d = pv_body_get_def(w, b);
    double mass = pv_body_get_mass(w, b), inertia = pv_body_get_inertia(w, b);
    ck_assert(mass >= 1e-9 && mass <= 1e12 && inertia > 0 && isfinite(inertia));
    if (fabs(d.velocity.x) > PV_MAX_COORDINATE || fabs(d.velocity.y) > PV_MAX_COORDINATE ||
        fabs(d.angular_velocity) > 1e6)
        return; /* faster than a def allows */
    pv_body_id twin = pv_body_create(w, &d, &error);
    ck_assert_int_eq(error.status, PV_OK);
    ck_assert(pv_body_get_mass(w, twin) == mass);
    ck_assert_int_eq(pv_body_destroy(w, twin), PV_OK);
}

/// Pushes a monster as hard as calls allow; the world may refuse it.
static void rage(pv_world *w, pv_body_id b, uint64_t *seed) {
    static const double forces[] = {1e300, -1e300, 1e150, 1, 1.7e308},
                        speeds[] = {1e7, -1e7, 1e6, 1e300};
    pv_vec2 v = {any_of(seed, forces, 5), any_of(seed, forces, 5)}, at = pv_body_get_position(w, b);
    switch ((int)(next_unit(seed) * 8)) {
    case 0: pv_body_apply_force(w, b, v); break;
    case 1: pv_body_apply_force_at(w, b, v, (pv_vec2){at.x + 5, at.y}); break;
    case 2: pv_body_apply_torque(w, b, v.x); break;
    case 3: pv_body_apply_impulse_at(w, b, v, (pv_vec2){at.x, at.y + 3}); break;
    case 4:
        pv_paper_body_set_velocity(w, b,
                                   (pv_vec2){any_of(seed, speeds, 4), any_of(seed, speeds, 4)},
                                   PV_PAPER_SHIFT_CURRENT);
        break;
    case 5:
        pv_paper_body_set_angular_velocity(w, b, any_of(seed, speeds, 4), PV_PAPER_ABOUT_FIRST);
        break;
    case 6: pv_body_set_mass(w, b, any_of(seed, (const double[]){1e12, 1e-12, 1e-300}, 3)); break;
    default: pv_body_set_position(w, b, (pv_vec2){0, 0}); break;
    }
}

/// Adds springs of extreme stiffness between monsters, and a particle of extreme mass.
static void bind(pv_world *w, pv_body_id monsters[MONSTERS], pv_particle_id *p, uint64_t *seed) {
    *p = CREATE(particle, w, it.mass = any_of(seed, (const double[]){1e-6, 1, 1e12}, 3));
    for (int i = 0; i < 8; i++) {
        pv_body_id a = monsters[(int)(next_unit(seed) * MONSTERS)],
                   b = monsters[(int)(next_unit(seed) * MONSTERS)];
        CREATE(joint, w, it.type = (pv_joint_type)(i % 5),
               it.a = pv_anchor_body(a, pv_body_get_position(w, a)),
               it.b = i == 3 ? pv_anchor_particle(*p) : pv_anchor_body(b, (pv_vec2){1, 1}),
               it.stiffness = any_of(seed, (const double[]){0, 1e12, 1e-12}, 3),
               it.damping = any_of(seed, (const double[]){0, 1e12}, 2));
    }
}

static pv_world *extreme_world(pv_contact_mode contacts, pv_vec2 gravity) {
    return WORLD(it.contact_mode = contacts, it.gravity = gravity, it.substeps = 4);
}

/// Checks that monsters stay finite and, with even steps, don't disturb far bodies; counts freezes.
static int check_quarantine(pv_contact_mode contacts, uint64_t seed) {
    static const double steps[] = {1 / 60.0, 1e-9, 1e-6, 1, 1e-3}, gravities[] = {0, 320, 320, 1e6};
    bool even = seed % 2 == 0;
    double most = contacts == PV_CONTACT_MODE_PIXELS ? 1e-9 : 0.1;
    pv_vec2 gravity = {0, gravities[seed / 2 % 4]};
    scoped_world *w = extreme_world(contacts, gravity), *alone = extreme_world(contacts, gravity);
    pv_body_id far[FAR_BODIES], same[FAR_BODIES], monsters[MONSTERS];
    pv_mask *masks[] = {box_mask(20, 6), disc_mask(8), box_mask(1, 1), box_mask(40, 40)};
    pv_particle_id particle = {0};
    int frozen = 0;
    add_far(w, far);
    add_far(alone, same);
    put(w, box_mask(200, 10), 0, 60, of_type(PV_BODY_STATIC));
    for (int i = 0; i < MONSTERS; i++) monsters[i] = add_monster(w, &seed, masks[i % 4]);
    bind(w, monsters, &particle, &seed);
    for (int i = 0; i < 40; i++) {
        double dt = even ? 1 / 60.0 : any_of(&seed, steps, 5);
        for (int k = 0; k < 4; k++) rage(w, monsters[(int)(next_unit(&seed) * MONSTERS)], &seed);
        pv_particle_apply_force(w, particle,
                                (pv_vec2){any_of(&seed, (const double[]){0, 1e300}, 2), 0});
        pv_body_id cut = monsters[i % MONSTERS];
        pv_cut box = pv_cut_box(pv_body_get_position(w, cut), (pv_vec2){1e6, 1e6});
        if (i % 3 == 0) pv_body_carve(w, cut, &box, NULL);
        ck_assert_int_eq(pv_world_step(w, dt), PV_OK);
        frozen += pv_world_get_events(w).frozen_count;
        pv_world_step(alone, dt);
        check_numbers(w);
    }
    for (int i = 0; even && i < FAR_BODIES; i++) {
        pv_vec2 p = pv_body_get_position(w, far[i]), q = pv_body_get_position(alone, same[i]);
        ck_assert_msg(fabs(p.x - q.x) <= most && fabs(p.y - q.y) <= most, "body %d: %g, %g off", i,
                      p.x - q.x, p.y - q.y);
    }
    for (int i = 0; i < MONSTERS; i++)
        if (pv_body_is_valid(w, monsters[i])) check_twin(w, monsters[i]);
    release_masks(masks[0], masks[1], masks[2], masks[3]);
    return frozen;
}

START_TEST_FOR(extremes_harm_nobody_else, contacts, 2) {
    uint64_t seeds = last_seed(contacts == PV_CONTACT_MODE_PIXELS ? 60 : 36);
    int frozen = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        frozen += check_quarantine((pv_contact_mode)contacts, seed * 7919);
    ck_assert_int_gt(frozen, 0); /* otherwise they were no monsters */
}

static void shares_at_most(pv_world *w, double share, int64_t at_first) {
    int64_t now = pv_world_compute_overlap_area(w);
    ck_assert_msg((double)now <= share * (double)at_first, "%ld px of %ld", (long)now,
                  (long)at_first);
}

/// Checks how much of its overlap a crowd at one point still has after 150 and 200 steps.
static void check_crowd(pv_contact_mode contacts, double turn, double early, double kept) {
    scoped_world *w = extreme_world(contacts, (pv_vec2){0, 0});
    for (int i = 0; i < 80; i++)
        put(w, box_mask(12, 12), 0, 0, WITH(pv_body_def_default(), it.angle = 0.37 * i + turn));
    int64_t at_first = pv_world_compute_overlap_area(w);
    steps_well(w, 150);
    shares_at_most(w, early, at_first);
    steps_well(w, 50);
    shares_at_most(w, kept, at_first);
}

/// Heaps come apart by contours: 3 of 60 still share pixels after 150 steps, none after 166.
START_TEST(a_heap_at_one_point_comes_apart) {
    for (int i = 0; i < 6; i++) check_crowd(PV_CONTACT_MODE_CONTOURS, 0.1 * i, 1e-5, 0);
    check_crowd(PV_CONTACT_MODE_PIXELS, 0, 0.05, 0.05);
}

RUN_TESTS("alloc_failure")
