/* scores.h - the best plays, kept in a file.
 *
 * Invariant: points never rise from one place to the next. A damaged file loses only its damaged
 * lines.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCORES_H
#define SCORES_H

#include <stdbool.h>

enum { SCORES_KEPT = 8, SCORES_NAME = 10 };

struct score {
    /// Name of capital letters, digits and spaces, but not of spaces alone
    char name[SCORES_NAME + 1];
    int points, wave;
};

struct scores {
    struct score list[SCORES_KEPT];
    int count;
};

/// Reads a file. A missing file means no scores.
/// @return false if the file exists but cannot be read
bool scores_read(struct scores *scores, const char *path);

/// Writes a file, whole or not at all.
bool scores_write(const struct scores *scores, const char *path);

/// Returns the place for a number of points, counted from 0, or -1 for no place.
int scores_place(const struct scores *scores, int points);

/// Adds a play, if its points earn a place.
/// @param name any text; characters not allowed are dropped, and an empty name becomes "NOBODY"
void scores_add(struct scores *scores, const char *name, int points, int wave);

/// Changes a letter to a capital, and tells whether a name may have the character.
bool scores_allow(char *character);

#endif
