/* file.h - the interface of file.c: reads whole files and checks the limits of files and pictures.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_FILE_H
#define PV_PIXEL_FILE_H

#include "base/error.h"

/// Finds the size of a regular file before it is opened, as opening a pipe would wait for its other
/// end.
bool pv__file_size(pv_error *e, const char *path, int64_t *size);
/// Reads the first size bytes of a file.
bool pv__file_read(pv_error *e, const char *path, void *data, size_t size);

/// Frees a text whose memory has exactly its size; null is allowed.
static inline void pv__text_free(const pv_allocator *allocator, const char *text) {
    if (text) pv__free(allocator, (void *)(uintptr_t)text, strlen(text) + 1, 1);
}

/// Name of a limit, as a part of the parameter "limits" or of "options.limits"
#define PV__LIMIT(in_options, name) (&"options.limits." #name[(in_options) ? 0 : 8])

/// Checks that limits were made by their _default() function and are in range.
bool pv__check_limits(pv_error *e, const pv_image_limits *limits, bool in_options);
/// Checks a quantity of something against a limit; more is PV_ERROR_TOO_LARGE.
/// @param quantity "width", for example
/// @param owner name of the thing that has it
bool pv__check_most(pv_error *e, const char *limit, const char *quantity, const char *owner,
                    int64_t value, int64_t most);
/// Fails with PV_ERROR_FORMAT because a parser stopped at a place in a text of size bytes. Tells
/// the line, or that the text ends too early.
/// @param at null for an unknown place
bool pv__text_fail(pv_error *e, const char *field, const char *name, const char *text, size_t size,
                   const char *at);
/// Checks a size. Below its range is PV_ERROR_ARGUMENT, above it is PV_ERROR_TOO_LARGE.
bool pv__check_size(pv_error *e, const char *field, int64_t size, int64_t min, int64_t max);

#endif
