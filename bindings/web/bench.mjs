/* bench.mjs - steps of the same bodies in pixverlet and in other JavaScript engines, one after another in one run of node.
 *
 * Invariant: all engines get the same outlines at the same places, the same friction, no bounce and no sleep, and their own
 * default accuracy. Every row is printed.
 *
 * Usage: node build/web/bench.mjs [--json] [--quick] [--only ENGINE]; engines come from npm into build/web.
 *
 * SPDX-License-Identifier: Zlib
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2), json = args.includes('--json'), quick = args.includes('--quick');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : null;

const STEP = 1 / 60, GRAVITY = 320, FRICTION = 0.6, WALL = 64, GOLDEN_ANGLE = 2.39996322972865332, TURN = 240;
/** Pixels per meter, for engines that use meters. */
const METER = 32;

/* ---- Outlines: a radius, or convex pieces around the middle of the picture; as bench/speed_outlines.c has them ---- */

const onCircle = (radius, angle) => ({ x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
const disc = (size) => ({ size: [size, size], radius: size / 2 });
const box = (w, h) => ({ size: [w, h], pieces: [[{ x: -w / 2, y: -h / 2 }, { x: w / 2, y: -h / 2 }, { x: w / 2, y: h / 2 }, { x: -w / 2, y: h / 2 }]] });
const octagon = (size) => ({ size: [size, size], pieces: [Array.from({ length: 8 }, (_, i) => onCircle(size / 2 / Math.cos(Math.PI / 8), (Math.PI * (2 * i + 1)) / 8))] });
function star(size) {
    const corners = Array.from({ length: 5 }, (_, i) => (2 * Math.PI * i) / 5 - Math.PI / 2);
    const inner = (angle) => onCircle(0.22 * size, angle);
    return { size: [size, size], pieces: [corners.map((a) => inner(a - Math.PI / 5)), ...corners.map((a) => [inner(a - Math.PI / 5), onCircle(0.5 * size, a), inner(a + Math.PI / 5)])] };
}
function letterC(size) {
    const pieces = Array.from({ length: 7 }, (_, i) => {
        const from = Math.PI / 4 + (1.5 * Math.PI * i) / 7, to = from + (1.5 * Math.PI) / 7;
        return [onCircle(0.5 * size, from), onCircle(0.5 * size, to), onCircle(0.28 * size, to), onCircle(0.28 * size, from)];
    });
    return { size: [size, size], pieces };
}

/* ---- Scenes: bodies of outlines; the floor is y = 0, and y points down ---- */

function heap(kinds, count, columns, cell) {
    const width = cell * columns + Math.floor(cell / 2), height = Math.floor((cell * Math.ceil(count / columns) * 3) / 2);
    const bodies = [[box(width + 2 * WALL, WALL), width / 2, WALL / 2], [box(width + 2 * WALL, WALL), width / 2, -height - WALL / 2], [box(WALL, height), -WALL / 2, -height / 2], [box(WALL, height), width + WALL / 2, -height / 2]]
        .map(([outline, x, y]) => ({ outline, x, y, angle: 0, fixed: true }));
    for (let i = 0; i < count; i++) {
        const line = Math.floor(i / columns), column = i % columns;
        bodies.push({ outline: kinds[i % kinds.length], x: cell * (column + (line % 2 ? 1 : 0.5)), y: -cell * (line + 0.5), angle: GOLDEN_ANGLE * i });
    }
    return bodies;
}
function pyramid(base) {
    const brick = box(32, 32), bodies = [{ outline: box(base * 48, WALL), x: 0, y: WALL / 2, angle: 0, fixed: true }];
    for (let line = 0; line < base; line++)
        for (let i = 0; i < base - line; i++) bodies.push({ outline: brick, x: 34 * (i - 0.5 * (base - 1 - line)), y: -32 * line - 16, angle: 0 });
    return bodies;
}
const concave = [star(32), letterC(32)];
const scenes = [
    { name: 'falling_1000', bodies: heap([disc(16), octagon(24), box(24, 24), ...concave], 1000, 32, 40), warm: 0, steps: 240 },
    { name: 'concave_500_stirred', bodies: heap(concave, 500, 25, 33), warm: 90, steps: 240, stirred: true },
    { name: 'pyramid_40', bodies: pyramid(40), warm: 300, steps: 120 },
];

/* ---- Engines: each opens a scene and returns { step, gravity, middle } ---- */

async function pixverlet() {
    const { init, World, Body, Mask } = await import('./pixverlet/index.js');
    await init();
    const made = new Map();
    const maskOf = ({ size: [w, h], radius, pieces }) => {
        const mask = Mask.create(w, h), half = { x: w / 2, y: h / 2 };
        if (radius) mask.fillCircle(half, radius, true);
        else for (const piece of pieces) mask.fillPolygon(piece.map(({ x, y }) => ({ x: x + half.x, y: y + half.y })), true);
        const { centroid } = mask.computeMass();
        return { mask, offset: { x: centroid.x - half.x, y: centroid.y - half.y } };
    };
    return (bodies) => {
        const world = new World({ gravity: { x: 0, y: GRAVITY }, enableSleep: false });
        const all = bodies.map(({ outline, x, y, angle, fixed }) => {
            if (!made.has(outline)) made.set(outline, maskOf(outline));
            const { mask, offset } = made.get(outline), c = Math.cos(angle), s = Math.sin(angle);
            const position = { x: x + c * offset.x - s * offset.y, y: y + s * offset.x + c * offset.y };
            return new Body(world, { type: fixed ? 'static' : 'dynamic', mask, position, angle, friction: FRICTION, staticFriction: FRICTION, restitution: 0 });
        });
        return { step: () => world.step(STEP), gravity: (x, y) => world.setGravity({ x, y }), places: () => all.map((body) => body.getPosition()) };
    };
}

async function matter() {
    const { default: Matter } = await import('matter-js');
    const { Bodies, Body, Composite, Engine } = Matter;
    return (bodies) => {
        const engine = Engine.create({ gravity: { x: 0, y: GRAVITY, scale: 1e-6 } });
        const all = bodies.map(({ outline, x, y, angle, fixed }) => {
            const how = { isStatic: Boolean(fixed), friction: FRICTION, frictionStatic: FRICTION, restitution: 0, frictionAir: 0 };
            const place = (points) => Bodies.fromVertices(points.reduce((s, p) => s + p.x, 0) / points.length, points.reduce((s, p) => s + p.y, 0) / points.length, [points], how);
            let body;
            if (outline.radius) body = Bodies.circle(0, 0, outline.radius, how);
            else if (outline.pieces.length === 1) body = Bodies.fromVertices(0, 0, outline.pieces, how);
            else body = Body.create({ parts: outline.pieces.map(place), ...how });
            Body.setAngle(body, angle);
            Body.setPosition(body, { x, y });
            return body;
        });
        Composite.add(engine.world, all);
        const gravity = (x, y) => Object.assign(engine.gravity, { x, y });
        return { step: () => Engine.update(engine, 1000 * STEP), gravity, places: () => all.map((body) => body.position) };
    };
}

async function planck() {
    const { Circle, Polygon, Vec2, World } = await import('planck');
    return (bodies) => {
        const world = new World({ gravity: Vec2(0, GRAVITY / METER), allowSleep: false });
        const all = bodies.map(({ outline, x, y, angle, fixed }) => {
            const body = world.createBody({ type: fixed ? 'static' : 'dynamic', position: Vec2(x / METER, y / METER), angle });
            const add = (shape) => body.createFixture({ shape, density: 1, friction: FRICTION, restitution: 0 });
            if (outline.radius) add(new Circle(outline.radius / METER));
            else for (const piece of outline.pieces) add(new Polygon(piece.map((p) => Vec2(p.x / METER, p.y / METER))));
            return body;
        });
        const places = () => all.map((body) => ({ x: METER * body.getPosition().x, y: METER * body.getPosition().y }));
        return { step: () => world.step(STEP), gravity: (gx, gy) => world.setGravity(Vec2(gx / METER, gy / METER)), places };
    };
}

async function p2() {
    const { Body, Circle, Convex, World } = await import('p2-es');
    return (bodies) => {
        const world = new World({ gravity: [0, GRAVITY / METER] });
        world.defaultContactMaterial.friction = FRICTION;
        world.defaultContactMaterial.restitution = 0;
        const all = bodies.map(({ outline, x, y, angle, fixed }) => {
            const body = new Body({ mass: fixed ? 0 : 1, position: [x / METER, y / METER], angle });
            if (outline.radius) body.addShape(new Circle({ radius: outline.radius / METER }));
            for (const piece of outline.pieces ?? []) {
                const middle = { x: piece.reduce((s, p) => s + p.x, 0) / piece.length / METER, y: piece.reduce((s, p) => s + p.y, 0) / piece.length / METER };
                body.addShape(new Convex({ vertices: piece.map((p) => [p.x / METER - middle.x, p.y / METER - middle.y]) }), [middle.x, middle.y]);
            }
            world.addBody(body);
            return body;
        });
        const places = () => all.map((body) => ({ x: METER * body.position[0], y: METER * body.position[1] }));
        return { step: () => world.step(STEP), gravity: (gx, gy) => (world.gravity = [gx / METER, gy / METER]), places };
    };
}

async function box2d() {
    const { default: load } = await import('box2d3-wasm');
    const b2 = await load();
    const vec = (x, y) => new b2.b2Vec2(x / METER, y / METER);
    return (bodies) => {
        const def = b2.b2DefaultWorldDef();
        def.gravity = vec(0, GRAVITY);
        def.enableSleep = false;
        const world = b2.b2CreateWorld(def);
        const all = bodies.map(({ outline, x, y, angle, fixed }) => {
            const bodyDef = b2.b2DefaultBodyDef(), shapeDef = b2.b2DefaultShapeDef();
            bodyDef.type = fixed ? b2.b2BodyType.b2_staticBody : b2.b2BodyType.b2_dynamicBody;
            bodyDef.position = vec(x, y);
            bodyDef.rotation = b2.b2MakeRot(angle);
            shapeDef.density = 1;
            shapeDef.material.friction = FRICTION;
            shapeDef.material.restitution = 0;
            const body = b2.b2CreateBody(world, bodyDef);
            if (outline.radius) {
                const circle = new b2.b2Circle();
                circle.center = vec(0, 0);
                circle.radius = outline.radius / METER;
                b2.b2CreateCircleShape(body, shapeDef, circle);
            }
            for (const piece of outline.pieces ?? []) b2.b2CreatePolygonShape(body, shapeDef, b2.b2MakePolygon(b2.b2ComputeHull(piece.map((p) => vec(p.x, p.y))), 0));
            return body;
        });
        const places = () => all.map((body) => b2.b2Body_GetPosition(body)).map((p) => ({ x: METER * p.x, y: METER * p.y }));
        return { step: () => b2.b2World_Step(world, STEP, 4), gravity: (gx, gy) => b2.b2World_SetGravity(world, vec(gx, gy)), places };
    };
}

async function rapier() {
    const { default: R } = await import('@dimforge/rapier2d-simd-compat');
    await R.init();
    return (bodies) => {
        const world = new R.World({ x: 0, y: GRAVITY / METER });
        world.timestep = STEP;
        const all = bodies.map(({ outline, x, y, angle, fixed }) => {
            const def = (fixed ? R.RigidBodyDesc.fixed() : R.RigidBodyDesc.dynamic()).setTranslation(x / METER, y / METER).setRotation(angle).setCanSleep(false);
            const body = world.createRigidBody(def);
            const shapes = outline.radius ? [R.ColliderDesc.ball(outline.radius / METER)] : outline.pieces.map((piece) => R.ColliderDesc.convexHull(new Float32Array(piece.flatMap((p) => [p.x / METER, p.y / METER]))));
            for (const shape of shapes) world.createCollider(shape.setFriction(FRICTION).setRestitution(0), body);
            return body;
        });
        const places = () => all.map((body) => body.translation()).map((p) => ({ x: METER * p.x, y: METER * p.y }));
        return { step: () => world.step(), gravity: (gx, gy) => (world.gravity = { x: gx / METER, y: gy / METER }), places };
    };
}

const engines = { pixverlet, 'box2d3-wasm': box2d, 'rapier2d-simd': rapier, 'matter-js': matter, planck, 'p2-es': p2 };

/* ---- Measuring ---- */

/** Sorts the values, and returns their median. */
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Processor time of this process [ms], which other programs disturb less than wall-clock time. */
function processorTime() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}

/** Longest time to warm up and to measure [ms], and fewest steps, for slow engines. */
const LONGEST = 8000, FEWEST = 10;

function measure(open, { bodies, warm, steps, stirred }) {
    const world = open(bodies), times = [], warmUntil = processorTime() + LONGEST;
    let step = 0;
    const run = () => {
        const angle = (2 * Math.PI * step++) / TURN;
        if (stirred) world.gravity(GRAVITY * Math.sin(angle), GRAVITY * Math.cos(angle));
        world.step();
    };
    while (step < warm && processorTime() < warmUntil) run();
    const until = processorTime() + LONGEST;
    while (times.length < (quick ? FEWEST : steps) && (times.length < FEWEST || processorTime() < until)) {
        const begin = processorTime();
        run();
        times.push(processorTime() - begin);
    }
    const places = world.places(), moving = bodies.map((b, i) => [b, places[i]]).filter(([b]) => !b.fixed);
    const lost = moving.filter(([, p]) => !(p.y < 8 && Math.abs(p.x) < 1e4)).length;
    const drift = Math.max(...moving.map(([b, p]) => Math.hypot(p.x - b.x, p.y - b.y)));
    return { milliseconds: median(times), worst: times.at(-1), steps: times.length, lost, drift };
}

/** Installs the engines from npm, in the versions of package.json beside this file in the build directory. */
function install() {
    const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
    if (Object.keys(dependencies).every((name) => existsSync(join(here, 'node_modules', name)))) return;
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
}

install();
const rows = [];
for (const scene of scenes)
    for (const [engine, load] of Object.entries(engines)) {
        if (only && engine !== only) continue;
        const row = { scene: scene.name, engine, ...measure(await load(), scene) };
        rows.push(row);
        if (!json) console.log(`${row.scene.padEnd(20)} ${engine.padEnd(14)} ${row.milliseconds.toFixed(3).padStart(8)} ms a step, worst ${row.worst.toFixed(2)}, of ${row.steps}, lost ${row.lost}, drift ${row.drift.toFixed(1)} px`);
    }
if (json) console.log(JSON.stringify(rows, null, 2));
