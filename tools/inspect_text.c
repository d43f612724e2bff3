/* inspect_text.c - names of files, which may contain any byte, written into lines, JSON and XML.
 *
 * Invariant: the output is valid UTF-8 without control characters.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "inspect.h"

#include <string.h>

/// Returns the number of bytes of the valid UTF-8 sequence at s, or 0 if there is none. Unicode 15,
/// table 3-7.
static int sequence(const unsigned char *s) {
    int size = s[0] < 0x80   ? 1
               : s[0] < 0xc2 ? 0
               : s[0] < 0xe0 ? 2
               : s[0] < 0xf0 ? 3
               : s[0] < 0xf5 ? 4
                             : 0;
    unsigned char least = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char most = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
    if (size > 1 && (s[1] < least || s[1] > most)) return 0;
    for (int i = 2; i < size; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    return size;
}

static bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

/// Returns the replacement of a character, or null if it needs none.
static const char *escape(unsigned char c, enum text kind) {
    if (is_control(c)) return "?";
    if (kind == TEXT_JSON) return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
    if (kind == TEXT_XML) return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : NULL;
    return NULL;
}

void put_text(FILE *file, const char *text, enum text kind) {
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int size = sequence(s);
        const char *other = size == 0 ? "\xef\xbf\xbd" : escape(*s, kind);
        if (kind == TEXT_JSON && is_control(*s))
            fprintf(file, "\\u%04x", *s);
        else if (other)
            fputs(other, file);
        else
            fwrite(s, 1, (size_t)size, file);
        s += size > 0 ? size : 1;
    }
}
