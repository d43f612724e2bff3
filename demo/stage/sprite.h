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

/// Data of a file that show that it has changed
struct sprite_stamp {
    /// Time of its last change
    int64_t seconds, nanoseconds;
    /// Size [bytes]
    int64_t size;
};

/// Loaded PNG, owned by its list; that of a carved body has only the image
struct sprite {
    struct sprite *next;
    /// True for a file, false for a picture that a scene painted
    bool from_file;
    /// Limit of sprite_load() [px]
    int limit;
    /// Data of the file at its last reading
    struct sprite_stamp stamp;
    char *path;
    pv_image *image;
    pv_mask *mask;
    /// Center of mass, in the picture's coordinates [px]
    pv_vec2 center;
};

/// Returns the sprite of a PNG file, from the list if it is there already.
/// @param list list of the sprite; a new one goes to the front
/// @param limit larger pictures are shrunk to this width and height [px]; 0: never
/// @param status outcome; PV_ERROR_EMPTY for a picture without solid pixels
/// @return null with a status
struct sprite *sprite_load(struct sprite **list, const char *path, int limit, pv_status *status);

/// Adds a picture to a list as a sprite, with a name in place of a path.
/// @param image picture, taken over even on failure; null counts as a failure
/// @param mask solid pixels, taken over; null: from the image
/// @param status outcome; PV_ERROR_EMPTY without solid pixels
/// @return null with a status
struct sprite *sprite_keep(struct sprite **list, const char *name, pv_image *image, pv_mask *mask,
                           pv_status *status);

/// Tells whether a sprite's file exists and has changed since its last reading.
bool sprite_has_changed(const struct sprite *sprite);

/// Reads a sprite's file again, and releases the old mask. Bodies with the old mask have their own
/// references to it.
/// @return error of the file, after which the sprite is unchanged
pv_status sprite_renew(struct sprite *sprite);

/// Returns a pixel of a sprite's picture: R, G, B, A. The picture repeats to the right and down,
/// because its file may have any size.
const unsigned char *sprite_texel(const struct sprite *sprite, int x, int y);

/// Frees all sprites of a list.
void sprite_free_all(struct sprite **list);

/// Returns the directory of the demo's sprites. It is the first that exists of $PIXVERLET_SPRITES,
/// the source tree's and the installed one.
const char *sprite_directory(void);

#endif
