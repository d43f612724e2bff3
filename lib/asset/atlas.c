/* atlas.c - reads atlases, the JSON of Aseprite and TexturePacker, as frames.
 *
 * Invariant: nothing in a file is trusted: every number is in range before it becomes an int, every
 * rectangle inside the picture. Names are compared as written and counted, so a doubled one is
 * noticed. The time is linear in the size of the file, except for the sorting of names.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "asset/frames.h"
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/png.h"

#ifndef HAVE_CJSON

pv_frames *pv_frames_load(const char *path, const pv_image *image, const pv_frames_options *options,
                          pv_error *error) {
    (void)path, (void)image, (void)options;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__error_set(e, PV_ERROR_UNSUPPORTED), NULL;
}

pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                 const pv_frames_options *options, pv_error *error) {
    (void)json, (void)size, (void)image, (void)options;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__error_set(e, PV_ERROR_UNSUPPORTED), NULL;
}

#else

#include <cjson/cJSON.h>
#include <string.h>

/// Greatest size of a file [bytes]; the parser takes up to some 40 bytes for one of the file
#define MAX_FILE_SIZE ((int64_t)1 << 24)
/// Number of zeros behind the file [bytes]; older parsers read a byte beyond the given size
#define ATLAS_PADDING 16
#define MAX_PIVOT 1024.0

/// State of the reader; the first failure stays in the error and ends the work
typedef struct atlas_reader {
    const pv_frames_options *options;
    const pv_image *image;
    pv_error *error;
    /// Name of the file and of the parameter that has it, for sentences
    const char *name, *field;
    /// Index of the frame that is read, or -1
    int frame;
    /// Metadata, or null
    const cJSON *meta;
    /// Next key of the slice with the pivots, or null
    const cJSON *key;
    /// Key in force for this frame, or null
    const cJSON *held;
    pv_frames *frames;
} atlas_reader;

/* ---- values ---- */

static bool atlas_well(const atlas_reader *r) { return r->error->status == PV_OK; }

/// Fails because of a member, unless something has failed before.
/// @param what ending of the sentence
static void atlas_fail(const atlas_reader *r, const char *name, const char *what) {
    if (!atlas_well(r)) return;
    if (r->frame >= 0)
        pv__error_say(r->error, PV_ERROR_FORMAT, r->field, "%s: \"%s\" of frame %d %s", r->name,
                      name, r->frame, what);
    else
        pv__error_say(r->error, PV_ERROR_FORMAT, r->field, "%s: \"%s\" %s", r->name, name, what);
}

/// Returns the member of that name, or null if there is none. Fails for a value that is no object,
/// and for a doubled name.
static const cJSON *atlas_member(const atlas_reader *r, const cJSON *object, const char *name) {
    const cJSON *found = NULL, *item;
    if (!cJSON_IsObject(object)) return atlas_fail(r, name, "is not in an object"), NULL;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, name) != 0) continue;
        if (found) atlas_fail(r, name, "is there twice");
        found = item;
    }
    return found;
}

/// Returns a member that must be a number in low...high; low after a failure.
static double atlas_number(const atlas_reader *r, const cJSON *object, const char *name, double low,
                           double high) {
    const cJSON *item = atlas_member(r, object, name);
    if (cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high)
        return item->valuedouble;
    atlas_fail(r, name, item ? "is no number in its range" : "is missing");
    return low;
}

static int atlas_whole(const atlas_reader *r, const cJSON *object, const char *name, int low,
                       int high) {
    double value = atlas_number(r, object, name, low, high);
    int n = (int)value;
    if (n != value) atlas_fail(r, name, "is no whole number");
    return n;
}

/// Returns a side or place of a picture or of a part of it [px].
static int atlas_side(const atlas_reader *r, const cJSON *object, const char *name, int least) {
    return atlas_whole(r, object, name, least, PV__MAX_SIDE);
}

static pv_rect rect_of(const atlas_reader *r, const cJSON *object, int least_place) {
    return (pv_rect){atlas_side(r, object, "x", least_place),
                     atlas_side(r, object, "y", least_place), atlas_side(r, object, "w", 0),
                     atlas_side(r, object, "h", 0)};
}

static pv_vec2 atlas_point_of(const atlas_reader *r, const cJSON *object, double limit) {
    double x = atlas_number(r, object, "x", -limit, limit);
    return pv__vec(x, atlas_number(r, object, "y", -limit, limit));
}

/// Returns a member that must be text; it may be missing if other is not null.
static const char *atlas_text(const atlas_reader *r, const cJSON *object, const char *name,
                              const char *other) {
    const cJSON *item = atlas_member(r, object, name);
    if (cJSON_IsString(item)) return item->valuestring;
    if (item || !other) atlas_fail(r, name, item ? "is no text" : "is missing");
    return other ? other : "";
}

/// Returns a member that must be an array, or null if it is missing.
static const cJSON *atlas_list(const atlas_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = object ? atlas_member(r, object, name) : NULL;
    if (item && !cJSON_IsArray(item)) atlas_fail(r, name, "is no array");
    return item;
}

/* ---- frames ---- */

/// Reduces atlas_rect to the part's own pixels; returns false if the sizes disagree. TexturePacker
/// gives the size of a turned part before the turn, other tools the stored size. Aseprite's inner
/// padding is a border around the part.
static bool atlas_fit(pv_frame *f) {
    pv_rect *at = &f->atlas_rect;
    int w = f->rotated ? f->trim_rect.h : f->trim_rect.w,
        h = f->rotated ? f->trim_rect.w : f->trim_rect.h;
    if (f->rotated && (at->w != w || at->h != h)) {
        int swapped = at->w;
        at->w = at->h;
        at->h = swapped;
    }
    int border = at->w - w;
    if (border < 0 || border % 2 || at->h - h != border) return false;
    *at = (pv_rect){at->x + border / 2, at->y + border / 2, w, h};
    return true;
}

static bool atlas_inside(const pv_rect *r, const pv_image *image) {
    return r->w <= image->width - r->x && r->h <= image->height - r->y;
}

/// Finds the place of the pivot from the slice's key in force [px]; returns false if it has none.
static bool slice_pivot(const atlas_reader *r, pv_vec2 *pivot) {
    const cJSON *given = r->held ? atlas_member(r, r->held, "pivot") : NULL;
    if (!given) return false;
    const cJSON *bounds = atlas_member(r, r->held, "bounds");
    *pivot =
        pv__add(atlas_point_of(r, bounds, PV__MAX_SIDE), atlas_point_of(r, given, PV__MAX_SIDE));
    return true;
}

/// Returns the frame's own pivot, or else the slice's, or else the caller's [px].
static pv_vec2 pivot_of(const atlas_reader *r, const cJSON *item, int w, int h) {
    pv_vec2 pivot = r->options->pivot, place;
    const cJSON *given = atlas_member(r, item, "pivot");
    if (!given) given = atlas_member(r, item, "anchor");
    if (given)
        pivot = atlas_point_of(r, given, MAX_PIVOT);
    else if (slice_pivot(r, &place))
        return place;
    return pv__vec(pivot.x * w, pivot.y * h);
}

static bool atlas_turned(const atlas_reader *r, const cJSON *item) {
    const cJSON *rotated = atlas_member(r, item, "rotated");
    if (rotated && !cJSON_IsBool(rotated)) atlas_fail(r, "rotated", "is neither true nor false");
    return cJSON_IsTrue(rotated);
}

static double duration_of(const atlas_reader *r, const cJSON *item) {
    return atlas_member(r, item, "duration") ? atlas_number(r, item, "duration", 1, 3.6e6) / 1000
                                             : r->options->duration;
}

static bool add_frame(const atlas_reader *r, const cJSON *item, const char *name) {
    const cJSON *place = atlas_member(r, item, "frame");
    if (!place) atlas_fail(r, "frame", "is missing");
    pv_frame f = {.name = name, .atlas_rect = rect_of(r, place, 0)};
    f.rotated = atlas_turned(r, item);
    f.duration = duration_of(r, item);
    const cJSON *part = atlas_member(r, item, "spriteSourceSize"),
                *size = atlas_member(r, item, "sourceSize");
    f.trim_rect =
        part ? rect_of(r, part, -PV__MAX_SIDE) : (pv_rect){0, 0, f.atlas_rect.w, f.atlas_rect.h};
    int w = size ? atlas_side(r, size, "w", 1) : f.trim_rect.w,
        h = size ? atlas_side(r, size, "h", 1) : f.trim_rect.h;
    f.pivot = pivot_of(r, item, w, h);
    if (w < 1 || h < 1) atlas_fail(r, "frame", "has no pixels");
    if (atlas_well(r) && !atlas_fit(&f))
        atlas_fail(r, "spriteSourceSize", "does not fit \"frame\"");
    if (atlas_well(r) && !atlas_inside(&f.atlas_rect, r->image))
        atlas_fail(r, "frame", "is not in the picture");
    return atlas_well(r) && pv__frames_add(r->error, r->frames, r->image, &f, w, h);
}

/// Moves on to the key in force for the frame at index. All keys have been checked.
static void next_key(atlas_reader *r, int index) {
    for (; r->key && atlas_whole(r, r->key, "frame", 0, INT32_MAX) <= index; r->key = r->key->next)
        r->held = r->key;
}

static void add_frames(atlas_reader *r, const cJSON *frames) {
    bool hash = cJSON_IsObject(frames), good = hash || cJSON_IsArray(frames);
    const cJSON *item = good ? frames->child : NULL;
    if (!item) atlas_fail(r, "frames", good ? "is empty" : "is missing, or no list");
    for (int i = 0; item && atlas_well(r); i++, item = item->next) {
        r->frame = i;
        const char *name = hash ? item->string : atlas_text(r, item, "filename", "");
        next_key(r, i);
        if (atlas_well(r)) add_frame(r, item, name);
    }
    r->frame = -1;
    if (!atlas_well(r)) return;
    pv_status status = pv__frames_finish(r->frames, hash);
    if (status == PV_ERROR_FORMAT)
        atlas_fail(r, "frames", "has a name twice");
    else
        pv__error_set(r->error, status);
}

/* ---- tags and slices ---- */

static pv_tag_direction direction_of(const atlas_reader *r, const char *word) {
    static const char *const words[] = {"forward", "reverse", "pingpong", "pingpong_reverse"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0) return (pv_tag_direction)i;
    atlas_fail(r, "direction", "is unknown");
    return PV_TAG_FORWARD;
}

/// Adds a tag, unless it has no frames. Aseprite can leave empty frames out; a tag without others
/// then ends before it begins.
static void add_tag(const atlas_reader *r, const cJSON *item) {
    int count = pv_frames_get_count(r->frames);
    pv_tag tag = {
        .name = atlas_text(r, item, "name", NULL),
        .first = atlas_whole(r, item, "from", 0, count),
        .last = atlas_whole(r, item, "to", -1, count - 1),
        .direction = direction_of(r, atlas_text(r, item, "direction", "forward")),
    };
    if (tag.first > tag.last + 1) atlas_fail(r, "to", "of a tag is before \"from\"");
    if (atlas_well(r) && tag.first <= tag.last)
        pv__error_set(r->error, pv_frames_add_tag(r->frames, &tag));
}

static void add_tags(const atlas_reader *r) {
    const cJSON *tags = atlas_list(r, r->meta, "frameTags"), *item;
    cJSON_ArrayForEach(item, tags) if (atlas_well(r)) add_tag(r, item);
}

/// Tells whether a key has a pivot; keys must ascend.
static bool keys_bear_pivot(const atlas_reader *r, const cJSON *keys) {
    bool bear = false;
    int last = -1;
    const cJSON *key;
    cJSON_ArrayForEach(key, keys) {
        int frame = atlas_whole(r, key, "frame", 0, INT32_MAX);
        if (frame <= last) atlas_fail(r, "keys", "of a slice are not in order");
        last = frame;
        if (atlas_member(r, key, "pivot")) bear = true;
    }
    return bear;
}

/// Finds the slice with the pivots.
static void find_slice(atlas_reader *r) {
    const char *wanted = r->options->pivot_slice;
    const cJSON *slices = atlas_list(r, r->meta, "slices"), *item;
    if (!atlas_well(r)) return;
    cJSON_ArrayForEach(item, slices) {
        const char *name = atlas_text(r, item, "name", NULL);
        const cJSON *keys = atlas_list(r, item, "keys");
        bool bears = keys_bear_pivot(r, keys);
        if (!atlas_well(r)) return;
        if (r->key || !bears || (wanted && strcmp(name, wanted) != 0)) continue;
        r->key = keys->child;
    }
    if (wanted && !r->key)
        pv__error_say(r->error, PV_ERROR_ARGUMENT, "options.pivot_slice",
                      "options.pivot_slice names no slice with a pivot in %s", r->name);
}

/* ---- the picture ---- */

/// Tells whether a name cannot lead out of the directory, on any system.
static bool name_allowed(const char *name) {
    if (!*name || *name == '/' || strpbrk(name, "\\:")) return false;
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2])) return false;
    }
    return true;
}

/// Joins the first directory bytes of path and the name of the picture. The result is "" for a name
/// that is not allowed. Returns false without memory.
static bool atlas_join(const pv_allocator *from, const char *path, size_t directory,
                       const char *name, char **joined, size_t *size) {
    if (!name_allowed(name)) directory = 0, name = "";
    *size = directory + strlen(name) + 1;
    *joined = pv__alloc(from, *size, 1);
    if (!*joined) return false;
    memcpy(*joined, path, directory);
    memcpy(*joined + directory, name, *size - directory);
    return true;
}

/* ---- the whole file ---- */

/// Reads the parsed file; the picture is loaded.
static void read_all(atlas_reader *r, const cJSON *root, const char *picture) {
    const cJSON *frames = atlas_member(r, root, "frames");
    if (!frames) atlas_fail(r, "frames", "is missing");
    if (atlas_well(r)) find_slice(r);
    if (!atlas_well(r)) return;
    r->frames = pv__frames_make(r->options, picture);
    if (!r->frames) {
        pv__error_set(r->error, PV_ERROR_MEMORY);
        return;
    }
    add_frames(r, frames);
    if (atlas_well(r)) add_tags(r);
}

/// Does the same as read_all(), and loads the picture before if the caller gave none.
static void read_with_picture(atlas_reader *r, const cJSON *root, const char *picture) {
    pv_image *own = NULL;
    if (!r->image && !*picture)
        atlas_fail(r, "image", "is missing, or leads out of the directory");
    else if (!r->image)
        r->image = own = pv__image_load(r->error, picture, &r->options->limits, true);
    if (r->image) read_all(r, root, picture);
    pv_image_destroy(own);
}

static void read_root(atlas_reader *r, const cJSON *root, const char *path) {
    const pv_allocator *from = &r->options->limits.allocator;
    const char *slash = strrchr(path, '/');
    char *picture;
    size_t size;
    r->meta = atlas_member(r, root, "meta");
    const char *name = r->meta ? atlas_text(r, r->meta, "image", "") : "";
    if (!atlas_well(r)) return;
    if (!atlas_join(from, path, slash ? (size_t)(slash - path) + 1 : 0, name, &picture, &size)) {
        pv__error_set(r->error, PV_ERROR_MEMORY);
        return;
    }
    read_with_picture(r, root, picture);
    pv__free(from, picture, size, 1);
}

/// Parses a file into frames.
/// @param json size bytes and ATLAS_PADDING zeros
static pv_frames *atlas_parse(atlas_reader *r, const char *json, size_t size, const char *path) {
    const char *end = NULL, *nul = memchr(json, '\0', size);
    cJSON *root = nul ? NULL : cJSON_ParseWithLengthOpts(json, size + 1, &end, false);
    if (root && end[strspn(end, " \t\r\n")] == '\0')
        read_root(r, root, path);
    else
        pv__text_fail(r->error, r->field, r->name, json, size, nul ? nul : end);
    cJSON_Delete(root);
    if (atlas_well(r)) return r->frames;
    pv_frames_destroy(r->frames);
    return NULL;
}

/* ---- public functions ---- */

/// Finds the options in force, with an allocator that can be called.
static bool atlas_start(pv_error *e, const pv_image *image, const pv_frames_options *options,
                        pv_frames_options *o) {
    *o = options ? *options : pv_frames_options_default();
    o->limits.allocator = pv__allocator(&o->limits.allocator);
    return (!image || pv__check_pointer(e, "image.pixels", image->pixels)) &&
           pv__frames_check_options(e, o);
}

/// Checks the size of a file.
static bool atlas_check_size(const atlas_reader *r, uint64_t size) {
    int64_t own = r->options->limits.max_file_size,
            bytes = size < INT64_MAX ? (int64_t)size : INT64_MAX;
    if (!pv__check_most(r->error, PV__LIMIT(true, max_file_size), "size", r->name, bytes, own))
        return false;
    return bytes <= MAX_FILE_SIZE || pv__error_say(r->error, PV_ERROR_TOO_LARGE, r->field,
                                                   "%s is larger than 16 MiB", r->name) == PV_OK;
}

pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                 const pv_frames_options *options, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_frames_options o;
    atlas_reader r = {.options = &o, .image = image, .error = e, .frame = -1};
    r.name = r.field = "json";
    if (!pv__check_pointer(e, "json", json) || !pv__check_pointer(e, "image", image) ||
        !atlas_start(e, image, options, &o) || !atlas_check_size(&r, size))
        return NULL;
    if (size == 0) return pv__error_say(e, PV_ERROR_FORMAT, "size", "size is 0"), NULL;
    char *copy = pv__alloc(&o.limits.allocator, size + ATLAS_PADDING, 1);
    if (!copy) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    memcpy(copy, json, size);
    pv_frames *frames = atlas_parse(&r, copy, size, "");
    pv__free(&o.limits.allocator, copy, size + ATLAS_PADDING, 1);
    return frames;
}

pv_frames *pv_frames_load(const char *path, const pv_image *image, const pv_frames_options *options,
                          pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_frames_options o;
    atlas_reader r = {
        .options = &o, .image = image, .error = e, .name = path, .field = "path", .frame = -1};
    int64_t bytes = 0;
    if (!pv__check_pointer(e, "path", path) || !atlas_start(e, image, options, &o) ||
        !pv__file_size(e, path, &bytes) || !atlas_check_size(&r, (uint64_t)bytes))
        return NULL;
    size_t size = (size_t)bytes;
    char *data = pv__alloc(&o.limits.allocator, size + ATLAS_PADDING, 1);
    if (!data) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    pv_frames *frames =
        pv__file_read(e, path, data, size) ? atlas_parse(&r, data, size, path) : NULL;
    pv__free(&o.limits.allocator, data, size + ATLAS_PADDING, 1);
    return frames;
}

#endif
