/* sensors.c - objects fly through glass sensors, and light up while they share pixels with one.
 *
 * Invariant: events alone tell which sensors an object is in.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Numbers of objects. The last sensor is the searchlight, and the one before it counts goals.
enum { SENSORS = 6, GOAL = 4, LIGHT = 5, KINDS = 7, THINGS = 26, SPARKS = 160 };

/// Range of the speeds of objects [px/s], and life of a spark [frames]
static const double slowest = 90, fastest = 260;
enum { SPARK_LIFE = 26 };

static const struct {
    const char *sprite;
    int factor;
    pv_vec2 at;
    double spin;
    /// Color of the sensor, and color of objects in it
    uint32_t glass, light;
} plans[SENSORS] = {
    {"ring", 4, {270, 210}, 0, 0x40c8ff70u, 0x40e0ffa0u},
    {"star", 5, {640, 420}, .25, 0xffd04070u, 0xffe040a0u},
    {"letter_c", 5, {1010, 210}, 0, 0xff506070u, 0xff4060a0u},
    {"gear", 4, {290, 530}, -.35, 0x70ff7070u, 0x60ff60a0u},
    {"safe", 0, {1250, 560}, 0, 0xd080ff70u, 0xd060ffb0u},
    {"light", 0, {640, 0}, 0, 0xfff0a048u, 0xfffff0b0u},
};

static const char *const kinds[KINDS] = {"ball_small", "ball", "star_small", "rock_small",
                                         "ring_small", "ship", "crate"};

struct thing {
    pv_body_id body;
    int kind;
    /// Number of begin events minus number of end events
    int in[SENSORS];
};

struct memory {
    pv_body_id sensors[SENSORS];
    /// Sprites of each sensor: empty, and with an object in it
    struct sprite *glass[SENSORS][2];
    /// Sprites in the light of each sensor; the last row is for no light
    const struct sprite *lit[SENSORS + 1][KINDS];
    struct board boards[SENSORS];
    struct thing things[THINGS];
    pv_particle_id sparks[SPARKS];
    /// Frames in which the sparks were created
    int born[SPARKS];
    int spark, frame, goals;
};

/* ---- pictures ---- */

/// Returns a cone of light that opens downward from the middle of the upper edge. Its mask covers
/// all of it.
static struct sprite *light_of(struct stage *stage, uint32_t color) {
    const int width = 260, height = 560;
    pv_image *image = props_picture(stage, width, height);
    pv_mask *mask = image ? pv_mask_create(width, height, NULL, NULL) : NULL;
    for (int y = 0; mask && y < height; y++)
        for (int x = 0; x < width; x++) {
            int away = 2 * x + 1 - width, rim = width * (y + 20) / (height + 20);
            if (away > rim || -away > rim) continue;
            uint32_t alpha =
                (color & 255) * (uint32_t)(height + 8 - y) * 3 / (uint32_t)(2 * height);
            props_dot(image, x, y, (color & ~255u) | alpha);
            pv_mask_set_pixel(mask, x, y, true);
        }
    return stage_keep(stage, "light", image, mask);
}

/// Returns a net between two posts.
static struct sprite *goal_of(struct stage *stage, uint32_t color) {
    const int width = 60, height = 200;
    pv_image *image = props_picture(stage, width, height);
    pv_mask *mask = image ? pv_mask_create(width, height, NULL, NULL) : NULL;
    if (mask) pv_mask_fill_rect(mask, (pv_rect){0, 0, width, height}, true);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            bool post = x < 3 || y < 4 || y >= height - 4,
                 net = (x + y) % 12 == 0 || (x - y + height * 12) % 12 == 0;
            props_dot(image, x, y, post ? color | 255 : net ? color | 160 : color);
        }
    return stage_keep(stage, "goal", image, mask);
}

static struct sprite *glass_of(struct stage *stage, int which, bool full) {
    uint32_t color = plans[which].glass + (full ? 0x48u : 0);
    if (which == LIGHT) return light_of(stage, color);
    if (which == GOAL) return goal_of(stage, color);
    return props_glass(stage, plans[which].sprite, plans[which].factor, color);
}

static void load_lights(struct stage *stage, struct memory *memory) {
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < SENSORS; i++)
            memory->lit[i][kind] = props_tinted(stage, kinds[kind], plans[i].light);
        memory->lit[SENSORS][kind] = props_tinted(stage, kinds[kind], 0x10183c90u);
    }
}

/* ---- building ---- */

static pv_body_id add_sensor(struct stage *stage, const struct sprite *glass, int which) {
    pv_body_def def = pv_body_def_default();
    if (!glass) return (pv_body_id){0};
    def.type = PV_BODY_KINEMATIC;
    def.position = plans[which].at;
    def.angular_velocity = plans[which].spin;
    def.sensor = true;
    return stage_put(stage, glass, def);
}

static void add_thing(struct stage *stage, struct memory *memory, int which) {
    pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -3.1, 3.1));
    double speed = stage_uniform(stage, 110, 200);
    pv_body_def def = pv_body_def_default();
    def.position =
        (pv_vec2){110 + 150 * (which % 8) + stage_uniform(stage, -20, 20), 80 + 180 * (which / 8)};
    def.velocity = (pv_vec2){speed * r.c, speed * r.s};
    def.angular_velocity = stage_uniform(stage, -2, 2);
    def.restitution = 1;
    def.static_friction = def.friction = 0;
    struct thing *thing = &memory->things[which];
    thing->kind = which % KINDS;
    thing->body = stage_put(stage, memory->lit[SENSORS][thing->kind], def);
}

static void add_rim(struct stage *stage, double left, double top, int width, int height) {
    pv_image *image = props_picture(stage, width, height);
    props_bar(image, (pv_rect){0, 0, width, height}, 0x303a53ffu);
    const struct sprite *sprite = stage_keep(stage, "rim", image, NULL);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){left + width / 2.0, top + height / 2.0};
    def.restitution = 1;
    def.static_friction = def.friction = 0;
    stage_put(stage, sprite, def);
}

static void build(struct stage *stage, struct memory *memory) {
    static const pv_vec2 boards[SENSORS] = {{270, 210}, {640, 420},  {1010, 210},
                                            {290, 530}, {1180, 560}, {640, 30}};
    for (int i = 0; i < SENSORS; i++) {
        for (int full = 0; full < 2; full++) memory->glass[i][full] = glass_of(stage, i, full);
        memory->sensors[i] = add_sensor(stage, memory->glass[i][0], i);
        memory->boards[i] = props_board(stage, boards[i].x - 15, boards[i].y - 11,
                                        i == GOAL ? 3 : 2, plans[i].light | 255);
    }
    load_lights(stage, memory);
    for (int side = 0; side < 2; side++) {
        add_rim(stage, 0, side * 712, 1280, 8);
        add_rim(stage, side * 1272, 8, 8, 704);
    }
    for (int i = 0; i < THINGS; i++) add_thing(stage, memory, i);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, 0};
    def.enable_sleep = false;
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_STARS;
    stage->loose.dot = 0xffd060ff;
    if (!memory) return;
    stage_set_world(stage, &def);
    stage_add_knob(stage, "pace [%]", 10, 300, 100);
    build(stage, memory);
}

/* ---- events ---- */

static bool is_same(pv_body_id a, pv_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

static void note(struct memory *memory, pv_sensor_event visit, int by) {
    for (int i = 0; i < THINGS; i++)
        for (int k = 0; k < SENSORS && is_same(memory->things[i].body, visit.visitor); k++)
            if (is_same(memory->sensors[k], visit.sensor)) {
                memory->things[i].in[k] += by;
                memory->goals += by > 0 && k == GOAL;
            }
}

static void add_spark(struct stage *stage, struct memory *memory, const pv_hit_event *hit) {
    pv_particle_def def = pv_particle_def_default();
    pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -3.1, 3.1));
    double speed = stage_uniform(stage, 20, 60 + hit->speed / 2);
    def.position = hit->point;
    def.velocity = (pv_vec2){speed * r.c, speed * r.s};
    def.radius = stage_uniform(stage, .8, 2);
    def.linear_damping = 3;
    def.collides = false;
    int at = memory->spark++ % SPARKS;
    if (stage_is_particle(memory->sparks[at]))
        pv_particle_destroy(stage->world, memory->sparks[at]);
    memory->sparks[at] = pv_particle_create(stage->world, &def, NULL);
    memory->born[at] = memory->frame;
}

static void drop_sparks(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < SPARKS; i++) {
        if (!stage_is_particle(memory->sparks[i]) || memory->frame - memory->born[i] < SPARK_LIFE)
            continue;
        pv_particle_destroy(stage->world, memory->sparks[i]);
        memory->sparks[i] = (pv_particle_id){0};
    }
}

static void hear(struct stage *stage, struct memory *memory) {
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.sensor_begin_count; i++) note(memory, events.sensor_begins[i], 1);
    for (int i = 0; i < events.sensor_end_count; i++) note(memory, events.sensor_ends[i], -1);
    for (int i = 0; i < events.hit_count; i++)
        for (int k = 0; k < 3 + (int)(events.hits[i].speed / 60); k++)
            add_spark(stage, memory, &events.hits[i]);
}

/* ---- showing ---- */

/// Shows each object in the light of the first sensor that it is in.
static void show_things(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < THINGS; i++) {
        struct thing *thing = &memory->things[i];
        int lit = 0;
        while (lit < SENSORS && thing->in[lit] <= 0) lit++;
        pv_body_set_user_data(stage->world, thing->body, (void *)memory->lit[lit][thing->kind]);
    }
}

static void show_sensors(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < SENSORS; i++) {
        int inside = 0;
        for (int k = 0; k < THINGS; k++) inside += memory->things[k].in[i] > 0;
        pv_body_set_user_data(stage->world, memory->sensors[i], memory->glass[i][inside > 0]);
        props_count(&memory->boards[i], i == GOAL ? memory->goals : inside);
    }
}

/* ---- moving ---- */

/// Turns the searchlight, which hangs by its upper end.
static void turn_light(struct stage *stage, const struct memory *memory) {
    const struct sprite *glass = memory->glass[LIGHT][0];
    double turns = memory->frame * SCENE_STEP / 9,
           angle = .75 * pv_rotation_from_angle(2 * PI * (turns - floor(turns))).s;
    pv_rotation r = pv_rotation_from_angle(angle);
    if (!glass) return;
    pv_vec2 at = {plans[LIGHT].at.x - glass->center.y * r.s,
                  plans[LIGHT].at.y + glass->center.y * r.c};
    pv_body_move_to(stage->world, memory->sensors[LIGHT], at, angle, SCENE_STEP);
}

/// Keeps an object at a speed that is easy to watch.
static void keep_pace(struct stage *stage, const struct thing *thing) {
    pv_vec2 v = pv_body_get_velocity(stage->world, thing->body);
    double speed = sqrt(v.x * v.x + v.y * v.y), pace = stage->knobs[0].value / 100,
           least = pace * slowest, most = pace * fastest, wanted = speed < least ? least : most;
    if (speed >= least && speed <= most) return;
    pv_vec2 way = speed > 1 ? (pv_vec2){v.x / speed, v.y / speed} : (pv_vec2){.6, .8};
    wanted = speed + (wanted - speed) * .1;
    pv_body_set_velocity(stage->world, thing->body, (pv_vec2){way.x * wanted, way.y * wanted});
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    hear(stage, memory);
    drop_sparks(stage, memory);
    turn_light(stage, memory);
    for (int i = 0; i < THINGS; i++) keep_pace(stage, &memory->things[i]);
    show_things(stage, memory);
    show_sensors(stage, memory);
    memory->frame++;
}

const struct scene scene_sensors = {
    "sensors", "sensors of glass light up what shares a pixel with them", setup, update};
