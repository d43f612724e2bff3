/* stick.c - lays out length constraints between particles in rows of four.
 *
 * Invariant: a constraint is one level above the highest of all earlier constraints that share a
 * movable particle with it. Rows are in order of levels. Constraints of one level share no movable
 * particle, so they may stand in any order.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/stick.h"
#include "joint/constraint.h"
#include "joint/direct.h"
#include "joint/joint.h"

/// Tells whether a joint belongs in the rows. A joint that is still easing does not.
static bool is_stick(const pv__constraint *c) {
    return pv__slot_lives(&c->slot) && c->type <= PV_JOINT_STRUT && c->a.particle &&
           c->b.particle && c->grace == 0 && !c->direct;
}

/// Tells whether a joint gets a place in the rows. One between two immovable particles needs none.
static bool is_laid(const pv_world *world, const pv__constraint *c) {
    const double *w = world->matter.particles.inverse_mass;
    return is_stick(c) && (w[c->a.particle] > 0 || w[c->b.particle] > 0);
}

/// Returns the level of the next constraint and raises its particles to it. Immovable particles
/// raise no level.
static int climb(const pv__particles *p, int *levels, const pv__constraint *c) {
    int a = c->a.particle, b = c->b.particle;
    int below_a = p->inverse_mass[a] > 0 ? levels[a] : 0,
        below_b = p->inverse_mass[b] > 0 ? levels[b] : 0;
    return levels[a] = levels[b] = 1 + pv__later(below_a, below_b);
}

static const pv__sticks empty_row = {
    .length = {1, 1, 1, 1}, .along_x = {1, 1, 1, 1}, .constraint = {-1, -1, -1, -1}};

static void lay(const pv_world *world, pv__sticks *row, int lane, int slot, double h) {
    const pv__constraint *c = &world->matter.constraints[slot];
    const double *w = world->matter.particles.inverse_mass;
    double both = w[c->a.particle] + w[c->b.particle];
    pv__joint_softness s = pv__joint_softness_of(c, h);
    row->a[lane] = c->a.particle;
    row->b[lane] = c->b.particle;
    row->constraint[lane] = slot;
    row->length[lane] = c->length;
    row->inverse[lane] = 1 / ((1 + s.damping) * both + s.compliance);
    row->compliance[lane] = s.compliance;
    row->damping[lane] = s.damping;
    row->least[lane] = s.least;
    row->most[lane] = s.most;
    row->soft |= c->type != PV_JOINT_DISTANCE || c->stiffness > 0 || c->max_force > 0;
    row->breaks |= c->break_force > 0;
}

/// Turns the counts of each level into start indices. Returns the number of rows.
static int count_rows(int *starts, int levels) {
    int rows = 0;
    for (int i = 1; i <= levels; i++) {
        int of_level = (starts[i] + PV__LANES - 1) / PV__LANES;
        starts[i] = rows * PV__LANES;
        rows += of_level;
    }
    return rows;
}

/// Counts the constraints of each level. Returns the number of levels.
static int count_levels(const pv_world *world, int *levels, int *starts) {
    const pv__matter *m = &world->matter;
    int highest = 0;
    for (int i = 0; i < m->particles.count; i++) levels[i] = 0;
    for (int i = 0; i <= m->constraint_pool.count; i++) starts[i] = 0;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        if (!is_laid(world, &m->constraints[i])) continue;
        int level = climb(&m->particles, levels, &m->constraints[i]);
        starts[level]++;
        if (level > highest) highest = level;
    }
    return highest;
}

/// Lists the joints that are not in the rows.
static bool list_joints(pv_world *world) {
    pv__matter *m = &world->matter;
    if (!PV__RESERVE(&world->def.allocator, m->joints, m->joint_capacity,
                     m->constraint_pool.count + 1))
        return false;
    m->joint_count = 0;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        pv__constraint *c = &m->constraints[i];
        if (pv__joint_is_present(world, c) && !is_stick(c))
            m->joints[m->joint_count++] = i;
        else if (!is_laid(world, c))
            c->force = 0;
    }
    return true;
}

static bool lay_all(pv_world *world, double h) {
    pv__matter *m = &world->matter;
    const pv_allocator *allocator = &world->def.allocator;
    int need = m->particles.count + m->constraint_pool.count + 1;
    if (!PV__RESERVE(allocator, m->levels, m->level_capacity, need)) return false;
    int *levels = m->levels, *starts = levels + m->particles.count;
    int rows = count_rows(starts, count_levels(world, levels, starts));
    if (!PV__RESERVE(allocator, m->sticks, m->stick_capacity, rows + 1)) return false;
    for (int i = 0; i < rows; i++) m->sticks[i] = empty_row;
    for (int i = 0; i < m->particles.count; i++) levels[i] = 0;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        if (!is_laid(world, &m->constraints[i])) continue;
        int at = starts[climb(&m->particles, levels, &m->constraints[i])]++;
        lay(world, &m->sticks[at / PV__LANES], at % PV__LANES, i, h);
    }
    m->stick_count = rows;
    return true;
}

bool pv__stick_lay_out(pv_world *world, double h) {
    pv__matter *m = &world->matter;
    if (!m->loose) return true;
    m->stick_count = m->joint_count = 0;
    m->loose = !(pv__direct_lay_out(world) && lay_all(world, h) && list_joints(world) &&
                 pv__constraint_list_bars(world));
    if (m->loose) m->stick_count = m->joint_count = 0;
    return !m->loose;
}

void pv__stick_read(pv_world *world, double h, bool last) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->stick_count; i++) {
        pv__sticks *row = &m->sticks[i];
        for (int k = 0; k < PV__LANES && (row->breaks || last); k++) {
            int slot = row->constraint[k];
            if (slot < 0) continue;
            pv__constraint_tell_force(world, slot, pv__abs(row->given[k]) / (h * h));
            if (pv__slot_lives(&m->constraints[slot].slot)) continue;
            row->inverse[k] = 0;
            row->constraint[k] = -1;
        }
    }
}
