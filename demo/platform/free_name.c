/* free_name.c - names of files that do not exist yet.
 *
 * Invariant: no existing file is overwritten.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "platform/free_name.h"

#include <stdio.h>

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

bool free_name(char *name, size_t size, const char *stem, const char *extension) {
    int number = 0;
    do snprintf(name, size, "%s-%03d.%s", stem, number++, extension);
    while (number < 1000 && exists(name));
    return !exists(name);
}
