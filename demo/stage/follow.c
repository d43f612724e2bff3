/* follow.c - gives carved bodies pictures of their own, and repaints their changes.
 *
 * Invariant: after a step a picture of a carved body shows its solid pixels and no others.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

/// Width of the rim of a cut [px], strengths of its shade [1/255], and its alpha. The rim is dark,
/// but light on glass and on bright cuts. The alpha is 254, so no pixel becomes rim twice.
enum { RIM = 2, RIM_SHARE = 105, BRIGHT_SHARE = 50, RIM_ALPHA = 254 };

/// Picture of a single body
struct stage_copy {
    struct sprite sprite;
    pv_body_id owner;
    struct stage_copy *next;
};

static struct stage_copy *find(const struct stage *stage, pv_body_id body) {
    struct stage_copy *copy = stage->copies;
    while (copy && !PV_ID_EQUALS(copy->owner, body)) copy = copy->next;
    return copy;
}

static unsigned char *pixel_at(const pv_image *image, int x, int y) {
    return image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
}

/// Copies the rectangle at (x, y) of a picture to a picture of that size.
static void take(const pv_image *to, const pv_image *from, int x, int y) {
    int left = x > 0 ? x : 0, right = x + to->width < from->width ? x + to->width : from->width;
    for (int row = 0; row < to->height && left < right; row++)
        if (row + y >= 0 && row + y < from->height)
            memcpy(pixel_at(to, left - x, row), pixel_at(from, left, row + y),
                   (size_t)(right - left) * 4);
}

/// Gives a body the part of a picture that its mask covers. If memory runs out, it shows its mask.
static struct stage_copy *copy_for(struct stage *stage, pv_body_id body, const struct sprite *from,
                                   int x, int y) {
    const pv_mask *mask = pv_body_get_mask(stage->world, body);
    struct stage_copy *copy = calloc(1, sizeof *copy);
    if (copy)
        copy->sprite.image =
            pv_image_create(pv_mask_get_width(mask), pv_mask_get_height(mask), NULL, NULL);
    if (!copy || !copy->sprite.image) {
        free(copy);
        pv_body_set_user_data(stage->world, body, NULL);
        return NULL;
    }
    take(copy->sprite.image, from->image, x, y);
    copy->owner = body;
    copy->next = stage->copies;
    pv_body_set_user_data(stage->world, body, &copy->sprite);
    return stage->copies = copy;
}

/* ---- changed pixels ---- */

static void shade(unsigned char *pixel, bool bright) {
    int rim = pixel[3] == 255 && !bright ? 0 : 255, share = bright ? BRIGHT_SHARE : RIM_SHARE;
    for (int i = 0; i < 3; i++)
        pixel[i] = (unsigned char)(pixel[i] + (rim - pixel[i]) * share / 255);
    pixel[3] = RIM_ALPHA;
}

static void shade_around(const pv_image *image, const pv_mask *mask, int x, int y, bool bright) {
    int left = x > RIM ? x - RIM : 0, top = y > RIM ? y - RIM : 0;
    for (int v = top; v <= y + RIM && v < image->height; v++)
        for (int u = left; u <= x + RIM && u < image->width; u++) {
            unsigned char *pixel = pixel_at(image, u, v);
            if (pixel[3] != 0 && pixel[3] != RIM_ALPHA && pv_mask_get_pixel(mask, u, v))
                shade(pixel, bright);
        }
}

/// Shows a pixel again that a cut had hidden. If it has no color, it becomes gray.
static void show(unsigned char *pixel) {
    if (pixel[0] + pixel[1] + pixel[2] == 0) memset(pixel, 128, 3);
    pixel[3] = RIM_ALPHA;
}

static void update(const pv_image *image, const pv_mask *mask, pv_rect rect, bool bright) {
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) {
            unsigned char *pixel = pixel_at(image, x, y);
            bool solid = pv_mask_get_pixel(mask, x, y);
            if (solid && pixel[3] == 0) show(pixel);
            if (solid || pixel[3] == 0) continue;
            pixel[3] = 0;
            shade_around(image, mask, x, y, bright);
        }
}

/* ---- changed bodies ---- */

/// Gives a detached part its own picture. Its user_data is still the picture of its parent, which
/// may be a detached part, too.
static void cut_out(struct stage *stage, const pv_events *events, int which) {
    pv_split_event split = events->splits[which];
    const struct sprite *whole = stage_sprite_of(stage, split.child);
    if (!whole || !pv_body_is_valid(stage->world, split.child)) return;
    pv_body_id parent = split.parent;
    for (int i = which - 1; i >= 0; i--) {
        if (!PV_ID_EQUALS(events->splits[i].child, parent)) continue;
        parent = events->splits[i].parent;
        split.x += events->splits[i].x;
        split.y += events->splits[i].y;
    }
    copy_for(stage, split.child, whole, split.x, split.y);
}

static void repaint(struct stage *stage, const pv_dirty_rect *dirt) {
    const struct sprite *sprite = stage_sprite_of(stage, dirt->body);
    if (!sprite) return;
    struct stage_copy *copy = find(stage, dirt->body);
    if (!copy || sprite != &copy->sprite) copy = copy_for(stage, dirt->body, sprite, 0, 0);
    if (copy)
        update(copy->sprite.image, pv_body_get_mask(stage->world, dirt->body), dirt->rect,
               stage->bright_cuts);
}

static void free_copy(struct stage_copy *copy) {
    pv_image_destroy(copy->sprite.image);
    free(copy);
}

void stage_drop_stale(struct stage *stage) {
    struct stage_copy **next = &stage->copies;
    while (*next) {
        struct stage_copy *copy = *next;
        if (pv_body_is_valid(stage->world, copy->owner)) {
            next = &copy->next;
            continue;
        }
        *next = copy->next;
        free_copy(copy);
    }
}

void stage_follow(struct stage *stage) {
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.split_count; i++) cut_out(stage, &events, i);
    for (int i = 0; i < events.dirty_rect_count; i++) repaint(stage, &events.dirty_rects[i]);
    if (!stage->keeps_copies) stage_drop_stale(stage);
}

void stage_recall(struct stage *stage) {
    for (struct stage_copy *copy = stage->copies; copy; copy = copy->next) {
        const pv_mask *mask = pv_body_get_mask(stage->world, copy->owner);
        const pv_image *image = copy->sprite.image;
        if (stage_sprite_of(stage, copy->owner) != &copy->sprite ||
            image->width != pv_mask_get_width(mask) || image->height != pv_mask_get_height(mask))
            continue;
        update(image, mask, (pv_rect){0, 0, image->width, image->height}, stage->bright_cuts);
    }
}

void stage_forget_copies(struct stage *stage) {
    while (stage->copies) {
        struct stage_copy *first = stage->copies;
        stage->copies = first->next;
        free_copy(first);
    }
}
