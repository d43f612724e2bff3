/* free_name.h - names of files that do not exist yet.
 *
 * Invariant: no existing file is overwritten.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FREE_NAME_H
#define FREE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/// Finds the first free name in the working directory, counting from "STEM-000.EXTENSION".
/// @return false if a thousand files exist already
bool free_name(char *name, size_t size, const char *stem, const char *extension);

#endif
