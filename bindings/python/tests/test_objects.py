"""Movers, material maps, images, frames, tile maps, groups, composites, and functions that the library calls.

SPDX-License-Identifier: Zlib
"""

import gc
import json
import math
import os
import pathlib
import pickle
import tempfile
import unittest
import weakref

import pixverlet
from pixverlet import Frames, Group, Image, Mask, MaterialMap, Outline, Parts, Placed, Rotation, Swept, Transform, World

DT = 1 / 60
SHEET = [[(9, 8, 7, 255 if 2 <= x % 8 < 6 else 0) for x in range(24)] for y in range(8)]


def image():
    """Three frames of 8 x 8 px, each with a bar of 4 px."""
    made = Image.create(24, 8)
    memoryview(made).cast("B")[:] = bytes(channel for row in SHEET for pixel in row for channel in pixel)
    return made


class Movers(unittest.TestCase):
    def ground(self, **words):
        world = World(gravity=(0, 300))
        floor = world.create_body(Mask((400, 20), True), (200, 300), "static", **words)
        return world, floor

    def test_a_mover_walks_and_falls(self):
        world, floor = self.ground()
        hero = world.create_mover(Mask((10, 20), True), (200, 100), pivot=(5, 20))
        self.assertEqual((hero.grounded, hero.ground, hero.step_height), (False, None, 4))
        for _ in range(120):
            world.step(DT)
            hero.move((60, hero.velocity[1] + 300 * DT), DT)
        self.assertEqual(hero.position, (320, 290))
        self.assertEqual((hero.grounded, hero.ground, hero.ground_normal, hero.velocity), (True, floor, (0, -1), (60, 0)))
        self.assertEqual(hero.transform.position, (320, 290))
        self.assertEqual(hero.mask.count(), 200)
        tall = Mask((10, 40), True)
        self.assertTrue(hero.fits(tall, (5, 40)))
        self.assertFalse(hero.fits(tall, (5, 39)))
        roof = world.create_body(Mask((200, 10), True), (320, 260), "static")
        self.assertEqual((hero.fits(None, hero.pivot), hero.fits(tall, (5, 40))), (True, False))
        self.assertRaisesRegex(ValueError, "pivot", hero.fits, tall, (math.nan, 0))
        roof.destroy()
        wall = world.create_body(Mask((10, 90), True), (340, 245), "static")
        for _ in range(60):
            hero.move((60, 0), DT)
        self.assertEqual((hero.hit_wall_right, hero.wall, hero.position[0]), (True, wall, 330))
        wall.destroy()
        self.assertIsNone(hero.wall)

    def test_members(self):
        world, _ = self.ground()
        mask = Mask((10, 20), True)
        hero = world.create_mover(mask=mask, position=(50, 50), filter={"mask_bits": 2}, max_slope=1, push_force=9)
        self.assertEqual((tuple(hero.filter), hero.max_slope, hero.push_force), ((1, 2, 0), 1, 9))
        hero.position, hero.step_height, hero.drop_through = (7, 8), 3, True
        self.assertEqual((hero.position, hero.step_height, hero.drop_through), ((7, 8), 3, True))
        mask.clear()
        self.assertEqual(hero.mask.count(), 200)
        hero.mask = Mask((4, 4), True)
        self.assertEqual(hero.mask.count(), 16)
        coin = world.create_body(Mask((6, 6), True), (9, 10), "static", sensor=True)
        self.assertEqual(hero.query(), [])
        self.assertEqual(hero.query(include_sensors=True), [coin])
        hero.data = [hero]
        with self.assertRaises(AttributeError):
            del hero.position
        with self.assertRaises(AttributeError):
            hero.passing = []

    def test_a_mover_with_a_body(self):
        world, _ = self.ground()
        body = world.create_body(Mask((10, 10), True), (50, 200), "kinematic")
        hero = world.create_mover(None, (45, 195), body=body)
        hero.move((60, 0), DT)
        world.step(DT)
        self.assertAlmostEqual(body.position[0], 51, places=3)

    def test_wrong_uses(self):
        world, _ = self.ground()
        hero = world.create_mover(Mask((4, 4), True), (0, 0))
        stranger = World().create_body(Mask((4, 4), True), (0, 0))
        cases = [
            (pixverlet.NotFinite, "velocity", lambda: hero.move((math.nan, 0), DT)),
            (pixverlet.ValueOutOfRange, "dt", lambda: hero.move((0, 0), 9)),
            (TypeError, "velocity", lambda: hero.move("left", DT)),
            (TypeError, "position", lambda: setattr(hero, "position", None)),
            (TypeError, "mask", lambda: setattr(hero, "mask", 7)),
            (TypeError, "body", lambda: world.create_mover(body=hero)),
            (ValueError, "body", lambda: world.create_mover(body=stranger)),
            (ValueError, "step_height", lambda: setattr(hero, "step_height", 1 << 40)),
        ]
        for kind, field, call in cases:
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(field, caught.exception.field)
        hero.position = (math.inf, 0)
        with self.assertRaises(pixverlet.NotFinite) as caught:
            hero.move((0, 0), DT)
        self.assertIn("position", caught.exception.field)
        world.close()
        for call in (lambda: hero.move((0, 0), DT), lambda: hero.position, lambda: setattr(hero, "position", (0, 0))):
            self.assertRaisesRegex(ValueError, "closed", call)
        self.assertRaises(TypeError, pixverlet.Mover)

    def test_movers_are_collected(self):
        class Named(World):
            pass

        world = Named()
        hero = world.create_mover(Mask((3, 3), True), (0, 0))
        body = world.create_body(Mask((3, 3), True), (9, 9))
        hero.data, body.data = body, hero
        gone = weakref.ref(world)
        del world, hero, body
        gc.collect()
        self.assertIsNone(gone())


class Materials(unittest.TestCase):
    def test_a_map_makes_a_side_heavy(self):
        density = memoryview(bytes([255] * 5 + [0] * 5) * 10).cast("B", (10, 10))
        materials = MaterialMap.from_bytes(density=density)
        self.assertEqual((materials.width, materials.height, materials.get_density(2, 3), materials.get_density(7, 3)), (10, 10, 255, 0))
        with World() as world:
            body = world.create_body(Mask((10, 10), True), material_map=materials, type="dynamic", top_left=(0, 0))
            self.assertLess(body.position[0], 3)
            self.assertEqual(body.definition.material_map.get_density(2, 3), 255)
            self.assertEqual(body.definition.material_map.width, 10)
        self.assertIsNone(World().create_body(Mask((3, 3), True)).definition.material_map)

    def test_channels_of_an_image(self):
        materials = MaterialMap.from_image(image(), "red", "alpha")
        self.assertEqual([materials.get_hardness(x, 0) for x in (1, 3)], [9, 9])
        self.assertEqual([materials.get_density(x, 0) for x in (1, 3)], [0, 255])

    def test_wrong_uses(self):
        plane = memoryview(bytes(12)).cast("B", (3, 4))
        for kind, field, call in [
            (TypeError, "hardness", lambda: MaterialMap.from_bytes()),
            (TypeError, "density", lambda: MaterialMap.from_bytes(plane, 7)),
            (ValueError, "hardness", lambda: MaterialMap.from_bytes(bytes(12))),
            (ValueError, "density", lambda: MaterialMap.from_bytes(plane, memoryview(bytes(12)).cast("B", (4, 3)))),
            (TypeError, "image", lambda: MaterialMap.from_image(plane, "red", "none")),
            (ValueError, "hardness", lambda: MaterialMap.from_image(image(), "gold", "none")),
            (TypeError, "material_map", lambda: World().create_body(Mask((3, 3), True), material_map=plane)),
        ]:
            with self.assertRaises(kind) as caught:
                call()
            self.assertEqual(caught.exception.field, field)


class Pictures(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name)

    def test_images(self):
        image().save(self.path / "sheet.png")
        loaded = Image.load(self.path / "sheet.png")
        self.assertEqual((loaded.width, loaded.height, memoryview(loaded).shape), (24, 8, (8, 24, 4)))
        self.assertEqual(bytes(loaded), bytes(image()))
        data = (self.path / "sheet.png").read_bytes()
        self.assertEqual(bytes(Image.load_memory(data)), bytes(image()))
        for mask in (Mask.load(str(self.path / "sheet.png")), Mask.load_memory(data), Mask.from_image(loaded), pixverlet.from_surface(loaded)):
            self.assertEqual((mask.get_size(), mask.count()), ((24, 8), 96))
        self.assertEqual(Mask.from_image(loaded, region=(0, 0, 4, 8)).count(), 16)

    def test_frames(self):
        frames = Frames.from_grid(image(), 8, 8, duration=0.5)
        self.assertEqual((frames.count, frames.get_frame(1).mask.count(), frames.get_frame(1).duration), (3, 32, 0.5))
        self.assertIsNone(frames.get_frame(3))
        frames.add_tag("walk", 0, 2, direction="pingpong")
        tag = frames.find_tag("walk")
        self.assertEqual((frames.get_tag(tag).name, frames.find_tag("run")), ("walk", -1))
        self.assertEqual([frames.get_index_at(tag, time) for time in (0, 0.6, 1.2, 1.7)], [0, 1, 2, 1])

    def test_atlases(self):
        image().save(self.path / "sheet.png")
        cell = {"frame": {"x": 8, "y": 0, "w": 8, "h": 8}, "duration": 250, "filename": "hop"}
        (self.path / "sheet.json").write_text(json.dumps({"frames": [cell], "meta": {"image": "sheet.png"}}))
        for frames in (
            Frames.load(self.path / "sheet.json"), Frames.load(self.path / "sheet.json", image()),
            Frames.load_memory((self.path / "sheet.json").read_bytes(), image()),
        ):
            self.assertEqual((frames.find("hop"), frames.get_frame(0).name, frames.get_frame(0).mask.count()), (0, "hop", 32))
        self.assertEqual(os.path.basename(Frames.load(self.path / "sheet.json").image_path), "sheet.png")

    def test_tile_maps(self):
        block = Mask((4, 4), True)
        made = Mask.create_tilemap(4, 4, 3, 2, [1, 0, 1, 0, 1, 0], [None, block])
        self.assertEqual((made.get_size(), made.count()), ((12, 8), 48))
        tiles = {"name": "t", "firstgid": 1, "image": "sheet.png", "imagewidth": 24, "imageheight": 8, "tilewidth": 8, "tileheight": 8, "tilecount": 3, "columns": 3}
        layer = {"type": "tilelayer", "name": "ground", "width": 2, "height": 1, "data": [1, 0]}
        level = {"type": "map", "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 8, "tileheight": 8, "tilesets": [tiles], "layers": [layer]}
        image().save(self.path / "sheet.png")
        (self.path / "level.tmj").write_text(json.dumps(level))
        self.assertEqual(Mask.load_tilemap(self.path / "level.tmj").count(), 32)
        self.assertEqual(Mask.load_tilemap(self.path / "level.tmj", "ground").count(), 32)
        with self.assertRaises(pixverlet.Error):
            Mask.load_tilemap(self.path / "level.tmj", "sky")

    def test_wrong_uses(self):
        for kind, field, call in [
            (pixverlet.FileNotOpened, "path", lambda: Image.load(self.path / "no.png")),
            (pixverlet.FileNotOpened, "path", lambda: Mask.load(self.path / "no.png")),
            (pixverlet.FileNotOpened, "path", lambda: Frames.load(self.path / "no.json")),
            (pixverlet.WrongFormat, "png", lambda: Image.load_memory(b"GIF")),
            (TypeError, "path", lambda: Image.load(7)),
            (ValueError, "path", lambda: Image.load("a\0b")),
            (TypeError, "png", lambda: Image.load_memory("text")),
            (TypeError, "image", lambda: Frames.from_grid(Mask((8, 8)), 8, 8)),
            (pixverlet.ValueOutOfRange, "image", lambda: Frames.from_grid(None, 8, 8)),
            (TypeError, "name", lambda: Frames.from_grid(image(), 8, 8).find(3)),
            (ValueError, "name", lambda: Frames.from_grid(image(), 8, 8).find("a\0")),
            (pixverlet.NotFinite, "seconds", lambda: Frames.from_grid(image(), 8, 8).get_index_at(-1, math.nan)),
            (ValueError, "tiles", lambda: Mask.create_tilemap(4, 4, 3, 2, [1], [None])),
            (TypeError, "masks", lambda: Mask.create_tilemap(4, 4, 1, 1, [0], [7])),
            (TypeError, "point", lambda: World().query_point(image())),
        ]:
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(field, caught.exception.field or str(caught.exception))
        self.assertRaises(TypeError, Image)


class Masks(unittest.TestCase):
    def test_makers(self):
        circle = Mask.create_circle(3)
        self.assertEqual((circle.width, circle.height, circle.count()), (6, 6, 32))
        mask, origin = Mask.create_polygon([(2, 2), (12, 2), (12, 8), (2, 8)])
        self.assertEqual((mask.count(), tuple(origin)), (60, (2, 2)))
        self.assertEqual(Mask.from_text(".#\n##").count(), 3)

    def test_changes_and_results(self):
        mask = Mask((10, 10))
        mask.fill_rect((2, 2, 4, 4), True)
        self.assertEqual((mask.count(), tuple(mask.compute_bounds())), (16, (2, 2, 4, 4)))
        self.assertEqual((mask.crop((2, 2, 3, 3)).count(), mask.flip(True, False).get_at((7, 2)), mask.rotate90(1).count()), (9, 1, 16))
        self.assertEqual((mask.dilate(1, "square").count(), mask.erode(1, "square").count()), (36, 4))
        self.assertEqual(mask.compute_mass().area, 16)
        self.assertEqual(mask.compute_overlap(mask, 3, 0).area, 4)
        self.assertIsNone(mask.compute_overlap(mask, 30, 0))
        view = memoryview(mask)
        mask.combine(mask, 1, 0, "or")
        self.assertEqual((mask.count(), view[0, 2]), (20, 0b111100))
        mask.combine(mask, 0, 0, "xor")
        self.assertEqual(mask.count(), 0)
        self.assertEqual(pickle.loads(pickle.dumps(Mask((70, 3), True))).count(), 210)
        self.assertEqual(Mask.deserialize(mask.serialize()).get_size(), (10, 10))

    def test_parts_and_outlines(self):
        mask = Mask.from_text("##..\n##.#")
        parts = Parts.create(mask, "8")
        self.assertEqual((parts.count, parts.get_part(0).area, parts.find_at(3, 1), parts.create_mask(1).count()), (2, 4, 1, 1))
        outline = Outline.create(mask, "4")
        self.assertEqual([len(outline.get_contour(i).points) for i in range(outline.contour_count)], [4, 4])
        self.assertEqual(Outline.create_hull(mask).contour_count, 1)

    def test_wrong_uses(self):
        mask = Mask((4, 4))
        for kind, field, call in [
            (pixverlet.NotFinite, "radius", lambda: Mask.create_circle(math.nan)),
            (pixverlet.NotFinite, "center", lambda: mask.fill_circle((0, math.inf), 3, True)),
            (TypeError, "rect", lambda: mask.crop(7)),
            (pixverlet.ValueOutOfRange, "rect.w", lambda: mask.crop((0, 0, -1, 1))),
            (ValueError, "op", lambda: mask.combine(mask, 0, 0, "minus")),
            (TypeError, "b", lambda: mask.combine(3, 0, 0, "or")),
            (pixverlet.WrongFormat, "size", lambda: Mask.deserialize(b"no mask")),
            (TypeError, "bytes", lambda: Mask.deserialize(3)),
        ]:
            with self.assertRaises(kind) as caught:
                call()
            self.assertEqual(caught.exception.field, field)


class Places(unittest.TestCase):
    def test_placed_masks(self):
        mask = Mask((10, 10), True)
        a, b = Placed.centered(mask, (5, 5), 0), Placed.centered(mask, (12, 5), 0)
        self.assertEqual((a.test_overlap(b), a.compute_overlap_area(b), a.compute_overlap(b).normal), (True, 30, (1, 0)))
        self.assertEqual(a.compute_mtv(b), (3, 0))
        self.assertEqual(a.cast_segment((-5, 5), (5, 5)).point, (0, 5))
        for number, wanted in zip((*a.transform.compute_bounds(10, 10).min, *a.transform.compute_bounds(10, 10).max), (0, 0, 10, 10)):
            self.assertAlmostEqual(number, wanted, delta=0.01)
        self.assertEqual(a.compute_distance(Placed.centered(mask, (25, 5), 0)).distance, 10)

    def test_transforms(self):
        quarter = Rotation.from_angle(math.pi / 2)
        self.assertAlmostEqual(quarter.angle, math.pi / 2)
        transform = Transform(((10, 0), quarter, (0, 0), (1, 1)))
        self.assertAlmostEqual(transform.to_world((5, 0))[1], 5)
        self.assertAlmostEqual(transform.to_local((10, 5))[0], 5)
        self.assertEqual(Transform.identity().to_world((3, 4)), (3, 4))
        turned, origin = Mask((10, 2), True).transform(rotation=quarter)
        self.assertEqual((turned.compute_bounds().w, turned.compute_bounds().h, turned.count()), (2, 10, 20))

    def test_swept_masks(self):
        mask = Mask((4, 4), True)
        moving = Swept((mask, {"position": (0, 0)}, {"position": (100, 0)}))
        resting = Swept((mask, {"position": (54, 0)}, {"position": (54, 0)}))
        self.assertAlmostEqual(moving.cast(resting).fraction, 0.5, delta=0.01)
        self.assertEqual(moving.get_transform(0.25).position, (25, 0))

    def test_groups(self):
        group, mask = Group.create(32), Mask((10, 10), True)
        ids = [group.add(Placed.centered(mask, (x, 5), 0)) for x in (5, 12, 60)]
        self.assertEqual((group.query_pairs(), group.query_point((60, 5))), ([(ids[0], ids[1])], [ids[2]]))
        group.set_transform(ids[2], {"position": (0, 0)})
        self.assertEqual(group.query_mask(group.get_placed(ids[2])), ids)
        mask.clear()
        self.assertEqual(group.get_placed(ids[0]).mask.count(), 100)
        group.remove(ids[0])
        with self.assertRaises(pixverlet.StaleId):
            group.remove(ids[0])

    def test_wrong_uses(self):
        placed = Placed.centered(Mask((4, 4), True), (0, 0), 0)
        for kind, field, call in [
            (TypeError, "mask", lambda: Placed((7, {})).test_point((0, 0))),
            (pixverlet.NotFinite, "point", lambda: placed.test_point((math.nan, 0))),
            (pixverlet.NotFinite, "angle", lambda: Rotation.from_angle(math.inf)),
            (TypeError, "b", lambda: placed.test_overlap(3)),
            (TypeError, "placed", lambda: Group.create(32).add(3)),
            (pixverlet.ValueOutOfRange, "cell", lambda: Group.create(-3)),
        ]:
            with self.assertRaises(kind) as caught:
                call()
            self.assertEqual(caught.exception.field, field)


class Callbacks(unittest.TestCase):
    def test_splits_give_data(self):
        with World(gravity=(0, 0)) as world:
            plank = world.create_body(Mask((100, 10), True), (50, 5), "dynamic")
            plank.data, seen = "plank", []
            world.set_split(lambda parent, child: seen.append((parent, child)) or f"part of {parent.data}")
            world.carve("line", from_=(50, -5), to=(50, 15), radius=2)
            world.step(DT)
            self.assertEqual([parent for parent, _ in seen], [plank])
            self.assertEqual(sorted(body.data for body in world.bodies), ["part of plank", "plank"])
            world.set_split(lambda parent, child: 1 / 0)
            with self.assertRaises(ZeroDivisionError):
                world.carve("line", from_=(20, -5), to=(20, 15), radius=2)
            world.set_split(None)
            with self.assertRaises(TypeError):
                world.set_split(3)

    def test_grains_take_colors_of_pixels(self):
        with World(gravity=(0, 0)) as world:
            body = world.create_body(Mask((20, 10), True), (10, 5), "static")
            grains = world.create_grains(500, follow=True, color_function=lambda of, x, y: (of == body) << 31 | x << 8 | y)
            world.carve("box", from_=(3, 2), to=(5, 4))
            colors = memoryview(grains.view["color"]).cast("I").tolist()
            self.assertEqual(sorted(colors), sorted(1 << 31 | x << 8 | y for x in (3, 4) for y in (2, 3)))
            world.create_grains(500, follow=True, color_function=lambda *_: body.position and 0)
            with self.assertRaises(pixverlet.WorldBusy):
                world.carve("box", from_=(10, 2), to=(11, 4))
            with self.assertRaises(TypeError) as caught:
                world.create_grains(500, color_function=7)
            self.assertEqual(caught.exception.field, "color_function")
        with World(gravity=(0, 0)) as world:
            world.create_body(Mask((20, 10), True), (10, 5), "static")
            world.create_grains(500, follow=True, color_function=lambda *_: "red")
            with self.assertRaises(TypeError):
                world.carve("box", from_=(8, 2), to=(9, 4))

    def test_grains_become_pixels_and_come_from_them(self):
        with World(gravity=(0, 300)) as world:
            pot = Mask((30, 30), True)
            pot.fill_rect((5, 0, 20, 25), False)
            body = world.create_body(pot, top_left=(0, 0), type="static")
            grains = world.create_grains(500, color=77)
            grains.emit_mask(Placed.centered(Mask((4, 4), True), (15, 10), 0))
            for _ in range(200):
                world.step(DT)
            painted = []
            merged = grains.merge(body, (0, 0, 30, 30), lambda x, y, color: painted.append((x, y, color)))
            self.assertEqual((merged, len(painted), {color for _, _, color in painted}), (16, 16, {77}))
            self.assertEqual(body.mask.count(), pot.count() + 16)
            with self.assertRaises(ValueError) as caught:
                grains.emit_mask({"mask": Mask((2, 2), True)}, colors=[1])
            self.assertEqual(caught.exception.field, "colors")

    def test_debug_drawing(self):
        with World() as world:
            body = world.create_body(Mask((10, 10), True), (5, 5), "dynamic")
            lines, masks = [], []
            world.debug_draw(lambda *line: lines.append(line), mask=lambda *mask: masks.append(mask))
            self.assertTrue(lines)
            self.assertEqual([placed.transform.position for placed, _ in masks], [body.position])
            masks.clear()
            world.debug_draw(mask=lambda *mask: masks.append(mask), flags=pixverlet.DEBUG_BOUNDS)
            self.assertEqual(masks, [])
            with self.assertRaises(pixverlet.WorldBusy):
                world.debug_draw(lambda *line: world.close())
            with self.assertRaises(pixverlet.WorldBusy):
                world.debug_draw(lambda *line: body.destroy())
            self.assertTrue(body.valid)


class Composites(unittest.TestCase):
    def test_a_skin(self):
        with World() as world:
            corners = [world.create_particle(at) for at in ((0, 0), (9, 0), (0, 9))]
            composite = world.create_composite()
            for corner in corners:
                composite.add_particle(corner)
            composite.add_triangle(corners=corners, uv=[(0, 0), (1, 0), (0, 1)])
            self.assertEqual([tuple(v) for v in composite.mesh], [(0, 0, 0, 0), (9, 0, 1, 0), (0, 9, 0, 1)])
            self.assertEqual(composite.triangles[0].corners, corners)
            self.assertEqual(memoryview(world.particle_positions).cast("f").tolist(), [0, 0, 9, 0, 0, 9])
            for wrong in (corners[:2], 7, [1, 2, 3]):
                with self.assertRaises(TypeError) as caught:
                    composite.add_triangle(corners=wrong)
                self.assertEqual(caught.exception.field, "corners")

    def test_poses(self):
        with World(gravity=(0, 0)) as world:
            body = world.create_body(Mask((4, 4), True), (5, 6), "dynamic", velocity=(60, 0))
            before = world.get_poses()[0]
            world.step(DT)
            after = world.get_poses(pixverlet.POSES_AWAKE)[0]
            self.assertEqual((before.body, before.position), (body, (5, 6)))
            self.assertGreater(after.position[0], 5.9)
            between = before.lerp(after, 0.5)
            self.assertEqual((between.body, between.position[0]), (body, (before.position[0] + after.position[0]) / 2))
            stranger = World().create_body(Mask((4, 4), True), (0, 0))
            with self.assertRaises(ValueError) as caught:
                before.lerp({"body": stranger}, 0.5)
            self.assertEqual(caught.exception.field, "body")
            with self.assertRaises(pixverlet.NotFinite):
                before.lerp(after, math.nan)

    def test_a_mask_is_cast(self):
        with World(gravity=(0, 0)) as world:
            wall = world.create_body(Mask((10, 90), True), (100, 0), "static")
            mask = Mask((4, 4), True)
            hits = world.cast_mask(mask, {"position": (0, 0)}, {"position": (200, 0)}, "closest")
            self.assertEqual((len(hits), hits[0].body), (1, wall))
            self.assertAlmostEqual(hits[0].fraction, 91 / 200, delta=0.01)


if __name__ == "__main__":
    unittest.main()
