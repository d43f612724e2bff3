# amalgamate.awk - joins the library's files into one header or one source file, for `make amalgamation`.
# Run in the top of the tree; the names of the files to join, in this order, are lines of standard input.
#   awk -v part=header -f tools/amalgamate.awk     the public headers
#   awk -v part=source -v top=FILE -f tools/amalgamate.awk     *.c, with each private header where it is first needed;
#       first the lines of FILE, in which @INCLUDES@ stands for the system's headers, and @VERSION@ for -v version=
# A header without guard is text of a kernel: it is joined again for each kernel, and names get the kernel's name. So do
# private names that several source files have: each gets the name of its file.
# SPDX-License-Identifier: Zlib

function fail(text) {
  print "amalgamate.awk: " text >"/dev/stderr"
  failed = 1
  exit 1
}

# Puts out a line, or keeps it while the text of a kernel is collected.
function put(line) {
  if (kernel != "") text[++texts] = line
  else out[++outs] = line
}

# Tells whether a header is joined once: its first directive is a guard.
function guarded(path,   line, answer) {
  while (answer == "" && (getline line <path) > 0)
    if (line ~ /^#/) answer = line ~ /^#(pragma once|ifndef [A-Z_]*_H)$/ ? "yes" : "no"
  close(path)
  return answer == "yes"
}

# ---- Kernels

# Returns the name that a line at the left margin defines for its file alone, or "".
function private_name(line) {
  sub(/ __attribute__\(\([^"]*\)\)/, "", line)
  if (line ~ /^(static|PV__INLINE|PV__APART|INLINE|WIDE|LANES|TARGET) /) {
    if (line ~ /\{$/ && line !~ /[(=]/) return "" # its name comes with the closing brace
    if (!sub(/[[(=;].*/, "", line)) fail("a definition breaks before its name: " line)
  } else if (line ~ /^\} [a-z_]+(\[.*\])? = \{/) sub(/(\[.*)? = \{.*/, "", line)
  else if (line ~ /^struct [a-z_]+ \{$/) sub(/ \{$/, "", line)
  else if (line ~ /^typedef .*;$/ && line !~ /\{/) sub(/;$/, "", line)
  else if (line ~ /^typedef (struct|union|enum) /) sub(/ *\{.*/, "", line)
  else return ""
  sub(/ *$/, "", line)
  return match(line, /[A-Za-z_][A-Za-z_0-9]*$/) ? substr(line, RSTART) : ""
}

# Notes what a line defines for its file alone: functions, types, constants; macros end with the file.
function find_names_in(line,   n, k, word, name) {
  name = private_name(line)
  if (name != "") own[name] = 1
  if (line ~ /^(typedef )?enum .*\{.*\}/) {
    name = line
    gsub(/^[^{]*\{|\}.*$| *= *[^,]*/, "", name)
    n = split(name, word, /[ ,]+/)
    for (k = 1; k <= n; k++) if (word[k] != "") own[word[k]] = 1
  }
  if (match(line, /^ *# *define +[A-Za-z_0-9]+/)) {
    name = substr(line, RSTART, RLENGTH)
    sub(/.* /, "", name)
    if (!(name in macro)) order[++macros] = name
    macro[name] = 1
  }
}

# Finds the names of the collected text.
function find_names(   i) {
  split("", own)
  for (i = 1; i <= texts; i++) find_names_in(text[i])
}

# Counts in how many source files each private name is.
function count_names(path,   line, name) {
  split("", own)
  split("", macro)
  macros = 0
  while ((getline line <path) > 0) find_names_in(line)
  close(path)
  for (name in own) homes[name]++
  for (name in macro) homes[name]++
}

# Leaves out the names that no other file has.
function keep_twins(   name, i, kept) {
  for (name in own) if (homes[name] < 2) delete own[name]
  for (i = 1; i <= macros; i++) if (homes[order[i]] > 1) order[++kept] = order[i]
  macros = kept + 0
}

# Returns a line with the kernel's own names marked. Comments and strings stay, and so does what follows a . or ->.
function marked(line,   done, word, before) {
  if (line ~ /^ *\/\*/) comment = 1
  if (comment || line ~ /^ *\/\//) {
    if (line ~ /\*\//) comment = 0
    return line
  }
  while (match(line, /"([^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*/)) {
    word = substr(line, RSTART, RLENGTH)
    before = done substr(line, 1, RSTART - 1)
    done = before word (word in own && before !~ /(\.|->|[0-9])$/ ? "_" kernel : "")
    line = substr(line, RSTART + RLENGTH)
  }
  return done line
}

# Puts out the text of a kernel.
function end_kernel(plain,   i, name) {
  find_names()
  if (plain) keep_twins()
  for (i = 1; i <= texts; i++) text[i] = marked(text[i])
  name = kernel
  kernel = ""
  for (i = 1; i <= texts; i++) put(text[i])
  for (i = 1; i <= macros; i++) put("#undef " order[i])
  texts = macros = 0
  split("", macro)
}

# Returns the name of the kernel that a file is, or "": solver/contact_kernel_avx2.c is contact_avx2.
function kernel_of(path,   line, name, found) {
  if (path !~ /\.c$/) return ""
  while (!found && (getline line <path) > 0)
    if (line ~ /^#include "/ && line !~ /"(config\.h|pixverlet.*)"/) {
      split(line, name, "\"")
      found = !guarded("lib/" name[2])
    }
  close(path)
  if (!found) return ""
  sub(/.*\//, "", path)
  sub(/\.c$/, "", path)
  sub(/kernel_/, "", path)
  return path
}

# ---- Files

# Joins what an #include names, or puts the line out for the compiler.
function include(line, file,   piece, path, held) {
  if (line ~ /</) { system_include(line, file); return }
  split(line, piece, "\"")
  path = "lib/" piece[2]
  if (source && path ~ /^lib\/pixverlet/) return
  if (!guarded(path)) { take(path); return }
  if (path in taken) return
  held = kernel
  kernel = ""
  take(path)
  kernel = held
}

# Moves the system's headers to the top. Those that not every build has stay in their places.
function system_include(line, file) {
  sub(/ *\/\*.*/, "", line)
  if (line ~ /stb_image/) { # it includes headers of the system itself
    put("#pragma GCC visibility push(default)")
    put("#include \"stb_image.h\"")
    put("#pragma GCC visibility pop")
  }
  else if (line ~ /<(cjson\/cJSON|zlib|zstd|expat|pthread|emmintrin|immintrin)\.h>/) put(line)
  else if (source) system_header[line] = 1
  else if (!(line in system_header)) { system_header[line] = 1; put(line) }
}

function take(path,   line, skip, opened) {
  taken[path] = 1
  put("")
  put("/* ---- " path " ---- */")
  put("")
  while ((getline line <path) > 0) {
    opened = 1
    if (line == "#ifdef HAVE_CONFIG_H") skip = 1
    else if (skip) { if (line == "#endif") skip = 0 }
    else if (line ~ /^ *# *include/) include(line, path)
    else if (line == "#pragma once") continue
    else put(line)
  }
  close(path)
  if (!opened) fail("cannot read " path)
}

# Joins a source file.
function join(path,   plain) {
  kernel = kernel_of(path)
  plain = source && kernel == ""
  if (plain) {
    kernel = path
    gsub(/.*\/|\.c$/, "", kernel)
    kernel = "_" kernel
  }
  if (!(path in taken)) take(path)
  if (kernel != "") end_kernel(plain)
}

BEGIN { source = part == "source" }
{ paths[++path_count] = $0 }
END {
  if (failed) exit 1
  for (i = 1; source && i <= path_count; i++) count_names(paths[i])
  for (i = 1; i <= path_count; i++) join(paths[i])
  while (top != "" && (getline line <top) > 0) {
    gsub(/@VERSION@/, version, line)
    if (line !~ /@INCLUDES@/) { print line; continue }
    for (line in system_header) print line | "LC_ALL=C sort"
    close("LC_ALL=C sort")
  }
  for (i = 1; i <= outs; i++) if (out[i] != "" || out[i - 1] != "") print out[i]
}
