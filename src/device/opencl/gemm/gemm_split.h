/*
 * gemm_split.h: products of few tiles and long sums, as in backward passes (gradients of weights,
 * and of what a large vocabulary's logits are made of): groups of their own compute each block of
 * the sum, and a second kernel adds the blocks in their order.
 *
 * An element is the same sum in the same order as without: the bits are the same.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_SPLIT_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_SPLIT_H

#include "device/opencl/core/launch.h"

/* Whether the product's sums are split on this device: by its shape, if the driver takes the
 * kernels. */
int dgm_cl_gemm_splits(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args);
/* Such a product, with its `sums` and `mask`. */
dgm_status dgm_cl_gemm_split(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gemm_args *args);

#endif
