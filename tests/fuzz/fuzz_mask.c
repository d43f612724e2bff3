/* fuzz_mask.c - masks through all operations, against plain arrays of bool; groups against lists.
 *
 * Invariant: the arrays are changed and compared one pixel at a time. Results without a plain form,
 * those of turned bitmaps, are only checked against each other.
 *
 * Bytes that begin with "PVM" are read as a stored mask, as they are and with a corrected checksum.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"
#include "pixverlet/paper.h"
#include "placed/placed_query.h"

#include <math.h>

enum { SLOTS = 3, SIDE = 140, AREA = 2000, MEMBERS = 8, STEPS = 32 };

static fuzz_purse purse;
static pv_allocator allocator;

/* ---- plain masks ---- */

/// Mask and its expected pixels
typedef struct pair {
    pv_mask *mask;
    bool *plain;
    int w, h;
} pair;

static pair slots[SLOTS];

static bool at(const pair *p, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < p->w && y < p->h && p->plain[y * p->w + x];
}

static pair blank(int w, int h) {
    pair p = {NULL, calloc((size_t)(w * h) + 1, sizeof(bool)), w, h};
    CHECK(p.plain);
    return p;
}

/// Returns a pair with the same expected pixels and no mask.
static pair likeness(const pair *p) {
    pair o = blank(p->w, p->h);
    if (p->w > 0 && p->h > 0) memcpy(o.plain, p->plain, (size_t)(p->w * p->h));
    return o;
}

static void check_pair(const pair *p) {
    CHECK(p->mask && pv_mask_get_width(p->mask) == p->w && pv_mask_get_height(p->mask) == p->h);
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++) CHECK(pv_mask_get_pixel(p->mask, x, y) == at(p, x, y));
    CHECK(!pv_mask_get_pixel(p->mask, -1, 0) && !pv_mask_get_pixel(p->mask, p->w, 0) &&
          !pv_mask_get_pixel(p->mask, 0, p->h));
}

static void put(pair *to, pair p) {
    check_pair(&p);
    pv_mask_release(to->mask);
    free(to->plain);
    *to = p;
}

static bool small_enough(int64_t w, int64_t h) { return w <= SIDE && h <= SIDE && w * h <= AREA; }

/* ---- measurements ---- */

static int64_t plain_area(const pair *p) {
    int64_t sum = 0;
    for (int i = 0; i < p->w * p->h; i++) sum += p->plain[i];
    return sum;
}

static int64_t plain_shared(const pair *a, const pair *b, int dx, int dy) {
    int64_t sum = 0;
    for (int y = 0; y < b->h; y++)
        for (int x = 0; x < b->w; x++)
            sum += b->plain[y * b->w + x] && at(a, (int64_t)x + dx, (int64_t)y + dy);
    return sum;
}

static pv_rect plain_box(const pair *p) {
    int left = p->w, top = p->h, right = 0, bottom = 0;
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++) {
            if (!at(p, x, y)) continue;
            left = x < left ? x : left;
            right = x >= right ? x + 1 : right;
            top = y < top ? y : top;
            bottom = y + 1;
        }
    return right > left ? (pv_rect){left, top, right - left, bottom - top} : (pv_rect){0, 0, 0, 0};
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b)); }

static void check_mass(const pair *p) {
    double area = (double)plain_area(p), x_sum = 0, y_sum = 0, inertia = 0;
    for (int i = 0; i < p->w * p->h; i++) {
        x_sum += p->plain[i] ? i % p->w + 0.5 : 0;
        y_sum += p->plain[i] ? i / p->w + 0.5 : 0;
    }
    double cx = area > 0 ? x_sum / area : 0, cy = area > 0 ? y_sum / area : 0;
    for (int i = 0; i < p->w * p->h; i++) {
        double dx = i % p->w + 0.5 - cx, dy = i / p->w + 0.5 - cy;
        inertia += p->plain[i] ? dx * dx + dy * dy + 1 / 6.0 : 0;
    }
    pv_mass_data mass = pv_mask_compute_mass(p->mask);
    CHECK(mass.area == area && near(mass.centroid.x, cx) && near(mass.centroid.y, cy));
    CHECK(near(mass.inertia, inertia));
}

static void check_figures(const pair *p) {
    pv_rect box = pv_mask_compute_bounds(p->mask), wanted = plain_box(p);
    CHECK(pv_mask_count_pixels(p->mask) == plain_area(p));
    CHECK(box.x == wanted.x && box.y == wanted.y && box.w == wanted.w && box.h == wanted.h);
    check_mass(p);
}

static void check_shared(const pair *a, const pair *b, int dx, int dy) {
    int64_t area = plain_shared(a, b, dx, dy);
    pv_overlap overlap;
    CHECK(pv_mask_compute_overlap_area(a->mask, b->mask, dx, dy) == area);
    CHECK(pv_mask_test_overlap(a->mask, b->mask, dx, dy) == (area > 0));
    CHECK(pv_mask_compute_overlap(a->mask, b->mask, dx, dy, &overlap) == (area > 0) &&
          overlap.area == area);
    pv_paper_runs *runs = pv_paper_runs_encode(a->mask, &allocator, NULL),
                  *others = pv_paper_runs_encode(b->mask, &allocator, NULL);
    CHECK(pv_paper_runs_compute_overlap_area(runs, others, dx, dy) == area);
    pair again = *a;
    again.mask = pv_paper_runs_decode(runs, &allocator, NULL);
    check_pair(&again);
    pv_mask_release(again.mask);
    pv_paper_runs_destroy(runs);
    pv_paper_runs_destroy(others);
    if (area == 0) return;
    double slope_x = (double)(plain_shared(a, b, dx - 1, dy) - plain_shared(a, b, dx + 1, dy)),
           slope_y = (double)(plain_shared(a, b, dx, dy - 1) - plain_shared(a, b, dx, dy + 1)),
           length = hypot(slope_x, slope_y);
    CHECK(length == 0 ? overlap.normal.x == 0 && overlap.normal.y == 0
                      : near(overlap.normal.x, slope_x / length) &&
                            near(overlap.normal.y, slope_y / length));
}

/// Numbers the pixels that are connected with a solid one, and counts them.
static int flood(const pair *p, int *part, int start, int number, bool corners, int *stack) {
    int top = 0, count = 0;
    stack[top++] = start;
    part[start] = number;
    while (top > 0) {
        int i = stack[--top], x = i % p->w, y = i / p->w;
        count++;
        for (int k = 0; k < 9; k++) {
            int u = x + k % 3 - 1, v = y + k / 3 - 1;
            if ((!corners && k % 2 == 0) || !at(p, u, v) || part[v * p->w + u]) continue;
            part[v * p->w + u] = number;
            stack[top++] = v * p->w + u;
        }
    }
    return count;
}

static void check_parts(const pair *p, bool corners) {
    static int part[AREA], stack[AREA];
    pv_connectivity way = corners ? PV_CONNECTIVITY_8 : PV_CONNECTIVITY_4;
    pv_parts *parts = pv_parts_create(p->mask, way, NULL);
    pv_outline *outline = pv_outline_create(p->mask, way, NULL);
    CHECK(parts && outline);
    memset(part, 0, sizeof part);
    int count = 0;
    for (int i = 0; i < p->w * p->h; i++) {
        if (!p->plain[i]) CHECK(pv_parts_find_at(parts, i % p->w, i / p->w) == -1);
        if (!p->plain[i] || part[i]) continue;
        int area = flood(p, part, i, ++count, corners, stack);
        CHECK(pv_parts_get_part(parts, pv_parts_find_at(parts, i % p->w, i / p->w)).area == area);
    }
    CHECK(pv_parts_get_count(parts) == count);
    int outer = 0;
    int64_t area = 0;
    for (int i = 0; i < pv_outline_get_contour_count(outline); i++) {
        outer += pv_outline_get_contour(outline, i).area > 0;
        area += pv_outline_get_contour(outline, i).area;
    }
    CHECK(outer == count && area == plain_area(p));
    pv_parts_destroy(parts);
    pv_outline_destroy(outline);
}

/* ---- new masks ---- */

static pair cropped(const pair *p, pv_rect r) {
    pair o = blank(r.w, r.h);
    for (int i = 0; i < r.w * r.h; i++)
        o.plain[i] = at(p, (int64_t)r.x + i % r.w, (int64_t)r.y + i / r.w);
    o.mask = pv_mask_crop(p->mask, r, NULL);
    return o;
}

static pair flipped(const pair *p, bool across, bool down) {
    pair o = blank(p->w, p->h);
    for (int i = 0; i < p->w * p->h; i++)
        o.plain[i] =
            at(p, across ? p->w - 1 - i % p->w : i % p->w, down ? p->h - 1 - i / p->w : i / p->w);
    o.mask = pv_mask_flip(p->mask, across, down, NULL);
    return o;
}

static pair turned(const pair *p, int quarters) {
    int times = ((quarters % 4) + 4) % 4;
    pair o = likeness(p);
    for (; times > 0; times--) {
        pair next = blank(o.h, o.w);
        for (int i = 0; i < o.w * o.h; i++) next.plain[i] = at(&o, i / o.h, o.h - 1 - i % o.h);
        free(o.plain);
        o = next;
    }
    o.mask = pv_mask_rotate90(p->mask, quarters, NULL);
    return o;
}

static pair scaled(const pair *p, int w, int h) {
    pair o = blank(w, h);
    for (int i = 0; i < w * h; i++)
        o.plain[i] = at(p, (2 * (i % w) + 1) * p->w / (2 * w), (2 * (i / w) + 1) * p->h / (2 * h));
    o.mask = pv_mask_scale(p->mask, w, h, NULL);
    return o;
}

/// Tells whether a brush at (x, y) covers a pixel that is solid, or an empty one if solid is false.
static bool brushes(const pair *p, int x, int y, int radius, pv_brush brush, bool solid) {
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            if ((brush == PV_BRUSH_SQUARE || dx * dx + dy * dy <= radius * radius) &&
                at(p, x + dx, y + dy) == solid)
                return true;
    return false;
}

static pair grown(const pair *p, int radius, pv_brush brush) {
    pair o = blank(p->w + 2 * radius, p->h + 2 * radius);
    for (int i = 0; i < o.w * o.h; i++)
        o.plain[i] = brushes(p, i % o.w - radius, i / o.w - radius, radius, brush, true);
    o.mask = pv_mask_dilate(p->mask, radius, brush, NULL);
    return o;
}

static pair shrunk(const pair *p, int radius, pv_brush brush) {
    pair o = blank(p->w, p->h);
    for (int i = 0; i < o.w * o.h; i++)
        o.plain[i] = !brushes(p, i % o.w, i / o.w, radius, brush, false);
    o.mask = pv_mask_erode(p->mask, radius, brush, NULL);
    return o;
}

static pair obstacle(const pair *a, const pair *b) {
    bool none = a->w * a->h == 0 || b->w * b->h == 0;
    pair o = none ? blank(0, 0) : blank(a->w + b->w - 1, a->h + b->h - 1);
    for (int i = 0; i < o.w * o.h; i++)
        o.plain[i] = plain_shared(a, b, i % o.w - (b->w - 1), i / o.w - (b->h - 1)) > 0;
    o.mask = pv_mask_obstacle(a->mask, b->mask, NULL);
    o.w = o.mask ? (none ? pv_mask_get_width(o.mask) : o.w) : o.w;
    o.h = o.mask ? (none ? pv_mask_get_height(o.mask) : o.h) : o.h;
    CHECK(!none || o.w * o.h == 0);
    return o;
}

/// Stores a pair as rows of bits or as a stored mask, and reads it back.
static pair again(const pair *p, bool stored, pv_bit_order order) {
    pair o = likeness(p);
    size_t pitch = (size_t)(p->w + 7) / 8 + 1,
           size = stored ? pv_mask_serialize(p->mask, NULL, 0) : pitch * (size_t)p->h;
    uint8_t *bytes = malloc(size ? size : 1);
    CHECK(bytes);
    if (stored) {
        CHECK(pv_mask_serialize(p->mask, bytes, size) == size);
        o.mask = pv_mask_deserialize(bytes, size, &allocator, NULL);
    } else {
        memset(bytes, 255, size);
        CHECK(pv_mask_to_bits(p->mask, bytes, (ptrdiff_t)pitch, order) == PV_OK);
        o.mask = pv_mask_from_bits(bytes, p->w, p->h, (ptrdiff_t)pitch, order, &allocator, NULL);
    }
    free(bytes);
    return o;
}

/* ---- changes ---- */

static void combine(pair *a, const pair *b, int dx, int dy, pv_combine op) {
    pair o = blank(a->w, a->h);
    for (int i = 0; i < a->w * a->h; i++) {
        bool p = a->plain[i], q = at(b, (int64_t)(i % a->w) - dx, (int64_t)(i / a->w) - dy);
        o.plain[i] = op == PV_COMBINE_AND   ? p && q
                     : op == PV_COMBINE_OR  ? p || q
                     : op == PV_COMBINE_XOR ? p != q
                                            : p && !q;
    }
    CHECK(pv_mask_combine(a->mask, b->mask, dx, dy, op) == PV_OK);
    free(a->plain);
    a->plain = o.plain;
}

static void fill(pair *p, pv_rect r, bool solid) {
    CHECK(pv_mask_fill_rect(p->mask, r, solid) == (r.w < 0 || r.h < 0 ? PV_ERROR_ARGUMENT : PV_OK));
    if (r.w < 0 || r.h < 0) return;
    for (int64_t y = r.y < 0 ? 0 : r.y; y < p->h && y < (int64_t)r.y + r.h; y++)
        for (int64_t x = r.x < 0 ? 0 : r.x; x < p->w && x < (int64_t)r.x + r.w; x++)
            p->plain[y * p->w + x] = solid;
}

static void set(pair *p, int x, int y, bool solid) {
    bool inside = x >= 0 && y >= 0 && x < p->w && y < p->h;
    CHECK(pv_mask_set_pixel(p->mask, x, y, solid) == (inside ? PV_OK : PV_ERROR_ARGUMENT));
    if (inside) p->plain[y * p->w + x] = solid;
}

/// Checks that a mask with two references cannot be changed, while a copy can.
static void try_shared(pair *p) {
    pv_mask *held = pv_mask_retain(p->mask);
    CHECK(pv_mask_invert(held) == PV_ERROR_SHARED);
    CHECK(pv_mask_combine(held, held, 0, 0, PV_COMBINE_XOR) == PV_ERROR_SHARED);
    check_pair(p);
    pv_mask_release(held);
    pv_mask *copy = pv_mask_copy(p->mask, NULL);
    CHECK(copy && pv_mask_invert(copy) == PV_OK && pv_mask_invert(p->mask) == PV_OK);
    for (int i = 0; i < p->w * p->h; i++) p->plain[i] = !p->plain[i];
    CHECK(pv_mask_compute_overlap_area(copy, p->mask, 0, 0) == plain_area(p));
    pv_mask_release(copy);
}

static int offset(fuzz_input *in) {
    int kind = fuzz_below(in, 16);
    if (kind == 0) return (int[]){INT32_MIN, INT32_MAX, 1 << 30, -32768}[fuzz_below(in, 4)];
    return fuzz_between(in, -80, 80);
}

static void noise(fuzz_input *in, pair *p) {
    unsigned state = (unsigned)fuzz_byte(in) * 2654435761u + 1, kind = fuzz_byte(in);
    for (int i = 0; i < p->w * p->h; i++) {
        state = state * 1664525u + 1013904223u;
        if (state >> 24 < kind) set(p, i % p->w, i / p->w, true);
    }
}

static int lowered(int w, int h) { return small_enough(w, h) ? h : AREA / w; }

static void create(fuzz_input *in, pair *to) {
    int w = fuzz_between(in, 0, SIDE), h = lowered(w, fuzz_between(in, 0, SIDE));
    pair p = blank(w, h);
    p.mask = pv_mask_create(w, h, &allocator, NULL);
    put(to, p);
    noise(in, to);
}

static void change(fuzz_input *in, pair *p, const pair *other) {
    switch (fuzz_below(in, 7)) {
    case 0: create(in, p); break;
    case 1: set(p, offset(in), offset(in), fuzz_below(in, 2)); break;
    case 2: {
        pv_rect r = {offset(in), offset(in), offset(in), offset(in)};
        fill(p, r, fuzz_below(in, 2));
        break;
    }
    case 3: noise(in, p); break;
    case 4: try_shared(p); break;
    case 5: fill(p, (pv_rect){0, 0, p->w, p->h}, true); break;
    default: {
        int dx = offset(in), dy = offset(in);
        combine(p, other, dx, dy, (pv_combine)fuzz_below(in, 4));
    }
    }
    check_pair(p);
}

static void derive(fuzz_input *in, pair *p, const pair *other) {
    int a = fuzz_between(in, -12, 60), b = fuzz_between(in, -12, 60), kind = fuzz_below(in, 8),
        radius = fuzz_below(in, 7), wide = fuzz_below(in, 130);
    pv_brush brush = (pv_brush)(b & 1);
    bool grows = small_enough(p->w + 2 * radius, p->h + 2 * radius);
    switch (kind) {
    case 0: put(p, cropped(other, (pv_rect){a, b, wide, lowered(wide, radius * 6)})); break;
    case 1: put(p, flipped(p, a & 1, b & 1)); break;
    case 2: put(p, turned(p, a)); break;
    case 3: put(p, scaled(p, wide, lowered(wide, radius * 7))); break;
    case 4: put(p, grows ? grown(p, radius, brush) : shrunk(p, radius, brush)); break;
    case 5: put(p, shrunk(p, radius, brush)); break;
    case 6:
        if (other->w * other->h <= 150 && small_enough(p->w + other->w, p->h + other->h))
            put(p, obstacle(p, other));
        break;
    default: put(p, again(p, a & 1, (pv_bit_order)(b & 1)));
    }
}

/* ---- groups ---- */

static pv_group *group;
static pv_member_id members[MEMBERS];
/// Placed masks; null mask: none
static pv_placed places[MEMBERS];

static double coordinate(fuzz_input *in) {
    double far = fuzz_below(in, 32) == 0 ? 5e6 : 0;
    return far + fuzz_between(in, -120, 120) + (fuzz_below(in, 2) ? fuzz_unit(in) : 0);
}

static pv_transform transform(fuzz_input *in, const pv_mask *mask) {
    static const double scales[] = {1, -1, 0.5, 2, 1.37, -0.3};
    pv_transform t = pv_transform_identity();
    t.position.x = coordinate(in);
    t.position.y = coordinate(in);
    t.pivot = (pv_vec2){0.5 * pv_mask_get_width(mask), 0.5 * pv_mask_get_height(mask)};
    int kind = fuzz_below(in, 4);
    if (kind)
        t.rotation = pv_rotation_from_angle(kind == 1 ? fuzz_below(in, 4) * 1.5707963267948966
                                                      : 6.3 * fuzz_unit(in));
    if (fuzz_below(in, 3) == 0)
        t.scale = (pv_vec2){scales[fuzz_below(in, 6)], scales[fuzz_below(in, 6)]};
    return t;
}

/// Tells whether two placed masks share a pixel, by their whole bitmaps.
static bool bitmaps_share(const pv_placed *a, const pv_placed *b) {
    pv_rect p, q;
    pv_mask *m = pv_mask_transform(a->mask, &a->transform, &p, &allocator, NULL),
            *n = pv_mask_transform(b->mask, &b->transform, &q, &allocator, NULL);
    CHECK(m && n);
    int64_t area = 0;
    for (int y = 0; y < q.h; y++)
        for (int x = 0; x < q.w; x++)
            area +=
                pv_mask_get_pixel(n, x, y) && pv_mask_get_pixel(m, q.x + x - p.x, q.y + y - p.y);
    CHECK(pv_placed_compute_overlap_area(a, b) == area &&
          pv_placed_test_overlap(a, b) == (area > 0));
    pv_mask_release(m);
    pv_mask_release(n);
    return area > 0;
}

static bool names(const pv_member_id *found, size_t count, pv_member_id m) {
    for (size_t i = 0; i < count; i++)
        if (found[i].index == m.index && found[i].generation == m.generation) return true;
    return false;
}

static void check_touching(const pv_placed *placed) {
    pv_member_id found[MEMBERS];
    size_t count = pv_group_query_mask(group, placed, found, MEMBERS), wanted = 0;
    CHECK(count <= MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
        if (!places[i].mask) continue;
        bool shares = bitmaps_share(&places[i], placed);
        wanted += shares;
        CHECK(names(found, count, members[i]) == shares);
    }
    CHECK(count == wanted);
}

static void check_group_queries(pv_vec2 point, pv_box box) {
    pv_member_id at_point[MEMBERS], in_box[MEMBERS];
    size_t points = pv_group_query_point(group, point, at_point, MEMBERS),
           boxes = pv_group_query_box(group, box, in_box, MEMBERS), wanted = 0, wanted_boxes = 0;
    for (int i = 0; i < MEMBERS; i++) {
        if (!places[i].mask) continue;
        bool holds = pv_placed_test_point(&places[i], point),
             meets = pv__placed_rectangle(&places[i], box);
        CHECK(names(at_point, points, members[i]) == holds &&
              names(in_box, boxes, members[i]) == meets);
        wanted += holds;
        wanted_boxes += meets;
    }
    CHECK(points == wanted && boxes == wanted_boxes);
}

static void check_group_pairs(void) {
    pv_member_pair found[MEMBERS * MEMBERS];
    size_t count = pv_group_query_pairs(group, found, MEMBERS * MEMBERS), wanted = 0;
    for (int i = 0; i < MEMBERS; i++)
        for (int k = 0; k < i; k++)
            wanted +=
                places[i].mask && places[k].mask && pv_placed_test_overlap(&places[i], &places[k]);
    CHECK(count == wanted);
    for (size_t i = 0; i < count; i++) {
        pv_placed a = pv_group_get_placed(group, found[i].a),
                  b = pv_group_get_placed(group, found[i].b);
        CHECK(found[i].a.index < found[i].b.index && pv_placed_test_overlap(&a, &b));
        CHECK(
            i == 0 || found[i - 1].a.index < found[i].a.index ||
            (found[i - 1].a.index == found[i].a.index && found[i - 1].b.index < found[i].b.index));
    }
}

/// Changes a member, which holds a copy of the mask so that the slot can still change.
static void change_group(fuzz_input *in, const pair *p) {
    int i = fuzz_below(in, MEMBERS);
    pv_transform t = transform(in, places[i].mask ? places[i].mask : p->mask);
    if (!places[i].mask) {
        pv_mask *copy = pv_mask_copy(p->mask, NULL);
        places[i] = (pv_placed){copy, t};
        CHECK(pv_group_set_transform(group, members[i], &t) == PV_ERROR_STALE_ID);
        members[i] = pv_group_add(group, &places[i], &places[i], NULL);
        pv_mask_release(copy);
        CHECK(members[i].generation && pv_group_get_user_data(group, members[i]) == &places[i]);
    } else if (fuzz_below(in, 4) == 0) {
        CHECK(pv_group_remove(group, members[i]) == PV_OK);
        CHECK(pv_group_remove(group, members[i]) == PV_ERROR_STALE_ID);
        places[i].mask = NULL;
    } else {
        CHECK(pv_group_set_transform(group, members[i], &t) == PV_OK);
        places[i].transform = t;
    }
}

/// Checks that masks that share a pixel have distance 0, and that their separation parts them.
static void check_separation(pv_placed a, pv_placed b) {
    pv_vec2 way;
    pv_distance_result nearest;
    bool shares = pv_placed_test_overlap(&a, &b);
    if (pv_placed_compute_distance(&a, &b, &nearest) == PV_OK && shares)
        CHECK(nearest.distance == 0);
    if (pv_placed_compute_mtv(&a, &b, &way) != PV_OK) return;
    CHECK(shares == (way.x != 0 || way.y != 0));
    b.transform.position.x += way.x;
    b.transform.position.y += way.y;
    pv_rect p, q;
    pv_mask *m = pv_mask_transform(a.mask, &a.transform, &p, &allocator, NULL),
            *n = pv_mask_transform(b.mask, &b.transform, &q, &allocator, NULL);
    bool whole = fabs(b.transform.position.x) < 4096 && fabs(b.transform.position.y) < 4096;
    if (m && n && whole) CHECK(!pv_mask_test_overlap(m, n, q.x - p.x, q.y - p.y));
    pv_mask_release(m);
    pv_mask_release(n);
}

static void ask_group(fuzz_input *in, const pair *p) {
    pv_placed placed = {p->mask, transform(in, p->mask)};
    int other = fuzz_below(in, MEMBERS);
    if (places[other].mask) check_separation(places[other], placed);
    pv_vec2 point = {coordinate(in), coordinate(in)};
    pv_box box = {point, {point.x + fuzz_below(in, 90), point.y + fuzz_below(in, 90)}};
    check_touching(&placed);
    check_group_queries(point, box);
    check_group_pairs();
}

/* ---- stored masks ---- */

static uint64_t fnv(const uint8_t *p, size_t size) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    while (size--) sum = (sum ^ *p++) * UINT64_C(0x100000001b3);
    return sum;
}

/// Reads a stored mask. Each mask has one form only, so it is written as it was read.
static void parse(const uint8_t *data, size_t size) {
    pv_error error = {.status = PV_STATUS_COUNT};
    pv_mask *mask = pv_mask_deserialize(data, size, &allocator, &error);
    CHECK((mask != NULL) == (error.status == PV_OK) && error.status < PV_STATUS_COUNT);
    if (mask) {
        uint8_t *bytes = malloc(size);
        CHECK(bytes && pv_mask_serialize(mask, bytes, size) == size &&
              memcmp(bytes, data, size) == 0);
        free(bytes);
    }
    pv_mask_release(mask);
}

static void try_stored(const uint8_t *data, size_t size) {
    parse(data, size);
    if (size < 24) return;
    uint8_t *sealed = malloc(size);
    CHECK(sealed);
    memcpy(sealed, data, size);
    uint64_t sum = fnv(sealed, size - 8);
    for (int i = 0; i < 8; i++) sealed[size - 8 + (size_t)i] = (uint8_t)(sum >> (8 * i));
    parse(sealed, size);
    free(sealed);
}

/* ---- the target ---- */

static void begin(void) {
    purse = (fuzz_purse){0};
    allocator = fuzz_allocator(&purse);
    for (int i = 0; i < SLOTS; i++) {
        slots[i] = blank(0, 0);
        slots[i].mask = pv_mask_create(0, 0, &allocator, NULL);
    }
    memset(places, 0, sizeof places);
    memset(members, 0, sizeof members);
    group = pv_group_create(0, &allocator, NULL);
    CHECK(group);
}

static void end(void) {
    pv_group_destroy(group);
    for (int i = 0; i < SLOTS; i++) {
        pv_mask_release(slots[i].mask);
        free(slots[i].plain);
    }
    CHECK(purse.live == 0);
}

static void act(fuzz_input *in) {
    int choice = fuzz_below(in, 20);
    pair *p = &slots[fuzz_below(in, SLOTS)], *other = &slots[fuzz_below(in, SLOTS)];
    if (choice < 8) {
        change(in, p, other);
    } else if (choice < 12) {
        derive(in, p, other);
    } else if (choice == 12) {
        check_figures(p);
    } else if (choice == 13) {
        check_parts(p, fuzz_below(in, 2));
    } else if (choice < 16) {
        int dx = offset(in), dy = offset(in);
        if (dx > INT32_MIN && dx < INT32_MAX && dy > INT32_MIN && dy < INT32_MAX)
            check_shared(p, other, dx, dy);
    } else if (choice < 19) {
        change_group(in, p);
    } else {
        ask_group(in, p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    begin();
    if (size > 3 && memcmp(data, "PVM", 3) == 0) {
        try_stored(data, size);
    } else {
        for (int i = 0; i < STEPS && in.left; i++) act(&in);
        for (int i = 0; i < SLOTS; i++) check_pair(&slots[i]);
    }
    end();
    return 0;
}
