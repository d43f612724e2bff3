/* file.c - reads whole files and checks the limits of files and pictures.
 *
 * Invariant: only regular files are opened. Every failure names its path or its limit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/file.h"
#include "base/base.h"
#include "pixel/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/// Fails because of a file.
static bool fail(pv_error *e, pv_status status, const char *format, const char *path) {
    return pv__error_say(e, status, "path", format, path) == PV_OK;
}

bool pv__file_size(pv_error *e, const char *path, int64_t *size) {
    struct stat about;
    if (stat(path, &about) != 0) return fail(e, PV_ERROR_FILE_OPEN, "cannot open %s", path);
    if (S_ISDIR(about.st_mode)) return fail(e, PV_ERROR_FILE_OPEN, "%s is a directory", path);
    if (!S_ISREG(about.st_mode))
        return fail(e, PV_ERROR_FILE_OPEN, "%s is not a regular file", path);
    *size = about.st_size;
    return true;
}

bool pv__file_read(pv_error *e, const char *path, void *data, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail(e, PV_ERROR_FILE_OPEN, "cannot open %s", path);
    size_t got = fread(data, 1, size, file);
    fclose(file);
    return got == size || fail(e, PV_ERROR_FILE_READ, "cannot read all of %s", path);
}

bool pv__check_limits(pv_error *e, const pv_image_limits *o, bool in_options) {
    const char *name = in_options ? "options.limits" : "limits";
    return pv__check_made(e, name, o, o->cookie, "pv_image_limits_default") &&
           pv__check_range(e, PV__LIMIT(in_options, max_width), o->max_width, 1, PV__MAX_SIDE) &&
           pv__check_range(e, PV__LIMIT(in_options, max_height), o->max_height, 1, PV__MAX_SIDE) &&
           pv__check_range(e, PV__LIMIT(in_options, max_area), (double)o->max_area, 1, 0x1p63) &&
           pv__check_range(e, PV__LIMIT(in_options, max_file_size), (double)o->max_file_size, 1,
                           0x1p63);
}

bool pv__check_most(pv_error *e, const char *limit, const char *quantity, const char *owner,
                    int64_t value, int64_t most) {
    if (value <= most) return true;
    e->value = (double)value, e->max = (double)most;
    pv__error_say(e, PV_ERROR_TOO_LARGE, limit, "%s is %" PRId64 ", but the %s of %s is %" PRId64,
                  limit, most, quantity, owner, value);
    return false;
}

bool pv__check_size(pv_error *e, const char *field, int64_t size, int64_t min, int64_t max) {
    if (pv__check_range(e, field, (double)size, (double)min, (double)max)) return true;
    if (size > max) e->status = PV_ERROR_TOO_LARGE;
    return false;
}

bool pv__text_fail(pv_error *e, const char *field, const char *name, const char *text, size_t size,
                   const char *at) {
    size_t length = at ? (size_t)(at - text) : 0;
    int lines = 1;
    for (size_t i = 0; i < length && i < size; i++) lines += text[i] == '\n';
    bool ended = length + strspn(at ? at : "", " \t\r\n") >= size;
    return (ended ? pv__error_say(e, PV_ERROR_FORMAT, field,
                                  "%s is cut off: its JSON ends too early", name)
                  : pv__error_say(e, PV_ERROR_FORMAT, field, "%s is not JSON from line %d on", name,
                                  lines)) == PV_OK;
}
