/*
 * gemm_split.c: splits the sums of a product into their blocks for opencl/gemm_tiles.clh, and has
 * opencl/gemm_add.cl add them up.
 */
#include "device/opencl/gemm/gemm_split.h"

#include "device/opencl/core/self_test.h"
#include "device/opencl/gemm/gemm.h"
#include "device/opencl/gemm/gemm_tiles.h"
#include "kernel/gemm.h"

/* By the form of the product. NT, forward passes, has sums as long as a layer is wide. */
static const enum dgm_cl_kernel_id large[] = {
    [DGM_NN] = DGM_KERNEL_gemm_gpu_blocks_nn_128,
    [DGM_TN] = DGM_KERNEL_gemm_gpu_blocks_tn_128,
};
static const enum dgm_cl_kernel_id small[] = {
    [DGM_NN] = DGM_KERNEL_gemm_gpu_blocks_nn_64,
    [DGM_TN] = DGM_KERNEL_gemm_gpu_blocks_tn_64,
};

/* Steps of a block: what defines a result, so parts of a sum must be whole blocks. */
enum { STEPS = DGM_GEMM_K };

/*
 * Fewer blocks gain less than what they cost: another launch, and 8 bytes of memory written and
 * read for the 512 operations of an element's block, where a GPU has time for 80 to 200.
 */
enum { LEAST_BLOCKS = 4 };

/* Blocks in a launch: as many groups as drivers take in the third direction. */
enum { MOST_BLOCKS = 65535 };

/* Work-items of a group that adds up blocks. */
enum { ADDERS = 64 };

static int64_t blocks_of(const struct dgm_gemm_args *args)
{
    return dgm_cl_divide_up(args->k, STEPS);
}

/* Reals between the rows of a block: whole fours, which kernels write at once. */
static int64_t width_of(const struct dgm_gemm_args *args)
{
    return dgm_cl_divide_up(args->n, 4) * 4;
}

/* Of one block of all elements. */
static int64_t block_bytes(const struct dgm_gemm_args *args)
{
    return args->m * width_of(args) * (int64_t)sizeof(dgm_real);
}

/* Bytes for the blocks of a round (gpu_split_mega), but for their sums of lines. */
static int64_t most_bytes(const struct dgm_opencl *opencl)
{
    return (int64_t)DGM_TUNED(opencl, gpu_split_mega) << 20;
}

/* Blocks in a round: all, or as many in each as memory and a launch allow. */
static int64_t blocks_at_once(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    const int64_t fitting = most_bytes(opencl) / block_bytes(args);
    const int64_t most = fitting < MOST_BLOCKS ? fitting : MOST_BLOCKS;
    const int64_t rounds = dgm_cl_divide_up(blocks_of(args), most);

    return dgm_cl_divide_up(blocks_of(args), rounds);
}

/*
 * A unit needs some 256 work-items to hide the time of its instructions and of its memory: four
 * small tiles, or a large one. Below two (gpu_split_below: small tiles for each hundred units) less
 * than half of its speed is used, which costs more than blocks in memory do. A unit of AMD's needs
 * twice as many. In a trial the sum's length decides, so that both ways are tried (trial_gemm.c).
 */
static int wants_split(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    const int64_t few = dgm_cl_tiles_units(opencl) * DGM_TUNED(opencl, gpu_split_below);

    if (args->form == DGM_NT || args->batch > 1 || few == 0 ||
        block_bytes(args) * LEAST_BLOCKS > most_bytes(opencl))
        return 0;
    if (opencl->trust[DGM_TASK_gemm] == DGM_CL_ON_TRIAL)
        return blocks_of(args) >= 2 && args->k % 2 == 0;
    return blocks_of(args) >= LEAST_BLOCKS && dgm_cl_tiles_count(args, DGM_SMALL_TILE) * 100 < few;
}

int dgm_cl_gemm_splits(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args)
{
    return wants_split(opencl, args) &&
           dgm_cl_tiles_fit(env, opencl, DGM_SMALL_TILE, small[args->form]) &&
           dgm_cl_kernel_takes(env, opencl, DGM_KERNEL_gemm_add, ADDERS);
}

/* Where the blocks of a round lie: parts (blocks,m,width), lines (blocks,m). */
struct room {
    struct dgm_ref parts, lines;
};

static dgm_status reserve(struct dgm_env *env, struct dgm_opencl *opencl,
                          const struct dgm_gemm_args *args, struct room *room)
{
    const int64_t reals = blocks_at_once(opencl, args) * args->m;
    const size_t size = sizeof(dgm_real);

    DGM_TRY(
        dgm_cl_reserve(env, opencl, &room->parts, (size_t)(reals * (width_of(args) + 1)) * size));
    room->lines = dgm_cl_ref_plus(room->parts, reals * width_of(args));
    return DGM_OK;
}

static dgm_status make_blocks(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gemm_args *args, const struct room *room)
{
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_gemm_args groups = *args;
    struct dgm_launch launch;
    int side;

    groups.batch = blocks_of(args);
    side = dgm_cl_tiles_side(env, opencl, &groups, large[args->form]);
    dgm_launch_begin(&launch, env, opencl, (side == DGM_LARGE_TILE ? large : small)[args->form]);
    dgm_launch_ref(&launch, room->parts);
    dgm_launch_ref(&launch, args->sums.buffer != NULL ? room->lines : none);
    dgm_launch_ref(&launch, args->a);
    dgm_launch_ref(&launch, args->b);
    dgm_launch_int(&launch, args->m);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->k);
    dgm_launch_long(&launch, args->lda);
    dgm_launch_long(&launch, args->ldb);
    dgm_launch_int(&launch, dgm_cl_gemm_aligned(args, args->a, args->lda, args->stride_a) +
                                2 * dgm_cl_gemm_aligned(args, args->b, args->ldb, args->stride_b));
    return dgm_cl_tiles_launch(&launch, &groups, side);
}

static dgm_status add_blocks(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gemm_args *args, const struct room *room)
{
    const int64_t items = args->m * (width_of(args) / 4 + (args->sums.buffer != NULL ? 1 : 0));
    const size_t local[3] = { ADDERS, 1, 1 };
    size_t groups[3] = { 0, 1, 1 };
    struct dgm_launch launch;

    groups[0] = (size_t)dgm_cl_divide_up(items, ADDERS);
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_add);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_ref(&launch, args->sums);
    dgm_launch_ref(&launch, room->parts);
    dgm_launch_ref(&launch, room->lines);
    dgm_launch_ref(&launch, args->bias);
    dgm_launch_ref(&launch, args->mask);
    dgm_launch_int(&launch, args->m);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, blocks_of(args));
    dgm_launch_long(&launch, args->ldc);
    dgm_launch_real(&launch, args->alpha);
    dgm_launch_real(&launch, args->beta);
    dgm_launch_int(&launch, args->relu);
    dgm_launch_int(&launch, dgm_cl_gemm_aligned(args, args->c, args->ldc, args->stride_c));
    return dgm_launch_grid(&launch, groups, local);
}

/* The part of the product whose sums begin at step t: only the first one scales c by beta, only the
 * last one adds the bias and applies relu and mask. */
static struct dgm_gemm_args round_at(const struct dgm_gemm_args *whole, int64_t t, int64_t steps)
{
    const int is_last = t + steps >= whole->k;
    struct dgm_gemm_args args = *whole;

    args.a = dgm_cl_ref_plus(whole->a, whole->form == DGM_TN ? t * whole->lda : t);
    args.b = dgm_cl_ref_plus(whole->b, t * whole->ldb);
    args.k = is_last ? whole->k - t : steps;
    args.beta = t == 0 ? whole->beta : 1;
    args.relu = is_last && whole->relu;
    if (!is_last)
        args.bias.buffer = args.mask.buffer = NULL;
    return args;
}

dgm_status dgm_cl_gemm_split(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gemm_args *args)
{
    const int64_t steps = blocks_at_once(opencl, args) * STEPS;
    struct room room;

    DGM_TRY(reserve(env, opencl, args, &room));
    for (int64_t t = 0; t < args->k; t += steps) {
        const struct dgm_gemm_args some = round_at(args, t, steps);

        DGM_TRY(make_blocks(env, opencl, &some, &room));
        DGM_TRY(add_blocks(env, opencl, &some, &room));
    }
    return DGM_OK;
}
