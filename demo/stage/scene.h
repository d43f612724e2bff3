/* scene.h - the interface of a scene, and the list of all scenes.
 *
 * Invariant: a scene keeps no data of its own: all its objects are in the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCENE_H
#define SCENE_H

#include "stage/stage.h"

/// Length of a step of every scene [s]
#define SCENE_STEP (1.0 / 60.0)

struct scene {
    /// Name on the command line
    const char *name;
    /// Description in one line
    const char *description;
    /// Fills an empty stage
    void (*setup)(struct stage *stage);
    /// Called before each step, or null
    void (*update)(struct stage *stage);
};

/// Returns a scene in the order of the player's list; null beyond the last one.
const struct scene *scene_at(int index);

/// Returns the name of the group of a scene, or null. Scenes of a group are neighbors.
const char *scene_group_at(int index);

/// Returns the scene with a name, or null.
const struct scene *scene_find(const char *name);

/// Creates a stage for a scene.
/// @return a stage for stage_destroy(), also after a failure, which stage_error() tells
struct stage *scene_start(const struct scene *scene, uint64_t seed);

/// Creates a stage as scene_start() does.
/// @param last stage with values for the sliders; null: the scene's own
struct stage *scene_start_with(const struct scene *scene, uint64_t seed, struct stage_rules rules,
                               const struct stage *last);

/// Calls a scene's update, and counts the step as one without a touch.
void scene_update(const struct scene *scene, struct stage *stage);

#endif
