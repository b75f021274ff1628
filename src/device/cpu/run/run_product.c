/*
 * run_product.c: the matrix product as a task of the CPU: run_gemm.c computes it, and what belongs
 * to it in a backward pass follows.
 */
#include <assert.h>

#include "device/cpu/cpu.h"
#include "device/cpu/tiles.h"

/* sums += the sums of op(a)'s rows, which are the columns of a. */
static dgm_status add_sums(struct dgm_env *env, struct dgm_cpu *cpu,
                           const struct dgm_gemm_args *args)
{
    const struct dgm_column_sums_args sums = {
        .y = args->sums, .x = args->a, .m = args->k, .n = args->m, .ldx = args->lda
    };

    return dgm_cpu_run_column_sums(env, cpu, &sums);
}

static dgm_status apply_mask(struct dgm_env *env, struct dgm_cpu *cpu,
                             const struct dgm_gemm_args *args)
{
    const struct dgm_relu_backward_args mask = {
        .dx = args->c, .dy = args->c, .y = args->mask, .count = args->m * args->n
    };

    return dgm_cpu_run_relu_backward(env, cpu, &mask);
}

dgm_status dgm_cpu_run_gemm(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_gemm_args *args = args_;

    assert(args->batch == 1 || (args->sums.buffer == NULL && args->mask.buffer == NULL));
    assert(args->ldc == args->n || args->mask.buffer == NULL);
    DGM_TRY(dgm_cpu_multiply(env, cpu, args));
    if (args->sums.buffer != NULL)
        DGM_TRY(add_sums(env, cpu, args));
    return args->mask.buffer != NULL ? apply_mask(env, cpu, args) : DGM_OK;
}
