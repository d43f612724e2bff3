/* error.c - checks of arguments, and sentences about what is wrong.
 *
 * Invariant: a failed call has a status, its function, and a sentence that names the function and
 * the field. A successful call writes no sentence.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "base/math.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

pv_status pv__error_say(pv_error *e, pv_status status, const char *field, const char *format, ...) {
    e->status = status;
    e->field = field;
    int n = snprintf(e->message, sizeof e->message, "%s: ", e->function);
    va_list arguments;
    va_start(arguments, format);
    if (n > 0 && n < (int)sizeof e->message)
        vsnprintf(e->message + n, sizeof e->message - (size_t)n, format, arguments);
    va_end(arguments);
    return status;
}

pv_status pv__error_set(pv_error *e, pv_status status) {
    if (status == PV_OK) return PV_OK;
    return pv__error_say(e, status, NULL, "%s", pv_status_to_string(status));
}

pv_status pv__error_about(pv_error *e, pv_status status, const char *field) {
    if (status == PV_OK) return PV_OK;
    return pv__error_say(e, status, field, "%s: %s", field, pv_status_to_string(status));
}

pv_status pv__error_adopt(pv_error *e, const pv_error *other) {
    size_t prefix = strlen(other->function) + strlen(": ");
    bool whole = strlen(other->message) > prefix;
    e->value = other->value, e->min = other->min, e->max = other->max;
    return pv__error_say(e, other->status, other->field, "%s",
                         whole ? other->message + prefix : pv_status_to_string(other->status));
}

pv_status pv__error_range(pv_error *e, const char *field, double value, double min, double max) {
    e->value = value, e->min = min, e->max = max;
    if (!pv__finite(value))
        return pv__error_say(e, PV_ERROR_NOT_FINITE, field, "%s is not a finite number", field);
    if (min == DBL_TRUE_MIN)
        return pv__error_say(e, PV_ERROR_ARGUMENT, field,
                             "%s is %.9g, must be more than 0 and at most %.9g", field, value, max);
    if (max == DBL_MAX || min == -DBL_MAX)
        return pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s is %.9g, must be at %s %.9g", field,
                             value, max == DBL_MAX ? "least" : "most", max == DBL_MAX ? min : max);
    return pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s is %.9g, must be %.9g to %.9g", field,
                         value, min, max);
}

bool pv__check_vector(pv_error *e, const char *field, pv_vec2 vector, double most) {
    return pv__check_range(e, field, vector.x, -most, most) &&
           pv__check_range(e, field, vector.y, -most, most);
}

bool pv__check_place(pv_error *e, const char *field, pv_vec2 place) {
    return pv__check_vector(e, field, place, PV_MAX_COORDINATE);
}

bool pv__check_places(pv_error *e, const char *field, const pv_vec2 *places, int count) {
    for (int i = 0; i < count; i++) {
        pv_vec2 p = places[i];
        if (pv__placeable(p)) continue;
        pv__error_say(e, pv__finite2(p) ? PV_ERROR_ARGUMENT : PV_ERROR_NOT_FINITE, field,
                      "%s[%d] is (%.9g, %.9g), must be finite and at most %.9g along each axis",
                      field, i, p.x, p.y, PV_MAX_COORDINATE);
        return false;
    }
    return true;
}

bool pv__check_zero_or(pv_error *e, const char *field, double value, double min, double max) {
    if (value == 0 || pv__check_range(e, field, value, min, max)) return true;
    if (e->status == PV_ERROR_ARGUMENT)
        pv__error_say(e, e->status, field, "%s is %.9g, must be 0 or %.9g to %.9g", field, value,
                      min, max);
    return false;
}

bool pv__check_pointer(pv_error *e, const char *field, const void *pointer) {
    return pointer || pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s is null", field) == PV_OK;
}

bool pv__check_made(pv_error *e, const char *field, const void *def, uint32_t cookie,
                    const char *default_function) {
    if (!pv__check_pointer(e, field, def)) return false;
    return cookie == PV__COOKIE ||
           pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s does not come from %s()", field,
                         default_function) == PV_OK;
}

bool pv__check_alive(pv_error *e, const char *field, bool alive, const char *what) {
    return alive || pv__error_say(e, PV_ERROR_STALE_ID, field, "%s names no living %s", field,
                                  what) == PV_OK;
}

/// Reads a number of a def.
static double error_value(const void *def, const pv__field_row *field) {
    const char *place = (const char *)def + field->offset;
    switch (field->type) {
    case PV__FIELD_INT: return *(const int *)(const void *)place;
    case PV__FIELD_UNSIGNED: return *(const unsigned *)(const void *)place;
    default: return *(const double *)(const void *)place;
    }
}

bool pv__check_fields(pv_error *e, const void *def, const pv__field_row *fields, int count) {
    for (int i = 0; i < count; i++)
        if (!pv__check_range(e, fields[i].name, error_value(def, &fields[i]), fields[i].min,
                             fields[i].max))
            return false;
    return true;
}

void pv_error_print(void *user_data, const pv_error *error) {
    (void)user_data;
    if (error && error->status != PV_OK) fprintf(stderr, "%s\n", error->message);
}
