/* serve.mjs - serves a folder on 127.0.0.1, and opens a browser if there is one.
 *
 * Usage: serve.mjs FOLDER [PORT]
 *
 * Invariant: only files within the folder are served, and only to this machine.
 *
 * SPDX-License-Identifier: Zlib
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const [folder, port = '8000'] = process.argv.slice(2);
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.wasm': 'application/wasm', '.png': 'image/png', '.json': 'application/json', '.c': 'text/plain; charset=utf-8', '.webp': 'image/webp' };

const server = createServer(async (request, response) => {
    try {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
        const file = join(folder, path.endsWith('/') ? `${path}index.html` : path), bytes = await readFile(file);
        response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    }
});

/** Opens an address with the desktop's browser. */
function show(url) {
    if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && process.platform === 'linux') return;
    const opener = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
    spawn(opener, [url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}

server.on('error', (error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    server.listen(0, '127.0.0.1'); /* any free port */
});
server.on('listening', () => {
    const url = `http://127.0.0.1:${server.address().port}/`;
    console.log(`The playground is at ${url} until Ctrl+C.`);
    show(url);
});
server.listen(Number(port), '127.0.0.1');
