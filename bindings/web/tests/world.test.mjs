/* world.test.mjs - worlds and what is in them, checked by formulas and by masks.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    Body, Composite, Cut, DEBUG_ALL, ForceField, Grains, Handle, init, Joint, Liquid, LOCK_X, Mask, MaterialMap, Mover, Particle, Polygon, POSE_SIZE, POSES_AWAKE,
    SNAPSHOT_PIXELS, World,
} from 'pixverlet';

await init();
const DT = 1 / 60;
const run = (/** @type {World} */ world, /** @type {number} */ steps) => {
    for (let i = 0; i < steps; i++) world.step(DT);
};
const near = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ most) => assert.ok(Math.abs(a - b) <= most, `${a} is not ${b} up to ${most}`);
function ground(gravity = { x: 0, y: 300 }) {
    const world = new World({ gravity });
    return { world, floor: new Body(world, { type: 'static', mask: Mask.createRect(400, 20), position: { x: 200, y: 310 }, userData: 'floor' }) };
}

test('a body falls by the formula', () => {
    const world = new World({ gravity: { x: 0, y: 300 } }), body = new Body(world, { mask: Mask.createRect(8, 8), position: { x: 5, y: 5 }, velocity: { x: 30, y: 0 } });
    run(world, 60);
    near(body.getPosition().x, 35, 1e-6);
    near(body.getPosition().y, 155, 0.2);
    near(body.getVelocity().y, 300, 1e-6);
});

test('a body rests on the floor and shares no pixel with it', () => {
    const { world, floor } = ground(), body = new Body(world, { mask: Mask.createRect(20, 10), position: { x: 100, y: 280 }, restitution: 0 });
    run(world, 120);
    near(body.getPosition().y, 295, 0.1);
    assert.equal(world.computeOverlapArea(), 0);
    assert.equal(body.testOverlap(floor), false);
    const [contact] = body.getContacts();
    assert.ok(contact.a === floor && contact.b === body);
    near(contact.normal.y, -1, 1e-6);
});

test('poses are those of the bodies, also after the memory grew', () => {
    const { world } = ground(), mask = Mask.createRect(6, 6);
    const bodies = Array.from({ length: 40 }, (_, i) => new Body(world, { mask, position: { x: 10 * i, y: 100 }, angle: i }));
    const poses = world.getPoses();
    assert.equal(poses.length, 41 * POSE_SIZE);
    const large = Array.from({ length: 4 }, () => Mask.create(16384, 4096));
    assert.equal(poses.length, 41 * POSE_SIZE);
    run(world, 10);
    assert.equal(world.getPoses(), poses);
    for (let row = POSE_SIZE; row < poses.length; row += POSE_SIZE) {
        const body = world.getPoseBody(row), place = body.getPosition(), corner = body.toWorld({ x: 0, y: 0 });
        assert.equal(body, bodies[row / POSE_SIZE - 1]);
        assert.deepEqual([poses[row], poses[row + 1]], [place.x, place.y]);
        near(Math.atan2(poses[row + 3], poses[row + 2]), body.getAngle(), 1e-9);
        near(poses[row + 4], corner.x, 1e-9);
        near(poses[row + 5], corner.y, 1e-9);
    }
    run(world, 600);
    assert.equal(world.getPoses(POSES_AWAKE).length, 0);
    large.forEach((one) => one.destroy());
});

test('events tell of contacts, hits, sleep, sensors and bounds', () => {
    const world = new World({ gravity: { x: 0, y: 300 }, bounds: { min: { x: -1000, y: -1000 }, max: { x: 1000, y: 1000 } } });
    const floor = new Body(world, { type: 'static', mask: Mask.createRect(400, 20), position: { x: 200, y: 310 } });
    const body = new Body(world, { mask: Mask.createRect(10, 10), position: { x: 200, y: 200 } });
    const sensor = new Body(world, { type: 'static', sensor: true, mask: Mask.createRect(50, 50), position: { x: 200, y: 250 } });
    const lost = new Body(world, { mask: Mask.createRect(10, 10), position: { x: 900, y: 0 }, velocity: { x: 900, y: 0 } });
    /** @type {Record<string, any[]>} */
    const seen = {};
    for (let i = 0; i < 300; i++) {
        world.step(DT);
        for (const [name, list] of Object.entries(world.getEvents())) if (Array.isArray(list)) (seen[name] ??= []).push(...list);
    }
    assert.ok(seen.contactBegins.some(({ a, b }) => a === floor && b === body));
    assert.ok(seen.hits.some(({ a, b, speed }) => a === floor && b === body && Math.abs(speed - Math.sqrt(2 * 300 * 95)) < 10));
    assert.deepEqual(seen.sensorBegins[0], { sensor, visitor: body });
    assert.ok(seen.sleeps.includes(body) && seen.outOfBounds.includes(lost));
});

test('a cut removes pixels, and parts become bodies', () => {
    const world = new World({ gravity: { x: 0, y: 0 } }), bar = new Body(world, { mask: Mask.createRect(40, 6), position: { x: 20, y: 3 } });
    const result = bar.carve(Cut.box({ x: 18, y: -5 }, { x: 22, y: 15 }));
    assert.deepEqual([result.pixelCount, result.rect, result.bodyCount], [24, { x: 18, y: 0, w: 4, h: 6 }, 2]);
    world.step(DT);
    const { splits, dirtyRects } = world.getEvents();
    assert.deepEqual([splits.length, splits[0].parent === bar, splits[0].x], [1, true, 22]);
    assert.deepEqual(dirtyRects.find(({ body }) => body === bar)?.rect, { x: 18, y: 0, w: 22, h: 6 });
    assert.equal(bar.getMask()?.countPixels(), 108);
    assert.equal(world.getBodies().length, 2);
    assert.equal(world.carve(Cut.circle({ x: 5, y: 3 }, 2), { accept: (body) => body !== bar }).count, 0);
    assert.equal(bar.carve({ ...Cut.line({ x: 0, y: 2.5 }, { x: 9.9, y: 2.5 }, 1), local: true }).pixelCount, 10);
});

test('a circle and a polygon cut the pixels whose centers are inside', () => {
    const world = new World({ gravity: { x: 0, y: 0 } }), center = { x: 41.3, y: 22.8 }, points = [{ x: 70, y: 5 }, { x: 95.5, y: 20.25 }, { x: 75.2, y: 38 }];
    const body = new Body(world, { type: 'static', mask: Mask.createRect(100, 40), position: { x: 50, y: 20 } });
    const inside = (/** @type {number} */ x, /** @type {number} */ y) => points.every((p, i) => (points[(i + 1) % 3].x - p.x) * (y - p.y) > (points[(i + 1) % 3].y - p.y) * (x - p.x));
    body.carve(Cut.circle(center, 11));
    body.carve(Cut.polygon(points));
    for (let y = 0; y < 40; y++)
        for (let x = 0; x < 100; x++) assert.equal(body.testPoint({ x: x + 0.5, y: y + 0.5 }), Math.hypot(x + 0.5 - center.x, y + 0.5 - center.y) > 11 && !inside(x + 0.5, y + 0.5), `${x} ${y}`);
});

test('queries and rays find what pixels say', () => {
    const { world, floor } = ground(), ring = Mask.fromText('#####\n#...#\n#...#\n#...#\n#####'), body = new Body(world, { type: 'static', mask: ring, position: { x: 100.5, y: 100.5 } });
    assert.deepEqual(world.queryPoint({ x: 100.5, y: 100.5 }), []);
    assert.deepEqual(world.queryPoint({ x: 98.5, y: 100.5 }), [body]);
    assert.deepEqual(world.queryBox({ min: { x: 99.1, y: 99.1 }, max: { x: 101.9, y: 101.9 } }), []);
    assert.deepEqual(world.queryCircle({ x: 100, y: 300 }, 300), [floor, body]);
    assert.deepEqual(world.queryCircle({ x: 100, y: 300 }, 300, { accept: (found) => found !== floor }), [body]);
    const hits = world.castRay({ x: 100.5, y: 0 }, { x: 100.5, y: 400 }, 'all');
    assert.deepEqual(hits.map((hit) => [hit.body, hit.point.y]), [[body, 98], [floor, 300]]);
    assert.deepEqual(world.queryMask({ mask: Mask.createRect(1, 1), transform: body.getTransform() }).length, 1);
    const many = Array.from({ length: 100 }, () => new Body(world, { type: 'static', mask: Mask.createRect(2, 2), position: { x: 300, y: 100 } }));
    assert.deepEqual(world.queryPoint({ x: 300, y: 100 }), many);
});

test('a snapshot brings the bits back', () => {
    const { world } = ground(), mask = Mask.createCircle(6);
    const bodies = Array.from({ length: 10 }, (_, i) => new Body(world, { mask, position: { x: 100 + 3 * i, y: 250 - 14 * i }, userData: i }));
    run(world, 20);
    const hash = world.computeHash(), here = world.save(), anywhere = world.save(SNAPSHOT_PIXELS), other = new World();
    run(world, 30);
    const after = world.computeHash();
    bodies[0].destroy();
    assert.equal(bodies[0].isValid(), false);
    world.restore(here);
    assert.ok(bodies[0].isValid() && bodies[0].userData === 0);
    assert.equal(world.computeHash(), hash);
    other.restore(anywhere);
    run(world, 30);
    run(other, 30);
    assert.deepEqual([world.computeHash(), other.computeHash()], [after, after]);
    assert.match(hash, /^[0-9a-f]{16}$/);
});

test('the filter keeps bodies apart, and presolve changes a bounce', () => {
    const { world, floor } = ground(), body = new Body(world, { mask: Mask.createRect(10, 10), position: { x: 100, y: 200 } });
    world.setFilterCallback((a, b) => !(a === floor && b === body));
    run(world, 120);
    assert.ok(body.getPosition().y > 400);
    world.setFilterCallback(null);
    body.setPosition({ x: 100, y: 200 });
    body.setVelocity({ x: 0, y: 0 });
    world.setPresolveCallback((contact) => {
        assert.ok(contact.a === floor && contact.b === body);
        contact.restitution = 1;
    });
    let least = 400;
    for (let i = 0; i < 100; i++) {
        world.step(DT);
        if (i > 60) least = Math.min(least, body.getPosition().y);
    }
    near(least, 200, 8);
    world.setPresolveCallback(() => 'ignore');
    run(world, 120);
    assert.ok(body.getPosition().y > 400);
});

test('a swing keeps its length, a motor its speed, a rope its joints', () => {
    const world = new World({ gravity: { x: 0, y: 300 } }), mask = Mask.createRect(8, 8);
    const bob = new Body(world, { mask, position: { x: 150, y: 100 } }), wheel = new Body(world, { mask, position: { x: 300, y: 100 } });
    const rod = Joint.createDistance(world, { body: bob, point: bob.getPosition() }, { point: { x: 100, y: 100 } });
    Joint.createPin(world, null, wheel, wheel.getPosition());
    Joint.createMotor(world, null, wheel, 3, 0);
    const weld = new Joint(world, { type: 'weld', a: { body: bob, point: { x: 150, y: 100 } }, b: { body: new Body(world, { mask, position: { x: 158, y: 100 } }), point: { x: 150, y: 100 } }, userData: 'weld' });
    run(world, 50);
    const [a, b] = rod?.getAnchors().map((anchor) => anchor.point) ?? [];
    near(Math.hypot(a.x - b.x, a.y - b.y), 50, 0.05);
    near(wheel.getAngularVelocity(), 3, 1e-6);
    assert.deepEqual([weld.getType(), weld.userData, world.getJoints().length], ['weld', 'weld', 4]);
    bob.destroy();
    assert.equal(weld.isValid(), false);
});

test('particles, polygons, liquids, force fields, composites and grains live and move', () => {
    const { world } = ground(), particle = new Particle(world, { position: { x: 10, y: 10 }, velocity: { x: 60, y: 0 } });
    const square = new Polygon(world, { points: [{ x: 50, y: 0 }, { x: 60, y: 0 }, { x: 60, y: 10 }, { x: 50, y: 10 }] });
    const liquid = new Liquid(world, { interactionRadius: 10 }), drop = new Particle(world, { position: { x: 300, y: 0 } });
    liquid.addParticle(drop);
    new ForceField(world, { type: 'wind', velocity: { x: 100, y: 0 }, area: { min: { x: 0, y: -100 }, max: { x: 500, y: 500 } } });
    const cloth = Composite.createCloth(world, { topLeft: { x: 100, y: 0 }, columns: 4, rows: 3, spacing: 10 });
    const grains = new Grains(world, { capacity: 10 });
    grains.emit([{ position: { x: 200, y: 200 }, velocity: { x: 0, y: 0 }, color: 0xff0000ff }]);
    const own = new Composite(world);
    own.addParticle(particle);
    run(world, 30);
    assert.ok(particle.getPosition().x > 30 && square.getPosition().y > 20);
    assert.deepEqual([liquid.getParticles(), own.getParticles(), cloth?.getParticles().length, square.getCorners().length], [[drop], [particle], 12, 4]);
    const view = grains.getView();
    near(view.y[0] / 65536, 200 + 0.5 * 300 * 0.25, 4);
    assert.equal(view.color[0], 0xff0000ff);
    assert.deepEqual([world.getPolygons(), world.getComposites()], [[square], [cloth, own]]);
    assert.deepEqual([square instanceof Body, square.isValid(), world.castRay({ x: 55, y: square.getPosition().y - 40 }, { x: 55, y: 500 }, "closest")[0].body === square], [true, true, true]);
    assert.equal(world.getParticlePositions().length, 2 * world.getStats().particles);
    near(world.getParticlePositions()[0], particle.getPosition().x, 1e-4);
});

test('polygons move and touch as bodies do', () => {
    const { world, floor } = ground();
    const points = [{ x: 90, y: 260 }, { x: 110, y: 260 }, { x: 110, y: 280 }, { x: 90, y: 280 }], crate = new Polygon(world, { points, mass: 4, restitution: 0 });
    crate.setVelocity({ x: 0, y: 60 });
    near(crate.getVelocity().y, 60, 1e-9);
    crate.applyImpulse({ x: 0, y: 80 });
    near(crate.getVelocity().y, 80, 1e-9);
    near(crate.getMass(), 4, 1e-9);
    /** @type {Record<string, any[]>} */
    const seen = { contactBegins: [], hits: [], sleeps: [] };
    for (let i = 0; i < 120; i++) {
        world.step(DT);
        const { contactBegins, hits, sleeps } = world.getEvents();
        seen.contactBegins.push(...contactBegins);
        seen.hits.push(...hits);
        seen.sleeps.push(...sleeps);
    }
    assert.ok(seen.contactBegins.length > 0 && seen.contactBegins.every(({ a, b }) => a === floor && b === crate));
    assert.ok(seen.sleeps.length === 1 && seen.sleeps[0] === crate);
    assert.ok(seen.hits.some(({ a, b }) => a === floor && b === crate));
    const [contact, ...others] = world.getContacts();
    assert.ok(contact.a === floor && contact.b === crate && others.length === 0);
    near(contact.normal.y, -1, 1e-3);
    assert.deepEqual([crate.getContacts().length, floor.getContacts().length], [1, 1]);
    assert.deepEqual([world.queryCircle({ x: 100, y: 290 }, 4), world.queryBox({ min: { x: 95, y: 285 }, max: { x: 105, y: 295 } })], [[crate], [crate]]);
    assert.equal(world.pickBody({ x: 100, y: 290 }), crate);
    crate.destroy();
    assert.deepEqual(world.getContacts(), []);
});

test('a mover walks over steps', () => {
    const { world } = ground(), hero = new Mover(world, { mask: Mask.createRect(8, 16), pivot: { x: 4, y: 16 }, position: { x: 50, y: 290 } });
    new Body(world, { type: 'static', mask: Mask.createRect(40, 3), position: { x: 100, y: 298.5 } });
    let state = hero.get();
    for (let i = 0; i < 60; i++) state = hero.move({ x: 60, y: state.velocity.y + 900 * DT }, DT);
    assert.ok(state.grounded && state.position.x > 100 && state.position.x < 112);
    assert.equal(state.position.y, 297);
    assert.equal(hero.query().length, 0);
    const tall = Mask.createRect(8, 30);
    assert.ok(hero.fits() && hero.fits(tall, { x: 4, y: 30 }));
    assert.ok(!hero.fits(tall));
    new Body(world, { type: 'static', mask: Mask.createRect(200, 10), position: { x: 100, y: 270 } });
    assert.ok(hero.fits() && !hero.fits(tall, { x: 4, y: 30 }));
    assert.throws(() => hero.fits(tall, { x: NaN, y: 0 }), /pivot/);
    hero.destroy();
    assert.throws(() => hero.get(), /Mover was destroyed/);
});

test('setters and getters agree', () => {
    const world = new World(), body = new Body(world, { mask: Mask.createRect(4, 4), density: 2 });
    assert.equal(body.getMass(), 32);
    body.setMass(5);
    body.setAngle(1.25);
    body.setType('kinematic');
    body.setFilter({ maskBits: 6 });
    body.setMotionLocks(LOCK_X);
    body.setFracture({ toughness: 7, mode: 'crack' });
    near(body.getMass(), 5, 1e-12);
    near(body.getAngle(), 1.25, 1e-12);
    assert.deepEqual([body.getType(), body.getFilter()], ['kinematic', { categoryBits: 1, maskBits: 6, groupIndex: 0 }]);
    assert.ok(body instanceof Handle);
    const map = MaterialMap.fromBytes(new Uint8Array(16).fill(9), null, 4, 4);
    assert.ok(new Body(world, { mask: Mask.createRect(4, 4), materialMap: map }).isValid());
    assert.deepEqual([map.getHardness(1, 1), map.getDensity(1, 1)], [9, 255]);
});

test('debug drawing draws on any context, and leaves its state', () => {
    const { world } = ground(), calls = /** @type {Record<string, number>} */ ({});
    const body = new Body(world, { mask: Mask.fromText('##\n##'), position: { x: 10, y: 10 } }), corners = /** @type {number[][]} */ ([]);
    Joint.createPin(world, body, null, { x: 10, y: 10 });
    const context = new Proxy(/** @type {any} */ ({}), {
        get: (_, name) => (/** @type {number[]} */ ...args) => {
            calls[String(name)] = (calls[String(name)] ?? 0) + 1;
            if (name === 'lineTo' || name === 'moveTo') corners.push(args);
        },
        set: () => true,
    });
    world.debugDraw(context, DEBUG_ALL);
    assert.ok(calls.save === 1 && calls.restore === 1 && calls.fill >= 2 && calls.arc >= 1);
    assert.ok(corners.some(([x, y]) => x === 9 && y === 9) && corners.some(([x, y]) => x === 400 && y === 320));
});
