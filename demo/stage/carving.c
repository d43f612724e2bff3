/* carving.c - carves bodies.
 *
 * Invariant: only bodies of the given categories lose pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/stage.h"

#include <stdlib.h>

/// Returns all bodies of some categories in a box, to be freed; null if there are none.
static pv_body_id *all_in(const struct stage *stage, uint32_t kinds, pv_box box, int *count) {
    pv_query_filter soft = {.mask_bits = kinds};
    *count = pv_world_query_box(stage->world, box, &soft, NULL, 0);
    pv_body_id *found = *count > 0 ? malloc((size_t)*count * sizeof *found) : NULL;
    if (found) pv_world_query_box(stage->world, box, &soft, found, *count);
    return found;
}

static int64_t carve_all(struct stage *stage, uint32_t kinds, pv_box box, const pv_cut *cut) {
    int count = 0;
    int64_t pixels = 0;
    pv_body_id *found = all_in(stage, kinds, box, &count);
    for (int i = 0; found && i < count; i++) {
        pv_carve_result carved = {0};
        pv_body_carve(stage->world, found[i], cut, &carved);
        pixels += carved.pixel_count;
    }
    free(found);
    return pixels;
}

int64_t stage_bite(struct stage *stage, uint32_t kinds, pv_vec2 at, double radius) {
    pv_box box = {{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}};
    pv_cut cut = pv_cut_circle(at, radius);
    return carve_all(stage, kinds, box, &cut);
}

static double least(double a, double b) { return a < b ? a : b; }

static double most(double a, double b) { return a > b ? a : b; }

int64_t stage_slit(struct stage *stage, uint32_t kinds, pv_vec2 from, pv_vec2 to, double width) {
    pv_box box = {{least(from.x, to.x) - width, least(from.y, to.y) - width},
                  {most(from.x, to.x) + width, most(from.y, to.y) + width}};
    pv_cut cut = pv_cut_line(from, to, width);
    return carve_all(stage, kinds, box, &cut);
}

pv_body_id stage_soften(struct stage *stage, pv_body_id body, const pv_fracture_def *fracture) {
    pv_filter filter = pv_body_get_filter(stage->world, body);
    filter.category_bits |= STAGE_SOFT;
    pv_body_set_filter(stage->world, body, filter);
    pv_body_set_fracture(stage->world, body, fracture);
    return body;
}
