/* fuzz_snapshot.c - bytes as snapshots: refused without effect, or a world that goes on.
 *
 * Invariant: a restored world is saved with its pixels. A world restored from that goes on alike.
 *
 * The first byte says what the others are: a snapshot, or one to be sealed first, as mutation
 * hardly ever does it. In the third kind they mutate a snapshot that a world has just written, so
 * it always has the current format.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz_world.h"

/// Restores a snapshot into the host. Allocation number fail_at fails; 0: none.
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
