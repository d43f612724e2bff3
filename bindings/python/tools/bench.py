"""bench.py - what masks and steps cost in Python: rows of name, value, unit and peer.

The peer of a mask's operation is pygame's mask, measured in turns in the same run. The peer of a step is the same
world stepped by C. Times are processor times, the shortest of all rounds, which other programs disturb least.
--json prints one object per row; --only NAME selects rows.

SPDX-License-Identifier: Zlib
"""

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import time
import timeit

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pixverlet
import pixverlet.mask

try:
    import pygame
except ImportError:
    sys.exit("bench.py needs pygame to compare with (Debian package python3-pygame)")

SIDES = (16, 48, 128, 512)
ROUNDS = 15

# Operations by name; m and n are discs, holes is a disc with holes, s a surface of 32 bits.
OPERATIONS = {
    "create": "Mask(size)",
    "create filled": "Mask(size, True)",
    "copy": "m.copy()",
    "get_size": "m.get_size()",
    "get_rect": "m.get_rect()",
    "get_at": "m.get_at((3, 5))",
    "set_at": "m.set_at((3, 5), 1)",
    "overlap, apart": "m.overlap(n, (9999, 0))",
    "overlap, early": "full.overlap(full2, (3, 2))",
    "overlap, late": "m.overlap(n, late)",
    "overlap, none": "stripes.overlap(stripes2, (3, 0))",
    "overlap_area": "m.overlap_area(n, (3, 2))",
    "overlap_mask": "m.overlap_mask(n, (3, 2))",
    "fill": "work.fill()",
    "clear": "work.clear()",
    "invert": "work.invert()",
    "draw": "work.draw(n, (3, 2))",
    "erase": "work.erase(n, (3, 2))",
    "scale up": "m.scale(larger)",
    "scale down": "m.scale(smaller)",
    "count": "m.count()",
    "centroid": "m.centroid()",
    "angle": "m.angle()",
    "outline": "m.outline()",
    "convolve": "m.convolve(brush)",
    "connected_component": "holes.connected_component()",
    "connected_component at": "holes.connected_component(middle)",
    "connected_components": "holes.connected_components()",
    "get_bounding_rects": "holes.get_bounding_rects()",
    "from_surface": "from_surface(s)",
    "from_surface, key": "from_surface(keyed)",
    "from_threshold": "from_threshold(s, (90, 90, 90), (40, 40, 40, 255))",
    "from_threshold, other": "from_threshold(s, (0, 0, 0), (40, 40, 40, 255), s)",
    "to_surface": "m.to_surface()",
    "to_surface, given": "m.to_surface(s2)",
    "to_surface, set": "m.to_surface(s2, setsurface=s, unsetcolor=None)",
}


def disc(mask, side):
    """Fills a disc with one draw per row."""
    for y in range(side):
        reach = math.isqrt(max(0, side * side - (2 * y + 1 - side) ** 2)) // 2
        if reach:
            mask.draw(type(mask)((2 * reach, 1), True), (side // 2 - reach, y))
    return mask


def surface(side, keyed):
    draw = random.Random(3)
    made = pygame.Surface((side, side), 0 if keyed else pygame.SRCALPHA, 32)
    for y in range(side):
        for x in range(side):
            made.set_at((x, y), [draw.randrange(256) for _ in range(3)] + [255 if (x - y) % 9 < 6 else 0])
    if keyed:
        made.set_colorkey(made.get_at((0, 0)))
    return made


def names(module, side, surfaces):
    """Returns the names that operations use, for one of the two modules."""
    kind = module.Mask
    columns = kind((side, side))
    for x in range(0, side, 2):
        columns.draw(kind((1, side), True), (x, 0))
    holes = disc(kind((side, side)), side)
    for x in range(0, side, 16):
        holes.erase(kind((3, side), True), (x, 0))
    return {
        "Mask": kind, "from_surface": module.from_surface, "from_threshold": module.from_threshold, "size": (side, side),
        "m": disc(kind((side, side)), side), "n": disc(kind((side, side)), side), "work": kind((side, side), True),
        "full": kind((side, side), True), "full2": kind((side, side), True), "stripes": columns, "stripes2": columns.copy(),
        "holes": holes, "brush": disc(kind((9, 9)), 9), "middle": (side // 2, side // 2), "late": (side * 2 // 3, side * 2 // 3), "larger": (side * 3 // 2, side * 3 // 2),
        "smaller": (side * 2 // 3, side * 2 // 3), "s": surfaces[0], "s2": surfaces[0].copy(), "keyed": surfaces[1],
    }


def rounds(statements):
    """Returns the shortest time of each statement [s], measured in turns."""
    timers = [timeit.Timer(words, timer=time.process_time, globals=names) for words, names in statements]
    calls = 1
    while timers[-1].timeit(calls) < 1e-3:
        calls *= 2
    times = [[timer.timeit(calls) / calls for timer in timers] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*times)]


def masks():
    for side in SIDES:
        surfaces = surface(side, False), surface(side, True)
        ours, theirs = names(pixverlet.mask, side, surfaces), names(pygame.mask, side, surfaces)
        for name, words in OPERATIONS.items():
            pair = [(words, ours), (words, theirs)]
            yield f"mask {side}: {name}", lambda pair=pair: (*rounds(pair), "pygame")


def children_seconds():
    """Returns the processor time of child processes [s]."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def heap_step():
    """Steps 300 sprites at rest in heaps, from one snapshot, in Python and in C."""
    with pixverlet.World(gravity=(0, 300), enable_sleep=False) as world:
        world.create_body(pixverlet.Mask((700, 20), True), (350, 400), "static")
        sprite = disc(pixverlet.Mask((18, 18)), 18)
        for i in range(300):
            world.create_body(sprite, (20 + 22 * (i % 30), 370 - 20 * (i // 30)), "dynamic")
        for _ in range(30):
            world.step(1 / 60)
        snapshot = world.save(pixels=True)
        path = os.path.join(os.environ.get("PIXVERLET_BUILD", "."), "python", "heap.snapshot")
        with open(path, "wb") as file:
            file.write(snapshot)
        peer = os.path.join(os.environ.get("PIXVERLET_BUILD", "."), "tests", "web_peer")
        steps, ours, theirs, started = 1500, [], [], []

        def native(count):
            begin = children_seconds()
            subprocess.run([peer, "resume", path, str(count)], capture_output=True, check=True)
            return children_seconds() - begin

        for _ in range(7):
            world.restore(snapshot)
            begin = time.process_time()
            for _ in range(steps):
                world.step(1 / 60)
            ours.append(time.process_time() - begin)
            theirs.append(native(steps))
            started.append(native(0))
    return min(ours) / steps, (min(theirs) - min(started)) / steps, "C"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one object a row")
    parser.add_argument("--only", default="", metavar="NAME", help="rows whose names contain NAME")
    options = parser.parse_args()
    for name, measure in [*masks(), ("step of 300 sprites", heap_step)]:
        if options.only not in name:
            continue
        ours, theirs, peer = measure()
        if options.json:
            row = {"name": name, "value": ours * 1e9, "unit": "ns", "peer": peer, "peer_value": theirs * 1e9}
            print(json.dumps(row), flush=True)
        else:
            print(f"{name:44} {ours * 1e9:12.0f} ns  {peer} {theirs * 1e9:12.0f} ns  {theirs / ours:7.2f} x", flush=True)


if __name__ == "__main__":
    main()
