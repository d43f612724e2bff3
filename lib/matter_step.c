/* matter_step.c - substeps of joints, particles, polygons and liquids, solved in rounds.
 *
 * Invariant: a round solves sticks, joints, polygons, solid composites and particle impacts in this
 * order. It always goes forward, because alternating directions makes gaps thirty times as wide.
 * After the last round of a substep, impulses are reported as forces, and overloaded joints break.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter_step.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "joint/constraint.h"
#include "joint/direct.h"
#include "joint/stick.h"
#include "matter/liquid.h"
#include "matter/particle.h"
#include "matter/particle_collide.h"
#include "matter/particle_stride.h"
#include "matter/surface.h"
#include "polygon/polygon_contact.h"
#include "solver/integrate.h"
#include "world/world.h"

/* ---- once a step ---- */

/// Marks bodies with joints as loaded, because their joints may move them at any time.
static void load_held(pv_world *world) {
    for (int i = 0; i < world->matter.joint_count; i++) {
        const pv__constraint *c = &world->matter.constraints[world->matter.joints[i]];
        if (c->a.body >= 0) world->bodies.items[c->a.body].loaded = world->steps + 1;
        if (c->b.body >= 0) world->bodies.items[c->b.body].loaded = world->steps + 1;
    }
}

static void matter_step_bind(pv__matter *m, int i) {
    pv__particles *p = &m->particles;
    const pv__particle_data *g = &p->data[i];
    bool meets =
        g->polygon >= 0 ? !m->polygons[g->polygon].asleep : g->joint_count > 0 || g->liquid >= 0;
    p->bound[i] =
        (unsigned char)((p->bound[i] & (PV__STAYS | PV__LISTED)) | (meets ? PV__MEETS : 0));
}

/// Updates the integration bits of all particles, or only of the candidates of the last step if
/// nothing has changed.
static void bind_particles(pv__matter *m) {
    bool all = m->loose || m->polygon_pool.living > 0 || m->liquid_pool.living > 0 ||
               m->solid_composites > 1;
    for (int i = 0; all && i < m->particles.count; i++) matter_step_bind(m, i);
    for (int i = 0; !all && i < m->nears.count; i++)
        matter_step_bind(m, m->nears.items[i].particle);
}

/// Lays out the batches of the constraints, if they changed; returns false without memory.
static bool matter_step_lay(pv_world *world) {
    world->matter.bare |= world->matter.loose;
    return pv__stick_lay_out(world, world->dt);
}

void pv__matter_begin_step(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    world->events.joint_breaks.count = 0;
    if (!pv__world_has_matter(world) && !m->loose)
        return; /* not if loose: a removed last joint must end its collision bars */
    pv__force_apply_all(world, dt);
    pv__stride_plan(world, dt);
    bind_particles(m);
    bool barred = matter_step_lay(world); /* joined pairs do not collide */
    bool met =
        pv__polygon_find_pairs(world, dt); /* drops the old pairs; polygons that are hit wake */
    bool laid = matter_step_lay(world) && barred;
    load_held(world);
    bool near = pv__particle_find_near(world, dt), grazed = pv__surface_find_pairs(world, dt);
    if (!laid || !near || !met || !grazed) world->out_of_memory = true;
    pv__timer_lap(world, &world->profile.matter);
}

void pv__matter_end_step(pv_world *world) {
    pv__particles *p = &world->matter.particles;
    if (!pv__polygon_keep_crossings(world)) world->out_of_memory = true;
    if (!pv__world_has_matter(world)) return;
    pv__particle_settle_all(world);
    pv__integrate_settle(world);
    if (!p->forced) return;
    for (int i = 0; i < p->count; i++) p->force[i] = pv__vec(0, 0);
    p->forced = false;
}

/* ---- a substep ---- */

static void relax_joints(pv_world *world, double h) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->joint_count; i++)
        if (!m->constraints[m->joints[i]].direct)
            pv__joint_relax(world, &m->constraints[m->joints[i]], h);
        else
            pv__joint_relax_range(world, &m->constraints[m->joints[i]], h);
}

static void relax_once(pv_world *world, double h, int substep) {
    pv__matter *m = &world->matter;
    if (m->stick_count > 0)
        world->solver.stick_kernel->relax(m->sticks, m->stick_count, &m->particles);
    relax_joints(world, h);
    if (m->polygon_pool.living > 0) pv__polygon_relax_all(world);
    if (m->solid_composites > 1) pv__surface_relax_all(world, substep);
    pv__particle_strike_all(world, substep);
}

static void matter_step_relax(pv_world *world, double h, int substep) {
    int rounds = world->def.joint_iterations;
    for (int i = 0; i < rounds; i++) {
        world->matter.last_round = i == rounds - 1;
        relax_once(world, h, substep);
    }
    pv__particle_land(world);
    pv__direct_solve(world, h, substep); /* last, as it also changes velocities alone */
}

static void matter_step_start(pv_world *world, double h) {
    pv__matter *m = &world->matter;
    if (m->stick_count > 0)
        world->solver.stick_kernel->start(m->sticks, m->stick_count, &m->particles);
    for (int i = 0; i < m->joint_count; i++)
        pv__joint_start(world, &m->constraints[m->joints[i]], h);
}

static void read_joints(pv_world *world, double h) {
    pv__matter *m = &world->matter;
    int kept = 0;
    for (int i = 0; i < m->joint_count; i++) {
        int slot = m->joints[i];
        pv__constraint *c = &m->constraints[slot];
        pv__joint_hold(c);
        pv__constraint_tell_force(world, slot, pv__joint_force(c, h));
        if (pv__slot_lives(&c->slot)) m->joints[kept++] = slot;
    }
    m->joint_count = kept;
}

void pv__matter_step(pv_world *world, double h, int substep) {
    if (!pv__world_has_matter(world)) return;
    pv__stride stride = pv__stride_at(world, substep);
    if (substep == stride.first) pv__stride_begin(world);
    pv__particle_integrate_all(world, h, substep);
    matter_step_start(world, h);
    if (world->matter.liquid_pool.living > 0) pv__liquid_relax_all(world, h);
    if (substep == stride.end - 1) pv__particle_strike_in_stride(world, &stride);
    matter_step_relax(world, h, substep);
    pv__stick_read(world, h, substep == world->substeps - 1);
    read_joints(world, h);
    pv__timer_lap(world, &world->profile.matter);
}
