/* material_map.js - hardness and density of each pixel of a picture.
 *
 * Invariant: a map object holds one reference to its map, which never changes.
 *
 * SPDX-License-Identifier: Zlib
 */
import { adopt, begin, enter, errorAt, finish, integer, leave, refuse, refuseType, register } from './marshal.js';
import { allocateBytes, wasm } from './memory.js';
import { shareable } from './resource.js';
import { MaterialMapMethods } from './world_methods.js';

export class MaterialMap extends MaterialMapMethods {
    constructor() {
        super();
        begin('MaterialMap');
        refuse('argument', null, 'material maps come from MaterialMap.fromBytes()');
    }

    /** Makes a map of bytes, one plane each; null: hardness 0, density 255. */
    static fromBytes(hardness, density, width, height) {
        begin('pv_material_map_from_bytes');
        const size = integer(width, 'width') * integer(height, 'height');
        const at = enter(0);
        try {
            const plane = (bytes, name) => {
                if (bytes === null) return 0;
                if (!(bytes instanceof Uint8Array)) refuseType(bytes, name, 'a Uint8Array or null');
                if (bytes.length < size) refuse('argument', name, `${name} has ${bytes.length} bytes, must have ${size}`);
                return allocateBytes(bytes);
            };
            const planes = [plane(hardness, 'hardness'), plane(density, 'density')];
            const pointer = wasm.pv_material_map_from_bytes(...planes, width, height, width, 0, errorAt);
            finish();
            return adopt('MaterialMap', pointer);
        } finally {
            leave(at);
        }
    }
}
MaterialMap.release = 'pv_material_map_release';
shareable(MaterialMap, 'pv_material_map_retain');
register('MaterialMap', MaterialMap);
