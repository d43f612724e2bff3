/* inspect_look.c - the figures of a sprite, and the contour of bodies made of it.
 *
 * Invariant: bytes are counted, not computed: all memory of the mask comes from a counting
 * allocator.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "inspect.h"

#include <stdlib.h>

static void *counted(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    size_t *bytes = user_data;
    void *made = NULL;
    if (new_size == 0)
        free(ptr);
    else if (!(made = realloc(ptr, new_size)))
        return NULL;
    *bytes = *bytes - old_size + new_size;
    return made;
}

/// Counts parts and holes: each part has one outer contour.
static pv_status count_parts(const pv_mask *mask, pv_connectivity neighbors, int *parts,
                             int *holes) {
    pv_error error;
    pv_outline *outline = pv_outline_create(mask, neighbors, &error);
    *parts = *holes = 0;
    for (int i = 0; i < pv_outline_get_contour_count(outline); i++)
        ++*(pv_outline_get_contour(outline, i).outer_index == i ? parts : holes);
    pv_outline_destroy(outline);
    return error.status;
}

/* ---- contour ---- */

static void keep_edge(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    struct contour *c = user_data;
    (void)color;
    if (c->count == c->room && !c->failed) {
        int room = c->room ? 2 * c->room : 256;
        struct edge *edges = realloc(c->edges, (size_t)room * sizeof *edges);
        c->failed = !edges;
        if (edges) c->edges = edges, c->room = room;
    }
    if (!c->failed) c->edges[c->count++] = (struct edge){from, to};
}

/// Finds the contour. The body lies at its picture, so world coordinates are the picture's.
static pv_status find_contour(struct sprite *s) {
    pv_error error;
    pv_world *world = pv_world_create(NULL, &error);
    if (!world) return error.status;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC, def.mask = s->mask, def.position = s->mass.centroid;
    pv_body_create(world, &def, &error);
    s->contour_bytes = s->bytes - s->mask_bytes;
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user_data = &s->contour, draw.line = keep_edge;
    if (error.status == PV_OK) error.status = pv_world_debug_draw(world, &draw, PV_DEBUG_CONTOURS);
    if (error.status == PV_OK && s->contour.failed) error.status = PV_ERROR_MEMORY;
    pv_world_destroy(world);
    return error.status;
}

int contour_loop_end(const struct contour *contour, int first) {
    const struct edge *e = contour->edges;
    int i = first;
    while (i + 1 < contour->count && (e[i].to.x != e[first].from.x || e[i].to.y != e[first].from.y))
        i++;
    return i + 1;
}

int contour_loops(const struct contour *contour) {
    int loops = 0;
    for (int i = 0; i < contour->count; i = contour_loop_end(contour, i)) loops++;
    return loops;
}

/* ---- sprites ---- */

static pv_status look(struct sprite *s, int threshold) {
    pv_error error;
    pv_mask_options options = pv_mask_options_default();
    options.alpha_threshold = threshold;
    options.limits.allocator = (pv_allocator){counted, &s->bytes};
    s->mask = pv_mask_from_image(s->image, &options, &error);
    if (!s->mask) return error.status;
    s->mask_bytes = s->bytes;
    s->mass = pv_mask_compute_mass(s->mask);
    error.status = count_parts(s->mask, PV_CONNECTIVITY_8, &s->parts_8, &s->holes_8);
    if (error.status == PV_OK)
        error.status = count_parts(s->mask, PV_CONNECTIVITY_4, &s->parts_4, &s->holes_4);
    return error.status == PV_OK && s->mass.area > 0 ? find_contour(s) : error.status;
}

bool sprite_of_image(struct sprite *sprite, const char *path, pv_image *image, int threshold) {
    *sprite = (struct sprite){.path = path, .image = image};
    bool good = image && look(sprite, threshold) == PV_OK;
    if (!good) sprite_close(sprite);
    return good;
}

void sprite_close(struct sprite *sprite) {
    free(sprite->contour.edges);
    pv_mask_release(sprite->mask);
    pv_image_destroy(sprite->image);
}
