/* headless.c - steps a scene as fast as possible, prints the outcome, and takes pictures.
 *
 * Invariant: the last line on stdout is the summary. Only its ms_per_step differs from run to run.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/headless.h"

#include "app/clip.h"
#include "app/labels.h"
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
    /// Number of bodies and particles that the world stopped because their numbers got too large
    int frozen;
    /// True if memory ran out for a picture
    bool no_room;
};

static pv_canvas canvas_create(int width, int height) {
    pv_canvas canvas = {NULL, width, height, (ptrdiff_t)width * 4};
    canvas.pixels = malloc((size_t)width * (size_t)height * 4);
    return canvas;
}

/// Returns an enlarged canvas: each pixel becomes a square of factor x factor.
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

/// Draws a picture at the world's own scale: the whole view, or the part that fills it once
/// enlarged.
static pv_canvas draw_small(const struct stage *stage, const struct framing *framing,
                            struct camera *camera) {
    int factor = framing->factor > 0 ? framing->factor : 1;
    int width = (int)stage->view.max.x / factor, height = (int)stage->view.max.y / factor;
    pv_canvas canvas = canvas_create(width > 0 ? width : 1, height > 0 ? height : 1);
    struct view view = {.camera = {{framing->x, framing->y}, 1}};
    if (framing->factor == 0) view.camera = camera_fit(stage->view, canvas.width, canvas.height);
    if (canvas.pixels) view_draw(&canvas, stage, &view);
    *camera = view.camera;
    return canvas;
}

static pv_canvas draw(const struct stage *stage, const struct framing *framing) {
    struct camera camera;
    pv_canvas canvas = draw_small(stage, framing, &camera);
    if (canvas.pixels && framing->factor > 1) {
        pv_canvas large = enlarged(&canvas, framing->factor);
        free(canvas.pixels);
        canvas = large;
        camera.zoom *= framing->factor;
    }
    if (canvas.pixels) labels_draw_on(stage, &camera, &canvas);
    return canvas;
}

static int take_screenshot(const struct stage *stage, const struct headless *run) {
    pv_canvas canvas = draw(stage, &run->framing);
    const char *wrong = !canvas.pixels                         ? "out of memory"
                        : !png_write(run->screenshot, &canvas) ? "cannot be written"
                                                               : NULL;
    free(canvas.pixels);
    return wrong ? complain(run->screenshot, wrong) : EXIT_SUCCESS;
}

/// Adds a picture to an animation at every second frame.
static bool keep_picture(const struct stage *stage, const struct headless *run, long frame,
                         struct clip *clip) {
    if (!run->gif || frame < run->from || (frame - run->from) % (60 / CLIP_RATE)) return true;
    pv_canvas canvas = draw(stage, &run->framing);
    int most = (int)((run->frames - run->from) / (60 / CLIP_RATE)) + 1;
    bool kept = canvas.pixels && clip_see(clip, &canvas, most);
    free(canvas.pixels);
    return kept;
}

/// Plays a scene, and returns the time spent in steps [s].
static double play(const struct scene *scene, struct stage *stage, const struct headless *run,
                   struct clip *clip, struct mishaps *said) {
    double spent = 0;
    for (long i = 0; i < run->frames; i++) {
        scene_update(scene, stage);
        double before = stopwatch_seconds();
        pv_status status = pv_world_step(stage->world, SCENE_STEP);
        spent += stopwatch_seconds() - before;
        if (status != PV_OK) said->status = status;
        said->frozen += pv_world_get_events(stage->world).frozen_count;
        stage_follow(stage);
        said->no_room |= !keep_picture(stage, run, i, clip);
    }
    return spent;
}

static int write_pictures(const struct stage *stage, const struct headless *run,
                          const struct clip *clip, const struct mishaps *said) {
    if (said->no_room) return complain(run->gif, "out of memory");
    if (run->gif && !clip_write(clip, run->gif)) return complain(run->gif, "cannot be written");
    return run->screenshot ? take_screenshot(stage, run) : EXIT_SUCCESS;
}

int headless_run(const struct scene *scene, struct stage *stage, const struct headless *wanted) {
    struct mishaps said = {.status = PV_OK};
    struct headless run = *wanted;
    struct clip clip = {0};
    if (run.frames < 0) run.frames = 600;
    double spent = play(scene, stage, &run, &clip, &said);
    if (said.frozen > 0)
        return complain(scene->name, "something was about to leave the finite numbers");
    if (said.status != PV_OK) return complain(scene->name, pv_status_to_string(said.status));
    int status = write_pictures(stage, &run, &clip, &said);
    clip_close(&clip);
    if (status != EXIT_SUCCESS) return status;
    pv_world_stats stats = pv_world_get_stats(stage->world);
    printf("scene=%s frames=%ld bodies=%d contacts=%d ", scene->name, run.frames, stats.bodies,
           stats.contacts);
    printf("overlap_px=%" PRId64 " hash=%016" PRIx64 " ms_per_step=%.3f\n",
           pv_world_compute_overlap_area(stage->world), pv_world_compute_hash(stage->world),
           run.frames > 0 ? spent / (double)run.frames * 1000 : 0);
    return status;
}
