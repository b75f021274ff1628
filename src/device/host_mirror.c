/*
 * host_mirror.c: brings buffers to the host, runs tasks on the copies there, and takes results back.
 */
#include "device/host_mirror.h"

#include <string.h>

#include "base/mem.h"

enum { PIECE = 4 << 20 }; /* bytes copied at a time */

/* A buffer of the device and its copy on the host. */
struct dgm_host_mirror_of {
    struct dgm_buffer *there, *here;
    int is_output;
};

void dgm_host_mirror_init(struct dgm_host_mirror *shadow, struct dgm_device *device)
{
    memset(shadow, 0, sizeof *shadow);
    shadow->device = device;
}

void dgm_host_mirror_clear(struct dgm_env *env, struct dgm_host_mirror *shadow)
{
    for (size_t i = 0; i < shadow->count; i++)
        dgm_device_release(env, shadow->device->host, shadow->twins[i].here);
    dgm_release(env, shadow->twins);
    dgm_release(env, shadow->bytes);
    dgm_host_mirror_init(shadow, shadow->device);
}

/* ---- copies --------------------------------------------------------------------------------- */

static dgm_status ensure_room(struct dgm_env *env, struct dgm_host_mirror *shadow, size_t bytes)
{
    void *grown;

    if (bytes <= shadow->room)
        return DGM_OK;
    grown = dgm_resize(env, shadow->bytes, bytes, 1);
    if (grown == NULL)
        return DGM_MEMORY;
    shadow->bytes = grown;
    shadow->room = bytes;
    return DGM_OK;
}

static dgm_status copy(struct dgm_env *env, struct dgm_host_mirror *shadow,
                       struct dgm_device *to_device, struct dgm_buffer *to,
                       struct dgm_device *from_device, struct dgm_buffer *from)
{
    const size_t bytes = from_device->ops->bytes(from);
    struct dgm_ref source = { from, 0 }, goal = { to, 0 };

    DGM_TRY(ensure_room(env, shadow, bytes < PIECE ? bytes : PIECE));
    while (source.offset < bytes) {
        const size_t left = bytes - source.offset, piece = left < PIECE ? left : PIECE;

        DGM_TRY(from_device->ops->read(env, from_device, shadow->bytes, source, piece));
        DGM_TRY(to_device->ops->write(env, to_device, goal, shadow->bytes, piece));
        source.offset += piece;
        goal.offset += piece;
    }
    return DGM_OK;
}

static struct dgm_host_mirror_of *find(const struct dgm_host_mirror *shadow,
                                       const struct dgm_buffer *buffer)
{
    for (size_t i = 0; i < shadow->count; i++)
        if (shadow->twins[i].there == buffer)
            return &shadow->twins[i];
    return NULL;
}

static dgm_status make_twin(struct dgm_env *env, struct dgm_host_mirror *shadow,
                            struct dgm_buffer *buffer, struct dgm_host_mirror_of **out)
{
    struct dgm_device *device = shadow->device;
    struct dgm_host_mirror_of *twin;

    DGM_TRY(dgm_grow(env, &shadow->twins, &shadow->capacity, shadow->count, sizeof *shadow->twins));
    twin = &shadow->twins[shadow->count];
    memset(twin, 0, sizeof *twin);
    DGM_TRY(dgm_device_alloc(env, device->host, &twin->here, device->ops->bytes(buffer)));
    twin->there = buffer;
    shadow->count++;
    *out = twin;
    return copy(env, shadow, device->host, twin->here, device, buffer);
}

/* Points the operand at the copy of its buffer. */
static dgm_status bring(struct dgm_env *env, struct dgm_host_mirror *shadow,
                        struct dgm_ref *operand, int is_output)
{
    struct dgm_host_mirror_of *twin;

    if (operand->buffer == NULL)
        return DGM_OK;
    twin = find(shadow, operand->buffer);
    if (twin == NULL)
        DGM_TRY(make_twin(env, shadow, operand->buffer, &twin));
    twin->is_output |= is_output;
    operand->buffer = twin->here;
    return DGM_OK;
}

dgm_status dgm_host_mirror_return(struct dgm_env *env, struct dgm_host_mirror *shadow)
{
    struct dgm_device *device = shadow->device;

    for (size_t i = 0; i < shadow->count; i++)
        if (shadow->twins[i].is_output)
            DGM_TRY(copy(env, shadow, device, shadow->twins[i].there, device->host,
                         shadow->twins[i].here));
    return DGM_OK;
}

/* ---- tasks ---------------------------------------------------------------------------------- */

dgm_status dgm_host_mirror_run(struct dgm_env *env, struct dgm_host_mirror *shadow,
                               enum dgm_task_kind kind, const void *args)
{
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    void *moved = dgm_alloc(env, 1, shape->args_bytes);
    struct dgm_ref *operands = moved;
    dgm_status status = DGM_OK;

    if (moved == NULL)
        return DGM_MEMORY;
    memcpy(moved, args, shape->args_bytes);
    for (int i = 0; i < shape->outputs + shape->inputs; i++)
        DGM_TRY_OUT(bring(env, shadow, &operands[i], i < shape->outputs));
    status = dgm_device_run(env, shadow->device->host, kind, moved);
out:
    dgm_release(env, moved);
    return status;
}

dgm_status dgm_host_mirror_read(struct dgm_env *env, struct dgm_host_mirror *shadow, void *to,
                                struct dgm_ref from, size_t bytes)
{
    const struct dgm_host_mirror_of *twin = find(shadow, from.buffer);

    if (twin == NULL)
        return shadow->device->ops->read(env, shadow->device, to, from, bytes);
    from.buffer = twin->here;
    return dgm_device_read(env, shadow->device->host, to, from, bytes);
}

void dgm_host_mirror_begin(struct dgm_host_mirror *shadow, struct dgm_device *device)
{
    dgm_host_mirror_init(shadow, device);
    device->shadow = shadow;
}

void dgm_host_mirror_end(struct dgm_env *env, struct dgm_host_mirror *shadow)
{
    shadow->device->shadow = NULL;
    dgm_host_mirror_clear(env, shadow);
}
