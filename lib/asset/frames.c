/* frames.c - manages animations: frames from a sheet, tags, and the frame that is shown at a time.
 *
 * Invariant: a frame's mask has the size of the whole frame, even if the sheet has it trimmed or
 * turned. Ends of frames are ascending whole nanoseconds from the first frame's start. Thus no time
 * falls between two frames, and sums of durations are exact.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "asset/frames.h"
#include "base/base.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

typedef struct frames_entry {
    pv_frame frame;
    /// End of the frame [ns]
    int64_t end;
} frames_entry;

/// Frame in the order of names
typedef struct name {
    const char *text;
    int index;
} name;

struct pv_frames {
    pv_frames_options options;
    frames_entry *entries;
    int count, capacity;
    pv_tag *tags;
    int tag_count, tag_capacity;
    /// Names of all frames, or null while frames are added
    name *names;
    char *picture;
    /// Number of pixels that further masks may have
    int64_t room;
};

/* ---- options ---- */

pv_frames_options pv_frames_options_default(void) {
    return (pv_frames_options){
        .alpha_threshold = 128,
        .pivot = {0.5, 0.5},
        .duration = 0.1,
        .limits = pv_image_limits_default(),
        .cookie = PV__COOKIE,
    };
}

bool pv__frames_check_options(pv_error *e, const pv_frames_options *o) {
    return pv__check_made(e, "options", o, o->cookie, "pv_frames_options_default") &&
           pv__check_limits(e, &o->limits, true) &&
           pv__check_range(e, "options.alpha_threshold", o->alpha_threshold, 0, 255) &&
           pv__check_vector(e, "options.pivot", o->pivot, 1024) &&
           pv__check_range(e, "options.duration", o->duration, 0.001, 3600);
}

/* ---- creation and destruction ---- */

static int64_t nanoseconds(double seconds) { return pv__floor(seconds * 1e9 + 0.5); }

static char *text_copy(const pv_allocator *allocator, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = pv__alloc(allocator, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

pv_frames *pv__frames_make(pv_error *e, const pv_frames_options *options, const char *picture) {
    pv_allocator from = pv__allocator(&options->limits.allocator);
    pv_frames *frames = pv__alloc(&from, 1, sizeof *frames);
    if (!frames) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    frames->options = *options;
    frames->options.limits.allocator = from;
    /* A pixel of a picture takes 32 bits, one of a mask takes one. */
    frames->room =
        32 * (options->limits.max_area < PV__MAX_AREA ? options->limits.max_area : PV__MAX_AREA);
    frames->picture = text_copy(&from, picture);
    if (frames->picture) return frames;
    pv_frames_destroy(frames);
    return pv__error_set(e, PV_ERROR_MEMORY), NULL;
}

void pv_frames_destroy(pv_frames *o) {
    if (!o) return;
    pv_allocator from = o->options.limits.allocator;
    for (int i = 0; i < o->count; i++) {
        pv__text_free(&from, o->entries[i].frame.name);
        pv_mask_release(o->entries[i].frame.mask);
    }
    for (int i = 0; i < o->tag_count; i++) pv__text_free(&from, o->tags[i].name);
    PV__FREE(&from, o->entries, o->capacity);
    PV__FREE(&from, o->tags, o->tag_capacity);
    pv__free(&from, o->names, (size_t)o->count, sizeof *o->names);
    pv__text_free(&from, o->picture);
    pv__free(&from, o, 1, sizeof *o);
}

/* ---- frames ---- */

/// Returns the bits of n <= 64 neighboring pixels.
static uint64_t gather(const unsigned char *alpha, ptrdiff_t right, int n, int threshold) {
    uint64_t word = 0;
    for (int i = 0; i < n; i++, alpha += right) word |= (uint64_t)(*alpha >= threshold) << i;
    return word;
}

/// Cuts the kept part out of the sheet, one stripe of the empty mask after the other. Thus even a
/// turned part is read along its lines in memory. A quarter turn clockwise takes pixel (x, y) of a
/// part of height h to (h - 1 - y, x). Pixels outside the frame are left out.
static void cut(const pv__bits *bits, const pv_image *image, const pv_frame *f, int threshold) {
    const pv_rect *part = &f->trim_rect, *at = &f->atlas_rect;
    pv_rect seen = pv__rect_meet(*part, (pv_rect){0, 0, bits->w, bits->h});
    if (seen.w == 0) return;
    ptrdiff_t pitch = (ptrdiff_t)image->width * 4, left = f->rotated ? at->x + at->w - 1 : at->x,
              right = f->rotated ? pitch : 4, down = f->rotated ? -4 : pitch; /* [bytes] */
    const unsigned char *alpha = image->pixels + at->y * pitch + left * 4 + 3;
    for (int x = seen.x, end = seen.x + seen.w; x < end; x = (x | 63) + 1) {
        int n = pv__sooner(end, (x | 63) + 1) - x;
        uint64_t *words = pv__bits_at(bits, x, 0);
        for (int y = seen.y; y < seen.y + seen.h; y++)
            words[y] =
                gather(alpha + (x - part->x) * right + (y - part->y) * down, right, n, threshold)
                << (x & 63);
    }
}

/// Subtracts the pixels of a w x h mask from the room for masks.
static bool take_room(pv_error *e, pv_frames *o, int w, int h) {
    const pv_image_limits *limits = &o->options.limits;
    int64_t area = (int64_t)pv__bits_word_count(w, h) * 64;
    if (!pv__check_most(e, PV__LIMIT(true, max_width), "width", "a frame", w, limits->max_width) ||
        !pv__check_most(e, PV__LIMIT(true, max_height), "height", "a frame", h, limits->max_height))
        return false;
    if (o->count == PV__MOST_TILES || area > o->room)
        return pv__error_say(e, PV_ERROR_TOO_LARGE, PV__LIMIT(true, max_area),
                             "%s is %" PRId64 ", too little for more than %d frames",
                             PV__LIMIT(true, max_area), limits->max_area, o->count) == PV_OK;
    o->room -= area;
    return true;
}

bool pv__frames_add(pv_error *e, pv_frames *o, const pv_image *image, const pv_frame *frame, int w,
                    int h) {
    const pv_allocator *from = &o->options.limits.allocator;
    pv_frame f = *frame;
    if (!take_room(e, o, w, h)) return false;
    bool has_room = PV__RESERVE(from, o->entries, o->capacity, o->count + 1);
    f.mask = has_room ? pv__mask_make(e, w, h, from) : NULL;
    f.name = f.mask ? text_copy(from, frame->name) : NULL;
    if (!f.name) {
        pv_mask_release(f.mask);
        return pv__error_set(e, PV_ERROR_MEMORY) == PV_OK;
    }
    cut(&f.mask->bits, image, &f, o->options.alpha_threshold);
    int64_t start = o->count ? o->entries[o->count - 1].end : 0;
    o->entries[o->count++] = (frames_entry){f, start + nanoseconds(f.duration)};
    return true;
}

static int compare_names(const void *a, const void *b) {
    const name *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

bool pv__frames_finish(pv_error *e, pv_frames *o) {
    o->names = pv__alloc(&o->options.limits.allocator, (size_t)o->count, sizeof *o->names);
    if (!o->names) return pv__error_set(e, PV_ERROR_MEMORY) == PV_OK;
    for (int i = 0; i < o->count; i++) o->names[i] = (name){o->entries[i].frame.name, i};
    pv__sort(o->names, o->count, sizeof *o->names, compare_names);
    return true;
}

int pv_frames_get_count(const pv_frames *frames) { return frames ? frames->count : 0; }

const pv_frame *pv_frames_get_frame(const pv_frames *frames, int index) {
    return frames && index >= 0 && index < frames->count ? &frames->entries[index].frame : NULL;
}

int pv_frames_find(const pv_frames *frames, const char *wanted) {
    if (!frames || !wanted) return -1;
    const name *at = frames->names, first = {wanted, 0};
    at += pv__sorted_place(at, frames->count, sizeof *at, &first, compare_names);
    return at < frames->names + frames->count && strcmp(at->text, wanted) == 0 ? at->index : -1;
}

const char *pv_frames_get_image_path(const pv_frames *frames) {
    return frames ? frames->picture : "";
}

/* ---- grids ---- */

/// Returns the number of cells that fit side by side into size pixels.
static int64_t cells_in(int64_t size, int64_t cell, const pv_grid *grid) {
    int64_t inner = size - 2 * (int64_t)grid->margin;
    return inner < cell ? 0 : (inner - cell) / (cell + grid->spacing) + 1;
}

/// Returns the end of n cells side by side [px].
static int64_t end_of(int64_t n, int64_t cell, const pv_grid *grid) {
    return grid->margin + n * cell + (n - 1) * grid->spacing;
}

/// Checks a grid, and fills in its numbers of columns and cells.
static bool check_grid(pv_error *e, const pv_image *image, pv_grid *grid) {
    if (!pv__check_range(e, "grid.width", grid->width, 1, image->width) ||
        !pv__check_range(e, "grid.height", grid->height, 1, image->height) ||
        !pv__check_range(e, "grid.margin", grid->margin, 0, image->width) ||
        !pv__check_range(e, "grid.spacing", grid->spacing, 0, INT_MAX) ||
        !pv__check_range(e, "grid.columns", grid->columns, 0, PV__MAX_SIDE) ||
        !pv__check_range(e, "grid.cell_count", grid->cell_count, 0, INT_MAX))
        return false;
    int64_t columns = grid->columns ? grid->columns : cells_in(image->width, grid->width, grid);
    int64_t count =
        grid->cell_count ? grid->cell_count : columns * cells_in(image->height, grid->height, grid);
    int64_t rows = columns ? (count - 1) / columns + 1 : 0,
            in_row = count < columns ? count : columns;
    if (columns < 1 || count < 1 || columns > PV__MAX_SIDE || count >= PV__MAX_AREA ||
        rows > PV__MAX_SIDE || end_of(in_row, grid->width, grid) > image->width ||
        end_of(rows, grid->height, grid) > image->height)
        return pv__error_say(e, PV_ERROR_ARGUMENT, "grid",
                             "grid of %" PRId64 " cells does not fit the image of %d x %d px",
                             count, image->width, image->height) == PV_OK;
    grid->columns = (int)columns;
    grid->cell_count = (int)count;
    if (grid->spacing > PV__MAX_SIDE) grid->spacing = PV__MAX_SIDE; /* there is only one cell */
    return true;
}

static pv_frame grid_cell(const pv_grid *grid, int index, const pv_frames_options *o) {
    int w = grid->width, h = grid->height;
    int x = grid->margin + index % grid->columns * (w + grid->spacing);
    int y = grid->margin + index / grid->columns * (h + grid->spacing);
    return (pv_frame){
        .name = "",
        .pivot = {o->pivot.x * w, o->pivot.y * h},
        .duration = o->duration,
        .trim_rect = {0, 0, w, h},
        .atlas_rect = {x, y, w, h},
    };
}

static bool add_cells(pv_error *e, pv_frames *frames, const pv_image *image, const pv_grid *grid) {
    for (int i = 0; i < grid->cell_count; i++) {
        pv_frame cell = grid_cell(grid, i, &frames->options);
        if (!pv__frames_add(e, frames, image, &cell, grid->width, grid->height)) return false;
    }
    return pv__frames_finish(e, frames);
}

pv_frames *pv_frames_from_grid(const pv_image *image, const pv_grid *grid,
                               const pv_frames_options *options, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_frames_options o = options ? *options : pv_frames_options_default();
    if (!pv__check_pointer(e, "image", image) ||
        !pv__check_pointer(e, "image.pixels", image->pixels) ||
        !pv__check_pointer(e, "grid", grid) || !pv__frames_check_options(e, &o))
        return NULL;
    pv_grid cells = *grid;
    if (!check_grid(e, image, &cells) ||
        !pv__check_size(e, "grid.cell_count", cells.cell_count, 1, PV__MOST_TILES))
        return NULL;
    pv_frames *frames = pv__frames_make(e, &o, "");
    if (frames && add_cells(e, frames, image, &cells)) return frames;
    pv_frames_destroy(frames);
    return NULL;
}

/* ---- tags ---- */

pv_status pv_frames_add_tag(pv_frames *o, const pv_tag *tag) {
    if (!o || !tag || !tag->name || tag->first < 0 || tag->first > tag->last ||
        tag->last >= o->count || (unsigned)tag->direction > PV_TAG_PINGPONG_REVERSE)
        return PV_ERROR_ARGUMENT;
    const pv_allocator *from = &o->options.limits.allocator;
    if (!PV__RESERVE(from, o->tags, o->tag_capacity, o->tag_count + 1)) return PV_ERROR_MEMORY;
    pv_tag copy = *tag;
    copy.name = text_copy(from, tag->name);
    if (!copy.name) return PV_ERROR_MEMORY;
    o->tags[o->tag_count++] = copy;
    return PV_OK;
}

const pv_tag *pv_frames_get_tag(const pv_frames *frames, int index) {
    return frames && index >= 0 && index < frames->tag_count ? &frames->tags[index] : NULL;
}

int pv_frames_find_tag(const pv_frames *frames, const char *wanted) {
    for (int i = 0; wanted && frames && i < frames->tag_count; i++)
        if (strcmp(frames->tags[i].name, wanted) == 0) return i;
    return -1;
}

/* ---- time ---- */

static int64_t start_of(const pv_frames *o, int index) {
    return index > 0 ? o->entries[index - 1].end : 0;
}

/// Finds a tag, or for index -1 makes one of all frames. Returns false if there is none.
static bool tag_of(const pv_frames *o, int index, pv_tag *tag) {
    const pv_tag *found = pv_frames_get_tag(o, index);
    *tag = found ? *found : (pv_tag){"", 0, pv_frames_get_count(o) - 1, PV_TAG_FORWARD};
    return found || (index == -1 && tag->last >= 0);
}

/// Returns the duration of a tag in one direction [ns].
static int64_t way(const pv_frames *o, const pv_tag *tag) {
    return o->entries[tag->last].end - start_of(o, tag->first);
}

/// Returns the duration of a round [ns]. A ping-pong includes the way back without the outermost
/// frames.
static int64_t whole_round(const pv_frames *o, const pv_tag *tag) {
    bool back = (tag->direction == PV_TAG_PINGPONG || tag->direction == PV_TAG_PINGPONG_REVERSE) &&
                tag->first < tag->last;
    return way(o, tag) + (back ? start_of(o, tag->last) - start_of(o, tag->first + 1) : 0);
}

/// Returns the time within all frames in a row that is shown t ns after a round starts [ns].
static int64_t place(const pv_frames *o, const pv_tag *tag, int64_t t) {
    bool from_last = tag->direction == PV_TAG_REVERSE || tag->direction == PV_TAG_PINGPONG_REVERSE;
    int64_t there = way(o, tag);
    if (t < there)
        return from_last ? o->entries[tag->last].end - 1 - t : start_of(o, tag->first) + t;
    t -= there;
    return from_last ? start_of(o, tag->first + 1) + t : start_of(o, tag->last) - 1 - t;
}

/// Compares ends of frames to a time. A frame that ends at the time comes before it.
static int compare_ends(const void *a, const void *b) {
    const frames_entry *left = a, *right = b;
    return left->end <= right->end ? -1 : 1;
}

int pv_frames_get_index_at(const pv_frames *frames, int tag, double seconds) {
    pv_tag of;
    if (!tag_of(frames, tag, &of)) return -1;
    int64_t t = seconds > 0 ? nanoseconds(pv__min(seconds, 1e9)) : 0;
    const frames_entry at = {.end = place(frames, &of, t % whole_round(frames, &of))},
                       *first = &frames->entries[of.first];
    return of.first + pv__sorted_place(first, of.last - of.first, sizeof *first, &at, compare_ends);
}
