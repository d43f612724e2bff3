/* fuzz_carve.c - bytes as cuts of bodies, some with material maps: no pixel and no memory is lost.
 *
 * Invariant: the bodies have their first pixels, minus cut ones and debris, plus added ones. A
 * world restored from its own snapshot with pixels has the same hash.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"

enum { MOST_ACTIONS = 40, MOST_BYTES = 1 << 24 };

static pv_vec2 place(fuzz_input *in) {
    double x = 240 * fuzz_unit(in) - 120;
    return (pv_vec2){x, 240 * fuzz_unit(in) - 120};
}

static pv_mask *blob(fuzz_input *in) {
    int w = fuzz_between(in, 2, 70), h = fuzz_between(in, 2, 70);
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    CHECK(m && pv_mask_fill_rect(m, (pv_rect){0, 0, w, h}, true) == PV_OK);
    for (int i = fuzz_below(in, 6); i > 0; i--) {
        pv_rect hole = {fuzz_below(in, w), fuzz_below(in, h), fuzz_between(in, 1, 12),
                        fuzz_between(in, 1, 12)};
        pv_mask_fill_rect(m, hole, fuzz_below(in, 4) == 0);
    }
    return m;
}

/// Returns a map for some sizes of masks. It takes no bytes of the input, which keep their meaning.
static pv_material_map *map_for(const pv_mask *mask) {
    static unsigned char bytes[70 * 70];
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    if ((w + h) % 4) return NULL;
    for (int i = 0; i < w * h; i++)
        bytes[i] = (unsigned char)((i % w / 5 + i / w / 7) * (37 + w + h));
    return pv_material_map_from_bytes(h % 2 ? bytes : NULL, w % 3 ? bytes : NULL, w, h, w, NULL,
                                      NULL);
}

static void put(pv_world *world, fuzz_input *in) {
    pv_body_def def = pv_body_def_default();
    pv_error error;
    def.mask = blob(in);
    def.material_map = map_for(def.mask);
    def.position = place(in);
    def.type = (pv_body_type)fuzz_below(in, 3);
    def.angle = 7 * fuzz_unit(in);
    if (fuzz_below(in, 5) == 0)
        def.scale = (pv_vec2){0.5 + 2 * fuzz_unit(in), -0.5 - fuzz_unit(in)};
    def.collider = (pv_collider)(fuzz_below(in, 8) % 3);
    pv_body_id b = pv_body_create(world, &def, &error);
    pv_mask_release(def.mask);
    pv_material_map_release(def.material_map);
    pv_fracture_def f = pv_fracture_def_default();
    f.min_part_pixels = fuzz_between(in, 1, 30);
    f.spawn_debris = fuzz_below(in, 2);
    f.keep_static = fuzz_below(in, 2);
    if (b.index) CHECK(pv_body_set_fracture(world, b, &f) == PV_OK);
}

static pv_cut cut_of(fuzz_input *in, const pv_mask *stamp, pv_vec2 corners[5]) {
    pv_transform t = pv_transform_identity();
    pv_vec2 from = place(in);
    switch (fuzz_below(in, 5)) {
    case 0: return pv_cut_circle(from, 30 * fuzz_unit(in));
    case 1: return pv_cut_box(from, place(in));
    case 2: return pv_cut_line(from, place(in), 8 * fuzz_unit(in));
    case 3:
        for (int i = 0; i < 5; i++) corners[i] = place(in);
        return pv_cut_polygon(corners, 5);
    default: t.position = from; return pv_cut_mask(stamp, &t);
    }
}

static int64_t pixels_of(const pv_world *world) {
    int64_t sum = 0;
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(world, b)).index;)
        sum += pv_mask_count_pixels(pv_body_get_mask(world, b));
    return sum;
}

static void carve(pv_world *world, fuzz_input *in, const pv_mask *stamp) {
    pv_body_id b = pv_world_get_next_body(world, (pv_body_id){0});
    for (int i = fuzz_below(in, 8); i > 0 && b.index; i--) b = pv_world_get_next_body(world, b);
    pv_vec2 corners[5];
    pv_carve_result carved;
    pv_cut cut = cut_of(in, stamp, corners);
    cut.add = fuzz_below(in, 4) == 0;
    cut.local = fuzz_below(in, 4) == 0;
    if (cut.type == PV_CUT_BOX) cut.max_hardness = (int)(cut.to.x * 64) & 255;
    bool there = b.index && pv_body_is_valid(world, b);
    int64_t before = pixels_of(world);
    double mass = there ? pv_body_get_mass(world, b) : 0;
    pv_status s = pv_body_carve(world, b, &cut, &carved);
    CHECK(s == (there ? PV_OK : PV_ERROR_STALE_ID) || s == PV_ERROR_MEMORY ||
          s == PV_ERROR_ARGUMENT);
    int64_t gone = s != PV_OK ? 0
                   : cut.add  ? -carved.pixel_count
                              : carved.pixel_count + carved.debris_pixels;
    CHECK(pixels_of(world) == before - gone);
    bool left = pv_body_is_valid(world, b);
    CHECK(!left || (cut.add ? pv_body_get_mass(world, b) >= mass * (1 - 1e-12)
                            : pv_body_get_mass(world, b) <= mass * (1 + 1e-12)));
}

static void save(pv_world *world) {
    size_t size = 0;
    pv_world_save(world, PV_SNAPSHOT_PIXELS, NULL, 0, &size);
    void *buffer = malloc(size);
    uint64_t hash = pv_world_compute_hash(world);
    CHECK(buffer && pv_world_save(world, PV_SNAPSHOT_PIXELS, buffer, size, &size) == PV_OK);
    pv_world_step(world, 1 / 60.0);
    uint64_t next = pv_world_compute_hash(world);
    CHECK(pv_world_restore(world, buffer, size) == PV_OK && pv_world_compute_hash(world) == hash);
    pv_world_step(world, 1 / 60.0);
    CHECK(pv_world_compute_hash(world) == next);
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    fuzz_purse purse = {0};
    pv_world_def def = pv_world_def_default();
    def.allocator = fuzz_allocator(&purse);
    def.substeps = 4;
    def.contact_mode = fuzz_below(&in, 4) ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS;
    pv_world *world = pv_world_create(&def, NULL);
    pv_mask *stamp = blob(&in);
    CHECK(world);
    for (int i = fuzz_between(&in, 1, 5); i > 0; i--) put(world, &in);
    for (int i = 0; i < MOST_ACTIONS && in.left > 0; i++) {
        int action = fuzz_below(&in, 8);
        if (action == 0) pv_world_step(world, 1 / 60.0);
        if (action == 1) put(world, &in);
        if (action == 2) save(world);
        if (action > 2) carve(world, &in, stamp);
        if (purse.live > MOST_BYTES) break;
    }
    pv_world_step(world, 1 / 60.0);
    pv_mask_release(stamp);
    pv_world_destroy(world);
    CHECK(purse.live == 0);
    return 0;
}
