/* mask.c - masks: created, read from pixels, shared, changed and measured.
 *
 * Invariant: bits at x >= w are zero, also after every change. A mask with more than one reference
 * never changes. A mask and its words are one block of memory.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/mask.h"
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/kernel.h"
#include "pixel/png.h"

#include <inttypes.h>
#include <string.h>

#define WORD sizeof(uint64_t)
/// Number of words before the bitmap in the block of a mask.
#define MASK_HEAD ((sizeof(pv_mask) + WORD - 1) / WORD)

static size_t block_words(int w, int h) { return MASK_HEAD + pv__bits_word_count(w, h); }

/* ---- making ---- */

pv_mask *pv__mask_make(pv_error *e, int w, int h, const pv_allocator *allocator) {
    pv_allocator from = pv__allocator(allocator);
    pv_mask *mask = pv__alloc(&from, block_words(w, h), WORD);
    if (!mask) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    mask->bits = (pv__bits){w, h, (uint64_t *)(void *)mask + MASK_HEAD};
    mask->allocator = from;
    atomic_init(&mask->references, 1);
    return mask;
}

pv_mask *pv__mask_make_sized(pv_error *e, int width, int height, const pv_allocator *allocator) {
    bool good = pv__check_size(e, "width", width, 0, PV__MAX_SIDE) &&
                pv__check_size(e, "height", height, 0, PV__MAX_SIDE);
    return good ? pv__mask_make(e, width, height, allocator) : NULL;
}

pv_mask *pv_mask_create(int width, int height, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__mask_make_sized(e, width, height, allocator);
}

pv_mask *pv__mask_double(pv_error *e, const pv_mask *mask) {
    pv_mask *copy = pv__mask_make(e, mask->bits.w, mask->bits.h, &mask->allocator);
    if (copy)
        memcpy(copy->bits.words, mask->bits.words,
               pv__bits_word_count(copy->bits.w, copy->bits.h) * WORD);
    return copy;
}

pv_mask *pv_mask_copy(const pv_mask *mask, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__check_pointer(e, "mask", mask) ? pv__mask_double(e, mask) : NULL;
}

pv_mask *pv_mask_retain(pv_mask *mask) {
    if (mask) atomic_fetch_add_explicit(&mask->references, 1, memory_order_relaxed);
    return mask;
}

void pv__mask_forget(pv_mask *mask) {
    pv__derived *derived = atomic_exchange(&mask->derived, NULL);
    if (derived) derived->free(derived);
}

/// Drops a reference and tells whether it was the last. The only reference needs no locked write.
static bool drop(pv_mask *mask) {
    return atomic_load_explicit(&mask->references, memory_order_acquire) == 1 ||
           atomic_fetch_sub_explicit(&mask->references, 1, memory_order_acq_rel) == 1;
}

void pv_mask_release(pv_mask *mask) {
    if (!mask || !drop(mask)) return;
    if (atomic_load_explicit(&mask->derived, memory_order_acquire)) pv__mask_forget(mask);
    pv_allocator from = mask->allocator;
    pv__free(&from, mask, block_words(mask->bits.w, mask->bits.h), WORD);
}

/* ---- from pixels ---- */

pv_mask_options pv_mask_options_default(void) {
    return (pv_mask_options){
        .alpha_threshold = 128, .limits = pv_image_limits_default(), .cookie = PV__COOKIE};
}

bool pv__mask_check_options(pv_error *e, const pv_mask_options *o) {
    return pv__check_made(e, "options", o, o->cookie, "pv_mask_options_default") &&
           pv__check_made(e, "options.limits", &o->limits, o->limits.cookie,
                          "pv_image_limits_default") &&
           pv__check_range(e, "options.alpha_threshold", o->alpha_threshold, 0, 255);
}

/// Finds the part of a w x h picture that the options select, and checks that it is inside.
static bool region_of(pv_error *e, const pv_mask_options *o, int w, int h, pv_rect *region) {
    *region = o->region;
    if (region->w == 0 && region->h == 0) *region = (pv_rect){0, 0, w, h};
    bool good = region->x >= 0 && region->y >= 0 && region->w >= 0 && region->h >= 0 &&
                region->w <= w - region->x && region->h <= h - region->y &&
                (region->w == 0) == (region->h == 0 || w == 0);
    return good || pv__error_say(e, PV_ERROR_ARGUMENT, "options.region",
                                 "options.region of %d x %d px at (%d, %d) is not in the %d x %d "
                                 "px of the picture",
                                 region->w, region->h, region->x, region->y, w, h) == PV_OK;
}

/// Computes the solidity test from an alpha mask, which has no gaps, and a threshold. An alpha v
/// scaled to 0...255 is (255 v + max / 2) / max, rounded down.
static bool solidity_of(pv_error *e, uint32_t alpha_mask, int threshold, pv__pixel_rows *o) {
    if (alpha_mask == 0) return true;
    int shift = __builtin_ctz(alpha_mask);
    uint64_t max = alpha_mask >> shift, wanted = (uint64_t)threshold * max;
    if (max & (max + 1))
        return pv__error_say(e, PV_ERROR_ARGUMENT, "pixels.alpha_mask",
                             "pixels.alpha_mask %#x has gaps", alpha_mask) == PV_OK;
    uint64_t least = wanted > max / 2 ? (wanted - max / 2 + 254) / 255 : 0;
    o->mask = alpha_mask;
    o->least = (uint32_t)least << shift;
    return true;
}

bool pv__check_rows(pv_error *e, const pv__rows_names *names, const void *data, int w, int h,
                    ptrdiff_t pitch, int64_t row_bytes) {
    if (w < 0) return pv__check_range(e, names->width, w, 0, PV__MAX_SIDE);
    if (h < 0) return pv__check_range(e, names->height, h, 0, PV__MAX_SIDE);
    if (w == 0 || h == 0) return true;
    if (!pv__check_pointer(e, names->data, data)) return false;
    uint64_t size = pitch < 0 ? 0 - (uint64_t)pitch : (uint64_t)pitch;
    if (h == 1 || size >= (uint64_t)row_bytes) return true;
    if (w > PV__MAX_SIDE) return pv__check_range(e, names->width, w, 0, PV__MAX_SIDE);
    e->value = (double)pitch, e->min = (double)row_bytes;
    return pv__error_say(e, PV_ERROR_ARGUMENT, names->pitch,
                         "%s is %td, a row has %" PRId64 " bytes", names->pitch, pitch,
                         row_bytes) == PV_OK;
}

static const pv__rows_names pixels_rows = {"pixels.data", "pixels.width", "pixels.height",
                                           "pixels.pitch"};

static bool check_pixels(pv_error *e, const pv_pixels *p) {
    if (!pv__check_pointer(e, "pixels", p) ||
        !pv__check_range(e, "pixels.bytes_per_pixel", p->bytes_per_pixel, 1, 4))
        return false;
    if (p->bytes_per_pixel < 4 && p->alpha_mask >> (8 * p->bytes_per_pixel))
        return pv__error_say(e, PV_ERROR_ARGUMENT, "pixels.alpha_mask",
                             "pixels.alpha_mask has bits beyond %d bytes of a pixel",
                             p->bytes_per_pixel) == PV_OK;
    return pv__check_rows(e, &pixels_rows, p->data, p->width, p->height, p->pitch,
                          (int64_t)p->width * p->bytes_per_pixel);
}

/// Creates a mask from checked pixels.
/// @param options null for the defaults
static pv_mask *mask_read(pv_error *e, const pv__rows_names *names, const pv_pixels *pixels,
                          const pv_mask_options *options) {
    pv_mask_options o = options ? *options : pv_mask_options_default();
    pv_rect region;
    pv__pixel_rows from = {.pitch = pixels->pitch, .size = pixels->bytes_per_pixel};
    if (!pv__mask_check_options(e, &o) ||
        !region_of(e, &o, pixels->width, pixels->height, &region) ||
        !solidity_of(e, pixels->alpha_mask, o.alpha_threshold, &from) ||
        !pv__check_size(e, names->width, region.w, 0, PV__MAX_SIDE) ||
        !pv__check_size(e, names->height, region.h, 0, PV__MAX_SIDE))
        return NULL;
    pv_mask *mask = pv__mask_make(e, region.w, region.h, &o.limits.allocator);
    if (!mask || region.w == 0) return mask;
    from.data = (const unsigned char *)pixels->data + region.y * from.pitch +
                (ptrdiff_t)region.x * from.size;
    (from.size == 4 ? pv__kernel_in_use() : &pv__kernel_generic)->pack(&from, &mask->bits);
    return mask;
}

pv_mask *pv_mask_from_pixels(const pv_pixels *pixels, const pv_mask_options *options,
                             pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return check_pixels(e, pixels) ? mask_read(e, &pixels_rows, pixels, options) : NULL;
}

/// Creates a mask from RGBA bytes.
static pv_mask *read_rgba(pv_error *e, const pv__rows_names *names, const void *rgba, int width,
                          int height, ptrdiff_t pitch, const pv_mask_options *options) {
    const unsigned char alpha[4] = {0, 0, 0, 255};
    pv_pixels pixels = {rgba, width, height, pitch, 4, 0};
    memcpy(&pixels.alpha_mask, alpha, sizeof alpha);
    bool good = pv__check_rows(e, names, rgba, width, height, pitch, (int64_t)width * 4);
    return good ? mask_read(e, names, &pixels, options) : NULL;
}

static pv_mask *read_image(pv_error *e, const pv_image *image, const pv_mask_options *options) {
    return read_rgba(e, &pv__image_rows, image->pixels, image->width, image->height,
                     (ptrdiff_t)image->width * 4, options);
}

pv_mask *pv_mask_from_rgba(const void *rgba, int width, int height, ptrdiff_t pitch,
                           const pv_mask_options *options, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return read_rgba(e, &pv__rgba_rows, rgba, width, height, pitch, options);
}

pv_mask *pv_mask_from_image(const pv_image *image, const pv_mask_options *options,
                            pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__check_pointer(e, "image", image) ? read_image(e, image, options) : NULL;
}

static pv_mask *from_image_once(pv_error *e, pv_image *image, const pv_mask_options *options) {
    pv_mask *mask = image ? read_image(e, image, options) : NULL;
    pv_image_destroy(image);
    return mask;
}

pv_mask *pv_mask_load(const char *path, const pv_mask_options *options, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (options && !pv__mask_check_options(e, options)) return NULL;
    pv_image *image = pv__image_load(e, path, options ? &options->limits : NULL, true);
    return from_image_once(e, image, options);
}

pv_mask *pv_mask_load_memory(const void *png, size_t size, const pv_mask_options *options,
                             pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (options && !pv__mask_check_options(e, options)) return NULL;
    pv_image *image = pv__image_load_memory(e, png, size, options ? &options->limits : NULL, true);
    return from_image_once(e, image, options);
}

/* ---- pixel by pixel ---- */

int pv_mask_get_width(const pv_mask *mask) { return mask ? mask->bits.w : 0; }

int pv_mask_get_height(const pv_mask *mask) { return mask ? mask->bits.h : 0; }
const uint64_t *pv_mask_get_words(const pv_mask *mask) {
    return mask && pv__bits_word_count(mask->bits.w, mask->bits.h) ? mask->bits.words : NULL;
}

bool pv_mask_get_pixel(const pv_mask *mask, int x, int y) {
    return mask && pv__bits_is_solid(&mask->bits, x, y);
}

/// Sets or clears the given bits in the word that holds a pixel.
static void change(const pv__bits *bits, int x, int y, uint64_t of, bool solid) {
    uint64_t *word = pv__bits_at(bits, x, y);
    *word = solid ? *word | of : *word & ~of;
}

pv_status pv_mask_set_pixel(pv_mask *mask, int x, int y, bool solid) {
    if (!mask || x < 0 || y < 0 || x >= mask->bits.w || y >= mask->bits.h) return PV_ERROR_ARGUMENT;
    if (!pv__mask_begin_edit(mask)) return PV_ERROR_SHARED;
    change(&mask->bits, x, y, UINT64_C(1) << (x & 63), solid);
    return PV_OK;
}

/// Clips from...from + size to 0...limit.
static void clip(int from, int size, int limit, int *low, int *high) {
    int64_t end = (int64_t)from + size;
    *low = from > 0 ? from : 0;
    *high = end < limit ? (int)(end > 0 ? end : 0) : limit;
}

pv_status pv_mask_fill_rect(pv_mask *mask, pv_rect rect, bool solid) {
    if (!mask || rect.w < 0 || rect.h < 0) return PV_ERROR_ARGUMENT;
    if (!pv__mask_begin_edit(mask)) return PV_ERROR_SHARED;
    int left, right, top, bottom;
    clip(rect.x, rect.w, mask->bits.w, &left, &right);
    clip(rect.y, rect.h, mask->bits.h, &top, &bottom);
    for (int x = left; x < right; x = (x | 63) + 1) {
        uint64_t of = pv__bits_between(x & 63, right - 1 - (x & ~63));
        for (int y = top; y < bottom; y++) change(&mask->bits, x, y, of, solid);
    }
    return PV_OK;
}

bool pv__mask_run_next(const pv__bits *bits, int y, pv__run *run) {
    run->start = pv__bits_find(bits, run->end, y, 0);
    run->end = pv__bits_find(bits, run->start, y, UINT64_MAX);
    return run->start < run->end;
}

/* ---- mass ---- */

/// Returns the integer nearest to sum / n.
static int64_t nearest(int64_t sum, int64_t n) { return (2 * sum + n) / (2 * n); }

/// Returns the sum of squares about the mean. An exact shift to an integer near the mean comes
/// first, so that the floating-point difference is small.
static double spread(int64_t n, int64_t sum, int64_t squares) {
    int64_t k = nearest(sum, n), rest = sum - n * k;
    uint64_t at = (uint64_t)k, mixed = 2 * at * (uint64_t)sum,
             square = (uint64_t)n * at * at; /* The sum wraps and wraps back. */
    return (double)(int64_t)((uint64_t)squares - mixed + square) -
           (double)rest * (double)rest / (double)n;
}

pv__sums pv__bits_sums(const pv__bits *bits) {
    pv__products o;
    pv__kernel_in_use()->products(bits, bits, 0, 0, &o);
    return (pv__sums){o.n, o.x, o.y, o.xx, o.yy};
}

void pv__bits_sums_add(pv__sums *all, const pv__sums *o, pv_point at, int64_t sign) {
    int64_t x = at.x, y = at.y;
    all->n += sign * o->n;
    all->x += sign * (o->x + o->n * x);
    all->y += sign * (o->y + o->n * y);
    all->xx += sign * (o->xx + 2 * x * o->x + o->n * x * x);
    all->yy += sign * (o->yy + 2 * y * o->y + o->n * y * y);
}

pv_mass_data pv__mask_mass_of(const pv__sums *o) {
    if (o->n == 0) return (pv_mass_data){0};
    double n = (double)o->n;
    return (pv_mass_data){
        .area = n,
        .centroid = pv__vec((double)o->x / n + 0.5, (double)o->y / n + 0.5),
        .inertia = spread(o->n, o->x, o->xx) + spread(o->n, o->y, o->yy) + n / 6.0,
    };
}

pv_mass_data pv_mask_compute_mass(const pv_mask *mask) {
    if (!mask) return (pv_mass_data){0};
    pv__sums o = pv__bits_sums(&mask->bits);
    return pv__mask_mass_of(&o);
}

uint64_t pv__bits_digest(const pv__bits *bits) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    pv__hash_word(&h, (uint64_t)bits->w << 32 | (uint64_t)bits->h);
    for (size_t i = 0; i < pv__bits_word_count(bits->w, bits->h); i++)
        pv__hash_word(&h, bits->words[i]);
    return h | 1;
}
