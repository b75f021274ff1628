/*
 * list.h: what OpenCL offers on this machine, in words.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_LIST_H
#define DGM_DEVICE_OPENCL_CORE_LIST_H

#include "base/buf.h"
#include "base/env.h"

/* The `list` of struct dgm_device_ops. */
dgm_status dgm_opencl_list(struct dgm_env *env, struct dgm_buf *out);

#endif
