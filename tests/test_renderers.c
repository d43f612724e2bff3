/* test_renderers.c - turned masks against renderers: pixman's nearest filter, and SDL's OpenGL
 * renderer, which needs the argument gl and the display of renderers.sh.
 *
 * Invariant: a pixel may differ only if its center, mapped back in long double, is near a texel's
 * edge. Pixman's matrices are 16.16, so 1/256 texel is near. OpenGL snaps corners to 1/256 px, so
 * 1/128 px of the screen is near. Exactly on an edge, the library takes the right and lower texel,
 * and pixman the other one.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "support.h"

#ifdef HAVE_PIXMAN
#include <pixman.h>
#endif
#ifdef HAVE_SDL2
#define SDL_MAIN_HANDLED
#include <SDL.h>
#endif

#if defined(HAVE_PIXMAN) || defined(HAVE_SDL2)

static pv_mask *random_mask(int most) {
    pv_mask *mask = pv_mask_create(any_int(1, most), any_int(1, most), NULL, NULL);
    int percent = any_int(0, 3) ? 50 : 100, w = pv_mask_get_width(mask);
    for (int i = 0; i < w * pv_mask_get_height(mask); i++)
        if (any_int(0, 99) < percent) pv_mask_set_pixel(mask, i % w, i / w, true);
    return mask;
}

/// Returns a random transform: any angle or quarter turns, half of them scaled, any flip.
static pv_transform random_pose(const pv_mask *mask, double x, double y) {
    pv_transform t = pv_transform_identity();
    t.position = pv__vec(x, y);
    t.rotation = pv__rotation(any_int(0, 9) ? any_within(7) : any_int(-4, 4) * (PV__PI / 2));
    t.pivot = pv__vec(pv_mask_get_width(mask) * any_unit(), pv_mask_get_height(mask) * any_unit());
    if (any_int(0, 1)) t.scale = pv__vec(0.4 + 2 * any_unit(), 0.4 + 2 * any_unit());
    if (any_int(0, 1)) t.scale.x = -t.scale.x;
    if (any_int(0, 1)) t.scale.y = -t.scale.y;
    return t;
}

/// Computes the distance of a world pixel's center from a texel's edge, along each axis [texel].
static void to_edges(const pv_transform *t, int x, int y, long double out[2]) {
    long double rx = x + 0.5L - t->position.x, ry = y + 0.5L - t->position.y;
    long double u = t->pivot.x + (t->rotation.c * rx + t->rotation.s * ry) / t->scale.x;
    long double v = t->pivot.y + (t->rotation.c * ry - t->rotation.s * rx) / t->scale.y;
    out[0] = fabsl(u - roundl(u));
    out[1] = fabsl(v - roundl(v));
}

#endif

/* ---- pixman ---- */

#ifdef HAVE_PIXMAN

/// Draws a mask with pixman in its turned bitmap's place. Returns a byte per pixel, to be freed.
static unsigned char *draw(const pv_mask *mask, const pv_transform *t, pv_rect at, int *pitch) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), from_pitch = (w + 3) & ~3;
    double c = t->rotation.c, s = t->rotation.s, x = at.x - t->position.x, y = at.y - t->position.y;
    struct pixman_f_transform f = {
        {{c / t->scale.x, s / t->scale.x, t->pivot.x + (c * x + s * y) / t->scale.x},
         {-s / t->scale.y, c / t->scale.y, t->pivot.y + (c * y - s * x) / t->scale.y},
         {0, 0, 1}}};
    pixman_transform_t matrix;
    *pitch = (at.w + 3) & ~3;
    unsigned char *texels = calloc((size_t)(from_pitch * h), 1),
                  *drawn = calloc((size_t)(*pitch * at.h), 1);
    for (int i = 0; i < w * h; i++)
        texels[i / w * from_pitch + i % w] = pv_mask_get_pixel(mask, i % w, i / w) ? 255 : 0;
    pixman_image_t *from = pixman_image_create_bits(PIXMAN_a8, w, h, (void *)texels, from_pitch);
    pixman_image_t *to = pixman_image_create_bits(PIXMAN_a8, at.w, at.h, (void *)drawn, *pitch);
    ck_assert(pixman_transform_from_pixman_f_transform(&matrix, &f));
    pixman_image_set_transform(from, &matrix);
    pixman_image_set_filter(from, PIXMAN_FILTER_NEAREST, NULL, 0);
    pixman_image_set_repeat(from, PIXMAN_REPEAT_NONE);
    pixman_image_composite32(PIXMAN_OP_SRC, from, NULL, to, 0, 0, 0, 0, 0, 0, at.w, at.h);
    pixman_image_unref(from);
    pixman_image_unref(to);
    free(texels);
    return drawn;
}

/// Returns how far a differing pixel may be from a texel's edge [texel]; counts pixels.
static long double compare(const pv_mask *mask, const pv_transform *t, long *pixels, long *wrong) {
    pv_rect at;
    int pitch;
    long double worst = 0, edge[2];
    scoped_mask *turned = pv_mask_transform(mask, t, &at, NULL, NULL);
    scoped_memory unsigned char *drawn = draw(mask, t, at, &pitch);
    for (int y = 0; y < at.h; y++)
        for (int x = 0; x < at.w; x++) {
            ++*pixels;
            if ((drawn[y * pitch + x] > 127) == pv_mask_get_pixel(turned, x, y)) continue;
            ++*wrong;
            to_edges(t, at.x + x, at.y + y, edge);
            worst = fmaxl(worst, fminl(edge[0], edge[1]));
        }
    return worst;
}

START_TEST(turned_masks_are_what_pixman_draws) {
    long pixels = 0, differing = 0;
    for (int i = 0; i < 6000; i++) {
        scoped_mask *mask = random_mask(i % 20 ? 64 : 130);
        pv_transform t = random_pose(mask, any_within(500), any_within(500));
        long double worst = compare(mask, &t, &pixels, &differing);
        ck_assert_msg(worst <= 1.0L / 256, "%Lg of a texel at pose %d", worst, i);
    }
    ck_assert_int_gt(pixels, 10000000);
    ck_assert_int_lt(differing, pixels / 500);
}

/// With whole or half positions and quarter turns, no center is on an edge, and nothing differs.
START_TEST(quarter_turns_are_drawn_alike) {
    long pixels = 0, differing = 0;
    for (int i = 0; i < 600; i++) {
        scoped_mask *mask = random_mask(40);
        pv_transform t = random_pose(mask, any_int(-50, 50), any_int(-50, 50));
        t.rotation = pv__rotation(any_int(-4, 4) * (PV__PI / 2));
        t.pivot = pv__vec(any_int(0, 9), any_int(0, 9));
        t.scale = pv__vec(any_int(0, 1) ? 1 : -1, any_int(0, 1) ? 1 : -1);
        compare(mask, &t, &pixels, &differing);
    }
    ck_assert_int_eq(differing, 0);
}

static int run_pixman(void) { return run_tests("renderers", NULL, NULL, 1); }

#else

static int run_pixman(void) {
    puts("1..0 # SKIP built without pixman");
    return 0;
}

#endif

/* ---- OpenGL ---- */

#ifdef HAVE_SDL2

#define SIDE 256

static SDL_Texture *texture_of(SDL_Renderer *renderer, const pv_mask *mask) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    SDL_Texture *made =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, w, h);
    scoped_memory Uint32 *texels = calloc((size_t)(w * h), sizeof *texels);
    for (int i = 0; i < w * h; i++)
        texels[i] = pv_mask_get_pixel(mask, i % w, i / w) ? 0xffffffffu : 0xff000000u;
    SDL_UpdateTexture(made, NULL, texels, w * 4);
    SDL_SetTextureScaleMode(made, SDL_ScaleModeNearest);
    SDL_SetTextureBlendMode(made, SDL_BLENDMODE_NONE);
    return made;
}

/// Draws a mask as two triangles and reads the picture back. Returns false if SDL fails.
static bool draw_gl(SDL_Renderer *renderer, const pv_mask *mask, const pv_transform *t,
                    Uint32 *to) {
    const int order[6] = {0, 1, 2, 2, 1, 3};
    SDL_Vertex corners[4];
    SDL_Texture *texture = texture_of(renderer, mask);
    for (int i = 0; i < 4; i++) {
        pv_vec2 at = pv_transform_to_world(
            t, pv__vec(i & 1 ? pv_mask_get_width(mask) : 0, i & 2 ? pv_mask_get_height(mask) : 0));
        corners[i].position = (SDL_FPoint){(float)at.x, (float)at.y};
        corners[i].color = (SDL_Color){255, 255, 255, 255};
        corners[i].tex_coord = (SDL_FPoint){i & 1 ? 1 : 0, i & 2 ? 1 : 0};
    }
    SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
    bool good = SDL_RenderClear(renderer) == 0 &&
                SDL_RenderGeometry(renderer, texture, corners, 4, order, 6) == 0 &&
                SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, to, SIDE * 4) == 0;
    SDL_DestroyTexture(texture);
    return good;
}

/// Returns the greatest distance of a differing pixel from an edge [px]; -1 if SDL fails.
static double compare_gl(SDL_Renderer *renderer, const pv_mask *mask, const pv_transform *t) {
    static Uint32 drawn[SIDE * SIDE];
    long double worst = 0, edge[2];
    pv_rect at;
    if (!draw_gl(renderer, mask, t, drawn)) return -1;
    scoped_mask *turned = pv_mask_transform(mask, t, &at, NULL, NULL);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        if (((drawn[i] & 0xff) > 127) == pv_mask_get_pixel(turned, x - at.x, y - at.y)) continue;
        to_edges(t, x, y, edge);
        worst = fmaxl(worst, fminl(edge[0] * fabsl(t->scale.x), edge[1] * fabsl(t->scale.y)));
    }
    return (double)worst;
}

static int compare_poses(SDL_Renderer *renderer) {
    double worst = 0;
    for (int i = 0; i < 1500 && worst >= 0; i++) {
        scoped_mask *mask = random_mask(64);
        pv_transform t = random_pose(mask, SIDE * any_unit(), SIDE * any_unit());
        double found = compare_gl(renderer, mask, &t);
        worst = found < 0 ? -1 : fmax(worst, found);
    }
    printf("%sok 1 - turned masks are what OpenGL draws, to 1/128 px\n",
           worst >= 0 && worst <= 1.0 / 128 ? "" : "not ");
    printf("# farthest from an edge: %g px\n1..1\n", worst);
    return 0;
}

static int run_gl(void) {
    SDL_SetHint(SDL_HINT_RENDER_DRIVER, "opengl");
    SDL_Window *window = NULL;
    SDL_Renderer *renderer = NULL;
    SDL_RendererInfo info = {0};
    if (SDL_Init(SDL_INIT_VIDEO) == 0)
        window = SDL_CreateWindow("renderers", 0, 0, SIDE, SIDE,
                                  SDL_WINDOW_OPENGL | SDL_WINDOW_BORDERLESS);
    if (window) renderer = SDL_CreateRenderer(window, -1, 0);
    if (renderer && SDL_GetRendererInfo(renderer, &info) == 0 && strcmp(info.name, "opengl") == 0)
        compare_poses(renderer);
    else
        printf("1..0 # SKIP no OpenGL: %s\n", SDL_GetError());
    if (renderer) SDL_DestroyRenderer(renderer);
    if (window) SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}

#else

static int run_gl(void) {
    puts("1..0 # SKIP built without SDL");
    return 0;
}

#endif

int main(int count, char **words) {
    return count > 1 && strcmp(words[1], "gl") == 0 ? run_gl() : run_pixman();
}
