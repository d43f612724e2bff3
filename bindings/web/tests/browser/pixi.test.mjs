/* pixi.test.mjs - bodies of PixiJS sprites in a browser.
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

const atEdges = ({ drawn, solid, wrong }, share = 0.03) => assert.ok(solid > 100 && wrong <= share * solid, `${drawn} drawn, ${solid} solid, ${wrong} wrong`);

describe('pixi.js', { concurrency: false }, () => {
    let page;
    before(async () => {
        page = await open(browser, `${site.url}tests/browser/engines.html`);
        await page.waitForFunction(() => window.beginPixi);
    });
    after(async () => {
        page.noErrors();
        await page.context().close();
    });
    /** Runs a function with a new application and a new world. */
    const inPixi = (run) =>
        page.evaluate(`(async () => {
            const stage = await beginPixi();
            try { return await (${run})(stage); } finally { stage.end(); }
        })()`);

    test('a sprite falls, and rests by its very pixels where it is drawn', async () => {
        const found = await inPixi(async ({ add, world, steps, compare }) => {
            add('floor', 200, 284, { type: 'static' });
            const { sprite, body } = add('star', 200, 100);
            steps(300);
            return { y: sprite.y, overlap: world.computeOverlapArea(), awake: body.isAwake(), view: compare() };
        });
        assert.ok(found.y > 200 && found.y < 268, `${found.y}`);
        assert.equal(found.overlap, 0);
        assert.equal(found.awake, false);
        atEdges(found.view, 0.01);
    });

    test('anchor, scale and rotation are those of the body', async () => {
        const found = await inPixi(async ({ Sprite, textures, stage, pixi, world, steps, compare }) => {
            world.setGravity({ x: 0, y: 0 });
            const sprite = stage.addChild(new Sprite({ texture: textures.rock_large, anchor: { x: 0.2, y: 0.9 }, scale: { x: -1.5, y: 1.25 }, rotation: 0.6, x: 200, y: 150 })), views = [];
            pixi.collider(world, sprite);
            const look = () => { steps(1); views.push([compare(), sprite.x, sprite.y]); };
            look();
            sprite.scale.set(1, -2);
            sprite.anchor.set(0.5, 0.1);
            look();
            sprite.position.set(180, 140);
            sprite.angle = -70;
            look();
            return views;
        });
        found.forEach(([view, x, y], i) => {
            atEdges(view);
            const [wantX, wantY] = i === 2 ? [180, 140] : [200, 150];
            assert.ok(Math.hypot(x - wantX, y - wantY) < 1e-4, `${x}, ${y}`);
        });
    });

    test('frames of an atlas, trimmed and turned, are drawn where the bodies are', async () => {
        const found = await inPixi(async ({ Sprite, Texture, Rectangle, textures, stage, pixi, world, steps, compare }) => {
            world.setGravity({ x: 0, y: 0 });
            const { source } = textures.rock_large, frame = new Rectangle(10, 20, 60, 40), views = [];
            for (const rotate of [0, 2]) {
                const [w, h] = rotate ? [40, 60] : [60, 40], texture = new Texture({ source, frame, orig: new Rectangle(0, 0, w + 20, h + 10), trim: new Rectangle(7, 3, w, h), rotate });
                const sprite = stage.addChild(new Sprite({ texture, anchor: 0.5, x: 200, y: 150 })), body = pixi.collider(world, sprite, { type: 'static' });
                steps(1);
                views.push([body.getMask().getWidth() - w, body.getMask().getHeight() - h, compare()]);
                sprite.destroy();
            }
            return views;
        });
        for (const [w, h, view] of found) {
            assert.deepEqual([w, h], [20, 10]);
            assert.ok(view.solid > 1500 && view.wrong === 0, JSON.stringify(view));
        }
    });

    test('the body follows the frames of an animation', async () => {
        const found = await inPixi(async ({ AnimatedSprite, Texture, Rectangle, textures, stage, pixi, world, steps, compare }) => {
            const { source } = textures.hero, frames = [0, 1, 2, 3, 4, 5].map((i) => new Texture({ source, frame: new Rectangle(48 * i, 0, 48, 40) }));
            const hero = stage.addChild(new AnimatedSprite({ textures: frames, anchor: 0.5, x: 200, y: 150, autoUpdate: false })), body = pixi.collider(world, hero, { gravityScale: 0 }), masks = new Set();
            let wrong = 0;
            for (let i = 0; i < 12; i++) {
                hero.gotoAndStop(i % 6);
                steps(1);
                masks.add(body.getMask());
                wrong += Number(body.getMask().countPixels() !== countSolid(source.resource, 48 * (i % 6), 0, 48, 40));
            }
            return { wrong, masks: masks.size, x: hero.x, y: hero.y, view: compare() };
        });
        assert.deepEqual([found.wrong, found.masks, found.x, found.y], [0, 6, 200, 150]);
        atEdges(found.view, 0.01);
    });

    test('a carved body is drawn without what it lost', async () => {
        const found = await inPixi(async ({ add, pixi, steps, compare, textures }) => {
            const { sprite, body } = add('rock_large', 200, 150, { type: 'static' }), whole = body.getMask().countPixels(), rects = [];
            sprite.on('carve', (rect) => rects.push(rect));
            let lost = body.carve(pixi.Cut.circle({ x: 180, y: 150 }, 12)).pixelCount;
            steps(1);
            lost += body.carve(pixi.Cut.circle({ x: 215, y: 150 }, 9)).pixelCount;
            steps(1);
            return { whole, lost, left: body.getMask().countPixels(), drawn: countSolid(sprite.texture.source.resource), file: countSolid(textures.rock_large.source.resource), rects, view: compare() };
        });
        assert.ok(found.lost > 600);
        assert.equal(found.left, found.whole - found.lost);
        assert.deepEqual([found.drawn, found.file], [found.left, found.whole]);
        assert.ok(found.rects.length === 2 && found.rects[1].w <= 19 && found.rects[1].h <= 19, JSON.stringify(found.rects));
        assert.equal(found.view.wrong, 0);
    });

    test('what a cut parts becomes sprites of their own', async () => {
        const found = await inPixi(async ({ add, pixi, world, steps, stage, compare }) => {
            const { sprite } = add('plank', 200, 100), parts = [];
            sprite.tint = 0xff8080;
            sprite.on('split', (part) => parts.push(part));
            for (const x of [170, 190, 225]) world.carve(pixi.Cut.line({ x, y: 80 }, { x: x + 5, y: 120 }, 4));
            steps(30);
            const bodies = world.getBodies(), sprites = bodies.map((body) => pixi.spriteOf(body)), sum = (list) => list.reduce((a, b) => a + b, 0);
            return {
                parts: parts.length, tinted: parts.every(({ tint }) => tint === 0xff8080), children: stage.children.length, inside: sprites.every((one) => one.parent === stage),
                pixels: sum(bodies.map((body) => body.getMask().countPixels())), drawn: sum(sprites.map(({ texture }) => countSolid(texture.source.resource))), view: compare(),
            };
        });
        assert.deepEqual([found.parts, found.tinted, found.children, found.inside], [3, true, 4, true]);
        assert.equal(found.drawn, found.pixels);
        atEdges(found.view);
    });

    test('parts keep their colors in their places', async () => {
        const found = await inPixi(async ({ add, pixi, world, steps, shoot, textures }) => {
            add('rock_large', 200, 150, { type: 'static' });
            const whole = shoot();
            for (const [from, to] of [[{ x: 190, y: 100 }, { x: 190, y: 200 }], [{ x: 150, y: 155 }, { x: 250, y: 155 }]]) world.carve(pixi.Cut.line(from, to, 3));
            steps(1);
            return { bodies: world.getBodies().map((body) => body.getMask().countPixels()), solid: countSolid(textures.rock_large.source.resource), colors: compareColors(whole, shoot()) };
        });
        assert.ok(found.bodies.length >= 4, JSON.stringify(found));
        assert.deepEqual(found.colors, { black: found.solid - found.bodies.reduce((a, b) => a + b, 0), other: 0 });
    });

    test('the ticker steps by equal times, until it is ended', async () => {
        const found = await inPixi(async ({ add, app, pixi, world }) => {
            const { sprite } = add('star', 200, 50), times = [], { ticker } = app;
            const end = pixi.run(world, ticker, { fps: 100, before: (dt) => times.push(dt), after: ({ contactBegins }) => contactBegins.length });
            for (let i = 1; i <= 90; i++) ticker.update(ticker.lastTime + 1000 / 300);
            const moved = sprite.y, count = times.length;
            end();
            for (let i = 1; i <= 90; i++) ticker.update(ticker.lastTime + 1000 / 300);
            return { moved, count, later: times.length, equal: times.every((dt) => dt === 1 / 100) };
        });
        assert.ok(found.moved > 60);
        assert.ok(Math.abs(found.count - 30) <= 1 && found.equal, `${found.count}`);
        assert.equal(found.later, found.count);
    });

    test('debug drawing shows the bodies, and sensors tell of visitors', async () => {
        const found = await inPixi(async ({ add, pixi, world, stage, compare }) => {
            const { sprite } = add('star', 200, 60), zone = add('crate', 200, 150, { type: 'static', sensor: true }), visits = [];
            for (let i = 0; i < 40; i++) visits.push(...pixi.step(world, 1 / 60).sensorBegins);
            sprite.visible = zone.sprite.visible = false;
            const hidden = compare(), debug = stage.addChild(pixi.createDebugSprite(world, { width: 400, height: 300 })), shown = compare();
            debug.destroy();
            return { visits: visits.length, sensor: visits[0].sensor === zone.body, hidden: hidden.drawn, shown };
        });
        assert.deepEqual([found.visits, found.sensor, found.hidden], [1, true, 0]);
        assert.ok(found.shown.drawn > 0.9 * found.shown.solid, JSON.stringify(found.shown));
    });

    test('destroying leaves nothing', async () => {
        const found = await inPixi(async ({ add, pixi, world, steps, stage, textures }) => {
            const plank = add('plank', 200, 100), star = add('star', 60, 60), eaten = add('crate', 320, 60), lost = [];
            for (const { sprite } of [plank, star, eaten]) sprite.once('destroyed', (one) => lost.push(one));
            plank.body.carve(pixi.Cut.line({ x: 200, y: 80 }, { x: 200, y: 120 }, 6));
            steps(1);
            const full = world.getBodies().length, skin = plank.sprite.texture;
            plank.body.carve(pixi.Cut.line({ x: 170, y: 80 }, { x: 170, y: 120 }, 6));
            plank.sprite.destroy();
            star.body.destroy();
            eaten.body.carve(pixi.Cut.circle({ x: 320, y: 60 }, 60));
            steps(1);
            const left = world.getBodies().length;
            pixi.spriteOf(world.getBodies()[0]).destroy();
            return { full, left, lost: lost.length, bodies: world.getBodies().length, children: stage.children.length, skin: skin.destroyed, shared: textures.plank.destroyed };
        });
        assert.deepEqual(found, { full: 4, left: 1, lost: 3, bodies: 0, children: 0, skin: true, shared: false });
    });

    test('wrong uses throw errors that name the field', async () => {
        const { messages, bodies } = await inPixi(async ({ Sprite, Texture, Container, CanvasSource, textures, pixi, world }) => {
            const star = new Sprite(textures.star), calls = {
                world: () => pixi.collider({}, star), sprite: () => pixi.collider(world, new Container()), texture: () => pixi.collider(world, new Sprite()), skew: () => pixi.collider(world, new Sprite({ texture: textures.star, pivot: 5 })),
                empty: () => pixi.collider(world, new Sprite(new Texture({ source: new CanvasSource({ width: 8, height: 8 }) }))), angle: () => pixi.collider(world, star, { angle: 1 }), unknown: () => pixi.collider(world, star, { bounce: 1 }),
                twice: () => { pixi.collider(world, star); pixi.collider(world, star); }, ticker: () => pixi.run(world), fps: () => pixi.run(world, { add() {} }, { fps: 0 }), box: () => pixi.createDebugSprite(world, {}),
            };
            const messages = {};
            for (const [name, call] of Object.entries(calls)) messages[name] = await messageOf(call);
            return { messages, bodies: world.getBodies().length };
        });
        const expected = {
            world: /world must be a World/, sprite: /^collider: sprite must be a Sprite/, texture: /texture of sprite is missing/, skew: /sprite has a skew or a pivot/, empty: /has no solid pixel/, angle: /options\.angle is not allowed/,
            unknown: /def has no member bounce/, twice: /sprite has a body already/, ticker: /ticker must be a Ticker/, fps: /options\.fps must be above 0/, box: /box must have/,
        };
        for (const [name, pattern] of Object.entries(expected)) assert.match(messages[name], pattern);
        assert.equal(bodies, 1);
    });

    test('a picture of another origin, and a page without init(), get a sentence', async () => {
        const elsewhere = await serve(), other = await open(browser, `${site.url}tests/browser/engines.html`);
        const [early, foreign] = await other.evaluate(async (address) => {
            const { Sprite, Texture, ImageSource } = await import('pixi.js'), { collider, init, World } = await import('pixverlet/pixi');
            const early = await messageOf(() => new World());
            await init();
            const resource = await new Promise((done) => Object.assign(new Image(), { src: address, onload() { done(this); } }));
            return [early, await messageOf(() => collider(new World(), new Sprite(new Texture({ source: new ImageSource({ resource, label: 'far' }) }))))];
        }, `${elsewhere.url}play/sprites/star.png`);
        assert.match(early, /await init\(\) first/);
        assert.match(foreign, /the pixels of texture 'far' cannot be read: .*cross-origin/);
        elsewhere.close();
        await other.context().close();
    });

    test('types of the example and of the document are strict', async () => {
        await checkTypes('examples/pixi/planet.mjs');
        await checkPrograms('docs/WEB.md', 'pixverlet/pixi');
    });

    test('the example plays itself', async () => {
        const other = await open(browser, `${site.url}examples/pixi/?auto`, { width: 1000, height: 640 });
        await other.waitForFunction(() => window.planet);
        const whole = await other.evaluate(() => window.planet.body.getMask().countPixels());
        await other.waitForFunction((pixels) => window.planet.body.getMask().countPixels() < 0.9 * pixels, whole, { timeout: 25000 });
        other.noErrors();
        await other.context().close();
    });
});
