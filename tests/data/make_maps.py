#!/usr/bin/env python3
"""Writes maps of tests/data: those of hills.json, packed and infinite, as Tiled 1.10 packs and splits them.

Invariant: packs by itself, with nothing of the library; needs zstd. The same files on every run.
SPDX-License-Identifier: Zlib
"""
import base64
import gzip
import json
import os
import struct
import subprocess
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
PACK = {
    "zlib": lambda b: zlib.compress(b, 9),
    "gzip": lambda b: gzip.compress(b, 9, mtime=0),
    "zstd": lambda b: subprocess.run(["zstd", "-q", "-c"], input=b, capture_output=True, check=True).stdout,
}

with open(os.path.join(HERE, "hills.json"), encoding="utf-8") as file:
    HILLS = json.load(file)
GROUND = next(layer["data"] for layer in HILLS["layers"] if layer["name"] == "ground")
WIDTH, HEIGHT = HILLS["width"], HILLS["height"]


def write(name, value):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def packed(tiles, by):
    raw = struct.pack("<%dI" % len(tiles), *tiles)
    return base64.b64encode(PACK[by](raw) if by else raw).decode("ascii")


def layer(**more):
    return {"id": 1, "name": "ground", "type": "tilelayer", "visible": True, "opacity": 1, "x": 0, "y": 0,
            "width": WIDTH, "height": HEIGHT, **more}


def map_of(infinite, layers):
    # tilesets in descending order of ids, which Tiled leaves behind when a tileset was replaced
    return {**HILLS, "infinite": infinite, "layers": layers, "tilesets": HILLS["tilesets"][::-1]}


def chunk(left, top, columns, rows, by):
    tiles = [GROUND[(top + y + 1) * WIDTH + left + x + 3] if 0 <= top + y + 1 < HEIGHT and 0 <= left + x + 3 < WIDTH else 0
             for y in range(rows) for x in range(columns)]
    return {"x": left, "y": top, "width": columns, "height": rows, "data": packed(tiles, by) if by else tiles}


def attributes(value, *left_out):
    return "".join(' %s="%s"' % (k, v) for k, v in value.items() if not isinstance(v, (list, dict)) and k not in left_out)


def data_of(tiles, columns, by):
    return packed(tiles, by) if by else ",\n".join(
        ",".join(map(str, tiles[i:i + columns])) for i in range(0, len(tiles), columns))


def write_tmx(name, by, parts, tilesets):
    """Writes a map in XML. parts is None, or the places of the chunks."""
    words = 'encoding="base64" compression="%s"' % by if by else 'encoding="csv"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="%d" '
             'height="%d" tilewidth="16" tileheight="16" infinite="%d">' % (WIDTH, HEIGHT, bool(parts))]
    lines += [' <tileset firstgid="%d" source="%s"/>' % t for t in tilesets]
    lines += [' <layer id="1" name="ground" width="%d" height="%d">' % (WIDTH, HEIGHT),
              '  <properties>', '   <property name="solid" type="bool" value="true"/>', '  </properties>',
              '  <data %s>' % words]
    for part in parts or []:
        c = chunk(*part, None)
        lines += ['   <chunk x="%d" y="%d" width="%d" height="%d">' % part, data_of(c["data"], c["width"], by), '</chunk>']
    lines += ([] if parts else [data_of(GROUND, WIDTH, by)]) + ['</data>', ' </layer>', ' <objectgroup id="2" name="things">',
              '  <object id="1" name="start" x="8" y="8">', '   <point/>', '  </object>', ' </objectgroup>', '</map>']
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_tsx(name, tileset):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<tileset version="1.10"%s>\n <image source="%s"/>\n'
                   ' <tile id="3" type="rock"/>\n</tileset>\n' % (attributes(tileset, "firstgid", "image", "version", "tiledversion", "type"), tileset["image"]))


RAMP = HILLS["tilesets"][0]
with open(os.path.join(HERE, "hills_tileset.json"), encoding="utf-8") as file:
    STAIRS = json.load(file)
TILESETS = [(1, "hills_ramp.tsx"), (140, "hills_stairs.tsx")]
write_tsx("hills_ramp.tsx", RAMP)
write_tsx("hills_stairs.tsx", STAIRS)
write_tmx("hills.tmx", None, None, TILESETS)
write_tmx("hills_zlib.tmx", "zlib", None, [TILESETS[1], (1, "hills_ramp.tsx")])
write_tmx("hills_infinite.tmx", None, [(-4, -2, 4, 6), (0, -2, 4, 6)], TILESETS)
write_tmx("hills_infinite_gzip.tmx", "gzip", [(-4, -2, 4, 6), (0, -2, 4, 6)], TILESETS)
write("hills_tsx.tmj", {**map_of(False, [layer(data=GROUND)]), "tilesets": [
    {"firstgid": first, "source": source} for first, source in TILESETS]})
for name in PACK:
    write("hills_%s.tmj" % name, map_of(False, [layer(encoding="base64", compression=name, data=packed(GROUND, name))]))
for name, by in ("hills_infinite", None), ("hills_infinite_zlib", "zlib"):
    words = {"encoding": "base64", "compression": by} if by else {}
    chunks = [chunk(-4, -2, 4, 6, by), chunk(0, -2, 4, 6, by)]
    write(name + ".tmj", map_of(True, [layer(startx=-4, starty=-2, chunks=chunks, **words)]))

# Objects of every shape, in a group with an offset; the same in JSON and XML.
PROPERTIES = [("coins", "int", 3), ("hidden", "bool", True), ("speed", "float", 1.5), ("text", "string", "a \"b\" c")]
OBJECTS = [
    {"name": "start", "type": "", "x": 8, "y": 12.5, "point": True},
    {"name": "door", "type": "exit", "x": 20, "y": 10, "width": 7, "height": 12.4, "properties": PROPERTIES},
    {"name": "turned", "type": "", "x": 40, "y": 20, "width": 10, "height": 4, "rotation": 90},
    {"name": "pond", "type": "", "x": 50, "y": 4, "width": 12, "height": 8, "ellipse": True},
    {"name": "ramp", "type": "", "x": 10, "y": 40, "polygon": [(0, 0), (8, 8), (-2, 8)]},
    {"name": "path", "type": "", "x": 0, "y": 0, "rotation": 180, "polyline": [(0, 0), (5, 0), (5, 9)]},
    {"name": "rock", "type": "crate", "gid": 0x80000000 + 1, "x": 60, "y": 64, "width": 32, "height": 16},
]

SHAPES = ("point", "ellipse", "capsule")


def json_object(number, o):
    made = {"id": number + 1, **({} if "template" in o else {"rotation": 0, "visible": True, "width": 0, "height": 0}), **o}
    for line in ("polygon", "polyline"):
        if line in o:
            made[line] = [{"x": x, "y": y} for x, y in o[line]]
    if "properties" in o:
        made["properties"] = [{"name": n, "type": t, "value": v} for n, t, v in o["properties"]]
    return made


def xml_object(number, o):
    plain = {k: v for k, v in o.items() if k not in SHAPES and v != ""}
    lines = ['   <object id="%d"%s>' % (number + 1, attributes(plain))]
    if "properties" in o:
        lines += ['    <properties>'] + ['     <property name="%s"%s value="%s"/>' % (
            n, "" if t == "string" else ' type="%s"' % t,
            str(v).lower() if t == "bool" else str(v).replace('"', "&quot;")) for n, t, v in o["properties"]] + ['    </properties>']
    lines += ['    <%s/>' % shape for shape in SHAPES if shape in o]
    lines += ['    <%s points="%s"/>' % (line, " ".join("%g,%g" % p for p in o[line])) for line in ("polygon", "polyline") if line in o]
    return lines + ['   </object>']


GROUP = {"id": 3, "name": "all", "type": "group", "offsetx": 100, "offsety": 0, "layers": [
    {"id": 2, "name": "things", "type": "objectgroup", "offsetx": 0, "offsety": 50, "draworder": "topdown",
     "objects": [json_object(i, o) for i, o in enumerate(OBJECTS)]}]}
write("hills_objects.tmj", map_of(False, [layer(data=GROUND), GROUP]))
with open(os.path.join(HERE, "hills.tmx"), encoding="utf-8") as file:
    PLAIN = file.read()
START = PLAIN.index(' <objectgroup')


def write_xml_objects(name, start, objects):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(start + "\n".join(
            [' <group id="3" name="all" offsetx="100" offsety="0">', '  <objectgroup id="2" name="things" offsetx="0" offsety="50">'] +
            [line for i, o in enumerate(objects) for line in xml_object(i, o)] + ['  </objectgroup>', ' </group>', '</map>']) + "\n")


write_xml_objects("hills_objects.tmx", PLAIN[:START], OBJECTS)

# Objects made from templates: an XML tile whose tileset the map lacks, and a JSON capsule as of Tiled 1.12.
ROCK = {"name": "rock", "type": "crate", "gid": 2, "width": 32, "height": 16,
        "properties": [("hardness", "int", 3), ("kind", "string", "stone")]}
PILL = {"name": "pill", "type": "", "width": 20, "height": 8, "rotation": 0, "visible": True, "capsule": True}
INSTANCES = [
    {"template": "hills_rock.tx", "x": 60, "y": 64},
    {"template": "hills_rock.tx", "name": "pebble", "type": "stone", "x": 10, "y": 40, "width": 16,
     "properties": [("hardness", "int", 5), ("wet", "bool", True)]},
    {"template": "hills_pill.tj", "x": 30, "y": 10},
    {"template": "hills_pill.tj", "name": "egg", "x": 30, "y": 30, "rotation": 90, "ellipse": True},
    {"name": "post", "type": "", "x": 4, "y": 6, "width": 7, "height": 15, "capsule": True},
]
with open(os.path.join(HERE, "hills_rock.tx"), "w", encoding="utf-8") as file:
    file.write("\n".join(['<?xml version="1.0" encoding="UTF-8"?>', '<template>', ' <tileset firstgid="1" source="hills_stairs.tsx"/>'] +
                         xml_object(0, ROCK) + ['</template>']).replace(' id="1"', "") + "\n")
write("hills_pill.tj", {"type": "template", "object": PILL})
write("hills_templates.tmj", {**map_of(False, [{**GROUP, "layers": [
    {**GROUP["layers"][0], "objects": [json_object(i, o) for i, o in enumerate(INSTANCES)]}]}]), "tilesets": [RAMP]})
write_xml_objects("hills_templates.tmx", PLAIN[:PLAIN.index(' <tileset firstgid="140"')], INSTANCES)

# An LDtk project with two levels, one of them in a file of its own.


def grid_layer(name, values, columns, offset=(0, 0)):
    return {"__identifier": name, "__type": "IntGrid", "__cWid": columns, "__cHei": len(values) // columns, "__gridSize": 8,
            "__opacity": 1, "__pxTotalOffsetX": offset[0], "__pxTotalOffsetY": offset[1], "intGridCsv": values,
            "autoLayerTiles": [], "gridTiles": [], "entityInstances": []}


def entity(name, number, place, size, pivot, fields):
    return {"__identifier": name, "__grid": [0, 0], "__pivot": list(pivot), "__tags": [], "iid": "id-%d" % number,
            "width": size[0], "height": size[1], "px": list(place), "fieldInstances": [
                {"__identifier": n, "__type": t, "__value": v} for n, t, v in fields]}


def tile(place, column, row, flips):
    """Returns a tile of sprites/ramp.png, whose tiles of 16 px have a margin of 3 px and a spacing of 2 px."""
    return {"px": list(place), "src": [3 + 18 * column, 3 + 18 * row], "f": flips, "t": 17 * row + column, "d": [0], "a": 1}


def tile_layer(name, kind, tiles, offset=(0, 0)):
    member = "gridTiles" if kind == "Tiles" else "autoLayerTiles"
    return {**grid_layer(name, [], 1, offset), "__type": kind, "__gridSize": 16, "__tilesetDefUid": 7,
            "__tilesetRelPath": "../../sprites/ramp.png", member: tiles}


DEFS = {"layers": [], "entities": [], "enums": [], "tilesets": [
    {"identifier": "Icons", "uid": 4, "relPath": None, "embedAtlas": "LdtkIcons", "pxWid": 512, "pxHei": 1024, "tileGridSize": 16, "spacing": 0, "padding": 0},
    {"identifier": "Ramp", "uid": 7, "relPath": "../../sprites/ramp.png", "pxWid": 320, "pxHei": 160, "tileGridSize": 16, "spacing": 2, "padding": 3}]}

CAVE = [grid_layer("Walls", [1, 1, 1, 1, 1, 0, 0, 2, 0, 0, 0, 3], 4), grid_layer("Water", [0, 0, 0, 1], 2, (3, -2)), {
    **grid_layer("Things", [], 1), "__type": "Entities", "entityInstances": [
        entity("Hero", 1, (12, 16), (6, 10), (0.5, 1), [("lives", "Int", 3), ("title", "String", "the \"first\""), ("armed", "Bool", True), ("home", "Point", None)]),
        entity("Door", 2, (24, 0), (8, 8), (0, 0), [])]}, tile_layer("Back", "Tiles", [tile((8, 8), 1, 1, 0)])]
HALL = [grid_layer("Walls", [0, 1, 0, 0], 2), {**grid_layer("Things", [], 1), "__type": "Entities", "entityInstances": [
    entity("Door", 3, (4, 4), (2, 2), (0, 0), [])]}]


def level(name, x, y, w, h, layers):
    return {"identifier": name, "iid": "level-" + name, "uid": 0, "worldX": x, "worldY": y, "worldDepth": 0, "pxWid": w,
            "pxHei": h, "externalRelPath": None, "fieldInstances": [], "layerInstances": layers}


def ldtk(kind, value):
    return {"__header__": {"fileType": kind, "app": "LDtk"}, **value}


write("cave.ldtk", ldtk("LDtk Project JSON", {
    "jsonVersion": "1.5.3", "worldLayout": "Free", "externalLevels": True, "defs": DEFS, "worlds": [],
    "levels": [level("Cave", -16, 8, 32, 24, CAVE), {**level("Hall", 16, 24, 16, 16, None), "externalRelPath": "cave_hall.ldtkl"}]}))
write("cave_hall.ldtkl", ldtk("LDtk Level JSON", level("Hall", 16, 24, 16, 16, HALL)))

# A project without integer layers: its tiles are solid. Two tiles share a place, as stacked tiles do.
FRONT = [tile((16 * i, 0), 1 + i, 2 * i, i) for i in range(4)] + [tile((0, 16), 5, 0, 0), tile((0, 16), 5, 1, 1)]
MOSS = [tile((48, 16), 0, 0, 0), tile((-8, 24), 0, 1, 3)]
write("grove.ldtk", ldtk("LDtk Project JSON", {
    "jsonVersion": "1.5.3", "worldLayout": "Free", "externalLevels": False, "defs": DEFS, "worlds": [],
    "levels": [level("Grove", 0, 0, 64, 32, [tile_layer("Moss", "AutoLayer", MOSS, (2, -1)), tile_layer("Front", "Tiles", FRONT), {
        **grid_layer("Things", [], 1), "__type": "Entities"}])]}))
