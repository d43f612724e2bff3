/* raster_cache.c - a cache of rotated masks.
 *
 * Invariant: all state below is accessed only under the lock, and each entry references its own
 * mask and its source. A cached bitmap is in one chain of the table and in the list by last use.
 * The sum of all sizes is bytes, within the budget between calls.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "base/thread.h"
#include "pixel/overlap.h"
#include "pixel/raster.h"

#include <string.h>

#define CACHE_FIRST_CHAINS 64

/// Direction without trigonometry: (1 - f, f) with f = step / steps, rotated by quarter turns and
/// normalized. The angle changes by at most 2 per unit of f. Half a step therefore moves a point at
/// distance r by at most r / steps.
typedef struct bucket {
    int quarter, step, steps;
} bucket;

typedef struct key {
    const pv_mask *mask;
    pv_vec2 scale;
    bucket at;
} key;

typedef struct cache_kept {
    key key;
    uint64_t hash;
    pv_cached_mask turned;
    size_t bytes;
    /// Next entry in its chain
    struct cache_kept *next;
    /// Neighbors in the list by last use
    struct cache_kept *newer, *older;
} cache_kept;

struct pv_mask_cache {
    pv_allocator allocator;
    pv__lock lock;
    cache_kept **chains;
    /// Number of chains, a power of two
    size_t chain_count;
    cache_kept *newest, *oldest;
    pv_mask_cache_stats stats;
};

/* ---- buckets ---- */

/// Returns the steps of a quarter turn: more than twice the distance of the farthest corner. The
/// rim is then off by less than 1/2 px.
static int steps_for(const pv__bits *bits, pv_vec2 scale) {
    double x = 0.5 * bits->w * scale.x, y = 0.5 * bits->h * scale.y;
    return (int)(2.0 * sqrt(x * x + y * y)) + 2;
}

static bucket bucket_of(pv_rotation r, int steps) {
    double c = pv__abs(r.c), s = pv__abs(r.s);
    int quarter = r.s >= 0 ? (r.c > 0 ? 0 : 1) : (r.c < 0 ? 2 : 3);
    double f = (quarter & 1 ? c : s) / (c + s);
    int step = (int)(f * steps + 0.5);
    if (step == steps) {
        step = 0;
        quarter = (quarter + 1) & 3;
    }
    return (bucket){quarter, step, steps};
}

static pv_rotation rotation_of(bucket b) {
    double f = (double)b.step / b.steps, length = sqrt((1 - f) * (1 - f) + f * f);
    double c = (1 - f) / length, s = f / length;
    switch (b.quarter) {
    case 1: return (pv_rotation){-s, c};
    case 2: return (pv_rotation){-c, -s};
    case 3: return (pv_rotation){s, -c};
    default: return (pv_rotation){c, s};
    }
}

static bool same_key(const key *a, const key *b) {
    return a->mask == b->mask && a->at.step == b->at.step && a->at.quarter == b->at.quarter &&
           a->scale.x == b->scale.x && a->scale.y == b->scale.y;
}

static uint64_t cache_mix(uint64_t h, uint64_t by) {
    h = (h ^ by) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t cache_bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t hash_of(const key *k) {
    uint64_t h =
        cache_mix((uint64_t)(uintptr_t)k->mask, (uint64_t)k->at.step * 4 + (uint64_t)k->at.quarter);
    return cache_mix(h, cache_bits_of(k->scale.x) + 3 * cache_bits_of(k->scale.y));
}

/* ---- the table and the list ---- */

static cache_kept **cache_chain_of(pv_mask_cache *c, uint64_t hash) {
    return &c->chains[hash & (c->chain_count - 1)];
}

static void unlist(pv_mask_cache *c, cache_kept *k) {
    *(k->newer ? &k->newer->older : &c->newest) = k->older;
    *(k->older ? &k->older->newer : &c->oldest) = k->newer;
}

static void list_newest(pv_mask_cache *c, cache_kept *k) {
    k->newer = NULL;
    k->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = k;
    c->newest = k;
}

static cache_kept *cache_find(pv_mask_cache *c, const key *wanted, uint64_t hash) {
    for (cache_kept *k = *cache_chain_of(c, hash); k; k = k->next)
        if (k->hash == hash && same_key(&k->key, wanted)) {
            if (c->newest != k) {
                unlist(c, k);
                list_newest(c, k);
            }
            return k;
        }
    return NULL;
}

static void cache_drop(pv_mask_cache *c, cache_kept *k) {
    cache_kept **at = cache_chain_of(c, k->hash);
    while (*at != k) at = &(*at)->next;
    *at = k->next;
    unlist(c, k);
    c->stats.bytes -= k->bytes;
    c->stats.mask_count--;
    pv_mask_release(k->turned.mask);
    pv_mask_release((pv_mask *)(uintptr_t)k->key.mask);
    pv__free(&c->allocator, k, 1, sizeof *k);
}

/// Doubles the number of chains when they are long. Without memory the chains stay.
static void cache_lengthen(pv_mask_cache *c) {
    if ((size_t)c->stats.mask_count < c->chain_count) return;
    size_t old_count = c->chain_count;
    cache_kept **old = c->chains,
               **chains = pv__alloc(&c->allocator, 2 * old_count, sizeof(cache_kept *));
    if (!chains) return;
    c->chains = chains;
    c->chain_count = 2 * old_count;
    for (size_t i = 0; i < old_count; i++)
        for (cache_kept *k = old[i], *next; k; k = next) {
            next = k->next;
            k->next = *cache_chain_of(c, k->hash);
            *cache_chain_of(c, k->hash) = k;
        }
    pv__free(&c->allocator, old, old_count, sizeof(cache_kept *));
}

/// Caches a bitmap that fits in the budget. Otherwise, or without memory, only the caller has it.
static void cache_keep(pv_mask_cache *c, const key *of, uint64_t hash, pv_cached_mask turned) {
    const pv__bits *bits = &turned.mask->bits;
    size_t bytes = sizeof(cache_kept) + sizeof(pv_mask) +
                   pv__bits_word_count(bits->w, bits->h) * sizeof(uint64_t);
    if (bytes > c->stats.budget) return;
    cache_kept *k = pv__alloc(&c->allocator, 1, sizeof *k);
    if (!k) return;
    while (c->stats.bytes + bytes > c->stats.budget) {
        cache_drop(c, c->oldest);
        c->stats.evictions++;
    }
    *k = (cache_kept){.key = *of, .hash = hash, .turned = turned, .bytes = bytes};
    pv_mask_retain(turned.mask);
    pv_mask_retain((pv_mask *)(uintptr_t)of->mask);
    cache_lengthen(c);
    k->next = *cache_chain_of(c, hash);
    *cache_chain_of(c, hash) = k;
    list_newest(c, k);
    c->stats.bytes += bytes;
    c->stats.mask_count++;
}

/* ---- use ---- */

pv_mask_cache *pv_mask_cache_create(size_t budget, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_allocator from = pv__allocator(allocator);
    pv_mask_cache *c = pv__alloc(&from, 1, sizeof *c);
    cache_kept **chains = c ? pv__alloc(&from, CACHE_FIRST_CHAINS, sizeof(cache_kept *)) : NULL;
    if (!chains || !pv__lock_init(&c->lock)) {
        pv__free(&from, chains, CACHE_FIRST_CHAINS, sizeof(cache_kept *));
        pv__free(&from, c, 1, sizeof *c);
        return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    }
    c->allocator = from;
    c->chains = chains;
    c->chain_count = CACHE_FIRST_CHAINS;
    c->stats.budget = budget;
    return c;
}

void pv_mask_cache_destroy(pv_mask_cache *c) {
    if (!c) return;
    pv_mask_cache_evict(c, NULL);
    pv__lock_free(&c->lock);
    pv_allocator from = c->allocator;
    pv__free(&from, c->chains, c->chain_count, sizeof(cache_kept *));
    pv__free(&from, c, 1, sizeof *c);
}

static pv_status cache_make(pv_mask_cache *c, const key *of, pv_cached_mask *out) {
    const pv__bits *bits = &of->mask->bits;
    pv_transform t = {{0, 0}, rotation_of(of->at), {0.5 * bits->w, 0.5 * bits->h}, of->scale};
    pv_error error;
    pv_rect rect;
    out->mask = pv_mask_transform(of->mask, &t, &rect, &c->allocator, &error);
    out->x = rect.x;
    out->y = rect.y;
    return error.status;
}

/// Returns a bitmap with a reference for the caller; the lock is held.
static pv_status cache_look_up(pv_mask_cache *c, const key *wanted, pv_cached_mask *turned) {
    uint64_t hash = hash_of(wanted);
    const cache_kept *k = cache_find(c, wanted, hash);
    if (k) {
        c->stats.hits++;
        *turned = k->turned;
        pv_mask_retain(turned->mask);
        return PV_OK;
    }
    c->stats.misses++;
    pv_status status = cache_make(c, wanted, turned);
    if (status == PV_OK) cache_keep(c, wanted, hash, *turned);
    return status;
}

static key key_of(const pv_mask *mask, pv_rotation rotation, pv_vec2 scale) {
    return (key){mask, scale, bucket_of(rotation, steps_for(&mask->bits, scale))};
}

pv_status pv_mask_cache_acquire(pv_mask_cache *cache, const pv_mask *mask, pv_rotation rotation,
                                pv_vec2 scale, pv_cached_mask *turned) {
    pv_transform t = {{0, 0}, rotation, {0, 0}, scale};
    if (!turned) return PV_ERROR_ARGUMENT;
    *turned = (pv_cached_mask){NULL, 0, 0};
    if (!cache || !mask) return PV_ERROR_ARGUMENT;
    pv_status status = pv__raster_check_transform(&t);
    if (status != PV_OK) return status;
    key wanted = key_of(mask, rotation, scale);
    pv__lock_take(&cache->lock);
    status = cache_look_up(cache, &wanted, turned);
    pv__lock_give(&cache->lock);
    if (status != PV_OK) *turned = (pv_cached_mask){NULL, 0, 0};
    return status;
}

/// Computes the place of a cached bitmap in the world, rounded to whole pixels.
static void cache_spot_of(const pv_placed *p, const pv_cached_mask *turned, int64_t out[2]) {
    const pv__bits *bits = &p->mask->bits;
    pv_vec2 middle = pv_transform_to_world(&p->transform, pv__vec(0.5 * bits->w, 0.5 * bits->h));
    out[0] = turned->x + pv__floor(middle.x + 0.5);
    out[1] = turned->y + pv__floor(middle.y + 0.5);
}

/// Returns the bitmaps of two sprites, both or none.
static bool look_up_both(pv_mask_cache *c, const pv_placed *a, const pv_placed *b,
                         pv_cached_mask turned[2]) {
    key first = key_of(a->mask, a->transform.rotation, a->transform.scale);
    key second = key_of(b->mask, b->transform.rotation, b->transform.scale);
    pv__lock_take(&c->lock);
    bool has_first = cache_look_up(c, &first, &turned[0]) == PV_OK;
    bool both = has_first && cache_look_up(c, &second, &turned[1]) == PV_OK;
    pv__lock_give(&c->lock);
    if (has_first && !both) pv_mask_release(turned[0].mask);
    return both;
}

static bool cache_is_good(const pv_placed *p) {
    return p && p->mask && pv__raster_check_transform(&p->transform) == PV_OK;
}

bool pv_mask_cache_test_overlap(pv_mask_cache *cache, const pv_placed *a, const pv_placed *b) {
    pv_cached_mask turned[2];
    int64_t p[2], q[2];
    if (!cache_is_good(a) || !cache_is_good(b)) return false;
    if (!cache || !look_up_both(cache, a, b, turned)) return pv_placed_test_overlap(a, b);
    cache_spot_of(a, &turned[0], p);
    cache_spot_of(b, &turned[1], q);
    bool hit = pv__bits_hit(&turned[0].mask->bits, &turned[1].mask->bits, q[0] - p[0], q[1] - p[1]);
    pv_mask_release(turned[0].mask);
    pv_mask_release(turned[1].mask);
    return hit;
}

void pv_mask_cache_evict(pv_mask_cache *cache, const pv_mask *mask) {
    if (!cache) return;
    pv__lock_take(&cache->lock);
    for (cache_kept *k = cache->newest, *older; k; k = older) {
        older = k->older;
        if (!mask || k->key.mask == mask) cache_drop(cache, k);
    }
    pv__lock_give(&cache->lock);
}

pv_mask_cache_stats pv_mask_cache_get_stats(pv_mask_cache *cache) {
    pv_mask_cache_stats stats = {0};
    if (!cache) return stats;
    pv__lock_take(&cache->lock);
    stats = cache->stats;
    pv__lock_give(&cache->lock);
    return stats;
}
