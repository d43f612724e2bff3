/* state_hash.c - computes a hash of all state that the next step depends on.
 *
 * Invariant: the hash is FNV-1a over 64-bit words, so it does not depend on the machine's byte
 * order. Words come in the order of slots, never of addresses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/fields.h"
#include "world/world.h"

uint64_t pv_world_compute_hash(const pv_world *world) {
    if (!world) return 0;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    pv__hash_word(&h, world->steps);
    pv__hash_double(&h, world->dt);
    pv__hash_word(&h, (uint64_t)world->solver.rested << 1 | world->solver.ordered);
    pv__hash_vec(&h, world->def.gravity);
    if (world->def.substeps != pv__world_usual_substeps(world->def.contact_mode))
        pv__hash_word(&h, (uint64_t)world->def.substeps);
    pv__hash_bodies(&h, world);
    pv__hash_pairs(&h, world);
    if (world->matter.particles.count > 0 || world->matter.constraint_pool.count > 0 ||
        world->matter.force_pool.count > 0)
        pv__hash_matter(&h, world);
    pv__hash_grains(&h, world);
    const pv_contact_event *passing = world->events.passing.items;
    for (int i = 0; i < world->events.passing.count; i++) {
        pv__hash_word(&h, (uint64_t)passing[i].a.index << 32 | passing[i].a.generation);
        pv__hash_word(&h, (uint64_t)passing[i].b.index << 32 | passing[i].b.generation);
    }
    return h;
}
