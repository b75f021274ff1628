/*
 * gemm_tiles.c: chooses the tiles of a product by its shape and by the device's compute units.
 */
#include "device/opencl/gemm/gemm_tiles.h"

#include "device/opencl/core/self_test.h"

enum { LARGE = DGM_LARGE_TILE, SMALL = DGM_SMALL_TILE };

int64_t dgm_cl_tiles_count(const struct dgm_gemm_args *args, int side)
{
    return dgm_cl_divide_up(args->m, side) * dgm_cl_divide_up(args->n, side) * args->batch;
}

int dgm_cl_tiles_fit(struct dgm_env *env, struct dgm_opencl *opencl, int side,
                     enum dgm_cl_kernel_id id)
{
    return dgm_cl_tile_fits(&opencl->traits, &opencl->tuning, side) &&
           dgm_cl_kernel_takes(env, opencl, id, dgm_cl_tile_items(&opencl->tuning, side));
}

/*
 * A tile of side s reads 2 s k reals for s s k multiply-adds: of twice the side, half as much for
 * each. But a product has only m n / (s s) tiles, and compute units without one idle: so large
 * tiles are for products that have enough of them (gpu_large_from: tiles for each hundred compute
 * units). Trials are small products; there the size alone decides, so that both kernels are tried.
 */
int dgm_cl_tiles_side(struct dgm_env *env, struct dgm_opencl *opencl,
                      const struct dgm_gemm_args *args, enum dgm_cl_kernel_id id)
{
    const int64_t enough = (int64_t)opencl->traits.units * DGM_TUNED(opencl, gpu_large_from);
    const int is_on_trial = opencl->trust[DGM_TASK_gemm] == DGM_CL_ON_TRIAL;

    if (args->m > SMALL && args->n > SMALL &&
        (is_on_trial || dgm_cl_tiles_count(args, LARGE) * 100 >= enough) &&
        dgm_cl_tiles_fit(env, opencl, LARGE, id))
        return LARGE;
    return SMALL;
}

dgm_status dgm_cl_tiles_launch(struct dgm_launch *launch, const struct dgm_gemm_args *args,
                               int side)
{
    size_t groups[3], local[3] = { 1, 1, 1 };

    local[0] = dgm_cl_tile_items(&launch->opencl->tuning, side);
    groups[0] = (size_t)dgm_cl_divide_up(args->n, side);
    groups[1] = (size_t)dgm_cl_divide_up(args->m, side);
    groups[2] = (size_t)args->batch;
    return dgm_launch_grid(launch, groups, local);
}
