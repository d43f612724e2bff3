/* main.js - starts the playground, and keeps the page and the game together.
 *
 * Invariant: one game is played at a time. Errors are shown in a sentence on the page.
 *
 * SPDX-License-Identifier: Zlib
 */
import { init } from 'pixverlet';
import pngs from 'sprites:presets';
import { Drawing } from './draw.js';
import { Game } from './game.js';
import { Hands, TOOLS } from './hands.js';
import { bytesOfText, fail, moduleOfPage, showPage } from './loading.js';
import { openPanels } from './panels.js';
import { BUILT_IN, LETTER, LETTERS, PRESETS, drawLetter } from './presets.js';
import { decode } from './share.js';
import { COLORS, LONGEST, Sprite, pixelsOf, spriteOfFile, spriteOfText } from './sprite.js';
import { sizeFor } from './stage.js';

const SLOW = 0.2, MOST_TICKS = 4;
/** Share of the stage that the boxes of pictures may fill, and the least size of a picture when it is full [px]. */
const FULL = 0.8, SHORTEST = 48;
const element = (id) => document.getElementById(id);

/** Returns the built-in sprites. */
async function decodeBuiltIn() {
    const files = Object.entries(BUILT_IN).map(async ([name, more]) => new Sprite(name, null, await pixelsOf(bytesOfText(pngs[`${name}.png`])), more));
    return [...(await Promise.all(files)), ...Object.keys(LETTERS).map((letter) => new Sprite(`letter ${letter}`, null, drawLetter(letter, 15), LETTER))];
}

class App {
    constructor(builtIn) {
        this.builtIn = builtIn;
        this.drawing = new Drawing(element('view'));
        this.hands = new Hands(this, element('view'));
        this.paused = this.slow = false;
        this.owed = 0;
        this.adding = Promise.resolve();
        this.embedded = new URLSearchParams(location.search).has('embed');
        document.body.classList.toggle('embed', this.embedded);
    }

    /* ---- Scenes ---- */

    /** Starts a scene: { preset, seed, width, height, sprites, log, end }. */
    start(scene) {
        const game = new Game(scene, this.builtIn);
        this.game?.destroy();
        this.game = game;
        this.paused = false;
        this.owed = 0;
        this.fit();
        this.remixing = scene.log.length > 0;
        this.say(game.preset.words);
    }

    /** Starts a preset again. */
    startPreset(name, seed = 1 + Math.floor(Math.random() * 9999)) {
        const size = this.size();
        history.replaceState(null, '', `#${name}.${seed}.${size.width}x${size.height}`);
        this.start({ preset: name, seed, ...size, sprites: [], log: [], end: 0 });
    }

    /** Returns the size of a stage that fills the window. */
    size() {
        return sizeFor(window.innerWidth, window.innerHeight - this.border());
    }

    /** Returns the height of the controls over the ground [CSS px]. */
    border() {
        return document.querySelector('.bottom').offsetHeight + 4;
    }

    /** Starts the scene of the address. */
    async open() {
        const link = await decode(decodeURIComponent(location.hash.slice(1)));
        const scene = link ?? { preset: PRESETS[0].name, seed: 1, sprites: [], log: [], end: 0 };
        const sprites = await Promise.all(scene.sprites.map(([name, png]) => Sprite.fromPng(name, png)));
        this.start({ ...this.size(), ...scene, sprites });
        if (scene.log.length) this.say('Somebody made this. It plays as they did it.');
    }

    /* ---- Pictures and words ---- */

    /** Throws a sprite in at a place of the stage. */
    throwIn(sprite, x, y = -30) {
        this.game.stage.addSprite(sprite);
        this.game.act('add', sprite.name, Math.max(20, Math.min(this.game.stage.width - 20, x)), y, 0, 0, 60);
    }

    /** Returns the longest side that a picture may have, so that all of them find room and steps stay short [px]. */
    longestSide() {
        const { world, ground, width, floor } = this.game.stage, boxes = world.getBodies().filter((body) => body !== ground).map((body) => body.getMask());
        const room = FULL * width * floor - boxes.reduce((sum, mask) => sum + mask.getWidth() * mask.getHeight(), 0);
        return Math.max(SHORTEST, Math.min(LONGEST, Math.round(Math.sqrt(Math.max(0, room / 6)))));
    }

    /** Makes bodies of files one after another, since each takes a part of the room that is left. */
    addFiles(files, place) {
        const list = [...files];
        this.adding = this.adding.then(() => this.#addFiles(list, place));
        return this.adding;
    }

    async #addFiles(files, place) {
        let x = place?.x ?? this.game.stage.width / 2;
        for (const file of files) {
            try {
                const { sprite, words } = await spriteOfFile(file, this.longestSide());
                this.throwIn(sprite, x, place ? place.y : -sprite.height / 2);
                element('hint').hidden = true;
                this.say(words);
                x += 12;
            } catch (error) {
                this.say(error.message);
            }
        }
    }

    /** Makes a body of each letter or emoji of a text. */
    async addWords(text) {
        const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment).slice(0, 40), { width } = this.game.stage;
        const sprites = await Promise.all(letters.map((letter, i) => spriteOfText(letter, COLORS[i % COLORS.length], width < 500 ? 44 : 56)));
        const total = sprites.reduce((sum, sprite) => sum + (sprite ? sprite.width + 4 : 20), 0), line = Math.min(1, (width - 30) / total);
        let x = (width - total * line) / 2;
        sprites.forEach((sprite) => {
            if (sprite) this.throwIn(sprite, x + sprite.width / 2, -30);
            x += (sprite ? sprite.width + 4 : 20) * line;
        });
    }

    /* ---- Time ---- */

    seek(tick) {
        this.paused = true;
        this.game.seek(tick);
    }

    frame(seconds) {
        if (!this.paused) this.owed = Math.min(this.owed + 60 * seconds * (this.slow ? SLOW : 1), MOST_TICKS);
        while (!this.paused && this.owed >= 1) {
            this.hands.follow();
            this.game.step();
            this.owed--;
        }
        this.drawing.draw(this.game.stage, this.hands.show());
    }

    fit() {
        this.drawing.resize();
        this.drawing.fit(this.game.stage, this.border());
    }

    /* ---- Words ---- */

    /** Says something for a few seconds. */
    say = (words) => {
        const box = element('say');
        box.textContent = words;
        box.hidden = false;
        clearTimeout(this.silence);
        this.silence = setTimeout(() => (box.hidden = true), 2200 + 45 * words.length);
    };
}

function listen(app) {
    window.addEventListener('resize', () => app.fit());
    window.addEventListener('hashchange', () => app.open().catch((error) => app.say(error.message)));
    window.addEventListener('dragover', (event) => (event.preventDefault(), document.body.classList.add('over')));
    window.addEventListener('dragleave', () => document.body.classList.remove('over'));
    window.addEventListener('drop', (event) => {
        event.preventDefault();
        document.body.classList.remove('over');
        const text = event.dataTransfer.getData('text/plain');
        if (event.dataTransfer.files.length) app.addFiles(event.dataTransfer.files, app.drawing.toStage(event.clientX, event.clientY));
        else if (text) app.addWords(text);
    });
    window.addEventListener('paste', (event) => {
        if (event.target.matches?.('input, textarea')) return;
        const files = [...event.clipboardData.files], text = event.clipboardData.getData('text/plain');
        if (files.length) app.addFiles(files);
        else if (text) app.addWords(text.trim());
    });
}

/** Runs frames forever; a frame that throws ends the game with its message. */
function run(app) {
    let before = performance.now();
    const frame = (now) => {
        app.frame(Math.min(0.1, (now - before) / 1000));
        app.showTime();
        before = now;
        requestAnimationFrame(guard);
    };
    const guard = (now) => {
        try {
            frame(now);
        } catch (error) {
            fail(`Something broke: ${error.message}`);
            throw error;
        }
    };
    requestAnimationFrame(guard);
}

async function main() {
    if (typeof WebAssembly !== 'object') return fail('This browser has no WebAssembly, which the playground needs.');
    const [app] = await Promise.all([decodeBuiltIn().then((sprites) => new App(sprites)), init(moduleOfPage())]);
    await app.open().catch((error) => {
        app.startPreset(PRESETS[0].name, 1);
        app.say(error.message);
    });
    openPanels(app, TOOLS);
    listen(app);
    app.frame(0);
    showPage();
    run(app);
    window.playground = app; /* for the curious */
}

main().catch((error) => {
    fail(`The playground did not start: ${error.message}`);
    throw error;
});
