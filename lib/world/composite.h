/* composite.h - the interface of composite.c: composites: lists of parts that are created, drawn,
 * pushed and destroyed as one.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/matter.h"
void pv__composite_free_all(pv_world *world);
