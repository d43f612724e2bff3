/* lens.c - combines the camera and the fraction of the last step.
 *
 * Invariant: the debug view shows the current state of everything.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"

pv_vec2 lens_point(const struct lens *lens, pv_vec2 point) {
    return camera_to_screen(&lens->view->camera, lens->canvas->width, lens->canvas->height, point);
}

/// Returns the motion to interpolate, or null if the current state is shown.
static const struct motion *motion_of(const struct lens *lens) {
    return lens->view->overlays ? NULL : lens->view->motion;
}

pv_vec2 lens_particle(const struct lens *lens, pv_particle_id particle) {
    const struct motion *motion = motion_of(lens);
    const pv_world *world = lens->stage->world;
    return lens_point(lens, motion
                                ? motion_particle_at(motion, world, particle, lens->view->fraction)
                                : pv_particle_get_position(world, particle));
}

static pv_transform placed(const struct lens *lens, pv_body_id body) {
    const struct motion *motion = motion_of(lens);
    const pv_world *world = lens->stage->world;
    return motion ? motion_at(motion, world, body, lens->view->fraction)
                  : pv_body_get_transform(world, body);
}

pv_transform lens_body(const struct lens *lens, pv_body_id body) {
    pv_transform transform = placed(lens, body);
    transform.position = lens_point(lens, transform.position);
    transform.scale.x *= lens->view->camera.zoom;
    transform.scale.y *= lens->view->camera.zoom;
    return transform;
}

/// Returns where a point of a body is shown, from its current position in the world.
static pv_vec2 carried(const struct lens *lens, pv_body_id body, pv_vec2 point) {
    pv_transform now = pv_body_get_transform(lens->stage->world, body), seen = placed(lens, body);
    pv_vec2 d = {point.x - now.position.x, point.y - now.position.y};
    pv_rotation r = {now.rotation.c * seen.rotation.c + now.rotation.s * seen.rotation.s,
                     now.rotation.c * seen.rotation.s - now.rotation.s * seen.rotation.c};
    return (pv_vec2){seen.position.x + r.c * d.x - r.s * d.y,
                     seen.position.y + r.s * d.x + r.c * d.y};
}

pv_vec2 lens_anchor(const struct lens *lens, const pv_anchor *anchor) {
    if (stage_is_particle(anchor->particle)) return lens_particle(lens, anchor->particle);
    if (!stage_is_body(anchor->body)) return lens_point(lens, anchor->point);
    return lens_point(lens, carried(lens, anchor->body, anchor->point));
}

bool lens_sees(const struct lens *lens, pv_box box) {
    return box.max.x > 0 && box.max.y > 0 && box.min.x < lens->canvas->width &&
           box.min.y < lens->canvas->height;
}

/// Returns the offset to the second place of a body along an axis, or 0.
static double other_place(double low, double high, double size) {
    return low < 0 ? size : high > size ? -size : 0;
}

int lens_places(const struct lens *lens, pv_body_id body, pv_vec2 offsets[LENS_PLACES]) {
    pv_vec2 size = lens->stage->round;
    int count = 1;
    offsets[0] = (pv_vec2){0, 0};
    if (size.x <= 0 || pv_body_get_filter(lens->stage->world, body).category_bits & STAGE_ARRIVING)
        return count;
    pv_box box = pv_body_get_bounds(lens->stage->world, body);
    double zoom = lens->view->camera.zoom, dx = other_place(box.min.x, box.max.x, size.x) * zoom,
           dy = other_place(box.min.y, box.max.y, size.y) * zoom;
    if (dx != 0) offsets[count++] = (pv_vec2){dx, 0};
    if (dy != 0) offsets[count++] = (pv_vec2){0, dy};
    if (dx != 0 && dy != 0) offsets[count++] = (pv_vec2){dx, dy};
    return count;
}
