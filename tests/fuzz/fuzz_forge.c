/* fuzz_forge.c - bytes as forgeries of a world, sealed by the library; accepted ones are played.
 *
 * Invariant: an accepted world steps, answers, can be carved and blown up like any other. Its own
 * snapshot restores, and goes on alike.
 *
 * The first byte selects the world, the second one how it is forged: numbers in memory before it is
 * saved, or bytes of its snapshot. The others say where, and what is done afterwards.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz_getters.h"

/* ---- the world that is forged ---- */

/// Puts tile terrain into a world: slopes, holes and ground, with carved pits.
static void put_terrain(pv_world *world) {
    static const uint32_t tiles[2 * 6] = {0, 2, 0, 0, 2 | PV_TILE_FLIP_X, 0, 1, 1, 1, 2, 1, 1};
    pv_mask *masks[3] = {NULL, pv_mask_create_rect(16, 16, NULL, NULL),
                         pv_mask_create(16, 16, NULL, NULL)};
    for (int i = 0; i < 16; i++) pv_mask_fill_rect(masks[2], (pv_rect){i, 15 - i, 1, 16}, true);
    pv_tilemap_def map = {.tile_width = 16, .tile_height = 16, .columns = 6, .rows = 2};
    map.tiles = tiles, map.masks = masks, map.mask_count = 3;
    pv_body_def def = pv_body_def_default();
    def.mask = pv_tilemap_create_mask(&map, NULL);
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){60, -40};
    CHECK(def.mask);
    pv_body_id ground = pv_body_create(world, &def, NULL);
    for (int i = 0; i < 3; i++) {
        pv_cut pit = pv_cut_circle((pv_vec2){30 + 20 * i, -34}, 5);
        CHECK(pv_body_carve(world, ground, &pit, NULL) == PV_OK);
    }
    for (int i = 1; i < 3; i++) pv_mask_release(masks[i]);
    pv_mask_release(def.mask);
}

static void put_chain(pv_world *world) {
    pv_body_def def = pv_body_def_default();
    pv_body_id last = pv_null_body;
    for (int i = 0; i <= PV_JOINT_MOUSE; i++) {
        def.position = (pv_vec2){12 * i - 60, -60};
        pv_body_id next = put(world, 8, 5, def);
        pv_joint_def joint = pv_joint_def_default();
        joint.type = (pv_joint_type)i;
        joint.a = pv_anchor_body(next, def.position);
        joint.b = i == PV_JOINT_MOUSE || !last.index
                      ? pv_anchor_world((pv_vec2){def.position.x, -70})
                      : pv_anchor_body(last, (pv_vec2){def.position.x - 6, -60});
        joint.axis = (pv_vec2){1, 0};
        joint.lower = -1, joint.upper = 1;
        joint.motor_speed = 2;
        CHECK(pv_joint_create(world, &joint, NULL).index);
        last = next;
    }
}

/// Returns the snapshot of a world with some of everything, made once.
static bytes valid_snapshot(pv_contact_mode contacts, int age) {
    static bytes known[2][AGES];
    bytes *b = &known[contacts][age];
    if (b->at) return *b;
    pv_world *world = host_of(contacts, 0, false);
    put_terrain(world);
    put_chain(world);
    steps(world, steps_of[age]);
    *b = saved(world, PV_SNAPSHOT_PIXELS);
    pv_world_destroy(world);
    return *b;
}

/* ---- forgery in memory ---- */

/// Bytes first...end - 1 of each struct in an array; any number may be written there
typedef struct field {
    void *items;
    int count;
    size_t stride, first, end;
} field;

#define ALL(array, length)                                                                         \
    (field) { array, length, sizeof *(array), 0, sizeof *(array) }
#define FROM(array, length, type, from, to)                                                        \
    (field) { array, length, sizeof(type), offsetof(type, from), offsetof(type, to) }

static int fields_of_matter(pv_world *world, field *f) {
    pv__matter *m = &world->matter;
    pv__polygon *q = &m->polygons[0];
    int n = 0, particles = m->particles.count;
    f[n++] = ALL(m->particles.now, particles);
    f[n++] = ALL(m->particles.was, particles);
    f[n++] = ALL(m->particles.keep, particles);
    f[n++] = ALL(m->particles.inverse_mass, particles);
    f[n++] = FROM(m->particles.data, particles, pv__particle_data, mass, passes);
    f[n++] = FROM(m->constraints, m->constraint_pool.count, pv__constraint, type, collide);
    f[n++] = FROM(m->constraints, m->constraint_pool.count, pv__constraint, force, direct);
    f[n++] = ALL(m->liquids, m->liquid_pool.count);
    f[n++] = ALL(m->forces, m->force_pool.count);
    f[n++] = ALL(q->corners, q->corner_count);
    f[n++] = ALL(q->rest, q->corner_count);
    f[n++] = ALL(q->shares, q->corner_count);
    f[n++] = ALL(q->beams, q->beam_count);
    f[n++] = FROM(q, m->polygon_pool.count, pv__polygon, material, soft);
    f[n++] = FROM(q, m->polygon_pool.count, pv__polygon, filter, called);
    f[n++] = ALL(m->composites[0].particles, m->composites[0].particle_count);
    f[n++] = ALL(m->composites[0].constraints, m->composites[0].constraint_count);
    return n;
}

static int fields_of_bodies(pv_world *world, field *f) {
    pv__body *items = world->bodies.items;
    int n = 0, bodies = world->bodies.count;
    pv__manifold *m = world->manifolds.items;
    pv__contact *c = world->bitmaps.contacts;
    f[n++] = FROM(items, bodies, pv__body, now, generation);
    f[n++] = FROM(items, bodies, pv__body, type, locks);
    f[n++] = FROM(items, bodies, pv__body, crushed, lair);
    f[n++] = FROM(items, bodies, pv__body, looks, fracture);
    f[n++] = FROM(items, bodies, pv__body, drive, began);
    f[n++] = FROM(&world->def, 1, pv_world_def, gravity, enable_sleep);
    f[n++] = FROM(c, world->bitmaps.contact_count, pv__contact, a, overlapped);
    f[n++] = FROM(c, world->bitmaps.contact_count, pv__contact, drift, count);
    f[n++] = FROM(m, world->manifolds.count, pv__manifold, step, points);
    for (int i = 0; i < world->manifolds.count && n < 40; i++)
        if (m[i].a >= 0 && m[i].count > 0)
            f[n++] = FROM(m[i].points, m[i].count, pv__contact_point, anchor_a, slides);
    return n;
}

static int fields_of_shapes(pv_world *world, field *f) {
    int n = 0;
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i];
        pv__shape *s = b->generation & 1 ? pv__shape_mask_altered(b->pixels->mask) : NULL;
        if (!s) continue;
        f[n++] = FROM(s->vertices, s->count, pv__vertex, at, sharp);
        f[n++] = FROM(s->vertices, s->count, pv__vertex, next, broken);
        f[n++] = ALL(s->sides, s->side_count);
        f[n++] = ALL(s->blocks, s->block_count);
        f[n++] = ALL(s->near_blocks.nodes, s->near_blocks.count);
        f[n++] = ALL(s->near_sides.nodes, s->near_sides.count);
        f[n++] = FROM(s, 1, pv__shape, box, grafted);
        break;
    }
    return n;
}

typedef struct forgery {
    uint8_t *at;
    uint64_t was;
} forgery;

enum { WORD = sizeof(uint64_t) };

/// Returns a number out of range, a usual one, or the one of another struct in the array.
static uint64_t forged_number(fuzz_input *in, const field *f, size_t offset, uint64_t was) {
    static const double wild[8] = {NAN, INFINITY, -1e300, 1e300, 3e9, -1e-320, 1e7, -5};
    uint64_t word = was;
    int how = fuzz_below(in, 4), other = fuzz_below(in, f->count);
    if (how == 0) return odd_number(in);
    if (how == 1) memcpy(&word, &wild[fuzz_below(in, 8)], WORD);
    if (how == 2) memcpy(&word, (uint8_t *)f->items + f->stride * (size_t)other + offset, WORD);
    if (how == 3) word += (uint64_t)fuzz_between(in, -2, 2) << (fuzz_below(in, 2) * 32);
    return word;
}

/// Forges a word of some struct. Returns false if there is none.
static bool forge(fuzz_input *in, pv_world *world, forgery *made) {
    field all[64];
    int kind = fuzz_below(in, 3);
    int count = kind == 0   ? fields_of_bodies(world, all)
                : kind == 1 ? fields_of_matter(world, all)
                            : fields_of_shapes(world, all);
    if (count == 0) return false;
    const field *f = &all[fuzz_below(in, count)];
    if (f->count == 0 || f->end - f->first < WORD) return false;
    size_t words = (f->end - f->first) / WORD, item = (size_t)fuzz_below(in, f->count),
           offset = f->first + WORD * ((size_t)fuzz_below(in, 256) % words);
    made->at = (uint8_t *)f->items + f->stride * item + offset;
    memcpy(&made->was, made->at, WORD);
    uint64_t word = forged_number(in, f, offset, made->was);
    if (fuzz_below(in, 2)) word = (made->was & UINT32_MAX) | (word << 32);
    memcpy(made->at, &word, WORD);
    return true;
}

enum { MOST_FORGERIES = 6 };

static bytes forged_snapshot(fuzz_input *in, bytes valid) {
    pv_world *world = open_world(PV_CONTACT_MODE_CONTOURS, NULL);
    forgery made[MOST_FORGERIES];
    int count = 0;
    CHECK(pv_world_restore(world, valid.at, valid.size) == PV_OK);
    for (int i = fuzz_between(in, 1, MOST_FORGERIES); i > 0; i--)
        count += forge(in, world, &made[count]);
    bytes b = {NULL, 4 * valid.size};
    CHECK((b.at = malloc(b.size)) != NULL);
    pv_status s = pv_world_save(world, PV_SNAPSHOT_PIXELS, b.at, b.size, &b.size);
    CHECK(s == PV_OK);
    while (count-- > 0) memcpy(made[count].at, &made[count].was, WORD);
    pv_world_destroy(world);
    return b;
}

static bytes forged_bytes(fuzz_input *in, bytes valid) {
    bytes b = {malloc(valid.size), valid.size};
    CHECK(b.at);
    memcpy(b.at, valid.at, valid.size);
    for (int i = fuzz_between(in, 1, MOST_FORGERIES); i > 0; i--) change(in, &b, 24);
    pv__snapshot_seal(b.at, b.size);
    return b;
}

/* ---- what is done with an accepted world ---- */

static pv_vec2 place(fuzz_input *in) {
    double x = 240 * fuzz_unit(in) - 120;
    return (pv_vec2){x, 160 * fuzz_unit(in) - 80};
}

static void ask(fuzz_input *in, pv_world *world) {
    pv_body_id found[8];
    pv_cast_hit hits[8];
    pv_vec2 at = place(in), to = place(in), normal;
    double distance;
    pv_world_query_point(world, at, NULL, found, 8);
    pv_world_query_circle(world, at, 20, NULL, found, 8);
    pv_world_query_box(world, (pv_box){{at.x - 30, at.y - 9}, {at.x + 30, at.y + 9}}, NULL, found,
                       8);
    pv_world_cast_ray(world, at, to, PV_CAST_ALL, NULL, hits, 8);
    pv_world_pick_body(world, at);
    pv_world_pick_particle(world, at, 50);
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(world, b)).index;)
        pv_body_compute_distance(world, b, at, &distance, &normal);
}

static void walk(fuzz_input *in, pv_world *world) {
    pv_mover mover = pv_mover_default();
    pv_mask *mask = pv_mask_create_rect(6, 10, NULL, NULL);
    mover.mask = mask;
    mover.position = place(in);
    mover.push_force = 1e5;
    mover.mass = 100;
    for (int i = 0; i < 4; i++) {
        pv_vec2 velocity = {600 * fuzz_unit(in) - 300, 300};
        pv_status s = pv_mover_move(world, &mover, velocity, 1 / 60.0);
        CHECK(s == PV_OK || s == PV_ERROR_MEMORY);
        CHECK(finite2(mover.position) && finite2(mover.velocity));
    }
    pv_mask_release(mask);
}

static void carve(fuzz_input *in, pv_world *world) {
    pv_vec2 at = place(in);
    pv_cut cut = fuzz_below(in, 2) ? pv_cut_circle(at, 20 * fuzz_unit(in))
                                   : pv_cut_line(at, place(in), 8 * fuzz_unit(in));
    cut.add = fuzz_below(in, 4) == 0;
    pv_world_carve(world, &cut, NULL, NULL);
}

static void destroy(fuzz_input *in, pv_world *world) {
    pv_body_id polygon = pv_world_get_next_polygon(world, pv_null_body);
    pv_composite_id composite = pv_world_get_next_composite(world, (pv_composite_id){0, 0});
    int how = fuzz_below(in, 3);
    if (how == 0) pv_body_destroy(world, polygon);
    if (how == 1) pv_composite_destroy(world, composite);
    if (how == 2) come_and_go(world);
}

static void play(fuzz_input *in, pv_world *world) {
    switch (fuzz_below(in, 8)) {
    case 0: ask(in, world); break;
    case 1: walk(in, world); break;
    case 2: carve(in, world); break;
    case 3: pv_world_explode(world, place(in), 60, 3000); break;
    case 4: destroy(in, world); break;
    default: step_in_time(world, 1 / 60.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST_PLAYS = 12 };
    fuzz_input input = {data, size}, *in = &input;
    unsigned how = fuzz_byte(in);
    bytes valid = valid_snapshot((pv_contact_mode)(how & 1), (int)(how >> 1 & 3));
    bytes b = how & 8 ? forged_bytes(in, valid) : forged_snapshot(in, valid);
    fuzz_purse purse = {0};
    pv_world *world = open_world(PV_CONTACT_MODE_CONTOURS, &purse),
             *other = open_world(PV_CONTACT_MODE_CONTOURS, &purse);
    pv_status s = pv_world_restore(world, b.at, b.size);
    CHECK(s == PV_OK || s == PV_ERROR_FORMAT || s == PV_ERROR_MEMORY);
    bool accepted = s == PV_OK && repeats(&purse);
    if (accepted) check_goes_on(world, other, 1 / 60.0, 2);
    for (int i = 0; accepted && i < MOST_PLAYS && in->left; i++) play(in, world);
    if (accepted && repeats(&purse)) check_goes_on(world, other, 1 / 60.0, 3);
    pv_world_destroy(world);
    pv_world_destroy(other);
    CHECK(purse.live == 0);
    free(b.at);
    return 0;
}
