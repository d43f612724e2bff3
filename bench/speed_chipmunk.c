/* speed_chipmunk.c - the bodies' scenes by Chipmunk, where it is there.
 *
 * Invariant: bodies weigh what the masks weigh; an outline's convex pieces are shapes of one body. Without
 * HAVE_CHIPMUNK there is never a space.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "speed.h"

#include <math.h>
#include <stdlib.h>

#ifdef HAVE_CHIPMUNK

#include <chipmunk/chipmunk.h>

/// Shapes and bodies are lists linked by their user data.
struct chipmunk {
    cpSpace *space;
    cpShape *shapes;
    cpBody *bodies;
};

chipmunk *chipmunk_open(void) {
    chipmunk *c = calloc(1, sizeof *c);
    if (!c) exit(1);
    c->space = cpSpaceNew();
    cpSpaceSetIterations(c->space, 10);
    return c;
}

static void add_shape(chipmunk *c, cpShape *shape) {
    cpShapeSetFriction(shape, sqrt(FRICTION)); /* it multiplies the two */
    cpShapeSetUserData(shape, c->shapes);
    c->shapes = cpSpaceAddShape(c->space, shape);
}

static cpBody *add_body(chipmunk *c, bool fixed, const pv_mass *mass) {
    cpBody *body = fixed ? cpBodyNewStatic() : cpBodyNew(mass->area, mass->inertia);
    cpBodySetUserData(body, c->bodies);
    return c->bodies = cpSpaceAddBody(c->space, body);
}

void chipmunk_put(chipmunk *c, bool fixed, const outline *o, double x, double y, double angle) {
    pv_mass mass = pv_mask_mass(o->mask);
    cpBody *body = add_body(c, fixed, &mass);
    cpBodySetPosition(body, cpv(x, y));
    cpBodySetAngle(body, angle);
    cpVect origin = cpv(-mass.centroid.x, -mass.centroid.y);
    if (o->radius > 0)
        add_shape(c, cpCircleShapeNew(body, o->radius, cpvadd(origin, cpv(o->radius, o->radius))));
    for (int k = 0; k < o->pieces; k++) {
        cpVect corners[MOST_CORNERS];
        int n = o->piece[k].corners;
        for (int i = 0; i < n; i++) corners[i] = cpv(o->piece[k].corner[i].x, o->piece[k].corner[i].y);
        add_shape(c, cpPolyShapeNew(body, n, corners, cpTransformTranslate(origin), 0));
    }
}

void chipmunk_step(void *c, pv_vec2 gravity) {
    cpSpace *space = ((chipmunk *)c)->space;
    cpSpaceSetGravity(space, cpv(gravity.x, gravity.y));
    cpSpaceStep(space, STEP);
}

void chipmunk_place(const chipmunk *c, pv_placed *sprites, int count) {
    for (cpBody *b = c->bodies; b && count-- > 0; b = cpBodyGetUserData(b)) { /* the last comes first */
        cpVect at = cpBodyGetPosition(b);
        sprites[count].transform.position = (pv_vec2){at.x, at.y};
        sprites[count].transform.rotation = pv_rotation_from_angle(cpBodyGetAngle(b));
    }
}

void chipmunk_close(chipmunk *c) {
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

chipmunk *chipmunk_open(void) { return NULL; }

void chipmunk_put(chipmunk *c, bool fixed, const outline *o, double x, double y, double angle) {
    (void)c, (void)fixed, (void)o, (void)x, (void)y, (void)angle;
}

void chipmunk_step(void *c, pv_vec2 gravity) { (void)c, (void)gravity; }

void chipmunk_place(const chipmunk *c, pv_placed *sprites, int count) { (void)c, (void)sprites, (void)count; }

void chipmunk_close(chipmunk *c) { (void)c; }

#endif
