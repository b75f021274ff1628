/*
 * host_mirror.h: copies of a device's buffers on its host, the CPU, and tasks that run on them there.
 *
 * A buffer is copied whole, the first time that a task names it: only the task itself knows which
 * part of it it touches. The device's own buffers stay as they are until dgm_host_mirror_return.
 */
#ifndef DGM_DEVICE_HOST_MIRROR_H
#define DGM_DEVICE_HOST_MIRROR_H

#include "device/device.h"

struct dgm_host_mirror_of;

struct dgm_host_mirror {
    struct dgm_device *device; /* it has a host */
    struct dgm_host_mirror_of *twins;
    size_t count, capacity;
    void *bytes; /* on the way from one to the other */
    size_t room;
};

void dgm_host_mirror_init(struct dgm_host_mirror *shadow, struct dgm_device *device);
void dgm_host_mirror_clear(struct dgm_env *env, struct dgm_host_mirror *shadow);

/* Runs the task on the host, on the copies. */
dgm_status dgm_host_mirror_run(struct dgm_env *env, struct dgm_host_mirror *shadow,
                               enum dgm_task_kind kind, const void *args);
/* As dgm_device_read, from the copy if there is one. */
dgm_status dgm_host_mirror_read(struct dgm_env *env, struct dgm_host_mirror *shadow, void *to,
                                struct dgm_ref from, size_t bytes);
/* Copies what tasks wrote back to the device. */
dgm_status dgm_host_mirror_return(struct dgm_env *env, struct dgm_host_mirror *shadow);

/*
 * From begin to end, every task that the device is given runs on the copies, and reads see these:
 * whatever a model computes there is computed by the CPU, from the device's data, and leaves no
 * trace on the device. Nothing is written to it or released meanwhile.
 */
void dgm_host_mirror_begin(struct dgm_host_mirror *shadow, struct dgm_device *device);
void dgm_host_mirror_end(struct dgm_env *env, struct dgm_host_mirror *shadow);

#endif
