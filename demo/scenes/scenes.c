/* scenes.c - the list of scenes. A new scene needs a file of its own, and its name here.
 *
 * Invariant: names are unique.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include <string.h>

/// Scenes of one kind, terminated by null
struct group {
    const char *name;
    const struct scene *scenes[16];
};

/// Groups, the best scenes first
static const struct group groups[] = {
#ifdef ONLY_SCENE // for a program with one scene
    {"", {&ONLY_SCENE}},
#else
    {"What breaks",
     {&scene_shatter, &scene_castle, &scene_dig, &scene_sawmill, &scene_intro, &scene_game}},
    {"Heaps and stacks",
     {&scene_pile, &scene_drop, &scene_pyramid, &scene_arch, &scene_cards, &scene_dominoes,
      &scene_stack}},
    {"Grains and water",
     {&scene_waterfall, &scene_sky, &scene_sand, &scene_hourglass, &scene_particles}},
    {"Parts of games",
     {&scene_sensors, &scene_platformer, &scene_conveyor, &scene_oneway, &scene_tilemap,
      &scene_tiles, &scene_billiards, &scene_bullets, &scene_thrust}},
    {"Soft and jointed",
     {&scene_squishy, &scene_cloth, &scene_hair, &scene_ragdolls, &scene_bridge, &scene_wrecking,
      &scene_garden, &scene_arm, &scene_polygons, &scene_cubes}},
    {"Formulas",
     {&scene_paper, &scene_ramp, &scene_bounce, &scene_roll, &scene_spin, &scene_integrators}},
#endif
};

/// Returns the scene at an index and stores its group, or returns null beyond the last one.
static const struct scene *find_place(int index, const struct group **group) {
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (int k = 0; groups[i].scenes[k]; k++) {
            *group = &groups[i];
            if (index-- == 0) return groups[i].scenes[k];
        }
    return NULL;
}

const struct scene *scene_at(int index) {
    const struct group *group;
    return index >= 0 ? find_place(index, &group) : NULL;
}

const char *scene_group_at(int index) {
    const struct group *group;
    return index >= 0 && find_place(index, &group) ? group->name : NULL;
}

const struct scene *scene_find(const char *name) {
    const struct scene *scene;
    for (int i = 0; (scene = scene_at(i)); i++)
        if (strcmp(scene->name, name) == 0) return scene;
    return NULL;
}

struct stage *scene_start_with(const struct scene *scene, uint64_t seed, struct stage_rules rules,
                               const struct stage *last) {
    struct stage *fresh = stage_create(seed);
    if (!fresh) return NULL;
    if (rules.substeps > 0 || rules.by_pixels) {
        pv_world_def def = pv_world_def_default();
        fresh->rules = rules;
        stage_set_world(fresh, &def);
    }
    if (last) stage_keep_knobs(fresh, last);
    scene->setup(fresh);
    return fresh;
}

struct stage *scene_start(const struct scene *scene, uint64_t seed) {
    return scene_start_with(scene, seed, (struct stage_rules){0}, NULL);
}

void scene_update(const struct scene *scene, struct stage *stage) {
    stage->idle++;
    if (scene->update) scene->update(stage);
}
