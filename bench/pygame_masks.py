"""What pygame's masks take for the operations of speed_masks.c: lines of operation, size, nanoseconds.

The interpreter's part is subtracted. It is measured with masks so far apart that the C function returns at
once; timeit runs the loop. Pictures and offsets are those of speed_masks.c.

SPDX-License-Identifier: Zlib
"""

import math
import os
import random
import statistics
import timeit

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
import pygame  # noqa: E402


def nanoseconds(statement, names):
    """The median of 9 rounds of about a millisecond each."""
    timer = timeit.Timer(statement, globals=names)
    calls = 1
    while timer.timeit(calls) < 1e-3:
        calls *= 2
    return 1e9 * statistics.median(timer.repeat(9, calls)) / calls


def stripes(size):
    mask, line = pygame.mask.Mask((size, size)), pygame.mask.Mask((1, size), fill=True)
    for x in range(0, size, 2):
        mask.draw(line, (x, 0))
    return mask


def disc(size):
    mask = pygame.mask.Mask((size, size))
    for y in range(size):
        reach = math.isqrt(max(0, size * size - (2 * y + 1 - size) ** 2)) // 2
        if reach:
            mask.draw(pygame.mask.Mask((2 * reach, 1), fill=True), (size // 2 - reach, y))
    return mask


def offsets(size):
    draw = random.Random(1)
    return [(2 * draw.randrange(size) + 1 - size, draw.randrange(2 * size - 1) + 1 - size) for _ in range(4096)]


def measure(size):
    full = pygame.mask.Mask((size, size), fill=True)
    surface = full.to_surface(setcolor=(9, 9, 9, 255), unsetcolor=(0, 0, 0, 0))
    names = {"pygame": pygame, "surface": surface, "far": (9999, 9999), "near": (3, 0), "at": (3, 2)}
    names.update(full=full, stripes=stripes(size), disc=disc(size))
    names.update(stripes2=stripes(size), disc2=disc(size), full2=full.copy(), places=offsets(size))
    names.update(left=(2, 2), right=(4, 2), up=(3, 1), down=(3, 3))
    empty = nanoseconds("full.overlap(full2, far)", names)
    loop = nanoseconds("for p in places: full.overlap(full2, far)", names)
    four = "; ".join("full.overlap_area(full2, %s)" % side for side in ("left", "right", "up", "down"))
    yield "miss", nanoseconds("stripes.overlap(stripes2, near)", names) - empty
    yield "early", nanoseconds("full.overlap(full2, near)", names) - empty
    yield "random", (nanoseconds("for p in places: stripes.overlap(stripes2, p)", names) - loop) / 4096
    yield "discs", (nanoseconds("for p in places: disc.overlap(disc2, p)", names) - loop) / 4096
    yield "area", nanoseconds("full.overlap_area(full2, at)", names) - empty
    yield "gradient", nanoseconds(four, names) - 4 * empty
    yield "rotate", nanoseconds("pygame.mask.from_surface(pygame.transform.rotate(surface, 30))", names) - empty
    yield "rgba", nanoseconds("pygame.mask.from_surface(surface)", names) - empty


for side in (16, 32, 64, 128, 256, 512):
    for operation, time in measure(side):
        print(operation, side, "%.6g" % max(time, 0))
