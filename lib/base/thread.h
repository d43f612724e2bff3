/* thread.h - locks, shared counters, and thread-local variables; plain ones without threads.
 *
 * Invariant: with PIXVERLET_NO_THREADS, or without POSIX threads, a program has one thread. There a
 * lock is always free, and a thread-local variable is a plain static one.
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

/// Least distance between data that different workers write: two cache lines [bytes]
enum { PV__OWN_LINES = 128 };

#ifdef PIXVERLET_NO_THREADS

/// 1 if a world may have several workers
enum { PV__HAS_THREADS = 0 };

#define PV__THREAD_LOCAL
/// Lock that does nothing; a struct needs a member.
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

static inline void pv__flag_raise(pv__flag *flag) { *flag = true; }
static inline void pv__flag_lower(pv__flag *flag) { *flag = false; }
static inline void pv__pause(int round) { (void)round; }

/// Bits that only change to 1 while several threads run
typedef uint32_t pv__flags;

static inline void pv__flags_raise(pv__flags *bits, uint32_t more) { *bits |= more; }

/// Number that several threads read and write
typedef uint64_t pv__word;

static inline uint64_t pv__word_read(pv__word *word) { return *word; }
static inline void pv__word_write(pv__word *word, uint64_t number) { *word = number; }
static inline uint64_t pv__word_read_in_order(pv__word *word) { return *word; }
static inline void pv__word_write_in_order(pv__word *word, uint64_t number) { *word = number; }

/// Replaces a number if it equals *old; otherwise stores the number in *old.
static inline bool pv__word_exchange(pv__word *word, uint64_t *old, uint64_t number) {
    bool same = *word == *old;
    *old = *word;
    if (same) *word = number;
    return same;
}

#else

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { PV__HAS_THREADS = 1 };

#define PV__THREAD_LOCAL _Thread_local
typedef pthread_mutex_t pv__lock;

/// Creates a free lock; returns false without memory.
static inline bool pv__lock_init(pv__lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
static inline void pv__lock_free(pv__lock *lock) { pthread_mutex_destroy(lock); }
static inline void pv__lock_take(pv__lock *lock) { pthread_mutex_lock(lock); }
static inline void pv__lock_give(pv__lock *lock) { pthread_mutex_unlock(lock); }

/// Counter that only grows
typedef atomic_int pv__counter;
/// Truth value that only changes to true while several threads run
typedef atomic_bool pv__flag;

/// Bits that only change to 1 while several threads run
typedef _Atomic uint32_t pv__flags;

/// Sets bits to 1.
static inline void pv__flags_raise(pv__flags *bits, uint32_t more) {
    atomic_fetch_or_explicit(bits, more, memory_order_relaxed);
}

/// Number that several threads read and write
typedef _Atomic uint64_t pv__word;

/// Reads a number. The reader also sees everything that the writer did before it wrote it.
static inline uint64_t pv__word_read(pv__word *word) {
    return atomic_load_explicit(word, memory_order_acquire);
}

static inline void pv__word_write(pv__word *word, uint64_t number) {
    atomic_store_explicit(word, number, memory_order_release);
}

/// Reads and writes that all threads see in one order.
static inline uint64_t pv__word_read_in_order(pv__word *word) { return atomic_load(word); }
static inline void pv__word_write_in_order(pv__word *word, uint64_t number) {
    atomic_store(word, number);
}

/// Replaces a number if it equals *old; otherwise stores the number in *old.
static inline bool pv__word_exchange(pv__word *word, uint64_t *old, uint64_t number) {
    return atomic_compare_exchange_strong_explicit(word, old, number, memory_order_acq_rel,
                                                   memory_order_acquire);
}

/// Makes a flag true. It writes once, because each write takes the cache line from all readers.
static inline void pv__flag_raise(pv__flag *flag) {
    if (!atomic_load_explicit(flag, memory_order_relaxed))
        atomic_store_explicit(flag, true, memory_order_relaxed);
}

/// Makes a flag false. No other thread may use it meanwhile.
static inline void pv__flag_lower(pv__flag *flag) {
    atomic_store_explicit(flag, false, memory_order_relaxed);
}

/// Rounds of waiting after which a thread yields its processor to others
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
