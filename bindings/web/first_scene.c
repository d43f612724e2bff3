/* first_scene.c - a list of only the first scene, for the module that the gallery loads first.
 *
 * SPDX-License-Identifier: Zlib
 */
#define ONLY_SCENE scene_shatter
#include "../../demo/scenes/scenes.c"
