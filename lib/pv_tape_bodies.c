/* pv_tape_bodies.c - bodies and events as bytes.
 *
 * Invariant: all that a later step depends on is there and nothing that follows from the rest, but where following it would take
 * longer than reading it. What most bodies leave as it is takes a bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"
#include "pv_tape.h"

bool pv__tape_count(pv__tape *t, const pv_allocator *allocator, void *items, int *capacity, int *count,
                    size_t size, size_t bytes) {
    pv__tape_int(t, count, 0, 1 << 28);
    if (!t->reads) return true;
    t->broken |= (size_t)*count > t->left / bytes;
    if (t->broken) *count = 0;
    return !t->broken && pv__reserve(allocator, items, capacity, *count, size);
}

/* ---- bodies ---- */

/// What a body has that most have not: a bit for each.
enum { MOVED = 1, PULLED = 2, FORCED = 4, SPECIAL = 8, DRIVEN = 16, SCALED = 32, FILTERED = 64, CHANGED = 128 };

/// Tells whether any bit of numbers side by side is set: -0 has one.
static bool some(const double *numbers, int count) {
    uint64_t word, all = 0;
    for (int i = 0; i < count; i++) {
        memcpy(&word, &numbers[i], sizeof word);
        all |= word;
    }
    return all != 0;
}

#define SOME(b, first, last)                                                                                   \
    some((const double *)(const void *)((const char *)(b) + offsetof(pv__body, first)),                        \
         (int)((offsetof(pv__body, last) - offsetof(pv__body, first) + sizeof(b)->last) / sizeof(double)))

static uint64_t parts_of(const pv__body *b) {
    bool special = b->gravity_scale != 1 || SOME(b, linear_damping, one_way);
    return (memcmp(b->now, b->before, sizeof b->now) ? MOVED : 0) |
           (SOME(b, acceleration, acceleration) ? PULLED : 0) | (SOME(b, force, torque) ? FORCED : 0) |
           (special ? SPECIAL : 0) | (b->drive.step ? DRIVEN : 0) |
           (b->scale.x != 1 || b->scale.y != 1 ? SCALED : 0) | (pv__is_filtered(b->filter) ? FILTERED : 0) |
           ((b->looks || b->crowded || b->crushed) ? CHANGED : 0);
}

static void tape_drive(pv__tape *t, pv__drive *d) {
    pv__tape_u64(t, &d->step);
    pv__tape_vec(t, &d->velocity);
    pv__tape_double(t, &d->spin);
    pv__tape_vec(t, &d->change);
    pv__tape_double(t, &d->turn);
    pv__tape_vec(t, &d->acceleration);
    pv__tape_double(t, &d->twist);
}

static void tape_parts(pv__tape *t, pv__body *b, uint64_t parts) {
    if (parts & MOVED) PV__TAPE_SPAN(t, pv__body, b, before, before);
    if (parts & PULLED) pv__tape_vec(t, &b->acceleration);
    if (parts & FORCED) PV__TAPE_SPAN(t, pv__body, b, force, torque);
    if (parts & SPECIAL) PV__TAPE_SPAN(t, pv__body, b, gravity_scale, one_way);
    if (parts & DRIVEN) tape_drive(t, &b->drive);
    if (parts & FILTERED) pv__tape_filter(t, &b->filter);
    if (parts & CHANGED) pv__tape_u64(t, &b->looks), pv__tape_u64(t, &b->crowded), pv__tape_u64(t, &b->crushed);
}

static void tape_fracture(pv__tape *t, pv_fracture *f) {
    bool wide = f->neighbours == PV_NEIGHBOURS_8;
    bool *const flags[] = {&wide, &f->crumbs_fly, &f->stays};
    pv__tape_flags(t, flags, 3);
    if (t->reads) f->neighbours = wide ? PV_NEIGHBOURS_8 : PV_NEIGHBOURS_4;
    pv__tape_int(t, &f->least, 1, 0x7fffffff);
    pv__tape_enum(t, &f->crack, PV_CRACK_NECK);
    pv__tape_double(t, &f->toughness);
    t->broken |= pv__fracture_check(f) != PV_OK;
}

static uint64_t flags_of(const pv__body *b) {
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

/// Transfers type, flags and parts.
PV__INLINE void tape_kind(pv__tape *t, pv__body *b, uint64_t *parts, bool *breaks) {
    uint64_t kind =
        (uint64_t)b->type | (uint64_t)b->stand_in << 2 | (uint64_t)b->locks << 4 | (uint64_t)*breaks << 7;
    uint64_t flags = flags_of(b);
    pv__tape_u8(t, &kind);
    pv__tape_u8(t, &flags);
    pv__tape_u8(t, parts);
    if (!t->reads) return;
    t->broken |= (kind & 3) > PV_BODY_DYNAMIC || (kind >> 2 & 3) > PV_STAND_IN_BOX;
    b->type = (pv_body_type)(t->broken ? 0 : kind & 3);
    b->stand_in = (pv_stand_in)(t->broken ? 0 : kind >> 2 & 3);
    b->locks = (unsigned)(kind >> 4 & PV__LOCKS);
    *breaks = kind >> 7;
    set_flags(b, flags);
}

/// Numbers that every body has.
PV__INLINE void tape_numbers(pv__tape *t, pv__body *b) {
    PV__TAPE_SPAN(t, pv__body, b, pose, pace);
    pv__tape_check_turn(t, &b->pose.turn);
    pv__tape_check_turn(t, &b->still_pose.turn);
    pv__tape_check_turn(t, &b->earlier_pose.turn);
}

/// What follows from a mask is taken from another body that has it at the same scale, which is faster than to ask the mask.
static bool dress_alike(const pv_world *world, pv__body *b, const pv__makeup *makeup, int mask) {
    int other = world->masks[mask].body;
    if (other < 0) return false;
    const pv__body *from = &world->bodies[other];
    const pv__makeup *m = &from->makeup;
    if (from->scale.x != b->scale.x || from->scale.y != b->scale.y || from->stand_in != b->stand_in)
        return false;
    if (m->map != makeup->map || m->x != makeup->x || m->y != makeup->y) return false;
    b->makeup = *m;
    pv_material_map_retain(m->map);
    b->mask = pv_mask_retain(from->mask);
    b->form = pv_mask_retain(from->form);
    b->shape = from->shape;
    b->pivot = from->pivot;
    b->picture_pivot = from->picture_pivot;
    b->half_stick = from->half_stick;
    b->reach = from->reach;
    b->area = from->area;
    b->weight = from->weight;
    return true;
}

/// The looks of a body that is read: what follows from its mask.
static bool dress(pv__tape *t, pv_world *world, int index, int mask, pv__makeup *makeup) {
    pv__body *b = &world->bodies[index];
    pv__guise guise;
    double m = b->mass, inertia = b->inertia;
    t->broken |= mask >= world->mask_count || !world->masks[mask].mask || !pv__scale_in_range(b->scale) ||
                 !(m > 0) || !(inertia > 0);
    t->broken |= !t->broken && !pv__makeup_covers(makeup, world->masks[mask].mask);
    if (t->broken) return false;
    const pv__makeup *weighed = &world->masks[mask].weighed; /* to weigh a terrain takes longer than all else */
    if (makeup->map && weighed->id == makeup->id && weighed->x == makeup->x && weighed->y == makeup->y)
        makeup->sums = weighed->sums;
    if (!dress_alike(world, b, makeup, mask)) {
        pv_status s = pv__guise_make(world, world->masks[mask].mask, b->scale, b->stand_in, makeup, &guise);
        t->broken |= s == PV_ERROR_EMPTY || s == PV_ERROR_TOO_LARGE;
        if (s != PV_OK) return false;
        pv__guise_put_on(b, &guise, 1);
    }
    world->masks[mask].body = index;
    b->mass = m;
    b->inertia = inertia;
    pv__set_inverses(b);
    return true;
}

/// Places that follow from the pose.
static void place(pv__body *b, uint64_t parts) {
    pv_vec2 before[2] = {b->before[0], b->before[1]};
    pv__set_pose(b, b->pose);
    for (int i = 0; i < 2; i++) b->before[i] = parts & MOVED ? before[i] : b->now[i];
    b->began = b->pose;
}

/// Which of the world's maps it is made by, and where it lies on that.
static void tape_makeup(pv__tape *t, const pv_world *world, pv__makeup *m) {
    if (!world->mapped) return;
    int id = m->map ? m->id : -1;
    pv__tape_int(t, &id, -1, t->reads ? world->map_count - 1 : 1 << 24);
    if (id < 0) return;
    pv__tape_int(t, &m->x, 0, PV__MAX_SIDE);
    pv__tape_int(t, &m->y, 0, PV__MAX_SIDE);
    if (!t->reads) return;
    m->id = id;
    m->map = world->maps[id].map;
    t->broken |= !m->map;
}

/// Transfers the part that every body has; of a free slot only the next one.
PV__INLINE void tape_core(pv__tape *t, pv__body *b, int count, int *mask, uint64_t *parts, bool *breaks) {
    pv__tape_u32(t, &b->generation);
    pv__tape_int(t, &b->island, -1, count);
    if (!pv__alive(b)) return;
    pv__tape_int(t, mask, 0, 1 << 28);
    tape_kind(t, b, parts, breaks);
    tape_numbers(t, b);
    pv__tape_int(t, &b->holds, 0, 1 << 28);
    pv__tape_pointer(t, &b->user_data);
}

/// One of so many: free slots may name later ones.
static bool tape_body(pv__tape *t, pv_world *world, int index, int count) {
    pv__body *b = &world->bodies[index];
    uint64_t parts = pv__alive(b) ? parts_of(b) : 0;
    int mask = b->mask_id;
    bool breaks = !t->reads && !pv__is_fracture_default(&b->fracture);
    pv__tape own = *t; // that the compiler may keep in registers
    tape_core(&own, b, count, &mask, &parts, &breaks);
    *t = own;
    if (!pv__alive(b)) return !t->broken;
    if (parts & SCALED) pv__tape_vec(t, &b->scale);
    tape_parts(t, b, parts);
    if (breaks) tape_fracture(t, &b->fracture);
    pv__makeup makeup = t->reads ? (pv__makeup){.id = -1} : b->makeup;
    tape_makeup(t, world, &makeup);
    if (!t->reads) return true;
    if (!dress(t, world, index, mask, &makeup)) return false;
    b->mask_id = mask;
    place(b, parts);
    return !t->broken;
}

/// Number of slots that are cleared at a time: they stay in the cache.
enum { AT_ONCE = 8 };

/// Adds slots for which there is room, with what is not on the tape of a body that leaves it as it is.
static void add_bodies(pv_world *world, int more) {
    const pv_fracture fracture = pv_fracture_default();
    pv__body *bodies = &world->bodies[world->body_count];
    memset(bodies, 0, (size_t)more * sizeof *bodies);
    for (int i = 0; i < more; i++) {
        bodies[i].gravity_scale = bodies[i].scale.x = bodies[i].scale.y = 1;
        bodies[i].filter = (pv_filter){1, 0xffffffff, 0};
        bodies[i].fracture = fracture;
        bodies[i].mask_id = -1;
    }
    world->body_count += more;
}

static bool tape_all_bodies(pv__tape *t, pv_world *world) {
    int count = world->body_count;
    pv__tape_int(t, &count, 0, 1 << 26);
    pv__tape_int(t, &world->body_free, -1, count - 1);
    if (t->reads &&
        (!pv__tape_holds(t, count, 8) ||
         !pv__reserve(&world->def.allocator, &world->bodies, &world->body_capacity, count, sizeof(pv__body)) ||
         !pv__reserve_changes(world, count)))
        return false;
    for (int i = 0; i < count; i++) {
        if (t->reads && i % AT_ONCE == 0) add_bodies(world, pv__sooner(count - i, AT_ONCE));
        if (!tape_body(t, world, i, count)) return false;
    }
    return true;
}

/* ---- events ---- */

static bool tape_list(pv__tape *t, pv_world *world, pv__list *list, size_t size, size_t bytes) {
    return pv__tape_count(t, &world->def.allocator, &list->items, &list->capacity, &list->count, size, bytes);
}

/// A list of pairs of names.
static bool tape_pairs(pv__tape *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_meeting), 16)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_meeting *m = (pv_meeting *)list->items + i;
        PV__TAPE_NAME(t, &m->a);
        PV__TAPE_NAME(t, &m->b);
    }
    return !t->broken;
}

static bool tape_names(pv__tape *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_body), 8)) return false;
    for (int i = 0; i < list->count; i++) PV__TAPE_NAME(t, (pv_body *)list->items + i);
    return !t->broken;
}

static bool tape_hits(pv__tape *t, pv_world *world) {
    pv__list *list = &world->events.hits;
    if (!tape_list(t, world, list, sizeof(pv_hit), 64)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_hit *hit = (pv_hit *)list->items + i;
        PV__TAPE_NAME(t, &hit->a);
        PV__TAPE_NAME(t, &hit->b);
        pv__tape_vec(t, &hit->point);
        pv__tape_vec(t, &hit->normal);
        pv__tape_double(t, &hit->speed);
        pv__tape_double(t, &hit->impulse);
    }
    return !t->broken;
}

static bool tape_breaks(pv__tape *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__tape_count(t, &world->def.allocator, &m->breaks, &m->break_capacity, &m->break_count,
                        sizeof *m->breaks, 40))
        return false;
    for (int i = 0; i < m->break_count; i++) {
        PV__TAPE_NAME(t, &m->breaks[i].constraint);
        pv__tape_double(t, &m->breaks[i].force);
        pv__tape_vec(t, &m->breaks[i].point);
        pv__tape_pointer(t, &m->breaks[i].user_data);
    }
    return !t->broken;
}

static bool tape_splits(pv__tape *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_split), 24)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_split *split = (pv_split *)list->items + i;
        PV__TAPE_NAME(t, &split->parent);
        PV__TAPE_NAME(t, &split->child);
        pv__tape_int(t, &split->x, 0, PV__MAX_SIDE);
        pv__tape_int(t, &split->y, 0, PV__MAX_SIDE);
    }
    return !t->broken;
}

static bool tape_dirt(pv__tape *t, pv_world *world, pv__list *list) {
    if (!tape_list(t, world, list, sizeof(pv_dirt), 24)) return false;
    for (int i = 0; i < list->count; i++) {
        pv_dirt *dirt = (pv_dirt *)list->items + i;
        PV__TAPE_NAME(t, &dirt->body);
        int *const sides[] = {&dirt->rect.x, &dirt->rect.y, &dirt->rect.w, &dirt->rect.h};
        for (int k = 0; k < 4; k++) pv__tape_int(t, sides[k], 0, PV__MAX_SIDE);
    }
    return !t->broken;
}

/// What was told of the last step.
static bool tape_told(pv__tape *t, pv_world *world) {
    pv__events *e = &world->events;
    return tape_pairs(t, world, &e->begins) && tape_pairs(t, world, &e->ends) &&
           tape_pairs(t, world, &e->enters) && tape_pairs(t, world, &e->leaves) &&
           tape_names(t, world, &e->sleeps) && tape_names(t, world, &e->wakes) &&
           tape_names(t, world, &e->strays) && tape_hits(t, world) && tape_breaks(t, world);
}

/// What was carved.
static bool tape_news(pv__tape *t, pv_world *world) {
    pv__events *e = &world->events;
    return tape_splits(t, world, &e->splits) && tape_dirt(t, world, &e->dirt) &&
           tape_splits(t, world, &e->new_splits) && tape_dirt(t, world, &e->new_dirt);
}

static bool tape_inside(pv__tape *t, pv_world *world) {
    pv__list *list = &world->events.inside;
    if (!tape_list(t, world, list, sizeof(pv__stay), 16)) return false;
    for (int i = 0; i < list->count; i++) {
        pv__stay *s = (pv__stay *)list->items + i;
        PV__TAPE_NAME(t, &s->sensor);
        PV__TAPE_NAME(t, &s->visitor);
        if (t->reads) s->inside = true, s->through = false;
    }
    return !t->broken;
}

static bool tape_events(pv__tape *t, pv_world *world) {
    pv__events *e = &world->events;
    if (!tape_told(t, world) || !tape_inside(t, world) || !tape_pairs(t, world, &e->touching)) return false;
    int changed = e->changed.count;
    pv__tape_int(t, &changed, 0, world->body_count);
    if (t->reads) e->changed.count = 0;
    for (int i = 0; i < changed && !t->broken; i++) {
        int index = t->reads ? 0 : ((int *)e->changed.items)[i];
        pv__tape_int(t, &index, 0, world->body_count - 1);
        if (t->reads) pv__note_change(world, &world->bodies[index]);
    }
    bool carved = e->splits.count + e->dirt.count + e->new_splits.count + e->new_dirt.count > 0;
    bool *const flags[] = {&e->unseen, &e->blind, &carved};
    pv__tape_flags(t, flags, 3);
    if (carved && !tape_news(t, world)) return false;
    for (int i = 0; t->reads && i < world->body_count; i++)
        if (world->bodies[i].sensor && !pv__append(world, &e->sensors, &i, sizeof i)) return false;
    return !t->broken;
}

bool pv__tape_bodies(pv__tape *t, pv_world *world) {
    if (!tape_all_bodies(t, world)) return false;
    if (t->reads) pv__count_crushes(world);
    return tape_events(t, world);
}
