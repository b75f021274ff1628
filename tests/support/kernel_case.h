/*
 * kernel_case.h: what the tests of kernels share: arrays between guard zones, at any alignment,
 * and values that break careless code.
 */
#ifndef DGM_TEST_KERNEL_CASE_H
#define DGM_TEST_KERNEL_CASE_H

#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "kernel/kernel.h"
#include "test.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CASE_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CASE_ASAN
#endif
#ifdef CASE_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum { CASE_MOST = 1100, CASE_GUARD = 24, CASE_SHIFTS = 3 };

/* Room for CASE_MOST reals; what lies around those in use must stay as it is. AddressSanitizer lets
 * nobody read it either: such arrays are static, for what is on a stack would be forbidden on. */
struct case_array {
    dgm_real room[CASE_MOST + 2 * CASE_GUARD];
    dgm_real *x; /* the reals in use, at some alignment */
    int64_t count;
};

static inline dgm_real case_guard_value(int64_t i)
{
    return (dgm_real)(-1234 - i);
}

#ifdef CASE_ASAN

static inline void case_array_open(const struct case_array *a)
{
    ASAN_UNPOISON_MEMORY_REGION(a->room, sizeof a->room);
}

static inline void case_array_close(const struct case_array *a)
{
    const size_t before = (size_t)(a->x - a->room), end = before + (size_t)a->count;

    ASAN_POISON_MEMORY_REGION(a->room, before * sizeof *a->x);
    ASAN_POISON_MEMORY_REGION(a->room + end, sizeof a->room - end * sizeof *a->x);
}

#else

static inline void case_array_open(const struct case_array *a)
{
    (void)a;
}

static inline void case_array_close(const struct case_array *a)
{
    (void)a;
}

#endif

static inline void case_array_begin(struct case_array *a, int64_t count, int shift)
{
    case_array_open(a);
    a->x = a->room + CASE_GUARD - CASE_SHIFTS + shift;
    a->count = count;
    for (int64_t i = 0; i < CASE_MOST + 2 * CASE_GUARD; i++)
        a->room[i] = case_guard_value(i);
    case_array_close(a);
}

static inline int case_array_is_intact(const struct case_array *a)
{
    const int64_t begin = a->x - a->room;

    case_array_open(a);
    for (int64_t i = 0; i < CASE_MOST + 2 * CASE_GUARD; i++)
        if ((i < begin || i >= begin + a->count) && a->room[i] != case_guard_value(i))
            return 0;
    return 1;
}

static inline void case_array_random(struct case_array *a, struct dgm_random *random)
{
    for (int64_t i = 0; i < a->count; i++)
        a->x[i] = (dgm_real)(4 * dgm_random_unit(random) - 2);
}

/* Random numbers, with zeros, denormals, huge and tiny ones among them. */
static inline void case_array_hostile(struct case_array *a, struct dgm_random *random)
{
    static const double special[] = { 0, -0.0, 1e-40, -1e-42, 1e30, -1e30, 1e-30, 3e4, -2e5 };
    const uint32_t specials = sizeof special / sizeof special[0];

    case_array_random(a, random);
    for (int64_t i = 0; i < a->count; i++)
        if (dgm_random_below(random, 3) == 0)
            a->x[i] = (dgm_real)special[dgm_random_below(random, specials)];
}

/* The same bits, or NaN both. */
static inline int case_same(const dgm_real *a, const dgm_real *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return 0;
    return 1;
}

static inline double case_largest(const dgm_real *x, int64_t count)
{
    double largest = 0;

    for (int64_t i = 0; i < count; i++)
        largest = fabs((double)x[i]) > largest ? fabs((double)x[i]) : largest;
    return largest;
}

/* Half a unit in the last place of 1. */
static inline double case_unit(void)
{
    return sizeof(dgm_real) == 4 ? 5.97e-8 : 1.12e-16;
}

/* 0..67, then primes beyond the blocks of any kernel; -1 ends. */
static inline int64_t case_size(int i)
{
    static const int64_t primes[] = { 127, 131, 257, 521, 1031, -1 };

    return i <= 67 ? i : primes[i - 68];
}

#endif
