/* texture.h - noise and light for painted pictures.
 *
 * Invariant: all results follow from the arguments, bit for bit, on every machine, because masks
 * depend on them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TEXTURE_H
#define TEXTURE_H

#include <pixverlet.h>

/// Returns a random number for a cell, evenly distributed in 0...2^32 - 1.
uint32_t texture_grain(uint32_t seed, int x, int y);

/// Returns smooth noise, 0...1, with hills about one unit apart.
double texture_noise(uint32_t seed, double x, double y);

/// Returns the sum of several noises, 0...1, each of half the length and height of the one before.
double texture_rough(uint32_t seed, double x, double y, int octaves);

/// Returns a color, 0xRRGGBBAA, with its brightness multiplied; alpha stays.
uint32_t texture_lit(uint32_t color, double light);

/// Returns the mix of two colors; share is the second one's, 0...1.
uint32_t texture_mix(uint32_t from, uint32_t to, double share);

#endif
