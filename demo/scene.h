/* scene.h - what a scene is, and where all of them are found.
 *
 * Invariant: a scene keeps nothing of its own: all that it makes is in the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCENE_H
#define SCENE_H

#include "stage.h"

/// Length of a step of every scene [s].
#define SCENE_STEP (1.0 / 60.0)

struct scene {
    /// As on the command line
    const char *name;
    /// One line
    const char *description;
    /// Fills an empty stage
    void (*setup)(struct stage *stage);
    /// Called before each step; null: nothing to do
    void (*update)(struct stage *stage);
};

/// The scenes in the order in which the player meets them; null beyond the last.
const struct scene *scene_at(int index);

/// A scene by its name, or null.
const struct scene *scene_find(const char *name);

/// A stage set up for a scene.
/// @return to be given to stage_destroy(); ask stage_error() whether it went well
struct stage *scene_start(const struct scene *scene, uint64_t seed);

/// The same, but with so many substeps in place of the scene's own, which 0 leaves.
struct stage *scene_start_with(const struct scene *scene, uint64_t seed, int substeps);

/// Does what a scene does before a step.
void scene_update(const struct scene *scene, struct stage *stage);

#endif
