/*
 * cpu.h: what this processor can run, asked with CPUID and XGETBV (x86) or known by target (Arm).
 */
#ifndef DGM_BASE_SYSTEM_CPU_H
#define DGM_BASE_SYSTEM_CPU_H

enum {
    DGM_CPU_SSE2 = 1 << 0,
    DGM_CPU_AVX2 = 1 << 1,   /* AVX2 and FMA, registers saved by the system */
    DGM_CPU_AVX512 = 1 << 2, /* F, DQ, BW, VL, registers saved by the system */
    DGM_CPU_NEON = 1 << 3,
    DGM_CPU_AVX512VNNI = 1 << 4, /* beside DGM_CPU_AVX512 */
    DGM_CPU_DOTPROD = 1 << 5,    /* beside DGM_CPU_NEON */
    DGM_CPU_AVXVNNI = 1 << 6,    /* beside DGM_CPU_AVX2 */
    DGM_CPU_I8MM = 1 << 7,       /* beside DGM_CPU_NEON */
    DGM_CPU_AVX512BF16 = 1 << 8  /* beside DGM_CPU_AVX512 */
};

unsigned dgm_cpu_features(void);

/* Number of processors the process may use, at least 1. */
int dgm_cpu_count(void);
/* Processors for each of so many processes of this machine, at least 1. A launcher may have bound
 * this process to its own. */
int dgm_cpu_share(int processes);

#endif
