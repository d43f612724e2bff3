/* world.c - classes World, Body, Joint and the other objects of a world.
 *
 * Invariant: a world is used by one thread at a time; calls during another thread's step are
 * refused. An object of the library has one Python object, which stays the same until its slot is
 * reused.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

#include <math.h>
#include <string.h>

PyTypeObject *pvpy_world_type;

static pvpy_world *as_world(PyObject *object) { return (pvpy_world *)object; }

static PyObject *world_step(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
static PyObject *world_save(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
static PyObject *world_restore(PyObject *, PyObject *);
static PyObject *world_close(PyObject *, PyObject *);
static PyObject *world_enter(PyObject *, PyObject *);
static PyObject *world_exit(PyObject *, PyObject *);
static PyObject *world_get_hash(PyObject *, void *);
static PyObject *world_get_events(PyObject *, void *);
static PyObject *world_get_all(PyObject *, void *);
static PVPY_FUNCTION(world_create_mover);
static PVPY_FUNCTION(world_get_workers);
static PVPY_FUNCTION(world_set_workers);
static int all_bodies, all_joints, all_particles, all_polygons, all_composites;

#define PVPY_METHODS_WORLD                                                                         \
    PVPY_METHOD("step", world_step,                                                                \
                "Moves the world by dt seconds; other threads run meanwhile."),                    \
        PVPY_METHOD("save", world_save, "Returns the whole state as bytes."),                      \
        {"restore", world_restore, METH_O, PyDoc_STR("Restores the state of a snapshot.")},        \
        {"close", world_close, METH_NOARGS, PyDoc_STR("Frees the world and all in it.")},          \
        {"__enter__", world_enter, METH_NOARGS, NULL},                                             \
        {"__exit__", world_exit, METH_VARARGS, NULL},                                              \
        {"set_filter", pvpy_world_set_filter, METH_O,                                              \
         PyDoc_STR("Sets the function (a, b) that tells whether two bodies collide, or None.")},   \
        {"set_presolve", pvpy_world_set_presolve, METH_O,                                          \
         PyDoc_STR("Sets the function (contact) that judges contacts, or None.")},                 \
        {"set_split", pvpy_world_set_split, METH_O,                                                \
         PyDoc_STR("Sets the function (parent, child) that gives a part its data, or None.")},     \
        PVPY_METHOD("create_mover", world_create_mover, "Creates a platform character."),          \
        PVPY_METHOD("debug_draw", pvpy_world_debug_draw,                                           \
                    "Calls functions for the lines, circles and masks of a world."),               \
        PVPY_METHOD("draw", pvpy_world_draw,                                                       \
                    "Draws all bodies and particles on a pygame.Surface."),
#define PVPY_PROPERTIES_WORLD                                                                      \
    {"workers", pvpy_get_property, pvpy_set_property, PyDoc_STR("Number of threads of a step."),   \
     &(pvpy_property){world_get_workers, world_set_workers}},                                      \
        {"hash", world_get_hash, NULL, NULL, NULL},                                                \
        {"events", world_get_events, NULL, NULL, NULL},                                            \
        {"bodies", world_get_all, NULL, NULL, &all_bodies},                                        \
        {"joints", world_get_all, NULL, NULL, &all_joints},                                        \
        {"particles", world_get_all, NULL, NULL, &all_particles},                                  \
        {"polygons", world_get_all, NULL, NULL, &all_polygons},                                    \
        {"composites", world_get_all, NULL, NULL, &all_composites},                                \
        {"particle_positions", pvpy_world_get_particle_positions, NULL, NULL, NULL},
#define PVPY_METHODS_BODY
#define PVPY_PROPERTIES_BODY {"picture", pvpy_body_get_picture, pvpy_body_set_picture, NULL, NULL},
#define PVPY_METHODS_JOINT
#define PVPY_PROPERTIES_JOINT
#define PVPY_METHODS_PARTICLE
#define PVPY_PROPERTIES_PARTICLE
#define PVPY_METHODS_LIQUID
#define PVPY_PROPERTIES_LIQUID
#define PVPY_METHODS_FORCE_FIELD
#define PVPY_PROPERTIES_FORCE_FIELD
#define PVPY_METHODS_COMPOSITE
#define PVPY_PROPERTIES_COMPOSITE
#define PVPY_METHODS_GRAINS                                                                        \
    PVPY_METHOD("merge", pvpy_grains_merge, "Adds resting grains of a rectangle to a body."),      \
        PVPY_METHOD("emit_mask", pvpy_grains_emit_mask, "Emits a grain for each solid pixel."),
#define PVPY_PROPERTIES_GRAINS {"view", pvpy_grains_get_view, NULL, NULL, NULL},
#define PVPY_METHODS_MOVER
#define PVPY_PROPERTIES_MOVER
#define PVPY_METHODS_MASK                                                                          \
    {"serialize", pvpy_mask_serialize, METH_NOARGS, PyDoc_STR("Returns the mask as bytes.")},      \
        {"__reduce__", pvpy_mask_reduce, METH_NOARGS, NULL},                                       \
        {"__setstate__", pvpy_mask_setstate, METH_O, NULL},                                        \
        PVPY_STATIC("deserialize", pvpy_mask_deserialize, "Creates a mask from bytes."),           \
        PVPY_STATIC("create_tilemap", pvpy_mask_create_tilemap, "Creates a mask of tiles."),
#define PVPY_PROPERTIES_MASK
#define PVPY_METHODS_MATERIAL_MAP                                                                  \
    PVPY_STATIC("from_bytes", pvpy_material_map_from_bytes,                                        \
                "Creates a map from planes of bytes (height, width)."),
#define PVPY_PROPERTIES_MATERIAL_MAP
#define PVPY_METHODS_IMAGE
#define PVPY_PROPERTIES_IMAGE                                                                      \
    {"width", pvpy_image_get_width, NULL, NULL, NULL},                                             \
        {"height", pvpy_image_get_height, NULL, NULL, NULL},
#define PVPY_METHODS_FRAMES
#define PVPY_PROPERTIES_FRAMES
#define PVPY_METHODS_PARTS
#define PVPY_PROPERTIES_PARTS
#define PVPY_METHODS_OUTLINE
#define PVPY_PROPERTIES_OUTLINE
#define PVPY_METHODS_GROUP
#define PVPY_PROPERTIES_GROUP
#define PVPY_METHODS_MASK_CACHE
#define PVPY_PROPERTIES_MASK_CACHE
#define PVPY_METHODS_PLACED
#define PVPY_PROPERTIES_PLACED
#define PVPY_METHODS_SWEPT
#define PVPY_PROPERTIES_SWEPT
#define PVPY_METHODS_TRANSFORM
#define PVPY_PROPERTIES_TRANSFORM
#define PVPY_METHODS_ROTATION
#define PVPY_PROPERTIES_ROTATION
#define PVPY_METHODS_POSE
#define PVPY_PROPERTIES_POSE
#define PVPY_METHODS_MODULE

/// Defines the function that tells whether an object exists.
#define VALID(NOUN)                                                                                \
    static bool NOUN##_is_valid(const pv_world *world, pvpy_id id) {                               \
        return pv_##NOUN##_is_valid(world, (pv_##NOUN##_id){id.index, id.generation});             \
    }
VALID(body)
VALID(joint)
VALID(particle)
VALID(liquid)
VALID(force_field)
VALID(composite)
VALID(grains)

#include "calls.h"

/* ---- Workers ---- */

/// Describes the argument for the pool.
static const pvpy_field workers_field = {
    .name = "workers", .type = &pvpy_type_int, .required = true};

/// Creates a pool for a number of workers, or null for one; false with an exception.
static bool pool_make(int workers, pv_task_pool **pool) {
    pv_error error;
    *pool = NULL;
    if (workers == 1) return true;
    *pool = pv_task_pool_create(workers, &error);
    if (!*pool) pvpy_raise(&error);
    return *pool != NULL;
}

static PVPY_FUNCTION(world_get_workers) {
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "World.workers", NULL, 0, 0, NULL, args, count, keywords))
        return NULL;
    pv_world_def def = pv_world_def_default();
    pv_task_pool_attach(call.owner->pool, &def);
    return pvpy_call_end(&call, &pvpy_type_int, &def.worker_count);
}

static PVPY_FUNCTION(world_set_workers) {
    int workers = 1;
    pvpy_call call;
    pv_task_pool *pool;
    if (!pvpy_call_begin(&call, self, "pv_world_set_workers", &workers_field, 1, 1, &workers, args,
                         count, keywords) ||
        !pool_make(workers, &pool))
        return NULL;
    pv_world_def def = pv_world_def_default();
    pv_task_pool_attach(pool, &def);
    pv_status status = pv_world_set_workers(call.world, &def);
    pv_task_pool *unused = pool;
    if (status == PV_OK) {
        unused = call.owner->pool;
        call.owner->pool = pool;
    }
    pv_task_pool_destroy(unused);
    return pvpy_call_status(&call, status);
}

/// Reads the arguments of a world; the number of workers makes its pool.
static bool world_read(pvpy_call *call, PyObject *keywords, pv_world_def *def) {
    PyObject *members = PyDict_Copy(keywords);
    PyObject *value = members ? PyDict_GetItemString(members, workers_field.name) : NULL;
    int workers = 1;
    bool good =
        members &&
        (!value || (pvpy_read_field(call, &workers_field, value, &workers) &&
                    PyDict_DelItemString(members, workers_field.name) == 0)) &&
        pvpy_read_fields(call, type_pv_world_def.fields, type_pv_world_def.count, members, def) &&
        pool_make(workers, &call->owner->pool);
    Py_XDECREF(members);
    if (good) pv_task_pool_attach(call->owner->pool, def);
    return good;
}

/* ---- Life of a world ---- */

/// Destroys a world before its pool.
static void world_free(pvpy_world *w) {
    pv_world_destroy(w->world);
    pv_task_pool_destroy(w->pool);
    w->world = NULL;
    w->pool = NULL;
}

static void world_report(void *user_data, const pv_error *error) {
    ((pvpy_world *)user_data)->error = *error;
}

static int world_init(PyObject *self, PyObject *args, PyObject *keywords) {
    pvpy_world *w = as_world(self);
    if (PyTuple_Size(args) > 0 || w->world) {
        PyErr_SetString(PyExc_TypeError, w->world ? "the world was made already"
                                                  : "World() takes keyword arguments only");
        return -1;
    }
    pv_world_def def = pv_world_def_default();
    pvpy_call call = {.owner = w, .function = "pv_world_create"};
    if (keywords && !world_read(&call, keywords, &def)) return -1;
    def.report_callback = world_report;
    def.report_user_data = w;
    pv_error error;
    w->world = pv_world_create(&def, &error);
    if (!w->world) {
        world_free(w);
        pvpy_raise(&error);
        return -1;
    }
    w->error.status = PV_OK;
    return 0;
}

static int world_traverse(PyObject *self, visitproc visit, void *arg) {
    pvpy_world *w = as_world(self);
    Py_VISIT(Py_TYPE(self));
    for (int k = 0; k < PVPY_SLOT_TABLES; k++)
        for (uint32_t i = 0; i < w->slots[k].count; i++) Py_VISIT(w->slots[k].items[i]);
    for (int i = 0; i < PVPY_CALLBACKS; i++) Py_VISIT(w->callbacks[i]);
    for (pvpy_grain_color *c = w->grain_colors; c; c = c->next) Py_VISIT(c->function);
    for (int i = 0; i < 3; i++) Py_VISIT(w->pending[i]);
    return 0;
}

static int world_clear(PyObject *self) {
    pvpy_world *w = as_world(self);
    if (w->world) {
        pv_world_set_filter_callback(w->world, NULL, NULL);
        pv_world_set_presolve_callback(w->world, NULL, NULL);
        pv_world_set_split_callback(w->world, NULL, NULL);
    }
    for (int k = 0; k < PVPY_SLOT_TABLES; k++) {
        pvpy_slots slots = w->slots[k];
        w->slots[k] = (pvpy_slots){NULL, 0};
        for (uint32_t i = 0; i < slots.count; i++) Py_XDECREF(slots.items[i]);
        PyMem_Free(slots.items);
    }
    for (int i = 0; i < PVPY_CALLBACKS; i++) Py_CLEAR(w->callbacks[i]);
    for (pvpy_grain_color *c = w->grain_colors; c; c = c->next) Py_CLEAR(c->function);
    for (int i = 0; i < 3; i++) Py_CLEAR(w->pending[i]);
    return 0;
}

static void world_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    world_clear(self);
    world_free(as_world(self));
    while (as_world(self)->grain_colors) {
        pvpy_grain_color *first = as_world(self)->grain_colors;
        as_world(self)->grain_colors = first->next;
        PyMem_Free(first);
    }
    PyMem_Free(as_world(self)->canvas);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *world_close(PyObject *self, PyObject *unused) {
    (void)unused;
    pvpy_world *w = as_world(self);
    if (w->stepping) {
        PyErr_SetString(PyExc_ValueError, "close: the world is in a step");
        return NULL;
    }
    pv_world *world = w->world;
    if (w->unlocked || (world && pv_world_set_split_callback(world, NULL, NULL) == PV_ERROR_BUSY))
        return pvpy_raise_status(PV_ERROR_BUSY, "close");
    world_free(w);
    world_clear(self);
    Py_RETURN_NONE;
}

static PyObject *world_enter(PyObject *self, PyObject *unused) {
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *world_exit(PyObject *self, PyObject *args) {
    (void)args;
    return world_close(self, NULL);
}

static PyObject *world_repr(PyObject *self) {
    const pv_world *world = as_world(self)->world;
    if (!world) return PyUnicode_FromString("<World, closed>");
    return PyUnicode_FromFormat("<World of %d bodies>", pv_world_get_stats(world).bodies);
}

/* ---- Step ---- */

static PyObject *world_step(PyObject *self, PyObject *const *args, Py_ssize_t count,
                            PyObject *keywords) {
    static const pvpy_field parameters[] = {
        {.name = "dt", .type = &pvpy_type_double, .required = true}};
    double dt = 0;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_step", parameters, 1, 1, &dt, args, count,
                         keywords))
        return NULL;
    pvpy_world *w = call.owner;
    bool nested = w->stepping;
    pv_status status;
    if (nested)
        status = pv_world_step(call.world, dt);
    else {
        w->stepping = true;
        w->thread = PyThread_get_thread_ident();
        Py_BEGIN_ALLOW_THREADS status = pv_world_step(call.world, dt);
        Py_END_ALLOW_THREADS w->stepping = false;
        pvpy_draw_follow(w);
    }
    return pvpy_call_status(&call, status);
}

static PyObject *world_get_events(PyObject *self, void *unused) {
    (void)unused;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_get_events", NULL, 0, 0, NULL, NULL, 0, NULL))
        return NULL;
    pv_events events = pv_world_get_events(call.world);
    return pvpy_call_end(&call, &type_pv_events, &events);
}

static PyObject *world_get_hash(PyObject *self, void *unused) {
    (void)unused;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_compute_hash", NULL, 0, 0, NULL, NULL, 0, NULL))
        return NULL;
    uint64_t hash = pv_world_compute_hash(call.world);
    return pvpy_call_end(&call, &pvpy_type_ulong, &hash);
}

/* ---- All objects of a kind ---- */

static pvpy_id next_id(const pv_world *world, const int *kind, pvpy_id id) {
    pvpy_id next;
#define NEXT(NOUN, ID)                                                                             \
    do {                                                                                           \
        ID own = pv_world_get_next_##NOUN(world, (ID){id.index, id.generation});                   \
        next = (pvpy_id){own.index, own.generation};                                               \
    } while (0)
    if (kind == &all_bodies)
        NEXT(body, pv_body_id);
    else if (kind == &all_joints)
        NEXT(joint, pv_joint_id);
    else if (kind == &all_particles)
        NEXT(particle, pv_particle_id);
    else if (kind == &all_polygons)
        NEXT(polygon, pv_body_id);
    else
        NEXT(composite, pv_composite_id);
#undef NEXT
    return next;
}

static PyObject *world_get_all(PyObject *self, void *of) {
    const int *kind = of;
    int handle = kind == &all_bodies      ? HANDLE_BODY
                 : kind == &all_joints    ? HANDLE_JOINT
                 : kind == &all_particles ? HANDLE_PARTICLE
                 : kind == &all_polygons  ? HANDLE_BODY
                                          : HANDLE_COMPOSITE;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_get_next", NULL, 0, 0, NULL, NULL, 0, NULL))
        return NULL;
    PyObject *list = PyList_New(0);
    pvpy_id id = {0, 0};
    while (list && (id = next_id(call.world, kind, id), !PV_ID_IS_NULL(id))) {
        PyObject *item = pvpy_handle_of(call.owner, handle, id);
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* ---- Snapshots ---- */

static PyObject *world_save(PyObject *self, PyObject *const *args, Py_ssize_t count,
                            PyObject *keywords) {
    static const pvpy_field parameters[] = {{.name = "pixels", .type = &pvpy_type_bool}};
    bool pixels = false;
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_world_save", parameters, 1, 1, &pixels, args, count,
                         keywords))
        return NULL;
    unsigned flags = pixels ? PV_SNAPSHOT_PIXELS : 0;
    size_t size = 0;
    pv_status status = pv_world_save(call.world, flags, NULL, 0, &size);
    void *buffer = status == PV_OK ? PyMem_Malloc(size) : NULL;
    if (status == PV_OK && !buffer) return PyErr_NoMemory();
    if (buffer) status = pv_world_save(call.world, flags, buffer, size, &size);
    PyObject *result = pvpy_call_status(&call, status);
    if (result) {
        Py_DECREF(result);
        result = PyBytes_FromStringAndSize(buffer, (Py_ssize_t)size);
    }
    PyMem_Free(buffer);
    return result;
}

static PyObject *world_restore(PyObject *self, PyObject *snapshot) {
    pvpy_call call;
    Py_buffer view;
    if (!pvpy_call_begin(&call, self, "pv_world_restore", NULL, 0, 0, NULL, NULL, 0, NULL))
        return NULL;
    if (PyObject_GetBuffer(snapshot, &view, PyBUF_SIMPLE) < 0) {
        pvpy_call_refuse(&call, PyExc_TypeError, "snapshot", "bytes", snapshot);
        return NULL;
    }
    pv_status status = pv_world_restore(call.world, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (status == PV_OK) pvpy_draw_forget(call.owner);
    return pvpy_call_status(&call, status);
}

/* ---- Movers ---- */

static PVPY_FUNCTION(world_create_mover) {
    struct in_pv_mover_default in = {pv_mover_default()};
    pvpy_call call;
    if (!pvpy_call_begin(&call, self, "pv_mover_default", parameters_pv_mover_default,
                         sizeof parameters_pv_mover_default / sizeof *parameters_pv_mover_default,
                         2, &in, args, count, keywords))
        return NULL;
    return pvpy_mover_make(&call, &in.mover);
}

/* ---- Registration ---- */

/// Adds methods and properties to the class of a struct.
static bool extend_struct(PyTypeObject *class, PyMethodDef *methods, PyGetSetDef *properties) {
    for (PyMethodDef *m = methods; m->ml_name; m++) {
        PyObject *made =
            m->ml_flags & METH_STATIC ? PyCFunction_New(m, NULL) : PyDescr_NewMethod(class, m);
        if (!made || PyObject_SetAttrString((PyObject *)class, m->ml_name, made) < 0) return false;
        Py_DECREF(made);
    }
    for (PyGetSetDef *p = properties; p->name; p++) {
        PyObject *made = PyDescr_NewGetSet(class, p);
        if (!made || PyObject_SetAttrString((PyObject *)class, p->name, made) < 0) return false;
        Py_DECREF(made);
    }
    return true;
}

static PyType_Slot world_slots[] = {
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, world_init},
    {Py_tp_dealloc, world_dealloc},
    {Py_tp_traverse, world_traverse},
    {Py_tp_clear, world_clear},
    {Py_tp_repr, world_repr},
    {Py_tp_methods, methods_world},
    {Py_tp_getset, properties_world},
    {Py_tp_doc, "World(*, gravity=(0, 320), ...) -> World\n\nBodies that move and touch."},
    {0, NULL},
};
static PyType_Spec world_spec = {.name = "pixverlet.World",
                                 .basicsize = sizeof(pvpy_world),
                                 .flags =
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
                                 .slots = world_slots};
static bool register_struct(PyObject *module, const pvpy_type *type) {
    if (type->kind == PVPY_VECTOR) return true;
    PyStructSequence_Field *fields = PyMem_Calloc((size_t)type->count + 1, sizeof *fields);
    char *name = PyMem_Malloc(64);
    if (!fields || !name) return PyErr_NoMemory();
    PyOS_snprintf(name, 64, "pixverlet.%s", type->name);
    for (int i = 0; i < type->count; i++) fields[i].name = type->fields[i].name;
    PyStructSequence_Desc desc = {.name = name, .fields = fields, .n_in_sequence = type->count};
    *type->class = PyStructSequence_NewType(&desc);
    PyMem_Free(fields);
    return *type->class && PyModule_AddObjectRef(module, type->name, (PyObject *)*type->class) == 0;
}

bool pvpy_world_register(PyObject *module) {
    pvpy_world_type = (PyTypeObject *)PyType_FromSpec(&world_spec);
    bool good = pvpy_world_type && pvpy_handles_register(module, handle_list) &&
                PyModule_AddObjectRef(module, "World", (PyObject *)pvpy_world_type) == 0;
    for (size_t i = 0; good && i < sizeof struct_types / sizeof *struct_types; i++)
        good = register_struct(module, struct_types[i]);
    good = good && pvpy_resource_register(module, resource_list, RESOURCE_COUNT) &&
           pvpy_mover_register(module, methods_mover, properties_mover) &&
           extend_struct(pvpy_mask_type, methods_mask, properties_mask) && extend_structs() &&
           PyModule_AddFunctions(module, methods_module) == 0;
    for (const pvpy_word *w = flag_words; good && w->word; w++)
        good = PyModule_AddIntConstant(module, w->word, w->value) == 0;
    return good;
}
