/* rules.c - waves, ships, the end, and the order of a step.
 *
 * Invariant: a wave ends when no rock is left.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/grains.h"
#include "stage/props.h"

enum { LULL = 80 };
/// Life of chips [s]
static const double chip_life = 1.1;

struct game *game_of(struct stage *stage) {
    return stage_memory(stage, sizeof(struct game));
}

/* ---- waves and ships ---- */

static void clear(struct stage *stage, unsigned kinds) {
    for (pv_body_id b = pv_world_get_next_body(stage->world, (pv_body_id){0}); stage_is_body(b);) {
        pv_body_id next = pv_world_get_next_body(stage->world, b);
        if (kind_of(stage, b) & kinds) pv_body_destroy(stage->world, b);
        b = next;
    }
}

/// Greatest speed of new rocks, and their speed while the title is shown [px/s]
static const double top_speed = 140, title_speed = 30;

static void begin_wave(struct stage *stage, struct game *game) {
    int count = game->wave < 6 ? 3 + game->wave : 8;
    double speed = 56 + 8 * game->wave;
    game->wave++;
    bool hulk = game->wave % GAME_HULK_WAVES == 0;
    bool title = game->phase == GAME_ATTRACT && game->wave == 1;
    if (hulk) hulk_send(stage, game);
    if (title) letters_send(stage, game);
    speed = title ? title_speed : speed < top_speed ? speed : top_speed;
    rocks_send(stage, game, hulk || title ? 2 : count, speed);
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

static void offer(struct stage *stage, struct game *game) {
    game->offered = game->wave;
    tools_offer(stage, game);
}

/// Begins the next wave, ship, choice of tools or the end, after a pause.
static void go_on(struct stage *stage, struct game *game) {
    bool flies = pv_body_is_valid(stage->world, game->ship);
    if (flies && rocks_left(stage) > 0) game->pause = LULL;
    if (game->phase == GAME_OVER || --game->pause > 0) return;
    if (!flies && game->ships == 0)
        end(stage, game);
    else if (!flies)
        launch(stage, game);
    else if (game->wave > 0 && game->offered < game->wave)
        offer(stage, game);
    else if (game->choosing == 0)
        begin_wave(stage, game);
}

static void tend_pilot(struct stage *stage, struct game *game) {
    if (pv_body_is_valid(stage->world, game->pilot) && game->drift-- <= 0)
        pv_body_destroy(stage->world, game->pilot);
}

static void tend_foes(struct stage *stage, struct game *game) {
    if (game->phase == GAME_OVER) return;
    saucer_tend(stage, game);
    hulk_tend(stage, game);
}

void game_begin(struct stage *stage, enum game_phase phase) {
    struct game *game = game_of(stage);
    if (!game) return;
    clear(stage, KINDS);
    game->phase = phase;
    game->score = game->best_life = game->wave = game->chain = 0;
    game->fired = game->hits = game->rock_frames = game->small_frames = 0;
    game->heat = 0;
    game->tried = 0;
    game->gems = game->offered = game->saucer_wait = 0;
    tools_clear(stage, game);
    game->jammed = false;
    game->ships = GAME_SHIPS;
    game->pause = 1;
    launch(stage, game);
}

/* ---- the scene ---- */

/// Creates a planet without contacts, dim so that nobody takes it for a rock.
static void add_planet(struct stage *stage) {
    const struct sprite *sprite = props_tinted(stage, "planet", 0x0c0d2ce4u);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){GAME_WIDTH - 110, GAME_HEIGHT - 70};
    def.sensor = true;
    def.filter = (pv_filter){STAGE_ARRIVING, 0, 0};
    stage_put(stage, sprite, def);
}

/// Creates the population of rubble, which touches only rocks, wrecks, ships and saucers.
static void add_grains(struct stage *stage) {
    pv_grains_def def = pv_grains_def_default();
    def.capacity = GRAINS_USUAL;
    def.life = chip_life;
    def.linear_damping = 4.5;
    def.restitution = .6;
    def.piles = false;
    def.follow = true;
    def.filter.mask_bits = KIND_ROCK | KIND_WRECK | KIND_SHIP | KIND_SAUCER;
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
    stage->round = (pv_vec2){GAME_WIDTH, GAME_HEIGHT};
    stage->bright_cuts = stage->paints_grains = true;
    stage->painters = (struct stage_painters){paint_below, paint_above};
    stage->hooks.keys = visit;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    if (!game) return;
    game->scout = stage_load(stage, "scout");
    game->dart = stage_load(stage, "dart");
    game->astronaut = stage_load(stage, "pilot");
    add_grains(stage);
    add_planet(stage);
    looks_paint(stage, game);
    finds_paint(stage, game);
    tools_paint(stage, game);
    bolts_paint(stage, game);
    saucer_paint(stage, game);
    hulk_paint(stage, game);
    letters_paint(stage, game);
    if (!stage_error(stage)) game_begin(stage, GAME_ATTRACT);
}

/// Passes the keys to the choice of a tool, or to the ship and its tool.
static void hand_keys(struct stage *stage, struct game *game) {
    bool alone = game->phase == GAME_ATTRACT && !game->flown;
    unsigned keys = alone ? game_autopilot(stage, game) : game->keys;
    /* The autopilot spares the title for a while. */
    if (alone && game->wave <= 1 && game->rock_frames < GAME_TITLE_TIME / 2)
        keys &= GAME_LEFT | GAME_RIGHT;
    unsigned pressed = keys & ~game->last_keys;
    game->last_keys = keys;
    game->tried |= game->keys;
    if (game->choosing > 0) {
        tools_choose(game, keys, pressed);
        keys = 0;
    }
    if (pressed & keys & GAME_TOOL && pv_body_is_valid(stage->world, game->ship))
        tools_use(stage, game);
    tools_tend(stage, game);
    ship_fly(stage, game, keys);
}

void game_update(struct stage *stage) {
    struct game *game = game_of(stage);
    if (!game) return;
    game->events = 0;
    game->frame++;
    effects_step(&game->effects);
    hits_heed(stage, game);
    if (game->stunned > 0) game->stunned--;
    gun_tend(stage, game);
    finds_tend(stage, game);
    rocks_tend(stage, game);
    tend_foes(stage, game);
    tend_pilot(stage, game);
    go_on(stage, game);
    hand_keys(stage, game);
    wrap_all(stage, game);
}
