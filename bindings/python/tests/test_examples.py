"""The examples play themselves; pygame's own example of masks runs with one import changed.

SPDX-License-Identifier: Zlib
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import pygame_suite

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
ENVIRONMENT = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}


def run(*words, **others):
    return subprocess.run([sys.executable, *map(str, words)], env=ENVIRONMENT, capture_output=True, text=True, timeout=120, **others)


@unittest.skipUnless(importlib.util.find_spec("pygame"), "pygame is not installed")
class Examples(unittest.TestCase):
    def test_dig(self):
        """The hero digs through all walls to the end, and finds every gem on the way."""
        source = (EXAMPLES / "dig.py").read_text()
        self.assertLessEqual(len(source.splitlines()), 120)
        with tempfile.TemporaryDirectory() as directory:
            picture = os.path.join(directory, "dig.png")
            played = run(EXAMPLES / "dig.py", "--frames", 3000, "--screenshot", picture)
            self.assertRegex(played.stdout, r"^8 gems, \d+ bodies, x 19[67]\d\n", played.stderr)
            self.assertGreater(os.path.getsize(picture), 5000)

    def test_masks_with_one_import_changed(self):
        ours = run(EXAMPLES / "masks.py", "--frames", 200)
        theirs = (EXAMPLES / "masks.py").read_text().replace("from pixverlet import mask", "from pygame import mask")
        self.assertRegex(ours.stdout, r"^[1-9]\d* frames with shared pixels")
        self.assertEqual(ours.stdout, run("-c", theirs, "--frames", 200).stdout)

    def test_the_example_of_pygame(self):
        """pygame's examples/mask.py moves sprites about until the program is told to stop."""
        tests = pygame_suite.tests_directory()
        example = tests and tests.parent / "examples" / "mask.py"
        if not example or not example.exists():
            self.skipTest("pygame's example is neither installed nor to be fetched")
        program, changes = re.subn(r"^import pygame as pg$", "import pygame as pg\nfrom pixverlet import mask; pg.mask = mask", example.read_text(), flags=re.M)
        self.assertEqual(changes, 1)
        stop = "import pygame.event\npygame.init()\npygame.time.set_timer(pygame.QUIT, 1500)\nimport sys; sys.argv = ['mask.py', EXAMPLE]\n"
        image = repr(str(example.parent / "data" / "alien1.png"))
        played = run("-c", stop.replace("EXAMPLE", image) + f"__file__ = {str(example)!r}\n" + program)
        self.assertEqual(played.returncode, 0, played.stderr)


if __name__ == "__main__":
    unittest.main()
