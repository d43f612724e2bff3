"""bind.py - writes what Python needs of the public headers: tables of structs, a function for each call, and the stubs.

Invariant: each function of the headers is a method here or named in EXCLUDED, or the build stops. Offsets and
values come from the C compiler.

Usage: bind.py TOP CALLS.h STUBS.pyi

SPDX-License-Identifier: Zlib
"""

import pathlib
import re
import subprocess
import sys

HANDLES = ["body", "joint", "particle", "liquid", "force_field", "composite", "grains"]
BUILDERS = ["polygon", "rope", "cloth", "soft_body", "jelly", "tree", "grass", "ragdoll", "bridge"]
# Classes that own a pointer, with the function that frees it. Masks have a separate class.
RESOURCES = {
    "material_map": "pv_material_map_release", "image": "pv_image_destroy", "frames": "pv_frames_destroy", "parts": "pv_parts_destroy",
    "outline": "pv_outline_destroy", "group": "pv_group_destroy",
}
KEEP_MASKS = ["group"]
# Structs whose functions are methods of their values.
VALUES = ["placed", "swept", "transform", "rotation", "pose"]
CLASSES = ["world", *HANDLES, "mover", "mask", *RESOURCES, *VALUES, "module"]
# Functions that handwritten code calls, or that are of no use in Python, with the reason.
EXCLUDED = {
    r"_default$": "keywords begin with the defaults",
    r"_(is_valid|get_user_data|set_user_data|retain|release)$": "objects of Python do it: valid, data, and their life",
    r"^pv_(frames|group|image|outline|parts)_destroy$": "objects of Python do it at their end",
    r"^pv_world_(save|restore)_changes$": "a list of whole snapshots does it",
    r"^pv_world_(create|destroy|step|save|restore|debug_draw|compute_hash|get_events|get_particle_positions|set_(filter|presolve|split)_callback)$": "world.c and callback.c call it",
    r"^pv_world_get_next_\w+$": "world.bodies and the like are lists",
    r"^pv_task_pool_\w+$|^pv_world_set_workers$": "world.c calls it: World(workers=4) and world.workers",
    r"^pv_world_set_report_callback$": "refusals are exceptions",
    r"^pv_grains_(get_view|emit_mask|merge)$": "callback.c calls it",
    r"^pv_body_def_(at|set_top_left)$": "create_body() has type and top_left",
    r"^pv_cut_\w+$": "keywords and pairs take their place",
    r"^pv_vec2_\w+$": "math.hypot() and the like do it",
    r"^pv_clock_\w+$": "a sum of times does it",
    r"^pv_map_objects_\w+$": "json.load() reads them",
    r"^pv_canvas_\w+$": "pygame draws, and World.draw()",
    r"^pv_(error_print|status_to_string|version)$": "exceptions tell it, and __version__",
    r"^pv_paper_\w+$": "research on the papers needs C",
    r"^pv_mask_(copy|create|create_rect|scale|set_pixel|get_pixel|invert|count_pixels|compute_overlap_area|obstacle)$": "the names of pygame do it",
    r"^pv_mask_(get_words|from_bits|to_bits|from_rgba|to_rgba|from_pixels|from_color)$": "buffers, from_surface(), from_threshold() and to_surface() do it",
    r"^pv_mask_(serialize|deserialize)$|^pv_tilemap_create_mask$|^pv_material_map_from_bytes$": "assets.c calls it",
}
HIDDEN = re.compile(r"^(cookie|user_data|\w+_user_data|allocator|\w+_callback|accept|uvs|worker_count)$")
# Arguments that may be left out, and texts that are paths.
OPTIONAL = [("pv_frames_load", "image"), ("pv_frames_load_memory", "image"), ("pv_tilemap_load_mask", "layer"), ("pv_world_get_poses", "flags")]
SCALARS = {
    "double": "double", "float": "float", "int": "int", "int32_t": "int", "unsigned": "uint", "uint32_t": "uint",
    "pv_color": "uint", "bool": "bool", "int64_t": "long", "uint64_t": "ulong", "size_t": "ulong",
}
STUBS = {"double": "float", "float": "float", "int": "int", "uint": "int", "bool": "bool", "long": "int", "ulong": "int"}
# Members that may be given without their names, in this order.
LEADING = {
    "pv_body_def": ["mask", "position", "type"], "pv_joint_def": ["type", "a", "b"], "pv_particle_def": ["position"],
    "pv_cut": ["type"], "pv_polygon_def": ["points"], "pv_force_field_def": ["type"], "pv_grains_def": ["capacity"],
    "pv_swept": ["mask", "from", "to"], "pv_placed": ["mask", "transform"], "pv_mover": ["mask", "position"], "pv_grid": ["width", "height"], "pv_tag": ["name", "first", "last"], "pv_mask_options": ["alpha_threshold"],
    "pv_jelly_def": ["mask", "position"], "pv_rope_def": ["from", "to"], "pv_ragdoll_def": ["position"],
}
# An argument in addition to a struct's members: its type and name, its default, and the code that uses it.
BESIDE = {
    "pv_body_def": ("pv_vec2", "top_left", "PV_VEC2(NAN, NAN)", "if (!isnan(in.top_left.x)) pv_body_def_set_top_left(&in.{0}, in.top_left);"),
    "pv_grains_def": ("PyObject *", "color_function", "NULL", "if (in.color_function) pvpy_grains_set_color(&call, &in.{0}, in.color_function);"),
}
RENAMED = {"get_def": "get_definition"}
# Types that handwritten code uses.
SHARED = ["pv_transform", "pv_placed", "pv_rect", "pv_presolve_contact", "pv_presolve_result"]
OWNED = [f"pv_{noun}" for noun in RESOURCES]
DEFAULTS = {
    "pv_cut": "pv_cut_circle(PV_VEC2(0, 0), 0)", "pv_placed": "{.transform = pv_transform_identity()}",
    "pv_swept": "{.from = pv_transform_identity(), .to = pv_transform_identity()}",
    "pv_query_filter": "{.mask_bits = 0xffffffffu}", "pv_grain_sink": "{{0}}", "pv_rotation": "{1, 0}", "pv_pose": "{.rotation = {1, 0}}",
    "pv_transform": "pv_transform_identity()",
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
    """Returns the names of an enum without their common prefix: PV_BODY_STATIC becomes static."""
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


def storage(type):
    return "const" if type in SHARED else "static const"


class Writer:
    """Text of the C file and of the stubs."""

    def __init__(self, api):
        self.api, self.lines, self.stubs, self.made, self.added = api, [], [], {}, {}

    def kind(self, type):
        """Returns the C name of a type's description, or None."""
        id = re.fullmatch(r"pv_(\w+)_id", type)
        if type in SCALARS:
            return f"pvpy_type_{SCALARS[type]}"
        if type in ("PyObject *", "const char *"):
            return "pvpy_type_callable" if type == "PyObject *" else "pvpy_type_text"
        if type in self.api.enums or (id and id[1] in HANDLES) or type in self.made:
            return f"type_{type}"
        if pointed(type) in OWNED:
            return f"type_{pointed(type)}"
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
        if type == "PyObject *":
            return "Callable[..., Any] | None"
        if type == "const char *":
            return "str | None"
        if pointed(type) in OWNED:
            return f"{camel(pointed(type))} | None"
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
                f'{storage(type)} pvpy_type type_{type} = {{.kind = PVPY_ENUM, .name = "{type}", .size = sizeof({type}), .words = words_{type}}};',
            ]

    def handles(self):
        for i, noun in enumerate(HANDLES):
            self.lines.append(
                f'static const pvpy_type type_pv_{noun}_id = {{.kind = PVPY_HANDLE, .name = "{camel(noun)}", .size = sizeof(pv_{noun}_id), .handle = {i}}};'
            )
        for i, noun in enumerate(RESOURCES):
            self.lines.append(
                f'static const pvpy_type type_pv_{noun} = {{.kind = PVPY_RESOURCE, .name = "{camel(noun)}", .size = sizeof(void *), .handle = {i}}};'
            )
            self.lines.append(f"static void free_{noun}(void *pointer) {{ {RESOURCES[noun]}(pointer); }}")

    def fields(self, struct, prefix="", place=None):
        """Yields the fields of a struct as C initializers, with their members."""
        members = self.api.structs[struct]
        counts = {}
        for m in members:
            owner = m.type.startswith("const") and pointed(m.type) not in (None, "void", "pv_mask", "char", *OWNED)
            count = next((c for c in members if owner and c.name.endswith("_count") and m.name.startswith(c.name[:-6])), None)
            if count:
                counts[m.name] = count.name
        for m in members:
            item = pointed(m.type) if m.name in counts else m.type
            kind = "pvpy_type_lent_mask" if struct == "pv_mover" and m.name == "mask" else self.kind(item)
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
        id = struct.endswith("_id") and struct != "pv_member_id"
        if struct in self.made or id or re.match(r"pv_(error|allocator|paper|image$|canvas|tilemap|pixels|debug|color|clock|grains_view)", struct):
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
            f'{storage(struct)} pvpy_type type_{struct} = {{.kind = {special}, .name = "{camel(struct)}", .size = sizeof({struct}), '
            f".fields = fields_{struct}, .count = {len(fields)}, .class = &class_{struct}}};",
        ]
        if struct == "pv_vec2":
            return
        rows = []
        for m, _ in self.fields(struct):
            label = m.name + "_" if m.name == "from" else m.name
            ignored = "  # type: ignore[override]" if label in ("count", "index") else ""
            rows += ["    @property", f"    def {label}(self) -> {self.stub_member(m)}: ...{ignored}"]
        if struct != "pv_mover":
            self.stubs += [f"class {camel(struct)}(tuple[Any, ...]):", *rows, f"@@{struct}"]
        else:
            self.mover_stubs = [row for m, _ in self.fields(struct) for row in self.mover_stub(m)]

    def mover_stub(self, m):
        rows = ["    @property", f"    def {m.name}(self) -> {self.stub_member(m)}: ..."]
        given = self.stub(m.type, True)
        return rows if m.length else rows + [f"    @{m.name}.setter", f"    def {m.name}(self, value: {given}) -> None: ..."]

    def item_of(self, m):
        """Returns the type of an array's values, or None."""
        item = pointed(m.type)
        return item if m.type.startswith("const") and item not in ("pv_mask", "char", *OWNED) else None

    def stub_member(self, m):
        item = self.item_of(m) or (m.length and m.type)
        return f"list[{self.stub(item)}]" if item else self.stub(m.type)

    # ---- Calls

    def default_of(self, struct):
        if any(name == f"{struct}_default" for _, name, _ in self.api.functions):
            return f"{struct}_default()"
        return DEFAULTS.get(struct, "{0}")

    def own(self, target, parameter):
        """Returns the expression for the object of a method, or None if a parameter is not its object."""
        pointer = pointed(parameter.type)
        if parameter.type == f"pv_{target}_id" and target in HANDLES:
            return f"(pv_{target}_id){{self_id.index, self_id.generation}}"
        if pointer == "pv_mover" and target == "mover":
            return "pvpy_self_mover(self)"
        if pointer == "pv_mask" and target == "mask":
            return "pvpy_self_pointer(self)" if parameter.type.startswith("const") else "edited"
        if pointer == f"pv_{target}" and target in RESOURCES:
            return "pvpy_self_pointer(self)"
        if f"pv_{target}" in (pointer, parameter.type) and target in VALUES:
            return "&value_self" if pointer else "value_self"
        return None

    def method(self, returned, name, parameters, target):
        """Writes the function that Python calls; returns its number of arguments, its stub, and whether it has no object."""
        ins, fields, passed, outs, positional, stub, after = [], [], [], [], [], [], []
        capacity, own, hits = None, None, None
        place = f"struct in_{name}"

        def label_of(p):
            return p.name + "_" if p.name == "from" else p.name

        def add(ctype, p, kind, extra="", required=True, text="Any"):
            ins.append((ctype, p.name, None))
            needed = ", .required = true" if required else ""
            fields.append(f'{{.name = "{label_of(p)}", .type = &{kind}, .offset = offsetof({place}, {p.name}){extra}{needed}}}')
            if len(positional) == len(fields) - 1:
                positional.append(label_of(p))
            stub.append(f"{label_of(p)}: {text}" + ("" if required else " = ..."))

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
                ctype, label, default, code = BESIDE[struct]
                ins.append((ctype, label, default))
                fields.append(f'{{.name = "{label}", .type = &{self.kind(ctype)}, .offset = offsetof({place}, {label})}}')
                stub.append(f"{label}: {self.stub(ctype, True)} = ...")
                after.append("    " + code.format(p.name))

        for i, p in enumerate(parameters):
            pointer = pointed(p.type)
            following = parameters[i + 1] if i + 1 < len(parameters) else None
            counted = following and following.name.endswith("count")
            self_is = own is None and not counted and self.own(target, p)
            if pointer == "pv_world":
                passed.append("call.world")
            elif self_is:
                own = self_is
                passed.append(own)
            elif p.type == "pv_error *":
                passed.append("&call.error")
            elif p.type == "const pv_allocator *" or p.type == "void *":
                passed.append("NULL")
            elif following and following.name == "capacity":
                capacity = pointer
                passed.append("found")
            elif p.name == "capacity":
                passed.append("capacity")
            elif p.type == "const void *" and following.name == "size":
                add("const void *", p, "pvpy_type_bytes", f", .count_offset = offsetof({place}, size)", text="bytes")
                ins.append(("size_t", "size", None))
                passed.append(f"in.{p.name}")
            elif p.name == "size" and ins and ins[-1][1] == "size":
                passed.append("in.size")
            elif counted and pointer and p.type.startswith("const"):
                count = f", .array = true, .count_offset = offsetof({place}, {following.name})"
                add(f"const {pointer} *", p, self.kind(pointer), count, text=f"Sequence[{self.stub(pointer, True)}]")
                ins.append(("int", following.name, None))
                passed.append(f"in.{p.name}")
            elif p.name.endswith("count") and ins and ins[-1][1] == p.name:
                passed.append(f"in.{p.name}")
            elif p.type == "bool *" and p.name == "hits":
                hits = ins[-1][1]
                passed.append("hits")
            elif p.length:
                outs.append((p.type, p.name, p.length))
                passed.append(f"out.{p.name}")
            elif p.type.startswith("const ") and pointer in self.made and pointer.removeprefix("pv_") in VALUES and target in (*VALUES, "group"):
                add(pointer, p, self.kind(pointer), text="Struct")
                passed.append(f"&in.{p.name}")
            elif p.type.startswith("const ") and pointer in self.made:
                flatten(p, pointer)
                passed.append(f"&in.{p.name}")
            elif pointer in self.made or (pointer in SCALARS and not p.type.startswith("const")):
                outs.append((pointer, p.name, 0))
                passed.append(f"&out.{p.name}")
            elif p.type == "const char *" and p.name == "path":
                add(p.type, p, "pvpy_type_path", text="Path")
                passed.append(f"in.{p.name}")
            elif self.kind(p.type):
                optional = p.name == "flags" or (name, p.name) in OPTIONAL
                text = self.stub(p.type, True)
                add(p.type, p, self.kind(p.type), required=not optional, text="str" if text == "str | None" and not optional else text)
                passed.append(f"in.{p.name}")
            else:
                sys.exit(f"bind.py: {name}: no rule for {p.type} {p.name}")
        own_type = f"pv_{target}" if own and "value_self" in own else None
        self.call(returned, name, ins, fields, passed, outs, capacity, len(positional), after, own_type, hits)
        result = self.result_stub(returned, outs, capacity, hits)
        if "_create" in name:
            result = result.replace(" | None", "")
        return len(fields), stub, result, len(positional), own is None and target not in ("world", "module")

    def stub_given(self, m):
        item = self.item_of(m) or (m.length and m.type)
        return f"Sequence[{self.stub(item, True)}]" if item else self.stub(m.type, True)

    def result_stub(self, returned, outs, capacity, hits):
        if capacity:
            return f"list[{self.stub(capacity).replace(' | None', '')}]"
        if hits:
            return "list[bool]"
        kinds = [f"tuple[{self.stub(t)}, {self.stub(t)}]" if n else self.stub(t) for t, _, n in outs]
        if returned in ("pv_status", "void"):
            return "None" if not kinds else kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
        if returned == "bool" and kinds:
            return f"{kinds[0]} | None"
        if self.creates(returned):
            kinds.insert(0, "Mask" if returned == "pv_mask *" else camel(pointed(returned)))
            return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
        if kinds:
            return kinds[0]
        if pointed(returned) in self.made:
            return f"{camel(pointed(returned))} | None"
        return "str" if returned == "const char *" else self.stub(returned)

    def creates(self, returned):
        """Tells whether a call returns a new object without a world."""
        return not returned.startswith("const") and pointed(returned) in ("pv_mask", *OWNED)

    def begin(self, name, ins, fields, passed, outs, positional, after, own_type):
        """Writes the code before the call itself."""
        if ins:
            self.lines.append(f"struct in_{name} {{ {' '.join(f'{t} {n};' for t, n, _ in ins)} }};")
            self.lines.append(f"static const pvpy_field parameters_{name}[] = {{{', '.join(fields)}}};")
        self.lines.append(f"static PVPY_FUNCTION(call_{name}) {{")
        self.lines.append(f"    struct in_{name} in;" if ins else "    char in = 0;")
        for t, n, default in ins:
            default = default or (self.default_of(t) if t in self.api.structs and t in DEFAULTS else None)
            if not default or default in ("{0}", "{{0}}"):
                self.lines.append(f"    memset(&in.{n}, 0, sizeof in.{n});")
            else:
                self.lines.append(f"    in.{n} = {f'({t})' if '{' in default else ''}{default};")
        table = f"parameters_{name}" if ins else "NULL"
        self.lines.append("    pvpy_call call;")
        self.lines.append(f'    if (!pvpy_call_begin(&call, self, "{name}", {table}, {len(fields)}, {positional}, &in, args, count, keywords)) return NULL;')
        self.lines += after
        arguments = ", ".join(passed)
        if own_type:
            default = self.default_of(own_type)
            self.lines.append(f"    {own_type} value_self = {default};")
            self.lines.append(f'    if (!pvpy_read(&call, &type_{own_type}, self, &value_self, "self")) return pvpy_call_end(&call, NULL, NULL);')
        if "self_id" in arguments:
            self.lines.append("    pvpy_id self_id = pvpy_self_id(self);")
        if "edited" in passed:
            self.lines.append("    pv_mask *edited = pvpy_call_edit(&call, self);\n    if (!edited) return pvpy_call_end(&call, NULL, NULL);")
        if outs:
            self.lines.append("    struct { " + " ".join(f"{t} {n}{f'[{k}]' if k else ''};" for t, n, k in outs) + " } out;")
            self.lines.append("    memset(&out, 0, sizeof out);")
        return arguments

    def call(self, returned, name, ins, fields, passed, outs, capacity, positional, after, own_type, hits):
        arguments = self.begin(name, ins, fields, passed, outs, positional, after, own_type)
        if capacity:
            self.lines += [
                f"    {capacity} *found = NULL;", "    int capacity = 0;",
                f"    capacity = {name}({arguments});",
                f"    found = pvpy_call_room(&call, capacity, sizeof *found);",
                f"    if (found) capacity = {name}({arguments});",
                f"    return pvpy_call_list(&call, &{self.kind(capacity)}, found, capacity);", "}",
            ]
            return
        if hits:
            self.lines += [
                f"    bool *hits = pvpy_call_room(&call, in.{hits}, sizeof *hits);",
                f"    if (hits) {name}({arguments});",
                f"    return pvpy_call_list(&call, &pvpy_type_bool, hits, in.{hits});", "}",
            ]
            return
        if returned == "void":
            self.lines.append(f"    {name}({arguments});\n    PyObject *result = pvpy_call_end(&call, NULL, NULL);")
        elif returned == "pv_status":
            self.lines.append(f"    PyObject *result = pvpy_call_status(&call, {name}({arguments}));")
        elif returned == "pv_mask *":
            self.lines.append(f"    PyObject *result = pvpy_call_mask(&call, {name}({arguments}));")
        elif self.creates(returned):
            self.lines.append(f"    PyObject *result = pvpy_call_resource(&call, {list(RESOURCES).index(pointed(returned).removeprefix('pv_'))}, {name}({arguments}));")
        elif pointed(returned) in self.made:
            self.lines.append(f"    {returned}value = {name}({arguments});")
            self.lines.append(f"    PyObject *result = value ? pvpy_call_end(&call, &{self.kind(pointed(returned))}, value) : pvpy_call_none(&call);")
        else:
            self.lines.append(f"    {returned} value = {name}({arguments});")
            self.lines.append(f"    PyObject *result = pvpy_call_end(&call, &{self.kind(returned)}, &value);")
        if outs:
            how = "PVPY_OUTS_IF_TRUE" if returned == "bool" else "PVPY_OUTS_TOO" if self.creates(returned) else "PVPY_OUTS_ALONE"
            item = ", ".join(f"{{&{self.kind(t)}, &out.{n}, {k}}}" for t, n, k in outs)
            self.lines.append(f"    const pvpy_out outs[] = {{{item}}};")
            self.lines.append(f"    result = pvpy_call_outs(&call, result, outs, {len(outs)}, {how});")
        self.lines += ["    return result;", "}"]

    def classes(self):
        members = {name: [] for name in CLASSES}
        for returned, name, parameters in self.api.functions:
            if any(re.search(pattern, name) for pattern in EXCLUDED):
                continue
            target, method = self.place_of(name)
            fields, stub, result, positional, static = self.method(returned, name, parameters, target)
            members[target].append((RENAMED.get(method, method), name, fields, stub, result, positional, static))
        self.mover()
        for noun, list in members.items():
            self.table(noun, list)

    def mover(self):
        """Writes the arguments of create_mover(), and its stub."""
        fields = {m.name: (text, m) for m, text in self.fields("pv_mover", "mover.", "struct in_pv_mover_default")}
        leading = LEADING["pv_mover"]
        order = leading + [n for n in fields if n not in leading]
        self.lines.append("struct in_pv_mover_default { pv_mover mover; };")
        self.lines.append(f"static const pvpy_field parameters_pv_mover_default[] = {{{', '.join(fields[n][0] for n in order)}}};")
        words = [f"{n}: {self.stub_given(fields[n][1])} = ..." for n in order]
        self.create_mover = f"    def create_mover(self, {', '.join(words[:2])}, *, {', '.join(words[2:])}) -> Mover: ..."

    def place_of(self, name):
        """Returns the class and the method's name of a function."""
        if found := re.fullmatch(r"pv_joint_create_(\w+)", name):
            return "world", f"create_{found[1]}_joint"
        if (found := re.fullmatch(r"pv_(\w+)_create", name)) and found[1] in HANDLES + BUILDERS:
            return "world", f"create_{found[1]}"
        if name == "pv_tilemap_load_mask":
            return "mask", "load_tilemap"
        for noun in sorted(CLASSES, key=len, reverse=True):
            if name.startswith(f"pv_{noun}_"):
                return noun, name.removeprefix(f"pv_{noun}_")
        return "module", name.removeprefix("pv_")

    def accessors(self, noun, list):
        """Returns methods, properties and stubs of a class."""
        by_name = {method: entry for method, *entry in list}
        methods, properties, stubs = [], [], []
        for method, name, fields, stub, result, positional, static in list:
            getter = not static and noun != "module" and re.fullmatch(r"(?:get|is)_(\w+)", method)
            setter = re.fullmatch(r"set_(\w+)", method)
            if getter and fields == 0:
                other = by_name.get(f"set_{getter[1]}")
                writes = f"call_{other[0]}" if other and other[1] == 1 else "NULL"
                properties.append(f'    {{"{getter[1]}", pvpy_get_property, {"pvpy_set_property" if other and other[1] == 1 else "NULL"}, NULL, &(pvpy_property){{call_{name}, {writes}}}}},')
                stubs += ["    @property", f"    def {getter[1]}(self) -> {result}: ..." + ("  # type: ignore[override]" if (noun, getter[1]) == ("pose", "count") else "")]
                if writes != "NULL":
                    stubs += [f"    @{getter[1]}.setter", f"    def {getter[1]}(self, value: {other[2][0].split(': ', 1)[1]}) -> None: ..."]
                continue
            if setter and fields == 1 and any(f"{word}_{setter[1]}" in by_name and by_name[f"{word}_{setter[1]}"][1] == 0 for word in ("get", "is")):
                continue
            macro = "PVPY_STATIC" if static else "PVPY_METHOD"
            methods.append(f'    {macro}("{method}", call_{name}, "Calls {name}(): see the reference of the library."),')
            last = max((i for i in range(positional) if " = " not in stub[i]), default=0)
            stub = [word.removesuffix(" = ...") for word in stub[:last]] + stub[last:]
            given = stub[:positional] + (["*"] if len(stub) > positional else []) + stub[positional:]
            if static:
                stubs.append("    @staticmethod")
            first = [] if static or noun == "module" else ["self"]
            stubs.append(f"    def {method}({', '.join([*first, *given])}) -> {result}: ...")
        return methods, properties, stubs

    def table(self, noun, list):
        """Writes the methods and properties of a class."""
        methods, properties, stubs = self.accessors(noun, list)
        if noun == "mover":
            properties += [
                f'    {{"{m.name}", pvpy_mover_get, {"NULL" if m.length else "pvpy_mover_set"}, NULL, (void *)(uintptr_t)&fields_pv_mover[{i}]}},'
                for i, (m, _) in enumerate(self.fields("pv_mover"))
            ]
        self.lines += [f"static PyMethodDef methods_{noun}[] = {{", *methods, "    PVPY_METHODS_" + noun.upper(), "    {NULL, NULL, 0, NULL},", "};"]
        if noun == "module":
            self.stubs += [line.removeprefix("    ") for line in stubs]
            return
        self.lines += [f"static PyGetSetDef properties_{noun}[] = {{", *properties, "    PVPY_PROPERTIES_" + noun.upper(), "    {NULL, NULL, NULL, NULL, NULL},", "};"]
        if noun == "mask" or noun in VALUES:
            self.added[f"pv_{noun}"] = stubs
            return
        if noun == "body":
            stubs += ["    @property", "    def picture(self) -> bool: ...", "    @picture.setter", "    def picture(self, value: Any) -> None: ..."]
        if noun == "mover":
            stubs = ["    data: Any", "    @property", "    def world(self) -> World: ...", *self.mover_stubs, *stubs]
        base = f"class {camel(noun)}(Handle):" if noun in HANDLES else f"class {camel(noun)}:"
        self.stubs += [base, *stubs, f"@@{noun}"] + ([] if stubs else ["    pass"])

    def finish(self):
        structs = ", ".join(f"&type_{s}" for s in self.made)
        self.lines.append(f"static const pvpy_type *const struct_types[] = {{{structs}}};")
        kinds = ", ".join(f'{{"{camel(n)}", "{n}", methods_{n}, properties_{n}, {n}_is_valid}}' for n in HANDLES)
        self.lines.append(f"static const pvpy_handle_class handle_list[PVPY_HANDLE_KINDS] = {{{kinds}}};")
        self.lines.append(f"enum {{ {', '.join('HANDLE_' + n.upper() for n in HANDLES)} }};")
        rows = ", ".join(
            f'{{"{camel(n)}", free_{n}, methods_{n}, properties_{n}, {"pvpy_image_buffer" if n == "image" else "NULL"}, '
            f'{"true" if n in KEEP_MASKS else "false"}}}'
            for n in RESOURCES
        )
        self.lines.append(f"static const pvpy_resource_class resource_list[] = {{{rows}}};")
        self.lines.append("enum { RESOURCE_COUNT = sizeof resource_list / sizeof *resource_list };")
        self.lines.append("static bool extend_struct(PyTypeObject *class, PyMethodDef *methods, PyGetSetDef *properties);")
        calls = " && ".join(f"extend_struct(class_pv_{n}, methods_{n}, properties_{n})" for n in VALUES)
        self.lines.append(f"static bool extend_structs(void) {{ return {calls}; }}")
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
    hand = pathlib.Path(__file__).with_name("stubs.pyi").read_text()
    shared, *parts = re.split(r"^# ---- (\w+)\n", hand, flags=re.M)
    added = {name.lower(): text.rstrip() for name, text in zip(parts[::2], parts[1::2])}
    added = {noun: text.splitlines() for noun, text in added.items()} | writer.added
    added["world"].append(writer.create_mover)
    lines = []
    for line in shared.splitlines() + writer.stubs:
        lines += added.get(line[2:], []) if line.startswith("@@") else [line]
    stubs.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
