/* stream_bodies.c - bodies and events as bytes.
 *
 * Invariant: the stream has all state that a later step depends on. It omits derived state, unless
 * deriving takes longer than reading. Members with their usual values take a bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/fracture.h"
#include "core/events.h"
#include "core/filter.h"
#include "core/pose.h"
#include "pixel/kernel.h"
#include "snapshot/changes.h"
#include "snapshot/stream.h"
#include "solver/squeeze.h"
#include "world/body.h"
#include "world/body_mask.h"
#include "world/body_set.h"

bool pv__stream_count(pv__stream *t, const pv_allocator *allocator, void *items, int *capacity,
                      int *count, size_t size, size_t bytes) {
    pv__stream_int(t, count, 0, 1 << 28);
    if (!t->reads) return true;
    t->broken |= (size_t)*count > t->left / bytes;
    if (t->broken) *count = 0;
    return !t->broken && pv__reserve(allocator, items, capacity, *count, size);
}

/* ---- pools ---- */

bool pv__stream_pool(pv__stream *t, const pv_world *world, pv__pool *pool, void *items,
                     size_t size) {
    int count = pool->count;
    void *array;
    if (!pv__stream_count(t, &world->def.allocator, items, &pool->capacity, &count, size, 8))
        return false;
    memcpy(&array, items, sizeof array);
    if (t->reads && count > 0) memset(array, 0, (size_t)count * size);
    pool->count = count;
    pv__stream_int(t, &pool->free, -1, count - 1);
    return true;
}

bool pv__stream_slot(pv__stream *t, const pv__pool *pool, pv__slot *slot) {
    pv__stream_u32(t, &slot->generation);
    pv__stream_int(t, &slot->next_free, -1, pool->count - 1);
    return pv__slot_lives(slot);
}

/* ---- bodies ---- */

/// Bits of the optional parts of a body.
enum {
    MOVED = 1,
    STREAM_BODIES_PULLED = 2,
    FORCED = 4,
    SPECIAL = 8,
    DRIVEN = 16,
    SCALED = 32,
    FILTERED = 64,
    CHANGED = 128,
    JOINED = 256
};

/// Tells whether any bit of consecutive numbers is set; -0 has one.
PV__INLINE bool stream_bodies_some(const double *numbers, int count) {
    pv__two word, all = {0};
    uint64_t last = 0;
#pragma GCC unroll 8
    for (int i = 0; i < count / 2; i++) {
        memcpy(&word, &numbers[2 * i], sizeof word);
        all |= word;
    }
    if (count % 2) memcpy(&last, &numbers[count - 1], sizeof last);
    return (all[0] | all[1] | last) != 0;
}

/// Tells whether the particles have moved; 0 and -0 differ.
PV__INLINE bool stream_bodies_moved(const pv__body *b) {
    pv__two now[2], before[2];
    memcpy(now, b->now, sizeof now);
    memcpy(before, b->before, sizeof before);
    pv__two changed = (now[0] ^ before[0]) | (now[1] ^ before[1]);
    return (changed[0] | changed[1]) != 0;
}

#define SOME(b, first, last)                                                                       \
    stream_bodies_some(                                                                            \
        (const double *)(const void *)((const char *)(b) + offsetof(pv__body, first)),             \
        (int)((offsetof(pv__body, last) - offsetof(pv__body, first) + sizeof(b)->last) /           \
              sizeof(double)))

PV__INLINE uint64_t parts_of(const pv__body *b) {
    bool special = b->gravity_scale != 1 || SOME(b, linear_damping, one_way);
    return (stream_bodies_moved(b) ? MOVED : 0) |
           (SOME(b, acceleration, acceleration) ? STREAM_BODIES_PULLED : 0) |
           (SOME(b, force, torque) ? FORCED : 0) | (special ? SPECIAL : 0) |
           (b->drive.step ? DRIVEN : 0) |
           (b->pixels->scale.x != 1 || b->pixels->scale.y != 1 ? SCALED : 0) |
           (pv__filter_is_set(b->filter) ? FILTERED : 0) |
           ((b->looks || b->crowded || b->crushed) ? CHANGED : 0) | (b->joint_count ? JOINED : 0);
}

static void tape_drive(pv__stream *t, pv__drive *d) {
    pv__stream_u64(t, &d->step);
    pv__stream_vec(t, &d->velocity);
    pv__stream_double(t, &d->spin);
    pv__stream_vec(t, &d->change);
    pv__stream_double(t, &d->turn);
    pv__stream_vec(t, &d->acceleration);
    pv__stream_double(t, &d->twist);
}

/// Transfers the number of constraints in a word, so that later numbers stay at multiples of eight.
static void tape_joint_count(pv__stream *t, pv__body *b) {
    uint64_t count = (uint64_t)b->joint_count;
    pv__stream_u64(t, &count);
    t->broken |= count == 0 || count > 1 << 28;
    if (t->reads) b->joint_count = t->broken ? 0 : (int)count;
}

static void tape_parts(pv__stream *t, pv__body *b, uint64_t parts) {
    if (parts & MOVED) PV__TAPE_SPAN(t, pv__body, b, before, before);
    if (parts & STREAM_BODIES_PULLED) pv__stream_vec(t, &b->acceleration);
    if (parts & FORCED) PV__TAPE_SPAN(t, pv__body, b, force, torque);
    if (parts & SPECIAL) PV__TAPE_SPAN(t, pv__body, b, gravity_scale, one_way);
    if (parts & DRIVEN) tape_drive(t, &b->drive);
    if (parts & FILTERED) pv__stream_filter(t, &b->filter);
    if (parts & CHANGED)
        pv__stream_u64(t, &b->looks), pv__stream_u64(t, &b->crowded),
            pv__stream_u64(t, &b->crushed);
    if (parts & JOINED) tape_joint_count(t, b);
}

static void tape_fracture(pv__stream *t, pv_fracture_def *f) {
    bool wide = f->connectivity == PV_CONNECTIVITY_8;
    bool *const flags[] = {&wide, &f->spawn_debris, &f->keep_static};
    pv__stream_flags(t, flags, 3);
    if (t->reads) f->connectivity = wide ? PV_CONNECTIVITY_8 : PV_CONNECTIVITY_4;
    pv__stream_int(t, &f->min_part_pixels, 1, 0x7fffffff);
    pv__stream_enum(t, &f->mode, PV_FRACTURE_CRACK);
    pv__stream_double(t, &f->toughness);
    pv_error e;
    t->broken |= !pv__fracture_check(pv__error_begin(__func__, &e, NULL), f);
}

PV__INLINE uint64_t flags_of(const pv__body *b) {
    return (uint64_t)b->awake | (uint64_t)b->sensor << 1 | (uint64_t)b->disabled << 2 |
           (uint64_t)b->settled << 3 | (uint64_t)b->touched << 4 | (uint64_t)b->told_awake << 5 |
           (uint64_t)b->outside << 6 | (uint64_t)b->unseen << 7;
}

static void set_flags(pv__body *b, uint64_t word) {
    b->awake = word & 1;
    b->sensor = word >> 1 & 1;
    b->disabled = word >> 2 & 1;
    b->settled = word >> 3 & 1;
    b->touched = word >> 4 & 1;
    b->told_awake = word >> 5 & 1;
    b->outside = word >> 6 & 1;
    b->unseen = word >> 7 & 1;
}

/// Data that a body's pixels derive from.
typedef struct picture {
    int mask;
    pv_vec2 scale;
    pv_collider stand_in;
    pv__material_view materials;
} picture;

/// Sets a body's type, collision shape and locks from a word.
PV__INLINE void stream_bodies_set_kind(pv__stream *t, pv__body *b, picture *p, uint64_t kind) {
    t->broken |= (kind & 3) > PV_BODY_DYNAMIC || (kind >> 2 & 3) > PV_COLLIDER_BOX;
    b->type = (pv_body_type)(t->broken ? 0 : kind & 3);
    p->stand_in = (pv_collider)(t->broken ? 0 : kind >> 2 & 3);
    b->locks = (unsigned)(kind >> 4 & PV__LOCKS);
}

PV__INLINE uint64_t stream_bodies_kind_of(const pv__body *b) {
    return (uint64_t)b->type | (uint64_t)b->pixels->stand_in << 2 | (uint64_t)b->locks << 4;
}

/// Transfers the numbers of every body.
PV__INLINE void tape_numbers(pv__stream *t, pv__body *b) {
    PV__TAPE_SPAN(t, pv__body, b, pose, pace);
    pv__stream_check_turn(t, &b->pose.turn);
    pv__stream_check_turn(t, &b->still_pose.turn);
    pv__stream_check_turn(t, &b->earlier_pose.turn);
}

/// Returns the body pixels of a picture, shared with an equal body if there is one. Returns null
/// without memory or with a broken stream.
static pv__body_pixels *body_pixels_of(pv__stream *t, pv_world *world, picture *p) {
    pv__kept_mask *k = &world->snapshot.masks[p->mask];
    pv__body_pixels *pixels = k->body < 0 ? NULL : world->bodies.items[k->body].pixels;
    if (pixels && pv__body_mask_is(pixels, k->mask, p->scale, p->stand_in, &p->materials)) {
        pixels->wearers++;
        return pixels;
    }
    /* The known sums are reused, as weighing a terrain takes longer than all other work. */
    pv__material_view *m = &p->materials;
    if (m->map && k->weighed.id == m->id && k->weighed.x == m->x && k->weighed.y == m->y)
        m->sums = k->weighed.sums;
    pv_status s = pv__body_mask_make(world, k->mask, p->scale, p->stand_in, m, &pixels);
    t->broken |= s == PV_ERROR_EMPTY || s == PV_ERROR_TOO_LARGE;
    if (s != PV_OK) return NULL;
    pixels->mask_id = p->mask;
    return pixels;
}

/// Gives a body that is read its pixels.
static bool dress(pv__stream *t, pv_world *world, int index, picture *p) {
    pv__body *b = &world->bodies.items[index];
    double mass = b->mass, inertia = b->inertia;
    t->broken |= p->mask >= world->snapshot.mask_count || !world->snapshot.masks[p->mask].mask ||
                 !pv__body_scale_in_range(p->scale) || !(mass > 0) || !(inertia > 0);
    t->broken |=
        !t->broken && !pv__material_view_covers(&p->materials, world->snapshot.masks[p->mask].mask);
    pv__body_pixels *pixels = t->broken ? NULL : body_pixels_of(t, world, p);
    if (!pixels) return false;
    world->snapshot.masks[p->mask].body = index;
    pv__body_mask_put_on(b, pixels, mass);
    b->inertia = inertia;
    pv__body_set_inverses(b);
    return true;
}

/// Sets the positions that follow from the pose.
static void stream_bodies_place(pv__body *b, uint64_t parts) {
    pv_vec2 before[2] = {b->before[0], b->before[1]};
    pv__pose_set(b, b->pose);
    for (int i = 0; i < 2; i++) b->before[i] = parts & MOVED ? before[i] : b->now[i];
    b->began = b->pose;
}

/// Transfers the index of a body's material map, and its place on the map.
static void tape_material_view(pv__stream *t, const pv_world *world, pv__material_view *m) {
    if (!world->bodies.mapped) return;
    int id = m->map ? m->id : -1;
    pv__stream_int(t, &id, -1, t->reads ? world->snapshot.map_count - 1 : 1 << 24);
    if (id < 0) return;
    pv__stream_int(t, &m->x, 0, PV__MAX_SIDE);
    pv__stream_int(t, &m->y, 0, PV__MAX_SIDE);
    if (!t->reads) return;
    m->id = id;
    m->map = world->snapshot.maps[id].map;
    t->broken |= !m->map;
}

/// Transfers the part of every body; for a free slot only the next one.
PV__INLINE void tape_core(pv__stream *t, pv__body *b, int count, picture *p, uint64_t *parts,
                          bool *breaks) {
    pv__stream_u32(t, &b->generation);
    pv__stream_int(t, &b->island, -1, count);
    if (!pv__body_is_alive(b)) return;
    uint64_t words[2] = {0};
    if (!t->reads) {
        uint64_t kind = stream_bodies_kind_of(b) | (uint64_t)*breaks << 7 | flags_of(b) << 8;
        words[0] = (uint32_t)p->mask | (kind | *parts << 16) << 32;
        words[1] = (uint64_t)(uintptr_t)b->user_data;
    }
    pv__stream_words(t, words, 2);
    tape_numbers(t, b);
    if (!t->reads) return;
    uint64_t kind = words[0] >> 32;
    t->broken |= (uint32_t)words[0] > 1 << 28 || kind >> 25 != 0;
    p->mask = (int)(words[0] & 0x1fffffff);
    stream_bodies_set_kind(t, b, p, kind);
    *breaks = kind >> 7 & 1;
    set_flags(b, kind >> 8 & 0xff);
    *parts = kind >> 16 & 0x1ff;
    b->user_data = (void *)(uintptr_t)words[1];
}

static picture picture_of(const pv__body *b) {
    const pv__body_pixels *g = b->pixels;
    return (picture){g->mask_id, g->scale, g->stand_in, g->materials};
}

/// Prefetches a body that is written soon. Nearly all of it is.
static inline void fetch_body(const pv_world *world, int index) {
    if (index >= world->bodies.count) return;
    const char *body = (const char *)&world->bodies.items[index];
#pragma GCC unroll 16
    for (size_t i = 0; i < sizeof(pv__body); i += 64) __builtin_prefetch(body + i);
}

/// Transfers one of count bodies; free slots may name later ones. A constant flag gives reading and
/// writing code of their own.
PV__INLINE bool tape_body(pv__stream *t, pv_world *world, int index, int count, bool reads) {
    pv__body *b = &world->bodies.items[index];
    uint64_t parts = pv__body_is_alive(b) ? parts_of(b) : 0;
    picture p =
        pv__body_is_alive(b) ? picture_of(b) : (picture){.scale = {1, 1}, .materials = {.id = -1}};
    bool breaks = !reads && !pv__fracture_is_default(&b->fracture);
    /* A local copy lets the compiler keep the stream in registers. */
    pv__stream own = *t;
    own.reads = reads;
    tape_core(&own, b, count, &p, &parts, &breaks);
    *t = own;
    if (!pv__body_is_alive(b)) return !t->broken;
    if (parts & SCALED) pv__stream_vec(t, &p.scale);
    tape_parts(t, b, parts);
    if (breaks) tape_fracture(t, &b->fracture);
    tape_material_view(t, world, &p.materials);
    if (!reads) return true;
    if (!dress(t, world, index, &p)) return false;
    stream_bodies_place(b, parts);
    return !t->broken;
}

/// Returns a body with the usual values of all optional parts.
static pv__body usual_body(void) {
    return (pv__body){
        .gravity_scale = 1,
        .filter = {1, 0xffffffff, 0},
        .fracture = pv_fracture_def_default(),
    };
}

static bool tape_all_bodies(pv__stream *t, pv_world *world) {
    const pv__body usual = usual_body();
    int count = world->bodies.count;
    pv__stream_int(t, &count, 0, 1 << 26);
    pv__stream_int(t, &world->bodies.free, -1, count - 1);
    if (t->reads && (!pv__stream_holds(t, count, 8) || !pv__body_reserve_slots(world, count) ||
                     !pv__events_reserve_changes(world, count)))
        return false;
    for (int i = 0; i < count && !t->reads; i++) {
        fetch_body(world, i + 3);
        tape_body(t, world, i, count, false);
    }
    for (int i = 0; i < count && t->reads; i++) {
        pv__body_fill_slot(world, world->bodies.count++, &usual);
        if (!tape_body(t, world, i, count, true)) return false;
    }
    return true;
}

/* ---- events ---- */

static bool tape_list(pv__stream *t, pv_world *world, pv__list *list, size_t size, size_t bytes) {
    return pv__stream_count(t, &world->def.allocator, &list->items, &list->capacity, &list->count,
                            size, bytes);
}

/// Transfers a list of pairs of ids.
static bool tape_pairs(pv__stream *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_contact_event), 16)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_contact_event *m = (pv_contact_event *)list->items + i;
        PV__TAPE_NAME(t, &m->a);
        PV__TAPE_NAME(t, &m->b);
    }
    return !t->broken;
}

static bool tape_names(pv__stream *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_body_id), 8)) return false;
    for (int i = 0; i < list->count; i++) PV__TAPE_NAME(t, (pv_body_id *)list->items + i);
    return !t->broken;
}

static bool tape_hits(pv__stream *t, pv_world *world) {
    pv__list *list = &world->events.hits;
    if (!tape_list(t, world, list, sizeof(pv_hit_event), 64)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_hit_event *hit = (pv_hit_event *)list->items + i;
        PV__TAPE_NAME(t, &hit->a);
        PV__TAPE_NAME(t, &hit->b);
        pv__stream_vec(t, &hit->point);
        pv__stream_vec(t, &hit->normal);
        pv__stream_double(t, &hit->speed);
        pv__stream_double(t, &hit->impulse);
    }
    return !t->broken;
}

static bool tape_breaks(pv__stream *t, const pv_world *world, pv_joint_break_event **breaks,
                        int *capacity, int *count) {
    if (!pv__stream_count(t, &world->def.allocator, breaks, capacity, count, sizeof **breaks, 41))
        return false;
    for (int i = 0; i < *count; i++) {
        pv_joint_break_event *b = *breaks + i;
        bool *const flags[] = {&b->carved};
        PV__TAPE_NAME(t, &b->joint);
        pv__stream_double(t, &b->force);
        pv__stream_vec(t, &b->point);
        pv__stream_pointer(t, &b->user_data);
        pv__stream_flags(t, flags, 1);
    }
    return !t->broken;
}

static bool tape_splits(pv__stream *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_split_event), 24)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_split_event *split = (pv_split_event *)list->items + i;
        PV__TAPE_NAME(t, &split->parent);
        PV__TAPE_NAME(t, &split->child);
        pv__stream_int(t, &split->x, 0, PV__MAX_SIDE);
        pv__stream_int(t, &split->y, 0, PV__MAX_SIDE);
    }
    return !t->broken;
}

static bool tape_dirt(pv__stream *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_dirty_rect), 24)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_dirty_rect *dirt = (pv_dirty_rect *)list->items + i;
        PV__TAPE_NAME(t, &dirt->body);
        int *const sides[] = {&dirt->rect.x, &dirt->rect.y, &dirt->rect.w, &dirt->rect.h};
        for (int k = 0; k < 4; k++) pv__stream_int(t, sides[k], 0, PV__MAX_SIDE);
    }
    return !t->broken;
}

/// Transfers the events of the last step.
static bool tape_told(pv__stream *t, pv_world *world) {
    pv__events *e = &world->events;
    pv__matter *m = &world->matter;
    return tape_pairs(t, world, &e->contact_begins) && tape_pairs(t, world, &e->contact_ends) &&
           tape_pairs(t, world, &e->sensor_begins) && tape_pairs(t, world, &e->sensor_ends) &&
           tape_names(t, world, &e->sleeps) && tape_names(t, world, &e->wakes) &&
           tape_names(t, world, &e->out_of_bounds) && tape_hits(t, world) &&
           tape_breaks(t, world, &m->joint_breaks, &m->joint_break_capacity, &m->joint_break_count);
}

/// Transfers the events of carving.
static bool tape_news(pv__stream *t, pv_world *world) {
    pv__events *e = &world->events;
    pv__matter *m = &world->matter;
    return tape_splits(t, world, &e->splits) && tape_dirt(t, world, &e->dirty_rects) &&
           tape_splits(t, world, &e->new_splits) && tape_dirt(t, world, &e->new_dirt) &&
           tape_breaks(t, world, &m->new_breaks, &m->new_break_capacity, &m->new_break_count);
}

static bool tape_inside(pv__stream *t, pv_world *world) {
    pv__list *list = &world->events.inside;
    if (!tape_list(t, world, list, sizeof(pv__stay), 16)) return false;
    for (int i = 0; i < list->count; i++) {
        pv__stay *s = (pv__stay *)list->items + i;
        PV__TAPE_NAME(t, &s->sensor);
        PV__TAPE_NAME(t, &s->visitor);
        if (t->reads) s->inside = true;
    }
    return !t->broken;
}

bool pv__stream_events(pv__stream *t, pv_world *world) {
    pv__events *e = &world->events;
    if (!tape_told(t, world) || !tape_inside(t, world) || !tape_pairs(t, world, &e->touching))
        return false;
    int changed = e->changed.count;
    pv__stream_int(t, &changed, 0, world->bodies.count);
    if (t->reads) e->changed.count = 0;
    for (int i = 0; i < changed && !t->broken; i++) {
        int index = t->reads ? 0 : ((int *)e->changed.items)[i];
        pv__stream_int(t, &index, 0, world->bodies.count - 1);
        if (t->reads) pv__events_note_change(world, &world->bodies.items[index]);
    }
    bool carved = e->splits.count + e->dirty_rects.count + e->new_splits.count + e->new_dirt.count +
                      world->matter.new_break_count >
                  0;
    bool *const flags[] = {&e->unseen, &e->blind, &carved};
    pv__stream_flags(t, flags, 3);
    if (carved && !tape_news(t, world)) return false;
    for (int i = 0; t->reads && i < world->bodies.count; i++)
        if (world->bodies.items[i].sensor && !pv__events_append(world, &e->sensors, &i, sizeof i))
            return false;
    return !t->broken;
}

bool pv__stream_bodies(pv__stream *t, pv_world *world) {
    if (!tape_all_bodies(t, world)) return false;
    if (t->reads) pv__squeeze_count_crushes(world);
    return true;
}

/* ---- changes ---- */

/// Bytes of the part of every body.
#define STREAM_BODIES_CORE                                                                         \
    (24 + offsetof(pv__body, pace) + sizeof(double) - offsetof(pv__body, pose))

/// Bytes of optional parts, by their bits.
static const unsigned char part_bytes[9] = {
    sizeof(pv_vec2[2]), sizeof(pv_vec2), sizeof(double[3]), sizeof(double[8]), 80, 16, 12, 24, 8};
/// Bytes of a fracture.
enum { FRACTURE_BYTES = 17 };

/// Returns the bytes of a body that is next in the base, or of any other number that is left.
static size_t bytes_of(const pv__changes *c, bool mapped) {
    pv__stream t = pv__changes_rest(c);
    uint64_t head[2];
    int map = -1;
    if (t.left < sizeof head) return 8;
    pv__stream_words(&t, head, 2);
    uint64_t kind = head[1] >> 32, parts = kind >> 16 & 0x1ff;
    if (!(head[0] & 1)) return 8;
    size_t bytes = STREAM_BODIES_CORE + (kind >> 7 & 1 ? FRACTURE_BYTES : 0);
    for (; parts; parts &= parts - 1) bytes += part_bytes[__builtin_ctzll(parts)];
    if (!mapped) return bytes;
    pv__stream_take(&t, bytes - sizeof head);
    pv__stream_int(&t, &map, -1, 0x7fffffff);
    return bytes + (map < 0 ? 4 : 12);
}

void pv__stream_bodies_changes(pv__changes *c, pv_world *world) {
    pv__stream head = pv__changes_record(c);
    pv__stream_int(&head, &world->bodies.count, 0, 1 << 26);
    pv__stream_int(&head, &world->bodies.free, -1, 1 << 26);
    pv__changes_add(c, head.used, head.used);
    for (int i = 0; i < world->bodies.count; i++) {
        pv__stream t = pv__changes_record(c);
        fetch_body(world, i + 3);
        tape_body(&t, world, i, world->bodies.count, false);
        pv__changes_add(c, t.used, bytes_of(c, world->bodies.mapped));
    }
}
