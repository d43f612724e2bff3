/* sounds.h - what the game sounds like, by SDL2_mixer.
 *
 * Invariant: without a device, the mixer or the files every call does nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SOUNDS_H
#define SOUNDS_H

#include <stdbool.h>

/// One file each in sounds/, where README.md tells what is heard.
enum sound {
    SOUND_FIRE,
    /// The one that is made for sounds_loop()
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
    SOUND_COUNT
};

struct sounds;

/// Opens the sound device and reads all files; SDL's audio is started here. One at a time can be
/// open.
/// @return null, after one line on stderr, when there is no device or a file is missing
struct sounds *sounds_open(void);

/// Ends all sounds, and SDL's audio. Null is allowed, here and below.
void sounds_close(struct sounds *sounds);

/// Plays a sound once. The same one again within 40 ms is left out; beyond sixteen at once the
/// oldest ends. While all is paused a new one is heard nevertheless, so that menus tick.
/// @param volume 0: nothing, to 1: as in the file
/// @param pan -1: left, 0: in the middle, 1: right
void sounds_play(struct sounds *sounds, enum sound sound, double volume, double pan);

/// Plays a sound round and round until its volume is 0. Changes of volume are smooth, over a
/// twelfth of a second from 0 to 1, so this can be called each frame.
/// @param volume 0: nothing, to 1: as in the file
void sounds_loop(struct sounds *sounds, enum sound sound, double volume);

/// Silence, or none any more. What plays fades out, and nothing new is started; loops come back
/// afterwards.
void sounds_mute(struct sounds *sounds, bool muted);

/// What plays stands still, or goes on.
void sounds_pause(struct sounds *sounds, bool paused);

#endif
