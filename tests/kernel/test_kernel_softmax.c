/*
 * test_kernel_softmax.c: the kernels on rows of scores, of every instruction set this machine
 * runs, against the formulas in double: cross-entropy, log softmax, the k best.
 */
#include "base/mem.h"
#include "kernel_case.h"

/* Scores of one row: random; one word far ahead; one huge; a word masked out. */
enum { RANDOM, CONFIDENT, HUGE_ONE, MASKED, KINDS };

static void scores(dgm_real *x, int64_t vocab, int kind, struct dgm_random *random)
{
    for (int64_t j = 0; j < vocab; j++)
        x[j] = (dgm_real)(20 * dgm_random_unit(random) - 10);
    if (kind == CONFIDENT)
        x[vocab / 3] = 25;
    if (kind == HUGE_ONE)
        x[vocab / 3] = (dgm_real)1e30;
    if (kind == MASKED)
        x[vocab / 2] = -(dgm_real)INFINITY;
}

struct exact {
    double largest, log_sum; /* log sum exp(x - largest) */
    double total;            /* sum (x - largest) */
};

static struct exact exact_of(const dgm_real *x, int64_t vocab)
{
    struct exact e = { -HUGE_VAL, 0, 0 };
    double sum = 0;

    for (int64_t j = 0; j < vocab; j++)
        e.largest = (double)x[j] > e.largest ? (double)x[j] : e.largest;
    for (int64_t j = 0; j < vocab; j++) {
        sum += exp((double)x[j] - e.largest);
        e.total += (double)x[j] - e.largest;
    }
    e.log_sum = log(sum);
    return e;
}

/* ---- cross-entropy --------------------------------------------------------------------------- */

/* An exponent d = x - largest carries the rounding of the subtraction, |d| units; in the double
 * build so does what it is compared with. */
static double exp_tolerance(double d)
{
    return case_unit() * (16 + (d > -1e4 ? -2 * d : 0));
}

static void check_gradient(const dgm_real *x, const dgm_real *got, const struct dgm_loss_rows *job,
                           const struct exact *e)
{
    for (int64_t j = 0; j < job->vocab; j++) {
        double d = (double)x[j] - e->largest, p = exp(d - e->log_sum);
        double want = p - job->base - (j == job->targets[0] ? job->extra : 0);
        CHECK_NEAR(got[j], (double)job->grad_scale * want,
                   (double)job->grad_scale *
                       (exp_tolerance(d) * p + 1e-38 +
                        4 * case_unit() * (job->base + (j == job->targets[0]))));
    }
}

static void check_loss_row(const struct dgm_row_kernels *rows, const dgm_real *x, dgm_real *room,
                           struct dgm_loss_rows *job)
{
    const struct exact e = exact_of(x, job->vocab);
    const double plain = e.log_sum - ((double)x[job->targets[0]] - e.largest);
    const double smooth =
        job->base > 0 ? job->base * ((double)job->vocab * e.log_sum - e.total) : 0;
    dgm_real losses[2];

    job->losses = losses;
    job->logits = room + 1;
    for (job->want_gradient = 0; job->want_gradient < 2; job->want_gradient++) {
        memcpy(room + 1, x, (size_t)job->vocab * sizeof *x);
        room[0] = room[job->vocab + 1] = 77;
        rows->cross_entropy(job, 0, 1);
        CHECK_NEAR(losses[1], plain, 1e-6 * fabs(plain) + 1e-15);
        if (isfinite(smooth))
            CHECK_NEAR(losses[0], smooth + job->extra * plain, 1e-6 * (fabs(smooth) + fabs(plain)));
        CHECK(room[0] == 77 && room[job->vocab + 1] == 77);
        if (!job->want_gradient)
            CHECK_MEM(room + 1, x, (size_t)job->vocab * sizeof *x);
    }
    check_gradient(x, room + 1, job, &e);
}

static void check_loss(int64_t vocab, int kinds)
{
    static const double smoothing[3] = { 0, 0.1, 0.9 };
    dgm_real *x = dgm_alloc(test_env(), (size_t)vocab, sizeof *x);
    dgm_real *room = dgm_alloc(test_env(), (size_t)vocab + 2, sizeof *room);
    struct dgm_random random;
    int32_t target;
    struct dgm_loss_rows job = { NULL, NULL, &target, vocab, 0, 0, (dgm_real)0.25, 0 };

    dgm_random_init(&random, 5, 0, (uint32_t)vocab, 0);
    for (size_t i = 0; x && room && i < dgm_kernels_count(); i++)
        for (int kind = 0; kind < kinds && dgm_kernels_entry(i); kind++)
            for (int s = 0; s < 3; s++) {
                scores(x, vocab, kind, &random);
                target = (int32_t)(kind == CONFIDENT ? vocab / 3 : vocab / 2 > 0 ? 1 : 0);
                job.base = smoothing[s] / (double)vocab;
                job.extra = 1 - smoothing[s];
                check_loss_row(dgm_kernels_entry(i)->rows, x, room, &job);
            }
    dgm_release(test_env(), x);
    dgm_release(test_env(), room);
}

TEST(kernel_cross_entropy_keeps_six_digits)
{
    static const int64_t vocabs[] = { 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 67, 131, 1031, 10000 };

    for (size_t i = 0; i < sizeof vocabs / sizeof vocabs[0]; i++)
        check_loss(vocabs[i], vocabs[i] > 2 ? KINDS : RANDOM + 1);
}

TEST(kernel_cross_entropy_reproduces_the_worked_example)
{
    static const double want[5] = { 0.187124, 0.105627, -0.356979, 0.008031, 0.056197 };
    const int32_t target = 2;

    for (size_t i = 0; i < dgm_kernels_count(); i++) {
        dgm_real x[5] = { 1, (dgm_real)0.5, 2, -1, 0 }, losses[2];
        struct dgm_loss_rows job = { x, losses, &target, 5, 0.02, 0.9, 1, 1 };
        if (!dgm_kernels_entry(i))
            continue;
        dgm_kernels_entry(i)->rows->cross_entropy(&job, 0, 1);
        CHECK_NEAR(losses[0], 0.724438, 1e-6);
        CHECK_NEAR(losses[1], 0.574438, 1e-6);
        for (int j = 0; j < 5; j++)
            CHECK_NEAR(x[j], want[j], 1e-6);
    }
}

TEST(kernel_cross_entropy_shows_a_nan)
{
    const int32_t target = 2;

    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int at = 0; at < 40 && dgm_kernels_entry(i); at++) {
            dgm_real x[40] = { 0 }, losses[2];
            struct dgm_loss_rows job = { x, losses, &target, 40, 0.001, 0.96, 1, 1 };
            x[at] = (dgm_real)NAN;
            dgm_kernels_entry(i)->rows->cross_entropy(&job, 0, 1);
            CHECK(isnan(losses[0]) && (isnan(losses[1])));
        }
}

/* ---- log softmax ----------------------------------------------------------------------------- */

static void check_log_softmax(const struct dgm_row_kernels *rows, int64_t vocab, int kind,
                              struct dgm_random *random)
{
    static struct case_array x, y;
    struct exact e;

    case_array_begin(&x, vocab, kind % CASE_SHIFTS);
    case_array_begin(&y, vocab, 0);
    scores(x.x, vocab, kind, random);
    e = exact_of(x.x, vocab);
    rows->log_softmax(y.x, x.x, 1, vocab);
    CHECK(case_array_is_intact(&y));
    for (int64_t j = 0; j < vocab; j++) {
        double want = (double)x.x[j] - e.largest - e.log_sum;
        CHECK_NEAR(y.x[j], want,
                   isinf(want)
                       ? 0
                       : 4 * case_unit() * fabs(want) + 1e-15 + exp_tolerance(-20) * e.log_sum);
    }
    rows->log_softmax(x.x, x.x, 1, vocab);
    CHECK(case_same(x.x, y.x, vocab));
}

TEST(kernel_log_softmax_agrees_with_double)
{
    struct dgm_random random;

    dgm_random_init(&random, 6, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int size = 1; case_size(size) >= 0 && dgm_kernels_entry(i); size++)
            for (int kind = 0; kind < KINDS; kind++)
                check_log_softmax(dgm_kernels_entry(i)->rows, case_size(size),
                                  size > 2 ? kind : RANDOM, &random);
}

/* ---- the k best ------------------------------------------------------------------------------ */

/* Whether entry a goes before entry b: larger, numbers before NaN, then the smaller index. */
static int goes_before(const dgm_real *x, int64_t a, int64_t b)
{
    if (x[a] > x[b] || (isnan(x[b]) && !isnan(x[a])))
        return 1;
    if (x[b] > x[a] || (isnan(x[a]) && !isnan(x[b])))
        return 0;
    return a < b;
}

/* By its definition: entry j has as many allowed entries before it as its place says. */
static void check_order(const dgm_real *x, const struct dgm_top_k_job *job)
{
    for (int64_t j = 0; j < job->vocab; j++) {
        int64_t place = 0;
        if (j == job->forbidden[0] || j == job->forbidden[1])
            continue;
        for (int64_t other = 0; other < job->vocab; other++)
            place += other != job->forbidden[0] && other != job->forbidden[1] &&
                     goes_before(x, other, j);
        if (place < job->k)
            CHECK_INT(job->ids[place], j);
    }
}

static void check_top_k(const struct dgm_row_kernels *rows, int64_t vocab, int64_t k, int nans,
                        struct dgm_random *random)
{
    static dgm_real x[300], values[70], y[300];
    static int32_t ids[70];
    struct dgm_top_k_job job = {
        .values = values, .ids = ids, .x = x, .vocab = vocab, .k = k, .forbidden = { -1, -1 }
    };

    for (int64_t j = 0; j < vocab; j++) {
        x[j] = (dgm_real)dgm_random_below(random, 50); /* many ties */
        if (nans > 0 && dgm_random_below(random, 3) < (uint32_t)nans)
            x[j] = (dgm_real)(dgm_random_below(random, 4) ? NAN : -INFINITY);
    }
    job.forbidden[dgm_random_below(random, 2)] = (int32_t)dgm_random_below(random, 6) - 1;
    for (job.normalize = 0; job.normalize < 2; job.normalize++) {
        int64_t allowed = vocab - (job.forbidden[0] >= 0 && job.forbidden[0] < vocab) -
                          (job.forbidden[1] >= 0 && job.forbidden[1] < vocab);
        rows->log_softmax(y, x, 1, vocab);
        rows->top_k(&job, 0, 1);
        check_order(x, &job);
        for (int64_t i = 0; i < k; i++) {
            CHECK(ids[i] >= 0 || i >= allowed);
            if (ids[i] < 0)
                CHECK(values[i] == -(dgm_real)INFINITY);
            else
                CHECK(case_same(values + i, (job.normalize ? y : x) + ids[i], 1));
        }
    }
}

TEST(kernel_top_k_is_in_order_with_ties_and_nans)
{
    static const int64_t counts[] = { 1, 2, 5, 10, 64 };
    struct dgm_random random;

    dgm_random_init(&random, 7, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int size = 1; case_size(size) >= 0 && case_size(size) < 300; size++)
            for (int c = 0; c < 5 && dgm_kernels_entry(i); c++)
                check_top_k(dgm_kernels_entry(i)->rows, case_size(size), counts[c], (size + c) % 4,
                            &random);
}
