/* misuse.test.mjs - whatever is wrong with a call, the package throws an error that names the field, and keeps working.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Body, Cut, framesFromAtlas, Grains, init, Joint, Mask, MaterialMap, Mover, Particle, PixverletError, Placed, World } from 'pixverlet';

const early = [() => new World(), () => Mask.create(1, 1), () => Mask.fromPng(new Uint8Array(8)), () => Placed.centered(null, { x: 0, y: 0 }, 0)];
await test('before init() there is an error', () => early.forEach((call) => assert.throws(call, /call await init\(\) first/)));
await test('another module than WebAssembly is refused, and init() can be called again', async () => {
    await assert.rejects(init(new Uint8Array([1, 2, 3])));
    await assert.rejects(init(new URL('file:///no/such/file.wasm')));
    await init();
    await init();
});

/** Values that no function takes as a number. */
const noNumbers = [NaN, 'one', null, undefined, {}, [], true, 1n, Symbol('one')];

function scene() {
    const world = new World(), mask = Mask.createRect(8, 8), body = new Body(world, { mask }), particle = new Particle(world);
    return { world, mask, body, particle, joint: Joint.createPin(world, body, null, { x: 0, y: 0 }), grains: new Grains(world) };
}
function refused(call, field, words = /./, status = undefined) {
    assert.throws(call, (error) => {
        assert.ok(error instanceof PixverletError, `${error.stack}`);
        assert.equal(error.field, field);
        assert.match(error.message, words);
        assert.ok(error.message.startsWith(`${error.function}: `));
        if (status) assert.equal(error.status, status);
        return true;
    });
}

test('the sentence has function, field, value and range', () => {
    const { world, mask } = scene();
    assert.throws(() => new Body(world, { mask, restitution: 3.25 }), { name: 'PixverletError', message: 'pv_body_create: def.restitution is 3.25, must be 0 to 1', status: 'argument', function: 'pv_body_create', field: 'def.restitution', value: 3.25, min: 0, max: 1 });
});

test('numbers stand in sentences as printf has them', () => {
    const { world, mask } = scene(), show = (value) => { try { new Body(world, { mask, restitution: value }); } catch (error) { return /is (\S+),/.exec(error.message)?.[1]; } return undefined; };
    for (const value of [1.5, -0.25, 123456789, 12345678.9, 1234567890, 1e9, 1e100, -1e-5, -0.00012345, 2.5e-7 - 1, 99999.99999, 999999999.9, Math.PI, -1e300, 1e15 + 1]) {
        const digits = Number(value.toPrecision(9)), exponent = Math.floor(Math.log10(Math.abs(digits)) + 1e-12);
        const wanted = exponent < -4 || exponent >= 9 ? digits.toExponential().replace(/e([+-])(\d)$/, 'e$10$2') : String(digits);
        assert.equal(show(value), wanted);
    }
});

test('what is no number is refused by name', () => {
    const { world, mask, body, particle } = scene();
    for (const value of noNumbers) {
        refused(() => body.setAngle(value), 'angle');
        refused(() => world.step(value), 'dt');
        refused(() => body.setPosition({ x: 0, y: value }), 'position.y');
        refused(() => particle.setMass(value), 'mass');
        refused(() => Mask.create(value, 4), 'width');
        refused(() => Mask.createCircle(value), 'radius');
        refused(() => mask.setPixel(0, value, true), 'y');
        if (value !== undefined) refused(() => new Body(world, { mask, friction: value }), 'def.friction');
        if (value !== undefined) refused(() => new World({ substeps: value }), 'def.substeps');
    }
});

test('what is no object, no mask and no body is refused by name', () => {
    const { world, mask, body } = scene();
    for (const value of [1, 'text', null, true]) refused(() => body.setVelocity(value), 'velocity', /must be an object/);
    for (const value of [1, 'text', {}, world, body]) {
        refused(() => new Body(world, { mask: value }), 'def.mask', /must be a Mask/);
        refused(() => mask.testOverlap(value, 0, 0), 'b', /must be a Mask/);
        if (value !== body) refused(() => body.testOverlap(value), 'b', /must be a Body or null/);
        if (value !== world) refused(() => new Body(value, { mask }), 'world', /must be a World/);
    }
    refused(() => new Body(world, null), 'def');
    refused(() => new Body(world, {}), 'def.mask');
    refused(() => new Body(world, { mask, frition: 1 }), 'def.frition', /no member frition/);
    refused(() => new Body(world, { mask, type: 'heavy' }), 'def.type', /"static" or "kinematic" or "dynamic"/);
    refused(() => new Body(world, { mask, sensor: 1 }), 'def.sensor', /true or false/);
    refused(() => new Body(world, { mask: Mask.create(4, 4) }), 'def.mask', /./, 'empty');
    refused(() => Mask.createPolygon([{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: NaN, y: 1 }]), 'points[2].x');
    refused(() => Mask.createPolygon('points'), 'points');
    refused(() => mask.createOutline(5), 'neighbors');
    refused(() => new Mask(), null, /Mask.create/);
    refused(() => new MaterialMap(), null);
    refused(() => MaterialMap.fromBytes(new Uint8Array(3), null, 2, 2), 'hardness');
    refused(() => Placed.testPoint({ mask: 1 }, { x: 0, y: 0 }), 'placed.mask');
    refused(() => body.carve({ type: 'triangle' }), 'cut.type');
    refused(() => body.carve(Cut.circle({ x: 0, y: 0 }, -1)), 'cut.radius');
    refused(() => world.castRay({ x: 0, y: 0 }, { x: 1, y: 0 }, 'nearest'), 'cast');
    refused(() => world.queryPoint({ x: 0, y: 0 }, { accept: 1 }), 'filter.accept');
    refused(() => world.queryPoint({ x: 1e300, y: 0 }), 'point');
    refused(() => world.setFilterCallback('all'), 'filter');
    refused(() => world.debugDraw({}), 'context');
    refused(() => framesFromAtlas(mask, {}), 'atlas.frames');
    refused(() => framesFromAtlas(mask, { frames: { a: { frame: { x: 0, y: 0, w: 1 } } } }), 'atlas.frames["a"].frame');
    refused(() => new Mover(world, { mask }).fits(7), 'mask');
    refused(() => Joint.createPin(world, body, null, { x: 1e5, y: 0 }), 'point', /px from the body/);
    refused(() => new Mover(world, { mask }).move({ x: NaN, y: 0 }, 1 / 60), 'velocity.x');
});

test('bytes that are no PNG, mask or snapshot are refused', () => {
    const { world } = scene(), text = new TextEncoder().encode('This is a text file, and not a picture.');
    refused(() => Mask.fromPng(text), 'png', /not a PNG/, 'format');
    refused(() => Mask.fromPng(new Uint8Array()), 'size');
    refused(() => Mask.fromPng('picture.png'), 'png', /Uint8Array/);
    refused(() => Mask.fromPng(Uint8Array.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR and no more', (c) => c.charCodeAt(0))), 'png', /IHDR at 8/, 'format');
    refused(() => Mask.deserialize(text), 'bytes', /./, 'format');
    refused(() => Mask.fromRgba(new Uint8Array(10), 2, 2), 'rgba', /has 10 bytes, must have 16/);
    refused(() => Mask.fromImageData({}), 'image');
    refused(() => world.restore(text), 'buffer', /./, 'format');
    refused(() => world.restore([1, 2]), 'snapshot');
    const snapshot = world.save(1), hash = world.computeHash();
    for (let i = 0; i < snapshot.length; i += 13) {
        const broken = snapshot.slice();
        broken[i] ^= 1 << i % 8;
        assert.throws(() => world.restore(broken), PixverletError);
    }
    assert.equal(world.computeHash(), hash);
});

test('what was destroyed is refused', () => {
    const { world, mask, body, joint, grains } = scene(), other = new World(), stranger = new Body(other, { mask });
    refused(() => body.testOverlap(stranger), 'b', /another world/);
    refused(() => Joint.createPin(world, body, stranger, { x: 0, y: 0 }), 'b', /another world/);
    body.destroy();
    for (const call of [() => body.getPosition(), () => body.setAngle(1), () => body.destroy(), () => body.carve(Cut.circle({ x: 0, y: 0 }, 1))]) refused(call, 'body', /names no living body/, 'staleId');
    refused(() => joint.getLength(), 'joint', /./, 'staleId');
    assert.equal(body.isValid(), false);
    mask.destroy();
    mask.destroy();
    refused(() => mask.countPixels(), 'Mask', /was destroyed/);
    refused(() => new Body(world, { mask }), 'def.mask', /was destroyed/);
    world.destroy();
    world.destroy();
    for (const call of [() => world.step(1 / 60), () => body.getPosition(), () => grains.getView(), () => new Body(world, { mask })]) refused(call, 'World', /was destroyed/);
    assert.equal(grains.isValid(), false);
    assert.equal(stranger.getMask().countPixels(), 64);
});

test('an exception of a callback comes out of the step, and the world goes on', () => {
    const world = new World(), mask = Mask.createRect(8, 8);
    new Body(world, { mask });
    new Body(world, { mask, position: { x: 3, y: 3 } });
    const mine = new Error('mine');
    world.setFilterCallback(() => { throw mine; });
    assert.throws(() => world.step(1 / 60), mine);
    world.setFilterCallback(() => { world.step(1 / 60); return true; });
    refused(() => world.step(1 / 60), 'world', /in a step/, 'busy');
    world.setFilterCallback(() => { world.destroy(); return true; });
    refused(() => world.step(1 / 60), 'world', /in a step/, 'busy');
    world.setFilterCallback(null);
    world.setPresolveCallback(() => 'bounce');
    refused(() => world.step(1 / 60), 'result');
    world.setPresolveCallback((contact) => { contact.restitution = 'much'; });
    refused(() => world.step(1 / 60), 'contact.restitution');
    world.setPresolveCallback(null);
    assert.throws(() => world.queryPoint({ x: 0, y: 0 }, { accept: () => { throw mine; } }), mine);
    world.step(1 / 60);
    const near = { min: { x: -50, y: -50 }, max: { x: 50, y: 50 } };
    assert.equal(world.queryBox(near, { accept: (body) => world.queryBox(near).includes(body) }).length, 2);
});
