# trace.awk - reads pixverlet.h and writes, for each function that a trace holds, how its arguments are coded, and with
# -v side=trace the function that stands in the library's way, with -v side=retrace the one that calls it again.
#
# Which these are follows from the header: functions that take an object to change it, that make one or hand one out. All
# others only look, also those that call back. What there is no rule for is refused by name, and so is said where to add one. A mask out of a file, a picture or raw memory is coded by its pixels; so are all masks of a pv_frames, and
# material maps by their bytes.
# SPDX-License-Identifier: Zlib

BEGIN {
    script = "tools/trace.awk"
    split("double int int32_t unsigned uint32_t int64_t uint64_t size_t ptrdiff_t bool", words, " ")
    for (i in words) scalar[words[i]] = 1
    # nothing is said of an allocator: a replay has the C library's
    given["pv_allocator"] = 1
    # elements of borrowed arrays that lie in a def; more than the library takes are none, for it reads none then
    count["pv_polygon_def.points"] = "within(v->point_count, 64)"
    count["pv_soft_body_def.points"] = count["pv_soft_body_def.uvs"] = "within(v->point_count, 4096)"
    count["pv_soft_body_def.triangles"] = "within(v->triangle_count, 16384)"
    count["pv_cut.points"] = "within(v->point_count, 65536)"
    # out of these a mask or a map is made whose pixels are in the trace
    split("char void pv_image pv_pixels pv_tilemap_def", words, " ")
    for (i in words) raw[words[i]] = 1
    # structs with objects in them behind a pointer that is not const: whether what is there before the call counts
    comes_in["pv_mover"] = 1
    comes_in["pv_error"] = 0
    # after other calls that change a world its bodies may have masks that nobody was handed yet
    makes_no_mask = "(_size|_destroy|_move|_move_to|_wake|_accelerate|_explode|_(apply|set|add)_[a-z_]+)$|^pv_(particle|constraint|polygon|liquid|force)_"
    # left out: tags change no mask
    left["pv_frames_add_tag"] = 1
    # nothing is said of threads, which change no result: a replay has one
    given["pv_task_fn"] = given["pv_enqueue_task_fn"] = given["pv_finish_task_fn"] = 1
    left["pv_task_pool_create"] = left["pv_task_pool_destroy"] = left["pv_task_pool_attach"] = 1
    left["pv_world_set_workers"] = 1
    # left out: a list of objects of a map changes nothing; its masks are coded where a body takes them
    left["pv_map_objects_load"] = left["pv_map_objects_destroy"] = 1
    alone["worker_count"] = alone["enqueue_task"] = alone["finish_task"] = 1
    if (side != "trace" && side != "retrace") fail("-v side=trace or -v side=retrace")
}

function understand(s) {
    interface = interface s ";"
    if (s ~ /^typedef enum /) enumeration[word_after(s, "typedef enum ")] = 1
    else if (s ~ /^typedef struct [a-z0-9_]+ \{/) structure(word_after(s, "typedef struct "), s)
    else if (s ~ /^typedef struct /) {
        opaque[word_after(s, "typedef struct ")] = 1
        objects[++object_count] = word_after(s, "typedef struct ")
    } else if (s ~ /^typedef .*\(\*pv_[a-z0-9_]+\)/) callback(substr(s, 9), "")
    else if (s ~ /^typedef uint32_t [a-z0-9_]+$/) alias[word_after(s, "typedef uint32_t ")] = "uint32_t"
    else if (s ~ /^PV_API /) functions[++function_count] = declare(substr(s, 8))
}

# A declarator: type, whether it is const, stars or a length in brackets, name.
function declarator(s) {
    is_const = sub(/^const /, "", s)
    sub(/^struct /, "", s)
    if (s ~ /^unsigned char /) sub(/^unsigned char /, "char ", s)
    copies = 0
    if (match(s, /\[[0-9]+\]/)) {
        copies = substr(s, RSTART + 1, RLENGTH - 2) + 0
        sub(/\[.*/, "", s)
    }
    type = word_after(s, "")
    s = substr(s, length(type) + 1)
    if (type in alias) type = alias[type]
    stars = gsub(/\*/, "", s)
    gsub(/ |const /, "", s)
    own = s
}

function add_member(name, called) {
    members[name]++
    i_member = name SUBSEP members[name]
    m_type[i_member] = type
    m_const[i_member] = is_const
    m_stars[i_member] = stars
    m_copies[i_member] = copies
    m_name[i_member] = own
    m_callback[i_member] = called
    member_of[name, own] = 1
    if (called != "") calls[name] = 1
    else if (stars == 0 && !copies && (type in calls) && !(type in given)) calls[name] = 1
    if (stars && (type in opaque) || !stars && (type in holds)) holds[name] = 1
}

function structure(name, s,    i, k, n, parts, bits, many, first) {
    sub(/^[^{]*\{ */, "", s)
    sub(/ *\}[^}]*$/, "", s)
    members[name] = 0
    n = split(s, parts, / *; */)
    for (i = 1; i <= n; i++) {
        if (parts[i] == "") continue
        if (parts[i] ~ /^const int \(\*[a-z_]+\)\[3\]$/) { # an array of triples
            own = parts[i]
            gsub(/^.*\*|\).*$/, "", own)
            type = "triple"
            is_const = stars = 1
            copies = 0
            add_member(name, "")
        } else if (parts[i] ~ /\(\*/) {
            i_name = callback(parts[i], name "_")
            own = substr(i_name, length(name) + 2)
            type = i_name
            is_const = stars = copies = 0
            add_member(name, i_name)
        } else {
            many = split(parts[i], bits, / *, */)
            first = bits[1]
            sub(/[ *]+[a-z0-9_]+(\[[0-9]+\])?$/, "", first)
            for (k = 1; k <= many; k++) {
                declarator(k == 1 ? bits[1] : first " " bits[k])
                add_member(name, stars == 0 && (type in is_callback) ? type : "")
            }
        }
    }
}

# A callback's own arguments are those after user_data.
function callback(s, prefix,    name) {
    match(s, /\(\*[a-z0-9_]+\)/)
    name = prefix substr(s, RSTART + 2, RLENGTH - 3)
    s = substr(s, 1, RSTART - 1) name substr(s, RSTART + RLENGTH)
    if (name in given) return name
    declare(s)
    is_callback[name] = 1
    if (parameters[name] == 0 || p_name[name, 1] != "user_data") fail("a callback that is not handed user_data first: " name)
    return name
}

function declare(s,    i, name, parts, before) {
    match(s, /[a-z0-9_]+\(/)
    name = substr(s, RSTART, RLENGTH - 1)
    before = substr(s, 1, RSTART - 1)
    s = substr(s, RSTART + RLENGTH)
    declarator(before " result")
    r_type[name] = type
    r_const[name] = is_const
    r_stars[name] = stars
    sub(/\)$/, "", s)
    parameters[name] = s == "void" ? 0 : split(s, parts, / *, */)
    for (i = 1; i <= parameters[name]; i++) {
        p_text[name, i] = parts[i]
        declarator(parts[i])
        p_type[name, i] = type
        p_const[name, i] = is_const
        p_stars[name, i] = stars + (copies > 0)
        p_copies[name, i] = copies
        p_name[name, i] = own
        has_parameter[name, own] = 1
    }
    return name
}

# ---- which functions ----

# changes: it is recorded. hands: only when what it hands out is not known. content: it makes of what is not in the trace.
# asks: it looks at a world and calls back; the world is then locked, so calls that would change it are not recorded.
function judge(name,    i, takes, is_raw, is) {
    for (i = 1; i <= parameters[name]; i++) {
        if (p_stars[name, i] && (p_type[name, i] in opaque)) {
            if (p_stars[name, i] > 1 && !p_const[name, i]) fail(name "(): a list of objects, for which there is no rule")
            takes = 1
            if (!p_const[name, i]) is = "changes"
        }
        if (p_stars[name, i] && p_const[name, i] && (p_type[name, i] in raw)) is_raw = 1
    }
    if (r_stars[name] && !r_const[name] && (r_type[name] in opaque)) is = is_raw ? "content" : "changes"
    if (is == "content" && !(name in left) && r_type[name] !~ /^pv_(mask|frames|material_map)$/)
        fail(name "(): a " r_type[name] " out of a file or memory; add how its content is coded to tools/")
    if (is == "" && takes)
        if (r_stars[name] ? r_const[name] && (r_type[name] in opaque) : (r_type[name] in holds)) is = "hands"
    for (i = 1; i <= parameters[name] && is == "" && takes; i++)
        if (p_stars[name, i] ? (p_type[name, i] in calls) : (p_type[name, i] in is_callback)) asks[++ask_count] = name
    if (ask_count && asks[ask_count] == name && p_text[name, 1] != "const pv_world *world")
        fail(name "(): it calls back and looks at no world; add how it is recorded to tools/")
    kind[name] = name in left ? "" : is
    return kind[name]
}

# ---- how types are coded ----

function need(t, whose,    i, k) {
    if (t in scalar || t in needed || t in given || t == "triple") return
    needed[t] = 1
    if (t in enumeration) {
        printf "static inline void code_%s(coder *c, const char *name, void *value) {\n", t
        printf "    %s *v = value;\n    int number = (int)*v;\n    code_int(c, name, &number);\n    *v = (%s)number;\n}\n\n", t, t
        return
    }
    if (t == "pv_error") { # its sentence may name files of the machine
        need("pv_status", t)
        printf "static inline void code_%s(coder *c, const char *name, void *value) {\n    %s *v = value;\n", t, t
        print "    code_open(c, name);\n    code_pv_status(c, \"status\", &v->status);"
        print "    v->function = code_string(c, \"function\", v->function);"
        print "    v->field = code_string(c, \"field\", v->field);\n    code_close(c);\n}\n"
        return
    }
    if (!(t in members)) fail(whose ": nothing is known of the type " t)
    for (i = 1; i <= members[t]; i++) {
        k = t SUBSEP i
        if (m_callback[k] != "") need_callback(m_callback[k])
        else if (!(m_type[k] in opaque) && !(m_stars[k] && (m_type[k] == "void" || m_type[k] == "char"))) need(m_type[k], t "." m_name[k])
    }
    printf "static inline void code_%s(coder *c, const char *name, void *value) {\n    %s *v = value;\n", t, t
    print "    code_open(c, name);"
    if ((t, "cookie") in member_of) {
        if ((t "_default") in parameters) printf "    bool whole = v->cookie == DEFAULT(%s)().cookie;\n", t
        else print "    bool whole = v->cookie != 0;"
        print "    code_bool(c, NULL, &whole);"
    }
    for (i = 1; i <= members[t]; i++) code_member(t, t SUBSEP i, 0)
    for (i = 1; i <= members[t]; i++) code_member(t, t SUBSEP i, 1) # counts come before what they count
    print "    code_close(c);\n}\n"
}

# The name of what is handed to a callback of a def or a function: filter_callback has filter_user_data, or there is user_data alone.
function user_of(name, whose) {
    sub(/_callback$/, "", name)
    if ((whose, name "_user_data") in member_of) return name "_user_data"
    return "user_data"
}

function is_user(name) { return name ~ /(^|_)user_data$/ }

# What lies behind the pointers of a struct without its cookie is anything, and the library does not look there.
function code_member(t, k, pointers,    n, m, array) {
    n = m_name[k]
    m = m_type[k]
    if ((m in opaque) && m_stars[k] > 1) fail("a list of objects, for which there is no rule: " t "." n)
    if (pointers != (m_stars[k] > 0 && !(m in opaque) && m != "void")) return
    printf "    "
    if (t == "pv_world_def" && (n in alone)) {
        printf "code_left(c, &v->%s, sizeof v->%s);\n", n, n
        return
    }
    if ((m_stars[k] || m_callback[k] != "") && (t, "cookie") in member_of) printf "if (whole) "
    if (pointers && m == "char" && m_const[k]) printf "v->%s = code_string(c, \"%s\", v->%s);\n", n, n, n
    else if (pointers) {
        array = count[t "." n]
        if (array == "") fail("a member of which nothing is known: " t "." n ". Say in BEGIN how many it points to")
        printf "v->%s = code_array(c, \"%s\", v->%s, %s, sizeof *v->%s, code_%s);\n", n, n, n, array, n, m
    } else if (m_callback[k] != "")
        printf "v->%s = (%s_call *)code_callback(c, \"%s\", (void (*)(void))v->%s, &v->%s, CALLBACK_%s);\n", n, m_callback[k], \
            n, n, user_of(n, t), m_callback[k]
    else if (m in opaque) printf "v->%s = code_object(c, \"%s\", v->%s, OBJECT_%s);\n", n, n, n, m
    else if (m_stars[k]) {
        if (!is_user(n)) fail("a member of which nothing is known: " t "." n)
        if (t in calls) print "(void)0; // goes with its callback"
        else printf "code_user(c, \"%s\", &v->%s);\n", n, n
    } else if (m_copies[k]) printf "for (int i = 0; i < %d; i++) code_%s(c, \"%s\", &v->%s[i]);\n", m_copies[k], m, n, n
    else printf "code_%s(c, \"%s\", &v->%s);\n", m, n, n
}

# ---- how calls are coded ----

function type_text(t, c, s) { return (c ? "const " : "") t (s ? " *" : "") }

function result_text(name) { return type_text(r_type[name], r_const[name], r_stars[name]) }

function is_array(name, i) { return p_stars[name, i] && !p_const[name, i] && (name, "capacity") in has_parameter && \
    p_name[name, i + 1] == "capacity" }

# A const pointer to as many as the next parameter counts.
function is_list(name, i) {
    return p_stars[name, i] && p_const[name, i] && !(p_type[name, i] in opaque) && !(p_type[name, i] in raw) && \
        p_name[name, i + 1] ~ /count$/
}

function is_paired(name, i,    k) {
    for (k = 1; k < i; k++) if (p_type[name, k] in is_callback) return 1
    return 0
}

function arguments_of(name, first,    i, t) {
    printf "typedef struct %s_args {\n", name
    for (i = first; i <= parameters[name]; i++) {
        t = p_type[name, i]
        if (kind[name] == "content" && t != "pv_error") continue
        if (p_stars[name, i] && !(t in opaque) && t != "void" && t != "char" && !is_array(name, i) && !is_list(name, i))
            printf "    %s %s_value%s;\n", t, p_name[name, i], p_copies[name, i] ? "[" p_copies[name, i] "]" : ""
        printf "    %s%s;\n", type_text(t, p_const[name, i], p_stars[name, i]) (p_stars[name, i] ? "" : " "), p_name[name, i]
    }
    if (result_text(name) != "void") printf "    %s result;\n", result_text(name)
    else print "    char result;"
    printf "} %s_args;\n\n", name
}

function needs_of(name, first,    i) {
    for (i = first; i <= parameters[name]; i++) {
        if (kind[name] == "content" && p_type[name, i] != "pv_error") continue
        if (p_type[name, i] in is_callback) need_callback(p_type[name, i])
        else if (!(p_type[name, i] in opaque) && p_type[name, i] != "void" && p_type[name, i] != "char")
            need(p_type[name, i], name "()")
    }
    if (r_type[name] != "void" && !(r_type[name] in opaque)) need(r_type[name], name "()")
}

# Pointers come after all others here as well, for the same reason.
function code_in(name, first,    i, pass, n, t) {
    printf "static inline void %s_in(coder *c, void *args) {\n    %s_args *v = args;\n    (void)c, (void)v;\n", name, name
    for (pass = 0; pass < 2 && kind[name] != "content"; pass++)
        for (i = first; i <= parameters[name]; i++) {
            n = p_name[name, i]
            t = p_type[name, i]
            if (pass != (p_stars[name, i] && !(t in opaque) && !(t == "void" && is_user(n)))) continue
            code_in_one(name, i, n, t)
        }
    if (name == "pv_world_destroy") print "    code_hash(c, v->world, true);"
    print "}\n"
}

function code_in_one(name, i, n, t) {
    if (t in is_callback)
        printf "    v->%s = (%s_call *)code_callback(c, \"%s\", (void (*)(void))v->%s, &v->%s, CALLBACK_%s);\n", n, t, n, n, \
            user_of(n, name), t
    else if (t in opaque && p_stars[name, i])
        printf "    v->%s = %s(c, \"%s\", v->%s, OBJECT_%s);\n", n, parameters[name] == 1 && name ~ /_(destroy|release)$/ ? "code_gone" : "code_object", n, n, t
    else if (!p_stars[name, i]) printf "    code_%s(c, \"%s\", &v->%s);\n", t, n, n
    else if (t == "void" && is_user(n)) {
        if (!is_paired(name, i)) printf "    code_user(c, \"%s\", &v->%s);\n", n, n
    } else if (is_array(name, i))
        printf "    v->%s = code_room(c, \"%s\", v->%s, (int64_t)v->capacity, %s);\n", n, n, n, t == "void" ? "1" : "sizeof *v->" n
    else if (is_list(name, i))
        printf "    v->%s = code_array(c, \"%s\", v->%s, within((int)v->%s, 1 << 20), sizeof *v->%s, code_%s);\n", n, n, n, \
            p_name[name, i + 1], n, t
    else if (t == "void" && p_const[name, i] && (name, n "_size") in has_parameter)
        printf "    v->%s = code_bytes(c, \"%s\", v->%s, v->%s_size);\n", n, n, n, n
    else if (t == "void" && p_const[name, i] && (name, "size") in has_parameter)
        printf "    v->%s = code_bytes(c, \"%s\", v->%s, v->size);\n", n, n, n
    else if (t == "char" && p_const[name, i]) printf "    v->%s = code_string(c, \"%s\", v->%s);\n", n, n, n
    else if (t == "void" || t == "char" || p_copies[name, i]) fail(name "(): no rule for its parameter " n)
    else if (!p_const[name, i] && (t in holds) && !(t in comes_in))
        fail(name "(): say in BEGIN whether what " n " points to counts before the call")
    else
        printf "    v->%s = code_%s(c, \"%s\", v->%s, &v->%s_value%s);\n", n, (t in comes_in) && !comes_in[t] ? "given" : "pointer", \
            n, n, n, (t in comes_in) && !comes_in[t] ? "" : ", code_" t
}

function code_out(name, first,    i, n, t, r) {
    printf "static inline void %s_out(coder *c, void *args) {\n    %s_args *v = args;\n    (void)c, (void)v;\n", name, name
    t = r_type[name]
    if (kind[name] == "content") {
        if ((name, "error") in has_parameter) print "    code_pv_error(c, \"error\", &v->error_value);"
        printf "    v->result = code_content_%s(c, v->result);\n", t
    } else {
        if (r_stars[name] && t == "void" && (name in is_callback)) print "    code_user(c, \"result\", &v->result);"
        else if (r_stars[name]) {
            if (!(t in opaque)) fail(name "(): no rule for its result")
            printf "    v->result = %s(c, \"result\", v->result, OBJECT_%s);\n", r_const[name] ? "code_object" : "code_made", t
        } else if (t != "void") printf "    code_%s(c, \"result\", &v->result);\n", t
        for (i = first; i <= parameters[name]; i++) {
            n = p_name[name, i]
            t = p_type[name, i]
            if (!p_stars[name, i] || p_const[name, i] || t == "void" || t == "char" || t in opaque) continue
            if (is_array(name, i))
                printf "    code_found(c, \"%s\", v->%s, (int64_t)v->capacity, (int64_t)v->result, sizeof *v->%s, code_%s);\n", n, n, n, t
            else printf "    v->%s = code_pointer(c, \"%s\", v->%s, &v->%s_value, code_%s);\n", n, n, n, n, t
        }
        if (name == "pv_world_step") print "    code_hash(c, v->world, false);"
    }
    print "}\n"
}

function need_callback(name,    i, text) {
    if (name in needed || name == "pv_alloc_fn") return
    needed[name] = 1
    callbacks[++callback_count] = name
    needs_of(name, 2)
    for (i = 1; i <= parameters[name]; i++) text = text (i > 1 ? ", " : "") p_text[name, i]
    printf "enum { CALLBACK_%s = %d };\n", name, callback_count - 1
    printf "typedef %s%s_call(%s);\n", result_text(name) (r_stars[name] ? "" : " "), name, text
    arguments_of(name, 2)
    code_in(name, 2)
    code_out(name, 2)
    if (side == "trace") trace_callback(name)
    else retrace_callback(name)
}

function parameters_text(name,    i, text) {
    for (i = 1; i <= parameters[name]; i++) text = text (i > 1 ? ", " : "") p_text[name, i]
    return text == "" ? "void" : text
}

function names_text(name, first, before,    i, text) {
    for (i = first; i <= parameters[name]; i++) text = text (i > first ? ", " : "") before p_name[name, i]
    return text
}

# What a callback was handed is coded where it is.
function take_arguments(name,    i) {
    printf "    %s_args args;\n    memset(&args, 0, sizeof args);\n", name
    for (i = 2; i <= parameters[name]; i++) printf "    args.%s = %s;\n", p_name[name, i], p_name[name, i]
}

function trace_callback(name,    is_void) {
    is_void = result_text(name) == "void"
    printf "static %s %s_trace(%s) {\n", result_text(name), name, parameters_text(name)
    printf "    const trace_box *box = user_data;\n    %s_call *real = (%s_call *)box->functions[CALLBACK_%s];\n", name, name, name
    printf "    if (!trace_is_inside()) %sreal(box->user_data, %s);\n", is_void ? "{\n        " : "return ", names_text(name, 2, "")
    if (is_void) print "        return;\n    }"
    take_arguments(name)
    printf "    trace_record(RECORD_CALLBACK, CALLBACK_%s, %s_in, &args);\n    int depth = trace_outside();\n", name, name
    printf "    %sreal(box->user_data, %s);\n", is_void ? "" : "args.result = ", names_text(name, 2, "")
    printf "    trace_inside(depth);\n    trace_record(RECORD_ANSWER, CALLBACK_%s, %s_out, &args);\n%s}\n\n", name, name, \
        is_void ? "" : "    return args.result;\n"
}

function retrace_callback(name) {
    printf "static %s %s_retrace(%s) {\n    (void)user_data;\n", result_text(name), name, parameters_text(name)
    take_arguments(name)
    printf "    retrace_callback(CALLBACK_%s, &args);\n%s}\n\n", name, result_text(name) == "void" ? "" : "    return args.result;\n"
}

# ---- what stands in the library's way ----

function trace_function(name,    i, is_void) {
    is_void = result_text(name) == "void"
    printf "%s %s(%s) {\n", result_text(name), name, parameters_text(name)
    printf "    typedef %s %s_call(%s);\n", result_text(name), name, parameters_text(name)
    printf "    %s_call *real = (%s_call *)trace_real(FUNCTION_%s);\n", name, name, name
    printf "    if (%s!trace_enter()) %sreal(%s);\n", p_text[name, 1] == "pv_world *world" ? "trace_is_looking(world) || " : "", \
        is_void ? "{\n        " : "return ", names_text(name, 1, "")
    if (is_void) print "        return;\n    }"
    printf "    %s_args args;\n    memset(&args, 0, sizeof args);\n", name
    for (i = 1; i <= parameters[name]; i++) copy_argument(name, i, p_name[name, i], p_type[name, i])
    if (kind[name] == "hands") {
        printf "    args.result = real(%s);\n    bool known = %s;\n", names_text(name, 1, "args."), known_text(name)
        trace_both(name, "    if (!known) ")
    } else {
        trace_one(name, "    ", "CALL", "in")
        if (kind[name] == "content") {
            printf "    args.result = real(%s);\n", names_text(name, 1, "")
            if ((name, "error") in has_parameter) print "    if (error) args.error_value = *error;"
        } else printf "    %sreal(%s);\n", is_void ? "" : "args.result = ", names_text(name, 1, "args.")
        if (makes_masks(name)) print "    trace_forget();"
        trace_one(name, "    ", "RETURN", "out")
    }
    for (i = 1; i <= parameters[name] && kind[name] != "content"; i++)
        if (is_copied(name, i) && !p_const[name, i])
            printf "    if (%s) *%s = args.%s_value;\n", p_name[name, i], p_name[name, i], p_name[name, i]
    printf "    trace_leave();\n%s}\n\n", is_void ? "" : "    return args.result;\n"
}

function trace_look(name) {
    printf "%s %s(%s) {\n    typedef %s %s_call(%s);\n", result_text(name), name, parameters_text(name), result_text(name), name, \
        parameters_text(name)
    printf "    %s_call *real = (%s_call *)trace_find(\"%s\");\n    trace_look look;\n    trace_look_begin(&look, world);\n", name, name, name
    printf "    %s result = real(%s);\n    trace_look_end(&look);\n    return result;\n}\n\n", result_text(name), names_text(name, 1, "")
}

function trace_one(name, before, record, way) {
    printf "%strace_record(RECORD_%s, FUNCTION_%s, %s_%s, &args);\n", before, record, name, name, way
}

function trace_both(name, before) {
    trace_one(name, before, "CALL", "in")
    trace_one(name, before, "RETURN", "out")
}

function makes_masks(name,    i) {
    for (i = 1; i <= parameters[name] && kind[name] == "changes" && name !~ makes_no_mask; i++)
        if (p_type[name, i] == "pv_world" && !p_const[name, i]) return 1
    return 0
}

function is_copied(name, i) { return p_stars[name, i] && !(p_type[name, i] in opaque) && p_type[name, i] != "void" && \
    p_type[name, i] != "char" && !is_array(name, i) && !is_list(name, i) }

function copy_argument(name, i, n, t) {
    if (kind[name] == "content") return
    if (!is_copied(name, i)) printf "    args.%s = %s;\n", n, n
    else {
        printf "    if (%s) args.%s = &args.%s_value;\n", n, n, n
        if (!((t in comes_in) && !comes_in[t])) printf "    if (%s) args.%s_value = *%s;\n", n, n, n
    }
}

function known_text(name,    k, t, text) {
    t = r_type[name]
    if (r_stars[name]) return "trace_knows(args.result, OBJECT_" t ")"
    for (k = 1; k <= members[t]; k++)
        if (m_type[t, k] in opaque)
            text = text (text == "" ? "" : " && ") "trace_knows(args.result." m_name[t, k] ", OBJECT_" m_type[t, k] ")"
    if (text == "") fail(name "(): the object that it hands out lies too deep")
    return text
}

# ---- the same call again ----

function retrace_function(name,    is_void, list) {
    is_void = result_text(name) == "void"
    printf "static void %s_call(void *args) {\n    %s_args *v = args;\n    (void)v;\n", name, name
    if (kind[name] != "content") {
        list = names_text(name, 1, "v->")
        if (is_void && parameters[name] == 1 && p_type[name, 1] == "pv_frames") printf "    retrace_frames_free(%s);\n", list
        else printf "    %s%s(%s);\n", is_void ? "" : "v->result = ", name, list
    }
    print "}\n"
}

# The sum of all that the header declares, so that a trace is not read by the rules of another.
function sum(s,    i, n, a, b) {
    for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i
    a = 1
    b = 0
    n = length(s)
    for (i = 1; i <= n; i++) {
        a = (a * 33 + code[substr(s, i, 1)]) % 16777213
        b = (b * 37 + code[substr(s, i, 1)]) % 16777199
    }
    return sprintf("0x%06x%06xu", a, b)
}

END {
    if (failed) exit 1
    if (function_count == 0) fail("no function with PV_API")
    print "/* Made of pixverlet.h by tools/trace.awk. */"
    printf "#include \"%s.h\"\n\n#include <string.h>\n\n", side == "trace" ? "trace_write" : "retrace"
    if (side == "trace") print "#define DEFAULT(type) ((type(*)(void))trace_find(#type \"_default\"))"
    else print "#define DEFAULT(type) type##_default"
    print "typedef int triple[3];"
    print "static inline void code_triple(coder *c, const char *name, void *value) {"
    print "    for (int i = 0; i < 3; i++) code_int(c, name, (int *)value + i);\n}\n"
    printf "enum {\n"
    for (i = 1; i <= object_count; i++) printf "    OBJECT_%s,\n", objects[i]
    print "};\nconst char *const object_names[] = {"
    for (i = 1; i <= object_count; i++) printf "    \"%s\",\n", objects[i]
    printf "};\nconst int object_count = %d, object_mask = OBJECT_pv_mask, object_frames = OBJECT_pv_frames;\n", object_count
    print "const int object_materials = OBJECT_pv_material_map;"
    printf "const uint64_t interface_sum = %sll;\n\n", sum(interface)
    print "enum {"
    for (i = 1; i <= function_count; i++)
        if (judge(functions[i]) != "") {
            recorded[++recorded_count] = functions[i]
            printf "    FUNCTION_%s,\n", functions[i]
        }
    print "};\n"
    for (i = 1; i <= recorded_count; i++) {
        name = recorded[i]
        needs_of(name, 1)
        arguments_of(name, 1)
        code_in(name, 1)
        code_out(name, 1)
        if (side == "trace") trace_function(name)
        else retrace_function(name)
    }
    for (i = 1; i <= ask_count && side == "trace"; i++) trace_look(asks[i])
    if (side == "trace") {
        print "const char *const function_names[] = {"
        for (i = 1; i <= recorded_count; i++) printf "    \"%s\",\n", recorded[i]
        printf "};\nconst int function_count = %d;\n\nvoid (*const callback_traces[])(void) = {\n", recorded_count
        for (i = 1; i <= callback_count; i++) printf "    (void (*)(void))%s_trace,\n", callbacks[i]
        printf "};\n_Static_assert(%d <= TRACE_CALLBACKS, \"a box has room for all of them\");\n", callback_count
    } else {
        print "const retrace_function retrace_functions[] = {"
        for (i = 1; i <= recorded_count; i++)
            printf "    {\"%s\", sizeof(%s_args), %s_in, %s_out, %s_call, %s},\n", recorded[i], recorded[i], recorded[i], recorded[i], \
                recorded[i], kind[recorded[i]] == "content" ? "true" : "false"
        printf "};\nconst int retrace_function_count = %d;\n\nconst retrace_asked retrace_callbacks[] = {\n", recorded_count
        for (i = 1; i <= callback_count; i++)
            printf "    {\"%s\", sizeof(%s_args), %s_in, %s_out, (void (*)(void))%s_retrace},\n", callbacks[i], callbacks[i], \
                callbacks[i], callbacks[i], callbacks[i]
        printf "};\nconst int retrace_callback_count = %d;\n", callback_count
    }
}
