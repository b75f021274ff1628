/*
 * tune.h: `dragoman devices --tune`: the search for better parameters of the matrix product.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_TUNE_TUNE_H
#define DGM_DEVICE_OPENCL_GEMM_TUNE_TUNE_H

#include "base/buf.h"
#include "device/device.h"

/* The `tune` of struct dgm_device_ops. */
dgm_status dgm_opencl_tune(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_device_options *options, dgm_progress_fn progress,
                           void *user);

#endif
