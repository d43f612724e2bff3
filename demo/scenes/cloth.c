/* cloth.c - a hammock catches balls, and tears in part under an iron one; a blanket drapes over a
 * safe.
 *
 * Invariant: threads of the upper rows alone tear, by more force than their strength. No ball falls
 * through the hammock.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"
#include "stage/shots.h"

/// Resistance of a thread to stretching [mass/s^2], and force at which it tears [mass px/s^2]
static const double stiffness = 14000, strength = 46000;

/// Columns and rows of the hammock, and number of its upper rows that may tear
enum { COLUMNS = 46, ROWS = 12, WEAK = 7 };

/// Frames from one ball to the next, of the blanket's fall, and of the iron ball's
enum { BALLS = 7, PAUSE = 80, BLANKET = 40, IRON = 640, IRON_RADIUS = 22 };

static const double iron_density = .3;

struct laundry {
    pv_force_field_id wind;
    int frame;
    /// Speed of the wind [px/s]
    double speed;
};

/// Creates a cloth of red or blue threads.
static pv_composite_id add_cloth(struct stage *stage, pv_cloth_def def, uint32_t skin,
                                 uint32_t stroke) {
    pv_composite_id cloth = pv_cloth_create(stage->world, &def, NULL);
    stage_paint(stage, cloth,
                (struct stage_paint){.skin = skin, .shade = .8, .stroke = stroke, .width = 1});
    return cloth;
}

/// Pins the first and the last particle of each row.
static void pin_sides(struct stage *stage, pv_composite_id cloth, int columns, int rows) {
    pv_particle_id all[COLUMNS * ROWS];
    int count = pv_composite_get_particles(stage->world, cloth, all, COLUMNS * ROWS);
    for (int row = 0; count == columns * rows && row < rows; row++) {
        pv_particle_set_mass(stage->world, all[row * columns], 0);
        pv_particle_set_mass(stage->world, all[row * columns + columns - 1], 0);
    }
}

/// Gives a strength to all threads that end above a height.
static void weaken(struct stage *stage, pv_composite_id cloth, double height) {
    pv_joint_id threads[6 * COLUMNS * ROWS];
    int count = pv_composite_get_joints(stage->world, cloth, threads, 6 * COLUMNS * ROWS);
    for (int i = 0; i < count; i++) {
        pv_anchor ends[2];
        if (pv_joint_get_anchors(stage->world, threads[i], ends) == PV_OK &&
            ends[0].point.y < height && ends[1].point.y < height)
            pv_joint_set_break_force(stage->world, threads[i], strength);
    }
}

static void add_hammock(struct stage *stage) {
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){40, 60};
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.mass = .25;
    def.stiffness = stiffness;
    def.shear_stiffness = 200;
    def.pin_every = 0;
    pv_composite_id cloth = add_cloth(stage, def, 0xb8343cff, 0x7c1c28ff);
    pin_sides(stage, cloth, def.columns, def.rows);
    weaken(stage, cloth, def.top_left.y + WEAK * def.spacing);
}

static void add_blanket(struct stage *stage) {
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){440, 90};
    def.columns = 31;
    def.rows = 5;
    def.spacing = 6;
    def.mass = .25;
    def.stiffness = stiffness;
    def.shear_stiffness = 60;
    def.pin_every = 0;
    add_cloth(stage, def, 0x3c6cb8ff, 0x1c3c7cff);
}

/// Creates a wooden post that nothing touches, with a peg at its top.
static void add_post(struct stage *stage, double x) {
    pv_image *image = props_picture(stage, 8, 292);
    props_bar(image, (pv_rect){0, 0, 8, 292}, 0x4d2a31ffu);
    props_bar(image, (pv_rect){1, 0, 6, 292}, 0x9b6038ffu);
    props_bar(image, (pv_rect){2, 0, 2, 292}, 0xc08446ffu);
    props_decor(stage, "post", image, x - 4, 52, true);
    stage_add_static(stage, "peg", x - 8, 44);
}

static void drop(struct stage *stage, const struct sprite *sprite, pv_vec2 at, double density) {
    pv_body_def ball = pv_body_def_default();
    ball.position = at;
    ball.density = density;
    ball.rolling_resistance = 1;
    stage_put(stage, sprite, ball);
}

/// Drops a ball from the mouse.
static bool press(struct stage *stage, pv_vec2 at) {
    if (stage_is_body(pv_world_pick_body(stage->world, at))) return false;
    drop(stage, stage_load(stage, "ball"), at, .1);
    return true;
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->hooks.press = press;
    stage->hint = "click: drop a ball";
    stage_add_static(stage, "floor", -300, 344);
    stage_add_fence(stage, 360);
    stage_add_static(stage, "safe", 498, 280);
    add_post(stage, 40);
    add_post(stage, 400);
    add_hammock(stage);
    stage_add_knob(stage, "wind [px/s]", -400, 400, 0);
}

/// Lets the wind blow as the slider says; there is none without it.
static void blow(struct stage *stage, struct laundry *it) {
    double wanted = stage->knobs[0].value;
    if (it->speed == wanted) return;
    pv_force_field_def wind = pv_force_field_def_default();
    wind.velocity = (pv_vec2){wanted, 0};
    it->speed = wanted;
    if (pv_force_field_is_valid(stage->world, it->wind))
        pv_force_field_set_def(stage->world, it->wind, &wind);
    else
        it->wind = pv_force_field_create(stage->world, &wind, NULL);
}

static void update(struct stage *stage) {
    struct laundry *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    blow(stage, it);
    int frame = it->frame++;
    if (frame == BLANKET) add_blanket(stage);
    if (frame % PAUSE == PAUSE - 1 && frame / PAUSE < BALLS)
        drop(stage, stage_load(stage, "ball"), (pv_vec2){stage_uniform(stage, 180, 260), -30}, .1);
    if (frame == IRON)
        drop(stage, shots_paint(stage, IRON_RADIUS), (pv_vec2){220, -40}, iron_density);
}

const struct scene scene_cloth = {"cloth", "a hammock catches balls, a blanket drapes over a safe",
                                  setup, update};
