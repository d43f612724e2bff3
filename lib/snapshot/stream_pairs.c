/* stream_pairs.c - transfers contacts and other state of pairs of bodies.
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
#include "snapshot/fields.h"

/* ---- contacts of pixels ---- */

/// Fields of a point of a contact, if it has that many
#define POINT_OF(k)                                                                                \
    PV__WHEN(pv__contact, count, (k) + 1),                                                         \
        PV__DOUBLES(pv__contact, points[k].place, 0, PV__RANGE_FINITE),                            \
        PV__DOUBLES(pv__contact, points[k].impulse_n, PV__HASH, PV__RANGE_FINITE),                 \
        PV__DOUBLES(pv__contact, points[k].impulse_t, PV__HASH, PV__RANGE_FINITE)
static const pv__field_row contact_fields[] = {
    PV__INDEX(BODY, pv__contact, a, PV__PART(32), 0),
    PV__INDEX(BODY, pv__contact, b, PV__HASH, 0),
    PV__DOUBLES(pv__contact, gap, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__contact, push, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__contact, roll_impulse, PV__HASH, PV__RANGE_FINITE),
    PV__INTS(pv__contact, count, PV__PART(1), 0, 2),
    PV__FLAG(pv__contact, overlapped, PV__HASH),
    PV__DOUBLES(pv__contact, normal, PV__HASH, -1.01, 1.01),
    PV__FLAG(pv__contact, stopped, 0),
    PV__FLAG(pv__contact, bounces, 0),
    PV__FLAG(pv__contact, fresh, 0),
    PV__DOUBLES(pv__contact, point, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__contact, fraction, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__contact, drift, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__contact, roll_mass, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__contact, approach, 0, PV__RANGE_FINITE),
    PV__WORD(pv__contact, overlap, 0, DBL_MAX),
    POINT_OF(0),
    POINT_OF(1),
};
static const pv__field_row passing_fields[] = {
    PV__INDEX(BODY, pv__passing, pair.a, PV__PART(32), 0),
    PV__INDEX(BODY, pv__passing, pair.b, PV__HASH, 0),
    PV__FOURS(pv__passing, generation_a, PV__PART(32)),
    PV__FOURS(pv__passing, generation_b, PV__HASH),
    PV__WORD(pv__passing, step, PV__PART(1), DBL_MAX),
    PV__FLAG(pv__passing, until_apart, PV__HASH),
};

static const pv__field_row lists[] = {
    PV__LIST(pv_world, bitmaps.contacts, bitmaps.contact_capacity, bitmaps.contact_count,
             pv__contact, contact_fields, PV__HASH),
    PV__LIST(pv_world, manifolds.passing, manifolds.passing_capacity, manifolds.passing_count,
             pv__passing, passing_fields, PV__HASH),
};

/// Checks a pixel contact. An event names its bodies, and a push follows its normal. A world with
/// contour contacts has none, because there the lists of contacts lead to manifolds.
static bool is_contact(const pv_world *world, const pv__contact *c) {
    return world->def.contact_mode == PV_CONTACT_MODE_PIXELS && c->a < c->b &&
           pv__dot(c->normal, c->normal) < 1.02 && pv__body_is_alive(&world->bodies.items[c->a]) &&
           pv__body_is_alive(&world->bodies.items[c->b]);
}

void pv__stream_contacts(pv__stream *t, pv_world *world) {
    const pv__manifolds *m = &world->manifolds;
    const pv__bitmap_contacts *all = &world->bitmaps;
    pv__fields_tape(t, world, world, PV__TABLE(lists));
    for (int i = 0; t->reads && !t->broken && i < all->contact_count; i++)
        t->broken |= !is_contact(world, &all->contacts[i]);
    for (int i = 0; t->reads && i < m->passing_count; i++)
        t->broken |= m->passing[i].pair.a >= m->passing[i].pair.b;
}

/* ---- manifolds ---- */

/// Numbers of words in a manifold after its pair: generations and kind, then numbers. NUMBERS and
/// POINT count the words of a point, without and with its tail
enum { STREAM_PAIRS_HEAD = 2, KNOWN = 8, NUMBERS = 9, POINT = NUMBERS + 1 };

/// Bits of the optional parts of a point.
enum { SLIDES = 1, ROUND = 2, STREAM_PAIRS_ROLLS = 4 };

/// Returns the key of a point, with the bits of its optional parts above it.
PV__INLINE uint64_t tail_of(const pv__contact_point *p) {
    static const double none[2];
    uint64_t parts = (p->slides ? SLIDES : 0) |
                     (pv__stream_differ(&p->radius_a, none, 16) ? ROUND : 0) |
                     (pv__stream_differ(&p->impulse_roll, none, 8) ? STREAM_PAIRS_ROLLS : 0);
    return (uint32_t)p->key | parts << 32;
}

PV__INLINE void set_tail(pv__stream *t, pv__contact_point *p, uint64_t tail) {
    t->broken |= tail >> 32 > (SLIDES | ROUND | STREAM_PAIRS_ROLLS);
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
            pv__stream_move(t->reads, at + i * POINT * 8, PV__FROM(pv__contact_point, p, anchor_a),
                            8, NUMBERS);
            pv__stream_move(t->reads, at + (i * POINT + NUMBERS) * 8, &tail[i], 8, 1);
        }
        if (t->reads) set_tail(t, p, tail[i]);
        all |= tail[i] >> 32;
    }
    if (!(all & (ROUND | STREAM_PAIRS_ROLLS))) return;
    for (int i = 0; i < m->count; i++) {
        pv__contact_point *p = &m->points[i];
        if (tail[i] >> 32 & ROUND)
            pv__stream_numbers(t, PV__FROM(pv__contact_point, p, radius_a), 2);
        if (tail[i] >> 32 & STREAM_PAIRS_ROLLS) pv__stream_double(t, &p->impulse_roll);
    }
}

static const pv__field_row manifold_flags[] = {
    PV__FLAG(pv__manifold, made, 0),
    PV__FLAG(pv__manifold, touches, 0),
    PV__FLAG(pv__manifold, passes, 0),
    PV__FLAG(pv__manifold, until_apart, 0),
};

PV__INLINE uint64_t stream_pairs_kind_of(const pv__manifold *m) {
    return pv__fields_flags_of(m, PV__TABLE(manifold_flags)) | (uint64_t)m->count << 4;
}

/// Sets the flags and the number of points, which is in range.
PV__INLINE void stream_pairs_set_kind(pv__stream *t, pv__manifold *m, uint64_t kind) {
    t->broken |= kind >> 4 > PV__MANIFOLD_POINTS;
    pv__fields_set_flags(m, PV__TABLE(manifold_flags), kind);
    m->count = t->broken ? 0 : (int)(kind >> 4);
}

/// Transfers the pair of a slot. A free slot has no pair, and the next free slot in b.
PV__INLINE void tape_pair(pv__stream *t, int bodies, pv__manifold *m) {
    uint64_t pair = t->reads ? 0 : (uint32_t)m->a | (uint64_t)(uint32_t)m->b << 32;
    pv__stream_u64(t, &pair);
    if (!t->reads) return;
    m->a = (int)(uint32_t)pair;
    m->b = (int)(uint32_t)(pair >> 32);
    bool good = m->a < 0 ? m->a == -1 && m->b >= -1 && m->b <= PV__STREAM_MOST
                         : m->a < m->b && m->b < bodies;
    if (!good) m->a = m->b = -1;
    t->broken |= !good;
}

/// Transfers a manifold. When it is read, it takes a block if it needs one.
PV__INLINE void tape_manifold(pv__stream *t, const pv_world *world, pv__manifold *m) {
    tape_pair(t, world->bodies.count, m);
    if (m->a < 0) return;
    uint64_t head[STREAM_PAIRS_HEAD] = {0};
    if (!t->reads)
        head[0] = m->generation_a | (uint64_t)m->generation_b << 32,
        head[1] = stream_pairs_kind_of(m);
    pv__stream_words(t, head, STREAM_PAIRS_HEAD);
    pv__stream_numbers(t, PV__FROM(pv__manifold, m, foreseen), KNOWN);
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

static void tape_counts(pv__stream *t, pv__manifold_counts *c) {
    pv__stream_int(t, &c->slots, 0, PV__STREAM_MOST);
    pv__stream_int(t, &c->free, -1, c->slots - 1);
    pv__stream_int(t, &c->active, 0, c->slots);
}

static pv__manifold_counts counts_of(const pv_world *world) {
    const pv__manifolds *all = &world->manifolds;
    return (pv__manifold_counts){all->count, all->free, all->active_count, 0};
}

/// Prefetches the points beside a slot.
static inline void fetch_points(const pv_world *world, int slot) {
    size_t size = PV__MANIFOLD_NEAR * sizeof(pv__contact_point);
    pv__stream_fetch((uintptr_t)world->manifolds.points + (size_t)slot * size, size);
}

/// Transfers all slots. When reading, before is the number of slots that are replaced. Tells
/// whether each slot keeps its pair.
PV__INLINE bool tape_slots(pv__stream *t, pv_world *world, bool reads, int before) {
    /* A local copy lets the compiler keep the stream in registers. */
    pv__stream own = *t;
    /* A constant flag gives reading and writing a loop each. */
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
    pv__manifold_counts c = counts_of(world);
    tape_counts(t, &c);
    tape_slots(t, world, false, 0);
    for (int i = 0; i < c.active; i++) pv__stream_int(t, &world->manifolds.active[i], 0, c.slots);
}

/* ---- changes ---- */

/// Returns the number of bytes of the manifold that is next in the base, or any number if none is.
PV__INLINE size_t bytes_at(const unsigned char *at, size_t left) {
    enum { KIND = 16, FIRST = (1 + STREAM_PAIRS_HEAD + KNOWN) * 8, PARTS = 4 };
    if (left < FIRST || at[3] >> 7) return 8;
    size_t end = FIRST + (size_t)(at[KIND] >> 4) * POINT * 8, size = end;
    for (size_t i = FIRST + POINT * 8; i <= end && end <= left; i += POINT * 8)
        size += (at[i - PARTS] & ROUND ? 16 : 0) + (at[i - PARTS] & STREAM_PAIRS_ROLLS ? 8 : 0);
    return size;
}

/// Adds the list of active pairs, a record at a time.
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
    pv__manifold_counts counts = counts_of(world);
    pv__stream head = pv__changes_record(c);
    tape_counts(&head, &counts);
    pv__changes_add(c, head.used, head.used);
    /* The next record begins at a compared word, so a change of eight bytes changes one word. */
    pv__changes_compare(c, true);
    for (int i = 0; i < counts.slots; i++) {
        pv__stream t = pv__changes_record(c);
        fetch_points(world, i + 8);
        tape_manifold(&t, world, &world->manifolds.items[i]);
        pv__changes_add(c, t.used, bytes_at(c->base + c->run, c->left - c->run));
    }
    add_active(c, world);
}

/* ---- validation ---- */

/// Tells whether a contact point is in range. The next step begins with its impulses, which have to
/// keep speeds finite.
PV__INLINE bool is_press(const pv_world *world, const pv__manifold *m, const pv__contact_point *p) {
    double w =
        pv__max(world->bodies.items[m->a].inverse_mass, world->bodies.items[m->b].inverse_mass);
    return pv__placeable(p->anchor_a) && pv__placeable(p->anchor_b) &&
           pv__dot(p->normal, p->normal) < 1.02 && pv__finite(p->gap) &&
           pv__within(p->impulse_n * w, PV__RANGE_KICK) &&
           pv__within(p->impulse_t * w, PV__RANGE_KICK);
}

/// Tells whether a manifold of existing bodies is in range and consistent. If a body was destroyed
/// since the last step, its generation differs, and the next step removes the manifold. None
/// touches in a world with pixel contacts, where the lists of contacts lead to those.
static bool is_manifold(const pv_world *world, const pv__manifold *m) {
    bool good = m->generation_a & m->generation_b & 1 &&
                !(m->touches && world->def.contact_mode == PV_CONTACT_MODE_PIXELS);
    for (int i = 0; good && i < m->count; i++) good = is_press(world, m, &m->points[i]);
    return good;
}

/// Tells whether the list of free manifolds ends and has only free slots.
static bool has_free_list(const pv_world *world) {
    int at = world->manifolds.free;
    for (int i = 0; i <= world->manifolds.count && at >= 0; i++) {
        if (at >= world->manifolds.count || world->manifolds.items[at].a >= 0) return false;
        at = world->manifolds.items[at].b;
    }
    return at < 0;
}

/// Clears an invalid list of free or of active manifolds.
static void mend_slots(pv_world *world) {
    if (!has_free_list(world)) world->manifolds.free = -1;
    for (int i = 0; i < world->manifolds.active_count; i++)
        if (world->manifolds.items[world->manifolds.active[i]].a < 0)
            world->manifolds.active_count = 0;
}

void pv__stream_check_manifolds(pv__stream *t, const pv_world *world, pv__manifold_counts *counts) {
    pv__contact_point points[PV__MANIFOLD_POINTS] = {0};
    pv__manifold m = {.wide = true, .points = points};
    *counts = (pv__manifold_counts){0};
    tape_counts(t, counts);
    pv__stream_holds(t, counts->slots, 8);
    pv__stream own = *t;
    own.reads = true;
    for (int i = 0; i < counts->slots && !own.broken; i++) {
        tape_manifold(&own, world, &m);
        if (m.a < 0) continue;
        own.broken |= !is_manifold(world, &m);
        counts->wide += m.count > PV__MANIFOLD_NEAR;
    }
    *t = own;
    for (int i = 0, slot = 0; i < counts->active && !t->broken; i++)
        pv__stream_int(t, &slot, 0, counts->slots - 1);
}

void pv__stream_read_manifolds(pv__stream *t, pv_world *world) {
    pv__manifold_counts c = {0};
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
    mend_slots(world);
}

/* ---- hash ---- */

static void hash_manifold(uint64_t *h, const pv__manifold *m) {
    pv__hash_word(h, (uint64_t)m->a << 32 | (uint64_t)m->b);
    pv__hash_word(h, (uint64_t)m->count << 1 | m->made);
    pv__hash_vec(h, pv__vec(m->clearance, m->foreseen));
    pv__hash_vec(h, m->apart);
    pv__hash_vec(h, pv__vec(m->turn_a.c, m->turn_a.s));
    pv__hash_vec(h, pv__vec(m->turn_b.c, m->turn_b.s));
    for (int i = 0; i < m->count; i++) {
        const pv__contact_point *p = &m->points[i];
        pv__hash_vec(h, p->anchor_a);
        pv__hash_vec(h, p->anchor_b);
        pv__hash_vec(h, p->normal);
        pv__hash_vec(h, pv__vec(p->radius_a, p->radius_b));
        pv__hash_vec(h, pv__vec(p->impulse_n, p->impulse_t));
        pv__hash_double(h, p->impulse_roll);
        pv__hash_word(h, (uint64_t)p->key << 1 | p->slides);
    }
}

void pv__hash_pairs(uint64_t *h, const pv_world *world) {
    const pv__manifolds *all = &world->manifolds;
    pv__fields_hash(h, world, lists, 1);
    for (int i = 0; i < all->count; i++) {
        const pv__manifold *m = &all->items[i];
        if (m->a < 0) continue;
        hash_manifold(h, m);
        if (all->presolved) pv__hash_word(h, (uint64_t)m->touches << 1 | m->until_apart);
    }
    pv__fields_hash(h, world, lists + 1, 1);
}
