"""fuzz.py - calls everything at random, with right and wrong arguments, for some seconds: no call may crash.

Usage: fuzz.py [SECONDS [SEED]]. A sanitizer finds errors that do not crash; python.mk tells how.

SPDX-License-Identifier: Zlib
"""

import os
import random
import sys
import tempfile
import time

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pixverlet

try:
    import pygame
except ImportError:
    pygame = None

KEEP = 60
CLASSES = [
    pixverlet.Mask, pixverlet.Image, pixverlet.Frames, pixverlet.MaterialMap, pixverlet.Group, pixverlet.Parts,
    pixverlet.Outline, pixverlet.Placed, pixverlet.Rotation, pixverlet.Transform, pixverlet.Swept, pixverlet.Pose,
]
KINDS = (pixverlet.World, pixverlet.Handle, pixverlet.Mover, memoryview, *CLASSES)


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
        kind = draw.randrange(17)
        if kind == 14:
            return self.pick(draw.choice(CLASSES))
        if kind == 15:
            return draw.choice([self.placed, self.bytes, lambda: memoryview(bytes(60)).cast("B", (6, 10))])()
        if kind == 16:
            return [self.pick(draw.choice([pixverlet.Particle, pixverlet.Placed])) for _ in range(3)]
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
            return draw.choice(["dynamic", "static", "circle", "square", "red", "or", "xor", "4", "8", "pingpong", "line", "pin", "rope", "closest", "all", "", "x" * 500, None, True, False, b"abc"])
        if kind == 10:
            return tuple(self.value() for _ in range(draw.randrange(5)))
        if kind == 11:
            return [(draw.uniform(0, 90), draw.uniform(0, 90)) for _ in range(draw.randrange(7))]
        if kind == 12:
            return draw.choice([{}, {"position": (1, 2)}, {"mask": self.pick(pixverlet.Mask)}, {1: 2}, {"radius": self.number()}])
        return draw.choice([self.odd(), (self.odd(), 1), lambda *a: draw.choice([True, False, None, "ignore", 7]), bytes(64)])

    def placed(self):
        mask = self.pick(pixverlet.Mask)
        return self.draw.choice([(mask, {}), {"mask": mask, "transform": {"position": (self.number(), 3)}}])

    def bytes(self):
        made = bytearray(self.pick(pixverlet.Mask).serialize())
        for _ in range(self.draw.randrange(3)):
            made[self.draw.randrange(len(made))] ^= 1 << self.draw.randrange(8)
        return bytes(made)

    NAMES = ["corners", "uv", "image", "surface", "transform", "color_function", "material_map", "colors", "rect", "function", "name", "first", "last",
             "mask", "position", "type", "radius", "from_", "to", "points", "length", "a", "b", "picture", "include_sensors", "angle", "filter", "bogus"]

    def body(self):
        world = self.pick(pixverlet.World)
        mask = pixverlet.Mask((self.draw.randrange(1, 40), self.draw.randrange(1, 40)), True)
        return world.create_body(mask, (self.draw.uniform(0, 99), self.draw.uniform(0, 99)), self.draw.choice(["dynamic", "static"]))

    def make(self):
        """Makes an object of a class with or without a world, with arguments that fit."""
        draw, mask, world = self.draw, self.pick(pixverlet.Mask), self.pick(pixverlet.World)
        side = draw.randrange(1, 30)
        image = self.pick(pixverlet.Image) or pixverlet.Image.create(side, side)
        color = draw.choice([lambda *_: draw.randrange(1 << 32), lambda *_: 1 / 0, lambda *_: world.close(), None])
        plane = memoryview(bytes(range(20)) * side).cast("B", (side, 20))
        return draw.choice(
            [
                lambda: pixverlet.Image.create(side, side),
                lambda: pixverlet.Frames.from_grid(image, side, side),
                lambda: pixverlet.MaterialMap.from_image(image, "red", "none"),
                lambda: pixverlet.MaterialMap.from_bytes(plane, draw.choice([None, plane])),
                lambda: pixverlet.Group.create(side),
                lambda: self.pick(pixverlet.Group).add(pixverlet.Placed.centered(mask, (side, 3), 0.1 * side)),
                lambda: pixverlet.Parts.create(mask, "8"),
                lambda: pixverlet.Outline.create(mask, "4"),
                lambda: pixverlet.Placed.centered(mask, (side, 5), 0.2 * side),
                lambda: pixverlet.Mask.create_circle(side),
                lambda: world.create_mover(mask, (side, 40), body=draw.choice([None, self.pick(pixverlet.Body)])),
                lambda: world.create_body(mask, (side, side), "dynamic", material_map=self.pick(pixverlet.MaterialMap)),
                lambda: world.create_grains(99, follow=True, color_function=color),
                lambda: self.pick(pixverlet.Grains).emit_mask((mask, {"position": (side, side)})),
                lambda: self.pick(pixverlet.Grains).merge(self.pick(pixverlet.Body), (0, 0, side, side), color),
                lambda: world.set_split(color),
                lambda: world.debug_draw(color, color, color),
                lambda: pixverlet.Mask.create_tilemap(4, 4, side, 1, [side % 2] * side, [None, pixverlet.Mask((4, 4), True)]),
            ]
        )()

    def random_call(self):
        draw, thing = self.draw, self.pick()
        if draw.random() < 0.2:
            thing = draw.choice(CLASSES)
        name = draw.choice([name for name in dir(thing) if not name.startswith("__") or name in ("__copy__", "__enter__", "__reduce__", "__setstate__")])
        method = getattr(thing, name)
        if not callable(method):
            if draw.random() < 0.5 and not isinstance(thing, type):
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
            return memoryview(draw.choice([self.pick(pixverlet.Mask), self.pick(pixverlet.Image)]))
        if kind in (10, 11):
            return self.make()
        if kind == 12:
            mover = self.pick(pixverlet.Mover)
            return draw.choice([lambda: mover.move((draw.uniform(-200, 200), draw.uniform(-200, 200)), 1 / 60), lambda: mover.query(), lambda: mover.fits(None, (draw.uniform(-9, 9), 0)), lambda: repr(mover.ground)])()
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
        if isinstance(made, KINDS):
            self.objects.append(made)
        while len(self.objects) > KEEP:
            del self.objects[self.draw.randrange(len(self.objects))]
        for kind, make in ((pixverlet.World, pixverlet.World), (pixverlet.Mask, lambda: pixverlet.Mask((9, 9), True))):
            if not self.pick(kind):
                self.objects.append(make())


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 15
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)  # images are saved under random names
        fuzz, end = Fuzz(seed), time.monotonic() + seconds
        while time.monotonic() < end:
            fuzz.once()
        os.chdir("/")
    print(f"{fuzz.calls} calls with seed {seed}, {fuzz.refused} refused, no crash")


main()
