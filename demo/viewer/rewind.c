/* rewind.c - the last seconds of a stage, to go back to.
 *
 * Invariant: the world's snapshots refer to masks, which it keeps for them. From time to time they
 * are released, so that a long play does not fill the memory.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "viewer/rewind.h"

#include <stdlib.h>
#include <string.h>

/// Greatest size of all moments [bytes]
static const size_t most_bytes = (size_t)192 << 20;
/// Number of moments after which all masks are released
enum { REWIND_HELD = 3000 };

static struct moment *at(struct rewind *rewind, int which) {
    return &rewind->moments[(rewind->first + which) % REWIND_MOST];
}

static void forget(struct rewind *rewind, struct moment *moment) {
    rewind->total -= moment->size;
    free(moment->world);
    free(moment->memory);
    *moment = (struct moment){0};
}

static void forget_first(struct rewind *rewind) {
    forget(rewind, at(rewind, 0));
    rewind->first = (rewind->first + 1) % REWIND_MOST;
    rewind->count--;
}

void rewind_resume(struct rewind *rewind, int which) {
    while (rewind->count > which + 1) forget(rewind, at(rewind, --rewind->count));
    rewind->left = REWIND_STEPS - 1;
}

void rewind_clear(struct rewind *rewind, struct stage *stage) {
    rewind_resume(rewind, -1);
    rewind->held = 0;
    if (!stage) return;
    pv_world_discard_snapshots(stage->world);
    stage->keeps_copies = false;
    stage_drop_stale(stage);
}

/// Fills a moment; returns false if memory runs out.
static bool fill(struct moment *moment, struct stage *stage) {
    size_t size = 0;
    pv_world_save(stage->world, 0, NULL, 0, &size);
    *moment = (struct moment){.world = malloc(size + 1),
                              .memory = malloc(stage->memory_size + 1),
                              .dice = stage->dice,
                              .outlined = stage->outlined,
                              .idle = stage->idle,
                              .label_count = stage->label_count};
    memcpy(moment->labels, stage->labels, sizeof moment->labels);
    if (!moment->world || !moment->memory ||
        pv_world_save(stage->world, 0, moment->world, size, &moment->size) != PV_OK)
        return false;
    if (stage->memory_size > 0) memcpy(moment->memory, stage->memory, stage->memory_size);
    return true;
}

void rewind_note(struct rewind *rewind, struct stage *stage) {
    struct moment moment;
    if (rewind->left-- > 0) return;
    rewind->left = REWIND_STEPS - 1;
    if (++rewind->held > REWIND_HELD) rewind_clear(rewind, stage);
    if (!fill(&moment, stage)) {
        free(moment.world);
        free(moment.memory);
        rewind_clear(rewind, stage);
        return;
    }
    stage->keeps_copies = true;
    rewind->total += moment.size;
    while (rewind->count > 0 && (rewind->count == REWIND_MOST || rewind->total > most_bytes))
        forget_first(rewind);
    *at(rewind, rewind->count++) = moment;
}

void rewind_go(struct rewind *rewind, struct stage *stage, int which) {
    const struct moment *moment = at(rewind, which);
    if (pv_world_restore(stage->world, moment->world, moment->size) != PV_OK) return;
    if (stage->memory_size > 0) memcpy(stage->memory, moment->memory, stage->memory_size);
    memcpy(stage->labels, moment->labels, sizeof stage->labels);
    stage->label_count = moment->label_count;
    stage->dice = moment->dice;
    stage->outlined = moment->outlined;
    stage->idle = moment->idle;
    stage_recall(stage);
}
