/* thread.h - locks, counters of several threads, and variables of one; plain ones without threads.
 *
 * Invariant: PIXVERLET_NO_THREADS, or a machine without POSIX threads, leaves programs of one
 * thread. There a lock is always free, and a variable of a thread is a plain static one.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_THREAD_H
#define PV_BASE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#if !defined PIXVERLET_NO_THREADS && defined __has_include
#if !__has_include(<pthread.h>)
#define PIXVERLET_NO_THREADS
#endif
#endif

#ifdef PIXVERLET_NO_THREADS

#define PV__THREAD_LOCAL
/// Lock of the only thread; a struct needs a member.
typedef struct pv__lock {
    char unused;
} pv__lock;

static inline bool pv__lock_init(pv__lock *lock) { return (void)lock, true; }
static inline void pv__lock_free(pv__lock *lock) { (void)lock; }
static inline void pv__lock_take(pv__lock *lock) { (void)lock; }
static inline void pv__lock_give(pv__lock *lock) { (void)lock; }

/// Counter that only grows
typedef int pv__counter;
/// Truth value that only changes to true while several threads run
typedef bool pv__flag;

static inline int pv__counter_read(pv__counter *c) { return *c; }
static inline int pv__counter_add(pv__counter *c) { return (*c)++; }
static inline void pv__flag_raise(pv__flag *flag) { *flag = true; }
static inline void pv__pause(int round) { (void)round; }

/// Number that threads set
typedef uint64_t pv__stamp;

/// Sets a stamp; returns false if it had that number.
static inline bool pv__stamp_set(pv__stamp *stamp, uint64_t number) {
    if (*stamp == number) return false;
    *stamp = number;
    return true;
}

#else

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define PV__THREAD_LOCAL _Thread_local
typedef pthread_mutex_t pv__lock;

/// Creates a free lock; false without memory for it.
static inline bool pv__lock_init(pv__lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
static inline void pv__lock_free(pv__lock *lock) { pthread_mutex_destroy(lock); }
static inline void pv__lock_take(pv__lock *lock) { pthread_mutex_lock(lock); }
static inline void pv__lock_give(pv__lock *lock) { pthread_mutex_unlock(lock); }

/// Counter that only grows
typedef atomic_int pv__counter;
/// Truth value that only changes to true while several threads run
typedef atomic_bool pv__flag;

/// Returns a counter, and makes everything known that its threads had done before they counted.
static inline int pv__counter_read(pv__counter *c) {
    return atomic_load_explicit(c, memory_order_acquire);
}

/// Adds 1 to a counter, and returns its value before.
static inline int pv__counter_add(pv__counter *c) {
    return atomic_fetch_add_explicit(c, 1, memory_order_acq_rel);
}

/// Number that threads set
typedef _Atomic uint64_t pv__stamp;

/// Sets a stamp; returns false if it had that number, or another thread has set it meanwhile.
static inline bool pv__stamp_set(pv__stamp *stamp, uint64_t number) {
    uint64_t old = atomic_load_explicit(stamp, memory_order_relaxed);
    return old != number && atomic_compare_exchange_strong_explicit(
                                stamp, &old, number, memory_order_acq_rel, memory_order_relaxed);
}

/// Makes a flag true.
static inline void pv__flag_raise(pv__flag *flag) {
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

/// Rounds of waiting after which a thread leaves its processor to others
enum { PV__PATIENCE = 256 };

/// Waits a moment in a loop that waits for another thread.
static inline void pv__pause(int round) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
    if (round >= PV__PATIENCE) sched_yield();
}

#endif

#endif
