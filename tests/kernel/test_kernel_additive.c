/*
 * test_kernel_additive.c: additive attention, of every instruction set this machine runs, against
 * naive code in double; and its tasks on any number of threads.
 */
#include "base/mem.h"
#include "device/task.h"
#include "kernel_case.h"

enum { ROWS = 3, LONGEST = 5, KEYS = 12 };

/* The spans of three queries: some keys belong to nobody, one span is a single key. */
static const int32_t starts[ROWS] = { 7, 1, 5 }, counts[ROWS] = { 5, 3, 1 };
static const int64_t dims[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 67 };

enum { DIMS = sizeof dims / sizeof dims[0] };

enum { Q, KEY, VALUE, V, DCTX, INPUTS };
enum { CTX, WEIGHTS, DQ, DKEY, DVALUE, DV, OUTPUTS };

struct operands {
    struct case_array in[INPUTS], out[OUTPUTS];
};

/* What the kernels ought to leave. */
struct expected {
    double out[OUTPUTS][CASE_MOST];
};

static void begin(struct operands *to, int64_t dim, int64_t width, int shift,
                  struct dgm_random *random)
{
    const int64_t in[INPUTS] = { ROWS * dim, KEYS * dim, KEYS * width, dim, ROWS * (width + 2) };
    const int64_t out[OUTPUTS] = { ROWS * (width + 2), ROWS * LONGEST, ROWS * dim,
                                   KEYS * dim,         KEYS * width,   dim };

    for (int i = 0; i < INPUTS; i++) {
        case_array_begin(&to->in[i], in[i], shift ? (shift + i) % 4 : 0);
        case_array_random(&to->in[i], random);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        case_array_begin(&to->out[i], out[i], shift ? (shift + i) % 4 : 0);
        case_array_random(&to->out[i], random);
    }
}

/* ---- naive ----------------------------------------------------------------------------------- */

static double naive_tanh(const struct operands *o, int64_t i, int64_t row, int64_t dim, int64_t c)
{
    return tanh((double)o->in[Q].x[i * dim + c] + (double)o->in[KEY].x[row * dim + c]);
}

static void naive_weights(const struct operands *o, struct expected *e, int64_t i, int64_t dim)
{
    double *w = e->out[WEIGHTS] + i * LONGEST, sum = 0;

    for (int64_t j = 0; j < LONGEST; j++) {
        w[j] = 0;
        for (int64_t c = 0; j < counts[i] && c < dim; c++)
            w[j] += (double)o->in[V].x[c] * naive_tanh(o, i, starts[i] + j, dim, c);
        w[j] = j < counts[i] ? exp(w[j]) : 0;
        sum += w[j];
    }
    for (int64_t j = 0; j < LONGEST; j++)
        w[j] /= sum;
}

static double naive_slope(const struct operands *o, const struct expected *e, int64_t i, int64_t j,
                          int64_t width)
{
    const double *w = e->out[WEIGHTS] + i * LONGEST;
    double mean = 0, own = 0;

    for (int64_t l = 0; l < counts[i]; l++) {
        double d = 0;
        for (int64_t c = 0; c < width; c++)
            d += (double)o->in[DCTX].x[i * (width + 2) + c] *
                 (double)o->in[VALUE].x[(starts[i] + l) * width + c];
        mean += w[l] * d;
        own = l == j ? d : own;
    }
    return w[j] * (own - mean);
}

static void naive_pair(const struct operands *o, struct expected *e, int64_t i, int64_t j,
                       int64_t dim, int64_t width)
{
    const int64_t row = starts[i] + j;
    const double w = e->out[WEIGHTS][i * LONGEST + j], slope = naive_slope(o, e, i, j, width);

    for (int64_t c = 0; c < dim; c++) {
        double t = naive_tanh(o, i, row, dim, c);
        double d = slope * (double)o->in[V].x[c] * (1 - t * t);
        e->out[DQ][i * dim + c] += d;
        e->out[DKEY][row * dim + c] += d;
        e->out[DV][c] += slope * t;
    }
    for (int64_t c = 0; c < width; c++) {
        e->out[CTX][i * (width + 2) + c] += w * (double)o->in[VALUE].x[row * width + c];
        e->out[DVALUE][row * width + c] += w * (double)o->in[DCTX].x[i * (width + 2) + c];
    }
}

static void naive(const struct operands *o, struct expected *e, int64_t dim, int64_t width)
{
    for (int k = 0; k < OUTPUTS; k++)
        for (int64_t n = 0; n < o->out[k].count; n++)
            e->out[k][n] = (double)o->out[k].x[n];
    for (int64_t i = 0; i < ROWS; i++) {
        naive_weights(o, e, i, dim);
        for (int64_t c = 0; c < dim; c++)
            e->out[DQ][i * dim + c] = 0;
        for (int64_t c = 0; c < width; c++)
            e->out[CTX][i * (width + 2) + c] = 0;
        for (int64_t j = 0; j < counts[i]; j++)
            naive_pair(o, e, i, j, dim, width);
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void run(const struct dgm_additive_kernels *kernels, struct operands *o, int64_t dim,
                int64_t width, int variant)
{
    const struct dgm_additive core = {
        .dim = dim, .width = width, .longest = LONGEST, .ld_ctx = width + 2
    };
    const struct dgm_additive_forward_job rows = { .ctx = o->out[CTX].x,
                                                   .weights = o->out[WEIGHTS].x,
                                                   .q = o->in[Q].x,
                                                   .keys = o->in[KEY].x,
                                                   .values = o->in[VALUE].x,
                                                   .v = o->in[V].x,
                                                   .starts = starts,
                                                   .counts = counts,
                                                   .core = core };
    const struct dgm_additive_backward_job grad = { .dq = o->out[DQ].x,
                                                    .dkeys = variant == 1 ? NULL : o->out[DKEY].x,
                                                    .dvalues =
                                                        variant == 2 ? NULL : o->out[DVALUE].x,
                                                    .dctx = o->in[DCTX].x,
                                                    .weights = o->out[WEIGHTS].x,
                                                    .q = o->in[Q].x,
                                                    .keys = o->in[KEY].x,
                                                    .values = o->in[VALUE].x,
                                                    .v = o->in[V].x,
                                                    .starts = starts,
                                                    .counts = counts,
                                                    .core = core };
    dgm_real scratch[LONGEST];

    kernels->forward(&rows, 0, ROWS);
    kernels->backward(&grad, 0, 1, o->out[DV].x, scratch);
    kernels->backward(&grad, 1, ROWS, o->out[DV].x, scratch);
}

static void check(const struct operands *got, const struct expected *want, int64_t dim)
{
    for (int k = 0; k < OUTPUTS; k++) {
        CHECK(case_array_is_intact(&got->out[k]));
        for (int64_t n = 0; n < got->out[k].count; n++)
            CHECK_NEAR(got->out[k].x[n], want->out[k][n],
                       (100 + 16 * (double)dim) * case_unit() * (1 + fabs(want->out[k][n])));
    }
}

TEST(kernel_additive_attention_is_what_naive_code_says)
{
    static struct operands o;
    static struct expected want;
    struct dgm_random random;

    dgm_random_init(&random, 18, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int k = 0; k < DIMS * 3 && dgm_kernels_entry(i); k++) {
            const int64_t dim = dims[k / 3], width = dims[(k / 3 * 5 + 3) % DIMS];
            begin(&o, dim, width, k % 4, &random);
            naive(&o, &want, dim, width);
            for (int64_t n = 0; k % 3 == 1 && n < KEYS * dim; n++)
                want.out[DKEY][n] = (double)o.out[DKEY].x[n];
            for (int64_t n = 0; k % 3 == 2 && n < KEYS * width; n++)
                want.out[DVALUE][n] = (double)o.out[DVALUE].x[n];
            run(dgm_kernels_entry(i)->additive, &o, dim, width, k % 3);
            check(&o, &want, dim > width ? dim : width);
        }
}

/*
 * A softmax does not see what is added to all its scores, so that the gradients of the scores add
 * up to 0: where all keys are the same, q and v get no gradient.
 */
TEST(kernel_additive_weights_sum_to_one_and_their_scores_gradients_to_zero)
{
    enum { DIM = 13, WIDTH = 9 };
    static struct operands o;
    struct dgm_random random;

    dgm_random_init(&random, 19, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++) {
        if (!dgm_kernels_entry(i))
            continue;
        begin(&o, DIM, WIDTH, 0, &random);
        for (int64_t n = DIM; n < KEYS * DIM; n++)
            o.in[KEY].x[n] = o.in[KEY].x[n % DIM];
        memset(o.out[DV].x, 0, DIM * sizeof(dgm_real));
        run(dgm_kernels_entry(i)->additive, &o, DIM, WIDTH, 0);
        for (int64_t r = 0; r < ROWS; r++) {
            double sum = 0;
            for (int64_t j = 0; j < LONGEST; j++)
                sum += (double)o.out[WEIGHTS].x[r * LONGEST + j];
            CHECK_NEAR(sum, 1, 8 * case_unit());
        }
        CHECK_NEAR(case_largest(o.out[DQ].x, ROWS * DIM), 0, 200 * case_unit());
        CHECK_NEAR(case_largest(o.out[DV].x, DIM), 0, 200 * case_unit());
    }
}

/* Scores far beyond what exp can take. */
TEST(kernel_additive_attention_subtracts_the_largest_score)
{
    enum { DIM = 5, WIDTH = 2 };
    static struct operands o;
    struct dgm_random random;

    dgm_random_init(&random, 20, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++) {
        if (!dgm_kernels_entry(i))
            continue;
        begin(&o, DIM, WIDTH, 0, &random);
        for (int64_t c = 0; c < DIM; c++)
            o.in[V].x[c] = 1000;
        run(dgm_kernels_entry(i)->additive, &o, DIM, WIDTH, 0);
        for (int k = 0; k < OUTPUTS; k++)
            for (int64_t n = 0; n < o.out[k].count; n++)
                CHECK(isfinite((double)o.out[k].x[n]));
    }
}

/* ---- tasks ----------------------------------------------------------------------------------- */

enum { TASK_ROWS = 83, TASK_DIM = 40, TASK_WIDTH = 24, MOST = 30, PLACE = 100000 };

/* Places of operands in one buffer, PLACE reals each. */
enum { TQ, TKEYS, TVALUES, TV, TDCTX, TCTX, TWEIGHTS, TDQ, TDKEYS, TDVALUES, TDV, PLACES };

static struct dgm_ref at(struct dgm_buffer *buffer, int place)
{
    struct dgm_ref ref = { buffer, (size_t)place * PLACE * sizeof(dgm_real) };

    return ref;
}

static dgm_status run_both(struct dgm_device *device, struct dgm_buffer *x,
                           struct dgm_buffer *spans)
{
    const struct dgm_additive core = { TASK_ROWS, TASK_DIM, TASK_WIDTH, MOST, TASK_WIDTH };
    struct dgm_additive_forward_args forward = { at(x, TCTX),
                                                 at(x, TWEIGHTS),
                                                 at(x, TQ),
                                                 at(x, TKEYS),
                                                 at(x, TVALUES),
                                                 at(x, TV),
                                                 { spans, 0 },
                                                 { spans, TASK_ROWS * sizeof(int32_t) },
                                                 core };
    struct dgm_additive_backward_args backward = { at(x, TDQ), at(x, TDKEYS),  at(x, TDVALUES),
                                                   at(x, TDV), at(x, TDCTX),   at(x, TWEIGHTS),
                                                   at(x, TQ),  at(x, TKEYS),   at(x, TVALUES),
                                                   at(x, TV),  forward.starts, forward.counts,
                                                   core };

    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_additive_forward, &forward));
    return dgm_device_run(test_env(), device, DGM_TASK_additive_backward, &backward);
}

/* Both tasks on the same random numbers; `x` is all that they leave. */
static dgm_status run_tasks(dgm_real *x, int threads)
{
    struct dgm_device_options options = { 0, NULL, NULL, NULL, NULL };
    const size_t bytes = (size_t)PLACES * PLACE * sizeof *x;
    int32_t spans[2 * TASK_ROWS], next = 0;
    struct dgm_random random;
    struct dgm_device *device;
    struct dgm_buffer *reals, *ints;
    struct dgm_ref to_reals = { NULL, 0 }, to_ints = { NULL, 0 };
    dgm_status status;

    dgm_random_init(&random, 10, 0, 0, 0);
    for (int64_t i = 0; i < PLACES * PLACE; i++)
        x[i] = (dgm_real)dgm_random_normal(&random);
    for (int i = 0; i < TASK_ROWS; i++) {
        spans[i] = next;
        next += spans[TASK_ROWS + i] = (int32_t)dgm_random_below(&random, MOST + 1);
    }
    options.threads = threads;
    DGM_TRY(dgm_device_open(test_env(), &device, "cpu", &options));
    DGM_TRY(dgm_device_alloc(test_env(), device, &reals, bytes));
    DGM_TRY(dgm_device_alloc(test_env(), device, &ints, sizeof spans));
    to_reals.buffer = reals;
    to_ints.buffer = ints;
    DGM_TRY(dgm_device_write(test_env(), device, to_reals, x, bytes));
    DGM_TRY(dgm_device_write(test_env(), device, to_ints, spans, sizeof spans));
    status = run_both(device, reals, ints);
    if (status == DGM_OK)
        status = dgm_device_read(test_env(), device, x, to_reals, bytes);
    dgm_device_release(test_env(), device, reals);
    dgm_device_release(test_env(), device, ints);
    dgm_device_close(test_env(), device);
    return status;
}

TEST(additive_attention_tasks_have_the_same_bits_on_any_number_of_threads)
{
    dgm_real *one = dgm_alloc(test_env(), PLACES * PLACE, sizeof *one);
    dgm_real *more = dgm_alloc(test_env(), PLACES * PLACE, sizeof *more);

    CHECK(one != NULL && more != NULL);
    CHECK_STATUS(run_tasks(one, 1), DGM_OK);
    for (int threads = 2; threads <= 3; threads++) {
        CHECK_STATUS(run_tasks(more, threads), DGM_OK);
        CHECK_MEM(more, one, (size_t)PLACES * PLACE * sizeof *one);
    }
    dgm_release(test_env(), one);
    dgm_release(test_env(), more);
}
