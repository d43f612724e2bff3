/* constraint.c - creates, destroys, reads and writes joints.
 *
 * Invariant: the ends of a joint exist, as a joint is removed with either of them. Creating,
 * removing or changing a joint wakes its bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/constraint.h"
#include "core/anchor.h"
#include "core/events.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "joint/joint.h"

#include <float.h>

/// Greatest distance of an anchor from its body's bounds, as a multiple of their longer side, but
/// at least LEAST_REACH [px]. A point farther away was probably meant in picture coordinates.
static const double REACH_IN_SIDES = 8, LEAST_REACH = 256;
/// Natural frequency of a mouse joint without a given stiffness [rad/s]. The joint is critically
/// damped.
static const double DRAG_RATE = 20;

/* ---- ids ---- */

bool pv_joint_is_valid(const pv_world *world, pv_joint_id joint) {
    return pv__handle_constraint(world, joint) != NULL;
}

pv_joint_id pv_world_get_next_joint(const pv_world *world, pv_joint_id joint) {
    if (!world || (joint.index != 0 && !pv__handle_constraint(world, joint))) return pv_null_joint;
    const pv__matter *m = &world->matter;
    int next = pv__pool_next(&m->constraint_pool, m->constraints, sizeof *m->constraints,
                             (int)joint.index);
    return next >= 0 ? pv__handle_of_constraint(world, next) : pv_null_joint;
}

/// Copies the edge joints and beams of a polygon that still exist. Returns their number.
static int get_beams(const pv_world *world, const pv__polygon *q, pv_joint_id *joints,
                     int capacity) {
    int count = 0;
    for (int i = 0; i < q->beam_count; i++) {
        if (!pv__handle_constraint(world, q->beams[i])) continue;
        if (joints && count < capacity) joints[count] = q->beams[i];
        count++;
    }
    return count;
}

int pv_body_get_joints(const pv_world *world, pv_body_id body, pv_joint_id *joints, int capacity) {
    int polygon = pv__handle_polygon(world, body);
    if (polygon >= 0) return get_beams(world, &world->matter.polygons[polygon], joints, capacity);
    const pv__body *b = pv__handle_body(world, body);
    if (!b) return 0;
    const pv__matter *m = &world->matter;
    int index = (int)(b - world->bodies.items), found = 0;
    for (int i = 0; joints && found < b->joint_count && found < capacity; i++) {
        i = pv__pool_next(&m->constraint_pool, m->constraints, sizeof *m->constraints, i);
        if (i < 0) break;
        if (m->constraints[i].a.body == index || m->constraints[i].b.body == index)
            joints[found++] = pv__handle_of_constraint(world, i);
    }
    return b->joint_count;
}

/* ---- anchors ---- */

static bool names_particle(const pv_anchor *a) {
    return a->particle.index || a->particle.generation;
}

/// Checks that the point of an anchor is near its body.
static bool check_reach(pv_error *e, const pv_world *world, const char *field, const pv_anchor *a) {
    const pv__body *b = pv__handle_body(world, a->body);
    pv_box box = pv__pose_box(b, b->pose);
    double most = pv__max(REACH_IN_SIDES * pv__max(box.max.x - box.min.x, box.max.y - box.min.y),
                          LEAST_REACH);
    pv_vec2 nearest = {pv__clamp(a->point.x, box.min.x, box.max.x),
                       pv__clamp(a->point.y, box.min.y, box.max.y)};
    double off = pv__length(pv__sub(a->point, nearest));
    return !(off > most) ||
           pv__error_say(
               e, PV_ERROR_ARGUMENT, field,
               "%s is (%.9g, %.9g) in the world, %.9g px from the body, must be at most %.9g px",
               field, a->point.x, a->point.y, off, most) == PV_OK;
}

bool pv__constraint_check_anchor(pv_error *e, const pv_world *world, const char *field,
                                 const char *point_field, const pv_anchor *a) {
    if (names_particle(a)) return pv__check_particle(e, world, field, a->particle);
    bool polygon = PV_ID_IS_POLYGON(a->body),
         sprite = !polygon && (a->body.index || a->body.generation);
    return (!sprite || pv__check_body(e, world, field, a->body)) &&
           (!polygon || pv__check_polygon(e, world, field, a->body) >= 0) &&
           pv__check_place(e, point_field, a->point) &&
           (!sprite || check_reach(e, world, point_field, a));
}

/// Computes weights of three points, with the sum 1, whose weighted sum is at. Returns false for
/// points on a line.
static bool weigh(const pv_vec2 p[3], pv_vec2 at, double weights[3]) {
    pv_vec2 u = pv__sub(p[1], p[0]), v = pv__sub(p[2], p[0]), d = pv__sub(at, p[0]);
    double area = pv__cross(u, v);
    if (pv__abs(area) < PV__NEGLIGIBLE * (pv__dot(u, u) + pv__dot(v, v))) return false;
    weights[1] = pv__cross(d, v) / area;
    weights[2] = pv__cross(u, d) / area;
    weights[0] = 1 - weights[1] - weights[2];
    return true;
}

/// Takes three corners if the sum of their squared weights is below least. Returns the lower sum.
static double try_corners(const pv_world *world, const int corners[3], pv_vec2 at, double least,
                          pv__anchor *grip) {
    const pv_vec2 *now = world->matter.particles.now;
    const pv_vec2 p[3] = {now[corners[0]], now[corners[1]], now[corners[2]]};
    double w[3];
    if (!weigh(p, at, w)) return least;
    double sum = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    if (sum >= least) return least;
    for (int i = 0; i < 3; i++) {
        grip->corners[i] = corners[i];
        grip->weights[i] = w[i];
    }
    return sum;
}

/// Finds the three corners of a polygon that share a load at a point most evenly.
static void bear(const pv_world *world, const pv__polygon *q, pv_vec2 at, pv__anchor *grip) {
    double least = PV__BOUNDLESS;
    for (int i = 0; i < q->corner_count; i++)
        for (int j = i + 1; j < q->corner_count; j++)
            for (int k = j + 1; k < q->corner_count; k++)
                least = try_corners(world, (int[3]){q->corners[i], q->corners[j], q->corners[k]},
                                    at, least, grip);
}

static pv__anchor grip_of(const pv_world *world, const pv_anchor *a) {
    pv__anchor grip = {.body = -1, .local = a->point};
    const pv__body *b = pv__handle_body(world, a->body);
    int polygon = pv__handle_polygon(world, a->body);
    if (names_particle(a)) {
        grip.particle = pv__handle_particle(world, a->particle);
        grip.local = pv__vec(0, 0); /* The point of a particle's anchor has no meaning. */
    } else if (b) {
        grip.body = (int)(b - world->bodies.items);
        grip.local = pv__unrotate(b->pose.turn, pv__sub(a->point, b->pose.center));
    } else if (polygon >= 0) {
        bear(world, &world->matter.polygons[polygon], a->point, &grip);
    }
    return grip;
}

static pv_vec2 place_of(const pv_world *world, const pv__anchor *grip) {
    if (grip->particle) return world->matter.particles.now[grip->particle];
    if (grip->corners[0]) return pv__particle_on_corners(grip, world->matter.particles.now);
    if (grip->body < 0) return grip->local;
    pv__pose pose = world->bodies.items[grip->body].pose;
    return pv__add(pose.center, pv__rotate(pose.turn, grip->local));
}

static pv_rotation turn_of(const pv_world *world, const pv__anchor *grip) {
    return grip->body >= 0 ? world->bodies.items[grip->body].pose.turn : (pv_rotation){1, 0};
}

/* ---- creation ---- */

pv_joint_def pv_joint_def_default(void) {
    return (pv_joint_def){
        .length = -1, .lower = -PV__BOUNDLESS, .upper = PV__BOUNDLESS, .cookie = PV__COOKIE};
}

bool pv__constraint_check_limits(pv_error *e, const char *low_field, double low,
                                 const char *high_field, double high) {
    if (!pv__check_range(e, low_field, low, PV__RANGE_FINITE) ||
        !pv__check_range(e, high_field, high, PV__RANGE_FINITE))
        return false;
    return pv__abs(high) > pv__abs(low) ? pv__check_range(e, high_field, high, low, DBL_MAX)
                                        : pv__check_range(e, low_field, low, -DBL_MAX, high);
}

static const pv__field_row fields[] = {
    PV__INT(pv_joint_def, type, 0, PV_JOINT_MOUSE),
    PV__DOUBLE(pv_joint_def, length, -DBL_MAX, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_joint_def, damping, PV__RANGE_STIFFNESS),
    PV__VECTOR(pv_joint_def, axis, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_joint_def, motor_speed, PV__RANGE_SPIN),
    PV__DOUBLE(pv_joint_def, max_force, PV__RANGE_FORCE),
    PV__DOUBLE(pv_joint_def, break_force, PV__RANGE_FORCE),
};

/// Returns the name of a definition's field, or of the maker's parameter: without "def.".
static const char *constraint_field(bool in_def, const char *name) {
    return in_def ? name : name + sizeof "def." - 1;
}

/// Returns the particle of an anchor, or the first corner of its polygon; 0 for none.
static int particle_of(const pv__anchor *g) { return g->particle ? g->particle : g->corners[0]; }

static bool is_world(const pv__anchor *g) { return !particle_of(g) && g->body < 0; }

/// Tells whether an anchor moves with a particle.
static bool anchor_has(const pv__anchor *g, int particle) {
    return particle && (g->particle == particle || g->corners[0] == particle ||
                        g->corners[1] == particle || g->corners[2] == particle);
}

/// Tells whether both ends are on one body or share a particle. Each push would move both ends, but
/// the yields count them separately.
static bool share_thing(const pv__anchor *a, const pv__anchor *b) {
    bool shared = anchor_has(b, a->particle) || (a->body >= 0 && a->body == b->body);
    for (int i = 0; i < 3; i++) shared |= anchor_has(b, a->corners[i]);
    return shared;
}

const char *pv__constraint_wrong_ends(pv_joint_type type, const pv__anchor *a, const pv__anchor *b,
                                      const char **bad) {
    bool grain_a = particle_of(a), grain_b = particle_of(b);
    bool turns = type == PV_JOINT_WELD || type == PV_JOINT_ANGLE_LIMIT || type == PV_JOINT_MOTOR;
    bool slides = type == PV_JOINT_SLIDER;
    const struct {
        bool wrong;
        const char *field, *sentence;
    } rules[] = {
        {is_world(a) && is_world(b), "def.b", "is a point of the world, as the other end is"},
        {(turns || slides) && grain_a, "def.a", "is no body, as the type of the joint needs"},
        {turns && grain_b, "def.b", "is no body, as the type of the joint needs"},
        {slides && is_world(b), "def.b", "is a point of the world, must be the end that slides"},
        {type == PV_JOINT_MOUSE && !is_world(b), "def.b", "is no point of the world"},
        {share_thing(a, b), "def.b", "is the same end as the other one"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong) return *bad = rules[i].field, rules[i].sentence;
    return NULL;
}

bool pv__constraint_weights_in_range(const pv__anchor *g) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        if (!pv__within(g->weights[i], -1e6, 1e6)) return false;
        sum += g->weights[i];
    }
    return !g->corners[0] || pv__within(sum, 0.99, 1.01);
}

static bool has_length(pv_joint_type type) { return type <= PV_JOINT_STRUT; }

/// Checks that ends and axis suit the joint's type, and that anchors are near enough to polygons.
static bool check_ends(pv_error *e, const pv_joint_def *def, const pv__anchor *a,
                       const pv__anchor *b, bool in_def) {
    static const char far_off[] = "is too far from the polygon for its size";
    const char *bad = NULL, *sentence = pv__constraint_wrong_ends(def->type, a, b, &bad);
    if (!sentence && def->type == PV_JOINT_SLIDER && !(pv__length(def->axis) > 0))
        bad = "def.axis", sentence = "has no length";
    if (!sentence && !pv__constraint_weights_in_range(a)) bad = "def.a.point", sentence = far_off;
    if (!sentence && !pv__constraint_weights_in_range(b)) bad = "def.b.point", sentence = far_off;
    if (!sentence) return true;
    bad = constraint_field(in_def, bad);
    return pv__error_say(e, PV_ERROR_ARGUMENT, bad, "%s %s", bad, sentence) == PV_OK;
}

/// Checks both ends of a joint, and its length if its type has one.
static bool check_length(pv_error *e, const pv_world *world, const pv_joint_def *def, bool in_def) {
    pv__anchor a = grip_of(world, &def->a), b = grip_of(world, &def->b);
    const char *field_a = constraint_field(in_def, "def.a"),
               *field_b = constraint_field(in_def, "def.b");
    if (!check_ends(e, def, &a, &b, in_def)) return false;
    if (!has_length(def->type)) return true;
    if (def->length >= 0)
        return pv__check_range(e, constraint_field(in_def, "def.length"), def->length,
                               PV__RANGE_GIVEN_LENGTH);
    double apart = pv__length(pv__sub(place_of(world, &b), place_of(world, &a)));
    return !(apart < PV__LEAST_LENGTH) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, field_a,
                         "%s is %.9g px from %s, must be at least %.9g px", field_a, apart, field_b,
                         PV__LEAST_LENGTH) == PV_OK;
}

/// Checks a definition, except for ends and length, which create() checks.
static bool check_def(pv_error *e, const pv_world *world, const pv_joint_def *def) {
    return pv__check_cookie(e, def, def ? def->cookie : 0, "pv_joint_def_default") &&
           pv__constraint_check_anchor(e, world, "def.a", "def.a.point", &def->a) &&
           pv__constraint_check_anchor(e, world, "def.b", "def.b.point", &def->b) &&
           PV__CHECK_FIELDS(e, def, fields) &&
           pv__check_zero_or(e, "def.stiffness", def->stiffness, PV__RANGE_JOINT_STIFFNESS) &&
           pv__constraint_check_limits(e, "def.lower", def->lower, "def.upper", def->upper);
}

void pv__constraint_count_anchor(pv_world *world, const pv__anchor *grip, int by) {
    pv__particle_data *grains = world->matter.particles.data;
    if (grip->particle) grains[grip->particle].joint_count += by;
    for (int i = 0; i < 3; i++)
        if (grip->corners[i]) grains[grip->corners[i]].joint_count += by;
    if (grip->body >= 0) world->bodies.items[grip->body].joint_count += by;
}

static void count_end(pv_world *world, const pv__anchor *grip, int by) {
    pv__constraint_count_anchor(world, grip, by);
    pv__wake_corner(world, particle_of(grip));
    if (grip->body < 0) return;
    world->solver.ordered = false;
    pv__wake_body(world, &world->bodies.items[grip->body]);
}

/// Notes that a joint was created, removed or changed.
static void stir(pv_world *world, const pv__constraint *c, int by) {
    count_end(world, &c->a, by);
    count_end(world, &c->b, by);
    if (by != 0 || (c->a.particle && c->b.particle))
        world->matter.loose = true; /* The batches need a new layout. */
}

static double mass_of(const pv_world *world, const pv__anchor *grip) {
    const pv__particle_data *grains = world->matter.particles.data;
    if (grip->particle) return grains[grip->particle].mass;
    if (grip->body >= 0) return world->bodies.items[grip->body].mass;
    return grains[grip->corners[0]].mass + grains[grip->corners[1]].mass +
           grains[grip->corners[2]].mass;
}

/// Returns the error of a joint [px]. A spring has none, as it follows its stiffness.
static double off_by(const pv_world *world, const pv__constraint *c) {
    pv_vec2 d = pv__sub(place_of(world, &c->b), place_of(world, &c->a));
    double apart = pv__length(d), along = 0;
    if (c->stiffness > 0) return 0;
    switch (c->type) {
    case PV_JOINT_DISTANCE: return pv__abs(apart - c->length);
    case PV_JOINT_ROPE: return pv__max(apart - c->length, 0);
    case PV_JOINT_STRUT: return pv__max(c->length - apart, 0);
    case PV_JOINT_PIN:
    case PV_JOINT_WELD: return apart;
    case PV_JOINT_SLIDER:
        along = pv__dot(d, pv__rotate(turn_of(world, &c->a), c->axis)) - c->length;
        return apart + pv__max(0, pv__max(c->low - along, along - c->high));
    default: return 0;
    }
}

/// Starts the easing of a joint with a large error.
static void ease(pv_world *world, pv__constraint *c) {
    double off = off_by(world, c);
    bool eased = c->grace > 0;
    c->grace = off > PV__JOINT_LONGEST ? off : 0;
    if (eased != (c->grace > 0)) world->matter.loose = true;
}

/// Sets stiffness and damping. A mouse joint without stiffness gets them from its mass.
static void soften(const pv_world *world, pv__constraint *c, double stiffness, double damping) {
    bool drags = c->type == PV_JOINT_MOUSE && stiffness == 0;
    double mass = drags ? mass_of(world, &c->a) : 0;
    c->stiffness = drags ? pv__min(mass * DRAG_RATE * DRAG_RATE, PV__MOST_STIFFNESS) : stiffness;
    c->damping = drags ? pv__min(2 * mass * DRAG_RATE, PV__MOST_STIFFNESS) : damping;
}

static void fill(pv_world *world, pv__constraint *c, const pv_joint_def *def) {
    *c = (pv__constraint){
        .slot = c->slot,
        .type = def->type,
        .a = grip_of(world, &def->a),
        .b = grip_of(world, &def->b),
        .length = def->length < 0 ? -1 : def->length, /* -1: set below, or unused */
        .low = def->lower,
        .high = def->upper,
        .speed = def->motor_speed,
        .max_force = def->max_force,
        .break_force = def->break_force,
        .collide = def->collide_connected,
        .keep_when_carved = def->keep_when_carved,
        .user_data = def->user_data,
    };
    pv_rotation p = turn_of(world, &c->a), q = turn_of(world, &c->b);
    pv_vec2 apart = pv__sub(place_of(world, &c->b), place_of(world, &c->a));
    c->angle = pv__turn_between(p, q);
    if (has_length(c->type) && def->length < 0) c->length = pv__length(apart);
    if (c->type == PV_JOINT_SLIDER) {
        pv_vec2 axis = pv__mul(1 / pv__length(def->axis), def->axis);
        c->axis = pv__unrotate(p, axis);
        c->length = pv__dot(apart, axis);
    }
    soften(world, c, def->stiffness, def->damping);
}

/// Creates a joint from a definition with checked fields, unless *e has a failure. If it creates
/// none, it reports the reason and returns the null id.
static pv_joint_id create(pv_error *e, pv_world *world, const pv_joint_def *def, bool in_def) {
    if (e->status != PV_OK || !check_length(e, world, def, in_def))
        return pv__refuse(world, e), pv_null_joint;
    pv__matter *m = &world->matter;
    int slot = pv__pool_take(&world->def.allocator, &m->constraint_pool, &m->constraints,
                             sizeof *m->constraints);
    if (slot < 0) return pv__refuse_memory(world, e), pv_null_joint;
    pv__constraint *c = &m->constraints[slot];
    fill(world, c, def);
    pv__pool_open(&m->constraint_pool, &c->slot);
    ease(world, c);
    stir(world, c, 1);
    return pv__handle_of_constraint(world, slot);
}

pv_joint_id pv__constraint_create(pv_world *world, const pv_joint_def *def, pv_error *e) {
    return create(e, world, def, false);
}

double pv__constraint_yield(const pv_world *world, const pv_anchor *a, const pv_anchor *b) {
    pv__anchor grips[2] = {grip_of(world, a), grip_of(world, b)};
    pv_vec2 places[2] = {place_of(world, &grips[0]), place_of(world, &grips[1])};
    pv_vec2 line = pv__sub(places[1], places[0]);
    double apart = pv__length(line), yield = 0;
    pv_vec2 n = apart > 0 ? pv__mul(1 / apart, line) : pv__vec(1, 0);
    for (int i = 0; i < 2; i++) {
        yield += pv__anchor_particle_yield(world, &grips[i]);
        if (grips[i].body < 0) continue;
        const pv__body *body = &world->bodies.items[grips[i].body];
        double across = pv__cross(pv__sub(places[i], body->pose.center), n);
        yield += pv__body_center_yield(body, n) + across * across * body->inverse_inertia;
    }
    return yield;
}

pv_joint_id pv_joint_create(pv_world *world, const pv_joint_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) check_def(e, world, def);
    return create(e, world, def, true);
}

/* ---- destruction ---- */

void pv__constraint_drop(pv_world *world, pv__constraint *c) {
    pv__matter *m = &world->matter;
    stir(world, c, -1);
    pv__pool_leave(&m->constraint_pool, m->constraints, (int)(c - m->constraints), sizeof *c);
}

bool pv__constraint_reserve_let_go(pv_world *world, int more) {
    pv__list *breaks = &world->events.new_breaks;
    return pv__list_reserve(&world->def.allocator, breaks, breaks->count + more,
                            sizeof(pv_joint_break_event));
}

/// Removes a joint with an event. Without memory for the event, the joint stays.
static void drop_with_event(pv_world *world, int slot, pv__list *events, double force, pv_vec2 at,
                            bool lost) {
    pv__constraint *c = &world->matter.constraints[slot];
    pv_joint_break_event gone = {pv__handle_of_constraint(world, slot), force, at, c->user_data,
                                 lost};
    if (pv__events_append(world, events, &gone, sizeof gone)) pv__constraint_drop(world, c);
}

void pv__constraint_let_go(pv_world *world, int slot) {
    const pv__constraint *c = &world->matter.constraints[slot];
    pv_vec2 middle = pv__lerp(place_of(world, &c->a), place_of(world, &c->b), 0.5);
    drop_with_event(world, slot, &world->events.new_breaks, 0, middle, true);
}

/// Begins a function that changes joint c.
#define BEGIN(...)                                                                                 \
    PV__BEGIN_WITH(pv__constraint *, c, pv__check_joint(&e, world, "joint", joint), __VA_ARGS__)

/// Checks that a joint's type is in a set of bits.
static bool check_type(pv_error *e, const pv__constraint *c, unsigned types) {
    return types >> c->type & 1 || pv__error_say(e, PV_ERROR_ARGUMENT, "joint",
                                                 "joint has a type without this property") == PV_OK;
}

pv_status pv_joint_destroy(pv_world *world, pv_joint_id joint) {
    BEGIN(true);
    pv__constraint_drop(world, c);
    return PV_OK;
}

static bool holds(const pv__anchor *grip, int particle, int body) {
    return body >= 0 ? grip->body == body : anchor_has(grip, particle);
}

static void for_joined(pv_world *world, int particle, int body,
                       void (*act)(pv_world *world, pv__constraint *c)) {
    for (int i = 0; i < world->matter.constraint_pool.count; i++) {
        pv__constraint *c = &world->matter.constraints[i];
        if (pv__slot_lives(&c->slot) &&
            (holds(&c->a, particle, body) || holds(&c->b, particle, body)))
            act(world, c);
    }
}

void pv__constraint_drop_all_of(pv_world *world, int particle, int body) {
    for_joined(world, particle, body, pv__constraint_drop);
}

static void wake_ends(pv_world *world, pv__constraint *c) {
    if (c->a.body >= 0) pv__wake_body(world, &world->bodies.items[c->a.body]);
    if (c->b.body >= 0) pv__wake_body(world, &world->bodies.items[c->b.body]);
    pv__wake_corner(world, c->a.particle);
    pv__wake_corner(world, c->b.particle);
}

void pv__constraint_wake_all_of(pv_world *world, int particle, int body) {
    for_joined(world, particle, body, wake_ends);
}

void pv__constraint_ease_all_of(pv_world *world, int particle, int body) {
    for_joined(world, particle, body, ease);
    for_joined(world, particle, body, wake_ends);
}

/* ---- reads ---- */

/// Defines a function that reads a joint c.
#define READ(type, name, of_joint, of_none)                                                        \
    type pv_joint_get_##name(const pv_world *world, pv_joint_id joint) {                           \
        const pv__constraint *c = pv__handle_constraint(world, joint);                             \
        return c ? of_joint : of_none;                                                             \
    }

READ(pv_joint_type, type, c->type, PV_JOINT_DISTANCE)
READ(double, length, has_length(c->type) ? c->length : 0, 0)
READ(double, force, c->force, 0)
READ(void *, user_data, c->user_data, NULL)

static pv_anchor anchor_of(const pv_world *world, const pv__anchor *grip) {
    pv_anchor a = {.point = place_of(world, grip)};
    if (grip->particle) a.particle = pv__handle_of_particle(world, grip->particle);
    if (grip->body >= 0) a.body = pv__handle_of_body(world, grip->body);
    if (grip->corners[0]) a.body = pv__handle_of_polygon_with(world, grip->corners[0]);
    return a;
}

pv_status pv_joint_get_anchors(const pv_world *world, pv_joint_id joint, pv_anchor anchors[2]) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    const pv__constraint *c =
        pv__check_pointer(e, "world", world) ? pv__check_joint(e, world, "joint", joint) : NULL;
    if (!c || !pv__check_pointer(e, "anchors", anchors)) return pv__refuse(world, e);
    anchors[0] = anchor_of(world, &c->a);
    anchors[1] = anchor_of(world, &c->b);
    return PV_OK;
}

/* ---- writes ---- */

/// Eases a changed joint into place, and wakes its ends.
static pv_status joint_changed(pv_world *world, pv__constraint *c) {
    ease(world, c);
    stir(world, c, 0);
    return PV_OK;
}

pv_status pv_joint_set_length(pv_world *world, pv_joint_id joint, double length) {
    const unsigned types = 1u << PV_JOINT_DISTANCE | 1u << PV_JOINT_ROPE | 1u << PV_JOINT_STRUT;
    BEGIN(check_type(&e, c, types) &&
          pv__check_range(&e, "length", length, PV__RANGE_GIVEN_LENGTH));
    c->length = length;
    return joint_changed(world, c);
}

pv_status pv_joint_set_target(pv_world *world, pv_joint_id joint, pv_vec2 point) {
    BEGIN(check_type(&e, c, 1u << PV_JOINT_MOUSE) && pv__check_place(&e, "point", point));
    c->b.local = point;
    return joint_changed(world, c);
}

/// Notes a change that can move a joint into the batches or out of them.
static pv_status lay_anew(pv_world *world, const pv__constraint *c) {
    stir(world, c, 0);
    world->matter.loose = true;
    return PV_OK;
}

/// Defines a function that sets a limit on the force.
#define SET_FORCE(name)                                                                            \
    pv_status pv_joint_set_##name(pv_world *world, pv_joint_id joint, double name) {               \
        BEGIN(pv__check_range(&e, #name, name, PV__RANGE_FORCE));                                  \
        c->name = name;                                                                            \
        return lay_anew(world, c);                                                                 \
    }

SET_FORCE(max_force)
SET_FORCE(break_force)

pv_status pv_joint_set_spring(pv_world *world, pv_joint_id joint, double stiffness,
                              double damping) {
    BEGIN(check_type(&e, c, ~(1u << PV_JOINT_MOTOR)) &&
          pv__check_zero_or(&e, "stiffness", stiffness, PV__RANGE_JOINT_STIFFNESS) &&
          pv__check_range(&e, "damping", damping, PV__RANGE_STIFFNESS));
    soften(world, c, stiffness, damping);
    ease(world, c);
    return lay_anew(world, c);
}

pv_status pv_joint_set_motor_speed(pv_world *world, pv_joint_id joint, double speed) {
    BEGIN(check_type(&e, c, 1u << PV_JOINT_MOTOR) &&
          pv__check_range(&e, "speed", speed, PV__RANGE_SPIN));
    c->speed = speed;
    return joint_changed(world, c);
}

pv_status pv_joint_set_limits(pv_world *world, pv_joint_id joint, double low, double high) {
    BEGIN(check_type(&e, c, 1u << PV_JOINT_ANGLE_LIMIT | 1u << PV_JOINT_SLIDER) &&
          pv__constraint_check_limits(&e, "low", low, "high", high));
    c->low = low;
    c->high = high;
    return joint_changed(world, c);
}

/* ---- excluded pairs ---- */

int pv__constraint_name_bar(const pv_world *world, int particle) {
    int polygon = world->matter.particles.data[particle].polygon;
    return polygon >= 0 ? -world->matter.polygons[polygon].corners[0] : -particle;
}

/// Returns the id of an anchor in an excluded pair.
static int bar_name_of(const pv_world *world, const pv__anchor *g) {
    return g->body >= 0 ? g->body : pv__constraint_name_bar(world, particle_of(g));
}

/// Tells whether a joint excludes contact between its ends: any joint of two bodies does, and a pin
/// or a slider of any objects.
static bool constraint_bars(const pv__constraint *c) {
    if (!pv__slot_lives(&c->slot) || c->collide || is_world(&c->a) || is_world(&c->b)) return false;
    return (c->a.body >= 0 && c->b.body >= 0) || c->type == PV_JOINT_PIN ||
           c->type == PV_JOINT_SLIDER;
}

bool pv__constraint_list_bars(pv_world *world) {
    pv__matter *m = &world->matter;
    m->bar_count = 0;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        const pv__constraint *c = &m->constraints[i];
        if (!constraint_bars(c)) continue;
        int a = bar_name_of(world, &c->a), b = bar_name_of(world, &c->b);
        pv__bar bar = {pv__sooner(a, b), pv__later(a, b)};
        if (!PV__APPEND(&world->def.allocator, m->bars, m->bar_capacity, m->bar_count, bar))
            return false;
    }
    pv__sort(m->bars, m->bar_count, sizeof *m->bars, pv__compare_pairs);
    return true;
}

void pv__constraint_tell_force(pv_world *world, int slot, double force) {
    pv__constraint *c = &world->matter.constraints[slot];
    /* The force on stopped ends may be infinite or NaN. */
    c->force = force <= PV__BOUNDLESS ? force : PV__BOUNDLESS;
    if (c->break_force == 0 || c->force <= c->break_force) return;
    pv_vec2 middle = pv__lerp(pv__anchor_now(world, &c->a), pv__anchor_now(world, &c->b), 0.5);
    drop_with_event(world, slot, &world->events.joint_breaks, c->force, pv__held2(middle), false);
}
