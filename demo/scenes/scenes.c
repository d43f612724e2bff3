/* scenes.c - the list of scenes. A new one is one file beside this one and one line in it.
 *
 * Invariant: names are unique.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include <string.h>

static const struct scene *const scenes[] = {
    &scene_drop,      &scene_ramp,     &scene_bounce,     &scene_billiards,   &scene_spin,
    &scene_stack,     &scene_pyramid,  &scene_pile,       &scene_arch,        &scene_cards,
    &scene_dominoes,  &scene_bullets,  &scene_roll,       &scene_tiles,       &scene_tilemap,
    &scene_particles, &scene_polygons, &scene_cubes,      &scene_cloth,       &scene_hair,
    &scene_squishy,   &scene_ragdolls, &scene_bridge,     &scene_wrecking,    &scene_garden,
    &scene_waterfall, &scene_arm,      &scene_thrust,     &scene_integrators, &scene_conveyor,
    &scene_oneway,    &scene_sensors,  &scene_platformer, &scene_dig,         &scene_shatter,
    &scene_sawmill,   &scene_castle,   &scene_sand,       &scene_hourglass,   &scene_intro,
    &scene_game,
};

static const int scene_count = (int)(sizeof scenes / sizeof scenes[0]);

const struct scene *scene_at(int index) {
    return index >= 0 && index < scene_count ? scenes[index] : NULL;
}

const struct scene *scene_find(const char *name) {
    for (int i = 0; i < scene_count; i++)
        if (strcmp(scenes[i]->name, name) == 0) return scenes[i];
    return NULL;
}

struct stage *scene_start_with(const struct scene *scene, uint64_t seed, int substeps) {
    struct stage *fresh = stage_create(seed);
    if (!fresh) return NULL;
    if (substeps > 0) {
        pv_world_def def = pv_world_def_default();
        fresh->substeps = substeps;
        stage_set_world(fresh, &def);
    }
    scene->setup(fresh);
    return fresh;
}

struct stage *scene_start(const struct scene *scene, uint64_t seed) {
    return scene_start_with(scene, seed, 0);
}

void scene_update(const struct scene *scene, struct stage *stage) {
    if (scene->update) scene->update(stage);
}
