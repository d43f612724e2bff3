/* web_peer.c - the native side of snapshots between builds: saves a scene, or goes on from a file.
 *
 * Invariant: it prints the hash after the steps, computed by the library alone.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool step_and_print(pv_world *world, long steps) {
    for (; steps > 0; steps--)
        if (pv_world_step(world, SCENE_STEP) != PV_OK) return false;
    return printf("%016" PRIx64 "\n", pv_world_compute_hash(world)) > 0;
}

static bool save_world(pv_world *world, const char *path) {
    size_t size = 0;
    pv_world_save(world, PV_SNAPSHOT_PIXELS, NULL, 0, &size);
    void *bytes = malloc(size ? size : 1);
    FILE *file = bytes ? fopen(path, "wb") : NULL;
    bool good = file && pv_world_save(world, PV_SNAPSHOT_PIXELS, bytes, size, NULL) == PV_OK &&
                fwrite(bytes, 1, size, file) == size;
    if (file) good &= fclose(file) == 0;
    free(bytes);
    return good;
}

static bool save_scene(const char *name, long frames, const char *path, long steps) {
    const struct scene *scene = scene_find(name);
    struct stage *stage = scene ? scene_start(scene, 1) : NULL;
    bool good = stage && !stage_error(stage);
    for (; good && frames > 0; frames--) {
        scene_update(scene, stage);
        good = pv_world_step(stage->world, SCENE_STEP) == PV_OK;
    }
    good = good && save_world(stage->world, path) && step_and_print(stage->world, steps);
    if (stage) stage_destroy(stage);
    return good;
}

static bool resume(const char *path, long steps) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    pv_world *world = pv_world_create(NULL, NULL);
    bool good = world && fseek(file, 0, SEEK_END) == 0;
    long size = good ? ftell(file) : 0;
    void *bytes = malloc((size_t)size + 1);
    rewind(file);
    good = good && bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size &&
           pv_world_restore(world, bytes, (size_t)size) == PV_OK && step_and_print(world, steps);
    fclose(file);
    free(bytes);
    pv_world_destroy(world);
    return good;
}

/// Usage: web_peer save SCENE FRAMES FILE STEPS, or web_peer resume FILE STEPS
int main(int argc, char **argv) {
    bool good = false;
    if (argc == 6 && strcmp(argv[1], "save") == 0)
        good = save_scene(argv[2], atol(argv[3]), argv[4], atol(argv[5]));
    else if (argc == 4 && strcmp(argv[1], "resume") == 0)
        good = resume(argv[2], atol(argv[3]));
    if (!good) fputs("web_peer: failed\n", stderr);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
