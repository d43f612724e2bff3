"""dig.py - run, jump and dig to the gems: a platformer whose ground is its own collider.

Keys: left, right, up to jump, space to dig, Escape to leave.
Usage: dig.py [--frames N] [--screenshot PNG]; with --frames it plays itself.

SPDX-License-Identifier: Zlib
"""

import argparse
import math
import random

import pygame
from pixverlet import World, mask

WIDTH, HEIGHT, LENGTH, DT = 640, 360, 2000, 1 / 60
RUN, JUMP, GRAVITY, REACH = 130, 260, 620, 16
GEMS = 180, 300, 413, 640, 893, 1200, 1443, 1800


def hill(x):
    return 250 + 28 * math.sin(x / 90) + 16 * math.sin(x / 37 + 1)


def height_of(x):
    """Returns the height of the ground, with three walls in the way."""
    return hill(x) - 110 * any(abs(x - wall) < 24 for wall in (420, 900, 1450))


def ground():
    draw = random.Random(5)
    picture = pygame.Surface((LENGTH, HEIGHT), pygame.SRCALPHA)
    for x in range(LENGTH):
        top = int(height_of(x))
        pygame.draw.line(picture, (118, 82, 58), (x, top), (x, HEIGHT))
        for y, color in ((46, (96, 66, 52)), (80, (78, 54, 48))):
            pygame.draw.line(picture, color, (x, top + y + int(5 * math.sin(x / 19 + y))), (x, HEIGHT))
        pygame.draw.line(picture, (104, 178, 72), (x, top), (x, top + 5 + draw.randrange(4)))
    for _ in range(900):
        x, y = draw.randrange(LENGTH), draw.randrange(120, HEIGHT)
        if y > height_of(x) + 14:
            shade = draw.choice([(140, 102, 74), (66, 46, 42), (158, 146, 130)])
            pygame.draw.circle(picture, shade, (x, y), draw.choice([1, 1, 2, 3]))
    return picture


def hero():
    picture = pygame.Surface((18, 26), pygame.SRCALPHA)
    pygame.draw.rect(picture, (52, 92, 190), (2, 11, 14, 13), border_radius=4)
    pygame.draw.circle(picture, (244, 206, 164), (9, 9), 7)
    pygame.draw.rect(picture, (232, 178, 44), (1, 1, 16, 6), border_radius=4)
    pygame.draw.circle(picture, (30, 30, 40), (12, 10), 1)
    for x in (4, 10):
        pygame.draw.rect(picture, (44, 40, 52), (x, 22, 5, 4))
    return picture


def gem():
    picture = pygame.Surface((14, 14), pygame.SRCALPHA)
    pygame.draw.polygon(picture, (60, 214, 214), [(7, 0), (13, 6), (7, 13), (0, 6)])
    pygame.draw.polygon(picture, (190, 250, 246), [(7, 1), (10, 6), (7, 6), (3, 5)])
    return picture


def sky():
    picture = pygame.Surface((WIDTH, HEIGHT))
    for y in range(HEIGHT):
        t = y / HEIGHT
        pygame.draw.line(picture, (int(98 + 120 * t), int(170 + 50 * t), 232), (0, y), (WIDTH, y))
    pygame.draw.circle(picture, (255, 240, 190), (520, 70), 34)
    for x in range(WIDTH):
        pygame.draw.line(picture, (132, 172, 196), (x, 210 - int(40 * math.sin(x / 70) + 12 * math.sin(x / 23))), (x, HEIGHT))
    return picture


def add(world, picture, type, top_left, **words):
    body = world.create_body(mask.from_surface(picture), top_left=top_left, type=type, **words)
    body.picture = picture
    return body


def play(screen, options):
    clock, font, backdrop, looks, stuck = pygame.time.Clock(), pygame.font.Font(None, 28), sky(), hero(), 0
    with World(gravity=(0, GRAVITY)) as world:
        add(world, ground(), "static", (0, 0))
        player = world.create_mover(mask.from_surface(looks), (60, 150), pivot=(9, 13), max_slope=1.2)
        gems = [add(world, gem(), "static", (x, hill(x) - 26), sensor=True) for x in GEMS]
        for frame in range(options.frames or 1 << 30):
            keys = pygame.key.get_pressed()
            x, y = player.position
            if keys[pygame.K_ESCAPE] or x > LENGTH - 30 or any(event.type == pygame.QUIT for event in pygame.event.get()):
                break
            way, jump = (1, stuck % 50 == 24) if options.frames else (keys[pygame.K_RIGHT] - keys[pygame.K_LEFT], keys[pygame.K_UP])
            stuck = stuck + 1 if way and abs(player.velocity[0]) < RUN / 3 else 0
            if keys[pygame.K_SPACE] or (options.frames and stuck > 6):
                world.carve("circle", from_=(x + (way or 1) * REACH, y - 3), radius=19)
            world.step(DT)
            for split in world.events.splits:
                split.child.type = "dynamic"
            player.move((way * RUN, -JUMP if jump and player.grounded else player.velocity[1] + GRAVITY * DT), DT)
            for gem_found in set(player.query(include_sensors=True)) & set(gems):
                gems.remove(gem_found)
                gem_found.destroy()
            camera = min(max(x - WIDTH / 2, 0), LENGTH - WIDTH)
            screen.blit(backdrop, (0, 0))
            world.draw(screen, camera=(camera, 0))
            screen.blits([(looks, (player.position[0] - 9 - camera, player.position[1] - 13)), (font.render(f"{len(GEMS) - len(gems)} gems", True, (40, 44, 70)), (14, 12))])
            pygame.display.flip()
            if not options.frames:
                clock.tick(60)
        if options.screenshot:
            pygame.image.save(screen, options.screenshot)
        print(f"{len(GEMS) - len(gems)} gems, {len(world.bodies)} bodies, x {player.position[0]:.0f}")


parser = argparse.ArgumentParser()
parser.add_argument("--frames", type=int, default=0)
parser.add_argument("--screenshot")
pygame.init()
play(pygame.display.set_mode((WIDTH, HEIGHT), 0, 32), parser.parse_args())
