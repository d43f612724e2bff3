/* replay.c - runs a fuzz target on all files of directories, without libFuzzer.
 *
 * Invariant: each file is in memory of exactly its size, so a sanitizer sees reads past its end.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

static bool is_file(const char *path, size_t *size) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    *size = (size_t)about.st_size;
    return true;
}

static bool replay(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    bool good = file && data && fread(data, 1, size, file) == size;
    if (file) fclose(file);
    if (good) LLVMFuzzerTestOneInput(data, size);
    free(data);
    return good;
}

/// Replays files, and names each one first. Returns their number; -1: one could not be read.
static int replay_directory(const char *directory) {
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort), files = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        free(entries[i]);
        if (!is_file(path, &size) || files < 0) continue;
        printf("# %s\n", path);
        fflush(stdout);
        files = replay(path, size) ? files + 1 : -1;
    }
    if (count >= 0) free(entries);
    return count < 0 ? -1 : files;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int files = replay_directory(argv[i]);
        if (files < 1) {
            fprintf(stderr, "%s: no files that can be read\n", argv[i]);
            return 1;
        }
    }
    return argc < 2;
}
