/* pixverlet.h - the whole public interface of libpixverlet: sprites whose opaque pixels collide.
 *
 * Invariant: everything a program may use stands here and nothing else is exported. The groups follow the
 * pipeline: values, status, memory, images, masks, placed masks, run lengths, canvas, clock, world, bodies.
 *
 * Units: px, s, radians; mass 1 = one opaque pixel of density 1. y points down, so a positive angle turns
 * clockwise on the screen. Pixel (i, j) covers [i, i+1) x [j, j+1). Normals point from A to B.
 *
 * Threads: functions on different objects may run in different threads at once. Functions that take a const
 * object may run at once on the same object; the others need it alone. Reference counts of masks are atomic.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_H
#define PIXVERLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define PV_API __attribute__((visibility("default")))
#else
#define PV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup values Values
 *  Plain values, passed by value. @{ */

/// A point or a direction [px].
typedef struct pv_vec2 {
    double x, y;
} pv_vec2;

/// A rotation as cosine and sine; (1, 0) is none. Always of length 1 when the library made it.
typedef struct pv_rotation {
    double c, s;
} pv_rotation;

/// An axis-aligned box in world coordinates [px]; empty when max < min.
typedef struct pv_box {
    pv_vec2 min, max;
} pv_box;

/// A rectangle of whole pixels; empty when w or h is 0.
typedef struct pv_rect {
    int x, y, w, h;
} pv_rect;

/// Coordinates beyond this are refused, so that sums of a few of them stay exact in pixels [px].
#define PV_MAX_COORDINATE 16777216.0

/// The rotation by an angle, by the library's own sine, the same bits on every machine.
/// @param angle [rad], |angle| <= 1e6; anything else gives no rotation.
PV_API pv_rotation pv_rotation_from_angle(double angle);

/// The angle of a rotation, in (-pi, pi] [rad].
PV_API double pv_rotation_angle(pv_rotation rotation);

/** @} */
/** @defgroup status Status
 *  What a call has to say. @{ */

/// The outcome of a call that can fail.
typedef enum pv_status {
    PV_OK = 0,              ///< done
    PV_ERROR_ARGUMENT,      ///< a null pointer or a value out of its documented range
    PV_ERROR_NOT_FINITE,    ///< NaN or infinity
    PV_ERROR_MEMORY,        ///< the allocator returned null
    PV_ERROR_FILE_OPEN,     ///< the file is missing, not a regular file, or may not be read
    PV_ERROR_FILE_READ,     ///< reading the file failed half-way
    PV_ERROR_FORMAT,        ///< not a PNG, or a damaged, cut or lying one
    PV_ERROR_TOO_LARGE,     ///< larger than the limits in force
    PV_ERROR_EMPTY,         ///< no solid pixel where at least one is needed
    PV_ERROR_STALE,         ///< the handle names no living object of this world
    PV_ERROR_SHARED,        ///< the mask is held elsewhere too: copy it, then change the copy
    PV_STATUS_COUNT         ///< how many there are; never returned
} pv_status;

/// One English sentence without a full stop, static; "unknown status" for a value that is none.
PV_API const char *pv_status_string(pv_status status);

/// Version of the linked library, for example "0.1.0"; static.
PV_API const char *pv_version(void);

/** @} */
/** @defgroup memory Memory
 *  Every byte comes from the caller's allocator. @{ */

/// Lua's shape: new_size 0 frees ptr and returns null; ptr null allocates; otherwise resizes. Alignment as
/// malloc's. Null on failure, with ptr untouched. Must be safe in every thread that uses objects made by it.
typedef void *(*pv_alloc_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

/// An allocator; with fn null the C library's is used.
typedef struct pv_allocator {
    pv_alloc_fn fn;
    void *user; ///< handed to fn; must outlive the objects made with it
} pv_allocator;

/** @} */
/** @defgroup images Images
 *  PNG files as RGBA pixels. @{ */

/// Decoded pixels: width * height * 4 bytes R, G, B, A, rows from the top, alpha not premultiplied.
typedef struct pv_image {
    int width, height;      ///< [px]
    unsigned char *pixels;  ///< owned by the image; may be painted on
    pv_allocator allocator; ///< what made it
} pv_image;

/// What a PNG may cost before it is refused. Get one from pv_image_limits_default().
typedef struct pv_image_limits {
    int max_width, max_height;  ///< [px], at most 32768
    int64_t max_area;           ///< [px^2], inclusive, at most 2^27
    int64_t max_file_size;      ///< [byte]
    pv_allocator allocator;     ///< makes the image, and the decoder's scratch
    unsigned cookie;            ///< set by pv_image_limits_default()
} pv_image_limits;

/// 32768 x 32768 px, at most 2^26 px in all, files up to 256 MiB.
PV_API pv_image_limits pv_image_limits_default(void);

/// Reads a PNG file. 16-bit channels keep their upper byte.
/// @param path file name, as fopen takes it
/// @param limits null for the defaults
/// @param status null, or where the outcome goes
/// @return an image to give to pv_image_free(), or null with a status
PV_API pv_image *pv_image_load(const char *path, const pv_image_limits *limits, pv_status *status);

/// Reads a PNG out of memory; else as pv_image_load().
PV_API pv_image *pv_image_load_memory(const void *png, size_t size, const pv_image_limits *limits,
                                      pv_status *status);

/// A transparent black image to paint on.
/// @return as pv_image_load()
PV_API pv_image *pv_image_create(int width, int height, const pv_image_limits *limits, pv_status *status);

/// Frees an image; null is allowed.
PV_API void pv_image_free(pv_image *image);

/** @} */
/** @defgroup masks Masks
 *  One bit a pixel: solid or not. Reference-counted; one that is held twice cannot be changed. @{ */

/// A bitmap of solid pixels.
typedef struct pv_mask pv_mask;

/// How pixels become solid. Get one from pv_mask_options_default().
typedef struct pv_mask_options {
    int threshold;          ///< a pixel is solid when its alpha is >= this, 0...255; default 128
    pv_rect region;         ///< the part of the picture that is taken; w = h = 0: all of it
    pv_image_limits limits; ///< for the file, and the allocator of the mask
    unsigned cookie;        ///< set by pv_mask_options_default()
} pv_mask_options;

/// Threshold 128, the whole picture, default limits.
PV_API pv_mask_options pv_mask_options_default(void);

/// Pixels as a window system holds them (SDL_Surface: pixels, w, h, pitch, BytesPerPixel, Amask).
typedef struct pv_pixels {
    const void *data;        ///< borrowed for the call
    int width, height;       ///< [px]
    ptrdiff_t pitch;         ///< bytes from a row to the one below; may be negative
    int bytes_per_pixel;     ///< 1...4, a little number in the machine's byte order, as SDL has it
    uint32_t alpha_mask;     ///< the bits of the pixel that are its alpha, side by side; 0: all pixels are solid
} pv_pixels;

/// An empty mask.
/// @param width,height [px] 0...32768, area at most 2^31; 0 is allowed and holds nothing; more is
/// PV_ERROR_TOO_LARGE, less than 0 PV_ERROR_ARGUMENT
/// @param allocator null for the C library's
/// @return a mask with one reference, or null with a status
PV_API pv_mask *pv_mask_create(int width, int height, const pv_allocator *allocator, pv_status *status);

/// The mask of a PNG file.
/// @param options null for the defaults
/// @return as pv_mask_create(); PV_ERROR_ARGUMENT too when the region leaves the picture
PV_API pv_mask *pv_mask_load(const char *path, const pv_mask_options *options, pv_status *status);

/// The mask of a PNG in memory; else as pv_mask_load().
PV_API pv_mask *pv_mask_load_memory(const void *png, size_t size, const pv_mask_options *options,
                                    pv_status *status);

/// The mask of an image; else as pv_mask_load().
PV_API pv_mask *pv_mask_from_image(const pv_image *image, const pv_mask_options *options, pv_status *status);

/// The mask of raw R, G, B, A bytes with pitch bytes from row to row; else as pv_mask_load().
PV_API pv_mask *pv_mask_from_rgba(const void *rgba, int width, int height, ptrdiff_t pitch,
                                  const pv_mask_options *options, pv_status *status);

/// The mask of a surface's pixels; else as pv_mask_load(). Alphas of fewer than 8 bits are spread over 0...255.
PV_API pv_mask *pv_mask_from_pixels(const pv_pixels *pixels, const pv_mask_options *options, pv_status *status);

/// A changeable copy, made by the same allocator.
PV_API pv_mask *pv_mask_copy(const pv_mask *mask, pv_status *status);

/// Takes one more reference and returns mask; null gives null.
PV_API pv_mask *pv_mask_retain(pv_mask *mask);

/// Gives one reference back; the last one frees it. Null is allowed.
PV_API void pv_mask_release(pv_mask *mask);

/// Width [px]; 0 for null.
PV_API int pv_mask_width(const pv_mask *mask);

/// Height [px]; 0 for null.
PV_API int pv_mask_height(const pv_mask *mask);

/// Whether pixel (x, y) is solid; outside and null are not.
PV_API bool pv_mask_get(const pv_mask *mask, int x, int y);

/// Makes pixel (x, y) solid or not.
/// @return PV_ERROR_ARGUMENT outside the mask, PV_ERROR_SHARED when somebody else holds it too
PV_API pv_status pv_mask_set(pv_mask *mask, int x, int y, bool solid);

/// Makes every pixel of a rectangle solid or not; what of it is outside is left out.
/// @return PV_ERROR_ARGUMENT for a negative size, PV_ERROR_SHARED as pv_mask_set()
PV_API pv_status pv_mask_fill(pv_mask *mask, pv_rect rect, bool solid);

/// What the solid pixels weigh, each a unit square of mass 1.
typedef struct pv_mass {
    double area;      ///< number of solid pixels
    pv_vec2 centroid; ///< in mask coordinates [px]; (0, 0) when the area is 0
    double inertia;   ///< about the centroid, perpendicular to the picture [px^4]; one pixel alone has 1/6
} pv_mass;

/// Area, centre and moment of inertia, from exact integer sums.
PV_API pv_mass pv_mask_mass(const pv_mask *mask);

/// Two masks, the second's pixel (0, 0) on the first's pixel (dx, dy): what they share.
typedef struct pv_overlap {
    int64_t area;   ///< shared pixels; the rest is 0 when this is 0
    pv_vec2 point;  ///< mean of the centres of the shared pixels, in the first mask's coordinates [px]
    pv_vec2 normal; ///< from the first to the second, of length 1; (0, 0) where the gradient vanishes
    double depth;   ///< how far along the normal the second must go, roughly: area over its slope [px]
    pv_rect box;    ///< the smallest rectangle that holds the shared pixels, in the first mask's coordinates
} pv_overlap;

/// Whether they share a pixel. Offsets may be any int. Cheng (2003) section 3.2.
PV_API bool pv_mask_hit(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// How many pixels they share. Cheng (2003) section 3.2.
PV_API int64_t pv_mask_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// All that two masks share. The normal is minus the gradient of the shared area over the offset,
/// (f(x+1,y) - f(x-1,y), f(x,y+1) - f(x,y-1)): Cheng (2003) sections 3.2 and 3.3.
/// @return whether they share a pixel
PV_API bool pv_mask_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy, pv_overlap *overlap);

/** @} */
/** @defgroup operations Operations
 *  Masks out of masks, and what can be said of one. @{ */

/** @} */
/** @defgroup placed Placed masks
 *  A mask put into the world by a transform. @{ */

/// Takes point m of a picture to position + R(rotation) * scale * (m - pivot).
typedef struct pv_transform {
    pv_vec2 position;     ///< where the pivot comes to lie [px]
    pv_rotation rotation; ///< about the pivot
    pv_vec2 pivot;        ///< in the picture's coordinates [px]
    pv_vec2 scale;        ///< along the picture's axes, before it is turned; negative mirrors; sizes 1/1024...1024
} pv_transform;

/// No turn and no scaling, the picture's pixel (0, 0) at the world's.
PV_API pv_transform pv_transform_default(void);

/// Where a point of the picture lies in the world [px].
PV_API pv_vec2 pv_transform_point(const pv_transform *transform, pv_vec2 point);

/// The box of the turned rectangle of the picture, a little generous (1/256 px). Cheng (2003) section 5.1.
PV_API pv_box pv_transform_box(const pv_transform *transform, int width, int height);

/// The collision bitmap of a placed mask: world pixel (X, Y) is solid when its centre (X+1/2, Y+1/2), taken
/// back through the transform, falls into a solid pixel: the rule by which centre-sampling nearest-texel
/// renderers draw, so the bitmap is what is seen. Steps are 32.32 fixed point; a centre on the edge of a
/// texel belongs to the texel at its right and below (after that rounding). Cheng (2003) section 3.1, mended.
/// @param mask the upright mask
/// @param transform where it is
/// @param origin gets the world pixel of the bitmap's pixel (0, 0)
/// @param allocator null for the C library's
/// @param status null, or where the outcome goes
/// @return a new mask, or null with a status
PV_API pv_mask *pv_mask_transformed(const pv_mask *mask, const pv_transform *transform, pv_rect *origin,
                                    const pv_allocator *allocator, pv_status *status);

/** @} */
/** @defgroup queries Queries
 *  Questions about placed masks: hits, distances, sweeps, batches, groups. @{ */

/** @} */
/** @defgroup cache Rotation cache
 *  Collision bitmaps kept for the next time. @{ */

/** @} */
/** @defgroup frames Frames
 *  Sprite sheets and atlases as animations of masks. @{ */

/** @} */
/** @defgroup runs Run lengths
 *  Masks as runs of solid pixels: Cheng (2003) section 5.3. @{ */

/// A mask as sorted, disjoint runs of solid pixels per row; cannot be changed.
typedef struct pv_runs pv_runs;

/// Encodes a mask.
/// @param allocator null for the C library's
/// @return runs to give to pv_runs_free(), or null with a status
PV_API pv_runs *pv_runs_encode(const pv_mask *mask, const pv_allocator *allocator, pv_status *status);

/// Decodes to a new mask.
PV_API pv_mask *pv_runs_decode(const pv_runs *runs, const pv_allocator *allocator, pv_status *status);

/// Frees runs; null is allowed.
PV_API void pv_runs_free(pv_runs *runs);

/// Bytes that the runs take in memory; 0 for null.
PV_API size_t pv_runs_bytes(const pv_runs *runs);

/// As pv_mask_overlap_area(), both as runs.
PV_API int64_t pv_runs_overlap_area(const pv_runs *a, const pv_runs *b, int dx, int dy);

/// As pv_mask_overlap_area(), the first as runs and the second as a mask.
PV_API int64_t pv_runs_overlap_mask(const pv_runs *a, const pv_mask *b, int dx, int dy);

/** @} */
/** @defgroup canvas Canvas
 *  Draws pictures by the very map that makes collision bitmaps, so picture and collider agree. @{ */

/// A picture to draw on, of the caller's own memory.
typedef struct pv_canvas {
    unsigned char *pixels; ///< R, G, B, A bytes, borrowed
    int width, height;     ///< [px] 0...32768
    ptrdiff_t pitch;       ///< bytes from a row to the one below; at least 4 * width in size
} pv_canvas;

/// Blends a turned picture over the canvas, nearest texel at pixel centres.
/// @param canvas what is painted
/// @param image what is drawn
/// @param transform from the picture to the canvas
/// @param tint 0xRRGGBBAA, multiplied with every texel; 0xffffffff draws it as it is
/// @return PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE, with nothing drawn
PV_API pv_status pv_canvas_image(const pv_canvas *canvas, const pv_image *image, const pv_transform *transform,
                                 uint32_t tint);

/// Blends the solid pixels of a placed mask in one colour; else as pv_canvas_image().
PV_API pv_status pv_canvas_mask(const pv_canvas *canvas, const pv_mask *mask, const pv_transform *transform,
                                uint32_t colour);

/// Fills with one colour.
PV_API pv_status pv_canvas_clear(const pv_canvas *canvas, uint32_t colour);

/// Blends a line one pixel wide from one point to another.
PV_API pv_status pv_canvas_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, uint32_t colour);

/** @} */
/** @defgroup clock Clock
 *  Turns the uneven frames of a game into equal steps. @{ */

/// An accumulator of time. Fill in step and max_steps; leave the rest 0.
typedef struct pv_clock {
    double step;   ///< length of a step [s], > 0
    int max_steps; ///< steps due at once at most; what is beyond is dropped, so a hiccup stays one
    double rest;   ///< time not yet stepped, in [0, step) [s]; rest / step is the fraction to draw ahead
} pv_clock;

/// Adds the time since the last call and says how many steps are due.
/// @param clock null gives 0
/// @param elapsed [s]; negative or not finite counts as 0
PV_API int pv_clock_advance(pv_clock *clock, double elapsed);

/** @} */
/** @defgroup world World
 *  Bodies that move and touch. @{ */

/// A world; owns all that is created in it.
typedef struct pv_world pv_world;

/// How a property of two touching bodies becomes one of the pair.
typedef enum pv_mix {
    PV_MIX_AVERAGE = 0, ///< (a + b) / 2, Cheng (2003) section 4.2
    PV_MIX_GEOMETRIC    ///< sqrt(a * b): 0 wins
} pv_mix;

/// A refused call on a world: which function and why. Called in the thread of the call, for debugging.
typedef void (*pv_report_fn)(void *user, const char *function, pv_status status);

/// What a world is made of. Get one from pv_world_def_default().
typedef struct pv_world_def {
    pv_vec2 gravity;         ///< [px/s^2]; default (0, 320)
    int substeps;            ///< per step, 1...64; default 4
    int iterations;          ///< impulse rounds per substep, 1...64; default 16
    pv_mix restitution_mix;  ///< default average
    pv_mix friction_mix;     ///< default average
    double bounce_speed;     ///< slower approaches do not bounce [px/s]; default 16
    bool sleeping;           ///< whether resting islands fall asleep; default true
    pv_allocator allocator;  ///< makes the world and all in it
    pv_report_fn report;     ///< null, or called at every refused call
    void *report_user;       ///< handed to report
    unsigned cookie;         ///< set by pv_world_def_default()
} pv_world_def;

/// The defaults named above.
PV_API pv_world_def pv_world_def_default(void);

/// Makes an empty world.
/// @param def null for the defaults
/// @return a world to give to pv_world_destroy(), or null with a status
PV_API pv_world *pv_world_create(const pv_world_def *def, pv_status *status);

/// Frees the world and all in it; null is allowed.
PV_API void pv_world_destroy(pv_world *world);

/// What a step has to say, or-ed together.
enum {
    PV_STEP_REFUSED = 1,   ///< dt was out of range or world null: nothing happened
    PV_STEP_FROZEN = 2,    ///< a body was about to leave the finite numbers and was stopped where it was
    PV_STEP_NO_MEMORY = 4, ///< some contacts were left out for lack of memory; the step finished
};

/// Moves the world on.
/// @param world changed
/// @param dt length of the step [s], in (0, 1]; when it differs from the last one's, velocities are kept
/// @return 0, or some of the PV_STEP_ flags
PV_API unsigned pv_world_step(pv_world *world, double dt);

/// Gravity [px/s^2]; (0, 0) for null.
PV_API pv_vec2 pv_world_gravity(const pv_world *world);

/// Changes gravity and wakes everything.
PV_API pv_status pv_world_set_gravity(pv_world *world, pv_vec2 gravity);

/// A digest of every bit of state that the next step depends on; the same on every machine. 0 for null.
PV_API uint64_t pv_world_hash(const pv_world *world);

/// What is in a world.
typedef struct pv_world_stats {
    int bodies;   ///< living bodies of all types
    int awake;    ///< dynamic bodies that are awake
    int contacts; ///< touching pairs after the last step
} pv_world_stats;

/// Counts; all 0 for null.
PV_API pv_world_stats pv_world_get_stats(const pv_world *world);

/// Pixels shared by pairs of bodies of which at least one is dynamic, on exact bitmaps; -1 without memory.
PV_API int64_t pv_world_overlap_area(const pv_world *world);

/** @} */
/** @defgroup bodies Bodies
 *  Sprites as two particles joined by a stick. @{ */

/// Names a body of one world; all zero names none. A name that outlives its body is noticed.
typedef struct pv_body {
    uint32_t index, generation;
} pv_body;

/// What moves a body.
typedef enum pv_body_type {
    PV_BODY_STATIC = 0, ///< nothing
    PV_BODY_KINEMATIC,  ///< its own velocity and spin only, as if of infinite mass
    PV_BODY_DYNAMIC     ///< forces and contacts
} pv_body_type;

/// What a body is made of. Get one from pv_body_def_default().
typedef struct pv_body_def {
    pv_body_type type;       ///< default dynamic
    pv_mask *mask;           ///< its solid pixels, at least one; the body takes a reference of its own
    pv_vec2 position;        ///< of the centre of mass [px]
    double angle;            ///< [rad]
    pv_vec2 velocity;        ///< of the centre of mass [px/s]
    double spin;             ///< [rad/s]
    double density;          ///< mass of a pixel, > 0; default 1
    double mass;             ///< when > 0: the whole mass, in place of density; default 0
    double restitution;      ///< 0...1; default 0.2
    double static_friction;  ///< >= 0; default 0.6
    double kinetic_friction; ///< >= 0; default 0.5
    bool fixed_rotation;     ///< never turns by contact or torque; default false
    void *user_data;         ///< the caller's
    unsigned cookie;         ///< set by pv_body_def_default()
} pv_body_def;

/// The defaults named above.
PV_API pv_body_def pv_body_def_default(void);

/// Puts a body into a world.
/// @return its name, or the null name with a status: PV_ERROR_EMPTY for a mask without solid pixels
PV_API pv_body pv_body_create(pv_world *world, const pv_body_def *def, pv_status *status);

/// Takes a body out; what rested on it wakes.
PV_API pv_status pv_body_destroy(pv_world *world, pv_body body);

/// Whether the name names a living body.
PV_API bool pv_body_is_valid(const pv_world *world, pv_body body);

/// The body after this one in order of creation slots; the first for the null name; the null name at the end.
PV_API pv_body pv_world_next_body(const pv_world *world, pv_body body);

/// The topmost (last in order) body with a solid pixel under a point, or the null name.
PV_API pv_body pv_world_body_at(const pv_world *world, pv_vec2 point);

/* Reading. A stale name gives zeros, (1, 0) for the rotation, null for pointers. */

/// Its type; PV_BODY_STATIC for a stale name.
PV_API pv_body_type pv_body_get_type(const pv_world *world, pv_body body);
/// Centre of mass [px].
PV_API pv_vec2 pv_body_position(const pv_world *world, pv_body body);
/// In (-pi, pi] [rad].
PV_API double pv_body_angle(const pv_world *world, pv_body body);
/// As cosine and sine.
PV_API pv_rotation pv_body_rotation(const pv_world *world, pv_body body);
/// Of the centre of mass [px/s].
PV_API pv_vec2 pv_body_velocity(const pv_world *world, pv_body body);
/// [rad/s].
PV_API double pv_body_spin(const pv_world *world, pv_body body);
/// Of the material at a point of the world [px/s].
PV_API pv_vec2 pv_body_velocity_at(const pv_world *world, pv_body body, pv_vec2 point);
/// The mass of its pixels, also where the type makes it immovable.
PV_API double pv_body_mass(const pv_world *world, pv_body body);
/// About the centre of mass, of its pixels [mass px^2].
PV_API double pv_body_inertia(const pv_world *world, pv_body body);
/// Borrowed; lives as long as the body.
PV_API const pv_mask *pv_body_mask(const pv_world *world, pv_body body);
/// From its picture to the world: what to draw it with.
PV_API pv_transform pv_body_transform(const pv_world *world, pv_body body);
/// The box of its turned picture [px].
PV_API pv_box pv_body_box(const pv_world *world, pv_body body);
/// The caller's pointer.
PV_API void *pv_body_user_data(const pv_world *world, pv_body body);
/// Whether it is awake; false for static bodies.
PV_API bool pv_body_is_awake(const pv_world *world, pv_body body);
/// Positions of the two particles, the second being at position + k * (cos, sin), k = sqrt(inertia / mass):
/// with half the mass each they have the mass, centre and inertia of the pixels exactly.
PV_API pv_status pv_body_particles(const pv_world *world, pv_body body, pv_vec2 particles[2]);

/* Writing. Every one of these wakes the body and what touches it, and returns PV_ERROR_STALE, _NOT_FINITE or
 * _ARGUMENT (out of range) with nothing changed. On a static body velocities and forces are PV_ERROR_ARGUMENT. */

/// Puts it somewhere, keeping velocity and spin. A teleport: nothing in between is hit.
PV_API pv_status pv_body_set_position(pv_world *world, pv_body body, pv_vec2 position);
/// Turns it about its centre to an angle [rad], keeping velocity and spin.
PV_API pv_status pv_body_set_angle(pv_world *world, pv_body body, double angle);

/// Which positions are moved to change a velocity: Cheng (2003) section 2.2.
typedef enum pv_shift {
    PV_SHIFT_PREVIOUS = 0, ///< the body stays where it is, its previous positions move: from now on
    PV_SHIFT_CURRENT       ///< its current positions move too: as if it had been so during the last substep
} pv_shift;

/// Sets the velocity of the centre [px/s], keeping the spin.
PV_API pv_status pv_body_set_velocity(pv_world *world, pv_body body, pv_vec2 velocity, pv_shift shift);

/// What stays in place when a turn begins: Cheng (2003) section 2.4.
typedef enum pv_about {
    PV_ABOUT_CENTRE = 0, ///< both particles move, the centre keeps its velocity
    PV_ABOUT_FIRST,      ///< the second particle goes round the first, which keeps its velocity
    PV_ABOUT_SECOND      ///< the first goes round the second
} pv_about;

/// Sets the spin [rad/s]; at most a quarter turn per substep, which is where it is clamped.
PV_API pv_status pv_body_set_spin(pv_world *world, pv_body body, double spin, pv_about about);

/// A force at the centre for the whole next step [mass px/s^2]; forces add up. Cheng (2003) section 2.3.
PV_API pv_status pv_body_apply_force(pv_world *world, pv_body body, pv_vec2 force);
/// A force at a point of the world for the whole next step.
PV_API pv_status pv_body_apply_force_at(pv_world *world, pv_body body, pv_vec2 force, pv_vec2 point);
/// A torque for the whole next step [mass px^2/s^2].
PV_API pv_status pv_body_apply_torque(pv_world *world, pv_body body, double torque);
/// A sudden change of momentum at a point of the world [mass px/s].
PV_API pv_status pv_body_apply_impulse(pv_world *world, pv_body body, pv_vec2 impulse, pv_vec2 point);

/// Restitution, static and kinetic friction, in the ranges of pv_body_def.
PV_API pv_status pv_body_set_material(pv_world *world, pv_body body, double restitution, double static_friction,
                                      double kinetic_friction);
/// The caller's pointer.
PV_API pv_status pv_body_set_user_data(pv_world *world, pv_body body, void *user_data);
/// Wakes it and what touches it.
PV_API pv_status pv_body_wake(pv_world *world, pv_body body);

/// A touching pair after the last step.
typedef struct pv_contact {
    pv_body a, b;    ///< a comes before b in order
    pv_vec2 point;   ///< in the world [px]
    pv_vec2 normal;  ///< from a to b, of length 1
    double impulse;  ///< along the normal in the last substep [mass px/s], >= 0
    int64_t overlap; ///< pixels that overlapped when it was found
} pv_contact;

/// Copies the contacts of the last step out, in order of the pairs.
/// @param contacts where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_contacts(const pv_world *world, pv_contact *contacts, int capacity);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
