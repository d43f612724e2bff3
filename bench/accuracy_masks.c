/* accuracy_masks.c - sprites drawn from formulas.
 *
 * Invariant: a pixel is solid exactly when its center is inside the shape.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/// Function that tells whether a point is inside. (0, 0) is the middle of the picture, and 1 is
/// half its width
typedef bool (*inside_fn)(double x, double y);

static pv_mask *draw(int size, inside_fn inside) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if (inside((2 * x + 1.0) / size - 1, (2 * y + 1.0) / size - 1))
                pv_mask_set_pixel(m, x, y, true);
    return m;
}

pv_mask *mask_box(int w, int h) { return pv_mask_create_rect(w, h, NULL, NULL); }

pv_mask *mask_disc(double radius) {
    int size = (int)ceil(2 * radius);
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if (hypot(x + 0.5 - size / 2.0, y + 0.5 - size / 2.0) <= radius)
                pv_mask_set_pixel(m, x, y, true);
    return m;
}

/// Tells whether a point is in a polygon, by the even-odd rule.
static bool in_polygon(double x, double y, const pv_vec2 *points, int count) {
    bool in = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        pv_vec2 p = points[i], q = points[j];
        if ((p.y > y) != (q.y > y) && x < p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y)) in = !in;
    }
    return in;
}

pv_mask *mask_polygon(int w, int h, const pv_vec2 *points, int count) {
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (in_polygon(x + 0.5, y + 0.5, points, count)) pv_mask_set_pixel(m, x, y, true);
    return m;
}

pv_mask *mask_star(int size) {
    pv_vec2 points[10];
    for (int i = 0; i < 10; i++) {
        double r = size / 2.0 * (i % 2 ? 0.5 : 1), a = i * pi / 5 - pi / 2;
        points[i] = (pv_vec2){size / 2.0 + r * cos(a), size / 2.0 + r * sin(a)};
    }
    return mask_polygon(size, size, points, 10);
}

static bool in_ring(double x, double y) {
    double r = hypot(x, y);
    return r <= 1 && r >= 0.5;
}

/// Tells whether a point is in a ring without its right quarter.
static bool in_letter_c(double x, double y) { return in_ring(x, y) && !(x > 0 && fabs(y) < x); }

static bool in_letter_l(double x, double y) { return (x < -0.25 || y > 0.5) && fabs(x) < 0.75; }

/// Tells whether a point is in a gear: six teeth, narrower at their tips, on a hub with a hole.
static bool in_gear(double x, double y) {
    double r = hypot(x, y), along = fabs(remainder(atan2(y, x), pi / 3));
    if (r < 0.25) return false;
    return r <= 0.72 || (r <= 1 && r * sin(along) <= 0.32 - 0.25 * (r - 0.72));
}

pv_mask *mask_letter_c(int size) { return draw(size, in_letter_c); }

pv_mask *mask_letter_l(int size) { return draw(size, in_letter_l); }

pv_mask *mask_ring(int size) { return draw(size, in_ring); }

pv_mask *mask_gear(int size) { return draw(size, in_gear); }
