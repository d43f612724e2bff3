/* trace.h - what a trace is made of, for those who write and read it.
 *
 * Invariant: for each call trace.awk makes two functions, one for its arguments and one for its
 * results. The same function writes a value, reads it, and compares it; trace_write.c and
 * retrace_read.c each have their own coder under these names.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TRACE_H
#define TRACE_H

#include "pixverlet.h"
#include "pixverlet/paper.h"

/* A trace, all numbers little-endian:
 *
 *     89 50 56 54 52 0d 0a 1a   magic: 0x89 "PVTR" CR LF 0x1a
 *     u32                       version of the format, TRACE_VERSION; changes of trace.awk raise it
 *     records                   u32 size of the body, u32 digest, body
 *
 * The digest is FNV-1a (32 bits) of the body, started with the digest of the record before, so that
 * no record can be changed, left out or moved. A body is u8 kind, u16 function or callback by its
 * place in pixverlet.h, and its values in order: int, enum and u32 have 4 bytes, size_t and others
 * 8, bool and "is not null" 1, structs their members with pointers last. An object is a u32 number;
 * they count from 1 in the order in which objects were seen, and 0 is null. What comes out of the
 * library binds its number anew; if it is a mask, the u64 digest of its pixels follows. */
#define TRACE_MAGIC "\x89PVTR\r\n\x1a"
enum { TRACE_MAGIC_SIZE = 8, TRACE_HEAD_SIZE = 12, TRACE_RECORD_HEAD = 8, TRACE_VERSION = 1 };

enum {
    /// Interface sum (u64), and version of the library (string)
    RECORD_START = 0,
    /// Arguments of a function
    RECORD_CALL,
    /// Results of a function; without it the program ended in the call
    RECORD_RETURN,
    /// Arguments of a callback, within a call
    RECORD_CALLBACK,
    /// Results of a callback; calls may be in between
    RECORD_ANSWER,
    /// Object whose creation was not seen: its number and pixels
    RECORD_MASK,
    /// Normal end of the program
    RECORD_END,
    RECORD_KINDS
};

/// Number of steps from hash to hash
enum { TRACE_HASH_EVERY = 10 };
/// Number of an object whose creation was not seen
#define TRACE_UNKNOWN UINT32_MAX
/// Offset bases of FNV
#define TRACE_DIGEST_32 2166136261u
#define TRACE_DIGEST_64 14695981039346656037ull

typedef struct coder coder;
typedef void code_fn(coder *c, const char *name, void *value);
code_fn code_int, code_int32_t, code_unsigned, code_uint32_t, code_bool;
code_fn code_int64_t, code_uint64_t, code_size_t, code_ptrdiff_t, code_double;
/// Codes a pointer of the program that is never followed
code_fn code_user;
code_fn code_pv_allocator;
/// Omits a value; a replay has zeros there
void code_left(coder *c, void *value, size_t size);

/// Function that codes all arguments or all results of a call
typedef void code_call_fn(coder *c, void *args);

void code_open(coder *c, const char *name);
void code_close(coder *c);

/* Pointers. Each function returns the value for the pointer's place. */

void *code_object(coder *c, const char *name, const void *object, int type);
/// Codes an object; one that comes out of the library is then the caller's to give back.
void *code_made(coder *c, const char *name, const void *object, int type);
/// Codes an object that the caller gives back.
void *code_gone(coder *c, const char *name, const void *object, int type);
/// Codes a pointer that may be null; otherwise its target is at value, or goes into value.
void *code_pointer(coder *c, const char *name, const void *pointer, void *value, code_fn *code);
/// Codes whether a pointer is null, but not its target.
void *code_given(coder *c, const char *name, const void *pointer, void *value);
void *code_array(coder *c, const char *name, const void *pointer, size_t count, size_t size,
                 code_fn *code);
void *code_bytes(coder *c, const char *name, const void *pointer, size_t size);
char *code_string(coder *c, const char *name, const char *text);
/// Codes an array for answers, and later the answers in it; found is their total number.
void *code_room(coder *c, const char *name, void *pointer, int64_t capacity, size_t size);
void code_found(coder *c, const char *name, void *pointer, int64_t capacity, int64_t found,
                size_t size, code_fn *code);
/// Replaces a callback and its user data with a function that stands in for it.
void (*code_callback(coder *c, const char *name, void (*function)(void), void **user_data,
                     int kind))(void);

/// Codes the hash of a world, every TRACE_HASH_EVERYth time or always.
void code_hash(coder *c, const pv_world *world, bool always);
pv_mask *code_content_pv_mask(coder *c, pv_mask *mask);
pv_frames *code_content_pv_frames(coder *c, pv_frames *frames);
pv_material_map *code_content_pv_material_map(coder *c, pv_material_map *map);

/* Code from trace.awk */

extern const uint64_t interface_sum;
extern const char *const object_names[];
extern const int object_count, object_mask, object_frames, object_materials;

/// Returns a count if the library would accept it, else 0.
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
