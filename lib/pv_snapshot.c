/* pv_snapshot.c - the whole state of a world in a buffer of the caller's, and back.
 *
 * Invariant: a restored world steps on bit for bit as the one that was saved did. What is read is made beside the world and takes
 * its place when it is whole, so a bad snapshot changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_tape.h"

#define REFUSE(world, status) pv__refuse(world, __func__, status)

/// "PVSNAP" and the version of the format.
#define MAGIC UINT64_C(0x00010050414e5356)
/// Magic, size, digest.
enum { HEAD = 24 };

/* ---- masks ---- */

/// Gives every mask of a body a number among the world's, under which it is found again; false without memory.
static bool number_masks(pv_world *world) {
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        if (!pv__alive(b) || b->mask_id >= 0) continue;
        int id = world->mask_count - 1;
        while (id >= 0 && world->masks[id].mask != b->mask) id--;
        if (id < 0) {
            if (!pv__reserve(&world->def.allocator, &world->masks, &world->mask_capacity, world->mask_count + 1,
                             sizeof *world->masks))
                return false;
            id = world->mask_count++;
            world->masks[id] =
                (pv__kept_mask){pv_mask_retain(b->mask), pv__bits_digest(&b->mask->bits), false, -1};
        }
        b->mask_id = id;
    }
    return true;
}

static void mark_used(pv_world *world) {
    for (int i = 0; i < world->mask_count; i++) world->masks[i].used = false;
    for (int i = 0; i < world->body_count; i++)
        if (pv__alive(&world->bodies[i]) && world->bodies[i].mask_id >= 0)
            world->masks[world->bodies[i].mask_id].used = true;
}

/// The pixels of a mask, stored; false without memory.
static bool tape_pixels(pv__tape *t, const pv_allocator *allocator, pv__kept_mask *k) {
    uint64_t size = t->reads ? 0 : pv_mask_serialise(k->mask, NULL, 0);
    pv__tape_u64(t, &size);
    unsigned char *at = size > 0 && (!t->reads || size <= t->left) ? pv__tape_take(t, (size_t)size) : NULL;
    if (!t->reads) {
        if (at) pv_mask_serialise(k->mask, at, (size_t)size);
        return true;
    }
    pv_status status = PV_ERROR_FORMAT;
    if (at) k->mask = pv_mask_parse(at, (size_t)size, allocator, &status);
    if (at && k->mask) return true;
    t->broken |= status != PV_ERROR_MEMORY;
    return false;
}

/// Those that bodies use: by number and digest, or with their pixels. What is read without must be among the world's.
static bool tape_masks(pv__tape *t, pv_world *world, bool pixels) {
    int count = world->mask_count;
    pv__tape_int(t, &count, 0, 1 << 24);
    t->broken |= t->reads && !pixels && count > world->mask_count;
    for (int i = 0; i < count && !t->broken; i++) {
        pv__kept_mask none = {0}, *k = t->reads && pixels ? &none : &world->masks[i];
        bool used = k->used;
        bool *const flags[] = {&used};
        uint64_t digest = k->digest;
        pv__tape_flags(t, flags, 1);
        if (used) pv__tape_u64(t, &digest);
        if (used && pixels && !tape_pixels(t, &world->def.allocator, k)) return false;
        if (!t->reads) continue;
        if (!pixels) {
            t->broken |= used && (!k->mask || k->digest != digest);
            continue;
        }
        k->digest = digest;
        k->body = -1;
        t->broken |= used && pv__bits_digest(&k->mask->bits) != digest;
        if (!pv__reserve(&world->def.allocator, &world->masks, &world->mask_capacity, i + 1, sizeof *k)) {
            pv_mask_release(k->mask);
            return false;
        }
        world->masks[world->mask_count++] = *k;
    }
    return !t->broken;
}

pv_status pv_world_forget_snapshots(pv_world *world) {
    pv_status s = pv__changeable(world);
    if (s != PV_OK) return REFUSE(world, s);
    mark_used(world);
    for (int i = 0; i < world->mask_count; i++) {
        if (world->masks[i].used) continue;
        pv_mask_release(world->masks[i].mask);
        world->masks[i].mask = NULL;
    }
    return PV_OK;
}

void pv__masks_free(pv_world *world) {
    for (int i = 0; i < world->mask_count; i++) pv_mask_release(world->masks[i].mask);
    pv__free(&world->def.allocator, world->masks, (size_t)world->mask_capacity, sizeof *world->masks);
}

/* ---- the world itself ---- */

static void tape_def(pv__tape *t, pv_world_def *d) {
    bool *const flags[] = {&d->sleeping};
    pv__tape_enum(t, &d->contacts, PV_CONTACTS_CONTOUR);
    pv__tape_enum(t, &d->restitution_mix, PV_MIX_GEOMETRIC);
    pv__tape_enum(t, &d->friction_mix, PV_MIX_GEOMETRIC);
    pv__tape_int(t, &d->substeps, 1, 64);
    pv__tape_int(t, &d->iterations, 1, 64);
    pv__tape_int(t, &d->relaxations, 1, 64);
    pv__tape_double(t, &d->relax_budget);
    pv__tape_double(t, &d->bounce_speed);
    pv__tape_double(t, &d->hit_speed);
    pv__tape_vec(t, &d->gravity);
    pv__tape_vec(t, &d->bounds.min);
    pv__tape_vec(t, &d->bounds.max);
    pv__tape_flags(t, flags, 1);
}

static void tape_rest(pv__tape *t, pv_world *world) {
    bool *const flags[] = {&world->judges, &world->filtered, &world->drives, &world->stale,
                           &world->senses, &world->rested,   &world->laid};
    pv__tape_double(t, &world->dt);
    pv__tape_u64(t, &world->steps);
    pv__tape_u64(t, &world->reshaped);
    pv__tape_flags(t, flags, 7);
    t->broken |= !(world->dt > 0 && world->dt <= 1);
}

static bool tape_world(pv__tape *t, pv_world *world, bool pixels) {
    tape_rest(t, world);
    return !t->broken && tape_masks(t, world, pixels) && pv__tape_bodies(t, world) && pv__tape_matter(t, world);
}

/* ---- the buffer ---- */

/// Four sums side by side, as fast as memory is read.
static uint64_t digest_of(const unsigned char *bytes, size_t size) {
    uint64_t h[4] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f), UINT64_C(0x165667b19e3779f9),
                     size};
    while (size > 0) {
        unsigned char tail[32] = {0};
        const unsigned char *at = bytes;
        size_t part = size < sizeof tail ? size : sizeof tail;
        if (part < sizeof tail) at = memcpy(tail, bytes, part);
        for (int i = 0; i < 4; i++) {
            pv__tape t = {(unsigned char *)(uintptr_t)(at + 8 * i), 8, 0, true, false};
            uint64_t word;
            pv__tape_u64(&t, &word);
            h[i] = (h[i] << 27 | h[i] >> 37) * 9 + word;
            h[i] ^= h[i] >> 31;
        }
        bytes += part;
        size -= part;
    }
    return (h[0] ^ h[1] >> 7) * 3 + (h[2] ^ h[3] >> 11) * 5 + h[1] + h[3];
}

static void tape_head(pv__tape *t, uint64_t *magic, uint64_t *size, uint64_t *digest) {
    pv__tape_u64(t, magic);
    pv__tape_u64(t, size);
    pv__tape_u64(t, digest);
}

/// Writes all, or counts it with at null; the number of bytes.
static size_t write_all(pv_world *world, bool pixels, unsigned char *at, size_t left) {
    pv__tape t = {at, left, 0, false, false};
    uint64_t magic = MAGIC, size = 0, digest = 0, flags = pixels;
    tape_head(&t, &magic, &size, &digest);
    pv__tape_bytes(&t, &flags, 1);
    tape_def(&t, &world->def);
    tape_world(&t, world, pixels);
    if (!at || t.broken) return t.used;
    pv__tape head = {at, HEAD, 0, false, false};
    size = t.used;
    digest = digest_of(at + HEAD, t.used - HEAD);
    tape_head(&head, &magic, &size, &digest);
    return t.used;
}

/// PV_OK with the masks numbered and marked.
static pv_status ready(pv_world *world, unsigned flags) {
    pv_status s = pv__changeable(world);
    if (s == PV_OK && flags > PV_SNAPSHOT_PIXELS) s = PV_ERROR_ARGUMENT;
    if (s != PV_OK) return s;
    if (!number_masks(world)) return PV_ERROR_MEMORY;
    mark_used(world);
    return PV_OK;
}

size_t pv_world_snapshot_size(pv_world *world, unsigned flags) {
    pv_status s = ready(world, flags);
    if (s == PV_OK) return write_all(world, flags & PV_SNAPSHOT_PIXELS, NULL, 0);
    REFUSE(world, s);
    return 0;
}

pv_status pv_world_save(pv_world *world, unsigned flags, void *buffer, size_t capacity, size_t *size) {
    if (size) *size = 0;
    pv_status s = ready(world, flags);
    if (s == PV_OK && !buffer) s = PV_ERROR_ARGUMENT;
    if (s != PV_OK) return REFUSE(world, s);
    size_t used = write_all(world, flags & PV_SNAPSHOT_PIXELS, buffer, capacity);
    if (size) *size = used;
    return used <= capacity ? PV_OK : REFUSE(world, PV_ERROR_TOO_LARGE);
}

/// A world of the snapshot's def without anything in it, but with the masks that the snapshot may name.
static pv_world *open_beside(pv__tape *t, const pv_world *world, bool pixels, pv_status *status) {
    pv_world_def def = world->def;
    tape_def(t, &def);
    if (t->broken) return NULL;
    pv_world *fresh = pv_world_create(&def, status);
    for (int i = 0; fresh && !pixels && i < world->mask_count; i++) {
        if (!pv__reserve(&def.allocator, &fresh->masks, &fresh->mask_capacity, i + 1, sizeof *fresh->masks)) {
            pv_world_destroy(fresh);
            *status = PV_ERROR_MEMORY;
            return NULL;
        }
        fresh->masks[i] = world->masks[i];
        fresh->masks[i].body = -1;
        pv_mask_retain(fresh->masks[i].mask);
        fresh->mask_count = i + 1;
    }
    if (*status == PV_ERROR_ARGUMENT || *status == PV_ERROR_NOT_FINITE) *status = PV_ERROR_FORMAT;
    return fresh;
}

/// The tape of what is behind the head of a whole snapshot; one without bytes for what is none.
static pv__tape open_tape(const void *buffer, size_t size) {
    pv__tape t = {(unsigned char *)(uintptr_t)buffer, size, 0, true, false};
    uint64_t magic, told, digest;
    tape_head(&t, &magic, &told, &digest);
    if (t.broken || magic != MAGIC || told != size || digest_of(t.at, t.left) != digest) t.broken = true;
    return t;
}

pv_status pv_world_restore(pv_world *world, const void *buffer, size_t size) {
    pv_status s = pv__changeable(world);
    if (s == PV_OK && !buffer) s = PV_ERROR_ARGUMENT;
    if (s != PV_OK) return REFUSE(world, s);
    pv__tape t = open_tape(buffer, size);
    uint64_t flags = 0;
    pv__tape_bytes(&t, &flags, 1);
    if (t.broken || flags > PV_SNAPSHOT_PIXELS) return REFUSE(world, PV_ERROR_FORMAT);
    s = PV_OK;
    pv_world *fresh = open_beside(&t, world, flags & PV_SNAPSHOT_PIXELS, &s);
    bool read = fresh && tape_world(&t, fresh, flags & PV_SNAPSHOT_PIXELS);
    t.broken |= read && t.left > 0;
    if (!read || t.broken) {
        pv_world_destroy(fresh);
        if (s == PV_OK) s = t.broken ? PV_ERROR_FORMAT : PV_ERROR_MEMORY;
        return REFUSE(world, s);
    }
    fresh->restored = fresh->roster_stale = true;
    pv_world last = *world;
    *world = *fresh;
    *fresh = last;
    pv_world_destroy(fresh);
    return PV_OK;
}
