/* map.c - reads files of maps, and the members of their objects.
 *
 * Invariant: nothing in a file is trusted. The first failure stays in the reader's error and ends
 * the work. Its message names the member and its owner.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "asset/map.h"

#ifdef HAVE_CJSON

#include "asset/gdx.h"
#include "asset/xml.h"
#include "base/base.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"
#include "pixel/png.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* ---- the reader ---- */

bool pv__map_well(const pv__map_reader *r) { return r->error->status == PV_OK; }

void pv__map_fail(pv__map_reader *r, pv_status status, const char *name, const char *format, ...) {
    char what[96], owner[80] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!pv__map_well(r)) return;
    if (r->kind && !*r->called && r->index >= 0)
        snprintf(owner, sizeof owner, " of %s %d", r->kind, r->index);
    else if (r->kind)
        snprintf(owner, sizeof owner, " of %s \"%.60s\"", r->kind, r->called);
    pv__error_say(r->error, status, r->field, "%s: \"%s\"%s %s", r->file, name, owner, what);
}

void pv__map_refuse(pv__map_reader *r, const char *name, const char *what) {
    pv__map_fail(r, PV_ERROR_FORMAT, name, "%s", what);
}

void *pv__map_alloc(pv__map_reader *r, size_t count, size_t size) {
    if (!pv__map_well(r)) return NULL;
    void *made = pv__alloc(&r->from, count, size);
    if (!made) pv__error_set(r->error, PV_ERROR_MEMORY);
    return made;
}

bool pv__map_reserve(pv__map_reader *r, void *items, int *capacity, int need, size_t size) {
    if (pv__map_well(r) && !pv__reserve(&r->from, items, capacity, need, size))
        pv__error_set(r->error, PV_ERROR_MEMORY);
    return pv__map_well(r);
}

pv_mask *pv__map_made(pv__map_reader *r, pv_mask *made, const pv_error *other) {
    if (!made) pv__error_adopt(r->error, other);
    return made;
}

bool pv__map_pay(pv__map_reader *r, int64_t w, int64_t h, int64_t count) {
    int64_t area = w * h;
    if (area <= 0 || count <= r->room / area)
        r->room -= area * count;
    else if (pv__map_well(r))
        pv__error_say(r->error, PV_ERROR_TOO_LARGE, PV__LIMIT(true, max_area),
                      "%s is %" PRId64 ", too little for all of the map", PV__LIMIT(true, max_area),
                      r->options.limits.max_area);
    return pv__map_well(r);
}

int64_t pv__map_words(int w) { return 64 * (int64_t)pv__bits_stripes(w); }

/* ---- values ---- */

const cJSON *pv__map_get(pv__map_reader *r, const cJSON *object, const char *name) {
    const cJSON *found = NULL, *item;
    if (!cJSON_IsObject(object)) return pv__map_refuse(r, name, "is not in an object"), NULL;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, name) != 0) continue;
        if (found) pv__map_refuse(r, name, "is there twice");
        found = item;
    }
    return found;
}

/// Returns a number in low...high.
/// @param kind "a whole number from ", or "" for any number
static double number(pv__map_reader *r, const cJSON *item, const char *name, const char *kind,
                     double low, double high) {
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (value >= low && value <= high && (!*kind || value == (double)(int64_t)value)) return value;
    if (cJSON_IsNumber(item))
        pv__map_fail(r, PV_ERROR_FORMAT, name, "is %.9g, must be %s%.9g to %.9g", value, kind, low,
                     high);
    pv__map_refuse(r, name, item ? "is no number" : "is missing");
    return low;
}

int64_t pv__map_whole(pv__map_reader *r, const cJSON *item, const char *name, int64_t low,
                      int64_t high) {
    return (int64_t)number(r, item, name, "a whole number from ", (double)low, (double)high);
}

int pv__map_int(pv__map_reader *r, const cJSON *object, const char *name, int low, int high) {
    return (int)pv__map_whole(r, pv__map_get(r, object, name), name, low, high);
}

int pv__map_int_or(pv__map_reader *r, const cJSON *object, const char *name, int other, int high) {
    return pv__map_get(r, object, name) ? pv__map_int(r, object, name, 0, high) : other;
}

const char *pv__map_text(pv__map_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = pv__map_get(r, object, name);
    if (item && !cJSON_IsString(item)) pv__map_refuse(r, name, "is no text");
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

const char *pv__map_text_or(pv__map_reader *r, const cJSON *object, const char *name,
                            const char *other) {
    const char *text = pv__map_text(r, object, name);
    return text ? text : other;
}

const cJSON *pv__map_array(pv__map_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = pv__map_list(r, object, name);
    if (!item) pv__map_refuse(r, name, "is missing");
    return item;
}

const cJSON *pv__map_list(pv__map_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = pv__map_get(r, object, name);
    if (item && !cJSON_IsArray(item)) pv__map_refuse(r, name, "is no array");
    return item;
}

bool pv__map_bool(pv__map_reader *r, const cJSON *object, const char *name, bool other) {
    const cJSON *item = pv__map_get(r, object, name);
    if (item && !cJSON_IsBool(item)) pv__map_refuse(r, name, "is neither true nor false");
    return item ? cJSON_IsTrue(item) : other;
}

double pv__map_real(pv__map_reader *r, const cJSON *object, const char *name, double low,
                    double high) {
    return number(r, pv__map_get(r, object, name), name, "", low, high);
}

double pv__map_real_or(pv__map_reader *r, const cJSON *object, const char *name, double other,
                       double low, double high) {
    return pv__map_get(r, object, name) ? pv__map_real(r, object, name, low, high) : other;
}

const cJSON *pv__map_first(const pv__map_reader *r, const cJSON *array) {
    return array && pv__map_well(r) ? array->child : NULL;
}

const cJSON *pv__map_next(const pv__map_reader *r, const cJSON *item) {
    return pv__map_well(r) ? item->next : NULL;
}

/* ---- files ---- */

char *pv__map_beside(pv__map_reader *r, const char *file, const char *name) {
    const char *slash = *name == '/' ? NULL : strrchr(file, '/');
    size_t directory = slash ? (size_t)(slash - file) + 1 : 0, size = strlen(name) + 1;
    char *path = pv__map_alloc(r, directory + size, 1);
    if (!path) return NULL;
    memcpy(path, file, directory);
    memcpy(path + directory, name, size);
    return path;
}

pv_image *pv__map_picture(pv__map_reader *r, const char *file, const char *name) {
    char *path = pv__map_beside(r, file, name);
    pv_image *image = path ? pv__image_load(r->error, path, &r->options.limits, true) : NULL;
    pv__text_free(&r->from, path);
    return image;
}

pv_mask *pv__map_picture_mask(pv__map_reader *r, const char *file, const char *name) {
    pv_error inner;
    pv_mask *mask = NULL;
    pv_image *image = pv__map_picture(r, file, name);
    if (image && pv__map_pay(r, pv__map_words(image->width), image->height, 2))
        mask = pv__map_made(r, pv_mask_from_image(image, &r->options, &inner), &inner);
    pv_image_destroy(image);
    return mask;
}

pv_mask *pv__map_mask(pv__map_reader *r, int64_t w, int64_t h) {
    const pv_image_limits *limits = &r->options.limits;
    bool good = pv__check_most(r->error, PV__LIMIT(true, max_width), "width", r->file, w,
                               pv__sooner(limits->max_width, PV__MAX_SIDE)) &&
                pv__check_most(r->error, PV__LIMIT(true, max_height), "height", r->file, h,
                               pv__sooner(limits->max_height, PV__MAX_SIDE)) &&
                pv__map_pay(r, pv__map_words((int)w), h, 1);
    return good ? pv__mask_make(r->error, (int)w, (int)h, &r->from) : NULL;
}

/// Checks the size of a file, and subtracts it from the bytes that further files may have.
static bool take_bytes(pv__map_reader *r, const char *path, int64_t bytes) {
    if (!pv__check_most(r->error, PV__LIMIT(true, max_file_size), "size", path, bytes,
                        r->options.limits.max_file_size))
        return false;
    r->bytes -= bytes;
    return r->bytes >= 0 || pv__error_say(r->error, PV_ERROR_TOO_LARGE, r->field,
                                          "with %s the JSON exceeds 16 MiB", path) == PV_OK;
}

/// Tells whether a path is of an atlas of libGDX, whose text cannot be recognized.
static bool is_gdx(const char *path) {
    size_t size = strlen(path);
    return size >= 6 && strcmp(path + size - 6, ".atlas") == 0;
}

/// Parses JSON, XML or an atlas of libGDX, which its path tells.
/// @param text size bytes and PV__JSON_PADDING zeros; modified by the parser
static cJSON *parse(pv__map_reader *r, const char *name, char *text, size_t size) {
    if (pv__is_xml(text)) return pv__xml_parse(r->error, r->field, name, text, size);
    if (is_gdx(name)) {
        cJSON *atlas = pv__gdx_parse(text);
        if (!atlas) pv__error_set(r->error, PV_ERROR_MEMORY);
        return atlas;
    }
    const char *end = NULL, *nul = memchr(text, '\0', size);
    cJSON *root = nul ? NULL : cJSON_ParseWithLengthOpts(text, size + 1, &end, false);
    if (root && end[strspn(end, " \t\r\n")] == '\0') return root;
    cJSON_Delete(root);
    pv__text_fail(r->error, r->field, name, text, size, nul ? nul : end);
    return NULL;
}

cJSON *pv__map_parse(pv__map_reader *r, const char *path, const void *data, int64_t bytes) {
    size_t size = (size_t)bytes;
    char *text = take_bytes(r, path, bytes) ? pv__map_alloc(r, size + PV__JSON_PADDING, 1) : NULL;
    cJSON *root = NULL;
    if (!text) return NULL;
    if (data) memcpy(text, data, size);
    if (data || pv__file_read(r->error, path, text, size)) root = parse(r, path, text, size);
    pv__free(&r->from, text, size + PV__JSON_PADDING, 1);
    return root;
}

cJSON *pv__map_open(pv__map_reader *r, const char *path) {
    int64_t bytes = 0;
    return pv__file_size(r->error, path, &bytes) ? pv__map_parse(r, path, NULL, bytes) : NULL;
}

/* ---- options ---- */

static bool check_options(pv_error *e, const pv_mask_options *o) {
    return pv__mask_check_options(e, o) &&
           pv__check_range(e, "options.region.w", o->region.w, 0, 0) &&
           pv__check_range(e, "options.region.h", o->region.h, 0, 0) &&
           pv__check_range(e, PV__LIMIT(true, max_area), (double)o->limits.max_area, 1, 0x1p63) &&
           pv__check_range(e, PV__LIMIT(true, max_file_size), (double)o->limits.max_file_size, 1,
                           0x1p63);
}

bool pv__map_begin(pv__map_reader *r, pv_error *e, const char *path,
                   const pv_mask_options *options) {
    pv_mask_options o = options ? *options : pv_mask_options_default();
    if (!pv__check_pointer(e, "path", path) || !check_options(e, &o)) return false;
    o.limits.allocator = pv__allocator(&o.limits.allocator);
    *r = (pv__map_reader){.options = o,
                          .from = o.limits.allocator,
                          .error = e,
                          .file = path,
                          .field = "path",
                          .index = -1,
                          .bytes = PV__MOST_JSON};
    r->room = 32 * (o.limits.max_area < PV__MAX_AREA ? o.limits.max_area : PV__MAX_AREA);
    return true;
}

#endif
