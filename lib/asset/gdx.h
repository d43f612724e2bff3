/* gdx.h - the interface of gdx.c: atlases of libGDX as the trees that their JSON would give.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_GDX_H
#define PV_ASSET_GDX_H

struct cJSON;

/// Parses the text of an .atlas file, old or new. Returns a tree for cJSON_Delete(), which lacks
/// whatever the text lacks.
/// @param text modified by the parser
struct cJSON *pv__gdx_parse(char *text);

#endif
