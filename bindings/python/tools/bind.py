"""bind.py - writes what Python needs of the public headers: tables of structs, a function for each call, and the stubs.

Invariant: a function of the headers is a method here, or EXCLUDED names it, or the build stops. Offsets and values
come from the C compiler.

Usage: bind.py TOP CALLS.h STUBS.pyi

SPDX-License-Identifier: Zlib
"""

import pathlib
import re
import subprocess
import sys

HANDLES = ["body", "joint", "particle", "polygon", "liquid", "force_field", "composite", "grains"]
BUILDERS = ["rope", "cloth", "soft_body", "jelly", "tree", "grass", "ragdoll", "bridge", "arm"]
# Functions that handwritten code calls, or that have no use in Python.
EXCLUDED = re.compile(
    r"_(default|user_data|is_valid|retain|release|callback)$|^pv_body_(def_\w+|other|get_def|get_material_map)$"
    r"|^pv_world_(create|destroy|step|save|restore|debug_draw|compute_hash|get_(allocator|next_\w+|poses\w*|bodies|particle_positions|snapshot_size|events))$"
    r"|^pv_composite_(get_mesh|add_triangle|get_triangles)$|^pv_grains_(get_view|emit_mask|merge)$"
)
CLASSES = ["world", *HANDLES]
HIDDEN = re.compile(r"^(cookie|user_data|\w+_user_data|allocator|\w+_callback|accept|passing|material_map\w*|triangles|triangle_count|uvs)$")
SCALARS = {
    "double": "double", "float": "float", "int": "int", "int32_t": "int", "unsigned": "uint", "uint32_t": "uint",
    "pv_color": "uint", "bool": "bool", "int64_t": "long", "uint64_t": "ulong", "size_t": "ulong",
}
STUBS = {"double": "float", "float": "float", "int": "int", "uint": "int", "bool": "bool", "long": "int", "ulong": "int"}
# Members that may be given without their names, in this order.
LEADING = {
    "pv_body_def": ["mask", "position", "type"], "pv_joint_def": ["type", "a", "b"], "pv_particle_def": ["position"],
    "pv_cut": ["type"], "pv_polygon_def": ["points"], "pv_force_field_def": ["type"], "pv_grains_def": ["capacity"],
    "pv_jelly_def": ["mask", "position"], "pv_rope_def": ["from", "to"], "pv_ragdoll_def": ["position"],
}
# An argument beside the members of a struct, and what is done with it once it is given.
BESIDE = {"pv_body_def": ("pv_vec2", "top_left", "pv_body_def_set_top_left(&in.{0}, in.top_left)")}
DEFAULTS = {
    "pv_cut": "pv_cut_circle(PV_VEC2(0, 0), 0)", "pv_placed": "{.transform = pv_transform_identity()}",
    "pv_swept": "{.from = pv_transform_identity(), .to = pv_transform_identity()}",
    "pv_query_filter": "{.mask_bits = 0xffffffffu}", "pv_grain_sink": "{{0}}",
}


class Member:
    def __init__(self, text):
        found = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", text.strip())
        self.type, self.name, self.length = found[1].strip(), found[2], int(found[3] or 0)
        self.type = re.sub(r"\bstruct (\w)", r"\1", self.type)


def members_of(text):
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        if "(" in part:
            continue
        first, *others = re.split(r",\s*", part)
        base = re.match(r"(.*?)\**\w+(\[\d+\])?$", first)[1]
        yield Member(first)
        for other in others:
            yield Member(base + other)


class Api:
    """The statements of the headers."""

    def __init__(self, top):
        listing = re.search(r"^api_headers = \\\n(.*?)\n#", (top / "Makefile.am").read_text(), re.M | re.S)[1]
        headers = re.findall(r"lib/\S+\.h", listing)
        awk = ["awk", "-f", "tools/header.awk", "-f", "bindings/web/tools/statements.awk", *headers]
        text = subprocess.run(awk, cwd=top, check=True, capture_output=True, text=True).stdout
        self.structs, self.enums, self.flags, self.functions = {}, {}, [], []
        for line in text.splitlines():
            if found := re.fullmatch(r"typedef struct (\w+) \{ (.*) \} \w+", line):
                self.structs[found[1]] = list(members_of(found[2]))
            elif found := re.fullmatch(r"typedef enum (\w+) \{ (.*) \} \w+", line):
                self.enums[found[1]] = re.findall(r"(\w+)(?: = \w+)?(?:,|$)", found[2])
            elif found := re.fullmatch(r"enum \{ (.*) \}", line):
                self.flags += re.findall(r"(\w+) = \w+", found[1])
            elif found := re.fullmatch(r"PV_API (.*?)(\w+)\((.*)\)", line):
                parameters = [] if found[3] == "void" else [Member(p) for p in found[3].split(", ")]
                self.functions.append((found[1].strip(), found[2], parameters))


def words(names):
    """Returns the names of an enum without what they share: PV_BODY_STATIC is static."""
    shared = names[0]
    while not all(name.startswith(shared) for name in names):
        shared = shared[:-1]
    shared = shared[: shared.rindex("_") + 1]
    return [name[len(shared) :].lower() for name in names]


def camel(name):
    return "".join(part.capitalize() for part in name.removeprefix("pv_").split("_"))


def pointed(type):
    found = re.fullmatch(r"(?:const )?(\w+) ?\*", type)
    return found and found[1]


class Writer:
    """Text of the C file and of the stubs."""

    def __init__(self, api):
        self.api, self.lines, self.stubs, self.made = api, [], [], {}

    def kind(self, type):
        """Returns the C name of a type's description, or None."""
        id = re.fullmatch(r"pv_(\w+)_id", type)
        if type in SCALARS:
            return f"pvpy_type_{SCALARS[type]}"
        if type in self.api.enums or (id and id[1] in HANDLES) or type in self.made:
            return f"type_{type}"
        if pointed(type) == "pv_mask":
            return "pvpy_type_mask" if type.startswith("const") else "pvpy_type_lent_mask"
        return None

    def stub(self, type, given=False):
        id = re.fullmatch(r"pv_(\w+)_id", type)
        if type in SCALARS:
            return STUBS[SCALARS[type]]
        if type == "pv_vec2":
            return "Vector" if given else "tuple[float, float]"
        if type == "pv_anchor" and given:
            return "Anchor_"
        if type in self.api.enums:
            return "Literal[" + ", ".join(f'"{word}"' for word in words(self.api.enums[type])) + "]"
        if id and id[1] in HANDLES:
            return f"{camel(id[1])} | None"
        if type in self.api.structs:
            return "Struct" if given else camel(type)
        return "Mask | None"

    def enums(self):
        for type, names in self.api.enums.items():
            entries = ", ".join(f'{{"{word}", {name}}}' for word, name in zip(words(names), names))
            self.lines += [
                f"static const pvpy_word words_{type}[] = {{{entries}, {{NULL, 0}}}};",
                f'static const pvpy_type type_{type} = {{.kind = PVPY_ENUM, .name = "{type}", .size = sizeof({type}), .words = words_{type}}};',
            ]

    def handles(self):
        for i, noun in enumerate(HANDLES):
            self.lines.append(
                f'static const pvpy_type type_pv_{noun}_id = {{.kind = PVPY_HANDLE, .name = "{camel(noun)}", .size = sizeof(pv_{noun}_id), .handle = {i}}};'
            )

    def fields(self, struct, prefix="", place=None):
        """Yields the fields of a struct as C initializers, with their members."""
        members = self.api.structs[struct]
        counts = {}
        for m in members:
            owner = m.type.startswith("const") and pointed(m.type) not in (None, "void", "pv_mask", "char")
            count = next((c for c in members if owner and c.name.endswith("_count") and m.name.startswith(c.name[:-6])), None)
            if count:
                counts[m.name] = count.name
        for m in members:
            item = pointed(m.type) if m.name in counts else m.type
            kind = self.kind(item)
            if HIDDEN.match(m.name) or m.name in counts.values() or not kind:
                continue
            where = lambda name: f"offsetof({place or struct}, {prefix}{name})"
            extra = f", .count_offset = {where(counts[m.name])}, .array = true" if m.name in counts else ""
            extra += f", .length = {m.length}" if m.length else ""
            name = m.name + "_" if m.name == "from" else m.name
            yield m, f'{{.name = "{name}", .type = &{kind}, .offset = {where(m.name)}{extra}}}'

    def structs(self):
        for struct in self.api.structs:
            self.struct(struct)

    def struct(self, struct):
        """Writes the description of a struct after those of its members."""
        if struct in self.made or re.match(r"pv_(\w+_id$|error|allocator|paper|image|mask_|canvas|frame|tag|grid|tilemap|pixels|debug|color)", struct):
            return
        for m in self.api.structs[struct]:
            inner = pointed(m.type) or m.type
            if inner in self.api.structs and inner != struct:
                self.struct(inner)
        fields = [text for _, text in self.fields(struct)]
        if not fields:
            return
        self.made[struct] = True
        special = {"pv_vec2": "PVPY_VECTOR", "pv_anchor": "PVPY_ANCHOR", "pv_box": "PVPY_BOX"}.get(struct, "PVPY_STRUCT")
        self.lines += [
            f"static const pvpy_field fields_{struct}[] = {{{', '.join(fields)}}};",
            f"static PyTypeObject *class_{struct};",
            f'static const pvpy_type type_{struct} = {{.kind = {special}, .name = "{camel(struct)}", .size = sizeof({struct}), '
            f".fields = fields_{struct}, .count = {len(fields)}, .class = &class_{struct}}};",
        ]
        if struct == "pv_vec2":
            return
        rows = []
        for m, _ in self.fields(struct):
            label = m.name + "_" if m.name == "from" else m.name
            ignored = "  # type: ignore[override]" if label in ("count", "index") else ""
            rows += ["    @property", f"    def {label}(self) -> {self.stub_member(m)}: ...{ignored}"]
        self.stubs += [f"class {camel(struct)}(tuple[Any, ...]):", *rows]

    def stub_member(self, m):
        item = pointed(m.type) if pointed(m.type) != "pv_mask" else None
        return f"list[{self.stub(item)}]" if item else self.stub(m.type)

    # ---- Calls

    def default_of(self, struct):
        if any(name == f"{struct}_default" for _, name, _ in self.api.functions):
            return f"{struct}_default()"
        return DEFAULTS.get(struct, "{0}")

    def method(self, returned, name, parameters):
        """Writes the function that Python calls; returns its number of arguments."""
        noun = next((n for n in HANDLES if name.startswith(f"pv_{n}_") and any(p.type == f"pv_{n}_id" for p in parameters[1:2])), None)
        ins, fields, passed, outs, positional, stub, after = [], [], [], [], [], [], []
        capacity, own = None, noun is not None
        place = f"struct in_{name}"

        def take(p, type=None):
            type = type or p.type
            label = p.name + "_" if p.name == "from" else p.name
            ins.append((type, p.name, None))
            fields.append(f'{{.name = "{label}", .type = &{self.kind(type)}, .offset = offsetof({place}, {p.name}), .required = {"false" if p.name == "flags" else "true"}}}')
            positional.append(label)
            stub.append(f"{label}: {self.stub(type, True)}" + (" = ..." if p.name == "flags" else ""))

        def flatten(p, struct):
            ins.append((struct, p.name, self.default_of(struct)))
            rows = {m.name: (text, m) for m, text in self.fields(struct, f"{p.name}.", place)}
            leading = [n for n in LEADING.get(struct, []) if n in rows]
            for n in leading + [n for n in rows if n not in leading]:
                fields.append(rows[n][0])
                label = n + "_" if n == "from" else n
                if n in leading and len(positional) == len(fields) - 1:
                    positional.append(label)
                stub.append(f"{label}: {self.stub_given(rows[n][1])} = ...")
            if struct in BESIDE:
                type, label, code = BESIDE[struct]
                ins.append((type, label, "PV_VEC2(NAN, NAN)"))
                fields.append(f'{{.name = "{label}", .type = &{self.kind(type)}, .offset = offsetof({place}, {label})}}')
                stub.append(f"{label}: {self.stub(type, True)} = ...")
                after.append(f"    if (!isnan(in.{label}.x)) {code.format(p.name)};")

        for i, p in enumerate(parameters):
            target = pointed(p.type)
            following = parameters[i + 1] if i + 1 < len(parameters) else None
            if target == "pv_world":
                passed.append("call.world")
            elif own and p.type == f"pv_{noun}_id" and not any("self_id" in text for text in passed):
                passed.append(f"(pv_{noun}_id){{self_id.index, self_id.generation}}")
            elif p.type == "pv_error *":
                passed.append("&call.error")
            elif p.type == "const pv_allocator *":
                passed.append("NULL")
            elif following and following.name == "capacity":
                capacity = target
                passed.append("found")
            elif p.name == "capacity":
                passed.append("capacity")
            elif following and following.name.endswith("count") and target and p.type.startswith("const"):
                ins.append((f"const {target} *", p.name, None))
                ins.append(("int", following.name, None))
                fields.append(
                    f'{{.name = "{p.name}", .type = &{self.kind(target)}, .offset = offsetof({place}, {p.name}), .array = true, '
                    f".count_offset = offsetof({place}, {following.name}), .required = true}}"
                )
                positional.append(p.name)
                stub.append(f"{p.name}: Sequence[{self.stub(target, True)}]")
                passed.append(f"in.{p.name}")
            elif p.name.endswith("count") and ins and ins[-1][1] == p.name:
                passed.append(f"in.{p.name}")
            elif p.length:
                outs.append((p.type, p.name, p.length))
                passed.append(f"out.{p.name}")
            elif p.type.startswith("const ") and target in self.made:
                flatten(p, target)
                passed.append(f"&in.{p.name}")
            elif target in self.made or (target in SCALARS and not p.type.startswith("const")):
                outs.append((target, p.name, 0))
                passed.append(f"&out.{p.name}")
            elif self.kind(p.type):
                take(p)
                passed.append(f"in.{p.name}")
            else:
                sys.exit(f"bind.py: {name}: no rule for {p.type} {p.name}")
        self.call(returned, name, ins, fields, passed, outs, capacity, len(positional), after)
        result = self.result_stub(returned, outs, capacity)
        if "_create" in name:
            result = result.replace(" | None", "")
        return noun, len(fields), stub, result, len(positional)

    def stub_given(self, m):
        item = pointed(m.type) if pointed(m.type) != "pv_mask" else None
        return f"Sequence[{self.stub(item, True)}]" if item else self.stub(m.type, True)

    def result_stub(self, returned, outs, capacity):
        if capacity:
            return f"list[{self.stub(capacity).replace(' | None', '')}]"
        kinds = [f"tuple[{self.stub(t)}, {self.stub(t)}]" if n else self.stub(t) for t, _, n in outs]
        if returned in ("pv_status", "void"):
            return "None" if not kinds else kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
        if returned == "bool" and kinds:
            return f"{kinds[0]} | None"
        if kinds:
            return kinds[0]
        return self.stub(returned)

    def call(self, returned, name, ins, fields, passed, outs, capacity, positional, after):
        if ins:
            self.lines.append(f"struct in_{name} {{ {' '.join(f'{t} {n};' for t, n, _ in ins)} }};")
            self.lines.append(f"static const pvpy_field parameters_{name}[] = {{{', '.join(fields)}}};")
        self.lines.append(f"static PVPY_FUNCTION(call_{name}) {{")
        self.lines.append(f"    struct in_{name} in;" if ins else "    char in = 0;")
        for _, n, default in ins:
            value = default or "{0}"
            typed = next(t for t, m, _ in ins if m == n)
            self.lines.append(f"    in.{n} = {value};" if default and "{" not in default else f"    memset(&in.{n}, 0, sizeof in.{n});" if not default or value == "{0}" or value == "{{0}}" else f"    in.{n} = ({typed}){value};")
        table = f"parameters_{name}" if ins else "NULL"
        self.lines.append("    pvpy_call call;")
        self.lines.append(f'    if (!pvpy_call_begin(&call, self, "{name}", {table}, {len(fields)}, {positional}, &in, args, count, keywords)) return NULL;')
        self.lines += after
        arguments = ", ".join(passed)
        if "self_id" in arguments:
            self.lines.append("    pvpy_id self_id = pvpy_self_id(self);")
        if outs:
            self.lines.append("    struct { " + " ".join(f"{t} {n}{f'[{k}]' if k else ''};" for t, n, k in outs) + " } out;")
            self.lines.append("    memset(&out, 0, sizeof out);")
        if capacity:
            self.lines += [
                f"    {capacity} *found = NULL;", "    int capacity = 0;",
                f"    capacity = {name}({arguments});",
                f"    found = pvpy_call_room(&call, capacity, sizeof *found);",
                f"    if (found) capacity = {name}({arguments});",
                f"    return pvpy_call_list(&call, &{self.kind(capacity)}, found, capacity);", "}",
            ]
            return
        if returned == "void":
            self.lines.append(f"    {name}({arguments});\n    PyObject *result = pvpy_call_end(&call, NULL, NULL);")
        elif returned == "pv_status":
            self.lines.append(f"    PyObject *result = pvpy_call_status(&call, {name}({arguments}));")
        else:
            self.lines.append(f"    {returned} value = {name}({arguments});")
            self.lines.append(f"    PyObject *result = pvpy_call_end(&call, &{self.kind(returned)}, &value);")
        if outs:
            item = ", ".join(f"{{&{self.kind(t)}, &out.{n}, {k}}}" for t, n, k in outs)
            self.lines.append(f"    const pvpy_out outs[] = {{{item}}};")
            self.lines.append(f"    return pvpy_call_outs(&call, result, outs, {len(outs)}, {'true' if returned == 'bool' else 'false'});")
        else:
            self.lines.append("    return result;")
        self.lines.append("}")

    def classes(self):
        members = {name: [] for name in CLASSES}
        for returned, name, parameters in self.api.functions:
            target = self.place_of(name)
            if not target:
                continue
            noun, fields, stub, result, positional = self.method(returned, name, parameters)
            members[target[0]].append((target[1], name, fields, stub, result, positional))
        for noun, list in members.items():
            self.table(noun, list)

    def place_of(self, name):
        """Returns the class and the method's name of a function, or None."""
        if EXCLUDED.search(name):
            return None
        if found := re.fullmatch(r"pv_joint_create_(\w+)", name):
            return "world", f"create_{found[1]}_joint"
        if found := re.fullmatch(r"pv_(\w+)_create", name):
            return ("world", f"create_{found[1]}") if found[1] in HANDLES + BUILDERS else None
        for noun in sorted(CLASSES, key=len, reverse=True):
            if name.startswith(f"pv_{noun}_"):
                return noun, name.removeprefix(f"pv_{noun}_")
        return None

    def table(self, noun, list):
        """Writes the methods and properties of a class."""
        by_name = {method: entry for method, *entry in list}
        methods, properties, stubs = [], [], []
        for method, name, fields, stub, result, positional in list:
            getter = re.fullmatch(r"(?:get|is)_(\w+)", method)
            setter = re.fullmatch(r"set_(\w+)", method)
            if getter and fields == 0:
                other = by_name.get(f"set_{getter[1]}")
                writes = f"call_{other[0]}" if other and other[1] == 1 else "NULL"
                properties.append(f'    {{"{getter[1]}", pvpy_get_property, {"pvpy_set_property" if other and other[1] == 1 else "NULL"}, NULL, &(pvpy_property){{call_{name}, {writes}}}}},')
                stubs += ["    @property", f"    def {getter[1]}(self) -> {result}: ..."]
                if writes != "NULL":
                    stubs += [f"    @{getter[1]}.setter", f"    def {getter[1]}(self, value: {other[2][0].split(': ', 1)[1]}) -> None: ..."]
                continue
            if setter and fields == 1 and any(f"{word}_{setter[1]}" in by_name and by_name[f"{word}_{setter[1]}"][1] == 0 for word in ("get", "is")):
                continue
            methods.append(f'    PVPY_METHOD("{method}", call_{name}, "Calls {name}(): see the reference of the library."),')
            given = stub[:positional] + (["*"] if len(stub) > positional else []) + stub[positional:]
            stubs.append(f"    def {method}({', '.join(['self', *given])}) -> {result}: ...")
        self.lines += [f"static PyMethodDef methods_{noun}[] = {{", *methods, "    PVPY_METHODS_" + noun.upper(), "    {NULL, NULL, 0, NULL},", "};"]
        self.lines += [f"static PyGetSetDef properties_{noun}[] = {{", *properties, "    PVPY_PROPERTIES_" + noun.upper(), "    {NULL, NULL, NULL, NULL, NULL},", "};"]
        base = {"world": "class World:"}.get(noun, f"class {camel(noun)}(Handle):")
        if noun == "body":
            stubs += ["    @property", "    def picture(self) -> bool: ...", "    @picture.setter", "    def picture(self, value: Any) -> None: ..."]
        self.stubs += [base, *stubs] + ([f"@@{noun}"] if noun == "world" else [] if stubs else ["    pass"])

    def finish(self):
        structs = ", ".join(f"&type_{s}" for s in self.made)
        self.lines.append(f"static const pvpy_type *const struct_types[] = {{{structs}}};")
        self.lines.append(f"static const char *const handle_names[] = {{{', '.join(chr(34) + camel(n) + chr(34) for n in HANDLES)}}};")
        self.lines.append(f"static const char *const handle_nouns[] = {{{', '.join(chr(34) + n + chr(34) for n in HANDLES)}}};")
        self.lines += [f"enum {{ {', '.join('HANDLE_' + n.upper() for n in HANDLES)}, HANDLE_COUNT }};"]
        self.lines += [f"static PyMethodDef *const handle_methods[] = {{{', '.join('methods_' + n for n in HANDLES)}}};"]
        self.lines += [f"static PyGetSetDef *const handle_properties[] = {{{', '.join('properties_' + n for n in HANDLES)}}};"]
        flags = " ".join(f'{{"{n.removeprefix("PV_")}", {n}}},' for n in self.api.flags)
        self.lines.append(f"static const pvpy_word flag_words[] = {{{flags} {{NULL, 0}}}};")
        self.stubs += [f"{n.removeprefix('PV_')}: int" for n in self.api.flags]


def main():
    top, calls, stubs = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    writer = Writer(Api(top))
    for part in (writer.enums, writer.handles, writer.structs, writer.classes, writer.finish):
        part()
    head = f"/* {calls.name} - calls of the library for Python, generated from the public headers. */\n"
    calls.write_text(head + "\n".join(writer.lines) + "\n")
    hand = (top / "bindings/python/tools/stubs.pyi").read_text()
    shared, world = hand.split("# ---- World\n")
    text = "\n".join(writer.stubs).replace("@@world", world.rstrip())
    stubs.write_text(shared + text + "\n")


main()
