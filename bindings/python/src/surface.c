/* surface.c - reads pygame's description of a surface, and maps colors.
 *
 * Invariant: pygame is imported at its first use and never needed for masks alone.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "surface.h"

#include <limits.h>

PyObject *pvpy_pygame(const char *name) {
    static PyObject *pygame;
    if (!pygame) {
        pygame = PyImport_ImportModule("pygame");
        if (!pygame) {
            PyErr_Clear();
            pygame = Py_NewRef(Py_None);
        }
    }
    if (pygame == Py_None) return NULL;
    PyObject *found = PyObject_GetAttrString(pygame, name);
    if (!found) PyErr_Clear();
    return found;
}

/// Returns pygame.Surface, borrowed, or null if pygame is missing.
static PyTypeObject *surface_class(void) {
    static PyObject *found;
    if (!found) found = pvpy_pygame("Surface");
    return (PyTypeObject *)found;
}

/// Calls a method of class Surface itself, which a derived class cannot override.
static PyObject *ask(PyObject **method, const char *name, PyObject *object, PyObject *argument) {
    if (!*method) *method = PyObject_GetAttrString((PyObject *)surface_class(), name);
    return *method ? PyObject_CallFunctionObjArgs(*method, object, argument, NULL) : NULL;
}

/* ---- Surfaces by their methods: any pygame, locked surfaces, and parts of surfaces ---- */

static bool take_masks(PyObject *answer, uint32_t masks[4]) {
    for (int i = 0; answer && i < 4; i++) {
        PyObject *item = PySequence_GetItem(answer, i);
        masks[i] = item ? (uint32_t)PyLong_AsUnsignedLongMask(item) : 0;
        Py_XDECREF(item);
    }
    Py_XDECREF(answer);
    return !PyErr_Occurred();
}

/// Opens the view of a surface by columns.
static bool take_view(pvpy_surface *s, PyObject *object) {
    static PyObject *method, *kind;
    if (!kind && !(kind = PyUnicode_InternFromString("2"))) return false;
    PyObject *view = ask(&method, "get_view", object, kind);
    bool good = view && PyObject_GetBuffer(view, &s->view, PyBUF_STRIDED_RO) == 0;
    Py_XDECREF(view);
    return good;
}

static bool open_by_methods(pvpy_surface *s, PyObject *object) {
    static PyObject *method;
    if (!take_masks(ask(&method, "get_masks", object, NULL), s->masks) || !take_view(s, object))
        return false;
    s->pixels = s->view.buf;
    s->w = (int)s->view.shape[0], s->h = (int)s->view.shape[1];
    s->bytes = (int)s->view.itemsize;
    s->pitch = s->view.strides[1];
    return true;
}

/* ---- Surfaces in place: the structs of SDL 2, whose layout is fixed ---- */

/// Beginning of SDL_PixelFormat.
typedef struct sdl_format {
    uint32_t format;
    const void *palette;
    uint8_t bits, bytes, padding[2];
    uint32_t masks[4];
} sdl_format;

/// Beginning of SDL_Surface.
typedef struct sdl_surface {
    uint32_t flags;
    const sdl_format *format;
    int w, h, pitch;
    unsigned char *pixels;
} sdl_surface;

/// Beginning of pgSurfaceObject of pygame.h.
typedef struct pygame_surface {
    PyObject_HEAD const sdl_surface *surface;
    int owner;
    const void *parent;
} pygame_surface;

/// SDL_RLEACCEL: pixels that exist only while the surface is locked.
#define SDL_MUST_LOCK 2u

/// Opens a surface without calling its methods; false for one that needs them.
static bool open_in_place(pvpy_surface *s, PyObject *object) {
    const pygame_surface *owner = (const pygame_surface *)object;
    const sdl_surface *from = owner->surface;
    if (!from || owner->parent || from->flags & SDL_MUST_LOCK || !from->pixels ||
        from->format->bytes < 2)
        return false;
    s->view.obj = NULL;
    s->pixels = from->pixels;
    s->w = from->w, s->h = from->h;
    s->bytes = from->format->bytes;
    s->pitch = from->pitch;
    memcpy(s->masks, from->format->masks, sizeof s->masks);
    return true;
}

/// Returns the first number of pygame.get_sdl_version(), or 0.
static long sdl_version(void) {
    PyObject *function = pvpy_pygame("get_sdl_version");
    PyObject *version = function ? PyObject_CallFunctionObjArgs(function, NULL) : NULL;
    PyObject *major = version ? PySequence_GetItem(version, 0) : NULL;
    long number = major ? PyLong_AsLong(major) : 0;
    Py_XDECREF(major);
    Py_XDECREF(version);
    Py_XDECREF(function);
    return number;
}

/// Tells whether a surface read in place agrees with its methods, and its part is known as one.
static bool agrees_in_place(PyObject *object, PyObject *part) {
    pvpy_surface a, b;
    if (!((const pygame_surface *)part)->parent || !open_by_methods(&a, object)) return false;
    bool good = open_in_place(&b, object) && a.pixels == b.pixels && a.w == b.w && a.h == b.h &&
                a.bytes == b.bytes && a.pitch == b.pitch &&
                memcmp(a.masks, b.masks, sizeof a.masks) == 0;
    PyBuffer_Release(&a.view);
    return good;
}

/// Tells whether pygame's surfaces can be read in place.
static bool find_in_place(void) {
    if (sdl_version() != 2) return false;
    PyObject *size = PyObject_GetAttrString((PyObject *)surface_class(), "__basicsize__");
    bool good = size && PyLong_AsSize_t(size) >= sizeof(pygame_surface);
    PyObject *object =
        good ? PyObject_CallFunction((PyObject *)surface_class(), "(ii)ii", 5, 3, 0, 32) : NULL;
    PyObject *part =
        object ? PyObject_CallMethod(object, "subsurface", "(iiii)", 1, 1, 2, 2) : NULL;
    good = part && agrees_in_place(object, part);
    Py_XDECREF(part);
    Py_XDECREF(object);
    Py_XDECREF(size);
    PyErr_Clear();
    return good;
}

static bool open_pygame(pvpy_surface *s, PyObject *object) {
    static enum { NOT_KNOWN, IN_PLACE, BY_METHODS } way;
    s->named = true;
    if (way == NOT_KNOWN) way = find_in_place() ? IN_PLACE : BY_METHODS;
    return (way == IN_PLACE && open_in_place(s, object)) || open_by_methods(s, object);
}

/* ---- Any surface ---- */

static bool open_buffer(pvpy_surface *s, PyObject *object, const char *name) {
    Py_buffer *v = &s->view;
    if (PyObject_GetBuffer(object, v, PyBUF_STRIDED_RO) < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError,
                     "%s must be a pygame.Surface or a buffer of RGBA bytes, not %R", name,
                     Py_TYPE(object));
        return false;
    }
    if (v->ndim == 3 && v->itemsize == 1 && v->shape[2] == 4 && v->strides[2] == 1 &&
        v->strides[1] == 4 && v->shape[0] <= INT_MAX && v->shape[1] <= INT_MAX) {
        s->pixels = v->buf;
        s->h = (int)v->shape[0], s->w = (int)v->shape[1];
        s->pitch = v->strides[0];
        s->bytes = 4;
        static const uint32_t little[4] = {0xff, 0xff00, 0xff0000, 0xff000000u};
        for (int i = 0; i < 4; i++) s->masks[i] = PY_LITTLE_ENDIAN ? little[i] : little[3 - i];
        return true;
    }
    PyBuffer_Release(v);
    PyErr_Format(PyExc_ValueError, "%s must have the shape (height, width, 4) of bytes", name);
    return false;
}

bool pvpy_surface_open(pvpy_surface *s, PyObject *object, const char *name, bool only_surface) {
    s->object = object;
    s->named = false;
    PyTypeObject *class = surface_class();
    if (class && PyObject_TypeCheck(object, class)) return open_pygame(s, object);
    if (!only_surface) return open_buffer(s, object, name);
    PyErr_Format(PyExc_TypeError, "%s must be a pygame.Surface, not %R", name, Py_TYPE(object));
    return false;
}

void pvpy_surface_close(pvpy_surface *s) {
    if (s->view.obj) PyBuffer_Release(&s->view);
}

/* ---- Colors ---- */

static int lowest_bit(uint32_t mask) { return mask ? __builtin_ctz(mask) : 0; }
static int bit_count(uint32_t mask) { return __builtin_popcount(mask); }

/// Widens a channel of few bits to 0...255, so that all ones become 255.
static uint32_t widen(uint32_t pixel, uint32_t mask) {
    uint32_t top = mask >> lowest_bit(mask);
    return top ? ((pixel & mask) >> lowest_bit(mask)) * 255 / top : 255;
}

static uint32_t narrow(uint32_t channel, uint32_t mask) {
    int bits = bit_count(mask);
    return bits >= 8 ? channel << lowest_bit(mask) : channel >> (8 - bits) << lowest_bit(mask);
}

uint32_t pvpy_surface_rgba(const pvpy_surface *s, const uint32_t *palette, uint32_t pixel) {
    if (s->bytes == 1) return palette[pixel & 255];
    return widen(pixel, s->masks[0]) << 24 | widen(pixel, s->masks[1]) << 16 |
           widen(pixel, s->masks[2]) << 8 | widen(pixel, s->masks[3]);
}

bool pvpy_surface_has_byte_channels(const pvpy_surface *s) {
    bool good = s->bytes == 4;
    for (int i = 0; i < 4; i++)
        good &= s->masks[i] == 0xffu << lowest_bit(s->masks[i]) || (i == 3 && !s->masks[i]);
    return good;
}

void pvpy_surface_read(const pvpy_surface *s, const uint32_t *palette, const unsigned char *pixels,
                       int count, uint32_t *rgba) {
    if (!pvpy_surface_has_byte_channels(s)) {
        for (int k = 0; k < count; k++)
            rgba[k] =
                pvpy_surface_rgba(s, palette, pvpy_surface_load(pixels + k * s->bytes, s->bytes));
        return;
    }
    int r = lowest_bit(s->masks[0]), g = lowest_bit(s->masks[1]), b = lowest_bit(s->masks[2]);
    int a = lowest_bit(s->masks[3]);
    uint32_t opaque = s->masks[3] ? 0 : 255;
    for (int k = 0; k < count; k++) {
        uint32_t p = pvpy_surface_load(pixels + 4 * k, 4);
        rgba[k] = (p >> r & 255) << 24 | (p >> g & 255) << 16 | (p >> b & 255) << 8 |
                  (p >> a & 255) | opaque;
    }
}

/// Reads a channel, 0...255.
static bool color_channel(PyObject *item, uint32_t *channel) {
    long number = item && PyLong_Check(item) ? PyLong_AsLong(item) : -1;
    *channel = (uint32_t)number & 255;
    return number >= 0 && number <= 255;
}

/// Reads three or four numbers 0...255.
static bool color_items(PyObject *color, uint32_t *rgba) {
    Py_ssize_t size = PySequence_Size(color);
    uint32_t channels[4] = {0, 0, 0, 255};
    bool good = size == 3 || size == 4;
    for (int i = 0; good && i < size; i++) {
        PyObject *item = PySequence_GetItem(color, i);
        good = color_channel(item, &channels[i]);
        Py_XDECREF(item);
    }
    *rgba = channels[0] << 24 | channels[1] << 16 | channels[2] << 8 | channels[3];
    return good;
}

static bool named_color(PyObject *color, uint32_t *rgba) {
    PyObject *class = pvpy_pygame("Color");
    if (!class) {
        PyErr_SetString(PyExc_ValueError, "names of colors need pygame");
        return false;
    }
    PyObject *made = PyObject_CallFunctionObjArgs(class, color, NULL);
    Py_DECREF(class);
    bool good = made && color_items(made, rgba);
    Py_XDECREF(made);
    return good;
}

bool pvpy_color_read(pvpy_color *color, PyObject *value, const char *name) {
    color->is_pixel = PyLong_Check(value);
    if (color->is_pixel) {
        color->value = (uint32_t)PyLong_AsUnsignedLongMask(value);
        return !PyErr_Occurred();
    }
    if (PyUnicode_Check(value)) return named_color(value, &color->value);
    if (!PySequence_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a color, not %R", name, Py_TYPE(value));
        return false;
    }
    if (color_items(value, &color->value)) return true;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s must be a color of 3 or 4 numbers, 0 to 255", name);
    return false;
}

int pvpy_color_key(pvpy_color *key, PyObject *surface) {
    static PyObject *method;
    if (!surface_class() || !PyObject_TypeCheck(surface, surface_class())) return 0;
    PyObject *color = ask(&method, "get_colorkey", surface, NULL);
    if (!color) return -1;
    int found = color != Py_None;
    if (found && !pvpy_color_read(key, color, "colorkey")) found = -1;
    Py_DECREF(color);
    return found;
}

static bool map_palette(PyObject *surface, uint32_t rgba, uint32_t *pixel) {
    PyObject *mapped =
        PyObject_CallMethod(surface, "map_rgb", "((iiii))", (int)(rgba >> 24),
                            (int)(rgba >> 16 & 255), (int)(rgba >> 8 & 255), (int)(rgba & 255));
    if (mapped) *pixel = (uint32_t)PyLong_AsUnsignedLongMask(mapped);
    Py_XDECREF(mapped);
    return mapped && !PyErr_Occurred();
}

bool pvpy_surface_map(const pvpy_surface *s, pvpy_color color, uint32_t *pixel) {
    *pixel = color.value;
    if (color.is_pixel) return true;
    if (s->bytes == 1) return map_palette(s->object, color.value, pixel);
    *pixel = 0;
    for (int i = 0; i < 4; i++)
        if (s->masks[i]) *pixel |= narrow(color.value >> (24 - 8 * i) & 255, s->masks[i]);
    return true;
}

bool pvpy_surface_palette(const pvpy_surface *s, uint32_t palette[256]) {
    if (s->bytes != 1) return true;
    memset(palette, 0, 256 * sizeof *palette);
    static PyObject *method;
    PyObject *colors = ask(&method, "get_palette", s->object, NULL);
    Py_ssize_t count = colors ? PySequence_Size(colors) : 0;
    for (Py_ssize_t i = 0; i < count && i < 256; i++) {
        PyObject *color = PySequence_GetItem(colors, i);
        if (color) color_items(color, &palette[i]);
        Py_XDECREF(color);
    }
    Py_XDECREF(colors);
    return !PyErr_Occurred();
}
