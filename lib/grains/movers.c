/* movers.c - lists the moving bodies of a step in cells, so that grains find them.
 *
 * Invariant: a cell of 8 px whose distance to movers is not 0 has no pixel of a moving body at any
 * time of the step, as seen by a grain that moves up to 64 px.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/movers.h"
#include "core/pose.h"
#include "grains/area.h"

/// Side of a cell of the list, as a power of two [px]
enum { MOVERS_SHIFT = 5 };

typedef struct pv__grain_movers movers;

static inline bool rect_has(const pv_rect *r, unsigned u, unsigned v) {
    return u - (unsigned)r->x < (unsigned)r->w && v - (unsigned)r->y < (unsigned)r->h;
}

bool pv__mover_has(const pv__grain_mover *m, int32_t x, int32_t y) {
    return rect_has(&m->box, pv__grain_pixel(x), pv__grain_pixel(y)) &&
           (!m->bits || pv__grain_picture_is_solid(
                            m->bits, pv__grain_into(&m->frame_now, pv__grain_place(x, y))));
}

/* ---- the movers of a step ---- */

static bool append(pv_world *world, pv__grains *g, const pv__grain_mover *m) {
    const pv_allocator *a = &world->def.allocator;
    if (!g->movers) g->movers = pv__alloc(a, 1, sizeof *g->movers);
    movers *all = g->movers;
    if (!all || !PV__APPEND(a, all->items, all->capacity, all->count, *m)) return false;
    all->bodies += m->sink < 0;
    return true;
}

/// Returns the frame of a picture: m = pivot + R^-1 (p - position) / scale.
static pv__grain_frame picture_frame(const pv_transform *t) {
    double c = t->rotation.c, s = t->rotation.s, x = t->scale.x, y = t->scale.y;
    pv__grain_frame f = {{c / x, s / x}, {-s / y, c / y}, {0, 0}};
    f.offset = pv__sub(t->pivot, pv__grain_into(&f, t->position));
    return f;
}

bool pv__movers_add(pv_world *world, pv__grains *g, const pv__body *b, pv__pose from, int sink) {
    pv_rect was = pv__ground_rect(b, from), is = pv__ground_rect(b, b->pose);
    pv__grain_mover m = {.bits = &b->pixels->mask->bits,
                         .before = pv__body_transform(b, from),
                         .now = pv__body_transform(b, b->pose),
                         .box = was.w && is.w ? pv__rect_join(was, is)
                                : was.w       ? was
                                              : is,
                         .sink = sink};
    m.frame_before = picture_frame(&m.before);
    m.frame_now = picture_frame(&m.now);
    return m.box.w == 0 || append(world, g, &m);
}

bool pv__movers_add_box(pv_world *world, pv__grains *g, int sink) {
    const double most = PV_GRAIN_FARTHEST;
    pv_box box = g->sinks[sink].sink.box;
    int x0 = (int)pv__floor(pv__clamp(box.min.x, -most, most)),
        y0 = (int)pv__floor(pv__clamp(box.min.y, -most, most));
    int x1 = (int)pv__floor(pv__clamp(box.max.x, -most, most)),
        y1 = (int)pv__floor(pv__clamp(box.max.y, -most, most));
    pv__grain_mover m = {.box = {x0 + PV__GRAIN_BIAS, y0 + PV__GRAIN_BIAS, x1 - x0, y1 - y0},
                         .sink = sink};
    return m.box.w <= 0 || m.box.h <= 0 || append(world, g, &m);
}

static unsigned cell_of(const movers *all, int x, int y) {
    return ((unsigned)x * 0x9e3779b1u ^ (unsigned)y * 0x85ebca6bu) >> 7 &
           ((unsigned)all->cells - 1);
}

/// Counts a mover in its cells, or enters it there.
static void enter(movers *all, int i, bool counts) {
    pv_rect r = all->items[i].box;
    for (int y = r.y >> MOVERS_SHIFT; y <= (r.y + r.h - 1) >> MOVERS_SHIFT; y++)
        for (int x = r.x >> MOVERS_SHIFT; x <= (r.x + r.w - 1) >> MOVERS_SHIFT; x++) {
            unsigned cell = cell_of(all, x, y);
            if (counts)
                all->starts[cell + 2]++;
            else
                all->entries[all->starts[cell + 1]++] = i;
        }
}

/// Sorts the movers into cells by counting.
static bool sort_movers(pv_world *world, movers *all) {
    const pv_allocator *a = &world->def.allocator;
    all->cells = pv__table_length(0, 8 * (int64_t)all->bodies);
    if (!PV__RESERVE(a, all->starts, all->start_capacity, all->cells + 2)) return false;
    for (int i = 0; i < all->cells + 2; i++) all->starts[i] = 0;
    for (int i = 0; i < all->bodies; i++) enter(all, i, true);
    for (int i = 1; i < all->cells + 2; i++) all->starts[i] += all->starts[i - 1];
    if (!PV__RESERVE(a, all->entries, all->entry_capacity, all->starts[all->cells + 1]))
        return false;
    for (int i = 0; i < all->bodies; i++) enter(all, i, false);
    return true;
}

void pv__movers_end(pv__grains *g) {
    movers *all = g->movers;
    if (!all) return;
    for (int i = 0; i < all->count; i++) pv__area_unmark(g, all->items[i].box);
    all->count = all->bodies = 0;
}

void pv__movers_free(const pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    movers *all = g->movers;
    if (!all) return;
    PV__FREE(a, all->items, all->capacity);
    PV__FREE(a, all->starts, all->start_capacity);
    PV__FREE(a, all->entries, all->entry_capacity);
    pv__free(a, all, 1, sizeof *all);
    g->movers = NULL;
}

/* ---- searches ---- */

static inline void open_cell(pv__mover_search *s) {
    unsigned cell = cell_of(s->all, s->x, s->y);
    s->entry = s->all->starts[cell];
    s->end = s->all->starts[cell + 1];
}

pv__mover_search pv__mover_search_along(const pv__grains *g, int32_t x0, int32_t y0, int32_t x1,
                                        int32_t y1) {
    if (!g->movers || g->movers->bodies == 0) return (pv__mover_search){0};
    pv__mover_search s = {.all = g->movers, .way = pv__grain_box_around(x0, y0, x1, y1)};
    s.x = s.way.x0 >> MOVERS_SHIFT;
    s.y = s.way.y0 >> MOVERS_SHIFT;
    open_cell(&s);
    return s;
}

const pv__grain_mover *pv__mover_search_next(pv__mover_search *s) {
    const pv__grain_box *b = &s->way;
    for (;;) {
        while (s->entry < s->end) {
            const pv__grain_mover *m = &s->all->items[s->all->entries[s->entry++]];
            if (pv__mover_is_met(m, b)) return m;
        }
        if (s->x < b->x1 >> MOVERS_SHIFT) {
            s->x++;
        } else {
            s->x = b->x0 >> MOVERS_SHIFT;
            if (++s->y > b->y1 >> MOVERS_SHIFT) return NULL;
        }
        open_cell(s);
    }
}

/* ---- cells that the pixels of a mover cover in the step ---- */

/// Half the sides of the boxes around a cell's pictures before and now, widened by how far a
/// grain's way may bend [px]
typedef struct cover {
    pv_vec2 before, now;
} cover;

/// Returns half the sides of the box around the picture of a cell.
static pv_vec2 half_of(const pv__grain_frame *f, double bend) {
    const double half = (1 << PV__CELL_SHIFT) / 2;
    return pv__vec(half * (pv__abs(f->row_x.x) + pv__abs(f->row_x.y)) + bend,
                   half * (pv__abs(f->row_y.x) + pv__abs(f->row_y.y)) + bend);
}

/// In the picture, a grain's way of at most two cells leaves the ways of the cells that it crosses
/// by at most a quarter of its length times the change of the frame.
static cover cover_of(const pv__grain_mover *m) {
    const pv__grain_frame *a = &m->frame_before, *b = &m->frame_now;
    double turn = pv__abs(a->row_x.x - b->row_x.x) + pv__abs(a->row_x.y - b->row_x.y) +
                  pv__abs(a->row_y.x - b->row_y.x) + pv__abs(a->row_y.y - b->row_y.y);
    double bend = (2 << MOVERS_SHIFT) / 4 * turn + 1e-6;
    return (cover){half_of(a, bend), half_of(b, bend)};
}

/// Tells whether a mover's pixels may be in a cell in the step.
static bool covers(const pv__grain_mover *m, const cover *c, int x, int y) {
    const int side = 1 << PV__CELL_SHIFT;
    pv_vec2 middle = {x * side + side / 2 - PV__GRAIN_BIAS, y * side + side / 2 - PV__GRAIN_BIAS};
    pv_vec2 was = pv__grain_into(&m->frame_before, middle),
            is = pv__grain_into(&m->frame_now, middle);
    pv_box a = {pv__sub(was, c->before), pv__add(was, c->before)},
           b = {pv__sub(is, c->now), pv__add(is, c->now)}, both = pv__box_join(a, b);
    return pv__bits_any_in(m->bits, &both);
}

static bool mark(pv_world *world, pv__grains *g, const pv__grain_mover *m) {
    pv_rect r = m->box;
    if (m->sink >= 0) return pv__area_mark(world, g, r, 0);
    if (!pv__area_mark(world, g, r, 1)) return false;
    cover c = cover_of(m);
    for (int y = r.y >> PV__CELL_SHIFT; y <= (r.y + r.h - 1) >> PV__CELL_SHIFT; y++)
        for (int x = r.x >> PV__CELL_SHIFT; x <= (r.x + r.w - 1) >> PV__CELL_SHIFT; x++)
            if (covers(m, &c, x, y)) pv__area_mark_cell(g, x, y);
    return true;
}

bool pv__movers_begin(pv_world *world, pv__grains *g) {
    movers *all = g->movers;
    if (!all || all->count == 0) return true;
    if (!sort_movers(world, all)) return false;
    for (int i = 0; i < all->count; i++)
        if (!mark(world, g, &all->items[i])) return false;
    return true;
}

/* ---- grains that rest in the way ---- */

/// Tells whether a grain at a biased pixel is in a sink, or within a pixel of a body.
static bool meets(const pv__grain_mover *m, unsigned u, unsigned v) {
    int32_t x = pv__grain_center(u), y = pv__grain_center(v);
    if (!rect_has(&m->box, u, v)) return false;
    if (m->sink >= 0) return pv__mover_has(m, x, y);
    pv_vec2 at = pv__grain_into(&m->frame_now, pv__grain_place(x, y));
    pv_box around = pv__box_widened((pv_box){at, at}, 1);
    return pv__bits_any_in(m->bits, &around);
}

static void wake_met(pv__grains *g, const pv__grain_mover *m) {
    for (int y = m->box.y; y < m->box.y + m->box.h; y++)
        for (int x = m->box.x & ~63; x < m->box.x + m->box.w; x += 64) {
            const pv__grain_tile *t = pv__area_tile(g, (unsigned)x, (unsigned)y);
            for (uint64_t bits = t ? t->rests[y & 63] : 0; bits; bits &= bits - 1) {
                unsigned u = (unsigned)x + (unsigned)__builtin_ctzll(bits);
                if (meets(m, u, (unsigned)y)) pv__pile_wake(g, u, (unsigned)y);
            }
        }
}

void pv__movers_wake(pv__grains *g) {
    for (int i = 0; g->movers && i < g->movers->count; i++) wake_met(g, &g->movers->items[i]);
}
