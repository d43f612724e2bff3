# rename-0.2.sed - names of libpixverlet 0.1 into those of 0.2: sed -i -E -f rename-0.2.sed *.c *.h
# It renames functions, types and constants. Below are the calls that changed, and the renamed fields.
# SPDX-License-Identifier: Zlib
#
# Calls and fields that changed:
#
#   <pixverlet.h>: An umbrella of pixverlet/*.h; pixverlet/paper.h is included by itself.
#   all makers and loaders: The last argument is a pv_error * instead of a pv_status *: status, function, field, value, range, and a
#     sentence that names them. Null is allowed.
#   pv_report_fn: void (*)(void *user_data, const pv_error *error); pv_error_print is one. pv_world_set_report_callback sets it later.
#   pv_world_step: Returns a pv_status. PV_ERROR_MEMORY means that contacts or events were left out, other errors that nothing happened.
#     pv_events.frozen_count counts stopped bodies and particles.
#   pv_body_set_velocity, pv_body_set_angular_velocity: Without the last argument, as PV_SHIFT_PREVIOUS and PV_ABOUT_CENTRE before. The
#     old calls are pv_paper_body_set_velocity and pv_paper_body_set_angular_velocity.
#   pv_body_set_material: Three setters: _set_restitution, _set_friction, _set_static_friction.
#   pv_body_set_damping: Two setters: _set_linear_damping, _set_angular_damping.
#   pv_runs_overlap_mask: Gone; pv_paper_runs_encode() makes runs of the mask, for pv_paper_runs_compute_overlap_area().
#   static_friction of all defs: -1 by default: negative means 1.2 times friction.
#   pv_body_apply_impulse: At the center of mass, with one argument less; the old call is pv_body_apply_impulse_at.
#   pv_body_def.disabled: enabled, inverted, true by default.
#   pv_particle_def.passes: collides, inverted, true by default.
#   pv_sdl.h: pixverlet/sdl.h and, for the window and its loop, pixverlet/sdl_game.h. The script renames the second.
#   pv_sdl_game_create, pv_sdl_sprite_load, pv_sdl_game_load_sprite: Return pointers. The game is pv_sdl_game *game; write
#     game->step_count, and pass game instead of &game. A null sprite means failure; a null or failed game ends its loop.
#   pv_world_step in a game: pv_sdl_game_step(game, world), which shows the scene what was carved.
#   pv_sdl_draw_body, pv_sdl_draw_texture: Return true for success, on SDL 2 and SDL 3.
#   pv_sdl_game_get_axis: Returns a double, because of game pads.
#   pv_sdl_game_draw: Also draws polygons, composites, ropes, particles, and bodies whose user_data is null. An empty pv_sdl_sprite as
#     user_data is not drawn.
#   pv_fracture_def.keep_static: True by default. Set it to false for parts of static bodies that fall.
#   arguments of a game: Options other than --frames and --play are refused.
#   PV_SDL_SPRITES: Gone, as the limit of 64 sprites is.
#   pv_masks_hit, pv_placed_hit_many, pv_placed_hit_pairs: Loops over pv_mask_test_overlap and pv_placed_test_overlap.
#   pv_liquid_count: pv_liquid_get_particles, whose capacity may be 0.
#   pv_group_touching_member: pv_group_query_mask of pv_group_get_placed, which finds the member, too.
#   pv_particle_filter, pv_polygon_filter: Gone; the game knows which filter it set.
#   pv_particle_previous: pv_particle_get_velocity.
#   pv_particle_shift: pv_particle_set_position and pv_particle_set_velocity.
#   pv_particle_set_material: Gone; restitution and friction of a particle are those of its def.
#   pv_particle_set_drag: Gone; linear_damping of pv_particle_def has it.
#   pv_body_particles: pv_paper_body_get_motion.
#   pv_matter_is_solid: Gone; the game knows what it set.
#   pv_placed_circle: pv_world_query_circle, or pv_placed_test_overlap with a mask of the circle.
#   pv_placed_rectangle: pv_world_query_box and pv_group_query_box, or pv_placed_test_overlap with a mask of the box.
#   pv_placed_ray: pv_placed_cast_segment, to a far end.
#   pv_group_count: Gone; the game adds and removes the members.
#   pv_frames_tag_count: pv_frames_get_tag, which is null past the last.
#   pv_body_rotation: The rotation of pv_body_get_transform.
#   pv_body_materials: The material_map of pv_body_get_def.
#   pv_placed_box: pv_transform_compute_bounds of its transform, with the size of its mask.
#   pv_constraint_points: The points of pv_joint_get_anchors.
#   pv_world_snapshot_size: pv_world_save without a buffer.
#   pv_cache_create, pv_cache_get, pv_cache_hit and the rest of the cache: pv_placed_test_overlap, or masks of pv_mask_transform that the
#     game keeps by angle.
#   pv_constraint_set_point: pv_joint_set_target for a mouse joint; for others an anchor on a pinned particle, which
#     pv_particle_set_position moves.
#   pv_arm_build: Particles, distance joints and a mouse joint, as in demo/scenes/arm.c.
#   pv_mask_moments: A loop over the pixels about the centroid of pv_mask_compute_mass.
#   pv_placed_overlap_mask: pv_mask_transform of both, then pv_mask_combine with PV_COMBINE_AND.
#   pv_placed_check: Gone; pv_placed says what is valid, and functions with a status return what is wrong.
#   pv_frames_length: The sum of the durations of the frames.
#   pv_motion_start: (pv_paper_motion){.position = p, .velocity = v}.
#   pv_runs_bytes: What the allocator was asked for.
#   pv_world_cast_rays: A loop over pv_world_cast_ray, which several threads may share between two steps.
#   pv_world_allocator: Gone; the game knows which allocator it gave.
#   pv_body_fracture, pv_body_get_fracture: Gone; the game knows which rules it set, and parts take those of their parent.
#   pv_world_def.relax_budget: Gone; more joint_iterations do it in worlds that repeat.
#   pv_body_equal: PV_ID_EQUALS, for ids of all types.
#
# Fields are not renamed, because other structs may have one of the same name; the compiler finds them:
#
#   pv_allocator: user -> user_data
#   pv_mask_options: threshold -> alpha_threshold
#   pv_overlap: box -> bounds
#   pv_part: box -> rect
#   pv_contour: count -> point_count, outer -> outer_index
#   pv_color_match: colour -> color, others_solid -> invert, other -> reference, other_pitch -> reference_pitch
#   pv_distance_result: a -> point_a, b -> point_b
#   pv_swept_hit: touch -> touch_fraction
#   pv_frames_options: threshold -> alpha_threshold
#   pv_grid: count -> cell_count
#   pv_frame: source -> trim_rect, stored -> atlas_rect, turned -> rotated
#   pv_clock: rest -> accumulator
#   pv_presolve_contact: gap -> separation, touches -> touching, kinetic_friction -> friction, surface_speed -> tangent_speed
#   pv_world_def: contacts -> contact_mode, iterations -> contact_iterations, relaxations -> joint_iterations, bounce_speed -> restitution_threshold, hit_speed -> hit_event_threshold, sleeping -> enable_sleep, filter ->
#     filter_callback, presolve -> presolve_callback, split -> split_callback, report -> report_callback, filter_user -> filter_user_data,
#     presolve_user -> presolve_user_data, split_user -> split_user_data, report_user -> report_user_data
#   pv_world_stats: constraints -> joints
#   pv_world_profile: manifolds -> collide
#   pv_events: begins -> contact_begins, ends -> contact_ends, enters -> sensor_begins, leaves -> sensor_ends, strays -> out_of_bounds,
#     breaks -> joint_breaks, dirt -> dirty_rects, begin_count -> contact_begin_count, end_count -> contact_end_count, enter_count ->
#     sensor_begin_count, leave_count -> sensor_end_count, stray_count -> out_of_bounds_count, break_count -> joint_break_count,
#     dirt_count -> dirty_rect_count
#   pv_query_filter: mask -> mask_bits, user -> user_data, sensors -> include_sensors
#   pv_debug_draw: user -> user_data, disc -> circle
#   pv_filter: category -> category_bits, mask -> mask_bits, group -> group_index
#   pv_body_def: spin -> angular_velocity, kinetic_friction -> friction, stand_in -> collider, locks -> motion_locks, surface_speed ->
#     tangent_speed, one_way -> one_way_normal, disabled -> enabled, materials -> material_map, materials_at -> material_map_offset
#   pv_contact: overlap -> overlap_area
#   pv_cut: kind -> type, in_picture -> local, adds -> add, strength -> max_hardness
#   pv_carve_result: pixels -> pixel_count, box -> rect, centre -> center, parts -> body_count, crumbs -> debris_pixels, particles ->
#     debris_particles
#   pv_fracture_def: neighbours -> connectivity, least -> min_part_pixels, crumbs_fly -> spawn_debris, stays -> keep_static, crack -> mode
#   pv_mover: step -> step_height, snap -> ground_snap, push -> max_push_out, drop -> drop_through, strength -> push_force, ceiling ->
#     hit_ceiling, wall_left -> hit_wall_left, wall_right -> hit_wall_right, foothold -> ground_local_point
#   pv_joint_def: low -> lower, high -> upper, speed -> motor_speed, collide -> collide_connected
#   pv_joint_break_event: constraint -> joint
#   pv_particle_def: drag -> linear_damping, kinetic_friction -> friction, passes -> collides
#   pv_polygon_def: count -> point_count, spin -> angular_velocity, kinetic_friction -> friction, drag -> linear_damping, hull -> collider
#   pv_liquid_def: reach -> interaction_radius, density -> rest_density, push -> near_stiffness
#   pv_force_field_def: grip -> drag_coefficient, reach -> radius, drag -> linear_damping
#   pv_triangle: texture -> uv, holds -> joints
#   pv_rope_def: bend -> bend_stiffness, drag -> linear_damping
#   pv_cloth_def: position -> top_left, shear -> shear_stiffness, drag -> linear_damping
#   pv_soft_body_def: texture -> uvs, kinetic_friction -> friction, drag -> linear_damping
#   pv_grass_def: blades -> blade_count, drag -> linear_damping
#   pv_bridge_def: planks -> plank_count
#   pv_jelly_def: kinetic_friction -> friction, drag -> linear_damping
#   pv_ragdoll_def: kinetic_friction -> friction, drag -> linear_damping
#   pv_tree_def: drag -> linear_damping
#   pv_sdl_camera: origin -> top_left
#   pv_sdl_game: view -> camera, colour -> background, debug -> show_debug, over -> quit, steps -> step_count, frame -> frame_index,
#     frames -> frame_limit, pointer -> mouse_screen, sprites, sprite_count: gone
s|[<"]pv_sdl\.h[>"]|<pixverlet/sdl_game.h>|g
s/\bpv_transform_box\b/pv_transform_compute_bounds/g
s/\bpv_transform_point\b/pv_transform_to_world/g
s/\bpv_transform_default\b/pv_transform_identity/g
s/\bpv_rotation_angle\b/pv_rotation_get_angle/g
s/\bpv_status_string\b/pv_status_to_string/g
s/\bpv_kernel_name\b/pv_kernel_get_name/g
s/\bpv_kernel_force\b/pv_kernel_select/g
s/\bPV_ERROR_STALE\b/PV_ERROR_STALE_ID/g
s/\bpv_body\b/pv_body_id/g
s/\bpv_particle\b/pv_particle_id/g
s/\bpv_constraint\b/pv_joint_id/g
s/\bpv_polygon\b/pv_body_id/g
s/\bpv_liquid\b/pv_liquid_id/g
s/\bpv_force\b/pv_force_field_id/g
s/\bpv_matter\b/pv_composite_id/g
s/\bpv_member\b/pv_member_id/g
s/\bpv_image_free\b/pv_image_destroy/g
s/\bpv_canvas_image\b/pv_canvas_draw_image/g
s/\bpv_canvas_mask\b/pv_canvas_draw_mask/g
s/\bpv_canvas_line\b/pv_canvas_draw_line/g
s/\bpv_canvas_disc\b/pv_canvas_draw_circle/g
s/\bpv_canvas_stroke\b/pv_canvas_draw_thick_line/g
s/\bpv_canvas_triangle\b/pv_canvas_draw_triangle/g
s/\bpv_mass\b/pv_mass_data/g
s/\bpv_neighbours\b/pv_connectivity/g
s/\bpv_colour_match\b/pv_color_match/g
s/\bPV_BRUSH_DISC\b/PV_BRUSH_CIRCLE/g
s/\bPV_NEIGHBOURS_4\b/PV_CONNECTIVITY_4/g
s/\bPV_NEIGHBOURS_8\b/PV_CONNECTIVITY_8/g
s/\bpv_mask_width\b/pv_mask_get_width/g
s/\bpv_mask_height\b/pv_mask_get_height/g
s/\bpv_mask_get\b/pv_mask_get_pixel/g
s/\bpv_mask_set\b/pv_mask_set_pixel/g
s/\bpv_mask_fill\b/pv_mask_fill_rect/g
s/\bpv_mask_mass\b/pv_mask_compute_mass/g
s/\bpv_mask_box\b/pv_mask_compute_bounds/g
s/\bpv_mask_count\b/pv_mask_count_pixels/g
s/\bpv_mask_hit\b/pv_mask_test_overlap/g
s/\bpv_mask_overlap\b/pv_mask_compute_overlap/g
s/\bpv_mask_overlap_area\b/pv_mask_compute_overlap_area/g
s/\bpv_mask_overlap_normal\b/pv_mask_compute_overlap_normal/g
s/\bpv_mask_turn\b/pv_mask_rotate90/g
s/\bpv_mask_from_colour\b/pv_mask_from_color/g
s/\bpv_mask_from_rows\b/pv_mask_from_bits/g
s/\bpv_mask_to_rows\b/pv_mask_to_bits/g
s/\bpv_mask_serialise\b/pv_mask_serialize/g
s/\bpv_mask_parse\b/pv_mask_deserialize/g
s/\bpv_parts_find\b/pv_parts_create/g
s/\bpv_parts_free\b/pv_parts_destroy/g
s/\bpv_parts_count\b/pv_parts_get_count/g
s/\bpv_parts_get\b/pv_parts_get_part/g
s/\bpv_parts_at\b/pv_parts_find_at/g
s/\bpv_parts_mask\b/pv_parts_create_mask/g
s/\bpv_outline_trace\b/pv_outline_create/g
s/\bpv_outline_hull\b/pv_outline_create_hull/g
s/\bpv_outline_free\b/pv_outline_destroy/g
s/\bpv_outline_count\b/pv_outline_get_contour_count/g
s/\bpv_outline_get\b/pv_outline_get_contour/g
s/\bpv_material_map_width\b/pv_material_map_get_width/g
s/\bpv_material_map_height\b/pv_material_map_get_height/g
s/\bpv_material_map_hardness\b/pv_material_map_get_hardness/g
s/\bpv_material_map_density\b/pv_material_map_get_density/g
s/\bpv_nearest\b/pv_distance_result/g
s/\bpv_moving\b/pv_swept/g
s/\bpv_sweep_hit\b/pv_swept_hit/g
s/\bpv_mask_transformed\b/pv_mask_transform/g
s/\bpv_placed_hit\b/pv_placed_test_overlap/g
s/\bpv_placed_overlap\b/pv_placed_compute_overlap/g
s/\bpv_placed_overlap_area\b/pv_placed_compute_overlap_area/g
s/\bpv_placed_separation\b/pv_placed_compute_mtv/g
s/\bpv_placed_distance\b/pv_placed_compute_distance/g
s/\bpv_placed_point\b/pv_placed_test_point/g
s/\bpv_placed_segment\b/pv_placed_cast_segment/g
s/\bpv_moving_at\b/pv_swept_get_transform/g
s/\bpv_sweep\b/pv_swept_cast/g
s/\bpv_group_move\b/pv_group_set_transform/g
s/\bpv_group_placed\b/pv_group_get_placed/g
s/\bpv_group_user\b/pv_group_get_user_data/g
s/\bpv_group_touching\b/pv_group_query_mask/g
s/\bpv_group_at\b/pv_group_query_point/g
s/\bpv_group_in_box\b/pv_group_query_box/g
s/\bpv_group_pairs\b/pv_group_query_pairs/g
s/\bpv_frames_free\b/pv_frames_destroy/g
s/\bpv_frames_count\b/pv_frames_get_count/g
s/\bpv_frames_get\b/pv_frames_get_frame/g
s/\bpv_frames_picture\b/pv_frames_get_image_path/g
s/\bpv_frames_tag\b/pv_frames_get_tag/g
s/\bpv_frames_at\b/pv_frames_get_index_at/g
s/\bpv_tilemap_mask\b/pv_tilemap_create_mask/g
s/\bpv_tilemap_load\b/pv_tilemap_load_mask/g
s/\bpv_contacts\b/pv_contact_mode/g
s/\bpv_verdict\b/pv_presolve_result/g
s/\bpv_approach\b/pv_presolve_contact/g
s/\bpv_cast\b/pv_cast_mode/g
s/\bpv_meeting\b/pv_contact_event/g
s/\bpv_hit\b/pv_hit_event/g
s/\bpv_visit\b/pv_sensor_event/g
s/\bpv_split\b/pv_split_event/g
s/\bpv_dirt\b/pv_dirty_rect/g
s/\bPV_CONTACTS_PIXEL\b/PV_CONTACT_MODE_PIXELS/g
s/\bPV_CONTACTS_CONTOUR\b/PV_CONTACT_MODE_CONTOURS/g
s/\bPV_COLLIDE\b/PV_PRESOLVE_COLLIDE/g
s/\bPV_PASS\b/PV_PRESOLVE_IGNORE/g
s/\bPV_PASS_UNTIL_APART\b/PV_PRESOLVE_IGNORE_UNTIL_SEPARATED/g
s/\bPV_DEBUG_CONSTRAINTS\b/PV_DEBUG_JOINTS/g
s/\bPV_DEBUG_BOXES\b/PV_DEBUG_BOUNDS/g
s/\bpv_world_gravity\b/pv_world_get_gravity/g
s/\bpv_world_set_filter\b/pv_world_set_filter_callback/g
s/\bpv_world_set_presolve\b/pv_world_set_presolve_callback/g
s/\bpv_world_set_split\b/pv_world_set_split_callback/g
s/\bpv_world_hash\b/pv_world_compute_hash/g
s/\bpv_world_overlap_area\b/pv_world_compute_overlap_area/g
s/\bpv_world_contacts\b/pv_world_get_contacts/g
s/\bpv_world_events\b/pv_world_get_events/g
s/\bpv_world_forget_snapshots\b/pv_world_discard_snapshots/g
s/\bpv_world_find_at\b/pv_world_query_point/g
s/\bpv_world_find_in_box\b/pv_world_query_box/g
s/\bpv_world_find_in_circle\b/pv_world_query_circle/g
s/\bpv_world_find_in_mask\b/pv_world_query_mask/g
s/\bpv_world_body_at\b/pv_world_pick_body/g
s/\bpv_world_particle_at\b/pv_world_pick_particle/g
s/\bpv_world_polygon_at\b/pv_world_pick_body/g
s/\bpv_world_next_body\b/pv_world_get_next_body/g
s/\bpv_world_next_particle\b/pv_world_get_next_particle/g
s/\bpv_world_next_constraint\b/pv_world_get_next_joint/g
s/\bpv_world_next_polygon\b/pv_world_get_next_polygon/g
s/\bpv_world_next_matter\b/pv_world_get_next_composite/g
s/\bpv_stand_in\b/pv_collider/g
s/\bPV_STAND_IN_NONE\b/PV_COLLIDER_PIXELS/g
s/\bPV_STAND_IN_CIRCLE\b/PV_COLLIDER_CIRCLE/g
s/\bPV_STAND_IN_BOX\b/PV_COLLIDER_BOX/g
s/\bpv_body_position\b/pv_body_get_position/g
s/\bpv_body_angle\b/pv_body_get_angle/g
s/\bpv_body_velocity\b/pv_body_get_velocity/g
s/\bpv_body_velocity_at\b/pv_body_get_velocity_at/g
s/\bpv_body_spin\b/pv_body_get_angular_velocity/g
s/\bpv_body_mass\b/pv_body_get_mass/g
s/\bpv_body_inertia\b/pv_body_get_inertia/g
s/\bpv_body_mask\b/pv_body_get_mask/g
s/\bpv_body_transform\b/pv_body_get_transform/g
s/\bpv_body_box\b/pv_body_get_bounds/g
s/\bpv_body_filter\b/pv_body_get_filter/g
s/\bpv_body_user_data\b/pv_body_get_user_data/g
s/\bpv_body_contacts\b/pv_body_get_contacts/g
s/\bpv_contact_points\b/pv_body_get_contact_points/g
s/\bpv_sensor_visitors\b/pv_body_get_sensor_overlaps/g
s/\bpv_body_distance\b/pv_body_compute_distance/g
s/\bpv_body_set_spin\b/pv_body_set_angular_velocity/g
s/\bpv_body_set_locks\b/pv_body_set_motion_locks/g
s/\bpv_body_set_surface_speed\b/pv_body_set_tangent_speed/g
s/\bpv_body_set_one_way\b/pv_body_set_one_way_normal/g
s/\bpv_body_set_material\b/pv_body_set_friction/g
s/\bpv_body_set_damping\b/pv_body_set_linear_damping/g
s/\bpv_body_apply_impulse\b/pv_body_apply_impulse_at/g
s/\bpv_cut_kind\b/pv_cut_type/g
s/\bpv_carved\b/pv_carve_result/g
s/\bpv_crack\b/pv_fracture_mode/g
s/\bpv_fracture\b/pv_fracture_def/g
s/\bPV_CRACK_CHIP\b/PV_FRACTURE_CHIP/g
s/\bPV_CRACK_NECK\b/PV_FRACTURE_CRACK/g
s/\bpv_fracture_default\b/pv_fracture_def_default/g
s/\bpv_mover_transform\b/pv_mover_get_transform/g
s/\bpv_constraint_type\b/pv_joint_type/g
s/\bpv_constraint_def\b/pv_joint_def/g
s/\bpv_break\b/pv_joint_break_event/g
s/\bPV_CONSTRAINT_STICK\b/PV_JOINT_DISTANCE/g
s/\bPV_CONSTRAINT_ROPE\b/PV_JOINT_ROPE/g
s/\bPV_CONSTRAINT_STRUT\b/PV_JOINT_STRUT/g
s/\bPV_CONSTRAINT_PIN\b/PV_JOINT_PIN/g
s/\bPV_CONSTRAINT_WELD\b/PV_JOINT_WELD/g
s/\bPV_CONSTRAINT_ANGLE\b/PV_JOINT_ANGLE_LIMIT/g
s/\bPV_CONSTRAINT_MOTOR\b/PV_JOINT_MOTOR/g
s/\bPV_CONSTRAINT_SLIDER\b/PV_JOINT_SLIDER/g
s/\bPV_CONSTRAINT_DRAG\b/PV_JOINT_MOUSE/g
s/\bpv_constraint_def_default\b/pv_joint_def_default/g
s/\bpv_constraint_create\b/pv_joint_create/g
s/\bpv_constraint_destroy\b/pv_joint_destroy/g
s/\bpv_constraint_is_valid\b/pv_joint_is_valid/g
s/\bpv_constraint_get_type\b/pv_joint_get_type/g
s/\bpv_constraint_anchors\b/pv_joint_get_anchors/g
s/\bpv_constraint_length\b/pv_joint_get_length/g
s/\bpv_constraint_force\b/pv_joint_get_force/g
s/\bpv_constraint_user_data\b/pv_joint_get_user_data/g
s/\bpv_constraint_set_length\b/pv_joint_set_length/g
s/\bpv_constraint_set_speed\b/pv_joint_set_motor_speed/g
s/\bpv_constraint_set_limits\b/pv_joint_set_limits/g
s/\bpv_polygon_hull\b/pv_polygon_collider/g
s/\bpv_force_type\b/pv_force_field_type/g
s/\bpv_force_def\b/pv_force_field_def/g
s/\bPV_HULL_EDGES\b/PV_POLYGON_COLLIDER_EDGES/g
s/\bPV_HULL_DISCS\b/PV_POLYGON_COLLIDER_CIRCLES/g
s/\bPV_FORCE_WIND\b/PV_FORCE_FIELD_WIND/g
s/\bPV_FORCE_ATTRACTOR\b/PV_FORCE_FIELD_ATTRACTOR/g
s/\bPV_FORCE_BUOYANCY\b/PV_FORCE_FIELD_BUOYANCY/g
s/\bpv_particle_position\b/pv_particle_get_position/g
s/\bpv_particle_velocity\b/pv_particle_get_velocity/g
s/\bpv_particle_mass\b/pv_particle_get_mass/g
s/\bpv_particle_radius\b/pv_particle_get_radius/g
s/\bpv_particle_user_data\b/pv_particle_get_user_data/g
s/\bpv_polygon_corners\b/pv_body_get_corners/g
s/\bpv_polygon_beams\b/pv_body_get_joints/g
s/\bpv_polygon_position\b/pv_body_get_position/g
s/\bpv_polygon_angle\b/pv_body_get_angle/g
s/\bpv_polygon_velocity\b/pv_body_get_velocity/g
s/\bpv_polygon_spin\b/pv_body_get_angular_velocity/g
s/\bpv_polygon_box\b/pv_body_get_bounds/g
s/\bpv_polygon_user_data\b/pv_body_get_user_data/g
s/\bpv_liquid_add\b/pv_liquid_add_particle/g
s/\bpv_liquid_particles\b/pv_liquid_get_particles/g
s/\bpv_force_def_default\b/pv_force_field_def_default/g
s/\bpv_force_create\b/pv_force_field_create/g
s/\bpv_force_destroy\b/pv_force_field_destroy/g
s/\bpv_force_is_valid\b/pv_force_field_is_valid/g
s/\bpv_force_set\b/pv_force_field_set_def/g
s/\bpv_matter_create\b/pv_composite_create/g
s/\bpv_matter_destroy\b/pv_composite_destroy/g
s/\bpv_matter_is_valid\b/pv_composite_is_valid/g
s/\bpv_matter_add_particle\b/pv_composite_add_particle/g
s/\bpv_matter_add_constraint\b/pv_composite_add_joint/g
s/\bpv_matter_add_body\b/pv_composite_add_body/g
s/\bpv_matter_add_triangle\b/pv_composite_add_triangle/g
s/\bpv_matter_particles\b/pv_composite_get_particles/g
s/\bpv_matter_constraints\b/pv_composite_get_joints/g
s/\bpv_matter_bodies\b/pv_composite_get_bodies/g
s/\bpv_matter_triangles\b/pv_composite_get_triangles/g
s/\bpv_matter_position\b/pv_composite_get_position/g
s/\bpv_matter_accelerate\b/pv_composite_apply_acceleration/g
s/\bpv_soft_def\b/pv_soft_body_def/g
s/\bpv_soft_def_default\b/pv_soft_body_def_default/g
s/\bpv_soft_build\b/pv_soft_body_create/g
s/\bpv_rope_build\b/pv_rope_create/g
s/\bpv_cloth_build\b/pv_cloth_create/g
s/\bpv_jelly_build\b/pv_jelly_create/g
s/\bpv_tree_build\b/pv_tree_create/g
s/\bpv_grass_build\b/pv_grass_create/g
s/\bpv_ragdoll_build\b/pv_ragdoll_create/g
s/\bpv_bridge_build\b/pv_bridge_create/g
s/\bpv_shift\b/pv_paper_shift/g
s/\bpv_about\b/pv_paper_about/g
s/\bpv_integrator\b/pv_paper_integrator/g
s/\bpv_motion\b/pv_paper_motion/g
s/\bpv_runs\b/pv_paper_runs/g
s/\bPV_SHIFT_PREVIOUS\b/PV_PAPER_SHIFT_PREVIOUS/g
s/\bPV_SHIFT_CURRENT\b/PV_PAPER_SHIFT_CURRENT/g
s/\bPV_ABOUT_CENTRE\b/PV_PAPER_ABOUT_CENTER/g
s/\bPV_ABOUT_FIRST\b/PV_PAPER_ABOUT_FIRST/g
s/\bPV_ABOUT_SECOND\b/PV_PAPER_ABOUT_SECOND/g
s/\bPV_INTEGRATOR_EULER\b/PV_PAPER_INTEGRATOR_EULER/g
s/\bPV_INTEGRATOR_SYMPLECTIC\b/PV_PAPER_INTEGRATOR_SYMPLECTIC/g
s/\bPV_INTEGRATOR_VERLET\b/PV_PAPER_INTEGRATOR_VERLET/g
s/\bPV_INTEGRATOR_CORRECTED_VERLET\b/PV_PAPER_INTEGRATOR_CORRECTED_VERLET/g
s/\bpv_motion_step\b/pv_paper_motion_step/g
s/\bpv_runs_encode\b/pv_paper_runs_encode/g
s/\bpv_runs_decode\b/pv_paper_runs_decode/g
s/\bpv_runs_free\b/pv_paper_runs_destroy/g
s/\bpv_runs_overlap_area\b/pv_paper_runs_compute_overlap_area/g
s/\bpv_sdl_view\b/pv_sdl_camera/g
s/\bpv_sdl_view_default\b/pv_sdl_camera_default/g
s/\bpv_sdl_to_view\b/pv_sdl_camera_to_screen/g
s/\bpv_sdl_to_world\b/pv_sdl_camera_to_world/g
s/\bpv_sdl_draw_part\b/pv_sdl_draw_texture/g
s/\bpv_sdl_debug\b/pv_sdl_get_debug_draw/g
s/\bpv_sdl_sprite_free\b/pv_sdl_sprite_destroy/g
s/\bpv_sdl_sprite_def\b/pv_sdl_sprite_get_body_def/g
s/\bpv_sdl_report\b/pv_sdl_log_error/g
s/\bpv_sdl_held\b/pv_sdl_game_is_down/g
s/\bpv_sdl_pressed\b/pv_sdl_game_was_pressed/g
s/\bpv_sdl_axis\b/pv_sdl_game_get_axis/g
s/\bpv_sdl_game_open\b/pv_sdl_game_create/g
s/\bpv_sdl_game_close\b/pv_sdl_game_destroy/g
s/\bpv_sdl_game_load\b/pv_sdl_game_load_sprite/g
s/\bpv_sdl_game_show\b/pv_sdl_game_present/g
s/\bpv_matter_set_solid\b/pv_composite_set_solid/g
# Calls that take more now; the first ones are of drafts of 0.2.
s/\bpv_body_def_(static|kinematic|dynamic)\(/pv_body_def_at(PV_BODY_\U\1\E, /g
s/\bpv_mask_fill_all\(([^,()]+), */pv_mask_fill_rect(\1, (pv_rect){0, 0, pv_mask_get_width(\1), pv_mask_get_height(\1)}, /g
