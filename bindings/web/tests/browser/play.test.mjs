/* play.test.mjs - the playground in a browser: what a visitor does, with pointer, touch and keys.
 *
 * Invariant: expected numbers come from the pixels of the pictures or from a second run.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { compareDrawing, launch, play, serve, web } from './support.mjs';

const run = promisify(execFile);
let browser, site, home;

before(async () => {
    browser = await launch();
    site = await serve();
    home = `${site.url}play/`;
});
after(async () => {
    await browser?.close();
    site?.close();
});

/** Starts a preset, paused at a tick. */
const startAt = (page, name, ticks) =>
    page.evaluate(
        ([preset, count]) => {
            const app = window.playground;
            app.start({ preset, seed: 5, width: 640, height: 400, sprites: [], log: [], end: 0 });
            app.paused = true;
            for (let i = 0; i < count; i++) app.game.step();
        },
        [name, ticks],
    );
const steps = (page, count) => page.evaluate((n) => { for (let i = 0; i < n; i++) window.playground.game.step(); }, count);
const look = (page) =>
    page.evaluate(() => {
        const { stage } = window.playground.game, bodies = stage.world.getBodies().filter((body) => body !== stage.ground);
        return {
            tick: stage.tick,
            hash: stage.world.computeHash(),
            bodies: bodies.length,
            pixels: bodies.reduce((sum, body) => sum + body.getMask().countPixels(), 0),
            largest: Math.max(0, ...bodies.map((body) => body.getMask().countPixels())),
            joints: stage.world.getJoints().length,
            grains: stage.grains.getView().y.filter((y) => y !== -0x80000000).length,
            log: window.playground.game.log.map(([, kind]) => kind),
        };
    });
/** Converts a point of the stage to one of the window. */
const inWindow = (page, x, y) =>
    page.evaluate(
        ([px, py]) => {
            const d = window.playground.drawing;
            return { x: (d.left + px * d.scale) / d.ratio, y: (d.top + py * d.scale) / d.ratio };
        },
        [x, y],
    );
async function drag(page, from, to, between = 6) {
    const a = await inWindow(page, ...from), b = await inWindow(page, ...to);
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    for (let i = 1; i <= between; i++) {
        await page.mouse.move(a.x + ((b.x - a.x) * i) / between, a.y + ((b.y - a.y) * i) / between);
        await page.waitForTimeout(25);
    }
    await page.mouse.up();
}
/** Drops files on the page: [name, type, bytes in base64]. */
const drop = (page, files, x = 640, y = 200) =>
    page.evaluate(
        ([list, clientX, clientY]) => {
            const dataTransfer = new DataTransfer();
            for (const [name, type, text] of list) dataTransfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type }));
            window.dispatchEvent(new DragEvent('drop', { dataTransfer, clientX, clientY, bubbles: true, cancelable: true }));
        },
        [files, x, y],
    );
const words = (page) => page.locator('#say').textContent();
const said = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.getElementById('say').textContent), pattern, { timeout: 8000 });
const sprite = async (name) => (await readFile(join(web, 'play/sprites', `${name}.png`))).toString('base64');

describe('playground', { concurrency: false }, () => {
    let page;
    before(async () => {
        page = await play(browser, home);
    });
    after(async () => page.noErrors());

    test('breaks something by itself', async (t) => {
        const begin = performance.now(), other = await play(browser, home);
        t.diagnostic(`ready after ${(performance.now() - begin).toFixed(0)} ms`);
        await other.waitForFunction(() => window.playground.game.tick > 150);
        const { bodies, grains } = await look(other);
        assert.ok(bodies > 43 && grains > 20, `${bodies} bodies, ${grains} grains`);
        other.noErrors();
        await other.context().close();
    });

    test('every preset plays ten seconds, twice the same', async () => {
        const hashes = await page.evaluate(() => {
            const app = window.playground, names = [...document.querySelectorAll('#cards button')].length, found = [];
            app.paused = true;
            for (const name of ['demolition', 'planet', 'letters', 'fort', 'bridge', 'slice', 'pyramid', 'rings', 'dominoes', 'gears']) {
                const pair = [0, 1].map(() => {
                    app.start({ preset: name, seed: 9, width: 640, height: 400, sprites: [], log: [], end: 0 });
                    app.paused = true;
                    for (let i = 0; i < 600; i++) app.game.step();
                    return app.game.stage.world.computeHash();
                });
                found.push([name, ...pair]);
            }
            return { names, found };
        });
        assert.equal(hashes.names, hashes.found.length);
        for (const [name, first, second] of hashes.found) assert.equal(first, second, name);
        assert.equal(new Set(hashes.found.map(([, hash]) => hash)).size, hashes.found.length);
    });

    test('the pictures of the presets are what they look like', async (t) => {
        const names = await page.$$eval('#cards img', (list) => list.map((image) => /(\w+)\.webp$/.exec(image.src)[1]));
        assert.equal(names.length, 10);
        const others = [];
        for (const name of names) {
            const drawing = await page.evaluate((preset) => {
                const app = window.playground, Game = app.game.constructor, Drawing = app.drawing.constructor, canvas = document.createElement('canvas');
                Object.assign(canvas.style, { position: 'fixed', width: '640px', height: '400px' });
                document.body.append(canvas);
                const game = new Game({ preset, seed: 1, width: 640, height: 400, sprites: [], log: [], end: 0 }, app.builtIn), view = new Drawing(canvas);
                for (let i = 0; i < 110; i++) game.step();
                view.fit(game.stage, 28);
                view.draw(game.stage);
                canvas.remove();
                game.destroy();
                return canvas.toDataURL('image/webp', 0.5);
            }, name), difference = await compareDrawing(page, name, drawing);
            t.diagnostic(`${name}: ${difference.toFixed(2)}`);
            if (difference >= 6) others.push(name);
        }
        assert.deepEqual(others, []); // their new pictures are in drawn
    });

    test('a picture that is dropped falls in with its very pixels', async () => {
        await startAt(page, 'dominoes', 0);
        const before = await look(page), star = await sprite('star');
        await drop(page, [['star.png', 'image/png', star]]);
        await said(page, 'star: .*solid pixels');
        const after = await look(page);
        assert.equal(after.bodies, before.bodies + 1);
        const pixels = await page.evaluate(async (text) => {
            const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob()), canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            canvas.getContext('2d').drawImage(bitmap, 0, 0);
            return canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height).data.filter((value, i) => i % 4 === 3 && value >= 128).length;
        }, star);
        assert.equal(after.pixels - before.pixels, pixels);
    });

    test('what is no picture gets a sentence', async () => {
        await drop(page, [['notes.txt', 'text/plain', btoa('hello')]]);
        await said(page, 'notes.txt is not a picture');
        await drop(page, [['broken.png', 'image/png', btoa('\x89PNG\r\n\x1a\n and no more')]]);
        await said(page, 'pv_mask_load_memory|broken.png');
        await drop(page, [['nothing.png', 'image/png', (await page.evaluate(() => document.createElement('canvas').toDataURL())).split(',')[1]]]);
        await said(page, 'nothing has no solid pixel');
    });

    test('the background of a photograph is taken out', async () => {
        const photograph = await page.evaluate(() => {
            const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 60 }), context = canvas.getContext('2d');
            context.fillStyle = '#e8e8f0';
            context.fillRect(0, 0, 80, 60);
            context.fillStyle = '#30a040';
            context.fillRect(20, 15, 40, 30);
            return canvas.toDataURL('image/jpeg', 0.95).split(',')[1];
        });
        await startAt(page, 'dominoes', 0);
        const before = await look(page);
        await drop(page, [['box.jpg', 'image/jpeg', photograph]]);
        await said(page, 'background was taken out');
        const { pixels } = await look(page), added = pixels - before.pixels;
        assert.ok(Math.abs(added - 1200) < 160, `${added} pixels of 40 x 30`);
    });

    test('thirty copies of a large picture are scaled to the room that there is', async (t) => {
        await startAt(page, 'dominoes', 0);
        const bucket = await sprite('bucket'), { bodies } = await look(page);
        for (let i = 0; i < 30; i++) await drop(page, [['bucket.png', 'image/png', bucket]], 200 + 30 * (i % 28), 120);
        await said(page, 'scaled from 640 x 404');
        await page.waitForFunction((n) => window.playground.game.stage.world.getBodies().length === n + 1 + 30, bodies);
        const times = await page.evaluate(() => {
            const list = [];
            for (let i = 0; i < 400; i++) {
                const begin = performance.now();
                window.playground.game.step();
                list.push(performance.now() - begin);
            }
            return list.sort((a, b) => a - b);
        });
        t.diagnostic(`steps take ${times[200].toFixed(1)} ms in the median, ${times[399].toFixed(1)} ms at most`);
        const { boxes, stage } = await page.evaluate(() => {
            const { stage } = window.playground.game, masks = stage.world.getBodies().filter((body) => body !== stage.ground).map((body) => body.getMask());
            return { boxes: masks.reduce((sum, mask) => sum + mask.getWidth() * mask.getHeight(), 0), stage: stage.width * stage.floor };
        });
        assert.ok(boxes < stage, `${boxes} of ${stage} px`);
    });

    test('words and emoji become bodies', async () => {
        await startAt(page, 'dominoes', 0);
        const before = await look(page);
        await page.keyboard.press('t');
        await page.fill('#words', 'AB C');
        await page.keyboard.press('Enter');
        await page.waitForFunction((n) => window.playground.game.stage.world.getBodies().length === n + 1 + 3, before.bodies);
    });

    test('tools by keys: carve, cut, bomb, draw, join, grab', async () => {
        await startAt(page, 'planet', 0);
        const before = await look(page);
        await page.keyboard.press('3');
        await page.evaluate(() => (window.playground.paused = false));
        await drag(page, [300, 200], [340, 200]);
        await page.evaluate(() => (window.playground.paused = true));
        await steps(page, 2);
        const carved = await look(page);
        assert.ok(carved.largest < before.largest - 300 && carved.grains > 200, JSON.stringify(carved));
        await startAt(page, 'planet', 0);
        await page.keyboard.press('4');
        await drag(page, [180, 260], [460, 250]);
        await steps(page, 1);
        assert.equal((await look(page)).bodies, before.bodies + 1);
        await page.keyboard.press('5');
        const bomb = await inWindow(page, 320, 330);
        await page.mouse.click(bomb.x, bomb.y);
        await steps(page, 1);
        assert.ok((await look(page)).log.includes('bomb'));
        await startAt(page, 'dominoes', 0);
        const still = await look(page);
        await page.keyboard.press('2');
        await drag(page, [200, 100], [300, 140]);
        await page.waitForFunction((n) => window.playground.game.stage.world.getBodies().length === n + 2, still.bodies);
        await page.keyboard.press('6');
        await drag(page, [250, 120], [250, 40]);
        assert.equal((await look(page)).joints, 1);
        await page.keyboard.press('1');
        await page.evaluate(() => (window.playground.paused = false));
        await drag(page, [250, 121], [400, 100], 20);
        const log = (await look(page)).log;
        assert.ok(log.includes('grab') && log.includes('drag') && log.at(-1) === 'drop', log.join(' '));
    });

    test('keys alone do what a pointer does', async () => {
        await startAt(page, 'planet', 0);
        const before = await look(page);
        await page.keyboard.press('5');
        await page.focus('#view');
        await page.evaluate(() => (window.playground.hands.at = null));
        for (const key of ['ArrowUp', 'ArrowRight', 'Enter', 'Enter']) await page.keyboard.press(key);
        await steps(page, 1);
        assert.ok((await look(page)).largest < before.largest - 800);
        await page.evaluate(() => document.activeElement.blur());
    });

    test('a picture of another site keeps its pixels, and says so', async () => {
        const other = await serve(join(web, 'play'));
        const words = await page.evaluate(async (url) => {
            const { init, Mask } = await import('../pixverlet/index.js'), image = new Image();
            await init();
            image.src = `${url}sprites/star.png`;
            await image.decode();
            try {
                Mask.fromImage(image);
                return 'no error';
            } catch (error) {
                return `${error.field}: ${error.message}`;
            }
        }, other.url);
        other.close();
        assert.match(words, /^image: .*another origin.*fromPng/);
    });

    test('time goes back and on to the same bits', async () => {
        await startAt(page, 'letters', 200);
        const there = await look(page);
        await page.evaluate(() => window.playground.game.seek(77));
        const early = await look(page);
        assert.equal(early.tick, 77);
        await page.evaluate(() => window.playground.game.seek(200));
        assert.deepEqual(await look(page), there);
        await page.evaluate(() => window.playground.game.seek(77));
        assert.deepEqual(await look(page), early);
    });

    test('pictures after going back are those of before', async () => {
        await startAt(page, 'planet', 190);
        await page.evaluate(() => (document.getElementById('say').hidden = true));
        const shot = () => page.evaluate(() => { const { drawing, game } = window.playground; game.stage.flashes = []; game.stage.shake = 0; drawing.draw(game.stage); return drawing.canvas.toDataURL(); });
        const there = await shot();
        await page.evaluate(() => window.playground.game.seek(30));
        assert.notEqual(await shot(), there);
        await page.evaluate(() => window.playground.game.seek(190));
        assert.ok((await shot()) === there, 'the pictures differ');
        await page.keyboard.down('x');
        assert.ok((await shot()) !== there, 'X-ray shows nothing');
        await page.keyboard.up('x');
        assert.ok((await shot()) === there, 'X-ray stays');
    });

    test('a link brings the same collapse to somebody else', async () => {
        await startAt(page, 'pyramid', 40);
        await drop(page, [['ring.png', 'image/png', await sprite('ring')]]);
        await said(page, 'ring: ');
        await page.keyboard.press('5');
        const place = await inWindow(page, 320, 330);
        await page.mouse.click(place.x, place.y);
        await steps(page, 140);
        const there = await look(page);
        await page.click('#share');
        await page.waitForFunction(() => document.getElementById('link').value.includes('#~'));
        const link = await page.inputValue('#link');
        await page.click('#d-share form button');
        const other = await play(browser, link, { width: 390, height: 844 });
        await other.evaluate((tick) => { const app = window.playground; app.paused = true; while (app.game.tick < tick) app.game.step(); }, there.tick);
        assert.deepEqual(await look(other), there);
        assert.equal(await other.locator('#again span').innerText(), 'Remix');
        await other.click('#again');
        await other.waitForFunction(() => window.playground.game.log.length === 0);
        other.noErrors();
        await other.context().close();
    });

    /** A photograph without a background: every pixel has another color. */
    const photograph = (seed) =>
        page.evaluate((first) => {
            const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 600 }), context = canvas.getContext('2d'), image = context.createImageData(800, 600);
            let random = first;
            for (let i = 0; i < image.data.length; i++) {
                random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
                image.data[i] = i % 4 === 3 ? 255 : 128 + 90 * Math.sin((i % 3200) / 500 + (i % 4)) * Math.cos(i / 3200 / 90) + (random >>> 27);
            }
            context.putImageData(image, 0, 0);
            return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
        }, seed);
    const share = async () => {
        await page.click('#share');
        await page.waitForFunction(() => document.getElementById('share-words').textContent !== 'Writing the link.');
        const found = { link: await page.inputValue('#link'), words: await page.textContent('#share-words'), previews: await page.locator('#previews img').count(), copies: await page.isEnabled('#copy-link') };
        await page.click('#d-share form button');
        return found;
    };
    const colors = (other) =>
        other.evaluate(() => {
            const { sprites } = window.playground.game.stage, own = [...sprites.values()].filter(({ builtIn }) => !builtIn);
            return own.map(({ rgba }) => ({ rgba: [...rgba].join(), colors: new Set(new Uint32Array(rgba.buffer)).size }));
        });

    test('a link holds a photograph of 800 x 600, as it is seen', async (t) => {
        await startAt(page, 'dominoes', 0);
        await drop(page, [['photo.jpg', 'image/jpeg', await photograph(1)]]);
        await said(page, 'scaled from 800 x 600');
        assert.doesNotMatch(await words(page), /background/);
        await steps(page, 200);
        const there = await look(page), { link, words: told, previews, copies } = await share();
        t.diagnostic(`${link.length} characters`);
        assert.ok(link.split('#')[1].length <= 30000 && copies, `${link.length} characters`);
        assert.deepEqual([told, previews], ['', 0]);
        const other = await play(browser, link);
        await other.evaluate((tick) => { const app = window.playground; app.paused = true; while (app.game.tick < tick) app.game.step(); }, there.tick);
        assert.equal((await look(other)).hash, there.hash);
        assert.deepEqual(await colors(other), await colors(page));
        other.noErrors();
        await other.context().close();
    });

    test('pictures that are too many lose colors in the link, and no pixel', async () => {
        await startAt(page, 'dominoes', 0);
        for (const seed of [2, 3, 4]) await drop(page, [[`photo${seed}.jpg`, 'image/jpeg', await photograph(seed)]], 300 * (seed - 1), 100);
        await said(page, 'photo4: ');
        await steps(page, 200);
        const there = await look(page), { link, words: told, previews, copies } = await share();
        assert.ok(link.split('#')[1].length <= 30000 && copies);
        assert.match(told, /pictures have \d+ colors/);
        assert.equal(previews, 3);
        const other = await play(browser, link), most = Number(/\d+/.exec(told)[0]);
        await other.evaluate((tick) => { const app = window.playground; app.paused = true; while (app.game.tick < tick) app.game.step(); }, there.tick);
        assert.equal((await look(other)).hash, there.hash);
        assert.ok((await colors(other)).every((picture) => picture.colors <= most));
        other.noErrors();
        await other.context().close();
    });

    test('where there is no link nothing is copied', async () => {
        await startAt(page, 'dominoes', 0);
        await page.evaluate(() => {
            const { game } = window.playground;
            const random = (i) => Math.imul(i, 2654435761) >>> 20;
            for (let i = 1; i < 20000; i++) game.log.push([0, 'gravity', random(i * i), random(i ^ (i << 9))]);
            game.next = game.log.length;
        });
        const { link, words: told, copies } = await share();
        assert.deepEqual([link, copies], ['', false]);
        assert.match(told, /There is no link: it would have \d+ KB/);
        await startAt(page, 'dominoes', 0);
        assert.ok((await share()).copies);
    });

    test('a damaged link says so and plays a scene', async () => {
        const other = await play(browser, `${home}#~notalink`);
        assert.match(await words(other), /link is damaged/);
        assert.ok((await look(other)).bodies > 10);
        other.noErrors();
        await other.context().close();
    });

    test('the code of a scene compiles, runs and has its bodies', async () => {
        await startAt(page, 'fort', 30);
        const { bodies } = await look(page), folder = await mkdtemp(join(tmpdir(), 'scene-'));
        try {
            for (const file of await readdir(join(web, 'play/sprites'))) await copyFile(join(web, 'play/sprites', file), join(folder, file));
            await page.click('#more');
            await page.click('#open-code');
            await writeFile(join(folder, 'scene.mjs'), await page.textContent('#code'));
            await page.click('#code-c');
            await writeFile(join(folder, 'scene.c'), await page.textContent('#code'));
            await page.click('#d-code form button');
            await symlink(join(web, 'node_modules'), join(folder, 'node_modules'));
            const { stdout } = await run('node', ['scene.mjs'], { cwd: folder });
            const [, count, hash] = /^(\d+) bodies, hash (\w{16})/.exec(stdout);
            assert.equal(Number(count), bodies);
            const { PIXVERLET_BUILD: build, PIXVERLET_SOURCE: source } = process.env;
            await run('sh', ['-c', `\${CC:-cc} -std=c11 -Wall -Wextra -Werror scene.c -I'${source}/lib' -o scene '${build}/.libs/libpixverlet-core.a' -lm -lpthread $(pkg-config --libs libcjson 2>/dev/null)`], { cwd: folder });
            assert.equal((await run('./scene', [], { cwd: folder })).stdout.trim(), `hash ${hash}`);
        } finally {
            await rm(folder, { recursive: true });
        }
    });

    test('box, hull and pixels are compared, and differ', async () => {
        await page.click('#more');
        await page.click('#open-compare');
        await page.waitForTimeout(2500);
        const pictures = await page.evaluate(() => ['as-box', 'as-hull', 'as-pixels'].map((id) => document.getElementById(id).toDataURL()));
        assert.equal(new Set(pictures).size, 3);
        await page.click('#d-compare form button');
    });

    test('the last five seconds are recorded', async () => {
        await startAt(page, 'gears', 320);
        await page.click('#share');
        const [download] = await Promise.all([page.waitForEvent('download', { timeout: 30000 }), page.click('#record')]);
        assert.match(download.suggestedFilename(), /^gears\.(webm|mp4)$/);
        assert.ok((await readFile(await download.path())).length > 20000);
        await page.click('#d-share form button');
    });
});

describe('phones and other pages', { concurrency: false }, () => {
    for (const [width, height] of [[320, 640], [390, 844], [844, 390]])
        test(`${width} x ${height}: everything is in reach, nothing scrolls`, async () => {
            const page = await play(browser, home, { width, height, hasTouch: true, isMobile: true });
            const found = await page.evaluate(() => ({
                scrolls: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight,
                buttons: [...document.querySelectorAll('header button, footer button')].filter((b) => b.offsetParent && !b.hidden).map((b) => ({ name: b.id || b.dataset.tool, label: b.getAttribute('aria-label') || b.textContent.trim(), ...b.getBoundingClientRect().toJSON() })),
            }));
            assert.equal(found.scrolls, false);
            assert.equal(found.buttons.length, 14);
            for (const b of found.buttons) {
                assert.ok(b.left >= 0 && b.right <= width + 0.5 && b.top >= 0 && b.bottom <= height + 0.5, `${b.name} is cut off`);
                assert.ok(b.width >= 40 && b.height >= 40, `${b.name} is ${b.width} x ${b.height}`);
                assert.ok(b.label, `${b.name} has no label`);
            }
            page.noErrors();
            await page.context().close();
        });

    for (const [width, height, hasTouch] of [[320, 640, true], [390, 844, true], [844, 390, true], [1280, 720, false]])
        test(`${width} x ${height}: panels lie beside each other, and the words are for ${hasTouch ? 'fingers' : 'mouse and keys'}`, async () => {
            const page = await play(browser, home, { width, height, hasTouch, isMobile: hasTouch });
            const { panels, text } = await page.evaluate(() => {
                window.playground.remixing = true;
                window.playground.showTime();
                window.playground.say('A long sentence that says what a scene shows, and what there is to do in it.');
                const list = ['.top nav', '#hint', '#say', '.time', '.tools'].map((name) => ({ name, ...document.querySelector(name).getBoundingClientRect().toJSON() }));
                return { panels: list, text: document.body.innerText };
            });
            for (const [i, a] of panels.entries()) {
                assert.ok(a.width > 40 && a.left >= 0 && a.right <= width && a.bottom <= height, `${a.name} is cut off`);
                for (const b of panels.slice(0, i)) assert.ok(a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom, `${a.name} lies over ${b.name}`);
            }
            assert.ok(text.includes(hasTouch ? 'Tap to add a picture' : 'Drop a PNG here') && text.includes('Remix'));
            await page.click('#more');
            assert.equal(await page.locator('kbd').filter({ visible: true }).count() > 0, !hasTouch);
            page.noErrors();
            await page.context().close();
        });

    test('the sample is dragged in, and its hint goes', async () => {
        for (const hasTouch of [false, true]) {
            const page = await play(browser, home, { width: 390, height: 844, hasTouch, isMobile: hasTouch });
            await startAt(page, 'dominoes', 0);
            const box = await page.locator('#sample').boundingBox(), before = await look(page);
            const from = [box.x + box.width / 2, box.y + box.height / 2];
            if (hasTouch) {
                const devtools = await page.context().newCDPSession(page), touch = (type, points) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
                await touch('touchStart', [from]);
                for (let i = 1; i <= 10; i++) await touch('touchMove', [[from[0] + 10 * i, from[1] + 25 * i]]);
                await touch('touchEnd', []);
            } else {
                await page.mouse.move(...from);
                await page.mouse.down();
                await page.mouse.move(from[0] + 100, from[1] + 250, { steps: 8 });
                await page.mouse.up();
            }
            await said(page, 'whale: ');
            assert.equal((await look(page)).bodies, before.bodies + 1);
            const at = await page.evaluate(() => { const { game } = window.playground; return game.log.at(-1).slice(3, 5); }), there = await inWindow(page, ...at);
            assert.ok(Math.hypot(there.x - from[0] - 100, there.y - from[1] - 250) < 3, JSON.stringify(there));
            assert.equal(await page.locator('#hint').isVisible(), false);
            page.noErrors();
            await page.context().close();
        }
    });

    test('a finger carves', async () => {
        const page = await play(browser, `${home}#planet.3`, { width: 390, height: 844, hasTouch: true, isMobile: true });
        await page.evaluate(() => { const app = window.playground; app.paused = true; });
        await page.tap('[data-tool=carve]');
        const before = await look(page), at = await inWindow(page, 180, await page.evaluate(() => window.playground.game.stage.floor - 114));
        await page.touchscreen.tap(at.x, at.y);
        await steps(page, 1);
        assert.ok((await look(page)).pixels < before.pixels - 200);
        page.noErrors();
        await page.context().close();
    });

    test('an embedded scene has no heading, and plays', async () => {
        const page = await play(browser, `${home}?embed#gears.4`, { width: 640, height: 480 });
        assert.equal(await page.locator('h1').isVisible(), false);
        await page.waitForFunction(() => window.playground.game.tick > 20);
        page.noErrors();
        await page.context().close();
    });

    test('a browser without WebAssembly gets a sentence', async () => {
        const page = await play(browser, home, { before: () => { delete window.WebAssembly; } });
        assert.match(await page.textContent('#fatal'), /no WebAssembly/);
        await page.context().close();
    });
});
