/*
 * fallback.c: moves the operands of a task to the CPU and its results back.
 *
 * Whole buffers are copied (host_mirror.h). That is slow where a buffer holds a whole step, and right
 * always.
 */
#include "device/fallback.h"

#include "device/host_mirror.h"

/* Once for each kind: it is right, and slow. */
static void tell(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind)
{
    if (device->told[kind])
        return;
    device->told[kind] = 1;
    dgm_log(env, DGM_LOG_NOTE, "task %s runs on the CPU: the device has no kernel for it",
            dgm_task_shape(kind)->name);
}

dgm_status dgm_fallback_run(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                            const void *args)
{
    struct dgm_host_mirror shadow;
    dgm_status status;

    if (device->host == NULL)
        return dgm_fail(env, DGM_UNSUPPORTED, "device '%s' does not offer the task '%s'",
                        device->ops->name, dgm_task_shape(kind)->name);
    tell(env, device, kind);
    dgm_host_mirror_init(&shadow, device);
    status = dgm_host_mirror_run(env, &shadow, kind, args);
    if (status == DGM_OK)
        status = dgm_host_mirror_return(env, &shadow);
    dgm_host_mirror_clear(env, &shadow);
    return status;
}
