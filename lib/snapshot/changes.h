/* changes.h - the interface of changes.c: differences of two snapshots, written and applied.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_CHANGES_H
#define PV_SNAPSHOT_CHANGES_H

#include "snapshot/stream.h"

/// Sections of a snapshot. The first has definition and masks, events include contacts of pixels.
typedef enum pv__section {
    PV__SECTION_START,
    PV__SECTION_BODIES,
    PV__SECTION_EVENTS,
    PV__SECTION_MATTER,
    PV__SECTION_GRAINS,
    PV__SECTION_MANIFOLDS,
    PV__SECTIONS
} pv__section;

/// Greatest size of a record, a body or a manifold. Twice that of records is compared together, which
/// stay in the fastest cache [bytes].
enum { PV__CHANGES_RECORD = 2048 };

/// Changes that are being written
typedef struct pv__changes {
    /// Rest of the open section of the base, from the collected records on
    const unsigned char *base;
    size_t left;
    /// Collected records, of the same sizes as in the base, and their bytes in all
    unsigned char bytes[3 * PV__CHANGES_RECORD];
    size_t run;
    pv__stream out;
    /// Number of bytes that the changes make of the base
    size_t total;
    /// Operation that has not been written yet, and its number of bytes
    uint32_t kind;
    size_t pending;
} pv__changes;

/// Opens the next section of the base. The rest of the last one is passed over.
void pv__changes_open(pv__changes *c, const unsigned char *base, size_t size);
/// Returns a stream that writes the next record.
static inline pv__stream pv__changes_record(pv__changes *c) {
    return (pv__stream){.at = c->bytes + c->run, .left = PV__CHANGES_RECORD};
}
/// Compares the collected records with the base: whole patches of them, or all.
void pv__changes_compare(pv__changes *c, bool all);
/// Adds bytes in place of the next base_size ones of the section, while there are no records.
void pv__changes_replace(pv__changes *c, const unsigned char *bytes, size_t size, size_t base_size);

/// Adds the record that was written, in place of the next bytes of the section, or all left.
static inline void pv__changes_add(pv__changes *c, size_t size, size_t base_size) {
    size_t left = c->left - c->run;
    if (base_size > left) base_size = left;
    if (size != base_size) {
        const unsigned char *record = c->bytes + c->run;
        pv__changes_compare(c, true);
        pv__changes_replace(c, record, size, base_size);
        return;
    }
    /* As many bytes of the base, some records ahead. */
    pv__stream_fetch((uintptr_t)c->base + c->run + PV__CHANGES_RECORD, size);
    c->run += size;
    if (c->run >= 2 * PV__CHANGES_RECORD) pv__changes_compare(c, false);
}

/// Writes all that is left.
void pv__changes_end(pv__changes *c);
/// Makes size bytes of a base and changes. Returns false if the changes do not make exactly these.
bool pv__changes_apply(pv__stream *t, const unsigned char *base, size_t base_size,
                       unsigned char *at, size_t size);

/* stream_bodies.c */
void pv__stream_bodies_changes(pv__changes *c, pv_world *world);
/* stream_pairs.c */
void pv__stream_manifolds_changes(pv__changes *c, const pv_world *world);

#endif
