/* pixverlet/sheet.h - sprite sheets with frames and tags, and tile maps as one mask.
 *
 * Invariant: frames and tile maps give masks of whole pixels, all or none.
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

/// One picture of an animation. Its mask has the size of the whole frame, with what was trimmed
/// off, so a place in one frame is the same place in the next.
typedef struct pv_frame {
    /// As the atlas has it, UTF-8; "" in a grid
    const char *name;
    /// Belongs to the frames; retain it to keep it longer than they live
    pv_mask *mask;
    /// In the mask's coordinates [px]
    pv_vec2 pivot;
    /// [s], 0.001...3600
    double duration;
    /// The part of the frame that was not trimmed off [px]; may reach out of the frame
    pv_rect trim_rect;
    /// Where the picture holds that part [px]; w and h are source's swapped when turned
    pv_rect atlas_rect;
    /// Held turned a quarter clockwise
    bool rotated;
} pv_frame;

/// In which order the frames of a tag are shown.
typedef enum pv_tag_direction {
    /// First...last, and again
    PV_TAG_FORWARD = 0,
    /// Last...first, and again
    PV_TAG_REVERSE,
    /// There and back; the first and the last are not shown twice in a row
    PV_TAG_PINGPONG,
    /// The same, from the last on
    PV_TAG_PINGPONG_REVERSE
} pv_tag_direction;

/// A named stretch of frames.
typedef struct pv_tag {
    /// UTF-8
    const char *name;
    /// Indices of frames, first <= last
    int first, last;
    /// In which order they are shown
    pv_tag_direction direction;
} pv_tag;

/// Frames and their tags; holds a reference of every mask. Not changed but by pv_frames_add_tag().
typedef struct pv_frames pv_frames;

/// How frames are read. Get one from pv_frames_options_default().
typedef struct pv_frames_options {
    /// A pixel is solid when its alpha is >= this, 0...255; default 128
    int alpha_threshold;
    /// For want of another: in sizes of the frame, |x|, |y| <= 1024; default 1/2
    pv_vec2 pivot;
    /// For want of another [s], 0.001...3600; default 0.1
    double duration;
    /// The Aseprite slice that bears the pivots; null: the first that bears any
    const char *pivot_slice;
    /// For the files and for every frame, and the allocator of all
    pv_image_limits limits;
    /// Set by pv_frames_options_default()
    unsigned cookie;
} pv_frames_options;

/// The defaults named above.
PV_API pv_frames_options pv_frames_options_default(void);

/// A sheet of equal cells, row by row from the top left.
typedef struct pv_grid {
    /// Of a cell [px], > 0
    int width, height;
    /// Round the whole sheet [px], >= 0
    int margin;
    /// Between neighboring cells [px], >= 0
    int spacing;
    /// Cells in a row; 0: as many as fit between the margins
    int columns;
    /// How many cells are taken; 0: columns times the whole rows between the margins
    int cell_count;
} pv_grid;

/// The frames of a sheet, with options' duration and pivot. All masks together may take as much
/// memory as the largest picture that the limits allow; more, or over 2^20 frames, is
/// PV_ERROR_TOO_LARGE.
/// @param image the sheet; not needed afterwards
/// @param grid its cells; PV_ERROR_ARGUMENT when there are none, or one leaves the picture
/// @param options null for the defaults
/// @param status null, or where the outcome goes
/// @return frames to give to pv_frames_destroy(), or null with a status
PV_API pv_frames *pv_frames_from_grid(const pv_image *image, const pv_grid *grid,
                                      const pv_frames_options *options, pv_status *status);

/// The frames of an atlas: JSON as Aseprite and TexturePacker write it, frames as an array or a
/// hash. Read are of a frame: frame, rotated (a quarter clockwise, turned back), spriteSourceSize,
/// sourceSize, duration [ms], pivot or anchor (in sizes of the frame); of meta: image, frameTags,
/// slices (pivots, held from key to key). Where frame is larger than spriteSourceSize by the same
/// border all round, that is padding. Tags without frames are left out; how often a tag repeats is
/// not read. The parser's scratch is the C library's, some 40 bytes for each of the JSON; when
/// malloc() fails in it, that is PV_ERROR_FORMAT. No other thread may change the C locale
/// meanwhile.
/// @param path the JSON file, up to 16 MiB and the limits' max_file_size
/// @param image the atlas picture; null: the one that meta.image names, which must be in the
/// directory of the JSON or below it: absolute names, and those with "..", a backslash or a colon,
/// are PV_ERROR_FORMAT
/// @param options null for the defaults; PV_ERROR_ARGUMENT too when no slice is named like
/// pivot_slice
/// @param status PV_ERROR_FORMAT for anything missing, doubled, of the wrong type, out of range or
/// out of the picture; PV_ERROR_UNSUPPORTED when the library was built without libcjson; sizes as
/// pv_frames_from_grid()
/// @return frames to give to pv_frames_destroy(), or null with a status
PV_API pv_frames *pv_frames_load(const char *path, const pv_image *image,
                                 const pv_frames_options *options, pv_status *status);

/// The frames of an atlas whose JSON is in memory; the image must be given. Else as
/// pv_frames_load().
PV_API pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                        const pv_frames_options *options, pv_status *status);

/// Frees the frames and gives their masks back; null is allowed.
PV_API void pv_frames_destroy(pv_frames *frames);

/// Returns how many frames there are; 0 for null.
PV_API int pv_frames_get_count(const pv_frames *frames);

/// A frame, which lives as long as the frames; null when there is none of that index.
PV_API const pv_frame *pv_frames_get_frame(const pv_frames *frames, int index);

/// The first frame of a name, or -1.
PV_API int pv_frames_find(const pv_frames *frames, const char *name);

/// Returns where the picture is that the atlas names, its directory in front; "" when it names none
/// that is allowed, for a grid, and for null. Lives as long as the frames.
PV_API const char *pv_frames_get_image_path(const pv_frames *frames);

/// Adds a tag; its name is copied. Earlier pointers to tags are invalid then.
/// @return PV_ERROR_ARGUMENT for null, frames that are not there or a direction that is none;
/// PV_ERROR_MEMORY
PV_API pv_status pv_frames_add_tag(pv_frames *frames, const pv_tag *tag);

/// Returns how many tags there are; 0 for null.
PV_API int pv_frames_get_tag_count(const pv_frames *frames);

/// A tag; null when there is none of that index. Valid until a tag is added.
PV_API const pv_tag *pv_frames_get_tag(const pv_frames *frames, int index);

/// The first tag of a name, or -1.
PV_API int pv_frames_find_tag(const pv_frames *frames, const char *name);

/// Returns how long one round of a tag takes, for a ping-pong there and back [s]; 0 for null or a
/// tag that is none.
/// @param tag its index, or -1 for all frames forward
PV_API double pv_frames_get_duration(const pv_frames *frames, int tag);

/// The frame that is shown at a time, round after round. A frame is shown from its start on, up to
/// its end but not at it; times are rounded to whole nanoseconds.
/// @param tag its index, or -1 for all frames forward
/// @param seconds since the start [s]; below 0 and NaN count as 0, above 1e9 as 1e9
/// @return an index, or -1 for null or a tag that is none
PV_API int pv_frames_get_index_at(const pv_frames *frames, int tag, double seconds);

/** @} */

/** @defgroup tilemaps Tile maps
 *  Layers of tiles as one mask, so that what slides over it meets no edges between tiles. @{ */

/// A tile's turns are in its upper bits, as Tiled has them: first it is mirrored along its falling
/// diagonal (x and y change places), then left to right, then top to bottom.
#define PV_TILE_FLIP_X 0x80000000u
/// Top to bottom
#define PV_TILE_FLIP_Y 0x40000000u
/// x and y change places
#define PV_TILE_FLIP_DIAGONAL 0x20000000u

/// A layer of tiles. All of it is borrowed for the call.
typedef struct pv_tilemap_def {
    /// [px], > 0
    int tile_width, tile_height;
    /// > 0; the layer is columns * tile_width x rows * tile_height px
    int columns, rows;
    /// Columns * rows of them, row by row from the top left: an id, or-ed with flips; 0: none
    const uint32_t *tiles;
    /// By id, masks[0] is not looked at; of a tile's size; null: an empty tile
    pv_mask *const *masks;
    /// Ids are below it
    int mask_count;
    /// Makes the mask; zeros: the C library's
    pv_allocator allocator;
} pv_tilemap_def;

/// The mask of a whole layer.
/// @param status null, or where the outcome goes: PV_ERROR_ARGUMENT for a size < 1, an id beyond
/// the masks, a mask of another size, a tile that is flipped diagonally and is no square; sizes as
/// pv_mask_create(), up to 32768 px a side
/// @return a mask with one reference, or null with a status
PV_API pv_mask *pv_tilemap_create_mask(const pv_tilemap_def *def, pv_status *status);

/// The mask of a map as Tiled writes it in JSON (.tmj, .json): orthogonal, of a fixed size, with
/// tilesets that are sheets of tiles of the map's size, in the map's file or in JSON files of their
/// own (.tsj, .json). The mask has the map's size; a layer may be offset, also by its groups,
/// rounded to whole pixels, and what then sticks out of the map is cut off. Tiles are numbers or
/// base64. Not read are visibility, opacity, parallax, transparent colors, the shapes of objects,
/// and pictures of layers. Pictures and tilesets are looked for where the map says, seen from the
/// file that names them: its names may also be absolute, or lead out of the directory by "..". Who
/// loads the maps of strangers has to care what such a name may open; nothing but regular files are
/// read, and of them only a mask comes back. The parser's scratch is the C library's, some 40 bytes
/// for each of the JSON; when malloc() fails in it, that is PV_ERROR_FORMAT. No other thread may
/// change the C locale meanwhile.
/// @param path the map; all its JSON files together up to 16 MiB, each up to the limits'
/// max_file_size
/// @param layer name of the tile layers that are taken, PV_ERROR_ARGUMENT when there are none;
/// null: all tile layers but those with a property "solid" that is false
/// @param options null for the defaults; threshold for the pictures; limits for them and for the
/// sides of the map; the region must be empty. All pictures, tiles and layers together may have 32
/// times the limits' max_area in pixels, and all tilesets 2^20 tiles; more is PV_ERROR_TOO_LARGE
/// @param status PV_ERROR_FORMAT for anything missing, doubled, of the wrong type, out of range, or
/// cut, and for tiles that no tileset has; PV_ERROR_UNSUPPORTED for compressed tiles, other
/// orientations, infinite maps, tilesets in XML, tiles of another size or with pictures of their
/// own that a layer uses, and when the library was built without libcjson; of files and pictures as
/// pv_image_load()
/// @return as pv_tilemap_create_mask()
PV_API pv_mask *pv_tilemap_load_mask(const char *path, const char *layer,
                                     const pv_mask_options *options, pv_status *status);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
