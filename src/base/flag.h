/*
 * flag.h: a flag that a signal handler or another thread sets, and a computation looks at.
 */
#ifndef DGM_BASE_FLAG_H
#define DGM_BASE_FLAG_H

#include <signal.h>

typedef volatile sig_atomic_t dgm_flag;

/* Volatile is enough for a handler; between threads a plain access would be a data race, which C99
 * has no words against. Compilers without these take one machine word for whole all the same. */
#if defined(__ATOMIC_RELAXED)
static inline int dgm_flag_get(const dgm_flag *flag)
{
    return __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

static inline int dgm_flag_value(const dgm_flag *flag)
{
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static inline void dgm_flag_set(dgm_flag *flag, int value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELAXED);
}
#else
static inline int dgm_flag_get(const dgm_flag *flag)
{
    return *flag != 0;
}

static inline int dgm_flag_value(const dgm_flag *flag)
{
    return *flag;
}

static inline void dgm_flag_set(dgm_flag *flag, int value)
{
    *flag = value;
}
#endif

#endif
