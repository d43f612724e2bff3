/* letters.c - the title as rocks, which the autopilot shoots to pieces.
 *
 * Invariant: letters are rocks like any others.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/props.h"
#include "stage/texture.h"

#include <stdio.h>

/// Side of a font block [px], blocks of a letter, distance of letters and y of their middle [px]
enum { BLOCK = 8, COLUMNS = 5, LINES = 7, DISTANCE = 52, LINE = 62 };

/// Letters in which no blocks touch only at a corner, so each is one part
static const char *const glyphs[GAME_LETTERS][LINES] = {
    {"####.", "#..##", "#..##", "####.", "#.##.", "#..##", "#..##"},
    {"#...#", "#...#", "#...#", "#...#", "#...#", "#...#", "#####"},
    {"####.", "#..##", "#..##", "####.", "#..##", "#..##", "####."},
    {"#....", "#....", "#....", "#....", "#....", "#....", "#####"},
    {"#####", "#....", "#....", "####.", "#....", "#....", "#####"},
};
static const int word[] = {0, 1, 2, 2, 3, 4};

static bool is_inked(int letter, int x, int y) {
    if (x < 0 || y < 0 || x >= BLOCK * COLUMNS || y >= BLOCK * LINES) return false;
    return glyphs[letter][y / BLOCK][x / BLOCK] == '#';
}

/// Returns the color of a pixel: rough gold, light at the upper edges and dark at the lower ones.
static uint32_t ink(int letter, int x, int y) {
    double light = .72 + .4 * texture_rough((uint32_t)letter + 40, x / 6.0, y / 6.0, 3);
    if (!is_inked(letter, x - 2, y - 2)) light += .22;
    if (!is_inked(letter, x + 2, y + 2)) light -= .3;
    return texture_lit(texture_mix(0xffd880ffu, 0xd88040ffu, y / (double)(BLOCK * LINES)), light);
}

void letters_paint(struct stage *stage, struct game *game) {
    for (int letter = 0; letter < GAME_LETTERS; letter++) {
        char name[24];
        pv_image *image = props_picture(stage, BLOCK * COLUMNS, BLOCK * LINES);
        for (int i = 0; image && i < BLOCK * COLUMNS * BLOCK * LINES; i++) {
            int x = i % (BLOCK * COLUMNS), y = i / (BLOCK * COLUMNS);
            if (is_inked(letter, x, y)) props_dot(image, x, y, ink(letter, x, y));
        }
        snprintf(name, sizeof name, "letter %d", letter);
        game->letters[letter] = stage_keep(stage, name, image, NULL);
    }
}

void letters_send(struct stage *stage, const struct game *game) {
    int count = (int)(sizeof word / sizeof word[0]);
    for (int i = 0; i < count; i++) {
        const struct sprite *sprite = game->letters[word[i]];
        if (!sprite) continue;
        double left =
            GAME_WIDTH / 2.0 + DISTANCE * (i - count / 2.0) + (DISTANCE - BLOCK * COLUMNS) / 2.0;
        pv_vec2 at = {left + sprite->center.x, LINE - BLOCK * LINES / 2.0 + sprite->center.y};
        game_add_rock(stage, sprite, at, 0, (pv_vec2){0, 0}, 0);
    }
}
