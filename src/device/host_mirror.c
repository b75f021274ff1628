/*
 * host_mirror.c: brings buffers to the host, runs tasks on the copies there, and takes results
 * back.
 *
 * This file lies below device.c: it calls devices through their table of operations. The host is
 * the CPU, which supports every task and has no host itself.
 */
#include "device/host_mirror.h"

#include <string.h>

#include "base/mem.h"
#include "device/task_shape.h"

enum { PIECE = 4 << 20 }; /* bytes copied at a time */

/* A buffer of the device and its copy on the host. */
struct dgm_host_mirror_of {
    struct dgm_buffer *there, *here;
    int is_output;
};

static void init(struct dgm_host_mirror *mirror, struct dgm_device *device)
{
    memset(mirror, 0, sizeof *mirror);
    mirror->device = device;
}

static void clear(struct dgm_env *env, struct dgm_host_mirror *mirror)
{
    struct dgm_device *host = mirror->device->host;

    for (size_t i = 0; i < mirror->count; i++)
        host->ops->release(env, host, mirror->twins[i].here);
    dgm_release(env, mirror->twins);
    dgm_release(env, mirror->bytes);
    init(mirror, mirror->device);
}

/* ---- copies --------------------------------------------------------------------------------- */

static dgm_status copy(struct dgm_env *env, struct dgm_host_mirror *mirror,
                       struct dgm_device *to_device, struct dgm_buffer *to,
                       struct dgm_device *from_device, struct dgm_buffer *from)
{
    const size_t bytes = from_device->ops->bytes(from);
    struct dgm_ref source = { from, 0 }, goal = { to, 0 };

    DGM_TRY(dgm_reserve(env, &mirror->bytes, &mirror->room, bytes < PIECE ? bytes : PIECE, 1));
    while (source.offset < bytes) {
        const size_t left = bytes - source.offset, piece = left < PIECE ? left : PIECE;

        DGM_TRY(from_device->ops->read(env, from_device, mirror->bytes, source, piece));
        DGM_TRY(to_device->ops->write(env, to_device, goal, mirror->bytes, piece));
        source.offset += piece;
        goal.offset += piece;
    }
    return DGM_OK;
}

static struct dgm_host_mirror_of *find(const struct dgm_host_mirror *mirror,
                                       const struct dgm_buffer *buffer)
{
    for (size_t i = 0; i < mirror->count; i++)
        if (mirror->twins[i].there == buffer)
            return &mirror->twins[i];
    return NULL;
}

static dgm_status make_twin(struct dgm_env *env, struct dgm_host_mirror *mirror,
                            struct dgm_buffer *buffer, struct dgm_host_mirror_of **out)
{
    struct dgm_device *device = mirror->device, *host = device->host;
    struct dgm_host_mirror_of *twin;

    DGM_TRY(dgm_grow(env, &mirror->twins, &mirror->capacity, mirror->count, sizeof *mirror->twins));
    twin = &mirror->twins[mirror->count];
    memset(twin, 0, sizeof *twin);
    DGM_TRY(host->ops->alloc(env, host, &twin->here, device->ops->bytes(buffer)));
    twin->there = buffer;
    mirror->count++;
    *out = twin;
    return copy(env, mirror, host, twin->here, device, buffer);
}

/* Points the operand at the copy of its buffer. */
static dgm_status bring(struct dgm_env *env, struct dgm_host_mirror *mirror,
                        struct dgm_ref *operand, int is_output)
{
    struct dgm_host_mirror_of *twin;

    if (operand->buffer == NULL)
        return DGM_OK;
    twin = find(mirror, operand->buffer);
    if (twin == NULL)
        DGM_TRY(make_twin(env, mirror, operand->buffer, &twin));
    twin->is_output |= is_output;
    operand->buffer = twin->here;
    return DGM_OK;
}

/* Copies what tasks wrote back to the device. */
static dgm_status give_back(struct dgm_env *env, struct dgm_host_mirror *mirror)
{
    struct dgm_device *device = mirror->device;

    for (size_t i = 0; i < mirror->count; i++)
        if (mirror->twins[i].is_output)
            DGM_TRY(copy(env, mirror, device, mirror->twins[i].there, device->host,
                         mirror->twins[i].here));
    return DGM_OK;
}

/* ---- tasks ---------------------------------------------------------------------------------- */

dgm_status dgm_host_mirror_run(struct dgm_env *env, struct dgm_host_mirror *mirror,
                               enum dgm_task_kind kind, const void *args)
{
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    void *moved = dgm_alloc(env, 1, shape->args_bytes);
    struct dgm_device *host = mirror->device->host;
    struct dgm_ref *operands = moved;
    dgm_status status = DGM_OK;

    if (moved == NULL)
        return DGM_MEMORY;
    memcpy(moved, args, shape->args_bytes);
    for (int i = 0; i < shape->outputs + shape->inputs; i++)
        DGM_TRY_OUT(bring(env, mirror, &operands[i], i < shape->outputs));
    status = host->ops->run(env, host, kind, moved);
out:
    dgm_release(env, moved);
    return status;
}

dgm_status dgm_host_mirror_read(struct dgm_env *env, struct dgm_host_mirror *mirror, void *to,
                                struct dgm_ref from, size_t bytes)
{
    const struct dgm_host_mirror_of *twin = find(mirror, from.buffer);
    struct dgm_device *const holder = twin == NULL ? mirror->device : mirror->device->host;

    if (twin != NULL)
        from.buffer = twin->here;
    return holder->ops->read(env, holder, to, from, bytes);
}

void dgm_host_mirror_begin(struct dgm_host_mirror *mirror, struct dgm_device *device)
{
    init(mirror, device);
    device->mirror = mirror;
}

void dgm_host_mirror_end(struct dgm_env *env, struct dgm_host_mirror *mirror)
{
    mirror->device->mirror = NULL;
    clear(env, mirror);
}

/* ---- one task ------------------------------------------------------------------------------- */

/* Once for each kind. */
static void tell(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind)
{
    if (device->told[kind])
        return;
    device->told[kind] = 1;
    dgm_log(env, DGM_LOG_NOTE, "task %s runs on the CPU: the device has no kernel for it",
            dgm_task_shape(kind)->name);
}

dgm_status dgm_host_mirror_fall_back(struct dgm_env *env, struct dgm_device *device,
                                     enum dgm_task_kind kind, const void *args)
{
    struct dgm_host_mirror mirror;
    dgm_status status = DGM_OK;

    if (device->host == NULL)
        return dgm_fail(env, DGM_UNSUPPORTED, "device '%s' does not offer the task '%s'",
                        device->ops->name, dgm_task_shape(kind)->name);
    tell(env, device, kind);
    init(&mirror, device);
    DGM_TRY_OUT(dgm_host_mirror_run(env, &mirror, kind, args));
    status = give_back(env, &mirror);
out:
    clear(env, &mirror);
    return status;
}
