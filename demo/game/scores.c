/* scores.c - a text file, one play per line: points, wave, name.
 *
 * Invariant: a written file reads back the same.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "game/scores.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool scores_allow(char *character) {
    if (*character >= 'a' && *character <= 'z') *character = (char)(*character - 'a' + 'A');
    return (*character >= 'A' && *character <= 'Z') || (*character >= '0' && *character <= '9') ||
           *character == ' ';
}

static void take_name(char name[SCORES_NAME + 1], const char *from) {
    int length = 0;
    for (; *from && length < SCORES_NAME; from++) {
        char c = *from;
        if (scores_allow(&c) && !(c == ' ' && length == 0)) name[length++] = c;
    }
    while (length > 0 && name[length - 1] == ' ') length--;
    name[length] = '\0';
    if (length == 0) strcpy(name, "NOBODY");
}

int scores_place(const struct scores *scores, int points) {
    int place = 0;
    while (place < scores->count && scores->list[place].points >= points) place++;
    return points > 0 && place < SCORES_KEPT ? place : -1;
}

void scores_add(struct scores *scores, const char *name, int points, int wave) {
    int place = scores_place(scores, points);
    if (place < 0) return;
    if (scores->count < SCORES_KEPT) scores->count++;
    size_t later = (size_t)(scores->count - place - 1);
    memmove(&scores->list[place + 1], &scores->list[place], later * sizeof scores->list[0]);
    scores->list[place].points = points;
    scores->list[place].wave = wave;
    take_name(scores->list[place].name, name);
}

static void read_line(struct scores *scores, const char *line) {
    int points, wave, length = 0;
    if (sscanf(line, "%9d %5d %n", &points, &wave, &length) == 2 && length > 0 && wave > 0)
        scores_add(scores, line + length, points, wave);
}

bool scores_read(struct scores *scores, const char *path) {
    char line[80];
    *scores = (struct scores){0};
    errno = 0;
    FILE *file = fopen(path, "r");
    if (!file) return errno == ENOENT;
    while (fgets(line, sizeof line, file)) read_line(scores, line);
    bool good = !ferror(file);
    fclose(file);
    return good;
}

bool scores_write(const struct scores *scores, const char *path) {
    char fresh[1024];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh) return false;
    FILE *file = fopen(fresh, "w");
    if (!file) return false;
    for (int i = 0; i < scores->count; i++)
        fprintf(file, "%d %d %s\n", scores->list[i].points, scores->list[i].wave,
                scores->list[i].name);
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    if (good && rename(fresh, path) == 0) return true;
    remove(fresh);
    return false;
}
