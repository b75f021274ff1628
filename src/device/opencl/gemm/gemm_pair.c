/*
 * gemm_pair.c: cuts two products of a backward pass for one launch of opencl/gemm_pair.clh, and
 * keeps in mind what the next launch is to add up.
 */
#include "device/opencl/gemm/gemm_pair.h"

#include "device/opencl/core/memory.h"
#include "device/opencl/core/stretch.h"
#include "device/opencl/gemm/gemm.h"
#include "device/opencl/gemm/gemm_tensor.h"
#include "device/opencl/gemm/gemm_tiles.h"
#include "device/opencl/gemm/schedule.h"
#include "device/task_shape.h"
#include "kernel/gemm.h"

enum { LARGE = DGM_LARGE_TILE, SMALL = DGM_SMALL_TILE };

/* Fewer blocks gain less than what they cost: 8 bytes of memory written and read for the 512
 * operations of an element's block, where a GPU has time for 80 to 200. Those of narrow numbers are
 * packed together, which is worth it always. */
enum { LEAST_BLOCKS = 4 };

/* Reals of all packed operands of a launch of two products: what those of 20 million logits need,
 * and some more (46 million for a width of 512). */
enum { MOST_PACKED = 48 << 20 };

static int is_narrow(const struct dgm_opencl *opencl)
{
    return dgm_cl_tensor_serves(opencl);
}

static enum dgm_cl_kernel_id kernel_of(int side)
{
    return side == LARGE ? DGM_KERNEL_gemm_gpu_pair_128 : DGM_KERNEL_gemm_gpu_pair_64;
}

static int fits(struct dgm_env *env, struct dgm_opencl *opencl, int side)
{
    return is_narrow(opencl) ? dgm_cl_tensor_fits(env, opencl, side)
                             : dgm_cl_tiles_fit(env, opencl, side, kernel_of(side));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Steps of a block: what defines a result, so chunks of a sum must be whole blocks. */
static int64_t steps_of(const struct dgm_opencl *opencl)
{
    return is_narrow(opencl) ? DGM_NARROW_STEPS : DGM_GEMM_K;
}

static int64_t blocks_of(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    return dgm_cl_divide_up(args->k, steps_of(opencl));
}

/* Reals between the rows of a block: whole fours, which kernels write at once. */
static int64_t width_of(int64_t n)
{
    return dgm_cl_divide_up(n, 4) * 4;
}

/* Bytes of `blocks` blocks, with the sums of their lines. */
static int64_t parts_bytes(const struct dgm_gemm_args *args, int64_t blocks)
{
    return blocks * args->m * (width_of(args->n) + 1) * (int64_t)sizeof(dgm_real);
}

/* Blocks that are not in the first chunk. */
static int64_t stored_blocks(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args,
                             int64_t chunk)
{
    return chunk < blocks_of(opencl, args) ? blocks_of(opencl, args) - chunk : 0;
}

static int fits_memory(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args,
                       int64_t chunk)
{
    return parts_bytes(args, stored_blocks(opencl, args, chunk)) <=
           (int64_t)DGM_TUNED(opencl, gpu_split_mega) << 20;
}

/* ---- how long a launch takes ----------------------------------------------------------------- */

/* How a launch is cut: into tiles of which side, and a first chunk of how many blocks. */
struct cut {
    int side;
    int64_t chunk;
};

/* The sum of no step (k = 0) takes as long as a block. */
static int64_t length_of(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    return args->k > 0 ? args->k : steps_of(opencl);
}

/* The longer groups go first, but the blocks behind a first chunk always last: they are what fills
 * the places that are left. */
static int is_split_first(const struct dgm_opencl *opencl, const struct dgm_gemm_args *whole,
                          int64_t chunk)
{
    return whole == NULL || chunk * steps_of(opencl) >= whole->k;
}

/* Steps that a unit computes one after the other, or as long. Either product may be absent. */
static int64_t time_of(const struct dgm_opencl *opencl, const struct dgm_gemm_args *whole,
                       const struct dgm_gemm_args *split, struct cut cut)
{
    const int64_t at_once = dgm_cl_tiles_at_once(opencl, cut.side);
    const int64_t places = dgm_cl_tiles_units(opencl) * at_once, steps = steps_of(opencl);
    struct dgm_cl_load loads[DGM_CL_MOST_LOADS] = { { 0, 0 } }, *of_whole = &loads[0];

    if (split != NULL) {
        const int64_t tiles = dgm_cl_tiles_count(split, cut.side), k = length_of(opencl, split);
        const int64_t stored = stored_blocks(opencl, split, cut.chunk);
        struct dgm_cl_load *first = &loads[!is_split_first(opencl, whole, cut.chunk)];

        of_whole = &loads[first == &loads[0]];
        first->groups = tiles;
        first->length = stored > 0 ? cut.chunk * steps : k;
        /* Behind the first chunk each block is a group; the last one may have fewer steps. */
        loads[2].groups = stored > 0 ? tiles * (stored - 1) : 0;
        loads[2].length = steps;
        loads[3].groups = stored > 0 ? tiles : 0;
        loads[3].length = k - (blocks_of(opencl, split) - 1) * steps;
    }
    if (whole != NULL) {
        of_whole->groups = dgm_cl_tiles_count(whole, cut.side);
        of_whole->length = length_of(opencl, whole);
    }
    return at_once * dgm_cl_schedule_end(loads, DGM_CL_MOST_LOADS, places);
}

/* A further block costs memory: it must gain more than this share of the time. */
enum { LEAST_GAIN = 32 };

/* The largest first chunk that is about as fast as any. */
static int64_t choose_chunk(const struct dgm_opencl *opencl, const struct dgm_gemm_args *whole,
                            const struct dgm_gemm_args *split, int side)
{
    const int64_t blocks = blocks_of(opencl, split);
    int64_t least = INT64_MAX, best = blocks;

    if (opencl->on_trial[DGM_TASK_gemm])
        return 1;
    for (int64_t chunk = blocks; chunk >= 1 && fits_memory(opencl, split, chunk); chunk--) {
        const struct cut cut = { side, chunk };
        const int64_t time = time_of(opencl, whole, split, cut);

        if (time + time / LEAST_GAIN >= least)
            continue;
        least = time;
        best = chunk;
    }
    return best;
}

/* How much longer a unit takes for a large tile than for a small one: less than four times. */
static const double large_cost = 3.5;

static struct cut choose_cut(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_gemm_args *whole, const struct dgm_gemm_args *split)
{
    const struct dgm_gemm_args *const first = split != NULL ? split : whole;
    struct cut small = { SMALL, 1 }, large = { LARGE, 1 };

    if (split != NULL) {
        small.chunk = choose_chunk(opencl, whole, split, SMALL);
        large.chunk = choose_chunk(opencl, whole, split, LARGE);
    }
    if (!fits(env, opencl, LARGE) || DGM_TUNED(opencl, gpu_large_from) >= DGM_NEVER_LARGE)
        return small;
    if (opencl->on_trial[DGM_TASK_gemm])
        return first->m > SMALL && first->n > SMALL ? large : small;
    return large_cost * (double)time_of(opencl, whole, split, large) <=
                   (double)time_of(opencl, whole, split, small)
               ? large
               : small;
}

/* ---- what waits ------------------------------------------------------------------------------ */

static void keep_rest(struct dgm_opencl *opencl, const struct dgm_gemm_args *args,
                      struct dgm_ref parts, int64_t blocks)
{
    const struct dgm_cl_gemm_rest rest = { .is_there = 1,
                                           .c = args->c,
                                           .parts = parts,
                                           .m = args->m,
                                           .n = args->n,
                                           .ldc = args->ldc,
                                           .blocks = blocks,
                                           .alpha = args->alpha };

    opencl->gemm_rest = rest;
    if (!is_narrow(opencl))
        opencl->gemm_rest.sums = args->sums;
    opencl->gemm_turn = !opencl->gemm_turn;
}

/* What waits, for a launch that adds it up. Buffers that were used before may be released by now:
 * where nothing waits, none is named. */
static struct dgm_cl_gemm_rest take_rest(struct dgm_opencl *opencl)
{
    static const struct dgm_cl_gemm_rest none = { .is_there = 0 };
    const struct dgm_cl_gemm_rest rest = opencl->gemm_rest;

    opencl->gemm_rest = none;
    return rest.is_there ? rest : none;
}

static struct dgm_cl_stretch matrix(struct dgm_ref at, int64_t rows, int64_t columns, int64_t ld)
{
    return dgm_cl_stretch_of(at, rows > 0 && columns > 0 ? (rows - 1) * ld + columns : 0);
}

static struct dgm_cl_stretch result_of(const struct dgm_gemm_args *args)
{
    return matrix(args->c, args->m, args->n, args->ldc);
}

/* Whether the product, of a batch of one, reads or writes any of the stretch. */
static int touches(const struct dgm_gemm_args *args, struct dgm_cl_stretch stretch)
{
    const int a_is_turned = args->form == DGM_TN, b_is_turned = args->form == DGM_NT;
    struct dgm_cl_stretch stretches[6];

    stretches[0] = result_of(args);
    stretches[1] = matrix(args->a, a_is_turned ? args->k : args->m, a_is_turned ? args->m : args->k,
                          args->lda);
    stretches[2] = matrix(args->b, b_is_turned ? args->n : args->k, b_is_turned ? args->k : args->n,
                          args->ldb);
    stretches[3] = matrix(args->mask, args->m, args->n, args->ldc);
    stretches[4] = dgm_cl_stretch_of(args->sums, args->m);
    stretches[5] = dgm_cl_stretch_of(args->bias, args->n);
    for (size_t i = 0; i < sizeof stretches / sizeof *stretches; i++)
        if (dgm_cl_stretches_overlap(stretches[i], stretch))
            return 1;
    return 0;
}

static int rest_overlaps(const struct dgm_cl_gemm_rest *rest, struct dgm_cl_stretch stretch)
{
    return dgm_cl_stretches_overlap(matrix(rest->c, rest->m, rest->n, rest->ldc), stretch) ||
           dgm_cl_stretches_overlap(dgm_cl_stretch_of(rest->sums, rest->m), stretch);
}

static int is_beside(const struct dgm_cl_gemm_rest *rest, struct dgm_ref ref)
{
    return ref.buffer != NULL && (ref.buffer == rest->c.buffer || ref.buffer == rest->sums.buffer);
}

static int product_concerns(const struct dgm_cl_gemm_rest *rest, const struct dgm_gemm_args *args)
{
    if (args->batch != 1)
        return is_beside(rest, args->a) || is_beside(rest, args->b) || is_beside(rest, args->c) ||
               is_beside(rest, args->bias);
    return touches(args, matrix(rest->c, rest->m, rest->n, rest->ldc)) ||
           touches(args, dgm_cl_stretch_of(rest->sums, rest->m));
}

/* The place of a norm's dgain among its operands, with dbias behind it; -1 for other tasks. */
static int place_of_gains(enum dgm_task_kind kind)
{
    return kind == DGM_TASK_norm_backward ? 1 : kind == DGM_TASK_residual_norm_backward ? 2 : -1;
}

static int dim_of(enum dgm_task_kind kind, const void *args)
{
    const struct dgm_residual_norm_backward_args *both = args;
    const struct dgm_norm_backward_args *norm = args;

    return kind == DGM_TASK_norm_backward ? norm->dim : both->dim;
}

/* Gradients of norms lie in one buffer with those of weights; of other operands it is not known how
 * far they reach. */
int dgm_cl_pair_concerns(const struct dgm_opencl *opencl, enum dgm_task_kind kind, const void *args)
{
    const struct dgm_cl_gemm_rest *rest = &opencl->gemm_rest;
    const struct dgm_task_shape *shape = dgm_task_shape(kind);
    const struct dgm_ref *operands = args;
    const int gains = place_of_gains(kind);

    if (!rest->is_there)
        return 0;
    if (kind == DGM_TASK_gemm)
        return product_concerns(rest, args);
    for (int i = 0; i < shape->outputs + shape->inputs; i++) {
        const int is_gain = gains >= 0 && (i == gains || i == gains + 1);

        if (is_gain ? rest_overlaps(rest, dgm_cl_stretch_of(operands[i], dim_of(kind, args)))
                    : is_beside(rest, operands[i]))
            return 1;
    }
    return 0;
}

/* ---- launches -------------------------------------------------------------------------------- */

static int64_t aligned(const struct dgm_gemm_args *args)
{
    return dgm_cl_gemm_aligned(args, args->a, args->lda, args->stride_a) +
           2 * dgm_cl_gemm_aligned(args, args->b, args->ldb, args->stride_b) +
           4 * dgm_cl_gemm_aligned(args, args->c, args->ldc, args->stride_c);
}

static void push_sides(struct dgm_launch *launch, const struct dgm_gemm_args *args)
{
    dgm_launch_int(launch, args->m);
    dgm_launch_int(launch, args->n);
    dgm_launch_int(launch, args->k);
    dgm_launch_long(launch, args->lda);
    dgm_launch_long(launch, args->ldb);
    dgm_launch_long(launch, args->ldc);
    dgm_launch_real(launch, args->alpha);
    dgm_launch_real(launch, args->beta);
    dgm_launch_int(launch, aligned(args));
}

static void push_whole(struct dgm_launch *launch, const struct dgm_gemm_args *args)
{
    dgm_launch_ref(launch, args->c);
    dgm_launch_ref(launch, args->a);
    dgm_launch_ref(launch, args->b);
    dgm_launch_ref(launch, args->mask);
    push_sides(launch, args);
}

static void push_split(struct dgm_launch *launch, const struct dgm_gemm_args *args,
                       const struct dgm_cl_pair_job *job)
{
    dgm_launch_ref(launch, args->c);
    dgm_launch_ref(launch, args->sums);
    dgm_launch_ref(launch, args->a);
    dgm_launch_ref(launch, args->b);
    dgm_launch_ref(launch, job->parts);
    push_sides(launch, args);
    dgm_launch_int(launch, job->chunk * DGM_GEMM_K);
}

static void push_rest(struct dgm_launch *launch, const struct dgm_cl_gemm_rest *rest)
{
    const int is_aligned = rest->c.offset % 16 == 0 && rest->ldc % 4 == 0;

    dgm_launch_ref(launch, rest->c);
    dgm_launch_ref(launch, rest->sums);
    dgm_launch_ref(launch, rest->parts);
    dgm_launch_int(launch, rest->m);
    dgm_launch_int(launch, rest->n);
    dgm_launch_int(launch, rest->blocks);
    dgm_launch_long(launch, rest->ldc);
    dgm_launch_real(launch, rest->alpha);
    dgm_launch_int(launch, is_aligned);
}

static dgm_status launch_wide(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_cl_pair_job *job)
{
    static const struct dgm_gemm_args none = { .m = 0 };
    const size_t local[3] = { dgm_cl_tile_items(&opencl->tuning, job->side), 1, 1 };
    size_t groups[3] = { 0, 1, 1 };
    struct dgm_launch launch;

    groups[0] = (size_t)(job->wholes + job->firsts + job->others +
                         dgm_cl_pair_rest_groups(&job->rest, local[0]));
    dgm_launch_begin(&launch, env, opencl, kernel_of(job->side));
    push_whole(&launch, job->whole != NULL ? job->whole : &none);
    push_split(&launch, job->split != NULL ? job->split : &none, job);
    push_rest(&launch, &job->rest);
    dgm_launch_int(&launch, job->is_split_first ? job->firsts : job->wholes);
    dgm_launch_int(&launch, job->is_split_first);
    dgm_launch_int(&launch, job->wholes + job->firsts);
    dgm_launch_int(&launch, job->wholes + job->firsts + job->others);
    return dgm_launch_grid(&launch, groups, local);
}

static dgm_status launch_job(struct dgm_env *env, struct dgm_opencl *opencl,
                             struct dgm_cl_pair_job *job)
{
    job->rest = take_rest(opencl);
    return (is_narrow(opencl) ? dgm_cl_tensor_launch : launch_wide)(env, opencl, job);
}

/* Longer groups go first: what they leave of the last round, shorter ones fill. */
static void fill_job(const struct dgm_opencl *opencl, struct dgm_cl_pair_job *job, struct cut cut)
{
    job->side = cut.side;
    job->chunk = cut.chunk;
    job->is_split_first = is_split_first(opencl, job->whole, cut.chunk);
    if (job->whole != NULL)
        job->wholes = dgm_cl_tiles_count(job->whole, cut.side);
    if (job->split != NULL) {
        job->firsts = dgm_cl_tiles_count(job->split, cut.side);
        job->others = job->firsts * stored_blocks(opencl, job->split, cut.chunk);
    }
}

static dgm_status run_job(struct dgm_env *env, struct dgm_opencl *opencl,
                          const struct dgm_gemm_args *whole, const struct dgm_gemm_args *split)
{
    struct dgm_cl_pair_job job = { .whole = whole, .split = split };
    int64_t stored;

    if ((whole != NULL && dgm_cl_pair_concerns(opencl, DGM_TASK_gemm, whole)) ||
        (split != NULL && dgm_cl_pair_concerns(opencl, DGM_TASK_gemm, split)))
        DGM_TRY(dgm_cl_pair_settle(env, opencl));
    fill_job(opencl, &job, choose_cut(env, opencl, whole, split));
    stored = split != NULL ? stored_blocks(opencl, split, job.chunk) : 0;
    if (stored > 0)
        DGM_TRY(dgm_cl_reserve_in(env, opencl, &opencl->gemm_parts[opencl->gemm_turn], &job.parts,
                                  (size_t)parts_bytes(split, stored)));
    DGM_TRY(launch_job(env, opencl, &job));
    if (whole != NULL && split != NULL)
        opencl->pairs[job.side == LARGE]++;
    if (stored > 0)
        keep_rest(opencl, split, job.parts, stored);
    return DGM_OK;
}

/* By the kernel of products, which has none then: so a trial of it tries this part, too. */
dgm_status dgm_cl_pair_settle(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_cl_pair_job none = { .side = SMALL, .chunk = 1 };

    return opencl->gemm_rest.is_there ? launch_job(env, opencl, &none) : DGM_OK;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static int has_kernel(struct dgm_env *env, struct dgm_opencl *opencl)
{
    return DGM_TUNED(opencl, gpu_split_below) > 0 && fits(env, opencl, SMALL);
}

/* One product, with nothing that the kernel does not know. */
static int is_plain(const struct dgm_gemm_args *args)
{
    return args->batch == 1 && args->bias.buffer == NULL && !args->relu && args->m > 0 &&
           args->n > 0;
}

/* Whether products are those of the kernel, and the sum is long enough. */
static int is_worth_it(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    if (is_narrow(opencl))
        return args->k > 0;
    return blocks_of(opencl, args) >= (opencl->on_trial[DGM_TASK_gemm] ? 2 : LEAST_BLOCKS) &&
           !dgm_clblast_serves(&opencl->clblast, args) &&
           dgm_cl_tuning_family(&opencl->traits) == DGM_TUNE_GPU;
}

int dgm_cl_pair_begins(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args)
{
    return args->form == DGM_TN && is_plain(args) && args->mask.buffer == NULL &&
           is_worth_it(opencl, args) && has_kernel(env, opencl);
}

/* Bytes of so many packed reals. */
static int64_t bytes_of(const struct dgm_opencl *opencl, int64_t reals)
{
    return reals * (opencl->precision == DGM_BF16 ? 2 : 4);
}

/* At most: whole fragments of 16 lines, and stages of 32 steps (gemm_tensor.c). */
static int64_t packed_bytes(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    const int64_t lines = args->m + args->n + 2 * 15, steps = args->k + 31;

    return bytes_of(opencl, lines * steps);
}

static int has_room(const struct dgm_opencl *opencl, const struct dgm_gemm_args *waiting,
                    const struct dgm_gemm_args *next)
{
    return !is_narrow(opencl) || packed_bytes(opencl, waiting) + packed_bytes(opencl, next) <=
                                     bytes_of(opencl, MOST_PACKED);
}

size_t dgm_cl_pair_room(const struct dgm_opencl *opencl)
{
    const size_t parts = 2 * ((size_t)DGM_TUNED(opencl, gpu_split_mega) << 20);

    if (DGM_TUNED(opencl, gpu_split_below) == 0 ||
        (!is_narrow(opencl) && dgm_cl_tuning_family(&opencl->traits) != DGM_TUNE_GPU))
        return 0;
    return dgm_cl_reserved(parts + (is_narrow(opencl) ? (size_t)bytes_of(opencl, MOST_PACKED) : 0));
}

int dgm_cl_pair_fits(const struct dgm_opencl *opencl, const struct dgm_gemm_args *waiting,
                     const struct dgm_gemm_args *next)
{
    return has_room(opencl, waiting, next) && next->form == DGM_NN && is_plain(next) &&
           next->sums.buffer == NULL && !touches(waiting, result_of(next)) &&
           !touches(next, result_of(waiting)) &&
           !touches(next, dgm_cl_stretch_of(waiting->sums, waiting->m));
}

dgm_status dgm_cl_pair_run(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *waiting, const struct dgm_gemm_args *next)
{
    return run_job(env, opencl, next, waiting);
}

/*
 * A unit with less than half of the groups that it needs (dgm_cl_tiles_at_once) loses more time
 * than blocks in memory cost. In a trial the sum's length decides, so that both ways are tried
 * (trial_gemm.c).
 */
int dgm_cl_pair_serves(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args)
{
    const int64_t few = dgm_cl_tiles_units(opencl) * DGM_TUNED(opencl, gpu_split_below);

    if (args->form == DGM_NT || !is_plain(args) ||
        (args->form == DGM_TN ? args->mask : args->sums).buffer != NULL)
        return 0;
    if (opencl->on_trial[DGM_TASK_gemm])
        return !dgm_cl_gemm_is_forward(args) && blocks_of(opencl, args) >= 2 && args->k % 2 == 0 &&
               has_kernel(env, opencl);
    return args->form == DGM_TN && blocks_of(opencl, args) >= LEAST_BLOCKS &&
           dgm_cl_tiles_count(args, SMALL) * 100 < few && has_kernel(env, opencl);
}

dgm_status dgm_cl_pair_gemm(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args)
{
    return args->form == DGM_TN ? run_job(env, opencl, NULL, args)
                                : run_job(env, opencl, args, NULL);
}
