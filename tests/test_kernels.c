/* test_kernels.c - every kernel that this CPU has, against loops over single pixels.
 *
 * Invariant: expected values come from pictures of one byte per pixel, or from sums of 128 bits, in
 * this file. Bitmaps lie next to a page without access.
 *
 * SPDX-License-Identifier: Zlib
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/math.h"
#include "pixel/kernel.h"
#include "pixel/overlap.h"
#include "support.h"

#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIDE 520
/// Checksums of the two long tests, for all kernels on all little-endian machines
#define SUM_OF_PAIRS UINT64_C(0x71d52e2eddd2e949)
#define SUM_OF_RASTERS UINT64_C(0xade8649a295222b2)

/* ---- the kernels ---- */

static const char *names[3];
static int kernels;

static void use(int kernel) { ck_assert_int_eq(pv_kernel_select(names[kernel]), PV_OK); }

static uint64_t checksum[3];

static void mix(int kernel, const void *data, size_t size) {
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        checksum[kernel] = (checksum[kernel] ^ p[i]) * UINT64_C(1099511628211);
}

static void mix_double(int kernel, double x) {
    x += 0.0; /* turns -0 into 0 */
    mix(kernel, &x, sizeof x);
}

static void begin(void) {
    const char *all[] = {"generic", "avx2", "avx512"};
    kernels = 0;
    for (int i = 0; i < 3; i++) {
        if (pv_kernel_select(all[i]) == PV_OK) names[kernels++] = all[i];
        checksum[i] = UINT64_C(14695981039346656037);
    }
    ck_assert_int_ge(kernels, 1);
    chance = 3; /* the checksums belong to this seed */
}

static void end(uint64_t expected) {
    const uint16_t one = 1;
    bool low_first = *(const unsigned char *)&one;
    for (int i = 0; i < kernels; i++)
        ck_assert_msg(checksum[i] == (low_first ? expected : checksum[0]), "%s: checksum %#llx",
                      names[i], (unsigned long long)checksum[i]);
}

/* ---- pictures next to a forbidden page ---- */

typedef struct room {
    /// Bytes between two pages without access
    unsigned char *bytes;
    size_t size;
} room;

static room room_of(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;
    unsigned char *all =
        mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(all != MAP_FAILED && mprotect(all + page, inner, PROT_READ | PROT_WRITE) == 0);
    return (room){all + page, inner};
}

/// Returns size bytes at the upper or lower end of a room.
static void *place_at(const room *r, size_t size, bool upper) {
    ck_assert_uint_le(size, r->size);
    return upper ? r->bytes + r->size - size : r->bytes;
}

/// Returns size bytes at a random end of a room, mostly the upper one.
static void *place(const room *r, size_t size) { return place_at(r, size, any_int(0, 3)); }

/// Bitmap, and the same with one byte per pixel
typedef struct picture {
    pv__bits bits;
    room room;
    unsigned char solid[SIDE * SIDE];
} picture;

static picture a, b;

static void make(picture *p, int w, int h, int percent) {
    size_t size = pv__bits_word_count(w, h) * sizeof(uint64_t);
    p->bits = (pv__bits){w, h, place(&p->room, size)};
    memset(p->bits.words, 0, size);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            bool solid = (int)(next_random(&chance) >> 32 & 127) * 100 < percent * 128;
            p->solid[y * w + x] = solid;
            p->bits.words[(x >> 6) * h + y] |= (uint64_t)solid << (x & 63);
        }
}

/// Makes a random picture. One statement per number gives all compilers the same order.
static void make_within(picture *p, int least, int most_w, int most_h) {
    const int percents[] = {0, 1, 5, 30, 50, 70, 95, 100};
    int w = any_int(least, most_w), h = any_int(least, most_h), percent = percents[any_int(0, 7)];
    make(p, w, h, percent);
}

/// Makes a random picture, mostly a small one, sometimes up to 130 px wide.
static void make_any(picture *p) {
    if (any_int(0, 3))
        make_within(p, 0, 12, 12);
    else if (any_int(0, 3))
        make_within(p, 0, 130, 4);
    else
        make_within(p, 1, 70, 75);
}

/* ---- pairs ---- */

static bool solid_at(const picture *p, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < p->bits.w && y < p->bits.h && p->solid[y * p->bits.w + x];
}

/// Shared pixels of two pictures, by a look at each pixel of the first that the second covers
typedef struct naive {
    int64_t n, x, y, xx, xy, yy;
    int left, top, right, bottom;
} naive;

static void naive_add(naive *o, int x, int y) {
    if (o->n == 0 || x < o->left) o->left = x;
    if (o->n == 0 || x > o->right) o->right = x;
    if (o->n == 0) o->top = y;
    o->bottom = y;
    o->n++;
    o->x += x;
    o->y += y;
    o->xx += (int64_t)x * x;
    o->xy += (int64_t)x * y;
    o->yy += (int64_t)y * y;
}

static int clamped(int64_t i, int high) { return i < 0 ? 0 : i > high ? high : (int)i; }

static naive shared(const picture *p, const picture *q, int64_t dx, int64_t dy) {
    naive o = {0};
    for (int y = clamped(dy, p->bits.h), last = clamped(dy + q->bits.h, p->bits.h); y < last; y++)
        for (int x = clamped(dx, p->bits.w), end_x = clamped(dx + q->bits.w, p->bits.w); x < end_x;
             x++)
            if (p->solid[y * p->bits.w + x] && solid_at(q, x - dx, y - dy)) naive_add(&o, x, y);
    return o;
}

/// Returns the slope of the shared area, from offsets around this one.
static pv_vec2 slope_of(const picture *p, const picture *q, int64_t dx, int64_t dy, int radius,
                        int side) {
    double gx = 0, gy = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int weight = i && j ? side > 1 : side;
            if ((i == 0 && j == 0) || !weight) continue;
            double f = (double)(weight * shared(p, q, dx + i * radius, dy + j * radius).n);
            gx += i * f;
            gy += j * f;
        }
    return pv__vec(gx, gy);
}

/// Expected results at one offset
typedef struct expected {
    naive here;
    pv_vec2 normal, wide;
    double depth;
    int radius;
} expected;

static pv_vec2 normal_of(pv_vec2 slope) {
    double length = pv__length(slope);
    return length > 0 ? pv__vec(-slope.x / length, -slope.y / length) : pv__vec(0, 0);
}

static expected expect(const picture *p, const picture *q, int64_t dx, int64_t dy) {
    expected e = {.here = shared(p, q, dx, dy), .radius = any_int(1, 4)};
    pv_vec2 slope = slope_of(p, q, dx, dy, 1, 1);
    e.normal = normal_of(slope);
    e.wide = normal_of(slope_of(p, q, dx, dy, e.radius, 4));
    if (e.here.n && pv__length(slope) > 0) e.depth = 2.0 * (double)e.here.n / pv__length(slope);
    return e;
}

static bool same(pv_vec2 p, pv_vec2 q) { return p.x == q.x && p.y == q.y; }

static void wrong_at(int kernel, const char *what, const picture *p, const picture *q, int64_t dx,
                     int64_t dy) {
    ck_abort_msg("%s: %s of %dx%d and %dx%d at %lld, %lld", names[kernel], what, p->bits.w,
                 p->bits.h, q->bits.w, q->bits.h, (long long)dx, (long long)dy);
}

static void check_overlap(int kernel, const expected *e, const picture *p, const picture *q,
                          int64_t dx, int64_t dy) {
    pv_overlap o;
    const naive *s = &e->here;
    double n = s->n ? (double)s->n : 1;
    bool found = pv__bits_overlap(&p->bits, &q->bits, dx, dy, &o);
    pv_vec2 point = {s->n ? (double)s->x / n + 0.5 : 0, s->n ? (double)s->y / n + 0.5 : 0};
    pv_rect box = {s->left, s->top, s->right + 1 - s->left, s->bottom + 1 - s->top};
    if (!s->n) box = (pv_rect){0, 0, 0, 0};
    if (found != (s->n > 0) || o.area != s->n || !same(o.point, point) ||
        !same(o.normal, s->n ? e->normal : pv__vec(0, 0)) || o.depth != (s->n ? e->depth : 0) ||
        memcmp(&o.bounds, &box, sizeof box) != 0)
        wrong_at(kernel, "overlap", p, q, dx, dy);
    mix(kernel, &o.area, sizeof o.area);
    mix_double(kernel, o.point.x + 3 * o.point.y + 5 * o.normal.x + 7 * o.normal.y + 9 * o.depth);
    mix(kernel, &o.bounds, sizeof o.bounds);
}

/// Checks sums about any origin, brought back to (0, 0).
static void check_products(int kernel, const naive *e, const picture *p, const picture *q,
                           int64_t dx, int64_t dy) {
    pv__products s;
    pv__kernel_in_use()->products(&p->bits, &q->bits, dx, dy, &s);
    int64_t x0 = s.x0, y0 = s.y0;
    bool good = s.n == e->n && s.x + s.n * x0 == e->x && s.y + s.n * y0 == e->y &&
                s.xx + 2 * x0 * s.x + s.n * x0 * x0 == e->xx &&
                s.yy + 2 * y0 * s.y + s.n * y0 * y0 == e->yy &&
                s.xy + x0 * s.y + y0 * s.x + s.n * x0 * y0 == e->xy;
    if (!good) wrong_at(kernel, "second moments", p, q, dx, dy);
    mix(kernel, &s, sizeof s - 2 * sizeof(int));
}

/// Asks six questions at one offset.
static void check_at(int kernel, const expected *e, const picture *p, const picture *q, int64_t dx,
                     int64_t dy) {
    pv_vec2 wide = {0, 0};
    int64_t slope[2];
    use(kernel);
    bool hit = pv__bits_hit(&p->bits, &q->bits, dx, dy);
    int64_t area = pv__bits_area(&p->bits, &q->bits, dx, dy);
    bool found = pv__bits_gradient(&p->bits, &q->bits, dx, dy, e->radius, &wide);
    pv__kernel_in_use()->gradient(&p->bits, &q->bits, dx, dy, slope);
    pv_vec2 normal = normal_of(pv__vec((double)slope[0], (double)slope[1]));
    if (hit != (e->here.n > 0) || area != e->here.n || !same(wide, e->wide) ||
        !same(normal, e->normal) || found != (e->wide.x != 0 || e->wide.y != 0))
        wrong_at(kernel, "area, hit or slope", p, q, dx, dy);
    mix(kernel, &area, sizeof area);
    mix_double(kernel, wide.x + 3 * wide.y);
    mix(kernel, slope, sizeof slope);
    check_overlap(kernel, e, p, q, dx, dy);
    check_products(kernel, &e->here, p, q, dx, dy);
}

static void check_all(const picture *p, const picture *q, int64_t dx, int64_t dy) {
    expected e = expect(p, q, dx, dy);
    for (int k = 0; k < kernels; k++) check_at(k, &e, p, q, dx, dy);
}

/// Returns an offset at which the rectangles mostly meet, sometimes a far one.
static int random_offset(int first, int second) {
    const int far[] = {INT_MIN, INT_MIN + 1, -(1 << 30), 1 << 30, INT_MAX - 1, INT_MAX};
    return any_int(0, 99) ? any_int(-second - 2, first + 2) : far[any_int(0, 5)];
}

/* Asks the questions at a random offset. */
static void check_somewhere(const picture *p, const picture *q) {
    int dx = random_offset(p->bits.w, q->bits.w), dy = random_offset(p->bits.h, q->bits.h);
    check_all(p, q, dx, dy);
}

/// Makes room for both pictures.
static void begin_pictures(void) {
    begin();
    a.room = room_of(pv__bits_word_count(SIDE, SIDE) * sizeof(uint64_t));
    b.room = room_of(pv__bits_word_count(SIDE, SIDE) * sizeof(uint64_t));
}

/* Asks six questions each time, more than 2,000,000 of each kernel. */
START_TEST(kernels_answer_as_single_pixels_do) {
    begin_pictures();
    for (int i = 0; i < 34000; i++) {
        make_any(&a);
        make_any(&b);
        for (int k = 0; k < 9; k++) check_somewhere(&a, &b);
        check_somewhere(&a, &a);
    }
    end(SUM_OF_PAIRS);
}

START_TEST(kernels_at_every_width_and_shift) {
    begin_pictures();
    for (int w = 0; w <= 130; w++) {
        make(&a, w, 9, 70);
        make(&b, 130 - w, 7, 70);
        for (int dx = -b.bits.w - 1; dx <= w + 1; dx++) check_all(&a, &b, dx, dx % 5 - 2);
    }
}

START_TEST(kernels_on_wide_masks) {
    begin_pictures();
    for (int i = 0; i < 9; i++) {
        int w = 511 + i / 3, v = 511 + i % 3;
        make(&a, w, any_int(9, 70), w & 1 ? 100 : 60);
        make(&b, v, any_int(9, 70), v & 1 ? 100 : 60);
        for (int k = 0; k < 6; k++) check_all(&a, &b, any_int(-v, w), any_int(-9, 9));
        check_all(&a, &b, 0, 0);
        check_all(&a, &b, w - 1, 8);
        check_all(&a, &b, 64 - v, -8);
    }
    make(&a, 512, 512, 100);
    make(&b, 512, 512, 100);
    check_all(&a, &b, 3, -2);
}

/* The patch of a full rectangle of w x h px is that rectangle. */
START_TEST(patches_are_the_rectangles_of_second_moments) {
    begin_pictures();
    make(&b, 200, 90, 100);
    for (int i = 0; i < 300; i++) {
        int w = any_int(1, 150), h = any_int(1, 60);
        pv__patch patch;
        make(&a, w, h, 100);
        use(i % kernels);
        int dx = any_int(0, 200 - w), dy = any_int(0, 90 - h);
        ck_assert(pv__bits_patch(&b.bits, &a.bits, dx, dy, &patch));
        double longer = w > h ? w : h, shorter = w > h ? h : w;
        ck_assert_double_eq_tol(patch.along, (longer * longer - 1) / 12, 1e-6);
        ck_assert_double_eq_tol(patch.across, (shorter * shorter - 1) / 12, 1e-6);
        ck_assert_vec_eq_tol(patch.mean, dx + 0.5 * w, dy + 0.5 * h, 1e-9);
        if (w == h) continue;
        ck_assert_double_eq_tol(fabs(w > h ? patch.axis.x : patch.axis.y), 1, 1e-9);
        ck_assert_double_eq_tol(patch.high, 0.5 * (longer - 1), 1e-6);
        ck_assert_double_eq_tol(patch.low, -0.5 * (longer - 1), 1e-6);
    }
    make(&a, 1, 1, 0);
    ck_assert(!pv__bits_patch(&b.bits, &a.bits, 0, 0, &(pv__patch){0}));
}

/* ---- rasters ---- */

/// Tells whether a world pixel's center is in a solid pixel; no sum can overflow.
static bool solid_in(const picture *p, const pv__map *m, int x, int y) {
    __int128 i = (__int128)x - m->x0, j = (__int128)y - m->y0;
    __int128 u = (m->u + i * m->ux + j * m->uy) >> 32, v = (m->v + i * m->vx + j * m->vy) >> 32;
    return u >= 0 && v >= 0 && u < p->bits.w && v < p->bits.h &&
           p->solid[(int)v * p->bits.w + (int)u];
}

/// Returns a scale of 1/8...8, or sometimes up to the limits.
static double random_scale(void) {
    int limit = any_int(0, 9) ? 3 : 10;
    double size = ldexp(1, any_int(-limit, limit - 1));
    size *= 1 + any_unit();
    if (any_int(0, 2)) size = any_int(0, 1) ? 1 : 1 + (any_unit() - 0.5) / 2;
    return any_int(0, 3) ? size : -size;
}

static pv_vec2 random_point(double width, double height) {
    double x = any_unit() * width, y = any_unit() * height;
    return pv__vec(x, y);
}

static pv_transform random_pose(int w, int h) {
    pv_transform t = WITH(
        pv_transform_identity(), it.position = pv__sub(random_point(300, 300), pv__vec(150, 150)),
        it.pivot = random_point(w, h), it.scale.x = random_scale(), it.scale.y = random_scale(),
        it.rotation = pv__rotation(any_int(0, 4) ? any_unit() * 7 : any_int(-4, 4) * PV__PI / 4));
    if (any_int(0, 3) == 0) t.position.x = any_int(-50, 50);
    if (any_int(0, 3) == 0) t.position.y = any_int(-50, 50) / 2.0;
    return t;
}

static void check_raster(const pv__map *map, int x, int y, int w, int h) {
    static unsigned char solid[SIDE * SIDE];
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++) solid[j * w + i] = solid_in(&a, map, x + i, y + j);
    bool upper = any_int(0, 3); /* drawn once for all kernels */
    for (int k = 0; k < kernels; k++) {
        size_t size = pv__bits_word_count(w, h) * sizeof(uint64_t);
        pv__bits out = {w, h, place_at(&b.room, size, upper)};
        memset(out.words, 0xa5, size);
        use(k);
        pv__raster(&a.bits, map, x, y, &out);
        mix(k, out.words, size);
        for (int j = 0; j < h; j++)
            for (int i = 0; i < pv__bits_stripes(w) * 64; i++)
                if (pv__bits_get(&out, i, j) != (i < w && solid[j * w + i]))
                    ck_abort_msg("%s: %dx%d, pixel %d, %d of %dx%d", names[k], a.bits.w, a.bits.h,
                                 i, j, w, h);
    }
}

START_TEST(rasters_are_the_map_of_single_pixels) {
    begin_pictures();
    for (int i = 0; i < 3000; i++) {
        make_within(&a, 1, i % 3 ? 64 : 200, i % 3 ? 64 : 130);
        pv_transform t = random_pose(a.bits.w, a.bits.h);
        pv__map map = pv__raster_map_of(&t);
        pv_rect r = pv__raster_rect(&t, a.bits.w, a.bits.h);
        int x = r.x + any_int(-70, 30), y = r.y + any_int(-9, 9);
        int w = any_int(0, 200), h = any_int(0, 60);
        check_raster(&map, x, y, w, h);
        if (r.w <= 130 && r.h <= 130) check_raster(&map, r.x, r.y, r.w, r.h);
    }
    end(SUM_OF_RASTERS);
}

/* Steps of exactly one pixel, and texel edges on pixel centers, show any rounding. */
START_TEST(rasters_on_texel_edges) {
    begin_pictures();
    const int64_t one = INT64_C(1) << 32,
                  steps[] = {0,       one,      -one,          one / 2,           one - 1,
                             one + 1, -one - 1, 95 * one / 64, 95 * one / 64 + 1, -95 * one / 64,
                             3 * one, 1 << 22};
    for (int i = 0; i < 1500; i++) {
        make(&a, any_int(1, i & 1 ? 64 : 150), any_int(1, i & 1 ? 64 : 100), 60);
        int64_t u = any_int(-3, 90) * one + any_int(-1, 1),
                v = any_int(-3, 60) * one + any_int(-1, 1), step[4];
        for (int k = 0; k < 4; k++) step[k] = steps[any_int(0, 11)];
        pv__map map = {any_int(-9, 9), any_int(-9, 9), u, v, step[0], step[1], step[2], step[3]};
        check_raster(&map, any_int(-150, 20), any_int(-40, 20), any_int(1, 260), any_int(1, 60));
    }
}

/* ---- pixels ---- */

/// Checks alphas in a byte of their own, in part of one, in two, and without any.
static void check_pack(const room *r, int w, int h) {
    const uint32_t masks[] = {0xff000000, 0xff000000, 0x00ff0000, 0xff,   0x0ff0,
                              0xf0000000, 0x80000000, 1,          0xffff, 0};
    uint32_t alpha = masks[any_int(0, 9)], most = alpha ? alpha >> __builtin_ctz(alpha) : 0;
    pv_mask_options options = WITH(pv_mask_options_default(), it.alpha_threshold = any_int(0, 255));
    ptrdiff_t pitch = w * 4 + any_int(0, 2) * 4;
    size_t size = (size_t)((h - 1) * pitch + w * 4);
    unsigned char *data = place(r, size);
    for (size_t i = 0; i < size; i++) data[i] = (unsigned char)(next_random(&chance) >> 56);
    pv_pixels pixels = {data, w, h, pitch, 4, alpha};
    for (int k = 0; k < kernels; k++) {
        use(k);
        scoped_mask *m = pv_mask_from_pixels(&pixels, &options, NULL);
        ck_assert_ptr_nonnull(m);
        int wrong = 0;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < pv__bits_stripes(w) * 64; x++) {
                uint32_t pixel = 0;
                if (x < w) memcpy(&pixel, data + y * pitch + 4 * x, 4);
                uint64_t value = alpha ? (pixel & alpha) >> __builtin_ctz(alpha) : 0;
                bool solid =
                    !alpha || (255 * value + most / 2) / most >= (uint64_t)options.alpha_threshold;
                wrong += pv__bits_get(&m->bits, x, y) != (x < w && solid);
            }
        ck_assert_int_eq(wrong, 0);
    }
}

START_TEST(pixels_become_bits_alike) {
    begin();
    room r = room_of(5000 * 20 * 4);
    for (int w = 0; w <= 1040; w++) check_pack(&r, w % 260, any_int(1, 20));
    for (int w = 4090; w <= 4100; w++) check_pack(&r, w, any_int(1, 20));
}

/* ---- the choice ---- */

START_TEST(a_kernel_is_forced_by_name) {
    begin();
    for (int k = 0; k < kernels; k++) {
        use(k);
        ck_assert_str_eq(pv_kernel_get_name(), names[k]);
        ck_assert_int_eq(pv_kernel_select("mmx"), PV_ERROR_ARGUMENT);
        ck_assert_int_eq(pv_kernel_select(""), PV_ERROR_ARGUMENT);
        ck_assert_str_eq(pv_kernel_get_name(), names[k]);
    }
}

START_TEST(the_environment_forces_a_kernel) {
    begin();
    for (int k = 0; k < kernels; k++) {
        ck_assert_int_eq(setenv("PIXVERLET_KERNEL", names[k], 1), 0);
        atomic_store(&pv__kernel_chosen, NULL);
        ck_assert_str_eq(pv_kernel_get_name(), names[k]);
        use(0);
        ck_assert_int_eq(pv_kernel_select(NULL), PV_OK);
        ck_assert_str_eq(pv_kernel_get_name(), names[k]);
    }
    setenv("PIXVERLET_KERNEL", "", 1);
    ck_assert_int_eq(pv_kernel_select(NULL), PV_OK);
    ck_assert_str_eq(pv_kernel_get_name(), names[kernels - 1]);
}

START_TEST(an_impossible_kernel_in_the_environment_is_seen) {
    begin();
    setenv("PIXVERLET_KERNEL", "sse9", 1);
    atomic_store(&pv__kernel_chosen, NULL);
    ck_assert_str_eq(pv_kernel_get_name(), "generic");
    ck_assert_int_eq(pv_kernel_select(NULL), PV_ERROR_ARGUMENT);
    ck_assert_str_eq(pv_kernel_get_name(), "generic");
    unsetenv("PIXVERLET_KERNEL");
    ck_assert_int_eq(pv_kernel_select(NULL), PV_OK);
    ck_assert_str_eq(pv_kernel_get_name(), names[kernels - 1]);
}

int main(void) {
    if (pv_kernel_select(NULL) != PV_OK) {
        fprintf(stderr, "test_kernels: PIXVERLET_KERNEL=%s is not to be had here\n",
                getenv("PIXVERLET_KERNEL"));
        return 2;
    }
    return run_tests("kernels", NULL, NULL, 1);
}
