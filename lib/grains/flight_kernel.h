/* flight_kernel.h - the flight of 64 slots, once for every instruction set that includes it.
 *
 * Invariant: all operations are on integers, so every instruction set gives the same bits.
 * LANES marks functions for the instruction set. There is no guard, as each kernel includes this
 * file once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/flight.h"

#include <string.h>

/// Slots in a vector
#define FLIGHT_WIDE 8

typedef int32_t flight_lanes __attribute__((vector_size(32), aligned(4)));
typedef uint32_t flight_bits __attribute__((vector_size(32), aligned(4)));

#define INLINE static inline __attribute__((always_inline)) LANES

INLINE flight_lanes flight_pick(flight_lanes which, flight_lanes yes, flight_lanes no) {
    return (which & yes) | (~which & no);
}

INLINE flight_lanes flight_bounded(flight_lanes d) {
    flight_lanes most = (flight_lanes){0} + PV__GRAIN_FASTEST;
    d = flight_pick(d > most, most, d);
    return flight_pick(d < -most, -most, d);
}

/// Returns the motions of the step, after gravity and drag.
INLINE flight_lanes speed_up(flight_lanes d, int32_t gravity, int32_t drag) {
    d = flight_bounded(d + gravity);
    return d - (((d >> 8) * drag) >> 6);
}

/// Returns the distances around the cells of eight grains, as in pv__grain_page.
INLINE flight_lanes look_up(const uint8_t *const *clear, flight_lanes x, flight_lanes y) {
    flight_bits u = (flight_bits)x ^ 0x80000000u, v = (flight_bits)y ^ 0x80000000u;
    flight_bits page = (v >> 26) << 6 | u >> 26;
    flight_bits cell = (v >> 19 & 127) << 7 | (u >> 19 & 127);
    flight_lanes found;
    for (int i = 0; i < FLIGHT_WIDE; i++) found[i] = clear[page[i]][cell[i]];
    return found;
}

/// Moves eight grains. Returns all ones at those that may touch something.
INLINE flight_lanes fly_lanes(const pv__grains *g, int first, flight_lanes moves) {
    const pv__grain_numbers *n = &g->now;
    flight_lanes x, y, dx, dy;
    memcpy(&x, g->x + first, sizeof x);
    memcpy(&y, g->y + first, sizeof y);
    memcpy(&dx, g->dx + first, sizeof dx);
    memcpy(&dy, g->dy + first, sizeof dy);
    flight_lanes to_x = speed_up(dx, n->gravity_x, n->drag),
                 to_y = speed_up(dy, n->gravity_y, n->drag);
    flight_lanes far_x = flight_pick(to_x < 0, -to_x, to_x),
                 far_y = flight_pick(to_y < 0, -to_y, to_y);
    flight_lanes far = flight_pick(far_x > far_y, far_x, far_y);
    flight_lanes cells = ((far + ((8 << 16) - 1)) >> 19) + 1;
    flight_lanes clear = look_up(g->clear, x, y);
    flight_lanes free = ((clear & 15) >= cells) & ((clear >> 4) >= cells) & moves;
    dx = flight_pick(moves, to_x, dx);
    dy = flight_pick(moves, to_y, dy);
    x += free & to_x;
    y += free & to_y;
    memcpy(g->x + first, &x, sizeof x);
    memcpy(g->y + first, &y, sizeof y);
    memcpy(g->dx + first, &dx, sizeof dx);
    memcpy(g->dy + first, &dy, sizeof dy);
    return moves & ~free;
}

LANES static uint64_t flight_fly(const pv__grains *g, int first, uint64_t moving) {
    const flight_lanes bit = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t near = 0;
    for (int i = 0; i < 64; i += FLIGHT_WIDE) {
        int which = (int)(moving >> i & 255);
        if (!which) continue;
        flight_lanes moves = (((flight_lanes){0} + which) & bit) != 0;
        flight_lanes met = fly_lanes(g, first + i, moves) & bit;
        int all = 0;
        for (int k = 0; k < FLIGHT_WIDE; k++) all |= met[k];
        near |= (uint64_t)all << i;
    }
    return near;
}
