/* snapshot.c - saves a world's whole state to the caller's buffer, and restores it.
 *
 * Invariant: a restored world continues bit for bit like the saved one. A snapshot is read into a
 * second world, which takes the first one's place once it is complete. An invalid snapshot
 * therefore changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/snapshot.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/query_index.h"
#include "core/contact_list.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "core/world_lock.h"
#include "snapshot/changes.h"
#include "snapshot/fields.h"
#include "world/world.h"

/// "PVSNAP" and the version of the format.
#define MAGIC UINT64_C(0x00080050414e5356)
/// "PVCHNG" and the version of the format.
#define CHANGES_MAGIC UINT64_C(0x0002474e48435650)
/// Sizes [bytes] of magic, size and digest; of the list of sections at the end; and of the head of
/// changes: magic, size, digest, size and digest of the base, and size of the result
enum { SNAPSHOT_HEAD = 24, SNAPSHOT_TAIL = PV__SECTIONS * 8, CHANGES_HEAD = 48 };

/* ---- the world itself ---- */

/// Numbers of a world besides its definition. A step has at most 64 substeps; steps never overflow
static const pv__field_row rest_fields[] = {
    PV__DOUBLES(pv_world, dt, 0, PV__LEAST_STEP / 64, PV__MOST_STEP),
    PV__WORD(pv_world, steps, 0, 0x1p62),
    PV__FLAG(pv_world, manifolds.presolved, 0),
    PV__FLAG(pv_world, bodies.filtered, 0),
    PV__FLAG(pv_world, bodies.driven, 0),
    PV__FLAG(pv_world, manifolds.stale, 0),
    PV__FLAG(pv_world, bodies.sensing, 0),
    PV__FLAG(pv_world, solver.rested, 0),
    PV__FLAG(pv_world, solver.ordered, 0),
    PV__FLAG(pv_world, bodies.mapped, 0),
};

static void tape_def(pv__stream *t, const pv_world *world, pv_world_def *d) {
    pv__fields_tape(t, world, d, PV__TABLE(pv__world_fields));
    t->broken |= d->substeps == 0 || d->joint_iterations == 0; /* A world keeps no defaults. */
    pv__stream_flag(t, &d->enable_sleep);
}

/// Transfers what comes before the bodies. When reading, the flags and the definition are already
/// known.
static void tape_start(pv__stream *t, pv_world *world, bool pixels) {
    if (!t->reads) {
        pv__stream_flag(t, &pixels);
        tape_def(t, world, &world->def);
    }
    pv__fields_tape(t, world, world, PV__TABLE(rest_fields));
    pv__stream_masks(t, world, pixels);
}

static void tape_section(pv__stream *t, pv_world *world, bool pixels, pv__section section) {
    switch (section) {
    case PV__SECTION_START: tape_start(t, world, pixels); break;
    case PV__SECTION_BODIES: pv__stream_bodies(t, world); break;
    case PV__SECTION_EVENTS: pv__stream_events(t, world), pv__stream_contacts(t, world); break;
    case PV__SECTION_MATTER: pv__stream_matter(t, world); break;
    default: pv__stream_grains(t, world);
    }
}

/// Transfers everything except the manifolds, which come last. Sets the places of the sections.
static void tape_world(pv__stream *t, pv_world *world, bool pixels, uint64_t *places) {
    for (int i = 0; i < PV__SECTION_MANIFOLDS && !t->broken; i++) {
        places[i] = i == PV__SECTION_START ? SNAPSHOT_HEAD : t->used;
        tape_section(t, world, pixels, (pv__section)i);
    }
    places[PV__SECTION_MANIFOLDS] = t->used;
}

/// Checks that the rest of a stream lists the sections at the places where they were read.
static bool has_places(pv__stream *t, const uint64_t *places) {
    uint64_t told[PV__SECTIONS];
    t->broken |= t->left != SNAPSHOT_TAIL;
    pv__stream_words(t, told, PV__SECTIONS);
    return !t->broken && memcmp(told, places, sizeof told) == 0;
}

/* ---- the buffer ---- */

/// Two words side by side. Wider vectors do not stay in registers on every machine.
typedef uint64_t two __attribute__((vector_size(16)));

static inline two words_at(const unsigned char *bytes) {
    two words = {0};
    pv__stream t = pv__stream_reader(bytes, sizeof words);
    pv__stream_words(&t, &words, 2);
    return words;
}

/// Adds blocks of 64 bytes to the sums.
static void add_blocks(two sums[4], two sums_of_sums[4], const unsigned char *at, size_t blocks) {
    two a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    two e = sums_of_sums[0], f = sums_of_sums[1], g = sums_of_sums[2], h = sums_of_sums[3];
    for (; blocks > 0; blocks--, at += 64) {
        e += a += words_at(at);
        f += b += words_at(at + 16);
        g += c += words_at(at + 32);
        h += d += words_at(at + 48);
    }
    memcpy(sums, (two[]){a, b, c, d}, sizeof(two[4]));
    memcpy(sums_of_sums, (two[]){e, f, g, h}, sizeof(two[4]));
}

/// Computes sums of words and sums of these sums, eight side by side. Like Fletcher's sums they
/// detect any changed, missing or exchanged word, at memory speed.
static uint64_t digest_of(const unsigned char *bytes, size_t size) {
    two sums[4] = {{0}}, sums_of_sums[4] = {{0}};
    uint64_t h = size;
    unsigned char tail[64] = {0};
    memcpy(tail, bytes + size / 64 * 64, size % 64);
    add_blocks(sums, sums_of_sums, bytes, size / 64);
    add_blocks(sums, sums_of_sums, tail, 1);
    for (int i = 0; i < 8; i++) {
        h = (h ^ sums[i / 2][i % 2]) * UINT64_C(0x9e3779b97f4a7c15);
        h = (h ^ h >> 29 ^ sums_of_sums[i / 2][i % 2]) * UINT64_C(0xc2b2ae3d27d4eb4f);
        h ^= h >> 32;
    }
    return h;
}

static void seal_as(unsigned char *at, size_t size, uint64_t magic) {
    pv__stream head = {.at = at, .left = SNAPSHOT_HEAD};
    pv__stream_words(
        &head, (uint64_t[]){magic, size, digest_of(at + SNAPSHOT_HEAD, size - SNAPSHOT_HEAD)}, 3);
}

void pv__snapshot_seal(unsigned char *at, size_t size) { seal_as(at, size, MAGIC); }

void pv__snapshot_seal_changes(unsigned char *at, size_t size) { seal_as(at, size, CHANGES_MAGIC); }

/// Writes the whole world, or only counts its bytes if at is null. Returns the number of bytes.
static size_t write_all(pv_world *world, bool pixels, unsigned char *at, size_t left) {
    pv__stream t = {.at = at, .left = left};
    uint64_t places[PV__SECTIONS];
    pv__stream_take(&t, SNAPSHOT_HEAD);
    tape_world(&t, world, pixels, places);
    pv__stream_write_manifolds(&t, world);
    pv__stream_words(&t, places, PV__SECTIONS);
    if (at && !t.broken) pv__snapshot_seal(at, t.used);
    return t.used;
}

/// Prepares a save: gives masks and maps their indices, and marks the used ones.
static bool ready(pv_error *e, pv_world *world) {
    return pv__stream_mark_used(world, true) || pv__error_set(e, PV_ERROR_MEMORY) == PV_OK;
}

/// Ends a save: reports its number of bytes, which is 0 without memory. Refuses a small buffer.
static pv_status tell_size(pv_error *e, const pv_world *world, size_t used, size_t capacity,
                           size_t *size) {
    if (size) *size = used;
    if (used == 0) return pv__refuse_memory(world, e);
    if (used <= capacity) return PV_OK;
    pv__error_say(e, PV_ERROR_TOO_LARGE, "capacity", "capacity is %zu bytes, must be at least %zu",
                  capacity, used);
    return pv__refuse(world, e);
}

pv_status pv_world_save(pv_world *world, unsigned flags, void *buffer, size_t capacity,
                        size_t *size) {
    if (size) *size = 0;
    PV__BEGIN(pv__check_range(&e, "flags", flags, 0, PV_SNAPSHOT_PIXELS) && ready(&e, world) &&
              (size || pv__check_pointer(&e, "buffer", buffer)));
    size_t used = write_all(world, flags & PV_SNAPSHOT_PIXELS, buffer, capacity);
    if (buffer && used > capacity)
        used = write_all(world, flags & PV_SNAPSHOT_PIXELS, NULL, 0); /* It counts all bytes. */
    return tell_size(&e, world, used, buffer ? capacity : used, size);
}

/// Creates an empty world from the snapshot's definition. Breaks the stream if it cannot.
static pv_world *open_beside(pv__stream *t, const pv_world *world) {
    pv_world_def def = world->def;
    pv_error error = {.status = PV_OK};
    tape_def(t, world, &def);
    pv_world *fresh = t->broken ? NULL : pv_world_create(&def, &error);
    t->broken |= !fresh;
    t->starved |= t->broken && error.status == PV_ERROR_MEMORY;
    return fresh;
}

/// Returns a stream that begins after the head of a snapshot, and is broken if that is invalid.
static pv__stream open_tape(const void *buffer, size_t size, uint64_t kind) {
    pv__stream t = pv__stream_reader(buffer, size);
    uint64_t head[3];
    pv__stream_words(&t, head, 3);
    t.broken |= head[0] != kind || head[1] != size || digest_of(t.at, t.left) != head[2];
    return t;
}

/// Exchanges a growing array between two worlds.
#define EXCHANGE(part, items, capacity)                                                            \
    pv__swap(&a->part.items, &a->part.capacity, &b->part.items, &b->part.capacity)

/// Swaps the manifold slots, the grids, and arrays that are empty between steps, so that they need
/// not grow again. Most bodies keep their places in the grids.
static void keep_memory(pv_world *a, pv_world *b) {
    pv__manifolds *m = &b->manifolds;
    pv__exchange(&a->manifolds, m, offsetof(pv__manifolds, passing));
    m->was_active_count = m->schedule_count = m->update_count = 0;
    m->scheduled = false;
    pv__exchange(&a->broad_phase, &b->broad_phase, sizeof b->broad_phase);
    b->broad_phase.pair_count = b->broad_phase.enlarged_count = 0;
    b->broad_phase.crowded = b->broad_phase.held = false;
    EXCHANGE(bodies, awake, awake_capacity);
    pv__exchange(&a->solver, &b->solver, offsetof(pv__solver, member_count));
    EXCHANGE(solver, bodies, body_capacity);
    EXCHANGE(solver, states, state_capacity);
    EXCHANGE(squeeze, items, capacity);
}

/// Reserves memory in a world for the one that will take its place. Returns false without memory.
static bool reserve(pv_world *world, const pv_world *fresh, const pv__manifold_counts *counts) {
    int more = pv__later(fresh->bodies.count - world->bodies.count, 0),
        polygons =
            pv__later(fresh->matter.polygon_pool.count - world->matter.polygon_pool.count, 0);
    return pv__broad_phase_reserve(world, more) && pv__index_reserve(world, more, polygons) &&
           pv__world_reserve_by_body(world, &world->bodies.awake, &world->bodies.awake_capacity,
                                     fresh->bodies.count, sizeof(int)) &&
           pv__manifold_reserve(world, counts->slots, counts->wide, counts->active);
}

/// Reads everything except manifolds into a second world, and reserves memory for those in both.
static void read_beside(pv__stream *t, pv_world *world, pv_world *fresh, bool pixels) {
    pv__manifold_counts counts;
    uint64_t places[PV__SECTIONS];
    tape_world(t, fresh, pixels, places);
    pv__stream ahead = *t;
    pv__stream_check_manifolds(&ahead, fresh, &counts);
    t->broken |= !has_places(&ahead, places);
    if (!t->broken)
        pv__stream_got(t, reserve(world, fresh, &counts) &&
                              pv__events_reserve_meetings(fresh, counts.slots));
}

static pv_status refuse_field(pv_error *e, const pv_world *world, const char *field,
                              const char *what) {
    pv__error_say(e, PV_ERROR_FORMAT, field, "%s %s", field, what);
    return pv__refuse(world, e);
}

static pv_status refuse_snapshot(pv_error *e, const pv_world *world, const char *field,
                                 pv_status status) {
    if (status == PV_ERROR_FORMAT)
        return refuse_field(e, world, field, "holds no snapshot of this world and version");
    pv__error_set(e, status);
    return pv__refuse(world, e);
}

/// Reads the manifolds into the second world, and swaps it with the first one.
static void take_place(pv__stream *t, pv_world *world, pv_world *fresh) {
    keep_memory(world, fresh);
    pv__stream_grains_keep(fresh, world);
    pv__stream_read_manifolds(t, fresh);
    pv__contact_list_fill(fresh);
    pv__broad_phase_displace_all(fresh, world->bodies.count);
    pv__index_fill(fresh, world);
    pv__wake_link_islands(fresh);
    fresh->solver.restored = fresh->bodies.awake_stale = true;
    pv_world last = *world;
    *world = *fresh;
    *fresh = last;
}

/// Gives a world the state in a stream, which begins after its head, or changes nothing. Without
/// pixels, the second world borrows the masks and maps of the first.
static pv_status restore_from(pv__stream *t, pv_world *world) {
    bool pixels = false;
    pv__stream_flag(t, &pixels);
    pv_world *fresh = open_beside(t, world);
    if (fresh) {
        if (!pixels) fresh->snapshot = world->snapshot;
        read_beside(t, world, fresh, pixels);
        if (!t->broken) take_place(t, world, fresh);
        if (!pixels) fresh->snapshot = (pv__snapshots){0};
        pv_world_destroy(fresh);
    }
    return t->starved ? PV_ERROR_MEMORY : t->broken ? PV_ERROR_FORMAT : PV_OK;
}

/// Checks that there are any bytes.
static bool has_bytes(pv_error *e, const char *field, size_t size) {
    return size > 0 || pv__error_say(e, PV_ERROR_FORMAT, field, "%s is 0 bytes", field) == PV_OK;
}

pv_status pv_world_restore(pv_world *world, const void *buffer, size_t size) {
    PV__BEGIN(pv__check_pointer(&e, "buffer", buffer) && has_bytes(&e, "size", size));
    pv__stream t = open_tape(buffer, size, MAGIC);
    pv_status s = t.broken ? PV_ERROR_FORMAT : restore_from(&t, world);
    return s == PV_OK ? s : refuse_snapshot(&e, world, "buffer", s);
}

/* ---- changes ---- */

/// Reads the list of sections of a snapshot without checking its digest. Returns false if it is not
/// a snapshot, or if its sections are not in order.
static bool find_sections(const unsigned char *base, size_t size, uint64_t *places, bool *pixels) {
    pv__stream t = pv__stream_reader(base, size);
    uint64_t head[3], from = SNAPSHOT_HEAD + 1;
    pv__stream_words(&t, head, 3);
    pv__stream_flag(&t, pixels);
    if (t.broken || head[0] != MAGIC || head[1] != size || t.left < SNAPSHOT_TAIL) return false;
    pv__stream_take(&t, t.left - SNAPSHOT_TAIL);
    pv__stream_words(&t, places, PV__SECTIONS);
    places[PV__SECTIONS] = size - SNAPSHOT_TAIL;
    if (places[PV__SECTION_START] != SNAPSHOT_HEAD) return false;
    for (int i = 1; i <= PV__SECTIONS; from = places[i++])
        if (places[i] < from || places[i] > size - SNAPSHOT_TAIL) return false;
    return true;
}

/// Adds what tape_section() writes. Returns false without memory.
static bool add_section(pv__changes *c, pv_world *world, bool pixels, pv__section section) {
    pv__stream count = {0};
    tape_section(&count, world, pixels, section);
    unsigned char *bytes = pv__alloc(&world->def.allocator, count.used, 1);
    if (!bytes) return false;
    pv__stream t = {.at = bytes, .left = count.used};
    tape_section(&t, world, pixels, section);
    pv__changes_replace(c, bytes, t.used, c->left);
    pv__free(&world->def.allocator, bytes, count.used, 1);
    return true;
}

/// Adds everything that differs from the base. Returns false without memory.
static bool add_sections(pv__changes *c, pv_world *world, const unsigned char *base,
                         const uint64_t *places, bool pixels) {
    uint64_t now[PV__SECTIONS];
    for (int i = 0; i < PV__SECTIONS; i++) {
        pv__changes_open(c, base + places[i], places[i + 1] - places[i]);
        now[i] = SNAPSHOT_HEAD + c->total;
        if (i == PV__SECTION_BODIES)
            pv__stream_bodies_changes(c, world);
        else if (i == PV__SECTION_MANIFOLDS)
            pv__stream_manifolds_changes(c, world);
        else if (!add_section(c, world, pixels, (pv__section)i))
            return false;
    }
    unsigned char tail[SNAPSHOT_TAIL];
    pv__stream t = {.at = tail, .left = sizeof tail};
    pv__stream_words(&t, now, PV__SECTIONS);
    pv__changes_open(c, base + places[PV__SECTIONS], SNAPSHOT_TAIL);
    pv__changes_replace(c, tail, sizeof tail, c->left);
    pv__changes_end(c);
    return true;
}

/// Writes changes, or counts them if at is null. Returns the number of bytes, or 0 without memory.
static size_t write_changes(pv_world *world, const unsigned char *base, size_t base_size,
                            const uint64_t *places, bool pixels, unsigned char *at, size_t left) {
    uint64_t of_base[3];
    pv__changes c = {.base = base, .out = {.at = at, .left = left}};
    pv__stream b = pv__stream_reader(base, SNAPSHOT_HEAD);
    pv__stream_words(&b, of_base, 3);
    pv__stream_take(&c.out, CHANGES_HEAD);
    if (!add_sections(&c, world, base, places, pixels)) return 0;
    if (!at || c.out.broken) return c.out.used;
    pv__stream head = {.at = at + SNAPSHOT_HEAD, .left = CHANGES_HEAD - SNAPSHOT_HEAD};
    pv__stream_words(&head, (uint64_t[]){base_size, of_base[2], SNAPSHOT_HEAD + c.total}, 3);
    pv__snapshot_seal_changes(at, c.out.used);
    return c.out.used;
}

pv_status pv_world_save_changes(pv_world *world, const void *base, size_t base_size, void *buffer,
                                size_t capacity, size_t *size) {
    uint64_t places[PV__SECTIONS + 1] = {0};
    bool pixels = false;
    if (size) *size = 0;
    PV__BEGIN(pv__check_pointer(&e, "base", base) && pv__check_pointer(&e, "buffer", buffer) &&
              has_bytes(&e, "base_size", base_size));
    if (!find_sections(base, base_size, places, &pixels))
        return refuse_field(&e, world, "base", "holds no snapshot of this version");
    if (!ready(&e, world)) return pv__refuse(world, &e);
    size_t used = write_changes(world, base, base_size, places, pixels, buffer, capacity);
    if (used > capacity) used = write_changes(world, base, base_size, places, pixels, NULL, 0);
    return tell_size(&e, world, used, capacity, size);
}

/// Restores the snapshot that changes produce from a base.
static pv_status restore_result(pv__stream *changes, pv_world *world, const unsigned char *base,
                                size_t base_size, uint64_t total) {
    size_t size = (size_t)total;
    unsigned char *bytes = pv__alloc(&world->def.allocator, size, 1);
    if (!bytes) return PV_ERROR_MEMORY;
    pv__stream t = {.at = bytes, .left = size, .reads = true};
    pv__stream_take(&t, SNAPSHOT_HEAD);
    bool made =
        pv__changes_apply(changes, base + SNAPSHOT_HEAD, base_size - SNAPSHOT_HEAD, t.at, t.left);
    pv_status s = made ? restore_from(&t, world) : PV_ERROR_FORMAT;
    pv__free(&world->def.allocator, bytes, size, 1);
    return s;
}

pv_status pv_world_restore_changes(pv_world *world, const void *base, size_t base_size,
                                   const void *changes, size_t changes_size) {
    uint64_t of_base[3], more[3];
    PV__BEGIN(pv__check_pointer(&e, "base", base) && pv__check_pointer(&e, "changes", changes) &&
              has_bytes(&e, "base_size", base_size) && has_bytes(&e, "changes_size", changes_size));
    pv__stream t = open_tape(changes, changes_size, CHANGES_MAGIC);
    pv__stream_words(&t, more, 3);
    if (t.broken) return refuse_field(&e, world, "changes", "holds no changes of this version");
    pv__stream b = pv__stream_reader(base, base_size);
    pv__stream_words(&b, of_base, 3);
    if (b.broken || more[0] != base_size || more[1] != of_base[2])
        return refuse_field(&e, world, "base", "is not the snapshot that the changes are of");
    if (open_tape(base, base_size, MAGIC).broken)
        return refuse_field(&e, world, "base", "holds no snapshot of this version");
    if (more[2] < SNAPSHOT_HEAD || more[2] > (uint64_t)base_size + changes_size)
        return refuse_field(&e, world, "changes", "is damaged");
    pv_status s = restore_result(&t, world, base, base_size, more[2]);
    return s == PV_OK ? s : refuse_snapshot(&e, world, "changes", s);
}
