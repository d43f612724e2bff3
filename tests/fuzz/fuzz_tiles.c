/* fuzz_tiles.c - bytes as a Tiled map, an LDtk project, or the numbers of a pv_tilemap_def.
 *
 * Invariant: layers made from numbers are checked pixel by pixel. Each pixel of the layer is mapped
 * back through the flips of its tile.
 *
 * Bytes that begin with '{' or '<' are the map's JSON or XML, up to a zero byte. The rest is
 * "t.json", which may be a tileset, a template or a level; "t.png" exists as well.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- maps ---- */

enum { SIDE = 512, AREA = 1 << 14 };

/// Sheet of 16 x 16 px, with 1 bit per pixel
static const uint8_t sheet[] = {
    137, 80,  78,  71,  13,  10,  26,  10,  0,   0,   0,   13,  73,  72,  68,  82,  0,   0,
    0,   16,  0,   0,   0,   16,  1,   3,   0,   0,   0,   37,  61,  109, 34,  0,   0,   0,
    6,   80,  76,  84,  69,  0,   0,   0,   255, 255, 255, 165, 217, 159, 221, 0,   0,   0,
    2,   116, 82,  78,  83,  0,   255, 91,  145, 34,  181, 0,   0,   0,   32,  73,  68,  65,
    84,  120, 218, 99,  200, 221, 198, 192, 248, 159, 33,  189, 156, 161, 126, 21,  131, 237,
    115, 134, 122, 121, 134, 232, 91,  12,  184, 5,   1,   134, 148, 16,  102, 185, 87,  100,
    202, 0,   0,   0,   0,   73,  69,  78,  68,  174, 66,  96,  130};

static char directory[64];

static void path_of(const char *name, char path[128]) {
    snprintf(path, 128, "%s/%s", directory, name);
}

static void write_file(const char *name, const void *data, size_t size) {
    char path[128];
    path_of(name, path);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void remove_directory(void) {
    static const char *const names[] = {"m.json", "t.json", "t.png"};
    char path[128];
    for (int i = 0; i < 3; i++) {
        path_of(names[i], path);
        remove(path);
    }
    rmdir(directory);
}

static void make_directory(void) {
    if (directory[0]) return;
    struct stat about;
    bool memory = stat("/dev/shm", &about) == 0 && access("/dev/shm", W_OK) == 0;
    snprintf(directory, sizeof directory, "%s/pixverlet-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(directory));
    atexit(remove_directory);
    write_file("t.png", sheet, sizeof sheet);
}

static pv_mask_options map_options(fuzz_purse *purse) {
    pv_mask_options o = pv_mask_options_default();
    o.limits.max_width = o.limits.max_height = SIDE;
    o.limits.max_area = AREA;
    o.limits.max_file_size = 1 << 16;
    o.limits.allocator = fuzz_allocator(purse);
    return o;
}

static pv_mask *load(const char *layer, fuzz_purse *purse, pv_error *error) {
    pv_mask_options o = map_options(purse);
    char path[128];
    path_of("m.json", path);
    return pv_tilemap_load_mask(path, layer, &o, error);
}

static pv_map_objects *load_objects(fuzz_purse *purse, pv_error *error) {
    pv_mask_options o = map_options(purse);
    char path[128];
    path_of("m.json", path);
    return pv_map_objects_load(path, NULL, &o, error);
}

/// Checks that a layer selected by its name has the size of a mask of all layers.
static void check_layer(const pv_mask *all) {
    fuzz_purse purse = {0};
    pv_error error = {.status = PV_STATUS_COUNT};
    pv_mask *one = load("ground", &purse, &error);
    CHECK((one != NULL) == (error.status == PV_OK) && error.status < PV_STATUS_COUNT);
    if (one)
        CHECK(pv_mask_get_width(one) == pv_mask_get_width(all) &&
              pv_mask_get_height(one) == pv_mask_get_height(all));
    pv_mask_release(one);
    CHECK(purse.live == 0);
}

static void check_failures(long calls) {
    for (long i = 1; i <= calls; i += 1 + calls / 8) {
        fuzz_purse purse = {.fail_at = i};
        pv_error error = {0};
        CHECK(!load(NULL, &purse, &error));
        CHECK(error.status == PV_ERROR_MEMORY && purse.live == 0);
    }
}

static void check_object(const pv_map_object *o) {
    CHECK(o->name && o->class_name && o->layer && o->shape <= PV_MAP_CAPSULE);
    CHECK(o->size.x >= 0 && o->size.y >= 0 && isfinite(o->angle));
    CHECK(isfinite(o->position.x) && isfinite(o->position.y));
    for (int i = 0; i < o->point_count; i++)
        CHECK(isfinite(o->points[i].x) && isfinite(o->points[i].y));
    for (int i = 0; i < o->property_count; i++)
        CHECK(o->properties[i].name && o->properties[i].text);
    if (o->mask) CHECK(o->shape != PV_MAP_POINT && o->shape != PV_MAP_POLYLINE);
}

static void starve_objects(long calls) {
    for (long i = 1; i <= calls; i += 1 + calls / 8) {
        fuzz_purse purse = {.fail_at = i};
        pv_error error = {0};
        CHECK(!load_objects(&purse, &error));
        CHECK(error.status == PV_ERROR_MEMORY && purse.live == 0);
    }
}

static void try_objects(void) {
    fuzz_purse purse = {0};
    pv_error error = {.status = PV_STATUS_COUNT};
    const pv_map_object *o;
    pv_map_objects *list = load_objects(&purse, &error);
    CHECK((list != NULL) == (error.status == PV_OK) && error.status < PV_STATUS_COUNT);
    for (int i = 0; (o = pv_map_objects_get(list, i)) != NULL; i++) check_object(o);
    if (list) starve_objects(purse.calls);
    pv_map_objects_destroy(list);
    CHECK(purse.live == 0);
}

static void try_map(const uint8_t *data, size_t size) {
    const uint8_t *end = memchr(data, 0, size);
    size_t length = end ? (size_t)(end - data) : size;
    make_directory();
    write_file("m.json", data, length);
    write_file("t.json", end ? end + 1 : data, end ? size - length - 1 : 0);
    fuzz_purse purse = {0};
    pv_error error = {.status = PV_STATUS_COUNT};
    pv_mask *mask = load(NULL, &purse, &error);
    CHECK((mask != NULL) == (error.status == PV_OK) && error.status < PV_STATUS_COUNT);
    if (mask) {
        CHECK(pv_mask_get_width(mask) <= SIDE && pv_mask_get_height(mask) <= SIDE);
        check_layer(mask);
        check_failures(purse.calls);
    }
    pv_mask_release(mask);
    CHECK(purse.live == 0);
    try_objects();
}

/* ---- numbers ---- */

enum { MASKS = 4, MOST = 24 };

static pv_mask *random_mask(fuzz_input *in, int w, int h) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    CHECK(mask);
    unsigned bits = 1;
    for (int i = 0; i < w * h; i++, bits >>= 1) {
        if (bits == 1) bits = fuzz_byte(in) | 256;
        pv_mask_set_pixel(mask, i % w, i / w, (bits & 1) != 0);
    }
    return mask;
}

/// Returns a layer's pixel. Tiled flips diagonally, then x, then y; here all is undone in reverse.
static bool expected(const pv_tilemap_def *def, int x, int y) {
    uint32_t tile = def->tiles[y / def->tile_height * def->columns + x / def->tile_width],
             id = tile & 0x1fffffff;
    if (id == 0 || !def->masks[id]) return false;
    int u = x % def->tile_width, v = y % def->tile_height;
    if (tile & PV_TILE_FLIP_Y) v = def->tile_height - 1 - v;
    if (tile & PV_TILE_FLIP_X) u = def->tile_width - 1 - u;
    return tile & PV_TILE_FLIP_DIAGONAL ? pv_mask_get_pixel(def->masks[id], v, u)
                                        : pv_mask_get_pixel(def->masks[id], u, v);
}

static bool is_bad(const pv_tilemap_def *def) {
    for (int i = 1; i < def->mask_count; i++)
        if (def->masks[i] && (pv_mask_get_width(def->masks[i]) != def->tile_width ||
                              pv_mask_get_height(def->masks[i]) != def->tile_height))
            return true;
    for (int i = 0; i < def->columns * def->rows; i++) {
        uint32_t id = def->tiles[i] & 0x1fffffff;
        if (id && id >= (uint32_t)def->mask_count) return true;
        if (def->tiles[i] & PV_TILE_FLIP_DIAGONAL && def->tile_width != def->tile_height)
            return true;
    }
    return false;
}

static void check_def(const pv_tilemap_def *def) {
    pv_error error = {.status = PV_STATUS_COUNT};
    pv_mask *mask = pv_tilemap_create_mask(def, &error);
    CHECK(error.status == (is_bad(def) ? PV_ERROR_ARGUMENT : PV_OK));
    CHECK((mask != NULL) == (error.status == PV_OK));
    for (int y = 0; mask && y < def->rows * def->tile_height; y++)
        for (int x = 0; x < def->columns * def->tile_width; x++)
            CHECK(pv_mask_get_pixel(mask, x, y) == expected(def, x, y));
    pv_mask_release(mask);
}

static void try_numbers(fuzz_input *in) {
    static uint32_t tiles[MOST * MOST];
    pv_mask *masks[MASKS] = {NULL};
    fuzz_purse purse = {0};
    bool square = fuzz_below(in, 2);
    int w = fuzz_between(in, 1, MOST), h = square ? w : fuzz_between(in, 1, MOST);
    for (int i = 1; i < MASKS; i++) {
        unsigned odd = fuzz_byte(in);
        masks[i] = odd == 1 ? NULL : random_mask(in, odd == 2 ? w + 1 : w, h);
    }
    pv_tilemap_def def = {
        .tile_width = w, .tile_height = h, .tiles = tiles, .masks = masks, .mask_count = MASKS};
    def.allocator = fuzz_allocator(&purse);
    def.columns = fuzz_between(in, 1, MOST);
    def.rows = fuzz_between(in, 1, MOST);
    for (int i = 0; i < def.columns * def.rows; i++) {
        unsigned b = fuzz_byte(in);
        uint32_t flips = (uint32_t)(b >> 5) << 29;
        tiles[i] = (b & 31) == 31 ? MASKS + flips
                                  : (b & 3) | (square ? flips : flips & ~PV_TILE_FLIP_DIAGONAL);
    }
    check_def(&def);
    for (int i = 0; i < MASKS; i++) pv_mask_release(masks[i]);
    CHECK(purse.live == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    if (size && (data[0] == '{' || data[0] == '<'))
        try_map(data, size);
    else
        try_numbers(&in);
    return 0;
}
