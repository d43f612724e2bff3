/* pixverlet/base.h - values, status, allocator, handles and kernels that all other headers use.
 *
 * Invariant: nothing here includes another header of the library; numbers are double, counts int.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_BASE_H
#define PIXVERLET_BASE_H

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
    /// Right and down
    double x, y;
} pv_vec2;

/// A literal of a struct, in C and in C++.
#ifdef __cplusplus
#define PV_LITERAL(type) type
#else
#define PV_LITERAL(type) (type)
#endif

/// Creates a pv_vec2 out of two numbers.
#define PV_VEC2(x, y) (PV_LITERAL(pv_vec2){(x), (y)})

/// A rotation as cosine and sine; (1, 0) is none. Always of length 1 when the library made it.
typedef struct pv_rotation {
    /// Of the angle
    double c, s;
} pv_rotation;

/// An axis-aligned box in world coordinates [px]; empty when max < min.
typedef struct pv_box {
    /// Corners, left upper and right lower
    pv_vec2 min, max;
} pv_box;

/// A rectangle of whole pixels; empty when w or h is 0.
typedef struct pv_rect {
    /// Left upper pixel and size [px]
    int x, y, w, h;
} pv_rect;

/// Coordinates beyond this are refused, so that sums of a few of them stay exact in pixels [px].
#define PV_MAX_COORDINATE 16777216.0

/// The rotation by an angle, by the library's own sine, the same bits on every machine.
/// @param angle [rad], |angle| <= 1e6; anything else gives no rotation.
PV_API pv_rotation pv_rotation_from_angle(double angle);

/// The angle of a rotation, in (-pi, pi] [rad]; 0 for what is not finite.
PV_API double pv_rotation_get_angle(pv_rotation rotation);

/// A corner of pixels: (x, y) is the upper left one of pixel (x, y).
typedef struct pv_point {
    /// [px]
    int x, y;
} pv_point;

/// Takes point m of a picture to position + R(rotation) * scale * (m - pivot).
typedef struct pv_transform {
    /// Where the pivot comes to lie [px]
    pv_vec2 position;
    /// About the pivot
    pv_rotation rotation;
    /// In the picture's coordinates [px]
    pv_vec2 pivot;
    /// Along the picture's axes, before it is turned; negative mirrors; sizes 1/1024...1024
    pv_vec2 scale;
} pv_transform;

/// No turn and no scaling, the picture's pixel (0, 0) at the world's.
PV_API pv_transform pv_transform_identity(void);

/// Returns where a point of the picture lies in the world [px]; the point itself for null. What is
/// not finite stays so.
PV_API pv_vec2 pv_transform_to_world(const pv_transform *transform, pv_vec2 point);

/// The box of the turned rectangle of the picture, a little generous (1/256 px); an empty one for
/// null, for a picture without pixels and for what is not finite. Cheng (2003) section 5.1.
PV_API pv_box pv_transform_compute_bounds(const pv_transform *transform, int width, int height);

/** @} */

/** @defgroup status Status
 *  What a call has to say. @{ */

/// The outcome of a call that can fail.
typedef enum pv_status {
    /// Done
    PV_OK = 0,
    /// A null pointer or a value out of its documented range
    PV_ERROR_ARGUMENT,
    /// NaN or infinity
    PV_ERROR_NOT_FINITE,
    /// The allocator returned null
    PV_ERROR_MEMORY,
    /// The file is missing, not a regular file, or may not be read
    PV_ERROR_FILE_OPEN,
    /// Reading the file failed half-way
    PV_ERROR_FILE_READ,
    /// Not of the format, or damaged, cut or lying
    PV_ERROR_FORMAT,
    /// Larger than the limits in force
    PV_ERROR_TOO_LARGE,
    /// No solid pixel where at least one is needed
    PV_ERROR_EMPTY,
    /// The handle names no living object of this world
    PV_ERROR_STALE_ID,
    /// The mask is held elsewhere too: copy it, then change the copy
    PV_ERROR_SHARED,
    /// The library was built without what this needs
    PV_ERROR_UNSUPPORTED,
    /// The world is being stepped or asked: it cannot be changed in that callback
    PV_ERROR_BUSY,
    /// How many there are; never returned
    PV_STATUS_COUNT
} pv_status;

/// One English sentence without a full stop, static; "unknown status" for a value that is none.
PV_API const char *pv_status_to_string(pv_status status);

/// Version of the linked library, for example "0.1.0"; static.
PV_API const char *pv_version(void);

/** @} */

/** @defgroup memory Memory
 *  Every byte comes from the caller's allocator. @{ */

/// Lua's shape: new_size 0 frees ptr and returns null; ptr null allocates; otherwise resizes.
/// Alignment as malloc's. Null on failure, with ptr untouched. Must be safe in every thread that
/// uses objects made by it.
typedef void *(*pv_alloc_fn)(void *user_data, void *ptr, size_t old_size, size_t new_size);

/// An allocator; with fn null the C library's is used.
typedef struct pv_allocator {
    /// Null, or what makes memory
    pv_alloc_fn fn;
    /// Handed to fn; must outlive the objects made with it
    void *user_data;
} pv_allocator;

/** @} */

/** @defgroup handles Handles
 *  Identifiers of what lives in a world or a group. @{ */

/// Tells whether an identifier of any type is null; id is evaluated once or twice.
#define PV_ID_IS_NULL(id) ((id).index == 0 && (id).generation == 0)
/// Tells whether two identifiers of one type are equal; both are evaluated once or twice.
#define PV_ID_EQUALS(a, b) ((a).index == (b).index && (a).generation == (b).generation)

/// Names a sprite of one group; all zero names none. A name that outlives its sprite is noticed.
typedef struct pv_member_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_member_id;

/// Names a body of one world; all zero names none. A name that outlives its body is noticed.
typedef struct pv_body_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_body_id;

/// Names a particle of one world; all zero names none.
typedef struct pv_particle_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_particle_id;

/// Names a constraint of one world; all zero names none.
typedef struct pv_joint_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_joint_id;

/// Names a polygon of one world; all zero names none.
typedef struct pv_polygon_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_polygon_id;

/// Names a liquid of one world; all zero names none.
typedef struct pv_liquid_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_liquid_id;

/// Names a force of one world; all zero names none.
typedef struct pv_force_field_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_force_field_id;

/// Names a thing of one world; all zero names none.
typedef struct pv_composite_id {
    /// A slot, and how often it was used
    uint32_t index, generation;
} pv_composite_id;

/// The null identifier of each type: it names nothing.
#define pv_null_member (PV_LITERAL(pv_member_id){0, 0})
#define pv_null_body (PV_LITERAL(pv_body_id){0, 0})
#define pv_null_particle (PV_LITERAL(pv_particle_id){0, 0})
#define pv_null_joint (PV_LITERAL(pv_joint_id){0, 0})
#define pv_null_polygon (PV_LITERAL(pv_polygon_id){0, 0})
#define pv_null_liquid (PV_LITERAL(pv_liquid_id){0, 0})
#define pv_null_force_field (PV_LITERAL(pv_force_field_id){0, 0})
#define pv_null_composite (PV_LITERAL(pv_composite_id){0, 0})

/** @} */

/** @defgroup kernels Kernels
 *  Loops over pixels for the instruction sets of the CPU. @{ */

/// The loops over pixels that are in use: "generic", "avx2" or "avx512"; static. All give the same
/// bits. The first call of the library that needs one takes what the environment variable
/// PIXVERLET_KERNEL names, or else the best that the CPU has. Where the variable names one that
/// cannot be had, that is "generic", and pv_kernel_select(NULL) says so. Safe in any thread, but
/// for threads that change the environment.
PV_API const char *pv_kernel_get_name(void);

/// Chooses the loops for the whole process, for tests and measurements. Safe in any thread; calls
/// that are under way in others finish with what they began with.
/// @param name as pv_kernel_get_name() gives it; null: chosen anew, by the environment variable as
/// above
/// @return PV_ERROR_ARGUMENT, with nothing changed, for an unknown name and for one that the CPU
/// lacks
PV_API pv_status pv_kernel_select(const char *name);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
