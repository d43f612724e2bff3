/* index.d.ts - types of the entry pixverlet. Methods that the library has stand in methods.d.ts, with its words.
 *
 * SPDX-License-Identifier: Zlib
 */
import {
    BodyMethods, CompositeMethods, ForceFieldMethods, GrainsMethods, JointMethods, LiquidMethods, MaskMethods, MaterialMapMethods,
    ParticleMethods, PlacedMethods, WorldMethods,
} from './methods.js';
import type {
    BodyDef, Connectivity, Cut as CutShape, Events, ForceFieldDef, Given, GrainsDef, JointDef, LiquidDef, Mover as MoverMembers, ParticleDef, Part, Placed as PlacedMask,
    Point, PolygonDef, PresolveContact, PresolveResult, Rotation, Transform, Vec2, WorldDef,
} from './methods.js';

export type {
    Anchor, BodyDef, BodyType, Box, BridgeDef, CarveResult, CastHit, CastMode, ClothDef, Collider, Combine, Connectivity, Contact, ContactEvent,
    ContactMode, ContactPoint, Crush, CutType, DirtyRect, DistanceResult, Events, Filter, ForceFieldDef, FractureDef, Given, Grain, GrainsDef, GrainsStats,
    GrassDef, HitEvent, JellyDef, JointBreakEvent, JointDef, JointType, LiquidDef, MassData, Mix, Overlap, Part, ParticleDef, Point, PolygonDef,
    PresolveContact, PresolveResult, RagdollDef, RayHit, Rect, RopeDef, Rotation, SensorEvent, SoftBodyDef, SplitEvent, Transform, TreeDef, Triangle,
    Vec2, WorldDef, WorldProfile, WorldStats,
} from './methods.js';
export {
    DEBUG_ALL, DEBUG_BOUNDS, DEBUG_CONTOURS, DEBUG_ISLANDS, DEBUG_JOINTS, DEBUG_MASKS, DEBUG_NORMALS, DEBUG_PARTICLES, DEBUG_POLYGONS, LOCK_ROTATION,
    LOCK_X, LOCK_Y, POSES_AWAKE, POSES_DISABLED, SNAPSHOT_PIXELS,
} from './methods.js';

/** Where the module is: its address, its bytes, an answer of fetch(), or the compiled module. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** Loads the module; a second call waits for the first.
 *  @param source the file of the package if it is left out */
export declare function init(source?: ModuleSource): Promise<void>;

/** What a refused call throws. The message names the function and the field. */
export declare class PixverletError extends Error {
    /** Kind of failure: 'argument', 'notFinite', 'memory', 'format', 'tooLarge', 'empty', 'staleId', 'shared', 'busy', 'unsupported' */
    status: string;
    /** Function of the library, for example pv_body_create */
    function: string;
    /** Parameter or member at fault, for example def.restitution, or null */
    field: string | null;
    /** Value at fault, and the ends of its range; 0 if there are none */
    value: number;
    min: number;
    max: number;
}

/** An object that owns memory of the module. */
export declare class Resource {
    /** Frees the object now. An object that is forgotten is freed as well, at some time. */
    destroy(): void;
}

/** An object of a world. Equal objects are the same: compare with ===. */
export declare class Handle {
    readonly world: World;
    /** Slot, and number of its uses */
    readonly index: number;
    readonly generation: number;
    /** Anything of the program; snapshots do not hold it */
    userData: any;
    /** Tells whether the object lives. */
    isValid(): boolean;
}

type Definition<Members> = Given<Members> & { userData?: any };

/** Options for masks made of pictures. */
export interface MaskOptions {
    /** Least alpha of a solid pixel, 0...255; default 128 */
    alphaThreshold?: number;
    /** Region of the picture to take; default: all of it */
    region?: { x: number; y: number; w: number; h: number };
}

/** A closed contour; solid pixels are at its right. */
export interface Contour {
    points: Point[];
    /** Index of the outer contour around a hole; its own for an outer contour */
    outerIndex: number;
    /** Area inside [px^2], negative for a hole */
    area: number;
}

/** Pixels of one bit: solid or not. */
export declare class Mask extends MaskMethods {
    private constructor();
    /** Makes a mask of raw R, G, B, A bytes. */
    static fromRgba(rgba: Uint8Array | Uint8ClampedArray | ArrayBuffer, width: number, height: number, options?: MaskOptions): Mask;
    /** Makes a mask of an ImageData. */
    static fromImageData(image: { data: Uint8ClampedArray; width: number; height: number }, options?: MaskOptions): Mask;
    /** Makes a mask of an image, an ImageBitmap, a canvas or a video of the page. */
    static fromImage(image: CanvasImageSource, options?: MaskOptions): Mask;
    /** Makes a mask of the bytes of a PNG file. */
    static fromPng(png: Uint8Array | ArrayBuffer, options?: MaskOptions): Mask;
    /** Makes a mask of rows of text: '.' and ' ' are empty. */
    static fromText(rows: string): Mask;
    /** Reads a mask that serialize() wrote, here or in a native program. */
    static deserialize(bytes: Uint8Array): Mask;
    /** Writes the mask as bytes that are the same on every machine. */
    serialize(): Uint8Array;
    /** Writes the mask as R, G, B, A bytes in two colors, 0xRRGGBBAA. */
    toRgba(solid?: number, empty?: number): Uint8ClampedArray;
    /** Traces the outline of the solid pixels. */
    createOutline(neighbors?: Connectivity): Contour[];
    /** Computes the convex hull of the solid pixels: one contour, or none. */
    createHull(): Contour[];
    /** Finds the connected parts, the largest first. */
    createParts(neighbors?: Connectivity): (Part & { mask: Mask })[];
}

/** A frame of an atlas. Its mask has the size of the whole untrimmed frame. */
export interface Frame {
    name: string;
    mask: Mask;
    /** Time that it is shown [s] */
    duration: number;
    /** Pivot in the mask's coordinates [px] */
    pivot: Vec2;
}

/** Reads the frames of an atlas by the JSON of TexturePacker or Aseprite.
 *  @param sheet mask of the whole picture */
export declare function framesFromAtlas(sheet: Mask, atlas: object): Frame[];

/** Computes the rotation of an angle [rad], with the same bits on every machine. */
export declare function rotationFromAngle(angle: number): Rotation;

/** Hardness and density of each pixel of a picture. */
export declare class MaterialMap extends MaterialMapMethods {
    private constructor();
    /** Makes a map of bytes, one plane each; null: hardness 0, density 255. */
    static fromBytes(hardness: Uint8Array | null, density: Uint8Array | null, width: number, height: number): MaterialMap;
}

/** A mask at a place, and questions about such. */
export type Placed = PlacedMask;
export declare const Placed: typeof PlacedMethods;

/** The shape of a cut, in the world; with local: true in the body's picture, with add: true it adds pixels. */
export type Cut = CutShape;
export declare const Cut: {
    circle(center: Vec2, radius: number): Given<Cut>;
    box(corner: Vec2, opposite: Vec2): Given<Cut>;
    /** A stroke with round ends */
    line(from: Vec2, to: Vec2, width: number): Given<Cut>;
    polygon(points: Vec2[]): Given<Cut>;
    mask(mask: Mask, transform: Given<Transform>): Given<Cut>;
};

/** A filter of the bodies in a query. */
export interface QueryFilter {
    /** Categories of bodies to find, as bits; default: all */
    maskBits?: number;
    /** Sensors too; default false */
    includeSensors?: boolean;
    /** Tells whether a body counts. */
    accept?(body: Body): boolean;
}

/** Numbers of a pose: x, y, cosine, sine, left, top, index, generation. */
export declare const POSE_SIZE: number;

/** A context on which debugDraw() draws: of a canvas, or of anything that has these. */
export type DrawContext = Pick<CanvasRenderingContext2D, 'arc' | 'beginPath' | 'closePath' | 'fill' | 'fillStyle' | 'lineTo' | 'lineWidth' | 'moveTo' | 'restore' | 'save' | 'stroke' | 'strokeStyle'>;

export declare class World extends WorldMethods {
    /** Creates an empty world. */
    constructor(def?: Given<WorldDef>);
    /** Sets the function that tells whether two bodies collide. Null removes it. */
    setFilterCallback(filter: ((a: Body, b: Body) => boolean) | null): void;
    /** Sets the function that judges contacts, and may change restitution and what follows it. Null removes it. */
    setPresolveCallback(presolve: ((contact: PresolveContact) => PresolveResult | void) | null): void;
    /** Returns the poses of all bodies, POSE_SIZE numbers each. The array is filled anew by the next call.
     *  @param flags POSES_AWAKE and POSES_DISABLED, or-ed */
    getPoses(flags?: number): Float64Array;
    /** Returns the body of a row of getPoses().
     *  @param row index of its first number */
    getPoseBody(row: number): Body;
    /** Returns the positions of all particles, two numbers each. The array is filled anew by the next call. */
    getParticlePositions(): Float32Array;
    /** Returns the events of the last step. */
    getEvents(): Events;
    /** Computes a hash of all that the next step depends on, as 16 digits. It is the same on every machine. */
    computeHash(): string;
    /** Returns the whole state as bytes, which every build of the library restores.
     *  @param flags SNAPSHOT_PIXELS for a restore in another world */
    save(flags?: number): Uint8Array;
    /** Restores the state of a snapshot. */
    restore(snapshot: Uint8Array): void;
    /** Draws the world on a context of a canvas, for debugging.
     *  @param flags some of DEBUG_ */
    debugDraw(context: DrawContext, flags?: number): void;
    /** Return all objects of a kind, in slot order. */
    getBodies(): Body[];
    getJoints(): Joint[];
    getParticles(): Particle[];
    getPolygons(): Polygon[];
    getComposites(): Composite[];
}

export declare class Body extends BodyMethods {
    constructor(world: World, def: Definition<BodyDef> & { mask: Mask });
}
export declare class Joint extends JointMethods {
    constructor(world: World, def: Definition<JointDef>);
}
export declare class Particle extends ParticleMethods {
    constructor(world: World, def?: Definition<ParticleDef>);
}
export declare class Polygon extends Body {
    constructor(world: World, def: Definition<PolygonDef>);
}
export declare class Liquid extends LiquidMethods {
    constructor(world: World, def?: Definition<LiquidDef>);
}
export declare class ForceField extends ForceFieldMethods {
    constructor(world: World, def: Definition<ForceFieldDef>);
}
export declare class Composite extends CompositeMethods {
    constructor(world: World);
}

/** Columns of grains, valid until the next call of the package. */
export interface GrainsView {
    count: number;
    oldest: number;
    /** Positions and motions in 1/65536 px */
    x: Int32Array;
    y: Int32Array;
    dx: Int32Array;
    dy: Int32Array;
    color: Uint32Array;
    born: Uint32Array;
}
export declare class Grains extends GrainsMethods {
    constructor(world: World, def?: Definition<GrainsDef>);
    /** Returns the columns of the population. */
    getView(): GrainsView;
}

/** A platform character that walks by exact pixels. */
export declare class Mover extends Resource {
    constructor(world: World, members?: Given<MoverMembers>);
    readonly world: World;
    /** Changes some members. */
    set(members: Given<MoverMembers>): void;
    /** Returns all members, as they are now. */
    get(): MoverMembers;
    /** Moves for one step, and returns all members.
     *  @param velocity relative to the ground [px/s]
     *  @param dt length of the step [s] */
    move(velocity: Vec2, dt: number): MoverMembers;
    /** Returns the transform that draws the mask. */
    getTransform(): Transform;
    /** Tells whether a mask fits at the mover's position.
     *  @param mask null for the mover's mask
     *  @param pivot in that mask; default: the mover's pivot [px] */
    fits(mask?: Mask | null, pivot?: Vec2): boolean;
    /** Finds the bodies that share a pixel with the mover. */
    query(filter?: QueryFilter): Body[];
}
