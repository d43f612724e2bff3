/* billiards.c - a table seen from above, with six pockets, fifteen numbered balls and a cue. The
 * mouse takes the cue. Otherwise the table plays by itself.
 *
 * Invariant: there is no gravity, and the felt slows all balls alike. A ball leaves the table only
 * through a pocket.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>

enum { BALLS = 15, POCKETS = 6, WIDE = 640, HIGH = 360 };

/// Widths of the wood and of the cushion in front of it, and radii of balls and pockets [px]
enum { WOOD = 26, CUSHION = 10, RADIUS = 12, POCKET = 21 };

/// Share of its speed that a ball loses to the felt [1/s], and its constant deceleration [px/s^2]
static const double felt = .35, drag = 24;

/// Speed below which a ball is at rest [px/s], and speeds of the table's own shots [px/s]
static const double slow = 2, opening = 2400, usual = 520;

/// Distance between balls of the rack [px]. A loose rack passes the blow only to its corners.
static const double tight = 2 * RADIUS + .1;

/// Frames for which the table aims, and frames of rest before a new rack
enum { AIMS = 50, RESTS = 120 };

static const pv_vec2 spot = {160, 180};

static const pv_vec2 pockets[POCKETS] = {{34, 34},  {320, 28},  {606, 34},
                                         {34, 326}, {320, 332}, {606, 326}};

/// Colors of balls 1 to 8; the stripes of 9 to 15 reuse them
static const uint32_t colors[8] = {0xf2c038ff, 0x2c58c0ff, 0xd03030ff, 0x6c3ca0ff,
                                   0xf08830ff, 0x2c8c4cff, 0x8c2838ff, 0x202028ff};

/// Balls of the rack, row by row
static const int rack[BALLS] = {1, 9, 2, 10, 8, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};

struct memory {
    pv_body_id cue, stick, balls[BALLS + 1], tray[BALLS];
    struct sprite *looks[BALLS + 1];
    /// Direction and speed of the shot being aimed
    pv_rotation way;
    double speed;
    int potted, aims, rests, shots;
    /// True while the player aims
    bool held;
};

/* ---- pictures ---- */

static struct sprite *paint_ball(struct stage *stage, int number) {
    pv_image *image = props_picture(stage, 2 * RADIUS, 2 * RADIUS);
    uint32_t color = colors[(number - 1) % 8];
    for (int y = 0; image && y < 2 * RADIUS; y++)
        for (int x = 0; x < 2 * RADIUS; x++) {
            double dx = x + .5 - RADIUS, dy = y + .5 - RADIUS, out = dx * dx + dy * dy;
            if (out > RADIUS * RADIUS) continue;
            double light = out > 118 ? .6 : 1.12 - (dx + dy) * .016;
            bool pale = number > 8 && fabs(dy) > 6;
            props_dot(image, x, y, texture_lit(pale ? 0xf4eedcffu : color, light));
        }
    props_disc(image, 8, 6, 2, 0xffffffe0u);
    props_disc(image, RADIUS, RADIUS, 5.6, 0xf8f4e8ffu);
    props_number(image, RADIUS, RADIUS, number, 0x181420ffu);
    return stage_keep(stage, "ball", image, NULL);
}

static bool is_pocket(double x, double y, double radius) {
    for (int i = 0; i < POCKETS; i++) {
        double dx = x - pockets[i].x, dy = y - pockets[i].y;
        if (dx * dx + dy * dy <= radius * radius) return true;
    }
    return false;
}

/// Returns the color of the frame: wood outside, cushion inside; 0 on the felt and in pockets.
static uint32_t frame_color(int x, int y) {
    int left = x < WIDE - 1 - x ? x : WIDE - 1 - x, top = y < HIGH - 1 - y ? y : HIGH - 1 - y;
    int deep = left < top ? left : top, along = left < top ? y : x;
    if (deep >= WOOD + CUSHION || is_pocket(x + .5, y + .5, POCKET)) return 0;
    if (is_pocket(x + .5, y + .5, POCKET + 3)) return 0xc8a860ffu;
    if (deep >= WOOD)
        return texture_lit(0x2c9058ffu, deep == WOOD ? .6 : 1.1 - .05 * (deep - WOOD));
    double grain = texture_rough(7, along / 46.0, deep / 2.5, 3);
    bool inlaid = deep > 11 && deep < 16 && along % 70 > 32 && along % 70 < 38;
    return inlaid ? 0xf5eeddffu : texture_lit(0x7c4828ffu, deep < 2 ? .5 : .75 + .5 * grain);
}

static void set_material(struct stage *stage, pv_body_id body) {
    stage_set_surface(stage->world, body, .95, .05, .05);
}

/// Creates the pockets, and the frame of wood and cushions around them.
static void add_table(struct stage *stage) {
    for (int i = 0; i < POCKETS; i++) {
        pv_image *hole = props_picture(stage, 2 * POCKET, 2 * POCKET);
        props_disc(hole, POCKET, POCKET, POCKET, 0x0c1014ffu);
        props_decor(stage, "pocket", hole, pockets[i].x - POCKET, pockets[i].y - POCKET, true);
    }
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; image && y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) props_dot(image, x, y, frame_color(x, y));
    const struct sprite *frame = stage_keep(stage, "frame", image, NULL);
    if (!frame) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC; /* so that it is drawn behind balls and stick */
    def.position = frame->center;
    set_material(stage, stage_put(stage, frame, def));
}

static pv_image *paint_stick(struct stage *stage) {
    pv_image *image = props_picture(stage, 230, 8);
    for (int y = 0; image && y < 8; y++)
        for (int x = 0; x < 230; x++) {
            double half = 4 - x * .009, across = fabs(y + .5 - 4);
            if (across > half) continue;
            uint32_t wood = x > 224   ? 0x4878b8ffu
                            : x > 216 ? 0xf5eeddffu
                            : x < 80  ? 0x4a2430ffu
                                      : 0xd8a868ffu;
            props_dot(image, x, y, texture_lit(wood, across > half - 1 ? .75 : 1.05));
        }
    return image;
}

/// Paints the shadows of all balls on the felt.
static void paint_shadows(const struct lens *lens) {
    const pv_world *world = lens->stage->world;
    double zoom = lens->view->camera.zoom;
    for (pv_body_id body = {0}; stage_is_body(body = pv_world_get_next_body(world, body));) {
        if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) continue;
        pv_vec2 at = pv_body_get_position(world, body);
        at = lens_point(lens, (pv_vec2){at.x + 3, at.y + 5});
        pv_canvas_draw_circle(lens->canvas, at, RADIUS * zoom, 0x06201480u);
    }
}

/* ---- the game ---- */

static pv_body_id put_ball(struct stage *stage, const struct sprite *look, pv_vec2 at) {
    pv_body_def def = pv_body_def_default();
    def.position = at;
    pv_body_id ball = stage_put(stage, look, def);
    set_material(stage, ball);
    return ball;
}

static void put_rack(struct stage *stage, struct memory *memory) {
    for (int row = 0, next = 0; row < 5; row++)
        for (int i = 0; i <= row; i++, next++) {
            pv_vec2 at = {400 + tight * sqrt(.75) * row, 180 + tight * (i - row / 2.0)};
            memory->balls[rack[next]] = put_ball(stage, memory->looks[rack[next]], at);
        }
    memory->potted = memory->shots = 0;
}

/// Tells whether all balls are at rest.
static bool is_quiet(const struct stage *stage, const struct memory *memory) {
    pv_vec2 v = pv_body_get_velocity(stage->world, memory->cue);
    bool quiet = v.x * v.x + v.y * v.y < slow * slow;
    for (int i = 1; i <= BALLS && quiet; i++) {
        if (!pv_body_is_valid(stage->world, memory->balls[i])) continue;
        v = pv_body_get_velocity(stage->world, memory->balls[i]);
        quiet = v.x * v.x + v.y * v.y < slow * slow;
    }
    return quiet;
}

static double length(pv_vec2 v) { return sqrt(v.x * v.x + v.y * v.y); }

static pv_vec2 from_to(pv_vec2 from, pv_vec2 to) { return (pv_vec2){to.x - from.x, to.y - from.y}; }

/// Rates a shot that sends a ball into a pocket, and stores the way of the cue ball.
static double judge(pv_vec2 cue, pv_vec2 ball, pv_vec2 pocket, pv_vec2 *way) {
    pv_vec2 out = from_to(ball, pocket);
    double far = length(out);
    pv_vec2 at = {ball.x - out.x / far * 2 * RADIUS, ball.y - out.y / far * 2 * RADIUS};
    *way = from_to(cue, at);
    double near = length(*way);
    double straight = (way->x * out.x + way->y * out.y) / (near * far + 1e-9);
    return straight > .3 ? straight * straight / (near + far) : 0;
}

/// Tells whether the way of a ball is clear of all balls except one.
static bool is_open(const struct stage *stage, const struct memory *memory, pv_vec2 from,
                    pv_vec2 to, int but) {
    pv_vec2 way = from_to(from, to);
    double far = length(way) + 1e-9;
    for (int i = 1; i <= BALLS; i++) {
        if (i == but || !pv_body_is_valid(stage->world, memory->balls[i])) continue;
        pv_vec2 d = from_to(from, pv_body_get_position(stage->world, memory->balls[i]));
        double along = (d.x * way.x + d.y * way.y) / far,
               across = (d.x * way.y - d.y * way.x) / far;
        if (along > 0 && along < far && fabs(across) < 2 * RADIUS) return false;
    }
    return true;
}

/// Chooses the best shot. The opening shot, or one without a clear way, goes at the first ball.
static void choose(struct stage *stage, struct memory *memory) {
    pv_vec2 cue = pv_body_get_position(stage->world, memory->cue), best = {0, 0}, to;
    double most = 0;
    for (int i = 1; i <= BALLS; i++) {
        if (!pv_body_is_valid(stage->world, memory->balls[i])) continue;
        pv_vec2 ball = pv_body_get_position(stage->world, memory->balls[i]);
        if (best.x == 0 && best.y == 0) best = from_to(cue, ball);
        for (int k = 0; k < POCKETS && memory->shots > 0; k++) {
            double worth = judge(cue, ball, pockets[k], &to);
            pv_vec2 at = {cue.x + to.x, cue.y + to.y};
            if (worth <= most || !is_open(stage, memory, cue, at, i) ||
                !is_open(stage, memory, ball, pockets[k], i))
                continue;
            most = worth;
            best = to;
        }
    }
    double far = length(best), slip = memory->shots > 0 ? 0 : stage_uniform(stage, -.02, .02);
    pv_rotation way = {best.x / far, best.y / far};
    memory->way = pv_rotation_from_angle(pv_rotation_get_angle(way) + slip);
    memory->speed = memory->shots > 0 ? usual : opening;
    memory->aims = AIMS;
}

static void strike(struct stage *stage, struct memory *memory) {
    pv_vec2 v = {memory->way.c * memory->speed, memory->way.s * memory->speed};
    pv_body_set_velocity(stage->world, memory->cue, v);
    memory->shots++;
    memory->rests = 0;
}

/// Lays the stick behind the cue ball, drawn back by a distance, or hides it.
static void show_stick(struct stage *stage, const struct memory *memory, double back, bool shown) {
    pv_vec2 at = pv_body_get_position(stage->world, memory->cue);
    double far = RADIUS + 3 + back + 115;
    pv_vec2 to = {at.x - far * memory->way.c, at.y - far * memory->way.s};
    pv_body_set_position(stage->world, memory->stick, shown ? to : (pv_vec2){-400, -400});
    pv_body_set_angle(stage->world, memory->stick, pv_rotation_get_angle(memory->way));
}

/* ---- the player ---- */

static bool press(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || !is_quiet(stage, memory)) return true;
    memory->held = true;
    memory->aims = 0;
    stage->arrow[0] = stage->arrow[1] = pv_body_get_position(stage->world, memory->cue);
    stage->hooks.drag(stage, at);
    return true;
}

static void aim(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || !memory->held) return;
    pv_vec2 way = from_to(stage->arrow[0], at);
    double far = length(way);
    if (far < 1) return;
    stage->arrow[1] = at;
    memory->way = (pv_rotation){way.x / far, way.y / far};
    memory->speed = AIM_PACE * far < opening ? AIM_PACE * far : opening;
}

static void release(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || !memory->held) return;
    aim(stage, at);
    memory->held = false;
    stage->arrow[1] = stage->arrow[0];
    strike(stage, memory);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, WIDE, HIGH);
    stage->backdrop = STAGE_FELT;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    if (!memory) return;
    stage->painters.below = paint_shadows;
    stage->hooks.press = press;
    stage->hooks.drag = aim;
    stage->hooks.release = release;
    stage->hint = "drag: the cue strikes";
    stage_add_knob(stage, "drag [%]", 30, 400, 100);
    add_table(stage);
    for (int i = 1; i <= BALLS; i++) memory->looks[i] = paint_ball(stage, i);
    put_rack(stage, memory);
    memory->cue = put_ball(stage, stage_load(stage, "ball_cue"), spot);
    memory->way = (pv_rotation){1, 0};
    memory->stick = props_part(stage, "stick", paint_stick(stage), (pv_vec2){-400, -400});
}

/* ---- running ---- */

static void brake(struct stage *stage) {
    pv_world *world = stage->world;
    double cloth = stage->knobs[0].value / 100;
    for (pv_body_id body = {0}; stage_is_body(body = pv_world_get_next_body(world, body));) {
        if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC || !pv_body_is_awake(world, body))
            continue;
        pv_vec2 v = pv_body_get_velocity(world, body);
        double speed = length(v), loss = cloth * (felt + (speed > 1 ? drag / speed : drag));
        double force = -loss * pv_body_get_mass(world, body);
        pv_body_apply_force(world, body, (pv_vec2){force * v.x, force * v.y});
        pv_body_apply_torque(world, body,
                             -loss * pv_body_get_inertia(world, body) *
                                 pv_body_get_angular_velocity(world, body));
    }
}

static bool is_in_pocket(const struct stage *stage, pv_body_id ball) {
    pv_vec2 at = pv_body_get_position(stage->world, ball);
    return is_pocket(at.x, at.y, POCKET - 2);
}

/// Moves balls that lie in pockets to the tray in the lower rail. The cue ball returns to its spot.
static void pot(struct stage *stage, struct memory *memory) {
    for (int i = 1; i <= BALLS; i++) {
        pv_body_id *ball = &memory->balls[i];
        if (!pv_body_is_valid(stage->world, *ball) || !is_in_pocket(stage, *ball)) continue;
        pv_body_destroy(stage->world, *ball);
        pv_body_def def = pv_body_def_default();
        def.type = PV_BODY_STATIC;
        def.position = (pv_vec2){68 + 22 * memory->potted + (memory->potted > 10 ? 40 : 0), 347};
        def.sensor = true;
        def.filter.mask_bits = 0;
        memory->tray[memory->potted++] = stage_put(stage, memory->looks[i], def);
    }
    if (!is_in_pocket(stage, memory->cue)) return;
    pv_body_set_position(stage->world, memory->cue, spot);
    pv_body_set_velocity(stage->world, memory->cue, (pv_vec2){0, 0});
}

/// Puts up a new rack some time after the last ball is gone.
static void renew(struct stage *stage, struct memory *memory) {
    if (memory->potted < BALLS || memory->rests < RESTS) return;
    for (int i = 0; i < BALLS; i++) pv_body_destroy(stage->world, memory->tray[i]);
    pv_body_set_position(stage->world, memory->cue, spot);
    put_rack(stage, memory);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    brake(stage);
    pot(stage, memory);
    memory->rests = is_quiet(stage, memory) ? memory->rests + 1 : 0;
    renew(stage, memory);
    if (!memory->held && memory->aims == 0 && memory->rests > 30 && memory->potted < BALLS)
        choose(stage, memory);
    show_stick(stage, memory, memory->held ? memory->speed / 20 : memory->aims,
               memory->held || memory->aims > 0);
    if (memory->aims > 0 && --memory->aims == 0) strike(stage, memory);
}

const struct scene scene_billiards = {
    "billiards", "fifteen balls, six pockets, a cue: the mouse takes it", setup, update};
