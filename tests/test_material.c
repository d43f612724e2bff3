/* test_material.c - material maps: weight of pixels, which of them give way, and who owns maps.
 *
 * Invariant: expected sums are taken pixel by pixel from the map's bytes, as the test wrote them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

#include <limits.h>

enum { SIDE = 80, MOST = SIDE * SIDE };
static const double H = 1.0 / 60;
static unsigned char bytes[1 << 22];

/// Bytes of a map of SIDE x SIDE px
typedef struct plan {
    unsigned char hardness[MOST], density[MOST];
} plan;

/// Draws random patches of several densities, and random hardness.
static void draw_plan(plan *p, uint64_t *seed) {
    for (int i = 0; i < MOST; i++)
        p->hardness[i] = (unsigned char)(next_unit(seed) * 256), p->density[i] = 255;
    for (int k = 0; k < 30; k++) {
        int x = (int)(SIDE * next_unit(seed)), y = (int)(SIDE * next_unit(seed)),
            r = (int)(18 * next_unit(seed));
        unsigned char density = (unsigned char)(next_unit(seed) * 256);
        for (int i = 0; i < MOST; i++)
            if (abs(i % SIDE - x) <= r && abs(i / SIDE - y) <= r) p->density[i] = density;
    }
    for (int i = 0; i < MOST; i += 7) p->density[i] = (unsigned char)(next_unit(seed) * 256);
}

static pv_material_map *map_of(const plan *p, const pv_allocator *from) {
    pv_error error;
    pv_material_map *map =
        pv_material_map_from_bytes(p->hardness, p->density, SIDE, SIDE, SIDE, from, &error);
    ck_assert_int_eq(error.status, PV_OK);
    return map;
}

/// Makes a plan with full density and a single hardness.
static void fill_plan(plan *p, int hardness) {
    memset(p->density, 255, sizeof p->density);
    memset(p->hardness, hardness, sizeof p->hardness);
}

static void set_fracture(pv_world *w, pv_body_id b, int min_part_pixels, pv_connectivity holds,
                         bool debris) {
    pv_fracture_def f = WITH(pv_fracture_def_default(), it.min_part_pixels = min_part_pixels,
                             it.connectivity = holds, it.spawn_debris = debris);
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
}

/// Adds a body on a map, and releases its mask and map.
static pv_body_id put_on(pv_world *w, pv_mask *mask, pv_material_map *map, pv_vec2 at,
                         pv_body_def def) {
    def.material_map = map;
    pv_body_id b = put(w, mask, at.x, at.y, def);
    pv_material_map_release(map);
    return b;
}

/// Returns a mask of blots and holes.
static pv_mask *random_sprite(uint64_t *seed, int w, int h) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    for (int k = 0; k < 12; k++) {
        double x = w * next_unit(seed), y = h * next_unit(seed), r = 3 + 16 * next_unit(seed);
        for (int i = 0; i < w * h; i++)
            if (pow(i % w + 0.5 - x, 2) + pow((double)(i / w) + 0.5 - y, 2) < r * r)
                pv_mask_set_pixel(mask, i % w, i / w, k % 4 != 3);
    }
    pv_mask_set_pixel(mask, w / 2, h / 2, true);
    return mask;
}

/* ---- what pixels weigh ---- */

static double weight_of(const plan *p, int x, int y) {
    int density = p->density[y * SIDE + x];
    return (density > 0 ? density : 1) / 255.0;
}

/// Returns the pixel of the map that lies under a body's pixel (0, 0).
static pv_point corner_of(const pv_world *w, pv_body_id b) {
    return pv_body_get_def(w, b).material_map_offset;
}

/// Sums over a body's upright picture at its scale; inertia is about a given point
typedef struct heft {
    double mass, x, y, inertia;
} heft;

static heft heft_about(const plan *p, double density, const pv_world *w, pv_body_id b, double cx,
                       double cy) {
    const pv_mask *mask = pv_body_get_mask(w, b);
    pv_transform t = pv_body_get_transform(w, b);
    pv_point corner = corner_of(w, b);
    heft sum = {0, 0, 0, 0};
    double sx = fabs(t.scale.x), sy = fabs(t.scale.y);
    int width = (int)floor(sx * pv_mask_get_width(mask) + 0.5),
        height = (int)floor(sy * pv_mask_get_height(mask) + 0.5);
    for (int i = 0; i < width * height; i++) {
        double u = i % width + 0.5, v = floor((double)i / width) + 0.5;
        int x = (int)(u / sx), y = (int)(v / sy);
        if (!pv_mask_get_pixel(mask, x, y)) continue;
        double m = density * weight_of(p, corner.x + x, corner.y + y);
        sum.mass += m;
        sum.x += m * u;
        sum.y += m * v;
        sum.inertia += m * ((u - cx) * (u - cx) + (v - cy) * (v - cy) + 1.0 / 6);
    }
    return sum;
}

/// Checks that mass, center and inertia of a body are those of its pixels.
static void weighs_as_its_pixels(const plan *p, double density, const pv_world *w, pv_body_id b) {
    pv_transform t = pv_body_get_transform(w, b);
    heft sum = heft_about(p, density, w, b, 0, 0);
    double cx = sum.x / sum.mass, cy = sum.y / sum.mass;
    heft about = heft_about(p, density, w, b, cx, cy);
    pv_vec2 center =
        pv_transform_to_world(&t, (pv_vec2){cx / fabs(t.scale.x), cy / fabs(t.scale.y)});
    pv_vec2 at = pv_body_get_position(w, b);
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), sum.mass, 1e-9 * sum.mass);
    ck_assert_double_eq_tol(pv_body_get_inertia(w, b), about.inertia, 1e-9 * about.inertia);
    ck_assert_near(center, at, 1e-9 * (1 + hypot(at.x, at.y)));
    ck_assert_double_eq_tol(pv_body_get_def(w, b).density, density, 1e-9 * density);
}

START_TEST(a_map_is_what_its_bytes_say) {
    static plan p;
    uint64_t seed = 3;
    scoped_image *image = pv_image_create(37, 21, NULL, NULL);
    for (int i = 0; i < 37 * 21 * 4; i++)
        image->pixels[i] = (unsigned char)(next_unit(&seed) * 256);
    for (int h = PV_CHANNEL_NONE; h <= PV_CHANNEL_ALPHA; h++)
        for (int d = PV_CHANNEL_NONE; d <= PV_CHANNEL_ALPHA; d++) {
            scoped_map *map =
                pv_material_map_from_image(image, (pv_channel)h, (pv_channel)d, NULL, NULL);
            ck_assert(pv_material_map_get_width(map) == 37 &&
                      pv_material_map_get_height(map) == 21);
            for (int i = 0; i < 37 * 21; i++) {
                const unsigned char *pixel = image->pixels + 4 * i;
                ck_assert_int_eq(pv_material_map_get_hardness(map, i % 37, i / 37),
                                 h ? pixel[h - 1] : 0);
                ck_assert_int_eq(pv_material_map_get_density(map, i % 37, i / 37),
                                 d ? pixel[d - 1] : 255);
            }
        }
    draw_plan(&p, &seed);
    for (int up = 0; up < 2; up++) { /* rows of 30 px from row 2 on, downward or upward */
        const ptrdiff_t pitch = up ? -SIDE : SIDE;
        scoped_map *map =
            pv_material_map_from_bytes(p.hardness + (up ? 11 : 2) * SIDE,
                                       p.density + (up ? 11 : 2) * SIDE, 30, 10, pitch, NULL, NULL);
        for (int i = 0; i < 300; i++) {
            int from = (up ? 11 - i / 30 : 2 + i / 30) * SIDE + i % 30;
            ck_assert_int_eq(pv_material_map_get_hardness(map, i % 30, i / 30), p.hardness[from]);
            ck_assert_int_eq(pv_material_map_get_density(map, i % 30, i / 30), p.density[from]);
        }
        const int beside[][2] = {{-1, 0}, {0, -1}, {30, 0}, {0, 10}, {INT_MIN, INT_MAX}};
        for (int i = 0; i < 5; i++) {
            ck_assert_int_eq(pv_material_map_get_hardness(map, beside[i][0], beside[i][1]), 0);
            ck_assert_int_eq(pv_material_map_get_density(map, beside[i][0], beside[i][1]), 0);
        }
    }
}

START_TEST(bodies_weigh_what_their_pixels_do) {
    static const pv_vec2 scales[] = {{1, 1},         {-1, 1},     {1, -1},        {-1, -1},
                                     {1.371, 0.731}, {-2.213, 1}, {0.573, -1.913}};
    static plan p;
    uint64_t seed = 4;
    for (int i = 0; i < 140; i++) {
        pv_world *w = mode_world((i + 1) % 2, 0, NULL);
        draw_plan(&p, &seed);
        pv_body_def def =
            WITH(pv_body_def_default(), it.scale = scales[i % 7], it.angle = 6 * next_unit(&seed),
                 it.density = 0.1 + 3 * next_unit(&seed));
        int width = 20 + (int)(61 * next_unit(&seed)), height = 20 + (int)(61 * next_unit(&seed));
        def.material_map_offset =
            (pv_point){(int)((SIDE - width) * next_unit(&seed)), (SIDE - height) / 2};
        pv_body_id b = put_on(w, random_sprite(&seed, width, height), map_of(&p, NULL),
                              (pv_vec2){700, -90}, def);
        weighs_as_its_pixels(&p, def.density, w, b);
        for (int k = 0; k < 3; k++) { /* also after it is stretched, and back */
            pv_vec2 scale = k < 2 ? scales[(i + 3 * k + 1) % 7] : (pv_vec2){1, 1};
            ck_assert_int_eq(pv_body_set_scale(w, b, scale), PV_OK);
            weighs_as_its_pixels(&p, def.density, w, b);
        }
        pv_body_def like = pv_body_get_def(w, b); /* a body from this def must be equal */
        pv_body_id twin = pv_body_create(w, &like, NULL);
        ck_assert_double_eq(pv_body_get_inertia(w, twin), pv_body_get_inertia(w, b));
        ck_assert_double_eq(pv_body_get_transform(w, twin).pivot.x,
                            pv_body_get_transform(w, b).pivot.x);
        ck_assert_ptr_eq(pv_body_get_def(w, twin).material_map, pv_body_get_def(w, b).material_map);
        close_world(w);
    }
}

START_TEST(a_map_that_says_nothing_changes_nothing) {
    static plan p;
    pv_transform ends[2];
    memset(p.density, 255, sizeof p.density);
    for (int mapped = 0; mapped < 2; mapped++) {
        uint64_t seed = 8;
        pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
        put_static(w, 400, 30, 0, 200);
        pv_body_id b = put_on(w, random_sprite(&seed, 60, 50), mapped ? map_of(&p, NULL) : NULL,
                              (pv_vec2){0, 0}, pv_body_def_default());
        pv_fracture_def f =
            WITH(pv_fracture_def_default(), it.toughness = 20000, it.spawn_debris = true);
        ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
        cut_out(w, b, WITH(pv_cut_circle(pv_body_get_position(w, b), 9), it.max_hardness = 0));
        steps_well(w, 90);
        ends[mapped] = pv_body_get_transform(w, b);
    }
    ck_assert_int_eq(memcmp(&ends[0], &ends[1], sizeof ends[0]), 0);
}

/* ---- cuts ---- */

/// Adds up all bodies and particles. Returns the bodies' number of pixels.
static int64_t add_all(motion_sums *s, const pv_world *w) {
    int64_t count = 0;
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(w, b)).index;) {
        add_body_sums(s, w, b);
        count += solid_pixels_of(w, b);
    }
    add_particle_sums(s, w);
    return count;
}

/// Returns a disc or a stroke through a body.
static pv_cut random_cut(uint64_t *seed, pv_vec2 c) {
    double a = 6.3 * next_unit(seed), width = 1 + 3 * next_unit(seed);
    pv_vec2 at = {c.x + 60 * next_unit(seed) - 30, c.y + 60 * next_unit(seed) - 30};
    pv_vec2 from = {at.x - 50 * cos(a), at.y - 50 * sin(a)},
            to = {at.x + 50 * cos(a), at.y + 50 * sin(a)};
    return next_random(seed) & 1 ? pv_cut_line(from, to, width)
                                 : pv_cut_circle(at, 2 + 8 * next_unit(seed));
}

/// Adds up what a cut should leave of a body, pixel by pixel. Returns how many pixels change.
static int64_t foretell(motion_sums *s, const plan *p, double density, const pv_world *w,
                        pv_body_id b, const pv_cut *cut) {
    const pv_mask *mask = pv_body_get_mask(w, b);
    pv_transform t = pv_body_get_transform(w, b);
    pv_point corner = corner_of(w, b);
    int64_t changed = 0;
    for (int i = 0; i < pv_mask_get_width(mask) * pv_mask_get_height(mask); i++) {
        int x = i % pv_mask_get_width(mask), y = i / pv_mask_get_width(mask),
            on = (corner.y + y) * SIDE + corner.x + x;
        pv_vec2 at = pv_transform_to_world(&t, (pv_vec2){x + 0.5, y + 0.5});
        bool is = pv_mask_get_pixel(mask, x, y),
             meets = segment_distance(at, cut->from, cut->to) <= cut->radius;
        bool changes =
            meets && is != cut->add && (cut->add || p->hardness[on] <= cut->max_hardness);
        changed += changes;
        if (is == changes) continue;
        double mass = density * weight_of(p, corner.x + x, corner.y + y);
        add_sums(s, mass, mass / 6, at, pv_body_get_velocity_at(w, b, at),
                 pv_body_get_angular_velocity(w, b));
    }
    return changed;
}

/// Checks that a new body of the same pixels has the same center to the bit, and the same inertia.
static void is_as_made_anew(const pv_world *w, pv_body_id b) {
    pv_world *other = mode_world(PV_CONTACT_MODE_PIXELS, 0, NULL);
    pv_body_def def = pv_body_get_def(w, b);
    pv_body_id fresh =
        put(other, pv_mask_copy(def.mask, NULL), def.position.x, def.position.y, def);
    pv_vec2 is = pv_body_get_transform(w, b).pivot, due = pv_body_get_transform(other, fresh).pivot;
    double inertia = pv_body_get_inertia(w, b);
    ck_assert(is.x == due.x && is.y == due.y);
    ck_assert_double_eq_tol(pv_body_get_inertia(other, fresh), inertia, 1e-15 * inertia);
    close_world(other);
}

/// Checks that a body has the same map as the whole had, and its old place on it.
static void lies_where_it_lay(const pv_world *w, pv_body_id b, const pv_transform *whole,
                              const pv_material_map *map) {
    pv_transform t = pv_body_get_transform(w, b);
    pv_point corner = corner_of(w, b);
    pv_vec2 now = pv_transform_to_world(&t, (pv_vec2){0, 0}),
            then = pv_transform_to_world(whole, (pv_vec2){corner.x, corner.y});
    ck_assert_near(now, then, 1e-9);
    ck_assert_ptr_eq(pv_body_get_def(w, b).material_map, map);
}

/// Numbers of cuts that took each code path
typedef struct ways {
    int cuts, splits, flown, added, stayed;
} ways;

/// Cuts a body, and accounts for every pixel and all momentum.
static void bite(uint64_t *seed, const plan *p, double density, pv_world *w, pv_body_id b,
                 ways *n) {
    pv_cut cut =
        WITH(random_cut(seed, pv_body_get_position(w, b)), it.add = next_unit(seed) < 0.25);
    if (next_random(seed) & 1) cut.max_hardness = (int)(256 * next_unit(seed));
    motion_sums old = {0}, own = {0}, due = {0}, is = {0};
    int64_t before = add_all(&old, w), changed = foretell(&due, p, density, w, b, &cut);
    add_body_sums(&own, w, b);
    pv_carve_result carved = cut_out(w, b, cut);
    int64_t after = add_all(&is, w);
    ck_assert_int_eq(carved.pixel_count, changed);
    ck_assert_int_eq(after, before + (cut.add ? changed : -changed) - carved.debris_pixels);
    due.mass += old.mass - own.mass;
    due.momentum.x += old.momentum.x - own.momentum.x;
    due.momentum.y += old.momentum.y - own.momentum.y;
    due.angular += old.angular - own.angular;
    due.size += old.size;
    check_sums(&due, &is, 1e-9, carved.debris_particles ? INFINITY : 1e-9); /* no debris turns */
    n->cuts += changed > 0, n->splits += carved.body_count > 1,
        n->flown += carved.debris_particles > 0;
    n->added += cut.add && changed > 0, n->stayed += cut.max_hardness < 255 && changed > 0;
}

START_TEST(bites_and_splits_keep_what_pixels_weigh) {
    static plan p;
    uint64_t seed = 12;
    ways n = {0};
    for (int i = 0; i < 120; i++) {
        pv_world *w =
            mode_world(i & 2 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS, 0, NULL);
        draw_plan(&p, &seed);
        pv_body_def def =
            WITH(pv_body_def_default(), it.scale = (pv_vec2){i % 3 ? 1 : -1, i % 5 ? 1 : -1},
                 it.angle = 6 * next_unit(&seed),
                 it.velocity = (pv_vec2){400 * next_unit(&seed) - 200, 90},
                 it.angular_velocity = 20 * next_unit(&seed) - 10,
                 it.density = 0.1 + 3 * next_unit(&seed));
        pv_body_id b =
            put_on(w, random_sprite(&seed, SIDE, SIDE), map_of(&p, NULL), (pv_vec2){300, -90}, def);
        const pv_material_map *map = pv_body_get_def(w, b).material_map;
        pv_transform whole = pv_body_get_transform(w, b);
        set_fracture(w, b, 1 + (int)(30 * next_unit(&seed)), PV_CONNECTIVITY_4, true);
        for (int k = 0; k < 8 && (b = any_body(w, &seed)).index; k++) {
            bite(&seed, &p, def.density, w, b, &n);
            if (i & 1) pv_world_step(w, H);
        }
        for (b = pv_null_body; (b = pv_world_get_next_body(w, b)).index;) {
            weighs_as_its_pixels(&p, def.density, w, b);
            is_as_made_anew(w, b);
            if (!(i & 1)) lies_where_it_lay(w, b, &whole, map);
        }
        close_world(w);
    }
    ck_assert(n.cuts > 400 && n.splits > 100 && n.flown > 50 && n.added > 80 && n.stayed > 150);
}

START_TEST(without_a_map_nothing_lies_on_one) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_body_def def = pv_body_def_default();
    /* An offset does not matter without a map. */
    def.material_map_offset = (pv_point){7, INT_MIN};
    pv_body_id b = put(w, box_mask(60, 20), 0, 0, def);
    ck_assert_int_eq(cut_out(w, b, pv_cut_box(PV_VEC2(-1, -99), PV_VEC2(1, 99))).body_count, 2);
    for (b = pv_null_body; (b = pv_world_get_next_body(w, b)).index;) {
        ck_assert_ptr_null(pv_body_get_def(w, b).material_map);
        ck_assert(corner_of(w, b).x == 0 && corner_of(w, b).y == 0);
    }
}

/* ---- hits ---- */

/// Box that falls on a ball until it hits; it may have a map
typedef struct drop {
    pv_world *w;
    pv_body_id box;
    pv_hit_event hit;
} drop;

static drop fall(int contacts, pv_mask *mask, pv_material_map *map, double toughness,
                 pv_fracture_mode crack) {
    drop d = {.w = mode_world(contacts, 320, NULL)};
    d.box = put_on(d.w, mask, map, (pv_vec2){100, 0}, pv_body_def_default());
    put(d.w, disc_mask(20), 100, 200, of_type(PV_BODY_STATIC));
    pv_fracture_def f = WITH(pv_fracture_def_default(), it.toughness = toughness, it.mode = crack,
                             it.min_part_pixels = 1);
    ck_assert_int_eq(pv_body_set_fracture(d.w, d.box, &f), PV_OK);
    for (int i = 0; i < 200 && pv_world_get_events(d.w).hit_count == 0; i++) pv_world_step(d.w, H);
    ck_assert_int_eq(pv_world_get_events(d.w).hit_count, 1);
    d.hit = pv_world_get_events(d.w).hits[0];
    return d;
}

/// Returns a map with a single hardness.
static pv_material_map *map_as_hard_as(int hardness) {
    static plan p;
    fill_plan(&p, hardness);
    return map_of(&p, NULL);
}

START_TEST_FOR(what_is_all_as_hard_is_so_many_times_as_tough, kind, 2) {
    static const int hardness[] = {64, 128, 192};
    static const double times[] = {4.0 / 3, 2, 4};
    for (int crack = PV_FRACTURE_CHIP; crack <= PV_FRACTURE_CRACK; crack++)
        for (int i = 0; i < 3; i++) {
            drop hard = fall(kind, box_mask(24, 24), map_as_hard_as(hardness[i]), 7000,
                             (pv_fracture_mode)crack),
                 tough =
                     fall(kind, box_mask(24, 24), NULL, 7000 * times[i], (pv_fracture_mode)crack);
            ck_assert(hard.hit.impulse == tough.hit.impulse && hard.hit.impulse > 1.1 * 28000);
            ck_assert_int_lt(solid_pixels_of(hard.w, hard.box), 576);
            check_same_masks(pv_body_get_mask(hard.w, hard.box),
                             pv_body_get_mask(tough.w, tough.box));
        }
}

/// Tells whether a pixel chips off, from the square of its distance from the hit [px^2].
static bool chips(double impulse, double toughness, double square) {
    if (!(impulse > toughness)) return false;
    double radius = fmin(16, fmax(2, 2 * sqrt(impulse / toughness - 1)));
    return square <= radius * radius;
}

/// Tells whether the lost pixels of a square are those that chip off around one of its pixels.
static bool has_chipped(const bool *gone, int side, const plan *p, double toughness,
                        double impulse) {
    for (int c = 0; c < side * side; c++) {
        bool good = true;
        for (int i = 0; i < side * side && good; i++) {
            double square = pow(i % side - c % side, 2) + pow((double)(i / side) - c / side, 2);
            int hardness = p->hardness[i / side * SIDE + i % side];
            good = gone[i] == chips(impulse, toughness * 256 / (256 - hardness), square);
        }
        if (good) return true;
    }
    return false;
}

START_TEST(each_pixel_chips_by_its_own_toughness) {
    static plan p;
    bool gone[24 * 24];
    uint64_t seed = 90;
    int stayed = 0;
    for (int round = 0; round < 24; round++) {
        draw_plan(&p, &seed);
        memset(p.density, 255, sizeof p.density);
        for (int i = 0; i < SIDE; i++)
            p.hardness[23 * SIDE + i] = 7 * round % 3; /* the lowest row is soft */
        double toughness = 2500 + 2000 * round;
        drop d = fall(round % 2 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS,
                      box_mask(24, 24), map_of(&p, NULL), toughness, PV_FRACTURE_CHIP);
        pv_transform t = pv_body_get_transform(d.w, d.box);
        /* Where no body is found, the pixel is gone; the fragment lies at its old place. */
        for (int i = 0; i < 24 * 24; i++) {
            pv_vec2 at = pv_transform_to_world(&t, (pv_vec2){i % 24 + 0.5, i / 24 + 0.5});
            gone[i] = pv_world_pick_body(d.w, at).index == 0;
            stayed += !gone[i] &&
                      chips(d.hit.impulse, toughness, pow(i % 24 - 11.5, 2) + pow(i / 24 - 23, 2));
        }
        ck_assert_int_lt(solid_pixels_of(d.w, d.box), 24 * 24);
        ck_assert(has_chipped(gone, 24, &p, toughness, d.hit.impulse));
    }
    ck_assert_int_gt(stayed, 200);
}

START_TEST(a_hard_shell_protects) {
    static plan p;
    fill_plan(&p, 255);
    for (int i = 0; i < 22 * 22; i++) p.hardness[(i / 22 + 1) * SIDE + i % 22 + 1] = 0;
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++)
        for (int crack = PV_FRACTURE_CHIP; crack <= PV_FRACTURE_CRACK; crack++) {
            drop d = fall(kind, box_mask(24, 24), map_of(&p, NULL), 2000, (pv_fracture_mode)crack);
            ck_assert(d.hit.impulse > 20000);
            ck_assert_int_eq(solid_pixels_of(d.w, d.box), 576);
            ck_assert_int_eq(pv_world_get_events(d.w).dirty_rect_count, 0);
        }
}

START_TEST_FOR(cracks_run_where_it_is_soft, how, 4) {
    static plan p;
    bool soft = how & 1;
    fill_plan(&p, 200);
    for (int i = 0; soft && i < MOST; i++) {
        /* a slanting seam through the place where the beam is struck */
        double x = i % SIDE + 0.5 - 35, up = 18 - (i / SIDE + 0.5);
        if (fabs(x - 0.7 * up) < 6) p.hardness[i] = 0;
    }
    drop d = fall(how >> 1, box_mask(70, 18), map_of(&p, NULL), 500, PV_FRACTURE_CRACK);
    ck_assert_int_eq(pv_world_get_events(d.w).split_count, 1);
    const pv_mask *mask = pv_body_get_mask(d.w, d.box);
    pv_transform t = pv_body_get_transform(d.w, d.box);
    int hard = 0, there = 0;
    for (int i = 0; i < 70 * 18; i++) {
        pv_vec2 at = pv_transform_to_world(&t, (pv_vec2){i % 70 + 0.5, i / 70 + 0.5});
        if (pv_mask_get_pixel(mask, i % 70, i / 70) || pv_world_pick_body(d.w, at).index) continue;
        there++;
        hard += p.hardness[i / 70 * SIDE + i % 70] == 200;
    }
    ck_assert_int_ge(there, 18);
    if (soft) ck_assert_int_eq(hard, 0);
}

START_TEST(cracks_do_not_pass_what_is_too_hard) {
    static plan p;
    fill_plan(&p, 0);
    memset(p.hardness + 8 * SIDE, 250, 3 * SIDE);
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        drop d = fall(kind, box_mask(70, 18), map_of(&p, NULL), 40000, PV_FRACTURE_CRACK);
        ck_assert(d.hit.impulse > 3 * 40000 && d.hit.impulse < 40000 * 256.0 / 6);
        ck_assert_int_eq(pv_world_get_events(d.w).split_count, 0);
        int above = 0, below = 0;
        for (int i = 0; i < 70 * 18; i++) {
            bool gone = !pv_mask_get_pixel(pv_body_get_mask(d.w, d.box), i % 70, i / 70);
            ck_assert(!gone || p.hardness[i / 70 * SIDE + i % 70] == 0);
            above += gone && i / 70 < 8, below += gone && i / 70 >= 11;
        }
        ck_assert(above >= 8 && below >= 7); /* it goes on beyond the hard layer */
    }
}

/* ---- motion ---- */

/// Returns the lowest y of a body's picture, whose corners are solid.
static double lowest(const pv_world *w, pv_body_id b) {
    double x = pv_mask_get_width(pv_body_get_mask(w, b)),
           y = pv_mask_get_height(pv_body_get_mask(w, b)), most = -INFINITY;
    pv_transform t = pv_body_get_transform(w, b);
    for (int i = 0; i < 4; i++)
        most = fmax(most, pv_transform_to_world(&t, (pv_vec2){i % 2 ? x : 0, i / 2 ? y : 0}).y);
    return most;
}

/// Makes a plan whose left part is heavier than the rest.
static void lean_left(plan *p, int width, unsigned char rest) {
    memset(p->hardness, 0, sizeof p->hardness);
    for (int i = 0; i < MOST; i++) p->density[i] = i % SIDE < width ? 255 : rest;
}

START_TEST(what_leans_lies_on_its_pixels) {
    static const pv_vec2 scales[] = {{1, 1}, {-1, 1}, {-1, -1}, {1.371, -1.371}, {-1.371, 1.371}};
    static plan p;
    lean_left(&p, 10, 60);
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++)
        for (int i = 0; i < 20; i++) {
            pv_world *w = mode_world(kind, 320, NULL);
            put_static(w, 400, 30, 0, 115);
            pv_body_def def = WITH(pv_body_def_default(), it.scale = scales[i % 5],
                                   it.angle = 1.5707963267948966 * (i / 5));
            pv_body_id b = put_on(w, box_mask(40, 30), map_of(&p, NULL), (pv_vec2){0, 50}, def);
            steps_well(w, 180);
            ck_assert_double_eq_tol(lowest(w, b), 100, 0.75);
            ck_assert_double_le(
                fabs(remainder(pv_body_get_angle(w, b) - def.angle, 6.283185307179586)), 0.02);
        }
}

START_TEST(the_light_end_of_a_hammer_hits_what_it_meets) {
    static plan p;
    lean_left(&p, 8, 0);
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = mode_world(kind, 0, NULL);
        pv_body_id b = put_on(w, box_mask(SIDE, 6), map_of(&p, NULL), (pv_vec2){0, 0},
                              WITH(pv_body_def_default(), it.angular_velocity = 5));
        pv_body_id post = put_dynamic(w, 8, 8, 60, 40);
        steps_well(w, 30);
        ck_assert_double_gt(hypot(pv_body_get_velocity(w, post).x, pv_body_get_velocity(w, post).y),
                            1);
        ck_assert_double_lt(pv_body_get_angular_velocity(w, b), 4.999);
        ck_assert_int_eq(pv_world_compute_overlap_area(w), 0);
    }
}

START_TEST_FOR(a_ball_comes_to_rest_on_its_heavy_side, kind, 2) {
    static plan p;
    lean_left(&p, 12, 40);
    pv_world *w = mode_world(kind, 320, NULL);
    put_static(w, 600, 30, 0, 100);
    pv_body_id b = put_on(w, disc_mask(16), map_of(&p, NULL), (pv_vec2){0, 60},
                          WITH(pv_body_def_default(), it.rolling_resistance = 0.3));
    steps_well(w, 1500);
    pv_transform t = pv_body_get_transform(w, b);
    pv_vec2 left = pv_transform_to_world(&t, (pv_vec2){0, 16}),
            middle = pv_transform_to_world(&t, (pv_vec2){16, 16});
    ck_assert_double_gt(left.y - middle.y,
                        kind == PV_CONTACT_MODE_CONTOURS ? 15 : 12); /* pixels have flats */
    ck_assert_double_eq_tol(middle.y, 85 - 16, 0.6);
}

/* ---- whose it is ---- */

START_TEST(a_map_is_shared_and_freed_once) {
    static plan p;
    uint64_t seed = 7;
    purse mine = {0};
    const pv_allocator from = {purse_alloc, &mine};
    draw_plan(&p, &seed);
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL),
             *other = mode_world(PV_CONTACT_MODE_PIXELS, 0, NULL);
    pv_material_map *map = map_of(&p, &from);
    long size = mine.live_bytes;
    pv_body_def def = WITH(pv_body_def_default(), it.material_map = map);
    pv_body_id b = put(w, box_mask(SIDE, 20), 0, 0, def);
    def.material_map_offset = (pv_point){5, 30};
    put(other, box_mask(20, 20), 0, 0, def);
    pv_material_map_release(map);
    pv_cut cut = pv_cut_box((pv_vec2){-1, -99}, (pv_vec2){1, 99});
    ck_assert_int_eq(cut_out(w, b, cut).body_count, 2);
    size_t used;
    ck_assert_int_eq(pv_world_save(w, 0, bytes, sizeof bytes, &used), PV_OK);
    ck_assert_int_eq(pv_world_restore(w, bytes, used), PV_OK);
    for (b = pv_null_body; (b = pv_world_get_next_body(w, b)).index;)
        ck_assert_ptr_eq(pv_body_get_def(w, b).material_map, map);
    ck_assert_int_eq(mine.live_bytes, size); /* nothing was copied */
    close_world(w);
    ck_assert_int_eq(mine.live_bytes, size);
    ck_assert_int_eq(pv_body_destroy(other, pv_world_get_next_body(other, (pv_body_id){0})), PV_OK);
    ck_assert_int_eq(mine.live_bytes, 0);
}

START_TEST(snapshots_let_go_of_maps) {
    static plan p;
    uint64_t seed = 17;
    purse mine = {0};
    size_t used, again;
    const pv_allocator from = {purse_alloc, &mine};
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    draw_plan(&p, &seed);
    pv_body_id b =
        put_on(w, box_mask(SIDE, SIDE), map_of(&p, &from), (pv_vec2){0, 0}, pv_body_def_default());
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_world_save(w, 0, bytes, sizeof bytes, &used), PV_OK);
    ck_assert_int_eq(pv_body_destroy(w, b), PV_OK);
    ck_assert_int_gt(mine.live_bytes, MOST);
    ck_assert_int_eq(pv_world_restore(w, bytes, used), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    weighs_as_its_pixels(&p, 1, w, b);
    ck_assert_int_eq(pv_world_save(w, 0, bytes + used, sizeof bytes - used, &again), PV_OK);
    ck_assert(again == used && memcmp(bytes, bytes + used, used) == 0);
    ck_assert_int_eq(pv_body_destroy(w, b), PV_OK);
    ck_assert_int_eq(pv_world_discard_snapshots(w), PV_OK);
    ck_assert_int_eq(mine.live_bytes, 0);
    ck_assert_int_eq(pv_world_restore(w, bytes, used), PV_ERROR_FORMAT);
}

/// Returns a world of hard and brittle bodies on two maps, some in parts, over a floor.
static pv_world *scene(int contacts, uint64_t seed) {
    static plan plans[2];
    pv_world *w = mode_world(contacts, 320, NULL);
    put_static(w, 700, 30, 0, 300);
    pv_material_map *maps[2];
    for (int i = 0; i < 2; i++) {
        draw_plan(&plans[i], &seed);
        maps[i] = map_of(&plans[i], NULL);
    }
    for (int i = 0; i < 8; i++) {
        pv_body_def def = WITH(pv_body_def_default(), it.scale.x = i % 3 ? 1 : -1.3,
                               it.angular_velocity = 6 * next_unit(&seed) - 3,
                               it.material_map = i == 7 ? NULL : maps[i % 2]);
        pv_body_id b =
            put(w, random_sprite(&seed, SIDE, SIDE), 100 * (i % 4) - 150, 150 - 100 * (i / 4), def);
        pv_fracture_def f = WITH(pv_fracture_def_default(), it.spawn_debris = true,
                                 it.toughness = 15 * pv_body_get_mass(w, b),
                                 it.mode = i % 2 ? PV_FRACTURE_CHIP : PV_FRACTURE_CRACK);
        ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
        pv_cut cut = WITH(random_cut(&seed, pv_body_get_position(w, b)), it.max_hardness = 220);
        cut_out(w, b, cut);
    }
    scoped_mask *shared = box_mask(12, 12);
    for (int i = 0; i < 6; i++) { /* one mask with different maps and offsets */
        put(w, pv_mask_retain(shared), 40 * i - 100, 260,
            WITH(pv_body_def_default(), it.material_map = i == 5 ? NULL : maps[i % 2],
                 it.material_map_offset = (pv_point){i < 2 ? 0 : 20, i == 4 ? 30 : 0}));
    }
    for (int i = 0; i < 2; i++) pv_material_map_release(maps[i]);
    return w;
}

START_TEST_FOR(snapshots_know_maps_bit_for_bit, kind, 2) {
    for (unsigned flags = 0; flags <= PV_SNAPSHOT_PIXELS; flags++) {
        pv_world *w = scene(kind, 30 + flags), *to = w;
        size_t size, again;
        steps_well(w, 40);
        ck_assert_int_eq(pv_world_save(w, flags, bytes, sizeof bytes / 2, &size), PV_OK);
        uint64_t hash = pv_world_compute_hash(w), later[60];
        for (int i = 0; i < 60; i++) pv_world_step(w, H), later[i] = pv_world_compute_hash(w);
        if (flags) to = mode_world(kind, 0, NULL);
        ck_assert_int_eq(pv_world_restore(to, bytes, size), PV_OK);
        ck_assert_uint_eq(pv_world_compute_hash(to), hash);
        ck_assert_int_eq(pv_world_save(to, flags, bytes + size, sizeof bytes - size, &again),
                         PV_OK);
        ck_assert(again == size && memcmp(bytes, bytes + size, size) == 0);
        for (int i = 0; i < 60; i++) {
            pv_world_step(to, H);
            ck_assert_uint_eq(pv_world_compute_hash(to), later[i]);
        }
    }
}

START_TEST(hashes_know_maps) {
    static plan p;
    uint64_t hashes[5];
    for (int i = 0; i < 5; i++) { /* none; one with no effect; two others; one at an offset */
        fill_plan(&p, i == 1 ? 0 : 9);
        if (i == 3) p.hardness[0] = 8;
        pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
        pv_body_def def = pv_body_def_default();
        if (i == 4) def.material_map_offset.x = 1;
        put_on(w, box_mask(20, 20), i ? map_of(&p, NULL) : NULL, (pv_vec2){0, 0}, def);
        hashes[i] = pv_world_compute_hash(w);
        for (int k = 0; k < i; k++) ck_assert_uint_ne(hashes[i], hashes[k]);
    }
}

/* ---- bad input ---- */

START_TEST(bad_maps_are_refused) {
    static unsigned char row[SIDE];
    const struct {
        const unsigned char *hardness, *density;
        int w, h;
        ptrdiff_t pitch;
        pv_status due;
    } bad[] = {{row, NULL, -1, 1, SIDE, PV_ERROR_ARGUMENT},
               {NULL, NULL, 4, -1, SIDE, PV_ERROR_ARGUMENT},
               {row, NULL, 9, 2, 8, PV_ERROR_ARGUMENT},
               {NULL, row, 9, 2, -8, PV_ERROR_ARGUMENT},
               {NULL, NULL, 32769, 1, 0, PV_ERROR_TOO_LARGE},
               {NULL, NULL, 8193, 8192, 0, PV_ERROR_TOO_LARGE},
               {row, NULL, INT_MAX, INT_MAX, INT_MAX, PV_ERROR_TOO_LARGE}};
    pv_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_material_map *map = pv_material_map_from_bytes(bad[i].hardness, bad[i].density, bad[i].w,
                                                          bad[i].h, bad[i].pitch, NULL, &error);
        ck_assert_msg(!map && error.status == bad[i].due, "case %zu: %s", i, error.message);
    }
    scoped_map *empty = pv_material_map_from_bytes(NULL, NULL, 0, 7, 0, NULL, &error);
    ck_assert(empty && error.status == PV_OK && pv_material_map_get_density(empty, 0, 0) == 0);
}

START_TEST(masks_that_a_map_does_not_cover_are_refused) {
    static const pv_point places[] = {{-1, 0},      {0, -1},      {41, 0},     {0, 41},
                                      {INT_MAX, 0}, {0, INT_MIN}, {SIDE, SIDE}};
    static plan p;
    uint64_t seed = 6;
    pv_error error;
    draw_plan(&p, &seed);
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_body_def def = WITH(pv_body_def_default(), it.mask = mask_till_end(box_mask(40, 40)),
                           it.material_map = map_of(&p, NULL));
    for (int i = 0; i < 7; i++) {
        def.material_map_offset = places[i];
        ck_assert(pv_body_create(w, &def, &error).index == 0 && error.status == PV_ERROR_ARGUMENT);
    }
    def.material_map_offset = (pv_point){40, 40};
    pv_body_id b = pv_body_create(w, &def, &error);
    ck_assert_int_eq(error.status, PV_OK);
    double mass = pv_body_get_mass(w, b);
    uint64_t hash = pv_world_compute_hash(w);
    pv_mask *larger = mask_till_end(box_mask(40, 41)),
            *alike = mask_till_end(random_sprite(&seed, 40, 40));
    ck_assert_int_eq(pv_body_set_mask(w, b, larger, (pv_vec2){0, 0}), PV_ERROR_ARGUMENT);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    ck_assert_int_eq(pv_body_set_mask(w, b, alike, (pv_vec2){0, 0}), PV_OK);
    ck_assert_double_eq(pv_body_get_mass(w, b), mass);
    weighs_as_its_pixels(&p, pv_body_get_def(w, b).density, w, b);
    ck_assert_ptr_null(pv_body_get_def(w, (pv_body_id){0}).material_map);
    pv_material_map_release(def.material_map);
}

START_TEST(strengths_out_of_range_are_refused) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_body_id b = put_dynamic(w, 20, 20, 0, 0);
    pv_cut cut = pv_cut_circle((pv_vec2){0, 0}, 4);
    ck_assert_int_eq(cut.max_hardness, 255);
    const int bad[] = {-1, 256, INT_MIN, INT_MAX};
    for (int i = 0; i < 4; i++) {
        cut.max_hardness = bad[i];
        ck_assert_int_eq(pv_body_carve(w, b, &cut, NULL), PV_ERROR_ARGUMENT);
    }
    cut.max_hardness = 0; /* a body without a map has hardness 0 */
    cut_out(w, b, cut);
    ck_assert(!pv_mask_get_pixel(pv_body_get_mask(w, b), 10, 10));
}

RUN_TESTS_IN("material", NULL, give_back, 1)
