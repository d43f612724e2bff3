/* values.c - reads and builds values by their descriptions, and begins and ends each call.
 *
 * Invariant: memory of a call is freed by the function that ends it, or by the one that fails.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define SCALAR(NAME, KIND, C)                                                                      \
    const pvpy_type pvpy_type_##NAME = {.kind = KIND, .name = #NAME, .size = sizeof(C)}
SCALAR(double, PVPY_DOUBLE, double);
SCALAR(float, PVPY_FLOAT, float);
SCALAR(int, PVPY_INT, int);
SCALAR(uint, PVPY_UINT, unsigned);
SCALAR(long, PVPY_LONG, int64_t);
SCALAR(ulong, PVPY_ULONG, uint64_t);
SCALAR(bool, PVPY_BOOL, bool);
SCALAR(callable, PVPY_CALLABLE, PyObject *);
SCALAR(text, PVPY_TEXT, const char *);
SCALAR(path, PVPY_PATH, const char *);
SCALAR(bytes, PVPY_BYTES, const void *);
SCALAR(vector, PVPY_VECTOR, pv_vec2);
SCALAR(mask, PVPY_MASK, pv_mask *);
SCALAR(lent_mask, PVPY_LENT_MASK, pv_mask *);

/* ---- Building ---- */

static PyObject *build_word(const pvpy_type *type, const void *at) {
    int value;
    memcpy(&value, at, sizeof value);
    for (const pvpy_word *w = type->words; w->word; w++)
        if (w->value == value) return PyUnicode_InternFromString(w->word);
    return PyLong_FromLong(value);
}

static PyObject *build_mask(const void *at) {
    pv_mask *mask;
    memcpy(&mask, at, sizeof mask);
    if (!mask) Py_RETURN_NONE;
    PyObject *made = pvpy_mask_wrap(pv_mask_retain(mask), NULL);
    if (made) ((pvpy_mask *)made)->lent = true;
    return made;
}

static PyObject *build_text(const void *at) {
    const char *text;
    memcpy(&text, at, sizeof text);
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace")
                : Py_NewRef(Py_None);
}

/// Wraps a material map, the only resource that structs contain.
static PyObject *build_material_map(const pvpy_type *type, const void *at) {
    pv_material_map *map;
    memcpy(&map, at, sizeof map);
    if (!map) Py_RETURN_NONE;
    return pvpy_resource_wrap(type->handle, pv_material_map_retain(map));
}

static PyObject *build_list(const pvpy_type *type, const char *at, Py_ssize_t count,
                            pvpy_world *owner) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *item = pvpy_build(type, at + (size_t)i * type->size, owner);
        if (item)
            PyList_SetItem(list, i, item);
        else
            Py_CLEAR(list);
    }
    return list;
}

PyObject *pvpy_build_field(const pvpy_field *f, const void *of, pvpy_world *owner) {
    const char *at = of;
    if (f->array) {
        const char *items;
        int count;
        memcpy(&items, at + f->offset, sizeof items);
        memcpy(&count, at + f->count_offset, sizeof count);
        return build_list(f->type, items, count, owner);
    }
    if (f->length) return build_list(f->type, at + f->offset, f->length, owner);
    return pvpy_build(f->type, at + f->offset, owner);
}

static PyObject *build_struct(const pvpy_type *type, const void *at, pvpy_world *owner) {
    PyObject *made = PyStructSequence_New(*type->class);
    for (int i = 0; made && i < type->count; i++) {
        PyObject *item = pvpy_build_field(&type->fields[i], at, owner);
        if (item)
            PyStructSequence_SetItem(made, i, item);
        else
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *build_vector(const double xy[2]) {
    PyObject *pair = PyTuple_New(2);
    if (!pair) return NULL;
    PyTuple_SetItem(pair, 0, PyFloat_FromDouble(xy[0]));
    PyTuple_SetItem(pair, 1, PyFloat_FromDouble(xy[1]));
    return pair;
}

PyObject *pvpy_build(const pvpy_type *type, const void *at, pvpy_world *owner) {
    switch (type->kind) {
    case PVPY_DOUBLE: return PyFloat_FromDouble(*(const double *)at);
    case PVPY_FLOAT: return PyFloat_FromDouble((double)*(const float *)at);
    case PVPY_INT: return PyLong_FromLong(*(const int *)at);
    case PVPY_UINT: return PyLong_FromUnsignedLong(*(const unsigned *)at);
    case PVPY_LONG: return PyLong_FromLongLong(*(const int64_t *)at);
    case PVPY_ULONG: return PyLong_FromUnsignedLongLong(*(const uint64_t *)at);
    case PVPY_BOOL: return PyBool_FromLong(*(const bool *)at);
    case PVPY_ENUM: return build_word(type, at);
    case PVPY_HANDLE: {
        pvpy_id id;
        return pvpy_handle_of(owner, type->handle, *(pvpy_id *)memcpy(&id, at, sizeof id));
    }
    case PVPY_TEXT:
    case PVPY_PATH: return build_text(at);
    case PVPY_RESOURCE: return build_material_map(type, at);
    case PVPY_MASK:
    case PVPY_LENT_MASK: return build_mask(at);
    case PVPY_VECTOR: return build_vector(at);
    default: return build_struct(type, at, owner);
    }
}

/* ---- Reading ---- */

bool pvpy_call_refuse(pvpy_call *call, PyObject *type, const char *name, const char *wanted,
                      PyObject *value) {
    PyErr_Clear();
    PyObject *shown = type == PyExc_TypeError ? (PyObject *)Py_TYPE(value) : value;
    PyObject *message =
        PyUnicode_FromFormat("%s: %s must be %s, not %R", call->function, name, wanted, shown);
    return pvpy_raise_text(type, message, call->function, name);
}

/// Raises an exception with one of the library's statuses.
static bool refuse_as(pvpy_call *call, pv_status status, const char *name, const char *what) {
    pv_error error = {.status = status, .function = call->function, .field = name};
    PyOS_snprintf(error.message, sizeof error.message, "%s: %s %s", call->function, name, what);
    return pvpy_raise(&error);
}

/* A world refuses numbers that are not finite. Functions without a world may not. */
static bool read_double(pvpy_call *call, PyObject *value, double *at, const char *name) {
    *at = PyFloat_AsDouble(value);
    if (call->finite && !isfinite(*at))
        return refuse_as(call, PV_ERROR_NOT_FINITE, name, "is not a finite number");
    if (*at != -1.0 || !PyErr_Occurred()) return true;
    return pvpy_call_refuse(call, PyExc_TypeError, name, "a number", value);
}

static bool read_whole(pvpy_call *call, PyObject *value, long long low, long long high,
                       const char *name, long long *whole) {
    *whole = PyLong_AsLongLong(value);
    if (*whole == -1 && PyErr_Occurred()) {
        bool large = PyErr_ExceptionMatches(PyExc_OverflowError);
        return pvpy_call_refuse(call, large ? PyExc_ValueError : PyExc_TypeError, name,
                                large ? "a smaller whole number" : "a whole number", value);
    }
    if (*whole >= low && *whole <= high) return true;
    char wanted[64];
    PyOS_snprintf(wanted, sizeof wanted, "%lld...%lld", low, high);
    return pvpy_call_refuse(call, PyExc_ValueError, name, wanted, value);
}

static bool read_word(pvpy_call *call, const pvpy_type *type, PyObject *value, int *at,
                      const char *name) {
    char wanted[160] = "one of";
    for (const pvpy_word *w = type->words; w->word; w++) {
        if (PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, w->word) == 0) {
            *at = (int)w->value;
            return true;
        }
        size_t used = strlen(wanted);
        PyOS_snprintf(wanted + used, sizeof wanted - used, " '%s'", w->word);
    }
    return pvpy_call_refuse(call, PyUnicode_Check(value) ? PyExc_ValueError : PyExc_TypeError, name,
                            wanted, value);
}

/// Gives a call without a world the world of its first object.
static void adopt_world(pvpy_call *call, const pvpy_handle *handle) {
    call->owner = (pvpy_world *)handle->world;
    call->owner->error.status = PV_OK;
}

static bool read_handle(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at,
                        const char *name) {
    memset(at, 0, sizeof(pvpy_id));
    if (value == Py_None) return true;
    pvpy_handle *handle = (pvpy_handle *)value;
    if (!PyObject_TypeCheck(value, pvpy_handle_type) || handle->kind != type->handle)
        return pvpy_call_refuse(call, PyExc_TypeError, name, type->name, value);
    if (!call->owner) adopt_world(call, handle);
    if (handle->world != (PyObject *)call->owner)
        return pvpy_call_refuse(call, PyExc_ValueError, name, "of this world", value);
    if (!pvpy_handle_is_valid(handle))
        return pvpy_call_refuse(call, PyExc_ValueError, name, "alive", value);
    memcpy(at, &handle->id, sizeof handle->id);
    return true;
}

/// Retains a mask until the end of the call.
static bool hold_mask(pvpy_call *call, pv_mask *mask) {
    if (call->mask_count == call->mask_capacity) {
        int capacity = 2 * call->mask_capacity + 4;
        pv_mask **masks = PyMem_Realloc(call->masks, (size_t)capacity * sizeof *masks);
        if (!masks) return PyErr_NoMemory();
        call->masks = masks;
        call->mask_capacity = capacity;
    }
    call->masks[call->mask_count++] = pv_mask_retain(mask);
    return true;
}

static bool read_mask(pvpy_call *call, PyObject *value, pv_mask **at, bool lent, const char *name) {
    *at = NULL;
    if (value == Py_None) return true;
    if (!PyObject_TypeCheck(value, pvpy_mask_type))
        return pvpy_call_refuse(call, PyExc_TypeError, name, "a Mask", value);
    pvpy_mask *mask = (pvpy_mask *)value;
    if (!hold_mask(call, mask->mask)) return false;
    *at = mask->mask;
    if (lent || call->keeps_masks) mask->lent = true;
    return true;
}

bool pvpy_call_hold(pvpy_call *call, PyObject *object) {
    if (call->held_count == (int)(sizeof call->held / sizeof *call->held)) return PyErr_NoMemory();
    call->held[call->held_count++] = Py_NewRef(object);
    return true;
}

static bool read_resource(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at,
                          const char *name) {
    void *pointer = NULL;
    if (value != Py_None) {
        if (!PyObject_TypeCheck(value, pvpy_resource_type(type->handle)))
            return pvpy_call_refuse(call, PyExc_TypeError, name, type->name, value);
        if (!pvpy_call_hold(call, value)) return false;
        pointer = pvpy_self_pointer(value);
    }
    memcpy(at, &pointer, sizeof pointer);
    return true;
}

/// Reads a function of the program; None gives null.
static bool read_callable(pvpy_call *call, PyObject *value, PyObject **at, const char *name) {
    *at = value == Py_None ? NULL : value;
    if (!*at) return true;
    if (PyCallable_Check(value)) return pvpy_call_hold(call, value);
    return pvpy_call_refuse(call, PyExc_TypeError, name, "callable or None", value);
}

/// Reads a text without zeros, as UTF-8; None gives null.
static bool read_text(pvpy_call *call, PyObject *value, void *at, const char *name) {
    const char *text = NULL;
    Py_ssize_t size = 0;
    if (value != Py_None) {
        text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
        if (!text) return pvpy_call_refuse(call, PyExc_TypeError, name, "a text", value);
        if (strlen(text) != (size_t)size)
            return pvpy_call_refuse(call, PyExc_ValueError, name, "a text without zeros", value);
        if (!pvpy_call_hold(call, value)) return false;
    }
    memcpy(at, &text, sizeof text);
    return true;
}

static bool read_path(pvpy_call *call, PyObject *value, void *at, const char *name) {
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(value, &bytes)) {
        bool zeros = PyErr_ExceptionMatches(PyExc_ValueError);
        return pvpy_call_refuse(call, zeros ? PyExc_ValueError : PyExc_TypeError, name,
                                zeros ? "a path without zeros" : "a path", value);
    }
    const char *path = PyBytes_AsString(bytes);
    bool good = pvpy_call_hold(call, bytes);
    Py_DECREF(bytes);
    memcpy(at, &path, sizeof path);
    return good;
}

/// Reads the address and the size of bytes.
static bool read_bytes(pvpy_call *call, const pvpy_field *f, PyObject *value, char *at) {
    Py_buffer *view = &call->views[call->view_count];
    if (call->view_count == (int)(sizeof call->views / sizeof *call->views) ||
        PyObject_GetBuffer(value, view, PyBUF_SIMPLE) < 0)
        return pvpy_call_refuse(call, PyExc_TypeError, f->name, "bytes", value);
    call->view_count++;
    size_t size = (size_t)view->len;
    memcpy(at + f->offset, &view->buf, sizeof view->buf);
    memcpy(at + f->count_offset, &size, sizeof size);
    return true;
}

/// Reads `count` numbers of a sequence.
static bool read_numbers(pvpy_call *call, PyObject *value, double *at, Py_ssize_t count,
                         const char *wanted, const char *name) {
    if (!PySequence_Check(value) || PyUnicode_Check(value) || PySequence_Size(value) != count)
        return pvpy_call_refuse(call, PyExc_TypeError, name, wanted, value);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        bool good = item && read_double(call, item, &at[i], name);
        Py_XDECREF(item);
        if (!good && PyErr_Occurred() && PyErr_ExceptionMatches(pvpy_error_type)) return false;
        if (!good) return pvpy_call_refuse(call, PyExc_TypeError, name, wanted, value);
    }
    return true;
}

/// Reads a box: two corners, or x, y, width and height like a pygame.Rect.
static bool read_box(pvpy_call *call, PyObject *value, double *at, const char *name) {
    if (PySequence_Check(value) && PySequence_Size(value) == 4) {
        if (!read_numbers(call, value, at, 4, "four numbers", name)) return false;
        at[2] += at[0], at[3] += at[1];
        return true;
    }
    bool good = PySequence_Check(value) && PySequence_Size(value) == 2;
    for (int i = 0; good && i < 2; i++) {
        PyObject *corner = PySequence_GetItem(value, i);
        good = corner && read_numbers(call, corner, at + 2 * i, 2, "two numbers", name);
        Py_XDECREF(corner);
    }
    if (good || (PyErr_Occurred() && PyErr_ExceptionMatches(pvpy_error_type))) return good;
    return pvpy_call_refuse(call, PyExc_TypeError, name, "two corners or a Rect", value);
}

static bool read_sequence(pvpy_call *call, const pvpy_type *type, PyObject *value, char *at,
                          const char *name) {
    if (!PySequence_Check(value) || PyUnicode_Check(value) || PySequence_Size(value) != type->count)
        return pvpy_call_refuse(call, PyExc_TypeError, name, "a dict, or a value for each member",
                                value);
    for (int i = 0; i < type->count; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        const pvpy_field *f = &type->fields[i];
        bool good = item && pvpy_read_field(call, f, item, at);
        Py_XDECREF(item);
        if (!good)
            return PyErr_Occurred()
                       ? false
                       : pvpy_call_refuse(call, PyExc_TypeError, name, "a dict", value);
    }
    return true;
}

/// Reads an end of a joint: a point of the world, a particle, or a body with a point of it.
static bool read_anchor(pvpy_call *call, const pvpy_type *type, PyObject *value, char *at,
                        const char *name) {
    if (PyDict_Check(value)) return pvpy_read_fields(call, type->fields, type->count, value, at);
    memset(at, 0, type->size);
    PyObject *end = value, *point = NULL, *first = NULL;
    if (PyTuple_Check(value) && PyTuple_Size(value) == 2) first = PyTuple_GetItem(value, 0);
    if (first && PyObject_TypeCheck(first, pvpy_handle_type))
        end = first, point = PyTuple_GetItem(value, 1);
    const pvpy_field *place = &type->fields[2];
    if (!PyObject_TypeCheck(end, pvpy_handle_type))
        return pvpy_read(call, place->type, value, at + place->offset, name);
    for (int i = 0; i < 2; i++) {
        const pvpy_field *f = &type->fields[i];
        if (f->type->handle != ((pvpy_handle *)end)->kind) continue;
        if (i != 0 && !point)
            return pvpy_call_refuse(call, PyExc_TypeError, name, "(body, point)", value);
        return pvpy_read(call, f->type, end, at + f->offset, name) &&
               (!point || pvpy_read(call, place->type, point, at + place->offset, name));
    }
    return pvpy_call_refuse(call, PyExc_TypeError, name,
                            "a point, a Particle, or a Body with a point", value);
}

static bool read_integer(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at,
                         const char *name) {
    long long whole;
    switch (type->kind) {
    case PVPY_INT:
        if (!read_whole(call, value, INT_MIN, INT_MAX, name, &whole)) return false;
        *(int *)at = (int)whole;
        return true;
    case PVPY_UINT:
        if (!read_whole(call, value, 0, UINT_MAX, name, &whole)) return false;
        *(unsigned *)at = (unsigned)whole;
        return true;
    default:
        if (!read_whole(call, value, type->kind == PVPY_ULONG ? 0 : LLONG_MIN, LLONG_MAX, name,
                        &whole))
            return false;
        *(int64_t *)at = whole;
        return true;
    }
}

bool pvpy_read(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at,
               const char *name) {
    switch (type->kind) {
    case PVPY_DOUBLE: return read_double(call, value, at, name);
    case PVPY_INT:
    case PVPY_UINT:
    case PVPY_LONG:
    case PVPY_ULONG: return read_integer(call, type, value, at, name);
    case PVPY_BOOL:
        if (!PyBool_Check(value))
            return pvpy_call_refuse(call, PyExc_TypeError, name, "True or False", value);
        *(bool *)at = value == Py_True;
        return true;
    case PVPY_ENUM: return read_word(call, type, value, at, name);
    case PVPY_CALLABLE: return read_callable(call, value, at, name);
    case PVPY_TEXT: return read_text(call, value, at, name);
    case PVPY_PATH: return read_path(call, value, at, name);
    case PVPY_HANDLE: return read_handle(call, type, value, at, name);
    case PVPY_RESOURCE: return read_resource(call, type, value, at, name);
    case PVPY_MASK: return read_mask(call, value, at, false, name);
    case PVPY_LENT_MASK: return read_mask(call, value, at, true, name);
    case PVPY_VECTOR: return read_numbers(call, value, at, 2, "two numbers", name);
    case PVPY_BOX: return read_box(call, value, at, name);
    case PVPY_ANCHOR: return read_anchor(call, type, value, at, name);
    default:
        if (PyDict_Check(value))
            return pvpy_read_fields(call, type->fields, type->count, value, at);
        return read_sequence(call, type, value, at, name);
    }
}

static bool read_array(pvpy_call *call, const pvpy_field *f, PyObject *value, char *at) {
    if (!PySequence_Check(value) || PyUnicode_Check(value))
        return pvpy_call_refuse(call, PyExc_TypeError, f->name, "a sequence", value);
    Py_ssize_t size = PySequence_Size(value);
    if (size < 0 || size > 1 << 24)
        return pvpy_call_refuse(call, PyExc_ValueError, f->name, "a shorter sequence", value);
    char *items = pvpy_call_room(call, (int)size + 1, f->type->size);
    if (!items) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        bool good =
            item && pvpy_read(call, f->type, item, items + (size_t)i * f->type->size, f->name);
        Py_XDECREF(item);
        if (!good) return false;
    }
    int count = (int)size;
    memcpy(at + f->offset, &items, sizeof items);
    memcpy(at + f->count_offset, &count, sizeof count);
    return true;
}

/// Reads a fixed number of values in place.
static bool read_values(pvpy_call *call, const pvpy_field *f, PyObject *value, char *at) {
    if (!PySequence_Check(value) || PyUnicode_Check(value) || PySequence_Size(value) != f->length) {
        char wanted[32];
        PyOS_snprintf(wanted, sizeof wanted, "a sequence of %d", f->length);
        return pvpy_call_refuse(call, PyExc_TypeError, f->name, wanted, value);
    }
    for (int i = 0; i < f->length; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        bool good = item && pvpy_read(call, f->type, item, at + (size_t)i * f->type->size, f->name);
        Py_XDECREF(item);
        if (!good) return false;
    }
    return true;
}

bool pvpy_read_field(pvpy_call *call, const pvpy_field *f, PyObject *value, void *to) {
    char *at = to;
    if (f->type->kind == PVPY_BYTES) return read_bytes(call, f, value, at);
    if (f->array) return read_array(call, f, value, at);
    if (f->length) return read_values(call, f, value, at + f->offset);
    return pvpy_read(call, f->type, value, at + f->offset, f->name);
}

static const pvpy_field *find_field(const pvpy_field *fields, int count, PyObject *name) {
    for (int i = 0; i < count; i++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, fields[i].name) == 0)
            return &fields[i];
    return NULL;
}

static bool read_named(pvpy_call *call, const pvpy_field *fields, int count, PyObject *name,
                       PyObject *value, void *at) {
    const pvpy_field *f = find_field(fields, count, name);
    if (f) return pvpy_read_field(call, f, value, at);
    PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument %R", call->function, name);
    return false;
}

bool pvpy_read_fields(pvpy_call *call, const pvpy_field *fields, int count, PyObject *mapping,
                      void *at) {
    PyObject *name, *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(mapping, &place, &name, &value))
        if (!read_named(call, fields, count, name, value, at)) return false;
    return true;
}

/* ---- Calls ---- */

static void free_blocks(pvpy_call *call) {
    while (call->block_count > 0) PyMem_Free(call->blocks[--call->block_count]);
    while (call->mask_count > 0) pv_mask_release(call->masks[--call->mask_count]);
    while (call->held_count > 0) Py_DECREF(call->held[--call->held_count]);
    while (call->view_count > 0) PyBuffer_Release(&call->views[--call->view_count]);
    PyMem_Free(call->masks);
    call->masks = NULL;
    call->mask_capacity = 0;
}

void *pvpy_call_room(pvpy_call *call, int count, size_t size) {
    if (count <= 0 || call->block_count == (int)(sizeof call->blocks / sizeof *call->blocks))
        return NULL;
    void *block = PyMem_Calloc((size_t)count, size);
    if (block) call->blocks[call->block_count++] = block;
    return block;
}

/// Returns the world of an object that is not a handle, or null if it has none.
static pvpy_world *world_of(PyObject *self) {
    if (!self) return NULL;
    if (PyObject_TypeCheck(self, pvpy_world_type)) return (pvpy_world *)self;
    if (PyObject_TypeCheck(self, pvpy_mover_type)) return (pvpy_world *)((pvpy_mover *)self)->world;
    return NULL;
}

static bool check_world(pvpy_call *call) {
    if (!call->world) {
        PyErr_Format(PyExc_ValueError, "%s: the world is closed", call->function);
        return false;
    }
    if (call->owner->stepping && call->owner->thread != PyThread_get_thread_ident())
        return refuse_as(call, PV_ERROR_BUSY, "world", "is in a step of another thread");
    if (call->owner->unlocked)
        return refuse_as(call, PV_ERROR_BUSY, "world", "is in a change that asks for a color");
    return true;
}

static bool find_world(pvpy_call *call, PyObject *self) {
    const pvpy_handle *handle =
        self && Py_TYPE(self) != pvpy_world_type && PyObject_TypeCheck(self, pvpy_handle_type)
            ? (const pvpy_handle *)self
            : NULL;
    call->owner = handle ? (pvpy_world *)handle->world : world_of(self);
    call->world = call->owner ? call->owner->world : NULL;
    call->finite = !call->owner;
    if (!call->owner) {
        call->keeps_masks = self && pvpy_resource_keeps_masks(self);
        return true;
    }
    if (!check_world(call)) return false;
    if (!handle || pvpy_handle_is_valid(handle)) return true;
    return refuse_as(call, PV_ERROR_STALE_ID, pvpy_handle_noun(handle), "was destroyed");
}

static bool read_arguments(pvpy_call *call, const pvpy_field *parameters, int parameter_count,
                           int positional, void *in, PyObject *const *args, Py_ssize_t count,
                           PyObject *keywords) {
    if (count > positional) {
        PyErr_Format(PyExc_TypeError, "%s takes at most %d arguments without a name (%zd given)",
                     call->function, positional, count);
        return false;
    }
    Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!pvpy_read_field(call, &parameters[i], args[i], in)) return false;
    for (Py_ssize_t i = 0; i < named; i++)
        if (!read_named(call, parameters, parameter_count, PyTuple_GetItem(keywords, i),
                        args[count + i], in))
            return false;
    for (int i = (int)count; i < parameter_count; i++) {
        bool given = !parameters[i].required;
        for (Py_ssize_t k = 0; k < named && !given; k++)
            given = PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, k),
                                                     parameters[i].name) == 0;
        if (given) continue;
        PyErr_Format(PyExc_TypeError, "%s is missing the argument '%s'", call->function,
                     parameters[i].name);
        return false;
    }
    return true;
}

bool pvpy_call_begin(pvpy_call *call, PyObject *self, const char *function,
                     const pvpy_field *parameters, int parameter_count, int positional, void *in,
                     PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    call->function = function;
    call->block_count = call->mask_count = call->held_count = call->view_count = 0;
    call->masks = NULL;
    call->mask_capacity = 0;
    call->keeps_masks = false;
    call->error.status = PV_OK;
    if (!find_world(call, self)) return false;
    const pv_world *world = call->world;
    if (!read_arguments(call, parameters, parameter_count, positional, in, args, count, keywords)) {
        free_blocks(call);
        return false;
    }
    /* Reading an argument may run Python code, which may have closed the world. */
    if (world && (count > 0 || keywords) && (!find_world(call, self) || call->world != world)) {
        free_blocks(call);
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s: the world is closed", function);
        return false;
    }
    if (call->owner) call->owner->error.status = PV_OK;
    return true;
}

/// Raises the exception that a callback of the program left.
static bool raise_pending(pvpy_call *call) {
    PyObject **pending = call->owner ? call->owner->pending : NULL;
    if (!pending || !pending[0]) return false;
    PyErr_Restore(pending[0], pending[1], pending[2]);
    pending[0] = pending[1] = pending[2] = NULL;
    return true;
}

static bool call_failed(pvpy_call *call) {
    if (raise_pending(call) || PyErr_Occurred()) return true;
    if (call->error.status == PV_OK && call->owner) call->error = call->owner->error;
    if (call->error.status == PV_OK) return false;
    pvpy_raise(&call->error);
    return true;
}

pv_mask *pvpy_call_edit(pvpy_call *call, PyObject *self) {
    pvpy_mask *mask = (pvpy_mask *)self;
    for (int i = 0; i < call->mask_count; i++) mask->lent |= call->masks[i] == mask->mask;
    return pvpy_mask_edit(mask);
}

PyObject *pvpy_call_mask(pvpy_call *call, pv_mask *mask) {
    if (!call_failed(call)) {
        free_blocks(call);
        return mask ? pvpy_mask_wrap(mask, NULL) : PyErr_NoMemory();
    }
    pv_mask_release(mask);
    free_blocks(call);
    return NULL;
}

PyObject *pvpy_call_resource(pvpy_call *call, int kind, void *pointer) {
    PyObject *made = pointer ? pvpy_resource_wrap(kind, pointer) : NULL;
    if (call_failed(call))
        Py_CLEAR(made);
    else if (!made)
        PyErr_NoMemory();
    free_blocks(call);
    return made;
}

PyObject *pvpy_call_end(pvpy_call *call, const pvpy_type *type, const void *value) {
    PyObject *result = NULL;
    if (!call_failed(call))
        result = type ? pvpy_build(type, value, call->owner) : Py_NewRef(Py_None);
    free_blocks(call);
    return result;
}

PyObject *pvpy_call_none(pvpy_call *call) { return pvpy_call_end(call, NULL, NULL); }

PyObject *pvpy_call_status(pvpy_call *call, pv_status status) {
    PyObject *result = pvpy_call_end(call, NULL, NULL);
    if (!result || status == PV_OK) return result;
    Py_DECREF(result);
    return pvpy_raise_status(status, call->function);
}

PyObject *pvpy_call_list(pvpy_call *call, const pvpy_type *type, const void *found, int count) {
    PyObject *list = NULL;
    if (!call_failed(call)) {
        if (count > 0 && !found)
            PyErr_NoMemory();
        else
            list = build_list(type, found, count, call->owner);
    }
    free_blocks(call);
    return list;
}

PyObject *pvpy_call_outs(pvpy_call *call, PyObject *result, const pvpy_out *outs, int count,
                         pvpy_outs how) {
    if (!result || (how == PVPY_OUTS_IF_TRUE && result == Py_False)) {
        Py_XDECREF(result);
        return result ? Py_NewRef(Py_None) : NULL;
    }
    PyObject *values[4] = {NULL};
    bool good = true;
    int first = how == PVPY_OUTS_TOO;
    if (first)
        values[0] = result;
    else
        Py_DECREF(result);
    count += first;
    for (int i = first; i < count && good; i++) {
        const pvpy_out *o = &outs[i - first];
        values[i] = o->length ? build_list(o->type, o->at, o->length, call->owner)
                              : pvpy_build(o->type, o->at, call->owner);
        good = values[i];
    }
    if (count == 1) return values[0];
    PyObject *tuple = good ? PyTuple_New(count) : NULL;
    for (int i = 0; i < count; i++) {
        if (tuple)
            PyTuple_SetItem(tuple, i, values[i]);
        else
            Py_XDECREF(values[i]);
    }
    return tuple;
}
