/*
 * cpu_weights.c: matrices of weights in fewer bits on the CPU: their memory, and who may read them.
 */
#include "device/cpu/cpu_weights.h"

#include <string.h>

#include "base/mem.h"
#include "device/cpu/blocks.h"
#include "base/system/pages.h"
#include "device/task_shape.h"

#define ALIGNMENT 64

/* ---- memory -------------------------------------------------------------------------------- */

/* The buffer, the matrix, and its two arrays, the second at a multiple of ALIGNMENT. */
struct block {
    struct dgm_cpu_buffer buffer;
    struct dgm_cpu_weights weights;
    float scales[];
};

static dgm_status count_bytes(struct dgm_env *env, int64_t rows, int64_t cols, size_t *panels,
                              size_t *all)
{
    size_t lanes = (size_t)dgm_int8_panels(rows) * DGM_INT8_LANES;

    if (!dgm_size_mul(panels, lanes, (size_t)dgm_int8_quads(cols) * 4) ||
        !dgm_size_add(all, *panels, sizeof(struct block) + lanes * sizeof(float) + ALIGNMENT))
        return dgm_fail(env, DGM_MEMORY, "weights of %lld x %lld do not fit into memory",
                        (long long)rows, (long long)cols);
    return DGM_OK;
}

dgm_status dgm_cpu_alloc_weights(struct dgm_env *env, struct dgm_device *device,
                                 struct dgm_buffer **out, enum dgm_weights kind, int64_t rows,
                                 int64_t cols)
{
    const struct dgm_cpu *cpu = (const struct dgm_cpu *)device;
    const int64_t lanes = dgm_int8_panels(rows) * DGM_INT8_LANES;
    size_t panels, all;
    struct block *block;
    uintptr_t end;

    if (cpu->precision != DGM_F32)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "weights of type %s with --precision %s; expected --precision f32, or "
                        "--compute-type f32",
                        dgm_weights_name(kind), dgm_precision_name(cpu->precision));
    DGM_TRY(count_bytes(env, rows, cols, &panels, &all));
    block = dgm_resize(env, NULL, all, 1);
    if (!block)
        return DGM_MEMORY;
    dgm_pages_enlarge(block, all);
    memset(block, 0, all);
    end = (uintptr_t)(block->scales + lanes);
    block->weights.kind = kind;
    block->weights.rows = rows;
    block->weights.cols = cols;
    block->weights.scales = block->scales;
    block->weights.panels = (uint8_t *)(block->scales + lanes) + (ALIGNMENT - end % ALIGNMENT);
    memset(block->weights.panels, 128, panels);
    block->buffer.bytes = (size_t)rows * (size_t)cols * sizeof(dgm_real);
    block->buffer.weights = &block->weights;
    *out = (struct dgm_buffer *)&block->buffer;
    return DGM_OK;
}

void dgm_cpu_write_weights(struct dgm_device *device, struct dgm_buffer *buffer, int64_t row,
                           int64_t count, const dgm_real *values)
{
    const struct dgm_cpu_weights *weights = ((struct dgm_cpu_buffer *)buffer)->weights;

    (void)device;
    assert(row >= 0 && row + count <= weights->rows);
    for (int64_t i = 0; i < count; i++)
        dgm_int8_pack(weights->panels, weights->scales, row + i, values + i * weights->cols,
                      weights->cols);
}

int64_t dgm_cpu_weights_row(struct dgm_ref ref)
{
    const size_t bytes = (size_t)dgm_cpu_weights(ref)->cols * sizeof(dgm_real);

    return ref.offset % bytes == 0 ? (int64_t)(ref.offset / bytes) : -1;
}

/* ---- who may read them --------------------------------------------------------------------- */

static dgm_status refuse(struct dgm_env *env, const char *task)
{
    return dgm_fail(env, DGM_UNSUPPORTED,
                    "task %s cannot read these weights in fewer bits; expected --compute-type f32, "
                    "or a parameter that is declared without dgm_params_plain",
                    task);
}

/* The places of gemm's b, embed_forward's table and lstm_forward's weight among the operands; and both
 * sides of copy_rows. */
enum { GEMM_B = 2, EMBED_TABLE = 1, LSTM_WEIGHT = 3, COPY_TO = 0, COPY_FROM = 1 };

static int can_be_weights(enum dgm_task_kind kind, int operand)
{
    return (kind == DGM_TASK_gemm && operand == GEMM_B) ||
           (kind == DGM_TASK_embed_forward && operand == EMBED_TABLE) ||
           (kind == DGM_TASK_lstm_forward && operand == LSTM_WEIGHT) ||
           (kind == DGM_TASK_copy_rows && (operand == COPY_TO || operand == COPY_FROM));
}

dgm_status dgm_cpu_check_weights(struct dgm_env *env, enum dgm_task_kind kind, const void *args)
{
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    const struct dgm_ref *operands = args;

    for (int i = 0; i < shape->outputs + shape->inputs; i++)
        if (dgm_cpu_weights(operands[i]) && !can_be_weights(kind, i))
            return refuse(env, shape->name);
    return DGM_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

dgm_status dgm_cpu_multiply_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                    const struct dgm_gemm_args *args)
{
    const struct dgm_cpu_weights *weights = dgm_cpu_weights(args->b);
    const int64_t row = dgm_cpu_weights_row(args->b);

    if (args->form != DGM_NT || args->batch != 1 || args->k != weights->cols ||
        args->ldb != weights->cols || row < 0 || args->n > weights->rows - row)
        return refuse(env, "gemm");
    return dgm_cpu_multiply_int8(env, cpu, args);
}

dgm_status dgm_cpu_check_recurrent(struct dgm_env *env, struct dgm_ref weight, int64_t rows,
                                   int64_t dim)
{
    const int64_t row = dgm_cpu_weights_row(weight);

    if (dgm_cpu_weights(weight)->cols != dim || row < 0 ||
        rows > dgm_cpu_weights(weight)->rows - row)
        return refuse(env, "lstm_forward");
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

    if (args->dim > weights->cols || args->ld_table != weights->cols || args->table.offset != 0)
        return refuse(env, "embed_forward");
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &memory, reals + (size_t)args->rows * sizeof *ids));
    table = memory;
    ids = (int32_t *)(void *)((unsigned char *)memory + reals);
    for (int64_t i = 0; i < args->rows; i++) {
        dgm_int8_unpack(table + i * weights->cols, weights->panels, weights->scales, job->ids[i],
                        weights->cols);
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
};

static void copy_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct copying *job = blocks->work;
    const struct dgm_cpu_weights *to = job->to, *from = job->from;

    (void)worker;
    for (int64_t i = block * blocks->step; i < dgm_cpu_block_end(blocks, block); i++)
        if (job->index[i] < 0)
            to->scales[job->to_row + i] = 0; /* whatever the bytes are, a row of zeros */
        else
            dgm_int8_copy(to->panels, to->scales, job->to_row + i, from->panels, from->scales,
                          job->from_row + job->index[i], to->cols);
}

dgm_status dgm_cpu_copy_weights(struct dgm_env *env, struct dgm_cpu *cpu,
                                const struct dgm_copy_rows_args *args)
{
    struct copying job = { .to = dgm_cpu_weights(args->y), .from = dgm_cpu_weights(args->x) };

    if (job.to == NULL || job.from == NULL || job.to->kind != job.from->kind ||
        args->dim != job.to->cols || args->dim != job.from->cols || args->ldy != args->dim ||
        args->ldx != args->dim)
        return refuse(env, "copy_rows");
    job.to_row = dgm_cpu_weights_row(args->y);
    job.from_row = dgm_cpu_weights_row(args->x);
    job.index = dgm_cpu_at(args->index);
    if (job.to_row < 0 || job.from_row < 0 || args->rows > job.to->rows - job.to_row)
        return refuse(env, "copy_rows");
    dgm_cpu_run_rows(cpu, &job, args->rows, DGM_INT8_LANES, copy_block);
    return DGM_OK;
}
