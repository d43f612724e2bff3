/* pv_events.c - what happened in a step, told when it is over.
 *
 * Invariant: every array is in order of slots and belongs to the world; it stays as it is until the next step.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

pv_events pv_world_events(const pv_world *world) {
    if (!world) return (pv_events){0};
    return (pv_events){
        .breaks = world->matter.breaks,
        .break_count = world->matter.break_count,
    };
}
