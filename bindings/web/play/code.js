/* code.js - a stage as a program, in JavaScript and in C.
 *
 * Invariant: the program creates the bodies at their current places, from the files that it names. Carved bodies are
 * whole again.
 *
 * SPDX-License-Identifier: Zlib
 */

const fileOf = ({ name }) => `${name.replace(/[^\w-]+/g, '_')}.png`;
const identifier = (sprite) => `mask_${fileOf(sprite).replace(/\.png$/, '').replace(/[^a-zA-Z0-9]/g, '_')}`;
const short = (x) => Number(x.toFixed(3));

/** Returns the bodies of a stage that have a sprite, and their sprites, each once. */
function bodiesOf(stage) {
    const list = stage.world.getBodies().map((body) => ({ body, skin: stage.skins.get(body) })).filter(({ skin }) => skin?.x === 0 && skin.y === 0);
    return { bodies: list, sprites: [...new Set(list.map(({ skin }) => skin.sprite))] };
}
const floorOf = ({ width, height, floor }) => ({ x: width / 2, y: (floor + height + 100) / 2, w: width + 200, h: height + 100 - floor });

export function codeInJavaScript(stage) {
    const { bodies, sprites } = bodiesOf(stage), floor = floorOf(stage), { x, y } = stage.world.getGravity();
    return `/* node scene.mjs, beside the PNG files. ./bootstrap web of libpixverlet builds the package. */
import { init, Body, Mask, World } from 'pixverlet';
import { readFile } from 'node:fs/promises';

await init();
const world = new World({ gravity: { x: ${short(x)}, y: ${short(y)} } });
new Body(world, { type: 'static', mask: Mask.createRect(${floor.w}, ${floor.h}), position: { x: ${floor.x}, y: ${floor.y} } });

${sprites.map((sprite) => `const ${identifier(sprite)} = Mask.fromPng(await readFile('${fileOf(sprite)}'));`).join('\n')}
const bodies = [
${bodies
    .map(({ body, skin }) => {
        const at = body.getPosition(), type = body.getType() === 'static' ? ", type: 'static'" : '';
        return `    { mask: ${identifier(skin.sprite)}, position: { x: ${short(at.x)}, y: ${short(at.y)} }, angle: ${short(body.getAngle())}${type} },`;
    })
    .join('\n')}
].map((def) => new Body(world, def));

for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log(bodies.length, 'bodies, hash', world.computeHash());
`;
}

export function codeInC(stage) {
    const { bodies, sprites } = bodiesOf(stage), floor = floorOf(stage), { x, y } = stage.world.getGravity();
    return `/* cc scene.c $(pkg-config --cflags --libs pixverlet) -o scene */
#include <pixverlet.h>

#include <inttypes.h>
#include <stdio.h>

static pv_mask *load(const char *file) {
    pv_error error;
    pv_mask *mask = pv_mask_load(file, NULL, &error);
    if (!mask) fprintf(stderr, "%s: %s\\n", file, error.message);
    return mask;
}

static void put(pv_world *world, pv_mask *mask, double x, double y, double angle, pv_body_type type) {
    pv_body_def def = pv_body_def_at(PV_BODY_DYNAMIC, mask, x, y);
    def.angle = angle;
    def.type = type;
    if (mask) pv_body_create(world, &def, NULL);
}

int main(void) {
    pv_world_def def = pv_world_def_default();
    def.gravity.x = ${short(x)};
    def.gravity.y = ${short(y)};
    pv_world *world = pv_world_create(&def, NULL);
    pv_mask *floor = pv_mask_create_rect(${floor.w}, ${floor.h}, NULL, NULL);
    put(world, floor, ${floor.x}, ${floor.y}, 0, PV_BODY_STATIC);
${sprites.map((sprite) => `    pv_mask *${identifier(sprite)} = load("${fileOf(sprite)}");`).join('\n')}
${bodies
    .map(({ body, skin }) => {
        const at = body.getPosition(), type = body.getType() === 'static' ? 'PV_BODY_STATIC' : 'PV_BODY_DYNAMIC';
        return `    put(world, ${identifier(skin.sprite)}, ${short(at.x)}, ${short(at.y)}, ${short(body.getAngle())}, ${type});`;
    })
    .join('\n')}
    for (int i = 0; i < 120; i++) pv_world_step(world, 1.0 / 60);
    printf("hash %016" PRIx64 "\\n", pv_world_compute_hash(world));
${[...sprites.map(identifier), 'floor'].map((name) => `    pv_mask_release(${name});`).join('\n')}
    pv_world_destroy(world);
    return 0;
}
`;
}
