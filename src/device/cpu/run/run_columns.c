/*
 * run_columns.c: copies of blocks of columns on the CPU. A block is some rows of about BLOCK
 * elements.
 */
#include <string.h>

#include "device/cpu/blocks.h"

#define BLOCK 16384

static void copy_columns_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct dgm_copy_columns_args *args = blocks->work;
    const int64_t end = dgm_cpu_block_end(blocks, block), width = args->width;

    (void)worker;
    for (int64_t i = block * blocks->step; i < end; i++) {
        const dgm_real *x = (const dgm_real *)dgm_cpu_at(args->x) + i * args->ldx;
        dgm_real *y = (dgm_real *)dgm_cpu_at(args->y) + i * args->ldy;

        for (int64_t group = 0; group < args->groups; group++) {
            if (args->accumulate)
                blocks->kernels->math->add(y, y, x, width);
            else
                memcpy(y, x, (size_t)width * sizeof *y);
            x += args->step_x;
            y += args->step_y;
        }
    }
}

dgm_status dgm_cpu_run_copy_columns(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_copy_columns_args *args = args_;
    const int64_t row = args->groups * args->width;

    (void)env;
    if (row > 0)
        dgm_cpu_run_rows(cpu, args, args->rows, dgm_cpu_block_rows(BLOCK, row), copy_columns_block);
    return DGM_OK;
}
