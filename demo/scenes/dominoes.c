/* dominoes.c - two rows of dominoes, the lower one down a flight of stairs. The first of each row
 * is pushed. When all have fallen they rise again, the last one first.
 *
 * Invariant: all dominoes stand at rest except the first of each row, so every fall follows from a
 * hit. Friction is only 0.2 between two dominoes, but 0.5 on their ground.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/props.h"
#include "stage/texture.h"

/// Impulse per mass that tips a domino over at its top [px/s]
static const double push = 50;

/// Friction of a domino
static const double slip = .2;

/// Size of a domino [px]
enum { WIDE = 10, HIGH = 44 };

/// Number of dominoes of each row, and of all
enum { UPPER = 28, STAIRS = 24, ALL = UPPER + STAIRS, COLORS = 6 };

/// Frame in which they begin to rise, frames from one to the next, frames for which one rises, and
/// frames for which all stand before the next push
enum { LIE = 420, PACE = 3, RISE = 24, STAND = 60 };

/// Frames of a round
enum { ROUND = LIE + PACE * ALL + RISE + STAND };

/// Colors along a row
static const uint32_t colors[COLORS] = {0xe05048ffu, 0xe8883cffu, 0xe8c048ffu,
                                        0x68b858ffu, 0x48a8c0ffu, 0x8868c8ffu};

struct memory {
    int frame;
    double push, friction;
    struct domino {
        pv_body_id body;
        /// Place where it stands, and pose in which it lay
        pv_vec2 home, lay;
        double angle;
    } dominoes[ALL];
};

/// x of the first dominoes, distances in both rows, tops of the rows, and height of a step [px]
static const double first = 34, pitch = 20, stairs_pitch = 24;
static const double upper = 132, lower = 250, step = 8;

/// Number of dominoes before the stairs, and number of steps
enum { BEFORE = 8, STEPS = 10 };

/* ---- building ---- */

/// Paints a domino with its dots.
static struct sprite *paint_domino(struct stage *stage, uint32_t color) {
    pv_image *image = props_picture(stage, WIDE, HIGH);
    props_bar(image, (pv_rect){0, 0, WIDE, HIGH}, texture_lit(color, .5));
    props_bar(image, (pv_rect){1, 1, WIDE - 2, HIGH - 2}, color);
    props_bar(image, (pv_rect){1, 1, 2, HIGH - 2}, texture_lit(color, 1.3));
    props_bar(image, (pv_rect){1, HIGH / 2 - 1, WIDE - 2, 2}, texture_lit(color, .6));
    for (int i = 0; i < 4; i++)
        props_disc(image, WIDE / 2.0, 6 + (i < 2 ? 0 : HIGH / 2.0) + 10 * (i % 2), 2, 0xfff8e8ffu);
    return stage_keep(stage, "domino", image, NULL);
}

static void add_domino(struct stage *stage, const struct sprite *look, struct domino *domino,
                       double x, double bottom) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    pv_body_def def = pv_body_def_default();
    domino->home = def.position = (pv_vec2){x, bottom - HIGH / 2.0};
    domino->body = stage_put(stage, look, def);
    stage_set_surface(stage->world, domino->body, 0, memory->friction, memory->friction);
}

static void add_dominoes(struct stage *stage, struct memory *memory) {
    const struct sprite *looks[COLORS];
    for (int i = 0; i < COLORS; i++) looks[i] = paint_domino(stage, colors[i]);
    for (int i = 0; i < UPPER; i++)
        add_domino(stage, looks[i * COLORS / UPPER], &memory->dominoes[i], first + pitch * i,
                   upper);
    for (int i = 0; i < STAIRS; i++) {
        int down = i < BEFORE ? 0 : i < BEFORE + STEPS ? i - BEFORE : STEPS;
        add_domino(stage, looks[i * COLORS / STAIRS], &memory->dominoes[UPPER + i],
                   first + stairs_pitch * i, lower + step * down);
    }
}

/// Creates the ground of the lower row: stone with steps.
static void add_stairs(struct stage *stage) {
    pv_image *image = props_picture(stage, 640, 110);
    const double left = first + stairs_pitch * (BEFORE - .5);
    for (int x = 0; image && x < 640; x++) {
        int down = x < left ? 0 : (int)((x - left) / stairs_pitch);
        int from = (int)step * (down < STEPS ? down : STEPS);
        for (int y = from; y < image->height; y++) {
            double rough = texture_rough(3, x / 24.0, y / 24.0, 3);
            props_dot(image, x, y, texture_lit(0x6a7080ffu, y < from + 3 ? 1.5 : .7 + .5 * rough));
        }
    }
    const struct sprite *sprite = stage_keep(stage, "steps", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){sprite->center.x, lower + sprite->center.y};
    stage_set_surface(stage->world, stage_put(stage, sprite, def), 0, .8, .8);
}

/// Pushes the top of the first domino of a row.
static void push_top(struct stage *stage, const struct memory *memory, int which) {
    const struct domino *domino = &memory->dominoes[which];
    pv_vec2 top = {domino->home.x, domino->home.y - HIGH / 2.0};
    pv_vec2 impulse = {memory->push * pv_body_get_mass(stage->world, domino->body), 0};
    pv_body_apply_impulse_at(stage->world, domino->body, impulse, top);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_BOARDS;
    if (!memory) return;
    memory->push = stage_add_setup_knob(stage, "push [px/s]", 1, 120, push);
    memory->friction = stage_add_setup_knob(stage, "friction", 0, 1, slip);
    stage_add_fence(stage, 360);
    pv_body_id shelf = stage_add_static(stage, "floor", -320, upper);
    stage_set_surface(stage->world, shelf, 0, .8, .8);
    add_stairs(stage);
    add_dominoes(stage, memory);
    aim_arm(stage, NULL);
}

/* ---- running ---- */

/// Makes all dominoes kinematic where they lie, so that nothing hinders them.
static void hold_all(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < ALL; i++) {
        struct domino *domino = &memory->dominoes[i];
        domino->lay = pv_body_get_position(stage->world, domino->body);
        domino->angle = pv_body_get_angle(stage->world, domino->body);
        pv_body_set_type(stage->world, domino->body, PV_BODY_KINEMATIC);
    }
}

/// Moves a domino toward the place where it stands.
/// @param share part of the time of its rise that is over at the end of the step
static void raise(struct stage *stage, const struct domino *domino, double share) {
    double rest = (1 - share) * (1 - share);
    pv_vec2 at = {domino->home.x + rest * (domino->lay.x - domino->home.x),
                  domino->home.y + rest * (domino->lay.y - domino->home.y)};
    pv_body_move_to(stage->world, domino->body, at, rest * domino->angle, SCENE_STEP);
}

/// Raises all dominoes whose turn it is, the last one first.
static void raise_all(struct stage *stage, const struct memory *memory, int since) {
    for (int i = 0; i < ALL; i++) {
        int age = since - PACE * (ALL - 1 - i);
        if (age > 0 && age <= RISE) raise(stage, &memory->dominoes[i], age / (double)RISE);
    }
}

/// Releases all dominoes at their places, exactly upright.
static void release_all(struct stage *stage, const struct memory *memory) {
    for (int i = 0; i < ALL; i++) {
        const struct domino *domino = &memory->dominoes[i];
        pv_body_set_position(stage->world, domino->body, domino->home);
        pv_body_set_angle(stage->world, domino->body, 0);
        pv_body_set_type(stage->world, domino->body, PV_BODY_DYNAMIC);
    }
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    int frame = memory->frame++ % ROUND;
    if (frame == 0 && memory->frame > 1) release_all(stage, memory);
    if (frame == 0)
        for (int row = 0; row < 2; row++) push_top(stage, memory, row * UPPER);
    if (frame == LIE) hold_all(stage, memory);
    if (frame > LIE) raise_all(stage, memory, frame - LIE);
}

const struct scene scene_dominoes = {"dominoes", "two rows fall, one down the stairs, and rise",
                                     setup, update};
