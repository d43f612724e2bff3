/* tuning.h - numbers of a scene that the player has taken in hand.
 *
 * Invariant: what was not set is as the scene has it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TUNING_H
#define TUNING_H

#include <pixverlet.h>

/// What can be tuned. Friction and restitution are those of all bodies.
enum tuning_knob {
    /// Of a world that is made, for none can change its own
    TUNING_SUBSTEPS,
    TUNING_GRAVITY_X,
    TUNING_GRAVITY_Y,
    TUNING_STATIC_FRICTION,
    TUNING_KINETIC_FRICTION,
    TUNING_RESTITUTION,
    TUNING_KNOBS
};

/// What numbers make sense.
struct tuning_range {
    const char *name;
    double least, most, notch;
};

extern const struct tuning_range tuning_ranges[TUNING_KNOBS];

/// All zero: nothing is tuned.
struct tuning {
    bool set[TUNING_KNOBS];
    double value[TUNING_KNOBS];
};

/// Takes a number in hand, within its range and at the nearest notch.
void tuning_set(struct tuning *tuning, enum tuning_knob knob, double value);

/// Returns how many substeps a world is to have; 0: as many as the scene wants.
int tuning_substeps(const struct tuning *tuning);

/// Gives a world all that is set but substeps; to be called before each step, for scenes make
/// bodies on the way. What has its numbers already is left alone, and so sleeps on.
void tuning_apply(const struct tuning *tuning, pv_world *world);

#endif
