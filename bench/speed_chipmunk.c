/* speed_chipmunk.c - the bodies' scenes with Chipmunk, if it is available.
 *
 * Invariant: bodies have the masses of the masks; an outline's convex pieces are shapes of one
 * body. Without HAVE_CHIPMUNK there is never a space.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "speed_scenes.h"

#include <math.h>
#include <stdlib.h>

const char *const rival_name = "Chipmunk";

#ifdef HAVE_CHIPMUNK

#include <chipmunk/chipmunk.h>

/// Types of shapes
enum { SOLID = 0, SENSOR = 1 };

/// Space, with lists of shapes and bodies linked through their user data
struct rival {
    cpSpace *space;
    cpShape *shapes;
    cpBody *bodies;
};

static cpBool count_visit(cpArbiter *arbiter, cpSpace *space, cpDataPointer user_data) {
    (void)arbiter, (void)space, (void)user_data;
    sink++;
    return cpTrue;
}

rival *rival_open(void) {
    rival *c = calloc(1, sizeof *c);
    if (!c) exit(1);
    c->space = cpSpaceNew();
    cpSpaceSetIterations(c->space, 10);
    cpSpaceAddCollisionHandler(c->space, SENSOR, SOLID)->beginFunc = count_visit;
    return c;
}

static void add_shape(rival *c, const pv_body_def *def, cpShape *shape) {
    /* Chipmunk multiplies the friction of both shapes. */
    cpShapeSetFriction(shape, sqrt(FRICTION));
    cpShapeSetFilter(shape, cpShapeFilterNew((cpGroup)def->filter.group_index,
                                             def->filter.category_bits, def->filter.mask_bits));
    cpShapeSetSensor(shape, def->sensor);
    cpShapeSetCollisionType(shape, def->sensor ? SENSOR : SOLID);
    cpShapeSetUserData(shape, c->shapes);
    c->shapes = cpSpaceAddShape(c->space, shape);
}

static cpBody *add_body(rival *c, const pv_body_def *def, const pv_mass_data *mass) {
    bool fixed = def->type == PV_BODY_STATIC;
    cpFloat inertia = def->motion_locks & PV_LOCK_ROTATION ? INFINITY : mass->inertia;
    cpBody *body = fixed ? cpBodyNewStatic() : cpBodyNew(mass->area, inertia);
    cpBodySetPosition(body, cpv(def->position.x, def->position.y));
    cpBodySetAngle(body, def->angle);
    if (!fixed) cpBodySetVelocity(body, cpv(def->velocity.x, def->velocity.y));
    if (!fixed) cpBodySetAngularVelocity(body, def->angular_velocity);
    cpBodySetUserData(body, c->bodies);
    return c->bodies = cpSpaceAddBody(c->space, body);
}

void rival_put(rival *c, const pv_body_def *def) {
    const outline *o = def->user_data;
    pv_mass_data mass = pv_mask_compute_mass(o->mask);
    cpBody *body = add_body(c, def, &mass);
    cpVect origin = cpv(-mass.centroid.x, -mass.centroid.y);
    if (o->radius > 0)
        add_shape(c, def,
                  cpCircleShapeNew(body, o->radius, cpvadd(origin, cpv(o->radius, o->radius))));
    for (int k = 0; k < o->pieces; k++) {
        cpVect corners[MOST_CORNERS];
        int n = o->piece[k].corners;
        for (int i = 0; i < n; i++)
            corners[i] = cpv(o->piece[k].corner[i].x, o->piece[k].corner[i].y);
        add_shape(c, def, cpPolyShapeNew(body, n, corners, cpTransformTranslate(origin), 0));
    }
}

void rival_step(void *c, pv_vec2 gravity) {
    cpSpace *space = ((rival *)c)->space;
    cpSpaceSetGravity(space, cpv(gravity.x, gravity.y));
    cpSpaceStep(space, STEP);
}

void rival_drive(rival *c, by_place velocity, const scene *s) {
    for (cpBody *b = c->bodies; b; b = cpBodyGetUserData(b)) {
        cpVect at = cpBodyGetPosition(b);
        pv_vec2 v = velocity(s, (pv_vec2){at.x, at.y});
        if (cpBodyGetType(b) == CP_BODY_TYPE_DYNAMIC) cpBodySetVelocity(b, cpv(v.x, v.y));
    }
}

void rival_shift(rival *c, by_place position, const scene *s) {
    for (cpShape *shape = c->shapes; shape; shape = cpShapeGetUserData(shape)) {
        cpVect at = cpBodyGetPosition(cpShapeGetBody(shape));
        pv_vec2 to = position(s, (pv_vec2){at.x, at.y});
        if (cpShapeGetSensor(shape) && (at.x != to.x || at.y != to.y))
            cpBodySetPosition(cpShapeGetBody(shape), cpv(to.x, to.y));
    }
}

int rival_cast(const rival *c, const segment *segments, int count) {
    int hits = 0;
    cpSegmentQueryInfo info;
    for (int i = 0; i < count; i++) {
        cpVect from = cpv(segments[i].from.x, segments[i].from.y),
               to = cpv(segments[i].to.x, segments[i].to.y);
        hits += cpSpaceSegmentQueryFirst(c->space, from, to, 0, CP_SHAPE_FILTER_ALL, &info) != NULL;
    }
    return hits;
}

void rival_place(const void *r, pv_placed *sprites, int count) {
    const rival *c = r;
    /* The last body comes first. */
    for (cpBody *b = c->bodies; b && count-- > 0; b = cpBodyGetUserData(b)) {
        cpVect at = cpBodyGetPosition(b);
        sprites[count].transform.position = (pv_vec2){at.x, at.y};
        sprites[count].transform.rotation = pv_rotation_from_angle(cpBodyGetAngle(b));
    }
}

void rival_close(rival *c) {
    cpSpaceFree(c->space);
    for (cpShape *s = c->shapes, *next; s; s = next) {
        next = cpShapeGetUserData(s);
        cpShapeFree(s);
    }
    for (cpBody *b = c->bodies, *next; b; b = next) {
        next = cpBodyGetUserData(b);
        cpBodyFree(b);
    }
    free(c);
}

#else

rival *rival_open(void) { return NULL; }

void rival_put(rival *c, const pv_body_def *def) { (void)c, (void)def; }

void rival_step(void *c, pv_vec2 gravity) { (void)c, (void)gravity; }

void rival_drive(rival *c, by_place velocity, const scene *s) { (void)c, (void)velocity, (void)s; }

void rival_shift(rival *c, by_place position, const scene *s) { (void)c, (void)position, (void)s; }

int rival_cast(const rival *c, const segment *segments, int count) {
    (void)c, (void)segments, (void)count;
    return 0;
}

void rival_place(const void *c, pv_placed *sprites, int count) {
    (void)c, (void)sprites, (void)count;
}

void rival_close(rival *c) { (void)c; }

#endif
