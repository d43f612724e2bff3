"""masks.py - two sprites that touch only where their pixels do. Written for pygame.mask, with one import changed.

Usage: masks.py [--frames N] [--screenshot PNG]

SPDX-License-Identifier: Zlib
"""

import sys

import pygame
from pixverlet import mask  # was: from pygame import mask


def ring():
    picture = pygame.Surface((120, 120), pygame.SRCALPHA)
    pygame.draw.circle(picture, (86, 140, 220), (60, 60), 58, 16)
    return picture


def star():
    picture = pygame.Surface((60, 60), pygame.SRCALPHA)
    pygame.draw.polygon(picture, (236, 180, 60), [(30, 0), (38, 22), (60, 30), (38, 38), (30, 60), (22, 38), (0, 30), (22, 22)])
    return picture


pygame.init()
screen = pygame.display.set_mode((320, 200), 0, 32)
sprites = {"ring": ring(), "star": star()}
masks = {name: mask.from_surface(picture) for name, picture in sprites.items()}
frames = int(sys.argv[sys.argv.index("--frames") + 1]) if "--frames" in sys.argv else 0
hits = 0
for frame in range(frames or 1 << 30):
    if any(event.type == pygame.QUIT for event in pygame.event.get()):
        break
    at = (frame * 2 % 320 - 30, 70) if frames else pygame.mouse.get_pos()
    offset = (at[0] - 100, at[1] - 40)
    screen.fill((24, 26, 34))
    screen.blit(sprites["ring"], (100, 40))
    screen.blit(sprites["star"], at)
    if masks["ring"].overlap(masks["star"], offset):
        shared = masks["ring"].overlap_mask(masks["star"], offset)
        shared.to_surface(screen, setcolor=(240, 80, 80), unsetcolor=None, dest=(100, 40))
        hits += 1
    pygame.display.flip()
if "--screenshot" in sys.argv:
    pygame.image.save(screen, sys.argv[-1])
print(f"{hits} frames with shared pixels")
