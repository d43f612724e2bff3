/* hits.c - who hit what, and what it pays.
 *
 * Invariant: each hit of a step counts once. Pixels alone pay little. Splits and chains pay well.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

/// Least speed of a hit that costs the ship pixels [px/s]
static const double hard = 75;
/// Radius of a dart's bite in a saucer, and of a bolt's hole [px]
static const double saucer_bite = 5.5, bolt_bite = 4;
enum { STUNNED = 40, MOURNING = 150 };
enum { HIT_POINTS = 2, SAUCER_POINTS = 20, END_POINTS = 25, RESCUE_POINTS = 500 };

static void strike_rock(struct stage *stage, struct game *game, pv_body_id dart, pv_body_id rock,
                        const pv_hit_event *hit, double inward) {
    pv_vec2 direction = {inward * hit->normal.x, inward * hit->normal.y};
    pv_body_destroy(stage->world, dart);
    gun_hit(game);
    game->events |= GAME_BIT;
    game->heard = hit->point;
    effects_shake(&game->effects, .7);
    pv_vec2 inside = {hit->point.x + 2 * direction.x, hit->point.y + 2 * direction.y};
    if (finds_shatter(stage, game, rock, inside)) {
        game->chain = 0;
        return;
    }
    int parts = rocks_bite(stage, game, rock, hit->point, direction);
    points_pay(game, HIT_POINTS * game_factor(game));
    points_pay_split(game, hit->point, parts);
    if (parts >= 0) return;
    points_pay(game, END_POINTS * game_factor(game));
    game->events |= GAME_CRUMBLED;
}

static void strike_saucer(struct stage *stage, struct game *game, pv_body_id dart,
                          const pv_hit_event *hit) {
    pv_body_destroy(stage->world, dart);
    gun_hit(game);
    game->events |= GAME_BIT;
    game->heard = hit->point;
    finds_cut(stage, pv_cut_circle(hit->point, saucer_bite));
    effects_glow(&game->effects, stage, KIND_SAUCER, hit->point, hit->point, saucer_bite);
    points_pay(game, SAUCER_POINTS * game_factor(game));
}

/// Ends a bolt in a small hole.
static void strike_by_bolt(struct stage *stage, struct game *game, pv_body_id bolt,
                           const pv_hit_event *hit) {
    pv_body_destroy(stage->world, bolt);
    finds_cut(stage, pv_cut_circle(hit->point, bolt_bite));
    effects_glow(&game->effects, stage, KIND_ROCK, hit->point, hit->point, bolt_bite);
    effects_burst(&game->effects, hit->point, (pv_vec2){0, 0}, 90, 10, 0xff60b0ffu, 18);
}

static void lose_ship(struct stage *stage, struct game *game) {
    ship_wreck(stage, game);
    game->events |= GAME_LOST;
    game->chain = 0;
    game->ships--;
    game->pause = MOURNING;
}

static void strike_ship(struct stage *stage, struct game *game, const pv_hit_event *hit) {
    game->heard = hit->point;
    if (hit->speed < hard || game->safe > 0 || game->stunned > 0 || game->drilling > 0) {
        game->events |= GAME_BUMPED;
        return;
    }
    hull_strike(stage, game, hit->point, hit->speed);
    if (!pv_body_is_valid(stage->world, game->ship) || !hull_flies(stage, game)) {
        lose_ship(stage, game);
        return;
    }
    hull_drop_parts(stage, game);
    game->events |= GAME_STRUCK;
    game->stunned = STUNNED;
    effects_shake(&game->effects, 5);
    effects_burst(&game->effects, hit->point, (pv_vec2){0, 0}, 160, 18, 0x90e8ffffu, 24);
}

static void rescue(struct stage *stage, struct game *game) {
    pv_body_destroy(stage->world, game->pilot);
    game->events |= GAME_RESCUED;
    points_pay(game, RESCUE_POINTS);
}

/// Handles a new contact: the bomb explodes, and the ship catches pilots and finds.
static void touch(struct stage *stage, struct game *game, pv_body_id a, pv_body_id b) {
    if (PV_ID_EQUALS(a, game->bomb) || PV_ID_EQUALS(b, game->bomb)) {
        if (pv_body_is_valid(stage->world, game->bomb)) tools_explode(stage, game);
        return;
    }
    if (!PV_ID_EQUALS(a, game->ship) && !PV_ID_EQUALS(b, game->ship)) return;
    pv_body_id other = PV_ID_EQUALS(a, game->ship) ? b : a;
    if (!pv_body_is_valid(stage->world, a) || !pv_body_is_valid(stage->world, b)) return;
    if (kind_of(stage, other) == KIND_PILOT)
        rescue(stage, game);
    else if (kind_of(stage, other) & (KIND_GEM | KIND_ORE))
        finds_catch(stage, game, other);
}

/// Handles a hit. An earlier hit of the same step may have destroyed its bodies.
static void heed(struct stage *stage, struct game *game, const pv_hit_event *hit) {
    const pv_world *world = stage->world;
    if (!pv_body_is_valid(world, hit->a) || !pv_body_is_valid(world, hit->b)) return;
    unsigned a = kind_of(stage, hit->a), b = kind_of(stage, hit->b), both = a | b;
    bool in_order = a == KIND_DART || a == KIND_BOLT;
    pv_body_id first = in_order ? hit->a : hit->b, other = in_order ? hit->b : hit->a;
    if (both == (KIND_DART | KIND_ROCK))
        strike_rock(stage, game, first, other, hit, a == KIND_DART ? 1 : -1);
    else if (both == (KIND_DART | KIND_SAUCER))
        strike_saucer(stage, game, first, hit);
    else if (both == (KIND_BOLT | KIND_ROCK))
        strike_by_bolt(stage, game, first, hit);
    else if (both == (KIND_SHIP | KIND_BOLT)) {
        strike_by_bolt(stage, game, first, hit);
        strike_ship(stage, game, hit);
    } else if (both == (KIND_SHIP | KIND_ROCK) || both == (KIND_SHIP | KIND_SAUCER))
        strike_ship(stage, game, hit);
    else if (both == KIND_ROCK)
        game->events |= GAME_BUMPED;
}

void hits_heed(struct stage *stage, struct game *game) {
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.contact_begin_count; i++)
        touch(stage, game, events.contact_begins[i].a, events.contact_begins[i].b);
    for (int i = 0; i < events.hit_count; i++) heed(stage, game, &events.hits[i]);
}
