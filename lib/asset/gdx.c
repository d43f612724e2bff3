/* gdx.c - reads atlases of libGDX (.atlas) as the trees that their JSON would give.
 *
 * Invariant: only the form is translated. The reader of the tree checks every value, as it does for
 * JSON. One pass over the lines is enough.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "asset/gdx.h"

#ifdef HAVE_CJSON

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Region of a picture, in the numbers of the file
typedef struct gdx_region {
    double x, y, w, h;
    /// Size of the whole frame, and distance of the region from its left and lower sides
    double whole_w, whole_h, left, below;
    bool turned;
} gdx_region;

/// Removes the white space at both ends of a line.
static char *trim(char *line) {
    line += strspn(line, " \t\r");
    size_t size = strlen(line);
    while (size && strchr(" \t\r", line[size - 1])) size--;
    line[size] = '\0';
    return line;
}

/// Reads up to four numbers with commas between them into those that are not null.
static void read_numbers(const char *text, double *a, double *b, double *c, double *d) {
    double *const to[4] = {a, b, c, d};
    char *end;
    for (int i = 0; i < 4 && to[i]; i++, text = *end == ',' ? end + 1 : end)
        *to[i] = strtod(text, &end);
}

/// Reads a value of a region. Those that make no difference to its pixels are skipped.
static void read_value(gdx_region *o, const char *key, const char *value) {
    if (strcmp(key, "xy") == 0) read_numbers(value, &o->x, &o->y, NULL, NULL);
    if (strcmp(key, "size") == 0) read_numbers(value, &o->w, &o->h, NULL, NULL);
    if (strcmp(key, "bounds") == 0) read_numbers(value, &o->x, &o->y, &o->w, &o->h);
    if (strcmp(key, "orig") == 0) read_numbers(value, &o->whole_w, &o->whole_h, NULL, NULL);
    if (strcmp(key, "offset") == 0) read_numbers(value, &o->left, &o->below, NULL, NULL);
    if (strcmp(key, "offsets") == 0)
        read_numbers(value, &o->left, &o->below, &o->whole_w, &o->whole_h);
    if (strcmp(key, "rotate") == 0)
        o->turned = strcmp(value, "false") != 0 && strcmp(value, "0") != 0;
}

static void add_rect(cJSON *frame, const char *name, double x, double y, double w, double h) {
    cJSON *rect = cJSON_AddObjectToObject(frame, name);
    cJSON_AddNumberToObject(rect, "x", x);
    cJSON_AddNumberToObject(rect, "y", y);
    cJSON_AddNumberToObject(rect, "w", w);
    cJSON_AddNumberToObject(rect, "h", h);
}

/// Completes a frame. Its y axis points down. libGDX turns counterclockwise, which readers refuse.
static void end_region(cJSON *frame, const gdx_region *o) {
    double w = o->whole_w != 0 ? o->whole_w : o->w, h = o->whole_h != 0 ? o->whole_h : o->h;
    if (!frame) return;
    add_rect(frame, "frame", o->x, o->y, o->w, o->h);
    add_rect(frame, "spriteSourceSize", o->left, h - o->below - o->h, o->w, o->h);
    add_rect(frame, "sourceSize", 0, 0, w, h);
    if (o->turned) cJSON_AddStringToObject(frame, "rotated", "counterclockwise");
}

static cJSON *begin_region(cJSON *frames, const char *name) {
    cJSON *frame = cJSON_CreateObject();
    cJSON_AddItemToArray(frames, frame);
    cJSON_AddStringToObject(frame, "filename", name);
    return frame;
}

/// Begins a picture with its list of frames.
static cJSON *begin_picture(cJSON *textures, const char *name) {
    cJSON *texture = cJSON_CreateObject();
    cJSON_AddItemToArray(textures, texture);
    cJSON_AddStringToObject(texture, "image", name);
    return cJSON_AddArrayToObject(texture, "frames");
}

cJSON *pv__gdx_parse(char *text) {
    cJSON *root = cJSON_CreateObject(), *textures = cJSON_AddArrayToObject(root, "textures"),
          *frames = NULL, *frame = NULL;
    gdx_region region = {0};
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        line = trim(line);
        char *colon = strchr(line, ':');
        if (frames && colon) {
            *colon = '\0';
            read_value(&region, line, trim(colon + 1));
            continue;
        }
        end_region(frame, &region);
        region = (gdx_region){0};
        frame = NULL;
        if (!*line)
            frames = NULL;
        else if (frames)
            frame = begin_region(frames, line);
        else
            frames = begin_picture(textures, line);
    }
    end_region(frame, &region);
    return root;
}

#endif
