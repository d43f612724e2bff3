/* fuzz_api.c - bytes as calls on a world, checked against a list of its expected content.
 *
 * Invariant: a second world gets the same calls and has the same hash after each. A refused call
 * changes neither of them. After every step, the world's answers, lists and queries agree with the
 * list, with books of its events, and with its bodies one by one.
 *
 * One byte chooses each call, and the following ones are its arguments. When memory may run out,
 * there is no second world.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"
#include "pixverlet/paper.h"

#include <math.h>

static pv_world *worlds[2];

/* ---- the list ---- */

typedef enum kind {
    BODY,
    PARTICLE,
    JOINT,
    POLYGON,
    LIQUID,
    FORCE,
    MATTER,
    GRAINS,
    KINDS,
    ONCE_POLYGON = KINDS
} kind;

enum { MOST = 256, MASKS = 6, CALLS = 160, STEPS = 60 };
static const int most_of[KINDS] = {20, 90, 120, 5, 2, 3, 4, 2};

/// Object that a joint holds; 0: none
typedef struct hold {
    kind kind;
    uint32_t index;
} hold;

/// Object that should exist, or did
typedef struct thing {
    uint32_t generation;
    bool lives;
    /// Indexes of the polygon, liquid and composite that it is a part of; 0: none
    uint32_t polygon, liquid, matter;
    /// Ends of a joint
    hold holds[2];
    /// Expected properties of a body
    pv_body_type type;
    bool sensor, disabled;
    const pv_mask *mask;
    pv_filter filter;
} thing;

/// Id of any kind of object
typedef struct name {
    uint32_t index, generation;
} name;

/// Category of polygons; sprites use others
#define POLYGONS 0x40000000u
static const pv_query_filter sprites = {.mask_bits = ~POLYGONS};
static thing list[KINDS][MOST];
static int living[KINDS];

static bool lives(kind k, name n) {
    return n.index > 0 && n.index < MOST && list[k][n.index].lives &&
           list[k][n.index].generation == n.generation;
}

static thing *add(kind k, uint32_t index, uint32_t generation) {
    CHECK(index > 0 && index < MOST && !list[k][index].lives);
    CHECK(list[k][index].generation != generation);
    list[k][index] = (thing){.generation = generation, .lives = true};
    living[k]++;
    return &list[k][index];
}

static void drop(kind k, uint32_t index);

static void drop_holders(kind k, uint32_t index) {
    for (uint32_t i = 1; i < MOST; i++)
        for (int end = 0; end < 2 && list[JOINT][i].lives; end++) {
            hold h = list[JOINT][i].holds[end];
            if (h.index == index && h.kind == k) drop(JOINT, i);
        }
}

static void drop_parts_of_polygon(uint32_t polygon) {
    for (uint32_t i = 1; i < MOST; i++) {
        if (list[PARTICLE][i].polygon == polygon) drop(PARTICLE, i);
        if (list[JOINT][i].polygon == polygon) drop(JOINT, i);
    }
}

/// Removes a polygon that lost a corner. The others stay, with the joints that hold only them.
static void break_up(uint32_t polygon) {
    thing *t = &list[POLYGON][polygon];
    if (!t->lives) return;
    t->lives = false;
    living[POLYGON]--;
    for (uint32_t i = 1; i < MOST; i++) {
        thing *c = &list[JOINT][i];
        for (int end = 0; end < 2; end++)
            if (c->holds[end].kind == POLYGON && c->holds[end].index == polygon)
                c->holds[end].kind = ONCE_POLYGON;
        if (list[PARTICLE][i].polygon == polygon) list[PARTICLE][i].polygon = 0;
        if (c->polygon == polygon) drop(JOINT, i);
    }
}

/// Removes the joints whose corners are gone; only the world knows which they are.
static void ask_once_polygons(void) {
    for (uint32_t i = 1; i < MOST; i++) {
        const thing *c = &list[JOINT][i];
        bool held = c->holds[0].kind == ONCE_POLYGON || c->holds[1].kind == ONCE_POLYGON;
        if (held && !pv_joint_is_valid(worlds[0], (pv_joint_id){i, c->generation})) drop(JOINT, i);
    }
}

static void drop_parts_of_matter(uint32_t matter) {
    for (int k = BODY; k <= JOINT; k++)
        for (uint32_t i = 1; i < MOST; i++)
            if (list[k][i].matter == matter) drop((kind)k, i);
}

static void dry(uint32_t liquid) {
    for (uint32_t i = 1; i < MOST; i++)
        if (list[PARTICLE][i].liquid == liquid) list[PARTICLE][i].liquid = 0;
}

static void drop(kind k, uint32_t index) {
    thing *t = &list[k][index];
    if (!t->lives) return;
    t->lives = false;
    living[k]--;
    if (k == BODY || k == PARTICLE || k == POLYGON) drop_holders(k, index);
    if (k == PARTICLE && t->polygon) break_up(t->polygon);
    if (k == PARTICLE) ask_once_polygons();
    if (k == POLYGON) drop_parts_of_polygon(index);
    if (k == MATTER) drop_parts_of_matter(index);
    if (k == LIQUID) dry(index);
}

/* ---- the worlds ---- */

static fuzz_purse purses[2], mask_purse;
static pv_mask *masks[MASKS];
/// True if the first world's allocator may fail; there is no second world then
static bool no_memory;
/// True if memory ran out in a step, so that events are missing
static bool blind;
/// True if a callback decides which bodies meet
static bool filtered;
static bool refused;
/// True if no call was made since the last step
static bool settled;
/// Number of reports to the first world's hook
static long reports;

/// Makes the same call on both worlds, and compares the results.
#define EACH(type, result, call)                                                                   \
    type result;                                                                                   \
    {                                                                                              \
        pv_world *w = worlds[0];                                                                   \
        result = (call);                                                                           \
        if ((w = worlds[1]) != NULL) {                                                             \
            type other = (call);                                                                   \
            CHECK(memcmp(&result, &other, sizeof other) == 0);                                     \
        }                                                                                          \
    }                                                                                              \
    struct nothing

/// Checks the status of a call on an id; returns true for success.
static bool judge(pv_status s, bool is_there) {
    CHECK(s >= PV_OK && s < PV_STATUS_COUNT && s != PV_ERROR_BUSY);
    CHECK(is_there ? s != PV_ERROR_STALE_ID : s != PV_OK);
    CHECK(s != PV_ERROR_MEMORY || no_memory);
    refused = s != PV_OK;
    return s == PV_OK;
}

/// Checks a call that fails only for lack of memory.
static bool expect(pv_status s, bool is_there) {
    bool done = judge(s, is_there);
    CHECK(done || !is_there || s == PV_ERROR_MEMORY);
    return done;
}

/// Checks the result of a creation. Returns the new object in the list, or null.
static thing *made(kind k, uint32_t index, uint32_t generation, const pv_error *error) {
    refused = error->status != PV_OK;
    CHECK((index != 0) == !refused && (error->status != PV_ERROR_MEMORY || no_memory));
    return refused ? NULL : add(k, index, generation);
}

static bool compatible(uint32_t a, uint32_t b) { return ((a ^ b) & 7) != 5; }

static bool filters_meet(pv_filter f, pv_filter g) {
    if (f.group_index && f.group_index == g.group_index) return f.group_index > 0;
    return (f.category_bits & g.mask_bits) && (g.category_bits & f.mask_bits);
}

/// Filters by slots, and checks that the callback cannot change the world.
static bool filter(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    pv_world **own = user_data;
    CHECK(*own == world && (a.index == 0 || pv_body_is_valid(world, a)) &&
          pv_body_is_valid(world, b));
    CHECK(pv_body_destroy(*own, b) == PV_ERROR_BUSY);
    return compatible(a.index, b.index);
}

/// Returns a number of a pair that decides the answer of presolve().
static uint32_t key_of(uint32_t a, uint32_t b) { return a * 7 + b * 3; }

static pv_presolve_result presolve(void *user_data, const pv_world *world, pv_presolve_contact *p) {
    pv_world **own = user_data;
    CHECK(*own == world && p->a.index < p->b.index &&
          fabs(hypot(p->normal.x, p->normal.y) - 1) < 1e-6);
    CHECK(pv_world_step(*own, 0.1) == PV_ERROR_BUSY);
    uint32_t n = key_of(p->a.index, p->b.index);
    if (n % 3 == 0) p->restitution = n % 2 ? NAN : 1;
    if (n % 5 == 0) p->tangent_speed = 40;
    return n % 7 == 0   ? PV_PRESOLVE_IGNORE_UNTIL_SEPARATED
           : n % 7 == 1 ? PV_PRESOLVE_IGNORE
           : n % 7 == 2 ? (pv_presolve_result)77
                        : PV_PRESOLVE_COLLIDE;
}

static void report(void *user_data, const pv_error *error) {
    CHECK(error->function && error->message[0] && error->status != PV_OK);
    reports += user_data == &worlds[0];
}

/* ---- arguments ---- */

/// Returns a value mostly within +-scale, sometimes one that calls should refuse or barely accept.
static double value(fuzz_input *in, double scale) {
    static const double odd[] = {NAN,     INFINITY,          -INFINITY, 1e300,
                                 -1e-300, PV_MAX_COORDINATE, 1e6,       0};
    int b = fuzz_below(in, 256);
    return b >= 248 ? odd[b - 248] : (b - 124) / 124.0 * scale;
}

/// Returns a random value that is mostly >= 0.
static double size(fuzz_input *in, double scale) {
    double v = value(in, scale);
    return v >= -scale ? fabs(v) : v;
}

static pv_vec2 vector(fuzz_input *in, double scale) {
    double x = value(in, scale);
    return (pv_vec2){x, value(in, scale)};
}

static pv_vec2 place(fuzz_input *in) { return pv_vec2_add(vector(in, 120), (pv_vec2){120, 100}); }

static pv_vec2 scale_of(fuzz_input *in) {
    static const double sizes[] = {1, -1, 0.5, 2, 1.3, -0.7, 0.0625, 4};
    int b = fuzz_below(in, 64);
    return (pv_vec2){sizes[b & 7], sizes[b >> 3]};
}

static pv_filter filter_of(fuzz_input *in) {
    int b = fuzz_below(in, 64);
    return (pv_filter){b < 40 ? 1 : 2, b % 4 ? 0xffffffff : 1, b < 60 ? 0 : b - 62};
}

/// Returns the id of a living object, sometimes an invalid one.
static name pick(fuzz_input *in, kind k) {
    int b = fuzz_below(in, 256), nth = living[k] ? b % living[k] : -1;
    for (uint32_t i = 1; b < 248 && nth >= 0 && i < MOST; i++)
        if (list[k][i].lives && nth-- == 0) return (name){i, list[k][i].generation};
    return (name){(uint32_t)b & 7, list[k][b & 7].generation + (b & 8 ? 1 : 0)};
}

#define PICK(type, kind, variable)                                                                 \
    name variable##_name = pick(in, kind);                                                         \
    type variable = {variable##_name.index, variable##_name.generation};                           \
    bool is_there = lives(kind, variable##_name)

static bool room(kind k, int more) { return living[k] + more <= most_of[k]; }

/* ---- bodies ---- */

static bool has(const pv_mask *mask) { return pv_mask_count_pixels(mask) > 0; }

static void create_body(fuzz_input *in) {
    pv_body_def def = pv_body_def_default();
    int b = fuzz_below(in, 256);
    pv_error error = {.status = PV_STATUS_COUNT};
    if (!room(BODY, 1)) return;
    def.type = b & 1 ? PV_BODY_DYNAMIC : (pv_body_type)(b >> 1 & 1);
    def.mask = masks[fuzz_below(in, MASKS)];
    def.position = place(in);
    if (b & 4) def.angle = value(in, 4);
    if (b & 8 && def.type != PV_BODY_STATIC) def.velocity = vector(in, 900);
    if (b & 16) def.scale = scale_of(in);
    if ((b & 224) == 32) def.sensor = true;
    if ((b & 224) == 64) def.one_way_normal = (pv_vec2){0, -1};
    if ((b & 224) == 96) def.tangent_speed = 60, def.rolling_resistance = 1;
    if ((b & 224) == 128) def.collider = (pv_collider)(1 + (b & 1));
    if ((b & 224) == 160) def.filter = filter_of(in), def.restitution = size(in, 1);
    if ((b & 224) == 192)
        def.motion_locks = (unsigned)fuzz_below(in, 9), def.enabled = !fuzz_below(in, 2);
    EACH(pv_body_id, body, pv_body_create(w, &def, &error));
    thing *t = made(BODY, body.index, body.generation, &error);
    CHECK(has(def.mask) || !t);
    if (!t) return;
    t->type = def.type;
    t->sensor = def.sensor;
    t->disabled = !def.enabled;
    t->mask = def.mask;
    t->filter = def.filter;
}

static void destroy_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    EACH(pv_status, s, pv_body_destroy(w, b));
    if (expect(s, is_there)) drop(BODY, b.index);
}

static void place_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    int how = fuzz_below(in, 4);
    pv_vec2 to = place(in);
    double angle = value(in, 4);
    EACH(pv_status, s,
         how == 0   ? pv_body_set_position(w, b, to)
         : how == 1 ? pv_body_set_angle(w, b, angle)
         : how == 2 ? pv_body_move_to(w, b, to, angle, 1 / 60.0)
                    : pv_body_wake(w, b));
    bool done = how == 3 ? expect(s, is_there) : judge(s, is_there);
    CHECK(!done || how != 2 || list[BODY][b.index].type == PV_BODY_KINEMATIC);
}

static void push_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    int how = fuzz_below(in, 7);
    pv_vec2 v = vector(in, 800), at = place(in);
    EACH(pv_status, s,
         how == 0   ? pv_paper_body_set_velocity(w, b, v, (pv_paper_shift)(v.x > 0))
         : how == 1 ? pv_paper_body_set_angular_velocity(w, b, v.x / 40,
                                                         (pv_paper_about)(v.y > 0   ? 0
                                                                          : v.x > 0 ? 1
                                                                                    : 2))
         : how == 2 ? pv_body_apply_force(w, b, (pv_vec2){300 * v.x, 300 * v.y})
         : how == 3 ? pv_body_apply_force_at(w, b, (pv_vec2){90 * v.x, 90 * v.y}, at)
         : how == 4 ? pv_body_apply_torque(w, b, 900 * v.x)
         : how == 5 ? pv_paper_body_rotate(w, b, v.x / 400,
                                           v.y > 0 ? PV_PAPER_ABOUT_FIRST : PV_PAPER_ABOUT_CENTER)
                    : pv_body_apply_impulse_at(w, b, (pv_vec2){20 * v.x, 20 * v.y}, at));
    if (judge(s, is_there)) CHECK(list[BODY][b.index].type != PV_BODY_STATIC);
}

static void type_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    pv_body_type type = (pv_body_type)fuzz_below(in, 3);
    EACH(pv_status, s, pv_body_set_type(w, b, type));
    if (expect(s, is_there)) list[BODY][b.index].type = type;
}

static void enable_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    bool on = fuzz_below(in, 2);
    EACH(pv_status, s, pv_body_set_enabled(w, b, on));
    if (expect(s, is_there)) list[BODY][b.index].disabled = !on;
}

static void mask_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    pv_mask *mask = masks[fuzz_below(in, MASKS)];
    pv_vec2 offset = vector(in, 8);
    EACH(pv_status, s, pv_body_set_mask(w, b, mask, offset));
    bool done = judge(s, is_there);
    CHECK(!done || has(mask));
    if (done) list[BODY][b.index].mask = mask;
}

static void scale_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    pv_vec2 scale = scale_of(in);
    EACH(pv_status, s, pv_body_set_scale(w, b, scale));
    judge(s, is_there);
}

static void filter_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    pv_filter f = filter_of(in);
    EACH(pv_status, s, pv_body_set_filter(w, b, f));
    if (expect(s, is_there)) list[BODY][b.index].filter = f;
}

static void change_body(fuzz_input *in) {
    PICK(pv_body_id, BODY, b);
    int how = fuzz_below(in, 10);
    double v = size(in, 3), u = size(in, 3);
    EACH(pv_status, s,
         how == 0   ? pv_body_set_friction(w, b, u)
         : how == 1 ? pv_body_set_mass(w, b, v * v * 300)
         : how == 2 ? pv_body_set_gravity_scale(w, b, v - u)
         : how == 3 ? pv_body_set_linear_damping(w, b, v)
         : how == 4 ? pv_body_set_motion_locks(w, b, v < 4 ? (unsigned)(3 * v) : 7)
         : how == 5 ? pv_body_set_tangent_speed(w, b, 40 * (v - u))
         : how == 6 ? pv_body_set_restitution(w, b, v / 3)
         : how == 7 ? pv_body_set_static_friction(w, b, v - u)
         : how == 8 ? pv_body_set_angular_damping(w, b, v)
                    : pv_body_set_one_way_normal(w, b, (pv_vec2){v - 1, u - 2}));
    judge(s, is_there);
}

/* ---- particles, polygons, liquids ---- */

static void create_particle(fuzz_input *in) {
    pv_particle_def def = pv_particle_def_default();
    pv_error error = {.status = PV_STATUS_COUNT};
    int b = fuzz_below(in, 256);
    if (!room(PARTICLE, 1)) return;
    def.position = place(in);
    def.velocity = vector(in, b & 1 ? 400 : 0);
    def.mass = b & 6 ? 1 : 0;
    def.radius = b & 8 ? 3 : size(in, 6);
    def.bounce = (pv_bounce)(b >> 4 & 3);
    def.collides = b >> 6 != 3;
    EACH(pv_particle_id, p, pv_particle_create(w, &def, &error));
    made(PARTICLE, p.index, p.generation, &error);
}

static void destroy_particle(fuzz_input *in) {
    PICK(pv_particle_id, PARTICLE, p);
    EACH(pv_status, s, pv_particle_destroy(w, p));
    if (expect(s, is_there)) drop(PARTICLE, p.index);
}

static void change_particle(fuzz_input *in) {
    PICK(pv_particle_id, PARTICLE, p);
    int how = fuzz_below(in, 8);
    pv_vec2 v = vector(in, 300), to = place(in);
    EACH(pv_status, s,
         how < 2   ? pv_particle_set_position(w, p, to)
         : how < 3 ? pv_particle_set_velocity(w, p, v)
         : how < 4 ? pv_particle_set_mass(w, p, v.x / 100)
         : how < 7 ? pv_particle_apply_force(w, p, (pv_vec2){9 * v.x, 9 * v.y})
                   : pv_particle_apply_impulse(w, p, v));
    judge(s, is_there);
}

/// Adds the corners and beams of a new polygon to the list.
static void add_parts_of_polygon(pv_body_id polygon) {
    pv_particle_id corners[64];
    pv_joint_id beams[MOST];
    uint32_t own = polygon.index - PV_POLYGON_BIT;
    int count = pv_body_get_corners(worlds[0], polygon, corners, 64);
    CHECK(count >= 3 && count <= 64);
    for (int i = 0; i < count; i++)
        add(PARTICLE, corners[i].index, corners[i].generation)->polygon = own;
    count = pv_body_get_joints(worlds[0], polygon, beams, MOST);
    CHECK(count >= 3 && count <= MOST);
    for (int i = 0; i < count; i++) add(JOINT, beams[i].index, beams[i].generation)->polygon = own;
}

static void create_polygon(fuzz_input *in) {
    static const pv_vec2 around[6] = {{12, 0}, {6, 10}, {-6, 10}, {-12, 0}, {-6, -10}, {6, -10}};
    pv_vec2 points[6], middle = place(in);
    pv_polygon_def def = pv_polygon_def_default();
    pv_error error = {.status = PV_STATUS_COUNT};
    if (!room(POLYGON, 1) || !room(PARTICLE, 6) || !room(JOINT, 15)) return;
    def.point_count = fuzz_between(in, 3, 6);
    for (int i = 0; i < def.point_count; i++) {
        pv_vec2 off = vector(in, 9);
        points[i] = (pv_vec2){middle.x + around[i].x + off.x, middle.y + around[i].y + off.y};
    }
    def.points = points;
    int b = fuzz_below(in, 64);
    def.collider = (pv_polygon_collider)(b & 1);
    def.mass = b & 6 ? -1 : 0;
    if (b & 8) def.stiffness = 4000;
    def.angular_velocity = b & 16 && def.mass != 0 ? 4 : 0;
    def.filter.category_bits = POLYGONS;
    EACH(pv_body_id, p, pv_polygon_create(w, &def, &error));
    if (made(POLYGON, p.index & ~PV_POLYGON_BIT, p.generation, &error)) add_parts_of_polygon(p);
    refused &= error.status != PV_ERROR_MEMORY; /* as in build() */
}

static void change_polygon(fuzz_input *in) {
    PICK(pv_body_id, POLYGON, p);
    if (p.index) p.index |= PV_POLYGON_BIT;
    int how = fuzz_below(in, 8);
    pv_vec2 force = vector(in, 90000), at = vector(in, 600);
    EACH(pv_status, s,
         how == 0   ? pv_body_destroy(w, p)
         : how <= 2 ? pv_body_set_position(w, p, at)
         : how == 3 ? pv_body_set_velocity(w, p, at)
         : how == 4 ? pv_body_set_angular_velocity(w, p, at.x)
         : how == 5 ? pv_body_apply_impulse_at(w, p, force, at)
                    : pv_body_apply_force(w, p, force));
    if (judge(s, is_there) && how == 0) drop(POLYGON, p.index & ~PV_POLYGON_BIT);
}

static void change_liquid(fuzz_input *in) {
    pv_liquid_def def = pv_liquid_def_default();
    pv_error error = {.status = PV_STATUS_COUNT};
    if (!room(LIQUID, 1)) {
        PICK(pv_liquid_id, LIQUID, l);
        EACH(pv_status, done, pv_liquid_destroy(w, l));
        if (expect(done, is_there)) drop(LIQUID, l.index);
        return;
    }
    def.interaction_radius = size(in, 30);
    def.viscosity = size(in, 200);
    EACH(pv_liquid_id, l, pv_liquid_create(w, &def, &error));
    made(LIQUID, l.index, l.generation, &error);
}

static void wet(fuzz_input *in) {
    PICK(pv_liquid_id, LIQUID, l);
    name n = pick(in, PARTICLE);
    pv_particle_id p = {n.index, n.generation};
    EACH(pv_status, s, pv_liquid_add_particle(w, l, p));
    if (judge(s, is_there && lives(PARTICLE, n))) list[PARTICLE][p.index].liquid = l.index;
}

/* ---- joints, forces, composites ---- */

static pv_anchor anchor(fuzz_input *in, hold *h, bool *is_there) {
    int b = fuzz_below(in, 8);
    pv_vec2 at = place(in);
    kind k = b < 3 ? BODY : b < 6 ? PARTICLE : POLYGON;
    name n = b == 7 ? (name){0, 0} : pick(in, k);
    *h = (hold){k, n.index};
    *is_there = n.index == 0 || lives(k, n);
    if (n.index == 0) return pv_anchor_world(at);
    if (k == BODY && b == 0 && *is_there)
        at = pv_body_get_position(worlds[0], (pv_body_id){n.index, n.generation});
    return k == BODY ? pv_anchor_body((pv_body_id){n.index, n.generation}, at)
           : k == PARTICLE
               ? pv_anchor_particle((pv_particle_id){n.index, n.generation})
               : pv_anchor_body((pv_body_id){n.index | PV_POLYGON_BIT, n.generation}, at);
}

static void create_constraint(fuzz_input *in) {
    pv_joint_def def = pv_joint_def_default();
    pv_error error = {.status = PV_STATUS_COUNT};
    hold holds[2];
    bool a = false, b = false;
    if (!room(JOINT, 1)) return;
    int how = fuzz_below(in, 256);
    def.type = (pv_joint_type)(how % 9);
    def.a = anchor(in, &holds[0], &a);
    def.b = anchor(in, &holds[1], &b);
    if (how & 16) def.stiffness = size(in, 9000), def.damping = size(in, 20);
    if (how & 32) def.lower = value(in, 20), def.upper = value(in, 20) + 20;
    if (how & 64) def.break_force = size(in, 90000);
    if (how & 128) def.max_force = size(in, 90000);
    def.axis = (pv_vec2){1, how % 5 - 2};
    def.motor_speed = how % 7 - 3;
    def.collide_connected = how % 3 == 0;
    def.keep_when_carved = how % 5 == 0;
    EACH(pv_joint_id, c, pv_joint_create(w, &def, &error));
    thing *t = made(JOINT, c.index, c.generation, &error);
    CHECK(a && b ? error.status != PV_ERROR_STALE_ID : error.status != PV_OK);
    if (!t) return;
    t->holds[0] = holds[0];
    t->holds[1] = holds[1];
}

static void change_constraint(fuzz_input *in) {
    PICK(pv_joint_id, JOINT, c);
    int how = fuzz_below(in, 5);
    double v = value(in, 40), u = size(in, 40);
    pv_vec2 to = place(in);
    EACH(pv_status, s,
         how == 0   ? pv_joint_destroy(w, c)
         : how == 1 ? pv_joint_set_length(w, c, v)
         : how == 2 ? pv_joint_set_target(w, c, to)
         : how == 3 ? pv_joint_set_motor_speed(w, c, v)
                    : pv_joint_set_limits(w, c, v, v + u));
    if (judge(s, is_there) && how == 0) drop(JOINT, c.index);
}

static void change_force(fuzz_input *in) {
    pv_force_field_def def = pv_force_field_def_default();
    pv_error error = {.status = PV_STATUS_COUNT};
    PICK(pv_force_field_id, FORCE, f);
    int how = fuzz_below(in, 12);
    def.type = (pv_force_field_type)(how % 3);
    def.area.min = place(in);
    def.area.max = (pv_vec2){def.area.min.x + 100, def.area.min.y + 100};
    def.velocity = vector(in, 60);
    def.point = place(in);
    def.strength = value(in, 900);
    def.radius = size(in, 40);
    if (how < 6 && room(FORCE, 1)) {
        EACH(pv_force_field_id, field, pv_force_field_create(w, &def, &error));
        made(FORCE, field.index, field.generation, &error);
        return;
    }
    EACH(pv_status, done,
         how < 9 ? pv_force_field_set_def(w, f, &def) : pv_force_field_destroy(w, f));
    if (judge(done, is_there) && how >= 9) drop(FORCE, f.index);
}

static hold hold_of(const pv_anchor *a) {
    if (a->particle.index) return (hold){PARTICLE, a->particle.index};
    return (hold){PV_ID_IS_POLYGON(a->body) ? POLYGON : BODY, a->body.index & ~PV_POLYGON_BIT};
}

static void add_parts_of_matter(pv_composite_id matter) {
    static pv_particle_id particles[MOST];
    static pv_joint_id constraints[MOST];
    static pv_body_id bodies[MOST];
    const pv_world *w = worlds[0];
    int count = pv_composite_get_bodies(w, matter, bodies, MOST);
    for (int i = 0; i < count; i++) {
        thing *t = add(BODY, bodies[i].index, bodies[i].generation);
        t->type = PV_BODY_DYNAMIC;
        t->mask = pv_body_get_mask(w, bodies[i]);
        t->filter = pv_body_get_filter(w, bodies[i]);
        t->matter = matter.index;
    }
    count = pv_composite_get_particles(w, matter, particles, MOST);
    for (int i = 0; i < count; i++)
        add(PARTICLE, particles[i].index, particles[i].generation)->matter = matter.index;
    count = pv_composite_get_joints(w, matter, constraints, MOST);
    for (int i = 0; i < count; i++) {
        pv_anchor ends[2];
        thing *t = add(JOINT, constraints[i].index, constraints[i].generation);
        t->matter = matter.index;
        CHECK(pv_joint_get_anchors(w, constraints[i], ends) == PV_OK);
        for (int end = 0; end < 2; end++) t->holds[end] = hold_of(&ends[end]);
    }
}

static pv_composite_id build_line(pv_world *w, int how, pv_vec2 from, pv_vec2 to, pv_error *s) {
    pv_rope_def rope = pv_rope_def_default();
    pv_grass_def grass = pv_grass_def_default();
    pv_bridge_def bridge = pv_bridge_def_default();
    rope.from = pv_anchor_world(from);
    rope.to = pv_anchor_world(to);
    rope.segments = 5;
    rope.bend_stiffness = from.x;
    grass.from = bridge.from = from;
    grass.to = bridge.to = to;
    grass.blade_count = 4;
    bridge.mask = masks[1];
    bridge.plank_count = 3;
    return how == 0   ? pv_rope_create(w, &rope, s)
           : how == 1 ? pv_grass_create(w, &grass, s)
                      : pv_bridge_create(w, &bridge, s);
}

static pv_composite_id build_thing(pv_world *w, int how, pv_vec2 at, pv_error *s) {
    pv_vec2 points[] = {at, {at.x + 12, at.y}, {at.x + 3, at.y + 14}, {at.x - 9, at.y + 6}};
    pv_cloth_def cloth = pv_cloth_def_default();
    pv_jelly_def jelly = pv_jelly_def_default();
    pv_ragdoll_def ragdoll = pv_ragdoll_def_default();
    pv_tree_def tree = pv_tree_def_default();
    pv_soft_body_def soft = pv_soft_body_def_default();
    cloth.top_left = jelly.position = ragdoll.position = tree.root = at;
    cloth.columns = cloth.rows = 4;
    cloth.break_force = at.y * 90;
    jelly.mask = masks[0];
    tree.depth = 2;
    soft.points = points;
    soft.point_count = 4;
    soft.all_pairs = true;
    switch (how) {
    case 3: return pv_cloth_create(w, &cloth, s);
    case 4: return pv_jelly_create(w, &jelly, s);
    case 5: return pv_ragdoll_create(w, &ragdoll, s);
    case 6: return pv_tree_create(w, &tree, s);
    case 7: return pv_soft_body_create(w, &soft, s);
    default: return pv_composite_create(w, s);
    }
}

static void build(fuzz_input *in) {
    pv_error error = {.status = PV_STATUS_COUNT};
    int how = fuzz_below(in, 10);
    pv_vec2 from = place(in), to = place(in);
    if (!room(MATTER, 1) || !room(PARTICLE, 24) || !room(JOINT, 60) || !room(BODY, 3)) return;
    EACH(pv_composite_id, m,
         how < 3 ? build_line(w, how, from, to, &error) : build_thing(w, how, from, &error));
    if (made(MATTER, m.index, m.generation, &error)) add_parts_of_matter(m);
    refused &= error.status != PV_ERROR_MEMORY; /* parts of a failed build have used up ids */
}

static void change_matter(fuzz_input *in) {
    PICK(pv_composite_id, MATTER, m);
    int how = fuzz_below(in, 3);
    pv_vec2 by = vector(in, 900);
    name n = pick(in, PARTICLE);
    pv_particle_id p = {n.index, n.generation};
    if (how == 2 && (!lives(PARTICLE, n) || list[PARTICLE][n.index].matter)) how = 1;
    EACH(pv_status, s,
         how == 0   ? pv_composite_destroy(w, m)
         : how == 1 ? pv_composite_apply_acceleration(w, m, by)
                    : pv_composite_add_particle(w, m, p));
    bool done = judge(s, is_there);
    if (done && how == 0) drop(MATTER, m.index);
    if (done && how == 2) list[PARTICLE][p.index].matter = m.index;
}

static void change_world(fuzz_input *in) {
    int how = fuzz_below(in, 4);
    pv_vec2 v = vector(in, 600), at = place(in);
    double reach = size(in, 90);
    EACH(pv_status, s,
         how == 0   ? pv_world_set_gravity(w, v)
         : how == 1 ? pv_world_set_substeps(w, 7)
                    : pv_world_explode(w, at, reach, v.x));
    judge(s, true);
}

/* ---- masks ---- */

/// Changes a mask, which works unless a body or a snapshot without pixels holds it.
static void change_mask(fuzz_input *in) {
    EACH(pv_status, said, pv_world_discard_snapshots(w));
    CHECK(said == PV_OK);
    pv_mask *mask = masks[fuzz_below(in, MASKS)];
    int x = fuzz_below(in, 32), y = fuzz_below(in, 32);
    bool held = false, inside = x < pv_mask_get_width(mask) && y < pv_mask_get_height(mask),
         was = pv_mask_get_pixel(mask, x, y);
    for (uint32_t i = 1; i < MOST; i++) held |= list[BODY][i].lives && list[BODY][i].mask == mask;
    pv_status s = pv_mask_set_pixel(mask, x, y, !was);
    CHECK(s == (held && inside ? PV_ERROR_SHARED
                : inside       ? PV_OK
                               : PV_ERROR_ARGUMENT) ||
          (held && s == PV_ERROR_SHARED));
    CHECK(pv_mask_get_pixel(mask, x, y) == (s == PV_OK ? !was : was));
}

static pv_mask *draw_mask(int which) {
    static const int widths[MASKS] = {16, 40, 14, 26, 1, 5}, heights[MASKS] = {12, 6, 14, 26, 1, 5},
                     holes[MASKS] = {0, 0, 0, 9, 0, 9}; /* the last one has no solid pixels */
    const pv_allocator from = fuzz_allocator(&mask_purse);
    int w = widths[which], h = heights[which];
    pv_mask *mask = pv_mask_create(w, h, &from, NULL);
    CHECK(mask);
    for (int i = 0; i < w * h; i++) {
        double dx = i % w + 0.5 - 0.5 * w, dy = i / w + 0.5 - 0.5 * h;
        bool round = which == 2 || which == 5, out = round && dx * dx + dy * dy > 0.25 * w * w,
             in = fabs(dx) < holes[which] && fabs(dy) < holes[which];
        pv_mask_set_pixel(mask, i % w, i / w, !out && !in);
    }
    return mask;
}

/* ---- the mover ---- */

static pv_mover movers[2];

/// Tells whether a body must share no pixel with the mover after a move.
static bool stops(const thing *t, pv_body_id b, const pv_mover *m) {
    pv_vec2 one_way = pv_body_get_def(worlds[0], b).one_way_normal;
    if (t->sensor || t->disabled || one_way.x != 0 || one_way.y != 0) return false;
    if (b.index == m->body.index) return false;
    uint32_t low = b.index < m->body.index ? b.index : m->body.index,
             high = b.index ^ m->body.index ^ low;
    if ((filtered && !compatible(low, high)) || key_of(low, high) % 7 < 2)
        return false; /* the callbacks may let it through */
    return filters_meet(m->body.index ? list[BODY][m->body.index].filter : m->filter, t->filter);
}

static void check_mover(void) {
    const pv_mover *m = &movers[0];
    pv_placed placed = {m->mask, pv_mover_get_transform(m)};
    CHECK(fabs(m->position.x) <= PV_MAX_COORDINATE && fabs(m->position.y) <= PV_MAX_COORDINATE);
    CHECK(isfinite(m->velocity.x) && isfinite(m->velocity.y));
    CHECK(!m->ground.index || pv_body_is_valid(worlds[0], m->ground));
    for (uint32_t i = 1; i < MOST && !m->crushed; i++) {
        pv_body_id b = {i, list[BODY][i].generation};
        if (!list[BODY][i].lives || !stops(&list[BODY][i], b, m)) continue;
        pv_placed other = {pv_body_get_mask(worlds[0], b), pv_body_get_transform(worlds[0], b)};
        CHECK(!pv_placed_test_overlap(&placed, &other));
    }
}

static void move_mover(fuzz_input *in) {
    pv_vec2 velocity = vector(in, 500);
    int b = fuzz_below(in, 16);
    pv_vec2 at = place(in);
    pv_status status = PV_OK;
    for (int i = 0; i < 2 && worlds[i]; i++) {
        if (b == 0) movers[i].position = at, movers[i].grounded = false;
        if (b < 3) movers[i].mask = masks[b * 2], movers[i].drop_through = b == 1;
        movers[i].push_force = b & 1 ? 20000 : 0;
        movers[i].max_slope = b & 4 ? 0.6 : 1.57;
        movers[i].escape_delay = b & 8 ? 0 : 0.1;
        movers[i].mass = b & 2 ? 80 : 0;
        pv_status s = pv_mover_move(worlds[i], &movers[i], velocity, 1 / 60.0);
        CHECK(i == 0 || s == status);
        status = s;
    }
    refused = status != PV_OK;
    if (worlds[1]) CHECK(memcmp(&movers[0].position, &movers[1].position, sizeof(pv_vec2)) == 0);
    if (status == PV_OK) check_mover();
}

/* ---- questions ---- */

static bool found(const pv_body_id *bodies, int count, uint32_t index) {
    for (int i = 0; i < count; i++)
        if (bodies[i].index == index) return true;
    return false;
}

static pv_placed placed_of(uint32_t index) {
    pv_body_id b = {index, list[BODY][index].generation};
    return (pv_placed){pv_body_get_mask(worlds[0], b), pv_body_get_transform(worlds[0], b)};
}

static void check_find(pv_vec2 point, const pv_placed *probe) {
    pv_body_id at[MOST], in[MOST];
    int points = pv_world_query_point(worlds[0], point, &sprites, at, MOST),
        hits = pv_world_query_mask(worlds[0], probe, &sprites, in, MOST);
    for (uint32_t i = 1; i < MOST; i++) {
        const thing *t = &list[BODY][i];
        if (!t->lives) continue;
        pv_placed own = placed_of(i);
        bool counts = !t->sensor && !t->disabled;
        CHECK(found(at, points, i) == (counts && pv_placed_test_point(&own, point)));
        CHECK(found(in, hits, i) == (counts && pv_placed_test_overlap(&own, probe)));
    }
}

static void check_rays(pv_vec2 from, pv_vec2 to) {
    pv_cast_hit all[MOST], one;
    int count = pv_world_cast_ray(worlds[0], from, to, PV_CAST_ALL, &sprites, all, MOST),
        wanted = 0;
    for (uint32_t i = 1; i < MOST; i++) {
        const thing *t = &list[BODY][i];
        if (!t->lives || t->sensor || t->disabled) continue;
        pv_placed own = placed_of(i);
        wanted += pv_placed_cast_segment(&own, from, to, NULL);
    }
    CHECK(count == wanted);
    for (int i = 0; i < count; i++) {
        pv_placed own = placed_of(all[i].body.index);
        pv_ray_hit hit;
        CHECK(i == 0 || all[i - 1].fraction <= all[i].fraction);
        CHECK(pv_placed_cast_segment(&own, from, to, &hit) && hit.fraction == all[i].fraction);
    }
    int first = pv_world_cast_ray(worlds[0], from, to, PV_CAST_CLOSEST, &sprites, &one, 1);
    CHECK(first == (count > 0) && (count == 0 || one.fraction == all[0].fraction));
    CHECK(pv_world_cast_ray(worlds[0], from, to, PV_CAST_ANY, &sprites, &one, 1) == (count > 0));
}

/// Checks that a ray starts inside as many polygons as a point query finds at its start.
static void check_polygons(pv_vec2 from, pv_vec2 to) {
    static const pv_query_filter polygons = {.mask_bits = POLYGONS};
    pv_cast_hit hits[MOST];
    int inside = 0,
        count = pv_world_cast_ray(worlds[0], from, to, PV_CAST_ALL, &polygons, hits, MOST);
    for (int i = 0; i < count; i++) {
        CHECK(PV_ID_IS_POLYGON(hits[i].body) && hits[i].fraction >= 0 && hits[i].fraction <= 1);
        inside += hits[i].fraction == 0 && hits[i].normal.x == 0 && hits[i].normal.y == 0;
    }
    CHECK(inside == pv_world_query_point(worlds[0], from, &polygons, NULL, 0));
}

static void check_particle_at(pv_vec2 point, double reach) {
    pv_particle_id p = {0, 0}, nearest = pv_world_pick_particle(worlds[0], point, reach);
    double least = INFINITY;
    while ((p = pv_world_get_next_particle(worlds[0], p)).index) {
        pv_vec2 at = pv_particle_get_position(worlds[0], p);
        double apart = hypot(at.x - point.x, at.y - point.y);
        least = apart < least ? apart : least;
    }
    if (fabs(least - reach) > 1e-6) CHECK((nearest.index != 0) == (least < reach));
    if (!nearest.index) return;
    pv_vec2 at = pv_particle_get_position(worlds[0], nearest);
    CHECK(hypot(at.x - point.x, at.y - point.y) <= least + 1e-6);
}

static bool is_good(pv_vec2 v) {
    return fabs(v.x) <= PV_MAX_COORDINATE && fabs(v.y) <= PV_MAX_COORDINATE;
}

static void draw_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    (void)user_data, (void)color;
    CHECK(isfinite(from.x) && isfinite(from.y) && isfinite(to.x) && isfinite(to.y));
}

static void draw_disc(void *user_data, pv_vec2 center, double radius, uint32_t color) {
    (void)user_data, (void)color;
    CHECK(isfinite(center.x) && isfinite(center.y) && radius >= 0);
}

static void ask(fuzz_input *in) {
    pv_vec2 from = place(in), to = place(in);
    int b = fuzz_below(in, 4);
    if (!is_good(from) || !is_good(to)) {
        CHECK(pv_world_cast_ray(worlds[0], from, to, PV_CAST_ALL, NULL, NULL, 0) == 0);
        return;
    }
    pv_placed probe = {masks[b], pv_transform_identity()};
    probe.transform.position = to;
    if (b & 1) probe.transform.rotation = pv_rotation_from_angle(from.x);
    check_find(from, &probe);
    check_rays(from, to);
    check_polygons(from, to);
    check_particle_at(from, 60);
    CHECK(pv_world_compute_overlap_area(worlds[0]) >= (no_memory ? -1 : 0));
    pv_swept way = {masks[b], probe.transform, probe.transform};
    way.from.position = from;
    pv_world_cast_mask(worlds[0], &way, PV_CAST_CLOSEST, NULL, NULL, 0);
    pv_debug_draw draw = pv_debug_draw_default();
    draw.line = draw_line;
    draw.circle = draw_disc;
    pv_status s = pv_world_debug_draw(worlds[0], &draw, PV_DEBUG_ALL);
    CHECK(s == PV_OK || (s == PV_ERROR_MEMORY && no_memory));
}

/* ---- grains ---- */

static void create_grains(fuzz_input *in) {
    pv_grains_def def = pv_grains_def_default();
    pv_error error = {.status = PV_STATUS_COUNT};
    int b = fuzz_below(in, 256);
    if (!room(GRAINS, 1)) return;
    def.capacity = b & 1 ? 60 : 2000;
    def.follow = b & 2;
    def.piles = b & 12;
    def.life = b & 16 ? size(in, 1) : 0;
    if (b & 32) def.friction = size(in, 4), def.linear_damping = size(in, 30);
    if (b & 64) def.gravity_scale = value(in, 16), def.filter = filter_of(in);
    EACH(pv_grains_id, grains, pv_grains_create(w, &def, &error));
    made(GRAINS, grains.index, grains.generation, &error);
}

static void emit_grains(fuzz_input *in) {
    PICK(pv_grains_id, GRAINS, grains);
    pv_grain heap[64];
    pv_vec2 at = place(in), velocity = vector(in, 900);
    int count = fuzz_below(in, 64), m = fuzz_below(in, 2 * MASKS);
    pv_placed mask = {masks[m % MASKS], pv_transform_identity()};
    mask.transform.position = at;
    for (int i = 0; i < count; i++)
        heap[i] = (pv_grain){{at.x + i % 9, at.y - i / 9}, velocity, (uint32_t)i};
    EACH(pv_status, s,
         m < MASKS ? pv_grains_emit_mask(w, grains, &mask, NULL, velocity, at.x)
                   : pv_grains_emit(w, grains, heap, count));
    judge(s, is_there);
}

static void change_grains(fuzz_input *in) {
    PICK(pv_grains_id, GRAINS, grains);
    int how = fuzz_below(in, 8);
    pv_vec2 from = place(in), to = place(in);
    pv_grain_sink sink = {.box = {from, to}};
    EACH(pv_status, s,
         how == 0  ? pv_grains_destroy(w, grains)
         : how < 5 ? pv_grains_add_sink(w, grains, &sink)
                   : pv_world_explode(w, from, 50, 300));
    bool done = how == 0 ? expect(s, is_there) : judge(s, how > 4 || is_there);
    if (done && how == 0) drop(GRAINS, grains.index);
}

/// Restores the second world, or the only one, from its own snapshot.
static void go_back(fuzz_input *in) {
    (void)in;
    pv_world *to = worlds[1] ? worlds[1] : worlds[0];
    uint64_t hash = pv_world_compute_hash(worlds[0]);
    size_t need = 0, used = 0;
    pv_world_save(to, 0, NULL, 0, &need);
    uint8_t *bytes = malloc(need + 1);
    CHECK(bytes && (need > 0 || no_memory));
    pv_status s = need > 0 ? pv_world_save(to, 0, bytes, need, &used) : PV_ERROR_MEMORY;
    if (s == PV_OK) s = pv_world_restore(to, bytes, used);
    free(bytes);
    CHECK(s == PV_OK || (s == PV_ERROR_MEMORY && no_memory));
    CHECK(pv_world_compute_hash(to) == hash);
}

static void check_grains(void) {
    for (uint32_t i = 1; i < MOST; i++) {
        pv_grains_id grains = {i, list[GRAINS][i].generation};
        CHECK(pv_grains_is_valid(worlds[0], grains) == list[GRAINS][i].lives);
        if (!list[GRAINS][i].lives) continue;
        pv_grains_view view = pv_grains_get_view(worlds[0], grains);
        pv_grains_stats stats = pv_grains_get_stats(worlds[0], grains);
        int count = 0;
        for (int k = 0; k < view.count; k++) count += view.y[k] != PV_GRAIN_NONE;
        CHECK(count == stats.grains && stats.moving >= 0 && stats.moving <= count);
    }
}

/* ---- books of the events ---- */

typedef struct meeting {
    name a, b;
} meeting;

/// Pairs that touch, or a sensor and its visitors; in asleep, both ids are the same
typedef struct book {
    meeting lines[4096];
    int count;
} book;

static book touching, inside, asleep;

static int line_of(const book *k, meeting m) {
    for (int i = 0; i < k->count; i++)
        if (memcmp(&k->lines[i], &m, sizeof m) == 0) return i;
    return -1;
}

static meeting line(pv_body_id a, pv_body_id b) {
    return (meeting){{a.index, a.generation}, {b.index, b.generation}};
}

static void begin_line(book *k, meeting m) {
    CHECK(line_of(k, m) < 0 && k->count < 4096);
    k->lines[k->count++] = m;
}

static void end_line(book *k, meeting m) {
    int at = line_of(k, m);
    CHECK(at >= 0);
    k->lines[at] = k->lines[--k->count];
}

/// Follows contact begins and ends. A touch that ended and began again is in both lists.
static void follow_contacts(const pv_events *e) {
    static book again;
    again.count = 0;
    for (int i = 0; i < e->contact_begin_count; i++) {
        meeting m = line(e->contact_begins[i].a, e->contact_begins[i].b);
        book *k = line_of(&touching, m) < 0 ? &touching : &again;
        if (line_of(k, m) < 0) begin_line(k, m);
    }
    for (int i = 0; i < e->contact_end_count; i++) {
        meeting m = line(e->contact_ends[i].a, e->contact_ends[i].b);
        if (line_of(&again, m) < 0) end_line(&touching, m);
    }
}

static void follow_events(const pv_events *e) {
    follow_contacts(e);
    for (int i = 0; i < e->sensor_begin_count; i++)
        begin_line(&inside, line(e->sensor_begins[i].sensor, e->sensor_begins[i].visitor));
    for (int i = 0; i < e->sensor_end_count; i++)
        end_line(&inside, line(e->sensor_ends[i].sensor, e->sensor_ends[i].visitor));
    for (int i = 0; i < e->sleep_count; i++) begin_line(&asleep, line(e->sleeps[i], e->sleeps[i]));
    for (int i = 0; i < e->wake_count; i++) end_line(&asleep, line(e->wakes[i], e->wakes[i]));
}

static void follow_crushes(const pv_events *e) {
    for (int i = 0; i < e->crush_count; i++) {
        const pv_crush *c = &e->crushes[i];
        CHECK(c->depth > 0 && isfinite(c->depth) && c->body.index > 0 && c->a.index > 0);
    }
}

static void follow_breaks(const pv_events *e) {
    for (int i = 0; i < e->joint_break_count; i++) {
        name n = {e->joint_breaks[i].joint.index, e->joint_breaks[i].joint.generation};
        CHECK(lives(JOINT, n) && isfinite(e->joint_breaks[i].point.x) &&
              isfinite(e->joint_breaks[i].point.y));
        drop(JOINT, n.index);
    }
}

/* ---- after a step ---- */

static bool may_meet(const thing *a, const thing *b) {
    if (a->disabled || b->disabled) return false;
    if (filtered && !compatible((uint32_t)(a - list[BODY]), (uint32_t)(b - list[BODY])))
        return false;
    return filters_meet(a->filter, b->filter);
}

static int count_own(void) {
    int own = 0;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(worlds[0], b)).index;)
        own += pv_body_get_contacts(worlds[0], b, NULL, 0);
    for (pv_body_id p = {0, 0}; (p = pv_world_get_next_polygon(worlds[0], p)).index;)
        own += pv_body_get_contacts(worlds[0], p, NULL, 0);
    return own;
}

/// Tells whether the id in a contact is that of a living body.
static bool is_known(pv_body_id b) {
    return lives(PV_ID_IS_POLYGON(b) ? POLYGON : BODY,
                 (name){b.index & ~PV_POLYGON_BIT, b.generation});
}

static void check_sprites(const pv_contact *c) {
    const thing *s = &list[BODY][c->a.index], *t = &list[BODY][c->b.index];
    CHECK(may_meet(s, t) && !s->sensor && !t->sensor);
    CHECK(s->type == PV_BODY_DYNAMIC || t->type == PV_BODY_DYNAMIC);
    pv_contact_point points[8];
    int places = pv_body_get_contact_points(worlds[0], c->b, c->a, points, 8);
    CHECK(places >= 1 && places <= 8);
}

static void check_contacts(void) {
    static pv_contact all[4096];
    int count = pv_world_get_contacts(worlds[0], all, 4096);
    CHECK(count <= 4096 && count == pv_world_get_stats(worlds[0]).contacts);
    CHECK(count_own() == 2 * count);
    CHECK(blind || count == touching.count);
    for (int i = 0; i < count; i++) {
        const pv_contact *c = &all[i];
        CHECK(is_known(c->a) && is_known(c->b) && c->a.index < c->b.index);
        CHECK(isfinite(c->point.x) && isfinite(c->point.y) && c->impulse >= 0 &&
              isfinite(c->impulse));
        CHECK(fabs(hypot(c->normal.x, c->normal.y) - 1) < 1e-6);
        CHECK(blind || line_of(&touching, line(c->a, c->b)) >= 0);
        if (!PV_ID_IS_POLYGON(c->b)) check_sprites(c);
    }
}

static bool joined(uint32_t a, uint32_t b) {
    for (uint32_t i = 1; i < MOST; i++) {
        const hold *h = list[JOINT][i].holds;
        if (!list[JOINT][i].lives || h[0].kind != BODY || h[1].kind != BODY) continue;
        if ((h[0].index == a && h[1].index == b) || (h[0].index == b && h[1].index == a))
            return true;
    }
    return false;
}

/// Checks the visitors of a sensor: the bodies that share a pixel with it.
static void check_sensor(uint32_t index) {
    pv_body_id in[MOST], sensor = {index, list[BODY][index].generation};
    int count = pv_body_get_sensor_overlaps(worlds[0], sensor, in, MOST);
    pv_placed own = placed_of(index);
    for (uint32_t i = 1; i < MOST; i++) {
        const thing *t = &list[BODY][i];
        pv_body_id b = {i, t->generation};
        if (!t->lives || i == index || joined(index, i)) continue;
        pv_placed other = placed_of(i);
        bool is_in =
            !t->sensor &&
            may_meet(&list[BODY][index < i ? index : i], &list[BODY][index < i ? i : index]) &&
            pv_placed_test_overlap(&own, &other);
        CHECK(found(in, count, i) == is_in && (line_of(&inside, line(sensor, b)) >= 0) == is_in);
    }
}

static void check_body(uint32_t i) {
    const pv_world *w = worlds[0];
    const thing *t = &list[BODY][i];
    pv_body_id b = {i, t->generation};
    pv_body_def def = pv_body_get_def(w, b);
    pv_rotation r = pv_body_get_transform(w, b).rotation;
    pv_vec2 v = pv_body_get_velocity(w, b);
    CHECK(is_good(pv_body_get_position(w, b)) && fabs(hypot(r.c, r.s) - 1) < 1e-9);
    CHECK(isfinite(v.x) && isfinite(v.y) && isfinite(pv_body_get_angular_velocity(w, b)) &&
          pv_body_get_mass(w, b) > 0);
    CHECK(def.type == t->type && pv_body_get_type(w, b) == t->type && def.sensor == t->sensor);
    CHECK(def.enabled != t->disabled && def.mask == t->mask && pv_body_get_mask(w, b) == t->mask);
    bool sleeps = line_of(&asleep, line(b, b)) >= 0;
    if (settled && !blind && t->type != PV_BODY_STATIC && !t->disabled)
        CHECK(sleeps != pv_body_is_awake(w, b));
}

static void check_bodies(void) {
    int count = 0;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(worlds[0], b)).index; count++) {
        CHECK(lives(BODY, (name){b.index, b.generation}));
        check_body(b.index);
        if (settled && !blind && list[BODY][b.index].sensor && !list[BODY][b.index].disabled)
            check_sensor(b.index);
    }
    CHECK(count == living[BODY] && count == pv_world_get_stats(worlds[0]).bodies);
}

static void check_particles(void) {
    int count = 0;
    for (pv_particle_id p = {0, 0}; (p = pv_world_get_next_particle(worlds[0], p)).index; count++) {
        CHECK(lives(PARTICLE, (name){p.index, p.generation}));
        CHECK(is_good(pv_particle_get_position(worlds[0], p)));
    }
    CHECK(count == living[PARTICLE] && count == pv_world_get_stats(worlds[0]).particles);
}

static void check_rest(void) {
    const pv_world *w = worlds[0];
    int constraints = 0, polygons = 0, things = 0;
    for (pv_joint_id c = {0, 0}; (c = pv_world_get_next_joint(w, c)).index; constraints++) {
        pv_anchor ends[2];
        CHECK(lives(JOINT, (name){c.index, c.generation}) && pv_joint_get_force(w, c) >= 0);
        CHECK(pv_joint_get_anchors(w, c, ends) == PV_OK);
        for (int i = 0; i < 2; i++) CHECK(isfinite(ends[i].point.x) && isfinite(ends[i].point.y));
    }
    for (pv_body_id p = {0, 0}; (p = pv_world_get_next_polygon(w, p)).index; polygons++)
        CHECK(lives(POLYGON, (name){p.index - PV_POLYGON_BIT, p.generation}) &&
              is_good(pv_body_get_position(w, p)));
    for (pv_composite_id m = {0, 0}; (m = pv_world_get_next_composite(w, m)).index; things++)
        CHECK(lives(MATTER, (name){m.index, m.generation}));
    CHECK(constraints == living[JOINT] && polygons == living[POLYGON] && things == living[MATTER]);
    for (uint32_t i = 1; i < MOST; i++) {
        int count = 0;
        if (!list[LIQUID][i].lives) continue;
        for (uint32_t p = 1; p < MOST; p++)
            count += list[PARTICLE][p].lives && list[PARTICLE][p].liquid == i;
        CHECK(pv_liquid_get_particles(w, (pv_liquid_id){i, list[LIQUID][i].generation}, NULL, 0) ==
              count);
    }
}

static void check_all(void) {
    check_bodies();
    check_grains();
    check_particles();
    check_rest();
    if (worlds[1]) CHECK(pv_world_compute_hash(worlds[0]) == pv_world_compute_hash(worlds[1]));
}

static void step(fuzz_input *in) {
    static const double lengths[] = {1 / 60.0, 1 / 60.0, 1 / 60.0, 1 / 120.0, 0.03, 1e-4, 1, NAN};
    double dt = lengths[fuzz_below(in, 8)];
    EACH(pv_status, said, pv_world_step(w, dt));
    refused = dt != dt;
    CHECK(refused ? said == PV_ERROR_NOT_FINITE
                  : said == PV_OK || (no_memory && said == PV_ERROR_MEMORY));
    if (refused) return;
    blind |= said == PV_ERROR_MEMORY;
    pv_events e = pv_world_get_events(worlds[0]);
    if (!blind) follow_events(&e);
    follow_crushes(&e);
    follow_breaks(&e);
    settled = true;
    check_contacts();
    check_all();
    settled = false;
}

/* ---- the target ---- */

static void (*const calls[])(fuzz_input *in) = {
    step, step, step, step, create_body, create_body, create_body, destroy_body, place_body,
    push_body, type_body, enable_body, mask_body, scale_body, filter_body, change_body,
    create_particle, create_particle, wet, change_liquid, create_polygon, destroy_particle,
    change_particle, change_polygon, create_constraint, create_constraint, change_constraint,
    change_force, build, change_matter, change_world, change_mask, move_mover, ask,
    /* from here on chosen by the highest bytes, so that old inputs keep their meaning */
    create_grains, emit_grains, emit_grains, change_grains, go_back};

static int next_call(fuzz_input *in) {
    const int count = (int)(sizeof calls / sizeof *calls), old = 34;
    int b = fuzz_below(in, 256);
    return b < 256 / old * old ? b % old : old + b % (count - old);
}

static pv_world *make_world(int flags, int index) {
    static const int substeps[] = {0, 1, 4, 0};
    pv_world_def def = pv_world_def_default();
    def.contact_mode = flags & 1 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS;
    def.substeps = substeps[flags >> 1 & 3];
    def.enable_sleep = (flags & 24) != 8;
    if (filtered) def.filter_callback = filter, def.filter_user_data = &worlds[index];
    if (flags & 64) def.presolve_callback = presolve, def.presolve_user_data = &worlds[index];
    if (flags & 16) def.bounds = (pv_box){{0, 0}, {300, 200}};
    def.report_callback = report;
    def.report_user_data = &worlds[index];
    def.allocator = fuzz_allocator(&purses[index]);
    return pv_world_create(&def, NULL);
}

static void begin(int flags, int patience) {
    memset(list, 0, sizeof list);
    memset(living, 0, sizeof living);
    touching.count = inside.count = asleep.count = 0;
    blind = refused = false;
    reports = 0;
    no_memory = patience != 0;
    filtered = flags & 32;
    memset(purses, 0, sizeof purses);
    memset(&mask_purse, 0, sizeof mask_purse);
    for (int i = 0; i < MASKS; i++) masks[i] = draw_mask(i);
    for (int i = 0; i < 2; i++) {
        worlds[i] = i && no_memory ? NULL : make_world(flags, i);
        CHECK(worlds[i] || i);
        movers[i] = pv_mover_default();
        movers[i].mask = masks[0];
        movers[i].position = (pv_vec2){100, 20};
    }
    purses[0].fail_at = patience ? purses[0].calls + patience : 0;
}

static void end(void) {
    for (int i = 0; i < 2; i++) pv_world_destroy(worlds[i]);
    CHECK(purses[0].live == 0 && purses[1].live == 0);
    for (int i = 0; i < MASKS; i++) {
        CHECK(pv_mask_invert(masks[i]) == PV_OK); /* no one holds it any more */
        pv_mask_release(masks[i]);
    }
    CHECK(mask_purse.live == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    fuzz_input in = {data, bytes};
    int flags = fuzz_below(&in, 128), patience = fuzz_below(&in, 256), steps = 0;
    begin(flags, patience < 192 ? 0 : patience - 190);
    for (int i = 0; i < CALLS && in.left && steps < STEPS; i++) {
        int which = next_call(&in);
        uint64_t before = pv_world_compute_hash(worlds[0]);
        long told = reports;
        refused = false;
        steps += calls[which] == step;
        calls[which](&in);
        CHECK(!refused || pv_world_compute_hash(worlds[0]) == before);
        CHECK(!refused || reports > told);
        if (no_memory && purses[0].calls > purses[0].fail_at)
            purses[0].fail_at = purses[0].calls + patience - 190;
    }
    check_all();
    end();
    return 0;
}
