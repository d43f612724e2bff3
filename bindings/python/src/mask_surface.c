/* mask_surface.c - masks from surfaces, surfaces from masks, and rects.
 *
 * Invariant: a surface is written only inside its own bounds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "surface.h"

#include <stdlib.h>

/* ---- Rects ---- */

/// Returns the class pygame.Rect, borrowed, or null if pygame is missing.
static PyObject *rect_class(void) {
    static PyObject *found;
    if (!found) found = pvpy_pygame("Rect");
    return found;
}

typedef PyObject *(*rect_maker)(int x, int y, int w, int h);

/// Index of pgRect_New4() in the table that pygame exports for C.
#define RECT_NEW4 2

static bool is_rect(PyObject *rect, pv_rect wanted) {
    PyObject *numbers = Py_BuildValue("(iiii)", wanted.x, wanted.y, wanted.w, wanted.h);
    bool good = rect && numbers && PyObject_IsInstance(rect, rect_class()) == 1 &&
                PyObject_RichCompareBool(rect, numbers, Py_EQ) == 1;
    Py_XDECREF(numbers);
    PyErr_Clear();
    return good;
}

/// Returns pygame's function that makes rects, if a trial call proves it; otherwise null.
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
    if (maker) return maker(r.x, r.y, r.w, r.h);
    PyObject *class = rect_class();
    if (!class) return Py_BuildValue("(iiii)", r.x, r.y, r.w, r.h);
    maker = find_rect_maker();
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
    const pv_mask *mask = ((pvpy_mask *)self)->mask;
    PyObject *rect = pvpy_rect((pv_rect){0, 0, pv_mask_get_width(mask), pv_mask_get_height(mask)});
    for (Py_ssize_t i = 0; rect && i < named; i++)
        if (PyObject_SetAttr(rect, PyTuple_GetItem(keywords, i), args[i]) < 0) Py_CLEAR(rect);
    return rect;
}

/* ---- from_surface ---- */

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

/// Packs eight bytes of 0 or 1 into the bits of one byte, lowest bit first.
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

static PyObject *mask_from_opened(const pvpy_surface *s, int keyed, pvpy_color key, int threshold) {
    uint32_t pixel;
    if (!keyed) return mask_from_alpha(s, threshold);
    return pvpy_surface_map(s, key, &pixel) ? mask_from_key(s, pixel) : NULL;
}

PVPY_FUNCTION(pvpy_mask_from_surface) {
    (void)self;
    static pvpy_signature signature = PVPY_SIGNATURE("from_surface", 1, 2, "surface", "threshold");
    PyObject *values[2];
    int threshold = 127;
    pvpy_surface s;
    pvpy_color key;
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        (values[1] && !pvpy_read_int(values[1], "threshold", &threshold)))
        return NULL;
    int keyed = pvpy_color_key(&key, values[0]);
    if (keyed < 0 || !pvpy_surface_open(&s, values[0], "surface", false)) return NULL;
    PyObject *mask = mask_from_opened(&s, keyed, key, threshold);
    pvpy_surface_close(&s);
    return mask;
}

/* ---- from_threshold ---- */

/// Four pixels, as bytes and as words, and the number of pixels that are compared together.
typedef unsigned char four_bytes __attribute__((vector_size(16)));
typedef uint32_t four_words __attribute__((vector_size(16)));
#define TEST_PIXELS 16

typedef struct threshold_test {
    const pvpy_surface *surface, *other;
    uint32_t palette[256], other_palette[256];
    /// Pixels compared in place, or as palette indices in the highest byte; otherwise as 0xRRGGBBAA
    bool in_place, indices;
    /// Tolerance, bytes that always match, and the color repeated for each pixel
    four_words limits, ignored, colors[TEST_PIXELS / 4];
} threshold_test;

/// Returns a bit for each pixel, set if all its bytes differ by less than the limits.
static uint32_t compare_pixels(const threshold_test *t, const void *a, const void *b) {
    const four_words places = {1, 2, 4, 8};
    four_words found = {0, 0, 0, 0};
    for (int i = 0; i < TEST_PIXELS / 4; i++) {
        four_bytes p, q;
        memcpy(&p, (const char *)a + 16 * i, 16);
        memcpy(&q, (const char *)b + 16 * i, 16);
        four_bytes above = (four_bytes)(p > q);
        four_bytes gap = ((p - q) & above) | ((q - p) & ~above);
        four_words near = (four_words)(gap < (four_bytes)t->limits) | t->ignored;
        found |= (four_words)(near == 0xffffffffu) & places << (4 * i);
    }
    return found[0] | found[1] | found[2] | found[3];
}

/// Returns a surface's pixels for the comparison: in place, or read into `room`.
static const void *pixels_to_test(const threshold_test *t, const pvpy_surface *s,
                                  const uint32_t *palette, int x, int y, int count,
                                  uint32_t room[TEST_PIXELS]) {
    const unsigned char *p = s->pixels + y * s->pitch + (ptrdiff_t)x * s->bytes;
    if (t->in_place && count == TEST_PIXELS) return p;
    memset(room, 0, TEST_PIXELS * sizeof *room);
    if (t->in_place)
        memcpy(room, p, 4 * (size_t)count);
    else if (t->indices)
        for (int k = 0; k < count; k++) room[k] = (uint32_t)p[k] << 24;
    else
        pvpy_surface_read(s, palette, p, count, room);
    return room;
}

/// Compares up to TEST_PIXELS pixels, starting at (x, y).
static void test_pixels(const threshold_test *t, int x, int y, int count, unsigned char *row) {
    uint32_t a[TEST_PIXELS], b[TEST_PIXELS];
    const void *of_other =
        t->other ? pixels_to_test(t, t->other, t->other_palette, x, y, count, b) : t->colors;
    const void *of_surface = pixels_to_test(t, t->surface, t->palette, x, y, count, a);
    uint32_t bits = compare_pixels(t, of_surface, of_other) & ((1u << count) - 1);
    row[x >> 3] = (unsigned char)bits;
    if (count > 8) row[(x >> 3) + 1] = (unsigned char)(bits >> 8);
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

/// Tells whether the pixels' bytes are compared without conversion.
static bool compares_in_place(const pvpy_surface *s, const pvpy_surface *o) {
    return pvpy_surface_has_byte_channels(s) &&
           (!o || (pvpy_surface_has_byte_channels(o) && memcmp(s->masks, o->masks, 12) == 0));
}

/// Prepares the values to compare with, as the surface can represent them.
static bool threshold_prepare(threshold_test *t, pvpy_color color, pvpy_color tolerance) {
    const pvpy_surface *s = t->surface;
    uint32_t wanted, limit, ignored = 0xff;
    if (!pvpy_surface_palette(s, t->palette) ||
        (t->other && !pvpy_surface_palette(t->other, t->other_palette)) ||
        !pvpy_surface_map(s, color, &wanted) || !pvpy_surface_map(s, tolerance, &limit))
        return false;
    t->in_place = compares_in_place(s, t->other);
    if (t->in_place)
        ignored = ~(s->masks[0] | s->masks[1] | s->masks[2]);
    else {
        wanted = pvpy_surface_rgba(s, t->palette, wanted);
        limit = pvpy_surface_rgba(s, t->palette, limit);
        if (t->indices) ignored = 0xffffff;
    }
    const four_words none = {0, 0, 0, 0};
    t->limits = none | limit, t->ignored = none | ignored;
    for (int k = 0; k < TEST_PIXELS / 4; k++) t->colors[k] = none | wanted;
    return true;
}

static PyObject *threshold_mask(const pvpy_surface *s, const pvpy_surface *o, bool palette_colors,
                                pvpy_color color, pvpy_color tolerance) {
    threshold_test test;
    test.surface = s, test.other = o;
    test.indices = o && s->bytes == 1 && o->bytes == 1 && !palette_colors;
    return threshold_prepare(&test, color, tolerance) ? threshold_run(&test) : NULL;
}

PVPY_FUNCTION(pvpy_mask_from_threshold) {
    (void)self;
    static pvpy_signature signature = PVPY_SIGNATURE("from_threshold", 2, 5, "surface", "color",
                                                     "threshold", "othersurface", "palette_colors");
    PyObject *values[5], *mask = NULL;
    int palette_colors = 1;
    pvpy_color color, tolerance = {0x000000ff, false};
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        !pvpy_color_read(&color, values[1], "color") ||
        (values[2] && !pvpy_color_read(&tolerance, values[2], "threshold")) ||
        (values[4] && !pvpy_read_int(values[4], "palette_colors", &palette_colors)))
        return NULL;
    bool paired = values[3] && values[3] != Py_None;
    pvpy_surface s, o;
    if (!pvpy_surface_open(&s, values[0], "surface", false)) return NULL;
    if (!paired)
        mask = threshold_mask(&s, NULL, palette_colors, color, tolerance);
    else if (pvpy_surface_open(&o, values[3], "othersurface", false)) {
        mask = threshold_mask(&s, &o, palette_colors, color, tolerance);
        pvpy_surface_close(&o);
    }
    pvpy_surface_close(&s);
    return mask;
}

/* ---- to_surface ---- */

/// Number of four-byte pixels that are painted together.
#define PAINT_PIXELS 16
/// Pixel at any address.
typedef uint32_t any_pixel __attribute__((aligned(1), may_alias));

/// Source of the pixels of one kind: a surface, a color, or both.
typedef struct paint {
    pvpy_surface surface;
    bool has_surface, has_color;
    uint32_t color, colors[PAINT_PIXELS];
} paint;

/// Source of the pixels of one kind, from the arguments of a program.
typedef struct paint_choice {
    PyObject *surface;
    const char *name;
    bool has_color;
    pvpy_color color;
} paint_choice;

static bool format_fits(const pvpy_surface *a, const pvpy_surface *b, const char *name) {
    if (a->bytes == b->bytes && !a->masks[3] == !b->masks[3]) return true;
    PyErr_Format(PyExc_ValueError, "invalid format of %s: bytes of a pixel and alpha must match",
                 name);
    return false;
}

static bool paint_open(paint *p, const pvpy_surface *to, const paint_choice *choice) {
    p->has_surface = false;
    p->has_color = choice->has_color;
    p->color = 0;
    if (p->has_color && !pvpy_surface_map(to, choice->color, &p->color)) return false;
    for (int k = 0; k < PAINT_PIXELS; k++) p->colors[k] = p->color;
    if (!choice->surface) return true;
    p->has_surface = pvpy_surface_open(&p->surface, choice->surface, choice->name, true);
    return p->has_surface && format_fits(to, &p->surface, choice->name);
}

static void paint_close(paint *p) {
    if (p->has_surface) pvpy_surface_close(&p->surface);
}

/// Paints pixel (x, y) of the mask at `to`.
static inline void paint_pixel(const paint *p, unsigned char *to, int bytes, int x, int y) {
    const pvpy_surface *s = &p->surface;
    if (p->has_surface && x < s->w && y < s->h)
        memcpy(to, s->pixels + y * s->pitch + (ptrdiff_t)x * bytes, (size_t)bytes);
    else if (p->has_color)
        pvpy_surface_store(to, bytes, p->color);
}

/// Returns PAINT_PIXELS pixels of a source for (x, y), or null if the source ends among them.
static const void *paint_pixels(const paint *p, const unsigned char *to, int x, int y) {
    const pvpy_surface *s = &p->surface;
    bool covers = p->has_surface && x < s->w && y < s->h;
    if (covers)
        return x + PAINT_PIXELS <= s->w ? s->pixels + y * s->pitch + (ptrdiff_t)x * 4 : NULL;
    return p->has_color ? (const void *)p->colors : to;
}

/// Paints PAINT_PIXELS pixels: those of `one` where a bit is set, else those of `zero`.
static void select_pixels(unsigned char *to, const void *one, const void *zero, uint64_t bits) {
    static const uint32_t place[PAINT_PIXELS] = {
        1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
        1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    const any_pixel *a = one, *b = zero;
    uint32_t made[PAINT_PIXELS], word = (uint32_t)bits;
    for (int k = 0; k < PAINT_PIXELS; k++) made[k] = word & place[k] ? a[k] : b[k];
    memcpy(to, made, sizeof made);
}

/// Paints the pixels x...end - 1 of a row. They lie in one word, whose lowest bit is that of x.
static inline __attribute__((always_inline)) void paint_word(unsigned char *row, int x, int end,
                                                             int y, uint64_t word, int bytes,
                                                             const paint paints[2], bool blocks) {
    for (; blocks && x + PAINT_PIXELS <= end; x += PAINT_PIXELS, word >>= PAINT_PIXELS) {
        const void *one = paint_pixels(&paints[1], row, x, y);
        const void *zero = paint_pixels(&paints[0], row, x, y);
        if (!one || !zero) break;
        select_pixels(row, one, zero, word);
        row += PAINT_PIXELS * bytes;
    }
    for (; x < end; x++, word >>= 1, row += bytes) paint_pixel(&paints[word & 1], row, bytes, x, y);
}

static inline __attribute__((always_inline)) void
paint_row_bytes(const pvpy_bits *b, unsigned char *row, int x0, int x1, int y, int bytes,
                const paint paints[2], bool blocks) {
    for (int x = x0; x < x1;) {
        uint64_t word = b->words[(size_t)(x >> 6) * (size_t)b->h + (size_t)y] >> (x & 63);
        int end = (x | 63) + 1 < x1 ? (x | 63) + 1 : x1;
        paint_word(row + (ptrdiff_t)(x - x0) * bytes, x, end, y, word, bytes, paints, blocks);
        x = end;
    }
}

static void paint_row(const pvpy_bits *b, unsigned char *row, int x0, int x1, int y, int bytes,
                      const paint paints[2], bool blocks) {
    switch (bytes) {
    case 1: paint_row_bytes(b, row, x0, x1, y, 1, paints, false); break;
    case 2: paint_row_bytes(b, row, x0, x1, y, 2, paints, false); break;
    case 3: paint_row_bytes(b, row, x0, x1, y, 3, paints, false); break;
    default: paint_row_bytes(b, row, x0, x1, y, 4, paints, blocks);
    }
}

/// Tells whether a source shares memory with the surface, so that the painting order matters.
static bool shares_pixels(const paint *p, const pvpy_surface *to) {
    const pvpy_surface *s = &p->surface;
    if (!p->has_surface) return false;
    uintptr_t a = (uintptr_t)s->pixels, b = (uintptr_t)to->pixels;
    return a < b + (size_t)(to->pitch * to->h) && b < a + (size_t)(s->pitch * s->h);
}

static void paint_all(const pvpy_bits *b, const pvpy_surface *to, const paint paints[2], int dx,
                      int dy) {
    int x0 = dx < 0 ? -dx : 0, y0 = dy < 0 ? -dy : 0;
    int x1 = b->w < to->w - dx ? b->w : to->w - dx, y1 = b->h < to->h - dy ? b->h : to->h - dy;
    bool blocks = !shares_pixels(&paints[0], to) && !shares_pixels(&paints[1], to);
    for (int y = y0; y < y1 && x0 < x1; y++) {
        unsigned char *row = to->pixels + (y + dy) * to->pitch + (ptrdiff_t)(x0 + dx) * to->bytes;
        paint_row(b, row, x0, x1, y, to->bytes, paints, blocks);
    }
}

/// Creates a transparent surface of 32 bits.
static PyObject *create_surface(pvpy_bits b) {
    static PyObject *class, *flag, *depth;
    if (!class) class = pvpy_pygame("Surface");
    if (!flag) flag = pvpy_pygame("SRCALPHA");
    if (!depth) depth = PyLong_FromLong(32);
    if (!class || !flag || !depth) {
        PyErr_SetString(PyExc_RuntimeError, "to_surface() needs pygame");
        return NULL;
    }
    PyObject *size = pvpy_pair(b.w, b.h);
    PyObject *made = size ? PyObject_CallFunctionObjArgs(class, size, flag, depth, NULL) : NULL;
    Py_XDECREF(size);
    return made;
}

/// Reads a position: two numbers, or a rect's corner.
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

static bool paint_surface(PyObject *self, PyObject *surface, const paint_choice choices[2], int dx,
                          int dy) {
    pvpy_surface to;
    paint paints[2];
    paints[0].has_surface = paints[1].has_surface = false;
    if (!pvpy_surface_open(&to, surface, "surface", true)) return false;
    bool good =
        paint_open(&paints[1], &to, &choices[1]) && paint_open(&paints[0], &to, &choices[0]);
    pvpy_bits b = pvpy_mask_bits(self);
    if (good) paint_all(&b, &to, paints, limit(dx), limit(dy));
    paint_close(&paints[0]);
    paint_close(&paints[1]);
    pvpy_surface_close(&to);
    return good;
}

/// Reads a surface, and a color that may be None.
static bool read_choice(paint_choice *choice, PyObject *surface, PyObject *color,
                        const char *color_name) {
    choice->surface = surface && surface != Py_None ? surface : NULL;
    choice->has_color = color != Py_None;
    return !color || color == Py_None || pvpy_color_read(&choice->color, color, color_name);
}

PVPY_FUNCTION(pvpy_mask_to_surface) {
    static pvpy_signature signature =
        PVPY_SIGNATURE("to_surface", 0, 6, "surface", "setsurface", "unsetsurface", "setcolor",
                       "unsetcolor", "dest");
    PyObject *values[6];
    int dx, dy;
    paint_choice choices[2] = {{.name = "unsetsurface", .color = {0x000000ff, false}},
                               {.name = "setsurface", .color = {0xffffffff, false}}};
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        !read_choice(&choices[1], values[1], values[3], "setcolor") ||
        !read_choice(&choices[0], values[2], values[4], "unsetcolor") ||
        !read_dest(values[5], &dx, &dy))
        return NULL;
    PyObject *surface = values[0] && values[0] != Py_None ? Py_NewRef(values[0])
                                                          : create_surface(pvpy_mask_bits(self));
    if (surface && !paint_surface(self, surface, choices, dx, dy)) Py_CLEAR(surface);
    return surface;
}
