/* first_scene.c - the list of scenes with the first one alone, for the module that the gallery loads first.
 *
 * SPDX-License-Identifier: Zlib
 */
#define ONLY_SCENE scene_shatter
#include "../../demo/scenes/scenes.c"
