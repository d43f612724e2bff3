/* platformer.c - a character runs, climbs, jumps, rides and pushes through a level. It plays by
 * itself until an arrow key is pressed.
 *
 * Invariant: the hero is a mover with a body. Only keys decide where it goes, the player's or its
 * own.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { COLUMNS = 60, ROWS = 34, TILE = 16, TILES = 9, COINS = 26, SPARKS = 64, BOX = 30 };

/// Height of the view, 16 by 9 [px]
enum { SEEN = 540 };

/// Frames of the hero's sheet, which faces right
enum {
    FRAMES = 11,
    STANDS = 0,
    RUNS = 2,
    RUN_FRAMES = 6,
    JUMPS = 8,
    FALLS = 9,
    PUSHES = 10,
    WIDE = 24,
    HIGH = 32
};

/// Speeds [px/s] and accelerations [px/s^2] of the hero. It may jump up to GRACE frames after it
/// left the ground. A key for a jump counts up to GRACE frames before it lands.
static const double run = 150, jump = 410, weight = 1000, grip = 1400, air_grip = 800;
enum { GRACE = 6 };

/// Frames without arrow keys until it plays by itself, and frames on a leg until it starts over
enum { IDLE = 300, PATIENCE = 700 };

static const char *const level[ROWS] = {
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "..................ab#cd.....................................",
    "............ab###############...............................",
    ".............###############................................",
    "................##########..................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "............................................................",
    "..........................h#####..................##########",
    "....../##cd.............h#######..................##########",
    "...../#####cd.........h#########..................##########",
    "###################..###########..................##########",
    "###################..###########..................##########",
    "################################..................##########",
    "################################..................##########",
};

/// Heights of each tile at its left and its right end [px]
static const struct {
    char letter;
    int left, right;
} tiles[TILES] = {{'.', 0, 0},  {'#', 16, 16}, {'/', 0, 16}, {'\\', 16, 0}, {'a', 0, 8},
                  {'b', 8, 16}, {'c', 16, 8},  {'d', 8, 0},  {'h', 8, 8}};

/// Left ends, tops and lengths of one-way shelves [px]; middle [px], reach [px] and period [s] of
/// the moving platform, the ferry
static const double shelves[4][3] = {
    {864, 368, 80}, {752, 304, 80}, {864, 240, 80}, {380, 208, 80}};
static const pv_vec2 ferry_middle = {656, 437};
static const double ferry_way = 106, ferry_period = 5;

static const pv_vec2 coins[COINS] = {
    {104, 424}, {136, 424}, {168, 438}, {320, 458}, {368, 440}, {392, 430}, {424, 412},
    {580, 408}, {618, 404}, {656, 402}, {694, 404}, {732, 408}, {900, 340}, {838, 310},
    {800, 278}, {890, 214}, {826, 170}, {740, 146}, {690, 146}, {640, 146}, {590, 146},
    {540, 146}, {420, 250}, {380, 262}, {328, 246}, {220, 266},
};

/// Kinds of legs, each with its end
enum how {
    /// Walks to x
    WALK,
    /// Jumps once and steers to x, until it stands at y
    HOP,
    /// Waits until the ferry is near x
    WAIT,
    /// Walks to the middle of the ferry
    BOARD,
    /// Goes down through one-way shelves, until it is below y
    SINK
};

static const struct leg {
    enum how how;
    double x, y;
} legs[] = {
    {WALK, 486, 0}, {WAIT, 550, 0},   {BOARD, 0, 0},  {WAIT, 762, 0},
    {WALK, 900, 0}, {HOP, 900, 368},  {WALK, 868, 0}, {HOP, 796, 304},
    {WALK, 822, 0}, {HOP, 896, 240},  {WALK, 862, 0}, {HOP, 772, 176},
    {WALK, 420, 0}, {SINK, 420, 240}, {WALK, 170, 0}, {WALK, 40, 0},
};
enum { LEGS = sizeof legs / sizeof legs[0] };

struct keys {
    bool left, right, up, down;
};

struct memory {
    const struct sprite *frames[2][FRAMES];
    pv_mover hero;
    struct keys keys;
    /// Direction in which it looks, 0: right, 1: left
    int side;
    /// Distance that it has run [px]
    double way;
    /// Frames since it stood, and frames for which a pressed jump key still counts
    int in_air, wishes;
    bool was_up;
    double was_x;
    /// Frames without progress
    int stuck;
    pv_body_id ferry, box, coins[COINS];
    struct belt belt;
    struct board board;
    /// Numbers of taken and of remaining coins
    int taken, left;
    int frame, leg, patience, untouched;
    bool hopped;
    pv_particle_id sparks[SPARKS];
    int born[SPARKS], spark;
};

static const pv_vec2 start = {40, 470}, box_start = {252, 460};

/* ---- the level ---- */

static pv_mask *tile_mask(int id) {
    pv_mask *mask = pv_mask_create(TILE, TILE, NULL, NULL);
    for (int x = 0; mask && x < TILE; x++) {
        int height =
            (tiles[id].left * (2 * TILE - 2 * x - 1) + tiles[id].right * (2 * x + 1)) / (2 * TILE);
        pv_mask_fill_rect(mask, (pv_rect){x, TILE - height, 1, height}, true);
    }
    return mask;
}

static uint32_t tile_at(int column, int row) {
    for (uint32_t id = 0; id < TILES; id++)
        if (tiles[id].letter == level[row][column]) return id;
    return 0;
}

/// Returns a single mask of all tiles, so that no object stumbles over an edge between two.
static pv_mask *level_mask(void) {
    uint32_t map[COLUMNS * ROWS];
    pv_mask *masks[TILES];
    pv_tilemap_def def = {TILE, TILE, COLUMNS, ROWS, map, masks, TILES, {0}};
    for (int i = 0; i < TILES; i++) masks[i] = tile_mask(i);
    for (int i = 0; i < COLUMNS * ROWS; i++) map[i] = tile_at(i % COLUMNS, i / COLUMNS);
    pv_mask *mask = pv_tilemap_create_mask(&def, NULL);
    for (int i = 0; i < TILES; i++) pv_mask_release(masks[i]);
    return mask;
}

static bool is_grass(const pv_mask *mask, int x, int y) {
    for (int up = 1; up <= 4; up++)
        if (!pv_mask_get_pixel(mask, x, y - up)) return true;
    return false;
}

static void add_level(struct stage *stage) {
    const struct sprite *tile = stage_load(stage, "tile");
    pv_mask *mask = level_mask();
    pv_image *image =
        mask ? props_picture(stage, pv_mask_get_width(mask), pv_mask_get_height(mask)) : NULL;
    for (int y = 0; tile && image && y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const unsigned char *t = sprite_texel(tile, x, y);
            uint32_t clay = (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | 255;
            if (pv_mask_get_pixel(mask, x, y))
                props_dot(image, x, y, is_grass(mask, x, y) ? 0x58943cffu : clay);
        }
    const struct sprite *sprite = stage_keep(stage, "level", image, mask);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = sprite->center;
    stage_put(stage, sprite, def);
}

/* ---- what is in it ---- */

static pv_body_id add_shelf(struct stage *stage, double left, double top, int length,
                            uint32_t color, pv_body_type type) {
    pv_image *image = props_picture(stage, length, 10);
    props_bar(image, (pv_rect){0, 0, length, 10}, 0x2a1826ffu);
    props_bar(image, (pv_rect){1, 1, length - 2, 3}, color);
    for (int x = 4; x + 6 < length; x += 12) props_bar(image, (pv_rect){x, 5, 8, 3}, 0x74432fffu);
    const struct sprite *sprite = stage_keep(stage, "shelf", image, NULL);
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.position = (pv_vec2){left + length / 2.0, top + 5};
    def.one_way_normal = (pv_vec2){0, -1};
    return stage_put(stage, sprite, def);
}

/// Creates a box a little smaller than its pit; it never tilts.
static pv_body_id add_box(struct stage *stage) {
    pv_image *image = props_picture(stage, BOX, BOX);
    for (int y = 0; y < BOX; y++)
        for (int x = 0; x < BOX; x++) {
            bool rim = x < 1 || y < 1 || x > BOX - 2 || y > BOX - 2,
                 frame = x < 5 || y < 5 || x > BOX - 6 || y > BOX - 6;
            bool brace = abs(x - y) < 3 || abs(x + y - BOX + 1) < 3;
            props_dot(image, x, y,
                      rim     ? 0x2a1826ffu
                      : frame ? 0xc08446ffu
                      : brace ? 0xdfab62ffu
                              : 0x74432fffu);
        }
    pv_body_def def = pv_body_def_default();
    def.position = box_start;
    def.motion_locks = PV_LOCK_ROTATION;
    def.restitution = 0;
    def.static_friction = def.friction = .3;
    return stage_put(stage, stage_keep(stage, "box", image, NULL), def);
}

static pv_body_id add_coin(struct stage *stage, pv_vec2 at) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = at;
    def.sensor = true;
    return stage_add_def(stage, "coin", def);
}

/// Creates a coin beside the number of taken coins.
static void add_coin_sign(struct stage *stage) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){18, 21};
    def.sensor = true;
    def.filter.mask_bits = 0;
    stage_add_def(stage, "coin", def);
}

static const struct sprite *load_frame(struct stage *stage, pv_mask *mask, int frame, bool left) {
    const struct sprite *sheet = stage_load(stage, "diver");
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; sheet && image && y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            int from = WIDE * frame + (left ? WIDE - 1 - x : x);
            const unsigned char *t = sprite_texel(sheet, from, y);
            props_dot(image, x, y,
                      (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | t[3]);
        }
    return stage_keep(stage, "diver frame", image, pv_mask_retain(mask));
}

/// Creates the hero. All frames share a symmetric mask, so no change of frames gets it stuck.
static void add_hero(struct stage *stage, struct memory *memory) {
    pv_mask *mask = pv_mask_create(WIDE, HIGH, NULL, NULL);
    if (!mask) return;
    pv_mask_fill_rect(mask, (pv_rect){7, 2, 10, HIGH - 2}, true);
    pv_mask_fill_rect(mask, (pv_rect){6, 4, 12, HIGH - 6}, true);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < FRAMES; i++)
            memory->frames[side][i] = load_frame(stage, mask, i, side == 1);
    pv_mask_release(mask);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = start;
    memory->hero = pv_mover_default();
    memory->hero.pivot = (pv_vec2){WIDE / 2.0, HIGH};
    memory->hero.position = start;
    memory->hero.step_height = 9;
    memory->hero.ground_snap = 9;
    memory->hero.push_force = BOX * BOX * 700;
    memory->hero.body = stage_put(stage, memory->frames[0][STANDS], def);
}

/// Creates water in the gap of the ground.
static void add_water(struct stage *stage) {
    pv_image *image = props_picture(stage, 288, 44);
    pv_mask *mask = pv_mask_create(288, 44, NULL, NULL);
    if (mask) pv_mask_fill_rect(mask, (pv_rect){0, 0, 288, 44}, true);
    for (int y = 0; y < 44; y++)
        for (int x = 0; x < 288; x++) props_dot(image, x, y, y < 2 ? 0xd0f4ffd0u : 0x2f86d0a0u);
    const struct sprite *sprite = stage_keep(stage, "water", image, mask);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){656, 522};
    def.sensor = true;
    def.filter.mask_bits = 0;
    stage_put(stage, sprite, def);
}

static void keys(struct stage *stage, unsigned held) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->untouched = held ? 0 : memory->untouched + 1;
    memory->keys =
        (struct keys){held & STAGE_LEFT, held & STAGE_RIGHT, held & STAGE_UP, held & STAGE_DOWN};
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, COLUMNS * TILE, SEEN);
    stage->hooks.keys = keys;
    stage->loose.dot = 0xfff0a0ff;
    stage->hint = "arrows: run, jump, drop";
    if (!memory) return;
    memory->untouched = IDLE;
    memory->left = COINS;
    for (int i = 0; i < COINS; i++) memory->coins[i] = add_coin(stage, coins[i]);
    add_level(stage);
    for (int i = 0; i < 4; i++)
        add_shelf(stage, shelves[i][0], shelves[i][1], (int)shelves[i][2], 0xdfab62ffu,
                  PV_BODY_STATIC);
    memory->ferry = add_shelf(stage, ferry_middle.x - 36, ferry_middle.y - 5, 72, 0x66bd5affu,
                              PV_BODY_KINEMATIC);
    pv_body_def belt = pv_body_def_default();
    belt.tangent_speed = -60;
    memory->belt = props_belt(stage, (pv_vec2){648, 188}, 336, 24, belt);
    memory->box = add_box(stage);
    stage_add(stage, "crate", 936, 416, 0);
    stage_add(stage, "ball", stage_uniform(stage, 270, 330), 250, 0);
    add_hero(stage, memory);
    add_water(stage);
    memory->board = props_board(stage, 30, 10, 3, 0xffd860ffu);
    add_coin_sign(stage);
    stage_add_fence(stage, 200);
}

/* ---- it plays by itself ---- */

static void next_leg(struct memory *memory) {
    memory->leg = (memory->leg + 1) % LEGS;
    memory->patience = 0;
    memory->hopped = false;
}

static void steer(struct memory *memory, double x, double slack) {
    memory->keys.left = memory->hero.position.x > x + slack;
    memory->keys.right = memory->hero.position.x < x - slack;
}

/// Jumps once, and once more if it lands elsewhere.
static void hop(struct memory *memory, const struct leg *leg) {
    const pv_mover *hero = &memory->hero;
    if (memory->hopped && hero->grounded && fabs(hero->position.y - leg->y) < 6)
        next_leg(memory);
    else {
        memory->keys.up = !hero->grounded || memory->frame % 20 < 10;
        memory->hopped |= !hero->grounded;
        steer(memory, leg->x, 3);
    }
}

static void walk(struct memory *memory, double x) {
    steer(memory, x, 3);
    memory->stuck = fabs(memory->hero.position.x - memory->was_x) < .2 ? memory->stuck + 1 : 0;
    memory->keys.up = memory->stuck > 40 || memory->hero.velocity.y < 0;
    memory->was_x = memory->hero.position.x;
    if (memory->hero.grounded && fabs(memory->hero.position.x - x) < 5) next_leg(memory);
}

static void play(const struct stage *stage, struct memory *memory) {
    const struct leg *leg = &legs[memory->leg];
    double ferry = pv_body_get_position(stage->world, memory->ferry).x;
    memory->keys = (struct keys){false, false, false, false};
    switch (leg->how) {
    case WALK: walk(memory, leg->x); break;
    case HOP: hop(memory, leg); break;
    case WAIT:
        if (fabs(ferry - leg->x) < 4) next_leg(memory);
        break;
    case BOARD: walk(memory, ferry); break;
    default:
        memory->keys.down = true;
        if (memory->hero.position.y > leg->y) next_leg(memory);
    }
}

/* ---- the hero ---- */

static double towards(double from, double to, double most) {
    double way = to - from;
    return from + (way > most ? most : way < -most ? -most : way);
}

/// Tells whether the hero jumps now. A key press and the ground each count for GRACE frames.
static bool wants_to_jump(struct memory *memory) {
    memory->in_air = memory->hero.grounded ? 0 : memory->in_air + 1;
    memory->wishes = memory->keys.up && !memory->was_up ? GRACE : memory->wishes - 1;
    memory->was_up = memory->keys.up;
    if (memory->wishes <= 0 || memory->in_air > GRACE) return false;
    memory->wishes = 0;
    memory->in_air = GRACE + 1;
    return true;
}

static void move_hero(struct stage *stage, struct memory *memory) {
    pv_mover *hero = &memory->hero;
    pv_vec2 v = hero->velocity;
    double wanted = (memory->keys.right ? run : 0) - (memory->keys.left ? run : 0);
    v.x = towards(v.x, wanted, (hero->grounded ? grip : air_grip) * SCENE_STEP);
    v.y += weight * SCENE_STEP;
    if (wants_to_jump(memory))
        v = (pv_vec2){v.x + hero->ground_velocity.x, hero->ground_velocity.y - jump};
    if (v.y < -jump / 2 && !memory->keys.up) v.y = -jump / 2;
    hero->drop_through = memory->keys.down;
    pv_mover_move(stage->world, hero, v, SCENE_STEP);
}

static int frame_of(const struct memory *memory) {
    const pv_mover *hero = &memory->hero;
    bool presses =
        (hero->hit_wall_left && memory->keys.left) || (hero->hit_wall_right && memory->keys.right);
    if (!hero->grounded && memory->in_air > 3) return hero->velocity.y < 0 ? JUMPS : FALLS;
    if (presses) return PUSHES;
    if (memory->keys.left || memory->keys.right) return RUNS + (int)(memory->way / 11) % RUN_FRAMES;
    return STANDS + memory->frame / 30 % 2;
}

static void show_hero(struct stage *stage, struct memory *memory) {
    if (memory->keys.left != memory->keys.right) memory->side = memory->keys.left;
    memory->way += fabs(memory->hero.velocity.x) * SCENE_STEP;
    const struct sprite *frame = memory->frames[memory->side][frame_of(memory)];
    pv_body_set_user_data(stage->world, memory->hero.body, (void *)frame);
}

static void begin_again(struct memory *memory) {
    memory->hero.position = start;
    memory->hero.velocity = (pv_vec2){0, 0};
    memory->hero.grounded = false;
    memory->leg = LEGS - 1;
    next_leg(memory);
}

/* ---- coins and the box ---- */

static void add_spark(struct stage *stage, struct memory *memory, pv_vec2 at) {
    pv_particle_def def = pv_particle_def_default();
    int place = memory->spark++ % SPARKS;
    def.position = at;
    def.velocity = (pv_vec2){stage_uniform(stage, -80, 80), stage_uniform(stage, -140, 20)};
    def.radius = stage_uniform(stage, .8, 1.8);
    def.collides = false;
    if (stage_is_particle(memory->sparks[place]))
        pv_particle_destroy(stage->world, memory->sparks[place]);
    memory->sparks[place] = pv_particle_create(stage->world, &def, NULL);
    memory->born[place] = memory->frame;
}

static void drop_sparks(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < SPARKS; i++) {
        if (!stage_is_particle(memory->sparks[i]) || memory->frame - memory->born[i] < 24) continue;
        pv_particle_destroy(stage->world, memory->sparks[i]);
        memory->sparks[i] = (pv_particle_id){0};
    }
}

static void take_coins(struct stage *stage, struct memory *memory) {
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.sensor_begin_count; i++)
        for (int k = 0; k < COINS; k++) {
            pv_sensor_event visit = events.sensor_begins[i];
            if (visit.sensor.index != memory->coins[k].index ||
                visit.visitor.index != memory->hero.body.index)
                continue;
            pv_body_set_enabled(stage->world, visit.sensor, false);
            for (int spark = 0; spark < 8; spark++) add_spark(stage, memory, coins[k]);
            memory->taken++;
            memory->left--;
        }
    props_count(&memory->board, memory->taken);
}

/// Restores the level, after all coins are taken or the hero has finished its way.
static void restore(struct stage *stage, struct memory *memory) {
    memory->left = COINS;
    if (!pv_body_is_valid(stage->world, memory->box)) memory->box = add_box(stage);
    for (int i = 0; i < COINS; i++) pv_body_set_enabled(stage->world, memory->coins[i], true);
    pv_body_set_position(stage->world, memory->box, box_start);
    pv_body_set_velocity(stage->world, memory->box, (pv_vec2){0, 0});
}

static void drive_ferry(struct stage *stage, const struct memory *memory) {
    double turns = memory->frame * SCENE_STEP / ferry_period;
    double x =
        ferry_middle.x - ferry_way * pv_rotation_from_angle(2 * PI * (turns - floor(turns))).c;
    pv_body_move_to(stage->world, memory->ferry, (pv_vec2){x, ferry_middle.y}, 0, SCENE_STEP);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    int leg = memory->leg;
    take_coins(stage, memory);
    drop_sparks(stage, memory);
    if (memory->untouched >= IDLE) play(stage, memory);
    move_hero(stage, memory);
    show_hero(stage, memory);
    drive_ferry(stage, memory);
    props_run(&memory->belt);
    if (memory->left == 0 || (leg == LEGS - 1 && memory->leg == 0)) restore(stage, memory);
    bool lost = memory->untouched >= IDLE && memory->patience++ > PATIENCE;
    if (lost || memory->hero.crushed || memory->hero.position.y > 580) begin_again(memory);
    memory->frame++;
}

const struct scene scene_platformer = {"platformer", "a character runs, jumps, rides and pushes",
                                       setup, update};
