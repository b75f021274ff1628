/*
 * fallback.h: a task that a device does not support, run on its host, the CPU.
 */
#ifndef DGM_DEVICE_FALLBACK_H
#define DGM_DEVICE_FALLBACK_H

#include "device/device.h"

/*
 * Copies the buffers of all operands to the host, runs the task there, and copies those of its
 * outputs back. DGM_UNSUPPORTED if the device has no host.
 */
dgm_status dgm_fallback_run(struct dgm_env *env, struct dgm_device *device, enum dgm_task_kind kind,
                            const void *args);

#endif
