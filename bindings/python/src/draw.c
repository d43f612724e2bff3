/* draw.c - draws a world on a pygame.Surface: the remaining pixels of each body's picture.
 *
 * Invariant: a body shows exactly the pixels of its mask; a part shows its piece of the picture.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "surface.h"
#include "values.h"

#include <stdlib.h>

/* ---- Pictures ---- */

static pv_image *copy_surface(const pvpy_surface *s) {
    pv_error error;
    uint32_t palette[256], row[256];
    if (!pvpy_surface_palette(s, palette)) return NULL;
    pv_image *image = pv_image_create(s->w, s->h, NULL, &error);
    if (!image) return (pv_image *)pvpy_raise(&error);
    for (int y = 0; y < s->h; y++)
        for (int x = 0; x < s->w; x += 256) {
            int count = s->w - x < 256 ? s->w - x : 256;
            pvpy_surface_read(s, palette, s->pixels + y * s->pitch + (ptrdiff_t)x * s->bytes, count,
                              row);
            unsigned char *to = image->pixels + 4 * ((size_t)y * (size_t)s->w + (size_t)x);
            for (int i = 0; i < 4 * count; i++)
                to[i] = (unsigned char)(row[i >> 2] >> (24 - 8 * (i & 3)));
        }
    return image;
}

PyObject *pvpy_body_get_picture(PyObject *self, void *unused) {
    (void)unused;
    const pvpy_handle *h = (const pvpy_handle *)self;
    return PyBool_FromLong(h->picture != NULL);
}

int pvpy_body_set_picture(PyObject *self, PyObject *value, void *unused) {
    (void)unused;
    pvpy_handle *h = (pvpy_handle *)self;
    if (!value || value == Py_None) return pvpy_picture_release(h), 0;
    pvpy_surface s;
    if (!pvpy_surface_open(&s, value, "picture", false)) return -1;
    pvpy_picture *picture = PyMem_Calloc(1, sizeof *picture);
    pv_image *image = picture ? copy_surface(&s) : NULL;
    pvpy_surface_close(&s);
    if (!image) {
        PyMem_Free(picture);
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return -1;
    }
    pvpy_picture_release(h);
    *picture = (pvpy_picture){1, image};
    h->picture = picture;
    h->picture_x = h->picture_y = 0;
    h->stale = true;
    return 0;
}

/* ---- What changed in a step ---- */

static pvpy_handle *find_body(pvpy_world *w, pv_body_id body) {
    return pvpy_handle_find(w, PVPY_BODIES, (pvpy_id){body.index, body.generation});
}

/// Gives a part the picture of its parent, at the place that it had there.
static void inherit(pvpy_world *w, pvpy_handle *parent, const pv_split_event *split) {
    if (!parent || !parent->picture) return;
    PyObject *made = pvpy_handle_of(w, 0, (pvpy_id){split->child.index, split->child.generation});
    if (!made) return PyErr_Clear();
    pvpy_handle *child = (pvpy_handle *)made;
    if (child != parent) {
        pvpy_picture_release(child);
        child->picture = parent->picture;
        child->picture->references++;
        child->picture_x = parent->picture_x + split->x;
        child->picture_y = parent->picture_y + split->y;
        child->stale = true;
    }
    Py_DECREF(made);
}

static void follow_splits(pvpy_world *w, const pv_events *events) {
    int count = events->split_count;
    pvpy_handle **parents = count ? PyMem_Calloc((size_t)count, sizeof *parents) : NULL;
    if (!parents) return;
    for (int i = 0; i < count; i++)
        parents[i] = (pvpy_handle *)Py_XNewRef((PyObject *)find_body(w, events->splits[i].parent));
    for (int i = 0; i < count; i++) {
        pvpy_handle *parent = parents[i] ? parents[i] : find_body(w, events->splits[i].parent);
        inherit(w, parent, &events->splits[i]);
    }
    for (int i = 0; i < count; i++) Py_XDECREF((PyObject *)parents[i]);
    PyMem_Free(parents);
}

void pvpy_draw_follow(pvpy_world *w) {
    pv_events events = pv_world_get_events(w->world);
    follow_splits(w, &events);
    for (int i = 0; i < events.dirty_rect_count; i++) {
        pvpy_handle *h = find_body(w, events.dirty_rects[i].body);
        if (h) h->stale = true;
    }
}

void pvpy_draw_forget(pvpy_world *w) {
    for (uint32_t i = 0; i < w->slots[0].count; i++)
        if (w->slots[0].items[i]) ((pvpy_handle *)w->slots[0].items[i])->stale = true;
}

/// Copies the pixels of a body's picture where its mask is solid.
static pv_image *cut_picture(const pvpy_handle *h, const pv_mask *mask) {
    const pv_image *from = h->picture->image;
    int w = pv_mask_get_width(mask), rows = pv_mask_get_height(mask);
    pv_image *image = pv_image_create(w, rows, NULL, NULL);
    for (int y = 0; image && y < rows; y++)
        for (int x = 0; x < w; x++) {
            int px = x + h->picture_x, py = y + h->picture_y;
            if (px < 0 || py < 0 || px >= from->width || py >= from->height ||
                !pv_mask_get_pixel(mask, x, y))
                continue;
            memcpy(image->pixels + 4 * ((size_t)y * (size_t)w + (size_t)x),
                   from->pixels + 4 * ((size_t)py * (size_t)from->width + (size_t)px), 4);
        }
    return image;
}

static const pv_image *shown_picture(pvpy_handle *h, const pv_mask *mask) {
    if (!h || !h->picture) return NULL;
    if (h->stale || !h->shown) {
        pv_image_destroy(h->shown);
        h->shown = cut_picture(h, mask);
        h->stale = false;
    }
    return h->shown;
}

/* ---- Composing ---- */

/// Colors of bodies without a picture, by their types.
static const pv_color type_colors[] = {[PV_BODY_STATIC] = 0x6b7280ff,
                                       [PV_BODY_KINEMATIC] = 0x8b7fd6ff,
                                       [PV_BODY_DYNAMIC] = 0xd9a441ff};
#define PARTICLE_COLOR 0xd8c39affu

static void draw_bodies(pvpy_world *w, const pv_canvas *canvas, pv_vec2 camera) {
    for (pv_body_id body = pv_world_get_next_body(w->world, (pv_body_id){0, 0});
         !PV_ID_IS_NULL(body); body = pv_world_get_next_body(w->world, body)) {
        if (!pv_body_is_enabled(w->world, body)) continue;
        pv_transform t = pv_body_get_transform(w->world, body);
        const pv_mask *mask = pv_body_get_mask(w->world, body);
        const pv_image *image = shown_picture(find_body(w, body), mask);
        t.position = pv_vec2_sub(t.position, camera);
        if (image)
            pv_canvas_draw_image(canvas, image, &t, 0xffffffffu);
        else
            pv_canvas_draw_mask(canvas, mask, &t, type_colors[pv_body_get_type(w->world, body)]);
    }
}

static void draw_particles(pvpy_world *w, const pv_canvas *canvas, pv_vec2 camera) {
    for (pv_particle_id p = pv_world_get_next_particle(w->world, (pv_particle_id){0, 0});
         !PV_ID_IS_NULL(p); p = pv_world_get_next_particle(w->world, p)) {
        double radius = pv_particle_get_radius(w->world, p);
        pv_vec2 at = pv_vec2_sub(pv_particle_get_position(w->world, p), camera);
        pv_canvas_draw_circle(canvas, at, radius > 0.7 ? radius : 0.7, PARTICLE_COLOR);
    }
}

static void draw_grains(pvpy_world *w, const pv_canvas *canvas, pv_vec2 camera, int kind) {
    for (uint32_t i = 0; i < w->slots[kind].count; i++) {
        const pvpy_handle *h = (const pvpy_handle *)w->slots[kind].items[i];
        if (!h || !pvpy_handle_is_valid(h)) continue;
        pv_grains_id id = {h->id.index, h->id.generation};
        pv_grains_view view = pv_grains_get_view(w->world, id);
        pv_canvas_draw_grains(canvas, &view, camera, 1);
    }
}

static uint32_t blend(uint32_t below, const unsigned char *over, const int shifts[3]) {
    uint32_t alpha = over[3];
    for (int i = 0; i < 3; i++) {
        uint32_t old = below >> shifts[i] & 255;
        uint32_t mixed = (over[i] * alpha + old * (255 - alpha) + 127) / 255;
        below = (below & ~(0xffu << shifts[i])) | mixed << shifts[i];
    }
    return below;
}

/// Blends the canvas over a surface of four bytes a pixel.
static void put_canvas(const pvpy_surface *s, const pv_canvas *canvas) {
    int shifts[3];
    for (int i = 0; i < 3; i++) shifts[i] = __builtin_ctz(s->masks[i]);
    for (int y = 0; y < s->h; y++) {
        const unsigned char *from = canvas->pixels + y * canvas->pitch;
        unsigned char *to = s->pixels + y * s->pitch;
        for (int x = 0; x < s->w; x++, from += 4, to += 4) {
            if (!from[3]) continue;
            uint32_t color = blend(pvpy_surface_load(to, 4), from, shifts) | s->masks[3];
            pvpy_surface_store(to, 4, color);
        }
    }
}

static bool canvas_open(pvpy_world *w, const pvpy_surface *s, pv_canvas *canvas) {
    size_t size = 4 * (size_t)s->w * (size_t)s->h;
    if (size > w->canvas_size) {
        unsigned char *larger = PyMem_Realloc(w->canvas, size);
        if (!larger) return PyErr_NoMemory();
        w->canvas = larger;
        w->canvas_size = size;
    }
    *canvas = (pv_canvas){w->canvas, s->w, s->h, (ptrdiff_t)4 * s->w};
    if (size) memset(w->canvas, 0, size);
    return true;
}

static bool surface_fits(const pvpy_surface *s) {
    bool good = s->bytes == 4;
    for (int i = 0; i < 3; i++)
        good = good && s->masks[i] && s->masks[i] >> __builtin_ctz(s->masks[i]) == 0xff;
    if (!good) PyErr_SetString(PyExc_ValueError, "surface must have 32 bits a pixel");
    return good;
}

PVPY_FUNCTION(pvpy_world_draw) {
    static pvpy_signature signature = PVPY_SIGNATURE("draw", 1, 2, "surface", "camera");
    PyObject *values[2];
    pv_vec2 camera = {0, 0};
    pvpy_call call;
    pvpy_surface s;
    if (!pvpy_arguments(&signature, args, count, keywords, values) ||
        !pvpy_call_begin(&call, self, "draw", NULL, 0, 0, NULL, NULL, 0, NULL) ||
        (values[1] && !pvpy_read(&call, &pvpy_type_vector, values[1], &camera, "camera")) ||
        !pvpy_surface_open(&s, values[0], "surface", true))
        return NULL;
    pv_canvas canvas;
    bool good = surface_fits(&s) && canvas_open(call.owner, &s, &canvas);
    if (good && call.owner->world) {
        draw_bodies(call.owner, &canvas, camera);
        draw_particles(call.owner, &canvas, camera);
        draw_grains(call.owner, &canvas, camera, PVPY_HANDLE_KINDS - 1);
        put_canvas(&s, &canvas);
    }
    pvpy_surface_close(&s);
    return good ? pvpy_call_end(&call, NULL, NULL) : NULL;
}
