/* test_frames.c - sheets and atlases, against masks made by hand; times of frames, and bad files.
 *
 * Invariant: the poses below are written out pixel by pixel. make_atlases.py packed the same poses
 * into tests/data, independently of the library. Bad files have exactly one error.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#define WIDTH 12
#define HEIGHT 9

/// Transparent picture for tests that do not look at pixels
static unsigned char small_pixels[8 * 8 * 4];
static const pv_image small = {8, 8, small_pixels, {NULL, NULL}};

/// Error of the last call
static pv_error error;

static pv_image *random_image(int w, int h) {
    pv_image *image = pv_image_create(w, h, NULL, NULL);
    ck_assert_ptr_nonnull(image);
    for (int i = 0; i < w * h * 4; i++) image->pixels[i] = (unsigned char)next_random(&chance);
    return image;
}

static int alpha_at(const pv_image *image, int x, int y) {
    return image->pixels[(y * image->width + x) * 4 + 3];
}

static bool near(double a, double b) { return fabs(a - b) < 1e-9; }

/* ---- grids ---- */

static void check_cell(const pv_frame *f, const pv_image *image, int left, int top,
                       const pv_grid *grid, const pv_frames_options *o) {
    ck_assert_mask_size(f->mask, grid->width, grid->height);
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            ck_assert_int_eq(pv_mask_get_pixel(f->mask, x, y),
                             alpha_at(image, left + x, top + y) >= o->alpha_threshold);
    ck_assert_str_eq(f->name, "");
    ck_assert(near(f->pivot.x, o->pivot.x * grid->width) &&
              near(f->pivot.y, o->pivot.y * grid->height));
    ck_assert(f->duration == o->duration && !f->rotated);
    ck_assert(f->atlas_rect.x == left && f->atlas_rect.y == top && f->trim_rect.x == 0 &&
              f->trim_rect.y == 0);
}

START_TEST(grids_are_crops) {
    for (int n = 0; n < 200; n++) {
        pv_grid grid = {any_int(1, 70), any_int(1, 20), any_int(0, 3), any_int(0, 3), 0, 0};
        int columns = any_int(1, 4), rows = any_int(1, 4);
        int w = 2 * grid.margin + columns * grid.width + (columns - 1) * grid.spacing;
        int h = 2 * grid.margin + rows * grid.height + (rows - 1) * grid.spacing;
        /* too little is left over for another cell */
        w += any_int(0, grid.width + grid.spacing - 1),
            h += any_int(0, grid.height + grid.spacing - 1);
        scoped_image *image = random_image(w, h);
        pv_frames_options o = pv_frames_options_default();
        o.alpha_threshold = any_int(0, 255), o.duration = 0.25, o.pivot = (pv_vec2){0.5, 1};
        scoped_frames *frames = pv_frames_from_grid(image, &grid, &o, NULL);
        ck_assert_int_eq(pv_frames_get_count(frames), columns * rows);
        for (int i = 0; i < columns * rows; i++)
            check_cell(pv_frames_get_frame(frames, i), image,
                       grid.margin + i % columns * (grid.width + grid.spacing),
                       grid.margin + i / columns * (grid.height + grid.spacing), &grid, &o);
    }
}

START_TEST(grid_counts_and_columns) {
    scoped_image *image = random_image(100, 28);
    /* there is no margin on the right, so columns must be given */
    pv_grid grid = {20, 10, 5, 4, 4, 6};
    scoped_frames *frames = pv_frames_from_grid(image, &grid, NULL, NULL);
    ck_assert_ptr_null(frames); /* the second row ends at 5 + 14 + 10 */
    grid.cell_count = 4;
    frames = pv_frames_from_grid(image, &grid, NULL, NULL);
    ck_assert_int_eq(pv_frames_get_count(frames), 4);
    ck_assert_int_eq(pv_frames_get_frame(frames, 3)->atlas_rect.x, 5 + 3 * 24);
    ck_assert_int_eq(pv_frames_find(frames, ""), 0);
    ck_assert_int_eq(pv_frames_find(frames, "x"), -1);
    ck_assert_str_eq(pv_frames_get_image_path(frames), "");
    ck_assert_ptr_null(pv_frames_get_frame(frames, 4));
    ck_assert_ptr_null(pv_frames_get_frame(frames, -1));
}

static void grid_refused(const pv_image *image, pv_grid grid, pv_status expected) {
    ck_assert_refused(pv_frames_from_grid(image, &grid, NULL, &error), error, expected);
}

START_TEST(bad_grids) {
    scoped_image *image = random_image(64, 32);
    const int h = 2147483647; /* huge */
    const pv_grid bad[] = {
        {0, 8, 0, 0, 0, 0},  {8, 0, 0, 0, 0, 0},  {-8, 8, 0, 0, 0, 0}, {8, 8, -1, 0, 0, 0},
        {8, 8, 0, -1, 0, 0}, {8, 8, 0, 0, -1, 0}, {8, 8, 0, 0, 0, -1}, {65, 8, 0, 0, 0, 0},
        {8, 33, 0, 0, 0, 0}, {8, 8, 0, 0, 9, 0},  {8, 8, 0, 0, 0, 33}, {8, 8, 29, 0, 0, 0},
        {h, 8, 0, 0, 0, 0},  {8, 8, h, 0, 0, 0},  {8, 8, 0, h, 2, 2},  {8, 8, 0, 0, h, 0},
        {8, 8, 0, 0, 0, h},  {8, 8, 0, h, 1, 2},  {h, h, h, h, h, h},  {1, h, 0, h, 1, h}};
    for (size_t i = 0; i < COUNT_OF(bad); i++) grid_refused(image, bad[i], PV_ERROR_ARGUMENT);
    pv_image_destroy(image);
    image = pv_image_create(2048, 1024, NULL, NULL);
    grid_refused(image, (pv_grid){1, 1, 0, 0, 0, 0}, PV_ERROR_TOO_LARGE); /* 2^21 cells */
}

static void options_refused(pv_frames_options o, pv_status expected) {
    ck_assert_refused(pv_frames_from_grid(&small, &(pv_grid){8, 8, 0, 0, 0, 0}, &o, &error), error,
                      expected);
}

START_TEST(bad_options) {
    pv_frames_options o = pv_frames_options_default(), bad[] = {o, o, o, o, o};
    bad[0].alpha_threshold = 256, bad[1].alpha_threshold = -1, bad[2].pivot.y = 1025;
    bad[3].duration = 0, bad[4].limits.max_area = 0;
    for (int i = 0; i < 5; i++) options_refused(bad[i], PV_ERROR_ARGUMENT);
}

START_TEST(limits_hold_for_frames) {
    scoped_image *image = random_image(64, 64);
    pv_frames_options o = pv_frames_options_default();
    pv_grid grid = {64, 64, 0, 0, 0, 0};
    o.limits.max_width = 63;
    ck_assert_refused(pv_frames_from_grid(image, &grid, &o, &error), error, PV_ERROR_TOO_LARGE);
    /* 64 masks of 8 x 8 take as much as 64 of 64 x 8: 32768 bits, or 1024 pixels of 32 bits */
    grid = (pv_grid){8, 8, 0, 0, 0, 0};
    o = pv_frames_options_default();
    o.limits.max_area = 1023;
    ck_assert_refused(pv_frames_from_grid(image, &grid, &o, &error), error, PV_ERROR_TOO_LARGE);
    o.limits.max_area = 1024;
    scoped_frames *frames = pv_frames_from_grid(image, &grid, &o, &error);
    ck_assert_int_eq(pv_frames_get_count(frames), 64);
}

START_TEST(masks_outlive_their_frames) {
    pv_frames *frames = pv_frames_from_grid(&small, &(pv_grid){8, 8, 0, 0, 0, 0}, NULL, NULL);
    scoped_mask *mask = pv_mask_retain(pv_frames_get_frame(frames, 0)->mask);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_ERROR_SHARED);
    pv_frames_destroy(frames);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_OK);
}

/* ---- time ---- */

static pv_frames *tagged(const pv_tag *tag, double duration) {
    pv_frames_options o = WITH(pv_frames_options_default(), it.duration = duration);
    pv_frames *frames = pv_frames_from_grid(&small, &(pv_grid){2, 8, 0, 0, 0, 0}, &o, NULL);
    ck_assert_int_eq(pv_frames_add_tag(frames, tag), PV_OK);
    return frames;
}

START_TEST(directions) {
    static const struct {
        pv_tag tag;
        const char *order;
    } cases[] = {{{"t", 0, 3, PV_TAG_FORWARD}, "0123"},
                 {{"t", 1, 2, PV_TAG_FORWARD}, "12"},
                 {{"t", 0, 3, PV_TAG_REVERSE}, "3210"},
                 {{"t", 1, 3, PV_TAG_REVERSE}, "321"},
                 {{"t", 0, 3, PV_TAG_PINGPONG}, "012321"},
                 {{"t", 1, 2, PV_TAG_PINGPONG}, "12"},
                 {{"t", 2, 2, PV_TAG_PINGPONG}, "2"},
                 {{"t", 0, 3, PV_TAG_PINGPONG_REVERSE}, "321012"},
                 {{"t", 1, 3, PV_TAG_PINGPONG_REVERSE}, "3212"},
                 {{"t", 3, 3, PV_TAG_PINGPONG_REVERSE}, "3"}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        scoped_frames *frames = tagged(&cases[k].tag, 0.1);
        int n = (int)strlen(cases[k].order);
        for (int i = 0; i < 5 * n; i++)
            for (int late = 0; late < 2; late++)
                ck_assert_int_eq(pv_frames_get_index_at(frames, 0, i * 0.1 + 0.0999 * late),
                                 cases[k].order[i % n] - '0');
    }
}

START_TEST(odd_times) {
    scoped_frames *frames = tagged(&(pv_tag){"t", 1, 2, PV_TAG_FORWARD}, 0.1);
    const double start[] = {0, -1, -INFINITY, NAN};
    for (int i = 0; i < 4; i++) ck_assert_int_eq(pv_frames_get_index_at(frames, 0, start[i]), 1);
    ck_assert_int_eq(pv_frames_get_index_at(frames, 0, INFINITY),
                     pv_frames_get_index_at(frames, 0, 1e9));
    ck_assert_int_eq(pv_frames_get_index_at(frames, -1, 0.35), 3);
    for (int tag = -3; tag < 4; tag++)
        if (tag != -1 && tag != 0) ck_assert_int_eq(pv_frames_get_index_at(frames, tag, 0), -1);
}

START_TEST(tags_are_checked) {
    scoped_frames *frames = tagged(&(pv_tag){"t", 1, 2, PV_TAG_FORWARD}, 0.1);
    const pv_tag bad[] = {{NULL, 0, 1, PV_TAG_FORWARD},
                          {"t", -1, 1, PV_TAG_FORWARD},
                          {"t", 2, 1, PV_TAG_FORWARD},
                          {"t", 0, 4, PV_TAG_FORWARD},
                          {"t", 0, 1, (pv_tag_direction)4}};
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(pv_frames_add_tag(frames, &bad[i]), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_frames_add_tag(frames, NULL), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_frames_add_tag(NULL, &bad[0]), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_frames_add_tag(frames, &(pv_tag){"u", 0, 0, PV_TAG_REVERSE}), PV_OK);
    ck_assert_int_eq(pv_frames_add_tag(frames, &(pv_tag){"t", 3, 3, PV_TAG_REVERSE}), PV_OK);
    ck_assert(pv_frames_get_tag(frames, 2) && !pv_frames_get_tag(frames, 3));
    ck_assert_int_eq(pv_frames_find_tag(frames, "t"), 0);
    ck_assert_int_eq(pv_frames_find_tag(frames, "u"), 1);
    ck_assert_int_eq(pv_frames_find_tag(frames, "v"), -1);
    ck_assert_ptr_null(pv_frames_get_tag(frames, 3));
}

/* ---- atlases ---- */

#ifdef HAVE_CJSON

static const char *const poses[4][HEIGHT + 1] = {
    {"............", "....###.....", "....#.##....", "....###.....", ".....#......", "...#####....",
     ".....#......", "....#.#.....", "...##.##....", NULL},
    {"............", "............", ".....###....", ".....#.##...", ".....###....", "...####.....",
     "..#...##....", ".#...#..#...", "............", NULL},
    {"............", "......####..", "......#..##.", "......####..", "...#########", "......#.....",
     ".....#.#....", "....#...##..", "............", NULL},
    {"............", "............", "............", "............", "............", "............",
     "............", "............", "............", NULL}};

static void check_mask(const pv_frames *frames, int index) {
    scoped_mask *expected = text_mask(poses[index]);
    check_same_masks(pv_frames_get_frame(frames, index)->mask, expected);
}

#define DATA "tests/data/"

static pv_frames *load(const char *name, const pv_frames_options *options) {
    pv_frames *frames = pv_frames_load(source_path(name), NULL, options, &error);
    ck_assert_msg(frames != NULL, "%s: %s", name, error.message);
    ck_assert_int_eq(error.status, PV_OK);
    return frames;
}

static void check_pivot(const pv_frames *frames, int index, double x, double y) {
    pv_vec2 pivot = pv_frames_get_frame(frames, index)->pivot;
    ck_assert_msg(near(pivot.x, x) && near(pivot.y, y), "pivot %d: %g, %g", index, pivot.x,
                  pivot.y);
}

START_TEST_FOR(aseprite_files, hash, 2) {
    const double durations[] = {0.1, 0.05, 0.15, 0.2};
    scoped_frames *frames = load(hash ? DATA "walker_hash.json" : DATA "walker_array.json", NULL);
    ck_assert_int_eq(pv_frames_get_count(frames), 4);
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "walker %d.aseprite", i);
        ck_assert_int_eq(pv_frames_find(frames, name), i);
        ck_assert_str_eq(pv_frames_get_frame(frames, i)->name, name);
        ck_assert(near(pv_frames_get_frame(frames, i)->duration, durations[i]));
        check_mask(frames, i);
        /* the slice "foot": key 0 holds for frames 0 and 1, key 2 from there on */
        check_pivot(frames, i, i < 2 ? 5 : 3, 8);
    }
    ck_assert_str_eq(pv_frames_get_image_path(frames), source_path(DATA "walker.png"));
}

START_TEST(aseprite_tags) {
    scoped_frames *frames = load(DATA "walker_array.json", NULL);
    ck_assert(pv_frames_get_tag(frames, 2) &&
              !pv_frames_get_tag(frames, 3)); /* "gone" has no frames */
    ck_assert_int_eq(pv_frames_find_tag(frames, "gone"), -1);
    int walk = pv_frames_find_tag(frames, "walk"), back = pv_frames_find_tag(frames, "back");
    int blink = pv_frames_find_tag(frames, "blink");
    ck_assert_int_eq(pv_frames_get_tag(frames, blink)->direction, PV_TAG_PINGPONG_REVERSE);
    const struct {
        int tag;
        double at;
        int frame;
    } shown[] = {{walk, 0, 0},      {walk, 0.0999, 0}, {walk, 0.1, 1},    {walk, 0.15, 2},
                 {walk, 0.2999, 2}, {walk, 0.3, 1},    {walk, 0.35, 0},   {back, 0, 3},
                 {back, 0.2, 2},    {back, 0.35, 1},   {back, 0.3999, 1}, {back, 0.4, 3},
                 {blink, 0.19, 3},  {blink, 0.34, 2},  {blink, 0.35, 3}};
    for (size_t i = 0; i < COUNT_OF(shown); i++)
        ck_assert_int_eq(pv_frames_get_index_at(frames, shown[i].tag, shown[i].at), shown[i].frame);
}

START_TEST(chosen_slice) {
    pv_frames_options o = pv_frames_options_default();
    o.pivot_slice = "hand", o.pivot = (pv_vec2){1, 0};
    scoped_frames *frames = load(DATA "walker_hash.json", &o);
    check_pivot(frames, 0, WIDTH, 0); /* before its first key */
    for (int i = 1; i < 4; i++) check_pivot(frames, i, 2, 5);
    const char *const without[] = {"body", "no such"};
    for (int i = 0; i < 2; i++) {
        o.pivot_slice = without[i];
        ck_assert_refused(pv_frames_load(source_path(DATA "walker_hash.json"), NULL, &o, &error),
                          error, PV_ERROR_ARGUMENT);
    }
}

START_TEST_FOR(texture_packer_files, hash, 2) {
    pv_frames_options o = WITH(pv_frames_options_default(), it.duration = 0.5);
    scoped_frames *frames = load(hash ? DATA "packed_hash.json" : DATA "packed_array.json", &o);
    ck_assert_int_eq(pv_frames_get_count(frames), 4);
    for (int i = 0; i < 4; i++) {
        char name[32];
        const pv_frame *f = pv_frames_get_frame(frames, i);
        pv_rect atlas = f->atlas_rect, trim = f->trim_rect;
        snprintf(name, sizeof name, "walk/%d.png", i);
        ck_assert_int_eq(pv_frames_find(frames, name), i);
        check_mask(frames, i);
        check_pivot(frames, i, 0.5 * WIDTH, 0.25 * i * HEIGHT);
        ck_assert(f->duration == 0.5 && f->rotated == (i % 2 == 0));
        ck_assert(f->rotated ? atlas.w == trim.h && atlas.h == trim.w
                             : atlas.w == trim.w && atlas.h == trim.h);
    }
    ck_assert_ptr_null(pv_frames_get_tag(frames, 0));
}

/// Checks the poses in an atlas that names each frame.
static void check_row(const char *file) {
    scoped_frames *frames = load(file, NULL);
    ck_assert_int_eq(pv_frames_get_count(frames), 4);
    ck_assert_int_eq(pv_frames_find(frames, "walk/2.png"), 2);
    for (int i = 0; i < 4; i++) check_mask(frames, i);
    ck_assert_str_eq(pv_frames_get_image_path(frames), source_path(DATA "row.png"));
}

START_TEST(libgdx_atlases) {
    check_row(DATA "row.atlas");
    check_row(DATA "row_old.atlas");
}

static pv_error load_named(const char *name, const char *text, const pv_image *image) {
    FILE *file = fopen(name, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    pv_frames_destroy(pv_frames_load(name, image, NULL, &error));
    remove(name);
    return error;
}

START_TEST(bad_libgdx_atlases) {
    static const char *const texts[][2] = {
        {"", "must have one"},
        {"\n\n", "must have one"},
        {"a.png\n", "\"frames\" is empty"},
        {"a.png\nx\nbounds:0,0,2,2\n\nb.png\ny\n", "has 2 pictures, must have one"},
        {"a.png\nx\nbounds:0,0,2,2\nrotate:90\n",
         "\"rotated\" of frame \"x\" is \"counterclockwise\""},
        {"a.png\nx\nbounds:0,0,2,9\n", "\"frame\" of frame \"x\" is 2 x 9 px"},
        {"a.png\nx\nbounds:0,0,2.5,2\n",
         "\"w\" of frame \"x\" is 2.5, must be a whole number from 0 to 32768"},
        {"a.png\nx\nbounds:-1,nan,inf\n", "of frame \"x\""},
        {"a.png\nx\n", "\"w\" of frame \"x\" is 0"}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        error = load_named("frames-test.atlas", texts[i][0], &small);
        ck_assert_msg(error.status == PV_ERROR_FORMAT && strstr(error.message, texts[i][1]),
                      "%s: %s", texts[i][0], error.message);
    }
}

#ifdef HAVE_EXPAT
START_TEST(texture_atlases_in_xml) {
    static const char *const texts[][2] = {
        {"x='0' y='0' width='3' height='99'", "\"frame\" of frame \"a\" is 3 x 99 px"},
        {"x='z' y='0' width='3' height='9'", "\"x\" of frame \"a\" is no number"}};
    check_row(DATA "row.xml");
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char xml[128];
        snprintf(xml, sizeof xml, "<TextureAtlas><SubTexture name='a' %s/></TextureAtlas>",
                 texts[i][0]);
        ck_assert_ptr_nonnull(
            strstr(load_named("frames-test.xml", xml, &small).message, texts[i][1]));
    }
}
#endif

START_TEST(image_by_the_caller) {
    scoped_image *image = pv_image_load(source_path(DATA "packed.png"), NULL, NULL);
    scoped_frames *frames = pv_frames_load(source_path(DATA "packed_hash.json"), image, NULL, NULL);
    check_mask(frames, 2);
    ck_assert_str_eq(pv_frames_get_image_path(frames), source_path(DATA "packed.png"));
}

/// Reads a text in a block of exactly its size; ' stands for ", and @ for a good frame.
static pv_frames *read_text(const char *text, const pv_image *image,
                            const pv_frames_options *options, pv_error *e) {
    static const char frame[] = "\"frame\":{\"x\":1,\"y\":2,\"w\":3,\"h\":4}";
    size_t size = 0, length = strlen(text);
    for (size_t i = 0; i < length; i++) size += text[i] == '@' ? sizeof frame - 1 : 1;
    char *json = malloc(size ? size : 1), *to = json;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '@')
            to = (char *)memcpy(to, frame, sizeof frame - 1) + sizeof frame - 1;
        else
            *to++ = text[i] == '\'' ? '"' : text[i];
    pv_frames *frames = pv_frames_load_memory(json, size, image, options, e);
    free(json);
    return frames;
}

START_TEST(random_parts_turned_back) {
    for (int n = 0; n < 500; n++) {
        scoped_image *image = random_image(any_int(1, 90), any_int(1, 90));
        bool turned = n % 2, as_stored = n % 4 > 1; /* others write a turned part as it is stored */
        int sw = any_int(0, image->width), sh = any_int(0, image->height);
        int sx = any_int(0, image->width - sw), sy = any_int(0, image->height - sh);
        int w = turned ? sh : sw, h = turned ? sw : sh;
        int x = any_int(-5, 20), y = any_int(-5, 20), full_w = any_int(1, 100),
            full_h = any_int(1, 100);
        char text[512];
        snprintf(text, sizeof text,
                 "{'frames':[{'frame':{'x':%d,'y':%d,'w':%d,'h':%d},'rotated':%s,"
                 "'spriteSourceSize':{'x':%d,'y':%d,'w':%d,'h':%d},'sourceSize':{'w':%d,'h':%d}}]}",
                 sx, sy, as_stored ? sw : w, as_stored ? sh : h, turned ? "true" : "false", x, y, w,
                 h, full_w, full_h);
        scoped_frames *frames = read_text(text, image, NULL, NULL);
        ck_assert_ptr_nonnull(frames);
        const pv_mask *mask = pv_frames_get_frame(frames, 0)->mask;
        ck_assert_mask_size(mask, full_w, full_h);
        for (int i = 0; i < full_w * full_h; i++) {
            int u = i % full_w - x, v = i / full_w - y;
            bool in = u >= 0 && v >= 0 && u < w && v < h;
            bool solid = in && (turned ? alpha_at(image, sx + h - 1 - v, sy + u)
                                       : alpha_at(image, sx + u, sy + v)) >= 128;
            ck_assert_int_eq(pv_mask_get_pixel(mask, i % full_w, i / full_w), solid);
        }
    }
}

#define ONE(more) "{'frames':[{@," more "}]}"
#define META(more) "{'frames':[{@},{@}],'meta':{" more "}}"

START_TEST(what_may_be_missing) {
    const char *const good[] = {"{'frames':[{@}]}",
                                ONE("'filename':'\\u00e4'"),
                                "{'frames':[{@,'filename':'\\u00e4'}],'meta':{}} \r\n\t",
                                "{'frames':{'a':{'frame':{'x':1,'y':2,'w':3,'h':4.0},'trimmed':7}},"
                                "'meta':{'image':'../x.png'}}",
                                "{'frames':{'a':{@,'anchor':{'x':0.5,'y':0.5}}}}",
                                META("'frameTags':[],'slices':[{'name':'s'}]"),
                                META("'frameTags':[{'name':'t','from':0,'to':0}]"),
                                "\xef\xbb\xbf{'frames':[{@}]}"};
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        scoped_frames *frames = read_text(good[i], &small, NULL, NULL);
        ck_assert_msg(frames != NULL, "%s", good[i]);
        check_pivot(frames, 0, 1.5, 2);
        ck_assert_int_eq(pv_mask_get_height(pv_frames_get_frame(frames, 0)->mask), 4);
        ck_assert(pv_frames_get_frame(frames, 0)->duration == 0.1);
    }
}

/* ---- bad atlases ---- */

static void format_refused(const char *text) {
    scoped_purse p = {0, 0, 0};
    pv_frames_options o = pv_frames_options_default();
    o.limits.allocator = (pv_allocator){purse_alloc, &p};
    pv_frames *frames = read_text(text, &small, &o, &error);
    ck_assert_msg(!frames && error.status == PV_ERROR_FORMAT, "%s: %s", error.message, text);
}

/// Checks a head, each of some pieces between bars, and an end.
static void check_each(const char *head, const char *pieces, const char *end,
                       void (*check)(const char *text)) {
    for (size_t size = strcspn(pieces, "|");; pieces += size + 1, size = strcspn(pieces, "|")) {
        char text[256];
        snprintf(text, sizeof text, "%s%.*s%s", head, (int)size, pieces, end);
        check(text);
        if (!pieces[size]) break;
    }
}

static void refuse_each(const char *head, const char *pieces, const char *end) {
    check_each(head, pieces, end, format_refused);
}

START_TEST(bad_json) {
    refuse_each("",
                "| |{|}|[]|null|1|'frames'|{}|{'frames':}|{'frames':[{@}]|{'frames':[{@}]}}|"
                "{'frames':[{@}]} x|{'frames':[{@},]}|{'frames':[|{'1':1,|{'frames':[]}|"
                "{'frames':{}}|{'frames':null}|{'frames':1}|{'frames':[1]}|{'frames':[null]}|"
                "{'frames':[[]]}|{'frames':'x'}|{'Frames':[{@}]}|{'frames':[{@}],'frames':[{@}]}|"
                "{'frames':{'a':{@,@}}}|{'frames':[{@}],'meta':[]}|{'frames':[{@}],'meta':1}|"
                "{'frames':[{@}],'meta':{},'meta':{}}|\xff\xfe{",
                "");
}

START_TEST(bad_frames) {
    refuse_each("{'frames':[{", "|'frame':1|'frame':[1,2,3,4]", "}]}");
    refuse_each("{'frames':[{'frame':{",
                "'x':1,'y':2,'w':3|'x':'1','y':2,'w':3,'h':4|'x':1,'x':1,'y':2,'w':3,'h':4|"
                "'x':1.5,'y':2,'w':3,'h':4|'x':-1,'y':2,'w':3,'h':4|'x':1,'y':2,'w':-3,'h':4|"
                "'x':1,'y':2,'w':3,'h':-4|'x':1,'y':2,'w':0,'h':4|'x':6,'y':2,'w':3,'h':4|"
                "'x':1,'y':5,'w':3,'h':4|'x':9,'y':2,'w':3,'h':4|'x':1,'y':2,'w':9,'h':4|"
                "'x':1,'y':2,'w':3,'h':1e9|'x':1e999,'y':2,'w':3,'h':4|'x':NaN,'y':2,'w':3,'h':4|"
                "'x':4294967297,'y':2,'w':3,'h':4",
                "}}]}");
    refuse_each("{'frames':[{'rotated':true,'frame':{",
                "'x':0,'y':0,'w':4,'h':8},'spriteSourceSize':{'x':0,'y':0,'w':5,'h':6|"
                "'x':0,'y':0,'w':9,'h':2|'x':7,'y':0,'w':2,'h':2",
                "}}]}");
    refuse_each("{'frames':[{@,",
                "'rotated':1|'rotated':'true'|'rotated':false,'rotated':true|'filename':1|"
                "'spriteSourceSize':1|'spriteSourceSize':{'x':0,'y':0,'w':3,'h':3}|"
                "'spriteSourceSize':{'x':0,'y':0,'w':2,'h':3}|"
                "'spriteSourceSize':{'x':-40000,'y':0,'w':3,'h':4}|"
                "'spriteSourceSize':{'w':3,'h':4}|'sourceSize':{'w':0,'h':4}|"
                "'sourceSize':{'w':3,'h':-4}|'sourceSize':{'w':32769,'h':4}|'sourceSize':{'w':3}|"
                "'sourceSize':[3,4]|'duration':0|'duration':-5|'duration':'100'|'duration':1e7|"
                "'duration':1e999|'duration':100,'duration':100|'pivot':1|'pivot':{'x':0}|"
                "'pivot':{'x':0,'y':'0'}|'pivot':{'x':0,'y':1025}|'pivot':{'x':-1e999,'y':0}|"
                "'pivot':{'x':0,'y':0},'pivot':{'x':0,'y':0}|'anchor':0",
                "}]}");
}

/// Calls of a hook: their number, and the last message
typedef struct told {
    int count;
    char last[192];
} told;

static void tell(void *user_data, const pv_error *e) {
    told *to = user_data;
    to->count++;
    ck_assert_int_eq(e->status, PV_ERROR_FORMAT);
    snprintf(to->last, sizeof to->last, "%s", e->message);
}

/// Reads frames whose tags or slices are left out and reported. Returns the last message.
static const char *leaves_out(const char *text, int count) {
    static told hook;
    pv_frames_options o = pv_frames_options_default();
    hook = (told){0, ""};
    pv_frames_destroy(read_text(text, &small, &o, &error)); /* without a hook */
    ck_assert_int_eq(error.status, PV_OK);
    o.report_callback = tell, o.report_user_data = &hook;
    scoped_frames *frames = read_text(text, &small, &o, &error);
    ck_assert_msg(frames != NULL, "%s: %s", error.message, text);
    ck_assert_int_eq(pv_frames_get_count(frames), 2);
    ck_assert_ptr_null(pv_frames_get_tag(frames, 0));
    check_pivot(frames, 1, 1.5, 2);
    ck_assert_msg(hook.count == count, "%d times: %s", hook.count, text);
    return hook.last + strlen("pv_frames_load_memory: json: ");
}

static void is_left_out(const char *text) { leaves_out(text, 1); }

static void leave_out_each(const char *head, const char *pieces, const char *end) {
    check_each(head, pieces, end, is_left_out);
}

START_TEST(bad_meta) {
    refuse_each("{'frames':[{@},{@}],'meta':{", "'image':1|'image':'a','image':'a'", "}}");
    leave_out_each("{'frames':[{@},{@}],'meta':{",
                   "'frameTags':{}|'frameTags':[1]|'slices':{}|'slices':[1]|"
                   "'slices':[{'keys':[]}]|'slices':[],'slices':[]",
                   "}}");
    leave_out_each(
        "{'frames':[{@},{@}],'meta':{'frameTags':[{",
        "'from':0,'to':1|'name':1,'from':0,'to':1|'name':'t','to':1|'name':'t','from':0|"
        "'name':'t','from':0,'to':2|'name':'t','from':-1,'to':1|'name':'t','from':2,'to':0|"
        "'name':'t','from':0.5,'to':1|'name':'t','from':0,'to':1,'direction':'sideways'|"
        "'name':'t','from':0,'to':1,'direction':1",
        "}]}}");
    leave_out_each("{'frames':[{@},{@}],'meta':{'slices':[{'name':'s','keys':",
                   "{}|[1]|[{}]|[{'frame':-1}]|[{'frame':1e10}]|[{'frame':1},{'frame':1}]|"
                   "[{'frame':0,'pivot':{'x':0,'y':0}}]|"
                   "[{'frame':0,'bounds':{'x':0},'pivot':{'x':0,'y':0}}]|"
                   "[{'frame':0,'bounds':{'x':0,'y':0},'pivot':{'x':0,'y':1e9}}]",
                   "}]}}");
}

START_TEST(faulty_tags_and_slices_are_told_by_name_and_value) {
    ck_assert_str_eq(leaves_out(META("'frameTags':[{'name':'run','from':1,'to':3}]"), 1),
                     "\"to\" of tag \"run\" is 3, must be a whole number from -1 to 1");
    ck_assert_str_eq(
        leaves_out(META("'frameTags':[{'name':'a','from':0,'to':9},{'from':0,'to':1}]"), 2),
        "\"name\" of tag 1 is missing");
    ck_assert_str_eq(leaves_out(META("'slices':[{'name':'body','keys':[{'frame':0,'bounds':{'x':"
                                     "-657667686,'y':1},'pivot':{'x':2,'y':3}}]}]"),
                                1),
                     "\"x\" of slice \"body\" is -657667686, must be -32768 to 32768");
    ck_assert_str_eq(
        leaves_out(META("'frameTags':[{'name':'t','from':0,'to':1,'direction':'up'}]"), 1),
        "\"direction\" of tag \"t\" is \"up\", which is unknown");
}

/* A bad slice with the wanted name does not refuse the sheet. Other slices serve as before. */
START_TEST(slices_beside_a_faulty_one) {
    static const char text[] =
        META("'slices':[{'name':'s','keys':[{'frame':'0'}]},{'name':'t','keys':[{'frame':0,"
             "'bounds':{'x':1,'y':1},'pivot':{'x':0,'y':0}}]}]");
    pv_frames_options o = pv_frames_options_default();
    for (int i = 0; i < 2; i++) {
        o.pivot_slice = i ? "s" : NULL;
        scoped_frames *frames = read_text(text, &small, &o, NULL);
        check_pivot(frames, 0, i ? 1.5 : 1, i ? 2 : 1);
    }
}

/// Checks the only frame of an atlas whose picture is solid from (0, 0) to (6, 3).
static void check_solid(const char *text, int w, int h, pv_rect solid) {
    scoped_image *image = pv_image_create(16, 16, NULL, NULL);
    for (int i = 0; i < 6 * 3; i++) image->pixels[(i / 6 * 16 + i % 6) * 4 + 3] = 255;
    scoped_frames *frames = read_text(text, image, NULL, &error);
    ck_assert_msg(frames != NULL, "%s", error.message);
    scoped_mask *expected = pv_mask_create(w, h, NULL, NULL);
    pv_mask_fill_rect(expected, solid, true);
    check_same_masks(pv_frames_get_frame(frames, 0)->mask, expected);
}

#define PLACE "'frame':{'x':0,'y':0,'w':6,'h':3},"

/* Packers write these faults, and other readers of sheets accept them. */
START_TEST(sizes_that_packers_write) {
    check_solid("{'frames':{'c':{" PLACE "'trimmed':false,'spriteSourceSize':{'x':8,'y':9,'w':6,"
                "'h':3},'sourceSize':{'w':6,'h':3}}}}",
                6, 3, (pv_rect){0, 0, 6, 3});
    check_solid("{'frames':{'c':{" PLACE "'trimmed':true,'spriteSourceSize':{'x':2,'y':1,'w':8,"
                "'h':4},'sourceSize':{'w':8,'h':4}}}}",
                8, 4, (pv_rect){2, 1, 6, 3});
    check_solid("{'frames':{'c':{" PLACE "'rotated':true,'spriteSourceSize':{'x':1,'y':1,'w':9,"
                "'h':5},'sourceSize':{'w':9,'h':5}}}}",
                9, 5, (pv_rect){1, 1, 3, 3});
    check_solid("{'textures':[{'image':'a.png','frames':[{'filename':'c'," PLACE
                "'trimmed':false}]}]}",
                6, 3, (pv_rect){0, 0, 6, 3});
}

START_TEST(frames_of_equal_names_are_kept) {
    scoped_frames *frames = read_text("{'frames':{'b':{@},'a':{@},'b':{@}}}", &small, NULL, NULL);
    ck_assert_int_eq(pv_frames_get_count(frames), 3);
    ck_assert_int_eq(pv_frames_find(frames, "b"), 0);
}

#define SHAPE(corners, triangles)                                                                  \
    "{'frames':[{" PLACE "'vertices':" corners ",'triangles':" triangles "}]}"

START_TEST(polygons_cut_their_frames) {
    scoped_image *image = pv_image_create(16, 16, NULL, NULL);
    for (int i = 0; i < 16 * 16; i++) image->pixels[i * 4 + 3] = 255;
    scoped_frames *frames = read_text(SHAPE("[[0,0],[6,0],[0,3]]", "[[0,1,2]]"), image, NULL, NULL);
    ck_assert_ptr_nonnull(frames);
    const pv_mask *mask = pv_frames_get_frame(frames, 0)->mask;
    for (int i = 0; i < 18; i++) /* (x + 1/2) / 6 + (y + 1/2) / 3, which is never 1 */
        ck_assert_int_eq(pv_mask_get_pixel(mask, i % 6, i / 6), i % 6 + 2 * (i / 6) + 1.5 < 6);
    refuse_each("{'frames':[{" PLACE "'vertices':[[0,0],[6,0],",
                "[0,3]],'triangles':[[0,1,3]]|[0,3]],'triangles':[[0,1]]|"
                "[0,3]],'triangles':[[0,1,-1]]|[0]],'triangles':[[0,1,2]]|"
                "[0,1e9]],'triangles':[[0,1,2]]",
                "}]}");
}

#define FRAME "'frame':{'x':1,'y':2,'w':3,'h':4}"

START_TEST(damaged_files) {
    const char *good =
        "{'frames':{'a':{" FRAME
        ",'rotated':false,'sourceSize':{'w':9,'h':9},'duration':50},'b':{" FRAME
        ",'pivot':{'x':0.5,'y':1}}},'meta':{'image':'x.png','frameTags':[{'name':'t',"
        "'from':0,'to':1,'direction':'pingpong'}],'slices':[{'name':'s','keys':[{"
        "'frame':0,'bounds':{'x':0,'y':0,'w':1,'h':1},'pivot':{'x':1,'y':2}}]}]}}";
    size_t size = strlen(good);
    scoped_memory char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        memcpy(text, good, size + 1);
        text[i] = '\0';
        format_refused(text);
    }
    for (int n = 0; n < 20000; n++) {
        scoped_purse p = {0, 0, 0};
        pv_frames_options o = pv_frames_options_default();
        o.limits.allocator = (pv_allocator){purse_alloc, &p};
        memcpy(text, good, size + 1);
        for (int k = any_int(1, 3); k > 0; k--)
            text[any_int(0, (int)size - 1)] = (char)any_int(1, 255);
        pv_frames_destroy(read_text(text, &small, &o, NULL));
    }
}

START_TEST_FOR(deep_nests, i, 3) {
    const char *const open[] = {"[", "{'frames':", "{'frames':["};
    const int depth = 100000;
    size_t step = strlen(open[i]);
    scoped_memory char *text = malloc(step * (size_t)depth + 1);
    for (int k = 0; k < depth; k++) memcpy(text + (size_t)k * step, open[i], step);
    text[step * (size_t)depth] = '\0';
    format_refused(text);
}

START_TEST(nul_in_the_middle) {
    const char json[] = "{\"frames\":[{\"frame\":{\"x\":1,\"y\":2,\"w\":3,\"h\":4}}]}\0 ";
    scoped_frames *frames = pv_frames_load_memory(json, strlen(json), &small, NULL, &error);
    ck_assert_ptr_nonnull(frames);
    ck_assert_refused(pv_frames_load_memory(json, sizeof json - 1, &small, NULL, &error), error,
                      PV_ERROR_FORMAT);
}

START_TEST(large_atlases) {
    pv_frames_options o = WITH(pv_frames_options_default(), it.limits.max_width = 100);
    ck_assert_refused(read_text(ONE("'sourceSize':{'w':101,'h':4}"), &small, &o, &error), error,
                      PV_ERROR_TOO_LARGE);
    o = pv_frames_options_default();
    o.limits.max_area = 1 << 20; /* enough for one mask of 2^25 pixels */
    ck_assert_refused(read_text(ONE("'sourceSize':{'w':32768,'h':1025}"), &small, &o, &error),
                      error, PV_ERROR_TOO_LARGE);
    scoped_frames *frames = read_text(ONE("'sourceSize':{'w':32768,'h':1024}"), &small, &o, &error);
    ck_assert_ptr_nonnull(frames);
    o = pv_frames_options_default();
    o.limits.max_file_size = 10;
    ck_assert_refused(read_text(ONE("'duration':1"), &small, &o, &error), error,
                      PV_ERROR_TOO_LARGE);
    ck_assert_refused(pv_frames_load_memory("{", ((size_t)1 << 24) + 1, &small, NULL, &error),
                      error, PV_ERROR_TOO_LARGE);
}

START_TEST(many_names) {
    const int count = 20000;
    char *text = malloc((size_t)count * 64 + 64), *to = text, name[16];
    to += sprintf(to, "{'frames':{");
    for (int i = 0; i < count; i++) to += sprintf(to, "%s'%06d':{@}", i ? "," : "", count - i);
    sprintf(to, "}}");
    scoped_frames *frames = read_text(text, &small, NULL, NULL);
    ck_assert_int_eq(pv_frames_get_count(frames), count);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%06d", count - i);
        ck_assert_int_eq(pv_frames_find(frames, name), i);
    }
    free(text);
}

/* ---- files ---- */

static pv_status load_naming(const char *picture) {
    char json[2048];
    snprintf(json, sizeof json,
             "{\"frames\":[{\"frame\":{\"x\":0,\"y\":0,\"w\":1,\"h\":1}}],\"meta\":{"
             "\"image\":\"%s\"}}",
             picture);
    return load_named("frames-test.json", json, NULL).status;
}

START_TEST(pictures_elsewhere) {
    const char *const refused[] = {
        "",     "/etc/x.png",         "..",         "../x.png", "a/../x.png",
        "a/..", "a/b/../../../x.png", "a\\\\b.png", "C:x.png",  "..\\\\x.png"};
    const char *const allowed[] = {"no-such.png", "a/no-such.png", "..a/no-such.png",
                                   "a../no-such.png", "./no-such.png"};
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        ck_assert_int_eq(load_naming(refused[i]), PV_ERROR_FORMAT);
    for (size_t i = 0; i < COUNT_OF(allowed); i++)
        ck_assert_int_eq(load_naming(allowed[i]), PV_ERROR_FILE_OPEN);
}

START_TEST(bad_files_and_arguments) {
    pv_frames_options o = WITH(pv_frames_options_default(), it.limits.max_file_size = 100);
    const struct {
        const char *path;
        const pv_frames_options *options;
        pv_status due;
    } cases[] = {{"no-such.json", NULL, PV_ERROR_FILE_OPEN},
                 {"/", NULL, PV_ERROR_FILE_OPEN},
                 {DATA "walker.png", NULL, PV_ERROR_FORMAT},
                 {DATA "walker_hash.json", &o, PV_ERROR_TOO_LARGE}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        ck_assert_refused(pv_frames_load(i < 2 ? cases[i].path : source_path(cases[i].path), NULL,
                                         cases[i].options, &error),
                          error, cases[i].due);
    ck_assert_refused(pv_frames_load_memory("{}", 2, NULL, NULL, &error), error, PV_ERROR_ARGUMENT);
}

static void expect_json(const char *text, const char *expected) {
    char sentence[256];
    snprintf(sentence, sizeof sentence, "pv_frames_load_memory: json%s", expected);
    ck_assert_refused(read_text(text, &small, NULL, &error), error, PV_ERROR_FORMAT);
    ck_assert_str_eq(error.message, sentence);
}

START_TEST(sentences_tell_what_is_wrong_in_a_file) {
    expect_json("{'frames':[{@}", " is cut off: its JSON ends too early");
    expect_json("{'frames':\n[{@}\n;]}", " is not JSON from line 3 on");
    expect_json("{'frames':[{@},{}]}", ": \"frame\" of frame 1 is missing");
    expect_json("{'frames':{'run':{@,'duration':0}}}",
                ": \"duration\" of frame \"run\" is 0, must be 1 to 3600000");
    expect_json("{'frames':{'a':{'frame':{'x':6,'y':2,'w':3,'h':4}}}}",
                ": \"frame\" of frame \"a\" is 3 x 4 px at (6, 2), not in the picture of 8 x 8 px");
    expect_json(ONE("'filename':'b','spriteSourceSize':{'x':0,'y':0,'w':2,'h':3}"),
                ": \"spriteSourceSize\" of frame \"b\" is 2 x 3 px, but \"frame\" is 3 x 4 px");
    expect_json("{'frames':{'a':{'frame':{'x':0.5,'y':2,'w':3,'h':4}}}}",
                ": \"x\" of frame \"a\" is 0.5, must be a whole number from 0 to 32768");
    expect_json(ONE("'filename':'b','vertices':[[0,0],[3,0],[0,3]],'triangles':[[0,1,3]]"),
                ": \"triangles\" of frame \"b\" has vertex 3, must be 0 to 2");
    expect_json(ONE("'filename':'b','vertices':[[0,0],[3,0],[0,3]],'triangles':[[0,1]]"),
                ": \"triangles\" of frame \"b\" has a corner that is no number");
    expect_json("{'textures':[{},{}]}", ": \"textures\" has 2 pictures, must have one");
    ck_assert_ptr_null(pv_frames_load("no-such.json", NULL, NULL, &error));
    ck_assert_str_eq(error.message, "pv_frames_load: cannot open no-such.json");
    ck_assert_str_eq(error.field, "path");
}

#else

START_TEST(atlases_are_unsupported) {
    ck_assert_refused(pv_frames_load("no-such.json", NULL, NULL, &error), error,
                      PV_ERROR_UNSUPPORTED);
    ck_assert_refused(pv_frames_load_memory("{}", 2, &small, NULL, &error), error,
                      PV_ERROR_UNSUPPORTED);
}

#endif

RUN_TESTS("frames")
