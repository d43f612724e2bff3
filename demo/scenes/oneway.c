/* oneway.c - pistons throw bodies up through one-way platforms, on which they land.
 *
 * Invariant: the place of a moving platform follows from the frame alone. Platforms let go of
 * bodies in presolve.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"
#include "scenes/scenes.h"

#include "stage/props.h"

#define PI 3.14159265358979323846

enum { PISTONS = 3, PLATFORMS = 9, THINGS = 24 };

/// Scale of the thrown bodies
static const double large = 1.4;

/// Top of a lowered piston, its width and its height [px]; the ground slopes down to it on both
/// sides
static const double low = 664, piston_wide = 112, piston_high = 130;
static const double piston_x[PISTONS] = {200, 640, 1080};

/// Frames from one stroke to the next, of a stroke, and of the way back
enum { CYCLE = 150, STROKE = 5, BACK = 45 };

/// Number of bodies that load a platform, frames until it then lets go, and frames for which it is
/// open
enum { BEARS = 2, PATIENCE = 150, OPEN = 50 };

static const struct {
    /// Middle of its path, and greatest displacement to either side [px]
    pv_vec2 middle, way;
    /// Angle [rad], and period of the path [s]; period 0: it stands still
    double angle, period;
    int length;
    bool lets_go;
} plans[PLATFORMS] = {
    {{210, 500}, {0, 0}, 0, 0, 190, true},     {{1070, 500}, {0, 0}, 0, 0, 190, true},
    {{640, 430}, {190, 0}, 0, 9, 150, false},  {{130, 330}, {0, 90}, 0, 7, 130, false},
    {{1150, 330}, {0, -90}, 0, 7, 130, false}, {{400, 300}, {0, 0}, .3, 0, 150, false},
    {{880, 300}, {0, 0}, -.3, 0, 150, false},  {{640, 240}, {0, 0}, 0, 0, 200, true},
    {{640, 560}, {120, 40}, 0, 6, 120, false},
};

struct platform {
    pv_body_id body;
    struct sprite *sprite;
    /// Frames for which it has been loaded
    int loaded;
    /// Frames until it is shut again
    int open;
};

struct piston {
    pv_body_id body;
    double speed;
    int clock;
};

struct memory {
    struct platform platforms[PLATFORMS];
    struct piston pistons[PISTONS];
    int frame;
};

/* ---- pictures ---- */

static double ground_at(double x) {
    double height = 1000;
    for (int i = 0; i < PISTONS; i++) {
        double away = x < piston_x[i] ? piston_x[i] - x : x - piston_x[i];
        if (away < height) height = away;
    }
    double rise = height - piston_wide / 2;
    return rise < -2 ? -60 : rise < 0 ? 0 : rise * .3;
}

/// Creates the ground: stone that slopes to the pistons, with holes for them.
static void add_ground(struct stage *stage) {
    const struct sprite *tile = stage_load(stage, "tile");
    const int top = 600;
    pv_image *image = props_picture(stage, 1280, 720 - top);
    for (int x = 0; tile && x < 1280; x++) {
        int from = (int)(low - ground_at(x + .5)) - top;
        for (int y = from; y < 720 - top; y++) {
            const unsigned char *t = sprite_texel(tile, x, y);
            uint32_t stone =
                (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | 255;
            props_dot(image, x, y, y < from + 4 ? 0x6cac40ffu : stone);
        }
    }
    const struct sprite *sprite = stage_keep(stage, "ground", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.static_friction = def.friction = .1;
    def.position = (pv_vec2){sprite->center.x, top + sprite->center.y};
    stage_put(stage, sprite, def);
}

/// Paints a platform of planks. The color of its top tells whether it lets go and whether it is
/// open.
static void paint_platform(pv_image *image, uint32_t color) {
    if (!image) return;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            bool rim = y == 0 || x == 0 || x == image->width - 1 || y == image->height - 1;
            uint32_t wood = x % 30 == 0 ? 0x5a3c28ffu : y < 9 ? 0xb07c48ffu : 0x8c5c34ffu;
            props_dot(image, x, y, rim ? 0x1c2036ffu : y < 5 ? color : wood);
        }
}

static uint32_t color_of(int which, bool open) {
    if (open) return 0xff4030ffu;
    return plans[which].lets_go ? 0xffd040ffu : plans[which].period > 0 ? 0x50b0ffffu : 0x60e080ffu;
}

/* ---- building ---- */

static struct platform add_platform(struct stage *stage, int which) {
    struct platform platform = {0};
    pv_image *image = props_picture(stage, plans[which].length, 14);
    paint_platform(image, color_of(which, false));
    platform.sprite = stage_keep(stage, "platform", image, NULL);
    pv_body_def def = pv_body_def_default();
    def.type = plans[which].period > 0 ? PV_BODY_KINEMATIC : PV_BODY_STATIC;
    def.position = plans[which].middle;
    def.angle = plans[which].angle;
    def.one_way_normal = (pv_vec2){0, -1};
    if (def.angle != 0) def.static_friction = def.friction = 0;
    platform.body = stage_put(stage, platform.sprite, def);
    return platform;
}

static struct piston add_piston(struct stage *stage, int which) {
    pv_image *image = props_picture(stage, (int)piston_wide - 4, (int)piston_high);
    for (int y = 0; image && y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            bool rim = x == 0 || y == 0 || x == image->width - 1;
            uint32_t steel = y < 8        ? ((x + y) / 8 % 2 ? 0xe0a830ffu : 0x303a53ffu)
                             : x % 16 < 3 ? 0x94abbaffu
                                          : 0x6b829bffu;
            props_dot(image, x, y, rim ? 0x1c2036ffu : steel);
        }
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){piston_x[which], low + piston_high / 2};
    return (struct piston){.body = stage_put(stage, stage_keep(stage, "piston", image, NULL), def),
                           .clock = CYCLE - 40 - 50 * which};
}

static bool is_same(pv_body_id a, pv_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/// Lets bodies on an open platform fall through it.
static pv_presolve_result let_go(void *user_data, const pv_world *world,
                                 pv_presolve_contact *approach) {
    const struct memory *memory = ((const struct stage *)user_data)->memory;
    (void)world;
    for (int i = 0; i < PLATFORMS; i++) {
        const struct platform *p = &memory->platforms[i];
        if (p->open > 0 && (is_same(approach->a, p->body) || is_same(approach->b, p->body)))
            return PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
    }
    return PV_PRESOLVE_COLLIDE;
}

static void add_things(struct stage *stage) {
    static const char *const kinds[] = {"crate", "ball", "star", "ring", "letter_l", "ball_small",
                                        "crate", "ball", "gear", "ship", "letter_c", "rock_small"};
    for (int i = 0; i < THINGS; i++) {
        pv_body_def def = pv_body_def_default();
        def.position = (pv_vec2){40 + 400 * (i % 3) + 30 * (i / 3) + stage_uniform(stage, 0, 20),
                                 -20 - 60 * (i / 3)};
        def.angle = stage_uniform(stage, -3, 3);
        def.scale = (pv_vec2){large, large};
        def.static_friction = def.friction = .4;
        stage_add_def(stage, kinds[i % 12], def);
    }
}

/* ---- the player ---- */

static void keys(struct stage *stage, unsigned held) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    for (int i = 0; memory && i < PISTONS; i++)
        if ((held & STAGE_UP) && memory->pistons[i].clock >= STROKE + BACK)
            memory->pistons[i].clock = CYCLE;
    for (int i = 0; memory && i < PLATFORMS; i++)
        if (held & STAGE_DOWN) memory->platforms[i].open = 2;
    pv_vec2 wind = {(held & STAGE_RIGHT ? 400 : 0) - (held & STAGE_LEFT ? 400 : 0), 0};
    pv_body_id body = pv_world_get_next_body(stage->world, (pv_body_id){0});
    for (; wind.x != 0 && stage_is_body(body); body = pv_world_get_next_body(stage->world, body))
        if (pv_body_get_type(stage->world, body) == PV_BODY_DYNAMIC)
            pv_body_apply_force(stage->world, body,
                                (pv_vec2){wind.x * pv_body_get_mass(stage->world, body), 0});
}

/// Throws a ball up, unless a body there can be grabbed.
static bool press(struct stage *stage, pv_vec2 at) {
    if (stage_is_body(pv_world_pick_body(stage->world, at))) return false;
    pv_body_def def = pv_body_def_default();
    def.position = at;
    def.scale = (pv_vec2){large, large};
    def.velocity = (pv_vec2){stage_uniform(stage, -40, 40), -420};
    stage_add_def(stage, "ball", def);
    return true;
}

/* ---- arrows ---- */

enum { ARROWS = 3 };

/// Distance between arrows below a platform, half their width [px], and frames in which one moves
/// up to the next
static const double arrow_pitch = 22, arrow_half = 22;
enum { ARROW_PERIOD = 45 };

/// Draws an arrowhead below a platform with a rotation.
static void paint_arrow(const struct lens *lens, pv_vec2 middle, pv_rotation r, double below,
                        uint32_t color) {
    const double corners[3][2] = {{-arrow_half, below + 13}, {0, below}, {arrow_half, below + 13}};
    pv_vec2 ends[3];
    for (int i = 0; i < 3; i++) {
        double x = corners[i][0], y = corners[i][1];
        ends[i] =
            lens_point(lens, (pv_vec2){middle.x + r.c * x - r.s * y, middle.y + r.s * x + r.c * y});
    }
    for (int i = 0; i < 2; i++)
        pv_canvas_draw_thick_line(lens->canvas, ends[i], ends[i + 1], 7 * lens->view->camera.zoom,
                                  color);
}

/// Draws arrows that rise to each shut platform, as bodies still pass from below.
static void paint_arrows(const struct lens *lens) {
    const struct memory *memory = lens->stage->memory;
    double part = memory->frame % ARROW_PERIOD / (double)ARROW_PERIOD;
    for (int i = 0; i < PLATFORMS; i++) {
        const struct platform *platform = &memory->platforms[i];
        pv_vec2 at = pv_body_get_position(lens->stage->world, platform->body);
        pv_rotation r = pv_body_get_transform(lens->stage->world, platform->body).rotation;
        for (int k = 0; k < ARROWS && platform->open == 0; k++) {
            double way = ARROWS - k - part, share = way / ARROWS;
            uint32_t alpha = (uint32_t)(255 * (1 - share) * (way < .5 ? 2 * way : 1));
            paint_arrow(lens, at, r, 12 + arrow_pitch * way, 0xffffff00u | alpha);
        }
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    pv_world_def def = pv_world_def_default();
    def.presolve_callback = let_go;
    def.presolve_user_data = stage;
    stage_set_view(stage, 1280, 720);
    if (!memory) return;
    stage_set_world(stage, &def);
    stage->painters.below = paint_arrows;
    stage->hooks.keys = keys;
    stage->hooks.press = press;
    stage->hint = "up: pistons, down: let go";
    stage_add_knob(stage, "pistons [%]", 20, 120, 100);
    stage_add_label(stage, 640, 40, "yellow platforms let go");
    for (int i = 0; i < PISTONS; i++) memory->pistons[i] = add_piston(stage, i);
    for (int i = 0; i < PLATFORMS; i++) memory->platforms[i] = add_platform(stage, i);
    add_ground(stage);
    stage_add_fence(stage, 720);
    add_things(stage);
}

/* ---- running ---- */

static double sine(double turns) { return pv_rotation_from_angle(2 * PI * turns).s; }

static void drive(struct stage *stage, const struct platform *platform, int which, int frame) {
    double turns = plans[which].period > 0 ? frame * SCENE_STEP / plans[which].period : 0;
    pv_vec2 at = plans[which].middle;
    at.x += plans[which].way.x * sine(turns);
    at.y += plans[which].way.y * sine(turns + (plans[which].way.x != 0 ? .25 : 0));
    if (plans[which].period > 0) pv_body_move_to(stage->world, platform->body, at, 0, SCENE_STEP);
}

static int load_of(const struct stage *stage, const struct platform *platform) {
    return pv_body_get_contacts(stage->world, platform->body, NULL, 0);
}

static void tend(struct stage *stage, struct platform *platform, int which) {
    bool was_open = platform->open > 0;
    platform->loaded = load_of(stage, platform) >= BEARS ? platform->loaded + 1 : 0;
    if (platform->open > 0) platform->open--;
    if (plans[which].lets_go && platform->loaded > PATIENCE) platform->open = OPEN;
    if (platform->open > 0) platform->loaded = 0;
    if (was_open == (platform->open > 0)) return;
    pv_body_wake(stage->world, platform->body);
    if (platform->sprite)
        paint_platform(platform->sprite->image, color_of(which, platform->open > 0));
}

/// Moves a piston straight up at full speed, and slowly back.
static void stroke(struct stage *stage, struct piston *piston, double x) {
    if (++piston->clock > CYCLE) {
        piston->clock = 0;
        piston->speed = stage->knobs[0].value / 100 * stage_uniform(stage, 430, 600);
    }
    double share = piston->clock < STROKE          ? (double)piston->clock / STROKE
                   : piston->clock < STROKE + BACK ? (STROKE + BACK - piston->clock) / (double)BACK
                                                   : 0;
    double up = share * piston->speed * STROKE * SCENE_STEP;
    pv_vec2 at = {x, low + piston_high / 2 - up};
    pv_body_move_to(stage->world, piston->body, at, 0, SCENE_STEP);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->frame++;
    for (int i = 0; i < PISTONS; i++) stroke(stage, &memory->pistons[i], piston_x[i]);
    for (int i = 0; i < PLATFORMS; i++) {
        drive(stage, &memory->platforms[i], i, memory->frame);
        tend(stage, &memory->platforms[i], i);
    }
}

const struct scene scene_oneway = {"oneway", "platforms that are open from below", setup, update};
