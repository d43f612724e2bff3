/* bots.h - plays whole games with simple bots, to judge the rules.
 *
 * Invariant: a bot has the keys of a player. The same seed gives the same play.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BOTS_H
#define BOTS_H

#include "game/game.h"

enum bot {
    /// Autopilot: turns toward rocks, fires when a dart would hit, and dodges
    BOT_AIMED,
    /// Left and Fire held down
    BOT_SPINNING,
    /// Fire held down
    BOT_STILL,
    BOTS
};

/// Outcome of a play
struct bot_play {
    int score, wave, frames, fired, hits;
    /// Frames with rocks, and frames with only small rocks left
    int rock_frames, small_frames;
    /// Hash of the world at the end
    uint64_t hash;
};

/// Plays until the end, or for a number of frames.
struct bot_play bot_play(enum bot bot, uint64_t seed, int frames);

#endif
