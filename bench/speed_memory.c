/* speed_memory.c - bytes of a body and of a contact batch, counted in an allocator.
 *
 * Invariant: compared worlds differ only in the measured objects, and their arrays are full.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <pixverlet.h>
#include <stdlib.h>

/// Numbers of bodies and contacts: powers of two, like capacities of arrays
enum { BODIES = 2048, CONTACTS = 512, SIDE = 16, PITCH = 2 * SIDE };

/// Gap at which boxes have a contact but do not press yet [px]
static const double GAP = 0.02;

/// Allocates memory and counts the bytes.
static void *counted(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    size_t *bytes = user_data;
    *bytes += new_size - old_size;
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static pv_world *open_counted(size_t *bytes) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, 0};
    def.enable_sleep = false;
    def.allocator = (pv_allocator){counted, bytes};
    pv_world *w = pv_world_create(&def, NULL);
    if (!w) exit(1);
    return w;
}

/// Steps until all arrays have their full length; returns their bytes.
static double close_counted(pv_world *w, const size_t *bytes) {
    for (int i = 0; i < 3; i++) pv_world_step(w, STEP);
    double held = (double)*bytes;
    pv_world_destroy(w);
    return held;
}

/// Returns the bytes of a world of separate boxes.
static double bytes_of_boxes(const outline *box, int count) {
    size_t bytes = 0;
    pv_world *w = open_counted(&bytes);
    for (int i = 0; i < count; i++) put(w, PV_BODY_DYNAMIC, box, PITCH * i, 0, 0);
    return close_counted(w, &bytes);
}

/// Returns the bytes of a world of boxes: half in a row and half alone, or all in pairs.
static double bytes_of_contacts(const outline *box, bool in_row) {
    size_t bytes = 0;
    double x = 0;
    pv_world *w = open_counted(&bytes);
    for (int i = 0; i < 2 * CONTACTS; i++) {
        put(w, PV_BODY_DYNAMIC, box, x, 0, 0);
        x += (in_row ? i < CONTACTS : i % 2 == 0) ? SIDE + GAP : PITCH;
    }
    return close_counted(w, &bytes);
}

/// Returns the bytes of a contact batch. Contacts of a row share bodies, so each takes a batch.
/// Contacts of pairs fill batches by four, late ones by two: half as many batches.
static double bytes_of_block(const outline *box) {
    return (bytes_of_contacts(box, true) - bytes_of_contacts(box, false)) / (0.5 * CONTACTS);
}

/// Returns the bytes that one more body adds to the arrays of a world.
static double bytes_of_body(const outline *box) {
    return (bytes_of_boxes(box, 2 * BODIES) - bytes_of_boxes(box, BODIES)) / BODIES;
}

void speed_memory(void) {
    outline box = outline_box(SIDE, SIDE);
    report(&(row){
        .name = "bytes_block", .unit = "bytes", .value = bytes_of_block(&box), .goal = 1280});
    report(
        &(row){.name = "bytes_body", .unit = "bytes", .value = bytes_of_body(&box), .goal = 640});
    outline_free(&box);
}
