/* sprite.c - loads PNG files once, and shrinks those that are too large to play with.
 *
 * Invariant: a sprite enters the list only when it is complete.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "stage/sprite.h"

#include "platform/data.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void sprite_free(struct sprite *sprite) {
    if (!sprite) return;
    pv_mask_release(sprite->mask);
    pv_image_destroy(sprite->image);
    free(sprite->path);
    free(sprite);
}

/// Returns every factor-th pixel of every factor-th row, so that one texel stays one collider
/// pixel.
static pv_image *shrunk(const pv_image *image, int factor, pv_error *error) {
    int width = (image->width + factor - 1) / factor,
        height = (image->height + factor - 1) / factor;
    pv_image *small = pv_image_create(width, height, NULL, error);
    if (!small) return NULL;
    unsigned char *to = small->pixels;
    for (int y = 0; y < image->height; y += factor) {
        const unsigned char *row = image->pixels + (size_t)y * (size_t)image->width * 4;
        for (int x = 0; x < image->width; x += factor, to += 4) memcpy(to, row + (size_t)x * 4, 4);
    }
    return small;
}

static pv_image *load_image(const char *path, int limit, pv_error *error) {
    pv_image *image = pv_image_load(path, NULL, error);
    if (!image || limit <= 0) return image;
    int side = image->width > image->height ? image->width : image->height;
    if (side <= limit) return image;
    pv_image *small = shrunk(image, (side + limit - 1) / limit, error);
    pv_image_destroy(image);
    return small;
}

/// Returns the stamp of a file, all 0 for a missing file.
static struct sprite_stamp stamp_of(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return (struct sprite_stamp){0, 0, 0};
#ifdef _WIN32
    return (struct sprite_stamp){info.st_mtime, 0, info.st_size};
#else
    return (struct sprite_stamp){info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size};
#endif
}

/// Fills in the members that follow from the path. The stamp is read first, so that a change while
/// the file is read is noticed later.
static pv_status fill(struct sprite *sprite) {
    pv_error error = {0};
    sprite->from_file = true;
    sprite->stamp = stamp_of(sprite->path);
    sprite->image = load_image(sprite->path, sprite->limit, &error);
    if (!sprite->image) return error.status;
    sprite->mask = pv_mask_from_image(sprite->image, NULL, &error);
    if (!sprite->mask) return error.status;
    pv_mass_data mass = pv_mask_compute_mass(sprite->mask);
    sprite->center = mass.centroid;
    return mass.area > 0 ? PV_OK : PV_ERROR_EMPTY;
}

static struct sprite *sprite_new(const char *path, int limit, pv_status *status) {
    *status = PV_ERROR_MEMORY;
    struct sprite *fresh = calloc(1, sizeof *fresh);
    if (!fresh) return NULL;
    fresh->path = strdup(path);
    fresh->limit = limit;
    if (fresh->path) *status = fill(fresh);
    if (*status == PV_OK) return fresh;
    sprite_free(fresh);
    return NULL;
}

struct sprite *sprite_load(struct sprite **list, const char *path, int limit, pv_status *status) {
    *status = PV_OK;
    for (struct sprite *known = *list; known; known = known->next)
        if (strcmp(known->path, path) == 0) return known;
    struct sprite *fresh = sprite_new(path, limit, status);
    if (!fresh) return NULL;
    fresh->next = *list;
    return *list = fresh;
}

bool sprite_has_changed(const struct sprite *sprite) {
    if (!sprite->from_file) return false;
    struct sprite_stamp now = stamp_of(sprite->path), *none = &(struct sprite_stamp){0, 0, 0};
    return memcmp(&now, none, sizeof now) != 0 && memcmp(&now, &sprite->stamp, sizeof now) != 0;
}

pv_status sprite_renew(struct sprite *sprite) {
    pv_status status = PV_OK;
    sprite->stamp = stamp_of(sprite->path);
    struct sprite *fresh = sprite_new(sprite->path, sprite->limit, &status);
    if (!fresh) return status;
    struct sprite old = *sprite;
    sprite->stamp = fresh->stamp;
    sprite->image = fresh->image;
    sprite->mask = fresh->mask;
    sprite->center = fresh->center;
    fresh->image = old.image;
    fresh->mask = old.mask;
    sprite_free(fresh);
    return PV_OK;
}

/// Fills in the members that follow from the picture.
static pv_status complete(struct sprite *sprite, const char *name) {
    pv_error error = {0};
    sprite->path = strdup(name);
    if (!sprite->path || !sprite->image) return PV_ERROR_MEMORY;
    if (!sprite->mask) sprite->mask = pv_mask_from_image(sprite->image, NULL, &error);
    if (!sprite->mask) return error.status;
    pv_mass_data mass = pv_mask_compute_mass(sprite->mask);
    sprite->center = mass.centroid;
    return mass.area > 0 ? PV_OK : PV_ERROR_EMPTY;
}

struct sprite *sprite_keep(struct sprite **list, const char *name, pv_image *image, pv_mask *mask,
                           pv_status *status) {
    struct sprite *fresh = calloc(1, sizeof *fresh);
    *status = PV_ERROR_MEMORY;
    if (!fresh) {
        pv_mask_release(mask);
        pv_image_destroy(image);
        return NULL;
    }
    fresh->image = image;
    fresh->mask = mask;
    *status = complete(fresh, name);
    if (*status != PV_OK) {
        sprite_free(fresh);
        return NULL;
    }
    fresh->next = *list;
    return *list = fresh;
}

const unsigned char *sprite_texel(const struct sprite *sprite, int x, int y) {
    const pv_image *image = sprite->image;
    return image->pixels +
           4 * ((size_t)(y % image->height) * (size_t)image->width + (size_t)(x % image->width));
}

void sprite_free_all(struct sprite **list) {
    while (*list) {
        struct sprite *first = *list;
        *list = first->next;
        sprite_free(first);
    }
}

const char *sprite_directory(void) {
    return data_directory("PIXVERLET_SPRITES", DATA_SRCDIR "/sprites", PKGDATADIR "/sprites");
}
