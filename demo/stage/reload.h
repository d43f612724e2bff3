/* reload.h - reloads sprites after a change of their files, so that pictures and collisions follow
 * at once.
 *
 * Invariant: an unreadable file changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RELOAD_H
#define RELOAD_H

#include "stage/stage.h"

/// Finds a file that has changed since it was read, and loads it. Bodies of the sprite get its
/// pixels, except carved bodies and bodies that the scene painted otherwise. A picture of another
/// size keeps its middle in place.
/// @param status outcome: an error of the file keeps the old sprite; a body with an error shows its
/// mask in gray
/// @return the sprite, or null if no file has changed; each change is returned once
const struct sprite *stage_reload(struct stage *stage, pv_status *status);

#endif
