/* bots.h - plays whole games by simple means, to judge the rules.
 *
 * Invariant: a bot has the keys of a player, and the same seed gives the same play.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BOTS_H
#define BOTS_H

#include "game/game.h"

enum bot {
    /// Autopilot: turns to rocks, fires when a dart would hit, and gets out of the way
    BOT_AIMED,
    /// Held Left and fire
    BOT_SPINNING,
    /// Held fire
    BOT_STILL,
    BOTS
};

/// Outcome of a play
struct bot_play {
    int score, wave, frames, fired, hits;
    /// Frames with rocks, and those in which only small ones were left
    int rock_frames, small_frames;
    /// Hash of the world at the end
    uint64_t hash;
};

/// Plays until the end, or for a number of frames.
struct bot_play bot_play(enum bot bot, uint64_t seed, int frames);

#endif
