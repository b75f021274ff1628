/*
 * tune_measure.c: measures products on a device, and compares the two sides fairly.
 */
#include "device/opencl/gemm/tune/tune_measure.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/philox.h"
#include "base/system/clock.h"
#include "device/opencl/core/self_test.h"
#include "device/trial/trial.h"

/*
 * Those of a model of 512 dimensions: a layer's matrices, a batch of tokens, a gradient of it, its
 * vocabulary, and the rows of beam search and of small batches.
 */
static const struct {
    int m, n, k;
    enum dgm_cl_tuning_shapes shapes;
} sizes[DGM_TUNE_SIZES] = {
    { 512, 512, 512, DGM_TUNE_MANY_ROWS },  { 4096, 512, 512, DGM_TUNE_MANY_ROWS },
    { 512, 512, 4096, DGM_TUNE_MANY_ROWS }, { 1000, 10000, 512, DGM_TUNE_MANY_ROWS },
    { 5, 2048, 512, DGM_TUNE_FEW_ROWS },    { 24, 2048, 512, DGM_TUNE_FEW_ROWS },
    { 64, 2048, 512, DGM_TUNE_FEW_ROWS },
};

/* Gradients of a layer's matrices from a batch of 4096 tokens: those of attention, and both of the
 * feed-forward layer. */
static const struct {
    int m, n;
} pairs[DGM_TUNE_PAIRS] = { { 512, 512 }, { 2048, 512 }, { 512, 2048 } };
enum { PAIR_ROWS = 4096 };

enum {
    REALS_A = PAIR_ROWS * 2048,
    REALS_B = PAIR_ROWS * 2048 + 2048 * 512,
    REALS_C = 1000 * 10000,
    SEEN = 1 << 18, /* reals of a result that are compared */
    TRIALS = 18
};

/* Seconds: a time that can be taken well, those of slow products, and for all rounds of one. */
static const double enough = 2e-3, slow = 0.12, too_slow = 1, all_rounds = 0.1;

/* ---- sides ----------------------------------------------------------------------------------- */

static void put_away(struct dgm_opencl *opencl, struct dgm_tune_side *side)
{
    side->tuning = opencl->tuning;
    memcpy(side->programs, opencl->programs, sizeof side->programs);
    memcpy(side->kernels, opencl->kernels, sizeof side->kernels);
    memcpy(side->group_limits, opencl->group_limits, sizeof side->group_limits);
    memcpy(side->has_run, opencl->has_run, sizeof side->has_run);
}

static void take_out(struct dgm_opencl *opencl, const struct dgm_tune_side *side)
{
    opencl->tuning = side->tuning;
    memcpy(opencl->programs, side->programs, sizeof side->programs);
    memcpy(opencl->kernels, side->kernels, sizeof side->kernels);
    memcpy(opencl->group_limits, side->group_limits, sizeof side->group_limits);
    memcpy(opencl->has_run, side->has_run, sizeof side->has_run);
}

void dgm_tune_use(struct dgm_tuner *tuner, struct dgm_tune_side *side)
{
    if (tuner->active == side)
        return;
    put_away(tuner->opencl, tuner->active);
    take_out(tuner->opencl, side);
    /* Those set so far are the other side's (launch.c). */
    memset(tuner->opencl->arguments, 0, sizeof tuner->opencl->arguments);
    tuner->active = side;
}

void dgm_tune_drop(struct dgm_tuner *tuner, struct dgm_tune_side *side)
{
    struct dgm_tune_side *const active = tuner->active;

    dgm_tune_use(tuner, side);
    tuner->opencl->cl.Finish(tuner->opencl->queue);
    dgm_cl_programs_clear(tuner->opencl);
    if (active != side)
        dgm_tune_use(tuner, active);
}

/* ---- results --------------------------------------------------------------------------------- */

int dgm_tune_agrees(struct dgm_tuner *tuner)
{
    struct dgm_opencl *const opencl = tuner->opencl;
    struct dgm_env quiet = dgm_env_quiet(tuner->env);
    struct dgm_verdict verdict;
    char words[DGM_EXPLAIN_SIZE];
    int agrees = 1;

    opencl->on_trial[DGM_TASK_gemm] = 1;
    for (uint64_t seed = 1; seed <= TRIALS && agrees; seed++)
        agrees = dgm_trial_compare(&quiet, opencl->device.host, &opencl->device, DGM_TASK_gemm,
                                   seed, &verdict) == DGM_OK &&
                 verdict.worst <= DGM_TRIAL_TOLERANCE;
    agrees = agrees && dgm_cl_self_test_pairs(&quiet, opencl, words);
    opencl->on_trial[DGM_TASK_gemm] = 0;
    opencl->trust[DGM_TASK_gemm] = opencl->trust[DGM_FORM_gemm_forward] = DGM_CL_TRUSTED;
    return agrees;
}

static dgm_status hash_result(struct dgm_tuner *tuner, const struct dgm_tune_product *product,
                              uint64_t *hash)
{
    const int64_t all = (int64_t)product->m * product->n;
    const size_t bytes = (size_t)(all < SEEN ? all : SEEN) * sizeof(dgm_real);

    DGM_TRY(dgm_device_read(tuner->env, &tuner->opencl->device, tuner->read, tuner->c, bytes));
    *hash = dgm_hash_bytes(tuner->read, bytes);
    return DGM_OK;
}

/* ---- times ----------------------------------------------------------------------------------- */

static struct dgm_gemm_args make_args(const struct dgm_tuner *tuner,
                                      const struct dgm_tune_product *product)
{
    struct dgm_gemm_args args = { 0 };

    args.c = tuner->c;
    args.a = tuner->a;
    args.b = tuner->b;
    args.form = product->form;
    args.m = product->m;
    args.n = product->n;
    args.k = product->k;
    args.lda = product->form == DGM_TN ? product->m : product->k;
    args.ldb = product->form == DGM_NT ? product->k : product->n;
    args.ldc = product->n;
    args.batch = 1;
    args.alpha = 1;
    return args;
}

/* The product below: (k,n) = a (k,m) b (m,n), where a is the gradient that the first one reads, and
 * b and c lie behind that one's. */
static struct dgm_gemm_args make_below(const struct dgm_tuner *tuner,
                                       const struct dgm_tune_product *product)
{
    struct dgm_gemm_args args = make_args(tuner, product);

    args.form = DGM_NN;
    args.m = product->k;
    args.k = product->m;
    args.b.offset += (size_t)product->k * (size_t)product->n * sizeof(dgm_real);
    args.c.offset += (size_t)product->m * (size_t)product->n * sizeof(dgm_real);
    return args;
}

/* As training runs it: by the device, which may have the first wait for the second. */
dgm_status dgm_tune_run(struct dgm_tuner *tuner, const struct dgm_tune_product *product)
{
    const struct dgm_gemm_args args = make_args(tuner, product);
    struct dgm_opencl *const opencl = tuner->opencl;
    struct dgm_gemm_args below;

    if (!product->is_pair)
        return dgm_opencl_run_gemm(tuner->env, opencl, &args);
    below = make_below(tuner, product);
    DGM_TRY(dgm_device_run(tuner->env, &opencl->device, DGM_TASK_gemm, &args));
    return dgm_device_run(tuner->env, &opencl->device, DGM_TASK_gemm, &below);
}

/* Multiply-adds. */
static double work_of(const struct dgm_tune_product *product)
{
    return (product->is_pair ? 2.0 : 1.0) * product->m * product->n * product->k;
}

/* Seconds of one product by the active side; *seconds becomes smaller or stays. */
static dgm_status time_product(struct dgm_tuner *tuner, const struct dgm_tune_product *product,
                               double *seconds)
{
    struct dgm_opencl *const opencl = tuner->opencl;
    const double start = dgm_clock();
    double one;

    for (int i = 0; i < product->launches; i++)
        DGM_TRY(dgm_tune_run(tuner, product));
    DGM_TRY(opencl->device.ops->sync(tuner->env, &opencl->device));
    one = (dgm_clock() - start) / product->launches;
    if (one < *seconds)
        *seconds = one;
    return DGM_OK;
}

/* In 10^9 operations a second; a multiply-add is two. */
static double speed_of(const struct dgm_tune_product *product, double seconds)
{
    return 2e-9 * work_of(product) / seconds;
}

/*
 * The best of some rounds of each side; both are warm. The best, not the mean: disturbances only
 * make a time longer. The sides alternate, and change who begins, so that a device that slows down
 * (heat, other users) hurts both alike.
 */
static dgm_status time_both(struct dgm_tuner *tuner, const struct dgm_tune_product *product,
                            struct dgm_tune_side *const sides[2], double best[2])
{
    best[0] = best[1] = HUGE_VAL;
    for (int round = 0; round < product->rounds; round++)
        for (int i = 0; i < 2; i++) {
            dgm_tune_use(tuner, sides[(i + round) % 2]);
            DGM_TRY(time_product(tuner, product, &best[(i + round) % 2]));
        }
    return DGM_OK;
}

dgm_status dgm_tune_compare(struct dgm_tuner *tuner, struct dgm_tune_side *base,
                            struct dgm_tune_side *side, enum dgm_cl_tuning_shapes shapes,
                            int is_final, double *gain)
{
    struct dgm_tune_side *const sides[2] = { base, side };
    double sum = 0, best[2];
    int count = 0;

    *gain = 0;
    for (int i = 0; i < tuner->count; i++) {
        struct dgm_tune_product *const product = &tuner->products[i];
        double warm = HUGE_VAL;
        uint64_t hash;

        if (product->shapes != shapes || product->is_left_out || (product->is_slow && !is_final))
            continue;
        dgm_tune_use(tuner, side);
        DGM_TRY(time_product(tuner, product, &warm));
        DGM_TRY(hash_result(tuner, product, &hash));
        /* Other bits than with the defaults: no gain is worth them. */
        if (hash != product->hash)
            return DGM_OK;
        DGM_TRY(time_both(tuner, product, sides, best));
        if (is_final) {
            product->before = speed_of(product, best[0]);
            product->after = speed_of(product, best[1]);
        }
        /* For the geometric mean: twice as fast here and half as fast there cancel out. */
        sum += log(best[0] / best[1]);
        count++;
    }
    *gain = count > 0 ? exp(sum / count) : 1;
    return DGM_OK;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static dgm_status make_noise(struct dgm_tuner *tuner, struct dgm_ref *ref, size_t count,
                             uint32_t seed)
{
    const size_t bytes = count * sizeof(dgm_real);
    struct dgm_random random;
    dgm_real *x = dgm_alloc(tuner->env, count, sizeof *x);
    dgm_status status;

    if (x == NULL)
        return DGM_MEMORY;
    dgm_random_init(&random, seed, 0, 0, 0);
    for (size_t i = 0; i < count; i++)
        x[i] = (dgm_real)dgm_random_word(&random) / (dgm_real)4294967296.0 - (dgm_real)0.5;
    ref->offset = 0;
    DGM_TRY_OUT(dgm_device_alloc(tuner->env, &tuner->opencl->device, &ref->buffer, bytes));
    status = dgm_device_write(tuner->env, &tuner->opencl->device, *ref, x, bytes);
out:
    dgm_release(tuner->env, x);
    return status;
}

static void list_pairs(struct dgm_tuner *tuner)
{
    for (int i = 0; i < DGM_TUNE_PAIRS; i++)
        tuner->products[tuner->count++] = (struct dgm_tune_product){ .form = DGM_TN,
                                                                     .is_pair = 1,
                                                                     .m = pairs[i].m,
                                                                     .n = pairs[i].n,
                                                                     .k = PAIR_ROWS,
                                                                     .shapes = DGM_TUNE_MANY_ROWS,
                                                                     .launches = 1 };
}

static void list_products(struct dgm_tuner *tuner)
{
    tuner->count = DGM_TUNE_ALONE;
    for (int i = 0; i < DGM_TUNE_ALONE; i++) {
        struct dgm_tune_product *const product = &tuner->products[i];
        const int size = i / DGM_TUNE_FORMS;

        product->form = (enum dgm_gemm_form)(i % DGM_TUNE_FORMS);
        product->m = sizes[size].m;
        product->n = sizes[size].n;
        product->k = sizes[size].k;
        product->shapes = sizes[size].shapes;
        product->launches = 1;
    }
    if (dgm_cl_tuning_family(&tuner->opencl->traits) == DGM_TUNE_GPU)
        list_pairs(tuner);
}

/* How often the product is to be run, from its time with the defaults; not at all where it
 * would be too slow, going by `speed`, of the first size (0: this is it). */
static dgm_status plan(struct dgm_tuner *tuner, struct dgm_tune_product *product, double speed)
{
    double seconds = HUGE_VAL;

    product->is_left_out = speed > 0 && 2e-9 * work_of(product) / speed > too_slow;
    /* The first run may compile the kernel; the best of three is warm. */
    for (int i = 0; i < 3 && !product->is_left_out && (i < 1 || seconds < slow); i++)
        DGM_TRY(time_product(tuner, product, &seconds));
    if (product->is_left_out)
        return DGM_OK;
    DGM_TRY(hash_result(tuner, product, &product->hash));
    product->launches = seconds < enough ? 1 + (int)(enough / seconds) : 1;
    product->launches = product->launches > 100 ? 100 : product->launches;
    product->rounds = (int)(all_rounds / (seconds * product->launches));
    product->rounds = product->rounds < 3 ? 3 : product->rounds > 12 ? 12 : product->rounds;
    product->is_slow = seconds > slow;
    product->before = speed_of(product, seconds);
    return DGM_OK;
}

dgm_status dgm_tune_begin(struct dgm_tuner *tuner, struct dgm_env *env, struct dgm_opencl *opencl,
                          struct dgm_tune_side *side)
{
    memset(tuner, 0, sizeof *tuner);
    tuner->env = env;
    tuner->opencl = opencl;
    tuner->active = side;
    tuner->read = dgm_alloc(env, SEEN, sizeof(dgm_real));
    if (tuner->read == NULL)
        return DGM_MEMORY;
    list_products(tuner);
    DGM_TRY(make_noise(tuner, &tuner->a, REALS_A, 1));
    DGM_TRY(make_noise(tuner, &tuner->b, REALS_B, 2));
    DGM_TRY(make_noise(tuner, &tuner->c, REALS_C, 3));
    for (int i = 0; i < tuner->count; i++)
        DGM_TRY(plan(tuner, &tuner->products[i], tuner->products[i % DGM_TUNE_FORMS].before));
    return DGM_OK;
}

void dgm_tune_end(struct dgm_tuner *tuner)
{
    struct dgm_device *const device = &tuner->opencl->device;

    dgm_device_release(tuner->env, device, tuner->a.buffer);
    dgm_device_release(tuner->env, device, tuner->b.buffer);
    dgm_device_release(tuner->env, device, tuner->c.buffer);
    dgm_release(tuner->env, tuner->read);
}
