/* tuning.h - numbers of a scene that the player has tuned.
 *
 * Invariant: a number that is not set stays as in the scene.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TUNING_H
#define TUNING_H

#include <pixverlet.h>

/// Numbers to tune; friction and restitution apply to all bodies
enum tuning_knob {
    /// Number of substeps, for new worlds only, as a world cannot change it
    TUNING_SUBSTEPS,
    TUNING_GRAVITY_X,
    TUNING_GRAVITY_Y,
    TUNING_STATIC_FRICTION,
    TUNING_KINETIC_FRICTION,
    TUNING_RESTITUTION,
    TUNING_KNOBS
};

/// Range of a number
struct tuning_range {
    const char *name;
    double least, most, notch;
};

extern const struct tuning_range tuning_ranges[TUNING_KNOBS];

/// Tuned numbers; all zero: none
struct tuning {
    bool set[TUNING_KNOBS];
    double value[TUNING_KNOBS];
};

/// Sets a number to the nearest notch within its range.
void tuning_set(struct tuning *tuning, enum tuning_knob knob, double value);

/// Returns the number of substeps for a world; 0: as in the scene.
int tuning_substeps(const struct tuning *tuning);

/// Sets all tuned numbers of a world except substeps. Called before each step, as scenes create
/// bodies later. Bodies that already have these numbers stay asleep.
void tuning_apply(const struct tuning *tuning, pv_world *world);

#endif
