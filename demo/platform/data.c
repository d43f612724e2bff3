/* data.c - finds directories from an environment variable, the source tree, and the installed
 * files, in this order.
 *
 * Invariant: no file is opened, and no state is kept.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "platform/data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_directory(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *data_directory(const char *variable, const char *source, const char *installed) {
    const char *chosen = getenv(variable);
    if (is_directory(chosen)) return chosen;
    return is_directory(source) ? source : installed;
}
