/* gdx.h - the interface of gdx.c: atlases of libGDX as the trees that their JSON would give.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

struct cJSON;

/// Parses the text of a .atlas, old or new. Returns a tree for cJSON_Delete(), which lacks what the
/// text lacks.
/// @param text changed on the way
struct cJSON *pv__gdx_parse(char *text);
