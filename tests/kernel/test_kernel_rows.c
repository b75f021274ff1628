/*
 * test_kernel_rows.c: the kernels on rows of width D, of every instruction set this machine runs,
 * against plain C: look-up, dropout, norm, column sums.
 */
#include "kernel_case.h"

enum { ROWS = 5, VOCAB = 7 };

static const int64_t dims[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 65, 67, 131, 197 };

enum { DIMS = sizeof dims / sizeof dims[0] };

/* Sentence and position; ids with a repetition. */
static const int32_t places[2 * ROWS] = { 3, 0, 3, 1, 900, 4, 2000000000, 2, 0, 0 };
static const int32_t ids[ROWS] = { 2, 6, 0, 2, 2 };

static struct dgm_mask mask_at(double rate)
{
    const uint32_t key[2] = { 0xdeadbeefu, 77 };

    return dgm_mask_make((dgm_real)rate, 5, key);
}

/* Runs `check` for every instruction set, width and alignment. */
static void for_all(void (*check)(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                                  struct dgm_random *random))
{
    struct dgm_random random;

    dgm_random_init(&random, 4, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int d = 0; d < DIMS && dgm_kernels_entry(i); d++)
            for (int shift = 0; shift <= CASE_SHIFTS; shift += CASE_SHIFTS)
                check(dgm_kernels_entry(i)->rows, dims[d], shift, &random);
}

static void copy_case(struct case_array *to, const struct case_array *from, int shift)
{
    case_array_begin(to, from->count, shift);
    memcpy(to->x, from->x, (size_t)from->count * sizeof(dgm_real));
}

/* ---- dropout --------------------------------------------------------------------------------- */

static void check_philox(const struct dgm_row_kernels *rows, int64_t blocks)
{
    static const uint32_t rest[3] = { 11, 0xfffffff0u, 3 }, key[2] = { 1, 0x80000000u };
    const uint32_t first = 0xfffffff0u; /* the counter wraps */
    uint32_t words[4 * 70 + 1], want[4];

    words[4 * blocks] = 42;
    rows->philox(words, first, blocks, rest, key);
    for (int64_t b = 0; b < blocks; b++) {
        const uint32_t counter[4] = { first + (uint32_t)b, rest[0], rest[1], rest[2] };
        dgm_philox(want, counter, key);
        CHECK_MEM(words + 4 * b, want, sizeof want);
    }
    CHECK_INT(words[4 * blocks], 42);
}

TEST(kernel_philox_has_the_words_of_the_scalar_one)
{
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int64_t blocks = 0; blocks <= 67 && dgm_kernels_entry(i); blocks++)
            check_philox(dgm_kernels_entry(i)->rows, blocks);
}

/* The definition in kernel/task/numbers.h, word by word. */
static void check_drop_definition(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                                  struct dgm_random *random)
{
    static struct case_array r, y;
    const dgm_real rate = (dgm_real)0.3;
    const uint32_t threshold = (uint32_t)((double)rate * 4294967296.0);
    struct dgm_residual_forward_job job = { .places = places, .dim = dim, .mask = mask_at(0.3) };

    case_array_begin(&r, ROWS * dim, shift);
    case_array_begin(&y, ROWS * dim, 0);
    case_array_random(&r, random);
    job.y = y.x;
    job.r = r.x;
    rows->residual(&job, 0, ROWS);
    CHECK(case_array_is_intact(&y));
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t c = 0; c < dim; c++) {
            const uint32_t counter[4] = { (uint32_t)(c / 4), (uint32_t)places[2 * i + 1],
                                          (uint32_t)places[2 * i], 5 };
            uint32_t words[4];
            dgm_philox(words, counter, job.mask.key);
            CHECK_NEAR(y.x[i * dim + c],
                       words[c % 4] >= threshold ? (double)r.x[i * dim + c] / (1 - (double)rate)
                                                 : 0,
                       1e-6);
        }
}

TEST(kernel_dropout_is_the_function_of_the_definition)
{
    for_all(check_drop_definition);
}

static void check_residual(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                           struct dgm_random *random)
{
    static struct case_array x, r, want, got;

    for (int variant = 0; variant < 4; variant++) {
        struct dgm_residual_forward_job job = { .places = places,
                                                .dim = dim,
                                                .mask = mask_at(variant & 1 ? 0.4 : 0) };
        case_array_begin(&x, ROWS * dim, 0);
        case_array_begin(&r, ROWS * dim, shift);
        case_array_hostile(&x, random);
        case_array_hostile(&r, random);
        copy_case(&want, &x, 0);
        copy_case(&got, &x, shift);
        job.r = r.x;
        job.y = want.x;
        job.x = variant & 2 ? want.x : NULL;
        dgm_rows_c.residual(&job, 1, ROWS);
        job.y = got.x;
        job.x = variant & 2 ? got.x : NULL;
        rows->residual(&job, 1, ROWS);
        CHECK(case_same(want.x, got.x, ROWS * dim));
        CHECK(case_array_is_intact(&got));
    }
}

TEST(kernel_residual_has_the_bits_of_plain_c)
{
    for_all(check_residual);
}

/* ---- embedding ------------------------------------------------------------------------------- */

static void check_embed(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                        struct dgm_random *random)
{
    static dgm_real table[VOCAB * 200], positions[VOCAB * 200];
    static struct case_array want, got;
    const int64_t ld = dim + shift;

    for (int64_t i = 0; i < VOCAB * 200; i++) {
        table[i] = (dgm_real)(dgm_random_unit(random) - 0.5);
        positions[i] = (dgm_real)(dgm_random_unit(random) - 0.5);
    }
    for (int variant = 0; variant < 4; variant++) {
        struct dgm_embed_forward_job job = { .table = table,
                                             .ids = ids,
                                             .positions = variant & 2 ? positions : NULL,
                                             .places = places,
                                             .dim = dim,
                                             .ldy = ld,
                                             .ld_table = dim + shift / 3,
                                             .scale = (dgm_real)1.3,
                                             .mask = mask_at(variant & 1 ? 0.4 : 0) };
        case_array_begin(&want, ROWS * ld, 0);
        case_array_begin(&got, ROWS * ld, shift);
        for (int64_t i = 0; i < ROWS * ld; i++)
            want.x[i] = got.x[i] = 9; /* what lies between rows stays */
        job.y = want.x;
        dgm_rows_c.embed_forward(&job, 0, ROWS);
        job.y = got.x;
        rows->embed_forward(&job, 0, ROWS);
        CHECK(case_same(want.x, got.x, ROWS * ld));
        CHECK(case_array_is_intact(&got));
        CHECK(ld == dim || (got.x[dim] == 9 && got.x[ROWS * ld - 1] == 9));
    }
}

TEST(kernel_embedding_has_the_bits_of_plain_c)
{
    for_all(check_embed);
}

/* Cut at a multiple of 4, whatever the vector. */
static void check_embed_backward(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                                 struct dgm_random *random)
{
    static dgm_real want[VOCAB * 200], got[VOCAB * 200];
    static struct case_array dy;
    const int64_t cut = dim / 8 * 4, ld = dim + shift;

    case_array_begin(&dy, ROWS * ld, shift);
    case_array_random(&dy, random);
    for (int variant = 0; variant < 2; variant++) {
        struct dgm_embed_backward_job job = { .dtable = want,
                                              .dy = dy.x,
                                              .ids = ids,
                                              .places = places,
                                              .rows = ROWS,
                                              .ldy = ld,
                                              .ld_table = dim + shift / 3,
                                              .scale = (dgm_real)1.3,
                                              .mask = mask_at(variant ? 0.4 : 0) };
        for (int64_t i = 0; i < VOCAB * 200; i++)
            want[i] = got[i] = (dgm_real)i;
        dgm_rows_c.embed_backward(&job, 0, dim);
        job.dtable = got;
        rows->embed_backward(&job, cut, dim);
        rows->embed_backward(&job, 0, cut);
        CHECK(case_same(want, got, VOCAB * 200));
    }
}

TEST(kernel_embedding_gradient_has_the_bits_of_plain_c)
{
    for_all(check_embed_backward);
}

/* ---- norm ------------------------------------------------------------------------------------ */

enum { MILD, LARGE_MEAN, ONE_HUGE, CONSTANT, ZERO, NORM_KINDS };

static void norm_input(struct case_array *x, int kind, struct dgm_random *random)
{
    case_array_random(x, random);
    for (int64_t i = 0; i < x->count; i++) {
        if (kind == LARGE_MEAN)
            x->x[i] += 300;
        if (kind == CONSTANT || kind == ZERO)
            x->x[i] = kind == ZERO ? 0 : (dgm_real)0.7;
    }
    if (kind == ONE_HUGE)
        x->x[x->count / 2] = (dgm_real)1e6;
}

/*
 * Mean and variance carry the error of sums of D terms of size max |x|, at most D / 4 long in one
 * lane; divided by the deviation it reaches y times the gain.
 */
static double norm_tolerance(const struct dgm_norm_forward_job *job, int64_t row, double inverse)
{
    double most = case_largest(job->x + row * job->dim, job->dim);

    return case_unit() * (16 + (double)job->dim / 2) *
           (1 + most * inverse * (1 + case_largest(job->gain, job->dim)));
}

static void check_norm_forward(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                               struct dgm_random *random)
{
    static struct case_array x, gain, bias, want, got;
    dgm_real want_stats[2 * ROWS], got_stats[2 * ROWS];

    for (int kind = 0; kind < NORM_KINDS; kind++) {
        struct dgm_norm_forward_job job;
        case_array_begin(&x, ROWS * dim, shift);
        case_array_begin(&gain, dim, 0);
        case_array_begin(&bias, dim, 1);
        case_array_begin(&want, ROWS * dim, 0);
        case_array_begin(&got, ROWS * dim, shift);
        norm_input(&x, kind, random);
        case_array_random(&gain, random);
        case_array_random(&bias, random);
        job.x = x.x, job.gain = gain.x, job.bias = bias.x;
        job.dim = dim, job.eps = (dgm_real)1e-5;
        job.y = want.x, job.stats = want_stats;
        dgm_rows_c.norm_forward(&job, 0, ROWS);
        job.y = got.x, job.stats = got_stats;
        rows->norm_forward(&job, 0, ROWS);
        CHECK(case_array_is_intact(&got));
        for (int64_t i = 0; i < ROWS * dim; i++)
            CHECK_NEAR(got.x[i], want.x[i],
                       norm_tolerance(&job, i / dim, (double)want_stats[2 * (i / dim) + 1]));
        for (int64_t i = 0; i < ROWS; i++)
            CHECK_NEAR(got_stats[2 * i], want_stats[2 * i],
                       case_unit() * (double)(4 + dim) * case_largest(x.x + i * dim, dim));
        job.stats = NULL;
        rows->norm_forward(&job, 0, ROWS);
    }
}

TEST(kernel_norm_agrees_with_plain_c)
{
    for_all(check_norm_forward);
}

TEST(kernel_norm_reproduces_the_worked_example)
{
    static const dgm_real x[4] = { 1, 2, 3, 6 }, gain[4] = { 1, 2, 1, 1 };
    static const dgm_real bias[4] = { 0, 0, 1, 0 }, dy[4] = { 1, -1, (dgm_real)0.5, 0 };
    static const double want_y[4] = { -1.069043, -1.069043, 1, 1.603565 };
    static const double want_dx[4] = { 0.601337, -1.002228, 0.334076, 0.066815 };

    for (size_t i = 0; i < dgm_kernels_count(); i++) {
        dgm_real y[4], stats[2], dx[4], dgain[4] = { 0 }, dbias[4] = { 0 };
        const struct dgm_norm_forward_job forward = { .y = y,
                                                      .stats = stats,
                                                      .x = x,
                                                      .gain = gain,
                                                      .bias = bias,
                                                      .dim = 4,
                                                      .eps = (dgm_real)1e-5 };
        const struct dgm_norm_backward_job backward = {
            .dx = dx, .dy = dy, .x = x, .stats = stats, .gain = gain, .dim = 4
        };
        if (!dgm_kernels_entry(i))
            continue;
        dgm_kernels_entry(i)->rows->norm_forward(&forward, 0, 1);
        dgm_kernels_entry(i)->rows->norm_backward(&backward, 0, 1, dgain, dbias);
        for (int c = 0; c < 4; c++) {
            CHECK_NEAR(y[c], want_y[c], 1e-6);
            CHECK_NEAR(dx[c], want_dx[c], 1e-6);
            CHECK_NEAR(dbias[c], dy[c], 0);
        }
    }
}

static void check_norm_backward(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                                struct dgm_random *random)
{
    static struct case_array x, dy, gain, want, got, want_sums, got_sums, y;
    dgm_real stats[2 * ROWS];

    for (int accumulate = 0; accumulate < 2; accumulate++) {
        struct dgm_norm_forward_job forward;
        struct dgm_norm_backward_job job;
        double unit = case_unit() * (double)(16 + dim), most;
        case_array_begin(&x, ROWS * dim, shift);
        case_array_begin(&dy, ROWS * dim, 1);
        case_array_begin(&gain, dim, 2);
        case_array_begin(&y, ROWS * dim, 0);
        case_array_begin(&want, ROWS * dim, 0);
        case_array_begin(&want_sums, 2 * dim, 0);
        case_array_random(&x, random);
        case_array_random(&dy, random);
        case_array_random(&gain, random);
        case_array_random(&want, random);
        case_array_random(&want_sums, random);
        copy_case(&got, &want, shift);
        copy_case(&got_sums, &want_sums, shift);
        forward.y = y.x, forward.stats = stats, forward.x = x.x, forward.dim = dim;
        forward.gain = forward.bias = gain.x, forward.eps = (dgm_real)1e-5;
        dgm_rows_c.norm_forward(&forward, 0, ROWS);
        job.dx = want.x, job.dy = dy.x, job.x = x.x, job.stats = stats, job.gain = gain.x;
        job.dim = dim, job.accumulate = accumulate;
        dgm_rows_c.norm_backward(&job, 0, ROWS, want_sums.x, want_sums.x + dim);
        job.dx = got.x;
        rows->norm_backward(&job, 0, ROWS, got_sums.x, got_sums.x + dim);
        CHECK(case_array_is_intact(&got));
        CHECK(case_array_is_intact(&got_sums));
        /* |u| <= 4, |h| <= sqrt(D): sums of D products, over D, times the inverse deviation. */
        most = 4 * (2 + (double)dim);
        for (int64_t i = 0; i < ROWS * dim; i++)
            CHECK_NEAR(got.x[i], want.x[i], unit * (2 + most * (double)stats[2 * (i / dim) + 1]));
        for (int64_t i = 0; i < 2 * dim; i++)
            CHECK_NEAR(got_sums.x[i], want_sums.x[i],
                       case_unit() * 8 * ROWS * (2 + 2 * sqrt((double)dim)));
    }
}

TEST(kernel_norm_gradient_agrees_with_plain_c)
{
    for_all(check_norm_backward);
}

/* ---- column sums ----------------------------------------------------------------------------- */

static void check_column_sums(const struct dgm_row_kernels *rows, int64_t dim, int shift,
                              struct dgm_random *random)
{
    static struct case_array x, want, got;
    const int64_t ldx = dim + 2;

    case_array_begin(&x, ROWS * ldx, shift);
    case_array_begin(&want, dim, 0);
    case_array_hostile(&x, random);
    case_array_random(&want, random);
    copy_case(&got, &want, shift);
    dgm_rows_c.column_sums(want.x, x.x, ldx, ROWS, dim);
    rows->column_sums(got.x, x.x, ldx, ROWS, dim);
    CHECK(case_array_is_intact(&got));
    for (int64_t c = 0; c < dim; c++) {
        double most = 2;
        for (int64_t i = 0; i < ROWS; i++)
            most += fabs((double)x.x[i * ldx + c]);
        CHECK_NEAR(got.x[c], want.x[c], case_unit() * (ROWS + 2) * most);
    }
}

TEST(kernel_column_sums_agree_with_plain_c)
{
    for_all(check_column_sums);
}
