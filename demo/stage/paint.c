/* paint.c - keeps the looks of composites, polygons and liquids.
 *
 * Invariant: there is one look for each id.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/stage.h"

#include <stdlib.h>

enum look_kind { LOOK_MATTER, LOOK_POLYGON, LOOK_LIQUID };

struct stage_look {
    enum look_kind kind;
    /// Index and generation of the id
    uint32_t index, generation;
    struct stage_paint paint;
};

static struct stage_look *find(const struct stage *stage, enum look_kind kind, uint32_t index,
                               uint32_t generation) {
    for (int i = 0; i < stage->look_count; i++) {
        struct stage_look *look = &stage->looks[i];
        if (look->index == index && look->kind == kind && look->generation == generation)
            return look;
    }
    return NULL;
}

static bool is_stale(const struct stage *stage, const struct stage_look *look) {
    uint32_t index = look->index, generation = look->generation;
    switch (look->kind) {
    case LOOK_MATTER:
        return !pv_composite_is_valid(stage->world, (pv_composite_id){index, generation});
    case LOOK_POLYGON: return !pv_body_is_valid(stage->world, (pv_body_id){index, generation});
    default: return !pv_liquid_is_valid(stage->world, (pv_liquid_id){index, generation});
    }
}

static void drop_stale(struct stage *stage) {
    int kept = 0;
    for (int i = 0; i < stage->look_count; i++)
        if (!is_stale(stage, &stage->looks[i])) stage->looks[kept++] = stage->looks[i];
    stage->look_count = kept;
}

/// Makes room for one more look; returns false if memory runs out. Looks of dead objects are
/// removed first, so that the list grows only with the world.
static bool reserve(struct stage *stage) {
    if (stage->look_count < stage->look_capacity) return true;
    drop_stale(stage);
    if (stage->look_count < stage->look_capacity / 2) return true;
    int capacity = stage->look_capacity ? stage->look_capacity * 2 : 16;
    struct stage_look *grown = realloc(stage->looks, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    stage->looks = grown;
    stage->look_capacity = capacity;
    return true;
}

/// Keeps a look. If memory runs out, the object has its default look.
static void keep(struct stage *stage, struct stage_look look) {
    struct stage_look *known = find(stage, look.kind, look.index, look.generation);
    if (known)
        *known = look;
    else if (!is_stale(stage, &look) && reserve(stage))
        stage->looks[stage->look_count++] = look;
}

void stage_paint(struct stage *stage, pv_composite_id matter, struct stage_paint paint) {
    keep(stage, (struct stage_look){LOOK_MATTER, matter.index, matter.generation, paint});
}

void stage_paint_polygon(struct stage *stage, pv_body_id polygon, struct stage_paint paint) {
    keep(stage, (struct stage_look){LOOK_POLYGON, polygon.index, polygon.generation, paint});
}

void stage_paint_liquid(struct stage *stage, pv_liquid_id liquid, uint32_t color) {
    struct stage_paint paint = {.skin = color};
    keep(stage, (struct stage_look){LOOK_LIQUID, liquid.index, liquid.generation, paint});
}

struct stage_paint stage_paint_of(const struct stage *stage, pv_composite_id matter) {
    const struct stage_look *look = find(stage, LOOK_MATTER, matter.index, matter.generation);
    return look ? look->paint : stage->loose;
}

struct stage_paint stage_paint_of_polygon(const struct stage *stage, pv_body_id polygon) {
    const struct stage_look *look = find(stage, LOOK_POLYGON, polygon.index, polygon.generation);
    return look ? look->paint : stage->polygons;
}

pv_liquid_id stage_next_liquid(const struct stage *stage, pv_liquid_id liquid, uint32_t *color) {
    const struct stage_look *last = find(stage, LOOK_LIQUID, liquid.index, liquid.generation);
    for (int i = last ? (int)(last - stage->looks) + 1 : 0; i < stage->look_count; i++) {
        const struct stage_look *look = &stage->looks[i];
        if (look->kind != LOOK_LIQUID || is_stale(stage, look)) continue;
        *color = look->paint.skin;
        return (pv_liquid_id){look->index, look->generation};
    }
    return (pv_liquid_id){0};
}
