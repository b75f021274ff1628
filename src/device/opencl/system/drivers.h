/*
 * drivers.h: drivers of OpenCL that are announced on this machine and cannot be opened. Loaders
 * pass them over without a word.
 */
#ifndef DGM_DEVICE_OPENCL_SYSTEM_DRIVERS_H
#define DGM_DEVICE_OPENCL_SYSTEM_DRIVERS_H

#include "base/buf.h"
#include "base/env.h"

/* Adds a line for each, in the order of their files' names: `before`, the file, and the system's
 * reason. Nothing is added where all of them open, or none is announced. */
dgm_status dgm_cl_add_dead_drivers(struct dgm_env *env, struct dgm_buf *out, const char *before);

#endif
