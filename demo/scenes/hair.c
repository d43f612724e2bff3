/* hair.c - a head with a face and a hundred strands of hair, under a cloth that hangs by two
 * corners from a line.
 *
 * Invariant: strands are pinned to pixels of the head, and only the head drives them. The cloth
 * lies on the head, and on no strand.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"
#include "stage/texture.h"

enum { STRANDS = 100 };

/// Columns and rows of the cloth, and frames in which it is drawn together
enum { COLUMNS = 32, ROWS = 5, DRAWN = 60 };

/// Distance of the cloth's threads, y of the line, and distance of the pegs from the head's middle
/// [px]
static const double thread = 4, line = 16, peg = 50;

static const pv_vec2 middle = {160, 70};

/// Middle of the dress [px], and share of the head's motion that it follows
static const pv_vec2 waist = {160, 126};
static const double sway = .55;

/// Greatest change of the vigor in a step
static const double ease = .02;

/// Radius of the head, distance of the roots from its middle [px], and angle from ear to ear [rad]
static const double face = 24, scalp = 25.2, parting = 4;

/// Colors of the strands, each picked at random
static const uint32_t colors[] = {0x8c5428ff, 0xa46c38ff, 0xb87c44ff, 0x744420ff};

struct dancer {
    pv_body_id head, dress;
    pv_particle_id corners[2];
    int frame;
    /// Vigor of the dance
    double vigor;
};

/// Paints an eye with its lid, lash and brow.
static void paint_eye(pv_image *image, double x) {
    props_disc(image, x, 25, 4.4, 0x6e3a28ffu);
    props_disc(image, x, 25.6, 4, 0xfffdf2ffu);
    props_disc(image, x, 25.6, 2.6, 0x3c7a9cffu);
    props_disc(image, x, 25.6, 1.5, 0x101828ffu);
    props_disc(image, x - 1, 24.4, .9, 0xffffffffu);
    props_bar(image, (pv_rect){(int)x - 4, 17, 8, 2}, 0x4a2a14ffu);
}

/// Paints a head whose hair covers its crown.
static pv_image *paint_head(struct stage *stage) {
    pv_image *image = props_picture(stage, 2 * (int)face, 2 * (int)face);
    props_disc(image, face, face, face, 0x4a2a14ffu);
    props_disc(image, face, face + 3, face - 3, 0xd89470ffu);
    props_disc(image, face, face + 3, face - 4, 0xf4c09affu);
    props_disc(image, 13, 34, 4, 0xf0a08cffu);
    props_disc(image, 35, 34, 4, 0xf0a08cffu);
    paint_eye(image, 16);
    paint_eye(image, 32);
    props_bar(image, (pv_rect){23, 30, 2, 2}, 0xd89470ffu);
    props_bar(image, (pv_rect){20, 37, 8, 2}, 0xc04858ffu);
    props_bar(image, (pv_rect){19, 36, 1, 2}, 0xc04858ffu);
    props_bar(image, (pv_rect){28, 36, 1, 2}, 0xc04858ffu);
    props_bar(image, (pv_rect){21, 39, 6, 1}, 0xe07880ffu);
    return image;
}

/// Paints neck, arms and a dress with a pattern, which flares like a bell.
static pv_image *paint_dress(struct stage *stage) {
    enum { WIDE = 76, HIGH = 72 };
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; y < HIGH; y++) {
        double half = y < 14   ? 5
                      : y < 20 ? 5 + (y - 14) * 2.2
                      : y < 40 ? 18 - (y - 20) * .35
                               : 11 + (y - 40) * .8;
        for (int x = 0; x < WIDE; x++) {
            double out = x + .5 - WIDE / 2.0, far = out < 0 ? -out : out;
            bool arm = y >= 16 && far > 16 + (y - 16) * .12 && far < 21 + (y - 16) * .12 && y < 46;
            bool spot = (x + y / 10 % 2 * 5) % 10 < 3 && y % 10 < 3;
            if (far > half && !arm) continue;
            uint32_t skin = far > half - 1 && y < 14 ? 0xd89470ffu : 0xf4c09affu;
            uint32_t cloth = far > half - 2 ? 0x8c2848ffu : spot ? 0xffd8e0ffu : 0xc83c64ffu;
            props_dot(image, x, y, y < 16 || far > half ? skin : cloth);
        }
    }
    return image;
}

static void add_strand(struct stage *stage, pv_body_id head, int which, const struct sprite *lock) {
    double angle = -1.5707963267948966 + parting * (which / (STRANDS - 1.0) - 0.5);
    double length = stage_uniform(stage, 44, 64);
    pv_rotation r = pv_rotation_from_angle(angle);
    pv_rope_def def = pv_rope_def_default();
    def.from = pv_anchor_body(head, (pv_vec2){middle.x + scalp * r.c, middle.y + scalp * r.s});
    def.to = pv_anchor_world(
        (pv_vec2){middle.x + (scalp + length) * r.c, middle.y + (scalp + length) * r.s});
    def.to_free = true;
    def.segments = 14;
    def.mass = 2;
    def.radius = 0.8;
    def.linear_damping = 2;
    def.bend_stiffness = 60;
    pv_composite_id strand = pv_rope_create(stage->world, &def, NULL);
    uint32_t color = colors[stage_pick(stage, 4)];
    stage_paint(stage, strand,
                (struct stage_paint){.picture = lock, .stroke = color, .width = 2.5});
}

/// Paints a checked cloth with a fringe.
static const struct sprite *paint_checks(struct stage *stage) {
    enum { WIDE = 132, HIGH = 26 };
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            int bands = (x / 6 + 1) % 2 + y / 6 % 2;
            bool seam = x < 2 || x >= WIDE - 2 || y < 2;
            uint32_t checks = bands == 2 ? 0xd8343cffu : bands ? 0xf08c88ffu : 0xfff4e8ffu;
            if (y < HIGH - 3 || x % 2) props_dot(image, x, y, seam ? 0xa81c2cffu : checks);
        }
    return stage_keep(stage, "checks", image, NULL);
}

/// Paints a lock of hair, from root to tip, with a gloss. Its strand tints it.
static const struct sprite *paint_lock(struct stage *stage) {
    enum { WIDE = 4, HIGH = 64 };
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            double off = (y - 18 - 2 * x) / 7.0, gloss = 1 / (1 + off * off),
                   light = .62 + .38 * gloss + .004 * y;
            props_dot(image, x, y, texture_lit(x % 2 ? 0xf8f0e8ffu : 0xd8d0c8ffu, light));
        }
    return stage_keep(stage, "lock", image, NULL);
}

/// Creates a line across the view, with two pegs.
static void add_line(struct stage *stage) {
    pv_image *image = props_picture(stage, 320, 10);
    for (int x = 0; x < 320; x++) {
        props_dot(image, x, 3, 0xf0e0c0ffu);
        props_dot(image, x, 4, 0x8c7050ffu);
    }
    for (int i = 0; i < 2; i++)
        props_bar(image, (pv_rect){(int)(middle.x + (i ? peg : -peg)) - 1, 0, 3, 9}, 0xd8a050ffu);
    props_decor(stage, "line", image, 0, line - 4, false);
}

/// Moves the corners of the cloth along the line from its whole width to the pegs, so that it sags
/// onto the head.
/// @param part part of the way, 0...1
static void draw_together(struct stage *stage, const struct dancer *it, double part) {
    double out = .5 * thread * (COLUMNS - 1) * (1 - part) + peg * part;
    for (int i = 0; i < 2; i++)
        pv_particle_set_position(stage->world, it->corners[i],
                                 (pv_vec2){middle.x + (i ? out : -out), line});
}

/// Hangs a cloth by its two upper corners.
static void hang_cloth(struct stage *stage, struct dancer *it) {
    pv_particle_id parts[COLUMNS * ROWS];
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){middle.x - .5 * thread * (COLUMNS - 1), line};
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.spacing = thread;
    def.radius = 1.5;
    def.mass = .3;
    def.linear_damping = 1.5;
    def.shear_stiffness = 400;
    def.pin_every = COLUMNS - 1;
    pv_composite_id cloth = pv_cloth_create(stage->world, &def, NULL);
    if (pv_composite_get_particles(stage->world, cloth, parts, COLUMNS * ROWS) < COLUMNS) return;
    it->corners[0] = parts[0];
    it->corners[1] = parts[COLUMNS - 1];
    stage_paint(stage, cloth, (struct stage_paint){.picture = paint_checks(stage), .shade = .5});
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 320, 180);
    stage->backdrop = STAGE_DUSK;
    stage_add_static(stage, "floor", -480, 164);
    struct dancer *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    stage_add_knob(stage, "dance", 0, 2, it->vigor = 1);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = middle;
    def.static_friction = def.friction = .4;
    it->dress = props_part(stage, "dress", paint_dress(stage), waist);
    it->head = stage_put(stage, stage_keep(stage, "head", paint_head(stage), NULL), def);
    const struct sprite *lock = paint_lock(stage);
    for (int i = 0; i < STRANDS; i++) add_strand(stage, it->head, i, lock);
    add_line(stage);
    hang_cloth(stage, it);
}

/// Returns the place of the head at a time, and its angle.
/// @param vigor factor of its motion
static pv_vec2 dance(double time, double vigor, double *angle) {
    double swell = vigor * (time < 2 ? time / 2 : 1);
    *angle = .35 * swell * pv_rotation_from_angle(2.3 * time).s;
    return (pv_vec2){middle.x + 34 * swell * pv_rotation_from_angle(1.3 * time).s,
                     middle.y - 6 * swell * (1 - pv_rotation_from_angle(2.6 * time).c)};
}

static void update(struct stage *stage) {
    struct dancer *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    double off = stage->knobs[0].value - it->vigor;
    it->vigor += off > ease ? ease : off < -ease ? -ease : off;
    if (it->frame < DRAWN) draw_together(stage, it, it->frame / (DRAWN - 1.0));
    double angle, now = pv_body_get_angle(stage->world, it->head);
    pv_vec2 to = dance(++it->frame * SCENE_STEP, it->vigor, &angle),
            at = pv_body_get_position(stage->world, it->head);
    pv_vec2 velocity = {(to.x - at.x) / SCENE_STEP, (to.y - at.y) / SCENE_STEP};
    pv_body_set_velocity(stage->world, it->head, velocity);
    pv_body_set_angular_velocity(stage->world, it->head, (angle - now) / SCENE_STEP);
    pv_vec2 hip = {waist.x + sway * (to.x - middle.x), waist.y + sway * (to.y - middle.y)};
    pv_body_move_to(stage->world, it->dress, hip, .2 * angle, SCENE_STEP);
}

const struct scene scene_hair = {
    "hair", "hair on a head that dances under a cloth hung by two corners", setup, update};
