/* kernel_rows.h - the common part of the kernels, with vectors of one or more rows of a stripe.
 *
 * Invariant: the including file defines ROWS (the number of words in a vector), vec, rows_mask,
 * load and the operations used here. Operators work on the words of a vec. A rows_mask marks
 * existing rows, and between(low, high) is the mask of rows low...high - 1. Rows that do not exist
 * are zero and are not read. There is no guard, as each kernel includes this file for itself.
 *
 * SPDX-License-Identifier: Zlib
 */

/* ---- rows of b over a ---- */

/// Column of vectors. Shifts by 64 or more give zero, so that a missing stripe of b needs no mask.
typedef struct column {
    const uint64_t *low, *high;
    vec right, left;
} column;

WIDE column column_of(const pv__column *b) {
    int64_t right = b->shift | (int64_t)(~b->keep_low & 64),
            left = (64 - b->shift) | (int64_t)(~b->keep_high & 64);
    return (column){b->low, b->high, each(right), each(left)};
}

/// Returns the column of a one-stripe b whose first pixel lies x to the right of a's stripe.
WIDE column column_of_one(const uint64_t *words, int64_t x) {
    return (column){words, words, each(x < 0 ? -x : 64), each(x < 0 ? 64 : x)};
}

WIDE vec joined(vec low, vec high, const column *b) {
    return shift_right(low, b->right) | shift_left(high, b->left);
}

WIDE vec moved(const column *b, int i, rows_mask rows) {
    return joined(load(b->low + i, rows), load(b->high + i, rows), b);
}

WIDE vec shared(const uint64_t *a, const column *b, int i, rows_mask rows) {
    return load(a + i, rows) & moved(b, i, rows);
}

/// Lane of two bitmaps of one stripe each, as most sprites have one stripe. A column that is
/// shifted out of the stripe is zero by itself.
typedef struct narrow_lane {
    const uint64_t *a;
    column b;
    int n;
} narrow_lane;

WIDE bool is_narrow(const pv__bits *a, const pv__bits *b) {
    return (unsigned)(a->w - 1) < 64 && (unsigned)(b->w - 1) < 64;
}

WIDE bool narrow_lane_of(narrow_lane *l, const pv__bits *a, const pv__bits *b, int64_t dx,
                         int64_t dy) {
    int64_t top = dy > 0 ? dy : 0, bottom = dy + b->h < a->h ? dy + b->h : a->h;
    if (bottom <= top) return false;
    *l = (narrow_lane){a->words + top, column_of_one(b->words + (top - dy), dx),
                       (int)(bottom - top)};
    return true;
}

/* ---- b at three offsets ---- */

/// Difference between b's three offsets: shifts only, with one stripe or with several, or also
/// stripes.
typedef enum places_of_b { ONE, SAME, ANY } places_of_b;

/// Bitmap b moved by dx - radius, dx and dx + radius over a stripe of a. Row i of b lies on row top
/// + i of a.
typedef struct fan {
    const uint64_t *a;
    column left, mid, right;
    int top, rows, height;
    places_of_b kind;
} fan;

WIDE fan fan_of(const pv__window *o, int stripe, int radius) {
    fan f = {.a = o->a->words + (ptrdiff_t)stripe * o->a->h,
             .top = o->top,
             .rows = o->rows,
             .height = o->a->h};
    int64_t row = o->top - o->dy, x = o->dx - stripe * 64;
    if (o->b->w <= 64) {
        f.left = column_of_one(o->b->words + row, x - radius);
        f.mid = column_of_one(o->b->words + row, x);
        f.right = column_of_one(o->b->words + row, x + radius);
        f.kind = ONE;
        return f;
    }
    pv__column left = pv__column_of(o->b, o->dx - radius, stripe, row),
               mid = pv__column_of(o->b, o->dx, stripe, row);
    pv__column right = pv__column_of(o->b, o->dx + radius, stripe, row);
    f.left = column_of(&left);
    f.mid = column_of(&mid);
    f.right = column_of(&right);
    bool same = left.low == right.low && left.high == right.high && left.low == mid.low &&
                left.high == mid.high;
    f.kind = same ? SAME : ANY;
    return f;
}

/// Rows of the fan, with the rows of a that lie radius above, on and radius below them.
typedef struct patch {
    vec left, mid, right;
    vec above, level, below;
} patch;

WIDE vec rows_of_a(const fan *f, int y, bool inside) {
    return inside ? load_all(f->a + y) : load(f->a + y, between(-y, f->height - y));
}

WIDE vec rows_of_b(const uint64_t *words, rows_mask rows, bool inside) {
    return inside ? load_all(words) : load(words, rows);
}

/// Loads rows of the fan; inside means that all of them exist.
WIDE patch patch_of(const fan *f, int i, int radius, places_of_b kind, bool inside) {
    patch o;
    rows_mask rows = between(0, inside ? ROWS : f->rows - i);
    vec low = rows_of_b(f->mid.low + i, rows, inside);
    vec high = kind == ONE ? low : rows_of_b(f->mid.high + i, rows, inside);
    o.mid = joined(low, high, &f->mid);
    o.left = kind == ANY ? moved(&f->left, i, rows) : joined(low, high, &f->left);
    o.right = kind == ANY ? moved(&f->right, i, rows) : joined(low, high, &f->right);
    o.above = rows_of_a(f, f->top + i - radius, inside);
    o.level = rows_of_a(f, f->top + i, inside);
    o.below = rows_of_a(f, f->top + i + radius, inside);
    return o;
}

WIDE bool is_inside(const fan *f, int i, int radius) {
    int y = f->top + i;
    return i + ROWS <= f->rows && y >= radius && y + ROWS + radius <= f->height;
}

/// Returns how many more ones x & y has than p & q, word by word.
WIDE vec more(vec x, vec y, vec p, vec q) { return more_ones(x & y, p & q); }

/// Differences of areas: right minus left, below minus above, and the same for the ends of the
/// falling and of the rising diagonal.
typedef struct slopes {
    vec x, y, falling, rising;
} slopes;

/// Adds the differences of a patch. Moving b down equals moving a up.
WIDE void slopes_add(slopes *o, const patch *p, bool wide) {
    o->x += more(p->right, p->level, p->left, p->level);
    o->y += more(p->mid, p->below, p->mid, p->above);
    if (!wide) return;
    o->falling += more(p->right, p->below, p->left, p->above);
    o->rising += more(p->right, p->above, p->left, p->below);
}

WIDE void slopes_lane(slopes *sum, const fan *f, int radius, places_of_b kind, bool wide) {
    for (int i = 0; i < f->rows; i += ROWS) {
        bool inside = is_inside(f, i, radius);
        patch p = inside ? patch_of(f, i, radius, kind, true) : patch_of(f, i, radius, kind, false);
        slopes_add(sum, &p, wide);
    }
}

WIDE slopes slopes_of(const pv__window *o, int radius, bool wide) {
    slopes sum = {nothing(), nothing(), nothing(), nothing()};
    for (int s = o->first; s <= o->last; s++) {
        fan f = fan_of(o, s, radius);
        if (f.kind == ONE)
            slopes_lane(&sum, &f, radius, ONE, wide);
        else if (f.kind == SAME)
            slopes_lane(&sum, &f, radius, SAME, wide);
        else
            slopes_lane(&sum, &f, radius, ANY, wide);
    }
    return sum;
}

TARGET static void gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                            int64_t slope[2]) {
    pv__window o;
    slope[0] = slope[1] = 0;
    if (!pv__wide_window_of(&o, a, b, dx, dy, 1)) return;
    slopes sum = slopes_of(&o, 1, false);
    slope[0] = total(sum.x);
    slope[1] = total(sum.y);
}

TARGET static void wide_slope(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                              int radius, int64_t slope[2]) {
    pv__window o;
    slope[0] = slope[1] = 0;
    if (!pv__wide_window_of(&o, a, b, dx, dy, radius)) return;
    slopes sum = slopes_of(&o, radius, true);
    slope[0] = total((sum.x << 2) + (sum.falling + sum.rising));
    slope[1] = total((sum.y << 2) + (sum.falling - sum.rising));
}

/* ---- all sums in one pass ---- */

/// Partial sums, one in each word of a vector. Columns in use are marked in used; rows in use are
/// first...last.
typedef struct sums {
    slopes slope;
    vec count, x, y, used;
    int first, last;
} sums;

WIDE void sums_add(sums *o, const patch *p, int x, int y) {
    vec w = p->mid & p->level;
    slopes_add(&o->slope, p, false);
    unsigned in_use = in_use_of(w);
    if (!in_use) return;
    int top = y + __builtin_ctz(in_use), bottom = y + 31 - __builtin_clz(in_use);
    o->first = top < o->first ? top : o->first;
    o->last = bottom > o->last ? bottom : o->last;
    vec n = ones(w);
    o->used |= w;
    o->count += n;
    o->y += times(n, each(y) + steps_of_1());
    o->x += places(w) + times(n, each(x));
}

WIDE void sums_lane(sums *sum, const fan *f, int x, places_of_b kind) {
    for (int i = 0; i < f->rows; i += ROWS) {
        patch p =
            is_inside(f, i, 1) ? patch_of(f, i, 1, kind, true) : patch_of(f, i, 1, kind, false);
        sums_add(sum, &p, x, f->top + i);
    }
}

WIDE void tally_of(const pv__window *o, pv__tally *t) {
    sums sum = {.first = PV__MAX_SIDE, .last = -1};
    sum.slope.x = sum.slope.y = sum.count = sum.x = sum.y = nothing();
    for (int s = o->first; s <= o->last; s++) {
        fan f = fan_of(o, s, 1);
        sum.used = nothing();
        if (f.kind == ONE)
            sums_lane(&sum, &f, s * 64, ONE);
        else if (f.kind == SAME)
            sums_lane(&sum, &f, s * 64, SAME);
        else
            sums_lane(&sum, &f, s * 64, ANY);
        pv__box_columns(&t->box, s, total_of_columns(sum.used));
    }
    t->area = total(sum.count);
    t->x = total(sum.x);
    t->y = total(sum.y);
    t->gx = total(sum.slope.x);
    t->gy = total(sum.slope.y);
    t->box.y = sum.first;
    t->box.h = sum.last + 1 - sum.first;
}

TARGET static void overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                           pv__tally *tally) {
    pv__window o;
    *tally = (pv__tally){0};
    if (pv__wide_window_of(&o, a, b, dx, dy, 1)) tally_of(&o, tally);
}

/// Adds the products of all shared words. It finds words in use ROWS at a time and adds them one by
/// one.
TARGET static void products(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                            pv__products *to) {
    pv__window o;
    *to = (pv__products){0};
    if (!pv__window_of(&o, a, b, dx, dy)) return;
    to->x0 = o.first * 64;
    to->y0 = o.top;
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        column c = column_of(&l.b);
        for (int i = 0; i < l.n; i += ROWS)
            for (unsigned in_use = in_use_of(shared(l.a, &c, i, between(0, l.n - i))); in_use;
                 in_use &= in_use - 1) {
                int row = i + __builtin_ctz(in_use);
                pv__products_add(to, pv__shared(&l, row), l.x - to->x0, row);
            }
    }
}

/* ---- pixels ---- */

/// Prefetches 64 pixels some distance ahead in the row. The CPU's own prefetcher restarts in each
/// page.
WIDE void fetch_ahead(const unsigned char *p) {
    for (int i = 0; i < 256; i += 64) __builtin_prefetch(p + 1024 + i);
}

/// Packs up to 8 rows of up to 4096 pixels, read in order and written as whole cache lines.
TARGET static void pack_band(const pv__pixel_rows *from, const pv__bits *out, int x, int y,
                             int rows) {
    uint64_t words[64][8];
    int stripes = pv__bits_stripes(out->w - x < 4096 ? out->w - x : 4096);
    alpha solid = alpha_of(from);
    for (int j = 0; j < rows; j++) {
        const unsigned char *p = from->data + (y + j) * from->pitch + (ptrdiff_t)x * from->size;
        for (int s = 0, left = out->w - x; s < stripes; s++, p += 64 * from->size, left -= 64) {
            fetch_ahead(p);
            words[s][j] = pack_word(p, left < 64 ? left : 64, &solid);
        }
    }
    for (int s = 0; s < stripes; s++) {
        uint64_t *to = out->words + ((size_t)x / 64 + (size_t)s) * (size_t)out->h + (size_t)y;
        for (int j = 0; j < rows; j++) to[j] = words[s][j];
    }
}

/// Packs a stripe, for pictures with all rows near each other in memory.
TARGET static void pack_stripe(const pv__pixel_rows *from, const pv__bits *out, int x) {
    const unsigned char *p = from->data + (ptrdiff_t)x * from->size;
    ptrdiff_t pitch = from->pitch;
    uint64_t *to = out->words + (size_t)x / 64 * (size_t)out->h;
    int n = out->w - x < 64 ? out->w - x : 64, h = out->h;
    alpha solid = alpha_of(from);
    if (n == 64)
        for (int y = 0; y < h; y++, p += pitch) to[y] = pack_word(p, 64, &solid);
    else
        for (int y = 0; y < h; y++, p += pitch) to[y] = pack_word(p, n, &solid);
}

TARGET static void pack(const pv__pixel_rows *pixels, const pv__bits *out) {
    if (out->w <= 512) {
        for (int x = 0; x < out->w; x += 64) pack_stripe(pixels, out, x);
        return;
    }
    for (int y = 0; y < out->h; y += 8)
        for (int x = 0; x < out->w; x += 4096)
            pack_band(pixels, out, x, y, out->h - y < 8 ? out->h - y : 8);
}

/* ---- overlaps: each kernel defines these two for a lane ---- */

/// Tells whether a lane of one bitmap and a column of another share a pixel.
WIDE bool lane_hit(const uint64_t *a, const column *b, int n);
/// Returns the numbers of pixels that they share, one sum per row of the vector.
WIDE vec lane_ones(const uint64_t *a, const column *b, int n);

TARGET static __attribute__((noinline)) bool hit_wide(const pv__bits *a, const pv__bits *b,
                                                      int64_t dx, int64_t dy) {
    pv__window o;
    if (!pv__window_of(&o, a, b, dx, dy)) return false;
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        column c = column_of(&l.b);
        if (lane_hit(l.a, &c, l.n)) return true;
    }
    return false;
}

TARGET static bool hit(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    narrow_lane l;
    if (!is_narrow(a, b)) return hit_wide(a, b, dx, dy);
    return narrow_lane_of(&l, a, b, dx, dy) && lane_hit(l.a, &l.b, l.n);
}

TARGET static __attribute__((noinline)) int64_t area_wide(const pv__bits *a, const pv__bits *b,
                                                          int64_t dx, int64_t dy) {
    pv__window o;
    vec sum = nothing();
    if (!pv__window_of(&o, a, b, dx, dy)) return 0;
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        column c = column_of(&l.b);
        sum += lane_ones(l.a, &c, l.n);
    }
    return total(sum);
}

TARGET static int64_t area(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    narrow_lane l;
    if (!is_narrow(a, b)) return area_wide(a, b, dx, dy);
    return narrow_lane_of(&l, a, b, dx, dy) ? total(lane_ones(l.a, &l.b, l.n)) : 0;
}
