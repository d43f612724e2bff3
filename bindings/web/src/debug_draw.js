/* debug_draw.js - draws a world on a canvas, from the commands of glue.c.
 *
 * Invariant: the state of the context is restored.
 *
 * SPDX-License-Identifier: Zlib
 */

const style = (color) => `#${color.toString(16).padStart(8, '0')}`;

const draw = [
    function line(context, list, i) {
        context.strokeStyle = style(list[i]);
        context.beginPath();
        context.moveTo(list[i + 1], list[i + 2]);
        context.lineTo(list[i + 3], list[i + 4]);
        context.stroke();
        return i + 5;
    },
    function circle(context, list, i) {
        context.fillStyle = style(list[i]);
        context.beginPath();
        context.arc(list[i + 1], list[i + 2], Math.max(list[i + 3], 0.5), 0, 2 * Math.PI);
        context.fill();
        return i + 4;
    },
    function mask(context, list, i) {
        context.fillStyle = style(list[i]);
        context.beginPath();
        let next = i + 2;
        for (let contour = 0; contour < list[i + 1]; contour++) {
            const end = next + 1 + 2 * list[next];
            context.moveTo(list[next + 1], list[next + 2]);
            for (next += 3; next < end; next += 2) context.lineTo(list[next], list[next + 1]);
            context.closePath();
        }
        context.fill('evenodd');
        return next;
    },
];

export function drawCommands(context, list) {
    context.save();
    context.lineWidth = 1;
    for (let i = 0; i < list.length; ) i = draw[list[i]](context, list, i + 1);
    context.restore();
}
