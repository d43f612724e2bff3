/* stream_grains.c - transfers, checks and hashes populations of grains.
 *
 * Invariant: columns are copied as they are. The pixels of grains and of the ground follow from
 * them and from the bodies, so they are drawn again. A row that was not dirty has no unstable
 * grain, so all rows can be marked.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "grains/area.h"
#include "grains/grains.h"
#include "snapshot/fields.h"

/* ---- numbers ---- */

/// Numbers of a population; totals never overflow. In the hash, the capacity comes after the other
/// numbers of the definition
static const pv__field_row population_fields[] = {
    PV__INTS(pv__grains, def.capacity, 0, 1, PV_GRAIN_MOST),
    PV__DEF(pv__grains, def, pv__grains_fields + 1, PV__COUNT_OF(pv__grains_fields) - 1),
    PV__HASHED(pv__grains, def.capacity, INT, PV__HASH),
    PV__FOURS(pv__grains, def.filter.category_bits, PV__PART(32)),
    PV__FOURS(pv__grains, def.filter.mask_bits, PV__HASH),
    PV__FOURS(pv__grains, def.filter.group_index, PV__PART(32)),
    PV__FLAG(pv__grains, def.piles, PV__PART(1)),
    PV__FLAG(pv__grains, def.follow, PV__HASH),
    PV__FOURS(pv__grains, def.color, 0),
    PV__DOUBLES(pv__grains, dt, PV__HASH, 0, PV__MOST_STEP),
    PV__WORD(pv__grains, rest_x, PV__PART(32), 255),
    PV__WORD(pv__grains, rest_y, PV__HASH, 255),
    PV__WORD(pv__grains, stats.emitted, 0, 0x1p62),
    PV__WORD(pv__grains, stats.expired, 0, 0x1p62),
    PV__WORD(pv__grains, stats.lost, 0, 0x1p62),
    PV__WORD(pv__grains, stats.sunk, 0, 0x1p62),
    PV__WORD(pv__grains, stats.merged, 0, 0x1p62),
    PV__INTS(pv__grains, stats.grains, 0, 0, PV_GRAIN_MOST),
    PV__INTS(pv__grains, stats.moving, 0, 0, PV_GRAIN_MOST),
    PV__INTS(pv__grains, now.down, PV__HASH, -1, 3),
};

static const pv__field_row sink_fields[] = {
    PV__ID(pv__grain_sink_state, sink.sensor, 0),
    PV__DOUBLES(pv__grain_sink_state, sink.box, 0, PV__RANGE_PLACE),
    PV__INTS(pv__grain_sink_state, count.last_step, 0, 0, PV_GRAIN_MOST),
    PV__WORD(pv__grain_sink_state, count.total, 0, 0x1p62),
};
static const pv__field_row sinks[] = {
    PV__LIST(pv__grains, sinks, sink_capacity, sink_count, pv__grain_sink_state, sink_fields, 0)};

/// Transfers the drops that a step compares its slopes to.
static void tape_slopes(pv__stream *t, pv__grain_numbers *n) {
    int8_t *drops = &n->drops[0][0];
    pv__stream_values(t, drops, 1, sizeof n->drops);
    if (!t->reads) return;
    n->deep = 1;
    for (size_t i = 0; i < sizeof n->drops; i++) {
        t->broken |= drops[i] < -1 || drops[i] >= PV__GRAIN_DEEP - 1;
        n->deep = pv__later(n->deep, drops[i] + 1);
    }
}

/* ---- columns ---- */

static void tape_ring(pv__stream *t, const pv_world *world, pv__grains *g) {
    int used = g->used, oldest = g->oldest, span = g->span;
    pv__stream_int(t, &used, 0, g->def.capacity);
    pv__stream_int(t, &oldest, 0, g->def.capacity - 1);
    pv__stream_int(t, &span, 0, g->def.capacity);
    /* A grain has four bytes in each of six columns. */
    if (t->reads && pv__stream_holds(t, used, 24))
        pv__stream_got(t, pv__ring_reserve(world, g, used));
    if (t->broken) return;
    g->used = used;
    g->oldest = oldest;
    g->span = span;
    if (used == 0) return;
    void *const columns[] = {g->x, g->y, g->dx, g->dy, g->color, g->born};
    for (int i = 0; i < PV__COUNT_OF(columns); i++) pv__stream_halves(t, columns[i], used);
    pv__stream_words(t, g->moving, (used + 63) / 64);
    pv__stream_words(t, g->claims, (used + 63) / 64);
}

/* ---- bodies ---- */

/// Transfers what a population last saw of a body: a byte, and the pose if it has changed.
static void tape_sight(pv__stream *t, const pv_world *world, pv__grains *g, int index) {
    const pv__body *b = &world->bodies.items[index];
    uint64_t sight = t->reads ? 0 : pv__grain_bodies_sight(world, g, index);
    pv__stream_u8(t, &sight);
    t->broken |= sight > 7 || (sight && (!(sight & PV__SIGHT_SEEN) || !pv__body_is_alive(b)));
    if (t->broken || !sight) return;
    pv__grain_body none = {.center = b->pose.center, .turn = b->pose.turn};
    pv__grain_body *seen = &g->bodies[index];
    if (t->reads) *seen = none;
    if (sight & PV__SIGHT_MOVED) {
        pv__stream_vec(t, &seen->center);
        pv__stream_turn(t, &seen->turn);
    }
    if (!t->reads) return;
    seen->generation = b->generation;
    seen->grounded = sight & PV__SIGHT_GROUND;
}

static void tape_sights(pv__stream *t, const pv_world *world, pv__grains *g) {
    int count = world->bodies.count;
    if (t->reads && pv__stream_holds(t, count, 1))
        pv__stream_got(t, PV__RESERVE(&world->def.allocator, g->bodies, g->body_capacity, count));
    for (int i = 0; t->reads && i < g->body_capacity; i++) g->bodies[i] = (pv__grain_body){0};
    for (int i = 0; i < count && !t->broken; i++) tape_sight(t, world, g, i);
}

/* ---- populations ---- */

static void tape_population(pv__stream *t, pv_world *world, void *row) {
    pv__grains *g = row;
    if (t->reads && !pv__stream_got(t, pv__area_create(world, g))) return;
    tape_slopes(t, &g->now);
    tape_ring(t, world, g);
    pv__fields_tape(t, world, g, PV__TABLE(sinks));
    tape_sights(t, world, g);
}

/* ---- what follows from the bytes ---- */

/// Puts the grains of a word of slots into their pixels.
static void take_pixels(pv__stream *t, pv_world *world, pv__grains *g, int first, uint64_t slots,
                        uint64_t moving) {
    for (; slots && !t->broken; slots &= slots - 1) {
        int bit = __builtin_ctzll(slots);
        uint32_t slot = (uint32_t)(first + bit);
        unsigned u = pv__grain_pixel(g->x[slot]), v = pv__grain_pixel(g->y[slot]);
        pv__grain_tile *tile = pv__area_tile(g, u, v);
        t->broken |= tile && tile->rows[v & 63].taken >> (u & 63) & 1;
        if (t->broken || !pv__stream_got(t, pv__area_take(world, g, u, v, slot))) return;
        if (!(moving >> bit & 1)) pv__area_tile(g, u, v)->rests[v & 63] |= UINT64_C(1) << (u & 63);
    }
}

/// Returns the bits of the living grains of a word of slots.
static uint64_t living_slots(const pv__grains *g, int first) {
    uint64_t living = 0;
    for (int i = 0; i < 64 && first + i < g->used; i++)
        living |= (uint64_t)pv__ring_lives(g, (uint32_t)(first + i)) << i;
    return living;
}

/// Draws the pixels of bodies and grains of a population that was read. Breaks the stream if two
/// grains are in one pixel.
static void open_population(pv__stream *t, pv_world *world, pv__grains *g) {
    for (int i = 0; i < world->bodies.count && !t->broken; i++)
        pv__stream_got(t, pv__grain_bodies_recall(world, g, i));
    for (int i = 0; i < g->used && !t->broken; i += 64) {
        uint64_t moving = g->moving[i >> 6];
        take_pixels(t, world, g, i, (living_slots(g, i) & ~moving) | g->claims[i >> 6], moving);
    }
    pv__pile_unsettle_all(g);
}

void pv__stream_grains_keep(pv_world *world, pv_world *replaced) {
    for (int i = 0; i < world->grains.pool.count && i < replaced->grains.pool.count; i++) {
        pv__grains *g = &world->grains.items[i], *was = &replaced->grains.items[i];
        if (!pv__slot_lives(&g->slot) || g->slot.generation != was->slot.generation) continue;
        pv__exchange(&g->slides, &was->slides, sizeof *g - offsetof(pv__grains, slides));
        g->def.color_callback = was->def.color_callback;
        g->def.color_user_data = was->def.color_user_data;
    }
}

/* ---- validation ---- */

/* A valid grain is where its slot and its bits say, and none of its numbers leads out of the area
 * or out of the columns. */

/// Tells whether the slots from the oldest grain to the newest one are in use.
static bool has_good_slots(const pv__grains *g) {
    int64_t end = (int64_t)g->oldest + g->span;
    if (g->span == 0) return g->oldest == 0 && g->used == 0;
    return g->oldest < g->used && (end <= g->used || g->used == g->def.capacity);
}

/// Tells whether a slot is among those of living grains.
static bool is_in_span(const pv__grains *g, int slot) {
    int age = slot - g->oldest;
    return (age < 0 ? age + g->def.capacity : age) < g->span;
}

static bool is_motion(int32_t d) { return d >= -PV__GRAIN_FASTEST && d <= PV__GRAIN_FASTEST; }

static bool is_coordinate(int32_t x) {
    const int32_t most = PV_GRAIN_FARTHEST * 65536;
    return x >= -most && x <= most;
}

static bool is_empty_slot(const pv__grains *g, int i) {
    return g->x[i] == 0 && g->dx[i] == 0 && g->dy[i] == 0 && g->color[i] == 0 && g->born[i] == 0;
}

/// Tells whether a grain is in range. If it holds a pixel it is in the area; at rest it is still.
static bool is_good_grain(const pv__grains *g, int i, bool moves, bool claims) {
    if (!is_in_span(g, i) || !is_coordinate(g->x[i]) || !is_coordinate(g->y[i])) return false;
    if (!is_motion(g->dx[i]) || !is_motion(g->dy[i])) return false;
    if (!moves && (g->dx[i] != 0 || g->dy[i] != 0 || g->now.down < 0)) return false;
    return (moves && !claims) || pv__area_has(pv__grain_pixel(g->x[i]), pv__grain_pixel(g->y[i]));
}

/// Checks a word of slots, and adds to the number of its grains and of those that move.
static bool check_slots(const pv__grains *g, int first, int *grains, int *moving) {
    uint64_t moves = g->moving[first >> 6], claims = g->claims[first >> 6], living = 0;
    for (int i = 0; i < 64 && first + i < g->used; i++) {
        bool lives = pv__ring_lives(g, (uint32_t)(first + i));
        living |= (uint64_t)lives << i;
        if (lives ? !is_good_grain(g, first + i, moves >> i & 1, claims >> i & 1)
                  : !is_empty_slot(g, first + i))
            return false;
    }
    *grains += __builtin_popcountll(living);
    *moving += __builtin_popcountll(moves);
    return !(moves & ~living) && !(claims & ~moves);
}

static bool check_ring(const pv__grains *g) {
    int grains = 0, moving = 0;
    bool good = has_good_slots(g) && (g->used == 0 || g->dt > 0);
    for (int i = 0; good && i < g->used; i += 64) good = check_slots(g, i, &grains, &moving);
    return good && grains == g->stats.grains && moving == g->stats.moving;
}

static bool check_sinks(const pv__grains *g) {
    bool good = g->sink_count <= PV__GRAIN_SINKS;
    for (int i = 0; good && i < g->sink_count; i++) {
        const pv_grain_sink *s = &g->sinks[i].sink;
        good = s->sensor.index != 0 || (s->box.min.x < s->box.max.x && s->box.min.y < s->box.max.y);
    }
    return good;
}

static bool is_population(const pv_world *world, const void *row) {
    const pv__grains *g = row;
    bool good = (g->dt == 0 || g->dt >= PV__LEAST_STEP) && (g->def.piles || g->now.down < 0);
    for (int i = 0; good && i < world->bodies.count; i++) good = pv__placeable(g->bodies[i].center);
    return good && check_ring(g) && check_sinks(g);
}

/* ---- hash ---- */

static void hash_name(uint64_t *h, uint32_t index, uint32_t generation) {
    pv__hash_word(h, (uint64_t)index << 32 | generation);
}

/// Hashes a column in four sums side by side. Slots after the last one in use are empty.
static void hash_column(uint64_t *h, const uint32_t *column, int count) {
    uint64_t sums[4] = {*h, *h + 1, *h + 2, *h + 3};
    for (int i = 0; i < count; i += 8)
        for (int k = 0; k < 4; k++)
            pv__hash_word(&sums[k], column[i + 2 * k] | (uint64_t)column[i + 2 * k + 1] << 32);
    for (int k = 0; k < 4; k++) pv__hash_word(h, sums[k]);
}

static void hash_columns(uint64_t *h, const pv__grains *g) {
    const void *const columns[] = {g->x, g->y, g->dx, g->dy, g->born};
    for (int i = 0; i < PV__COUNT_OF(columns); i++) hash_column(h, columns[i], g->used);
    for (int i = 0; i < (g->used + 63) / 64; i++) {
        pv__hash_word(h, g->moving[i]);
        pv__hash_word(h, g->claims[i]);
    }
}

/// Hashes what a population last saw of a body, if a later step uses it.
static void hash_sight(uint64_t *h, const pv_world *world, const pv__grains *g, int index) {
    unsigned sight = pv__grain_bodies_sight(world, g, index);
    const pv__grain_body *seen = &g->bodies[index];
    if (!sight) return;
    hash_name(h, (uint32_t)index, sight);
    if (!(sight & PV__SIGHT_MOVED)) return;
    pv__hash_vec(h, seen->center);
    pv__hash_vec(h, pv__vec(seen->turn.c, seen->turn.s));
}

static void hash_population(uint64_t *h, const pv_world *world, const void *row) {
    const pv__grains *g = row;
    pv__fields_hash(h, g, PV__TABLE(population_fields));
    for (int i = 0; i < PV__GRAIN_LOOK; i++)
        hash_name(h, (uint32_t)g->now.drops[0][i + 1], (uint32_t)g->now.drops[1][i + 1]);
    hash_name(h, (uint32_t)g->used, (uint32_t)g->oldest);
    pv__hash_word(h, (uint64_t)g->span);
    hash_columns(h, g);
    for (int i = 0; i < g->sink_count; i++) {
        const pv_grain_sink *s = &g->sinks[i].sink;
        hash_name(h, s->sensor.index, s->sensor.generation);
        if (s->sensor.index != 0) continue;
        pv__hash_vec(h, s->box.min);
        pv__hash_vec(h, s->box.max);
    }
    for (int i = 0; i < world->bodies.count && i < g->body_capacity; i++)
        hash_sight(h, world, g, i);
}

/* ---- all populations ---- */

static const pv__field_pool populations =
    PV__POOL(grains.pool, grains.items, pv__grains, PV__TABLE(population_fields), tape_population,
             is_population, hash_population);

void pv__stream_grains(pv__stream *t, pv_world *world) {
    pv__fields_tape_pool(t, world, &populations);
    if (!t->reads || t->broken) return;
    t->broken = !pv__fields_are_pool(world, &populations);
    for (int i = 0; i < world->grains.pool.count && !t->broken; i++) {
        pv__grains *g = &world->grains.items[i];
        if (pv__slot_lives(&g->slot)) open_population(t, world, g);
    }
}

void pv__hash_grains(uint64_t *h, const pv_world *world) {
    pv__fields_hash_pool(h, world, &populations);
}
