/* scores.h - the best plays, in a file of the player's.
 *
 * Invariant: points never rise from one place to the next. A file that is damaged costs its damaged
 * lines only.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCORES_H
#define SCORES_H

#include <stdbool.h>

enum { SCORES_KEPT = 8, SCORES_NAME = 10 };

struct score {
    /// Capital letters, digits, spaces; at least one that is no space
    char name[SCORES_NAME + 1];
    int points, wave;
};

struct scores {
    struct score list[SCORES_KEPT];
    int count;
};

/// Reads a file; without one there are no scores.
/// @return false when there is one and it cannot be read
bool scores_read(struct scores *scores, const char *path);

/// Writes a file, whole or not at all.
bool scores_write(const struct scores *scores, const char *path);

/// The place that so many points would get, from 0; -1: none.
int scores_place(const struct scores *scores, int points);

/// Enters a play, if its points get it a place.
/// @param name what is not allowed in one is left out; nobody's is "NOBODY"
void scores_add(struct scores *scores, const char *name, int points, int wave);

/// Tells whether a name may have a character, after it is made a capital.
bool scores_allow(char *character);

#endif
