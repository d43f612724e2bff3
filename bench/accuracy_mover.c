/* accuracy_mover.c - platform characters: crushes end, roofs hold, lifts carry, and paths off
 * ledges and down steep slopes follow formulas.
 *
 * Invariant: every figure is the worst over random sizes and speeds from the setting's seed. Rates
 * are 30, 60, 144 and 240 steps per second. Movers are upright, so no scene is turned.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

static const double pull = 900;
static const int rates[] = {30, 60, 144, 240};
enum { RATES = sizeof rates / sizeof *rates };

static int trials(const setting *how, int count) { return how->quick ? (count + 3) / 4 : count; }

static setting upright(const setting *how) {
    setting s = *how;
    s.turn = 0;
    return s;
}

static pv_mover mover_of(int w, int h, double x, double y) {
    pv_mover m = pv_mover_default();
    m.mask = mask_box(w, h);
    m.pivot = (pv_vec2){w / 2, h};
    m.position = (pv_vec2){x, y};
    return m;
}

/// Steps the world and then the mover. An error sets NaN, which fails the row.
static void play(yard *y, pv_mover *m, double speed, int rate) {
    double dt = 1.0 / rate;
    yard_step(y, dt);
    pv_vec2 velocity = {speed, m->velocity.y + pull * dt};
    if (pv_mover_move(y->world, m, velocity, dt) != PV_OK) m->position.y = NAN;
}

/// Lowers a mover to the last pixel at which it fits.
static void put_down(yard *y, pv_mover *m) {
    while (pv_mover_fits(y->world, m, NULL, m->pivot)) m->position.y++;
    m->position.y--;
}

static void end(yard *y, pv_mover *m) {
    pv_mask_release((pv_mask *)m->mask);
    yard_close(y);
}

/// Measures the longest crush under a lift or crate, and how far a walk of a second falls short
/// afterward.
static void crush(const setting *how, yard *dice, int rate, bool lifted, double *longest,
                  double *missing) {
    yard y = yard_open(how, lifted ? GRAVITY : pull);
    int w = (int)yard_uniform(dice, 12, 40), h = (int)yard_uniform(dice, 24, 80);
    double size = yard_uniform(dice, 24, 60), high = lifted ? 100 : size, from = 0, speed;
    double low = 250 - h - high, bottom = 500 - 0.5 * high - 0.4 * h;
    yard_put(&y, PV_BODY_STATIC, mask_box(4000, 20), 0, 510, 0, plain);
    pv_body_id press =
        yard_put(&y, lifted ? PV_BODY_KINEMATIC : PV_BODY_DYNAMIC, mask_box((int)size, (int)high),
                 yard_uniform(dice, -8, 8), low, 0, plain);
    pv_mover m = mover_of(w, h, 0, 500);
    speed = yard_uniform(dice, 100, 300);
    double at = low, x = pv_body_get_position(y.world, press).x;
    for (int i = 0; i < 8 * rate; i++) {
        if (i < 4 * rate) at = fmin(at + speed / rate, bottom);
        if (i >= 4 * rate) at = fmax(at - speed / rate, low);
        if (lifted) pv_body_move_to(y.world, press, (pv_vec2){x, at}, 0, 1.0 / rate);
        if (i == 7 * rate) from = m.position.x;
        play(&y, &m, i < 7 * rate ? 0 : m.position.x < x ? -150 : 150, rate);
        *longest = fmax(*longest, isnan(m.position.y) ? NAN : m.crush_time);
    }
    *missing = fmax(*missing, 150 - fabs(m.position.x - from));
    end(&y, &m);
}

static void run_crush(const setting *given, double lifted, double *values) {
    setting how = upright(given);
    yard dice = yard_open(&how, 0);
    values[0] = values[1] = 0;
    for (int i = 0; i < trials(&how, 16 * RATES); i++)
        crush(&how, &dice, rates[i % RATES], lifted != 0, &values[0], &values[1]);
    yard_close(&dice);
}

/// Returns the deviation from a free fall that begins with the first step beyond a ledge.
static double ledge_error(const setting *how, yard *dice, int rate) {
    yard y = yard_open(how, 0);
    int w = (int)yard_uniform(dice, 4, 40), h = (int)yard_uniform(dice, 8, 60), count = 0;
    double speed = yard_uniform(dice, 20, 400), worst = 0;
    yard_put(&y, PV_BODY_STATIC, mask_box(200, 40), 0, 120, 0, plain);
    pv_mover m = mover_of(w, h, 0, 96);
    for (int i = 0; i < rate; i++) play(&y, &m, 0, rate);
    double top = m.position.y;
    for (int i = 0; i < 4 * rate && count < rate / 2; i++) {
        play(&y, &m, speed, rate);
        count += !m.grounded;
        double fallen = 0.5 * pull * count * (count + 1) / rate / rate;
        worst = fmax(worst, isnan(m.position.y) ? NAN : fabs(m.position.y - top - fallen));
    }
    end(&y, &m);
    return count > 0 ? worst : NAN;
}

static void run_ledge(const setting *given, double unused, double *values) {
    setting how = upright(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 16 * RATES); i++)
        values[0] = fmax(values[0], ledge_error(&how, &dice, rates[i % RATES]));
    yard_close(&dice);
}

static pv_mask *mask_ramp(int w, int h) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    for (int x = 0; x < w; x++)
        pv_mask_fill_rect(mask, (pv_rect){x, x * h / w, 1, h - x * h / w}, true);
    return mask;
}

/// Returns the error of the slide g sin^2 / 2 t^2 down a slope steeper than the mover's limit [%].
static double slide_error(const setting *how, yard *dice, int rate) {
    yard y = yard_open(how, 0);
    double angle = yard_uniform(dice, 0.7, 1.2), square = sin(angle) * sin(angle), seconds = 0.6;
    int h = 600, w = (int)(h / tan(angle));
    pv_mask *ramp = mask_ramp(w, h);
    pv_vec2 c = pv_mask_compute_mass(ramp).centroid;
    yard_put(&y, PV_BODY_STATIC, ramp, c.x, c.y, 0, plain);
    pv_mover m = mover_of(9, 20, 24, 10);
    m.max_slope = angle - 0.1;
    for (int i = 0; i < rate && !m.sliding; i++) play(&y, &m, 0, rate);
    double from = m.position.y, speed = m.velocity.y;
    int steps = (int)(seconds * rate);
    for (int i = 0; i < steps; i++) play(&y, &m, 0, rate);
    seconds = (double)steps / rate;
    double expected = speed * seconds + 0.5 * pull * square * seconds * (seconds + 1.0 / rate);
    double error = 100 * fabs((m.position.y - from) / expected - 1);
    bool slid = m.sliding && !m.grounded;
    end(&y, &m);
    return slid ? error : NAN;
}

static void run_slide(const setting *given, double unused, double *values) {
    setting how = upright(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 16 * RATES); i++)
        values[0] = fmax(values[0], slide_error(&how, &dice, rates[i % RATES]));
    yard_close(&dice);
}

/// Lets a mover stand up under a low static roof. Counts the moves of a second in which it leaves
/// the ground or is not reported as crushed.
static int roof_faults(const setting *how, yard *dice, int rate) {
    yard y = yard_open(how, pull);
    int gap = (int)yard_uniform(dice, 6, 40), thick = (int)yard_uniform(dice, 1, 40), faults = 0;
    int w = (int)yard_uniform(dice, 4, 30), tall = gap + (int)yard_uniform(dice, 2, 40);
    yard_put(&y, PV_BODY_STATIC, mask_box(400, 20), 0, 510, 0, plain);
    yard_put(&y, PV_BODY_STATIC, mask_box(400, thick), 0, 500 - gap - 0.5 * thick, 0, plain);
    pv_mover m = mover_of(w, gap - 1, 0, 500);
    put_down(&y, &m);
    double floor = m.position.y;
    play(&y, &m, 0, rate);
    pv_mask_release((pv_mask *)m.mask);
    m.mask = mask_box(w, tall);
    m.pivot.y = tall;
    for (int i = 0; i < rate; i++) {
        play(&y, &m, 0, rate);
        faults += !(m.crushed && m.position.y == floor);
    }
    end(&y, &m);
    return faults;
}

/// Returns the most faults of any trial.
static double most_faults(const setting *given, int (*faults)(const setting *, yard *, int)) {
    setting how = upright(given);
    yard dice = yard_open(&how, 0);
    double most = 0;
    for (int i = 0; i < trials(&how, 16 * RATES); i++)
        most = fmax(most, faults(&how, &dice, rates[i % RATES]));
    yard_close(&dice);
    return most;
}

static void run_roof(const setting *given, double unused, double *values) {
    (void)unused;
    values[0] = most_faults(given, roof_faults);
}

/// Counts the moves in which a mover on a lift, which goes down first, loses the ground.
static int sink_faults(const setting *how, yard *dice, int rate) {
    yard y = yard_open(how, pull);
    double speed = yard_uniform(dice, 1, 6), walk = yard_uniform(dice, -100, 100), at = 0;
    int turn = (int)yard_uniform(dice, 10, 60), faults = 0;
    pv_body_id lift = yard_put(&y, PV_BODY_KINEMATIC, mask_box(4000, 20), 0, 10, 0, plain);
    pv_mover m = mover_of((int)yard_uniform(dice, 4, 40), (int)yard_uniform(dice, 8, 60), 0, -4);
    put_down(&y, &m);
    for (int i = 0; i < 600; i++) {
        at += i / turn % 2 ? -speed : speed;
        pv_body_move_to(y.world, lift, (pv_vec2){0, 10 + at}, 0, 1.0 / rate);
        play(&y, &m, i / 50 % 2 ? walk : -walk, rate);
        faults += !m.grounded || isnan(m.position.y);
    }
    end(&y, &m);
    return faults;
}

static void run_sink(const setting *given, double unused, double *values) {
    (void)unused;
    values[0] = most_faults(given, sink_faults);
}

const test tests_mover[] = {
    {"mover_lift", run_crush, 1, {{"crushed", "s", 0.27}, {"walk", "px short", 1}}, .rests = false},
    {"mover_crate",
     run_crush,
     0,
     {{"crushed", "s", 0.27}, {"walk", "px short", 1}},
     .rests = false},
    {"mover_ledge", run_ledge, 0, {{"error", "px", 1e-6}}, .rests = false},
    {"mover_roof", run_roof, 0, {{"faults", "moves", 0}}, .rests = false},
    {"mover_sink", run_sink, 0, {{"in the air", "moves", 0}}, .rests = false},
    {"mover_slide", run_slide, 0, {{"error", "%", 5}}, .rests = false},
    {.name = NULL},
};
