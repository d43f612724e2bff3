/* separation.c - how far apart two placed sprites are, and by which way they come apart.
 *
 * Invariant: both are answered on the exact bitmaps of what one sprite has near the other, which is
 * made wider until nothing nearer can lie beyond it; squares of distances are whole numbers, so
 * none is taken for another.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/base.h"
#include "placed/separation.h"

/* ---- separation ---- */

/// A bitmap over a part of the world, made or borrowed.
typedef struct sheet {
    pv__bits bits;
    pv_rect rect;
    const pv_allocator *from;
    /// 0: borrowed
    size_t words;
} sheet;

static pv_status sheet_of(const pv__sprite *s, pv_rect rect, const pv_allocator *from, sheet *out) {
    *out = (sheet){.rect = rect, .from = from};
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

static void sheet_free(sheet *s) {
    if (s->words) pv__free(s->from, s->bits.words, s->words, sizeof *s->bits.words);
}

/// Bitmaps of what each sprite has within reach of the other's rectangle.
static pv_status sheets_of(const pv__sprite *a, const pv__sprite *b, int reach,
                           const pv_allocator *from, sheet out[2]) {
    pv_status status =
        sheet_of(a, pv__rect_meet(a->rect, pv__rect_grown(b->rect, reach)), from, &out[0]);
    if (status != PV_OK) return status;
    status = sheet_of(b, pv__rect_meet(b->rect, pv__rect_grown(a->rect, reach)), from, &out[1]);
    if (status != PV_OK) sheet_free(&out[0]);
    return status;
}

/// Bits column...column + 63 of row y; beside the bitmap there are none.
static uint64_t separation_word_at(const pv__bits *bits, int64_t column, int y) {
    int shift = (int)(column & 63);
    int64_t stripe = (column - shift) / 64, stripes = pv__bits_stripes(bits->w);
    const uint64_t *row = bits->words + y;
    uint64_t word = stripe >= 0 && stripe < stripes ? row[stripe * bits->h] >> shift : 0;
    if (shift && stripe >= -1 && stripe + 1 < stripes)
        word |= row[(stripe + 1) * bits->h] << (64 - shift);
    return word;
}

/// The pixels of one word of b, each over 64 places of a. The outermost ones, taken by turns,
/// settle most places.
static uint64_t obstacle_word(const pv__bits *a, int64_t y, uint64_t pixels, int64_t column,
                              uint64_t wanted) {
    uint64_t hit = 0;
    while (pixels && wanted & ~hit) {
        int low = __builtin_ctzll(pixels), high = 63 - __builtin_clzll(pixels);
        hit |= separation_word_at(a, column + low, (int)y) |
               separation_word_at(a, column + high, (int)y);
        pixels &= ~(UINT64_C(1) << low | UINT64_C(1) << high);
    }
    return hit;
}

/// Rows top...bottom - 1 of a against b: hit with what is added to it.
static uint64_t obstacle_rows(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                              int64_t top, int64_t bottom, uint64_t wanted, uint64_t hit) {
    int64_t first = -dx - 63 > 0 ? (-dx - 63) >> 6 : 0, last = (a->w - 1 - dx) >> 6;
    if (last >= pv__bits_stripes(b->w)) last = pv__bits_stripes(b->w) - 1;
    for (int64_t y = top; y < bottom; y++)
        for (int64_t s = first; s <= last && wanted & ~hit; s++)
            hit |= obstacle_word(a, y, b->words[s * b->h + y - dy], s * 64 + dx, wanted & ~hit);
    return hit;
}

/// Whether a and b share a pixel with b at (dx + k, dy), in bit k, as far as bits are wanted. Rows
/// from the middle on come first: there is most to hit.
static uint64_t obstacle(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                         uint64_t wanted) {
    int64_t top = dy > 0 ? dy : 0, bottom = b->h + dy < a->h ? b->h + dy : a->h,
            middle = (top + bottom) / 2;
    if (top >= bottom) return 0;
    uint64_t hit = obstacle_rows(a, b, dx, dy, middle, bottom, wanted, 0);
    return obstacle_rows(a, b, dx, dy, top, middle, wanted, hit);
}

/// The place nearest to column 0 of row dy, at most limit away, where b is free; the right one of
/// two. False: none.
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

/// The largest i with i^2 < below, for 0 < below < 2^62.
static int root_below(int64_t below) {
    int64_t i = (int64_t)sqrt((double)below);
    while (i * i >= below) i--;
    while ((i + 1) * (i + 1) < below) i++;
    return (int)i;
}

/// The shortest free way of b, at most reach long: rows 0, -1, 1, -2...
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

/// Returns how far b must go along an axis at most, to be off a's rectangle.
static int way_out(pv_rect a, pv_rect b) {
    int x = pv__sooner(a.x + a.w - b.x, b.x + b.w - a.x),
        y = pv__sooner(a.y + a.h - b.y, b.y + b.h - a.y);
    return a.w && a.h && b.w && b.h ? pv__later(pv__sooner(x, y), 0) : 0;
}

/* Looks near first, so that most bitmaps made are small. */
pv_status pv__separation_of_sprites(const pv__sprite *a, const pv__sprite *b, int limit,
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
        sheet_free(&sheets[0]);
        sheet_free(&sheets[1]);
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
    if (status == PV_OK)
        status = pv__separation_of_sprites(&p, &q, PV__FARTHEST, &a->mask->allocator, way, &found);
    if (status == PV_OK) *separation = pv__vec(way[0], way[1]);
    return status;
}

/* ---- distance ---- */

/// The first column >= from of a row that is solid, or w.
static int next_solid(const pv__bits *b, int y, int from) {
    if (from < 0) from = 0;
    for (int s = from >> 6; s < pv__bits_stripes(b->w); s++) {
        uint64_t word = b->words[(size_t)s * (size_t)b->h + (size_t)y];
        if (s == from >> 6) word &= ~UINT64_C(0) << (from & 63);
        if (word) return s * 64 + __builtin_ctzll(word);
    }
    return b->w;
}

/// The last column <= from of a row that is solid, or -1.
static int last_solid(const pv__bits *b, int y, int from) {
    if (from >= b->w) from = b->w - 1;
    for (int s = from >> 6; from >= 0 && s >= 0; s--) {
        uint64_t word = b->words[(size_t)s * (size_t)b->h + (size_t)y];
        if (s == from >> 6) word &= ~UINT64_C(0) >> (63 - (from & 63));
        if (word) return s * 64 + 63 - __builtin_clzll(word);
    }
    return -1;
}

/// A pair of pixels, in the world, and the square of the distance of their squares.
typedef struct nearest_pair {
    int64_t square;
    int ax, ay, bx, by;
} nearest_pair;

static int64_t separation_gap(int64_t from, int64_t to) {
    int64_t apart = from < to ? to - from : from - to;
    return apart > 1 ? apart - 1 : 0;
}

static void separation_offer(nearest_pair *best, int ax, int ay, int bx, int by) {
    int64_t x = separation_gap(ax, bx), y = separation_gap(ay, by), square = x * x + y * y;
    if (square < best->square) *best = (nearest_pair){square, ax, ay, bx, by};
}

/// The rows of two sheets, each by where its solid pixels begin and end, in the world.
typedef struct extent {
    /// Last < first: none
    int first, last;
} extent;

static void read_extents(const sheet *s, extent *out) {
    for (int y = 0; y < s->bits.h; y++) {
        int first = next_solid(&s->bits, y, 0), last = last_solid(&s->bits, y, s->bits.w - 1);
        out[y] = last < 0 ? (extent){0, -1} : (extent){s->rect.x + first, s->rect.x + last};
    }
}

/// Two rows whose extents overlap. Of the pixels of a up to the next one of b the first is nearest
/// to b's last and the last to b's next, so those between are passed over.
static void offer_interleaved(const sheet *a, const sheet *b, int ya, int yb, nearest_pair *best) {
    int shift = a->rect.x - b->rect.x, wya = a->rect.y + ya, wyb = b->rect.y + yb;
    for (int x = next_solid(&a->bits, ya, 0); x < a->bits.w; x = next_solid(&a->bits, ya, x + 1)) {
        int right = next_solid(&b->bits, yb, x + shift), left = last_solid(&b->bits, yb, x + shift);
        if (left >= 0) separation_offer(best, a->rect.x + x, wya, b->rect.x + left, wyb);
        if (right >= b->bits.w || right == left) return;
        x = last_solid(&a->bits, ya, right - shift);
        separation_offer(best, a->rect.x + x, wya, b->rect.x + right, wyb);
    }
}

static void offer_rows(const sheet s[2], const extent *ea, const extent *eb, int ya, int yb,
                       nearest_pair *best) {
    extent p = ea[ya], q = eb[yb];
    int wya = s[0].rect.y + ya, wyb = s[1].rect.y + yb;
    if (p.last < p.first || q.last < q.first) return;
    if (p.last < q.first)
        separation_offer(best, p.last, wya, q.first, wyb);
    else if (q.last < p.first)
        separation_offer(best, p.first, wya, q.last, wyb);
    else
        offer_interleaved(&s[0], &s[1], ya, yb, best);
}

/// Each row of b against the rows of a, from its own height on up and down until they are too far.
static void offer_all(const sheet s[2], const extent *ea, const extent *eb, nearest_pair *best) {
    for (int yb = 0; yb < s[1].bits.h; yb++) {
        if (eb[yb].last < eb[yb].first) continue;
        int at = s[1].rect.y + yb - s[0].rect.y, h = s[0].bits.h;
        for (int ya = pv__later(at, 0);
             ya < h && separation_gap(at, ya) * separation_gap(at, ya) < best->square; ya++)
            offer_rows(s, ea, eb, ya, yb, best);
        for (int ya = pv__sooner(at, h) - 1;
             ya >= 0 && separation_gap(at, ya) * separation_gap(at, ya) < best->square; ya--)
            offer_rows(s, ea, eb, ya, yb, best);
    }
}

static pv_status nearest_of(const sheet s[2], const pv_allocator *from, nearest_pair *best) {
    size_t rows = (size_t)s[0].bits.h + (size_t)s[1].bits.h;
    best->square = INT64_MAX;
    if (rows == 0) return PV_OK;
    extent *extents = pv__alloc(from, rows, sizeof *extents);
    if (!extents) return PV_ERROR_MEMORY;
    read_extents(&s[0], extents);
    read_extents(&s[1], extents + s[0].bits.h);
    offer_all(s, extents, extents + s[0].bits.h, best);
    pv__free(from, extents, rows, sizeof *extents);
    return PV_OK;
}

static bool separation_holds(pv_rect outer, pv_rect r) {
    return r.x >= outer.x && r.y >= outer.y && r.x + r.w <= outer.x + outer.w &&
           r.y + r.h <= outer.y + outer.h;
}

/// Looks near first; what is beyond the reach of the other's rectangle is farther than that.
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
        status = nearest_of(sheets, from, best);
        sheet_free(&sheets[0]);
        sheet_free(&sheets[1]);
        if (status != PV_OK || best->square <= (int64_t)reach * reach) return status;
        if (separation_holds(pv__rect_grown(q, reach), p) &&
            separation_holds(pv__rect_grown(p, reach), q))
            return best->square == INT64_MAX ? PV_ERROR_EMPTY : PV_OK;
    }
}

/// Returns where the interval of pixel a is nearest to that of pixel b.
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
