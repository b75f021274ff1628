/*
 * run_cells.c: steps of recurrent cells on the CPU. Blocks are rows of about BLOCK units;
 * steps are short, so these are small.
 */
#include "device/cpu/blocks.h"

#define BLOCK 2048

DGM_CPU_RUN_KERNEL(gated_cell_forward, cells->gated_forward, job.n,
                   dgm_cpu_block_rows(BLOCK, job.dim))
DGM_CPU_RUN_KERNEL(gated_cell_backward, cells->gated_backward, job.n,
                   dgm_cpu_block_rows(BLOCK, job.dim))

/* ---- factors ----------------------------------------------------------------------------- */

/* Rows in a block. */
static int64_t modulate_step(const struct dgm_modulate *core)
{
    return dgm_cpu_block_rows(BLOCK, 4 * core->blocks * core->dim);
}

DGM_CPU_RUN_KERNEL(modulate_forward, cells->modulate_forward, job.core.n, modulate_step(&job.core))
DGM_CPU_RUN_KERNEL(modulate_backward, cells->modulate_backward, job.core.n,
                   modulate_step(&job.core))
