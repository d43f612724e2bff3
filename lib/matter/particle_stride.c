/* particle_stride.c - strides of particles that nothing holds, over several substeps each.
 *
 * Invariant: particles in a stride are integrated in substeps, so a free flight has the same bits
 * with any number of strides. Current less previous place is always the displacement of one
 * substep, so a particle keeps its velocity once it is held.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/particle_stride.h"
#include "core/anchor.h"
#include "core/pose.h"

void pv__stride_plan(pv_world *world, double dt) {
    pv__strides *k = &world->matter.strides;
    pv__particles *p = &world->matter.particles;
    for (int i = 0; k->count > 0 && i < p->count; i++) p->bound[i] &= (unsigned char)~PV__STRIDES;
    k->nears.count = 0;
    int count = pv__world_count_substeps(world, world->def.particle_substeps, dt);
    k->count = world->def.particle_substeps > 0 && count < world->substeps ? count : 0;
}

pv__stride pv__stride_at(const pv_world *world, int substep) {
    int count = world->matter.strides.count, substeps = world->substeps;
    if (count == 0) return (pv__stride){0, 0, substeps};
    int index = ((substep + 1) * count - 1) / substeps;
    return (pv__stride){index, index * substeps / count, (index + 1) * substeps / count};
}

bool pv__stride_takes(const pv_world *world, int particle) {
    const pv__matter *m = &world->matter;
    const pv__particle_data *g = &m->particles.data[particle];
    unsigned char bound = m->particles.bound[particle];
    if (m->strides.count == 0 || (bound & (PV__STAYS | PV__LISTED))) return false;
    if (m->polygon_pool.living > 0 && (bound & PV__MEETS)) return false; /* a polygon is near */
    return g->joint_count == 0 && g->liquid < 0 && g->polygon < 0;
}

void pv__stride_begin(pv_world *world) {
    pv__matter *m = &world->matter;
    pv__strides *k = &m->strides;
    for (int i = 0, last = PV__NONE; i < k->nears.count; i++) {
        const pv__near *n = &k->nears.items[i];
        m->starts[n->particle] = m->particles.now[n->particle];
        if (n->body != last) k->poses[n->body] = pv__body_pose_then(world, n->body);
        last = n->body;
    }
}

void pv__stride_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__strides *k = &world->matter.strides;
    PV__FREE(allocator, k->nears.items, k->nears.capacity);
    PV__FREE(allocator, k->poses, k->pose_capacity);
}
