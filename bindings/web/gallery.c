/* gallery.c - the scenes of the demo for a page: the viewer without its window.
 *
 * Invariant: there is one viewer and one canvas, both of the size of the last gallery_resize(). Without a scene nothing
 * happens.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "viewer/viewer.h"

#include <stdlib.h>

#define GALLERY_EXPORT(name) __attribute__((export_name(#name))) name

static struct viewer viewer;
static pv_canvas canvas;
static bool opened;

/// Returns the number of scenes.
int GALLERY_EXPORT(gallery_count)(void) {
    int count = 0;
    while (scene_at(count)) count++;
    return count;
}

/// Returns the name of a scene.
const char *GALLERY_EXPORT(gallery_name)(int index) { return scene_at(index)->name; }
/// Returns a line that describes a scene.
const char *GALLERY_EXPORT(gallery_words)(int index) { return scene_at(index)->description; }
/// Returns the name of a scene's group.
const char *GALLERY_EXPORT(gallery_group)(int index) { return scene_group_at(index); }
/// Returns what the player can do in the current scene, or null.
const char *GALLERY_EXPORT(gallery_hint)(void) { return opened ? viewer.stage->hint : NULL; }

/// Starts a scene; returns whether that succeeded.
int GALLERY_EXPORT(gallery_start)(int index, int seed) {
    if (opened) viewer_close(&viewer);
    viewer = (struct viewer){0};
    opened = viewer_open(&viewer, scene_at(index), (uint64_t)seed, NULL, 0) == EXIT_SUCCESS;
    if (opened && canvas.pixels) viewer_resize(&viewer, canvas.width, canvas.height);
    if (opened) viewer_fill(&viewer);
    return opened;
}

/// Resizes the canvas; returns its R, G, B, A pixels, or null if memory runs out.
void *GALLERY_EXPORT(gallery_resize)(int width, int height) {
    void *pixels = realloc(canvas.pixels, (size_t)width * (size_t)height * 4);
    if (!pixels) return NULL;
    canvas = (pv_canvas){pixels, width, height, (ptrdiff_t)width * 4};
    if (opened) viewer_resize(&viewer, width, height);
    return pixels;
}

/// Advances the scene by a time [s], and draws it.
void GALLERY_EXPORT(gallery_frame)(double seconds) {
    if (!opened) return;
    viewer_advance(&viewer, seconds);
    viewer_draw(&viewer, &canvas);
}

/// Notes the place of the pointer on the canvas [px].
void GALLERY_EXPORT(gallery_hover)(double x, double y) {
    if (opened) viewer_hover(&viewer, &(pv_vec2){x, y});
}
/// Notes that the pointer has left the canvas.
void GALLERY_EXPORT(gallery_leave)(void) {
    if (opened) viewer_hover(&viewer, NULL);
}
/// Presses or releases the left button, or the right one.
void GALLERY_EXPORT(gallery_press)(int right) {
    if (!opened) return;
    if (right)
        viewer_bite(&viewer);
    else
        viewer_seize(&viewer);
}
void GALLERY_EXPORT(gallery_release)(int right) {
    if (!opened) return;
    if (right)
        viewer_stop_biting(&viewer);
    else
        viewer_release(&viewer);
}
/// Sets the held arrows, bits of enum stage_arrow.
void GALLERY_EXPORT(gallery_arrows)(unsigned held) { viewer.arrows = held; }
/// Types a key; returns whether the scene took it.
int GALLERY_EXPORT(gallery_type)(int key) {
    return opened && viewer.stage->hooks.type && viewer.stage->hooks.type(viewer.stage, (char)key);
}
