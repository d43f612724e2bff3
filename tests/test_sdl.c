/* test_sdl.c - pv_sdl.h with SDL's software renderer, on a surface and without a window.
 *
 * Invariant: pixels are written and read by SDL's own formats; what is expected of them is a
 * formula.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "support.h"

#include <stdio.h>

#ifdef HAVE_SDL2
#define SDL_MAIN_HANDLED
#include "pv_sdl.h"

#define SIDE 200

/// Defines the picture of all tests: 37 x 23 px, without symmetry.
static bool solid(int x, int y) {
    return x >= 0 && y >= 0 && x < 37 && y < 23 && (x * x + 3 * y) % 7 < 4;
}

static SDL_Surface *make_surface(Uint32 format) {
    SDL_Surface *s = SDL_CreateRGBSurfaceWithFormat(0, 37, 23, SDL_BITSPERPIXEL(format), format);
    ck_assert_msg(s != NULL, "%s", SDL_GetError());
    return s;
}

/// Puts a value of the surface's format into a pixel.
static void poke(SDL_Surface *s, int x, int y, Uint32 value) {
    SDL_Rect pixel = {x, y, 1, 1};
    ck_assert_int_eq(SDL_FillRect(s, &pixel, value), 0);
}

static SDL_Surface *paint(Uint32 format) {
    SDL_Surface *s = make_surface(format);
    for (int i = 0; i < 37 * 23; i++)
        poke(s, i % 37, i / 37,
             SDL_MapRGBA(s->format, 90, 200, 40, solid(i % 37, i / 37) ? 255 : 0));
    return s;
}

/// Checks it pixel by pixel, with a margin, and releases it.
static void is_picture(pv_mask *mask) {
    ck_assert_ptr_nonnull(mask);
    ck_assert_int_eq(pv_mask_get_width(mask), 37);
    ck_assert_int_eq(pv_mask_get_height(mask), 23);
    for (int y = 0; y < 23; y++)
        for (int x = 0; x < 37; x++)
            ck_assert_msg(pv_mask_get_pixel(mask, x, y) == solid(x, y), "(%d, %d)", x, y);
    pv_mask_release(mask);
}

static SDL_Renderer *open_renderer(SDL_Surface **page) {
    *page = SDL_CreateRGBSurfaceWithFormat(0, SIDE, SIDE, 32, SDL_PIXELFORMAT_RGBA32);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(*page);
    ck_assert_msg(renderer != NULL, "%s", SDL_GetError());
    SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
    SDL_RenderClear(renderer);
    return renderer;
}

static void close_renderer(SDL_Renderer *renderer, SDL_Surface *page) {
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(page);
    SDL_Quit();
}

/// Tells whether anything was drawn at a pixel.
static bool is_lit(SDL_Renderer *renderer, int x, int y) {
    const SDL_Rect pixel = {x, y, 1, 1};
    unsigned char rgba[4];
    ck_assert_int_eq(SDL_RenderReadPixels(renderer, &pixel, SDL_PIXELFORMAT_RGBA32, rgba, 4), 0);
    return rgba[0] + rgba[1] + rgba[2] > 0;
}

static int count_lit(SDL_Renderer *renderer, const SDL_Rect *part) {
    static unsigned char rgba[SIDE * SIDE * 4];
    int count = 0;
    ck_assert_int_eq(
        SDL_RenderReadPixels(renderer, part, SDL_PIXELFORMAT_RGBA32, rgba, part->w * 4), 0);
    for (int i = 0; i < part->w * part->h; i++)
        count += rgba[4 * i] + rgba[4 * i + 1] + rgba[4 * i + 2] > 0;
    return count;
}

/* ---- masks ---- */

START_TEST(surfaces_of_every_alpha_become_masks) {
    const Uint32 formats[] = {SDL_PIXELFORMAT_RGBA32,   SDL_PIXELFORMAT_ARGB8888,
                              SDL_PIXELFORMAT_ABGR8888, SDL_PIXELFORMAT_BGRA8888,
                              SDL_PIXELFORMAT_ARGB4444, SDL_PIXELFORMAT_RGBA5551,
                              SDL_PIXELFORMAT_ARGB1555, SDL_PIXELFORMAT_ARGB2101010};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        pv_error error = {.status = PV_ERROR_STALE_ID};
        SDL_Surface *s = paint(formats[i]);
        is_picture(pv_sdl_mask_from_surface(s, NULL, &error));
        ck_assert_int_eq(error.status, PV_OK);
        SDL_FreeSurface(s);
    }
}
END_TEST

/// Checks masks from a color key, also of a surface packed for it, from a palette, and without
/// either.
START_TEST(surfaces_without_alpha_become_masks) {
    const Uint32 formats[] = {SDL_PIXELFORMAT_RGB24, SDL_PIXELFORMAT_RGB565, SDL_PIXELFORMAT_RGB888,
                              SDL_PIXELFORMAT_INDEX8};
    for (int i = 0; i < 4 * 2; i++) {
        SDL_Surface *s = make_surface(formats[i / 2]);
        const SDL_Color colors[2] = {{255, 0, 255, 255}, {10, 60, 20, 255}};
        if (s->format->palette) SDL_SetPaletteColors(s->format->palette, colors, 0, 2);
        Uint32 key = SDL_MapRGB(s->format, 255, 0, 255), other = SDL_MapRGB(s->format, 10, 60, 20);
        for (int k = 0; k < 37 * 23; k++)
            poke(s, k % 37, k / 37, solid(k % 37, k / 37) ? other : key);
        pv_mask *all = pv_sdl_mask_from_surface(s, NULL, NULL);
        ck_assert_int_eq(pv_mask_count_pixels(all), 37 * 23);
        pv_mask_release(all);
        ck_assert_int_eq(SDL_SetColorKey(s, SDL_TRUE, key), 0);
        if (i % 2) SDL_SetSurfaceRLE(s, 1);
        is_picture(pv_sdl_mask_from_surface(s, NULL, NULL));
        is_picture(pv_sdl_mask_from_surface(s, NULL, NULL));
        SDL_FreeSurface(s);
    }
    SDL_Surface *s = make_surface(SDL_PIXELFORMAT_INDEX8);
    const SDL_Color glass[2] = {{9, 9, 9, 0}, {9, 9, 9, 255}};
    SDL_SetPaletteColors(s->format->palette, glass, 0, 2);
    for (int k = 0; k < 37 * 23; k++) poke(s, k % 37, k / 37, solid(k % 37, k / 37));
    is_picture(pv_sdl_mask_from_surface(s, NULL, NULL));
    SDL_FreeSurface(s);
}
END_TEST

START_TEST(textures_become_masks_and_stay_as_they_are) {
    SDL_Surface *page, *s = paint(SDL_PIXELFORMAT_ARGB8888);
    SDL_Renderer *renderer = open_renderer(&page);
    SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, s);
    const SDL_Rect port = {3, 4, 50, 60};
    SDL_Rect now = {0, 0, 0, 0};
    Uint8 alpha = 0;
    SDL_BlendMode blend = SDL_BLENDMODE_NONE;
    pv_error error = {.status = PV_ERROR_STALE_ID};
    SDL_SetTextureAlphaMod(texture, 100);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_ADD);
    SDL_RenderSetViewport(renderer, &port);
    is_picture(pv_sdl_mask_from_texture(renderer, texture, NULL, &error));
    ck_assert_int_eq(error.status, PV_OK);
    SDL_GetTextureAlphaMod(texture, &alpha);
    SDL_GetTextureBlendMode(texture, &blend);
    SDL_RenderGetViewport(renderer, &now);
    ck_assert_int_eq(alpha, 100);
    ck_assert_int_eq(blend, SDL_BLENDMODE_ADD);
    ck_assert(SDL_RectEquals(&port, &now));
    ck_assert_ptr_null(SDL_GetRenderTarget(renderer));
    SDL_Texture *target =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_TARGET, 9, 9);
    SDL_SetRenderTarget(renderer, target);
    is_picture(pv_sdl_mask_from_texture(renderer, texture, NULL, &error));
    ck_assert_ptr_eq(SDL_GetRenderTarget(renderer), target);
    SDL_DestroyTexture(target);
    SDL_RenderSetViewport(renderer, NULL);
    const SDL_Rect whole = {0, 0, SIDE, SIDE};
    ck_assert_int_eq(count_lit(renderer, &whole), 0);
    SDL_DestroyTexture(texture);
    SDL_FreeSurface(s);
    close_renderer(renderer, page);
}
END_TEST

START_TEST(what_is_no_picture_is_refused) {
    SDL_Surface *page;
    SDL_Renderer *renderer = open_renderer(&page);
    pv_mask_options options = {0};
    pv_error error = {0};
    ck_assert_ptr_null(pv_sdl_mask_from_surface(NULL, NULL, &error));
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    error.status = PV_OK;
    ck_assert_ptr_null(pv_sdl_mask_from_surface(page, &options, &error));
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    error.status = PV_OK;
    ck_assert_ptr_null(pv_sdl_mask_from_texture(renderer, NULL, NULL, &error));
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_ptr_null(pv_sdl_mask_from_texture(NULL, NULL, NULL, NULL));
    pv_sdl_camera view = pv_sdl_camera_default(renderer);
    ck_assert_int_eq(pv_sdl_draw_body(&view, NULL, NULL, (pv_body_id){1, 1}), -1);
    ck_assert_int_eq(pv_sdl_draw_body(NULL, NULL, NULL, (pv_body_id){1, 1}), -1);
    close_renderer(renderer, page);
}
END_TEST

/* ---- drawing ---- */

static pv_body_id put_picture(pv_world *world, SDL_Surface *s, pv_vec2 at, double angle,
                              pv_vec2 scale) {
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.scale = scale;
    def.angle = angle;
    return put(world, pv_sdl_mask_from_surface(s, NULL, NULL), at.x, at.y, def);
}

/// Returns the place of a body's point in the view. The center of mass comes from the formula of
/// the picture.
static pv_vec2 place_of(double x, double y, pv_vec2 at, double angle, pv_vec2 scale,
                        const pv_sdl_camera *view) {
    double sx = 0, sy = 0, n = 0, c = cos(angle), s = sin(angle);
    for (int i = 0; i < 37 * 23; i++)
        if (solid(i % 37, i / 37)) sx += i % 37 + 0.5, sy += i / 37 + 0.5, n++;
    x = scale.x * (x - sx / n), y = scale.y * (y - sy / n);
    return (pv_vec2){(at.x + c * x - s * y - view->top_left.x) * view->zoom,
                     (at.y + s * x + c * y - view->top_left.y) * view->zoom};
}

/// Checks at a zoom of four that the middle of every texel is lit exactly when it is solid. The
/// picture and the debug mask must both agree, mirrored or not, and at half the size.
START_TEST(bodies_are_drawn_where_they_collide) {
    for (int round = 0; round < 34; round++) {
        SDL_Surface *page, *s = paint(SDL_PIXELFORMAT_RGBA32);
        SDL_Renderer *renderer = open_renderer(&page);
        SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, s);
        pv_world *world = pv_world_create(NULL, NULL);
        pv_sdl_camera view = {renderer, {70, -15}, 4};
        pv_vec2 at = {95, 10};
        double angle = round / 2 % 4 * (acos(-1) / 2), size = round < 32 ? 1 : 0.5;
        pv_vec2 scale = {round & 8 ? -size : size, round & 16 ? -size : size};
        pv_body_id body = put_picture(world, s, at, angle, scale);
        pv_debug_draw insides = pv_sdl_get_debug_draw(&view);
        SDL_SetTextureScaleMode(texture, SDL_ScaleModeNearest);
        if (round % 2)
            ck_assert_int_eq(pv_sdl_draw_body(&view, texture, world, body), 0);
        else
            ck_assert_int_eq(pv_world_debug_draw(world, &insides, PV_DEBUG_MASKS), PV_OK);
        int seen = 0;
        for (int i = 0; i < 37 * 23; i++) {
            pv_vec2 p = place_of(i % 37 + 0.5, i / 37 + 0.5, at, angle, scale, &view);
            if (!(p.x >= 0 && p.y >= 0 && p.x < SIDE && p.y < SIDE)) continue;
            ck_assert_msg(is_lit(renderer, (int)p.x, (int)p.y) == solid(i % 37, i / 37), "%d: %d",
                          round, i);
            seen++;
        }
        ck_assert_int_gt(seen, 700);
        pv_world_destroy(world);
        SDL_DestroyTexture(texture);
        SDL_FreeSurface(s);
        close_renderer(renderer, page);
    }
}
END_TEST

/// Returns how far a point is from the rectangle w x h about (x, y), turned by angle; negative
/// inside.
static double outside(double px, double py, pv_vec2 at, double angle, double w, double h) {
    double c = cos(angle), s = sin(angle);
    double u = fabs(c * (px - at.x) + s * (py - at.y)) - w / 2,
           v = fabs(c * (py - at.y) - s * (px - at.x)) - h / 2;
    return u > 0 && v > 0 ? hypot(u, v) : fmax(u, v);
}

/// Checks that the software renderer's rims are off as pv_sdl_draw_body() states, and no more. The
/// debug mask's rims are exact.
START_TEST(rims_are_as_far_off_as_is_said) {
    SDL_Surface *page;
    SDL_Renderer *renderer = open_renderer(&page);
    SDL_Texture *texture =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, 50, 30);
    static unsigned char white[50 * 30 * 4];
    memset(white, 255, sizeof white);
    SDL_UpdateTexture(texture, NULL, white, 50 * 4);
    uint64_t seed = 5;
    for (int i = 0; i < 90; i++) {
        pv_world *world = pv_world_create(NULL, NULL);
        pv_sdl_camera view = pv_sdl_camera_default(renderer);
        pv_body_def def = of_type(PV_BODY_STATIC);
        pv_vec2 at = {70 + 60 * next_unit(&seed), 70 + 60 * next_unit(&seed)};
        def.angle = i % 3 ? 6 * next_unit(&seed) : 0;
        pv_body_id body = put(world, box_mask(50, 30), at.x, at.y, def);
        pv_debug_draw insides = pv_sdl_get_debug_draw(&view);
        double most = i % 3 == 0 ? 0.75 : i % 3 == 1 ? 2 : 1e-6;
        SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
        SDL_RenderClear(renderer);
        if (i % 3 < 2)
            ck_assert_int_eq(pv_sdl_draw_body(&view, texture, world, body), 0);
        else
            ck_assert_int_eq(pv_world_debug_draw(world, &insides, PV_DEBUG_MASKS), PV_OK);
        SDL_LockSurface(page);
        for (int k = 0; k < SIDE * SIDE; k++) {
            const unsigned char *rgba =
                (const unsigned char *)page->pixels + k / SIDE * page->pitch + k % SIDE * 4;
            double out = outside(k % SIDE + 0.5, k / SIDE + 0.5, at, def.angle, 50, 30);
            bool lit = rgba[0] + rgba[1] + rgba[2] > 0;
            ck_assert_msg(fabs(out) <= most || lit == (out < 0), "pose %d: %g px", i, out);
        }
        SDL_UnlockSurface(page);
        pv_world_destroy(world);
    }
    SDL_DestroyTexture(texture);
    close_renderer(renderer, page);
}
END_TEST

/// Checks that a pinned particle's disc has its area, and that a joint's line connects its ends.
/// Both follow the camera.
START_TEST(lines_and_discs_are_drawn_through_the_camera) {
    SDL_Surface *page;
    SDL_Renderer *renderer = open_renderer(&page);
    pv_world *world = pv_world_create(NULL, NULL);
    pv_sdl_camera view = {renderer, {1000, 500}, 2};
    pv_particle_def def = pv_particle_def_default();
    pv_joint_def join = pv_joint_def_default();
    pv_debug_draw insides = pv_sdl_get_debug_draw(&view);
    ck_assert_double_eq(insides.normal_length, 9);
    ck_assert_double_eq(insides.point_radius, 1);
    def.position = (pv_vec2){1025, 525}, def.radius = 10, def.mass = 0;
    join.a = pv_anchor_particle(pv_particle_create(world, &def, NULL));
    def.position = (pv_vec2){1075, 525}, def.radius = 0, def.mass = 1;
    join.b = pv_anchor_particle(pv_particle_create(world, &def, NULL));
    ck_assert(pv_joint_is_valid(world, pv_joint_create(world, &join, NULL)));
    pv_world_debug_draw(world, &insides, PV_DEBUG_PARTICLES);
    const SDL_Rect left = {0, 0, 100, 100}, whole = {0, 0, SIDE, SIDE};
    ck_assert_double_eq_tol(count_lit(renderer, &left), 20 * 20 * acos(-1), 12);
    ck_assert(is_lit(renderer, 31, 50) && !is_lit(renderer, 28, 50) && is_lit(renderer, 50, 68));
    pv_world_debug_draw(world, &insides, PV_DEBUG_JOINTS);
    for (int x = 50; x < 150; x++) ck_assert(is_lit(renderer, x, 50));
    ck_assert_int_lt(count_lit(renderer, &whole), 20 * 20 * 4);
    pv_vec2 back = pv_sdl_camera_to_world(&view, pv_sdl_camera_to_screen(&view, (pv_vec2){-7, 9}));
    ck_assert_double_eq_tol(back.x, -7, 1e-9);
    ck_assert_double_eq_tol(back.y, 9, 1e-9);
    pv_world_destroy(world);
    close_renderer(renderer, page);
}
END_TEST

/// Checks that a dot in the right half of a sheet is drawn at its transform, also mirrored and
/// larger.
START_TEST(parts_are_drawn_and_mirrored) {
    SDL_Surface *page,
        *sheet = SDL_CreateRGBSurfaceWithFormat(0, 20, 10, 32, SDL_PIXELFORMAT_RGBA32);
    SDL_Renderer *renderer = open_renderer(&page);
    const SDL_Rect right = {10, 0, 10, 10}, dot = {18, 1, 1, 1};
    SDL_FillRect(sheet, &dot, SDL_MapRGBA(sheet->format, 255, 255, 255, 255));
    SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, sheet);
    pv_sdl_camera view = {renderer, {10, 20}, 1};
    const pv_vec2 scales[] = {{1, 1}, {-1, 1}, {1, -1}, {-2, -2}};
    for (int i = 0; i < 4; i++) {
        pv_transform at = pv_transform_identity();
        at.position = (pv_vec2){60, 70}, at.pivot = (pv_vec2){2, 3}, at.scale = scales[i];
        SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
        SDL_RenderClear(renderer);
        ck_assert_int_eq(pv_sdl_draw_texture(&view, texture, &right, &at), 0);
        for (int k = 0; k < SIDE * SIDE; k++) { /* the view's pixel back in the part */
            double x = (k % SIDE + 0.5 + 10 - 60) / scales[i].x + 2,
                   y = (k / SIDE + 0.5 + 20 - 70) / scales[i].y + 3;
            bool lit = x > 8 && x < 9 && y > 1 && y < 2;
            ck_assert_msg(is_lit(renderer, k % SIDE, k / SIDE) == lit, "%d: %d", i, k);
        }
    }
    ck_assert_int_eq(pv_sdl_draw_texture(&view, NULL, NULL, NULL), -1);
    SDL_DestroyTexture(texture);
    SDL_FreeSurface(sheet);
    close_renderer(renderer, page);
}
END_TEST

/* ---- a game's loop ---- */

static const char *sprite_path(const char *name) {
    static char path[1024];
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/sprites/%s", top ? top : ".", name);
    return path;
}

/// Without a window system, by the software renderer.
static void play_without_window(void) {
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_setenv("SDL_RENDER_DRIVER", "software", 1);
}

static pv_sdl_game open_game(int frames, const char *script) {
    static char count[16], play[256], words[4][12] = {"game", "--frames", "--play", "other"};
    char *arguments[] = {words[0], words[3], words[1], count, words[2], play};
    play_without_window();
    snprintf(count, sizeof count, "%d", frames);
    snprintf(play, sizeof play, "%s", script);
    return pv_sdl_game_create("test", SIDE, SIDE, 6, arguments);
}

/// Checks held and pressed keys against the script, frame by frame. A press is reported once and
/// then forgotten.
START_TEST(scripts_press_keys_and_move_the_mouse) {
    pv_sdl_game game =
        open_game(9, "1+Space 2@30,50.5 3-Space 3+Left 4+Mouse 4-Mouse 6+Right 6-Left 7+F1");
    game.camera.zoom = 2, game.camera.top_left.x = 100;
    for (int f = 0; f < 9; f++) {
        ck_assert(pv_sdl_game_frame(&game));
        ck_assert_int_eq(game.frame_index, f);
        ck_assert_int_eq(game.step_count, 1);
        ck_assert(pv_sdl_game_is_down(&game, SDL_SCANCODE_SPACE) == (f == 1 || f == 2));
        ck_assert(pv_sdl_game_is_down(&game, PV_SDL_MOUSE_LEFT) == false);
        if (f != 4) ck_assert(pv_sdl_game_was_pressed(&game, SDL_SCANCODE_SPACE) == (f == 1));
        ck_assert(pv_sdl_game_was_pressed(&game, SDL_SCANCODE_SPACE) == false);
        if (f != 4) ck_assert(pv_sdl_game_was_pressed(&game, PV_SDL_MOUSE_LEFT) == false);
        ck_assert_int_eq(pv_sdl_game_get_axis(&game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT),
                         f < 3   ? 0
                         : f < 6 ? -1
                                 : 1);
        ck_assert_double_eq(game.mouse.x, f < 2 ? 100 : 115);
        ck_assert_double_eq(game.mouse.y, f < 2 ? 0 : 25.25);
        ck_assert(game.show_debug == (f >= 7));
        pv_sdl_game_present(&game);
    }
    ck_assert(!pv_sdl_game_frame(&game));
    ck_assert_int_eq(pv_sdl_game_destroy(&game), 0);
}
END_TEST

/// Checks that frames without a due step keep a press for the next step. Of two steps in a frame
/// only one sees it.
START_TEST(presses_wait_for_a_step) {
    pv_sdl_game game = open_game(0, "");
    int due = 0, told = 0;
    SDL_Event press;
    SDL_memset(&press, 0, sizeof press);
    press.type = SDL_KEYDOWN, press.key.keysym.scancode = SDL_SCANCODE_A;
    game.clock.step = 0.05;
    SDL_PushEvent(&press);
    for (int i = 0; i < 1000 && due == 0; i++) {
        ck_assert(pv_sdl_game_frame(&game));
        for (int step = 0; step < game.step_count; step++)
            told += pv_sdl_game_was_pressed(&game, SDL_SCANCODE_A);
        due = game.step_count;
    }
    ck_assert_int_gt(due, 0);
    ck_assert_int_eq(told, 1);
    ck_assert(pv_sdl_game_is_down(&game, SDL_SCANCODE_A));
    SDL_memset(&press, 0, sizeof press);
    press.type = SDL_MOUSEBUTTONDOWN, press.button.button = SDL_BUTTON_RIGHT, press.button.x = 7,
    press.button.y = 9;
    SDL_PushEvent(&press);
    ck_assert(pv_sdl_game_frame(&game));
    ck_assert(pv_sdl_game_is_down(&game, PV_SDL_MOUSE_RIGHT) &&
              !pv_sdl_game_is_down(&game, PV_SDL_MOUSE_LEFT));
    ck_assert_double_eq(game.mouse.x, 7);
    ck_assert_double_eq(game.mouse.y, 9);
    SDL_memset(&press, 0, sizeof press);
    press.type = SDL_KEYDOWN, press.key.keysym.scancode = SDL_SCANCODE_ESCAPE;
    SDL_PushEvent(&press);
    ck_assert(!pv_sdl_game_frame(&game));
    ck_assert_int_eq(pv_sdl_game_destroy(&game), 0);
}
END_TEST

/// Checks that the picture's pixels collide and are drawn: the ball is the disc of
/// sprites/README.md. Disabled bodies are not drawn.
START_TEST(games_draw_their_sprites) {
    pv_sdl_game game = open_game(2, "");
    pv_world *world = pv_world_create(NULL, NULL);
    pv_sdl_sprite *ball = pv_sdl_game_load_sprite(&game, sprite_path("ball.png"));
    pv_body_def def = pv_sdl_sprite_get_body_def(ball, PV_BODY_STATIC, 60, 70);
    pv_body_id body = pv_body_create(world, &def, NULL);
    ck_assert(pv_body_get_type(world, body) == PV_BODY_STATIC &&
              pv_body_get_user_data(world, body) == ball);
    game.background = 0x000000ff;
    for (int shown = 1; shown >= 0; shown--) {
        ck_assert(pv_sdl_game_frame(&game));
        pv_sdl_game_draw(&game, world);
        for (int i = 0; i < SIDE * SIDE; i++) {
            double dx = i % SIDE + 0.5 - 60, dy = i / SIDE + 0.5 - 70;
            bool inside = dx * dx + dy * dy <= 16 * 16;
            ck_assert_msg(is_lit(game.camera.renderer, i % SIDE, i / SIDE) == (inside && shown),
                          "%d", i);
        }
        pv_sdl_game_present(&game);
        ck_assert_int_eq(pv_body_set_enabled(world, body, false), PV_OK);
    }
    pv_world_destroy(world);
    ck_assert_int_eq(pv_sdl_game_destroy(&game), 0);
    ck_assert_ptr_null(ball->mask);
}
END_TEST

START_TEST(games_without_a_picture_fail) {
    pv_sdl_game game = open_game(5, "");
    SDL_LogSetAllPriority(SDL_LOG_PRIORITY_CRITICAL);
    pv_sdl_sprite *none = pv_sdl_game_load_sprite(&game, "no-such-file.png");
    ck_assert(none && !none->mask && !none->texture && game.failed);
    ck_assert(!pv_sdl_game_frame(&game));
    ck_assert_int_eq(pv_sdl_game_destroy(&game), 2);
    game = open_game(5, "");
    for (int i = 0; i < PV_SDL_SPRITES; i++) pv_sdl_game_load_sprite(&game, sprite_path("peg.png"));
    ck_assert(!game.failed);
    none = pv_sdl_game_load_sprite(&game, sprite_path("peg.png"));
    ck_assert(none && !none->mask && game.failed);
    ck_assert_int_eq(pv_sdl_game_destroy(&game), 2);
    pv_error error = {0};
    pv_sdl_sprite sprite = pv_sdl_sprite_load(NULL, sprite_path("peg.png"), &error);
    ck_assert(sprite.mask && !sprite.texture && error.status == PV_OK);
    pv_sdl_sprite_destroy(&sprite);
}
END_TEST

RUN_SUITE("sdl", surfaces_of_every_alpha_become_masks, surfaces_without_alpha_become_masks,
          textures_become_masks_and_stay_as_they_are, what_is_no_picture_is_refused,
          bodies_are_drawn_where_they_collide, rims_are_as_far_off_as_is_said,
          lines_and_discs_are_drawn_through_the_camera, parts_are_drawn_and_mirrored,
          scripts_press_keys_and_move_the_mouse, presses_wait_for_a_step, games_draw_their_sprites,
          games_without_a_picture_fail)

#else

int main(void) {
    puts("1..0 # SKIP built without SDL");
    return 0;
}

#endif
