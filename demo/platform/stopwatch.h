/* stopwatch.h - time that only goes forward.
 *
 * Invariant: worlds do not depend on this time.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef STOPWATCH_H
#define STOPWATCH_H

/// Returns the time since some fixed moment [s].
double stopwatch_seconds(void);

#endif
