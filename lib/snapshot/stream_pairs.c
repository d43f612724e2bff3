/* stream_pairs.c - contacts and other state of pairs of bodies as bytes.
 *
 * Invariant: manifolds are the largest part of a world and are read twice. The first pass checks
 * them. The second one cannot fail, and reuses the warm memory of the manifolds that it replaces.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/contact_points.h"
#include "collide/manifold.h"
#include "pixel/kernel.h"
#include "snapshot/changes.h"
#include "snapshot/stream.h"

/* ---- contacts of pixels ---- */

static void tape_point(pv__stream *t, pv__point *p) {
    pv__stream_vec(t, &p->place);
    pv__stream_double(t, &p->impulse_n);
    pv__stream_double(t, &p->impulse_t);
}

static void tape_contact(pv__stream *t, const pv_world *world, pv__contact *c) {
    bool *const flags[] = {&c->overlapped, &c->stopped, &c->bounces, &c->fresh};
    double *const numbers[] = {&c->push,         &c->fraction,  &c->gap,     &c->drift,
                               &c->roll_impulse, &c->roll_mass, &c->approach};
    uint64_t overlap = (uint64_t)c->overlap;
    pv__stream_int(t, &c->a, 0, world->bodies.count - 1);
    pv__stream_int(t, &c->b, c->a + 1, world->bodies.count - 1);
    pv__stream_flags(t, flags, 4);
    pv__stream_vec(t, &c->point);
    pv__stream_vec(t, &c->normal);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) pv__stream_double(t, numbers[i]);
    pv__stream_u64(t, &overlap);
    c->overlap = (int64_t)overlap;
    pv__stream_int(t, &c->count, 0, 2);
    for (int i = 0; i < c->count; i++) tape_point(t, &c->points[i]);
}

static bool tape_touches(pv__stream *t, pv_world *world) {
    if (!pv__stream_count(t, &world->def.allocator, &world->bitmaps.contacts,
                          &world->bitmaps.contact_capacity, &world->bitmaps.contact_count,
                          sizeof(pv__contact), 64))
        return false;
    for (int i = 0; i < world->bitmaps.contact_count; i++) {
        if (t->reads) world->bitmaps.contacts[i] = (pv__contact){0};
        tape_contact(t, world, &world->bitmaps.contacts[i]);
    }
    return !t->broken;
}

static bool tape_passing(pv__stream *t, pv_world *world) {
    if (!pv__stream_count(t, &world->def.allocator, &world->manifolds.passing,
                          &world->manifolds.passing_capacity, &world->manifolds.passing_count,
                          sizeof(pv__passing), 16))
        return false;
    for (int i = 0; i < world->manifolds.passing_count; i++) {
        pv__passing *p = &world->manifolds.passing[i];
        bool *const flags[] = {&p->until_apart};
        pv__stream_int(t, &p->pair.a, 0, world->bodies.count - 1);
        pv__stream_int(t, &p->pair.b, p->pair.a + 1, world->bodies.count - 1);
        pv__stream_u32(t, &p->generation_a);
        pv__stream_u32(t, &p->generation_b);
        pv__stream_u64(t, &p->step);
        pv__stream_flags(t, flags, 1);
    }
    return !t->broken;
}

bool pv__stream_contacts(pv__stream *t, pv_world *world) {
    return tape_touches(t, world) && tape_passing(t, world);
}

/* ---- manifolds ---- */

/// Numbers of words of a manifold after its pair: ids and numbers. NUMBERS and POINT count the
/// words of a point, without and with its tail.
enum { STREAM_PAIRS_HEAD = 2, KNOWN = 8, NUMBERS = 9, POINT = NUMBERS + 1 };

/// Bits of the optional parts of a point, and the first value above them.
enum { SLIDES = 1, ROUND = 2, STREAM_PAIRS_ROLLS = 4, STREAM_PAIRS_PARTS = 8 };

/// Returns the key of a point, with the bits of its optional parts above it.
PV__INLINE uint64_t tail_of(const pv__contact_point *p) {
    uint64_t round = pv__stream_some(p->radius_a) || pv__stream_some(p->radius_b);
    uint64_t parts = (p->slides ? SLIDES : 0) | (round ? ROUND : 0) |
                     (pv__stream_some(p->impulse_roll) ? STREAM_PAIRS_ROLLS : 0);
    return (uint32_t)p->key | parts << 32;
}

PV__INLINE void set_tail(pv__stream *t, pv__contact_point *p, uint64_t tail) {
    t->broken |= tail >> 32 >= STREAM_PAIRS_PARTS;
    p->radius_a = p->radius_b = p->impulse_roll = 0;
    p->key = (int)(uint32_t)tail;
    p->slides = tail >> 32 & SLIDES;
}

/// Transfers all points: numbers, tails and then the optional parts.
PV__INLINE void tape_points(pv__stream *t, pv__manifold *m) {
    unsigned char *at = pv__stream_take(t, (size_t)m->count * POINT * 8);
    uint64_t tail[PV__MANIFOLD_POINTS] = {0}, all = 0;
    if (t->reads && !at) m->count = 0;
    for (int i = 0; i < m->count; i++) {
        pv__contact_point *p = &m->points[i];
        if (!t->reads) tail[i] = tail_of(p);
        if (at) {
            pv__stream_move(t->reads, at + i * POINT * 8, &p->anchor_a, NUMBERS);
            pv__stream_move(t->reads, at + (i * POINT + NUMBERS) * 8, &tail[i], 1);
        }
        if (t->reads) set_tail(t, p, tail[i]);
        all |= tail[i] >> 32;
    }
    if (!(all & (ROUND | STREAM_PAIRS_ROLLS))) return;
    for (int i = 0; i < m->count; i++) {
        pv__contact_point *p = &m->points[i];
        if (tail[i] >> 32 & ROUND) PV__TAPE_SPAN(t, pv__contact_point, p, radius_a, radius_b);
        if (tail[i] >> 32 & STREAM_PAIRS_ROLLS) pv__stream_double(t, &p->impulse_roll);
    }
}

PV__INLINE uint64_t stream_pairs_kind_of(const pv__manifold *m) {
    return (uint64_t)m->made | (uint64_t)m->touches << 1 | (uint64_t)m->passes << 2 |
           (uint64_t)m->until_apart << 3 | (uint64_t)m->count << 4;
}

/// Sets the flags and the number of points, which is in range.
PV__INLINE void stream_pairs_set_kind(pv__stream *t, pv__manifold *m, uint64_t kind) {
    t->broken |= kind >> 4 > PV__MANIFOLD_POINTS;
    m->made = kind & 1;
    m->touches = kind >> 1 & 1;
    m->passes = kind >> 2 & 1;
    m->until_apart = kind >> 3 & 1;
    m->count = t->broken ? 0 : (int)(kind >> 4);
}

/// Transfers the pair of a slot. A free slot has no pair, and the next free slot in b.
PV__INLINE void tape_pair(pv__stream *t, int bodies, pv__manifold *m) {
    uint64_t pair = t->reads ? 0 : (uint32_t)m->a | (uint64_t)(uint32_t)m->b << 32;
    pv__stream_u64(t, &pair);
    if (!t->reads) return;
    m->a = (int)(uint32_t)pair;
    m->b = (int)(uint32_t)(pair >> 32);
    bool good =
        m->a < 0 ? m->a == -1 && m->b >= -1 && m->b <= 1 << 28 : m->a < m->b && m->b < bodies;
    if (!good) m->a = m->b = -1;
    t->broken |= !good;
}

/// Transfers a manifold; a read one takes a block if it needs one.
PV__INLINE void tape_manifold(pv__stream *t, const pv_world *world, pv__manifold *m) {
    tape_pair(t, world->bodies.count, m);
    if (m->a < 0) return;
    uint64_t head[STREAM_PAIRS_HEAD] = {0};
    if (!t->reads)
        head[0] = m->generation_a | (uint64_t)m->generation_b << 32,
        head[1] = stream_pairs_kind_of(m);
    pv__stream_words(t, head, STREAM_PAIRS_HEAD);
    PV__TAPE_SPAN(t, pv__manifold, m, foreseen, turn_b);
    if (t->reads) {
        m->generation_a = (uint32_t)head[0];
        m->generation_b = (uint32_t)(head[0] >> 32);
        stream_pairs_set_kind(t, m, head[1]);
        if (!pv__contact_points_fit(world, m, m->count)) m->count = 0; /* reserved: never */
    }
    /* A pair without the flag has never been tested. */
    if (m->made) {
        pv__stream_check_turn(t, &m->turn_a);
        pv__stream_check_turn(t, &m->turn_b);
    }
    tape_points(t, m);
}

/// Numbers of slots and of active pairs, and the first free slot.
typedef struct stream_pairs_counts {
    int slots, free, active;
} stream_pairs_counts;

static void tape_counts(pv__stream *t, stream_pairs_counts *c) {
    pv__stream_int(t, &c->slots, 0, 1 << 27);
    pv__stream_int(t, &c->free, -1, c->slots - 1);
    pv__stream_int(t, &c->active, 0, c->slots);
}

static stream_pairs_counts counts_of(const pv_world *world) {
    return (stream_pairs_counts){world->manifolds.count, world->manifolds.free,
                                 world->manifolds.active_count};
}

/// Prefetches the points beside a slot.
static inline void fetch_points(const pv_world *world, int slot) {
    if (slot >= world->manifolds.count) return;
    const char *points = (const char *)&world->manifolds.points[slot * PV__MANIFOLD_NEAR];
#pragma GCC unroll 8
    for (size_t i = 0; i < 2 * sizeof(pv__contact_point); i += 64) __builtin_prefetch(points + i);
}

/// Transfers all slots; before is the number of slots that a read replaces. Tells whether each slot
/// keeps its pair.
PV__INLINE bool tape_slots(pv__stream *t, pv_world *world, bool reads, int before) {
    /* A local copy lets the compiler keep the stream in registers. */
    pv__stream own = *t;
    /* A constant flag gives a loop of its own to reading and to writing. */
    own.reads = own.checked = reads;
    bool same = before == world->manifolds.count;
    for (int i = 0; i < world->manifolds.count; i++) {
        pv__manifold *m = &world->manifolds.items[i];
        pv__pair was = reads && i < before ? (pv__pair){m->a, m->b} : (pv__pair){-1, -1};
        fetch_points(world, i + 8);
        if (reads && i >= before) m->wide = false;
        if (reads) pv__manifold_clear(world, i, -1, -1);
        tape_manifold(&own, world, m);
        same &= m->a == was.a && (m->a < 0 || m->b == was.b);
    }
    *t = own;
    return same;
}

void pv__stream_write_manifolds(pv__stream *t, pv_world *world) {
    stream_pairs_counts c = counts_of(world);
    tape_counts(t, &c);
    tape_slots(t, world, false, 0);
    for (int i = 0; i < c.active; i++) pv__stream_int(t, &world->manifolds.active[i], 0, c.slots);
}

/* ---- changes ---- */

/// Returns the bits of the optional parts of a point.
PV__INLINE uint64_t stream_pairs_tail_at(unsigned char *points, size_t i) {
    uint64_t tail;
    pv__stream_move(true, points + (i * POINT + NUMBERS) * 8, &tail, 1);
    return tail >> 32;
}

/// Returns the bytes of a manifold that is next in the base, or of any other number.
static size_t bytes_of(const pv__changes *c) {
    enum { FIRST = (1 + STREAM_PAIRS_HEAD + KNOWN) * 8 };
    uint64_t words[1 + STREAM_PAIRS_HEAD], all = 0;
    pv__stream rest = pv__changes_rest(c);
    if (rest.left < FIRST) return 8;
    unsigned char *at = rest.at;
    pv__stream_move(true, at, words, 1 + STREAM_PAIRS_HEAD);
    size_t count = (size_t)(words[2] >> 4), bytes = FIRST + count * POINT * 8;
    if (words[0] >> 31 & 1) return 8;
    if (count > PV__MANIFOLD_POINTS || bytes > rest.left) return rest.left;
    for (size_t i = 0; i < count; i++) all |= stream_pairs_tail_at(at + FIRST, i);
    if (!(all & (ROUND | STREAM_PAIRS_ROLLS))) return bytes;
    for (size_t i = 0; i < count; i++) {
        uint64_t parts = stream_pairs_tail_at(at + FIRST, i);
        bytes += (parts & ROUND ? 16 : 0) + (parts & STREAM_PAIRS_ROLLS ? 8 : 0);
    }
    return bytes;
}

/// Adds the list of active pairs, some at a time.
static void add_active(pv__changes *c, const pv_world *world) {
    enum { EACH = PV__CHANGES_RECORD / 4 };
    for (int i = 0; i < world->manifolds.active_count; i += EACH) {
        int count = world->manifolds.active_count - i;
        pv__stream t = pv__changes_record(c);
        pv__stream_halves(&t, world->manifolds.active + i, count < EACH ? count : EACH);
        pv__changes_add(c, t.used, t.used);
    }
}

void pv__stream_manifolds_changes(pv__changes *c, const pv_world *world) {
    stream_pairs_counts counts = counts_of(world);
    pv__stream head = pv__changes_record(c);
    tape_counts(&head, &counts);
    pv__changes_add(c, head.used, head.used);
    pv__changes_align(c);
    for (int i = 0; i < counts.slots; i++) {
        pv__stream t = pv__changes_record(c);
        fetch_points(world, i + 8);
        tape_manifold(&t, world, &world->manifolds.items[i]);
        pv__changes_add(c, t.used, bytes_of(c));
    }
    add_active(c, world);
}

/* ---- validation ---- */

/// Checks all members of a manifold; wide counts those that need a block.
static bool check_slowly(pv__stream *t, const pv_world *world, int *wide) {
    pv__contact_point points[PV__MANIFOLD_POINTS] = {0};
    pv__manifold m = {.wide = true, .points = points};
    tape_manifold(t, world, &m);
    t->broken |= !t->broken && m.a >= 0 && !pv__validate_manifold(world, &m);
    *wide += m.count > PV__MANIFOLD_NEAR;
    return !t->broken;
}

/// Exponent of 2^24, and the greatest inverse mass for the quick test. An impulse below 2^24 then
/// gives a speed in range.
static const uint64_t STREAM_PAIRS_LARGE = UINT64_C(0x417) << 52;
static const double LIGHTEST = 0x1p15;

/// Tells whether numbers are below 2^24 in magnitude. A greater exponent overflows into the sign.
PV__INLINE bool are_small(unsigned char *at, int count) {
    pv__two seen = {0}, words;
    for (int i = 0; i < count; i += 2) {
        pv__stream_move(true, at + 8 * i, &words, 2);
        seen |= (words & UINT64_C(0x7ff0000000000000)) + ((UINT64_C(1) << 63) - STREAM_PAIRS_LARGE);
    }
    return !((seen[0] | seen[1]) >> 63);
}

PV__INLINE double square_at(unsigned char *at) {
    pv_vec2 v;
    pv__stream_move(true, at, &v, 2);
    return pv__dot(v, v);
}

/// Tells whether points pass the quick test: small numbers, and no optional parts except sliding.
PV__INLINE bool are_plain(unsigned char *at, int count) {
    bool good = true;
    for (int i = 0; i < count; i++, at += POINT * 8) {
        uint64_t tail;
        pv__stream_move(true, at + NUMBERS * 8, &tail, 1);
        good = good && are_small(at, POINT) && tail >> 32 <= SLIDES &&
               square_at(at + offsetof(pv__contact_point, normal)) < 1.02;
    }
    return good;
}

/// Skips a manifold that passes the quick test, as nearly all do. Returns false without a skip for
/// others.
PV__INLINE bool pass_plain(pv__stream *t, const pv_world *world, int *wide) {
    enum { TURNS = 1 + STREAM_PAIRS_HEAD + 4 };
    uint64_t words[1 + STREAM_PAIRS_HEAD];
    if (t->left < (1 + STREAM_PAIRS_HEAD + KNOWN) * 8) return false;
    pv__stream_move(true, t->at, words, 1 + STREAM_PAIRS_HEAD);
    uint32_t a = (uint32_t)words[0], b = (uint32_t)(words[0] >> 32);
    uint64_t made = words[2] & 1, count = words[2] >> 4;
    if (a >= b || b >= (uint32_t)world->bodies.count || !(words[1] & words[1] >> 32 & 1) || !made ||
        count > PV__MANIFOLD_POINTS ||
        t->left < (1 + STREAM_PAIRS_HEAD + KNOWN + count * POINT) * 8)
        return false;
    double turn_a = square_at(t->at + TURNS * 8), turn_b = square_at(t->at + (TURNS + 2) * 8);
    double w = pv__max(world->bodies.items[a].inverse_mass, world->bodies.items[b].inverse_mass);
    bool turned = turn_a > 0.99 && turn_a < 1.01 && turn_b > 0.99 && turn_b < 1.01;
    if (!(turned && w <= LIGHTEST && are_small(t->at + (1 + STREAM_PAIRS_HEAD) * 8, KNOWN) &&
          are_plain(t->at + (1 + STREAM_PAIRS_HEAD + KNOWN) * 8, (int)count)))
        return false;
    pv__stream_take(t, (1 + STREAM_PAIRS_HEAD + KNOWN + count * POINT) * 8);
    *wide += count > PV__MANIFOLD_NEAR;
    return true;
}

bool pv__stream_check_manifolds(pv__stream *t, const pv_world *world, pv__manifold_counts *counts) {
    stream_pairs_counts c = {0};
    int wide = 0;
    tape_counts(t, &c);
    t->broken |= (size_t)c.slots > t->left / 8;
    for (int i = 0; i < c.slots && !t->broken; i++)
        if (!pass_plain(t, world, &wide)) check_slowly(t, world, &wide);
    for (int i = 0, slot = 0; i < c.active && !t->broken; i++)
        pv__stream_int(t, &slot, 0, c.slots - 1);
    *counts = (pv__manifold_counts){c.slots, c.active, wide};
    return !t->broken;
}

void pv__stream_read_manifolds(pv__stream *t, pv_world *world) {
    stream_pairs_counts c = {0};
    int before = world->manifolds.count;
    tape_counts(t, &c);
    for (int i = c.slots; i < before; i++)
        pv__contact_points_end(world, &world->manifolds.items[i]);
    world->manifolds.count = c.slots;
    world->manifolds.free = c.free;
    if (!tape_slots(t, world, true, before)) pv__manifold_enter_all(world);
    world->manifolds.active_count = c.active;
    for (int i = 0; i < c.active; i++) {
        pv__stream_int(t, &world->manifolds.active[i], 0, c.slots - 1);
        world->manifolds.items[world->manifolds.active[i]].step = world->steps;
    }
    pv__validate_mend_slots(world);
}
