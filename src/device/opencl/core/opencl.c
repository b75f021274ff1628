/*
 * opencl.c: an OpenCL device: opening and closing, and how a task finds its function.
 */
#include "device/opencl/core/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "device/host_mirror.h"
#include "device/opencl/core/fuse.h"
#include "device/opencl/core/list.h"
#include "device/opencl/core/memory.h"
#include "device/opencl/core/self_test.h"
#include "device/opencl/gemm/gemm_pair.h"
#include "device/opencl/gemm/gemm_tensor.h"
#include "device/opencl/gemm/pack/packed_rows.h"
#include "device/opencl/gemm/pack/packed_weights.h"
#include "device/opencl/gemm/pack/panels.h"
#include "device/opencl/gemm/tune/tune.h"
#include "device/opencl/gemm/tune/tuning_file.h"
#include "device/opencl/run/run_gemm.h"
#include "device/opencl/run/run_norm.h"
#include "device/opencl/system/cache.h"
#include "device/task_shape.h"

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

/* ---- processes ------------------------------------------------------------------------------ */

static int is_forked(const struct dgm_opencl *opencl)
{
    return opencl->process != getpid();
}

/*
 * A forked process has none of the driver's threads: a call may wait for them for ever, and what it
 * releases may be the parent's. So it calls nothing: all that the driver has stays, as behind a
 * call that was left (watch.h), and so does what waits for its second half.
 */
static dgm_status check_process(struct dgm_env *env, struct dgm_opencl *opencl)
{
    if (!is_forked(opencl))
        return DGM_OK;
    opencl->has_left = 1;
    opencl->left = -1; /* no buffer was made then: none is released */
    opencl->waiting.is_there = opencl->norm_sums.is_there = opencl->gemm_rest.is_there = 0;
    return dgm_fail(env, DGM_UNSUPPORTED,
                    "%s: opened by process %ld, from which this one was forked: OpenCL does not "
                    "work on in a forked process; expected --devices cpu there",
                    opencl->traits.name, (long)opencl->process);
}

/* ---- opening ------------------------------------------------------------------------------- */

static void release_driver(struct dgm_opencl *opencl)
{
    dgm_cl_programs_clear(opencl);
    if (opencl->queue != NULL)
        opencl->cl.ReleaseCommandQueue(opencl->queue);
    if (opencl->context != NULL)
        opencl->cl.ReleaseContext(opencl->context);
}

/* Whether the queue is through all that was asked of it. */
static int is_through(const struct dgm_opencl *opencl)
{
    if (opencl->has_left)
        return 0;
    return opencl->queue == NULL || opencl->cl.Finish(opencl->queue) == CL_SUCCESS;
}

/*
 * A call that was left (watch.h) may use what the driver has: that stays. Where the driver could
 * not wait, its queue may still read what is staged: kernels would take whatever lies there next
 * for their indices.
 */
static void opencl_close(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);
    struct dgm_env own = dgm_env_quiet(env);
    const int is_here = check_process(&own, opencl) == DGM_OK;
    const int may_read = !is_through(opencl) && is_here;

    if (is_here)
        dgm_cl_self_test_store(env, opencl);
    if (is_here && opencl->has_stored)
        dgm_cl_cache_prune(env, DGM_CL_CACHE_MOST);
    dgm_cl_panels_clear(env, opencl);
    dgm_release(env, opencl->kept);
    dgm_cl_memory_release(env, device, opencl->scratch);
    dgm_cl_packed_weights_released(env, opencl, opencl->weights.from);
    for (int i = 0; i < DGM_CL_PACKED_PLACES; i++)
        dgm_cl_memory_release(env, device, opencl->packed[i].room);
    for (int i = 0; i < 2; i++) {
        dgm_cl_memory_release(env, device, opencl->norm_blocks[i]);
        dgm_cl_memory_release(env, device, opencl->gemm_parts[i]);
    }
    if (!opencl->has_left)
        release_driver(opencl);
    dgm_device_close(env, opencl->device.host);
    if (!may_read)
        free(opencl->stage);
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

/* The order matters: choices need the traits, kernels of tensor cores are built to see whether the
 * driver takes them, and verdicts of trials are stored under a key that includes all choices. */
static dgm_status opencl_open(struct dgm_env *env, struct dgm_device **out,
                              const struct dgm_device_options *options)
{
    struct dgm_opencl *opencl = dgm_alloc(env, 1, sizeof *opencl);
    dgm_status status = DGM_OK;

    if (opencl == NULL)
        return DGM_MEMORY;
    opencl->device.ops = &dgm_device_opencl;
    opencl->process = getpid();
    DGM_TRY_OUT(dgm_cl_load(env, &opencl->cl));
    DGM_TRY_OUT(dgm_cl_choose(env, &opencl->cl, options->which, &opencl->id, &opencl->traits));
    opencl->device.memory =
        (size_t)(opencl->traits.memory < SIZE_MAX ? opencl->traits.memory : SIZE_MAX);
    opencl->device.largest =
        (size_t)(opencl->traits.largest < SIZE_MAX ? opencl->traits.largest : SIZE_MAX) &
        ~(size_t)63;
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
#define TASK(name) [DGM_TASK_##name] = dgm_opencl_run_##name,
#include "kernel/task/task_list.h"
};

static int opencl_supports(struct dgm_device *device, enum dgm_task_kind kind, const void *args)
{
    const unsigned char *trust = cast(device)->trust;

    if (args != NULL)
        return trust[dgm_cl_form_of(kind, args)] != DGM_CL_DISTRUSTED;
    for (int form = 0; form < DGM_FORM_COUNT; form++)
        if (dgm_cl_form_task(form) == kind && trust[form] != DGM_CL_DISTRUSTED)
            return 1;
    return 0;
}

static int opencl_explain(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                          char *words)
{
    struct dgm_env own = dgm_env_quiet(env);

    if (check_process(&own, cast(device)) == DGM_OK)
        return dgm_cl_self_test_explain(env, cast(device), kind, words);
    snprintf(words, DGM_EXPLAIN_SIZE, "%s", own.error.message);
    return 0;
}

/* Tells of what failed, or was stopped, when nobody could be told; once. */
static dgm_status tell_late(struct dgm_env *env, struct dgm_opencl *opencl)
{
    const dgm_status status = opencl->late.status;

    opencl->late.status = DGM_OK;
    return status == DGM_OK ? DGM_OK : dgm_fail(env, status, "%s", opencl->late.message);
}

/* A task whose kernels do not build runs on the CPU, provided that none of them was launched: then
 * nothing of the task has happened yet. */
static dgm_status run_instead(struct dgm_env *env, struct dgm_device *device,
                              enum dgm_task_kind kind, const void *args)
{
    const int form = dgm_cl_form_of(kind, args);
    char title[DGM_FORM_TITLE_SIZE];

    dgm_cl_form_title(form, title);
    if (!cast(device)->is_told)
        dgm_log(env, DGM_LOG_WARNING, "task %s runs on the CPU: %s", title, env->error.message);
    dgm_env_clear_error(env);
    cast(device)->trust[form] = DGM_CL_DISTRUSTED;
    device->told[kind] = 1;
    return dgm_host_mirror_fall_back(env, device, kind, args);
}

/* Has sums added up that wait, where the task may see what they are for. */
static dgm_status settle_sums(struct dgm_env *env, struct dgm_opencl *opencl,
                              enum dgm_task_kind kind, const void *args)
{
    const int is_new = opencl->trust[dgm_cl_form_of(kind, args)] != DGM_CL_TRUSTED;

    if (is_new || dgm_cl_norm_concerns(opencl, kind, args))
        DGM_TRY(dgm_cl_norm_settle(env, opencl));
    if (is_new || dgm_cl_pair_concerns(opencl, kind, args))
        DGM_TRY(dgm_cl_pair_settle(env, opencl));
    return DGM_OK;
}

/* What is packed of memory that the task writes is no more what lies there. */
static void forget_packed(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind,
                          const void *args)
{
    dgm_cl_packed_rows_forget_outputs(opencl, kind, args);
    dgm_cl_packed_weights_note(env, opencl, kind, args);
}

/*
 * Tries the task's form first if it is new to this device. On trial a failed build is an error like
 * any other: whoever compares wants to hear of it.
 */
static dgm_status run_now(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                          const void *args)
{
    struct dgm_opencl *opencl = cast(device);
    const int form = dgm_cl_form_of(kind, args);
    uint64_t launches;
    dgm_status status;

    DGM_TRY(settle_sums(env, opencl, kind, args));
    if (!dgm_cl_self_test_form(env, opencl, form)) {
        DGM_TRY(tell_late(env, opencl));
        return dgm_host_mirror_fall_back(env, device, kind, args);
    }
    forget_packed(env, opencl, kind, args);
    launches = opencl->launches;
    opencl->has_failed_build = opencl->is_told = 0;
    status = runners[kind](env, opencl, args);
    if (status == DGM_OK || !opencl->has_failed_build || opencl->launches != launches ||
        opencl->on_trial[kind])
        return status;
    return run_instead(env, device, kind, args);
}

/* ---- pairs of tasks ------------------------------------------------------------------------- */

/* Runs the task that waits, if one does. */
static dgm_status settle(struct dgm_env *env, struct dgm_device *device)
{
    const struct dgm_cl_waiting waiting = cast(device)->waiting;

    DGM_TRY(tell_late(env, cast(device)));
    if (!waiting.is_there)
        return DGM_OK;
    cast(device)->waiting.is_there = 0; /* first: a trial runs tasks, too */
    return run_now(env, device, waiting.kind, &waiting.args);
}

/*
 * The form of what the task is the first half of, if it waits for the second; -1: it runs alone, as
 * it does on trial, or where what does both is not right on this device. Whether the task alone is
 * right is found out when it runs alone, if ever.
 */
static int form_of_pair(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind,
                        const void *args)
{
    enum dgm_task_kind pair;

    if (opencl->on_trial[kind] || opencl->trust[kind] == DGM_CL_DISTRUSTED)
        return -1;
    if (kind == DGM_TASK_gemm)
        return dgm_cl_pair_begins(env, opencl, args) ? dgm_cl_form_of(kind, args) : -1;
    return dgm_cl_fuse_begins(kind, &pair) ? (int)pair : -1;
}

/* Whether the task waits. What does both is tried here, while nothing waits, sums included: a trial
 * has no place for their errors. */
static dgm_status begins_pair(struct dgm_env *env, struct dgm_opencl *opencl,
                              enum dgm_task_kind kind, const void *args, int *begins)
{
    const int form = form_of_pair(env, opencl, kind, args);

    if (form >= 0 && opencl->trust[form] == DGM_CL_UNTRIED) {
        DGM_TRY(dgm_cl_norm_settle(env, opencl));
        DGM_TRY(dgm_cl_pair_settle(env, opencl));
    }
    *begins = form >= 0 && dgm_cl_self_test_form(env, opencl, form);
    return tell_late(env, opencl);
}

/* Two products in one launch. */
static dgm_status run_products(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_gemm_args *next)
{
    const struct dgm_gemm_args waiting = opencl->waiting.args.gemm;

    opencl->waiting.is_there = 0;
    if (dgm_cl_norm_concerns(opencl, DGM_TASK_gemm, &waiting) ||
        dgm_cl_norm_concerns(opencl, DGM_TASK_gemm, next))
        DGM_TRY(dgm_cl_norm_settle(env, opencl));
    forget_packed(env, opencl, DGM_TASK_gemm, &waiting);
    forget_packed(env, opencl, DGM_TASK_gemm, next);
    return dgm_cl_run_products(env, opencl, &waiting, next);
}

/* A task that writes where products keep panels of what was there: they are made anew. */
static void forget_panels(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind,
                          const void *args)
{
    const struct dgm_ref *operands = args;

    for (int i = 0; opencl->kept_count > 0 && i < dgm_task_shape(kind)->outputs; i++)
        if (dgm_cl_memory_keeps(operands[i]))
            dgm_cl_panels_clear(env, opencl);
}

static dgm_status opencl_run(struct dgm_env *env, struct dgm_device *device,
                             enum dgm_task_kind kind, const void *args)
{
    struct dgm_opencl *opencl = cast(device);
    struct dgm_cl_pair pair;
    int begins;

    DGM_TRY(check_process(env, opencl));
    forget_panels(env, opencl, kind, args);
    if (opencl_supports(device, kind, args) && opencl->late.status == DGM_OK &&
        dgm_cl_fuse(&opencl->waiting, kind, args, &pair)) {
        opencl->waiting.is_there = 0;
        return run_now(env, device, pair.kind, &pair.args);
    }
    if (opencl->waiting.is_there && opencl->waiting.kind == DGM_TASK_gemm &&
        kind == DGM_TASK_gemm && opencl_supports(device, kind, args) &&
        opencl->late.status == DGM_OK && dgm_cl_pair_fits(opencl, &opencl->waiting.args.gemm, args))
        return run_products(env, opencl, args);
    DGM_TRY(settle(env, device));
    DGM_TRY(begins_pair(env, opencl, kind, args, &begins));
    if (!begins)
        return run_now(env, device, kind, args);
    opencl->waiting.is_there = 1;
    opencl->waiting.kind = kind;
    memcpy(&opencl->waiting.args, args, dgm_task_shape(kind)->args_bytes);
    return DGM_OK;
}

/* Nothing waits any longer: neither a task for its second half, nor sums for gradients
 * (run/run_norm.h, gemm/gemm_pair.h). */
static dgm_status settle_all(struct dgm_env *env, struct dgm_device *device)
{
    DGM_TRY(check_process(env, cast(device)));
    DGM_TRY(settle(env, device));
    DGM_TRY(dgm_cl_norm_settle(env, cast(device)));
    return dgm_cl_pair_settle(env, cast(device));
}

/* ---- memory and the queue, once nothing waits ----------------------------------------------- */

/* A release returns no error: the next call does, with the message of this one. What waits is
 * dropped then, since it may read the buffer. */
static void settle_silently(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);
    struct dgm_env own = *env;
    dgm_status status;

    dgm_env_clear_error(&own);
    status = settle_all(&own, device);
    if (status == DGM_OK)
        return;
    opencl->late = own.error;
    opencl->late.status = status;
    opencl->waiting.is_there = opencl->norm_sums.is_there = opencl->gemm_rest.is_there = 0;
}

static dgm_status opencl_alloc(struct dgm_env *env, struct dgm_device *device,
                               struct dgm_buffer **out, size_t bytes)
{
    DGM_TRY(check_process(env, cast(device)));
    return dgm_cl_memory_alloc(env, device, out, bytes);
}

static void opencl_release(struct dgm_env *env, struct dgm_device *device,
                           struct dgm_buffer *buffer)
{
    const struct dgm_ref ref = { buffer, 0 };

    settle_silently(env, device);
    if (dgm_cl_memory_keeps(ref))
        dgm_cl_panels_clear(env, cast(device));
    dgm_cl_packed_rows_forget(cast(device), ref, dgm_cl_memory_bytes(buffer));
    dgm_cl_packed_weights_released(env, cast(device), buffer);
    dgm_cl_memory_release(env, device, buffer);
}

static size_t opencl_beside(const struct dgm_device *device, size_t parameters)
{
    const struct dgm_opencl *opencl = (const struct dgm_opencl *)device;

    return dgm_cl_pair_room(opencl) + dgm_cl_packed_rows_room(opencl) +
           dgm_cl_packed_weights_room(opencl, parameters);
}

static dgm_status opencl_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                               const void *from, size_t bytes)
{
    DGM_TRY(settle_all(env, device));
    if (dgm_cl_memory_keeps(to))
        dgm_cl_panels_clear(env, cast(device));
    dgm_cl_packed_rows_forget(cast(device), to, bytes);
    dgm_cl_packed_weights_written(cast(device), to.buffer);
    return dgm_cl_memory_write(env, device, to, from, bytes);
}

static dgm_status opencl_read(struct dgm_env *env, struct dgm_device *device, void *to,
                              struct dgm_ref from, size_t bytes)
{
    DGM_TRY(settle_all(env, device));
    return dgm_cl_memory_read(env, device, to, from, bytes);
}

static dgm_status opencl_sync(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);
    cl_int error;

    DGM_TRY(settle_all(env, device));
    error = opencl->cl.Finish(opencl->queue);
    if (error != CL_SUCCESS)
        return fail(env, opencl, "clFinish", error);
    dgm_cl_memory_waited(opencl);
    return DGM_OK;
}

static dgm_status opencl_flush(struct dgm_env *env, struct dgm_device *device)
{
    struct dgm_opencl *opencl = cast(device);
    cl_int error;

    DGM_TRY(settle_all(env, device));
    error = opencl->cl.Flush(opencl->queue);
    return error == CL_SUCCESS ? DGM_OK : fail(env, opencl, "clFlush", error);
}

const struct dgm_device_ops dgm_device_opencl = {
    .name = "opencl",
    .help = "a GPU, or any other device with an OpenCL 1.2 driver",
    .open = opencl_open,
    .close = opencl_close,
    .alloc = opencl_alloc,
    .release = opencl_release,
    .bytes = dgm_cl_memory_bytes,
    .beside = opencl_beside,
    .keep = dgm_cl_panels_keep,
    .write = opencl_write,
    .read = opencl_read,
    .sync = opencl_sync,
    .flush = opencl_flush,
    .supports = opencl_supports,
    .run = opencl_run,
    .list = dgm_opencl_list,
    .tune = dgm_opencl_tune,
    .explain = opencl_explain,
};
