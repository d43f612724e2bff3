"""fuzz.py - calls everything at random, with right and wrong arguments, for some seconds: no call may crash.

Usage: fuzz.py [SECONDS [SEED]]. A run under a sanitizer shows what a crash would hide; python.mk tells how.

SPDX-License-Identifier: Zlib
"""

import os
import random
import sys
import time

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pixverlet

try:
    import pygame
except ImportError:
    pygame = None

KEEP = 40


class Odd:
    """An object that misbehaves when it is asked for a number."""

    def __init__(self, act):
        self.act = act

    def __float__(self):
        self.act()
        return 1.0

    def __index__(self):
        self.act()
        return 3


class Fuzz:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.objects = [pixverlet.World(gravity=(0, 300)), pixverlet.Mask((20, 20), True)]
        self.calls = self.refused = 0

    def number(self):
        return self.draw.choice(
            [0, 1, -1, 7, 64, 300, 0.5, -2.5, 1 / 60, 1e9, -1e300, float("nan"), float("inf"), 1 << 31, 1 << 70, self.draw.random() * 100]
        )

    def pick(self, kind=object):
        found = [thing for thing in self.objects if isinstance(thing, kind)]
        return self.draw.choice(found) if found else None

    def odd(self):
        world, mask = self.pick(pixverlet.World), self.pick(pixverlet.Mask)
        return Odd(self.draw.choice([lambda: world and world.close(), lambda: mask and mask.clear(), lambda: 1 / 0]))

    def value(self):
        draw = self.draw
        kind = draw.randrange(14)
        if kind < 4:
            return (draw.uniform(-20, 120), draw.uniform(-20, 120))
        if kind < 6:
            return self.number()
        if kind == 6:
            return self.pick()
        if kind == 7:
            return self.pick(pixverlet.Handle)
        if kind == 8:
            return self.pick(pixverlet.Mask)
        if kind == 9:
            return draw.choice(["dynamic", "static", "circle", "line", "pin", "rope", "closest", "all", "", "x" * 500, None, True, False, b"abc"])
        if kind == 10:
            return tuple(self.value() for _ in range(draw.randrange(5)))
        if kind == 11:
            return [(draw.uniform(0, 90), draw.uniform(0, 90)) for _ in range(draw.randrange(7))]
        if kind == 12:
            return draw.choice([{}, {"position": (1, 2)}, {"mask": self.pick(pixverlet.Mask)}, {1: 2}, {"radius": self.number()}])
        return draw.choice([self.odd(), (self.odd(), 1), lambda *a: draw.choice([True, False, None, "ignore", 7]), bytes(64)])

    NAMES = ["mask", "position", "type", "radius", "from_", "to", "points", "length", "a", "b", "picture", "include_sensors", "angle", "filter", "bogus"]

    def body(self):
        world = self.pick(pixverlet.World)
        mask = pixverlet.Mask((self.draw.randrange(1, 40), self.draw.randrange(1, 40)), True)
        return world.create_body(mask, (self.draw.uniform(0, 99), self.draw.uniform(0, 99)), self.draw.choice(["dynamic", "static"]))

    def random_call(self):
        draw, thing = self.draw, self.pick()
        name = draw.choice([name for name in dir(thing) if not name.startswith("__") or name in ("__copy__", "__enter__")])
        method = getattr(thing, name)
        if not callable(method):
            if draw.random() < 0.5:
                setattr(thing, name, self.value())
            return method
        words = {draw.choice(self.NAMES): self.value() for _ in range(draw.choice([0, 0, 0, 1, 2]))}
        return method(*[self.value() for _ in range(draw.randrange(5))], **words)

    def act(self):
        draw = self.draw
        kind = draw.randrange(20)
        if kind == 0:
            return pixverlet.World(gravity=(0, draw.choice([0, 300])))
        if kind == 1:
            return pixverlet.Mask((draw.randrange(0, 90), draw.randrange(0, 90)), draw.random() < 0.7)
        if kind < 5:
            return self.body()
        if kind == 5:
            return self.pick(pixverlet.World).step(1 / 60)
        if kind == 6:
            return self.pick(pixverlet.World).restore(self.pick(pixverlet.World).save(draw.random() < 0.7))
        if kind == 7:
            at = (draw.uniform(0, 99), draw.uniform(0, 99))
            return self.pick(pixverlet.World).carve("circle", from_=at, radius=draw.uniform(1, 20))
        if kind == 8 and pygame:
            surface = pygame.Surface((draw.randrange(90), draw.randrange(90)), draw.choice([0, pygame.SRCALPHA]), draw.choice([8, 16, 24, 32]))
            return draw.choice(
                [
                    lambda: pixverlet.from_surface(surface, 100),
                    lambda: self.pick(pixverlet.Mask).to_surface(surface, setcolor=self.value()),
                    lambda: self.pick(pixverlet.World).draw(surface, self.value()),
                    lambda: setattr(self.pick(pixverlet.Body), "picture", surface),
                    lambda: pixverlet.from_threshold(surface, self.value(), (9, 9, 9), draw.choice([None, surface])),
                ]
            )()
        if kind == 9:
            return memoryview(self.pick(pixverlet.Mask))
        return self.random_call()

    def once(self):
        self.calls += 1
        try:
            made = self.act()
        except (Exception, SystemError) as error:
            if isinstance(error, SystemError):
                raise
            self.refused += 1
            return
        if isinstance(made, list):
            made = made[0] if made else None
        if isinstance(made, (pixverlet.World, pixverlet.Mask, pixverlet.Handle, memoryview)):
            self.objects.append(made)
        while len(self.objects) > KEEP:
            del self.objects[self.draw.randrange(len(self.objects))]
        for kind, make in ((pixverlet.World, pixverlet.World), (pixverlet.Mask, lambda: pixverlet.Mask((9, 9), True))):
            if not self.pick(kind):
                self.objects.append(make())


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 15
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    fuzz, end = Fuzz(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        fuzz.once()
    print(f"{fuzz.calls} calls with seed {seed}, {fuzz.refused} refused, no crash")


main()
