/* files.js - files that a WASI module may read: bytes by name, in one folder.
 *
 * Invariant: nothing is written, and no name leads out of the folder.
 *
 * SPDX-License-Identifier: Zlib
 */
const GOOD = 0, BAD_FILE = 8, NO_ENTRY = 44, FOLDER = 3, REGULAR = 4, STDERR = 2;

/** Imports of WASI over a map of files; the folder is descriptor 3. */
export class Files {
    /** @param folder its name */
    constructor(folder) {
        this.folder = new TextEncoder().encode(folder);
        /** Bytes by name; null until they arrive. */
        this.files = new Map();
        this.absent = new Set();
        this.open = new Map();
        this.next = FOLDER + 1;
        this.words = '';
    }

    /** Adds files: names with bytes, or with null for those that have not arrived. */
    add(files) {
        for (const [name, bytes] of files) this.files.set(name, bytes);
    }

    /** Returns the names of files that were opened before they arrived, since the last call. */
    takeAbsent() {
        const names = [...this.absent];
        this.absent.clear();
        return names;
    }

    /** Sets the memory of the module, once it exists. */
    attach(memory) {
        this.memory = memory;
    }

    #data() {
        return new DataView(this.memory.buffer);
    }
    #bytes(at, length) {
        return new Uint8Array(this.memory.buffer, at, length);
    }
    #name(at, length) {
        return new TextDecoder().decode(this.#bytes(at, length)).replace(/^\.?\//, '');
    }

    /** Returns the bytes of a file, if they have arrived. */
    #find(name) {
        const bytes = this.files.get(name);
        if (bytes === null) this.absent.add(name);
        return bytes;
    }

    /** Writes the result of stat for a file or a folder. */
    #stat(at, kind, size) {
        this.#bytes(at, 64).fill(0);
        this.#data().setUint8(at + 16, kind);
        this.#data().setBigUint64(at + 32, BigInt(size), true);
        return GOOD;
    }

    imports() {
        const none = () => GOOD;
        return {
            environ_get: none,
            environ_sizes_get: (count, size) => (this.#data().setUint32(count, 0, true), this.#data().setUint32(size, 0, true), GOOD),
            clock_time_get: (id, precision, at) => (this.#data().setBigUint64(at, BigInt(Math.round(1e6 * performance.now())), true), GOOD),
            fd_close: (file) => (this.open.delete(file), GOOD),
            fd_fdstat_get: (file, at) => {
                this.#bytes(at, 24).fill(0);
                this.#data().setUint8(at, file === FOLDER ? FOLDER : REGULAR);
                this.#data().setBigUint64(at + 8, 0xffffffffn, true);
                this.#data().setBigUint64(at + 16, 0xffffffffn, true);
                return GOOD;
            },
            fd_fdstat_set_flags: none,
            fd_prestat_get: (file, at) => {
                if (file !== FOLDER) return BAD_FILE;
                this.#data().setUint32(at, 0, true);
                this.#data().setUint32(at + 4, this.folder.length, true);
                return GOOD;
            },
            fd_prestat_dir_name: (file, at, length) => (this.#bytes(at, length).set(this.folder), GOOD),
            fd_read: (file, vectors, count, readAt) => this.#read(file, vectors, count, readAt),
            fd_seek: (file, offset, from, at) => {
                const entry = this.open.get(file);
                if (!entry) return BAD_FILE;
                entry.place = Number(offset) + [0, entry.place, entry.bytes.length][from];
                this.#data().setBigUint64(at, BigInt(entry.place), true);
                return GOOD;
            },
            fd_write: (file, vectors, count, writtenAt) => this.#write(file, vectors, count, writtenAt),
            path_filestat_get: (file, flags, at, length, to) => {
                const name = this.#name(at, length), bytes = this.#find(name);
                if (bytes) return this.#stat(to, REGULAR, bytes.length);
                return [...this.files.keys()].some((file) => file.startsWith(`${name}/`)) ? this.#stat(to, FOLDER, 0) : NO_ENTRY;
            },
            path_open: (folder, flags, at, length, create, rights, inheriting, more, to) => {
                const bytes = this.#find(this.#name(at, length));
                if (!bytes) return NO_ENTRY;
                this.open.set(this.next, { bytes, place: 0 });
                this.#data().setUint32(to, this.next++, true);
                return GOOD;
            },
            proc_exit: (code) => {
                throw new Error(`the module ended with ${code}: ${this.words}`);
            },
        };
    }

    #vectors(at, count) {
        const data = this.#data();
        return Array.from({ length: count }, (_, i) => this.#bytes(data.getUint32(at + 8 * i, true), data.getUint32(at + 8 * i + 4, true)));
    }

    #read(file, vectors, count, readAt) {
        const entry = this.open.get(file);
        if (!entry) return BAD_FILE;
        let read = 0;
        for (const to of this.#vectors(vectors, count)) {
            const part = entry.bytes.subarray(entry.place, entry.place + to.length);
            to.set(part);
            entry.place += part.length;
            read += part.length;
        }
        this.#data().setUint32(readAt, read, true);
        return GOOD;
    }

    /** Keeps what the module prints. */
    #write(file, vectors, count, writtenAt) {
        let written = 0;
        for (const part of this.#vectors(vectors, count)) {
            if (file <= STDERR) this.words = (this.words + new TextDecoder().decode(part.slice())).slice(-1000);
            written += part.length;
        }
        this.#data().setUint32(writtenAt, written, true);
        return GOOD;
    }
}

/** Returns the text that ends with a null in the memory of a module; an empty one for address 0. */
export function textAt({ memory }, at) {
    const bytes = new Uint8Array(memory.buffer);
    return at ? new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at))) : '';
}
