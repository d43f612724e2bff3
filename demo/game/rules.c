/* rules.c - waves, hits, points, ships; and space, which is round.
 *
 * Invariant: a wave ends when no rock is left. Each hit of a step counts once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/dust.h"
#include "stage/grains.h"
#include "stage/props.h"

/// Least speed of a hit that costs a shield [px/s]
static const double hard = 75;
enum { DUST_LIFE = 46, LULL = 80, MOURNING = 150, STUNNED = 60 };
enum { PIXELS_A_POINT = 2, BREAK_POINTS = 25, RESCUE_POINTS = 500, LIFE_POINTS = 10000 };

struct game *game_of(struct stage *stage) {
    return stage_memory(stage, sizeof(struct game));
}

static void add_points(struct game *game, int64_t points) {
    game->score += (int)points;
    if (game->score < game->best_life + LIFE_POINTS) return;
    game->best_life += LIFE_POINTS;
    game->ships++;
    game->events |= GAME_LIFE;
}

/* ---- hits ---- */

static void strike_rock(struct stage *stage, struct game *game, pv_body_id dart, pv_body_id rock,
                        const pv_hit_event *hit, double inward) {
    pv_vec2 direction = {inward * hit->normal.x, inward * hit->normal.y};
    int before = rocks_left(stage);
    pv_body_destroy(stage->world, dart);
    add_points(game, rocks_bite(stage, rock, hit->point, direction) / PIXELS_A_POINT);
    game->events |= GAME_BIT;
    game->heard_x = hit->point.x;
    if (rocks_left(stage) == before) return;
    add_points(game, BREAK_POINTS);
    game->events |= GAME_BROKE;
}

static void lose_ship(struct stage *stage, struct game *game) {
    ship_wreck(stage, game);
    game->events |= GAME_LOST;
    game->ships--;
    game->pause = MOURNING;
}

static void strike_ship(struct stage *stage, struct game *game, const pv_hit_event *hit) {
    game->heard_x = hit->point.x;
    if (hit->speed < hard || game->safe > 0) {
        game->events |= GAME_BUMPED;
        return;
    }
    if (game->shields-- == 0) {
        lose_ship(stage, game);
        return;
    }
    game->events |= GAME_STRUCK;
    game->stunned = STUNNED;
}

static void rescue(struct stage *stage, struct game *game) {
    pv_body_destroy(stage->world, game->pilot);
    game->events |= GAME_RESCUED;
    add_points(game, RESCUE_POINTS);
}

/// Handles a hit. An earlier hit of the same step may have destroyed its bodies.
static void heed(struct stage *stage, struct game *game, const pv_hit_event *hit) {
    const pv_world *world = stage->world;
    if (!pv_body_is_valid(world, hit->a) || !pv_body_is_valid(world, hit->b)) return;
    unsigned a = kind_of(stage, hit->a), b = kind_of(stage, hit->b);
    if (a == KIND_DART && b == KIND_ROCK)
        strike_rock(stage, game, hit->a, hit->b, hit, 1);
    else if (a == KIND_ROCK && b == KIND_DART)
        strike_rock(stage, game, hit->b, hit->a, hit, -1);
    else if ((a == KIND_SHIP && b == KIND_ROCK) || (a == KIND_ROCK && b == KIND_SHIP))
        strike_ship(stage, game, hit);
    else
        game->events |= GAME_BUMPED;
}

static void heed_all(struct stage *stage, struct game *game) {
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.contact_begin_count; i++)
        if (kind_of(stage, events.contact_begins[i].a) +
                kind_of(stage, events.contact_begins[i].b) ==
            KIND_SHIP + KIND_PILOT)
            rescue(stage, game);
    for (int i = 0; i < events.hit_count; i++) heed(stage, game, &events.hits[i]);
}

/* ---- space is round ---- */

/// Returns the displacement along an axis for a body that leaves the view, or 0.
static double detour(double low, double high, double speed, double size) {
    if (high < 0 && speed <= 0) return size + (high - low);
    if (low > size && speed >= 0) return -size - (high - low);
    return 0;
}

/// Brings a body in on the other side. While its place there is taken, it flies on outward.
static void come_round(struct stage *stage, pv_body_id body) {
    pv_box box = pv_body_get_bounds(stage->world, body);
    pv_vec2 at = pv_body_get_position(stage->world, body),
            v = pv_body_get_velocity(stage->world, body);
    double dx = detour(box.min.x, box.max.x, v.x, GAME_WIDTH),
           dy = detour(box.min.y, box.max.y, v.y, GAME_HEIGHT);
    pv_query_filter others = {.mask_bits = KIND_ROCK | KIND_SHIP};
    box = (pv_box){{box.min.x + dx, box.min.y + dy}, {box.max.x + dx, box.max.y + dy}};
    if ((dx == 0 && dy == 0) || pv_world_query_box(stage->world, box, &others, NULL, 0) > 0) return;
    pv_body_set_position(stage->world, body, (pv_vec2){at.x + dx, at.y + dy});
}

/* ---- waves and ships ---- */

static void clear(struct stage *stage, unsigned kinds) {
    for (pv_body_id b = pv_world_get_next_body(stage->world, (pv_body_id){0}); stage_is_body(b);) {
        pv_body_id next = pv_world_get_next_body(stage->world, b);
        if (kind_of(stage, b) & kinds) pv_body_destroy(stage->world, b);
        b = next;
    }
}

static void begin_wave(struct stage *stage, struct game *game) {
    int count = game->wave < 7 ? 4 + game->wave : 10;
    double speed = 26 + 4 * game->wave;
    game->wave++;
    rocks_send(stage, game, count, speed < 70 ? speed : 70);
    game->events |= GAME_WAVE;
    game->pause = LULL;
}

static void launch(struct stage *stage, struct game *game) {
    clear(stage, KIND_WRECK);
    ship_launch(stage, game);
}

static void end(struct stage *stage, struct game *game) {
    if (game->phase == GAME_ATTRACT)
        game_begin(stage, GAME_ATTRACT);
    else
        game->phase = GAME_OVER;
}

/// Begins the next wave, the next ship or the end, after a pause.
static void go_on(struct stage *stage, struct game *game) {
    bool flies = pv_body_is_valid(stage->world, game->ship);
    if (flies && rocks_left(stage) > 0) game->pause = LULL;
    if (game->phase == GAME_OVER || --game->pause > 0) return;
    if (!flies && game->ships == 0)
        end(stage, game);
    else if (!flies)
        launch(stage, game);
    else
        begin_wave(stage, game);
}

static void tend_pilot(struct stage *stage, struct game *game) {
    if (pv_body_is_valid(stage->world, game->pilot) && game->drift-- <= 0)
        pv_body_destroy(stage->world, game->pilot);
}

void game_begin(struct stage *stage, enum game_phase phase) {
    struct game *game = game_of(stage);
    if (!game) return;
    clear(stage, KINDS);
    game->phase = phase;
    game->score = game->best_life = game->wave = 0;
    game->ships = GAME_SHIPS;
    game->pause = 1;
    launch(stage, game);
}

/* ---- the scene ---- */

/// Creates a planet, dim and without contacts, so that nobody takes it for a rock.
static void add_planet(struct stage *stage) {
    const struct sprite *sprite = props_tinted(stage, "planet", 0x0e0e30d2u);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){GAME_WIDTH - 110, GAME_HEIGHT - 70};
    def.sensor = true;
    def.filter.mask_bits = 0;
    stage_put(stage, sprite, def);
}

/// Creates the population of rubble; it passes ships and darts.
static void add_grains(struct stage *stage) {
    pv_grains_def def = pv_grains_def_default();
    def.capacity = GRAINS_USUAL;
    def.life = 2.2;
    def.linear_damping = 3;
    def.restitution = .6;
    def.piles = false;
    def.follow = true;
    def.filter.mask_bits = KIND_ROCK | KIND_WRECK;
    grains_add(stage, def);
}

/// Flies the ship with the arrows of the scene viewer; the down arrow fires.
static void visit(struct stage *stage, unsigned held) {
    struct game *game = game_of(stage);
    if (!game) return;
    game->flown |= held != 0;
    game->keys = (held & STAGE_LEFT ? GAME_LEFT : 0u) | (held & STAGE_RIGHT ? GAME_RIGHT : 0u) |
                 (held & STAGE_UP ? GAME_THRUST : 0u) | (held & STAGE_DOWN ? GAME_FIRE : 0u);
}

void game_setup(struct stage *stage) {
    struct game *game = game_of(stage);
    stage_set_view(stage, GAME_WIDTH, GAME_HEIGHT);
    stage->backdrop = STAGE_STARS;
    stage->loose.dot = 0xffd898ffu;
    stage->hooks.keys = visit;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    if (!game) return;
    game->scout = stage_load(stage, "scout");
    game->dart = stage_load(stage, "dart");
    game->astronaut = stage_load(stage, "pilot");
    add_grains(stage);
    add_planet(stage);
    rocks_paint(stage, game);
    if (!stage_error(stage)) game_begin(stage, GAME_ATTRACT);
}

void game_update(struct stage *stage) {
    struct game *game = game_of(stage);
    if (!game) return;
    game->events = 0;
    dust_settle(stage, ++game->frame, DUST_LIFE);
    heed_all(stage, game);
    if (game->stunned > 0) game->stunned--;
    ship_tend_darts(stage, game);
    tend_pilot(stage, game);
    go_on(stage, game);
    bool alone = game->phase == GAME_ATTRACT && !game->flown;
    ship_fly(stage, game, alone ? autopilot_keys(stage, game) : game->keys);
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        come_round(stage, b);
}
