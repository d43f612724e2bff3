"""pip installs the package into its own environment, where a world steps.

PIXVERLET_LIBRARY links the library of the build, since compiling all of it takes a minute and a half.

SPDX-License-Identifier: Zlib
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent.parent
LIBRARY = pathlib.Path(os.environ.get("PIXVERLET_BUILD", ".")).resolve() / ".libs" / "libpixverlet-core.a"
PROGRAM = """
import pixverlet
with pixverlet.World(gravity=(0, 300)) as world:
    body = world.create_body(pixverlet.Mask((5, 5), True), (0, 0), "dynamic")
    world.step(1 / 60)
    print(pixverlet.__file__, body.velocity[1] > 4)
"""


def run(*words, **others):
    made = subprocess.run([str(word) for word in words], capture_output=True, text=True, **others)
    if made.returncode != 0:
        raise AssertionError(made.stdout + made.stderr)
    return made.stdout


@unittest.skipUnless(importlib.util.find_spec("ensurepip") and LIBRARY.exists(), "python3-venv is not installed, or there is no library")
class Pip(unittest.TestCase):
    def test_install(self):
        with tempfile.TemporaryDirectory() as directory:
            tree, home = pathlib.Path(directory) / "tree", pathlib.Path(directory) / "home"
            for part in ("bindings/python", "lib", "tools"):
                shutil.copytree(TOP / part, tree / part, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
            for name in ("Makefile.am", "configure.ac", "bindings/web/tools/statements.awk"):
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(TOP / name, tree / name)
            run(sys.executable, "-m", "venv", "--system-site-packages", home)
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            options = ["--quiet", "--no-build-isolation", "--no-index", "--no-cache-dir"]
            run(home / "bin/pip", "install", *options, tree / "bindings/python", env={**environment, "PIXVERLET_LIBRARY": str(LIBRARY), "CFLAGS": "-O0"})
            place, good = run(home / "bin/python", "-c", PROGRAM, env=environment, cwd=directory).split()
            self.assertTrue(place.startswith(str(home)), place)
            self.assertEqual(good, "True")


if __name__ == "__main__":
    unittest.main()
