/* conveyor.c - belts sort objects into bins, which open at the bottom when they are full.
 *
 * Invariant: there are never more than MOST objects. Objects that fall out of the view are
 * replaced.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"

enum { MOST = 64, BELTS = 5, BINS = 4 };

/// Frames between two objects, and until a stuck object is removed. FULL objects open a bin. With
/// fewer inside, it opens after SHUT frames.
enum { PACE = 36, LIFE = 4200, FULL = 4, SHUT = 420 };

/// Categories of objects, by which the belts sort
enum { ROUND = 2, WOOD = 4, GOLD = 8, METAL = 16 };

static const struct kind {
    const char *sprite;
    uint32_t category;
} kinds[] = {
    {"ball", ROUND},       {"crate", WOOD},        {"star", GOLD},       {"box_plain", METAL},
    {"ring_small", ROUND}, {"crate", WOOD},        {"star_small", GOLD}, {"letter_l", METAL},
    {"ball_3", ROUND},     {"box_notched", METAL},
};

/// Belts. The first leads to the second, and the second to the third. The third climbs, and round
/// objects roll down it. The fourth runs to the left under wooden and round objects, and to the
/// right under others. The fifth lets golden objects fall through.
static const struct {
    pv_vec2 middle;
    int length;
    double angle, speed;
} runs[BELTS] = {
    {{290, 124}, 460, 0, 100}, {{620, 232}, 320, 0, -70}, {{436, 412}, 580, -.24, 90},
    {{842, 450}, 320, 0, 80},  {{1066, 528}, 214, 0, 90},
};
enum { CLIMBER = 2, SORTER = 3, SIEVE = 4 };

static const struct {
    double left;
    const char *sign;
    uint32_t color;
} signs[BINS] = {
    {10, "ball_3", 0xff8a70ffu},
    {536, "crate", 0xf0c080ffu},
    {1016, "star_small", 0xffe070ffu},
    {1152, "gear_small", 0x9cd0f0ffu},
};

/// Inside of a bin, and its walls [px]
static const double bin_top = 584, bin_wide = 112, bin_high = 84, wall = 8;

struct bin {
    pv_body_id door, inside;
    struct board board;
    /// Number of all sorted objects
    int sorted;
    /// Frames since it began to open; 0: shut
    int open;
    /// Frames for which it has been shut and not empty
    int shut;
};

struct memory {
    struct belt belts[BELTS];
    struct bin bins[BINS];
    struct {
        pv_body_id body;
        int age;
    } things[MOST];
    int frame, count, next;
};

/* ---- belts ---- */

static bool is_same(pv_body_id a, pv_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

static bool is_either(const pv_presolve_contact *approach, pv_body_id body) {
    return is_same(approach->a, body) || is_same(approach->b, body);
}

/// Adapts a contact to its belt. The climber does not grip round objects, and the sorter reverses
/// under round and wooden ones.
static pv_presolve_result sort(void *user_data, const pv_world *world,
                               pv_presolve_contact *approach) {
    const struct memory *memory = ((const struct stage *)user_data)->memory;
    uint32_t of = pv_body_get_filter(world, approach->a).category_bits |
                  pv_body_get_filter(world, approach->b).category_bits;
    bool climber = is_either(approach, memory->belts[CLIMBER].body);
    if (climber && (of & ROUND)) approach->static_friction = approach->friction = .05;
    if (is_either(approach, memory->belts[SORTER].body) && (of & (WOOD | ROUND)))
        approach->tangent_speed *= -1;
    return PV_PRESOLVE_COLLIDE;
}

/// Creates a post that bears a belt, behind all other bodies.
static void add_post(struct stage *stage, double x, double top) {
    int height = (int)(stage->view.max.y - top);
    pv_image *image = props_picture(stage, 8, height);
    props_bar(image, (pv_rect){0, 0, 8, height}, 0x303a53ffu);
    props_bar(image, (pv_rect){1, 0, 2, height}, 0x6b829bffu);
    props_bar(image, (pv_rect){3, 0, 4, height}, 0x495b78ffu);
    props_decor(stage, "post", image, x - 4, top, true);
}

static struct belt add_belt(struct stage *stage, int which) {
    pv_body_def def = pv_body_def_default();
    def.angle = runs[which].angle;
    def.tangent_speed = runs[which].speed;
    def.static_friction = def.friction = 1;
    if (which == SIEVE) def.filter.mask_bits = ~(uint32_t)GOLD;
    for (int side = -1; side <= 1; side += 2) {
        double out = side * (runs[which].length / 2.0 - 60);
        add_post(stage, runs[which].middle.x + out, runs[which].middle.y + out * runs[which].angle);
    }
    return props_belt(stage, runs[which].middle, runs[which].length, 28, def);
}

/* ---- bins ---- */

static void add_wall(struct stage *stage, double left, double top, int width, int height) {
    pv_image *image = props_picture(stage, width, height);
    props_bar(image, (pv_rect){0, 0, width, height}, 0x1c2036ffu);
    props_bar(image, (pv_rect){1, 1, width - 2, height - 2}, 0x6b829bffu);
    props_bar(image, (pv_rect){2, 2, width - 4, 2}, 0x94abbaff);
    const struct sprite *sprite = stage_keep(stage, "wall", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){left + width / 2.0, top + height / 2.0};
    stage_put(stage, sprite, def);
}

/// Creates a door that hangs at its left end.
static pv_body_id add_door(struct stage *stage, double left) {
    int length = (int)bin_wide;
    pv_image *image = props_picture(stage, length, 10);
    props_bar(image, (pv_rect){0, 0, length, 10}, 0x1c2036ffu);
    for (int x = 1; x < length - 1; x++)
        for (int y = 1; y < 9; y++)
            props_dot(image, x, y, (x + y) / 8 % 2 ? 0xe0a830ffu : 0x303a53ffu);
    const struct sprite *sprite = stage_keep(stage, "door", image, NULL);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){left + bin_wide / 2, bin_top + bin_high + 5};
    def.friction = def.static_friction = .2;
    return stage_put(stage, sprite, def);
}

/// Creates the sensor that counts arrivals; its picture is the bin's dark inside.
static pv_body_id add_inside(struct stage *stage, double left) {
    int width = (int)bin_wide, height = (int)bin_high;
    pv_image *image = props_picture(stage, width, height);
    props_bar(image, (pv_rect){0, 0, width, height}, 0x10183060u);
    pv_mask *mask = pv_mask_create(width, height, NULL, NULL);
    if (mask) pv_mask_fill_rect(mask, (pv_rect){0, 16, width, height - 16}, true);
    const struct sprite *sprite = stage_keep(stage, "inside", image, mask);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){left + bin_wide / 2, bin_top + 8 + bin_high / 2};
    def.sensor = true;
    return stage_put(stage, sprite, def);
}

static void add_sign(struct stage *stage, const char *name, double x, double y) {
    const struct sprite *sprite = stage_load(stage, name);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){x, y};
    def.sensor = true;
    def.filter.mask_bits = 0;
    stage_put(stage, sprite, def);
}

static struct bin add_bin(struct stage *stage, int which) {
    struct bin bin = {0};
    double left = signs[which].left;
    bin.inside = add_inside(stage, left);
    bin.door = add_door(stage, left);
    add_wall(stage, left - wall, bin_top, (int)wall, (int)bin_high + 10);
    add_wall(stage, left + bin_wide, bin_top, (int)wall, (int)bin_high + 10);
    add_sign(stage, signs[which].sign, left + bin_wide / 2 - 30, 700);
    bin.board = props_board(stage, left + bin_wide / 2 - 6, 690, 3, signs[which].color);
    return bin;
}

/* ---- building ---- */

static void add_chute(struct stage *stage) {
    pv_image *image = props_picture(stage, 132, 56);
    for (int y = 0; image && y < image->height; y++) {
        int in = y / 3;
        props_bar(image, (pv_rect){in, y, 132 - 2 * in, 1},
                  y % 14 < 2 || y > 53 ? 0x303a53ffu : 0x5f86a3ffu);
        props_bar(image, (pv_rect){in, y, 3, 1}, 0x86a9b9ffu);
    }
    props_decor(stage, "chute", image, 44, 0, false);
}

static void setup(struct stage *stage) {
    pv_world_def def = pv_world_def_default();
    def.presolve_callback = sort;
    def.presolve_user_data = stage;
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_BOARDS;
    if (!memory) return;
    stage_set_world(stage, &def);
    stage_add_knob(stage, "belts [%]", 0, 250, 100);
    for (int i = 0; i < BELTS; i++) memory->belts[i] = add_belt(stage, i);
    for (int i = 0; i < BINS; i++) memory->bins[i] = add_bin(stage, i);
    add_chute(stage);
    stage_add_fence(stage, 200);
}

/* ---- running ---- */

static void drop_thing(struct stage *stage, struct memory *memory, int place) {
    const struct kind *kind = &kinds[memory->next];
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){110 + stage_uniform(stage, -6, 6), 20};
    def.angle = kind->category == METAL ? 0 : stage_uniform(stage, -3, 3);
    def.restitution = 0;
    def.rolling_resistance = kind->category == ROUND ? 1 : 0;
    def.filter.category_bits = kind->category;
    if (pv_world_query_circle(stage->world, def.position, 34, NULL, NULL, 0) > 0) return;
    memory->things[place].body = stage_add_def(stage, kind->sprite, def);
    memory->things[place].age = 0;
    memory->next = stage_pick(stage, (int)(sizeof kinds / sizeof kinds[0]));
}

/// Destroys objects that fell out of the view or are stuck. From time to time a new object takes a
/// free place.
static void renew(struct stage *stage, struct memory *memory) {
    bool due = memory->frame % PACE == 0;
    for (int i = 0; i < MOST; i++) {
        pv_body_id body = memory->things[i].body;
        bool there = pv_body_is_valid(stage->world, body);
        if (there &&
            (pv_body_get_position(stage->world, body).y > 800 || memory->things[i].age++ > LIFE))
            pv_body_destroy(stage->world, body);
        if (there || !due) continue;
        drop_thing(stage, memory, i);
        due = false;
    }
}

/// Frames after which a door is down, begins to go up, and is shut
enum { DOWN = 24, UP = 100, UPPED = 148 };

static double door_angle(int open) {
    const double most = 1.5;
    if (open < DOWN) return most * open / DOWN;
    return open < UP ? most : open < UPPED ? most * (UPPED - open) / (UPPED - UP) : 0;
}

/// Tells whether a rising door could squeeze an object.
static bool is_in_way(const struct stage *stage, double left) {
    pv_query_filter things = {.mask_bits = ROUND | WOOD | GOLD | METAL};
    pv_box box = {{left, bin_top + bin_high}, {left + bin_wide, bin_top + bin_high + bin_wide}};
    return pv_world_query_box(stage->world, box, &things, NULL, 0) > 0;
}

static void swing(struct stage *stage, struct bin *bin, double left) {
    bool waits = bin->open >= UP && is_in_way(stage, left);
    if (!waits || bin->open > UP) bin->open += waits ? -1 : 1;
    double angle = door_angle(bin->open);
    pv_rotation r = pv_rotation_from_angle(angle);
    pv_vec2 at = {left + bin_wide / 2 * r.c, bin_top + bin_high + 5 + bin_wide / 2 * r.s};
    pv_body_move_to(stage->world, bin->door, at, angle, SCENE_STEP);
    if (angle == 0) bin->open = 0;
}

static void tend(struct stage *stage, struct bin *bin, double left) {
    int inside = pv_body_get_sensor_overlaps(stage->world, bin->inside, NULL, 0);
    bin->shut = inside > 0 && bin->open == 0 ? bin->shut + 1 : 0;
    if (inside >= FULL || bin->shut > SHUT || bin->open > 0) swing(stage, bin, left);
    props_count(&bin->board, bin->sorted);
}

static void count(struct stage *stage, struct memory *memory) {
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.sensor_begin_count; i++)
        for (int k = 0; k < BINS; k++)
            memory->bins[k].sorted +=
                is_same(events.sensor_begins[i].sensor, memory->bins[k].inside);
}

/// Runs a belt at the slider's percentage of its speed.
static void run_belt(struct stage *stage, struct belt *belt, double speed) {
    double wanted = speed * stage->knobs[0].value / 100;
    if (belt->speed != wanted) pv_body_set_tangent_speed(stage->world, belt->body, wanted);
    belt->speed = wanted;
    props_run(belt);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    renew(stage, memory);
    count(stage, memory);
    for (int i = 0; i < BINS; i++) tend(stage, &memory->bins[i], signs[i].left);
    for (int i = 0; i < BELTS; i++) run_belt(stage, &memory->belts[i], runs[i].speed);
    memory->frame++;
}

const struct scene scene_conveyor = {"conveyor", "belts carry, lift and sort what falls on them",
                                     setup, update};
