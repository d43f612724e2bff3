/* test_contact_batch.c - contacts four wide: kernels, sequential impulses one by one, and packing.
 *
 * Invariant: expected values come from textbooks in long double, conservation, or another kernel.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "pixel/kernel.h"
#include "solver/contact_batch.h"

#include <stddef.h>

enum { BODIES = 2 * PV__LANES + 1, ROUNDS = 4000 };

/// Four contacts and their bodies
typedef struct scene {
    pv__batch lanes;
    /// Extra data of plain batches, and of this one
    pv__batch_extra extras[2];
    pv__batch_mark mark;
    pv__solver_body bodies[BODIES];
    pv__solver_state states[BODIES];
    pv__sweep sweep;
    /// Answer of the last stage that returns one
    bool answer;
} scene;

/* ---- random contacts ---- */

static double power(uint64_t *seed, double low, double high) {
    return pow(10, next_between(seed, low, high));
}

static bool happens(uint64_t *seed, double share) { return next_unit(seed) < share; }

static pv__four random_pose(uint64_t *seed, double x, double y) {
    double angle = next_between(seed, -4, 4);
    return (pv__four){x + next_between(seed, -15, 15), y + next_between(seed, -15, 15), cos(angle),
                      sin(angle)};
}

static void set_anchor(pv__four *x, pv__four *y, int l, const pv__solver_body *m, double to_x,
                       double to_y) {
    double dx = to_x - m->pose[0], dy = to_y - m->pose[1];
    (*x)[l] = m->pose[2] * dx + m->pose[3] * dy;
    (*y)[l] = m->pose[2] * dy - m->pose[3] * dx;
}

/// Sets a point between two bodies, with a random gap and load.
static void random_point(uint64_t *seed, scene *s, int l, int i, double x, double y,
                         double direction) {
    pv__batch_point *p = &s->lanes.point[i];
    const pv__solver_body *a = &s->bodies[s->lanes.a[l]], *b = &s->bodies[s->lanes.b[l]];
    double nx = cos(direction), ny = sin(direction), gap = next_between(seed, -0.3, 0.3);
    double radius_a = happens(seed, 0.3) ? next_between(seed, 2, 30) : 0,
           radius_b = happens(seed, 0.3) ? next_between(seed, 2, 30) : 0;
    set_anchor(&p->anchor_ax, &p->anchor_ay, l, a, x - radius_a * nx, y - radius_a * ny);
    set_anchor(&p->anchor_bx, &p->anchor_by, l, b, x + (gap + radius_b) * nx,
               y + (gap + radius_b) * ny);
    s->extras[1].radius_a[i][l] = radius_a;
    s->extras[1].radius_b[i][l] = radius_b;
    s->extras[1].share[i][l] = (radius_a > 0) == (radius_b > 0) ? 0.5 : radius_b > 0 ? 1 : 0;
    p->nx[l] = nx;
    p->ny[l] = ny;
    p->impulse_n[l] = happens(seed, 0.3) ? 0 : power(seed, -2, 4);
    p->impulse_t[l] = p->impulse_n[l] * next_between(seed, -0.5, 0.5);
    if (i == 0)
        s->extras[1].roll[l] = s->lanes.rolls ? p->impulse_n[l] * next_between(seed, -0.1, 0.1) : 0;
    pv__batch_set(&s->lanes.slides[i], l, happens(seed, 0.4));
}

static void random_masses(uint64_t *seed, pv__batch *k, int l) {
    bool fixed = happens(seed, 0.2), quiet = happens(seed, 0.1), turns = !happens(seed, 0.1),
         idle = happens(seed, 0.1);
    double mass_a = fixed ? 0 : power(seed, -4, 0), mass_b = power(seed, -4, 0);
    double inertia_a = turns ? mass_a / power(seed, 1, 3) : 0,
           inertia_b = mass_b / power(seed, 1, 3);
    k->mass_a[l] = mass_a;
    k->inertia_a[l] = inertia_a;
    k->mass_b[l] = mass_b;
    k->inertia_b[l] = inertia_b;
    pv__batch_set(&k->moves_a, l, !fixed && !quiet && !idle);
    pv__batch_set(&k->moves_b, l, !idle);
    pv__batch_set(&k->idle, l, idle);
}

static void random_lane(uint64_t *seed, scene *s, int l) {
    pv__batch *k = &s->lanes;
    double x = 100.0 * l, direction = next_between(seed, -4, 4),
           along = next_between(seed, 0.01, 30);
    int a = k->a[l] = 2 * l + 1, b = k->b[l] = 2 * l + 2;
    k->manifold[l] = l;
    random_masses(seed, k, l);
    s->bodies[a].pose = random_pose(seed, x, 0);
    s->bodies[b].pose = random_pose(seed, x, 40);
    for (int i = 0; i < 2; i++) {
        bool moves = pv__batch_has(i ? k->moves_b : k->moves_a, l);
        s->states[i ? b : a].gain =
            (pv__four){next_between(seed, -1, 1), next_between(seed, -1, 1), 0, 0};
        double fast = moves ? power(seed, -2, 3) : 0, turning = moves ? power(seed, -3, 1) : 0;
        s->bodies[i ? b : a].motion =
            (pv__four){next_between(seed, -fast, fast), next_between(seed, -fast, fast),
                       next_between(seed, -turning, turning), 0};
    }
    k->kinetic_friction[l] = next_between(seed, 0, 1);
    k->static_friction[l] =
        k->kinetic_friction[l] + (happens(seed, 0.5) ? next_between(seed, 0, 0.5) : 0);
    k->restitution[l] = happens(seed, 0.5) ? next_unit(seed) : 0;
    s->extras[1].rolling[l] = k->rolls ? next_between(seed, 0, 2) : 0;
    pv__batch_set(&k->fixed, l, happens(seed, 0.5));
    for (int i = 0; i < k->points; i++)
        random_point(seed, s, l, i, x - i * along * sin(direction), 20 + i * along * cos(direction),
                     i && happens(seed, 0.3) ? direction + next_between(seed, -1, 1) : direction);
}

/// Clears a lane as packing does for a lane without a contact.
static void clear_lane(scene *s, int l) {
    pv__batch *k = &s->lanes;
    k->manifold[l] = -1;
    k->mass_a[l] = 1;
    for (int i = 0; i < k->points; i++) {
        k->point[i].nx[l] = 1;
        k->point[i].anchor_bx[l] = 1e3;
        k->point[i].anchor_by[l] = i * 1e3;
    }
}

static pv__spring random_spring(uint64_t *seed) {
    return (pv__spring){next_between(seed, 5, 50), power(seed, -3, -1), 0};
}

static scene random_scene(uint64_t *seed, double empty) {
    scene s = {.sweep = {.h = power(seed, -3.5, -2),
                         .bounce_speed = 16,
                         .hit_speed = 50,
                         .lift = next_between(seed, 0, 4),
                         .spring = random_spring(seed),
                         .fixed_spring = random_spring(seed)}};
    s.bodies[0].pose = (pv__four){0, 0, 1, 0};
    s.lanes.points = happens(seed, 0.5) ? 2 : 1;
    s.lanes.rolls = happens(seed, 0.3);
    s.lanes.extra = 1;
    for (int l = 0; l < PV__LANES; l++)
        if (happens(seed, empty))
            clear_lane(&s, l);
        else
            random_lane(seed, &s, l);
    return s;
}

/* ---- one kernel against the other ---- */

enum { STAGES = 5 };

/// Points a scene's sweep to the scene's own arrays.
static void point_sweep(scene *s) {
    s->sweep.states = s->states;
    s->sweep.batches = &s->lanes;
    s->sweep.extras = s->extras;
    s->sweep.marks = &s->mark;
}

static void do_stage(const pv__batch_kernel *kernel, scene *s, int stage) {
    const int batch = 0;
    point_sweep(s);
    switch (stage) {
    case 0: s->answer = kernel->measure(&batch, 1, s->bodies, &s->sweep); break;
    case 1: s->answer = kernel->hit(&s->lanes, s->bodies, &s->sweep); break;
    case 2: kernel->warm(&batch, 1, s->bodies, &s->sweep); break;
    case 3: kernel->solve(&batch, 1, false, s->bodies, &s->sweep); break;
    default: kernel->relax(&batch, 1, s->bodies, &s->sweep); break;
    }
}

/// Moves all bodies but the first and the last one, together and one by one, and compares.
static void move_all(const pv__batch_kernel *kernel, scene *s) {
    int listed[BODIES - 2];
    pv__solver_body alone[BODIES];
    bool disturbed[BODIES];
    memcpy(alone, s->bodies, sizeof alone);
    for (int i = 0; i < BODIES - 2; i++) listed[i] = i;
    kernel->accelerate(listed, BODIES - 2, s->bodies, s->states);
    for (int i = 1; i < BODIES - 1; i++) {
        alone[i].motion += s->states[i].gain;
        kernel->move_one(&alone[i], s->sweep.h);
    }
    s->answer = kernel->move(listed, BODIES - 2, s->bodies, s->states, disturbed, s->sweep.h);
    ck_assert(!s->answer);
    ck_assert_mem_eq(alone, s->bodies, sizeof alone);
}

static bool same_bits(const scene *s, const scene *t) {
    return s->answer == t->answer && memcmp(&s->lanes, &t->lanes, sizeof s->lanes) == 0 &&
           memcmp(s->extras, t->extras, sizeof s->extras) == 0 &&
           memcmp(s->bodies, t->bodies, sizeof s->bodies) == 0;
}

/// Adds surface speeds, and locks along x or y.
static void add_belts_and_locks(uint64_t *seed, scene *s) {
    pv__batch *k = &s->lanes;
    for (int l = 0; l < PV__LANES; l++)
        s->extras[1].belt[l] = happens(seed, 0.3) ? next_between(seed, -200, 200) : 0;
    k->locked = happens(seed, 0.4);
    for (int l = 0; k->locked && l < PV__LANES; l++) {
        pv__batch_set(&k->lock_ax, l, happens(seed, 0.2));
        pv__batch_set(&k->lock_by, l, happens(seed, 0.4));
        pv__batch_set(&k->lock_bx, l, happens(seed, 0.4));
    }
}

START_TEST(kernels_agree_to_the_last_bit) {
#ifdef PV__X86_KERNELS
    if (!__builtin_cpu_supports("avx2")) return;
    uint64_t seed = 1;
    for (int k = 0; k < ROUNDS; k++) {
        scene s = random_scene(&seed, 0.2), t;
        if (k % 2) add_belts_and_locks(&seed, &s);
        s.sweep.spring.parting = next_unit(&seed);
        memcpy(&t, &s, sizeof t);
        for (int stage = 0; stage < 3 * STAGES; stage++) {
            do_stage(&pv__lanes_generic, &s, stage % STAGES);
            do_stage(&pv__lanes_avx2, &t, stage % STAGES);
            ck_assert_msg(same_bits(&s, &t), "round %d, stage %d", k, stage);
            if (stage % STAGES < STAGES - 1) continue;
            move_all(&pv__lanes_generic, &s);
            move_all(&pv__lanes_avx2, &t);
            ck_assert_msg(same_bits(&s, &t), "round %d, moved", k);
        }
    }
#endif
}

/* ---- sequential impulses one by one ---- */

typedef struct vec {
    long double x, y;
} vec;

/// Body, with the inverse masses that impulses see
typedef struct lump {
    vec v;
    long double w, mass, inertia;
} lump;

static long double dot(vec a, vec b) { return a.x * b.x + a.y * b.y; }
static long double cross(vec a, vec b) { return a.x * b.y - a.y * b.x; }
static vec turned(vec n) { return (vec){-n.y, n.x}; }

/// Contact point: arms from both centers, effective stiffnesses along normal and tangent, and the
/// most push of its spring [px/s]
typedef struct touch {
    vec n, arm_a, arm_b;
    long double gap, stiffness, yields_t, speed, soft, most;
    bool on;
} touch;

static vec turn_by(pv__four pose, double x, double y) {
    return (vec){(long double)pose[2] * x - (long double)pose[3] * y,
                 (long double)pose[3] * x + (long double)pose[2] * y};
}

static long double yield(const pv__batch *k, int l, const touch *t, vec d) {
    long double ra = cross(t->arm_a, d), rb = cross(t->arm_b, d);
    return (long double)k->mass_a[l] + k->mass_b[l] + ra * ra * k->inertia_a[l] +
           rb * rb * k->inertia_b[l];
}

/// Returns the gap at which surfaces count as touching [px].
static double gap_at_rest(void) {
    scene s = {.sweep = {.h = 1e-3}, .lanes = {.points = 1}};
    pv__four gaps[2];
    for (int l = 0; l < PV__LANES; l++) s.lanes.mass_a[l] = s.lanes.point[0].nx[l] = 1;
    s.bodies[0].pose = (pv__four){0, 0, 1, 0};
    pv__lanes_generic.gaps(&s.lanes, s.bodies, &s.extras[1], gaps);
    return -gaps[0][0];
}

START_TEST(what_touches_is_hardly_apart) {
    ck_assert_double_ge(gap_at_rest(), 0);
    ck_assert_double_lt(gap_at_rest(), 0.05);
}

static const pv__spring *spring_of(const scene *s, int l) {
    return pv__batch_has(s->lanes.fixed, l) ? &s->sweep.fixed_spring : &s->sweep.spring;
}

/// Returns the places of the surfaces, and the normal speed wanted of a point on its own.
static touch touch_alone(const scene *s, int l, int i) {
    const pv__batch *k = &s->lanes;
    const pv__batch_point *p = &k->point[i];
    pv__four a = s->bodies[k->a[l]].pose, b = s->bodies[k->b[l]].pose;
    touch t = {.n = {p->nx[l], p->ny[l]}};
    vec on_a = turn_by(a, p->anchor_ax[l], p->anchor_ay[l]),
        on_b = turn_by(b, p->anchor_bx[l], p->anchor_by[l]);
    double round_a = s->extras[1].radius_a[i][l], round_b = s->extras[1].radius_b[i][l],
           share = s->extras[1].share[i][l];
    on_a = (vec){a[0] + on_a.x + round_a * t.n.x, a[1] + on_a.y + round_a * t.n.y};
    on_b = (vec){b[0] + on_b.x - round_b * t.n.x, b[1] + on_b.y - round_b * t.n.y};
    vec apart = {on_b.x - on_a.x, on_b.y - on_a.y};
    vec at = {on_a.x + share * apart.x, on_a.y + share * apart.y};
    t.arm_a = (vec){at.x - a[0], at.y - a[1]};
    t.arm_b = (vec){at.x - b[0], at.y - b[1]};
    t.gap = dot(apart, t.n) - gap_at_rest();
    t.stiffness = yield(k, l, &t, t.n);
    t.yields_t = yield(k, l, &t, turned(t.n));
    bool open = t.gap > 0;
    t.soft = !open ? spring_of(s, l)->softness * t.stiffness : 0;
    t.speed = open ? t.gap / s->sweep.h : spring_of(s, l)->rate * t.gap;
    t.most = s->sweep.lift + t.soft * p->impulse_n[l];
    t.on = !pv__batch_has(k->idle, l);
    return t;
}

/// Returns the same for a point of a pair. Under a load that both share, the springs yield by 1.5
/// times what the masses do, as far as depth and load allow. Both share a limit of the push.
static touch touch_of(const scene *s, int l, int i) {
    const pv__batch *k = &s->lanes;
    touch t[2] = {touch_alone(s, l, i), touch_alone(s, l, k->points - 1 - i)};
    bool press = k->points == 2 && t[0].gap <= 0 && t[1].gap <= 0;
    long double yields = 1.5L * ((long double)k->mass_a[l] + k->mass_b[l]);
    double load = press ? fmin(k->point[0].impulse_n[l], k->point[1].impulse_n[l]) : 0;
    long double held = fminl(-spring_of(s, l)->rate * fmaxl(t[0].gap, t[1].gap) / yields,
                             (long double)spring_of(s, l)->softness * load);
    for (int j = 0; press && yields > 0 && j < 2; j++)
        t[j].speed -= held * fmaxl(0, t[j].stiffness - yields);
    long double most = t[0].most + t[1].most, over = -t[0].speed - t[1].speed - most;
    if (press && over > 0) t->speed = -fminl(most, fmaxl(0, -t->speed - over / 2));
    if (!press) t->speed = fmaxl(t->speed, -t->most);
    return *t;
}

static lump lump_of(const scene *s, int l, bool b) {
    const pv__batch *k = &s->lanes;
    pv__four v = s->bodies[b ? k->b[l] : k->a[l]].motion;
    if (!pv__batch_has(b ? k->moves_b : k->moves_a, l)) return (lump){{v[0], v[1]}, v[2], 0, 0};
    return (lump){
        {v[0], v[1]}, v[2], b ? k->mass_b[l] : k->mass_a[l], b ? k->inertia_b[l] : k->inertia_a[l]};
}

static long double approach(const touch *t, vec d, const lump *a, const lump *b) {
    vec va = {a->v.x - a->w * t->arm_a.y, a->v.y + a->w * t->arm_a.x};
    vec vb = {b->v.x - b->w * t->arm_b.y, b->v.y + b->w * t->arm_b.x};
    return dot((vec){vb.x - va.x, vb.y - va.y}, d);
}

static void push(const touch *t, vec d, long double j, lump *a, lump *b) {
    a->v = (vec){a->v.x - j * a->mass * d.x, a->v.y - j * a->mass * d.y};
    b->v = (vec){b->v.x + j * b->mass * d.x, b->v.y + j * b->mass * d.y};
    a->w -= j * a->inertia * cross(t->arm_a, d);
    b->w += j * b->inertia * cross(t->arm_b, d);
}

static bool near(long double got, long double wanted, long double scale) {
    return fabsl(got - wanted) <= 1e-10L * (fabsl(wanted) + scale);
}

START_TEST(gaps_arms_and_masses_are_measured) {
    uint64_t seed = 2;
    for (int k = 0; k < ROUNDS; k++) {
        scene s = random_scene(&seed, 0);
        pv__four gaps[2];
        do_stage(&pv__lanes_generic, &s, 0);
        pv__lanes_generic.gaps(&s.lanes, s.bodies, &s.extras[1], gaps);
        for (int l = 0; l < PV__LANES; l++) {
            for (int i = 0; i < s.lanes.points; i++) {
                const pv__batch_point *p = &s.lanes.point[i];
                touch t = touch_of(&s, l, i);
                ck_assert(near(gaps[i][l], t.gap, 1));
                ck_assert(near(p->across_a[l], cross(t.arm_a, t.n), 100));
                ck_assert(near(p->across_b[l], cross(t.arm_b, t.n), 100));
                ck_assert(near(p->along_a[l], cross(t.arm_a, turned(t.n)), 100));
                ck_assert(near(p->along_b[l], cross(t.arm_b, turned(t.n)), 100));
                ck_assert(near(p->speed[l], t.speed, 1000));
                ck_assert_int_eq(pv__batch_has(s.lanes.on[i], l), t.on);
            }
        }
    }
}

/// Returns the friction that holds a point or, beyond Coulomb's limit, what is left of it.
static long double allowed(const pv__batch *k, int l, long double held, long double load, bool was,
                           bool *slides) {
    long double most = k->kinetic_friction[l] * load;
    *slides = fabsl(held) > (was ? k->kinetic_friction[l] : k->static_friction[l]) * load;
    return *slides ? fmaxl(-most, fminl(held, most)) : held;
}

/// Returns the tangential speed per impulse at a point, while a normal impulse and a torque keep
/// normal speed and relative turn at zero. Sets the tangential speed that a torque gives per turn.
static long double flat_yield(const touch *t, const lump *a, const lump *b, long double *by_turn) {
    lump x[3][2];
    long double spin[3], along[3], across[3];
    for (int i = 0; i < 3; i++) {
        x[i][0] = (lump){{0, 0}, 0, a->mass, a->inertia};
        x[i][1] = (lump){{0, 0}, 0, b->mass, b->inertia};
        if (i < 2) push(t, i == 0 ? turned(t->n) : t->n, 1, &x[i][0], &x[i][1]);
    }
    x[2][0].w = -a->inertia;
    x[2][1].w = b->inertia;
    for (int i = 0; i < 3; i++) {
        spin[i] = x[i][1].w - x[i][0].w;
        across[i] = approach(t, t->n, &x[i][0], &x[i][1]);
        along[i] = approach(t, turned(t->n), &x[i][0], &x[i][1]);
    }
    *by_turn = spin[2] > 0 ? along[2] / spin[2] : 0;
    long double det = spin[1] * across[2] - spin[2] * across[1];
    if (det == 0) return along[0];
    return along[0] + along[1] * (spin[2] * across[0] - spin[0] * across[2]) / det +
           along[2] * (spin[0] * across[1] - spin[1] * across[0]) / det;
}

/// Tells whether two loads can stop the relative turn that an impulse at the first point causes.
static bool stays_flat(const touch *t, const lump *a, const lump *b, long double j,
                       const long double load[2]) {
    long double spin = j * (cross(t[0].arm_a, turned(t[0].n)) * a->inertia +
                            cross(t[0].arm_b, turned(t[0].n)) * b->inertia);
    long double width = cross(t[0].arm_a, t[0].n) - cross(t[1].arm_a, t[1].n);
    return fabsl(spin + b->w - a->w) <=
           fabsl(width) * (a->inertia + b->inertia) * fminl(load[0], load[1]);
}

/// Applies friction of two points of a face as one patch. Returns false if the face would tip.
static bool rub_flat(const pv__batch *k, int l, const touch *t, lump *a, lump *b,
                     long double after[2], bool slides[2]) {
    const pv__batch_point *p = k->point;
    long double load[2] = {p[0].impulse_n[l], p[1].impulse_n[l]},
                before = (long double)p[0].impulse_t[l] + p[1].impulse_t[l];
    long double by_turn, yields = flat_yield(&t[0], a, b, &by_turn),
                         slip = approach(&t[0], turned(t[0].n), a, b) - (b->w - a->w) * by_turn,
                         stop = -slip / yields;
    bool was = pv__batch_has(k->slides[0], l) && pv__batch_has(k->slides[1], l), slide;
    long double sum = allowed(k, l, before + stop, load[0] + load[1], was, &slide);
    if (dot(t[0].n, t[1].n) <= 0.9998L || !stays_flat(t, a, b, sum - before, load)) return false;
    slides[0] = slides[1] = slide;
    after[0] = load[0] + load[1] > 0 ? sum * load[0] / (load[0] + load[1]) : 0;
    after[1] = sum - after[0];
    for (int i = 0; i < 2; i++)
        push(&t[i], turned(t[i].n), after[i] - (long double)p[i].impulse_t[l], a, b);
    return true;
}

/// Applies Coulomb friction of one or two points. Sets the impulses, and whether each slides.
static void rub(const pv__batch *k, int l, const touch *t, lump *a, lump *b, long double after[2],
                bool slides[2]) {
    bool flat = k->points == 2 && rub_flat(k, l, t, a, b, after, slides);
    for (int i = 0; i < k->points; i++) {
        long double load = k->point[i].impulse_n[l], before = k->point[i].impulse_t[l];
        bool was = pv__batch_has(k->slides[i], l);
        if (!flat) {
            long double stop = -approach(&t[i], turned(t[i].n), a, b) / t[i].yields_t;
            after[i] = allowed(k, l, before + stop, load, was, &slides[i]);
            if (load <= 0) after[i] = 0;
            push(&t[i], turned(t[i].n), after[i] - before, a, b);
        }
        if (load <= 0) slides[i] = was;
    }
}

static void resist_rolling(const scene *s, int l, lump *a, lump *b) {
    const pv__batch *k = &s->lanes;
    long double whole = (long double)k->inertia_a[l] + k->inertia_b[l],
                before = s->extras[1].roll[l];
    if (!k->rolls || whole == 0) return;
    long double load =
        k->point[0].impulse_n[l] + (k->points == 2 ? k->point[1].impulse_n[l] : 0.0L);
    long double most = s->extras[1].rolling[l] * load;
    long double after = fmaxl(-most, fminl(before - (b->w - a->w) / whole, most));
    a->w -= (after - before) * a->inertia;
    b->w += (after - before) * b->inertia;
}

/// Applies the kernel's normal impulses. No point may pull, or approach faster than allowed.
static void check_normals(const scene *s, const pv__batch *before, int l, const touch *t, lump *a,
                          lump *b) {
    const pv__batch *k = &s->lanes;
    long double size = 0, slack = k->points == 2 ? 1e-5L : 0;
    for (int i = 0; i < k->points; i++) {
        long double change = (long double)k->point[i].impulse_n[l] - before->point[i].impulse_n[l];
        push(&t[i], t[i].n, change, a, b);
        size += fabsl(approach(&t[i], t[i].n, a, b)) + fabsl(t[i].speed);
    }
    for (int i = 0; i < k->points; i++) size += k->point[i].impulse_n[l] * t[i].stiffness;
    for (int i = 0; i < k->points; i++) {
        long double j = k->point[i].impulse_n[l];
        long double left =
            approach(&t[i], t[i].n, a, b) + t[i].speed + (t[i].soft + slack * t[i].stiffness) * j;
        ck_assert(j >= 0);
        if (!t[i].on) {
            ck_assert(k->point[i].impulse_n[l] == before->point[i].impulse_n[l]);
            continue;
        }
        ck_assert_msg(left > -1e-9L * size, "approaches by %g of %g", (double)left, (double)size);
        ck_assert_msg(j == 0 || left < 1e-9L * size, "pulls by %g of %g", (double)left,
                      (double)size);
    }
}

static bool whole(const pv__batch *k, int l) {
    return (k->mass_a[l] == 0 || pv__batch_has(k->moves_a, l)) && pv__batch_has(k->moves_b, l);
}

START_TEST(solving_is_coulomb_and_complementarity) {
    uint64_t seed = 3;
    for (int k = 0; k < ROUNDS; k++) {
        scene s = random_scene(&seed, 0), t;
        do_stage(&pv__lanes_generic, &s, 0);
        memcpy(&t, &s, sizeof t);
        do_stage(&pv__lanes_generic, &s, 3);
        for (int l = 0; l < PV__LANES; l++) {
            touch at[2] = {touch_of(&t, l, 0), touch_of(&t, l, t.lanes.points - 1)};
            lump a = lump_of(&t, l, false), b = lump_of(&t, l, true);
            long double after[2];
            bool slides[2];
            if (!whole(&t.lanes, l)) continue; /* its speed is not known */
            resist_rolling(&t, l, &a, &b);
            rub(&t.lanes, l, at, &a, &b, after, slides);
            for (int i = 0; i < s.lanes.points; i++) {
                ck_assert(near(s.lanes.point[i].impulse_t[l], after[i], 1e4));
                ck_assert_int_eq(pv__batch_has(s.lanes.slides[i], l), slides[i]);
            }
            check_normals(&s, &t.lanes, l, at, &a, &b);
            lump got_a = lump_of(&s, l, false), got_b = lump_of(&s, l, true);
            ck_assert(near(got_a.v.x, a.v.x, 1e3) && near(got_a.v.y, a.v.y, 1e3) &&
                      near(got_a.w, a.w, 1e2));
            ck_assert(near(got_b.v.x, b.v.x, 1e3) && near(got_b.v.y, b.v.y, 1e3) &&
                      near(got_b.w, b.w, 1e2));
        }
    }
}

/// Sets two points of which the first bears all load, and the second almost takes part.
static void lay_on_the_edge(uint64_t *seed, pv__batch *k, int l, double *loads) {
    pv__batch_point *p = &k->point[0], *q = &k->point[1];
    double mass = next_between(seed, 0.1, 0.4), lever_p = next_between(seed, 0.6, 1),
           lever_q = next_between(seed, -0.5, 0.5);
    k->mass_a[l] = mass;
    k->inertia_a[l] = p->nx[l] = q->nx[l] = 1;
    p->across_a[l] = lever_p;
    q->across_a[l] = lever_q;
    double yields_p = (mass + lever_p * lever_p) * (1 + 1e-5), cross = mass + lever_p * lever_q;
    double wanted = next_between(seed, 0, 10), other = cross * (wanted / yields_p);
    loads[l] = wanted / yields_p;
    for (int ulps = (int)next_between(seed, 0, 5); ulps > 0; ulps--)
        other = nextafter(other, happens(seed, 0.5) ? 1e9 : -1e9);
    p->speed[l] = -wanted;
    q->speed[l] = -other;
    pv__batch_set(&k->on[0], l, true);
    pv__batch_set(&k->on[1], l, true);
}

START_TEST(no_load_is_dropped_on_the_edge) {
    uint64_t seed = 9;
    for (int k = 0; k < 50 * ROUNDS; k++) {
        scene s = {.lanes = {.points = 2}};
        double loads[PV__LANES];
        for (int l = 0; l < PV__LANES; l++) lay_on_the_edge(&seed, &s.lanes, l, loads);
        do_stage(&pv__lanes_generic, &s, 3);
        for (int l = 0; l < PV__LANES; l++)
            ck_assert_double_eq_tol(s.lanes.point[0].impulse_n[l], loads[l], 1e-9 * loads[l]);
    }
}

/// Returns the chord's speed after an impact, or NaN without one. A point above the surface falls,
/// bounces with restitution e, and climbs back. Each way, v^2 = u^2 + 2 a s, with the gain as a.
static long double exit_speed(const scene *s, int l, const touch *t, const lump *a, const lump *b) {
    const pv__batch *k = &s->lanes;
    pv__four of_a = s->states[k->a[l]].gain, of_b = s->states[k->b[l]].gain;
    long double gain =
        dot((vec){(long double)of_b[0] - of_a[0], (long double)of_b[1] - of_a[1]}, t->n);
    long double h = s->sweep.h, e = k->restitution[l];
    long double chord = approach(t, t->n, a, b), start = chord - gain / 2,
                height = fmaxl(0, t->gap);
    long double at_touch = start * start - 2 * gain / h * height;
    bool bounces = chord < -s->sweep.bounce_speed && t->gap + chord * h < 0 && e > 0;
    bool sinks = chord < -0.25L / h && t->gap <= 0;
    if (!bounces && !sinks) return NAN;
    return sqrtl(fmaxl(0, e * e * fmaxl(0, at_touch) + 2 * gain / h * height)) + gain / 2;
}

START_TEST(what_is_hit_leaves_by_its_restitution) {
    uint64_t seed = 4;
    int hits = 0;
    for (int k = 0; k < ROUNDS; k++) {
        scene s = random_scene(&seed, 0), t;
        do_stage(&pv__lanes_generic, &s, 0);
        memcpy(&t, &s, sizeof t);
        do_stage(&pv__lanes_generic, &s, 1);
        bool any = false, hit = s.answer;
        for (int l = 0; l < PV__LANES; l++) {
            lump a = lump_of(&t, l, false), b = lump_of(&t, l, true), c = lump_of(&s, l, false),
                 d = lump_of(&s, l, true);
            for (int i = 0; i < s.lanes.points; i++) {
                touch at = touch_of(&t, l, i);
                long double leaves = exit_speed(&t, l, &at, &a, &b),
                            got = approach(&at, at.n, &c, &d);
                any |= !isnan(leaves);
                if (isnan(leaves) || !whole(&t.lanes, l)) continue;
                ck_assert(got > leaves - 1e-3L * (1 + fabsl(approach(&at, at.n, &a, &b))));
                if (s.lanes.points == 1) ck_assert(near(got, leaves, 100));
                hits++;
            }
        }
        ck_assert_int_eq(hit, any);
        t.answer = hit;
        if (!hit) ck_assert(same_bits(&s, &t));
    }
    ck_assert_int_gt(hits, ROUNDS / 2);
}

/* ---- conservation ---- */

/// Momentum, angular momentum about the origin, and the sums of their magnitudes
typedef struct balance {
    long double x, y, turning, size, turning_size;
} balance;

static balance weigh(const scene *s, int l) {
    const pv__batch *k = &s->lanes;
    balance sum = {0};
    for (int i = 0; i < 2; i++) {
        pv__four v = s->bodies[i ? k->b[l] : k->a[l]].motion,
                 at = s->bodies[i ? k->b[l] : k->a[l]].pose;
        long double m = 1 / (long double)(i ? k->mass_b[l] : k->mass_a[l]),
                    inertia = i ? k->inertia_b[l] : k->inertia_a[l],
                    w = inertia > 0 ? v[2] / inertia : 0;
        sum.x += m * v[0];
        sum.y += m * v[1];
        sum.turning += m * (at[0] * v[1] - (long double)at[1] * v[0]) + w;
        sum.size += m * (fabs(v[0]) + fabs(v[1]) + 50 * fabs(v[2]));
        sum.turning_size += 500 * m * (fabs(v[0]) + fabs(v[1]) + 50 * fabs(v[2])) + fabsl(w);
    }
    for (int i = 0; i < k->points; i++) {
        double given = fabs(k->point[i].impulse_n[l]) + fabs(k->point[i].impulse_t[l]);
        sum.size += given;
        sum.turning_size += 500 * given + (i ? 0 : fabs(s->extras[1].roll[l]));
    }
    return sum;
}

START_TEST(momentum_is_kept_to_rounding) {
    uint64_t seed = 5;
    int checked = 0;
    for (int k = 0; k < ROUNDS; k++) {
        scene s = random_scene(&seed, 0);
        do_stage(&pv__lanes_generic, &s, 0);
        for (int stage = 1; stage < 3 * STAGES; stage++) {
            balance before[PV__LANES];
            for (int l = 0; l < PV__LANES; l++) before[l] = weigh(&s, l);
            if (stage % STAGES) do_stage(&pv__lanes_generic, &s, stage % STAGES);
            for (int l = 0; l < PV__LANES; l++) {
                balance after = weigh(&s, l);
                bool turn_both = s.lanes.inertia_a[l] > 0;
                long double size = before[l].size + after.size,
                            turning_size = before[l].turning_size + after.turning_size;
                if (!whole(&s.lanes, l) || s.lanes.mass_a[l] == 0) continue;
                ck_assert(fabsl(after.x - before[l].x) <= 1e-14L * size);
                ck_assert(fabsl(after.y - before[l].y) <= 1e-14L * size);
                if (turn_both)
                    ck_assert(fabsl(after.turning - before[l].turning) <= 1e-14L * turning_size);
                checked++;
            }
        }
    }
    ck_assert_int_gt(checked, ROUNDS);
}

/// Copies a lane of all pv__four members in a range of a struct.
static void copy_fours(void *to, int at, const void *from, int l, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += sizeof(pv__four))
        memcpy((char *)to + i + 8 * (size_t)at, (const char *)from + i + 8 * (size_t)l, 8);
}

/// Copies a lane to another batch, except for its approach.
static void copy_lane(pv__batch *to, int at, const pv__batch *from, int l) {
    to->a[at] = from->a[l];
    to->b[at] = from->b[l];
    to->manifold[at] = from->manifold[l];
    to->first[at] = from->first[l];
    for (size_t i = offsetof(pv__batch, lock_ax); i <= offsetof(pv__batch, idle); i++)
        pv__batch_set((uint8_t *)to + i, at, pv__batch_has(((const uint8_t *)from)[i], l));
    copy_fours(to, at, from, l, offsetof(pv__batch, given), offsetof(pv__batch, manifold));
    copy_fours(to, at, from, l, offsetof(pv__batch, mass_a), offsetof(pv__batch, approach));
}

/// Returns a batch with a single lane of another.
static pv__batch alone(const pv__batch *from, int l, int at) {
    scene s = {.lanes = {.points = from->points, .rolls = from->rolls}};
    for (int i = 0; i < PV__LANES; i++) clear_lane(&s, i);
    copy_lane(&s.lanes, at, from, l);
    return s.lanes;
}

static bool same_body(const scene *s, const scene *t, int body) {
    return memcmp(&s->bodies[body], &t->bodies[body], sizeof s->bodies[body]) == 0;
}

START_TEST(nothing_changes_in_idle_and_empty_lanes) {
    uint64_t seed = 10;
    int idle = 0, empty = 0;
    for (int k = 0; k < ROUNDS; k++) {
        scene s = random_scene(&seed, 0.1), t;
        memcpy(&t, &s, sizeof t);
        for (int stage = 0; stage < 3 * STAGES; stage++)
            do_stage(&pv__lanes_generic, &s, stage % STAGES);
        for (int l = 0; l < PV__LANES; l++) {
            bool is_empty = s.lanes.manifold[l] < 0;
            if (!is_empty && !pv__batch_has(s.lanes.idle, l)) continue;
            for (int i = 0; i < s.lanes.points; i++) {
                const pv__batch_point *p = &s.lanes.point[i], *q = &t.lanes.point[i];
                ck_assert(p->impulse_n[l] == q->impulse_n[l] && p->impulse_t[l] == q->impulse_t[l]);
                ck_assert(is_empty || pv__batch_has(s.lanes.slides[i], l) ==
                                          pv__batch_has(t.lanes.slides[i], l));
            }
            ck_assert(s.extras[1].roll[l] == t.extras[1].roll[l]);
            ck_assert(same_body(&s, &t, s.lanes.a[l]) && same_body(&s, &t, s.lanes.b[l]));
            *(is_empty ? &empty : &idle) += 1;
        }
    }
    ck_assert(idle > ROUNDS / 10 && empty > ROUNDS / 10);
}

START_TEST(moving_is_by_velocity_and_turn) {
    uint64_t seed = 8;
    for (int k = 0; k < ROUNDS; k++) {
        double angle = next_between(&seed, -4, 4), h = power(&seed, -4, -1),
               spin = next_between(&seed, -40, 40);
        pv__solver_body m = {{next_between(&seed, -1e3, 1e3), next_between(&seed, -1e3, 1e3), spin,
                              0},
                             {next_between(&seed, -1e3, 1e3), 7, cos(angle), sin(angle)}},
                        from = m;
        pv__lanes_generic.move_one(&m, h);
        long double by = fmaxl(-1.57L, fminl(h * spin, 1.57L));
        ck_assert(near(m.pose[0], from.pose[0] + h * from.motion[0], 1));
        ck_assert(near(m.pose[1], from.pose[1] + h * from.motion[1], 1));
        ck_assert(fabsl(m.pose[2] - cosl(angle + by)) < 1e-15L &&
                  fabsl(m.pose[3] - sinl(angle + by)) < 1e-15L);
        ck_assert_double_eq_tol(m.pose[2] * m.pose[2] + m.pose[3] * m.pose[3], 1, 1e-15);
        ck_assert_int_eq(memcmp(&m.motion, &from.motion, sizeof m.motion), 0);
    }
}

/* ---- packing ---- */

/// Returns a world of boxes, discs and planks that fell on each other.
static pv_world *heap(uint64_t seed, int count, int steps) {
    pv_world *w = WORLD(it.enable_sleep = false);
    put(w, box_mask(400, 20), 100, 210, of_type(PV_BODY_STATIC));
    for (int i = 0; i < count; i++) {
        pv_body_def def = pv_body_def_default();
        int size = 8 + (int)(next_unit(&seed) * 20);
        def.angle = i % 3 ? 6 * next_unit(&seed) : 0;
        double x = 200 * next_unit(&seed), y = 200 * next_unit(&seed) - 100;
        put(w, i % 2 ? disc_mask(size / 2) : box_mask(size, i % 4 ? size : 6), x, y, def);
    }
    for (int i = 0; i < steps; i++) pv_world_step(w, 1.0 / 60);
    return w;
}

/// Makes all bodies of a heap movable again, including those that were quiet in the last step.
static void rouse(pv_world *w) {
    for (int i = 0; i < w->bodies.awake_count; i++)
        w->solver.states[w->bodies.awake[i] + 1].quiet = false;
}

static bool is_movable(const pv_world *w, int mover) {
    return mover > 0 && w->bodies.items[mover - 1].inverse_mass > 0 &&
           !w->solver.states[mover].quiet;
}

START_TEST(every_point_that_moves_is_in_one_lane) {
    for (uint64_t seed = 1; seed <= 8; seed++) {
        scoped_world *w = heap(seed, 60, 10 * (int)seed);
        for (int i = 0; i < w->manifolds.active_count; i++) {
            const pv__manifold *m = &w->manifolds.items[w->manifolds.active[i]];
            int times[PV__MANIFOLD_POINTS] = {0};
            bool moves = is_movable(w, m->a + 1) || is_movable(w, m->b + 1);
            for (int k = 0; k < w->solver.batch_count; k++)
                for (int l = 0; l < PV__LANES; l++)
                    for (int p = 0; p < w->solver.batches[k].points; p++)
                        if (w->solver.batches[k].manifold[l] == w->manifolds.active[i])
                            times[w->solver.batches[k].first[l] + p]++;
            /* a body that became quiet in this step may still be there */
            bool may =
                w->bodies.items[m->a].inverse_mass > 0 || w->bodies.items[m->b].inverse_mass > 0;
            for (int p = 0; p < PV__MANIFOLD_POINTS; p++) {
                ck_assert_int_ge(times[p], moves && p < m->count);
                ck_assert_int_le(times[p], may && p < m->count);
            }
        }
    }
}

/// Solves one measured part in a batch of its own.
static void solve_alone(const pv_world *w, const pv__batch_part *part, pv__solver_body *bodies,
                        const pv__sweep *sweep) {
    for (int k = 0; k < w->solver.batch_count; k++)
        for (int l = 0; l < PV__LANES; l++) {
            const pv__batch *from = &w->solver.batches[k];
            if (from->manifold[l] != part->manifold || from->first[l] != part->first) continue;
            pv__batch one = alone(from, l, l);
            pv__batch_extra extras[2] = {w->solver.extras[0], w->solver.extras[from->extra]};
            pv__sweep own = *sweep;
            one.extra = from->extra > 0;
            own.batches = &one;
            own.extras = extras;
            pv__lanes_generic.solve(&(int){0}, 1, false, bodies, &own);
        }
}

static double rim_speed(const pv__solver_state *c) {
    return fabs(c->was[0]) + fabs(c->was[1]) + fabs(c->was[2]) * c->reach;
}
static bool comes_in_any_order(const pv_world *w, const pv__batch_part *part) {
    return fmin(rim_speed(&w->solver.states[part->a]), rim_speed(&w->solver.states[part->b])) > 20;
}

/// Returns the batch level of a part. A level has two shelves for each strip.
static int level_of(const pv_world *w, const pv__batch_part *part) {
    return part->shelf / (2 * w->solver.strip_count);
}

/// Solves all parts alone, in order or level by level. Returns how many may come in any order.
static int solve_parts(const pv_world *w, pv__solver_body *bodies, const pv__sweep *sweep) {
    int last = 0, any = 0;
    for (int i = 0; i < w->solver.packed_count; i++) {
        const pv__batch_part *part = &w->solver.packed[i];
        any += comes_in_any_order(w, part);
        if (level_of(w, part) > last) last = level_of(w, part);
    }
    for (int level = 0; level <= (any ? last : 0); level++)
        for (int i = 0; i < w->solver.packed_count; i++)
            if (!any || level_of(w, &w->solver.packed[i]) == level)
                solve_alone(w, &w->solver.packed[i], bodies, sweep);
    return any;
}

START_TEST(a_sweep_over_batches_is_one_over_pairs) {
    int parts = 0, in_any_order = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        scoped_world *w = heap(seed, 60, seed % 2 ? 20 * (int)seed : 600);
        size_t size = (size_t)(w->bodies.count + 1) * sizeof(pv__solver_body);
        scoped_memory pv__solver_body *by_pairs = malloc(size);
        pv__sweep sweep = {.h = w->dt,
                           .bounce_speed = w->def.restitution_threshold,
                           .hit_speed = w->def.hit_event_threshold,
                           .spring = w->solver.spring,
                           .fixed_spring = w->solver.fixed_spring,
                           .states = w->solver.states};
        rouse(w);
        pv__batch_pack(w);
        sweep.batches = w->solver.batches;
        sweep.extras = w->solver.extras;
        sweep.marks = w->solver.marks;
        pv__lanes_generic.measure(w->solver.sweep, w->solver.batch_count, w->solver.bodies, &sweep);
        memcpy(by_pairs, w->solver.bodies, size);
        in_any_order += solve_parts(w, by_pairs, &sweep) > 0;
        pv__lanes_generic.solve(w->solver.sweep, w->solver.batch_count, false, w->solver.bodies,
                                &sweep);
        parts += w->solver.packed_count;
        ck_assert_int_eq(memcmp(by_pairs, w->solver.bodies, size), 0);
    }
    ck_assert_int_gt(parts, 100);
    ck_assert_int_gt(in_any_order, 0);
    ck_assert_int_lt(in_any_order, 8);
}

START_TEST(impulses_come_back_from_the_lanes) {
    scoped_world *w = heap(5, 60, 60);
    pv__batch_pack(w);
    for (int i = 0; i < w->solver.batch_count; i++)
        for (int p = 0; p < 2; p++)
            for (int l = 0; l < PV__LANES; l++) {
                w->solver.batches[i].point[p].impulse_n[l] =
                    1000 * w->solver.batches[i].manifold[l] + w->solver.batches[i].first[l] + p;
                pv__batch_set(&w->solver.batches[i].slides[p], l, l % 2);
            }
    pv__batch_unpack(w);
    for (int i = 0; i < w->manifolds.active_count; i++) {
        const pv__manifold *m = &w->manifolds.items[w->manifolds.active[i]];
        if (!is_movable(w, m->a + 1) && !is_movable(w, m->b + 1)) continue;
        for (int p = 0; p < m->count; p++)
            ck_assert_double_eq(m->points[p].impulse_n, 1000 * w->manifolds.active[i] + p);
    }
}

/// Speed of a moving surface [px/s]
enum { BELT = 50 };

/// Returns a world with a row of bodies on the ground, of four, two, two and two contacts. The
/// first stands at a step, and its surface begins to move in the next step.
static pv_world *row_on_the_ground(const pv_allocator *allocator, pv_body_id *first) {
    pv_world *w = WORLD(it.enable_sleep = false, it.allocator = *allocator);
    pv_mask *ground = box_mask(400, 32); /* the notch at the bottom keeps its center */
    pv_mask_fill_rect(ground, (pv_rect){0, 0, 76, 6}, false);
    pv_mask_fill_rect(ground, (pv_rect){80, 0, 320, 6}, false);
    pv_mask_fill_rect(ground, (pv_rect){0, 26, 320, 6}, false);
    pv_mask_fill_rect(ground, (pv_rect){324, 26, 76, 6}, false);
    put(w, ground, 100, 210, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 4; i++) {
        pv_body_id b =
            put(w, box_mask(i % 3 ? 16 : 40, 16), i < 3 ? 40 * i : 130, 191, pv_body_def_default());
        if (i == 0) *first = b;
    }
    for (int i = 0; i < 20; i++) pv_world_step(w, 1.0 / 60);
    pv_body_set_tangent_speed(w, *first, BELT);
    return w;
}

/// Steps, and checks that only lanes of body 2 and of the last one have a surface speed.
static void check_belts(pv_world *w, int last, int points) {
    ck_assert_int_eq(pv_world_step(w, 1.0 / 60), PV_OK);
    for (int i = 0; i < w->solver.batch_count; i++) {
        const pv__batch *k = &w->solver.batches[i];
        for (int l = 0; l < PV__LANES; l++) {
            int body = k->a[l] > k->b[l] ? k->a[l] : k->b[l];
            bool moves = k->manifold[l] >= 0 && (body == 2 || body == last);
            ck_assert_double_eq(fabs(w->solver.extras[k->extra].belt[l]), moves ? BELT : 0);
            points -= moves && body == last ? k->points : 0;
        }
    }
    ck_assert_int_eq(points, 0);
}

static pv_presolve_result move_last(void *user_data, const pv_world *w, pv_presolve_contact *c) {
    (void)user_data, (void)w;
    if (c->b.index == 5) c->tangent_speed = BELT;
    return PV_PRESOLVE_COLLIDE;
}

START_TEST(blocks_have_extra_data_if_they_need_it) {
    scoped_purse p = {0};
    pv_allocator allocator = {purse_alloc, &p};
    pv_body_id first;
    scoped_world *w = row_on_the_ground(&allocator, &first);
    ck_assert_int_gt(w->solver.batch_count, 0);
    for (int i = 0; i < w->solver.batch_count; i++) ck_assert_int_eq(w->solver.batches[i].extra, 0);
    check_belts(w, 2, 4);
    pv_world_set_presolve_callback(w, move_last, NULL);
    check_belts(w, 5, 2); /* a batch with extra data, and one without */
    ck_assert_double_ne(pv_body_get_velocity(w, first).x, 0);
}

START_TEST(without_memory_for_extra_data_a_step_says_so) {
    for (long nth = 1, done = 0; !done; nth++) {
        purse p = {0};
        pv_allocator allocator = {purse_alloc, &p};
        pv_body_id first;
        scoped_world *w = row_on_the_ground(&allocator, &first);
        w->solver.extra_capacity = 1; /* so that the next extra data need an allocation */
        p.fail_at = p.calls + nth;
        pv_status s = pv_world_step(w, 1.0 / 60);
        done = p.calls < p.fail_at;
        p.fail_at = 0;
        ck_assert_int_eq(s, done ? PV_OK : PV_ERROR_MEMORY);
        for (int i = 0; i < 5; i++) ck_assert_int_eq(pv_world_step(w, 1.0 / 60), PV_OK);
        ck_assert_double_ne(pv_body_get_velocity(w, first).x, 0);
        ck_assert(nth > 1 || !done);
    }
}

RUN_TESTS("contact_batch")
