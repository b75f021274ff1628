/*
 * int8_amx_again.c: the kernels of int8_amx.c, compiled again over amx_model.h.
 */
#include "amx_again.h"

#include "config.h"

#if DGM_INT8_amx

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "amx_model.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target(                                           \
                                 "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl,avx512vnni")
#endif

#define dgm_int8_amx int8_again
#include "kernel/x86/int8_amx.c"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const struct dgm_narrow_kernels *int8_amx_again(void)
{
    const unsigned needs = DGM_CPU_AVX512 | DGM_CPU_AVX512VNNI;

    return (dgm_cpu_features() & needs) == needs ? &int8_again : NULL;
}

#else

const struct dgm_narrow_kernels *int8_amx_again(void)
{
    return NULL;
}

#endif
