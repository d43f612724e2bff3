/* values.h - values between Python and the library's structs, by tables that bind.py writes.
 *
 * Invariant: a wrong value raises an exception that names function and field; the call is not made.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PVPY_VALUES_H
#define PVPY_VALUES_H

#include "binding.h"

typedef enum pvpy_kind {
    PVPY_DOUBLE,
    PVPY_FLOAT,
    PVPY_INT,
    PVPY_UINT,
    PVPY_LONG,
    PVPY_ULONG,
    PVPY_BOOL,
    PVPY_ENUM,
    PVPY_CALLABLE,
    PVPY_TEXT,
    PVPY_PATH,
    PVPY_BYTES,
    PVPY_HANDLE,
    PVPY_RESOURCE,
    PVPY_MASK,
    PVPY_LENT_MASK,
    PVPY_VECTOR,
    PVPY_BOX,
    PVPY_ANCHOR,
    PVPY_STRUCT
} pvpy_kind;

typedef struct pvpy_word {
    const char *word;
    long value;
} pvpy_word;

typedef struct pvpy_field pvpy_field;

/// Description of a C type.
typedef struct pvpy_type {
    pvpy_kind kind;
    const char *name;
    size_t size;
    /// Words of an enum, up to a null
    const pvpy_word *words;
    /// Members of a struct
    const pvpy_field *fields;
    int count;
    /// Class of a struct's values
    PyTypeObject **class;
    /// Kind of a handle, or of a resource
    int handle;
} pvpy_type;

/// Description of a member, or of an argument.
struct pvpy_field {
    const char *name;
    const pvpy_type *type;
    size_t offset, count_offset;
    /// Number of values in place; 0 for a single one
    int length;
    /// A pointer to values, whose number is at count_offset; for bytes it is a size_t
    bool array, required;
};

extern const pvpy_type pvpy_type_double, pvpy_type_float, pvpy_type_int, pvpy_type_uint,
    pvpy_type_long, pvpy_type_ulong, pvpy_type_bool, pvpy_type_text, pvpy_type_path,
    pvpy_type_bytes, pvpy_type_callable, pvpy_type_mask, pvpy_type_lent_mask, pvpy_type_vector;

/* Descriptions that bind.py writes and handwritten code needs. */
extern const pvpy_type type_pv_transform, type_pv_placed, type_pv_rect, type_pv_presolve_contact,
    type_pv_presolve_result;

/// Index and generation of any id.
typedef struct pvpy_id {
    uint32_t index, generation;
} pvpy_id;

/// Handles of one kind, by index.
typedef struct pvpy_slots {
    PyObject **items;
    uint32_t count;
} pvpy_slots;

#define PVPY_HANDLE_KINDS 7
/// Kind of bodies, the first one
#define PVPY_BODIES 0
/// One table of handles for each kind, and one for polygons, whose indices start far higher
#define PVPY_SLOT_TABLES (PVPY_HANDLE_KINDS + 1)

/// Functions of a program that a world calls.
enum { PVPY_FILTER, PVPY_PRESOLVE, PVPY_SPLIT, PVPY_CALLBACKS };

typedef struct pvpy_world {
    PyObject_HEAD pv_world *world;
    /// Last refusal of the library
    pv_error error;
    pvpy_slots slots[PVPY_SLOT_TABLES];
    PyObject *callbacks[PVPY_CALLBACKS];
    /// Color functions of grain populations, kept until the world ends
    struct pvpy_grain_color *grain_colors;
    /// Exception of a callback, kept until the step returns
    PyObject *pending[3];
    /// True during a step, and the thread that runs it
    bool stepping;
    unsigned long thread;
    /// Number of running functions of the program during which the library holds no lock
    int unlocked;
    /// Pixels that draw() composes
    unsigned char *canvas;
    size_t canvas_size;
    /// Threads for steps; null for only the calling one
    pv_task_pool *pool;
} pvpy_world;

/// Picture of bodies, as it was given; shared by the parts of a body.
typedef struct pvpy_picture {
    int references;
    pv_image *image;
} pvpy_picture;

typedef struct pvpy_handle {
    PyObject_HEAD PyObject *world;
    pvpy_id id;
    int kind;
    PyObject *data;
    /// Picture, the position of the body's pixel (0, 0) in it, and its visible part
    pvpy_picture *picture;
    int picture_x, picture_y;
    pv_image *shown;
    bool stale;
} pvpy_handle;

/// A platform character: a value of the library, with a reference to its mask.
typedef struct pvpy_mover {
    PyObject_HEAD PyObject *world;
    pv_mover mover;
    PyObject *data;
} pvpy_mover;

/// An object of the library without a world, which it owns. Masks begin with the same members.
typedef struct pvpy_resource {
    PyObject_HEAD void *pointer;
} pvpy_resource;

extern PyTypeObject *pvpy_world_type, *pvpy_handle_type, *pvpy_mover_type;

/// One call of the library on behalf of Python. Calls without a world have a null owner.
typedef struct pvpy_call {
    pvpy_world *owner;
    pv_world *world;
    const char *function;
    pv_error error;
    void *blocks[16];
    int block_count;
    /// Masks, objects and buffers of the arguments, kept until the end of the call
    pv_mask **masks;
    int mask_count, mask_capacity;
    PyObject *held[8];
    int held_count;
    Py_buffer views[2];
    int view_count;
    /// True if the library keeps the masks of the arguments; true if numbers must be finite
    bool keeps_masks, finite;
} pvpy_call;

typedef struct pvpy_out {
    const pvpy_type *type;
    const void *at;
    int length;
} pvpy_out;

typedef PyObject *(*pvpy_function)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
typedef struct pvpy_property {
    pvpy_function get, set;
} pvpy_property;

/// Begins a call: finds the world, checks the thread and the handle, and reads the arguments.
bool pvpy_call_begin(pvpy_call *call, PyObject *self, const char *function,
                     const pvpy_field *parameters, int parameter_count, int positional, void *in,
                     PyObject *const *args, Py_ssize_t count, PyObject *keywords);
/// Ends a call: raises what the library or a callback left, or returns the value or None.
PyObject *pvpy_call_end(pvpy_call *call, const pvpy_type *type, const void *value);
PyObject *pvpy_call_none(pvpy_call *call);
PyObject *pvpy_call_status(pvpy_call *call, pv_status status);
/// Ends a call that created a mask or another resource, which it takes.
PyObject *pvpy_call_mask(pvpy_call *call, pv_mask *mask);
PyObject *pvpy_call_resource(pvpy_call *call, int kind, void *pointer);
/// Returns the mask of a method for writing, or null with an exception.
pv_mask *pvpy_call_edit(pvpy_call *call, PyObject *self);
/// Holds an object until the end of the call.
bool pvpy_call_hold(pvpy_call *call, PyObject *object);
/// Allocates memory that lives until the end of the call; null if there is none.
void *pvpy_call_room(pvpy_call *call, int count, size_t size);
PyObject *pvpy_call_list(pvpy_call *call, const pvpy_type *type, const void *found, int count);
/// Use of a result when there are further ones: dropped, a question whose False gives None, or the
/// first of all.
typedef enum pvpy_outs { PVPY_OUTS_ALONE, PVPY_OUTS_IF_TRUE, PVPY_OUTS_TOO } pvpy_outs;
/// Returns what a call wrote besides its result; takes the result.
PyObject *pvpy_call_outs(pvpy_call *call, PyObject *result, const pvpy_out *outs, int count,
                         pvpy_outs how);
/// Raises a TypeError or ValueError that begins with the function; returns false.
bool pvpy_call_refuse(pvpy_call *call, PyObject *type, const char *name, const char *wanted,
                      PyObject *value);

PyObject *pvpy_build(const pvpy_type *type, const void *at, pvpy_world *owner);
bool pvpy_read(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at, const char *name);
bool pvpy_read_fields(pvpy_call *call, const pvpy_field *fields, int count, PyObject *mapping,
                      void *at);

bool pvpy_read_field(pvpy_call *call, const pvpy_field *field, PyObject *value, void *at);
PyObject *pvpy_build_field(const pvpy_field *field, const void *at, pvpy_world *owner);

bool pvpy_world_register(PyObject *module);

/* Handles: handle.c */
/// Describes a class of handles.
typedef struct pvpy_handle_class {
    const char *name, *noun;
    PyMethodDef *methods;
    PyGetSetDef *properties;
    bool (*is_valid)(const pv_world *world, pvpy_id id);
} pvpy_handle_class;
bool pvpy_handles_register(PyObject *module, const pvpy_handle_class *classes);
pvpy_id pvpy_self_id(PyObject *self);
/// Returns the handle of an id, an existing one if possible; None for the null id.
PyObject *pvpy_handle_of(pvpy_world *owner, int kind, pvpy_id id);
/// Returns the handle of an id if there is one, borrowed, or null.
pvpy_handle *pvpy_handle_find(pvpy_world *owner, int kind, pvpy_id id);
/// Returns the name of a handle's kind, as in parameters.
const char *pvpy_handle_noun(const pvpy_handle *handle);
bool pvpy_handle_is_valid(const pvpy_handle *handle);
PyObject *pvpy_get_property(PyObject *self, void *property);
int pvpy_set_property(PyObject *self, PyObject *value, void *property);
PyObject *pvpy_body_of(pvpy_world *owner, pv_body_id body);
/// Removes a body's picture.
void pvpy_picture_release(pvpy_handle *handle);

/* Objects without a world: resource.c */
static inline void *pvpy_self_pointer(PyObject *self) { return ((pvpy_resource *)self)->pointer; }
/// Returns the class of a kind, and the Python object for a pointer, which it takes.
PyTypeObject *pvpy_resource_type(int kind);
PyObject *pvpy_resource_wrap(int kind, void *pointer);
bool pvpy_resource_keeps_masks(PyObject *self);
/// Describes a class of resources.
typedef struct pvpy_resource_class {
    const char *name;
    void (*release)(void *pointer);
    PyMethodDef *methods;
    PyGetSetDef *properties;
    /// Two functions of a buffer; null if there is none
    const PyType_Slot *buffer;
    /// True if members keep the masks that they are given
    bool keeps_masks;
} pvpy_resource_class;
bool pvpy_resource_register(PyObject *module, const pvpy_resource_class *classes, int count);
/// Returns the kind with a name.
int pvpy_resource_kind(const char *name);

/* Images, maps and masks: assets.c */
extern const PyType_Slot pvpy_image_buffer[2];
PyObject *pvpy_image_get_width(PyObject *self, void *unused);
PyObject *pvpy_image_get_height(PyObject *self, void *unused);
PVPY_FUNCTION(pvpy_material_map_from_bytes);
PVPY_FUNCTION(pvpy_mask_create_tilemap);
PVPY_FUNCTION(pvpy_mask_deserialize);
PyObject *pvpy_mask_serialize(PyObject *self, PyObject *unused);
PyObject *pvpy_mask_reduce(PyObject *self, PyObject *unused);
PyObject *pvpy_mask_setstate(PyObject *self, PyObject *bytes);

/* Movers: mover.c */
static inline pv_mover *pvpy_self_mover(PyObject *self) { return &((pvpy_mover *)self)->mover; }
PyObject *pvpy_mover_get(PyObject *self, void *field);
int pvpy_mover_set(PyObject *self, PyObject *value, void *field);
PyObject *pvpy_mover_make(pvpy_call *call, const pv_mover *mover);
bool pvpy_mover_register(PyObject *module, PyMethodDef *methods, PyGetSetDef *properties);

/* Callbacks: callback.c */

/// Color function of a population of grains.
typedef struct pvpy_grain_color {
    struct pvpy_grain_color *next;
    pvpy_world *owner;
    PyObject *function;
    uint32_t color;
} pvpy_grain_color;
/// Gives a new population a color function; null for none.
void pvpy_grains_set_color(pvpy_call *call, pv_grains_def *def, PyObject *function);
PyObject *pvpy_grains_get_view(PyObject *self, void *unused);
PyObject *pvpy_world_get_particle_positions(PyObject *self, void *unused);
PyObject *pvpy_world_set_filter(PyObject *self, PyObject *function);
PyObject *pvpy_world_set_presolve(PyObject *self, PyObject *function);
PyObject *pvpy_world_set_split(PyObject *self, PyObject *function);
PVPY_FUNCTION(pvpy_world_debug_draw);
PVPY_FUNCTION(pvpy_grains_merge);
PVPY_FUNCTION(pvpy_grains_emit_mask);

/* Pictures: draw.c */
PVPY_FUNCTION(pvpy_world_draw);
PyObject *pvpy_body_get_picture(PyObject *self, void *unused);
int pvpy_body_set_picture(PyObject *self, PyObject *value, void *unused);
/// Passes pictures on to parts, and marks the pictures that changed.
void pvpy_draw_follow(pvpy_world *owner);
/// Marks all pictures as changed.
void pvpy_draw_forget(pvpy_world *owner);

#endif
