# cheatsheet.awk - reads the public headers and writes docs/CHEATSHEET.md: a line for each function, in three parts. With -v roff=VERSION
# it writes the same for groff, on landscape sheets with three columns and without types, after docs/cheatsheet.roff.
# SPDX-License-Identifier: Zlib

BEGIN {
    parts[1] = "The world"
    groups[1] = "world clock bodies events contacts world_queries carving grains mover snapshots tasks debug listing"
    parts[2] = "Pixels"
    groups[2] = "masks operations placed queries images canvas materials frames tilemaps"
    parts[3] = "All else"
    groups[3] = "constraints particles polygons liquids matter forces builders handles values status kernels sdl sdl_masks " \
        "sdl_sprites sdl_draw sdl_scene sdl_game"
}

match($0, /@defgroup [a-z_]+ /) {
    group = substr($0, RSTART + 10, RLENGTH - 11)
    title[group] = (group ~ /^sdl_/ ? "SDL: " : "") substr($0, RSTART + RLENGTH)
    order[++group_count] = group
}
/^\/\/\/ @/ { ended = 1 }
/^\/\/\/ / && !ended { text = text (text == "" ? "" : " ") substr($0, 5) }
/^(PV_API|static inline) / { declaration = "" ; open = 1 }
open {
    declaration = declaration " " $0
    if (/[;{]$/ || /\}$/) {
        add()
        open = 0
    }
}
!/^\/\/\// && !open { text = ""; ended = 0 }

function add(    result, name, arguments, list, count, i, call, typed, own) {
    gsub(/PV_API|static inline/, "", declaration)
    sub(/[;{].*$/, "", declaration)
    sub(/ (PV_SDL_[A-Z]+|__attribute__) *\(.*$/, "", declaration)
    gsub(/[ \t]+/, " ", declaration)
    match(declaration, /[a-z_0-9]+\(/)
    name = substr(declaration, RSTART, RLENGTH - 1)
    result = substr(declaration, 2, RSTART - 2)
    arguments = substr(declaration, RSTART + RLENGTH)
    sub(/\) *$/, "", arguments)
    if (name ~ /__/ || group == "" || text == "") return
    if (arguments == "void") arguments = ""
    count = split(arguments, list, / *, */)
    for (i = 1; i <= count; i++) {
        sub(/\[[^\]]*\]$/, "", list[i])
        gsub(/const /, "", list[i])
        match(list[i], /[A-Za-z_0-9.]+$/)
        own = RSTART ? substr(list[i], RSTART) : list[i]
        call = call (i > 1 ? ", " : "") own
        typed = typed (i > 1 ? ", " : "") (list[i] ~ "^pv_" own "(_id)? [*]?" own "$" ? own : list[i])
    }
    if (sub(/ $/, "", result) && result !~ /\*$/) result = result " "
    sub(/\. .*$/, "", text)
    sub(/\.$/, "", text)
    sub(/[:;] .*$/, "", text)
    sub(/, (as|by|for|from|in|so|using|which|with) .*$/, "", text)
    lines[group] = lines[group] (roff == "" ? row(result name "(" typed ")", text) : entry(result, name, call, text))
    text = ""
    ended = 0
}

function row(call, text) {
    gsub(/const /, "", call)
    sub(/^pv_status /, "", call)
    sub(/^Returns /, "", text)
    sub(/^Tells whether/, "whether", text)
    return "- `" call "`: " text "\n"
}

# An entry for groff; a call is broken after its commas alone.
function entry(result, name, call, text) {
    gsub(/\\/, "\\e", text)
    gsub(/px\^2/, "px\\[S2]", text)
    gsub(/s\^2/, "s\\[S2]", text)
    gsub(/, /, ",\\~", call)
    return ".FN \"" result "\" \"" name "\" \"" call "\"\n\\&" text "\n"
}

function notes(    i) { # of the box that tells what all functions have in common
    note[++note_count] = "units: pixels, seconds, radians; mass as density times pixels; y points down, so angles turn clockwise"
    note[++note_count] = "errors: makers return null or a null id and fill `pv_error`; setters return `pv_status`; a report hook hears both"
    note[++note_count] = "ownership: `create` and `destroy`; masks and material maps are counted: `retain` and `release`"
    note[++note_count] = "normals: from a to b"
    note[++note_count] = "defaults that surprise: gravity 320 px/s², bodies at rest stand 0.005 px apart, parts under 12 px are debris"
    for (i = 1; i <= note_count; i++) {
        subject[i] = rest[i] = note[i]
        sub(/: .*/, "", subject[i])
        sub(/^[^:]*: /, "", rest[i])
    }
}

function check(    i, k, n, names, known) {
    for (i = 1; i <= 3; i++) {
        n = split(groups[i], names, " ")
        for (k = 1; k <= n; k++) known[names[k]] = 1
    }
    for (i = 1; i <= group_count; i++)
        if (lines[order[i]] != "" && !(order[i] in known)) {
            print "docs/cheatsheet.awk: in which part is the group " order[i] "?" >"/dev/stderr"
            exit 1
        }
}

function print_markdown(    i, k, n, names) {
    print "# Cheat sheet\n"
    print "Every function in a line, without `const`. One without a type before its name returns `pv_status`. An argument called like its type"
    print "stands without it: `body` is a `pv_body_id`, `world` a `pv_world *`. `make -C build cheatsheet` makes this page of the headers, and"
    print "`build/docs/cheatsheet.pdf` to print.\n"
    for (i = 1; i <= note_count; i++) print "- " subject[i] ": " rest[i]
    for (i = 1; i <= 3; i++) {
        print "\n## " parts[i]
        n = split(groups[i], names, " ")
        for (k = 1; k <= n; k++)
            if (lines[names[k]] != "") printf "\n### %s\n\n%s", title[names[k]], lines[names[k]]
    }
}

function print_roff(    i, k, n, names) {
    print ".BEGIN " roff
    for (i = 1; i <= 3; i++) {
        print ".PART \"" parts[i] "\""
        n = split(groups[i], names, " ")
        for (k = 1; k <= n; k++)
            if (lines[names[k]] != "") printf ".GROUP \"%s\"\n%s", title[names[k]], lines[names[k]]
    }
    print ".BOX"
    for (i = 1; i <= note_count; i++) {
        gsub(/`/, "", rest[i])
        print ".NOTE \"" subject[i] "\" \"" rest[i] "\""
    }
    print ".ENDBOX"
}

END {
    check()
    notes()
    if (roff == "") print_markdown()
    else print_roff()
}
