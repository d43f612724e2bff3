/* mask_object.c - masks as objects of Python: wrapping, arguments, and the copy before a change.
 *
 * Invariant: a lent mask is copied before it changes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "binding.h"

PyTypeObject *pvpy_mask_type;

pvpy_bits pvpy_mask_bits(PyObject *mask) {
    const pv_mask *m = ((pvpy_mask *)mask)->mask;
    int w = pv_mask_get_width(m);
    return (pvpy_bits){w, pv_mask_get_height(m), (w + 63) / 64, pv_mask_get_words(m)};
}

PyObject *pvpy_mask_wrap(pv_mask *mask, const pv_error *error) {
    if (!mask) return pvpy_raise(error);
    pvpy_mask *self = PyObject_New(pvpy_mask, pvpy_mask_type);
    if (!self) {
        pv_mask_release(mask);
        return NULL;
    }
    self->mask = mask;
    self->lent = false;
    return (PyObject *)self;
}

pvpy_mask *pvpy_mask_argument(PyObject *value, const char *name) {
    if (PyObject_TypeCheck(value, pvpy_mask_type)) return (pvpy_mask *)value;
    PyErr_Format(PyExc_TypeError, "%s must be a pixverlet.Mask, not %R", name, Py_TYPE(value));
    return NULL;
}

pv_mask *pvpy_mask_unshare(pvpy_mask *self) {
    pv_error error;
    pv_mask *copy = pv_mask_copy(self->mask, &error);
    if (!copy) return (pv_mask *)pvpy_raise(&error);
    pv_mask_release(self->mask);
    self->mask = copy;
    self->lent = false;
    return copy;
}
