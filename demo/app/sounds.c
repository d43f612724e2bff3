/* sounds.c - plays single sounds on sixteen channels, and each loop on a channel of its own.
 *
 * Invariant: only the audio thread changes a loop's gain; its target is one atomic number. The
 * mixer runs at the rate of the files, since resampled loops would click at their seams.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/sounds.h"

#include "platform/data.h"

#include <SDL.h>
#include <SDL_mixer.h>
#include <stdio.h>
#include <stdlib.h>

#define SINGLES 16      // number of channels for single sounds; the channels of loops follow
#define SINGLES_GROUP 1 // mixer's number for these channels
#define UNIT 4096       // target of a loop at volume 1

/// Sample rate of the files [Hz]
static const int rate = 22050;
/// Number of frames in the mixer's buffer
static const int buffer = 512;
/// Least time from the start of a sound to its next start [ms]
static const Uint64 least_gap = 40;
/// Time of the fade at a mute [ms]
static const int mute_fade = 50;
/// Time in which a loop's volume goes from 0 to 1 [s]
static const double glide_time = .08;

static const char *const names[SOUND_COUNT] = {
    [SOUND_FIRE] = "fire",           [SOUND_THRUST] = "thrust", [SOUND_BITE] = "bite",
    [SOUND_BREAK] = "break",         [SOUND_BUMP] = "bump",     [SOUND_BOOM] = "boom",
    [SOUND_SHIELD] = "shield",       [SOUND_WAVE] = "wave",     [SOUND_LIFE] = "life",
    [SOUND_PICK] = "pick",           [SOUND_OVER] = "over",     [SOUND_BEAT_LOW] = "beat_low",
    [SOUND_BEAT_HIGH] = "beat_high", [SOUND_GEM] = "gem",       [SOUND_SNAP] = "snap",
    [SOUND_HISS] = "hiss",           [SOUND_LASER] = "laser",   [SOUND_PATCH] = "patch",
};

struct loop {
    bool started;
    /// Volume from the last call
    double volume;
    /// Volume to reach [1/UNIT]
    SDL_atomic_t target;
    /// Volume at the moment
    double gain;
};

/// Number of pitches of a varied sound
enum { PITCHES = 7 };
/// Step from pitch to pitch, as a ratio
static const double pitch_step = .045;

/// Greatest number of takes of a sound, and numbers of takes where there are several. Files after
/// the first are NAME_2.wav and so on.
enum { TAKES = 3 };
static const int take_counts[SOUND_COUNT] = {
    [SOUND_FIRE] = TAKES, [SOUND_BITE] = TAKES, [SOUND_BREAK] = TAKES};

/// Take of a sound in several pitches; the first is the file's own
struct take {
    Mix_Chunk *pitches[PITCHES];
};

struct sounds {
    struct take takes[SOUND_COUNT][TAKES];
    /// State of the random numbers, and the last variant of each sound
    Uint32 dice;
    int last[SOUND_COUNT];
    /// Times at which each sound may start again, in SDL's ticks [ms]
    Uint64 ready[SOUND_COUNT];
    struct loop loops[SOUND_COUNT];
    bool muted, paused;
};

/// Limits a value to a range; NaN becomes low.
static double clamp(double value, double low, double high) {
    if (!(value > low)) return low;
    return value < high ? value : high;
}

/* Opening and closing */

static bool open_device(void) {
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) return false;
    /* Without a device, ALSA would print several lines. */
    if (SDL_GetNumAudioDevices(0) == 0)
        SDL_SetError("no device");
    else if (Mix_OpenAudioDevice(rate, AUDIO_S16SYS, 2, buffer, NULL, 0) == 0)
        return true;
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    return false;
}

/// Returns a copy of a sound, faster by a ratio; null if memory runs out. The mixer frees it.
static Mix_Chunk *resampled(const Mix_Chunk *from, double ratio) {
    Uint32 frames = (Uint32)(from->alen / 4 / ratio);
    const Sint16 *in = (const Sint16 *)(const void *)from->abuf;
    Sint16 *out = SDL_malloc(frames * 4 + 4);
    if (!out || frames < 2) return SDL_free(out), NULL;
    for (Uint32 i = 0; i < frames; i++) {
        double at = i * ratio;
        Uint32 whole = (Uint32)at, next = whole + 1 < from->alen / 4 ? whole + 1 : whole;
        for (Uint32 side = 0; side < 2; side++) {
            double a = in[2 * whole + side], b = in[2 * next + side];
            out[2 * i + side] = (Sint16)(a + (b - a) * (at - whole));
        }
    }
    Mix_Chunk *chunk = Mix_QuickLoad_RAW((Uint8 *)out, frames * 4);
    if (chunk)
        chunk->allocated = 1;
    else
        SDL_free(out);
    return chunk;
}

/// Makes the pitches of a sound. Where one is null, the file's own pitch is played.
static void make_pitches(struct take *take) {
    for (int i = 1; i < PITCHES; i++)
        take->pitches[i] =
            resampled(take->pitches[0],
                      1 + pitch_step * (i <= PITCHES / 2 ? i - PITCHES / 2 - 1 : i - PITCHES / 2));
}

static bool load_take(struct take *take, const char *directory, const char *name, int number) {
    char path[1024];
    if (number == 0)
        snprintf(path, sizeof path, "%s/%s.wav", directory, name);
    else
        snprintf(path, sizeof path, "%s/%s_%d.wav", directory, name, number + 1);
    take->pitches[0] = Mix_LoadWAV(path);
    if (!take->pitches[0]) return SDL_SetError("%s: cannot be read", path), false;
    make_pitches(take);
    return true;
}

static int takes_of(enum sound sound) { return take_counts[sound] > 0 ? take_counts[sound] : 1; }

static bool load_takes(struct sounds *sounds) {
    const char *directory =
        data_directory("PIXVERLET_SOUNDS", DATA_SRCDIR "/sounds", PKGDATADIR "/sounds");
    for (int i = 0; i < SOUND_COUNT; i++)
        for (int k = 0; k < takes_of((enum sound)i); k++)
            if (!load_take(&sounds->takes[i][k], directory, names[i], k)) return false;
    return true;
}

static void close_device(struct sounds *sounds) {
    Mix_HaltChannel(-1);
    for (int i = 0; i < SOUND_COUNT; i++)
        for (int k = 0; k < TAKES * PITCHES; k++)
            Mix_FreeChunk(sounds->takes[i][k / PITCHES].pitches[k % PITCHES]);
    Mix_CloseAudio();
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

/// Opens the device with its channels, and reads all files. On a failure nothing stays open.
static bool open_sounds(struct sounds *sounds) {
    if (!open_device()) return false;
    Mix_AllocateChannels(SINGLES + SOUND_COUNT);
    Mix_GroupChannels(0, SINGLES - 1, SINGLES_GROUP);
    if (load_takes(sounds)) return true;
    close_device(sounds);
    return false;
}

struct sounds *sounds_open(void) {
    struct sounds *sounds = calloc(1, sizeof *sounds);
    if (sounds && open_sounds(sounds)) return sounds;
    fprintf(stderr, "pixverlet-demo: no sound: %s\n", sounds ? SDL_GetError() : "no memory");
    free(sounds);
    return NULL;
}

void sounds_close(struct sounds *sounds) {
    if (!sounds) return;
    close_device(sounds);
    free(sounds);
}

/* Single sounds */

/// Returns a free channel for a single sound. Without one it stops the oldest sound, which has
/// faded most.
static int free_channel(void) {
    int channel = Mix_GroupAvailable(SINGLES_GROUP);
    if (channel >= 0) return channel;
    channel = Mix_GroupOldest(SINGLES_GROUP);
    if (channel >= 0) Mix_HaltChannel(channel);
    return channel;
}

/// Plays a sound on a channel. Volume and panning are set first, since playing may begin at once.
static void play_on(int channel, Mix_Chunk *chunk, double volume, double pan) {
    Mix_Volume(channel, (int)(volume * MIX_MAX_VOLUME + .5));
    Mix_SetPanning(channel, (Uint8)(255 * clamp(1 - pan, 0, 1)),
                   (Uint8)(255 * clamp(1 + pan, 0, 1)));
    Mix_PlayChannel(channel, chunk, 0);
}

static void play_variant(struct sounds *sounds, enum sound sound, int variant, double volume,
                         double pan) {
    volume = clamp(volume, 0, 1);
    if (!sounds || sounds->muted || volume <= 0) return;
    Uint64 now = SDL_GetTicks64();
    if (now < sounds->ready[sound]) return;
    int channel = free_channel();
    if (channel < 0) return;
    sounds->ready[sound] = now + least_gap;
    Mix_Chunk *const *pitches = sounds->takes[sound][variant / PITCHES].pitches;
    Mix_Chunk *wanted = pitches[variant % PITCHES];
    play_on(channel, wanted ? wanted : pitches[0], volume, pan);
}

void sounds_play(struct sounds *sounds, enum sound sound, double volume, double pan) {
    play_variant(sounds, sound, 0, volume, pan);
}

void sounds_play_varied(struct sounds *sounds, enum sound sound, double volume, double pan) {
    if (!sounds) return;
    sounds->dice = sounds->dice * 1664525u + 1013904223u;
    int variant = (int)((sounds->dice >> 16) % (Uint32)(takes_of(sound) * PITCHES - 1));
    if (variant >= sounds->last[sound]) variant++;
    sounds->last[sound] = variant;
    play_variant(sounds, sound, variant, volume, pan);
}

/* Loops */

/// Moves the gain toward its target sample by sample, in the audio thread.
static void glide(int channel, void *stream, int length, void *data) {
    (void)channel;
    struct loop *loop = data;
    Sint16 *sample = stream, *end = sample + length / (int)sizeof *sample;
    double target = (double)SDL_AtomicGet(&loop->target) / UNIT, step = 1 / (glide_time * rate);
    for (; sample < end; sample += 2) {
        loop->gain = clamp(target, loop->gain - step, loop->gain + step);
        sample[0] = (Sint16)(sample[0] * loop->gain);
        sample[1] = (Sint16)(sample[1] * loop->gain);
    }
}

/// Starts a loop, which never stops but is silent while its target is 0.
static void start_loop(struct sounds *sounds, enum sound sound) {
    int channel = SINGLES + (int)sound;
    struct loop *loop = &sounds->loops[sound];
    if (!Mix_RegisterEffect(channel, glide, NULL, loop)) return;
    loop->started = Mix_PlayChannel(channel, sounds->takes[sound][0].pitches[0], -1) == channel;
    if (sounds->paused) Mix_Pause(channel);
}

static void aim(struct sounds *sounds, struct loop *loop) {
    SDL_AtomicSet(&loop->target, sounds->muted ? 0 : (int)(loop->volume * UNIT + .5));
}

void sounds_loop(struct sounds *sounds, enum sound sound, double volume) {
    if (!sounds) return;
    struct loop *loop = &sounds->loops[sound];
    loop->volume = clamp(volume, 0, 1);
    aim(sounds, loop);
    if (loop->volume > 0 && !loop->started) start_loop(sounds, sound);
}

/* Calls on all sounds */

void sounds_mute(struct sounds *sounds, bool muted) {
    if (!sounds) return;
    sounds->muted = muted;
    if (muted) Mix_FadeOutGroup(SINGLES_GROUP, mute_fade);
    for (int i = 0; i < SOUND_COUNT; i++) aim(sounds, &sounds->loops[i]);
}

void sounds_pause(struct sounds *sounds, bool paused) {
    if (!sounds) return;
    sounds->paused = paused;
    (paused ? Mix_Pause : Mix_Resume)(-1);
}
