/* test_mover_levels.c - movers in random levels, checked at each frame.
 *
 * Invariant: keys, level and moving bodies follow from the seed. The oracle takes bodies from the
 * world and compares their pixels with the mover's. It remembers no earlier frame.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "shared_world.h"

enum { WIDTH = 480, HEIGHT = 320, TILE = 16, MOST_LIFTS = 4 };
enum { MOST_BODIES = 200, LEVELS = 200, SECONDS = 60 };
static const double gravity = 900;

static uint64_t seed;

static double uniform(double low, double high) { return low + next_unit(&seed) * (high - low); }
static int among(int low, int high) { return low + (int)(next_unit(&seed) * (high - low + 1)); }
static bool one_of(int count) { return among(1, count) == 1; }

typedef struct lift {
    pv_body_id body;
    pv_vec2 middle, way;
    double period, phase;
    bool turns_softly;
} lift;

/// State of the current level
static struct {
    pv_world *world;
    lift lifts[MOST_LIFTS];
    pv_mover mover;
    int number, rate, frame, lift_count;
    /* input of the player */
    int go;
    double until, jump_at, crushed_for;
    bool jumped;
    /// True if it stood before this frame
    bool stood;
} l;

/* ---- levels ---- */

static pv_body_id put_at(pv_mask *mask, double x, double y, pv_body_def def) {
    pv_vec2 c = pv_mask_compute_mass(mask).centroid;
    return put(l.world, mask, x + c.x, y + c.y, def);
}

static pv_mask *ramp_mask(int w, int h, bool right) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    for (int x = 0; x < w; x++) {
        int top = (right ? w - 1 - x : x) * h / w;
        pv_mask_fill_rect(mask, (pv_rect){x, top, 1, h - top}, true);
    }
    return mask;
}

static void build_terrain(void) {
    pv_body_def fixed = of_type(PV_BODY_STATIC), plank = fixed;
    plank.one_way_normal = pv__vec(0, -1);
    put_at(box_mask(WIDTH, TILE), 0, HEIGHT - TILE, fixed);
    put_at(box_mask(WIDTH, TILE), 0, 0, fixed);
    put_at(box_mask(TILE, HEIGHT), 0, 0, fixed);
    put_at(box_mask(TILE, HEIGHT), WIDTH - TILE, 0, fixed);
    for (int i = among(8, 30); i > 0; i--) {
        int x = among(1, WIDTH / TILE - 2), y = among(5, HEIGHT / TILE - 2), count = among(1, 4);
        for (int k = 0; k < count && x + k < WIDTH / TILE - 1; k++)
            put_at(box_mask(TILE, TILE), (x + k) * TILE, y * TILE, fixed);
    }
    for (int i = among(1, 4); i > 0; i--) {
        int w = among(20, 90), h = among(6, 40), over = one_of(3) ? among(0, 6) * TILE : 0;
        put_at(ramp_mask(w, h, one_of(2)), among(TILE, WIDTH - TILE - w), HEIGHT - TILE - h - over,
               fixed);
    }
    for (int i = among(1, 5); i > 0; i--)
        put_at(box_mask(among(20, 90), among(4, 10)), among(TILE, WIDTH - 110),
               among(60, HEIGHT - 40), plank);
}

static void build_what_moves(void) {
    l.lift_count = among(1, MOST_LIFTS);
    for (int i = 0; i < l.lift_count; i++) {
        lift *f = &l.lifts[i];
        pv_body_def def = of_type(PV_BODY_KINEMATIC);
        if (one_of(4)) def.one_way_normal = pv__vec(0, -1);
        f->way = one_of(3)   ? pv__vec(uniform(0, 50), uniform(0, 50))
                 : one_of(2) ? pv__vec(0, uniform(20, 100))
                             : pv__vec(uniform(20, 100), 0);
        f->turns_softly = one_of(2);
        f->period = uniform(2, 8);
        f->phase = uniform(0, 1);
        f->body = put_at(box_mask(among(24, 100), among(8, 24)), among(20, WIDTH - 100),
                         among(80, HEIGHT - 60), def);
        f->middle = pv_body_get_position(l.world, f->body);
    }
    for (int i = among(1, 6); i > 0; i--) {
        pv_body_def def = of_type(PV_BODY_DYNAMIC);
        if (one_of(3)) def.angle = uniform(0, 3);
        put_at(box_mask(among(8, 36), among(8, 36)), among(TILE, WIDTH - TILE - 36),
               among(TILE, 150), def);
    }
}

static bool holds(pv_body_id b) {
    pv_vec2 one_way = pv_body_get_def(l.world, b).one_way_normal;
    return one_way.x == 0 && one_way.y == 0 && b.index != l.mover.body.index;
}

/// Tells whether the mover, moved by (dx, dy), shares a pixel with a body that holds it.
static bool is_taken(int dx, int dy) {
    pv_placed place = {l.mover.mask, pv_mover_get_transform(&l.mover)};
    place.transform.position = pv__add(place.transform.position, pv__vec(dx, dy));
    pv_body_id found[MOST_BODIES];
    int count = pv_world_query_mask(l.world, &place, NULL, found, MOST_BODIES);
    for (int i = 0; i < count; i++)
        if (holds(found[i])) return true;
    return false;
}

/// Puts the mover at a free place of the level, with or without a body.
static void build_mover(void) {
    int w = among(8, 24), h = among(12, 48);
    l.mover = pv_mover_default();
    l.mover.mask = box_mask(w, h);
    l.mover.pivot = pv__vec(w / 2, h);
    l.mover.push_force = one_of(2) ? 1e6 : 0;
    l.mover.mass = one_of(2) ? 300 : 0;
    do l.mover.position = pv__vec(among(40, WIDTH - 40), among(70, HEIGHT - 20));
    while (is_taken(0, 0));
    if (one_of(3))
        l.mover.body = put_at(pv_mask_retain((pv_mask *)l.mover.mask), l.mover.position.x - w / 2,
                              l.mover.position.y - h, of_type(PV_BODY_KINEMATIC));
}

static void build(int number, int rate) {
    memset(&l, 0, sizeof l);
    l.number = number;
    l.rate = rate;
    seed = (uint64_t)number * 7919 + 12345;
    for (int i = 0; i < 10; i++) next_unit(&seed);
    l.world = next_world(with_gravity(gravity));
    build_terrain();
    build_what_moves();
    build_mover();
}

/* ---- play ---- */

static double swing(const lift *f, double time) {
    double turns = time / f->period + f->phase;
    if (f->turns_softly) return sin(2 * PV__PI * turns);
    turns -= floor(turns);
    return turns < 0.5 ? 4 * turns - 1 : 3 - 4 * turns;
}

static void press_keys(double time) {
    if (time < l.until) return;
    l.go = among(-1, 1);
    l.until = time + uniform(0.2, 1.7);
    l.jump_at = time + uniform(0, 2);
    l.mover.drop_through = one_of(10);
}

static void play(void) {
    double dt = 1.0 / l.rate, time = l.frame++ * dt;
    pv_mover *m = &l.mover;
    for (int i = 0; i < l.lift_count; i++) {
        const lift *f = &l.lifts[i];
        pv_vec2 to = pv__mad(f->middle, swing(f, time), f->way);
        ck_assert_int_eq(pv_body_move_to(l.world, f->body, to, 0, dt), PV_OK);
    }
    step_well(l.world, dt);
    press_keys(time);
    pv_vec2 velocity = pv__vec(120 * l.go, m->velocity.y + gravity * dt);
    l.stood = m->grounded;
    l.jumped = m->grounded && time >= l.jump_at;
    if (l.jumped) {
        velocity.y = m->ground_velocity.y - 350;
        l.jump_at = INFINITY;
    }
    ck_assert_int_eq(pv_mover_move(l.world, m, velocity, dt), PV_OK);
    l.crushed_for = m->crushed ? l.crushed_for + dt : 0;
}

/* ---- checks ---- */

static bool has_free_place(void) {
    int w = pv_mask_get_width(l.mover.mask), h = pv_mask_get_height(l.mover.mask),
        size = w > h ? w : h;
    for (int dy = -size; dy <= size; dy++)
        for (int dx = -size; dx <= size; dx++)
            if (!is_taken(dx, dy)) return true;
    return false;
}

/// Tells whether the mover lost its ground, though ground was within its snap distance.
static bool lost_ground(void) {
    const pv_mover *m = &l.mover;
    if (!l.stood || l.jumped || m->drop_through || m->grounded || m->crushed) return false;
    for (int down = 1; down <= m->ground_snap; down++)
        if (is_taken(0, down)) return true;
    return false;
}

static void check(void) {
    const pv_mover *m = &l.mover;
    const char *fault = NULL;
    if (m->crushed != is_taken(0, 0)) fault = "crushed";
    if (lost_ground()) fault = "no ground";
    if (l.crushed_for > 0.5 && fmod(l.crushed_for, 0.5) < 1.0 / l.rate && has_free_place())
        fault = "a free place";
    if (m->crushed && m->grounded && holds(m->ground)) {
        pv_placed own = {m->mask, pv_mover_get_transform(m)};
        pv_placed ground = {pv_body_get_mask(l.world, m->ground),
                            pv_body_get_transform(l.world, m->ground)};
        if (pv_placed_test_overlap(&own, &ground)) fault = "stands in ground";
    }
    ck_assert_msg(!fault, "%s: level %d frame %d at %d Hz", fault, l.number, l.frame, l.rate);
}

/// Plays levels at each rate; a number's remainder selects the rate.
START_TEST(levels_are_played_at_all_rates) {
    static const struct {
        int rate, divisor, rest;
    } plays[] = {{30, 4, 0}, {60, 4, 1}, {144, 4, 2}, {240, 8, 3}, {240, 8, 7}};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < (int)last_seed((uint64_t)(LEVELS / plays[i].divisor)); k++) {
            build(plays[i].rest + k * plays[i].divisor, plays[i].rate);
            while (l.frame < SECONDS * l.rate) {
                play();
                check();
            }
            pv_mask_release((pv_mask *)l.mover.mask);
        }
}

RUN_TESTS_IN("mover_levels", NULL, close_world, 1)
