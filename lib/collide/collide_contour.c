/* collide_contour.c - manifolds from contours and distance fields.
 *
 * Invariant: a manifold's points are at the nearest places of the contours, a few per connected
 * touch. They are the ends of the touch, its deepest point if it stands out, and both flanks of a
 * notch. Points keep their identity and their impulses as long as they belong to the same vertex or
 * hardly move.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/collide_contour.h"
#include "collide/collide.h"
#include "collide/contact_points.h"
#include "collide/pixel_touch.h"
#include "collide/touching_box.h"
#include "core/pose.h"
#include "shape/distance_field.h"

#include <string.h>

/// Distance up to which surfaces belong to a manifold, and greatest length added to it for motion
/// until the next update [px]. Greatest clearance that is measured [px].
static const double COLLIDE_CONTOUR_REACH = 1, MOTION_MOST = 2, CLEAR = 4;
/// Greatest motion that a manifold anticipates [px]; beyond it, bitmaps stop the bodies
static const double AHEAD_MOST = 1;
/// Gap between vertices at which one touch ends and another begins [px]
static const double ISLAND_GAP = 5.5;
/// Cosine of the greatest angle between normals of one touch. Sine of the tolerance around the
/// directions in which a vertex faces the other body.
static const double SAME_NORMAL = 0.85, CONE_SLACK = 0.3;
/// Gradient length below which the field mixes several surfaces; longest edge of a contour [px]
static const double STEEP = 0.93, LONGEST_EDGE = 4;
/// Least cosine between the normals of sides that count as one surface
static const double SAME_SIDE = 0.98;
/// Greatest difference of a side's distance from the field's at which the side replaces the field
/// [px]. Least cosine between their normals.
static const double SIDE_TRUST = 0.35, SIDE_AGREES = 0.5;
/// Distance below which the two ends of a touch are one [px]. Length along a touch that outweighs
/// one pixel of depth [px]. It is no slope of whole pixels, where rounding would choose.
static const double END_GAP = 0.5, END_STEEP = 20.3;
/// Lead that ends on both bodies need over ends on one, and that a vertex of b needs over one of a
/// [px]; without it, rounding would choose between corners that meet
static const double END_BETTER = 0.05, NEARER = 0.01;
/// Greatest difference in distance between points that stand out equally far [px]
static const double LEVEL = 0.005;
/// Recovery of deep pairs with bitmaps. TOO_DEEP: depth of a vertex that starts it [px].
/// COLLIDE_CONTOUR_DEEP: greatest depth that it resolves at once [px]. LENS: depth for one shared
/// pixel [px]. LEAST_GRAZED, MOST_GRAZED: bounds of the number of shared pixels that it needs.
/// UNTOLD: lead in depth of a vertex that faces nothing over those that do, which starts it [px]:
/// tips that cross. LOST: depth above which shared pixels do not tell the way out [px]. With a
/// lower value, loaded sprites that were parted along their centers slid ever deeper.
static const double TOO_DEEP = 1.4, COLLIDE_CONTOUR_DEEP = 1.2, LENS = 0.5, UNTOLD = 0.7, LOST = 5;
static const int LEAST_GRAZED = 2, MOST_GRAZED = 4;
/// Share of the smaller body's pixels that recovery needs, within these bounds
static const double GRAZED_SHARE = 0.25;
/// Distance that contours keep [px], because pixels of slanted contours protrude from them
static const double COLLIDE_CONTOUR_MARGIN = 0.15;
/// Distance of contours below which bodies may share a pixel [px]; free bodies are parted until
/// they share none
static const double GRAZES = 0.2;
/// Rim speed above which vertices on a circle roll on straight sides as the original circle, not as
/// vertices [px/s]
static const double COLLIDE_CONTOUR_ROLLS = 40;
/// Greatest difference of depth at which both ends of a touch carry load [px]. Greatest rim speed
/// for it [px/s]. Both let round bodies come to rest.
static const double SETTLES = 0.04, COLLIDE_CONTOUR_SLOW = 8;
/// Greatest depth that is resolved at once [px]. CROWD_DEPTH is for bodies over the pair limit on
/// an immovable body, where many push.
static const double MOST_DEPTH = 2, CROWD_DEPTH = 0.25;
/// Sine of the angle by which normals of deep pairs over the pair limit are turned
static const double BUCKLE = 0.05;
/// Distance that a point may move over a body and still count as the same point [px]
static const double SAME_PLACE = 4;

/// Key of the points of a pair in recovery; the key of a vertex is positive
enum { RECOVERS = 0 };

#define MOST_CANDIDATES 512

/// Vertex near the other body's contour
typedef struct candidate {
    /// Place in the world [px], and normal from a to b
    pv_vec2 at, normal;
    /// Distance to the other contour, negative inside [px]
    double distance;
    /// Radius of the circle that the vertex is on [px], or 0
    double radius;
    int vertex;
    /// Flags: the vertex is b's; the normal is a side's and thus exact; a touch has used it
    bool of_b, before_side, used;
} candidate;

typedef struct candidates {
    candidate items[MOST_CANDIDATES];
    int count;
    /// Least distance of all vertices, facing the other body or not [px]
    double nearest;
    /// Greatest excess of an end's distance over the nearest at which it carries load, too [px]
    double settles;
} candidates;

/// Search for p's vertices in q's picture, where a vertex at m is at turn * m + offset
typedef struct search {
    const pv__body *p, *q;
    pv_rotation turn;
    pv_vec2 offset;
    /// Place of p's center
    pv_vec2 center;
    /// Greatest distance of candidates [px]
    double reach;
    /// True if p is b
    bool of_b;
    /// True if the rims are so fast that vertices on a circle roll as the circle
    bool rolls;
} search;

/// Returns a bound of the relative speed of the rims of two bodies [px/s].
static double rim_speed_of(const pv__body *p, const pv__body *q) {
    return pv__length(pv__sub(q->velocity, p->velocity)) + pv__abs(p->spin) * p->pixels->reach +
           pv__abs(q->spin) * q->pixels->reach;
}

static pv_vec2 to_picture(const search *s, pv_vec2 at) {
    return pv__add(pv__rotate(s->turn, at), s->offset);
}

static search search_of(const pv__body *p, const pv__body *q, double reach, bool of_b) {
    pv_rotation f = p->pose.turn, t = q->pose.turn,
                r = {t.c * f.c + t.s * f.s, t.c * f.s - t.s * f.c};
    pv_vec2 apart = pv__unrotate(t, pv__sub(p->pose.center, q->pose.center));
    pv_vec2 offset = pv__sub(pv__add(q->pixels->pivot, apart), pv__rotate(r, p->pixels->pivot));
    search s = {.p = p, .q = q, .turn = r, .offset = offset, .reach = reach, .of_b = of_b};
    s.center = to_picture(&s, p->pixels->pivot);
    s.rolls = rim_speed_of(p, q) > COLLIDE_CONTOUR_ROLLS;
    return s;
}

static pv_vec2 to_world(const pv__body *b, pv_vec2 at) {
    return pv__add(b->pose.center, pv__rotate(b->pose.turn, pv__sub(at, b->pixels->pivot)));
}

/// Directions in which a vertex can touch: between the normals of its two edges, in the other
/// body's picture
typedef struct cone {
    pv_vec2 first, last;
} cone;

static cone cone_of(const search *s, const pv__vertex *v) {
    return (cone){pv__rotate(s->turn, v->first), pv__rotate(s->turn, v->last)};
}

/// Tells whether a vertex can touch a surface with that normal.
static bool faces(const cone *c, pv_vec2 normal) {
    pv_vec2 u = pv__mul(-1, normal);
    return pv__cross(c->first, u) > -CONE_SLACK && pv__cross(u, c->last) > -CONE_SLACK &&
           pv__dot(pv__add(c->first, c->last), u) > 0;
}

/// Surface in front of a vertex, in q's picture
typedef struct surface {
    pv_vec2 normal;
    double distance;
    /// Straight side, or null
    const pv__side *side;
    /// True if the field mixes several surfaces
    bool blurred;
} surface;

/// Tolerance of tests whether a point is in front of a side, or past a surface [px]; without it,
/// rounding would decide where corners of both bodies are aligned
static const double SIDEWAYS = 0.02;

/// Computes a point's distance from a side; returns whether it is before or behind it, not beside.
static inline bool collide_contour_before(const pv__shape *shape, const pv__side *s, pv_vec2 at,
                                          double *distance) {
    pv_vec2 from = pv__sub(at, shape->vertices[s->from].at);
    double t = s->normal.x * from.y - s->normal.y * from.x;
    *distance = pv__dot(from, s->normal);
    return (t > -SIDEWAYS) & (t < s->length + SIDEWAYS);
}

/// Greatest number of sides in front of a point; no contour has room for so many
#define MOST_FRONTS 64

/// Sides with a point before or behind them, and its distances from them
typedef struct fronts {
    const pv__side *sides[MOST_FRONTS];
    double distances[MOST_FRONTS];
    int count;
} fronts;

/// Finds the sides that a point is before or behind, up to that distance at least.
static void find_fronts(fronts *list, const pv__shape *shape, pv_vec2 at, double distance) {
    double most = distance + 0.05; /* tolerance of collide_contour_before() along a side */
    pv_box near = {{at.x - most, at.y - most}, {at.x + most, at.y + most}};
    int k = 0, count = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&shape->near_sides, &near, &k));) {
        int end = pv__sooner(n->end, n->first + MOST_FRONTS - count);
        for (int i = n->first; i < end; i++) {
            list->sides[count] = &shape->sides[i];
            count += collide_contour_before(shape, &shape->sides[i], at, &list->distances[count]);
        }
    }
    list->count = count;
}

/// Replaces a sample of the field with a straight side in front of the point, if both agree. The
/// vertex has to be able to touch the side. Among several sides the one with the greatest distance
/// is the separating axis (Gottschalk 1996).
static void trust_side(const fronts *list, const cone *c, surface *f) {
    double field = f->distance;
    pv_vec2 normal = f->normal;
    for (int i = 0; i < list->count; i++) {
        const pv__side *s = list->sides[i];
        double d = list->distances[i], cosine = pv__dot(s->normal, normal);
        bool agrees = (cosine >= SIDE_AGREES) & (pv__abs(d - field) < SIDE_TRUST);
        if (!agrees || (f->side && d <= f->distance) || !faces(c, s->normal)) continue;
        *f = (surface){s->normal, d, s, f->blurred};
    }
}

/// Share of the way to p's center by which samples move inward. On a line of nodes, a sample would
/// take the cell to the right, and a symmetric body would get different contacts on its left.
static const double INWARD = 1e-4;

/// Samples distance and normal of q at a point of its picture, and finds the sides that matter
/// there. Returns false if there is no normal.
static bool sample(const search *s, const cone *c, pv_vec2 at, surface *f, fronts *list) {
    const pv__shape *shape = s->q->pixels->shape;
    pv_vec2 gradient, inward = pv__mul(INWARD, pv__sub(s->center, at));
    f->distance = pv__field_at(shape, pv__add(at, inward), &gradient) - pv__dot(gradient, inward);
    f->side = NULL;
    double steep = pv__length(gradient);
    f->blurred = steep < STEEP;
    if (steep < 1e-3) return false;
    f->normal = pv__mul(1.0 / steep, gradient);
    find_fronts(list, shape, at, pv__max(s->reach, pv__abs(f->distance) + SIDE_TRUST));
    trust_side(list, c, f);
    return true;
}

/// Finds the second side that a vertex in a notch touches; returns false without one. The side and
/// the first surface are in front of each other.
static bool other_flank(const search *s, const cone *c, pv_vec2 at, const surface *f,
                        const fronts *list, surface *other) {
    const pv__shape *shape = s->q->pixels->shape;
    pv_vec2 foot = pv__mad(at, -f->distance, f->normal);
    pv_vec2 middle = pv__add(c->first, c->last);
    *other = (surface){.distance = s->reach};
    for (int i = 0; i < list->count; i++) {
        const pv__side *k = list->sides[i];
        double d = list->distances[i], facing = pv__dot(k->normal, middle),
               same = pv__dot(k->normal, f->normal);
        bool flanks = (k != f->side) & (facing < 0) & (same <= SAME_SIDE) & (d < other->distance) &
                      (d > f->distance - SIDE_TRUST);
        if (!flanks || !faces(c, k->normal)) continue;
        pv_vec2 p = shape->vertices[k->from].at, q = shape->vertices[k->to].at;
        bool notch = pv__dot(pv__sub(foot, p), k->normal) > -0.05 &&
                     pv__dot(pv__sub(pv__lerp(p, q, 0.5), foot), f->normal) > 0;
        if (notch) *other = (surface){k->normal, d, k, false};
    }
    return other->side != NULL;
}

/// Keeps the two nearest surfaces of different directions; returns their number.
static int keep_nearest(surface found[2], int count, surface f) {
    for (int i = 0; i < count; i++)
        if (pv__dot(found[i].normal, f.normal) > SAME_NORMAL) {
            if (pv__abs(f.distance) < pv__abs(found[i].distance)) found[i] = f;
            return count;
        }
    if (count < 2) found[count++] = f;
    return count;
}

/// Tests the edges of a block of q for look_at_edges().
static int look_at_block(const search *s, const cone *c, pv_vec2 at, const pv__block *b,
                         surface found[2], int count) {
    const pv__shape *q = s->q->pixels->shape;
    for (int i = b->first; i < b->end; i++) {
        const pv__vertex *v = &q->vertices[i];
        pv_vec2 from = pv__sub(at, v->at), edge = pv__sub(q->vertices[v->next].at, v->at);
        double d = pv__dot(from, v->last), t = pv__cross(v->last, from);
        if (t < -SIDEWAYS || t > pv__length(edge) + SIDEWAYS || d < -TOO_DEEP || d > s->reach ||
            !faces(c, v->last))
            continue;
        count = keep_nearest(found, count, (surface){v->last, d, NULL, false});
    }
    return count;
}

/// Finds at most two edges of q in front of a point where the field cannot tell them apart.
/// Returns their number.
static int look_at_edges(const search *s, const cone *c, pv_vec2 at, surface found[2]) {
    const pv__shape *q = s->q->pixels->shape;
    double most = s->reach + LONGEST_EDGE;
    pv_box near = {{at.x - most, at.y - most}, {at.x + most, at.y + most}};
    int count = 0, at_node = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&q->near_blocks, &near, &at_node));)
        for (int k = n->first; k < n->end; k++)
            if (pv__boxes_meet(&near, &q->blocks[k].box))
                count = look_at_block(s, c, at, &q->blocks[k], found, count);
    return count;
}

/// Returns the box around q's contour and its surroundings, in p's picture.
static pv_box reach_of(const search *s, double reach) {
    const pv_box *q = &s->q->pixels->shape->box;
    pv_vec2 middle = pv__lerp(q->min, q->max, 0.5),
            half = pv__add(pv__sub(q->max, middle), pv__vec(reach, reach));
    pv_vec2 at = pv__unrotate(s->turn, pv__sub(middle, s->offset));
    double x = pv__abs(s->turn.c), y = pv__abs(s->turn.s);
    pv_vec2 extent = {x * half.x + y * half.y, y * half.x + x * half.y};
    return (pv_box){pv__sub(at, extent), pv__add(at, extent)};
}

static void collide_contour_add(candidates *list, const search *s, int vertex, pv_vec2 at,
                                const surface *f, double radius) {
    if (f->distance > s->reach || list->count == MOST_CANDIDATES) return;
    pv_vec2 normal = pv__rotate(s->q->pose.turn, f->normal);
    list->items[list->count++] = (candidate){.at = to_world(s->q, at),
                                             .normal = s->of_b ? normal : pv__mul(-1, normal),
                                             .distance = f->distance,
                                             .radius = radius,
                                             .vertex = vertex,
                                             .of_b = s->of_b,
                                             .before_side = f->side != NULL};
}

/// Least curvature of a circle [1/px]; rounding may give a straight line less
static const double COLLIDE_CONTOUR_FLAT = 1e-6;

/// Tells whether a vertex is on a loop that is one circle. The curvatures of smoothed pixels differ
/// from vertex to vertex.
static bool is_on_circle(const pv__shape *shape, const pv__vertex *v) {
    return v->curvature > COLLIDE_CONTOUR_FLAT &&
           v->curvature == shape->vertices[v->next].curvature && !v->sharp;
}

/// Tests a vertex of p, at a place in q's picture, against the field and the sides of q.
static void collide_contour_look(candidates *list, const search *s, int vertex, pv_vec2 at) {
    const pv__vertex *v = &s->p->pixels->shape->vertices[vertex];
    surface f, other;
    fronts near;
    cone c = cone_of(s, v);
    if (!sample(s, &c, at, &f, &near)) return;
    /* A vertex past the middle of a thin wall is nearest to the wrong side of it. */
    bool passed = f.distance < SIDEWAYS && !faces(&c, f.normal);
    if (f.blurred || passed) {
        surface found[2];
        int count = look_at_edges(s, &c, at, found);
        for (int i = 0; i < count; i++) collide_contour_add(list, s, vertex, at, &found[i], 0);
        if (count > 0) return;
    }
    if (other_flank(s, &c, at, &f, &near, &other))
        collide_contour_add(list, s, vertex, at, &other, 0);
    if (!faces(&c, f.normal)) return;
    bool round = s->rolls && f.side && is_on_circle(s->p->pixels->shape, v);
    if (round) { /* move along the circle to the place that faces the other body */
        at = pv__mad(at, -1.0 / v->curvature, pv__add(pv__rotate(s->turn, v->normal), f.normal));
        if (!sample(s, &c, at, &f, &near)) return;
    }
    collide_contour_add(list, s, vertex, at, &f, round ? 1.0 / v->curvature : 0);
}

/// Returns a lower bound of a picture point's distance from the contour [px]. Far from the
/// contour's box it is the distance to the box.
static double at_least(const pv__shape *shape, pv_vec2 at) {
    const pv_box *b = &shape->box;
    double beside = pv__max(b->min.x - at.x, at.x - b->max.x),
           over = pv__max(b->min.y - at.y, at.y - b->max.y), out = pv__max(beside, over);
    return out >= CLEAR ? out : pv__field_near(&shape->field, at);
}

static bool is_far(const candidates *list, const search *s, const pv_box *box) {
    pv_vec2 half = pv__mul(0.5, pv__sub(box->max, box->min));
    double least =
        at_least(s->q->pixels->shape, to_picture(s, pv__add(box->min, half))) - pv__length(half);
    return least > s->reach && least >= list->nearest;
}

/// Transformation from p's picture to the nodes of q's field, both coordinates at once
typedef struct grid_way {
    pv__duo by_x, by_y, offset, origin, last;
} grid_way;

static grid_way way_to_grid(const search *s) {
    const pv__field *f = &s->q->pixels->shape->field;
    double cos = s->turn.c, sin = s->turn.s;
    return (grid_way){{cos, sin},
                      {-sin, cos},
                      pv__duo_of(s->offset),
                      pv__duo_of(f->origin),
                      {f->w - 1, f->h - 1}};
}

/// Returns the value at the node nearest to a place, with the operations of pv__field_near().
static int node_near(const pv__field *f, const grid_way *w, pv__duo at) {
    pv__duo x = (at - w->origin) * PV__FIELD_NODES + 0.5, zero = {0, 0};
    x = pv__duo_max(pv__duo_min(x, w->last), zero);
    int i = (int)x[0], j = (int)x[1];
    const int16_t *n = f->tiles[(j >> PV__TILE_BITS) * f->across + (i >> PV__TILE_BITS)];
    return n[(j & (PV__TILE - 1)) * PV__TILE_ROW + (i & (PV__TILE - 1))];
}

/// Tests the vertices of a block. It compares bounds first, several vertices at a time, because
/// most vertices are far.
static void look_through(candidates *list, const search *s, const pv__block *b, double depth) {
    enum { COLLIDE_CONTOUR_AT_ONCE = 16 };
    const grid_way way = way_to_grid(s);
    int nodes[COLLIDE_CONTOUR_AT_ONCE];
    pv__duo at[COLLIDE_CONTOUR_AT_ONCE];
    for (int first = b->first; first < b->end; first += COLLIDE_CONTOUR_AT_ONCE) {
        int count =
                b->end - first < COLLIDE_CONTOUR_AT_ONCE ? b->end - first : COLLIDE_CONTOUR_AT_ONCE,
            least = INT16_MAX;
        for (int i = 0; i < count; i++) {
            pv_vec2 v = s->p->pixels->shape->vertices[first + i].at;
            at[i] = way.by_x * v.x + way.by_y * v.y + way.offset;
            nodes[i] = node_near(&s->q->pixels->shape->field, &way, at[i]);
            least = nodes[i] < least ? nodes[i] : least;
        }
        list->nearest = pv__min(list->nearest, pv__field_bound(least));
        if (list->nearest < -depth) return;
        if (pv__field_bound(least) > s->reach) continue;
        for (int i = 0; i < count; i++)
            if (pv__field_bound(nodes[i]) <= s->reach)
                collide_contour_look(list, s, first + i, pv__vec(at[i][0], at[i][1]));
    }
}

/// Gathers the candidates of a search. It stops at a vertex deeper than depth [px] and returns
/// false; the list is incomplete then.
static bool gather(candidates *list, const search *s, double depth) {
    const pv__shape *p = s->p->pixels->shape;
    pv_box near = reach_of(s, CLEAR);
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&p->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++)
            if (list->nearest >= -depth && pv__boxes_meet(&near, &p->blocks[k].box) &&
                !is_far(list, s, &p->blocks[k].box))
                look_through(list, s, &p->blocks[k], depth);
    return list->nearest >= -depth;
}

/// Appends a candidate to the manifold. The anchor of a round surface is the center of its circle,
/// which stays in place while it rolls.
static void emit(pv__manifold *m, const pv__body *a, const pv__body *b, const candidate *c) {
    if (m->count == PV__MANIFOLD_POINTS) return;
    double radius_a = c->of_b ? 0 : c->radius, radius_b = c->of_b ? c->radius : 0;
    double gap = pv__max(c->distance - COLLIDE_CONTOUR_MARGIN, -COLLIDE_CONTOUR_DEEP);
    pv_vec2 on_a = c->of_b ? pv__mad(c->at, -gap, c->normal) : c->at;
    pv_vec2 on_b = c->of_b ? c->at : pv__mad(c->at, gap, c->normal);
    on_a = pv__mad(on_a, -radius_a, c->normal);
    on_b = pv__mad(on_b, radius_b, c->normal);
    m->points[m->count++] = (pv__contact_point){
        .anchor_a = pv__unrotate(a->pose.turn, pv__sub(on_a, a->pose.center)),
        .anchor_b = pv__unrotate(b->pose.turn, pv__sub(on_b, b->pose.center)),
        .radius_a = radius_a,
        .radius_b = radius_b,
        .normal = c->normal,
        .gap = gap,
        .key = c->vertex * 2 + c->of_b + 1,
    };
}

typedef struct sorted {
    int index[MOST_CANDIDATES];
    double along[MOST_CANDIDATES];
    int count;
} sorted;

/// Tells whether a candidate is unused and has the normal of the best one. The best one always
/// belongs, even if a forged contour gives it no normal.
static bool belongs(const candidate *c, const candidate *best) {
    double agrees = c->before_side && best->before_side ? SAME_SIDE : SAME_NORMAL;
    return c == best || (!c->used && pv__dot(c->normal, best->normal) >= agrees);
}

/// Sorts the candidates that belong to the best one by their place along the touch. The direction
/// is taken from their mean normal, so that both ends of a symmetric touch are alike.
static void sort_along(const candidates *list, const candidate *best, sorted *s) {
    pv_vec2 normal = {0, 0};
    s->count = 0;
    for (int i = 0; i < list->count; i++) {
        if (!belongs(&list->items[i], best)) continue;
        normal = pv__add(normal, list->items[i].normal);
        s->index[s->count++] = i;
    }
    pv_vec2 tangent = pv__perp(pv__direction(normal));
    for (int k = 0; k < s->count; k++) {
        int i = s->index[k], j = k;
        double t = pv__dot(pv__sub(list->items[i].at, best->at), tangent);
        for (; j > 0 && s->along[j - 1] > t; j--) {
            s->along[j] = s->along[j - 1];
            s->index[j] = s->index[j - 1];
        }
        s->along[j] = t;
        s->index[j] = i;
    }
}

/// Ends of a touch
typedef struct ends {
    int left, right;
} ends;

/// Finds both ends of a touch: far out and hardly farther from the other body than the best
/// candidate. Both are on one body unless ends on different bodies are clearly farther out.
static ends ends_of(const candidates *list, const sorted *s, const candidate *best) {
    double most[2][2] = {{-INFINITY, -INFINITY}, {-INFINITY, -INFINITY}};
    int end[2][2] = {{0}}; /* by side and body */
    for (int j = 0; j < s->count; j++) {
        const candidate *c = &list->items[s->index[j]];
        double farther = END_STEEP * (c->distance - best->distance);
        double left = -s->along[j] - farther, right = s->along[j] - farther;
        if (left > most[0][c->of_b]) most[0][c->of_b] = left, end[0][c->of_b] = j;
        if (right > most[1][c->of_b]) most[1][c->of_b] = right, end[1][c->of_b] = j;
    }
    double of_a = most[0][0] + most[1][0], of_b = most[0][1] + most[1][1],
           mixed = pv__max(most[0][0], most[0][1]) + pv__max(most[1][0], most[1][1]) - END_BETTER;
    if (pv__max(of_a, of_b) < mixed)
        return (ends){end[0][most[0][1] > most[0][0]], end[1][most[1][1] > most[1][0]]};
    bool b = of_b > of_a + END_BETTER;
    return (ends){end[0][b], end[1][b]};
}

/// Appends both ends of the part of a touch that is as near as the best candidate, unless they are
/// the ends of the touch.
static void emit_peak(pv__manifold *m, const pv__body *a, const pv__body *b, const candidates *list,
                      const sorted *s, const candidate *best, ends e) {
    int first = e.right, last = e.left;
    for (int j = e.left; j <= e.right; j++)
        if (list->items[s->index[j]].distance <= best->distance + LEVEL)
            first = first < j ? first : j, last = j;
    bool wide = first < last && s->along[last] - s->along[first] >= END_GAP;
    if (!wide || first > e.left) emit(m, a, b, wide ? &list->items[s->index[first]] : best);
    if (wide && last < e.right) emit(m, a, b, &list->items[s->index[last]]);
}

/// Marks the other body's vertices at a vertex as used: two vertices that meet are one point.
static void use_same(candidates *list, const candidate *of) {
    for (int i = 0; i < list->count; i++) {
        candidate *c = &list->items[i];
        pv_vec2 apart = pv__sub(c->at, of->at);
        c->used |= c->of_b != of->of_b && pv__dot(apart, apart) < END_GAP * END_GAP;
    }
}

static void emit_touch(pv__manifold *m, const pv__body *a, const pv__body *b, candidates *list,
                       candidate *best) {
    sorted s;
    sort_along(list, best, &s);
    ends e = ends_of(list, &s, best);
    int first = e.left, last = e.right;
    while (first > 0 && s.along[first] - s.along[first - 1] < ISLAND_GAP) first--;
    while (last < s.count - 1 && s.along[last + 1] - s.along[last] < ISLAND_GAP) last++;
    for (int j = first; j <= last; j++) list->items[s.index[j]].used = true;
    best->used = true;
    double left = s.along[e.left], right = s.along[e.right];
    if (right - left < END_GAP) {
        emit(m, a, b, best);
        use_same(list, best);
        return;
    }
    candidate *l = &list->items[s.index[e.left]], *r = &list->items[s.index[e.right]];
    if (l->distance < best->distance + list->settles) l->distance = best->distance;
    if (r->distance < best->distance + list->settles) r->distance = best->distance;
    double share = pv__clamp(-left / (right - left), 0, 1);
    bool stands_out = best->distance < l->distance + (r->distance - l->distance) * share - 0.03;
    if (stands_out && l != best && r != best) emit_peak(m, a, b, list, &s, best, e);
    emit(m, a, b, l);
    emit(m, a, b, r);
    use_same(list, l);
    use_same(list, r);
}

static void keep_impulses(pv__manifold *m, const pv__contact_point *old, int old_count) {
    unsigned taken = 0;
    for (int i = 0; i < m->count; i++) {
        pv__contact_point *p = &m->points[i];
        int same = -1;
        double nearest = SAME_PLACE * SAME_PLACE;
        for (int j = 0; j < old_count && nearest > 0; j++) {
            const pv__contact_point *o = &old[j];
            if ((taken >> j & 1) || pv__dot(o->normal, p->normal) < 0.7) continue;
            pv_vec2 da = pv__sub(o->anchor_a, p->anchor_a), db = pv__sub(o->anchor_b, p->anchor_b);
            double d = o->key == p->key ? 0 : pv__min(pv__dot(da, da), pv__dot(db, db));
            if (d < nearest) nearest = d, same = j;
        }
        if (same < 0) continue;
        taken |= 1u << same;
        p->impulse_n = old[same].impulse_n;
        p->impulse_t = old[same].impulse_t;
        p->impulse_roll = old[same].impulse_roll;
        p->slides = old[same].slides;
    }
}

/// Sets the normal of a pair whose pixels do not tell the way out to the direction of the centers.
/// It parts the bodies without turning them, past all holes and notches. A body in a much larger
/// one has to follow the bitmaps.
static void find_way_out(const pv__body *a, const pv__body *b, pv__contact *c) {
    pv_vec2 apart = pv__sub(b->pose.center, a->pose.center);
    double length = pv__length(apart);
    if (pv__touch_is_much_larger(a, b) || pv__touch_is_much_larger(b, a)) return;
    c->point = pv__lerp(a->pose.center, b->pose.center, 0.5);
    c->count = 1;
    if (length > 1e-3) c->normal = pv__mul(1.0 / length, apart);
}

/// Returns the depth of a body's center in a much larger one; 0 outside of it [px].
static double buried_in(const pv__body *inner, const pv__body *outer) {
    if (!pv__touch_is_much_larger(outer, inner)) return 0;
    pv_vec2 apart = pv__unrotate(outer->pose.turn, pv__sub(inner->pose.center, outer->pose.center));
    return pv__max(0,
                   -pv__field_at(outer->pixels->shape, pv__add(outer->pixels->pivot, apart), NULL));
}

/// Parts a pair at its shared pixels, with the depth of a lens of that many pixels. A greater depth
/// would push a body in a notch into the other flank.
/// @param least Least number of shared pixels
/// @param wide True for a point at each end of a strip of them, false for one in its middle
static bool recover(pv_world *world, pv__manifold *m, int least, bool wide) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    pv__contact c;
    if (!pv__touch_now(world, (pv__pair){m->a, m->b}, &c) || c.overlap < least) return false;
    if (!wide) c.count = 1;
    if (c.depth > LOST) find_way_out(a, b, &c);
    double depth = pv__min(COLLIDE_CONTOUR_DEEP, LENS * sqrt((double)c.overlap));
    pv_vec2 half = pv__mul(0.5 * depth, c.normal);
    m->count = 0;
    m->clearance = -pv__max(depth, pv__max(buried_in(a, b), buried_in(b, a)));
    for (int i = 0; i < c.count; i++) {
        pv_vec2 at = c.count == 1 ? c.point : c.points[i].place;
        m->points[m->count++] = (pv__contact_point){
            .anchor_a = pv__unrotate(a->pose.turn, pv__sub(pv__add(at, half), a->pose.center)),
            .anchor_b = pv__unrotate(b->pose.turn, pv__sub(pv__sub(at, half), b->pose.center)),
            .normal = c.normal,
            .gap = -depth,
            .key = RECOVERS,
        };
    }
    return true;
}

/// Returns the number of shared pixels from which contours are no longer trusted; it is less for
/// small bodies.
static int most_grazed(const pv__body *a, const pv__body *b) {
    return (int)pv__clamp(GRAZED_SHARE * pv__min(a->pixels->area, b->pixels->area), LEAST_GRAZED,
                          MOST_GRAZED);
}

/// Returns the nearest candidate that no touch has used. It prefers a's if b's is about as near.
static candidate *nearest_unused(candidates *list) {
    candidate *best = NULL;
    for (int i = 0; i < list->count; i++) {
        candidate *c = &list->items[i];
        double nearer = best && c->of_b != best->of_b ? NEARER : 0;
        if (!c->used && (!best || c->distance < best->distance - nearer)) best = c;
    }
    return best;
}

static bool gather_both(candidates *list, const search *of_a, const search *of_b, double depth) {
    list->count = 0;
    list->nearest = CLEAR;
    list->settles = rim_speed_of(of_a->p, of_a->q) < COLLIDE_CONTOUR_SLOW ? SETTLES : 0;
    return gather(list, of_a, depth) && gather(list, of_b, depth);
}

/// Fills a manifold from the vertices of each body in the field of the other. The search ends at
/// the first deep vertex if shared pixels confirm the depth.
static void meet_by_fields(pv_world *world, pv__manifold *m, double reach, bool recovers,
                           bool free) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    search of_a = search_of(a, b, reach, false), of_b = search_of(b, a, reach, true);
    candidates list;
    if (recovers && recover(world, m, 1, true)) return;
    bool deep = !gather_both(&list, &of_a, &of_b, TOO_DEEP);
    int grazed = most_grazed(a, b);
    if (deep && recover(world, m, grazed, false)) return;
    if (deep) gather_both(&list, &of_a, &of_b, INFINITY);
    if (free && list.settles > 0 && list.nearest < GRAZES && recover(world, m, 1, true)) return;
    m->clearance = list.nearest;
    candidate *best = nearest_unused(&list);
    bool told = best && best->distance <= list.nearest + UNTOLD;
    if (!deep && !told && list.nearest < 0.5 && recover(world, m, grazed, false)) return;
    while (m->count < PV__MANIFOLD_POINTS && (best = nearest_unused(&list)))
        emit_touch(m, a, b, &list, best);
}

/// Limits the depth of all points, so that the solver does not throw deep bodies out.
static void limit_depth(const pv__body *b, pv__manifold *m, double most) {
    for (int i = 0; i < m->count; i++) {
        pv__contact_point *p = &m->points[i];
        double excess = -most - p->gap;
        if (excess <= 0) continue;
        p->anchor_b = pv__mad(p->anchor_b, excess, pv__unrotate(b->pose.turn, p->normal));
        p->gap = -most;
    }
}

/// Turns the normals of a deep pair over the pair limit a little, to a side that depends on a's
/// index. Otherwise a row of bodies would stay a row.
static void buckle(pv__manifold *m) {
    pv_rotation turn = {sqrt(1 - BUCKLE * BUCKLE), m->a & 1 ? -BUCKLE : BUCKLE};
    for (int i = 0; i < m->count; i++)
        if (m->points[i].gap < -CROWD_DEPTH)
            m->points[i].normal = pv__rotate(turn, m->points[i].normal);
}

/// Tells whether a movable body carried load when the step began.
static bool is_pressed(const pv_world *world, int body) {
    return world->bodies.items[body].inverse_mass > 0 && world->solver.states[body + 1].pressed;
}

/// Stores found points in a manifold's own room; without memory for a block, only the first ones.
static void store_points(pv_world *world, pv__manifold *m, pv__contact_point *own) {
    const pv__contact_point *found = m->points;
    m->points = own;
    if (!pv__contact_points_fit(world, m, m->count)) {
        m->count = PV__MANIFOLD_NEAR;
        world->out_of_memory = true;
    }
    memcpy(m->points, found, (size_t)m->count * sizeof *found);
}

/// Empties a manifold before it is found anew, and notes the poses of its bodies.
static void begin_manifold(pv__manifold *m, double clearance, pv__pose at_a, pv__pose at_b) {
    m->count = 0;
    m->made = true;
    m->clearance = clearance;
    m->apart = pv__sub(at_b.center, at_a.center);
    m->turn_a = at_a.turn;
    m->turn_b = at_b.turn;
}

bool pv__collide_apart(const pv_world *world, pv__manifold *m, double near) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    bool exact = pv__pair_is_exact(world, m->a, m->b);
    pv__pose at_a = pv__pose_of_solver_body(world, m->a),
             at_b = pv__pose_of_solver_body(world, m->b);
    pv_vec2 apart = pv__sub(at_b.center, at_a.center);
    double gap = pv__length(apart);
    if (exact)
        gap = pv__max(gap - a->pixels->extent - b->pixels->extent,
                      pv__collide_convex()->gap(a, b, apart, at_a.turn, at_b.turn));
    else
        gap = gap - a->pixels->reach - b->pixels->reach;
    if (gap <= (exact ? near : CLEAR)) return false;
    begin_manifold(m, gap, at_a, at_b);
    return true;
}

void pv__collide_manifold(pv_world *world, pv__manifold *m, double motion, double ahead,
                          double near) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    pv__contact_point *own = m->points, room[PV__MANIFOLD_POINTS];
    int old_count = m->count;
    double reach = COLLIDE_CONTOUR_REACH + pv__min(MOTION_MOST, motion);
    bool polygons = a->pixels->shape->corner_count > 0 && b->pixels->shape->corner_count > 0;
    near = pv__min(near, reach);
    if (!polygons && pv__collide_apart(world, m, near)) return;
    begin_manifold(m, CLEAR, a->pose, b->pose);
    if (motion > AHEAD_MOST) ahead *= AHEAD_MOST / motion;
    m->points = room;
    if (!pv__collide_convex()->meet(world, m, ahead, reach, near)) {
        bool free = !is_pressed(world, m->a) && !is_pressed(world, m->b);
        bool recovers = free && old_count > 0 && own[0].key == RECOVERS;
        meet_by_fields(world, m, reach, recovers, free);
    }
    if (pv__pair_is_crowded(world, m->a, m->b)) buckle(m);
    limit_depth(b, m, pv__pair_is_pressed(world, m->a, m->b) ? CROWD_DEPTH : MOST_DEPTH);
    keep_impulses(m, own, old_count);
    store_points(world, m, own);
}
