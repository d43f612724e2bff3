/* sprite.h - PNG files as sprites: the picture to draw and the mask to collide with.
 *
 * Invariant: picture and mask always come from the same pixels, and a mask has at least one solid
 * pixel.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPRITE_H
#define SPRITE_H

#include <pixverlet.h>

/// By what a file is known to have changed.
struct sprite_stamp {
    /// Of its last change
    int64_t seconds, nanoseconds;
    /// [byte]
    int64_t size;
};

/// A loaded PNG; owned by the list it stands in. Of a body that was carved it is the image alone.
struct sprite {
    struct sprite *next;
    /// And not painted by a scene
    bool from_file;
    /// As sprite_load() was told [px]
    int limit;
    /// Of the file when it was read last
    struct sprite_stamp stamp;
    char *path;
    pv_image *image;
    pv_mask *mask;
    /// Of mass, in the picture's coordinates [px]
    pv_vec2 center;
};

/// The sprite of a PNG file, out of the list when it is there already.
/// @param list where it is kept; a new one is put in front
/// @param limit pictures wider or higher than this are shrunk [px]; 0: never
/// @param status where the outcome goes; PV_ERROR_EMPTY for a picture without solid pixels
/// @return null with a status
struct sprite *sprite_load(struct sprite **list, const char *path, int limit, pv_status *status);

/// Puts a picture into a list as a sprite, under a name in place of a path.
/// @param image what it looks like, taken over even on a failure; null: a failure
/// @param mask its solid pixels, taken over; null: those of the image
/// @param status where the outcome goes; PV_ERROR_EMPTY without solid pixels
/// @return null with a status
struct sprite *sprite_keep(struct sprite **list, const char *name, pv_image *image, pv_mask *mask,
                           pv_status *status);

/// Tells whether a sprite's file is there and is another than was read last.
bool sprite_has_changed(const struct sprite *sprite);

/// Reads a sprite's file anew. The old mask is given back, so bodies that have it hold references
/// of their own.
/// @return what is wrong with the file, and then the sprite stays as it was
pv_status sprite_renew(struct sprite *sprite);

/// A pixel of its picture: R, G, B, A. The picture repeats to the right and down, for its file may
/// be of any size.
const unsigned char *sprite_texel(const struct sprite *sprite, int x, int y);

/// Frees all sprites of a list.
void sprite_free_all(struct sprite **list);

/// The directory of the demo's own sprites: the first that exists of $PIXVERLET_SPRITES, the source
/// tree's and the installed one.
const char *sprite_directory(void);

#endif
