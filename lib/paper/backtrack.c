/* backtrack.c - poses of bodies in contact at the end of the substep (Cheng 2003, section 4.1).
 *
 * Invariant: a pair that shared no pixel when the substep began shares none when it ends. A body
 * goes back to its touch, moves on with its exit velocity, and retreats from overlaps that pushes
 * do not resolve. No body leaves the box of its search for pairs.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "paper/backtrack.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/wake.h"
#include "paper/bitmap_contact.h"
#include "paper/bitmap_normal.h"
#include "paper/bitmap_solver.h"

/// First and greatest push of a pair whose pixels would overlap; each push is twice the one before
/// [px]. The greatest is one pixel, as rows of pixels can stand out by one.
static const double PUSH_FIRST = 1.0 / 32, BACKTRACK_PUSH_MOST = 1;
/// Rounds of pushes; each may make pixels of other pairs overlap
enum { PUSH_ROUNDS = 16 };
/// Speed up to which bodies rest [px/s], and substeps whose gain is added to it: to decide whether
/// they are pushed, and whether they move by whole pixels
static const double REST_SPEED = 1, PUSH_GAINS = 8, WHOLE_GAINS = 3;
/// Substeps after which whole pixels are counted anew
enum { WHOLE_TURNS = 64 };
/// Time after which a stopped body moves as one with its obstacle, and further time until it tries
/// again [s]
static const double STUCK_TIME = 0.03, JAM_TIME = 0.25;
/// Greatest motion of a toppling body, center and rim together [px], and the share of its fall by
/// which it is lifted
static const double TOPPLE = 2, TOPPLE_LIFT = 0.75;
/// Least share of free fall with which a body begins to topple; less is a residue of the solver
static const double TOPPLE_GAIN = 0.1;
/// Number of distances that a toppling body tries in turn
enum { TOPPLE_WAYS = 4 };
/// Least slope of a way downhill; normals of discs are up to 3 degrees off
static const double DOWNHILL = 1.0 / 16;
/// Greatest motion in a substep that is negligible for a body in contact [px]
static const double LINGER = 1.0 / 256;

/// Tells whether a body moves in this substep. A body that this substep's contacts woke gets their
/// velocities. It moves from the next substep on, with all its pairs tested.
static bool backtrack_moves(const pv__body *b) { return b->type == PV_BODY_DYNAMIC && b->moved; }

/// Tells whether a pose is within the box of the body's search for pairs.
static bool fits(const pv_world *world, const pv__body *b, pv__pose pose) {
    const pv_box *room = &world->broad_phase.grid.places[b - world->bodies.items].box;
    pv_box box = pv__pose_outer_box(b, pose);
    return box.min.x >= room->min.x && box.min.y >= room->min.y && box.max.x <= room->max.x &&
           box.max.y <= room->max.y;
}

static pv__pose pose_after(const pv__body *b, double rest) {
    return pv__pose_moved(b->pixel_motion->touch, pv__mul(rest, b->velocity), rest * b->spin);
}

/// Moves a deflected body on from its touch, as far as its box has room.
static void backtrack_advance(const pv_world *world, pv__body *b, double h) {
    b->pixel_motion->origin = pv__pose_before(b);
    b->pixel_motion->retreat = PV__RETREAT_NONE;
    if (!b->touched) {
        b->velocity = pv__pose_velocity(world, b);
        b->spin = pv__pose_angular_velocity(world, b);
        b->pixel_motion->fraction = 0;
        pv__impulse_open_books(b);
        return;
    }
    double rest = (1.0 - b->pixel_motion->fraction) * h, least = rest / 8;
    b->pixel_motion->touch = pv__pose_at(b, b->pixel_motion->fraction);
    while (rest > 0 && !fits(world, b, pose_after(b, rest))) rest = rest > least ? 0.5 * rest : 0;
    pv__pose_set(b, pose_after(b, rest));
}

/// Undoes the return of a body whose motion was negligible, so that a push can move it.
static void depart(pv__body *b) {
    if (b->pixel_motion->retreat == PV__RETREAT_NONE) return;
    pv__exchange(&b->pixel_motion->bitmap_now, &b->pixel_motion->bitmap_before,
                 sizeof b->pixel_motion->bitmap_now);
    b->pixel_motion->retreat = PV__RETREAT_NONE;
    b->pixel_motion->lingers = false;
}

/// Pair that is pushed apart, and its impulse of position per pixel
typedef struct backtrack_push {
    pv__body *a, *b;
    pv__pose from_a, from_b;
    pv__levers arm;
    pv_vec2 way;
} backtrack_push;

static pv__pose pose_pushed(const pv__body *b, pv__pose from, pv_vec2 j, pv_vec2 arm) {
    return pv__pose_moved(from, pv__mul(b->inverse_mass, pv__body_unlocked(b, j)),
                          b->inverse_inertia * pv__cross(arm, j));
}

/// Prepares a push that is shared in proportion to inverse effective masses at the contact. Returns
/// false if neither body gives way.
static bool aim_push(backtrack_push *p, pv__body *a, pv__body *b, const pv__contact *c) {
    *p = (backtrack_push){a,
                          b,
                          a->pose,
                          b->pose,
                          {pv__sub(c->point, a->pose.center), pv__sub(c->point, b->pose.center)},
                          c->normal};
    double yield = pv__impulse_yield(&p->arm, a, b, c->normal);
    if (!pv__impulse_gives_way(a, b, yield)) return false;
    p->way = pv__mul(1.0 / yield, c->normal);
    return true;
}

/// Returns the body for a push if it may move and has room for it, or null.
static pv__body *pushed(const pv_world *world, pv__body *b, pv_vec2 j, pv_vec2 arm) {
    if (!backtrack_moves(b) || !fits(world, b, pose_pushed(b, b->pose, j, arm))) return NULL;
    depart(b);
    b->touched = true;
    return b;
}

/// Moves both bodies apart without a change of velocity.
static void backtrack_shift(const backtrack_push *p, double by) {
    pv_vec2 j = pv__mul(by, p->way);
    if (p->a) pv__pose_set(p->a, pose_pushed(p->a, p->from_a, pv__mul(-1, j), p->arm.a));
    if (p->b) pv__pose_set(p->b, pose_pushed(p->b, p->from_b, j, p->arm.b));
}

static void begin_push(const pv_world *world, backtrack_push *p, double by) {
    pv_vec2 j = pv__mul(by, p->way);
    p->a = pushed(world, p->a, pv__mul(-1, j), p->arm.a);
    p->b = pushed(world, p->b, j, p->arm.b);
    backtrack_shift(p, by);
}

/// Pushes apart a pair that overlapped before.
static void push_apart(const pv_world *world, const pv__contact *c) {
    pv__body *a = &world->bodies.items[c->a], *b = &world->bodies.items[c->b];
    backtrack_push p;
    a->pixel_motion->overlaps |= c->overlapped;
    b->pixel_motion->overlaps |= c->overlapped;
    if (aim_push(&p, a, b, c)) begin_push(world, &p, c->push);
}

/// Moves a body back to the origin of the substep, with the bitmap of that pose.
static void return_to_origin(pv__body *b) {
    pv__bitmap origin = b->pixel_motion->bitmap_before;
    b->pixel_motion->bitmap_before = b->pixel_motion->bitmap_now;
    b->pixel_motion->retreat = PV__RETREAT_ORIGIN;
    pv__pose_set(b, b->pixel_motion->origin);
    b->pixel_motion->bitmap_now = origin;
}

/// Returns the linear speed of a body plus the speed of its particles around it [px/s].
static double backtrack_pace(const pv__body *b) {
    return pv__length(b->velocity) + b->half_stick * pv__abs(b->spin);
}

/// Returns a body with negligible motion to the origin. Its speed is kept and adds up.
static void linger(pv__body *b, double h) {
    double dc = b->pose.turn.c - b->pixel_motion->origin.turn.c,
           ds = b->pose.turn.s - b->pixel_motion->origin.turn.s;
    double way = pv__length(pv__sub(b->pose.center, b->pixel_motion->origin.center)) +
                 b->half_stick * pv__length(pv__vec(dc, ds));
    b->pixel_motion->lingers = b->touched && way < LINGER && h * backtrack_pace(b) < LINGER;
    if (b->pixel_motion->lingers) return_to_origin(b);
}

/// Returns the speed up to which a body rests, with its gain in some substeps [px/s].
static double rest_speed(const pv_world *world, const pv__body *b, double substeps) {
    return REST_SPEED + substeps * world->dt * pv__length(b->acceleration);
}

/// Returns the whole pixels that a speed covers in this substep; on average they equal its motion.
static double whole_way(const pv_world *world, double speed) {
    double way = speed * world->dt, before = way * world->bitmaps.turn;
    return (double)(pv__floor(before + way + 0.5) - pv__floor(before + 0.5));
}

/// Moves a body from its origin by whole pixels. It keeps the pixels of the origin, so bodies that
/// hook into each other move on together. Returns false for less than a pixel, for a resting body,
/// or without room.
static bool move_by_whole(const pv_world *world, pv__body *b) {
    pv__pose pose = b->pixel_motion->origin;
    pv_vec2 whole = {whole_way(world, b->velocity.x), whole_way(world, b->velocity.y)};
    pose.center = pv__add(pose.center, whole);
    if (pv__dot(whole, whole) == 0 ||
        pv__length(b->velocity) <= rest_speed(world, b, WHOLE_GAINS) || !fits(world, b, pose))
        return false;
    b->pixel_motion->retreat = PV__RETREAT_WHOLE;
    pv__pose_set(b, pose);
    return true;
}

/// Topples a stuck body: turns it on by up to TOPPLE, lifted over pixels that stand out. It is
/// lifted by less than it falls, so this takes no energy, and a standing body does not topple. Each
/// try goes another distance. Returns false if the body does not turn about a point of its own,
/// does not fall, or has no room.
static bool topple(const pv_world *world, pv__body *b) {
    pv__pose origin = b->pixel_motion->origin;
    pv_vec2 way = pv__sub(b->pose.center, origin.center);
    double angle =
        pv__cross(pv__vec(origin.turn.c, origin.turn.s), pv__vec(b->pose.turn.c, b->pose.turn.s));
    double rim = b->pixels->reach * pv__abs(angle), pull = pv__length(b->acceleration);
    double fall = pv__dot(way, b->acceleration), least = TOPPLE_GAIN * pull * world->dt;
    if (b->stuck < STUCK_TIME || rim < pv__length(way) || !(fall > least * pull * world->dt))
        return false;
    int tries = (int)(b->stuck / world->dt + 0.5);
    double far = TOPPLE * (1 + tries % TOPPLE_WAYS) / (TOPPLE_WAYS * (rim + pv__length(way)));
    pv_vec2 lifted = pv__mad(way, -TOPPLE_LIFT * fall / (pull * pull), b->acceleration);
    pv__pose pose = pv__pose_moved(origin, pv__mul(far, lifted), far * angle);
    if (!fits(world, b, pose)) return false;
    b->pixel_motion->retreat = PV__RETREAT_TOPPLED;
    pv__pose_set(b, pose);
    return true;
}

/// Moves a body one pose farther back; returns false if there is none. The flag together tells that
/// it overlaps a body that moves, too.
static bool retreat(const pv_world *world, pv__body *b, bool together) {
    pv__retreat now = b->pixel_motion->retreat;
    if (!backtrack_moves(b) || now == PV__RETREAT_ORIGIN) return false;
    if (now == PV__RETREAT_NONE && topple(world, b)) return true;
    if (now == PV__RETREAT_NONE && b->pixel_motion->fraction > 0) {
        b->pixel_motion->retreat = PV__RETREAT_TOUCH;
        pv__pose_set(b, b->pixel_motion->touch);
    } else if (now == PV__RETREAT_WHOLE || !together || !move_by_whole(world, b)) {
        return_to_origin(b);
    }
    return true;
}

static bool at_origin(const pv__body *b) {
    return !b->moved || (backtrack_moves(b) && b->pixel_motion->retreat == PV__RETREAT_ORIGIN);
}

/// Tells whether a pair needs a test: one pose is new, and the pair did not overlap before.
static bool backtrack_checked(const pv_world *world, pv__pair pair, const pv__contact *c) {
    const pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    return (backtrack_moves(a) || backtrack_moves(b)) && !(at_origin(a) && at_origin(b)) &&
           !(c && c->overlapped);
}

/// Returns the contact of a pair, among the sorted contacts or the ones added since, or null.
static pv__contact *contact_of(pv_world *world, pv__pair pair, int sorted, int *cursor) {
    pv__contact *all = world->bitmaps.contacts,
                *found = pv__bitmap_contact_of(all, sorted, pair, cursor);
    for (int i = sorted; !found && i < world->bitmaps.contact_count; i++)
        if (all[i].a == pair.a && all[i].b == pair.b) found = &all[i];
    return found;
}

static void add_fresh(pv_world *world, pv__contact *c) {
    c->fresh = true;
    pv__bitmap_contact_add(world, c);
}

static bool immovable(const pv__body *b) { return b->inverse_mass == 0; }

/// Returns the motion of a pair as one rigid body, or the motion of its immovable body. The rigid
/// body has the pair's momentum and angular momentum.
static pv__rigid common_motion(const pv__body *a, const pv__body *b) {
    pv__totals s = {0};
    const pv__body *fixed = immovable(a) ? a : b;
    if (immovable(fixed))
        return (pv__rigid){
            .center = fixed->pose.center, .velocity = fixed->velocity, .spin = fixed->spin};
    pv__impulse_add_motion(&s, a, pv__vec(0, 0), a->velocity, a->spin);
    pv__impulse_add_motion(&s, b, pv__sub(b->pose.center, a->pose.center), b->velocity, b->spin);
    return pv__impulse_rigid_of(&s, a->pose.center);
}

/// Reduces a pair's motion relative to its common motion to the share keep.
static void unite(pv__body *a, pv__body *b, double keep) {
    pv__rigid common = common_motion(a, b);
    if (!immovable(a)) pv__impulse_keep_about(a, &common, &common, keep);
    if (!immovable(b)) pv__impulse_keep_about(b, &common, &common, keep);
}

/// Gives an obstacle without a contact of its own its current velocity. Returns false if the body
/// moves or has a contact, and so knows its velocity.
static bool read_motion(const pv_world *world, pv__body *b) {
    if (backtrack_moves(b) || b->touched) return false;
    b->velocity = pv__pose_velocity(world, b);
    b->spin = pv__pose_angular_velocity(world, b);
    return true;
}

/// Lets an obstacle without a contact of its own take part with its current velocity.
static void rouse(pv_world *world, pv__body *b) {
    if (!read_motion(world, b)) return;
    pv__impulse_open_books(b);
    b->touched = b->type == PV_BODY_DYNAMIC;
    if (b->touched && !b->awake) pv__wake_body(world, b);
}

/// Stops a pair whose pixels overlap despite the exit velocities, because they do so away from the
/// contact. It absorbs the remaining approach there. A pair without a contact gets one.
static void backtrack_stop(pv_world *world, pv__pair pair, pv__contact *c) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__contact here;
    if (!pv__bitmap_normal_now(world, pair, &here)) return;
    rouse(world, a);
    rouse(world, b);
    if (pv__max(a->stuck, b->stuck) >= STUCK_TIME)
        unite(a, b, 0);
    else
        pv__bitmap_solver_absorb(world, &here);
    if (c) {
        c->stopped = true;
        c->approach = pv__max(c->approach, here.approach);
        for (int i = 0; i < here.count; i++) c->given += here.points[i].impulse_n;
    } else {
        here.stopped = true;
        add_fresh(world, &here);
    }
}

/// Returns the work to move a body with an impulse of position, against gravity and forces [mass
/// px^2/s^2].
static double work_of(const pv__body *b, pv_vec2 j) {
    return backtrack_moves(b) ? -pv__dot(b->acceleration, pv__body_unlocked(b, j)) : 0;
}

static double energy_about(const pv__body *b, const pv__rigid *common) {
    pv_vec2 own = pv__sub(b->velocity, pv__impulse_rigid_at(common, b->pose.center));
    double spin = b->spin - common->spin;
    return immovable(b) ? 0 : 0.5 * (b->mass * pv__dot(own, own) + b->inertia * spin * spin);
}

/// Tells whether one body of a pair is immovable and the other touches nothing that gives way. Its
/// exit velocity is exact: the solver leaves no residue.
static bool is_alone(const backtrack_push *p) {
    return (immovable(p->a) || immovable(p->b)) && !p->a->pixel_motion->joined &&
           !p->b->pixel_motion->joined;
}

static bool goes_down(const pv__body *b) {
    return pv__dot(b->velocity, b->acceleration) >
           DOWNHILL * pv__length(b->velocity) * pv__length(b->acceleration);
}

/// Tells whether a disc touches immovable bodies alone. It rolls without speed at its contact.
static bool rolls_alone(const backtrack_push *p) {
    return is_alone(p) && (immovable(p->a) ? p->b : p->a)->pixels->round_radius > 0;
}

/// Tells whether a disc goes down an immovable body. Its normal is that of the drawn slope, so it
/// falls again by what pixels lift it.
static bool rolls_down(const backtrack_push *p) {
    return rolls_alone(p) && goes_down(immovable(p->a) ? p->b : p->a);
}

/// Returns the work of a push of 1 px as a share of the pair's energy of relative motion. It is 0
/// for earlier overlaps.
static double price(const backtrack_push *p) {
    double work = work_of(p->b, p->way) - work_of(p->a, p->way);
    if (work <= 0 || p->a->pixel_motion->overlaps || p->b->pixel_motion->overlaps) return 0;
    pv__rigid common = common_motion(p->a, p->b);
    return work / (energy_about(p->a, &common) + energy_about(p->b, &common));
}

/// Reduces a push to the least that parts the pair, and returns it. Half the push does not part it.
static double least_push(pv_world *world, pv__pair pair, const backtrack_push *p, double by) {
    double low = by > PUSH_FIRST ? 0.5 * by : by;
    while (by - low > PUSH_FIRST) {
        double middle = 0.5 * (low + by);
        backtrack_shift(p, middle);
        *(pv__collide_poses_overlap(world, pair) ? &low : &by) = middle;
    }
    backtrack_shift(p, by);
    return by;
}

/// Tells whether a push keeps both bodies within the boxes of their search for pairs.
static bool has_room(const pv_world *world, const backtrack_push *p, double by) {
    pv_vec2 j = pv__mul(by, p->way);
    return (!p->a || fits(world, p->a, pose_pushed(p->a, p->from_a, pv__mul(-1, j), p->arm.a))) &&
           (!p->b || fits(world, p->b, pose_pushed(p->b, p->from_b, j, p->arm.b)));
}

/// Pushes a pair apart by the least push that parts it, if that is below most [px]. Returns the
/// push, or 0.
static double push_free(pv_world *world, pv__pair pair, backtrack_push *p, double most) {
    double by = PUSH_FIRST;
    if (!(by < most)) return 0;
    begin_push(world, p, by);
    while (pv__collide_poses_overlap(world, pair)) {
        by *= 2;
        if (by > BACKTRACK_PUSH_MOST || !(by < most) || !has_room(world, p, by)) {
            backtrack_shift(p, 0);
            return 0;
        }
        backtrack_shift(p, by);
    }
    return least_push(world, pair, p, by);
}

/// Tells whether a pair is so fast that pixels that stand out must not stop it. Resting bodies stay
/// in place: pushes would let them creep. Rolling or tipping ones have no speed at the contact.
static bool may_be_pushed(const pv_world *world, const backtrack_push *p) {
    return rolls_alone(p) ||
           pv__max(backtrack_pace(p->a), backtrack_pace(p->b)) >
               pv__max(rest_speed(world, p->a, PUSH_GAINS), rest_speed(world, p->b, PUSH_GAINS)) ||
           p->a->pixel_motion->overlaps || p->b->pixel_motion->overlaps;
}

/// Tells whether a body sleeps and no contact has roused it; a stop does.
static bool rests_unasked(const pv__body *b) {
    return b->type == PV_BODY_DYNAMIC && !b->moved && !b->touched;
}

/// Moves the energy balance of a body along with a push, which then counts as no work.
static void excuse(const pv__body *b, pv__pose from) {
    pv_vec2 *sight = &b->pixel_motion->outlook.center;
    *sight = pv__add(*sight, pv__sub(b->pose.center, from.center));
}

/// Pushes a pair apart where its pixels overlap, if its energy suffices, and adds a contact for it.
static bool backtrack_part(pv_world *world, pv__pair pair, pv__contact *c) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__contact here;
    backtrack_push p;
    if (rests_unasked(a) || rests_unasked(b)) return false;
    if (!pv__bitmap_normal_now(world, pair, &here) || !aim_push(&p, a, b, &here)) return false;
    read_motion(world, a);
    read_motion(world, b);
    if (!may_be_pushed(world, &p)) return false;
    bool rolls = rolls_down(&p);
    double cost = rolls ? 0 : price(&p), by = push_free(world, pair, &p, 1 / cost);
    if (by == 0) return false;
    if (rolls) {
        excuse(a, p.from_a);
        excuse(b, p.from_b);
    }
    if (cost > 0) unite(a, b, sqrt(1 - cost * by));
    if (!c) add_fresh(world, &here);
    return true;
}

/// Returns a body to its origin if it toppled into others; this is no stop.
static bool take_back(pv__body *b) {
    bool toppled = b->pixel_motion->retreat == PV__RETREAT_TOPPLED;
    if (toppled) return_to_origin(b);
    return toppled;
}

/// Stops a pair and moves it back; returns whether either body moved.
static bool send_back(pv_world *world, pv__pair pair, pv__contact *c) {
    pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    bool taken_a = take_back(a), taken_b = take_back(b);
    if (taken_a || taken_b) return true;
    backtrack_stop(world, pair, c);
    bool together = backtrack_moves(a) && backtrack_moves(b);
    bool back_a = retreat(world, a, together), back_b = retreat(world, b, together);
    return back_a || back_b;
}

/// Calls an action once for each overlapping pair; returns whether that moved any body.
static bool act_on_all(pv_world *world, int sorted,
                       bool (*act)(pv_world *world, pv__pair pair, pv__contact *c)) {
    int cursor = 0;
    bool any = false;
    for (int i = 0; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        pv__contact *c = contact_of(world, pair, sorted, &cursor);
        if (!backtrack_checked(world, pair, c) || !pv__collide_bodies_overlap(world, pair))
            continue;
        any |= act(world, pair, c);
    }
    return any;
}

static bool driven(const pv__body *b) { return b->type == PV_BODY_KINEMATIC && b->moved; }

/// Tells whether contacts stopped a body so that it went back to the origin.
static bool was_stopped(const pv__body *b) {
    return b->pixel_motion->retreat == PV__RETREAT_ORIGIN && !b->pixel_motion->lingers;
}

/// Updates a contact at the end of the substep. Pixels of a stopped pair touch, whatever gap was
/// measured.
static void settle_contact(const pv_world *world, pv__contact *c) {
    const pv__body *a = &world->bodies.items[c->a], *b = &world->bodies.items[c->b];
    c->drift += pv__bitmap_contact_motion(a, b);
    if (c->stopped || was_stopped(a) || was_stopped(b)) c->gap = 0;
    c->overlapped |= c->stopped && (driven(a) || driven(b)); /* it does not retreat */
    c->push = 0;
}

static bool is_jammed(const pv__body *b) { return was_stopped(b) && b->stuck >= STUCK_TIME; }

static void settle_body(const pv_world *world, pv__body *b) {
    if (b->type == PV_BODY_DYNAMIC && (b->touched || b->pixel_motion->retreat)) {
        if (b->stuck >= STUCK_TIME + JAM_TIME || b->pixel_motion->retreat < PV__RETREAT_ORIGIN)
            b->stuck = 0;
        if (was_stopped(b)) b->stuck += world->dt;
        pv__pose_set_motion(world, b, b->velocity, b->spin);
    }
    b->touched = b->pixel_motion->overlaps = b->pixel_motion->lingers = false;
    b->pixel_motion->joined = false;
    b->pixel_motion->retreat = PV__RETREAT_NONE;
    b->settled = true;
}

void pv__backtrack(pv_world *world, double h, int substep) {
    int sorted = world->bitmaps.contact_count;
    uint64_t done = world->steps * (uint64_t)world->substeps + (uint64_t)substep;
    world->bitmaps.turn = (int)(done % WHOLE_TURNS);
    for (int i = 0; i < world->bodies.count; i++)
        if (backtrack_moves(&world->bodies.items[i]))
            backtrack_advance(world, &world->bodies.items[i], h);
    for (int i = 0; i < sorted; i++)
        if (world->bitmaps.contacts[i].push > 0) push_apart(world, &world->bitmaps.contacts[i]);
    for (int i = 0; i < world->bodies.count; i++)
        if (backtrack_moves(&world->bodies.items[i])) linger(&world->bodies.items[i], h);
    for (int i = 0; i < PUSH_ROUNDS && act_on_all(world, sorted, backtrack_part); i++) continue;
    while (act_on_all(world, sorted, send_back)) continue;
    for (int i = 0; i < world->bitmaps.contact_count; i++)
        settle_contact(world, &world->bitmaps.contacts[i]);
    if (world->bitmaps.contact_count > sorted)
        pv__sort(world->bitmaps.contacts, world->bitmaps.contact_count,
                 sizeof *world->bitmaps.contacts, pv__compare_pairs);
    for (int i = 0; i < world->bodies.count; i++)
        world->bodies.items[i].pixel_motion->jammed = is_jammed(&world->bodies.items[i]);
    pv__bitmap_solver_keep_books(world);
    for (int i = 0; i < world->bodies.count; i++) settle_body(world, &world->bodies.items[i]);
    pv__timer_lap(world, &world->profile.move);
}
