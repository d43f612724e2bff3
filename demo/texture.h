/* texture.h - noise and light for pictures that scenes paint.
 *
 * Invariant: all follows from the arguments, bit for bit, on every machine: masks are made of it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TEXTURE_H
#define TEXTURE_H

#include <pixverlet.h>

/// A number of a cell's own, evenly from 0 to 2^32 - 1.
uint32_t texture_grain(uint32_t seed, int x, int y);

/// Smooth noise, 0...1, with hills about one unit apart.
double texture_noise(uint32_t seed, double x, double y);

/// The same with finer noise on it, of half the length and half the height each time.
double texture_rough(uint32_t seed, double x, double y, int octaves);

/// A color, 0xRRGGBBAA, so many times as bright; alpha stays.
uint32_t texture_lit(uint32_t color, double light);

/// From one color to another, share 0...1.
uint32_t texture_mix(uint32_t from, uint32_t to, double share);

#endif
