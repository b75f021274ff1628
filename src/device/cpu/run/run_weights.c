/*
 * run_weights.c: tasks with weights in fewer bits, or in panels: what they may ask for, look-ups,
 * copies.
 */
#include "device/cpu/run/run_weights.h"

#include "device/cpu/blocks.h"

dgm_status dgm_cpu_multiply_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                    const struct dgm_gemm_args *args)
{
    const struct dgm_cpu_weights *weights = dgm_cpu_weights(args->b);
    const int64_t row = dgm_cpu_weights_row(args->b);

    if (args->form != DGM_NT || args->batch != 1 || args->k != weights->cols ||
        args->ldb != weights->cols || row < 0 || args->n > weights->rows - row)
        return dgm_cpu_refuse_weights(env, "gemm");
    return weights->type ? dgm_cpu_multiply_narrow(env, cpu, args)
                         : dgm_cpu_multiply_panels(env, cpu, args);
}

static void take_row(const struct dgm_cpu *cpu, const struct dgm_cpu_weights *weights, int64_t row,
                     dgm_real *values)
{
    if (weights->type)
        weights->type->unpack(values, &weights->narrow, row, weights->cols);
    else
        dgm_cpu_panels_take(cpu, &weights->reals, row, values);
}

dgm_status dgm_cpu_check_recurrent(struct dgm_env *env, struct dgm_ref weight, int64_t rows,
                                   int64_t dim)
{
    const struct dgm_cpu_weights *weights = dgm_cpu_weights(weight);
    const int64_t row = dgm_cpu_weights_row(weight);

    if (!weights->type || weights->cols != dim || row < 0 || rows > weights->rows - row)
        return dgm_cpu_refuse_weights(env, "lstm_forward");
    return DGM_OK;
}

dgm_status dgm_cpu_look_up_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_embed_forward_args *args,
                                   struct dgm_embed_forward_job *job)
{
    const struct dgm_cpu_weights *weights = dgm_cpu_weights(args->table);
    const size_t reals = (size_t)(args->rows * weights->cols) * sizeof(dgm_real);
    void *memory;
    dgm_real *table;
    int32_t *ids;

    /* The ids count rows of the whole table, so it must begin with its first. */
    if (args->dim > weights->cols || args->ld_table != weights->cols || args->table.offset != 0)
        return dgm_cpu_refuse_weights(env, "embed_forward");
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &memory, reals + (size_t)args->rows * sizeof *ids));
    table = memory;
    ids = (int32_t *)(void *)((unsigned char *)memory + reals);
    for (int64_t i = 0; i < args->rows; i++) {
        take_row(cpu, weights, job->ids[i], table + i * weights->cols);
        ids[i] = (int32_t)i;
    }
    job->table = table;
    job->ids = ids;
    return DGM_OK;
}

/* ---- copying ------------------------------------------------------------------------------- */

struct copying {
    const struct dgm_cpu_weights *to, *from;
    int64_t to_row, from_row;
    const int32_t *index;
    const struct dgm_cpu *cpu;
};

static void copy_row(const struct copying *job, int64_t i)
{
    const struct dgm_cpu_weights *to = job->to, *from = job->from;
    const int64_t from_row = job->index[i] < 0 ? -1 : job->from_row + job->index[i];

    if (to->type)
        dgm_narrow_copy(to->type, &to->narrow, job->to_row + i, &from->narrow, from_row, to->cols);
    else
        dgm_cpu_panels_move(job->cpu, &to->reals, job->to_row + i, &from->reals, from_row);
}

static void copy_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                      int64_t end)
{
    const struct copying *job = work;

    (void)kernels;
    for (int64_t i = begin; i < end; i++)
        copy_row(job, i);
}

dgm_status dgm_cpu_copy_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                const struct dgm_copy_rows_args *args)
{
    struct copying job = { .to = dgm_cpu_weights(args->y), .from = dgm_cpu_weights(args->x) };

    if (job.to == NULL || job.from == NULL || job.to->kind != job.from->kind ||
        args->dim != job.to->cols || args->dim != job.from->cols || args->ldy != args->dim ||
        args->ldx != args->dim)
        return dgm_cpu_refuse_weights(env, "copy_rows");
    job.to_row = dgm_cpu_weights_row(args->y);
    job.from_row = dgm_cpu_weights_row(args->x);
    job.index = dgm_cpu_at(args->index);
    job.cpu = cpu;
    if (job.to_row < 0 || job.from_row < 0 || args->rows > job.to->rows - job.to_row)
        return dgm_cpu_refuse_weights(env, "copy_rows");
    dgm_cpu_run_rows(cpu, &job, args->rows, DGM_NARROW_LANES, copy_rows);
    return DGM_OK;
}
