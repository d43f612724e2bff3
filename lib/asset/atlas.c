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

#ifndef HAVE_CJSON

pv_frames *pv_frames_load(const char *path, const pv_image *image, const pv_frames_options *options,
                          pv_error *error) {
    (void)path, (void)image, (void)options;
    return pv__say(error, PV_ERROR_UNSUPPORTED), NULL;
}

pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                 const pv_frames_options *options, pv_error *error) {
    (void)json, (void)size, (void)image, (void)options;
    return pv__say(error, PV_ERROR_UNSUPPORTED), NULL;
}

#else

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/// Greatest size of a file [bytes]; the parser takes up to some 40 bytes for one of the file
#define MAX_FILE_SIZE ((int64_t)1 << 24)
/// Number of zeros behind the file [bytes]; older parsers read a byte beyond the given size
#define ATLAS_PADDING 16
#define MAX_PIVOT 1024.0

/* ---- values ---- */

/// Returns the member of that name, or null if there is none. A value that is no object, or a
/// doubled name, sets *good to false.
static const cJSON *atlas_member(const cJSON *object, const char *name, bool *good) {
    const cJSON *found = NULL, *item;
    if (!cJSON_IsObject(object)) {
        *good = false;
        return NULL;
    }
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, name) != 0) continue;
        if (found) *good = false;
        found = item;
    }
    return found;
}

/// Returns a member that must be a number in low...high; otherwise low, with *good false.
static double atlas_number(const cJSON *object, const char *name, double low, double high,
                           bool *good) {
    const cJSON *item = atlas_member(object, name, good);
    if (cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high)
        return item->valuedouble;
    *good = false;
    return low;
}

static int atlas_whole(const cJSON *object, const char *name, int low, int high, bool *good) {
    double value = atlas_number(object, name, low, high, good);
    int n = (int)value;
    if (n != value) *good = false;
    return n;
}

/// Returns a side or place of a picture or of a part of it [px].
static int atlas_side(const cJSON *object, const char *name, int least, bool *good) {
    return atlas_whole(object, name, least, PV__MAX_SIDE, good);
}

static pv_rect rect_of(const cJSON *object, int least_place, bool *good) {
    return (pv_rect){atlas_side(object, "x", least_place, good),
                     atlas_side(object, "y", least_place, good), atlas_side(object, "w", 0, good),
                     atlas_side(object, "h", 0, good)};
}

static pv_vec2 atlas_point_of(const cJSON *object, double limit, bool *good) {
    return pv__vec(atlas_number(object, "x", -limit, limit, good),
                   atlas_number(object, "y", -limit, limit, good));
}

/// Returns a member that must be text; it may be missing if other is not null.
static const char *atlas_text(const cJSON *object, const char *name, const char *other,
                              bool *good) {
    const cJSON *item = atlas_member(object, name, good);
    if (cJSON_IsString(item)) return item->valuestring;
    if (item || !other) *good = false;
    return other ? other : "";
}

/// Returns a member that must be an array, or null if it is missing.
static const cJSON *atlas_list(const cJSON *object, const char *name, bool *good) {
    const cJSON *item = object ? atlas_member(object, name, good) : NULL;
    if (item && !cJSON_IsArray(item)) *good = false;
    return item;
}

/* ---- frames ---- */

/// State of the reader
typedef struct atlas_reader {
    const pv_frames_options *options;
    const pv_image *image;
    /// Metadata, or null
    const cJSON *meta;
    /// Next key of the slice with the pivots, or null
    const cJSON *key;
    /// Key in force for this frame, or null
    const cJSON *held;
    pv_frames *frames;
} atlas_reader;

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
static bool slice_pivot(const atlas_reader *r, pv_vec2 *pivot, bool *good) {
    const cJSON *given = r->held ? atlas_member(r->held, "pivot", good) : NULL;
    if (!given) return false;
    const cJSON *bounds = atlas_member(r->held, "bounds", good);
    *pivot = pv__add(atlas_point_of(bounds, PV__MAX_SIDE, good),
                     atlas_point_of(given, PV__MAX_SIDE, good));
    return true;
}

/// Returns the frame's own pivot, or else the slice's, or else the caller's [px].
static pv_vec2 pivot_of(const atlas_reader *r, const cJSON *item, int w, int h, bool *good) {
    pv_vec2 pivot = r->options->pivot, place;
    const cJSON *given = atlas_member(item, "pivot", good);
    if (!given) given = atlas_member(item, "anchor", good);
    if (given)
        pivot = atlas_point_of(given, MAX_PIVOT, good);
    else if (slice_pivot(r, &place, good))
        return place;
    return pv__vec(pivot.x * w, pivot.y * h);
}

static bool atlas_turned(const cJSON *item, bool *good) {
    const cJSON *rotated = atlas_member(item, "rotated", good);
    if (rotated && !cJSON_IsBool(rotated)) *good = false;
    return cJSON_IsTrue(rotated);
}

static double duration_of(const atlas_reader *r, const cJSON *item, bool *good) {
    return atlas_member(item, "duration", good)
               ? atlas_number(item, "duration", 1, 3.6e6, good) / 1000
               : r->options->duration;
}

static pv_status add_frame(atlas_reader *r, const cJSON *item, const char *name) {
    bool good = true;
    pv_frame f = {.name = name,
                  .atlas_rect = rect_of(atlas_member(item, "frame", &good), 0, &good)};
    f.rotated = atlas_turned(item, &good);
    f.duration = duration_of(r, item, &good);
    const cJSON *part = atlas_member(item, "spriteSourceSize", &good),
                *size = atlas_member(item, "sourceSize", &good);
    f.trim_rect = part ? rect_of(part, -PV__MAX_SIDE, &good)
                       : (pv_rect){0, 0, f.atlas_rect.w, f.atlas_rect.h};
    int w = size ? atlas_side(size, "w", 1, &good) : f.trim_rect.w,
        h = size ? atlas_side(size, "h", 1, &good) : f.trim_rect.h;
    f.pivot = pivot_of(r, item, w, h, &good);
    if (!good || w < 1 || h < 1 || !atlas_fit(&f) || !atlas_inside(&f.atlas_rect, r->image))
        return PV_ERROR_FORMAT;
    return pv__frames_add(r->frames, r->image, &f, w, h);
}

/// Moves on to the key in force for the frame at index.
static void next_key(atlas_reader *r, int index) {
    bool good = true; /* find_slice() has checked all keys */
    for (; r->key && atlas_whole(r->key, "frame", 0, INT32_MAX, &good) <= index;
         r->key = r->key->next)
        r->held = r->key;
}

static pv_status add_frames(atlas_reader *r, const cJSON *frames) {
    bool hash = cJSON_IsObject(frames), good = hash || cJSON_IsArray(frames);
    pv_status status = good && frames->child ? PV_OK : PV_ERROR_FORMAT;
    const cJSON *item = good ? frames->child : NULL;
    for (int i = 0; item && status == PV_OK; i++, item = item->next) {
        const char *name = hash ? item->string : atlas_text(item, "filename", "", &good);
        next_key(r, i);
        status = good ? add_frame(r, item, name) : PV_ERROR_FORMAT;
    }
    return status == PV_OK ? pv__frames_finish(r->frames, hash) : status;
}

/* ---- tags and slices ---- */

static pv_tag_direction direction_of(const char *word, bool *good) {
    static const char *const words[] = {"forward", "reverse", "pingpong", "pingpong_reverse"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0) return (pv_tag_direction)i;
    *good = false;
    return PV_TAG_FORWARD;
}

/// Adds a tag, unless it has no frames. Aseprite can leave empty frames out; a tag without others
/// then ends before it begins.
static pv_status add_tag(atlas_reader *r, const cJSON *item) {
    bool good = true;
    int count = pv_frames_get_count(r->frames);
    pv_tag tag = {
        .name = atlas_text(item, "name", NULL, &good),
        .first = atlas_whole(item, "from", 0, count, &good),
        .last = atlas_whole(item, "to", -1, count - 1, &good),
        .direction = direction_of(atlas_text(item, "direction", "forward", &good), &good),
    };
    if (!good || tag.first > tag.last + 1) return PV_ERROR_FORMAT;
    return tag.first > tag.last ? PV_OK : pv_frames_add_tag(r->frames, &tag);
}

static pv_status add_tags(atlas_reader *r) {
    bool good = true;
    pv_status status = PV_OK;
    const cJSON *tags = atlas_list(r->meta, "frameTags", &good), *item;
    if (!good) return PV_ERROR_FORMAT;
    cJSON_ArrayForEach(item, tags) if (status == PV_OK) status = add_tag(r, item);
    return status;
}

/// Tells whether a key has a pivot; keys must ascend.
static bool keys_bear_pivot(const cJSON *keys, bool *good) {
    bool bear = false;
    int last = -1;
    const cJSON *key;
    cJSON_ArrayForEach(key, keys) {
        int frame = atlas_whole(key, "frame", 0, INT32_MAX, good);
        if (frame <= last) *good = false;
        last = frame;
        if (atlas_member(key, "pivot", good)) bear = true;
    }
    return bear;
}

/// Finds the slice with the pivots.
static pv_status find_slice(atlas_reader *r) {
    bool good = true;
    const char *wanted = r->options->pivot_slice;
    const cJSON *slices = atlas_list(r->meta, "slices", &good), *item;
    if (!good) return PV_ERROR_FORMAT;
    cJSON_ArrayForEach(item, slices) {
        const char *name = atlas_text(item, "name", NULL, &good);
        const cJSON *keys = atlas_list(item, "keys", &good);
        bool bears = keys_bear_pivot(keys, &good);
        if (!good) return PV_ERROR_FORMAT;
        if (r->key || !bears || (wanted && strcmp(name, wanted) != 0)) continue;
        r->key = keys->child;
    }
    return wanted && !r->key ? PV_ERROR_ARGUMENT : PV_OK;
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
static pv_status read_all(atlas_reader *r, const cJSON *root, const char *picture) {
    bool good = true;
    const cJSON *frames = atlas_member(root, "frames", &good);
    if (!good || !frames) return PV_ERROR_FORMAT;
    pv_status status = find_slice(r);
    if (status != PV_OK) return status;
    r->frames = pv__frames_make(r->options, picture);
    if (!r->frames) return PV_ERROR_MEMORY;
    status = add_frames(r, frames);
    if (status == PV_OK) status = add_tags(r);
    return status;
}

/// Does the same as read_all(), and loads the picture before if the caller gave none.
static pv_status read_with_picture(atlas_reader *r, const cJSON *root, const char *picture) {
    if (r->image) return read_all(r, root, picture);
    if (!*picture) return PV_ERROR_FORMAT;
    pv_error error;
    pv_image *image = pv_image_load(picture, &r->options->limits, &error);
    if (!image) return error.status;
    r->image = image;
    error.status = read_all(r, root, picture);
    pv_image_destroy(image);
    return error.status;
}

static pv_status read_root(atlas_reader *r, const cJSON *root, const char *path) {
    bool good = true;
    const pv_allocator *from = &r->options->limits.allocator;
    const char *slash = strrchr(path, '/');
    char *picture;
    size_t size;
    r->meta = atlas_member(root, "meta", &good);
    const char *name = r->meta ? atlas_text(r->meta, "image", "", &good) : "";
    if (!good) return PV_ERROR_FORMAT;
    if (!atlas_join(from, path, slash ? (size_t)(slash - path) + 1 : 0, name, &picture, &size))
        return PV_ERROR_MEMORY;
    pv_status status = read_with_picture(r, root, picture);
    pv__free(from, picture, size, 1);
    return status;
}

/// Tells whether only white space is left.
static bool only_space(const char *p) { return p[strspn(p, " \t\r\n")] == '\0'; }

/// Parses a file into frames.
/// @param json size bytes and ATLAS_PADDING zeros
static pv_status atlas_parse(atlas_reader *r, const char *json, size_t size, const char *path) {
    const char *end = NULL;
    if (memchr(json, '\0', size)) return PV_ERROR_FORMAT;
    cJSON *root = cJSON_ParseWithLengthOpts(json, size + 1, &end, false);
    pv_status status = root && only_space(end) ? read_root(r, root, path) : PV_ERROR_FORMAT;
    cJSON_Delete(root);
    if (status == PV_OK) return PV_OK;
    pv_frames_destroy(r->frames);
    r->frames = NULL;
    return status;
}

/* ---- public functions ---- */

/// Finds the options in force, with an allocator that can be called.
/// @return PV_OK, or the error of the options or of the image
static pv_status atlas_start(const pv_image *image, const pv_frames_options *options,
                             pv_frames_options *o) {
    *o = options ? *options : pv_frames_options_default();
    o->limits.allocator = pv__allocator(&o->limits.allocator);
    if (image && !image->pixels) return PV_ERROR_ARGUMENT;
    return pv__frames_options_check(o);
}

static bool atlas_size_allowed(const pv_frames_options *o, int64_t size) {
    return size <= MAX_FILE_SIZE && size <= o->limits.max_file_size;
}

pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                 const pv_frames_options *options, pv_error *error) {
    pv_frames_options o;
    atlas_reader r = {.options = &o, .image = image};
    pv_status outcome = json && image ? atlas_start(image, options, &o) : PV_ERROR_ARGUMENT;
    if (outcome != PV_OK) return pv__say(error, outcome), NULL;
    if (size > MAX_FILE_SIZE || !atlas_size_allowed(&o, (int64_t)size))
        return pv__say(error, PV_ERROR_TOO_LARGE), NULL;
    char *copy = pv__alloc(&o.limits.allocator, size + ATLAS_PADDING, 1);
    if (!copy) return pv__say(error, PV_ERROR_MEMORY), NULL;
    memcpy(copy, json, size);
    pv__say(error, atlas_parse(&r, copy, size, ""));
    pv__free(&o.limits.allocator, copy, size + ATLAS_PADDING, 1);
    return r.frames;
}

/// Checks a file before it is opened, as opening a pipe would wait for its other end.
static pv_status atlas_look(const char *path, const pv_frames_options *o, size_t *size) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return PV_ERROR_FILE_OPEN;
    if (!atlas_size_allowed(o, about.st_size)) return PV_ERROR_TOO_LARGE;
    *size = (size_t)about.st_size;
    return PV_OK;
}

static pv_status atlas_read_file(const char *path, char *data, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) return PV_ERROR_FILE_OPEN;
    size_t got = fread(data, 1, size, file);
    fclose(file);
    return got == size ? PV_OK : PV_ERROR_FILE_READ;
}

pv_frames *pv_frames_load(const char *path, const pv_image *image, const pv_frames_options *options,
                          pv_error *error) {
    pv_frames_options o;
    atlas_reader r = {.options = &o, .image = image};
    size_t size = 0;
    pv_status outcome = path ? atlas_start(image, options, &o) : PV_ERROR_ARGUMENT;
    if (outcome == PV_OK) outcome = atlas_look(path, &o, &size);
    if (outcome != PV_OK) return pv__say(error, outcome), NULL;
    char *data = pv__alloc(&o.limits.allocator, size + ATLAS_PADDING, 1);
    if (!data) return pv__say(error, PV_ERROR_MEMORY), NULL;
    outcome = atlas_read_file(path, data, size);
    pv__say(error, outcome == PV_OK ? atlas_parse(&r, data, size, path) : outcome);
    pv__free(&o.limits.allocator, data, size + ATLAS_PADDING, 1);
    return r.frames;
}

#endif
