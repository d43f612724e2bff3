# cdef.awk - prints the statements that tools/header.awk reads as declarations for LuaJIT, one a line.
#
# An enum becomes an int: LuaJIT would put each result of an enum type into a box.
# SPDX-License-Identifier: Zlib

function understand(s) {
    sub(/^PV_API /, "", s)
    if (s ~ /^struct [a-z0-9_]+$/) return
    if (s ~ /^typedef enum /) {
        name = word_after(s, "typedef enum ")
        sub(/^typedef enum [a-z0-9_]+/, "enum", s)
        sub(/ [a-z0-9_]+$/, "", s)
        print "typedef int " name ";"
    }
    print s ";"
}
