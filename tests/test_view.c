/* test_view.c - how matter is painted, drawn between steps, seized and steered in the demo.
 *
 * Invariant: pictures are compared with the empty stage's, pixel by pixel, in guarded memory.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "guarded_canvas.h"

#include "draw/motion.h"
#include "draw/view.h"
#include "stage/stage.h"
#include "viewer/viewer.h"

#define WIDTH 320
#define HEIGHT 180
#define RED 0xff0000ffu
#define VEIL 0xff000080u

static pv_vec2 vec(double x, double y) { return (pv_vec2){x, y}; }

/// Stage of a test, as large as the canvas, and its world
static struct stage *stage;
static pv_world *world;

static void open_stage(void) {
    stage = stage_create(1);
    ck_assert_ptr_nonnull(stage);
    stage_set_view(stage, WIDTH, HEIGHT);
    world = stage->world;
}

static void close_stage(void) {
    stage_destroy(stage);
    stage = NULL;
}

static pv_particle_id add_particle(double x, double y, double mass, double radius) {
    return CREATE_WELL(particle, world,
                       WITH(pv_particle_def_default(), it.position = vec(x, y), it.mass = mass,
                            it.radius = radius));
}

/// Draws a stage at a fraction of a step, with one canvas pixel per world pixel.
static guarded_canvas draw_on(const struct stage *of, const struct motion *motion,
                              double fraction) {
    guarded_canvas e = make_canvas(WIDTH, HEIGHT, false);
    struct view view = {.motion = motion, .fraction = fraction};
    view.camera = camera_fit(of->view, WIDTH, HEIGHT);
    view_draw(&e.canvas, of, &view);
    return e;
}

static guarded_canvas draw(void) { return draw_on(stage, NULL, 0); }

static guarded_canvas draw_backdrop(void) {
    struct stage *empty = stage_create(1);
    stage_set_view(empty, WIDTH, HEIGHT);
    guarded_canvas e = draw_on(empty, NULL, 0);
    stage_destroy(empty);
    return e;
}

/// Tells whether a pixel is the backdrop's with a color blended over it once.
static bool is_blended(const unsigned char *p, const unsigned char *under, uint32_t color) {
    for (int i = 0; i < 3; i++) {
        double alpha = (color & 255) / 255.0, from = under[i],
               to = (double)(color >> (24 - 8 * i) & 255);
        if (fabs(p[i] - (from + (to - from) * alpha)) > 0.5001) return false;
    }
    return true;
}

static bool is_same(const unsigned char *p, const unsigned char *under) {
    return memcmp(p, under, 4) == 0;
}

/// Draws, and fails unless exactly the wanted pixels are blended.
static void check_drawn(const struct motion *motion, bool (*wanted)(int x, int y), uint32_t color) {
    scoped_canvas e = draw_on(stage, motion, 0), empty = draw_backdrop();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const unsigned char *p = at(&e, x, y), *under = at(&empty, x, y);
            if (wanted(x, y) ? !is_blended(p, under, color) : !is_same(p, under))
                ck_abort_msg("pixel %d %d: %d %d %d, wanted %d", x, y, p[0], p[1], p[2],
                             wanted(x, y));
        }
}

/* ---- things ---- */

/// Adds a square of four pinned particles, cut into two triangles.
static pv_composite_id add_square(double left, double top, double side) {
    const pv_vec2 unit[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    pv_particle_id corners[4];
    pv_composite_id matter = pv_composite_create(world, NULL);
    for (int i = 0; i < 4; i++) {
        corners[i] = add_particle(left + side * unit[i].x, top + side * unit[i].y, 0, 1);
        ck_assert_int_eq(pv_composite_add_particle(world, matter, corners[i]), PV_OK);
    }
    for (int half = 0; half < 2; half++) {
        pv_triangle triangle = {{corners[0], corners[1 + half], corners[2 + half]},
                                {unit[0], unit[1 + half], unit[2 + half]},
                                {{0, 0}, {0, 0}, {0, 0}}};
        ck_assert_int_eq(pv_composite_add_triangle(world, matter, &triangle), PV_OK);
    }
    return matter;
}

static bool in_square(int x, int y) { return x >= 100 && x < 132 && y >= 60 && y < 92; }

START_TEST(a_skin_shows_its_picture) {
    const struct sprite *crate = stage_load(stage, "crate");
    const pv_image *image = crate->image;
    stage_paint(stage, add_square(100, 60, 32), (struct stage_paint){.picture = crate});
    scoped_canvas e = draw();
    ck_assert_int_eq(image->width, 32);
    for (int i = 0; i < 32 * 32; i++)
        ck_assert(memcmp(at(&e, 100 + i % 32, 60 + i / 32), image->pixels + i * 4, 4) == 0);
}

/* Two squares of a composite show equally much of a picture. One is pressed to half its width. */
START_TEST(what_is_pressed_together_is_darker) {
    pv_composite_id wide = add_square(200, 60, 32), narrow = add_square(100, 60, 16);
    pv_triangle triangles[2];
    pv_composite_get_triangles(world, narrow, triangles, 2);
    for (int i = 0; i < 2; i++) pv_composite_add_triangle(world, wide, &triangles[i]);
    stage_paint(stage, narrow, (struct stage_paint){0});
    stage_paint(stage, wide, (struct stage_paint){.skin = 0xc8c8c8ffu, .shade = 1});
    scoped_canvas e = draw();
    /* Width of 640 px per unit: the narrow one has 256 / 640, the wide one 1, at most 1.5 */
    ck_assert_int_eq(at(&e, 108, 68)[0], 80);
    ck_assert_int_eq(at(&e, 210, 70)[0], 255);
}

static bool in_bar(int x, int y) { return x >= 0 && y >= 60 && y < 64; }

/* The stroke is 4 px wide, and the canvas cuts off its ends. */
START_TEST(strokes_are_drawn_once_and_no_more_than_said) {
    pv_particle_id a = add_particle(-50, 62, 0, 1), b = add_particle(400, 62, 0, 1);
    pv_composite_id matter = pv_composite_create(world, NULL);
    pv_joint_id first =
        put_joint(world, PV_JOINT_DISTANCE, pv_anchor_particle(a), pv_anchor_particle(b));
    pv_particle_id c = add_particle(50, -90, 0, 1), d = add_particle(50, 300, 0, 1);
    pv_joint_id second =
        put_joint(world, PV_JOINT_DISTANCE, pv_anchor_particle(c), pv_anchor_particle(d));
    pv_composite_add_joint(world, matter, first);
    pv_composite_add_joint(world, matter, second);
    pv_composite_add_particle(world, matter, a);
    stage->loose = (struct stage_paint){.stroke = 0x00ff0080u};
    stage_paint(stage, matter, (struct stage_paint){.stroke = VEIL, .width = 4, .strokes = 1});
    check_drawn(NULL, in_bar, VEIL);
}

static bool in_dot(int x, int y) { return (x - 99.5) * (x - 99.5) + (y - 59.5) * (y - 59.5) <= 49; }

START_TEST(loose_particles_are_discs) {
    add_particle(100, 60, 1, 7);
    stage->loose.dot = VEIL;
    check_drawn(NULL, in_dot, VEIL);
}

START_TEST(owned_particles_are_not_loose) {
    pv_composite_id matter = pv_composite_create(world, NULL);
    pv_composite_add_particle(world, matter, add_particle(100, 60, 1, 7));
    stage_paint(stage, matter, (struct stage_paint){.dot = VEIL});
    stage->loose.dot = 0x00ff0080u;
    check_drawn(NULL, in_dot, VEIL);
}

/* ---- polygons ---- */

static const pv_vec2 star[8] = {{150.25, 30.25},  {165.25, 70.25},  {210.25, 85.25},
                                {165.25, 100.25}, {150.25, 150.25}, {135.25, 100.25},
                                {90.25, 85.25},   {135.25, 70.25}};

static const pv_vec2 hook[8] = {{190.25, 110.25}, {190.25, 70.25}, {100.25, 70.25},
                                {100.25, 40.25},  {220.25, 40.25}, {220.25, 140.25},
                                {100.25, 140.25}, {100.25, 110.25}};

/// Tells whether a pixel is in an outline, by odd crossings of a ray to the right.
static bool in_outline(const pv_vec2 *outline, int x, int y) {
    double px = x + 0.5, py = y + 0.5;
    bool in = false;
    for (int i = 0; i < 8; i++) {
        pv_vec2 a = outline[i], b = outline[(i + 1) % 8];
        if ((a.y > py) != (b.y > py) && px < a.x + (py - a.y) * (b.x - a.x) / (b.y - a.y)) in = !in;
    }
    return in;
}

static bool in_star(int x, int y) { return in_outline(star, x, y); }
static bool in_hook(int x, int y) { return in_outline(hook, x, y); }

static void check_polygon(const pv_vec2 *outline, bool (*wanted)(int x, int y)) {
    close_stage();
    open_stage();
    stage_paint_polygon(stage, put_polygon(world, outline, 8), (struct stage_paint){.skin = VEIL});
    check_drawn(NULL, wanted, VEIL);
}

START_TEST(polygons_that_are_not_convex_are_filled) {
    check_polygon(star, in_star);
    /* The outline starts at each corner: one turns inward, and one cannot be cut off. */
    for (int first = 0; first < 8; first++) {
        pv_vec2 outline[8];
        for (int i = 0; i < 8; i++) outline[i] = hook[(first + i) % 8];
        check_polygon(outline, in_hook);
    }
}

START_TEST(boundaries_and_inlays_show_where_they_are_wanted) {
    put_polygon(world, star, 8);
    stage->polygons =
        (struct stage_paint){.skin = 0x101010ffu, .stroke = 0xe02c2cffu, .width = 3, .inlay = .5};
    scoped_canvas e = draw();
    int red = 0, inlaid = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *p = at(&e, i % WIDTH, i / WIDTH);
        red += p[0] == 0xe0 && p[1] == 0x2c && p[2] == 0x2c;
        inlaid += p[0] == 0x12 && p[1] == 0x12 && p[2] == 0x12;
    }
    ck_assert_int_gt(red, 8 * 3 * 40); /* eight edges of at least 43 px */
    ck_assert_int_gt(inlaid, 100);
    for (int i = 0; i < 8; i++) { /* the middle of each edge */
        double x = (star[i].x + star[(i + 1) % 8].x) / 2, y = (star[i].y + star[(i + 1) % 8].y) / 2;
        ck_assert_int_eq(at(&e, (int)x, (int)y)[0], 0xe0);
    }
}

START_TEST(a_boundary_without_a_color_is_darker) {
    put_polygon(world, star, 8);
    stage->polygons = (struct stage_paint){.skin = 0x808080ffu, .width = 3};
    scoped_canvas e = draw();
    int x = (int)((star[0].x + star[1].x) / 2), y = (int)((star[0].y + star[1].y) / 2);
    ck_assert_int_eq(at(&e, x, y)[0], 0x40);
}

START_TEST(an_arrow_shows_while_a_throw_is_aimed) {
    scoped_canvas before = draw();
    stage->arrow[0] = (pv_vec2){40, 60};
    stage->arrow[1] = (pv_vec2){120, 60};
    scoped_canvas during = draw();
    int changed = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        changed +=
            memcmp(at(&before, i % WIDTH, i / WIDTH), at(&during, i % WIDTH, i / WIDTH), 4) != 0;
    ck_assert(changed > 80 * 2 && changed < 80 * 8);
    ck_assert_int_gt(at(&during, 80, 60)[0], at(&before, 80, 60)[0]);
}

/* ---- liquids ---- */

START_TEST(liquids_are_drawn_as_water) {
    pv_liquid_def def = pv_liquid_def_default();
    pv_liquid_id liquid = pv_liquid_create(world, &def, NULL);
    for (int i = 0; i < 100; i++)
        pv_liquid_add_particle(world, liquid,
                               add_particle(100 + i % 10 * 4, 60 + i / 10 * 4, 1, 3));
    stage_paint_liquid(stage, liquid, VEIL);
    stage->loose.dot = RED;
    scoped_canvas e = draw(), empty = draw_backdrop();
    int wet = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool deep = x > 104 && x < 132 && y > 64 && y < 92,
                 far = x < 88 || x > 148 || y < 48 || y > 108;
            ck_assert_int_ge(at(&e, x, y)[0], at(&empty, x, y)[0]); /* nowhere less red */
            wet += !is_same(at(&e, x, y), at(&empty, x, y));
            if (deep)
                ck_assert(is_blended(at(&e, x, y), at(&empty, x, y), VEIL)); /* once, and no dots */
            if (far) ck_assert(is_same(at(&e, x, y), at(&empty, x, y)));
        }
    ck_assert_int_gt(wet, 36 * 36); /* beyond the outer particles */
    ck_assert_int_lt(wet, 52 * 52);
}

/* ---- all of it, anywhere ---- */

START_TEST(no_pixel_beside_the_canvas_is_touched) {
    pv_liquid_id liquid = CREATE_FROM(liquid, world, pv_liquid_def_default());
    for (int i = 0; i < 50; i++)
        pv_liquid_add_particle(world, liquid, add_particle(30 * i - 700, 90, 1, 3));
    stage_paint_liquid(stage, liquid, VEIL);
    stage_paint(stage, add_square(-20, -20, 500),
                (struct stage_paint){.picture = stage_load(stage, "crate"), .shade = .5});
    put_polygon(world, star, 8);
    stage->polygons = (struct stage_paint){.stroke = RED, .inlay = .5, .dot = RED};
    pv_particle_id loose = add_particle(310, 170, 1, 20);
    put_joint(world, PV_JOINT_DISTANCE, pv_anchor_particle(loose),
              pv_anchor_body(stage_add(stage, "gear", 20, 20, 1), vec(20, 20)));
    put_joint(world, PV_JOINT_DISTANCE, pv_anchor_particle(loose), pv_anchor_world(vec(-3e6, 4e6)));
    const double zooms[] = {.2, .37, 1, 3, 24};
    for (int i = 0; i < 5 * 9 * 2; i++) {
        scoped_canvas e = make_canvas(WIDTH + i % 7, HEIGHT - i % 5, i & 1);
        struct view view = {.camera = {vec(i / 5 % 3 * 160, i / 15 % 3 * 90), zooms[i % 5]},
                            .overlays = i >= 45 ? VIEW_USUAL_OVERLAYS | VIEW_FIELD : 0};
        view_draw(&e.canvas, stage, &view);
    }
}

/* ---- between steps ---- */

START_TEST(particles_are_seen_between_two_steps) {
    struct motion motion = {0};
    pv_world_set_gravity(world, vec(0, 0));
    pv_particle_id flying = add_particle(100, 60, 1, 7);
    pv_particle_set_velocity(world, flying, vec(600, -300));
    motion_record(&motion, world);
    pv_world_step(world, SCENE_STEP);
    pv_particle_id late = add_particle(30, 30, 1, 1);
    for (int i = 0; i <= 4; i++) {
        pv_vec2 p = motion_particle_at(&motion, world, flying, i / 4.0);
        ck_assert_vec_eq_tol(p, 100 + 10 * i / 4.0, 60 - 5 * i / 4.0, 1e-9);
        ck_assert_double_eq(motion_particle_at(&motion, world, late, i / 4.0).x, 30);
    }
    stage->loose.dot = VEIL;
    pv_particle_destroy(world, late);
    check_drawn(&motion, in_dot, VEIL);
    pv_particle_destroy(world, flying);
    pv_particle_id heir = add_particle(30, 30, 1, 1); /* takes the slot of a recorded one */
    ck_assert_double_eq(motion_particle_at(&motion, world, heir, 0).x, 30);
    motion_free(&motion);
}

START_TEST(strokes_follow_their_sprites) {
    struct motion motion = {0};
    pv_world_set_gravity(world, vec(0, 0));
    pv_body_id ball = stage_add(stage, "ball", 100, 90, 0);
    pv_body_set_velocity(world, ball, vec(1200, 0));
    motion_record(&motion, world);
    pv_world_step(world, SCENE_STEP);
    put_joint(world, PV_JOINT_DISTANCE, pv_anchor_body(ball, vec(120, 90)),
              pv_anchor_particle(add_particle(110, 400, 0, 0)));
    stage->loose = (struct stage_paint){.stroke = RED, .width = 2};
    scoped_canvas e = draw_on(stage, &motion, .5); /* half of 20 px back */
    ck_assert(memcmp(at(&e, 109, 140), "\xff\0\0\xff", 4) == 0);
    ck_assert(memcmp(at(&e, 110, 140), "\xff\0\0\xff", 4) == 0);
    ck_assert(memcmp(at(&e, 112, 140), "\xff\0\0\xff", 4) != 0);
    motion_free(&motion);
}

/* ---- the hand ---- */

static void pull(struct hand *hand, pv_vec2 target, int steps) {
    for (int i = 0; i < steps; i++) {
        hand_pull(hand, world, target);
        pv_world_step(world, SCENE_STEP);
    }
}

START_TEST(the_hand_seizes_particles_that_are_near) {
    struct hand hand = {0};
    pv_particle_id particle = add_particle(100, 60, 1, 2);
    add_particle(200, 60, 0, 2);
    ck_assert(!hand_seize(&hand, world, vec(130, 60), 24));
    ck_assert(!hand_seize(&hand, world, vec(200, 60), 24)); /* pinned */
    ck_assert(hand_seize(&hand, world, vec(110, 60), 24));
    pull(&hand, vec(160, 100), 90);
    ck_assert_double_lt(vec_distance(pv_particle_get_position(world, particle), vec(160, 100)), 1);
    ck_assert_double_lt(vec_distance(hand_grip(&hand, world), vec(160, 100)), 1);
    pull(&hand, vec(300, 40), 4);
    pv_vec2 thrown = pv_particle_get_velocity(world, particle);
    hand_release(&hand, world);
    ck_assert(!hand_holds(&hand, world));
    ck_assert_int_eq(pv_world_get_stats(world).joints, 0);
    ck_assert_double_gt(thrown.x, 100);
    ck_assert_double_eq(pv_particle_get_velocity(world, particle).x, thrown.x);
}

START_TEST(the_hand_seizes_sprites_where_they_are_under_it) {
    struct hand hand = {0};
    pv_body_id plank = stage_add(stage, "plank", 100, 60, 0);
    add_particle(141, 60, 1, 2); /* a body goes before a particle */
    ck_assert(hand_seize(&hand, world, vec(140, 60), 24));
    ck_assert(hand.body.index == plank.index && hand.particle.generation == 0);
    pull(&hand, vec(180, 70), 240);
    ck_assert_double_lt(vec_distance(hand_grip(&hand, world), vec(180, 70)), 2);
    pv_transform transform = pv_body_get_transform(world, plank);
    pv_vec2 end = pv_transform_to_world(&transform, vec(88, 6)); /* the same material */
    ck_assert_double_lt(vec_distance(end, vec(180, 70)), 2.5);
    /* Limit for a hanging object without endless swinging */
    ck_assert_double_lt(fabs(pv_body_get_angular_velocity(world, plank)), .5);
    pv_body_destroy(world, plank);
    ck_assert(!hand_holds(&hand, world));
    pull(&hand, vec(0, 0), 2);
    ck_assert(!hand_push(&hand, world, vec(1, 1)));
}

START_TEST(the_hand_takes_along_what_hangs_together) {
    struct hand hand = {0};
    pv_body_id polygon = put_polygon(world, star, 8);
    ck_assert(hand_seize(&hand, world, vec(150, 40), 0)); /* inside, it takes the nearest corner */
    ck_assert(hand.body.index == polygon.index);
    pull(&hand, vec(100, 100), 240);
    ck_assert_double_lt(vec_distance(hand_grip(&hand, world), vec(100, 100)), 4);
    pv_vec2 before = pv_body_get_velocity(world, polygon);
    hand_release(&hand, world);
    pv_world_set_gravity(world, vec(0, 0));
    ck_assert(hand_push(&hand, world, vec(600, 0)));
    pv_world_step(world, SCENE_STEP);
    ck_assert_double_eq_tol(pv_body_get_velocity(world, polygon).x - before.x, 10, .5);
}

/* ---- stages ---- */

START_TEST(what_is_astray_is_taken_out) {
    pv_particle_id near = add_particle(100, 60, 1, 2), far = add_particle(100, 9000, 1, 2);
    pv_particle_id pinned = add_particle(9000, 60, 0, 2);
    stage_tidy(stage);
    ck_assert(pv_particle_is_valid(world, near) && !pv_particle_is_valid(world, far));
    ck_assert(pv_particle_is_valid(world, pinned));
}

START_TEST(paint_goes_with_what_it_was_on) {
    pv_composite_id kept = add_square(100, 60, 32);
    stage_paint(stage, kept,
                (struct stage_paint){.dot = RED}); /* the next paint replaces all of it */
    stage_paint(stage, kept, (struct stage_paint){.skin = VEIL});
    for (int i = 0; i < 1000; i++) {
        pv_composite_id matter = pv_composite_create(world, NULL);
        stage_paint(stage, matter, (struct stage_paint){.skin = RED});
        pv_composite_destroy(world, matter);
    }
    stage_paint(stage, (pv_composite_id){77, 77}, (struct stage_paint){.skin = RED});
    ck_assert_int_le(stage->look_count, 32);
    check_drawn(NULL, in_square, VEIL);
}

START_TEST(memory_of_a_scene_stays) {
    int *memory = stage_memory(stage, 20 * sizeof *memory);
    for (int i = 0; i < 20; i++) ck_assert_int_eq(memory[i], 0);
    memory[19] = 7;
    ck_assert_ptr_eq(stage_memory(stage, 20 * sizeof *memory), memory);
    ck_assert_int_eq(memory[19], 7);
    ck_assert_ptr_eq(stage_mask_of(stage, "crate"), stage_load(stage, "crate")->mask);
    ck_assert_ptr_null(stage_error(stage));
    ck_assert_ptr_null(stage_mask_of(stage, "no-such-sprite"));
    ck_assert_ptr_nonnull(stage_error(stage));
}

/* ---- the player ---- */

/// Input that the scene received
static struct {
    unsigned arrows;
    int presses, drags, releases, sizes;
    pv_vec2 at;
    pv_box seen;
} heard;

static void hear(int *count, pv_vec2 point) {
    ++*count;
    heard.at = point;
}
static void on_keys(struct stage *of, unsigned held) { (void)of, heard.arrows = held; }
static bool on_press(struct stage *of, pv_vec2 point) {
    (void)of, hear(&heard.presses, point);
    return point.x < 160;
}
static void on_drag(struct stage *of, pv_vec2 at) { (void)of, hear(&heard.drags, at); }
static void on_release(struct stage *of, pv_vec2 at) { (void)of, hear(&heard.releases, at); }
static void on_resize(struct stage *of, pv_box seen) { (void)of, heard.sizes++, heard.seen = seen; }

static void setup(struct stage *its_stage) {
    stage_set_view(its_stage, WIDTH, HEIGHT);
    its_stage->hooks = (struct stage_hooks){.keys = on_keys,
                                            .press = on_press,
                                            .drag = on_drag,
                                            .release = on_release,
                                            .resize = on_resize};
    stage_add_static(its_stage, "floor", -200, 150);
    stage_add(its_stage, "crate", 200, 134, 0);
}

static const struct scene listening = {"listening", "hears everything", setup, NULL};

/// Viewer of a test
static struct viewer game;

static void open_game(int width, int height) {
    memset(&heard, 0, sizeof heard);
    ck_assert_int_eq(viewer_open(&game, &listening, 1, NULL, 0), EXIT_SUCCESS);
    ck_assert_int_eq(heard.sizes, 0); /* there is no window yet */
    viewer_resize(&game, width, height);
    ck_assert_int_eq(heard.sizes, 1);
}

START_TEST(a_scene_hears_the_player) {
    open_game(WIDTH * 2, HEIGHT * 2);
    game.arrows = STAGE_LEFT | STAGE_UP;
    game.cursor = vec(100, 60);
    viewer_seize(&game);
    ck_assert_double_eq(heard.at.x, 50);
    game.cursor = vec(120, 60);
    viewer_advance(&game, 2.5 * SCENE_STEP);
    ck_assert(heard.drags == 2 && heard.at.x == 60);
    ck_assert_uint_eq(heard.arrows, STAGE_LEFT | STAGE_UP);
    viewer_release(&game);
    ck_assert_int_eq(heard.releases, 1);
    viewer_advance(&game, 2 * SCENE_STEP);
    ck_assert_int_eq(heard.drags, 2);
    viewer_close(&game);
}

START_TEST(what_a_scene_leaves_the_hand_takes) {
    open_game(WIDTH, HEIGHT);
    game.cursor = vec(200, 134);
    viewer_seize(&game);
    ck_assert_int_eq(heard.presses, 1);
    ck_assert(hand_holds(&game.hand, game.stage->world));
    viewer_advance(&game, SCENE_STEP * 1.5);
    viewer_release(&game);
    ck_assert(heard.drags == 0 && heard.releases == 0);
    ck_assert(!hand_holds(&game.hand, game.stage->world));
    viewer_close(&game);
}

START_TEST(a_scene_hears_of_the_windows_shape) {
    open_game(640, 180); /* twice as wide as the view */
    ck_assert_vec_eq_tol(heard.seen.min, -160, 0, 1e-9);
    ck_assert_vec_eq_tol(heard.seen.max, 480, 180, 1e-9);
    viewer_restart(&game);
    ck_assert_int_eq(heard.sizes, 2); /* a new stage is told as well */
    ck_assert_double_eq_tol(heard.seen.max.x, 480, 1e-9);
    viewer_close(&game);
}

RUN_TESTS_IN("view", open_stage, close_stage, 1)
