/* scores.h - the best plays, in a file of the player.
 *
 * Invariant: points never rise from one place to the next. A damaged file only loses its damaged
 * lines.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCORES_H
#define SCORES_H

#include <stdbool.h>

enum { SCORES_KEPT = 8, SCORES_NAME = 10 };

struct score {
    /// Name of capital letters, digits and spaces, at least one of them no space
    char name[SCORES_NAME + 1];
    int points, wave;
};

struct scores {
    struct score list[SCORES_KEPT];
    int count;
};

/// Reads a file; without a file there are no scores.
/// @return false if there is a file and it cannot be read
bool scores_read(struct scores *scores, const char *path);

/// Writes a file, whole or not at all.
bool scores_write(const struct scores *scores, const char *path);

/// Returns the place for a number of points, from 0; -1: none.
int scores_place(const struct scores *scores, int points);

/// Adds a play, if its points get it a place.
/// @param name name, without characters that are not allowed; an empty one becomes "NOBODY"
void scores_add(struct scores *scores, const char *name, int points, int wave);

/// Tells whether a name may have a character, after its change to a capital.
bool scores_allow(char *character);

#endif
