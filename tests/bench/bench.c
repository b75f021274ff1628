/*
 * bench.c: the clock behind bench.h. Rounds are timed in batches long enough for the
 * clock (BATCH_SECONDS); the median over the batches is reported, since interruptions
 * only ever add.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"

#define ENTRY(name, file) void bench_##name(void);
#include "list.h"
#undef ENTRY

#define ENTRY(name, file) { #name, bench_##name },
static const struct {
    const char *name;
    void (*run)(void);
} entries[] = {
#include "list.h"
    { NULL, NULL }
};

enum { BATCHES = 21 };
static const double BATCH_SECONDS = 0.01;

enum phase { IDLE, FIRST, CALIBRATING, TIMING };

static struct {
    const char *name, *label;
    double flops, bytes;
    enum phase phase;
    long done, batch; /* rounds of this batch, and rounds per batch */
    int batches;
    double start, times[BATCHES], first_case;
} now;

static volatile double sink;

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_flops(double flops)
{
    now.flops = flops;
}

void bench_bytes(double bytes)
{
    now.bytes = bytes;
}

void bench_case(const char *label)
{
    now.label = label;
}

void bench_use(double value)
{
    sink = value;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_case(void)
{
    qsort(now.times, BATCHES, sizeof now.times[0], compare_times);
    double median = now.times[BATCHES / 2];
    double spread = (now.times[BATCHES * 9 / 10] - now.times[BATCHES / 10]) / (2 * median);
    printf("%-32s %-10s %14.1f ns  +-%3.0f %%", now.name, now.label, 1e9 * median, 100 * spread);
    if (now.flops > 0)
        printf("  %9.2f GFLOP/s", 1e-9 * now.flops / median);
    if (now.bytes > 0)
        printf("  %9.2f GB/s", 1e-9 * now.bytes / median);
    if (now.first_case > 0)
        printf("  %7.2fx", now.first_case / median);
    else
        now.first_case = median;
    printf("\n");
    fflush(stdout);
}

static int open_batch(void)
{
    now.done = 0;
    now.start = clock_seconds();
    return 1;
}

/* A batch is full: learn from it how long batches must be, or keep its time. */
static int close_batch(void)
{
    double seconds = clock_seconds() - now.start;
    if (now.phase == FIRST) {
        now.phase = CALIBRATING;
    } else if (now.phase == CALIBRATING) {
        if (seconds < BATCH_SECONDS)
            now.batch *= seconds < BATCH_SECONDS / 8 ? 8 : 2;
        else
            now.phase = TIMING;
    } else {
        now.times[now.batches++] = seconds / (double)now.batch;
        if (now.batches == BATCHES) {
            print_case();
            now.phase = IDLE;
            return 0;
        }
    }
    return open_batch();
}

int bench_again(void)
{
    if (now.phase == IDLE) {
        now.phase = FIRST;
        now.batch = 1;
        now.batches = 0;
        return open_batch();
    }
    return ++now.done < now.batch ? 1 : close_batch();
}

int main(int argc, char **argv)
{
    for (int i = 0; entries[i].name; i++) {
        if (argc > 1 && !strstr(entries[i].name, argv[1]))
            continue;
        memset(&now, 0, sizeof now);
        now.name = entries[i].name;
        now.label = "";
        entries[i].run();
    }
    return 0;
}
