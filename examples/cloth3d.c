/* cloth3d.c - the library's method in 3D: particles and sticks, without pv_world. A cloth hangs by
 * two corners over a ball. Space lets it fall, Left and Right turn the view.
 * SPDX-License-Identifier: Zlib */
#include <math.h>
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

typedef struct vec3 {
    double x, y, z; /* to the right, down, and away from the eye [px] */
} vec3;
typedef struct face {
    vec3 corners[4];
    SDL_Color color;
    double depth;
} face;

enum { COLUMNS = 33, ROWS = 25, COUNT = COLUMNS * ROWS, ROUNDS = 16, BELTS = 20 };
enum { FACES = 1 + (COLUMNS - 1) * (ROWS - 1) + 2 * BELTS * BELTS };
static const double REST = 9, FLOOR = 150, RADIUS = 70; /* [px] */
/* Gravity [px/s^2]; fractions of the speed that are lost to the air per step, and per contact */
static const double GRAVITY = 600, AIR = 0.01, GRIP = 0.3;
static const vec3 CENTER = {0, 30, -30};
static vec3 now[COUNT], was[COUNT];
static double weight[COUNT], turn = 0.5; /* 1 / mass, 0: pinned; angle of the view [rad] */
static face faces[FACES];
static int face_count;

static vec3 mad(vec3 a, double k, vec3 b) {
    return (vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Moves two particles until they are as far apart as their stick is long.
static void pull(int i, int j) {
    vec3 way = mad(now[j], -1, now[i]);
    double length = sqrt(dot(way, way)), share = (length - REST) / length / (weight[i] + weight[j]);
    now[i] = mad(now[i], share * weight[i], way);
    now[j] = mad(now[j], -share * weight[j], way);
}

/// Moves a particle out of the ball and the floor. Its old position moves, too: that is friction.
static void collide(int i) {
    vec3 out = mad(now[i], -1, CENTER);
    double distance = sqrt(dot(out, out));
    if (distance < RADIUS || now[i].y > FLOOR) was[i] = mad(was[i], GRIP, mad(now[i], -1, was[i]));
    if (distance < RADIUS) now[i] = mad(CENTER, RADIUS / distance, out);
    now[i].y = SDL_min(now[i].y, FLOOR);
}

static void step(double dt) {
    for (int i = 0; i < COUNT; i++) {
        vec3 old = now[i];
        if (weight[i] > 0) now[i] = mad(now[i], 1 - AIR, mad(now[i], -1, was[i]));
        now[i].y += weight[i] * GRAVITY * dt * dt;
        was[i] = old;
    }
    for (int i = 0; i < ROUNDS * COUNT; i++) {
        int k = i % COUNT;
        if (k % COLUMNS < COLUMNS - 1) pull(k, k + 1);
        if (k < COUNT - COLUMNS) pull(k, k + COLUMNS);
        collide(k);
    }
}

/// Projects a point into the window, with its depth. The eye is 620 px in front of the middle.
static vec3 view(vec3 p) {
    double c = cos(turn), s = sin(turn), z = c * p.z - s * p.x, deep = 0.94 * z + 0.34 * p.y;
    double zoom = 620 / (620 + deep);
    return (vec3){320 + zoom * (c * p.x + s * p.z), 240 + zoom * (0.94 * p.y - 0.34 * z), deep};
}

/// Adds a face of a color (R, G, B), lit from the top left on both sides.
static void add_face(vec3 a, vec3 b, vec3 c, vec3 d, vec3 color) {
    face f = {{view(a), view(b), view(c), view(d)}, {0}, 0};
    vec3 normal = cross(mad(f.corners[2], -1, f.corners[0]), mad(f.corners[3], -1, f.corners[1]));
    double toward = fabs(dot(normal, (vec3){0.45, 0.6, 0.66})) / sqrt(dot(normal, normal) + 1e-9);
    color = mad((vec3){0, 0, 0}, 0.35 + 0.65 * toward, color);
    f.color = (SDL_Color){(Uint8)color.x, (Uint8)color.y, (Uint8)color.z, 255};
    for (int i = 0; i < 4; i++) f.depth += f.corners[i].z;
    faces[face_count++] = f;
}

static vec3 on_ball(int belt, int along) {
    const double part = 3.14159265358979 / BELTS, low = part * belt, round = part * along;
    return mad(CENTER, 0.92 * RADIUS,
               (vec3){sin(low) * cos(round), -cos(low), sin(low) * sin(round)});
}

static int farther(const void *a, const void *b) {
    double left = ((const face *)a)->depth, right = ((const face *)b)->depth;
    return (left < right) - (left > right);
}

static void draw(SDL_Renderer *renderer) {
    const vec3 red = {214, 74, 74}, gold = {244, 200, 92};
    const int order[6] = {0, 1, 2, 0, 2, 3};
    SDL_Vertex corners[4] = {0};
    const double y = FLOOR, e = 240; /* half of its side */
    face_count = 0;
    add_face((vec3){-e, y, -e}, (vec3){e, y, -e}, (vec3){e, y, e}, (vec3){-e, y, e},
             (vec3){92, 104, 130});
    for (int i = 0; i < 2 * BELTS * BELTS; i++) {
        int belt = i / (2 * BELTS), k = i % (2 * BELTS);
        add_face(on_ball(belt, k), on_ball(belt, k + 1), on_ball(belt + 1, k + 1),
                 on_ball(belt + 1, k), (vec3){94, 150, 220});
    }
    for (int i = 0; i < COUNT - COLUMNS; i++)
        if (i % COLUMNS < COLUMNS - 1)
            add_face(now[i], now[i + 1], now[i + COLUMNS + 1], now[i + COLUMNS],
                     (i / COLUMNS / 3 + i % COLUMNS / 4) % 2 ? gold : red);
    SDL_qsort(faces + 1, FACES - 1, sizeof *faces, farther); /* the floor is behind all else */
    SDL_SetRenderDrawColor(renderer, 32, 40, 60, 255);
    SDL_RenderClear(renderer);
    for (int i = 0; i < face_count; i++) {
        for (int k = 0; k < 4; k++) {
            vec3 p = faces[i].corners[k];
            corners[k] = (SDL_Vertex){{(float)p.x, (float)p.y}, faces[i].color, {0, 0}};
        }
        SDL_RenderGeometry(renderer, NULL, corners, 4, order, 6);
    }
}

int main(int argc, char **argv) {
    pv_sdl_game *game = pv_sdl_game_create("Cloth in space", 640, 480, argc, argv);
    for (int i = 0; i < COUNT; i++) {
        weight[i] = 1;
        now[i] = was[i] = (vec3){(i % COLUMNS - 16) * REST, -90, (12 - i / COLUMNS) * REST};
    }
    weight[0] = weight[COLUMNS - 1] = 0;
    while (pv_sdl_game_frame(game)) {
        turn += 0.03 * pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
        if (pv_sdl_game_was_pressed(game, SDL_SCANCODE_SPACE)) weight[0] = weight[COLUMNS - 1] = 1;
        for (int i = 0; i < game->step_count; i++) step(game->clock.step);
        draw(game->camera.renderer);
        pv_sdl_game_present(game);
    }
    double longest = 0;
    for (int i = 0; i + 1 < COUNT; i++) {
        vec3 way = mad(now[i], -1, now[i + 1]);
        if (i % COLUMNS < COLUMNS - 1) longest = SDL_max(longest, sqrt(dot(way, way)));
    }
    printf("longest stick %.0f percent, a corner at y = %.0f\n", 100 * longest / REST, now[0].y);
    return pv_sdl_game_destroy(game);
}
