"""Runs pygame's own tests of masks with pixverlet's class in place of pygame's.

The file comes from the installed pygame, or from Debian's source package, which is fetched into the build
directory. PYGAME_TESTS names a directory that already has it.

SPDX-License-Identifier: Zlib
"""

import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import types

FILE = "mask_test.py"
SOURCES = """
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file"
done >parts/source.list
for file in /etc/apt/sources.list.d/*.sources; do
  [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"parts/${file##*/}"
done
set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/parts" -o Dir::State::lists="$PWD/lists"
apt-get "$@" update && apt-get "$@" source --download-only pygame && tar -xf pygame_*.orig.tar.*
"""


def fetched(directory):
    """Returns the tests of Debian's source package, fetched once; None without apt or a network."""
    found = sorted(directory.glob(f"*/test/{FILE}"))
    if not found:
        for part in ("parts", "lists/partial"):
            (directory / part).mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(["sh", "-c", SOURCES], cwd=directory, timeout=300, capture_output=True, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        found = sorted(directory.glob(f"*/test/{FILE}"))
    return found[0].parent if found else None


def tests_directory():
    """Returns the directory of pygame's tests, or None."""
    if os.environ.get("PYGAME_TESTS"):
        return pathlib.Path(os.environ["PYGAME_TESTS"])
    if importlib.util.find_spec("pygame.tests"):
        return pathlib.Path(importlib.import_module("pygame.tests").__path__[0])
    return fetched(pathlib.Path(os.environ.get("PIXVERLET_BUILD", ".")) / "python" / "pygame")


def load(directory, mask_module):
    """Imports pygame's tests of masks while pygame.mask is another module."""
    import pygame

    tests = types.ModuleType("pygame.tests")
    tests.__path__ = [str(directory)]
    sys.modules["pygame.tests"] = pygame.tests = tests
    pygame.mask, pygame.Mask = mask_module, mask_module.Mask
    sys.modules["pygame.mask"] = mask_module
    return importlib.import_module("pygame.tests.mask_test")
