/* ragdoll.c - builds ragdolls.
 *
 * Invariant: sticks fix the torso, the head on the shoulders, and the lengths of limbs. Struts only
 * limit how far limbs fold.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"

enum ragdoll_part {
    RAGDOLL_HEAD,
    SHOULDER_LEFT,
    SHOULDER_RIGHT,
    HIP_LEFT,
    HIP_RIGHT,
    ELBOW_LEFT,
    ELBOW_RIGHT,
    HAND_LEFT,
    HAND_RIGHT,
    KNEE_LEFT,
    KNEE_RIGHT,
    FOOT_LEFT,
    FOOT_RIGHT,
    RAGDOLL_PARTS
};

/// Particle of a ragdoll, relative to the neck, in units of the height
typedef struct ragdoll_joint {
    pv_vec2 at;
    /// Radius, and mass as a share of the whole mass
    double radius, mass;
} ragdoll_joint;

static const ragdoll_joint joints[RAGDOLL_PARTS] = {
    [RAGDOLL_HEAD] = {{0, -0.075}, 0.075, 0.10},    [SHOULDER_LEFT] = {{-0.10, 0.03}, 0.035, 0.13},
    [SHOULDER_RIGHT] = {{0.10, 0.03}, 0.035, 0.13}, [HIP_LEFT] = {{-0.065, 0.36}, 0.035, 0.13},
    [HIP_RIGHT] = {{0.065, 0.36}, 0.035, 0.13},     [ELBOW_LEFT] = {{-0.17, 0.19}, 0.02, 0.03},
    [ELBOW_RIGHT] = {{0.17, 0.19}, 0.02, 0.03},     [HAND_LEFT] = {{-0.19, 0.35}, 0.02, 0.03},
    [HAND_RIGHT] = {{0.19, 0.35}, 0.02, 0.03},      [KNEE_LEFT] = {{-0.085, 0.59}, 0.025, 0.07},
    [KNEE_RIGHT] = {{0.085, 0.59}, 0.025, 0.07},    [FOOT_LEFT] = {{-0.095, 0.825}, 0.025, 0.06},
    [FOOT_RIGHT] = {{0.095, 0.825}, 0.025, 0.06},
};

/// Two parts that keep at least a share of their first distance; 1: exactly their distance
typedef struct bone {
    enum ragdoll_part a, b;
    double least;
} bone;

static const bone bones[] = {
    {SHOULDER_LEFT, SHOULDER_RIGHT, 1}, {SHOULDER_LEFT, HIP_LEFT, 1},
    {SHOULDER_RIGHT, HIP_RIGHT, 1},     {HIP_LEFT, HIP_RIGHT, 1},
    {SHOULDER_LEFT, HIP_RIGHT, 1},      {SHOULDER_RIGHT, HIP_LEFT, 1},
    {RAGDOLL_HEAD, SHOULDER_LEFT, 1},   {RAGDOLL_HEAD, SHOULDER_RIGHT, 1},
    {SHOULDER_LEFT, ELBOW_LEFT, 1},     {ELBOW_LEFT, HAND_LEFT, 1},
    {SHOULDER_RIGHT, ELBOW_RIGHT, 1},   {ELBOW_RIGHT, HAND_RIGHT, 1},
    {HIP_LEFT, KNEE_LEFT, 1},           {KNEE_LEFT, FOOT_LEFT, 1},
    {HIP_RIGHT, KNEE_RIGHT, 1},         {KNEE_RIGHT, FOOT_RIGHT, 1},
    {RAGDOLL_HEAD, HIP_LEFT, 0.97},     {RAGDOLL_HEAD, HIP_RIGHT, 0.97},
    {HAND_LEFT, SHOULDER_LEFT, 0.55},   {HAND_RIGHT, SHOULDER_RIGHT, 0.55},
    {FOOT_LEFT, HIP_LEFT, 0.65},        {FOOT_RIGHT, HIP_RIGHT, 0.65},
    {KNEE_LEFT, SHOULDER_LEFT, 0.6},    {KNEE_RIGHT, SHOULDER_RIGHT, 0.6},
    {KNEE_LEFT, KNEE_RIGHT, 0.4},
};

pv_ragdoll_def pv_ragdoll_def_default(void) {
    return (pv_ragdoll_def){.height = 64,
                            .mass = 16,
                            .linear_damping = 0.3,
                            .restitution = 0.1,
                            .static_friction = -1,
                            .friction = 0.5,
                            .filter = pv__filter_everybody(),
                            .cookie = PV__COOKIE};
}

static const pv__field_row fields[] = {
    PV__VECTOR(pv_ragdoll_def, position, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_ragdoll_def, height, 1, 3000),
    PV__DOUBLE(pv_ragdoll_def, mass, 1e3 * PV__LEAST_MASS, PV__MOST_MASS),
    PV__BUILD_DAMPING(pv_ragdoll_def),
    PV__MATERIAL(pv_ragdoll_def),
};

static bool check_def(pv_error *e, const pv_ragdoll_def *def) {
    return PV__CHECK_DEF(e, def, pv_ragdoll_def_default, fields) &&
           pv__impulse_check_friction(e, "def.friction", def->static_friction, def->friction);
}

static void make_joints(pv__build *b, const pv_ragdoll_def *def,
                        pv_particle_id made[RAGDOLL_PARTS]) {
    pv_particle_def grain = PV__BUILD_GRAIN(def, 0);
    for (int i = 0; i < RAGDOLL_PARTS; i++) {
        grain.position = pv__mad(def->position, def->height, joints[i].at);
        grain.radius = def->height * joints[i].radius;
        grain.mass = def->mass * joints[i].mass;
        made[i] = pv__build_particle(b, &grain);
    }
}

static void make_bones(pv__build *b, const pv_ragdoll_def *def,
                       const pv_particle_id made[RAGDOLL_PARTS]) {
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        const bone *o = &bones[i];
        pv_joint_def stick = pv__build_stick_def(made[o->a], made[o->b]);
        if (o->least < 1) {
            stick.type = PV_JOINT_STRUT;
            stick.length =
                o->least * def->height * pv__length(pv__sub(joints[o->b].at, joints[o->a].at));
        }
        pv__build_constraint(b, &stick);
    }
}

pv_composite_id pv_ragdoll_create(pv_world *world, const pv_ragdoll_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) check_def(e, def);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) {
        pv_particle_id made[RAGDOLL_PARTS];
        make_joints(&b, def, made);
        make_bones(&b, def, made);
    }
    return pv__build_end(&b);
}
