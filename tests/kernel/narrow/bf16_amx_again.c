/*
 * bf16_amx_again.c: the kernels of bf16_amx.c, compiled again over amx_model.h.
 */
#include "amx_again.h"

#include "config.h"

#if DGM_BF16_amx

#include <immintrin.h>
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((                                              \
                                 target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl")
#endif

#define dgm_bf16_amx bf16_again
#include "amx_model.h" /* here: fmaf is one instruction */
#include "kernel/x86/bf16_amx.c"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const struct dgm_narrow_kernels *bf16_amx_again(void)
{
    const unsigned needs = DGM_CPU_AVX512;

    return (dgm_cpu_features() & needs) == needs ? &bf16_again : NULL;
}

#else

const struct dgm_narrow_kernels *bf16_amx_again(void)
{
    return NULL;
}

#endif
