#!/usr/bin/env python3
# make_sprites.py - draws every PNG of this directory, from nothing but code.
#
# Job: one function per sprite, each returning a Canvas; main() checks the
# canvases against the promises of README.md and writes them next to this file.
#
# Invariant: a pixel is solid (a collider) exactly when its alpha is >= 128.
# We only ever write alpha 255 (solid) or alpha < 128 (empty, or harmless glow),
# and every shape is decided by the pixel-center rule: pixel (x, y) belongs to a
# shape iff the point (x + 0.5, y + 0.5) does.  The output depends on nothing
# but this file: no clock, no system randomness, no third-party module.

import functools
import math
import os
import random
import struct
import sys
import zlib

# --------------------------------------------------------------------------
# Palette.  Every ramp runs from the outline color (index 0) over cool
# shadows to warm highlights; all shading picks whole entries, never blends.
# --------------------------------------------------------------------------


def ramp(text):
    """'rrggbb rrggbb ...' -> tuple of (r, g, b)."""
    return tuple(tuple(bytes.fromhex(word)) for word in text.split())


WOOD = ramp("2a1826 4d2a31 74432f 9b6038 c08446 dfab62 f5d690")
STEEL = ramp("1c2036 303a56 495b78 6b829b 94abba c3d5d6 f2f8ee")
STONE = ramp("211e34 3b3a54 565b72 787f90 9ba3aa c1c6be e7e6d3")
ROCK = ramp("231a30 3f3049 5f4a5c 83686c a98c7e ccb294 ecdab4")
BRICK = ramp("301428 5f2033 8c3436 b44e3d d37149 e99a63 f8c98f")
GRASS = ramp("12302f 1b4a3a 2b6d3d 4f9440 84b84a bdd960 ebf291")
SOIL = ramp("25172b 3f2735 5a3838 764d3e 926446 ad7f53 c99d68")
PIG = ramp("3a1830 6b2c4a a04a68 cf6f86 ec95a0 f9bcb8 fde0d6")
CLAY = ramp("25172b 4a2836 6b3a3a 8a5040 a56a4a c08758 d9a86e")
DEEP = ramp("1b1630 2c2643 3d3654 504965 675f76 827b88 a29c9d")
BRONZE = ramp("2b1728 54293a 844537 b36a39 d89645 f2c565 fff0a8")
GOLD = ramp("3a1a2c 7a3630 ae5a2c d98a2e f4b93f fde06c fff8c2")
RED = ramp("310f2b 6a1539 a02140 d03a45 ec6350 f9986f ffd3a6")
ORANGE = ramp("361428 74273a a8432f d8682e f2923f fcbd63 ffe7ae")
YELLOW = ramp("38202c 7b4733 b0752e dca232 f6ca45 fee576 fffac8")
GREEN = ramp("0e2730 124640 1b6d4a 32964f 66bd5a a6dc75 e2f5b0")
TEAL = ramp("10243a 164259 1f6a78 2f9491 5cbfa5 9be0bd def7dd")
BLUE = ramp("16163f 22296f 2c4aa0 3b72c9 5ea1e4 97cdf3 dff3fb")
PURPLE = ramp("20123a 3c2064 5f3390 8550b5 ab7bd0 d0ace5 f2e0f7")
IVORY = ramp("2c2340 5d5274 8f869f bdb4bb dfd8cd f5eedd fffdf2")
GLASS = ramp("0f1c3c 173a66 22679a 38a0c6 74d3de b9f2e6 f4fff6")
CLOUD = ramp("5f6f93 8899b5 a3b2c8 bccad9 d6e0e8 ebf1f2 fcfdf8")
PAINT = ramp("171d38 263256 34496f 46668a 5f86a3 86a9b9 b6cfd0")

WHITE = (255, 253, 242)

# --------------------------------------------------------------------------
# Small maths: light, noise, shapes
# --------------------------------------------------------------------------

LIGHT = (-0.50, -0.60, 0.625)  # from the top left, towards the viewer


def clamp(value, low, high):
    return low if value < low else high if value > high else value


def tone(colors, value):
    """Color of a ramp for a brightness in 0..1 (outline color excluded)."""
    steps = len(colors) - 1
    return colors[1 + clamp(int(value * steps), 0, steps - 1)]


def lambert(nx, ny, nz=1.0):
    """Brightness 0..1 of a surface with this (unnormalized) normal."""
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    dot = (nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2]) / length
    return clamp(0.5 + 0.5 * dot, 0.0, 1.0)


def hash01(ix, iy, seed):
    """Deterministic lattice hash in 0..1."""
    n = (ix * 374761393 + iy * 668265263 + seed * 974634777) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535.0


def noise(x, y, seed):
    """Smooth value noise in 0..1, lattice spacing 1."""
    ix, iy = math.floor(x), math.floor(y)
    fx, fy = x - ix, y - iy
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    a, b = hash01(ix, iy, seed), hash01(ix + 1, iy, seed)
    c, d = hash01(ix, iy + 1, seed), hash01(ix + 1, iy + 1, seed)
    return (a + (b - a) * fx) * (1 - fy) + (c + (d - c) * fx) * fy


def cells(x, y, size, seed):
    """Jittered cell pattern: (id of the nearest cell, gap to the second)."""
    gx, gy = math.floor(x / size), math.floor(y / size)
    best, second, who = 1e9, 1e9, None
    for cy in (gy - 1, gy, gy + 1):
        for cx in (gx - 1, gx, gx + 1):
            px = (cx + 0.15 + 0.7 * hash01(cx, cy, seed)) * size
            py = (cy + 0.15 + 0.7 * hash01(cx, cy, seed + 1)) * size
            d = math.hypot(x - px, y - py)
            if d < best:
                best, second, who = d, best, (cx, cy)
            elif d < second:
                second = d
    return who, second - best


def mirrored(points, height):
    """The polygon reflected top to bottom in a canvas of this height."""
    return [(x, height - y) for x, y in points]


def circle(cx, cy, r):
    return lambda px, py: (px - cx) ** 2 + (py - cy) ** 2 <= r * r


def polygon(points):
    """Point-in-polygon test (even-odd), as a function of a point."""
    edges = list(zip(points, points[1:] + points[:1]))

    def inside(px, py):
        odd = False
        for (x0, y0), (x1, y1) in edges:
            if (y0 > py) != (y1 > py):
                if px < x0 + (py - y0) * (x1 - x0) / (y1 - y0):
                    odd = not odd
        return odd

    return inside


def rounded_box(x0, y0, x1, y1, r):
    def inside(px, py):
        dx = max(x0 + r - px, px - (x1 - r), 0.0)
        dy = max(y0 + r - py, py - (y1 - r), 0.0)
        return dx * dx + dy * dy <= r * r

    return inside


# --------------------------------------------------------------------------
# Mask, distance field, canvas
# --------------------------------------------------------------------------


class Mask:
    """A set of pixels; `beyond` is what lies outside the canvas."""

    def __init__(self, width, height, inside, beyond=False):
        self.width, self.height, self.beyond = width, height, beyond
        self.rows = [
            bytearray(1 if inside(x + 0.5, y + 0.5) else 0 for x in range(width))
            for y in range(height)
        ]
        self._field = None

    def at(self, x, y):
        if 0 <= x < self.width and 0 <= y < self.height:
            return bool(self.rows[y][x])
        return self.beyond

    def without_spurs(self):
        """Drop one-pixel whiskers (fewer than two 4-neighbors)."""
        whiskers = [
            (x, y)
            for x, y in self.pixels()
            if self.at(x - 1, y) + self.at(x + 1, y) + self.at(x, y - 1) + self.at(x, y + 1) < 2
        ]
        for x, y in whiskers:
            self.rows[y][x] = 0
        return self

    def pixels(self):
        for y, row in enumerate(self.rows):
            for x, bit in enumerate(row):
                if bit:
                    yield x, y

    def is_edge(self, x, y):
        """A member with a 4-neighbor outside: the 1-px outline."""
        return not (
            self.at(x - 1, y)
            and self.at(x + 1, y)
            and self.at(x, y - 1)
            and self.at(x, y + 1)
        )

    def depth(self, x, y):
        """Euclidean distance from pixel (x, y) to the nearest empty one."""
        if self._field is None:
            self._field = distance_field(self)
        if 0 <= x < self.width and 0 <= y < self.height:
            return self._field[y][x]
        return 99.0 if self.beyond else 0.0

    def outward(self, x, y):
        """Direction towards the nearest edge (central differences)."""
        gx = self.depth(x - 1, y) - self.depth(x + 1, y)
        gy = self.depth(x, y - 1) - self.depth(x, y + 1)
        length = math.hypot(gx, gy)
        return (gx / length, gy / length) if length > 0.01 else (0.0, 0.0)


def squared_distance_1d(f):
    """Lower envelope of parabolas (exact 1-D squared distance transform)."""
    n = len(f)
    hull, cuts = [0] * n, [0.0] * (n + 1)
    k, cuts[0], cuts[1] = 0, -1e18, 1e18
    for q in range(1, n):
        while True:
            p = hull[k]
            s = ((f[q] + q * q) - (f[p] + p * p)) / (2.0 * (q - p))
            if s > cuts[k]:
                break
            k -= 1
        k += 1
        hull[k], cuts[k], cuts[k + 1] = q, s, 1e18
    out, k = [0.0] * n, 0
    for q in range(n):
        while cuts[k + 1] < q:
            k += 1
        out[q] = (q - hull[k]) ** 2 + f[hull[k]]
    return out


def distance_field(mask):
    """Rows of Euclidean distances to the nearest pixel not in the mask."""
    far, pad = 1e9, far_or_zero(mask)
    width = mask.width + 2
    grid = [[pad] * width]
    for row in mask.rows:
        grid.append([pad] + [far if bit else 0.0 for bit in row] + [pad])
    grid.append([pad] * width)
    columns = [squared_distance_1d(list(column)) for column in zip(*grid)]
    rows = [squared_distance_1d(list(row)) for row in zip(*columns)]
    return [[math.sqrt(v) for v in row[1:-1]] for row in rows[1:-1]]


def far_or_zero(mask):
    return 1e9 if mask.beyond else 0.0


class Canvas:
    """RGBA pixels, initially all transparent."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [[(0, 0, 0, 0)] * width for _ in range(height)]

    def inside(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height

    def alpha(self, x, y):
        return self.rows[y][x][3] if self.inside(x, y) else 0

    def put(self, x, y, color, alpha=255):
        if self.inside(x, y):
            self.rows[y][x] = (*color, alpha)

    def touch(self, x, y, color):
        """Recolor a pixel only if it is already solid: keeps the shape."""
        if self.alpha(x, y) == 255:
            self.put(x, y, color)

    def fill(self, mask, shader):
        for x, y in mask.pixels():
            self.put(x, y, shader(x, y))

    def rect(self, x0, y0, x1, y1, color):
        for y in range(y0, y1):
            for x in range(x0, x1):
                self.put(x, y, color)

    def outline(self, mask, color):
        for x, y in mask.pixels():
            if mask.is_edge(x, y):
                self.put(x, y, color)

    def shape(self, mask, colors, shader):
        """Fill with a shader giving brightness, then outline."""
        self.fill(mask, lambda x, y: tone(colors, shader(x, y)))
        self.outline(mask, colors[0])

    def draw_text(self, x, y, rows, key):
        """Pixel art from strings; characters missing from key are skipped."""
        for dy, row in enumerate(rows):
            for dx, char in enumerate(row):
                if char in key:
                    self.put(x + dx, y + dy, *key[char])

    def line(self, x0, y0, x1, y1, color):
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for i in range(steps + 1):
            x = x0 + (x1 - x0) * i / steps
            y = y0 + (y1 - y0) * i / steps
            self.touch(math.floor(x + 0.5), math.floor(y + 0.5), color)

    def scaled(self, factor):
        big = Canvas(self.width * factor, self.height * factor)
        big.rows = [
            [pixel for pixel in row for _ in range(factor)]
            for row in self.rows
            for _ in range(factor)
        ]
        return big

    def png(self):
        raw = b"".join(
            b"\0" + bytes(v for pixel in row for v in pixel) for row in self.rows
        )
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        return (
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(raw, 9))
            + chunk(b"IEND", b"")
        )


def chunk(kind, data):
    check = zlib.crc32(kind + data) & 0xFFFFFFFF
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


# --------------------------------------------------------------------------
# Shared materials
# --------------------------------------------------------------------------


def bevel(mask, width, face=0.62, strength=1.0):
    """Shader: a flat face whose rim slopes away over `width` pixels."""

    def shader(x, y):
        d = mask.depth(x, y) - 1.0
        if d >= width:
            return face
        ox, oy = mask.outward(x, y)
        return face + strength * (lambert(ox, oy, 0.9) - lambert(0, 0, 1))

    return shader


def sphere_normal(x, y, cx, cy, r):
    nx, ny = (x + 0.5 - cx) / r, (y + 0.5 - cy) / r
    return nx, ny, math.sqrt(max(0.0, 1.0 - nx * nx - ny * ny))


def sphere_light(nx, ny, nz):
    """Brightness of a glossy ball: key light plus a faint cool bounce."""
    key = nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2]
    value = 0.26 + 0.62 * key
    rim = (nx + ny) * 0.7071
    if rim > 0.80:
        value = max(value, 0.20 + 0.5 * (rim - 0.8))
    return clamp(value, 0.02, 0.86)


def gloss(canvas, cx, cy, r, color=WHITE):
    """A window-like highlight in the top left of a ball."""
    for y in range(canvas.height):
        for x in range(canvas.width):
            nx, ny, _ = sphere_normal(x, y, cx, cy, r)
            u, v = (nx + ny) * 0.7071, (nx - ny) * 0.7071
            if ((u + 0.60) / 0.13) ** 2 + ((v - 0.03) / 0.27) ** 2 <= 1:
                canvas.touch(x, y, color)


def ball_sprite(size, material):
    """A shaded ball; material(nx, ny, nz) names the ramp of a surface point."""
    r = size / 2
    canvas, mask = Canvas(size, size), Mask(size, size, circle(r, r, r))

    def shader(x, y):
        normal = sphere_normal(x, y, r, r, r)
        return tone(material(*normal), sphere_light(*normal))

    canvas.fill(mask, shader)
    for x, y in mask.pixels():
        if mask.is_edge(x, y):
            normal = sphere_normal(x, y, r, r, r)
            canvas.put(x, y, material(*normal)[0])
    return canvas


def nail(canvas, x, y, colors=STEEL):
    """A 2x2 nail head with a shadow below right."""
    canvas.touch(x, y, colors[5])
    canvas.touch(x + 1, y, colors[3])
    canvas.touch(x, y + 1, colors[3])
    canvas.touch(x + 1, y + 1, colors[1])


def rivet(canvas, x, y, colors):
    """A 3x3 round rivet with a cast shadow."""
    art = (".h.", "hms", ".sd")
    key = {"h": (colors[6],), "m": (colors[5],), "s": (colors[2],), "d": (colors[1],)}
    canvas.draw_text(x - 1, y - 1, art, key)


def board(canvas, x0, y0, x1, y1, rng, base=4, along_x=True):
    """A wooden board filling the rectangle: edges, grain streaks, a knot."""
    length, width = (x1 - x0, y1 - y0) if along_x else (y1 - y0, x1 - x0)

    def put(along, across, index):
        dx, dy = (along, across) if along_x else (across, along)
        canvas.put(x0 + dx, y0 + dy, WOOD[clamp(index, 0, 6)])

    for across in range(width):
        for along in range(length):
            put(along, across, base)
    for _ in range(max(2, length * width // 26)):
        grain_streak(put, length, width, rng, base)
    for along in range(length):
        put(along, 0, base + 1)
        put(along, width - 1, base - 1 if along_x else base - 2)
    for across in range(width):
        put(0, across, base + 1 if across < width - 1 else base)
        put(length - 1, across, base - 1)


def grain_streak(put, length, width, rng, base):
    """One darker fibre, sometimes with a light one beneath."""
    across = rng.randrange(1, max(2, width - 1))
    run = rng.randrange(3, max(4, min(14, length // 2)))
    start = rng.randrange(0, max(1, length - run))
    for along in range(start, start + run):
        put(along, across, base - 1)
    if across + 1 < width - 1 and rng.random() < 0.45:
        for along in range(start + 1, start + run - 1):
            put(along, across + 1, base + 1)


def knot(canvas, x, y):
    """A knot hole with its ring, 5x4 pixels."""
    art = (".ss.", "sddh", "sdsh", ".hh.")
    key = {"s": (WOOD[3],), "d": (WOOD[2],), "h": (WOOD[5],)}
    canvas.draw_text(x, y, art, key)


def block(canvas, x0, y0, x1, y1, colors, rng, base=3, mottle=0.30):
    """A hewn block: mottled face, lit and shaded rims, clipped corners."""
    seed, spread = rng.randrange(1 << 16), 4.0 + (x1 - x0) / 12.0

    def index(x, y):
        patch = noise(x / spread, y / (spread * 0.6), seed)
        value = base + (1 if patch > 1 - mottle else 0) - (1 if patch < mottle * 0.8 else 0)
        if y == y0 or x == x0:
            value = base + 2 if patch > 0.25 else base + 1
        if y == y1 - 1 or x == x1 - 1:
            value = base - 1
        if y == y1 - 1 and x == x1 - 1:
            value = base - 2
        return clamp(value, 1, 6)

    for y in range(y0, y1):
        for x in range(x0, x1):
            canvas.put(x, y, colors[index(x, y)])
    for x, y in ((x0, y0), (x1 - 1, y0), (x0, y1 - 1), (x1 - 1, y1 - 1)):
        canvas.put(x, y, colors[1])


def pit(canvas, x, y, colors, base=3):
    """A small chip: dark upper left, lit lower right lip."""
    canvas.touch(x, y, colors[max(1, base - 2)])
    canvas.touch(x + 1, y, colors[max(1, base - 1)])
    canvas.touch(x, y + 1, colors[max(1, base - 1)])
    canvas.touch(x + 1, y + 1, colors[base + 2])


def crack(canvas, x, y, steps, colors, rng, base=3):
    """A crooked crack running down, lit along its right side."""
    for _ in range(steps):
        canvas.touch(x, y, colors[max(0, base - 2)])
        canvas.touch(x + 1, y, colors[base + 1])
        x, y = x + rng.choice((-1, 0, 0, 1)), y + 1


def scatter_pits(canvas, x0, y0, x1, y1, colors, rng, count, base=3):
    for _ in range(count):
        if x1 - x0 > 6 and y1 - y0 > 5:
            pit(canvas, rng.randrange(x0 + 2, x1 - 3), rng.randrange(y0 + 2, y1 - 3), colors, base)


# --------------------------------------------------------------------------
# Boxes and boards
# --------------------------------------------------------------------------


def frame(canvas, color):
    """A 1-px outline along the canvas border."""
    w, h = canvas.width, canvas.height
    canvas.outline(Mask(w, h, lambda px, py: True), color)


def crate():
    rng, canvas = random.Random(11), Canvas(32, 32)
    canvas.rect(0, 0, 32, 32, WOOD[0])
    for x0, x1 in ((6, 11), (11, 16), (16, 21), (21, 26)):
        board(canvas, x0, 6, x1 - 1, 26, rng, base=3, along_x=False)
        canvas.rect(x1 - 1, 6, x1, 26, WOOD[0])
    crate_shadow(canvas)
    crate_brace(canvas)
    board(canvas, 1, 1, 31, 6, rng, base=4)
    board(canvas, 1, 26, 31, 31, rng, base=3)
    board(canvas, 1, 6, 6, 26, rng, base=4, along_x=False)
    board(canvas, 26, 6, 31, 26, rng, base=3, along_x=False)
    for x, y0, y1 in ((6, 6, 26), (25, 6, 26)):
        canvas.rect(x, y0, x + 1, y1, WOOD[0])
    for y in (6, 25):
        canvas.rect(6, y, 26, y + 1, WOOD[0])
    for x0 in (1, 26):
        canvas.rect(x0, 5, x0 + 5, 6, WOOD[1])
        canvas.rect(x0, 26, x0 + 5, 27, WOOD[1])
    for x, y in ((3, 2), (27, 2), (3, 28), (27, 28), (14, 2), (17, 28), (3, 14), (27, 16)):
        nail(canvas, x, y)
    return canvas


def crate_shadow(canvas):
    """The frame's shadow on the sunken planks (top and left inside)."""
    for i in range(7, 25):
        canvas.put(i, 7, WOOD[1])
        canvas.put(7, i, WOOD[1])


def crate_brace(canvas):
    """The diagonal board from bottom left to top right."""
    for y in range(7, 25):
        for x in range(7, 25):
            across = x + y - 31
            if -4 <= across <= 4:
                index = {-4: 0, -3: 5, -2: 4, -1: 4, 3: 3, 4: 0}.get(across, 4)
                if across in (0, 1) and (x - y) % 15 < 9:
                    index = 3
                if across in (-2, -1) and (x - y + 6) % 17 < 5:
                    index = 5
                canvas.put(x, y, WOOD[index])
    nail(canvas, 9, 20)
    nail(canvas, 21, 9)


def plank():
    rng, canvas = random.Random(29), Canvas(96, 12)
    board(canvas, 0, 0, 96, 12, rng, base=4)
    for x in range(8, 88):
        if noise(x / 9.0, 0.0, 5) > 0.45:
            canvas.put(x, 2 + int(2 * noise(x / 16.0, 0.0, 7)), WOOD[3])
    for x, y in ((24, 4), (66, 6)):
        knot(canvas, x, y)
    for y in range(1, 11):
        for x in (1, 2, 93, 94):
            canvas.put(x, y, WOOD[3 if (y + x // 90) % 3 else 2])
        canvas.put(3, y, WOOD[5])
        canvas.put(92, y, WOOD[2])
    for x in range(84, 93):
        canvas.put(x, 7, WOOD[1])
        canvas.put(x, 8, WOOD[5])
    for x, y in ((6, 3), (6, 8), (88, 3), (80, 8)):
        nail(canvas, x, y)
    for x in range(96):
        canvas.put(x, 10, WOOD[2 if x % 23 else 3])
    frame(canvas, WOOD[0])
    return canvas


def brick():
    rng, canvas = random.Random(5), Canvas(32, 16)
    block(canvas, 1, 1, 31, 15, BRICK, rng, base=3, mottle=0.22)
    for x in range(2, 30):
        canvas.put(x, 13, BRICK[2])
    for x, y in ((5, 4), (12, 9), (24, 4), (26, 10), (17, 5)):
        pit(canvas, x, y, BRICK)
    frame(canvas, BRICK[0])
    return canvas


# Two notches of 16 would meet in the middle of a 32-px box and cut it in two;
# 12 leaves a web of 8 px, and a 24-px ball sinks in exactly to its equator.
NOTCH_WIDTH, NOTCH_DEPTH = 28, 12


def box_shape(notched):
    """64x32; the notches are centered in the top and the bottom edge."""
    left = 32 - NOTCH_WIDTH // 2

    def inside(px, py):
        in_column = left <= px < left + NOTCH_WIDTH
        in_rows = py < NOTCH_DEPTH or py >= 32 - NOTCH_DEPTH
        return not (notched and in_column and in_rows)

    return inside


def box_sprite(notched):
    """A painted steel casting, the same for both boxes but for the cut."""
    canvas, mask = Canvas(64, 32), Mask(64, 32, box_shape(notched))
    colors, rim = (TEAL if notched else PAINT), bevel(mask, 1.6, face=0.55)

    def brightness(x, y):
        sheen = 0.17 if mask.depth(x, y) > 2.8 and (x + y) % 46 in (12, 13, 14, 15, 16, 18) else 0
        return rim(x, y) + sheen

    canvas.shape(mask, colors, brightness)
    for x0 in (4, 46):
        sunken(canvas, x0 + 1, 5, x0 + 13, 27, colors)
        for y in (8, 23):
            rivet(canvas, x0 + 4, y, colors)
            rivet(canvas, x0 + 10, y, colors)
    box_middle(canvas, colors, notched)
    return canvas


def sunken(canvas, x0, y0, x1, y1, colors):
    """A 1-px engraved frame: dark above and left, light below and right."""
    for x in range(x0, x1):
        canvas.touch(x, y0, colors[2])
        canvas.touch(x, y1 - 1, colors[5])
    for y in range(y0, y1):
        canvas.touch(x0, y, colors[2])
        canvas.touch(x1 - 1, y, colors[5])


def box_middle(canvas, colors, notched):
    """Plain: a hazard plate where the other box has its notches."""
    if notched:
        return
    sunken(canvas, 19, 7, 45, 25, colors)
    for y in range(8, 24):
        for x in range(20, 44):
            dark = ((x + y) // 5) % 2
            low = 1 if y > 18 else 0
            canvas.touch(x, y, STEEL[2 - low] if dark else YELLOW[4 - low])
    for x in range(20, 44):
        canvas.touch(x, 8, STEEL[1] if ((x + 8) // 5) % 2 else YELLOW[2])


def box_plain():
    return box_sprite(False)


def box_notched():
    return box_sprite(True)


# --------------------------------------------------------------------------
# Balls
# --------------------------------------------------------------------------


def beach_panels(panels, tilt_x, tilt_y):
    """Ramp by longitude around a pole tilted towards the viewer."""
    pole = (tilt_x, tilt_y, math.sqrt(1 - tilt_x**2 - tilt_y**2))
    east = (pole[2], 0.0, -pole[0])
    scale = math.hypot(*east)
    east = tuple(v / scale for v in east)
    north = (
        pole[1] * east[2] - pole[2] * east[1],
        pole[2] * east[0] - pole[0] * east[2],
        pole[0] * east[1] - pole[1] * east[0],
    )

    def material(*n):
        if sum(a * b for a, b in zip(n, pole)) > 0.965:
            return IVORY
        turn = math.atan2(
            sum(a * b for a, b in zip(n, north)), sum(a * b for a, b in zip(n, east))
        )
        return panels[int((turn / math.tau + 0.54) % 1.0 * len(panels))]

    return material


def ball():
    panels = (RED, YELLOW, TEAL, RED, YELLOW, TEAL)
    canvas = ball_sprite(32, beach_panels(panels, 0.20, -0.16))
    gloss(canvas, 16, 16, 16)
    return canvas


def ball_small():
    def marble(nx, ny, nz):
        swirl = nx * 0.8 - ny * 0.6 + 0.42 * math.sin(3.2 * (nx * 0.6 + ny * 0.8) + 0.6)
        return ORANGE if abs(swirl) < 0.30 else TEAL

    canvas = ball_sprite(16, marble)
    gloss(canvas, 8, 8, 8)
    return canvas


DIGITS = {
    1: (".#.", "##.", ".#.", ".#.", "###"),
    2: ("##.", "..#", ".#.", "#..", "###"),
    3: ("##.", "..#", ".#.", "..#", "##."),
    4: ("#.#", "#.#", "###", "..#", "..#"),
    5: ("###", "#..", "##.", "..#", "##."),
    6: (".##", "#..", "###", "#.#", "###"),
}


def billiard(number, colors):
    """A numbered ball: ivory spot with the digit, off center a little."""

    def material(nx, ny, nz):
        return IVORY if math.hypot(nx - 0.06, ny - 0.10) < 0.46 else colors

    canvas = ball_sprite(24, material)
    canvas.draw_text(11, 11, DIGITS[number], {"#": (IVORY[0],)})
    gloss(canvas, 12, 12, 12)
    return canvas


def ball_1():
    return billiard(1, YELLOW)


def ball_2():
    return billiard(2, BLUE)


def ball_3():
    return billiard(3, RED)


def ball_4():
    return billiard(4, PURPLE)


def ball_5():
    return billiard(5, ORANGE)


def ball_6():
    return billiard(6, GREEN)


def ball_cue():
    """Ivory with red measle dots, so that its spin can be seen."""
    dots = ((0.1, 0.15), (0.75, 0.05), (-0.1, 0.85), (-0.78, 0.1), (0.05, -0.72))

    def material(nx, ny, nz):
        near = min(math.hypot(nx - x, ny - y) for x, y in dots)
        return RED if near < 0.17 else IVORY

    canvas = ball_sprite(24, material)
    gloss(canvas, 12, 12, 12)
    return canvas


def peg():
    canvas, mask = Canvas(16, 16), Mask(16, 16, circle(8, 8, 8))

    def brightness(x, y):
        nx, ny, nz = sphere_normal(x, y, 8, 8, 8)
        r = math.hypot(nx, ny)
        if r > 0.66:
            return lambert(nx / r, ny / r, 0.7) * 0.95
        return 0.62 if r < 0.5 else 0.30

    canvas.shape(mask, BRONZE, brightness)
    for i in range(-3, 3):
        canvas.put(8 + i, 7 - i, BRONZE[1])
        canvas.put(8 + i, 8 - i, BRONZE[6 if abs(i) < 2 else 5])
    return canvas


# --------------------------------------------------------------------------
# Star, ring, letters, gear
# --------------------------------------------------------------------------


def star_points(cx, cy, outer, inner):
    points = []
    for i in range(10):
        r = inner if i % 2 else outer
        angle = math.radians(36 * i - 90)
        points.append((cx + r * math.cos(angle), cy + r * math.sin(angle)))
    return points


def star():
    cx, cy, outer, inner = 24.0, 25.6, 25.2, 12.2
    points = star_points(cx, cy, outer, inner)
    canvas, mask = Canvas(48, 48), Mask(48, 48, polygon(points)).without_spurs()

    def brightness(x, y):
        px, py = x + 0.5 - cx, y + 0.5 - cy
        turn = (math.degrees(math.atan2(py, px)) + 90) % 360
        a, b = points[int(turn // 36)], points[(int(turn // 36) + 1) % 10]
        nx, ny = b[1] - a[1], -(b[0] - a[0])
        length = math.hypot(nx, ny)
        value = lambert(nx / length, ny / length, 0.75)
        if mask.depth(x, y) < 3.0:
            value += 0.12 if value > 0.5 else -0.05
        if math.hypot(px, py) < 5:
            value += 0.1
        return clamp(value * 1.05, 0.17, 0.99)

    canvas.shape(mask, GOLD, brightness)
    canvas.draw_text(19, 16, (".w.", "www", ".w."), {"w": (WHITE,)})
    return canvas


def ring():
    canvas = Canvas(56, 56)
    mask = Mask(56, 56, lambda px, py: 17 <= math.hypot(px - 28, py - 28) <= 28)

    def brightness(x, y):
        px, py = x + 0.5 - 28, y + 0.5 - 28
        d = math.hypot(px, py)
        across = (d - 22.5) / 5.5
        side = abs(across)
        if side < 0.42:
            groove = 0.50 + 0.12 * math.cos(2 * (math.atan2(py, px) + 2.25))
            return groove
        slope = math.copysign((side - 0.42) / 0.58 * 1.1 + 0.25, across)
        if side < 0.56:
            slope = -slope * 2.2
        return lambert(px / d * slope, py / d * slope, 0.8) * 1.05

    canvas.shape(mask, BRONZE, brightness)
    for i in range(8):
        angle = math.radians(45 * i + 22.5)
        x = math.floor(28 + 22.5 * math.cos(angle))
        y = math.floor(28 + 22.5 * math.sin(angle))
        rivet(canvas, x, y, BRONZE)
    return canvas


def toy_letter(canvas, mask, colors):
    """A glossy molded letter: soft bevel and diagonal sheen."""
    plain = bevel(mask, 2.4, face=0.58, strength=1.1)

    def brightness(x, y):
        value = plain(x, y)
        if mask.depth(x, y) > 3.4:
            band = (x + y) % 40
            value += 0.17 if 6 <= band < 11 or band == 13 else 0
            value -= 0.17 if band > 35 else 0
        return value

    canvas.shape(mask, colors, brightness)
    return canvas


def letter_c():
    back, arms = rounded_box(0, 0, 36, 40, 15), rounded_box(18, 0, 40, 40, 4)
    cavity = circle(19, 20, 9.5)

    def inside(px, py):
        opening = px > 19 and abs(py - 20) < 7
        return (back(px, py) or arms(px, py)) and not cavity(px, py) and not opening

    mask = Mask(40, 40, inside)
    return toy_letter(Canvas(40, 40), mask, RED)


def letter_l():
    upright = rounded_box(0, 0, 14, 44, 3)
    foot = rounded_box(0, 30, 32, 44, 3)
    mask = Mask(32, 44, lambda px, py: upright(px, py) or foot(px, py))
    return toy_letter(Canvas(32, 44), mask, BLUE)


def gear_points(teeth, root, tip):
    points = []
    for i in range(teeth):
        base = math.tau * i / teeth
        for r, turn in ((root, -0.36), (tip, -0.23), (tip, 0.23), (root, 0.36)):
            angle = base + turn * math.tau / teeth
            points.append((28 + r * math.cos(angle), 28 + r * math.sin(angle)))
    return points


def gear():
    outside, hole = polygon(gear_points(12, 21.8, 28.2)), circle(28, 28, 7.5)
    mask = Mask(56, 56, lambda px, py: outside(px, py) and not hole(px, py))
    canvas, rim = Canvas(56, 56), bevel(mask, 1.8, face=0.55)

    def brightness(x, y):
        px, py = x + 0.5 - 28, y + 0.5 - 28
        d = math.hypot(px, py)
        if mask.depth(x, y) < 2.8:
            return rim(x, y)
        brushed = 0.52 + 0.17 * math.cos(2 * (math.atan2(py, px) + 2.25))
        if 18.2 <= d < 19.4 or 12.4 <= d < 13.4:
            slope = 1.2 if d < 15 else -1.2
            return lambert(px / d * slope, py / d * slope, 0.7)
        return brushed - (0.17 if 13.4 <= d < 18.2 else 0)

    canvas.shape(mask, STEEL, brightness)
    for i in range(6):
        angle = math.radians(60 * i + 30)
        x = math.floor(28 + 15.9 * math.cos(angle))
        y = math.floor(28 + 15.9 * math.sin(angle))
        rivet(canvas, x, y, STEEL)
    return canvas


# --------------------------------------------------------------------------
# The same toys, small
# --------------------------------------------------------------------------


def star_small():
    cx, cy, points = 14.0, 15.0, star_points(14.0, 15.0, 14.8, 7.2)
    canvas, mask = Canvas(28, 28), Mask(28, 28, polygon(points)).without_spurs()

    def brightness(x, y):
        turn = (math.degrees(math.atan2(y + 0.5 - cy, x + 0.5 - cx)) + 90) % 360
        a, b = points[int(turn // 36)], points[(int(turn // 36) + 1) % 10]
        nx, ny = b[1] - a[1], -(b[0] - a[0])
        length = math.hypot(nx, ny)
        return clamp(lambert(nx / length, ny / length, 0.75) * 1.05, 0.17, 0.99)

    canvas.shape(mask, GOLD, brightness)
    return canvas


def ring_small():
    canvas = Canvas(32, 32)
    mask = Mask(32, 32, lambda px, py: 9 <= math.hypot(px - 16, py - 16) <= 16)

    def brightness(x, y):
        px, py = x + 0.5 - 16, y + 0.5 - 16
        d = math.hypot(px, py)
        slope = (d - 12.5) / 3.5
        return lambert(px / d * slope, py / d * slope, 0.8)

    canvas.shape(mask, BRONZE, brightness)
    return canvas


def letter_c_small():
    back, arms = rounded_box(0, 0, 25, 28, 10), rounded_box(12, 0, 28, 28, 3)
    cavity = circle(13.5, 14, 6.5)

    def inside(px, py):
        opening = px > 13.5 and abs(py - 14) < 5
        return (back(px, py) or arms(px, py)) and not cavity(px, py) and not opening

    return toy_letter(Canvas(28, 28), Mask(28, 28, inside), RED)


def letter_l_small():
    upright, foot = rounded_box(0, 0, 10, 32, 2), rounded_box(0, 22, 24, 32, 2)
    mask = Mask(24, 32, lambda px, py: upright(px, py) or foot(px, py))
    return toy_letter(Canvas(24, 32), mask, BLUE)


def gear_small():
    points = gear_points(10, 14.0, 18.2)
    outside = polygon([(x - 10, y - 10) for x, y in points])
    hole = circle(18, 18, 5)
    mask = Mask(36, 36, lambda px, py: outside(px, py) and not hole(px, py))
    canvas, rim = Canvas(36, 36), bevel(mask, 1.8, face=0.55)

    def brightness(x, y):
        px, py = x + 0.5 - 18, y + 0.5 - 18
        if mask.depth(x, y) < 2.8:
            return rim(x, y)
        return 0.52 + 0.17 * math.cos(2 * (math.atan2(py, px) + 2.25))

    canvas.shape(mask, STEEL, brightness)
    return canvas


# --------------------------------------------------------------------------
# Asteroids
# --------------------------------------------------------------------------


def rock_points(size, corners, rough, rng):
    """A rough convex-ish polygon, stretched to touch all four borders."""
    points = []
    for i in range(corners):
        angle = math.tau * (i + rng.uniform(-0.28, 0.28)) / corners
        r = 1.0 - rough * rng.random()
        points.append((r * math.cos(angle), r * math.sin(angle)))
    xs, ys = [p[0] for p in points], [p[1] for p in points]

    def fit(value, low, high):
        return 0.4 + (value - low) / (high - low) * (size - 0.8)

    return [(fit(x, min(xs), max(xs)), fit(y, min(ys), max(ys))) for x, y in points]


def crater_tilt(px, py, craters):
    """Normal change by craters: bowls slope inwards, rims outwards."""
    tx = ty = 0.0
    for cx, cy, r in craters:
        dx, dy = (px - cx) / r, (py - cy) / r
        d = math.hypot(dx, dy)
        if d < 1.0:
            weight = -1.25 * d if d > 0.45 else -0.25
        elif d < 1.0 + 1.8 / r:
            weight = 0.9
        else:
            continue
        if d > 0.01:
            tx, ty = tx + weight * dx / d, ty + weight * dy / d
    return tx, ty


def rock_sprite(size, shape, craters, facet, seed):
    """A faceted boulder with craters, domed towards the viewer."""
    canvas, half = Canvas(size, size), size / 2
    mask = Mask(size, size, shape).without_spurs()

    def brightness(x, y):
        px, py = x + 0.5, y + 0.5
        cell, _ = cells(px, py, facet, seed)
        nx = 0.85 * (px - half) / half + 0.75 * (hash01(*cell, seed + 2) - 0.5)
        ny = 0.85 * (py - half) / half + 0.75 * (hash01(*cell, seed + 3) - 0.5)
        tx, ty = crater_tilt(px, py, craters)
        if mask.depth(x, y) < 3.2:
            ox, oy = mask.outward(x, y)
            tx, ty = tx + 0.5 * ox, ty + 0.5 * oy
        return (lambert(nx + tx, ny + ty, 1.0) - 0.12) * 0.98

    canvas.shape(mask, ROCK, brightness)
    return canvas, mask


def rock_large():
    body = polygon(rock_points(80, 17, 0.20, random.Random(8)))
    bite = polygon([(44, -4), (48, 8), (47, 16), (51, 23), (57, 25), (61, 20), (67, 15), (76, -4)])
    craters = (
        (27, 27, 10.5), (54, 54, 9.5), (24, 56, 6), (68, 37, 4.5),
        (43, 36, 3.4), (38, 68, 3.6), (13, 41, 3), (70, 60, 2.6),
    )
    canvas, _ = rock_sprite(80, lambda x, y: body(x, y) and not bite(x, y), craters, 15, 40)
    return canvas


def rock_medium():
    body = polygon(rock_points(48, 13, 0.22, random.Random(21)))
    craters = ((19, 18, 7), (33, 31, 5), (16, 35, 3.4), (33, 13, 2.8))
    return rock_sprite(48, body, craters, 12, 70)[0]


def rock_small():
    body = polygon(rock_points(24, 10, 0.22, random.Random(33)))
    return rock_sprite(24, body, ((10, 10, 3.6), (16.5, 16, 2.4)), 8, 90)[0]


# --------------------------------------------------------------------------
# Ship and missile (pointing right, +x)
# --------------------------------------------------------------------------

HULL = [(5, 13.2), (12, 12), (24, 12.4), (33, 14.6), (40.2, 18), (33, 21.4), (24, 23.6), (12, 24), (5, 22.8)]
WING = [(30, 14), (23, 9.5), (15, 2.5), (3, 2.5), (4, 5.5), (10, 9), (14, 14)]
CANNON = [(2, 0.4), (17, 0.4), (17, 1.4), (23, 1.4), (23, 3.6), (17, 3.6), (17, 4.6), (2, 4.6)]


def part(canvas, points, colors, face, width=1.2):
    """One bevelled, outlined piece of a machine; later parts lie on top."""
    mask = Mask(canvas.width, canvas.height, polygon(points))
    canvas.shape(mask, colors, bevel(mask, width, face))
    return mask


def ship():
    canvas = Canvas(40, 36)
    part(canvas, WING, RED, 0.66)
    part(canvas, mirrored(WING, 36), RED, 0.44)
    part(canvas, CANNON, STEEL, 0.72)
    part(canvas, mirrored(CANNON, 36), STEEL, 0.5)
    part(canvas, [(2.4, 14), (7, 14), (7, 22), (2.4, 22)], STEEL, 0.3)
    ship_hull(canvas)
    ship_details(canvas)
    engine_glow(canvas)
    return canvas


def ship_hull(canvas):
    """The fuselage, rounded like a cylinder lying along x."""
    mask = Mask(40, 36, polygon(HULL))

    def brightness(x, y):
        roll = (y + 0.5 - 18) / 6.2
        return lambert(0.15, roll * 1.1, 0.8) * 1.06 - 0.10

    canvas.shape(mask, IVORY, brightness)


def ship_details(canvas):
    glass = Mask(40, 36, lambda x, y: ((x - 25.5) / 5.6) ** 2 + ((y - 18) / 3.1) ** 2 <= 1)
    canvas.shape(glass, GLASS, lambda x, y: 0.85 - 0.11 * (y - 14) - 0.03 * (x - 21))
    canvas.touch(23, 16, WHITE)
    canvas.touch(24, 16, WHITE)
    for y in range(13, 23):
        canvas.touch(14, y, IVORY[2])
        canvas.touch(10, y, RED[4 if y < 16 else 3 if y < 20 else 2])
        canvas.touch(11, y, RED[4 if y < 16 else 3 if y < 20 else 2])
    for x in range(33, 38):
        canvas.touch(x, 17, RED[5])
        canvas.touch(x, 18, RED[3])
    for y in (15, 17, 18, 20):
        canvas.touch(4, y, ORANGE[5])
    for x in (5, 12):
        for y in (1, 2, 3):
            canvas.touch(x, y, STEEL[3])
            canvas.touch(x, 35 - y, STEEL[2])
    for i in range(5):
        for x in (11 + i, 12 + i):
            canvas.touch(x, 6 + i, IVORY[5])
            canvas.touch(x, 29 - i, IVORY[3])


def engine_glow(canvas):
    """Faint exhaust behind the nozzle; alpha < 128, hence not solid."""
    for y in range(13, 23):
        for x in range(0, 5):
            if canvas.alpha(x, y) == 0:
                reach = 1.0 - math.hypot((3 - x) / 4.2, (y + 0.5 - 18) / 5.0)
                if reach > 0:
                    color = GLASS[5] if reach > 0.5 else GLASS[4]
                    canvas.put(x, y, color, int(40 + 80 * reach))


MISSILE = (
    "....oooo............",
    "....oRrrooooooooo...",
    "..a.orrWWwwwdRRRroo.",
    ".abnNwWWwwwwdRPRrrro",
    ".abnNswwwwwsdrrrrrmo",
    "..a.ommssssszmmmmoo.",
    "....ommmooooooooo...",
    "....oooo............",
)


SCOUT = (
    "..oooooo..............",
    "..oRRRRRoo............",
    "..oorrrrrroo..........",
    "....omrrrrrroo........",
    ".....oommrrrrrooooo...",
    "...ooooommmrrrrNNNNo..",
    "..ooSSSooooooooooooo..",
    "aaoSNNSowwwwwwwoo.....",
    "bboSNNSoWWWWgGGgwwoo..",
    "bbosnnsowwwwgggcswwwoo",
    "aaosnnsosssscccdsssoo.",
    "..oosssooooooooooo....",
    "...ooooommmmmmmooooo..",
    ".....oommmmmmmmnnnno..",
    "....oddddmmmmmooooo...",
    "..oodddddmmmoo........",
    "..odddddoo............",
    "..oooooo..............",
)

DART = (
    "..oooooo.",
    "bnRrWWwwo",
    "bnmrwwsso",
    "..oooooo.",
)

PILOT = (
    "..oooo..",
    ".oWwwwo.",
    ".owgGGo.",
    ".owgggo.",
    "ooswwsoo",
    "oWoRRosw",
    "owowwosw",
    ".ooswsoo",
    ".owooso.",
    ".owo.oso",
    ".oo...oo",
)

MACHINE_KEY = {
    "o": (RED[0],), "R": (RED[5],), "r": (RED[4],), "m": (RED[3],), "d": (RED[2],),
    "W": (IVORY[6],), "w": (IVORY[5],), "s": (IVORY[3],),
    "g": (GLASS[4],), "G": (GLASS[6],), "c": (GLASS[2],),
    "n": (STEEL[2],), "N": (STEEL[4],), "S": (STEEL[5],), "a": (ORANGE[4], 64), "b": (YELLOW[5], 112),
}


def drawn(rows):
    canvas = Canvas(len(rows[0]), len(rows))
    canvas.draw_text(0, 0, rows, MACHINE_KEY)
    return canvas


def missile():
    key = {
        "o": (RED[0],), "R": (RED[5],), "r": (RED[3],), "m": (RED[2],), "P": (RED[6],),
        "W": (IVORY[6],), "w": (IVORY[5],), "s": (IVORY[3],), "d": (STEEL[2],), "z": (STEEL[1],),
        "n": (STEEL[1],), "N": (STEEL[3],), "a": (ORANGE[4], 64), "b": (YELLOW[5], 112),
    }
    canvas = Canvas(20, 8)
    canvas.draw_text(0, 0, MISSILE, key)
    return canvas


# --------------------------------------------------------------------------
# Wall, floor, ramp
# --------------------------------------------------------------------------


def course(canvas, y0, y1, cuts, colors, rng):
    """One row of blocks between the given x cuts, mortar on the right."""
    for x0, x1 in zip(cuts, cuts[1:]):
        base = rng.choice((3, 3, 3, 4))
        block(canvas, x0, y0, x1 - 1, y1 - 1, colors, rng, base)
        scatter_pits(canvas, x0, y0, x1, y1, colors, rng, (x1 - x0) // 14, base)
        if rng.random() < 0.3 and x1 - x0 > 12:
            steps = rng.randrange(4, max(5, (y1 - y0) // 2 + 2))
            crack(canvas, rng.randrange(x0 + 4, x1 - 4), y0, steps, colors, rng, base)


def wall():
    rng, canvas = random.Random(17), Canvas(16, 480)
    canvas.rect(0, 0, 16, 480, STONE[0])
    for i in range(20):
        y0 = 24 * i
        course(canvas, y0 + 1, y0 + 13, (1, 16), STONE, rng)
        split = 6 if i % 2 else 10
        course(canvas, y0 + 13, y0 + 25, (1, split, 16), STONE, rng)
    frame(canvas, STONE[0])
    return canvas


def floor():
    rng, canvas = random.Random(23), Canvas(1280, 32)
    canvas.rect(0, 0, 1280, 32, STONE[0])
    course(canvas, 1, 12, list(range(0, 1281, 40)), STONE, rng)
    course(canvas, 13, 33, [0] + list(range(32, 1281, 64)) + [1280], DEEP, rng)
    for x in range(1280):
        canvas.put(x, 12, STONE[0])
        if canvas.rows[13][x][:3] != STONE[0]:
            canvas.put(x, 13, DEEP[1])
    frame(canvas, STONE[0])
    return canvas


def below_slope(px, py):
    return 2 * py > px


STENCIL = {
    "1": ("..##..", ".###..", "..##..", "..##..", "..##..", "..##..", "######"),
    ":": ("......", "..##..", "..##..", "......", "..##..", "..##..", "......"),
    "2": (".####.", "##..##", "....##", "..###.", ".##...", "##....", "######"),
}


def ramp_sprite():
    canvas, mask = Canvas(320, 160), Mask(320, 160, below_slope)
    canvas.fill(mask, ramp_color)
    ramp_rivets(canvas)
    for i, char in enumerate("1:2"):
        stencil(canvas, 9 + 16 * i, 93, STENCIL[char])
    ramp_wear(canvas)
    canvas.outline(mask, PAINT[0])
    return canvas


def ramp_color(x, y):
    """Hazard band along the slope, panelled painted steel below it."""
    px, py = x + 0.5, y + 0.5
    deep, along = (2 * py - px) / math.sqrt(5), (2 * px + py) / math.sqrt(5)
    if deep < 2.0:
        return STEEL[6]
    if deep < 3.0:
        return STEEL[3]
    if deep < 13.0:
        return hazard(deep, along)
    if deep < 14.2:
        return PAINT[0]
    if deep < 15.4:
        return STEEL[5]
    if deep < 17.2:
        return STEEL[3]
    if deep < 18.2:
        return PAINT[0]
    return panel(x, y, deep)


def hazard(deep, along):
    light = 0 if deep < 5 else 1 if deep < 11 else 2
    if int((along + deep) // 11) % 2:
        return (YELLOW[5], YELLOW[4], YELLOW[3])[light]
    return (STEEL[2], STEEL[1], STEEL[0])[light]


def panel(x, y, deep):
    u, v = x % 64, y % 40
    if u == 63 or v == 39:
        return PAINT[1]
    if u == 0 or v == 0:
        return PAINT[5]
    if u == 62 or v == 38:
        return PAINT[2]
    if deep < 22:
        return PAINT[2]
    shade = 4 if (u + v * 0.6) < 40 + 8 * (hash01(x // 64, y // 40, 3) - 0.5) else 3
    return PAINT[shade]


def ramp_rivets(canvas):
    for y0 in range(0, 160, 40):
        for x0 in range(0, 320, 64):
            for dx, dy in ((6, 6), (57, 6), (6, 33), (57, 33), (31, 6), (31, 33)):
                x, y = x0 + dx, y0 + dy
                if 2 * y - x > 58:
                    rivet(canvas, x, y, PAINT)


def stencil(canvas, x, y, rows):
    """Stencilled paint at double size, with worn spots."""
    for dy in range(14):
        for dx in range(12):
            worn = noise((x + dx) / 2.5, (y + dy) / 2.5, 77) < 0.12
            if rows[dy // 2][dx // 2] == "#" and not worn:
                canvas.touch(x + dx, y + dy, IVORY[5 if dx + dy < 16 else 4])


def ramp_wear(canvas):
    """Rust weeping from seams and bright scratches."""
    for x, y, run in ((70, 80, 7), (133, 120, 9), (196, 120, 6), (58, 120, 5)):
        for i in range(run):
            canvas.touch(x, y + i, BRONZE[3 if i < run // 2 else 2])
            if i < run // 2:
                canvas.touch(x + 1, y + i, BRONZE[2])
    for x, y, run in ((88, 98, 9), (100, 135, 6), (30, 66, 7), (160, 108, 8), (224, 140, 7)):
        canvas.line(x, y, x + run, y - run // 2, PAINT[6])
        canvas.line(x, y + 1, x + run, y - run // 2 + 1, PAINT[2])


# --------------------------------------------------------------------------
# Ground: hills, soil layers, stones, caves
# --------------------------------------------------------------------------

GROUND_W, GROUND_H = 1280, 240


def surface(x):
    """Height (y) of the smooth surface at x; ends rise to form a basin."""
    y = 92 + 32 * math.sin(math.tau * x / 505 + 2.2)
    y += 13 * math.sin(math.tau * x / 231 + 0.6) + 3 * math.sin(math.tau * x / 97 + 1.0)
    y += 10 * math.exp(-(((x - 165) / 75) ** 2)) - 84 * math.exp(-((x / 72) ** 2))
    return y - 32 * math.exp(-(((1280 - x) / 45) ** 2)) + 14 * math.exp(-(((x - 1200) / 50) ** 2))


def blob(cx, cy, rx, ry, phase):
    """An ellipse with a wobbling outline."""

    def inside(px, py):
        dx, dy = (px - cx) / rx, (py - cy) / ry
        turn = math.atan2(dy, dx)
        r = 1.0 + 0.09 * math.sin(3 * turn + phase) + 0.05 * math.sin(5 * turn + 2 * phase)
        return dx * dx + dy * dy < r * r

    return inside


def overhang(px, py):
    """A roofed bay in the hill's left flank, open to the valley."""
    if px < 625:
        roof = 81.5 - max(0.0, 612 - px) * 1.6 + 1.5 * math.sin(px / 6.0)
        return 490 < px and roof < py < 138.5
    dx, dy = (px - 625) / 68, (py - 110) / 28.5
    return abs(dx) ** 2.6 + abs(dy + 0.03 * math.sin(px / 5.0)) ** 2.6 < 1


def bottle(px, py):
    """A pit with a narrow neck and a wide belly: overhangs on both sides."""
    neck = 30 + 0.010 * (py - 100) ** 2 + 1.5 * math.sin(py / 5.0)
    return (abs(px - 797) < neck and py < 140) or blob(797, 156, 66, 40, 0.8)(px, py)


CAVES = (overhang, bottle, blob(1128, 152, 66, 36, 2.0), blob(262, 166, 44, 24, 0.3))
CRYSTALS = (
    ((1082, 190), (1090, 150), (1097, 158), (1104, 190)),
    ((1098, 194), (1112, 160), (1118, 166), (1122, 194)),
    ((1146, 192), (1160, 154), (1166, 160), (1168, 192)),
    ((243, 195), (252, 168), (258, 174), (262, 195)),
    ((262, 195), (271, 174), (276, 180), (276, 195)),
)


def in_ground(px, py):
    if py <= surface(px):
        return False
    if not any(cave(px, py) for cave in CAVES):
        return True
    return any(polygon(list(c))(px, py) for c in CRYSTALS)


class Ground:
    """The painter of ground.png and meadow.png: mask, top line and texture cells."""

    def __init__(self, width, height, surface, inside, fossils=()):
        self.width, self.height, self.surface, self.fossils = width, height, surface, fossils
        self.mask = Mask(width, height, inside, beyond=True)
        self.top = [next(y for y in range(height) if self.mask.rows[y][x]) for x in range(width)]
        self.canvas = Canvas(width, height)
        self.kinds = [[self.kind(x, y) for x in range(width)] for y in range(height)]

    def layer(self, x, y):
        """0 topsoil, 1 clay, 2 bedrock, 3 deep bedrock."""
        warp = 9 * noise(x / 38.0, y / 60.0, 1) + 4 * noise(x / 11.0, 0.0, 2)
        level = 0.75 * (y - self.surface(x + 0.5)) + 0.25 * (y - 95) + warp
        return 0 if level < 27 else 1 if level < 56 else 2 if level < 112 else 3

    def kind(self, x, y):
        """(layer, cell) of a pixel; the cell outlines make the texture."""
        if not self.mask.rows[y][x]:
            return None
        layer = self.layer(x, y)
        if layer == 0:
            cell, _ = cells(x, y * 1.2, 7.0, 11)
            return layer, cell if hash01(*cell, 12) > 0.72 else None
        if layer == 1:
            cell, _ = cells(x * 0.55, y * 1.3, 8.0, 13)
            return layer, cell if hash01(*cell, 14) > 0.55 else None
        return layer, cells(x * 0.62, y, 13.0, 15)[0]

    def kind_at(self, x, y):
        inside = 0 <= x < self.width and 0 <= y < self.height
        return self.kinds[y][x] if inside else None

    def soil_index(self, x, y):
        """Ramp index of the soil texture at a solid pixel."""
        here = self.kinds[y][x]
        layer, cell = here
        base = (4, 4, 4, 3)[layer]
        right, below = self.kind_at(x + 1, y), self.kind_at(x, y + 1)
        left, above = self.kind_at(x - 1, y), self.kind_at(x, y - 1)
        if cell is None:
            other = any(n and n[0] == layer and n[1] for n in (left, above))
            return base - 1 - (1 if other else 0)
        base += (1 if hash01(*cell, 16) > 0.75 else 0) - 1
        low_edge = right not in (here, None) or below not in (here, None)
        if layer >= 2 and low_edge:
            return base - 2 + (1 if hash01(x // 4, y // 4, 17) > 0.7 else 0)
        high_edge = left not in (here, None) or above not in (here, None)
        return base + (1 if high_edge else 0)

    def paint_soil(self):
        ramps = (SOIL, CLAY, DEEP, DEEP)
        for x, y in self.mask.pixels():
            layer = self.kinds[y][x][0]
            index = self.soil_index(x, y)
            above = self.kind_at(x, y - 3)
            if above and above[0] < layer:
                index = 1 if self.kind_at(x, y - 1)[0] < layer else index - 1
            index += self.cave_light(x, y)
            self.canvas.put(x, y, ramps[layer][clamp(index, 1, 5)])
            if self.mask.is_edge(x, y):
                self.canvas.put(x, y, DEEP[0])

    def cave_light(self, x, y):
        """Floors of caves catch light, walls and roofs lie in shade."""
        d = self.mask.depth(x, y)
        if d > 7.5 or y - self.top[x] < 9:
            return 0
        _, oy = self.mask.outward(x, y)
        if oy < -0.55:
            return 2 if d < 2.9 else 1 if d < 4.2 else 0
        return -2 if d < 3.5 else -1

    def shelter(self, x):
        """Distance (at most 24) to the next jump of the top line."""
        for reach in range(24):
            for at in (x - reach, x + reach):
                if 0 < at < self.width and abs(self.top[at] - self.top[at - 1]) > 12:
                    return reach
        return 24

    def paint_grass(self):
        """Blades hang down from the surface; they thin out near overhangs."""
        for x in range(self.width):
            sheltered = self.top[x] > self.surface(x + 0.5) + 3
            if sheltered and self.shelter(x) < 4:
                continue
            slope = self.surface(x + 2.5) - self.surface(x - 1.5)
            lit = 1 if slope < 0.6 else 0
            cell, offset = x // 4, x % 4
            blade = 5 + int(4.5 * hash01(cell, 0, 21)) - (0, 1, 1, 0)[(offset + 2) % 4] - (offset == 3)
            shades = [0, 5 + lit, 4 + lit, 4, 4 if hash01(x // 2, 3, 22) > 0.4 else 3]
            shades += [3] * (blade - 5) + [2]
            if sheltered:
                shades = shades[: 2 + self.shelter(x) // 3]
            for depth, shade in enumerate(shades):
                self.canvas.touch(x, self.top[x] + depth, GRASS[shade])
            self.canvas.touch(x, self.top[x] + len(shades), SOIL[1])
        self.paint_flowers()

    def paint_flowers(self):
        rng, x = random.Random(3), 14
        while x < self.width - 8:
            petals = rng.choice((IVORY[6], IVORY[6], YELLOW[5], RED[5], PURPLE[5]))
            y = self.top[x] + 3
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                self.canvas.touch(x + dx, y + dy, petals)
            self.canvas.touch(x, y, ORANGE[4] if petals != YELLOW[5] else ORANGE[3])
            x += rng.choice((7, 9, 34, 48, 61, 80))

    def paint_stones(self):
        rng, placed = random.Random(9), [(x, y, r) for x, y, r, _ in self.fossils]
        for _ in range(900):
            x, y, r = rng.randrange(self.width), rng.randrange(self.height), rng.uniform(3.0, 10.0)
            fits = self.mask.depth(x, y) > r + 5 and y - self.top[x] > r + 13
            if fits and all(math.hypot(x - a, y - b) > r + c + 12 for a, b, c in placed):
                placed.append((x, y, r))
                self.stone(x, y, r, rng)

    def stone(self, cx, cy, r, rng):
        corners = 7 + int(r / 2)
        points = []
        for i in range(corners):
            angle = math.tau * (i + rng.uniform(-0.3, 0.3)) / corners
            reach = r * rng.uniform(0.8, 1.08)
            points.append((cx + 1.25 * reach * math.cos(angle), cy + 0.85 * reach * math.sin(angle)))
        colors, inside = rng.choice((STONE, STONE, ROCK)), polygon(points)
        x0, y0, size = int(cx - 1.5 * r) - 2, int(cy - 1.5 * r) - 2, int(3 * r) + 5
        local = Mask(size, size, lambda px, py: inside(px + x0, py + y0))
        for x, y in local.pixels():
            nx, ny = (x + x0 - cx) / (1.25 * r), (y + y0 - cy) / (0.85 * r)
            cell, _ = cells(x, y, 6.0, int(cx))
            nx += 0.8 * (hash01(*cell, 5) - 0.5)
            color = tone(colors, lambert(nx, ny, 0.9) * 0.95 - 0.12)
            self.canvas.touch(x + x0, y + y0, colors[0] if local.is_edge(x, y) else color)

    def paint_crystals(self):
        for i, points in enumerate(CRYSTALS):
            self.crystal(points, (GLASS, PURPLE)[i % 2])

    def crystal(self, points, colors):
        """One spike: light left facet, bright ridge, dark right facet."""
        inside, ridge = polygon(list(points)), points[1][0]
        x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
        y0, y1 = min(p[1] for p in points), max(p[1] for p in points)
        local = Mask(x1 - x0, y1 - y0, lambda px, py: inside(px + x0, py + y0))
        for x, y in local.pixels():
            gx, gy = x + x0, y + y0
            if not any(cave(gx + 0.5, gy + 0.5) for cave in CAVES[2:]):
                continue
            split = ridge - x0 + 1 + (y / 9.0)
            index = 5 if x < split - 2 else 6 if x < split else 3 if x < split + 4 else 2
            edge = local.is_edge(x, y)
            self.canvas.touch(gx, gy, colors[0] if edge else colors[index])

    def paint_fossils(self):
        bone = {"o": (DEEP[0],), "w": (IVORY[5],), "s": (IVORY[3],)}
        shell = {"o": (DEEP[0],), "w": (CLAY[5],), "s": (CLAY[3],), "d": (CLAY[4],)}
        for x, y, _, art in self.fossils:
            key = bone if art is BONE else shell
            self.canvas.draw_text(x - len(art[0]) // 2, y - len(art) // 2, art, key)


BONE = (
    ".oo..............oo.",
    "owwo............owso",
    "owwwoooooooooooowwso",
    ".owwwwwwwwwwwwwwwso.",
    ".owwssssssssssssswo.",
    "owwsoooooooooooowwso",
    "owso............owso",
    ".oo..............oo.",
)
AMMONITE = (
    "....oooooo...",
    "..oowwwwwoo..",
    ".owwwdwwdwwo.",
    ".owdwooosdwso",
    "owwwowwwooswo",
    "owdowwdwsowso",
    "owwowdowsodso",
    "owwowwoowowso",
    ".owdowwwwdwso",
    ".oswwooooowo.",
    "..oosdwsowdso",
    "....ooooodsso",
    "........oooo.",
)


FOSSILS = ((402, 200, 11, BONE), (1016, 190, 8, AMMONITE), (130, 210, 8, AMMONITE))


def ground():
    painter = Ground(GROUND_W, GROUND_H, surface, in_ground, FOSSILS)
    painter.paint_soil()
    painter.paint_stones()
    painter.paint_fossils()
    painter.paint_crystals()
    painter.paint_grass()
    return painter.canvas


MEADOW_W, MEADOW_H = 640, 150
# Knots of its top line: a bank, a terrace, a lower one, the bed of a pond, and the other bank.
MEADOW = (
    (0, 4), (30, 40), (80, 46), (170, 45), (215, 60), (262, 64), (310, 66), (352, 68), (388, 104), (430, 112),
    (500, 112), (540, 100), (572, 66), (606, 52), (640, 8),
)


def meadow_surface(x):
    """Height (y) of the meadow at x, smooth from knot to knot."""
    x = clamp(x, 0, MEADOW_W - 0.01)
    (x0, y0), (x1, y1) = next(pair for pair in zip(MEADOW, MEADOW[1:]) if x < pair[1][0])
    t = (x - x0) / (x1 - x0)
    return y0 + (y1 - y0) * t * t * (3 - 2 * t) + 0.8 * math.sin(x / 9.0)


def in_meadow(px, py):
    return py > meadow_surface(px)


def meadow():
    painter = Ground(MEADOW_W, MEADOW_H, meadow_surface, in_meadow)
    painter.paint_soil()
    painter.paint_stones()
    painter.paint_grass()
    return painter.canvas


# --------------------------------------------------------------------------
# Building: a safe, cards, dominoes, a bucket, stairs, beams, an arch
# --------------------------------------------------------------------------


def solid(px, py):
    return True


def safe():
    canvas, mask = Canvas(64, 64), Mask(64, 64, solid)
    canvas.shape(mask, STEEL, lambda x, y: bevel(mask, 2.4, face=0.36)(x, y))
    sunken(canvas, 6, 6, 58, 58, STEEL)
    door = bevel(mask, 1.0, face=0.48)
    for y in range(8, 56):
        for x in range(8, 56):
            canvas.put(x, y, tone(STEEL, door(x, y) - (0.17 if (x + y) % 46 > 40 else 0)))
    for x, y in ((11, 11), (52, 11), (11, 52), (52, 52)):
        rivet(canvas, x, y, STEEL)
    for y in (18, 40):
        canvas.rect(3, y, 8, y + 8, BRONZE[0])
        canvas.rect(4, y + 1, 7, y + 7, BRONZE[4])
        canvas.rect(4, y + 1, 5, y + 7, BRONZE[5])
    safe_dial(canvas, 26, 32)
    canvas.rect(44, 22, 48, 42, BRONZE[0])
    canvas.rect(45, 23, 47, 41, BRONZE[4])
    canvas.rect(45, 23, 46, 41, BRONZE[6])
    return canvas


def safe_dial(canvas, cx, cy):
    for y in range(cy - 12, cy + 12):
        for x in range(cx - 12, cx + 12):
            px, py = x + 0.5 - cx, y + 0.5 - cy
            d = math.hypot(px, py)
            tick = int(math.degrees(math.atan2(py, px)) + 375) // 10 % 3 == 0
            if d <= 11.6:
                canvas.put(x, y, STEEL[0] if d > 10.4 else IVORY[4] if d > 7 and tick else STEEL[1])
            if d <= 6.4:
                slope = 1.0 if d > 4.8 else 0.2
                light = lambert(px / max(d, 0.5) * slope, py / max(d, 0.5) * slope, 0.8)
                canvas.put(x, y, tone(BRONZE, light))


def card():
    """Two pixels thick: the printed back and the face."""
    canvas = Canvas(2, 32)
    for y in range(32):
        rim = y in (0, 31)
        canvas.put(0, y, IVORY[4 if rim else 6])
        canvas.put(1, y, RED[1 if rim else 3 if y // 2 % 2 else 4])
    return canvas


def domino():
    canvas, mask = Canvas(8, 32), Mask(8, 32, solid)
    canvas.shape(mask, IVORY, bevel(mask, 1.0, face=0.78))
    canvas.rect(1, 15, 7, 16, IVORY[2])
    canvas.rect(1, 16, 7, 17, IVORY[6])
    for x, y in ((2, 3), (4, 7), (2, 11), (2, 20), (4, 20), (2, 26), (4, 26)):
        canvas.rect(x, y, x + 2, y + 2, BLUE[0])
    return canvas


def bullet():
    art = ("bbtt..", "hhhhst", "mmmmsd", "dddd..")
    key = {"b": (BRONZE[4],), "h": (BRONZE[6],), "m": (BRONZE[4],), "d": (BRONZE[1],),
           "t": (RED[4],), "s": (RED[3],)}
    canvas = Canvas(6, 4)
    canvas.draw_text(0, 0, art, key)
    return canvas


def sheet(thickness):
    canvas = Canvas(thickness, 56)
    for y in range(56):
        for x in range(thickness):
            canvas.put(x, y, STEEL[6 - 2 * x if y // 4 % 2 else 5 - 2 * x])
    return canvas


def sheet_1():
    return sheet(1)


def sheet_2():
    return sheet(2)


def marker():
    """A pointer: its tip is the middle of its lower edge."""
    mask = Mask(12, 10, polygon([(0, 0), (12, 0), (12, 1), (6.5, 10), (5.5, 10), (0, 1)]))
    canvas = Canvas(12, 10)
    canvas.shape(mask, YELLOW, bevel(mask, 1.0, face=0.7))
    return canvas


def beam():
    canvas, mask = Canvas(480, 16), Mask(480, 16, solid)
    canvas.shape(mask, PAINT, bevel(mask, 1.2, face=0.62))
    for x0 in range(0, 480, 48):
        sunken(canvas, x0 + 5, 4, x0 + 43, 12, PAINT)
        canvas.rect(x0 + 6, 5, x0 + 42, 11, PAINT[2])
        for i in range(36):
            zigzag = abs(i % 12 - 6)
            canvas.rect(x0 + 6 + i, 5 + min(zigzag, 5), x0 + 7 + i, 6 + min(zigzag, 5), PAINT[5])
        rivet(canvas, x0 + 2, 7, PAINT)
        rivet(canvas, x0 + 46, 7, PAINT)
    canvas.outline(mask, PAINT[0])
    return canvas


def tile():
    rng, canvas = random.Random(41), Canvas(16, 16)
    block(canvas, 1, 1, 15, 15, CLAY, rng, base=4, mottle=0.2)
    frame(canvas, CLAY[0])
    canvas.rect(1, 0, 15, 1, CLAY[6])
    return canvas


def below_stairs(px, py):
    return py >= 8 * math.floor(px / 32)


def stairs():
    """Every other course begins with half a stone; each ends with a whole one, the step."""
    canvas, mask, rng = Canvas(320, 80), Mask(320, 80, below_stairs), random.Random(43)
    for j in range(10):
        cuts = list(range(16 * (j % 2), 32 * j, 32)) + [32 * j, 32 * j + 32]
        cuts = [0] + [x for x in cuts if x]
        for x0, x1 in zip(cuts, cuts[1:]):
            canvas.rect(x0, 8 * j, x1, 8 * j + 8, STONE[1])
            block(canvas, x0, 8 * j, x1 - 1, 8 * j + 7, STONE, rng, 4 if x1 == cuts[-1] else 3)
    canvas.outline(mask, STONE[0])
    return canvas


BUCKET_W, BUCKET_H = 640, 404


def in_bucket(px, py):
    """Walls 14 px thick across, leaning outwards."""
    lean = 48 * (1 - py / BUCKET_H)
    from_rim = min(px, BUCKET_W - px) - (48 - lean)
    return from_rim >= 0 and (from_rim < 14 or py >= BUCKET_H - 14)


def bucket():
    canvas, mask = Canvas(BUCKET_W, BUCKET_H), Mask(BUCKET_W, BUCKET_H, in_bucket)
    plain = bevel(mask, 3.0, face=0.55)

    def brightness(x, y):
        hoop = 6 <= y < 22 or 200 <= y < 212 or 360 <= y < 372
        return plain(x, y) + (0.17 if hoop else 0.05 * math.cos(x / 9.0))

    canvas.shape(mask, TEAL, brightness)
    for y in (13, 205, 365):
        for x in (48 * y / BUCKET_H + 7, BUCKET_W - 48 * y / BUCKET_H - 8):
            rivet(canvas, math.floor(x), y, TEAL)
    for x in range(76, 576, 32):
        rivet(canvas, x, BUCKET_H - 7, TEAL)
    return canvas


# The arch: seventeen stones between two half circles' polygons, as they stand.
STONES, ARCH_INNER, ARCH_OUTER = 17, 314, 378


def stone_corners(i):
    """Corners of stone i from the left, about the middle of the springing line."""
    corners = []
    for turn, r in ((i, ARCH_INNER), (i, ARCH_OUTER), (i + 1, ARCH_OUTER), (i + 1, ARCH_INNER)):
        angle = math.pi * turn / STONES
        corners.append((-r * math.cos(angle), -r * math.sin(angle)))
    return corners


def stone_place(i):
    """Left, top, width and height of the pixels of stone i."""
    inside = polygon(stone_corners(i))
    xs, ys = zip(*stone_corners(i))
    pixels = [
        (x, y)
        for y in range(math.floor(min(ys)), math.ceil(max(ys)))
        for x in range(math.floor(min(xs)), math.ceil(max(xs)))
        if inside(x + 0.5, y + 0.5)
    ]
    left, top = min(x for x, _ in pixels), min(y for _, y in pixels)
    return left, top, max(x for x, _ in pixels) + 1 - left, max(y for _, y in pixels) + 1 - top


def stone_shape(i):
    (left, top, _, _), inside = stone_place(i), polygon(stone_corners(i))
    return lambda px, py: inside(px + left, py + top)


def stone(i):
    _, _, width, height = stone_place(i)
    canvas, mask = Canvas(width, height), Mask(width, height, stone_shape(i))
    rng = random.Random(100 + i)
    colors, face = (SOIL, 0.72) if i == STONES // 2 else (STONE, 0.5 + 0.06 * (i % 3))
    rim, seed = bevel(mask, 3.0, face=face), rng.randrange(1 << 16)

    def brightness(x, y):
        return rim(x, y) + 0.3 * (noise(x / 9.0, y / 7.0, seed) - 0.5)

    canvas.shape(mask, colors, brightness)
    for _ in range(7):
        x, y = rng.randrange(8, width - 8), rng.randrange(8, height - 8)
        if mask.depth(x, y) > 5:
            pit(canvas, x, y, colors)
    return canvas


def abutment():
    rng, canvas = random.Random(53), Canvas(96, 128)
    canvas.rect(0, 0, 96, 128, STONE[0])
    for i in range(5):
        cuts = [1, 33, 65, 96] if i % 2 else [1, 49, 96]
        course(canvas, 1 + 25 * i, 27 + 25 * i if i < 4 else 128, cuts, DEEP if i else STONE, rng)
    frame(canvas, STONE[0])
    return canvas


# --------------------------------------------------------------------------
# Application icon: drawn at 64x64, doubled
# --------------------------------------------------------------------------


def icon_rock(px, py):
    """A boulder with a round seat in its top."""
    body = polygon([
        (-2, 47), (6, 37), (13, 32), (20, 31), (26, 36), (45, 36),
        (49, 30), (55, 33), (66, 46), (66, 66), (-2, 66),
    ])
    return body(px, py) and not circle(34, 27, 12.7)(px, py)


def icon():
    canvas, tile = Canvas(64, 64), Mask(64, 64, rounded_box(0, 0, 64, 64, 12))
    canvas.fill(tile, icon_sky)
    icon_boulder(canvas, tile)
    icon_ball(canvas, 34, 27)
    for x, y in tile.pixels():
        if tile.is_edge(x, y):
            canvas.put(x, y, BLUE[0])
        elif tile.depth(x, y) < 2.1:
            ox, oy = tile.outward(x, y)
            canvas.put(x, y, GLASS[3] if ox + oy < -0.3 else BLUE[1])
    return canvas.scaled(2)


def icon_sky(x, y):
    """Bands of evening sky with a few pixel stars."""
    if (x, y) in ((10, 12), (52, 10), (56, 22), (8, 26), (20, 7)):
        return WHITE
    glow = math.hypot(x - 34, (y - 44) * 1.1) / 50
    return tone((BLUE[0], *BLUE[1:5]), clamp(1.0 - glow, 0.0, 0.9))


def icon_boulder(canvas, tile):
    mask = Mask(64, 64, icon_rock, beyond=True)

    def brightness(x, y):
        cell, _ = cells(x, y, 11.0, 4)
        nx = (x - 32) / 40 + 0.8 * (hash01(*cell, 5) - 0.5)
        ny = (y - 48) / 26 + 0.8 * (hash01(*cell, 6) - 0.5)
        tx, ty = crater_tilt(x + 0.5, y + 0.5, ((15, 43, 4.5), (50, 51, 5.0), (32, 53, 3.0)))
        if mask.depth(x, y) < 3.0:
            ox, oy = mask.outward(x, y)
            tx, ty = tx + 0.6 * ox, ty + 0.6 * oy
        return lambert(nx + tx, ny + ty, 1.0) - 0.12

    for x, y in mask.pixels():
        if tile.at(x, y):
            edge = mask.is_edge(x, y)
            canvas.put(x, y, ROCK[0] if edge else tone(ROCK, brightness(x, y)))


def icon_ball(canvas, cx, cy):
    art = ball_sprite(28, beach_panels((RED, YELLOW, TEAL, RED, YELLOW, TEAL), 0.20, -0.16))
    gloss(art, 14, 14, 14)
    for y in range(28):
        for x in range(28):
            if art.alpha(x, y):
                canvas.rows[cy - 14 + y][cx - 14 + x] = art.rows[y][x]


# --------------------------------------------------------------------------
# Planet, wrecking ball, link of its chain
# --------------------------------------------------------------------------


def planet():
    """Bands of cloud, torn by noise, and one storm."""
    bands = (PURPLE, CLAY, ORANGE, IVORY, ORANGE, BRICK, CLAY, IVORY, PURPLE)

    def material(nx, ny, nz):
        if ((nx - 0.25) / 0.24) ** 2 + ((ny - 0.33) / 0.12) ** 2 <= 1:
            return RED
        across = ny + 0.12 * nx + 0.10 * (noise(6 * nx + 20, 14 * ny + 20, 5) - 0.5)
        return bands[clamp(int((across + 1.05) * 4.3), 0, len(bands) - 1)]

    return ball_sprite(224, material)


def wrecker():
    """A ball of cast steel with a ring of rivets and an eye."""
    canvas = ball_sprite(64, lambda nx, ny, nz: STEEL)
    for i in range(12):
        angle = math.radians(30 * i + 15)
        rivet(canvas, math.floor(32 + 25 * math.cos(angle)), math.floor(32 + 25 * math.sin(angle)), STEEL)
    for y in range(24, 40):
        for x in range(24, 40):
            d = math.hypot(x + 0.5 - 32, y + 0.5 - 32)
            if d <= 7.6:
                canvas.put(x, y, STEEL[0] if d > 6.4 or d < 3 else BRONZE[4 if x + y < 62 else 2])
    gloss(canvas, 32, 32, 32)
    return canvas


def link():
    """A flat link with a bolt at either end, on which the next one hangs."""
    canvas, mask = Canvas(24, 10), Mask(24, 10, rounded_box(0, 0, 24, 10, 5))
    canvas.shape(mask, STEEL, bevel(mask, 2.2, face=0.55))
    for x in (5, 19):
        canvas.rect(x - 2, 3, x + 2, 7, BRONZE[1])
        canvas.rect(x - 1, 4, x + 1, 6, BRONZE[5])
    return canvas


HERO_CELLS = 6


def hero_cell(canvas, x0, legs, hammer):
    """A gnome with a hammer, 48 x 40, its feet about the middle of the lower edge; legs: x of the feet, and their y."""
    def put(shape, colors, face=0.62):
        mask = Mask(canvas.width, canvas.height, lambda px, py: shape(px - x0, py))
        canvas.shape(mask, colors, bevel(mask, 1.5, face=face))

    for hip, (x, y) in zip((19, 29), legs):
        put(polygon([(hip - 3, 28), (hip + 3, 28), (x + 3, y), (x - 3, y)]), SOIL)
    put(rounded_box(14, 14, 34, 33, 6), TEAL)
    put(polygon([(14, 16), (34, 16), (26, 2), (21, 2)]), RED)
    put(rounded_box(16, 15, 33, 24, 4), CLAY, face=0.8)
    canvas.rect(x0 + 27, 17, x0 + 29, 20, IVORY[0])
    for shape, colors in hammer:
        put(shape, colors)


def box(x0, y0, x1, y1):
    return lambda px, py: x0 <= px < x1 and y0 <= py < y1


def hero():
    """Cells side by side: stand, three of a walk, the hammer up, the hammer down."""
    canvas = Canvas(48 * HERO_CELLS, 40)
    stand, stride, lift = ((19, 40), (29, 40)), ((14, 40), (34, 40)), ((20, 36), (29, 40))
    up = ((box(31, 5, 34, 27), WOOD), (box(27, 0, 40, 8), STEEL))
    down = ((box(30, 24, 42, 27), WOOD), (box(39, 19, 47, 33), STEEL))
    for i, (legs, hammer) in enumerate(((stand, ()), (stride, ()), (stand, ()), (lift, ()), (stand, up), (stride, down))):
        hero_cell(canvas, 48 * i, legs, hammer)
    return canvas


# --------------------------------------------------------------------------
# Characters, and what they collect
# --------------------------------------------------------------------------

DIVER_W, DIVER_H = 24, 32

# Of each frame: how high the hips are lifted, then knee and foot of the far and the near leg and the hands,
# as seen from the hip and the shoulder.  It looks to the right; the feet stand on the lower edge.
DIVER_RUN = (
    ((5, 4), (8, 8), (-3, 4), (-7, 6)), ((2, 5), (5, 9), (0, 4), (-6, 6)), ((-1, 5), (-1, 9), (3, 3), (-1, 5)),
    ((-3, 4), (-7, 6), (5, 4), (8, 8)), ((0, 4), (-6, 6), (2, 5), (5, 9)), ((3, 3), (-1, 5), (-1, 5), (-1, 9)),
)
DIVER_FRAMES = (
    [(0, ((-1, 5), (-2, 9), (1, 5), (2, 9)), (-3, 6), (3, 6)), (-1, ((-1, 4), (-2, 10), (1, 4), (2, 10)), (-3, 7), (3, 7))]
    + [(i % 3 == 2, legs, (6 * math.cos(1.05 * i), 5), (-6 * math.cos(1.05 * i), 5)) for i, legs in enumerate(DIVER_RUN)]
    + [(1, ((4, 2), (3, 6), (-1, 4), (-4, 7)), (-6, -2), (6, -5)), (0, ((3, 4), (4, 8), (-2, 4), (-5, 7)), (-6, -4), (6, -4))]
    + [(-1, ((-3, 5), (-7, 10), (2, 4), (-1, 10)), (7, 0), (7, 2))]
)


def stroke(x0, y0, x1, y1, r):
    """The points within r of a line."""
    def inside(px, py):
        dx, dy = x1 - x0, y1 - y0
        along = clamp(((px - x0) * dx + (py - y0) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
        return math.hypot(px - x0 - along * dx, py - y0 - along * dy) <= r
    return inside


def limb(canvas, x, y, joints, r, colors, shade):
    """Strokes from point to point with one outline; the joints are seen from (x, y)."""
    points = [(x, y)] + [(x + dx, y + dy) for dx, dy in joints]
    parts = [stroke(*a, *b, r) for a, b in zip(points, points[1:])]
    mask = Mask(canvas.width, canvas.height, lambda px, py: any(part(px, py) for part in parts))
    canvas.shape(mask, colors, lambda x, y: shade)


def diver_leg(canvas, x, y, legs, shade):
    limb(canvas, x, y, legs, 2.2, BLUE, shade)
    foot_x, foot_y = x + legs[1][0], min(y + legs[1][1], DIVER_H - 2.5)
    boot = Mask(canvas.width, canvas.height, rounded_box(foot_x - 2.5, foot_y - 1.5, foot_x + 4, foot_y + 2.5, 1.5))
    canvas.shape(boot, WOOD, lambda x, y: shade)


def diver_head(canvas, x, y):
    mask = Mask(canvas.width, canvas.height, circle(x, y, 6.5))
    canvas.shape(mask, ORANGE, lambda px, py: sphere_light(*sphere_normal(px, py, x, y, 6.5)))
    visor = Mask(canvas.width, canvas.height, rounded_box(x - 1, y - 3, x + 6, y + 3, 2.5))
    canvas.shape(visor, GLASS, lambda px, py: 0.45 + 0.08 * (x + 4 - px) + 0.06 * (y - py))


def diver_frame(lift, legs, far, near):
    canvas = Canvas(DIVER_W, DIVER_H)
    hip, shoulder = DIVER_H - 11.5 - lift, DIVER_H - 17.5 - lift
    limb(canvas, 12, shoulder, [(far[0] / 2, far[1] / 2 + 1), far], 1.8, RED, 0.35)
    diver_leg(canvas, 11.5, hip, legs[:2], 0.35)
    body = Mask(DIVER_W, DIVER_H, rounded_box(8, shoulder - 3, 16, hip + 2.5, 3))
    canvas.shape(body, RED, bevel(body, 2.5, face=0.6))
    diver_leg(canvas, 12.5, hip, legs[2:], 0.65)
    diver_head(canvas, 12, shoulder - 7)
    limb(canvas, 12, shoulder, [(near[0] / 2, near[1] / 2 + 1), near], 1.8, RED, 0.75)
    return canvas


def diver():
    """A sheet of frames side by side: two to stand, six to run, one each to jump, to fall and to push."""
    sheet = Canvas(DIVER_W * len(DIVER_FRAMES), DIVER_H)
    for i, pose in enumerate(DIVER_FRAMES):
        for y, row in enumerate(diver_frame(*pose).rows):
            sheet.rows[y][DIVER_W * i : DIVER_W * (i + 1)] = row
    return sheet


def coin():
    canvas = ball_sprite(16, lambda nx, ny, nz: GOLD)
    for x, y in Mask(16, 16, circle(8, 8, 5.4)).pixels():
        ring_edge = math.hypot(x + 0.5 - 8, y + 0.5 - 8) > 4.4
        canvas.put(x, y, GOLD[2] if ring_edge and x + y < 15 else GOLD[6] if ring_edge else GOLD[4])
    canvas.rect(7, 5, 9, 11, GOLD[6])
    canvas.rect(8, 6, 9, 11, GOLD[2])
    return canvas


def pig():
    canvas = ball_sprite(28, lambda nx, ny, nz: PIG)
    for x, y in Mask(28, 28, circle(14, 17, 5)).pixels():
        rim = math.hypot(x + 0.5 - 14, y + 0.5 - 17) > 4
        canvas.put(x, y, PIG[2] if rim else PIG[5])
    for x in (11, 15):
        canvas.rect(x, 15, x + 2, 19, PIG[1])
    for x in (7, 18):
        canvas.rect(x, 8, x + 4, 12, WHITE)
        canvas.rect(x + 1, 9, x + 3, 12, PIG[0])
    return canvas


# --------------------------------------------------------------------------
# What falls from the sky: whales, flower pots, and a bowl of petunias
# --------------------------------------------------------------------------


def ellipse(cx, cy, rx, ry, turn=0.0):
    """The inside of an ellipse; turn [degrees] is clockwise."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def inside(px, py):
        dx, dy = px - cx, py - cy
        return ((c * dx + s * dy) / rx) ** 2 + ((c * dy - s * dx) / ry) ** 2 <= 1

    return inside


def lump(canvas, inside, colors, face=0.62, width=3.0):
    """A soft outlined piece; later ones lie on top."""
    mask = Mask(canvas.width, canvas.height, inside)
    canvas.shape(mask, colors, bevel(mask, width, face))
    return mask


WHALE_W, WHALE_H, CALF_W, CALF_H, CLOUD_W, CLOUD_H = 112, 70, 64, 40, 130, 48


def whale_spine(t):
    """Place and half thickness of the body, in parts of its length; t runs from head to tail."""
    return 0.235 + 0.61 * t, 0.385 - 0.24 * t**2.6, 0.202 * (1 - t**1.5) ** 0.85 + 0.03


def whale_body(px, py):
    return any(math.hypot(px - x, py - y) <= r for x, y, r in map(whale_spine, [i / 48 for i in range(49)]))


def whale_fluke(px, py):
    left, right = ellipse(0.785, 0.095, 0.105, 0.047, 42), ellipse(0.902, 0.105, 0.095, 0.047, -30)
    return left(px, py) or right(px, py)


def whale_belly(px, py):
    """Everything below a line from the mouth to the root of the tail."""
    return py > 0.425 + 0.06 * math.sin(px * 7.5) - 0.30 * max(0.0, px - 0.45) ** 1.4


def whale_sprite(width, height, colors):
    canvas = Canvas(width, height)
    inside = lambda px, py: whale_body(px / width, py / width) or whale_fluke(px / width, py / width)
    mask = Mask(width, height, inside).without_spurs()
    dome = 0.17 * width

    def brightness(x, y):
        ox, oy = mask.outward(x, y)
        steep = 1.15 * (1 - clamp(mask.depth(x, y) / dome, 0, 1))
        return lambert(ox * steep, oy * steep, 0.8) * 0.95 - 0.14 + 0.10 * (noise(x / 7.0, y / 5.0, 31) > 0.68)

    def belly(x, y):
        return whale_belly((x + 0.5) / width, (y + 0.5) / width)

    def color(x, y):
        if not belly(x, y):
            return tone(colors, brightness(x, y))
        groove = y % 4 == 0 and mask.depth(x, y) > 2 and 0.06 * width < x < 0.62 * width and belly(x, y - 3)
        return IVORY[2] if groove else tone(IVORY, brightness(x, y) + 0.16)

    canvas.fill(mask, color)
    canvas.outline(mask, colors[0])
    lump(canvas, whale_fin(width), colors, face=0.5, width=2.0)
    whale_face(canvas, width, colors)
    return canvas


def whale_fin(width):
    return ellipse(0.44 * width, 0.515 * width, 0.10 * width, 0.042 * width, 48)


def whale_face(canvas, width, colors):
    """A friendly eye with a spark, a cheek, the corner of a smile, and the blow hole."""
    x, y, large = int(0.19 * width), int(0.385 * width), width > 80
    size = 4 if large else 3
    for dx, dy in ((dx, dy) for dx in range(-1, size + 1) for dy in range(-1, size + 1)):
        corner = dx in (-1, size) and dy in (-1, size)
        if not corner:
            rim = dx in (-1, size) or dy in (-1, size)
            canvas.touch(x + dx, y + dy, colors[5] if rim else colors[0])
    canvas.touch(x + 1, y, WHITE)
    canvas.touch(x + 1, y + 1, WHITE if large else colors[0])
    smile = ellipse(0.13 * width, 0.412 * width, 0.115 * width, 0.06 * width)
    for px in range(int(0.045 * width), int(0.25 * width)):
        for py in range(int(0.412 * width), int(0.50 * width)):
            if smile(px, py) and not smile(px, py + 1):
                canvas.touch(px, py, colors[1])
    for px, py in Mask(canvas.width, canvas.height, ellipse(0.275 * width, 0.445 * width, 0.036 * width, 0.02 * width)).pixels():
        canvas.touch(px, py, PIG[4])
    hole = int(0.27 * width)
    top = next(py for py in range(canvas.height) if canvas.alpha(hole, py))
    canvas.touch(hole - 1, top + 2, colors[1])
    canvas.touch(hole, top + 2, colors[0])
    canvas.touch(hole + 1, top + 2, colors[1])


def cloud():
    """A heap of white puffs with a level base in shade."""
    puffs = ((22, 36, 17), (44, 26, 22), (70, 22, 21), (94, 32, 20), (114, 39, 13), (58, 38, 20))
    canvas = Canvas(CLOUD_W, CLOUD_H)
    mask = Mask(CLOUD_W, CLOUD_H, lambda px, py: py < 47 and any(math.hypot(px - x, py - y) <= r for x, y, r in puffs))

    def brightness(x, y):
        _, cx, cy, r = min((math.hypot(x - px, y - py) - pr, px, py, pr) for px, py, pr in puffs)
        return 0.62 + 0.42 * (lambert((x - cx) / r, (y - cy) / r, 0.6) - 0.5) - 0.30 * max(0.0, (y - 30) / 20)

    canvas.fill(mask, lambda x, y: tone(CLOUD, 0.12 + 0.88 * brightness(x, y)))
    return canvas


def pot(canvas, cx, top, half, height, colors):
    """A pot of clay on the lower edge: a wall that narrows, earth, and a rim."""
    bottom, foot = top + height, half * 0.66
    wall = polygon([(cx - half + 2, top + 3), (cx + half - 2, top + 3), (cx + foot, bottom), (cx - foot, bottom)])
    rim = rounded_box(cx - half, top, cx + half, top + 6, 1.5)
    for inside in (wall, rim):
        mask = Mask(canvas.width, canvas.height, inside)
        round_wall = lambda x, y: 0.62 - 0.42 * abs((x + 0.5 - cx) / half + 0.35) ** 1.6
        canvas.shape(mask, colors, round_wall)
    for x in range(int(cx - half) + 2, int(cx + half) - 2):
        canvas.touch(x, top + 6, colors[1])


def stem(canvas, x0, y0, x1, y1):
    limb(canvas, x0, y0, [(x1 - x0, y1 - y0)], 1.6, GREEN, 0.6)


def leaf(canvas, cx, cy, rx, ry, turn):
    lump(canvas, ellipse(cx, cy, rx, ry, turn), GREEN, face=0.66, width=2.0)


def blossom(canvas, cx, cy, r, petals, colors, heart, turn=0.0, wave=0.16):
    """A round flower of so many petals with a heart; wave is the depth of the notches between them."""
    def inside(px, py):
        dx, dy = px - cx, py - cy
        return math.hypot(dx, dy) <= r * (1 - wave + wave * math.cos(petals * math.atan2(dy, dx) + turn))

    mask = lump(canvas, inside, colors, face=0.68, width=2.0)
    for x, y in mask.pixels():
        dx, dy = x + 0.5 - cx, y + 0.5 - cy
        if 0.42 * r < math.hypot(dx, dy) < 0.8 * r and math.cos(petals * math.atan2(dy, dx) + turn) < -0.6:
            canvas.touch(x, y, colors[3])
    for x, y in Mask(canvas.width, canvas.height, circle(cx, cy, 0.36 * r)).pixels():
        canvas.touch(x, y, heart[3 if x + y > cx + cy else 5])


def tulip(canvas, cx, cy, colors):
    cup = ellipse(cx, cy, 4.6, 5.6)
    crown = polygon([(cx - 4.6, cy), (cx - 4.4, cy - 6.5), (cx - 2, cy - 3), (cx, cy - 7), (cx + 2, cy - 3), (cx + 4.4, cy - 6.5), (cx + 4.6, cy)])
    lump(canvas, lambda x, y: (cup(x, y) and y > cy - 1) or crown(x, y), colors, width=2.5)


def pot_tulips():
    canvas = Canvas(34, 52)
    for x, y in ((8.5, 15), (25.5, 14), (17, 10)):
        stem(canvas, 17 + (x - 17) * 0.35, 34, x, y)
    leaf(canvas, 9, 27, 3, 8, -28)
    leaf(canvas, 25, 27, 3, 8, 28)
    for x, y, colors in ((8.5, 14, YELLOW), (25.5, 13, PIG), (17, 8, RED)):
        tulip(canvas, x, y, colors)
    pot(canvas, 17, 32, 13, 20, BRICK)
    return canvas


def pot_sunflower():
    canvas = Canvas(30, 60)
    stem(canvas, 15, 44, 15, 12)
    leaf(canvas, 9, 32, 6.5, 3, 28)
    leaf(canvas, 21, 28, 6.5, 3, -28)
    blossom(canvas, 15, 13, 12.6, 11, YELLOW, WOOD)
    pot(canvas, 15, 40, 12, 20, TEAL)
    return canvas


def pot_cactus():
    canvas = Canvas(34, 50)
    limb(canvas, 17, 24, [(9.5, 0), (9.5, -8)], 3.4, GREEN, 0.42)
    limb(canvas, 17, 27, [(-9.5, 0), (-9.5, -6)], 3.4, GREEN, 0.55)
    lump(canvas, rounded_box(11, 7, 23, 40, 6), GREEN, face=0.6, width=5.0)
    for x, y in ((14, 14), (19, 12), (16, 20), (20, 22), (13, 26), (18, 28), (8, 20), (26, 17)):
        canvas.touch(x, y, IVORY[5])
        canvas.touch(x, y + 1, GREEN[2])
    blossom(canvas, 17, 6, 5.4, 5, PIG, YELLOW)
    pot(canvas, 17, 30, 12, 20, ORANGE)
    return canvas


def petunias():
    """A bowl of petunias that has seen all this before: heavy lids and a level mouth."""
    canvas = Canvas(48, 46)
    for x, y, turn in ((8, 23, 20), (40, 23, -20), (17, 24, 60), (31, 24, -60)):
        leaf(canvas, x, y, 6, 3, turn)
    for x, y, r, colors in ((9, 15, 6.5, PURPLE), (39, 15, 6.5, PURPLE), (17, 8, 7, PIG), (32, 8, 7, PURPLE), (24.5, 15, 7.5, PURPLE)):
        blossom(canvas, x, y, r, 5, colors, IVORY, turn=x, wave=0.07)
    bowl = ellipse(24, 24, 21, 22)
    mask = Mask(48, 46, lambda x, y: bowl(x, y) and y > 25)
    canvas.shape(mask, IVORY, lambda x, y: sphere_light(*sphere_normal(x, y, 24, 21, 26)) + 0.12)
    lump(canvas, rounded_box(1, 22, 47, 28, 2), BLUE, face=0.62, width=1.5)
    for x, out in ((14, 0), (27, 6)):
        canvas.rect(x, 32, x + 7, 38, WHITE)
        canvas.rect(x, 32, x + 7, 35, IVORY[3])
        canvas.rect(x, 35, x + 7, 36, IVORY[0])
        canvas.rect(x + 2, 36, x + 5, 38, BLUE[1])
        canvas.rect(x + 1, 38, x + 6, 39, IVORY[2])
        canvas.put(x + out, 36, IVORY[0])
    canvas.rect(21, 42, 27, 43, IVORY[0])
    canvas.put(20, 43, IVORY[0])
    canvas.put(27, 43, IVORY[0])
    return canvas


# --------------------------------------------------------------------------
# Output
# --------------------------------------------------------------------------

SPRITES = {
    "crate": crate, "plank": plank, "brick": brick,
    "ball": ball, "ball_small": ball_small,
    "ball_1": ball_1, "ball_2": ball_2, "ball_3": ball_3,
    "ball_4": ball_4, "ball_5": ball_5, "ball_6": ball_6, "ball_cue": ball_cue,
    "star": star, "ring": ring, "letter_c": letter_c, "letter_l": letter_l, "gear": gear,
    "rock_large": rock_large, "rock_medium": rock_medium, "rock_small": rock_small,
    "ship": ship, "missile": missile, "scout": lambda: drawn(SCOUT), "dart": lambda: drawn(DART),
    "pilot": lambda: drawn(PILOT),
    "ground": ground, "ramp": ramp_sprite, "peg": peg, "wall": wall, "floor": floor,
    "box_notched": box_notched, "box_plain": box_plain, "icon": icon,
    "star_small": star_small, "ring_small": ring_small, "letter_c_small": letter_c_small,
    "letter_l_small": letter_l_small, "gear_small": gear_small,
    "safe": safe, "card": card, "domino": domino, "bullet": bullet, "sheet_1": sheet_1, "sheet_2": sheet_2,
    "marker": marker, "beam": beam, "tile": tile, "stairs": stairs, "bucket": bucket, "abutment": abutment,
    "planet": planet, "wrecker": wrecker, "link": link, "hero": hero, "diver": diver, "coin": coin, "pig": pig,
    "meadow": meadow, "whale": lambda: whale_sprite(WHALE_W, WHALE_H, BLUE),
    "whale_calf": lambda: whale_sprite(CALF_W, CALF_H, TEAL), "pot_tulips": pot_tulips,
    "pot_sunflower": pot_sunflower, "pot_cactus": pot_cactus, "petunias": petunias, "cloud": cloud,
}
SPRITES.update({"arch_%d" % (i + 1): functools.partial(stone, i) for i in range(STONES)})


# --------------------------------------------------------------------------
# Checks: every promise of README.md that a program can test
# --------------------------------------------------------------------------

SIZES = {
    "crate": (32, 32), "plank": (96, 12), "brick": (32, 16),
    "ball": (32, 32), "ball_small": (16, 16), "ball_cue": (24, 24),
    "ball_1": (24, 24), "ball_2": (24, 24), "ball_3": (24, 24),
    "ball_4": (24, 24), "ball_5": (24, 24), "ball_6": (24, 24),
    "star": (48, 48), "ring": (56, 56), "letter_c": (40, 40), "letter_l": (32, 44),
    "gear": (56, 56), "rock_large": (80, 80), "rock_medium": (48, 48), "rock_small": (24, 24),
    "ship": (40, 36), "missile": (20, 8), "scout": (22, 18), "dart": (9, 4), "pilot": (8, 11), "ground": (1280, 240), "ramp": (320, 160),
    "peg": (16, 16), "wall": (16, 480), "floor": (1280, 32),
    "box_notched": (64, 32), "box_plain": (64, 32), "icon": (128, 128),
    "star_small": (28, 28), "ring_small": (32, 32), "letter_c_small": (28, 28), "letter_l_small": (24, 32),
    "gear_small": (36, 36), "safe": (64, 64), "card": (2, 32), "domino": (8, 32), "bullet": (6, 4),
    "sheet_1": (1, 56), "sheet_2": (2, 56), "marker": (12, 10), "beam": (480, 16), "tile": (16, 16),
    "stairs": (320, 80), "bucket": (BUCKET_W, BUCKET_H), "abutment": (96, 128),
    "planet": (224, 224), "wrecker": (64, 64), "link": (24, 10),
    "hero": (48 * HERO_CELLS, 40), "diver": (DIVER_W * len(DIVER_FRAMES), DIVER_H), "coin": (16, 16), "pig": (28, 28),
    "meadow": (MEADOW_W, MEADOW_H), "whale": (WHALE_W, WHALE_H), "whale_calf": (CALF_W, CALF_H),
    "pot_tulips": (34, 52), "pot_sunflower": (30, 60), "pot_cactus": (34, 50), "petunias": (48, 46), "cloud": (CLOUD_W, CLOUD_H),
}
SIZES.update({"arch_%d" % (i + 1): stone_place(i)[2:] for i in range(STONES)})

# Sheets, and how many pieces side by side they hold.
FRAMES = {"hero": HERO_CELLS, "diver": len(DIVER_FRAMES)}

EXACT = {
    "crate": lambda px, py: True, "plank": lambda px, py: True, "brick": lambda px, py: True,
    "wall": lambda px, py: True, "floor": lambda px, py: True, "box_plain": lambda px, py: True,
    "box_notched": box_shape(True), "ramp": below_slope, "ground": in_ground,
    "ball": circle(16, 16, 16), "ball_small": circle(8, 8, 8), "peg": circle(8, 8, 8),
    "ball_cue": circle(12, 12, 12), "ball_1": circle(12, 12, 12), "ball_2": circle(12, 12, 12),
    "ball_3": circle(12, 12, 12), "ball_4": circle(12, 12, 12), "ball_5": circle(12, 12, 12),
    "ball_6": circle(12, 12, 12),
    "ring": lambda px, py: 17 <= math.hypot(px - 28, py - 28) <= 28,
    "ring_small": lambda px, py: 9 <= math.hypot(px - 16, py - 16) <= 16,
    "safe": solid, "card": solid, "domino": solid, "sheet_1": solid, "sheet_2": solid, "beam": solid,
    "tile": solid, "abutment": solid, "stairs": below_stairs, "bucket": in_bucket,
    "planet": circle(112, 112, 112), "wrecker": circle(32, 32, 32), "link": rounded_box(0, 0, 24, 10, 5),
    "coin": circle(8, 8, 8), "pig": circle(14, 14, 14), "meadow": in_meadow,
}
EXACT.update({"arch_%d" % (i + 1): stone_shape(i) for i in range(STONES)})


def regions(canvas, solid):
    """The 4-connected regions of solid (or of empty) pixels, as lists."""
    todo = {
        (x, y)
        for y, row in enumerate(canvas.rows)
        for x, pixel in enumerate(row)
        if (pixel[3] >= 128) == solid
    }
    found = []
    while todo:
        stack, region = [todo.pop()], []
        while stack:
            x, y = stack.pop()
            region.append((x, y))
            for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if near in todo:
                    todo.remove(near)
                    stack.append(near)
        found.append(region)
    return found


def complaints(name, canvas):
    """What is wrong with a sprite, as a list of sentences."""
    wrong = []
    if (canvas.width, canvas.height) != SIZES[name]:
        wrong.append("wrong size")
    alphas = {pixel[3] for row in canvas.rows for pixel in row}
    if any(128 <= a < 255 for a in alphas):
        wrong.append("half-transparent solid pixel")
    if name not in ("ship", "missile", "scout", "dart") and alphas - {0, 255}:
        wrong.append("glow where none is promised")
    if len(regions(canvas, True)) != FRAMES.get(name, 1):
        wrong.append("not in one piece")
    if name in EXACT:
        for y, row in enumerate(canvas.rows):
            for x, pixel in enumerate(row):
                if (pixel[3] == 255) != EXACT[name](x + 0.5, y + 0.5):
                    wrong.append("pixel (%d, %d) breaks the shape rule" % (x, y))
    return wrong + (ground_complaints(canvas) if name == "ground" else [])


def ground_complaints(canvas):
    wrong = []
    closed = [r for r in regions(canvas, False) if all(y > 0 for _, y in r)]
    if len(closed) != 2:
        wrong.append("expected two closed cavities, got %d" % len(closed))
    bay = [(x, y) for x in range(618, 666) for y in range(86, 134)]
    if any(canvas.alpha(x, y) for x, y in bay):
        wrong.append("a 48-px sprite does not fit under the overhang")
    if not all(canvas.alpha(x, 76) == 255 for x in range(618, 666)):
        wrong.append("the overhang has no roof")
    tops = [surface(x + 0.5) for x in range(GROUND_W)]
    if min(tops) < 30 or max(tops) > 150:
        wrong.append("surface leaves y = 30..150")
    return wrong


def main():
    here, failed = os.path.dirname(os.path.abspath(__file__)), False
    for name, draw in SPRITES.items():
        canvas = draw()
        for sentence in complaints(name, canvas):
            print("%s.png: %s" % (name, sentence), file=sys.stderr)
            failed = True
        with open(os.path.join(here, name + ".png"), "wb") as out:
            out.write(canvas.png())
    print("%d sprites written to %s" % (len(SPRITES), here))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
