/* cloth_gl.c - a cloth and loose particles on the GPU, compared with the library's.
 *
 * Usage: cloth_gl [--steps N] [--shader FILE]
 * Without a window, the GPU and the library do the same steps of a cloth that hangs by two corners
 * and of particles that fall on a floor. The program prints the greatest distance between both, and
 * fails if it is more than MOST_CLOTH or MOST_LOOSE. It exits with 77 if there is no GL.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "gl.h"

#include <math.h>
#include <pixverlet.h>
#include <string.h>

enum { COLUMNS = 24, ROWS = 16, CLOTH = COLUMNS * ROWS, LOOSE = 2000, ALL = CLOTH + LOOSE };
/// Width and height of the texture with all particles
enum { SIDE = 64, HIGH = (ALL + SIDE - 1) / SIDE };
enum { SUBSTEPS = 16 };
static const double STEP = 1.0 / 60, SUBSTEP = 1.0 / (60 * SUBSTEPS), GRAVITY = 320;
static const double SPACING = 8, MASS = 0.2, STIFFNESS = 8000, SHEAR = 2000, DAMPING = 1,
                    RADIUS = 2;
/// Top of the floor [px]
static const double GROUND = 400;
/// Greatest distances between the GPU and the library [px]
static const double MOST_CLOTH = 0.6, MOST_LOOSE = 0.05;

/// Particles of the library
typedef struct scene {
    pv_world *world;
    pv_particle_id all[ALL];
} scene;

/// Particles on the GPU: two buffers, read and written in turn, and a texture with the last state
typedef struct gpu {
    GLuint program, buffers[2], arrays[2], texture;
    int now;
} gpu;

/* ---- the library's particles ---- */

static void add_floor(pv_world *world) {
    pv_mask *mask = pv_mask_create_rect(1024, 16, NULL, NULL);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.mask = mask;
    def.position = (pv_vec2){512, GROUND + 8};
    def.restitution = def.static_friction = def.friction = 0;
    pv_body_create(world, &def, NULL);
    pv_mask_release(mask);
}

static void add_cloth(scene *s) {
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){400, 60};
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.spacing = SPACING;
    def.mass = MASS;
    def.stiffness = STIFFNESS;
    def.shear_stiffness = SHEAR;
    def.linear_damping = DAMPING;
    def.pin_every = COLUMNS - 1;
    pv_composite_id cloth = pv_cloth_create(s->world, &def, NULL);
    if (pv_composite_get_particles(s->world, cloth, s->all, CLOTH) != CLOTH)
        fail("pv_cloth_create", "no memory");
}

static void add_loose(scene *s) {
    uint32_t seed = 1;
    pv_particle_def def = pv_particle_def_default();
    def.radius = RADIUS;
    def.linear_damping = DAMPING;
    def.restitution = def.static_friction = def.friction = 0;
    for (int i = CLOTH; i < ALL; i++) {
        double unit[4];
        for (int k = 0; k < 4; k++) unit[k] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
        def.position = (pv_vec2){300 + 424 * unit[0], 20 + 300 * unit[1]};
        s->all[i] = pv_particle_create(s->world, &def, NULL);
        pv_particle_set_velocity(s->world, s->all[i],
                                 (pv_vec2){100 * unit[2] - 50, 100 * unit[3] - 50});
    }
}

static scene make_scene(void) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, GRAVITY};
    scene s = {.world = pv_world_create(&def, NULL)};
    if (!s.world) fail("pv_world_create", "no memory");
    add_floor(s.world);
    add_cloth(&s);
    add_loose(&s);
    return s;
}

/* ---- the GPU's particles ---- */

static void set_number(const gpu *g, const char *name, double value) {
    glUniform1f(glGetUniformLocation(g->program, name), (GLfloat)value);
}

static void make_buffers(gpu *g, const float *state) {
    glGenBuffers(2, g->buffers);
    glGenVertexArrays(2, g->arrays);
    for (int k = 0; k < 2; k++) {
        glBindVertexArray(g->arrays[k]);
        glBindBuffer(GL_ARRAY_BUFFER, g->buffers[k]);
        glBufferData(GL_ARRAY_BUFFER, SIDE * HIGH * 16, state, GL_DYNAMIC_COPY);
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    }
    glGenTextures(1, &g->texture);
    glBindTexture(GL_TEXTURE_2D, g->texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, SIDE, HIGH);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static gpu open_gpu(const scene *s, const char *shader) {
    static float state[SIDE * HIGH][4];
    for (int i = 0; i < ALL; i++) {
        pv_vec2 at = pv_particle_get_position(s->world, s->all[i]),
                v = pv_particle_get_velocity(s->world, s->all[i]);
        const float four[4] = {(float)at.x, (float)at.y, (float)(v.x * SUBSTEP),
                               (float)(v.y * SUBSTEP)};
        memcpy(state[i], four, sizeof four);
    }
    gpu g = {.program = make_step(shader, "particle")};
    make_buffers(&g, state[0]);
    const double per = SUBSTEP * SUBSTEP;
    glUseProgram(g.program);
    glUniform2i(glGetUniformLocation(g.program, "size"), COLUMNS, ROWS);
    set_number(&g, "spacing", SPACING);
    set_number(&g, "ground", GROUND - RADIUS);
    set_number(&g, "keep", 1 - DAMPING * SUBSTEP);
    set_number(&g, "gain", GRAVITY * per);
    set_number(&g, "stiffness", STIFFNESS * per / MASS);
    set_number(&g, "shear", SHEAR * per / MASS);
    return g;
}

static void substep_gpu(gpu *g) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, g->buffers[g->now]);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, HIGH, GL_RGBA, GL_FLOAT, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    run_step(g->arrays[g->now], g->buffers[!g->now], ALL);
    g->now = !g->now;
}

/* ---- the comparison ---- */

/// Greatest distances so far between the GPU and the library [px]
typedef struct apart {
    double cloth, loose;
} apart;

static void look(const scene *s, const gpu *g, apart *most) {
    glBindBuffer(GL_ARRAY_BUFFER, g->buffers[g->now]);
    const float *state = glMapBufferRange(GL_ARRAY_BUFFER, 0, ALL * 16, GL_MAP_READ_BIT);
    if (!state) fail("glMapBufferRange", "no memory");
    for (int i = 0; i < ALL; i++) {
        double *kind = i < CLOTH ? &most->cloth : &most->loose;
        pv_vec2 at = pv_particle_get_position(s->world, s->all[i]);
        double far = hypot(at.x - state[4 * i], at.y - state[4 * i + 1]);
        if (!(far <= *kind)) *kind = far; /* also if it is NaN */
    }
    glUnmapBuffer(GL_ARRAY_BUFFER);
}

static int compare(scene *s, gpu *g, int steps) {
    apart most = {0, 0};
    for (int i = 0; i < steps; i++) {
        pv_world_step(s->world, STEP);
        for (int k = 0; k < SUBSTEPS; k++) substep_gpu(g);
        look(s, g, &most);
    }
    bool near = most.cloth <= MOST_CLOTH && most.loose <= MOST_LOOSE;
    printf("%s: %d steps, cloth of %d x %d within %.3g px, %d particles within %.3g px: %s\n",
           (const char *)glGetString(GL_RENDERER), steps, COLUMNS, ROWS, most.cloth, LOOSE,
           most.loose, near ? "near" : "TOO FAR");
    return !near;
}

int main(int argc, char **argv) {
    int steps = 300;
    const char *shader = "examples/cloth.glsl";
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--steps") == 0 && more)
            steps = number_of(argv[++i], 1, 1 << 20);
        else if (strcmp(argv[i], "--shader") == 0 && more)
            shader = argv[++i];
        else
            fail(argv[i], "unknown option");
    }
    if (!open_context()) {
        printf("cloth_gl: no GL without a window here\n");
        return NO_GL;
    }
    scene s = make_scene();
    gpu g = open_gpu(&s, shader);
    int status = compare(&s, &g, steps);
    pv_world_destroy(s.world);
    return status;
}
