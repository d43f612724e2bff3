"""Sprites whose opaque pixels are 2D colliders: masks, and worlds of bodies that can be carved.

SPDX-License-Identifier: Zlib
"""

from ._core import *  # noqa: F403
from ._core import __version__  # noqa: F401
from . import mask  # noqa: F401
