/*
 * gemm_tiles.h: into how many tiles of which size a product on a GPU is cut.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_TILES_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_TILES_H

#include "device/opencl/core/launch.h"

/* Units to which groups go (gpu_unit_size). */
int64_t dgm_cl_tiles_units(const struct dgm_opencl *opencl);
/* Groups for such tiles that a unit needs at a time, to hide the time of its instructions and of
 * its memory. */
int64_t dgm_cl_tiles_at_once(const struct dgm_opencl *opencl, int side);
/* Tiles of this side that cover the products of the batch: as many groups. */
int64_t dgm_cl_tiles_count(const struct dgm_gemm_args *args, int side);
/* Whether the device has room for such a tile, and its driver for such groups of the kernel. */
int dgm_cl_tiles_fit(struct dgm_env *env, struct dgm_opencl *opencl, int side,
                     enum dgm_cl_kernel_id id);
/* Whether large tiles suit the product, if there is a kernel for them. */
int dgm_cl_tiles_want_large(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args);
/* DGM_LARGE_TILE or DGM_SMALL_TILE, for which there is always a kernel; that of large ones is
 * `id`. */
int dgm_cl_tiles_side(struct dgm_env *env, struct dgm_opencl *opencl,
                      const struct dgm_gemm_args *args, enum dgm_cl_kernel_id id);
/* A group for each tile; the third direction is the batch. */
dgm_status dgm_cl_tiles_launch(struct dgm_launch *launch, const struct dgm_gemm_args *args,
                               int side);

#endif
