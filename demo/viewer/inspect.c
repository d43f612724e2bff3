/* inspect.c - measures a copy of a body: counts its memory, and draws its contour to count the
 * points.
 *
 * Invariant: the scene's world does not change, except for caches of the mask.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "viewer/inspect.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Measurement */

/// Allocates and frees memory, and counts the bytes in use.
static void *counted(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    size_t *bytes = user_data;
    void *fresh = NULL;
    if (new_size == 0)
        free(ptr);
    else if (!(fresh = realloc(ptr, new_size)))
        return NULL;
    *bytes += new_size - (ptr ? old_size : 0);
    return fresh;
}

static pv_mask *copied(const pv_mask *mask, const pv_allocator *allocator) {
    size_t size = pv_mask_serialize(mask, NULL, 0);
    void *bytes = size > 0 ? malloc(size) : NULL;
    pv_mask *copy = NULL;
    if (bytes && pv_mask_serialize(mask, bytes, size) == size)
        copy = pv_mask_deserialize(bytes, size, allocator, NULL);
    free(bytes);
    return copy;
}

static void count_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    (void)from;
    (void)to;
    (void)color;
    ++*(int *)user_data;
}

/// Returns the number of a contour's points. A closed contour has as many sides as points.
static int count_contour(pv_mask *mask, pv_body_def def) {
    int lines = 0;
    pv_debug_draw draw = pv_debug_draw_default();
    pv_world *world = pv_world_create(NULL, NULL);
    def.mask = mask;
    def.enabled = true;
    draw.user_data = &lines;
    draw.line = count_line;
    bool made = world && stage_is_body(pv_body_create(world, &def, NULL)) &&
                pv_world_debug_draw(world, &draw, PV_DEBUG_CONTOURS) == PV_OK;
    pv_world_destroy(world);
    return made ? lines : -1;
}

static int count_parts(const pv_mask *mask) {
    pv_parts *parts = pv_parts_create(mask, PV_CONNECTIVITY_8, NULL);
    int count = parts ? pv_parts_get_count(parts) : -1;
    pv_parts_destroy(parts);
    return count;
}

bool inspect_measure(const pv_world *world, pv_body_id body, struct inspect_shape *shape) {
    const pv_mask *mask = pv_body_get_mask(world, body);
    *shape = (struct inspect_shape){0};
    pv_mask *copy = mask ? copied(mask, &(pv_allocator){counted, &shape->bytes}) : NULL;
    if (!copy) return false;
    size_t bytes;
    shape->pixels = pv_mask_count_pixels(mask);
    shape->parts = count_parts(mask);
    shape->contour_points = count_contour(copy, pv_body_get_def(world, body));
    bytes = shape->bytes;
    pv_mask_release(copy);
    shape->bytes = bytes;
    return shape->parts >= 0 && shape->contour_points >= 0;
}

/* Text */

/// Lines of a description so far
struct page {
    struct inspect_line *lines;
    int count;
};

__attribute__((format(printf, 3, 4))) static void say(struct page *page, const char *name,
                                                      const char *format, ...) {
    struct inspect_line *line = &page->lines[page->count++];
    va_list arguments;
    line->name = name;
    va_start(arguments, format);
    vsnprintf(line->text, sizeof line->text, format, arguments);
    va_end(arguments);
}

/// Adds the name of a sprite's file, without directory and extension.
static void say_sprite(struct page *page, const struct sprite *sprite) {
    const char *path = sprite && sprite->path ? sprite->path : "its own pixels";
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
               *dot = strrchr(name, '.');
    say(page, "sprite", "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
}

static const char *type_of(const pv_body_def *def) {
    if (def->sensor) return "sensor";
    return def->type == PV_BODY_STATIC      ? "static"
           : def->type == PV_BODY_KINEMATIC ? "kinematic"
                                            : "dynamic";
}

/// Returns a number, or 0 if it would be printed as -0.0.
static double shown(double x) { return fabs(x) < 0.05 ? 0 : x; }

static void say_motion(struct page *page, const pv_world *world, pv_body_id body) {
    pv_vec2 at = pv_body_get_position(world, body), velocity = pv_body_get_velocity(world, body);
    say(page, "position", "%.2f, %.2f px", at.x, at.y);
    say(page, "angle", "%.1f\u00b0", pv_body_get_angle(world, body) * 180 / PI);
    say(page, "velocity", "%.1f, %.1f px/s", shown(velocity.x), shown(velocity.y));
    say(page, "spin", "%.2f rad/s", pv_body_get_angular_velocity(world, body));
}

static void say_matter(struct page *page, const pv_world *world, pv_body_id body) {
    pv_transform transform = pv_body_get_transform(world, body);
    say(page, "mass", "%.6g", pv_body_get_mass(world, body));
    say(page, "inertia", "%.6g", pv_body_get_inertia(world, body));
    say(page, "center", "%.2f, %.2f px in %d x %d", transform.pivot.x, transform.pivot.y,
        pv_mask_get_width(pv_body_get_mask(world, body)),
        pv_mask_get_height(pv_body_get_mask(world, body)));
}

static void say_shape(struct page *page, const struct inspect_shape *shape) {
    if (shape->parts > 1)
        say(page, "pixels", "%" PRId64 " in %d parts", shape->pixels, shape->parts);
    else
        say(page, "pixels", "%" PRId64, shape->pixels);
    say(page, "contour", "%d points", shape->contour_points);
    say(page, "memory", "%.1f KiB, shared", (double)shape->bytes / 1024);
}

int inspect_describe(const struct stage *stage, pv_body_id body, const struct inspect_shape *shape,
                     struct inspect_line lines[INSPECT_LINES]) {
    const pv_world *world = stage->world;
    struct page page = {lines, 0};
    if (!pv_body_is_valid(world, body)) return 0;
    pv_body_def def = pv_body_get_def(world, body);
    say_sprite(&page, stage_sprite_of(stage, body));
    say(&page, "type", "%s, %s", type_of(&def), pv_body_is_awake(world, body) ? "awake" : "asleep");
    say_matter(&page, world, body);
    say_motion(&page, world, body);
    say_shape(&page, shape);
    say(&page, "friction", "%.2f static, %.2f kinetic", def.static_friction, def.friction);
    say(&page, "restitution", "%.2f", def.restitution);
    return page.count;
}
