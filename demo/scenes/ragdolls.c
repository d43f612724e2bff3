/* ragdolls.c - ragdolls tumble over wheels and pegs down onto stairs.
 *
 * Invariant: one falls after the other, from random places. There are never more than ten.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"
#include "scenes/scenes.h"

#include <math.h>

enum { DOLLS = 10, PAUSE = 45, BONES = 16, PARTS = 13, WHEELS = 3 };

/// Angular velocities of the wheels [rad/s]
static const double spins[WHEELS] = {2, -2, 1};

/// Height of a doll [px], and size of a unit of paint_face() [px]
static const double height = 88, size = 1.375;

/// Clothes of a doll, from back to front
enum { SKIN, TROUSERS, SHIRT, HEAD, CLOTHES };

static const uint32_t colors[] = {0xd05838ff, 0x3878c0ff, 0x58a048ff, 0xc09030ff, 0x8858a8ff};

struct crowd {
    pv_composite_id dolls[DOLLS], clothes[DOLLS][CLOTHES];
    pv_body_id wheels[WHEELS];
    /// Factor of their angular velocities
    double pace;
    int frame;
};

/// Colors of trousers
static const uint32_t trousers[] = {0x38486cff, 0x6c4830ff, 0x404048ff, 0x2c5c50ff};

/// Creates a composite that shows some of a doll's bones.
/// @param bones bit i: bone i of pv_ragdoll_create()
static pv_composite_id dress(struct stage *stage, pv_composite_id doll, unsigned bones,
                             struct stage_paint paint) {
    pv_joint_id joints[BONES];
    pv_composite_get_joints(stage->world, doll, joints, BONES);
    pv_composite_id cloth = pv_composite_create(stage->world, NULL);
    for (int i = 0; i < BONES; i++)
        if (bones >> i & 1) pv_composite_add_joint(stage->world, cloth, joints[i]);
    stage_paint(stage, cloth, paint);
    return cloth;
}

/// Colors of hair
static const uint32_t hair[] = {0x5a3418ff, 0xd8a838ff, 0x282430ff, 0xb04a20ff, 0x8a8078ff};

/// Creates a composite that shows a doll's head.
static pv_composite_id add_head(struct stage *stage, pv_composite_id doll) {
    pv_particle_id parts[PARTS];
    pv_composite_get_particles(stage->world, doll, parts, PARTS);
    pv_composite_id head = pv_composite_create(stage->world, NULL);
    pv_composite_add_particle(stage->world, head, parts[0]);
    stage_paint(stage, head, (struct stage_paint){.dot = 0xf0b890ff, .rim = 0x5a3418ff});
    return head;
}

/// Creates a doll in a shirt and trousers. The bones are in the order of pv_ragdoll_create():
/// torso, neck, arms and legs.
static void add_doll(struct stage *stage, struct crowd *it, int which) {
    const uint32_t rim = 0x2a1826ff;
    pv_ragdoll_def def = pv_ragdoll_def_default();
    def.height = height;
    def.position = (pv_vec2){stage_uniform(stage, 180, 460), -90};
    pv_composite_id doll = pv_ragdoll_create(stage->world, &def, NULL);
    pv_composite_id *clothes = it->clothes[which % DOLLS];
    it->dolls[which % DOLLS] = doll;
    stage_paint(stage, doll, (struct stage_paint){.rim = rim});
    struct stage_paint paint = {.stroke = 0xf0b890ff, .width = 5, .rim = rim};
    clothes[SKIN] = dress(stage, doll, 0x0ac0, paint);
    paint.stroke = trousers[which % 4];
    paint.width = 7;
    clothes[TROUSERS] = dress(stage, doll, 0xf008, paint);
    paint.stroke = colors[which % 5];
    paint.width = 8;
    clothes[SHIRT] = dress(stage, doll, 0x0537, paint);
    clothes[HEAD] = add_head(stage, doll);
}

/* ---- faces ---- */

/// Part of a face that is drawn
struct face {
    const struct lens *lens;
    pv_vec2 middle;
    /// Unit vector from the neck to the top of the head
    pv_vec2 up;
    /// Pixels of the canvas for each unit
    double zoom;
};

/// Returns a place of a face on the canvas, from its middle to the right and up.
static pv_vec2 on_face(const struct face *face, double right, double up) {
    pv_vec2 u = face->up, m = face->middle;
    right *= face->zoom;
    up *= face->zoom;
    return (pv_vec2){m.x - right * u.y + up * u.x, m.y + right * u.x + up * u.y};
}

static void paint_spot(const struct face *face, double right, double up, double radius,
                       uint32_t color) {
    pv_canvas_draw_circle(face->lens->canvas, on_face(face, right, up), radius * face->zoom, color);
}

static void paint_stroke(const struct face *face, const double ends[4], double width,
                         uint32_t color) {
    pv_canvas_draw_thick_line(face->lens->canvas, on_face(face, ends[0], ends[1]),
                              on_face(face, ends[2], ends[3]), width * face->zoom, color);
}

/// Draws hair, eyes and a mouth, which is open while the doll moves fast.
static void paint_face(const struct face *face, uint32_t locks, bool cries) {
    static const double crown[2][4] = {{-4.6, 2.8, 4.6, 2.8}, {-2.6, 5, 2.6, 5}};
    static const double mouth[4] = {-2, -2.6, 2, -2.6};
    for (int i = 0; i < 2; i++) paint_stroke(face, crown[i], 3.4, locks);
    for (int side = -1; side <= 1; side += 2) {
        paint_spot(face, 2.4 * side, .4, 1.7, 0xffffffffu);
        paint_spot(face, 2.4 * side + .3, .3, .9, 0x201828ffu);
    }
    if (cries)
        paint_spot(face, 0, -3, 1.6, 0x802028ffu);
    else
        paint_stroke(face, mouth, 1, 0x802028ffu);
}

/// Draws the face and the shoes of a doll. Particles are in the order of pv_ragdoll_create(): head,
/// shoulders, and feet last.
static void paint_doll(const struct lens *lens, pv_composite_id doll, uint32_t locks) {
    const pv_world *world = lens->stage->world;
    pv_particle_id parts[PARTS];
    if (pv_composite_get_particles(world, doll, parts, PARTS) < PARTS) return;
    pv_vec2 head = lens_particle(lens, parts[0]), a = lens_particle(lens, parts[1]),
            b = lens_particle(lens, parts[2]), v = pv_particle_get_velocity(world, parts[0]);
    pv_vec2 up = {head.x - (a.x + b.x) / 2, head.y - (a.y + b.y) / 2};
    double far = hypot(up.x, up.y);
    if (far < 1e-6) return;
    struct face face = {lens, head, {up.x / far, up.y / far}, size * lens->view->camera.zoom};
    for (int i = PARTS - 2; i < PARTS; i++)
        pv_canvas_draw_circle(lens->canvas, lens_particle(lens, parts[i]), 3.4 * face.zoom,
                              0x3c2420ffu);
    paint_face(&face, locks, v.x * v.x + v.y * v.y > 160 * 160);
}

static void paint_faces(const struct lens *lens) {
    const struct crowd *it = lens->stage->memory;
    int count = (it->frame + PAUSE - 1) / PAUSE;
    for (int which = count > DOLLS ? count - DOLLS : 0; which < count; which++)
        paint_doll(lens, it->dolls[which % DOLLS], hair[which % 5]);
}

/* ---- the place ---- */

/// Creates a wheel that turns at its own pace.
static pv_body_id add_wheel(struct stage *stage, const char *sprite, double x, double y,
                            double spin) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){x, y};
    def.angular_velocity = spin;
    return stage_add_def(stage, sprite, def);
}

static void setup(struct stage *stage) {
    struct crowd *it = stage_memory(stage, sizeof *it);
    stage_set_view(stage, 640, 360);
    if (!it) return;
    stage->painters.above = paint_faces;
    it->wheels[0] = add_wheel(stage, "gear", 220, 110, spins[0]);
    it->wheels[1] = add_wheel(stage, "gear", 420, 110, spins[1]);
    it->wheels[2] = add_wheel(stage, "star", 320, 170, spins[2]);
    stage_add_knob(stage, "wheels [x]", -4, 4, it->pace = 1);
    for (int i = 0; i < 6; i++) stage_add_static(stage, "peg", 72 + 96 * i, 216);
    stage_add_static(stage, "stairs", 0, 264);
    stage_add_static(stage, "floor", -320, 344);
    stage_add_fence(stage, 360);
}

/// Gives the wheels the pace of the slider.
static void turn_wheels(struct stage *stage, struct crowd *it) {
    double pace = stage->knobs[0].value;
    if (it->pace == pace) return;
    it->pace = pace;
    for (int i = 0; i < WHEELS; i++)
        pv_body_set_angular_velocity(stage->world, it->wheels[i], pace * spins[i]);
}

static void update(struct stage *stage) {
    struct crowd *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    turn_wheels(stage, it);
    int which = it->frame / PAUSE, place = which % DOLLS;
    if (it->frame++ % PAUSE != 0) return;
    for (int i = 0; which >= DOLLS && i < CLOTHES; i++)
        pv_composite_destroy(stage->world, it->clothes[place][i]);
    if (which >= DOLLS) pv_composite_destroy(stage->world, it->dolls[place]);
    add_doll(stage, it, which);
}

const struct scene scene_ragdolls = {"ragdolls", "ragdolls fall over wheels and stairs", setup,
                                     update};
