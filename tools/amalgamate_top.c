/* pixverlet.c - libpixverlet @VERSION@ in one file: sprites whose opaque pixels collide.
 *
 * Invariant: this file is made by `make amalgamation`, of the files named below. It needs
 * pixverlet.h and stb_image.h beside it, a C11 compiler (gcc or clang), and -lm.
 *
 *     -DPIXVERLET_CJSON       reads JSON atlases and tile maps; link with -lcjson
 *     -DPIXVERLET_NO_THREADS  leaves out locks, for programs of one thread
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef __cplusplus
#error "pixverlet.c is C: compile it with cc, and link it with the C++ program"
#endif
#if defined __FAST_MATH__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ != 0)
#error "libpixverlet must not be compiled with -ffast-math, nor with -Ofast: machines would differ"
#endif

#ifndef __USE_MINGW_ANSI_STDIO
#define __USE_MINGW_ANSI_STDIO 1
#endif
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif

/* @INCLUDES@ */
#ifndef PIXVERLET_NO_THREADS
#ifdef __has_include
#if __has_include(<pthread.h>)
#include <pthread.h>
#endif
#endif
#endif
#ifdef PIXVERLET_CJSON
#define HAVE_CJSON 1
#include <cjson/cJSON.h>
#endif

/* Multiplications and additions are not fused, or machines would differ. gcc and clang have a
 * pragma each. gcc 12 would still fuse them in straight-line code, unless it leaves that
 * unvectorized. This comes first, so that functions in pixverlet.h obey it, too. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize", "no-math-errno")
#endif

/* Internal names stay hidden. Only static functions take vectors, so it does not matter how others
 * would pass them. */
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define PACKAGE_VERSION "@VERSION@"

#include "pixverlet.h"
