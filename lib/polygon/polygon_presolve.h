/* polygon_presolve.h - the interface of polygon_presolve.c: the caller's presolve of pairs with
 * polygons.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "polygon/polygon_scratch.h"

/// Marks the pairs of the step's list that pass until they are apart.
void pv__polygon_recall_passing(pv_world *world);
/// Keeps the pairs that still overlap while they pass until they are apart.
void pv__polygon_keep_passing(pv_world *world);
/// Solves the contacts of the tested pair, unless it passes, and adds them to its step.
void pv__polygon_solve(pv_world *world, pv__touch *touches, int count);
