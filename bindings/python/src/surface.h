/* surface.h - borrowed pixels of a pygame.Surface or of a buffer of R, G, B, A bytes.
 *
 * Invariant: an open surface keeps its pixels in place until pvpy_surface_close(), as long as no
 * code of the program runs. So arguments are read before a surface is opened.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PVPY_SURFACE_H
#define PVPY_SURFACE_H

#include "binding.h"

#include <string.h>

typedef struct pvpy_surface {
    Py_buffer view;
    unsigned char *pixels;
    int w, h, bytes;
    ptrdiff_t pitch;
    /// Bits of red, green, blue and alpha in a pixel
    uint32_t masks[4];
    /// The object itself, borrowed; a pygame.Surface if `named`
    PyObject *object;
    bool named;
} pvpy_surface;

/// Opens the pixels of a surface.
/// @param only_surface true to refuse buffers
bool pvpy_surface_open(pvpy_surface *surface, PyObject *object, const char *name,
                       bool only_surface);
void pvpy_surface_close(pvpy_surface *surface);

/// Returns the number of a pixel.
static inline uint32_t pvpy_surface_load(const unsigned char *p, int bytes) {
    uint32_t v = 0;
    switch (bytes) {
    case 1: return *p;
    case 2: {
        uint16_t half;
        return memcpy(&half, p, 2), half;
    }
    case 3:
#if PY_LITTLE_ENDIAN
        return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
#else
        return (uint32_t)p[2] | (uint32_t)p[1] << 8 | (uint32_t)p[0] << 16;
#endif
    default: return memcpy(&v, p, 4), v;
    }
}

/// Writes the number of a pixel.
static inline void pvpy_surface_store(unsigned char *p, int bytes, uint32_t v) {
    uint16_t half = (uint16_t)v;
    switch (bytes) {
    case 1: *p = (unsigned char)v; break;
    case 2: memcpy(p, &half, 2); break;
    case 3:
        for (int i = 0; i < 3; i++) p[PY_LITTLE_ENDIAN ? i : 2 - i] = (unsigned char)(v >> (8 * i));
        break;
    default: memcpy(p, &v, 4);
    }
}

/// A color as a program gives it: 0xRRGGBBAA, or a pixel number of the surface.
typedef struct pvpy_color {
    uint32_t value;
    bool is_pixel;
} pvpy_color;

/// Reads a color: a name, three or four numbers 0...255, or a pixel number.
bool pvpy_color_read(pvpy_color *color, PyObject *value, const char *name);
/// Reads the color key of an object.
/// @return 1 with a key, 0 without, -1 with an exception
int pvpy_color_key(pvpy_color *key, PyObject *surface);
/// Finds the pixel number of a color.
bool pvpy_surface_map(const pvpy_surface *surface, pvpy_color color, uint32_t *pixel);
/// Returns the color of a pixel number as 0xRRGGBBAA.
uint32_t pvpy_surface_rgba(const pvpy_surface *surface, const uint32_t *palette, uint32_t pixel);
/// Tells whether red, green, blue and alpha are one byte each, or alpha is missing.
bool pvpy_surface_has_byte_channels(const pvpy_surface *surface);
/// Reads adjacent pixels as colors.
void pvpy_surface_read(const pvpy_surface *surface, const uint32_t *palette,
                       const unsigned char *pixels, int count, uint32_t *rgba);
/// Reads the colors of a surface with a palette; the rest stay black.
bool pvpy_surface_palette(const pvpy_surface *surface, uint32_t palette[256]);

#endif
