/*
 * run_compose.c: composition of constituents on the CPU. Blocks are rows of about BLOCK
 * units; steps are short, so these are small.
 */
#include "device/cpu/blocks.h"

#define BLOCK 2048

DGM_CPU_RUN_KERNEL(compose_forward, compose->forward, job.core.n,
                   dgm_cpu_block_rows(BLOCK, job.core.dim))
DGM_CPU_RUN_KERNEL(compose_backward, compose->backward, job.core.n,
                   dgm_cpu_block_rows(BLOCK, job.core.dim))

/* ---- child sums -------------------------------------------------------------------------- */

DGM_CPU_RUN_KERNEL(child_sum_forward, compose->child_sum_forward, job.n,
                   dgm_cpu_block_rows(BLOCK, job.dim))
DGM_CPU_RUN_KERNEL(child_sum_backward, compose->child_sum_backward, job.n,
                   dgm_cpu_block_rows(BLOCK, job.dim))
