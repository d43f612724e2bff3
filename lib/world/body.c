/* body.c - creates, destroys and reads bodies.
 *
 * Invariant: a body is created as its def says, or not at all, with the reason in the status. No
 * number that is not finite gets into a body.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "world/body.h"
#include "base/error.h"
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/body_bitmap.h"
#include "core/events.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "core/world_lock.h"
#include "joint/constraint.h"
#include "pixverlet/paper.h"
#include "world/body_mask.h"
#include "world/body_set.h"

#define BODY_REFUSE(world, status) pv__report_refusal(world, __func__, status)

/* ---- ids ---- */

pv_body_id pv_world_get_next_body(const pv_world *world, pv_body_id body) {
    if (world && (body.index == 0 || pv__handle_body(world, body)))
        for (int i = (int)body.index; i < world->bodies.count; i++)
            if (pv__body_is_alive(&world->bodies.items[i])) return pv__handle_of_body(world, i);
    return (pv_body_id){0, 0};
}

/* ---- creation and destruction ---- */

pv_body_def pv_body_def_default(void) {
    return (pv_body_def){
        .type = PV_BODY_DYNAMIC,
        .density = 1,
        .restitution = 0.2,
        .enabled = true,
        .static_friction = -1,
        .friction = 0.5,
        .gravity_scale = 1,
        .scale = {1, 1},
        .filter = {1, 0xffffffff, 0},
        .cookie = PV__COOKIE,
    };
}

/// Tells whether a def's motion is in range.
static bool motion_in_range(const pv_body_def *def) {
    return pv__placeable(def->position) && pv__abs(def->angle) <= 1e6 &&
           pv__body_velocity_in_range(def->velocity, def->angular_velocity) &&
           pv__abs(def->gravity_scale) <= 1e3 &&
           pv__body_damping_in_range(def->linear_damping, def->angular_damping) &&
           def->motion_locks <= PV__LOCKS;
}

static bool body_mass_in_range(const pv_body_def *def) {
    bool dense = def->mass == 0 && def->density >= 1e-6 && def->density <= 1e6;
    return dense || pv__is_mass(def->mass);
}

static double def_static_friction(const pv_body_def *def) {
    return pv__impulse_static_friction(def->static_friction, def->friction);
}

static bool surface_in_range(const pv_body_def *def) {
    return pv__body_material_in_range(def->restitution, def_static_friction(def), def->friction) &&
           def->rolling_resistance >= 0 && def->rolling_resistance <= 1e6 &&
           pv__abs(def->tangent_speed) <= 1e6 && pv__placeable(def->one_way_normal);
}

static pv__material_view body_material_view_of(const pv_body_def *def) {
    const pv__material_view whole = {.map = def->material_map, .id = -1};
    return pv__material_view_of_part(&whole, def->material_map_offset.x,
                                     def->material_map_offset.y);
}

static pv_status body_check_def(const pv_body_def *def) {
    if (!def || def->cookie != PV__COOKIE || !def->mask) return PV_ERROR_ARGUMENT;
    const double numbers[] = {
        def->position.x,       def->position.y,       def->angle,           def->velocity.x,
        def->velocity.y,       def->angular_velocity, def->density,         def->mass,
        def->restitution,      def->static_friction,  def->friction,        def->rolling_resistance,
        def->gravity_scale,    def->linear_damping,   def->angular_damping, def->tangent_speed,
        def->one_way_normal.x, def->one_way_normal.y, def->scale.x,         def->scale.y};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!pv__finite(numbers[i])) return PV_ERROR_NOT_FINITE;
    bool in_range = (unsigned)def->type <= PV_BODY_DYNAMIC &&
                    (unsigned)def->collider <= PV_COLLIDER_BOX && motion_in_range(def) &&
                    body_mass_in_range(def) && surface_in_range(def) &&
                    pv__body_scale_in_range(def->scale);
    pv__material_view materials = body_material_view_of(def);
    return in_range && pv__material_view_covers(&materials, def->mask) ? PV_OK : PV_ERROR_ARGUMENT;
}

bool pv__body_reserve_slots(pv_world *world, int count) {
    const pv_allocator *allocator = &world->def.allocator;
    const pv__pixel_motion *before = world->bodies.pixel_motions;
    if (!pv__reserve(allocator, &world->bodies.items, &world->bodies.capacity, count,
                     sizeof(pv__body)))
        return false;
    if (world->def.contact_mode == PV_CONTACT_MODE_CONTOURS) return true;
    if (!pv__reserve(allocator, &world->bodies.pixel_motions, &world->bodies.pixel_motion_capacity,
                     count, sizeof(pv__pixel_motion)))
        return false;
    for (int i = 0; world->bodies.pixel_motions != before && i < world->bodies.count; i++)
        world->bodies.items[i].pixel_motion = &world->bodies.pixel_motions[i];
    return true;
}

void pv__body_fill_slot(pv_world *world, int index, const pv__body *body) {
    pv__body *b = &world->bodies.items[index];
    pv__pixel_motion *pixel =
        world->bodies.pixel_motions ? &world->bodies.pixel_motions[index] : NULL;
    if (pixel) *pixel = (pv__pixel_motion){0};
    *b = *body;
    b->pixel_motion = pixel;
}

/// Appends a body slot, all zero; returns false without memory.
static bool add_body_slot(pv_world *world) {
    int count = world->bodies.count;
    if (!pv__body_reserve_slots(world, count + 1) || !pv__broad_phase_reserve(world, 1) ||
        !pv__index_reserve(world, 1) || !pv__events_reserve_changes(world, count + 1))
        return false;
    pv__body_fill_slot(world, count, &(pv__body){0});
    world->bodies.count++;
    return true;
}

bool pv__body_reserve(pv_world *world, int more) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__list *sensors = &world->events.sensors;
    int count = world->bodies.count + more;
    return pv__body_reserve_slots(world, count) && pv__broad_phase_reserve(world, more) &&
           pv__index_reserve(world, more) && pv__events_reserve_changes(world, count) &&
           pv__reserve(allocator, &sensors->items, &sensors->capacity, sensors->count + more,
                       sizeof(int));
}

int pv__body_take_slot(pv_world *world) {
    if (world->bodies.free >= 0) {
        int index = world->bodies.free;
        world->bodies.free = world->bodies.items[index].island;
        return index;
    }
    return add_body_slot(world) ? world->bodies.count - 1 : -1;
}

static double body_mass_of(const pv_body_def *def, const pv__body_pixels *pixels) {
    return def->mass > 0 ? def->mass : def->density * pixels->weight;
}

/// Creates the body pixels of a valid def, or shares the pixels of the last created body. The
/// status is PV_OK or the reason of a failure.
static pv_status make_pixels(pv_world *world, const pv_body_def *def, pv__body_pixels **pixels) {
    pv__material_view materials = body_material_view_of(def);
    *pixels = world->bodies.last_made < world->bodies.count
                  ? world->bodies.items[world->bodies.last_made].pixels
                  : NULL;
    pv_status s = PV_OK;
    if (*pixels && pv__body_mask_is(*pixels, def->mask, def->scale, def->collider, &materials))
        (*pixels)->wearers++;
    else
        s = pv__body_mask_make(world, def->mask, def->scale, def->collider, &materials, pixels);
    if (s != PV_OK || pv__is_mass(body_mass_of(def, *pixels))) return s;
    pv__body_mask_drop(world, *pixels);
    return PV_ERROR_ARGUMENT;
}

static void fill_body(pv_world *world, int index, const pv_body_def *def, pv__body_pixels *pixels) {
    pv__body *b = &world->bodies.items[index];
    const pv__body fresh = {
        .changed = b->changed,
        .restitution = def->restitution,
        .static_friction = def_static_friction(def),
        .kinetic_friction = def->friction,
        .rolling_resistance = def->rolling_resistance,
        .user_data = def->user_data,
        .filter = def->filter,
        .type = def->type,
        .generation = b->generation + 1,
        .gravity_scale = def->gravity_scale,
        .linear_damping = def->linear_damping,
        .angular_damping = def->angular_damping,
        .locks = def->motion_locks,
        .tangent_speed = def->tangent_speed,
        .one_way = pv__direction(def->one_way_normal),
        .fracture = pv_fracture_def_default(),
        .sensor = def->sensor,
        .disabled = !def->enabled,
        .awake = def->type != PV_BODY_STATIC && def->enabled,
        .island = -1,
    };
    pv__body_fill_slot(world, index, &fresh);
    pv__body_mask_put_on(b, pixels, body_mass_of(def, pixels));
    pv__pose_set(b, (pv__pose){def->position, pv__rotation(def->angle)});
    bool moves = def->type != PV_BODY_STATIC;
    pv__pose_set_motion(world, b, moves ? def->velocity : pv__vec(0, 0),
                        moves ? def->angular_velocity : 0);
    b->began = b->pose;
    pv__wake_forget_rest(b);
    b->told_awake = true;
}

void pv__body_enter(pv_world *world, int index) {
    pv__list *sensors = &world->events.sensors;
    if (world->bodies.items[index].sensor) ((int *)sensors->items)[sensors->count++] = index;
    pv__broad_phase_displace(world, index);
    pv__index_update(world, index);
    world->bodies.awake_stale = true;
    world->solver.ordered = false;
}

pv_body_id pv_body_create(pv_world *world, const pv_body_def *def, pv_error *error) {
    const pv_body_id none = {0, 0};
    pv_status outcome = pv__world_lock_check(world);
    if (outcome == PV_OK) outcome = body_check_def(def);
    pv__list *sensors = outcome == PV_OK && def->sensor ? &world->events.sensors : NULL;
    if (sensors && !pv__reserve(&world->def.allocator, &sensors->items, &sensors->capacity,
                                sensors->count + 1, sizeof(int)))
        outcome = PV_ERROR_MEMORY;
    pv__body_pixels *pixels;
    if (outcome == PV_OK) outcome = make_pixels(world, def, &pixels);
    int index = outcome == PV_OK ? pv__body_take_slot(world) : -1;
    if (outcome == PV_OK && index < 0) {
        pv__body_mask_drop(world, pixels);
        outcome = PV_ERROR_MEMORY;
    }
    pv__say(error, outcome);
    if (outcome != PV_OK) {
        BODY_REFUSE(world, outcome);
        return none;
    }
    fill_body(world, index, def, pixels);
    world->bodies.last_made = index;
    world->bodies.filtered |= pv__filter_is_set(def->filter);
    world->bodies.sensing |= def->sensor;
    world->manifolds.presolved |= pv__length(def->one_way_normal) > 0;
    world->bodies.mapped |= def->material_map != NULL;
    pv__body_enter(world, index);
    return pv__handle_of_body(world, index);
}

void pv__body_drop_contacts(pv_world *world, int index) {
    int kept = 0;
    for (int i = 0; i < world->bitmaps.contact_count; i++) {
        const pv__contact *c = &world->bitmaps.contacts[i];
        if (c->a != index && c->b != index) world->bitmaps.contacts[kept++] = *c;
    }
    world->bitmaps.contact_count = kept;
    world->manifolds.stale = world->bodies.awake_stale = true;
    world->solver.ordered = false;
}

static void drop_sensor(pv_world *world, int index) {
    pv__list *sensors = &world->events.sensors;
    int *items = sensors->items, i = 0;
    while (items[i] != index) i++;
    items[i] = items[--sensors->count];
}

pv_status pv_body_destroy(pv_world *world, pv_body_id body) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = pv__world_lock_check(world);
    if (s == PV_OK && !b) s = PV_ERROR_STALE_ID;
    if (s != PV_OK) return BODY_REFUSE(world, s);
    int index = (int)(b - world->bodies.items);
    pv__wake_near(world, index);
    if (b->joint_count > 0) pv__constraint_drop_all_of(world, 0, index);
    pv__body_drop_contacts(world, index);
    if (b->sensor) drop_sensor(world, index);
    pv__broad_phase_displace(world, index);
    pv__bitmaps_free(world, b);
    pv__body_mask_drop(world, b->pixels);
    const pv__body none = {
        .generation = b->generation + 1, .island = world->bodies.free, .changed = b->changed};
    pv__body_fill_slot(world, index, &none);
    world->bodies.free = index;
    pv__index_update(world, index);
    return PV_OK;
}

/* ---- reads ---- */

pv_body_type pv_body_get_type(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->type : PV_BODY_STATIC;
}

pv_vec2 pv_body_get_position(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->pose.center : pv__vec(0, 0);
}

double pv_body_get_angle(const pv_world *world, pv_body_id body) {
    return pv_rotation_get_angle(pv_body_get_rotation(world, body));
}

pv_rotation pv_body_get_rotation(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->pose.turn : (pv_rotation){1, 0};
}

pv_vec2 pv_body_get_velocity(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? pv__pose_velocity(world, b) : pv__vec(0, 0);
}

double pv_body_get_angular_velocity(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? pv__pose_angular_velocity(world, b) : 0;
}

pv_vec2 pv_body_get_velocity_at(const pv_world *world, pv_body_id body, pv_vec2 point) {
    const pv__body *b = pv__handle_body(world, body);
    if (!b || !pv__finite2(point)) return pv__vec(0, 0);
    return pv__mad(pv__pose_velocity(world, b), pv__pose_angular_velocity(world, b),
                   pv__perp(pv__sub(point, b->pose.center)));
}

double pv_body_get_mass(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->mass : 0;
}

double pv_body_get_inertia(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->inertia : 0;
}

const pv_mask *pv_body_get_mask(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->pixels->mask : NULL;
}

const pv_material_map *pv_body_get_material_map(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->pixels->materials.map : NULL;
}

pv_transform pv_body_get_transform(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? pv__body_transform(b, b->pose) : pv_transform_identity();
}

pv_body_def pv_body_get_def(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    if (!b) return (pv_body_def){0};
    return (pv_body_def){
        .type = b->type,
        .mask = b->pixels->mask,
        .position = b->pose.center,
        .angle = pv_rotation_get_angle(b->pose.turn),
        .velocity = pv__pose_velocity(world, b),
        .angular_velocity = pv__pose_angular_velocity(world, b),
        .density = b->mass / b->pixels->weight,
        .mass = b->mass,
        .restitution = b->restitution,
        .static_friction = b->static_friction,
        .friction = b->kinetic_friction,
        .rolling_resistance = b->rolling_resistance,
        .collider = b->pixels->stand_in,
        .gravity_scale = b->gravity_scale,
        .linear_damping = b->linear_damping,
        .angular_damping = b->angular_damping,
        .motion_locks = b->locks,
        .tangent_speed = b->tangent_speed,
        .one_way_normal = b->one_way,
        .sensor = b->sensor,
        .enabled = !b->disabled,
        .scale = b->pixels->scale,
        .filter = b->filter,
        .material_map = b->pixels->materials.map,
        .material_map_offset = {b->pixels->materials.x, b->pixels->materials.y},
        .user_data = b->user_data,
        .cookie = PV__COOKIE,
    };
}

pv_box pv_body_get_bounds(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? pv__pose_box(b, b->pose) : (pv_box){{0, 0}, {0, 0}};
}

pv_filter pv_body_get_filter(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->filter : (pv_filter){0, 0, 0};
}

void *pv_body_get_user_data(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b ? b->user_data : NULL;
}

bool pv_body_is_enabled(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b && !b->disabled;
}

bool pv_body_is_awake(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    return b && b->awake;
}

pv_status pv_paper_body_get_particles(const pv_world *world, pv_body_id body,
                                      pv_vec2 particles[2]) {
    const pv__body *b = pv__handle_body(world, body);
    if (!b) return BODY_REFUSE(world, PV_ERROR_STALE_ID);
    if (!particles) return BODY_REFUSE(world, PV_ERROR_ARGUMENT);
    particles[0] = b->now[0];
    particles[1] = b->now[1];
    return PV_OK;
}

pv_fracture_def pv_fracture_def_default(void) {
    return (pv_fracture_def){
        .connectivity = PV_CONNECTIVITY_4, .min_part_pixels = 12, .cookie = PV__COOKIE};
}
