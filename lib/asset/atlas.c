/* atlas.c - reads atlases, the JSON of Aseprite and TexturePacker, as frames.
 *
 * Invariant: nothing in a file is trusted. Every number is in range before it becomes an int, and
 * every rectangle is inside the picture. A faulty tag or slice is left out and reported, without
 * other effects. The time is linear in the size of the file and its masks, except to sort names.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "asset/frames.h"
#include "asset/map.h"
#include "asset/xml.h"
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"
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

/// Most triangles of a polygon that a packer cut out around a frame; typical ones have a few dozen
#define MOST_CUT_TRIANGLES 500

/// State of the reader. The first failure stays in the error and ends the work, or the work on a
/// tag or slice
typedef struct reader {
    /// Kind, name and index of what is read: "frame", "tag", "slice"
    pv__map_reader m;
    pv_frames_options options;
    const pv_image *image;
    /// Metadata, or null
    const cJSON *meta;
    /// Next key of the slice with the pivots, or null
    const cJSON *key;
    /// Key that applies to this frame, or null
    const cJSON *held;
    /// True if there is a slice with the wanted name, even a faulty one
    bool met;
    pv_frames *frames;
} reader;

/* ---- values ---- */

static bool well(const reader *r) { return pv__map_well(&r->m); }

/// Fails because of a member, unless something has failed before.
#define FAIL(r, name, ...) pv__map_fail(&(r)->m, PV_ERROR_FORMAT, name, __VA_ARGS__)

/// Reads something that the frames can do without. If this fails, it is left out and reported.
static void try(reader *r, void read(reader *, const cJSON *), const cJSON *item) {
    pv_error *outer = r->m.error, own;
    r->m.error = pv__error_begin(outer->function, &own, &own);
    read(r, item);
    r->m.kind = NULL;
    r->m.error = outer;
    if (own.status == PV_ERROR_MEMORY)
        pv__error_set(outer, PV_ERROR_MEMORY);
    else if (own.status != PV_OK && r->options.report_callback)
        r->options.report_callback(r->options.report_user_data, &own);
}

/// Returns a side or place of a picture or of a part of it [px].
static int side(reader *r, const cJSON *object, const char *name, int least) {
    return pv__map_int(&r->m, object, name, least, PV__MAX_SIDE);
}

static pv_rect rect_of(reader *r, const cJSON *object, int least_place) {
    return (pv_rect){side(r, object, "x", least_place), side(r, object, "y", least_place),
                     side(r, object, "w", 0), side(r, object, "h", 0)};
}

static pv_vec2 point_of(reader *r, const cJSON *object, double limit) {
    double x = pv__map_real(&r->m, object, "x", -limit, limit);
    return pv__vec(x, pv__map_real(&r->m, object, "y", -limit, limit));
}

/* ---- frames ---- */

/// Reduces atlas_rect to the part's own pixels; returns false if the sizes disagree. TexturePacker
/// gives the size of a turned part before the turn, other tools the stored size. Aseprite's inner
/// padding is a border around the part. Some tools give the whole frame's size as the part's.
static bool fit(pv_frame *f, int whole_w, int whole_h) {
    pv_rect *at = &f->atlas_rect, *part = &f->trim_rect;
    if (part->w == whole_w && part->h == whole_h && at->w <= whole_w && at->h <= whole_h)
        part->w = at->w, part->h = at->h;
    int w = f->rotated ? part->h : part->w, h = f->rotated ? part->w : part->h;
    if (f->rotated && (at->w != w || at->h != h)) *at = (pv_rect){at->x, at->y, at->h, at->w};
    int border = at->w - w;
    if (border < 0 || border % 2 || at->h - h != border) return false;
    *at = (pv_rect){at->x + border / 2, at->y + border / 2, w, h};
    return true;
}

/// Finds the place of the pivot in a slice's key [px]. Returns false if key is null or has none.
static bool slice_pivot(reader *r, const cJSON *key, pv_vec2 *pivot) {
    const cJSON *given = key ? pv__map_get(&r->m, key, "pivot") : NULL;
    if (!given) return false;
    pv_vec2 corner = point_of(r, pv__map_get(&r->m, key, "bounds"), PV__MAX_SIDE);
    *pivot = pv__add(corner, point_of(r, given, PV__MAX_SIDE));
    return true;
}

/// Returns the frame's own pivot, or else the slice's, or else the caller's [px].
static pv_vec2 pivot_of(reader *r, const cJSON *item, int w, int h) {
    pv_vec2 pivot = r->options.pivot, place;
    const cJSON *given = pv__map_get(&r->m, item, "pivot");
    if (!given) given = pv__map_get(&r->m, item, "anchor");
    if (given)
        pivot = point_of(r, given, 1024);
    else if (slice_pivot(r, r->held, &place))
        return place;
    return pv__vec(pivot.x * w, pivot.y * h);
}

/// Returns the part of a frame that is left after trimming. An untrimmed one is in the frame's
/// corner, whatever else the file says.
static pv_rect kept_part(reader *r, const cJSON *item, const pv_rect *at) {
    const cJSON *given = pv__map_get(&r->m, item, "spriteSourceSize");
    pv_rect part = given ? rect_of(r, given, -PV__MAX_SIDE) : (pv_rect){0, 0, at->w, at->h};
    if (cJSON_IsFalse(pv__map_get(&r->m, item, "trimmed"))) part.x = part.y = 0;
    return part;
}

static bool turned(reader *r, const cJSON *item) {
    const cJSON *rotated = pv__map_get(&r->m, item, "rotated");
    if (cJSON_IsString(rotated))
        FAIL(r, "rotated", "is \"%.24s\", must be true or false", rotated->valuestring);
    if (rotated && !cJSON_IsBool(rotated)) FAIL(r, "rotated", "is neither true nor false");
    return cJSON_IsTrue(rotated);
}

/// Checks the sizes of a frame, and finds the place of its part in the picture.
static void place_frame(reader *r, pv_frame *f, int w, int h) {
    pv_rect at = f->atlas_rect, part = f->trim_rect;
    if (w < 1 || h < 1) FAIL(r, "frame", "has no pixels");
    if (!fit(f, w, h))
        FAIL(r, "spriteSourceSize", "is %d x %d px, but \"frame\" is %d x %d px", part.w, part.h,
             at.w, at.h);
    if (!pv__rect_contains((pv_rect){0, 0, r->image->width, r->image->height}, f->atlas_rect))
        FAIL(r, "frame", "is %d x %d px at (%d, %d), not in the picture of %d x %d px", at.w, at.h,
             at.x, at.y, r->image->width, r->image->height);
}

/// Returns the corner of a triangle.
static pv_vec2 corner_of(reader *r, const cJSON *index, const pv_vec2 *corners, int count) {
    double value = cJSON_IsNumber(index) ? index->valuedouble : NAN;
    if (value >= 0 && value < count) return corners[index->valueint];
    if (cJSON_IsNumber(index))
        FAIL(r, "triangles", "has vertex %.9g, must be 0 to %d", value, count - 1);
    FAIL(r, "triangles", "has a corner that is no number");
    return pv__vec(0, 0);
}

/// Fills the triangles of a polygon.
static void fill_triangles(reader *r, const cJSON *item, pv_mask *shape, const pv_vec2 *corners,
                           int count) {
    PV__MAP_EACH(&r->m, triangle, item) {
        const cJSON *index = cJSON_IsArray(triangle) ? triangle->child : NULL;
        pv_vec2 points[3];
        for (int i = 0; i < 3; i++, index = index ? index->next : NULL)
            points[i] = corner_of(r, index, corners, count);
        if (well(r)) pv__error_set(r->m.error, pv_mask_fill_polygon(shape, points, 3, true));
    }
}

/// Reads the corners of a polygon.
static void read_corners(reader *r, const cJSON *vertices, pv_vec2 *corners) {
    PV__MAP_EACH(&r->m, item, vertices) {
        const cJSON *x = cJSON_IsArray(item) ? item->child : NULL, *y = x ? x->next : NULL;
        if (!cJSON_IsNumber(x) || !cJSON_IsNumber(y) ||
            !(pv__abs(x->valuedouble) <= PV__MAX_SIDE) ||
            !(pv__abs(y->valuedouble) <= PV__MAX_SIDE))
            FAIL(r, "vertices", "has a place that is no pair of numbers");
        else
            *corners++ = pv__vec(x->valuedouble, y->valuedouble);
    }
}

/// Cuts a frame that shares its rectangle with others along its polygon.
static void cut_polygon(reader *r, const cJSON *item, pv_mask *mask) {
    const cJSON *vertices = pv__map_list(&r->m, item, "vertices"),
                *triangles = pv__map_list(&r->m, item, "triangles");
    const pv_allocator *from = &r->options.limits.allocator;
    int count = cJSON_GetArraySize(vertices);
    if (count == 0 || cJSON_GetArraySize(triangles) == 0) return;
    if (cJSON_GetArraySize(triangles) > MOST_CUT_TRIANGLES)
        FAIL(r, "triangles", "are more than %d", MOST_CUT_TRIANGLES);
    pv_vec2 *corners = pv__map_alloc(&r->m, (size_t)count, sizeof *corners);
    if (!corners) return;
    pv_mask *shape = pv__mask_make(r->m.error, mask->bits.w, mask->bits.h, from);
    read_corners(r, vertices, corners);
    fill_triangles(r, triangles, shape, corners, count);
    pv_mask_combine(mask, shape, 0, 0, PV_COMBINE_AND);
    pv_mask_release(shape);
    pv__free(from, corners, (size_t)count, sizeof *corners);
}

static void add_frame(reader *r, const cJSON *item, const char *name) {
    const cJSON *place = pv__map_get(&r->m, item, "frame"),
                *size = pv__map_get(&r->m, item, "sourceSize");
    if (!place) FAIL(r, "frame", "is missing");
    pv_frame f = {.name = name, .atlas_rect = rect_of(r, place, 0)};
    f.rotated = turned(r, item);
    double ms = pv__map_real_or(&r->m, item, "duration", 0, 1, 3.6e6);
    f.duration = ms > 0 ? ms / 1000 : r->options.duration;
    f.trim_rect = kept_part(r, item, &f.atlas_rect);
    int w = size ? side(r, size, "w", 1) : f.trim_rect.w,
        h = size ? side(r, size, "h", 1) : f.trim_rect.h;
    f.pivot = pivot_of(r, item, w, h);
    if (!well(r)) return;
    place_frame(r, &f, w, h);
    if (well(r) && pv__frames_add(r->m.error, r->frames, r->image, &f, w, h))
        cut_polygon(r, item,
                    pv_frames_get_frame(r->frames, pv_frames_get_count(r->frames) - 1)->mask);
}

/// Advances to the key that applies to the frame at index. All keys have been checked.
static void next_key(reader *r, int index) {
    for (; r->key && pv__map_int(&r->m, r->key, "frame", 0, INT32_MAX) <= index;
         r->key = r->key->next)
        r->held = r->key;
}

static void add_frames(reader *r, const cJSON *frames) {
    bool hash = cJSON_IsObject(frames), good = hash || cJSON_IsArray(frames);
    if (!good || !frames->child) FAIL(r, "frames", good ? "is empty" : "is missing, or no list");
    r->m.kind = "frame";
    r->m.index = 0;
    PV__MAP_EACH(&r->m, item, frames) {
        r->m.called = "";
        r->m.called = hash ? item->string : pv__map_text_or(&r->m, item, "filename", "");
        next_key(r, r->m.index);
        add_frame(r, item, r->m.called);
        r->m.index++;
    }
    r->m.kind = NULL;
    if (well(r)) pv__frames_finish(r->m.error, r->frames);
}

/* ---- tags and slices ---- */

static pv_tag_direction direction_of(reader *r, const char *word) {
    static const char *const words[] = {"forward", "reverse", "pingpong", "pingpong_reverse"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0) return (pv_tag_direction)i;
    FAIL(r, "direction", "is \"%.24s\", which is unknown", word);
    return PV_TAG_FORWARD;
}

/// Begins with the name of a tag or slice.
static void begin_named(reader *r, const char *kind, const cJSON *item) {
    pv__map_name(&r->m, kind, "");
    const char *name = pv__map_text(&r->m, item, "name");
    if (!name) FAIL(r, "name", "is missing");
    r->m.called = name ? name : "";
}

/// Adds a tag, unless it has no frames. Aseprite can leave out empty frames. A tag with only such
/// frames then ends before it begins.
static void add_tag(reader *r, const cJSON *item) {
    begin_named(r, "tag", item);
    int count = pv_frames_get_count(r->frames);
    pv_tag tag = {
        .name = r->m.called,
        .first = pv__map_int(&r->m, item, "from", 0, count),
        .last = pv__map_int(&r->m, item, "to", -1, count - 1),
        .direction = direction_of(r, pv__map_text_or(&r->m, item, "direction", "forward")),
    };
    if (tag.first > tag.last + 1)
        FAIL(r, "to", "is %d, before \"from\", which is %d", tag.last, tag.first);
    if (well(r) && tag.first <= tag.last)
        pv__error_set(r->m.error, pv_frames_add_tag(r->frames, &tag));
}

/// Reads each element of a list in meta, or else reports it.
static void try_each(reader *r, const cJSON *meta, const char *name,
                     void read(reader *, const cJSON *)) {
    int count = 0;
    PV__MAP_EACH(&r->m, item, meta ? pv__map_list(&r->m, meta, name) : NULL) {
        r->m.index = count++;
        try(r, read, item);
    }
}

static void read_tags(reader *r, const cJSON *meta) { try_each(r, meta, "frameTags", add_tag); }

/// Tells whether any key has a pivot, and checks all places. Keys must be in ascending order.
static bool keys_bear_pivot(reader *r, const cJSON *keys) {
    bool bear = false;
    int last = -1;
    pv_vec2 place;
    PV__MAP_EACH(&r->m, key, keys) {
        int frame = pv__map_int(&r->m, key, "frame", 0, INT32_MAX);
        if (frame <= last) FAIL(r, "keys", "are not in order: frame %d follows %d", frame, last);
        last = frame;
        bear |= slice_pivot(r, key, &place);
    }
    return bear;
}

/// Takes the pivots of the first slice that has any, or of the wanted slice.
static void read_slice(reader *r, const cJSON *item) {
    const char *wanted = r->options.pivot_slice;
    begin_named(r, "slice", item);
    const cJSON *keys = pv__map_list(&r->m, item, "keys");
    bool bears = keys_bear_pivot(r, keys), meant = !wanted || strcmp(r->m.called, wanted) == 0;
    r->met |= meant && (bears || !well(r));
    if (well(r) && !r->key && bears && meant) r->key = keys->child;
}

static void read_slices(reader *r, const cJSON *meta) { try_each(r, meta, "slices", read_slice); }

/// Finds the slice with the pivots.
static void find_slice(reader *r) {
    try(r, read_slices, r->meta);
    if (well(r) && r->options.pivot_slice && !r->met)
        pv__error_say(r->m.error, PV_ERROR_ARGUMENT, "options.pivot_slice",
                      "options.pivot_slice names no slice with a pivot in %s", r->m.file);
}

/* ---- the picture ---- */

/// Tells whether a name stays in the directory on every system.
static bool name_allowed(const char *name) {
    if (!*name || *name == '/' || strpbrk(name, "\\:")) return false;
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2])) return false;
    }
    return true;
}

/* ---- the whole file ---- */

/// Returns the object with "frames" and the picture's name: for Phaser, TexturePacker writes a list
/// of them.
static const cJSON *find_texture(reader *r, const cJSON *root) {
    const cJSON *textures = pv__map_list(&r->m, root, "textures");
    int count = cJSON_GetArraySize(textures);
    if (textures && count != 1) FAIL(r, "textures", "has %d pictures, must have one", count);
    return count == 1 ? textures->child : root;
}

/// Reads the parsed file, and loads the picture if the caller gave none.
static void read_root(reader *r, const cJSON *root) {
    const cJSON *texture = find_texture(r, root), *frames = pv__map_get(&r->m, texture, "frames");
    if (!frames) FAIL(r, "frames", "is missing");
    r->meta = pv__map_get(&r->m, texture, "meta");
    const cJSON *naming = texture == root ? r->meta : texture;
    const char *name = naming ? pv__map_text_or(&r->m, naming, "image", "") : "";
    char *picture = name_allowed(name) ? pv__map_beside(&r->m, r->m.file, name) : NULL;
    pv_image *own = NULL;
    if (!r->image && !picture) FAIL(r, "image", "is missing, or leads out of the directory");
    if (!r->image && well(r))
        r->image = own = pv__image_load(r->m.error, picture, &r->options.limits, true);
    if (well(r)) find_slice(r);
    if (well(r)) r->frames = pv__frames_make(r->m.error, &r->options, picture ? picture : "");
    add_frames(r, frames);
    if (well(r)) try(r, read_tags, r->meta);
    pv_image_destroy(own);
    pv__text_free(&r->m.from, picture);
}

/* ---- public functions ---- */

/// Begins a reader, with checked options and an allocator that can be called.
static bool start(reader *r, pv_error *e, const pv_image *image, const pv_frames_options *options) {
    r->options = options ? *options : pv_frames_options_default();
    r->m.error = e;
    r->m.bytes = PV__MOST_JSON;
    r->m.from = r->options.limits.allocator = pv__allocator(&r->options.limits.allocator);
    r->m.options.limits = r->options.limits;
    r->image = image;
    return (!image || pv__check_pointer(e, "image.pixels", image->pixels)) &&
           pv__frames_check_options(e, &r->options);
}

/// Turns a parsed file into frames, and frees it; it is null after a failure.
static pv_frames *finish(reader *r, cJSON *root) {
    if (root) read_root(r, root);
    cJSON_Delete(root);
    if (well(r)) return r->frames;
    pv_frames_destroy(r->frames);
    return NULL;
}

pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                 const pv_frames_options *options, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    reader r = {.m = {.file = "json", .field = "json"}};
    if (!pv__check_pointer(e, "json", json) || !pv__check_pointer(e, "image", image) ||
        !start(&r, e, image, options))
        return NULL;
    if (size == 0) return pv__error_say(e, PV_ERROR_FORMAT, "size", "size is 0"), NULL;
    int64_t bytes = size < INT64_MAX ? (int64_t)size : INT64_MAX;
    return finish(&r, pv__map_parse(&r.m, "json", json, bytes));
}

pv_frames *pv_frames_load(const char *path, const pv_image *image, const pv_frames_options *options,
                          pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    reader r = {.m = {.file = path, .field = "path"}};
    if (!pv__check_pointer(e, "path", path) || !start(&r, e, image, options)) return NULL;
    return finish(&r, pv__map_open(&r.m, path));
}

#endif
