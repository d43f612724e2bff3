"""Worlds: steps, properties, events, carving, queries, snapshots, pictures, threads and misuse.

SPDX-License-Identifier: Zlib
"""

import gc
import os
import threading
import time
import unittest
import weakref

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pixverlet
from pixverlet import Mask, World

try:
    import pygame
except ImportError:
    pygame = None

DT = 1 / 60


def heap(count=10):
    """A floor and a column of boxes."""
    world = World(gravity=(0, 300))
    world.create_body(Mask((400, 20), True), (200, 300), type="static")
    for i in range(count):
        world.create_body(Mask((20, 20), True), (200, 200 - 30 * i), "dynamic")
    return world


class Motion(unittest.TestCase):
    def test_a_body_falls_and_rests(self):
        with World(gravity=(0, 300)) as world:
            floor = world.create_body(Mask((200, 20), True), (100, 200), "static")
            box = world.create_body(Mask((20, 20), True), (100, 100), "dynamic")
            world.step(DT)
            self.assertAlmostEqual(box.velocity[1], 5)
            for _ in range(120):
                world.step(DT)
            self.assertAlmostEqual(box.position[1], 180, delta=0.1)
            contact = box.contacts[0]
            self.assertEqual({contact.a, contact.b}, {floor, box})

    def test_properties(self):
        with World() as world:
            body = world.create_body(Mask((10, 10), True), (5, 6), type="dynamic", angle=0.5)
            self.assertEqual((body.position, body.angle, body.type, body.awake), ((5, 6), 0.5, "dynamic", True))
            body.position, body.velocity, body.angular_velocity = (7, 8), (1, 2), 3
            self.assertEqual(body.position, (7, 8))
            for value, wanted in zip((*body.velocity, body.angular_velocity), (1, 2, 3)):
                self.assertAlmostEqual(value, wanted)
            body.filter = {"category_bits": 4, "mask_bits": 2}
            self.assertEqual(tuple(body.filter), (4, 2, 0))
            body.data = ["anything"]
            self.assertIs(world.bodies[0], body)
            self.assertEqual(world.bodies[0].data, ["anything"])
            self.assertEqual(body.mask.count(), 100)
            world.gravity = (1, 2)
            self.assertEqual(world.gravity, (1, 2))

    def test_a_mask_of_a_body_is_copied_before_a_change(self):
        with World() as world:
            mask = Mask((10, 10), True)
            body = world.create_body(mask, (0, 0), "dynamic")
            mask.clear()
            self.assertEqual(body.mask.count(), 100)
            of_body = body.mask
            of_body.clear()
            self.assertEqual(body.mask.count(), 100)
            body.set_mask(Mask((4, 4), True), (0, 0))
            self.assertEqual(body.mask.count(), 16)

    def test_joints(self):
        with World(gravity=(0, 300)) as world:
            bob = world.create_body(Mask((10, 10), True), (50, 0), "dynamic")
            joint = world.create_pin_joint(bob, None, (0, 0))
            for _ in range(60):
                world.step(DT)
            x, y = bob.position
            self.assertAlmostEqual((x * x + y * y) ** 0.5, 50, delta=0.5)
            self.assertEqual(world.joints, [joint])
            rope = world.create_joint("rope", (bob, bob.position), (0, 0), length=60)
            self.assertEqual((rope.type, rope.anchors[0].body), ("rope", bob))
            joint.destroy()
            self.assertFalse(joint.valid)

    def test_particles_and_composites(self):
        with World() as world:
            particle = world.create_particle((3, 4), velocity=(1, 0))
            self.assertEqual((particle.position, world.particles), ((3, 4), [particle]))
            cloth = world.create_cloth(top_left=(0, 0), columns=4, rows=4)
            self.assertEqual(len(cloth.particles), 16)
            grains = world.create_grains(100)
            grains.emit([{"position": (5, 5)}, {"position": (9, 5)}])
            world.step(DT)
            self.assertEqual(grains.stats.grains, 2)

    def test_callbacks(self):
        with heap(1) as world:
            seen = []
            world.set_filter(lambda a, b: seen.append((a, b)) or False)
            for _ in range(90):
                world.step(DT)
            self.assertTrue(seen)
            self.assertGreater(world.bodies[1].position[1], 300)

            def broken(a, b):
                raise KeyError("in a filter")

            world.bodies[1].position = (200, 275)
            world.set_filter(broken)
            with self.assertRaisesRegex(KeyError, "in a filter"):
                for _ in range(60):
                    world.step(DT)
            world.set_filter(None)

    def test_presolve(self):
        with heap(1) as world:
            speeds = []
            world.set_presolve(lambda contact: speeds.append(contact.speed) or "ignore")
            for _ in range(90):
                world.step(DT)
            self.assertTrue(speeds)
            self.assertGreater(world.bodies[1].position[1], 300)


class Carving(unittest.TestCase):
    def test_a_body_splits(self):
        with World(gravity=(0, 0)) as world:
            plank = world.create_body(Mask((100, 10), True), (50, 5), "dynamic")
            total = world.carve("line", from_=(50, -5), to=(50, 15), radius=2)
            self.assertGreater(total.pixel_count, 0)
            world.step(DT)
            self.assertEqual(len(world.bodies), 2)
            split = world.events.splits[0]
            self.assertIn(split.child, world.bodies)
            self.assertLess(sum(body.mask.count() for body in world.bodies), 1000)
            self.assertIn(plank, [split.parent, split.child])

    def test_queries(self):
        with World(gravity=(0, 0)) as world:
            body = world.create_body(Mask((10, 10), True), (50, 50), "static")
            sensor = world.create_body(Mask((10, 10), True), (50, 50), "static", sensor=True)
            self.assertEqual(world.query_point((50, 50)), [body])
            self.assertEqual(world.query_point((50, 50), include_sensors=True), [body, sensor])
            self.assertEqual(world.query_point((70, 50)), [])
            self.assertEqual(world.query_box(((0, 0), (46, 46))), [body])
            self.assertEqual(world.query_box((0, 0, 46, 46)), [body])
            self.assertEqual(world.query_circle((60, 50), 6), [body])
            self.assertEqual(world.query_mask(mask=Mask((3, 3), True), transform={"position": (46, 46)}), [body])
            hit = world.cast_ray((0, 50), (100, 50), "closest")[0]
            self.assertEqual((hit.body, hit.fraction, hit.normal), (body, 0.45, (-1, 0)))

    def test_a_polygon_is_a_body(self):
        with World() as world:
            floor = world.create_body(Mask((200, 10), True), (0, 60), "static")
            crate = world.create_polygon([(0, 0), (20, 0), (20, 20), (0, 20)])
            self.assertEqual((world.polygons, world.bodies), ([crate], [floor]))
            self.assertEqual(world.cast_ray((10, -50), (10, 90), "closest")[0].body, crate)
            hits = []
            for _ in range(60):
                world.step(1 / 60)
                hits += world.events.hits
            self.assertEqual({hit.a for hit in hits} | {hit.b for hit in hits}, {floor, crate})
            self.assertAlmostEqual(crate.position[1], 45, delta=0.5)
            self.assertEqual(world.query_box(((5, 40), (8, 50))), [crate])
            self.assertEqual(world.query_circle((10, 45), 3), [crate])
            crate.destroy()
            self.assertFalse(crate.valid)

    def test_a_polygon_has_the_motion_of_a_body(self):
        with World(gravity=(0, 0)) as world:
            crate = world.create_polygon([(0, 0), (20, 0), (20, 20), (0, 20)], mass=4)
            crate.velocity = (30, 0)
            crate.apply_impulse((0, 80))
            crate.apply_impulse_at((0, 40), (20, 10))
            self.assertAlmostEqual(crate.velocity[1], 30)
            self.assertAlmostEqual(crate.angular_velocity, 40 * 10 / crate.inertia)
            world.step(0.5)
            self.assertAlmostEqual(crate.position[0], 25, delta=0.1)
            self.assertAlmostEqual(crate.mass, 4)

    def test_a_polygon_has_contacts(self):
        with World() as world:
            floor = world.create_body(Mask((200, 10), True), (0, 60), "static")
            crate = world.create_polygon([(0, 34.9), (20, 34.9), (20, 54.9), (0, 54.9)])
            begins, sleeps = [], []
            for _ in range(120):
                world.step(1 / 60)
                begins += world.events.contact_begins
                sleeps += world.events.sleeps
            (contact,) = world.contacts
            self.assertEqual((contact.a, contact.b), (floor, crate))
            self.assertAlmostEqual(contact.normal[1], -1, places=3)
            self.assertEqual(([c.a for c in crate.contacts], [c.b for c in floor.contacts]), ([floor], [crate]))
            self.assertEqual(([(one.a, one.b) for one in begins], sleeps), ([(floor, crate)], [crate]))

    def test_a_filter_is_asked_about_polygons(self):
        with World() as world:
            floor = world.create_body(Mask((200, 10), True), (0, 60), "static")
            crate = world.create_polygon([(0, 30), (20, 30), (20, 50), (0, 50)])
            asked = []
            world.set_filter(lambda a, b: asked.append((a, b)))
            for _ in range(60):
                world.step(1 / 60)
            self.assertIn((floor, crate), asked)
            self.assertGreater(crate.position[1], 100)


class Snapshots(unittest.TestCase):
    def test_a_world_goes_on_alike(self):
        with heap() as world, World() as other:
            for _ in range(40):
                world.step(DT)
            snapshot = world.save(pixels=True)
            other.restore(snapshot)
            for _ in range(40):
                world.step(DT)
                other.step(DT)
            self.assertEqual(world.hash, other.hash)
            world.restore(snapshot)
            self.assertNotEqual(world.hash, other.hash)

    def test_broken_bytes(self):
        with heap() as world:
            snapshot = world.save(pixels=True)
            for broken in (b"", snapshot[:-1], snapshot[:50] + b"\xff" + snapshot[51:]):
                with self.assertRaises(pixverlet.WrongFormat):
                    world.restore(broken)
            with self.assertRaises(TypeError):
                world.restore(7)


@unittest.skipUnless(pygame, "pygame is not installed")
class Drawing(unittest.TestCase):
    def picture(self):
        picture = pygame.Surface((20, 10), pygame.SRCALPHA)
        for x in range(20):
            for y in range(10):
                picture.set_at((x, y), (10 * x, 20 * y, 99, 255))
        return picture

    def test_pictures_stand_where_bodies_do(self):
        with World(gravity=(0, 0)) as world:
            body = world.create_body(Mask((20, 10), True), (50, 40), "dynamic")
            body.picture = self.picture()
            screen = pygame.Surface((100, 80))
            screen.fill((1, 2, 3))
            world.draw(screen)
            for x in range(100):
                for y in range(80):
                    inside = 40 <= x < 60 and 35 <= y < 45
                    wanted = (10 * (x - 40), 20 * (y - 35), 99) if inside else (1, 2, 3)
                    self.assertEqual(tuple(screen.get_at((x, y)))[:3], wanted)

    def test_parts_keep_their_pixels(self):
        with World(gravity=(0, 0)) as world:
            body = world.create_body(Mask((20, 10), True), (50, 40), "dynamic")
            body.picture = self.picture()
            world.carve("box", from_=(48, 30), to=(52, 50))
            world.step(DT)
            self.assertEqual(len(world.bodies), 2)
            for part in world.bodies:
                part.velocity, part.angular_velocity = (0, 0), 0
            screen = pygame.Surface((100, 80))
            world.draw(screen, camera=(10, 5))
            for x in range(100):
                for y in range(80):
                    inside = 30 <= x < 50 and 30 <= y < 40 and not 38 <= x < 42
                    wanted = (10 * (x - 30), 20 * (y - 30), 99) if inside else (0, 0, 0)
                    self.assertEqual(tuple(screen.get_at((x, y)))[:3], wanted, (x, y))

    def test_wrong_surfaces(self):
        with World() as world:
            with self.assertRaises(TypeError):
                world.draw("screen")
            with self.assertRaises(ValueError):
                world.draw(pygame.Surface((4, 4), 0, 16))


class Threads(unittest.TestCase):
    def test_worlds_step_side_by_side(self):
        alone = heap(12)
        for _ in range(200):
            alone.step(DT)
        hashes = []

        def run():
            world = heap(12)
            for _ in range(200):
                world.step(DT)
            hashes.append(world.hash)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(hashes, [alone.hash] * 4)

    def test_other_threads_run_during_a_step(self):
        """A step waits in its filter for another Python thread, which finds the world busy."""
        found, entered = [], threading.Event()
        world = heap(2)

        def ask():
            entered.wait(10)
            try:
                world.bodies
            except pixverlet.WorldBusy as error:
                found.append(error)
            done.set()

        done = threading.Event()

        def wait(a, b):
            entered.set()
            done.wait(10)
            return True

        world.set_filter(wait)
        thread = threading.Thread(target=ask)
        thread.start()
        for _ in range(60):
            world.step(DT)
        thread.join()
        self.assertEqual([(e.function, e.field) for e in found], [("pv_world_get_next", "world")])

    def test_a_step_releases_the_lock(self):
        """Another Python thread runs between the start and the end of a step without callbacks."""
        world, ticks, stop = World(gravity=(0, 300)), [], threading.Event()
        for i in range(900):
            world.create_body(Mask((20, 20), True), (19 * (i % 30), 19 * (i // 30)), "dynamic")

        def tick():
            while not stop.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.0002)

        thread = threading.Thread(target=tick)
        thread.start()
        steps = []
        for _ in range(10):
            begin = time.perf_counter()
            world.step(DT)
            steps.append((begin, time.perf_counter()))
        stop.set()
        thread.join()
        longest = max(steps, key=lambda step: step[1] - step[0])
        self.assertGreater(longest[1] - longest[0], 0.005)
        inside = sum(begin + 0.001 < tick < end - 0.001 for begin, end in steps for tick in ticks)
        self.assertGreater(inside, 3)


def thread_count():
    return len(os.listdir("/proc/self/task"))


class Workers(unittest.TestCase):
    def crowd(self, **options):
        world = World(gravity=(0, 300), **options)
        world.create_body(Mask((800, 20), True), (400, 500), type="static")
        for i in range(300):
            world.create_body(Mask((16, 16), True), (100 + 20 * (i % 30), 20 + 20 * (i // 30)), "dynamic", angle=0.1 * i)
        return world

    def test_any_number_gives_the_same_hashes(self):
        worlds = [self.crowd(workers=n) for n in (1, 3)] + [self.crowd()]
        self.assertEqual([world.workers for world in worlds], [1, 3, 1])
        for i in range(60):
            worlds[2].workers = 1 + i % 4
            for world in worlds:
                world.step(DT)
            self.assertEqual(len({world.hash for world in worlds}), 1, i)

    def test_zero_is_one_for_each_processor(self):
        with World(workers=0) as world:
            self.assertEqual(world.workers, min(os.cpu_count(), 64))

    def test_callbacks_run_in_the_thread_of_the_step(self):
        threads, world = set(), self.crowd(workers=3)
        world.set_filter(lambda a, b: threads.add(threading.get_ident()) is None)
        for _ in range(30):
            world.step(DT)
        self.assertEqual(threads, {threading.get_ident()})

    @unittest.skipUnless(os.path.isdir("/proc/self/task"), "the number of threads is read in /proc")
    def test_threads_end_with_their_world(self):
        gc.collect()
        before = thread_count()
        world = self.crowd(workers=4)
        self.assertEqual(thread_count(), before + 3)
        world.step(DT)
        world.workers = 2
        self.assertEqual(thread_count(), before + 1)
        world.workers = 1
        self.assertEqual(thread_count(), before)
        world.workers = 3
        world.close()
        self.assertEqual(thread_count(), before)
        with World(workers=3):
            self.assertEqual(thread_count(), before + 2)
        world = World(workers=3)
        del world
        gc.collect()
        self.assertEqual(thread_count(), before)
        self.assertRaises(pixverlet.Error, World, workers=3, substeps=-1)
        self.assertEqual(thread_count(), before)

    def test_wrong_numbers_are_refused(self):
        with self.crowd() as world:
            for value in (-1, 65):
                for call in (lambda: World(workers=value), lambda: setattr(world, "workers", value)):
                    with self.assertRaises(pixverlet.ValueOutOfRange) as caught:
                        call()
                    self.assertEqual((caught.exception.field, caught.exception.value), ("workers", value))
            for value in ("4", 1.5, None):
                for call in (lambda: World(workers=value), lambda: setattr(world, "workers", value)):
                    with self.assertRaises(TypeError) as caught:
                        call()
                    self.assertEqual(caught.exception.field, "workers")
            world.set_filter(lambda a, b: setattr(world, "workers", 2) is None)
            with self.assertRaises(pixverlet.WorldBusy):
                for _ in range(60):
                    world.step(DT)
            self.assertEqual(world.workers, 1)
        self.assertRaisesRegex(ValueError, "closed", lambda: world.workers)


class WrongUses(unittest.TestCase):
    def refused(self, kind, field, call):
        with self.assertRaises(kind) as caught:
            call()
        self.assertEqual(caught.exception.field, field)
        self.assertIn(caught.exception.function, str(caught.exception))
        return caught.exception

    def test_fields_are_named(self):
        nan, mask = float("nan"), Mask((5, 5), True)
        with World() as world, World() as other:
            body, stranger = (w.create_body(mask, (0, 0), "dynamic") for w in (world, other))
            gone = world.create_body(mask, (50, 0), "dynamic")
            gone.destroy()
            error = self.refused(pixverlet.ValueOutOfRange, "def.restitution", lambda: world.create_body(mask, (0, 0), restitution=7))
            self.assertEqual((error.value, error.min, error.max), (7, 0, 1))
            self.refused(pixverlet.NoPixels, "def.mask", lambda: world.create_body(Mask((5, 5)), (0, 0)))
            self.refused(pixverlet.NotFinite, "force", lambda: body.apply_force((nan, 0)))
            self.refused(pixverlet.ValueOutOfRange, "dt", lambda: world.step(-1))
            self.refused(pixverlet.StaleId, "body", lambda: gone.position)
            self.refused(pixverlet.StaleId, "body", lambda: gone.destroy())
            self.refused(ValueError, "a", lambda: world.create_pin_joint(stranger, None, (0, 0)))
            self.refused(ValueError, "b", lambda: body.test_overlap(gone))
            self.refused(TypeError, "mask", lambda: world.create_body("ship.png", (0, 0)))
            self.refused(TypeError, "position", lambda: world.create_body(mask, 7))
            self.refused(TypeError, "velocity", lambda: setattr(body, "velocity", "fast"))
            self.refused(ValueError, "type", lambda: setattr(body, "type", "solid"))
            self.refused(ValueError, "locks", lambda: body.set_motion_locks(-1))
            self.refused(TypeError, "sensor", lambda: world.create_body(mask, (0, 0), sensor=1))
            for call in (lambda: world.create_body(), lambda: body.apply_force(), lambda: body.to_world(1, 2, 3), lambda: World(7)):
                self.assertRaises((TypeError, pixverlet.Error), call)
            self.assertRaisesRegex(TypeError, "bogus", lambda: world.create_body(mask, (0, 0), bogus=1))
            self.assertRaises(TypeError, pixverlet.Body)
            with self.assertRaises(AttributeError):
                del body.velocity

    def test_a_closed_world(self):
        world = heap(1)
        body = world.bodies[1]
        world.close()
        world.close()
        for call in (lambda: world.step(DT), lambda: body.position, lambda: world.bodies, lambda: world.save()):
            self.assertRaisesRegex(ValueError, "closed", call)
        self.assertFalse(body.valid)

    def test_a_world_is_not_changed_by_a_callback(self):
        world = heap(2)
        world.set_filter(lambda a, b: a.destroy())
        with self.assertRaises(pixverlet.WorldBusy):
            for _ in range(60):
                world.step(DT)
        world.set_filter(lambda a, b: world.close())
        with self.assertRaises(ValueError):
            for _ in range(60):
                world.step(DT)

    def test_worlds_are_collected(self):
        class Named(World):
            pass

        world = Named()
        body = world.create_body(Mask((3, 3), True), (0, 0), "dynamic")
        body.data = (world, body)
        gone = weakref.ref(world)
        del world, body
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()
