/* scenes.h - the name of every scene.
 *
 * Invariant: each stands in the file of its name.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCENES_H
#define SCENES_H

#include "../scene.h"

extern const struct scene scene_drop, scene_ramp, scene_bounce, scene_billiards, scene_spin;

#endif
