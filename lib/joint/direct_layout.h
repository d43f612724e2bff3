/* direct_layout.h - the interface of direct_layout.c: selects joints for the direct solver, and
 * orders their rows.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/matter.h"

/// Selects the joints of the direct solver and their order. Returns false without memory.
bool pv__direct_lay_out(pv_world *world);
void pv__direct_free(pv_world *world);
