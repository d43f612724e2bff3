/* meter.h - where the time of the last steps went.
 *
 * Invariant: tells of steps, not of frames; knows no clock.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef METER_H
#define METER_H

#include <pixverlet.h>

/// So many steps are remembered: four seconds.
#define METER_STEPS 240

/// All zero is an empty one.
struct meter {
    /// Of the last steps, the latest count most [s]
    pv_world_profile mean;
    /// In a ring [s]
    double steps[METER_STEPS];
    /// Of all steps
    int count;
};

/// The stages of a step, by the names of pv_world_profile.
struct meter_stage {
    const char *name;
    /// Mean [s]
    double seconds;
};

#define METER_STAGES 6

/// Adds what pv_world_get_profile() says of a step.
void meter_add(struct meter *meter, const pv_world_profile *profile);

/// Returns how many steps are remembered.
int meter_steps(const struct meter *meter);

/// The length of one of them, the oldest being number 0 [s].
double meter_step(const struct meter *meter, int index);

/// The longest of them [s].
double meter_longest(const struct meter *meter);

/// What the stages take.
void meter_get_stages(const struct meter *meter, struct meter_stage stages[METER_STAGES]);

#endif
