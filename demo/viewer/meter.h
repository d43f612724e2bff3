/* meter.h - the time of the last steps, and of their stages.
 *
 * Invariant: a meter measures steps, not frames, and uses no clock.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef METER_H
#define METER_H

#include <pixverlet.h>

/// Number of steps that a meter keeps: four seconds
#define METER_STEPS 240

/// Times of the last steps; all zero is an empty meter
struct meter {
    /// Mean of the last steps; the latest have the greatest weight [s]
    pv_world_profile mean;
    /// Ring of the last steps' times [s]
    double steps[METER_STEPS];
    /// Number of all steps
    int count;
};

/// Stage of a step, with a name from pv_world_profile
struct meter_stage {
    const char *name;
    /// Mean time [s]
    double seconds;
};

#define METER_STAGES 6

/// Adds the profile of a step.
void meter_add(struct meter *meter, const pv_world_profile *profile);

/// Returns the number of steps that the meter keeps.
int meter_steps(const struct meter *meter);

/// Returns the time of a kept step, the oldest at index 0 [s].
double meter_step(const struct meter *meter, int index);

/// Returns the time of the longest kept step [s].
double meter_longest(const struct meter *meter);

/// Finds the mean times of all stages.
void meter_get_stages(const struct meter *meter, struct meter_stage stages[METER_STAGES]);

#endif
