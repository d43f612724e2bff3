/* bullets.c - volleys at four speeds hit sheets one and two pixels thick, at full speed and then in
 * slow motion. No bullet reaches the pigs behind them.
 *
 * Invariant: a lane is open behind its sheets, so a bullet that passes is seen there.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"
#include "stage/texture.h"

#include <stdio.h>

#define LANES 4
#define VOLLEY 8
#define BULLETS (LANES * VOLLEY * 2)

static const double speeds[LANES] = {1000, 4000, 16000, 32000};

/// Factor of slow motion, and frames of a round at full speed and in slow motion. The factor
/// divides speeds, and its square divides gravity, so the paths are the same.
enum { SLOW = 20, FAST_FRAMES = 180, SLOW_FRAMES = 420 };

/// Colors of the tracers of a lane
static const uint32_t inks[LANES] = {0xfff0a0ffu, 0xffc860ffu, 0xff9048ffu, 0xff5040ffu};

/// Length of a tracer in slow motion [px], and frames for which one shows at full speed
static const double tail = 30;
enum { SHOWS = 45 };

struct memory {
    struct bullet {
        pv_body_id body;
        /// Start of its path, and the farthest point reached
        pv_vec2 start, end;
        int lane;
    } bullets[BULLETS];
    /// Index of the label that shows the factor of slow motion
    int label;
    int fired, frame, slow;
};

/// Height of a lane with its floor, and of the floor [px]; sheets fill the rest
static const double lane_height = 88, floor_height = 32;

/// Left edges of the sheets [px]
static const double thin = 96, thick = 542;

/// Fires a bullet, slowed down by the factor of the round.
static void fire_one(struct stage *stage, struct memory *memory, pv_vec2 at, int side, int lane) {
    struct bullet *bullet = &memory->bullets[memory->fired++];
    if (pv_body_is_valid(stage->world, bullet->body)) pv_body_destroy(stage->world, bullet->body);
    bullet->body = stage_add(stage, "bullet", at.x, at.y, side < 0 ? 3.14159265358979323846 : 0);
    bullet->start = bullet->end = at;
    bullet->lane = lane;
    pv_vec2 velocity = {side * speeds[lane] / memory->slow, 0};
    pv_body_set_velocity(stage->world, bullet->body, velocity);
    stage_set_surface(stage->world, bullet->body, 0, .6, .5);
}

/// Fires all bullets from the middles of their lanes, to the left and to the right.
static void fire(struct stage *stage, struct memory *memory, int slow) {
    const pv_vec2 gravity = {0, pv_world_def_default().gravity.y / (slow * slow)};
    memory->slow = slow;
    memory->fired = memory->frame = 0;
    pv_world_set_gravity(stage->world, gravity);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 2 * VOLLEY; i++) {
            int side = i % 2 ? 1 : -1, which = i / 2;
            pv_vec2 at = {320 + side * (16 + 20 * (which % 4)),
                          lane_height * lane + 10 + 6 * which};
            fire_one(stage, memory, at, side, lane);
        }
    char *text = stage->labels[memory->label].text;
    if (slow > 1)
        snprintf(text, sizeof stage->labels[0].text, "slow motion, 1:%d", slow);
    else
        snprintf(text, sizeof stage->labels[0].text, "full speed");
}

static void add_sheet(struct stage *stage, const char *sprite, double left, double top) {
    stage_set_surface(stage->world, stage_add_static(stage, sprite, left, top), 0, .6, .5);
}

/// Creates a shelf of steel.
static void add_shelf(struct stage *stage, double top) {
    const int high = (int)floor_height;
    pv_image *image = props_picture(stage, 640, high);
    for (int y = 0; image && y < high; y++)
        for (int x = 0; x < 640; x++) {
            bool rivet = y > 9 && y < 14 && (x + 16) % 32 < 4;
            double light = y < 2 ? 1.5 : y > high - 4 ? .6 : rivet ? 1.3 : x % 128 == 0 ? .7 : 1;
            props_dot(image, x, y, texture_lit(0x586880ffu, light));
        }
    const struct sprite *sprite = stage_keep(stage, "shelf", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){sprite->center.x, top + sprite->center.y};
    stage_put(stage, sprite, def);
}

/// Paints a gun with two barrels, behind the bullets.
static void add_gun(struct stage *stage, double bottom) {
    enum { WIDE = 64, HIGH = 48 };
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; y < HIGH - 4; y += 6) {
        props_bar(image, (pv_rect){0, y, WIDE, 5}, 0x1c2036ffu);
        props_bar(image, (pv_rect){1, y + 1, WIDE - 2, 3}, 0x8090a8ffu);
    }
    props_bar(image, (pv_rect){16, 0, 32, HIGH}, 0x1c2036ffu);
    props_bar(image, (pv_rect){17, 1, 30, HIGH - 1}, 0xb04038ffu);
    props_bar(image, (pv_rect){17, 1, 30, 3}, 0xe07058ffu);
    props_disc(image, WIDE / 2.0, HIGH / 2.0, 9, 0xf0d060ffu);
    props_decor(stage, "gun", image, 320 - WIDE / 2.0, bottom - HIGH, true);
}

static void add_lane(struct stage *stage, int lane) {
    double top = lane_height * lane, bottom = top + lane_height - floor_height;
    char label[28];
    snprintf(label, sizeof label, "%g px/s", speeds[lane]);
    add_shelf(stage, bottom);
    add_gun(stage, bottom);
    add_sheet(stage, "sheet_1", thin, bottom - 56);
    add_sheet(stage, "sheet_2", thick, bottom - 56);
    for (int i = 0; i < 3; i++) {
        stage_add_static(stage, "pig", 4 + 29 * i, bottom - 28);
        stage_add_static(stage, "pig", 550 + 29 * i, bottom - 28);
    }
    stage_add_label(stage, 320, bottom + 12, label);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_PAPER;
    if (!memory) return;
    stage_add_knob(stage, "slowness", 2, 60, SLOW);
    stage_add_fence(stage, 360);
    add_shelf(stage, -floor_height);
    for (int lane = 0; lane < LANES; lane++) add_lane(stage, lane);
    stage_add_label(stage, thin, 340, "1 px thick");
    stage_add_label(stage, thick, 340, "2 px thick");
    memory->label = stage->label_count;
    stage_add_label(stage, 200, 12, "");
    fire(stage, memory, 1);
}

/// Draws the whole path of a bullet at full speed, and the last part of it in slow motion.
static void trace(struct stage *stage, const struct memory *memory, struct bullet *bullet) {
    pv_vec2 at = pv_body_get_position(stage->world, bullet->body), from = bullet->start;
    double way = at.x - from.x;
    int left = SHOWS - memory->frame;
    uint32_t ink = inks[bullet->lane];
    if (memory->slow > 1) {
        pv_vec2 v = pv_body_get_velocity(stage->world, bullet->body);
        if (v.x * v.x < 100) return;
        if (way > tail) from.x = at.x - tail;
        if (way < -tail) from.x = at.x + tail;
        from.y = at.y;
    } else {
        if (left <= 0) return;
        double far = bullet->end.x - from.x;
        if (way * way > far * far) bullet->end = at;
        at = bullet->end;
        ink = (ink & ~255u) | (uint32_t)(left * 255 / SHOWS);
    }
    stage_add_streak(stage, from, at, ink);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    int frames = memory->slow > 1 ? SLOW_FRAMES : FAST_FRAMES;
    if (++memory->frame >= frames)
        fire(stage, memory, memory->slow > 1 ? 1 : stage_knob_count(stage, 0));
    stage->streak_count = 0;
    for (int i = 0; i < BULLETS; i++) trace(stage, memory, &memory->bullets[i]);
}

const struct scene scene_bullets = {"bullets", "fast bullets, thin walls, and slow motion", setup,
                                    update};
