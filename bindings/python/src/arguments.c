/* arguments.c - arguments of Python's calls, and exceptions for calls that the library refuses.
 *
 * Invariant: a function that reports failure has set an exception.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "binding.h"

#include <limits.h>
#include <math.h>

/// Finds an argument by name. Programs pass interned strings, so pointers are compared first.
static int argument_index(pvpy_signature *signature, PyObject *name) {
    for (int i = 0; i < signature->count; i++) {
        PyObject **known = &signature->interned[i];
        if (!*known) *known = PyUnicode_InternFromString(signature->names[i]);
        if (name == *known) return i;
    }
    PyErr_Clear();
    for (int i = 0; i < signature->count; i++)
        if (PyUnicode_CompareWithASCIIString(name, signature->names[i]) == 0) return i;
    return -1;
}

static bool take_keyword(pvpy_signature *signature, PyObject *name, PyObject *value,
                         PyObject **values) {
    int i = argument_index(signature, name);
    if (i >= 0 && !values[i]) {
        values[i] = value;
        return true;
    }
    PyErr_Format(PyExc_TypeError,
                 i < 0 ? "%s() got an unexpected keyword argument '%U'"
                       : "%s() got multiple values for argument '%U'",
                 signature->function, name);
    return false;
}

bool pvpy_arguments(pvpy_signature *signature, PyObject *const *args, Py_ssize_t count,
                    PyObject *keywords, PyObject **values) {
    if (count > signature->count) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d arguments (%zd given)",
                     signature->function, signature->count, count);
        return false;
    }
    for (int i = 0; i < signature->count; i++) values[i] = i < count ? args[i] : NULL;
    Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t i = 0; i < named; i++)
        if (!take_keyword(signature, PyTuple_GetItem(keywords, i), args[count + i], values))
            return false;
    for (int i = 0; i < signature->required; i++) {
        if (values[i]) continue;
        PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", signature->function,
                     signature->names[i]);
        return false;
    }
    return true;
}

/// Reads a whole number without raising an exception.
static bool whole_number(PyObject *value, int *number) {
    if (!PyLong_CheckExact(value) && PyFloat_Check(value)) {
        double d = PyFloat_AsDouble(value);
        if (!(d > (double)INT_MIN - 1.0 && d < (double)INT_MAX + 1.0)) return false;
        *number = (int)d;
        return true;
    }
    long l = PyLong_AsLong(value);
    if (l == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    *number = (int)l;
    return l >= INT_MIN && l <= INT_MAX;
}

bool pvpy_read_int(PyObject *value, const char *name, int *number) {
    if (whole_number(value, number)) return true;
    PyErr_Format(PyExc_TypeError, "%s must be a number", name);
    return false;
}

static bool whole_item(PyObject *sequence, Py_ssize_t index, int *number) {
    PyObject *item = PySequence_GetItem(sequence, index);
    bool good = item && whole_number(item, number);
    Py_XDECREF(item);
    return good;
}

static bool whole_pair(PyObject *value, int *x, int *y) {
    if (PyTuple_CheckExact(value)) {
        Py_ssize_t size = PyTuple_Size(value);
        if (size == 1) return whole_pair(PyTuple_GetItem(value, 0), x, y);
        return size == 2 && whole_number(PyTuple_GetItem(value, 0), x) &&
               whole_number(PyTuple_GetItem(value, 1), y);
    }
    return PySequence_Check(value) && !PyUnicode_Check(value) && PySequence_Size(value) == 2 &&
           whole_item(value, 0, x) && whole_item(value, 1, y);
}

bool pvpy_read_pair(PyObject *value, const char *name, int *x, int *y) {
    if (whole_pair(value, x, y)) return true;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s must be two numbers", name);
    return false;
}

PyObject *pvpy_pair(long x, long y) {
    PyObject *pair = PyTuple_New(2);
    if (!pair) return NULL;
    PyTuple_SetItem(pair, 0, PyLong_FromLong(x));
    PyTuple_SetItem(pair, 1, PyLong_FromLong(y));
    return pair;
}

/* ---- Exceptions ---- */

PyObject *pvpy_error_type;

/// Built-in class that the exception of a status also derives from.
static PyObject *error_base(pv_status status) {
    switch (status) {
    case PV_ERROR_MEMORY: return PyExc_MemoryError;
    case PV_ERROR_FILE_OPEN:
    case PV_ERROR_FILE_READ:
    case PV_ERROR_FILE_WRITE: return PyExc_OSError;
    default: return PyExc_ValueError;
    }
}

/// Exception classes by status; each derives from Error and from the built-in class.
static PyObject *error_types[PV_STATUS_COUNT];

bool pvpy_error_register(PyObject *module) {
    pvpy_error_type = PyErr_NewExceptionWithDoc(
        "pixverlet.Error",
        "A refused call: function, field, value, min and max tell what was wrong.", NULL, NULL);
    if (!pvpy_error_type || PyModule_AddObjectRef(module, "Error", pvpy_error_type) < 0)
        return false;
    static const struct {
        pv_status status;
        const char *name;
    } kinds[] = {{PV_ERROR_ARGUMENT, "ValueOutOfRange"}, {PV_ERROR_NOT_FINITE, "NotFinite"},
                 {PV_ERROR_MEMORY, "OutOfMemory"},       {PV_ERROR_FILE_OPEN, "FileNotOpened"},
                 {PV_ERROR_FILE_READ, "FileNotRead"},    {PV_ERROR_FORMAT, "WrongFormat"},
                 {PV_ERROR_TOO_LARGE, "TooLarge"},       {PV_ERROR_EMPTY, "NoPixels"},
                 {PV_ERROR_STALE_ID, "StaleId"},         {PV_ERROR_SHARED, "SharedMask"},
                 {PV_ERROR_UNSUPPORTED, "Unsupported"},  {PV_ERROR_BUSY, "WorldBusy"},
                 {PV_ERROR_FILE_WRITE, "FileNotWritten"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[64];
        PyOS_snprintf(name, sizeof name, "pixverlet.%s", kinds[i].name);
        PyObject *bases = PyTuple_Pack(2, pvpy_error_type, error_base(kinds[i].status));
        PyObject *type = bases ? PyErr_NewException(name, bases, NULL) : NULL;
        Py_XDECREF(bases);
        if (!type || PyModule_AddObjectRef(module, kinds[i].name, type) < 0) return false;
        error_types[kinds[i].status] = type;
    }
    return true;
}

static void set_attribute(PyObject *object, const char *name, PyObject *value) {
    if (!value || PyObject_SetAttrString(object, name, value) < 0) PyErr_Clear();
    Py_XDECREF(value);
}

static PyObject *text_or_none(const char *text) {
    return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
}

PyObject *pvpy_raise(const pv_error *error) {
    PyObject *type = error->status > PV_OK && error->status < PV_STATUS_COUNT
                         ? error_types[error->status]
                         : pvpy_error_type;
    PyObject *exception = PyObject_CallFunction(type, "s", error->message);
    if (!exception) return NULL;
    set_attribute(exception, "function", text_or_none(error->function));
    set_attribute(exception, "field", text_or_none(error->field));
    set_attribute(exception, "value", PyFloat_FromDouble(error->value));
    set_attribute(exception, "min", PyFloat_FromDouble(error->min));
    set_attribute(exception, "max", PyFloat_FromDouble(error->max));
    PyErr_SetObject(type, exception);
    Py_DECREF(exception);
    return NULL;
}

PyObject *pvpy_raise_status(pv_status status, const char *function) {
    pv_error error = {.status = status, .function = function};
    PyOS_snprintf(error.message, sizeof error.message, "%s: %s", function,
                  pv_status_to_string(status));
    return pvpy_raise(&error);
}

bool pvpy_raise_text(PyObject *type, PyObject *message, const char *function, const char *field) {
    PyObject *exception = message ? PyObject_CallFunctionObjArgs(type, message, NULL) : NULL;
    Py_XDECREF(message);
    if (!exception) return false;
    set_attribute(exception, "function", text_or_none(function));
    set_attribute(exception, "field", text_or_none(field));
    PyErr_SetObject(type, exception);
    Py_DECREF(exception);
    return false;
}
