/* split.c - turns detached parts of a body into bodies of their own, or debris.
 *
 * Invariant: every pixel keeps its place, its weight and its velocity, whichever body it belongs to
 * afterward. Every step that can fail precedes the first change.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/split.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/wake.h"
#include "core/world_lock.h"
#include "grains/grains.h"
#include "joint/constraint.h"
#include "matter/particle.h"
#include "pixel/mask_ops.h"
#include "world/body.h"
#include "world/body_mask.h"

/// Greatest distance from an anchor to the pixels of the part that takes over its joint [px].
enum { SPLIT_HOLD = 16 };
/// Side of the squares that a chip breaks into [px].
enum { CHIP = 4 };

/* ---- before the cut ---- */

/// Creates a fragment. Returns PV_ERROR_EMPTY for a part without pixels at the body's scale.
static pv_status make_shard(pv_world *world, const pv__body *b, const pv__split *split, int part,
                            pv__fragment *shard) {
    const pv__fall *fall = &split->falls.parts[part];
    pv_error error;
    pv_mask *mask = pv__mask_like(fall->box.w, fall->box.h, b->pixels->mask, &error);
    if (!mask) return error.status;
    pv__detach_put(&split->falls, part, mask, fall->box.x, fall->box.y);
    *shard = (pv__fragment){.x = fall->box.x, .y = fall->box.y, .body = -1};
    pv__material_view own =
        pv__material_view_of_part(&b->pixels->materials, fall->box.x, fall->box.y);
    pv_status s = pv__body_mask_make(world, mask, b->pixels->scale, b->pixels->stand_in, &own,
                                     &shard->pixels);
    pv_mask_release(mask);
    return s;
}

/// Pixels that may become debris.
typedef struct clump {
    /// Number of pixels, and the sums of their weights and of their weighted coordinates
    int64_t area, n, x, y;
} clump;

static void add_pixel(const pv__body *b, int x, int y, clump *c) {
    int64_t weight = pv__material_map_weight_at(&b->pixels->materials, x, y);
    c->area++;
    c->n += weight;
    c->x += weight * x;
    c->y += weight * y;
}

static clump clump_of(const pv__body *b, const pv__falls *falls, int part) {
    clump c = {0};
    for (int i = falls->parts[part].first; i >= 0; i = falls->runs[i].next)
        for (int x = falls->runs[i].start; x < falls->runs[i].end; x++)
            add_pixel(b, x, falls->runs[i].y, &c);
    return c;
}

static pv_status add_crumb(const pv_world *world, const pv__body *b, const clump *c,
                           pv__split *split) {
    double n = (double)c->n;
    pv_vec2 center = {(double)c->x / n + 0.5, (double)c->y / n + 0.5};
    split->crumb_pixels += c->area;
    if (!b->fracture.spawn_debris || b->disabled) return PV_OK;
    return PV__APPEND(&world->def.allocator, split->crumbs, split->crumb_capacity,
                      split->crumb_count, (pv__debris){center, (double)c->area, n / 255})
               ? PV_OK
               : PV_ERROR_MEMORY;
}

static pv_status add_part(pv_world *world, const pv__body *b, int part, pv__split *split) {
    if (split->falls.parts[part].area >= b->fracture.min_part_pixels) {
        if (!PV__RESERVE(&world->def.allocator, split->shards, split->shard_capacity,
                         split->shard_count + 1))
            return PV_ERROR_MEMORY;
        pv_status s = make_shard(world, b, split, part, &split->shards[split->shard_count]);
        if (s == PV_OK) split->shard_count++;
        if (s != PV_ERROR_EMPTY) return s;
    }
    clump c = clump_of(b, &split->falls, part);
    return add_crumb(world, b, &c, split);
}

/// Turns the pixels of a chip into debris of a few pixels each.
static pv_status add_chips(const pv_world *world, const pv__body *b, const pv_mask *gone,
                           const pv__cut_out *out, pv__split *split) {
    pv_status s = PV_OK;
    for (int y = 0; y < gone->bits.h; y += CHIP)
        for (int x = 0; s == PV_OK && x < gone->bits.w; x += CHIP) {
            clump chip = {0};
            for (int i = 0; i < CHIP * CHIP; i++) {
                int u = x + i % CHIP, v = y + i / CHIP;
                if (pv_mask_get_pixel(gone, u, v))
                    add_pixel(b, out->rect.x + u, out->rect.y + v, &chip);
            }
            if (chip.area > 0) s = add_crumb(world, b, &chip, split);
        }
    return s;
}

/// Extends a cut by the detached parts.
static pv_status widen_cut(const pv_mask *like, const pv__falls *falls, pv_mask **gone,
                           pv__cut_out *out) {
    pv_rect rect = out->rect;
    pv_error error;
    for (int i = 0; i < falls->count; i++) rect = pv__rect_join(rect, falls->parts[i].box);
    pv_mask *wide = pv__mask_like(rect.w, rect.h, like, &error);
    if (!wide) return error.status;
    pv_mask_combine(wide, *gone, out->rect.x - rect.x, out->rect.y - rect.y, PV_COMBINE_OR);
    for (int i = 0; i < falls->count; i++) {
        const pv__fall *part = &falls->parts[i];
        pv__detach_put(falls, i, wide, rect.x, rect.y);
        out->box = pv__rect_join(out->box, part->box);
        out->count += part->area;
    }
    pv_mask_release(*gone);
    *gone = wide;
    out->rect = rect;
    return PV_OK;
}

static pv_status reserve(pv_world *world, const pv__split *split) {
    int joints = world->bodies.items[split->index].joint_count;
    bool room = pv__events_reserve_news(world, split->shard_count + 1) &&
                pv__constraint_reserve_let_go(world, joints) &&
                (split->shard_count == 0 || pv__body_reserve(world, split->shard_count)) &&
                (split->crumb_count == 0 || pv__particle_reserve(world, split->crumb_count));
    return room ? PV_OK : PV_ERROR_MEMORY;
}

pv_status pv__split_make(pv_world *world, int index, pv__cut_use use, pv_mask **gone,
                         pv__cut_out *out, pv__split *split) {
    const pv__body *b = &world->bodies.items[index];
    const pv_fracture_def *f = &b->fracture;
    pv_status s = PV_OK;
    *split = (pv__split){.index = index, .use = use, .falls.allocator = world->def.allocator};
    if (use == PV__CUT_CHIPS) s = add_chips(world, b, *gone, out, split);
    if (s == PV_OK && use != PV__CUT_ADDS)
        s = pv__detach_find(b->pixels->mask, *gone, out, f->connectivity, f->min_part_pixels,
                            &world->def.allocator, &split->falls);
    for (int i = 0; s == PV_OK && i < split->falls.count; i++) s = add_part(world, b, i, split);
    if (s == PV_OK && split->falls.count > 0)
        s = widen_cut(b->pixels->mask, &split->falls, gone, out);
    split->changed = out->box;
    split->gone = use == PV__CUT_ADDS ? NULL : *gone;
    split->gone_at = (pv_point){out->rect.x, out->rect.y};
    return s == PV_OK ? reserve(world, split) : s;
}

pv_status pv__split_rest(pv_world *world, const pv_mask *gone, const pv__cut_out *out,
                         pv__split *split) {
    const pv__body *b = &world->bodies.items[split->index];
    const pv__bits *bits = &b->pixels->mask->bits;
    clump rest = {0};
    split->is_spent = true;
    for (int y = 0; y < bits->h; y++)
        for (pv__run run = {0, 0}; pv__mask_run_next(bits, y, &run);)
            for (int x = run.start; x < run.end; x++)
                if (!pv_mask_get_pixel(gone, x - out->rect.x, y - out->rect.y))
                    add_pixel(b, x, y, &rest);
    if (rest.area == 0) return PV_OK;
    pv_status s = add_crumb(world, b, &rest, split);
    return s == PV_OK ? reserve(world, split) : s;
}

void pv__split_free(pv_world *world, pv__split *split) {
    const pv_allocator *from = &world->def.allocator;
    for (int i = 0; i < split->shard_count; i++)
        if (split->shards[i].body < 0) pv__body_mask_drop(world, split->shards[i].pixels);
    PV__FREE(from, split->shards, split->shard_capacity);
    PV__FREE(from, split->crumbs, split->crumb_capacity);
    pv__detach_free(&split->falls);
}

/* ---- bodies ---- */

/// Returns a body with all members that a fragment inherits from its parent.
static pv__body heir_of(const pv__body *was) {
    bool falls = was->type == PV_BODY_STATIC && !was->fracture.keep_static;
    pv_body_type type = falls ? PV_BODY_DYNAMIC : was->type;
    return (pv__body){
        .material = was->material,
        .rolling_resistance = was->rolling_resistance,
        .user_data = was->user_data,
        .fracture = was->fracture,
        .filter = was->filter,
        .type = type,
        .gravity_scale = was->gravity_scale,
        .linear_damping = was->linear_damping,
        .angular_damping = was->angular_damping,
        .locks = was->locks,
        .tangent_speed = was->tangent_speed,
        .one_way = was->one_way,
        .sensor = was->sensor,
        .disabled = was->disabled,
        .awake = type != PV_BODY_STATIC && !was->disabled,
        .told_awake = true,
        .island = -1,
        .drive = was->drive,
        .loaded = was->loaded,
        .acceleration = was->acceleration,
        .verlet_dt0 = was->verlet_dt0,
    };
}

/// Returns the vector from a body's center to a point of its picture, in the world.
static pv_vec2 arm_to(const pv__body *b, pv_vec2 place) {
    return pv__rotate(b->pose.turn,
                      pv__scale(b->pixels->scale, pv__sub(place, b->pixels->picture_pivot)));
}

/// Returns a fragment's center of mass in the parent's picture.
static pv_vec2 center_of(const pv__fragment *shard) {
    return pv__add(shard->pixels->picture_pivot, pv__vec(shard->x, shard->y));
}

/// Gives a fragment the pose and the velocity that its pixels had in the parent.
static void split_place(pv__body *b, const pv__body *was, pv_vec2 arm) {
    pv__pose before = pv__pose_before(was), now = was->pose;
    before.center =
        pv__mad(pv__add(before.center, arm), -pv__pose_chord_of(was).angle, pv__perp(arm));
    now.center = pv__into_world(pv__add(now.center, arm));
    pv__pose_set(b, before);
    pv__pose_advance_to(b, now);
    b->began = now;
    pv__wake_forget_rest(b);
}

static void hatch(pv_world *world, const pv__body *was, pv__fragment *shard) {
    /* This cannot fail, because the memory is reserved. */
    shard->body = pv__body_take_slot(world);
    pv__body *b = &world->bodies.items[shard->body], heir = heir_of(was);
    heir.generation = b->generation + 1;
    heir.changed = b->changed;
    heir.first_contact = b->first_contact;
    pv__body_fill_slot(world, shard->body, &heir);
    double mass = was->mass / was->pixels->weight * shard->pixels->weight;
    pv__body_mask_put_on(b, shard->pixels, pv__clamp(mass, PV__LEAST_MASS, PV__MOST_MASS));
    b->looks = pv__bits_digest(&b->pixels->mask->bits);
    split_place(b, was, arm_to(was, center_of(shard)));
    pv__body_enter(world, shard->body);
}

static void note_split(pv_world *world, pv_body_id parent, const pv__fragment *shard) {
    pv__list *list = &world->events.new_splits;
    pv_body_id child = pv__handle_of_body(world, shard->body);
    const pv__bits *bits = &shard->pixels->mask->bits;
    ((pv_split_event *)list->items)[list->count++] =
        (pv_split_event){parent, child, shard->x, shard->y};
    pv__events_note_dirty_rect(world, child, (pv_rect){0, 0, bits->w, bits->h});
}

/* ---- joints and their anchors ---- */

/// Returns the squared distance from a point to a mask's nearest solid pixel, up to SPLIT_HOLD^2 +
/// 1 [px^2].
static double farness(const pv_mask *mask, pv_vec2 p) {
    double least = SPLIT_HOLD * SPLIT_HOLD + 1.0;
    const double w = mask->bits.w, h = mask->bits.h;
    int left = (int)pv__clamp(p.x - SPLIT_HOLD, 0, w),
        right = (int)pv__clamp(p.x + SPLIT_HOLD, 0, w - 1);
    int top = (int)pv__clamp(p.y - SPLIT_HOLD, 0, h),
        bottom = (int)pv__clamp(p.y + SPLIT_HOLD, 0, h - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            if (!pv__bits_get(&mask->bits, x, y)) continue;
            double dx = pv__max(pv__max(x - p.x, p.x - x - 1), 0),
                   dy = pv__max(pv__max(y - p.y, p.y - y - 1), 0);
            least = pv__min(least, dx * dx + dy * dy);
        }
    return least;
}

/// Returns the fragment nearest to a point of the parent's picture, or -1 if the remaining body is
/// nearest. Sets *far to the squared distance [px^2].
static int part_at(const pv_world *world, const pv__split *split, pv_vec2 p, double *far) {
    const pv_mask *left = world->bodies.items[split->index].pixels->mask;
    double least = split->is_spent ? SPLIT_HOLD * SPLIT_HOLD + 2.0 : farness(left, p);
    int part = split->is_spent ? 0 : -1;
    for (int i = 0; i < split->shard_count && least > 0; i++) {
        const pv__fragment *shard = &split->shards[i];
        double there = farness(shard->pixels->mask, pv__sub(p, pv__vec(shard->x, shard->y)));
        if (there >= least) continue;
        least = there;
        part = i;
    }
    *far = least;
    return part;
}

/// Returns the point of a body's picture at which a joint is anchored.
static pv_vec2 place_held(const pv__body *b, const pv__anchor *grip) {
    return pv__add(b->pixels->picture_pivot,
                   pv__vec(grip->local.x / b->pixels->scale.x, grip->local.y / b->pixels->scale.y));
}

/// Tells whether the pixels at an anchor were removed, and no remaining pixels are as near to it.
static bool is_bared(const pv_world *world, const pv__split *split, const pv__anchor *grip) {
    if (grip->body != split->index) return false;
    pv_vec2 at = place_held(&world->bodies.items[split->index], grip);
    double far,
        was = farness(split->gone, pv__sub(at, pv__vec(split->gone_at.x, split->gone_at.y)));
    if (was > SPLIT_HOLD * SPLIT_HOLD) return false;
    part_at(world, split, at, &far);
    return sqrt(far) > sqrt(was) + PV__CLOSE;
}

static bool is_let_go(const pv_world *world, const pv__split *split, const pv__constraint *c) {
    if (split->is_spent && split->shard_count == 0) return true;
    return !c->keep_when_carved && (is_bared(world, split, &c->a) || is_bared(world, split, &c->b));
}

static void hand_on(pv_world *world, const pv__split *split, pv__anchor *grip) {
    pv__body *b = &world->bodies.items[split->index];
    if (grip->body != split->index || split->shard_count == 0) return;
    pv_vec2 at = place_held(b, grip);
    double far;
    int part = part_at(world, split, at, &far);
    if (part < 0) return;
    const pv__fragment *shard = &split->shards[part];
    grip->body = shard->body;
    grip->local = pv__scale(b->pixels->scale, pv__sub(at, center_of(shard)));
    world->bodies.items[shard->body].joint_count++;
    b->joint_count--;
    world->matter.loose = true;
}

/// Hands a body's joints over to its fragments, or releases them.
static void hand_on_all(pv_world *world, const pv__split *split) {
    pv__matter *m = &world->matter;
    int index = split->index;
    if (world->bodies.items[index].joint_count == 0 || !split->gone) return;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        pv__constraint *c = &m->constraints[i];
        if (!pv__slot_lives(&c->slot) || (c->a.body != index && c->b.body != index)) continue;
        if (is_let_go(world, split, c)) {
            pv__constraint_let_go(world, i);
            continue;
        }
        hand_on(world, split, &c->a);
        hand_on(world, split, &c->b);
    }
}

/* ---- debris ---- */

/// Creates the particle of a piece of debris. Returns false for one that would be out of range.
static bool fly(pv_world *world, const pv__body *was, const pv__debris *crumb) {
    pv_particle_def def = pv_particle_def_default();
    pv_vec2 arm = arm_to(was, crumb->center);
    double size = pv__abs(was->pixels->scale.x * was->pixels->scale.y), area = crumb->area * size;
    def.position = pv__add(was->pose.center, arm);
    def.velocity = pv__mad(pv__pose_velocity(world, was), pv__pose_angular_velocity(world, was),
                           pv__perp(arm));
    def.mass = was->mass / was->pixels->weight * (crumb->weight * size);
    def.radius = pv__min(sqrt(area / PV__PI), PV__MOST_PARTICLE_RADIUS);
    def.restitution = was->material.restitution;
    def.static_friction = was->material.static_friction;
    def.friction = was->material.kinetic_friction;
    def.collides = !was->sensor;
    def.filter = was->filter;
    if (!pv__placeable(def.position) || !pv__placeable(def.velocity)) return false;
    if (!pv__is_mass(def.mass)) return false;
    pv_error error;
    pv_particle_create(world, &def, &error);
    return error.status == PV_OK;
}

/* ---- after the cut ---- */

void pv__split_commit(pv_world *world, const pv__body *was, pv__split *split,
                      pv_carve_result *carved) {
    pv_body_id parent = pv__handle_of_body(world, split->index);
    for (int i = 0; i < split->shard_count; i++) {
        hatch(world, was, &split->shards[i]);
        note_split(world, parent, &split->shards[i]);
    }
    if (!split->is_spent) pv__events_note_dirty_rect(world, parent, split->changed);
    hand_on_all(world, split);
    for (int i = 0; i < split->crumb_count; i++)
        carved->debris_particles += fly(world, was, &split->crumbs[i]);
    carved->body_count = split->shard_count + !split->is_spent;
    carved->debris_pixels = split->crumb_pixels;
}

/// Sets, in a mask, the lost pixels that became bodies or particles.
static void mark_kept(const pv__split *split, pv_mask *kept) {
    for (int i = 0; i < split->shard_count; i++) {
        const pv__fragment *shard = &split->shards[i];
        pv_mask_combine(kept, shard->pixels->mask, shard->x - split->gone_at.x,
                        shard->y - split->gone_at.y, PV_COMBINE_OR);
    }
    for (int i = 0; split->crumb_count > 0 && i < split->falls.count; i++)
        pv__detach_put(&split->falls, i, kept, split->gone_at.x, split->gone_at.y);
}

void pv__split_feed_grains(pv_world *world, pv_body_id body, const pv__body *was,
                           const pv__split *split) {
    pv_error own, *error = pv__error_begin(__func__, &own, NULL);
    bool flies = split->use == PV__CUT_CHIPS && split->crumb_count > 0;
    if (world->grains.pool.living == 0 || flies) return;
    pv_mask *lost = pv__mask_double(error, split->gone);
    pv_mask *kept = pv__mask_like(split->gone->bits.w, split->gone->bits.h, split->gone, error);
    if (lost && kept) {
        mark_kept(split, kept);
        pv_mask_combine(lost, kept, 0, 0, PV_COMBINE_ANDNOT);
        pv__grains_follow_loss(world, body, was, lost, split->gone_at);
    } else {
        world->out_of_memory = true;
    }
    pv_mask_release(kept);
    pv_mask_release(lost);
}

void pv__split_tell(pv_world *world, pv_body_id parent, const pv__split *split) {
    pv__world_lock busy;
    if (!world->def.split_callback) return;
    pv__world_lock_begin(&busy, world);
    for (int i = 0; i < split->shard_count; i++) {
        int child = split->shards[i].body;
        world->bodies.items[child].user_data = world->def.split_callback(
            world->def.split_user_data, world, parent, pv__handle_of_body(world, child));
    }
    pv__world_lock_end(&busy);
}
