/* pixverlet/sheet.h - sprite sheets with frames and tags, tile maps as one mask, and their objects.
 *
 * Invariant: a function returns the masks of all frames or of the whole map, or none.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_SHEET_H
#define PIXVERLET_SHEET_H

#include "pixverlet/mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup frames Frames
 *  Sprite sheets and atlases as animations of masks. @{ */

/// A frame of an animation. Its mask has the size of the whole untrimmed frame. A place in one
/// frame is therefore the same place in the next.
typedef struct pv_frame {
    /// Name from the atlas, UTF-8; "" in a grid
    const char *name;
    /// Mask, owned by the frames; pv_mask_retain() keeps it longer than they live
    pv_mask *mask;
    /// Pivot in the mask's coordinates [px]
    pv_vec2 pivot;
    /// Duration, 0.001...3600 [s]
    double duration;
    /// Part of the frame left after trimming [px]; may extend beyond the frame
    pv_rect trim_rect;
    /// Place of that part in the picture [px]; w and h are those of trim_rect, swapped if rotated
    pv_rect atlas_rect;
    /// Storage turned a quarter clockwise
    bool rotated;
} pv_frame;

/// Orders in which the frames of a tag are shown.
typedef enum pv_tag_direction {
    /// Forward: first...last, repeated
    PV_TAG_FORWARD = 0,
    /// Reverse: last...first, repeated
    PV_TAG_REVERSE,
    /// Ping-pong from the first frame; the first and last frames are not shown twice in a row
    PV_TAG_PINGPONG,
    /// Ping-pong from the last frame
    PV_TAG_PINGPONG_REVERSE
} pv_tag_direction;

/// A tag: a named range of frames.
typedef struct pv_tag {
    /// Name, UTF-8
    const char *name;
    /// Indices of frames, first <= last
    int first, last;
    /// Order in which the frames are shown
    pv_tag_direction direction;
} pv_tag;

/// Frames with their tags and a reference to every mask. Only pv_frames_add_tag() changes them.
typedef struct pv_frames pv_frames;

/// Options for reading frames. pv_frames_options_default() returns them.
typedef struct pv_frames_options {
    /// Least alpha of a solid pixel, 0...255; default 128
    int alpha_threshold;
    /// Pivot of frames without one, in units of the frame size, |x|, |y| <= 1024; default 1/2
    pv_vec2 pivot;
    /// Duration of frames without one, 0.001...3600; default 0.1 [s]
    double duration;
    /// Aseprite slice with the pivots; null: the first slice that has any
    const char *pivot_slice;
    /// Limits for the files and for every frame, with the allocator of everything
    pv_image_limits limits;
    /// Hook that receives each tag and slice left out because it is faulty; null: none
    pv_report_fn report_callback;
    /// Argument of report_callback
    void *report_user_data;
    /// Mark set by pv_frames_options_default()
    unsigned cookie;
} pv_frames_options;

/// Returns the default options for reading frames.
PV_API pv_frames_options pv_frames_options_default(void);

/// A sheet of equal cells, row by row from the top left.
typedef struct pv_grid {
    /// Size of a cell, > 0 [px]
    int width, height;
    /// Margin around the whole sheet, >= 0 [px]
    int margin;
    /// Spacing between neighboring cells, >= 0 [px]
    int spacing;
    /// Number of cells in a row; 0: as many as fit between the margins
    int columns;
    /// Number of cells to take; 0: columns times the whole rows between the margins
    int cell_count;
} pv_grid;

/// Creates the frames of a sheet, with the duration and pivot of the options. All masks together
/// may take as much memory as the largest picture within the limits. More, or over 2^20 frames, is
/// PV_ERROR_TOO_LARGE.
/// @param image the sheet; not needed afterwards
/// @param grid its cells; PV_ERROR_ARGUMENT if there are none, or if one leaves the picture
/// @param options null for the defaults
/// @param error null, or gets the outcome
/// @return frames for pv_frames_destroy(), or null with an error
PV_API pv_frames *pv_frames_from_grid(const pv_image *image, const pv_grid *grid,
                                      const pv_frames_options *options, pv_error *error);

/// Loads the frames of an atlas from JSON that Aseprite or TexturePacker wrote, also for PixiJS and
/// Phaser, with frames as an array or a hash. Frames of equal names are all kept.
///
/// It reads these members of a frame: frame, rotated (a quarter clockwise, turned back), trimmed,
/// spriteSourceSize, sourceSize, duration [ms], pivot or anchor (in units of the frame size), and
/// the vertices and triangles of a polygon. It reads these members of meta: image, frameTags and
/// slices (pivots, held from key to key). A border of frame around spriteSourceSize, equal on all
/// sides, is padding. Tags without frames are left out. Repeat counts of tags are not read.
///
/// It also reads TextureAtlas XML, as written by Kenney and Starling, and libGDX atlases, whose
/// path must end in ".atlas". Both need a picture of their own, and have no tags or slices.
///
/// A faulty tag or slice is left out, and the hook of the options is told its name and the value.
/// docs/ASSETS.md lists the formats.
///
/// The parser's scratch memory comes from the C library, about 40 bytes for each byte of JSON. A
/// failed malloc() in it is PV_ERROR_FORMAT. No other thread may change the C locale meanwhile.
/// @param path the JSON file, up to 16 MiB and the limits' max_file_size
/// @param image the atlas picture; null: the picture named in meta.image. It must be in the
/// directory of the JSON or below. Absolute names, and names with "..", a backslash or a colon, are
/// PV_ERROR_FORMAT.
/// @param options null for the defaults; PV_ERROR_ARGUMENT also if no slice has the name
/// pivot_slice
/// @param error null, or gets PV_ERROR_FORMAT for anything missing, doubled, of the wrong type,
/// out of range or outside the picture; PV_ERROR_UNSUPPORTED if the library was built without
/// libcjson; errors of size as in pv_frames_from_grid()
/// @return frames for pv_frames_destroy(), or null with an error
PV_API pv_frames *pv_frames_load(const char *path, const pv_image *image,
                                 const pv_frames_options *options, pv_error *error);

/// Loads the frames of an atlas from JSON in memory, with the image given. The rest is as in
/// pv_frames_load().
PV_API pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                        const pv_frames_options *options, pv_error *error);

/// Frees the frames and releases their masks; null is allowed.
PV_API void pv_frames_destroy(pv_frames *frames);

/// Returns the number of frames; 0 for null.
PV_API int pv_frames_get_count(const pv_frames *frames);

/// Returns a frame, which lives as long as the frames; null for an index out of range.
PV_API const pv_frame *pv_frames_get_frame(const pv_frames *frames, int index);

/// Finds the index of the first frame of a name, or -1.
PV_API int pv_frames_find(const pv_frames *frames, const char *name);

/// Returns the path of the picture named in the atlas, with its directory in front. It is ""
/// without an allowed name, for a grid, and for null. It lives as long as the frames.
PV_API const char *pv_frames_get_image_path(const pv_frames *frames);

/// Adds a tag; its name is copied. Earlier pointers to tags become invalid.
/// @return PV_ERROR_ARGUMENT for null, frames out of range or an unknown direction; PV_ERROR_MEMORY
PV_API pv_status pv_frames_add_tag(pv_frames *frames, const pv_tag *tag);

/// Returns a tag; null for an index out of range. It is valid until a tag is added.
PV_API const pv_tag *pv_frames_get_tag(const pv_frames *frames, int index);

/// Finds the index of the first tag of a name, or -1.
PV_API int pv_frames_find_tag(const pv_frames *frames, const char *name);

/// Returns the index of the frame shown at a time; the frames repeat. A frame is shown from its
/// start until just before its end. Times are rounded to whole nanoseconds.
/// @param tag its index, or -1 for all frames forward
/// @param seconds time since the start [s]; negative and NaN count as 0, above 1e9 as 1e9
/// @return an index, or -1 for null or a tag out of range
PV_API int pv_frames_get_index_at(const pv_frames *frames, int tag, double seconds);

/** @} */

/** @defgroup tilemaps Tile maps
 *  Layers of tiles as one mask, so that bodies slide over them without hitting edges between
 *  tiles. @{ */

/// Flip of a tile left to right. Flips are the upper bits of a tile, as in Tiled. The order is:
/// diagonal, left to right, top to bottom.
#define PV_TILE_FLIP_X 0x80000000u
/// Flip of a tile top to bottom
#define PV_TILE_FLIP_Y 0x40000000u
/// Flip of a tile along its falling diagonal: x and y change places
#define PV_TILE_FLIP_DIAGONAL 0x20000000u

/// A layer of tiles. All of it is borrowed for the call.
typedef struct pv_tilemap_def {
    /// Size of a tile, > 0 [px]
    int tile_width, tile_height;
    /// Numbers of columns and rows, > 0; the layer is columns * tile_width x rows * tile_height px
    int columns, rows;
    /// Tiles, columns * rows of them, row by row from the top left: an id or-ed with flips; 0: none
    const uint32_t *tiles;
    /// Masks by id, each of a tile's size; masks[0] is ignored; null: an empty tile
    pv_mask *const *masks;
    /// Number of masks; ids are below it
    int mask_count;
    /// Allocator of the mask; zeros: the C library's
    pv_allocator allocator;
} pv_tilemap_def;

/// Creates the mask of a whole layer of tiles.
/// @param error null, or gets the outcome: PV_ERROR_ARGUMENT for a size < 1, an id beyond the
/// masks, a mask of another size, or a diagonal flip of a tile that is not square; errors of size
/// as in pv_mask_create(), up to 32768 px a side
/// @return a mask with one reference, or null with an error
PV_API pv_mask *pv_tilemap_create_mask(const pv_tilemap_def *def, pv_error *error);

/// Loads the mask of a map that Tiled wrote, in JSON (.tmj, .json) or XML (.tmx), or of a project
/// of LDtk (.ldtk). Cells of an LDtk IntGrid are solid where they are not 0. LDtk tiles are solid
/// in a named layer, and in levels without an IntGrid. A map of Tiled must be orthogonal. Tiles are
/// numbers or base64, plain or packed by zlib, gzip or zstd. Tilesets are in the map's file or in
/// files of their own (.tsj, .tsx, .json), in any order. Those that tiles are taken from must be
/// sheets or collections of pictures, with tiles of the map's size. Others are not read.
/// docs/ASSETS.md has the details.
///
/// The mask has the map's size. The mask of an infinite map has the size of all chunks of the
/// layers taken. A layer may be offset, also through its groups, rounded to whole pixels. The part
/// outside the mask is cut off. Visibility, opacity, parallax, transparent colors, shapes of
/// objects and pictures of layers are not read.
///
/// Paths of pictures and tilesets are relative to the file that names them. They may also be
/// absolute, or leave the directory with "..". A program that loads maps from strangers must
/// consider which files they may open. Only regular files are read, and only a mask comes back.
///
/// The parser's scratch memory comes from the C library, about 40 bytes for each byte of JSON. A
/// failed malloc() in it is PV_ERROR_FORMAT. No other thread may change the C locale meanwhile.
/// @param path the map; all its JSON files together up to 16 MiB, each up to the limits'
/// max_file_size
/// @param layer name of the tile layers to take, PV_ERROR_ARGUMENT if there are none; null: all
/// tile layers except those with a property "solid" of false; with LDtk a level, or "level/layer"
/// @param options null for the defaults. alpha_threshold applies to the pictures. limits apply to
/// them and to the sides of the mask. region must be empty. All pictures, tilesets and layers
/// together may have 32 times the limits' max_area in pixels, a tile of a layer counts as 32, and
/// all tilesets 2^20 tiles; more is PV_ERROR_TOO_LARGE.
/// @param error null, or gets PV_ERROR_FORMAT for anything missing, doubled, of the wrong type,
/// out of range or cut, and for tiles that no tileset has; PV_ERROR_UNSUPPORTED for other
/// orientations, used tiles of another size, and a library built
/// without libcjson, or without expat, zlib or zstd where a file needs it; errors of files and
/// pictures as in pv_image_load()
/// @return as pv_tilemap_create_mask()
PV_API pv_mask *pv_tilemap_load_mask(const char *path, const char *layer,
                                     const pv_mask_options *options, pv_error *error);

/// Shapes of objects in maps.
typedef enum pv_map_shape {
    /// Point
    PV_MAP_POINT = 0,
    /// Rectangle
    PV_MAP_RECTANGLE,
    /// Ellipse
    PV_MAP_ELLIPSE,
    /// Polygon
    PV_MAP_POLYGON,
    /// Polyline, which has no inside
    PV_MAP_POLYLINE,
    /// Tile
    PV_MAP_TILE,
    /// Capsule: a rectangle whose shorter sides are half discs, as of Tiled 1.12
    PV_MAP_CAPSULE
} pv_map_shape;

/// A property of an object in a map.
typedef struct pv_map_property {
    /// Name, UTF-8
    const char *name;
    /// Value if it is text, UTF-8; else ""
    const char *text;
    /// Value if it is a number; 1 for true; else 0
    double number;
} pv_map_property;

/// An object of a map. Places are those of the map's mask [px]. pv_body_def_set_top_left() with
/// mask, angle and top_left makes a body of one that has a mask.
typedef struct pv_map_object {
    /// Name, UTF-8, or ""; of LDtk the iid
    const char *name;
    /// Class of Tiled, or "type" before 1.9; "" if it has none; of LDtk the kind of entity
    const char *class_name;
    /// Name of the layer
    const char *layer;
    /// Shape
    pv_map_shape shape;
    /// Place, about which it is turned: the upper left corner of a rectangle, ellipse or
    /// capsule, the anchor of a tile, the pivot of an entity, or the origin of the points [px]
    pv_vec2 position;
    /// Width and height; 0 for points, polygons and polylines [px]
    pv_vec2 size;
    /// Angle, clockwise [rad]
    double angle;
    /// Corners of a polygon or polyline in the map, turned [px]
    const pv_vec2 *points;
    /// Number of corners
    int point_count;
    /// Mask of its inside, not turned, owned by the list; null for points, polylines and shapes
    /// without pixels
    pv_mask *mask;
    /// Place of the mask's upper left corner in the map [px]
    pv_vec2 top_left;
    /// Properties, in the order of the file
    const pv_map_property *properties;
    /// Number of properties
    int property_count;
} pv_map_object;

/// A list of objects. It does not change.
typedef struct pv_map_objects pv_map_objects;

/// Loads the objects of a map of Tiled, or the entities of a project of LDtk, in the forms that
/// pv_tilemap_load_mask() takes. The list has all objects, layer by layer, including hidden ones.
/// An object takes what it lacks from its template (.tx, .tj). docs/ASSETS.md has the details.
/// @param path the map
/// @param layer name of the object layers to take, PV_ERROR_ARGUMENT if there are none; null: all;
/// with LDtk a level, or "level/layer"
/// @param options as for pv_tilemap_load_mask(); sizes of masks are rounded to whole pixels
/// @param error null, or gets the outcome, as in pv_tilemap_load_mask()
/// @return a list for pv_map_objects_destroy(), or null with an error
PV_API pv_map_objects *pv_map_objects_load(const char *path, const char *layer,
                                           const pv_mask_options *options, pv_error *error);

/// Returns an object, which lives as long as the list; null for null and an index out of range.
PV_API const pv_map_object *pv_map_objects_get(const pv_map_objects *objects, int index);

/// Frees a list and releases its masks; null is allowed.
PV_API void pv_map_objects_destroy(pv_map_objects *objects);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
