/* stopwatch.h - time that only goes forward.
 *
 * Invariant: nothing that a world depends on is read from here.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef STOPWATCH_H
#define STOPWATCH_H

/// Seconds since some moment [s].
double stopwatch_seconds(void);

#endif
