/* grains.h - the population of grains of a stage.
 *
 * Invariant: a stage has one population at most, and its colors are 0xRRGGBBAA.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GRAINS_H
#define GRAINS_H

#include "stage/stage.h"

/// Number of grains of scenes in which bodies only lose pixels
enum { GRAINS_USUAL = 40000 };

/// Gives a stage its population. Pixels that bodies lose keep their colors as grains.
void grains_add(struct stage *stage, pv_grains_def def);

/// Adds a sink; grains that come into the box end.
void grains_drain(struct stage *stage, pv_box box);

/// Turns all pixels of a body into grains with its velocity, and destroys it.
void grains_crumble(struct stage *stage, pv_body_id body);

#endif
