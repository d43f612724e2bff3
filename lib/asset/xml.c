/* xml.c - reads files of Tiled and texture atlases in XML as the trees that their JSON would give.
 *
 * Invariant: only the form is translated. The reader of the tree checks every value, as it does for
 * JSON. Entities are refused and the depth is bounded, so a tree is no larger than that of JSON of
 * the same size.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "asset/xml.h"

bool pv__is_xml(const char *text) {
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    return text[strspn(text, " \t\r\n")] == '<';
}

#if !defined HAVE_CJSON || !defined HAVE_EXPAT

struct cJSON *pv__xml_parse(pv_error *e, const char *field, const char *name, const char *text,
                            size_t size) {
    (void)text, (void)size;
    pv__error_say(e, PV_ERROR_UNSUPPORTED, field,
                  "%s is XML, but this libpixverlet was built without expat", name);
    return NULL;
}

#else

#include <cjson/cJSON.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

/// Greatest depth of elements; in a typical map it is below ten
#define MOST_NESTED 200

/// Parser's state. An element without a place in the tree has the object null.
typedef struct reader {
    XML_Parser parser;
    cJSON *root;
    cJSON *stack[MOST_NESTED];
    int depth;
    /// True in a template: its root has one tileset and one object, and no lists of them
    bool single;
    /// Text of the last element <data> or <chunk>, while it is open; allocated by the C library
    bool open;
    char *text;
    size_t text_size, text_room;
    /// End of the sentence about a failure, or null
    const char *what;
} reader;

static void fail(reader *r, const char *what) {
    if (!r->what) r->what = what;
    XML_StopParser(r->parser, XML_FALSE);
}

static bool is_one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* ---- attributes ---- */

/// Returns the value of an attribute, or null.
static const char *attribute(const char **pairs, const char *name) {
    for (; *pairs; pairs += 2)
        if (strcmp(pairs[0], name) == 0) return pairs[1];
    return NULL;
}

/// Returns a value as a number, or else as text, which a reader refuses where it needs a number.
static cJSON *xml_number(const char *text) {
    char *end;
    double number = strtod(text, &end);
    return *text && !*end ? cJSON_CreateNumber(number) : cJSON_CreateString(text);
}

static cJSON *value_of(const char *name, const char *text) {
    static const char *const texts[] = {"name",     "class",       "type",        "source",
                                        "encoding", "compression", "orientation", "template",
                                        "value",    NULL};
    static const char *const bools[] = {"infinite", "visible", NULL};
    if (is_one_of(name, texts)) return cJSON_CreateString(text);
    if (is_one_of(name, bools)) return cJSON_CreateBool(strcmp(text, "1") == 0);
    return xml_number(text);
}

static cJSON *add_attributes(cJSON *object, const char **pairs) {
    for (; *pairs; pairs += 2)
        cJSON_AddItemToObject(object, pairs[0], value_of(pairs[0], pairs[1]));
    return object;
}

/* ---- elements of Tiled ---- */

/// Returns a list of an owner, and creates it if it is missing.
static cJSON *list_of(cJSON *owner, const char *list) {
    cJSON *items = cJSON_GetObjectItemCaseSensitive(owner, list);
    return items ? items : cJSON_AddArrayToObject(owner, list);
}

/// Appends an object to a list of its owner.
static cJSON *add_to_list(cJSON *owner, const char *list) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list_of(owner, list), object);
    return object;
}

static cJSON *add_named(cJSON *owner, const char *list, const char **pairs) {
    return add_attributes(add_to_list(owner, list), pairs);
}

/// Adds a layer of any kind.
static cJSON *add_layer(cJSON *owner, const char *type, const char **pairs) {
    cJSON *layer = add_named(owner, "layers", pairs);
    cJSON_AddStringToObject(layer, "type", type);
    if (strcmp(type, "group") == 0) cJSON_AddArrayToObject(layer, "layers");
    if (strcmp(type, "objectgroup") == 0) cJSON_AddArrayToObject(layer, "objects");
    return layer;
}

/// Adds a property, whose value has the type that is named beside it.
static void add_property(cJSON *owner, const char **pairs) {
    cJSON *property = add_to_list(owner, "properties");
    const char *type = attribute(pairs, "type"), *value = attribute(pairs, "value"),
               *name = attribute(pairs, "name");
    static const char *const texts[] = {"string", "color", "file", "class", "bool", NULL};
    cJSON_AddStringToObject(property, "name", name ? name : "");
    cJSON_AddStringToObject(property, "type", type ? type : "string");
    cJSON_AddItemToObject(property, "value",
                          type && !is_one_of(type, texts) ? xml_number(value ? value : "")
                          : type && strcmp(type, "bool") == 0
                              ? cJSON_CreateBool(value && strcmp(value, "true") == 0)
                              : cJSON_CreateString(value ? value : ""));
}

/// Adds the corners of a polygon or polyline: "x,y x,y".
static void add_points(cJSON *object, const char *list, const char *text) {
    char *end;
    for (const char *at = text ? text : ""; *at; at = end) {
        double x = strtod(at, &end), y = *end == ',' ? strtod(end + 1, &end) : 0;
        if (end == at) return;
        cJSON *point = add_to_list(object, list);
        cJSON_AddNumberToObject(point, "x", x);
        cJSON_AddNumberToObject(point, "y", y);
    }
}

/// Begins the data of a layer or a chunk.
static cJSON *begin_data(reader *r, cJSON *layer, const char *name, const char **pairs) {
    r->open = true;
    r->text_size = 0;
    if (strcmp(name, "chunk") == 0) return add_named(layer, "chunks", pairs);
    return add_attributes(layer, pairs);
}

/// Ends the data of a layer or a chunk. A layer of chunks has no text of its own.
/// @param layer object with the encoding
static void end_data(reader *r, cJSON *layer, cJSON *owner) {
    const cJSON *encoding = cJSON_GetObjectItemCaseSensitive(layer, "encoding");
    bool open = r->open;
    r->open = false;
    if (!open || !cJSON_IsString(encoding)) return;
    if (strcmp(encoding->valuestring, "csv") != 0) {
        cJSON_AddStringToObject(owner, "data", r->text_size ? r->text : "");
        return;
    }
    cJSON *tiles = list_of(owner, "data");
    char *end;
    for (char *at = r->text_size ? r->text : NULL; at && *at; at = end + strspn(end, ", \t\r\n")) {
        double tile = strtod(at, &end);
        if (end == at) return;
        cJSON_AddItemToArray(tiles, cJSON_CreateNumber(tile));
    }
}

/// Returns the object of an element inside that of its owner, or null for an element to skip.
static cJSON *begin_tiled(reader *r, cJSON *owner, const char *name, const char **pairs) {
    static const char *const shapes[] = {"capsule", "ellipse", "point", NULL},
                             *const lines[] = {"polygon", "polyline", NULL},
                             *const singles[] = {"object", "tileset", NULL},
                             *const layers[] = {"group", "imagelayer", "objectgroup", NULL};
    const char *gid = attribute(pairs, "gid"), *source = attribute(pairs, "source");
    if (r->single && owner == r->root && is_one_of(name, singles))
        return add_attributes(cJSON_AddObjectToObject(owner, name), pairs);
    if (strcmp(name, "tileset") == 0) return add_named(owner, "tilesets", pairs);
    if (strcmp(name, "layer") == 0) return add_layer(owner, "tilelayer", pairs);
    if (is_one_of(name, layers)) return add_layer(owner, name, pairs);
    if (strcmp(name, "data") == 0 || strcmp(name, "chunk") == 0)
        return begin_data(r, owner, name, pairs);
    if (strcmp(name, "properties") == 0) return owner;
    if (strcmp(name, "object") == 0) return add_named(owner, "objects", pairs);
    if (strcmp(name, "property") == 0) add_property(owner, pairs);
    if (strcmp(name, "tile") == 0 && attribute(pairs, "id"))
        return add_named(owner, "tiles", pairs);
    if (strcmp(name, "tile") == 0 && gid)
        cJSON_AddItemToArray(list_of(owner, "data"), xml_number(gid));
    if (strcmp(name, "image") == 0 && source) cJSON_AddStringToObject(owner, "image", source);
    if (is_one_of(name, shapes)) cJSON_AddTrueToObject(owner, name);
    if (is_one_of(name, lines)) add_points(owner, name, attribute(pairs, "points"));
    return NULL;
}

/* ---- elements of a TextureAtlas ---- */

/// Adds an object of four numbers from attributes. A missing one is replaced by another one or 0.
static void add_box(cJSON *owner, const char *box, const char **pairs, const char *const names[4],
                    const char *const others[4], double sign) {
    static const char *const members[4] = {"x", "y", "w", "h"};
    cJSON *object = cJSON_AddObjectToObject(owner, box);
    for (int i = 0; i < 4; i++) {
        const char *text = attribute(pairs, names[i]);
        if (!text && others[i]) text = attribute(pairs, others[i]);
        cJSON *value = text ? xml_number(text) : cJSON_CreateNumber(0);
        if (i < 2 && cJSON_IsNumber(value)) cJSON_SetNumberHelper(value, sign * value->valuedouble);
        cJSON_AddItemToObject(object, members[i], value);
    }
}

/// Adds a frame. Its place in the whole frame is (-frameX, -frameY).
static void add_texture(cJSON *frames, const char **pairs) {
    static const char *const none[4] = {NULL}, *const place[4] = {"x", "y", "width", "height"},
                             *const part[4] = {"frameX", "frameY", "width", "height"},
                             *const turned[4] = {"frameX", "frameY", "height", "width"},
                             *const whole[4] = {"frameX", "frameY", "frameWidth", "frameHeight"};
    const char *name = attribute(pairs, "name"), *rotated = attribute(pairs, "rotated");
    bool turn = rotated && strcmp(rotated, "true") == 0;
    cJSON *frame = cJSON_CreateObject();
    cJSON_AddItemToArray(frames, frame);
    cJSON_AddStringToObject(frame, "filename", name ? name : "");
    cJSON_AddBoolToObject(frame, "rotated", turn);
    add_box(frame, "frame", pairs, place, none, 1);
    add_box(frame, "spriteSourceSize", pairs, turn ? turned : part, none, -1);
    add_box(frame, "sourceSize", pairs, whole, turn ? turned : place, -1);
}

/* ---- the parser ---- */

/// Begins the root, whose lists may be empty.
static cJSON *begin_root(reader *r, const char *name, const char **pairs) {
    r->root = cJSON_CreateObject();
    if (strcmp(name, "TextureAtlas") == 0) {
        const char *picture = attribute(pairs, "imagePath");
        cJSON *meta = cJSON_AddObjectToObject(r->root, "meta");
        if (picture) cJSON_AddStringToObject(meta, "image", picture);
        return cJSON_AddArrayToObject(r->root, "frames");
    }
    if (strcmp(name, "map") != 0 && strcmp(name, "tileset") != 0 && strcmp(name, "template") != 0)
        fail(r, "is neither a map, tileset or template of Tiled nor a TextureAtlas");
    r->single = strcmp(name, "template") == 0;
    add_attributes(r->root, pairs);
    if (strcmp(name, "map") == 0) {
        cJSON_AddArrayToObject(r->root, "layers");
        cJSON_AddArrayToObject(r->root, "tilesets");
    }
    return r->root;
}

static void XMLCALL begin_element(void *user_data, const XML_Char *name, const XML_Char **pairs) {
    reader *r = user_data;
    cJSON *owner = r->depth ? r->stack[r->depth - 1] : NULL, *made = NULL;
    if (r->depth == MOST_NESTED) {
        fail(r, "has elements nested too deeply");
        return;
    }
    if (r->depth == 0)
        made = begin_root(r, name, pairs);
    else if (cJSON_IsArray(owner) && strcmp(name, "SubTexture") == 0)
        add_texture(owner, pairs);
    else if (cJSON_IsObject(owner))
        made = begin_tiled(r, owner, name, pairs);
    r->stack[r->depth++] = made;
}

static void XMLCALL end_element(void *user_data, const XML_Char *name) {
    reader *r = user_data;
    r->depth--;
    if (r->depth && (strcmp(name, "data") == 0 || strcmp(name, "chunk") == 0))
        end_data(r, r->stack[r->depth - 1], r->stack[r->depth]);
}

static void XMLCALL take_text(void *user_data, const XML_Char *text, int size) {
    reader *r = user_data;
    size_t need = r->text_size + (size_t)size + 1;
    if (!r->open) return;
    if (need > r->text_room) {
        char *grown = realloc(r->text, 2 * need);
        if (!grown) {
            fail(r, "needs more memory than there is");
            return;
        }
        r->text = grown;
        r->text_room = 2 * need;
    }
    memcpy(r->text + r->text_size, text, (size_t)size);
    r->text_size += (size_t)size;
    r->text[r->text_size] = '\0';
}

static void XMLCALL refuse_entity(void *user_data, const XML_Char *name, int parameter,
                                  const XML_Char *value, int length, const XML_Char *base,
                                  const XML_Char *system_id, const XML_Char *public_id,
                                  const XML_Char *notation) {
    (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system_id;
    (void)public_id, (void)notation;
    fail(user_data, "declares an entity");
}

/// Tells what stopped the parser.
static void tell_stop(pv_error *e, const char *field, const char *name, const reader *r) {
    if (r->what)
        pv__error_say(e, PV_ERROR_FORMAT, field, "%s %s", name, r->what);
    else
        pv__error_say(e, PV_ERROR_FORMAT, field, "%s is not XML from line %lu on: %s", name,
                      (unsigned long)XML_GetCurrentLineNumber(r->parser),
                      XML_ErrorString(XML_GetErrorCode(r->parser)));
}

cJSON *pv__xml_parse(pv_error *e, const char *field, const char *name, const char *text,
                     size_t size) {
    reader r = {.parser = XML_ParserCreate(NULL)};
    if (!r.parser) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetCharacterDataHandler(r.parser, take_text);
    XML_SetEntityDeclHandler(r.parser, refuse_entity);
    if (XML_Parse(r.parser, text, (int)size, XML_TRUE) != XML_STATUS_OK || r.what) {
        tell_stop(e, field, name, &r);
        cJSON_Delete(r.root);
        r.root = NULL;
    } else if (!r.root) {
        pv__error_set(e, PV_ERROR_MEMORY);
    }
    XML_ParserFree(r.parser);
    free(r.text);
    return r.root;
}

#endif
