/* presets.js - the built-in scenes, destruction first.
 *
 * Invariant: a preset is a list of actions with ticks, which depends only on a seed and the size of the stage. So a
 * link needs only these and the preset's name.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Random } from './random.js';

const CRACK = { mode: 'crack', spawnDebris: false };

/** Built-in sprites: file, and the material of their bodies. */
export const BUILT_IN = {
    crate: { material: { density: 0.6 }, fracture: { ...CRACK, toughness: 70000 } },
    brick: { material: { density: 1.2 }, fracture: { ...CRACK, toughness: 90000 } },
    plank: { material: { density: 0.6 }, fracture: { ...CRACK, toughness: 110000 } },
    beam: { material: { density: 0.6 } },
    wrecker: { material: { density: 4, friction: 0.3 } },
    planet: { fracture: { mode: 'chip', toughness: 60000 } },
    rock_large: { fracture: { mode: 'chip', toughness: 90000 } },
    rock_medium: { fracture: { mode: 'chip', toughness: 60000 } },
    rock_small: { material: { restitution: 0.3 } },
    safe: { material: { density: 3 } },
    pig: { material: { restitution: 0.3, rollingResistance: 0.3 }, fracture: { mode: 'chip', toughness: 60000 } },
    ball: { material: { restitution: 0.7 } },
    star: {},
    star_small: {},
    ring: {},
    ring_small: {},
    letter_c: {},
    letter_l: {},
    gear: {},
    gear_small: {},
    coin: { material: { restitution: 0.3 } },
    domino: { material: { friction: 0.4 } },
    ship: {},
};

/** Letters of the scene BREAK ME, five by seven. Cells are connected by their sides. */
export const LETTERS = {
    B: '####.|#..##|#..##|####.|#..##|#..##|####.',
    R: '####.|#..##|#..##|####.|#.##.|#..##|#...#',
    E: '#####|#....|#....|####.|#....|#....|#####',
    A: '.###.|##.##|#...#|#####|#...#|#...#|#...#',
    K: '#..##|#.##.|###..|##...|###..|#.##.|#..##',
    M: '#...#|##.##|#####|#.#.#|#...#|#...#|#...#',
};
/** Draws a letter: a face, a light edge and a dark one. Returns its pixels. */
export function drawLetter(letter, size) {
    const rows = LETTERS[letter].split('|'), canvas = new OffscreenCanvas(5 * size, 7 * size), context = canvas.getContext('2d', { willReadFrequently: true });
    const solid = (x, y) => rows[y]?.[x] === '#';
    rows.forEach((row, y) =>
        [...row].forEach((cell, x) => {
            if (cell !== '#') return;
            const fill = (style, ...rect) => ((context.fillStyle = style), context.fillRect(...rect));
            fill('#ff8a3d', x * size, y * size, size, size);
            if (!solid(x, y - 1)) fill('#ffc48a', x * size, y * size, size, 2);
            if (!solid(x - 1, y)) fill('#ffb169', x * size, y * size, 2, size);
            if (!solid(x, y + 1)) fill('#a84a17', x * size, (y + 1) * size - 2, size, 2);
            if (!solid(x + 1, y)) fill('#c25f22', (x + 1) * size - 2, y * size, 2, size);
        }),
    );
    return context.getImageData(0, 0, canvas.width, canvas.height);
}
/** Material of letters. */
export const LETTER = { fracture: { ...CRACK, toughness: 120000 }, material: { friction: 0.6 } };

/** Builder of a preset: adds actions, at ticks. */
class Plan {
    constructor({ width, height, floor, seed }) {
        Object.assign(this, { width, height, floor, middle: width / 2, tall: height > width, random: new Random(seed), list: [] });
    }
    at(seconds, kind, ...args) {
        this.list.push([Math.round(60 * seconds), kind, ...args.map((value) => (typeof value === 'number' ? Math.round(value) : value))]);
    }
    put(name, x, y, degrees = 0, ...rest) {
        this.at(0, 'add', name, x, y, degrees, ...rest);
    }
    /** Throws something in after a time [s]. */
    throw(seconds, name, x, y, vx, vy, degrees = 0) {
        this.at(seconds, 'add', name, x, y, degrees, vx, vy);
    }
    /** Puts a wall of sprites, row by row from the floor. */
    wall(name, w, h, left, columns, rows, floor = this.floor) {
        for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) this.put(name, left + (i + 0.5) * w, floor - (j + 0.5) * h);
    }
}

export const PRESETS = [
    {
        name: 'demolition',
        title: 'Demolition',
        words: 'A wrecking ball, and crates that break where it hits them.',
        build(p) {
            const columns = p.tall ? 4 : 6, left = p.tall ? p.width - 32 * columns - 24 : p.width - 32 * columns - Math.round(p.width / 6);
            p.wall('crate', 32, 32, left, columns, p.tall ? 9 : 7);
            const reach = p.tall ? 250 : 220, x = left - 46, top = p.floor - 150 - reach;
            const away = Math.min(0.94 * reach, x - 40), below = Math.sqrt(reach * reach - away * away);
            p.put('wrecker', x - away, top + below);
            p.at(0, 'join', x - away, top + below, x, top);
            p.throw(2.6, 'rock_large', left + 64, -60, 0, 300);
            p.at(4, 'bomb', left + 40, p.floor - 24);
        },
    },
    {
        name: 'planet',
        title: 'Planet',
        words: 'Every meteor bites out the pixels that it hits.',
        build(p) {
            p.put('planet', p.middle, p.floor - 114);
            for (let i = 0; i < 5; i++) {
                const side = i % 2 ? 1 : -1, x = p.middle + side * p.random.whole(60, p.tall ? 140 : 230);
                p.throw(0.3 + 0.55 * i, i % 3 ? 'rock_small' : 'rock_medium', x, -40, -side * p.random.whole(60, 160), p.random.whole(420, 560), 40 * i);
            }
            for (let i = 0; i < 3; i++) p.at(1.1 + 0.8 * i, 'bomb', p.middle + p.random.whole(-60, 60), p.floor - 215 + 50 * i);
        },
    },
    {
        name: 'letters',
        title: 'Break me',
        words: 'Words are bodies. Throw yours in.',
        build(p) {
            const rows = p.tall ? ['BREA', 'KME'] : ['BREAK', 'ME'], step = p.tall ? 80 : 88;
            rows.forEach((row, j) => [...row].forEach((letter, i) => p.put(`letter ${letter}`, p.middle + (i - (row.length - 1) / 2) * step, p.floor - 170 - 120 * (1 - j) + 80 * j)));
            p.throw(1.4, 'wrecker', p.tall ? p.middle : 60, -80, p.tall ? 0 : 260, 420);
            p.at(2.9, 'bomb', p.middle, p.floor - 20);
        },
    },
    {
        name: 'fort',
        title: 'Pig fort',
        words: 'Grab the ball and throw it, or take the fort apart.',
        build(p) {
            const x = p.tall ? p.middle + 20 : p.width - 210;
            for (let floor = 0; floor < (p.tall ? 4 : 3); floor++) {
                const y = p.floor - 76 * floor;
                for (const side of [-1, 1]) for (let j = 0; j < 2; j++) p.put('crate', x + side * 56, y - 16 - 32 * j);
                p.put('pig', x, y - 14);
                for (const side of [-1, 1]) p.put('plank', x + side * 48, y - 70);
            }
            p.put('star', x, p.floor - 76 * (p.tall ? 4 : 3) - 24);
            p.put('ball', p.tall ? 50 : 110, p.floor - 16);
            p.throw(0.8, 'rock_medium', -20, p.floor - 150, 560, -120);
        },
    },
    {
        name: 'bridge',
        title: 'Bridge',
        words: 'Planks on pins carry a safe. Cut the bridge below it.',
        build(p) {
            const planks = Math.floor((p.width - 40) / 92), left = (p.width - 92 * planks) / 2, y = p.floor - 130;
            for (let i = 0; i < planks; i++) p.put('plank', left + 92 * i + 46, y);
            p.at(0, 'join', left + 2, y, left - 2, y);
            for (let i = 1; i < planks; i++) p.at(0, 'join', left + 92 * i - 2, y, left + 92 * i + 2, y);
            p.at(0, 'join', left + 92 * planks - 2, y, left + 92 * planks + 2, y);
            for (let i = 0; i < 5; i++) p.put('pig', p.middle - 70 + 34 * i, p.floor - 14);
            p.throw(0.6, 'safe', p.middle, y - 150, 0, 0);
            p.at(2.6, 'cut', p.middle - 60, y + 24, p.middle - 30, y - 24);
        },
    },
    {
        name: 'slice',
        title: 'Slice',
        words: 'Lines cut anything in two. Choose Cut, and draw one.',
        build(p) {
            const names = ['gear', 'star', 'planet', 'ring', 'rock_large'];
            names.forEach((name, i) => {
                if (name === 'planet' && p.tall) return;
                p.throw(0.5 * i, name, p.middle + (i - 2) * (p.tall ? 60 : 110), p.floor + 0 - (name === 'planet' ? 130 : 60), (2 - i) * 20, name === 'planet' ? -420 : -560, 30 * i);
            });
            for (let i = 0; i < 9; i++) {
                const y = p.floor - 150 - p.random.whole(0, 70), lean = p.random.whole(-50, 50);
                p.at(0.75 + 0.3 * i, 'cut', p.middle - 260, y + lean, p.middle + 260, y - lean);
            }
        },
    },
    {
        name: 'pyramid',
        title: 'Pyramid',
        words: 'It stands for ever. Until you help.',
        build(p) {
            const base = Math.floor((p.width - 120) / 32);
            for (let j = 0; j < Math.min(base, 15); j++) for (let i = 0; i < base - j; i++) p.put('brick', p.middle + (i - (base - j - 1) / 2) * 32, p.floor - 16 * j - 8);
            p.throw(1.2, 'wrecker', p.tall ? 40 : 30, 40, p.tall ? 260 : 420, 120);
        },
    },
    {
        name: 'rings',
        title: 'Rings',
        words: 'Rings, hooks and stars catch in each other: holes are holes.',
        build(p) {
            for (let i = 0; i < 30; i++) {
                const name = ['ring', 'letter_c', 'star_small', 'ring_small', 'letter_l'][i % 5];
                p.throw(0.11 * i, name, p.middle + p.random.whole(-1, 1) * 40 + p.random.whole(-30, 30), -40, p.random.whole(-60, 60), 160, p.random.whole(0, 359));
            }
        },
    },
    {
        name: 'dominoes',
        title: 'Dominoes',
        words: 'One falls, all fall.',
        build(p) {
            const count = Math.floor((p.width - 140) / 22);
            for (let i = 0; i < count; i++) p.put('domino', 90 + 22 * i, p.floor - 16);
            p.throw(0.4, 'ball', 20, p.floor - 40, 190, 0);
            p.put('crate', p.width - 30, p.floor - 16);
            p.put('coin', p.width - 30, p.floor - 40);
        },
    },
    {
        name: 'gears',
        title: 'Gears',
        words: 'Teeth mesh because they are pixels, not circles.',
        build(p) {
            for (let i = 0; i < 34; i++) p.throw(0.07 * i, i % 3 ? 'gear_small' : 'gear', p.middle + p.random.whole(-p.width / 4, p.width / 4), -50 - p.random.whole(0, 40), 0, 100, p.random.whole(0, 359));
        },
    },
];

/** Returns the actions of a preset. */
export function planOf(preset, stage) {
    const plan = new Plan(stage);
    preset.build(plan);
    return plan.list.sort((a, b) => a[0] - b[0]);
}

export const presetOf = (name) => PRESETS.find((preset) => preset.name === name);
