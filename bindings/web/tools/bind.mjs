/* bind.mjs - writes what JavaScript needs from the public headers: offsets of members, values of enums, and a method
 * for each function.
 *
 * Invariant: offsets and values come from a module compiled from the same headers. None of them is written here.
 *
 * Usage: bind.mjs layout STATEMENTS                    C whose array `layout` has all numbers
 *        bind.mjs exports STATEMENTS ENTRY SCRIPT...   the functions that an entry calls: all, mask, or play by its scripts
 *        bind.mjs write STATEMENTS LAYOUT.wasm TO HEADER...    structs.js, methods and others
 *
 * SPDX-License-Identifier: Zlib
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { camel, classes, excluded, manual, maskOnly, others } from './surface.mjs';
import { readHeaders } from './header.mjs';

const [command, statements, ...rest] = process.argv.slice(2);
const api = readHeaders(readFileSync(statements, 'utf8'), command === 'write' ? rest.slice(2) : []);

/* ---- Numbers: the order of the array `layout` ---- */

function* layoutEntries() {
    for (const [struct, members] of api.structs) {
        yield [`${struct}`, `sizeof(${struct})`];
        for (const { name } of members) yield [`${struct}.${name}`, `offsetof(${struct}, ${name})`];
    }
    for (const names of api.enums.values()) for (const name of names) yield [name, name];
    for (const name of api.flags) yield [name, name];
}

function layoutSource() {
    const values = [...layoutEntries()].map(([, value]) => `    (int)${value},\n`).join('');
    return `#include <pixverlet.h>\n#include <pixverlet/paper.h>\nextern const int layout[];\nconst int layout[] = {\n${values}};\n`;
}

async function readLayout(file) {
    const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
    const entries = [...layoutEntries()];
    const numbers = new Int32Array(instance.exports.memory.buffer, instance.exports.layout.value, entries.length);
    return new Map(entries.map(([name], i) => [name, numbers[i]]));
}

/* ---- Types ---- */

const scalars = {
    double: { view: 'f64', shift: 3, check: 'number', ts: 'number' },
    float: { view: 'f32', shift: 2, check: 'number', ts: 'number' },
    int: { view: 'i32', shift: 2, check: 'integer', ts: 'number' },
    int32_t: { view: 'i32', shift: 2, check: 'integer', ts: 'number' },
    unsigned: { view: 'u32', shift: 2, check: 'natural', ts: 'number' },
    uint32_t: { view: 'u32', shift: 2, check: 'natural', ts: 'number' },
    size_t: { view: 'u32', shift: 2, check: 'natural', ts: 'number' },
    ptrdiff_t: { view: 'i32', shift: 2, check: 'integer', ts: 'number' },
    pv_color: { view: 'u32', shift: 2, check: 'natural', ts: 'number' },
    bool: { view: 'u8', shift: 0, check: 'truth', ts: 'boolean' },
    int64_t: { view: 'i64', shift: 3, check: 'long', ts: 'number' },
    uint64_t: { view: 'i64', shift: 3, check: 'long', ts: 'number' },
};
/** Objects of JavaScript that hold a pointer. */
const objects = { pv_mask: 'Mask', pv_material_map: 'MaterialMap' };
/** Structs whose members must all be given. */
const whole = new Set(['pv_vec2', 'pv_point', 'pv_rect', 'pv_box']);
const hidden = (member) =>
    /^(cookie|user_data|.*_user_data|allocator|limits|.*_callback|passing|worker_count|(enqueue|finish)_task)$/.test(member.name) || member.type === 'callback';

const idOf = (type) => /^pv_(\w+)_id$/.exec(type)?.[1];
const className = (noun) => (noun ? noun[0].toUpperCase() + camel(noun).slice(1) : noun);
const structOf = (type) => (api.structs.has(type) && !idOf(type) ? type : undefined);
const pointed = (type) => /^(?:const )?(?:struct )?(\w+) ?\*$/.exec(type)?.[1];
const shape = (struct) => className(struct.replace(/^pv_/, ''));

function tsOf(type) {
    if (scalars[type]) return scalars[type].ts;
    if (api.enums.has(type)) return shape(type);
    if (idOf(type)) return `${className(idOf(type))} | null`;
    if (structOf(type)) return shape(type);
    if (objects[pointed(type)]) return `${objects[pointed(type)]} | null`;
    return undefined;
}

/** Words of an enum without their common prefix: PV_BODY_STATIC is 'static'. */
function words(names) {
    let cut = names[0].length;
    for (const name of names) while (!names.every((other) => other.startsWith(name.slice(0, cut)))) cut--;
    cut = names[0].slice(0, cut).lastIndexOf('_') + 1;
    return names.map((name) => camel(name.slice(cut).toLowerCase())).map((word) => (/^\d/.test(word) ? Number(word) : word));
}

/* ---- Structs: functions that read and write them ---- */

let layout;
const place = (struct, member) => {
    const offset = layout.get(`${struct}.${member}`);
    return offset ? `at + ${offset}` : 'at';
};
const index = (where, shift) => (shift ? `(${where}) >> ${shift}` : where);

/** The count that belongs to an array: contact_begin_count to contact_begins. */
function countOf(members, member) {
    if (!/^const .*\*$/.test(member.type)) return undefined;
    return members.find((m) => m.name.endsWith('_count') && member.name.startsWith(m.name.slice(0, -6)));
}

function readOf(type, where) {
    const { view, shift } = scalars[type] ?? {};
    if (type === 'bool') return `u8[${where}] !== 0`;
    if (view === 'i64') return `Number(i64[${index(where, shift)}])`;
    if (view) return `${view}[${index(where, shift)}]`;
    if (api.enums.has(type)) return `${type}.get(i32[${index(where, 2)}])`;
    if (idOf(type)) return `handleAt('${idOf(type)}', ${where}, world)`;
    if (structOf(type)) return `read_${type}(${where}, world)`;
    if (objects[pointed(type)]) return `${camel(pointed(type).slice(3))}At(u32[${index(where, 2)}])`;
    return undefined;
}

function writeOf(type, where, value, name) {
    const { view, shift, check } = scalars[type] ?? {};
    if (view) return `${view}[${index(where, shift)}] = ${check}(${value}, ${name});`;
    if (api.enums.has(type)) return `i32[${index(where, 2)}] = choice(${value}, ${type}, ${name});`;
    if (idOf(type)) return `writeHandle('${idOf(type)}', ${where}, ${value}, ${name});`;
    if (structOf(type)) return `write_${type}(${where}, ${value}, ${name});`;
    if (objects[pointed(type)]) return `u32[${index(where, 2)}] = pointerOf('${objects[pointed(type)]}', ${value}, ${name});`;
    return undefined;
}

function readMember(struct, members, m) {
    const where = place(struct, m.name), count = countOf(members, m), item = pointed(m.type);
    if (count && (structOf(item) || idOf(item)))
        return `readArray(u32[${index(where, 2)}], i32[${index(place(struct, count.name), 2)}], ${layout.get(item)}, (at) => ${readOf(item, 'at')})`;
    if (m.length && layout.get(m.type)) return `readArray(${where}, ${m.length}, ${layout.get(m.type)}, (at) => ${readOf(m.type, 'at')})`;
    return m.length ? undefined : readOf(m.type, where);
}

function writeMember(struct, members, m) {
    const where = place(struct, m.name), value = `value.${camel(m.name)}`, name = `\`\${name}.${m.name}\``;
    const count = countOf(members, m), item = pointed(m.type);
    if (count && (structOf(item) || scalars[item])) {
        const size = layout.get(item) ?? 1 << scalars[item].shift;
        return `writeArray(${where}, ${place(struct, count.name)}, ${size}, ${value}, ${name}, (at, value, name) => { ${writeOf(item, 'at', 'value', 'name')} });`;
    }
    if (m.length && layout.get(m.type))
        return `writeItems(${where}, ${m.length}, ${layout.get(m.type)}, ${value}, ${name}, (at, value, name) => { ${writeOf(m.type, 'at', 'value', 'name')} });`;
    return m.length ? undefined : writeOf(m.type, where, value, name);
}

const counts = (members) => new Set(members.map((m) => countOf(members, m)?.name));
const shown = (members) => members.filter((m) => !hidden(m) && !counts(members).has(m.name));

function structSource(struct, members) {
    const reads = shown(members).map((m) => [m, readMember(struct, members, m)]).filter(([, code]) => code);
    const writes = shown(members).map((m) => [m, writeMember(struct, members, m)]).filter(([, code]) => code);
    const optional = (m, code) => (whole.has(struct) ? code : `if (value.${camel(m.name)} !== undefined) ${code}`);
    const keys = writes.map(([m]) => `'${camel(m.name)}'`).join(', ');
    return `
export function read_${struct}(at, world) {
    return { ${reads.map(([m, code]) => `${camel(m.name)}: ${code}`).join(', ')} };
}
const keys_${struct} = new Set([${keys}]);
export function write_${struct}(at, value, name) {
    members(value, keys_${struct}, name);
${writes.map(([m, code]) => `    ${optional(m, code)}`).join('\n')}
}
`;
}

const opening = (name, job) => `/* ${name} - ${job}, generated from the public headers. */\n`;

function structsSource() {
    const enums = [...api.enums].map(([type, names]) => {
        const entries = words(names).map((word, i) => `[${JSON.stringify(word)}, ${layout.get(names[i])}]`);
        return `export const ${type} = new Choices([${entries.join(', ')}]);\n`;
    });
    const sizes = [...api.structs].map(([struct]) => `    ${struct}: ${layout.get(struct)},\n`).join('');
    const bodies = [...api.structs].filter(([struct]) => !idOf(struct) && !/^pv_(error|allocator|paper)/.test(struct)).map(([struct, members]) => structSource(struct, members));
    return opening('structs.js', 'structs in the memory of the module') +
        "import { choice, Choices, handleAt, integer, long, maskAt, materialMapAt, members, natural, number, pointerOf, readArray, truth, writeArray, writeHandle, writeItems } from './marshal.js';\n" +
        "import { f32, f64, i32, i64, u32, u8 } from './memory.js';\n\n" +
        enums.join('') + `\n/** Sizes of structs in bytes. */\nexport const sizes = {\n${sizes}};\n` + bodies.join('');
}

/** Flags that programs name. */
const flagsSource = () => opening('flags.js', 'flags') + api.flags.map((name) => `export const ${name.replace(/^PV_/, '')} = ${layout.get(name)};\n`).join('');

/** Offsets that handwritten code reads. */
function placesSource() {
    const places = (struct) => api.structs.get(struct).map(({ name }) => `${camel(name)}: ${layout.get(`${struct}.${name}`)}`).join(', ');
    return opening('places.js', 'places of members that are read one by one, and the words of statuses') +
        `export const statuses = ${JSON.stringify(words(api.enums.get('pv_status')).map((word) => camel(word.replace(/^error(\w)/, (_, first) => first.toLowerCase()))))};\n` +
        ['pv_error', 'pv_grains_view', 'pv_contour'].map((struct) => `export const ${camel(struct.slice(3))}Places = { ${places(struct)} };\n`).join('');
}

/* ---- Methods ---- */

/** Plan to pass a parameter of a function: { words, size, before, pass, out, ts }. */
function parameterPlan(f, p, i, plan) {
    const next = f.parameters[i + 1], name = camel(p.name), label = `'${p.name}'`, target = pointed(p.type);
    const at = `at${plan.size ? ` + ${plan.size}` : ''}`;
    const take = (size) => { plan.size += (size + 7) & ~7; };
    const given = (ts, optional = false) => plan.given.push({ name, ts, optional });
    if (/^(const )?pv_world \*$/.test(p.type)) return plan.pass.push('world.pointer');
    if (p.type === 'pv_error *') return plan.pass.push('errorAt');
    if (p.type === 'const pv_allocator *') return plan.pass.push('0');
    if (p.type === 'const pv_query_filter *') {
        given('QueryFilter', true);
        plan.before.push(`const filterAt = writeFilter(${name}, world);`);
        return plan.pass.push('filterAt');
    }
    if (scalars[p.type] && p.name === 'capacity') return plan.pass.push('capacity');
    if (next?.name === 'capacity' && target) {
        plan.list = { type: target, size: layout.get(target) };
        return plan.pass.push('out');
    }
    if (next && /_?count$/.test(next.name) && p.type.startsWith('const ') && target && (structOf(target) || idOf(target))) {
        given(`readonly ${tsOf(target).replace(' | null', '')}[]`);
        plan.before.push(`const ${name}At = allocateArray(${name}, ${layout.get(target)}, ${label}, (at, value, name) => { ${writeOf(target, 'at', 'value', 'name')} });`);
        return plan.pass.push(`${name}At`);
    }
    if (/_?count$/.test(p.name) && plan.given.at(-1)?.ts.endsWith('[]')) return plan.pass.push(`${plan.given.at(-1).name}.length`);
    if (p.length) {
        const size = layout.get(p.type);
        plan.outs.push({ name, code: `readArray(${at}, ${p.length}, ${size}, (at) => ${readOf(p.type, 'at')})`, ts: `${tsOf(p.type)}[]` });
        plan.pass.push(at);
        return take(p.length * size);
    }
    if (scalars[p.type]) {
        given(scalars[p.type].ts, p.name === 'flags');
        const code = `${scalars[p.type].check}(${name}${p.name === 'flags' ? ' ?? 0' : ''}, ${label})`;
        return plan.pass.push(code);
    }
    if (api.enums.has(p.type)) {
        given(shape(p.type));
        return plan.pass.push(`choice(${name}, ${p.type}, ${label})`);
    }
    if (idOf(p.type)) {
        given(`${className(idOf(p.type))} | null`);
        plan.before.push(`writeHandle('${idOf(p.type)}', ${at}, ${name}, ${label});`);
        plan.pass.push(at);
        return take(8);
    }
    const struct = structOf(p.type) ?? (p.type.startsWith('const ') && structOf(target));
    if (struct) {
        given(partialOf(struct));
        const base = defaultOf(struct, f);
        plan.before.push(`${base ? `${base(at)} ` : ''}write_${struct}(${at}, ${name}, ${label});`);
        plan.pass.push(at);
        return take(layout.get(struct));
    }
    if (objects[target]) {
        given(objects[target]);
        return plan.pass.push(`pointerOf('${objects[target]}', ${name}, ${label})`);
    }
    const out = target && (structOf(target) ?? (scalars[target] && target));
    if (out && !p.type.startsWith('const ')) {
        plan.outs.push({ name, type: out, at });
        plan.pass.push(at);
        return take(layout.get(out) ?? 8);
    }
    throw new Error(`bind.mjs: ${f.name}: no rule for ${p.type} ${p.name}`);
}

const functionNames = new Set(api.functions.map((f) => f.name));
const partialOf = (struct) => (whole.has(struct) ? shape(struct) : `Given<${shape(struct)}>`);
/** Code that initializes a struct, before a program's members are written. */
function defaultOf(struct, f) {
    const own = `${struct}_default`;
    if (functionNames.has(own)) return (at) => `wasm.${own}(${at});`;
    if (struct === 'pv_transform') return (at) => `wasm.pv_transform_identity(${at});`;
    if (struct === 'pv_placed' || struct === 'pv_swept' || struct === 'pv_cut') return (at) => `wasm.web_${struct.slice(3)}_default(${at});`;
    if (struct === 'pv_filter' && functionNames.has(f.name.replace('_set_', '_get_')))
        return (at) => `wasm.${f.name.replace('_set_', '_get_')}(${at}, world.pointer, at);`;
    return whole.has(struct) ? undefined : (at) => `u8.fill(0, ${at}, ${at} + ${layout.get(struct)});`;
}

const owned = (type) => type === 'pv_mask *' || type === 'pv_material_map *';

function resultPlan(f, plan) {
    const type = f.returns, call = (first) => `wasm.${f.name}(${[...first, ...plan.pass].join(', ')})`;
    const outs = plan.outs.map((out) => (out.code ? out : { name: out.name, code: readOf(out.type, out.at), ts: tsOf(out.type).replace(' | null', '') }));
    const many = (list) => (list.length === 1 ? list[0].code : `{ ${list.map((o) => `${o.name}: ${o.code}`).join(', ')} }`);
    const tsMany = (list) => (list.length === 1 ? list[0].ts : `{ ${list.map((o) => `${o.name}: ${o.ts}`).join('; ')} }`);
    if (plan.list) return { code: `const found = list((out, capacity) => { ${plan.before.join(' ')} return ${call([])}; }, ${plan.list.size}, (at) => ${readOf(plan.list.type, 'at')});`, value: 'found', ts: `${tsOf(plan.list.type).replace(' | null', '')}[]`, wrapped: true };
    if (type === 'void') return { code: `${call([])};`, ts: 'void' };
    if (type === 'pv_status') return { code: `succeed(${call([])}, '${f.name}');`, value: outs.length ? many(outs) : undefined, ts: outs.length ? tsMany(outs) : 'void' };
    if (type === 'bool') return { code: `const found = ${call([])};`, value: outs.length ? `found ? ${many(outs)} : null` : 'found !== 0', ts: outs.length ? `${tsMany(outs)} | null` : 'boolean' };
    if (scalars[type]?.view === 'i64') return { code: `const found = ${call([])};`, value: 'Number(found)', ts: 'number' };
    if (scalars[type]) return { code: `const found = ${call([])};`, value: outs.length ? many([...outs, { name: 'count', code: 'found' }]) : 'found', ts: outs.length ? tsMany([...outs, { name: 'count', ts: 'number' }]) : 'number' };
    if (api.enums.has(type)) return { code: `const found = ${call([])};`, value: `${type}.get(found)`, ts: shape(type) };
    if (objects[pointed(type)]) {
        const kind = pointed(type).slice(3);
        const made = { name: camel(kind), code: owned(type) ? `adopt('${objects[pointed(type)]}', found)` : `${camel(kind)}At(found)`, ts: objects[pointed(type)] + (owned(type) ? '' : ' | null') };
        return { code: `const found = ${call([])};`, value: many([made, ...outs]), ts: tsMany([made, ...outs]) };
    }
    const struct = structOf(type) ?? (idOf(type) && type);
    if (!struct) throw new Error(`bind.mjs: ${f.name}: no rule for the result ${type}`);
    const at = `at + ${plan.size}`;
    plan.size += (layout.get(struct) + 7) & ~7;
    return { code: `${call([at])};`, value: readOf(type, at), ts: tsOf(type) };
}

function methodSource(f, { self, isStatic, name }) {
    const plan = { size: 0, given: [], before: [], pass: [], outs: [] };
    const head = [];
    f.parameters.forEach((p, i) => {
        if (i === self && idOf(p.type)) {
            head.push(`self(this, '${f.name}');`);
            plan.before.push(`writeSelf(at, this);`);
            plan.pass.push('at');
            plan.size += 8;
        } else if (i === self && objects[pointed(p.type)]) plan.pass.push('this.pointer');
        else parameterPlan(f, p, i, plan);
    });
    const world = f.parameters.some((p) => /pv_world/.test(p.type));
    const taken = plan.given.map((g) => g.name);
    const result = resultPlan(f, plan);
    if (isStatic && world) taken.unshift('world');
    const start = isStatic && world ? "owner(world);" : world ? (self === 0 ? 'owner(this);' : '') : self === 0 ? 'living(this);' : '';
    const body = [...(result.wrapped ? [] : plan.before), result.code, 'finish();', result.value ? `return ${result.value};` : ''].filter(Boolean);
    const framed = plan.size || /allocate|writeFilter|list\(/.test(body.join());
    const here = world && !isStatic ? `const world = ${self === 0 ? 'this' : 'this.world'};` : isStatic && world ? '' : 'const world = null;';
    const lines = [
        `begin('${f.name}');`, start, ...head, /\bworld\b/.test(body.join()) ? here : '',
        ...(framed ? [`const at = enter(${plan.size});`, 'try {', ...body.map((line) => `    ${line}`), '} finally {', '    leave(at);', '}'] : body),
    ].filter(Boolean);
    const source = `    ${isStatic ? 'static ' : ''}${name}(${taken.join(', ')}) {\n${lines.map((line) => `        ${line}\n`).join('')}    }\n`;
    const parameters = plan.given.map((g) => `${g.name}${g.optional ? '?' : ''}: ${g.ts}`);
    if (isStatic && world) parameters.unshift('world: World');
    const comment = f.comment.replace(/\bpv_/g, 'pv_').split('\n').map((line) => `     * ${line}\n`).join('');
    const types = `    /**\n${comment}     */\n    ${isStatic ? 'static ' : ''}${name}(${parameters.join(', ')}): ${result.ts};\n`;
    return { source, types };
}

/** The functions of a class, as [function, how]. */
function methodsOf({ prefix, type, statics = [] }) {
    const own = [];
    for (const f of api.functions) {
        if (excluded(f.name)) continue;
        const found = statics.find(([pattern]) => pattern.test(f.name));
        if (found) own.push([f, { self: -1, isStatic: true, name: camel(found[1](f.name)) }]);
        else if (prefix && f.name.startsWith(prefix)) {
            const self = f.parameters.findIndex((p) => p.type === type || pointed(p.type) === type);
            if (self >= 0) own.push([f, { self, isStatic: false, name: camel(f.name.slice(prefix.length)) }]);
        }
    }
    return own;
}

function sourcesOf(which) {
    const of = classes.filter((c) => Boolean(c.mask) === which).map((c) => ({ ...c, methods: methodsOf(c).map(([f, how]) => methodSource(f, how)) }));
    const imports = "import { adopt, allocateArray, begin, choice, enter, errorAt, finish, handleAt, integer, leave, list, living, long, maskAt, materialMapAt, natural, number, owner, pointerOf, readArray, self, succeed, truth, writeFilter, writeHandle, writeSelf } from './marshal.js';\n" +
        "import { f64, i32, u32, u8, wasm } from './memory.js';\n" +
        "import { Handle } from './handle.js';\nimport { Resource } from './resource.js';\n" +
        `import { ${[...api.enums.keys(), ...[...api.structs.keys()].filter((s) => !idOf(s) && !/^pv_(error|allocator|paper)/.test(s)).flatMap((s) => [`read_${s}`, `write_${s}`])].join(', ')} } from './structs.js';\n`;
    const source = of.map((c) => `\nexport class ${c.name}Methods${c.base ? ` extends ${c.base}` : ''} {\n${c.methods.map((m) => m.source).join('\n')}}\n`).join('');
    const used = imports.replace(/import \{ (.*) \} from/g, (_, names) => `import { ${names.split(', ').filter((name) => new RegExp(`\\b${name}\\b`).test(source)).join(', ')} } from`).replace(/^import \{  \} from .*\n/gm, '');
    const types = of.map((c) => `\nexport declare class ${c.name}Methods${c.base ? ` extends ${c.base}` : ''} {\n${c.methods.map((m) => m.types).join('')}}\n`).join('');
    return { source: used + source, types };
}

/** Type of an argument: a definition may lack members, a point may not. */
const given = `export type Given<Type> = Type extends Vec2 | Box | Handle | Resource ? Type
    : Type extends readonly (infer Item)[] ? readonly Given<Item>[]
    : Type extends object ? { [Key in keyof Type]?: Given<Type[Key]> } : Type;
`;

function structTypes() {
    const enums = [...api.enums].filter(([type]) => !/paper/.test(type)).map(([type, names]) => `export type ${shape(type)} = ${words(names).map((word) => JSON.stringify(word).replace(/"/g, "'")).join(' | ')};\n`);
    const structs = [...api.structs].filter(([struct]) => !idOf(struct) && !/^pv_(error|allocator|paper|debug_draw|image|canvas|pixels|query_filter|clock|member|frames?$|frames_options|tag|tilemap)/.test(struct)).map(([struct, members]) => {
        const lines = shown(members).map((m) => {
            const item = pointed(m.type), count = countOf(members, m);
            const one = count || m.length ? tsOf(m.length ? m.type : item) : tsOf(m.type);
            return one && `    ${camel(m.name)}: ${count || m.length ? `${one.replace(' | null', '')}[]` : one};\n`;
        });
        return `export interface ${shape(struct)} {\n${lines.filter(Boolean).join('')}}\n`;
    });
    const flags = api.flags.map((name) => `export declare const ${name.replace(/^PV_/, '')}: number;\n`);
    return [...enums, ...structs, ...flags].join('');
}

async function writeAll(file, to) {
    layout = await readLayout(file);
    const masks = sourcesOf(true), world = sourcesOf(false);
    const names = classes.filter((c) => c.prefix).map((c) => c.name);
    writeFileSync(`${to}/structs.js`, structsSource());
    writeFileSync(`${to}/flags.js`, flagsSource());
    writeFileSync(`${to}/places.js`, placesSource());
    writeFileSync(`${to}/mask_methods.js`, opening('mask_methods.js', 'methods of masks') + masks.source);
    writeFileSync(`${to}/world_methods.js`, opening('world_methods.js', 'methods of worlds and what is in them') + world.source);
    writeFileSync(`${to}/methods.d.ts`, opening('methods.d.ts', 'types of structs and methods') +
        `import type { ${[...names, 'Handle', 'QueryFilter', 'Resource'].sort().join(', ')} } from './index.js';\n\n` + given + structTypes() + masks.types + world.types);
}

/* ---- Exports ---- */

const handwritten = [...[...functionNames].filter((name) => /_is_valid$/.test(name) || (/_default$/.test(name) && !/^pv_(image|frames|debug)/.test(name))), ...manual];
const namesOf = (some) => some.flatMap(methodsOf).map(([f]) => f.name);

/** Returns the functions that scripts call: methods of imported classes whose names occur in a script. */
function calledBy(scripts) {
    const texts = scripts.map((path) => readFileSync(path, 'utf8')), words = new Set(texts.flatMap((text) => text.match(/\w+/g)));
    const imported = new Set(texts.flatMap((text) => [...text.matchAll(/^import \{(.*)\} from 'pixverlet'/gm)].flatMap(([, names]) => names.match(/\w+/g))));
    const used = classes.filter(({ name }) => imported.has(name)), unused = [...classes, ...others].filter(({ name, prefix }) => prefix && !imported.has(name));
    const methods = used.flatMap(methodsOf).filter(([, { name }]) => words.has(name)).map(([f]) => f.name);
    return [...methods, ...handwritten.filter((name) => !unused.some(({ prefix }) => name.startsWith(prefix)))];
}

/** Returns the functions that an entry calls. */
function exportsOf(entry, ...scripts) {
    if (entry === 'play') return calledBy(scripts);
    return entry === 'all' ? [...namesOf(classes), ...handwritten] : [...namesOf(classes.filter((c) => c.mask)), ...maskOnly];
}

/* ---- Commands ---- */

if (command === 'layout') process.stdout.write(layoutSource());
else if (command === 'exports') process.stdout.write([...new Set(exportsOf(...rest))].map((name) => `-Wl,--export=${name}\n`).join(''));
else if (command === 'write') await writeAll(rest[0], rest[1]);
else throw new Error(`bind.mjs: no such command: ${command}`);
