/* fuzz_atlas.c - bytes as the JSON of an atlas whose picture is known.
 *
 * Invariant: each pixel of a frame follows from the alpha of its place in the atlas, or is cut off
 * by a polygon.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"

enum { WIDTH = 48, HEIGHT = 40, SIDE = 256, AREA = 1 << 14 };

static bool is_solid(int x, int y) { return ((x * 7 + y * 5) ^ (x * y)) % 3 != 0; }

static pv_image *picture(void) {
    pv_image *image = pv_image_create(WIDTH, HEIGHT, NULL, NULL);
    CHECK(image);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        image->pixels[4 * i + 3] = is_solid(i % WIDTH, i / WIDTH) ? 200 : 90;
    return image;
}

static bool expected(const pv_frame *f, int x, int y) {
    int i = x - f->trim_rect.x, j = y - f->trim_rect.y;
    if (i < 0 || j < 0 || i >= f->trim_rect.w || j >= f->trim_rect.h) return false;
    int u = f->rotated ? f->trim_rect.h - 1 - j : i, v = f->rotated ? i : j;
    return is_solid(f->atlas_rect.x + u, f->atlas_rect.y + v);
}

static void check_frame(const pv_frames *frames, int index, bool cut) {
    const pv_frame *f = pv_frames_get_frame(frames, index);
    CHECK(f && f->name && f->mask && f->duration >= 0.001 && f->duration <= 3600);
    CHECK(f->pivot.x - f->pivot.x == 0 && f->pivot.y - f->pivot.y == 0);
    pv_rect r = f->atlas_rect, trim = f->trim_rect;
    CHECK(f->rotated ? r.w == trim.h && r.h == trim.w : r.w == trim.w && r.h == trim.h);
    CHECK(r.x >= 0 && r.y >= 0 && r.w >= 0 && r.h >= 0 && r.x <= WIDTH - r.w &&
          r.y <= HEIGHT - r.h);
    int w = pv_mask_get_width(f->mask), h = pv_mask_get_height(f->mask),
        found = pv_frames_find(frames, f->name);
    CHECK(w <= SIDE && h <= SIDE && w * h <= AREA);
    CHECK(found >= 0 && found <= index &&
          strcmp(pv_frames_get_frame(frames, found)->name, f->name) == 0);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            CHECK(pv_mask_get_pixel(f->mask, x, y) == expected(f, x, y) ||
                  (cut && expected(f, x, y)));
}

static void check_tag(const pv_frames *frames, int index) {
    const pv_tag *t = pv_frames_get_tag(frames, index);
    CHECK(t && t->name && t->first >= 0 && t->first <= t->last &&
          t->last < pv_frames_get_count(frames));
    double length = 0;
    bool back = t->direction == PV_TAG_PINGPONG || t->direction == PV_TAG_PINGPONG_REVERSE;
    for (int i = t->first; i <= t->last; i++)
        length += pv_frames_get_frame(frames, i)->duration *
                  (back && i > t->first && i < t->last ? 2 : 1);
    int first = pv_frames_get_index_at(frames, index, 0),
        later = pv_frames_get_index_at(frames, index, 0.7 * length);
    bool reverse = t->direction == PV_TAG_REVERSE || t->direction == PV_TAG_PINGPONG_REVERSE;
    CHECK(first == (reverse ? t->last : t->first) && later >= t->first && later <= t->last);
    CHECK(pv_frames_find_tag(frames, t->name) <= index);
}

static bool has_polygons(const uint8_t *data, size_t size) {
    static const char word[] = "triangles";
    for (size_t i = 0; i + sizeof word - 1 <= size; i++)
        if (memcmp(data + i, word, sizeof word - 1) == 0) return true;
    return memchr(data, '\\', size); /* the word may be escaped */
}

static void look(void *told, const pv_error *error) {
    *(int *)told += error->status == PV_ERROR_FORMAT && *error->message;
}

static pv_frames *load(const uint8_t *data, size_t size, const pv_image *image, fuzz_purse *purse,
                       pv_error *error) {
    pv_frames_options o = pv_frames_options_default();
    o.limits.max_width = o.limits.max_height = SIDE;
    o.limits.max_area = AREA;
    o.limits.allocator = fuzz_allocator(purse);
    int told = 0;
    o.report_callback = look, o.report_user_data = &told;
    return pv_frames_load_memory(data, size, image, &o, error);
}

static void check_failures(const uint8_t *data, size_t size, const pv_image *image, long calls) {
    for (long i = 1; i <= calls; i += 1 + calls / 8) {
        fuzz_purse purse = {.fail_at = i};
        pv_error error = {0};
        CHECK(!load(data, size, image, &purse, &error));
        CHECK(error.status == PV_ERROR_MEMORY && purse.live == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_purse purse = {0};
    pv_error error = {.status = PV_STATUS_COUNT};
    pv_image *image = picture();
    pv_frames *frames = load(data, size, image, &purse, &error);
    CHECK((frames != NULL) == (error.status == PV_OK) && error.status < PV_STATUS_COUNT);
    for (int i = 0; i < pv_frames_get_count(frames); i++)
        check_frame(frames, i, has_polygons(data, size));
    for (int i = 0; pv_frames_get_tag(frames, i); i++) check_tag(frames, i);
    if (frames) check_failures(data, size, image, purse.calls);
    pv_frames_destroy(frames);
    pv_image_destroy(image);
    CHECK(purse.live == 0);
    return 0;
}
