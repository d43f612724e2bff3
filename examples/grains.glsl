// grains.glsl - the step of pv_grains without piles, as a vertex shader for transform feedback.
//
// Invariant: every number is an integer of 32 bits, so that each GPU gives the bits of the library.
// The text is common to GLSL 3.30 and GLSL ES 3.00; the program puts the #version before it.
//
// SPDX-License-Identifier: Zlib
precision highp int;
precision highp float;
precision highp usampler2D;

// Position and motion per step, in 1/65536 px
in ivec4 grain;
flat out ivec4 moved;

// Solid pixels of the ground, one texel each, and cells of 8 x 8 px with a solid pixel
uniform usampler2D ground;
uniform usampler2D cells;
// Gravity of this step, drag, approach below which nothing bounces, restitution and friction, as in
// the library's lib/grains/numbers.c
uniform ivec2 gravity;
uniform int drag;
uniform int calm;
uniform int restitution;
uniform int friction;

const int ONE = 16384;
const int FASTEST = 256 << 16;

// Returns a * b / 16384, rounded, without a product of more than 31 bits.
int times(int a, int b) {
    int high = a >> 14;
    int low = a & 16383;
    return high * b + ((low * b + ONE / 2) >> 14);
}

// Division and remainder toward zero, as in C.
int over(int a, int b) { return a < 0 ? -(-a / b) : a / b; }
int rest(int a, int b) { return a - over(a, b) * b; }

bool solid(ivec2 p) {
    ivec2 size = textureSize(ground, 0);
    if (p.x < 0 || p.y < 0 || p.x >= size.x || p.y >= size.y) return false;
    return texelFetch(ground, p, 0).r != 0u;
}

bool filled(ivec2 cell) {
    ivec2 size = textureSize(cells, 0);
    if (cell.x < 0 || cell.y < 0 || cell.x >= size.x || cell.y >= size.y) return false;
    return texelFetch(cells, cell, 0).r != 0u;
}

ivec2 pixel(ivec2 at) { return at >> 16; }

// Tells whether no cell around a way has a solid pixel.
bool is_free(ivec2 at, ivec2 way) {
    ivec2 first = pixel(min(at, at + way)) >> 3;
    ivec2 last = pixel(max(at, at + way)) >> 3;
    if (last.x - first.x > 3 || last.y - first.y > 3) return false;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++)
            if (filled(ivec2(x, y))) return false;
    return true;
}

int whole_root(int square) {
    int root = 0;
    for (int bit = 1 << 15; bit > 0; bit >>= 1)
        if (root + bit <= 46340 && (root + bit) * (root + bit) <= square) root += bit;
    return root;
}

ivec2 normal_at(ivec2 p) {
    ivec2 sum = ivec2(0);
    for (int y = -3; y <= 3; y++)
        for (int x = -3; x <= 3; x++)
            if (solid(p + ivec2(x, y))) sum += ivec2(x, y);
    int far = whole_root((sum.x * sum.x + sum.y * sum.y) << 16);
    if (far == 0) return ivec2(0);
    return ivec2(over(-sum.x * (256 * ONE), far), over(-sum.y * (256 * ONE), far));
}

int along(ivec2 n, ivec2 d) { return times(d.x, n.x) + times(d.y, n.y); }

ivec2 bounce(ivec2 n, ivec2 d) {
    int approach = -along(n, d);
    if (approach <= 0) return d;
    int push = approach + (approach > calm ? times(approach, restitution) : 0);
    ivec2 tangent = ivec2(-n.y, n.x);
    int speed = along(tangent, d);
    int grip = times(push, friction);
    int brake = clamp(speed, -grip, grip);
    d.x += times(push, n.x) - times(brake, tangent.x);
    d.y += times(push, n.y) - times(brake, tangent.y);
    return clamp(d, ivec2(-FASTEST), ivec2(FASTEST));
}

// Tells along which axes, 1 for x and 2 for y, pixels stop a step to a neighbor.
int stops(ivec2 from, ivec2 to) {
    int axes = (to.x != from.x ? 1 : 0) | (to.y != from.y ? 2 : 0);
    if (axes == 0) return 0;
    if (axes < 3) return solid(to) ? axes : 0;
    bool x = solid(ivec2(to.x, from.y));
    bool y = solid(ivec2(from.x, to.y));
    if (solid(to)) return x || y ? (x ? 1 : 0) | (y ? 2 : 0) : 3;
    return x && y ? 3 : 0;
}

int carry(inout int left, int part, int count) {
    left += part;
    int whole = left >= count ? 1 : left <= -count ? -1 : 0;
    left -= whole * count;
    return whole;
}

int part_of(int d, int part, int whole) { return over(d, whole) * part + over(rest(d, whole) * part, whole); }

ivec2 axis_normal(int axes, ivec2 d) {
    int one = axes == 3 ? 11585 : ONE;
    return ivec2((axes & 1) != 0 ? (d.x > 0 ? -one : one) : 0,
                 (axes & 2) != 0 ? (d.y > 0 ? -one : one) : 0);
}

// Changes the motion of a grain that pixels stop; returns the axes along which only its way ends.
int meet(ivec2 at, inout ivec2 d, int axes) {
    ivec2 n = normal_at(pixel(at));
    int away = along(n, d);
    int most = max(abs(d.x), abs(d.y)) >> 3;
    if (away < -most - 64) {
        d = bounce(n, d);
        return 0;
    }
    int other = abs(axes == 1 ? d.y : d.x);
    if (axes != 3 && n != ivec2(0) && away <= most && other >= most) return axes;
    d = bounce(axis_normal(axes, d), d);
    return 0;
}

void walk(inout ivec2 at, inout ivec2 d) {
    ivec2 way = d;
    if (is_free(at, way)) {
        at += way;
        return;
    }
    for (int i = 0; i < 4; i++) {
        int count = (max(abs(way.x), abs(way.y)) + 65535) >> 16;
        int done = 0;
        int axes = 0;
        ivec2 left = ivec2(0);
        while (done < count) {
            ivec2 to = at;
            to.x += over(way.x, count) + carry(left.x, rest(way.x, count), count);
            to.y += over(way.y, count) + carry(left.y, rest(way.y, count), count);
            axes = stops(pixel(at), pixel(to));
            if (axes != 0) break;
            at = to;
            done++;
        }
        if (axes == 0) return;
        int ends = meet(at, d, axes);
        ivec2 next = ends != 0 ? way : d;
        way.x = (ends & 1) != 0 ? 0 : part_of(next.x, count - done, count);
        way.y = (ends & 2) != 0 ? 0 : part_of(next.y, count - done, count);
    }
}

void main() {
    ivec2 at = grain.xy;
    ivec2 d = clamp(grain.zw + gravity, ivec2(-FASTEST), ivec2(FASTEST));
    d -= ((d >> 8) * drag) >> 6;
    walk(at, d);
    moved = ivec4(at, d);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
