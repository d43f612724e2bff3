/* pixi.d.ts - types of the entry pixverlet/pixi, for PixiJS 8.
 *
 * SPDX-License-Identifier: Zlib
 */
import type { Sprite, Ticker } from 'pixi.js';
import type { Body, BodyDef, Events, World } from './index.js';

export * from './index.js';

/** Members of a body's definition; the sprite decides the others. */
export type BodyOptions = Partial<Omit<BodyDef, 'mask' | 'position' | 'angle' | 'scale'>> & { userData?: any };

/** Makes a body of the solid pixels that a sprite shows. Both are destroyed together.
 *  The sprite emits 'carve' with the changed rectangle of its picture, and 'split' with the sprite of a new part. */
export declare function collider(world: World, sprite: Sprite, options?: BodyOptions): Body;

/** Returns the sprite of a body, or null. */
export declare function spriteOf(body: Body): Sprite | null;

/** Steps a world once, and moves its sprites. Returns the events. */
export declare function step(world: World, dt: number): Events;

export interface RunOptions {
    /** Steps a second, default 60 */
    fps?: number;
    /** Most steps in a frame, default 5; time beyond them is dropped */
    maxSteps?: number;
    /** Called before each step with its length */
    before?(dt: number): void;
    /** Called after each step with its events */
    after?(events: Events): void;
}

/** Steps a world by the time of a ticker. Returns a function that ends it. */
export declare function run(world: World, ticker: Ticker, options?: RunOptions): () => void;

/** Makes a sprite that shows the debug drawing of a part of a world. Its update() draws again.
 *  @param flags some of DEBUG_ */
export declare function createDebugSprite(world: World, box: { x?: number; y?: number; width: number; height: number }, flags?: number): Sprite & { update(): void };
