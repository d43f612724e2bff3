/* thread.h - a lock, and variables of a thread; nothing of either without threads.
 *
 * Invariant: PIXVERLET_NO_THREADS, or a machine without POSIX threads, leaves programs of one
 * thread. There a lock is always free, and a variable of a thread is a plain static one.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_THREAD_H
#define PV_BASE_THREAD_H

#include <stdbool.h>

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

#else

#include <pthread.h>

#define PV__THREAD_LOCAL _Thread_local
typedef pthread_mutex_t pv__lock;

/// Creates a free lock; false without memory for it.
static inline bool pv__lock_init(pv__lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
static inline void pv__lock_free(pv__lock *lock) { pthread_mutex_destroy(lock); }
static inline void pv__lock_take(pv__lock *lock) { pthread_mutex_lock(lock); }
static inline void pv__lock_give(pv__lock *lock) { pthread_mutex_unlock(lock); }

#endif

#endif
