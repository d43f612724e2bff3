/* draw_masks.c - makes docs/masks.png: sprites turned, scaled and mirrored, every pixel blown up to
 * a block. Lines are the edges of their collision bitmaps. Pixels that two of them share are pink.
 *
 * Invariant: pv_canvas_draw_image draws the sprites, and the lines come from pv_mask_transform.
 * Neither knows the other, so lines and blocks agree only because the library's two functions do.
 *
 * SPDX-License-Identifier: Zlib
 */
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 240, HEIGHT = 160, ZOOM = 4 };

/// Sprite of the picture; some overlap a neighbor
typedef struct actor {
    const char *name;
    /// Middle [px], angle [rad], and scale along its own axes
    double x, y, angle, wide, high;
    uint32_t line;
    pv_image *image;
    /// Colliding pixels
    pv_mask *bitmap;
    /// Rectangle of the bitmap in the world
    pv_rect at;
} actor;

static actor actors[] = {
    {.name = "gear", .x = 38, .y = 42, .angle = 0.2, .wide = 1, .high = 1, .line = 0x7fe7ffff},
    {.name = "star", .x = 82, .y = 44, .angle = 0.35, .wide = 1.2, .high = 1.2, .line = 0x8cff9eff},
    {.name = "letter_c",
     .x = 139,
     .y = 40,
     .angle = -0.5,
     .wide = 1,
     .high = 1,
     .line = 0xffe066ff},
    {.name = "ship",
     .x = 205,
     .y = 42,
     .angle = -0.7,
     .wide = 1.5,
     .high = 1.5,
     .line = 0xff9ee6ff},
    {.name = "rock_large",
     .x = 44,
     .y = 115,
     .angle = 2.2,
     .wide = 0.85,
     .high = 0.85,
     .line = 0xffe066ff},
    {.name = "ring",
     .x = 110,
     .y = 119,
     .angle = 0.4,
     .wide = 1.1,
     .high = 0.8,
     .line = 0xff9ee6ff},
    {.name = "ball",
     .x = 128,
     .y = 100,
     .angle = 0.8,
     .wide = 0.8,
     .high = 0.8,
     .line = 0x7fe7ffff},
    {.name = "letter_l",
     .x = 171,
     .y = 113,
     .angle = 0.6,
     .wide = -1,
     .high = 1.3,
     .line = 0x8cff9eff},
    {.name = "box_notched",
     .x = 206,
     .y = 119,
     .angle = 1.0,
     .wide = 1,
     .high = 1,
     .line = 0x7fe7ffff},
};
enum { ACTORS = sizeof actors / sizeof *actors };

static void fail(const char *what, pv_status status) {
    fprintf(stderr, "draw_masks: %s: %s\n", what, pv_status_to_string(status));
    exit(2);
}

/// Loads a sprite, draws it pixel by pixel, and makes its bitmap.
static void place(actor *a, const char *directory, const pv_canvas *world) {
    char path[1024];
    pv_error error;
    snprintf(path, sizeof path, "%s/%s.png", directory, a->name);
    a->image = pv_image_load(path, NULL, &error);
    if (!a->image) fail(path, error.status);
    pv_transform at = pv_transform_identity();
    at.position = PV_VEC2(a->x, a->y);
    at.scale = PV_VEC2(a->wide, a->high);
    at.pivot = (pv_vec2){a->image->width / 2.0, a->image->height / 2.0};
    at.rotation = pv_rotation_from_angle(a->angle);
    pv_mask *upright = pv_mask_from_image(a->image, NULL, &error);
    a->bitmap = upright ? pv_mask_transform(upright, &at, &a->at, NULL, &error) : NULL;
    pv_mask_release(upright);
    if (a->bitmap) error.status = pv_canvas_draw_image(world, a->image, &at, 0xffffffff);
    if (error.status != PV_OK) fail(path, error.status);
}

/// Tells whether a pixel of the world is in the bitmap.
static bool solid(const actor *a, int x, int y) {
    return pv_mask_get_pixel(a->bitmap, x - a->at.x, y - a->at.y);
}

/// Draws a line one pixel wide from corner to corner of blocks, its middle on pixel centers.
static void line(const pv_canvas *page, int x0, int y0, int x1, int y1, uint32_t color) {
    pv_canvas_draw_line(page, (pv_vec2){x0 * ZOOM + 0.5, y0 * ZOOM + 0.5},
                        (pv_vec2){x1 * ZOOM + 0.5, y1 * ZOOM + 0.5}, color);
}

/// Draws the edges between solid pixels of the bitmap and others.
static void outline(const actor *a, const pv_canvas *page) {
    for (int y = 0; y <= HEIGHT; y++)
        for (int x = 0; x <= WIDTH; x++) {
            bool here = solid(a, x, y);
            if (here != solid(a, x - 1, y)) line(page, x, y, x, y + 1, a->line);
            if (here != solid(a, x, y - 1)) line(page, x, y, x + 1, y, a->line);
        }
}

/// Fills the blocks of the pixels that two bitmaps share.
static void blush(const actor *a, const actor *b, const pv_canvas *page) {
    pv_transform at = pv_transform_identity();
    pv_mask *block = pv_mask_create(ZOOM, ZOOM, NULL, NULL);
    pv_mask_fill_rect(block, (pv_rect){0, 0, ZOOM, ZOOM}, true);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            if (!solid(a, x, y) || !solid(b, x, y)) continue;
            at.position = (pv_vec2){x * ZOOM, y * ZOOM};
            pv_canvas_draw_mask(page, block, &at, 0xff10a0b0);
        }
    pv_mask_release(block);
}

int main(int argc, char **argv) {
    const char *out = argc > 1 ? argv[1] : "docs/masks.png",
               *directory = argc > 2 ? argv[2] : "sprites";
    pv_image *small = pv_image_create(WIDTH, HEIGHT, NULL, NULL);
    pv_image *large = pv_image_create(WIDTH * ZOOM, HEIGHT * ZOOM, NULL, NULL);
    if (!small || !large) fail(out, PV_ERROR_MEMORY);
    pv_canvas world = {small->pixels, WIDTH, HEIGHT, WIDTH * 4};
    pv_canvas page = {large->pixels, WIDTH * ZOOM, HEIGHT * ZOOM, WIDTH * ZOOM * 4};
    pv_canvas_clear(&world, 0x1c2230ff);
    for (int i = 0; i < ACTORS; i++) place(&actors[i], directory, &world);
    pv_transform zoom = pv_transform_identity();
    zoom.scale = (pv_vec2){ZOOM, ZOOM};
    pv_canvas_draw_image(&page, small, &zoom, 0xffffffff);
    for (int x = 0; x < WIDTH; x++) line(&page, x, 0, x, HEIGHT, 0xffffff0c);
    for (int y = 0; y < HEIGHT; y++) line(&page, 0, y, WIDTH, y, 0xffffff0c);
    for (int i = 0; i < ACTORS; i++)
        for (int j = 0; j < i; j++) blush(&actors[j], &actors[i], &page);
    for (int i = 0; i < ACTORS; i++) outline(&actors[i], &page);
    pv_status saved = pv_image_save(large, out);
    if (saved != PV_OK) fail(out, saved);
    for (int i = 0; i < ACTORS; i++) {
        pv_image_destroy(actors[i].image);
        pv_mask_release(actors[i].bitmap);
    }
    pv_image_destroy(small);
    pv_image_destroy(large);
    return 0;
}
