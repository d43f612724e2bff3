/* error.js - the error that a refused call throws.
 *
 * Invariant: the message begins with the function and names the field, in the library's words.
 *
 * SPDX-License-Identifier: Zlib
 */

export class PixverletError extends Error {
    constructor({ status, function: name, field = null, value = 0, min = 0, max = 0, message }) {
        super(message);
        this.name = 'PixverletError';
        Object.assign(this, { status, function: name, field, value, min, max });
    }
}
