/* inspect.h - findings of pixverlet-inspect about a picture.
 *
 * Invariant: all of them come from pixverlet.h, without access to the library's internals.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef INSPECT_H
#define INSPECT_H

#include <pixverlet.h>
#include <stdio.h>

/// Straight edge of the contour, in the picture's coordinates [px]; the solid side is at the right
struct edge {
    pv_vec2 from, to;
};

/// Loops, one after the other, each with its edges in order
struct contour {
    struct edge *edges;
    int count, room;
    /// True once memory has run out
    bool failed;
};

/// Picture and its figures
struct sprite {
    /// Path of the file, and perhaps the name of a frame, borrowed
    const char *path;
    pv_image *image;
    pv_mask *mask;
    /// Current bytes of the mask and its caches, counted in the mask's allocator
    size_t bytes;
    pv_mass_data mass;
    int parts_8, holes_8, parts_4, holes_4;
    size_t mask_bytes, contour_bytes;
    struct contour contour;
};

/* inspect_look.c */
/// Computes all figures of a picture; the sprite then owns the picture. A sprite must stay at its
/// address until sprite_close().
/// @param image null: nothing is done
/// @param threshold least alpha of a solid pixel, 0...255
/// @return false if memory runs out or for null; then there is nothing to close
bool sprite_of_image(struct sprite *sprite, const char *path, pv_image *image, int threshold);
void sprite_close(struct sprite *sprite);

/// Returns the index after the last edge of the loop that begins with edge first.
int contour_loop_end(const struct contour *contour, int first);
int contour_loops(const struct contour *contour);

/* inspect_draw.c */
/// Writes the enlarged picture with the contour, its points, their normals, and the center of mass.
/// @return null, or the error
const char *draw_png(const struct sprite *sprite, const char *path);
const char *draw_svg(const struct sprite *sprite, const char *path);

/* inspect_text.c */
/// Format of the output for a name
enum text { TEXT_PLAIN, TEXT_JSON, TEXT_XML };

/// Writes a name so that it stays on its line and within its quotes; invalid UTF-8 becomes U+FFFD.
void put_text(FILE *file, const char *text, enum text kind);

#endif
