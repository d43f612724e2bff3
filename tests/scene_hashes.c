/* scene_hashes.c - plays scenes and prints the hashes of their worlds, for tests/determinism.sh.
 *
 * Invariant: all but the first line, which names the kernel, depends only on the arguments.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// Prints `SCENE FRAME HASH` each `every` frames and at the last; returns false after an error.
static bool play(const struct scene *scene, long frames, long every) {
    struct stage *stage = scene_start(scene, 1);
    const char *wrong = stage ? stage_error(stage) : "out of memory";
    for (long frame = 0; !wrong; frame++) {
        if (frame % every == 0 || frame == frames)
            printf("%s %ld %016" PRIx64 "\n", scene->name, frame,
                   pv_world_compute_hash(stage->world));
        if (frame == frames) break;
        scene_update(scene, stage);
        if (pv_world_step(stage->world, SCENE_STEP)) wrong = "a step failed";
    }
    if (wrong) fprintf(stderr, "scene_hashes: %s: %s\n", scene->name, wrong);
    if (stage) stage_destroy(stage);
    return !wrong && fflush(stdout) == 0;
}

static bool play_named(char **names, long frames, long every) {
    bool good = true;
    for (; *names; names++) {
        const struct scene *scene = scene_find(*names);
        if (!scene) fprintf(stderr, "scene_hashes: %s: unknown scene\n", *names);
        good &= scene && play(scene, frames, every);
    }
    return good;
}

/// Usage: scene_hashes (prints the names of all scenes), or scene_hashes FRAMES EVERY SCENE...
int main(int argc, char **argv) {
    if (argc == 1) {
        for (int i = 0; scene_at(i); i++) puts(scene_at(i)->name);
        return EXIT_SUCCESS;
    }
    long frames = strtol(argv[1], NULL, 10), every = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
    if (frames < 0 || every <= 0) return EXIT_FAILURE;
    printf("kernel %s\n", pv_kernel_get_name());
    return play_named(argv + 3, frames, every) ? EXIT_SUCCESS : EXIT_FAILURE;
}
