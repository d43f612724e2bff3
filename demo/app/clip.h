/* clip.h - the last pictures of a canvas, and their animation as a GIF file.
 *
 * Invariant: all pictures have one size, the canvas' divided or multiplied by a whole number. A new
 * picture replaces the oldest one.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef CLIP_H
#define CLIP_H

#include <pixverlet.h>

/// Greatest width of a picture [px], and pictures per second
enum { CLIP_WIDEST = 640, CLIP_RATE = 30 };

/// Clip; all zero has no pictures
struct clip {
    int width, height;
    /// Canvas pixels per picture pixel, and picture pixels per canvas pixel, along each axis
    int shrunk, enlarged;
    /// Ring of pictures: 5 bits of red, 6 of green and 5 of blue for each pixel
    uint16_t *pixels;
    int capacity, first, count;
};

/// Adds a picture of the canvas: large canvases are averaged over squares, and pixels of small ones
/// become squares. A canvas of another size begins a new clip.
/// @param capacity greatest number of pictures
/// @return false if memory runs out
bool clip_see(struct clip *clip, const pv_canvas *canvas, int capacity);

/// Copies the last pictures of a clip, count at most; returns false if memory runs out.
bool clip_copy(struct clip *to, const struct clip *from, int count);

/// Writes the pictures as a GIF file that repeats.
/// @return false if that fails, or without pictures
bool clip_write(const struct clip *clip, const char *path);

void clip_close(struct clip *clip);

#endif
