/* fuzz_changes.c - bytes as changes of a snapshot: refused without effect, or a world that goes on.
 *
 * Invariant: the changes that a restored world writes make the same world in another one.
 *
 * The first byte selects a base, and what the others are: operations of the format, or mutations of
 * changes that a world has just written. Sizes and digests are corrected, as mutation hardly ever
 * does it. CHAIN selects changes that follow each other. The other bytes restore them in any order,
 * cut off, or on another world's base.
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz_world.h"

/// Sizes [byte]: head of changes; places of the base's size in it, and of the digest in a snapshot
enum { HEAD = 48, BASE_SIZE = 24, DIGEST = 16 };

/* ---- real changes ---- */

static bytes changes_of(pv_world *world, bytes base) {
    bytes b = {NULL, 0};
    uint8_t little;
    size_t need = 0;
    CHECK(pv_world_save_changes(world, base.at, base.size, &little, 1, &need) ==
          PV_ERROR_TOO_LARGE);
    CHECK((b.at = malloc(need)) != NULL);
    CHECK(pv_world_save_changes(world, base.at, base.size, b.at, need, &b.size) == PV_OK);
    CHECK(b.size == need);
    return b;
}

/// Parameters of a base and of its changes, as bits
typedef struct choice {
    pv_contact_mode contacts;
    int age;
    bool mapped, pixels, later;
} choice;

/// Returns the host's changes after one step, or after 20 steps with other bodies; made once.
static bytes real_changes(choice c) {
    static bytes known[2][AGES][2][2][2];
    bytes *b = &known[c.contacts][c.age][c.mapped][c.pixels][c.later];
    if (b->at) return *b;
    bytes host = snapshot_of(c.contacts, c.age, c.mapped, PV_SNAPSHOT_PIXELS);
    pv_world *world = open_world(c.contacts, NULL);
    CHECK(pv_world_restore(world, host.at, host.size) == PV_OK);
    if (c.later) come_and_go(world);
    steps(world, c.later ? 20 : 1);
    *b = changes_of(world, snapshot_of(c.contacts, c.age, c.mapped, c.pixels));
    pv_world_destroy(world);
    return *b;
}

/* ---- mending ---- */

static uint64_t little_endian(const uint8_t *at, size_t size) {
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) word |= (uint64_t)at[i] << 8 * i;
    return word;
}

static void put_word(uint8_t *at, uint64_t word) {
    for (int i = 0; i < 8; i++) at[i] = (uint8_t)(word >> 8 * i);
}

static size_t bits_of(uint64_t mask) {
    size_t bits = 0;
    for (; mask; mask &= mask - 1) bits++;
    return bits;
}

/// Returns how many bytes the operations make, by the rules of the format.
static uint64_t made_by(bytes b) {
    uint64_t made = 24;
    for (size_t at = HEAD, used = 0; at + 4 <= b.size; at += used) {
        uint64_t word = little_endian(b.at + at, 4), kind = word >> 30, count = word & 0x3fffffff;
        used = 4 + (kind == 2 ? (size_t)count : 0);
        if (kind == 3 && at + 12 <= b.size)
            used = 12 + 8 * bits_of(little_endian(b.at + at + 4, 8));
        made += kind == 1 ? 0 : kind == 3 ? 8 * count : count;
    }
    return made;
}

static void mend(bytes b, bytes base) {
    put_word(b.at + BASE_SIZE, base.size);
    memcpy(b.at + BASE_SIZE + 8, base.at + DIGEST, 8);
    put_word(b.at + BASE_SIZE + 16, made_by(b));
    pv__snapshot_seal_changes(b.at, b.size);
}

/* ---- checks ---- */

/// Checks that changes written by a restored world restore it again from the same base.
static void check_again(pv_world *world, fuzz_purse *purse, bytes base) {
    uint64_t here = pv_world_compute_hash(world);
    bytes b = changes_of(world, base);
    steps(world, 1);
    pv_status s = pv_world_restore_changes(world, base.at, base.size, b.at, b.size);
    CHECK(s == PV_OK || (!repeats(purse) && s == PV_ERROR_MEMORY));
    CHECK(s != PV_OK || pv_world_compute_hash(world) == here);
    free(b.at);
}

/// Restores changes into the host. Allocation number fail_at fails; 0: none.
static void try_changes(choice c, bytes base, bytes b, long fail_at) {
    fuzz_purse purse = {0};
    uint64_t before;
    pv_world *world = open_host(c.contacts, c.age, c.mapped, &purse, fail_at, &before);
    pv_status s = pv_world_restore_changes(world, base.at, base.size, b.at, b.size);
    purse.fail_at = 0;
    if (s == PV_OK) check_again(world, &purse, base);
    close_host(world, &purse, s, before);
}

/* ---- changes one after the other, in any order ---- */

enum { LINKS = 4, CHAIN = 255 };

/// Snapshots of a world at LINKS + 1 times, their hashes, and the changes from each to the next
typedef struct chain {
    bytes snapshots[LINKS + 1], links[LINKS];
    uint64_t hashes[LINKS + 1];
} chain;

/// Returns the chain of the world with a contact mode, made once.
static const chain *chain_of(pv_contact_mode contacts) {
    static chain known[2];
    chain *c = &known[contacts];
    if (c->snapshots[0].at) return c;
    pv_world *world = host_of(contacts, 3, false);
    for (int i = 0; i <= LINKS; i++) {
        if (i > 0) c->links[i - 1] = changes_of(world, c->snapshots[i - 1]);
        c->snapshots[i] = saved(world, PV_SNAPSHOT_PIXELS);
        c->hashes[i] = pv_world_compute_hash(world);
        if (i == 2) come_and_go(world);
        steps(world, 7);
    }
    pv_world_destroy(world);
    return c;
}

/// Restores changes of a chain, whole or cut off, on any base. They fit only their own base.
static void try_chain(fuzz_input *in) {
    pv_world *world = open_world(PV_CONTACT_MODE_CONTOURS, NULL);
    for (int i = 0; i < 2 * LINKS && in->left; i++) {
        unsigned how = fuzz_byte(in);
        int of = (int)(how >> 2) % (LINKS + 1), link = (int)(how >> 5) % LINKS;
        const chain *mine = chain_of((pv_contact_mode)(how & 1)),
                    *theirs = chain_of((pv_contact_mode)(how >> 1 & 1));
        bytes base = mine->snapshots[of], changes = theirs->links[link];
        size_t size = changes.size - (size_t)fuzz_below(in, 8) * changes.size / 8;
        bool fits = mine == theirs && of == link && size == changes.size;
        uint64_t before = pv_world_compute_hash(world);
        pv_status s = pv_world_restore_changes(world, base.at, base.size, changes.at, size);
        CHECK(s == (fits ? PV_OK : PV_ERROR_FORMAT));
        CHECK(pv_world_compute_hash(world) == (fits ? mine->hashes[of + 1] : before));
    }
    pv_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    unsigned mode = fuzz_byte(&in);
    if (mode == CHAIN) return try_chain(&in), 0;
    choice c = {(pv_contact_mode)(mode & 1), (int)(mode >> 4 & 3), mode & 64, mode & 2, mode & 8};
    long fail_at = mode & 128 ? 1 + fuzz_below(&in, 256) : 0;
    bytes base = snapshot_of(c.contacts, c.age, c.mapped, c.pixels), real = real_changes(c), b;
    b.size = mode & 4 ? HEAD + in.left : real.size;
    CHECK((b.at = malloc(b.size)) != NULL);
    memcpy(b.at, real.at, mode & 4 ? HEAD : b.size);
    if (mode & 4) memcpy(b.at + HEAD, in.next, in.left);
    while (!(mode & 4) && in.left) change(&in, &b, HEAD);
    mend(b, base);
    try_changes(c, base, b, fail_at);
    free(b.at);
    return 0;
}
