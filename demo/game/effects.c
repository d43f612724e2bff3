/* effects.c - keeps and ages effects that are only seen.
 *
 * Invariant: a new entry replaces the oldest one.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/effects.h"

#include "stage/scene.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Shares of shake and flash that remain after a frame
static const double shake_left = .88, flash_left = .82;
/// Share of a spark's velocity that remains after a frame
static const double spark_left = .95;
/// Life of a glow [frames], and most bodies that one cut makes glow
enum { GLOW_LIFE = 26, TOUCHED = 24 };

double effects_uniform(struct effects *effects, double low, double high) {
    effects->dice = effects->dice * 1664525u + 1013904223u;
    return low + (high - low) * (effects->dice >> 8) / 16777216.0;
}

void effects_spark(struct effects *effects, struct spark spark) {
    effects->sparks[effects->next_spark++ % EFFECTS_SPARKS] = spark;
}

void effects_burst(struct effects *effects, pv_vec2 at, pv_vec2 velocity, double speed, int count,
                   uint32_t color, int life) {
    for (int i = 0; i < count; i++) {
        pv_rotation r = pv_rotation_from_angle(effects_uniform(effects, -PI, PI));
        double fast = effects_uniform(effects, .15, 1) * speed;
        struct spark spark = {at, {velocity.x + fast * r.c, velocity.y + fast * r.s}, color, 0, 0,
                              0};
        spark.life = (int)effects_uniform(effects, .4 * life, life);
        spark.size = effects_uniform(effects, 1, 2.6);
        effects_spark(effects, spark);
    }
}

void effects_ring(struct effects *effects, pv_vec2 at, double reach, int life, uint32_t color) {
    effects->rings[effects->next_ring++ % EFFECTS_RINGS] = (struct ring){at, color, reach, 0, life};
}

void effects_shake(struct effects *effects, double amplitude) {
    if (effects->shake < amplitude) effects->shake = amplitude;
}

double effects_distance(pv_vec2 at, pv_vec2 from, pv_vec2 to) {
    double dx = to.x - from.x, dy = to.y - from.y, px = at.x - from.x, py = at.y - from.y;
    double square = dx * dx + dy * dy, t = square > 0 ? (px * dx + py * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy));
}

/// Returns half the diagonal of a body's box.
static double half_diagonal(const struct stage *stage, pv_body_id body) {
    pv_box box = pv_body_get_bounds(stage->world, body);
    double w = box.max.x - box.min.x, h = box.max.y - box.min.y;
    return sqrt(w * w + h * h) / 2;
}

void effects_glow(struct effects *effects, const struct stage *stage, uint32_t kinds, pv_vec2 from,
                  pv_vec2 to, double radius) {
    pv_body_id bodies[TOUCHED];
    pv_query_filter filter = {.mask_bits = kinds};
    double reach = radius + 3;
    pv_box box = {{fmin(from.x, to.x) - reach, fmin(from.y, to.y) - reach},
                  {fmax(from.x, to.x) + reach, fmax(from.y, to.y) + reach}};
    int count = pv_world_query_box(stage->world, box, &filter, bodies, TOUCHED);
    for (int i = 0; i < count && i < TOUCHED; i++)
        if (effects_distance(pv_body_get_position(stage->world, bodies[i]), from, to) <
            radius + half_diagonal(stage, bodies[i]))
            effects->glows[effects->next_glow++ % EFFECTS_GLOWS] =
                (struct glow){bodies[i], pv_body_to_local(stage->world, bodies[i], from),
                              pv_body_to_local(stage->world, bodies[i], to), radius, 0};
}

void effects_trail(struct effects *effects, pv_vec2 at) {
    for (int i = EFFECTS_TRAIL - 1; i > 0; i--) effects->trail[i] = effects->trail[i - 1];
    effects->trail[0] = at;
    if (effects->trail_length < EFFECTS_TRAIL) effects->trail_length++;
}

static void step_sparks(struct effects *effects) {
    for (struct spark *s = effects->sparks; s < effects->sparks + EFFECTS_SPARKS; s++) {
        if (s->life == 0) continue;
        if (++s->age >= s->life) s->life = 0;
        s->at.x += s->velocity.x * SCENE_STEP;
        s->at.y += s->velocity.y * SCENE_STEP;
        s->velocity.x *= spark_left;
        s->velocity.y *= spark_left;
    }
}

void effects_step(struct effects *effects) {
    step_sparks(effects);
    for (int i = 0; i < EFFECTS_GLOWS; i++)
        if (effects->glows[i].radius > 0 && ++effects->glows[i].age >= GLOW_LIFE)
            effects->glows[i].radius = 0;
    for (int i = 0; i < EFFECTS_RINGS; i++)
        if (effects->rings[i].life > 0 && ++effects->rings[i].age >= effects->rings[i].life)
            effects->rings[i].life = 0;
    effects->offset.x = effects_uniform(effects, -effects->shake, effects->shake);
    effects->offset.y = effects_uniform(effects, -effects->shake, effects->shake);
    effects->shake = effects->shake > .3 ? effects->shake * shake_left : 0;
    effects->flash = effects->flash > .02 ? effects->flash * flash_left : 0;
}
