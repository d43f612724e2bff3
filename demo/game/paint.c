/* paint.c - draws effects and chips over and under the sprites.
 *
 * Invariant: drawing only reads the game.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "draw/lens.h"
#include "stage/texture.h"

#include <math.h>
#include <string.h>

/// Width of the glowing rim of a cut [px], and its life [frames]
static const double glow_rim = 2.6;
enum { GLOW_LIFE = 24, GLOW_SIDE = 160, CHIP_LIFE = 66, HOT = 7, SOON = 120 };

static const struct game *game_in(const struct lens *lens) { return lens->stage->memory; }

static uint32_t faded(uint32_t color, double light) {
    double alpha = (color & 255) * (light < 0 ? 0 : light > 1 ? 1 : light);
    return (color & ~0xffu) | (uint32_t)alpha;
}

static void block(const struct lens *lens, pv_vec2 at, double size, uint32_t color) {
    double half = size * lens->view->camera.zoom / 2;
    pv_vec2 p = lens_point(lens, at);
    pv_vec2 a[3] = {{p.x - half, p.y - half}, {p.x + half, p.y - half}, {p.x + half, p.y + half}},
            b[3] = {{p.x - half, p.y - half}, {p.x + half, p.y + half}, {p.x - half, p.y + half}};
    pv_canvas_draw_triangle(lens->canvas, NULL, a, NULL, color);
    pv_canvas_draw_triangle(lens->canvas, NULL, b, NULL, color);
}

/* ---- chips ---- */

/// Chip that is drawn for a grain
struct chip {
    pv_vec2 at;
    double size;
    uint32_t color;
};

/// Returns the chip of a slot. Three of four grains are fine dust that is soon gone.
static struct chip chip_of(const struct game *game, const pv_grains_view *grains, int i) {
    uint32_t dice = texture_grain(7, i, (int)grains->born[i]);
    int age = (int)((uint32_t)game->frame - grains->born[i]);
    int life = dice % 4 == 0 ? CHIP_LIFE / 2 + (int)(dice >> 8) % (CHIP_LIFE / 2)
                             : 9 + (int)(dice >> 8) % 14;
    struct chip chip = {{grains->x[i] / 65536.0, grains->y[i] / 65536.0}, 0, grains->color[i]};
    chip.at = space_seen(chip.at);
    if (age < 0 || age >= life) return chip;
    chip.size = dice % 4 != 0 ? 1 : age * 3 < life * 2 ? 3 : 2;
    if (age < HOT) chip.color = texture_mix(chip.color, 0xffd890ffu, (HOT - age) / (double)HOT);
    return chip;
}

/// Draws grains as chips in their rocks' colors. Dark outlines tell large ones from stars.
static void draw_chips(const struct lens *lens) {
    pv_grains_view grains = pv_grains_get_view(lens->stage->world, lens->stage->grains);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < grains.count; i++) {
            if (grains.y[i] == PV_GRAIN_NONE) continue;
            struct chip chip = chip_of(game_in(lens), &grains, i);
            if (chip.size == 0 || (pass == 0 && chip.size == 1)) continue;
            block(lens, chip.at, chip.size + (pass == 0 ? 2 : 0),
                  pass == 0 ? 0x08081cffu : chip.color | 255u);
        }
}

/* ---- glowing cuts ---- */

/// Returns the color of a cut's rim: white, orange, red, dark, and then transparent.
static uint32_t heat_color(int age) {
    static const uint32_t colors[] = {0xfffff0ffu, 0xffc040ffu, 0xe05010ffu, 0x501810e0u,
                                      0x40181000u};
    double at = 4.0 * age / GLOW_LIFE;
    int i = at < 3 ? (int)at : 3;
    return texture_mix(colors[i], colors[i + 1], at - i > 1 ? 1 : at - i);
}

/// Paints the rim of a cut into a small picture that begins at (left, top) of the body's picture.
static void paint_glow(const struct glow *glow, const pv_mask *mask, const pv_image *image,
                       int left, int top) {
    uint32_t color = heat_color(glow->age);
    memset(image->pixels, 0, (size_t)image->width * (size_t)image->height * 4);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            if (effects_distance((pv_vec2){left + x + .5, top + y + .5}, glow->from, glow->to) >
                glow->radius + glow_rim)
                continue;
            if (!pv_mask_get_pixel(mask, left + x, top + y)) continue;
            unsigned char *p = image->pixels + 4 * (y * image->width + x);
            for (int i = 0; i < 4; i++) p[i] = (unsigned char)(color >> (24 - 8 * i));
        }
}

/// Clips the reach of a cut to an axis of the picture. Returns its length, at most GLOW_SIDE.
static int clip_axis(double from, double to, double margin, int size, int *first) {
    double low = floor(fmin(from, to) - margin), high = floor(fmax(from, to) + margin) + 1;
    *first = low < 0 ? 0 : low > size ? size : (int)low;
    int length = (high > size ? size : (int)high) - *first;
    return length < 0 ? 0 : length < GLOW_SIDE ? length : GLOW_SIDE;
}

static void draw_glow(const struct lens *lens, const struct glow *glow) {
    static const double margin = 4;
    unsigned char pixels[GLOW_SIDE * GLOW_SIDE * 4];
    const pv_mask *mask = pv_body_get_mask(lens->stage->world, glow->body);
    int left, top;
    pv_image image = {.pixels = pixels};
    image.width =
        clip_axis(glow->from.x, glow->to.x, glow->radius + margin, pv_mask_get_width(mask), &left);
    image.height =
        clip_axis(glow->from.y, glow->to.y, glow->radius + margin, pv_mask_get_height(mask), &top);
    if (image.width == 0 || image.height == 0) return;
    paint_glow(glow, mask, &image, left, top);
    pv_vec2 offsets[LENS_PLACES];
    int count = lens_places(lens, glow->body, offsets);
    for (int i = 0; i < count; i++) {
        pv_transform seen = lens_body(lens, glow->body);
        seen.position.x += offsets[i].x;
        seen.position.y += offsets[i].y;
        seen.pivot.x -= left;
        seen.pivot.y -= top;
        pv_canvas_draw_image(lens->canvas, &image, &seen, 0xffffffffu);
    }
}

static void draw_glows(const struct lens *lens) {
    const struct effects *effects = &game_in(lens)->effects;
    for (int i = 0; i < EFFECTS_GLOWS; i++)
        if (effects->glows[i].radius > 0 &&
            pv_body_is_valid(lens->stage->world, effects->glows[i].body))
            draw_glow(lens, &effects->glows[i]);
}

/// Draws a flicker on rocks about to crumble and on finds about to vanish.
static void draw_fuses(const struct lens *lens) {
    const struct game *game = game_in(lens);
    for (int i = 0; i < GAME_FUSES; i++) {
        const struct game_fuse *fuse = &game->fuses[i];
        if (!pv_body_is_valid(lens->stage->world, fuse->body) || fuse->left % 8 >= 4 ||
            fuse->left > SOON)
            continue;
        if (!(kind_of(lens->stage, fuse->body) & (KIND_ROCK | KIND_GEM | KIND_ORE))) continue;
        pv_transform seen = lens_body(lens, fuse->body);
        pv_canvas_draw_mask(lens->canvas, pv_body_get_mask(lens->stage->world, fuse->body), &seen,
                            0xff901060u);
    }
}

/* ---- sparks, rings, trails ---- */

static void draw_sparks(const struct lens *lens) {
    const struct effects *effects = &game_in(lens)->effects;
    for (const struct spark *s = effects->sparks; s < effects->sparks + EFFECTS_SPARKS; s++) {
        if (s->life == 0) continue;
        double left = 1 - (double)s->age / s->life;
        uint32_t color = texture_mix(0xa02010ffu, s->color, left);
        pv_vec2 at = space_seen(s->at),
                tail = {at.x - .025 * s->velocity.x, at.y - .025 * s->velocity.y};
        pv_canvas_draw_line(lens->canvas, lens_point(lens, tail), lens_point(lens, at),
                            faded(color, .5 * left));
        block(lens, at, 1 + s->size * left * .6, faded(color, .3 + left));
    }
}

/// Draws the line of a circle as quads that share no pixel.
static void circle(const struct lens *lens, pv_vec2 middle, double radius, double width,
                   uint32_t color) {
    enum { PARTS = 40 };
    pv_rotation turn = pv_rotation_from_angle(2 * 3.14159265358979 / PARTS), r = {1, 0};
    pv_vec2 at = lens_point(lens, middle);
    double in = radius * lens->view->camera.zoom - width / 2, out = in + width;
    for (int i = 0; i < PARTS; i++) {
        pv_rotation n = {r.c * turn.c - r.s * turn.s, r.c * turn.s + r.s * turn.c};
        pv_vec2 a = {at.x + in * r.c, at.y + in * r.s}, b = {at.x + out * r.c, at.y + out * r.s},
                c = {at.x + out * n.c, at.y + out * n.s}, d = {at.x + in * n.c, at.y + in * n.s};
        pv_canvas_draw_triangle(lens->canvas, NULL, (pv_vec2[]){a, b, c}, NULL, color);
        pv_canvas_draw_triangle(lens->canvas, NULL, (pv_vec2[]){a, c, d}, NULL, color);
        r = n;
    }
}

static void draw_rings(const struct lens *lens) {
    const struct effects *effects = &game_in(lens)->effects;
    for (const struct ring *r = effects->rings; r < effects->rings + EFFECTS_RINGS; r++) {
        if (r->life == 0) continue;
        double part = (double)r->age / r->life, out = 1 - (1 - part) * (1 - part);
        circle(lens, space_seen(r->at), r->reach * out,
               (1 + 2 * (1 - part)) * lens->view->camera.zoom, faded(r->color, .7 * (1 - part)));
    }
}

static void draw_trail(const struct lens *lens) {
    const struct effects *effects = &game_in(lens)->effects;
    for (int i = 1; i < effects->trail_length; i++) {
        double left = 1 - (double)i / EFFECTS_TRAIL;
        pv_vec2 way = space_way(effects->trail[i - 1], effects->trail[i]),
                from = space_seen(effects->trail[i - 1]), to = {from.x + way.x, from.y + way.y};
        pv_canvas_draw_thick_line(lens->canvas, lens_point(lens, from), lens_point(lens, to),
                                  (1 + 3 * left) * lens->view->camera.zoom,
                                  faded(0x5078d0ffu, .28 * left));
    }
}

static void draw_streak(const struct lens *lens, pv_body_id dart, pv_vec2 offset) {
    pv_vec2 v = pv_body_get_velocity(lens->stage->world, dart), at = lens_body(lens, dart).position;
    double zoom = lens->view->camera.zoom;
    at.x += offset.x;
    at.y += offset.y;
    for (int k = 1; k <= 3; k++) {
        pv_vec2 tail = {at.x - .02 * k * zoom * v.x, at.y - .02 * k * zoom * v.y};
        pv_canvas_draw_thick_line(lens->canvas, tail, at, (4.5 - k) * zoom, 0xff903030u);
    }
}

/// Draws the streaks behind darts.
static void draw_streaks(const struct lens *lens) {
    const struct game *game = game_in(lens);
    const pv_world *world = lens->stage->world;
    for (int i = 0; i < GAME_DARTS; i++) {
        pv_body_id dart = game->darts[i].body;
        if (!pv_body_is_valid(world, dart)) continue;
        pv_vec2 offsets[LENS_PLACES];
        int count = lens_places(lens, dart, offsets);
        for (int k = 0; k < count; k++) draw_streak(lens, dart, offsets[k]);
    }
}

/* ---- tools ---- */

/// Draws the laser beam at all its places in wraparound space.
static void draw_beam(const struct lens *lens) {
    const struct game *game = game_in(lens);
    const double reach = 420;
    double light = game->beam / 14.0, zoom = lens->view->camera.zoom;
    if (game->beam == 0) return;
    for (int i = 0; i < 9; i++) {
        pv_vec2 from = {game->beam_from.x + (i % 3 - 1) * GAME_WIDTH,
                        game->beam_from.y + (i / 3 - 1) * GAME_HEIGHT};
        pv_vec2 to = {from.x + reach * game->beam_way.c, from.y + reach * game->beam_way.s};
        pv_vec2 a = lens_point(lens, from), b = lens_point(lens, to);
        pv_canvas_draw_thick_line(lens->canvas, a, b, 9 * light * zoom + 1,
                                  faded(0x20ff8050u, light));
        pv_canvas_draw_thick_line(lens->canvas, a, b, 4 * light * zoom + 1,
                                  faded(0x80ffc0a0u, light));
        pv_canvas_draw_thick_line(lens->canvas, a, b, 1.5 * zoom, faded(0xf0fff8ffu, light));
    }
}

/// Draws a turning cone in front of the ship.
static void draw_drill(const struct lens *lens) {
    const struct game *game = game_in(lens);
    if (game->drilling == 0 || !pv_body_is_valid(lens->stage->world, game->ship)) return;
    pv_transform ship = lens_body(lens, game->ship);
    double zoom = lens->view->camera.zoom;
    pv_rotation r = ship.rotation;
    for (int i = 0; i < 14; i++) {
        double along = (8 + i) * zoom, wide = (9 - .62 * i) * zoom;
        pv_vec2 middle = {ship.position.x + along * r.c, ship.position.y + along * r.s};
        pv_vec2 a = {middle.x - wide * r.s, middle.y + wide * r.c},
                b = {middle.x + wide * r.s, middle.y - wide * r.c};
        bool bright = (i + game->frame / 2) % 4 < 2;
        pv_canvas_draw_thick_line(lens->canvas, a, b, 1.4 * zoom,
                                  bright ? 0xf0e8d0ffu : 0x807868ffu);
    }
}

static void draw_tether(const struct lens *lens) {
    const struct game *game = game_in(lens);
    pv_anchor ends[2];
    if (pv_joint_get_anchors(lens->stage->world, game->tether, ends) != PV_OK) return;
    pv_vec2 a = lens_point(lens, ends[0].point), b = lens_point(lens, ends[1].point);
    pv_canvas_draw_thick_line(lens->canvas, a, b, 2.4 * lens->view->camera.zoom, 0x102030c0u);
    pv_canvas_draw_thick_line(lens->canvas, a, b, 1.2 * lens->view->camera.zoom, 0x90f0e0ffu);
}

/// Draws the blinking light of a ticking bomb.
static void draw_bomb(const struct lens *lens) {
    const struct game *game = game_in(lens);
    if (!pv_body_is_valid(lens->stage->world, game->bomb) || game->bomb_fuse / 5 % 2) return;
    pv_canvas_draw_circle(lens->canvas, lens_body(lens, game->bomb).position,
                          8 * lens->view->camera.zoom, 0xff503060u);
}

void paint_below(const struct lens *lens) {
    draw_trail(lens);
    draw_streaks(lens);
}

void paint_above(const struct lens *lens) {
    const struct effects *effects = &game_in(lens)->effects;
    draw_tether(lens);
    draw_drill(lens);
    draw_bomb(lens);
    draw_glows(lens);
    draw_fuses(lens);
    draw_chips(lens);
    draw_sparks(lens);
    draw_rings(lens);
    draw_beam(lens);
    if (effects->flash <= 0) return;
    pv_vec2 middle = {lens->canvas->width / 2.0, lens->canvas->height / 2.0};
    pv_canvas_draw_circle(lens->canvas, middle, middle.x + middle.y,
                          faded(0xfff4e0ffu, .6 * effects->flash));
}
