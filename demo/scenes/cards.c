/* cards.c - a house of cards of five rows, each card two pixels thick.
 *
 * Invariant: the cards begin where they should stay, with a narrow gap between them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#define ROWS 5

static const double quarter_turn = 1.57079632679489662;

/// Angle of a leaning card to the vertical: 25 degrees [rad]
static const double lean = 0.43633231299858239;

/// Gap between cards at the start, and distance between the tops of a row [px]
static const double air = .05, pitch = 32.25;

static const double ground = 164;

static void add_card(struct stage *stage, double x, double y, double angle) {
    pv_body_id card = stage_add(stage, "card", x, y, angle);
    stage_set_surface(stage->world, card, 0, .7, .7);
}

/// Creates two cards that lean on each other over x and stand at bottom.
static void add_pair(struct stage *stage, double x, double bottom) {
    pv_rotation r = pv_rotation_from_angle(lean);
    double across = 16 * r.s + r.c + air, up = 16 * r.c + r.s + air;
    add_card(stage, x - across, bottom - up, lean);
    add_card(stage, x + across, bottom - up, -lean);
}

static void setup(struct stage *stage) {
    pv_rotation r = pv_rotation_from_angle(lean);
    double rise = 32 * r.c + 2 * r.s + 2 * air, bottom = ground;
    stage_set_view(stage, 320, 180);
    pv_body_id floor = stage_add_static(stage, "floor", -480, ground);
    stage_set_surface(stage->world, floor, 0, .7, .7);
    for (int row = ROWS; row > 0; row--, bottom -= rise + 2 + air) {
        for (int i = 0; i < row; i++) add_pair(stage, 160 + pitch * (i - (row - 1) / 2.0), bottom);
        for (int i = 1; i < row; i++)
            add_card(stage, 160 + pitch * (i - row / 2.0), bottom - rise - 1, quarter_turn);
    }
    stage_add_fence(stage, 180);
    aim_arm(stage, NULL);
}

const struct scene scene_cards = {"cards", "a house of cards, two pixels thick", setup, NULL};
