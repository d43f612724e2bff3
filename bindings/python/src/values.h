/* values.h - values of Python from and to structs of the library, by tables that bind.py writes.
 *
 * Invariant: a wrong value raises an exception that names function and field, and nothing is called.
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
    PVPY_HANDLE,
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

/// Description of a type of C.
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
    /// Kind of a handle
    int handle;
} pvpy_type;

/// Description of a member, or of an argument.
struct pvpy_field {
    const char *name;
    const pvpy_type *type;
    size_t offset, count_offset;
    /// Number of values in place; 0 for one
    int length;
    /// A pointer to values, whose number stands at count_offset
    bool array, required;
};

extern const pvpy_type pvpy_type_double, pvpy_type_float, pvpy_type_int, pvpy_type_uint,
    pvpy_type_long, pvpy_type_ulong, pvpy_type_bool, pvpy_type_mask, pvpy_type_lent_mask,
    pvpy_type_vector;

/// Index and generation of any id.
typedef struct pvpy_id {
    uint32_t index, generation;
} pvpy_id;

/// Handles of one kind by their index.
typedef struct pvpy_slots {
    PyObject **items;
    uint32_t count;
} pvpy_slots;

#define PVPY_HANDLE_KINDS 8

typedef struct pvpy_world {
    PyObject_HEAD pv_world *world;
    /// Last refusal of the library
    pv_error error;
    pvpy_slots slots[PVPY_HANDLE_KINDS];
    PyObject *filter, *presolve;
    /// Exception of a callback, kept until the step returns
    PyObject *pending[3];
    /// True during a step, and the thread that runs it
    bool stepping;
    unsigned long thread;
    /// Pixels that draw() composes
    unsigned char *canvas;
    size_t canvas_size;
} pvpy_world;

/// Picture of bodies: the one that was given, shared by the parts of a body.
typedef struct pvpy_picture {
    int references;
    pv_image *image;
} pvpy_picture;

typedef struct pvpy_handle {
    PyObject_HEAD PyObject *world;
    pvpy_id id;
    int kind;
    PyObject *data;
    /// Picture, the place of the body's pixel (0, 0) in it, and what shows of it
    pvpy_picture *picture;
    int picture_x, picture_y;
    pv_image *shown;
    bool stale;
} pvpy_handle;

extern PyTypeObject *pvpy_world_type, *pvpy_handle_type;

/// One call of the library on behalf of Python.
typedef struct pvpy_call {
    pvpy_world *owner;
    pv_world *world;
    const char *function;
    pv_error error;
    void *blocks[16];
    int block_count;
    /// Masks of the arguments, kept to the end of the call
    pv_mask *masks[4];
    int mask_count;
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
/// Ends a call: raises what the library or a callback left, or returns the value; None without one.
PyObject *pvpy_call_end(pvpy_call *call, const pvpy_type *type, const void *value);
PyObject *pvpy_call_status(pvpy_call *call, pv_status status);
/// Allocates memory that lives to the end of the call; null for none.
void *pvpy_call_room(pvpy_call *call, int count, size_t size);
PyObject *pvpy_call_list(pvpy_call *call, const pvpy_type *type, const void *found, int count);
/// Returns what a call wrote in place of its result.
/// @param asks true to return None for a result that is false
PyObject *pvpy_call_outs(pvpy_call *call, PyObject *result, const pvpy_out *outs, int count,
                         bool asks);
/// Raises a TypeError or ValueError that begins with the function; returns false.
bool pvpy_call_refuse(pvpy_call *call, PyObject *type, const char *name, const char *wanted,
                      PyObject *value);

PyObject *pvpy_build(const pvpy_type *type, const void *at, pvpy_world *owner);
bool pvpy_read(pvpy_call *call, const pvpy_type *type, PyObject *value, void *at, const char *name);
bool pvpy_read_fields(pvpy_call *call, const pvpy_field *fields, int count, PyObject *mapping,
                      void *at);

pvpy_id pvpy_self_id(PyObject *self);
/// Returns the handle of an id, new or the one that it had; None for the null id.
PyObject *pvpy_handle_of(pvpy_world *owner, int kind, pvpy_id id);
/// Returns the handle of an id if there is one, borrowed, or null.
pvpy_handle *pvpy_handle_find(pvpy_world *owner, int kind, pvpy_id id);
/// Returns the name of a handle's kind, as parameters have it.
const char *pvpy_handle_noun(const pvpy_handle *handle);
bool pvpy_handle_is_valid(const pvpy_handle *handle);
PyObject *pvpy_get_property(PyObject *self, void *property);
int pvpy_set_property(PyObject *self, PyObject *value, void *property);
bool pvpy_world_register(PyObject *module);

/* Pictures: draw.c */
PVPY_FUNCTION(pvpy_world_draw);
PyObject *pvpy_body_get_picture(PyObject *self, void *unused);
int pvpy_body_set_picture(PyObject *self, PyObject *value, void *unused);
/// Passes pictures on to parts, and marks the pictures that changed.
void pvpy_draw_follow(pvpy_world *owner);
/// Marks all pictures as changed.
void pvpy_draw_forget(pvpy_world *owner);
void pvpy_picture_release(pvpy_handle *handle);

#endif
