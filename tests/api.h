/* api.h - the public interface as a table, which tests/api.awk makes of pixverlet.h.
 *
 * Invariant: whatever the header declares stands in the table; what cannot be put there stops the
 * build.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef API_H
#define API_H

#include "pixverlet.h"
#include "pixverlet/paper.h"

/// Kind of a part of a value, which decides its bad values
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

/// A part of a value that has no parts.
typedef struct api_leaf {
    /// "" of a value that has no parts itself
    const char *path;
    /// Without const; "callback *" for a pointer to a function or an array
    const char *type;
    size_t offset;
    api_kind kind;
} api_leaf;

typedef struct api_type {
    /// Without const and *
    const char *name;
    /// 0: opaque
    size_t size;
    const api_leaf *leaves;
    int leaf_count;
    /// Null, or writes what its _default() gives
    void (*make_default)(void *value);
} api_type;

typedef struct api_parameter {
    const char *name, *spelling;
    const api_type *type;
    bool is_pointer, is_const;
} api_parameter;

typedef struct api_function {
    /// Spelling of what it returns
    const char *name, *spelling;
    /// Null: nothing
    const api_type *result;
    /// Type of the result
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
