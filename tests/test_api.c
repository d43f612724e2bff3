/* test_api.c - every public function with one bad argument among good ones, and every call that
 * changes a busy world.
 *
 * Invariant: functions, parameters and fields come from the headers by way of tests/api.awk. The
 * status expected of a bad argument follows from its type, or from a line of exceptions[] with a
 * reason. All objects are made anew for each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "api.h"
#include "pixverlet/paper.h"
#include "support.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>

enum { SIDE = 24, MOST_PARAMETERS = 12, STORE = 4096, CROWD = 40 };

/* ---- objects for good arguments ---- */

typedef struct handle {
    uint32_t index, generation;
} handle;

/// Ids of one type: of a living object, of a destroyed one, and of one in another world
typedef struct names {
    const char *type;
    handle living, stale, foreign;
} names;

enum { BODY, PARTICLE, CONSTRAINT, LIQUID, FORCE, MATTER, GRAINS, MEMBER, NAME_TYPES };

/// Objects that functions take an opaque pointer to
typedef struct object {
    const char *type;
    void *pointer;
    void (*release)(void *object);
} object;

static struct {
    purse purse;
    pv_allocator allocator;
    pv_world *world;
    /// Contact mode of the world
    pv_contact_mode contacts;
    /// Mask of bodies and placed sprites
    pv_mask *solid;
    names names[NAME_TYPES];
    handle kinematic, angle, motor, drag;
    /// Errors returned to the caller, and reported to the hook
    pv_error told, reported;
    /// Pointer arguments
    void *pointers[MOST_PARAMETERS];
    /// Objects that they point to, or other arguments
    void *values[MOST_PARAMETERS];
    void *arguments[MOST_PARAMETERS], *result;
    bool broken;
    long calls, failures;
} f;

static void mask_release(void *p) { pv_mask_release(p); }
static void image_free(void *p) { pv_image_destroy(p); }
static void parts_free(void *p) { pv_parts_destroy(p); }
static void outline_free(void *p) { pv_outline_destroy(p); }
static void frames_free(void *p) { pv_frames_destroy(p); }
static void map_objects_free(void *p) { pv_map_objects_destroy(p); }
static void runs_free(void *p) { pv_paper_runs_destroy(p); }
static void map_release(void *p) { pv_material_map_release(p); }
static void group_destroy(void *p) { pv_group_destroy(p); }
static void world_destroy(void *p) { pv_world_destroy(p); }
static void pool_destroy(void *p) { pv_task_pool_destroy(p); }

static object objects[] = {
    {"pv_group", NULL, group_destroy},
    {"pv_mask", NULL, mask_release},
    {"pv_image", NULL, image_free},
    {"pv_parts", NULL, parts_free},
    {"pv_outline", NULL, outline_free},
    {"pv_frames", NULL, frames_free},
    {"pv_paper_runs", NULL, runs_free},
    {"pv_world", NULL, world_destroy},
    {"pv_material_map", NULL, map_release},
    {"pv_task_pool", NULL, pool_destroy},
    {"pv_map_objects", NULL, map_objects_free},
};

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static object *object_of(const char *type) {
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (same(objects[i].type, type)) return &objects[i];
    return NULL;
}

static void keep(const char *type, void *pointer) {
    ck_assert_msg(pointer, "no %s", type);
    object_of(type)->pointer = pointer;
}

static void *spend(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    (void)user_data; /* the caller's pointer may be the bad argument */
    return purse_alloc(&f.purse, ptr, old_size, new_size);
}

static void report(void *user_data, const pv_error *error) {
    (void)user_data;
    f.reported = *error;
}

/// Call that the next callback makes while its world is busy; null: none
static void (*meddle)(void);

static void meddle_once(void) {
    void (*act)(void) = meddle;
    meddle = NULL;
    if (act) act();
}

static bool accept(void *user_data, pv_body_id body) {
    (void)user_data;
    meddle_once();
    return body.generation != 0;
}

static void line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    (void)user_data, (void)from, (void)to, (void)color;
    meddle_once();
}

/// True if the presolve callback meddles, false if the filter does.
static bool by_presolve;

static bool filter(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    (void)user_data, (void)world, (void)a, (void)b;
    if (!by_presolve) meddle_once();
    return true;
}

static pv_presolve_result presolve(void *user_data, const pv_world *world,
                                   pv_presolve_contact *approach) {
    (void)user_data, (void)world, (void)approach;
    if (by_presolve) meddle_once();
    return PV_PRESOLVE_COLLIDE;
}

static const pv_vec2 corners[3] = {{110, 10}, {130, 10}, {120, 30}};
static const int triangles[1][3] = {{0, 1, 2}};
static const char json[] =
    "{\"frames\":[{\"filename\":\"a\",\"frame\":{\"x\":0,\"y\":0,\"w\":24,\"h\":24},"
    "\"duration\":100}],\"meta\":{}}";
static unsigned char png[4096], stored[4096], colors[SIDE * SIDE * 4], shades[SIDE * SIDE],
    snapshot[1 << 17], differences[1 << 17];
static size_t snapshot_size, differences_size;
static size_t png_size, stored_size;

static pv_mask *solid_mask(void) {
    pv_mask *m = pv_mask_create_rect(SIDE, SIDE, &f.allocator, NULL);
    ck_assert_ptr_nonnull(m);
    return m;
}

static void name(int which, const void *living, const void *stale) {
    if (living) memcpy(&f.names[which].living, living, sizeof(handle));
    if (stale) memcpy(&f.names[which].stale, stale, sizeof(handle));
}

static pv_body_id add_body(pv_world *world, pv_body_type type, double x, double y) {
    pv_body_def def = WITH(
        pv_body_def_default(), it.mask = f.solid,
        it.material_map = type == PV_BODY_STATIC ? object_of("pv_material_map")->pointer : NULL,
        it.type = type, it.position = (pv_vec2){x, y});
    def.velocity = (pv_vec2){0, 12}; /* too slow to bounce */
    return pv_body_create(world, &def, NULL);
}

static pv_particle_id add_particle(pv_world *world, double x, double y) {
    return CREATE(particle, world, it.position = (pv_vec2){x, y});
}

static pv_joint_id join(pv_world *world, pv_joint_type type, pv_anchor a, pv_anchor b) {
    return CREATE(joint, world, it.type = type, it.a = a, it.b = b);
}

static pv_body_id add_polygon(pv_world *world) {
    return CREATE(polygon, world, it.points = corners, it.point_count = 3);
}

static pv_liquid_id add_liquid(pv_world *world) {
    return CREATE_FROM(liquid, world, pv_liquid_def_default());
}

static pv_force_field_id add_force(pv_world *world) {
    return CREATE_FROM(force_field, world, pv_force_field_def_default());
}

static pv_grains_id add_grains(pv_world *world) {
    return CREATE_FROM(grains, world, pv_grains_def_default());
}

static pv_member_id add_member(pv_group *group) {
    pv_placed placed = {f.solid, pv_transform_identity()};
    return pv_group_add(group, &placed, group, NULL);
}

static void make_bodies(pv_world *world) {
    add_body(world, PV_BODY_STATIC, 50, 76);
    pv_body_id body = add_body(world, PV_BODY_DYNAMIC, 50, 52.45),
               gone = add_body(world, PV_BODY_DYNAMIC, 90, 20);
    pv_body_id driven = add_body(world, PV_BODY_KINEMATIC, 0, 20);
    pv_body_destroy(world, gone);
    name(BODY, &body, &gone);
    memcpy(&f.kinematic, &driven, sizeof driven);
}

static void make_matter(pv_world *world) {
    pv_particle_id p = add_particle(world, 80, 10), q = add_particle(world, 90, 10),
                   gone = add_particle(world, 99, 9);
    pv_particle_destroy(world, gone);
    name(PARTICLE, &p, &gone);
    pv_anchor at_p = pv_anchor_particle(p), at_q = pv_anchor_particle(q),
              here = pv_anchor_world((pv_vec2){80, 9});
    pv_body_id body;
    memcpy(&body, &f.names[BODY].living, sizeof body);
    pv_anchor at_body = pv_anchor_body(body, (pv_vec2){50, 52});
    pv_joint_id stick = join(world, PV_JOINT_DISTANCE, at_p, at_q), angle, motor, drag, loose;
    angle = join(world, PV_JOINT_ANGLE_LIMIT, at_body, here);
    motor = join(world, PV_JOINT_MOTOR, at_body, here);
    drag = join(world, PV_JOINT_MOUSE, at_p, here);
    loose = join(world, PV_JOINT_ROPE, at_p, here);
    pv_joint_destroy(world, loose);
    name(CONSTRAINT, &stick, &loose);
    memcpy(&f.angle, &angle, sizeof angle);
    memcpy(&f.motor, &motor, sizeof motor);
    memcpy(&f.drag, &drag, sizeof drag);
    add_polygon(world);
    pv_liquid_id liquid = add_liquid(world), dry = add_liquid(world);
    pv_liquid_destroy(world, dry);
    pv_liquid_add_particle(world, liquid, q);
    name(LIQUID, &liquid, &dry);
    pv_force_field_id force = add_force(world), spent = add_force(world);
    pv_force_field_destroy(world, spent);
    name(FORCE, &force, &spent);
    pv_composite_id matter = pv_composite_create(world, NULL),
                    nothing = pv_composite_create(world, NULL);
    pv_composite_destroy(world, nothing);
    pv_composite_add_particle(world, matter, q);
    name(MATTER, &matter, &nothing);
    pv_grains_id grains = add_grains(world), none = add_grains(world);
    pv_grains_destroy(world, none);
    name(GRAINS, &grains, &none);
}

static void make_world(void) {
    f.world =
        WORLD(it.allocator = f.allocator, it.contact_mode = f.contacts, it.report_callback = report,
              it.filter_callback = filter, it.presolve_callback = presolve);
    keep("pv_world", f.world);
    make_bodies(f.world);
    make_matter(f.world);
    step_well(f.world, 1.0 / 60);
    ck_assert_int_gt(pv_world_get_contacts(f.world, NULL, 0), 0);
}

static void make_pictures(void) {
    pv_image_limits limits = WITH(pv_image_limits_default(), it.allocator = f.allocator);
    pv_image *image = pv_image_create(SIDE, SIDE, &limits, NULL);
    keep("pv_image", image);
    memset(image->pixels, 0xff, SIDE * SIDE * 4);
    f.solid = solid_mask();
    keep("pv_mask", solid_mask());
    keep("pv_parts", pv_parts_create(f.solid, PV_CONNECTIVITY_4, NULL));
    keep("pv_outline", pv_outline_create(f.solid, PV_CONNECTIVITY_4, NULL));
    keep("pv_paper_runs", pv_paper_runs_encode(f.solid, &f.allocator, NULL));
    keep("pv_material_map",
         pv_material_map_from_bytes(shades, shades, SIDE, SIDE, SIDE, &f.allocator, NULL));
    pv_frames_options options =
        WITH(pv_frames_options_default(), it.limits.allocator = f.allocator);
    pv_frames *frames =
        pv_frames_from_grid(image, &(pv_grid){.width = SIDE, .height = SIDE}, &options, NULL);
    keep("pv_frames", frames);
    ck_assert_int_eq(pv_frames_add_tag(frames, &(pv_tag){.name = "a"}), PV_OK);
#ifdef HAVE_CJSON
    if (!object_of("pv_map_objects")->pointer) /* kept: reading their picture is slow */
        keep("pv_map_objects",
             pv_map_objects_load(source_path("tests/data/hills_objects.tmj"), NULL, NULL, NULL));
#endif
    keep("pv_task_pool", pv_task_pool_create(1, NULL));
    pv_group *group = pv_group_create(0, &f.allocator, NULL);
    keep("pv_group", group);
    pv_member_id member = add_member(group), gone = add_member(group);
    pv_group_remove(group, gone);
    name(MEMBER, &member, &gone);
}

/// File that functions write
static char saved[] = "api-test.png";

static void make_all(void) {
    make_pictures();
    make_world();
    f.told = f.reported = (pv_error){.status = PV_STATUS_COUNT, .function = ""};
    for (int i = 0; i < MOST_PARAMETERS; i++) memset(f.values[i], 0, STORE);
    memset(f.result, 0, STORE);
}

/// @return whether all memory has come back
static bool unmake_all(void) {
    for (object *o = objects; !same(o->type, "pv_map_objects"); o++) {
        if (o->pointer) o->release(o->pointer);
        o->pointer = NULL;
    }
    pv_mask_release(f.solid);
    return f.purse.live_bytes == 0;
}

/// Gets ids from a world and a group with more objects, so that the test's world has none of these.
static void make_foreign_names(void) {
    static const char *const types[NAME_TYPES] = {
        "pv_body_id",        "pv_particle_id",  "pv_joint_id",  "pv_liquid_id",
        "pv_force_field_id", "pv_composite_id", "pv_grains_id", "pv_member_id"};
    make_pictures();
    scoped_world *world = pv_world_create(NULL, NULL);
    for (int i = 0; i < CROWD; i++) {
        pv_body_id body = add_body(world, PV_BODY_DYNAMIC, 50, 50);
        pv_particle_id p = add_particle(world, 0, 0), q = add_particle(world, 9, 0);
        pv_joint_id stick =
            join(world, PV_JOINT_DISTANCE, pv_anchor_particle(p), pv_anchor_particle(q));
        add_polygon(world);
        pv_liquid_id liquid = add_liquid(world);
        pv_force_field_id force = add_force(world);
        pv_composite_id matter = pv_composite_create(world, NULL);
        pv_grains_id grains = add_grains(world);
        pv_member_id member = add_member(object_of("pv_group")->pointer);
        const void *all[NAME_TYPES] = {&body,  &p,      &stick,  &liquid,
                                       &force, &matter, &grains, &member};
        for (int k = 0; k < NAME_TYPES; k++) {
            f.names[k].type = types[k];
            memcpy(&f.names[k].foreign, all[k], sizeof(handle));
        }
    }
    stored_size = pv_mask_serialize(f.solid, stored, sizeof stored);
    unmake_all();
}

static void set_up(void) {
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    memset(&f, 0, sizeof f);
    f.contacts = PV_CONTACT_MODE_CONTOURS;
    f.allocator = (pv_allocator){spend, &f.purse};
    f.result = malloc(STORE);
    for (int i = 0; i < MOST_PARAMETERS; i++) f.values[i] = malloc(STORE);
    memset(colors, 0xff, sizeof colors);
    for (int i = 0; i < SIDE * SIDE; i++) shades[i] = (unsigned char)(i * 7);
    FILE *file = fopen(source_path("sprites/ball_small.png"), "rb");
    ck_assert_ptr_nonnull(file);
    png_size = fread(png, 1, sizeof png, file);
    fclose(file);
    make_foreign_names();
}

static void tear_down(void) {
    object *lasting = object_of("pv_map_objects");
    map_objects_free(lasting->pointer);
    lasting->pointer = NULL;
    remove(saved);
    free(f.result);
    for (int i = 0; i < MOST_PARAMETERS; i++) free(f.values[i]);
}

/* ---- good arguments, by type, or by name where needed ---- */

static bool begins(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}
static bool ends(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && same(text + n - k, end);
}

static names *names_of(const char *type) {
    for (int i = 0; i < NAME_TYPES; i++)
        if (same(f.names[i].type, type)) return &f.names[i];
    ck_abort_msg("nothing of type %s is made for tests/test_api.c: add it to make_matter()", type);
    return NULL;
}

/// Tells whether a text matches one of the patterns between bars.
static bool matches(const char *patterns, const char *text) {
    for (const char *p = patterns; *p; p += *p == '|') {
        size_t n = strcspn(p, "|");
        bool open = n > 0 && p[n - 1] == '*';
        if (open ? strncmp(p, text, n - 1) == 0 : strlen(text) == n && strncmp(p, text, n) == 0)
            return true;
        p += n;
    }
    return false;
}

/// Ids with a property that some functions need
static const struct {
    const char *functions, *parameter;
    handle *of;
} special[] = {
    {"pv_joint_set_target", "*", &f.drag},       {"pv_joint_create_*", "a", &f.kinematic},
    {"pv_body_move_to", "*", &f.kinematic},      {"pv_grains_merge", "body", &f.kinematic},
    {"pv_joint_set_motor_speed", "*", &f.motor}, {"pv_joint_set_limits", "*", &f.angle},
};

static handle living(const api_function *fn, const api_parameter *p) {
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (matches(special[i].functions, fn->name) && matches(special[i].parameter, p->name))
            return *special[i].of;
    return names_of(p->type->name)->living;
}

static int good_int(const api_parameter *p) {
    if (same(p->name, "width") || same(p->name, "height")) return SIDE;
    if (same(p->name, "capacity")) return 4;
    if (same(p->name, "point_count")) return 3;
    return same(p->name, "index") || same(p->name, "tag") ? 0 : 1;
}

static size_t good_size(const api_function *fn, const api_parameter *p) {
    if (begins(fn->name, "pv_world_save"))
        return same(p->name, "base_size") ? snapshot_size : sizeof differences;
    if (same(p->name, "changes_size")) return differences_size;
    if (begins(fn->name, "pv_world_restore")) return snapshot_size;
    if (same(p->name, "capacity")) return same(fn->name, "pv_mask_serialize") ? STORE : 4;
    if (same(p->name, "budget")) return 1 << 16;
    if (!same(p->name, "size")) return 1;
    return same(fn->name, "pv_mask_deserialize")     ? stored_size
           : same(fn->name, "pv_frames_load_memory") ? sizeof json - 1
                                                     : png_size;
}

static void fill_scalar(const api_function *fn, const api_parameter *p, void *to) {
    const api_leaf *leaf = &p->type->leaves[0];
    handle h;
    switch (leaf->kind) {
    case API_FLOAT: *(float *)to = 1; break;
    case API_DOUBLE: *(double *)to = same(p->name, "dt") ? 1.0 / 60 : 1; break;
    case API_ENUM:
        *(int *)to = same(p->type->name, "pv_connectivity") ? PV_CONNECTIVITY_4 : 0;
        break;
    case API_INT: *(int *)to = good_int(p); break;
    case API_UINT: *(unsigned *)to = 1; break;
    case API_INT64: *(int64_t *)to = 1; break;
    case API_UINT64: *(uint64_t *)to = 1; break;
    case API_SIZE: *(size_t *)to = good_size(fn, p); break;
    case API_PITCH: *(ptrdiff_t *)to = strstr(fn->name, "_rows") ? SIDE / 8 : SIDE * 4; break;
    case API_BOOL: *(bool *)to = true; break;
    case API_POINTER: memset(to, 0, sizeof(void *)); break; /* no callback */
    case API_HANDLE:
        h = living(fn, p);
        memcpy(to, &h, sizeof h);
        break;
    default: ck_abort_msg("%s: no good value for %s", fn->name, p->name);
    }
}

static pv_anchor anchor_on(int which) {
    pv_anchor a = {.point = {50, 50}};
    if (which == PARTICLE) memcpy(&a.particle, &f.names[PARTICLE].living, sizeof a.particle);
    if (which == BODY) memcpy(&a.body, &f.names[BODY].living, sizeof a.body);
    return a;
}

static pv_triangle a_triangle(void) {
    pv_triangle t = {.uv = {{0, 0}, {1, 0}, {0, 1}}};
    for (int i = 0; i < 3; i++)
        memcpy(&t.corners[i], &f.names[PARTICLE].living, sizeof t.corners[i]);
    return t;
}

static const uint32_t tiles[1] = {1};
static pv_mask *tile_masks[2];

/// Fills a value of a type without a default function.
static bool fill_plain(const char *type, void *to) {
#define FILL(T, ...)                                                                               \
    if (same(type, #T)) return memcpy(to, &(T){__VA_ARGS__}, sizeof(T))
    pv_transform here = pv_transform_identity(), there = here;
    there.position.x = 20;
    tile_masks[1] = f.solid;
    if (same(type, "pv_transform")) return memcpy(to, &here, sizeof here);
    FILL(pv_vec2, 50, 50);
    FILL(pv_rotation, 1, 0);
    FILL(pv_box, {10, 10}, {90, 90});
    FILL(pv_rect, 0, 0, 8, 8);
    FILL(pv_filter, 1, 0xffffffff, 0);
    FILL(pv_paper_motion, {1, 1}, {0, 0}, {0, 0}, 0);
    FILL(pv_allocator, spend, &f.purse);
    FILL(pv_pixels, colors, SIDE, SIDE, SIDE * 4, 4, 0xff000000);
    FILL(pv_color_match, 0xffffffff, 0, false, NULL, 0);
    FILL(pv_placed, f.solid, here);
    FILL(pv_swept, f.solid, here, there);
    FILL(pv_grain, {50, 50}, {0, 0}, 0);
    FILL(pv_grain_sink, .box = {{10, 10}, {20, 20}});
    FILL(pv_tag, "b", 0, 0, PV_TAG_FORWARD);
    FILL(pv_grid, .width = SIDE, .height = SIDE);
    FILL(pv_tilemap_def, SIDE, SIDE, 1, 1, tiles, tile_masks, 2, f.allocator);
    FILL(pv_canvas, colors, SIDE, SIDE, SIDE * 4);
    FILL(pv_grains_view, 0);
    FILL(pv_pose, .position = {50, 50}, .rotation = {1, 0}, .top_left = {40, 40});
    FILL(pv_contact, .point = {50, 50}, .normal = {1, 0});
    FILL(pv_hit_event, .point = {50, 50}, .normal = {1, 0});
    FILL(pv_clock, .step = 1, .max_steps = 4);
    FILL(pv_query_filter, .mask_bits = 0xffffffff, .accept = accept);
    if (same(type, "pv_cut"))
        return memcpy(to, &(pv_cut[]){pv_cut_circle((pv_vec2){50, 50}, 5)}, sizeof(pv_cut));
    if (same(type, "pv_anchor"))
        return memcpy(to, &(pv_anchor[]){anchor_on(PARTICLE)}, sizeof(pv_anchor));
    if (same(type, "pv_triangle"))
        return memcpy(to, &(pv_triangle[]){a_triangle()}, sizeof(pv_triangle));
    return false;
#undef FILL
}

/// Fills in the required members of a default def.
static void complete(const api_type *type, void *to) {
    const char *t = type->name;
    for (int i = 0; i < type->leaf_count; i++)
        if (same(type->leaves[i].type, "pv_mask *"))
            memcpy((char *)to + type->leaves[i].offset, &f.solid, sizeof f.solid);
        else if (same(type->leaves[i].type, "pv_material_map *"))
            memcpy((char *)to + type->leaves[i].offset, &object_of("pv_material_map")->pointer,
                   sizeof(void *));
    pv_vec2 left = {10, 20}, right = {40, 20};
    if (same(t, "pv_polygon_def"))
        ((pv_polygon_def *)to)->points = corners, ((pv_polygon_def *)to)->point_count = 3;
    if (same(t, "pv_joint_def"))
        ((pv_joint_def *)to)->a = anchor_on(PARTICLE), ((pv_joint_def *)to)->b = anchor_on(BODY);
    if (same(t, "pv_rope_def"))
        ((pv_rope_def *)to)->from.point = left, ((pv_rope_def *)to)->to.point = right;
    if (same(t, "pv_bridge_def"))
        ((pv_bridge_def *)to)->from = left, ((pv_bridge_def *)to)->to = right;
    if (same(t, "pv_grass_def"))
        ((pv_grass_def *)to)->from = left, ((pv_grass_def *)to)->to = right;
    if (same(t, "pv_soft_body_def")) {
        pv_soft_body_def *soft = to;
        soft->points = soft->uvs = corners;
        soft->point_count = 3;
        soft->triangles = triangles;
        soft->triangle_count = 1;
    }
    if (same(t, "pv_debug_draw")) ((pv_debug_draw *)to)->line = line;
}

static void fill(const api_function *fn, const api_parameter *p, void *to) {
    bool is_scalar = p->type->leaf_count == 1 && p->type->leaves[0].path[0] == '\0';
    if (is_scalar) {
        fill_scalar(fn, p, to);
        return;
    }
    if (p->type->make_default)
        p->type->make_default(to);
    else if (!fill_plain(p->type->name, to))
        ck_abort_msg("%s(%s): add a good %s to fill_plain() in tests/test_api.c", fn->name, p->name,
                     p->type->name);
    if (same(p->type->name, "pv_anchor") && same(p->name, "b")) *(pv_anchor *)to = anchor_on(BODY);
    if (same(p->name, "scale")) *(pv_vec2 *)to = (pv_vec2){2, 2};
    complete(p->type, to);
}

static void *good_text(const api_function *fn, const api_parameter *p) {
    static char a[] = "a", ground[] = "ground", things[] = "things", generic[] = "generic",
                sheet[1024];
    bool objects_of_map = begins(fn->name, "pv_map_objects");
    if (same(p->name, "layer")) return objects_of_map ? things : ground;
    if (same(fn->name, "pv_kernel_select")) return generic;
    if (!same(p->name, "path")) return a;
    if (same(fn->name, "pv_image_save")) return saved;
    const char *file = begins(fn->name, "pv_frames") ? "tests/data/walker_array.json"
                       : objects_of_map              ? "tests/data/hills_objects.tmj"
                       : begins(fn->name, "pv_tile") ? "tests/data/hills.json"
                                                     : "sprites/ball_small.png";
    return strcpy(sheet, source_path(file));
}

static void *good_bytes(const api_function *fn, const api_parameter *p) {
    if (same(p->name, "png")) return png;
    if (same(p->name, "changes")) {
        pv_world_save_changes(f.world, snapshot, snapshot_size, differences, sizeof differences,
                              &differences_size);
        return differences;
    }
    if (same(p->name, "base") || same(fn->name, "pv_world_restore")) {
        pv_world_save(f.world, 0, snapshot, sizeof snapshot, &snapshot_size);
        return snapshot;
    }
    if (same(p->name, "json")) return memcpy(stored + 2048, json, sizeof json);
    return same(fn->name, "pv_mask_deserialize") ? stored : colors;
}

/// Returns a good value for a pointer argument; value is storage for it.
static void *good_pointer(const api_function *fn, const api_parameter *p, void *value) {
    object *o = object_of(p->type->name);
    if (same(fn->name, "pv_frames_load") && same(p->name, "image")) return NULL;
    if (o) return o->pointer;
    if (same(p->type->name, "pv_error")) return &f.told;
    if (same(p->type->name, "char")) return good_text(fn, p);
    if (begins(fn->name, "pv_world_save") && same(p->name, "buffer")) return differences;
    if (same(p->type->name, "void")) return p->is_const ? good_bytes(fn, p) : value;
    if (same(p->type->name, "pv_clock")) fill_plain("pv_clock", value);
    if (!p->is_const && !p->type->make_default) return value;
    fill(fn, p, value);
    if (same(p->name, "corners") || same(p->name, "texture") || same(p->name, "points"))
        memcpy(value, corners, sizeof corners);
    return value;
}

static void fill_arguments(const api_function *fn) {
    ck_assert_int_le(fn->parameter_count, MOST_PARAMETERS);
    for (int i = 0; i < fn->parameter_count; i++) {
        const api_parameter *p = &fn->parameters[i];
        f.arguments[i] = p->is_pointer ? (void *)&f.pointers[i] : f.values[i];
        if (p->is_pointer)
            f.pointers[i] = good_pointer(fn, p, f.values[i]);
        else
            fill(fn, p, f.values[i]);
    }
}

/* ---- bad arguments ---- */

static const int bad_count[] = {
    [API_DOUBLE] = 5,  [API_ENUM] = 2,   [API_INT] = 3,    [API_UINT] = 2,  [API_INT64] = 3,
    [API_UINT64] = 2,  [API_SIZE] = 1,   [API_PITCH] = 3,  [API_FLOAT] = 3, [API_BOOL] = 1,
    [API_POINTER] = 1, [API_HANDLE] = 4, [API_COOKIE] = 1,
};

static void spoil(const api_leaf *leaf, void *at, int k) {
    const double doubles[] = {NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX};
    const int enums[] = {-1, 1000}, ints[] = {-1, INT_MIN, INT_MAX};
    const unsigned uints[] = {0, UINT_MAX};
    const int64_t wide[] = {-1, INT64_MIN, INT64_MAX};
    const uint64_t uwide[] = {0, UINT64_MAX};
    const ptrdiff_t pitches[] = {0, 1, -1};
    switch (leaf->kind) {
    case API_DOUBLE: memcpy(at, &doubles[k], sizeof(double)); break;
    case API_FLOAT: *(float *)at = (float)doubles[k]; break;
    case API_ENUM: memcpy(at, &enums[k], sizeof(int)); break;
    case API_INT: memcpy(at, &ints[k], sizeof(int)); break;
    case API_UINT: memcpy(at, &uints[k], sizeof(unsigned)); break;
    case API_INT64: memcpy(at, &wide[k], sizeof(int64_t)); break;
    case API_UINT64: memcpy(at, &uwide[k], sizeof(uint64_t)); break;
    case API_SIZE: memset(at, 0, sizeof(size_t)); break;
    case API_PITCH: memcpy(at, &pitches[k], sizeof(ptrdiff_t)); break;
    case API_BOOL: *(bool *)at = !*(bool *)at; break;
    case API_POINTER: memset(at, 0, sizeof(void *)); break;
    case API_COOKIE: memset(at, 1, sizeof(unsigned)); break;
    case API_HANDLE: {
        const names *n = names_of(leaf->type);
        /* The last one is of an earlier object in the living one's slot. */
        const handle former = {n->living.index, n->living.generation - 1},
                     handles[] = {{0, 0}, n->stale, n->foreign, former};
        memcpy(at, &handles[k], sizeof(handle));
        break;
    }
    }
}

/// Bad argument of a call: a null pointer, or a leaf with one of its bad values
typedef struct trial {
    const api_function *fn;
    int parameter;
    /// Bad leaf; null: the pointer itself is null
    const api_leaf *leaf;
    int k;
} trial;

/// Status for an argument that has no limits
#define ANYTHING PV_STATUS_COUNT
/// Status for a bad value that would lie about the caller's memory, so it is not tried
#define NOT_TRIED ((pv_status)(PV_STATUS_COUNT + 1))
/// Status for functions whose results need not be finite
#define NOT_JUDGED ((pv_status)(PV_STATUS_COUNT + 2))

/// Tells whether a parameter is an array for answers; null stands for capacity 0.
static bool is_array_of_answers(const api_function *fn, int i) {
    const api_parameter *p = &fn->parameters[i];
    return p->is_pointer && !p->is_const && i + 1 < fn->parameter_count &&
           same(p[1].name, "capacity");
}

/// Returns the status that follows from the type alone.
static pv_status expected_by_type(const trial *t) {
    if (!t->leaf) return is_array_of_answers(t->fn, t->parameter) ? ANYTHING : PV_ERROR_ARGUMENT;
    bool is_field = t->leaf->path[0] != '\0';
    switch (t->leaf->kind) {
    case API_DOUBLE: return t->k < 3 ? PV_ERROR_NOT_FINITE : ANYTHING;
    case API_ENUM:
    case API_COOKIE: return PV_ERROR_ARGUMENT;
    case API_PITCH: return is_field ? ANYTHING : PV_ERROR_ARGUMENT;
    case API_HANDLE: return is_field && t->k == 0 ? ANYTHING : PV_ERROR_STALE_ID;
    default: return ANYTHING;
    }
}

/// Exceptions that the headers state. Patterns stand between bars, and a star ends a prefix.
static const struct {
    const char *functions, *arguments;
    pv_status expected;
    const char *reason;
} exceptions[] = {
    {"*", "error", ANYTHING, "null is allowed"},
    {"*", "allocator", ANYTHING, "null for the C library's"},
    {"*", "limits|options", ANYTHING, "null for the defaults"},
    {"*", "filter", ANYTHING, "null for all bodies"},
    {"*", "user|user_data", ANYTHING, "the caller's pointer"},
    {"*", "hits|hit|normal|origin|overlap", ANYTHING, "null, or gets the answer"},
    {"pv_frames_load", "image", ANYTHING, "null: the one that meta.image names"},
    {"pv_tilemap_load_mask", "layer", ANYTHING, "null: all tile layers"},
    {"pv_map_objects_load", "layer", ANYTHING, "null: all object layers"},
    {"pv_grains_emit_mask", "colors", ANYTHING, "null: the color of the population"},
    {"pv_material_map_from_bytes", "hardness|density", ANYTHING, "null: none"},
    {"pv_kernel_select", "name", ANYTHING, "null: chosen anew"},
    {"pv_canvas_draw_triangle", "image", ANYTHING, "null: color alone"},
    {"pv_world_create|pv_world_set_workers", "def", ANYTHING, "null for the defaults"},
    {"pv_world_set_workers", "def.*", ANYTHING, "of which only the workers are read"},
    {"pv_task_pool_attach", "pool", ANYTHING, "null clears what it sets"},
    {"pv_world_get_next_*", "*", ANYTHING, "the first for the null name"},
    {"pv_frames_get_index_at", "seconds", ANYTHING, "NaN counts as 0, above 1e9 as 1e9"},
    {"pv_world_pick_particle", "reach", ANYTHING, "infinity: of all"},
    {"pv_joint_create", "def.a.body", ANYTHING,
     "not looked at: the anchors name a particle and a body"},
    {"pv_joint_create", "def.a.point*", ANYTHING, "of a particle it is not heeded"},
    {"pv_joint_create_*", "a|b", ANYTHING, "the null id is the world"},
    {"pv_joint_create_*", "a.body", ANYTHING,
     "not looked at: the anchors name a particle and a body"},
    {"pv_joint_create_*", "a.point*", ANYTHING, "of a particle it is not heeded"},
    {"pv_mover_fits", "mask", ANYTHING, "null: the mover's mask"},
    {"pv_mover_query|pv_mover_fits",
     "mover.velocity*|mover.ground_velocity*|mover.crush_time|mover.ground|mover.wall|"
     "mover.passing*",
     ANYTHING, "results of the last move are not looked at"},
    {"pv_body_set_static_friction", "static_friction", ANYTHING, "below 0: by the kinetic one"},
    {"pv_anchor_*|pv_body_def_*", "*", NOT_JUDGED, "these judge nothing themselves"},
    {"pv_transform_to_world|pv_transform_to_local|pv_body_to_world|pv_body_to_local|pv_pose_lerp|"
     "pv_mover_get_*",
     "*", NOT_JUDGED, "what is not finite stays so; the point or the default for null"},
    {"pv_vec2_*", "*", NOT_JUDGED, "numbers in, numbers out"},
    {"pv_hit_event_orient", "*", NOT_JUDGED, "the same"},
    {"pv_tilemap_create_mask", "def.mask_count", NOT_TRIED, "how many masks there are"},
    {"pv_paper_motion_step", "*", NOT_JUDGED, "what is not finite leaves it as it is"},
    {"pv_world_save|pv_world_save_changes", "size", ANYTHING, "null, or gets how many are used"},
    {"pv_world_save", "buffer", ANYTHING, "null, which asks for the size alone"},
    {"pv_body_carve", "carved", ANYTHING, "null, or gets what became of it"},
    {"pv_world_carve", "total", ANYTHING, "null, or gets the sum"},
    {"pv_body_carve|pv_world_carve", "cut.transform*", ANYTHING, "a circle has none"},
};

static const char *label_of(const trial *t) {
    static char label[200];
    const char *path = t->leaf ? t->leaf->path : "";
    snprintf(label, sizeof label, "%s%s%s", t->fn->parameters[t->parameter].name,
             path[0] ? "." : "", path);
    return label;
}

static pv_status expected_of(const trial *t) {
    const char *label = label_of(t);
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (matches(exceptions[i].functions, t->fn->name) &&
            matches(exceptions[i].arguments, label))
            return exceptions[i].expected;
    return expected_by_type(t);
}

/* ---- results ---- */

static void complain(const trial *t, const char *what, const char *detail) {
    const char *label = t->parameter < 0 ? "all good" : label_of(t);
    f.failures++;
    printf("# %s(%s, bad value %d): %s%s\n", t->fn->name, label, t->k, what, detail);
}

/// Functions that return something else than 0 for nothing
static const struct {
    const char *function;
    int neutral;
} numbers[] = {
    {"pv_parts_find_at", -1},
    {"pv_frames_find", -1},
    {"pv_frames_find_tag", -1},
    {"pv_frames_get_index_at", -1},
};

static int neutral_number(const api_function *fn) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (same(numbers[i].function, fn->name)) return numbers[i].neutral;
    return 0;
}

/// Tells whether a value is its default. Defs with a cookie do not count: they can make objects.
static bool is_default(const api_type *type, const void *value) {
    pv_transform identity = pv_transform_identity();
    if (same(type->name, "pv_transform")) return memcmp(value, &identity, sizeof identity) == 0;
    char fresh[STORE] = {0};
    if (!type->make_default || type->size > sizeof fresh) return false;
    for (int i = 0; i < type->leaf_count; i++)
        if (type->leaves[i].kind == API_COOKIE) return false;
    type->make_default(fresh);
    return memcmp(fresh, value, type->size) == 0;
}

static bool is_empty_box(const api_type *type, const void *value) {
    if (!same(type->name, "pv_box")) return false;
    pv_box box;
    memcpy(&box, value, sizeof box);
    return box.max.x < box.min.x && box.max.y < box.min.y;
}

static bool is_zero(const api_leaf *leaf, const void *at) {
    static const char zeros[16];
    size_t size = leaf->kind == API_DOUBLE || leaf->kind == API_HANDLE || leaf->kind == API_INT64 ||
                          leaf->kind == API_UINT64
                      ? 8
                  : leaf->kind == API_POINTER ? sizeof(void *)
                  : leaf->kind == API_SIZE    ? sizeof(size_t)
                  : leaf->kind == API_BOOL    ? sizeof(bool)
                                              : 4;
    return memcmp(at, zeros, size) == 0;
}

static double double_at(const void *at) {
    double x;
    memcpy(&x, at, sizeof x);
    return x;
}

static bool finite_leaf(const api_leaf *leaf, const void *at) {
    return leaf->kind != API_DOUBLE || isfinite(double_at(at));
}

static bool neutral_leaf(const api_function *fn, const api_leaf *leaf, const void *at) {
    if (begins(fn->name, "pv_cut_")) return is_zero(leaf, at);
    /* An index that stands for no contour */
    if (same(leaf->path, "outer_index")) return *(const int *)at == -1;
    if (same(leaf->path, "transform.scale.x") || same(leaf->path, "transform.scale.y"))
        return double_at(at) == 1;
    if (leaf->kind == API_INT || leaf->kind == API_UINT)
        return *(const int *)at == neutral_number(fn);
    if (leaf->kind == API_DOUBLE && ends(leaf->path, "c"))
        return double_at(at) == 1; /* cosine of a rotation */
    return is_zero(leaf, at);
}

/// Tells whether the result is neutral. Numbers may be any if an argument is not finite.
static bool is_neutral(const api_function *fn, pv_status expected) {
    if (!fn->result) return true;
    if (fn->is_pointer) return same(fn->result->name, "char") || *(void **)f.result == NULL;
    if (same(fn->result->name, "pv_status")) return true;
    if (is_default(fn->result, f.result) || is_empty_box(fn->result, f.result)) return true;
    bool any_number = expected == PV_ERROR_NOT_FINITE || expected == ANYTHING;
    for (int i = 0; i < fn->result->leaf_count; i++) {
        const api_leaf *leaf = &fn->result->leaves[i];
        const char *at = (const char *)f.result + leaf->offset;
        if (any_number && leaf->kind == API_DOUBLE ? !finite_leaf(leaf, at)
                                                   : !neutral_leaf(fn, leaf, at))
            return false;
    }
    return true;
}

static bool is_finite(const api_function *fn) {
    for (int i = 0; fn->result && !fn->is_pointer && i < fn->result->leaf_count; i++)
        if (!finite_leaf(&fn->result->leaves[i],
                         (const char *)f.result + fn->result->leaves[i].offset))
            return false;
    return true;
}

static int find_parameter(const api_function *fn, const char *spelling) {
    for (int i = 0; i < fn->parameter_count; i++)
        if (same(fn->parameters[i].spelling, spelling)) return i;
    return -1;
}

/// @return the status that the function returned or wrote, or ANYTHING if it has none
static pv_status outcome_of(const api_function *fn) {
    if (fn->result && !fn->is_pointer && same(fn->result->name, "pv_status"))
        return *(pv_status *)f.result;
    int i = find_parameter(fn, "pv_error *");
    return i >= 0 && f.pointers[i] ? f.told.status : ANYTHING;
}

static bool tells(const api_function *fn) {
    int i = find_parameter(fn, "pv_error *");
    return (fn->result && !fn->is_pointer && same(fn->result->name, "pv_status")) ||
           (i >= 0 && f.pointers[i]);
}

static bool takes_world(const api_function *fn) {
    return fn->parameter_count > 0 && same(fn->parameters[0].type->name, "pv_world");
}

static bool is_mutator(const api_function *fn) { return find_parameter(fn, "pv_world *") == 0; }

/* ---- a call ---- */

/// Frees a call's result, and forgets the object that the call freed.
static void clear_result(const api_function *fn, bool done) {
    object *o = fn->result ? object_of(fn->result->name) : NULL;
    if (o && fn->is_pointer && !fn->is_const && *(void **)f.result) o->release(*(void **)f.result);
    bool frees = !fn->result && (ends(fn->name, "_free") || ends(fn->name, "_destroy") ||
                                 ends(fn->name, "_release"));
    if (!frees || !done || !f.pointers[0]) return;
    object_of(fn->parameters[0].type->name)->pointer = NULL;
    if (takes_world(fn)) f.world = NULL;
}

static bool begins_with_component(const char *label, const char *field) {
    size_t n = strlen(field);
    return strncmp(label, field, n) == 0 && (!label[n] || label[n] == '.' || label[n] == '[');
}

/// Checks that an error names its function and the bad argument, and within a def its field.
static void check_wording(const trial *t, const pv_error *e) {
    const char *label = label_of(t);
    size_t n = strlen(t->fn->name);
    if (e->status == PV_ERROR_MEMORY) return;
    if (!same(e->function, t->fn->name) || strncmp(e->message, t->fn->name, n) != 0 ||
        strncmp(e->message + n, ": ", 2) != 0)
        complain(t, "the message does not begin with the function: ", e->message);
    bool in_def = t->leaf && t->leaf->path[0] && t->leaf->kind != API_COOKIE &&
                  t->fn->parameters[t->parameter].type->make_default;
    if (!e->field || !begins_with_component(label, e->field) ||
        (in_def && !strchr(e->field, '.')) || !strstr(e->message, e->field))
        complain(t, "the message does not name it: ", e->message);
}

static void check_refusal(const trial *t, pv_status expected, uint64_t hash) {
    const api_function *fn = t->fn;
    pv_status said = outcome_of(fn);
    if (tells(fn) && expected != ANYTHING && said != expected)
        complain(t, "said ", pv_status_to_string(said));
    if (!is_neutral(fn, expected)) complain(t, "the result is not neutral", "");
    if (f.world && pv_world_compute_hash(f.world) != hash) complain(t, "the world has changed", "");
    if (find_parameter(fn, "pv_error *") >= 0 && tells(fn)) check_wording(t, &f.told);
    if (!tells(fn) && is_mutator(fn) && fn->result && expected != ANYTHING) said = expected;
    if (said == ANYTHING || !takes_world(fn) || !f.pointers[0]) return;
    if (f.reported.status != said || !same(f.reported.function, fn->name))
        complain(t, "reported by ", f.reported.function);
    check_wording(t, &f.reported);
}

static void call(const api_function *fn) {
    f.calls++;
    fn->call(f.arguments, f.result);
}

/// Tells whether all places and speeds are finite after a step, in case a bad number was accepted.
static bool stays_finite(void) {
    pv_world_step(f.world, 1.0 / 60);
    pv_body_id b = pv_world_get_next_body(f.world, (pv_body_id){0, 0});
    pv_particle_id p = pv_world_get_next_particle(f.world, (pv_particle_id){0, 0});
    for (; b.generation; b = pv_world_get_next_body(f.world, b)) {
        pv_vec2 at = pv_body_get_position(f.world, b), way = pv_body_get_velocity(f.world, b);
        if (!isfinite(at.x + at.y + way.x + way.y + pv_body_get_angular_velocity(f.world, b)))
            return false;
    }
    for (; p.generation; p = pv_world_get_next_particle(f.world, p)) {
        pv_vec2 at = pv_particle_get_position(f.world, p),
                way = pv_particle_get_velocity(f.world, p);
        if (!isfinite(at.x + at.y + way.x + way.y)) return false;
    }
    return true;
}

static void run(const trial *t) {
    if (t->parameter >= 0 && expected_of(t) == NOT_TRIED) return;
    make_all();
    fill_arguments(t->fn);
    int i = t->parameter;
    if (i >= 0 && !t->leaf) f.pointers[i] = NULL;
    if (i >= 0 && t->leaf) spoil(t->leaf, (char *)f.values[i] + t->leaf->offset, t->k);
    uint64_t hash = pv_world_compute_hash(f.world);
    call(t->fn);
    pv_status said = outcome_of(t->fn), expected = i < 0 ? PV_OK : expected_of(t);
    if (tells(t->fn) && (unsigned)said >= PV_STATUS_COUNT) complain(t, "no status was told", "");
    if (i < 0 && tells(t->fn) && said != PV_OK && said != PV_ERROR_UNSUPPORTED)
        complain(t, "a good call is refused: ", pv_status_to_string(said));
    if (expected != NOT_JUDGED && !is_finite(t->fn)) complain(t, "a number is not finite", "");
    clear_result(t->fn, true);
    bool refused = expected != ANYTHING || (tells(t->fn) && said != PV_OK);
    if (i >= 0 && expected != NOT_JUDGED && refused) check_refusal(t, expected, hash);
    if (is_mutator(t->fn) && f.world && !stays_finite())
        complain(t, "after a step not all is finite", "");
    if (!unmake_all()) complain(t, "memory has not come back", "");
    if (same(t->fn->name, "pv_kernel_select")) pv_kernel_select(NULL);
}

static void run_leaves(const api_function *fn, int parameter) {
    const api_type *type = fn->parameters[parameter].type;
    for (int i = 0; i < type->leaf_count; i++)
        for (int k = 0; k < bad_count[type->leaves[i].kind]; k++)
            run(&(trial){fn, parameter, &type->leaves[i], k});
}

static void run_function(const api_function *fn) {
    run(&(trial){fn, -1, NULL, 0});
    if (tells(fn) && outcome_of(fn) == PV_ERROR_UNSUPPORTED) return;
    for (int k = 0; k < fn->parameter_count; k++) {
        const api_parameter *p = &fn->parameters[k];
        if (p->is_pointer) run(&(trial){fn, k, NULL, 0});
        if (!p->is_pointer || (p->is_const && !object_of(p->type->name))) run_leaves(fn, k);
    }
}

START_TEST(every_function_refuses_bad_input) {
    set_up();
    for (f.contacts = PV_CONTACT_MODE_PIXELS; f.contacts <= PV_CONTACT_MODE_CONTOURS; f.contacts++)
        for (size_t i = 0; i < api_function_count; i++) run_function(&api_functions[i]);
    printf("# %d functions, %ld calls\n", (int)api_function_count, f.calls);
    tear_down();
    ck_assert_int_eq(f.failures, 0);
}

/* ---- busy worlds ---- */

/// Call to make on a busy world. It is repeated with bad arguments, which must not matter.
static const api_function *change;
static bool all_bad;

static void spoil_all(const api_function *fn) {
    for (int i = 1; i < fn->parameter_count; i++) {
        const api_parameter *p = &fn->parameters[i];
        if (p->is_pointer && !same(p->spelling, "pv_error *")) f.pointers[i] = NULL;
        for (int k = 0; !p->is_pointer && k < p->type->leaf_count; k++)
            spoil(&p->type->leaves[k], (char *)f.values[i] + p->type->leaves[k].offset, 0);
    }
}

static void try_change(void) {
    const trial t = {change, -1, NULL, all_bad};
    fill_arguments(change);
    if (all_bad) spoil_all(change);
    uint64_t hash = pv_world_compute_hash(f.world);
    pv_world_stats stats = pv_world_get_stats(f.world);
    call(change);
    pv_world_stats after = pv_world_get_stats(f.world);
    if (tells(change) && outcome_of(change) != PV_ERROR_BUSY)
        complain(&t, "said ", pv_status_to_string(outcome_of(change)));
    if (!is_neutral(change, PV_ERROR_BUSY)) complain(&t, "the result is not neutral", "");
    if (f.reported.status != PV_ERROR_BUSY || !same(f.reported.function, change->name))
        complain(&t, "reported by ", f.reported.function);
    if (pv_world_compute_hash(f.world) != hash || memcmp(&stats, &after, sizeof stats) != 0)
        complain(&t, "the world has changed", "");
    clear_result(change, false);
}

static void by_query(void) {
    pv_query_filter asking = {.mask_bits = 0xffffffff, .accept = accept};
    ck_assert_int_eq(pv_world_query_point(f.world, (pv_vec2){50, 52}, &asking, NULL, 0), 1);
}

static void by_cast(void) {
    pv_query_filter asking = {.mask_bits = 0xffffffff, .accept = accept};
    pv_vec2 from = {50, 0}, to = {50, 52};
    ck_assert_int_eq(pv_world_cast_ray(f.world, from, to, PV_CAST_ALL, &asking, NULL, 0), 1);
}

static void by_drawing(void) {
    pv_debug_draw draw = WITH(pv_debug_draw_default(), it.line = line);
    ck_assert_int_eq(pv_world_debug_draw(f.world, &draw, PV_DEBUG_ALL), PV_OK);
}

static void by_filter(void) {
    by_presolve = false;
    step_well(f.world, 1.0 / 60);
}

static void by_judgement(void) {
    by_presolve = true;
    step_well(f.world, 1.0 / 60);
}

static void try_while_busy(void (*way)(void)) {
    make_all();
    meddle = try_change;
    way();
    ck_assert_msg(!meddle, "the callback was never called");
    ck_assert_int_eq(pv_world_set_gravity(f.world, (pv_vec2){0, 1}), PV_OK); /* no longer busy */
    ck_assert(unmake_all());
}

START_TEST(every_change_is_refused_while_busy) {
    void (*const ways[])(void) = {by_query, by_cast, by_drawing, by_filter, by_judgement};
    int changes = 0;
    set_up();
    for (size_t i = 0; i < api_function_count; i++) {
        change = &api_functions[i];
        if (!is_mutator(change)) continue;
        changes++;
        for (size_t k = 0; k < 4 * (sizeof ways / sizeof *ways); k++) {
            f.contacts = k & 1 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS;
            all_bad = k & 2;
            try_while_busy(ways[k / 4]);
        }
    }
    printf("# %d functions that change worlds, %ld calls\n", changes, f.calls);
    tear_down();
    ck_assert_int_gt(changes, 0);
    ck_assert_int_eq(f.failures, 0);
}

static pv_world *other;

static void change_both(void) {
    ck_assert_int_eq(pv_world_set_gravity(other, (pv_vec2){0, 2}), PV_OK);
    step_well(other, 1.0 / 60);
    by_query(); /* asked within a callback, and no longer busy after it */
    ck_assert_int_eq(pv_world_set_gravity(f.world, (pv_vec2){0, 2}), PV_ERROR_BUSY);
    ck_assert_int_eq(pv_world_step(f.world, NAN), PV_ERROR_BUSY);
    ck_assert_int_eq(f.reported.status, PV_ERROR_BUSY);
}

START_TEST(other_worlds_can_be_changed_meanwhile) {
    set_up();
    make_all();
    other = pv_world_create(NULL, NULL);
    meddle = change_both;
    by_filter();
    ck_assert(!meddle);
    ck_assert(pv_world_get_gravity(other).y == 2 && pv_world_get_gravity(f.world).y == 320);
    pv_world_destroy(other);
    ck_assert(unmake_all());
    tear_down();
}

RUN_TESTS("api")
