/*
 * cpu_weights.c: matrices of weights in fewer bits, or in panels, on the CPU: their memory, and who
 * may read them.
 */
#include "device/cpu/cpu_weights.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"
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
static size_t scales_bytes(const struct dgm_narrow_type *type, int64_t rows)
{
    return type->has_scales ? (size_t)dgm_narrow_panels(rows) * DGM_NARROW_LANES * sizeof(float)
                            : 0;
}

static int narrow_bytes(const struct dgm_narrow_type *type, size_t *bytes, int64_t rows,
                        int64_t cols)
{
    return dgm_size_mul(bytes, (size_t)dgm_narrow_panels(rows) * DGM_NARROW_LANES,
                        (size_t)dgm_narrow_groups(type, cols) * DGM_NARROW_BYTES) &&
           dgm_size_add(bytes, *bytes, scales_bytes(type, rows));
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
    const struct dgm_narrow_type *type = dgm_weights_narrow(kind);
    int fits = type ? narrow_bytes(type, bytes, rows, cols) : panels_bytes(cpu, bytes, rows, cols);

    if (!fits || !dgm_size_pad(bytes, *bytes, ALIGNMENT))
        return dgm_fail(env, DGM_MEMORY, "weights of %lld x %lld do not fit into memory",
                        (long long)rows, (long long)cols);
    return DGM_OK;
}

/* In memory that is zero. */
static void lay_out(struct dgm_cpu_weights *weights, unsigned char *data, size_t bytes)
{
    size_t scales;

    if (!weights->type) {
        weights->reals.data = (dgm_real *)(void *)data;
        weights->reals.n = weights->rows;
        weights->reals.k = weights->cols;
        return;
    }
    scales = scales_bytes(weights->type, weights->rows);
    weights->narrow.scales = weights->type->has_scales ? (float *)(void *)data : NULL;
    weights->narrow.panels = data + scales;
    if (weights->type->fill != 0)
        memset(weights->narrow.panels, weights->type->fill, bytes - scales);
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
    block->weights.type = dgm_weights_narrow(kind);
    block->weights.rows = rows;
    block->weights.cols = cols;
    lay_out(&block->weights, room.buffer ? dgm_cpu_at(room) : aligned((unsigned char *)(block + 1)),
            bytes);
    /* As if they were reals: offsets into them count so, see dgm_cpu_weights_row. */
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
    if (weights->type)
        dgm_narrow_pack(weights->type, cpu->narrow[weights->kind], &weights->narrow, row, count,
                        values, weights->cols);
    else
        dgm_cpu_panels_put(cpu, &weights->reals, row, count, values);
}

int64_t dgm_cpu_weights_row(struct dgm_ref ref)
{
    const size_t bytes = (size_t)dgm_cpu_weights(ref)->cols * sizeof(dgm_real);

    return ref.offset % bytes == 0 ? (int64_t)(ref.offset / bytes) : -1;
}

/* ---- who may read them --------------------------------------------------------------------- */

dgm_status dgm_cpu_refuse_weights(struct dgm_env *env, const char *task)
{
    return dgm_fail(env, DGM_UNSUPPORTED,
                    "task %s cannot read these weights in another form; expected a parameter that "
                    "is declared without dgm_params_plain",
                    task);
}

/* Operands stand first in the struct of a task: the number of one among them. */
#define PLACE(task, operand) \
    ((int)(offsetof(struct dgm_##task##_args, operand) / sizeof(struct dgm_ref)))

static int can_be_weights(enum dgm_task_kind kind, int operand)
{
    return (kind == DGM_TASK_gemm && operand == PLACE(gemm, b)) ||
           (kind == DGM_TASK_embed_forward && operand == PLACE(embed_forward, table)) ||
           (kind == DGM_TASK_lstm_forward && operand == PLACE(lstm_forward, weight)) ||
           (kind == DGM_TASK_copy_rows &&
            (operand == PLACE(copy_rows, y) || operand == PLACE(copy_rows, x)));
}

dgm_status dgm_cpu_check_weights(struct dgm_env *env, enum dgm_task_kind kind, const void *args)
{
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    const struct dgm_ref *operands = args;

    for (int i = 0; i < shape->outputs + shape->inputs; i++)
        if (dgm_cpu_weights(operands[i]) && !can_be_weights(kind, i))
            return dgm_cpu_refuse_weights(env, shape->name);
    return DGM_OK;
}
