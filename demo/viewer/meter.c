/* meter.c - a moving mean of profiles and a ring of totals.
 *
 * Invariant: the first profile is its own mean.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "viewer/meter.h"

/// Weight of a new measurement
static const double smoothing = .05;

static void approach(double *mean, double now, bool first) {
    *mean += (now - *mean) * (first ? 1 : smoothing);
}

void meter_add(struct meter *meter, const pv_world_profile *now) {
    pv_world_profile *mean = &meter->mean;
    bool first = meter->count == 0;
    approach(&mean->pairs, now->pairs, first);
    approach(&mean->collide, now->collide, first);
    approach(&mean->solve, now->solve, first);
    approach(&mean->move, now->move, first);
    approach(&mean->matter, now->matter, first);
    approach(&mean->sleep, now->sleep, first);
    approach(&mean->total, now->total, first);
    approach(&mean->shared, now->shared, first);
    meter->steps[meter->count++ % METER_STEPS] = now->total;
}

int meter_steps(const struct meter *meter) {
    return meter->count < METER_STEPS ? meter->count : METER_STEPS;
}

double meter_step(const struct meter *meter, int index) {
    int first = meter->count - meter_steps(meter);
    return meter->steps[(first + index) % METER_STEPS];
}

double meter_longest(const struct meter *meter) {
    double longest = 0;
    for (int i = 0; i < meter_steps(meter); i++)
        if (meter_step(meter, i) > longest) longest = meter_step(meter, i);
    return longest;
}

void meter_get_stages(const struct meter *meter, struct meter_stage stages[METER_STAGES]) {
    const pv_world_profile *mean = &meter->mean;
    const struct meter_stage all[METER_STAGES] = {
        {"pairs", mean->pairs}, {"manifolds", mean->collide}, {"solve", mean->solve},
        {"move", mean->move},   {"matter", mean->matter},     {"sleep", mean->sleep}};
    for (int i = 0; i < METER_STAGES; i++) stages[i] = all[i];
}
