/* mover_escape.c - moves a mover out of bodies that have moved into it.
 *
 * Invariant: at its new place the mover shares no pixel with a body that holds it. Otherwise it
 * stays at its old place.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "mover/mover.h"

/// Greatest distance of the search for a free place, for any size of the mover [px]
enum { ESCAPE_FAR = 2 * PV__MOVER_PIXELS, SIDE = 2 * ESCAPE_FAR + 1 };

/* ---- along a straight line ---- */

static pv_vec2 way_in(const pv__walk *w, const pv__obstacle *o) {
    pv_vec2 middle = pv__vec(w->x + 0.5 * w->bits->w, w->y + 0.5 * w->bits->h);
    pv_vec2 way = pv__mul(w->dt, pv__mover_velocity_of(w, o->index, middle));
    return pv__vec(pv__clamp(way.x, -PV__CARRIED, PV__CARRIED),
                   pv__clamp(way.y, -PV__CARRIED, PV__CARRIED));
}

/// Tells whether a one-way body moved into the mover with its front, so that it lifts the mover.
static bool has_lifted(const pv__walk *w, const pv__obstacle *o) {
    pv_vec2 front = pv__rotate(o->body->pose.turn, o->body->one_way), way = way_in(w, o);
    if (pv__dot(front, way) <= 0) return false;
    pv_vec2 back = pv__add(way, front);
    pv__obstacle whole; /* gathered sprites are cut to the area */
    return pv__mover_take(w, o->index, &whole) &&
           !pv__mover_hits(w, &whole, w->x + (int)pv__floor(back.x + 0.5),
                           w->y + (int)pv__floor(back.y + 0.5));
}

/// Tells whether the mover has to get out of an obstacle that shares pixels with it at its place.
static bool catches(pv__walk *w, pv__obstacle *o) {
    if (pv__mover_obstacle_is_one_way(o) &&
        (w->mover->drop_through || (o->index != w->ground && !has_lifted(w, o))))
        return false;
    pv_vec2 from = pv__direction(pv__mul(-1, way_in(w, o)));
    return !pv__mover_goes_through(w, o, from.x == 0 && from.y == 0 ? pv__vec(0, 1) : from);
}

/// Returns the pixel of the mover that no push may move into a static body. In the air it is the
/// middle, otherwise it is at the feet, above the steps that the mover climbs.
static pv_point escape_core(const pv__walk *w) {
    pv_point core = {w->bits->w / 2, w->bits->h / 2};
    pv__run run = {0, 0};
    int y = w->bits->h - 1;
    if (w->ground < 0 && !w->mover->crushed) return core;
    while (y > core.y && !pv__mask_run_next(w->bits, y, &run)) {
        run.end = 0;
        y--;
    }
    if (y > core.y) core.x = (run.start + run.end) / 2;
    return (pv_point){core.x, pv__later(y - w->mover->step_height, core.y)};
}

static bool covers(const pv__obstacle *o, int x, int y) {
    uint64_t word = 1;
    pv__bits pixel = {1, 1, &word};
    pv__sprite at = {.bits = &pixel, .rect = {x, y, 1, 1}, .upright = true};
    return pv__rect_meet(o->sprite.rect, at.rect).w > 0 && pv__placed_sprites_hit(&o->sprite, &at);
}

/// Tells whether a push to a place moves the mover's core into an overlapped static body.
static bool goes_across(const pv__walk *w, const pv__obstacle *o, int x, int y) {
    if (pv_body_get_type(w->world, pv__index_handle(w->world, o->index)) != PV_BODY_STATIC)
        return false;
    pv_point core = escape_core(w);
    return covers(o, x + core.x, y + core.y) && !covers(o, w->x + core.x, w->y + core.y);
}

typedef enum room_at { FREE, CAUGHT, SHUT } room_at;

/// Tells whether a place to which a step leads is free, caught in overlapping bodies, or shut.
static room_at look(pv__walk *w, int x, int y, int dx, int dy) {
    pv__obstacle *o;
    room_at found = FREE;
    for (int k = 0; (o = pv__mover_next_hit(w, &k, x, y));) {
        bool overlaps = pv__mover_hits(w, o, w->x, w->y);
        if (overlaps ? !catches(w, o) : pv__mover_lets_pass(w, o, dx, dy, false)) continue;
        if (!overlaps || goes_across(w, o, x, y)) return SHUT;
        found = CAUGHT;
    }
    return found;
}

bool pv__mover_is_free(pv__walk *w) { return look(w, w->x, w->y, 0, 0) == FREE; }

/// Returns the number of steps that lead out, or 0 if there is no way.
static int steps_out(pv__walk *w, int dx, int dy, int limit) {
    room_at at = CAUGHT;
    int k = 0;
    while (at == CAUGHT && k < limit) {
        k++;
        at = look(w, w->x + k * dx, w->y + k * dy, dx, dy);
    }
    return at == FREE ? k : 0;
}

static void put_out(pv__walk *w, int dx, int dy) {
    w->x += dx;
    w->y += dy;
    if (dx != 0) w->rest.x = 0;
    if (dy != 0) w->rest.y = 0;
}

/// Tells whether the mover shares pixels with a body that cannot let it pass. A one-way body can
/// let it pass if there is no way out.
static bool is_held(pv__walk *w) {
    pv__obstacle *o;
    for (int k = 0; (o = pv__mover_next_hit(w, &k, w->x, w->y));)
        if (!pv__mover_obstacle_is_one_way(o) && catches(w, o)) return true;
    return false;
}

bool pv__mover_push_out(pv__walk *w) {
    static const int ways[8][2] = {{0, -1},  {-1, 0}, {1, 0},  {0, 1},
                                   {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    int best = 0, best_x = 0, best_y = 0;
    if (pv__mover_is_free(w)) return true;
    int lift = w->standing
                   ? steps_out(w, 0, -1, pv__sooner(w->mover->step_height, w->mover->max_push_out))
                   : 0;
    for (int i = 0; i < 8 && lift == 0; i++) {
        int dx = ways[i][0], dy = ways[i][1], k = steps_out(w, dx, dy, w->mover->max_push_out);
        int size = k * k * (dx * dx + dy * dy);
        if (size == 0 || (best > 0 && size >= best)) continue;
        best = size;
        best_x = k * dx;
        best_y = k * dy;
    }
    put_out(w, best_x, best_y - lift);
    return best > 0 || lift > 0 || !is_held(w);
}

/* ---- along any path ---- */

/// Set of places around the mover's place, with a bit for each displacement in whole pixels
typedef struct places {
    uint64_t row[SIDE][SIDE / 64 + 1];
} places;

typedef struct search {
    /// Greatest displacement along each axis [px]
    int reach;
    /// Places where the mover shares a pixel with a body that it cannot pass
    places shut;
    /// Places where it shares a pixel with a body that holds it
    places taken;
    /// Places that it can reach
    places reached;
} search;

static bool is_in(const places *p, int x, int y) { return p->row[y][x / 64] >> (x % 64) & 1; }

static void add(places *p, int y, int from, int to) {
    for (int k = from / 64; k <= to / 64; k++)
        p->row[y][k] |= pv__bits_between(from - 64 * k, to - 64 * k);
}

/// Adds the places where one of the mover's rows shares a pixel with a run of pixels of the world.
static void add_row(const pv__walk *w, int reach, places *p, int own_y, int y, pv__run run) {
    int to_y = y - (w->y + own_y) + reach;
    if (to_y < 0 || to_y > 2 * reach) return;
    for (pv__run own = {0, 0}; pv__mask_run_next(w->bits, own_y, &own);) {
        int from = pv__later(run.start - (w->x + own.end - 1) + reach, 0);
        int to = pv__sooner(run.end - 1 - (w->x + own.start) + reach, 2 * reach);
        if (from <= to) add(p, to_y, from, to);
    }
}

/// Adds the places where the mover shares a pixel with a bitmap that lies at (x, y).
static void add_bits(const pv__walk *w, int reach, places *p, const pv__bits *bits, int x, int y) {
    for (int k = 0; k < bits->h; k++)
        for (pv__run run = {0, 0}; pv__mask_run_next(bits, k, &run);)
            for (int own_y = 0; own_y < w->bits->h; own_y++)
                add_row(w, reach, p, own_y, y + k, (pv__run){x + run.start, x + run.end});
}

/// Adds the places where the mover shares a pixel with an obstacle, in strips that fit into the
/// room.
static void add_obstacle(pv__walk *w, int reach, places *p, const pv__obstacle *o) {
    pv_rect all = pv__rect_grown(pv__mover_rect_at(w, w->x, w->y), reach);
    pv_rect part = pv__rect_meet(o->sprite.rect, all);
    int high = PV__OBSTACLE_ROOM / pv__later(pv__bits_stripes(part.w), 1);
    for (int y = part.y; y < part.y + part.h; y += high) {
        pv__bits strip = {part.w, pv__sooner(high, part.y + part.h - y), w->room};
        pv__raster(o->sprite.bits, &o->sprite.map, part.x, y, &strip);
        add_bits(w, reach, p, &strip, part.x, y);
    }
}

/// Finds the places that the mover cannot take. This overwrites the gathered obstacles.
static void find_walls(pv__walk *w, search *s) {
    pv__nearby near;
    pv__mover_seek(w, pv__rect_grown(pv__mover_rect_at(w, w->x, w->y), s->reach), 0, &near);
    for (int index; (index = pv__mover_next_near(w, &near)) >= 0;) {
        if (!pv__mover_take(w, index, &w->spare)) continue;
        bool overlaps = pv__mover_hits(w, &w->spare, w->x, w->y);
        if (overlaps ? !catches(w, &w->spare) : pv__mover_obstacle_is_one_way(&w->spare)) continue;
        pv_body_type type = pv_body_get_type(w->world, pv__index_handle(w->world, index));
        bool gives_way =
            type == PV_BODY_DYNAMIC ||
            (overlaps && (type == PV_BODY_KINEMATIC || pv__mover_obstacle_is_one_way(&w->spare)));
        add_obstacle(w, s->reach, &s->taken, &w->spare);
        if (!gives_way) add_obstacle(w, s->reach, &s->shut, &w->spare);
    }
}

/// Adds a place next to a reached one to the reached places; returns true if it is new.
static bool reach_place(search *s, int x, int y) {
    int last = 2 * s->reach;
    if (is_in(&s->reached, x, y) || is_in(&s->shut, x, y)) return false;
    if (!(x > 0 && is_in(&s->reached, x - 1, y)) && !(x < last && is_in(&s->reached, x + 1, y)) &&
        !(y > 0 && is_in(&s->reached, x, y - 1)) && !(y < last && is_in(&s->reached, x, y + 1)))
        return false;
    add(&s->reached, y, x, x);
    return true;
}

static void find_reached(search *s) {
    int last = 2 * s->reach;
    add(&s->reached, s->reach, s->reach, s->reach);
    for (bool more = true; more;) {
        more = false;
        for (int y = 0; y <= last; y++)
            for (int x = 0; x <= last; x++) more |= reach_place(s, x, y);
        for (int y = last; y >= 0; y--)
            for (int x = last; x >= 0; x--) more |= reach_place(s, x, y);
    }
}

/// Finds the nearest free place that the mover can reach. Of equally near places it takes the
/// highest, then the leftmost one.
static bool find_nearest(const search *s, int *dx, int *dy) {
    int best = -1;
    for (int y = 0; y <= 2 * s->reach; y++)
        for (int x = 0; x <= 2 * s->reach; x++) {
            int right = x - s->reach, down = y - s->reach, size = right * right + down * down;
            if ((best >= 0 && size >= best) || !is_in(&s->reached, x, y) || is_in(&s->taken, x, y))
                continue;
            best = size;
            *dx = right;
            *dy = down;
        }
    return best >= 0;
}

bool pv__mover_escape(pv__walk *w) {
    int size = pv__later(w->bits->w, w->bits->h), dx, dy;
    search s = {.reach = pv__sooner(pv__later(size, PV__MOVER_PIXELS), ESCAPE_FAR)};
    find_walls(w, &s);
    find_reached(&s);
    bool found = find_nearest(&s, &dx, &dy);
    if (found) put_out(w, dx, dy);
    pv__mover_gather(w, pv__mover_rect_at(w, w->x, w->y));
    return found;
}
