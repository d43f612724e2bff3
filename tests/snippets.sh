#!/bin/sh
# snippets.sh - every block of C in the documents compiles, as C11 and as C++17, with all warnings as errors. A block with a
# main is a program, and one with a function at its margin is a file. Other blocks are statements in a function; those of one
# context follow each other in it. A comment above them declares it: <!-- context: pv_world *world; pv_body_id body -->.
# Usage: tests/snippets.sh [DOCUMENT...]
# SPDX-License-Identifier: Zlib
# shellcheck disable=SC2086

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}"
make_work

# Writes the blocks of a document: -v doc=NAME -v to=FILES. Errors name the document's lines.
cat >"$work/snippets.awk" <<'END'
BEGIN { file = to ".c"; print "#include <pixverlet.h>\n#include <stdio.h>" >file }

function leave() { if (open) print "}" >file; open = 0 }
function place(at) { return "#line " at " \"" doc "\"" }
function declare(    part, i, k, list) { # the context as parameters, its includes as they are
    leave()
    sub(/^.*<!-- context: */, "", context)
    sub(/;? *-->.*$/, "", context)
    k = split(context, part, / *; */)
    for (i = 1; i <= k; i++)
        if (part[i] ~ /^#include /) print part[i] >file
        else list = list (list == "" ? "" : ", ") part[i]
    parameters = list == "" ? "void" : list
    context_line = from
    context = ""
}
function write(    own, i) {
    blocks++
    if (program) {
        own = to "_" from ".c"
        print place(from + 1) >own
        for (i = 1; i <= count; i++) print line[i] >own
        close(own)
        return
    }
    if (margin) leave()
    else if (!open) {
        print place(context_line) "\nvoid snippet_" from "(" parameters ");\nvoid snippet_" from "(" parameters ") {" >file
        open = 1
    }
    print place(from + 1) >file
    for (i = 1; i <= count; i++) print line[i] >file
}

/^<!-- context: / { context = ""; from = FNR; commented = 1 }
commented {
    context = context " " $0
    if (/-->/) { commented = 0; declare() }
    next
}
/^```c$/ { inside = 1; from = FNR; count = program = margin = 0; next }
/^```/ && inside { inside = 0; write(); next }
inside {
    line[++count] = $0
    if (/^int main\(/) program = 1
    if (/^[A-Za-z_].*\) \{$/ && !/^(if|for|while|switch|do|else)/ || /^(static|typedef|struct|enum|#include) /) margin = 1
}
END { leave(); if (inside || commented) { print doc ": no end of the last block"; exit 1 }; print blocks + 0 }
END

# Finds calls of the library in blocks that are not marked as C, which would not be compiled.
cat >"$work/unmarked.awk" <<'END'
/^```/ { inside = !inside; marked = inside && /^```(c|cmake|sh|text)$/; next }
(inside ? !marked : /^    /) && /pv_[a-z_]+\(.*;/ { print doc ":" FNR ": C in a block without ```c: " $0 }
END

flags='-Wall -Wextra -Werror -pedantic -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable -fsyntax-only'
system=$(echo " $SDL2_CFLAGS" | sed 's/ -I */ -isystem /g')
lib=$(cd "$top_srcdir" && pwd)/lib
adapters=$(cd "$top_srcdir" && pwd)/adapters
data=$(cd "$top_srcdir" && pwd)/tests/data
cxx=yes
[ -n "$CXX" ] && $CXX --version >"$log" 2>&1 || cxx=no

try() { # try DOCUMENT NAME DIALECT COMPILER...: compiles all of its files in one call
  doc=$1 name=$2 std=$3
  shift 3
  (cd "$work" && "$@" -std=$std $flags -I"$lib" -I"$adapters" $system -isystem "$data" "$name"*.c) >"$log" 2>&1
  report $? "$doc: $(cat "$work/$name.count") blocks as $std"
}

cd "$top_srcdir" || exit 99
[ $# -gt 0 ] || set -- README.md docs/*.md
for doc in "$@"; do
  awk -v doc="$doc" -f "$work/unmarked.awk" "$doc"
done >"$log"
silent 'blocks with calls of the library are marked as C'

for doc in "$@"; do
  grep -q '^```c$' "$doc" || continue
  name=$(basename "$doc" .md)
  if ! awk -v doc="$doc" -v to="$work/$name" -f "$work/snippets.awk" "$doc" >"$log" 2>&1; then
    report 1 "$doc: blocks"
    continue
  fi
  cp "$log" "$work/$name.count"
  if [ -z "$SDL2_CFLAGS" ] && grep -q 'pixverlet/sdl' "$work/$name"*.c; then
    skip "$doc: its blocks compile" 'built without SDL'
    continue
  fi
  try "$doc" "$name" c11 $CC
  if [ $cxx = no ]; then
    skip "$doc: $(cat "$work/$name.count") blocks as c++17" 'no C++ compiler (Debian package: g++)'
  else
    try "$doc" "$name" c++17 $CXX -x c++
  fi
done
echo "1..$n"
