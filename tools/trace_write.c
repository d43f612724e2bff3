/* trace_write.c - writes the calls of a program; loaded before libpixverlet, it replaces its
 * functions.
 *
 * Invariant: the program sees the same results as without it. A record is in the file before the
 * library continues, so a trace ends with the call in which a program dies. trace.h describes the
 * format of a trace.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // for RTLD_NEXT
#endif
#include "trace_write.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct coder {
    unsigned char *bytes;
    size_t size, capacity;
    /// True if objects come out of the library, so they are bound
    bool makes;
};

/// Address of an object, and its data
typedef struct entry {
    const void *object;
    uint32_t number;
    int type;
    /// Epoch in which it was bound
    unsigned epoch;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static _Thread_local bool inside;
static _Thread_local const trace_look *looks;
static atomic_bool off;

/* Variables under the lock */

static int file = -1;
static int depth; // number of running callbacks
static uint32_t digest = TRACE_DIGEST_32;
static unsigned epoch = 1, steps;
static coder record;
static trace_box *boxes;
static entry *entries;
static size_t entry_count, entry_capacity;

static void give_up(const char *why) {
    fprintf(stderr, "pixverlet-trace: %s: the rest is not recorded\n", why);
    atomic_store(&off, true);
}

// ---- the library's own functions ----

void (*trace_find(const char *name))(void) {
    union {
        void *object;
        void (*function)(void);
    } found = {.object = dlsym(RTLD_NEXT, name)};
    if (found.function) return found.function;
    fprintf(stderr, "pixverlet-trace: no %s() in the libraries of this program\n", name);
    abort();
}

#define REAL(name) ((name##_fn *)trace_find(#name))
typedef size_t pv_mask_serialize_fn(const pv_mask *, void *, size_t);
typedef uint64_t pv_world_compute_hash_fn(const pv_world *);
typedef int pv_frames_get_count_fn(const pv_frames *);
typedef const pv_frame *pv_frames_get_frame_fn(const pv_frames *, int);
typedef int pv_material_map_get_width_fn(const pv_material_map *);
typedef int pv_material_map_get_height_fn(const pv_material_map *);
typedef int pv_material_map_get_hardness_fn(const pv_material_map *, int, int);
typedef int pv_material_map_get_density_fn(const pv_material_map *, int, int);
typedef const char *pv_version_fn(void);

void (*trace_real(int function))(void) {
    static _Atomic(void (*)(void)) known[1024];
    if (function >= (int)(sizeof known / sizeof *known))
        return trace_find(function_names[function]);
    void (*real)(void) = atomic_load_explicit(&known[function], memory_order_relaxed);
    if (real) return real;
    real = trace_find(function_names[function]);
    atomic_store_explicit(&known[function], real, memory_order_relaxed);
    return real;
}

// ---- bytes ----

static void put(coder *c, const void *bytes, size_t size) {
    if (atomic_load(&off) || size == 0) return;
    if (c->size + size > c->capacity) {
        size_t capacity = (c->size + size) * 2;
        unsigned char *larger = realloc(c->bytes, capacity);
        if (!larger) {
            give_up("out of memory");
            return;
        }
        c->bytes = larger;
        c->capacity = capacity;
    }
    memcpy(c->bytes + c->size, bytes, size);
    c->size += size;
}

static void put_number(coder *c, uint64_t number, int size) {
    unsigned char bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    put(c, bytes, (size_t)size);
}

static bool write_all(const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static void begin(coder *c, int kind, int id) {
    c->size = 0;
    c->makes = kind == RECORD_RETURN || kind == RECORD_CALLBACK;
    put_number(c, 0, 4);
    put_number(c, 0, 4);
    put_number(c, (uint64_t)kind, 1);
    put_number(c, (uint64_t)id, 2);
}

static void send(coder *c) {
    if (atomic_load(&off)) return;
    size_t size = c->size - TRACE_RECORD_HEAD;
    if (size > UINT32_MAX) {
        give_up("a record of more than 4 GiB");
        return;
    }
    digest = trace_digest(digest, c->bytes + TRACE_RECORD_HEAD, size);
    size_t whole = c->size;
    c->size = 0;
    put_number(c, size, 4);
    put_number(c, digest, 4);
    if (!write_all(c->bytes, whole)) give_up(strerror(errno));
}

// ---- the file ----

static void in_child(void) { atomic_store(&off, true); }

static void start(void) {
    static bool started;
    if (started) return;
    started = true;
    const char *path = getenv("PIXVERLET_TRACE");
    if (!path || !*path) path = "pixverlet.trace";
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        fprintf(stderr, "pixverlet-trace: %s: %s: nothing is recorded\n", path, strerror(errno));
        atomic_store(&off, true);
        return;
    }
    pthread_atfork(NULL, NULL, in_child);
    unsigned char head[TRACE_HEAD_SIZE] = TRACE_MAGIC;
    head[TRACE_MAGIC_SIZE] = TRACE_VERSION;
    if (!write_all(head, sizeof head)) give_up(strerror(errno));
    begin(&record, RECORD_START, 0);
    put_number(&record, interface_sum, 8);
    code_string(&record, NULL, REAL(pv_version)());
    send(&record);
}

__attribute__((destructor)) static void end(void) {
    /* Another thread may still be in a call. */
    if (file < 0 || pthread_mutex_trylock(&lock) != 0) return;
    begin(&record, RECORD_END, 0);
    send(&record);
    atomic_store(&off, true);
    pthread_mutex_unlock(&lock);
}

// ---- writers ----

void trace_look_begin(trace_look *look, const pv_world *world) {
    *look = (trace_look){world, looks};
    looks = look;
}

void trace_look_end(const trace_look *look) { looks = look->outer; }

bool trace_is_looking(const pv_world *world) {
    for (const trace_look *look = looks; look; look = look->outer)
        if (look->world == world) return true;
    return false;
}

bool trace_enter(void) {
    if (inside || atomic_load(&off)) return false;
    pthread_mutex_lock(&lock);
    start();
    inside = !atomic_load(&off);
    if (!inside) pthread_mutex_unlock(&lock);
    return inside;
}

void trace_leave(void) {
    inside = false;
    pthread_mutex_unlock(&lock);
}

bool trace_is_inside(void) { return inside; }

int trace_outside(void) {
    int own = ++depth;
    trace_leave();
    return own;
}

// Returns from a callback. Calls that other threads make meanwhile are recorded within it, so they
// must end first.
void trace_inside(int own) {
    pthread_mutex_lock(&lock);
    while (depth != own) pthread_cond_wait(&turn, &lock);
    depth--;
    pthread_cond_broadcast(&turn);
    inside = true;
}

void trace_record(int kind, int id, code_call_fn *code, void *args) {
    begin(&record, kind, id);
    code(&record, args);
    send(&record);
}

// ---- objects ----

static entry *slot(entry *table, size_t capacity, const void *object) {
    size_t i = (size_t)((uintptr_t)object >> 4) * 2654435761u % capacity;
    while (table[i].object && table[i].object != object) i = (i + 1) % capacity;
    return &table[i];
}

static bool grow(void) {
    size_t capacity = entry_capacity ? entry_capacity * 2 : 1024;
    entry *larger = calloc(capacity, sizeof *larger);
    if (!larger) return false;
    for (size_t i = 0; i < entry_capacity; i++)
        if (entries[i].object) *slot(larger, capacity, entries[i].object) = entries[i];
    free(entries);
    entries = larger;
    entry_capacity = capacity;
    return true;
}

static const entry *find_entry(const void *object, int type) {
    if (entry_capacity == 0) return NULL;
    const entry *found = slot(entries, entry_capacity, object);
    return found->object && found->type == type ? found : NULL;
}

static uint32_t bind(const void *object, int type) {
    if (!object) return 0;
    if (entry_count * 2 >= entry_capacity && !grow()) {
        give_up("out of memory");
        return 0;
    }
    entry *own = slot(entries, entry_capacity, object);
    if (!own->object) *own = (entry){object, (uint32_t)++entry_count, type, 0};
    own->type = type;
    own->epoch = epoch;
    return own->number;
}

bool trace_knows(const void *object, int type) {
    if (!object) return true;
    const entry *found = find_entry(object, type);
    return found && found->epoch == epoch;
}

void trace_forget(void) { epoch++; }

/// Returns a mask as bytes, to be freed.
static unsigned char *pixels_of(const pv_mask *mask, size_t *size) {
    pv_mask_serialize_fn *serialize = REAL(pv_mask_serialize);
    *size = serialize(mask, NULL, 0);
    unsigned char *bytes = malloc(*size + 1);
    if (!bytes) {
        give_up("out of memory");
        *size = 0;
    } else
        serialize(mask, bytes, *size);
    return bytes;
}

static void put_pixels(coder *c, const pv_mask *mask) {
    size_t size;
    unsigned char *bytes = pixels_of(mask, &size);
    put_number(c, size, 8);
    put(c, bytes, size);
    free(bytes);
}

static void put_pixel_digest(coder *c, const pv_mask *mask) {
    size_t size;
    unsigned char *bytes = pixels_of(mask, &size);
    put_number(c, trace_digest_64(TRACE_DIGEST_64, bytes, size), 8);
    free(bytes);
}

// Writes a mask whose creation was not seen, before the current record.
static uint32_t introduce(const void *object, int type) {
    if (type != object_mask) return TRACE_UNKNOWN;
    coder own = {0};
    begin(&own, RECORD_MASK, 0);
    uint32_t number = bind(object, type);
    put_number(&own, number, 4);
    put_pixels(&own, object);
    send(&own);
    free(own.bytes);
    return number;
}

void *code_object(coder *c, const char *name, const void *object, int type) {
    (void)name;
    const entry *known = object ? find_entry(object, type) : NULL;
    uint32_t number = c->makes  ? bind(object, type)
                      : !object ? 0
                      : known   ? known->number
                                : introduce(object, type);
    put_number(c, number, 4);
    if (c->makes && object && type == object_mask) put_pixel_digest(c, object);
    return (void *)(uintptr_t)object;
}

void *code_made(coder *c, const char *name, const void *object, int type) {
    return code_object(c, name, object, type);
}

void *code_gone(coder *c, const char *name, const void *object, int type) {
    return code_object(c, name, object, type);
}

pv_mask *code_content_pv_mask(coder *c, pv_mask *mask) {
    put_number(c, bind(mask, object_mask), 4);
    if (mask) put_pixels(c, mask);
    return mask;
}

pv_frames *code_content_pv_frames(coder *c, pv_frames *frames) {
    put_number(c, bind(frames, object_frames), 4);
    int count = frames ? REAL(pv_frames_get_count)(frames) : 0;
    put_number(c, (uint64_t)count, 4);
    for (int i = 0; i < count; i++)
        code_content_pv_mask(c, REAL(pv_frames_get_frame)(frames, i)->mask);
    return frames;
}

pv_material_map *code_content_pv_material_map(coder *c, pv_material_map *map) {
    pv_material_map_get_hardness_fn *const planes[] = {REAL(pv_material_map_get_hardness),
                                                       REAL(pv_material_map_get_density)};
    int w = map ? REAL(pv_material_map_get_width)(map) : 0,
        h = map ? REAL(pv_material_map_get_height)(map) : 0;
    put_number(c, bind(map, object_materials), 4);
    put_number(c, (uint64_t)w, 4);
    put_number(c, (uint64_t)h, 4);
    for (int i = 0; i < 2; i++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) put_number(c, (uint64_t)planes[i](map, x, y), 1);
    return map;
}

void code_hash(coder *c, const pv_world *world, bool always) {
    bool now = always || ++steps % TRACE_HASH_EVERY == 0;
    put_number(c, now, 1);
    if (now) put_number(c, REAL(pv_world_compute_hash)(world), 8);
}

// ---- values ----

void code_open(coder *c, const char *name) { (void)c, (void)name; }
void code_close(coder *c) { (void)c; }

void code_int(coder *c, const char *name, void *value) {
    (void)name, put_number(c, (uint64_t) * (int *)value, 4);
}
void code_int32_t(coder *c, const char *name, void *value) { code_int(c, name, value); }
void code_unsigned(coder *c, const char *name, void *value) {
    (void)name, put_number(c, *(unsigned *)value, 4);
}
void code_uint32_t(coder *c, const char *name, void *value) {
    (void)name, put_number(c, *(uint32_t *)value, 4);
}
void code_int64_t(coder *c, const char *name, void *value) {
    (void)name, put_number(c, (uint64_t) * (int64_t *)value, 8);
}
void code_uint64_t(coder *c, const char *name, void *value) {
    (void)name, put_number(c, *(uint64_t *)value, 8);
}
void code_size_t(coder *c, const char *name, void *value) {
    (void)name, put_number(c, *(size_t *)value, 8);
}
void code_ptrdiff_t(coder *c, const char *name, void *value) {
    (void)name, put_number(c, (uint64_t) * (ptrdiff_t *)value, 8);
}
void code_user(coder *c, const char *name, void *value) {
    (void)name, put_number(c, (uintptr_t) * (void **)value, 8);
}
void code_pv_allocator(coder *c, const char *name, void *value) {
    (void)c, (void)name, (void)value;
}
void code_left(coder *c, void *value, size_t size) { (void)c, (void)value, (void)size; }

// Codes a bool as a byte, since a caller's uninitialized value may be neither true nor false.
void code_bool(coder *c, const char *name, void *value) {
    (void)name;
    put_number(c, *(unsigned char *)value != 0, 1);
}

void code_double(coder *c, const char *name, void *value) {
    (void)name;
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    put_number(c, bits, 8);
}

void *code_given(coder *c, const char *name, const void *pointer, void *value) {
    (void)name, (void)value;
    put_number(c, pointer != NULL, 1);
    return (void *)(uintptr_t)pointer;
}

void *code_pointer(coder *c, const char *name, const void *pointer, void *value, code_fn *code) {
    void *own = code_given(c, name, pointer, value);
    if (own) code(c, name, own);
    return own;
}

void *code_array(coder *c, const char *name, const void *pointer, size_t count, size_t size,
                 code_fn *code) {
    char *own = code_given(c, name, pointer, NULL);
    for (size_t i = 0; own && i < count; i++) code(c, name, own + i * size);
    return own;
}

void *code_bytes(coder *c, const char *name, const void *pointer, size_t size) {
    void *own = code_given(c, name, pointer, NULL);
    if (own) put(c, own, size);
    return own;
}

char *code_string(coder *c, const char *name, const char *text) {
    char *own = code_given(c, name, text, NULL);
    if (own) put_number(c, strlen(own), 4);
    if (own) put(c, own, strlen(own));
    return own;
}

void *code_room(coder *c, const char *name, void *pointer, int64_t capacity, size_t size) {
    (void)capacity, (void)size;
    return code_given(c, name, pointer, NULL);
}

void code_found(coder *c, const char *name, void *pointer, int64_t capacity, int64_t found,
                size_t size, code_fn *code) {
    int64_t count = !pointer || capacity < 0 ? 0 : found < capacity ? found : capacity;
    put_number(c, (uint64_t)count, 8);
    for (int64_t i = 0; i < count; i++) code(c, name, (char *)pointer + (size_t)i * size);
}

// ---- callbacks ----

static bool is_box(const void *pointer) {
    for (const trace_box *box = boxes; box; box = box->next)
        if (box == pointer) return true;
    return false;
}

static trace_box *box_like(const trace_box *wanted) {
    for (trace_box *box = boxes; box; box = box->next)
        if (box->user_data == wanted->user_data &&
            memcmp(box->functions, wanted->functions, sizeof box->functions) == 0)
            return box;
    trace_box *made = malloc(sizeof *made);
    if (!made) return NULL;
    *made = *wanted;
    made->next = boxes;
    boxes = made;
    return made;
}

// Boxes a callback. Callbacks with the same user data share one box.
void (*code_callback(coder *c, const char *name, void (*function)(void), void **user_data,
                     int kind))(void) {
    (void)name;
    put_number(c, function != NULL, 1);
    if (!function) return NULL;
    trace_box wanted = {0};
    if (is_box(*user_data))
        wanted = *(trace_box *)*user_data;
    else
        wanted.user_data = *user_data;
    wanted.functions[kind] = function;
    trace_box *box = box_like(&wanted);
    if (!box) {
        give_up("out of memory");
        return function;
    }
    *user_data = box;
    return callback_traces[kind];
}
