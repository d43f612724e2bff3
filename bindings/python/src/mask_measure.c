/* mask_measure.c - measurements and parts of masks, with the results of pygame.
 *
 * Invariant: parts, points and rounding follow pygame's order; pixels are only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The first shared pixel ---- */

/// Rows that are tested together before the search for the row.
#define ROW_BLOCK 16

/// Returns the first row in which a and the shifted b share a bit, or `rows`.
static int first_row(const uint64_t *a, const uint64_t *b, int rows, int left, int right) {
    int y = 0;
    for (; y + ROW_BLOCK <= rows; y += ROW_BLOCK) {
        uint64_t any = 0;
        for (int k = 0; k < ROW_BLOCK; k++) any |= a[y + k] & (b[y + k] << left >> right);
        if (any) break;
    }
    while (y < rows && !(a[y] & (b[y] << left >> right))) y++;
    return y;
}

/// Searches each stripe of b against the one or two stripes of a below it.
static bool first_shared_right(pvpy_bits a, pvpy_bits b, int dx, int dy, int *x, int *y) {
    int top = dy > 0 ? dy : 0, bottom = b.h + dy < a.h ? b.h + dy : a.h, shift = dx & 63;
    if (dx >= a.w || top >= bottom) return false;
    for (int i = 0; i < 2 * b.stripes; i++) {
        int half = i & 1, stripe = (dx >> 6) + (i >> 1) + half;
        if ((half && !shift) || stripe >= a.stripes) continue;
        int left = half ? 0 : shift, right = half ? 64 - shift : 0;
        const uint64_t *as = a.words + (size_t)stripe * (size_t)a.h + top;
        const uint64_t *bs = b.words + (size_t)(i >> 1) * (size_t)b.h + (top - dy);
        int row = first_row(as, bs, bottom - top, left, right);
        if (row == bottom - top) continue;
        *x = 64 * stripe + __builtin_ctzll(as[row] & (bs[row] << left >> right));
        *y = top + row;
        return true;
    }
    return false;
}

/// Tells whether an offset is so large that the masks cannot overlap.
static bool far_apart(pvpy_bits a, pvpy_bits b, int dx, int dy) {
    return dx >= a.w || dy >= a.h || dx <= -b.w || dy <= -b.h;
}

bool pvpy_first_shared(pvpy_bits a, pvpy_bits b, int dx, int dy, int *x, int *y) {
    if (far_apart(a, b, dx, dy)) return false;
    if (dx >= 0) return first_shared_right(a, b, dx, dy, x, y);
    if (!first_shared_right(b, a, -dx, -dy, x, y)) return false;
    *x += dx, *y += dy;
    return true;
}

/* ---- Moments in whole numbers ---- */

typedef struct moments {
    int64_t count, x, y, xx, xy, yy;
} moments;

/// Sums over a byte's bits: their number, positions and squared positions.
typedef struct byte_sums {
    uint8_t n, sum, squares;
} byte_sums;
static byte_sums sums_of_byte[256];

void pvpy_measure_prepare(void) {
    for (int byte = 0; byte < 256; byte++)
        for (int i = 0; i < 8; i++)
            if (byte >> i & 1) {
                byte_sums *o = &sums_of_byte[byte];
                o->n += 1, o->sum += (uint8_t)i, o->squares += (uint8_t)(i * i);
            }
}

/// Adds up the positions of a word's bits, and their squares.
static void sum_bits(uint64_t word, int64_t *n, int64_t *sum, int64_t *squares) {
    unsigned count = 0, places = 0, square = 0;
    for (unsigned at = 0; word; at += 8, word >>= 8) {
        byte_sums o = sums_of_byte[word & 255];
        count += o.n;
        places += o.sum + at * o.n;
        square += o.squares + 2 * at * o.sum + at * at * o.n;
    }
    *n = count, *sum = places, *squares = square;
}

static moments measure(pvpy_bits b) {
    moments m = {0};
    for (int s = 0; s < b.stripes; s++)
        for (int y = 0; y < b.h; y++) {
            uint64_t word = b.words[(size_t)s * (size_t)b.h + (size_t)y];
            if (!word) continue;
            int64_t n, sum, squares, left = 64 * s;
            sum_bits(word, &n, &sum, &squares);
            int64_t x = sum + n * left;
            m.count += n, m.x += x, m.y += n * y;
            m.xx += squares + 2 * left * sum + n * left * left;
            m.xy += x * y, m.yy += n * y * y;
        }
    return m;
}

PyObject *pvpy_mask_centroid(PyObject *self, PyObject *unused) {
    (void)unused;
    moments m = measure(pvpy_mask_bits(self));
    return m.count ? pvpy_pair((long)(m.x / m.count), (long)(m.y / m.count)) : pvpy_pair(0, 0);
}

PyObject *pvpy_mask_angle(PyObject *self, PyObject *unused) {
    (void)unused;
    moments m = measure(pvpy_mask_bits(self));
    if (!m.count) return PyFloat_FromDouble(0);
    int64_t x = m.x / m.count, y = m.y / m.count;
    int64_t xy = m.xy / m.count - x * y;
    int64_t spread = (m.xx / m.count - x * x) - (m.yy / m.count - y * y);
    return PyFloat_FromDouble(-90.0 * atan2((double)(2 * xy), (double)spread) / M_PI);
}

/* ---- Outline: Moore's neighbors, clockwise from the first solid pixel ---- */

static const pv_point around[8] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

static bool solid_at(const pvpy_bits *b, int x, int y) {
    return x >= 0 && y >= 0 && x < b->w && y < b->h && pvpy_bits_get(b, x, y);
}

static bool first_solid(const pvpy_bits *b, pv_point *first) {
    for (int y = 0; y < b->h; y++)
        for (int s = 0; s < b->stripes; s++) {
            uint64_t word = b->words[(size_t)s * (size_t)b->h + (size_t)y];
            if (!word) continue;
            *first = (pv_point){64 * s + __builtin_ctzll(word), y};
            return true;
        }
    return false;
}

/// Finds the next solid neighbor clockwise from a direction.
/// @return its direction, or -1 if the pixel stands alone
static int next_way(const pvpy_bits *b, pv_point at, int from) {
    for (int n = 0; n < 8; n++) {
        pv_point step = around[(from + n) & 7];
        if (solid_at(b, at.x + step.x, at.y + step.y)) return (from + n) & 7;
    }
    return -1;
}

static bool append_point(PyObject *list, pv_point p) {
    PyObject *pair = pvpy_pair(p.x, p.y);
    bool good = pair && PyList_Append(list, pair) == 0;
    Py_XDECREF(pair);
    return good;
}

static bool trace_outline(const pvpy_bits *b, int every, PyObject *list) {
    pv_point first, at;
    if (!first_solid(b, &first)) return true;
    if (!append_point(list, first)) return false;
    int way = next_way(b, first, 0), second = way, left = every;
    if (way < 0) return true;
    at = first;
    do {
        at.x += around[way].x, at.y += around[way].y;
        if (--left == 0) {
            left = every;
            if (!append_point(list, at)) return false;
        }
        way = next_way(b, at, way + 6);
    } while (at.x != first.x || at.y != first.y || way != second);
    return true;
}

PVPY_FUNCTION(pvpy_mask_outline) {
    static pvpy_signature signature = PVPY_SIGNATURE("outline", 0, 1, "every");
    PyObject *value;
    int every = 1;
    if (!pvpy_arguments(&signature, args, count, keywords, &value) ||
        (value && !pvpy_read_int(value, "every", &every)))
        return NULL;
    pvpy_bits b = pvpy_mask_bits(self);
    PyObject *list = PyList_New(0);
    if (list && !trace_outline(&b, every, list)) Py_CLEAR(list);
    return list;
}

/* ---- Scale: pixel x of the new width shows column floor(x * old / new) ---- */

/// Fills one row of bits from a row of the source.
static void scale_row(const pvpy_bits *b, int y, const int *columns, int w, unsigned char *row) {
    for (int x = 0; x < w; x++)
        if (pvpy_bits_get(b, columns[x], y)) row[x >> 3] |= (unsigned char)(1u << (x & 7));
}

static void scale_rows(const pvpy_bits *b, const int *columns, int w, int h, unsigned char *rows) {
    size_t pitch = ((size_t)w + 7) / 8;
    int before = -1;
    for (int y = 0; y < h; y++, rows += pitch) {
        int from = (int)((int64_t)y * b->h / h);
        if (from == before)
            memcpy(rows, rows - pitch, pitch);
        else
            scale_row(b, from, columns, w, rows);
        before = from;
    }
}

static PyObject *scaled(pvpy_bits b, int w, int h) {
    pv_error error;
    if (!b.w || !b.h || !w || !h) return pvpy_mask_wrap(pv_mask_create(w, h, NULL, &error), &error);
    size_t pitch = ((size_t)w + 7) / 8;
    int *columns = PyMem_Malloc((size_t)w * sizeof *columns);
    unsigned char *rows = PyMem_Calloc(pitch, (size_t)h);
    PyObject *result = NULL;
    if (columns && rows) {
        for (int x = 0; x < w; x++) columns[x] = (int)((int64_t)x * b.w / w);
        scale_rows(&b, columns, w, h, rows);
        pv_mask *mask =
            pv_mask_from_bits(rows, w, h, (ptrdiff_t)pitch, PV_BITS_LSB_FIRST, NULL, &error);
        result = pvpy_mask_wrap(mask, &error);
    } else
        PyErr_NoMemory();
    PyMem_Free(rows);
    PyMem_Free(columns);
    return result;
}

PVPY_FUNCTION(pvpy_mask_scale) {
    static pvpy_signature signature = PVPY_SIGNATURE("scale", 1, 1, "scale");
    PyObject *value;
    int w, h;
    if (!pvpy_arguments(&signature, args, count, keywords, &value) ||
        !pvpy_read_pair(value, "scale", &w, &h))
        return NULL;
    if (w < 0 || h < 0) {
        PyErr_SetString(PyExc_ValueError, "cannot scale mask to negative size");
        return NULL;
    }
    return scaled(pvpy_mask_bits(self), w, h);
}

/* ---- Connected parts, in reading order of their first pixels ---- */

typedef struct part_order {
    int index, x, y;
    pv_part part;
} part_order;

static int compare_parts(const void *a, const void *b) {
    const part_order *p = a, *q = b;
    return p->y != q->y ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

/// Finds the leftmost pixel of a part in its topmost row.
static int part_first_x(const pv_parts *parts, int index, pv_rect rect) {
    int x = rect.x;
    while (pv_parts_find_at(parts, x, rect.y) != index) x++;
    return x;
}

/// Sorts the parts with at least `minimum` pixels.
/// @return an array for PyMem_Free(), or null with an exception
static part_order *order_parts(const pv_parts *parts, int64_t minimum, int *found) {
    int count = pv_parts_get_count(parts);
    part_order *order = PyMem_Malloc(((size_t)count + 1) * sizeof *order);
    if (!order) return (part_order *)PyErr_NoMemory();
    *found = 0;
    for (int i = 0; i < count; i++) {
        pv_part part = pv_parts_get_part(parts, i);
        if (part.area < minimum) continue;
        order[(*found)++] = (part_order){i, part_first_x(parts, i, part.rect), part.rect.y, part};
    }
    qsort(order, (size_t)*found, sizeof *order, compare_parts);
    return order;
}

/// Creates a mask of the whole picture with one part; no part for index -1.
static PyObject *part_mask(pvpy_bits b, const pv_parts *parts, int index) {
    pv_error error;
    pv_mask *whole = pv_mask_create(b.w, b.h, NULL, &error);
    if (!whole || index < 0) return pvpy_mask_wrap(whole, &error);
    pv_rect rect = pv_parts_get_part(parts, index).rect;
    pv_mask *part = pv_parts_create_mask(parts, index, &error);
    if (part)
        pv_mask_combine(whole, part, rect.x, rect.y, PV_COMBINE_OR);
    else {
        pv_mask_release(whole);
        whole = NULL;
    }
    pv_mask_release(part);
    return pvpy_mask_wrap(whole, &error);
}

static pv_parts *parts_of(PyObject *self) {
    pv_error error;
    pv_parts *parts = pv_parts_create(((pvpy_mask *)self)->mask, PV_CONNECTIVITY_8, &error);
    return parts ? parts : (pv_parts *)pvpy_raise(&error);
}

PVPY_FUNCTION(pvpy_mask_connected_component) {
    static pvpy_signature signature = PVPY_SIGNATURE("connected_component", 0, 1, "pos");
    PyObject *pos;
    int x, y;
    pvpy_bits b = pvpy_mask_bits(self);
    if (!pvpy_arguments(&signature, args, count, keywords, &pos) ||
        (pos && !pvpy_read_pair(pos, "pos", &x, &y)))
        return NULL;
    if (pos && (x < 0 || y < 0 || x >= b.w || y >= b.h))
        return PyErr_Format(PyExc_IndexError, "%d, %d is out of bounds", x, y);
    if (pos && !pvpy_bits_get(&b, x, y)) return part_mask(b, NULL, -1);
    pv_parts *parts = parts_of(self);
    if (!parts) return NULL;
    int index = pos ? pv_parts_find_at(parts, x, y) : pv_parts_get_count(parts) ? 0 : -1;
    PyObject *mask = part_mask(b, parts, index);
    pv_parts_destroy(parts);
    return mask;
}

/// Creates the list entry of one part.
typedef PyObject *(*part_maker)(pvpy_bits b, const pv_parts *parts, const part_order *part);

static PyObject *make_part_mask(pvpy_bits b, const pv_parts *parts, const part_order *part) {
    return part_mask(b, parts, part->index);
}

static PyObject *make_part_rect(pvpy_bits b, const pv_parts *parts, const part_order *part) {
    (void)b;
    (void)parts;
    return pvpy_rect(part->part.rect);
}

static PyObject *list_parts(PyObject *self, int64_t minimum, part_maker maker) {
    pv_parts *parts = parts_of(self);
    int found = 0;
    part_order *order = parts ? order_parts(parts, minimum, &found) : NULL;
    PyObject *list = order ? PyList_New(found) : NULL;
    for (int i = 0; list && i < found; i++) {
        PyObject *item = maker(pvpy_mask_bits(self), parts, &order[i]);
        if (item)
            PyList_SetItem(list, i, item);
        else
            Py_CLEAR(list);
    }
    PyMem_Free(order);
    pv_parts_destroy(parts);
    return list;
}

PVPY_FUNCTION(pvpy_mask_connected_components) {
    static pvpy_signature signature = PVPY_SIGNATURE("connected_components", 0, 1, "minimum");
    PyObject *value;
    int minimum = 0;
    if (!pvpy_arguments(&signature, args, count, keywords, &value) ||
        (value && !pvpy_read_int(value, "minimum", &minimum)))
        return NULL;
    return list_parts(self, minimum, make_part_mask);
}

PyObject *pvpy_mask_get_bounding_rects(PyObject *self, PyObject *unused) {
    (void)unused;
    return list_parts(self, 0, make_part_rect);
}

/* ---- Convolution ---- */

/// Creates a mask for the sizes of a and b together.
static PyObject *convolve_output(pvpy_bits a, pvpy_bits b) {
    pv_error error;
    int w = a.w + b.w - 1, h = a.h + b.h - 1;
    return pvpy_mask_wrap(pv_mask_create(w < 0 ? 0 : w, h < 0 ? 0 : h, NULL, &error), &error);
}

static bool convolve_into(PyObject *self, pvpy_mask *other, pvpy_mask *output, int dx, int dy) {
    pv_error error;
    pv_mask *sum = pv_mask_obstacle(((pvpy_mask *)self)->mask, other->mask, &error);
    if (!sum) return pvpy_raise(&error);
    pv_mask *to = pvpy_mask_edit(output);
    if (to) pv_mask_combine(to, sum, dx, dy, PV_COMBINE_OR);
    pv_mask_release(sum);
    return to;
}

PVPY_FUNCTION(pvpy_mask_convolve) {
    static pvpy_signature signature = PVPY_SIGNATURE("convolve", 1, 3, "other", "output", "offset");
    PyObject *values[3];
    int dx = 0, dy = 0;
    if (!pvpy_arguments(&signature, args, count, keywords, values)) return NULL;
    pvpy_mask *other = pvpy_mask_argument(values[0], "other"), *output = NULL;
    if (!other || (values[2] && !pvpy_read_pair(values[2], "offset", &dx, &dy))) return NULL;
    bool given = values[1] && values[1] != Py_None;
    PyObject *result = given ? Py_XNewRef((PyObject *)pvpy_mask_argument(values[1], "output"))
                             : convolve_output(pvpy_mask_bits(self), pvpy_mask_bits(values[0]));
    output = (pvpy_mask *)result;
    if (output && !convolve_into(self, other, output, dx, dy)) Py_CLEAR(result);
    return result;
}
