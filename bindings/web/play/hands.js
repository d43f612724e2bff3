/* hands.js - the tools: what pointers and keys do to a game.
 *
 * Invariant: one pointer works at a time. It acts only through Game.act().
 *
 * SPDX-License-Identifier: Zlib
 */
import { COLORS, spriteOfStroke } from './sprite.js';

export const TOOLS = ['grab', 'draw', 'carve', 'cut', 'bomb', 'join'];
const BITE = 10, BOMB = 26;
/** Distance that an arrow key moves the cursor, with Shift and without [px]. */
const NEAR = 2, FAR = 10;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Pointer that stands for the keys. */
const KEYS = 'keys';
/** Messages of tools that find nothing to do. */
const NOTHING = { grab: 'Nothing to grab there.', join: 'Drag from one body to another, or to the wall.' };

export class Hands {
    /** @param app { game, drawing, say } */
    constructor(app, canvas) {
        this.app = app;
        this.canvas = canvas;
        this.tool = 'grab';
        this.pointer = null;
        this.at = null;
        this.strokes = 0;
        /** True while the arrows move the cursor. */
        this.byKeys = false;
        canvas.addEventListener('pointerdown', (event) => this.#down(event));
        canvas.addEventListener('pointermove', (event) => this.#move(event));
        for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => this.#up(event));
        canvas.addEventListener('pointerleave', () => !this.pointer && (this.at = null));
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        canvas.addEventListener('keydown', (event) => this.#key(event));
    }

    choose(tool) {
        this.tool = tool;
        this.canvas.className = tool === 'grab' ? 'grab' : '';
    }

    #place(event) {
        const { x, y } = this.app.drawing.toStage(event.clientX, event.clientY), { width, height } = this.app.game.stage;
        return { x: Math.max(2, Math.min(width - 2, x)), y: Math.max(-200, Math.min(height - 2, y)) };
    }

    #down(event) {
        this.byKeys = false;
        this.at = this.#place(event);
        if (this.pointer !== null || event.button > 0) return;
        this.pointer = event.pointerId;
        this.canvas.setPointerCapture(event.pointerId);
        this.from = this.last = this.at;
        this.begin(this.at);
    }

    #move(event) {
        if (this.pointer !== null && event.pointerId !== this.pointer) return;
        this.at = this.#place(event);
        if (this.pointer !== null && this.tool === 'draw') this.stroke.push(this.at);
    }

    #up(event) {
        if (event.pointerId !== this.pointer) return;
        this.pointer = null;
        this.end(this.at, event.type === 'pointercancel');
    }

    /** Moves the cursor with arrows; Enter begins the tool's work there and ends it. */
    #key(event) {
        const { width, height } = this.app.game.stage, arrow = ARROWS[event.key], way = event.shiftKey ? NEAR : FAR;
        if (!arrow && event.key !== 'Enter') return;
        event.preventDefault();
        event.stopPropagation();
        this.byKeys = true;
        this.at ??= { x: width / 2, y: height / 2 };
        if (arrow) {
            this.at = { x: Math.max(2, Math.min(width - 2, this.at.x + way * arrow[0])), y: Math.max(2, Math.min(height - 2, this.at.y + way * arrow[1])) };
            if (this.pointer === KEYS && this.stroke) this.stroke.push(this.at);
        } else if (this.pointer === null) {
            this.pointer = KEYS;
            this.from = this.last = this.at;
            this.begin(this.at);
        } else if (this.pointer === KEYS) {
            this.pointer = null;
            this.end(this.at);
        }
    }

    /** Begins the tool's work at a point. */
    begin(at) {
        const { game, say } = this.app;
        if (this.tool === 'grab' && !game.act('grab', at.x, at.y)) say(NOTHING.grab);
        if (this.tool === 'carve') game.act('carve', at.x, at.y, at.x, at.y, BITE);
        if (this.tool === 'bomb') game.act('bomb', at.x, at.y);
        this.stroke = this.tool === 'draw' ? [at] : null;
        this.canvas.classList.toggle('grabbing', this.tool === 'grab');
    }

    /** Continues the work of the pointer, once a tick. */
    follow() {
        if (this.pointer === null) return;
        const { game } = this.app, { x, y } = this.at;
        if (Math.round(x) === Math.round(this.last.x) && Math.round(y) === Math.round(this.last.y)) return;
        if (this.tool === 'grab' && game.stage.hold) game.act('drag', x, y);
        if (this.tool === 'carve') game.act('carve', this.last.x, this.last.y, x, y, BITE);
        this.last = this.at;
    }

    /** Ends the tool's work. */
    end(at, cancelled = false) {
        const { game, say } = this.app, { x, y } = this.from, far = Math.hypot(at.x - x, at.y - y) > 3;
        this.canvas.classList.remove('grabbing');
        if (this.tool === 'grab' && game.stage.hold) game.act('drop');
        if (this.tool === 'cut' && far && !cancelled) game.act('cut', x, y, at.x, at.y);
        if (this.tool === 'join' && !cancelled && game.act('join', x, y, at.x, at.y) === null) say(NOTHING.join);
        if (this.stroke && !cancelled) this.#draw(this.stroke);
        this.stroke = null;
    }

    get color() {
        return COLORS[this.strokes % COLORS.length];
    }

    async #draw(points) {
        const { game } = this.app, { sprite, x, y } = await spriteOfStroke(points, this.color);
        this.strokes++;
        if (game !== this.app.game) return;
        game.stage.addSprite(sprite);
        game.act('add', sprite.name, x, y);
    }

    /** Returns what the drawing shows of the tool. */
    show() {
        const { at, from, tool, pointer } = this, busy = pointer !== null;
        if (!at) return {};
        return {
            ring: tool === 'carve' ? { ...at, radius: BITE } : tool === 'bomb' ? { ...at, radius: BOMB } : null,
            line: busy && (tool === 'cut' || tool === 'join') ? { ...from, toX: at.x, toY: at.y } : null,
            stroke: this.stroke,
            color: this.color,
            cross: this.byKeys ? at : null,
        };
    }
}
