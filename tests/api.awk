# api.awk - reads pixverlet.h and writes what tests/api.h declares: every public function, so that it can be called with arguments
# held anywhere, and every type, with the places of its numbers, ids and pointers.
#
# tools/header.awk splits the header into statements. An unknown statement is an error that says what to add here.
# SPDX-License-Identifier: Zlib

BEGIN {
    script = "tests/api.awk"
    split("double float int int32_t unsigned uint32_t int64_t uint64_t size_t ptrdiff_t bool", words, " ")
    split("DOUBLE FLOAT INT INT UINT UINT INT64 UINT64 SIZE PITCH BOOL", kinds, " ")
    for (i in words) scalar[words[i]] = kinds[i]
}

function unknown(type) {
    fail("a type of which nothing is known: " type ". If it is a scalar, add it to BEGIN, its kind to tests/api.h and its " \
         "good and bad values to fill_scalar() and spoil() in tests/test_api.c")
}

function understand(s) {
    if (s ~ /^typedef struct pv_error /) { # only a result: no function reads one that a caller filled, except to print it
        types[++type_count] = "pv_error"
        opaque["pv_error"] = 1
        return
    }
    if (s ~ /^typedef enum /) enumeration[word_after(s, "typedef enum ")] = 1
    else if (s ~ /^typedef struct [a-z0-9_]+ \{/) structure(word_after(s, "typedef struct "), s)
    else if (s ~ /^typedef struct /) opaque[word_after(s, "typedef struct ")] = 1
    else if (s ~ /^typedef .*\(\*pv_[a-z0-9_]+\)/) {
        match(s, /\(\*pv_[a-z0-9_]+\)/)
        callback[substr(s, RSTART + 2, RLENGTH - 3)] = 1
    } else if (s ~ /^typedef uint32_t [a-z0-9_]+$/) scalar[word_after(s, "typedef uint32_t ")] = "UINT"
    else if (s ~ /^PV_API /) function_names[++function_count] = declare(substr(s, 8))
    else if (s !~ /^(enum \{|struct pv_[a-z_]+$)/) fail("what is this? " s)
}

# ---- types ----

function structure(name, s,    i, n, parts) {
    sub(/^[^{]*\{ */, "", s)
    sub(/ *\}[^}]*$/, "", s)
    types[++type_count] = name
    n = split(s, parts, / *; */)
    for (i = 1; i <= n; i++)
        if (parts[i] != "") member(name, parts[i])
    handle[name] = members[name] == 2 && member_name[name, 1] == "index" && member_name[name, 2] == "generation"
}

function add_member(name, type, own, copies) {
    members[name]++
    member_type[name, members[name]] = type
    member_name[name, members[name]] = own
    member_copies[name, members[name]] = copies
}

function member(name, s,    i, n, type, parts, own, copies, stars) {
    if (match(s, /\(\*[a-z0-9_]+\)/)) { # pointer to a function or an array
        add_member(name, "callback *", substr(s, RSTART + 2, RLENGTH - 3), 0)
        return
    }
    sub(/^const /, "", s)
    sub(/^struct /, "", s)
    sub(/^unsigned char /, "char ", s)
    type = word_after(s, "")
    n = split(substr(s, length(type) + 1), parts, ",")
    for (i = 1; i <= n; i++) {
        own = parts[i]
        copies = 0
        if (match(own, /\[[0-9]+\]/)) copies = substr(own, RSTART + 1, RLENGTH - 2) + 0
        sub(/\[.*/, "", own)
        gsub(/ |const /, "", own)
        if (own ~ /\*/) {
            stars = own
            gsub(/[^*]/, "", stars)
            gsub(/\*|const/, "", own)
            add_member(name, type " " stars, own, 0)
        } else
            add_member(name, type, own, copies)
    }
}

function kind_of(type) {
    if (type ~ /\*$/ || type in callback) return "POINTER"
    if (type in scalar) return scalar[type]
    if (type in enumeration) return "ENUM"
    if (handle[type]) return "HANDLE"
    if (type in members) return "STRUCT"
    unknown(type)
}

# Leaves: the scalars, ids and pointers that a value finally consists of.
function leaves(root, type, path,    i, k, own, kind) {
    kind = path ~ /(^|\.)cookie$/ ? "COOKIE" : kind_of(type)
    if (kind != "STRUCT") {
        printf "    {\"%s\", \"%s\", %s, API_%s},\n", path, type, path == "" ? "0" : "offsetof(" root ", " path ")", kind
        leaf_count++
        return
    }
    for (i = 1; i <= members[type]; i++) {
        own = (path == "" ? "" : path ".") member_name[type, i]
        if (member_copies[type, i] == 0) leaves(root, member_type[type, i], own)
        for (k = 0; k < member_copies[type, i]; k++) leaves(root, member_type[type, i], own "[" k "]")
    }
}

# ---- functions ----

function declare(s,    i, n, name, before, parts) {
    match(s, /pv_[a-z0-9_]+\(/)
    name = substr(s, RSTART, RLENGTH - 1)
    before = substr(s, 1, RSTART - 1)
    s = substr(s, RSTART + RLENGTH)
    sub(/\)$/, "", s)
    sub(/ $/, "", before)
    result[name] = before
    parameters[name] = s == "void" ? 0 : split(s, parts, / *, */)
    for (i = 1; i <= parameters[name]; i++) parameter(name, i, parts[i])
    return name
}

function parameter(name, i, s,    own) {
    if (s ~ /[()]/) fail("a parameter that is a function: " name "(" s "): give its type a name")
    own = s
    sub(/\[.*/, "", own)
    sub(/.*[ *]/, "", own)
    if (s ~ /\[/) sub(/ [a-z0-9_]+\[.*/, " *", s)
    else s = substr(s, 1, length(s) - length(own))
    sub(/ $/, "", s)
    parameter_name[name, i] = own
    parameter_type[name, i] = s
    use(s)
}

function use(type) {
    type = base_of(type)
    if (!(type in used)) {
        used[type] = 1
        used_types[++used_count] = type
    }
}

function base_of(type) {
    sub(/^const /, "", type)
    sub(/ *\*.*/, "", type)
    sub(/ const$/, "", type)
    return type
}

function is_complete(type) { return type in scalar || type in enumeration || type in members || type in callback }

# ---- what is written ----

function write_type(type,    maker) {
    leaf_count = 0
    if (is_complete(type)) {
        printf "static const api_leaf leaves_%s[] = {\n", type
        leaves(type, type, "")
        print "};"
    }
    maker = type "_default"
    if (maker in result) printf "static void make_%s(void *value) { *(%s *)value = %s(); }\n", type, type, maker
    printf "static const api_type type_%s = {\"%s\", %s, %s, %d, %s};\n\n", type, type, \
        is_complete(type) ? "sizeof(" type ")" : "0", leaf_count ? "leaves_" type : "NULL", leaf_count, \
        maker in result ? "make_" type : "NULL"
}

function write_function(name,    i, type, call) {
    if (parameters[name] > 0) {
        printf "static const api_parameter parameters_%s[] = {\n", name
        for (i = 1; i <= parameters[name]; i++) {
            type = parameter_type[name, i]
            printf "    {\"%s\", \"%s\", &type_%s, %s, %s},\n", parameter_name[name, i], type, base_of(type), \
                type ~ /\*/ ? "true" : "false", type ~ /^const / ? "true" : "false"
            call = call (i > 1 ? ", " : "") (type ~ /\*/ ? "*(void **)a[" : "*(" type " *)a[") i - 1 "]"
        }
        print "};"
    }
    printf "static void call_%s(void *const *a, void *r) {\n", name
    if (parameters[name] == 0) print "    (void)a;"
    if (result[name] == "void") printf "    (void)r;\n    %s(%s);\n}\n\n", name, call
    else if (result[name] ~ /\*/) printf "    *(const void **)r = %s(%s);\n}\n\n", name, call
    else printf "    *(%s *)r = %s(%s);\n}\n\n", result[name], name, call
}

function write_entry(name,    type) {
    type = result[name]
    printf "    {\"%s\", \"%s\", %s, %s, %s, %s, %d, call_%s},\n", name, type, \
        type == "void" ? "NULL" : "&type_" base_of(type), type ~ /\*/ ? "true" : "false", \
        type ~ /^const / ? "true" : "false", parameters[name] ? "parameters_" name : "NULL", parameters[name], name
}

END {
    if (failed) exit 1
    if (statement != "") fail("an end that never came: " statement)
    if (function_count == 0) fail("no function with PV_API")
    scalar["char"] = "BYTE"
    scalar["void"] = "BYTE"
    for (i = 1; i <= function_count; i++)
        if (result[function_names[i]] != "void") use(result[function_names[i]])
    delete scalar["char"]
    delete scalar["void"]
    print "/* Made of pixverlet.h by tests/api.awk. */"
    print "#include \"api.h\"\n"
    for (i = 1; i <= used_count; i++) {
        type = used_types[i]
        if (type != "void" && type != "char" && !(type in opaque) && !is_complete(type))
            unknown(type)
        write_type(type)
    }
    for (i = 1; i <= function_count; i++) write_function(function_names[i])
    print "const api_function api_functions[] = {"
    for (i = 1; i <= function_count; i++) write_entry(function_names[i])
    print "};"
    printf "const size_t api_function_count = %d;\n", function_count
}
