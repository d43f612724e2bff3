/* composite.h - the interface of composite.c: things: lists of parts that are made, drawn, pushed
 * and taken out as one.
 *
 * Invariant: as in composite.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_COMPOSITE_H
#define PV_WORLD_COMPOSITE_H

#include "core/matter.h"
void pv__composite_free_all(pv_world *world);

#endif
