/*
 * cpu.h: what this processor can run, asked with CPUID and XGETBV (x86) or known by target (Arm).
 */
#ifndef DGM_BASE_SYSTEM_CPU_H
#define DGM_BASE_SYSTEM_CPU_H

#include <stdint.h>

enum {
    DGM_CPU_SSE2 = 1 << 0,
    DGM_CPU_AVX2 = 1 << 1,   /* AVX2 and FMA, registers saved by the system */
    DGM_CPU_AVX512 = 1 << 2, /* F, DQ, BW, VL, registers saved by the system */
    DGM_CPU_NEON = 1 << 3,
    DGM_CPU_AVX512VNNI = 1 << 4, /* beside DGM_CPU_AVX512 */
    DGM_CPU_DOTPROD = 1 << 5,    /* beside DGM_CPU_NEON */
    DGM_CPU_AVXVNNI = 1 << 6,    /* beside DGM_CPU_AVX2 */
    DGM_CPU_I8MM = 1 << 7,       /* beside DGM_CPU_NEON */
    DGM_CPU_AVX512BF16 = 1 << 8, /* beside DGM_CPU_AVX512 */
    DGM_CPU_AMX_INT8 = 1 << 9,   /* beside DGM_CPU_AVX512; see dgm_cpu_may_use */
    DGM_CPU_AMX_BF16 = 1 << 10,  /* likewise */
    DGM_CPU_HALF_BF16 = 1 << 11  /* beside DGM_CPU_AVX512BF16: two cycles a vdpbf16ps, as long as
                                  * two products of floats (Intel's; measured on model 207) */
};

unsigned dgm_cpu_features(void);

/*
 * Whether these features may be used. Registers of AMX are the process's only once Linux was asked
 * for them, which this does. From then on signals push 8 KiB more, so that sigaltstack refuses
 * stacks that are too small for that; where a thread already has such a stack, Linux refuses AMX.
 */
int dgm_cpu_may_use(unsigned features);

/* Number of processors the process may use, at least 1. */
int dgm_cpu_count(void);

/* Processors as bits, the first in bit 0 of word 0. A machine may have more than fit. */
struct dgm_cpu_set {
    uint64_t words[16];
};

/* Those that the process may use; where the system does not say, as many as there are. */
void dgm_cpus_allowed(struct dgm_cpu_set *set);
int dgm_cpus_count(const struct dgm_cpu_set *set);
/* Whether some are in both. */
int dgm_cpus_meet(const struct dgm_cpu_set *a, const struct dgm_cpu_set *b);

#endif
