/* api.h - the public interface as a table, which tests/api.awk makes from pixverlet.h.
 *
 * Invariant: the table has all that the header declares. What it cannot hold stops the build.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef API_H
#define API_H

#include "pixverlet.h"
#include "pixverlet/paper.h"

/// Kind of a leaf, which decides its bad values
typedef enum api_kind {
    API_DOUBLE,
    API_FLOAT,
    API_ENUM,
    API_INT,
    API_UINT,
    API_INT64,
    API_UINT64,
    API_SIZE,
    API_PITCH,
    API_BOOL,
    API_POINTER,
    API_HANDLE,
    API_COOKIE
} api_kind;

/// Part of a value that has no parts of its own
typedef struct api_leaf {
    /// Names of the members that lead to it; "" if the value itself is the leaf
    const char *path;
    /// Type without const; "callback *" for a pointer to a function or an array
    const char *type;
    size_t offset;
    api_kind kind;
} api_leaf;

typedef struct api_type {
    /// Without const and *
    const char *name;
    /// Size [byte]; 0: opaque
    size_t size;
    const api_leaf *leaves;
    int leaf_count;
    /// Function that writes the result of its _default(); null: none
    void (*make_default)(void *value);
} api_type;

typedef struct api_parameter {
    const char *name, *spelling;
    const api_type *type;
    bool is_pointer, is_const;
} api_parameter;

typedef struct api_function {
    /// Spelling of the result's type
    const char *name, *spelling;
    /// Type of the result; null: none
    const api_type *result;
    /// Properties of the result
    bool is_pointer, is_const;
    const api_parameter *parameters;
    int parameter_count;
    /// Calls it with the values that arguments point to. The result goes where result points,
    /// pointers as a const void *.
    void (*call)(void *const *arguments, void *result);
} api_function;

extern const api_function api_functions[];
extern const size_t api_function_count;

#endif
