/* pv_backtrack.c - where bodies that touched end the substep (Cheng 2003, section 4.1).
 *
 * Invariant: a pair that shared no pixel when the substep began shares none when it ends. Each body goes back to its
 * touch and on with its exit velocity; if pixels would meet, back to the touch; if they still would, back to where it
 * was, where none did. A moving pair that was stopped so is pushed apart next time, by twice as much each time, so that
 * what slides or rolls climbs over the steps of the pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"

/// The first push of a stopped pair, and the most: a row of pixels can be in the way by all of one [px].
static const double PUSH_FIRST = 1.0 / 32, PUSH_MOST = 1;
/// What goes more slowly does not climb, and nothing climbs higher than it would go in this time, else heaps would
/// never rest [px/s], [s].
static const double CLIMB_SPEED = 4, CLIMB_TIME = 1.0 / 30;
/// A body that did not get on for this long goes on as one with what stops it, until after a while it tries again [s].
static const double STUCK_TIME = 0.03, JAM_TIME = 0.25;
/// Less than this is no motion for what touches [px].
static const double LINGER = 1.0 / 256;

/// What was woken by this substep's contacts takes their velocities, but moves from the next one on, when all its pairs
/// are looked at.
static bool moves(const pv__body *b) { return b->type == PV_BODY_DYNAMIC && b->moved; }

static void advance(const pv_world *world, pv__body *b, double h) {
    b->origin = pv__pose_before(b);
    b->retreat = 0;
    if (!b->touched) {
        b->velocity = pv__velocity(world, b);
        b->spin = pv__spin(world, b);
        b->fraction = 0;
        return;
    }
    double rest = (1.0 - b->fraction) * h;
    b->touch = pv__pose_at(b, b->fraction);
    pv__set_pose(b, pv__pose_moved(b->touch, pv__mul(rest, b->velocity), rest * b->spin));
}

static void nudge(pv__body *b, pv_vec2 j, pv_vec2 arm) {
    if (moves(b))
        pv__set_pose(b, pv__pose_moved(b->pose, pv__mul(b->inverse_mass, pv__unlocked(b, j)),
                                       b->inverse_inertia * pv__cross(arm, j)));
}

/// Moves a pair apart by inverse effective masses at the mean of its pixels; no speed comes of it.
static void push_apart(pv_world *world, pv__contact *c) {
    pv__body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    a->overlaps |= c->overlapped;
    b->overlaps |= c->overlapped;
    pv__levers arm = {pv__sub(c->point, a->pose.centre), pv__sub(c->point, b->pose.centre)};
    double yield = pv__yield(&arm, a, b, c->normal);
    if (!pv__gives_way(a, b, yield)) return;
    pv_vec2 j = pv__mul(c->push / yield, c->normal);
    nudge(a, pv__mul(-1, j), arm.a);
    nudge(b, j, arm.b);
}

/// Back to where the substep began, with the bitmap of there.
static void return_to_origin(pv__body *b) {
    pv__bitmap origin = b->bitmap_before;
    b->bitmap_before = b->bitmap_now;
    b->retreat = 2;
    pv__set_pose(b, b->origin);
    b->bitmap_now = origin;
}

/// What a contact lets move by next to nothing stays where it was and keeps its speed, which adds up.
static void linger(pv__body *b) {
    double dc = b->pose.turn.c - b->origin.turn.c, ds = b->pose.turn.s - b->origin.turn.s;
    double way =
        pv__length(pv__sub(b->pose.centre, b->origin.centre)) + b->half_stick * pv__length(pv__vec(dc, ds));
    b->lingers = b->touched && way < LINGER;
    if (b->lingers) return_to_origin(b);
}

/// One pose farther back; false when there is none.
static bool retreat(pv__body *b) {
    if (!moves(b) || b->retreat == 2) return false;
    if (b->retreat == 0 && b->fraction > 0) {
        b->retreat = 1;
        pv__set_pose(b, b->touch);
    } else {
        return_to_origin(b);
    }
    return true;
}

static bool at_origin(const pv__body *b) { return !b->moved || (moves(b) && b->retreat == 2); }

/// Whether a pair's poses have to be looked at: one is new, and they were apart before.
static bool checked(const pv_world *world, pv__pair pair, const pv__contact *c) {
    const pv__body *a = &world->bodies[pair.a], *b = &world->bodies[pair.b];
    return (moves(a) || moves(b)) && !(at_origin(a) && at_origin(b)) && !(c && c->overlapped);
}

/// The contact of a pair among the sorted first ones or those added since, or null.
static pv__contact *contact_of(pv_world *world, pv__pair pair, int sorted, int *cursor) {
    if (world->contact_count == 0) return NULL;
    pv__contact *c = world->contacts + *cursor, *end = world->contacts + sorted;
    for (; c < end && (c->a < pair.a || (c->a == pair.a && c->b < pair.b)); c++) ++*cursor;
    if (c < end && c->a == pair.a && c->b == pair.b) return c;
    for (c = world->contacts + sorted, end = world->contacts + world->contact_count; c < end; c++)
        if (c->a == pair.a && c->b == pair.b) return c;
    return NULL;
}

static bool immovable(const pv__body *b) { return b->inverse_mass == 0; }

/// The motion of a's points, taken over by b.
static void go_along(const pv__body *a, pv__body *b) {
    b->spin = a->spin;
    b->velocity = pv__mad(a->velocity, a->spin, pv__perp(pv__sub(b->pose.centre, a->pose.centre)));
}

/// Both go on like one rigid body with their common momentum and angular momentum.
static void unite(pv__body *a, pv__body *b) {
    if (immovable(a) || immovable(b)) {
        if (!immovable(b)) go_along(a, b);
        if (!immovable(a)) go_along(b, a);
        return;
    }
    double mass = a->mass + b->mass, share = b->mass / mass;
    pv_vec2 arm = pv__sub(b->pose.centre, a->pose.centre), apart = pv__sub(b->velocity, a->velocity);
    double reduced = a->mass * share;
    double inertia = a->inertia + b->inertia + reduced * pv__dot(arm, arm);
    double spin = (a->inertia * a->spin + b->inertia * b->spin + reduced * pv__cross(arm, apart)) / inertia;
    pv_vec2 common = pv__mad(a->velocity, share, apart);
    a->spin = b->spin = spin;
    a->velocity = pv__mad(common, -share * spin, pv__perp(arm));
    b->velocity = pv__mad(common, (1.0 - share) * spin, pv__perp(arm));
}

/// What stands in the way without a contact of its own takes part with the velocity that it has.
static void rouse(pv_world *world, pv__body *b) {
    if (moves(b) || b->touched) return;
    b->velocity = pv__velocity(world, b);
    b->spin = pv__spin(world, b);
    b->touched = b->type == PV_BODY_DYNAMIC;
    if (b->touched && !b->awake) pv__wake(world, b);
}

/// Pixels that meet in spite of the exit velocities meet elsewhere than the contact had it: the approach that is left
/// there is taken out, too. A pair without a contact has one from here on.
static void stop(pv_world *world, pv__pair pair, pv__contact *c) {
    pv__body *a = &world->bodies[pair.a], *b = &world->bodies[pair.b];
    pv__contact here;
    if (!pv__touch_now(world, pair, &here)) return;
    rouse(world, a);
    rouse(world, b);
    if (pv__max(a->stuck, b->stuck) >= STUCK_TIME)
        unite(a, b);
    else
        pv__absorb(world, &here);
    if (c) {
        c->stopped = true;
    } else {
        here.stopped = here.fresh = true;
        pv__add_contact(world, &here);
    }
}

/// One look at all pairs; whether any had to go back.
static bool retreat_all(pv_world *world, int sorted) {
    int cursor = 0;
    bool any = false;
    for (int i = 0; i < world->pair_count; i++) {
        pv__pair pair = world->pairs[i];
        pv__contact *c = contact_of(world, pair, sorted, &cursor);
        if (!checked(world, pair, c) || !pv__bodies_overlap(world, pair)) continue;
        stop(world, pair, c);
        bool back_a = retreat(&world->bodies[pair.a]), back_b = retreat(&world->bodies[pair.b]);
        any |= back_a || back_b;
    }
    return any;
}

static int compare_contacts(const void *x, const void *y) {
    const pv__contact *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/// How fast a body goes and turns [px/s].
static double pace(const pv__body *b) { return pv__length(b->velocity) + b->half_stick * pv__abs(b->spin); }

static bool driven(const pv__body *b) { return b->type == PV_BODY_KINEMATIC && b->moved; }

static void settle_contact(const pv_world *world, pv__contact *c, double h) {
    const pv__body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    bool stayed = a->retreat > 0 || b->retreat > 0;
    if (c->stopped)
        c->gap = 0;
    else if (!stayed)
        c->gap = pv__max(0, c->gap + (1.0 - c->fraction) * h * c->parting + c->push);
    c->overlapped |= c->stopped && (driven(a) || driven(b)); /* it does not go back */
    bool pushed = a->overlaps || b->overlaps;
    double fastest = pv__max(pace(a), pace(b)),
           most = pushed ? PUSH_MOST : pv__min(CLIMB_TIME * fastest, PUSH_MOST);
    bool climbs = c->stopped && (pushed || fastest > CLIMB_SPEED);
    c->push = climbs ? pv__max(PUSH_FIRST, pv__min(2 * c->push, most)) : 0;
}

static void settle_body(const pv_world *world, pv__body *b) {
    if (b->type == PV_BODY_DYNAMIC && (b->touched || b->retreat)) {
        if (b->stuck >= STUCK_TIME + JAM_TIME || b->retreat < 2) b->stuck = 0;
        if (b->retreat == 2 && !b->lingers) b->stuck += world->dt;
        pv__set_motion(world, b, b->velocity, b->spin);
    }
    b->touched = b->overlaps = b->lingers = false;
    b->retreat = 0;
    b->settled = true;
}

void pv__backtrack(pv_world *world, double h) {
    int sorted = world->contact_count;
    for (int i = 0; i < world->body_count; i++)
        if (moves(&world->bodies[i])) advance(world, &world->bodies[i], h);
    for (int i = 0; i < sorted; i++)
        if (world->contacts[i].push > 0) push_apart(world, &world->contacts[i]);
    for (int i = 0; i < world->body_count; i++)
        if (moves(&world->bodies[i])) linger(&world->bodies[i]);
    while (retreat_all(world, sorted)) continue;
    for (int i = 0; i < world->contact_count; i++) settle_contact(world, &world->contacts[i], h);
    if (world->contact_count > sorted)
        pv__sort(world->contacts, world->contact_count, sizeof *world->contacts, compare_contacts);
    for (int i = 0; i < world->body_count; i++) settle_body(world, &world->bodies[i]);
    pv__lap(world, &world->profile.move);
}
