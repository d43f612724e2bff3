/* gallery.js - all scenes of the demo, live. The page holds a module with the first one; the module with all scenes
 * comes when another one is wanted.
 *
 * Invariant: the scene, its name in the address and the link to its source belong together.
 *
 * SPDX-License-Identifier: Zlib
 */
import { instantiate } from 'pixverlet/module.js';
import list from 'scenes:list';
import pictures from 'sprites:scenes';
import { Files, textAt } from './files.js';
import { bytesOfText, fail, moduleOfPage, showPage } from './loading.js';

const element = (id) => document.getElementById(id);
const ARROWS = { ArrowLeft: 1, ArrowRight: 2, ArrowUp: 4, ArrowDown: 8 };
/** Greatest size of the picture [px]; the page enlarges it by whole pixels. */
const WIDEST = 1280;

async function bytesOf(name) {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name} is missing (${answer.status})`);
    return new Uint8Array(await answer.arrayBuffer());
}

/** Starts a module of scenes with its files. */
async function load(source) {
    const files = new Files('/source');
    files.add(Object.entries(pictures).map(([name, text]) => [`sprites/${name}`, text && bytesOfText(text)]));
    const { exports } = await instantiate(source, { wasi_snapshot_preview1: files.imports() });
    files.attach(exports.memory);
    exports._initialize();
    return { wasm: exports, files };
}

const fingers = matchMedia('(hover: none)').matches;
/** Returns a text; on touch screens without its parts about keys and the right button. */
function forHands(text, between) {
    if (!fingers) return text;
    const parts = text.replace(' and the right mouse button', '').split(between).filter((part) => !/\b(arrows|Space|right mouse button|(up|down):)/.test(part));
    return parts.join(' ').replace(/[:;,]$/, '').replace('the mouse', 'a finger').replace('click', 'tap');
}

class Gallery {
    /** @param list scenes: { name, words, group } */
    constructor(list) {
        this.list = list;
        this.canvas = element('view');
        this.context = this.canvas.getContext('2d', { alpha: false });
        this.held = 0;
        this.all = null;
    }

    /** Plays with a module that load() returned. */
    use({ wasm, files }) {
        this.wasm = wasm;
        this.files = files;
        this.resize();
    }

    /** Gets the module with all scenes, once. */
    fetchAll() {
        this.all ??= load('gallery.wasm').catch((error) => {
            this.all = null;
            throw error;
        });
        return this.all;
    }

    /** Starts a scene. Files that it misses are fetched, and then it starts again. */
    async start(index) {
        this.at = (index + this.list.length) % this.list.length;
        const { at } = this, { name, words } = this.list[at];
        if (at >= this.wasm.gallery_count()) {
            this.say(`${name} is coming.`);
            const all = await this.fetchAll();
            if (at !== this.at) return;
            this.use(all);
        }
        let started = this.wasm.gallery_start(at, 1);
        for (let absent = this.files.takeAbsent(); absent.length; absent = this.files.takeAbsent()) {
            this.files.add(await Promise.all(absent.map(async (file) => [file, await bytesOf(file)])));
            if (at !== this.at) return;
            started = this.wasm.gallery_start(at, 1);
        }
        if (!started) throw new Error(this.files.words || `${name} did not start`);
        history.replaceState(null, '', `#${name}`);
        element('title').textContent = name;
        element('source').href = `source/${name}.c`;
        this.say([forHands(words, /(?<=[:;,]) /), forHands(textAt(this.wasm, this.wasm.gallery_hint()), '   ')].filter(Boolean).join('. '));
    }

    /** Starts a scene, or says why it cannot. */
    go(index) {
        this.start(index).catch((error) => this.say(error.message));
    }

    /** Returns the index of the scene in the address. */
    wanted() {
        return Math.max(0, this.list.findIndex(({ name }) => name === location.hash.slice(1)));
    }

    say(words) {
        element('say').textContent = words;
        element('say').hidden = false;
        clearTimeout(this.silence);
        this.silence = setTimeout(() => (element('say').hidden = true), 5000);
    }

    resize() {
        const { clientWidth, clientHeight } = this.canvas, part = Math.max(1, Math.ceil(clientWidth / WIDEST));
        this.width = Math.max(1, Math.ceil(clientWidth / part));
        this.height = Math.max(1, Math.ceil(clientHeight / part));
        this.canvas.width = this.width;
        this.canvas.height = this.height;
        this.canvas.style.imageRendering = 'pixelated';
        this.pixels = this.wasm.gallery_resize(this.width, this.height);
    }

    frame(seconds) {
        this.wasm.gallery_frame(seconds);
        this.context.putImageData(new ImageData(new Uint8ClampedArray(this.wasm.memory.buffer, this.pixels, 4 * this.width * this.height), this.width, this.height), 0, 0);
    }

    /* ---- Pointer and keys ---- */

    #hover({ clientX, clientY }) {
        this.wasm.gallery_hover((clientX * this.width) / this.canvas.clientWidth, (clientY * this.height) / this.canvas.clientHeight);
    }

    listen() {
        const { canvas } = this;
        canvas.addEventListener('pointermove', (event) => this.#hover(event));
        canvas.addEventListener('pointerdown', (event) => {
            canvas.setPointerCapture(event.pointerId);
            this.#hover(event);
            this.wasm.gallery_press(event.button === 2 ? 1 : 0);
        });
        for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => this.wasm.gallery_release(event.button === 2 ? 1 : 0));
        canvas.addEventListener('pointerleave', () => this.wasm.gallery_leave());
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        window.addEventListener('resize', () => this.resize());
        window.addEventListener('hashchange', () => this.go(this.wanted()));
        window.addEventListener('keydown', (event) => this.#key(event, true));
        window.addEventListener('keyup', (event) => this.#key(event, false));
        element('before').addEventListener('click', () => this.go(this.at - 1));
        element('after').addEventListener('click', () => this.go(this.at + 1));
        element('all').addEventListener('click', () => {
            element('d-all').showModal();
            this.fetchAll().catch(() => {}); /* start() reports it */
        });
        element('d-all').addEventListener('click', (event) => event.target === element('d-all') && element('d-all').close());
    }

    #key(event, down) {
        if (document.querySelector('dialog[open]') || event.target.matches?.('button, a')) return;
        const arrow = ARROWS[event.key];
        if (arrow) this.wasm.gallery_arrows((this.held = down ? this.held | arrow : this.held & ~arrow));
        else if (down && event.key.length === 1) this.wasm.gallery_type(event.key.charCodeAt(0));
        if (arrow || event.key === ' ') event.preventDefault();
    }

    /** Lists all scenes by group in the dialog. */
    showList() {
        for (const group of new Set(this.list.map((scene) => scene.group))) {
            const section = document.createElement('section');
            section.append(Object.assign(document.createElement('h3'), { textContent: group }));
            this.list.forEach((scene, index) => {
                if (scene.group !== group) return;
                const row = document.createElement('p'), button = Object.assign(document.createElement('button'), { textContent: scene.name, title: scene.words }), source = Object.assign(document.createElement('a'), { textContent: 'source', href: `source/${scene.name}.c`, target: '_blank', rel: 'noopener' });
                source.setAttribute('aria-label', `Source of ${scene.name}`);
                button.addEventListener('click', () => (element('d-all').close(), this.go(index)));
                row.append(button, source);
                section.append(row);
            });
            element('groups').append(section);
        }
    }

    run() {
        let before = performance.now();
        const frame = (now) => {
            this.frame(Math.min(0.1, (now - before) / 1000));
            before = now;
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    }
}

async function main() {
    const gallery = new Gallery(list);
    if (gallery.wanted() > 0) gallery.fetchAll().catch(() => {}); /* start() reports it */
    gallery.use(await load(moduleOfPage()));
    await gallery.start(gallery.wanted());
    gallery.listen();
    gallery.frame(0);
    showPage();
    gallery.run();
    window.gallery = gallery; /* for the curious */
    gallery.showList();
}
main().catch((error) => {
    fail(`The scenes did not start: ${error.message}`);
    throw error;
});
