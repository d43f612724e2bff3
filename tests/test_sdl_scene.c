/* test_sdl_scene.c - scenes of pixverlet/sdl.h with SDL's software renderer, on a surface and
 * without a window: what collides is what is drawn.
 *
 * Invariant: pictures are formulas, and frames are compared with masks and with other frames.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#ifdef HAVE_SDL2
#define SDL_MAIN_HANDLED
#include "pixverlet/sdl.h"

#define SIDE 240

typedef struct frame {
    unsigned char rgba[SIDE * SIDE][4];
} frame;

/// The last frame of a test
static frame f;

/// A renderer on a surface, a scene and a world without gravity
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
    stage s = {.page = SDL_CreateRGBSurfaceWithFormat(0, SIDE, SIDE, 32, SDL_PIXELFORMAT_RGBA32)};
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

/// Type of stages that are closed where their block ends.
#define scoped_stage __attribute__((cleanup(close_stage))) stage

static void draw_frame(stage *s, frame *in) {
    SDL_SetRenderDrawColor(s->renderer, 0, 0, 0, 255);
    SDL_RenderClear(s->renderer);
    ck_assert_msg(pv_sdl_scene_draw(s->scene, &s->camera, s->world), "%s", SDL_GetError());
    ck_assert_int_eq(
        SDL_RenderReadPixels(s->renderer, NULL, SDL_PIXELFORMAT_RGBA32, in->rgba, SIDE * 4), 0);
}

static bool is_lit(const frame *in, int x, int y) {
    const unsigned char *c = in->rgba[y * SIDE + x];
    return c[0] + c[1] + c[2] > 0;
}

static int count_differences(const frame *a, const frame *b) {
    int count = 0;
    for (int i = 0; i < SIDE * SIDE; i++) count += memcmp(a->rgba[i], b->rgba[i], 3) != 0;
    return count;
}

/// Makes a sprite of the stage whose pixel (x, y) has the color (x + 1, y + 1, kind); solid by a formula.
static pv_sdl_sprite *make_sprite(stage *s, int w, int h, int kind) {
    pv_image *image = pv_image_create(w, h, NULL, NULL);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double u = 2 * (x + 0.5) / w - 1, v = 2 * (y + 0.5) / h - 1;
            bool solid = kind % 3 == 0 ? true : kind % 3 == 1 ? u * u + v * v < 1 : fabs(u) < v + 1;
            const unsigned char c[4] = {(unsigned char)(x + 1), (unsigned char)(y + 1),
                                        (unsigned char)kind, 255};
            if (solid) memcpy(image->pixels + 4 * (y * w + x), c, 4);
        }
    pv_error error;
    pv_sdl_sprite *sprite = pv_sdl_sprite_from_image(s->renderer, image, &error);
    ck_assert_msg(sprite != NULL, "%s", error.message);
    pv_image_destroy(image);
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
    pv_vec2 a = {next_between(seed, 0, SIDE), next_between(seed, 0, SIDE)},
            b = {next_between(seed, 0, SIDE), next_between(seed, 0, SIDE)};
    return next_unit(seed) < 0.5 ? pv_cut_line(a, b, next_between(seed, 3, 8))
                                 : pv_cut_circle(a, next_between(seed, 4, 14));
}

static void cut_body(stage *s, pv_body_id body, pv_cut cut) {
    pv_body_carve(s->world, body, &cut, NULL);
}

static void cut_all(stage *s, pv_cut cut) { pv_world_carve(s->world, &cut, NULL, NULL); }

/// Fills a world with bodies of three sprites in any pose; some lie over each other.
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

/// Counts pixels that differ from the masks of all bodies, the last on top, by sprites' blues.
static int count_wrong_pixels(const stage *s, const frame *in) {
    static int top[SIDE * SIDE];
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
        for (int i = 0; i < SIDE * SIDE; i++)
            if (pv_mask_get_pixel(drawn, i % SIDE - at.x, i / SIDE - at.y))
                top[i] = (int)(sprite->fill >> 8 & 255);
    }
    for (int i = 0; i < SIDE * SIDE; i++) wrong += in->rgba[i][2] != top[i];
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
            if (step % 3 == 1) continue; /* two steps in a frame */
            draw_frame(&s, &f);
            int wrong = count_wrong_pixels(&s, &f);
            ck_assert_msg(wrong == 0, "round %d, step %d: %d px", (int)round, step, wrong);
        }
    }
    ck_assert_int_gt(splits, 60);
}

/// Counts the pixels that have another color than in an earlier frame and are not black.
static int count_changed(const frame *before, const frame *after, int *black) {
    *black = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        *black += memcmp(before->rgba[i], after->rgba[i], 3) && !is_lit(after, i % SIDE, i / SIDE);
    return count_differences(before, after) - *black;
}

/// Checks that the parts of what is cut look as before, and only the cut is gone: at once, after
/// the next step, and after further cuts.
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
            draw_frame(&s, &now); /* before any event of it */
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

/// Checks that a world that goes back in time looks as it did then, with all parts.
START_TEST(restored_worlds_look_as_they_did) {
    static frame then, later, restored;
    for (unsigned flags = 0; flags <= PV_SNAPSHOT_PIXELS; flags++) {
        scoped_stage s = open_stage();
        uint64_t seed = 3;
        pv_sdl_sprite *sprite = make_sprite(&s, 100, 80, 70);
        add(&s, sprite, 80, 80, 0.4, PV_VEC2(1, 1));
        add(&s, sprite, 160, 170, -0.8, PV_VEC2(1, 1));
        void *bytes = NULL;
        size_t size = 0;
        for (int i = 0; i < 40; i++) {
            if (i % 2) cut_all(&s, random_cut(&seed));
            step_well(s.world, 1.0 / 60);
            pv_sdl_scene_update(s.scene, s.world);
            if (i != 20) continue;
            draw_frame(&s, &then);
            ck_assert_int_eq(pv_world_save(s.world, flags, NULL, 0, &size), PV_OK);
            bytes = malloc(size);
            ck_assert_int_eq(pv_world_save(s.world, flags, bytes, size, NULL), PV_OK);
        }
        draw_frame(&s, &later);
        ck_assert_int_gt(count_differences(&then, &later), 100);
        ck_assert_int_eq(pv_world_restore(s.world, bytes, size), PV_OK);
        draw_frame(&s, &restored);
        ck_assert_int_eq(count_differences(&then, &restored), 0);
        free(bytes);
    }
}

/* ---- textures ---- */

/// Checks textures in quarter turns at whole scales, which SDL draws by pixel centers everywhere.
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

/// Checks that a cut uploads little more than its own rectangle, and that textures of the dead go.
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
    ck_assert(!is_lit(&f, 80, 80) && !is_lit(&f, 150, 160) && is_lit(&f, 120, 120));
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

/// Checks a picture in 169 parts, of which all but one then go, again and again.
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

/// Checks that a body with the id of an earlier part is drawn from its own place. Its world may lie
/// where another one did, and its mask may become another.
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
        ck_assert_int_eq(f.rgba[120 * SIDE + 80][0], 80 - 75 + 1);
        ck_assert_int_eq(f.rgba[120 * SIDE + 150][0], 150 - 75 + 1);
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

/// A carved body keeps its soft rim, but not along the cut. What is added is opaque.
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
    ck_assert(is_lit(&f, 109, 120) && is_lit(&f, 106, 120) && !is_lit(&f, 104, 120));
    cut_body(&s, body, pv_cut_box(PV_VEC2(120, 100), PV_VEC2(140, 140)));
    draw_frame(&s, &f);
    ck_assert(is_lit(&f, 119, 120) && !is_lit(&f, 120, 120) && !is_lit(&f, 121, 120));
    ck_assert(is_lit(&f, 109, 120) && !is_lit(&f, 106, 120) && !is_lit(&f, 130, 120));
    pv_cut back = pv_cut_box(PV_VEC2(125, 104), PV_VEC2(140, 140));
    back.add = true;
    pv_body_carve(s.world, body, &back, NULL);
    draw_frame(&s, &f);
    ck_assert_int_eq(f.rgba[120 * SIDE + 128][0], 200);
    ck_assert_int_eq(f.rgba[104 * SIDE + 128][0], 200);
    ck_assert(!is_lit(&f, 122, 120));
    pv_sdl_sprite_destroy(sprite);
}

static const pv_sdl_sprite *sprite_of_nothing(const pv_world *world, pv_body_id body) {
    (void)world;
    (void)body;
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
        def = pv_body_def_at(PV_BODY_DYNAMIC, disc, 160, 60);
        def.user_data = &empty;
        pv_body_create(s.world, &def, NULL);
        def = pv_body_def_at(PV_BODY_DYNAMIC, disc, 60, 160);
        def.enabled = false;
        pv_body_create(s.world, &def, NULL);
        draw_frame(&s, &f);
        for (int i = 0; i < SIDE * SIDE; i++) {
            double x = i % SIDE + 0.5 - 60, y = i / SIDE + 0.5 - 60;
            ck_assert_int_eq(f.rgba[i][1], x * x + y * y <= 400 ? 0xaa : 0);
        }
        s.scene->get_sprite = sprite_of_nothing;
        draw_frame(&s, &f);
        ck_assert(is_lit(&f, 160, 60) && is_lit(&f, 60, 60) && !is_lit(&f, 60, 160));
    }
}

/* ---- matter ---- */

static bool has_color(const frame *in, double x, double y, pv_color color) {
    const unsigned char *c = in->rgba[(int)y * SIDE + (int)x];
    return PV_RGBA(c[0], c[1], c[2], 255) == color;
}

/// Checks that ropes are drawn along their particles, and rope joints from end to end.
START_TEST(ropes_are_visible) {
    scoped_stage s = open_stage();
    pv_rope_def rope = pv_rope_def_default();
    rope.from = pv_anchor_world(PV_VEC2(40, 40));
    rope.to = pv_anchor_world(PV_VEC2(200, 60));
    pv_composite_id composite = pv_rope_create(s.world, &rope, NULL);
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
    ck_assert(!is_lit(&f, 120, 50) && !is_lit(&f, 80, 150) && is_lit(&f, 120, 180));
}

/// Checks polygons, also hollow ones, by the even-odd rule at pixel centers.
START_TEST(polygons_are_filled) {
    scoped_stage s = open_stage();
    const pv_vec2 arrow[] = {{40.3, 40}, {200, 100.2}, {40, 160.7}, {90, 100}};
    pv_polygon_def def = pv_polygon_def_default();
    def.points = arrow;
    def.point_count = 4;
    ck_assert(pv_body_is_valid(s.world, pv_polygon_create(s.world, &def, NULL)));
    draw_frame(&s, &f);
    int wrong = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = i % SIDE + 0.5, y = i / SIDE + 0.5;
        bool inside = false;
        for (int a = 3, b = 0; b < 4; a = b++)
            if ((arrow[a].y > y) != (arrow[b].y > y) &&
                x < arrow[a].x +
                        (y - arrow[a].y) / (arrow[b].y - arrow[a].y) * (arrow[b].x - arrow[a].x))
                inside = !inside;
        wrong += has_color(&f, i % SIDE, i / SIDE, s.scene->polygon_color) != inside;
        wrong += is_lit(&f, i % SIDE, i / SIDE) != inside;
    }
    ck_assert_int_eq(wrong, 0);
}

/// Checks cloth with and without a texture: its corner particles and joints are not drawn over it.
START_TEST(cloth_shows_its_texture) {
    scoped_stage s = open_stage();
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = PV_VEC2(50, 50);
    pv_composite_id cloth = pv_cloth_create(s.world, &def, NULL);
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
    for (int i = 0; i < SIDE * SIDE; i++) {
        bool lit = is_lit(&f, i % SIDE, i / SIDE);
        count += lit;
        other += lit && !has_color(&f, i % SIDE, i / SIDE, 0x20c040ff);
    }
    ck_assert_int_gt(count, 400);
    ck_assert_int_eq(other, 0);
    SDL_DestroyTexture(texture);
}

/// Checks liquids in their color, loose particles, debris of a cut, and jelly.
START_TEST(liquids_debris_and_jelly_are_visible) {
    scoped_stage s = open_stage();
    pv_liquid_def liquid_def = pv_liquid_def_default();
    pv_liquid_id liquid = pv_liquid_create(s.world, &liquid_def, NULL);
    pv_particle_def def = pv_particle_def_default();
    def.radius = 4;
    def.position = PV_VEC2(30, 30);
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
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.spawn_debris = true;
    fracture.min_part_pixels = 60;
    pv_body_set_fracture(s.world, body, &fracture);
    pv_cut cut = pv_cut_line(PV_VEC2(104, 150), PV_VEC2(104, 210), 6); /* leaves a strip of 1 px */
    pv_carve_result result;
    pv_body_carve(s.world, body, &cut, &result);
    ck_assert_int_gt(result.debris_particles, 0);
    draw_frame(&s, &f);
    ck_assert(has_color(&f, 30, 30, 0x4060f0ff) && has_color(&f, 33, 30, 0x4060f0ff));
    ck_assert(has_color(&f, 60, 30, s.scene->particle_color) && !is_lit(&f, 66, 30));
    ck_assert(is_lit(&f, 180, 60));
    int debris = 0;
    for (int y = 150; y < 210; y++)
        for (int x = 90; x < 104; x++) debris += has_color(&f, x, y, s.scene->particle_color);
    ck_assert_int_gt(debris, 10);
}

RUN_TESTS("sdl_scene")

#else

int main(void) {
    puts("1..0 # SKIP built without SDL");
    return 0;
}

#endif
