/* frames.h - the interface of frames.c: manages animations, which are frames from a sheet with
 * tags.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_FRAMES_H
#define PV_ASSET_FRAMES_H

#include "base/error.h"
#include "pixel/bits.h"

/* frames under construction; after a failure, the caller calls pv_frames_destroy() */
/// Checks the parameter "options".
bool pv__frames_check_options(pv_error *e, const pv_frames_options *options);

/// Creates an empty list of frames. The options must be valid; picture is copied.
pv_frames *pv__frames_make(pv_error *e, const pv_frames_options *options, const char *picture);

/// Adds a w x h frame, and cuts its mask out of the image. The name is copied, and atlas_rect must
/// lie inside the image.
bool pv__frames_add(pv_error *e, pv_frames *frames, const pv_image *image, const pv_frame *frame,
                    int w, int h);

/// Completes the list after the last frame, so that names can be found.
bool pv__frames_finish(pv_error *e, pv_frames *frames);

#endif
