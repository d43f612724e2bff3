/* siege.mjs - a gnome's missiles break towers, hills and pigs. Click to fire; ?auto plays by itself.
 *
 * SPDX-License-Identifier: Zlib
 */
import * as Phaser from 'phaser';
import { Cut, LOCK_ROTATION } from 'pixverlet';
import { init, PixverletPlugin } from 'pixverlet/phaser';

const WIDTH = 800, HEIGHT = 420, auto = new URLSearchParams(location.search).has('auto');

/** @this {Phaser.Scene} */
function preload() {
    this.load.setPath('../../play/sprites/');
    for (const name of ['abutment', 'brick', 'crate', 'ground', 'missile', 'pig', 'planet', 'plank']) this.load.image(name, `${name}.png`);
    this.load.spritesheet('hero', 'hero.png', { frameWidth: 48, frameHeight: 40 });
}

/** @this {Phaser.Scene} */
function create() {
    const { add, world } = this.pixverlet, missiles = this.add.group(), pigs = this.add.group();
    this.cameras.main.setRoundPixels(false);
    this.add.graphics().fillGradientStyle(0x2b2a5c, 0x2b2a5c, 0xe88a6a, 0xf6c177).fillRect(0, 0, WIDTH, HEIGHT);
    this.add.image(650, 110, 'planet').setAlpha(0.35);

    const ground = add.image(0, 180, 'ground', undefined, { type: 'static', friction: 0.8 }).setOrigin(0);
    ground.body.setFracture({ keepStatic: false });
    add.image(550, 258, 'abutment', undefined, { density: 2 });
    add.image(550, 188, 'plank');
    for (const [x, y] of [[520, 166], [580, 166], [520, 134], [340, 256], [374, 262], [357, 228]]) add.image(x, y, 'crate');
    for (let row = 0; row < 6; row++) for (let i = 0; i < 3; i++) add.image(684 + 32 * i - (row % 2) * 12, 243 - 16 * row, 'brick');
    for (const [x, y] of [[520, 104], [550, 168], [580, 136], [700, 140], [730, 140], [640, 308], [357, 198]]) pigs.add(add.image(x, y, 'pig'));
    const hero = add.sprite(60, 220, 'hero', 0, { motionLocks: LOCK_ROTATION, friction: 1 }).setOrigin(0.5, 1);
    this.anims.create({ key: 'strike', frames: this.anims.generateFrameNumbers('hero', { frames: [4, 5, 0] }), frameRate: 8 });

    /** @param {number} x @param {number} y */
    const fire = (x, y) => {
        const from = { x: hero.x + 34, y: hero.y - 50 }, angle = Math.atan2(y - from.y, x - from.x), speed = 620;
        const missile = add.image(from.x, from.y, 'missile', undefined, { gravityScale: 0.05 }).setRotation(angle);
        missile.body.setVelocity({ x: speed * Math.cos(angle), y: speed * Math.sin(angle) });
        missiles.add(missile);
        hero.play('strike');
    };
    add.collider(missiles, null, (missile) => {
        const { x, y } = missile;
        missile.destroy();
        world.carve(Cut.circle({ x, y }, 24));
        world.explode({ x, y }, 70, 90000);
        this.cameras.main.shake(120, 0.006);
        for (const [radius, color] of [[30, 0xff7a2f], [18, 0xffe9a8]]) {
            const flash = this.add.circle(x, y, radius, color).setDepth(2);
            this.tweens.add({ targets: flash, scale: 1.6, alpha: 0, duration: 320, onComplete: () => flash.destroy() });
        }
    });
    add.collider(pigs, null, (pig, other, hit) => hit && hit.speed > 340 && pig.destroy());

    const words = this.add.text(16, 12, '', { fontFamily: 'monospace', fontSize: '18px', color: '#ffffff' });
    this.events.on('update', () => words.setText(`${pigs.getLength()} pigs   ${world.getStats().bodies} bodies`));
    this.input.on('pointerdown', (/** @type {Phaser.Input.Pointer} */ pointer) => fire(pointer.worldX, pointer.worldY));
    const targets = [[520, 230], [520, 150], [580, 170], [690, 220], [620, 250], [700, 170], [510, 290], [345, 240]];
    let shot = 0;
    if (auto) this.time.addEvent({ delay: 600, repeat: 23, callback: () => fire(targets[(shot += 3) % 8][0], targets[shot % 8][1]) });
}

await init();
const game = new Phaser.Game({
    width: WIDTH, height: HEIGHT, pixelArt: true, maxTextures: 1, scene: { preload, create },
    scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
    physics: /** @type {object} */ ({ pixverlet: { gravity: { y: 500 } } }),
    plugins: { scene: [{ key: 'PixverletPlugin', plugin: PixverletPlugin, mapping: 'pixverlet' }] },
});
Object.assign(window, { game });
