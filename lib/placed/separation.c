/* separation.c - distance and minimum translation of two placed sprites, and the measures of their
 * overlap.
 *
 * Invariant: both results derive from exact bitmaps of the parts near the other sprite. The search
 * widens these until no nearer pixel can lie beyond. Squared distances are integers, so comparisons
 * are exact.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "placed/placed.h"

/// Greatest search distance for a normal where the gradient vanishes [px].
#define FALLBACK_REACH 64

/* ---- separation ---- */

/// Bitmap over a part of the world, owned or borrowed.
typedef struct sheet {
    pv__bits bits;
    pv_rect rect;
    /// Number of owned words, 0 for a borrowed bitmap
    size_t words;
} sheet;

static pv_status sheet_of(const pv__sprite *s, pv_rect rect, const pv_allocator *from, sheet *out) {
    *out = (sheet){.rect = rect};
    if (rect.w == 0 || rect.h == 0) return PV_OK;
    if (!s->upright &&
        (rect.w > PV__MAX_SIDE || rect.h > PV__MAX_SIDE || (int64_t)rect.w * rect.h > PV__MAX_AREA))
        return PV_ERROR_TOO_LARGE;
    uint64_t *room = NULL;
    size_t words = s->upright ? 0 : pv__bits_word_count(rect.w, rect.h);
    if (words && !(room = pv__alloc(from, words, sizeof *room))) return PV_ERROR_MEMORY;
    out->words = words;
    out->bits = pv__placed_sprite_part(s, &out->rect, room);
    return PV_OK;
}

static void free_sheets(const pv_allocator *from, const sheet s[2]) {
    for (int i = 0; i < 2; i++)
        if (s[i].words) PV__FREE(from, s[i].bits.words, s[i].words);
}

/// Makes the bitmaps of both sprites within reach of the other's rectangle.
static pv_status sheets_of(const pv__sprite *a, const pv__sprite *b, int reach,
                           const pv_allocator *from, sheet out[2]) {
    pv_rect near_b = pv__rect_meet(a->rect, pv__rect_grown(b->rect, reach)),
            near_a = pv__rect_meet(b->rect, pv__rect_grown(a->rect, reach));
    out[1] = (sheet){0};
    pv_status status = sheet_of(a, near_b, from, &out[0]);
    if (status == PV_OK) status = sheet_of(b, near_a, from, &out[1]);
    if (status != PV_OK) free_sheets(from, out);
    return status;
}

/// Tests the pixels of one word of b at 64 offsets over a. The outermost pixels come first, as they
/// decide most offsets.
static uint64_t obstacle_word(const pv__bits *a, int64_t y, uint64_t pixels, int64_t column,
                              uint64_t wanted) {
    uint64_t hit = 0;
    while (pixels && wanted & ~hit) {
        int low = __builtin_ctzll(pixels), high = 63 - __builtin_clzll(pixels);
        hit |= pv__bits_word(a, column + low, y) | pv__bits_word(a, column + high, y);
        pixels &= ~(UINT64_C(1) << low | UINT64_C(1) << high);
    }
    return hit;
}

/// Tests rows top...bottom - 1 of a against b. Returns hit with the new offsets added.
static uint64_t obstacle_rows(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                              int64_t top, int64_t bottom, uint64_t wanted, uint64_t hit) {
    int64_t first = -dx - 63 > 0 ? (-dx - 63) >> 6 : 0, last = (a->w - 1 - dx) >> 6;
    if (last >= pv__bits_stripes(b->w)) last = pv__bits_stripes(b->w) - 1;
    for (int64_t y = top; y < bottom; y++)
        for (int64_t s = first; s <= last && wanted & ~hit; s++)
            hit |= obstacle_word(a, y, b->words[s * b->h + y - dy], s * 64 + dx, wanted & ~hit);
    return hit;
}

/// Returns 64 offsets of the Minkowski sum. Bit k is set if a and b share a pixel with b at (dx +
/// k, dy). Only wanted bits are valid. Rows from the middle on come first, as most overlaps are
/// there.
static uint64_t obstacle(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                         uint64_t wanted) {
    int64_t top = dy > 0 ? dy : 0, bottom = b->h + dy < a->h ? b->h + dy : a->h,
            middle = (top + bottom) / 2;
    if (top >= bottom) return 0;
    uint64_t hit = obstacle_rows(a, b, dx, dy, middle, bottom, wanted, 0);
    return obstacle_rows(a, b, dx, dy, top, middle, wanted, hit);
}

/// Finds the free offset of b nearest to column 0 of row dy, at most limit away. Of two equally
/// near ones, the right one wins. Returns false without one.
static bool free_in_row(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int limit,
                        int *found) {
    for (int k = 0; k <= limit; k += 64) {
        uint64_t wanted = limit - k < 63 ? (UINT64_C(2) << (limit - k)) - 1 : ~UINT64_C(0);
        uint64_t mirrored = ~UINT64_C(0) << (limit - k < 63 ? 63 - (limit - k) : 0);
        uint64_t right = wanted & ~obstacle(a, b, dx + k, dy, wanted);
        uint64_t left = mirrored & ~obstacle(a, b, dx - k - 63, dy, mirrored);
        if (!right && !left) continue;
        int to_right = right ? __builtin_ctzll(right) : 64,
            to_left = left ? __builtin_clzll(left) : 64;
        *found = to_right <= to_left ? k + to_right : -k - to_left;
        return true;
    }
    return false;
}

/// Returns the greatest i with i^2 < below, for 0 < below < 2^62.
static int root_below(int64_t below) {
    int64_t i = (int64_t)sqrt((double)below);
    while (i * i >= below) i--;
    while ((i + 1) * (i + 1) < below) i++;
    return (int)i;
}

/// Finds the shortest free translation of b of at most reach, over rows 0, -1, 1, -2...
static bool shortest_way(const sheet s[2], int reach, int way[2]) {
    int64_t dx = (int64_t)s[1].rect.x - s[0].rect.x, dy = (int64_t)s[1].rect.y - s[0].rect.y;
    int64_t best = (int64_t)reach * reach + 1;
    bool any = false;
    for (int64_t n = 0; n * n < best; n++)
        for (int side = -1; side <= (n ? 1 : -1); side += 2) {
            int i;
            if (n * n >= best || !free_in_row(&s[0].bits, &s[1].bits, dx, dy + side * n,
                                              root_below(best - n * n), &i))
                continue;
            best = (int64_t)i * i + n * n;
            way[0] = i;
            way[1] = (int)(side * n);
            any = true;
        }
    return any;
}

/// Returns the shortest axis-parallel translation that moves b out of a's rectangle [px].
static int way_out(pv_rect a, pv_rect b) {
    int x = pv__sooner(a.x + a.w - b.x, b.x + b.w - a.x),
        y = pv__sooner(a.y + a.h - b.y, b.y + b.h - a.y);
    return a.w && a.h && b.w && b.h ? pv__later(pv__sooner(x, y), 0) : 0;
}

/// Finds the shortest translation of b after which the sprites share no pixel. Sets *found to
/// whether there is one of at most limit [px]. The search starts with a small reach, so that most
/// bitmaps are small.
static pv_status separate(const pv__sprite *a, const pv__sprite *b, int limit,
                          const pv_allocator *from, int way[2], bool *found) {
    int out = pv__sooner(way_out(a->rect, b->rect), limit);
    way[0] = way[1] = 0;
    *found = true;
    if (out == 0 || !pv__placed_sprites_hit(a, b)) return PV_OK;
    for (int reach = 16;; reach = reach > out / 2 ? out : 2 * reach) {
        sheet sheets[2];
        reach = pv__sooner(reach, out);
        pv_status status = sheets_of(a, b, reach, from, sheets);
        if (status != PV_OK) return status;
        *found = shortest_way(sheets, reach, way);
        free_sheets(from, sheets);
        if (*found || reach == out) return PV_OK;
    }
}

pv_status pv_placed_compute_mtv(const pv_placed *a, const pv_placed *b, pv_vec2 *separation) {
    pv__sprite p, q;
    int way[2];
    bool found;
    if (!separation) return PV_ERROR_ARGUMENT;
    *separation = pv__vec(0, 0);
    pv_status status = pv__placed_sprite_of(a, &p);
    if (status == PV_OK) status = pv__placed_sprite_of(b, &q);
    if (status == PV_OK) status = separate(&p, &q, PV__FARTHEST, &a->mask->allocator, way, &found);
    if (status == PV_OK) *separation = pv__vec(way[0], way[1]);
    return status;
}

/* ---- distance ---- */

/// Returns the last solid column <= from of a row, or -1.
static int last_solid(const pv__bits *b, int y, int from) {
    if (from >= b->w) from = b->w - 1;
    for (int s = from >> 6; from >= 0 && s >= 0; s--) {
        uint64_t word = b->words[(size_t)s * (size_t)b->h + (size_t)y];
        if (s == from >> 6) word &= ~UINT64_C(0) >> (63 - (from & 63));
        if (word) return s * 64 + 63 - __builtin_clzll(word);
    }
    return -1;
}

/// Pair of pixels in the world, and the squared distance of their squares.
typedef struct nearest_pair {
    int64_t square;
    int ax, ay, bx, by;
} nearest_pair;

static int64_t gap(int64_t from, int64_t to) {
    int64_t apart = from < to ? to - from : from - to;
    return apart > 1 ? apart - 1 : 0;
}

static void offer(nearest_pair *best, int ax, int ay, int bx, int by) {
    int64_t x = gap(ax, bx), y = gap(ay, by), square = x * x + y * y;
    if (square < best->square) *best = (nearest_pair){square, ax, ay, bx, by};
}

/// Compares two rows. Among a's pixels before the next pixel of b, only the first and the last can
/// be nearest, so it skips those between.
static void offer_rows(const sheet *a, const sheet *b, int ya, int yb, nearest_pair *best) {
    int shift = a->rect.x - b->rect.x, wya = a->rect.y + ya, wyb = b->rect.y + yb;
    for (int x = -1; (x = pv__bits_find(&a->bits, x + 1, ya, 0)) < a->bits.w;) {
        int right = pv__bits_find(&b->bits, pv__later(x + shift, 0), yb, 0),
            left = last_solid(&b->bits, yb, x + shift);
        if (left >= 0) offer(best, a->rect.x + x, wya, b->rect.x + left, wyb);
        if (right >= b->bits.w || right == left) return;
        x = last_solid(&a->bits, ya, right - shift);
        offer(best, a->rect.x + x, wya, b->rect.x + right, wyb);
    }
}

/// Compares each row of b with the rows of a, up and down from its own height.
static void offer_all(const sheet *a, const sheet *b, nearest_pair *best) {
    for (int yb = 0; yb < b->bits.h; yb++) {
        int at = b->rect.y + yb - a->rect.y, h = a->bits.h;
        if (pv__bits_find(&b->bits, 0, yb, 0) == b->bits.w) continue;
        for (int ya = pv__later(at, 0); ya < h && gap(at, ya) * gap(at, ya) < best->square; ya++)
            offer_rows(a, b, ya, yb, best);
        for (int ya = pv__sooner(at, h) - 1; ya >= 0 && gap(at, ya) * gap(at, ya) < best->square;
             ya--)
            offer_rows(a, b, ya, yb, best);
    }
}

/// Finds the nearest pixels, starting with a small reach. Pixels beyond reach of the other
/// rectangle are farther away than the reach.
static pv_status nearest_pixels(const pv__sprite *a, const pv__sprite *b, const pv_allocator *from,
                                nearest_pair *best) {
    pv_rect p = a->rect, q = b->rect;
    int x = pv__later(q.x - p.x - p.w, p.x - q.x - q.w),
        y = pv__later(q.y - p.y - p.h, p.y - q.y - q.h);
    if (p.w == 0 || p.h == 0 || q.w == 0 || q.h == 0) return PV_ERROR_EMPTY;
    for (int reach = pv__later(pv__later(x, y), 0) + 16;;
         reach = pv__sooner(reach, PV__FARTHEST / 2) * 2) {
        sheet sheets[2];
        pv_status status = sheets_of(a, b, reach, from, sheets);
        if (status != PV_OK) return status;
        best->square = INT64_MAX;
        offer_all(&sheets[0], &sheets[1], best);
        free_sheets(from, sheets);
        if (best->square <= (int64_t)reach * reach) return PV_OK;
        if (pv__rect_contains(pv__rect_grown(q, reach), p) &&
            pv__rect_contains(pv__rect_grown(p, reach), q))
            return best->square == INT64_MAX ? PV_ERROR_EMPTY : PV_OK;
    }
}

/// Returns the point of pixel a's interval that is nearest to pixel b's.
static double near_side(int a, int b) { return a == b ? a + 0.5 : a < b ? a + 1 : a; }

pv_status pv_placed_compute_distance(const pv_placed *a, const pv_placed *b,
                                     pv_distance_result *nearest) {
    pv__sprite p, q;
    nearest_pair best = {0};
    if (!nearest) return PV_ERROR_ARGUMENT;
    *nearest = (pv_distance_result){0};
    pv_status status = pv__placed_sprite_of(a, &p);
    if (status == PV_OK) status = pv__placed_sprite_of(b, &q);
    if (status == PV_OK) status = nearest_pixels(&p, &q, &a->mask->allocator, &best);
    if (status != PV_OK) return status;
    nearest->distance = sqrt((double)best.square);
    nearest->point_a = pv__vec(near_side(best.ax, best.bx), near_side(best.ay, best.by));
    nearest->point_b = pv__vec(near_side(best.bx, best.ax), near_side(best.by, best.ay));
    return PV_OK;
}

/* ---- overlaps ---- */

static pv_vec2 middle_of(const pv_placed *p) {
    return pv_transform_to_world(&p->transform,
                                 pv__vec(0.5 * p->mask->bits.w, 0.5 * p->mask->bits.h));
}

/// Sets the normal and depth of an overlap whose gradient vanishes.
static void settle(const pv_placed *a, const pv_placed *b, const pv__sprite *p, const pv__sprite *q,
                   pv_overlap *overlap) {
    int way[2];
    bool found = false;
    pv_vec2 apart = pv__sub(middle_of(b), middle_of(a));
    overlap->depth = FALLBACK_REACH;
    if (separate(p, q, FALLBACK_REACH, &a->mask->allocator, way, &found) == PV_OK && found) {
        apart = pv__vec(way[0], way[1]);
        overlap->depth = pv__length(apart);
    }
    double length = pv__length(apart);
    overlap->normal = length > 1e-9 ? pv__mul(1.0 / length, apart) : pv__vec(0, -1);
}

bool pv_placed_compute_overlap(const pv_placed *a, const pv_placed *b, pv_overlap *overlap) {
    pv__sprite p, q;
    pv_overlap unwanted;
    if (!overlap) overlap = &unwanted;
    *overlap = (pv_overlap){0};
    if (pv__placed_sprite_of(a, &p) != PV_OK || pv__placed_sprite_of(b, &q) != PV_OK) return false;
    pv__placed_measure(&p, &q, overlap);
    if (overlap->area == 0) return false;
    if (overlap->normal.x == 0 && overlap->normal.y == 0) settle(a, b, &p, &q, overlap);
    return true;
}
