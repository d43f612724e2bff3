/* speed_still.c - steps where one body of a heap at rest is poked, beside those at rest.
 *
 * Invariant: heaps have ten seconds to come to rest, and none of their bodies sleeps.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>

/// Number of bodies from one poked body to the next
enum { STRIDE = 149 };

/// Speed of a poke [px/s]
static const double KICK = 1;

/// Time for a heap to come to rest, and of the measurement [s]
static const double SETTLE_TIME = 16, MEASURE_TIME = 4;

/// Kicks one body sideways, a different one in each step.
static void poke(side *s) {
    pv_world *w = s->world;
    int wanted = (int)(s->steps * STRIDE % pv_world_get_stats(w).bodies);
    pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0});
    for (int i = 0; i < wanted; i++) b = pv_world_get_next_body(w, b);
    if (pv_body_get_type(w, b) != PV_BODY_DYNAMIC) return;
    pv_vec2 v = pv_body_get_velocity(w, b);
    pv_body_set_velocity(w, b, (pv_vec2){v.x + (s->steps % 2 ? KICK : -KICK), v.y});
}

/// Opens a heap, or the pyramid if it has no bodies, and lets it come to rest.
static void open_rest(scene *s, const heap *h) {
    if (h->count > 0)
        open_heap(s, h);
    else
        open_pyramid(s, h->columns, 0);
    settle(&s->ours, 600, SETTLE_TIME);
}

/// Reports steps in which one body is poked, beside those of the same heap at rest.
static void measure_poked(const heap *h) {
    if (!wanted(h->name)) return;
    scene rest, poked;
    double times[2];
    open_rest(&rest, h);
    open_rest(&poked, h);
    poked.ours.act = poke;
    measure_steps((subject[]){{run_side, &rest.ours, NULL}, {run_side, &poked.ours, NULL}},
                  (long[]){STEPS, STEPS}, 2, MEASURE_TIME, times);
    report(&(row){h->name, "ms", times[1], 1.3 * times[0], times[0], "at rest"});
    close_scene(&rest);
    close_scene(&poked);
}

void speed_still(void) {
    outline disc = outline_disc(16), star = outline_star(32), c = outline_letter_c(32);
    const heap heaps[] = {{.name = "poked_pyramid_40", .columns = 40},
                          {"poked_circles_1000", {&disc}, 1000, 40, 17, 0, 0},
                          {"poked_concave_500", {&star, &c}, 500, 25, 34, 0, 0}};
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) measure_poked(&heaps[i]);
    outline_free(&disc);
    outline_free(&star);
    outline_free(&c);
}
