/* pv_tape_material.c - the material maps of a world's bodies as bytes, or by names.
 *
 * Invariant: a map keeps its number among the world's as long as a snapshot may name it. In a world that never had a map nothing of
 * all this is on a tape.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_tape.h"

/* ---- which there are ---- */

static bool add_map(pv_world *world, pv_material_map *map, bool used) {
    if (!pv__reserve(&world->def.allocator, &world->maps, &world->map_capacity, world->map_count + 1,
                     sizeof *world->maps))
        return false;
    world->maps[world->map_count++] = (pv__kept_map){pv_material_map_retain(map), used};
    return true;
}

/// Gives a map a number; false without memory.
static bool number(pv_world *world, pv__makeup *m) {
    int id = world->map_count - 1;
    while (id >= 0 && world->maps[id].map != m->map) id--;
    if (id < 0 && !add_map(world, m->map, false)) return false;
    m->id = id < 0 ? world->map_count - 1 : id;
    return true;
}

bool pv__maps_number(pv_world *world) {
    for (int i = 0; world->mapped && i < world->body_count; i++) {
        const pv__body *b = &world->bodies[i];
        if (!pv__alive(b) || !b->guise->makeup.map) continue;
        pv__makeup *m = &b->guise->makeup;
        if (m->id < 0 && !number(world, m)) return false;
        if (m->sums.n > 0) world->masks[b->guise->mask_id].weighed = *m;
    }
    return true;
}

void pv__maps_mark_used(pv_world *world) {
    for (int i = 0; i < world->map_count; i++) world->maps[i].used = false;
    for (int i = 0; world->mapped && i < world->body_count; i++) {
        if (!pv__alive(&world->bodies[i])) continue;
        const pv__makeup *m = &world->bodies[i].guise->makeup;
        if (m->map && m->id >= 0) world->maps[m->id].used = true;
    }
}

void pv__maps_forget(pv_world *world) {
    for (int i = 0; i < world->map_count; i++) {
        if (world->maps[i].used) continue;
        pv_material_map_release(world->maps[i].map);
        world->maps[i].map = NULL;
    }
}

bool pv__maps_share(pv_world *world, const pv_world *from) {
    for (int i = 0; i < from->map_count; i++)
        if (!add_map(world, from->maps[i].map, false)) return false;
    return true;
}

void pv__maps_free(pv_world *world) {
    for (int i = 0; i < world->map_count; i++) pv_material_map_release(world->maps[i].map);
    pv__free(&world->def.allocator, world->maps, (size_t)world->map_capacity, sizeof *world->maps);
}

/* ---- as bytes ---- */

static void tape_plane(pv__tape *t, unsigned char *plane, size_t size) {
    unsigned char *at = plane && size > 0 ? pv__tape_take(t, size) : NULL;
    if (at) memcpy(t->reads ? plane : at, t->reads ? at : plane, size);
}

/// The bytes of a map, which is made when it is read; false without memory.
static bool tape_bytes(pv__tape *t, const pv_allocator *allocator, pv_material_map **map) {
    int w = t->reads ? 0 : (*map)->w, h = t->reads ? 0 : (*map)->h;
    bool hardness = !t->reads && (*map)->hardness, density = !t->reads && (*map)->density;
    bool *const flags[] = {&hardness, &density};
    pv__tape_int(t, &w, 0, PV__MAX_SIDE);
    pv__tape_int(t, &h, 0, PV__MAX_SIDE);
    pv__tape_flags(t, flags, 2);
    size_t size = (size_t)w * (size_t)h;
    if (t->reads) {
        t->broken |= size * (hardness + density) > t->left || (int64_t)w * h > PV__MAX_MATERIAL;
        if (t->broken) return true;
        *map = pv__material_map_make(w, h, hardness, density, allocator, NULL);
        if (!*map) return false;
    }
    tape_plane(t, (*map)->hardness, size);
    tape_plane(t, (*map)->density, size);
    t->broken |= t->reads && !pv__material_map_seal(*map);
    return true;
}

/// A map out of bytes that bodies use, or none at its place; false without memory.
static bool read_map(pv__tape *t, pv_world *world, bool used) {
    pv_material_map *map = NULL;
    if (used && !tape_bytes(t, &world->def.allocator, &map)) return false;
    bool added = add_map(world, map, used);
    pv_material_map_release(map);
    return added;
}

bool pv__tape_maps(pv__tape *t, pv_world *world, bool bytes) {
    if (!world->mapped) return true;
    int count = world->map_count;
    pv__tape_int(t, &count, 0, 1 << 24);
    t->broken |= t->reads && !bytes && count > world->map_count;
    for (int i = 0; i < count && !t->broken; i++) {
        bool makes = t->reads && bytes, used = !t->reads && world->maps[i].used;
        bool *const flags[] = {&used};
        pv__tape_flags(t, flags, 1);
        if (makes && !read_map(t, world, used)) return false;
        if (!used || makes) continue;
        if (bytes && !tape_bytes(t, &world->def.allocator, &world->maps[i].map)) return false;
        const pv_material_map *map = world->maps[i].map;
        uint64_t digest = map ? map->digest : 0;
        if (!bytes) pv__tape_u64(t, &digest);
        t->broken |= t->reads && (!map || map->digest != digest);
    }
    return !t->broken;
}
