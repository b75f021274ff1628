/*
 * launch.c: the arguments of a kernel, one after the other, and its enqueueing.
 */
#include "device/opencl/core/launch.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "device/opencl/core/program.h"
#include "device/opencl/core/watch.h"
#include "kernel/drop.h"

/* Work-items of a group where the kernel does not care, on processors and on GPUs, which begin one
 * group after the other; fewer where the driver allows it fewer. */
enum { CPU_GROUP = 64, GROUP = 256 };

/* Launches that are sent to the device together: it begins while the rest of a graph is still being
 * run through, and sending takes little beside them. */
enum { SENT_AT_ONCE = 16 };

static const char *const names[] = {
#define PROGRAM(name)
#define KERNEL(program, name) #name,
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
};

static void fail(struct dgm_launch *launch, const char *call, cl_int error)
{
    char where[256];

    snprintf(where, sizeof where, "%s: kernel %s", launch->opencl->traits.name, names[launch->id]);
    launch->status = dgm_cl_fail(launch->env, where, call, error);
}

void dgm_launch_begin(struct dgm_launch *launch, struct dgm_env *env, struct dgm_opencl *opencl,
                      enum dgm_cl_kernel_id id)
{
    launch->env = env;
    launch->opencl = opencl;
    launch->id = id;
    launch->count = 0;
    launch->set = &opencl->arguments[id];
    launch->status = dgm_cl_kernel_get(env, opencl, id, &launch->kernel);
    /* A new buffer may have the handle of a released one, which the driver would take for it. */
    if (launch->set->releases != opencl->releases)
        memset(launch->set->items, 0, sizeof launch->set->items);
    launch->set->releases = opencl->releases;
}

/* Whether the kernel's next argument has this value by an earlier launch; if not, it will have. */
static int is_set(struct dgm_launch *launch, const void *value, size_t bytes)
{
    struct dgm_cl_argument *argument, wanted = { bytes, 0 };

    if (launch->count >= DGM_CL_ARGUMENTS || bytes > sizeof wanted.value)
        return 0;
    argument = &launch->set->items[launch->count];
    memcpy(&wanted.value, value, bytes); /* bytes beyond stay 0: whole words compare */
    if (argument->bytes == wanted.bytes && argument->value == wanted.value)
        return 1;
    *argument = wanted;
    return 0;
}

static void add(struct dgm_launch *launch, const void *value, size_t bytes)
{
    cl_int error = CL_SUCCESS;

    if (launch->status != DGM_OK)
        return;
    if (!is_set(launch, value, bytes))
        error = launch->opencl->cl.SetKernelArg(launch->kernel, launch->count, bytes, value);
    launch->count++;
    if (error == CL_SUCCESS)
        return;
    launch->set->releases = -1; /* nobody knows what it has now */
    fail(launch, "clSetKernelArg", error);
}

void dgm_launch_ref(struct dgm_launch *launch, struct dgm_ref ref)
{
    const cl_mem memory = dgm_cl_memory_of(ref);
    const cl_ulong offset = ref.buffer != NULL ? ref.offset : 0;

    add(launch, &memory, sizeof memory);
    add(launch, &offset, sizeof offset);
}

void dgm_launch_int(struct dgm_launch *launch, int64_t value)
{
    const cl_int narrow = (cl_int)value;

    if (launch->status == DGM_OK && narrow != value)
        launch->status = dgm_fail(launch->env, DGM_UNSUPPORTED,
                                  "a matrix side of %lld is more "
                                  "than kernels for OpenCL can count",
                                  (long long)value);
    add(launch, &narrow, sizeof narrow);
}

void dgm_launch_long(struct dgm_launch *launch, int64_t value)
{
    add(launch, &value, sizeof value);
}

void dgm_launch_real(struct dgm_launch *launch, dgm_real value)
{
    add(launch, &value, sizeof value);
}

void dgm_launch_drop(struct dgm_launch *launch, const struct dgm_drop *drop)
{
    const struct dgm_mask mask = dgm_mask_make(drop->rate, drop->stream, drop->key);

    dgm_launch_real(launch, mask.scale);
    add(launch, &mask.threshold, sizeof mask.threshold);
    add(launch, &mask.stream, sizeof mask.stream);
    add(launch, &mask.key[0], sizeof mask.key[0]);
    add(launch, &mask.key[1], sizeof mask.key[1]);
}

void dgm_launch_local(struct dgm_launch *launch, size_t bytes)
{
    cl_int error;

    if (launch->status != DGM_OK)
        return;
    error = launch->opencl->cl.SetKernelArg(launch->kernel, launch->count++, bytes, NULL);
    if (error != CL_SUCCESS)
        fail(launch, "clSetKernelArg", error);
}

/* Counts a launch, and sends those so far to the device where they are enough. */
static dgm_status sent(struct dgm_launch *launch)
{
    struct dgm_opencl *opencl = launch->opencl;
    cl_int error = CL_SUCCESS;

    if (++opencl->launches % SENT_AT_ONCE == 0 && launch->status == DGM_OK)
        error = opencl->cl.Flush(opencl->queue);
    if (error != CL_SUCCESS)
        fail(launch, "clFlush", error);
    return launch->status;
}

/* A group that is too large is known before anything is launched: as with a kernel that does not
 * build, its task can still run on the CPU. */
static int fits_group(struct dgm_launch *launch, const size_t local[3])
{
    const size_t items = local[0] * local[1] * local[2];
    char words[DGM_CL_REFUSAL_SIZE];

    if (items <= launch->opencl->group_limits[launch->id])
        return 1;
    dgm_cl_kernel_refusal(launch->opencl, launch->id, items, words);
    launch->opencl->has_failed_build = 1;
    launch->status =
        dgm_fail(launch->env, DGM_UNSUPPORTED, "%s: %s", launch->opencl->traits.name, words);
    return 0;
}

/* A call of clEnqueueNDRangeKernel, and of clFinish where it is waited for; `name`: the later. */
struct enqueue {
    struct dgm_cl cl;
    cl_command_queue queue;
    cl_kernel kernel;
    size_t global[3], local[3];
    const char *name;
    cl_int error;
};

static void enqueue(void *call)
{
    struct enqueue *enqueue = call;

    enqueue->name = "clEnqueueNDRangeKernel";
    enqueue->error =
        enqueue->cl.EnqueueNDRangeKernel(enqueue->queue, enqueue->kernel, 3, NULL, enqueue->global,
                                         enqueue->local, 0, NULL, NULL);
}

static void finish(struct enqueue *call)
{
    call->name = "clFinish";
    call->error = call->cl.Finish(call->queue);
}

static void enqueue_and_finish(void *call)
{
    struct enqueue *enqueued = call;

    enqueue(enqueued);
    if (enqueued->error == CL_SUCCESS)
        finish(enqueued);
}

/*
 * A driver may compile a kernel as it is first launched, or as the queue comes to it. Where that is
 * left, another queue follows, which does not wait for this one: so it is to hold this launch alone
 * and nothing that a checkpoint, say, would miss. Kernels that were waited for once come to their
 * end.
 */
static void enqueue_first(struct dgm_launch *launch, struct enqueue *call)
{
    struct dgm_opencl *opencl = launch->opencl;
    char what[96];

    finish(call);
    if (call->error != CL_SUCCESS)
        return;
    snprintf(what, sizeof what, "the first launch of kernel %s", names[launch->id]);
    launch->status =
        dgm_cl_watch_launch(launch->env, opencl, what, enqueue_and_finish, call, sizeof *call);
    if (launch->status != DGM_OK) {
        dgm_cl_kernel_leave(opencl, launch->id, launch->status == DGM_UNSUPPORTED);
        return;
    }
    if (call->error != CL_SUCCESS)
        return;
    dgm_cl_memory_waited(opencl);
    opencl->has_run[launch->id] = 1;
}

dgm_status dgm_launch_grid(struct dgm_launch *launch, const size_t groups[3], const size_t local[3])
{
    struct enqueue call;

    if (launch->status != DGM_OK || !fits_group(launch, local))
        return launch->status;
    assert(launch->set->releases == launch->opencl->releases);
    for (int i = 0; i < 3; i++) {
        if (groups[i] == 0)
            return DGM_OK;
        call.global[i] = groups[i] * local[i];
        call.local[i] = local[i];
    }
    call.cl = launch->opencl->cl;
    call.queue = launch->opencl->queue;
    call.kernel = launch->kernel;
    if (launch->opencl->has_run[launch->id])
        enqueue(&call);
    else
        enqueue_first(launch, &call);
    if (call.error != CL_SUCCESS)
        fail(launch, call.name, call.error);
    return sent(launch);
}

dgm_status dgm_launch_items(struct dgm_launch *launch, int64_t count)
{
    size_t local[3] = { GROUP, 1, 1 }, groups[3] = { 0, 1, 1 };

    if (launch->opencl->traits.is_cpu)
        local[0] = CPU_GROUP;
    while (local[0] > 1 && local[0] > launch->opencl->group_limits[launch->id])
        local[0] /= 2;
    groups[0] = count > 0 ? (size_t)dgm_cl_divide_up(count, (int64_t)local[0]) : 0;
    return dgm_launch_grid(launch, groups, local);
}

dgm_status dgm_launch_vectors(struct dgm_launch *launch, int64_t count)
{
    return dgm_launch_items(launch, dgm_cl_divide_up(count, launch->opencl->traits.vec));
}

dgm_status dgm_launch_rows(struct dgm_launch *launch, int64_t rows, int64_t columns)
{
    return dgm_launch_items(launch, rows * dgm_cl_divide_up(columns, launch->opencl->traits.vec));
}

/* STRIP and RUN of common.cl for processors. */
enum { CPU_STRIP = 64, CPU_RUN = 16 };

int64_t dgm_launch_tile(const struct dgm_opencl *opencl)
{
    const int vec = opencl->traits.vec;

    return opencl->traits.is_cpu ? CPU_STRIP : vec > 4 ? vec : 4;
}

static dgm_status launch_parts(struct dgm_launch *launch, int64_t rows, int64_t columns,
                               int64_t width)
{
    const size_t local[3] = { 1, 1, 1 };
    const int64_t count = rows * dgm_cl_divide_up(columns, width);
    size_t groups[3] = { 0, 1, 1 };

    /* Kernels count work-items in an int, and the last group may reach beyond `count`. */
    if (launch->status == DGM_OK && count > INT32_MAX - GROUP)
        return dgm_fail(launch->env, DGM_UNSUPPORTED,
                        "a matrix of %lld rows is more than kernels "
                        "for OpenCL can count",
                        (long long)rows);
    if (!launch->opencl->traits.is_cpu)
        return dgm_launch_items(launch, count);
    groups[0] = (size_t)dgm_cl_divide_up(count, CPU_RUN);
    return dgm_launch_grid(launch, groups, local);
}

dgm_status dgm_launch_tiles(struct dgm_launch *launch, int64_t rows, int64_t columns)
{
    return launch_parts(launch, rows, columns, dgm_launch_tile(launch->opencl));
}

dgm_status dgm_launch_strips(struct dgm_launch *launch, int64_t rows, int64_t columns)
{
    const struct dgm_cl_traits *traits = &launch->opencl->traits;

    return launch_parts(launch, rows, columns, traits->is_cpu ? CPU_STRIP : traits->vec);
}

dgm_status dgm_launch_groups(struct dgm_launch *launch, int64_t x, int64_t y, int64_t z)
{
    size_t local[3] = { 1, 1, 1 }, groups[3];

    local[0] = (size_t)dgm_cl_kernel_lanes(&launch->opencl->traits, launch->id);
    groups[0] = x > 0 ? (size_t)x : 0;
    groups[1] = y > 0 ? (size_t)y : 0;
    groups[2] = z > 0 ? (size_t)z : 0;
    return dgm_launch_grid(launch, groups, local);
}

dgm_status dgm_launch_runs(struct dgm_launch *launch, int64_t count)
{
    const int64_t run = launch->opencl->traits.is_cpu ? CPU_RUN : 1;

    if (launch->status == DGM_OK && count > INT32_MAX - GROUP)
        return dgm_fail(launch->env, DGM_UNSUPPORTED,
                        "%lld groups are more than kernels for "
                        "OpenCL can count",
                        (long long)count);
    return dgm_launch_groups(launch, dgm_cl_divide_up(count, run), 1, 1);
}
