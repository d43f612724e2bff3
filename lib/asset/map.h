/* map.h - the interface of map.c: files of maps, and the members of their objects.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_MAP_H
#define PV_ASSET_MAP_H

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
    /// Its index, which stands for a name of "", or -1
    int index;
} pv__map_reader;

/// Begins to read a file, with checked options. Returns false after a failure.
/// @param options null for the defaults
bool pv__map_begin(pv__map_reader *r, pv_error *e, const char *path,
                   const pv_mask_options *options);
/// Tells whether nothing has failed.
bool pv__map_well(const pv__map_reader *r);
/// Fails because of a member of what is read, unless something has failed before.
/// @param format ending of the sentence
PV__PRINTF(4, 5)
void pv__map_fail(pv__map_reader *r, pv_status status, const char *name, const char *format, ...);
/// Does the same for a member that breaks the format.
void pv__map_refuse(pv__map_reader *r, const char *name, const char *what);
/// Allocates zeroed memory, or fails.
void *pv__map_alloc(pv__map_reader *r, size_t count, size_t size);
/// Enlarges an array as pv__reserve(), or fails.
bool pv__map_reserve(pv__map_reader *r, void *items, int *capacity, int need, size_t size);
/// Takes w x h pixels of count pictures, none of them negative, out of the room. Returns false
/// after a failure.
bool pv__map_pay(pv__map_reader *r, int64_t w, int64_t h, int64_t count);
/// Returns the number of pixels in the whole words of a row of w pixels.
int64_t pv__map_words(int w);

/// Returns the member of that name, or null.
const struct cJSON *pv__map_get(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a whole number.
/// @param name member that it is, or is a part of
int64_t pv__map_whole(pv__map_reader *r, const struct cJSON *item, const char *name, int64_t low,
                      int64_t high);
/// Returns a member that is a whole number in low...high.
int pv__map_int(pv__map_reader *r, const struct cJSON *object, const char *name, int low, int high);
/// Returns a member that is a whole number in 0...high, or other if it is missing.
int pv__map_int_or(pv__map_reader *r, const struct cJSON *object, const char *name, int other,
                   int high);
/// Returns a number in low...high.
double pv__map_real(pv__map_reader *r, const struct cJSON *item, const char *name, double low,
                    double high);
/// Returns a member that is a number of at most that magnitude, or other if it is missing.
double pv__map_number(pv__map_reader *r, const struct cJSON *object, const char *name, double other,
                      double most);
/// Returns the text of a member, or null if it is missing. The text "" does not stand for a missing
/// one.
const char *pv__map_text(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a member that is an array.
const struct cJSON *pv__map_array(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a member that is an array, or null if it is missing.
const struct cJSON *pv__map_list(pv__map_reader *r, const struct cJSON *object, const char *name);
/// Returns a member that is true or false, or other if it is missing.
bool pv__map_bool(pv__map_reader *r, const struct cJSON *object, const char *name, bool other);

/// Returns the path of a file beside another one, for pv__text_free(), or null without memory.
char *pv__map_beside(pv__map_reader *r, const char *file, const char *name);
/// Loads the picture of that name beside a file, or returns null after a failure.
pv_image *pv__map_picture(pv__map_reader *r, const char *file, const char *name);
/// Creates the mask of a whole map within the limits, or returns null after a failure.
pv_mask *pv__map_mask(pv__map_reader *r, int64_t w, int64_t h);
/// Checks the size of a file, and takes it out of what further files may have.
bool pv__map_take_bytes(pv__map_reader *r, const char *path, int64_t bytes);
/// Parses JSON, XML or an atlas of libGDX, whose path tells. Returns a tree for cJSON_Delete(), or
/// null after a failure.
/// @param name path of the text
/// @param text size bytes and PV__JSON_PADDING zeros; changed on the way
struct cJSON *pv__map_parse(pv__map_reader *r, const char *name, char *text, size_t size);
/// Returns a parsed file, for cJSON_Delete(), or null after a failure.
struct cJSON *pv__map_open(pv__map_reader *r, const char *path);

#endif
