/* pv_kernel.c - which kernel is in use: the best that the CPU has, or the one that was asked for.
 *
 * Invariant: pv__kernel_chosen is null or one that this CPU can run. Whoever finds it null chooses; several
 * threads at once come to the same choice, and the first one's stays.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"

#include <stdlib.h>
#include <string.h>

_Atomic(const pv__kernel *) pv__kernel_chosen;

#ifdef PV__X86_KERNELS

/* What the CPU says includes whether the system saves its registers. */

static bool has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq");
}

/// The named kernel, or the best for null; null when it cannot be had.
static const pv__kernel *find(const char *name) {
    if ((!name || strcmp(name, "avx512") == 0) && has_avx512()) return &pv__kernel_avx512;
    if ((!name || strcmp(name, "avx2") == 0) && has_avx2()) return &pv__kernel_avx2;
    return !name || strcmp(name, "generic") == 0 ? &pv__kernel_generic : NULL;
}

#else

static const pv__kernel *find(const char *name) {
    return !name || strcmp(name, "generic") == 0 ? &pv__kernel_generic : NULL;
}

#endif

/// What the environment asks for, where empty is nothing.
static const char *wanted(void) {
    const char *name = getenv("PIXVERLET_KERNEL");
    return name && *name ? name : NULL;
}

const pv__kernel *pv__kernel_choose(void) {
    const pv__kernel *found = find(wanted()), *before = NULL;
    if (!found) found = &pv__kernel_generic;
    bool first = atomic_compare_exchange_strong(&pv__kernel_chosen, &before, found);
    return first ? found : before;
}

const char *pv_kernel_name(void) { return pv__kernel_in_use()->name; }

pv_status pv_kernel_force(const char *name) {
    const pv__kernel *found = find(name ? name : wanted());
    if (!found) return PV_ERROR_ARGUMENT;
    atomic_store_explicit(&pv__kernel_chosen, found, memory_order_relaxed);
    return PV_OK;
}
