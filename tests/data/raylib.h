/* raylib.h - what pixverlet/raylib.h and docs/ADOPT.md use of raylib, to compile them without it.
 * SPDX-License-Identifier: Zlib */
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct Vector2 {
    float x, y;
} Vector2;
typedef struct Rectangle {
    float x, y, width, height;
} Rectangle;
typedef struct Color {
    unsigned char r, g, b, a;
} Color;
typedef struct Image {
    void *data;
    int width, height, mipmaps, format;
} Image;
typedef struct Texture {
    unsigned int id;
    int width, height, mipmaps, format;
} Texture2D;
enum { PIXELFORMAT_UNCOMPRESSED_R8G8B8A8 = 7, TEXTURE_FILTER_POINT = 0, KEY_D = 68 };
static const Color BLACK = {0, 0, 0, 255};
Image ImageCopy(Image image);
void ImageFormat(Image *image, int newFormat);
void UnloadImage(Image image);
Color GetColor(unsigned int hexValue);
void DrawLineV(Vector2 startPos, Vector2 endPos, Color color);
void DrawCircleV(Vector2 center, float radius, Color color);
void DrawRectangle(int posX, int posY, int width, int height, Color color);
void InitWindow(int width, int height, const char *title);
void SetTargetFPS(int fps);
Image LoadImage(const char *fileName);
Texture2D LoadTextureFromImage(Image image);
void SetTextureFilter(Texture2D texture, int filter);
bool WindowShouldClose(void);
void BeginDrawing(void);
void ClearBackground(Color color);
bool IsKeyDown(int key);
void EndDrawing(void);
void CloseWindow(void);
void DrawTexturePro(Texture2D texture, Rectangle source, Rectangle dest, Vector2 origin,
                    float rotation, Color tint);
#ifdef __cplusplus
}
#endif
