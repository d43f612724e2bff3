/* game_words.c - shows ships, shields, points, and words over the game's world.
 *
 * Invariant: every mode names its keys, so no player needs other instructions.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/game_screen.h"

#include <stdio.h>

#define BRIGHT 0xffffffffu
#define SOFT 0xc8d0f0ffu
#define GOLD 0xffd070ffu
#define SHADOW 0x080a18c0u
#define STRUCK 0xff6040ffu

static const double message_time = 2.2, popup_time = .9; // [s]

static const char controls[] =
    "Left, Right   turn       Up   thrust       Space   fire       Shift   tool";

void game_print_help(void) {
    printf("%s\nEnter play   D today's rocks   R again   P pause   M sound   F full screen   "
           "V scene viewer   Esc back, quit\n",
           controls);
    fflush(stdout);
}

/* On the canvas */

/// Converts a point of the view to the canvas, without the camera's shake.
static pv_vec2 fixed(const struct lens *lens, double x, double y) {
    double zoom = lens->view->camera.zoom;
    return (pv_vec2){x * zoom, y * zoom};
}

/// Paints the ships in reserve as small pictures of the scout, pointing up.
static void paint_ships(const struct game *game, const struct lens *lens) {
    double zoom = lens->view->camera.zoom;
    for (int i = 0; game->scout && i < game->ships - 1 && i < 6; i++) {
        pv_transform transform = pv_transform_identity();
        transform.pivot = game->scout->center;
        transform.position = fixed(lens, 56 + 16 * i, 16);
        transform.scale = (pv_vec2){zoom * .7, zoom * .7};
        transform.rotation = (pv_rotation){0, -1};
        pv_canvas_draw_image(lens->canvas, game->scout->image, &transform, 0xffffffb0u);
    }
}

/// Paints the ship's hull 1.5 times as large, with its lost pixels dark.
static void paint_hull(const struct game_screen *screen, const struct lens *lens) {
    const struct game *game = game_of(screen->stage);
    pv_transform transform = pv_transform_identity();
    double zoom = 1.5 * lens->view->camera.zoom;
    if (!game->scout) return;
    transform.position = fixed(lens, 8, 5);
    transform.scale = (pv_vec2){zoom, zoom};
    pv_canvas_draw_mask(lens->canvas, game->scout->mask, &transform, 0x30384cffu);
    const struct sprite *hull = stage_sprite_of(screen->stage, game->ship);
    if (hull) pv_canvas_draw_image(lens->canvas, hull->image, &transform, 0xffffffffu);
}

/// Paints a bar that is full to a part of its width, 0...1.
static void paint_bar(const struct lens *lens, double y, double part, uint32_t color) {
    double zoom = lens->view->camera.zoom;
    pv_canvas_draw_thick_line(lens->canvas, fixed(lens, 10, y), fixed(lens, 66, y), 5 * zoom,
                              0x20284880u);
    if (part > 0)
        pv_canvas_draw_thick_line(lens->canvas, fixed(lens, 10, y), fixed(lens, 10 + 56 * part, y),
                                  3 * zoom, color);
}

static void paint_heat(const struct game *game, const struct lens *lens) {
    bool blinks = game->jammed && game->frame / 8 % 2;
    paint_bar(lens, 39, game->heat,
              blinks            ? 0xffffffffu
              : game->jammed    ? 0xff3020ffu
              : game->heat > .6 ? 0xff9030ffu
                                : 0x60a0e0ffu);
}

/// Paints the hits toward the next factor, as dots under the current one.
static void paint_chain(const struct game *game, const struct lens *lens) {
    if (game->chain == 0) return;
    int links = game_factor(game) < GAME_MOST_FACTOR ? game->chain % GAME_LINKS : GAME_LINKS;
    for (int i = 0; i < GAME_LINKS; i++)
        pv_canvas_draw_circle(lens->canvas,
                              fixed(lens, GAME_WIDTH / 2.0 + 8 * (i - (GAME_LINKS - 1) / 2.0), 31),
                              2.2 * lens->view->camera.zoom, i < links ? GOLD : 0x20284880u);
}

/// Paints a ring around the ship.
static void paint_ring(const struct game_screen *screen, const struct lens *lens, uint32_t color) {
    enum { PARTS = 28 };
    pv_body_id body = game_of(screen->stage)->ship;
    double radius = 17 * lens->view->camera.zoom;
    pv_vec2 offsets[LENS_PLACES], middle = lens_body(lens, body).position;
    pv_rotation turn = pv_rotation_from_angle(2 * 3.14159265358979 / PARTS), r = {1, 0};
    int count = lens_places(lens, body, offsets);
    for (int i = 0; i < PARTS * count; i++) {
        pv_vec2 at = {middle.x + offsets[i / PARTS].x, middle.y + offsets[i / PARTS].y};
        pv_vec2 from = {at.x + radius * r.c, at.y + radius * r.s};
        r = (pv_rotation){r.c * turn.c - r.s * turn.s, r.c * turn.s + r.s * turn.c};
        pv_vec2 to = {at.x + radius * r.c, at.y + radius * r.s};
        pv_canvas_draw_thick_line(lens->canvas, from, to, 1.5 * lens->view->camera.zoom, color);
    }
}

/// Darkens a band of the canvas, from top to bottom as parts of its height.
static void darken(const struct lens *lens, double top, double bottom, unsigned alpha) {
    double w = lens->canvas->width, h = lens->canvas->height, a = top * h, b = bottom * h;
    pv_vec2 upper[3] = {{0, a}, {w, a}, {w, b}}, lower[3] = {{0, a}, {w, b}, {0, b}};
    pv_canvas_draw_triangle(lens->canvas, NULL, upper, NULL, 0x06081800u | alpha);
    pv_canvas_draw_triangle(lens->canvas, NULL, lower, NULL, 0x06081800u | alpha);
}

/// Darkens the world behind pages of text. Spares the title if it is made of rocks.
static void paint_veil(const struct lens *lens, bool title) {
    enum { BANDS = 16, DARK = 160 };
    const double first = .3, last = .4;
    for (int i = 0; title && i < BANDS; i++)
        darken(lens, first + (last - first) * i / BANDS, first + (last - first) * (i + 1) / BANDS,
               (unsigned)(DARK * (i + 1) / BANDS));
    darken(lens, title ? last : 0, 1, DARK);
}

/// Tells whether rocks spell the title.
static bool has_letters(const struct game_screen *screen) {
    const struct game *game = game_of(screen->stage);
    return screen->mode == MODE_TITLE && game->phase == GAME_ATTRACT && game->wave <= 1 &&
           game->rock_frames < GAME_TITLE_TIME;
}

/// Paints a panel behind each tool to choose from, a frame around the marked one, and the time that
/// is left.
static void paint_choice(const struct game *game, const struct lens *lens) {
    double zoom = lens->view->camera.zoom;
    for (int i = 0; i < GAME_OFFERS; i++) {
        double middle = GAME_WIDTH * (2 + 3 * i) / 10.0, y = GAME_HEIGHT * .45;
        bool marked = i == game->choice;
        for (int rim = marked ? 1 : 0; rim >= 0; rim--)
            pv_canvas_draw_thick_line(lens->canvas, fixed(lens, middle - 66, y),
                                      fixed(lens, middle + 66, y), (50 + 3 * rim) * zoom,
                                      rim > 0 ? GOLD : 0x141c34ffu);
    }
    double left = 90.0 * game->choosing / GAME_CHOICE_TIME;
    pv_canvas_draw_thick_line(lens->canvas, fixed(lens, GAME_WIDTH / 2.0 - left, 206),
                              fixed(lens, GAME_WIDTH / 2.0 + left, 206), 2 * zoom, 0xffd07090u);
}

void game_paint(const struct game_screen *screen, const struct lens *lens) {
    const struct game *game = game_of(screen->stage);
    bool flies = pv_body_is_valid(screen->stage->world, game->ship);
    if (flies && game->safe > 0 && game->frame / 8 % 2 == 0) paint_ring(screen, lens, 0xffffff70u);
    if (flies && game->stunned > 0)
        paint_ring(screen, lens, (STRUCK & ~0xffu) | (uint32_t)(5 * game->stunned));
    if (screen->mode != MODE_PLAY) paint_veil(lens, has_letters(screen));
    if (game->phase == GAME_ATTRACT || screen->mode == MODE_OVER) return;
    if (game->choosing > 0 && screen->mode == MODE_PLAY) paint_choice(game, lens);
    paint_hull(screen, lens);
    paint_ships(game, lens);
    paint_heat(game, lens);
    paint_chain(game, lens);
}

/* Words */

struct page {
    struct hud *hud;
    SDL_Rect shown;
    /// True in a small window
    bool narrow;
};

/// Writes text with a shadow, so that it is readable on any picture.
static void put(const struct page *page, enum hud_size size, uint32_t color, const char *text,
                SDL_Point at, double align_x, double align_y) {
    if (page->narrow && size > HUD_SMALL) size--;
    hud_write(page->hud, size, SHADOW, text, (SDL_Point){at.x + 2, at.y + 2}, align_x, align_y);
    hud_write(page->hud, size, color, text, at, align_x, align_y);
}

/// Writes a centered line, at a part of the window's height, 0...1.
static void line(const struct page *page, enum hud_size size, uint32_t color, double down,
                 const char *text) {
    SDL_Point at = {page->shown.x + page->shown.w / 2, page->shown.y + (int)(page->shown.h * down)};
    put(page, size, color, text, at, .5, .5);
}

static void write_scores(const struct game_screen *screen, const struct page *page, double down) {
    line(page, HUD_LARGE, GOLD, down, screen->daily ? "BEST PLAYS OF TODAY'S ROCKS" : "BEST PLAYS");
    if (screen->scores.count == 0) line(page, HUD_NORMAL, SOFT, down + .08, "none yet");
    for (int i = 0; i < screen->scores.count; i++) {
        const struct score *score = &screen->scores.list[i];
        char rank[16], points[16], wave[16];
        snprintf(rank, sizeof rank, "%d", i + 1);
        snprintf(points, sizeof points, "%d", score->points);
        snprintf(wave, sizeof wave, "wave %d", score->wave);
        const char *cells[] = {rank, score->name, points, wave};
        static const double across[] = {.30, .33, .59, .71}, align[] = {1, 0, 1, 1};
        for (int k = 0; k < 4; k++) {
            SDL_Point at = {page->shown.x + (int)(page->shown.w * across[k]),
                            page->shown.y + (int)(page->shown.h * (down + .075 + .052 * i))};
            put(page, HUD_NORMAL, i == screen->place ? GOLD : SOFT, cells[k], at, align[k], .5);
        }
    }
}

static void write_title(const struct game_screen *screen, const struct page *page) {
    /* Time in which both pages are shown once [s] */
    const double turn = 16;
    bool second = screen->mode_age - turn * (int)(screen->mode_age / turn) > turn / 2;
    if (!has_letters(screen)) line(page, HUD_HUGE, BRIGHT, .2, "RUBBLE");
    if (second && screen->scores.count > 0) {
        write_scores(screen, page, .34);
    } else {
        line(page, HUD_NORMAL, SOFT, .40,
             "every pixel of a rock is solid, and every pixel can be shot out of it");
        line(page, HUD_LARGE, BRIGHT, .56, controls);
        line(page, HUD_NORMAL, SOFT, .64, "or a game pad:  stick   trigger   A   X");
        line(page, HUD_NORMAL, SOFT, .70,
             "dig crystals out without a dart on them; ore patches your ship; catch your pilot");
    }
    line(page, HUD_LARGE, GOLD, .84, "Enter   play          D   today's rocks");
    line(page, HUD_NORMAL, SOFT, .91,
         "V   scene viewer        M   sound        F   full screen        Esc   quit");
}

static void write_status(const struct game_screen *screen, const struct page *page) {
    const struct game *game = game_of(screen->stage);
    char text[48];
    SDL_Point right = {page->shown.x + page->shown.w - 12, page->shown.y + 8};
    snprintf(text, sizeof text, "%d", game->score);
    put(page, HUD_LARGE, BRIGHT, text, right, 1, 0);
    snprintf(text, sizeof text, screen->daily ? "today's wave %d" : "wave %d", game->wave);
    right.y += page->narrow ? 20 : 32;
    put(page, HUD_NORMAL, SOFT, text, right, 1, 0);
}

static void write_name(const struct game_screen *screen, const struct page *page) {
    char text[64];
    line(page, HUD_HUGE, BRIGHT, .25, "GAME OVER");
    snprintf(text, sizeof text, "%d points: place %d of the best", game_of(screen->stage)->score,
             screen->place + 1);
    line(page, HUD_LARGE, GOLD, .40, text);
    line(page, HUD_NORMAL, SOFT, .52, "type your name");
    snprintf(text, sizeof text, "%s%s", screen->name, (int)(2 * screen->mode_age) % 2 ? "_" : " ");
    line(page, HUD_LARGE, BRIGHT, .60, text);
    line(page, HUD_NORMAL, SOFT, .72, "Backspace   take a letter back          Enter   done");
}

static void write_over(const struct game_screen *screen, const struct page *page) {
    char text[64];
    snprintf(text, sizeof text, "GAME OVER   %d points", game_of(screen->stage)->score);
    line(page, HUD_LARGE, BRIGHT, .14, text);
    write_scores(screen, page, .26);
    line(page, HUD_LARGE, GOLD, .84, "Enter   play again");
    line(page, HUD_NORMAL, SOFT, .91,
         screen->highlight.best.count > 0 ? "G   the biggest split as a GIF          Esc   title"
                                          : "Esc   title");
}

static const struct {
    const char *name, *use;
} tools[GAME_TOOLS] = {[GAME_LASER] = {"LASER", "cuts through all rocks in a line"},
                       [GAME_BOMB] = {"BOMB", "blows a hole; press again to set it off"},
                       [GAME_DRILL] = {"DRILL", "digs a tunnel as wide as the ship"},
                       [GAME_TETHER] = {"TETHER", "ropes a rock, a crystal, the pilot"}};

/// Writes the tools to choose from.
static void write_choice(const struct game *game, const struct page *page) {
    line(page, HUD_NORMAL, SOFT, .3,
         game->calm < GAME_CALM ? "choose a tool:   let go of Space"
                                : "choose a tool:   Left, Right      Space   take");
    for (int i = 0; i < GAME_OFFERS; i++) {
        bool marked = i == game->choice;
        SDL_Point at = {page->shown.x + page->shown.w * (2 + 3 * i) / 10,
                        page->shown.y + page->shown.h * 45 / 100};
        put(page, HUD_LARGE, marked ? GOLD : SOFT, tools[game->offers[i]].name, at, .5, .5);
    }
    line(page, HUD_NORMAL, BRIGHT, .64, tools[game->offers[game->choice]].use);
}

/// Writes the tool and its charges.
static void write_tool(const struct game *game, const struct page *page) {
    char text[48];
    SDL_Point at = {page->shown.x + page->shown.w / 64, page->shown.y + page->shown.h / 8};
    if (game->tool == GAME_BARE) return;
    snprintf(text, sizeof text, "%s  %d", tools[game->tool].name, game->charges);
    put(page, HUD_SMALL, game->charges > 0 ? GOLD : SOFT, text, at, 0, 0);
}

/// Returns the next lesson, or null. Each one disappears once it is followed.
static const char *lesson_of(const struct game *game) {
    if (game->tool != GAME_BARE && game->choosing == 0 && !(game->tried & GAME_TOOL))
        return "Shift   use the tool";
    if (game->wave != 1 || game->phase != GAME_PLAY || game->ships < GAME_SHIPS) return NULL;
    if (!(game->tried & (GAME_LEFT | GAME_RIGHT))) return "Left, Right   turn";
    if (!(game->tried & GAME_FIRE)) return "Space   fire";
    if (game->hits < 1) return "aim ahead of a rock: each hit in a row pays more";
    if (!(game->tried & GAME_THRUST)) return "Up   thrust";
    if (game->jammed) return "misses heat the gun, hits do not";
    if (game->gems == 0) return "dig a blue crystal out without a dart on it";
    return NULL;
}

static void write_popups(const struct game_screen *screen, const struct page *page) {
    for (int i = 0; i < POPUPS; i++) {
        const struct popup *popup = &screen->popups[i];
        if (popup->age >= popup_time) continue;
        uint32_t alpha = (uint32_t)(255 * (1 - popup->age / popup_time));
        SDL_Point at = {page->shown.x + (int)(popup->at.x * page->shown.w / GAME_WIDTH),
                        page->shown.y + (int)((popup->at.y - 14 - 26 * popup->age) * page->shown.h /
                                              GAME_HEIGHT)};
        hud_write(page->hud, page->narrow ? HUD_SMALL : HUD_NORMAL, (GOLD & ~0xffu) | alpha,
                  popup->text, at, .5, .5);
    }
}

static void write_play(const struct game_screen *screen, const struct page *page) {
    const struct game *game = game_of(screen->stage);
    const char *lesson = game->choosing > 0 ? NULL : lesson_of(game);
    char text[16];
    snprintf(text, sizeof text, "\303\227%d", game_factor(game));
    if (game_factor(game) > 1) line(page, HUD_LARGE, GOLD, .05, text);
    if (screen->message_age < message_time) line(page, HUD_LARGE, GOLD, .22, screen->message);
    if (game->choosing > 0) write_choice(game, page);
    write_tool(game, page);
    if (lesson) line(page, HUD_LARGE, BRIGHT, .9, lesson);
    write_popups(screen, page);
}

void game_write(struct game_screen *screen, struct hud *hud, SDL_Rect shown) {
    struct page page = {hud, shown, shown.w < 900};
    if (screen->mode == MODE_PLAY || screen->mode == MODE_PAUSE) write_status(screen, &page);
    if (screen->mode != MODE_PLAY && screen->message_age < message_time)
        line(&page, HUD_NORMAL, GOLD, .97, screen->message);
    switch (screen->mode) {
    case MODE_TITLE: write_title(screen, &page); break;
    case MODE_PLAY: write_play(screen, &page); break;
    case MODE_PAUSE:
        line(&page, HUD_HUGE, BRIGHT, .40, "PAUSED");
        line(&page, HUD_NORMAL, SOFT, .54, controls);
        line(&page, HUD_LARGE, GOLD, .66, "Enter   go on       R   again       Q   give up");
        break;
    case MODE_NAME: write_name(screen, &page); break;
    case MODE_OVER: write_over(screen, &page); break;
    }
}
