/* test_index.c - every query of a world, against loops over all of its bodies.
 *
 * Invariant: the oracle knows only masks, transforms and defs. Answers agree to the last bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"
#include "heap.h"
#include "pixverlet/paper.h"
#include "placed/placed_query.h"

enum { MOST = 512, ROUNDS = 40 };

/* ---- the oracle ---- */

/// Tells whether a query counts a body, by all of its filter but the function.
static bool counts(const pv_world *w, pv_body_id b, const pv_query_filter *f) {
    pv_body_def def = pv_body_get_def(w, b);
    if (!def.enabled || (def.sensor && !(f && f->include_sensors))) return false;
    return !f || (f->mask_bits & def.filter.category_bits);
}

static bool is_welcome(pv_body_id b) { return b.index % 4 != 1; }

static pv_placed placed_of(const pv_world *w, pv_body_id b) {
    return (pv_placed){pv_body_get_mask(w, b), pv_body_get_transform(w, b)};
}

/// Query; its kind decides which members matter
typedef struct question {
    enum { AT, IN_BOX, IN_CIRCLE, IN_MASK, RAY, SWEEP } kind;
    pv_vec2 from, to;
    double radius;
    /// Shapes of the query
    pv_box box;
    pv_placed placed;
    pv_swept moving;
    pv_query_filter filter;
} question;

/// Tells whether a query hits a body. For casts, sets where.
static bool meets(const question *q, const pv_placed *b, pv_cast_hit *hit) {
    pv_ray_hit ray;
    pv_swept_hit sweep;
    pv_swept still = {b->mask, b->transform, b->transform};
    switch (q->kind) {
    case AT: return pv_placed_test_point(b, q->from);
    case IN_BOX: return pv__placed_rectangle(b, q->box);
    case IN_CIRCLE: return pv__placed_circle(b, q->from, q->radius);
    case IN_MASK: return pv_placed_test_overlap(&q->placed, b);
    case RAY:
        if (!pv_placed_cast_segment(b, q->from, q->to, &ray)) return false;
        *hit = (pv_cast_hit){hit->body, ray.fraction, ray.point, ray.normal};
        return true;
    default:
        if (!pv_swept_cast(&still, &q->moving, &sweep)) return false;
        *hit = (pv_cast_hit){hit->body, sweep.fraction, sweep.point, sweep.normal};
        return true;
    }
}

static int compare(const void *p, const void *q) {
    const pv_cast_hit *a = p, *b = q;
    if (a->fraction != b->fraction) return a->fraction < b->fraction ? -1 : 1;
    return (a->body.index > b->body.index) - (a->body.index < b->body.index);
}

/// Finds all expected hits, in the order of slots.
static int expect(const pv_world *w, const question *q, const pv_query_filter *f,
                  pv_cast_hit hits[MOST]) {
    int count = 0;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index && count < MOST;) {
        pv_placed placed = placed_of(w, b);
        hits[count].body = b;
        bool good = counts(w, b, f) && (!f || !f->accept || is_welcome(b));
        if (good && meets(q, &placed, &hits[count])) count++;
    }
    return count;
}

/* ---- answers of the world ---- */

/// Bodies that the filter was called with, in order
typedef struct asked {
    pv_body_id names[MOST];
    int count;
} asked;

static bool accept(void *user_data, pv_body_id b) {
    asked *a = user_data;
    ck_assert_int_lt(a->count, MOST);
    ck_assert(a->count == 0 || a->names[a->count - 1].index < b.index);
    a->names[a->count++] = b;
    return is_welcome(b);
}

static int find(const pv_world *w, const question *q, const pv_query_filter *f,
                pv_body_id found[MOST]) {
    switch (q->kind) {
    case AT: return pv_world_query_point(w, q->from, f, found, MOST);
    case IN_BOX: return pv_world_query_box(w, q->box, f, found, MOST);
    case IN_CIRCLE: return pv_world_query_circle(w, q->from, q->radius, f, found, MOST);
    default: return pv_world_query_mask(w, &q->placed, f, found, MOST);
    }
}

static int cast(const pv_world *w, const question *q, pv_cast_mode which, const pv_query_filter *f,
                pv_cast_hit hits[MOST]) {
    if (f && f->accept) ((asked *)f->user_data)->count = 0;
    return q->kind == RAY ? pv_world_cast_ray(w, q->from, q->to, which, f, hits, MOST)
                          : pv_world_cast_mask(w, &q->moving, which, f, hits, MOST);
}

/// Numbers of hits, of queries and of casts, to check that there were enough
static int64_t found_hits, cast_hits;

static void same_hit(const pv_cast_hit *a, const pv_cast_hit *b) {
    ck_assert(PV_ID_EQUALS(a->body, b->body) && a->fraction == b->fraction);
    ck_assert(a->point.x == b->point.x && a->point.y == b->point.y);
    ck_assert(a->normal.x == b->normal.x && a->normal.y == b->normal.y);
}

/// Checks that the filter was called in slot order for each body whose bounds meet the shape's.
static void judge_asked(const pv_world *w, const question *q, const pv_query_filter *f,
                        const asked *a) {
    int next = 0;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
        pv_box box = pv_body_get_bounds(w, b);
        bool near = box.min.x < q->box.max.x && q->box.min.x < box.max.x &&
                    box.min.y < q->box.max.y && q->box.min.y < box.max.y;
        if (!near || !counts(w, b, f)) continue;
        ck_assert_int_lt(next, a->count);
        ck_assert(PV_ID_EQUALS(a->names[next], b));
        next++;
    }
    ck_assert_int_eq(next, a->count);
}

static void judge_find(const pv_world *w, const question *q, const pv_query_filter *f) {
    static pv_cast_hit hits[MOST];
    static asked a;
    pv_body_id found[MOST];
    int count = expect(w, q, f, hits);
    found_hits += count;
    a.count = 0;
    ck_assert_int_eq(find(w, q, f, found), count);
    for (int i = 0; i < count; i++) ck_assert(PV_ID_EQUALS(found[i], hits[i].body));
    if (!f || !f->accept || q->kind == IN_MASK) return;
    pv_query_filter asks = *f;
    asks.user_data = &a;
    ck_assert_int_eq(find(w, q, &asks, found), count);
    judge_asked(w, q, f, &a);
}

static void judge_cast(const pv_world *w, const question *q, const pv_query_filter *f) {
    static pv_cast_hit hits[MOST], all[MOST];
    int count = expect(w, q, f, hits);
    cast_hits += count;
    ck_assert_int_eq(cast(w, q, PV_CAST_ANY, f, all), count > 0);
    if (count > 0) same_hit(&all[0], &hits[0]);
    if (count > 0) qsort(hits, (size_t)count, sizeof *hits, compare);
    ck_assert_int_eq(cast(w, q, PV_CAST_CLOSEST, f, all), count > 0);
    if (count > 0) same_hit(&all[0], &hits[0]);
    ck_assert_int_eq(cast(w, q, PV_CAST_ALL, f, all), count);
    for (int i = 0; i < count; i++) same_hit(&all[i], &hits[i]);
}

/// Checks a query with every kind of filter.
static void judge(const pv_world *w, question *q) {
    asked unread = {.count = 0};
    pv_query_filter filters[4] = {
        {.mask_bits = 0xffffffff, .include_sensors = true},
        {.mask_bits = 2},
        {.mask_bits = 0xffffffff, .accept = accept, .user_data = &unread}};
    for (int i = 0; i < 4; i++) {
        const pv_query_filter *f = i < 3 ? &filters[i] : NULL;
        unread.count = 0;
        if (q->kind < RAY)
            judge_find(w, q, f);
        else
            judge_cast(w, q, f);
    }
}

/* ---- questions ---- */

/// Returns a size between tiny and as large as a scene.
static double random_size(uint64_t *seed) {
    double x = next_unit(seed);
    return 2 + 900 * x * x * x * x;
}

static pv_vec2 random_near(uint64_t *seed, pv_vec2 middle, double reach) {
    double x = middle.x + reach * (2 * next_unit(seed) - 1);
    return (pv_vec2){x, middle.y + reach * (2 * next_unit(seed) - 1)};
}

static pv_transform random_transform(uint64_t *seed, pv_vec2 at) {
    pv_transform t =
        WITH(pv_transform_identity(), it.position = at,
             it.rotation = pv_rotation_from_angle(next_random(seed) % 2 ? 6 * next_unit(seed) : 0));
    return t;
}

static question random_question(uint64_t *seed, const pv_mask *mask, pv_vec2 middle, double reach) {
    question q = {.kind = (int)(next_random(seed) % 6)};
    double w = random_size(seed), h = random_size(seed);
    q.from = random_near(seed, middle, reach);
    q.to = random_near(seed, q.from, random_size(seed));
    if (next_random(seed) % 8 == 0) q.to.x = q.from.x;
    if (next_random(seed) % 8 == 0) q.to.y = q.from.y;
    q.radius = 0.3 * w;
    q.box = (pv_box){q.from, q.from};
    if (q.kind == IN_BOX) q.box.max = (pv_vec2){q.from.x + w, q.from.y + h};
    if (q.kind == IN_CIRCLE) {
        q.box.min = (pv_vec2){q.from.x - q.radius, q.from.y - q.radius};
        q.box.max = (pv_vec2){q.from.x + q.radius, q.from.y + q.radius};
    }
    q.placed = (pv_placed){mask, random_transform(seed, q.from)};
    q.moving = (pv_swept){mask, q.placed.transform, q.placed.transform};
    q.moving.to.position = q.to;
    if (next_random(seed) % 2) q.moving.to.rotation = pv_rotation_from_angle(6 * next_unit(seed));
    return q;
}

/// Checks pv_world_pick_body(), and the pixels that all pairs share; both have no filters.
static void judge_rest(const pv_world *w, pv_vec2 point) {
    pv_body_id top = {0, 0};
    int64_t area = 0;
    for (pv_body_id a = {0, 0}; (a = pv_world_get_next_body(w, a)).index;) {
        pv_placed p = placed_of(w, a);
        if (!counts(w, a, NULL)) continue;
        if (pv_placed_test_point(&p, point)) top = a;
        for (pv_body_id b = a; (b = pv_world_get_next_body(w, b)).index;) {
            pv_placed q = placed_of(w, b);
            pv_filter f = pv_body_get_filter(w, a), g = pv_body_get_filter(w, b);
            bool dynamic = pv_body_get_type(w, a) == PV_BODY_DYNAMIC ||
                           pv_body_get_type(w, b) == PV_BODY_DYNAMIC;
            if (counts(w, b, NULL) && dynamic && (f.mask_bits & g.category_bits) &&
                (g.mask_bits & f.category_bits))
                area += pv_placed_compute_overlap_area(&p, &q);
        }
    }
    ck_assert(PV_ID_EQUALS(pv_world_pick_body(w, point), top));
    ck_assert_int_eq(pv_world_compute_overlap_area(w), area);
}

static void ask_some(const pv_world *w, uint64_t *seed, const pv_mask *mask, int count,
                     pv_vec2 middle, double reach) {
    for (int i = 0; i < count; i++) {
        question q = random_question(seed, mask, middle, reach);
        judge(w, &q);
    }
}

static void judge_some(const pv_world *w, uint64_t *seed, const pv_mask *mask, int count,
                       pv_vec2 middle, double reach) {
    ask_some(w, seed, mask, count, middle, reach);
    judge_rest(w, random_near(seed, middle, reach));
}

/* ---- worlds ---- */

/// Changes the world in ways that the index must notice.
static void meddle(heap *h) {
    pv_world *w = h->world;
    pv_body_id b = heap_pick(h);
    pv_status s = PV_OK;
    heap_meddle(h, true);
    if (!pv_body_is_valid(w, b)) return;
    pv_vec2 flipped = {random_below(h, 2) ? -1 : 2.5, random_below(h, 2) ? 0.5 : 1};
    bool moves = pv_body_get_type(w, b) != PV_BODY_STATIC;
    pv_cut cut = pv_cut_circle(pv_body_get_position(w, b), 4);
    switch (random_below(h, 5)) {
    case 0: s = pv_body_set_scale(w, b, flipped); break;
    case 1:
        s = pv_body_set_mask(w, b, h->masks[random_below(h, HEAP_MASKS)], (pv_vec2){3, -2});
        break;
    case 2:
        if (moves)
            s = pv_paper_body_set_velocity(w, b, (pv_vec2){4000, -7000}, PV_PAPER_SHIFT_CURRENT);
        break;
    case 3: s = pv_body_carve(w, b, &cut, NULL); break;
    default:
        s = pv_body_set_filter(w, b, (pv_filter){1u << random_below(h, 3), 0xffffffff, 0});
        break;
    }
    ck_assert_msg(s == PV_OK || s == PV_ERROR_EMPTY, "%s", pv_status_to_string(s));
}

/// Hangs a particle on a body by a joint, which moves the body within substeps.
static void hang(heap *h) {
    pv_body_id b = heap_add(h, false);
    ck_assert_int_eq(pv_body_set_type(h->world, b, PV_BODY_DYNAMIC), PV_OK);
    pv_particle_id p = CREATE(particle, h->world, it.position = pv_body_get_position(h->world, b),
                              it.position.x += 30, it.mass = 100);
    ck_assert_uint_ne(CREATE(joint, h->world,
                             it.a = pv_anchor_body(b, pv_body_get_position(h->world, b)),
                             it.b = pv_anchor_particle(p))
                          .index,
                      0);
}

static heap open_heap(uint64_t seed, int contacts, int bodies) {
    heap h =
        heap_make(seed, WITH(pv_world_def_default(), it.contact_mode = (pv_contact_mode)contacts));
    for (int i = 0; i < bodies; i++) heap_add(&h, i % 9 == 0);
    return h;
}

/// Leaves bodies alone until they sleep, then throws some at them to wake them within a step.
static void wake_sleepers(heap *h) {
    steps_well(h->world, 200);
    for (int i = 0; i < 12; i++) {
        judge_some(h->world, &h->seed, h->masks[2], 2, (pv_vec2){150, 100}, 200);
        pv_body_id b = heap_pick(h);
        if (i % 4 == 0 && pv_body_get_type(h->world, b) == PV_BODY_DYNAMIC)
            pv_body_set_velocity(h->world, b, (pv_vec2){600, -100});
        steps_well(h->world, 1);
    }
}

static void play(pv_contact_mode contacts, uint64_t seed, int bodies) {
    scoped_heap h = open_heap(seed, contacts, bodies);
    hang(&h);
    for (int i = 0; i < ROUNDS; i++) {
        judge_some(h.world, &h.seed, h.masks[i % HEAP_MASKS], 6, (pv_vec2){150, 100}, 200);
        for (int k = 0; k < 3 && i % 4; k++) {
            meddle(&h);
            judge_some(h.world, &h.seed, h.masks[k], 2, (pv_vec2){150, 100}, 200);
        }
        pv_world_step(h.world, i % 5 ? 1.0 / 60 : 0.3);
        if (i % 10 == 9) wake_sleepers(&h);
    }
    ck_assert_msg(found_hits > 500 && cast_hits > 150, "%lld, %lld hits", (long long)found_hits,
                  (long long)cast_hits);
}

START_TEST_FOR(heaps_are_as_loops_say, contacts, 2) {
    for (int i = 1; i <= ROUNDS(3, 1); i++)
        play((pv_contact_mode)contacts, (uint64_t)(i + 3 * contacts), 20 * i);
}

/// Steps without queries, while bodies move, sleep, wake and change, and the world is restored.
static void play_unasked(pv_contact_mode contacts, uint64_t seed) {
    scoped_heap h = open_heap(seed, contacts, 0);
    for (int i = 0; i < 40; i++) heap_add(&h, false);
    for (int i = 0; i < ROUNDS; i++) {
        pv_body_id thrown = heap_pick(&h);
        void *bytes = NULL;
        size_t size;
        if (pv_body_get_type(h.world, thrown) == PV_BODY_DYNAMIC)
            pv_body_set_velocity(h.world, thrown, (pv_vec2){900, -300});
        steps_well(h.world, i % 10 ? 3 : 150);
        unsigned flags = i % 8 ? 0 : PV_SNAPSHOT_PIXELS;
        if (i % 4 == 0) bytes = snapshot_till_end(h.world, flags, &size);
        for (int k = 0; k < i % 3; k++) heap_meddle(&h, false);
        if (i % 8 == 0) steps_well(h.world, 20);
        if (bytes) ck_assert_int_eq(pv_world_restore(h.world, bytes, size), PV_OK);
        if (i % 8 == 0) {
            pv_world *other = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
            ck_assert_int_eq(pv_world_restore(other, bytes, size), PV_OK);
            ck_assert_uint_eq(pv_world_compute_hash(other), pv_world_compute_hash(h.world));
            judge_some(other, &h.seed, h.masks[i % HEAP_MASKS], 20, (pv_vec2){150, 100}, 200);
            close_world(other);
        }
        judge_some(h.world, &h.seed, h.masks[i % HEAP_MASKS], 30, (pv_vec2){150, 100}, 200);
    }
}

START_TEST(the_first_question_after_some_steps_finds_all) {
    for (uint64_t seed = 51; seed <= 50 + last_seed(4); seed++) {
        play_unasked(PV_CONTACT_MODE_CONTOURS, seed);
        play_unasked(PV_CONTACT_MODE_PIXELS, seed);
    }
}

/// A body saved while disabled is enabled; then it is moved, and moved back by a restore.
START_TEST(what_is_enabled_or_moved_back_is_found) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_body_def def = pv_body_def_default();
    size_t size;
    def.enabled = false;
    pv_body_id b = put(w, box_mask(10, 10), 544, 40, def);
    void *bytes = snapshot_till_end(w, PV_SNAPSHOT_PIXELS, &size);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(pv_world_pick_body(w, (pv_vec2){545, 41}).index, 0);
        ck_assert_int_eq(pv_body_set_enabled(w, b, true), PV_OK);
        ck_assert_uint_eq(pv_world_pick_body(w, (pv_vec2){545, 41}).index, b.index);
        if (i > 0) bytes = snapshot_till_end(w, 0, &size);
        ck_assert_int_eq(pv_body_set_position(w, b, (pv_vec2){512, 40}), PV_OK);
        ck_assert_uint_eq(pv_world_pick_body(w, (pv_vec2){513, 41}).index, b.index);
        ck_assert_int_eq(pv_world_restore(w, bytes, size), PV_OK);
    }
    ck_assert_uint_eq(pv_world_pick_body(w, (pv_vec2){545, 41}).index, b.index);
}

/// Checks queries on bodies of all sizes, scattered and in crowds, near and far.
static void judge_scattered(pv_vec2 middle, int small, double reach) {
    uint64_t seed = 21 + (uint64_t)small;
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_mask *masks[] = {box_mask(1, 1), disc_mask(6), box_mask(3, 60), box_mask(300, 5),
                        box_mask(1500, 900)};
    for (int i = 0; i < small; i++) {
        pv_body_def def = of_type((pv_body_type)(i % 3));
        int kind = i % 8 == 7 ? i / 8 % 5 : i % 3;
        pv_vec2 at = random_near(&seed, middle, i % 10 ? reach : 5);
        def.angle = i % 4 ? 6 * next_unit(&seed) : 0;
        if (i % 16 == 15) def.scale = (pv_vec2){kind < 3 ? 7 : 2, -1.5};
        put(w, pv_mask_retain(masks[kind]), at.x, at.y, def);
    }
    put(w, box_mask(16384, 8), middle.x + 4000, middle.y + 40, of_type(PV_BODY_STATIC));
    judge_some(w, &seed, masks[1], 150, middle, 1.2 * reach);
    for (int i = 0; i < 5; i++) {
        question q = {.kind = RAY, .from = random_near(&seed, middle, reach)};
        q.to = (pv_vec2){q.from.x * next_unit(&seed), q.from.y - 30000 * next_unit(&seed)};
        judge(w, &q);
    }
    for (int i = 0; i < 5; i++) pv_mask_release(masks[i]);
}

START_TEST(sizes_and_distances_do_not_matter) {
    judge_scattered((pv_vec2){0, 0}, 0, 50);
    judge_scattered((pv_vec2){0, 0}, 3, 50);
    judge_scattered((pv_vec2){0, 0}, 60, 500);
    judge_scattered((pv_vec2){0, 0}, 400, 900);
    judge_scattered((pv_vec2){1e6, -1e6}, 60, 500);
    judge_scattered((pv_vec2){-16e6, 16.7e6}, 60, 500);
}

/// Tests more bodies than are marked at once.
START_TEST(tens_of_thousands_are_found_in_order) {
    enum { ACROSS = 260, COUNT = 70000 };
    pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, 320, NULL);
    pv_mask *dot = mask_till_end(box_mask(2, 2));
    pv_body_id *found = memory_till_end(malloc(COUNT * sizeof *found));
    const pv_box all = {{-9, -9}, {1e4, 1e4}}, column = {{400, -9}, {403, 1e4}};
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        put(w, pv_mask_retain(dot), 4 * (i % ACROSS), 4 * (i / ACROSS), of_type(PV_BODY_STATIC));
    ck_assert_int_eq(pv_world_query_box(w, all, NULL, found, COUNT), COUNT);
    for (int i = 0; i < COUNT; i++) wrong += found[i].index != i + 1u;
    ck_assert_int_eq(pv_world_query_box(w, column, NULL, found, COUNT), 269);
    for (int i = 0; i < 269; i++) wrong += found[i].index != 101u + ACROSS * (unsigned)i;
    ck_assert_int_eq(wrong, 0);
    uint64_t seed = 3;
    for (int i = 0; i < 12; i++) {
        question q = {.kind = RAY, .from = random_near(&seed, (pv_vec2){500, 500}, 500)};
        q.to = random_near(&seed, q.from, 900);
        judge_cast(w, &q, NULL);
    }
}

/* ---- within a step ---- */

typedef struct listener {
    uint64_t seed;
    pv_mask *mask;
    int asked;
} listener;

static pv_presolve_result listen(void *user_data, const pv_world *w,
                                 pv_presolve_contact *approach) {
    listener *l = user_data;
    (void)approach;
    if (l->asked++ % 8 == 0) judge_some(w, &l->seed, l->mask, 1, (pv_vec2){150, 100}, 200);
    return PV_PRESOLVE_COLLIDE;
}

static void judge_callbacks(pv_contact_mode contacts) {
    scoped_heap h = open_heap(31, contacts, 30);
    listener l = {5, h.masks[1], 0};
    ck_assert_int_eq(pv_world_set_presolve_callback(h.world, listen, &l), PV_OK);
    for (int i = 0; i < 30; i++) pv_world_step(h.world, 1.0 / 60);
    ck_assert_int_gt(l.asked, 100);
}

START_TEST(callbacks_find_bodies_where_they_are) {
    judge_callbacks(PV_CONTACT_MODE_CONTOURS);
    judge_callbacks(PV_CONTACT_MODE_PIXELS);
}

/* ---- memory ---- */

/// Checks queries after failed allocations: while bodies are created, in a step, and in a cut.
START_TEST(no_memory_loses_no_answer) {
    const pv_vec2 middle = {0, 0};
    scoped_mask *mask = disc_mask(5);
    for (long fail = 2; fail < 140; fail++) {
        scoped_purse p = {.fail_at = fail};
        uint64_t seed = 7;
        pv_world_def def =
            WITH(pv_world_def_default(), it.allocator = (pv_allocator){purse_alloc, &p});
        scoped_world *w = pv_world_create(&def, NULL);
        for (int i = 0; i < 70; i++)
            CREATE(body, w, it.mask = mask, it.position = random_near(&seed, middle, 150));
        ask_some(w, &seed, mask, 1, middle, 150);
        pv_world_step(w, 1.0 / 60);
        ask_some(w, &seed, mask, 1, middle, 150);
        pv_body_id first = pv_world_get_next_body(w, (pv_body_id){0, 0});
        pv_cut cut = pv_cut_circle(pv_body_get_position(w, first), 3);
        pv_body_carve(w, first, &cut, NULL);
        ask_some(w, &seed, mask, 1, middle, 150);
    }
}

/* ---- movers ---- */

/// Returns a bumpy floor of more tiles than a mover keeps, with far bodies in slots between them.
static pv_world *tiled_world(int between) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_mask *tiles[] = {mask_till_end(box_mask(3, 3)), mask_till_end(box_mask(3, 5)),
                        mask_till_end(disc_mask(4))};
    for (int i = 0; i < 500; i++) {
        put(w, pv_mask_retain(tiles[i % 37 ? 0 : 2]), i, 100, of_type(PV_BODY_STATIC));
        for (int k = 0; k < between; k++)
            put(w, pv_mask_retain(tiles[k]), 3000 + 10 * i, -500 + 20 * k, of_type(PV_BODY_STATIC));
    }
    return w;
}

/// Tells whether a mover, moved down a bit, would share a pixel with a body.
static bool overlaps(const pv_world *w, const pv_mover *m, double lower) {
    pv_placed own = {m->mask, pv_mover_get_transform(m)};
    own.transform.position.y += lower;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
        pv_placed p = placed_of(w, b);
        if (pv_placed_test_overlap(&own, &p)) return true;
    }
    return false;
}

START_TEST(a_mover_meets_what_is_near_alone) {
    pv_world *few = tiled_world(0), *many = tiled_world(3);
    pv_mover a = pv_mover_default(), b;
    a.mask = mask_till_end(box_mask(40, 20));
    a.position = (pv_vec2){20, 60};
    b = a;
    for (int i = 0; i < 200; i++) {
        pv_vec2 velocity = {60, i % 50 == 20 ? -200 : a.velocity.y + 25};
        ck_assert_int_eq(pv_mover_move(few, &a, velocity, 1.0 / 60), PV_OK);
        ck_assert_int_eq(pv_mover_move(many, &b, velocity, 1.0 / 60), PV_OK);
        ck_assert(a.position.x == b.position.x && a.position.y == b.position.y);
        ck_assert(!overlaps(many, &b, 0));
        ck_assert(velocity.y < 0 || b.grounded == overlaps(many, &b, 1));
    }
    ck_assert_double_gt(a.position.x, 150);
    ck_assert(a.grounded);
}

RUN_TESTS_IN("index", NULL, give_back, 1)
