/* polygons.c - triangles, pentagons, boxes, L shapes and stars fall into a room whose walls follow
 * the window.
 *
 * Invariant: there are only polygons; the first four are the walls, and all others can move.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#define MOST_CORNERS 10
#define POURED 99
#define COLUMNS 11

static const double half_turn = 3.14159265358979323846;

/// Visible part of a wall, and its thickness [px]
static const double rim = 12, thickness = 96;

/// Greatest inward motion of a wall in a step [px]; polygons in its way need time to give way
static const double pace = 6;

/// Steps from one pour to the next, and speed of poured polygons [px/s]
static const int interval = 3;
static const double entry = 150;

/// Steps without a touch until all polygons are poured anew
enum { RESTS = 1500 };

/// Acceleration by the arrow keys [px/s^2]
static const double push = 900;

/// Least side of a drawn rectangle that becomes a polygon [px]
static const double thinnest = 6;

/// Least and greatest radius of poured polygons [px]
static const double least = 26, most = 48;

enum kind { TRIANGLE, PENTAGON, BOX, ANGLE, STAR, KINDS };

struct room {
    pv_body_id walls[4];
    /// Space inside the walls, and the space that the window asks for
    pv_box inside, wanted;
    int steps, poured, spawned;
    /// First corner of the drawn rectangle
    pv_vec2 start;
};

/* Shapes */

/// Stores the outline of a kind within 1 of the origin, and returns its number of corners.
static int trace(enum kind kind, pv_vec2 points[MOST_CORNERS]) {
    static const pv_vec2 angle[] = {{-.6, -.8}, {-.1, -.8}, {-.1, .3},
                                    {.6, .3},   {.6, .8},   {-.6, .8}};
    static const int corners[KINDS] = {3, 5, 4, 6, 10};
    for (int i = 0; i < corners[kind]; i++) {
        pv_rotation to = pv_rotation_from_angle(2 * half_turn * i / corners[kind]);
        double far = kind == STAR && i % 2 ? .45 : 1;
        points[i] = kind == ANGLE ? angle[i] : (pv_vec2){far * to.c, far * to.s};
    }
    return corners[kind];
}

static pv_body_id add(struct stage *stage, const pv_vec2 *points, int count, pv_vec2 velocity) {
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = count;
    def.velocity = velocity;
    return pv_polygon_create(stage->world, &def, NULL);
}

/// Creates a polygon of random size and angle.
static void drop(struct stage *stage, enum kind kind, pv_vec2 at, double speed) {
    pv_vec2 points[MOST_CORNERS];
    double size = stage_uniform(stage, least, most);
    pv_rotation turn = pv_rotation_from_angle(stage_uniform(stage, -half_turn, half_turn));
    int count = trace(kind, points);
    for (int i = 0; i < count; i++) {
        pv_vec2 p = {size * points[i].x, size * points[i].y};
        points[i] =
            (pv_vec2){at.x + turn.c * p.x - turn.s * p.y, at.y + turn.s * p.x + turn.c * p.y};
    }
    pv_body_id polygon = add(stage, points, count, (pv_vec2){0, speed});
    if (kind == ANGLE) stage_paint_polygon(stage, polygon, (struct stage_paint){.width = 3});
}

/* Room */

/// Returns the mass of a polygon; 0 for walls.
static double mass_of(const pv_world *world, pv_body_id polygon) {
    pv_particle_id corners[MOST_CORNERS];
    int count = pv_body_get_corners(world, polygon, corners, MOST_CORNERS);
    double mass = 0;
    for (int i = 0; i < count; i++) mass += pv_particle_get_mass(world, corners[i]);
    return mass;
}

static pv_box widened(pv_box box, double by) {
    return (pv_box){{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

/// Returns a corner of a box, clockwise from the upper left one.
static pv_vec2 corner_of(const pv_box *box, int i) {
    return (pv_vec2){i == 1 || i == 2 ? box->max.x : box->min.x, i >= 2 ? box->max.y : box->min.y};
}

/// Outlines a wall, mitered like a picture frame.
static void outline_wall(pv_box inside, int side, pv_vec2 points[4]) {
    pv_box outside = widened(inside, thickness);
    int next = (side + 1) % 4;
    points[0] = corner_of(&outside, side);
    points[1] = corner_of(&outside, next);
    points[2] = corner_of(&inside, next);
    points[3] = corner_of(&inside, side);
}

static void add_walls(struct stage *stage, struct room *room) {
    pv_vec2 points[4];
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = 4;
    def.mass = 0;
    for (int i = 0; i < 4; i++) {
        outline_wall(room->inside, i, points);
        room->walls[i] = pv_polygon_create(stage->world, &def, NULL);
        stage_paint_polygon(
            stage, room->walls[i],
            (struct stage_paint){.skin = 0x4a4f5cff, .stroke = 0x22262eff, .width = 2});
    }
}

static void move_walls(struct stage *stage, const struct room *room) {
    pv_vec2 points[4];
    pv_particle_id corners[4];
    for (int i = 0; i < 4; i++) {
        if (pv_body_get_corners(stage->world, room->walls[i], corners, 4) != 4) continue;
        outline_wall(room->inside, i, points);
        for (int k = 0; k < 4; k++) pv_particle_set_position(stage->world, corners[k], points[k]);
    }
}

/// Returns the place that has the same relative position between the new walls.
static pv_vec2 carried(const pv_box *old, const pv_box *now, pv_vec2 at) {
    double x = (at.x - old->min.x) / (old->max.x - old->min.x);
    double y = (at.y - old->min.y) / (old->max.y - old->min.y);
    return (pv_vec2){now->min.x + x * (now->max.x - now->min.x),
                     now->min.y + y * (now->max.y - now->min.y)};
}

static void shift(pv_world *world, pv_body_id polygon, pv_vec2 by) {
    pv_particle_id corners[MOST_CORNERS];
    int count = pv_body_get_corners(world, polygon, corners, MOST_CORNERS);
    for (int i = 0; i < count; i++) {
        pv_vec2 at = pv_particle_get_position(world, corners[i]);
        pv_particle_set_position(world, corners[i], (pv_vec2){at.x + by.x, at.y + by.y});
    }
}

/// Moves all objects except walls along with walls that move inward.
static void carry(pv_world *world, const pv_box *old, const pv_box *now) {
    pv_body_id polygon = pv_world_get_next_polygon(world, (pv_body_id){0});
    for (; polygon.generation != 0; polygon = pv_world_get_next_polygon(world, polygon)) {
        if (mass_of(world, polygon) == 0) continue;
        pv_vec2 at = pv_body_get_position(world, polygon), to = carried(old, now, at);
        shift(world, polygon, (pv_vec2){to.x - at.x, to.y - at.y});
    }
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0});
    for (; stage_is_body(body); body = pv_world_get_next_body(world, body))
        pv_body_set_position(world, body, carried(old, now, pv_body_get_position(world, body)));
}

/// Returns the intersection of two boxes.
static pv_box common(const pv_box *a, const pv_box *b) {
    return (pv_box){
        {a->min.x > b->min.x ? a->min.x : b->min.x, a->min.y > b->min.y ? a->min.y : b->min.y},
        {a->max.x < b->max.x ? a->max.x : b->max.x, a->max.y < b->max.y ? a->max.y : b->max.y}};
}

/// Returns the next place of a wall: outward at once, inward at a limited pace.
static double eased(double now, double wanted, double in) {
    double way = (wanted - now) * in;
    return way > pace ? now + pace * in : wanted;
}

static bool same_box(const pv_box *a, const pv_box *b) {
    return a->min.x == b->min.x && a->min.y == b->min.y && a->max.x == b->max.x &&
           a->max.y == b->max.y;
}

static void ease_walls(struct stage *stage, struct room *room) {
    const pv_box *to = &room->wanted, old = room->inside;
    if (same_box(&old, to)) return;
    pv_box *now = &room->inside, in;
    now->min = (pv_vec2){eased(old.min.x, to->min.x, 1), eased(old.min.y, to->min.y, 1)};
    now->max = (pv_vec2){eased(old.max.x, to->max.x, -1), eased(old.max.y, to->max.y, -1)};
    in = common(&old, now);
    carry(stage->world, &old, &in);
    move_walls(stage, room);
}

static void resize(struct stage *stage, pv_box seen) {
    struct room *room = stage->memory;
    room->wanted = widened(seen, -rim);
}

/* Player */

/// Pushes all polygons except the walls, which have no mass.
static void keys(struct stage *stage, unsigned held) {
    double x = push * (((held & STAGE_RIGHT) != 0) - ((held & STAGE_LEFT) != 0));
    double y = push * (((held & STAGE_DOWN) != 0) - ((held & STAGE_UP) != 0));
    if (held == 0) return;
    pv_body_id polygon = pv_world_get_next_polygon(stage->world, (pv_body_id){0});
    for (; polygon.generation != 0; polygon = pv_world_get_next_polygon(stage->world, polygon)) {
        double mass = mass_of(stage->world, polygon);
        if (mass > 0) pv_body_apply_force(stage->world, polygon, (pv_vec2){mass * x, mass * y});
    }
}

static bool boxes_meet(pv_box a, pv_box b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

static bool is_free(const pv_world *world, pv_box box) {
    pv_body_id polygon = pv_world_get_next_polygon(world, (pv_body_id){0});
    for (; polygon.generation != 0; polygon = pv_world_get_next_polygon(world, polygon))
        if (boxes_meet(box, pv_body_get_bounds(world, polygon))) return false;
    return true;
}

/// Drops a polygon, if there is room. Space drops a triangle, a pentagon and a box in turn; 1, 2
/// and 3 select one.
static bool type(struct stage *stage, char key) {
    struct room *room = stage->memory;
    bool named = key >= '1' && key <= '3';
    if (key != ' ' && !named) return false;
    double x = stage_uniform(stage, room->inside.min.x + most, room->inside.max.x - most);
    pv_vec2 at = {x, room->inside.min.y + most + 1};
    if (!is_free(stage->world, widened((pv_box){at, at}, most))) return true;
    drop(stage, (enum kind)(named ? key - '1' : room->spawned++ % 3), at, 0);
    return true;
}

static double between(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/// Returns the rectangle from the first corner to a point, within the walls.
static pv_box rectangle(const struct room *room, pv_vec2 at) {
    pv_vec2 from = room->start;
    at.x = between(at.x, room->inside.min.x, room->inside.max.x);
    at.y = between(at.y, room->inside.min.y, room->inside.max.y);
    return (pv_box){{from.x < at.x ? from.x : at.x, from.y < at.y ? from.y : at.y},
                    {from.x > at.x ? from.x : at.x, from.y > at.y ? from.y : at.y}};
}

/// Begins a rectangle over empty space. If an object is there, the hand takes it instead.
static bool press(struct stage *stage, pv_vec2 at) {
    struct room *room = stage->memory;
    if (stage_is_body(pv_world_pick_body(stage->world, at))) return false;
    room->start = at;
    return true;
}

static void drag(struct stage *stage, pv_vec2 at) { stage->frame = rectangle(stage->memory, at); }

static void release(struct stage *stage, pv_vec2 at) {
    pv_box box = rectangle(stage->memory, at);
    pv_vec2 points[4];
    stage->frame = (pv_box){0};
    if (box.max.x - box.min.x < thinnest || box.max.y - box.min.y < thinnest) return;
    for (int i = 0; i < 4; i++) points[i] = corner_of(&box, i);
    add(stage, points, 4, (pv_vec2){0, 0});
}

/* Scene */

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    struct room *room = stage_memory(stage, sizeof *room);
    if (!room) return;
    room->inside = room->wanted = widened(stage->view, -rim);
    stage->polygons = (struct stage_paint){.width = 3, .inlay = .64};
    stage->hooks = (struct stage_hooks){.keys = keys,
                                        .type = type,
                                        .press = press,
                                        .drag = drag,
                                        .release = release,
                                        .resize = resize};
    add_walls(stage, room);
    stage->hint = "drag: a box   Space: a block";
    stage_add_knob(stage, "steps per block", 3, 60, interval);
}

/// Pours one polygon into each column before any column gets its next.
static void pour(struct stage *stage, struct room *room) {
    int column = room->poured * 4 % COLUMNS;
    double x = stage->view.max.x * (column + .5) / COLUMNS;
    drop(stage, (enum kind)stage_pick(stage, KINDS), (pv_vec2){x, room->inside.min.y + most + 1},
         entry);
    room->poured++;
}

/// Destroys all polygons except the walls, and begins to pour anew.
static void empty(struct stage *stage, struct room *room) {
    pv_body_id polygon = pv_world_get_next_polygon(stage->world, (pv_body_id){0});
    while (polygon.generation != 0) {
        pv_body_id next = pv_world_get_next_polygon(stage->world, polygon);
        if (mass_of(stage->world, polygon) > 0) pv_body_destroy(stage->world, polygon);
        polygon = next;
    }
    room->poured = room->steps = stage->idle = 0;
}

static void update(struct stage *stage) {
    struct room *room = stage->memory;
    ease_walls(stage, room);
    if (stage->idle > RESTS) empty(stage, room);
    if (room->poured < POURED && room->steps++ % stage_knob_count(stage, 0) == 0) pour(stage, room);
}

const struct scene scene_polygons = {
    "polygons", "blocks of beams: Space drops one, the mouse draws boxes", setup, update};
