/* inspect.c - pixverlet-inspect: reports the library's view of pictures, and draws it.
 *
 * Invariant: each file that cannot be read or written gets one line on stderr, and makes the status
 * 2. Other files are still reported.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "inspect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Exit status of every failure
#define EXIT_COMPLAINT 2

static const char usage[] =
    "Usage: pixverlet-inspect [OPTION]... FILE...\n"
    "What libpixverlet makes of pictures (PNG), of the frames of sheets (.json, .xml, .atlas)\n"
    "and of maps (.tmj, .tmx, .ldtk, .json): pixels, parts, mass, contour, memory.\n"
    "\n"
    "  --json           a line of JSON for each picture\n"
    "  --svg OUT.svg    draw the contour and its normals over the one picture\n"
    "  --png OUT.png    the same as PNG\n"
    "  --threshold A    a pixel is solid from this alpha on, 0 to 255 (default 128)\n"
    "  --help, --version   print this, or the version\n";

struct options {
    bool json, help, version;
    int threshold;
    const char *svg, *png;
    char **files;
    int file_count;
};

static bool complain(const char *subject, const char *reason) {
    fflush(stdout);
    fputs("pixverlet-inspect: ", stderr);
    put_text(stderr, subject, TEXT_PLAIN);
    fprintf(stderr, ": %s\n", reason);
    return false;
}

/* ---- the command line ---- */

/// Reads an option without a value; returns false for an unknown name.
static bool parse_flag(struct options *options, const char *name) {
    bool *flag = strcmp(name, "--json") == 0      ? &options->json
                 : strcmp(name, "--help") == 0    ? &options->help
                 : strcmp(name, "--version") == 0 ? &options->version
                                                  : NULL;
    if (flag) *flag = true;
    return flag != NULL;
}

static bool parse_threshold(const char *text, int *threshold) {
    char *end;
    long number = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || number > 255)
        return complain(text, "not an alpha of 0 to 255");
    *threshold = (int)number;
    return true;
}

/// Reads the option at arguments[0]; returns its number of arguments, or 0 after a complaint.
static int parse_option(struct options *options, char **arguments) {
    const char *name = arguments[0], *value = arguments[1];
    if (parse_flag(options, name)) return 1;
    const char **path = strcmp(name, "--svg") == 0   ? &options->svg
                        : strcmp(name, "--png") == 0 ? &options->png
                                                     : NULL;
    if (!path && strcmp(name, "--threshold") != 0)
        return complain(name, "unknown option; --help names them");
    if (!value) return complain(name, "needs a value");
    if (!path) return parse_threshold(value, &options->threshold) ? 2 : 0;
    *path = value;
    return 2;
}

/// Reads the command line, and gathers the names of files at the front of arguments.
static bool parse(struct options *options, char **arguments) {
    bool only_files = false;
    *options = (struct options){.threshold = pv_mask_options_default().alpha_threshold,
                                .files = arguments};
    for (char **next = arguments; *next;) {
        bool option = !only_files && (*next)[0] == '-';
        if (option && strcmp(*next, "--") == 0) {
            only_files = true;
            next++;
        } else if (!option) {
            options->files[options->file_count++] = *next++;
        } else {
            int taken = parse_option(options, next);
            if (taken == 0) return false;
            next += taken;
        }
    }
    if (options->help || options->version) return true;
    if (options->file_count == 0) return complain("no picture", "--help says how it is called");
    if (options->file_count > 1 && (options->svg || options->png))
        return complain(options->svg ? "--svg" : "--png", "works with one picture only");
    return true;
}

/* ---- report ---- */

static void print_plain(const struct sprite *s, int threshold) {
    fputs("file       ", stdout);
    put_text(stdout, s->path, TEXT_PLAIN);
    printf("\nsize       %-8d %-8d  px, width and height\n", s->image->width, s->image->height);
    printf("threshold  %-8d           alpha from which on a pixel is solid\n", threshold);
    printf("solid      %-8.0f           px\n", s->mass.area);
    printf("parts      %-8d %-8d  joined by edges and corners, by edges alone\n", s->parts_8,
           s->parts_4);
    printf("holes      %-8d %-8d  in the ones, in the others\n", s->holes_8, s->holes_4);
    printf("center     %-8.6g %-8.6g  px, of mass\n", s->mass.centroid.x, s->mass.centroid.y);
    printf("inertia    %-17.12g  px^4, about the center\n", s->mass.inertia);
    printf("contour    %-8d %-8d  points, loops\n", s->contour.count, contour_loops(&s->contour));
    printf("bytes      %-8zu %-8zu  of the mask, of contour and distance field\n", s->mask_bytes,
           s->contour_bytes);
}

static void print_json(const struct sprite *s, int threshold) {
    fputs("{\"file\":\"", stdout);
    put_text(stdout, s->path, TEXT_JSON);
    printf("\",\"width\":%d,\"height\":%d,\"threshold\":%d,", s->image->width, s->image->height,
           threshold);
    printf("\"solid\":%.0f,\"parts_8\":%d,\"parts_4\":%d,", s->mass.area, s->parts_8, s->parts_4);
    printf("\"holes_8\":%d,\"holes_4\":%d,", s->holes_8, s->holes_4);
    printf("\"center\":[%.17g,%.17g],", s->mass.centroid.x, s->mass.centroid.y);
    printf("\"inertia\":%.17g,", s->mass.inertia);
    printf("\"contour_points\":%d,\"contour_loops\":%d,", s->contour.count,
           contour_loops(&s->contour));
    printf("\"mask_bytes\":%zu,\"contour_bytes\":%zu}\n", s->mask_bytes, s->contour_bytes);
}

/// Tells whether two names mean one file, since a drawing must not overwrite its picture.
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool draw(const struct sprite *sprite, const char *path,
                 const char *(*drawer)(const struct sprite *sprite, const char *path)) {
    if (!path) return true;
    const char *wrong =
        same_file(sprite->path, path) ? "is the picture itself" : drawer(sprite, path);
    return !wrong || complain(path, wrong);
}

/// Complains in the library's words, without the name of the function.
static bool complain_of(const pv_error *error) {
    const char *words = strstr(error->message, ": ");
    fflush(stdout);
    fputs("pixverlet-inspect: ", stderr);
    put_text(stderr, words ? words + 2 : error->message, TEXT_PLAIN);
    fputc('\n', stderr);
    return false;
}

static void tell_omission(void *user_data, const pv_error *error) {
    (void)user_data;
    complain_of(error);
}

/// Reports one picture and frees it; tells whether all went well. *first is true until the first
/// report.
/// @param file path that no drawing may overwrite
/// @param threshold that of the picture itself
static bool report(const struct options *options, const char *name, const char *file,
                   pv_image *image, int threshold, bool *first) {
    struct sprite sprite;
    if (!sprite_of_image(&sprite, name, image, threshold))
        return complain(name, pv_status_to_string(PV_ERROR_MEMORY));
    if (!*first && !options->json) putchar('\n');
    *first = false;
    (options->json ? print_json : print_plain)(&sprite, options->threshold);
    sprite.path = file;
    bool drawn = draw(&sprite, options->svg, draw_svg);
    drawn = draw(&sprite, options->png, draw_png) && drawn;
    sprite_close(&sprite);
    return drawn;
}

/// Reports a mask as a picture of its solid pixels.
static bool report_mask(const struct options *options, const char *name, const char *file,
                        const pv_mask *mask, bool *first) {
    pv_error error;
    pv_image *image =
        pv_image_create(pv_mask_get_width(mask), pv_mask_get_height(mask), NULL, &error);
    if (image) pv_mask_to_rgba(mask, image->pixels, 4 * (ptrdiff_t)image->width, 0x808080ff, 0);
    return image ? report(options, name, file, image, 1, first) : complain_of(&error);
}

static bool inspect_picture(const struct options *options, const char *path, bool *first) {
    pv_error error;
    pv_image *image = pv_image_load(path, NULL, &error);
    return image ? report(options, path, path, image, options->threshold, first)
                 : complain_of(&error);
}

/// Reports the solid tiles of a map.
static bool inspect_map(const struct options *options, const char *path, bool *first) {
    pv_error error;
    pv_mask_options how = pv_mask_options_default();
    how.alpha_threshold = options->threshold;
    pv_mask *mask = pv_tilemap_load_mask(path, NULL, &how, &error);
    bool good = mask ? report_mask(options, path, path, mask, first) : complain_of(&error);
    pv_mask_release(mask);
    return good;
}

/// Reports each frame of a sheet.
static bool report_frames(const struct options *options, const char *path, const pv_frames *frames,
                          bool *first) {
    bool good = true;
    char name[4096];
    int count = pv_frames_get_count(frames);
    if (count > 1 && (options->svg || options->png))
        return complain(path, "has more than one frame to draw");
    for (int i = 0; i < count; i++) {
        const pv_frame *frame = pv_frames_get_frame(frames, i);
        snprintf(name, sizeof name, "%s: %s", path, frame->name);
        good = report_mask(options, name, path, frame->mask, first) && good;
    }
    return good;
}

/// Reports the frames of a sheet, or a map if the file has no frames.
static bool inspect_sheet(const struct options *options, const char *path, bool *first) {
    pv_error error;
    pv_frames_options how = pv_frames_options_default();
    how.alpha_threshold = options->threshold;
    how.report_callback = tell_omission;
    pv_frames *frames = pv_frames_load(path, NULL, &how, &error);
    bool other = strstr(error.message, "\"frames\" is missing") != NULL;
    bool good = frames  ? report_frames(options, path, frames, first)
                : other ? inspect_map(options, path, first)
                        : complain_of(&error);
    pv_frames_destroy(frames);
    return good;
}

static bool ends_in(const char *path, const char *end) {
    size_t size = strlen(path), of = strlen(end);
    return size >= of && strcmp(path + size - of, end) == 0;
}

/// Reports one file by its kind; tells whether all went well.
static bool inspect(const struct options *options, const char *path, bool *first) {
    if (ends_in(path, ".tmj") || ends_in(path, ".tmx") || ends_in(path, ".ldtk"))
        return inspect_map(options, path, first);
    if (ends_in(path, ".json") || ends_in(path, ".xml") || ends_in(path, ".atlas"))
        return inspect_sheet(options, path, first);
    return inspect_picture(options, path, first);
}

static bool run(const struct options *options) {
    bool good = true, first = true;
    if (options->help)
        fputs(usage, stdout);
    else if (options->version)
        printf("pixverlet-inspect %s\n", pv_version());
    else
        for (int i = 0; i < options->file_count; i++)
            good = inspect(options, options->files[i], &first) && good;
    return good;
}

int main(int argc, char **argv) {
    struct options options;
    if (argc < 1 || !parse(&options, argv + 1)) return EXIT_COMPLAINT;
    bool good = run(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) good = complain("stdout", "cannot be written");
    return good ? EXIT_SUCCESS : EXIT_COMPLAINT;
}
