/* headless.c - steps a scene as fast as it goes, says what came out, and takes a picture of it.
 *
 * Invariant: the last line on stdout is the summary, and of it only ms_per_step differs from run to run.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "headless.h"

#include "complain.h"
#include "png_write.h"
#include "stopwatch.h"
#include "view.h"

#include <inttypes.h>
#include <stdlib.h>

/// Plays a scene and returns the seconds spent in steps.
static double play(const struct scene *scene, struct stage *stage, long frames) {
    double spent = 0;
    for (long i = 0; i < frames; i++) {
        scene_update(scene, stage);
        double before = stopwatch_seconds();
        pv_world_step(stage->world, SCENE_STEP);
        spent += stopwatch_seconds() - before;
    }
    return spent;
}

/// Draws the whole view at its own size.
static int take_screenshot(const struct stage *stage, const char *path) {
    pv_canvas canvas = {NULL, (int)stage->view.max.x, (int)stage->view.max.y, 0};
    canvas.pitch = (ptrdiff_t)canvas.width * 4;
    canvas.pixels = malloc((size_t)canvas.width * (size_t)canvas.height * 4);
    if (!canvas.pixels) return complain(path, "out of memory");
    struct view view = {.camera = camera_fit(stage->view, canvas.width, canvas.height)};
    view_draw(&canvas, stage, &view);
    bool written = png_write(path, &canvas);
    free(canvas.pixels);
    return written ? EXIT_SUCCESS : complain(path, "cannot be written");
}

int headless_run(const struct scene *scene, struct stage *stage, long frames, const char *screenshot) {
    double spent = play(scene, stage, frames);
    int status = screenshot ? take_screenshot(stage, screenshot) : EXIT_SUCCESS;
    if (status != EXIT_SUCCESS) return status;
    pv_world_stats stats = pv_world_get_stats(stage->world);
    printf("scene=%s frames=%ld bodies=%d contacts=%d ", scene->name, frames, stats.bodies, stats.contacts);
    printf("overlap_px=%" PRId64 " hash=%016" PRIx64 " ms_per_step=%.3f\n", pv_world_overlap_area(stage->world),
           pv_world_hash(stage->world), frames > 0 ? spent / (double)frames * 1000 : 0);
    return status;
}
