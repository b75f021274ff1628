/*
 * choice.h: the devices that a user asks for in the words of --devices.
 *
 * "cpu"; "gpu": an OpenCL device that is no processor; "opencl": any OpenCL device, a GPU first;
 * "auto": a GPU, or else the CPU and a note that says why; a number of dgm_device_list, or part of
 * the name of a device or platform. Several are separated by commas, or, if all are numbers, by
 * blanks: "0,1".
 */
#ifndef DGM_DEVICE_CHOICE_H
#define DGM_DEVICE_CHOICE_H

#include "base/buf.h"
#include "device/device.h"

enum { DGM_MAX_DEVICES = 16 };

struct dgm_devices {
    struct dgm_device *items[DGM_MAX_DEVICES];
    int count;
};

/* DGM_USAGE unless the text can mean a device or a list of them; whether there are such devices
 * shows later. */
dgm_status dgm_device_check_choice(struct dgm_env *env, const char *devices);

/* Opens the device; `devices` NULL is "cpu". Of a list, the first, once the others could be opened,
 * too. DGM_UNSUPPORTED, and which and why, if one is not there, or has no matrix products in the
 * precision that the options ask for. */
dgm_status dgm_device_open_chosen(struct dgm_env *env, struct dgm_device **out, const char *devices,
                                  const struct dgm_device_options *options);

/* All of a list, closed by dgm_devices_close; none if one of them is not there. */
dgm_status dgm_devices_open(struct dgm_env *env, struct dgm_devices *out, const char *devices,
                            const struct dgm_device_options *options);
void dgm_devices_close(struct dgm_env *env, struct dgm_devices *devices);

/* Deals a list out to the `parts` processes of a machine: makes it the entries of process `part`.
 * What has fewer entries than that stays, for all. */
void dgm_device_deal(char *devices, int part, int parts);

/* Whether a text, which dgm_device_check_choice lets pass, names more than one. */
int dgm_device_is_list(const char *devices);

/*
 * Measures what is best on the device, or on each OpenCL device (`devices` NULL), stores it for
 * later runs and appends what came of it. DGM_USAGE for "cpu", which has nothing to choose.
 */
dgm_status dgm_device_tune(struct dgm_env *env, struct dgm_buf *out, const char *devices,
                           const struct dgm_device_options *options, dgm_progress_fn progress,
                           void *user);

/* Appends the OpenCL devices with their numbers and what becomes of them, or why there are none. */
dgm_status dgm_device_list(struct dgm_env *env, struct dgm_buf *out);

#endif
