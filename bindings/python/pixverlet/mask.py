"""The names of pygame.mask, so that a game changes one import.

SPDX-License-Identifier: Zlib
"""

from ._core import Mask, from_surface, from_threshold

MaskType = Mask

__all__ = ["Mask", "MaskType", "from_surface", "from_threshold"]
