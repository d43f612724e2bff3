/* body.c - creates, destroys and reads bodies.
 *
 * Invariant: a body is created as its def says, or not at all, with the reason in the error. All
 * numbers in a body are finite.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "world/body.h"
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/body_bitmap.h"
#include "core/contact_list.h"
#include "core/events.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "pixverlet/paper.h"
#include "polygon/polygon.h"
#include "polygon/polygon_motion.h"
#include "world/body_mask.h"

#include <float.h>

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

pv_body_def pv_body_def_at(pv_body_type type, pv_mask *mask, double x, double y) {
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.mask = mask;
    def.position = pv__vec(x, y);
    return def;
}

static pv__material_view material_view_of(const pv_body_def *def) {
    const pv__material_view whole = {.map = def->material_map, .id = -1};
    return pv__material_view_of_part(&whole, def->material_map_offset.x,
                                     def->material_map_offset.y);
}

void pv_body_def_set_top_left(pv_body_def *def, pv_vec2 top_left) {
    if (!def || !def->mask) return;
    pv_vec2 center = pv_mask_compute_mass(def->mask).centroid;
    pv__material_view materials = material_view_of(def);
    if (materials.map && pv__material_view_covers(&materials, def->mask)) {
        pv__sums sums = pv__material_view_sums(&materials, &def->mask->bits, pv__vec(1, 1));
        center = pv__material_view_mass(&sums).centroid;
    }
    pv_vec2 arm = {def->scale.x * center.x, def->scale.y * center.y};
    def->position = pv__add(top_left, pv__rotate(pv_rotation_from_angle(def->angle), arm));
}

static const pv__field_row fields[] = {
    PV__VECTOR(pv_body_def, position, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_body_def, angle, PV__RANGE_SPIN),
    PV__VECTOR(pv_body_def, velocity, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_body_def, angular_velocity, PV__RANGE_SPIN),
    PV__DOUBLE(pv_body_def, mass, 0, PV__MOST_MASS),
    PV__DOUBLE(pv_body_def, density, -DBL_MAX, DBL_MAX),
    PV__MATERIAL(pv_body_def),
    PV__DOUBLE(pv_body_def, rolling_resistance, PV__RANGE_FRICTION),
    PV__DOUBLE(pv_body_def, gravity_scale, PV__RANGE_GRAVITY_SCALE),
    PV__DOUBLE(pv_body_def, linear_damping, PV__RANGE_DAMPING),
    PV__DOUBLE(pv_body_def, angular_damping, PV__RANGE_DAMPING),
    PV__DOUBLE(pv_body_def, tangent_speed, PV__RANGE_TANGENT_SPEED),
    PV__VECTOR(pv_body_def, one_way_normal, PV_MAX_COORDINATE),
    PV__INT(pv_body_def, type, 0, PV_BODY_DYNAMIC),
    PV__INT(pv_body_def, collider, 0, PV_COLLIDER_BOX),
    PV__UNSIGNED(pv_body_def, motion_locks, 0, PV__LOCKS),
};

/// Checks the mass, or the density if it decides the mass.
static bool check_mass(pv_error *e, const pv_body_def *def) {
    return def->mass == 0 ? pv__check_range(e, "def.density", def->density, 1e-6, 1e6)
                          : pv__check_range(e, "def.mass", def->mass, PV__RANGE_MASS);
}

static bool check_def(pv_error *e, const pv_body_def *def) {
    if (!pv__check_cookie(e, def, def ? def->cookie : 0, "pv_body_def_default") ||
        !pv__check_pointer(e, "def.mask", def->mask) || !PV__CHECK_FIELDS(e, def, fields) ||
        !check_mass(e, def) ||
        !pv__impulse_check_friction(e, "def.friction", def->static_friction, def->friction))
        return false;
    pv__material_view materials = material_view_of(def);
    return pv__body_check_scale(e, "def.scale", def->scale) &&
           pv__body_check_map(e,
                              def->material_map_offset.x || def->material_map_offset.y
                                  ? "def.material_map_offset"
                                  : "def.material_map",
                              &materials, def->mask);
}

bool pv__body_reserve_slots(pv_world *world, int count) {
    const pv_allocator *allocator = &world->def.allocator;
    const pv__pixel_motion *before = world->bodies.pixel_motions;
    if (!PV__RESERVE(allocator, world->bodies.items, world->bodies.capacity, count) ||
        !pv__list_reserve(allocator, &world->events.sensors, count, sizeof(int)))
        return false;
    if (world->def.contact_mode == PV_CONTACT_MODE_CONTOURS) return true;
    if (!PV__RESERVE(allocator, world->bodies.pixel_motions, world->bodies.pixel_motion_capacity,
                     count))
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
    b->island_next = index;
}

bool pv__body_reserve(pv_world *world, int more) {
    int count = world->bodies.count + more;
    return pv__body_reserve_slots(world, count) && pv__broad_phase_reserve(world, more) &&
           pv__index_reserve(world, more, 0) && pv__events_reserve_changes(world, count);
}

int pv__body_take_slot(pv_world *world) {
    int index = world->bodies.free;
    if (index >= 0) {
        world->bodies.free = world->bodies.items[index].island;
        return index;
    }
    index = world->bodies.count;
    if (index == PV__MOST_BODIES || !pv__body_reserve(world, 1)) return -1;
    pv__body_fill_slot(world, index, &(pv__body){0});
    world->bodies.count++;
    return index;
}

static double mass_of(const pv_body_def *def, const pv__body_pixels *pixels) {
    return def->mass > 0 ? def->mass : def->density * pixels->weight;
}

/// Returns pixels that a body of a valid def may share, or null.
static pv__body_pixels *find_pixels(const pv_world *world, const pv_body_def *def,
                                    const pv__material_view *materials) {
    for (int i = 0; i < PV__RECENT; i++) {
        int index = world->bodies.recent[i];
        pv__body_pixels *pixels =
            index < world->bodies.count ? world->bodies.items[index].pixels : NULL;
        if (pixels && pv__body_mask_is(pixels, def->mask, def->scale, def->collider, materials))
            return pixels;
    }
    return NULL;
}

/// Remembers a created body if its pixels are new, in place of the oldest remembered one.
static void remember_pixels(pv__bodies *all, int index) {
    if (all->items[index].pixels->wearers > 1) return;
    all->recent[all->oldest] = index;
    all->oldest = (all->oldest + 1) % PV__RECENT;
}

/// Creates the body pixels of a valid def, or shares those of a recently created body. On failure
/// it fills the error and returns null.
static pv__body_pixels *make_pixels(pv_error *e, pv_world *world, const pv_body_def *def) {
    pv__material_view materials = material_view_of(def);
    pv__body_pixels *pixels = find_pixels(world, def, &materials);
    pv_status s = PV_OK;
    if (pixels)
        pixels->wearers++;
    else
        s = pv__body_mask_make(world, def->mask, def->scale, def->collider, &materials, &pixels);
    if (s != PV_OK) {
        pv__body_mask_explain(e, s, "def.mask");
        return NULL;
    }
    if (pv__check_range(e, "def.mass", mass_of(def, pixels), PV__RANGE_MASS)) return pixels;
    pv__body_mask_drop(world, pixels);
    return NULL;
}

static void fill_body(pv_world *world, int index, const pv_body_def *def, pv__body_pixels *pixels) {
    pv__body *b = &world->bodies.items[index];
    const pv__body fresh = {
        .changed = b->changed,
        .first_contact = b->first_contact,
        .material = {def->restitution,
                     pv__impulse_static_friction(def->static_friction, def->friction),
                     def->friction},
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
    pv__body_mask_put_on(b, pixels, mass_of(def, pixels));
    pv__pose_set(b, (pv__pose){def->position, pv__rotation(def->angle)});
    bool moves = def->type != PV_BODY_STATIC;
    pv__pose_set_motion(world, b, moves ? def->velocity : pv__vec(0, 0),
                        moves ? def->angular_velocity : 0);
    pv__wake_forget_rest(b);
    b->told_awake = true;
}

void pv__body_enter(pv_world *world, int index) {
    pv__list *sensors = &world->events.sensors;
    if (world->bodies.items[index].sensor) {
        world->bodies.items[index].sensor_place = sensors->count;
        ((int *)sensors->items)[sensors->count++] = index;
    }
    pv__broad_phase_displace(world, index);
    pv__index_update(world, index);
    world->bodies.awake_stale = true;
    world->solver.ordered = false;
}

pv_body_id pv_body_create(pv_world *world, const pv_body_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv__body_pixels *pixels =
        pv__check_world(e, world) && check_def(e, def) ? make_pixels(e, world, def) : NULL;
    if (!pixels) return pv__refuse(world, e), pv_null_body;
    int index = pv__body_take_slot(world);
    if (index < 0) {
        pv__body_mask_drop(world, pixels);
        return pv__refuse_memory(world, e), pv_null_body;
    }
    fill_body(world, index, def, pixels);
    remember_pixels(&world->bodies, index);
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
    bool had = kept < world->bitmaps.contact_count;
    world->bitmaps.contact_count = kept;
    if (had) pv__contact_list_fill(world);
    world->manifolds.stale = world->bodies.awake_stale = true;
    world->solver.ordered = false;
}

static void drop_sensor(pv_world *world, int index) {
    pv__list *sensors = &world->events.sensors;
    int *items = sensors->items, place = world->bodies.items[index].sensor_place;
    items[place] = items[--sensors->count];
    world->bodies.items[items[place]].sensor_place = place;
}

pv_status pv_body_destroy(pv_world *world, pv_body_id body) {
    pv_error e;
    if (!pv__handle_begin_any(&e, __func__, world, body)) return pv__refuse(world, &e);
    pv__body *b = pv__handle_body(world, body);
    if (!b) return pv__polygon_destroy(world, pv__handle_polygon(world, body)), PV_OK;
    int index = (int)(b - world->bodies.items);
    pv__wake_near(world, index);
    if (b->joint_count > 0) pv__constraint_drop_all_of(world, 0, index);
    pv__body_drop_contacts(world, index);
    if (b->sensor) drop_sensor(world, index);
    pv__broad_phase_displace(world, index);
    pv__bitmaps_free(world, b);
    pv__body_mask_drop(world, b->pixels);
    const pv__body none = {.generation = b->generation + 1,
                           .island = world->bodies.free,
                           .changed = b->changed,
                           .first_contact = b->first_contact};
    pv__body_fill_slot(world, index, &none);
    world->bodies.free = index;
    pv__index_update(world, index);
    return PV_OK;
}

/* ---- reads ---- */

/// Defines a function that reads a sprite b or a polygon q.
#define READ(type, name, of_sprite, of_polygon, of_none)                                           \
    type pv_body_##name(const pv_world *world, pv_body_id body) {                                  \
        const pv__body *b = pv__handle_body(world, body);                                          \
        const pv__polygon *q = pv__polygon_find(world, body);                                      \
        return b ? of_sprite : q ? of_polygon : of_none;                                           \
    }

READ(pv_body_type, get_type, b->type,
     pv__polygon_mass_of(world, q).mass > 0 ? PV_BODY_DYNAMIC : PV_BODY_STATIC, PV_BODY_STATIC)
READ(pv_vec2, get_position, b->pose.center, pv__polygon_center(world, q), pv__vec(0, 0))
READ(double, get_angle, pv_rotation_get_angle(b->pose.turn),
     pv_rotation_get_angle(pv__polygon_rotation(world, q)), 0)
READ(pv_vec2, get_velocity, pv__pose_velocity(world, b), pv__polygon_velocity(world, q),
     pv__vec(0, 0))
READ(double, get_angular_velocity, pv__pose_angular_velocity(world, b),
     pv__polygon_angular_velocity(world, q), 0)
READ(double, get_mass, b->mass, pv__polygon_mass_of(world, q).mass, 0)
READ(double, get_inertia, b->inertia, pv__polygon_mass_of(world, q).inertia, 0)
READ(const pv_mask *, get_mask, b->pixels->mask, q->mask, NULL)
READ(pv_transform, get_transform, pv__body_transform(b, b->pose),
     pv__polygon_placed(world, q).transform, pv_transform_identity())
READ(pv_box, get_bounds, pv__pose_box(b, b->pose), pv__polygon_box(world, q), (pv_box){0})
READ(pv_filter, get_filter, b->filter, q->filter, (pv_filter){0})
READ(void *, get_user_data, b->user_data, q->user_data, NULL)
READ(bool, is_enabled, !b->disabled, true, false)
READ(bool, is_awake, b->awake, !q->asleep, false)

pv_vec2 pv_body_get_velocity_at(const pv_world *world, pv_body_id body, pv_vec2 point) {
    if (!pv__finite2(point)) return pv__vec(0, 0);
    return pv__mad(pv_body_get_velocity(world, body), pv_body_get_angular_velocity(world, body),
                   pv__perp(pv__sub(point, pv_body_get_position(world, body))));
}

const pv__material *pv__body_material(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    const pv__polygon *q = pv__polygon_find(world, body);
    return b ? &b->material : q ? &q->material : NULL;
}

/// Fills in the members of a definition that sprites have and polygons lack.
static void add_to_def(const pv__body *b, pv_body_def *def) {
    def->density = b->mass / b->pixels->weight;
    def->rolling_resistance = b->rolling_resistance;
    def->collider = b->pixels->stand_in;
    def->gravity_scale = b->gravity_scale;
    def->linear_damping = b->linear_damping;
    def->angular_damping = b->angular_damping;
    def->motion_locks = b->locks;
    def->tangent_speed = b->tangent_speed;
    def->one_way_normal = b->one_way;
    def->sensor = b->sensor;
    def->enabled = !b->disabled;
    def->scale = b->pixels->scale;
    def->material_map = b->pixels->materials.map;
    def->material_map_offset = (pv_point){b->pixels->materials.x, b->pixels->materials.y};
}

pv_body_def pv_body_get_def(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    const pv__material *material = pv__body_material(world, body);
    if (!material) return (pv_body_def){0};
    pv_body_def def = pv_body_def_default();
    def.type = pv_body_get_type(world, body);
    def.mask = b ? b->pixels->mask : pv__polygon_find(world, body)->mask;
    def.position = pv_body_get_position(world, body);
    def.angle = pv_body_get_angle(world, body);
    def.velocity = pv_body_get_velocity(world, body);
    def.angular_velocity = pv_body_get_angular_velocity(world, body);
    def.mass = pv_body_get_mass(world, body);
    def.restitution = material->restitution;
    def.static_friction = material->static_friction;
    def.friction = material->kinetic_friction;
    def.filter = pv_body_get_filter(world, body);
    def.user_data = pv_body_get_user_data(world, body);
    if (b) add_to_def(b, &def);
    return def;
}

pv_status pv_paper_body_get_motion(const pv_world *world, pv_body_id body,
                                   pv_paper_particle particles[2]) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    const pv__body *b =
        pv__check_pointer(e, "world", world) ? pv__check_body(e, world, "body", body) : NULL;
    if (!b || !pv__check_pointer(e, "particles", particles)) return pv__refuse(world, e);
    bool moves = b->type == PV_BODY_DYNAMIC;
    pv_vec2 center = moves ? pv__body_acceleration(world, b) : pv__vec(0, 0);
    double turn = moves ? pv__body_angular_acceleration(world, b) : 0;
    for (int i = 0; i < 2; i++) {
        pv_vec2 arm = pv__sub(b->now[i], b->pose.center);
        particles[i] =
            (pv_paper_particle){b->now[i], b->before[i], pv__mad(center, turn, pv__perp(arm))};
    }
    return PV_OK;
}

pv_fracture_def pv_fracture_def_default(void) { return PV__FRACTURE_DEFAULT; }
