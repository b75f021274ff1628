/*
 * host_mirror.h: tasks of a device that run on its host, the CPU, on copies of its buffers.
 *
 * A buffer is copied whole, the first time that a task names it: only the task itself knows which
 * part of the buffer it touches. That is slow where a buffer holds a whole step, and always right.
 */
#ifndef DGM_DEVICE_HOST_MIRROR_H
#define DGM_DEVICE_HOST_MIRROR_H

#include "device/device.h"

struct dgm_host_mirror_of;

struct dgm_host_mirror {
    struct dgm_device *device; /* it has a host */
    struct dgm_host_mirror_of *twins;
    size_t count, capacity;
    void *bytes; /* room for the bytes that are copied */
    size_t room;
};

/*
 * Runs one task that the device does not support: copies the buffers of its operands to the host,
 * runs the task there, and copies its outputs back. DGM_UNSUPPORTED if the device has no host.
 */
dgm_status dgm_host_mirror_fall_back(struct dgm_env *env, struct dgm_device *device,
                                     enum dgm_task_kind kind, const void *args);

/*
 * From begin to end, every task that the device is given runs on the copies, and reads see them.
 * So the CPU computes whatever a model computes meanwhile, from the device's data, and leaves no
 * trace on the device. Nothing is written to the device or released between the two calls.
 */
void dgm_host_mirror_begin(struct dgm_host_mirror *mirror, struct dgm_device *device);
void dgm_host_mirror_end(struct dgm_env *env, struct dgm_host_mirror *mirror);

/* Between begin and end: what dgm_device_run and dgm_device_read do then. */
dgm_status dgm_host_mirror_run(struct dgm_env *env, struct dgm_host_mirror *mirror,
                               enum dgm_task_kind kind, const void *args);
dgm_status dgm_host_mirror_read(struct dgm_env *env, struct dgm_host_mirror *mirror, void *to,
                                struct dgm_ref from, size_t bytes);

#endif
