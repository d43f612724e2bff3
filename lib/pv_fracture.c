/* pv_fracture.c - how bodies fall apart: set and read.
 *
 * Invariant: what a body is told is in its range, or nothing is changed.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

pv_fracture pv_fracture_default(void) {
    return (pv_fracture){.neighbours = PV_NEIGHBOURS_4, .least = 12, .cookie = PV__COOKIE};
}

bool pv__is_fracture_default(const pv_fracture *f) {
    pv_fracture usual = pv_fracture_default();
    return f->neighbours == usual.neighbours && f->least == usual.least && !f->crumbs_fly && !f->stays &&
           f->toughness == 0 && f->crack == usual.crack;
}

pv_status pv__fracture_check(const pv_fracture *f) {
    if (!f || f->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    if (!pv__finite(f->toughness)) return PV_ERROR_NOT_FINITE;
    bool in_range = (f->neighbours == PV_NEIGHBOURS_4 || f->neighbours == PV_NEIGHBOURS_8) && f->least >= 1 &&
                    f->toughness >= 0 && (unsigned)f->crack <= PV_CRACK_NECK;
    return in_range ? PV_OK : PV_ERROR_ARGUMENT;
}

pv_status pv_body_set_fracture(pv_world *world, pv_body body, const pv_fracture *fracture) {
    pv_status s = pv__changeable(world);
    pv__body *b = s == PV_OK ? pv__body_of(world, body) : NULL;
    if (s == PV_OK) s = b ? pv__fracture_check(fracture) : PV_ERROR_STALE;
    if (s != PV_OK) return pv__refuse(world, __func__, s);
    b->fracture = *fracture;
    if (fracture->toughness == 0) b->fracture.toughness = 0; /* not -0, which tapes would tell apart */
    return PV_OK;
}

pv_fracture pv_body_get_fracture(const pv_world *world, pv_body body) {
    const pv__body *b = pv__body_of(world, body);
    return b ? b->fracture : (pv_fracture){0};
}
