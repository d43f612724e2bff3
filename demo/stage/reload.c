/* reload.c - replaces the pixels of bodies after a change of their sprite's file.
 *
 * Invariant: a body shows the pixels with which it collides.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/reload.h"

/// Tells whether a body has the sprite's mask, and shows this sprite or none.
static bool wears(const struct stage *stage, pv_body_id body, const struct sprite *sprite,
                  const pv_mask *mask) {
    const struct sprite *shown = stage_sprite_of(stage, body);
    return pv_body_get_mask(stage->world, body) == mask && (!shown || shown == sprite);
}

/// Returns the offset of the new mask in whole pixels, so that one texel stays one pixel of the
/// mask.
static pv_vec2 offset_of(const pv_mask *old, const pv_mask *fresh) {
    return (pv_vec2){(pv_mask_get_width(old) - pv_mask_get_width(fresh)) / 2,
                     (pv_mask_get_height(old) - pv_mask_get_height(fresh)) / 2};
}

/// Replaces a body's mask at the same density. Its mass is then the same as after a restart of the
/// scene.
static pv_status change(pv_world *world, pv_body_id body, pv_mask *mask, pv_vec2 offset) {
    double density = pv_body_get_def(world, body).density;
    pv_status status = pv_body_set_mask(world, body, mask, offset);
    if (status != PV_OK) return status;
    double grown = density / pv_body_get_def(world, body).density;
    return pv_body_set_mass(world, body, pv_body_get_mass(world, body) * grown);
}

static pv_status dress(struct stage *stage, const struct sprite *sprite, const pv_mask *old) {
    pv_vec2 offset = offset_of(old, sprite->mask);
    pv_status first = PV_OK;
    pv_body_id body = pv_world_get_next_body(stage->world, (pv_body_id){0});
    for (; stage_is_body(body); body = pv_world_get_next_body(stage->world, body)) {
        if (!wears(stage, body, sprite, old)) continue;
        pv_status status = change(stage->world, body, sprite->mask, offset);
        if (status == PV_OK) continue;
        pv_body_set_user_data(stage->world, body, NULL);
        if (first == PV_OK) first = status;
    }
    return first;
}

const struct sprite *stage_reload(struct stage *stage, pv_status *status) {
    struct sprite *sprite = stage->sprites;
    while (sprite && !sprite_has_changed(sprite)) sprite = sprite->next;
    if (!sprite) return NULL;
    pv_mask *old = pv_mask_retain(sprite->mask);
    *status = sprite_renew(sprite);
    if (*status == PV_OK) *status = dress(stage, sprite, old);
    pv_mask_release(old);
    return sprite;
}
