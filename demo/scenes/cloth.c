/* cloth.c - a hammock catches balls, and tears in part under an iron one. A towel hangs by two
 * corners down to the floor. A blanket drapes over a safe.
 *
 * Invariant: only threads of the upper rows tear, under more force than their strength. No ball
 * falls through the hammock.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"
#include "stage/shots.h"
#include "stage/texture.h"

/// Stiffness of a thread [mass/s^2], and force at which it tears [mass px/s^2]
static const double stiffness = 14000, strength = 46000;

/// Columns and rows of the hammock, and number of its upper rows that may tear
enum { COLUMNS = 46, ROWS = 12, WEAK = 7 };

/// Number of balls, frames between two, frames when blanket and iron ball fall, and its radius [px]
enum { BALLS = 7, PAUSE = 80, BLANKET = 40, IRON = 640, IRON_RADIUS = 22 };

static const double iron_density = .3;

/// Columns and rows of the towel, distance of its threads, y of its line, and x of the pegs on the
/// line [px]
enum { TOWEL_COLUMNS = 13, TOWEL_ROWS = 29 };
static const double towel_thread = 5, towel_top = 204, pegs[2] = {417, 472};

struct laundry {
    pv_force_field_id wind;
    int frame;
    /// Speed of the wind [px/s]
    double speed;
};

/// Creates a cloth with a picture, and threads that show where it is torn.
static pv_composite_id add_cloth(struct stage *stage, pv_cloth_def def,
                                 const struct sprite *picture, uint32_t thread) {
    pv_composite_id cloth = pv_cloth_create(stage->world, &def, NULL);
    stage_paint(
        stage, cloth,
        (struct stage_paint){.picture = picture, .shade = .4, .stroke = thread, .width = 1});
    return cloth;
}

/// Paints a woven rug with rows of diamonds and seams.
static const struct sprite *paint_rug(struct stage *stage, const char *name, int wide, int high,
                                      const uint32_t colors[3]) {
    pv_image *image = props_picture(stage, wide, high);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            int across = x % 24 - 12, down = y % 22 - 11,
                far = (across < 0 ? -across : across) + (down < 0 ? -down : down);
            bool seam = y < 2 || y >= high - 2;
            uint32_t color = colors[seam || far < 4 ? 2 : far < 8 ? 1 : 0];
            props_dot(image, x, y, texture_lit(color, (x + y) % 2 ? 1 : .92));
        }
    return stage_keep(stage, name, image, NULL);
}

/// Paints a towel with stripes and a sun.
static const struct sprite *paint_towel(struct stage *stage) {
    enum { WIDE = 60, HIGH = 140 };
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; y < HIGH; y++)
        props_bar(image, (pv_rect){0, y, WIDE, 1}, y / 10 % 2 ? 0xf8f4e8ffu : 0x48a8a0ffu);
    props_disc(image, WIDE / 2.0, 56, 21, 0xf8f4e8ffu);
    props_disc(image, WIDE / 2.0, 56, 18, 0xf0a030ffu);
    props_disc(image, WIDE / 2.0, 56, 12, 0xf8d860ffu);
    for (int i = 0; i < 2; i++)
        props_bar(image, (pv_rect){i * (WIDE - 2), 0, 2, HIGH}, 0x287870ffu);
    return stage_keep(stage, "towel", image, NULL);
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

/// Gives a break force to all threads above a height.
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
    static const uint32_t colors[3] = {0xb8343cffu, 0xe88c48ffu, 0xf8dc9cffu};
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){40, 60};
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.mass = .25;
    def.stiffness = stiffness;
    def.shear_stiffness = 200;
    def.pin_every = 0;
    pv_composite_id cloth =
        add_cloth(stage, def, paint_rug(stage, "hammock", 360, 88, colors), 0x7c1c2860u);
    pin_sides(stage, cloth, def.columns, def.rows);
    weaken(stage, cloth, def.top_left.y + WEAK * def.spacing);
}

static void add_blanket(struct stage *stage) {
    static const uint32_t colors[3] = {0x3c6cb8ffu, 0x88b8e8ffu, 0xf0f4f8ffu};
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){440, 90};
    def.columns = 31;
    def.rows = 5;
    def.spacing = 6;
    def.mass = .25;
    def.stiffness = stiffness;
    def.shear_stiffness = 60;
    def.pin_every = 0;
    add_cloth(stage, def, paint_rug(stage, "blanket", 180, 24, colors), 0);
}

/// Hangs a towel by its two upper corners, closer together than it is wide. Its hem lies on the
/// floor.
static void add_towel(struct stage *stage) {
    pv_particle_id parts[TOWEL_COLUMNS * TOWEL_ROWS];
    pv_cloth_def def = pv_cloth_def_default();
    def.columns = TOWEL_COLUMNS;
    def.rows = TOWEL_ROWS;
    def.spacing = towel_thread;
    def.top_left = (pv_vec2){.5 * (pegs[0] + pegs[1] - def.spacing * (def.columns - 1)), towel_top};
    def.mass = .25;
    def.radius = 1.5;
    def.stiffness = stiffness;
    def.shear_stiffness = 200;
    def.linear_damping = 1;
    def.pin_every = TOWEL_COLUMNS - 1;
    pv_composite_id towel = add_cloth(stage, def, paint_towel(stage), 0);
    if (pv_composite_get_particles(stage->world, towel, parts, TOWEL_COLUMNS * TOWEL_ROWS) <
        TOWEL_COLUMNS)
        return;
    for (int i = 0; i < 2; i++)
        pv_particle_set_position(stage->world, parts[i * (TOWEL_COLUMNS - 1)],
                                 (pv_vec2){pegs[i], towel_top});
    pv_image *image = props_picture(stage, 84, 10);
    props_bar(image, (pv_rect){0, 3, 84, 3}, 0x4d2a31ffu);
    props_bar(image, (pv_rect){0, 4, 84, 1}, 0xc08446ffu);
    for (int i = 0; i < 2; i++)
        props_bar(image, (pv_rect){(int)(pegs[i] - 402), 0, 4, 9}, 0xf0d8a0ffu);
    props_decor(stage, "line", image, 404, towel_top - 5, false);
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
    add_towel(stage);
    stage_add_knob(stage, "wind [px/s]", -400, 400, 0);
}

/// Sets the wind to the slider's value, and creates it at the first change.
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

const struct scene scene_cloth = {
    "cloth", "a hammock catches balls, a towel hangs by two corners, a blanket drapes", setup,
    update};
