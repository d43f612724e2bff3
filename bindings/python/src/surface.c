/* surface.c - reads what pygame says of a surface, and maps colors.
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

static PyObject *surface_class(void) {
    static PyObject *found;
    if (!found) found = pvpy_pygame("Surface");
    return found;
}

static PyObject *interned(PyObject **name, const char *text) {
    if (!*name) *name = PyUnicode_InternFromString(text);
    return *name;
}

/// Calls a method without arguments by its interned name.
static PyObject *ask(PyObject *object, PyObject **name, const char *text) {
    return interned(name, text) ? PyObject_CallMethodObjArgs(object, *name, NULL) : NULL;
}
#define ASK(object, method) ask(object, &(static_name_##method), #method)
static PyObject *static_name_get_masks, *static_name_get_palette;

static bool take_masks(PyObject *answer, uint32_t masks[4]) {
    for (int i = 0; answer && i < 4; i++) {
        PyObject *item = PySequence_GetItem(answer, i);
        masks[i] = item ? (uint32_t)PyLong_AsUnsignedLongMask(item) : 0;
        Py_XDECREF(item);
    }
    Py_XDECREF(answer);
    return !PyErr_Occurred();
}

/// Takes the view of a surface that has a column for each x.
static bool take_view(pvpy_surface *s, PyObject *object) {
    static PyObject *name, *kind;
    if (!interned(&name, "get_view") || !interned(&kind, "2")) return false;
    PyObject *view = PyObject_CallMethodObjArgs(object, name, kind, NULL);
    bool good = view && PyObject_GetBuffer(view, &s->view, PyBUF_STRIDED_RO) == 0;
    Py_XDECREF(view);
    return good;
}

static bool open_pygame(pvpy_surface *s, PyObject *object) {
    if (!take_masks(ASK(object, get_masks), s->masks) || !take_view(s, object)) return false;
    s->pixels = s->view.buf;
    s->w = (int)s->view.shape[0], s->h = (int)s->view.shape[1];
    s->bytes = (int)s->view.itemsize;
    s->pitch = s->view.strides[1];
    s->named = true;
    return true;
}

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
    PyObject *class = surface_class();
    if (class) {
        int is = PyObject_IsInstance(object, class);
        if (is < 0) return false;
        if (is) return open_pygame(s, object);
    }
    if (!only_surface) return open_buffer(s, object, name);
    PyErr_Format(PyExc_TypeError, "%s must be a pygame.Surface, not %R", name, Py_TYPE(object));
    return false;
}

void pvpy_surface_close(pvpy_surface *s) { PyBuffer_Release(&s->view); }

/* ---- Colors ---- */

static int lowest_bit(uint32_t mask) { return mask ? __builtin_ctz(mask) : 0; }
static int bit_count(uint32_t mask) { return __builtin_popcount(mask); }

/// Widens a channel of few bits to 0...255, so that all ones are 255.
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

/// Tells whether red, green, blue and alpha are a byte each, or alpha is missing.
static bool channels_are_bytes(const pvpy_surface *s) {
    bool good = s->bytes == 4;
    for (int i = 0; i < 4; i++)
        good &= s->masks[i] == 0xffu << lowest_bit(s->masks[i]) || (i == 3 && !s->masks[i]);
    return good;
}

void pvpy_surface_read(const pvpy_surface *s, const uint32_t *palette, const unsigned char *pixels,
                       int count, uint32_t *rgba) {
    if (!channels_are_bytes(s)) {
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

/// Reads three or four numbers 0...255.
static bool color_items(PyObject *color, uint32_t *rgba) {
    Py_ssize_t size = PySequence_Size(color);
    if (size != 3 && size != 4) return false;
    *rgba = 0xff;
    for (int i = 0; i < size; i++) {
        int channel = -1;
        PyObject *item = PySequence_GetItem(color, i);
        bool good = item && PyLong_Check(item) && pvpy_read_int(item, "color", &channel);
        Py_XDECREF(item);
        if (!good || channel < 0 || channel > 255) return false;
        *rgba = (*rgba & ~(0xffu << (24 - 8 * i))) | (uint32_t)channel << (24 - 8 * i);
    }
    return true;
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

/// Reads a color as 0xRRGGBBAA.
static bool read_color(PyObject *color, const char *name, uint32_t *rgba) {
    if (PyUnicode_Check(color)) return named_color(color, rgba);
    if (!PySequence_Check(color)) {
        PyErr_Format(PyExc_TypeError, "%s must be a color, not %R", name, Py_TYPE(color));
        return false;
    }
    if (color_items(color, rgba)) return true;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s must be a color of 3 or 4 numbers, 0 to 255", name);
    return false;
}

static bool map_palette(PyObject *surface, uint32_t rgba, uint32_t *pixel) {
    PyObject *mapped =
        PyObject_CallMethod(surface, "map_rgb", "((iiii))", (int)(rgba >> 24),
                            (int)(rgba >> 16 & 255), (int)(rgba >> 8 & 255), (int)(rgba & 255));
    if (mapped) *pixel = (uint32_t)PyLong_AsUnsignedLongMask(mapped);
    Py_XDECREF(mapped);
    return mapped && !PyErr_Occurred();
}

bool pvpy_surface_map(const pvpy_surface *s, PyObject *color, const char *name, uint32_t *pixel) {
    if (PyLong_Check(color)) {
        *pixel = (uint32_t)PyLong_AsUnsignedLongMask(color);
        return !PyErr_Occurred();
    }
    uint32_t rgba;
    if (!read_color(color, name, &rgba)) return false;
    if (s->bytes == 1) return map_palette(s->object, rgba, pixel);
    *pixel = 0;
    for (int i = 0; i < 4; i++)
        if (s->masks[i]) *pixel |= narrow(rgba >> (24 - 8 * i) & 255, s->masks[i]);
    return true;
}

bool pvpy_surface_palette(const pvpy_surface *s, uint32_t palette[256]) {
    if (s->bytes != 1) return true;
    memset(palette, 0, 256 * sizeof *palette);
    PyObject *colors = ASK(s->object, get_palette);
    Py_ssize_t count = colors ? PySequence_Size(colors) : 0;
    for (Py_ssize_t i = 0; i < count && i < 256; i++) {
        PyObject *color = PySequence_GetItem(colors, i);
        if (color) color_items(color, &palette[i]);
        Py_XDECREF(color);
    }
    Py_XDECREF(colors);
    return !PyErr_Occurred();
}
