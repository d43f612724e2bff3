/* inspect_draw.c - a sprite enlarged, with its contour, normals and center of mass over it.
 *
 * Invariant: both kinds of picture show the same, in the same colors, at the same size.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "inspect.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/// Wanted length of the sprite's longest side, and limits of the scale factor. The factor is less
/// if the PNG would be too large.
#define WANTED_SIZE 1024
#define LEAST_SCALE 4
#define MOST_SCALE 64
/// Factor at which the PNG is drawn first; reduction then makes its lines smooth
#define SMOOTH 2

#define MOST_SIDE 32000
#define MOST_AREA 5e7

/* Sizes in the written picture [px] */
#define MARGIN 32
#define NORMAL_LENGTH 24.0
#define HALO_WIDTH 6.0
#define CONTOUR_WIDTH 2.5
#define NORMAL_WIDTH 2.0
#define POINT_RADIUS 3.5
#define CENTER_RADIUS 8.0
#define CENTER_WIDTH 2.0

/* Colors, 0xRRGGBB. LIGHT and DARK are the squares of transparent areas, one for each pixel of the
 * sprite. */
#define LIGHT 0xffffffu
#define DARK 0xe7ebf0u
#define HALO 0xffffffu
#define CONTOUR 0xd6006cu
#define NORMAL 0x0b5fd0u
#define CENTER 0x101418u

/// Tells whether the first drawing of the PNG stays within the library's limits, with a wide
/// margin.
static bool is_drawable(const pv_image *image, int longest, int scale) {
    int factor = scale * SMOOTH;
    return longest < MOST_SIDE / factor &&
           (double)image->width * image->height < MOST_AREA / factor / factor;
}

static int scale_of(const pv_image *image) {
    int longest = image->width > image->height ? image->width : image->height;
    int scale = longest > 0 ? WANTED_SIZE / longest : MOST_SCALE;
    scale = scale < LEAST_SCALE ? LEAST_SCALE : scale > MOST_SCALE ? MOST_SCALE : scale;
    while (scale > 1 && !is_drawable(image, longest, scale)) scale--;
    return scale;
}

/* ---- normals ---- */

/// Point of a contour and the end of its normal
struct spike {
    pv_vec2 foot, tip;
};

static pv_vec2 direction(const struct edge *e) {
    double x = e->to.x - e->from.x, y = e->to.y - e->from.y, length = sqrt(x * x + y * y);
    return length > 0 ? (pv_vec2){x / length, y / length} : (pv_vec2){0, 0};
}

/// Returns the spike at the beginning of an edge: outward, half-way between the normals of the two
/// edges there.
static struct spike spike_at(const struct edge *before, const struct edge *after, double length) {
    pv_vec2 in = direction(before), out = direction(after), foot = after->from;
    pv_vec2 along = direction(&(struct edge){{0, 0}, {in.x + out.x, in.y + out.y}});
    return (struct spike){foot, {foot.x + length * along.y, foot.y - length * along.x}};
}

/// Calls a function for the spike at each edge's beginning, loop after loop.
static void each_spike(const struct contour *c, double length,
                       void (*tell)(void *user_data, const struct spike *s), void *user_data) {
    for (int first = 0, end; first < c->count; first = end) {
        end = contour_loop_end(c, first);
        for (int i = first; i < end; i++) {
            struct spike s = spike_at(&c->edges[i > first ? i - 1 : end - 1], &c->edges[i], length);
            tell(user_data, &s);
        }
    }
}

/* ---- PNG ---- */

struct easel {
    pv_canvas canvas;
    /// Size of the sprite's pixels on the canvas
    double scale;
};

static pv_vec2 on_canvas(const struct easel *e, pv_vec2 p) {
    return (pv_vec2){MARGIN * SMOOTH + e->scale * p.x, MARGIN * SMOOTH + e->scale * p.y};
}

static void stroke(const struct easel *e, pv_vec2 from, pv_vec2 to, double width, uint32_t color) {
    pv_canvas_draw_thick_line(&e->canvas, on_canvas(e, from), on_canvas(e, to), width * SMOOTH,
                              color << 8 | 0xff);
}

static void paint_ground(const struct easel *e) {
    for (int y = 0; y < e->canvas.height; y++) {
        unsigned char *pixel = e->canvas.pixels + y * e->canvas.pitch;
        int row = (int)floor((y - MARGIN * SMOOTH) / e->scale);
        for (int x = 0; x < e->canvas.width; x++, pixel += 4) {
            uint32_t color =
                (row + (int)floor((x - MARGIN * SMOOTH) / e->scale)) & 1 ? DARK : LIGHT;
            pixel[0] = (unsigned char)(color >> 16), pixel[1] = (unsigned char)(color >> 8);
            pixel[2] = (unsigned char)color, pixel[3] = 0xff;
        }
    }
}

static void paint_spike(void *user_data, const struct spike *s) {
    stroke(user_data, s->foot, s->tip, NORMAL_WIDTH, NORMAL);
}

static void paint_point(void *user_data, const struct spike *s) {
    const struct easel *e = user_data;
    pv_canvas_draw_circle(&e->canvas, on_canvas(e, s->foot), POINT_RADIUS * SMOOTH,
                          CONTOUR << 8 | 0xff);
}

/// Paints a cross in a ring.
static void paint_center(const struct easel *e, pv_vec2 at) {
    pv_vec2 c = on_canvas(e, at);
    double r = CENTER_RADIUS / e->scale * SMOOTH;
    pv_canvas_draw_circle(&e->canvas, c, (CENTER_RADIUS + 1.5 * CENTER_WIDTH) * SMOOTH,
                          HALO << 8 | 0xff);
    pv_canvas_draw_circle(&e->canvas, c, (CENTER_RADIUS + 0.5 * CENTER_WIDTH) * SMOOTH,
                          CENTER << 8 | 0xff);
    pv_canvas_draw_circle(&e->canvas, c, (CENTER_RADIUS - 0.5 * CENTER_WIDTH) * SMOOTH,
                          HALO << 8 | 0xff);
    stroke(e, (pv_vec2){at.x - r, at.y}, (pv_vec2){at.x + r, at.y}, CENTER_WIDTH, CENTER);
    stroke(e, (pv_vec2){at.x, at.y - r}, (pv_vec2){at.x, at.y + r}, CENTER_WIDTH, CENTER);
}

static void paint(const struct easel *e, const struct sprite *s) {
    const struct contour *c = &s->contour;
    pv_transform all = pv_transform_identity();
    all.position = on_canvas(e, (pv_vec2){0, 0});
    all.scale = (pv_vec2){e->scale, e->scale};
    double length = NORMAL_LENGTH * SMOOTH / e->scale;
    paint_ground(e);
    pv_canvas_draw_image(&e->canvas, s->image, &all, 0xffffffff);
    for (int i = 0; i < c->count; i++)
        stroke(e, c->edges[i].from, c->edges[i].to, HALO_WIDTH, HALO);
    each_spike(c, length, paint_spike, (void *)e);
    for (int i = 0; i < c->count; i++)
        stroke(e, c->edges[i].from, c->edges[i].to, CONTOUR_WIDTH, CONTOUR);
    each_spike(c, length, paint_point, (void *)e);
    if (s->mass.area > 0) paint_center(e, s->mass.centroid);
}

static pv_canvas canvas_of(const pv_image *image) {
    return (pv_canvas){image->pixels, image->width, image->height, (ptrdiff_t)image->width * 4};
}

/// Stores the mean of SMOOTH by SMOOTH pixels, none of which is transparent, in each pixel.
static void shrink(const pv_image *large, pv_image *small) {
    size_t pitch = (size_t)large->width * 4;
    unsigned char *to = small->pixels;
    for (int y = 0; y < small->height; y++)
        for (int x = 0; x < small->width * 4; x++) {
            const unsigned char *from =
                large->pixels + (size_t)(y * SMOOTH) * pitch + x / 4 * SMOOTH * 4 + x % 4;
            int sum = SMOOTH * SMOOTH / 2;
            for (int i = 0; i < SMOOTH * SMOOTH; i++)
                sum += from[(size_t)(i / SMOOTH) * pitch + i % SMOOTH * 4];
            *to++ = (unsigned char)(sum / (SMOOTH * SMOOTH));
        }
}

const char *draw_png(const struct sprite *sprite, const char *path) {
    int scale = scale_of(sprite->image);
    int width = sprite->image->width * scale + 2 * MARGIN,
        height = sprite->image->height * scale + 2 * MARGIN;
    pv_error error;
    pv_image *large = pv_image_create(SMOOTH * width, SMOOTH * height, NULL, &error);
    pv_image *small = large ? pv_image_create(width, height, NULL, &error) : NULL;
    const char *wrong = small ? NULL : pv_status_to_string(error.status);
    if (small) {
        paint(&(struct easel){canvas_of(large), SMOOTH * scale}, sprite);
        shrink(large, small);
        if (pv_image_save(small, path) != PV_OK) wrong = "cannot be written";
    }
    pv_image_destroy(small);
    pv_image_destroy(large);
    return wrong;
}

/* ---- SVG ---- */

/// Adjacent pixels of one color in a row
struct run {
    /// 0xRRGGBBAA
    uint32_t color;
    int x, y, w;
};

static uint32_t color_at(const pv_image *image, int x, int y) {
    const unsigned char *p = image->pixels + ((size_t)y * (size_t)image->width + (size_t)x) * 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/// Finds all visible runs, row after row; returns their number. runs may be null, to count them.
static size_t find_runs(const pv_image *image, struct run *runs) {
    size_t count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0, from = 0; x < image->width; from = x) {
            uint32_t color = color_at(image, from, y);
            while (x < image->width && color_at(image, x, y) == color) x++;
            if ((color & 0xff) == 0) continue;
            if (runs) runs[count] = (struct run){color, from, y, x - from};
            count++;
        }
    return count;
}

static int by_color(const void *a, const void *b) {
    const struct run *p = a, *q = b;
    if (p->color != q->color) return p->color < q->color ? -1 : 1;
    return p->y != q->y ? p->y - q->y : p->x - q->x;
}

/// Writes the sprite as squares, one path per color, since viewers would blur an enlarged picture.
/// Returns false if memory runs out.
static bool put_image(FILE *file, const pv_image *image) {
    size_t count = find_runs(image, NULL);
    struct run *runs = malloc((count + 1) * sizeof *runs);
    if (!runs) return false;
    find_runs(image, runs);
    qsort(runs, count, sizeof *runs, by_color);
    fputs("<g id=\"sprite\" shape-rendering=\"crispEdges\">\n", file);
    for (size_t i = 0; i < count; i++) {
        const struct run *r = &runs[i];
        bool first = i == 0 || r[-1].color != r->color,
             last = i + 1 == count || r[1].color != r->color;
        if (first) fprintf(file, "<path fill=\"#%06x\"", (unsigned)(r->color >> 8));
        if (first && (r->color & 0xff) < 0xff)
            fprintf(file, " fill-opacity=\"%.4f\"", (r->color & 0xff) / 255.0);
        fprintf(file, "%sM%d %dh%dv1h%dz%s", first ? " d=\"" : "", r->x, r->y, r->w, -r->w,
                last ? "\"/>\n" : "");
    }
    fputs("</g>\n", file);
    free(runs);
    return true;
}

static void put_ground(FILE *file, const pv_image *image, double margin) {
    fputs("<pattern id=\"ground\" width=\"2\" height=\"2\" patternUnits=\"userSpaceOnUse\">", file);
    fprintf(file, "<path fill=\"#%06x\" d=\"M0 0h2v2h-2z\"/>", LIGHT);
    fprintf(file, "<path fill=\"#%06x\" d=\"M1 0h1v1h-1zM0 1h1v1h-1z\"/></pattern>\n", DARK);
    fprintf(file, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"url(#ground)\"/>\n",
            -margin, -margin, image->width + 2 * margin, image->height + 2 * margin);
}

static void put_loops(FILE *file, const struct contour *c) {
    fputs("<path id=\"contour\" fill=\"none\" stroke-linejoin=\"round\" d=\"", file);
    for (int first = 0, end; first < c->count; first = end) {
        end = contour_loop_end(c, first);
        for (int i = first; i < end; i++)
            fprintf(file, "%c%.4f %.4f", i == first ? 'M' : 'L', c->edges[i].from.x,
                    c->edges[i].from.y);
        fputc('Z', file);
    }
    fputs("\"/>\n", file);
}

static void put_spike(void *user_data, const struct spike *s) {
    fprintf(user_data, "M%.4f %.4fL%.4f %.4f", s->foot.x, s->foot.y, s->tip.x, s->tip.y);
}

/// Writes a point: a line without length and with a round end is a disc.
static void put_point(void *user_data, const struct spike *s) {
    fprintf(user_data, "M%.4f %.4fh0", s->foot.x, s->foot.y);
}

/// Begins a path.
static void put_strokes(FILE *file, const char *id, unsigned color, double width) {
    fprintf(file,
            "<path id=\"%s\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" "
            "stroke-linecap=\"round\" d=\"",
            id, color, width);
}

static void put_center(FILE *file, pv_vec2 at, double scale) {
    double r = CENTER_RADIUS / scale, width = CENTER_WIDTH / scale;
    fprintf(
        file,
        "<g id=\"center\" transform=\"translate(%.4f %.4f)\" stroke=\"#%06x\" stroke-width=\"%g\">",
        at.x, at.y, CENTER, width);
    fprintf(file, "<circle r=\"%g\" fill=\"#%06x\" stroke=\"none\"/>", r + 1.5 * width, HALO);
    fprintf(file, "<circle r=\"%g\" fill=\"none\"/><path d=\"M%g 0H%gM0 %gV%g\"/></g>\n", r, -r, r,
            -r, r);
}

/// Writes the drawing over the picture.
static void put_findings(FILE *file, const struct sprite *s, double scale) {
    const struct contour *c = &s->contour;
    fputs("<defs>", file);
    put_loops(file, c);
    fputs("</defs>\n", file);
    fprintf(file, "<use href=\"#contour\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n", HALO,
            HALO_WIDTH / scale);
    put_strokes(file, "normals", NORMAL, NORMAL_WIDTH / scale);
    each_spike(c, NORMAL_LENGTH / scale, put_spike, file);
    fprintf(file, "\"/>\n<use href=\"#contour\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n", CONTOUR,
            CONTOUR_WIDTH / scale);
    put_strokes(file, "points", CONTOUR, 2 * POINT_RADIUS / scale);
    each_spike(c, 0, put_point, file);
    fputs("\"/>\n", file);
    put_center(file, s->mass.centroid, scale);
}

const char *draw_svg(const struct sprite *sprite, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return "cannot be written";
    const pv_image *image = sprite->image;
    double scale = scale_of(image), margin = MARGIN / scale;
    double width = image->width + 2 * margin, height = image->height + 2 * margin;
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" ",
            width * scale, height * scale);
    fprintf(file, "viewBox=\"%g %g %g %g\">\n<title>", -margin, -margin, width, height);
    put_text(file, sprite->path, TEXT_XML);
    fputs("</title>\n", file);
    put_ground(file, image, margin);
    bool made = put_image(file, image);
    if (sprite->contour.count > 0) put_findings(file, sprite, scale);
    fputs("</svg>\n", file);
    bool written = !ferror(file);
    written = fclose(file) == 0 && written;
    return !made ? pv_status_to_string(PV_ERROR_MEMORY) : written ? NULL : "cannot be written";
}
