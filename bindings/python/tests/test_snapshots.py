"""Snapshots between Python and C: a world saved in one continues in the other with the same hash.

SPDX-License-Identifier: Zlib
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import pixverlet
from pixverlet import Mask, World

STEPS = 90
PEER = pathlib.Path(os.environ.get("PIXVERLET_BUILD", ".")) / "tests" / "web_peer"


def run(*words):
    return subprocess.run([PEER, *map(str, words)], capture_output=True, text=True, check=True).stdout.strip()


def hash_after(world, steps):
    for _ in range(steps):
        world.step(1 / 60)
    return f"{world.hash:016x}"


@unittest.skipUnless(PEER.exists(), "tests/web_peer is not built: make tests/web_peer")
class Snapshots(unittest.TestCase):
    def setUp(self):
        self.file = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "snapshot")

    def test_scenes_go_on_in_python(self):
        for scene in ("castle", "shatter", "ragdolls", "waterfall", "cloth", "sand"):
            with self.subTest(scene), World() as world:
                native = run("save", scene, 60, self.file, STEPS)
                world.restore(pathlib.Path(self.file).read_bytes())
                self.assertEqual(hash_after(world, STEPS), native)

    def test_a_world_of_python_goes_on_in_c(self):
        with World(gravity=(10, 300)) as world:
            world.create_body(Mask((400, 30), True), (200, 300), "static")
            boxes = [
                world.create_body(Mask((40, 30), True), (60 + 60 * (i % 5), 250 - 60 * (i // 5)), "dynamic", angle=i) for i in range(20)
            ]
            world.create_pin_joint(boxes[0], boxes[1], (90, 250))
            world.create_rope((boxes[2], boxes[2].position), (200, -50))
            world.create_grains(100).emit([{"position": (100, 0), "velocity": (5, 0), "color": 1}])
            hash_after(world, 40)
            boxes[3].carve("circle", from_=boxes[3].position, radius=8)
            pathlib.Path(self.file).write_bytes(world.save(pixels=True))
            self.assertEqual(run("resume", self.file, STEPS), hash_after(world, STEPS))


if __name__ == "__main__":
    unittest.main()
