/* game.js - the time of a stage: a script, a log of actions, and twenty seconds to go back.
 *
 * Invariant: the log is in order of ticks, and entries before `next` are done. Later ones play by themselves until
 * somebody acts; then they are forgotten.
 *
 * SPDX-License-Identifier: Zlib
 */
import { planOf, presetOf } from './presets.js';
import { Stage } from './stage.js';

/** Ticks between two saved moments, and how far back they go. */
const EVERY = 15, LONGEST = 20 * 60;

/** Returns the number of entries of a list before a tick. */
function countBefore(list, tick) {
    let i = 0;
    while (i < list.length && list[i][0] < tick) i++;
    return i;
}

export class Game {
    /** @param scene { preset, seed, width, height, sprites, log, end }, as share.js reads it
     *  @param builtIn sprites that presets use */
    constructor(scene, builtIn) {
        this.scene = scene;
        this.preset = presetOf(scene.preset);
        if (!this.preset) throw new Error(`There is no scene called ${scene.preset}.`);
        this.stage = new Stage(scene);
        for (const sprite of [...builtIn, ...scene.sprites]) this.stage.addSprite(sprite);
        const plan = planOf(this.preset, this.stage);
        for (const [, ...action] of plan.filter(([tick]) => tick === 0)) this.stage.act(...action);
        this.script = plan.filter(([tick]) => tick > 0);
        this.log = [...scene.log];
        this.said = this.next = 0;
        this.moments = [this.stage.save()];
        this.latest = scene.end ?? 0;
    }

    destroy() {
        this.stage.destroy();
    }

    get tick() {
        return this.stage.tick;
    }
    get first() {
        return this.moments[0].tick;
    }

    /** Advances by a tick, with the actions that the script and the log have for it. */
    step() {
        const { stage } = this;
        this.said = this.#play(this.script, this.said);
        this.next = this.#play(this.log, this.next);
        stage.step();
        this.latest = Math.max(this.latest, stage.tick);
        if (stage.tick % EVERY === 0 && this.moments.at(-1).tick < stage.tick) this.moments.push(stage.save());
        while (this.moments.length > 2 && this.moments[1].tick <= this.latest - LONGEST) this.moments.shift();
    }

    #play(list, from) {
        let i = from;
        for (; i < list.length && list[i][0] <= this.stage.tick; i++) this.stage.act(...list[i].slice(1));
        return i;
    }

    /** Performs an action now, and forgets the later entries of the log. */
    act(kind, ...args) {
        const whole = args.map((value) => (typeof value === 'number' ? Math.round(value) : value));
        this.said = this.#play(this.script, this.said);
        this.log.length = this.next;
        this.moments = this.moments.filter((moment) => moment.tick <= this.tick);
        this.latest = this.tick;
        this.log.push([this.tick, kind, ...whole]);
        this.next++;
        return this.stage.act(kind, ...whole);
    }

    /** Tells whether the log still plays by itself. */
    get replays() {
        return this.next < this.log.length || this.tick < this.latest;
    }

    /** Goes to a tick, first...latest. */
    seek(tick) {
        const { stage } = this, to = Math.max(this.first, Math.min(tick, this.latest));
        let i = this.moments.length - 1;
        while (i > 0 && this.moments[i].tick > to) i--;
        if (to < stage.tick || this.moments[i].tick > stage.tick) {
            stage.restore(this.moments[i]);
            this.said = countBefore(this.script, stage.tick);
            this.next = countBefore(this.log, stage.tick);
        }
        while (stage.tick < to) this.step();
    }

    /** Returns the scene with all actions so far, as share.js writes it. */
    toScene() {
        const log = this.log.slice(0, this.next), used = new Set(log.filter(([, kind]) => kind === 'add').map(([, , name]) => name));
        const sprites = [...this.stage.sprites.values()].filter(({ name, builtIn }) => used.has(name) && !builtIn).map(({ name, png }) => [name, png]);
        const { width, height, seed } = this.stage;
        return { preset: this.preset.name, seed, width, height, sprites, log, end: log.length ? this.tick : 0 };
    }
}
