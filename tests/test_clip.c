/* test_clip.c - animations of the demo, read back with giflib. SPDX-License-Identifier: Zlib */
#include "app/clip.h"

#include "support.h"

#include <gif_lib.h>

enum { WIDTH = 324, HEIGHT = 48, PICTURES = 9 };

/// Paints a red square on a gradient; the square moves with the number.
static void paint(pv_canvas *canvas, int number) {
    for (int y = 0; y < canvas->height; y++)
        for (int x = 0; x < canvas->width; x++) {
            bool square = abs(x - 10 - 4 * number) < 5 && abs(y - 20) < 5;
            unsigned char blue = (unsigned char)(60 + 2 * y);
            unsigned char *pixel = canvas->pixels + y * canvas->pitch + (ptrdiff_t)x * 4;
            memcpy(pixel,
                   square ? (unsigned char[4]){220, 30, 30, 255}
                          : (unsigned char[4]){40, 90, blue, 255},
                   4);
        }
}

static pv_canvas new_canvas(void) {
    return (pv_canvas){calloc(WIDTH * HEIGHT, 4), WIDTH, HEIGHT, WIDTH * 4};
}

static struct clip clip_of(int pictures, int capacity) {
    scoped_pixels canvas = new_canvas();
    struct clip clip = {0};
    for (int i = 0; i < pictures; i++) {
        paint(&canvas, i);
        ck_assert(clip_see(&clip, &canvas, capacity));
    }
    return clip;
}

static GifFileType *read_file(const char *path) {
    GifFileType *file = DGifOpenFileName(path, NULL);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(DGifSlurp(file), GIF_OK);
    return file;
}

/// Draws one picture of a file over the earlier ones.
static void put_on(const GifFileType *file, int index, GifColorType *shown) {
    const SavedImage *image = &file->SavedImages[index];
    const GifImageDesc *place = &image->ImageDesc;
    for (int y = 0; y < place->Height; y++)
        for (int x = 0; x < place->Width; x++) {
            int color = image->RasterBits[y * place->Width + x];
            if (color != 255)
                shown[(place->Top + y) * WIDTH + place->Left + x] = file->SColorMap->Colors[color];
        }
}

/// Each picture is as painted, at thirty a second, in a loop; only the changed part is stored.
START_TEST(every_picture_is_shown) {
    struct clip clip = clip_of(PICTURES, 100);
    scoped_pixels canvas = new_canvas();
    GifColorType shown[WIDTH * HEIGHT];
    ck_assert(!clip_write(&clip, "no/such/directory.gif") && clip_write(&clip, "clip.gif"));
    GifFileType *file = read_file("clip.gif");
    ck_assert_int_eq(file->ImageCount, PICTURES);
    ck_assert(file->SWidth == WIDTH && file->SHeight == HEIGHT);
    ck_assert_mem_eq(file->SavedImages[0].ExtensionBlocks->Bytes, "NETSCAPE2.0", 11);
    int hundredths = 0;
    for (int i = 0; i < PICTURES; i++) {
        const GifImageDesc *place = &file->SavedImages[i].ImageDesc;
        GraphicsControlBlock block;
        ck_assert_int_eq(DGifSavedExtensionToGCB(file, i, &block), GIF_OK);
        hundredths += block.DelayTime;
        ck_assert(i == 0 || (place->Width <= 13 && place->Height == 9 && place->Top == 16));
        paint(&canvas, i);
        put_on(file, i, shown);
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            ck_assert_int_le(abs(shown[k].Red - canvas.pixels[k * 4]), 20);
            ck_assert_int_le(abs(shown[k].Green - canvas.pixels[k * 4 + 1]), 20);
            ck_assert_int_le(abs(shown[k].Blue - canvas.pixels[k * 4 + 2]), 20);
        }
    }
    ck_assert_int_eq(hundredths, 30);
    DGifCloseFile(file, NULL);
    clip_close(&clip);
}

START_TEST(the_oldest_gives_way) {
    struct clip clip = clip_of(PICTURES, 4), last = {0};
    scoped_pixels canvas = new_canvas();
    ck_assert_int_eq(clip.count, 4);
    for (int i = PICTURES - 4; i < PICTURES; i++) {
        paint(&canvas, i);
        ck_assert(clip_see(&last, &canvas, 4));
    }
    ck_assert(clip_write(&clip, "ring.gif") && clip_write(&last, "last.gif"));
    GifFileType *a = read_file("ring.gif"), *b = read_file("last.gif");
    ck_assert_int_eq(a->ImageCount, 4);
    for (int i = 0; i < 4; i++) {
        const GifImageDesc *place = &a->SavedImages[i].ImageDesc;
        ck_assert_int_eq(place->Left, b->SavedImages[i].ImageDesc.Left);
        ck_assert_mem_eq(a->SavedImages[i].RasterBits, b->SavedImages[i].RasterBits,
                         (size_t)place->Width * (size_t)place->Height);
    }
    DGifCloseFile(a, NULL);
    DGifCloseFile(b, NULL);
    clip_close(&clip);
    clip_close(&last);
}

START_TEST(another_size_begins_a_new_clip) {
    struct clip clip = clip_of(3, 100);
    scoped_pixels canvas = {calloc(1280 * 720, 4), 1280, 720, 1280 * 4};
    for (int i = 0; i < 1280 * 720; i++) canvas.pixels[i * 4] = i % 2 ? 100 : 200;
    ck_assert(clip_see(&clip, &canvas, 100));
    ck_assert_int_eq(clip.count, 1);
    ck_assert_int_eq(clip.width, 640);
    ck_assert_int_eq(clip.height, 360);
    ck_assert_int_le(abs((clip.pixels[1000] >> 11 << 3) - 150), 12); /* the mean of four pixels */
    clip_close(&clip);
}

START_TEST(a_copy_has_the_last_pictures) {
    struct clip ring = clip_of(PICTURES, 6), copy, none = {0};
    ck_assert(clip_copy(&copy, &ring, 4));
    ck_assert_int_eq(copy.count, 4);
    size_t picture = (size_t)copy.width * (size_t)copy.height;
    for (size_t i = 0; i < 4; i++)
        ck_assert_mem_eq(copy.pixels + i * picture,
                         ring.pixels + ((size_t)ring.first + 2 + i) % 6 * picture, 2 * picture);
    clip_close(&copy);
    ck_assert(clip_copy(&copy, &none, 4) && !clip_write(&none, "empty.gif"));
    ck_assert_int_eq(copy.count, 0);
    clip_close(&copy);
    clip_close(&ring);
}

RUN_TESTS("clip")
