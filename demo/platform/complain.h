/* complain.h - reports errors in the demo's input.
 *
 * Invariant: a report is one line on stderr, `pixverlet-demo: SUBJECT: reason`, and the exit status
 * 2.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include <stdio.h>

/// Exit status of every failure
#define EXIT_COMPLAINT 2

/// Prints the line and returns EXIT_COMPLAINT.
static inline int complain(const char *subject, const char *reason) {
    fprintf(stderr, "pixverlet-demo: %s: %s\n", subject, reason);
    return EXIT_COMPLAINT;
}

#endif
