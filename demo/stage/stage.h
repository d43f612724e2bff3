/* stage.h - the place of a scene: a world, its sprites, its pictures, and its own random numbers.
 *
 * Invariant: every body's user_data is its sprite, or null; a carved body has its own sprite after
 * stage_follow(). The same seed and calls give the same stage, bit for bit, on every machine.
 * Nothing depends on the clock, on addresses or on the C library's sine.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef STAGE_H
#define STAGE_H

#include "stage/sprite.h"

/// Background behind the sprites
enum stage_backdrop {
    /// Sky and far hills, by day
    STAGE_HILLS = 0,
    /// The same at dusk
    STAGE_DUSK,
    /// Graph paper, for measurements
    STAGE_PAPER,
    /// Boards of a workshop, for machines
    STAGE_BOARDS,
    /// Felt of a table, seen from above
    STAGE_FELT,
    /// Space
    STAGE_STARS
};

/// Short text beside an object of the world
struct stage_label {
    /// Middle of the text [px]
    pv_vec2 point;
    char text[28];
};

#define STAGE_MAX_LABELS 16

/// Value of a scene that the player sets with a slider
struct stage_knob {
    const char *name;
    double least, most, value;
    /// True if the scene reads the value only in its setup
    bool restarts;
};

enum { STAGE_MAX_KNOBS = 4 };

/// Thin line in the world, for tracers and marks
struct stage_streak {
    pv_vec2 from, to;
    /// Color, 0xRRGGBBAA
    uint32_t color;
};

#define STAGE_MAX_STREAKS 96

struct stage;

/// Look of a composite or a polygon. Colors are 0xRRGGBBAA; a part without color (0) is not drawn.
struct stage_paint {
    /// Sprite on a composite's triangles, or along a rope, tinted with the color of the stroke;
    /// null: a plain color
    const struct sprite *picture;
    /// Color of triangles and of a polygon's inside, or tint of the picture; 0: no tint
    uint32_t skin;
    /// Darkening of a composite's triangles under compression, 0...1
    double shade;
    /// Size of the lighter middle of a polygon, as a part of the whole; 0: none
    double inlay;
    /// Color of a composite's sticks and ropes, and of a polygon's boundary; 0: no sticks, and if
    /// width > 0, a boundary in a darker shade of the inside
    uint32_t stroke;
    /// Width of these strokes [px]; 0: the width of their particles
    double width;
    /// Number of strokes to draw, the first ones; 0: all
    int strokes;
    /// Color of particles, discs of their radius
    uint32_t dot;
    /// Radius of a composite's discs [px]; 0: the radius of their particles
    double knob;
    /// Color of a rim around a composite's strokes and discs, a pixel wide; 0: none
    uint32_t rim;
};

/// Bits of the arrow keys
enum stage_arrow { STAGE_LEFT = 1, STAGE_RIGHT = 2, STAGE_UP = 4, STAGE_DOWN = 8 };

/// Functions of a scene for the player's input, set in its setup; null: none. A headless run calls
/// none of them.
struct stage_hooks {
    /// Called before each step, in place of the arrows' push
    void (*keys)(struct stage *stage, unsigned held);
    /// Handles the left button; false: the hand grabs the object there
    bool (*press)(struct stage *stage, pv_vec2 at);
    /// Called before each step, between press and release
    void (*drag)(struct stage *stage, pv_vec2 at);
    /// Ends the drag that press began
    void (*release)(struct stage *stage, pv_vec2 at);
    /// Called when the mouse moves, whatever its buttons; null: it has left the window
    void (*hover)(struct stage *stage, const pv_vec2 *at);
    /// Called with the part of the world that the window shows
    void (*resize)(struct stage *stage, pv_box seen);
    /// Handles a key; false: the key has its usual effect
    bool (*type)(struct stage *stage, char key);
};

struct lens;

/// Functions of a scene that paint beside sprites, set in its setup; null: none. Headless pictures
/// have them, too.
struct stage_painters {
    /// Paints behind all bodies
    void (*below)(const struct lens *lens);
    /// Paints in front of all bodies
    void (*above)(const struct lens *lens);
};

struct stage_look;
struct stage_copy;

/// Additional category of bodies that bites carve, and the player's spade, where a scene has one
#define STAGE_SOFT 0x40000000u
/// Additional category of bodies that enter a space that wraps around. Until they are fully inside,
/// they show at one edge only
#define STAGE_ARRIVING 0x20000000u

/// Rules that the player sets for the worlds of a stage
struct stage_rules {
    /// Substeps; 0: as in the scene
    int substeps;
    /// True for contacts by pixels, as in Cheng (2003); false: as in the scene
    bool by_pixels;
};

struct stage {
    pv_world *world;
    struct stage_rules rules;
    /// Threads that share the steps of its worlds; null: only the calling one
    pv_task_pool *pool;
    /// List of all loaded sprites
    struct sprite *sprites;
    /// Part of the world that the player sees at first [px]
    pv_box view;
    enum stage_backdrop backdrop;
    struct stage_hooks hooks;
    struct stage_painters painters;
    /// Size of a space that wraps around: what crosses an edge is drawn at the other one, too;
    /// (0, 0): none [px]
    pv_vec2 round;
    /// True if fresh cuts are lighter than their body, false if they are darker
    bool bright_cuts;
    /// True if the scene paints its grains itself
    bool paints_grains;
    /// Looks of painted objects
    struct stage_look *looks;
    int look_count, look_capacity;
    /// Look of unpainted particles, joints and composites
    struct stage_paint loose;
    /// Look of unpainted polygons; without skin their colors alternate
    struct stage_paint polygons;
    /// Population of grains; the null id: none
    pv_grains_id grains;
    /// Pictures of carved bodies
    struct stage_copy *copies;
    /// Radius of the right button's bites in soft bodies [px]; 0: the button bites any body
    double spade;
    /// True if the scene shows the outlines of all masks
    bool outlined;
    /// Box that is drawn as an outline; empty: none
    pv_box frame;
    /// True while earlier states may come back: pictures of bodies that are gone are kept
    bool keeps_copies;
    /// Ends of the arrow that aims a throw; both equal: none
    pv_vec2 arrow[2];
    /// Function of aim.h for a throw
    void (*toss)(struct stage *stage, pv_vec2 from, pv_vec2 velocity);
    void *memory;
    size_t memory_size;
    /// Sliders of the scene
    struct stage_knob knobs[STAGE_MAX_KNOBS];
    int knob_count;
    /// Hint at what the player can do here beyond the usual, or null
    const char *hint;
    /// Steps since the player last touched the scene
    int idle;
    struct stage_label labels[STAGE_MAX_LABELS];
    int label_count;
    struct stage_streak streaks[STAGE_MAX_STREAKS];
    int streak_count;
    /// State of the random numbers, never 0
    uint64_t dice;
    /// "FILE: reason" of the first failure; empty: none
    char error[1024];
};

/// Creates an empty stage with the library's default world.
/// @return null if memory runs out
struct stage *stage_create(uint64_t seed);

/// Tells whether an id is not the null id of a body.
static inline bool stage_is_body(pv_body_id body) {
    return body.index != 0 || body.generation != 0;
}

/// Tells whether an id is not the null id of a particle.
static inline bool stage_is_particle(pv_particle_id particle) {
    return particle.index != 0 || particle.generation != 0;
}

/// Frees a stage; null is allowed.
void stage_destroy(struct stage *stage);

/// Returns the error of a stage, or null. A null stage means that memory ran out.
const char *stage_error(const struct stage *stage);

/* Building. The stage keeps a failure in error, and later calls do no harm, so scenes need not
 * check each call. */

/// Keeps the first failure.
/// @param what file or object that failed
void stage_fail(struct stage *stage, const char *what, pv_status status);

/// Sets the view to (0, 0) ... (width, height).
void stage_set_view(struct stage *stage, double width, double height);

/// Creates a dynamic body with default material; sprite is the name of a PNG of the demo, without
/// ".png".
/// @param x,y place of its center of mass [px]
/// @param angle [rad]
pv_body_id stage_add(struct stage *stage, const char *sprite, double x, double y, double angle);

/// Creates an upright dynamic body, placed by the upper left corner of its picture.
pv_body_id stage_add_upright(struct stage *stage, const char *sprite, double left, double top);

/// Sets restitution, static and kinetic friction of a body.
void stage_set_surface(pv_world *world, pv_body_id body, double restitution, double static_friction,
                       double friction);

/// Creates a static body, placed by the upper left corner of its picture.
pv_body_id stage_add_static(struct stage *stage, const char *sprite, double left, double top);

/// Creates a body from a def; its mask and user_data are filled in.
pv_body_id stage_add_def(struct stage *stage, const char *sprite, pv_body_def def);

/// Creates static walls just outside the left and right edge of the view. They reach from its
/// bottom to a height `above` its top [px].
void stage_add_fence(struct stage *stage, double above);

/// Adds a slider; at most STAGE_MAX_KNOBS. A value kept under this name replaces the given one.
/// @return its index in knobs, where each step finds its value
int stage_add_knob(struct stage *stage, const char *name, double least, double most, double value);

/// Adds a slider whose value counts only in the setup: a change restarts the scene.
/// @return the value for this setup
double stage_add_setup_knob(struct stage *stage, const char *name, double least, double most,
                            double value);

/// Returns the whole number nearest to a slider's value.
int stage_knob_count(const struct stage *stage, int place);

/// Copies the values of another stage's sliders to an empty stage, for the sliders it will get.
void stage_keep_knobs(struct stage *stage, const struct stage *from);

/// Adds a text to the world; beyond STAGE_MAX_LABELS it is left out.
void stage_add_label(struct stage *stage, double x, double y, const char *text);

/// Adds a line in front of all bodies; beyond STAGE_MAX_STREAKS it is left out.
void stage_add_streak(struct stage *stage, pv_vec2 from, pv_vec2 to, uint32_t color);

/// Returns a sprite of the demo, for a body's user_data.
/// @return null after a failure
const struct sprite *stage_load(struct stage *stage, const char *sprite);

/// Returns the mask of a sprite of the demo, for builders; borrowed from the stage.
/// @return null after a failure
pv_mask *stage_mask_of(struct stage *stage, const char *sprite);

/// Creates a sprite from a picture that the scene painted, as sprite_keep() does.
/// @return null after a failure
struct sprite *stage_keep(struct stage *stage, const char *name, pv_image *image, pv_mask *mask);

/// Creates a body from a def, with the mask and as user_data the sprite.
pv_body_id stage_put(struct stage *stage, const struct sprite *sprite, pv_body_def def);

/// Gives an empty stage another world, for scenes with callbacks. The player's rules apply to it,
/// too.
void stage_set_world(struct stage *stage, const pv_world_def *def);

/// Sets the number of threads that take part in the steps of a stage's worlds.
/// @param workers number with the calling thread, 0...PV_MAX_WORKERS; 0: one per processor
/// @return PV_OK, or PV_ERROR_ARGUMENT or PV_ERROR_MEMORY with nothing changed
pv_status stage_set_workers(struct stage *stage, int workers);

/// Returns memory of the scene, zero at first and the same at every call. The stage frees it.
/// @return null if memory runs out, which is kept as a failure
void *stage_memory(struct stage *stage, size_t size);

/* Painting. A later look of an object replaces the earlier one. */

void stage_paint(struct stage *stage, pv_composite_id matter, struct stage_paint paint);
void stage_paint_polygon(struct stage *stage, pv_body_id polygon, struct stage_paint paint);

/// Shows a liquid's particles as a body of water.
/// @param color color of the water; a greater alpha hides more behind it
void stage_paint_liquid(struct stage *stage, pv_liquid_id liquid, uint32_t color);

/* Painted objects, for drawing. */

/// Returns the look of a composite.
struct stage_paint stage_paint_of(const struct stage *stage, pv_composite_id matter);
struct stage_paint stage_paint_of_polygon(const struct stage *stage, pv_body_id polygon);

/// Returns the next painted liquid, and its color. The null id starts the list and ends it.
pv_liquid_id stage_next_liquid(const struct stage *stage, pv_liquid_id liquid, uint32_t *color);

/* Carving */

/// Makes a body carvable, and sets its fracture.
/// @return the body
pv_body_id stage_soften(struct stage *stage, pv_body_id body, const pv_fracture_def *fracture);

/// Carves a disc out of all bodies of some categories.
/// @param kinds STAGE_SOFT, or others
/// @return number of removed pixels
int64_t stage_bite(struct stage *stage, uint32_t kinds, pv_vec2 at, double radius);

/// Carves a stroke of a width [px] out of all bodies of some categories; otherwise as stage_bite().
int64_t stage_slit(struct stage *stage, uint32_t kinds, pv_vec2 from, pv_vec2 to, double width);

/// Updates the pictures of carved bodies and their detached parts; called after each step before
/// drawing.
void stage_follow(struct stage *stage);

/// Frees the pictures of carved bodies that are gone.
void stage_drop_stale(struct stage *stage);

/// Updates all pictures of carved bodies, after the world was restored.
void stage_recall(struct stage *stage);

/// Frees all pictures of carved bodies, which no body may show any more.
void stage_forget_copies(struct stage *stage);

/* Playing */

/// Tells whether a sprite at a pose would share no pixel with a body that collides.
bool stage_is_free(const struct stage *stage, const struct sprite *sprite, pv_vec2 position,
                   double angle);

/// Creates a body from the player's PNG file, at the first free place at or above a point. Large
/// pictures are shrunk.
/// @return the null id with a status; PV_OK then means that there was no free place
pv_body_id stage_add_file(struct stage *stage, const char *path, pv_vec2 point, pv_status *status);

/// Creates a random object at a random angle, with its center of mass at a point.
/// @return the null id if the place is not free
pv_body_id stage_add_thing(struct stage *stage, pv_vec2 point);

/// Destroys dynamic bodies and particles far outside the view.
/// @return number of those bodies
int stage_tidy(struct stage *stage);

/// Destroys bodies with a center of mass below y [px].
void stage_clear_below(struct stage *stage, double y);

/// Destroys all dynamic bodies, before a scene begins its next round.
void stage_clear_moving(struct stage *stage);

/// Returns the sprite of a body; null for an invalid id, or without a sprite.
static inline const struct sprite *stage_sprite_of(const struct stage *stage, pv_body_id body) {
    return pv_body_get_user_data(stage->world, body);
}

/* Random numbers */

/// Returns a random number in [low, high).
double stage_uniform(struct stage *stage, double low, double high);

/// Returns a random whole number in [0, count).
int stage_pick(struct stage *stage, int count);

#endif
