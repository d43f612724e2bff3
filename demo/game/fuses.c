/* fuses.c - bodies with a limited number of frames to live.
 *
 * Invariant: a body has at most one fuse.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

void fuses_light(struct game *game, pv_body_id body, int frames) {
    struct game_fuse *room = NULL;
    for (struct game_fuse *f = game->fuses; f < game->fuses + GAME_FUSES; f++) {
        if (PV_ID_EQUALS(f->body, body)) return;
        if (!stage_is_body(f->body)) room = f;
    }
    if (room) *room = (struct game_fuse){body, frames};
}
