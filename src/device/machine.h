/* machine.h: what this machine computes with, and why not with more. */
#ifndef DGM_DEVICE_MACHINE_H
#define DGM_DEVICE_MACHINE_H

#include "device/choice.h"

/* Appends the processor, its kernels and all devices. */
dgm_status dgm_machine_describe(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_device_options *options);
/* Tells which tasks a device computes and what it leaves to the CPU, line by line: a trial may
 * compile for minutes. */
dgm_status dgm_machine_explain(struct dgm_env *env, struct dgm_device *device, dgm_write_fn write,
                               void *user);

#endif
