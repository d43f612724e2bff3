/* phaser.d.ts - types of the entry pixverlet/phaser, for Phaser 3.90 and Phaser 4.
 *
 * SPDX-License-Identifier: Zlib
 */
import type * as Engine from 'phaser';
import type { Body, BodyDef, HitEvent, World, WorldDef } from './index.js';

export { init } from './index.js';

/** Members of a body's definition; the game object decides the others. */
export type BodyOptions = Partial<Omit<BodyDef, 'mask' | 'position' | 'angle' | 'scale'>> & { userData?: any };

/** A game object with a body. Both are destroyed together.
 *  Events: 'carve' with the changed rectangle of the picture; 'split' with the game object of the new part. */
export type WithBody<Object> = Object & { body: Body };
export type PixverletSprite = WithBody<Engine.GameObjects.Sprite>;
export type PixverletImage = WithBody<Engine.GameObjects.Image>;

/** Members of a world's definition, as physics.pixverlet of a game or a scene. */
export type PixverletConfig = Partial<Omit<WorldDef, 'gravity'>> & {
    /** Acceleration of all bodies; default 0, 0 [px/s^2] */
    gravity?: { x?: number; y?: number };
    /** Steps a second, default 60 */
    fps?: number;
    /** Most steps in a frame, default 5; time beyond them is dropped */
    maxSteps?: number;
    /** Least alpha of a solid pixel, 0...255; default 128 */
    alphaThreshold?: number;
    /** Debug drawing from the beginning; default false */
    debug?: boolean;
};

/** What a collider watches: a game object, a body without one, a group, or an array of these. */
export type Target = object;
/** The pair in the order of the collider; a body without a game object comes itself.
 *  hit is the hit of this step, or null: only a touch, or an overlap. */
export type PairCallback = (a: any, b: any, hit: HitEvent | null) => void;
export type PairProcess = (a: any, b: any) => boolean;

export interface Collider {
    active: boolean;
    destroy(): void;
}

export interface Factory {
    /** Makes a sprite and its body, of the solid pixels of the frame. */
    sprite(x: number, y: number, texture: string, frame?: string | number | null, options?: BodyOptions): PixverletSprite;
    /** Makes an image and its body. */
    image(x: number, y: number, texture: string, frame?: string | number | null, options?: BodyOptions): PixverletImage;
    /** Gives a sprite or an image a body. */
    existing<Object extends Engine.GameObjects.Sprite | Engine.GameObjects.Image>(object: Object, options?: BodyOptions): WithBody<Object>;
    /** Makes an image of a layer of tiles, a static body that can be carved, and hides the layer. */
    layer(layer: Engine.Tilemaps.TilemapLayer, options?: BodyOptions): PixverletImage;
    /** Calls back after each step in which a pair touches.
     *  @param b null for anything
     *  @param process returns false for a pair that shall not collide */
    collider(a: Target, b?: Target | null, callback?: PairCallback | null, process?: PairProcess | null, context?: any): Collider;
    /** Calls back after each step in which a sensor and a visitor share a pixel. One has the option sensor. */
    overlap(a: Target, b?: Target | null, callback?: PairCallback | null, process?: PairProcess | null, context?: any): Collider;
}

/** The scene plugin. Its scene emits 'pixverlet-step' with the length of the step, before each. */
export declare class PixverletPlugin {
    constructor(scene: Engine.Scene);
    readonly scene: Engine.Scene;
    /** The world of the scene, while it runs */
    readonly world: World;
    readonly add: Factory;
    readonly isPaused: boolean;
    /** Debug drawing; may be changed at any time */
    debug: boolean;
    /** Stops the time of the world. */
    pause(): void;
    resume(): void;
    /** Steps once, also while the world is paused. */
    step(): void;
    /** Returns the game object of a body, or null. */
    getObject(body: Body): PixverletSprite | PixverletImage | null;
}

declare global {
    namespace Phaser {
        interface Scene {
            pixverlet: PixverletPlugin;
        }
    }
}
