/* pv_solve_energy.c - contacts by pixels give no energy: an island keeps books of what its motion may be worth.
 *
 * Invariant: what touches each other, together, ends a substep with no more energy of motion than it would have had without
 * contacts, less what gravity and forces did not do for it because it did not go there, and what is driven gave it. What is too
 * much is taken from all its motions alike. Where nothing fixed is touched and nothing locked, that is from what they differ by
 * from a rigid body's, and momentum and angular momentum about the common centre are those that it would have had.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"

/// Of an island, kept at the index of its root.
typedef struct pv__ledger {
    bool founded;  ///< it touches something that does not give way, or a part is locked
    double credit; ///< the energy that it may have when the substep ends
    double energy; ///< that it has
    pv__totals is, due;
    pv__rigid now, then; ///< its common motion as it is and as it will be; at rest where it is founded
    double keep;         ///< of the rest
} pv__ledger;

static bool counts(const pv__body *b) {
    return b->type == PV_BODY_DYNAMIC && (b->touched || b->pixel->retreat > 0);
}

static bool is_driven(const pv__body *b) { return b->inverse_mass == 0 && b->moved; }

static int root_of(pv_world *world, int i) {
    pv__body *bodies = world->bodies;
    while (bodies[i].island != i) i = bodies[i].island = bodies[bodies[i].island].island;
    return i;
}

static double energy_in_sight(const pv__body *b) {
    const pv__outlook *f = &b->pixel->outlook;
    return 0.5 * (b->mass * pv__dot(f->velocity, f->velocity) + b->inertia * f->spin * f->spin);
}

/// What next to nothing moves is credited as if it had moved: its speed adds up until it does.
static double credit_of(const pv__body *b) {
    if (b->pixel->lingers) return pv__energy(b);
    return energy_in_sight(b) + pv__work_between(b, b->pixel->outlook.centre, b->pose.centre);
}

static void open_books(pv_world *world) {
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        if (!counts(b)) continue;
        b->island = i;
        world->ledgers[i] = (pv__ledger){.founded = b->locks != 0, .credit = credit_of(b)};
    }
}

static pv_vec2 velocity_at(const pv__body *b, pv_vec2 arm) {
    return pv__mad(b->velocity, b->spin, pv__perp(arm));
}

/// What a contact's impulses took from whatever is driven, a running surface too; not negative.
static double work_of(const pv_world *world, const pv__contact *c) {
    const pv__body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    double work = 0;
    for (const pv__point *p = c->points; p < c->points + c->count; p++) {
        pv_vec2 j = pv__mad(pv__mul(p->impulse_n, c->normal), p->impulse_t, pv__perp(c->normal));
        if (is_driven(a)) work += pv__dot(j, velocity_at(a, p->arm.a));
        if (is_driven(b)) work -= pv__dot(j, velocity_at(b, p->arm.b));
        work += p->impulse_t * c->material.belt;
    }
    return pv__max(0, work);
}

static void join(pv_world *world, int first, int second) {
    int p = root_of(world, first), q = root_of(world, second);
    if (p == q) return;
    pv__ledger *low = &world->ledgers[p < q ? p : q], *high = &world->ledgers[p < q ? q : p];
    world->bodies[p < q ? q : p].island = p < q ? p : q;
    low->credit += high->credit;
    low->founded |= high->founded;
}

static void join_islands(pv_world *world) {
    for (int i = 0; i < world->contact_count; i++) {
        const pv__contact *c = &world->contacts[i];
        bool first = counts(&world->bodies[c->a]), second = counts(&world->bodies[c->b]);
        if (!first && !second) continue;
        if (first && second) join(world, c->a, c->b);
        pv__ledger *ledger = &world->ledgers[root_of(world, first ? c->a : c->b)];
        ledger->founded |= !first || !second;
        ledger->credit += work_of(world, c);
    }
}

/// What is jammed stands still where its island stands on something: its velocity was not one.
static void add_up(pv_world *world) {
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        if (!counts(b)) continue;
        int root = root_of(world, i);
        pv__ledger *ledger = &world->ledgers[root];
        if (ledger->founded && b->pixel->jammed) {
            b->velocity = pv__vec(0, 0);
            b->spin = 0;
        }
        ledger->energy += pv__energy(b);
        if (ledger->founded) continue;
        pv_vec2 place = world->bodies[root].pose.centre;
        pv__add_motion(&ledger->is, b, pv__sub(b->pose.centre, place), b->velocity, b->spin);
        pv__add_motion(&ledger->due, b, pv__sub(b->pixel->outlook.centre, place), b->pixel->outlook.velocity,
                       b->pixel->outlook.spin);
    }
}

/// The common motion gets the momentum that is due, about the centre that is.
static void find_common_motion(pv__ledger *ledger, pv_vec2 place) {
    pv__rigid due = pv__rigid_of(&ledger->due, place);
    ledger->now = ledger->then = pv__rigid_of(&ledger->is, place);
    ledger->then.velocity = due.velocity;
    ledger->then.spin = due.spin * (due.inertia / ledger->now.inertia);
}

static void close_books(pv_world *world) {
    for (int i = 0; i < world->body_count; i++) {
        if (!counts(&world->bodies[i]) || root_of(world, i) != i) continue;
        pv__ledger *ledger = &world->ledgers[i];
        if (!ledger->founded) find_common_motion(ledger, world->bodies[i].pose.centre);
        double has = ledger->energy - pv__rigid_energy(&ledger->now);
        double may = pv__max(0, ledger->credit - pv__rigid_energy(&ledger->then));
        ledger->keep = has > may ? sqrt(may / has) : 1;
    }
}

static void settle(pv_world *world) {
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        if (!counts(b)) continue;
        const pv__ledger *ledger = &world->ledgers[root_of(world, i)];
        if (ledger->keep < 1 || !ledger->founded) pv__keep_about(b, &ledger->now, &ledger->then, ledger->keep);
    }
    for (int i = 0; i < world->body_count; i++)
        if (counts(&world->bodies[i])) world->bodies[i].island = -1;
}

void pv__keep_books(pv_world *world) {
    if (!pv__reserve(&world->def.allocator, &world->ledgers, &world->ledger_capacity, world->body_count,
                     sizeof(pv__ledger))) {
        world->flags |= PV_STEP_NO_MEMORY;
        return;
    }
    open_books(world);
    join_islands(world);
    add_up(world);
    close_books(world);
    settle(world);
}

void pv__ledgers_free(pv_world *world) {
    pv__free(&world->def.allocator, world->ledgers, (size_t)world->ledger_capacity, sizeof(pv__ledger));
}
