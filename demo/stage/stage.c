/* stage.c - puts sprites into a world.
 *
 * Invariant: error keeps the first failure.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/// Greatest distance of a body outside the view before it is destroyed [px]
static const double stray = 4000;

/// Sprites of heaps; those that are good to throw appear twice
static const char *const things[] = {
    "crate",      "crate",       "plank",       "brick",      "ball",     "ball",
    "ball_small", "star",        "ring",        "letter_c",   "letter_l", "gear",
    "rock_large", "rock_medium", "rock_medium", "rock_small", "ship",     "box_notched",
};

struct stage *stage_create(uint64_t seed) {
    struct stage *fresh = calloc(1, sizeof *fresh);
    if (!fresh) return NULL;
    fresh->world = pv_world_create(NULL, NULL);
    if (!fresh->world) {
        free(fresh);
        return NULL;
    }
    fresh->loose = (struct stage_paint){
        .skin = 0xd8c49cff, .stroke = 0x4a3a30ff, .width = 2, .dot = 0x4a3a30ff};
    fresh->polygons = (struct stage_paint){.stroke = 0x3a2c28ff, .width = 2};
    fresh->dice = seed * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    if (fresh->dice == 0) fresh->dice = 1;
    return fresh;
}

void stage_destroy(struct stage *stage) {
    if (!stage) return;
    pv_world_destroy(stage->world);
    pv_task_pool_destroy(stage->pool);
    stage_forget_copies(stage);
    sprite_free_all(&stage->sprites);
    free(stage->looks);
    free(stage->memory);
    free(stage);
}

const char *stage_error(const struct stage *stage) {
    if (!stage) return "stage: out of memory";
    return stage->error[0] ? stage->error : NULL;
}

void stage_fail(struct stage *stage, const char *what, pv_status status) {
    if (!stage->error[0])
        snprintf(stage->error, sizeof stage->error, "%s: %s", what, pv_status_to_string(status));
}

void stage_set_view(struct stage *stage, double width, double height) {
    stage->view = (pv_box){{0, 0}, {width, height}};
}

const struct sprite *stage_load(struct stage *stage, const char *name) {
    char path[900];
    pv_status status = PV_OK;
    snprintf(path, sizeof path, "%s/%s.png", sprite_directory(), name);
    const struct sprite *sprite = sprite_load(&stage->sprites, path, 0, &status);
    if (!sprite) stage_fail(stage, path, status);
    return sprite;
}

pv_mask *stage_mask_of(struct stage *stage, const char *name) {
    const struct sprite *sprite = stage_load(stage, name);
    return sprite ? sprite->mask : NULL;
}

void *stage_memory(struct stage *stage, size_t size) {
    if (!stage->memory) {
        stage->memory = calloc(1, size);
        stage->memory_size = stage->memory ? size : 0;
    }
    if (!stage->memory) stage_fail(stage, "stage", PV_ERROR_MEMORY);
    return stage->memory;
}

struct sprite *stage_keep(struct stage *stage, const char *name, pv_image *image, pv_mask *mask) {
    pv_status status = PV_OK;
    struct sprite *sprite = sprite_keep(&stage->sprites, name, image, mask, &status);
    if (!sprite) stage_fail(stage, name, status);
    return sprite;
}

void stage_set_world(struct stage *stage, const pv_world_def *def) {
    pv_error error = {0};
    pv_world_def wanted = *def;
    if (stage->rules.substeps > 0) wanted.substeps = stage->rules.substeps;
    if (stage->rules.by_pixels) wanted.contact_mode = PV_CONTACT_MODE_PIXELS;
    pv_task_pool_attach(stage->pool, &wanted);
    pv_world *world = pv_world_create(&wanted, &error);
    if (!world) {
        stage_fail(stage, "stage", error.status);
        return;
    }
    pv_world_destroy(stage->world);
    stage->world = world;
}

pv_status stage_set_workers(struct stage *stage, int workers) {
    pv_error error = {0};
    pv_task_pool *pool = workers == 1 ? NULL : pv_task_pool_create(workers, &error), *unused = pool;
    if (error.status != PV_OK) return error.status;
    pv_world_def def = pv_world_def_default();
    pv_task_pool_attach(pool, &def);
    pv_status status = pv_world_set_workers(stage->world, &def);
    if (status == PV_OK) {
        unused = stage->pool;
        stage->pool = pool;
    }
    pv_task_pool_destroy(unused);
    return status;
}

pv_body_id stage_put(struct stage *stage, const struct sprite *sprite, pv_body_def def) {
    pv_error error = {0};
    if (!sprite) return (pv_body_id){0};
    def.mask = sprite->mask;
    def.user_data = (void *)sprite;
    pv_body_id body = pv_body_create(stage->world, &def, &error);
    if (error.status != PV_OK) stage_fail(stage, sprite->path, error.status);
    return body;
}

pv_body_id stage_add_def(struct stage *stage, const char *name, pv_body_def def) {
    const struct sprite *sprite = stage_load(stage, name);
    return stage_put(stage, sprite, def);
}

pv_body_id stage_add(struct stage *stage, const char *sprite, double x, double y, double angle) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){x, y};
    def.angle = angle;
    return stage_add_def(stage, sprite, def);
}

static pv_body_id add_by_corner(struct stage *stage, const char *name, pv_body_type type,
                                double left, double top) {
    const struct sprite *sprite = stage_load(stage, name);
    if (!sprite) return (pv_body_id){0};
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.position = (pv_vec2){left + sprite->center.x, top + sprite->center.y};
    return stage_put(stage, sprite, def);
}

pv_body_id stage_add_upright(struct stage *stage, const char *sprite, double left, double top) {
    return add_by_corner(stage, sprite, PV_BODY_DYNAMIC, left, top);
}

void stage_set_surface(pv_world *world, pv_body_id body, double restitution, double static_friction,
                       double friction) {
    pv_body_set_restitution(world, body, restitution);
    pv_body_set_friction(world, body, friction);
    pv_body_set_static_friction(world, body, static_friction);
}

pv_body_id stage_add_static(struct stage *stage, const char *sprite, double left, double top) {
    return add_by_corner(stage, sprite, PV_BODY_STATIC, left, top);
}

void stage_add_fence(struct stage *stage, double above) {
    const struct sprite *wall = stage_load(stage, "wall");
    if (!wall) return;
    double y = stage->view.max.y;
    while (y > stage->view.min.y - above) {
        y -= wall->image->height;
        stage_add_static(stage, "wall", stage->view.min.x - wall->image->width, y);
        stage_add_static(stage, "wall", stage->view.max.x, y);
    }
}

int stage_add_knob(struct stage *stage, const char *name, double least, double most, double value) {
    int place = stage->knob_count < STAGE_MAX_KNOBS ? stage->knob_count++ : STAGE_MAX_KNOBS - 1;
    struct stage_knob *knob = &stage->knobs[place];
    if (knob->name && strcmp(knob->name, name) == 0) value = knob->value;
    *knob = (struct stage_knob){name, least, most, value, false};
    return place;
}

double stage_add_setup_knob(struct stage *stage, const char *name, double least, double most,
                            double value) {
    struct stage_knob *knob = &stage->knobs[stage_add_knob(stage, name, least, most, value)];
    knob->restarts = true;
    return knob->value;
}

int stage_knob_count(const struct stage *stage, int place) {
    return (int)floor(stage->knobs[place].value + .5);
}

void stage_keep_knobs(struct stage *stage, const struct stage *from) {
    memcpy(stage->knobs, from->knobs, sizeof stage->knobs);
}

void stage_add_label(struct stage *stage, double x, double y, const char *text) {
    if (stage->label_count == STAGE_MAX_LABELS) return;
    struct stage_label *label = &stage->labels[stage->label_count++];
    label->point = (pv_vec2){x, y};
    snprintf(label->text, sizeof label->text, "%s", text);
}

void stage_add_streak(struct stage *stage, pv_vec2 from, pv_vec2 to, uint32_t color) {
    if (stage->streak_count == STAGE_MAX_STREAKS) return;
    stage->streaks[stage->streak_count++] = (struct stage_streak){from, to, color};
}

static bool boxes_meet(pv_box a, pv_box b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

/// Tells whether the bitmap of a body shares a pixel with a bitmap at a place.
static bool body_covers(const struct stage *stage, pv_body_id body, const pv_mask *bitmap,
                        pv_rect place) {
    pv_transform transform = pv_body_get_transform(stage->world, body);
    pv_rect at = {0};
    pv_mask *other =
        pv_mask_transform(pv_body_get_mask(stage->world, body), &transform, &at, NULL, NULL);
    bool hit = !other || pv_mask_test_overlap(other, bitmap, place.x - at.x, place.y - at.y);
    pv_mask_release(other);
    return hit;
}

bool stage_is_free(const struct stage *stage, const struct sprite *sprite, pv_vec2 position,
                   double angle) {
    pv_transform transform = {position, pv_rotation_from_angle(angle), sprite->center, {1, 1}};
    pv_box box =
        pv_transform_compute_bounds(&transform, sprite->image->width, sprite->image->height);
    pv_rect place = {0};
    pv_mask *bitmap = pv_mask_transform(sprite->mask, &transform, &place, NULL, NULL);
    bool is_free = bitmap != NULL;
    pv_body_id body = {0};
    while (is_free && stage_is_body(body = pv_world_get_next_body(stage->world, body)))
        if (pv_body_get_filter(stage->world, body).mask_bits != 0 &&
            boxes_meet(box, pv_body_get_bounds(stage->world, body)))
            is_free = !body_covers(stage, body, bitmap, place);
    pv_mask_release(bitmap);
    return is_free;
}

/// Creates a dynamic body if its place is free.
static pv_body_id put_if_free(struct stage *stage, const struct sprite *sprite, pv_vec2 point,
                              double angle) {
    if (!stage_is_free(stage, sprite, point, angle)) return (pv_body_id){0};
    pv_body_def def = pv_body_def_default();
    def.position = point;
    def.angle = angle;
    return stage_put(stage, sprite, def);
}

pv_body_id stage_add_file(struct stage *stage, const char *path, pv_vec2 point, pv_status *status) {
    int limit = (int)((stage->view.max.y - stage->view.min.y) / 3);
    const struct sprite *sprite = sprite_load(&stage->sprites, path, limit, status);
    pv_body_id body = {0};
    for (int tries = 0; sprite && tries < 64 && !stage_is_body(body); tries++, point.y -= 16)
        body = put_if_free(stage, sprite, point, 0);
    return body;
}

pv_body_id stage_add_thing(struct stage *stage, pv_vec2 point) {
    int count = (int)(sizeof things / sizeof things[0]);
    const struct sprite *sprite = stage_load(stage, things[stage_pick(stage, count)]);
    double angle = stage_uniform(stage, -PI, PI);
    return sprite ? put_if_free(stage, sprite, point, angle) : (pv_body_id){0};
}

static bool is_astray(const struct stage *stage, pv_vec2 at) {
    return at.x < stage->view.min.x - stray || at.x > stage->view.max.x + stray ||
           at.y < stage->view.min.y - stray || at.y > stage->view.max.y + stray;
}

static int tidy_bodies(struct stage *stage) {
    int count = 0;
    pv_body_id body = pv_world_get_next_body(stage->world, (pv_body_id){0});
    while (stage_is_body(body)) {
        pv_body_id next = pv_world_get_next_body(stage->world, body);
        if (pv_body_get_type(stage->world, body) == PV_BODY_DYNAMIC &&
            is_astray(stage, pv_body_get_position(stage->world, body))) {
            pv_body_destroy(stage->world, body);
            count++;
        }
        body = next;
    }
    return count;
}

void stage_clear_below(struct stage *stage, double y) {
    pv_body_id body = pv_world_get_next_body(stage->world, (pv_body_id){0});
    while (stage_is_body(body)) {
        pv_body_id next = pv_world_get_next_body(stage->world, body);
        if (pv_body_get_position(stage->world, body).y > y) pv_body_destroy(stage->world, body);
        body = next;
    }
}

void stage_clear_moving(struct stage *stage) {
    pv_body_id body = pv_world_get_next_body(stage->world, (pv_body_id){0});
    while (stage_is_body(body)) {
        pv_body_id next = pv_world_get_next_body(stage->world, body);
        if (pv_body_get_type(stage->world, body) == PV_BODY_DYNAMIC)
            pv_body_destroy(stage->world, body);
        body = next;
    }
}

static void tidy_particles(struct stage *stage) {
    pv_particle_id particle = pv_world_get_next_particle(stage->world, (pv_particle_id){0});
    while (stage_is_particle(particle)) {
        pv_particle_id next = pv_world_get_next_particle(stage->world, particle);
        if (pv_particle_get_mass(stage->world, particle) > 0 &&
            is_astray(stage, pv_particle_get_position(stage->world, particle)))
            pv_particle_destroy(stage->world, particle);
        particle = next;
    }
}

int stage_tidy(struct stage *stage) {
    tidy_particles(stage);
    return tidy_bodies(stage);
}

/// Draws a random number with xorshift64*, Vigna (2016).
static uint64_t roll(struct stage *stage) {
    stage->dice ^= stage->dice >> 12;
    stage->dice ^= stage->dice << 25;
    stage->dice ^= stage->dice >> 27;
    return stage->dice * 0x2545f4914f6cdd1du;
}

double stage_uniform(struct stage *stage, double low, double high) {
    return low + (high - low) * (double)(roll(stage) >> 11) / 9007199254740992.0;
}

int stage_pick(struct stage *stage, int count) {
    return (int)((roll(stage) >> 32) % (uint64_t)count);
}
