/* phaser.test.mjs - the plugin for Phaser in a browser, with Phaser 3.90 and Phaser 4.
 *
 * Invariant: expected pixels are those that the engine draws, or those of the pictures' files.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch, open, serve } from './support.mjs';
import { checkPrograms, checkTypes } from './types.mjs';

let browser, site;
before(async () => {
    browser = await launch();
    site = await serve();
});
after(async () => {
    await browser?.close();
    site?.close();
});

/** Opens a page that uses the Phaser of a folder of node_modules. */
async function openWith(engine, path, options) {
    const page = await open(browser, 'about:blank', options);
    if (engine !== 'phaser') await page.route('**/node_modules/phaser/**', (route) => route.continue({ url: route.request().url().replace('/phaser/', `/${engine}/`) }));
    await page.goto(site.url + path);
    return page;
}

/** Checks a comparison but for edge pixels, which the renderer may round differently than the library. */
const atEdges = ({ drawn, solid, wrong }, share = 0.03) => assert.ok(solid > 100 && wrong <= share * solid, `${drawn} drawn, ${solid} solid, ${wrong} wrong`);

for (const [engine, version] of [['phaser', /^3\.90/], ['phaser4', /^4\./]])
    describe(engine, { concurrency: false }, () => {
        let page;
        before(async () => {
            page = await openWith(engine, 'tests/browser/engines.html');
            await page.waitForFunction(() => window.beginPhaser);
        });
        after(async () => {
            page.noErrors();
            await page.context().close();
        });
        /** Runs a function in a new game, which it gets as its scene. */
        const inGame = async (run, physics) => {
            const result = await page.evaluate(`(async () => {
                const scene = await beginPhaser(${JSON.stringify(physics ?? {})});
                try { return await (${run})(scene); } finally { scene.game.destroy(true); }
            })()`);
            await page.waitForFunction(() => !document.querySelector('canvas'));
            return result;
        };

        test('is the version that it should be', async () => {
            assert.match(await page.evaluate(async () => (await import('phaser')).VERSION), version);
        });

        test('a sprite falls, and rests by its very pixels where it is drawn', async () => {
            const found = await inGame(async (scene) => {
                const { add, world } = scene.pixverlet;
                add.image(200, 284, 'floor', undefined, { type: 'static' });
                const star = add.sprite(200, 100, 'star'), start = star.y;
                steps(scene, 300);
                return { fell: star.y - start, overlap: world.computeOverlapArea(), awake: star.body.isAwake(), view: await comparePhaser(scene) };
            });
            assert.ok(found.fell > 100 && found.fell < 168, `${found.fell}`);
            assert.equal(found.overlap, 0);
            assert.equal(found.awake, false);
            atEdges(found.view, 0.01);
        });

        test('origin, scale, flip and rotation are those of the body', async () => {
            const found = await inGame(async (scene) => {
                const { pixverlet } = scene, views = [];
                pixverlet.world.setGravity({ x: 0, y: 0 });
                const rock = scene.add.sprite(200, 150, 'rock_large').setOrigin(0.2, 0.9).setScale(1.5, 1.25).setFlip(true, false).setRotation(0.6);
                pixverlet.add.existing(rock);
                const look = async () => { steps(scene, 1); views.push([await comparePhaser(scene), rock.x, rock.y]); };
                await look();
                rock.setFlip(false, true);
                await look();
                rock.setScale(-1, 2).setOrigin(0.5, 0.1);
                await look();
                rock.setPosition(180, 140).setAngle(-70);
                await look();
                return views;
            });
            for (const [view, x, y] of found) {
                atEdges(view);
                const [wantX, wantY] = view === found[3][0] ? [180, 140] : [200, 150];
                assert.ok(Math.hypot(x - wantX, y - wantY) < 1e-6, `${x}, ${y}`);
            }
        });

        test('the body follows the frames of an animation, by masks made once', async () => {
            const found = await inGame(async (scene) => {
                const hero = scene.pixverlet.add.sprite(200, 150, 'hero', 0, { gravityScale: 0 }), image = scene.textures.get('hero').getSourceImage(), seen = new Map();
                scene.anims.create({ key: 'walk', frames: scene.anims.generateFrameNumbers('hero', { start: 1, end: 5 }), frameRate: 30, repeat: -1 });
                hero.play('walk');
                let wrong = 0, masks = new Set();
                for (let i = 0; i < 60; i++) {
                    hero.anims.update(0, 1000 / 60);
                    steps(scene, 1);
                    const mask = hero.body.getMask(), cell = Number(hero.frame.name);
                    wrong += Number(mask.countPixels() !== countSolid(image, 48 * cell, 0, 48, 40));
                    seen.set(cell, mask);
                    masks.add(mask);
                }
                return { wrong, cells: seen.size, masks: masks.size, view: await comparePhaser(scene), x: hero.x, y: hero.y };
            });
            assert.deepEqual([found.wrong, found.cells, found.masks], [0, 5, 5]);
            assert.ok(Math.hypot(found.x - 200, found.y - 150) < 1e-6);
            atEdges(found.view, 0.01);
        });

        test('a carved body is drawn without what it lost', async () => {
            const found = await inGame(async (scene) => {
                const { Cut } = await import('pixverlet'), rock = scene.pixverlet.add.image(200, 150, 'rock_large', undefined, { type: 'static' }), rects = [];
                const whole = rock.body.getMask().countPixels(), other = scene.pixverlet.add.image(60, 60, 'rock_large', undefined, { type: 'static' });
                rock.on('carve', (rect) => rects.push(rect));
                const lost = ['a', 'b'].map((_, i) => rock.body.carve(Cut.circle({ x: 180 + 40 * i, y: 150 }, 12)).pixelCount);
                steps(scene, 1);
                const third = rock.body.carve(Cut.circle({ x: 200, y: 125 }, 9)).pixelCount;
                steps(scene, 1);
                return {
                    whole, lost: lost[0] + lost[1] + third, left: rock.body.getMask().countPixels(), drawn: countSolid(rock.texture.getSourceImage()),
                    other: other.body.getMask().countPixels(), key: other.texture.key, rects, view: await comparePhaser(scene),
                };
            });
            assert.ok(found.lost > 600, `${found.lost}`);
            assert.equal(found.left, found.whole - found.lost);
            assert.equal(found.drawn, found.left);
            assert.deepEqual([found.other, found.key], [found.whole, 'rock_large']);
            assert.equal(found.rects.length, 2);
            assert.ok(found.rects[1].w <= 19 && found.rects[1].h <= 19, JSON.stringify(found.rects[1]));
            assert.equal(found.view.wrong, 0);
        });

        test('what a cut parts becomes sprites of their own, also if they part at once again', async () => {
            const found = await inGame(async (scene) => {
                const { Cut } = await import('pixverlet'), plank = scene.pixverlet.add.image(200, 100, 'plank', undefined, { gravityScale: 0.2 }).setScale(2).setFlipX(true).setDepth(7).setTint(0xff8080);
                const parts = [], before = scene.children.list.length;
                steps(scene, 1);
                plank.on('split', (part) => parts.push(part));
                for (const x of [150, 190, 260]) scene.pixverlet.world.carve(Cut.line({ x, y: 70 }, { x: x + 20, y: 130 }, 4));
                steps(scene, 40);
                const sprites = scene.children.list.filter((object) => object.body), sum = (list) => list.reduce((a, b) => a + b, 0);
                return {
                    parts: parts.length, sprites: sprites.length, more: scene.children.list.length - before, depths: parts.map((part) => part.depth), tinted: parts.every((part) => part.tintTopLeft === 0xff8080),
                    pixels: sum(sprites.map((sprite) => sprite.body.getMask().countPixels())), drawn: sum(sprites.map((sprite) => countSolid(sprite.texture.getSourceImage()))),
                    same: sprites.every((sprite) => scene.pixverlet.getObject(sprite.body) === sprite), view: await comparePhaser(scene),
                };
            });
            assert.deepEqual([found.parts, found.sprites, found.more, found.depths, found.tinted, found.same], [3, 4, 3, [7, 7, 7], true, true]);
            assert.equal(found.drawn, found.pixels);
            atEdges(found.view);
        });

        test('parts keep their colors in their places', async () => {
            const found = await inGame(async (scene) => {
                const { Cut } = await import('pixverlet'), rock = scene.pixverlet.add.image(200, 150, 'rock_large', undefined, { type: 'static' }), whole = await shootPhaser(scene);
                for (const [from, to] of [[{ x: 190, y: 100 }, { x: 190, y: 200 }], [{ x: 150, y: 155 }, { x: 250, y: 155 }]]) scene.pixverlet.world.carve(Cut.line(from, to, 3));
                steps(scene, 1);
                return { bodies: scene.pixverlet.world.getBodies().map((body) => body.getMask().countPixels()), solid: countSolid(scene.textures.get('rock_large').getSourceImage()), colors: compareColors(whole, await shootPhaser(scene)) };
            });
            assert.ok(found.bodies.length >= 4, JSON.stringify(found));
            assert.deepEqual(found.colors, { black: found.solid - found.bodies.reduce((a, b) => a + b, 0), other: 0 });
        });

        test('a frame of another size stays at the origin of the sprite', async () => {
            const found = await inGame(async (scene) => {
                const star = scene.pixverlet.add.sprite(200, 150, 'star', undefined, { gravityScale: 0 }).setOrigin(0.3, 1).setRotation(0.5);
                steps(scene, 1);
                star.setTexture('rock_large');
                steps(scene, 1);
                return { x: star.x, y: star.y, width: star.body.getMask().getWidth(), view: await comparePhaser(scene) };
            });
            assert.ok(Math.hypot(found.x - 200, found.y - 150) < 1e-4 && found.width === 80, JSON.stringify(found));
            atEdges(found.view);
        });

        test('colliders call back while bodies touch, and process callbacks let pass', async () => {
            const found = await inGame(async (scene) => {
                const { add } = scene.pixverlet, calls = [], order = [];
                const floor = add.image(200, 284, 'floor', undefined, { type: 'static' }), crates = scene.add.group(), star = add.sprite(100, 100, 'star');
                for (const x of [200, 260]) crates.add(add.image(x, 160, 'crate'));
                const collider = add.collider(floor, crates, function (a, b, hit) { calls.push([a === floor, crates.contains(b), hit && hit.speed > 50, this === scene]); });
                add.collider(star, null, (a, b) => order.push(a === star && b === floor));
                add.collider([star], floor, null, () => scene.solid ?? true);
                steps(scene, 120);
                const first = calls.length, hits = calls.filter(([, , hit]) => hit).length, good = calls.every(([a, b, , self]) => a && b && self);
                collider.destroy();
                steps(scene, 10);
                const still = star.y;
                scene.solid = false;
                star.body.wake();
                steps(scene, 40);
                return { first, hits, good, after: calls.length, stars: order.length > 10 && order.every(Boolean), sank: star.y - still };
            });
            assert.ok(found.first > 60 && found.good && found.stars, JSON.stringify(found));
            assert.ok(found.hits >= 2 && found.hits < 20, `${found.hits}`);
            assert.equal(found.after, found.first);
            assert.ok(found.sank > 50, `${found.sank}`);
        });

        test('overlaps call back while a sensor has a visitor', async () => {
            const found = await inGame(async (scene) => {
                const { add } = scene.pixverlet, zone = add.image(200, 150, 'crate', undefined, { type: 'static', sensor: true }), star = add.image(200, 20, 'star'), inside = [];
                add.overlap(star, zone, (a, b) => inside.push([a === star, b === zone, star.body.testOverlap(zone.body)]));
                let truth = 0;
                for (let i = 0; i < 90; i++) {
                    steps(scene, 1);
                    truth += Number(star.body.testOverlap(zone.body));
                }
                return { inside, truth };
            });
            assert.ok(found.truth > 5, `${found.truth}`);
            assert.ok(found.inside.every(([a, b]) => a && b));
            assert.equal(found.inside.filter(([, , now]) => now).length, found.truth);
            assert.ok(found.inside.length <= found.truth + 1);
        });

        test('a part is still one of its parent\'s colliders', async () => {
            const touched = await inGame(async (scene) => {
                const { Cut } = await import('pixverlet'), { add } = scene.pixverlet, floor = add.image(200, 284, 'floor', undefined, { type: 'static' }), plank = add.image(200, 200, 'plank'), met = new Set();
                add.collider(plank, floor, (a) => met.add(a));
                plank.body.carve(Cut.line({ x: 200, y: 180 }, { x: 200, y: 220 }, 6));
                steps(scene, 60);
                return met.size;
            });
            assert.equal(touched, 2);
        });

        test('a kinematic sprite that the program moves carries what stands on it', async () => {
            const found = await inGame(async (scene) => {
                const { add } = scene.pixverlet, lift = add.image(120, 200, 'plank', undefined, { type: 'kinematic', friction: 1 }), crate = add.image(120, 178, 'crate', undefined, { friction: 1 });
                steps(scene, 30);
                const start = crate.x;
                for (let i = 0; i < 60; i++) {
                    lift.x += 1;
                    steps(scene, 1);
                }
                return { lift: lift.x, moved: crate.x - start, overlap: scene.pixverlet.world.computeOverlapArea() };
            });
            assert.ok(Math.abs(found.lift - 180) < 1e-6 && Math.abs(found.moved - 60) < 3, JSON.stringify(found));
            assert.equal(found.overlap, 0);
        });

        test('a layer of tiles is a body that can be carved', async () => {
            const found = await inGame(async (scene) => {
                const { Cut } = await import('pixverlet'), map = scene.make.tilemap({ data: [[-1, 0, -1], [0, 0, 0]], tileWidth: 16, tileHeight: 16 });
                const layer = map.createLayer(0, map.addTilesetImage('tile'), 100, 100), image = scene.pixverlet.add.layer(layer), whole = image.body.getMask().countPixels();
                steps(scene, 1);
                const plain = await comparePhaser(scene), cut = image.body.carve(Cut.circle({ x: 108, y: 124 }, 5)).pixelCount;
                steps(scene, 1);
                return { whole, left: image.body.getMask().countPixels(), cut, plain, carved: await comparePhaser(scene) };
            });
            assert.equal(found.whole, 4 * 256);
            assert.equal(found.left, found.whole - found.cut);
            assert.ok(found.cut > 50);
            assert.deepEqual([found.plain.wrong, found.carved.wrong], [0, 0]);
        });

        test('time goes in equal steps, and not at all while it is paused', async () => {
            const found = await inGame(async (scene) => {
                let count = 0;
                const frame = (ms) => scene.sys.events.emit('update', 0, ms);
                scene.events.on('pixverlet-step', (dt) => (count += Number(dt === 1 / 100)));
                scene.scene.pause();
                frame(500);
                const paused = count;
                scene.pixverlet.resume();
                for (let i = 0; i < 300; i++) frame(1000 / 300);
                const fine = count;
                frame(5000);
                return { paused, fine, jump: count - fine };
            }, { fps: 100, maxSteps: 4 });
            assert.deepEqual(found, { paused: 0, fine: 100, jump: 4 });
        });

        test('debug drawing covers the view, and goes away', async () => {
            const found = await inGame(async (scene) => {
                const { pixverlet } = scene;
                pixverlet.add.image(200, 150, 'star', undefined, { type: 'static' }).setVisible(false);
                const frame = () => new Promise((done) => scene.events.once('postupdate', done)), before = scene.textures.getTextureKeys().length;
                await frame();
                const hidden = await comparePhaser(scene);
                pixverlet.debug = true;
                await frame();
                await frame();
                const shown = await comparePhaser(scene);
                pixverlet.debug = false;
                await frame();
                return { hidden: hidden.drawn, shown, leak: scene.textures.getTextureKeys().length - before };
            });
            assert.deepEqual([found.hidden, found.leak], [0, 0]);
            assert.ok(found.shown.drawn > 0.9 * found.shown.solid, JSON.stringify(found.shown));
        });

        test('destroying leaves nothing', async () => {
            const found = await inGame(async (scene) => {
                const { Cut } = await import('pixverlet'), { pixverlet } = scene, { add } = pixverlet, keys = () => scene.textures.getTextureKeys().length, before = [keys(), scene.children.list.length];
                const plank = add.image(200, 100, 'plank'), star = add.image(60, 60, 'star'), eaten = add.image(320, 60, 'crate'), lost = [];
                for (const object of [plank, star, eaten]) object.once('destroy', () => lost.push(object));
                plank.body.carve(Cut.line({ x: 200, y: 80 }, { x: 200, y: 120 }, 6));
                steps(scene, 1);
                const full = pixverlet.world.getBodies().length;
                plank.body.carve(Cut.line({ x: 170, y: 80 }, { x: 170, y: 120 }, 6));
                plank.destroy();
                star.body.destroy();
                eaten.body.carve(Cut.circle({ x: 320, y: 60 }, 60));
                steps(scene, 1);
                const left = pixverlet.world.getBodies();
                left.forEach((body) => pixverlet.getObject(body).destroy());
                const after = [keys(), scene.children.list.length], bodies = pixverlet.world.getBodies().length, old = pixverlet.world;
                add.image(200, 100, 'plank').body.carve(Cut.line({ x: 200, y: 80 }, { x: 200, y: 120 }, 6));
                steps(scene, 1);
                scene.scene.restart();
                await new Promise((done) => scene.events.once('create', done));
                return { full, left: left.length, lost: lost.length, before, after, bodies, gone: old.pointer, restarted: [keys(), scene.children.list.length], fresh: pixverlet.world.getBodies().length, other: pixverlet.world !== old };
            });
            assert.deepEqual([found.full, found.left, found.lost, found.bodies], [4, 1, 3, 0]);
            assert.deepEqual(found.after, found.before);
            assert.deepEqual(found.restarted, found.before);
            assert.deepEqual([found.gone, found.fresh, found.other], [0, 0, true]);
        });

        test('wrong uses throw errors that name the field', async () => {
            const found = await inGame(async (scene) => {
                const { add } = scene.pixverlet, star = add.image(50, 50, 'star'), before = scene.children.list.length, container = scene.add.container(0, 0, [scene.add.image(0, 0, 'star')]);
                scene.textures.createCanvas('empty', 8, 8);
                scene.textures.addDynamicTexture('painted', 8, 8);
                const calls = {
                    texture: () => add.sprite(0, 0, 'nothing'), frame: () => add.sprite(0, 0, 'hero', 99), empty: () => add.image(0, 0, 'empty'), painted: () => add.image(0, 0, 'painted'), x: () => add.image(NaN, 0, 'star'),
                    position: () => add.image(0, 0, 'star', undefined, { position: { x: 0, y: 0 } }), unknown: () => add.image(0, 0, 'star', undefined, { bounce: 1 }), value: () => add.image(0, 0, 'star', undefined, { friction: -1 }),
                    options: () => add.image(0, 0, 'star', undefined, 'static'), twice: () => add.existing(star), text: () => add.existing(scene.add.graphics()), inside: () => add.existing(container.list[0]),
                    a: () => add.collider(null, star), callback: () => add.overlap(star, null, 5), layer: () => add.layer(star),
                };
                const messages = {};
                for (const [name, call] of Object.entries(calls)) messages[name] = await messageOf(call);
                return { messages, bodies: scene.pixverlet.world.getBodies().length, objects: scene.children.list.length - before };
            });
            const { messages } = found;
            const expected = {
                texture: /^pixverlet\.add\.sprite: texture 'nothing' is missing/, frame: /'hero' has no frame 99/, empty: /texture 'empty'.* has no solid pixel/, painted: /the pixels of texture 'painted'.* cannot be read/, x: /^pixverlet\.add\.image: x .*NaN/,
                position: /options\.position is not allowed/, unknown: /def has no member bounce/, value: /friction/, options: /options must be an object/, twice: /sprite has a body already/,
                text: /object must be a sprite or an image/, inside: /object is in a container/, a: /^pixverlet\.add\.collider: a must be/, callback: /^pixverlet\.add\.overlap: callback must be/, layer: /layer must be/,
            };
            for (const [name, pattern] of Object.entries(expected)) assert.match(messages[name], pattern);
            assert.equal(found.bodies, 1);
            assert.equal(found.objects, 2, 'a refused sprite stays in the scene');
        });

        test('a game without init() says what is missing', async () => {
            const other = await openWith(engine, 'tests/browser/engines.html');
            const failure = other.waitForEvent('pageerror');
            await other.evaluate(async () => {
                const Phaser = await import('phaser'), { PixverletPlugin } = await import('pixverlet/phaser');
                new Phaser.Game({ banner: false, scene: {}, plugins: { scene: [{ key: 'PixverletPlugin', plugin: PixverletPlugin, mapping: 'pixverlet' }] } });
            });
            assert.match((await failure).message, /await init\(\) first/);
            await other.context().close();
        });

        test('types of the example and of the document are strict', async () => {
            await checkTypes('examples/phaser/siege.mjs', engine);
            await checkPrograms('docs/WEB.md', 'pixverlet/phaser', engine);
        });

        test('the example plays itself', async () => {
            const other = await openWith(engine, 'examples/phaser/?auto', { width: 1000, height: 560 });
            await other.waitForFunction(() => window.game?.scene.scenes[0]?.pixverlet?.world);
            const state = () => other.evaluate(() => {
                const scene = window.game.scene.scenes[0];
                return { bodies: scene.pixverlet.world.getBodies().length, sprites: scene.children.list.filter((object) => object.body).length };
            });
            await other.waitForFunction(() => {
                const { list } = window.game.scene.scenes[0].children;
                return list.filter((object) => object.body && object.texture.key.startsWith('pixverlet-')).length >= 4;
            }, null, { timeout: 25000 });
            const now = await state();
            assert.equal(now.bodies, now.sprites);
            other.noErrors();
            await other.context().close();
        });
    });
