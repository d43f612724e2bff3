# reference.awk - readies a header for Doxygen: groups get names of their own, for pages are named after them, and man
# pages share their directory with others'; a comment above "double x, y;" is given to both; pixverlet.h's opening is the
# first page, or with -v opening=page a page of its own. Lines stay lines.
# SPDX-License-Identifier: Zlib

# Writes every name of a declaration with the comment above it, and empty lines for those that it took.
function spread(   names, count, type, k) {
    sub(/;[[:space:]]*$/, "", code)
    count = split(code, names, /,[[:space:]]*/)
    match(names[1], /\**[A-Za-z_0-9]+$/)
    type = substr(names[1], 1, RSTART - 1)
    for (k = 1; k <= count; k++) printf("%s%s; /**< %s */", (k > 1 ? type : ""), names[k], said)
    while (held-- > 0) print ""
    said = raw = code = ""
    held = 0
}

# A declaration of several names that goes on in further lines.
code != "" {
    held++
    sub(/^[[:space:]]+/, " ")
    code = code $0
    if (/;[[:space:]]*$/) spread()
    next
}
/^ +\/\/\/ / {
    raw = raw $0 "\n"
    held++
    sub(/^ *\/\/\/ /, "")
    said = said (said == "" ? "" : " ") $0
    next
}
held && /^ +[A-Za-z_][A-Za-z_0-9 *]*,[^(){}=]*;?$/ && !/^ +[A-Z_0-9]+,$/ {
    held++
    code = $0
    if (/;[[:space:]]*$/) spread()
    next
}
held {
    printf("%s", raw)
    said = raw = ""
    held = 0
}
/^\/\* pixverlet\.h - / && opening == "page" { $0 = "/** @page page_reference Units, threads, conventions" }
/^\/\* pixverlet\.h - / { sub(/^\/\* pixverlet\.h - t/, "/** @mainpage T") }
/^ \* SPDX-/ { $0 = " *" }
opening == "page" && /@defgroup sdl_/ { sub(/ sdl_[a-z]+ /, "&SDL: ") }
{ sub(/@defgroup /, "&pixverlet_"); print }
