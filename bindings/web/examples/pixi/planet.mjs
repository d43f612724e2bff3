/* planet.mjs - a ship in orbit takes a planet apart. Click to fire; ?auto plays by itself.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Application, Assets, Container, Graphics, Sprite } from 'pixi.js';
import { Body, collider, Cut, ForceField, init, run, spriteOf, World } from 'pixverlet/pixi';

const auto = new URLSearchParams(location.search).has('auto'), SCALE = 2, center = { x: 0, y: 0 };
const app = new Application();
await Promise.all([init(), app.init({ resizeTo: window, background: '#0b0c18' })]);
document.body.append(app.canvas);

const names = ['planet', 'rock_large', 'rock_medium', 'rock_small', 'scout', 'missile'];
const textures = await Assets.load(names.map((name) => ({ alias: name, src: `../../play/sprites/${name}.png`, data: { scaleMode: 'nearest' } })));

const space = app.stage.addChild(new Container({ scale: SCALE, x: app.screen.width / 2, y: app.screen.height / 2 }));
const stars = new Graphics();
for (let i = 0; i < 260; i++) stars.rect(((i * 7919) % 1400) - 700, ((i * 104729) % 900) - 450, 1, 1).fill({ color: 0xffffff, alpha: 0.2 + ((i * 37) % 60) / 100 });
space.addChild(stars);

const world = new World({ gravity: center });
new ForceField(world, { type: 'attractor', point: center, strength: 300, radius: 112 });

/** Adds a sprite with a body.
 *  @param {string} name @param {number} x @param {number} y @param {import('pixverlet/pixi').BodyOptions} [options] */
function add(name, x, y, options) {
    const sprite = space.addChild(new Sprite({ texture: textures[name], anchor: 0.5, x, y }));
    return { sprite, body: collider(world, sprite, options) };
}

const planet = add('planet', 0, 0, { angularVelocity: 0.2, density: 4 });
['rock_medium', 'rock_small', 'rock_large', 'rock_small', 'rock_medium'].forEach((name, i) => {
    const angle = 1.3 * i + 0.4, distance = 190 + 12 * i, speed = 112 * Math.sqrt(300 / distance);
    const { body } = add(name, distance * Math.cos(angle), distance * Math.sin(angle));
    body.setVelocity({ x: -speed * Math.sin(angle), y: speed * Math.cos(angle) });
});
const ship = add('scout', 0, -150, { type: 'kinematic' }).sprite;
const missiles = /** @type {Set<Body>} */ (new Set());

/** Fires a missile from the ship at a point.
 *  @param {number} x @param {number} y */
function fire(x, y) {
    const angle = Math.atan2(y - ship.y, x - ship.x), c = Math.cos(angle), s = Math.sin(angle);
    const { sprite, body } = add('missile', ship.x + 26 * c, ship.y + 26 * s);
    sprite.rotation = angle;
    body.setVelocity({ x: 420 * c, y: 420 * s });
    missiles.add(body);
}

/** Carves a crater, and shows a flash that fades.
 *  @param {Body} missile */
function explode(missile) {
    const { x, y } = missile.getPosition(), flash = space.addChild(new Graphics({ x, y }).circle(0, 0, 22).fill(0xff7a2f).circle(0, 0, 13).fill(0xffe9a8));
    missiles.delete(missile);
    spriteOf(missile)?.destroy();
    world.carve(Cut.circle({ x, y }, 21));
    world.explode({ x, y }, 50, 60000);
    app.ticker.add(function fade() {
        flash.alpha -= 0.08;
        if (flash.alpha > 0) return;
        app.ticker.remove(fade);
        flash.destroy();
    });
}

let time = 0;
run(world, app.ticker, {
    before(dt) {
        time += dt;
        ship.position.set(190 * Math.sin(0.5 * time), -140 * Math.cos(0.5 * time));
        ship.rotation = Math.atan2(140 * Math.sin(0.5 * time), 190 * Math.cos(0.5 * time));
        if (auto && Math.floor(time / 0.3) > Math.floor((time - dt) / 0.3)) fire(100 * Math.sin(7 * time), 100 * Math.cos(5 * time));
    },
    after: ({ contactBegins }) => contactBegins.flatMap(({ a, b }) => [a, b]).forEach((body) => body && missiles.has(body) && body.isValid() && explode(body)),
});
app.stage.eventMode = 'static';
app.stage.hitArea = app.screen;
app.stage.on('pointerdown', ({ global }) => fire((global.x - space.x) / SCALE, (global.y - space.y) / SCALE));
Object.assign(window, { app, world, planet });
