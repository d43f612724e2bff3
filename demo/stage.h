/* stage.h - what a scene plays on: a world, the sprites in it, what is seen of it, and its own
 * dice.
 *
 * Invariant: every body's user_data is its sprite, or null; one that was carved has its own since
 * stage_follow(). The same seed and the same calls give the same stage, bit for bit, on every
 * machine: nothing comes from the clock, from an address or from the C library's sine.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef STAGE_H
#define STAGE_H

#include "sprite.h"

/// What is painted behind the sprites.
enum stage_backdrop {
    /// Sky and far hills
    STAGE_HILLS = 0,
    /// A table seen from above
    STAGE_FELT,
    /// Space
    STAGE_STARS
};

/// A few words beside something in the world.
struct stage_label {
    /// Its middle [px]
    pv_vec2 point;
    char text[28];
};

#define STAGE_MAX_LABELS 16

struct stage;

/// How a thing of many parts or a polygon looks. Colors are 0xRRGGBBAA; what has none (0) is not
/// drawn.
struct stage_paint {
    /// The sprite that a thing's triangles show; null: they are of one color
    const char *picture;
    /// Of triangles, of a polygon's inside; a picture's tint, where 0 leaves it as it is
    uint32_t skin;
    /// How much darker a thing's triangles are where they are pressed together, 0...1
    double shade;
    /// Of a thing's sticks and ropes, of a polygon's boundary
    uint32_t stroke;
    /// Of those [px]; 0: of each as much as its particles are wide
    double width;
    /// Only the first so many of them are drawn; 0: all
    int strokes;
    /// Of a polygon's beams, a pixel wide
    uint32_t beam;
    /// Of particles: discs of their radius
    uint32_t dot;
};

/// Colors of boundaries and beams, where a polygon's bones are to be seen.
#define STAGE_BOUNDARY 0xe02c2cffu
#define STAGE_BEAM 0x30c050ffu

/// The arrows, or-ed together.
enum stage_arrow { STAGE_LEFT = 1, STAGE_RIGHT = 2, STAGE_UP = 4, STAGE_DOWN = 8 };

/// What a scene does with the player's input, set by its setup; null: nothing. A headless run calls
/// none of these.
struct stage_hooks {
    /// Before each step, in place of the arrows' push
    void (*keys)(struct stage *stage, unsigned held);
    /// Left button; false: the hand seizes what is there
    bool (*press)(struct stage *stage, pv_vec2 at);
    /// Before each step, while what press took is held
    void (*drag)(struct stage *stage, pv_vec2 at);
    /// Of what press took
    void (*release)(struct stage *stage, pv_vec2 at);
    /// The window shows this much of the world
    void (*resize)(struct stage *stage, pv_box seen);
    /// A key was hit; false: it does as always
    bool (*type)(struct stage *stage, char key);
};

struct stage_look;
struct stage_copy;

/// Category of bodies that bites and the player's right button take pixels of, besides their
/// others.
#define STAGE_SOFT 0x40000000u

struct stage {
    pv_world *world;
    /// That the player wants of its worlds; 0: as the scene has it
    int substeps;
    /// All that were loaded
    struct sprite *sprites;
    /// What a player should see at first [px]
    pv_box view;
    enum stage_backdrop backdrop;
    struct stage_hooks hooks;
    /// What was painted
    struct stage_look *looks;
    int look_count, look_capacity;
    /// Particles, constraints and things that were not painted
    struct stage_paint loose;
    /// Polygons that were not painted; without skin their colors alternate
    struct stage_paint polygons;
    /// Pictures of bodies that were carved
    struct stage_copy *copies;
    /// Radius of what the right button digs [px]; 0: it moves the view
    double spade;
    /// Drawn as an outline; empty: not
    pv_box frame;
    void *memory;
    struct stage_label labels[STAGE_MAX_LABELS];
    int label_count;
    /// State of the random numbers, never 0
    uint64_t dice;
    /// "FILE: reason" of what failed first; empty: nothing did
    char error[1024];
};

/// An empty stage with the library's default world.
/// @return null without memory
struct stage *stage_create(uint64_t seed);

/// Tells whether a name names a body at all.
static inline bool stage_is_body(pv_body_id body) {
    return body.index != 0 || body.generation != 0;
}

/// Tells whether a name names a particle at all.
static inline bool stage_is_particle(pv_particle_id particle) {
    return particle.index != 0 || particle.generation != 0;
}

/// Frees a stage; null is allowed.
void stage_destroy(struct stage *stage);

/// Returns what went wrong, or null. A null stage is one for which there was no memory.
const char *stage_error(const struct stage *stage);

/* Building. A failure is kept in error and the calls after it do no harm, so scenes need not check
 * each one. */

/// Sets the view to (0, 0) ... (width, height).
void stage_set_view(struct stage *stage, double width, double height);

/// Puts a dynamic body with default material; sprite is the name of a PNG of the demo, without
/// ".png".
/// @param x,y where its center of mass goes [px]
/// @param angle [rad]
pv_body_id stage_add(struct stage *stage, const char *sprite, double x, double y, double angle);

/// Puts an upright dynamic body by the left upper corner of its picture.
pv_body_id stage_add_upright(struct stage *stage, const char *sprite, double left, double top);

/// Sets restitution, static and kinetic friction of a body.
void stage_set_surface(pv_world *world, pv_body_id body, double restitution, double static_friction,
                       double friction);

/// Puts a static body by the left upper corner of its picture.
pv_body_id stage_add_static(struct stage *stage, const char *sprite, double left, double top);

/// Puts a body as def says; its mask and user_data are filled in.
pv_body_id stage_add_def(struct stage *stage, const char *sprite, pv_body_def def);

/// Static walls just outside the left and right rim of the view, from its bottom to above [px] over
/// its top.
void stage_add_fence(struct stage *stage, double above);

/// Writes words into the world; beyond STAGE_MAX_LABELS they are left out.
void stage_add_label(struct stage *stage, double x, double y, const char *text);

/// A sprite of the demo, for a body's user_data.
/// @return null after a failure
const struct sprite *stage_load(struct stage *stage, const char *sprite);

/// The mask of a sprite of the demo, for builders; borrowed from the stage.
/// @return null after a failure
pv_mask *stage_mask_of(struct stage *stage, const char *sprite);

/// Makes a sprite of a picture that the scene painted: as sprite_keep().
/// @return null after a failure
struct sprite *stage_keep(struct stage *stage, const char *name, pv_image *image, pv_mask *mask);

/// Puts a body of a sprite as def says, but for its mask and user_data.
pv_body_id stage_put(struct stage *stage, const struct sprite *sprite, pv_body_def def);

/// Gives an empty stage another world, for scenes that want callbacks. Of substeps it has those
/// that the player wants.
void stage_set_world(struct stage *stage, const pv_world_def *def);

/// Memory of the scene's own, all zero at first, the same at every call; it goes with the stage.
/// @return null without memory, which is kept as a failure
void *stage_memory(struct stage *stage, size_t size);

/* Painting. What is painted anew looks as it was painted last. */

void stage_paint(struct stage *stage, pv_composite_id matter, struct stage_paint paint);
void stage_paint_polygon(struct stage *stage, pv_polygon_id polygon, struct stage_paint paint);

/// Shows a liquid's particles as a body of water.
/// @param color of the water; its alpha tells how little is seen through it
void stage_paint_liquid(struct stage *stage, pv_liquid_id liquid, uint32_t color);

/* What was painted, for those who draw. */

/// How a thing looks; picture gets the sprite that it shows, or null.
struct stage_paint stage_paint_of(const struct stage *stage, pv_composite_id matter,
                                  const struct sprite **picture);
struct stage_paint stage_paint_of_polygon(const struct stage *stage, pv_polygon_id polygon);

/// The painted liquid after this one, and its color; the first for the null name; the null name at
/// the end.
pv_liquid_id stage_next_liquid(const struct stage *stage, pv_liquid_id liquid, uint32_t *color);

/* Carving */

/// Makes a body one that is carved, and tells how it falls apart.
/// @return the body
pv_body_id stage_soften(struct stage *stage, pv_body_id body, const pv_fracture_def *fracture);

/// Takes a disc out of all bodies of some categories.
/// @param kinds STAGE_SOFT, or others
/// @return how many pixels went
int64_t stage_bite(struct stage *stage, uint32_t kinds, pv_vec2 at, double radius);

/// Takes a stroke of a width [px] out of all bodies of some categories; else as stage_bite().
int64_t stage_slit(struct stage *stage, uint32_t kinds, pv_vec2 from, pv_vec2 to, double width);

/// Pictures follow what was carved and what fell off; to be called after each step by those who
/// draw.
void stage_follow(struct stage *stage);

/// Frees the pictures of what was carved, when no body shows them any more.
void stage_forget_copies(struct stage *stage);

/* Playing */

/// Tells whether a sprite placed there would share a pixel with any body.
bool stage_is_free(const struct stage *stage, const struct sprite *sprite, pv_vec2 position,
                   double angle);

/// Puts a PNG file of the player's, at the first free place at or above a point. Large ones are
/// shrunk.
/// @return the null name with a status; PV_OK when there was just no room
pv_body_id stage_add_file(struct stage *stage, const char *path, pv_vec2 point, pv_status *status);

/// Puts one of the things that make a heap, turned at random, with its center of mass at a point.
/// @return the null name when it is not free there
pv_body_id stage_add_thing(struct stage *stage, pv_vec2 point);

/// Takes out the dynamic bodies and the particles that were thrown far out of the view.
void stage_tidy(struct stage *stage);

/// Takes out the bodies of which the center of mass is farther down [px].
void stage_clear_below(struct stage *stage, double y);

/// The sprite of a body; null for a stale name, and where it has none.
const struct sprite *stage_sprite_of(const struct stage *stage, pv_body_id body);

/* Dice */

/// A number in [low, high).
double stage_uniform(struct stage *stage, double low, double high);

/// A whole number in [0, count).
int stage_pick(struct stage *stage, int count);

#endif
