/* pv_morph.c - masks grown and shrunk by a brush, and the obstacle that one is to another.
 *
 * Invariant: the mask itself is never changed, and what lies beside it counts as empty. Runs of a brush are
 * spread whole, by doubling; circles are drawn in whole numbers.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_pixels.h"

/// Combines what lies 0...span - 1 pixels to the left and above into each pixel, doubling what is done.
static void spread_square(const pv__bits *bits, int span, pv_combine op) {
    for (int down = 0; down < 2; down++)
        for (int done = 1; done < span;) {
            int step = span - done < done ? span - done : done;
            pv__bits_combine(bits, bits, down ? 0 : step, down ? step : 0, op);
            done += step;
        }
}

/* Combines work, moved by (x, y) - p for each solid pixel p of shape, into out. With PV_COMBINE_OR work needs room at
 * the right for what is moved there by less than the width of shape. Work is used up.
 * A run of length n is covered by two of the largest power of two within n, so work, in which a run of size is
 * one pixel, has to be put twice. */
static void spread(const pv__bits *out, const pv__bits *work, const pv__bits *shape, int x, int y,
                   pv_combine op) {
    bool longer = true;
    for (int size = 1; longer; size *= 2) {
        if (size > 1) pv__bits_combine(work, work, size / 2, 0, op);
        longer = false;
        for (int row = 0; row < shape->h; row++)
            for (pv__run run = {0, 0}; pv__run_next(shape, row, &run);) {
                int n = run.end - run.start;
                longer = longer || n >= 2 * size;
                if (n < size || n >= 2 * size) continue;
                pv__bits_combine(out, work, x + 1 - run.end, y - row, op);
                if (n > size) pv__bits_combine(out, work, x + 1 - run.start - size, y - row, op);
            }
    }
}

/// The pixels within radius of the middle one of a square, centre to centre; the radius is below 2^14.
static pv_mask *disc(int radius, const pv_mask *like, pv_status *status) {
    int side = 2 * radius + 1, reach = 0;
    pv_mask *made = pv__mask_like(side, side, like, status);
    if (!made) return NULL;
    for (int y = 0; y < side; y++) {
        int down = y - radius, room = radius * radius - down * down;
        while (reach * reach <= room) reach++;
        while (reach * reach > room) reach--;
        pv_mask_fill(made, (pv_rect){radius - reach, y, 2 * reach + 1, 1}, true);
    }
    return made;
}

/// The Minkowski sum of a mask and a mirrored shape; both have pixels.
static pv_mask *sum_of(const pv_mask *mask, const pv_mask *shape, pv_status *status) {
    int w = shape->bits.w - 1, h = shape->bits.h - 1;
    pv_mask *made = pv__mask_like((int64_t)mask->bits.w + w, (int64_t)mask->bits.h + h, mask, status);
    pv_mask *work = made ? pv_mask_crop(mask, (pv_rect){0, 0, made->bits.w, mask->bits.h}, status) : NULL;
    if (work) spread(&made->bits, &work->bits, &shape->bits, w, h, PV_COMBINE_OR);
    if (!work) pv_mask_release(made);
    pv_mask_release(work);
    return work ? made : NULL;
}

static bool brush_good(const pv_mask *mask, int radius, pv_brush brush) {
    return mask && radius >= 0 && (brush == PV_BRUSH_SQUARE || brush == PV_BRUSH_DISC);
}

pv_mask *pv_mask_dilate(const pv_mask *mask, int radius, pv_brush brush, pv_status *status) {
    if (!brush_good(mask, radius, brush)) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    int64_t w = mask->bits.w + 2 * (int64_t)radius, h = mask->bits.h + 2 * (int64_t)radius;
    if (w > PV__MAX_SIDE || h > PV__MAX_SIDE) return pv__say(status, PV_ERROR_TOO_LARGE), NULL;
    bool none = mask->bits.w == 0 || mask->bits.h == 0;
    if (brush == PV_BRUSH_SQUARE || none) {
        pv_mask *made = pv_mask_crop(mask, (pv_rect){0, 0, (int)w, (int)h}, status);
        if (made) spread_square(&made->bits, 2 * radius + 1, PV_COMBINE_OR);
        return made;
    }
    pv_mask *shape = disc(radius, mask, status);
    pv_mask *made = shape ? sum_of(mask, shape, status) : NULL;
    pv_mask_release(shape);
    return made;
}

static pv_mask *erode_square(const pv_mask *mask, int radius, pv_status *status) {
    pv_mask *work = pv_mask_copy(mask, status);
    if (!work) return NULL;
    spread_square(&work->bits, 2 * radius + 1, PV_COMBINE_AND);
    pv_mask *made = pv_mask_crop(work, (pv_rect){radius, radius, mask->bits.w, mask->bits.h}, status);
    pv_mask_release(work);
    return made;
}

static pv_mask *erode_disc(const pv_mask *mask, int radius, pv_status *status) {
    pv_mask *shape = disc(radius, mask, status), *work = shape ? pv_mask_copy(mask, status) : NULL;
    pv_mask *made = work ? pv__mask_like(mask->bits.w, mask->bits.h, mask, status) : NULL;
    if (made) {
        pv_mask_fill_all(made, true);
        spread(&made->bits, &work->bits, &shape->bits, radius, radius, PV_COMBINE_AND);
    }
    pv_mask_release(work);
    pv_mask_release(shape);
    return made;
}

pv_mask *pv_mask_erode(const pv_mask *mask, int radius, pv_brush brush, pv_status *status) {
    if (!brush_good(mask, radius, brush)) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    /* a brush that is wider than the picture leaves nothing, however large */
    if (radius > (mask->bits.w - 1) / 2 || radius > (mask->bits.h - 1) / 2)
        return pv__mask_like(mask->bits.w, mask->bits.h, mask, status);
    return brush == PV_BRUSH_SQUARE ? erode_square(mask, radius, status) : erode_disc(mask, radius, status);
}

pv_mask *pv_mask_obstacle(const pv_mask *a, const pv_mask *b, pv_status *status) {
    if (!a || !b) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    bool none = a->bits.w == 0 || a->bits.h == 0 || b->bits.w == 0 || b->bits.h == 0;
    return none ? pv_mask_create(0, 0, &a->allocator, status) : sum_of(a, b, status);
}
