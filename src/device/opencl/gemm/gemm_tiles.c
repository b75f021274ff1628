/*
 * gemm_tiles.c: chooses the tiles of a product by its shape and by the device's compute units.
 */
#include "device/opencl/gemm/gemm_tiles.h"

enum { LARGE = DGM_LARGE_TILE, SMALL = DGM_SMALL_TILE };

int64_t dgm_cl_tiles_units(const struct dgm_opencl *opencl)
{
    const int64_t units = opencl->traits.units / DGM_TUNED(opencl, gpu_unit_size);

    return units > 0 ? units : 1;
}

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

/* The small tiles of gpu_split_below, for each hundred units, are half of what a unit needs: 256
 * work-items on most GPUs, as in a large tile or four small ones, 512 on AMD's. */
int64_t dgm_cl_tiles_at_once(const struct dgm_opencl *opencl, int side)
{
    const int64_t items = (int64_t)DGM_TUNED(opencl, gpu_split_below) * 2 * SMALL / 100;
    const int64_t groups = items / (int64_t)dgm_cl_tile_items(&opencl->tuning, side);

    return groups > 0 ? groups : 1;
}

/*
 * The share of the device that is busy: groups go to units in rounds, and the last round may be
 * short. Of 104 units, 124 groups keep 60 %: the second round has 20. A unit with fewer groups than
 * it needs waits for itself.
 */
static double busy_share(const struct dgm_opencl *opencl, int64_t groups, int side)
{
    const int64_t units = dgm_cl_tiles_units(opencl), rounds = dgm_cl_divide_up(groups, units);
    const int64_t at_once = dgm_cl_tiles_at_once(opencl, side);
    const double even = (double)groups / (double)(rounds * units);

    return rounds < at_once ? even * (double)rounds / (double)at_once : even;
}

/* How much faster a unit computes large tiles than small ones, where it has enough of both. */
static const double large_gain = 1.15;

/*
 * A tile of side s reads 2 s k reals for s s k multiply-adds: of twice the side, half as much for
 * each. But a product has only m n / (s s) tiles, and units without one idle: so large tiles are
 * for products that have enough of them (gpu_large_from) and share them out about as evenly as they
 * would small ones. Trials are small products; there the size alone decides, so that both kernels
 * are tried.
 */
int dgm_cl_tiles_want_large(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    const int64_t units = dgm_cl_tiles_units(opencl);
    const int64_t large = dgm_cl_tiles_count(args, LARGE), small = dgm_cl_tiles_count(args, SMALL);

    if (args->m <= SMALL || args->n <= SMALL)
        return 0;
    if (opencl->on_trial[DGM_TASK_gemm])
        return 1;
    return large * 100 >= units * DGM_TUNED(opencl, gpu_large_from) &&
           large_gain * busy_share(opencl, large, LARGE) >= busy_share(opencl, small, SMALL);
}

int dgm_cl_tiles_side(struct dgm_env *env, struct dgm_opencl *opencl,
                      const struct dgm_gemm_args *args, enum dgm_cl_kernel_id id)
{
    return dgm_cl_tiles_want_large(opencl, args) && dgm_cl_tiles_fit(env, opencl, LARGE, id)
               ? LARGE
               : SMALL;
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
