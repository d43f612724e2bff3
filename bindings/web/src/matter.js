/* matter.js - joints, particles, and what is made of them.
 *
 * SPDX-License-Identifier: Zlib
 */
import { begin, enter, leave, self, writeSelf } from './marshal.js';
import { registerHandle } from './handle.js';
import { i32, refresh, u32, wasm } from './memory.js';
import { grainsViewPlaces } from './places.js';
import { CompositeMethods, ForceFieldMethods, GrainsMethods, JointMethods, LiquidMethods, ParticleMethods } from './world_methods.js';
import { sizes } from './structs.js';

export class Joint extends JointMethods {}
export class Particle extends ParticleMethods {}
export class Liquid extends LiquidMethods {}
export class ForceField extends ForceFieldMethods {}
export class Composite extends CompositeMethods {}

export class Grains extends GrainsMethods {
    /** Returns the columns of the population, valid until the next call of the package. */
    getView() {
        begin('pv_grains_get_view');
        self(this);
        const at = enter(sizes.pv_grains_view + 8);
        try {
            writeSelf(at, this);
            wasm.pv_grains_get_view(at + 8, this.world.pointer, at);
            refresh();
            const read = (name) => u32[(at + 8 + grainsViewPlaces[name]) >> 2], count = read('count');
            const column = (name, view) => view.subarray(read(name) >> 2, (read(name) >> 2) + count);
            return { count, oldest: read('oldest'), x: column('x', i32), y: column('y', i32), dx: column('dx', i32), dy: column('dy', i32), color: column('color', u32), born: column('born', u32) };
        } finally {
            leave(at);
        }
    }
}

registerHandle(Joint, 'joint');
registerHandle(Particle, 'particle');
registerHandle(Liquid, 'liquid');
registerHandle(ForceField, 'force_field');
registerHandle(Composite, 'composite');
registerHandle(Grains, 'grains');
