/* test_grains_draw.c - grains on a canvas, and with SDL's software renderer.
 *
 * Invariant: each pixel is mapped back to the world, and a loop over all grains finds its color.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "guarded_canvas.h"

#define WIDE 96
#define HIGH 64
#define GRAINS 300

/// Columns of made-up grains, with empty slots and several grains in a pixel
typedef struct heap_of_grains {
    int32_t x[GRAINS], y[GRAINS];
    uint32_t color[GRAINS];
    pv_grains_view view;
} heap_of_grains;

/// Scatters grains over pixels (-20...59, -10...39), some of them on pixel edges.
static void scatter(heap_of_grains *g, uint64_t seed, uint32_t alpha) {
    for (int i = 0; i < GRAINS; i++) {
        int rest[3] = {0, 65535, next_int(&seed, 0, 65535)};
        g->x[i] = next_int(&seed, -20, 59) * 65536 + rest[i % 3];
        g->y[i] = next_int(&seed, -10, 39) * 65536 + rest[i / 3 % 3];
        g->color[i] = (uint32_t)next_random(&seed) << 8 | alpha;
        if (i % 7 == 3) g->y[i] = PV_GRAIN_NONE;
    }
    g->view = (pv_grains_view){.count = GRAINS, .x = g->x, .y = g->y, .color = g->color};
}

/// Returns the color of the last grain in the same world pixel as a point, or 0.
static uint32_t color_at(const heap_of_grains *g, double x, double y) {
    for (int i = GRAINS - 1; i >= 0; i--)
        if (g->y[i] != PV_GRAIN_NONE && floor(g->x[i] / 65536.0) == floor(x) &&
            floor(g->y[i] / 65536.0) == floor(y))
            return g->color[i];
    return 0;
}

static uint32_t packed(const unsigned char *rgba) {
    return PV_RGBA(rgba[0], rgba[1], rgba[2], rgba[3]);
}

/* ---- canvas ---- */

/// Checks each pixel of a canvas at zooms of 1 and more, for which binary fractions are exact.
START_TEST(grains_cover_their_pixels) {
    static const double zooms[] = {1, 2, 1.5, 3.25, 8, 64}, lefts[] = {0, -7, 3.25, -0.5, 0.75};
    heap_of_grains g;
    for (int i = 0; i < 6 * 5; i++) {
        scoped_canvas e = make_canvas(WIDE, HIGH, i % 2);
        double zoom = zooms[i / 5], left = lefts[i % 5], top = lefts[(i + 2) % 5];
        scatter(&g, 100 + (uint64_t)i, 255);
        ck_assert_int_eq(pv_canvas_draw_grains(&e.canvas, &g.view, (pv_vec2){left, top}, zoom),
                         PV_OK);
        for (int y = 0; y < HIGH; y++)
            for (int x = 0; x < WIDE; x++)
                ck_assert_msg(packed(at(&e, x, y)) ==
                                  color_at(&g, (x + .5) / zoom + left, (y + .5) / zoom + top),
                              "(%d, %d) at zoom %g", x, y, zoom);
        if (zoom < 4) ck_assert_int_gt(drawn(&e), 0);
    }
}

/// Grains and masks cover the same pixels, so they meet without a gap. No center lies on an edge.
START_TEST(grains_cover_what_masks_cover) {
    static const double zooms[] = {1, 1.3, 2.7, 5};
    scoped_mask *pixel = box_mask(1, 1);
    uint64_t seed = 5;
    for (int i = 0; i < 400; i++) {
        guarded_canvas a = make_canvas(WIDE, HIGH, false), b = make_canvas(WIDE, HIGH, false);
        double zoom = zooms[i % 4], left = next_int(&seed, -900, 900) / 97.03;
        int32_t x = next_int(&seed, 0, 20), y = next_int(&seed, 0, 20);
        int32_t at_x = x * 65536 + 1, at_y = y * 65536 + 65535;
        const uint32_t red = 0xff0000ff;
        pv_grains_view view = {.count = 1, .x = &at_x, .y = &at_y, .color = &red};
        pv_transform placed = pv_transform_identity();
        placed.position = (pv_vec2){(x - left) * zoom, (y + .31) * zoom};
        placed.scale = (pv_vec2){zoom, zoom};
        pv_canvas_draw_grains(&a.canvas, &view, (pv_vec2){left, -.31}, zoom);
        pv_canvas_draw_mask(&b.canvas, pixel, &placed, red);
        for (int k = 0; k < WIDE * HIGH; k++)
            ck_assert(packed(at(&a, k % WIDE, k / WIDE)) == packed(at(&b, k % WIDE, k / WIDE)));
        free_canvas(&a);
        free_canvas(&b);
    }
}

START_TEST_FOR(reduced_grains_stay_visible, i, 3) {
    static const double zooms[] = {.5, .3, 1 / 64.0};
    for (int x = 1; x < 900; x += 7) {
        guarded_canvas e = make_canvas(WIDE, HIGH, false);
        int32_t at_x = x * 65536, at_y = 40 * 65536;
        const uint32_t white = 0xffffffff;
        pv_grains_view view = {.count = 1, .x = &at_x, .y = &at_y, .color = &white};
        pv_canvas_draw_grains(&e.canvas, &view, (pv_vec2){0, 0}, zooms[i]);
        double u = (x + .5) * zooms[i], v = 40.5 * zooms[i];
        if (u > WIDE - 2) {
            free_canvas(&e);
            break;
        }
        ck_assert_int_eq(drawn(&e), 1);
        bool near = false;
        for (int k = 0; k < 9; k++) {
            int px = (int)u + k % 3 - 1, py = (int)v + k / 3 - 1;
            near |= px >= 0 && py >= 0 && at(&e, px, py)[3] == 255;
        }
        ck_assert_msg(near, "x = %d at zoom %g", x, zooms[i]);
        free_canvas(&e);
    }
}

START_TEST(grains_blend) {
    scoped_canvas e = make_canvas(3, 1, false);
    const int32_t x[3] = {0, 65536, 65536}, y[3] = {0, 0, 0};
    const uint32_t color[3] = {0xff000080, 0x00ff0000, 0x0000ff80};
    pv_grains_view view = {.count = 3, .x = x, .y = y, .color = color};
    const double share = 128 / 255.0;
    pv_canvas_clear(&e.canvas, 0x204060ff);
    ck_assert_int_eq(pv_canvas_draw_grains(&e.canvas, &view, (pv_vec2){0, 0}, 1), PV_OK);
    for (int i = 0; i < 3; i++) {
        double rest = 0x20 * (i + 1) * (1 - share);
        ck_assert_int_eq(at(&e, 0, 0)[i], (int)((i == 0) * 255 * share + rest + .5));
        ck_assert_int_eq(at(&e, 1, 0)[i], (int)((i == 2) * 255 * share + rest + .5));
        ck_assert_int_eq(at(&e, 2, 0)[i], 0x20 * (i + 1));
    }
}

START_TEST(bad_arguments_are_refused) {
    heap_of_grains g;
    scatter(&g, 9, 255);
    scoped_canvas e = make_canvas(WIDE, HIGH, false);
    const pv_canvas *c = &e.canvas;
    const pv_vec2 origin = {0, 0}, far = {1e300, 0}, farther = {-1e7, 3};
    pv_grains_view bad = g.view, none = {0};
    bad.color = NULL;
    ck_assert_int_eq(pv_canvas_draw_grains(c, &bad, origin, 1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_canvas_draw_grains(c, &g.view, origin, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_canvas_draw_grains(c, &g.view, origin, 65), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_canvas_draw_grains(c, &none, origin, 1), PV_OK);
    ck_assert_int_eq(pv_canvas_draw_grains(c, &g.view, far, 64), PV_OK);
    ck_assert_int_eq(pv_canvas_draw_grains(c, &g.view, farther, 64), PV_OK);
    ck_assert_int_eq(drawn(&e), 0);
}

/* ---- SDL ---- */

#ifdef HAVE_SDL2
#define SDL_MAIN_HANDLED
#include "pixverlet/sdl.h"

/// Compares each pixel of a renderer's picture with the grains of a world.
static void compare(SDL_Renderer *from, const pv_grains_view *view, pv_vec2 corner, double zoom) {
    static unsigned char rgba[WIDE * HIGH * 4];
    const SDL_Rect all = {0, 0, WIDE, HIGH};
    ck_assert_int_eq(SDL_RenderReadPixels(from, &all, SDL_PIXELFORMAT_RGBA32, rgba, WIDE * 4), 0);
    for (int i = 0; i < WIDE * HIGH; i++) {
        double x = floor((i % WIDE + .5) / zoom + corner.x),
               y = floor((i / WIDE + .5) / zoom + corner.y);
        uint32_t wanted = 0x102030ff;
        for (int k = 0; k < view->count; k++)
            if (view->y[k] != PV_GRAIN_NONE && floor(view->x[k] / 65536.0) == x &&
                floor(view->y[k] / 65536.0) == y)
                wanted = view->color[k];
        ck_assert_msg(packed(rgba + 4 * (ptrdiff_t)i) == wanted,
                      "(%d, %d) at zoom %g: %08x, not %08x", i % WIDE, i / WIDE, zoom,
                      packed(rgba + 4 * (ptrdiff_t)i), wanted);
    }
}

static pv_grains_id pour(pv_world *world, int count, uint64_t seed) {
    pv_grains_def def = pv_grains_def_default();
    pv_grains_id grains = pv_grains_create(world, &def, NULL);
    for (int i = 0; i < count; i++) {
        pv_grain grain = {{next_int(&seed, 0, 60), next_int(&seed, 0, 30)},
                          {next_int(&seed, -60, 60), 0},
                          (uint32_t)next_random(&seed) | 255};
        ck_assert_int_eq(pv_grains_emit(world, grains, &grain, 1), PV_OK);
    }
    return grains;
}

static SDL_Renderer *open_renderer(SDL_Surface **page) {
    *page = SDL_CreateRGBSurfaceWithFormat(0, WIDE, HIGH, 32, SDL_PIXELFORMAT_RGBA32);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(*page);
    ck_assert_msg(renderer != NULL, "%s", SDL_GetError());
    return renderer;
}

static void close_renderer(SDL_Renderer *renderer, SDL_Surface *page) {
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(page);
    SDL_Quit();
}

START_TEST(layers_show_the_grains_of_now) {
    SDL_Surface *page;
    SDL_Renderer *renderer = open_renderer(&page);
    scoped_world *world = pv_world_create(NULL, NULL);
    pv_grains_id grains = pour(world, GRAINS, 3);
    pv_sdl_grain_layer *layer = pv_sdl_grain_layer_create();
    pv_sdl_camera camera = pv_sdl_camera_default(renderer);
    SDL_Texture *texture = NULL;
    for (int frame = 0; frame < 24; frame++) {
        if (frame == 18) {
            pv_grains_destroy(world, grains);
            grains = pour(world, 0, 0);
        }
        SDL_SetRenderDrawColor(renderer, 0x10, 0x20, 0x30, 255);
        SDL_RenderClear(renderer);
        camera.zoom = frame < 6 ? 1 : frame < 12 ? 2 : 2.5;
        camera.top_left = (pv_vec2){frame * .25, frame % 4 * -.5};
        ck_assert(pv_sdl_draw_grains(&camera, layer, world, grains));
        ck_assert(!texture || texture == layer->texture);
        texture = layer->texture;
        pv_grains_view view = pv_grains_get_view(world, grains);
        ck_assert(frame >= 18 || view.count == GRAINS);
        compare(renderer, &view, camera.top_left, camera.zoom);
        step_well(world, 1 / 60.0);
    }
    pv_sdl_grain_layer_destroy(layer);
    pv_sdl_grain_layer_destroy(NULL);
    close_renderer(renderer, page);
}

START_TEST(layers_without_an_object_are_refused) {
    SDL_Surface *page;
    SDL_Renderer *renderer = open_renderer(&page);
    pv_sdl_grain_layer *layer = pv_sdl_grain_layer_create();
    pv_sdl_camera camera = pv_sdl_camera_default(renderer);
    ck_assert(!pv_sdl_draw_grains(NULL, layer, NULL, (pv_grains_id){0, 0}));
    ck_assert(!pv_sdl_draw_grains(&camera, NULL, NULL, (pv_grains_id){0, 0}));
    ck_assert(pv_sdl_draw_grains(&camera, layer, NULL, (pv_grains_id){0, 0}));
    pv_sdl_grain_layer_destroy(layer);
    close_renderer(renderer, page);
}

#endif

RUN_TESTS("grains_draw")
