/* handle.c - objects of a world in Python: bodies, joints and the others.
 *
 * Invariant: an id has one handle at a time. A handle keeps its world alive, and tells whether its
 * object still exists.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <string.h>
#include <structmember.h>

PyTypeObject *pvpy_handle_type;
static const pvpy_handle_class *handle_classes;
static PyTypeObject *handle_types[PVPY_HANDLE_KINDS];

static pvpy_world *world_of(const pvpy_handle *h) { return (pvpy_world *)h->world; }

static void picture_drop(pvpy_picture *picture) {
    if (!picture || --picture->references > 0) return;
    pv_image_destroy(picture->image);
    PyMem_Free(picture);
}

void pvpy_picture_release(pvpy_handle *h) {
    picture_drop(h->picture);
    pv_image_destroy(h->shown);
    h->picture = NULL;
    h->shown = NULL;
}

pvpy_id pvpy_self_id(PyObject *self) { return ((pvpy_handle *)self)->id; }

const char *pvpy_handle_noun(const pvpy_handle *handle) {
    return handle_classes[handle->kind].noun;
}

bool pvpy_handle_is_valid(const pvpy_handle *h) {
    const pv_world *world = world_of(h)->world;
    return world && handle_classes[h->kind].is_valid(world, h->id);
}

static bool slots_reach(pvpy_slots *slots, uint32_t index) {
    if (index < slots->count) return true;
    uint32_t count = index + index / 2 + 16;
    PyObject **items = PyMem_Realloc(slots->items, count * sizeof *items);
    if (!items) return PyErr_NoMemory();
    memset(items + slots->count, 0, (count - slots->count) * sizeof *items);
    *slots = (pvpy_slots){items, count};
    return true;
}

/// Returns the table of an id, and its place there.
static pvpy_slots *slots_of(pvpy_world *owner, int kind, pvpy_id id, uint32_t *place) {
    bool polygon = kind == PVPY_BODIES && PV_ID_IS_POLYGON(id);
    *place = polygon ? id.index - PV_POLYGON_BIT : id.index;
    return &owner->slots[polygon ? PVPY_HANDLE_KINDS : kind];
}

pvpy_handle *pvpy_handle_find(pvpy_world *owner, int kind, pvpy_id id) {
    uint32_t place;
    const pvpy_slots *slots = slots_of(owner, kind, id, &place);
    pvpy_handle *h = place < slots->count ? (pvpy_handle *)slots->items[place] : NULL;
    return h && h->id.generation == id.generation ? h : NULL;
}

PyObject *pvpy_handle_of(pvpy_world *owner, int kind, pvpy_id id) {
    if (PV_ID_IS_NULL(id)) Py_RETURN_NONE;
    pvpy_handle *h = pvpy_handle_find(owner, kind, id);
    if (h) return Py_NewRef((PyObject *)h);
    uint32_t place;
    pvpy_slots *slots = slots_of(owner, kind, id, &place);
    if (!slots_reach(slots, place)) return NULL;
    h = (pvpy_handle *)PyType_GenericAlloc(handle_types[kind], 0);
    if (!h) return NULL;
    h->world = Py_NewRef((PyObject *)owner);
    h->id = id;
    h->kind = kind;
    PyObject *before = slots->items[place];
    if (before && pvpy_handle_is_valid((pvpy_handle *)before)) return (PyObject *)h;
    slots->items[place] = Py_NewRef((PyObject *)h);
    Py_XDECREF(before);
    return (PyObject *)h;
}

static int handle_traverse(PyObject *self, visitproc visit, void *arg) {
    pvpy_handle *h = (pvpy_handle *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(h->world);
    Py_VISIT(h->data);
    return 0;
}

/* The world stays: a handle without one could not tell that its object is gone. */
static int handle_clear(PyObject *self) {
    Py_CLEAR(((pvpy_handle *)self)->data);
    return 0;
}

static void handle_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    handle_clear(self);
    pvpy_picture_release((pvpy_handle *)self);
    Py_CLEAR(((pvpy_handle *)self)->world);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *handle_repr(PyObject *self) {
    const pvpy_handle *h = (const pvpy_handle *)self;
    return PyUnicode_FromFormat("<%s %u%s>", handle_classes[h->kind].name, h->id.index,
                                pvpy_handle_is_valid(h) ? "" : ", destroyed");
}

static PyObject *handle_get_valid(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(pvpy_handle_is_valid((pvpy_handle *)self));
}

PyObject *pvpy_get_property(PyObject *self, void *property) {
    return ((const pvpy_property *)property)->get(self, NULL, 0, NULL);
}

int pvpy_set_property(PyObject *self, PyObject *value, void *property) {
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "a property of the library cannot be deleted");
        return -1;
    }
    PyObject *result = ((const pvpy_property *)property)->set(self, &value, 1, NULL);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

static PyMemberDef handle_members[] = {
    {"data", T_OBJECT, offsetof(pvpy_handle, data), 0, PyDoc_STR("Any object of the program.")},
    {"world", T_OBJECT, offsetof(pvpy_handle, world), READONLY, PyDoc_STR("The world of it.")},
    {NULL, 0, 0, 0, NULL},
};
static PyGetSetDef handle_getset[] = {
    {"valid", handle_get_valid, NULL, PyDoc_STR("False once it was destroyed."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot handle_slots[] = {
    {Py_tp_dealloc, handle_dealloc},      {Py_tp_traverse, handle_traverse},
    {Py_tp_clear, handle_clear},          {Py_tp_repr, handle_repr},
    {Py_tp_members, handle_members},      {Py_tp_getset, handle_getset},
    {Py_tp_doc, "An object of a world."}, {0, NULL},
};
#define HANDLE_FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION)
static PyType_Spec handle_spec = {.name = "pixverlet.Handle",
                                  .basicsize = sizeof(pvpy_handle),
                                  .flags = HANDLE_FLAGS | Py_TPFLAGS_BASETYPE,
                                  .slots = handle_slots};

static bool register_class(PyObject *module, int kind) {
    const pvpy_handle_class *class = &handle_classes[kind];
    char name[64];
    PyOS_snprintf(name, sizeof name, "pixverlet.%s", class->name);
    PyType_Slot slots[] = {{Py_tp_methods, class->methods}, {Py_tp_getset, class->properties},
                           {Py_tp_dealloc, handle_dealloc}, {Py_tp_traverse, handle_traverse},
                           {Py_tp_clear, handle_clear},     {0, NULL}};
    PyType_Spec spec = {
        .name = name, .basicsize = sizeof(pvpy_handle), .flags = HANDLE_FLAGS, .slots = slots};
    PyObject *type = PyType_FromSpecWithBases(&spec, (PyObject *)pvpy_handle_type);
    handle_types[kind] = (PyTypeObject *)type;
    return type && PyModule_AddObjectRef(module, class->name, type) == 0;
}

bool pvpy_handles_register(PyObject *module, const pvpy_handle_class *classes) {
    handle_classes = classes;
    pvpy_handle_type = (PyTypeObject *)PyType_FromSpec(&handle_spec);
    bool good = pvpy_handle_type &&
                PyModule_AddObjectRef(module, "Handle", (PyObject *)pvpy_handle_type) == 0;
    for (int kind = 0; good && kind < PVPY_HANDLE_KINDS; kind++)
        good = register_class(module, kind);
    return good;
}

PyObject *pvpy_body_of(pvpy_world *w, pv_body_id body) {
    return pvpy_handle_of(w, PVPY_BODIES, (pvpy_id){body.index, body.generation});
}
