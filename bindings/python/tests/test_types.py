"""The stubs match the module, and mypy accepts them.

SPDX-License-Identifier: Zlib
"""

import ast
import pathlib
import shutil
import subprocess
import sys
import unittest

import pixverlet

PACKAGE = pathlib.Path(pixverlet.__file__).parent

PROGRAM = """
import pixverlet

with pixverlet.World(gravity=(0, 300)) as world:
    body = world.create_body(pixverlet.Mask((3, 3), True), (0, 0), type="dynamic")
    body.velocity = (1, 2)
    x: float = body.position[0]
    world.carve("circle", from_=(1, 1), radius=2)
    for event in world.events.contact_begins:
        print(event.a, x)
    hero = world.create_mover(pixverlet.Mask((3, 3), True), (0, 0), step_height=2)
    hero.move((1, 2), 1 / 60)
    hero.max_slope = 1
    bounds: pixverlet.Rect = pixverlet.Mask.load("hero.png").compute_bounds()
    placed = pixverlet.Placed.centered(pixverlet.Mask.create_circle(3), (0, 0), 0)
    print(placed.test_overlap(placed))
    shape, origin = pixverlet.Mask.create_polygon([(0, 0), (9, 0), (0, 9)])
    y: int = origin.y + shape.width + bounds.w
"""
WRONG = {
    'body.velocity = 7': 'body.velocity = (1, 2)',
    'x: str = body.position[0]': 'x: float = body.position[0]',
    'world.carve("circle", form=(1, 1))': 'world.carve("circle", from_=(1, 1), radius=2)',
    'event.c, x': 'event.a, x',
    'hero.max_slope = "steep"': 'hero.max_slope = 1',
    'step_hight=2': 'step_height=2',
    'create_circle("3")': 'create_circle(3)',
    'y: str = origin.y': 'y: int = origin.y',
}


class Stubs(unittest.TestCase):
    def test_names(self):
        tree = ast.parse((PACKAGE / "_core.pyi").read_text())
        for node in tree.body:
            if not isinstance(node, ast.ClassDef) or node.name in ("M",):
                continue
            made = getattr(pixverlet._core, node.name)
            members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            self.assertEqual({name for name in members if not hasattr(made, name)}, set(), node.name)
            own = {name for name in vars(made) if not name.startswith("_") and not name.startswith("n_")}
            fields = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            self.assertEqual(own - members - fields, set(), node.name)
        named = {getattr(node, "name", None) for node in tree.body}
        named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual({name for name in vars(pixverlet._core) if not name.startswith("_")} - named, set())

    def check(self, program):
        words = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null", "-c", program]
        return subprocess.run(words, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"})

    @unittest.skipUnless(shutil.which("mypy", path="/usr/bin:/bin"), "mypy is not installed (Debian package mypy)")
    def test_mypy(self):
        run = self.check(PROGRAM)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for wrong, right in WRONG.items():
            self.assertIn(right, PROGRAM)
            self.assertEqual(self.check(PROGRAM.replace(right, wrong)).returncode, 1, wrong)


if __name__ == "__main__":
    unittest.main()
