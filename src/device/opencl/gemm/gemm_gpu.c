/*
 * gemm_gpu.c: cuts the matrix product into groups of work-items for opencl/gemm_large.cl,
 * gemm_small.cl and gemm_thin.cl.
 */
#include "device/opencl/gemm/gemm_gpu.h"

#include "device/opencl/gemm/gemm.h"
#include "device/opencl/gemm/gemm_pair.h"
#include "device/opencl/gemm/gemm_tiles.h"

/* By the form of the product. */
static const enum dgm_cl_kernel_id large[] = {
    DGM_KERNEL_gemm_gpu_nn_128,
    DGM_KERNEL_gemm_gpu_nt_128,
    DGM_KERNEL_gemm_gpu_tn_128,
};
static const enum dgm_cl_kernel_id small[] = {
    DGM_KERNEL_gemm_gpu_nn_64,
    DGM_KERNEL_gemm_gpu_nt_64,
    DGM_KERNEL_gemm_gpu_tn_64,
};

/* Sides of a tile; rows and columns of a group for few rows. */
enum { LARGE = DGM_LARGE_TILE, THIN = DGM_THIN_TILE };

/* Products of a batch in one launch: as many as drivers take in the third direction. */
enum { MOST_BATCH = 65535 };

static int is_thin(struct dgm_env *env, struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    return args->m <= DGM_TUNED(opencl, gpu_thin_rows) &&
           dgm_cl_tiles_fit(env, opencl, THIN, DGM_KERNEL_gemm_gpu_thin);
}

static dgm_status run_thin(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_gpu_thin);
    dgm_cl_gemm_parameters(&launch, args);
    dgm_launch_int(&launch, args->form != DGM_TN);
    dgm_launch_int(&launch, args->form == DGM_NT);
    return dgm_cl_tiles_launch(&launch, args, THIN);
}

static dgm_status run_tiles(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args)
{
    struct dgm_launch launch;
    int side;

    if (dgm_cl_pair_serves(env, opencl, args))
        return dgm_cl_pair_gemm(env, opencl, args);
    side = dgm_cl_tiles_side(env, opencl, args, large[args->form]);
    dgm_launch_begin(&launch, env, opencl, (side == LARGE ? large : small)[args->form]);
    dgm_cl_gemm_parameters(&launch, args);
    return dgm_cl_tiles_launch(&launch, args, side);
}

dgm_status dgm_cl_gemm_gpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args, int *served)
{
    const int is_for_few = is_thin(env, opencl, args);
    struct dgm_gemm_args some = *args;

    *served = is_for_few             ? 0
              : args->form == DGM_TN ? DGM_CL_SUMS
              : args->form == DGM_NN ? DGM_CL_MASK
                                     : 0;
    for (int64_t done = 0; done < args->batch; done += some.batch) {
        some.batch = args->batch - done < MOST_BATCH ? args->batch - done : MOST_BATCH;
        some.a = dgm_cl_ref_plus(args->a, done * args->stride_a);
        some.b = dgm_cl_ref_plus(args->b, done * args->stride_b);
        some.c = dgm_cl_ref_plus(args->c, done * args->stride_c);
        DGM_TRY((is_for_few ? run_thin : run_tiles)(env, opencl, &some));
    }
    return DGM_OK;
}

void dgm_cl_gemm_gpu_explain(struct dgm_env *env, struct dgm_opencl *opencl,
                             char words[DGM_CL_REFUSAL_SIZE])
{
    const struct {
        enum dgm_cl_kernel_id id;
        int side;
    } tiles[] = { { large[DGM_NN], LARGE },
                  { large[DGM_NT], LARGE },
                  { large[DGM_TN], LARGE },
                  { DGM_KERNEL_gemm_gpu_pair_128, LARGE },
                  { DGM_KERNEL_gemm_gpu_thin, THIN } };

    words[0] = '\0';
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles && words[0] == '\0'; i++) {
        const size_t items = dgm_cl_tile_items(&opencl->tuning, tiles[i].side);

        if (dgm_cl_tile_fits(&opencl->traits, &opencl->tuning, tiles[i].side) &&
            !dgm_cl_kernel_takes(env, opencl, tiles[i].id, items))
            dgm_cl_kernel_refusal(opencl, tiles[i].id, items, words);
    }
}
