/* changes.h - the interface of changes.c: differences of two snapshots, written and applied.
 *
 * Invariant: holds as in changes.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_CHANGES_H
#define PV_SNAPSHOT_CHANGES_H

#include "snapshot/stream.h"

/// Sections of a snapshot behind its definition and masks. Events include contacts of pixels.
typedef enum pv__section {
    PV__SECTION_BODIES,
    PV__SECTION_EVENTS,
    PV__SECTION_MATTER,
    PV__SECTION_GRAINS,
    PV__SECTION_MANIFOLDS,
    PV__SECTIONS
} pv__section;

/// Greatest size of a record: a body or a manifold [bytes].
enum { PV__CHANGES_RECORD = 2048 };

/// Changes that are being written
typedef struct pv__changes {
    /// Rest of the open section of the base
    const unsigned char *base;
    size_t left;
    pv__stream out;
    /// Number of bytes that the changes make of the base
    size_t total;
    /// Operation that has not been written yet, and its number of bytes
    uint32_t kind;
    size_t pending;
} pv__changes;

/// Opens the next section of the base. The rest of the last one is passed over.
void pv__changes_open(pv__changes *c, const unsigned char *base, size_t size);
/// Adds a record in place of the next bytes of the base, as far as the section has them.
void pv__changes_add(pv__changes *c, const unsigned char *record, size_t size, size_t base_size);
/// Writes the last operation.
void pv__changes_end(pv__changes *c);
/// Makes size bytes of a base and changes. Returns false if the changes do not make exactly these.
bool pv__changes_apply(pv__stream *t, const unsigned char *base, size_t base_size,
                       unsigned char *at, size_t size);

/* stream_bodies.c */
void pv__stream_bodies_changes(pv__changes *c, pv_world *world);
/* stream_pairs.c */
void pv__stream_manifolds_changes(pv__changes *c, const pv_world *world);

#endif
