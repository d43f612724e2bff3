/* arch.c - seventeen stones lean on each other over a gap. They carry four crates, and a safe that
 * grows heavier until the arch falls.
 *
 * Invariant: each stone is drawn for its place and begins there. Stones neither overlap nor leave a
 * gap.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#include <stdio.h>

#define STONES 17

/// Upper left corners of the stones as make_sprites.py cuts them, from the middle of the springing
/// line [px]
static const struct {
    short left, top;
} places[STONES] = {
    {-378, -69},  {-372, -136}, {-352, -199}, {-321, -254}, {-279, -301}, {-228, -338},
    {-168, -364}, {-103, -376}, {-35, -376},  {29, -376},   {86, -364},   {140, -338},
    {189, -301},  {232, -254},  {267, -199},  {293, -136},  {309, -69},
};

/// Middle of the springing line [px]
static const pv_vec2 middle = {640, 560};

/// Frames until the safe comes, between two loads, and from the fall to a new arch
enum { SAFE = 150, PACE = 40, RESTS = 240, CRATES = 4 };

/// First mass of the safe, its growth at each load [%], and mass of a crate
static const double first = 2000, growth = 25, crate_mass = 1024;

/// Sliders
enum { KNOB_GROWTH, KNOB_FRICTION };

struct memory {
    pv_body_id stones[STONES], crates[CRATES], safe;
    double load;
    /// Frames since the arch was built, and since it fell
    int frame, fallen;
};

static void set_material(struct stage *stage, pv_body_id body) {
    double friction = stage->knobs[KNOB_FRICTION].value;
    stage_set_surface(stage->world, body, 0, friction, friction);
}

/// Returns the y of the crown [px].
static double crown_of(void) { return middle.y + places[STONES / 2].top; }

/// Builds stones and crates in place of those of the last arch.
static void build(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < STONES; i++) {
        char name[24];
        snprintf(name, sizeof name, "arch_%d", i + 1);
        if (pv_body_is_valid(stage->world, memory->stones[i]))
            pv_body_destroy(stage->world, memory->stones[i]);
        memory->stones[i] =
            stage_add_upright(stage, name, middle.x + places[i].left, middle.y + places[i].top);
        set_material(stage, memory->stones[i]);
    }
    for (int i = 0; i < CRATES; i++) {
        if (pv_body_is_valid(stage->world, memory->crates[i]))
            pv_body_destroy(stage->world, memory->crates[i]);
        memory->crates[i] = stage_add(stage, "crate", middle.x - 16.5 + 33 * (i % 2),
                                      crown_of() - 16 - 32 * (i / 2), 0);
    }
    if (pv_body_is_valid(stage->world, memory->safe)) pv_body_destroy(stage->world, memory->safe);
    memory->load = memory->frame = memory->fallen = 0;
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_DUSK;
    if (!memory) return;
    stage_add_knob(stage, "growth [%]", 5, 100, growth);
    stage_add_setup_knob(stage, "friction", .4, 1, .6);
    stage_add_static(stage, "floor", 0, 688);
    stage_add_fence(stage, 720);
    set_material(stage, stage_add_static(stage, "abutment", middle.x - 394, middle.y));
    set_material(stage, stage_add_static(stage, "abutment", middle.x + 298, middle.y));
    build(stage, memory);
    aim_arm(stage, NULL);
    stage_add_label(stage, middle.x, 420, "");
}

/// Puts the safe on the crates at the first load, and makes it heavier at each further one.
static void load(struct stage *stage, struct memory *memory) {
    if (memory->load == 0) {
        memory->safe = stage_add(stage, "safe", middle.x, crown_of() - 64 - 36, 0);
        stage_set_surface(stage->world, memory->safe, 0, .8, .8);
        memory->load = first;
    } else
        memory->load *= 1 + stage->knobs[KNOB_GROWTH].value / 100;
    pv_body_set_mass(stage->world, memory->safe, memory->load);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->frame++;
    pv_vec2 keystone = pv_body_get_position(stage->world, memory->stones[STONES / 2]);
    if (memory->fallen > 0 || keystone.y > crown_of() + 120) memory->fallen++;
    if (memory->fallen > RESTS) build(stage, memory);
    if (memory->frame >= SAFE && memory->frame % PACE == 0 && memory->fallen == 0)
        load(stage, memory);
    struct stage_label *label = &stage->labels[stage->label_count - 1];
    snprintf(label->text, sizeof label->text, "load: %.0f crates", memory->load / crate_mass);
}

const struct scene scene_arch = {"arch", "stones carry each other, and a load until they fail",
                                 setup, update};
