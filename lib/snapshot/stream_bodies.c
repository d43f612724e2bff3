/* stream_bodies.c - transfers, checks and hashes bodies.
 *
 * Invariant: the stream has all state that a later step depends on. It omits derived state, unless
 * deriving it takes longer than reading it. A member with its usual value takes one bit. A valid
 * body is one that calls could have made, as far as memory and run time depend on it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/fracture.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/wake.h"
#include "pixel/kernel.h"
#include "snapshot/changes.h"
#include "snapshot/fields.h"
#include "solver/squeeze.h"
#include "world/body.h"
#include "world/body_mask.h"

/* ---- bodies ---- */

/// Numbers of a body in the order of the hash. They are moved as spans of memory: first those of
/// every body, then those that most bodies leave at their defaults
static const pv__field_row body_fields[] = {
    PV__TURN(pv__body, pose.turn, PV__HASH),
    PV__DOUBLES(pv__body, force, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__body, acceleration, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__body, still_pose.center, PV__HASH, PV__RANGE_PLACE),
    PV__TURN(pv__body, still_pose.turn, PV__HASH),
    PV__DOUBLES(pv__body, earlier_pose.center, PV__HASH, PV__RANGE_PLACE),
    PV__TURN(pv__body, earlier_pose.turn, PV__HASH),
    PV__DOUBLES(pv__body, verlet_dt0, PV__HASH, 0, 1),
    PV__DOUBLES(pv__body, torque, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__body, mass, PV__HASH, PV__RANGE_MASS),
    PV__DOUBLES(pv__body, inertia, PV__HASH, 1 / DBL_MAX, 1e24),
    PV__DOUBLES(pv__body, still, PV__HASH, 0, DBL_MAX),
    PV__DOUBLES(pv__body, stuck, PV__HASH, 0, DBL_MAX),
    PV__DOUBLES(pv__body, material.restitution, PV__HASH, PV__RANGE_RESTITUTION),
    PV__DOUBLES(pv__body, material.static_friction, PV__HASH, PV__RANGE_FRICTION),
    PV__DOUBLES(pv__body, material.kinetic_friction, PV__HASH, PV__RANGE_FRICTION),
    PV__DOUBLES(pv__body, rolling_resistance, PV__HASH, PV__RANGE_FRICTION),
    PV__DOUBLES(pv__body, still_span, PV__HASH, 0, PV__LOOK + PV__MOST_STEP),
    PV__DOUBLES(pv__body, still_since, PV__HASH, 0, PV__LOOK),
    PV__DOUBLES(pv__body, pace, PV__HASH, 0, DBL_MAX),
    PV__DOUBLES(pv__body, before, 0, -4 * PV_MAX_COORDINATE, 4 * PV_MAX_COORDINATE),
    PV__DOUBLES(pv__body, pose.center, 0, PV__RANGE_PLACE),
    PV__DOUBLES(pv__body, gravity_scale, 0, PV__RANGE_GRAVITY_SCALE),
    PV__DOUBLES(pv__body, linear_damping, 0, PV__RANGE_DAMPING),
    PV__DOUBLES(pv__body, angular_damping, 0, PV__RANGE_DAMPING),
    PV__DOUBLES(pv__body, tangent_speed, 0, PV__RANGE_TANGENT_SPEED),
    PV__DOUBLES(pv__body, one_way, 0, -1.01, 1.01),
};

static const pv__field_row fracture_fields[] = {
    PV__INTS(pv_fracture_def, connectivity, PV__PART(8), PV_CONNECTIVITY_4, PV_CONNECTIVITY_8),
    PV__INTS(pv_fracture_def, min_part_pixels, PV__PART(32), 1, 0x7fffffff),
    PV__INTS(pv_fracture_def, mode, PV__PART(2), 0, PV_FRACTURE_CRACK),
    PV__FLAG(pv_fracture_def, spawn_debris, PV__PART(1)),
    PV__FLAG(pv_fracture_def, keep_static, PV__HASH),
    PV__DOUBLES(pv_fracture_def, toughness, PV__HASH, 0, DBL_MAX),
};

static const pv__field_row drive_fields[] = {
    PV__WORD(pv__drive, step, PV__HASH, 0x1p62),
    PV__DOUBLES(pv__drive, velocity, PV__HASH, PV__RANGE_PLACE),
    PV__DOUBLES(pv__drive, change, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__drive, acceleration, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__drive, spin, PV__HASH, PV__RANGE_SPIN),
    PV__DOUBLES(pv__drive, turn, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__drive, twist, PV__HASH, PV__RANGE_FINITE),
};

/// A body with the usual values of all optional parts
static const pv__body usual_body = {
    .gravity_scale = 1, .filter = {1, 0xffffffff, 0}, .fracture = PV__FRACTURE_DEFAULT};

/// Optional parts of a body that are words, by their bits
#define SPAN(first, last)                                                                          \
    { offsetof(pv__body, first), offsetof(pv__body, last) + sizeof(usual_body.last) }
static const struct {
    uint16_t first, end;
} spans[] = {
    SPAN(acceleration, acceleration), SPAN(force, torque), SPAN(gravity_scale, one_way),
    SPAN(crushed, crowded),           SPAN(looks, looks),  SPAN(drive, drive),
};

/// Bits of the other optional parts
enum {
    SPANS = PV__COUNT_OF(spans),
    MOVED = 1 << SPANS,
    SCALED = 2 << SPANS,
    FILTERED = 4 << SPANS,
    BREAKS = 8 << SPANS,
    ALL_PARTS = (16 << SPANS) - 1
};

PV__INLINE uint64_t parts_of(const pv__body *b) {
    uint64_t parts = (pv__stream_differ(b->now, b->before, sizeof b->now) ? MOVED : 0) |
                     (b->pixels->scale.x != 1 || b->pixels->scale.y != 1 ? SCALED : 0) |
                     (pv__filter_is_set(b->filter) ? FILTERED : 0) |
                     (pv__fracture_is_default(&b->fracture) ? 0 : BREAKS);
    PV__UNROLL
    for (int i = 0; i < SPANS; i++)
        parts |= (uint64_t)pv__stream_differ((const char *)b + spans[i].first,
                                             (const char *)&usual_body + spans[i].first,
                                             (size_t)(spans[i].end - spans[i].first))
                 << i;
    return parts;
}

static void tape_parts(pv__stream *t, const pv_world *world, pv__body *b, uint64_t parts) {
    if (parts & MOVED) pv__stream_words(t, b->before, 4);
    for (int i = 0; i < SPANS; i++)
        if (parts >> i & 1)
            pv__stream_words(t, (char *)b + spans[i].first, (spans[i].end - spans[i].first) / 8);
    if (parts & FILTERED) pv__stream_filter(t, &b->filter);
    if (!(parts & BREAKS)) return;
    pv__fields_tape(t, world, &b->fracture, PV__TABLE(fracture_fields));
    t->broken |= b->fracture.connectivity % 4 != 0;
}

/// Flags of a body by their bits
static const pv__field_row body_flags[] = {
    PV__FLAG(pv__body, awake, 0),    PV__FLAG(pv__body, sensor, 0),
    PV__FLAG(pv__body, disabled, 0), PV__FLAG(pv__body, settled, 0),
    PV__FLAG(pv__body, touched, 0),  PV__FLAG(pv__body, told_awake, 0),
    PV__FLAG(pv__body, outside, 0),  PV__FLAG(pv__body, unseen, 0),
};

/// Returns mask, type, collision shape, locks, flags and optional parts of a body as a word.
PV__INLINE uint64_t kind_of(const pv__body *b, const pv__body_pixels *p, uint64_t parts) {
    uint64_t kind = (uint64_t)b->type | (uint64_t)p->stand_in << 2 | (uint64_t)b->locks << 4 |
                    pv__fields_flags_of(b, PV__TABLE(body_flags)) << 8 | parts << 16;
    return (uint32_t)p->mask_id | kind << 32;
}

/// Does the reverse. Returns the optional parts.
PV__INLINE uint64_t set_kind(pv__stream *t, pv__body *b, pv__body_pixels *p, uint64_t word) {
    uint64_t kind = word >> 32;
    t->broken |= (uint32_t)word > PV__STREAM_MOST || kind >> 16 > ALL_PARTS ||
                 (kind & 3) > PV_BODY_DYNAMIC || (kind >> 2 & 3) > PV_COLLIDER_BOX;
    if (t->broken) return 0;
    p->mask_id = (int)(uint32_t)word;
    b->type = (pv_body_type)(kind & 3);
    p->stand_in = (pv_collider)(kind >> 2 & 3);
    b->locks = (uint8_t)(kind >> 4 & PV__LOCKS);
    pv__fields_set_flags(b, PV__TABLE(body_flags), kind >> 8);
    return kind >> 16;
}

/// Returns body pixels like those that were read, shared with an equal body if there is one.
/// Returns null without memory or for a broken stream.
static pv__body_pixels *body_pixels_of(pv__stream *t, pv_world *world, pv__body_pixels *p) {
    pv__kept_item *k = &world->snapshot.masks.items[p->mask_id];
    pv__body_pixels *pixels = k->body < 0 ? NULL : world->bodies.items[k->body].pixels;
    if (pixels && pv__body_mask_is(pixels, k->mask, p->scale, p->stand_in, &p->materials)) {
        pixels->wearers++;
        return pixels;
    }
    /* Known sums are reused, because weighing a terrain takes longer than everything else. */
    pv__material_view *m = &p->materials;
    if (m->map && k->weighed.id == m->id && k->weighed.x == m->x && k->weighed.y == m->y)
        m->sums = k->weighed.sums;
    pv_status s = pv__body_mask_make(world, k->mask, p->scale, p->stand_in, m, &pixels);
    t->broken |= s == PV_ERROR_EMPTY || s == PV_ERROR_TOO_LARGE;
    if (s == PV_OK) pixels->mask_id = p->mask_id;
    return s == PV_OK ? pixels : NULL;
}

/// Gives a body that is read its pixels.
static void dress(pv__stream *t, pv_world *world, int index, pv__body_pixels *p) {
    pv__body *b = &world->bodies.items[index];
    double mass = b->mass, inertia = b->inertia;
    const pv__kept_list *masks = &world->snapshot.masks;
    t->broken |= p->mask_id >= masks->count || !masks->items[p->mask_id].mask ||
                 !pv__body_scale_in_range(p->scale) || !(mass > 0) || !(inertia > 0);
    t->broken |=
        !t->broken && !pv__material_view_covers(&p->materials, masks->items[p->mask_id].mask);
    pv__body_pixels *pixels = t->broken ? NULL : body_pixels_of(t, world, p);
    if (!t->broken) pv__stream_got(t, pixels);
    if (!pixels) return;
    masks->items[p->mask_id].body = index;
    pv__body_mask_put_on(b, pixels, mass);
    b->inertia = inertia;
    pv__body_set_inverses(b);
}

/// Sets the positions that follow from the pose.
static void stream_bodies_place(pv__body *b, uint64_t parts) {
    pv_vec2 before[2] = {b->before[0], b->before[1]};
    pv__pose_set(b, b->pose);
    for (int i = 0; i < 2; i++) b->before[i] = parts & MOVED ? before[i] : b->now[i];
}

/// Transfers the index of a body's material map, and its place on the map.
static void tape_material_view(pv__stream *t, const pv_world *world, pv__material_view *m) {
    if (!world->bodies.mapped) return;
    int id = m->map ? m->id : -1;
    pv__stream_int(t, &id, -1, t->reads ? world->snapshot.maps.count - 1 : PV__STREAM_MOST);
    if (id < 0) return;
    pv__stream_int(t, &m->x, 0, PV__MAX_SIDE);
    pv__stream_int(t, &m->y, 0, PV__MAX_SIDE);
    if (!t->reads) return;
    m->id = id;
    m->map = world->snapshot.maps.items[id].map;
    t->broken |= !m->map;
}

/// Number of words in the numbers that every body has
enum { CORE_WORDS = (offsetof(pv__body, pace) + 8 - offsetof(pv__body, pose)) / 8 };

/// Transfers the part that every body has. A free slot only has the next free one.
PV__INLINE void tape_core(pv__stream *t, pv__body *b, int count, pv__body_pixels *p,
                          uint64_t *parts) {
    pv__stream_u32(t, &b->generation);
    pv__stream_int(t, &b->island, -1, count);
    if (!pv__body_is_alive(b)) return;
    uint64_t words[2] = {t->reads ? 0 : kind_of(b, p, *parts), (uint64_t)(uintptr_t)b->user_data};
    pv__stream_words(t, words, 2);
    /* The numbers are checked with the rest of the body. */
    pv__stream_words(t, &b->pose, CORE_WORDS);
    if (t->reads) *parts = set_kind(t, b, p, words[0]);
    b->user_data = (void *)(uintptr_t)words[1];
}

/// Transfers a body, and sets its optional parts. A free slot may name a later one of count slots.
/// The constant flag reads gives reading and writing their own code.
PV__INLINE void tape_record(pv__stream *t, const pv_world *world, pv__body *b, int count,
                            pv__body_pixels *p, uint64_t *parts, bool reads) {
    /* A local copy lets the compiler keep the stream in registers. */
    pv__stream own = *t;
    own.reads = reads;
    tape_core(&own, b, count, p, parts);
    *t = own;
    if (!pv__body_is_alive(b)) return;
    if (*parts & SCALED) pv__stream_vec(t, &p->scale);
    tape_parts(t, world, b, *parts);
    tape_material_view(t, world, &p->materials);
}

static void write_body(pv__stream *t, const pv_world *world, int index) {
    pv__body *b = &world->bodies.items[index];
    pv__stream_fetch((uintptr_t)b + 3 * sizeof *b, sizeof *b);
    uint64_t parts = pv__body_is_alive(b) ? parts_of(b) : 0;
    tape_record(t, world, b, world->bodies.count, b->pixels, &parts, false);
}

/// Reads the next body of count.
static void read_body(pv__stream *t, pv_world *world, int count) {
    int index = world->bodies.count++;
    pv__body_fill_slot(world, index, &usual_body);
    pv__body *b = &world->bodies.items[index];
    uint64_t parts = 0;
    pv__body_pixels p = {.scale = {1, 1}, .materials = {.id = -1}};
    tape_record(t, world, b, count, &p, &parts, true);
    if (!pv__body_is_alive(b)) return;
    dress(t, world, index, &p);
    if (!t->broken) stream_bodies_place(b, parts);
}

static void tape_all_bodies(pv__stream *t, pv_world *world) {
    int count = world->bodies.count;
    pv__stream_int(t, &count, 0, PV__STREAM_MOST);
    pv__stream_int(t, &world->bodies.free, -1, count - 1);
    if (t->reads && pv__stream_holds(t, count, 8))
        pv__stream_got(t, pv__body_reserve_slots(world, count) &&
                              pv__events_reserve_changes(world, count));
    for (int i = 0; i < count && !t->broken; i++)
        if (t->reads)
            read_body(t, world, count);
        else
            write_body(t, world, i);
}

/* ---- validation ---- */

/// Checks mass and inertia: the particles lie half_stick apart.
static bool has_good_mass(const pv__body *b) {
    double inertia = b->mass * b->half_stick * b->half_stick;
    return pv__abs(b->inertia - inertia) <= 1e-6 * inertia;
}

/// Checks the island and the times of rest. Waking follows bodies with the same island number as a
/// ring (wake.c). A shorter interval of rest would make a division overflow (sleep.c).
static bool has_good_rest(const pv_world *world, const pv__body *b) {
    const pv__body *root =
        b->island >= 0 && b->island < world->bodies.count ? &world->bodies.items[b->island] : NULL;
    bool sleeps = root && pv__body_is_alive(root) && root->island == b->island && !b->awake;
    return (b->island < 0 || sleeps) && (b->still_span == 0 || b->still_span >= PV__LOOK) &&
           b->still_since < PV__LOOK;
}

/// Checks that no step that a body remembers is in the future, because events depend on them.
static bool has_good_steps(const pv_world *world, const pv__body *b) {
    return b->crushed <= world->steps && b->crowded <= world->steps + 1 &&
           b->drive.step <= world->steps + 1;
}

/// Checks a body. The solver multiplies its numbers without checking them.
static bool is_body(const pv_world *world, const pv__body *b) {
    return pv__fields_in_range(b, PV__TABLE(body_fields)) &&
           pv__fields_in_range(&b->drive, PV__TABLE(drive_fields)) && has_good_steps(world, b) &&
           has_good_mass(b) && has_good_rest(world, b) && pv__length(b->one_way) < 1.01;
}

/// Checks the bodies, and that the list of free slots ends and has only free slots.
static bool check_bodies(const pv_world *world) {
    const pv__bodies *all = &world->bodies;
    int at = all->free, free = 0;
    for (int i = 0; i < all->count; i++)
        if (pv__body_is_alive(&all->items[i]) && !is_body(world, &all->items[i])) return false;
    for (; at >= 0 && free <= all->count; free++, at = all->items[at].island)
        if (at >= all->count || pv__body_is_alive(&all->items[at])) return false;
    return at < 0;
}

void pv__stream_bodies(pv__stream *t, pv_world *world) {
    tape_all_bodies(t, world);
    if (!t->reads || t->broken) return;
    pv__squeeze_count_crushes(world);
    t->broken |= !check_bodies(world);
}

/* ---- hash ---- */

/// Hashes members that most bodies leave at their defaults.
static void hash_extras(uint64_t *h, const pv__body *b) {
    const double usual[] = {1, 0, 0, 0, 0, 0},
                 numbers[] = {b->gravity_scale, b->linear_damping, b->angular_damping,
                              b->tangent_speed, b->one_way.x,      b->one_way.y};
    for (uint64_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i] == usual[i]) continue;
        pv__hash_word(h, i);
        pv__hash_double(h, numbers[i]);
    }
    uint64_t flags = (uint64_t)b->locks << 3 | (uint64_t)b->pixels->stand_in << 8 |
                     (uint64_t)b->outside << 2 | (uint64_t)b->sensor << 1 | b->disabled;
    if ((b->locks & ~(unsigned)PV_LOCK_ROTATION) || b->sensor || b->disabled || b->outside)
        pv__hash_word(h, flags);
    if (b->drive.step) pv__fields_hash(h, &b->drive, PV__TABLE(drive_fields));
}

/// Hashes a body's picture, unless it is unchanged, unscaled, without collision shape and without
/// map.
static void hash_looks(uint64_t *h, const pv__body *b) {
    if (b->looks) pv__hash_word(h, b->looks);
    if (b->crowded) pv__hash_word(h, b->crowded);
    if (b->crushed) pv__hash_word(h, ~b->crushed);
    if (b->pixels->stand_in != PV_COLLIDER_PIXELS) pv__hash_word(h, b->pixels->stand_in);
    if (b->pixels->scale.x != 1 || b->pixels->scale.y != 1) pv__hash_vec(h, b->pixels->scale);
    if (!b->pixels->materials.map) return;
    pv__hash_word(h, b->pixels->materials.map->digest);
    pv__hash_word(h, (uint64_t)b->pixels->materials.x << 32 | (uint64_t)b->pixels->materials.y);
}

/// Hashes a body's fracture, unless it is the default. The bit of keep_static says whether it suits
/// the type, which is hashed as well, so that hashes are those of worlds before it was the default.
static void hash_fracture(uint64_t *h, const pv__body *b) {
    pv_fracture_def f = b->fracture;
    if (pv__fracture_is_default(&f)) return;
    f.keep_static = f.keep_static == (b->type == PV_BODY_STATIC);
    pv__fields_hash(h, &f, PV__TABLE(fracture_fields));
}

static void hash_body(uint64_t *h, const pv__body *b) {
    pv__hash_word(h, b->generation);
    if (!pv__body_is_alive(b)) return;
    for (int i = 0; i < 2; i++) {
        pv__hash_vec(h, b->now[i]);
        pv__hash_vec(h, b->before[i]);
    }
    pv__fields_hash_often(h, b, PV__TABLE(body_fields));
    pv__hash_word(h, (uint64_t)b->type << 2 | (uint64_t)b->settled << 4 | (uint64_t)b->awake << 1 |
                         (b->locks & PV_LOCK_ROTATION) / PV_LOCK_ROTATION);
    pv__hash_word(h, (uint64_t)(int64_t)b->island);
    hash_extras(h, b);
    hash_looks(h, b);
    pv__hash_filter(h, b->filter);
    hash_fracture(h, b);
}

void pv__hash_bodies(uint64_t *h, const pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) hash_body(h, &world->bodies.items[i]);
}

/* ---- changes ---- */

/// Returns the number of bytes of the body that is next in the base, or any number if none is.
PV__INLINE size_t bytes_at(const unsigned char *at, size_t left, bool mapped) {
    enum { PARTS = 14 };
    size_t size = 24 + CORE_WORDS * 8;
    if (left < size || !(at[0] & 1)) return 8;
    unsigned parts = at[PARTS] | (unsigned)at[PARTS + 1] << 8;
    size += (parts & MOVED ? 32 : 0) + (parts & SCALED ? 16 : 0) + (parts & FILTERED ? 12 : 0) +
            (parts & BREAKS ? pv__fields_bytes(PV__TABLE(fracture_fields)) : 0);
    PV__UNROLL
    for (int i = 0; i < SPANS; i++)
        size += parts >> i & 1 ? (size_t)(spans[i].end - spans[i].first) : 0;
    if (mapped && left >= size + 4) size += at[size + 3] >> 7 ? 4 : 12;
    return size;
}

void pv__stream_bodies_changes(pv__changes *c, pv_world *world) {
    pv__stream head = pv__changes_record(c);
    pv__stream_int(&head, &world->bodies.count, 0, PV__STREAM_MOST);
    pv__stream_int(&head, &world->bodies.free, -1, PV__STREAM_MOST);
    pv__changes_add(c, head.used, head.used);
    for (int i = 0; i < world->bodies.count; i++) {
        pv__stream t = pv__changes_record(c);
        write_body(&t, world, i);
        pv__changes_add(c, t.used,
                        bytes_at(c->base + c->run, c->left - c->run, world->bodies.mapped));
    }
}
