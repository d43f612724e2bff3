/* stage.h - what a scene plays on: a world, the sprites in it, what is seen of it, and its own dice.
 *
 * Invariant: every body's user_data is its sprite. The same seed and the same calls give the same stage, bit
 * for bit, on every machine: nothing comes from the clock, from an address or from the C library's sine.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef STAGE_H
#define STAGE_H

#include "sprite.h"

/// What is painted behind the sprites.
enum stage_backdrop {
    STAGE_HILLS = 0, ///< sky and far hills
    STAGE_FELT,      ///< a table seen from above
    STAGE_STARS      ///< space
};

/// A few words beside something in the world.
struct stage_label {
    pv_vec2 point; ///< its middle [px]
    char text[28];
};

#define STAGE_MAX_LABELS 16

struct stage {
    pv_world *world;
    struct sprite *sprites; ///< all that were loaded
    pv_box view;            ///< what a player should see at first [px]
    enum stage_backdrop backdrop;
    struct stage_label labels[STAGE_MAX_LABELS];
    int label_count;
    uint64_t dice;    ///< state of the random numbers, never 0
    char error[1024]; ///< "FILE: reason" of what failed first; empty: nothing did
};

/// An empty stage with the library's default world.
/// @return null without memory
struct stage *stage_create(uint64_t seed);

/// Whether a name names a body at all.
static inline bool stage_is_body(pv_body body) { return body.index != 0 || body.generation != 0; }

/// Frees a stage; null is allowed.
void stage_destroy(struct stage *stage);

/// What went wrong, or null. A null stage is one for which there was no memory.
const char *stage_error(const struct stage *stage);

/* Building. A failure is kept in error and the calls after it do no harm, so scenes need not check each one. */

/// Sets the view to (0, 0) ... (width, height).
void stage_set_view(struct stage *stage, double width, double height);

/// Puts a dynamic body with default material; sprite is the name of a PNG of the demo, without ".png".
/// @param x,y where its centre of mass goes [px]
/// @param angle [rad]
pv_body stage_add(struct stage *stage, const char *sprite, double x, double y, double angle);

/// Puts an upright dynamic body by the left upper corner of its picture.
pv_body stage_add_upright(struct stage *stage, const char *sprite, double left, double top);

/// Puts a static body by the left upper corner of its picture.
pv_body stage_add_static(struct stage *stage, const char *sprite, double left, double top);

/// Puts a body as def says; its mask and user_data are filled in.
pv_body stage_add_def(struct stage *stage, const char *sprite, pv_body_def def);

/// Static walls just outside the left and right rim of the view, from its bottom to above [px] over its top.
void stage_add_fence(struct stage *stage, double above);

/// Writes words into the world; beyond STAGE_MAX_LABELS they are left out.
void stage_add_label(struct stage *stage, double x, double y, const char *text);

/* Playing */

/// Whether a sprite placed there would share a pixel with any body.
bool stage_is_free(const struct stage *stage, const struct sprite *sprite, pv_vec2 position, double angle);

/// Puts a PNG file of the player's, at the first free place at or above a point. Large ones are shrunk.
/// @return the null name with a status; PV_OK when there was just no room
pv_body stage_add_file(struct stage *stage, const char *path, pv_vec2 point, pv_status *status);

/// Puts one of the things that make a heap, turned at random, with its centre of mass at a point.
/// @return the null name when it is not free there
pv_body stage_add_thing(struct stage *stage, pv_vec2 point);

/// Takes out the dynamic bodies that were thrown far out of the view.
void stage_tidy(struct stage *stage);

/// The sprite of a body; null for a stale name.
const struct sprite *stage_sprite_of(const struct stage *stage, pv_body body);

/* Dice */

/// A number in [low, high).
double stage_uniform(struct stage *stage, double low, double high);

/// A whole number in [0, count).
int stage_pick(struct stage *stage, int count);

#endif
