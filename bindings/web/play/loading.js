/* loading.js - the picture and the bar that a page shows while it loads.
 *
 * Invariant: the bar tells the share of the module that is here.
 *
 * SPDX-License-Identifier: Zlib
 */
const element = (id) => document.getElementById(id);

/** Returns the bytes of a text in base 64. */
export function bytesOfText(text) {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    return bytes;
}

async function follow(answer, size) {
    const reader = answer.body.getReader();
    let come = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        come += part.value.length;
        element('progress').value = come / size;
    }
}

/** Fetches the first module of a page; returns the response, to be compiled while it comes. */
export async function fetchModule(name) {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name} is missing (${answer.status})`);
    follow(answer.clone(), MODULE_SIZES[name]).catch(() => {}); /* who compiles it is told, too */
    return answer;
}

/** Shows the page, with what it has drawn. */
export function showPage() {
    element('loading').remove();
    document.documentElement.dataset.ready = 'true';
}

/** Shows why there is nothing to play, in place of the page. */
export function fail(words) {
    element('loading')?.remove();
    element('fatal').textContent = words;
    element('fatal').hidden = false;
}
