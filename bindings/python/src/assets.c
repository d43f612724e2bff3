/* assets.c - methods of images, material maps and masks that are not calls of the library.
 *
 * Invariant: a buffer shows pixels without a copy.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <limits.h>
#include <string.h>

/* ---- Images: a buffer of rows, columns, and R, G, B, A ---- */

static const pv_image *image_of(PyObject *self) { return pvpy_self_pointer(self); }

PyObject *pvpy_image_get_width(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(image_of(self)->width);
}

PyObject *pvpy_image_get_height(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(image_of(self)->height);
}

static int image_getbuffer(PyObject *self, Py_buffer *view, int flags) {
    const pv_image *image = image_of(self);
    bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
    Py_ssize_t *numbers = PyMem_Malloc(6 * sizeof *numbers);
    view->obj = NULL;
    if (!numbers) {
        PyErr_NoMemory();
        return -1;
    }
    numbers[0] = image->height, numbers[1] = image->width, numbers[2] = 4;
    numbers[3] = 4 * (Py_ssize_t)image->width, numbers[4] = 4, numbers[5] = 1;
    *view = (Py_buffer){.buf = image->pixels,
                        .obj = Py_NewRef(self),
                        .len = numbers[3] * image->height,
                        .itemsize = 1,
                        .ndim = shaped ? 3 : 1,
                        .format = flags & PyBUF_FORMAT ? "B" : NULL,
                        .shape = shaped ? numbers : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? numbers + 3 : NULL,
                        .internal = numbers};
    return 0;
}

static void image_releasebuffer(PyObject *self, Py_buffer *view) {
    (void)self;
    PyMem_Free(view->internal);
}

const PyType_Slot pvpy_image_buffer[2] = {{Py_bf_getbuffer, image_getbuffer},
                                          {Py_bf_releasebuffer, image_releasebuffer}};

/* ---- Material maps and tile maps ---- */

/// Opens a plane of bytes with rows and columns; leaves it empty for None.
static bool open_plane(pvpy_call *call, PyObject *value, const char *name, Py_buffer *view) {
    view->obj = NULL;
    view->buf = NULL;
    if (!value || value == Py_None) return true;
    if (PyObject_GetBuffer(value, view, PyBUF_ND) < 0)
        return pvpy_call_refuse(call, PyExc_TypeError, name, "a buffer of bytes", value);
    if (view->ndim == 2 && view->itemsize == 1 && view->shape[0] <= INT_MAX &&
        view->shape[1] <= INT_MAX)
        return true;
    PyBuffer_Release(view);
    return pvpy_call_refuse(call, PyExc_ValueError, name, "of the shape (height, width)", value);
}

static PyObject *material_map_of(pvpy_call *call, const Py_buffer *hardness,
                                 const Py_buffer *density, int kind) {
    const Py_buffer *any = hardness->buf ? hardness : density;
    if (!any->buf)
        return pvpy_call_refuse(call, PyExc_TypeError, "hardness", "given, or density", Py_None),
               NULL;
    if (hardness->buf && density->buf &&
        memcmp(hardness->shape, density->shape, 2 * sizeof(Py_ssize_t)))
        return pvpy_call_refuse(call, PyExc_ValueError, "density", "of the shape of hardness",
                                density->obj),
               NULL;
    pv_material_map *map =
        pv_material_map_from_bytes(hardness->buf, density->buf, (int)any->shape[1],
                                   (int)any->shape[0], any->shape[1], NULL, &call->error);
    return pvpy_call_resource(call, kind, map);
}

PVPY_FUNCTION(pvpy_material_map_from_bytes) {
    static pvpy_signature signature = PVPY_SIGNATURE("from_bytes", 0, 2, "hardness", "density");
    PyObject *values[2], *made = NULL;
    pvpy_call call;
    Py_buffer hardness, density;
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        !pvpy_call_begin(&call, self, "pv_material_map_from_bytes", NULL, 0, 0, NULL, NULL, 0,
                         NULL) ||
        !open_plane(&call, values[0], "hardness", &hardness))
        return NULL;
    if (open_plane(&call, values[1], "density", &density)) {
        made = material_map_of(&call, &hardness, &density, pvpy_resource_kind("MaterialMap"));
        if (density.obj) PyBuffer_Release(&density);
    }
    if (hardness.obj) PyBuffer_Release(&hardness);
    return made;
}

typedef struct tilemap_in {
    pv_tilemap_def def;
    int tile_count;
} tilemap_in;

PVPY_FUNCTION(pvpy_mask_create_tilemap) {
#define PLACE(MEMBER) offsetof(tilemap_in, MEMBER)
    static const pvpy_field parameters[] = {
        {.name = "tile_width", &pvpy_type_int, PLACE(def.tile_width), .required = true},
        {.name = "tile_height", &pvpy_type_int, PLACE(def.tile_height), .required = true},
        {.name = "columns", &pvpy_type_int, PLACE(def.columns), .required = true},
        {.name = "rows", &pvpy_type_int, PLACE(def.rows), .required = true},
        {"tiles", &pvpy_type_uint, PLACE(def.tiles), PLACE(tile_count), 0, true, true},
        {"masks", &pvpy_type_mask, PLACE(def.masks), PLACE(def.mask_count), 0, true, true}};
#undef PLACE
    tilemap_in in;
    memset(&in, 0, sizeof in);
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_tilemap_create_mask", parameters, 6, 6, &in, args, count,
                         keywords))
        return NULL;
    if ((int64_t)in.def.columns * in.def.rows != in.tile_count) {
        PyObject *given = PyLong_FromLong(in.tile_count);
        if (given)
            pvpy_call_refuse(&call, PyExc_ValueError, "tiles", "columns * rows numbers", given);
        Py_XDECREF(given);
        return pvpy_call_end(&call, NULL, NULL);
    }
    return pvpy_call_mask(&call, pv_tilemap_create_mask(&in.def, &call.error));
}

/* ---- Masks as bytes ---- */

PyObject *pvpy_mask_serialize(PyObject *self, PyObject *unused) {
    (void)unused;
    const pv_mask *mask = pvpy_self_pointer(self);
    size_t size = pv_mask_serialize(mask, NULL, 0);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes) pv_mask_serialize(mask, PyBytes_AsString(bytes), size);
    return bytes;
}

PVPY_FUNCTION(pvpy_mask_deserialize) {
    typedef struct bytes_in {
        const void *bytes;
        size_t size;
    } bytes_in;
    static const pvpy_field parameters[] = {
        {"bytes", &pvpy_type_bytes, 0, offsetof(bytes_in, size), 0, true, true}};
    bytes_in in;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_mask_deserialize", parameters, 1, 1, &in, args, count,
                         keywords))
        return NULL;
    return pvpy_call_mask(&call, pv_mask_deserialize(in.bytes, in.size, NULL, &call.error));
}

/// Returns what pickle makes a mask from: the class, a size, and the bytes.
PyObject *pvpy_mask_reduce(PyObject *self, PyObject *unused) {
    PyObject *bytes = pvpy_mask_serialize(self, unused);
    PyObject *made = bytes ? Py_BuildValue("O((ii))O", Py_TYPE(self), 0, 0, bytes) : NULL;
    Py_XDECREF(bytes);
    return made;
}

PyObject *pvpy_mask_setstate(PyObject *self, PyObject *bytes) {
    PyObject *made = pvpy_mask_deserialize(NULL, &bytes, 1, NULL);
    if (!made) return NULL;
    pvpy_mask *mask = (pvpy_mask *)self, *other = (pvpy_mask *)made;
    pv_mask *before = mask->mask;
    mask->mask = other->mask;
    mask->lent = false;
    other->mask = before;
    Py_DECREF(made);
    Py_RETURN_NONE;
}
