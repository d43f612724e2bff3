# statements.awk - prints the statements that tools/header.awk reads, one a line, for header.mjs.
# SPDX-License-Identifier: Zlib
function understand(statement) { print statement }
