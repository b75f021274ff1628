/*
 * calls.c: device tasks called with matrices instead of argument structs.
 */
#include "graph/calls.h"

dgm_status dgm_call_product(struct dgm_graph *g, const struct dgm_product *shape,
                            struct dgm_matrix c, struct dgm_matrix a, struct dgm_matrix b)
{
    const struct dgm_gemm_args gemm = {
        .c = c.at,
        .sums = shape->sums,
        .a = a.at,
        .b = b.at,
        .bias = shape->bias,
        .mask = shape->mask,
        .form = shape->form,
        .m = shape->m,
        .n = shape->n,
        .k = shape->k,
        .lda = a.ld,
        .ldb = b.ld,
        .ldc = c.ld,
        .batch = shape->batch,
        .stride_a = shape->stride_a,
        .stride_b = shape->stride_b,
        .stride_c = shape->stride_c,
        .alpha = shape->alpha,
        .beta = shape->beta,
        .relu = shape->relu,
    };

    return dgm_device_run(g->env, g->device, DGM_TASK_gemm, &gemm);
}

dgm_status dgm_call_copy(struct dgm_graph *g, struct dgm_ref y, struct dgm_ref x, int64_t count,
                         int accumulate)
{
    const struct dgm_axpby_args copy = {
        .y = y, .x = x, .count = count, .a = 1, .b = accumulate ? 1 : 0
    };

    return dgm_device_run(g->env, g->device, DGM_TASK_axpby, &copy);
}

dgm_status dgm_call_zero(struct dgm_graph *g, struct dgm_ref y, int64_t count)
{
    const struct dgm_fill_args zeros = { .y = y, .count = count };

    return dgm_device_run(g->env, g->device, DGM_TASK_fill, &zeros);
}

dgm_status dgm_call_gather(struct dgm_graph *g, struct dgm_ref y, struct dgm_ref x,
                           struct dgm_ref index, int64_t rows, int64_t dim)
{
    const struct dgm_copy_rows_args copy = {
        .y = y, .x = x, .index = index, .rows = rows, .dim = dim, .ldy = dim, .ldx = dim
    };

    return dgm_device_run(g->env, g->device, DGM_TASK_copy_rows, &copy);
}

dgm_status dgm_call_scatter(struct dgm_graph *g, struct dgm_ref x, struct dgm_ref y,
                            struct dgm_ref index, int64_t rows, int64_t dim)
{
    const struct dgm_add_rows_args add = {
        .y = x, .x = y, .index = index, .rows = rows, .dim = dim
    };

    return dgm_device_run(g->env, g->device, DGM_TASK_add_rows, &add);
}

dgm_status dgm_call_column_sums(struct dgm_graph *g, struct dgm_ref y, struct dgm_matrix x,
                                int64_t m, int64_t n)
{
    const struct dgm_column_sums_args sums = { .y = y, .x = x.at, .m = m, .n = n, .ldx = x.ld };

    return dgm_device_run(g->env, g->device, DGM_TASK_column_sums, &sums);
}
