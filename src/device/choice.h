/*
 * choice.h: the device that a user asks for in the words of --devices.
 *
 * "cpu"; "gpu": an OpenCL device that is no processor; "opencl": any OpenCL device, a GPU first;
 * "auto": a GPU, or else the CPU and a note that says why; a number of dgm_device_list, or part of
 * the name of a device or platform.
 */
#ifndef DGM_DEVICE_CHOICE_H
#define DGM_DEVICE_CHOICE_H

#include "base/buf.h"
#include "device/device.h"

/* DGM_USAGE unless the text can mean one device; whether there is such a device shows later. */
dgm_status dgm_device_check_choice(struct dgm_env *env, const char *devices);

/* Opens the device; `devices` NULL is "cpu". DGM_UNSUPPORTED, and why, if it is not there, or has
 * no matrix products in the precision that the options ask for. */
dgm_status dgm_device_open_chosen(struct dgm_env *env, struct dgm_device **out,
                                  const char *devices,
                                  const struct dgm_device_options *options);

/* Appends the OpenCL devices with their numbers and what becomes of them, or why there are none. */
dgm_status dgm_device_list(struct dgm_env *env, struct dgm_buf *out);

#endif
