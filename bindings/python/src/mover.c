/* mover.c - class Mover: a platform character that walks among the bodies of a world.
 *
 * Invariant: a mover holds its world and a reference to its mask. Bodies in it are ids, which read
 * as None once the bodies are gone.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

PyTypeObject *pvpy_mover_type;

static pvpy_mover *as_mover(PyObject *object) { return (pvpy_mover *)object; }

/// Replaces the mask of a mover with another, or with none.
static void set_mask(pvpy_mover *self, const pv_mask *mask) {
    pv_mask *before = (pv_mask *)(uintptr_t)self->mover.mask;
    self->mover.mask = pv_mask_retain((pv_mask *)(uintptr_t)mask);
    pv_mask_release(before);
}

PyObject *pvpy_mover_make(pvpy_call *call, const pv_mover *mover) {
    PyObject *object = PyType_GenericAlloc(pvpy_mover_type, 0);
    if (object) {
        as_mover(object)->world = Py_NewRef((PyObject *)call->owner);
        as_mover(object)->mover = *mover;
        as_mover(object)->mover.mask = NULL;
        set_mask(as_mover(object), mover->mask);
    }
    PyObject *none = pvpy_call_end(call, NULL, NULL);
    if (!none) Py_CLEAR(object);
    Py_XDECREF(none);
    return object;
}

/* ---- Members ---- */

/// Tells whether a member is a body that no longer exists.
static bool body_is_gone(const pvpy_call *call, const pvpy_field *f, const void *at) {
    pv_body_id body;
    if (f->type->kind != PVPY_HANDLE || f->length) return false;
    memcpy(&body, (const char *)at + f->offset, sizeof body);
    return !pv_body_is_valid(call->world, body);
}

PyObject *pvpy_mover_get(PyObject *self, void *field) {
    const pvpy_field *f = field;
    const pv_mover *mover = pvpy_self_mover(self);
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_mover", NULL, 0, 0, NULL, NULL, 0, NULL)) return NULL;
    if (body_is_gone(&call, f, mover)) Py_RETURN_NONE;
    return pvpy_build_field(f, mover, call.owner);
}

int pvpy_mover_set(PyObject *self, PyObject *value, void *field) {
    const pvpy_field *f = field;
    pv_mover changed = *pvpy_self_mover(self);
    pvpy_call call;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a member of a mover cannot be deleted");
        return -1;
    }
    if (!pvpy_call_begin(&call, self, "pv_mover", NULL, 0, 0, NULL, NULL, 0, NULL)) return -1;
    if (pvpy_read_field(&call, f, value, &changed)) {
        const pv_mask *mask = changed.mask;
        changed.mask = pvpy_self_mover(self)->mask;
        as_mover(self)->mover = changed;
        if (f->type->kind == PVPY_LENT_MASK) set_mask(as_mover(self), mask);
    }
    PyObject *none = pvpy_call_end(&call, NULL, NULL);
    Py_XDECREF(none);
    return none ? 0 : -1;
}

/* ---- Class ---- */

static int mover_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as_mover(self)->world);
    Py_VISIT(as_mover(self)->data);
    return 0;
}

/* The world stays, as it does for a handle. */
static int mover_clear(PyObject *self) {
    Py_CLEAR(as_mover(self)->data);
    return 0;
}

static void mover_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    mover_clear(self);
    set_mask(as_mover(self), NULL);
    Py_CLEAR(as_mover(self)->world);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMemberDef mover_members[] = {
    {"data", T_OBJECT, offsetof(pvpy_mover, data), 0, PyDoc_STR("Any object of the program.")},
    {"world", T_OBJECT, offsetof(pvpy_mover, world), READONLY, PyDoc_STR("The world of it.")},
    {NULL, 0, 0, 0, NULL},
};

bool pvpy_mover_register(PyObject *module, PyMethodDef *methods, PyGetSetDef *properties) {
    PyType_Slot slots[] = {
        {Py_tp_methods, methods},
        {Py_tp_getset, properties},
        {Py_tp_members, mover_members},
        {Py_tp_dealloc, mover_dealloc},
        {Py_tp_traverse, mover_traverse},
        {Py_tp_clear, mover_clear},
        {Py_tp_doc,
         "A platform character that walks by exact pixels; World.create_mover() makes one."},
        {0, NULL}};
    PyType_Spec spec = {.name = "pixverlet.Mover",
                        .basicsize = sizeof(pvpy_mover),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    pvpy_mover_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return pvpy_mover_type &&
           PyModule_AddObjectRef(module, "Mover", (PyObject *)pvpy_mover_type) == 0;
}
