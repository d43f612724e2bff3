"""setup.py - builds the extension: from the library's sources, or with an existing library.

PIXVERLET_LIBRARY names a library to link, static or shared. Without it the sources of the tree become part of
the extension, as their files.mk lists them.

SPDX-License-Identifier: Zlib
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

here = pathlib.Path(__file__).resolve().parent
top = here if (here / "configure.ac").exists() else here.parent.parent  # an archive of `make release` has all in one folder
os.chdir(here)


def version():
    return re.search(r"AC_INIT\(\[libpixverlet\], \[([^\]]*)\]", (top / "configure.ac").read_text()).group(1)


def sources():
    """Yields the C files of the library, as the build lists them."""
    for listing in sorted((top / "lib").glob("**/files.mk")):
        for name in re.findall(r"\S+\.c\b", listing.read_text()):
            yield os.path.relpath(top / name)


def flags_of(package, what="--cflags"):
    """Returns the flags that pkg-config has for a package, or none if it is missing."""
    found = subprocess.run(["pkg-config", what, package], capture_output=True, text=True)
    return shlex.split(found.stdout) if found.returncode == 0 else []


class build_with_stubs(build_py):
    """Adds the generated stubs to the package."""

    def run(self):
        super().run()
        self.copy_file(str(out / "_core.pyi"), os.path.join(self.build_lib, "pixverlet", "_core.pyi"))


def generated(directory):
    """Writes the calls and the stubs, and returns the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "tools/bind.py", top, directory / "calls.h", directory / "_core.pyi"], check=True)
    return str(directory)


out = pathlib.Path(os.environ.get("PIXVERLET_OUT", "build"))
library = os.environ.get("PIXVERLET_LIBRARY")
# Atlases and tile maps need the first one; packed maps and XML need the others.
formats = {"HAVE_CJSON": "libcjson", "HAVE_ZLIB": "zlib", "HAVE_ZSTD": "libzstd", "HAVE_EXPAT": "expat"}
formats = {} if library else {macro: name for macro, name in formats.items() if flags_of(name, "--libs")}
extension = Extension(
    "pixverlet._core",
    sorted(str(path) for path in pathlib.Path("src").glob("*.c")) + ([] if library else list(sources())),
    include_dirs=[os.path.relpath(top / "lib"), generated(out)],
    depends=[str(path) for path in pathlib.Path("src").glob("*.h")],
    # All builds must give the same bits; see configure.ac.
    extra_compile_args=["-std=gnu11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden"]
    + ([] if library else flags_of("stb") + [flag for name in formats.values() for flag in flags_of(name)]),
    extra_link_args=[library, *shlex.split(os.environ.get("PIXVERLET_LIBS", ""))] if library else [flag for name in formats.values() for flag in flags_of(name, "--libs")],
    libraries=["m"] if library else ["m", "pthread"],
    define_macros=[("Py_LIMITED_API", "0x030b0000")]
    + [(macro, "1") for macro in formats]
    + ([] if library else [("PACKAGE_VERSION", f'"{version()}"'), ("_POSIX_C_SOURCE", "200809L"), ("_XOPEN_SOURCE", "700")]),
    py_limited_api=True,
)
setup(
    version=version(),
    ext_modules=[extension],
    cmdclass={"build_py": build_with_stubs},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
