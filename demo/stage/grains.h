/* grains.h - the population of grains of a stage.
 *
 * Invariant: a stage has one population at most, and its colors are 0xRRGGBBAA.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GRAINS_H
#define GRAINS_H

#include "stage/stage.h"

/// Capacity in scenes whose grains are only pixels that bodies lose
enum { GRAINS_USUAL = 40000 };

/// Gives a stage its population. Pixels that bodies lose keep their colors as grains.
void grains_add(struct stage *stage, pv_grains_def def);

/// Adds a sink: a box that removes the grains that enter it.
void grains_drain(struct stage *stage, pv_box box);

/// Turns all pixels of a body into grains with its velocity, and destroys it.
void grains_crumble(struct stage *stage, pv_body_id body);

#endif
