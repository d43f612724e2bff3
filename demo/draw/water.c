/* water.c - joins drops where the sum of their fields is large (Blinn 1982), on a coarse grid.
 *
 * Invariant: the cost of a drop does not depend on the zoom; each shown pixel is computed once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/water.h"

#include <math.h>
#include <stdlib.h>

/// Range of a drop in radii of its particle, and number of cells in that range. Water begins where
/// the sum is level. Its soft edge ends at level + softness, and its surface at level + foam.
static const double spread = 3.2, fineness = 7;
static const float level = .55f, softness = .12f, foam = .6f;

/// Speeds at which foam begins, and at which it is densest [px/s]
static const double calm = 80, wild = 230;

/// Sums of drops at the corners of square cells
struct field {
    float *sums;
    /// Numbers of corners
    int columns, rows;
    /// Side of a cell on the canvas [px]
    int cell;
    /// Range of a drop on the canvas [px]
    double reach;
};

static struct field field_of(const struct lens *lens, double radius) {
    struct field field = {.reach = spread * (radius > 0 ? radius : 3) * lens->view->camera.zoom};
    field.cell = field.reach > 2 * fineness ? (int)(field.reach / fineness) : 1;
    field.columns = lens->canvas->width / field.cell + 2;
    field.rows = lens->canvas->height / field.cell + 2;
    field.sums = calloc((size_t)field.columns * (size_t)field.rows, sizeof *field.sums);
    return field;
}

/// Whole numbers from first to last, within 0...limit - 1
struct stretch {
    int first, last;
};

static struct stretch stretch_of(double low, double high, int limit) {
    if (!(high >= 0) || !(low <= limit - 1)) return (struct stretch){0, -1};
    return (struct stretch){low > 0 ? (int)low : 0, high < limit - 1 ? (int)high : limit - 1};
}

/// Adds a drop: (1 - d^2 / reach^2)^2 at each distance d < reach from its center.
static void add_drop(const struct field *field, pv_vec2 at) {
    double cell = field->cell, x = at.x / cell, y = at.y / cell, reach = field->reach / cell;
    struct stretch rows = stretch_of(y - reach + 1, y + reach, field->rows);
    struct stretch columns = stretch_of(x - reach + 1, x + reach, field->columns);
    float scale = (float)(1 / (reach * reach));
    for (int j = rows.first; j <= rows.last; j++) {
        float dy = (float)(j - y), *sums = field->sums + (ptrdiff_t)j * field->columns;
        for (int i = columns.first; i <= columns.last; i++) {
            float dx = (float)(i - x), rest = 1 - (dx * dx + dy * dy) * scale;
            if (rest > 0) sums[i] += rest * rest;
        }
    }
}

/// Blends the water's color with its alpha over an opaque pixel.
static void blend(unsigned char *to, const float color[3], float alpha) {
    for (int i = 0; i < 3; i++)
        to[i] = (unsigned char)((float)to[i] + (color[i] - (float)to[i]) * alpha + .5f);
}

struct dye {
    /// Colors of the water, and of its surface
    float color[3], light[3];
    float alpha;
};

static struct dye dye_of(uint32_t color) {
    struct dye dye = {.alpha = (float)(color & 255) / 255};
    for (int i = 0; i < 3; i++) {
        dye.color[i] = (float)(color >> (24 - 8 * i) & 255);
        dye.light[i] = dye.color[i] + (255 - dye.color[i]) * .65f;
    }
    return dye;
}

/// Mixes the color of a cell: the surface's color where it faces up, elsewhere the water's.
static void mix(const struct dye *dye, float right, float down, float color[3]) {
    float slope = fabsf(right) + fabsf(down), light = slope > 0 && down > 0 ? down / slope : 0;
    for (int i = 0; i < 3; i++) color[i] = dye->color[i] + (dye->light[i] - dye->color[i]) * light;
}

/// Draws a pixel with a sum of f.
static void draw_pixel(unsigned char *to, const struct dye *dye, const float surface[3], float f) {
    if (f <= level) return;
    float edge = f < level + softness ? (f - level) / softness : 1;
    blend(to, f < level + foam ? surface : dye->color, edge * dye->alpha);
}

/// Draws a cell with interpolated sums of its corners.
static void draw_cell(const pv_canvas *canvas, const struct field *field, const struct dye *dye,
                      int column, int row) {
    const float *upper = field->sums + (ptrdiff_t)row * field->columns + column,
                *lower = upper + field->columns;
    float a = upper[0], b = upper[1], c = lower[0], d = lower[1], surface[3];
    if (a <= level && b <= level && c <= level && d <= level) return;
    mix(dye, b + d - a - c, c + d - a - b, surface);
    int left = column * field->cell, top = row * field->cell;
    for (int j = 0; j < field->cell && top + j < canvas->height; j++) {
        float v = ((float)j + .5f) / (float)field->cell, f = a + (c - a) * v, end = b + (d - b) * v;
        unsigned char *to = canvas->pixels + (top + j) * canvas->pitch + (ptrdiff_t)left * 4;
        float grow = (end - f) / (float)field->cell;
        f += grow / 2;
        for (int i = 0; i < field->cell && left + i < canvas->width; i++, to += 4, f += grow)
            draw_pixel(to, dye, surface, f);
    }
}

static void draw_field(const pv_canvas *canvas, const struct field *field, uint32_t color) {
    struct dye dye = dye_of(color);
    for (int j = 0; j + 1 < field->rows; j++)
        for (int i = 0; i + 1 < field->columns; i++) draw_cell(canvas, field, &dye, i, j);
}

/// Draws foam: a white disc on each fast drop, denser the faster it is.
static void draw_foam(const struct lens *lens, const pv_particle_id *particles, int count) {
    const pv_world *world = lens->stage->world;
    for (int i = 0; i < count; i++) {
        pv_vec2 v = pv_particle_get_velocity(world, particles[i]);
        double speed = sqrt(v.x * v.x + v.y * v.y), share = (speed - calm) / (wild - calm);
        if (share <= 0) continue;
        double radius = pv_particle_get_radius(world, particles[i]) * lens->view->camera.zoom;
        uint32_t alpha = (uint32_t)(share < 1 ? share * 200 : 200);
        pv_canvas_draw_circle(lens->canvas, lens_particle(lens, particles[i]),
                              radius * (.5 + .3 * (particles[i].index % 3)), 0xffffff00u | alpha);
    }
}

static void draw_liquid(const struct lens *lens, const pv_particle_id *particles, int count,
                        uint32_t color) {
    struct field field = field_of(lens, pv_particle_get_radius(lens->stage->world, particles[0]));
    if (!field.sums) return;
    for (int i = 0; i < count; i++) add_drop(&field, lens_particle(lens, particles[i]));
    draw_field(lens->canvas, &field, color);
    free(field.sums);
}

void water_draw(const struct lens *lens) {
    const pv_world *world = lens->stage->world;
    uint32_t color = 0;
    pv_liquid_id liquid = stage_next_liquid(lens->stage, (pv_liquid_id){0}, &color);
    for (; liquid.generation != 0; liquid = stage_next_liquid(lens->stage, liquid, &color)) {
        int count = pv_liquid_get_particles(world, liquid, NULL, 0);
        pv_particle_id *particles = count > 0 ? malloc((size_t)count * sizeof *particles) : NULL;
        if (!particles) continue;
        pv_liquid_get_particles(world, liquid, particles, count);
        draw_liquid(lens, particles, count, color);
        draw_foam(lens, particles, count);
        free(particles);
    }
}
