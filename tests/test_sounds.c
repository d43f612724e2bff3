/* test_sounds.c - the demo's sounds: the files, their output, and silence without a device.
 *
 * Invariant: SDL's dummy device must get what the files hold, read here without SDL.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#define SDL_MAIN_HANDLED
#include "app/sounds.h"

#include <SDL.h>
#include <SDL_mixer.h>
#include <sys/stat.h>
#include <unistd.h>

#define RATE 22050
#define FILES DATA_SRCDIR "/sounds"

static const char *const names[SOUND_COUNT] = {
    "fire", "thrust", "bite",     "break",     "bump", "boom", "shield", "wave",  "life",
    "pick", "over",   "beat_low", "beat_high", "gem",  "snap", "hiss",   "laser", "patch"};

static const char *const takes[] = {"fire_2", "fire_3", "bite_2", "bite_3", "break_2", "break_3"};
#define TAKES (int)(sizeof takes / sizeof takes[0])

static const char *name_at(int i) { return i < SOUND_COUNT ? names[i] : takes[i - SOUND_COUNT]; }

/* Files */

struct wav {
    int16_t *samples;
    int count;
};

static void drop_wav(struct wav *wav) { free(wav->samples); }
#define scoped_wav __attribute__((cleanup(drop_wav))) struct wav

static unsigned little(const unsigned char *bytes, int size) {
    unsigned value = 0;
    for (int i = size; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

/// Reads a file, and checks all of its header.
static struct wav read_wav(const char *name, long *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.wav", FILES, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    unsigned char head[44];
    ck_assert_uint_eq(fread(head, 1, sizeof head, file), sizeof head);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    ck_assert_mem_eq(head, "RIFF", 4);
    ck_assert_uint_eq(little(head + 4, 4), *size - 8);
    ck_assert_mem_eq(head + 8, "WAVEfmt ", 8);
    ck_assert_uint_eq(little(head + 16, 4), 16);
    ck_assert_uint_eq(little(head + 20, 2), 1);        // PCM
    ck_assert_uint_eq(little(head + 22, 2), 1);        // channels
    ck_assert_uint_eq(little(head + 24, 4), RATE);     // frames a second
    ck_assert_uint_eq(little(head + 28, 4), RATE * 2); // bytes a second
    ck_assert_uint_eq(little(head + 32, 2), 2);        // bytes a frame
    ck_assert_uint_eq(little(head + 34, 2), 16);       // bits a sample
    ck_assert_mem_eq(head + 36, "data", 4);
    ck_assert_uint_eq(little(head + 40, 4), *size - 44);
    struct wav wav = {malloc((size_t)*size - 44), (int)(*size - 44) / 2};
    fseek(file, 44, SEEK_SET);
    for (int i = 0; i < wav.count; i++) {
        ck_assert_uint_eq(fread(head, 1, 2, file), 2);
        wav.samples[i] = (int16_t)little(head, 2);
    }
    fclose(file);
    return wav;
}

static struct wav wav_of(enum sound sound) {
    long size;
    return read_wav(names[sound], &size);
}

static double square_sum(const int16_t *samples, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)samples[i] * samples[i];
    return sum;
}

static int peak(const int16_t *samples, int count) {
    int most = 0;
    for (int i = 0; i < count; i++) most = abs(samples[i]) > most ? abs(samples[i]) : most;
    return most;
}

static int steepest(const int16_t *samples, int count) {
    int most = 0;
    for (int i = 1; i < count; i++) {
        int step = abs(samples[i] - samples[i - 1]);
        most = step > most ? step : most;
    }
    return most;
}

/// Returns the RMS of the loudest 50 ms [dB of full scale].
static double loudness(struct wav wav) {
    int window = wav.count < RATE / 20 ? wav.count : RATE / 20;
    double most = 0;
    for (int i = 0; i + window <= wav.count; i += 10)
        most = fmax(most, square_sum(wav.samples + i, window));
    return 10 * log10(most / window / 32768 / 32768);
}

START_TEST(files_are_as_their_readme_says) {
    long size, all = 0;
    for (int i = 0; i < SOUND_COUNT; i++) {
        scoped_wav wav = read_wav(names[i], &size);
        double expected = i == SOUND_BOOM ? -13 : i == SOUND_PICK ? -20 : -16, sum = 0;
        int most = peak(wav.samples, wav.count), end = wav.count - RATE / 500;
        all += size;
        ck_assert_msg(most < 32768 * .708, "%s: above -3 dB", names[i]);
        ck_assert_msg(fabs(loudness(wav) - expected) < 2.2, "%s: %.1f dB", names[i], loudness(wav));
        for (int k = 0; k < wav.count; k++) sum += wav.samples[k];
        ck_assert_msg(fabs(sum / wav.count) < 150, "%s: mean %f", names[i], sum / wav.count);
        if (i != SOUND_THRUST) {
            ck_assert_int_eq(wav.samples[0], 0);
            ck_assert_msg(peak(wav.samples, 4) < most / 10, "%s begins with a click", names[i]);
            ck_assert_msg(peak(wav.samples + end, RATE / 500) < most / 50, "%s ends with a click",
                          names[i]);
        }
    }
    ck_assert_int_lt(all, 600000);
}

START_TEST(loop_has_no_seam) {
    scoped_wav wav = wav_of(SOUND_THRUST);
    int16_t seam[8];
    for (int i = 0; i < 8; i++) seam[i] = wav.samples[(wav.count - 4 + i) % wav.count];
    ck_assert_int_le(steepest(seam, 8), steepest(wav.samples, wav.count));
    double whole =
        square_sum(wav.samples, wav.count) / wav.count; // and it does not swell from round to round
    double ends =
        (square_sum(wav.samples, 2205) + square_sum(wav.samples + wav.count - 2205, 2205)) / 4410;
    ck_assert_double_lt(fabs(10 * log10(ends / whole)), 2);
}

/* Output */

/// Sounds of the test, on the dummy device; null: none
static struct sounds *sounds;

/// Samples that the mixer delivered since record()
static struct tape {
    int16_t left[4 * RATE], right[4 * RATE];
    int count;
    /// Copy of count for the other thread
    SDL_atomic_t progress;
} tape;

static void on_mixed(void *user_data, Uint8 *stream, int length) {
    (void)user_data;
    const int16_t *sample = (const void *)stream;
    for (int i = 0; i < length / 4 && tape.count < 4 * RATE; i++, tape.count++) {
        tape.left[tape.count] = sample[2 * i];
        tape.right[tape.count] = sample[2 * i + 1];
    }
    SDL_AtomicSet(&tape.progress, tape.count);
}

static void record(void) {
    Mix_SetPostMix(NULL, NULL); // waits for a running callback
    tape.count = 0;
    SDL_AtomicSet(&tape.progress, 0);
    Mix_SetPostMix(on_mixed, NULL);
}

/// Ends what record() began, once so many seconds were heard by the device's time.
static void listen(double seconds) {
    while (SDL_AtomicGet(&tape.progress) < seconds * RATE) SDL_Delay(5);
    Mix_SetPostMix(NULL, NULL);
}

static void pass(double seconds) {
    record();
    listen(seconds);
}

static double heard_left(void) { return square_sum(tape.left, tape.count); }
static double heard_right(void) { return square_sum(tape.right, tape.count); }

/// Listens until all sounds are over, and a bit more.
static void hear_out(void) {
    while (Mix_Playing(-1) > 0) SDL_Delay(5);
    listen(.06);
}

static void hear(enum sound sound, double volume, double pan) {
    record();
    sounds_play(sounds, sound, volume, pan);
    hear_out();
}

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static struct sounds *open_with(const char *driver, const char *directory) {
    set("SDL_AUDIODRIVER", driver);
    set("PIXVERLET_SOUNDS", directory);
    return sounds_open();
}

static void open_dummy(void) {
    sounds = open_with("dummy", FILES);
    ck_assert_ptr_nonnull(sounds);
}

static void close_sounds(void) {
    sounds_close(sounds);
    sounds = NULL;
}

START_TEST(each_sound_is_heard_as_it_is_in_its_file) {
    for (int i = 0; i < SOUND_COUNT; i++) {
        scoped_wav wav = wav_of(i);
        double expected = square_sum(wav.samples, wav.count);
        hear(i, 1, 0);
        ck_assert_msg(fabs(heard_left() / expected - 1) < .01, "%s: %f left", names[i],
                      heard_left() / expected);
        ck_assert_msg(fabs(heard_right() / expected - 1) < .01, "%s: %f right", names[i],
                      heard_right() / expected);
    }
}

START_TEST(volume_and_pan) {
    /* volume, pan, loudness left and right; (1, 0) comes once more after panned sounds */
    static const double cases[][4] = {{1, 0, 1, 1},    {.5, 0, .25, .25}, {1, -1, 1, 0},
                                      {1, .5, .25, 1}, {7, 9, 0, 1},      {1, 0, 1, 1},
                                      {NAN, 0, 0, 0},  {-1, NAN, 0, 0}};
    double whole = 0;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const double *c = cases[i];
        hear(SOUND_PICK, c[0], c[1]);
        if (i == 0) whole = heard_left();
        ck_assert_msg(fabs(heard_left() / whole - c[2]) <= (c[2] > 0 ? .01 : 0) &&
                          fabs(heard_right() / whole - c[3]) <= (c[3] > 0 ? .01 : 0),
                      "volume %g, pan %g: %g left, %g right", c[0], c[1], heard_left() / whole,
                      heard_right() / whole);
    }
}

START_TEST(varied_sounds_differ_each_time_and_are_alike_in_loudness) {
    scoped_wav wav = wav_of(SOUND_BITE);
    double expected = square_sum(wav.samples, wav.count), last = 0;
    for (int i = 0; i < 12; i++) {
        record();
        sounds_play_varied(sounds, SOUND_BITE, 1, 0);
        hear_out();
        ck_assert_double_ne(heard_left(), last);
        last = heard_left();
        ck_assert(last > expected / 3 && last < expected * 3);
    }
}

START_TEST(the_same_sound_waits_for_its_turn) {
    Uint64 begin = SDL_GetTicks64();
    do sounds_play(sounds, SOUND_OVER, .1, 0);
    while (SDL_GetTicks64() - begin < 30);
    if (SDL_GetTicks64() - begin < 40) ck_assert_int_eq(Mix_Playing(-1), 1);
    sounds_play(sounds, SOUND_BOOM, .1, 0); // another sound need not wait
    ck_assert_int_ge(Mix_Playing(-1), 2);
    SDL_Delay(45);
    int before = Mix_Playing(-1);
    sounds_play(sounds, SOUND_OVER, .1, 0);
    ck_assert_int_eq(Mix_Playing(-1), before + 1);
}

START_TEST(beyond_sixteen_the_oldest_ends) {
    sounds_loop(sounds, SOUND_THRUST, .1);
    for (int i = 0; i < 12; i++) {
        sounds_play(sounds, SOUND_BOOM, .1, 0);
        sounds_play(sounds, SOUND_OVER, .1, 0);
        sounds_pause(sounds, true); // keeps each from ending
        if (i == 7) ck_assert_int_eq(Mix_Playing(-1), 16 + 1);
        SDL_Delay(42);
    }
    ck_assert_int_eq(Mix_Playing(-1), 16 + 1); // the loop has a channel of its own
    record();
    sounds_play(sounds, SOUND_PICK, 1, 0); // the newest sound is heard
    listen(.2);
    ck_assert_double_gt(heard_left(), 0);
    ck_assert_int_eq(Mix_Playing(-1), 15 + 1);
}

START_TEST(loop_glides_and_goes_round) {
    scoped_wav wav = wav_of(SOUND_THRUST);
    double mean = square_sum(wav.samples, wav.count) / wav.count;
    int steep = steepest(wav.samples, wav.count);
    record();
    sounds_loop(sounds, SOUND_THRUST, .5);
    listen(1.6); // more than once round
    ck_assert_int_le(steepest(tape.left, tape.count), steep);
    ck_assert_int_le(steepest(tape.right, tape.count), steep);
    int settled = tape.count - RATE / 5 * 6; // the last round
    ck_assert_int_gt(settled, RATE / 10);
    ck_assert_double_eq_tol(square_sum(tape.left + settled, wav.count) / wav.count / mean, .25,
                            .01);

    record();
    sounds_loop(sounds, SOUND_THRUST, 0);
    listen(.3);
    ck_assert_int_gt(peak(tape.left, tape.count / 4), 0); // must not break off
    ck_assert_int_le(steepest(tape.left, tape.count), steep);
    ck_assert_int_eq(peak(tape.left + tape.count - 100, 100), 0);

    record();
    for (int i = 0; i < 20; i++) { // changing keys all the time
        sounds_loop(sounds, SOUND_THRUST, i % 2);
        SDL_Delay(10);
    }
    listen(.1);
    ck_assert_int_gt(peak(tape.left, tape.count), 0);
    ck_assert_int_le(steepest(tape.left, tape.count), steep);
    ck_assert_int_eq(Mix_Playing(-1), 1);
}

START_TEST(mute_is_silence_until_it_is_taken_back) {
    sounds_loop(sounds, SOUND_THRUST, .5);
    sounds_play(sounds, SOUND_OVER, 1, 0);
    pass(.1);
    sounds_mute(sounds, true);
    pass(.25);
    record();
    sounds_play(sounds, SOUND_BOOM, 1, 0);
    sounds_loop(sounds, SOUND_THRUST, .8);
    listen(.1);
    ck_assert_double_eq(heard_left() + heard_right(), 0);
    sounds_mute(sounds, false);
    record();
    listen(.2);
    ck_assert_double_gt(heard_left(), 0); // the loop
    ck_assert_int_eq(Mix_Playing(-1), 1);
    sounds_loop(sounds, SOUND_THRUST, 0);
    sounds_play(sounds, SOUND_OVER, 1, 0);
    ck_assert_int_eq(Mix_Playing(-1), 2);
}

START_TEST(pause_stops_all_but_what_is_new) {
    sounds_loop(sounds, SOUND_THRUST, .5);
    sounds_play(sounds, SOUND_OVER, 1, 0);
    pass(.1);
    sounds_pause(sounds, true);
    pass(.1);
    record();
    sounds_loop(sounds, SOUND_THRUST, .7);
    sounds_loop(sounds, SOUND_BOOM, .7); // even one that begins now
    listen(.2);
    ck_assert_double_eq(heard_left() + heard_right(), 0);
    record();
    sounds_play(sounds, SOUND_PICK, 1, 0);
    listen(.2);
    scoped_wav wav = wav_of(SOUND_PICK);
    ck_assert_double_eq_tol(heard_left() / square_sum(wav.samples, wav.count), 1, .01);
    sounds_loop(sounds, SOUND_BOOM, 0);
    sounds_loop(sounds, SOUND_THRUST, 0);
    sounds_pause(sounds, false);
    pass(.2);
    record();
    listen(.1);
    ck_assert_double_gt(heard_left(), 0); // the tune goes on
}

/* Without a device */

/// Runs sounds_open() and returns its message.
static const char *said(const char *driver, const char *directory) {
    static char words[4096];
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    close_sounds();
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    sounds = open_with(driver, directory);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    words[fread(words, 1, sizeof words - 1, file)] = '\0';
    fclose(file);
    return words;
}

static void is_silent(const char *driver, const char *directory, const char *reason) {
    const char *words = said(driver, directory);
    ck_assert_ptr_null(sounds);
    ck_assert_msg(strncmp(words, "pixverlet-demo: no sound: ", 26) == 0 && strstr(words, reason),
                  "%s", words);
    ck_assert_msg(strchr(words, '\n') == words + strlen(words) - 1, "more than a line: %s", words);
    ck_assert_uint_eq(SDL_WasInit(SDL_INIT_AUDIO), 0);
}

START_TEST(no_device_is_one_line_and_silence) {
    is_silent("nosuch", FILES, "nosuch");
    sounds_play(NULL, SOUND_FIRE, 1, 0);
    sounds_loop(NULL, SOUND_THRUST, 1);
    sounds_mute(NULL, true);
    sounds_pause(NULL, true);
    sounds_close(NULL);
}

START_TEST(this_machine_is_heard_or_silent) {
    const char *words = said(NULL, FILES);
    if (!sounds)
        ck_assert_msg(strchr(words, '\n') == words + strlen(words) - 1, "too long: %s", words);
}

START_TEST(missing_and_broken_files_are_one_line_and_silence) {
    char directory[] = "sounds-test.XXXXXX", path[600], target[600];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    is_silent("dummy", directory, "fire.wav");
    for (int i = 0; i < SOUND_COUNT + TAKES; i++) {
        snprintf(path, sizeof path, "%s/%s.wav", directory, name_at(i));
        snprintf(target, sizeof target, "%s/%s.wav", FILES, name_at(i));
        if (i != SOUND_OVER) ck_assert_int_eq(symlink(target, path), 0);
    }
    is_silent("dummy", directory, "over.wav");
    snprintf(path, sizeof path, "%s/over.wav", directory);
    FILE *file = fopen(path, "wb");
    fputs("RIFF, but no more", file);
    fclose(file);
    is_silent("dummy", directory, "");
    for (int i = 0; i < SOUND_COUNT + TAKES; i++) {
        snprintf(path, sizeof path, "%s/%s.wav", directory, name_at(i));
        remove(path);
    }
    ck_assert_int_eq(rmdir(directory), 0);
}

START_TEST(it_opens_again_after_it_was_closed) {
    for (int i = 0; i < 3; i++) {
        sounds_play(sounds, SOUND_BOOM, 1, 0);
        sounds_loop(sounds, SOUND_THRUST, 1);
        SDL_Delay(30);
        close_sounds();
        ck_assert_uint_eq(SDL_WasInit(SDL_INIT_AUDIO), 0);
        open_dummy();
    }
}

START_TEST(it_is_closed_even_when_sdl_has_quit) {
    sounds_play(sounds, SOUND_BOOM, 1, 0);
    sounds_loop(sounds, SOUND_THRUST, 1);
    SDL_Quit();
    sounds_play(sounds, SOUND_BITE, 1, 1);
}

RUN_TESTS_IN("sounds", open_dummy, close_sounds, 1)
