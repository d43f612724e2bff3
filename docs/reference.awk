# reference.awk - readies a header for Doxygen: groups get names of their own, for pages are named after them, and man
# pages share their directory with others'; what is said of "double x, y; ///< so" is said of both; pixverlet.h's
# opening is the first page. Lines stay lines.
# SPDX-License-Identifier: Zlib

# Writes what is held back: every name of a declaration with the words that stand behind it, and lines for those it took.
function put(   names, count, type, k) {
    if (!held) return
    count = split(code, names, /,[[:space:]]*/)
    match(names[1], /\**[A-Za-z_0-9]+$/)
    type = substr(names[1], 1, RSTART - 1)
    for (k = 1; k <= count; k++) printf("%s%s; /**< %s */", (k > 1 ? type : ""), names[k], said)
    while (held-- > 0) print ""
    held = 0
}

# Takes the end of a declaration: what is left of it, and its words.
function finish(line,   at) {
    at = index(line, "///< ")
    code = code substr(line, 1, at - 1)
    sub(/;[[:space:]]*$/, "", code)
    said = substr(line, at + 5)
    open = 0
}

open {
    held++
    line = $0
    sub(/^[[:space:]]+/, " ", line)
    if (line ~ /;[[:space:]]+\/\/\/< /) finish(line)
    else code = code line
    next
}
held && /^ +\/\/\/< / {
    held++
    sub(/^ *\/\/\/< /, "")
    said = said " " $0
    next
}
{ put() }
/^    [A-Za-z_][A-Za-z_0-9 *]*,[^()]*;[[:space:]]+\/\/\/< / {
    held = 1
    code = ""
    finish($0)
    next
}
/^    [A-Za-z_][A-Za-z_0-9 *,]*,$/ && !/^    [A-Z_0-9]+,$/ {
    held = open = 1
    code = $0
    next
}
/^\/\* pixverlet\.h - / { sub(/^\/\* pixverlet\.h - t/, "/** @mainpage T") }
/^ \* SPDX-/ { $0 = " *" }
{ sub(/@defgroup /, "&pixverlet_"); print }
END { put() }
