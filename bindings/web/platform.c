/* platform.c - the system functions that the library needs: a clock, and printing into a buffer.
 *
 * Invariant: the clock is the only import. There are no files and no environment. Printing supports
 * the conversions of the library's messages: %s, %d, %zu, %td and %.9g.
 *
 * SPDX-License-Identifier: Zlib
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Returns the milliseconds of a clock that never goes back.
__attribute__((import_module("pixverlet"), import_name("now"))) double web_import_now(void);

int clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    double now = web_import_now();
    time->tv_sec = (time_t)(now / 1e3);
    time->tv_nsec = (long)(1e6 * (now - 1e3 * (double)time->tv_sec));
    return 0;
}

char *getenv(const char *name) { return (void)name, NULL; }

/* ---- Printing. The C library's is as large as all masks, because of 128-bit numbers. ---- */

/// Text buffer; text that does not fit is dropped.
typedef struct printed {
    char *text;
    size_t size, length;
} printed;

static void print_char(printed *p, char c) {
    if (p->length + 1 < p->size) p->text[p->length] = c;
    p->length++;
}

static void print_text(printed *p, const char *text) {
    while (*text) print_char(p, *text++);
}

/// Prints a whole number with a minimum number of digits.
static void print_whole(printed *p, int64_t value, int digits) {
    char reversed[20];
    int n = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0) print_char(p, '-');
    for (; left > 0 || n < digits; left /= 10) reversed[n++] = (char)('0' + left % 10);
    while (n > 0) print_char(p, reversed[--n]);
}

enum { DIGITS = 9 };

/// Prints digits with the point after a number of them; 0 or less gives a number below 1. Omits
/// trailing zeros after the point.
static void print_digits(printed *p, const char *digits, int before) {
    int last = DIGITS;
    while (last > before && last > 1 && digits[last - 1] == '0') last--;
    if (before <= 0) print_text(p, "0.");
    for (int i = before; i < 0; i++) print_char(p, '0');
    for (int i = 0; i < last; i++) {
        if (i > 0 && i == before) print_char(p, '.');
        print_char(p, digits[i]);
    }
}

/// Prints a number like %.9g.
static void print_number(printed *p, double value) {
    double size = value < 0 ? -value : value;
    int exponent = 0;
    if (value < 0) print_char(p, '-');
    if (value != value || size - size != 0) return print_text(p, value != value ? "nan" : "inf");
    for (; size >= 10; size /= 10) exponent++;
    for (; size > 0 && size < 1; size *= 10) exponent--;
    int64_t rounded = (int64_t)(size * 1e8 + 0.5);
    if (rounded >= 1000000000) rounded /= 10, exponent++;
    char digits[DIGITS];
    for (int i = DIGITS; i-- > 0; rounded /= 10) digits[i] = (char)('0' + rounded % 10);
    if (exponent >= -4 && exponent < DIGITS) return print_digits(p, digits, exponent + 1);
    print_digits(p, digits, 1);
    print_text(p, exponent < 0 ? "e-" : "e+");
    print_whole(p, exponent < 0 ? -exponent : exponent, 2);
}

int vsnprintf(char *text, size_t size, const char *format, va_list arguments) {
    printed p = {text, size, 0};
    for (const char *c = format; *c; c++) {
        if (*c != '%')
            print_char(&p, *c);
        else if (strncmp(c, "%.9g", 4) == 0)
            print_number(&p, va_arg(arguments, double)), c += 3;
        else if (strncmp(c, "%zu", 3) == 0)
            print_whole(&p, (int64_t)va_arg(arguments, size_t), 1), c += 2;
        else if (strncmp(c, "%td", 3) == 0)
            print_whole(&p, va_arg(arguments, ptrdiff_t), 1), c += 2;
        else if (c[1] == 'd')
            print_whole(&p, va_arg(arguments, int), 1), c++;
        else if (c[1] == 's')
            print_text(&p, va_arg(arguments, const char *)), c++;
        else
            abort();
    }
    if (size > 0) text[p.length < size ? p.length : size - 1] = 0;
    return (int)p.length;
}

int snprintf(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}
