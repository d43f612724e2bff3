/* record.c - finds free names, and writes pictures to them.
 *
 * Invariant: no existing file is overwritten.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "viewer/record.h"

#include "platform/png_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <direct.h>
#define mkdir(path, mode) _mkdir(path)
#endif

#define MOST_NUMBERS 1000

static bool make_directory(struct record *record) {
    for (int number = 0; number < MOST_NUMBERS; number++) {
        snprintf(record->place, sizeof record->place, "record-%03d", number);
        if (mkdir(record->place, 0777) == 0) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

bool record_begin(struct record *record, enum record_kind kind) {
    *record = (struct record){.kind = kind};
    bool placed = kind == RECORD_STRIP ? png_free_name(record->place, sizeof record->place, "strip")
                                       : make_directory(record);
    if (!placed) record->kind = RECORD_NOTHING;
    return placed;
}

static bool write_frame(const struct record *record, const pv_canvas *canvas) {
    char path[64];
    snprintf(path, sizeof path, "%s/%05d.png", record->place, record->taken);
    return png_write(path, canvas);
}

/* Strip */

static bool make_strip(struct record *record, const pv_canvas *canvas) {
    int shrunk = (canvas->width + RECORD_STRIP_WIDTH - 1) / RECORD_STRIP_WIDTH;
    int width = canvas->width / shrunk * RECORD_STRIP_FRAMES, height = canvas->height / shrunk;
    record->shrunk = shrunk;
    record->strip =
        (pv_canvas){calloc((size_t)width * (size_t)height, 4), width, height, (ptrdiff_t)width * 4};
    return record->strip.pixels != NULL;
}

/// Stores the mean of a square of pixels.
static void shrink(unsigned char *to, const pv_canvas *from, int left, int top, int side) {
    unsigned sum[4] = {0};
    for (int y = top; y < top + side; y++)
        for (int x = left; x < left + side; x++)
            for (int i = 0; i < 4; i++) sum[i] += from->pixels[y * from->pitch + x * 4 + i];
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(sum[i] / (unsigned)(side * side));
}

/// Adds a picture to the strip. A picture that has become smaller leaves the rest of its place
/// empty.
static bool add_to_strip(struct record *record, const pv_canvas *canvas) {
    if (!record->strip.pixels && !make_strip(record, canvas)) return false;
    const pv_canvas *strip = &record->strip;
    int width = strip->width / RECORD_STRIP_FRAMES, side = record->shrunk;
    for (int y = 0; y < strip->height && (y + 1) * side <= canvas->height; y++)
        for (int x = 0; x < width && (x + 1) * side <= canvas->width; x++)
            shrink(strip->pixels + y * strip->pitch + (record->taken * width + x) * 4, canvas,
                   x * side, y * side, side);
    return true;
}

/* Both */

static double period_of(const struct record *record) {
    return record->kind == RECORD_STRIP ? RECORD_STRIP_PERIOD : RECORD_PERIOD;
}

bool record_see(struct record *record, const pv_canvas *canvas, double elapsed) {
    bool strip = record->kind == RECORD_STRIP;
    if (record->kind == RECORD_NOTHING) return true;
    record->elapsed += elapsed;
    if (record->taken > 0 && record->elapsed < period_of(record) - 1e-6) return true;
    record->elapsed = 0;
    bool done = strip ? add_to_strip(record, canvas) : write_frame(record, canvas);
    record->taken++;
    if (done && (!strip || record->taken < RECORD_STRIP_FRAMES)) return true;
    return record_end(record) && done;
}

bool record_end(struct record *record) {
    record->strip.width = record->strip.width / RECORD_STRIP_FRAMES * record->taken;
    bool written = !record->strip.pixels || png_write(record->place, &record->strip);
    free(record->strip.pixels);
    record->strip.pixels = NULL;
    record->kind = RECORD_NOTHING;
    return written;
}
