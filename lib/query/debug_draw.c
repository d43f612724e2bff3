/* debug_draw.c - shows a world with lines, discs and masks that the caller draws.
 *
 * Invariant: the world is only read. Everything comes in the order of slots, and contacts in the
 * order of pairs.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/pose.h"
#include "core/report.h"
#include "core/world_lock.h"

#include <float.h>

/// Color of contours; other colors stand where they are used
#define CONTOUR_COLOR 0xffffffc0u

typedef struct easel {
    const pv_world *world;
    const pv_debug_draw *draw;
    unsigned flags;
    pv_status status;
} easel;

pv_debug_draw pv_debug_draw_default(void) {
    return (pv_debug_draw){.normal_length = 18, .point_radius = 2, .cookie = PV__COOKIE};
}

static void debug_line(const easel *e, pv_vec2 from, pv_vec2 to, uint32_t color) {
    if (e->draw->line) e->draw->line(e->draw->user_data, from, to, color);
}

static void disc(const easel *e, pv_vec2 center, double radius, uint32_t color) {
    if (e->draw->circle) e->draw->circle(e->draw->user_data, center, radius, color);
}

/* ---- bodies ---- */

/// Returns one of 1530 pure hues; islands with near indices have distant hues.
static uint32_t island_color(int island) {
    uint32_t hue = (uint32_t)island * 947u % 1530u, up = hue % 255u, down = 255u - up;
    const uint32_t rgb[6][3] = {{255, up, 0},   {down, 255, 0}, {0, 255, up},
                                {0, down, 255}, {up, 0, 255},   {255, 0, down}};
    const uint32_t *c = rgb[hue / 255u];
    return c[0] << 24 | c[1] << 16 | c[2] << 8 | 0x38u;
}

static uint32_t body_color(const easel *e, const pv__body *b) {
    if (b->sensor) return 0x20e0e028u;
    if (b->type == PV_BODY_STATIC) return 0x40404038u;
    if (b->type == PV_BODY_KINEMATIC) return 0xc040ff38u;
    if (b->awake) return 0x20e04038u;
    return e->flags & PV_DEBUG_ISLANDS && b->island >= 0 ? island_color(b->island) : 0x2060ff38u;
}

static void show_shape(const easel *e, const pv__shape *shape, const pv_transform *t) {
    for (int i = 0; i < shape->count; i++) {
        const pv__vertex *v = &shape->vertices[i];
        if (v->next < 0) continue;
        debug_line(e, pv_transform_to_world(t, v->at),
                   pv_transform_to_world(t, shape->vertices[v->next].at), CONTOUR_COLOR);
    }
}

static void show_edges(easel *e, const pv_mask *mask, const pv_transform *t) {
    pv_outline *outline = pv_outline_create(mask, PV_CONNECTIVITY_8, NULL);
    if (!outline) e->status = PV_ERROR_MEMORY;
    for (int i = 0; i < pv_outline_get_contour_count(outline); i++) {
        pv_contour c = pv_outline_get_contour(outline, i);
        for (int k = 0; k < c.point_count; k++) {
            pv_point p = c.points[k], q = c.points[k + 1 < c.point_count ? k + 1 : 0];
            debug_line(e, pv_transform_to_world(t, pv__vec(p.x, p.y)),
                       pv_transform_to_world(t, pv__vec(q.x, q.y)), CONTOUR_COLOR);
        }
    }
    pv_outline_destroy(outline);
}

static void show_box(const easel *e, pv_box box) {
    const pv_vec2 corner[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    for (int i = 0; i < 4; i++) debug_line(e, corner[i], corner[(i + 1) % 4], 0xffffff70u);
}

static void show_body(easel *e, const pv__body *b) {
    pv_transform t = pv__body_transform(b, b->pose), of_form = pv__body_form_transform(b, b->pose);
    if (e->flags & (PV_DEBUG_MASKS | PV_DEBUG_ISLANDS) && e->draw->mask)
        e->draw->mask(e->draw->user_data, b->pixels->mask, &t, body_color(e, b));
    if (e->flags & PV_DEBUG_CONTOURS && e->draw->line) {
        if (b->pixels->shape)
            show_shape(e, b->pixels->shape, &of_form);
        else
            show_edges(e, b->pixels->mask, &t);
    }
    if (e->flags & PV_DEBUG_BOUNDS) show_box(e, pv__pose_box(b, b->pose));
}

static void show_bodies(easel *e) {
    for (int i = 0; i < e->world->bodies.count; i++)
        if (pv__body_is_present(&e->world->bodies.items[i]))
            show_body(e, &e->world->bodies.items[i]);
}

/* ---- matter ---- */

static void show_polygons(const easel *e) {
    const pv__matter *m = &e->world->matter;
    for (int i = 0; i < m->polygon_pool.count; i++) {
        const pv__polygon *p = &m->polygons[i];
        for (int k = 0; pv__slot_lives(&p->slot) && k < p->corner_count; k++) {
            int next = k + 1 < p->corner_count ? k + 1 : 0;
            debug_line(e, m->particles.now[p->corners[k]], m->particles.now[p->corners[next]],
                       0xffb040ffu);
        }
    }
}

static const uint32_t kind_colors[] = {
    [PV_JOINT_DISTANCE] = 0xfff060c0u, [PV_JOINT_ROPE] = 0x40e0ffc0u,
    [PV_JOINT_STRUT] = 0xff9030c0u,    [PV_JOINT_PIN] = 0xff40ffffu,
    [PV_JOINT_WELD] = 0xa060ffffu,     [PV_JOINT_ANGLE_LIMIT] = 0x60ff90ffu,
    [PV_JOINT_MOTOR] = 0x30c050ffu,    [PV_JOINT_SLIDER] = 0x4080ffffu,
    [PV_JOINT_MOUSE] = 0xffffffffu,
};

/// Shows a joint. Discs mark the anchors, as both anchors of a pin are at one place.
static void show_constraint(const easel *e, pv_joint_id constraint) {
    pv_anchor ends[2];
    pv_joint_type type = pv_joint_get_type(e->world, constraint);
    uint32_t color = kind_colors[type];
    if (pv_joint_get_anchors(e->world, constraint, ends) != PV_OK) return;
    debug_line(e, ends[0].point, ends[1].point, color);
    if (type <= PV_JOINT_STRUT) return;
    for (int i = 0; i < 2; i++) disc(e, ends[i].point, e->draw->point_radius, color);
}

static void show_constraints(const easel *e) {
    pv_joint_id c = pv_world_get_next_joint(e->world, (pv_joint_id){0, 0});
    for (; c.generation != 0; c = pv_world_get_next_joint(e->world, c)) show_constraint(e, c);
}

static void show_particles(const easel *e) {
    pv_particle_id p = pv_world_get_next_particle(e->world, (pv_particle_id){0, 0});
    for (; p.generation != 0; p = pv_world_get_next_particle(e->world, p))
        disc(e, pv_particle_get_position(e->world, p), pv_particle_get_radius(e->world, p),
             pv_particle_get_mass(e->world, p) > 0 ? 0x20e040a0u : 0xff3030c0u);
}

/* ---- contacts ---- */

static void show_contacts(easel *e) {
    int count = pv_world_get_contacts(e->world, NULL, 0);
    if (count == 0) return;
    pv_contact *contacts = pv__alloc(&e->world->def.allocator, (size_t)count, sizeof *contacts);
    if (!contacts) {
        e->status = PV_ERROR_MEMORY;
        return;
    }
    pv_world_get_contacts(e->world, contacts, count);
    for (int i = 0; i < count; i++) {
        const pv_contact *c = &contacts[i];
        debug_line(e, c->point, pv__mad(c->point, e->draw->normal_length, c->normal), 0xffe000ffu);
        disc(e, c->point, e->draw->point_radius, 0xff2040ffu);
    }
    pv__free(&e->world->def.allocator, contacts, (size_t)count, sizeof *contacts);
}

static bool check(pv_error *e, const pv_world *world, const pv_debug_draw *draw, unsigned flags) {
    return pv__check_pointer(e, "world", world) &&
           pv__check_made(e, "draw", draw, draw ? draw->cookie : 0, "pv_debug_draw_default") &&
           pv__check_range(e, "draw.normal_length", draw->normal_length, 0, DBL_MAX) &&
           pv__check_range(e, "draw.point_radius", draw->point_radius, 0, DBL_MAX) &&
           pv__check_range(e, "flags", flags, 0, PV_DEBUG_ALL);
}

pv_status pv_world_debug_draw(const pv_world *world, const pv_debug_draw *draw, unsigned flags) {
    pv_error error;
    pv__error_begin(__func__, &error, NULL);
    if (!check(&error, world, draw, flags)) return pv__refuse(world, &error);
    easel e = {world, draw, flags, PV_OK};
    pv__world_lock busy;
    pv__world_lock_begin(&busy, world);
    show_bodies(&e);
    if (flags & PV_DEBUG_POLYGONS) show_polygons(&e);
    if (flags & PV_DEBUG_JOINTS) show_constraints(&e);
    if (flags & PV_DEBUG_PARTICLES) show_particles(&e);
    if (flags & PV_DEBUG_NORMALS) show_contacts(&e);
    pv__world_lock_end(&busy);
    return e.status == PV_OK ? PV_OK : (pv__error_set(&error, e.status), pv__refuse(world, &error));
}
