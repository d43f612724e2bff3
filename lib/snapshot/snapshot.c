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
#include "core/events.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "core/world_lock.h"
#include "snapshot/stream.h"
#include "snapshot/stream_shape.h"

/// "PVSNAP" and the version of the format.
#define MAGIC UINT64_C(0x00030050414e5356)
/// Size of magic, size and digest [bytes].
enum { SNAPSHOT_HEAD = 24 };

/* ---- masks ---- */

/// Gives every mask of a body an index among the world's masks, under which a restore finds it.
/// Returns false without memory.
static bool number_masks(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        if (!pv__body_is_alive(b) || b->pixels->mask_id >= 0) continue;
        int id = world->snapshot.mask_count - 1;
        while (id >= 0 && world->snapshot.masks[id].mask != b->pixels->mask) id--;
        if (id < 0) {
            if (!pv__reserve(&world->def.allocator, &world->snapshot.masks,
                             &world->snapshot.mask_capacity, world->snapshot.mask_count + 1,
                             sizeof *world->snapshot.masks))
                return false;
            id = world->snapshot.mask_count++;
            world->snapshot.masks[id] = (pv__kept_mask){pv_mask_retain(b->pixels->mask),
                                                        pv__bits_digest(&b->pixels->mask->bits),
                                                        false,
                                                        -1,
                                                        {.id = -1}};
        }
        b->pixels->mask_id = id;
    }
    return true;
}

static void mark_used(pv_world *world) {
    for (int i = 0; i < world->snapshot.mask_count; i++) world->snapshot.masks[i].used = false;
    for (int i = 0; i < world->bodies.count; i++)
        if (pv__body_is_alive(&world->bodies.items[i]) &&
            world->bodies.items[i].pixels->mask_id >= 0)
            world->snapshot.masks[world->bodies.items[i].pixels->mask_id].used = true;
}

/// Transfers the pixels of a mask. Returns false without memory.
static bool tape_pixels(pv__stream *t, const pv_allocator *allocator, pv__kept_mask *k) {
    uint64_t size = t->reads ? 0 : pv_mask_serialize(k->mask, NULL, 0);
    pv__stream_u64(t, &size);
    unsigned char *at =
        size > 0 && (!t->reads || size <= t->left) ? pv__stream_take(t, (size_t)size) : NULL;
    if (!t->reads) {
        if (at) pv_mask_serialize(k->mask, at, (size_t)size);
        return pv__stream_shape(t, k->mask);
    }
    pv_error error = {.status = PV_ERROR_FORMAT};
    if (at) k->mask = pv_mask_deserialize(at, (size_t)size, allocator, &error);
    if (at && k->mask) {
        if (pv__stream_shape(t, k->mask)) return true;
        pv_mask_release(k->mask);
        return false;
    }
    t->broken |= error.status != PV_ERROR_MEMORY;
    return false;
}

/// Transfers the used masks: index and digest, or with their pixels. Masks read without pixels have
/// to be among the world's.
static bool tape_masks(pv__stream *t, pv_world *world, bool pixels) {
    int count = world->snapshot.mask_count;
    pv__stream_int(t, &count, 0, 1 << 24);
    t->broken |= t->reads && !pixels && count > world->snapshot.mask_count;
    for (int i = 0; i < count && !t->broken; i++) {
        pv__kept_mask none = {0}, *k = t->reads && pixels ? &none : &world->snapshot.masks[i];
        bool used = k->used;
        bool *const flags[] = {&used};
        uint64_t digest = k->digest;
        pv__stream_flags(t, flags, 1);
        if (used) pv__stream_u64(t, &digest);
        if (used && pixels && !tape_pixels(t, &world->def.allocator, k)) return false;
        if (!t->reads) continue;
        if (!pixels) {
            t->broken |= used && (!k->mask || k->digest != digest);
            continue;
        }
        k->digest = digest;
        k->body = -1;
        t->broken |= used && pv__bits_digest(&k->mask->bits) != digest;
        if (!pv__reserve(&world->def.allocator, &world->snapshot.masks,
                         &world->snapshot.mask_capacity, i + 1, sizeof *k)) {
            pv_mask_release(k->mask);
            return false;
        }
        world->snapshot.masks[world->snapshot.mask_count++] = *k;
    }
    return !t->broken;
}

pv_status pv_world_discard_snapshots(pv_world *world) {
    pv_error e;
    if (!pv__world_begin(&e, __func__, world)) return pv__refuse(world, &e);
    mark_used(world);
    pv__stream_maps_mark_used(world);
    pv__stream_maps_forget(world);
    for (int i = 0; i < world->snapshot.mask_count; i++) {
        if (world->snapshot.masks[i].used) continue;
        pv_mask_release(world->snapshot.masks[i].mask);
        world->snapshot.masks[i].mask = NULL;
    }
    return PV_OK;
}

/* ---- the world itself ---- */

static void tape_def(pv__stream *t, pv_world_def *d) {
    bool *const flags[] = {&d->enable_sleep};
    pv__stream_enum(t, &d->contact_mode, PV_CONTACT_MODE_CONTOURS);
    pv__stream_enum(t, &d->restitution_mix, PV_MIX_GEOMETRIC);
    pv__stream_enum(t, &d->friction_mix, PV_MIX_GEOMETRIC);
    pv__stream_int(t, &d->substeps, 1, 64);
    pv__stream_int(t, &d->particle_substeps, 0, 64);
    pv__stream_int(t, &d->contact_iterations, 1, 64);
    pv__stream_int(t, &d->joint_iterations, 1, 64);
    pv__stream_double(t, &d->joint_time_budget);
    pv__stream_double(t, &d->restitution_threshold);
    pv__stream_double(t, &d->hit_event_threshold);
    pv__stream_vec(t, &d->gravity);
    pv__stream_vec(t, &d->bounds.min);
    pv__stream_vec(t, &d->bounds.max);
    pv__stream_flags(t, flags, 1);
}

static void tape_rest(pv__stream *t, pv_world *world) {
    bool *const flags[] = {&world->manifolds.presolved, &world->bodies.filtered,
                           &world->bodies.driven,       &world->manifolds.stale,
                           &world->bodies.sensing,      &world->solver.rested,
                           &world->solver.ordered,      &world->bodies.mapped};
    pv__stream_double(t, &world->dt);
    pv__stream_u64(t, &world->steps);
    pv__stream_flags(t, flags, 8);
    t->broken |= !(64 * world->dt >= PV__LEAST_STEP &&
                   world->dt <= PV__MOST_STEP); /* A step has 64 substeps at most. */
}

/// Transfers all except the manifolds, which come last.
static bool tape_world(pv__stream *t, pv_world *world, bool pixels) {
    tape_rest(t, world);
    return !t->broken && tape_masks(t, world, pixels) && pv__stream_maps(t, world, pixels) &&
           pv__stream_bodies(t, world) && pv__stream_contacts(t, world) &&
           pv__stream_matter(t, world) && pv__stream_grains(t, world);
}

/* ---- the buffer ---- */

static inline pv__two words_at(const unsigned char *bytes) {
    pv__two words = {0};
    pv__stream t = {.at = (unsigned char *)(uintptr_t)bytes, .left = sizeof words, .reads = true};
    pv__stream_words(&t, &words, 2);
    return words;
}

/// Adds blocks of 64 bytes to the sums.
static void add_blocks(pv__two sums[4], pv__two sums_of_sums[4], const unsigned char *at,
                       size_t blocks) {
    pv__two a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    pv__two e = sums_of_sums[0], f = sums_of_sums[1], g = sums_of_sums[2], h = sums_of_sums[3];
    for (; blocks > 0; blocks--, at += 64) {
        e += a += words_at(at);
        f += b += words_at(at + 16);
        g += c += words_at(at + 32);
        h += d += words_at(at + 48);
    }
    memcpy(sums, (pv__two[]){a, b, c, d}, sizeof(pv__two[4]));
    memcpy(sums_of_sums, (pv__two[]){e, f, g, h}, sizeof(pv__two[4]));
}

/// Computes sums of words and sums of these sums, eight side by side. Like Fletcher's sums they
/// detect any changed, missing or exchanged word, at memory speed.
static uint64_t snapshot_digest_of(const unsigned char *bytes, size_t size) {
    pv__two sums[4] = {{0}}, sums_of_sums[4] = {{0}};
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

static void tape_head(pv__stream *t, uint64_t *magic, uint64_t *size, uint64_t *digest) {
    pv__stream_u64(t, magic);
    pv__stream_u64(t, size);
    pv__stream_u64(t, digest);
}

void pv__snapshot_seal(unsigned char *at, size_t size) {
    pv__stream head = {.at = at, .left = SNAPSHOT_HEAD};
    uint64_t magic = MAGIC, told = size,
             digest = snapshot_digest_of(at + SNAPSHOT_HEAD, size - SNAPSHOT_HEAD);
    tape_head(&head, &magic, &told, &digest);
}

/// Writes the whole world, or with at null counts it. Returns the number of bytes.
static size_t write_all(pv_world *world, bool pixels, unsigned char *at, size_t left) {
    pv__stream t = {.at = at, .left = left};
    uint64_t magic = MAGIC, size = 0, digest = 0, flags = pixels;
    tape_head(&t, &magic, &size, &digest);
    pv__stream_u8(&t, &flags);
    tape_def(&t, &world->def);
    tape_world(&t, world, pixels);
    pv__stream_write_manifolds(&t, world);
    if (at && !t.broken) pv__snapshot_seal(at, t.used);
    return t.used;
}

/// Prepares a save: gives masks and maps their indices, and marks the used ones.
static bool snapshot_ready(pv_error *e, pv_world *world, unsigned flags) {
    if (!pv__check_world(e, world) || !pv__check_range(e, "flags", flags, 0, PV_SNAPSHOT_PIXELS))
        return false;
    if (!number_masks(world) || !pv__stream_maps_number(world))
        return pv__error_set(e, PV_ERROR_MEMORY) == PV_OK;
    mark_used(world);
    pv__stream_maps_mark_used(world);
    return true;
}

size_t pv_world_get_snapshot_size(pv_world *world, unsigned flags) {
    pv_error e;
    pv__error_begin(__func__, &e, NULL);
    if (snapshot_ready(&e, world, flags))
        return write_all(world, flags & PV_SNAPSHOT_PIXELS, NULL, 0);
    pv__refuse(world, &e);
    return 0;
}

pv_status pv_world_save(pv_world *world, unsigned flags, void *buffer, size_t capacity,
                        size_t *size) {
    pv_error e;
    pv__error_begin(__func__, &e, NULL);
    if (size) *size = 0;
    if (!snapshot_ready(&e, world, flags) || !pv__check_pointer(&e, "buffer", buffer))
        return pv__refuse(world, &e);
    size_t used = write_all(world, flags & PV_SNAPSHOT_PIXELS, buffer, capacity);
    if (used > capacity)
        used = write_all(world, flags & PV_SNAPSHOT_PIXELS, NULL, 0); /* It counts all bytes. */
    if (size) *size = used;
    if (used <= capacity) return PV_OK;
    pv__error_say(&e, PV_ERROR_TOO_LARGE, "capacity", "capacity is %zu bytes, must be at least %zu",
                  capacity, used);
    return pv__refuse(world, &e);
}

/// Creates an empty world from the snapshot's definition, with the masks and maps that the snapshot
/// may name.
static pv_world *open_beside(pv__stream *t, const pv_world *world, bool pixels, pv_status *status) {
    pv_world_def def = world->def;
    tape_def(t, &def);
    if (t->broken) return NULL;
    pv_error error;
    pv_world *fresh = pv_world_create(&def, &error);
    *status = error.status;
    for (int i = 0; fresh && !pixels && i < world->snapshot.mask_count; i++) {
        if (!pv__reserve(&def.allocator, &fresh->snapshot.masks, &fresh->snapshot.mask_capacity,
                         i + 1, sizeof *fresh->snapshot.masks)) {
            pv_world_destroy(fresh);
            *status = PV_ERROR_MEMORY;
            return NULL;
        }
        fresh->snapshot.masks[i] = world->snapshot.masks[i];
        fresh->snapshot.masks[i].body = -1;
        pv_mask_retain(fresh->snapshot.masks[i].mask);
        fresh->snapshot.mask_count = i + 1;
    }
    if (fresh && !pixels && !pv__stream_maps_share(fresh, world)) {
        pv_world_destroy(fresh);
        *status = PV_ERROR_MEMORY;
        return NULL;
    }
    if (*status == PV_ERROR_ARGUMENT || *status == PV_ERROR_NOT_FINITE) *status = PV_ERROR_FORMAT;
    return fresh;
}

/// Returns a stream of a complete snapshot behind its head, or a broken stream of an invalid one.
static pv__stream open_tape(const void *buffer, size_t size) {
    pv__stream t = {.at = (unsigned char *)(uintptr_t)buffer, .left = size, .reads = true};
    uint64_t magic, told, digest;
    tape_head(&t, &magic, &told, &digest);
    if (t.broken || magic != MAGIC || told != size || snapshot_digest_of(t.at, t.left) != digest)
        t.broken = true;
    return t;
}

/// Swaps arrays that are empty between steps, so that they need not grow again.
static void keep_scratch(pv_world *a, pv_world *b) {
    pv__swap(&a->broad_phase.pairs, &a->broad_phase.pair_capacity, &b->broad_phase.pairs,
             &b->broad_phase.pair_capacity);
    pv__swap(&a->broad_phase.spare_pairs, &a->broad_phase.spare_pair_capacity,
             &b->broad_phase.spare_pairs, &b->broad_phase.spare_pair_capacity);
    pv__swap(&a->broad_phase.around, &a->broad_phase.around_capacity, &b->broad_phase.around,
             &b->broad_phase.around_capacity);
    pv__swap(&a->broad_phase.crowds, &a->broad_phase.crowd_capacity, &b->broad_phase.crowds,
             &b->broad_phase.crowd_capacity);
    pv__swap(&a->broad_phase.mates, &a->broad_phase.mate_capacity, &b->broad_phase.mates,
             &b->broad_phase.mate_capacity);
    pv__swap(&a->manifolds.was_active, &a->manifolds.was_active_capacity, &b->manifolds.was_active,
             &b->manifolds.was_active_capacity);
    pv__swap(&a->manifolds.schedule, &a->manifolds.schedule_capacity, &b->manifolds.schedule,
             &b->manifolds.schedule_capacity);
    pv__swap(&a->manifolds.updates, &a->manifolds.update_capacity, &b->manifolds.updates,
             &b->manifolds.update_capacity);
    pv__swap(&a->bodies.awake, &a->bodies.awake_capacity, &b->bodies.awake,
             &b->bodies.awake_capacity);
    pv__swap(&a->solver.members, &a->solver.member_capacity, &b->solver.members,
             &b->solver.member_capacity);
    pv__swap(&a->solver.active, &a->solver.active_capacity, &b->solver.active,
             &b->solver.active_capacity);
    pv__swap(&a->solver.bodies, &a->solver.body_capacity, &b->solver.bodies,
             &b->solver.body_capacity);
    pv__swap(&a->solver.states, &a->solver.state_capacity, &b->solver.states,
             &b->solver.state_capacity);
    pv__swap(&a->squeeze.items, &a->squeeze.capacity, &b->squeeze.items, &b->squeeze.capacity);
    pv__swap(&a->squeeze.pinches, &a->squeeze.pinch_capacity, &b->squeeze.pinches,
             &b->squeeze.pinch_capacity);
    pv__swap(&a->solver.batches, &a->solver.batch_capacity, &b->solver.batches,
             &b->solver.batch_capacity);
    pv__swap(&a->solver.packed, &a->solver.packed_capacity, &b->solver.packed,
             &b->solver.packed_capacity);
    pv__swap(&a->solver.sweep, &a->solver.sweep_capacity, &b->solver.sweep,
             &b->solver.sweep_capacity);
}

/// Swaps the grids, since most bodies stay where they are.
static void keep_grids(pv_world *a, pv_world *b) {
    pv__grid grid = a->broad_phase.grid;
    pv__index index = a->broad_phase.index;
    a->broad_phase.grid = b->broad_phase.grid;
    a->broad_phase.index = b->broad_phase.index;
    b->broad_phase.grid = grid;
    b->broad_phase.index = index;
}

/// Reserves memory in a world for the one that takes its place. Returns false without memory.
static bool snapshot_reserve(pv_world *world, const pv_world *fresh, int slots, int active) {
    int more =
        fresh->bodies.count > world->bodies.count ? fresh->bodies.count - world->bodies.count : 0;
    return pv__broad_phase_reserve(world, more) && pv__index_reserve(world, more) &&
           pv__world_reserve_by_body(world, &world->bodies.awake, &world->bodies.awake_capacity,
                                     fresh->bodies.count, sizeof(int)) &&
           pv__manifold_reserve(world, slots, active);
}

/// Reads all except the manifolds into a second world, and reserves memory for these in both. Fails
/// with a broken stream or PV_ERROR_MEMORY.
static pv_status read_beside(pv__stream *t, pv_world *world, pv_world *fresh, bool pixels) {
    int slots, active;
    if (!tape_world(t, fresh, pixels)) return PV_ERROR_MEMORY;
    pv__stream ahead = *t;
    if (!pv__validate_world(fresh) || !pv__stream_check_manifolds(&ahead, fresh, &slots, &active) ||
        ahead.left > 0) {
        t->broken = true;
        return PV_ERROR_FORMAT;
    }
    pv_status s = pv__stream_grains_open(fresh);
    t->broken |= s == PV_ERROR_FORMAT;
    if (s != PV_OK) return s;
    bool room =
        snapshot_reserve(world, fresh, slots, active) && pv__events_reserve_meetings(fresh, slots);
    return room ? PV_OK : PV_ERROR_MEMORY;
}

static pv_status refuse_snapshot(pv_error *e, const pv_world *world, pv_status status) {
    if (status == PV_ERROR_FORMAT)
        pv__error_say(e, status, "buffer", "buffer holds no snapshot of this world and version");
    else
        pv__error_set(e, status);
    return pv__refuse(world, e);
}

pv_status pv_world_restore(pv_world *world, const void *buffer, size_t size) {
    pv_error e;
    pv_status s = PV_OK;
    if (!pv__world_begin(&e, __func__, world) || !pv__check_pointer(&e, "buffer", buffer))
        return pv__refuse(world, &e);
    if (size == 0) {
        pv__error_say(&e, PV_ERROR_FORMAT, "size", "size is 0 bytes");
        return pv__refuse(world, &e);
    }
    pv__stream t = open_tape(buffer, size);
    uint64_t flags = 0;
    pv__stream_u8(&t, &flags);
    t.broken |= flags > PV_SNAPSHOT_PIXELS;
    if (t.broken) return refuse_snapshot(&e, world, PV_ERROR_FORMAT);
    pv_world *fresh = open_beside(&t, world, flags & PV_SNAPSHOT_PIXELS, &s);
    if (fresh) s = read_beside(&t, world, fresh, flags & PV_SNAPSHOT_PIXELS);
    if (s != PV_OK || t.broken) {
        pv_world_destroy(fresh);
        return refuse_snapshot(&e, world, t.broken ? PV_ERROR_FORMAT : s);
    }
    pv__manifold_swap_all(world, fresh);
    keep_scratch(world, fresh);
    pv__stream_grains_keep(fresh, world);
    keep_grids(world, fresh);
    pv__stream_read_manifolds(&t, fresh, world->manifolds.count);
    pv__broad_phase_displace_all(fresh, world->bodies.count);
    pv__index_fill(fresh, world);
    pv__wake_link_islands(fresh);
    fresh->solver.restored = fresh->bodies.awake_stale = true;
    pv_world last = *world;
    *world = *fresh;
    *fresh = last;
    pv_world_destroy(fresh);
    return PV_OK;
}
