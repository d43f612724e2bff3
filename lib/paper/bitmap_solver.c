/* bitmap_solver.c - exit velocities of bodies in contact: restitution and friction (Cheng 2003,
 * sections 4.2 to 4.5).
 *
 * Invariant: contacts exchange momentum only: one body of a pair gains what the other one loses,
 * linear and angular. Impulses accumulate over the rounds and are clamped as sums (Catto 2005). So
 * a round can take back the excess of an earlier one.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "paper/bitmap_solver.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "paper/bitmap_contact.h"

/// Speed of sliding before the substep above which a pair has kinetic friction [px/s]
static const double SLIP_SPEED = 1;
/// Share of the distance beyond the margin that a contact may close in a substep
static const double CLOSE = 0.25;
/// Lever of rolling resistance, half a pixel [px]
static const double ROLLING_LEVER = 0.5;

static void bitmap_solver_twist(pv__body *a, pv__body *b, double angular) {
    a->spin -= a->inverse_inertia * angular;
    b->spin += b->inverse_inertia * angular;
}

/// Prepares a body in contact once, and limits its fraction of free motion with every contact.
static void load_body(const pv_world *world, pv__body *b, double fraction) {
    if (!b->touched) {
        b->touched = true;
        b->pixel_motion->fraction = 1;
        b->velocity = pv__pose_velocity(world, b);
        b->spin = pv__pose_angular_velocity(world, b);
        pv__impulse_open_books(b);
    }
    b->pixel_motion->fraction = pv__min(b->pixel_motion->fraction, fraction);
}

/// Notes that both bodies of a contact give way.
static void join(const pv__body *a, const pv__body *b) {
    if (a->inverse_mass > 0 && b->inverse_mass > 0)
        a->pixel_motion->joined = b->pixel_motion->joined = true;
}

/// Computes the target speed and the friction of a point (section 4.2). The approach is the speed
/// at the moment of touch. So the rest of the substep's acceleration is subtracted, and added again
/// to the exit speed. Otherwise a bounce would gain or lose height.
static void bitmap_solver_aim(const pv_world *world, pv__contact *c, pv__point *p, double h) {
    const pv__body *a = &world->bodies.items[c->a], *b = &world->bodies.items[c->b];
    pv_vec2 relative = pv__impulse_relative_velocity(&p->arm, a, b), t = pv__perp(c->normal);
    pv_vec2 gained = pv__mul(h, pv__sub(b->acceleration, a->acceleration));
    double late = (1.0 - c->fraction) * pv__dot(gained, c->normal);
    double approach = late - pv__dot(relative, c->normal);
    if (c->gap <= PV__BITMAP_MARGIN) c->approach = pv__max(c->approach, approach);
    bool bounces = approach > world->def.restitution_threshold;
    double closing = CLOSE * pv__max(0, c->gap - PV__BITMAP_MARGIN);
    p->target = bounces ? c->material.mixed.restitution * approach + late : -closing / h;
    c->bounces |= bounces;
    p->kinetic_friction = c->material.mixed.kinetic_friction;
    p->static_friction = c->material.mixed.static_friction;
    if (pv__abs(pv__dot(pv__sub(relative, gained), t) - c->material.tangent_speed) > SLIP_SPEED)
        p->static_friction = p->kinetic_friction;
}

/// Returns the impulse along d that changes the speed at the point by 1, or 0 if nothing gives way.
static double mass_along(const pv__levers *arm, const pv__body *a, const pv__body *b, pv_vec2 d) {
    double yield = pv__impulse_yield(arm, a, b, d);
    return pv__impulse_gives_way(a, b, yield) ? 1.0 / yield : 0;
}

/// Returns the center of a body at the fraction of motion at which its contact acts.
static pv_vec2 center_at(const pv__body *b, double fraction) {
    if (!b->moved) return b->pose.center;
    return pv__lerp(pv__pose_particles_center(b->before), b->pose.center, fraction);
}

static void prepare(const pv_world *world, pv__contact *c, double h) {
    pv__body *a = &world->bodies.items[c->a], *b = &world->bodies.items[c->b];
    pv_vec2 from = center_at(a, c->fraction), to = center_at(b, c->fraction);
    for (pv__point *p = c->points; p < c->points + c->count; p++) {
        p->arm.a = pv__sub(p->place, from);
        p->arm.b = pv__sub(p->place, to);
        p->mass_n = mass_along(&p->arm, a, b, c->normal);
        p->mass_t = mass_along(&p->arm, a, b, pv__perp(c->normal));
        bitmap_solver_aim(world, c, p, h);
    }
    double give = a->inverse_inertia + b->inverse_inertia;
    c->roll_mass = give > 0 && c->count == 1 && !c->bounces ? 1.0 / give : 0;
}

static void start_warm(pv_world *world, const pv__contact *c) {
    for (const pv__point *p = c->points; p < c->points + c->count; p++) {
        pv_vec2 j = pv__mad(pv__mul(p->impulse_n, c->normal), p->impulse_t, pv__perp(c->normal));
        pv__impulse_exchange(&p->arm, &world->bodies.items[c->a], &world->bodies.items[c->b], j);
    }
    bitmap_solver_twist(&world->bodies.items[c->a], &world->bodies.items[c->b], c->roll_impulse);
}

/// Pushes the bodies of a point apart up to the target speed, never together.
static void solve_normal(pv__point *p, pv_vec2 normal, pv__body *a, pv__body *b) {
    double speed = pv__dot(pv__impulse_relative_velocity(&p->arm, a, b), normal);
    double sum = pv__max(0, p->impulse_n + p->mass_n * (p->target - speed));
    double change = sum - p->impulse_n;
    p->impulse_n = sum;
    pv__impulse_exchange(&p->arm, a, b, pv__mul(change, normal));
}

/// Applies friction up to the static limit of the normal impulse (sections 4.4 and 4.5). Beyond it
/// the pair slides at the kinetic limit.
static void solve_friction(pv__point *p, pv_vec2 tangent, double belt, pv__body *a, pv__body *b) {
    double slip = pv__dot(pv__impulse_relative_velocity(&p->arm, a, b), tangent) - belt;
    double sum = p->impulse_t - p->mass_t * slip;
    if (pv__abs(sum) > p->static_friction * p->impulse_n) {
        double most = p->kinetic_friction * p->impulse_n;
        sum = pv__clamp(sum, -most, most);
    }
    double change = sum - p->impulse_t;
    p->impulse_t = sum;
    pv__impulse_exchange(&p->arm, a, b, pv__mul(change, tangent));
}

/// Tells whether a disc rolls on an immovable body.
static bool on_circle(const pv__body *a, const pv__body *b) {
    return (a->inverse_mass == 0 || b->inverse_mass == 0) &&
           (a->pixels->round_radius > 0 || b->pixels->round_radius > 0);
}

/// Applies rolling resistance: the material's, and that of pixels. A body on one pixel is supported
/// half a pixel to each side, a lever that resists rolling. A disc on the ground rolls as a circle.
static void solve_rolling(pv__contact *c, pv__body *a, pv__body *b) {
    double lever = c->material.rolling + (on_circle(a, b) ? 0 : ROLLING_LEVER),
           most = lever * c->points[0].impulse_n;
    double sum = pv__clamp(c->roll_impulse - c->roll_mass * (b->spin - a->spin), -most, most);
    double change = sum - c->roll_impulse;
    c->roll_impulse = sum;
    bitmap_solver_twist(a, b, change);
}

static void bitmap_solver_solve(pv_world *world, pv__contact *c) {
    pv__body *a = &world->bodies.items[c->a], *b = &world->bodies.items[c->b];
    for (int i = 0; i < c->count; i++) solve_normal(&c->points[i], c->normal, a, b);
    if (c->roll_mass > 0) solve_rolling(c, a, b);
    for (int i = 0; i < c->count; i++)
        solve_friction(&c->points[i], pv__perp(c->normal), c->material.tangent_speed, a, b);
}

void pv__bitmap_solver_absorb(pv_world *world, pv__contact *c) {
    prepare(world, c, 0);
    for (pv__point *p = c->points; p < c->points + c->count; p++)
        if (!(p->target > 0)) p->target = 0; /* it does not bounce */
    bitmap_solver_solve(world, c);
}

static bool active(const pv_world *world, const pv__contact *c) {
    return world->bodies.items[c->a].moved || world->bodies.items[c->b].moved;
}

void pv__bitmap_solver_solve(pv_world *world, double h) {
    if (world->bitmaps.contact_count == 0) return;
    pv__contact *first = world->bitmaps.contacts, *end = first + world->bitmaps.contact_count;
    for (pv__contact *c = first; c < end; c++) {
        if (!active(world, c)) continue;
        load_body(world, &world->bodies.items[c->a], c->fraction);
        load_body(world, &world->bodies.items[c->b], c->fraction);
        join(&world->bodies.items[c->a], &world->bodies.items[c->b]);
    }
    for (pv__contact *c = first; c < end; c++)
        if (active(world, c)) prepare(world, c, h);
    for (pv__contact *c = first; c < end; c++)
        if (active(world, c)) start_warm(world, c);
    for (int i = 0; i < world->def.contact_iterations; i++)
        for (pv__contact *c = first; c < end; c++)
            if (active(world, c)) bitmap_solver_solve(world, c);
    pv__timer_lap(world, &world->profile.solve);
}

/* ---- energy balance: contacts of pixels add no energy to an island ----
 *
 * Invariant: bodies in contact end a substep with no more energy than they would have without
 * contacts. The balance subtracts unused work of gravity and forces, and adds the work of driven
 * bodies. An excess is taken from all motions alike; a free island loses relative motion only and
 * keeps its momentum.
 */

/// Energy balance of an island, kept at the index of its root
typedef struct pv__ledger {
    /// True if the island touches an immovable body, or a member is locked
    bool founded;
    /// Energy that the island may have at the end of the substep
    double credit;
    /// Energy that it has
    double energy;
    pv__totals is, due;
    /// Common motion as it is and as it will be; zero for a founded island
    pv__rigid now, then;
    /// Share of the other motion that is kept
    double keep;
} pv__ledger;

static bool energy_counts(const pv__body *b) {
    return b->type == PV_BODY_DYNAMIC && (b->touched || b->pixel_motion->retreat > 0);
}

static bool is_driven(const pv__body *b) { return b->inverse_mass == 0 && b->moved; }

static int energy_root_of(const pv_world *world, int i) {
    return PV__ROOT(world->bodies.items, island, i);
}

static double energy_in_sight(const pv__body *b) {
    const pv__outlook *f = &b->pixel_motion->outlook;
    return 0.5 * (b->mass * pv__dot(f->velocity, f->velocity) + b->inertia * f->spin * f->spin);
}

/// Returns the energy credit of a body: the foreseen energy, and the work of forces on its way. A
/// body that lingers gets no more than its present energy.
static double credit_of(const pv__body *b) {
    if (b->pixel_motion->lingers) return pv__min(energy_in_sight(b), pv__impulse_energy(b));
    return energy_in_sight(b) +
           pv__impulse_work_between(b, b->pixel_motion->outlook.center, b->pose.center);
}

static void open_books(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        if (!energy_counts(b)) continue;
        b->island = i;
        world->bitmaps.ledgers[i] = (pv__ledger){.founded = b->locks != 0, .credit = credit_of(b)};
    }
}

static pv_vec2 velocity_at(const pv__body *b, pv_vec2 arm) {
    return pv__mad(b->velocity, b->spin, pv__perp(arm));
}

/// Returns the work of driven bodies and running surfaces through a contact's impulses; never
/// negative.
static double energy_work_of(const pv_world *world, const pv__contact *c) {
    const pv__body *a = &world->bodies.items[c->a], *b = &world->bodies.items[c->b];
    double work = 0;
    for (const pv__point *p = c->points; p < c->points + c->count; p++) {
        pv_vec2 j = pv__mad(pv__mul(p->impulse_n, c->normal), p->impulse_t, pv__perp(c->normal));
        if (is_driven(a)) work += pv__dot(j, velocity_at(a, p->arm.a));
        if (is_driven(b)) work -= pv__dot(j, velocity_at(b, p->arm.b));
        work += p->impulse_t * c->material.tangent_speed;
    }
    return pv__max(0, work);
}

static void energy_join(pv_world *world, int first, int second) {
    int p = energy_root_of(world, first), q = energy_root_of(world, second);
    if (p == q) return;
    pv__ledger *low = &world->bitmaps.ledgers[p < q ? p : q],
               *high = &world->bitmaps.ledgers[p < q ? q : p];
    world->bodies.items[p < q ? q : p].island = p < q ? p : q;
    low->credit += high->credit;
    low->founded |= high->founded;
}

static void join_islands(pv_world *world) {
    for (int i = 0; i < world->bitmaps.contact_count; i++) {
        const pv__contact *c = &world->bitmaps.contacts[i];
        bool first = energy_counts(&world->bodies.items[c->a]),
             second = energy_counts(&world->bodies.items[c->b]);
        if (!first && !second) continue;
        if (first && second) energy_join(world, c->a, c->b);
        pv__ledger *ledger = &world->bitmaps.ledgers[energy_root_of(world, first ? c->a : c->b)];
        ledger->founded |= !first || !second;
        ledger->credit += energy_work_of(world, c);
    }
}

/// Adds up the energy and the motion of islands. A jammed body in a founded island stands still:
/// its velocity was no motion.
static void add_up(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        if (!energy_counts(b)) continue;
        int root = energy_root_of(world, i);
        pv__ledger *ledger = &world->bitmaps.ledgers[root];
        if (ledger->founded && b->pixel_motion->jammed) {
            b->velocity = pv__vec(0, 0);
            b->spin = 0;
        }
        ledger->energy += pv__impulse_energy(b);
        if (ledger->founded) continue;
        pv_vec2 place = world->bodies.items[root].pose.center;
        pv__impulse_add_motion(&ledger->is, b, pv__sub(b->pose.center, place), b->velocity,
                               b->spin);
        pv__impulse_add_motion(&ledger->due, b, pv__sub(b->pixel_motion->outlook.center, place),
                               b->pixel_motion->outlook.velocity, b->pixel_motion->outlook.spin);
    }
}

/// Sets the common motion of an island: the due momentum about the actual center.
static void find_common_motion(pv__ledger *ledger, pv_vec2 place) {
    pv__rigid due = pv__impulse_rigid_of(&ledger->due, place);
    ledger->now = ledger->then = pv__impulse_rigid_of(&ledger->is, place);
    ledger->then.velocity = due.velocity;
    ledger->then.spin = due.spin * (due.inertia / ledger->now.inertia);
}

static void close_books(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) {
        if (!energy_counts(&world->bodies.items[i]) || energy_root_of(world, i) != i) continue;
        pv__ledger *ledger = &world->bitmaps.ledgers[i];
        if (!ledger->founded) find_common_motion(ledger, world->bodies.items[i].pose.center);
        double has = ledger->energy - pv__impulse_rigid_energy(&ledger->now);
        double may = pv__max(0, ledger->credit - pv__impulse_rigid_energy(&ledger->then));
        ledger->keep = has > may ? sqrt(may / has) : 1;
    }
}

static void energy_settle(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        if (!energy_counts(b)) continue;
        const pv__ledger *ledger = &world->bitmaps.ledgers[energy_root_of(world, i)];
        if (ledger->keep < 1 || !ledger->founded)
            pv__impulse_keep_about(b, &ledger->now, &ledger->then, ledger->keep);
    }
    for (int i = 0; i < world->bodies.count; i++)
        if (energy_counts(&world->bodies.items[i])) world->bodies.items[i].island = -1;
}

void pv__bitmap_solver_keep_books(pv_world *world) {
    if (!PV__RESERVE(&world->def.allocator, world->bitmaps.ledgers, world->bitmaps.ledger_capacity,
                     world->bodies.count)) {
        world->out_of_memory = true;
        return;
    }
    open_books(world);
    join_islands(world);
    add_up(world);
    close_books(world);
    energy_settle(world);
}

void pv__bitmap_solver_free(pv_world *world) {
    PV__FREE(&world->def.allocator, world->bitmaps.ledgers, world->bitmaps.ledger_capacity);
}
