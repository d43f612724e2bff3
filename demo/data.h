/* data.h - where the files lie that come with the demo.
 *
 * Invariant: nothing is opened, and no state kept.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef DATA_H
#define DATA_H

/// The first directory that exists of the one that an environment variable names, the source tree's
/// and the installed one; the last without a look.
/// @param source,installed are kept by the caller
const char *data_directory(const char *variable, const char *source, const char *installed);

#endif
