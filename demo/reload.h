/* reload.h - sprites follow their files: what is painted in another program is seen, and collides,
 * at once.
 *
 * Invariant: a file that cannot be read changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RELOAD_H
#define RELOAD_H

#include "stage.h"

/// Looks for a file that has changed since it was read and takes it in: bodies of the sprite get
/// its pixels, but for those that were carved and those that the scene painted otherwise. A picture
/// of another size keeps its middle.
/// @param status what came of it: an error of the file's, with the sprite as it was, or one of a
/// body that could not take the new pixels and shows its own in gray
/// @return the sprite, or null when no file has changed; each change is told of once
const struct sprite *stage_reload(struct stage *stage, pv_status *status);

#endif
