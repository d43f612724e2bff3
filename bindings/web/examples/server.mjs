/* server.mjs - a match of two players without a browser: each predicts the other, and rolls back when it was wrong.
 *
 * Each peer steps its own world. The other's keys arrive some frames late. A peer that predicted wrong restores the snapshot
 * before the first wrong frame, and steps again with the real keys. In the end both have the same hash.
 *
 * Usage: node server.mjs [FRAMES]
 *
 * SPDX-License-Identifier: Zlib
 */
import { Body, Cut, init, Mask, World } from 'pixverlet';

const DELAY = 7, STEP = 1 / 60;
const frames = Number(process.argv[2] ?? 600);
await init();

/** Keys of a player in a frame: they change now and then.
 *  @param {number} player
 *  @param {number} frame */
const pressed = (player, frame) => Math.imul(Math.floor(frame / 11) + 7 * player, 2654435761) >>> 29;

class Peer {
    /** @param {number} self number of its own player */
    constructor(self) {
        this.self = self;
        this.frame = 0;
        this.rollbacks = 0;
        /** @type {number[][]} keys of both players by frame, as far as known */
        this.keys = [[], []];
        /** @type {{ before: Uint8Array, guess: number }[]} */
        this.history = [];
        this.world = new World({ gravity: { x: 0, y: 400 } });
        this.rock = new Body(this.world, { type: 'static', mask: Mask.createRect(600, 80), position: { x: 300, y: 360 } });
        this.ships = [100, 500].map((x) => new Body(this.world, { mask: Mask.fromText('..##..\n######\n##..##'), position: { x, y: 100 }, gravityScale: 0.5 }));
    }

    /** Steps the world with the keys of both.
     *  @param {number[]} keys */
    step(keys) {
        this.ships.forEach((ship, i) => {
            if (!ship.isValid()) return;
            const { x, y } = ship.getPosition(), power = 600 * ship.getMass();
            ship.applyForce({ x: (keys[i] & 1 ? power : 0) - (keys[i] & 2 ? power : 0), y: keys[i] & 4 ? -power : 0 });
            if (keys[i] === 7 && this.rock.isValid()) this.rock.carve(Cut.circle({ x, y: y + 150 }, 9));
        });
        this.world.step(STEP);
    }

    /** Plays a frame, with the last known keys of the other as a guess. */
    play() {
        const other = 1 - this.self, guess = this.keys[other][this.frame] ?? this.keys[other].at(-1) ?? 0;
        this.keys[this.self][this.frame] = pressed(this.self, this.frame);
        this.history[this.frame] = { before: this.world.save(), guess };
        this.step(this.both(this.frame++, guess));
    }

    /** @param {number} frame
     *  @param {number} guess keys of the other */
    both(frame, guess) {
        const own = this.keys[this.self][frame];
        return this.self === 0 ? [own, guess] : [guess, own];
    }

    /** Receives the keys of the other, in frame order.
     *  @param {number} frame
     *  @param {number} keys */
    hear(frame, keys) {
        this.keys[1 - this.self][frame] = keys;
        if (frame >= this.frame || this.history[frame].guess === keys) return;
        this.rollbacks++;
        this.world.restore(this.history[frame].before);
        const now = this.frame;
        for (this.frame = frame; this.frame < now; this.frame++) {
            const guess = this.frame === frame ? keys : (this.keys[1 - this.self][this.frame] ?? keys);
            this.history[this.frame] = { before: this.world.save(), guess };
            this.step(this.both(this.frame, guess));
        }
    }
}

const peers = [new Peer(0), new Peer(1)];
for (let frame = 0; frame < frames + DELAY; frame++)
    peers.forEach((peer, i) => {
        if (frame < frames) peer.play();
        if (frame >= DELAY) peer.hear(frame - DELAY, pressed(1 - i, frame - DELAY));
    });
const hashes = peers.map((peer) => peer.world.computeHash());
console.log(`${frames} frames, ${peers.map((peer) => peer.rollbacks).join(' and ')} rollbacks, hashes ${hashes.join(' and ')}`);
if (hashes[0] !== hashes[1]) process.exit(1);
