/* mask.c - class Mask: pixels of one bit with the methods of pygame.mask.Mask.
 *
 * Invariant: a change never shows in a world or a view that holds the pixels, because a lent mask
 * is copied first. An object whose __init__() was not called is a mask without pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "binding.h"

static inline pvpy_mask *as_mask(PyObject *object) { return (pvpy_mask *)object; }
static inline const pv_mask *pixels_of(PyObject *object) { return as_mask(object)->mask; }

/* ---- Life ---- */

/// Reads the arguments of the class, by hand if there are no keywords.
static bool init_arguments(PyObject *args, PyObject *keywords, PyObject **size, PyObject **fill) {
    static char *names[] = {"size", "fill", NULL};
    Py_ssize_t count = PyTuple_Size(args);
    *fill = Py_False;
    if (keywords || count < 1 || count > 2)
        return PyArg_ParseTupleAndKeywords(args, keywords, "O|O:Mask", names, size, fill);
    *size = PyTuple_GetItem(args, 0);
    if (count == 2) *fill = PyTuple_GetItem(args, 1);
    return true;
}

static int mask_init(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *size, *fill;
    int w, h;
    if (!init_arguments(args, keywords, &size, &fill) || !pvpy_read_pair(size, "size", &w, &h))
        return -1;
    int solid = fill == Py_False ? 0 : PyObject_IsTrue(fill);
    if (solid < 0) return -1;
    if (w < 0 || h < 0) {
        PyErr_SetString(PyExc_ValueError, "cannot create mask with negative size");
        return -1;
    }
    pv_error error;
    pv_mask *mask =
        solid ? pv_mask_create_rect(w, h, NULL, &error) : pv_mask_create(w, h, NULL, &error);
    if (!mask) {
        pvpy_raise(&error);
        return -1;
    }
    pv_mask_release(as_mask(self)->mask);
    as_mask(self)->mask = mask;
    as_mask(self)->lent = false;
    return 0;
}

static void mask_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    pv_mask_release(as_mask(self)->mask);
    if (type == pvpy_mask_type)
        PyObject_Free(self);
    else
        ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *mask_dunder_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    pv_error error;
    pv_mask *copy = pv_mask_copy(pixels_of(self), &error);
    if (Py_TYPE(self) == pvpy_mask_type || !copy) return pvpy_mask_wrap(copy, &error);
    PyObject *object = PyType_GenericAlloc(Py_TYPE(self), 0);
    if (object)
        as_mask(object)->mask = copy;
    else
        pv_mask_release(copy);
    return object;
}

static PyObject *mask_copy(PyObject *self, PyObject *unused) {
    if (Py_TYPE(self) == pvpy_mask_type) return mask_dunder_copy(self, unused);
    return PyObject_CallMethod(self, "__copy__", NULL);
}

static PyObject *mask_repr(PyObject *self) {
    const pv_mask *mask = pixels_of(self);
    return PyUnicode_FromFormat("<Mask(%dx%d)>", pv_mask_get_width(mask), pv_mask_get_height(mask));
}

/* ---- One pixel ---- */

static PyObject *mask_get_size(PyObject *self, PyObject *unused) {
    (void)unused;
    return pvpy_pair(pv_mask_get_width(pixels_of(self)), pv_mask_get_height(pixels_of(self)));
}

static bool inside(const pv_mask *mask, int x, int y) {
    if (x >= 0 && y >= 0 && x < pv_mask_get_width(mask) && y < pv_mask_get_height(mask))
        return true;
    PyErr_Format(PyExc_IndexError, "%d, %d is out of bounds", x, y);
    return false;
}

static PVPY_FUNCTION(mask_get_at) {
    static pvpy_signature signature = PVPY_SIGNATURE("get_at", 1, 1, "pos");
    PyObject *pos;
    int x, y;
    if (!pvpy_arguments(&signature, args, count, keywords, &pos) ||
        !pvpy_read_pair(pos, "pos", &x, &y) || !inside(pixels_of(self), x, y))
        return NULL;
    return PyLong_FromLong(pv_mask_get_pixel(pixels_of(self), x, y));
}

static PVPY_FUNCTION(mask_set_at) {
    static pvpy_signature signature = PVPY_SIGNATURE("set_at", 1, 2, "pos", "value");
    PyObject *values[2];
    int x, y, solid = 1;
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        !pvpy_read_pair(values[0], "pos", &x, &y) ||
        (values[1] && !pvpy_read_int(values[1], "value", &solid)) || !inside(pixels_of(self), x, y))
        return NULL;
    pv_mask *mask = pvpy_mask_edit(as_mask(self));
    if (!mask) return NULL;
    pv_mask_set_pixel(mask, x, y, solid != 0);
    Py_RETURN_NONE;
}

/* ---- Two masks ---- */

typedef struct two_masks {
    pvpy_mask *other;
    int dx, dy;
} two_masks;

static bool read_two(const char *function, PyObject *const *args, Py_ssize_t count,
                     PyObject *keywords, two_masks *two) {
    PyObject *values[2];
    if (count == 2 && !keywords) {
        values[0] = args[0], values[1] = args[1];
    } else {
        pvpy_signature signature = PVPY_SIGNATURE(function, 2, 2, "other", "offset");
        if (!pvpy_arguments(&signature, args, count, keywords, values)) return false;
    }
    two->other = pvpy_mask_argument(values[0], "other");
    return two->other && pvpy_read_pair(values[1], "offset", &two->dx, &two->dy);
}

/// Number of words above which a test with the kernels pays off before the search for the pixel.
#define OVERLAP_TEST_ROWS 64

static PVPY_FUNCTION(mask_overlap) {
    two_masks two;
    if (!read_two("overlap", args, count, keywords, &two)) return NULL;
    pvpy_bits a = pvpy_mask_bits(self), b = pvpy_mask_bits((PyObject *)two.other);
    int x, y;
    if (a.stripes * a.h > OVERLAP_TEST_ROWS &&
        !pv_mask_test_overlap(pixels_of(self), two.other->mask, two.dx, two.dy))
        Py_RETURN_NONE;
    if (!pvpy_first_shared(a, b, two.dx, two.dy, &x, &y)) Py_RETURN_NONE;
    return pvpy_pair(x, y);
}

static PVPY_FUNCTION(mask_overlap_area) {
    two_masks two;
    if (!read_two("overlap_area", args, count, keywords, &two)) return NULL;
    return PyLong_FromLongLong(
        pv_mask_compute_overlap_area(pixels_of(self), two.other->mask, two.dx, two.dy));
}

static PVPY_FUNCTION(mask_overlap_mask) {
    two_masks two;
    if (!read_two("overlap_mask", args, count, keywords, &two)) return NULL;
    pv_error error;
    pv_mask *shared = pv_mask_copy(pixels_of(self), &error);
    if (shared) pv_mask_combine(shared, two.other->mask, two.dx, two.dy, PV_COMBINE_AND);
    return pvpy_mask_wrap(shared, &error);
}

static PyObject *combine(PyObject *self, const two_masks *two, pv_combine op) {
    pv_mask *mask = pvpy_mask_edit(as_mask(self));
    if (!mask) return NULL;
    pv_mask_combine(mask, two->other->mask, two->dx, two->dy, op);
    Py_RETURN_NONE;
}

static PVPY_FUNCTION(mask_draw) {
    two_masks two;
    return read_two("draw", args, count, keywords, &two) ? combine(self, &two, PV_COMBINE_OR)
                                                         : NULL;
}

static PVPY_FUNCTION(mask_erase) {
    two_masks two;
    return read_two("erase", args, count, keywords, &two) ? combine(self, &two, PV_COMBINE_ANDNOT)
                                                          : NULL;
}

/* ---- All pixels ---- */

static PyObject *fill_all(PyObject *self, bool solid) {
    pv_mask *mask = pvpy_mask_edit(as_mask(self));
    if (!mask) return NULL;
    pv_mask_fill_rect(mask, (pv_rect){0, 0, pv_mask_get_width(mask), pv_mask_get_height(mask)},
                      solid);
    Py_RETURN_NONE;
}

static PyObject *mask_fill(PyObject *self, PyObject *unused) {
    (void)unused;
    return fill_all(self, true);
}

static PyObject *mask_clear(PyObject *self, PyObject *unused) {
    (void)unused;
    return fill_all(self, false);
}

static PyObject *mask_invert(PyObject *self, PyObject *unused) {
    (void)unused;
    pv_mask *mask = pvpy_mask_edit(as_mask(self));
    if (!mask) return NULL;
    pv_mask_invert(mask);
    Py_RETURN_NONE;
}

static PyObject *mask_count(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyLong_FromLongLong(pv_mask_count_pixels(pixels_of(self)));
}

/* ---- Buffer: the words of the pixels, read-only, without a copy ---- */

/// Shape and strides of a view, and the reference that it holds.
typedef struct mask_view {
    pv_mask *mask;
    Py_ssize_t shape[2], strides[2];
} mask_view;

static int mask_getbuffer(PyObject *self, Py_buffer *view, int flags) {
    pvpy_bits b = pvpy_mask_bits(self);
    view->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "the pixels of a mask are read-only in a buffer");
        return -1;
    }
    mask_view *mine = PyMem_Malloc(sizeof *mine);
    if (!mine) {
        PyErr_NoMemory();
        return -1;
    }
    mine->mask = pv_mask_retain(as_mask(self)->mask);
    mine->shape[0] = b.stripes, mine->shape[1] = b.h;
    mine->strides[0] = (Py_ssize_t)sizeof(uint64_t) * b.h, mine->strides[1] = sizeof(uint64_t);
    as_mask(self)->lent = true;
    static const uint64_t no_words;
    bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
    *view = (Py_buffer){.buf = (void *)(uintptr_t)(b.words ? b.words : &no_words),
                        .obj = Py_NewRef(self),
                        .len = mine->strides[0] * b.stripes,
                        .itemsize = sizeof(uint64_t),
                        .readonly = 1,
                        .ndim = shaped ? 2 : 1,
                        .format = flags & PyBUF_FORMAT ? "Q" : NULL,
                        .shape = shaped ? mine->shape : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? mine->strides : NULL,
                        .internal = mine};
    return 0;
}

static void mask_releasebuffer(PyObject *self, Py_buffer *view) {
    (void)self;
    mask_view *mine = view->internal;
    pv_mask_release(mine->mask);
    PyMem_Free(mine);
}

/* ---- Class ---- */

static PyMethodDef mask_methods[] = {
    {"copy", mask_copy, METH_NOARGS, PyDoc_STR("Returns a new copy of the mask.")},
    {"__copy__", mask_dunder_copy, METH_NOARGS, PyDoc_STR("Returns a new copy of the mask.")},
    {"get_size", mask_get_size, METH_NOARGS, PyDoc_STR("Returns (width, height).")},
    PVPY_METHOD("get_rect", pvpy_mask_get_rect, "Returns a Rect of the mask's size."),
    PVPY_METHOD("get_at", mask_get_at, "Returns 1 if the pixel at pos is solid, else 0."),
    PVPY_METHOD("set_at", mask_set_at, "Makes the pixel at pos solid, or empty."),
    PVPY_METHOD("overlap", mask_overlap, "Returns the first shared pixel, or None."),
    PVPY_METHOD("overlap_area", mask_overlap_area, "Returns the number of shared pixels."),
    PVPY_METHOD("overlap_mask", mask_overlap_mask, "Returns a mask of the shared pixels."),
    {"fill", mask_fill, METH_NOARGS, PyDoc_STR("Makes every pixel solid.")},
    {"clear", mask_clear, METH_NOARGS, PyDoc_STR("Makes every pixel empty.")},
    {"invert", mask_invert, METH_NOARGS, PyDoc_STR("Flips every pixel.")},
    PVPY_METHOD("scale", pvpy_mask_scale, "Returns a resized mask."),
    PVPY_METHOD("draw", mask_draw, "Adds the pixels of another mask."),
    PVPY_METHOD("erase", mask_erase, "Removes the pixels of another mask."),
    {"count", mask_count, METH_NOARGS, PyDoc_STR("Returns the number of solid pixels.")},
    {"centroid", pvpy_mask_centroid, METH_NOARGS, PyDoc_STR("Returns the centroid.")},
    {"angle", pvpy_mask_angle, METH_NOARGS, PyDoc_STR("Returns the orientation in degrees.")},
    PVPY_METHOD("outline", pvpy_mask_outline, "Returns the points of the first outline."),
    PVPY_METHOD("convolve", pvpy_mask_convolve, "Returns the offsets at which other overlaps."),
    PVPY_METHOD("connected_component", pvpy_mask_connected_component,
                "Returns the largest part, or the part at pos."),
    PVPY_METHOD("connected_components", pvpy_mask_connected_components,
                "Returns a list of the parts with at least `minimum` pixels."),
    {"get_bounding_rects", pvpy_mask_get_bounding_rects, METH_NOARGS,
     PyDoc_STR("Returns a list of the parts' bounds.")},
    PVPY_METHOD("to_surface", pvpy_mask_to_surface, "Draws the mask on a pygame.Surface."),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot mask_slots[] = {
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, mask_init},
    {Py_tp_dealloc, mask_dealloc},
    {Py_tp_repr, mask_repr},
    {Py_tp_methods, mask_methods},
    {Py_bf_getbuffer, mask_getbuffer},
    {Py_bf_releasebuffer, mask_releasebuffer},
    {Py_tp_doc, "Mask(size=(width, height), fill=False) -> Mask\n\nPixels that are solid or not."},
    {0, NULL},
};
static PyType_Spec mask_spec = {
    .name = "pixverlet.Mask",
    .basicsize = sizeof(pvpy_mask),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = mask_slots,
};

bool pvpy_mask_register(PyObject *module) {
    pvpy_mask_type = (PyTypeObject *)PyType_FromSpec(&mask_spec);
    return pvpy_mask_type && PyModule_AddObjectRef(module, "Mask", (PyObject *)pvpy_mask_type) == 0;
}
