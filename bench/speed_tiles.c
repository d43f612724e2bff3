/* speed_tiles.c - terrain in tiles of 1024 px, added and removed while things stand on it.
 *
 * Invariant: a frame changes at most one tile. Things on a removed tile are disabled.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_land.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TILE = 1024,
    /// Tiles of the world along the surface, and tiles around the camera
    TILES = 24,
    WINDOW = 8,
    CRATES = 20,
    CRATE = 24,
    WALKERS = 60,
    /// Frames from one change to the next, and until the crates rest
    PAUSE = 6,
    SETTLING = 120,
    MOST_CHANGES = 4 * TILES
};

static const double PI = 3.14159265358979323846;

/// Speed of walkers [px/s], and greatest drift of a crate at rest [px]
static const double WALK = 60, MOST_DRIFT = 1.5;

/// Sources of an added tile: an image, a mask new to all worlds, a mask that another world has had,
/// as from a loader, or one that the same world has had
typedef enum source { FROM_IMAGE, FROM_MASK, FROM_LOADER, FROM_KNOWN, SOURCES } source;

/// Terrain with the things on it
typedef struct strip {
    pv_world *world;
    /// Masks and images by tile; a body is null while its tile is removed
    pv_mask *masks[TILES];
    uint32_t *images[TILES];
    pv_body_id tiles[TILES], crates[TILES * CRATES], walkers[WALKERS];
    /// Places of the crates when they were at rest
    pv_vec2 rest[TILES * CRATES];
    outline crate, walker;
    source from;
    int steps;
    /// Times of adding, of removing, of frames with either, and of other frames [ms]
    double in[MOST_CHANGES], out[MOST_CHANGES], changed[2 * MOST_CHANGES],
        usual[MOST_CHANGES * 2 * PAUSE];
    int in_count, out_count, changed_count, usual_count;
} strip;

/* ---- Tiles ---- */

/// Returns the height of the ground in a tile's column, seamless from tile to tile [px].
static int ground_at(int x) { return 300 + (int)(50 * sin(2 * PI * x / TILE)); }

/// Returns the surface at a place of the world [px].
static double surface_at(double x) { return ground_at((int)(x - TILE * floor(x / TILE))); }

/// Tells whether a pixel of a tile is rock: below the ground, and in no cave.
static bool is_rock(int tile, int x, int y) {
    bool cave = y > 380 && y < TILE - 40 && x > 20 && x < TILE - 20 &&
                sin(0.031 * x + tile) + sin(0.047 * y + 2 * tile) + 0.4 * sin(0.21 * (x + y)) > 1.1;
    return y >= ground_at(x) && !cave;
}

static void draw_tile(strip *s, int tile) {
    uint32_t *image = malloc(sizeof *image * TILE * TILE);
    require(image != NULL, "no memory");
    for (int i = 0; i < TILE * TILE; i++)
        image[i] = is_rock(tile, i % TILE, i / TILE) ? 0xff406080 : 0;
    s->images[tile] = image;
}

static pv_mask *read_tile(const strip *s, int tile) {
    pv_mask *m = pv_mask_from_rgba(s->images[tile], TILE, TILE, 4 * TILE, NULL, NULL);
    require(m != NULL, "no memory");
    return m;
}

/// Creates a tile's body, with the picture's corner at its place.
static pv_body_id put_tile(pv_world *world, const strip *s, int tile) {
    pv_vec2 centroid = pv_mask_compute_mass(s->masks[tile]).centroid;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.mask = s->masks[tile];
    def.position = (pv_vec2){TILE * tile + centroid.x, centroid.y};
    pv_body_id b = pv_body_create(world, &def, NULL);
    require(pv_body_is_valid(world, b), "a tile cannot be created");
    return b;
}

/// Builds the shape of a tile's mask in a separate world.
static void load_tile(const strip *s, int tile) {
    pv_world *w = open_world(true);
    put_tile(w, s, tile);
    pv_world_destroy(w);
}

static void enable_crates(const strip *s, int tile, bool enabled) {
    for (int i = 0; i < CRATES; i++)
        pv_body_set_enabled(s->world, s->crates[tile * CRATES + i], enabled);
}

static double tile_in(strip *s, int tile) {
    if (s->from != FROM_KNOWN) {
        pv_mask_release(s->masks[tile]);
        s->masks[tile] = NULL;
    }
    if (s->from == FROM_MASK || s->from == FROM_LOADER) s->masks[tile] = read_tile(s, tile);
    if (s->from == FROM_LOADER) load_tile(s, tile);
    double start = processor_time();
    if (s->from == FROM_IMAGE) s->masks[tile] = read_tile(s, tile);
    s->tiles[tile] = put_tile(s->world, s, tile);
    enable_crates(s, tile, true);
    return processor_time() - start;
}

static double tile_out(strip *s, int tile) {
    double start = processor_time();
    enable_crates(s, tile, false);
    require(pv_body_destroy(s->world, s->tiles[tile]) == PV_OK, "a tile cannot be destroyed");
    s->tiles[tile] = pv_null_body;
    return processor_time() - start;
}

/* ---- Things ---- */

static void put_crates(strip *s, int tile) {
    for (int i = 0; i < CRATES; i++) {
        double x = TILE * (tile + (i + 0.5) / CRATES);
        s->crates[tile * CRATES + i] =
            put(s->world, PV_BODY_DYNAMIC, &s->crate, x, surface_at(x) - CRATE, 0);
    }
}

/// Creates walkers over the middle tiles, which stay. They walk through the crates.
static void put_walkers(strip *s) {
    for (int i = 0; i < WALKERS; i++) {
        double x = TILE * (0.5 * (TILES - 1) + i / (double)WALKERS);
        pv_body_id b = put(s->world, PV_BODY_DYNAMIC, &s->walker, x, surface_at(x) - 80, 0);
        pv_body_set_motion_locks(s->world, b, PV_LOCK_ROTATION);
        pv_body_set_filter(s->world, b, (pv_filter){2, 1, 0});
        s->walkers[i] = b;
    }
    for (int i = 0; i < TILES * CRATES; i++)
        pv_body_set_filter(s->world, s->crates[i], (pv_filter){4, 1 | 4, 0});
}

/// Walks to and fro about the middle of the world.
static void walk(const strip *s) {
    for (int i = 0; i < WALKERS; i++) {
        pv_vec2 v = pv_body_get_velocity(s->world, s->walkers[i]);
        v.x = (s->steps / 120 + i) % 2 ? WALK : -WALK;
        pv_body_set_velocity(s->world, s->walkers[i], v);
    }
}

static double frame(strip *s) {
    walk(s);
    double start = processor_time();
    require(pv_world_step(s->world, STEP) == PV_OK, "a step failed");
    s->steps++;
    return 1e3 * (processor_time() - start);
}

static strip *strip_open(source from) {
    strip *s = calloc(1, sizeof *s);
    require(s != NULL, "no memory");
    s->from = from;
    s->world = open_world(true);
    s->crate = outline_box(CRATE, CRATE);
    s->walker = outline_box(16, 40);
    for (int i = 0; i < TILES; i++) {
        draw_tile(s, i);
        s->masks[i] = read_tile(s, i);
        s->tiles[i] = put_tile(s->world, s, i);
        put_crates(s, i);
    }
    put_walkers(s);
    for (int i = 0; i < SETTLING; i++) frame(s);
    for (int i = 0; i < TILES * CRATES; i++)
        s->rest[i] = pv_body_get_position(s->world, s->crates[i]);
    return s;
}

/// Ends the program if a crate has left its place, or a walker the ground.
static void check_strip(const strip *s) {
    int moved = 0, sunk = 0;
    for (int i = 0; i < TILES * CRATES; i++) {
        pv_vec2 at = pv_body_get_position(s->world, s->crates[i]), was = s->rest[i];
        moved += hypot(at.x - was.x, at.y - was.y) > MOST_DRIFT;
    }
    for (int i = 0; i < WALKERS; i++) {
        pv_vec2 at = pv_body_get_position(s->world, s->walkers[i]);
        sunk += at.y > surface_at(at.x) || at.x < TILE || at.x > (TILES - 1) * TILE;
    }
    if (moved + sunk > 0) fprintf(stderr, "speed: %d crates, %d walkers\n", moved, sunk);
    require(moved + sunk == 0, "things on tiles have moved or fallen");
}

static void strip_close(strip *s) {
    pv_world_destroy(s->world);
    for (int i = 0; i < TILES; i++) {
        pv_mask_release(s->masks[i]);
        free(s->images[i]);
    }
    outline_free(&s->crate);
    outline_free(&s->walker);
    free(s);
}

/* ---- The camera ---- */

/// Adds or removes a tile if needed, and measures the frames until the next change.
static void change_tile(strip *s, int tile, bool in) {
    if (pv_body_is_valid(s->world, s->tiles[tile]) == in) return;
    double time = 1e3 * (in ? tile_in(s, tile) : tile_out(s, tile));
    if (in)
        s->in[s->in_count++] = time;
    else
        s->out[s->out_count++] = time;
    s->changed[s->changed_count++] = time + frame(s);
    for (int i = 1; i < PAUSE; i++) s->usual[s->usual_count++] = frame(s);
}

/// Removes all tiles from the ends to the camera's window, and adds them again.
static void breathe(strip *s) {
    for (int i = 0; i < (TILES - WINDOW) / 2; i++) {
        change_tile(s, i, false);
        change_tile(s, TILES - 1 - i, false);
    }
    for (int i = (TILES - WINDOW) / 2 - 1; i >= 0; i--) {
        change_tile(s, i, true);
        change_tile(s, TILES - 1 - i, true);
    }
}

static double greatest(const double *values, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, values[i]);
    return most;
}

static void report_times(const char *name, double *times, int count) {
    char text[80];
    snprintf(text, sizeof text, "%s_worst", name);
    report(&(row){.name = name, .unit = "ms", .value = median(times, count)});
    report(&(row){.name = text, .unit = "ms", .value = greatest(times, count), .goal = 2});
}

static void measure_source(const char *name, source from) {
    strip *s = strip_open(from);
    breathe(s);
    breathe(s);
    for (int i = 0; i < SETTLING; i++) frame(s);
    check_strip(s);
    report_times(name, s->in, s->in_count);
    if (from == FROM_KNOWN) {
        double usual = median(s->usual, s->usual_count);
        report_times("tile_out", s->out, s->out_count);
        report(&(row){.name = "tile_frame", .unit = "ms", .value = usual});
        report(&(row){.name = "tile_frame_spike",
                      .unit = "ms",
                      .value = greatest(s->changed, s->changed_count) - usual,
                      .goal = 2});
    }
    strip_close(s);
}

void speed_tiles(void) {
    if (!wanted("tile")) return;
    const char *names[SOURCES] = {"tile_from_rgba", "tile_from_mask", "tile_from_loader",
                                  "tile_known"};
    for (int i = 0; i < SOURCES; i++) measure_source(names[i], (source)i);
}
