#!/usr/bin/env python3
"""Draws the atlases of tests/data: a figure in four poses, packed the way Aseprite and TexturePacker do.

Invariant: packs by itself, with nothing of the library; the same files on every run.
SPDX-License-Identifier: Zlib
"""
import json
import os
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 12, 9
POSES = [
    ["............", "....###.....", "....#.##....", "....###.....", ".....#......", "...#####....", ".....#......",
     "....#.#.....", "...##.##...."],
    ["............", "............", ".....###....", ".....#.##...", ".....###....", "...####.....", "..#...##....",
     ".#...#..#...", "............"],
    ["............", "......####..", "......#..##.", "......####..", "...#########", "......#.....", ".....#.#....",
     "....#...##..", "............"],
    ["............"] * HEIGHT,
]


def write_png(name, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + b"".join(bytes(p) for p in row) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) +
                   chunk(b"IEND", b""))


def write_json(name, value):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def trim(pose):
    """Returns the box of a pose's solid pixels, or of one pixel if it is empty, and its rows in that box."""
    xs = [x for row in pose for x, c in enumerate(row) if c == "#"] or [0]
    ys = [y for y, row in enumerate(pose) if "#" in row] or [0]
    x, y, w, h = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    return (x, y, w, h), [row[x:x + w] for row in pose[y:y + h]]


def turn_clockwise(part):
    return ["".join(column) for column in zip(*part[::-1])]


def paint(sheet, part, left, top):
    for y, row in enumerate(part):
        for x, c in enumerate(row):
            if c == "#":
                sheet[top + y][left + x] = (200, 40 + 10 * x, 40 + 10 * y, 255)


def box(x, y, w, h):
    return {"x": x, "y": y, "w": w, "h": h}


def entry(stored, kept, turned, **more):
    return {"frame": box(*stored), "rotated": turned, "trimmed": True, "spriteSourceSize": box(*kept),
            "sourceSize": {"w": WIDTH, "h": HEIGHT}, **more}


def blank(w, h):
    # half of the gaps' pixels are solid, so that reading between the parts shows
    return [[(0, 0, 255, 255 if (x + y) % 2 else 0) for x in range(w)] for y in range(h)]


def clear(sheet, x, y, w, h):
    for row in sheet[y:y + h]:
        row[x:x + w] = [(0, 0, 0, 0)] * w


def aseprite():
    """Writes a trimmed strip, with an inner padding of 1."""
    sheet, frames, x = blank(48, 12), [], 1
    for i, pose in enumerate(POSES):
        kept, part = trim(pose)
        w, h = kept[2] + 2, kept[3] + 2
        clear(sheet, x, 1, w, h)
        paint(sheet, part, x + 1, 2)
        frames.append(("walker %d.aseprite" % i, entry((x, 1, w, h), kept, False, duration=[100, 50, 150, 200][i])))
        x += w
    meta = {
        "app": "https://www.aseprite.org/", "version": "1.3", "image": "walker.png", "format": "RGBA8888",
        "size": {"w": 48, "h": 12}, "scale": "1",
        "frameTags": [
            {"name": "walk", "from": 0, "to": 2, "direction": "pingpong", "color": "#000000ff"},
            {"name": "back", "from": 1, "to": 3, "direction": "reverse", "color": "#000000ff"},
            {"name": "gone", "from": 3, "to": 2, "direction": "forward", "color": "#000000ff"},
            {"name": "blink", "from": 2, "to": 3, "direction": "pingpong_reverse", "color": "#000000ff"},
        ],
        "slices": [
            {"name": "body", "color": "#0000ffff", "keys": [{"frame": 0, "bounds": box(1, 1, 3, 3)}]},
            {"name": "foot", "color": "#0000ffff", "keys": [
                {"frame": 0, "bounds": box(3, 7, 6, 2), "pivot": {"x": 2, "y": 1}},
                {"frame": 2, "bounds": box(4, 6, 4, 2), "pivot": {"x": -1, "y": 2}}]},
            {"name": "hand", "color": "#0000ffff", "keys": [
                {"frame": 1, "bounds": box(2, 5, 1, 1), "pivot": {"x": 0, "y": 0}}]},
        ],
    }
    write_png("walker.png", sheet)
    write_json("walker_array.json", {"frames": [{"filename": n, **f} for n, f in frames], "meta": meta})
    write_json("walker_hash.json", {"frames": dict(frames), "meta": meta})


def texture_packer():
    """Writes poses in a column, 0 and 2 of them rotated."""
    sheet, frames, y = blank(20, 40), [], 2
    for i, pose in enumerate(POSES):
        kept, part = trim(pose)
        stored = turn_clockwise(part) if i % 2 == 0 else part
        clear(sheet, 3, y, len(stored[0]), len(stored))
        paint(sheet, stored, 3, y)
        frames.append(("walk/%d.png" % i, entry((3, y, kept[2], kept[3]), kept, i % 2 == 0,
                                                pivot={"x": 0.5, "y": 0.25 * i})))
        y += len(stored) + 1
    meta = {"app": "https://www.codeandweb.com/texturepacker", "version": "1.1", "image": "packed.png",
            "format": "RGBA8888", "size": {"w": 20, "h": 40}, "scale": "1"}
    write_png("packed.png", sheet)
    write_json("packed_hash.json", {"frames": dict(frames), "meta": meta})
    write_json("packed_array.json", {"frames": [{"filename": n, **f} for n, f in frames], "meta": meta})


def write_text(name, lines):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def others():
    """Writes all poses upright in a row, as a TextureAtlas in XML, and as an old and a new .atlas of libGDX."""
    sheet, x = blank(48, 12), 1
    xml = ['<?xml version="1.0" encoding="UTF-8"?>', '<TextureAtlas imagePath="row.png">']
    head = ["", "row.png"]
    old = head + ["size: 48,12", "format: RGBA8888", "filter: Nearest,Nearest", "repeat: none"]
    new = head + ["size:48,12", "repeat:none"]
    for i, pose in enumerate(POSES):
        kept, part = trim(pose)
        left, top, w, h = kept
        clear(sheet, x, 2, w, h)
        paint(sheet, part, x, 2)
        xml.append('\t<SubTexture name="walk/%d.png" x="%d" y="2" width="%d" height="%d" frameX="%d" frameY="%d" '
                   'frameWidth="%d" frameHeight="%d"/>' % (i, x, w, h, -left, -top, WIDTH, HEIGHT))
        below = HEIGHT - top - h
        old += ["walk/%d.png" % i, "  rotate: false", "  xy: %d, 2" % x, "  size: %d, %d" % (w, h),
                "  orig: %d, %d" % (WIDTH, HEIGHT), "  offset: %d, %d" % (left, below), "  index: -1"]
        new += ["walk/%d.png" % i, "bounds:%d,2,%d,%d" % (x, w, h),
                "offsets:%d,%d,%d,%d" % (left, below, WIDTH, HEIGHT)]
        x += w + 1
    write_png("row.png", sheet)
    write_text("row.xml", xml + ["</TextureAtlas>"])
    write_text("row_old.atlas", old)
    write_text("row.atlas", new)


for pose in POSES:
    assert len(pose) == HEIGHT and all(len(row) == WIDTH for row in pose), pose
aseprite()
texture_packer()
others()
