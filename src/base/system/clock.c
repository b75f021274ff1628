/* clock.c: how much time has passed. */
#include "base/system/clock.h"

#include <stdio.h>
#include <time.h>

double dgm_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void dgm_clock_print(char out[32], double seconds)
{
    long long whole = seconds < 1e12 ? (long long)(seconds + 0.5) : 0;

    snprintf(out, 32, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
}
