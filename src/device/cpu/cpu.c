/*
 * cpu.c: the CPU as a device: opening, memory, and the table of task functions.
 */
#include "device/cpu/cpu.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/system/cpu.h"
#include "base/system/pages.h"
#include "device/cpu/cpu_weights.h"

#define ALIGNMENT 64

extern const struct dgm_device_ops dgm_device_cpu;

/* The first aligned address at or after p. */
static unsigned char *aligned(unsigned char *p)
{
    return p + (ALIGNMENT - (uintptr_t)p % ALIGNMENT) % ALIGNMENT;
}

/* ---- scratch memory ------------------------------------------------------------------------ */

static dgm_status scratch_grow(struct dgm_env *env, struct dgm_cpu_scratch *scratch, size_t bytes)
{
    size_t padded;

    if (bytes <= scratch->bytes)
        return DGM_OK;
    /* By half at least: tasks of slowly growing shapes allocate seldom. */
    if (bytes < scratch->bytes + scratch->bytes / 2)
        bytes = scratch->bytes + scratch->bytes / 2;
    if (!dgm_size_add(&padded, bytes, ALIGNMENT))
        return dgm_fail(env, DGM_MEMORY, "a task needs more memory than there are addresses");
    dgm_release(env, scratch->block);
    memset(scratch, 0, sizeof *scratch);
    scratch->block = dgm_alloc(env, padded, 1);
    if (!scratch->block)
        return DGM_MEMORY;
    scratch->data = aligned(scratch->block);
    scratch->bytes = bytes;
    return DGM_OK;
}

dgm_status dgm_cpu_reserve(struct dgm_env *env, struct dgm_cpu *cpu, size_t bytes_per_worker)
{
    for (int i = 0; i < cpu->threads; i++)
        DGM_TRY(scratch_grow(env, &cpu->scratch[i], bytes_per_worker));
    return DGM_OK;
}

dgm_status dgm_cpu_reserve_shared(struct dgm_env *env, struct dgm_cpu *cpu, void **out,
                                  size_t bytes)
{
    DGM_TRY(scratch_grow(env, &cpu->scratch[cpu->threads], bytes));
    *out = cpu->scratch[cpu->threads].data;
    return DGM_OK;
}

dgm_status dgm_cpu_reserve_rounded(struct dgm_env *env, struct dgm_cpu *cpu, void **out,
                                   size_t bytes)
{
    DGM_TRY(scratch_grow(env, &cpu->scratch[cpu->threads + 1], bytes));
    *out = cpu->scratch[cpu->threads + 1].data;
    return DGM_OK;
}

/* ---- opening ------------------------------------------------------------------------------- */

static void cpu_close(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_cpu *cpu = (struct dgm_cpu *)device;

    for (int i = 0; cpu->scratch && i <= cpu->threads + 1; i++)
        dgm_release(env, cpu->scratch[i].block);
    dgm_release(env, cpu->scratch);
    dgm_pool_free(env, cpu->pool);
    dgm_release(env, cpu);
}

/* What results depend on, and the title: "CPU, avx512, bf16 by amx, 2 threads". */
static void name(struct dgm_cpu *cpu)
{
    snprintf(cpu->isa, sizeof cpu->isa, "%s%s%s", cpu->kernels->name,
             cpu->matrix ? ", bf16 by " : "", cpu->matrix ? cpu->matrix->name : "");
    cpu->device.isa = cpu->isa;
    snprintf(cpu->device.title, sizeof cpu->device.title, "CPU, %s, %d thread%s", cpu->isa,
             cpu->threads, cpu->threads == 1 ? "" : "s");
}

static void choose_narrow(struct dgm_cpu *cpu)
{
    for (int kind = 0; kind < DGM_WEIGHTS_COUNT; kind++)
        if (dgm_weights_narrow((enum dgm_weights)kind))
            cpu->narrow[kind] =
                dgm_narrow_choose(dgm_weights_narrow((enum dgm_weights)kind), cpu->kernels->name);
}

static dgm_status cpu_open(struct dgm_env *env, struct dgm_device **out,
                           const struct dgm_device_options *options)
{
    dgm_status status = DGM_OK;
    int threads = options->threads > 0 ? options->threads : dgm_cpu_count();
    struct dgm_cpu *cpu;

    if (options->threads < 0)
        return dgm_fail(env, DGM_USAGE, "%d threads; expected 1 or more, or 0 for all processors",
                        options->threads);
    cpu = dgm_alloc(env, 1, sizeof *cpu);
    if (!cpu)
        return DGM_MEMORY;
    cpu->device.ops = &dgm_device_cpu;
    DGM_TRY_OUT(dgm_kernels_choose(env, &cpu->kernels, options->isa));
    choose_narrow(cpu);
    DGM_TRY_OUT(dgm_precision_parse(env, &cpu->precision, options->precision));
    DGM_TRY_OUT(dgm_pool_new(env, &cpu->pool, threads));
    cpu->threads = dgm_pool_threads(cpu->pool);
    /* Each worker's, then what all share, then operands rounded for --precision. */
    cpu->scratch = dgm_alloc(env, (size_t)cpu->threads + 2, sizeof *cpu->scratch);
    if (!cpu->scratch) {
        status = DGM_MEMORY;
        goto out;
    }
    cpu->device.threads = cpu->threads;
    cpu->device.sum_block = DGM_CPU_OPTIMIZER_BLOCK;
    cpu->device.reals = cpu->precision == DGM_F32 ? DGM_WEIGHTS_PANELS : DGM_WEIGHTS_REAL;
    name(cpu);
    *out = &cpu->device;
out:
    if (status != DGM_OK)
        cpu_close(env, &cpu->device);
    return status;
}

void dgm_cpu_use_matrix(struct dgm_device *device, const struct dgm_matrix_kernels *kernels)
{
    struct dgm_cpu *cpu = (struct dgm_cpu *)device;

    cpu->matrix = cpu->precision == DGM_BF16 ? kernels : NULL;
    name(cpu);
}

/* ---- threads apart from each other ---------------------------------------------------------- */

static dgm_status cpu_open_beside(struct dgm_env *env, struct dgm_device *device,
                                  struct dgm_device **out)
{
    const struct dgm_cpu *cpu = (const struct dgm_cpu *)device;
    struct dgm_device_options options = { 0 };

    options.threads = 1;
    options.isa = cpu->kernels->name;
    options.precision = dgm_precision_name(cpu->precision);
    DGM_TRY(cpu_open(env, out, &options));
    dgm_cpu_use_matrix(*out, cpu->matrix);
    return DGM_OK;
}

static void cpu_run_apart(struct dgm_device *device,
                          void (*fn)(void *job, int64_t chunk, int worker), void *job)
{
    struct dgm_cpu *cpu = (struct dgm_cpu *)device;

    dgm_pool_run(cpu->pool, fn, job, cpu->threads);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Zeros, in chunks: whoever touches a page first has it made, which takes longer than the zeros. */
struct zeros {
    unsigned char *to;
    size_t bytes;
};

#define ZEROS ((size_t)1 << 20)

static void zero_chunk(void *shared, int64_t chunk, int worker)
{
    const struct zeros *zeros = shared;
    const size_t from = (size_t)chunk * ZEROS, left = zeros->bytes - from;

    (void)worker;
    memset(zeros->to + from, 0, left < ZEROS ? left : ZEROS);
}

static dgm_status cpu_alloc(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer **out,
                            size_t bytes)
{
    struct dgm_cpu_buffer *buffer;
    struct zeros zeros;
    size_t all;

    if (!dgm_size_add(&all, bytes, sizeof *buffer + ALIGNMENT))
        return dgm_fail(env, DGM_MEMORY, "a tensor of %zu bytes does not fit into memory", bytes);
    buffer = dgm_resize(env, NULL, all, 1);
    if (!buffer)
        return DGM_MEMORY;
    dgm_pages_enlarge(buffer, all);
    /* The struct is in it: `weights` becomes NULL here. */
    zeros.to = (unsigned char *)buffer;
    zeros.bytes = all;
    dgm_pool_run(((struct dgm_cpu *)device)->pool, zero_chunk, &zeros,
                 (int64_t)((all + ZEROS - 1) / ZEROS));
    buffer->data = aligned((unsigned char *)(buffer + 1));
    buffer->bytes = bytes;
    *out = (struct dgm_buffer *)buffer;
    return DGM_OK;
}

static void cpu_release(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer)
{
    (void)device;
    dgm_release(env, buffer);
}

static void *cpu_place(struct dgm_ref ref)
{
    return dgm_cpu_weights(ref) == NULL ? dgm_cpu_at(ref) : NULL;
}

static size_t cpu_bytes(const struct dgm_buffer *buffer)
{
    return ((const struct dgm_cpu_buffer *)buffer)->bytes;
}

static dgm_status cpu_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                            const void *from, size_t bytes)
{
    (void)env;
    (void)device;
    assert(dgm_cpu_weights(to) == NULL);
    assert(to.offset <= cpu_bytes(to.buffer) && bytes <= cpu_bytes(to.buffer) - to.offset);
    if (bytes > 0)
        memcpy(dgm_cpu_at(to), from, bytes);
    return DGM_OK;
}

static dgm_status cpu_read(struct dgm_env *env, struct dgm_device *device, void *to,
                           struct dgm_ref from, size_t bytes)
{
    (void)env;
    (void)device;
    assert(dgm_cpu_weights(from) == NULL);
    assert(from.offset <= cpu_bytes(from.buffer) && bytes <= cpu_bytes(from.buffer) - from.offset);
    if (bytes > 0)
        memcpy(to, dgm_cpu_at(from), bytes);
    return DGM_OK;
}

static const void *cpu_look(struct dgm_ref from)
{
    assert(!dgm_cpu_weights(from));
    return dgm_cpu_at(from);
}

static dgm_status cpu_sync(struct dgm_env *env, struct dgm_device *device)
{
    (void)env;
    (void)device;
    return DGM_OK; /* a task is complete when its call returns */
}

/* ---- tasks --------------------------------------------------------------------------------- */

static dgm_status (*const runners[])(struct dgm_env *, struct dgm_cpu *, const void *) = {
#define TASK(name) dgm_cpu_run_##name,
#include "kernel/task/task_list.h"
};

static int cpu_supports(struct dgm_device *device, enum dgm_task_kind kind, const void *args)
{
    (void)device;
    (void)kind;
    (void)args;
    return 1;
}

static dgm_status cpu_run(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                          const void *args)
{
    DGM_TRY(dgm_cpu_check_weights(env, kind, args));
    return runners[kind](env, (struct dgm_cpu *)device, args);
}

/* Nothing to list, to tune or to explain: there is one CPU, and it runs every task. */
const struct dgm_device_ops dgm_device_cpu = {
    .name = "cpu",
    .help = "the processor: vector kernels and threads",
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .bytes = cpu_bytes,
    .place = cpu_place,
    .weights_bytes = dgm_cpu_weights_bytes,
    .alloc_weights = dgm_cpu_alloc_weights,
    .write_weights = dgm_cpu_write_weights,
    .write = cpu_write,
    .read = cpu_read,
    .look = cpu_look,
    .sync = cpu_sync,
    .flush = cpu_sync,
    .supports = cpu_supports,
    .run = cpu_run,
    .open_beside = cpu_open_beside,
    .run_apart = cpu_run_apart,
};
