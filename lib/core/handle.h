/* handle.h - the interface of handle.c: conversion of handles to slots and back.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_HANDLE_H
#define PV_CORE_HANDLE_H

#include "base/error.h"
#include "core/world.h"

/// Greatest number of slots of bodies, and of polygons, because their handles share a type
enum { PV__MOST_BODIES = PV_POLYGON_BIT - 1 };

/// Returns the sprite of a handle, or null if the handle is invalid or a polygon's.
pv__body *pv__handle_body(const pv_world *world, pv_body_id name);
/// Returns the slot of the living particle of a handle, or 0.
int pv__handle_particle(const pv_world *world, pv_particle_id name);
/// Returns the handle of the particle in a slot.
pv_particle_id pv__handle_of_particle(const pv_world *world, int slot);
/// Returns the index of the living polygon of a handle, or -1.
int pv__handle_polygon(const pv_world *world, pv_body_id name);
/// Returns the handle of the polygon at an index.
pv_body_id pv__handle_of_polygon(const pv_world *world, int index);
/// Returns the handle of the polygon with that particle as a corner, or the null handle.
pv_body_id pv__handle_of_polygon_with(const pv_world *world, int particle);
/// Returns the living joint of a handle, or null.
pv__constraint *pv__handle_constraint(const pv_world *world, pv_joint_id name);
/// Returns the handle of the joint in a slot.
pv_joint_id pv__handle_of_constraint(const pv_world *world, int slot);
/// Returns the living composite of a handle, or null.
pv__composite *pv__handle_composite(const pv_world *world, pv_composite_id name);

/// Compares items that begin with two handles of bodies: by both slots, then by both generations.
int pv__compare_handles(const void *p, const void *q);

/// Begins a public function that changes a sprite b.
#define PV__BEGIN_SPRITE(...)                                                                      \
    PV__BEGIN_WITH(pv__body *, b, pv__check_body(&e, world, "body", body), __VA_ARGS__)
/// Begins a call that changes a sprite or a polygon; tells whether it may go on.
bool pv__handle_begin_any(pv_error *e, const char *function, const pv_world *world,
                          pv_body_id body);
/// Returns the sprite that a parameter or field names, or null with a filled error.
pv__body *pv__check_body(pv_error *e, const pv_world *world, const char *field, pv_body_id body);
/// Does the same as pv__check_body(), for the slot of a particle, or 0.
int pv__check_particle(pv_error *e, const pv_world *world, const char *field,
                       pv_particle_id particle);
/// Does the same as pv__check_body(), for the index of a polygon, or -1.
int pv__check_polygon(pv_error *e, const pv_world *world, const char *field, pv_body_id polygon);
/// Does the same as pv__check_body(), for a joint.
pv__constraint *pv__check_joint(pv_error *e, const pv_world *world, const char *field,
                                pv_joint_id joint);
/// Does the same as pv__check_body(), for a composite.
pv__composite *pv__check_composite(pv_error *e, const pv_world *world, const char *field,
                                   pv_composite_id composite);

#endif
