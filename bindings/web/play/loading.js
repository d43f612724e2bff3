/* loading.js - the picture and the bar that a page shows while it loads.
 *
 * Invariant: the bar shows the share of the module that has arrived.
 *
 * SPDX-License-Identifier: Zlib
 */
const element = (id) => document.getElementById(id);

/** Bits flipped in the letters of a module, so that frequent bytes, such as 0, become letters that HTML leaves alone. */
export const CHANGED = 0x77;

function bytesOfLetters(letters, changed) {
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i) ^ changed;
    return bytes;
}

/** Returns the bytes of a text in base 64. */
export const bytesOfText = (text) => bytesOfLetters(atob(text), 0);

/** Returns the module of the page as a response, which is compiled while the page loads. pages.mjs put it at the end of the
 *  page, as the letters of elements of class module. */
export function moduleOfPage() {
    const parts = document.getElementsByClassName('module');
    const body = new ReadableStream({
        start(stream) {
            const take = (count) => {
                for (let i = 0; i < count; i++) {
                    stream.enqueue(bytesOfLetters(parts[0].textContent, CHANGED));
                    parts[0].remove();
                    element('progress').value++;
                }
            };
            const takeLast = () => {
                observer.disconnect();
                take(parts.length);
                stream.close();
            };
            const observer = new MutationObserver(() => take(parts.length - 1)); /* the last one may be incomplete */
            if (document.readyState !== 'loading') return takeLast();
            observer.observe(document.body, { childList: true });
            document.addEventListener('DOMContentLoaded', takeLast);
        },
    });
    return new Response(body, { headers: { 'content-type': 'application/wasm' } });
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
