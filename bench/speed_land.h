/* speed_land.h - large worlds of equal cells, the same density at any size.
 *
 * Invariant: a land stays at its address, since its bodies and sides point into it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPEED_LAND_H
#define SPEED_LAND_H

#include "speed_scenes.h"

/// Things in each cell of a land, as flags
typedef enum land_part {
    /// Ten bodies in a tray, which hop and never rest
    LAND_CRITTERS = 1,
    /// Forty boxes in stacks of four, on a shelf over the tray
    LAND_STACKS = 2,
    /// A hundred bodies of five kinds in a closed room
    LAND_ROOMS = 4
} land_part;

enum { CRITTERS = 10, STACKED = 40, ROOMERS = 100 };

/// Land: rows of cells
typedef struct land {
    /// Sides of the comparison; first, so that a scene's pointer is the land's
    scene scene;
    int columns, rows;
    unsigned parts;
    /// Width and height of a cell [px]
    double width, height;
    outline tray, shelf, room, box, kinds[MOST_KINDS];
    /// Dynamic bodies by cell
    pv_body_id *bodies;
    int body_count;
    /// Bodies that hop
    pv_body_id *critters;
    int critter_count;
    /// Bytes of the world
    size_t bytes;
} land;

/// Opens a land of cells with parts; exits if memory runs out.
land *land_open(int columns, int rows, unsigned parts, bool sleeping);
/// Steps until only critters are awake; exits if that takes too long.
void land_wait(land *l);
/// Returns the upper left corner of a cell, counted along the rows [px].
pv_vec2 land_corner(const land *l, int cell);
/// Exits if a body has left its row, or its room.
void land_check(const land *l);
void land_close(land *l);

/// Exits with a message if something is false.
void require(bool good, const char *what);

#endif
