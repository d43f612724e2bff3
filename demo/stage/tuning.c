/* tuning.c - gravity and materials as the player wants them.
 *
 * Invariant: a world that already has the tuned values is not touched.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/tuning.h"
#include "stage/stage.h"

const struct tuning_range tuning_ranges[TUNING_KNOBS] = {
    [TUNING_SUBSTEPS] = {"substeps", 1, 32, 1},
    [TUNING_GRAVITY_X] = {"gravity x", -1000, 1000, 20},
    [TUNING_GRAVITY_Y] = {"gravity y", -1000, 1000, 20},
    [TUNING_STATIC_FRICTION] = {"static friction", 0, 2, .05},
    [TUNING_KINETIC_FRICTION] = {"kinetic friction", 0, 2, .05},
    [TUNING_RESTITUTION] = {"restitution", 0, 1, .05},
};

void tuning_set(struct tuning *tuning, enum tuning_knob knob, double value) {
    const struct tuning_range *range = &tuning_ranges[knob];
    double notches = (value - range->least) / range->notch + .5;
    if (!(notches > 0)) notches = 0;
    double most = (range->most - range->least) / range->notch + .5;
    tuning->set[knob] = true;
    tuning->value[knob] = range->least + range->notch * (int)(notches < most ? notches : most);
}

int tuning_substeps(const struct tuning *tuning) {
    return tuning->set[TUNING_SUBSTEPS] ? (int)tuning->value[TUNING_SUBSTEPS] : 0;
}

static double chosen(const struct tuning *tuning, enum tuning_knob knob, double own) {
    return tuning->set[knob] ? tuning->value[knob] : own;
}

static void apply_gravity(const struct tuning *tuning, pv_world *world) {
    pv_vec2 own = pv_world_get_gravity(world);
    pv_vec2 wanted = {chosen(tuning, TUNING_GRAVITY_X, own.x),
                      chosen(tuning, TUNING_GRAVITY_Y, own.y)};
    if (wanted.x != own.x || wanted.y != own.y) pv_world_set_gravity(world, wanted);
}

static void apply_material(const struct tuning *tuning, pv_world *world, pv_body_id body) {
    pv_body_def own = pv_body_get_def(world, body);
    double restitution = chosen(tuning, TUNING_RESTITUTION, own.restitution),
           fixed = chosen(tuning, TUNING_STATIC_FRICTION, own.static_friction),
           kinetic = chosen(tuning, TUNING_KINETIC_FRICTION, own.friction);
    if (restitution != own.restitution || fixed != own.static_friction || kinetic != own.friction)
        stage_set_surface(world, body, restitution, fixed, kinetic);
}

void tuning_apply(const struct tuning *tuning, pv_world *world) {
    apply_gravity(tuning, world);
    if (!tuning->set[TUNING_STATIC_FRICTION] && !tuning->set[TUNING_KINETIC_FRICTION] &&
        !tuning->set[TUNING_RESTITUTION])
        return;
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0});
    for (; body.generation != 0; body = pv_world_get_next_body(world, body))
        apply_material(tuning, world, body);
}
