/* surface.mjs - the classes of the package, and the functions of the library that each takes.
 *
 * Invariant: a function of the headers is a method here, or excluded, or called by handwritten code.
 *
 * SPDX-License-Identifier: Zlib
 */

export const camel = (text) => text.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

const handle = (name, noun, statics) => ({ name, prefix: `pv_${noun}_`, type: `pv_${noun}_id`, base: 'Handle', statics });

/** Builders of composites: Composite.createRope(world, def). */
const builders = [/^pv_(rope|cloth|soft_body|jelly|tree|grass|ragdoll|bridge)_create$/, (name) => `create_${name.slice(3, -7)}`];
const joints = [/^pv_joint_create_/, (name) => name.slice(9)];
const makers = [/^pv_mask_create(_rect|_circle|_polygon|_line)?$/, (name) => name.slice(8)];

export const classes = [
    { name: 'Mask', prefix: 'pv_mask_', type: 'pv_mask', base: 'Resource', statics: [makers], mask: true },
    { name: 'MaterialMap', prefix: 'pv_material_map_', type: 'pv_material_map', base: 'Resource' },
    { name: 'Placed', statics: [[/^pv_placed_/, (name) => name.slice(10)]], mask: true },
    { name: 'World', prefix: 'pv_world_', type: 'pv_world', base: 'Resource' },
    handle('Body', 'body'),
    handle('Joint', 'joint', [joints]),
    handle('Particle', 'particle'),
    handle('Liquid', 'liquid'),
    handle('ForceField', 'force_field'),
    handle('Composite', 'composite', [builders]),
    handle('Grains', 'grains'),
];
/** Classes that are handwritten. */
export const others = [{ name: 'Mover', prefix: 'pv_mover_' }, { name: 'Polygon', prefix: 'pv_polygon_' }];

const notMethods = [
    /_(default|user_data|is_valid|retain|release|load|load_memory|save|deserialize|serialize)$/,
    /_(create|destroy)$(?<!(mask|rope|cloth|soft_body|jelly|tree|grass|ragdoll|bridge)_create|(body|joint|particle|liquid|force_field|composite|grains)_destroy)/,
    /_callback$/, /^pv_world_(get_next_\w+|get_poses\w*|get_particle_positions|save|restore|debug_draw|compute_hash|get_events)$/,
    /^pv_body_(def_\w+|get_def)$/, /^pv_mask_(from_\w+|to_rgba|to_bits|get_words)$/, /^pv_(paper|parts|outline|group|image|canvas|kernel|clock|frames|map_objects|tilemap)_/,
    /^pv_material_map_from_/, /^pv_composite_(get_mesh|add_triangle)$/, /^pv_grains_(get_view|emit_mask|merge)$/, /^pv_cut_/,
    /^pv_task_pool_/, /^pv_world_set_workers$/, // the WebAssembly module has one thread
    /^pv_world_(save|restore)_changes$/, // a list of whole snapshots does it
    /^pv_(body_get_joints|world_set_substeps)$/, // world.joints has all, and the definition has substeps; the module is near its size limit
    /^pv_(polygon_compute_overlap|composite_get_angle)$/, // for its size, too
];
export const excluded = (name) => notMethods.some((pattern) => pattern.test(name));

/** Functions that the handwritten code of masks calls. */
export const maskOnly = [
    'malloc', 'free', 'web_placed_default', 'web_swept_default', 'pv_mask_retain', 'pv_mask_release', 'pv_mask_from_rgba', 'pv_mask_from_text',
    'pv_mask_load_memory', 'pv_mask_options_default', 'pv_mask_to_rgba', 'pv_mask_serialize', 'pv_mask_deserialize', 'pv_outline_create',
    'pv_outline_create_hull', 'pv_outline_destroy', 'pv_outline_get_contour', 'pv_outline_get_contour_count', 'pv_parts_create', 'pv_parts_create_mask', 'pv_parts_destroy',
    'pv_parts_get_count', 'pv_parts_get_part', 'pv_rotation_from_angle', 'pv_status_to_string', 'pv_transform_identity', 'pv_version',
];

/** Functions that handwritten code calls, in addition. */
export const manual = [
    ...maskOnly, 'web_cut_default', 'web_debug_draw', 'web_fill_filter', 'web_poses', 'web_set_filter', 'web_set_presolve', 'web_set_reports', 'pv_body_create', 'pv_body_def_default',
    'pv_composite_create', 'pv_composite_get_mesh', 'pv_force_field_create', 'pv_grains_create', 'pv_grains_emit_mask', 'pv_grains_get_view', 'pv_joint_create',
    'pv_liquid_create', 'pv_material_map_from_bytes', 'pv_material_map_release', 'pv_material_map_retain', 'pv_mover_fits', 'pv_mover_get_transform', 'pv_mover_move', 'pv_mover_query',
    'pv_particle_create', 'pv_polygon_create', 'pv_world_compute_hash', 'pv_world_create', 'pv_world_destroy', 'pv_world_get_events',
    'pv_world_get_next_body', 'pv_world_get_next_composite', 'pv_world_get_next_joint', 'pv_world_get_next_particle', 'pv_world_get_next_polygon', 'pv_world_get_particle_positions', 'pv_world_restore', 'pv_world_save',
];
