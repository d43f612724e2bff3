/* fuzz_png.c - bytes as PNG files: what loads agrees with its header, the limits and itself.
 *
 * Invariant: masks are compared with the alphas of the image that the same bytes give, one by one.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz.h"

enum { SIDE = 96, AREA = 4096 };

static uint32_t number_at(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t crc(const uint8_t *p, size_t size) {
    uint32_t c = 0xffffffff;
    while (size--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    }
    return ~c;
}

/// Corrects all checksums, as mutation hardly ever does it.
static void seal(uint8_t *data, size_t size) {
    for (size_t at = 8; at + 12 <= size;) {
        uint32_t length = number_at(data + at);
        if (length > size - at - 12) return;
        uint32_t sum = crc(data + at + 4, (size_t)length + 4);
        uint8_t *p = data + at + 8 + length;
        for (int i = 0; i < 4; i++) p[i] = (uint8_t)(sum >> (24 - 8 * i));
        at += (size_t)length + 12;
    }
}

/// Returns the header's data in a file that loads. Chunks of unknown kinds may precede it.
static const uint8_t *header_of(const uint8_t *data) {
    const uint8_t *at = data + 8;
    while (memcmp(at + 4, "IHDR", 4) != 0) at += number_at(at) + 12;
    return at + 8;
}

static pv_mask_options options_of(fuzz_purse *purse, int threshold) {
    pv_mask_options o = pv_mask_options_default();
    o.alpha_threshold = threshold;
    o.limits.max_width = o.limits.max_height = SIDE;
    o.limits.max_area = AREA;
    o.limits.allocator = fuzz_allocator(purse);
    return o;
}

static void check_mask(const pv_image *image, const pv_mask *mask, int threshold, pv_rect r) {
    CHECK(mask && pv_mask_get_width(mask) == r.w && pv_mask_get_height(mask) == r.h);
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w; x++) {
            int alpha = image->pixels[4 * ((r.y + y) * image->width + r.x + x) + 3];
            CHECK(pv_mask_get_pixel(mask, x, y) == (alpha >= threshold));
        }
}

/// Checks masks of the whole picture and of a part, made from the bytes and from the image.
static void check_masks(const uint8_t *data, size_t size, const pv_image *image, int threshold) {
    fuzz_purse purse = {0};
    pv_mask_options o = options_of(&purse, threshold);
    pv_rect all = {0, 0, image->width, image->height},
            part = {all.w / 3, all.h / 4, all.w - all.w / 3, (all.h + 1) / 2};
    for (int i = 0; i < 4; i++) {
        pv_rect taken = i & 1 ? part : all;
        if (i & 1) o.region = part;
        pv_mask *mask =
            i & 2 ? pv_mask_from_image(image, &o, NULL) : pv_mask_load_memory(data, size, &o, NULL);
        check_mask(image, mask, threshold, taken);
        pv_mask_release(mask);
        o.region = (pv_rect){0, 0, 0, 0};
    }
    o.region = (pv_rect){all.w - 1, 0, 2, 1};
    CHECK(!pv_mask_load_memory(data, size, &o, NULL) && purse.live == 0);
}

/// Checks that each failed allocation is reported as such and leaves nothing allocated.
static void check_failures(const uint8_t *data, size_t size, long calls) {
    for (long i = 1; i <= calls; i++) {
        fuzz_purse purse = {.fail_at = i};
        pv_error error = {0};
        pv_mask_options o = options_of(&purse, 128);
        CHECK(!pv_image_load_memory(data, size, &o.limits, &error));
        CHECK(error.status == PV_ERROR_MEMORY && purse.live == 0);
    }
}

static void try_file(const uint8_t *data, size_t size) {
    fuzz_purse purse = {0};
    pv_mask_options o = options_of(&purse, 128);
    pv_error error = {.status = PV_STATUS_COUNT};
    pv_image *image = pv_image_load_memory(data, size, &o.limits, &error);
    CHECK((image != NULL) == (error.status == PV_OK) && error.status < PV_STATUS_COUNT);
    if (image) {
        const uint8_t *header = header_of(data);
        CHECK((uint32_t)image->width == number_at(header) &&
              (uint32_t)image->height == number_at(header + 4));
        CHECK(image->width <= SIDE && image->height <= SIDE &&
              image->width * image->height <= AREA);
        for (int i = 0; i < 4; i++)
            check_masks(data, size, image, (const int[]){0, 1, 128, 255}[i]);
        check_failures(data, size, purse.calls);
    } else {
        pv_mask *mask = pv_mask_load_memory(data, size, &o, NULL);
        CHECK(!mask);
    }
    pv_image_destroy(image);
    CHECK(purse.live == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_file(data, size);
    uint8_t *sealed = malloc(size ? size : 1);
    CHECK(sealed);
    if (size) memcpy(sealed, data, size);
    seal(sealed, size);
    if (size && memcmp(sealed, data, size) != 0) try_file(sealed, size);
    free(sealed);
    return 0;
}
