/* trace.h - what a trace is made of, for those who write and read it.
 *
 * Invariant: the same function of what trace.awk makes, in or out of a call, codes a value when it
 * is written, when it is read and when it is compared; trace_write.c and retrace_read.c each have
 * their own coder under these names.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TRACE_H
#define TRACE_H

#include "pixverlet.h"
#include "pixverlet/paper.h"

/* A trace, all numbers little-endian:
 *
 *     89 50 56 54 52 0d 0a 1a   what it is: 0x89 "PVTR" CR LF 0x1a
 *     u32                       version of the format, TRACE_VERSION: raised when trace.awk codes otherwise
 *     records                   u32 size of the body, u32 digest, body
 *
 * The digest is FNV-1a (32 bits) of the body, begun with the digest of the record before, so that
 * none can be changed, left out or put elsewhere. A body is u8 kind, u16 function or callback by
 * its place in pixverlet.h, and its values one after the other: int, enum and u32 have 4 bytes,
 * size_t and others 8, bool and "is not null" 1, structs their members with pointers last. An
 * object is the u32 of its address, from 1 on in the order in which they were seen; 0 is null. What
 * comes out of the library binds the number anew; a mask that does is followed by the u64 digest of
 * its pixels. */
#define TRACE_MAGIC "\x89PVTR\r\n\x1a"
enum { TRACE_MAGIC_SIZE = 8, TRACE_HEAD_SIZE = 12, TRACE_RECORD_HEAD = 8, TRACE_VERSION = 1 };

enum {
    /// U64 sum of the interface, string version of the library
    RECORD_START = 0,
    /// What a function is given
    RECORD_CALL,
    /// What came back; no RETURN: the program ended in it
    RECORD_RETURN,
    /// Within a call: what the program is asked
    RECORD_CALLBACK,
    /// What it said; calls may be in between
    RECORD_ANSWER,
    /// An object that was not seen being made: its number and pixels
    RECORD_MASK,
    /// The program ended in peace
    RECORD_END,
    RECORD_KINDS
};

/// So many steps from hash to hash
enum { TRACE_HASH_EVERY = 10 };
/// Number of an object that was not seen being made
#define TRACE_UNKNOWN UINT32_MAX
/// FNV's offsets
#define TRACE_DIGEST_32 2166136261u
#define TRACE_DIGEST_64 14695981039346656037ull

typedef struct coder coder;
typedef void code_fn(coder *c, const char *name, void *value);
code_fn code_int, code_int32_t, code_unsigned, code_uint32_t, code_bool;
code_fn code_int64_t, code_uint64_t, code_size_t, code_ptrdiff_t, code_double;
/// A pointer of the program's that is never followed
code_fn code_user;
code_fn code_pv_allocator;

/// All that goes in or comes out of a call.
typedef void code_call_fn(coder *c, void *args);

void code_open(coder *c, const char *name);
void code_close(coder *c);

/* Each returns what is to be put in the pointer's place. */

void *code_object(coder *c, const char *name, const void *object, int type);
/// Returns what may be null and else is where value is, or in value.
void *code_pointer(coder *c, const char *name, const void *pointer, void *value, code_fn *code);
/// The same of what is not to be looked at: whether it is null.
void *code_given(coder *c, const char *name, const void *pointer, void *value);
void *code_array(coder *c, const char *name, const void *pointer, size_t count, size_t size,
                 code_fn *code);
void *code_bytes(coder *c, const char *name, const void *pointer, size_t size);
char *code_string(coder *c, const char *name, const char *text);
/// Room for answers; then the answers: found of them in all.
void *code_room(coder *c, const char *name, void *pointer, int64_t capacity, size_t size);
void code_found(coder *c, const char *name, void *pointer, int64_t capacity, int64_t found,
                size_t size, code_fn *code);
/// A callback and what it is handed become what asks on its behalf.
void (*code_callback(coder *c, const char *name, void (*function)(void), void **user_data,
                     int kind))(void);

/// The hash of a world, at each TRACE_HASH_EVERYth time or always.
void code_hash(coder *c, const pv_world *world, bool always);
pv_mask *code_content_pv_mask(coder *c, pv_mask *mask);
pv_frames *code_content_pv_frames(coder *c, pv_frames *frames);
pv_material_map *code_content_pv_material_map(coder *c, pv_material_map *map);

/* Out of trace.awk. */

extern const uint64_t interface_sum;
extern const char *const object_names[];
extern const int object_count, object_mask, object_frames, object_materials;

/// A count that the library would take, or none.
static inline size_t within(int count, int most) {
    return count < 0 || count > most ? 0 : (size_t)count;
}

static inline uint32_t trace_digest(uint32_t digest, const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * 16777619u;
    return digest;
}

static inline uint64_t trace_digest_64(uint64_t digest, const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * 1099511628211ull;
    return digest;
}

#endif
