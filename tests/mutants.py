#!/usr/bin/env python3
# mutants.py - changes one line of lib/ at a time, and lists the changes that no suite catches; `make mutants`.
# SPDX-License-Identifier: Zlib
#
# Works on a copy in mutants/ under the build directory. For a mutant, one file is recompiled and one shared library relinked. The
# suites that cover its line run until one fails, beginning with those that killed mutants of the same file. Survivors run again
# with AddressSanitizer and UndefinedBehaviorSanitizer. A mutant whose object equals the original's is equivalent and is not run.

import argparse
import concurrent.futures
import glob
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

WORK = "mutants"
MAKE = os.environ.get("MAKE", "make")
TOP = os.environ.get("top_srcdir", "..")
COVERAGE = ["--coverage", "-O1", "-g"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
SCENES = "scene_hashes"  # counts as a suite, which passes if it prints what the original prints

# Each change is a pattern and the replacements for its first group.
SWAPS = [
    (r"(?<=[\w\])]) (<)(?= )", ["<=", ">="]),
    (r"(?<=[\w\])]) (<=)(?= )", ["<", ">"]),
    (r"(?<=[\w\])]) (>)(?= )", [">=", "<="]),
    (r"(?<=[\w\])]) (>=)(?= )", [">", "<"]),
    (r" (==) ", ["!="]),
    (r" (!=) ", ["=="]),
    (r"(?<=[\w\])]) (\+) ", ["-"]),
    (r"(?<=[\w\])]) (-) ", ["+"]),
    (r"(?<=[\w\])]) (\*) (?=[\w(])", ["/"]),
    (r"(?<=[\w\])]) (/) ", ["*"]),
    (r" (&&) ", ["||"]),
    (r" (\|\|) ", ["&&"]),
    (r"(?<=[\w\])]) (&) (?=[\w(~])", ["|"]),
    (r"(?<=[\w\])]) (\|) (?=[\w(])", ["&"]),
    (r" (\+=) ", ["-=", "="]),
    (r" (-=) ", ["+=", "="]),
    (r" (\|=) ", ["=", "&="]),
    (r" (&=) ", ["=", "|="]),
    (r"[\w\])](\+\+)", ["--"]),
    (r"[\w\])](--)", ["++"]),
    (r"(?<=[(&| ])(!)(?=[\w(])", [""]),
    (r"\b(true)\b", ["false"]),
    (r"\b(false)\b", ["true"]),
    (r"\b(pv__min)\(", ["pv__max"]),
    (r"\b(pv__max)\(", ["pv__min"]),
    (r"\b(pv__abs)\(", [""]),
    (r"\b(pv__add)\(", ["pv__sub"]),
    (r"\b(pv__sub)\(", ["pv__add"]),
    (r"(?<![\w.])(0)(?![\w.])", ["1"]),
    (r"(?<![\w.])([1-9]\d*)(?![\w.])", [lambda n: str(int(n) + 1), lambda n: str(int(n) - 1)]),
    (r"(?<![\w.])(\d+\.\d+)(?![\w.])", [lambda n: repr(float(n) * 1.25 + (float(n) == 0))]),
    (r"^\s*(?:\} else )?if \((.*)\) (?:[^()]*;|\{|.*;)$", ["true", "false"]),
    (r"^\s*while \((.*)\)(?: .*;| \{)$", ["false"]),
    (r" \? (.*) : [^:?]*;$", [lambda text: "0"]),
    (r"\b(break);", ["continue"]),
    (r"\b(continue);", ["break"]),
]
# A statement on a line of its own, which a mutant leaves out; declarations are kept.
STATEMENT = re.compile(
    r"^\s+(?!return\b|goto\b|case\b|default\b|static\b|const\b|struct\b|enum\b|typedef\b|break\b|continue\b)"
    r"((?:[\w.\[\]>()*&+ -]+ (?:[-+*/|&^]|<<|>>)?= .*|[\w.>-]+(?:\+\+|--)|\*?[\w.>\[\]-]+\(.*\));)$"
)
DECLARES = re.compile(r"^\s+(?:pv_\w+|pv__\w+|double|int|bool|unsigned|u?int\d+_t|size_t|char) [*\w]")


def stop(text):
    sys.exit("mutants.py: " + text)


def end_session(session):
    """Kills a suite and all processes it started."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) == session:
                os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has ended already


def run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


# ---- what make knows ----


def ask_make():
    """Returns the compiler, the files, and the objects and libraries of each suite, as make tells them."""
    show = (
        'mutants-show: ; @$(foreach s,$(suites) $(demo_suites) $(png_suites) tests/scene_hashes,echo "suite|$(s)|'
        '$($(subst /,_,$(s))_OBJECTS)|$($(subst /,_,$(s))_LDADD)";) echo "compile|$(COMPILE)"; '
        'echo "files|$(libpixverlet_core_la_SOURCES)"; echo "link|$(CCLD) $(AM_CFLAGS) $(CFLAGS)"; '
        'echo "libs|$(libpixverlet_core_la_LIBADD)"'
    )
    told = run([MAKE, "--no-print-directory", "--eval=" + show, "mutants-show"])
    known = {"suites": {}}
    for line in told.stdout.splitlines():
        kind, _, rest = line.partition("|")
        if kind == "suite":
            name, objects, libraries = rest.split("|")
            known["suites"][os.path.basename(name)] = (objects.split(), libraries.split())
        elif kind in ("compile", "link", "libs", "files"):
            known[kind] = rest.split()
    if "files" not in known:
        stop("make does not tell how it builds:\n" + told.stdout)
    for kind in ("compile", "link"):  # suites may call what the library does not export; debug info is not needed
        known[kind] = [flag for flag in known[kind] if flag not in ("-fvisibility=hidden", "-g")]
    known["files"] = [f.split("lib/", 1)[1] for f in known["files"] if f.endswith(".c")]
    return known


# ---- a build of the library and the suites ----


class Build:
    """Objects of the original in a directory, with suites that load the library in LD_LIBRARY_PATH."""

    def __init__(self, known, name, flags):
        self.known, self.flags = known, flags
        self.directory = os.path.join(WORK, name)
        os.makedirs(os.path.join(self.directory, "original"), exist_ok=True)

    def object_of(self, file):
        return os.path.join(self.directory, file[:-2].replace("/", "-") + ".o")

    def compile(self, source, target, headers=os.path.join(WORK, "lib")):
        compiler, *flags = self.known["compile"]
        flags = ["-I" + headers] + flags + self.flags + ["-fPIC", "-w", "-c", source, "-o", target]
        return run([compiler] + flags).returncode == 0

    def link(self, objects, directory):
        os.makedirs(directory, exist_ok=True)
        target = os.path.join(directory, "libmutant.so")
        libraries = ["-shared", "-Wl,-Bsymbolic-functions", "-Wl,-soname,libmutant.so", "-o", target]
        done = run(self.known["link"] + self.flags + libraries + objects + self.known["libs"])
        return done.returncode == 0 or stop("the library does not link:\n" + done.stdout)

    def link_suite(self, name):
        objects, libraries = self.known["suites"][name]
        own = {"libpixverlet-core.la": os.path.join(self.directory, "original", "libmutant.so")}
        command = self.known["link"] + self.flags + ["-o", os.path.join(self.directory, name)] + objects
        done = run(command + [own.get(word, word) for word in libraries] + ["-lm"])
        return done.returncode == 0 or stop("%s does not link:\n%s" % (name, done.stdout))

    def make(self, pool):
        files = self.known["files"]
        sources = [os.path.join(WORK, "lib", f) for f in files]
        if not all(pool.map(self.compile, sources, map(self.object_of, files))):
            stop("the original does not compile")
        self.link([self.object_of(f) for f in files], os.path.join(self.directory, "original"))
        list(pool.map(self.link_suite, self.known["suites"]))

    def link_mutant(self, file, changed, directory):
        self.link([changed if f == file else self.object_of(f) for f in self.known["files"]], directory)

    def play(self, name, directory, limit, **more):
        """Runs a suite on a library. Returns its output and status, or None when it took too long."""
        here = dict(os.environ, LD_LIBRARY_PATH=os.path.abspath(directory), top_srcdir=TOP, srcdir=TOP,
                    SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", UBSAN_OPTIONS="halt_on_error=1",
                    CK_FORK="no", **more)
        command = [os.path.join(self.directory, name)]
        if name == SCENES:
            scenes = run(command, env=here).stdout.split()
            command += ["150", "10"] + scenes
        process = subprocess.Popen(command, env=here, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            output = process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            end_session(process.pid)
            process.communicate()
            return None
        return output, process.returncode


class Coverage:
    """The suites that run each line of lib/."""

    def __init__(self, known, pool):
        self.build = Build(known, "covered", COVERAGE)
        self.build.make(pool)
        self.suites = {}  # names of the suites that run a line, by file and line
        self.lines = set()  # lines that have code
        list(pool.map(self.count, known["suites"]))

    def count(self, name):
        """Runs a suite and adds its line counts, which go to a directory of its own with the compiler's notes."""
        own = os.path.abspath(os.path.join(self.build.directory, "counts-" + name))
        self.build.play(name, os.path.join(self.build.directory, "original"), 3600, GCOV_PREFIX=own)
        objects = os.path.abspath(self.build.directory)
        for counts in glob.glob(own + objects + "/*.gcda"):
            shutil.copy(os.path.join(objects, os.path.basename(counts)[:-5] + ".gcno"), os.path.dirname(counts))
            told = subprocess.run(["gcov", "--json-format", "--stdout", counts], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, cwd=own)
            for source in json.loads(told.stdout)["files"]:
                self.add(name, source)
        shutil.rmtree(own, ignore_errors=True)

    def add(self, name, source):
        file = source["file"].split(WORK + "/lib/", 1)[-1]
        for line in source["lines"]:
            key = file, line["line_number"]
            self.lines.add(key)
            if line["count"]:
                self.suites.setdefault(key, set()).add(name)

    def runs(self, name, mutant):
        """Tells if a suite may run the mutant's line. Lines without code of their own (constants, continuations) count for all."""
        key = mutant.file, mutant.number
        return key not in self.lines or name in self.suites.get(key, ())


# ---- mutants ----


class Mutant:
    def __init__(self, file, number, line, text):
        self.file, self.number, self.line, self.text = file, number, line, text

    def __str__(self):
        return "lib/%s:%d: %s  ->  %s" % (self.file, self.number, self.line.strip(), self.text.strip() or ";")


def is_code(line):
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(("//", "/*", "*", "#")) and len(stripped) > 2


def code_of(line):
    """Returns a line without its comment."""
    return re.sub(r"\s*(///?<? .*|/\*.*)$", "", line)


def changes_of(line):
    code = code_of(line)
    rest = line[len(code):]
    quoted = [m.span() for m in re.finditer(r'"[^"]*"', code)]
    found = []
    for pattern, others in SWAPS:
        for match in re.finditer(pattern, code):
            start, end = match.span(1)
            if any(a < end and start < b for a, b in quoted):
                continue
            for other in others:
                text = other(match.group(1)) if callable(other) else other
                found.append(code[:start] + text + code[end:] + rest)
    match = STATEMENT.match(code)
    if match and not DECLARES.match(code):
        found.append(code[: match.start(1)] + ";" + rest)
    return [text for text in dict.fromkeys(found) if text != line]


def mutants_of(files):
    for file in files:
        with open(os.path.join(WORK, "lib", file), encoding="utf-8") as source:
            inside = False
            for number, line in enumerate(source.read().split("\n"), 1):
                inside = inside or line.lstrip().startswith("/*")
                if not inside and is_code(line):
                    for text in changes_of(line):
                        yield Mutant(file, number, line, text)
                inside = inside and "*/" not in line


class Hunt:
    """Runs mutants, and remembers which suites kill mutants of each file."""

    def __init__(self, known, options):
        self.known, self.options = known, options
        self.lock = threading.Lock()
        self.seats = queue.Queue()
        for seat in range(options.jobs):
            self.seats.put(seat)
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        self.kills, self.limits, self.cost, self.scenes = {}, {}, {}, {}
        self.left_out = set()
        self.survivors, self.counts, self.done = [], {}, 0
        self.coverage = Coverage(known, self.pool)
        self.plain = Build(known, "plain", [])
        self.sanitized = Build(known, "sanitized", SANITIZE)

    def prepare(self, build):
        """Runs the suites on the original. Those that fail are left out; the times set the limits for mutants."""
        build.make(self.pool)

        def one(name):
            begin = time.time()
            said = build.play(name, os.path.join(build.directory, "original"), 3600)
            took = time.time() - begin
            with self.lock:
                self.limits[build, name], self.cost[build, name] = 20 + 6 * took, took
                self.scenes[build] = said[0] if name == SCENES else self.scenes.get(build)
            return name, name == SCENES or self.is_good(build, name, said)

        failed = [name for name, good in self.pool.map(one, self.known["suites"]) if not good]
        for name in failed:
            print("mutants.py: left out, for it fails on the original: " + name, flush=True)
        slow = [n for n in self.known["suites"] if self.cost[build, n] > self.options.longest]
        self.left_out.update((build, name) for name in failed + slow)

    def is_good(self, build, name, said):
        if said is None or said[1] != 0:
            return False
        return said[0] == self.scenes[build] if name == SCENES else not re.search(r"^not ok", said[0], re.M)

    def order(self, build, mutant):
        """Returns the suites that run the line. First come those that killed most mutants for their time, above all of this file."""
        file = mutant.file
        with self.lock:
            kills = dict(self.kills)
        suites = [n for n in self.known["suites"] if (build, n) not in self.left_out]
        names = [n for n in suites if self.coverage.runs(n, mutant)]

        def worth(name):
            topic = os.path.basename(file)[:-2].split("_")
            named = name[5:] in topic or name[5:] == "_".join(topic)
            own = kills.get((file, name), 0) + 2 * named
            everywhere = sum(n for key, n in kills.items() if key[1] == name)
            return -(own + 0.02 * everywhere + 0.01) / (0.3 + self.cost[build, name])

        return sorted(names, key=worth)

    def killer(self, build, mutant, changed, directory):
        build.link_mutant(mutant.file, changed, directory)
        for name in self.order(build, mutant):
            if not self.is_good(build, name, build.play(name, directory, self.limits[build, name])):
                with self.lock:
                    self.kills[mutant.file, name] = self.kills.get((mutant.file, name), 0) + 1
                return name
        return None

    def try_mutant(self, build, mutant, seat):
        """Returns `stillborn`, `equivalent`, the name of the suite that kills the mutant, or None."""
        directory = os.path.join(build.directory, "seat%d" % seat)
        os.makedirs(directory, exist_ok=True)
        source, changed = os.path.join(directory, "lib", mutant.file), os.path.join(directory, "mutant.o")
        shutil.copytree(os.path.join(WORK, "lib"), os.path.join(directory, "lib"), dirs_exist_ok=True)
        with open(source, encoding="utf-8") as text:
            lines = text.read().split("\n")
        lines[mutant.number - 1] = mutant.text
        with open(source, "w", encoding="utf-8") as text:
            text.write("\n".join(lines))
        if not build.compile(source, changed, os.path.join(directory, "lib")):
            return "stillborn"
        if self.is_same(changed, build.object_of(mutant.file)):
            return "equivalent"
        return self.killer(build, mutant, changed, directory)

    @staticmethod
    def is_same(one, other):
        with open(one, "rb") as a, open(other, "rb") as b:
            return a.read() == b.read()

    def hunt(self, build, mutants, tell):
        def one(mutant):
            seat = self.seats.get()
            try:
                outcome = self.try_mutant(build, mutant, seat)
            finally:
                self.seats.put(seat)
            with self.lock:
                self.done += 1
                tell(mutant, outcome)

        list(self.pool.map(one, mutants))


def report(hunt, total):
    counts = hunt.counts
    killed = sum(n for outcome, n in counts.items() if outcome.startswith("killed"))
    ran = killed + len(hunt.survivors)
    lines = ["%d mutants: %d killed (%d by sanitizers alone), %d survived, %d equivalent, %d did not compile"
             % (total, killed, counts.get("killed sanitized", 0), len(hunt.survivors), counts.get("equivalent", 0),
                counts.get("stillborn", 0))]
    if ran:
        lines.append("%.1f %% of those that ran were killed" % (100 * killed / ran))
    lines += ["survived: %s" % m for m in sorted(hunt.survivors, key=lambda m: (m.file, m.number))]
    with open(os.path.join(WORK, "report.txt"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    print("\n".join(lines))


def choose(options, files):
    mutants = list(mutants_of(files))
    if options.line:
        wanted = {(f, int(n)) for f, n in (line.rsplit(":", 1) for line in options.line)}
        return [m for m in mutants if (m.file, m.number) in wanted]
    random.Random(options.seed).shuffle(mutants)
    return mutants[options.skip : options.skip + options.count]


def main():
    parser = argparse.ArgumentParser(prog="mutants.py", description="Lists changes of lib/ that no suite notices.")
    parser.add_argument("--count", type=int, default=100, help="how many mutants (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="which of them (default 1)")
    parser.add_argument("--skip", type=int, default=0, help="how many of a seed's mutants were run before (default 0)")
    parser.add_argument("--only", action="append", help="files of lib/, as shape/contour.c (default all)")
    parser.add_argument("--line", action="append", help="FILE:LINE: all mutants of these lines")
    parser.add_argument("--suite", action="append", help="suites (default all)")
    parser.add_argument("--longest", type=float, default=1e9, help="suites that take more seconds are left out")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (default 1)")
    parser.add_argument("--no-sanitizers", action="store_true", help="survivors are not run once more")
    parser.add_argument("--list", action="store_true", help="say what would be run")
    options = parser.parse_args()
    known = ask_make()
    for name in [s for s in known["suites"] if options.suite and s not in options.suite]:
        del known["suites"][name]
    os.makedirs(WORK, exist_ok=True)
    shutil.copytree(os.path.join(TOP, "lib"), os.path.join(WORK, "lib"), dirs_exist_ok=True)
    wanted = options.only or known["files"]
    mutants = choose(options, [f for f in known["files"] if f in wanted])
    if options.list:
        print("\n".join(map(str, mutants)))
        return
    hunt = Hunt(known, options)
    hunt.prepare(hunt.plain)
    begin = time.time()

    def count(outcome):
        hunt.counts[outcome] = hunt.counts.get(outcome, 0) + 1

    def tell(mutant, outcome):
        if outcome in ("stillborn", "equivalent"):
            count(outcome)
        elif outcome:
            count("killed")
        else:
            hunt.survivors.append(mutant)
        took = time.time() - begin
        print("%d/%d %.0f s %s: %s" % (hunt.done, len(mutants), took, outcome or "SURVIVED", mutant), flush=True)

    def tell_sanitized(mutant, outcome):
        if outcome and outcome not in ("stillborn", "equivalent"):
            count("killed sanitized")
            hunt.survivors.remove(mutant)
            print("sanitizers, %s: %s" % (outcome, mutant), flush=True)

    hunt.hunt(hunt.plain, mutants, tell)
    if hunt.survivors and not options.no_sanitizers:
        hunt.prepare(hunt.sanitized)
        hunt.hunt(hunt.sanitized, list(hunt.survivors), tell_sanitized)
    report(hunt, len(mutants))


if __name__ == "__main__":
    main()
