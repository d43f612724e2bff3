/* test_sdl.c - pixverlet/sdl.h and sdl_game.h with SDL's software renderer, without a window.
 *
 * Invariant: expected pixels come from a formula, a mask, or another frame.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#ifdef HAVE_SDL2
#define SDL_MAIN_HANDLED
#include "pixverlet/sdl_game.h"

#define SIDE 200

/// Tells whether a pixel of the tests' picture is solid; it has 37 x 23 px and no symmetry.
static bool solid(int x, int y) {
    return x >= 0 && y >= 0 && x < 37 && y < 23 && (x * x + 3 * y) % 7 < 4;
}

enum { WIDTH = 37, HEIGHT = 23, PIXELS = WIDTH * HEIGHT };

static bool solid_at(int i) { return solid(i % WIDTH, i / WIDTH); }

static void drop_surface(SDL_Surface **surface) { SDL_FreeSurface(*surface); }

#define scoped_surface __attribute__((cleanup(drop_surface))) SDL_Surface

static SDL_Surface *make_surface(Uint32 format) {
    SDL_Surface *s = SDL_CreateRGBSurfaceWithFormat(0, 37, 23, SDL_BITSPERPIXEL(format), format);
    ck_assert_msg(s != NULL, "%s", SDL_GetError());
    return s;
}

/// Fills a surface with the picture, in two values of its format.
static void poke(SDL_Surface *s, Uint32 on, Uint32 off) {
    for (int i = 0; i < PIXELS; i++) {
        SDL_Rect pixel = {i % WIDTH, i / WIDTH, 1, 1};
        ck_assert_int_eq(SDL_FillRect(s, &pixel, solid_at(i) ? on : off), 0);
    }
}

static SDL_Surface *paint(Uint32 format) {
    SDL_Surface *s = make_surface(format);
    poke(s, SDL_MapRGBA(s->format, 90, 200, 40, 255), SDL_MapRGBA(s->format, 90, 200, 40, 0));
    return s;
}

/// Checks that a mask is the picture, with a margin, and releases it.
static void is_picture(pv_mask *mask) {
    ck_assert_ptr_nonnull(mask);
    ck_assert_mask_size(mask, WIDTH, HEIGHT);
    for (int i = 0; i < PIXELS; i++)
        ck_assert_msg(pv_mask_get_pixel(mask, i % WIDTH, i / WIDTH) == solid_at(i), "pixel %d", i);
    pv_mask_release(mask);
}

static const SDL_Rect whole = {0, 0, SIDE, SIDE};

/// Renderer of a test, which draws on a surface, and its world; a game has its own renderer
static SDL_Renderer *renderer;
static SDL_Surface *page;
static pv_world *world;

static void blacken(void) {
    SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
    SDL_RenderClear(renderer);
}

static void open_renderer(void) {
    page = SDL_CreateRGBSurfaceWithFormat(0, SIDE, SIDE, 32, SDL_PIXELFORMAT_RGBA32);
    renderer = SDL_CreateSoftwareRenderer(page);
    ck_assert_msg(renderer != NULL, "%s", SDL_GetError());
    world = create_world(NULL);
    blacken();
}

static pv_sdl_game *game;

static void end_game(int status) {
    if (game) ck_assert_int_eq(pv_sdl_game_destroy(game), status);
    game = NULL;
}

static void close_renderer(void) {
    end_game(0);
    pv_world_destroy(world);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(page);
    SDL_Quit();
}

/// Counts the lit pixels in a part of the picture.
static int count_lit(SDL_Renderer *of, const SDL_Rect *part) {
    static unsigned char rgba[SIDE * SIDE * 4];
    int count = 0;
    ck_assert_int_eq(SDL_RenderReadPixels(of, part, SDL_PIXELFORMAT_RGBA32, rgba, part->w * 4), 0);
    for (int i = 0; i < part->w * part->h; i++)
        count += rgba[4 * i] + rgba[4 * i + 1] + rgba[4 * i + 2] > 0;
    return count;
}

static bool is_lit(SDL_Renderer *of, int x, int y) {
    return count_lit(of, &(SDL_Rect){x, y, 1, 1}) > 0;
}

/* ---- masks ---- */

START_TEST(surfaces_of_every_alpha_become_masks) {
    const Uint32 formats[] = {SDL_PIXELFORMAT_RGBA32,   SDL_PIXELFORMAT_ARGB8888,
                              SDL_PIXELFORMAT_ABGR8888, SDL_PIXELFORMAT_BGRA8888,
                              SDL_PIXELFORMAT_ARGB4444, SDL_PIXELFORMAT_RGBA5551,
                              SDL_PIXELFORMAT_ARGB1555, SDL_PIXELFORMAT_ARGB2101010};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        pv_error error = {.status = PV_ERROR_STALE_ID};
        scoped_surface *s = paint(formats[i]);
        is_picture(pv_sdl_mask_from_surface(s, NULL, &error));
        ck_assert_int_eq(error.status, PV_OK);
    }
}

/// Masks come from a color key, also in RLE and palette surfaces; without a key, all is solid.
START_TEST(surfaces_without_alpha_become_masks) {
    const Uint32 formats[] = {SDL_PIXELFORMAT_RGB24, SDL_PIXELFORMAT_RGB565, SDL_PIXELFORMAT_RGB888,
                              SDL_PIXELFORMAT_INDEX8};
    for (int i = 0; i < 4 * 2; i++) {
        scoped_surface *s = make_surface(formats[i / 2]);
        const SDL_Color colors[2] = {{255, 0, 255, 255}, {10, 60, 20, 255}};
        if (s->format->palette) SDL_SetPaletteColors(s->format->palette, colors, 0, 2);
        Uint32 key = SDL_MapRGB(s->format, 255, 0, 255), other = SDL_MapRGB(s->format, 10, 60, 20);
        poke(s, other, key);
        scoped_mask *all = pv_sdl_mask_from_surface(s, NULL, NULL);
        ck_assert_int_eq(pv_mask_count_pixels(all), 37 * 23);
        ck_assert_int_eq(SDL_SetColorKey(s, SDL_TRUE, key), 0);
        if (i % 2) SDL_SetSurfaceRLE(s, 1);
        is_picture(pv_sdl_mask_from_surface(s, NULL, NULL));
        is_picture(pv_sdl_mask_from_surface(s, NULL, NULL));
    }
    scoped_surface *s = make_surface(SDL_PIXELFORMAT_INDEX8);
    const SDL_Color glass[2] = {{9, 9, 9, 0}, {9, 9, 9, 255}};
    SDL_SetPaletteColors(s->format->palette, glass, 0, 2);
    poke(s, 1, 0);
    is_picture(pv_sdl_mask_from_surface(s, NULL, NULL));
}

START_TEST(textures_become_masks_and_stay_as_they_are) {
    scoped_surface *s = paint(SDL_PIXELFORMAT_ARGB8888);
    SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, s);
    SDL_Rect port = {3, 4, 50, 60}, now;
    Uint8 alpha;
    SDL_BlendMode blend;
    pv_error error = {.status = PV_ERROR_STALE_ID};
    SDL_SetTextureAlphaMod(texture, 100);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_ADD);
    SDL_RenderSetViewport(renderer, &port);
    is_picture(pv_sdl_mask_from_texture(renderer, texture, NULL, &error));
    ck_assert_int_eq(error.status, PV_OK);
    SDL_GetTextureAlphaMod(texture, &alpha);
    SDL_GetTextureBlendMode(texture, &blend);
    SDL_RenderGetViewport(renderer, &now);
    ck_assert(alpha == 100 && blend == SDL_BLENDMODE_ADD && SDL_RectEquals(&port, &now));
    ck_assert_ptr_null(SDL_GetRenderTarget(renderer));
    SDL_Texture *target =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_TARGET, 9, 9);
    SDL_SetRenderTarget(renderer, target);
    is_picture(pv_sdl_mask_from_texture(renderer, texture, NULL, &error));
    ck_assert_ptr_eq(SDL_GetRenderTarget(renderer), target);
    SDL_RenderSetViewport(renderer, NULL);
    ck_assert_int_eq(count_lit(renderer, &whole), 0);
    SDL_DestroyTexture(target); /* else SDL leaks what is still to be drawn */
}

START_TEST(what_is_no_picture_is_refused) {
    pv_mask_options options = {0};
    pv_error error;
    ck_assert_refused(pv_sdl_mask_from_surface(NULL, NULL, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_refused(pv_sdl_mask_from_surface(page, &options, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_refused(pv_sdl_mask_from_texture(renderer, NULL, NULL, &error), error,
                      PV_ERROR_ARGUMENT);
    ck_assert_ptr_null(pv_sdl_mask_from_texture(NULL, NULL, NULL, NULL));
    pv_sdl_camera view = pv_sdl_camera_default(renderer);
    ck_assert(!pv_sdl_draw_body(&view, NULL, NULL, (pv_body_id){1, 1}));
    ck_assert(!pv_sdl_draw_body(NULL, NULL, NULL, (pv_body_id){1, 1}));
}

/* ---- drawing ---- */

static pv_body_id put_picture(SDL_Surface *s, pv_vec2 at, double angle, pv_vec2 scale) {
    return put(world, pv_sdl_mask_from_surface(s, NULL, NULL), at.x, at.y,
               WITH(of_type(PV_BODY_STATIC), it.scale = scale, it.angle = angle));
}

/// Returns the place in the view of a point of a body. Its center of mass follows from the formula.
static pv_vec2 place_of(double x, double y, pv_vec2 at, double angle, pv_vec2 scale,
                        const pv_sdl_camera *view) {
    double sx = 0, sy = 0, n = 0, c = cos(angle), s = sin(angle);
    for (int i = 0; i < PIXELS; i++)
        if (solid_at(i)) sx += i % WIDTH + 0.5, sy += i / WIDTH + 0.5, n++;
    x = scale.x * (x - sx / n), y = scale.y * (y - sy / n);
    return (pv_vec2){(at.x + c * x - s * y - view->top_left.x) * view->zoom,
                     (at.y + s * x + c * y - view->top_left.y) * view->zoom};
}

/// The middle of a texel is lit if it is solid, in pictures and debug masks, at a zoom of 4.
START_TEST_FOR(bodies_are_drawn_where_they_collide, round, 34) {
    scoped_surface *s = paint(SDL_PIXELFORMAT_RGBA32);
    SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, s);
    pv_sdl_camera view = {renderer, {70, -15}, 4};
    pv_vec2 at = {95, 10};
    double angle = round / 2 % 4 * (acos(-1) / 2), size = round < 32 ? 1 : 0.5;
    pv_vec2 scale = {round & 8 ? -size : size, round & 16 ? -size : size};
    pv_body_id body = put_picture(s, at, angle, scale);
    pv_debug_draw insides = pv_sdl_get_debug_draw(&view);
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeNearest);
    if (round % 2)
        ck_assert(pv_sdl_draw_body(&view, texture, world, body));
    else
        ck_assert_int_eq(pv_world_debug_draw(world, &insides, PV_DEBUG_MASKS), PV_OK);
    int seen = 0;
    for (int i = 0; i < PIXELS; i++) {
        pv_vec2 p = place_of(i % WIDTH + 0.5, i / WIDTH + 0.5, at, angle, scale, &view);
        if (!(p.x >= 0 && p.y >= 0 && p.x < SIDE && p.y < SIDE)) continue;
        bool lit = is_lit(renderer, (int)p.x, (int)p.y);
        ck_assert_msg(lit == solid_at(i), "%d: %d", round, i);
        seen++;
    }
    ck_assert_int_gt(seen, 700);
}

/// Returns the distance of a point from a turned rectangle w x h about a place; negative inside.
static double outside(double px, double py, pv_vec2 at, double angle, double w, double h) {
    double c = cos(angle), s = sin(angle);
    double u = fabs(c * (px - at.x) + s * (py - at.y)) - w / 2,
           v = fabs(c * (py - at.y) - s * (px - at.x)) - h / 2;
    return u > 0 && v > 0 ? hypot(u, v) : fmax(u, v);
}

/// Rims are off by what pv_sdl_draw_texture() states. Upright pictures and debug masks are exact.
START_TEST(rims_are_as_far_off_as_is_said) {
    SDL_Texture *texture =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, 50, 30);
    static unsigned char white[50 * 30 * 4];
    memset(white, 255, sizeof white);
    SDL_UpdateTexture(texture, NULL, white, 50 * 4);
    uint64_t seed = 5;
    for (int i = 0; i < 90; i++) {
        pv_sdl_camera view = pv_sdl_camera_default(renderer);
        pv_body_def def = of_type(PV_BODY_STATIC);
        pv_vec2 at = {70 + 60 * next_unit(&seed), 70 + 60 * next_unit(&seed)};
        def.angle = i % 3 ? 6 * next_unit(&seed) : 0;
        pv_body_id body = put(world, box_mask(50, 30), at.x, at.y, def);
        pv_debug_draw insides = pv_sdl_get_debug_draw(&view);
        double most = i % 3 == 1 ? 2 : 1e-6;
        blacken();
        if (i % 3 < 2)
            ck_assert(pv_sdl_draw_body(&view, texture, world, body));
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
        pv_body_destroy(world, body);
    }
}

START_TEST(lines_and_discs_are_drawn_through_the_camera) {
    pv_sdl_camera view = {renderer, {1000, 500}, 2};
    pv_particle_def def = pv_particle_def_default();
    pv_debug_draw insides = pv_sdl_get_debug_draw(&view);
    ck_assert_double_eq(insides.normal_length, 9);
    ck_assert_double_eq(insides.point_radius, 1);
    def.position = (pv_vec2){1025, 525}, def.radius = 10, def.mass = 0;
    pv_anchor left_end = pv_anchor_particle(pv_particle_create(world, &def, NULL));
    pv_particle_id right = put_particle(world, 1075, 525);
    put_joint(world, PV_JOINT_DISTANCE, left_end, pv_anchor_particle(right));
    pv_world_debug_draw(world, &insides, PV_DEBUG_PARTICLES);
    const SDL_Rect left = {0, 0, 100, 100};
    ck_assert_double_eq_tol(count_lit(renderer, &left), 20 * 20 * acos(-1), 12);
    ck_assert(is_lit(renderer, 31, 50) && !is_lit(renderer, 28, 50) && is_lit(renderer, 50, 68));
    pv_world_debug_draw(world, &insides, PV_DEBUG_JOINTS);
    for (int x = 50; x < 150; x++) ck_assert(is_lit(renderer, x, 50));
    ck_assert_int_lt(count_lit(renderer, &whole), 20 * 20 * 4);
    pv_vec2 back = pv_sdl_camera_to_world(&view, pv_sdl_camera_to_screen(&view, (pv_vec2){-7, 9}));
    ck_assert_vec_eq_tol(back, -7, 9, 1e-9);
}

/// Part of a texture, with a dot, is drawn at its transform, also mirrored and enlarged.
START_TEST(parts_are_drawn_and_mirrored) {
    scoped_surface *sheet = SDL_CreateRGBSurfaceWithFormat(0, 20, 10, 32, SDL_PIXELFORMAT_RGBA32);
    const SDL_Rect right = {10, 0, 10, 10}, dot = {18, 1, 1, 1};
    SDL_FillRect(sheet, &dot, SDL_MapRGBA(sheet->format, 255, 255, 255, 255));
    SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, sheet);
    pv_sdl_camera view = {renderer, {10, 20}, 1};
    const pv_vec2 scales[] = {{1, 1}, {-1, 1}, {1, -1}, {-2, -2}};
    for (int i = 0; i < 4; i++) {
        pv_transform at = pv_transform_identity();
        at.position = (pv_vec2){60, 70}, at.pivot = (pv_vec2){2, 3}, at.scale = scales[i];
        blacken();
        ck_assert(pv_sdl_draw_texture(&view, texture, &right, &at));
        for (int k = 0; k < SIDE * SIDE; k++) { /* maps the view's pixel back into the part */
            double x = (k % SIDE + 0.5 + 10 - 60) / scales[i].x + 2,
                   y = (k / SIDE + 0.5 + 20 - 70) / scales[i].y + 3;
            bool lit = x > 8 && x < 9 && y > 1 && y < 2;
            ck_assert_msg(is_lit(renderer, k % SIDE, k / SIDE) == lit, "%d: %d", i, k);
        }
    }
    ck_assert(!pv_sdl_draw_texture(&view, NULL, NULL, NULL));
}

/* ---- a game's loop ---- */

static void play_without_window(void) {
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_setenv("SDL_RENDER_DRIVER", "software", 1);
}

static pv_sdl_game *open_game(int frames, const char *script) {
    static char count[16], play[256], words[3][12] = {"game", "--frames", "--play"};
    char *arguments[] = {words[0], words[2], play, words[1], count};
    play_without_window();
    snprintf(count, sizeof count, "%d", frames);
    snprintf(play, sizeof play, "%s", script);
    return pv_sdl_game_create("test", SIDE, SIDE, frames > 0 ? 5 : 3, arguments);
}

START_TEST(scripts_press_keys_and_move_the_mouse) {
    game = open_game(9, "1+Space 2@30,50.5 3-Space 3+Left 4+Mouse 4-Mouse 6+Right 6-Left 7+F1");
    game->camera.zoom = 2, game->camera.top_left.x = 100;
    for (int f = 0; f < 9; f++) {
        double axis = f < 3 ? 0 : f < 6 ? -1 : 1;
        ck_assert(pv_sdl_game_frame(game) && game->frame_index == f && game->step_count == 1);
        ck_assert(pv_sdl_game_is_down(game, SDL_SCANCODE_SPACE) == (f == 1 || f == 2));
        ck_assert(!pv_sdl_game_is_down(game, PV_SDL_MOUSE_LEFT));
        if (f != 4) ck_assert(pv_sdl_game_was_pressed(game, SDL_SCANCODE_SPACE) == (f == 1));
        ck_assert(!pv_sdl_game_was_pressed(game, SDL_SCANCODE_SPACE));
        if (f != 4) ck_assert(!pv_sdl_game_was_pressed(game, PV_SDL_MOUSE_LEFT));
        ck_assert_double_eq(pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT),
                            axis);
        ck_assert(game->mouse.x == (f < 2 ? 100 : 115) && game->mouse.y == (f < 2 ? 0 : 25.25));
        ck_assert(game->show_debug == (f >= 7));
        pv_sdl_game_present(game);
    }
    ck_assert(!pv_sdl_game_frame(game));
}

static void push(SDL_Event event) { SDL_PushEvent(&event); }

static void push_key(SDL_Scancode key) {
    push((SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym.scancode = key}});
}

START_TEST(presses_wait_for_a_step) {
    game = open_game(0, "");
    int due = 0, told = 0;
    game->clock.step = 0.05;
    push_key(SDL_SCANCODE_A);
    for (int i = 0; i < 1000 && due == 0; i++) {
        ck_assert(pv_sdl_game_frame(game));
        due = game->step_count;
        for (int step = 0; step < due; step++)
            told += pv_sdl_game_was_pressed(game, SDL_SCANCODE_A);
    }
    ck_assert(due > 0 && told == 1 && pv_sdl_game_is_down(game, SDL_SCANCODE_A));
    push((SDL_Event){
        .button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT, .x = 7, .y = 9}});
    ck_assert(pv_sdl_game_frame(game));
    ck_assert(pv_sdl_game_is_down(game, PV_SDL_MOUSE_RIGHT) &&
              !pv_sdl_game_is_down(game, PV_SDL_MOUSE_LEFT));
    ck_assert_vec_eq_tol(game->mouse, 7, 9, 1e-12);
    push_key(SDL_SCANCODE_ESCAPE);
    ck_assert(!pv_sdl_game_frame(game));
}

/// The ball collides and is drawn as the disc of sprites/README.md. Disabled bodies are not drawn.
START_TEST(games_draw_their_sprites) {
    game = open_game(2, "");
    pv_sdl_sprite *ball = pv_sdl_game_load_sprite(game, source_path("sprites/ball.png"));
    pv_body_def def = pv_sdl_sprite_get_body_def(ball, PV_BODY_STATIC, 60, 70);
    pv_body_id body = pv_body_create(world, &def, NULL);
    ck_assert(pv_body_get_type(world, body) == PV_BODY_STATIC &&
              pv_body_get_user_data(world, body) == ball);
    game->background = 0x000000ff;
    for (int shown = 1; shown >= 0; shown--) {
        ck_assert(pv_sdl_game_frame(game));
        pv_sdl_game_draw(game, world);
        for (int i = 0; i < SIDE * SIDE; i++) {
            double dx = i % SIDE + 0.5 - 60, dy = i / SIDE + 0.5 - 70;
            bool inside = dx * dx + dy * dy <= 16 * 16;
            ck_assert_msg(is_lit(game->camera.renderer, i % SIDE, i / SIDE) == (inside && shown),
                          "%d", i);
        }
        pv_sdl_game_present(game);
        ck_assert_int_eq(pv_body_set_enabled(world, body, false), PV_OK);
    }
}

START_TEST(games_draw_images_of_their_own) {
    game = open_game(1, "");
    pv_image *image = pv_image_create(6, 6, NULL, NULL);
    for (int i = 0; i < 6 * 3; i++) memset(&image->pixels[4 * i], 255, 4);
    pv_sdl_sprite *half = pv_sdl_game_add_image(game, image);
    pv_image_destroy(image);
    ck_assert(half && half->texture && !game->failed);
    ck_assert_int_eq(pv_mask_count_pixels(half->mask), 6 * 3);
    pv_body_id body = pv_sdl_game_add_body(game, world, half, PV_BODY_STATIC, 43, 41.5);
    game->background = 0x000000ff;
    ck_assert(pv_body_is_valid(world, body) && pv_sdl_game_frame(game));
    pv_sdl_game_draw(game, world);
    for (int y = 38; y < 48; y++)
        ck_assert(is_lit(game->camera.renderer, 43, y) == (y >= 40 && y < 43));
}

static char said[1024];
static int sayings;

static void hear(void *user_data, int category, SDL_LogPriority priority, const char *message) {
    (void)user_data, (void)category, (void)priority;
    snprintf(said, sizeof said, "%s", message);
    sayings++;
}

START_TEST(games_without_a_picture_fail) {
    game = open_game(5, "");
    SDL_LogSetOutputFunction(hear, NULL);
    sayings = 0;
    for (int i = 0; i < 3; i++) {
        pv_sdl_sprite *none = pv_sdl_game_load_sprite(game, "no-such-file.png");
        ck_assert(none && none->mask && game->failed);
        pv_body_id body = pv_sdl_game_add_body(game, world, none, PV_BODY_DYNAMIC, 9, 9);
        ck_assert(pv_body_is_valid(world, body));
    }
    char expected[1200], *base = SDL_GetBasePath();
    snprintf(expected, sizeof expected,
             "pv_sdl_game_load_sprite: cannot open no-such-file.png, nor %sno-such-file.png", base);
    SDL_free(base);
    ck_assert_str_eq(said, expected);
    ck_assert_int_eq(sayings, 1);
    ck_assert(!pv_sdl_game_frame(game));
    end_game(2);
    game = open_game(5, "");
    ck_assert_ptr_null(pv_sdl_game_add_image(game, NULL));
    ck_assert_int_eq(sayings, 2);
    ck_assert_str_eq(said, "pv_sdl_game_add_image: pv_sdl_sprite_from_image: image is null");
    ck_assert(!pv_sdl_game_frame(game));
    end_game(2);
    pv_error error = {0};
    pv_sdl_sprite *sprite = pv_sdl_sprite_load(NULL, source_path("sprites/peg.png"), &error);
    ck_assert(sprite->mask && sprite->image && !sprite->texture && error.status == PV_OK);
    pv_sdl_sprite_destroy(sprite);
    ck_assert_refused(pv_sdl_sprite_load(NULL, "no-such-file.png", &error), error,
                      PV_ERROR_FILE_OPEN);
    ck_assert_refused(pv_sdl_sprite_from_image(NULL, NULL, &error), error, PV_ERROR_ARGUMENT);
}

START_TEST(pictures_beside_the_program_are_found) {
    game = open_game(5, "");
    char name[64], path[1100], *base = SDL_GetBasePath();
    snprintf(name, sizeof name, "test_sdl_%ld.png", (long)SDL_GetPerformanceCounter());
    snprintf(path, sizeof path, "%s%s", base, name);
    SDL_free(base);
    scoped_image *image = pv_image_create(3, 5, NULL, NULL);
    image->pixels[3] = 255;
    ck_assert_int_eq(pv_image_save(image, path), PV_OK);
    pv_sdl_sprite *sprite = pv_sdl_game_load_sprite(game, name);
    remove(path);
    ck_assert(!game->failed && pv_mask_get_height(sprite->mask) == 5);
}

START_TEST(games_have_as_many_sprites_as_they_like) {
    game = open_game(1, "");
    for (int i = 0; i < 200; i++) {
        pv_sdl_sprite *sprite = pv_sdl_game_load_sprite(game, source_path("sprites/peg.png"));
        ck_assert(!game->failed);
        pv_sdl_game_add_body(game, world, sprite, PV_BODY_STATIC, i % 20 * 10, i / 20 * 20 + 9);
    }
    ck_assert(pv_sdl_game_frame(game));
    ck_assert_int_eq(pv_sdl_game_step(game, world), PV_OK);
    pv_sdl_game_draw(game, world);
    for (int i = 0; i < 200; i++)
        ck_assert(is_lit(game->camera.renderer, i % 20 * 10, i / 20 * 20 + 9));
}

START_TEST(unknown_words_are_refused) {
    static const struct {
        const char *option, *value, *sentence;
    } cases[] = {{"--frame", "5", "options are --frames N and --play SCRIPT, not --frame"},
                 {"level.json", NULL, "options are --frames N and --play SCRIPT, not level.json"},
                 {"--frames", "many", "--frames takes a number from 1 on, not many"},
                 {"--frames", NULL, "--frames takes a number from 1 on, not "},
                 {"--frames", "0", "--frames takes a number from 1 on, not 0"},
                 {"--play", "3+Space 4+Spcae", "--play does not know the word 4+Spcae"},
                 {"--play", "3@4", "--play does not know the word 3@4"},
                 {"--play", "3@4,5x", "--play does not know the word 3@4,5x"},
                 {"--play", "Space", "--play does not know the word Space"},
                 {"--play", "3*Space", "--play does not know the word 3*Space"},
                 {"--play", "3+", "--play does not know the word 3+"}};
    play_without_window();
    SDL_LogSetOutputFunction(hear, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char name[] = "game", option[64], value[64], *words[] = {name, option, value};
        snprintf(option, sizeof option, "%s", cases[i].option);
        snprintf(value, sizeof value, "%s", cases[i].value ? cases[i].value : "");
        sayings = 0;
        game = pv_sdl_game_create("test", SIDE, SIDE, cases[i].value ? 3 : 2, words);
        ck_assert_str_eq(said, cases[i].sentence);
        ck_assert_int_eq(sayings, 1);
        ck_assert(game->failed && !game->window && !pv_sdl_game_frame(game));
        pv_sdl_game_draw(game, NULL);
        pv_sdl_game_present(game);
        end_game(2);
    }
}

START_TEST(a_null_game_ends_the_loop) {
    ck_assert(!pv_sdl_game_frame(NULL) && !pv_sdl_game_load_sprite(NULL, "peg.png") &&
              !pv_sdl_game_add_image(NULL, NULL));
    ck_assert(PV_ID_IS_NULL(pv_sdl_game_add_body(NULL, world, NULL, PV_BODY_STATIC, 0, 0)));
    ck_assert_int_eq(pv_sdl_game_step(NULL, world), PV_ERROR_ARGUMENT);
    ck_assert(!pv_sdl_game_is_down(NULL, SDL_SCANCODE_A) &&
              !pv_sdl_game_was_pressed(NULL, SDL_SCANCODE_A));
    ck_assert_double_eq(pv_sdl_game_get_axis(NULL, SDL_SCANCODE_A, SDL_SCANCODE_D), 0);
    pv_sdl_game_draw(NULL, world);
    pv_sdl_game_draw_text(NULL, 0, 0, "%d", 1);
    pv_sdl_game_present(NULL);
    ck_assert_int_eq(pv_sdl_game_destroy(NULL), 2);
    pv_body_def def = pv_sdl_sprite_get_body_def(NULL, PV_BODY_STATIC, 1, 2);
    ck_assert(!def.mask && !def.user_data);
}

static void push_axis(int axis, int value) {
    push((SDL_Event){
        .caxis = {.type = SDL_CONTROLLERAXISMOTION, .axis = (Uint8)axis, .value = (Sint16)value}});
}

static void push_button(int button, Uint32 type) {
    push((SDL_Event){.cbutton = {.type = type, .button = (Uint8)button}});
}

static double across(void) {
    ck_assert(pv_sdl_game_frame(game));
    return pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
}

/// Tests sticks, cross and buttons of a game pad. Small deflections count as rest, and keys win.
START_TEST(game_pads_are_keys_and_axes) {
    game = open_game(0, "");
    push_axis(SDL_CONTROLLER_AXIS_LEFTX, 16384);
    ck_assert_double_eq_tol(across(), 0.5, 1e-3);
    ck_assert_double_eq(pv_sdl_game_get_axis(game, SDL_SCANCODE_A, SDL_SCANCODE_D), 0);
    push_axis(SDL_CONTROLLER_AXIS_LEFTX, -3000);
    ck_assert_double_eq(across(), 0);
    push_axis(SDL_CONTROLLER_AXIS_LEFTY, -32767);
    ck_assert_double_eq(across(), 0);
    ck_assert_double_eq(pv_sdl_game_get_axis(game, SDL_SCANCODE_UP, SDL_SCANCODE_DOWN), -1);
    push_button(SDL_CONTROLLER_BUTTON_DPAD_LEFT, SDL_CONTROLLERBUTTONDOWN);
    push_axis(SDL_CONTROLLER_AXIS_LEFTX, 32767);
    ck_assert_double_eq(across(), -1);
    push_button(SDL_CONTROLLER_BUTTON_DPAD_LEFT, SDL_CONTROLLERBUTTONUP);
    push_button(SDL_CONTROLLER_BUTTON_B, SDL_CONTROLLERBUTTONDOWN);
    ck_assert_double_eq(across(), 1);
    ck_assert(pv_sdl_game_is_down(game, PV_SDL_PAD_B) && !pv_sdl_game_is_down(game, PV_SDL_PAD_A));
}

START_TEST(cameras_follow_and_stay_in_bounds) {
    pv_sdl_camera camera = pv_sdl_camera_default(renderer);
    const pv_box none = {{1, 1}, {0, 0}}, wide = {{0, 0}, {1000, 300}};
    double before = camera.top_left.x;
    camera.zoom = 2;               /* shows 100 x 100 px of the world */
    for (int i = 0; i < 27; i++) { /* 0.45 s */
        pv_sdl_camera_follow(&camera, PV_VEC2(550, 350), none, 1.0 / 60);
        ck_assert(camera.top_left.x > before && camera.top_left.x < 500);
        before = camera.top_left.x;
    }
    ck_assert_double_eq_tol(camera.top_left.x, 450, 10);
    ck_assert_double_eq_tol(camera.top_left.y, 270, 6);
    pv_sdl_camera_follow(&camera, PV_VEC2(2000, 350), wide, INFINITY);
    ck_assert_vec_eq_tol(camera.top_left, 900, 200, 1e-12);
    pv_sdl_camera_follow(&camera, PV_VEC2(-5, -5), wide, INFINITY);
    ck_assert(camera.top_left.x == 0 && camera.top_left.y == 0);
    pv_sdl_camera_follow(&camera, PV_VEC2(0, 0), (pv_box){{20, 30}, {80, 50}}, INFINITY);
    ck_assert(camera.top_left.x == 0 && camera.top_left.y == -10);
}

/// Tests the letter T at twice its size, a newline, and that all letters differ.
START_TEST(text_is_drawn) {
    pv_sdl_draw_text(renderer, 10, 20, 2, 0xffffffff, "T\n\xff");
    for (int x = 12; x < 22; x++) ck_assert(is_lit(renderer, x, 20) && is_lit(renderer, x, 21));
    for (int y = 20; y < 34; y++) ck_assert(is_lit(renderer, 16, y) && is_lit(renderer, 17, y));
    ck_assert(!is_lit(renderer, 15, 24) && !is_lit(renderer, 18, 24) && !is_lit(renderer, 11, 20));
    const SDL_Rect below = {10, 36, 16, 16};
    ck_assert_int_gt(count_lit(renderer, &below), 0);
    ck_assert_int_eq(count_lit(renderer, &whole), 5 * 4 + 6 * 4 + count_lit(renderer, &below));
    for (int a = 33; a < 127; a++)
        for (int b = 32; b < a; b++)
            ck_assert_int_ne(SDL_memcmp(pv_sdl__get_glyph((char)a), pv_sdl__get_glyph((char)b), 8),
                             0);
}

/// F2 saves the picture on the screen.
START_TEST(screenshots_are_what_is_shown) {
    game = open_game(3, "1+F2");
    game->background = 0x305070ff;
    SDL_LogSetOutputFunction(hear, NULL);
    remove("screenshot_1.png");
    while (pv_sdl_game_frame(game)) {
        pv_sdl_game_draw(game, world);
        pv_sdl_game_draw_text(game, 10, 10, "%s %d", "L", 7);
        pv_sdl_game_present(game);
    }
    ck_assert_str_eq(said, "screenshot_1.png: saved");
    scoped_image *image = pv_image_load("screenshot_1.png", NULL, NULL);
    remove("screenshot_1.png");
    ck_assert(image && image->width == SIDE && image->height == SIDE);
    ck_assert_int_eq(SDL_memcmp(image->pixels, "\x30\x50\x70\xff", 4), 0);
    ck_assert_int_eq(SDL_memcmp(image->pixels + 4 * (12 * SIDE + 12), "\xff\xff\xff\xff", 4), 0);
}

/* ---- scenes ---- */

#define VIEW 240

typedef struct frame {
    unsigned char rgba[VIEW * VIEW][4];
} frame;

static frame f;

/// Renderer on a surface, scene, and world without gravity
typedef struct stage {
    SDL_Surface *page;
    SDL_Renderer *renderer;
    pv_sdl_scene *scene;
    pv_sdl_camera camera;
    pv_world *world;
    pv_sdl_sprite *sprites[4];
    int sprite_count;
} stage;

static stage open_stage(void) {
    stage s = {.page = SDL_CreateRGBSurfaceWithFormat(0, VIEW, VIEW, 32, SDL_PIXELFORMAT_RGBA32)};
    pv_error error;
    s.renderer = SDL_CreateSoftwareRenderer(s.page);
    ck_assert_msg(s.renderer != NULL, "%s", SDL_GetError());
    s.scene = pv_sdl_scene_create(s.renderer, &error);
    ck_assert_msg(s.scene && error.status == PV_OK, "%s", error.message);
    s.camera = pv_sdl_camera_default(s.renderer);
    s.world = world_under(0, 0);
    return s;
}

static void close_stage(stage *s) {
    while (s->sprite_count) pv_sdl_sprite_destroy(s->sprites[--s->sprite_count]);
    pv_sdl_scene_destroy(s->scene);
    pv_world_destroy(s->world);
    SDL_DestroyRenderer(s->renderer);
    SDL_FreeSurface(s->page);
    SDL_Quit();
}

#define scoped_stage __attribute__((cleanup(close_stage))) stage

static void draw_frame(stage *s, frame *in) {
    SDL_SetRenderDrawColor(s->renderer, 0, 0, 0, 255);
    SDL_RenderClear(s->renderer);
    ck_assert_msg(pv_sdl_scene_draw(s->scene, &s->camera, s->world), "%s", SDL_GetError());
    ck_assert_int_eq(
        SDL_RenderReadPixels(s->renderer, NULL, SDL_PIXELFORMAT_RGBA32, in->rgba, VIEW * 4), 0);
}

static bool shows_at(const frame *in, int x, int y) {
    const unsigned char *c = in->rgba[y * VIEW + x];
    return c[0] + c[1] + c[2] > 0;
}

static int count_differences(const frame *a, const frame *b) {
    int count = 0;
    for (int i = 0; i < VIEW * VIEW; i++) count += memcmp(a->rgba[i], b->rgba[i], 3) != 0;
    return count;
}

/// Makes a sprite whose pixel (x, y) has the color (x + 1, y + 1, kind). solid() says where.
static pv_sdl_sprite *make_sprite(stage *s, int w, int h, int kind) {
    scoped_image *image = pv_image_create(w, h, NULL, NULL);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double u = 2 * (x + 0.5) / w - 1, v = 2 * (y + 0.5) / h - 1;
            bool full = kind % 3 == 0 ? true : kind % 3 == 1 ? u * u + v * v < 1 : fabs(u) < v + 1;
            const unsigned char c[4] = {(unsigned char)(x + 1), (unsigned char)(y + 1),
                                        (unsigned char)kind, 255};
            if (full) memcpy(image->pixels + 4 * (y * w + x), c, 4);
        }
    pv_error error;
    pv_sdl_sprite *sprite = pv_sdl_sprite_from_image(s->renderer, image, &error);
    ck_assert_msg(sprite != NULL, "%s", error.message);
    return s->sprites[s->sprite_count++] = sprite;
}

static pv_body_id add(stage *s, pv_sdl_sprite *sprite, double x, double y, double angle,
                      pv_vec2 scale) {
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, PV_BODY_DYNAMIC, x, y);
    pv_error error;
    def.angle = angle;
    def.scale = scale;
    pv_body_id body = pv_body_create(s->world, &def, &error);
    ck_assert_msg(pv_body_is_valid(s->world, body), "%s", error.message);
    return body;
}

static pv_cut random_cut(uint64_t *seed) {
    pv_vec2 a = {next_between(seed, 0, VIEW), next_between(seed, 0, VIEW)},
            b = {next_between(seed, 0, VIEW), next_between(seed, 0, VIEW)};
    return next_unit(seed) < 0.5 ? pv_cut_line(a, b, next_between(seed, 3, 8))
                                 : pv_cut_circle(a, next_between(seed, 4, 14));
}

static void cut_body(stage *s, pv_body_id body, pv_cut cut) {
    pv_body_carve(s->world, body, &cut, NULL);
}

static void cut_all(stage *s, pv_cut cut) { pv_world_carve(s->world, &cut, NULL, NULL); }

static void fill(stage *s, pv_sdl_sprite *const sprites[3], uint64_t *seed) {
    for (int i = 0; i < 9; i++) {
        double size = i % 2 ? 1 : next_between(seed, 0.4, 1.8);
        pv_vec2 scale = {i % 4 == 3 ? -size : size, size * next_between(seed, 0.7, 1.3)};
        if (i % 2) scale.y = size;
        pv_body_id body =
            add(s, sprites[i % 3], next_between(seed, 30, 210), next_between(seed, 30, 210),
                i % 3 ? next_between(seed, -4, 4) : 0, scale);
        pv_body_set_velocity(s->world, body, PV_VEC2(next_between(seed, -40, 40), 20));
        pv_body_set_angular_velocity(s->world, body, next_between(seed, -2, 2));
    }
}

/* ---- what is drawn, pixel by pixel ---- */

/// Counts pixels that differ from the topmost body's mask; a sprite's blue tells which it is.
static int count_wrong_pixels(const stage *s, const frame *in) {
    static int top[VIEW * VIEW];
    int wrong = 0;
    memset(top, 0, sizeof top);
    pv_body_id body = pv_world_get_next_body(s->world, pv_null_body);
    for (; !PV_ID_IS_NULL(body); body = pv_world_get_next_body(s->world, body)) {
        pv_transform t = pv_body_get_transform(s->world, body);
        const pv_sdl_sprite *sprite = pv_body_get_user_data(s->world, body);
        pv_rect at;
        t.position = pv_sdl_camera_to_screen(&s->camera, t.position);
        t.scale = pv_vec2_scale(s->camera.zoom, t.scale);
        scoped_mask *drawn =
            pv_mask_transform(pv_body_get_mask(s->world, body), &t, &at, NULL, NULL);
        for (int i = 0; i < VIEW * VIEW; i++)
            if (pv_mask_get_pixel(drawn, i % VIEW - at.x, i / VIEW - at.y))
                top[i] = (int)(sprite->fill >> 8 & 255);
    }
    for (int i = 0; i < VIEW * VIEW; i++) wrong += in->rgba[i][2] != top[i];
    return wrong;
}

START_TEST(frames_are_the_pixels_that_collide) {
    int splits = 0;
    for (uint64_t round = 1; round <= 20; round++) {
        scoped_stage s = open_stage();
        uint64_t seed = round;
        pv_sdl_sprite *sprites[3] = {make_sprite(&s, 61, 43, 31), make_sprite(&s, 50, 50, 33),
                                     make_sprite(&s, 33, 70, 35)};
        fill(&s, sprites, &seed);
        s.camera.zoom = round % 4 == 0 ? 1.5 : round % 4 == 1 ? 2 : 1;
        s.camera.top_left = PV_VEC2(next_between(&seed, -9, 9), round % 2 ? 3 : 4.3);
        for (int step = 0; step < 12; step++) {
            if (step % 3 == 0) cut_all(&s, random_cut(&seed));
            step_well(s.world, 1.0 / 60);
            splits += pv_world_get_events(s.world).split_count;
            pv_sdl_scene_update(s.scene, s.world);
            if (step % 4 == 3) cut_all(&s, random_cut(&seed));
            if (step % 3 == 1) continue; /* two steps to a frame */
            draw_frame(&s, &f);
            int wrong = count_wrong_pixels(&s, &f);
            ck_assert_msg(wrong == 0, "round %d, step %d: %d px", (int)round, step, wrong);
        }
    }
    ck_assert_int_gt(splits, 60);
}

/// Counts the pixels that changed to another color than black. Sets how many turned black.
static int count_changed(const frame *before, const frame *after, int *black) {
    *black = 0;
    for (int i = 0; i < VIEW * VIEW; i++)
        *black +=
            memcmp(before->rgba[i], after->rgba[i], 3) && !shows_at(after, i % VIEW, i / VIEW);
    return count_differences(before, after) - *black;
}

START_TEST(parts_keep_their_part_of_the_picture) {
    static frame before, now, next;
    for (uint64_t round = 1; round <= 20; round++) {
        scoped_stage s = open_stage();
        uint64_t seed = round;
        pv_sdl_sprite *sprite = make_sprite(&s, 120, 90, 60 + 3 * (int)(round % 3));
        bool exact = s.scene->exact = round % 5 != 0, scaled = exact && round % 4 == 3;
        pv_vec2 scale = {scaled ? -1.5 : 1, scaled ? 1.3 : 1};
        add(&s, sprite, 117.3, 118.8, exact ? next_between(&seed, -3, 3) : 0, scale);
        draw_frame(&s, &before);
        for (int cuts = 0; cuts < 4; cuts++) {
            pv_vec2 a = {next_between(&seed, 60, 180), 20}, b = {next_between(&seed, 60, 180), 220};
            pv_cut cut = cuts % 2 ? pv_cut_line(PV_VEC2(a.y, a.x), PV_VEC2(b.y, b.x), 4)
                                  : pv_cut_line(a, b, 4);
            int black, black_then;
            pv_world_carve(s.world, &cut, NULL, NULL);
            draw_frame(&s, &now); /* before its events */
            int changed = count_changed(&before, &now, &black);
            ck_assert_msg(changed == 0, "round %d, cut %d: %d px", (int)round, cuts, changed);
            ck_assert_int_gt(black, 20);
            step_well(s.world, 1.0 / 60);
            pv_sdl_scene_update(s.scene, s.world);
            draw_frame(&s, &next);
            ck_assert_int_eq(count_changed(&before, &next, &black_then), 0);
            ck_assert_int_eq(black, black_then);
            before = next;
        }
        ck_assert_int_gt(pv_world_get_stats(s.world).bodies, 4);
    }
}

START_TEST(restored_worlds_look_as_they_did) {
    static frame then, later, restored;
    for (unsigned flags = 0; flags <= PV_SNAPSHOT_PIXELS; flags++) {
        scoped_stage s = open_stage();
        uint64_t seed = 3;
        pv_sdl_sprite *sprite = make_sprite(&s, 100, 80, 70);
        add(&s, sprite, 80, 80, 0.4, PV_VEC2(1, 1));
        add(&s, sprite, 160, 170, -0.8, PV_VEC2(1, 1));
        scoped_keepsake kept = {0};
        for (int i = 0; i < 40; i++) {
            if (i % 2) cut_all(&s, random_cut(&seed));
            step_well(s.world, 1.0 / 60);
            pv_sdl_scene_update(s.scene, s.world);
            if (i != 20) continue;
            draw_frame(&s, &then);
            keep_world(s.world, flags, &kept);
        }
        draw_frame(&s, &later);
        ck_assert_int_gt(count_differences(&then, &later), 100);
        recall_world(s.world, &kept);
        draw_frame(&s, &restored);
        ck_assert_int_eq(count_differences(&then, &restored), 0);
    }
}

/* ---- textures ---- */

/// Textures in quarter turns at whole scales are exact, as SDL draws them by pixel centers.
START_TEST(textures_are_exact_in_quarter_turns) {
    for (uint64_t round = 1; round <= 40; round++) {
        scoped_stage s = open_stage();
        uint64_t seed = round;
        pv_sdl_sprite *sprite = make_sprite(&s, 41 + (int)(round % 2), 30, 34);
        s.scene->exact = false;
        s.camera.zoom = 1 + (double)(round % 3);
        s.camera.top_left = PV_VEC2(next_between(&seed, 0, 9), round % 3 * 0.5);
        for (int i = 0; i < 6; i++) {
            double half = i % 2 ? 0.5 : next_unit(&seed), size = 1 + i % 2;
            pv_vec2 scale = {(i & 2) ? -size : size, (i & 4) ? -1 : 1};
            pv_body_id body = add(&s, sprite, 40 + 12 * i + half, next_between(&seed, 20, 60),
                                  ((int)round + i) % 4 * (acos(-1) / 2), scale);
            if (i > 2) cut_body(&s, body, pv_cut_circle(pv_body_get_position(s.world, body), 5));
        }
        draw_frame(&s, &f);
        int wrong = count_wrong_pixels(&s, &f);
        ck_assert_msg(wrong == 0, "round %d: %d px", (int)round, wrong);
        ck_assert_int_eq(s.scene->texture_count, 3);
    }
}

/// A cut uploads little more than its rectangle, and destroyed bodies release their textures.
START_TEST(only_what_changed_is_uploaded) {
    scoped_stage s = open_stage();
    pv_sdl_sprite *sprite = make_sprite(&s, 200, 200, 33);
    s.scene->exact = false;
    pv_body_id body = add(&s, sprite, 120, 120, 0, PV_VEC2(1, 1));
    draw_frame(&s, &f);
    ck_assert_int_eq(s.scene->texture_count, 0);
    cut_body(&s, body, pv_cut_circle(PV_VEC2(80, 80), 6));
    draw_frame(&s, &f);
    ck_assert_int_eq(s.scene->texture_count, 1);
    ck_assert_int_eq(s.scene->upload_count, 200 * 200);
    cut_body(&s, body, pv_cut_circle(PV_VEC2(150, 160), 6));
    step_well(s.world, 1.0 / 60);
    draw_frame(&s, &f);
    ck_assert_int_gt(s.scene->upload_count, 200 * 200);
    ck_assert_int_le(s.scene->upload_count, 200 * 200 + 32 * 16);
    ck_assert(!shows_at(&f, 80, 80) && !shows_at(&f, 150, 160) && shows_at(&f, 120, 120));
    int64_t uploaded = s.scene->upload_count;
    draw_frame(&s, &f);
    ck_assert_int_eq(s.scene->upload_count, uploaded);
    cut_body(&s, body, pv_cut_line(PV_VEC2(0, 120), PV_VEC2(240, 120), 5));
    draw_frame(&s, &f);
    ck_assert_int_eq(s.scene->texture_count, 2);
    pv_body_destroy(s.world, body);
    pv_sdl_scene_update(s.scene, s.world);
    ck_assert_int_eq(s.scene->texture_count, 1);
    pv_world_destroy(s.world);
    s.world = pv_world_create(NULL, NULL);
    draw_frame(&s, &f);
    ck_assert_int_eq(s.scene->texture_count, 0);
}

START_TEST(hundreds_of_parts_are_drawn) {
    static frame before, after;
    scoped_stage s = open_stage();
    pv_sdl_sprite *sprite = make_sprite(&s, 195, 195, 33);
    s.scene->exact = false;
    for (int round = 0; round < 4; round++) {
        add(&s, sprite, 120.3, 120.3, 0, PV_VEC2(1, 1));
        draw_frame(&s, &before);
        for (int i = 1; i < 13; i++) {
            double at = 22.5 + 15 * i;
            cut_all(&s, pv_cut_line(PV_VEC2(at, 0), PV_VEC2(at, 240), 3));
            cut_all(&s, pv_cut_line(PV_VEC2(0, at), PV_VEC2(240, at), 3));
        }
        if (round % 2) step_well(s.world, 1.0 / 60);
        draw_frame(&s, &after);
        int black;
        ck_assert_int_eq(count_changed(&before, &after, &black), 0);
        ck_assert_int_gt(black, 20 * 195 * 3);
        ck_assert_int_eq(s.scene->texture_count, pv_world_get_stats(s.world).bodies);
        ck_assert_int_ge(s.scene->texture_count, 149);
        pv_body_id body = pv_world_get_next_body(s.world, pv_null_body);
        for (; !PV_ID_IS_NULL(body); body = pv_world_get_next_body(s.world, pv_null_body))
            pv_body_destroy(s.world, body);
        pv_sdl_scene_update(s.scene, s.world);
        ck_assert_int_eq(s.scene->texture_count, 0);
    }
}

START_TEST(another_life_begins_anew) {
    scoped_stage s = open_stage();
    pv_sdl_sprite *sprite = make_sprite(&s, 90, 60, 33);
    scoped_mask *tall = box_mask(20, 80), *half = box_mask(45, 60);
    for (int round = 0; round < 6; round++) {
        add(&s, sprite, 120, 120, 0, PV_VEC2(1, 1));
        pv_body_id second = add(&s, sprite, 120, 40, 0, PV_VEC2(1, 1));
        if (round % 2) pv_body_destroy(s.world, second);
        cut_all(&s, pv_cut_line(PV_VEC2(110, 80), PV_VEC2(110, 160), 4));
        step_well(s.world, 1.0 / 60);
        draw_frame(&s, &f);
        ck_assert_int_eq(count_wrong_pixels(&s, &f), 0);
        ck_assert_int_eq(f.rgba[120 * VIEW + 80][0], 80 - 75 + 1);
        ck_assert_int_eq(f.rgba[120 * VIEW + 150][0], 150 - 75 + 1);
        if (round % 2 == 0) {
            pv_body_set_mask(s.world, second, round ? tall : half, PV_VEC2(0, 0));
            draw_frame(&s, &f);
            ck_assert_int_eq(count_wrong_pixels(&s, &f), 0);
        }
        pv_world_destroy(s.world);
        s.world = world_under(0, 0);
    }
}

/* ---- colors ---- */

/// A carved body keeps its soft rim, except along the cut. Added pixels are opaque.
START_TEST(soft_rims_stay_next_to_solid_pixels) {
    scoped_stage s = open_stage();
    pv_image *image = pv_image_create(40, 40, NULL, NULL);
    for (int i = 0; i < 40 * 40; i++) {
        int x = i % 40, y = i / 40;
        int rim = abs(2 * x - 39) > abs(2 * y - 39) ? abs(2 * x - 39) : abs(2 * y - 39);
        const unsigned char c[4] = {200, 100, 50, rim < 20 ? 255 : rim < 30 ? 100 : 0};
        memcpy(image->pixels + 4 * i, c, 4);
    }
    pv_sdl_sprite *sprite = pv_sdl_sprite_from_image(s.renderer, image, NULL);
    pv_image_destroy(image);
    ck_assert_uint_eq(sprite->fill, 0xc86432ff);
    pv_body_id body = add(&s, sprite, 120, 120, 0, PV_VEC2(1, 1));
    draw_frame(&s, &f);
    ck_assert(shows_at(&f, 109, 120) && shows_at(&f, 106, 120) && !shows_at(&f, 104, 120));
    cut_body(&s, body, pv_cut_box(PV_VEC2(120, 100), PV_VEC2(140, 140)));
    draw_frame(&s, &f);
    ck_assert(shows_at(&f, 119, 120) && !shows_at(&f, 120, 120) && !shows_at(&f, 121, 120));
    ck_assert(shows_at(&f, 109, 120) && !shows_at(&f, 106, 120) && !shows_at(&f, 130, 120));
    pv_cut back = WITH(pv_cut_box(PV_VEC2(125, 104), PV_VEC2(140, 140)), it.add = true);
    pv_body_carve(s.world, body, &back, NULL);
    draw_frame(&s, &f);
    ck_assert_int_eq(f.rgba[120 * VIEW + 128][0], 200);
    ck_assert_int_eq(f.rgba[104 * VIEW + 128][0], 200);
    ck_assert(!shows_at(&f, 122, 120));
    pv_sdl_sprite_destroy(sprite);
}

static const pv_sdl_sprite *sprite_of_nothing(const pv_world *of, pv_body_id body) {
    (void)of, (void)body;
    return NULL;
}

START_TEST(bodies_without_a_sprite_have_a_color) {
    static pv_sdl_sprite empty;
    for (int exact = 0; exact <= 1; exact++) {
        scoped_stage s = open_stage();
        s.scene->exact = exact;
        s.scene->body_color = 0x11aa22ff;
        scoped_mask *disc = disc_mask(20);
        pv_body_def def = pv_body_def_at(PV_BODY_DYNAMIC, disc, 60, 60);
        pv_body_create(s.world, &def, NULL);
        def = WITH(pv_body_def_at(PV_BODY_DYNAMIC, disc, 160, 60), it.user_data = &empty);
        pv_body_create(s.world, &def, NULL);
        def = WITH(pv_body_def_at(PV_BODY_DYNAMIC, disc, 60, 160), it.enabled = false);
        pv_body_create(s.world, &def, NULL);
        draw_frame(&s, &f);
        for (int i = 0; i < VIEW * VIEW; i++) {
            double x = i % VIEW + 0.5 - 60, y = i / VIEW + 0.5 - 60;
            ck_assert_int_eq(f.rgba[i][1], x * x + y * y <= 400 ? 0xaa : 0);
        }
        s.scene->get_sprite = sprite_of_nothing;
        draw_frame(&s, &f);
        ck_assert(shows_at(&f, 160, 60) && shows_at(&f, 60, 60) && !shows_at(&f, 60, 160));
    }
}

/* ---- matter ---- */

static bool has_color(const frame *in, double x, double y, pv_color color) {
    const unsigned char *c = in->rgba[(int)y * VIEW + (int)x];
    return PV_RGBA(c[0], c[1], c[2], 255) == color;
}

START_TEST(ropes_are_visible) {
    scoped_stage s = open_stage();
    pv_composite_id composite = CREATE(rope, s.world, it.from = pv_anchor_world(PV_VEC2(40, 40)),
                                       it.to = pv_anchor_world(PV_VEC2(200, 60)));
    ck_assert(pv_composite_is_valid(s.world, composite));
    pv_body_id ball = put(s.world, disc_mask(8), 120, 180, of_type(PV_BODY_DYNAMIC));
    pv_joint_id joint = pv_joint_create_rope(s.world, pv_anchor_world(PV_VEC2(40, 120)),
                                             pv_anchor_body(ball, PV_VEC2(120, 180)), -1);
    ck_assert(pv_joint_is_valid(s.world, joint));
    draw_frame(&s, &f);
    for (double t = 0; t <= 1; t += 1.0 / 64) {
        pv_vec2 a = pv_vec2_lerp(PV_VEC2(40, 40), PV_VEC2(200, 60), t),
                b = pv_vec2_lerp(PV_VEC2(40, 120), PV_VEC2(120, 180), t);
        ck_assert(has_color(&f, a.x, a.y, s.scene->rope_color));
        ck_assert(has_color(&f, b.x, b.y, s.scene->rope_color));
    }
    pv_composite_destroy(s.world, composite);
    pv_joint_destroy(s.world, joint);
    draw_frame(&s, &f);
    ck_assert(!shows_at(&f, 120, 50) && !shows_at(&f, 80, 150) && shows_at(&f, 120, 180));
}

START_TEST(polygons_are_filled) {
    scoped_stage s = open_stage();
    const pv_vec2 arrow[] = {{40.3, 40}, {200, 100.2}, {40, 160.7}, {90, 100}};
    put_polygon(s.world, arrow, 4);
    draw_frame(&s, &f);
    int wrong = 0;
    for (int i = 0; i < VIEW * VIEW; i++) {
        double x = i % VIEW + 0.5, y = i / VIEW + 0.5;
        bool inside = false;
        for (int a = 3, b = 0; b < 4; a = b++)
            if ((arrow[a].y > y) != (arrow[b].y > y) &&
                x < arrow[a].x +
                        (y - arrow[a].y) / (arrow[b].y - arrow[a].y) * (arrow[b].x - arrow[a].x))
                inside = !inside;
        wrong += has_color(&f, i % VIEW, i / VIEW, s.scene->polygon_color) != inside;
        wrong += shows_at(&f, i % VIEW, i / VIEW) != inside;
    }
    ck_assert_int_eq(wrong, 0);
}

/// Cloth shows its texture if it has one. Corner particles and joints are not drawn over it.
START_TEST(cloth_shows_its_texture) {
    scoped_stage s = open_stage();
    pv_composite_id cloth = CREATE(cloth, s.world, it.top_left = PV_VEC2(50, 50));
    ck_assert(pv_composite_is_valid(s.world, cloth));
    draw_frame(&s, &f);
    ck_assert(has_color(&f, 60, 60, s.scene->composite_color));
    static unsigned char green[4 * 4 * 4];
    for (int i = 0; i < 16; i++) memcpy(green + 4 * i, "\x20\xc0\x40\xff", 4);
    SDL_Texture *texture =
        SDL_CreateTexture(s.renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, 4, 4);
    SDL_UpdateTexture(texture, NULL, green, 16);
    ck_assert(pv_sdl_scene_set_composite_texture(s.scene, cloth, texture));
    draw_frame(&s, &f);
    int count = 0, other = 0;
    for (int i = 0; i < VIEW * VIEW; i++) {
        bool lit = shows_at(&f, i % VIEW, i / VIEW);
        count += lit;
        other += lit && !has_color(&f, i % VIEW, i / VIEW, 0x20c040ff);
    }
    ck_assert_int_gt(count, 400);
    ck_assert_int_eq(other, 0);
}

START_TEST(liquids_debris_and_jelly_are_visible) {
    scoped_stage s = open_stage();
    pv_liquid_id liquid = CREATE_FROM(liquid, s.world, pv_liquid_def_default());
    pv_particle_def def =
        WITH(pv_particle_def_default(), it.radius = 4, it.position = PV_VEC2(30, 30));
    pv_particle_id drop = pv_particle_create(s.world, &def, NULL);
    ck_assert_int_eq(pv_liquid_add_particle(s.world, liquid, drop), PV_OK);
    def.position = PV_VEC2(60, 30);
    pv_particle_create(s.world, &def, NULL);
    ck_assert(pv_sdl_scene_set_liquid_color(s.scene, liquid, 0x4060f0ff));
    pv_jelly_def jelly = pv_jelly_def_default();
    scoped_mask *block = box_mask(40, 40);
    jelly.mask = block;
    jelly.position = PV_VEC2(180, 60);
    ck_assert(pv_composite_is_valid(s.world, pv_jelly_create(s.world, &jelly, NULL)));
    pv_sdl_sprite *sprite = make_sprite(&s, 40, 40, 33);
    pv_body_id body = add(&s, sprite, 120, 180, 0, PV_VEC2(1, 1));
    pv_fracture_def fracture =
        WITH(pv_fracture_def_default(), it.spawn_debris = true, it.min_part_pixels = 60);
    pv_body_set_fracture(s.world, body, &fracture);
    pv_cut cut = pv_cut_line(PV_VEC2(104, 150), PV_VEC2(104, 210), 6); /* leaves a strip of 1 px */
    pv_carve_result result;
    pv_body_carve(s.world, body, &cut, &result);
    ck_assert_int_gt(result.debris_particles, 0);
    draw_frame(&s, &f);
    ck_assert(has_color(&f, 30, 30, 0x4060f0ff) && has_color(&f, 33, 30, 0x4060f0ff));
    ck_assert(has_color(&f, 60, 30, s.scene->particle_color) && !shows_at(&f, 66, 30));
    ck_assert(shows_at(&f, 180, 60));
    int debris = 0;
    for (int y = 150; y < 210; y++)
        for (int x = 90; x < 104; x++) debris += has_color(&f, x, y, s.scene->particle_color);
    ck_assert_int_gt(debris, 10);
}

RUN_TESTS_IN("sdl", open_renderer, close_renderer, 1)

#else

int main(void) {
    puts("1..0 # SKIP built without SDL");
    return 0;
}

#endif
