/* random.js - a repeatable sequence of numbers.
 *
 * Invariant: the state is one whole number of 32 bits, and the same seed gives the same numbers on
 * every machine.
 *
 * SPDX-License-Identifier: Zlib
 */
export class Random {
    constructor(seed) {
        this.state = seed >>> 0;
    }

    /** Returns the next number, 0 <= x < 1 (Weyl sequence, mixed as in Steele and others 2014). */
    next() {
        this.state = (this.state + 0x9e3779b9) >>> 0;
        let x = this.state;
        x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
        x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
        return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
    }

    /** Returns a whole number, low <= x <= high. */
    whole(low, high) {
        return low + Math.floor(this.next() * (high - low + 1));
    }

    pick(list) {
        return list[this.whole(0, list.length - 1)];
    }
}
