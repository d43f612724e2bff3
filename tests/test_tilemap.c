/* test_tilemap.c - layers of tiles against loops over pixels, maps of Tiled against formulas, bad
 * maps, and a slide.
 *
 * Invariant: expected flips are written out, or made by mask functions. Tiles are checked by the
 * formulas of their pictures. Bad maps have exactly one error.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <unistd.h>

#define X PV_TILE_FLIP_X
#define Y PV_TILE_FLIP_Y
#define D PV_TILE_FLIP_DIAGONAL
#define MOST_TILES 64

/* ---- layers ---- */

static pv_mask *layer_of(const pv_tilemap_def *def) {
    pv_error error = {.status = PV_ERROR_MEMORY};
    pv_mask *mask = pv_tilemap_create_mask(def, &error);
    ck_assert_msg(mask != NULL, "%s", error.message);
    ck_assert_int_eq(error.status, PV_OK);
    ck_assert_mask_size(mask, def->columns * def->tile_width, def->rows * def->tile_height);
    return mask;
}

/// All eight flips: 0xa0000000 is a quarter clockwise, 0x60000000 one counterclockwise (Tiled).
START_TEST(eight_flips) {
    const char *const upright[] = {"##.", "#..", "###", NULL};
    static const struct {
        uint32_t flips;
        const char *rows[3];
    } turned[8] = {{0, {"##.", "#..", "###"}},     {X, {".##", "..#", "###"}},
                   {Y, {"###", "#..", "##."}},     {X | Y, {"###", "..#", ".##"}},
                   {D, {"###", "#.#", "..#"}},     {D | X, {"###", "#.#", "#.."}},
                   {D | Y, {"..#", "#.#", "###"}}, {D | X | Y, {"#..", "#.#", "###"}}};
    ck_assert_uint_eq(D | X, 0xa0000000u);
    ck_assert_uint_eq(D | Y, 0x60000000u);
    pv_mask *masks[2] = {NULL, text_mask(upright)};
    for (int i = 0; i < 8; i++) {
        uint32_t tile = 1 | turned[i].flips;
        scoped_mask *mask = layer_of(&(pv_tilemap_def){3, 3, 1, 1, &tile, masks, 2, {0}});
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                ck_assert_msg(pv_mask_get_pixel(mask, x, y) == (turned[i].rows[y][x] == '#'),
                              "%d: (%d, %d)", i, x, y);
    }
    pv_mask_release(masks[1]);
}

/// Draws a tile into a picture, flipped by its bits.
static void put_tile(pv_mask *picture, const pv_mask *tile, uint32_t flips, int x, int y) {
    scoped_mask *turned = flips & D ? pv_mask_rotate90(tile, 1, NULL) : pv_mask_copy(tile, NULL);
    scoped_mask *flipped = pv_mask_flip(turned, !(flips & D) != !(flips & X), flips & Y, NULL);
    ck_assert_int_eq(pv_mask_combine(picture, flipped, x, y, PV_COMBINE_OR), PV_OK);
}

static void check_layer(const pv_tilemap_def *def) {
    scoped_mask *layer = layer_of(def),
                *picture =
                    pv_mask_create(pv_mask_get_width(layer), pv_mask_get_height(layer), NULL, NULL);
    for (int i = 0; i < def->columns * def->rows; i++) {
        const pv_mask *tile = def->masks[def->tiles[i] & 0x1fffffffu];
        if (tile)
            put_tile(picture, tile, def->tiles[i], i % def->columns * def->tile_width,
                     i / def->columns * def->tile_height);
    }
    check_same_masks(layer, picture);
}

START_TEST_FOR(random_layers, n, 60) {
    int w = any_int(1, 70), h = n % 3 ? w : any_int(1, 70), count = any_int(1, 5);
    uint32_t tiles[36];
    pv_mask *masks[5] = {NULL};
    for (int i = 1; i < count; i++) masks[i] = any_int(0, 4) ? any_mask(w, h, 50) : NULL;
    pv_tilemap_def def = {w, h, any_int(1, 6), any_int(1, 6), tiles, masks, count, {0}};
    for (int i = 0; i < def.columns * def.rows; i++)
        tiles[i] = (uint32_t)any_int(0, count - 1) | (uint32_t)any_int(0, w == h ? 7 : 3) << 29;
    for (int i = 0; w != h && i < 36; i++)
        tiles[i] = (tiles[i] & 0x1fffffffu) | (tiles[i] & D ? X : 0);
    check_layer(&def);
    for (int i = 1; i < count; i++) pv_mask_release(masks[i]);
}

static void def_refused(pv_tilemap_def def, pv_status expected) {
    pv_error error = {0};
    ck_assert_refused(pv_tilemap_create_mask(&def, &error), error, expected);
}

START_TEST(bad_layers) {
    uint32_t tiles[2] = {1, 0};
    pv_mask *masks[2] = {NULL, box_mask(4, 8)};
    const pv_tilemap_def good = {4, 8, 2, 1, tiles, masks, 2, {0}};
    pv_tilemap_def bad[9];
    check_layer(&good);
    for (int i = 0; i < 9; i++) bad[i] = good;
    bad[0].tile_width = 0, bad[1].tile_height = -1, bad[2].columns = 0, bad[3].rows = 0,
    bad[4].tiles = NULL;
    bad[5].masks = NULL, bad[6].mask_count = 1, bad[7].tile_width = 5, bad[8].mask_count = -1;
    for (int i = 0; i < 9; i++) def_refused(bad[i], PV_ERROR_ARGUMENT);
    for (int bit = 1; bit < 32; bit++) { /* no such id, and no diagonal flip */
        tiles[1] = UINT32_C(1) << bit | 1;
        if (bit < 30) def_refused(good, PV_ERROR_ARGUMENT);
    }
    tiles[1] = 0;
    pv_tilemap_def large = good;
    large.columns = 8193;
    def_refused(large, PV_ERROR_TOO_LARGE);
    large = good, large.rows = 2147483647;
    def_refused(large, PV_ERROR_TOO_LARGE);
    purse p = {0, 0, 1};
    large = good, large.allocator = (pv_allocator){purse_alloc, &p};
    def_refused(large, PV_ERROR_MEMORY);
    ck_assert_int_eq(p.live_bytes, 0);
    pv_mask_release(masks[1]);
}

/* ---- no ghost bumps ---- */

/// Adds a static level of flush tiles in all their flips: sixty, and three at each end.
static void put_floor(pv_world *world, double top) {
    uint32_t tiles[66];
    pv_mask *masks[2] = {NULL, box_mask(16, 16)};
    for (uint32_t i = 0; i < 66; i++) tiles[i] = 1 | i % 8 << 29;
    pv_mask *layer = layer_of(&(pv_tilemap_def){16, 16, 66, 1, tiles, masks, 2, {0}});
    put(world, layer, 33 * 16, top + 8,
        WITH(of_type(PV_BODY_STATIC), it.static_friction = it.friction = 0));
    pv_mask_release(masks[1]);
}

START_TEST(a_box_slides_without_a_hop) {
    scoped_world *world = pv_world_create(NULL, NULL);
    put_floor(world, 200);
    pv_body_id box = put(world, box_mask(32, 32), 48, 200 - 16,
                         WITH(pv_body_def_default(), it.static_friction = it.friction = 0));
    for (int i = 0; i < 60; i++) pv_world_step(world, 1 / 60.0);
    double rest = pv_body_get_position(world, box).y, high = rest, low = rest;
    pv_body_set_velocity(world, box, (pv_vec2){320, 0});
    while (pv_body_get_position(world, box).x < 48 + 60 * 16) {
        step_well(world, 1 / 60.0);
        ck_assert(fabs(pv_body_get_velocity(world, box).x - 320) < 1e-6);
        high = fmin(high, pv_body_get_position(world, box).y);
        low = fmax(low, pv_body_get_position(world, box).y);
    }
    ck_assert_msg(rest - high <= 0.05 && low - rest <= 0.05, "up by %g px, down by %g", rest - high,
                  low - rest);
}

#ifdef HAVE_CJSON

/* ---- files of the source tree, and files that the test wrote ---- */

/// Returns a file name of this process, in static memory.
static const char *scratch(void) {
    static char path[64];
    snprintf(path, sizeof path, "test-tilemap.%ld.json", (long)getpid());
    return path;
}

/// Returns JSON with " for ' and a picture's path for @, in static memory.
static const char *json_of(const char *text) {
    static char json[1 << 20];
    char *to = json;
    for (const char *c = text; *c; c++)
        if (*c == '@')
            to = stpcpy(to, source_path("sprites/tile.png"));
        else
            *to++ = *c == '\'' ? '"' : *c;
    *to = '\0';
    return json;
}

static void write_json(const char *path, const char *text) {
    const char *json = json_of(text);
    write_file(path, json, strlen(json));
}

/// Memory of loaded objects, all of which a test must free
static purse book;

static void all_is_back(void) { ck_assert_int_eq(book.live_bytes, 0); }

/// Returns options whose memory is counted.
static pv_mask_options counted(void) {
    return WITH(pv_mask_options_default(),
                it.limits.allocator = (pv_allocator){purse_alloc, &book});
}

/// Loads a map of the source tree, or the objects of one.
static pv_mask *load_map(const char *file, const char *layer) {
    pv_mask_options o = counted();
    pv_error error = {.status = PV_ERROR_MEMORY};
    pv_mask *mask = pv_tilemap_load_mask(source_path(file), layer, &o, &error);
    ck_assert_msg(mask != NULL, "%s", error.message);
    return mask;
}

static pv_map_objects *load_objects(const char *file, const char *layer) {
    pv_mask_options o = counted();
    pv_error error = {0};
    pv_map_objects *list = pv_map_objects_load(source_path(file), layer, &o, &error);
    ck_assert_msg(list != NULL, "%s", error.message);
    return list;
}

/// Loads the map that the test wrote, with the status that came.
static pv_mask *load_written(const pv_mask_options *options, pv_error *error) {
    pv_mask_options o = options ? *options : counted();
    pv_mask *mask = pv_tilemap_load_mask(scratch(), NULL, &o, error);
    remove(scratch());
    ck_assert_int_eq(mask == NULL, error->status != PV_OK);
    return mask;
}

static pv_mask *load_bytes(const char *text, size_t size, pv_error *error) {
    write_file(scratch(), text, size);
    return load_written(NULL, error);
}

static pv_mask *load_json(const char *text, pv_error *error) {
    write_json(scratch(), text);
    return load_written(NULL, error);
}

/* ---- maps of Tiled ---- */

/// Formulas of sprites/README.md
static bool in_ramp(int x, int y) { return 2 * (y + 0.5) > x + 0.5; }
static bool in_stairs(int x, int y) { return y >= 8 * (x / 32); }

/// Layout of a sheet, and the formula of its picture
typedef struct sheet {
    bool (*solid)(int x, int y);
    int first, columns, tile, margin, spacing;
} sheet;

static pv_mask *sheet_tile(const sheet *s, uint32_t id) {
    pv_mask *tile = pv_mask_create(s->tile, s->tile, NULL, NULL);
    int index = (int)id - s->first, pitch = s->tile + s->spacing;
    int left = s->margin + index % s->columns * pitch, top = s->margin + index / s->columns * pitch;
    for (int y = 0; y < s->tile; y++)
        for (int x = 0; x < s->tile; x++)
            pv_mask_set_pixel(tile, x, y, s->solid(left + x, top + y));
    return tile;
}

/// @param sheets two sheets, the second with the higher ids
static void draw_layer(pv_mask *plan, const sheet sheets[2], const uint32_t *tiles, int dx,
                       int dy) {
    int side = sheets[0].tile, columns = pv_mask_get_width(plan) / side,
        rows = pv_mask_get_height(plan) / side;
    for (int i = 0; i < columns * rows; i++) {
        uint32_t id = tiles[i] & 0x1fffffffu;
        if (!id) continue;
        scoped_mask *tile = sheet_tile(&sheets[id >= (uint32_t)sheets[1].first], id);
        put_tile(plan, tile, tiles[i], dx + i % columns * side, dy + i / columns * side);
    }
}

/// Content of tests/data/hills.json
static const sheet hill_sheets[2] = {{in_ramp, 1, 17, 16, 3, 2}, {in_stairs, 140, 20, 16, 0, 0}};
static const uint32_t hill_ground[24] = {
    0,           0,     0,  0,  0,       0,      0, 1 | X,  1,          141,         0,
    0,           2 | X, 20, 18, 143 | X, 25 | D, 0, 20 | Y, 20 | X | Y, 156 | D | X, 1 | X | Y | D,
    159 | X | D, 2 | Y};
static const uint32_t hill_more[24] = {
    [2] = 2 | D, [5] = 1, [10] = 140 | Y, [18] = 142, [23] = 19 | D | Y};
static const uint32_t hill_back[24] = {20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
                                       20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20};

static void check_map(const char *file, const char *layer, const pv_mask *expected) {
    scoped_mask *mask = load_map(file, layer);
    check_same_masks(mask, expected);
}

static pv_mask *plan_of(int columns, int rows, int side) {
    return pv_mask_create(columns * side, rows * side, NULL, NULL);
}

/// Checks each layer of tests/data/hills.json by name, and all solid ones.
START_TEST(layers_by_name) {
    const char *file = "tests/data/hills.json";
    scoped_mask *ground = plan_of(6, 4, 16), *more = plan_of(6, 4, 16), *back = plan_of(6, 4, 16);
    draw_layer(ground, hill_sheets, hill_ground, 0, 0);
    draw_layer(more, hill_sheets, hill_more, 9, -4); /* 8 + 0.6, -4 - 0.25 */
    draw_layer(back, hill_sheets, hill_back, 0, 0);
    check_map(file, "ground", ground);
    check_map(file, "more", more);
    check_map(file, "backdrop", back);
    draw_layer(ground, hill_sheets, hill_more, 9, -4);
    check_map(file, NULL, ground);
}

static void refuse_file(const char *path, const char *layer, pv_status expected) {
    pv_error error = {0};
    ck_assert_refused(pv_tilemap_load_mask(path, layer, NULL, &error), error, expected);
}

START_TEST(files_and_layers_that_are_none) {
    const char *const none[] = {"", "Ground", "high up", "things", "nothing"};
    for (int i = 0; i < 5; i++)
        refuse_file(source_path("tests/data/hills.json"), none[i], PV_ERROR_ARGUMENT);
    refuse_file("no such.json", NULL, PV_ERROR_FILE_OPEN);
    refuse_file(".", NULL, PV_ERROR_FILE_OPEN);
    ck_assert_ptr_null(pv_tilemap_load_mask(source_path("sprites/tile.png"), NULL, NULL, NULL));
}

static size_t put_base64(char *to, const unsigned char *from, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t i = 0; i < size; i += 3) {
        unsigned long three = 0;
        for (size_t k = 0; k < 3; k++) three = three << 8 | (i + k < size ? from[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            to[n++] = i + k > size ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    to[n] = '\0';
    return n;
}

static void put_base64_tiles(char *to, const uint32_t *tiles, int count) {
    unsigned char bytes[4 * MOST_TILES];
    for (int i = 0; i < 4 * count; i++) bytes[i] = (unsigned char)(tiles[i / 4] >> (8 * (i % 4)));
    put_base64(to, bytes, (size_t)count * 4);
}

/// Writes the data of a layer, as a list or as base64.
static void put_data(char *to, const uint32_t *tiles, int count, bool base64) {
    to += sprintf(to, base64 ? "\"encoding\":\"base64\",\"data\":\"" : "\"data\":[");
    if (base64) {
        put_base64_tiles(to, tiles, count);
        strcat(to, "\"");
        return;
    }
    for (int i = 0; i < count; i++)
        to += sprintf(to, "%s%lu", i ? "," : "", (unsigned long)tiles[i]);
    strcpy(to, "]");
}

/// Draws random tiles of a sheet with random flips, or none.
static void random_tiles(uint32_t *tiles, int count, int most) {
    for (int i = 0; i < count; i++)
        tiles[i] = any_int(0, 3) ? (uint32_t)any_int(1, most) | (uint32_t)any_int(0, 7) << 29 : 0;
}

START_TEST(random_maps) {
    static char text[8192], data[4096];
    bool plus = false, slash = false; /* the last digits of base64, rare without large numbers */
    for (int n = 0; n < 60; n++) {
        int tile = n % 4 == 1 ? 1 : any_int(1, 40), margin = any_int(0, 5), spacing = any_int(0, 3);
        int wide = any_int(1, 8), high = any_int(1, 8), count = wide * high;
        int columns = (320 - margin + spacing) / (tile + spacing),
            rows = (160 - margin + spacing) / (tile + spacing);
        sheet sheets[2] = {{in_ramp, 1, columns, tile, margin, spacing}, {.first = 1 << 29}};
        int dx = any_int(-50, 50), dy = any_int(-50, 50);
        uint32_t tiles[MOST_TILES];
        random_tiles(tiles, count, columns * rows);
        put_data(data, tiles, count, n % 2);
        plus |= strchr(data, '+') != NULL;
        slash |= strchr(data, '/') != NULL;
        scoped_mask *plan = plan_of(wide, high, tile);
        draw_layer(plan, sheets, tiles, dx, dy);
        snprintf(
            text, sizeof text,
            "{'orientation':'orthogonal','width':%d,'height':%d,'tilewidth':%d,'tileheight':%d,"
            "'tilesets':[{'firstgid':1,'tilewidth':%d,'tileheight':%d,'columns':%d,"
            "'tilecount':%d,'margin':%d,'spacing':%d,'image':'%s'}],'layers':[{'type':"
            "'tilelayer','width':%d,'height':%d,'offsetx':%d,'offsety':%d,%s}]}",
            wide, high, tile, tile, tile, tile, columns, columns * rows, margin, spacing,
            source_path("sprites/ramp.png"), wide, high, dx, dy, data);
        pv_error error;
        scoped_mask *mask = load_json(text, &error);
        ck_assert_msg(mask != NULL, "%s: %s", error.message, text);
        check_same_masks(mask, plan);
    }
    ck_assert(plus && slash);
}

/* ---- bad maps ---- */

/// Good map of two tiles; ' stands for ", and @ for the picture's path
static const char good_map[] =
    "{'orientation':'orthogonal','infinite':false,'width':2,'height':1,'tilewidth':16,'tileheight':"
    "16,"
    "'tilesets':[{'firstgid':1,'tilewidth':16,'tileheight':16,'columns':1,'tilecount':1,'margin':0,"
    "'spacing':0,'image':'@'},{'firstgid':9,'tilewidth':8,'tileheight':8,'columns':2,'tilecount':4,"
    "'image':"
    "'none.png'}],'layers':[{'type':'tilelayer','name':'a','width':2,'height':1,'data':[0,1],"
    "'properties':[{'name':'solid','value':true}]},{'type':'group','layers':[]},{'type':'"
    "imagelayer'}]}";

/// Returns the map with the first occurrence of a piece replaced, in static memory.
static const char *map_with(const char *piece, const char *by) {
    static char map[2048];
    const char *at = strstr(good_map, piece);
    ck_assert_msg(at != NULL, "%s", piece);
    snprintf(map, sizeof map, "%.*s%s%s", (int)(at - good_map), good_map, by, at + strlen(piece));
    return map;
}

static bool is_good(const pv_mask *mask) {
    pv_rect box = pv_mask_compute_bounds(mask);
    return pv_mask_get_width(mask) == 32 && pv_mask_get_height(mask) == 16 &&
           pv_mask_count_pixels(mask) == 256 && box.x == 16;
}

START_TEST(good_variants) {
    static const char *const good[][2] = {
        {"'infinite':false,", ""},
        {"'margin':0,'spacing':0,", ""},
        {"'data':[0,1]", "'encoding':'csv','data':[0,1]"},
        {"'data':[0,1]", "'encoding':'csv','compression':'','data':[0,2147483649]"},
        {"'data':[0,1]", "'encoding':'base64','data':'AAAAAAEAAAA='"},
        {"'data':[0,1]", "'encoding':'base64','data':'\\n   AAAAAAEAAAA=\\n  '"},
        {"'data':[0,1]", "'data':[0,268435457]"}, /* a bit of hexagonal maps */
        {"{'name':'solid','value':true}", "{'name':'solids','value':3}"},
        {"'name':'a'", "'offsetx':0.4,'offsety':-0.5"},
        {"'imagelayer'}]}", "'imagelayer'}]} \r\n"}};
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        pv_error error;
        scoped_mask *mask = load_json(map_with(good[i][0], good[i][1]), &error);
        ck_assert_msg(mask != NULL, "%s: %s", good[i][1], error.message);
        ck_assert_msg(is_good(mask), "%s", good[i][1]);
    }
}

/// Replaces a piece by each of some, between bars, and expects a status.
static void refuse_each(const char *piece, pv_status status, const char *by) {
    char one[96];
    for (size_t size = strcspn(by, "|");; by += size + 1, size = strcspn(by, "|")) {
        pv_error error;
        snprintf(one, sizeof one, "%.*s", (int)size, by);
        ck_assert_msg(!load_json(map_with(piece, one), &error), "%s", one);
        ck_assert_msg(error.status == status, "%s: %s", one, error.message);
        if (!by[size]) break;
    }
}

START_TEST(bad_maps) {
    refuse_each("'orthogonal'", PV_ERROR_UNSUPPORTED, "'isometric'");
    refuse_each("'infinite':false", PV_ERROR_FORMAT, "'infinite':true"); /* no chunks */
    refuse_each("'data':[0,1]", PV_ERROR_UNSUPPORTED,
                "'encoding':'base64','compression':'lz4','data':'AAAA'|'data':[0,9]");
    refuse_each("'@'", PV_ERROR_FILE_OPEN, "'no such.png'");
    refuse_each("'tilewidth':16,'tileheight':16,'columns':1", PV_ERROR_FILE_OPEN,
                "'source':'no such.json'");
    refuse_each("'width':2", PV_ERROR_TOO_LARGE, "'width':2049");
    refuse_each("'tilewidth':16", PV_ERROR_TOO_LARGE, "'tilewidth':32768");
    refuse_each("'orientation':'orthogonal',", PV_ERROR_FORMAT, "");
    refuse_each("'orthogonal'", PV_ERROR_FORMAT, "1");
    refuse_each("'infinite':false", PV_ERROR_FORMAT, "'infinite':0");
    refuse_each("'width':2", PV_ERROR_FORMAT,
                "'width':0|'width':-2|'width':2.5|'width':1e999|'width':'2'|'width':2,'width':2|"
                "'width':3");
    refuse_each("'height':1,", PV_ERROR_FORMAT, "");
    refuse_each("'tileheight':16,", PV_ERROR_FORMAT, "");
    refuse_each("'tilesets'", PV_ERROR_FORMAT, "'tilesats'");
    refuse_each("'layers'", PV_ERROR_FORMAT, "'layars'");
    refuse_each("'firstgid':1", PV_ERROR_FORMAT, "'firstgid':0");
    refuse_each("'firstgid':9", PV_ERROR_FORMAT, "'firstgid':1");
    refuse_each("'columns':1", PV_ERROR_FORMAT, "'columns':0");
    refuse_each("'tilecount':1", PV_ERROR_FORMAT, "'tilecount':2|'tilecount':-1");
    refuse_each("'margin':0", PV_ERROR_FORMAT, "'margin':1|'margin':-1");
    refuse_each("'spacing':0", PV_ERROR_FORMAT, "'spacing':null");
    refuse_each("'image':'@'", PV_ERROR_FORMAT, "'image':1");
    refuse_each("'type':'tilelayer',", PV_ERROR_FORMAT, "");
    refuse_each("'name':'a'", PV_ERROR_FORMAT, "'name':1,'type':1|'offsetx':1e9|'offsety':'1'");
    refuse_each("{'name':'solid','value':true}", PV_ERROR_FORMAT, "{'name':'solid','value':1}");
    refuse_each("[{'name':'solid','value':true}]", PV_ERROR_FORMAT, "{}");
    refuse_each("'data':[0,1]", PV_ERROR_FORMAT,
                "'data':[0]|'data':[0,1,0]|'data':[0,'1']|'data':[0,-1]|'data':[0,1.5]|"
                "'data':[0,2]|'data':[0,13]|'data':[0,268435458]|'data':[0,4294967297]|"
                "'chunks':[0,1]|'encoding':'base64','data':[0,1]|'data':'AAAAAAEAAAA='|"
                "'encoding':'base64','data':'AAAAAAEAAAA'|"
                "'encoding':'base64','data':'AAAAAAEAAAAA'|"
                "'encoding':'base64','data':'AAAAAAEA=AA='|"
                "'encoding':'base64','data':'AAAA*AEAAAA='");
    refuse_each("'imagelayer'}]}", PV_ERROR_FORMAT, "'imagelayer'}]} x");
    refuse_each("'type':'group',", PV_ERROR_FORMAT, "'type':'group','offsetx':40000,");
    refuse_each("'layers':[]", PV_ERROR_FORMAT, "'layers':3");
    refuse_each("{'type':'imagelayer'}", PV_ERROR_FORMAT, "7");
}

/* Tilesets without any tile on the map are not read. Tilesets may come in any order. */
START_TEST(unused_tilesets_do_not_matter) {
    static const char *const unused[] = {"'source':'no such.tsj'", "'source':'a.tsx'", "'image':7",
                                         "'tiles':[]"};
    for (size_t i = 0; i < COUNT_OF(unused); i++)
        for (int first = 0; first < 2; first++) {
            char by[512], piece[] = "'tilesets':[";
            snprintf(by, sizeof by, "'tilesets':[{'firstgid':%d,%s},", first ? 2 : 2000000000,
                     unused[i]);
            pv_error error;
            scoped_mask *mask = load_json(map_with(piece, by), &error);
            ck_assert_msg(mask != NULL, "%s: %s", by, error.message);
            ck_assert(is_good(mask));
        }
}

/// Checks whole messages about maps with a piece replaced; ' stands for ".
START_TEST(sentences_name_layer_and_value) {
    static const char *const cases[][3] = {
        {"'orthogonal'", "'hexagonal'", "'orientation' is 'hexagonal', must be 'orthogonal'"},
        {"[0,1]", "[0,77]", "'data' of layer 'a' has tile 77 of no tileset"},
        {"[0,1]", "[0,9]",
         "'data' of layer 'a' has tile 9, which is of another size, or without a picture"},
        {"'data':[0,1]", "'encoding':'base64','compression':'lz4','data':'AAAA'",
         "'compression' of layer 'a' is unknown"},
        {"'columns':1", "'name':'rocks','columns':-1",
         "'columns' of tileset 'rocks' is -1, must be a whole number from 0 to 32768"},
        {"'name':'a'", "'name':'a','offsetx':1e9",
         "'offsetx' of layer 'a' is 1e+09, must be -32768 to 32768"},
        {"'name':'a'", "'name':'a','offsety':'1'", "'offsety' of layer 'a' is no number"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char sentence[192];
        pv_error error;
        ck_assert_ptr_null(load_json(map_with(cases[i][0], cases[i][1]), &error));
        snprintf(sentence, sizeof sentence, "pv_tilemap_load_mask: %s: %s", scratch(), cases[i][2]);
        ck_assert_str_eq(error.message, json_of(sentence));
    }
}

/// Checks that a message contains a sentence; ' stands for ".
static void check_sentence(const pv_error *error, const char *sentence) {
    ck_assert_msg(strstr(error->message, json_of(sentence)) != NULL, "%s", error->message);
}

/// Libraries that a build may lack
enum { NONE = 0, ZLIB = 1, ZSTD = 2, EXPAT = 4 };

static int libraries(void) {
    int has = NONE;
#ifdef HAVE_ZLIB
    has |= ZLIB;
#endif
#ifdef HAVE_ZSTD
    has |= ZSTD;
#endif
#ifdef HAVE_EXPAT
    has |= EXPAT;
#endif
    return has;
}

/// Checks that another file has the ground of hills.json.
static void check_ground(const char *name, const pv_mask *mask) {
    scoped_mask *ground = plan_of(6, 4, 16);
    draw_layer(ground, hill_sheets, hill_ground, 0, 0);
    /* Infinite maps begin at (-4, -2), and the ground in them at (-3, -1). */
    scoped_mask *wide = pv_mask_crop(ground, (pv_rect){-16, -16, 8 * 16, 6 * 16}, NULL);
    check_same_masks(mask, strstr(name, "infinite") ? wide : ground);
}

/* Each file has the ground of hills.json. */
START_TEST(packed_infinite_and_xml_maps) {
    static const struct {
        const char *name;
        int needs;
    } files[] = {{"hills_zlib.tmj", ZLIB},
                 {"hills_gzip.tmj", ZLIB},
                 {"hills_zstd.tmj", ZSTD},
                 {"hills_infinite.tmj", NONE},
                 {"hills_infinite_zlib.tmj", ZLIB},
                 {"hills_tsx.tmj", EXPAT},
                 {"hills.tmx", EXPAT},
                 {"hills_zlib.tmx", EXPAT | ZLIB},
                 {"hills_infinite.tmx", EXPAT},
                 {"hills_infinite_gzip.tmx", EXPAT | ZLIB}};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char path[64];
        pv_mask_options o = counted();
        pv_error error;
        snprintf(path, sizeof path, "tests/data/%s", files[i].name);
        scoped_mask *mask = pv_tilemap_load_mask(source_path(path), "ground", &o, &error);
        if (files[i].needs & ~libraries()) {
            ck_assert_int_eq(error.status, PV_ERROR_UNSUPPORTED);
            ck_assert(strstr(error.message, "built without") != NULL);
            continue;
        }
        ck_assert_msg(mask != NULL, "%s", error.message);
        check_ground(files[i].name, mask);
    }
}

/* A compressed layer must have exactly the map's tiles. */
START_TEST(damaged_packed_maps) {
    refuse_each("'data':[0,1]", libraries() & ZLIB ? PV_ERROR_FORMAT : PV_ERROR_UNSUPPORTED,
                "'encoding':'base64','compression':'zlib','data':''|"
                "'encoding':'base64','compression':'zlib','data':'AAAA'|"
                "'encoding':'base64','compression':'gzip','data':'eJxjZGBgYAJiZgYIYETDAADoAAs='|"
                "'encoding':'base64','compression':'zlib','data':'eJxjZGBgYAJiZgYIYETDAADoAAs'");
}

/// Expects a refusal of an XML text, and with expat a message.
static void refuse_xml(const char *text, const char *sentence) {
    pv_error error;
    ck_assert_ptr_null(load_bytes(text, strlen(text), &error));
    if (libraries() & EXPAT) check_sentence(&error, sentence);
}

#define MAP "<map orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight='8'>"
#define LAYER "<layer name='a' width='1' height='1'>"

START_TEST(bad_xml_maps) {
    refuse_xml("<", "is not XML from line 1 on");
    refuse_xml("<map>", "is not XML from line 1 on");
    refuse_xml("\n<map></mop>", "is not XML from line 2 on");
    refuse_xml("<svg/>", "is neither a map, tileset or template of Tiled nor a TextureAtlas");
    refuse_xml("<map/>", "'orientation' is missing");
    refuse_xml("<map orientation='isometric'/>", "'orientation' is 'isometric'");
    refuse_xml("<!DOCTYPE map [<!ENTITY a 'b'>]><map/>", "declares an entity");
    refuse_xml(MAP LAYER "<data encoding='csv'>7</data></layer></map>",
               "'data' of layer 'a' has tile 7 of no tileset");
    refuse_xml(MAP LAYER "<data encoding='csv'>0,0</data></layer></map>",
               "'data' of layer 'a' has not as many tiles");
    refuse_xml(MAP LAYER "<data encoding='csv'>x</data></layer></map>",
               "'data' of layer 'a' has not as many tiles");
    refuse_xml(MAP LAYER "<data><tile gid='9'/></data></layer></map>",
               "'data' of layer 'a' has tile 9 of no tileset");
    scoped_memory char *deep = malloc(4 * 100000 + 1);
    for (int i = 0; i < 100000; i++) memcpy(deep + 4 * i, i ? "<g> " : "<map", 4);
    memcpy(deep + 4, ">   ", 4);
    deep[4 * 100000] = '\0';
    refuse_xml(deep, "has elements nested too deeply");
}

/// Maps that are cut off, or have a zero byte in them or after them, are refused.
START_TEST(maps_end_where_they_end) {
    const char *map = json_of(good_map);
    size_t size = strlen(map);
    scoped_memory char *text = calloc(size + 2, 1);
    pv_error error;
    for (size_t end = 0; end < size; end++)
        ck_assert_refused(load_bytes(map, end, &error), error, PV_ERROR_FORMAT);
    for (size_t zero = 0; zero <= size; zero++) {
        memcpy(text, map, size);
        text[size] = ' ';
        text[zero] = '\0';
        ck_assert_refused(load_bytes(text, size + 1, &error), error, PV_ERROR_FORMAT);
    }
}

/* ---- limits ---- */

START_TEST(limits_hold_for_maps) {
    const pv_mask_options plain = pv_mask_options_default();
    pv_mask_options bad[7] = {plain, plain, plain, plain, plain, plain, {0}};
    bad[0].limits.max_width = 95; /* limit below 96 px */
    bad[1].limits.max_height = 63;
    bad[2].limits.max_area = 320 * 160 - 1; /* the ramp */
    bad[3].limits.max_file_size = 100;
    bad[4].alpha_threshold = 256;
    bad[5].region.w = 1;
    for (int i = 0; i < 7; i++) {
        pv_error error = {0};
        ck_assert_refused(
            pv_tilemap_load_mask(source_path("tests/data/hills.json"), NULL, &bad[i], &error),
            error, i < 4 ? PV_ERROR_TOO_LARGE : PV_ERROR_ARGUMENT);
    }
}

/// Returns the status of a map of 2^26 px with a number of layers.
static pv_status status_of_layers(int count) {
    const char *head =
        "{'orientation':'orthogonal','width':1,'height':1,'tilewidth':8192,'tileheight':8192,"
        "'tilesets':[],'layers':[";
    const char *layer = "{'type':'tilelayer','width':1,'height':1,'data':[0]},";
    char *map = malloc(strlen(head) + (size_t)count * strlen(layer) + 2), *end = stpcpy(map, head);
    for (int i = 0; i < count; i++) end = stpcpy(end, layer);
    strcpy(end - 1, "]}");
    pv_error error;
    pv_mask_release(load_json(map, &error));
    free(map);
    return error.status;
}

/// The limit of 32 times 2^26 px is just too small for the map, 31 layers and their tile lists.
START_TEST(layers_are_paid_for) {
    ck_assert_int_eq(status_of_layers(30), PV_OK);
    ck_assert_int_eq(status_of_layers(31), PV_ERROR_TOO_LARGE);
    ck_assert_int_eq(status_of_layers(10000), PV_ERROR_TOO_LARGE);
}

/* ---- objects ---- */

/// Returns an object, except its mask, as a line in static memory.
static const char *line_of(const pv_map_object *o) {
    static char line[512];
    char *to = line;
    to += sprintf(to, "%s/%s/%s %d (%g %g) (%g %g) %gx%g %.10g", o->layer, o->class_name, o->name,
                  (int)o->shape, o->position.x, o->position.y, o->top_left.x, o->top_left.y,
                  o->size.x, o->size.y, o->angle);
    for (int i = 0; i < o->point_count; i++)
        to += sprintf(to, " (%g %g)", o->points[i].x, o->points[i].y);
    for (int i = 0; i < o->property_count; i++)
        to += sprintf(to, " %s=%s:%g", o->properties[i].name, o->properties[i].text,
                      o->properties[i].number);
    return line;
}

/// Compares a list of objects with lines, which end with null.
static void check_lines(const pv_map_objects *list, const char *const *lines) {
    const pv_map_object *o;
    int count = 0;
    for (; lines[count]; count++) {
        ck_assert_ptr_nonnull(o = pv_map_objects_get(list, count));
        ck_assert_str_eq(line_of(o), lines[count]);
        ck_assert_int_eq(o->mask != NULL, o->shape != PV_MAP_POINT && o->shape != PV_MAP_POLYLINE);
    }
    ck_assert_ptr_null(pv_map_objects_get(list, count));
    ck_assert_ptr_null(pv_map_objects_get(list, -1));
}

/// Checks the mask of a tile stretched to twice its width.
static void check_stretched(const pv_mask *mask, int which, uint32_t id, uint32_t flips) {
    scoped_mask *tile = sheet_tile(&hill_sheets[which], id), *plan = plan_of(1, 1, 16);
    put_tile(plan, tile, flips, 0, 0);
    scoped_mask *stretched = pv_mask_scale(plan, 32, 16, NULL);
    check_same_masks(mask, stretched);
}

/// Checks the objects of tests/data/make_maps.py, whose layer is offset by (100, 50).
static void check_objects(const pv_map_objects *list) {
    static const char *const lines[] = {
        "things//start 0 (108 62.5) (0 0) 0x0 0",
        "things/exit/door 1 (120 60) (120 60) 7x12.4 0 coins=:3 hidden=:1 speed=:1.5 text=a \"b\" "
        "c:0",
        "things//turned 1 (140 70) (140 70) 10x4 1.570796327",
        "things//pond 2 (150 54) (150 54) 12x8 0",
        "things//ramp 3 (110 90) (108 90) 0x0 0 (110 90) (118 98) (108 98)",
        "things//path 4 (100 50) (0 0) 0x0 3.141592654 (100 50) (95 50) (95 41)",
        "things/crate/rock 5 (160 114) (160 98) 32x16 0", /* its place is its lower left */
        NULL};
    check_lines(list, lines);
    const pv_mask *door = pv_map_objects_get(list, 1)->mask,
                  *pond = pv_map_objects_get(list, 3)->mask,
                  *ramp = pv_map_objects_get(list, 4)->mask;
    scoped_mask *full = box_mask(7, 12);
    check_same_masks(door, full);
    ck_assert_mask_size(pond, 12, 8);
    for (int i = 0; i < 96; i++) {
        double x = (i % 12 - 5.5) / 6, y = (i / 12 - 3.5) / 4;
        ck_assert_int_eq(pv_mask_get_pixel(pond, i % 12, i / 12), x * x + y * y <= 1);
    }
    for (int i = 0; i < 80; i++) { /* from x = -2 on */
        double x = i % 10 - 1.5, y = i / 10 + 0.5;
        ck_assert_int_eq(pv_mask_get_pixel(ramp, i % 10, i / 10), x < y && x >= -y / 4);
    }
    check_stretched(pv_map_objects_get(list, 6)->mask, 0, 1, X);
}

START_TEST(objects_of_every_shape) {
    const char *const files[] = {"hills_objects.tmj", "hills_objects.tmx"};
    for (int i = 0; i < (libraries() & EXPAT ? 2 : 1); i++) {
        char path[64];
        pv_error error = {0};
        snprintf(path, sizeof path, "tests/data/%s", files[i]);
        scoped_objects *list = load_objects(path, i ? "things" : NULL);
        check_objects(list);
        ck_assert_refused(pv_map_objects_load(source_path(path), "ground", NULL, &error), error,
                          PV_ERROR_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(error.message, "layer ground is no object layer of "));
    }
}

/* A rectangle is turned about its upper left corner, as in Tiled. */
START_TEST(objects_become_bodies_in_their_place) {
    pv_map_objects *list = load_objects("tests/data/hills_objects.tmj", NULL);
    const pv_map_object *turned = pv_map_objects_get(list, 2);
    scoped_world *world = pv_world_create(NULL, NULL);
    pv_body_def def = pv_body_def_at(PV_BODY_STATIC, turned->mask, 0, 0);
    def.angle = turned->angle;
    pv_body_def_set_top_left(&def, turned->top_left);
    pv_body_id body = pv_body_create(world, &def, NULL);
    pv_map_objects_destroy(list); /* The body keeps its mask. */
    for (int y = 60; y < 90; y++)
        for (int x = 125; x < 155; x++)
            ck_assert_int_eq(pv_body_test_point(world, body, (pv_vec2){x + 0.5, y + 0.5}),
                             x >= 136 && x < 140 && y >= 70 && y < 80);
}

/// Loads the objects of a map with a single object that has some members.
static pv_map_objects *load_object(const char *members, const pv_mask_options *options,
                                   pv_error *error) {
    char layer[640];
    pv_mask_options o = options ? *options : counted();
    snprintf(layer, sizeof layer, "{'type':'objectgroup','name':'o','objects':[{%s}]}", members);
    write_json(scratch(), map_with("{'type':'imagelayer'}", layer));
    pv_map_objects *list = pv_map_objects_load(scratch(), NULL, &o, error);
    remove(scratch());
    ck_assert_int_eq(list == NULL, error->status != PV_OK);
    return list;
}

START_TEST(bad_objects_are_told_by_name_and_value) {
    static const char *const cases[][2] = {
        {"'x':1e9", "'x' of object 'n' is 1e+09, must be -16777216 to 16777216"},
        {"'width':-1", "'width' of object 'n' is -1, must be 0 to 16777216"},
        {"'width':40000,'height':1", "'width' of object 'n' is 40000, must be at most 32768"},
        {"'width':'1'", "'width' of object 'n' is no number"},
        {"'rotation':1e7", "'rotation' of object 'n' is 10000000, must be -1000000 to 1000000"},
        {"'gid':2", "'gid' of object 'n' has tile 2 of no tileset"},
        {"'gid':0", "'gid' of object 'n' is 0, must be a whole number from 1 to 4.2949673e+09"},
        {"'gid':2147483648", "'gid' of object 'n' has tile 0 of no tileset"},
        {"'polygon':[]", "'polygon' of object 'n' has 0 points, must be an array of 1 to 65536"},
        {"'polygon':[{'x':1}]", "'polygon' of object 'n' has a point without x or y"},
        {"'polyline':[{'x':1,'y':[]}]", "'y' of object 'n' is no number"},
        {"'polygon':[{'x':0,'y':0},{'x':90000,'y':0},{'x':0,'y':9}]",
         "'polygon' of object 'n' is 90001, must be at most 32768"},
        {"'properties':{}", "'properties' of object 'n' is no array"},
        {"'ellipse':1", "'ellipse' of object 'n' is neither true nor false"},
        {"'capsule':1", "'capsule' of object 'n' is neither true nor false"},
        {"'template':1", "'template' of object 'n' is no text"},
        {"'template':'none.tx'", "cannot open none.tx"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char members[256];
        pv_error error;
        snprintf(members, sizeof members, "'name':'n',%s", cases[i][0]);
        ck_assert_ptr_null(load_object(members, NULL, &error));
        check_sentence(&error, cases[i][1]);
    }
}

/// Checks that a mask is a capsule: the pixels near a segment in its middle.
static void check_capsule(const pv_mask *mask, int w, int h) {
    double radius = fmin(w, h) / 2, along = fmax(w, h) / 2 - radius;
    ck_assert_mask_size(mask, w, h);
    for (int i = 0; i < w * h; i++) {
        double x = fabs(i % w + 0.5 - w / 2.0), y = fabs(i / w + 0.5 - h / 2.0);
        double beyond = fmax(0, fmax(x, y) - along), beside = fmin(x, y);
        if ((w > h) != (x > y)) beyond = fmax(0, (w > h ? x : y) - along), beside = w > h ? y : x;
        ck_assert_int_eq(pv_mask_get_pixel(mask, i % w, i / w),
                         beyond * beyond + beside * beside <= radius * radius);
    }
}

/// Checks the instances of tests/data/make_maps.py, whose layer is offset by (100, 50).
static void check_instances(const pv_map_objects *list) {
    static const char *const lines[] = {
        "things/crate/rock 5 (160 114) (160 98) 32x16 0 hardness=:3 kind=stone:0",
        "things/stone/pebble 5 (110 90) (110 74) 16x16 0 hardness=:5 wet=:1 kind=stone:0",
        "things//pill 6 (130 60) (130 60) 20x8 0",
        "things//egg 2 (130 80) (130 80) 20x8 1.570796327",
        "things//post 6 (104 56) (104 56) 7x15 0",
        NULL};
    check_lines(list, lines);
    check_stretched(pv_map_objects_get(list, 0)->mask, 1, 141, 0);
    check_capsule(pv_map_objects_get(list, 2)->mask, 20, 8);
    check_capsule(pv_map_objects_get(list, 4)->mask, 7, 15);
}

START_TEST_FOR(templates_and_capsules, i, 2) {
    const char *const files[] = {"hills_templates.tmj", "hills_templates.tmx"};
    char path[64];
    snprintf(path, sizeof path, "tests/data/%s", files[i]);
    if (!(libraries() & EXPAT)) {
        ck_assert_ptr_null(pv_map_objects_load(source_path(path), NULL, NULL, NULL));
        return;
    }
    scoped_objects *list = load_objects(path, NULL);
    check_instances(list);
}

#define TEMPLATE "test_tilemap.tj"

START_TEST(bad_templates_are_told) {
    static const char *const cases[][2] = {
        {"[]", TEMPLATE ": 'object' of object 'n' is not in an object"},
        {"{}", TEMPLATE ": 'object' of object 'n' is missing"},
        {"{'object':{'width':'1'}}", "'width' of object 'n' is no number"},
        {"{'object':{'properties':3}}", "'properties' of object 'n' is no array"},
        {"{'object':{'x':1,'y':2,'name':1}}", "'name'"},
        {"{'object':{'gid':1}}", "'tileset' of object 'n' is missing"},
        {"{'object':{'gid':1},'tileset':{'firstgid':2}}",
         "'gid' of object 'n' has tile 1 of no tileset"},
        {"{'object':{'gid':268435455},'tileset':{'firstgid':1}}",
         "'gid' of object 'n' has tile 268435455 of no tileset"},
        {"{'object':{'gid':1},'tileset':{'firstgid':1,'source':'none.tsj'}}",
         "cannot open none.tsj"},
        {"{'object':{'gid':2},'tileset':{'firstgid':1,'tilecount':1,'tilewidth':1,'tileheight':1,'"
         "columns':0}}",
         "'gid' of object 'n' has tile "},
        {"{", TEMPLATE " is cut off: its JSON ends too early"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        pv_error error;
        write_json(TEMPLATE, cases[i][0]);
        ck_assert_ptr_null(load_object(i == 4 ? "'template':'" TEMPLATE "'"
                                              : "'name':'n','template':'" TEMPLATE "'",
                                       NULL, &error));
        check_sentence(&error, cases[i][1]);
    }
    remove(TEMPLATE);
}

/// Returns the status of a map with up to twelve instances of one template.
static pv_status status_of_instances(int count) {
    char members[512] = "";
    pv_error error;
    pv_mask_options o = WITH(pv_mask_options_default(), it.limits.max_area = 1 << 12);
    for (int i = 0; i < count; i++)
        strcat(members, i ? "},{'template':'" TEMPLATE "'" : "'template':'" TEMPLATE "'");
    pv_map_objects_destroy(load_object(members, &o, &error));
    return error.status;
}

/* Lists that instances inherit from a template count against the limits. */
START_TEST(inherited_lists_are_paid_for) {
    static const char *const lists[] = {"properties", "polyline"};
    for (int i = 0; i < 2; i++) {
        char text[4096];
        int end = snprintf(text, 64, "{'object':{'%s':[{'x':0,'y':0}", lists[i]);
        for (int k = 1; k < 100; k++) end += snprintf(text + end, 32, ",{'x':%d,'y':1}", k);
        snprintf(text + end, 8, "]}}");
        write_json(TEMPLATE, text);
        ck_assert_int_eq(status_of_instances(4), PV_OK);
        ck_assert_int_eq(status_of_instances(12), PV_ERROR_TOO_LARGE);
    }
    remove(TEMPLATE);
}

/// Returns the status of a map whose objects each name the template in another way.
static pv_status status_of_templates(int count) {
    char *map = malloc(100000), *end = map;
    pv_error error;
    end =
        stpcpy(end, "{'orientation':'orthogonal','width':1,'height':1,'tilewidth':1,'tileheight':1,"
                    "'tilesets':[],'layers':[{'type':'objectgroup','name':'o','objects':[");
    for (int i = 0; i < count; i++) {
        end = stpcpy(end, i ? ",{'template':'" : "{'template':'");
        for (int bit = 1; bit <= 1024; bit *= 2) end = stpcpy(end, i & bit ? ".//" : "./");
        end = stpcpy(end, TEMPLATE "'}");
    }
    strcpy(end, "]}]}");
    write_json(scratch(), map);
    free(map);
    scoped_objects *list = pv_map_objects_load(scratch(), NULL, NULL, &error);
    ck_assert_int_eq(pv_map_objects_get(list, count - 1) != NULL, error.status == PV_OK);
    remove(scratch());
    return error.status;
}

START_TEST(templates_are_counted) {
    write_json(TEMPLATE, "{'object':{}}");
    ck_assert_int_eq(status_of_templates(1024), PV_OK);
    ck_assert_int_eq(status_of_templates(1025), PV_ERROR_TOO_LARGE);
    remove(TEMPLATE);
}

/* Shapes without pixels have no mask. */
START_TEST(objects_without_pixels_and_anchors) {
    pv_error error;
    scoped_objects *list = load_object("'width':0.4,'height':9", NULL, &error);
    ck_assert(pv_map_objects_get(list, 0)->shape == PV_MAP_RECTANGLE);
    ck_assert_ptr_null(pv_map_objects_get(list, 0)->mask);
    pv_map_objects_destroy(list);
    list = load_object("'polygon':[{'x':0,'y':0},{'x':4,'y':4}]", NULL, &error);
    ck_assert_ptr_null(pv_map_objects_get(list, 0)->mask);
}

/// Writes a map with a collection of pictures, inside or in a file. Tile 12 is part of a picture.
static void write_collection(const char *file, uint32_t a, uint32_t b) {
    char map[1024];
    const char *set = "'name':'things','tilewidth':16,'tileheight':16,'columns':0,'tilecount':2,"
                      "'tiles':[{'id':1,'image':'@'},{'id':3,'image':'@','x':4,'y':2,'width':8,"
                      "'height':7},{'id':2}]}";
    snprintf(map, sizeof map, "{%s", set);
    if (file) write_json(file, map);
    int end = snprintf(map, sizeof map,
                       "{'orientation':'orthogonal','width':2,'height':1,"
                       "'tilewidth':16,'tileheight':16,'tilesets':[{'firstgid':9,");
    end +=
        file ? snprintf(map + end, 200, "'source':'%s'},{'firstgid':12,'source':'none.tsj'}", file)
             : snprintf(map + end, 400, "%s", set);
    snprintf(map + end, 400,
             "],'layers':[{'type':'tilelayer','name':'a','width':2,'height':1,'data':[%lu,%lu]},"
             "{'type':'objectgroup','name':'o','objects':[{'gid':12,'width':8,'height':7,'x':5,"
             "'y':9}]}]}",
             (unsigned long)a, (unsigned long)b);
    write_json(scratch(), map);
}

START_TEST(collections_of_pictures) {
    pv_error error;
    scoped_mask *tile = pv_mask_load(source_path("sprites/tile.png"), NULL, NULL);
    scoped_mask *part = pv_mask_crop(tile, (pv_rect){4, 2, 8, 7}, NULL);
    write_collection(NULL, 10, 10 | X);
    scoped_mask *mask = pv_tilemap_load_mask(scratch(), NULL, NULL, &error);
    ck_assert_msg(mask != NULL, "%s", error.message);
    scoped_mask *plan = plan_of(2, 1, 16);
    put_tile(plan, tile, 0, 0, 0);
    put_tile(plan, tile, X, 16, 0);
    check_same_masks(mask, plan);
    scoped_objects *list = pv_map_objects_load(scratch(), NULL, NULL, &error);
    ck_assert_msg(list != NULL, "%s", error.message);
    ck_assert_vec_eq_tol(pv_map_objects_get(list, 0)->top_left, 5, 2, 1e-9);
    check_same_masks(pv_map_objects_get(list, 0)->mask, part);
    write_collection(NULL, 10, 12); /* not of the map's size */
    ck_assert_refused(pv_tilemap_load_mask(scratch(), NULL, NULL, &error), error,
                      PV_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "\"a\" has tile 12, which is of another size"));
    write_collection(NULL, 10, 11); /* without a picture */
    ck_assert_refused(pv_tilemap_load_mask(scratch(), NULL, NULL, &error), error, PV_ERROR_FORMAT);
    remove(scratch());
}

START_TEST(collections_in_xml) {
    char text[2048];
    pv_error error;
    scoped_mask *tile = pv_mask_load(source_path("sprites/tile.png"), NULL, NULL);
    snprintf(
        text, sizeof text,
        "<map orientation='orthogonal' width='1' height='1' tilewidth='16' tileheight='16'>"
        "<tileset firstgid='9' name='t' tilewidth='16' tileheight='16' tilecount='1' columns='0'>"
        "<tile id='1' type='rock'><properties><property name='a' value='b'/></properties>"
        "<image width='16' height='16' source='%s'/><objectgroup><object id='1' x='1' y='1'/>"
        "</objectgroup></tile></tileset><layer id='1' name='a' width='1' height='1'>"
        "<data encoding='csv'>10</data></layer></map>",
        source_path("sprites/tile.png"));
    scoped_mask *mask = load_bytes(text, strlen(text), &error);
    if (!(libraries() & EXPAT)) return;
    ck_assert_msg(mask != NULL, "%s", error.message);
    check_same_masks(mask, tile);
}

/* Tile 12 belongs to the next tileset, whose file is missing. */
START_TEST(collections_in_files_of_their_own) {
    char file[80];
    snprintf(file, sizeof file, "set-%s", scratch());
    for (long fail_at = 1;; fail_at++) {
        pv_mask_options o = counted();
        pv_error error = {0};
        write_collection(file, 10, 10);
        book.calls = 0, book.fail_at = fail_at;
        scoped_mask *mask = pv_tilemap_load_mask(scratch(), NULL, &o, &error);
        ck_assert_int_eq(error.status, mask ? PV_OK : PV_ERROR_MEMORY);
        ck_assert_refused(pv_map_objects_load(scratch(), NULL, NULL, &error), error,
                          PV_ERROR_FILE_OPEN);
        if (mask) break;
    }
    remove(file);
    remove(scratch());
}

/// Loads files with a few bytes changed, which may only give a status.
static void damage(const char *good, size_t size) {
    static char text[16384];
    ck_assert_uint_lt(size, sizeof text);
    for (int n = 0; n < 1500; n++) {
        pv_mask_options o = counted();
        pv_error error;
        memcpy(text, good, size);
        for (int k = any_int(1, 3); k > 0; k--)
            text[any_int(0, (int)size - 1)] =
                (char)(any_int(0, 1) ? any_int('0', '9') : any_int(0, 255));
        o.limits.max_area = 1 << 16;
        write_file(scratch(), text, size);
        pv_mask_release(load_written(&o, &error));
        write_file(scratch(), text, size);
        scoped_objects *list = pv_map_objects_load(scratch(), NULL, &o, &error);
        ck_assert_int_eq(list == NULL, error.status != PV_OK);
    }
    remove(scratch());
}

START_TEST(damaged_files) {
    static const char *const files[] = {"hills_objects.tmj", "hills_objects.tmx", "cave.ldtk"};
    for (int i = 0; i < 3; i++) {
        char good[16384], path[64];
        snprintf(path, sizeof path, "tests/data/%s", files[i]);
        FILE *file = fopen(source_path(path), "rb");
        size_t size = fread(good, 1, sizeof good, file);
        fclose(file);
        damage(good, size);
    }
    scoped_memory char *map = strdup(json_of(good_map));
    damage(map, strlen(map));
}

/* ---- LDtk ---- */

#define CAVE "tests/data/cave.ldtk"

/// Checks a mask against rows of 8 x 8 px, and one more square of 8 px.
static void check_cells(const char *layer, const char *const *rows, int extra_x, int extra_y) {
    scoped_mask *mask = load_map(CAVE, layer);
    int h = 0, w = (int)strlen(rows[0]) * 8;
    while (rows[h]) h++;
    ck_assert_mask_size(mask, w, h * 8);
    for (int y = 0; y < h * 8; y++)
        for (int x = 0; x < w; x++) {
            bool extra = x >= extra_x && x < extra_x + 8 && y >= extra_y && y < extra_y + 8;
            ck_assert_msg(pv_mask_get_pixel(mask, x, y) == (rows[y / 8][x / 8] == '#' || extra),
                          "(%d, %d)", x, y);
        }
}

/* Levels keep their places: the hall is 32 px to the right of the cave, and 16 px lower. */
START_TEST(ldtk_grids_are_solid) {
    check_cells(NULL, (const char *[]){"####..", "#..#..", "...#.#", "......", NULL}, 11, 6);
    check_cells("Cave", (const char *[]){"####", "#..#", "...#", NULL}, 11, 6);
    check_cells("Cave/Walls", (const char *[]){"####", "#..#", "...#", NULL}, 99, 99);
    check_cells("Cave/Water", (const char *[]){"....", "....", "....", NULL}, 11, 6);
    check_cells("Hall", (const char *[]){".#", "..", NULL}, 99, 99);
}

/// Draws an LDtk tile into a plan.
static void put_cell(pv_mask *plan, int x, int y, int column, int row, uint32_t flips) {
    scoped_mask *tile = sheet_tile(&hill_sheets[0], 1 + (uint32_t)(17 * row + column));
    put_tile(plan, tile, flips, x, y);
}

/* Without integer layers, all tiles are solid. Beside such a layer, only those of a layer that is
 * named are. Bits 0 and 1 of a tile flip it. */
START_TEST(ldtk_tiles_are_solid) {
    static const uint32_t flips[] = {0, X, Y, X | Y};
    scoped_mask *moss = plan_of(4, 2, 16), *front = plan_of(4, 2, 16), *back = plan_of(4, 3, 8);
    put_cell(moss, 50, 15, 0, 0, 0);
    put_cell(moss, -6, 23, 0, 1, X | Y);
    for (int i = 0; i < 4; i++) put_cell(front, 16 * i, 0, 1 + i, 2 * i, flips[i]);
    put_cell(front, 0, 16, 5, 0, 0);
    put_cell(front, 0, 16, 5, 1, X);
    put_cell(back, 8, 8, 1, 1, 0);
    check_map("tests/data/grove.ldtk", "Grove/Moss", moss);
    check_map("tests/data/grove.ldtk", "Grove/Front", front);
    pv_mask_combine(front, moss, 0, 0, PV_COMBINE_OR);
    check_map("tests/data/grove.ldtk", NULL, front);
    check_map(CAVE, "Cave/Back", back);
}

START_TEST(ldtk_entities_are_listed) {
    static const char *const all[] = {
        "Things/Hero/id-1 1 (12 16) (9 6) 6x10 0 lives=:3 title=the \"first\":0 armed=:1 home=:0",
        "Things/Door/id-2 1 (24 0) (24 0) 8x8 0", "Things/Door/id-3 1 (36 20) (36 20) 2x2 0", NULL};
    static const char *const hall[] = {"Things/Door/id-3 1 (4 4) (4 4) 2x2 0", NULL};
    pv_error error = {0};
    pv_map_objects *list = load_objects(CAVE, NULL);
    check_lines(list, all);
    for (int i = 0; i < 3; i++) {
        const pv_map_object *o = pv_map_objects_get(list, i);
        ck_assert_mask_size(o->mask, (int)o->size.x, (int)o->size.y);
    }
    pv_map_objects_destroy(list);
    list = load_objects(CAVE, "Hall/Things");
    check_lines(list, hall);
    pv_map_objects_destroy(list);
    const char *const none[] = {"Hal", "Hall/Walls", "Hall/", "Cave/Things/", ""};
    for (int i = 0; i < 5; i++) {
        ck_assert_refused(pv_map_objects_load(source_path(CAVE), none[i], NULL, &error), error,
                          PV_ERROR_ARGUMENT);
        ck_assert_str_eq(error.field, "layer");
    }
}

#define LDTK(level)                                                                                \
    "{'jsonVersion':'1.5.3','levels':[{'identifier':'L','worldX':0,'worldY':0," level "}]}"
#define GRID "'__identifier':'G','__type':'IntGrid','__cWid':1,'__gridSize':8,'__pxTotalOffsetX':0,"
#define SIZE "'pxWid':8,'pxHei':8,"
#define TILES(set, tile)                                                                           \
    "{'jsonVersion':1,'defs':{'tilesets':[" set "]},'levels':[{'identifier':'L','worldX':0,"       \
    "'worldY':0," SIZE "'layerInstances':[{'__identifier':'G','__type':'Tiles',"                   \
    "'__tilesetDefUid':3,'__pxTotalOffsetX':0,'__pxTotalOffsetY':0,'gridTiles':[" tile "]}]}]}"

START_TEST(bad_ldtk_projects_are_told) {
    static const char *const cases[][2] = {
        {"{'jsonVersion':1,'levels':3}", "'levels' is no array"},
        {"{'jsonVersion':1,'levels':[],'worlds':[{}]}", "'worlds' are 1, must be none"},
        {LDTK("'pxWid':0"), "'pxWid' of level 'L' is 0, must be a whole number from 1 to 32768"},
        {LDTK(SIZE "'layerInstances':3"), "'layerInstances' of level 'L' is no array"},
        {LDTK(SIZE "'layerInstances':null"), "'layerInstances' of level 'L' is no array"},
        {LDTK(SIZE "'layerInstances':null,'externalRelPath':'none.ldtkl'"),
         "cannot open none.ldtkl"},
        {LDTK(SIZE "'layerInstances':[{}]"), "has a layer without name or type"},
        {LDTK(SIZE "'layerInstances':[{" GRID "'__cHei':2,'__pxTotalOffsetY':0,'intGridCsv':[1]}]"),
         "'intGridCsv' of layer 'G' has 1 cells, must have 1 x 2"},
        {LDTK(SIZE "'layerInstances':[{" GRID
                   "'__cHei':1,'__pxTotalOffsetY':0,'intGridCsv':[-1]}]"),
         "'intGridCsv' of layer 'G' is -1, must be a whole number from 0 to"},
        {LDTK(SIZE "'layerInstances':[{" GRID "'__cHei':1,'__pxTotalOffsetY':0}]"),
         "'intGridCsv' of layer 'G' is missing"},
        {TILES("", "{}"), "'__tilesetDefUid' of layer 'G' is 3, which is no tileset"},
        {TILES("{'uid':3,'tileGridSize':0}", "{}"),
         "'tileGridSize' of layer 'G' is 0, must be a whole number from 1 to 32768"},
        {TILES("{'uid':3,'tileGridSize':8,'relPath':null}", "{}"),
         "'relPath' of layer 'G' is missing: only tiles from a picture"},
        {TILES("{'uid':3,'tileGridSize':8,'relPath':'none.png'}", "{}"), "cannot open none.png"},
        {"{'jsonVersion':1,'worldLayout':'LinearHorizontal','levels':[{'identifier':'a','worldX':-"
         "1,'worldY':-1,'pxWid':8,'pxHei':8},{'identifier':'b','worldX':-1,'worldY':-1,'pxWid':8,'"
         "pxHei':8}]}",
         "'worldLayout' is 'LinearHorizontal', whose levels have no place: name one"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        pv_error error;
        ck_assert_ptr_null(load_json(cases[i][0], &error));
        check_sentence(&error, cases[i][1]);
    }
}

RUN_TESTS_IN("tilemap", NULL, all_is_back, 1)

#else

START_TEST(unsupported) {
    pv_error error;
    ck_assert_refused(pv_tilemap_load_mask("no such.json", NULL, NULL, &error), error,
                      PV_ERROR_UNSUPPORTED);
}

RUN_TESTS("tilemap")

#endif
