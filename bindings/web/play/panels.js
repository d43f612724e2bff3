/* panels.js - buttons, keys and dialogs of the page.
 *
 * Invariant: the page shows what the app does: a pressed button is on, the bar is at the tick.
 *
 * SPDX-License-Identifier: Zlib
 */
import { codeInC, codeInJavaScript } from './code.js';
import { Comparison } from './compare.js';
import { PRESETS } from './presets.js';
import { canRecord, record } from './record.js';
import { encodeToFit } from './share.js';

const element = (id) => document.getElementById(id);
const press = (id, on) => element(id).setAttribute('aria-pressed', String(on));
const onClick = (id, act) => element(id).addEventListener('click', act);

/** Shows the tick in the bar. */
function showTime(app) {
    const bar = element('scrub'), { game } = app;
    if (app.scrubbing) return;
    bar.min = game.first;
    bar.max = Math.max(game.latest, game.first + 1);
    bar.value = game.tick;
    bar.setAttribute('aria-valuetext', `${((game.tick - game.latest) / 60).toFixed(1)} s`);
    const remix = app.remixing && !app.embedded;
    element('again').classList.toggle('accent', remix);
    element('again').querySelector('span').textContent = remix ? 'Remix' : 'Again';
}

function setPaused(app, paused) {
    app.paused = paused;
    press('pause', paused);
    element('pause').setAttribute('aria-label', paused ? 'Play' : 'Pause');
    element('pause').querySelector('use').setAttribute('href', paused ? '#i-play' : '#i-pause');
}

function chooseTool(app, tool) {
    app.hands.choose(tool);
    for (const button of element('tools').children) {
        const on = button.dataset.tool === tool;
        button.setAttribute('aria-checked', String(on));
        button.tabIndex = on ? 0 : -1;
    }
}

function openTools(app, tools) {
    for (const button of element('tools').children) button.addEventListener('click', () => chooseTool(app, button.dataset.tool));
    element('tools').addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (!step) return;
        chooseTool(app, tools[(tools.indexOf(app.hands.tool) + step + tools.length) % tools.length]);
        element('tools').querySelector('[aria-checked=true]').focus();
    });
    chooseTool(app, 'grab');
}

function openTime(app) {
    onClick('pause', () => setPaused(app, !app.paused));
    onClick('slow', () => press('slow', (app.slow = !app.slow)));
    onClick('xray', () => press('xray', (app.drawing.xray = !app.drawing.xray)));
    onClick('again', () => again(app));
    const bar = element('scrub');
    bar.addEventListener('input', () => {
        app.scrubbing = true;
        setPaused(app, true);
        app.seek(Number(bar.value));
    });
    bar.addEventListener('change', () => (app.scrubbing = false));
}

/** Starts the same scene over, with the pictures that were added. */
function again(app) {
    const scene = app.game.toScene();
    app.start({ ...app.game.scene, preset: scene.preset, seed: scene.seed, log: [], end: 0 });
    setPaused(app, false);
}

function step(app, ticks) {
    setPaused(app, true);
    app.seek(app.game.tick + ticks);
}

function next(app) {
    const at = PRESETS.indexOf(app.game.preset);
    app.startPreset(PRESETS[(at + 1) % PRESETS.length].name);
    setPaused(app, false);
}

function openKeys(app, tools) {
    const keys = {
        ' ': () => setPaused(app, !app.paused),
        s: () => element('slow').click(),
        r: () => again(app),
        n: () => next(app),
        t: () => (element('d-add').showModal(), element('words').focus()),
        ArrowLeft: () => step(app, -60),
        ArrowRight: () => step(app, 60),
    };
    const hold = (on) => {
        app.drawing.xray = on;
        press('xray', on);
    };
    window.addEventListener('keydown', (event) => {
        const { key, target } = event;
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') || target.matches?.('input, textarea, select')) return;
        if (key === ' ' && target.matches?.('button')) return;
        if (target.closest?.('#tools') && key.startsWith('Arrow')) return;
        const act = keys[key.length === 1 ? key.toLowerCase() : key], number = tools[Number(key) - 1];
        if (key.toLowerCase() === 'x' && !event.repeat) hold(true);
        if (number) chooseTool(app, number);
        if (act) act();
        if (act || number) event.preventDefault();
    });
    window.addEventListener('keyup', ({ key }) => key.toLowerCase() === 'x' && hold(false));
}

/* ---- Dialogs ---- */

/** Closes a dialog on a click outside of it. */
function openDialogs() {
    for (const dialog of document.querySelectorAll('dialog'))
        dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
}

function openPresets(app) {
    for (const preset of PRESETS) {
        const button = document.createElement('button'), picture = Object.assign(new Image(640, 400), { loading: 'lazy', alt: '', src: `presets/${preset.name}.webp` });
        button.append(picture, preset.title, Object.assign(document.createElement('small'), { textContent: preset.words }));
        button.addEventListener('click', () => {
            element('d-presets').close();
            app.startPreset(preset.name);
            setPaused(app, false);
        });
        element('cards').append(button);
    }
    onClick('presets', () => element('d-presets').showModal());
}

function openAdding(app) {
    const words = element('words'), throwWords = () => {
        if (!words.value.trim()) return;
        app.addWords(words.value);
        words.value = '';
        element('d-add').close();
    };
    onClick('add', () => element('d-add').showModal());
    onClick('choose', () => element('file').click());
    element('file').addEventListener('change', ({ target }) => {
        app.addFiles([...target.files]);
        target.value = '';
        element('d-add').close();
    });
    onClick('say-words', throwWords);
    words.addEventListener('keydown', (event) => event.key === 'Enter' && (event.preventDefault(), throwWords()));
}

/** Lets a sample picture be dragged in; a click throws it in from above. */
function openHint(app) {
    const sample = element('sample');
    let from = null, dragged = false;
    const throwIn = async (place) => {
        const answer = await fetch(sample.querySelector('img').src);
        app.addFiles([new File([await answer.blob()], 'whale.png', { type: 'image/png' })], place);
    };
    const end = ({ clientX, clientY, type }) => {
        from = null;
        sample.style.translate = '';
        if (dragged && type === 'pointerup' && !document.elementsFromPoint(clientX, clientY).includes(element('hint'))) throwIn(app.drawing.toStage(clientX, clientY));
    };
    sample.addEventListener('pointerdown', (event) => {
        from = event;
        dragged = false;
        sample.setPointerCapture(event.pointerId);
    });
    sample.addEventListener('pointermove', ({ clientX, clientY }) => {
        if (!from) return;
        const x = clientX - from.clientX, y = clientY - from.clientY;
        dragged ||= Math.hypot(x, y) > 8;
        sample.style.translate = `${x}px ${y}px`;
    });
    for (const name of ['pointerup', 'pointercancel']) sample.addEventListener(name, end);
    sample.addEventListener('click', () => dragged || throwIn());
    onClick('hint-choose', () => element('file').click());
    onClick('hint-close', () => (element('hint').hidden = true));
}

async function copy(app, text, what) {
    try {
        await navigator.clipboard.writeText(text);
        app.say(`${what} is on the clipboard.`);
    } catch {
        app.say('The browser keeps its clipboard closed. Select the text and copy it.');
    }
}

/** Returns an image element for a PNG. */
function preview(png) {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([png], { type: 'image/png' }));
    image.addEventListener('load', () => URL.revokeObjectURL(image.src));
    return image;
}

function openSharing(app) {
    const words = element('share-words');
    const show = (link, told, previews = []) => {
        words.textContent = told;
        element('previews').replaceChildren(...previews);
        element('copy-link').disabled = element('link').disabled = element('embed').disabled = !link;
        element('link').value = link;
        element('embed').value = link && `<iframe src="${link.replace('#', '?embed#')}" width="640" height="480" style="border:0" title="Pixel playground" allow="clipboard-write"></iframe>`;
    };
    onClick('share', async () => {
        show('', 'Writing the link.');
        element('d-share').showModal();
        try {
            const { text, colors, thinned } = await encodeToFit(app.game.toScene(), app.game.stage.sprites), link = `${location.href.replace(/[?#].*/, '')}#${text}`;
            history.replaceState(null, '', link);
            show(link, thinned.length ? `So that the link stays short, pictures have ${colors} colors in it:` : '', thinned.map(preview));
        } catch (error) {
            show('', error.message);
        }
    });
    onClick('copy-link', () => copy(app, element('link').value, 'The link'));
    element('record').hidden = !canRecord();
    onClick('record', async () => {
        words.textContent = 'Recording: the last seconds play once more.';
        const file = await record(app);
        words.textContent = `${file} is in your downloads.`;
    });
}

function openCode(app) {
    let language = 'js';
    const show = (which) => {
        language = which;
        element('code-js').setAttribute('aria-selected', String(which === 'js'));
        element('code-c').setAttribute('aria-selected', String(which === 'c'));
        element('code').textContent = (which === 'js' ? codeInJavaScript : codeInC)(app.game.stage);
    };
    onClick('open-code', () => {
        element('d-more').close();
        show(language);
        element('d-code').showModal();
    });
    onClick('code-js', () => show('js'));
    onClick('code-c', () => show('c'));
    onClick('copy-code', () => copy(app, element('code').textContent, 'The program'));
}

function openMore(app) {
    onClick('more', () => element('d-more').showModal());
    const gravity = element('gravity');
    gravity.addEventListener('input', () => {
        gravity.nextElementSibling.value = gravity.value;
        app.game.act('gravity', 0, Number(gravity.value));
    });
    let comparison = null;
    onClick('open-compare', () => {
        element('d-more').close();
        element('d-compare').showModal();
        comparison = new Comparison(['as-box', 'as-hull', 'as-pixels'].map(element), app.game.stage);
    });
    element('d-compare').addEventListener('close', () => comparison?.destroy());
}

/** Connects the page with the app. */
export function openPanels(app, tools) {
    app.showTime = () => showTime(app);
    openTools(app, tools);
    openTime(app);
    openKeys(app, tools);
    openDialogs();
    openPresets(app);
    openAdding(app);
    openHint(app);
    openSharing(app);
    openCode(app);
    openMore(app);
}
