/* scenes.h - the name of every scene.
 *
 * Invariant: each scene is in the file that has its name.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCENES_H
#define SCENES_H

#include "stage/scene.h"

extern const struct scene scene_drop, scene_ramp, scene_bounce, scene_billiards, scene_spin,
    scene_stack, scene_pyramid, scene_pile, scene_arch, scene_cards, scene_dominoes, scene_bullets,
    scene_roll, scene_tiles, scene_tilemap, scene_particles, scene_polygons, scene_cubes,
    scene_cloth, scene_hair, scene_squishy, scene_ragdolls, scene_bridge, scene_wrecking,
    scene_garden, scene_waterfall, scene_arm, scene_thrust, scene_integrators, scene_conveyor,
    scene_oneway, scene_sensors, scene_platformer, scene_dig, scene_shatter, scene_sawmill,
    scene_castle, scene_sand, scene_sky, scene_hourglass, scene_intro, scene_game, scene_paper;

#endif
