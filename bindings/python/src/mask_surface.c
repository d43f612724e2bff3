/* mask_surface.c - masks from surfaces, surfaces from masks, and rects.
 *
 * Invariant: a surface is written only inside its own bounds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "surface.h"

#include <stdlib.h>

/* ---- Rects ---- */

/// Returns the class pygame.Rect, borrowed, or null where there is no pygame.
static PyObject *rect_class(void) {
    static PyObject *found;
    if (!found) found = pvpy_pygame("Rect");
    return found;
}

typedef PyObject *(*rect_maker)(int x, int y, int w, int h);

/// Place of pgRect_New4() in the table that pygame exports for C.
#define RECT_NEW4 2

static bool is_rect(PyObject *rect, pv_rect wanted) {
    PyObject *numbers = Py_BuildValue("(iiii)", wanted.x, wanted.y, wanted.w, wanted.h);
    bool good = rect && numbers && PyObject_IsInstance(rect, rect_class()) == 1 &&
                PyObject_RichCompareBool(rect, numbers, Py_EQ) == 1;
    Py_XDECREF(numbers);
    PyErr_Clear();
    return good;
}

/// Returns pygame's function for rects, once it has shown that it makes one; or null.
static rect_maker find_rect_maker(void) {
    void **table = PyCapsule_Import("pygame.rect._PYGAME_C_API", 0);
    rect_maker maker = NULL;
    if (table) memcpy(&maker, &table[RECT_NEW4], sizeof maker);
    PyErr_Clear();
    PyObject *rect = maker ? maker(1, 2, 3, 4) : NULL;
    if (!is_rect(rect, (pv_rect){1, 2, 3, 4})) maker = NULL;
    Py_XDECREF(rect);
    return maker;
}

PyObject *pvpy_rect(pv_rect r) {
    static rect_maker maker;
    PyObject *class = rect_class();
    if (!class) return Py_BuildValue("(iiii)", r.x, r.y, r.w, r.h);
    if (!maker) maker = find_rect_maker();
    return maker ? maker(r.x, r.y, r.w, r.h)
                 : PyObject_CallFunction(class, "iiii", r.x, r.y, r.w, r.h);
}

PVPY_FUNCTION(pvpy_mask_get_rect) {
    Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    if (count > 0) {
        PyErr_SetString(PyExc_TypeError, "get_rect only supports keyword arguments");
        return NULL;
    }
    if (named > 0 && !rect_class()) {
        PyErr_SetString(PyExc_TypeError, "get_rect() takes attributes of a Rect only with pygame");
        return NULL;
    }
    pvpy_bits b = pvpy_mask_bits(self);
    PyObject *rect = pvpy_rect((pv_rect){0, 0, b.w, b.h});
    for (Py_ssize_t i = 0; rect && i < named; i++)
        if (PyObject_SetAttr(rect, PyTuple_GetItem(keywords, i), args[i]) < 0) Py_CLEAR(rect);
    return rect;
}

/* ---- from_surface ---- */

/// Finds the color key of a surface as a pixel number.
/// @return 1 with a key, 0 without, -1 with an exception
static int color_key(const pvpy_surface *s, uint32_t *key) {
    static PyObject *name;
    if (!s->named) return 0;
    if (!name && !(name = PyUnicode_InternFromString("get_colorkey"))) return -1;
    PyObject *color = PyObject_CallMethodObjArgs(s->object, name, NULL);
    if (!color) return -1;
    int found = color != Py_None;
    if (found && !pvpy_surface_map(s, color, "colorkey", key)) found = -1;
    Py_DECREF(color);
    return found;
}

typedef struct bit_rows {
    unsigned char *bytes;
    size_t pitch;
    int w, h;
} bit_rows;

static bool bit_rows_make(bit_rows *rows, int w, int h) {
    rows->w = w, rows->h = h;
    rows->pitch = ((size_t)w + 7) / 8;
    rows->bytes = PyMem_Calloc(rows->pitch * (size_t)h + 1, 1);
    if (!rows->bytes) PyErr_NoMemory();
    return rows->bytes;
}

static PyObject *bit_rows_take(bit_rows *rows) {
    pv_error error;
    pv_mask *mask = pv_mask_from_bits(rows->bytes, rows->w, rows->h, (ptrdiff_t)rows->pitch,
                                      PV_BITS_LSB_FIRST, NULL, &error);
    PyMem_Free(rows->bytes);
    return pvpy_mask_wrap(mask, &error);
}

static inline void bit_rows_set(unsigned char *row, int x, bool solid) {
    row[x >> 3] |= (unsigned char)(solid << (x & 7));
}

/// Joins eight bytes of 0 or 1 to the bits of one byte, the first lowest.
static inline unsigned char join_bits(const unsigned char flags[8]) {
    uint64_t bytes = 0;
    for (int k = 0; k < 8; k++) bytes |= (uint64_t)flags[k] << (8 * k);
    return (unsigned char)(bytes * UINT64_C(0x0102040810204080) >> 56);
}

/// Marks the pixels that differ from the key; inlined for each number of bytes.
static inline __attribute__((always_inline)) void
key_row(unsigned char *row, const unsigned char *p, int w, int bytes, uint32_t key) {
    int x = 0;
    for (; x + 8 <= w; x += 8, p += 8 * bytes) {
        unsigned char flags[8];
        for (int k = 0; k < 8; k++) flags[k] = pvpy_surface_load(p + k * bytes, bytes) != key;
        row[x >> 3] = join_bits(flags);
    }
    for (; x < w; x++, p += bytes) bit_rows_set(row, x, pvpy_surface_load(p, bytes) != key);
}

static PyObject *mask_from_key(const pvpy_surface *s, uint32_t key) {
    bit_rows rows;
    if (!bit_rows_make(&rows, s->w, s->h)) return NULL;
    for (int y = 0; y < s->h; y++) {
        const unsigned char *p = s->pixels + y * s->pitch;
        unsigned char *row = rows.bytes + (size_t)y * rows.pitch;
        switch (s->bytes) {
        case 1: key_row(row, p, s->w, 1, key); break;
        case 2: key_row(row, p, s->w, 2, key); break;
        case 3: key_row(row, p, s->w, 3, key); break;
        default: key_row(row, p, s->w, 4, key);
        }
    }
    return bit_rows_take(&rows);
}

static PyObject *mask_from_alpha(const pvpy_surface *s, int threshold) {
    pv_error error;
    if (threshold >= 255 || !s->w || !s->h)
        return pvpy_mask_wrap(pv_mask_create(s->w, s->h, NULL, &error), &error);
    if (threshold < 0) threshold = -1;
    pv_mask_options options = pv_mask_options_default();
    options.alpha_threshold = threshold + 1;
    pv_pixels pixels = {s->pixels, s->w, s->h, s->pitch, s->bytes, s->masks[3]};
    return pvpy_mask_wrap(pv_mask_from_pixels(&pixels, &options, &error), &error);
}

PVPY_FUNCTION(pvpy_mask_from_surface) {
    (void)self;
    static const pvpy_signature signature = {"from_surface", 1, 2, {"surface", "threshold"}};
    PyObject *values[2];
    int threshold = 127;
    pvpy_surface s;
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        (values[1] && !pvpy_read_int(values[1], "threshold", &threshold)) ||
        !pvpy_surface_open(&s, values[0], "surface", false))
        return NULL;
    uint32_t key;
    int keyed = color_key(&s, &key);
    PyObject *mask = keyed < 0   ? NULL
                     : keyed > 0 ? mask_from_key(&s, key)
                                 : mask_from_alpha(&s, threshold);
    pvpy_surface_close(&s);
    return mask;
}

/* ---- from_threshold ---- */

typedef struct threshold_test {
    const pvpy_surface *surface, *other;
    uint32_t palette[256], other_palette[256];
    uint32_t color, tolerance;
    /// Comparison of palette indices instead of their colors
    bool indices;
} threshold_test;

/// Pixels of a row that are compared together.
#define TEST_PIXELS 64

/// Returns a number whose highest bit is set if a channel differs by less than the tolerance.
static inline uint32_t channel_near(uint32_t a, uint32_t b, uint32_t tolerance, int shift) {
    int gap = (int)(a >> shift & 255) - (int)(b >> shift & 255);
    int limit = (int)(tolerance >> shift & 255);
    return (uint32_t)(gap - limit) & (uint32_t)(-limit - gap);
}

/// Returns 1 if red, green and blue differ by less than the tolerance, else 0.
static inline uint32_t colors_near(uint32_t a, uint32_t b, uint32_t tolerance) {
    return (channel_near(a, b, tolerance, 24) & channel_near(a, b, tolerance, 16) &
            channel_near(a, b, tolerance, 8)) >>
           31;
}

/// Reads pixels as colors, or as palette indices in the highest byte.
static void read_colors(const threshold_test *t, const pvpy_surface *s, const uint32_t *palette,
                        int x, int y, int count, uint32_t *colors) {
    const unsigned char *p = s->pixels + y * s->pitch + (ptrdiff_t)x * s->bytes;
    if (t->indices)
        for (int k = 0; k < count; k++) colors[k] = (uint32_t)p[k] << 24;
    else
        pvpy_surface_read(s, palette, p, count, colors);
}

/// Compares up to TEST_PIXELS pixels from (x, y) on.
static void test_pixels(const threshold_test *t, int x, int y, int count, unsigned char *row) {
    uint32_t a[TEST_PIXELS], b[TEST_PIXELS];
    unsigned char flags[TEST_PIXELS];
    int room = (count + 7) & ~7;
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    uint32_t tolerance = t->indices ? t->tolerance | 0xffff00 : t->tolerance;
    read_colors(t, t->surface, t->palette, x, y, count, a);
    if (t->other)
        read_colors(t, t->other, t->other_palette, x, y, count, b);
    else
        for (int k = 0; k < room; k++) b[k] = t->color;
    for (int k = 0; k < room; k++) a[k] = colors_near(a[k], b[k], tolerance);
    for (int k = 0; k < room; k++) flags[k] = (unsigned char)a[k];
    int k = 0;
    for (; k + 8 <= count; k += 8) row[(x + k) >> 3] = join_bits(flags + k);
    for (; k < count; k++) bit_rows_set(row, x + k, flags[k]);
}

static PyObject *threshold_run(const threshold_test *t) {
    const pvpy_surface *s = t->surface, *o = t->other;
    bit_rows rows;
    if (!bit_rows_make(&rows, s->w, s->h)) return NULL;
    int w = o && o->w < s->w ? o->w : s->w, h = o && o->h < s->h ? o->h : s->h;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x += TEST_PIXELS)
            test_pixels(t, x, y, w - x < TEST_PIXELS ? w - x : TEST_PIXELS,
                        rows.bytes + (size_t)y * rows.pitch);
    return bit_rows_take(&rows);
}

/// Reads a color as the surface can show it.
static bool read_shown(const pvpy_surface *s, const uint32_t *palette, PyObject *value,
                       const char *name, uint32_t *rgba) {
    uint32_t pixel;
    if (!pvpy_surface_map(s, value, name, &pixel)) return false;
    *rgba = pvpy_surface_rgba(s, palette, pixel);
    return true;
}

static bool read_test(threshold_test *t, PyObject *color, PyObject *tolerance) {
    const pvpy_surface *s = t->surface, *o = t->other;
    PyObject *black = Py_BuildValue("(iiii)", 0, 0, 0, 255);
    bool good =
        black && pvpy_surface_palette(s, t->palette) &&
        (!o || pvpy_surface_palette(o, t->other_palette)) &&
        read_shown(s, t->palette, color, "color", &t->color) &&
        read_shown(s, t->palette, tolerance ? tolerance : black, "threshold", &t->tolerance);
    Py_XDECREF(black);
    return good;
}

PVPY_FUNCTION(pvpy_mask_from_threshold) {
    (void)self;
    static const pvpy_signature signature = {
        "from_threshold",
        2,
        5,
        {"surface", "color", "threshold", "othersurface", "palette_colors"}};
    PyObject *values[5];
    int palette_colors = 1;
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        (values[4] && !pvpy_read_int(values[4], "palette_colors", &palette_colors)))
        return NULL;
    bool paired = values[3] && values[3] != Py_None;
    pvpy_surface s, o;
    if (!pvpy_surface_open(&s, values[0], "surface", false)) return NULL;
    PyObject *mask = NULL;
    if (!paired || pvpy_surface_open(&o, values[3], "othersurface", false)) {
        threshold_test test = {.surface = &s, .other = paired ? &o : NULL};
        test.indices = paired && s.bytes == 1 && o.bytes == 1 && !palette_colors;
        if (read_test(&test, values[1], values[2])) mask = threshold_run(&test);
        if (paired) pvpy_surface_close(&o);
    }
    pvpy_surface_close(&s);
    return mask;
}

/* ---- to_surface ---- */

/// Source of the pixels of one kind: a surface, a color, or both.
typedef struct paint {
    pvpy_surface surface;
    bool has_surface, has_color;
    uint32_t color;
} paint;

static bool format_fits(const pvpy_surface *a, const pvpy_surface *b, const char *name) {
    if (a->bytes == b->bytes && !a->masks[3] == !b->masks[3]) return true;
    PyErr_Format(PyExc_ValueError, "invalid format of %s: bytes of a pixel and alpha must match",
                 name);
    return false;
}

static bool paint_open(paint *p, const pvpy_surface *to, PyObject *surface, const char *name,
                       PyObject *color, const char *color_name) {
    p->has_color = color != Py_None;
    if (p->has_color && !pvpy_surface_map(to, color, color_name, &p->color)) return false;
    if (!surface || surface == Py_None) return true;
    if (!pvpy_surface_open(&p->surface, surface, name, true)) return false;
    p->has_surface = true;
    return format_fits(to, &p->surface, name);
}

static void paint_close(paint *p) {
    if (p->has_surface) pvpy_surface_close(&p->surface);
}

/// Paints pixel (x, y) of the mask at a place of the surface.
static inline void paint_pixel(const paint *p, unsigned char *to, int bytes, int x, int y) {
    const pvpy_surface *s = &p->surface;
    if (p->has_surface && x < s->w && y < s->h)
        memcpy(to, s->pixels + y * s->pitch + (ptrdiff_t)x * bytes, (size_t)bytes);
    else if (p->has_color)
        pvpy_surface_store(to, bytes, p->color);
}

/// Paints one row in two colors of four bytes, without a branch for a pixel.
static void paint_row_colors(const pvpy_bits *b, unsigned char *row, int x0, int x1, int y,
                             const uint32_t colors[2]) {
    for (int x = x0; x < x1;) {
        uint64_t word = b->words[(size_t)(x >> 6) * (size_t)b->h + (size_t)y] >> (x & 63);
        int end = (x | 63) + 1;
        if (end > x1) end = x1;
        for (; x < end; x++, word >>= 1, row += 4) memcpy(row, &colors[word & 1], 4);
    }
}

static inline __attribute__((always_inline)) void paint_row_bytes(const pvpy_bits *b,
                                                                  unsigned char *row, int x0,
                                                                  int x1, int y, int bytes,
                                                                  const paint paints[2]) {
    for (int x = x0; x < x1;) {
        uint64_t word = b->words[(size_t)(x >> 6) * (size_t)b->h + (size_t)y] >> (x & 63);
        int end = (x | 63) + 1 < x1 ? (x | 63) + 1 : x1;
        for (; x < end; x++, word >>= 1, row += bytes)
            paint_pixel(&paints[word & 1], row, bytes, x, y);
    }
}

static void paint_row(const pvpy_bits *b, unsigned char *row, int x0, int x1, int y, int bytes,
                      const paint paints[2]) {
    switch (bytes) {
    case 1: paint_row_bytes(b, row, x0, x1, y, 1, paints); break;
    case 2: paint_row_bytes(b, row, x0, x1, y, 2, paints); break;
    case 3: paint_row_bytes(b, row, x0, x1, y, 3, paints); break;
    default: paint_row_bytes(b, row, x0, x1, y, 4, paints);
    }
}

static void paint_all(const pvpy_bits *b, const pvpy_surface *to, const paint paints[2], int dx,
                      int dy) {
    int x0 = dx < 0 ? -dx : 0, y0 = dy < 0 ? -dy : 0;
    int x1 = b->w < to->w - dx ? b->w : to->w - dx, y1 = b->h < to->h - dy ? b->h : to->h - dy;
    bool plain = to->bytes == 4 && !paints[0].has_surface && !paints[1].has_surface &&
                 paints[0].has_color && paints[1].has_color;
    const uint32_t colors[2] = {paints[0].color, paints[1].color};
    for (int y = y0; y < y1 && x0 < x1; y++) {
        unsigned char *row = to->pixels + (y + dy) * to->pitch + (ptrdiff_t)(x0 + dx) * to->bytes;
        if (plain) {
            paint_row_colors(b, row, x0, x1, y, colors);
            continue;
        }
        paint_row(b, row, x0, x1, y, to->bytes, paints);
    }
}

static PyObject *create_surface(pvpy_bits b) {
    PyObject *class = pvpy_pygame("Surface"), *flag = pvpy_pygame("SRCALPHA"), *surface = NULL;
    if (class && flag)
        surface = PyObject_CallFunction(class, "(ii)Oi", b.w, b.h, flag, 32);
    else
        PyErr_SetString(PyExc_RuntimeError, "to_surface() needs pygame");
    Py_XDECREF(class);
    Py_XDECREF(flag);
    return surface;
}

/// Reads a position: two numbers, or the corner of a rect.
static bool read_dest(PyObject *dest, int *x, int *y) {
    *x = *y = 0;
    if (!dest || pvpy_read_pair(dest, "dest", x, y)) return true;
    PyErr_Clear();
    PyObject *class = rect_class();
    PyObject *rect = class ? PyObject_CallFunctionObjArgs(class, dest, NULL) : NULL;
    PyObject *corner = rect ? PyObject_GetAttrString(rect, "topleft") : NULL;
    bool good = corner && pvpy_read_pair(corner, "dest", x, y);
    Py_XDECREF(corner);
    Py_XDECREF(rect);
    if (good) return true;
    PyErr_SetString(PyExc_TypeError, "invalid dest argument");
    return false;
}

/// Limits a coordinate, so that sums with sizes stay in range.
static int limit(int x) { return x < -(1 << 20) ? -(1 << 20) : x > 1 << 30 ? 1 << 30 : x; }

static bool paint_surface(PyObject *self, PyObject *surface, PyObject *const *values) {
    pvpy_surface to;
    paint paints[2] = {{.has_surface = false}, {.has_surface = false}};
    int dx, dy;
    if (!pvpy_surface_open(&to, surface, "surface", true)) return false;
    PyObject *white = Py_BuildValue("(iiii)", 255, 255, 255, 255);
    PyObject *black = Py_BuildValue("(iiii)", 0, 0, 0, 255);
    bool good = white && black &&
                paint_open(&paints[1], &to, values[1], "setsurface", values[3] ? values[3] : white,
                           "setcolor") &&
                paint_open(&paints[0], &to, values[2], "unsetsurface",
                           values[4] ? values[4] : black, "unsetcolor") &&
                read_dest(values[5], &dx, &dy);
    pvpy_bits b = pvpy_mask_bits(self);
    if (good) paint_all(&b, &to, paints, limit(dx), limit(dy));
    Py_XDECREF(white);
    Py_XDECREF(black);
    paint_close(&paints[0]);
    paint_close(&paints[1]);
    pvpy_surface_close(&to);
    return good;
}

PVPY_FUNCTION(pvpy_mask_to_surface) {
    static const pvpy_signature signature = {
        "to_surface",
        0,
        6,
        {"surface", "setsurface", "unsetsurface", "setcolor", "unsetcolor", "dest"}};
    PyObject *values[6];
    if (!pvpy_arguments(&signature, args, count, keywords, values)) return NULL;
    PyObject *surface = values[0] && values[0] != Py_None ? Py_NewRef(values[0])
                                                          : create_surface(pvpy_mask_bits(self));
    if (surface && !paint_surface(self, surface, values)) Py_CLEAR(surface);
    return surface;
}
