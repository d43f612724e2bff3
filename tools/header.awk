# header.awk - reads pixverlet.h statement by statement and gives each to understand(), which who uses it defines, as
# `awk -f tools/header.awk -f SCRIPT`; script names that one in what it complains of.
#
# It knows the header as clang-format leaves it: a statement ends where a line ends. Inline functions are left out.
# SPDX-License-Identifier: Zlib

/^#ifdef __cplusplus/ { hidden = 1 }
/^#/ || continued {
    if (/^#endif/) hidden = 0
    continued = /\\$/
    next
}
hidden { next }
{
    sub(/\/\/.*/, "")
    while (!comment && match($0, /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
    if (comment) {
        if (!sub(/^.*\*\//, "")) next
        comment = 0
    }
    if (sub(/\/\*.*/, "")) comment = 1
    gsub(/[ \t]+/, " ")
    if ($0 ~ /^ ?$/) next
    statement = statement (statement == "" ? "" : " ") $0
    line = $0
    depth += gsub(/\{/, "", line) - gsub(/\}/, "", line)
    if (statement ~ /^static inline / && depth == 0 && $0 ~ /\} ?$/) statement = ""
    if (depth == 0 && $0 ~ /; ?$/) {
        gsub(/  +/, " ", statement)
        sub(/ *; *$/, "", statement)
        understand(statement)
        statement = ""
    }
}

function fail(why) {
    print script ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

function word_after(s, start) {
    s = substr(s, length(start) + 1)
    sub(/[^a-z0-9_].*/, "", s)
    return s
}
