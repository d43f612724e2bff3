/* kernel.c - selects a kernel.
 *
 * Invariant: pv__kernel_chosen is null or a kernel that this CPU can run. Any thread that reads
 * null selects one. Concurrent threads select the same kernel, and the first store stays.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/kernel.h"

#include <stdlib.h>
#include <string.h>

_Atomic(const pv__kernel *) pv__kernel_chosen;

#ifdef PV__X86_KERNELS

/* These checks also cover the system's support for the registers. */

static bool has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq");
}

#endif

/// Returns the kernel of a name, or the best for null; null for an unavailable kernel.
static const pv__kernel *find(const char *name) {
#ifdef PV__X86_KERNELS
    if ((!name || strcmp(name, "avx512") == 0) && has_avx512()) return &pv__kernel_avx512;
    if ((!name || strcmp(name, "avx2") == 0) && has_avx2()) return &pv__kernel_avx2;
#endif
    return !name || strcmp(name, "generic") == 0 ? &pv__kernel_generic : NULL;
}

/// Returns the kernel's name from the environment, or null for an empty one.
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

const char *pv_kernel_get_name(void) { return pv__kernel_in_use()->name; }

pv_status pv_kernel_select(const char *name) {
    const pv__kernel *found = find(name ? name : wanted());
    if (!found) return PV_ERROR_ARGUMENT;
    atomic_store_explicit(&pv__kernel_chosen, found, memory_order_relaxed);
    return PV_OK;
}
