/* pixverlet.h - the public interface of libpixverlet: sprites whose opaque pixels collide.
 *
 * Invariant: everything a program may use is declared in pixverlet/, and nothing else is exported.
 * Each header there can be included alone; this one includes all except pixverlet/paper.h and the
 * adapters for SDL and raylib.
 *
 * Units: px, s, rad; mass 1 is one opaque pixel of density 1. y points down, so a positive angle
 * turns clockwise on the screen. Pixel (i, j) covers [i, i+1) x [j, j+1). Normals point from a to
 * b.
 *
 * Threads: functions on different objects may run in different threads at once. Functions that take
 * a const object may run at once on the same object; the others need it alone. Reference counts of
 * masks and material maps are atomic. One step may use several threads: pixverlet/tasks.h.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_H
#define PIXVERLET_H

#include "pixverlet/base.h"
#include "pixverlet/body.h"
#include "pixverlet/build.h"
#include "pixverlet/carve.h"
#include "pixverlet/grains.h"
#include "pixverlet/image.h"
#include "pixverlet/joint.h"
#include "pixverlet/mask.h"
#include "pixverlet/matter.h"
#include "pixverlet/mover.h"
#include "pixverlet/placed.h"
#include "pixverlet/sheet.h"
#include "pixverlet/tasks.h"
#include "pixverlet/world.h"

#endif
