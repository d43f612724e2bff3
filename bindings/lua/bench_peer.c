/* bench_peer.c - the C side of the Lua benchmark: steps a world, and reads all poses.
 *
 * Invariant: the returned sum depends on each pose, so that no read can be optimized away.
 *
 * SPDX-License-Identifier: Zlib
 */
#include <pixverlet.h>

#include <stdlib.h>
#include <time.h>

double bench_steps(pv_world *world, int steps, pv_pose *poses, int capacity, double *seconds);

/// Returns the processor time of this thread [s].
static double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Steps a world, reads the position of each body after each step, and measures the time [s].
double bench_steps(pv_world *world, int steps, pv_pose *poses, int capacity, double *seconds) {
    double sum = 0, start = bench_now();
    for (int i = 0; i < steps; i++) {
        if (pv_world_step(world, 1.0 / 60) != PV_OK) abort();
        int count = pv_world_get_poses(world, 0, poses, capacity);
        for (int k = 0; k < count; k++) sum += poses[k].position.x + poses[k].position.y;
    }
    *seconds = bench_now() - start;
    return sum;
}
