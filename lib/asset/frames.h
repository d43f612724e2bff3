/* frames.h - the interface of frames.c: animations: frames cut out of a sheet, tags, and which
 * frame is shown when.
 *
 * Invariant: as in frames.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_FRAMES_H
#define PV_ASSET_FRAMES_H

#include "pixel/bits.h"

/* frames in the making. Failing halfway, what was made is given to pv_frames_destroy(). */
/// Tells whether the options come from pv_frames_options_default() and are in their ranges.
pv_status pv__frames_options_check(const pv_frames_options *options);

/// No frames yet. The options must be good; picture is copied.
pv_frames *pv__frames_make(const pv_frames_options *options, const char *picture);

/// Adds a w x h frame: its name is copied, and its mask is cut out of the image, of which stored
/// must be a part.
pv_status pv__frames_add(pv_frames *frames, const pv_image *image, const pv_frame *frame, int w,
                         int h);

/// After the last frame: makes names to be found. PV_ERROR_FORMAT when they are to be unique and
/// are not.
pv_status pv__frames_finish(pv_frames *frames, bool unique);

#endif
