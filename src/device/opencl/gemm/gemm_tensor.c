/*
 * gemm_tensor.c: cuts matrix products for opencl/gemm_bf16.cl and gemm_tf32.cl.
 */
#include "device/opencl/gemm/gemm_tensor.h"

#include <stdio.h>

#include "device/opencl/core/tensor_way.h"
#include "device/opencl/gemm/gemm.h"
#include "device/opencl/gemm/gemm_pair.h"
#include "device/opencl/gemm/gemm_tiles.h"
#include "device/opencl/gemm/pack/pack.h"
#include "device/opencl/gemm/pack/packed_rows.h"
#include "device/opencl/gemm/pack/packed_weights.h"
#include "device/opencl/system/environment.h"

/* Sides of a tile, work-items of its group, and bytes of local memory of each stage. */
enum { LARGE = 128, LARGE_ITEMS = 256, LARGE_BYTES = 16 << 10 };
enum { SMALL = 64, SMALL_ITEMS = 64, SMALL_BYTES = 8 << 10 };

/* A group for few rows: 16 of them, and 32 columns. */
enum { THIN_COLUMNS = 32 };

/* Products of a batch in one launch: as many as drivers take in the third direction, while their
 * packed operands have no more bytes than this. */
enum { MOST_BATCH = 65535, MOST_BYTES = 64 << 20 };

enum role { PACK, PACK_ALL, TILES_LARGE, TILES_SMALL, FEW_ROWS, ROLES };

static enum dgm_cl_kernel_id kernel_of(const struct dgm_opencl *opencl, enum role role)
{
    static const enum dgm_cl_kernel_id kernels[DGM_PRECISION_COUNT][ROLES] = {
        [DGM_TF32] = { DGM_KERNEL_gemm_tf32_pack, DGM_KERNEL_gemm_tf32_pack_all,
                       DGM_KERNEL_gemm_tf32_128, DGM_KERNEL_gemm_tf32_64,
                       DGM_KERNEL_gemm_tf32_thin },
        [DGM_BF16] = { DGM_KERNEL_gemm_bf16_pack, DGM_KERNEL_gemm_bf16_pack_all,
                       DGM_KERNEL_gemm_bf16_128, DGM_KERNEL_gemm_bf16_64,
                       DGM_KERNEL_gemm_bf16_thin },
    };

    return kernels[opencl->precision][role];
}

static const struct dgm_cl_tensor_way *way_of(const struct dgm_opencl *opencl)
{
    return dgm_cl_tensor_way_at(opencl->traits.tensor);
}

/* ---- choosing -------------------------------------------------------------------------------- */

static dgm_status refuse(struct dgm_env *env, const struct dgm_opencl *opencl, const char *reason)
{
    return dgm_fail(env, DGM_UNSUPPORTED,
                    "%s has no matrix products in %s: %s; use --precision "
                    "f32",
                    opencl->traits.name, dgm_precision_name(opencl->precision), reason);
}

/* Whether the compiler took too long for the program of the precision. */
static int is_given_up(const struct dgm_opencl *opencl)
{
    return opencl->is_given_up[opencl->precision == DGM_BF16 ? DGM_PROGRAM_gemm_bf16
                                                             : DGM_PROGRAM_gemm_tf32];
}

static dgm_status refuse_slow(struct dgm_env *env, const struct dgm_opencl *opencl)
{
    char reason[160];

    snprintf(reason, sizeof reason,
             "its driver has not compiled them in %d s (DGM_CL_COMPILE_LIMIT=SECONDS waits longer)",
             dgm_cl_compile_limit());
    return refuse(env, opencl, reason);
}

static int has_room(const struct dgm_opencl *opencl)
{
    return opencl->traits.local_bytes >= (cl_ulong)way_of(opencl)->stages * SMALL_BYTES &&
           opencl->traits.group_limit >= SMALL_ITEMS;
}

/* The kernels themselves are the probe: they will be needed. Of what a compiler says about them,
 * only those hear who ask. */
static dgm_status build(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_env own = *env;
    cl_kernel kernel;

    dgm_env_clear_error(&own);
    opencl->has_failed_build = 0;
    if (env->log_level < DGM_LOG_DEBUG)
        own.log = NULL;
    for (int role = 0; role < ROLES; role++) {
        if (dgm_cl_kernel_get(&own, opencl, kernel_of(opencl, (enum role)role), &kernel) == DGM_OK)
            continue;
        if (is_given_up(opencl))
            return refuse_slow(env, opencl);
        if (opencl->has_failed_build)
            return refuse(env, opencl,
                          "its driver compiles no program with a matrix instruction "
                          "(--log-level debug tells more)");
        return dgm_fail(env, own.error.status, "%s", own.error.message);
    }
    return DGM_OK;
}

/* The first instruction that compiles; an emulated one is the only one. Where none does, one that
 * took too long might have: that is the reason that is told. */
static dgm_status choose_way(struct dgm_env *env, struct dgm_opencl *opencl)
{
    const int emulated = dgm_cl_tensor_way_emulated();
    dgm_status status = refuse(env, opencl, "the instruction that is emulated has none");
    dgm_error slow = { .status = DGM_OK };

    for (int way = 0; way < DGM_CL_TENSOR_WAYS && status == DGM_UNSUPPORTED; way++) {
        opencl->traits.tensor = way;
        if ((emulated >= 0 && way != emulated) ||
            (opencl->precision == DGM_TF32 && !way_of(opencl)->has_tf32))
            continue;
        dgm_env_clear_error(env);
        if (way > 0) /* those of another instruction */
            dgm_cl_programs_clear(opencl);
        status = has_room(opencl) ? build(env, opencl)
                                  : refuse(env, opencl,
                                           "it has too little local memory, or too small "
                                           "work-groups");
        if (status == DGM_UNSUPPORTED && is_given_up(opencl))
            slow = env->error;
    }
    if (status == DGM_UNSUPPORTED && slow.status != DGM_OK)
        env->error = slow;
    return status;
}

dgm_status dgm_cl_tensor_choose(struct dgm_env *env, struct dgm_opencl *opencl,
                                const char *precision)
{
    DGM_TRY(dgm_precision_parse(env, &opencl->precision, precision));
    if (opencl->precision == DGM_F32)
        return DGM_OK;
    if (opencl->clblast.Sgemm != NULL)
        return dgm_fail(env, DGM_USAGE, "precision: CLBlast computes in f32; use --gemm own for %s",
                        precision);
    return choose_way(env, opencl);
}

void dgm_cl_tensor_explain(const struct dgm_opencl *opencl, char *words, size_t size)
{
    snprintf(words, size, "%s by %s%s", dgm_precision_name(opencl->precision), way_of(opencl)->name,
             dgm_cl_tensor_way_emulated() >= 0 ? ", emulated" : "");
}

int dgm_cl_tensor_serves(const struct dgm_opencl *opencl)
{
    return opencl->precision != DGM_F32;
}

int dgm_cl_tensor_is_thin(struct dgm_env *env, struct dgm_opencl *opencl,
                          const struct dgm_gemm_args *args)
{
    const size_t items = way_of(opencl)->thin_items;

    return args->m <= DGM_LINES && opencl->traits.group_limit >= items &&
           dgm_cl_kernel_takes(env, opencl, kernel_of(opencl, FEW_ROWS), items);
}

/* ---- few rows -------------------------------------------------------------------------------- */

static dgm_status run_thin(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args)
{
    size_t groups[3] = { 0, 1, 0 }, local[3] = { 0, 1, 1 };
    struct dgm_launch launch;

    local[0] = way_of(opencl)->thin_items;
    groups[0] = (size_t)dgm_cl_divide_up(args->n, THIN_COLUMNS);
    groups[2] = (size_t)args->batch;
    dgm_launch_begin(&launch, env, opencl, kernel_of(opencl, FEW_ROWS));
    dgm_cl_gemm_parameters(&launch, args);
    dgm_launch_int(&launch, args->form != DGM_TN);
    dgm_launch_int(&launch, args->form == DGM_NT);
    return dgm_launch_grid(&launch, groups, local);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

int dgm_cl_tensor_fits(struct dgm_env *env, struct dgm_opencl *opencl, int side)
{
    if (side == SMALL)
        return dgm_cl_kernel_takes(env, opencl, kernel_of(opencl, TILES_SMALL), SMALL_ITEMS);
    return opencl->traits.group_limit >= LARGE_ITEMS &&
           opencl->traits.local_bytes >= (cl_ulong)way_of(opencl)->stages * LARGE_BYTES &&
           dgm_cl_kernel_takes(env, opencl, kernel_of(opencl, TILES_LARGE), LARGE_ITEMS);
}

/* What an absent product has, too: kernels are given all arguments. */
static const struct dgm_gemm_args no_product = { .m = 0 };

static void push_whole(struct dgm_launch *launch, const struct dgm_gemm_args *args,
                       const struct dgm_cl_operand *packed)
{
    dgm_launch_ref(launch, args->c);
    dgm_launch_ref(launch, packed[0].to);
    dgm_launch_ref(launch, packed[1].to);
    dgm_launch_ref(launch, args->bias);
    dgm_launch_ref(launch, args->mask);
    dgm_launch_int(launch, args->m);
    dgm_launch_int(launch, args->n);
    dgm_launch_int(launch, packed[0].depth);
    dgm_launch_long(launch, args->ldc);
    dgm_launch_long(launch, args->stride_c);
    dgm_launch_real(launch, args->alpha);
    dgm_launch_real(launch, args->beta);
    dgm_launch_int(launch, args->relu);
    dgm_launch_int(launch, dgm_cl_gemm_aligned(args, args->c, args->ldc, args->stride_c));
    dgm_launch_int(launch, args->form == DGM_TN);
}

static void push_split(struct dgm_launch *launch, const struct dgm_gemm_args *args,
                       const struct dgm_cl_operand *packed, const struct dgm_cl_pair_job *job)
{
    const int64_t stage_steps = dgm_cl_steps_of_word(launch->opencl) * DGM_WORDS * DGM_STAGE_DEPTH;

    dgm_launch_ref(launch, args->c);
    dgm_launch_ref(launch, packed[0].to);
    dgm_launch_ref(launch, packed[1].to);
    dgm_launch_ref(launch, job->parts);
    dgm_launch_int(launch, args->m);
    dgm_launch_int(launch, args->n);
    dgm_launch_int(launch, packed[0].depth);
    dgm_launch_long(launch, args->ldc);
    dgm_launch_real(launch, args->alpha);
    dgm_launch_real(launch, args->beta);
    dgm_launch_int(launch, dgm_cl_gemm_aligned(args, args->c, args->ldc, args->stride_c));
    dgm_launch_int(launch, job->chunk * (DGM_NARROW_STEPS / stage_steps));
}

static void push_rest(struct dgm_launch *launch, const struct dgm_cl_gemm_rest *rest)
{
    dgm_launch_ref(launch, rest->c);
    dgm_launch_ref(launch, rest->parts);
    dgm_launch_int(launch, rest->m);
    dgm_launch_int(launch, rest->n);
    dgm_launch_int(launch, rest->blocks);
    dgm_launch_long(launch, rest->ldc);
    dgm_launch_real(launch, rest->alpha);
    dgm_launch_int(launch, rest->c.offset % 16 == 0 && rest->ldc % 4 == 0);
}

/* `packed`: op(a) and op(b) of the whole product, and those of the split one. packing: where c is
 * packed, too. */
static dgm_status run_tiles(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_cl_pair_job *job,
                            const struct dgm_cl_operand packed[4], struct dgm_ref packing)
{
    const int is_large = job->side == LARGE;
    const int64_t batch = job->whole != NULL ? job->whole->batch : 1;
    size_t groups[3] = { 0, 1, 1 }, local[3] = { SMALL_ITEMS, 1, 1 };
    struct dgm_launch launch;

    local[0] = is_large ? LARGE_ITEMS : SMALL_ITEMS;
    groups[0] = (size_t)(job->wholes / batch + job->firsts + job->others +
                         dgm_cl_pair_rest_groups(&job->rest, local[0]));
    groups[2] = (size_t)batch;
    dgm_launch_begin(&launch, env, opencl, kernel_of(opencl, is_large ? TILES_LARGE : TILES_SMALL));
    push_whole(&launch, job->whole != NULL ? job->whole : &no_product, packed);
    push_split(&launch, job->split != NULL ? job->split : &no_product, packed + 2, job);
    push_rest(&launch, &job->rest);
    dgm_launch_int(&launch, job->is_split_first ? job->firsts : job->wholes / batch);
    dgm_launch_int(&launch, job->is_split_first);
    dgm_launch_int(&launch, job->wholes / batch + job->firsts);
    dgm_launch_int(&launch, job->wholes / batch + job->firsts + job->others);
    dgm_launch_ref(&launch, packing);
    return dgm_launch_grid(&launch, groups, local);
}

/* Bytes of the packed operands of one product of the batch. */
static size_t packed_bytes(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args,
                           int64_t lines)
{
    return dgm_cl_packed_bytes(lines, dgm_cl_depth_of(opencl, args->k));
}

/* op(a) and op(b), but for where their fragments go. */
static void fill_operands(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args,
                          struct dgm_cl_operand both[2])
{
    both[0] = (struct dgm_cl_operand){
        .from = args->a,
        .lines = args->m,
        .ld = args->lda,
        .stride = args->stride_a,
        .by_step = args->form != DGM_TN,
    };
    both[1] = (struct dgm_cl_operand){
        .from = args->b,
        .lines = args->n,
        .ld = args->ldb,
        .stride = args->stride_b,
        .by_step = args->form == DGM_NT,
        .is_b = 1,
    };
    for (int i = 0; i < 2; i++) {
        both[i].k = args->k;
        both[i].depth = dgm_cl_depth_of(opencl, args->k);
        both[i].is_aligned = dgm_cl_gemm_aligned(args, both[i].from, both[i].ld, both[i].stride);
    }
}

/* What others have packed, or keep packed: op(a) by its maker, op(b) as a matrix of weights. */
static dgm_status find_packed(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gemm_args *args, struct dgm_cl_operand both[2])
{
    struct dgm_ref rows = { NULL, 0 }, weights = { NULL, 0 };
    int is_new = 0;

    if (args->batch != 1 || args->form == DGM_TN)
        return DGM_OK;
    if (args->lda == args->k)
        rows = dgm_cl_packed_rows_find(opencl, args->a, args->m, args->k);
    DGM_TRY(dgm_cl_packed_weights_find(env, opencl, &both[1], &weights, &is_new));
    both[0].to = rows;
    both[0].is_packed = rows.buffer != NULL;
    both[1].to = weights;
    both[1].is_packed = weights.buffer != NULL && !is_new;
    return DGM_OK;
}

/* Fills the operands of a product; those that have no place yet lie in scratch memory, from *room
 * on. An absent product has none. */
static dgm_status place_operands(struct dgm_env *env, struct dgm_opencl *opencl,
                                 const struct dgm_gemm_args *args, struct dgm_cl_operand both[2],
                                 size_t *room)
{
    if (args == NULL)
        return DGM_OK;
    fill_operands(opencl, args, both);
    DGM_TRY(find_packed(env, opencl, args, both));
    for (int i = 0; i < 2; i++)
        if (both[i].to.buffer == NULL) {
            both[i].to.offset = *room;
            *room += (size_t)args->batch * packed_bytes(opencl, args, both[i].lines);
        }
    return DGM_OK;
}

static dgm_status pack_all(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_cl_pair_job *job,
                           struct dgm_cl_operand packed[DGM_PACK_MOST])
{
    const int first = job->whole != NULL ? 0 : 2, last = job->split != NULL ? 4 : 2;
    struct dgm_ref room = { NULL, 0 };
    size_t bytes = 0;

    DGM_TRY(place_operands(env, opencl, job->whole, packed, &bytes));
    DGM_TRY(place_operands(env, opencl, job->split, packed + 2, &bytes));
    if (bytes > 0)
        DGM_TRY(dgm_cl_reserve(env, opencl, &room, bytes));
    for (int i = first; i < last; i++)
        if (packed[i].to.buffer == NULL)
            packed[i].to.buffer = room.buffer;
    return dgm_cl_pack(env, opencl, packed + first, last - first,
                       job->whole != NULL ? job->whole->batch : 1);
}

/* Packs what is not packed. After a failure, weights that were to be packed are not taken for
 * packed. */
static dgm_status pack_operands(struct dgm_env *env, struct dgm_opencl *opencl,
                                const struct dgm_cl_pair_job *job,
                                struct dgm_cl_operand packed[DGM_PACK_MOST])
{
    const dgm_status status = pack_all(env, opencl, job, packed);

    if (status != DGM_OK)
        dgm_cl_packed_weights_written(opencl, opencl->weights.from);
    return status;
}

/* A ReLU's output is packed for the product that it goes to in most models. */
static struct dgm_cl_packing begin_packing(struct dgm_env *env, struct dgm_opencl *opencl,
                                           const struct dgm_cl_pair_job *job,
                                           enum dgm_cl_kernel_id id)
{
    const struct dgm_gemm_args *args = job->whole != NULL ? job->whole : &no_product;

    return dgm_cl_packing_begin(env, opencl, id, args->c, args->m, args->n,
                                args->relu && args->batch == 1 && args->ldc == args->n);
}

dgm_status dgm_cl_tensor_launch(struct dgm_env *env, struct dgm_opencl *opencl,
                                const struct dgm_cl_pair_job *job)
{
    const enum dgm_cl_kernel_id id =
        kernel_of(opencl, job->side == LARGE ? TILES_LARGE : TILES_SMALL);
    struct dgm_cl_operand packed[DGM_PACK_MOST] = { { .lines = 0 } };
    struct dgm_cl_packing packing;

    DGM_TRY(pack_operands(env, opencl, job, packed));
    packing = begin_packing(env, opencl, job, id);
    DGM_TRY(run_tiles(env, opencl, job, packed, packing.to));
    return dgm_cl_packing_end(env, opencl, id, &packing);
}

/*
 * As in gemm_gpu.c: large tiles read less, small ones keep more compute units busy, and a trial
 * goes both ways, by size alone.
 */
static dgm_status run_batch(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args)
{
    const int is_large =
        dgm_cl_tiles_want_large(opencl, args) && dgm_cl_tensor_fits(env, opencl, LARGE);
    struct dgm_cl_pair_job job = { .whole = args, .side = is_large ? LARGE : SMALL, .chunk = 1 };

    if (dgm_cl_tensor_is_thin(env, opencl, args))
        return run_thin(env, opencl, args);
    job.wholes = dgm_cl_tiles_count(args, job.side);
    return dgm_cl_tensor_launch(env, opencl, &job);
}

/*
 * Products of the batch that are packed together: their operands take scratch memory (512 bytes for
 * each 16 lines x 8 words). Rows that fit into one fragment are not packed.
 */
static int64_t most_at_once(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args)
{
    const size_t bytes = packed_bytes(opencl, args, args->m) + packed_bytes(opencl, args, args->n);
    const int64_t most = bytes > 0 ? (int64_t)(MOST_BYTES / bytes) : MOST_BATCH;

    if (most > MOST_BATCH || dgm_cl_tensor_is_thin(env, opencl, args))
        return MOST_BATCH;
    return most > 0 ? most : 1;
}

dgm_status dgm_cl_tensor_gemm(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gemm_args *args)
{
    const int64_t most = most_at_once(env, opencl, args);
    struct dgm_gemm_args some = *args;

    for (int64_t done = 0; done < args->batch; done += some.batch) {
        some.batch = args->batch - done < most ? args->batch - done : most;
        some.a = dgm_cl_ref_plus(args->a, done * args->stride_a);
        some.b = dgm_cl_ref_plus(args->b, done * args->stride_b);
        some.c = dgm_cl_ref_plus(args->c, done * args->stride_c);
        DGM_TRY(run_batch(env, opencl, &some));
    }
    return DGM_OK;
}
