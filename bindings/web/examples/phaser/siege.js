/* siege.js - a gnome's missiles break towers, hills and pigs. Click to fire; ?auto plays by itself.
 *
 * SPDX-License-Identifier: Zlib
 */
import * as Phaser from 'phaser';
import { Cut, LOCK_ROTATION } from 'pixverlet';
import { init, PixverletPlugin } from 'pixverlet/phaser';

const WIDTH = 800, HEIGHT = 420, auto = new URLSearchParams(location.search).has('auto');

class Siege extends Phaser.Scene {
    preload() {
        this.load.setPath('../../play/sprites/');
        for (const name of ['abutment', 'brick', 'crate', 'ground', 'missile', 'pig', 'planet', 'plank']) this.load.image(name, `${name}.png`);
        this.load.spritesheet('hero', 'hero.png', { frameWidth: 48, frameHeight: 40 });
    }

    create() {
        this.cameras.main.setRoundPixels(false);
        this.add.graphics().fillGradientStyle(0x2b2a5c, 0x2b2a5c, 0xe88a6a, 0xf6c177).fillRect(0, 0, WIDTH, HEIGHT);
        this.add.image(650, 110, 'planet').setAlpha(0.35);
        this.ground = this.pixverlet.add.image(0, 180, 'ground', undefined, { type: 'static', friction: 0.8 }).setOrigin(0);
        this.ground.body.setFracture({ keepStatic: false });
        this.hero = this.pixverlet.add.sprite(60, 220, 'hero', 0, { motionLocks: LOCK_ROTATION, friction: 1 }).setOrigin(0.5, 1);
        this.anims.create({ key: 'strike', frames: this.anims.generateFrameNumbers('hero', { frames: [4, 5, 0] }), frameRate: 8 });
        this.pigs = this.add.group();
        this.buildFort();
        this.missiles = this.add.group();
        this.pixverlet.add.collider(this.missiles, null, this.explode);
        this.pixverlet.add.collider(this.pigs, null, (pig, other, hit) => hit && hit.speed > 260 && pig.destroy());
        this.words = this.add.text(16, 12, '', { fontFamily: 'monospace', fontSize: '18px', color: '#ffffff' });
        this.input.on('pointerdown', (pointer) => this.fire(pointer.worldX, pointer.worldY));
        const targets = [[520, 230], [520, 150], [580, 170], [690, 220], [620, 250], [700, 170], [510, 290], [345, 240]];
        if (auto) this.time.addEvent({ delay: 600, repeat: 23, callback: () => this.fire(...Phaser.Utils.Array.GetRandom(targets)) });
    }

    buildFort() {
        const { add } = this.pixverlet, pig = (x, y) => this.pigs.add(add.image(x, y, 'pig', undefined, { restitution: 0.2 }));
        add.image(550, 258, 'abutment', undefined, { density: 2 });
        add.image(550, 188, 'plank');
        for (const [x, y] of [[520, 166], [580, 166], [520, 134], [340, 256], [374, 262], [357, 228]]) add.image(x, y, 'crate');
        for (let row = 0; row < 6; row++) for (let i = 0; i < 3; i++) add.image(684 + 32 * i - (row % 2) * 12, 243 - 16 * row, 'brick');
        for (const [x, y] of [[520, 104], [550, 168], [580, 136], [700, 140], [730, 140], [640, 308], [357, 198]]) pig(x, y);
    }

    fire(x, y) {
        const from = { x: this.hero.x + 20, y: this.hero.y - 44 }, angle = Math.atan2(y - from.y, x - from.x), speed = 620;
        const missile = this.pixverlet.add.image(from.x, from.y, 'missile', undefined, { gravityScale: 0.05 }).setRotation(angle);
        missile.body.setVelocity({ x: speed * Math.cos(angle), y: speed * Math.sin(angle) });
        this.missiles.add(missile);
        this.hero.play('strike');
    }

    explode(missile, other) {
        if (other === this.hero) return;
        const { x, y } = missile, { world } = this.pixverlet;
        missile.destroy();
        world.carve(Cut.circle({ x, y }, 24));
        world.explode({ x, y }, 70, 90000);
        this.cameras.main.shake(120, 0.006);
        for (const [radius, color] of [[30, 0xff7a2f], [18, 0xffe9a8]]) {
            const flash = this.add.circle(x, y, radius, color).setDepth(2);
            this.tweens.add({ targets: flash, scale: 1.6, alpha: 0, duration: 320, onComplete: () => flash.destroy() });
        }
    }

    update() {
        this.words.setText(`${this.pigs.getLength()} pigs   ${this.pixverlet.world.getStats().bodies} bodies`);
    }
}

await init();
window.game = new Phaser.Game({
    width: WIDTH, height: HEIGHT, pixelArt: true, maxTextures: 1, backgroundColor: '#2b2a5c', scene: Siege,
    scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
    physics: { pixverlet: { gravity: { y: 500 }, bounds: { min: { x: -200, y: -600 }, max: { x: 1400, y: 700 } } } },
    plugins: { scene: [{ key: 'PixverletPlugin', plugin: PixverletPlugin, mapping: 'pixverlet' }] },
});
