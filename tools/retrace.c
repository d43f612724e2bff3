/* retrace.c - repeats the calls of a trace and reports the first difference.
 *
 * Invariant: no call is made before the whole file has been checked. Status 0: the same, 1: a
 * difference, 2: refused.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "retrace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/// Objects passed to a running call
typedef struct frame {
    const void *objects[16];
    int count;
    struct frame *outer;
} frame;

static struct {
    const char *path;
    unsigned char *bytes;
    /// Size of the file, and place of the next record
    size_t size, at;
    long long calls, steps, until;
    /// Name of the current call
    const char *name;
    /// Number of the current call
    long long number;
    /// Number of running callbacks
    int depth;
    bool dump, trusting;
    /// Innermost call
    frame *frame;
} run = {.until = -1};

// ---- reports ----

_Noreturn void refuse(const char *why, ...) {
    va_list list;
    va_start(list, why);
    fflush(stdout);
    fprintf(stderr, "pixverlet-retrace: %s: ", run.path);
    if (run.name) fprintf(stderr, "call %lld, %s(): ", run.number, run.name);
    vfprintf(stderr, why, list);
    fputc('\n', stderr);
    va_end(list);
    exit(2);
}

_Noreturn void differs(const char *what, ...) {
    va_list list;
    va_start(list, what);
    printf("call %lld, %s(), after %lld steps: ", run.number, run.name ? run.name : "", run.steps);
    vprintf(what, list);
    putchar('\n');
    va_end(list);
    exit(1);
}

_Noreturn static void done(const char *how) {
    printf("%lld calls, %lld steps: %s\n", run.calls, run.steps, how);
    exit(fflush(stdout) == 0 ? 0 : 2);
}

// ---- the file ----

static void load(void) {
    FILE *file = fopen(run.path, "rb");
    if (!file) refuse("%s", strerror(errno));
    for (size_t room = 0;;) {
        if (run.size == room) {
            room = room ? room * 2 : 1 << 16;
            run.bytes = realloc(run.bytes, room);
            if (!run.bytes) refuse("out of memory");
        }
        size_t got = fread(run.bytes + run.size, 1, room - run.size, file);
        run.size += got;
        if (got == 0) break;
    }
    if (ferror(file)) refuse("%s", strerror(errno));
    fclose(file);
}

static uint32_t number_at(size_t at) {
    const unsigned char *b = run.bytes + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/// Reads the record at the current place; returns false at the end. look_through() has checked
/// sizes.
static bool peek(trace_part *part) {
    if (run.at >= run.size) return false;
    const unsigned char *body = run.bytes + run.at + TRACE_RECORD_HEAD;
    *part = (trace_part){body[0], body[1] | body[2] << 8, body + 3, number_at(run.at) - 3};
    return true;
}

static void skip(const trace_part *part) { run.at = (size_t)(part->body + part->size - run.bytes); }

static void look_at(size_t at, uint32_t *digest) {
    if (run.size - at < TRACE_RECORD_HEAD) refuse("cut within a record, at byte %zu", at);
    uint32_t size = number_at(at), kept = number_at(at + 4);
    const unsigned char *body = run.bytes + at + TRACE_RECORD_HEAD;
    if (size < 3 || size > run.size - at - TRACE_RECORD_HEAD)
        refuse("cut or damaged at byte %zu", at);
    *digest = trace_digest(*digest, body, size);
    if (*digest != kept && !run.trusting) refuse("damaged at byte %zu", at);
    *digest = kept;
    int kind = body[0], id = body[1] | body[2] << 8, ids = 1;
    if (kind == RECORD_CALL || kind == RECORD_RETURN) ids = retrace_function_count;
    if (kind == RECORD_CALLBACK || kind == RECORD_ANSWER) ids = retrace_callback_count;
    if (kind >= RECORD_KINDS || id >= ids) refuse("a record of no known kind at byte %zu", at);
}

static void look_through(void) {
    if (run.size < TRACE_HEAD_SIZE || memcmp(run.bytes, TRACE_MAGIC, TRACE_MAGIC_SIZE) != 0)
        refuse("not a trace");
    uint32_t version = number_at(TRACE_MAGIC_SIZE), digest = TRACE_DIGEST_32;
    if (version != TRACE_VERSION) refuse("of version %" PRIu32 ", not %d", version, TRACE_VERSION);
    for (size_t at = TRACE_HEAD_SIZE; at < run.size; at += TRACE_RECORD_HEAD + number_at(at))
        look_at(at, &digest);
    run.at = TRACE_HEAD_SIZE;
}

static void start(void) {
    trace_part part;
    if (!peek(&part) || part.kind != RECORD_START) refuse("without a beginning");
    coder c = reader(&part, WAY_READ);
    uint64_t sum = read_number(&c, 8);
    const char *version = code_string(&c, NULL, NULL);
    if (sum != interface_sum)
        refuse("made with another pixverlet.h (of version %s; this is %s): take a retrace of that",
               version ? version : "?", pv_version());
    skip(&part);
}

// ---- again ----

static void play(void);

/// Reads a record of a kind and id. A file that ends within a call means that the program ended in
/// it.
static void expect(trace_part *part, int kind, int id) {
    if (!peek(part))
        done(kind == RECORD_ANSWER
                 ? "the same; there the program ended, within a callback"
                 : "the same; there the program ended, within a call which now came back");
    if (part->kind != kind || part->id != id) {
        if (part->kind == RECORD_CALLBACK)
            differs("it does not ask %s, and did", retrace_callbacks[part->id].name);
        if (part->kind == RECORD_END) done("the same; there the program ended, within a callback");
        refuse("a record out of order at byte %zu", run.at);
    }
    skip(part);
}

void retrace_use(const void *object) {
    frame *own = run.frame;
    if (own->count == sizeof own->objects / sizeof *own->objects)
        refuse("a call with too many objects");
    own->objects[own->count++] = object;
}

bool retrace_is_in_use(const void *object) {
    for (const frame *f = run.frame->outer; f; f = f->outer)
        for (int i = 0; i < f->count; i++)
            if (f->objects[i] == object) return true;
    return false;
}

static void call_again(trace_part *part) {
    const retrace_function *function = &retrace_functions[part->id];
    frame own = {.outer = run.frame};
    run.frame = &own;
    void *mark = scratch_mark();
    void *args = scratch(1, function->size);
    const char *name = function->name;
    long long number = ++run.calls;
    run.name = name, run.number = number;
    skip(part);
    coder c = reader(part, WAY_READ);
    function->in(&c, args);
    reader_ends(&c);
    if (!function->content) function->call(args);
    run.name = name, run.number = number;
    expect(part, RECORD_RETURN, part->id);
    c = reader(part, function->content ? WAY_READ : WAY_CHECK);
    if (strcmp(name, "pv_world_step") == 0) run.steps++;
    function->out(&c, args);
    reader_ends(&c);
    scratch_free(mark);
    run.frame = own.outer;
    if (run.steps == run.until && run.depth == 0) done("the same");
}

void retrace_callback(int id, void *args) {
    trace_part part;
    const char *name = run.name;
    long long number = run.number;
    if (!peek(&part)) done("the same; there the program ended, within a call which now goes on");
    if (part.kind != RECORD_CALLBACK || part.id != id)
        differs("it asks %s, and did not", retrace_callbacks[id].name);
    skip(&part);
    void *mark = scratch_mark();
    coder c = reader(&part, WAY_CHECK);
    retrace_callbacks[id].in(&c, args);
    reader_ends(&c);
    run.depth++;
    play();
    run.depth--;
    expect(&part, RECORD_ANSWER, id);
    c = reader(&part, WAY_READ);
    retrace_callbacks[id].out(&c, args);
    reader_ends(&c);
    scratch_free(mark);
    run.name = name, run.number = number;
}

/// Repeats calls until a record that is not a call.
static void play(void) {
    for (trace_part part; peek(&part);) {
        if (part.kind == RECORD_CALL)
            call_again(&part);
        else if (part.kind == RECORD_MASK) {
            coder c = reader(&part, WAY_READ);
            read_mask(&c);
            reader_ends(&c);
            skip(&part);
        } else
            return;
    }
}

// ---- as text ----

static void show_values(const trace_part *part, code_call_fn *code, size_t size) {
    coder c = reader(part, WAY_SHOW);
    code(&c, scratch(1, size));
    reader_ends(&c);
}

static void show(const trace_part *part) {
    bool calls = part->kind == RECORD_CALL || part->kind == RECORD_RETURN;
    const retrace_function *function = &retrace_functions[calls ? part->id : 0];
    const retrace_asked *asked = &retrace_callbacks[calls ? 0 : part->id];
    if (part->kind == RECORD_ANSWER) run.depth--;
    for (int i = 0; i < run.depth; i++) fputs("    ", stdout);
    switch (part->kind) {
    case RECORD_CALL:
        run.name = function->name, run.number = ++run.calls;
        printf("%lld %s(", run.number, function->name);
        show_values(part, function->in, function->size);
        puts(")");
        break;
    case RECORD_RETURN:
        fputs("    -> ", stdout);
        show_values(part, function->out, function->size);
        putchar('\n');
        run.steps += strcmp(function->name, "pv_world_step") == 0;
        break;
    case RECORD_CALLBACK:
        printf("    asks %s(", asked->name);
        show_values(part, asked->in, asked->size);
        puts(")");
        run.depth++;
        break;
    case RECORD_ANSWER:
        printf("    says ");
        show_values(part, asked->out, asked->size);
        putchar('\n');
        break;
    }
}

static void show_mask(const trace_part *part) {
    coder c = reader(part, WAY_SHOW);
    read_mask(&c);
    putchar('\n');
    reader_ends(&c);
}

static void dump(void) {
    for (trace_part part; peek(&part) && run.steps != run.until;) {
        void *mark = scratch_mark();
        if (part.kind == RECORD_MASK)
            show_mask(&part);
        else if (part.kind != RECORD_END && part.kind != RECORD_START)
            show(&part);
        scratch_free(mark);
        skip(&part);
    }
}

// ---- words ----

static int usage(FILE *to) {
    fputs("usage: pixverlet-retrace FILE [--until STEP] [--dump]\n"
          "Does the calls of a trace again; exit 0: they come to the same, 1: they do not, 2: FILE "
          "is refused.\n"
          "  --until STEP  end after so many steps of worlds\n"
          "  --dump        print the calls, do none\n"
          "  --version     print the version\n",
          to);
    return to == stdout ? 0 : 2;
}

static bool parse(int count, char **words) {
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--dump") == 0)
            run.dump = true;
        else if (strcmp(words[i], "--ignore-digests") == 0)
            run.trusting = true; // for tests that change bytes
        else if (strcmp(words[i], "--until") == 0 && i + 1 < count) {
            char *end;
            errno = 0;
            run.until = strtoll(words[++i], &end, 10);
            if (*end || end == words[i] || errno || run.until < 0) return false;
        } else if (words[i][0] != '-' && !run.path)
            run.path = words[i];
        else
            return false;
    }
    return run.path != NULL;
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "--help") == 0) return usage(stdout);
    if (count == 2 && strcmp(words[1], "--version") == 0) {
        printf("pixverlet-retrace %s\n", pv_version());
        return 0;
    }
    if (!parse(count, words)) return usage(stderr);
    load();
    look_through();
    start();
    if (run.dump) {
        dump();
        return fflush(stdout) == 0 ? 0 : 2;
    }
    if (run.until == 0) done("the same");
    play();
    trace_part part;
    if (!peek(&part)) done("the same; there the program ended, but not by itself");
    if (part.kind != RECORD_END) refuse("a record out of order at byte %zu", run.at);
    done("the same");
}
