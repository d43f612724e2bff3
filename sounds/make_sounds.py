#!/usr/bin/env python3
# make_sounds.py - synthesises every WAV of this directory, from nothing but code.
#
# Job: one function per sound, each returning a list of samples; main() levels
# them, checks them against the promises of README.md and writes them next to
# this file, or into the directory named on the command line.
#
# Invariant: the files are the same bytes from every Python on every machine.
# Samples come from + - * / and sqrt of doubles, in the order written here: no
# sine, power or exponential of the C library, no sum() (which newer Pythons
# compensate), no clock, no system randomness, no third-party module.

import math
import os
import struct
import sys

RATE = 22050  # samples a second
FULL = 32767.0
CEILING = 0.65  # no sample is louder; -3 dB would be 0.708
LOUDNESS = 0.16  # RMS of the loudest 50 ms before a sound's own gain: -16 dB

# --------------------------------------------------------------------------
# Small maths
# --------------------------------------------------------------------------


def sine(turns):
    """sin(2 pi turns), within 1e-7."""
    x = turns - math.floor(turns + 0.5)
    if x > 0.25:
        x = 0.5 - x
    elif x < -0.25:
        x = -0.5 - x
    z = x * 6.283185307179586
    q = z * z
    p = 1 - q / 110
    for divisor in (72, 42, 20, 6):
        p = 1 - q / divisor * p
    return z * p


def power2(x):
    """2 to the x, within 1e-9."""
    whole = math.floor(x)
    t = (x - whole) * 0.6931471805599453
    p = 1.0
    for divisor in range(10, 0, -1):
        p = 1 + t / divisor * p
    return math.ldexp(p, whole)


def between(start, end, part):
    """From start to end by equal ratios; part in 0..1."""
    return start * power2(part * log2(end / start))


def log2(x):
    """The exponent that power2() makes x of, by bisection."""
    low, high = -20.0, 20.0
    for _ in range(48):
        middle = (low + high) / 2
        if power2(middle) < x:
            low = middle
        else:
            high = middle
    return low


def note(semitones):
    """Hz of a note so many semitones above middle C."""
    return 261.6255653 * power2(semitones / 12)


# --------------------------------------------------------------------------
# Samples: lists of floats
# --------------------------------------------------------------------------


class Dice:
    """Seeded numbers (xorshift32), the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        """In 0..1."""
        x = self.state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self.state = x
        return x / 4294967296.0

    def within(self, low, high):
        return low + (high - low) * self.unit()


def count(seconds):
    return int(seconds * RATE + 0.5)


def silence(seconds):
    return [0.0] * count(seconds)


def noise(seconds, seed):
    dice = Dice(seed)
    return [dice.within(-1, 1) for _ in range(count(seconds))]


def tone(seconds, pitch, harmonics=(1.0,)):
    """A tone of sines; pitch is in Hz, or a (start, end) that it glides along."""
    n = count(seconds)
    start, end = pitch if isinstance(pitch, tuple) else (pitch, pitch)
    step, ratio = start / RATE, power2(log2(end / start) / n)
    turns, samples = 0.0, []
    for _ in range(n):
        value = 0.0
        for i, part in enumerate(harmonics):
            value += part * sine(turns * (i + 1))
        samples.append(value)
        turns += step
        step *= ratio
    return samples


def faded(samples, attack, half, release=0.01):
    """Swells in `attack` seconds, falls to half every `half`, and ends in nothing."""
    n, rise, fall = len(samples), count(attack), count(release)
    decay, level = power2(-1 / (half * RATE)), 1.0
    shaped = []
    for i, value in enumerate(samples):
        edge = 1.0
        if i < rise:
            edge = 0.5 - 0.5 * sine(0.25 + 0.5 * i / rise)
        if n - 1 - i < fall:
            edge *= 0.5 - 0.5 * sine(0.25 + 0.5 * (n - 1 - i) / fall)
        shaped.append(value * edge * level)
        if i >= rise:
            level *= decay
    return shaped


def filtered(samples, cutoff, band=False, damping=1.4):
    """A state-variable filter: what is below the cutoff, or the band around it.

    cutoff is in Hz, or a (start, end) that it glides along; a low damping rings."""
    start, end = cutoff if isinstance(cutoff, tuple) else (cutoff, cutoff)
    hertz, ratio = start, power2(log2(end / start) / len(samples) * 16)
    one = two = 0.0
    passed = []
    for i, value in enumerate(samples):
        if i % 16 == 0:
            turns = min(hertz, RATE * 0.45) / (2 * RATE)
            g = sine(turns) / sine(turns + 0.25)
            k = 1 / (1 + g * (g + damping))
            hertz *= ratio
        middle = (one + g * (value - two)) * k
        low = two + g * middle
        one, two = 2 * middle - one, 2 * low - two
        passed.append(damping * middle if band else low)
    return passed


def mix(into, samples, gain=1.0, at=0.0):
    """Adds samples that begin `at` seconds; what does not fit is an error."""
    begin = count(at)
    for i, value in enumerate(samples):
        into[begin + i] += value * gain
    return into


def grains(into, seed, number, span, hertz, half):
    """Crumbling: short bursts of noise, thick at first, thinner and softer until `span` seconds."""
    dice = Dice(seed)
    for _ in range(number):
        part = dice.unit()
        part *= part
        pitch = between(hertz[0], hertz[1], dice.unit())
        seconds = half * 6
        burst = filtered(noise(seconds, 1 + int(dice.unit() * 4e9)), pitch, band=True, damping=0.5)
        mix(into, faded(burst, 0.001, half), dice.within(0.4, 1) * (1 - 0.75 * part), part * (span - seconds))
    return into


def plucked(seconds, hertz, half):
    """A note of a music box: high harmonics die first."""
    sound = faded(tone(seconds, hertz), 0.004, half, 0.03)
    for harmonic, gain, share in ((2, 0.45, 0.6), (3, 0.2, 0.4), (4, 0.12, 0.25), (6, 0.05, 0.15)):
        mix(sound, faded(tone(seconds, hertz * harmonic), 0.002, half * share, 0.03), gain)
    return sound


def tune(seconds, notes, half):
    """Plucked notes as (begin, semitones, gain), with a soft echo."""
    sound = silence(seconds)
    for begin, semitones, gain in notes:
        for delay, share in ((0, 1.0), (0.11, 0.25), (0.22, 0.09)):
            left = (count(seconds) - count(begin + delay)) / RATE
            if left > 0.04:
                mix(sound, plucked(left, note(semitones), half), gain * share, begin + delay)
    return sound


# --------------------------------------------------------------------------
# The sounds
# --------------------------------------------------------------------------


def fire(take=0):
    top, air = (900, 830, 985)[take], (3200, 2700, 3700)[take]
    sound = faded(tone(0.26, (top, 170), (1, 0.35, 0.12)), 0.004, 0.05)
    whoosh = filtered(noise(0.26, 11 + take), (air, 500), band=True, damping=0.8)
    return mix(sound, faded(whoosh, 0.008, 0.06, 0.03), 0.9)


def thrust():
    """What was filtered over two rounds has settled in the second: its end goes on at its beginning."""
    seconds = 1.2
    once = noise(seconds, 21)
    rumble = filtered(filtered(once + once, 300), 600)[len(once):]
    hiss = filtered(once + once, 900, band=True, damping=1.2)[len(once):]
    throb = tone(seconds, 55, (1, 0.5, 0.3))  # 66 whole turns
    slow = tone(seconds, 10)  # 12 of them
    return [
        (2.0 * a + 0.35 * b + 0.15 * c) * (1 + 0.12 * d)
        for a, b, c, d in zip(rumble, hiss, throb, slow)
    ]


def bite(take=0):
    sound = grains(silence(0.2), 31 + take, 11, 0.2, (900, 2600), 0.011)
    thump = (220, 190, 255)[take]
    return mix(sound, faded(tone(0.2, (thump, 90), (1, 0.4, 0.15)), 0.003, 0.03), 0.5)


def break_(take=0):
    sound = grains(silence(0.7), 41 + 4 * take, 34, 0.68, (350, 2200), 0.016)
    rumble = filtered(filtered(noise(0.7, 42 + 4 * take), 300), (700, 150))
    mix(sound, faded(rumble, 0.004, 0.14, 0.08), 1.8)
    fall = (130, 112, 150)[take]
    return mix(sound, faded(tone(0.7, (fall, 45), (1, 0.4, 0.15)), 0.003, 0.07, 0.05), 0.6)


def bump():
    sound = silence(0.18)
    for hertz, gain, half in ((172, 1.0, 0.03), (283, 0.65, 0.022), (465, 0.4, 0.014), (753, 0.2, 0.008)):
        mix(sound, faded(tone(0.18, (hertz * 1.06, hertz)), 0.002, half, 0.02), gain)
    return mix(sound, faded(filtered(noise(0.03, 51), 1200), 0.001, 0.004), 0.8)


def boom():
    sound = filtered(noise(1.5, 61), (2600, 70), damping=1.2)
    sound = faded(filtered(sound, (4000, 200)), 0.005, 0.24, 0.15)
    mix(sound, faded(tone(1.5, (110, 34), (1, 0.5, 0.2)), 0.004, 0.2, 0.15), 0.8)
    rattle = grains(silence(1.0), 62, 26, 1.0, (200, 1100), 0.03)
    return mix(sound, rattle, 0.5, 0.05)


def shield():
    sound = silence(0.4)
    for ratio, gain, half in ((1, 1.0, 0.08), (1.5, 0.5, 0.07), (2.41, 0.4, 0.05), (3.86, 0.2, 0.035)):
        mix(sound, faded(tone(0.4, 440 * ratio), 0.003, half, 0.04), gain)
    shimmer = tone(0.4, 24)
    sound = [a * (1 + 0.35 * b) for a, b in zip(sound, shimmer)]
    sweep = filtered(noise(0.2, 71), (600, 3000), band=True, damping=0.3)
    return mix(sound, faded(sweep, 0.01, 0.05, 0.05), 0.35)


def wave():
    return tune(0.75, ((0, 0, 0.8), (0.09, 4, 0.85), (0.18, 7, 0.9), (0.27, 12, 1.0)), 0.08)


def life():
    return tune(0.8, ((0, 19, 0.7), (0.07, 16, 0.7), (0.14, 19, 0.8), (0.21, 24, 1.0), (0.21, 12, 0.5)), 0.1)


def pick():
    sound = faded(tone(0.06, 1050), 0.002, 0.009)
    return mix(sound, faded(tone(0.06, 525), 0.002, 0.012), 0.5)


def over():
    sound = tune(1.5, ((0, 7, 0.9), (0.2, 3, 0.9), (0.4, 0, 0.95)), 0.12)
    slide = faded(tone(0.85, (note(-4), note(-9)), (1, 0.4, 0.25, 0.1)), 0.02, 0.2, 0.2)
    return mix(sound, slide, 0.9, 0.62)


def beat(hertz):
    sound = faded(tone(0.2, (hertz * 1.5, hertz * 0.94), (1, 0.7, 0.5, 0.3, 0.15)), 0.006, 0.045, 0.04)
    return mix(sound, faded(filtered(noise(0.04, 81), 500), 0.002, 0.006), 0.4)


def beat_low():
    return beat(82)


def beat_high():
    return beat(98)


def gem():
    return tune(0.9, ((0, 24, 0.8), (0.06, 31, 0.7), (0.13, 28, 0.8), (0.2, 36, 0.9)), 0.09)


def snap():
    """A string that breaks: two notes that fall apart."""
    sound = faded(tone(0.3, (620, 300), (1, 0.5, 0.3)), 0.002, 0.035, 0.05)
    mix(sound, faded(tone(0.3, (655, 210), (1, 0.5, 0.3)), 0.002, 0.045, 0.05), 0.8)
    return mix(sound, faded(filtered(noise(0.04, 91), 2500, band=True), 0.001, 0.006), 0.8)


def hiss():
    steam = filtered(noise(0.9, 101), (6500, 1400), band=True, damping=1.1)
    sound = faded(steam, 0.02, 0.16, 0.2)
    return mix(sound, faded(tone(0.9, (150, 60), (1, 0.5)), 0.005, 0.06, 0.1), 0.35)


def laser():
    hum = tone(0.5, (1400, 240), (1, 0.6, 0.45, 0.3, 0.2))
    slow = tone(0.5, 46)
    sound = faded([a * (1 + 0.4 * b) for a, b in zip(hum, slow)], 0.004, 0.12, 0.08)
    sizzle = filtered(noise(0.5, 111), (7000, 2500), band=True, damping=0.4)
    return mix(sound, faded(sizzle, 0.01, 0.1, 0.08), 0.8)


def patch():
    sound = faded(tone(0.22, (480, 760), (1, 0.3)), 0.004, 0.05, 0.04)
    return mix(sound, faded(tone(0.14, (900, 1200), (1, 0.2)), 0.004, 0.03, 0.03), 0.6, 0.07)


# Every sound, and its gain in loudness: 1 is like the others.
SOUNDS = {
    "fire": (fire, 0.8),
    "thrust": (thrust, 0.9),
    "bite": (bite, 0.9),
    "break": (break_, 1.1),
    "bump": (bump, 1.1),
    "boom": (boom, 1.4),
    "shield": (shield, 0.8),
    "wave": (wave, 0.8),
    "life": (life, 0.8),
    "pick": (pick, 0.6),
    "over": (over, 0.9),
    "beat_low": (beat_low, 1.2),
    "beat_high": (beat_high, 1.2),
    "fire_2": (lambda: fire(1), 0.8),
    "fire_3": (lambda: fire(2), 0.8),
    "bite_2": (lambda: bite(1), 0.9),
    "bite_3": (lambda: bite(2), 0.9),
    "break_2": (lambda: break_(1), 1.1),
    "break_3": (lambda: break_(2), 1.1),
    "gem": (gem, 0.9),
    "snap": (snap, 0.8),
    "hiss": (hiss, 0.8),
    "laser": (laser, 0.9),
    "patch": (patch, 0.8),
}
LOOPS = ("thrust",)

# --------------------------------------------------------------------------
# Levels, checks, files
# --------------------------------------------------------------------------


def loudest(samples):
    """RMS of the loudest 50 ms, or of all of a shorter sound."""
    window = min(count(0.05), len(samples))
    total = best = 0.0
    for i, value in enumerate(samples):
        total += value * value
        if i >= window:
            total -= samples[i - window] * samples[i - window]
        best = max(best, total)
    return math.sqrt(best / window)


def limited(samples, gain):
    """As loud as the gain says, with peaks bent below the ceiling as a tape would."""
    louder = (value * gain / CEILING for value in samples)
    return [CEILING * x / math.sqrt(1 + x * x) for x in louder]


def levelled(samples, loudness):
    """Samples of 16 bits; bending takes loudness, so it is approached."""
    gain = 1.0
    for _ in range(6):
        gain *= loudness / loudest(limited(samples, gain))
    return [math.floor(value * FULL + 0.5) for value in limited(samples, gain)]


def complaints(name, samples):
    """What is wrong with a sound, as a list of sentences."""
    wrong = []
    peak = max(abs(value) for value in samples)
    if peak > FULL * 0.7:
        wrong.append("peaks above -3 dB")
    if peak < FULL * 0.2:
        wrong.append("too soft")
    if name in LOOPS:
        steps = [abs(b - a) for a, b in zip(samples, samples[1:])]
        if abs(samples[0] - samples[-1]) > max(steps):
            wrong.append("its seam can be heard")
    else:
        if max(abs(value) for value in samples[:4]) > peak * 0.05:
            wrong.append("begins with a click")
        if max(abs(value) for value in samples[-20:]) > peak * 0.01:
            wrong.append("ends with a click")
    return wrong


def wav(samples):
    """The bytes of a WAV file: mono, 16 bits."""
    data = struct.pack("<%dh" % len(samples), *samples)
    form = struct.pack("<HHIIHH", 1, 1, RATE, RATE * 2, 2, 16)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    failed = False
    for name, (synthesise, gain) in SOUNDS.items():
        samples = levelled(synthesise(), LOUDNESS * gain)
        for sentence in complaints(name, samples):
            print("%s.wav: %s" % (name, sentence), file=sys.stderr)
            failed = True
        with open(os.path.join(where, name + ".wav"), "wb") as out:
            out.write(wav(samples))
    print("%d sounds written to %s" % (len(SOUNDS), where))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
