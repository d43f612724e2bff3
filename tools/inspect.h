/* inspect.h - what pixverlet-inspect finds in a picture.
 *
 * Invariant: all of it comes out of pixverlet.h; nothing here looks inside the library.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef INSPECT_H
#define INSPECT_H

#include <pixverlet.h>
#include <stdio.h>

/// A straight piece of the contour, in the picture's coordinates [px]; the solid side is at the
/// right.
struct edge {
    pv_vec2 from, to;
};

/// Loops one after the other, each from edge to edge.
struct contour {
    struct edge *edges;
    int count, room;
    /// For lack of memory
    bool failed;
};

/// A picture and its figures.
struct sprite {
    /// Borrowed
    const char *path;
    pv_image *image;
    pv_mask *mask;
    /// That the mask and what hangs on it have now; counted by the mask's allocator
    size_t bytes;
    pv_mass_data mass;
    int parts_8, holes_8, parts_4, holes_4;
    size_t mask_bytes, contour_bytes;
    struct contour contour;
};

/* inspect_look.c */
/// Reads a PNG and finds out all that is told of it. A sprite must stay where it is until
/// sprite_close().
/// @param threshold a pixel is solid from this alpha on, 0...255
/// @return PV_OK, also for a picture without solid pixels; else there is nothing to close
pv_status sprite_open(struct sprite *sprite, const char *path, int threshold);
void sprite_close(struct sprite *sprite);

/// The edge after the last one of the loop that begins with edge first.
int contour_loop_end(const struct contour *contour, int first);
int contour_loops(const struct contour *contour);

/* inspect_draw.c */
/// Writes the enlarged picture, the contour with its points, the normals there, and the center of
/// mass.
/// @return null, or what is wrong
const char *draw_png(const struct sprite *sprite, const char *path);
const char *draw_svg(const struct sprite *sprite, const char *path);

/* inspect_text.c */
/// What a name is written into.
enum text { TEXT_PLAIN, TEXT_JSON, TEXT_XML };

/// Writes a name so that it stays on its line and within its quotes; what is no UTF-8 becomes
/// U+FFFD.
void put_text(FILE *file, const char *text, enum text kind);

#endif
