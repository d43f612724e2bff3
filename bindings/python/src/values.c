/* values.c - reads and builds values by their descriptions, and frames each call.
 *
 * Invariant: memory of a call is freed by the function that ends it, or by the one that fails.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <limits.h>
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

static PyObject *build_field(const pvpy_field *f, const char *at, pvpy_world *owner) {
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
        PyObject *item = build_field(&type->fields[i], at, owner);
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

static bool read_double(pvpy_call *call, PyObject *value, double *at, const char *name) {
    *at = PyFloat_AsDouble(value);
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

static bool read_handle(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at,
                        const char *name) {
    memset(at, 0, sizeof(pvpy_id));
    if (value == Py_None) return true;
    pvpy_handle *handle = (pvpy_handle *)value;
    if (!PyObject_TypeCheck(value, pvpy_handle_type) || handle->kind != type->handle)
        return pvpy_call_refuse(call, PyExc_TypeError, name, type->name, value);
    if (handle->world != (PyObject *)call->owner)
        return pvpy_call_refuse(call, PyExc_ValueError, name, "of this world", value);
    if (!pvpy_handle_is_valid(handle))
        return pvpy_call_refuse(call, PyExc_ValueError, name, "alive", value);
    memcpy(at, &handle->id, sizeof handle->id);
    return true;
}

static bool read_mask(pvpy_call *call, PyObject *value, pv_mask **at, bool lent, const char *name) {
    *at = NULL;
    if (value == Py_None) return true;
    if (!PyObject_TypeCheck(value, pvpy_mask_type))
        return pvpy_call_refuse(call, PyExc_TypeError, name, "a Mask", value);
    if (call->mask_count == (int)(sizeof call->masks / sizeof *call->masks))
        return pvpy_call_refuse(call, PyExc_ValueError, name, "one of fewer masks", value);
    *at = call->masks[call->mask_count++] = pv_mask_retain(((pvpy_mask *)value)->mask);
    if (lent) ((pvpy_mask *)value)->lent = true;
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
        if (!good) return pvpy_call_refuse(call, PyExc_TypeError, name, wanted, value);
    }
    return true;
}

/// Reads a box: two corners, or x, y, width and height as of a pygame.Rect.
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
    return good || pvpy_call_refuse(call, PyExc_TypeError, name, "two corners or a Rect", value);
}

static bool read_sequence(pvpy_call *call, const pvpy_type *type, PyObject *value, char *at,
                          const char *name) {
    if (!PySequence_Check(value) || PyUnicode_Check(value) || PySequence_Size(value) != type->count)
        return pvpy_call_refuse(call, PyExc_TypeError, name, "a dict, or a value for each member",
                                value);
    for (int i = 0; i < type->count; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        const pvpy_field *f = &type->fields[i];
        bool good = item && !f->array && !f->length &&
                    pvpy_read(call, f->type, item, at + f->offset, f->name);
        Py_XDECREF(item);
        if (!good)
            return PyErr_Occurred()
                       ? false
                       : pvpy_call_refuse(call, PyExc_TypeError, name, "a dict", value);
    }
    return true;
}

/// Reads an end of a joint: a place, a particle, or a body or polygon with a point of it.
static bool read_anchor(pvpy_call *call, const pvpy_type *type, PyObject *value, char *at,
                        const char *name) {
    if (PyDict_Check(value)) return pvpy_read_fields(call, type->fields, type->count, value, at);
    memset(at, 0, type->size);
    PyObject *end = value, *point = NULL, *first = NULL;
    if (PyTuple_Check(value) && PyTuple_Size(value) == 2) first = PyTuple_GetItem(value, 0);
    if (first && PyObject_TypeCheck(first, pvpy_handle_type))
        end = first, point = PyTuple_GetItem(value, 1);
    const pvpy_field *place = &type->fields[3];
    if (!PyObject_TypeCheck(end, pvpy_handle_type))
        return pvpy_read(call, place->type, value, at + place->offset, name);
    for (int i = 0; i < 3; i++) {
        const pvpy_field *f = &type->fields[i];
        if (f->type->handle != ((pvpy_handle *)end)->kind) continue;
        if (i != 0 && !point)
            return pvpy_call_refuse(call, PyExc_TypeError, name, "(body, point)", value);
        return pvpy_read(call, f->type, end, at + f->offset, name) &&
               (!point || pvpy_read(call, place->type, point, at + place->offset, name));
    }
    return pvpy_call_refuse(call, PyExc_TypeError, name,
                            "a point, a Particle, or a Body or Polygon with a point", value);
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
    case PVPY_HANDLE: return read_handle(call, type, value, at, name);
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

static bool read_field(pvpy_call *call, const pvpy_field *f, PyObject *value, char *at) {
    if (f->array) return read_array(call, f, value, at);
    if (f->length) return pvpy_call_refuse(call, PyExc_TypeError, f->name, "left out", value);
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
    if (f) return read_field(call, f, value, at);
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
}

void *pvpy_call_room(pvpy_call *call, int count, size_t size) {
    if (count <= 0 || call->block_count == (int)(sizeof call->blocks / sizeof *call->blocks))
        return NULL;
    void *block = PyMem_Calloc((size_t)count, size);
    if (block) call->blocks[call->block_count++] = block;
    return block;
}

static bool find_world(pvpy_call *call, PyObject *self) {
    pvpy_handle *handle = PyObject_TypeCheck(self, pvpy_handle_type) ? (pvpy_handle *)self : NULL;
    call->owner = (pvpy_world *)(handle ? handle->world : self);
    call->world = call->owner->world;
    if (!call->world) {
        PyErr_Format(PyExc_ValueError, "%s: the world is closed", call->function);
        return false;
    }
    if (call->owner->stepping && call->owner->thread != PyThread_get_thread_ident()) {
        pv_error error = {.status = PV_ERROR_BUSY, .function = call->function, .field = "world"};
        PyOS_snprintf(error.message, sizeof error.message,
                      "%s: the world is in a step of another thread", call->function);
        return pvpy_raise(&error);
    }
    if (!handle || pvpy_handle_is_valid(handle)) return true;
    pv_error error = {
        .status = PV_ERROR_STALE_ID, .function = call->function, .field = pvpy_handle_noun(handle)};
    PyOS_snprintf(error.message, sizeof error.message, "%s: %s was destroyed", call->function,
                  error.field);
    return pvpy_raise(&error);
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
        if (!read_field(call, &parameters[i], args[i], in)) return false;
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
    call->block_count = call->mask_count = 0;
    call->error.status = PV_OK;
    if (!find_world(call, self)) return false;
    if (!read_arguments(call, parameters, parameter_count, positional, in, args, count, keywords)) {
        free_blocks(call);
        return false;
    }
    /* Reading an argument may run code of Python, which may have closed the world. */
    if (call->owner->world != call->world || !find_world(call, self)) {
        free_blocks(call);
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s: the world is closed", function);
        return false;
    }
    call->owner->error.status = PV_OK;
    return true;
}

static bool call_failed(pvpy_call *call) {
    PyObject **pending = call->owner->pending;
    if (pending[0]) {
        PyErr_Restore(pending[0], pending[1], pending[2]);
        pending[0] = pending[1] = pending[2] = NULL;
        return true;
    }
    if (PyErr_Occurred()) return true;
    if (call->error.status == PV_OK) call->error = call->owner->error;
    if (call->error.status == PV_OK) return false;
    pvpy_raise(&call->error);
    return true;
}

PyObject *pvpy_call_end(pvpy_call *call, const pvpy_type *type, const void *value) {
    PyObject *result = NULL;
    if (!call_failed(call))
        result = type ? pvpy_build(type, value, call->owner) : Py_NewRef(Py_None);
    free_blocks(call);
    return result;
}

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
                         bool asks) {
    if (!result || (asks && result == Py_False)) {
        Py_XDECREF(result);
        return result ? Py_NewRef(Py_None) : NULL;
    }
    Py_DECREF(result);
    PyObject *values[4] = {NULL};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        const pvpy_out *o = &outs[i];
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
