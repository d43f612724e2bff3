# pages.awk - readies the documents for Doxygen: of each a page with an id, its sections with ids, links to other documents, sections
# and examples as the HTML has them, names of functions as links. Reads the public headers, then examples and documents, and writes to DIRECTORY:
# -v to=DIRECTORY. Chapters list the pages in order; a document that is in none of them goes into the last.
# SPDX-License-Identifier: Zlib

BEGIN {
    chapters[1] = "Learn it: GUIDE RECIPES CHEATSHEET ADOPT DEMO"
    chapters[2] = "Topics: ASSETS MATTER CARVING ROLLBACK WEB LUA PYTHON GLOSSARY"
    chapters[3] = "What it promises: PROMISES ACCURACY SPEED VERSIONS"
    chapters[4] = "Inside: ARCHITECTURE PAPER TRIED CONTRIBUTING"
    chapter_count = 4
}

# The names that the reference has.
FILENAME ~ /\.h$/ {
    if (/__/) next
    if (/^(PV_API|static inline) / && match($0, /pv_[a-z0-9_]+\(/)) known[substr($0, RSTART, RLENGTH - 1)] = 1
    if (/^typedef (struct|enum) pv_[a-z0-9_]+ \{/) known[$3] = 1
    next
}

# The opening of an example says what it is.
FILENAME ~ /\.c$/ {
    if (FNR == 1) {
        match($0, /[a-z_0-9]+\.c - /)
        print "/** @example " substr($0, RSTART, RLENGTH - 3) >(to "/examples.dox")
        $0 = "@details " toupper(substr($0, RSTART + RLENGTH, 1)) substr($0, RSTART + RLENGTH + 1)
        opening = 1
    }
    if (!opening) next
    if (/\*\//) opening = 0
    gsub(/SPDX.*|^ \*|\*\//, "")
    print $0 (opening ? "" : " */") >(to "/examples.dox")
    next
}

FNR == 1 {
    if (out != "") close(out)
    doc = FILENAME
    gsub(/^.*\/|\.md$/, "", doc)
    out = to "/" doc ".md"
    titled = inside = commented = 0
    if (doc != "README") found[doc] = 1
}
/^<!-- / { commented = 1 }
commented { if (/-->/) commented = 0; next }
/^```/ { inside = !inside; sub(/^```(text|cmake|js|lua)$/, "```"); print >out; next }
inside || /^    / { print >out; next }
doc == "README" && /^## / { sub(/^## /, ""); print "<h2>" $0 "</h2>" >out; next }
doc == "README" && /^# / { print $0 " {#mainpage}" >out; next }
/^# / && !titled { titled = 1; print $0 " {#" page(doc) "}\n\n@tableofcontents{HTML:1}" >out; next }
/^##+ / { id = page(doc) "_" slug($0); print prose($0) " {#" id (id in used ? "_" ++used[id] : "") "}" >out; used[id] += 0; next }
{ print prose($0) >out }

function page(name) { return "page_" tolower(name) }
function slug(text) { # as in links of Markdown
    text = tolower(text)
    gsub(/^#+ |[^a-z0-9_ -]/, "", text)
    gsub(/[ -]+/, "_", text)
    return text
}
function prose(text,    done, span, rest) { # a line outside of blocks: links, and names in backquotes
    gsub(/\]\((\.\.\/|docs\/)*/, "](", text)
    while (match(text, /`[^`]*`|\]\([^)]*\)/)) {
        span = substr(text, RSTART, RLENGTH)
        rest = substr(text, RSTART + RLENGTH)
        done = done substr(text, 1, RSTART - 1) (span ~ /^`/ ? code(span) : link(span))
        text = rest
    }
    return done text
}
function code(span,    at, name) { # the first function or type in it leads to the reference
    if (!match(span, /pv_[a-z0-9_]+/)) return piece(substr(span, 2, length(span) - 2))
    at = RSTART + RLENGTH
    name = substr(span, RSTART, RLENGTH)
    if (!(name in known)) return piece(substr(span, 2, length(span) - 2))
    if (match(span, /pv_[a-z0-9_]+\(/)) {
        at = RSTART + RLENGTH - 1
        name = substr(span, RSTART, RLENGTH - 1)
    }
    return piece(substr(span, 2, at - length(name) - 2)) "<code>@ref " name " \"" name "\"</code>" \
        piece(substr(span, at, length(span) - at))
}
function piece(text) { # to Doxygen a backquote and a quote are quotes
    if (text == "") return ""
    return index(text, "'") ? "``" text "``" : "`" text "`"
}
function link(span,    target, part) {
    target = substr(span, 3, length(span) - 3)
    if (target ~ /^[a-z]+:/ || target ~ /\.png$/) return span
    if (target ~ /^#/) return "](@ref " page(doc) "_" slug(substr(target, 2)) ")"
    if (target == "README.md") return "](index.html)"
    if (target ~ /\.md/) {
        split(target, part, /\.md#?/)
        return "](@ref " page(part[1]) (part[2] == "" ? "" : "_" slug(part[2])) ")"
    }
    if (sub(/^examples\//, "", target)) return "](" example(target) ")"
    if (target == "LICENSE") return "](LICENSE.txt)"
    if (target ~ /^lib\//) return "](@ref page_reference)"
    return span
}
function example(name) { # the page of a file, as Doxygen names it
    sub(/\.c$/, "_8c-example.html", name)
    return name
}

END {
    for (i = 1; i <= chapter_count; i++) {
        title = part = chapters[i]
        sub(/:.*/, "", title)
        sub(/.*: /, "", part)
        list = ""
        n = split(part, name, " ")
        for (k = 1; k <= n; k++)
            if (name[k] in found) {
                list = list "- @subpage " page(name[k]) "\n"
                delete found[name[k]]
            }
        if (i == chapter_count) for (rest in found) list = list "- @subpage " page(rest) "\n"
        print "# " title " {#chapter_" i "}\n\n" list >(to "/chapter_" i ".md")
    }
}
