/* pixverlet/base.h - values, status, allocator, ids and kernels that all other headers use.
 *
 * Invariant: this header includes no other header of the library. Numbers are double, counts
 * int.
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
    /// Coordinates to the right and down
    double x, y;
} pv_vec2;

/// A struct literal that works in C and in C++.
#ifdef __cplusplus
#define PV_LITERAL(type) type
#else
#define PV_LITERAL(type) (type)
#endif

/// Creates a pv_vec2 out of two numbers.
#define PV_VEC2(x, y) (PV_LITERAL(pv_vec2){(x), (y)})

/// Returns a + b.
static inline pv_vec2 pv_vec2_add(pv_vec2 a, pv_vec2 b) { return PV_VEC2(a.x + b.x, a.y + b.y); }
/// Returns a - b.
static inline pv_vec2 pv_vec2_sub(pv_vec2 a, pv_vec2 b) { return PV_VEC2(a.x - b.x, a.y - b.y); }
/// Returns factor * a.
static inline pv_vec2 pv_vec2_scale(double factor, pv_vec2 a) {
    return PV_VEC2(factor * a.x, factor * a.y);
}
/// Returns the point at fraction t of the way from a to b.
static inline pv_vec2 pv_vec2_lerp(pv_vec2 a, pv_vec2 b, double t) {
    return PV_VEC2(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
}
/// Returns the dot product.
static inline double pv_vec2_dot(pv_vec2 a, pv_vec2 b) { return a.x * b.x + a.y * b.y; }
/// Returns the cross product: positive if b is clockwise of a on the screen.
static inline double pv_vec2_cross(pv_vec2 a, pv_vec2 b) { return a.x * b.y - a.y * b.x; }
/// Returns a vector turned by a quarter turn clockwise on the screen.
static inline pv_vec2 pv_vec2_perp(pv_vec2 a) { return PV_VEC2(-a.y, a.x); }

/// Returns the length of a vector. The bits are the same on every machine.
PV_API double pv_vec2_length(pv_vec2 a);
/// Returns the vector of length 1 in the same direction; (0, 0) for (0, 0) and for vectors that are
/// not finite.
PV_API pv_vec2 pv_vec2_normalize(pv_vec2 a);

/// A rotation as cosine and sine; (1, 0) is no rotation. Rotations from the library have length 1.
typedef struct pv_rotation {
    /// Cosine and sine of the angle
    double c, s;
} pv_rotation;

/// Returns a vector turned by a rotation.
static inline pv_vec2 pv_vec2_rotate(pv_rotation r, pv_vec2 a) {
    return PV_VEC2(r.c * a.x - r.s * a.y, r.s * a.x + r.c * a.y);
}
/// Returns a vector turned by the inverse of a rotation.
static inline pv_vec2 pv_vec2_rotate_inverse(pv_rotation r, pv_vec2 a) {
    return PV_VEC2(r.c * a.x + r.s * a.y, r.c * a.y - r.s * a.x);
}

/// An axis-aligned box in world coordinates [px]; empty if max < min.
typedef struct pv_box {
    /// Upper left and lower right corners
    pv_vec2 min, max;
} pv_box;

/// Tells whether a point is in a box, edges included.
static inline bool pv_box_contains(pv_box box, pv_vec2 point) {
    return point.x >= box.min.x && point.x <= box.max.x && point.y >= box.min.y &&
           point.y <= box.max.y;
}
/// Tells whether two boxes share a point; an empty one shares none.
static inline bool pv_box_overlaps(pv_box a, pv_box b) {
    return a.min.x <= a.max.x && a.min.y <= a.max.y && b.min.x <= b.max.x && b.min.y <= b.max.y &&
           a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

/// A rectangle of whole pixels; empty if w or h is 0.
typedef struct pv_rect {
    /// Upper left pixel and size [px]
    int x, y, w, h;
} pv_rect;

/// A color as 0xRRGGBBAA; its alpha is not multiplied in.
typedef uint32_t pv_color;

/// Creates a pv_color out of red, green, blue and alpha, 0...255 each.
#define PV_RGBA(r, g, b, a)                                                                        \
    ((pv_color)(r) << 24 | (pv_color)(g) << 16 | (pv_color)(b) << 8 | (pv_color)(a))

/// Largest coordinate [px]. Larger ones are refused, so that sums of a few coordinates stay exact
/// in pixels.
#define PV_MAX_COORDINATE 16777216.0

/// Computes the rotation of an angle. The library's own sine gives the same bits on every machine.
/// @param angle |angle| <= 1e6 [rad]; other values give no rotation
PV_API pv_rotation pv_rotation_from_angle(double angle);

/// Computes the angle of a rotation, in (-pi, pi] [rad]; 0 for a rotation that is not finite.
PV_API double pv_rotation_get_angle(pv_rotation rotation);

/// A corner of the pixel grid: (x, y) is the upper left corner of pixel (x, y).
typedef struct pv_point {
    /// Coordinates [px]
    int x, y;
} pv_point;

/// A transform, which maps point m of a picture to position + R(rotation) * scale * (m - pivot).
typedef struct pv_transform {
    /// Position of the pivot in the world [px]
    pv_vec2 position;
    /// Rotation about the pivot
    pv_rotation rotation;
    /// Pivot in the picture's coordinates [px]
    pv_vec2 pivot;
    /// Scale along the picture's axes before the rotation; sizes 1/1024...1024, mirrored if
    /// negative
    pv_vec2 scale;
} pv_transform;

/// Returns the identity transform: no rotation, scale 1, the picture's (0, 0) at the world's.
PV_API pv_transform pv_transform_identity(void);

/// Maps a point of the picture to the world [px]; a null transform gives the point itself.
/// Non-finite values stay non-finite.
PV_API pv_vec2 pv_transform_to_world(const pv_transform *transform, pv_vec2 point);

/// Maps a point of the world to the picture [px]: the inverse of pv_transform_to_world(). A null
/// transform and a scale of 0 give the point itself.
PV_API pv_vec2 pv_transform_to_local(const pv_transform *transform, pv_vec2 point);

/// Computes the bounds of a transformed picture, padded by about 1/256 px. They are empty for null,
/// a picture without pixels and non-finite values. Cheng (2003) section 5.1.
PV_API pv_box pv_transform_compute_bounds(const pv_transform *transform, int width, int height);

/** @} */

/** @defgroup status Status
 *  Results of calls. @{ */

/// The result of a call that can fail.
typedef enum pv_status {
    /// Success
    PV_OK = 0,
    /// Null pointer, or value out of its documented range
    PV_ERROR_ARGUMENT,
    /// NaN or infinity
    PV_ERROR_NOT_FINITE,
    /// Null from the allocator
    PV_ERROR_MEMORY,
    /// File that is missing, not regular or not readable
    PV_ERROR_FILE_OPEN,
    /// Failure while reading the file
    PV_ERROR_FILE_READ,
    /// Wrong format, or damaged, cut or inconsistent data
    PV_ERROR_FORMAT,
    /// Size beyond the present limits
    PV_ERROR_TOO_LARGE,
    /// No solid pixel, although at least one is needed
    PV_ERROR_EMPTY,
    /// Id without a living object in this world
    PV_ERROR_STALE_ID,
    /// Mask with another reference; a copy can be changed
    PV_ERROR_SHARED,
    /// Feature that the library was built without
    PV_ERROR_UNSUPPORTED,
    /// World in a step or query, whose callbacks cannot change it
    PV_ERROR_BUSY,
    /// File that cannot be created, or not written to its end
    PV_ERROR_FILE_WRITE,
    /// Number of results; never returned
    PV_STATUS_COUNT
} pv_status;

/// Returns a static English sentence for a status, without a period; "unknown status" for other
/// values.
PV_API const char *pv_status_to_string(pv_status status);

/// The outcome of a call, in parts and as a sentence.
typedef struct pv_error {
    /// Result of the call
    pv_status status;
    /// Name of the called function, static
    const char *function;
    /// Parameter or field at fault, for example "def.restitution", static; null if there is none
    const char *field;
    /// Value at fault, and the ends of its permitted range; 0 if there are none
    double value, min, max;
    /// English sentence that begins with the function and names the field; empty after success
    char message[192];
} pv_error;

/// A debugging hook that receives each refused call, in the thread of that call. The error is valid
/// until the hook returns. The hook may not change the world, and refusals of its own calls are not
/// reported.
typedef void (*pv_report_fn)(void *user_data, const pv_error *error);

/// Prints the message of an error to stderr; usable as a report hook. Null and success print
/// nothing.
/// @param user_data ignored
PV_API void pv_error_print(void *user_data, const pv_error *error);

/// Version of these headers.
#define PV_VERSION_MAJOR 0
/// Second part of the version.
#define PV_VERSION_MINOR 2
/// Third part of the version.
#define PV_VERSION_PATCH 0

/// Returns the version of the linked library, for example "0.2.0"; static.
PV_API const char *pv_version(void);

/** @} */

/** @defgroup memory Memory
 *  Memory from the caller's allocator. @{ */

/// An allocation function like Lua's. new_size 0 frees ptr and returns null. A null ptr allocates;
/// other calls resize. Alignment is that of malloc(). It returns null on failure, with ptr
/// unchanged. It must be safe to call from every thread that uses objects made with it.
typedef void *(*pv_alloc_fn)(void *user_data, void *ptr, size_t old_size, size_t new_size);

/// An allocator; a null fn selects that of the C library.
typedef struct pv_allocator {
    /// Allocation function, or null
    pv_alloc_fn fn;
    /// Argument of fn; it must outlive the objects made with it
    void *user_data;
} pv_allocator;

/** @} */

/** @defgroup handles Ids
 *  Ids of objects in a world or a group. @{ */

/// Tells whether an id of any type is null; id is evaluated once or twice.
#define PV_ID_IS_NULL(id) ((id).index == 0 && (id).generation == 0)
/// Tells whether two ids of one type are equal; both are evaluated once or twice.
#define PV_ID_EQUALS(a, b) ((a).index == (b).index && (a).generation == (b).generation)
/// Bit of a body's index that tells polygons from sprites.
#define PV_POLYGON_BIT 0x800000u
/// Tells whether the id of a body is that of a polygon, even of one that no longer lives.
#define PV_ID_IS_POLYGON(body) (((body).index & PV_POLYGON_BIT) != 0)

/// The id of a member of one group; all zero is the null id. The library detects an id that is no
/// longer valid.
typedef struct pv_member_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_member_id;

/// The id of a body of one world, a sprite or a polygon; all zero is the null id. The library
/// detects an id that is no longer valid.
typedef struct pv_body_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_body_id;

/// The id of a particle of one world; all zero is the null id.
typedef struct pv_particle_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_particle_id;

/// The id of a joint of one world; all zero is the null id.
typedef struct pv_joint_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_joint_id;

/// The id of a liquid of one world; all zero is the null id.
typedef struct pv_liquid_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_liquid_id;

/// The id of a force field of one world; all zero is the null id.
typedef struct pv_force_field_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_force_field_id;

/// The id of a composite of one world; all zero is the null id.
typedef struct pv_composite_id {
    /// Slot, and number of times it was used
    uint32_t index, generation;
} pv_composite_id;

/// The null id of a member of a group.
#define pv_null_member (PV_LITERAL(pv_member_id){0, 0})
/// The null id of a body.
#define pv_null_body (PV_LITERAL(pv_body_id){0, 0})
/// The null id of a particle.
#define pv_null_particle (PV_LITERAL(pv_particle_id){0, 0})
/// The null id of a joint.
#define pv_null_joint (PV_LITERAL(pv_joint_id){0, 0})
/// The null id of a liquid.
#define pv_null_liquid (PV_LITERAL(pv_liquid_id){0, 0})
/// The null id of a force field.
#define pv_null_force_field (PV_LITERAL(pv_force_field_id){0, 0})
/// The null id of a composite.
#define pv_null_composite (PV_LITERAL(pv_composite_id){0, 0})

/** @} */

/** @defgroup kernels Kernels
 *  Loops over pixels for the instruction sets of the CPU. @{ */

/// Returns the name of the kernel in use: "generic", "avx2" or "avx512"; static. All kernels give
/// the same bits. The first call that needs a kernel takes the one named in the environment
/// variable PIXVERLET_KERNEL. Without the variable it takes the best for the CPU. An unavailable
/// name gives "generic", and pv_kernel_select(NULL) reports it. It is safe in any thread while no
/// thread changes the environment.
PV_API const char *pv_kernel_get_name(void);

/// Selects the kernel for the whole process, for tests and measurements. It is safe in any thread.
/// Calls that are running in other threads finish with the kernel they have.
/// @param name as from pv_kernel_get_name(); null: choose again, as the first call does
/// @return PV_ERROR_ARGUMENT, with nothing changed, for an unknown name and for one that the CPU
/// lacks
PV_API pv_status pv_kernel_select(const char *name);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
