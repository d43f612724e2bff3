/* resource.c - classes of the library's objects without a world: images, material maps, frames,
 * groups.
 *
 * Invariant: an object owns its pointer for all its life, and the pointer never changes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <string.h>

/* ---- Classes ---- */

#define RESOURCE_KINDS 8

static const pvpy_resource_class *resource_classes;
static PyTypeObject *resource_types[RESOURCE_KINDS];
static int resource_count;

PyTypeObject *pvpy_resource_type(int kind) { return resource_types[kind]; }

/// Returns the kind of an object, or -1.
static int kind_of(PyObject *object) {
    for (int kind = 0; kind < resource_count; kind++)
        if (Py_TYPE(object) == resource_types[kind]) return kind;
    return -1;
}

bool pvpy_resource_keeps_masks(PyObject *self) {
    int kind = kind_of(self);
    return kind >= 0 && resource_classes[kind].keeps_masks;
}

PyObject *pvpy_resource_wrap(int kind, void *pointer) {
    pvpy_resource *self = PyObject_New(pvpy_resource, resource_types[kind]);
    if (self)
        self->pointer = pointer;
    else
        resource_classes[kind].release(pointer);
    return (PyObject *)self;
}

int pvpy_resource_kind(const char *name) {
    int kind = 0;
    while (strcmp(resource_classes[kind].name, name) != 0) kind++;
    return kind;
}

static void resource_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    resource_classes[kind_of(self)].release(pvpy_self_pointer(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- Registration ---- */

static bool register_class(PyObject *module, int kind) {
    const pvpy_resource_class *class = &resource_classes[kind];
    char name[64];
    PyOS_snprintf(name, sizeof name, "pixverlet.%s", class->name);
    PyType_Slot slots[] = {{Py_tp_dealloc, resource_dealloc},
                           {Py_tp_methods, class->methods},
                           {Py_tp_getset, class->properties},
                           class->buffer ? class->buffer[0] : (PyType_Slot){0, NULL},
                           class->buffer ? class->buffer[1] : (PyType_Slot){0, NULL},
                           {0, NULL}};
    PyType_Spec spec = {.name = name,
                        .basicsize = sizeof(pvpy_resource),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    resource_types[kind] = (PyTypeObject *)PyType_FromSpec(&spec);
    return resource_types[kind] &&
           PyModule_AddObjectRef(module, class->name, (PyObject *)resource_types[kind]) == 0;
}

bool pvpy_resource_register(PyObject *module, const pvpy_resource_class *classes, int count) {
    resource_classes = classes;
    resource_count = count;
    bool good = count <= RESOURCE_KINDS;
    for (int kind = 0; good && kind < count; kind++) good = register_class(module, kind);
    return good;
}
