/*
 * fallback.c: moves the operands of a task to the CPU and its results back.
 *
 * Whole buffers are copied, since only the task itself knows which part of each it touches. That is
 * slow where a buffer holds a whole step, and right always.
 */
#include "device/fallback.h"

#include <string.h>

#include "base/mem.h"

enum { MOST_OPERANDS = 64 };

/* A buffer of the device and its copy on the host. */
struct twin {
    struct dgm_buffer *there, *here;
    int is_output;
};

struct move {
    struct dgm_device *device, *host;
    struct twin twins[MOST_OPERANDS];
    int count;
    void *bytes; /* on the way from one to the other */
    size_t room;
};

static dgm_status ensure_room(struct dgm_env *env, struct move *move, size_t bytes)
{
    void *grown;

    if (bytes <= move->room)
        return DGM_OK;
    grown = dgm_resize(env, move->bytes, bytes, 1);
    if (grown == NULL)
        return DGM_MEMORY;
    move->bytes = grown;
    move->room = bytes;
    return DGM_OK;
}

static dgm_status copy(struct dgm_env *env, struct move *move, struct dgm_device *to_device,
                       struct dgm_buffer *to, struct dgm_device *from_device,
                       struct dgm_buffer *from)
{
    const size_t bytes = from_device->ops->bytes(from);
    const struct dgm_ref source = { from, 0 }, goal = { to, 0 };

    DGM_TRY(ensure_room(env, move, bytes));
    DGM_TRY(dgm_device_read(env, from_device, move->bytes, source, bytes));
    return dgm_device_write(env, to_device, goal, move->bytes, bytes);
}

/* Brings the buffer of an operand, once, and points the operand at the copy. */
static dgm_status bring(struct dgm_env *env, struct move *move, struct dgm_ref *operand,
                        int is_output)
{
    struct twin *twin = move->twins;

    if (operand->buffer == NULL)
        return DGM_OK;
    while (twin < move->twins + move->count && twin->there != operand->buffer)
        twin++;
    if (twin == move->twins + move->count) {
        twin->there = operand->buffer;
        DGM_TRY(dgm_device_alloc(env, move->host, &twin->here,
                                 move->device->ops->bytes(twin->there)));
        move->count++;
        DGM_TRY(copy(env, move, move->host, twin->here, move->device, twin->there));
    }
    twin->is_output |= is_output;
    operand->buffer = twin->here;
    return DGM_OK;
}

static dgm_status bring_back(struct dgm_env *env, struct move *move)
{
    for (int i = 0; i < move->count; i++)
        if (move->twins[i].is_output)
            DGM_TRY(copy(env, move, move->device, move->twins[i].there, move->host,
                         move->twins[i].here));
    return DGM_OK;
}

/* Once for each kind: it is right, and slow. */
static void tell(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind)
{
    if (device->told[kind])
        return;
    device->told[kind] = 1;
    dgm_log(env, DGM_LOG_NOTE, "task %s runs on the CPU: the device has no kernel for it",
            dgm_task_shape(kind)->name);
}

dgm_status dgm_fallback_run(struct dgm_env *env, struct dgm_device *device,
                            enum dgm_task_kind kind, const void *args)
{
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    dgm_status status = DGM_OK;
    struct move move;
    void *moved;
    struct dgm_ref *operands;

    if (device->host == NULL)
        return dgm_fail(env, DGM_UNSUPPORTED, "device '%s' does not offer the task '%s'",
                        device->ops->name, shape->name);
    tell(env, device, kind);
    memset(&move, 0, sizeof move);
    move.device = device;
    move.host = device->host;
    moved = dgm_alloc(env, 1, shape->args_bytes);
    if (moved == NULL)
        return DGM_MEMORY;
    memcpy(moved, args, shape->args_bytes);
    operands = moved;
    for (int i = 0; i < shape->outputs + shape->inputs; i++)
        DGM_TRY_OUT(bring(env, &move, &operands[i], i < shape->outputs));
    DGM_TRY_OUT(dgm_device_run(env, move.host, kind, moved));
    status = bring_back(env, &move);
out:
    for (int i = 0; i < move.count; i++)
        dgm_device_release(env, move.host, move.twins[i].here);
    dgm_release(env, move.bytes);
    dgm_release(env, moved);
    return status;
}
