/* texture.c - value noise on a grid, and colors.
 *
 * Invariant: noise uses only operations that are exact or correctly rounded on every machine.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/texture.h"

#include <math.h>

uint32_t texture_grain(uint32_t seed, int x, int y) {
    uint32_t h = seed * 0x9e3779b1u ^ (uint32_t)x * 0x85ebca77u ^ (uint32_t)y * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

static double corner(uint32_t seed, int x, int y) {
    return texture_grain(seed, x, y) / 4294967296.0;
}

static double eased(double t) { return t * t * (3 - 2 * t); }

double texture_noise(uint32_t seed, double x, double y) {
    int left = (int)floor(x), top = (int)floor(y);
    double u = eased(x - left), v = eased(y - top);
    double a = corner(seed, left, top), b = corner(seed, left + 1, top);
    double c = corner(seed, left, top + 1), d = corner(seed, left + 1, top + 1);
    a += (b - a) * u;
    c += (d - c) * u;
    return a + (c - a) * v;
}

double texture_rough(uint32_t seed, double x, double y, int octaves) {
    double sum = 0, height = 1, whole = 0;
    for (int i = 0; i < octaves; i++) {
        sum += height * texture_noise(seed + (uint32_t)i, x, y);
        whole += height;
        height /= 2;
        x *= 2;
        y *= 2;
    }
    return sum / whole;
}

uint32_t texture_lit(uint32_t color, double light) {
    uint32_t lit = color & 255;
    for (int shift = 8; shift < 32; shift += 8) {
        double channel = (color >> shift & 255) * light;
        lit |= (uint32_t)(channel < 0 ? 0 : channel > 255 ? 255 : channel) << shift;
    }
    return lit;
}

uint32_t texture_mix(uint32_t from, uint32_t to, double share) {
    uint32_t mixed = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        double a = from >> shift & 255, b = to >> shift & 255;
        mixed |= (uint32_t)(a + (b - a) * share + .5) << shift;
    }
    return mixed;
}
