/* sounds.h - the sounds of the game, with SDL2_mixer.
 *
 * Invariant: every call does nothing without a device, the mixer or the files.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SOUNDS_H
#define SOUNDS_H

#include <stdbool.h>

/// Sounds, with one file or more each in sounds/; README.md describes them
enum sound {
    SOUND_FIRE,
    /// Sound for sounds_loop()
    SOUND_THRUST,
    SOUND_BITE,
    SOUND_BREAK,
    SOUND_BUMP,
    SOUND_BOOM,
    SOUND_SHIELD,
    SOUND_WAVE,
    SOUND_LIFE,
    SOUND_PICK,
    SOUND_OVER,
    SOUND_BEAT_LOW,
    SOUND_BEAT_HIGH,
    SOUND_GEM,
    SOUND_SNAP,
    SOUND_HISS,
    SOUND_LASER,
    SOUND_PATCH,
    SOUND_COUNT
};

struct sounds;

/// Opens the sound device, starts SDL's audio, and reads all files. Only one device can be open at
/// a time.
/// @return null, after one line on stderr, if there is no device or a file is missing
struct sounds *sounds_open(void);

/// Ends all sounds, and SDL's audio. Null is allowed, here and below.
void sounds_close(struct sounds *sounds);

/// Plays a sound once. A repetition within 40 ms is left out. A seventeenth sound ends the oldest
/// one. New sounds play even in a pause, so that menus click.
/// @param volume 0: silence, to 1: as in the file
/// @param pan -1: left, 0: middle, 1: right
void sounds_play(struct sounds *sounds, enum sound sound, double volume, double pan);

/// Plays a sound once, in another take or pitch than the last time; otherwise as sounds_play().
void sounds_play_varied(struct sounds *sounds, enum sound sound, double volume, double pan);

/// Plays a sound in a loop until its volume is 0. The volume changes smoothly, from 0 to 1 in a
/// twelfth of a second, so each frame may set it.
/// @param volume 0: silence, to 1: as in the file
void sounds_loop(struct sounds *sounds, enum sound sound, double volume);

/// Mutes or unmutes all sounds. Running sounds fade out, and no new one starts; loops come back
/// afterwards.
void sounds_mute(struct sounds *sounds, bool muted);

/// Pauses or resumes the running sounds.
void sounds_pause(struct sounds *sounds, bool paused);

#endif
