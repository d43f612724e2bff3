/* stopwatch.h - time that only goes forward.
 *
 * Invariant: nothing that a world depends on uses this time.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef STOPWATCH_H
#define STOPWATCH_H

/// Returns the time since some fixed moment [s].
double stopwatch_seconds(void);

#endif
