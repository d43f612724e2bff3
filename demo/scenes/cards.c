/* cards.c - a house of cards of five rows, each card two pixels thick. After a while a card and
 * then a ball fly at it.
 *
 * Invariant: the cards begin where they should stay, with a narrow gap between them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/rounds.h"

struct memory {
    /// Number of rows, and friction of cards and floor
    int rows;
    double friction;
};

static const double quarter_turn = 1.57079632679489662;

/// Angle of a leaning card from the vertical: 25 degrees [rad]
static const double lean = 0.43633231299858239;

/// Gap between cards at the start, and distance between the tops of a row [px]
static const double air = .05, pitch = 32.25;

static const double ground = 164;

static void add_card(struct stage *stage, double x, double y, double angle) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    pv_body_id card = stage_add(stage, "card", x, y, angle);
    stage_set_surface(stage->world, card, 0, memory->friction, memory->friction);
}

/// Creates two cards that lean on each other over x and stand at bottom.
static void add_pair(struct stage *stage, double x, double bottom) {
    pv_rotation r = pv_rotation_from_angle(lean);
    double across = 16 * r.s + r.c + air, up = 16 * r.c + r.s + air;
    add_card(stage, x - across, bottom - up, lean);
    add_card(stage, x + across, bottom - up, -lean);
}

/// Returns the height from the foot of a row of pairs to the cards that lie on it.
static double rise_of(void) {
    pv_rotation r = pv_rotation_from_angle(lean);
    return 32 * r.c + 2 * r.s + 2 * air;
}

static void build(struct stage *stage) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    double rise = rise_of(), bottom = ground;
    for (int row = memory->rows; row > 0; row--, bottom -= rise + 2 + air) {
        for (int i = 0; i < row; i++) add_pair(stage, 160 + pitch * (i - (row - 1) / 2.0), bottom);
        for (int i = 1; i < row; i++)
            add_card(stage, 160 + pitch * (i - row / 2.0), bottom - rise - 1, quarter_turn);
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 320, 180);
    stage->backdrop = STAGE_BOARDS;
    if (!memory) return;
    memory->rows = (int)(stage_add_setup_knob(stage, "rows", 1, 5, 5) + .5);
    memory->friction = stage_add_setup_knob(stage, "friction", .1, 1, .7);
    pv_body_id floor = stage_add_static(stage, "floor", -480, ground);
    stage_set_surface(stage->world, floor, 0, memory->friction, memory->friction);
    build(stage);
    stage_add_fence(stage, 180);
    aim_arm(stage, NULL);
}

/// Throws a card at the house, and then a ball.
static void toss(struct stage *stage, int which) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    double middle = ground - memory->rows * rise_of() / 2;
    if (which == 1) {
        aim_toss_at(stage, (pv_vec2){16, middle - 20}, (pv_vec2){160, middle}, .35);
        return;
    }
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){24, middle - 16};
    def.velocity = (pv_vec2){300, -60};
    def.angular_velocity = 9;
    def.static_friction = def.friction = memory->friction;
    if (stage_is_free(stage, stage_load(stage, "card"), def.position, 0))
        stage_add_def(stage, "card", def);
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {600, 240, 2, 360, toss, build};
    if (stage->memory) rounds_play(stage, &rounds);
}

const struct scene scene_cards = {"cards", "a house of cards, two pixels thick", setup, update};
