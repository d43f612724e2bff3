"""Runs pygame's own tests of masks in a separate process, since they put pixverlet in pygame's place.

SPDX-License-Identifier: Zlib
"""

import json
import os
import subprocess
import sys
import unittest

import pygame_suite

# Tests that cannot pass; docs/PYTHON.md explains each.
EXPLAINED = {}
LEAST = 250

RUN = """
import json, sys, unittest
import pygame_suite
import pixverlet.mask
module = pygame_suite.load(pygame_suite.tests_directory(), pixverlet.mask)
suite = unittest.defaultTestLoader.loadTestsFromModule(module)
result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
failed = {test.id().rsplit(".", 1)[1]: text for test, text in result.failures + result.errors}
unexpected = [test.id() for test in result.unexpectedSuccesses]
print(json.dumps({"run": result.testsRun, "failed": failed, "skipped": len(result.skipped), "unexpected": unexpected}))
"""


class PygameSuite(unittest.TestCase):
    def test_masks(self):
        if not pygame_suite.tests_directory():
            self.skipTest("pygame's tests are neither installed nor to be fetched")
        environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        environment["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), environment.get("PYTHONPATH", "")])
        run = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        result = json.loads(run.stdout.splitlines()[-1])
        passed = result["run"] - len(result["failed"]) - result["skipped"]
        print(f"{passed} of {result['run']} tests of pygame pass, {result['skipped']} are skipped")
        self.assertEqual(set(result["failed"]) - set(EXPLAINED), set(), "\n".join(result["failed"].values()))
        self.assertGreaterEqual(passed, LEAST)


if __name__ == "__main__":
    unittest.main()
