/* changes.h - the interface of changes.c: writes and applies the differences of two snapshots.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_CHANGES_H
#define PV_SNAPSHOT_CHANGES_H

#include "snapshot/stream.h"

/// Sections of a snapshot. START has the definition and masks, EVENTS also has pixel contacts
typedef enum pv__section {
    PV__SECTION_START,
    PV__SECTION_BODIES,
    PV__SECTION_EVENTS,
    PV__SECTION_MATTER,
    PV__SECTION_GRAINS,
    PV__SECTION_MANIFOLDS,
    PV__SECTIONS
} pv__section;

/// Greatest size of a record, which is a body or a manifold [bytes]. Records are compared in groups
/// of twice that size, which stay in the fastest cache
enum { PV__CHANGES_RECORD = 2048 };

/// Changes that are being written
typedef struct pv__changes {
    /// Rest of the base's open section, starting with the collected records
    const unsigned char *base;
    size_t left;
    /// Collected records, each as large as in the base, and their total number of bytes
    unsigned char bytes[3 * PV__CHANGES_RECORD];
    size_t run;
    pv__stream out;
    /// Number of bytes that the changes produce from the base so far
    size_t total;
    /// Operation that has not been written yet, and its number of bytes
    uint32_t kind;
    size_t pending;
} pv__changes;

/// Opens the next section of the base, and skips the rest of the previous one.
void pv__changes_open(pv__changes *c, const unsigned char *base, size_t size);
/// Returns a stream that writes the next record.
static inline pv__stream pv__changes_record(pv__changes *c) {
    return (pv__stream){.at = c->bytes + c->run, .left = PV__CHANGES_RECORD};
}
/// Compares the collected records with the base: only whole patches, or everything.
void pv__changes_compare(pv__changes *c, bool all);
/// Adds bytes in place of the next base_size bytes of the section. No records may be collected.
void pv__changes_replace(pv__changes *c, const unsigned char *bytes, size_t size, size_t base_size);

/// Adds the record that was written, in place of the next base_size bytes of the section at most.
static inline void pv__changes_add(pv__changes *c, size_t size, size_t base_size) {
    size_t left = c->left - c->run;
    if (base_size > left) base_size = left;
    if (size != base_size) {
        const unsigned char *record = c->bytes + c->run;
        pv__changes_compare(c, true);
        pv__changes_replace(c, record, size, base_size);
        return;
    }
    /* Prefetches as many bytes of the base, a few records ahead. */
    pv__stream_fetch((uintptr_t)c->base + c->run + PV__CHANGES_RECORD, size);
    c->run += size;
    if (c->run >= 2 * PV__CHANGES_RECORD) pv__changes_compare(c, false);
}

/// Writes everything that is left.
void pv__changes_end(pv__changes *c);
/// Produces size bytes from a base and changes. Returns false unless the changes make exactly size.
bool pv__changes_apply(pv__stream *t, const unsigned char *base, size_t base_size,
                       unsigned char *at, size_t size);

/* stream_bodies.c */
void pv__stream_bodies_changes(pv__changes *c, pv_world *world);
/* stream_pairs.c */
void pv__stream_manifolds_changes(pv__changes *c, const pv_world *world);

#endif
