/* intro.c - two PNG files are dropped into the window, and a cannon ball breaks what they become.
 *
 * Invariant: the script only creates bodies, shoots and bites. The world does everything else. The
 * script begins again after a round.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"
#include "stage/dust.h"
#include "stage/grains.h"
#include "stage/props.h"
#include "stage/shots.h"
#include "stage/texture.h"

#include <math.h>

/// Frames of the script
enum {
    DUST_LIFE = 60,
    STAR_PICKED = 6,
    STAR_DROPPED = 48,
    HOOK_PICKED = 84,
    HOOK_DROPPED = 130,
    FIRST_SHOT = 184,
    SECOND_SHOT = 276,
    OUTLINED = 384,
    FLASH = 8,
    ROUND = 446
};

/// Top of the floor [px], angle at which the letter opens downward [rad], and places of the star,
/// of the letter that hangs on the star's tip, and of the cannon [px]
static const double ground = 160, upright = 1.57079632679489662;
static const pv_vec2 star_drop = {170, 110}, hook_drop = {171, 92}, cannon = {34, 140};
/// Speed of a ball [px/s], and radius of its bite [px]
static const double swift = 520, bite = 9;

struct memory {
    int frame;
    struct sprite *star_page, *hook_page, *pointer_look;
    /// Pointer and dragged file, and both ends of their way
    pv_body_id pointer, page;
    pv_vec2 from, to;
    pv_body_id star, hook;
    struct shots shots;
};

/* ---- pictures ---- */

static pv_image *paint_pointer(struct stage *stage) {
    static const int widths[] = {1, 2, 3, 4, 5, 6, 7, 8, 5, 5, 3, 2};
    pv_image *image = props_picture(stage, 10, 14);
    for (int y = 0; image && y < 12; y++)
        for (int x = 0; x <= widths[y]; x++)
            props_dot(image, x, y, x == 0 || x == widths[y] || y == 11 ? 0x101018ffu : 0xffffffffu);
    return image;
}

/// Paints a page with a sprite on it at half size.
static pv_image *paint_page(struct stage *stage, const char *name) {
    enum { WIDE = 34, HIGH = 40, FOLD = 8 };
    const struct sprite *sprite = stage_load(stage, name);
    pv_image *image = props_picture(stage, WIDE, HIGH);
    if (!image || !sprite) return image;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            bool rim = x == 0 || y == 0 || x == WIDE - 1 || y == HIGH - 1;
            bool fold = x - y > WIDE - FOLD, crease = x - y == WIDE - FOLD;
            if (!fold) props_dot(image, x, y, rim || crease ? 0x48506cffu : 0xf4f2e8ffu);
        }
    for (int y = 0; y + 1 < sprite->image->height; y += 2)
        for (int x = 0; x + 1 < sprite->image->width; x += 2) {
            const unsigned char *t = sprite_texel(sprite, x, y);
            if (t[3] > 0)
                props_dot(image, WIDE / 2 + (x - sprite->image->width / 2) / 2,
                          HIGH / 2 + 2 + (y - sprite->image->height / 2) / 2,
                          PV_RGBA(t[0], t[1], t[2], t[3]));
        }
    return image;
}

static pv_image *paint_barrel(struct stage *stage) {
    enum { LONG = 40, THICK = 15 };
    pv_image *image = props_picture(stage, LONG, THICK);
    for (int y = 0; image && y < THICK; y++)
        for (int x = 0; x < LONG; x++) {
            double half = x > LONG - 5 ? 7.5 : 6.5 - x * .03, across = y + .5 - THICK / 2.0;
            if (fabs(across) > half) continue;
            props_dot(image, x, y,
                      texture_lit(x > LONG - 5 || x % 14 < 3 ? 0x6c5c34ffu : 0x505868ffu,
                                  1.3 - (across + half) * .045));
        }
    return image;
}

static pv_image *paint_wheel(struct stage *stage) {
    enum { SIDE = 30 };
    pv_image *image = props_picture(stage, SIDE, SIDE);
    for (int y = 0; image && y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double dx = x + .5 - SIDE / 2, dy = y + .5 - SIDE / 2, out = sqrt(dx * dx + dy * dy);
            bool spoke = fabs(dx) < 1.6 || fabs(dy) < 1.6 || fabs(dx - dy) < 2 || fabs(dx + dy) < 2;
            if (out > 15 || (out > 4 && out < 11.5 && !spoke)) continue;
            props_dot(image, x, y, texture_lit(out > 13.6 ? 0x3a2c24ffu : 0x8a5c34ffu, 1.1));
        }
    return image;
}

/* ---- the script ---- */

/// Creates a body that shows a picture and that nothing touches.
static pv_body_id show(struct stage *stage, const struct sprite *picture, pv_vec2 at) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = at;
    def.sensor = true;
    def.filter.mask_bits = 0;
    return stage_put(stage, picture, def);
}

/// Shows a file under a pointer at the edge of the window.
static void pick(struct stage *stage, struct memory *memory, const struct sprite *page,
                 pv_vec2 from, pv_vec2 to) {
    memory->from = from;
    memory->to = to;
    memory->page = show(stage, page, from);
    memory->pointer = show(stage, memory->pointer_look, from);
}

/// Moves the file along, slower at both ends.
static void drag(struct stage *stage, const struct memory *memory, double part) {
    double eased = part * part * (3 - 2 * part);
    pv_vec2 at = {memory->from.x + (memory->to.x - memory->from.x) * eased,
                  memory->from.y + (memory->to.y - memory->from.y) * eased};
    pv_body_set_position(stage->world, memory->page, at);
    pv_body_set_position(stage->world, memory->pointer, (pv_vec2){at.x + 9, at.y + 10});
}

/// Puts a sprite in place of its file.
static pv_body_id drop(struct stage *stage, struct memory *memory, const char *sprite,
                       double angle) {
    pv_body_destroy(stage->world, memory->page);
    pv_body_destroy(stage->world, memory->pointer);
    pv_body_def def = pv_body_def_default();
    def.position = memory->to;
    def.angle = angle;
    def.restitution = .1;
    def.friction = .6;
    def.static_friction = .8;
    pv_fracture_def fracture = pv_fracture_def_default();
    return stage_soften(stage, stage_add_def(stage, sprite, def), &fracture);
}

/// Returns the middle of the top of the hanging letter.
static pv_vec2 crown_of(const struct stage *stage, pv_body_id hook) {
    pv_box box = pv_body_get_bounds(stage->world, hook);
    return (pv_vec2){(box.min.x + box.max.x) / 2, box.min.y + 6};
}

static void shoot(struct stage *stage, struct memory *memory, pv_vec2 at) {
    pv_vec2 way = {at.x - cannon.x, at.y - cannon.y};
    double far = sqrt(way.x * way.x + way.y * way.y);
    pv_vec2 v = {way.x / far * swift, way.y / far * swift};
    pv_vec2 from = {cannon.x + way.x / far * 28, cannon.y + way.y / far * 28};
    shots_throw(stage, &memory->shots, from, v);
    dust_burst(stage, from, 5, 10, (pv_vec2){v.x / 4, v.y / 4}, 60);
}

/// Returns the middle of a bite: half its radius beyond the hit, along the ball's way.
static pv_vec2 inside(const pv_hit_event *hit, pv_vec2 way) {
    double far = bite / 2 / sqrt(way.x * way.x + way.y * way.y);
    return (pv_vec2){hit->point.x + way.x * far, hit->point.y + way.y * far};
}

static void strike(struct stage *stage, struct memory *memory) {
    pv_events events = pv_world_get_events(stage->world);
    pv_vec2 v;
    int strikes;
    for (int i = 0; i < events.hit_count; i++)
        if (shots_strike(stage, &memory->shots, &events.hits[i], STAGE_SOFT, &v, &strikes))
            stage_bite(stage, STAGE_SOFT, inside(&events.hits[i], v), bite);
    shots_note(stage, &memory->shots);
}

/// Creates what stands there before the first file comes.
static void begin(struct stage *stage, struct memory *memory) {
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.follow = true;
    memory->frame = 0;
    grains_add(stage, grains);
    stage_add(stage, "crate", 288, ground - 16, 0);
    stage_add(stage, "ball_small", 288, ground - 40, 0);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    if (memory->frame == ROUND) {
        stage_clear_moving(stage);
        pv_grains_destroy(stage->world, stage->grains);
        begin(stage, memory);
    }
    int frame = memory->frame++;
    dust_settle(stage, memory->frame, DUST_LIFE);
    if (frame == STAR_PICKED) pick(stage, memory, memory->star_page, (pv_vec2){60, -24}, star_drop);
    if (frame == HOOK_PICKED)
        pick(stage, memory, memory->hook_page, (pv_vec2){280, -24}, hook_drop);
    if (frame > STAR_PICKED && frame < STAR_DROPPED)
        drag(stage, memory, (double)(frame - STAR_PICKED) / (STAR_DROPPED - STAR_PICKED));
    if (frame > HOOK_PICKED && frame < HOOK_DROPPED)
        drag(stage, memory, (double)(frame - HOOK_PICKED) / (HOOK_DROPPED - HOOK_PICKED));
    if (frame == STAR_DROPPED) memory->star = drop(stage, memory, "star", 0);
    if (frame == HOOK_DROPPED) memory->hook = drop(stage, memory, "letter_c", upright);
    if (frame == FIRST_SHOT) shoot(stage, memory, crown_of(stage, memory->hook));
    if (frame == SECOND_SHOT)
        shoot(stage, memory, pv_body_get_position(stage->world, memory->star));
    strike(stage, memory);
    stage->outlined = frame >= OUTLINED && (frame - OUTLINED) / FLASH % 2 == 0;
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 320, 180);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    stage_add_static(stage, "floor", 0, ground);
    stage_add_fence(stage, 300);
    begin(stage, memory);
    memory->shots = (struct shots){
        .sprite = shots_paint(stage, 6), .density = 5, .hard = 100, .keeps = .5, .most = 1};
    memory->star_page = stage_keep(stage, "page", paint_page(stage, "star"), NULL);
    memory->hook_page = stage_keep(stage, "page", paint_page(stage, "letter_c"), NULL);
    memory->pointer_look = stage_keep(stage, "pointer", paint_pointer(stage), NULL);
    props_part(stage, "barrel", paint_barrel(stage), cannon);
    props_part(stage, "wheel", paint_wheel(stage), (pv_vec2){cannon.x - 4, ground - 15});
}

const struct scene scene_intro = {"intro", "two PNG files become colliders, and a ball breaks one",
                                  setup, update};
