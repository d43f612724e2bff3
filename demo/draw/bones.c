/* bones.c - draws joints as strokes, and particles as discs.
 *
 * Invariant: each part is drawn once, either with its composite, polygon or liquid, or as a loose
 * part.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/bones.h"

#include "draw/skin.h"
#include "stage/texture.h"

#include <stdlib.h>
#include <string.h>

/// Greatest number of corners of a polygon
#define MAX_CORNERS 64

/* Marks of parts that belong to an object, by index. If memory runs out, these are drawn as loose
 * parts, too. */

struct marks {
    unsigned char *at;
    uint32_t capacity;
};

static void mark(struct marks *marks, uint32_t index) {
    if (index >= marks->capacity) {
        uint32_t larger = index < 512 ? 1024 : index * 2;
        unsigned char *grown = realloc(marks->at, larger);
        if (!grown) return;
        memset(grown + marks->capacity, 0, larger - marks->capacity);
        marks->at = grown;
        marks->capacity = larger;
    }
    marks->at[index] = 1;
}

static bool is_marked(const struct marks *marks, uint32_t index) {
    return index < marks->capacity && marks->at[index];
}

struct owned {
    struct marks particles, constraints;
};

/* Strokes and discs */

/// Draws a line with a width in pixels of the world, but at least a thin one.
static void draw_stroke(const struct lens *lens, pv_vec2 from, pv_vec2 to, double width,
                        uint32_t color) {
    width *= lens->view->camera.zoom;
    if (width < 1.5)
        pv_canvas_draw_line(lens->canvas, from, to, color);
    else
        pv_canvas_draw_thick_line(lens->canvas, from, to, width, color);
}

/// Draws a disc.
/// @param radius 0: as large as the particle
/// @param more additional radius
static void draw_dot(const struct lens *lens, pv_particle_id particle, double radius, double more,
                     uint32_t color) {
    if (!(radius > 0)) radius = pv_particle_get_radius(lens->stage->world, particle);
    radius = (radius + more) * lens->view->camera.zoom;
    pv_canvas_draw_circle(lens->canvas, lens_particle(lens, particle), radius > .75 ? radius : .75,
                          color);
}

static bool is_way(const pv_world *world, pv_joint_id constraint) {
    pv_joint_type type = pv_joint_get_type(world, constraint);
    return type == PV_JOINT_DISTANCE || type == PV_JOINT_ROPE;
}

static double radius_at(const pv_world *world, const pv_anchor *anchor) {
    return pv_particle_get_radius(world, anchor->particle);
}

/// Draws a stick or rope.
/// @param width 0: as wide as the particles at its ends
/// @param more additional width
static void draw_way(const struct lens *lens, pv_joint_id constraint, double width, double more,
                     uint32_t color) {
    const pv_world *world = lens->stage->world;
    pv_anchor ends[2];
    if (!is_way(world, constraint) || pv_joint_get_anchors(world, constraint, ends) != PV_OK)
        return;
    if (!(width > 0)) width = radius_at(world, &ends[0]) + radius_at(world, &ends[1]);
    draw_stroke(lens, lens_anchor(lens, &ends[0]), lens_anchor(lens, &ends[1]), width + more,
                color);
}

/* Composites */

static void draw_ways(const struct lens *lens, pv_composite_id matter,
                      const struct stage_paint *paint, struct marks *marks) {
    const pv_world *world = lens->stage->world;
    int count = pv_composite_get_joints(world, matter, NULL, 0);
    pv_joint_id *parts = count > 0 ? malloc((size_t)count * sizeof *parts) : NULL;
    if (!parts) return;
    pv_composite_get_joints(world, matter, parts, count);
    int shown = paint->strokes > 0 && paint->strokes < count ? paint->strokes : count;
    for (int i = 0; i < count; i++) mark(marks, parts[i].index);
    for (int i = 0; i < shown && paint->stroke && paint->rim; i++)
        draw_way(lens, parts[i], paint->width, 2, paint->rim);
    bool ribbon = paint->picture && pv_composite_get_triangles(world, matter, NULL, 0) == 0;
    for (int i = 0; i < shown && paint->stroke && !ribbon; i++)
        draw_way(lens, parts[i], paint->width, 0, paint->stroke);
    free(parts);
}

static void draw_dots(const struct lens *lens, pv_composite_id matter,
                      const struct stage_paint *paint, struct marks *marks) {
    const pv_world *world = lens->stage->world;
    int count = pv_composite_get_particles(world, matter, NULL, 0);
    pv_particle_id *parts = count > 0 ? malloc((size_t)count * sizeof *parts) : NULL;
    if (!parts) return;
    pv_composite_get_particles(world, matter, parts, count);
    for (int i = 0; i < count; i++) {
        mark(marks, parts[i].index);
        if (paint->dot && paint->rim) draw_dot(lens, parts[i], paint->knob, 1, paint->rim);
        if (paint->dot) draw_dot(lens, parts[i], paint->knob, 0, paint->dot);
    }
    free(parts);
}

static void draw_things(const struct lens *lens, struct owned *owned) {
    const pv_world *world = lens->stage->world;
    pv_composite_id matter = pv_world_get_next_composite(world, (pv_composite_id){0});
    for (; matter.generation != 0; matter = pv_world_get_next_composite(world, matter)) {
        struct stage_paint paint = stage_paint_of(lens->stage, matter);
        draw_ways(lens, matter, &paint, &owned->constraints);
        draw_dots(lens, matter, &paint, &owned->particles);
    }
}

/* Polygons */

static const uint32_t fills[] = {0xe8b04cff, 0x6fb3d8ff, 0xd87a5cff,
                                 0x8fbf6aff, 0xb08fd0ff, 0xe0cf8aff};

static uint32_t fill_of(const struct stage_paint *paint, pv_body_id polygon) {
    return paint->skin ? paint->skin : fills[polygon.index % (sizeof fills / sizeof fills[0])];
}

static void mark_beams(const pv_world *world, pv_body_id polygon, struct marks *marks) {
    int count = pv_body_get_joints(world, polygon, NULL, 0);
    pv_joint_id *beams = count > 0 ? malloc((size_t)count * sizeof *beams) : NULL;
    if (!beams) return;
    pv_body_get_joints(world, polygon, beams, count);
    for (int i = 0; i < count; i++) mark(marks, beams[i].index);
    free(beams);
}

static void draw_boundary(const struct lens *lens, const pv_particle_id *corners, int count,
                          const struct stage_paint *paint) {
    for (int i = 0; i < count; i++) {
        pv_vec2 from = lens_particle(lens, corners[i]),
                to = lens_particle(lens, corners[(i + 1) % count]);
        draw_stroke(lens, from, to, paint->width > 0 ? paint->width : 1, paint->stroke);
    }
}

static void draw_polygon(const struct lens *lens, pv_body_id polygon, struct owned *owned) {
    struct stage_paint paint = stage_paint_of_polygon(lens->stage, polygon);
    pv_particle_id corners[MAX_CORNERS];
    int count = pv_body_get_corners(lens->stage->world, polygon, corners, MAX_CORNERS);
    if (count > MAX_CORNERS) count = MAX_CORNERS;
    uint32_t fill = fill_of(&paint, polygon);
    skin_fill(lens, polygon, 1, fill);
    if (paint.inlay > 0) skin_fill(lens, polygon, paint.inlay, texture_lit(fill, 1.18));
    mark_beams(lens->stage->world, polygon, &owned->constraints);
    if (!paint.stroke && paint.width > 0) paint.stroke = texture_lit(fill, .5);
    if (paint.stroke) draw_boundary(lens, corners, count, &paint);
    for (int i = 0; i < count; i++) {
        mark(&owned->particles, corners[i].index);
        if (paint.dot) draw_dot(lens, corners[i], 0, 0, paint.dot);
    }
}

static void draw_polygons(const struct lens *lens, struct owned *owned) {
    const pv_world *world = lens->stage->world;
    pv_body_id polygon = pv_world_get_next_polygon(world, (pv_body_id){0});
    for (; polygon.generation != 0; polygon = pv_world_get_next_polygon(world, polygon))
        draw_polygon(lens, polygon, owned);
}

/* Loose parts */

/// Marks the particles of painted liquids, which are drawn as water.
static void mark_liquids(const struct lens *lens, struct marks *marks) {
    const pv_world *world = lens->stage->world;
    uint32_t color = 0;
    pv_liquid_id liquid = stage_next_liquid(lens->stage, (pv_liquid_id){0}, &color);
    for (; liquid.generation != 0; liquid = stage_next_liquid(lens->stage, liquid, &color)) {
        int count = pv_liquid_get_particles(world, liquid, NULL, 0);
        pv_particle_id *particles = count > 0 ? malloc((size_t)count * sizeof *particles) : NULL;
        if (!particles) continue;
        pv_liquid_get_particles(world, liquid, particles, count);
        for (int i = 0; i < count; i++) mark(marks, particles[i].index);
        free(particles);
    }
}

static void draw_loose(const struct lens *lens, const struct owned *owned) {
    const pv_world *world = lens->stage->world;
    const struct stage_paint *paint = &lens->stage->loose;
    pv_joint_id constraint = pv_world_get_next_joint(world, (pv_joint_id){0});
    for (; paint->stroke && constraint.generation != 0;
         constraint = pv_world_get_next_joint(world, constraint))
        if (!is_marked(&owned->constraints, constraint.index))
            draw_way(lens, constraint, paint->width, 0, paint->stroke);
    pv_particle_id particle = pv_world_get_next_particle(world, (pv_particle_id){0});
    for (; paint->dot && particle.generation != 0;
         particle = pv_world_get_next_particle(world, particle))
        if (!is_marked(&owned->particles, particle.index))
            draw_dot(lens, particle, 0, 0, paint->dot);
}

void bones_draw(const struct lens *lens) {
    struct owned owned = {0};
    draw_polygons(lens, &owned);
    draw_things(lens, &owned);
    mark_liquids(lens, &owned.particles);
    draw_loose(lens, &owned);
    free(owned.particles.at);
    free(owned.constraints.at);
}
