/* header.mjs - reads the public headers into enums, structs and functions.
 *
 * Invariant: it reads the output of tools/header.awk, a statement per line. A statement that it does not understand
 * ends the build.
 *
 * SPDX-License-Identifier: Zlib
 */
import { readFileSync } from 'node:fs';

/** Splits "const pv_body_def *def" into its type and its name; an array becomes a pointer. */
function declared(text) {
  const found = /^(.*?)(\w+)((?:\[\w+\])*)$/.exec(text.trim());
  if (!found) throw new Error(`header.mjs: unknown declaration: ${text}`);
  const [, type, name, dimension] = found;
  return { type: type.trim(), name, length: dimension ? Number(dimension.slice(1, -1)) : 0 };
}

/** Reads the members of a struct: "const char *a, *b; double x, y". */
function membersOf(body) {
  const members = [];
  for (const line of body.split(';').map((part) => part.trim()).filter(Boolean)) {
    if (line.includes('(')) {
      members.push({ type: 'callback', name: /\(\*(\w+)\)/.exec(line)[1], length: 0 });
      continue;
    }
    const [first, ...more] = line.split(/\s*,\s*/);
    const { type, name, length } = declared(first);
    members.push({ type, name, length });
    const base = type.replace(/[* ]+$/, '');
    for (const other of more) {
      const next = declared(other.replace(/^\*/, ''));
      members.push({ type: other.startsWith('*') ? `${base} *` : base, name: next.name, length: next.length });
    }
  }
  return members;
}

function parametersOf(text) {
  return text === 'void' ? [] : text.split(/\s*,\s*/).map(declared);
}

/** Returns the enumerators of an enum, in order. */
function enumeratorsOf(body) {
  return body.split(',').map((part) => part.trim().split(/\s*=/)[0]).filter(Boolean);
}

/** Finds the comments of all functions, by name. */
function commentsOf(headers) {
  const comments = new Map();
  for (const header of headers) {
    const text = readFileSync(header, 'utf8');
    for (const [, comment, name] of text.matchAll(/((?:^\/\/\/.*\n)+)PV_API [^(;]*?\b(pv_\w+)\(/gm))
      comments.set(name, comment.replace(/^\/\/\/ ?/gm, '').trimEnd());
  }
  return comments;
}

/** Reads statements, one per line, and the headers for their comments. */
export function readHeaders(statements, headers) {
  const api = { enums: new Map(), flags: [], structs: new Map(), functions: [], opaque: new Set() };
  const comments = commentsOf(headers);
  for (const statement of statements.split('\n').filter(Boolean)) {
    let found;
    if ((found = /^typedef enum (\w+) \{ (.*) \} \w+$/.exec(statement))) api.enums.set(found[1], enumeratorsOf(found[2]));
    else if ((found = /^enum \{ (.*) \}$/.exec(statement))) api.flags.push(...enumeratorsOf(found[1]));
    else if ((found = /^typedef struct (\w+) \{ (.*) \} \w+$/.exec(statement))) api.structs.set(found[1], membersOf(found[2]));
    else if ((found = /^typedef struct (\w+) \w+$/.exec(statement))) api.opaque.add(found[1]);
    else if ((found = /^PV_API (.*?)(pv_\w+)\((.*)\)$/.exec(statement)))
      api.functions.push({ name: found[2], returns: found[1].trim(), parameters: parametersOf(found[3]), comment: comments.get(found[2]) });
    else if (!/^(typedef .*\(\*\w+\)\(.*\)|typedef uint32_t pv_color|struct \w+|extern .*)$/.test(statement))
      throw new Error(`header.mjs: unknown statement: ${statement}`);
  }
  return api;
}
