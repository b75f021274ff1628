/*
 * rounded.c: operands of matrix products in less precision, for a CPU that is the host of a device
 * which computes so.
 */
#include "device/cpu/cpu.h"

/* Reals from the first to the last of an operand with so many lines of `width`. */
static int64_t extent(const struct dgm_gemm_args *args, int64_t lines, int64_t width, int64_t ld,
                      int64_t stride)
{
    return lines > 0 && width > 0 ? (args->batch - 1) * stride + (lines - 1) * ld + width : 0;
}

static void round_all(enum dgm_precision precision, dgm_real *to, const dgm_real *from,
                      int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = dgm_precision_round(precision, from[i]);
}

dgm_status dgm_cpu_round_operands(struct dgm_env *env, struct dgm_cpu *cpu,
                                  const struct dgm_gemm_args *args, const dgm_real **a,
                                  const dgm_real **b)
{
    const int turned_a = args->form == DGM_TN, turned_b = args->form == DGM_NT;
    const int64_t count_a = extent(args, turned_a ? args->k : args->m, turned_a ? args->m : args->k,
                                   args->lda, args->stride_a);
    const int64_t count_b = extent(args, turned_b ? args->n : args->k, turned_b ? args->k : args->n,
                                   args->ldb, args->stride_b);
    void *memory;
    dgm_real *to;

    DGM_TRY(
        dgm_cpu_reserve_rounded(env, cpu, &memory, (size_t)(count_a + count_b) * sizeof(dgm_real)));
    to = memory;
    round_all(cpu->precision, to, *a, count_a);
    round_all(cpu->precision, to + count_a, *b, count_b);
    *a = to;
    *b = to + count_a;
    return DGM_OK;
}
