/* speed_outlines.c - the sprites of the bodies' scenes: one outline, as pixels and as convex
 * pieces.
 *
 * Invariant: a pixel is solid when its center is inside the outline; corners run clockwise on the
 * screen.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <math.h>
#include <pixverlet.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static bool in_piece(const outline *o, int k, double x, double y) {
    for (int i = 0, n = o->piece[k].corners; i < n; i++) {
        pv_vec2 a = o->piece[k].corner[i], b = o->piece[k].corner[(i + 1) % n];
        if ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) < 0) return false;
    }
    return true;
}

static bool inside(const outline *o, double x, double y) {
    if (o->radius > 0) return hypot(x - o->radius, y - o->radius) <= o->radius;
    for (int k = 0; k < o->pieces; k++)
        if (in_piece(o, k, x, y)) return true;
    return false;
}

static void draw(outline *o, int width, int height) {
    o->mask = pv_mask_create(width, height, NULL, NULL);
    if (!o->mask) exit(1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            pv_mask_set_pixel(o->mask, x, y, inside(o, x + 0.5, y + 0.5));
}

static void add_corner(outline *o, int piece, pv_vec2 corner) {
    o->piece[piece].corner[o->piece[piece].corners++] = corner;
}

/// Returns a point on a circle about the middle of a square picture.
static pv_vec2 on_circle(int size, double radius, double angle) {
    return (pv_vec2){0.5 * size + radius * cos(angle), 0.5 * size + radius * sin(angle)};
}

outline outline_disc(int diameter) {
    outline o = {.radius = 0.5 * diameter};
    draw(&o, diameter, diameter);
    return o;
}

outline outline_box(int width, int height) {
    outline o = {.pieces = 1, .piece = {{4, {{0, 0}, {width, 0}, {width, height}, {0, height}}}}};
    draw(&o, width, height);
    return o;
}

outline outline_octagon(int size) {
    outline o = {.pieces = 1};
    for (int i = 0; i < 8; i++)
        add_corner(&o, 0, on_circle(size, 0.5 * size / cos(PI / 8), PI * (2 * i + 1) / 8));
    draw(&o, size, size);
    return o;
}

outline outline_star(int size) {
    outline o = {.pieces = 6};
    for (int i = 0; i < 5; i++) {
        double angle = 2 * PI * i / 5 - PI / 2;
        pv_vec2 before = on_circle(size, 0.22 * size, angle - PI / 5);
        add_corner(&o, 0, before);
        add_corner(&o, i + 1, before);
        add_corner(&o, i + 1, on_circle(size, 0.5 * size, angle));
        add_corner(&o, i + 1, on_circle(size, 0.22 * size, angle + PI / 5));
    }
    draw(&o, size, size);
    return o;
}

outline outline_letter_c(int size) {
    outline o = {.pieces = 7};
    for (int i = 0; i < 7; i++) {
        double from = PI / 4 + 1.5 * PI * i / 7, to = from + 1.5 * PI / 7;
        add_corner(&o, i, on_circle(size, 0.5 * size, from));
        add_corner(&o, i, on_circle(size, 0.5 * size, to));
        add_corner(&o, i, on_circle(size, 0.28 * size, to));
        add_corner(&o, i, on_circle(size, 0.28 * size, from));
    }
    draw(&o, size, size);
    return o;
}

void outline_free(outline *o) { pv_mask_release(o->mask); }
