/* retrace_read.c - reads values from a trace, compares them, prints them.
 *
 * Invariant: no byte outside the record is read, whatever its content.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "retrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Greatest room for answers [bytes]
enum { LARGEST = 1 << 30 };

/// Stand-in for a pv_frames; the table of objects holds its masks
struct sheet {
    char none;
};

/// Object by its number. One that the trace does not own is kept by a reference, or is in use by an
/// outer call.
static struct object {
    void *object;
    int type;
    /// Number of times that the trace may still give it back
    uint32_t owned;
    /// True if the table has a reference to it
    bool kept;
} * objects;
static uint32_t object_room, object_most; // numbers up to object_most were seen

static struct piece { struct piece *older; } * pieces;

// ---- memory ----

void *scratch(size_t count, size_t size) {
    if (size != 0 && count > LARGEST / size) refuse("it wants too much memory");
    size_t head = (sizeof(struct piece) + 15) / 16 * 16;
    struct piece *made = calloc(1, head + count * size);
    if (!made) refuse("out of memory");
    made->older = pieces;
    pieces = made;
    return (char *)made + head;
}

void *scratch_mark(void) { return pieces; }

void scratch_free(void *mark) {
    while (pieces != mark) {
        struct piece *older = pieces->older;
        free(pieces);
        pieces = older;
    }
}

// ---- bytes ----

coder reader(const trace_part *part, way chosen) {
    coder made = {part->body, part->body + part->size, chosen, false, true, 0, {0}};
    made.makes = part->kind == RECORD_RETURN || part->kind == RECORD_CALLBACK;
    return made;
}

void reader_ends(const coder *c) {
    if (c->at != c->end) refuse("a record is longer than its values");
}

static const unsigned char *take(coder *c, uint64_t size) {
    if (size > (uint64_t)(c->end - c->at)) refuse("a record ends within a value");
    const unsigned char *at = c->at;
    c->at += size;
    return at;
}

uint64_t read_number(coder *c, int size) {
    const unsigned char *bytes = take(c, (uint64_t)size);
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

// ---- reports ----

static void comma(coder *c) {
    if (!c->first) fputs(", ", stdout);
    c->first = false;
}

static void show(coder *c, const char *name) {
    comma(c);
    printf("%s=", name ? name : "");
}

/// Returns the names of the structs around the value and of the value itself.
static const char *path(const coder *c, const char *name) {
    static char text[256];
    text[0] = 0;
    for (int i = 0; i <= c->open && i <= 8; i++) {
        const char *part = i == c->open ? name : c->names[i];
        if (text[0]) strncat(text, ".", sizeof text - strlen(text) - 1);
        strncat(text, part ? part : "", sizeof text - strlen(text) - 1);
    }
    return text;
}

void code_open(coder *c, const char *name) {
    if (c->open < 8) c->names[c->open] = name;
    c->open++;
    if (c->way != WAY_SHOW) return;
    show(c, name);
    putchar('{');
    c->first = true;
}

void code_close(coder *c) {
    c->open--;
    if (c->way != WAY_SHOW) return;
    putchar('}');
    c->first = false;
}

static bool take_bool(coder *c) {
    uint64_t given = read_number(c, 1);
    if (given > 1) refuse("neither true nor false in a record");
    return given == 1;
}

// ---- numbers ----

/// Reads a number of a size; now is the current value, of the same size.
static uint64_t code_number(coder *c, const char *name, uint64_t now, int size, bool is_signed) {
    uint64_t then = read_number(c, size);
    int64_t as_signed = size == 4 ? (int32_t)(uint32_t)then : (int64_t)then;
    if (c->way == WAY_SHOW) {
        show(c, name);
        if (is_signed)
            printf("%" PRId64, as_signed);
        else
            printf("%" PRIu64, then);
    } else if (c->way == WAY_CHECK) {
        if (size == 4) now &= UINT32_MAX;
        int64_t now_signed = size == 4 ? (int32_t)(uint32_t)now : (int64_t)now;
        if (now != then && is_signed)
            differs("%s is %" PRId64 ", and was %" PRId64, path(c, name), now_signed, as_signed);
        if (now != then) differs("%s is %" PRIu64 ", and was %" PRIu64, path(c, name), now, then);
    }
    return is_signed && size == 4 ? (uint64_t)as_signed : then;
}

#define CODE_NUMBER(type, size, is_signed)                                                         \
    void code_##type(coder *c, const char *name, void *value) {                                    \
        type *own = value;                                                                         \
        type then = (type)code_number(c, name, (uint64_t)*own, size, is_signed);                   \
        if (c->way != WAY_CHECK) *own = then;                                                      \
    }
CODE_NUMBER(int, 4, true)
CODE_NUMBER(int32_t, 4, true)
CODE_NUMBER(unsigned, 4, false)
CODE_NUMBER(uint32_t, 4, false)
CODE_NUMBER(int64_t, 8, true)
CODE_NUMBER(uint64_t, 8, false)
CODE_NUMBER(size_t, 8, false)
CODE_NUMBER(ptrdiff_t, 8, true)

void code_bool(coder *c, const char *name, void *value) {
    bool *own = value, then = take_bool(c);
    if (c->way == WAY_SHOW && name) {
        show(c, name);
        fputs(then ? "true" : "false", stdout);
    }
    if (c->way == WAY_CHECK && *own != then)
        differs("%s is %s, and was %s", path(c, name), *own ? "true" : "false",
                then ? "true" : "false");
    *own = then;
}

void code_double(coder *c, const char *name, void *value) {
    uint64_t then_bits = read_number(c, 8);
    double now, then;
    memcpy(&then, &then_bits, sizeof then);
    memcpy(&now, value, sizeof now);
    if (c->way == WAY_SHOW) {
        show(c, name);
        printf("%.17g", then);
    }
    // NaNs count as equal.
    if (c->way == WAY_CHECK && memcmp(&now, &then, sizeof now) != 0 &&
        !(now != now && then != then))
        differs("%s is %.17g, and was %.17g", path(c, name), now, then);
    if (c->way != WAY_CHECK) memcpy(value, &then, sizeof then);
}

void code_user(coder *c, const char *name, void *value) {
    void **own = value;
    uint64_t then = code_number(c, name, (uintptr_t)*own, 8, false);
    if (c->way != WAY_CHECK) *own = (void *)(uintptr_t)then;
}

void code_pv_allocator(coder *c, const char *name, void *value) {
    (void)c, (void)name;
    memset(value, 0, sizeof(pv_allocator));
}

void code_left(coder *c, void *value, size_t size) {
    (void)c;
    memset(value, 0, size);
}

// ---- objects ----

static struct object *object_of(uint32_t number) {
    if (number == TRACE_UNKNOWN) refuse("a call is given an object that was not seen being made");
    if (number > object_most) refuse("object %" PRIu32 " was never made", number);
    return &objects[number];
}

/// Keeps an object while it has a number, or lets it go. Only masks and material maps have
/// references; all other objects must be owned, or in a call.
static void keep(struct object *o, bool kept) {
    if (o->kept == kept) return;
    o->kept = kept;
    if (o->type == object_mask && kept) pv_mask_retain(o->object);
    if (o->type == object_mask && !kept) pv_mask_release(o->object);
    if (o->type == object_materials && kept) pv_material_map_retain(o->object);
    if (o->type == object_materials && !kept) pv_material_map_release(o->object);
}

static bool has_references(int type) { return type == object_mask || type == object_materials; }

/// Returns the place of a number. Numbers must be consecutive, so that the list grows only with the
/// trace.
static struct object *place_of(uint32_t number) {
    if (number == TRACE_UNKNOWN || number > object_most + 1)
        refuse("object %" PRIu32 " comes too soon", number);
    if (number >= object_room) {
        uint32_t room = object_room ? object_room * 2 : 256;
        struct object *larger = realloc(objects, room * sizeof *larger);
        if (!larger) refuse("out of memory");
        memset(larger + object_room, 0, (room - object_room) * sizeof *larger);
        objects = larger;
        object_room = room;
    }
    if (number > object_most) object_most = number;
    return &objects[number];
}

/// Binds an object to a number.
/// @param owned true if the trace has to give it back once more
static void bind(uint32_t number, void *object, int type, bool owned) {
    if (number == 0) return;
    struct object *o = place_of(number);
    if (!o->object || o->object != object || o->type != type) {
        if (object && !owned && !has_references(type))
            refuse("object %" PRIu32 " is another one than it was", number);
        keep(o, false);
        *o = (struct object){object, type, 0, false};
    }
    o->owned += owned;
    if (object && has_references(type)) keep(o, o->owned == 0);
}

/// Drops an object that the trace gives back. A mask stays until its number gets another object,
/// since others may hold it.
static void unbind(struct object *o, uint32_t number) {
    if (o->owned == 0)
        refuse("object %" PRIu32 " is given back more often than it was made", number);
    o->owned--;
    if (o->owned > 0) return;
    if (has_references(o->type))
        keep(o, true);
    else
        *o = (struct object){NULL, -1, 0, false};
}

static uint64_t pixel_digest(const pv_mask *mask) {
    size_t size = pv_mask_serialize(mask, NULL, 0);
    void *mark = scratch_mark();
    unsigned char *bytes = scratch(size, 1);
    pv_mask_serialize(mask, bytes, size);
    uint64_t digest = trace_digest_64(TRACE_DIGEST_64, bytes, size);
    scratch_free(mark);
    return digest;
}

static void show_object(coder *c, const char *name, uint32_t number, int type) {
    show(c, name);
    if (number == 0)
        fputs("null", stdout);
    else
        printf("%s#%" PRIu32, object_names[type], number);
}

/// Reads an object that came out of the library, with the digest of a mask's pixels.
static void *take_made(coder *c, const char *name, const void *object, int type, bool owned) {
    uint32_t number = (uint32_t)read_number(c, 4);
    uint64_t digest = number != 0 && type == object_mask ? read_number(c, 8) : 0;
    if (c->way == WAY_SHOW) {
        show_object(c, name, number, type);
        return NULL;
    }
    if ((object == NULL) != (number == 0))
        differs("%s is %s, and was %s", path(c, name), object ? "there" : "null",
                number ? "there" : "null");
    bind(number, (void *)(uintptr_t)object, type, owned);
    if (digest != 0 && pixel_digest(object) != digest)
        differs("%s has other pixels", path(c, name));
    return (void *)(uintptr_t)object;
}

/// Reads an object that is passed to the library; returns null while a trace is only shown.
static struct object *take_object(coder *c, const char *name, int type, uint32_t *number) {
    *number = (uint32_t)read_number(c, 4);
    if (c->way == WAY_SHOW) show_object(c, name, *number, type);
    if (c->way == WAY_SHOW || *number == 0) return NULL;
    struct object *o = object_of(*number);
    if (o->type != type || !o->object)
        refuse("object %" PRIu32 " is no %s", *number, object_names[type]);
    return o;
}

void *code_object(coder *c, const char *name, const void *object, int type) {
    uint32_t number;
    if (c->makes) return take_made(c, name, object, type, false);
    struct object *o = take_object(c, name, type, &number);
    if (o) retrace_use(o->object);
    return o ? o->object : NULL;
}

void *code_made(coder *c, const char *name, const void *object, int type) {
    return c->makes ? take_made(c, name, object, type, true) : code_object(c, name, object, type);
}

void *code_gone(coder *c, const char *name, const void *object, int type) {
    uint32_t number;
    (void)object;
    struct object *o = take_object(c, name, type, &number);
    if (!o) return NULL;
    void *own = o->object;
    bool in_use = retrace_is_in_use(own);
    if (in_use && strcmp(object_names[type], "pv_world") != 0)
        refuse("object %" PRIu32 " is given back while it is in use", number);
    /* The library refuses to destroy a world in its own callback. */
    if (!in_use) unbind(o, number);
    return own;
}

/// Reads a mask whose pixels are in the trace.
static pv_mask *take_mask(coder *c, uint32_t number) {
    if (number == 0) return NULL;
    uint64_t size = read_number(c, 8);
    const unsigned char *bytes = take(c, size);
    pv_error error;
    pv_mask *mask = pv_mask_deserialize(bytes, (size_t)size, NULL, &error);
    if (!mask) refuse("pixels of a mask: %s", error.message);
    if (c->way == WAY_SHOW)
        printf(" of %d x %d px", pv_mask_get_width(mask), pv_mask_get_height(mask));
    return mask;
}

static pv_mask *take_bound_mask(coder *c, const char *name, bool owned) {
    uint32_t number = (uint32_t)read_number(c, 4);
    if (c->way == WAY_SHOW) show_object(c, name, number, object_mask);
    pv_mask *mask = take_mask(c, number);
    if (c->way == WAY_SHOW) {
        pv_mask_release(mask);
        return NULL;
    }
    bind(number, mask, object_mask, owned);
    return mask;
}

void read_mask(coder *c) { pv_mask_release(take_bound_mask(c, "mask", false)); }

pv_mask *code_content_pv_mask(coder *c, pv_mask *mask) {
    (void)mask;
    return take_bound_mask(c, "result", true);
}

pv_frames *code_content_pv_frames(coder *c, pv_frames *frames) {
    (void)frames;
    uint32_t number = (uint32_t)read_number(c, 4), count = (uint32_t)read_number(c, 4);
    if (c->way == WAY_SHOW) show_object(c, "result", number, object_frames);
    struct sheet *sheet = number != 0 && c->way == WAY_READ ? calloc(1, sizeof *sheet) : NULL;
    if (number != 0 && c->way == WAY_READ && !sheet) refuse("out of memory");
    if (sheet) bind(number, sheet, object_frames, true);
    for (uint32_t i = 0; i < count; i++) read_mask(c);
    return (pv_frames *)sheet;
}

void retrace_frames_free(pv_frames *frames) { free(frames); }

pv_material_map *code_content_pv_material_map(coder *c, pv_material_map *map) {
    (void)map;
    uint32_t number = (uint32_t)read_number(c, 4);
    int w = (int)read_number(c, 4), h = (int)read_number(c, 4);
    if (w < 0 || h < 0) refuse("a material map of no size");
    const unsigned char *hardness = take(c, (uint64_t)w * (uint64_t)h),
                        *density = take(c, (uint64_t)w * (uint64_t)h);
    pv_material_map *made = NULL;
    pv_error error = {0};
    if (c->way == WAY_SHOW) {
        show_object(c, "result", number, object_materials);
        printf(" of %d x %d px", w, h);
    } else if (number != 0)
        made = pv_material_map_from_bytes(hardness, density, w, h, w, NULL, &error);
    if (error.status != PV_OK) refuse("a material map: %s", error.message);
    if (c->way != WAY_SHOW) bind(number, made, object_materials, true);
    return made;
}

void code_hash(coder *c, const pv_world *world, bool always) {
    (void)always;
    if (!take_bool(c)) return;
    uint64_t then = read_number(c, 8);
    if (c->way == WAY_SHOW) {
        show(c, "hash");
        printf("%016" PRIx64, then);
        return;
    }
    uint64_t now = pv_world_compute_hash(world);
    if (now != then) differs("the world's hash is %016" PRIx64 ", and was %016" PRIx64, now, then);
}

// ---- pointers ----

static bool take_given(coder *c, const char *name, const void *pointer) {
    bool then = take_bool(c);
    if (c->way == WAY_CHECK && (pointer != NULL) != then)
        differs("%s is %s, and was %s", path(c, name), pointer ? "there" : "null",
                then ? "there" : "null");
    if (c->way == WAY_SHOW && !then) {
        show(c, name);
        fputs("null", stdout);
    }
    return then;
}

void *code_given(coder *c, const char *name, const void *pointer, void *value) {
    bool then = take_given(c, name, pointer);
    if (c->way == WAY_SHOW && then) show(c, name), fputs("&", stdout);
    return !then ? NULL : pointer ? (void *)(uintptr_t)pointer : value;
}

void *code_pointer(coder *c, const char *name, const void *pointer, void *value, code_fn *code) {
    if (!take_given(c, name, pointer)) return NULL;
    void *own = pointer ? (void *)(uintptr_t)pointer : value;
    code(c, name, own);
    return own;
}

void *code_array(coder *c, const char *name, const void *pointer, size_t count, size_t size,
                 code_fn *code) {
    if (!take_given(c, name, pointer)) return NULL;
    char *own = pointer ? (char *)(uintptr_t)pointer : scratch(count + 1, size);
    for (size_t i = 0; i < count; i++) code(c, name, own + i * size);
    return own;
}

void *code_bytes(coder *c, const char *name, const void *pointer, size_t size) {
    if (!take_given(c, name, pointer)) return NULL;
    const unsigned char *bytes = take(c, size);
    if (c->way == WAY_SHOW) show(c, name), printf("(%zu bytes)", size);
    if (c->way == WAY_CHECK && memcmp(bytes, pointer, size) != 0)
        differs("%s has other bytes", path(c, name));
    /* Memory checkers know where a copy ends. */
    char *own = scratch(size + 1, 1);
    memcpy(own, bytes, size);
    return own;
}

char *code_string(coder *c, const char *name, const char *text) {
    if (!take_given(c, name, text)) return NULL;
    uint32_t size = (uint32_t)read_number(c, 4);
    char *then = scratch((size_t)size + 1, 1);
    memcpy(then, take(c, size), size);
    if (c->way == WAY_SHOW) show(c, name), printf("\"%s\"", then);
    if (c->way == WAY_CHECK && strcmp(then, text) != 0)
        differs("%s is %s, and was %s", path(c, name), text, then);
    return then;
}

void *code_room(coder *c, const char *name, void *pointer, int64_t capacity, size_t size) {
    if (!code_given(c, name, pointer, c) || c->way == WAY_SHOW) return NULL;
    return scratch(capacity > 0 ? (size_t)capacity : 1, size);
}

void code_found(coder *c, const char *name, void *pointer, int64_t capacity, int64_t found,
                size_t size, code_fn *code) {
    int64_t then = (int64_t)read_number(c, 8), count = !pointer || capacity < 0 ? 0
                                                       : found < capacity       ? found
                                                                                : capacity;
    char *own = c->way == WAY_SHOW ? scratch(1, size) : pointer;
    if (c->way != WAY_SHOW && then != count)
        differs("%s has %" PRId64 ", and had %" PRId64, path(c, name), count, then);
    for (int64_t i = 0; i < then; i++)
        code(c, name, c->way == WAY_SHOW ? own : own + (size_t)i * size);
}

void (*code_callback(coder *c, const char *name, void (*function)(void), void **user_data,
                     int kind))(void) {
    (void)function;
    bool given = take_bool(c);
    if (c->way == WAY_SHOW) {
        show(c, name);
        fputs(given ? "callback" : "null", stdout);
    }
    *user_data = NULL;
    return given ? retrace_callbacks[kind].asks : NULL;
}
