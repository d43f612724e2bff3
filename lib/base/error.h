/* error.h - the interface of error.c: checks of arguments, and sentences about what is wrong.
 *
 * Invariant: an error begins as a success of its function. The first failed check fills it, and a
 * function makes no further check after that.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_ERROR_H
#define PV_BASE_ERROR_H

#include "base/base.h"

#include <stdio.h>

/// Attribute of a function with a printf() format. MinGW's C library names its own style.
#if defined(__MINGW_PRINTF_FORMAT)
#define PV__PRINTF(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__)
#define PV__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PV__PRINTF(text, first)
#endif

/// Begins a call of a public function: fills *error, or *own if error is null, with a success.
static inline pv_error *pv__error_begin(const char *function, pv_error *error, pv_error *own) {
    pv_error *e = error ? error : own;
    e->status = PV_OK;
    e->function = function;
    e->field = NULL;
    e->value = e->min = e->max = 0;
    e->message[0] = 0;
    return e;
}

/// Fills an error with a status and its sentence, without a field; does nothing for PV_OK.
pv_status pv__error_set(pv_error *e, pv_status status);
/// Fills an error with a status and its sentence, about a field; does nothing for PV_OK.
pv_status pv__error_about(pv_error *e, pv_status status, const char *field);
/// Fills an error with a sentence as from printf(), about a field or about none.
/// @param field static, or null
PV__PRINTF(4, 5)
pv_status pv__error_say(pv_error *e, pv_status status, const char *field, const char *format, ...);
/// Fills an error with that of another call, in the name of this function.
pv_status pv__error_adopt(pv_error *e, const pv_error *other);
/// Fills an error for a field's value that is not finite or not in its range.
pv_status pv__error_range(pv_error *e, const char *field, double value, double min, double max);

/// Checks a number: finite and in its range.
static inline bool pv__check_range(pv_error *e, const char *field, double value, double min,
                                   double max) {
    return (value >= min && value <= max) || pv__error_range(e, field, value, min, max) == PV_OK;
}
/// Checks the components of a vector: finite, up to most in magnitude. The field names the vector.
bool pv__check_vector(pv_error *e, const char *field, pv_vec2 vector, double most);
/// Checks a place: finite and within PV_MAX_COORDINATE.
bool pv__check_place(pv_error *e, const char *field, pv_vec2 place);
/// Checks an array of places, and names the index of a bad one.
bool pv__check_places(pv_error *e, const char *field, const pv_vec2 *places, int count);
/// Checks a number: 0, or finite and in its range.
bool pv__check_zero_or(pv_error *e, const char *field, double value, double min, double max);
/// Checks a pointer: not null.
bool pv__check_pointer(pv_error *e, const char *field, const void *pointer);
/// Checks a struct: not null, and made by its _default() function.
bool pv__check_made(pv_error *e, const char *field, const void *def, uint32_t cookie,
                    const char *default_function);
/// Does the same as pv__check_made(), for a parameter named def.
static inline bool pv__check_cookie(pv_error *e, const void *def, uint32_t cookie,
                                    const char *default_function) {
    return pv__check_made(e, "def", def, cookie, default_function);
}
/// Checks that an id names a living object.
/// @param what the kind of object, for the sentence
bool pv__check_alive(pv_error *e, const char *field, bool alive, const char *what);

/// Type of a field. Definitions have the first three, snapshots all of them.
typedef enum pv__field_type {
    PV__FIELD_DOUBLE,
    /// Numbers of four bytes; enumerators are ints
    PV__FIELD_INT,
    PV__FIELD_UNSIGNED,
    PV__FIELD_WORD,
    PV__FIELD_FLAG,
    PV__FIELD_TURN,
    /// Pointer that belongs to the caller
    PV__FIELD_POINTER,
    /// Index of a body, a particle or a polygon; min is the least one allowed
    PV__FIELD_BODY,
    PV__FIELD_PARTICLE,
    PV__FIELD_POLYGON,
    /// Growing array of rows with a field table of their own, and a definition with such a table
    PV__FIELD_LIST,
    PV__FIELD_DEF,
    /// Condition of the fields up to the next condition: this four-byte number is at least min
    PV__FIELD_WHEN
} pv__field_type;

/// A field of a definition or of a world's state
typedef struct pv__field_row {
    uint16_t offset;
    /// PV__HASH or PV__PART(shift) if the field is in the hash; 0: it is not
    uint16_t hash;
    /// Type, and number of consecutive values
    uint8_t type, count;
    union {
        /// "def.name", or the name of a parameter; null for state
        const char *name;
        const struct pv__field_list *list;
    };
    double min, max;
} pv__field_row;
/// Entries of a table of fields: for a double, an int or enum, and an unsigned. The range is two
/// numbers or a PV__RANGE_ macro.
#define PV__DOUBLE(def, name, ...)                                                                 \
    { offsetof(def, name), 0, PV__FIELD_DOUBLE, 1, {"def." #name}, __VA_ARGS__ }
#define PV__INT(def, name, ...)                                                                    \
    { offsetof(def, name), 0, PV__FIELD_INT, 1, {"def." #name}, __VA_ARGS__ }
#define PV__UNSIGNED(def, name, ...)                                                               \
    { offsetof(def, name), 0, PV__FIELD_UNSIGNED, 1, {"def." #name}, __VA_ARGS__ }
/// Entries for both components of a vector
#define PV__VECTOR(def, name, most)                                                                \
    PV__DOUBLE(def, name.x, -(most), most), PV__DOUBLE(def, name.y, -(most), most)
/// Checks all numbers of a def against a table of fields.
bool pv__check_fields(pv_error *e, const void *def, const pv__field_row *fields, int count);
#define PV__CHECK_FIELDS(e, def, table)                                                            \
    pv__check_fields(e, def, table, (int)(sizeof(table) / sizeof *(table)))
/// Checks a parameter named def: not null, made by its _default() function, and its numbers.
#define PV__CHECK_DEF(e, def, default_function, table)                                             \
    (pv__check_cookie(e, def, def ? def->cookie : 0, #default_function) &&                         \
     PV__CHECK_FIELDS(e, def, table))

#endif
