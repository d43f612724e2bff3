// cloth.glsl - a substep of position Verlet for a cloth and loose particles, for transform feedback.
//
// Invariant: a particle reads its neighbors as they were when the substep began, and changes itself
// alone. The way of a substep is kept beside the place, because the difference of two places in 32
// bits would lose most of gravity.
// The text is common to GLSL 3.30 and GLSL ES 3.00; the program puts the #version before it.
//
// SPDX-License-Identifier: Zlib
precision highp int;
precision highp float;
precision highp sampler2D;

// Place, and way of the last substep [px]
in vec4 particle;
out vec4 moved;

// All particles: the cloth row by row, then loose ones
uniform sampler2D particles;
uniform ivec2 size;
// Distance of neighbors, and lowest place of a loose particle [px]
uniform float spacing;
uniform float ground;
// Part of the way that damping keeps, gain by gravity [px], and stiffness h^2 / mass of threads and
// diagonals
uniform float keep;
uniform float gain;
uniform float stiffness;
uniform float shear;

vec2 place_of(int i) {
    int side = textureSize(particles, 0).x;
    return texelFetch(particles, ivec2(i % side, i / side), 0).xy;
}

// Returns the gain by the spring to a neighbor.
vec2 pull(vec2 at, ivec2 other, float rest, float strength) {
    if (other.x < 0 || other.y < 0 || other.x >= size.x || other.y >= size.y) return vec2(0.0);
    vec2 d = place_of(other.y * size.x + other.x) - at;
    float far = length(d);
    return far > 0.0 ? strength * (far - rest) / far * d : vec2(0.0);
}

vec2 pull_of_all(vec2 at, ivec2 cell) {
    vec2 sum = vec2(0.0);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            bool across = x != 0 && y != 0;
            if (x == 0 && y == 0) continue;
            sum += pull(at, cell + ivec2(x, y), across ? spacing * sqrt(2.0) : spacing, across ? shear : stiffness);
        }
    return sum;
}

void main() {
    vec2 at = particle.xy;
    vec2 way = keep * particle.zw + vec2(0.0, gain);
    ivec2 cell = ivec2(gl_VertexID % size.x, gl_VertexID / size.x);
    bool loose = cell.y >= size.y;
    bool pinned = cell.y == 0 && (cell.x == 0 || cell.x == size.x - 1);
    if (!loose) way += pull_of_all(at, cell);
    if (loose && at.y + way.y > ground) way.y = ground - at.y;
    if (pinned) way = vec2(0.0);
    moved = vec4(at + way, way);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
