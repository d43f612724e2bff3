/* draw.js - a stage on a canvas.
 *
 * Invariant: drawing does not change the stage. One pixel of the stage is a square of the canvas, at any angle.
 *
 * SPDX-License-Identifier: Zlib
 */
import { DEBUG_CONTOURS, DEBUG_JOINTS, DEBUG_NORMALS, POSE_SIZE } from 'pixverlet';

const ACCENT = '#ff8a3d';
const SKY = ['#1a1f3d', '#2c2a57', '#59406b'], EARTH = ['#4a3a33', '#3b2e2c', '#2e2427'], GRASS = '#7bb661';
const NO_GRAIN = -0x80000000;

export class Drawing {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext('2d', { alpha: false });
        this.xray = false;
        this.resize();
    }

    /** Fits the canvas to its element, at the screen's own pixels. */
    resize() {
        const ratio = Math.min(window.devicePixelRatio || 1, 2), { clientWidth, clientHeight } = this.canvas;
        this.canvas.width = Math.max(1, Math.round(clientWidth * ratio));
        this.canvas.height = Math.max(1, Math.round(clientHeight * ratio));
        this.ratio = ratio;
        this.backdrop = null;
    }

    /** Fits a stage to the canvas: its floor lies over the free border at the bottom [CSS px]. */
    fit(stage, border) {
        const free = this.canvas.height - border * this.ratio;
        this.scale = Math.min(this.canvas.width / stage.width, free / stage.floor);
        this.left = (this.canvas.width - stage.width * this.scale) / 2;
        this.top = free - stage.floor * this.scale;
    }

    /** Converts a point of the window to one of the stage. */
    toStage(x, y) {
        return { x: (x * this.ratio - this.left) / this.scale, y: (y * this.ratio - this.top) / this.scale };
    }

    #set(x, y) {
        const { scale } = this;
        this.context.setTransform(scale, 0, 0, scale, this.left + x * scale, this.top + y * scale);
    }

    /** Draws a stage. @param tool { ring, line, stroke }: what the hand is about to do */
    draw(stage, tool = {}) {
        const { context } = this, shake = stage.shake, x = shake * Math.sin(stage.tick * 1.7) * 0.5, y = shake * Math.cos(stage.tick * 2.3) * 0.5;
        context.setTransform(1, 0, 0, 1, 0, 0);
        this.#drawBackdrop(stage);
        this.#set(x, y);
        context.imageSmoothingEnabled = false;
        this.#drawJoints(stage);
        this.#drawBodies(stage, x, y);
        this.#set(x, y);
        this.#drawGrains(stage);
        if (this.xray) this.#drawXray(stage);
        this.#drawFlashes(stage);
        this.#drawTool(stage, tool);
    }

    #drawBackdrop(stage) {
        if (!this.backdrop) this.backdrop = this.#paintBackdrop(stage);
        this.context.drawImage(this.backdrop, 0, 0);
    }

    /** Paints sky, hills and earth once per size of the window. */
    #paintBackdrop(stage) {
        const canvas = new OffscreenCanvas(this.canvas.width, this.canvas.height), context = canvas.getContext('2d');
        const floor = this.top + stage.floor * this.scale, sky = context.createLinearGradient(0, 0, 0, floor), pixel = Math.max(2, this.scale);
        SKY.forEach((color, i) => sky.addColorStop(i / (SKY.length - 1), color));
        context.fillStyle = sky;
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.fillStyle = '#ffffff';
        for (let i = 0; i < 90; i++) {
            const x = (i * 7919) % canvas.width, y = ((i * 104729) % 997) / 997;
            context.globalAlpha = 0.25 + 0.5 * (1 - y);
            context.fillRect(x, y * y * floor * 0.8, pixel * 0.6, pixel * 0.6);
        }
        context.globalAlpha = 1;
        for (const [color, height, wave, phase] of [['#463a66', 90, 0.011, 1], ['#352f57', 52, 0.019, 4]]) {
            context.fillStyle = color;
            for (let x = 0; x < canvas.width; x += 2 * pixel) {
                const at = x / this.scale, h = height + 22 * Math.sin(at * wave + phase) + 11 * Math.sin(at * wave * 2.7 + 2 * phase);
                const step = Math.round(h / 2) * 2 * this.scale;
                context.fillRect(x, floor - step, 2 * pixel + 1, step);
            }
        }
        EARTH.forEach((color, i) => {
            context.fillStyle = color;
            context.fillRect(0, floor + i * 14 * this.scale, canvas.width, canvas.height);
        });
        context.fillStyle = GRASS;
        context.fillRect(0, floor, canvas.width, 3 * this.scale);
        context.fillStyle = '#5a9147';
        for (let x = 0; x < canvas.width; x += 6 * pixel) context.fillRect(x, floor + 3 * this.scale, 3 * pixel, 2 * this.scale);
        context.fillStyle = 'rgba(0, 0, 0, .28)';
        context.fillRect(0, 0, this.left, canvas.height);
        context.fillRect(canvas.width - this.left, 0, this.left, canvas.height);
        return canvas;
    }

    #drawJoints(stage) {
        const { context } = this;
        context.strokeStyle = '#c9b79c';
        context.lineWidth = 1.5;
        context.beginPath();
        for (const joint of stage.world.getJoints()) {
            if (joint === stage.hold) continue;
            const [a, b] = joint.getAnchors().map((anchor) => anchor.point);
            context.moveTo(a.x, a.y);
            context.lineTo(b.x, b.y);
        }
        context.stroke();
    }

    #drawBodies(stage, shakeX, shakeY) {
        const { context, scale } = this, poses = stage.world.getPoses(), left = this.left + shakeX * scale, top = this.top + shakeY * scale;
        context.globalAlpha = this.xray ? 0.25 : 1;
        for (let row = 0; row < poses.length; row += POSE_SIZE) {
            const skin = stage.skins.at(poses[row + 6], poses[row + 7]);
            if (!skin) continue;
            const c = poses[row + 2] * scale, s = poses[row + 3] * scale;
            context.setTransform(c, s, -s, c, left + poses[row + 4] * scale, top + poses[row + 5] * scale);
            context.drawImage(skin.getCanvas(), 0, 0);
        }
        context.globalAlpha = 1;
    }

    #drawGrains(stage) {
        const { x, y, color, count } = stage.grains.getView(), { width, height } = stage;
        if (!count) return;
        if (this.dust?.width !== width || this.dust.height !== height) {
            this.dust = new OffscreenCanvas(width, height);
            this.dustImage = new ImageData(width, height);
        }
        const to = new Uint32Array(this.dustImage.data.buffer);
        to.fill(0);
        for (let i = 0; i < count; i++) {
            const u = x[i] >> 16, v = y[i] >> 16;
            if (y[i] === NO_GRAIN || u < 0 || v < 0 || u >= width || v >= height) continue;
            const k = color[i];
            to[v * width + u] = ((k >>> 24) | ((k >>> 8) & 0xff00) | ((k << 8) & 0xff0000) | 0xff000000) >>> 0;
        }
        this.dust.getContext('2d').putImageData(this.dustImage, 0, 0);
        this.context.drawImage(this.dust, 0, 0);
    }

    #drawXray(stage) {
        const { context } = this;
        stage.world.debugDraw(context, DEBUG_CONTOURS | DEBUG_NORMALS | DEBUG_JOINTS);
    }

    #drawFlashes(stage) {
        const { context } = this;
        context.globalCompositeOperation = 'lighter';
        for (const flash of stage.flashes) {
            const age = (stage.tick - flash.tick) / 24;
            if (age > 1) continue;
            if (flash.kind === 'cut') {
                context.strokeStyle = `rgba(255, 240, 220, ${1 - age})`;
                context.lineWidth = 3 * (1 - age);
                context.beginPath();
                context.moveTo(flash.x, flash.y);
                context.lineTo(flash.toX, flash.toY);
                context.stroke();
                continue;
            }
            const radius = flash.size * (flash.kind === 'bomb' ? 1 + 1.6 * Math.sqrt(age) : 1.3), glow = context.createRadialGradient(flash.x, flash.y, 0, flash.x, flash.y, radius);
            const strength = (1 - age) * (flash.kind === 'bomb' ? 0.95 : 0.4);
            glow.addColorStop(0, `rgba(255, 244, 214, ${strength})`);
            glow.addColorStop(0.5, `rgba(255, 138, 61, ${0.7 * strength})`);
            glow.addColorStop(1, 'rgba(255, 90, 20, 0)');
            context.fillStyle = glow;
            context.fillRect(flash.x - radius, flash.y - radius, 2 * radius, 2 * radius);
        }
        context.globalCompositeOperation = 'source-over';
    }

    #drawTool(stage, { ring, line, stroke, color, cross }) {
        const { context } = this;
        context.strokeStyle = ACCENT;
        context.lineWidth = 1.5 / Math.max(1, this.scale / 2);
        if (stage.hold?.isValid()) {
            const [a, b] = stage.hold.getAnchors().map((anchor) => anchor.point);
            context.beginPath();
            context.moveTo(a.x, a.y);
            context.lineTo(b.x, b.y);
            context.stroke();
        }
        if (ring) {
            context.beginPath();
            context.arc(ring.x, ring.y, ring.radius, 0, 2 * Math.PI);
            context.stroke();
        }
        if (cross) {
            context.beginPath();
            for (const [dx, dy] of [[7, 0], [0, 7]]) {
                context.moveTo(cross.x - dx, cross.y - dy);
                context.lineTo(cross.x + dx, cross.y + dy);
            }
            context.stroke();
        }
        if (line) {
            context.setLineDash([5, 3]);
            context.beginPath();
            context.moveTo(line.x, line.y);
            context.lineTo(line.toX, line.toY);
            context.stroke();
            context.setLineDash([]);
        }
        if (stroke?.length) {
            Object.assign(context, { strokeStyle: color, lineWidth: 9, lineCap: 'round', lineJoin: 'round' });
            context.beginPath();
            context.moveTo(stroke[0].x, stroke[0].y);
            for (const p of stroke) context.lineTo(p.x, p.y);
            context.lineTo(stroke[0].x === stroke.at(-1).x ? stroke[0].x + 0.1 : stroke.at(-1).x, stroke.at(-1).y);
            context.stroke();
            context.lineCap = 'butt';
        }
    }
}
