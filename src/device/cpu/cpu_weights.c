/*
 * cpu_weights.c: matrices of weights in fewer bits, or in panels, on the CPU: their memory, and who
 * may read them.
 */
#include "device/cpu/cpu_weights.h"

#include <string.h>

#include "base/mem.h"
#include "device/cpu/blocks.h"
#include "device/task_shape.h"

#define ALIGNMENT 64

/* ---- memory -------------------------------------------------------------------------------- */

/* The buffer and the matrix; its arrays follow, unless they lie in a room. */
struct block {
    struct dgm_cpu_buffer buffer;
    struct dgm_cpu_weights weights;
};

static unsigned char *aligned(unsigned char *p)
{
    return p + (ALIGNMENT - (uintptr_t)p % ALIGNMENT) % ALIGNMENT;
}

/* Scales, then panels, both multiples of ALIGNMENT. */
static size_t int8_scales(int64_t rows)
{
    return (size_t)dgm_int8_panels(rows) * DGM_INT8_LANES * sizeof(float);
}

static int int8_bytes(size_t *bytes, int64_t rows, int64_t cols)
{
    const size_t lanes = (size_t)dgm_int8_panels(rows) * DGM_INT8_LANES;

    return dgm_size_mul(bytes, lanes, (size_t)dgm_int8_quads(cols) * 4) &&
           dgm_size_add(bytes, *bytes, int8_scales(rows));
}

/* A tile that begins within a panel reads beyond the last one's end, whence one more row. */
static int panels_bytes(const struct dgm_cpu *cpu, size_t *bytes, int64_t rows, int64_t cols)
{
    const size_t nr = (size_t)cpu->kernels->gemm->nr;
    const size_t width = (size_t)dgm_cpu_chunks(rows, (int64_t)nr) * nr;

    return dgm_size_mul(bytes, width, (size_t)cols) && dgm_size_add(bytes, *bytes, nr) &&
           dgm_size_mul(bytes, *bytes, sizeof(dgm_real));
}

dgm_status dgm_cpu_weights_bytes(struct dgm_env *env, struct dgm_device *device, size_t *bytes,
                                 enum dgm_weights kind, int64_t rows, int64_t cols)
{
    const struct dgm_cpu *cpu = (const struct dgm_cpu *)device;
    int fits = kind == DGM_WEIGHTS_INT8 ? int8_bytes(bytes, rows, cols)
                                        : panels_bytes(cpu, bytes, rows, cols);

    if (!fits || !dgm_size_pad(bytes, *bytes, ALIGNMENT))
        return dgm_fail(env, DGM_MEMORY, "weights of %lld x %lld do not fit into memory",
                        (long long)rows, (long long)cols);
    return DGM_OK;
}

/* In memory that is zero. Bytes that only fill up are 0 + 128. */
static void lay_out(struct dgm_cpu_weights *weights, unsigned char *data, size_t bytes)
{
    const size_t scales = int8_scales(weights->rows);

    if (weights->kind == DGM_WEIGHTS_PANELS) {
        weights->reals.data = (dgm_real *)(void *)data;
        weights->reals.n = weights->rows;
        weights->reals.k = weights->cols;
        return;
    }
    weights->scales = (float *)(void *)data;
    weights->panels = data + scales;
    memset(weights->panels, 128, bytes - scales);
}

dgm_status dgm_cpu_alloc_weights(struct dgm_env *env, struct dgm_device *device,
                                 struct dgm_buffer **out, struct dgm_ref room,
                                 enum dgm_weights kind, int64_t rows, int64_t cols)
{
    const struct dgm_cpu *cpu = (const struct dgm_cpu *)device;
    struct block *block;
    size_t bytes, all;

    if (cpu->precision != DGM_F32)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "weights of type %s with --precision %s; expected --precision f32, or "
                        "--compute-type f32",
                        dgm_weights_name(kind), dgm_precision_name(cpu->precision));
    DGM_TRY(dgm_cpu_weights_bytes(env, device, &bytes, kind, rows, cols));
    if (!dgm_size_add(&all, room.buffer ? 0 : bytes, sizeof *block + ALIGNMENT))
        return dgm_fail(env, DGM_MEMORY, "weights of %zu bytes do not fit into memory", bytes);
    block = dgm_alloc(env, all, 1);
    if (!block)
        return DGM_MEMORY;
    block->weights.kind = kind;
    block->weights.rows = rows;
    block->weights.cols = cols;
    lay_out(&block->weights, room.buffer ? dgm_cpu_at(room) : aligned((unsigned char *)(block + 1)),
            bytes);
    block->buffer.bytes = (size_t)rows * (size_t)cols * sizeof(dgm_real);
    block->buffer.weights = &block->weights;
    *out = (struct dgm_buffer *)&block->buffer;
    return DGM_OK;
}

void dgm_cpu_write_weights(struct dgm_device *device, struct dgm_buffer *buffer, int64_t row,
                           int64_t count, const dgm_real *values)
{
    const struct dgm_cpu_weights *weights = ((struct dgm_cpu_buffer *)buffer)->weights;
    const struct dgm_cpu *cpu = (const struct dgm_cpu *)device;

    assert(row >= 0 && row + count <= weights->rows);
    if (weights->kind == DGM_WEIGHTS_PANELS)
        dgm_cpu_panels_put(cpu, &weights->reals, row, count, values);
    else
        dgm_int8_pack(cpu->int8, weights->panels, weights->scales, row, count, values,
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
                    "task %s cannot read these weights in another form; expected a parameter that "
                    "is declared without dgm_params_plain",
                    task);
}

/* The places of gemm's b, embed_forward's table and lstm_forward's weight among the operands; and
 * both sides of copy_rows. */
enum { GEMM_B = 3, EMBED_TABLE = 1, LSTM_WEIGHT = 3, COPY_TO = 0, COPY_FROM = 1 };

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
    return weights->kind == DGM_WEIGHTS_PANELS ? dgm_cpu_multiply_panels(env, cpu, args)
                                               : dgm_cpu_multiply_int8(env, cpu, args);
}

static void take_row(const struct dgm_cpu *cpu, const struct dgm_cpu_weights *weights, int64_t row,
                     dgm_real *values)
{
    if (weights->kind == DGM_WEIGHTS_PANELS)
        dgm_cpu_panels_take(cpu, &weights->reals, row, values);
    else
        dgm_int8_unpack(values, weights->panels, weights->scales, row, weights->cols);
}

dgm_status dgm_cpu_check_recurrent(struct dgm_env *env, struct dgm_ref weight, int64_t rows,
                                   int64_t dim)
{
    const int64_t row = dgm_cpu_weights_row(weight);

    if (dgm_cpu_weights(weight)->kind != DGM_WEIGHTS_INT8 || dgm_cpu_weights(weight)->cols != dim ||
        row < 0 || rows > dgm_cpu_weights(weight)->rows - row)
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

static void copy_int8(const struct copying *job, int64_t i)
{
    const struct dgm_cpu_weights *to = job->to, *from = job->from;

    if (job->index[i] < 0)
        to->scales[job->to_row + i] = 0; /* whatever the bytes are, a row of zeros */
    else
        dgm_int8_copy(to->panels, to->scales, job->to_row + i, from->panels, from->scales,
                      job->from_row + job->index[i], to->cols);
}

static void copy_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;
    const struct copying *job = blocks->work;

    (void)worker;
    for (int64_t i = block * blocks->step; i < dgm_cpu_block_end(blocks, block); i++)
        if (job->to->kind == DGM_WEIGHTS_PANELS)
            dgm_cpu_panels_move(job->cpu, &job->to->reals, job->to_row + i, &job->from->reals,
                                job->index[i] < 0 ? -1 : job->from_row + job->index[i]);
        else
            copy_int8(job, i);
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
    job.cpu = cpu;
    if (job.to_row < 0 || job.from_row < 0 || args->rows > job.to->rows - job.to_row)
        return refuse(env, "copy_rows");
    dgm_cpu_run_rows(cpu, &job, args->rows, DGM_INT8_LANES, copy_block);
    return DGM_OK;
}
