/*
 * cpu.h: the CPU device, shared between its files: memory, threads, scratch, kernels.
 *
 * One function per task runs it: it turns references into pointers, cuts the work into chunks by
 * the shape of the data alone, and lets the pool call kernels. Nothing allocates once scratch
 * memory has grown to what the largest task needs.
 */
#ifndef DGM_DEVICE_CPU_CPU_H
#define DGM_DEVICE_CPU_CPU_H

#include <assert.h>

#include "base/system/pool.h"
#include "device/precision.h"
#include "device/task.h"
#include "kernel/kernel.h"
#include "kernel/narrow/matrix.h"
#include "kernel/narrow/narrow.h"

/* What a struct dgm_buffer is on this device: `data` is aligned to 64 bytes and lies in the same
 * block of memory. */
struct dgm_cpu_buffer {
    unsigned char *data; /* NULL: weights in fewer bits */
    size_t bytes;        /* as if they were reals */
    const struct dgm_cpu_weights *weights;
};

/* Memory that grows on demand and is reused by every task. */
struct dgm_cpu_scratch {
    void *block;
    unsigned char *data; /* aligned to 64 bytes */
    size_t bytes;
};

/* Elements of a block of the optimizers and of the sum of squares. */
enum { DGM_CPU_OPTIMIZER_BLOCK = 8192 };

struct dgm_cpu {
    struct dgm_device device; /* first: a dgm_device is cast back to this */
    const struct dgm_kernels *kernels;
    struct dgm_pool *pool;
    int threads;
    const struct dgm_narrow_kernels *narrow[DGM_WEIGHTS_COUNT]; /* NULL for reals */
    enum dgm_precision precision;                               /* of operands of the task gemm */
    char isa[40];                                               /* of `device` */
    const struct dgm_matrix_kernels *matrix;                    /* dgm_cpu_use_matrix */
    struct dgm_cpu_scratch *scratch; /* one per worker, the shared one, that of rounded operands */
};

/*
 * Products of a device of precision bf16 are by these kernels from now on. Without them, NULL,
 * operands are rounded and multiplied in f32, subnormal ones too: what a host of a GPU does, whose
 * products it repeats.
 */
void dgm_cpu_use_matrix(struct dgm_device *device, const struct dgm_matrix_kernels *kernels);

/* Where a reference points; NULL for an absent operand, and for one that holds no reals
 * (cpu_weights.h). */
static inline void *dgm_cpu_at(struct dgm_ref ref)
{
    const struct dgm_cpu_buffer *buffer = (const struct dgm_cpu_buffer *)ref.buffer;

    return buffer && buffer->data ? buffer->data + ref.offset : NULL;
}

/*
 * Scratch memory, aligned to 64 bytes, content arbitrary. It is made large enough before the
 * pool starts (pool functions must not allocate); dgm_cpu_scratch then hands it out, to be used
 * until the pool function returns. The shared block serves partial results of a whole task.
 */
dgm_status dgm_cpu_reserve(struct dgm_env *env, struct dgm_cpu *cpu, size_t bytes_per_worker);
dgm_status dgm_cpu_reserve_shared(struct dgm_env *env, struct dgm_cpu *cpu, void **out,
                                  size_t bytes);

/* The same beside the shared block, for rounded operands. */
dgm_status dgm_cpu_reserve_rounded(struct dgm_env *env, struct dgm_cpu *cpu, void **out,
                                   size_t bytes);

static inline void *dgm_cpu_scratch(const struct dgm_cpu *cpu, int worker, size_t bytes)
{
    assert(bytes <= cpu->scratch[worker].bytes);
    (void)bytes;
    return cpu->scratch[worker].data;
}

/* Chunks of `step` that cover `count`. */
static inline int64_t dgm_cpu_chunks(int64_t count, int64_t step)
{
    return (count + step - 1) / step;
}

static inline int64_t dgm_cpu_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Chunks of a task by all threads, or by this one where there is too little to wake them for. */
static inline void dgm_cpu_run_chunks(struct dgm_cpu *cpu, dgm_pool_fn *fn, void *job,
                                      int64_t count, int is_small)
{
    if (!is_small)
        dgm_pool_run(cpu->pool, fn, job, count);
    for (int64_t chunk = 0; is_small && chunk < count; chunk++)
        fn(job, chunk, 0);
}

/*
 * Rows whose addresses agree in their last twelve bits compete for one set of the first cache: a
 * tile must not read many such rows at a time.
 */
static inline int dgm_cpu_rows_collide(int64_t ld)
{
    const int64_t apart = ld * (int64_t)sizeof(dgm_real) % 4096;

    return apart < 256 || apart > 4096 - 256;
}

/*
 * One product, by the worker of a pool function alone, with the bits of the task `gemm` in f32. Of
 * args, references and the batch are not read: operands are c, a and b. The worker's scratch
 * memory, reserved with dgm_cpu_product_bytes, is used.
 */
size_t dgm_cpu_product_bytes(const struct dgm_cpu *cpu);
void dgm_cpu_product(const struct dgm_cpu *cpu, int worker, const struct dgm_gemm_args *args,
                     dgm_real *c, const dgm_real *a, const dgm_real *b);

/* dgm_cpu_run_<task>: `args` is the task's struct of task.h. */
#define TASK(name) \
    dgm_status dgm_cpu_run_##name(struct dgm_env *env, struct dgm_cpu *cpu, const void *args);
#include "kernel/task/task_list.h"

#endif
