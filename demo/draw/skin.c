/* skin.c - triangles and ropes with a picture on them, and polygons cut into triangles.
 *
 * Invariant: triangles that share an edge leave no gap, so a skin is as whole as its object.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/skin.h"

#include <math.h>
#include <stdlib.h>

/// Greatest number of corners of a polygon
#define MAX_CORNERS 64

/// Triangles of an object on the canvas
struct skin {
    const pv_triangle *triangles;
    int count;
    const pv_image *image;
    uint32_t color;
    /// Strength of the shading, and mean area on the canvas per unit of area in the picture
    double shade, ease;
};

/// Returns twice the area of a triangle; > 0 if its corners turn clockwise on the screen.
static double area_of(const pv_vec2 p[3]) {
    return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
}

static void place(const struct lens *lens, const pv_triangle *triangle, pv_vec2 corners[3]) {
    for (int i = 0; i < 3; i++) corners[i] = lens_particle(lens, triangle->corners[i]);
}

static double ease_of(const struct lens *lens, const struct skin *skin) {
    double area = 0, rest = 0;
    for (int i = 0; i < skin->count; i++) {
        pv_vec2 corners[3];
        place(lens, &skin->triangles[i], corners);
        area += area_of(corners);
        rest += area_of(skin->triangles[i].uv);
    }
    return rest != 0 ? area / rest : 0;
}

static uint32_t times(uint32_t color, double light) {
    uint32_t shaded = color & 255;
    for (int shift = 8; shift < 32; shift += 8) {
        double channel = (color >> shift & 255) * light;
        shaded |= (uint32_t)(channel < 255 ? channel : 255) << shift;
    }
    return shaded;
}

/// Returns the brightness of a triangle. Folded triangles are darkest. Those of 1.5 times the mean
/// stretch or more are brightest.
static double light_of(const struct skin *skin, const pv_vec2 corners[3],
                       const pv_vec2 texture[3]) {
    double rest = skin->ease * area_of(texture), stretch = rest != 0 ? area_of(corners) / rest : 1;
    stretch = stretch < 0 ? 0 : stretch > 1.5 ? 1.5 : stretch;
    return 1 + skin->shade * (stretch - 1);
}

static void draw_triangle(const struct lens *lens, const struct skin *skin,
                          const pv_triangle *triangle) {
    pv_vec2 corners[3];
    place(lens, triangle, corners);
    uint32_t color = skin->color;
    if (skin->shade > 0) color = times(color, light_of(skin, corners, triangle->uv));
    pv_canvas_draw_triangle(lens->canvas, skin->image, corners, triangle->uv, color);
}

/// Returns the way from a particle to a ribbon's side, across the line through its neighbors.
static pv_vec2 ribbon_side(const struct lens *lens, const pv_particle_id *parts, int count, int i,
                           double width) {
    pv_vec2 from = lens_particle(lens, parts[i > 0 ? i - 1 : 0]),
            to = lens_particle(lens, parts[i < count - 1 ? i + 1 : i]);
    double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy),
           half = length > 0 ? .5 * width * lens->view->camera.zoom / length : 0;
    return (pv_vec2){-dy * half, dx * half};
}

/// Draws a rope with a picture along it. The picture's top is at the first particle.
static void draw_ribbon(const struct lens *lens, pv_composite_id matter,
                        const struct stage_paint *paint) {
    const pv_world *world = lens->stage->world;
    int count = pv_composite_get_particles(world, matter, NULL, 0);
    pv_particle_id *parts = count > 1 ? malloc((size_t)count * sizeof *parts) : NULL;
    if (!parts) return;
    pv_composite_get_particles(world, matter, parts, count);
    pv_vec2 corners[4], places[4];
    for (int i = 0; i < count; i++) {
        pv_vec2 at = lens_particle(lens, parts[i]),
                side = ribbon_side(lens, parts, count, i, paint->width);
        corners[2] = (pv_vec2){at.x - side.x, at.y - side.y};
        corners[3] = (pv_vec2){at.x + side.x, at.y + side.y};
        places[2] = (pv_vec2){0, i / (count - 1.0)};
        places[3] = (pv_vec2){1, i / (count - 1.0)};
        for (int k = 0; i > 0 && k < 2; k++)
            pv_canvas_draw_triangle(lens->canvas, paint->picture->image, corners + k, places + k,
                                    paint->stroke);
        for (int k = 0; k < 2; k++) {
            corners[k] = corners[k + 2];
            places[k] = places[k + 2];
        }
    }
    free(parts);
}

static void draw_thing(const struct lens *lens, pv_composite_id matter) {
    const pv_world *world = lens->stage->world;
    struct stage_paint paint = stage_paint_of(lens->stage, matter);
    const struct sprite *picture = paint.picture;
    int count = pv_composite_get_triangles(world, matter, NULL, 0);
    if (count == 0 && picture) draw_ribbon(lens, matter, &paint);
    if (count == 0 || (!picture && !paint.skin)) return;
    pv_triangle *triangles = malloc((size_t)count * sizeof *triangles);
    if (!triangles) return;
    pv_composite_get_triangles(world, matter, triangles, count);
    struct skin skin = {
        triangles,   count, picture ? picture->image : NULL, paint.skin ? paint.skin : 0xffffffffu,
        paint.shade, 0};
    if (skin.shade > 0) skin.ease = ease_of(lens, &skin);
    for (int i = 0; i < count; i++) draw_triangle(lens, &skin, &triangles[i]);
    free(triangles);
}

void skin_draw(const struct lens *lens) {
    const pv_world *world = lens->stage->world;
    pv_composite_id matter = pv_world_get_next_composite(world, (pv_composite_id){0});
    for (; matter.generation != 0; matter = pv_world_get_next_composite(world, matter))
        draw_thing(lens, matter);
}

/* Polygons, filled after Meisters (1975): their ears are cut off */

/// Returns a number > 0 if a triangle turns clockwise on the screen.
static double turn(pv_vec2 a, pv_vec2 b, pv_vec2 c) { return area_of((pv_vec2[3]){a, b, c}); }

static bool holds(const pv_vec2 ear[3], pv_vec2 p) {
    return turn(ear[0], ear[1], p) >= 0 && turn(ear[1], ear[2], p) >= 0 &&
           turn(ear[2], ear[0], p) >= 0;
}

/// Tells whether a corner is convex, and its triangle contains no other corner.
static bool is_ear(const pv_vec2 *points, int count, int at) {
    int before = (at + count - 1) % count, after = (at + 1) % count;
    const pv_vec2 ear[3] = {points[before], points[at], points[after]};
    if (turn(ear[0], ear[1], ear[2]) < 0) return false;
    for (int i = 0; i < count; i++)
        if (i != before && i != at && i != after && holds(ear, points[i])) return false;
    return true;
}

/// Returns the first ear of a polygon. A folded polygon without ears loses its first corner.
static int pick_ear(const pv_vec2 *points, int count) {
    for (int i = 0; i < count; i++)
        if (is_ear(points, count, i)) return i;
    return 0;
}

static void fill_outline(const pv_canvas *canvas, pv_vec2 *points, int count, uint32_t color) {
    for (; count >= 3; count--) {
        int at = pick_ear(points, count);
        pv_vec2 ear[3] = {points[(at + count - 1) % count], points[at], points[(at + 1) % count]};
        pv_canvas_draw_triangle(canvas, NULL, ear, NULL, color);
        for (int i = at; i + 1 < count; i++) points[i] = points[i + 1];
    }
}

/// Scales points about their mean.
static void shrink(pv_vec2 *points, int count, double scale) {
    pv_vec2 mean = {0, 0};
    for (int i = 0; i < count; i++) {
        mean.x += points[i].x / count;
        mean.y += points[i].y / count;
    }
    for (int i = 0; i < count; i++) {
        points[i].x = mean.x + (points[i].x - mean.x) * scale;
        points[i].y = mean.y + (points[i].y - mean.y) * scale;
    }
}

void skin_fill(const struct lens *lens, pv_body_id polygon, double scale, uint32_t color) {
    pv_particle_id corners[MAX_CORNERS];
    pv_vec2 points[MAX_CORNERS];
    int count = pv_body_get_corners(lens->stage->world, polygon, corners, MAX_CORNERS);
    if (count > MAX_CORNERS) return;
    for (int i = 0; i < count; i++) points[i] = lens_particle(lens, corners[i]);
    if (scale != 1) shrink(points, count, scale);
    fill_outline(lens->canvas, points, count, color);
}
