/* fuzz_snapshot.c - bytes as snapshots: refused without a change, or a world that goes on.
 *
 * Invariant: a restored world is saved with its pixels; another one made of that goes the same way.
 *
 * The first byte selects the kind of the others: a snapshot, or one that is sealed first, which
 * mutation hardly does. The third kind is changes of a snapshot that a world has just written.
 * These are never out of date.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz_world.h"

/// Restores into the host; fail_at is the allocation of that which fails, or 0.
static void try_bytes(pv_contact_mode contacts, int age, bool mapped, bytes b, long fail_at) {
    fuzz_purse purse = {0};
    uint64_t before;
    pv_world *world = open_host(contacts, age, mapped, &purse, fail_at, &before);
    pv_status s = pv_world_restore(world, b.at, b.size);
    purse.fail_at = 0;
    close_host(world, &purse, s, before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    unsigned mode = fuzz_byte(&in);
    pv_contact_mode contacts = (pv_contact_mode)(mode & 1);
    int age = (int)(mode >> 4 & 3);
    bool mapped = mode & 64;
    long fail_at = mode & 128 ? 1 + fuzz_below(&in, 256) : 0;
    bytes b = {NULL, in.left}, real = snapshot_of(contacts, age, mapped, mode >> 1 & 1);
    const uint8_t *from = in.next;
    if (mode & 4) b.size = real.size, from = real.at;
    CHECK((b.at = malloc(b.size ? b.size : 1)) != NULL);
    if (b.size) memcpy(b.at, from, b.size);
    while (mode & 4 && in.left) change(&in, &b, 24);
    if (mode & 12 && b.size >= 24) pv__snapshot_seal(b.at, b.size);
    try_bytes(contacts, age, mapped, b, fail_at);
    free(b.at);
    return 0;
}
