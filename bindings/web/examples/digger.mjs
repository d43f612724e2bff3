/* digger.mjs - a game in thirty lines: a click digs a hole, and what hangs in the air falls.
 *
 * Opened by a page with <canvas id="game"> and <script type="module" src="digger.mjs">.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Body, Cut, init, Mask, POSE_SIZE, World } from 'pixverlet';

await init();
const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('game'));
const screen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const world = new World({ gravity: { x: 0, y: 400 } });

/** Paints the pixels of a body's mask on a picture of its own.
 *  @param {Body} body */
function paint(body) {
    const mask = /** @type {Mask} */ (body.getMask()), picture = new OffscreenCanvas(mask.getWidth(), mask.getHeight());
    const pixels = new ImageData(mask.getWidth(), mask.getHeight());
    pixels.data.set(mask.toRgba(0xc08040ff));
    picture.getContext('2d')?.putImageData(pixels, 0, 0);
    body.userData = picture;
}

const hill = new Body(world, { type: 'static', mask: Mask.createRect(canvas.width, 160), position: { x: canvas.width / 2, y: canvas.height - 80 } });
hill.setFracture({ keepStatic: false, minPartPixels: 20 });
paint(hill);
canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => world.carve(Cut.circle({ x: offsetX, y: offsetY }, 24)));

requestAnimationFrame(function frame() {
    world.step(1 / 60);
    for (const { body } of world.getEvents().dirtyRects) if (body) paint(body);
    screen.resetTransform();
    screen.clearRect(0, 0, canvas.width, canvas.height);
    const poses = world.getPoses();
    for (let i = 0; i < poses.length; i += POSE_SIZE) {
        screen.setTransform(poses[i + 2], poses[i + 3], -poses[i + 3], poses[i + 2], poses[i + 4], poses[i + 5]);
        screen.drawImage(world.getPoseBody(i).userData, 0, 0);
    }
    requestAnimationFrame(frame);
});
