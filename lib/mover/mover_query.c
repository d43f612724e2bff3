/* mover_query.c - finds the bodies that a mover overlaps, and whether there is room for a mask.
 *
 * Invariant: the world and the mover are only read, and no memory is allocated.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "core/report.h"
#include "core/world_lock.h"
#include "mover/mover.h"

/// Query of a mover with a body.
typedef struct mover_question {
    pv_body_id own;
    /// Filter of the caller, or null
    const pv_query_filter *filter;
} mover_question;

/// Leaves out the mover's body, and asks the caller about all others.
static bool asks_about(void *user_data, pv_body_id body) {
    const mover_question *q = user_data;
    if (PV_ID_EQUALS(body, q->own)) return false;
    return !q->filter || !q->filter->accept || q->filter->accept(q->filter->user_data, body);
}

int pv_mover_query(const pv_world *world, const pv_mover *mover, const pv_query_filter *filter,
                   pv_body_id *bodies, int capacity) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!pv__check_pointer(e, "world", world) || !pv__mover_check(e, world, mover))
        return pv__refuse(world, e), 0;
    pv_placed placed = {mover->mask, pv_mover_get_transform(mover)};
    const pv__body *body = pv__handle_body(world, mover->body);
    if (!body) return pv_world_query_mask(world, &placed, filter, bodies, capacity);
    if (!placed.mask) placed.mask = body->pixels->mask;
    mover_question question = {mover->body, filter};
    pv_query_filter others = filter ? *filter : (pv_query_filter){.mask_bits = 0xffffffff};
    others.accept = asks_about;
    others.user_data = &question;
    return pv_world_query_mask(world, &placed, &others, bodies, capacity);
}

bool pv_mover_fits(const pv_world *world, const pv_mover *mover, const pv_mask *mask,
                   pv_vec2 pivot) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!pv__check_pointer(e, "world", world) || !pv__mover_check(e, world, mover) ||
        !pv__check_place(e, "pivot", pivot) || (mask && !pv__mover_check_mask(e, "mask", mask)))
        return pv__refuse(world, e), false;
    pv__walk w;
    pv__world_lock busy;
    pv_mover as = *mover;
    if (mask) as.mask = mask;
    as.pivot = pivot;
    pv__world_lock_begin(&busy, world);
    pv__mover_start(&w, world, &as, pv__vec(0, 0), 0);
    bool fits = pv__mover_is_free(&w);
    pv__world_lock_end(&busy);
    return fits;
}
