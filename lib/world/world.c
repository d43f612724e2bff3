/* world.c - creates, destroys, configures and retimes worlds.
 *
 * Invariant: a world owns everything that is created in it. It shares only masks and material maps
 * with other worlds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "world/world.h"
#include "collide/broad_phase.h"
#include "collide/contact_points.h"
#include "collide/manifold.h"
#include "collide/query_index.h"
#include "core/body_bitmap.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "grains/grains.h"
#include "joint/direct.h"
#include "joint/stick.h"
#include "matter/liquid.h"
#include "matter/particle.h"
#include "matter/particle_inside.h"
#include "matter/particle_stride.h"
#include "matter/surface.h"
#include "paper/bitmap_solver.h"
#include "polygon/polygon.h"
#include "solver/contact_batch.h"
#include "solver/island_group.h"
#include "world/body_mask.h"

#include <float.h>

pv_world_def pv_world_def_default(void) {
    return (pv_world_def){
        .gravity = {0, 320},
        .contact_mode = PV_CONTACT_MODE_CONTOURS,
        .contact_iterations = 16,
        .restitution_threshold = 16,
        .hit_event_threshold = 50,
        .bounds = {{1, 1}, {-1, -1}},
        .enable_sleep = true,
        .cookie = PV__COOKIE,
    };
}

const pv__field_row pv__world_fields[15] = {
    PV__INT(pv_world_def, contact_mode, 0, PV_CONTACT_MODE_CONTOURS),
    PV__INT(pv_world_def, restitution_mix, 0, PV_MIX_GEOMETRIC),
    PV__INT(pv_world_def, friction_mix, 0, PV_MIX_GEOMETRIC),
    PV__INT(pv_world_def, substeps, 0, 64),
    PV__INT(pv_world_def, particle_substeps, 0, 64),
    PV__INT(pv_world_def, contact_iterations, 1, 64),
    PV__INT(pv_world_def, joint_iterations, 0, 64),
    PV__DOUBLE(pv_world_def, restitution_threshold, 0, DBL_MAX),
    PV__DOUBLE(pv_world_def, hit_event_threshold, 0, DBL_MAX),
    PV__VECTOR(pv_world_def, gravity, PV_MAX_COORDINATE),
    PV__VECTOR(pv_world_def, bounds.min, DBL_MAX),
    PV__VECTOR(pv_world_def, bounds.max, DBL_MAX),
};

/// Checks that a definition has both task functions, or needs none.
static bool check_workers(pv_error *e, const pv_world_def *def) {
    if (!pv__check_range(e, "def.worker_count", def->worker_count, 0, PV_MAX_WORKERS)) return false;
    if (def->worker_count <= 1) return true;
    return pv__check_pointer(e, "def.enqueue_task", def->enqueue_task ? def : NULL) &&
           pv__check_pointer(e, "def.finish_task", def->finish_task ? def : NULL);
}

pv_world *pv_world_create(const pv_world_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_world_def used = def ? *def : pv_world_def_default();
    if (!pv__check_cookie(e, &used, used.cookie, "pv_world_def_default") ||
        !PV__CHECK_FIELDS(e, &used, pv__world_fields) || !check_workers(e, &used))
        return NULL;
    used.allocator = pv__allocator(&used.allocator);
    if (used.substeps == 0) used.substeps = pv__world_usual_substeps(used.contact_mode);
    if (used.joint_iterations == 0)
        used.joint_iterations = used.contact_mode == PV_CONTACT_MODE_PIXELS ? 4 : 1;
    pv_world *world = pv__alloc(&used.allocator, 1, sizeof *world);
    if (world) world->def = used;
    bool room = world && pv__tasks_resize(world, used.worker_count);
    if (!room || !pv__contact_points_open(world)) {
        if (room) pv__tasks_free(world);
        pv__free(&used.allocator, world, 1, sizeof *world);
        pv__error_set(e, PV_ERROR_MEMORY);
        return NULL;
    }
    world->dt = 1.0 / 60 / used.substeps;
    world->bodies.free = world->manifolds.free = world->broad_phase.grid.displaced = -1;
    world->matter.constraint_pool.free = world->matter.composite_pool.free = -1;
    world->grains.pool.free = -1;
    world->matter.polygon_pool.free = world->matter.liquid_pool.free = -1;
    world->matter.force_pool.free = -1;
    world->bodies.awake_stale = true;
    world->manifolds.presolved = used.presolve_callback != NULL;
    return world;
}

static void free_matter(pv_world *world) {
    pv_allocator allocator = world->def.allocator;
    pv__matter *m = &world->matter;
    pv__composite_free_all(world);
    pv__surface_free(world);
    pv__polygon_free_all(world);
    pv__liquid_free_all(world);
    pv__particle_free_all(world);
    PV__FREE(&allocator, m->forces, m->force_pool.capacity);
    PV__FREE(&allocator, m->constraints, m->constraint_pool.capacity);
    PV__FREE(&allocator, m->sticks, m->stick_capacity);
    pv__direct_free(world);
    PV__FREE(&allocator, m->joints, m->joint_capacity);
    PV__FREE(&allocator, m->levels, m->level_capacity);
    PV__FREE(&allocator, m->bars, m->bar_capacity);
    pv__inside_free(world);
    PV__FREE(&allocator, m->nears.items, m->nears.capacity);
    PV__FREE(&allocator, m->cells, m->cell_capacity);
    PV__FREE(&allocator, m->sorted, m->sorted_capacity);
    PV__FREE(&allocator, m->ways, m->way_capacity);
    PV__FREE(&allocator, m->slots, m->slot_capacity);
    PV__FREE(&allocator, m->starts, m->start_capacity);
    pv__stride_free(world);
}

static void free_kept(pv_world *world, pv__kept_list *list) {
    for (int i = 0; i < list->count; i++) {
        pv_mask_release(list->items[i].mask);
        pv_material_map_release(list->items[i].map);
    }
    PV__FREE(&world->def.allocator, list->items, list->capacity);
}

static void free_bodies(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        pv__bitmaps_free(world, b);
        pv__body_mask_drop(world, b->pixels);
    }
}

/// Frees the arrays of the solver.
static void free_solver(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    PV__FREE(allocator, world->solver.bodies, world->solver.body_capacity);
    PV__FREE(allocator, world->solver.states, world->solver.state_capacity);
    PV__FREE(allocator, world->solver.outlines, world->solver.outline_capacity);
    PV__FREE(allocator, world->solver.levels, world->solver.level_capacity);
    PV__FREE(allocator, world->solver.gathered, world->solver.gathered_capacity);
    PV__FREE(allocator, world->solver.disturbed, world->solver.disturbed_capacity);
    PV__FREE(allocator, world->solver.hits, world->solver.hit_capacity);
}

void pv_world_destroy(pv_world *world) {
    pv_error e;
    if (!pv__world_begin(&e, __func__, world)) {
        pv__refuse(world, &e);
        return;
    }
    pv_allocator allocator = world->def.allocator;
    free_bodies(world);
    free_matter(world);
    free_kept(world, &world->snapshot.masks);
    free_kept(world, &world->snapshot.maps);
    pv__tasks_free(world);
    PV__FREE(&allocator, world->bodies.items, world->bodies.capacity);
    pv__free(&allocator, world->bodies.spare_pixels, 1, sizeof(pv__body_pixels));
    PV__FREE(&allocator, world->bodies.pixel_motions, world->bodies.pixel_motion_capacity);
    pv__events_free(world);
    pv__broad_phase_free(world);
    pv__index_free(world);
    PV__FREE(&allocator, world->manifolds.passing, world->manifolds.passing_capacity);
    PV__FREE(&allocator, world->broad_phase.around, world->broad_phase.around_capacity);
    PV__FREE(&allocator, world->broad_phase.crowds, world->broad_phase.crowd_capacity);
    PV__FREE(&allocator, world->broad_phase.mates, world->broad_phase.mate_capacity);
    PV__FREE(&allocator, world->broad_phase.pairs, world->broad_phase.pair_capacity);
    PV__FREE(&allocator, world->broad_phase.spare_pairs, world->broad_phase.spare_pair_capacity);
    PV__FREE(&allocator, world->bitmaps.contacts, world->bitmaps.contact_capacity);
    PV__FREE(&allocator, world->bitmaps.grounds, world->bitmaps.ground_capacity);
    pv__bitmap_solver_free(world);
    PV__FREE(&allocator, world->bitmaps.old_contacts, world->bitmaps.old_contact_capacity);
    pv__contact_points_free(world);
    PV__FREE(&allocator, world->manifolds.items, world->manifolds.capacity);
    PV__FREE(&allocator, world->manifolds.table, world->manifolds.table_size);
    PV__FREE(&allocator, world->manifolds.active, world->manifolds.active_capacity);
    PV__FREE(&allocator, world->manifolds.was_active, world->manifolds.was_active_capacity);
    PV__FREE(&allocator, world->broad_phase.enlarged, world->broad_phase.enlarged_capacity);
    PV__FREE(&allocator, world->manifolds.schedule, world->manifolds.schedule_capacity);
    PV__FREE(&allocator, world->manifolds.updates, world->manifolds.update_capacity);
    pv__grains_free_all(world);
    PV__FREE(&allocator, world->bodies.awake, world->bodies.awake_capacity);
    pv__island_group_free(world);
    free_solver(world);
    PV__FREE(&allocator, world->squeeze.items, world->squeeze.capacity);
    pv__free(&allocator, world, 1, sizeof *world);
}

pv_status pv_world_set_workers(pv_world *world, const pv_world_def *def) {
    pv_world_def wanted = def ? *def : pv_world_def_default();
    PV__BEGIN(check_workers(&e, &wanted));
    if (!pv__tasks_resize(world, wanted.worker_count)) return pv__refuse_memory(world, &e);
    world->def.worker_count = wanted.worker_count;
    world->def.enqueue_task = wanted.enqueue_task;
    world->def.finish_task = wanted.finish_task;
    world->def.task_user_data = wanted.task_user_data;
    return PV_OK;
}

pv_status pv_world_set_substeps(pv_world *world, int substeps) {
    PV__BEGIN(pv__check_range(&e, "substeps", substeps, 1, 64));
    world->def.substeps = substeps;
    return PV_OK;
}

pv_vec2 pv_world_get_gravity(const pv_world *world) {
    return world ? world->def.gravity : pv__vec(0, 0);
}

static void wake_all(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++)
        if (pv__body_is_alive(&world->bodies.items[i]))
            pv__wake_body(world, &world->bodies.items[i]);
    pv__wake_polygons_all(world);
}

pv_status pv_world_set_gravity(pv_world *world, pv_vec2 gravity) {
    PV__BEGIN(pv__check_place(&e, "gravity", gravity));
    world->def.gravity = gravity;
    wake_all(world);
    return PV_OK;
}

/// Defines a function that sets a callback and then runs the code in more.
#define SET_CALLBACK(name, more)                                                                   \
    pv_status pv_world_set_##name##_callback(pv_world *world, pv_##name##_fn name,                 \
                                             void *user_data) {                                    \
        PV__BEGIN(true);                                                                           \
        world->def.name##_callback = name;                                                         \
        world->def.name##_user_data = user_data;                                                   \
        more;                                                                                      \
        return PV_OK;                                                                              \
    }

SET_CALLBACK(filter, wake_all(world))
SET_CALLBACK(presolve, world->manifolds.presolved |= presolve != NULL; wake_all(world))
SET_CALLBACK(split, )
SET_CALLBACK(report, )

pv_world_profile pv_world_get_profile(const pv_world *world) {
    return world ? world->profile : (pv_world_profile){0};
}

void pv__world_retime(pv_world *world, double h) {
    double old = world->dt;
    pv__particle_retime_all(world, h);
    pv__particle_retime_joints(world, h);
    pv__manifold_scale_impulses(world, h / old);
    world->dt = h;
    world->solver.ordered = false;
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        if (!pv__body_is_alive(b) || b->type == PV_BODY_STATIC) continue;
        pv_vec2 step = pv__sub(b->pose.center, pv__pose_particles_center(b->before));
        double angle = pv__asin(pv__clamp(pv__pose_turn_sine(b), -1, 1)) * (h / old);
        double dt0 = b->verlet_dt0;
        pv__pose_set_motion(world, b, pv__mul(1.0 / old, step), angle / h);
        b->verlet_dt0 = dt0;
    }
}
