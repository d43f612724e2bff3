/* bitmap_contact.c - contacts from collision bitmaps along a substep (Cheng 2003, section 4.1).
 *
 * Invariant: a pair is in contact if the bitmaps of its poses share a pixel along the substep's
 * motion. A pair that shared one lately stays in contact while it is near. Its distance is measured
 * once and holds while the bodies hardly move. Contacts that overlapped before the substep carry a
 * push, others the fraction of motion up to the last free pose.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "paper/bitmap_contact.h"
#include "collide/presolve.h"
#include "core/body_bitmap.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "paper/bitmap_normal.h"
#include "pixel/overlap.h"

/// Greatest motion of either body's rim within the bracket of a touch [px]
static const double TOUCH_TOLERANCE = 1.0 / 16;
/// Greatest number of tested poses along one substep, which bounds the time of a step
static const int MOST_STRIDES = 256;
/// Greatest distance of a contact [px], and accuracy of distances [px]. Bitmaps either share a
/// pixel or not: without this distance, resting bodies would fall and hit in turn.
static const double NEAR = 1, GAP_TOLERANCE = 1.0 / 32;
/// Greatest motion in a substep of a pair at rest [px]
static const double SLOW_MOTION = 0.5;
/// Least relative motion in a substep that is tested in advance [px]
static const double QUIET_MOTION = 1.0 / 64;
/// Share of the depth by which an overlapping pair is pushed apart per substep, and its greatest
/// value [px]
static const double PUSH_SHARE = 0.2, PUSH_MOST = 0.5;

static pv_vec2 way_of(const pv__body *b) {
    return b->moved ? pv__sub(b->pose.center, pv__pose_before(b).center) : pv__vec(0, 0);
}

/// Returns the greatest displacement of any pixel of a body from its turn in the substep [px].
static double rim_motion(const pv__body *b) {
    if (!b->moved) return 0;
    pv_rotation before = pv__pose_before(b).turn;
    const pv__bits *bits = &(b->pixels->stand_in ? b->pixels->hull : b->pixels->form)->bits;
    double reach = pv__length(pv__vec(bits->w, bits->h));
    return reach * pv__length(pv__vec(b->pose.turn.c - before.c, b->pose.turn.s - before.s));
}

double pv__bitmap_contact_motion(const pv__body *a, const pv__body *b) {
    return pv__length(pv__sub(way_of(b), way_of(a))) + rim_motion(a) + rim_motion(b);
}

/// Bisects (free, touching] to the tolerance; the states at both ends are known (section 4.1).
static double bisect(pv_world *world, pv__body *a, pv__body *b, double motion, double free,
                     double touching) {
    while ((touching - free) * motion > TOUCH_TOLERANCE) {
        double middle = 0.5 * (free + touching);
        bool known, hit = pv__overlap_at(world, a, b, middle, &known);
        if (!known) break;
        if (hit)
            touching = middle;
        else
            free = middle;
    }
    return free;
}

static double push_of(pv__meeting p) {
    pv_overlap o;
    pv__bits_overlap(&p.a->bits, &p.b->bits, (int64_t)p.b->x - p.a->x, (int64_t)p.b->y - p.a->y,
                     &o);
    return pv__min(PUSH_SHARE * pv__max(o.depth, 1), PUSH_MOST);
}

/// Finds the poses between which a pair's pixels first overlap, as fractions of the substep.
/// Returns false if they never do. The pair must not overlap before the substep.
static bool first_meeting(pv_world *world, pv__body *a, pv__body *b, double motion, double *free,
                          double *touching) {
    int strides =
        (int)pv__min(motion / PV__UNSEEN, MOST_STRIDES) + 1; /* the greatest count for NaN */
    for (int i = 1; i <= strides; i++) {
        bool known, hit = pv__overlap_at(world, a, b, (double)i / strides, &known);
        if (!known) return false;
        if (!hit) continue;
        *free = (i - 1.0) / strides;
        *touching = (double)i / strides;
        return true;
    }
    return false;
}

/// Finds the first touch of a pair in the substep; returns false without one.
static bool first_touch(pv_world *world, pv__body *a, pv__body *b, pv__contact *c) {
    double motion = pv__bitmap_contact_motion(a, b), free, touching;
    bool known, hit = pv__overlap_at(world, a, b, 1, &known);
    if (!known || (!hit && motion <= PV__UNSEEN)) return false;
    bool hit_before = pv__overlap_at(world, a, b, 0, &known);
    if (!known) return false;
    if (hit_before) {
        pv__meeting before = pv__meeting_at(world, a, b, 0),
                    now = hit ? pv__meeting_at(world, a, b, 1) : before;
        if (!pv__meeting_is_known(world, before) || !pv__meeting_is_known(world, now)) return false;
        c->fraction = 0;
        c->push = push_of(before);
        c->overlapped = true;
        return pv__bitmap_normal_measure(world, hit ? &now : &before, c);
    }
    if (!first_meeting(world, a, b, motion, &free, &touching)) return false;
    pv__meeting there = pv__meeting_at(world, a, b, touching);
    if (!pv__meeting_is_known(world, there)) return false;
    pv__bitmap_normal_measure(world, &there, c);
    c->fraction = bisect(world, a, b, motion, free, touching);
    pv__bitmap_normal_round_off(world, &there, c, c->fraction);
    return true;
}

pv__contact *pv__bitmap_contact_of(pv__contact *sorted, int count, pv__pair pair, int *cursor) {
    int i = *cursor;
    while (i < count && (sorted[i].a < pair.a || (sorted[i].a == pair.a && sorted[i].b < pair.b)))
        i++;
    *cursor = i;
    return i < count && sorted[i].a == pair.a && sorted[i].b == pair.b ? &sorted[i] : NULL;
}

/// Measures the distance between two bodies along the normal at the start of the substep. It is
/// infinite beyond NEAR.
static double gap_of(pv_world *world, pv__body *a, pv__body *b, pv_vec2 normal) {
    pv__meeting p = pv__meeting_at(world, a, b, 0);
    bool first = b->inverse_mass == 0;
    const pv__body *nearer = first ? a : b;
    pv__pose pose = pv__overlap_pose(nearer, 0);
    pv__bitmap *scratch = &pv__tasks_worker(world)->bitmaps[first ? 0 : 1];
    double free = 0, touching = INFINITY;
    for (double by = NEAR; touching - free > GAP_TOLERANCE; by = 0.5 * (free + touching)) {
        if (!pv__meeting_is_known(world, p)) return INFINITY;
        pv_vec2 way = pv__mul(first ? by : -by, normal);
        *(first ? &p.a : &p.b) = pv__bitmap_part(world, nearer, pv__pose_moved(pose, way, 0),
                                                 pv__bitmap_rect(first ? p.b : p.a), scratch);
        bool hit = pv__meeting_is_known(world, p) && pv__meeting_shares(p);
        if (!hit && by == NEAR) return INFINITY;
        *(hit ? &touching : &free) = by;
    }
    return free;
}

/// Keeps the contact of a pair that is still within reach. It is measured one pixel deeper, where
/// its pixels overlap.
static bool hold(pv_world *world, pv__body *a, pv__body *b, const pv__contact *old, double reach,
                 pv__contact *c) {
    double gap = old ? gap_of(world, a, b, old->normal) : INFINITY;
    if (gap > reach) return false;
    pv__meeting before = pv__meeting_at(world, a, b, 0);
    if (!pv__meeting_is_known(world, before)) return false;
    before.x = -pv__floor(old->normal.x + 0.5);
    before.y = -pv__floor(old->normal.y + 0.5);
    if (!pv__bitmap_normal_measure(world, &before, c)) return false;
    pv__bitmap_normal_round_off(world, &before, c, 0);
    c->gap = gap;
    c->drift = 0;
    c->overlap = 0;
    return true;
}

/// Keeps the contact of a pair as it was measured if the bodies have hardly moved since.
static bool keep(const pv__contact *old, pv__contact *c) {
    if (old->drift > GAP_TOLERANCE) return false;
    *c = *old;
    c->fraction = c->approach = 0;
    c->stopped = c->bounces = false;
    return true;
}

/// Passes the impulses of the last substep on, each to the nearest point.
static void warm_start(pv__contact *c, const pv__contact *old) {
    for (int i = 0; i < c->count; i++) c->points[i].impulse_n = c->points[i].impulse_t = 0;
    c->roll_impulse = 0;
    if (!old) return;
    c->roll_impulse = old->roll_impulse;
    for (int i = 0; i < old->count; i++) {
        pv__point *to = &c->points[0];
        for (int k = 1; k < c->count; k++) {
            double here = pv__length(pv__sub(c->points[k].place, old->points[i].place));
            if (here < pv__length(pv__sub(to->place, old->points[i].place))) to = &c->points[k];
        }
        to->impulse_n += old->points[i].impulse_n;
        to->impulse_t += old->points[i].impulse_t;
    }
}

void pv__bitmap_contact_add(pv_world *world, const pv__contact *c) {
    if (!PV__APPEND(&world->def.allocator, world->bitmaps.contacts, world->bitmaps.contact_capacity,
                    world->bitmaps.contact_count, *c))
        world->out_of_memory = true;
}

/// Moves the contacts of the last substep aside.
static void swap_contacts(pv_world *world) {
    pv__swap(&world->bitmaps.contacts, &world->bitmaps.contact_capacity,
             &world->bitmaps.old_contacts, &world->bitmaps.old_contact_capacity);
    world->bitmaps.old_contact_count = world->bitmaps.contact_count;
    world->bitmaps.contact_count = 0;
}

/// Tells whether both bodies of a contact sleep. Their contact stays unchanged, so that they wake
/// in the same state.
static bool contact_sleeps(const pv_world *world, const pv__contact *c) {
    return !world->bodies.items[c->a].moved && !world->bodies.items[c->b].moved;
}

static void keep_sleeping_before(pv_world *world, int *cursor, int a, int b) {
    for (; *cursor < world->bitmaps.old_contact_count; ++*cursor) {
        const pv__contact *old = &world->bitmaps.old_contacts[*cursor];
        if (old->a > a || (old->a == a && old->b >= b)) return;
        if (contact_sleeps(world, old)) pv__bitmap_contact_add(world, old);
    }
}

static bool was_crowded(const pv_world *world, const pv__body *b) {
    return b->crowded > 0 && world->steps <= b->crowded;
}

/// Tells whether a pair was free, and only steps have moved it since. Bodies over the pair limit
/// may have overlapped unseen.
static bool is_steady(const pv_world *world, const pv__body *a, const pv__body *b,
                      const pv__contact *old) {
    return a->settled && b->settled && !(old && old->overlapped) && !was_crowded(world, a) &&
           !was_crowded(world, b);
}

/// Finds the contact of a pair from its bitmaps, or keeps its old one. Returns false without one. A
/// contact that is too slow to bounce is kept or held. A pair that hardly moves needs no new
/// bitmaps, as later substeps will find its overlap.
static bool find_or_keep(pv_world *world, pv__body *a, pv__body *b, const pv__contact *old,
                         pv__contact *c) {
    double slow = pv__min(SLOW_MOTION, world->def.restitution_threshold * world->dt),
           motion = is_steady(world, a, b, old) ? pv__bitmap_contact_motion(a, b) : INFINITY;
    if (old && motion <= slow && (keep(old, c) || hold(world, a, b, old, NEAR, c))) return true;
    if (!(motion <= QUIET_MOTION) && first_touch(world, a, b, c)) return true;
    return hold(world, a, b, old, PV__BITMAP_MARGIN, c);
}

/// Finds the contact of a pair; returns false if presolve lets the pair pass through.
static bool find_contact(pv_world *world, pv__pair pair, int *cursor) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__contact c = {.a = pair.a, .b = pair.b, .drift = NEAR};
    const pv__contact *old = pv__bitmap_contact_of(world->bitmaps.old_contacts,
                                                   world->bitmaps.old_contact_count, pair, cursor);
    if (!find_or_keep(world, a, b, old, &c)) return true;
    pv__touch_mend_normal(&c, a, b);
    c.material = pv__impulse_material_of(world, c.a, c.b);
    if (world->manifolds.presolved && !pv__presolve_contact(world, &c, old != NULL)) return false;
    warm_start(&c, old);
    c.fresh = !old;
    c.hit = old ? old->hit : 0;
    c.given = old ? old->given : 0;
    pv__bitmap_contact_add(world, &c);
    if (!a->awake && a->type == PV_BODY_DYNAMIC) pv__wake_body(world, a);
    if (!b->awake && b->type == PV_BODY_DYNAMIC) pv__wake_body(world, b);
    return true;
}

void pv__bitmap_contact_find_all(pv_world *world) {
    pv__bitmap_normal_find_grounds(world);
    int sleeping = 0, warm = 0, kept = 0;
    swap_contacts(world);
    for (int i = 0; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        keep_sleeping_before(world, &sleeping, pair.a, pair.b);
        if (find_contact(world, pair, &warm)) world->broad_phase.pairs[kept++] = pair;
    }
    world->broad_phase.pair_count = kept;
    keep_sleeping_before(world, &sleeping, world->bodies.count, 0);
    pv__timer_lap(world, &world->profile.collide);
}
