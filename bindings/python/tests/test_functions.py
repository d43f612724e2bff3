"""Each public function of the library can be called from Python, or a list says why not.

SPDX-License-Identifier: Zlib
"""

import importlib.util
import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent.parent

spec = importlib.util.spec_from_file_location("bind", HERE.parent / "tools" / "bind.py")
bind = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bind)


class Functions(unittest.TestCase):
    def setUp(self):
        self.exported = (TOP / "tests" / "exports.txt").read_text().split()
        self.written = "".join(path.read_text() for path in (HERE.parent / "src").glob("*.c"))
        writer = bind.Writer(bind.Api(TOP))
        for part in (writer.enums, writer.handles, writer.structs, writer.classes):
            part()
        self.bound = set(re.findall(r"call_(pv_\w+)\)", "\n".join(writer.lines)))

    def reasons(self, name):
        return [reason for pattern, reason in bind.EXCLUDED.items() if re.search(pattern, name)]

    def test_all_are_bound_or_listed(self):
        self.assertGreater(len(self.exported), 300)
        for name in self.exported:
            self.assertEqual(len(self.reasons(name)), name not in self.bound, f"{name}: {self.reasons(name)}")

    def test_the_list_is_of_use(self):
        for pattern in bind.EXCLUDED:
            self.assertTrue([name for name in self.exported if re.search(pattern, name)], pattern)

    def test_calls_by_hand_are_there(self):
        """A function whose reason names a C file is called in that file."""
        for name in self.exported:
            for file in re.findall(r"\w+\.c\b", " ".join(self.reasons(name))):
                if re.search(rf"\b{name}\(", (HERE.parent / "src" / file).read_text()):
                    break
            else:
                self.assertFalse(any(".c" in reason for reason in self.reasons(name)), name)


if __name__ == "__main__":
    unittest.main()
