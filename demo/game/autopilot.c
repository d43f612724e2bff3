/* autopilot.c - flies the ship with the keys that a player has.
 *
 * Invariant: it sees no more than a player does, and changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include <math.h>

/// Speed of darts [px/s], their reach [px], and speed of the ship up to which it thrusts [px/s]
static const double dart_speed = 430, reach = 330, cruise = 60;
/// Time for which it looks ahead [s], and free room that it wants around the ship [px]
static const double foresight = 1.1, room = 18;
/// Share of a rock's half width that counts as a good aim
static const double aim = .55;

/// View of a target: way to it, its velocity relative to the ship, and half its width
struct prospect {
    pv_vec2 way, velocity;
    double size;
    /// Time until a dart hits it [s], or -1 if none can, and way from the ship to that point
    double time;
    pv_vec2 lead;
};

/// Returns the time until a dart hits a target with a relative way and velocity, or -1.
static double intercept(pv_vec2 way, pv_vec2 v) {
    double a = v.x * v.x + v.y * v.y - dart_speed * dart_speed, b = way.x * v.x + way.y * v.y,
           c = way.x * way.x + way.y * way.y, d = b * b - a * c;
    if (a >= 0 || d < 0) return -1;
    return (b + sqrt(d)) / -a;
}

static struct prospect look_at(const struct stage *stage, const struct game *game,
                               pv_body_id rock) {
    pv_vec2 v = pv_body_get_velocity(stage->world, game->ship),
            u = pv_body_get_velocity(stage->world, rock);
    struct prospect p = {.way = space_way(pv_body_get_position(stage->world, game->ship),
                                          pv_body_get_position(stage->world, rock)),
                         .velocity = {u.x - v.x, u.y - v.y},
                         .size = sqrt((double)pixels_of(stage, rock)) / 2};
    p.time = intercept(p.way, p.velocity);
    p.lead = (pv_vec2){p.way.x + p.velocity.x * p.time, p.way.y + p.velocity.y * p.time};
    return p;
}

static double norm(pv_vec2 v) { return sqrt(v.x * v.x + v.y * v.y); }

/// Returns the angle from the nose to a direction [rad].
static double turn_of(const struct stage *stage, const struct game *game, pv_vec2 way) {
    pv_rotation r = pv_body_get_transform(stage->world, game->ship).rotation;
    return pv_rotation_get_angle(
        (pv_rotation){r.c * way.x + r.s * way.y, r.c * way.y - r.s * way.x});
}

static unsigned turn_keys(double angle) {
    return fabs(angle) < .04 ? 0 : angle > 0 ? GAME_RIGHT : GAME_LEFT;
}

/// Returns the time until a rock is closest if it comes too close soon, otherwise -1.
static double danger(const struct prospect *p) {
    double speed2 = p->velocity.x * p->velocity.x + p->velocity.y * p->velocity.y,
           near = p->size * 1.25 + room;
    if (norm(p->way) < near) return 0;
    double time = speed2 > 0 ? -(p->way.x * p->velocity.x + p->way.y * p->velocity.y) / speed2 : -1;
    if (time < 0 || time > foresight) return -1;
    pv_vec2 miss = {p->way.x + p->velocity.x * time, p->way.y + p->velocity.y * time};
    return norm(miss) < near ? time : -1;
}

/// Returns the keys that dodge a rock: across its path, to the nearer side.
static unsigned flee(const struct stage *stage, const struct game *game, const struct prospect *p) {
    double cross = p->velocity.x * p->way.y - p->velocity.y * p->way.x, sign = cross > 0 ? 1 : -1;
    pv_vec2 away = {sign * p->velocity.y - .6 * p->way.x, -sign * p->velocity.x - .6 * p->way.y};
    double angle = turn_of(stage, game, away);
    return turn_keys(angle) | (fabs(angle) < 1 ? GAME_THRUST : 0u);
}

/// Returns the number of darts in flight.
static int flying(const struct stage *stage, const struct game *game) {
    int count = 0;
    for (int i = 0; i < GAME_DARTS; i++)
        count += pv_body_is_valid(stage->world, game->darts[i].body);
    return count;
}

/// Tells whether a dart fired now would hit.
static bool is_aimed(const struct stage *stage, const struct game *game, const struct prospect *p) {
    double off = fabs(turn_of(stage, game, p->lead)), far = norm(p->lead);
    return p->time > 0 && far < reach && off * far < aim * p->size &&
           flying(stage, game) < (far < 110 ? 3 : 2);
}

static unsigned hunt(const struct stage *stage, const struct game *game, const struct prospect *p) {
    double angle = turn_of(stage, game, p->time > 0 ? p->lead : p->way);
    unsigned keys = turn_keys(angle);
    pv_vec2 v = pv_body_get_velocity(stage->world, game->ship);
    if (fabs(angle) < .35 && norm(p->way) > 200 && norm(v) < cruise) keys |= GAME_THRUST;
    return keys;
}

/// Returns the keys for a choice of tools: it takes a laser or a bomb.
static unsigned choose(const struct game *game) {
    enum game_tool marked = game->offers[game->choice];
    if (game->frame % 12 >= 6) return 0;
    if (marked == GAME_LASER || marked == GAME_BOMB) return game->calm < GAME_CALM ? 0 : GAME_FIRE;
    return game->offers[0] <= GAME_BOMB ? GAME_LEFT : GAME_RIGHT;
}

/// Tells whether to use the tool on a rock now.
static bool wants_tool(const struct stage *stage, const struct game *game,
                       const struct prospect *p) {
    double far = norm(p->way), off = fabs(turn_of(stage, game, p->way));
    if (game->charges == 0 || game->frame % 40 != 0 || p->size < 24) return false;
    if (game->tool == GAME_LASER) return far < 260 && off * far < .4 * p->size;
    return game->tool == GAME_BOMB && far > 140 && far < 240 && off * far < .6 * p->size;
}

unsigned game_autopilot(const struct stage *stage, const struct game *game) {
    if (game->choosing > 0) return choose(game);
    struct prospect target = {.size = 0}, threat = {.size = 0};
    double best = 1e9, soonest = 1e9;
    bool fire = false;
    if (!pv_body_is_valid(stage->world, game->ship)) return 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        unsigned kind = kind_of(stage, b);
        if (!(kind & (KIND_ROCK | KIND_SAUCER | KIND_BOLT))) continue;
        struct prospect p = look_at(stage, game, b);
        double angle = fabs(turn_of(stage, game, p.lead)), soon = danger(&p);
        if (soon >= 0 && soon < soonest) threat = p, soonest = soon;
        if (kind == KIND_BOLT) continue;
        double price = norm(p.way) - p.size + 60 * angle;
        if (price < best) target = p;
        best = fmin(best, price);
        fire |= is_aimed(stage, game, &p);
    }
    if (target.size == 0) return 0;
    unsigned shot = fire ? GAME_FIRE : 0u;
    if (wants_tool(stage, game, &target)) shot |= GAME_TOOL;
    return (soonest < 1e9 && game->safe == 0 ? flee(stage, game, &threat)
                                             : hunt(stage, game, &target)) |
           shot;
}
