/* data.h - finds the directories of the demo's files.
 *
 * Invariant: no file is opened, and no state is kept.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef DATA_H
#define DATA_H

/// Returns the first directory that exists: an environment variable's, or the source tree's. If
/// neither does, returns the installed one unchecked.
/// @param source,installed paths that the caller keeps
const char *data_directory(const char *variable, const char *source, const char *installed);

#endif
