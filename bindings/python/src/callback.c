/* callback.c - functions of a program that the library calls.
 *
 * Invariant: an exception in a function is kept until the call that ran it returns, and no further
 * function of the world is called until then. Functions that the library calls without a lock
 * cannot use the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <string.h>

static void keep_exception(pvpy_world *w) {
    if (!PyErr_Occurred()) return;
    if (w->pending[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&w->pending[0], &w->pending[1], &w->pending[2]);
}

/// Calls a function with two bodies; null if this or an earlier one raised an exception.
static PyObject *call_with_bodies(pvpy_world *w, int callback, pv_body_id a, pv_body_id b) {
    PyObject *one = w->pending[0] ? NULL : pvpy_body_of(w, a);
    PyObject *two = one ? pvpy_body_of(w, b) : NULL;
    PyObject *function = w->callbacks[callback];
    PyObject *result =
        two && function ? PyObject_CallFunctionObjArgs(function, one, two, NULL) : NULL;
    Py_XDECREF(two);
    Py_XDECREF(one);
    return result;
}

/* ---- Filter ---- */

static bool world_filter(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    (void)world;
    pvpy_world *w = user_data;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = call_with_bodies(w, PVPY_FILTER, a, b);
    int answer = result ? PyObject_IsTrue(result) : 1;
    Py_XDECREF(result);
    keep_exception(w);
    PyGILState_Release(state);
    return answer != 0;
}

/* ---- Presolve ---- */

/// Reads the answer of a presolve function: None, a word, or a dict of changed members.
static pv_presolve_result read_judgment(pvpy_world *w, PyObject *answer,
                                        pv_presolve_contact *contact) {
    int result = PV_PRESOLVE_COLLIDE;
    pvpy_call call = {.owner = w, .world = w->world, .function = "presolve"};
    pv_presolve_contact changed = *contact;
    if (answer == Py_None) return PV_PRESOLVE_COLLIDE;
    if (!PyDict_Check(answer))
        pvpy_read(&call, &type_pv_presolve_result, answer, &result, "result");
    else if (pvpy_read_fields(&call, type_pv_presolve_contact.fields,
                              type_pv_presolve_contact.count, answer, &changed))
        *contact = changed;
    return (pv_presolve_result)result;
}

static pv_presolve_result world_presolve(void *user_data, const pv_world *world,
                                         pv_presolve_contact *contact) {
    (void)world;
    pvpy_world *w = user_data;
    PyGILState_STATE state = PyGILState_Ensure();
    pv_presolve_result result = PV_PRESOLVE_COLLIDE;
    PyObject *function = w->callbacks[PVPY_PRESOLVE];
    PyObject *value = w->pending[0] ? NULL : pvpy_build(&type_pv_presolve_contact, contact, w);
    PyObject *answer =
        value && function ? PyObject_CallFunctionObjArgs(function, value, NULL) : NULL;
    if (answer) result = read_judgment(w, answer, contact);
    keep_exception(w);
    Py_XDECREF(answer);
    Py_XDECREF(value);
    PyGILState_Release(state);
    return result;
}

/* ---- Split ---- */

/// Sets the data of a part; None leaves it without.
static void *world_split(void *user_data, const pv_world *world, pv_body_id parent,
                         pv_body_id child) {
    (void)world;
    pvpy_world *w = user_data;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *data = call_with_bodies(w, PVPY_SPLIT, parent, child);
    PyObject *body = data ? pvpy_body_of(w, child) : NULL;
    if (body && data != Py_None) PyObject_SetAttrString(body, "data", data);
    Py_XDECREF(body);
    Py_XDECREF(data);
    keep_exception(w);
    PyGILState_Release(state);
    return NULL;
}

/* ---- Setting ---- */

static pv_status install(pv_world *world, int callback, bool none, void *owner) {
    switch (callback) {
    case PVPY_FILTER: return pv_world_set_filter_callback(world, none ? NULL : world_filter, owner);
    case PVPY_PRESOLVE:
        return pv_world_set_presolve_callback(world, none ? NULL : world_presolve, owner);
    default: return pv_world_set_split_callback(world, none ? NULL : world_split, owner);
    }
}

static PyObject *set_callback(PyObject *self, PyObject *function, int callback, const char *name) {
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, name, NULL, 0, 0, NULL, NULL, 0, NULL)) return NULL;
    bool none = function == Py_None;
    if (!none && !PyCallable_Check(function)) {
        pvpy_call_refuse(&call, PyExc_TypeError, "function", "callable or None", function);
        return NULL;
    }
    pv_status status = install(call.world, callback, none, self);
    if (status == PV_OK) {
        PyObject **place = &call.owner->callbacks[callback], *before = *place;
        *place = none ? NULL : Py_NewRef(function);
        Py_XDECREF(before);
    }
    return pvpy_call_status(&call, status);
}

PyObject *pvpy_world_set_filter(PyObject *self, PyObject *function) {
    return set_callback(self, function, PVPY_FILTER, "pv_world_set_filter_callback");
}

PyObject *pvpy_world_set_presolve(PyObject *self, PyObject *function) {
    return set_callback(self, function, PVPY_PRESOLVE, "pv_world_set_presolve_callback");
}

PyObject *pvpy_world_set_split(PyObject *self, PyObject *function) {
    return set_callback(self, function, PVPY_SPLIT, "pv_world_set_split_callback");
}

/* ---- Colors of grains ---- */

/// Reads a color as a number 0xRRGGBBAA.
static bool read_number(PyObject *answer, uint32_t *color) {
    unsigned long number = answer ? PyLong_AsUnsignedLong(answer) : 0;
    if (!answer || PyErr_Occurred()) return false;
    *color = (uint32_t)number;
    return true;
}

static uint32_t grain_color(void *user_data, pv_body_id body, int x, int y) {
    const pvpy_grain_color *grains = user_data;
    pvpy_world *w = grains->owner;
    uint32_t color = grains->color;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *function = grains->function;
    PyObject *of = function && !w->pending[0] ? pvpy_body_of(w, body) : NULL;
    w->unlocked++;
    PyObject *answer = of ? PyObject_CallFunction(function, "Oii", of, x, y) : NULL;
    w->unlocked--;
    read_number(answer, &color);
    Py_XDECREF(answer);
    Py_XDECREF(of);
    keep_exception(w);
    PyGILState_Release(state);
    return color;
}

void pvpy_grains_set_color(pvpy_call *call, pv_grains_def *def, PyObject *function) {
    pvpy_grain_color *made = PyMem_Malloc(sizeof *made);
    if (!made) {
        PyErr_NoMemory();
        return;
    }
    *made =
        (pvpy_grain_color){call->owner->grain_colors, call->owner, Py_NewRef(function), def->color};
    call->owner->grain_colors = made;
    def->color_callback = grain_color;
    def->color_user_data = made;
}

/* ---- Grains that become pixels, and pixels that become grains ---- */

typedef struct merge_in {
    pv_body_id body;
    pv_rect rect;
    PyObject *function;
} merge_in;

/// The function of one merge, and its world.
typedef struct merge_call {
    pvpy_world *owner;
    PyObject *function;
} merge_call;

static void grain_merge(void *user_data, int x, int y, uint32_t color) {
    const merge_call *merge = user_data;
    if (merge->owner->pending[0]) return;
    merge->owner->unlocked++;
    Py_XDECREF(PyObject_CallFunction(merge->function, "iiI", x, y, color));
    merge->owner->unlocked--;
    keep_exception(merge->owner);
}

PVPY_FUNCTION(pvpy_grains_merge) {
    static const pvpy_type body = {
        .kind = PVPY_HANDLE, .name = "Body", .size = sizeof(pv_body_id), .handle = 0};
    static const pvpy_field parameters[] = {
        {.name = "body", .type = &body, .offset = offsetof(merge_in, body), .required = true},
        {.name = "rect",
         .type = &type_pv_rect,
         .offset = offsetof(merge_in, rect),
         .required = true},
        {.name = "function", .type = &pvpy_type_callable, .offset = offsetof(merge_in, function)}};
    merge_in in = {{0, 0}, {0, 0, 0, 0}, NULL};
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_grains_merge", parameters, 3, 3, &in, args, count,
                         keywords))
        return NULL;
    pvpy_id id = pvpy_self_id(self);
    merge_call merge = {call.owner, in.function};
    int made = pv_grains_merge(call.world, (pv_grains_id){id.index, id.generation}, in.body,
                               in.rect, in.function ? grain_merge : NULL, &merge);
    return pvpy_call_end(&call, &pvpy_type_int, &made);
}

typedef struct emit_in {
    pv_placed placed;
    const uint32_t *colors;
    int color_count;
    pv_vec2 velocity;
    double angular_velocity;
} emit_in;

/// Compares the number of colors with that of the mask's pixels.
static bool colors_fit(pvpy_call *call, const emit_in *in) {
    int64_t area =
        (int64_t)pv_mask_get_width(in->placed.mask) * pv_mask_get_height(in->placed.mask);
    if (!in->colors || area == in->color_count) return true;
    PyObject *given = PyLong_FromLong(in->color_count);
    if (given) pvpy_call_refuse(call, PyExc_ValueError, "colors", "a number for each pixel", given);
    Py_XDECREF(given);
    return false;
}

PVPY_FUNCTION(pvpy_grains_emit_mask) {
#define PLACE(MEMBER) .offset = offsetof(emit_in, MEMBER)
    static const pvpy_field parameters[] = {
        {.name = "placed", .type = &type_pv_placed, PLACE(placed), .required = true},
        {.name = "velocity", .type = &pvpy_type_vector, PLACE(velocity)},
        {.name = "angular_velocity", .type = &pvpy_type_double, PLACE(angular_velocity)},
        {.name = "colors",
         .type = &pvpy_type_uint,
         PLACE(colors),
         .count_offset = offsetof(emit_in, color_count),
         .array = true}};
#undef PLACE
    emit_in in = {.placed = {.transform = pv_transform_identity()}};
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_grains_emit_mask", parameters, 4, 3, &in, args, count,
                         keywords))
        return NULL;
    if (!colors_fit(&call, &in)) return pvpy_call_end(&call, NULL, NULL);
    pvpy_id id = pvpy_self_id(self);
    return pvpy_call_status(
        &call, pv_grains_emit_mask(call.world, (pv_grains_id){id.index, id.generation}, &in.placed,
                                   in.colors, in.velocity, in.angular_velocity));
}

/* ---- Columns ---- */

static PyObject *column(const void *from, int count, size_t size) {
    return PyBytes_FromStringAndSize(from, (Py_ssize_t)((size_t)count * size));
}

PyObject *pvpy_grains_get_view(PyObject *self, void *unused) {
    (void)unused;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_grains_get_view", NULL, 0, 0, NULL, NULL, 0, NULL))
        return NULL;
    pvpy_id id = pvpy_self_id(self);
    pv_grains_view v = pv_grains_get_view(call.world, (pv_grains_id){id.index, id.generation});
    const void *const columns[] = {v.x, v.y, v.dx, v.dy, v.color, v.born};
    static const char *const names[] = {"x", "y", "dx", "dy", "color", "born"};
    PyObject *view = Py_BuildValue("{si}", "oldest", v.oldest);
    for (int i = 0; view && i < 6; i++) {
        PyObject *bytes = column(columns[i], v.count, 4);
        if (!bytes || PyDict_SetItemString(view, names[i], bytes) < 0) Py_CLEAR(view);
        Py_XDECREF(bytes);
    }
    return view;
}

PyObject *pvpy_world_get_particle_positions(PyObject *self, void *unused) {
    (void)unused;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_get_particle_positions", NULL, 0, 0, NULL, NULL, 0,
                         NULL))
        return NULL;
    int count = pv_world_get_particle_positions(call.world, NULL, 0);
    PyObject *bytes = column(NULL, count, 2 * sizeof(float));
    if (bytes)
        pv_world_get_particle_positions(call.world, (float *)(void *)PyBytes_AsString(bytes),
                                        count);
    return bytes;
}

/* ---- Debug drawing ---- */

typedef struct debug_call {
    pvpy_world *owner;
    PyObject *line, *circle, *mask;
} debug_call;

/// Releases what a function returned, and keeps its exception.
static void drawn(const debug_call *d, PyObject *result) {
    Py_XDECREF(result);
    keep_exception(d->owner);
}

static void debug_line(void *user_data, pv_vec2 from, pv_vec2 to, pv_color color) {
    const debug_call *d = user_data;
    if (d->owner->pending[0]) return;
    drawn(d, PyObject_CallFunction(d->line, "(dd)(dd)I", from.x, from.y, to.x, to.y, color));
}

static void debug_circle(void *user_data, pv_vec2 center, double radius, pv_color color) {
    const debug_call *d = user_data;
    if (d->owner->pending[0]) return;
    drawn(d, PyObject_CallFunction(d->circle, "(dd)dI", center.x, center.y, radius, color));
}

static void debug_mask(void *user_data, const pv_mask *mask, const pv_transform *transform,
                       pv_color color) {
    const debug_call *d = user_data;
    if (d->owner->pending[0]) return;
    pv_placed placed = {mask, *transform};
    PyObject *value = pvpy_build(&type_pv_placed, &placed, d->owner);
    drawn(d, value ? PyObject_CallFunction(d->mask, "OI", value, color) : NULL);
    Py_XDECREF(value);
}

typedef struct debug_in {
    pv_debug_draw draw;
    PyObject *line, *circle, *mask;
    unsigned flags;
} debug_in;

PVPY_FUNCTION(pvpy_world_debug_draw) {
#define PLACE(MEMBER) .offset = offsetof(debug_in, MEMBER)
    static const pvpy_field parameters[] = {
        {.name = "line", .type = &pvpy_type_callable, PLACE(line)},
        {.name = "circle", .type = &pvpy_type_callable, PLACE(circle)},
        {.name = "mask", .type = &pvpy_type_callable, PLACE(mask)},
        {.name = "flags", .type = &pvpy_type_uint, PLACE(flags)},
        {.name = "normal_length", .type = &pvpy_type_double, PLACE(draw.normal_length)},
        {.name = "point_radius", .type = &pvpy_type_double, PLACE(draw.point_radius)}};
#undef PLACE
    debug_in in = {pv_debug_draw_default(), NULL, NULL, NULL, PV_DEBUG_ALL};
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_debug_draw", parameters, 6, 3, &in, args, count,
                         keywords))
        return NULL;
    debug_call d = {call.owner, in.line, in.circle, in.mask};
    in.draw.user_data = &d;
    in.draw.line = in.line ? debug_line : NULL;
    in.draw.circle = in.circle ? debug_circle : NULL;
    in.draw.mask = in.mask ? debug_mask : NULL;
    return pvpy_call_status(&call, pv_world_debug_draw(call.world, &in.draw, in.flags));
}
