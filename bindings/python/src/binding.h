/* binding.h - what the files of the extension share: arguments, exceptions and the type of masks.
 *
 * Invariant: only the limited API of Python 3.11 is used, so one build serves later versions.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PVPY_BINDING_H
#define PVPY_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pixverlet.h>
#include <pixverlet/paper.h>

/* ---- Arguments ---- */

#define PVPY_MAX_ARGUMENTS 8

/// Names of a function's arguments, of which the first `required` must be given.
typedef struct pvpy_signature {
    const char *function;
    int required, count;
    const char *names[PVPY_MAX_ARGUMENTS];
    /// The names as interned strings, made at the first keyword
    PyObject *interned[PVPY_MAX_ARGUMENTS];
} pvpy_signature;
#define PVPY_SIGNATURE(FUNCTION, REQUIRED, COUNT, ...)                                             \
    {                                                                                              \
        .function = FUNCTION, .required = REQUIRED, .count = COUNT, .names = { __VA_ARGS__ }       \
    }

/// Sorts positional and keyword arguments into `values`; null marks a missing one.
bool pvpy_arguments(pvpy_signature *signature, PyObject *const *args, Py_ssize_t count,
                    PyObject *keywords, PyObject **values);

/// Reads two whole numbers of a sequence, as pygame does: floats are truncated.
/// @return false with a TypeError that names the argument
bool pvpy_read_pair(PyObject *value, const char *name, int *x, int *y);

/// Reads one whole number; floats are truncated.
bool pvpy_read_int(PyObject *value, const char *name, int *number);

/// Creates a tuple of two whole numbers.
PyObject *pvpy_pair(long x, long y);

/* ---- Exceptions ---- */

extern PyObject *pvpy_error_type;

/// Raises the exception of a refused call, and returns null.
PyObject *pvpy_raise(const pv_error *error);
/// Raises the exception of a status, and returns null.
PyObject *pvpy_raise_status(pv_status status, const char *function);
/// Raises a built-in exception whose message names function and field; takes the message.
bool pvpy_raise_text(PyObject *type, PyObject *message, const char *function, const char *field);
/// Creates the exception class and adds it to the module.
bool pvpy_error_register(PyObject *module);

/* ---- Masks ---- */

/// An object of class Mask. A mask that was lent is copied before its next change.
typedef struct pvpy_mask {
    PyObject_HEAD pv_mask *mask;
    bool lent;
} pvpy_mask;

extern PyTypeObject *pvpy_mask_type;

/// A function that Python calls with positional and keyword arguments.
#define PVPY_FUNCTION(name)                                                                        \
    PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
#define PVPY_CAST(name) ((PyCFunction)(void (*)(void))(name))
#define PVPY_METHOD(name, function, text)                                                          \
    { name, PVPY_CAST(function), METH_FASTCALL | METH_KEYWORDS, PyDoc_STR(text) }

#define PVPY_STATIC(name, function, text)                                                          \
    { name, PVPY_CAST(function), METH_FASTCALL | METH_KEYWORDS | METH_STATIC, PyDoc_STR(text) }

/// Creates the class Mask and adds it to the module.
bool pvpy_mask_register(PyObject *module);
/// Wraps a mask and takes its reference; null raises the error.
PyObject *pvpy_mask_wrap(pv_mask *mask, const pv_error *error);
/// Returns the mask of an argument, or null with a TypeError.
pvpy_mask *pvpy_mask_argument(PyObject *value, const char *name);
/// Replaces a lent mask with a copy, or creates a missing one; null with an exception.
pv_mask *pvpy_mask_unshare(pvpy_mask *self);
/// Returns the pixels for writing, or null with an exception. A lent mask is copied first.
static inline pv_mask *pvpy_mask_edit(pvpy_mask *self) {
    return self->mask && !self->lent ? self->mask : pvpy_mask_unshare(self);
}

/// Solid pixels in stripes of 64 columns; word y of stripe s is words[s * h + y].
typedef struct pvpy_bits {
    int w, h, stripes;
    const uint64_t *words;
} pvpy_bits;
pvpy_bits pvpy_mask_bits(PyObject *mask);
static inline bool pvpy_bits_get(const pvpy_bits *b, int x, int y) {
    return b->words[(size_t)(x >> 6) * (size_t)b->h + (size_t)y] >> (x & 63) & 1;
}

/* Measurements: mask_measure.c */
void pvpy_measure_prepare(void);
bool pvpy_first_shared(pvpy_bits a, pvpy_bits b, int dx, int dy, int *x, int *y);
PyObject *pvpy_mask_centroid(PyObject *self, PyObject *unused);
PyObject *pvpy_mask_angle(PyObject *self, PyObject *unused);
PyObject *pvpy_mask_get_bounding_rects(PyObject *self, PyObject *unused);
PVPY_FUNCTION(pvpy_mask_outline);
PVPY_FUNCTION(pvpy_mask_scale);
PVPY_FUNCTION(pvpy_mask_connected_component);
PVPY_FUNCTION(pvpy_mask_connected_components);
PVPY_FUNCTION(pvpy_mask_convolve);

/* Surfaces: mask_surface.c */
PVPY_FUNCTION(pvpy_mask_from_surface);
PVPY_FUNCTION(pvpy_mask_from_threshold);
PVPY_FUNCTION(pvpy_mask_to_surface);
PVPY_FUNCTION(pvpy_mask_get_rect);

/// Returns a class of pygame, or null without an exception if pygame is missing.
PyObject *pvpy_pygame(const char *name);
/// Creates a pygame.Rect, or a tuple if pygame is missing.
PyObject *pvpy_rect(pv_rect rect);

#endif
