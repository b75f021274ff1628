/*
 * memory.c: buffers of an OpenCL device: made full of zeros, written, read, released.
 */
#include "device/opencl/core/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What a struct dgm_buffer is on this device. */
struct dgm_cl_buffer {
    cl_mem memory;
    size_t bytes;
    int64_t left; /* launches that had been left when it was made */
    int keeps;    /* products keep its matrices in panels (gemm/pack/panels.h) */
};

static struct dgm_cl_buffer *body(struct dgm_buffer *buffer)
{
    return (struct dgm_cl_buffer *)buffer;
}

static struct dgm_opencl *cast(struct dgm_device *device)
{
    return (struct dgm_opencl *)device;
}

static dgm_status fail(struct dgm_env *env, const struct dgm_opencl *opencl, const char *call,
                       cl_int error)
{
    return dgm_cl_fail(env, opencl->traits.name, call, error);
}

/* ---- life ----------------------------------------------------------------------------------- */

/* A launch that was left may use whatever was there at that time: that stays. */
static void release(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_cl_buffer *buffer)
{
    if (buffer->memory != NULL && buffer->left == opencl->left)
        opencl->cl.ReleaseMemObject(buffer->memory);
    opencl->releases++;
    dgm_release(env, buffer);
}

void dgm_cl_memory_release(struct dgm_env *env, struct dgm_device *device,
                           struct dgm_buffer *buffer)
{
    if (buffer != NULL)
        release(env, cast(device), body(buffer));
}

/* OpenCL has no empty buffers, hence at least 64 bytes. */
static dgm_status make_memory(struct dgm_env *env, struct dgm_opencl *opencl,
                              struct dgm_cl_buffer *buffer)
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

dgm_status dgm_cl_memory_try(struct dgm_env *env, struct dgm_device *device,
                             struct dgm_buffer **out, size_t bytes)
{
    struct dgm_cl_buffer *buffer = dgm_alloc(env, 1, sizeof *buffer);
    dgm_status status;

    if (buffer == NULL)
        return DGM_MEMORY;
    buffer->bytes = bytes;
    /* No launch that was left can know what is made later: that may be released. */
    buffer->left = cast(device)->left;
    status = make_memory(env, cast(device), buffer);
    if (status == DGM_OK)
        *out = (struct dgm_buffer *)buffer;
    else
        release(env, cast(device), buffer);
    return status;
}

/* A driver frees what was released once the queue is through with it: hence the second try. */
dgm_status dgm_cl_memory_alloc(struct dgm_env *env, struct dgm_device *device,
                               struct dgm_buffer **out, size_t bytes)
{
    struct dgm_opencl *opencl = cast(device);
    const dgm_status status = dgm_cl_memory_try(env, device, out, bytes);

    if (status != DGM_MEMORY)
        return status;
    dgm_env_clear_error(env);
    if (opencl->give_back != NULL)
        opencl->give_back(env, opencl);
    if (opencl->cl.Finish(opencl->queue) == CL_SUCCESS)
        dgm_cl_memory_waited(opencl);
    return dgm_cl_memory_try(env, device, out, bytes);
}

/* ---- content -------------------------------------------------------------------------------- */

size_t dgm_cl_memory_bytes(const struct dgm_buffer *buffer)
{
    return ((const struct dgm_cl_buffer *)buffer)->bytes;
}

void dgm_cl_memory_keep(struct dgm_buffer *buffer)
{
    body(buffer)->keeps = 1;
}

int dgm_cl_memory_keeps(struct dgm_ref ref)
{
    return ref.buffer != NULL && body(ref.buffer)->keeps;
}

cl_mem dgm_cl_memory_of(struct dgm_ref ref)
{
    return ref.buffer != NULL ? body(ref.buffer)->memory : NULL;
}

/*
 * The caller's memory may change as soon as a write returns. To wait for the driver until then
 * would be to wait for all that is queued, an update, say, while the host could prepare the next
 * one. So the driver reads from a copy, which is there until something has been waited for: the
 * queue is in order. What finds no room, such as the parameters of a model, waits itself.
 *
 * The memory is the C library's own: a queue that was left (watch.h) may read it when the allocator
 * of the environment is no more.
 */
enum { STAGE_BYTES = 2 << 20 };

void dgm_cl_memory_waited(struct dgm_opencl *opencl)
{
    opencl->staged = 0;
}

/* A copy of the bytes that stays; NULL: there is no room. */
static const void *stage(struct dgm_opencl *opencl, const void *from, size_t bytes)
{
    char *copy;

    if (bytes > STAGE_BYTES - opencl->staged)
        return NULL;
    if (opencl->stage == NULL)
        opencl->stage = malloc(STAGE_BYTES);
    if (opencl->stage == NULL)
        return NULL;
    copy = opencl->stage + opencl->staged;
    opencl->staged += bytes;
    memcpy(copy, from, bytes);
    return copy;
}

dgm_status dgm_cl_memory_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                               const void *from, size_t bytes)
{
    struct dgm_opencl *opencl = cast(device);
    const void *copy;
    cl_int error;

    assert(to.offset <= body(to.buffer)->bytes && bytes <= body(to.buffer)->bytes - to.offset);
    if (bytes == 0)
        return DGM_OK;
    copy = stage(opencl, from, bytes);
    error = opencl->cl.EnqueueWriteBuffer(opencl->queue, body(to.buffer)->memory,
                                          copy == NULL ? CL_TRUE : CL_FALSE, to.offset, bytes,
                                          copy == NULL ? from : copy, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return fail(env, opencl, "clEnqueueWriteBuffer", error);
    if (copy == NULL)
        dgm_cl_memory_waited(opencl);
    return DGM_OK;
}

dgm_status dgm_cl_memory_read(struct dgm_env *env, struct dgm_device *device, void *to,
                              struct dgm_ref from, size_t bytes)
{
    struct dgm_opencl *opencl = cast(device);
    cl_int error;

    assert(from.offset <= body(from.buffer)->bytes &&
           bytes <= body(from.buffer)->bytes - from.offset);
    if (bytes == 0)
        return DGM_OK;
    error = opencl->cl.EnqueueReadBuffer(opencl->queue, body(from.buffer)->memory, CL_TRUE,
                                         from.offset, bytes, to, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return fail(env, opencl, "clEnqueueReadBuffer", error);
    dgm_cl_memory_waited(opencl);
    return DGM_OK;
}

/* ---- partial results ------------------------------------------------------------------------ */

size_t dgm_cl_reserved(size_t bytes)
{
    return bytes + bytes / 2; /* lest each larger batch needs a new buffer */
}

/* With room to grow, where the device has that; else what is needed. */
static dgm_status alloc_roomy(struct dgm_env *env, struct dgm_opencl *opencl,
                              struct dgm_buffer **place, size_t bytes)
{
    const size_t more = dgm_cl_reserved(bytes);

    if (more <= opencl->traits.largest) {
        const dgm_status status = dgm_cl_memory_try(env, &opencl->device, place, more);
        if (status != DGM_MEMORY)
            return status;
        dgm_env_clear_error(env);
    }
    return dgm_cl_memory_alloc(env, &opencl->device, place, bytes);
}

/* A released buffer lives on until the queue is through the tasks that use it. */
dgm_status dgm_cl_reserve_in(struct dgm_env *env, struct dgm_opencl *opencl,
                             struct dgm_buffer **place, struct dgm_ref *out, size_t bytes)
{
    if (*place != NULL && dgm_cl_memory_bytes(*place) < bytes) {
        dgm_cl_memory_release(env, &opencl->device, *place);
        *place = NULL;
    }
    if (*place == NULL)
        DGM_TRY(alloc_roomy(env, opencl, place, bytes));
    out->buffer = *place;
    out->offset = 0;
    return DGM_OK;
}

dgm_status dgm_cl_reserve(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref *out,
                          size_t bytes)
{
    return dgm_cl_reserve_in(env, opencl, &opencl->scratch, out, bytes);
}
