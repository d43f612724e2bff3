"""Compares masks with loops over pixels, and with pygame's masks if pygame is installed.

SPDX-License-Identifier: Zlib
"""

import copy
import os
import random
import unittest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pixverlet
from pixverlet import Mask

try:
    import pygame
except ImportError:
    pygame = None
try:
    import numpy
except ImportError:
    numpy = None

SIZES = [(1, 1), (3, 70), (64, 5), (65, 33), (130, 40), (63, 64)]


def random_mask(draw, kind, size, share=0.5):
    mask = kind(size)
    for x in range(size[0]):
        for y in range(size[1]):
            if draw.random() < share:
                mask.set_at((x, y))
    return mask


def pixels(mask):
    w, h = mask.get_size()
    return {(x, y) for x in range(w) for y in range(h) if mask.get_at((x, y))}


def twin(mask):
    """Returns pygame's mask with the same pixels."""
    other = pygame.mask.Mask(mask.get_size())
    for at in pixels(mask):
        other.set_at(at)
    return other


class Pixels(unittest.TestCase):
    """Operations against loops over pixels."""

    def setUp(self):
        self.draw = random.Random(5)

    def pairs(self):
        for size in SIZES:
            a = random_mask(self.draw, Mask, size)
            b = random_mask(self.draw, Mask, self.draw.choice(SIZES), 0.1)
            for _ in range(6):
                dx = self.draw.randrange(-140, 140)
                dy = self.draw.randrange(-80, 80)
                yield a, b, (dx, dy)

    def test_overlaps(self):
        for a, b, (dx, dy) in self.pairs():
            shared = pixels(a) & {(x + dx, y + dy) for x, y in pixels(b)}
            self.assertEqual(a.overlap_area(b, (dx, dy)), len(shared))
            self.assertEqual(pixels(a.overlap_mask(b, (dx, dy))), shared)
            first = a.overlap(b, (dx, dy))
            self.assertTrue(first in shared if shared else first is None)

    def test_draw_and_erase(self):
        for a, b, (dx, dy) in self.pairs():
            moved = {(x + dx, y + dy) for x, y in pixels(b)}
            drawn, erased = a.copy(), a.copy()
            drawn.draw(b, (dx, dy))
            erased.erase(b, (dx, dy))
            inside = {(x, y) for x, y in moved if 0 <= x < a.get_size()[0] and 0 <= y < a.get_size()[1]}
            self.assertEqual(pixels(drawn), pixels(a) | inside)
            self.assertEqual(pixels(erased), pixels(a) - moved)

    def test_scale(self):
        for size in SIZES:
            mask = random_mask(self.draw, Mask, size)
            w, h = self.draw.randrange(1, 150), self.draw.randrange(1, 90)
            wanted = {(x, y) for x in range(w) for y in range(h) if mask.get_at((x * size[0] // w, y * size[1] // h))}
            self.assertEqual(pixels(mask.scale((w, h))), wanted)

    def test_fill_invert_count(self):
        for size in SIZES:
            mask = random_mask(self.draw, Mask, size)
            before = pixels(mask)
            self.assertEqual(mask.count(), len(before))
            mask.invert()
            self.assertEqual(mask.count(), size[0] * size[1] - len(before))
            mask.fill()
            self.assertEqual(mask.count(), size[0] * size[1])
            mask.clear()
            self.assertEqual(mask.count(), 0)

    def test_a_copy_is_of_its_own(self):
        mask = Mask((5, 5), True)
        for other in (mask.copy(), copy.copy(mask)):
            other.clear()
            self.assertEqual(mask.count(), 25)


class Buffers(unittest.TestCase):
    """Views of the pixels, and masks from buffers."""

    def test_words(self):
        mask = random_mask(random.Random(1), Mask, (130, 7))
        view = memoryview(mask)
        self.assertEqual((view.shape, view.format, view.readonly), ((3, 7), "Q", True))
        for x in range(130):
            for y in range(7):
                self.assertEqual(view[x // 64, y] >> x % 64 & 1, mask.get_at((x, y)))

    def test_a_view_keeps_the_pixels_of_its_time(self):
        mask = Mask((10, 2))
        view = memoryview(mask)
        mask.fill()
        self.assertEqual(view.tolist(), [[0, 0]])
        self.assertEqual(memoryview(mask).tolist(), [[1023, 1023]])

    def test_a_view_outlives_the_mask(self):
        view = memoryview(Mask((4, 1), True))
        self.assertEqual(view.tolist(), [[15]])

    def test_a_view_is_not_written(self):
        with self.assertRaises(TypeError):
            memoryview(Mask((4, 1)))[0, 0] = 1

    def test_rgba_bytes(self):
        data = bytes(range(0, 240, 4)) * 4
        mask = pixverlet.from_surface(memoryview(data).cast("B", (6, 10, 4)), 100)
        alpha = {(x, y) for x in range(10) for y in range(6) if data[40 * y + 4 * x + 3] > 100}
        self.assertEqual(mask.get_size(), (10, 6))
        self.assertEqual(pixels(mask), alpha)
        with self.assertRaises(ValueError):
            pixverlet.from_surface(data)
        with self.assertRaises(TypeError):
            pixverlet.from_surface(7)

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy(self):
        mask = random_mask(random.Random(2), Mask, (130, 9))
        words = numpy.asarray(mask)
        self.assertTrue(numpy.shares_memory(words, numpy.asarray(mask)))
        bits = numpy.unpackbits(words.T.astype("<u8").copy().view("u1"), axis=1, bitorder="little")[:, :130]
        self.assertEqual({(x, y) for y, x in zip(*bits.nonzero())}, pixels(mask))
        image = numpy.zeros((9, 130, 4), "u1")
        image[..., 3] = 255 * bits
        self.assertEqual(pixels(pixverlet.from_surface(image)), pixels(mask))
        self.assertEqual(pixels(pixverlet.from_surface(image[::-1])), {(x, 8 - y) for x, y in pixels(mask)})


@unittest.skipUnless(pygame, "pygame is not installed")
class Pygame(unittest.TestCase):
    """The same results as pygame's, down to the order of pixels and parts."""

    def setUp(self):
        self.draw = random.Random(9)

    def masks(self):
        for size in SIZES * 3:
            mask = random_mask(self.draw, Mask, size, self.draw.choice([0.02, 0.3, 0.5, 0.9]))
            yield mask, twin(mask)

    def test_the_first_shared_pixel(self):
        for a, pa in self.masks():
            b = random_mask(self.draw, Mask, self.draw.choice(SIZES), 0.05)
            pb = twin(b)
            for _ in range(60):
                dx = self.draw.randrange(-140, 140)
                dy = self.draw.randrange(-80, 80)
                self.assertEqual(a.overlap(b, (dx, dy)), pa.overlap(pb, (dx, dy)))

    def test_measurements(self):
        for a, pa in self.masks():
            self.assertEqual(a.centroid(), pa.centroid())
            self.assertEqual(a.angle(), pa.angle())
            for every in (1, 2, 5):
                self.assertEqual(a.outline(every), pa.outline(every))
            self.assertEqual(a.get_bounding_rects(), pa.get_bounding_rects())
            self.assertEqual(a.get_rect(center=(4, 7)), pa.get_rect(center=(4, 7)))

    def test_parts(self):
        for a, pa in self.masks():
            self.assertEqual(pixels(a.connected_component()), pixels(pa.connected_component()))
            at = a.centroid()
            self.assertEqual(pixels(a.connected_component(at)), pixels(pa.connected_component(at)))
            ours, theirs = a.connected_components(3), pa.connected_components(3)
            self.assertEqual([pixels(m) for m in ours], [pixels(m) for m in theirs])

    def test_convolve(self):
        for a, pa in self.masks():
            b = random_mask(self.draw, Mask, (7, 5), 0.4)
            self.assertEqual(pixels(a.convolve(b)), pixels(pa.convolve(twin(b))))
            ours, theirs = Mask((20, 20)), pygame.mask.Mask((20, 20))
            self.assertIs(a.convolve(b, ours, (-3, 2)), ours)
            pa.convolve(twin(b), theirs, (-3, 2))
            self.assertEqual(pixels(ours), pixels(theirs))

    def surfaces(self):
        for flags, depth in ((pygame.SRCALPHA, 32), (0, 32), (0, 24), (0, 16), (pygame.SRCALPHA, 16), (0, 8)):
            surface = pygame.Surface((67, 9), flags, depth)
            for x in range(67):
                for y in range(9):
                    surface.set_at((x, y), [self.draw.randrange(256) for _ in range(4)])
            yield surface

    def test_from_surface(self):
        for surface in self.surfaces():
            for threshold in (-1, 0, 127, 200, 254, 255, 300):
                ours = pixverlet.from_surface(surface, threshold)
                self.assertEqual(pixels(ours), pixels(pygame.mask.from_surface(surface, threshold)))
            surface.set_colorkey(surface.get_at((3, 3)))
            self.assertEqual(pixels(pixverlet.from_surface(surface)), pixels(pygame.mask.from_surface(surface)))

    def ways(self, surface):
        """Yields surfaces with the same pixels, to be read in place and by their methods."""

        class Named(pygame.Surface):
            def get_masks(self):
                raise KeyError("not asked")

        locked = surface.copy()
        locked.set_colorkey(surface.get_colorkey(), pygame.RLEACCEL)
        larger = pygame.Surface((90, 20), surface.get_flags() & pygame.SRCALPHA, surface)
        named = Named(surface.get_size(), surface.get_flags() & pygame.SRCALPHA, surface)
        part = larger.subsurface((5, 6, *surface.get_size()))
        for copy in (part, named):
            for x in range(67):
                for y in range(9):
                    copy.set_at((x, y), surface.get_at_mapped((x, y)))
        return [surface, locked, part, named]

    def test_ways_to_read_a_surface(self):
        a = random_mask(self.draw, Mask, (80, 12))
        for surface in self.surfaces():
            made, painted = [], []
            for way in self.ways(surface):
                made.append((pixels(pixverlet.from_surface(way, 60)), pixels(pixverlet.from_threshold(way, (90, 90, 90), (60, 60, 60)))))
                a.to_surface(way, setcolor=(250, 10, 10), unsetcolor=None, dest=(-2, 1))
                painted.append([way.get_at_mapped((x, y)) for x in range(67) for y in range(9)])
            self.assertEqual(made, made[:1] * 4)
            self.assertEqual(painted, painted[:1] * 4)

    def test_a_surface_without_pixels(self):
        empty = pygame.Surface.__new__(pygame.Surface)
        for call in (lambda: pixverlet.from_surface(empty), lambda: Mask((3, 3)).to_surface(empty), lambda: pixverlet.from_threshold(empty, "red")):
            self.assertRaises(pygame.error, call)

    def test_to_surface_from_itself(self):
        """Pixels are painted in order, so that a shifted copy of a surface to itself smears as in pygame."""
        a = random_mask(self.draw, Mask, (67, 9), 0.8)
        for surface in self.surfaces():
            for dest in ((3, 0), (-5, 0), (0, 1), (0, 0)):
                ours, theirs = surface.copy(), surface.copy()
                a.to_surface(ours, setsurface=ours, unsetsurface=ours.subsurface((9, 0, 40, 9)), dest=dest)
                twin(a).to_surface(theirs, setsurface=theirs, unsetsurface=theirs.subsurface((9, 0, 40, 9)), dest=dest)
                self.assertEqual(ours.get_buffer().raw, theirs.get_buffer().raw)

    def test_from_threshold(self):
        """In 8 and 16 bits pygame rounds colors differently for each call; docs/PYTHON.md tells of it."""
        for surface in list(self.surfaces())[:3]:
            for color, threshold in (((90, 120, 60), (60, 70, 80)), ((0, 0, 0, 255), (255, 255, 255)), ((255, 0, 0), (99, 99, 99, 9))):
                ours = pixverlet.from_threshold(surface, color, threshold)
                self.assertEqual(pixels(ours), pixels(pygame.mask.from_threshold(surface, color, threshold)))
            color = surface.get_at((2, 2))
            self.assertEqual(
                pixels(pixverlet.from_threshold(surface, color)), pixels(pygame.mask.from_threshold(surface, color))
            )
            for palette_colors in (0, 1):
                words = (surface, (0, 0, 0), (80, 90, 100, 255), pygame.transform.flip(surface, True, True), palette_colors)
                ours, theirs = pixverlet.from_threshold(*words), pygame.mask.from_threshold(*words)
                self.assertEqual(pixels(ours), pixels(theirs))

    def test_from_threshold_with_another_format(self):
        """Ours reads each surface in its own format."""
        surfaces = list(self.surfaces())
        for surface in surfaces:
            for other in surfaces:
                limits = surface.unmap_rgb(surface.map_rgb((80, 90, 100, 255)))
                near = {
                    (x, y)
                    for x in range(67)
                    for y in range(9)
                    if all(abs(a - b) < c for a, b, c in zip(surface.get_at((x, y))[:3], other.get_at((x, y)), limits))
                }
                ours = pixverlet.from_threshold(surface, (0, 0, 0), (80, 90, 100, 255), other)
                self.assertEqual(pixels(ours), near)

    def test_to_surface(self):
        for a, pa in self.masks():
            for surface in self.surfaces():
                dest = self.draw.randrange(-30, 30), self.draw.randrange(-8, 8)
                ours, theirs = surface.copy(), surface.copy()
                cover = pygame.transform.flip(surface, True, False)
                small = pygame.transform.flip(surface, True, True).subsurface((0, 0, 40, 6)).copy()
                for words in (
                    {}, {"setcolor": "red", "unsetcolor": None}, {"setsurface": cover, "unsetcolor": (9, 8, 7)}, {"setsurface": small, "unsetsurface": cover}
                ):
                    a.to_surface(ours, dest=dest, **words)
                    pa.to_surface(theirs, dest=dest, **words)
                    self.assertEqual(ours.get_buffer().raw, theirs.get_buffer().raw)


class WithoutPygame(unittest.TestCase):
    """Masks without pygame."""

    def test_rects_are_tuples(self):
        import subprocess
        import sys

        words = (
            "import sys; sys.modules['pygame'] = None; import pixverlet\n"
            "mask = pixverlet.Mask((4, 3), True)\n"
            "assert mask.get_rect() == (0, 0, 4, 3) == mask.get_bounding_rects()[0]\n"
            "try: mask.to_surface()\n"
            "except RuntimeError as error: print(error)\n"
        )
        run = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
        self.assertEqual((run.stdout, run.stderr), ("to_surface() needs pygame\n", ""))


if __name__ == "__main__":
    unittest.main()
