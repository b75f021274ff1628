/*
 * opencl.c: an OpenCL device: opening, memory, and the table of task functions.
 */
#include "device/opencl/core/opencl.h"

#include <assert.h>
#include <stdio.h>

#include "base/mem.h"
#include "device/fallback.h"
#include "device/opencl/core/self_test.h"
#include "device/opencl/gemm/gemm_tensor.h"

extern const struct dgm_device_ops dgm_device_opencl;

static struct dgm_opencl *cast(struct dgm_device *device)
{
    return (struct dgm_opencl *)device;
}

static dgm_status fail(struct dgm_env *env, const struct dgm_opencl *opencl, const char *call,
                       cl_int error)
{
    return dgm_cl_fail(env, opencl->traits.name, call, error);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void opencl_release(struct dgm_env *env, struct dgm_device *device,
                           struct dgm_buffer *buffer)
{
    if (buffer->memory != NULL)
        cast(device)->cl.ReleaseMemObject(buffer->memory);
    dgm_release(env, buffer);
}

/* OpenCL has no empty buffers, hence at least 64 bytes. */
static dgm_status make_memory(struct dgm_env *env, struct dgm_opencl *opencl,
                              struct dgm_buffer *buffer)
{
    const size_t bytes = (buffer->bytes + 63) / 64 * 64 + (buffer->bytes == 0 ? 64 : 0);
    const cl_uint zero = 0;
    cl_int error;

    buffer->memory =
        opencl->cl.CreateBuffer(opencl->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (buffer->memory == NULL && bytes > opencl->traits.largest)
        return dgm_fail(env, DGM_MEMORY,
                        "%s: %lld MiB are needed in one piece and the device "
                        "promises %lld; use a smaller batch, or --devices cpu",
                        opencl->traits.name, (long long)(bytes >> 20),
                        (long long)(opencl->traits.largest >> 20));
    if (buffer->memory == NULL)
        return fail(env, opencl, "clCreateBuffer", error);
    error = opencl->cl.EnqueueFillBuffer(opencl->queue, buffer->memory, &zero, sizeof zero, 0,
                                         bytes, 0, NULL, NULL);
    return error == CL_SUCCESS ? DGM_OK : fail(env, opencl, "clEnqueueFillBuffer", error);
}

static dgm_status opencl_alloc(struct dgm_env *env, struct dgm_device *device,
                               struct dgm_buffer **out, size_t bytes)
{
    struct dgm_buffer *buffer = dgm_alloc(env, 1, sizeof *buffer);
    dgm_status status;

    if (buffer == NULL)
        return DGM_MEMORY;
    buffer->bytes = bytes;
    status = make_memory(env, cast(device), buffer);
    if (status == DGM_OK)
        *out = buffer;
    else
        opencl_release(env, device, buffer);
    return status;
}

static size_t opencl_bytes(const struct dgm_buffer *buffer)
{
    return buffer->bytes;
}

/* Waits: the caller's memory may change as soon as this returns. */
static dgm_status opencl_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                               const void *from, size_t bytes)
{
    struct dgm_opencl *opencl = cast(device);
    cl_int error;

    assert(to.offset <= to.buffer->bytes && bytes <= to.buffer->bytes - to.offset);
    if (bytes == 0)
        return DGM_OK;
    error = opencl->cl.EnqueueWriteBuffer(opencl->queue, to.buffer->memory, CL_TRUE, to.offset,
                                          bytes, from, 0, NULL, NULL);
    return error == CL_SUCCESS ? DGM_OK : fail(env, opencl, "clEnqueueWriteBuffer", error);
}

static dgm_status opencl_read(struct dgm_env *env, struct dgm_device *device, void *to,
                              struct dgm_ref from, size_t bytes)
{
    struct dgm_opencl *opencl = cast(device);
    cl_int error;

    assert(from.offset <= from.buffer->bytes && bytes <= from.buffer->bytes - from.offset);
    if (bytes == 0)
        return DGM_OK;
    error = opencl->cl.EnqueueReadBuffer(opencl->queue, from.buffer->memory, CL_TRUE, from.offset,
                                         bytes, to, 0, NULL, NULL);
    return error == CL_SUCCESS ? DGM_OK : fail(env, opencl, "clEnqueueReadBuffer", error);
}

static dgm_status opencl_sync(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);
    const cl_int error = opencl->cl.Finish(opencl->queue);

    return error == CL_SUCCESS ? DGM_OK : fail(env, opencl, "clFinish", error);
}

dgm_status dgm_cl_reserve(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref *out,
                          size_t bytes)
{
    const size_t more = bytes + bytes / 2; /* lest each larger batch needs a new buffer */

    if (opencl->scratch != NULL && opencl->scratch->bytes < bytes) {
        opencl_release(env, &opencl->device, opencl->scratch); /* once the queue is through it */
        opencl->scratch = NULL;
    }
    if (opencl->scratch == NULL)
        DGM_TRY(opencl_alloc(env, &opencl->device, &opencl->scratch,
                             more <= opencl->traits.largest ? more : bytes));
    out->buffer = opencl->scratch;
    out->offset = 0;
    return DGM_OK;
}

static dgm_status opencl_flush(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);
    const cl_int error = opencl->cl.Flush(opencl->queue);

    return error == CL_SUCCESS ? DGM_OK : fail(env, opencl, "clFlush", error);
}

/* ---- opening ------------------------------------------------------------------------------- */

static void opencl_close(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);

    if (opencl->queue != NULL)
        opencl->cl.Finish(opencl->queue);
    dgm_cl_self_test_store(env, opencl);
    if (opencl->has_stored)
        dgm_cl_cache_prune(env, DGM_CL_CACHE_MOST);
    if (opencl->scratch != NULL)
        opencl_release(env, device, opencl->scratch);
    dgm_cl_programs_clear(opencl);
    if (opencl->queue != NULL)
        opencl->cl.ReleaseCommandQueue(opencl->queue);
    if (opencl->context != NULL)
        opencl->cl.ReleaseContext(opencl->context);
    dgm_device_close(env, opencl->device.host);
    dgm_release(env, opencl);
}

static dgm_status make_queue(struct dgm_env *env, struct dgm_opencl *opencl)
{
    cl_int error;

    opencl->context = opencl->cl.CreateContext(NULL, 1, &opencl->id, NULL, NULL, &error);
    if (opencl->context == NULL)
        return fail(env, opencl, "clCreateContext", error);
    opencl->queue = opencl->cl.CreateCommandQueue(opencl->context, opencl->id, 0, &error);
    if (opencl->queue == NULL)
        return fail(env, opencl, "clCreateCommandQueue", error);
    return DGM_OK;
}

static dgm_status opencl_open(struct dgm_env *env, struct dgm_device **out,
                              const struct dgm_device_options *options)
{
    struct dgm_opencl *opencl = dgm_alloc(env, 1, sizeof *opencl);
    dgm_status status = DGM_OK;

    if (opencl == NULL)
        return DGM_MEMORY;
    opencl->device.ops = &dgm_device_opencl;
    DGM_TRY_OUT(dgm_cl_load(env, &opencl->cl));
    DGM_TRY_OUT(dgm_cl_choose(env, &opencl->cl, options->which, &opencl->id, &opencl->traits));
    dgm_cl_cache_announce(env);
    dgm_cl_tuning_load(env, &opencl->traits, &opencl->tuning);
    DGM_TRY_OUT(dgm_clblast_choose(env, &opencl->clblast, options->gemm));
    DGM_TRY_OUT(make_queue(env, opencl));
    DGM_TRY_OUT(dgm_cl_tensor_choose(env, opencl, options->precision));
    DGM_TRY_OUT(dgm_device_open(env, &opencl->device.host, "cpu", options));
    snprintf(opencl->device.title, sizeof opencl->device.title, "OpenCL, %.100s%s%s",
             opencl->traits.name, dgm_cl_tensor_serves(opencl) ? ", " : "",
             dgm_cl_tensor_serves(opencl) ? dgm_precision_name(opencl->precision) : "");
    dgm_cl_self_test_load(env, opencl);
    *out = &opencl->device;
out:
    if (status != DGM_OK)
        opencl_close(env, &opencl->device);
    return status;
}

/* ---- tasks --------------------------------------------------------------------------------- */

static dgm_status (*const runners[DGM_TASK_COUNT])(struct dgm_env *, struct dgm_opencl *,
                                                   const void *) = {
#define RUN(name) [DGM_TASK_##name] = dgm_opencl_run_##name,
#include "device/opencl/run/run_list.h"
#undef RUN
};

static int opencl_supports(struct dgm_device *device, enum dgm_task_kind kind, const void *args)
{
    (void)args;
    return runners[kind] != NULL && cast(device)->trust[kind] != DGM_CL_DISTRUSTED;
}

static int opencl_explain(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                          char *words)
{
    if (runners[kind] != NULL)
        return dgm_cl_self_test_explain(env, cast(device), kind, words);
    snprintf(words, DGM_EXPLAIN_SIZE, "the device has no kernel for it");
    return 0;
}

/* A task whose kernels do not build runs on the CPU; it must not have begun. */
static dgm_status run_instead(struct dgm_env *env, struct dgm_device *device,
                              enum dgm_task_kind kind, const void *args)
{
    struct dgm_opencl *opencl = cast(device);

    dgm_log(env, DGM_LOG_WARNING, "task %s runs on the CPU: %s", dgm_task_shape(kind)->name,
            env->error.message);
    dgm_env_clear_error(env);
    opencl->trust[kind] = DGM_CL_DISTRUSTED;
    device->told[kind] = 1;
    return dgm_fallback_run(env, device, kind, args);
}

static dgm_status opencl_run(struct dgm_env *env, struct dgm_device *device,
                             enum dgm_task_kind kind, const void *args)
{
    struct dgm_opencl *opencl = cast(device);
    uint64_t launches;
    dgm_status status;

    if (!dgm_cl_self_test_task(env, opencl, kind))
        return dgm_fallback_run(env, device, kind, args);
    launches = opencl->launches;
    status = runners[kind](env, opencl, args);
    if (status == DGM_OK || !opencl->has_failed_build || opencl->launches != launches ||
        opencl->trust[kind] == DGM_CL_ON_TRIAL)
        return status;
    return run_instead(env, device, kind, args);
}

const struct dgm_device_ops dgm_device_opencl = {
    "opencl",        "a GPU, or any other device with an OpenCL 1.2 driver",
    opencl_open,     opencl_close,
    opencl_alloc,    opencl_release,
    opencl_bytes,    opencl_write,
    opencl_read,     opencl_sync,
    opencl_flush,    opencl_supports,
    opencl_run,      dgm_opencl_list,
    dgm_opencl_tune, opencl_explain,
};
