/* headless.c - steps a scene as fast as possible, prints the outcome, and takes a screenshot.
 *
 * Invariant: the last line on stdout is the summary. Only its ms_per_step differs from run to run.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/headless.h"

#include "draw/view.h"
#include "platform/complain.h"
#include "platform/png_write.h"
#include "platform/stopwatch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Failures in the steps of a scene
struct mishaps {
    /// Status of the last step that failed
    pv_status status;
    /// Number of bodies and particles that were stopped at the limit of finite numbers
    int frozen;
};

/// Plays a scene, and returns the time spent in steps [s].
static double play(const struct scene *scene, struct stage *stage, long frames,
                   struct mishaps *said) {
    double spent = 0;
    for (long i = 0; i < frames; i++) {
        scene_update(scene, stage);
        double before = stopwatch_seconds();
        pv_status status = pv_world_step(stage->world, SCENE_STEP);
        spent += stopwatch_seconds() - before;
        if (status != PV_OK) said->status = status;
        said->frozen += pv_world_get_events(stage->world).frozen_count;
        stage_follow(stage);
    }
    return spent;
}

static pv_canvas canvas_create(int width, int height) {
    pv_canvas canvas = {NULL, width, height, (ptrdiff_t)width * 4};
    canvas.pixels = malloc((size_t)width * (size_t)height * 4);
    return canvas;
}

/// Returns a canvas with each pixel as a square of factor by factor.
static pv_canvas enlarged(const pv_canvas *small, int factor) {
    pv_canvas large = canvas_create(small->width * factor, small->height * factor);
    if (!large.pixels) return large;
    unsigned char *to = large.pixels;
    for (int y = 0; y < large.height; y++) {
        const unsigned char *row = small->pixels + y / factor * small->pitch;
        for (int x = 0; x < large.width; x++, to += 4)
            memcpy(to, row + (size_t)(x / factor) * 4, 4);
    }
    return large;
}

/// Draws a screenshot at the world's own size: the whole view, or the part that fills it after the
/// enlargement.
static pv_canvas draw(const struct stage *stage, const struct screenshot *shot) {
    int factor = shot->factor > 0 ? shot->factor : 1;
    int width = (int)stage->view.max.x / factor, height = (int)stage->view.max.y / factor;
    pv_canvas canvas = canvas_create(width > 0 ? width : 1, height > 0 ? height : 1);
    struct view view = {.camera = {{shot->x, shot->y}, 1}};
    if (shot->factor == 0) view.camera = camera_fit(stage->view, canvas.width, canvas.height);
    if (canvas.pixels) view_draw(&canvas, stage, &view);
    return canvas;
}

static int take_screenshot(const struct stage *stage, const struct screenshot *shot) {
    pv_canvas canvas = draw(stage, shot), large = {0};
    if (canvas.pixels && shot->factor > 1) large = enlarged(&canvas, shot->factor);
    const pv_canvas *wanted = shot->factor > 1 ? &large : &canvas;
    const char *wrong = !wanted->pixels                  ? "out of memory"
                        : !png_write(shot->path, wanted) ? "cannot be written"
                                                         : NULL;
    free(canvas.pixels);
    free(large.pixels);
    return wrong ? complain(shot->path, wrong) : EXIT_SUCCESS;
}

int headless_run(const struct scene *scene, struct stage *stage, long frames,
                 const struct screenshot *shot) {
    struct mishaps said = {PV_OK, 0};
    double spent = play(scene, stage, frames, &said);
    if (said.frozen > 0)
        return complain(scene->name, "something was about to leave the finite numbers");
    if (said.status != PV_OK) return complain(scene->name, pv_status_to_string(said.status));
    int status = shot->path ? take_screenshot(stage, shot) : EXIT_SUCCESS;
    if (status != EXIT_SUCCESS) return status;
    pv_world_stats stats = pv_world_get_stats(stage->world);
    printf("scene=%s frames=%ld bodies=%d contacts=%d ", scene->name, frames, stats.bodies,
           stats.contacts);
    printf("overlap_px=%" PRId64 " hash=%016" PRIx64 " ms_per_step=%.3f\n",
           pv_world_compute_overlap_area(stage->world), pv_world_compute_hash(stage->world),
           frames > 0 ? spent / (double)frames * 1000 : 0);
    return status;
}
