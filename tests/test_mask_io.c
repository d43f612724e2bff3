/* test_mask_io.c - rows of bits against a loop over pixels, and stored masks with every kind of
 * damage.
 *
 * Invariant: bytes are compared one bit at a time.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <limits.h>

/* ---- rows ---- */

static pv_mask *make(int w, int h) { return any_mask(w, h, 50); }

/// Compares a new mask with the expected one, and releases it.
static void judge(pv_mask *made, const pv_mask *expected) {
    ck_assert_ptr_nonnull(made);
    check_same_masks(made, expected);
    pv_mask_release(made);
}

/// Counts wrong bits, and wrong bytes beside the rows, which must stay 0xa5.
static int wrong_bytes(const pv_mask *mask, const unsigned char *rows, int pitch,
                       pv_bit_order order) {
    int wrong = 0, w = pv_mask_get_width(mask), used = (w + 7) / 8;
    for (int y = 0; y < pv_mask_get_height(mask); y++) {
        for (int x = 0; x < used * 8; x++)
            wrong += (rows[y * pitch + x / 8] >> (order == PV_BITS_MSB_FIRST ? 7 - x % 8 : x % 8) &
                      1) != pv_mask_get_pixel(mask, x, y);
        for (int i = used; i < pitch; i++) wrong += rows[y * pitch + i] != 0xa5;
    }
    return wrong;
}

START_TEST(rows_hold_one_bit_a_pixel) {
    static unsigned char rows[20 * 80];
    for (int i = 0; i < 4000; i++) {
        int w = any_width(), h = any_int(0, 16), pitch = (w + 7) / 8 + any_int(0, 9);
        pv_bit_order order = i & 1 ? PV_BITS_MSB_FIRST : PV_BITS_LSB_FIRST;
        scoped_mask *mask = make(w, h);
        memset(rows, 0xa5, sizeof rows);
        ck_assert_int_eq(pv_mask_to_bits(mask, rows, pitch, order), PV_OK);
        ck_assert_int_eq(wrong_bytes(mask, rows, pitch, order), 0);
        judge(pv_mask_from_bits(rows, w, h, pitch, order, NULL, NULL), mask);
        unsigned char *last = rows + (h - 1) * pitch;
        if (h) {
            ck_assert_int_eq(pv_mask_to_bits(mask, last, -pitch, order), PV_OK);
            judge(pv_mask_from_bits(last, w, h, -pitch, order, NULL, NULL), mask);
        }
    }
}

static pv_error said;

static pv_mask *from_bits(const void *rows, int w, int h, int pitch, pv_bit_order order) {
    said = (pv_error){0};
    return pv_mask_from_bits(rows, w, h, pitch, order, NULL, &said);
}

START_TEST(bits_beside_the_picture_are_left_out) {
    unsigned char rows[3 * 20];
    memset(rows, 255, sizeof rows);
    for (int w = 0; w <= 130; w++) {
        scoped_mask *full = box_mask(w, 3);
        for (int order = 0; order < 2; order++)
            judge(pv_mask_from_bits(rows, w, 3, 20, (pv_bit_order)order, NULL, NULL), full);
    }
}

START_TEST(wrong_rows_are_refused) {
    unsigned char rows[100] = {0};
    const pv_bit_order low = PV_BITS_LSB_FIRST;
    scoped_mask *mask = make(10, 10);
    ck_assert_int_eq(pv_mask_to_bits(mask, rows, 1, low), PV_ERROR_ARGUMENT);
    ck_assert_refused(from_bits(rows, -1, 10, 2, low), said, PV_ERROR_ARGUMENT);
    ck_assert_refused(from_bits(rows, 10, INT_MIN, 2, low), said, PV_ERROR_ARGUMENT);
    ck_assert_refused(from_bits(rows, 10, 10, -1, low), said, PV_ERROR_ARGUMENT);
    ck_assert_refused(from_bits(rows, INT_MAX, 1, 0, low), said, PV_ERROR_TOO_LARGE);
    /* No pitch is enough for such a width. */
    ck_assert_ptr_null(from_bits(rows, INT_MAX, 2, 0, low));
    ck_assert_int_ne(said.status, PV_OK);
    ck_assert_str_eq(said.field, "width");
}

/* ---- stored ---- */

/// Returns a stored mask, to be freed.
static unsigned char *store(const pv_mask *mask, size_t *size) {
    *size = pv_mask_serialize(mask, NULL, 0);
    unsigned char *bytes = malloc(*size);
    ck_assert_uint_eq(pv_mask_serialize(mask, bytes, *size), *size);
    return bytes;
}

static void refuse(const unsigned char *bytes, size_t size, pv_status wanted) {
    scoped_purse p = {0, 0, 0};
    pv_allocator allocator = {purse_alloc, &p};
    pv_error error = {0};
    ck_assert_refused(pv_mask_deserialize(bytes, size, &allocator, &error), error, wanted);
}

static uint64_t checksum(const unsigned char *bytes, size_t size) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

/// Corrects the checksum, as a forger would.
static void seal(unsigned char *bytes, size_t size) {
    uint64_t sum = checksum(bytes, size - 8);
    for (size_t i = 0; i < 8; i++) bytes[size - 8 + i] = (unsigned char)(sum >> (8 * i));
}

static void refuse_sealed(unsigned char *bytes, size_t size, pv_status wanted) {
    seal(bytes, size);
    refuse(bytes, size, wanted);
}

/// Returns the size of a mask as rows of bits or as runs, whichever is smaller, from its pixels.
static size_t shorter_form(const pv_mask *mask) {
    size_t w = (size_t)pv_mask_get_width(mask), h = (size_t)pv_mask_get_height(mask),
           rows = (w + 7) / 8 * h, runs = 2 * h;
    for (int y = 0; y < (int)h; y++)
        for (int x = 0; x < (int)w; x++)
            runs += pv_mask_get_pixel(mask, x, y) && !pv_mask_get_pixel(mask, x - 1, y) ? 4 : 0;
    return runs < rows ? runs : rows;
}

/// Stores a mask, reads it back, and returns the bytes, to be freed.
static unsigned char *check_stored(const pv_mask *mask, size_t *size) {
    unsigned char *bytes = store(mask, size);
    pv_error error = {.status = PV_ERROR_STALE_ID};
    ck_assert_uint_eq(*size, 24 + shorter_form(mask));
    judge(pv_mask_deserialize(bytes, *size, NULL, &error), mask);
    ck_assert_int_eq(error.status, PV_OK);
    return bytes;
}

/// Damaged or cut bytes are refused. With a good checksum, they give another mask or none.
static void damage_runs(unsigned char *bytes, size_t size, int w) {
    size_t at = (size_t)any_int(0, (int)size - 1);
    bytes[at] ^= 0x41;
    refuse(bytes, size, PV_ERROR_FORMAT);
    bytes[at] ^= 0x41;
    refuse(bytes, (size_t)any_int(0, (int)size - 1), PV_ERROR_FORMAT);
    scoped_memory unsigned char *liar = malloc(size);
    for (int lie = 0; lie < 20; lie++) {
        memcpy(liar, bytes, size);
        liar[16 + any_int(0, (int)size - 25)] = (unsigned char)any_int(0, 255);
        seal(liar, size);
        scoped_mask *lied = pv_mask_deserialize(liar, size, NULL, NULL);
        if (lied) ck_assert_int_eq(pv_mask_get_width(lied), w);
    }
}

START_TEST(stored_masks_come_back) {
    for (int i = 0; i < 3500; i++) {
        scoped_mask *mask = i % 7 ? make(any_width(), any_int(0, 12))
                                  : any_picture(any_int(60, 600), any_int(1, 40));
        size_t size;
        scoped_memory unsigned char *bytes = check_stored(mask, &size);
        if (bytes[3] == 'R') damage_runs(bytes, size, pv_mask_get_width(mask));
    }
}

/* Checks the bytes, which are the same on all machines and in all versions that read version 1. */
START_TEST(the_bytes_are_these) {
    static const char *const rows[] = {"#........#", "..........", ".#.#.#.#.#", NULL};
    static const unsigned char wanted[] = {'P', 'V', 'M', 'K', 1, 0, 0, 0, 10, 0,    0,
                                           0,   3,   0,   0,   0, 1, 2, 0, 0,  0xaa, 2};
    scoped_mask *mask = text_mask(rows);
    unsigned char bytes[sizeof wanted + 8];
    ck_assert_uint_eq(pv_mask_serialize(mask, bytes, sizeof bytes), sizeof bytes);
    ck_assert(memcmp(bytes, wanted, sizeof wanted) == 0);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(bytes[sizeof wanted + (size_t)i],
                          checksum(wanted, sizeof wanted) >> (8 * i) & 255);
}

START_TEST(small_buffers_stay_as_they_are) {
    scoped_mask *mask = make(20, 20);
    unsigned char bytes[200];
    size_t size = pv_mask_serialize(mask, NULL, 1000);
    ck_assert_uint_eq(size, 24 + 60);
    memset(bytes, 7, sizeof bytes);
    ck_assert_uint_eq(pv_mask_serialize(mask, bytes, size - 1), size);
    for (size_t i = 0; i < sizeof bytes; i++) ck_assert_int_eq(bytes[i], 7);
    ck_assert_uint_eq(pv_mask_serialize(mask, bytes, sizeof bytes), size);
    ck_assert_int_eq(bytes[size], 7);
    ck_assert_uint_eq(pv_mask_serialize(NULL, bytes, sizeof bytes), 0);
}

START_TEST(every_changed_byte_is_refused) {
    for (int w = 0; w <= 66; w += 11) {
        scoped_mask *mask = make(w, 5);
        size_t size;
        scoped_memory unsigned char *bytes = store(mask, &size);
        for (size_t i = 0; i < size; i++)
            for (int change = 1; change < 256; change++) {
                bytes[i] ^= (unsigned char)change;
                refuse(bytes, size, PV_ERROR_FORMAT);
                bytes[i] ^= (unsigned char)change;
            }
    }
}

START_TEST(every_cut_is_refused) {
    scoped_mask *mask = make(100, 30);
    size_t size;
    scoped_memory unsigned char *bytes = store(mask, &size), *longer = calloc(1, size + 1);
    for (size_t cut = 0; cut < size; cut++) {
        scoped_memory unsigned char *part = malloc(cut + !cut);
        memcpy(part, bytes, cut);
        refuse(part, cut, PV_ERROR_FORMAT);
    }
    memcpy(longer, bytes, size);
    refuse(longer, size + 1, PV_ERROR_FORMAT);
    ck_assert_ptr_null(pv_mask_deserialize(NULL, 100, NULL, NULL));
    refuse(NULL, 0, PV_ERROR_ARGUMENT);
}

static void write_size(unsigned char *bytes, uint32_t w, uint32_t h) {
    for (int i = 0; i < 4; i++) {
        bytes[8 + i] = (unsigned char)(w >> (8 * i));
        bytes[12 + i] = (unsigned char)(h >> (8 * i));
    }
}

START_TEST(lies_with_a_good_checksum_are_refused) {
    /* Empty masks are too large, and the others lack their rows. */
    static const uint32_t lies[][2] = {
        {32769, 0},      {0, 32769},     {0xffffffff, 0},          {0, 0xffffffff},
        {0x80000000, 0}, {32768, 32768}, {0xffffffff, 0xffffffff}, {0x80000000, 16}};
    unsigned char bytes[26] = {'P', 'V', 'M', 'K', 1};
    for (size_t i = 0; i < COUNT_OF(lies); i++) {
        write_size(bytes, lies[i][0], lies[i][1]);
        refuse_sealed(bytes, 24, i < 5 ? PV_ERROR_TOO_LARGE : PV_ERROR_FORMAT);
    }
    memset(bytes + 16, 0, 2);
    write_size(bytes, 7, 1);
    refuse_sealed(bytes, 26, PV_ERROR_FORMAT); /* a byte too many */
    write_size(bytes, 7, 2);
    memset(bytes + 16, 0x80, 2);
    refuse_sealed(bytes, 26, PV_ERROR_FORMAT); /* bits beyond the picture */
    memset(bytes + 16, 0x40, 2);
    seal(bytes, 26);
    scoped_mask *mask = pv_mask_deserialize(bytes, 26, NULL, NULL);
    ck_assert(pv_mask_count_pixels(mask) == 2 && pv_mask_get_pixel(mask, 6, 1));
    bytes[4] = 2;
    refuse_sealed(bytes, 26, PV_ERROR_FORMAT);
}

START_TEST(the_longer_form_is_refused) {
    /* empty, 40 x 2: as runs it would take only 4 bytes */
    unsigned char rows[24 + 10] = "PVMK\1\0\0\0\50\0\0\0\2";
    refuse_sealed(rows, sizeof rows, PV_ERROR_FORMAT);
    /* Two runs in each row make this the shorter form. */
    rows[16] = rows[21] = 5;
    seal(rows, sizeof rows);
    scoped_mask *mask = pv_mask_deserialize(rows, sizeof rows, NULL, NULL);
    ck_assert(mask && pv_mask_count_pixels(mask) == 4);
    unsigned char runs[24 + 6] = "PVMR\1\0\0\0\3\0\0\0\1\0\0\0\1\0\0\0\2"; /* a byte would do */
    refuse_sealed(runs, sizeof runs, PV_ERROR_FORMAT);
}

RUN_TESTS("mask_io")
