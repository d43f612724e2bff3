/* snapshot.test.mjs - a snapshot of a native build continues in JavaScript, and vice versa, with the same bits.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Body, Composite, Cut, Grains, init, Joint, Mask, SNAPSHOT_PIXELS, World } from 'pixverlet';
import { build, run, sprite } from './support.mjs';

await init();
const peer = build('tests', 'web_peer'), STEPS = 90;
const hashAfter = (/** @type {World} */ world, /** @type {number} */ steps) => {
    for (let i = 0; i < steps; i++) world.step(1 / 60);
    return world.computeHash();
};

for (const scene of ['castle', 'shatter', 'ragdolls', 'waterfall', 'cloth', 'sand', 'hourglass'])
    test(`${scene}: native to JavaScript, and back`, () => {
        const file = build('web', `${scene}.snapshot`), back = build('web', `${scene}.back`);
        const native = run(peer, 'save', scene, 60, file, STEPS).trim(), world = new World();
        world.restore(new Uint8Array(readFileSync(file)));
        const bytes = world.save(SNAPSHOT_PIXELS);
        assert.equal(hashAfter(world, STEPS), native);
        writeFileSync(back, bytes);
        assert.equal(run(peer, 'resume', back, STEPS).trim(), native);
        world.destroy();
    });

test('a world of JavaScript goes on natively', () => {
    const world = new World({ gravity: { x: 10, y: 300 } }), star = Mask.fromPng(sprite('star'));
    new Body(world, { type: 'static', mask: Mask.createRect(400, 30), position: { x: 200, y: 300 } });
    const bodies = Array.from({ length: 20 }, (_, i) => new Body(world, { mask: star, position: { x: 60 + 60 * (i % 5), y: 250 - 60 * Math.floor(i / 5) }, angle: i }));
    Joint.createPin(world, bodies[0], bodies[1], { x: 90, y: 250 });
    Composite.createRope(world, { from: { body: bodies[2], point: bodies[2].getPosition() }, to: { point: { x: 200, y: -50 } } });
    new Grains(world, { capacity: 100 }).emit([{ position: { x: 100, y: 0 }, velocity: { x: 5, y: 0 }, color: 1 }]);
    hashAfter(world, 40);
    bodies[3].carve(Cut.circle(bodies[3].getPosition(), 8));
    const file = build('web', 'javascript.snapshot');
    writeFileSync(file, world.save(SNAPSHOT_PIXELS));
    assert.equal(run(peer, 'resume', file, STEPS).trim(), hashAfter(world, STEPS));
});
