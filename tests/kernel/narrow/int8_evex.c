/*
 * int8_evex.c: the kernels of int8_avxvnni.c, compiled again with the vpdpbusd of AVX-512.
 */
#include "int8_evex.h"

#include "config.h"

#if DGM_INT8_avx512vnni

#include <immintrin.h>
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512vl,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512vnni")
#endif

#define INT8_DPBUSD(sum, w, x) _mm256_dpbusd_epi32(sum, w, x)
#define dgm_int8_avxvnni kernels_with_evex
#include "kernel/x86/int8_avxvnni.c"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const struct dgm_narrow_kernels *int8_evex(void)
{
    const unsigned needs = DGM_CPU_AVX512 | DGM_CPU_AVX512VNNI;

    return (dgm_cpu_features() & needs) == needs ? &kernels_with_evex : NULL;
}

#else

const struct dgm_narrow_kernels *int8_evex(void)
{
    return NULL;
}

#endif
