/* xml.h - the interface of xml.c: maps and sheets in XML, as the trees that their JSON would give.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_XML_H
#define PV_ASSET_XML_H

#include "base/error.h"

struct cJSON;

/// Greatest size of all JSON together [bytes]; the parser takes up to about 40 bytes for each
#define PV__MOST_JSON ((int64_t)1 << 24)
/// Number of zeros after a file [bytes]; older parsers read a byte beyond the given size
#define PV__JSON_PADDING 16

/// Tells whether a text is XML, not JSON.
bool pv__is_xml(const char *text);

/// Parses a map (.tmx), tileset (.tsx) or template (.tx) of Tiled, or a TextureAtlas, as its JSON.
/// Fails with PV_ERROR_FORMAT, or PV_ERROR_UNSUPPORTED in a build without expat.
/// @param field, name parameter and path of the text, for error messages
/// @return a tree for cJSON_Delete(), or null after a failure
struct cJSON *pv__xml_parse(pv_error *e, const char *field, const char *name, const char *text,
                            size_t size);

#endif
