/* shots.c - thrown iron balls, which fly on after they break a body.
 *
 * Invariant: a ball breaks no more bodies than it may.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/shots.h"

#include "stage/props.h"
#include "stage/texture.h"

struct sprite *shots_paint(struct stage *stage, int radius) {
    pv_image *image = props_picture(stage, 2 * radius, 2 * radius);
    for (int y = 0; image && y < 2 * radius; y++)
        for (int x = 0; x < 2 * radius; x++) {
            double dx = (x + .5) / radius - 1, dy = (y + .5) / radius - 1;
            double out = dx * dx + dy * dy,
                   shine = (dx + .35) * (dx + .35) + (dy + .35) * (dy + .35);
            double light = out > .86 ? .5 : shine < .05 ? 2.6 : 1.4 - shine * .45;
            if (out <= 1) props_dot(image, x, y, texture_lit(0x383c48ffu, light));
        }
    return stage_keep(stage, "shot", image, NULL);
}

void shots_throw(struct stage *stage, struct shots *shots, pv_vec2 from, pv_vec2 velocity) {
    struct shot *shot = &shots->shots[shots->next++ % SHOTS];
    pv_body_def def = pv_body_def_default();
    def.position = from;
    def.velocity = velocity;
    def.density = shots->density;
    def.restitution = .1;
    def.rolling_resistance = 1;
    if (pv_body_is_valid(stage->world, shot->body)) pv_body_destroy(stage->world, shot->body);
    *shot = (struct shot){.body = stage_put(stage, shots->sprite, def), .velocity = velocity};
}

static struct shot *find(struct shots *shots, pv_body_id body) {
    for (int i = 0; i < SHOTS; i++)
        if (PV_ID_EQUALS(shots->shots[i].body, body)) return &shots->shots[i];
    return NULL;
}

bool shots_strike(struct stage *stage, struct shots *shots, const pv_hit_event *hit, uint32_t kinds,
                  pv_vec2 *velocity, int *strikes) {
    bool first = find(shots, hit->a) != NULL;
    struct shot *shot = find(shots, first ? hit->a : hit->b);
    pv_body_id struck = first ? hit->b : hit->a;
    if (!shot || hit->speed < shots->hard || shot->strikes == shots->most) return false;
    if (!(pv_body_get_filter(stage->world, struck).category_bits & kinds)) return false;
    *velocity = shot->velocity;
    *strikes = shot->strikes++;
    pv_vec2 rest = {shots->keeps * velocity->x, shots->keeps * velocity->y};
    pv_body_set_velocity(stage->world, shot->body, rest);
    return true;
}

void shots_note(struct stage *stage, struct shots *shots) {
    for (int i = 0; i < SHOTS; i++)
        shots->shots[i].velocity = pv_body_get_velocity(stage->world, shots->shots[i].body);
}
