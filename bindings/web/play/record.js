/* record.js - the last seconds of a game as a film.
 *
 * Invariant: after the film, the game is at the tick where it was before.
 *
 * SPDX-License-Identifier: Zlib
 */

const SECONDS = 5;
const KINDS = [['video/webm;codecs=vp9', 'webm'], ['video/webm', 'webm'], ['video/mp4', 'mp4']];
const kindOf = () => typeof MediaRecorder === 'function' && KINDS.find(([type]) => MediaRecorder.isTypeSupported(type));

export const canRecord = () => Boolean(kindOf());

/** Hands a file to the browser's downloads. */
function download(blob, name) {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Plays the last seconds once more, and downloads them. Returns the file's name. */
export async function record(app) {
    const { game, drawing } = app, [type, ending] = kindOf(), end = game.tick, paused = app.paused;
    const recorder = new MediaRecorder(drawing.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 8e6 }), parts = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    game.seek(end - 60 * SECONDS);
    recorder.start();
    app.paused = false;
    await new Promise((done) => {
        const look = () => (game.tick >= end || game !== app.game ? done() : requestAnimationFrame(look));
        look();
    });
    app.paused = paused;
    await new Promise((done) => {
        recorder.addEventListener('stop', done);
        recorder.stop();
    });
    const name = `${game.preset.name}.${ending}`;
    download(new Blob(parts, { type }), name);
    return name;
}
