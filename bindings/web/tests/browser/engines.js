/* engines.js - code that the tests of the engines share in the page.
 *
 * Invariant: compare() reads what the engine drew, and asks the bodies about the same pixels.
 *
 * SPDX-License-Identifier: Zlib
 */

/** Counts pixels where the drawing and the bodies differ.
 *  @param pixels ImageData of the view; black is the background
 *  @return pixels that are drawn, that bodies have, and that only one of both has */
function compare({ width, height, data }, bodies) {
    const found = { drawn: 0, solid: 0, wrong: 0 };
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const at = 4 * (y * width + x), drawn = data[at] + data[at + 1] + data[at + 2] > 0, point = { x: x + 0.5, y: y + 0.5 };
            const solid = bodies.some((body) => body.isValid() && body.testPoint(point));
            found.drawn += Number(drawn);
            found.solid += Number(solid);
            found.wrong += Number(drawn !== solid);
        }
    return found;
}

/** Counts pixels that became black, and pixels that got another color. */
function compareColors(before, after) {
    const from = new Uint32Array(before.data.buffer), to = new Uint32Array(after.data.buffer), found = { black: 0, other: 0 };
    from.forEach((color, i) => {
        if (to[i] !== color) found[to[i] << 8 === 0 ? 'black' : 'other']++;
    });
    return found;
}

/** Returns the pixels of a picture of the page. */
function readPixels(image) {
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
}

/** Counts the solid pixels of a part of a picture. */
function countSolid(image, x = 0, y = 0, w = image.width, h = image.height) {
    const { data, width } = readPixels(image);
    let count = 0;
    for (let j = y; j < y + h; j++) for (let i = x; i < x + w; i++) count += Number(data[4 * (j * width + i) + 3] >= 128);
    return count;
}

/** Returns the message that a function throws, or an empty text. */
async function messageOf(call) {
    try {
        await call();
        return '';
    } catch (error) {
        return error.message;
    }
}

/** Starts a game of Phaser with a paused world. Returns its scene. */
async function beginPhaser(physics = {}, more = {}) {
    const Phaser = await import('phaser'), { init, PixverletPlugin } = await import('pixverlet/phaser');
    await init();
    return new Promise((done) => {
        const preload = function () {
            this.load.setPath('../../play/sprites/');
            for (const name of ['star', 'plank', 'floor', 'crate', 'tile', 'rock_large']) this.load.image(name, `${name}.png`);
            this.load.spritesheet('hero', 'hero.png', { frameWidth: 48, frameHeight: 40 });
        };
        const create = function () {
            this.cameras.main.setRoundPixels(false);
            this.pixverlet.pause();
            done(this);
        };
        window.game = new Phaser.Game({
            width: 400, height: 300, pixelArt: true, maxTextures: 1, banner: false, audio: { noAudio: true }, backgroundColor: '#000000', scene: { preload, create },
            physics: { pixverlet: { gravity: { y: 600 }, ...physics } },
            plugins: { scene: [{ key: 'PixverletPlugin', plugin: PixverletPlugin, mapping: 'pixverlet' }] }, ...more,
        });
    });
}

/** Returns what Phaser draws. */
const shootPhaser = async (scene) => readPixels(await new Promise((done) => scene.game.renderer.snapshot(done)));

/** Compares what Phaser draws with the bodies of its world. */
const comparePhaser = async (scene) => compare(await shootPhaser(scene), scene.pixverlet.world.getBodies());

function steps(scene, count) {
    for (let i = 0; i < count; i++) scene.pixverlet.step();
}

/** Makes an application of PixiJS that draws on demand, and a world. */
async function beginPixi() {
    const PIXI = await import('pixi.js'), pixi = await import('pixverlet/pixi');
    await pixi.init();
    const app = new PIXI.Application();
    await app.init({ width: 400, height: 300, background: '#000000', autoStart: false, preserveDrawingBuffer: true });
    const names = ['star', 'plank', 'floor', 'crate', 'rock_large', 'hero'], textures = await PIXI.Assets.load(names.map((name) => ({ alias: name, src: `../../play/sprites/${name}.png`, data: { scaleMode: 'nearest' } })));
    const world = new pixi.World({ gravity: { x: 0, y: 600 } }), { stage } = app;
    const add = (name, x, y, options) => {
        const sprite = stage.addChild(new PIXI.Sprite({ texture: textures[name], anchor: 0.5, x, y }));
        return { sprite, body: pixi.collider(world, sprite, options) };
    };
    const stepOften = (count) => { for (let i = 0; i < count; i++) pixi.step(world, 1 / 60); };
    const shoot = () => {
        app.render();
        return readPixels(app.canvas);
    };
    const look = () => compare(shoot(), world.getBodies());
    const end = () => {
        app.destroy(true, { children: true });
        world.destroy();
    };
    return { ...PIXI, app, pixi, textures, world, stage, add, steps: stepOften, compare: look, shoot, end };
}

Object.assign(window, { beginPhaser, beginPixi, compare, compareColors, comparePhaser, countSolid, messageOf, readPixels, shootPhaser, steps });
