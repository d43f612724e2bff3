/* grains_gl.c - a million grains on the GPU: the library's step as a shader, by transform feedback.
 *
 * Usage: grains_gl [--count N] [--steps N] [--shader FILE] [--check]
 * It opens a window with sand that bounces and slides on hills. With --check there is no window:
 * the GPU and pv_grains do the same steps, and the program compares every bit. It exits with 77 if
 * there is no GL.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "gl.h"

#include <SDL.h>
#include <pixverlet.h>
#include <string.h>

enum { WIDTH = 1024, HEIGHT = 768, CELL = 8 };
static const double STEP = 1.0 / 60, GRAVITY = 320, RESTITUTION = 0.4, FRICTION = 0.2;

/// Options of the command line
typedef struct options {
    int count, steps;
    const char *shader;
    bool check;
} options;

/// Grains on the GPU: two buffers, read and written in turn
typedef struct gpu {
    GLuint program, buffers[2], arrays[2], textures[2], points, empty;
    int now;
    /// Rest of gravity that is carried to the next step [1/2^24 px]
    int64_t rest;
} gpu;

/* ---- the ground and the grains ---- */

static bool is_ground(int x, int y) {
    int hill = abs(x % 256 - 128) / 2, a = x - 512, b = y - 300;
    int ring = a * a + b * b;
    return x < 8 || y < 8 || x >= WIDTH - 8 || y >= HEIGHT - 80 + hill ||
           (ring < 9000 && ring > 7000);
}

static pv_mask *make_ground(void) {
    pv_mask *mask = pv_mask_create(WIDTH, HEIGHT, NULL, NULL);
    for (int y = 0; mask && y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) pv_mask_set_pixel(mask, x, y, is_ground(x, y));
    return mask;
}

static pv_grain *make_grains(int count) {
    pv_grain *list = malloc((size_t)count * sizeof *list);
    uint32_t seed = 1;
    for (int i = 0; list && i < count; i++) {
        double unit[4];
        for (int k = 0; k < 4; k++) unit[k] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
        pv_vec2 at = {20 + (WIDTH - 40) * unit[0], 20 + 150 * unit[1]};
        list[i] = (pv_grain){at, {200 * unit[2] - 100, 100 * unit[3]}, 0xffffffff};
    }
    return list;
}

/// Creates a world with the ground and a population of the grains.
static pv_world *make_world(const pv_grain *list, int count, pv_grains_id *grains) {
    pv_world *world = pv_world_create(NULL, NULL);
    pv_mask *mask = make_ground();
    pv_body_def body = pv_body_def_default();
    pv_grains_def def = pv_grains_def_default();
    body.type = PV_BODY_STATIC;
    body.mask = mask;
    body.position = pv_mask_compute_mass(mask).centroid;
    pv_body_create(world, &body, NULL);
    pv_mask_release(mask);
    def.capacity = count;
    def.restitution = RESTITUTION;
    def.friction = FRICTION;
    def.piles = false;
    *grains = pv_grains_create(world, &def, NULL);
    if (pv_grains_emit(world, *grains, list, count) != PV_OK) fail("pv_grains_emit", "no memory");
    return world;
}

/* ---- shaders ---- */

static const char *const points_vertex =
    "#version 300 es\nprecision highp int; in ivec4 grain; uniform vec2 size;\n"
    "void main() { vec2 p = vec2(grain.xy) / 65536.0 / size * 2.0 - 1.0;\n"
    "gl_Position = vec4(p.x, -p.y, 0.0, 1.0); gl_PointSize = 1.0; }\n";
static const char *const points_fragment =
    "#version 300 es\nprecision mediump float; out vec4 color;\n"
    "void main() { color = vec4(0.93, 0.78, 0.45, 1.0); }\n";

static GLuint make_points(void) {
    GLuint program = glCreateProgram();
    add_shader(program, GL_VERTEX_SHADER, points_vertex);
    add_shader(program, GL_FRAGMENT_SHADER, points_fragment);
    glBindAttribLocation(program, 0, "grain");
    link_program(program);
    return program;
}

/* ---- the GPU's grains ---- */

static void set_int(GLuint program, const char *name, int value) {
    glUniform1i(glGetUniformLocation(program, name), value);
}

static GLuint make_texture(int unit, int width, int height, const unsigned char *texels) {
    GLuint texture;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, width, height, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                 texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static void make_textures(gpu *g) {
    static unsigned char pixels[WIDTH * HEIGHT], cells[WIDTH / CELL * HEIGHT / CELL];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            pixels[y * WIDTH + x] = is_ground(x, y);
            cells[y / CELL * (WIDTH / CELL) + x / CELL] |= is_ground(x, y);
        }
    g->textures[0] = make_texture(0, WIDTH, HEIGHT, pixels);
    g->textures[1] = make_texture(1, WIDTH / CELL, HEIGHT / CELL, cells);
}

/// Copies the columns of a population to the GPU.
static void make_buffers(gpu *g, const pv_grains_view *v) {
    int32_t *all = malloc((size_t)v->count * 4 * sizeof *all);
    if (!all) fail("grains", "no memory");
    for (int i = 0; i < v->count; i++)
        memcpy(all + 4 * i, (int32_t[]){v->x[i], v->y[i], v->dx[i], v->dy[i]}, 4 * sizeof *all);
    glGenBuffers(2, g->buffers);
    glGenVertexArrays(2, g->arrays);
    for (int k = 0; k < 2; k++) {
        glBindVertexArray(g->arrays[k]);
        glBindBuffer(GL_ARRAY_BUFFER, g->buffers[k]);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)v->count * 16), all, GL_DYNAMIC_COPY);
        glEnableVertexAttribArray(0);
        glVertexAttribIPointer(0, 4, GL_INT, 0, NULL);
    }
    free(all);
}

static gpu open_gpu(const options *o, const pv_grains_view *v) {
    gpu g = {.program = make_step(o->shader, "grain"), .points = make_points()};
    make_textures(&g);
    make_buffers(&g, v);
    glUseProgram(g.program);
    set_int(g.program, "ground", 0);
    set_int(g.program, "cells", 1);
    set_int(g.program, "drag", 0);
    set_int(g.program, "calm", 4 * (int)(GRAVITY * STEP * STEP * 65536) + 4096);
    set_int(g.program, "restitution", (int)(RESTITUTION * 16384 + 0.5));
    set_int(g.program, "friction", (int)(FRICTION * 16384 + 0.5));
    return g;
}

/// Moves all grains by a step: it reads 16 bytes of each, and writes 16.
static void step_gpu(gpu *g, int count) {
    g->rest += (int64_t)(GRAVITY * STEP * STEP * 0x1p24 + 0.5);
    glUseProgram(g->program);
    glUniform2i(glGetUniformLocation(g->program, "gravity"), 0, (int)(g->rest >> 8));
    g->rest &= 255;
    run_step(g->arrays[g->now], g->buffers[!g->now], count);
    g->now = !g->now;
}

static void draw_gpu(const gpu *g, int count) {
    glClearColor(0.09F, 0.1F, 0.13F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(g->points);
    glUniform2f(glGetUniformLocation(g->points, "size"), WIDTH, HEIGHT);
    glBindVertexArray(g->arrays[g->now]);
    glDrawArrays(GL_POINTS, 0, count);
}

/* ---- the comparison ---- */

static uint64_t hash_words(uint64_t h, const int32_t *words, int count) {
    for (int i = 0; i < count; i++) h = (h ^ (uint32_t)words[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t hash_gpu(const gpu *g, int count) {
    glBindBuffer(GL_ARRAY_BUFFER, g->buffers[g->now]);
    const int32_t *all =
        glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)((size_t)count * 16), GL_MAP_READ_BIT);
    if (!all) fail("glMapBufferRange", "no memory");
    uint64_t h = hash_words(1, all, 4 * count);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    return h;
}

static uint64_t hash_view(const pv_grains_view *v) {
    uint64_t h = 1;
    for (int i = 0; i < v->count; i++)
        h = hash_words(h, (int32_t[]){v->x[i], v->y[i], v->dx[i], v->dy[i]}, 4);
    return h;
}

static double seconds(void) {
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

static int compare(const options *o) {
    pv_grains_id grains;
    pv_grain *list = make_grains(o->count);
    if (!list) fail("grains", "no memory");
    pv_world *world = make_world(list, o->count, &grains);
    pv_grains_view view = pv_grains_get_view(world, grains);
    if (!open_context()) {
        printf("grains_gl: no GL without a window here\n");
        pv_world_destroy(world);
        free(list);
        return NO_GL;
    }
    gpu g = open_gpu(o, &view);
    double begin = seconds();
    for (int i = 0; i < o->steps; i++) step_gpu(&g, o->count);
    uint64_t theirs = hash_gpu(&g, o->count);
    double middle = seconds();
    for (int i = 0; i < o->steps; i++) pv_world_step(world, STEP);
    double end = seconds();
    view = pv_grains_get_view(world, grains);
    uint64_t ours = hash_view(&view);
    printf("%s: %d grains, %d steps, shader %016llx %.2f ms, library %016llx %.2f ms: %s\n",
           (const char *)glGetString(GL_RENDERER), o->count, o->steps, (unsigned long long)theirs,
           1e3 * (middle - begin) / o->steps, (unsigned long long)ours,
           1e3 * (end - middle) / o->steps, ours == theirs ? "same" : "DIFFERENT");
    pv_world_destroy(world);
    free(list);
    return ours != theirs;
}

/* ---- the window ---- */

static int show(const options *o) {
    pv_grains_id grains;
    pv_grain *list = make_grains(o->count);
    if (!list) fail("grains", "no memory");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) fail("SDL", SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_Window *window = SDL_CreateWindow("Grains on the GPU", SDL_WINDOWPOS_CENTERED,
                                          SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, SDL_WINDOW_OPENGL);
    SDL_GLContext context = window ? SDL_GL_CreateContext(window) : NULL;
    if (!context) fail("SDL", SDL_GetError());
    SDL_GL_SetSwapInterval(1);
    pv_world *world = make_world(list, o->count, &grains);
    pv_grains_view view = pv_grains_get_view(world, grains);
    gpu g = open_gpu(o, &view);
    bool runs = true;
    for (int i = 0; runs && (o->steps == 0 || i < o->steps); i++) {
        for (SDL_Event event; SDL_PollEvent(&event);) runs &= event.type != SDL_QUIT;
        step_gpu(&g, o->count);
        draw_gpu(&g, o->count);
        SDL_GL_SwapWindow(window);
    }
    pv_world_destroy(world);
    free(list);
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}

int main(int argc, char **argv) {
    options o = {.count = 1000000, .shader = "examples/grains.glsl"};
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--check") == 0)
            o.check = true;
        else if (strcmp(argv[i], "--count") == 0 && more)
            o.count = number_of(argv[++i], 1, PV_GRAIN_MOST);
        else if (strcmp(argv[i], "--steps") == 0 && more)
            o.steps = number_of(argv[++i], 1, 1 << 20);
        else if (strcmp(argv[i], "--shader") == 0 && more)
            o.shader = argv[++i];
        else
            fail(argv[i], "unknown option");
    }
    if (o.check && o.steps == 0) o.steps = 300;
    return o.check ? compare(&o) : show(&o);
}
