/* wrecking.c - a crane swings a wrecking ball on a chain of hinged sprites against a wall of
 * crates, again and again.
 *
 * Invariant: links touch all bodies except their neighbors, to which bolts pin them. A new wall is
 * built only while the winch holds the ball.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/grains.h"
#include "stage/props.h"

#include <math.h>

#define LINKS 30
#define COLUMNS 6
#define ROWS 9

/// Distance between the bolts of a link, and from the middle of the ball to its bolt [px]
static const double pitch = 14, eye = 30;

/// Masses of the ball, and of a link: 1000 to 1
static const double ball_mass = 20000, link_mass = 20;

static const pv_vec2 pivot = {560, 84};

/// Place of the winch, shortest length of its rope [px], and change of the length in a frame [px]
static const pv_vec2 winch = {118, 250};
static const double shortest = 44, haul = 2;

/// Frames of a round in which the winch takes the ball, the rubble crumbles, a new wall comes, and
/// the winch lets go
enum { TAKES = 420, CRUMBLES = 620, BUILDS = 790, ROUND = 840 };

struct site {
    pv_body_id ball;
    pv_joint_id rope;
    double length;
    int frame;
};

/// Returns the point at a distance along the chain, which starts straight.
static pv_vec2 along(double way) {
    pv_rotation r = pv_rotation_from_angle(2.9);
    return (pv_vec2){pivot.x + r.c * way, pivot.y + r.s * way};
}

static void pin(struct stage *stage, pv_body_id a, pv_body_id b, pv_vec2 point) {
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = pv_anchor_body(a, point);
    def.b = pv_anchor_body(b, point);
    pv_joint_create(stage->world, &def, NULL);
}

static pv_body_id add_link(struct stage *stage, double way) {
    pv_body_def def = pv_body_def_default();
    def.position = along(way);
    def.angle = 2.9;
    def.mass = link_mass;
    return stage_add_def(stage, "link", def);
}

static pv_body_id add_ball(struct stage *stage, double way) {
    pv_body_def def = pv_body_def_default();
    def.position = along(way);
    def.mass = ball_mass;
    def.restitution = 0;
    return stage_add_def(stage, "wrecker", def);
}

static pv_body_id add_chain(struct stage *stage) {
    pv_body_id last = stage_add_static(stage, "peg", pivot.x - 8, pivot.y - 8);
    for (int i = 0; i < LINKS; i++) {
        pv_body_id next = add_link(stage, pitch * (i + 0.5));
        pin(stage, last, next, along(pitch * i));
        last = next;
    }
    pv_body_id ball = add_ball(stage, pitch * LINKS + eye);
    pin(stage, last, ball, along(pitch * LINKS));
    return ball;
}

/// Creates a row of crates, or of boxes that are twice as wide and bind them.
static void add_row(struct stage *stage, int row, bool wide) {
    double size = wide ? 64 : 32, top = 688 - 32 * (row + 1);
    for (int i = 0; i < (wide ? COLUMNS / 2 : COLUMNS); i++)
        stage_add_upright(stage, wide ? "box_plain" : "crate", 620 + size * i, top);
}

static void add_wall(struct stage *stage) {
    for (int row = 0; row < ROWS; row++) add_row(stage, row, row % 3 == 2);
}

/* ---- the crane ---- */

/// Paints a lattice of yellow bars along a picture.
static pv_image *paint_lattice(struct stage *stage, int width, int height) {
    pv_image *image = props_picture(stage, width, height);
    int thick = width < height ? width : height;
    for (int y = 0; image && y < height; y++)
        for (int x = 0; x < width; x++) {
            int along = width < height ? y : x, across = width < height ? x : y;
            int up = along % (2 * thick) < thick ? along % thick : thick - 1 - along % thick;
            bool rail = across < 4 || across >= thick - 4, bar = across > up - 3 && across < up + 3;
            if (!rail && !bar) continue;
            bool dark = across == 0 || across == thick - 1 || across == 3 || across == thick - 4;
            props_dot(image, x, y, dark ? 0x8a5a18ffu : rail ? 0xf0b840ffu : 0xd89828ffu);
        }
    return image;
}

static void add_crane(struct stage *stage) {
    props_decor(stage, "mast", paint_lattice(stage, 30, 640), 92, 56, true);
    props_decor(stage, "jib", paint_lattice(stage, 560, 26), 60, 52, true);
    pv_image *cabin = props_picture(stage, 48, 44);
    props_bar(cabin, (pv_rect){0, 0, 48, 44}, 0x7a4c14ffu);
    props_bar(cabin, (pv_rect){1, 1, 46, 42}, 0xf0b840ffu);
    props_bar(cabin, (pv_rect){20, 6, 24, 20}, 0x38506cffu);
    props_bar(cabin, (pv_rect){22, 8, 20, 16}, 0x9ccce0ffu);
    props_decor(stage, "cabin", cabin, 118, 78, true);
    pv_image *drum = props_picture(stage, 36, 36);
    props_disc(drum, 18, 18, 18, 0x1c2036ffu);
    props_disc(drum, 18, 18, 16, 0x6b829bffu);
    props_disc(drum, 18, 18, 6, 0x303a56ffu);
    props_decor(stage, "drum", drum, winch.x - 18, winch.y - 18, true);
    pv_image *weight = props_picture(stage, 50, 56);
    props_bar(weight, (pv_rect){0, 0, 50, 56}, 0x3b3a54ffu);
    props_bar(weight, (pv_rect){1, 1, 48, 54}, 0x787f90ffu);
    props_decor(stage, "weight", weight, 40, 70, true);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_DUSK;
    struct site *site = stage_memory(stage, sizeof *site);
    if (!site) return;
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.life = 2.5;
    grains_add(stage, grains);
    stage_add_static(stage, "floor", 0, 688);
    stage_add_fence(stage, 720);
    stage->loose.stroke = 0x303848ffu;
    add_crane(stage);
    site->ball = add_chain(stage);
    add_wall(stage);
    stage_add_knob(stage, "ball mass", 1000, 40000, ball_mass);
    aim_arm(stage, NULL);
}

/* ---- rounds ---- */

/// Ties the winch's rope to the ball.
static void take(struct stage *stage, struct site *site) {
    pv_vec2 at = pv_body_get_position(stage->world, site->ball);
    double x = at.x - winch.x, y = at.y - winch.y;
    site->length = sqrt(x * x + y * y);
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_ROPE;
    def.a = pv_anchor_world(winch);
    def.b = pv_anchor_body(site->ball, at);
    def.length = site->length;
    site->rope = pv_joint_create(stage->world, &def, NULL);
}

/// Turns what is left of the wall into grains.
static void crumble(struct stage *stage) {
    const struct sprite *kinds[] = {stage_load(stage, "crate"), stage_load(stage, "box_plain")};
    pv_body_id body = pv_world_get_next_body(stage->world, (pv_body_id){0});
    while (stage_is_body(body)) {
        pv_body_id next = pv_world_get_next_body(stage->world, body);
        const struct sprite *sprite = stage_sprite_of(stage, body);
        if (sprite == kinds[0] || sprite == kinds[1]) grains_crumble(stage, body);
        body = next;
    }
}

static void update(struct stage *stage) {
    struct site *site = stage_memory(stage, sizeof *site);
    if (!site) return;
    int frame = site->frame++ % ROUND;
    double mass = stage->knobs[0].value;
    if (pv_body_get_mass(stage->world, site->ball) != mass)
        pv_body_set_mass(stage->world, site->ball, mass);
    if (frame == TAKES) take(stage, site);
    if (frame > TAKES && site->length > shortest) {
        site->length -= haul;
        pv_joint_set_length(stage->world, site->rope, site->length);
    }
    if (frame == CRUMBLES) crumble(stage);
    if (frame == BUILDS) add_wall(stage);
    if (frame == ROUND - 1) pv_joint_destroy(stage->world, site->rope);
}

const struct scene scene_wrecking = {"wrecking", "a crane swings a wrecking ball on a chain", setup,
                                     update};
