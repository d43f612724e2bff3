/* map.h - the interface of map.c: files of maps, and the members of their objects.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_MAP_H
#define PV_ASSET_MAP_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/error.h"
#include "pixel/bits.h"

struct cJSON;

/// State of a reader
typedef struct pv__map_reader {
    pv_mask_options options;
    pv_allocator from;
    /// First failure, which ends the work
    pv_error *error;
    /// Path of the file that is read, and the parameter that has it
    const char *file, *field;
    /// Number of bytes that further files may have
    int64_t bytes;
    /// Number of pixels that further pictures, tiles and layers may have
    int64_t room;
    /// Kind and name of what is read, such as "layer"; null: the file
    const char *kind, *called;
    /// Its index, which messages have instead of an empty name; or -1
    int index;
} pv__map_reader;

/// Begins to read a file, with checked options. Returns false after a failure.
/// @param options null for the defaults
bool pv__map_begin(pv__map_reader *r, pv_error *e, const char *path,
                   const pv_mask_options *options);
/// Tells whether nothing has failed.
bool pv__map_well(const pv__map_reader *r);
/// Names what is read. The kind is null without a name.
static inline void pv__map_name(pv__map_reader *r, const char *kind, const char *called) {
    r->kind = called ? kind : NULL;
    r->called = called;
}
/// Fails because of a member of what is read, unless something has failed before.
/// @param format end of the message
PV__PRINTF(4, 5)
void pv__map_fail(pv__map_reader *r, pv_status status, const char *name, const char *format, ...);
/// Does the same for a member that breaks the format.
void pv__map_refuse(pv__map_reader *r, const char *name, const char *what);
/// Allocates zeroed memory, or fails. Returns null after a failure.
void *pv__map_alloc(pv__map_reader *r, size_t count, size_t size);
/// Enlarges an array as pv__reserve(), or fails. Returns false after a failure.
bool pv__map_reserve(pv__map_reader *r, void *items, int *capacity, int need, size_t size);
/// Appends an item to a growing array as PV__APPEND(), or fails. Returns false after a failure.
#define PV__MAP_APPEND(r, items, capacity, count, ...)                                             \
    (pv__map_reserve(r, &(items), &(capacity), (count) + 1, sizeof *(items)) &&                    \
     ((items)[(count)++] = __VA_ARGS__, true))
/// Fails with the error of another call, unless that made something. Returns what it made.
pv_mask *pv__map_made(pv__map_reader *r, pv_mask *made, const pv_error *other);
/// Subtracts the w x h pixels of count pictures from the room. No number may be negative. Returns
/// false after a failure.
bool pv__map_pay(pv__map_reader *r, int64_t w, int64_t h, int64_t count);
/// Returns the number of pixels in the whole words of a row of w pixels.
int64_t pv__map_words(int w);

/// Returns the member of that name, or null.
const struct cJSON *pv__map_get(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a whole number.
/// @param name name of the member that is or contains the item
int64_t pv__map_whole(pv__map_reader *r, const struct cJSON *item, const char *name, int64_t low,
                      int64_t high);
/// Returns a member that is a whole number in low...high.
int pv__map_int(pv__map_reader *r, const struct cJSON *object, const char *name, int low, int high);
/// Returns a member that is a whole number in 0...high, or other if it is missing.
int pv__map_int_or(pv__map_reader *r, const struct cJSON *object, const char *name, int other,
                   int high);
/// Returns a member that is a number in low...high.
double pv__map_real(pv__map_reader *r, const struct cJSON *object, const char *name, double low,
                    double high);
/// Returns a member that is a number in low...high, or other if it is missing.
double pv__map_real_or(pv__map_reader *r, const struct cJSON *object, const char *name,
                       double other, double low, double high);
/// Returns the text of a member, or null if it is missing. A text of "" does not count as missing.
const char *pv__map_text(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns the text of a member, or other if it is missing.
const char *pv__map_text_or(pv__map_reader *r, const struct cJSON *object, const char *name,
                            const char *other);
/// Returns a member that is an array.
const struct cJSON *pv__map_array(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a member that is an array, or null if it is missing.
const struct cJSON *pv__map_list(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a member that is true or false, or other if it is missing.
bool pv__map_bool(pv__map_reader *r, const struct cJSON *object, const char *name, bool other);
/// Goes through the elements of an array, or of null, until a failure.
#define PV__MAP_EACH(r, item, array)                                                               \
    for (const struct cJSON *item = pv__map_first(r, array); item; item = pv__map_next(r, item))
const struct cJSON *pv__map_first(const pv__map_reader *r, const struct cJSON *array);
const struct cJSON *pv__map_next(const pv__map_reader *r, const struct cJSON *item);

/// Returns the path of a file beside another one, for pv__text_free(), or null without memory.
char *pv__map_beside(pv__map_reader *r, const char *file, const char *name);
/// Loads the picture of that name beside a file, or returns null after a failure.
pv_image *pv__map_picture(pv__map_reader *r, const char *file, const char *name);
/// Does the same, but returns a mask, which is paid for.
pv_mask *pv__map_picture_mask(pv__map_reader *r, const char *file, const char *name);
/// Creates the mask of a whole map within the limits, or returns null after a failure.
pv_mask *pv__map_mask(pv__map_reader *r, int64_t w, int64_t h);
/// Parses JSON, XML or an atlas of libGDX, which its path tells. Subtracts its size from the bytes
/// for further files. Returns a tree for cJSON_Delete(), or null after a failure.
/// @param data null to read the file
struct cJSON *pv__map_parse(pv__map_reader *r, const char *path, const void *data, int64_t bytes);
/// Does the same with a whole file.
struct cJSON *pv__map_open(pv__map_reader *r, const char *path);

#endif
