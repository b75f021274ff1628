/*
 * test_kernel_attention.c: every attention kernel against the naive formulation, the naive
 * gradients against finite differences, and the promises about bits.
 */
#include "attention_naive.h"

static const int terms[] = { 0,
                             CASE_CAUSAL,
                             CASE_SHAW,
                             CASE_CAUSAL | CASE_SHAW,
                             CASE_LABELS,
                             CASE_SHAW | CASE_LABELS,
                             CASE_FACTOR,
                             CASE_FACTOR | CASE_ADDEND | CASE_HIDDEN,
                             CASE_DROP,
                             CASE_KEY_ROWS,
                             CASE_HIDDEN | CASE_DROP | CASE_ADD_GRADS,
                             CASE_FACTORS,
                             CASE_FACTOR | CASE_FACTORS,
                             CASE_CENTER,
                             CASE_CENTER | CASE_WINDOW,
                             CASE_CAUSAL | CASE_CENTER | CASE_WINDOW | CASE_DROP,
                             CASE_FORCED,
                             CASE_CAUSAL | CASE_FORCED | CASE_DROP,
                             CASE_NARROW,
                             CASE_NARROW | CASE_SHAW | CASE_LABELS | CASE_KEY_ROWS,
                             CASE_ALL,
                             CASE_ALL & ~CASE_CAUSAL };

static const int64_t dims[] = { 1, 4, 7, 8, 16, 19, 32, 33, 64, 71 };

enum { TERMS = sizeof terms / sizeof terms[0], DIMS = sizeof dims / sizeof dims[0] };

/* The largest number of a part, at least 1. */
static double largest(const struct attention_case *c, int p)
{
    double most = 1;
    int64_t i;

    for (i = c->begin[p]; i < c->begin[p + 1]; i++)
        if (fabs(c->naive[i]) > most && fabs(c->naive[i]) < 1e30)
            most = fabs(c->naive[i]);
    return most;
}

/*
 * Rounding: an output is a sum of at most m + n + labels terms that hold products of length dim,
 * and exp turns the absolute error of a score, a few units here, into a relative one. The errors
 * of so many steps add up like a random walk, in units of the largest number of the part. A window
 * far from every visible key makes all scores of a row large, and so their errors.
 */
static double tolerance(const struct attention_case *c, int p)
{
    const struct dgm_attention_block *b = &c->block;
    double unit = sizeof(dgm_real) == 4 ? 1.2e-7 : 1e-15;
    double score = b->center != NULL ? largest(c, CASE_LSE) : 1;

    return unit * score * largest(c, p) *
           sqrt((double)(b->dim + b->m + b->n + CASE_LABEL_COUNT + 8));
}

static void compare(const struct attention_case *c, const dgm_real *out)
{
    int64_t i;
    int p;

    for (p = 0; p < CASE_PARTS; p++) {
        double within = tolerance(c, p);
        for (i = c->begin[p]; i < c->begin[p + 1]; i++) {
            if (case_is_used(c, p, i - c->begin[p]))
                CHECK_NEAR(out[i], c->naive[i], within);
            else
                CHECK(out[i] == c->start[i]);
        }
    }
}

static void check_kernel(const struct dgm_attention_kernels *kernels, struct attention_case *c)
{
    dgm_real *out = case_output(c);

    CHECK(out != NULL);
    kernels->forward(&c->block);
    kernels->backward(&c->block);
    compare(c, out);
}

static void check_shape(const struct dgm_attention_kernels *kernels, uint64_t seed, int64_t n,
                        int64_t m, int64_t dim, int flags)
{
    struct attention_case c;
    double *rows;

    CHECK(case_make(&c, seed, n, m, dim, flags));
    rows = dgm_arena_alloc(test_env(), &c.arena, (size_t)m * 2 + 1, sizeof *rows);
    if (rows != NULL) {
        naive_attention(&c, rows);
        check_kernel(kernels, &c);
    }
    case_clear(&c);
}

static void check_shapes(const struct dgm_attention_kernels *kernels)
{
    struct dgm_random random;
    int64_t n, m;
    int i, j;

    dgm_random_init(&random, 4, 0, 0, 0);
    for (i = 0; i < TERMS; i++)
        for (j = 0; j < DIMS; j++) {
            n = 1 + (int64_t)dgm_random_below(&random, j % 2 ? 70 : 12);
            m = j % 3 ? n : 1 + (int64_t)dgm_random_below(&random, 70);
            check_shape(kernels, (uint64_t)(100 * i + j), n, m, dims[j], terms[i]);
        }
    check_shape(kernels, 1, 0, 5, 16, 0);
    check_shape(kernels, 2, 0, 5, 16, CASE_ALL);
    check_shape(kernels, 3, 5, 0, 16, 0);
    check_shape(kernels, 4, 33, 32, 16, CASE_ALL);
    check_shape(kernels, 5, 65, 130, 8, CASE_CAUSAL | CASE_SHAW);
}

TEST(kernel_attention_in_c_equals_the_naive_formulation)
{
    check_shapes(&dgm_attention_c);
}

TEST(kernel_attention_of_every_instruction_set_equals_the_naive_formulation)
{
    size_t i;

    for (i = 0; i < dgm_kernels_count(); i++)
        if (dgm_kernels_entry(i) != NULL)
            check_shapes(dgm_kernels_entry(i)->attention);
}

/* Central differences of the naive loss at one input, against the naive gradient. */
static void check_difference(struct attention_case *c, double *rows, dgm_real *input, double want)
{
    dgm_real old = *input, high = old + (dgm_real)1e-3, low = old - (dgm_real)1e-3;
    double above, below;

    *input = high;
    above = naive_attention(c, rows);
    *input = low;
    below = naive_attention(c, rows);
    *input = old;
    CHECK_NEAR((above - below) / ((double)high - (double)low), want, 1e-5 * (1 + fabs(want)));
}

static void check_differences(int flags, int64_t n, int64_t m, int64_t dim)
{
    struct attention_case c;
    double *rows, *grads;
    int64_t i, size;
    int p;

    CHECK(case_make(&c, 9, n, m, dim, flags));
    memset(c.start, 0, (size_t)c.begin[CASE_PARTS] * sizeof *c.start);
    size = c.begin[CASE_PARTS];
    rows = dgm_arena_alloc(test_env(), &c.arena, (size_t)m * 2, sizeof *rows);
    grads = dgm_arena_alloc(test_env(), &c.arena, (size_t)size, sizeof *grads);
    if (rows != NULL && grads != NULL) {
        naive_attention(&c, rows);
        memcpy(grads, c.naive, (size_t)size * sizeof *grads);
        for (p = CASE_DQ; p < CASE_PARTS; p++)
            for (i = 0; i < c.begin[p + 1] - c.begin[p]; i += 1 + i % 3)
                if (case_is_used(&c, p, i))
                    check_difference(&c, rows, c.inputs[p] + i, grads[c.begin[p] + i]);
    }
    case_clear(&c);
}

TEST(kernel_attention_grad_of_the_naive_formulation_equals_finite_differences)
{
    int i;

    for (i = 0; i < TERMS; i++)
        check_differences(terms[i], 5, 6, 3);
}

/* Row i of a causal block against a block of one query and i + m - n + 1 keys. */
static void check_increments(const struct dgm_attention_kernels *kernels, int64_t n, int64_t dim,
                             int flags)
{
    struct attention_case c;
    struct dgm_attention_block b;
    dgm_real z[80], *out;
    int64_t i;

    CHECK(case_make(&c, 21, n, n, dim, flags | CASE_CAUSAL));
    out = case_output(&c);
    CHECK(out != NULL);
    kernels->forward(&c.block);
    b = c.block;
    b.n = 1;
    b.z = z;
    b.lse = NULL;
    for (i = 0; i < n; i++) {
        int64_t at = i * b.ld_heads;
        b.center = c.block.center != NULL ? c.block.center + at : NULL;
        b.window = c.block.window != NULL ? c.block.window + at : NULL;
        b.m = i + 1;
        b.causal = (int)(i % 2);
        b.q = c.block.q + i * b.ldq;
        b.places = c.block.places != NULL ? c.block.places + 2 * i : NULL;
        kernels->forward(&b);
        CHECK_MEM(z, out + i * b.ldz, (size_t)dim * sizeof *z);
    }
    case_clear(&c);
}

TEST(kernel_attention_row_has_the_bits_of_an_incremental_call)
{
    size_t k;
    int j;

    for (k = 0; k < dgm_kernels_count(); k++)
        for (j = 0; j < DIMS && dgm_kernels_entry(k) != NULL; j++) {
            check_increments(dgm_kernels_entry(k)->attention, 70, dims[j], 0);
            check_increments(dgm_kernels_entry(k)->attention, 35, dims[j], CASE_SHAW | CASE_DROP);
            check_increments(dgm_kernels_entry(k)->attention, 35, dims[j],
                             CASE_CENTER | CASE_WINDOW);
        }
}

/* Weights become visible with one-hot values: z_i = the dropped-out row of A. */
static void check_dropped(const struct dgm_attention_kernels *kernels)
{
    enum { SIZE = 64 };
    struct attention_case c;
    dgm_real *out, *v;
    int64_t i, j, dropped = 0;

    CHECK(case_make(&c, 31, SIZE, SIZE, SIZE, CASE_DROP));
    v = c.inputs[CASE_DV];
    for (i = 0; i < SIZE; i++)
        for (j = 0; j < SIZE; j++)
            v[i * c.block.ldv + j] = i == j;
    out = case_output(&c);
    CHECK(out != NULL);
    kernels->forward(&c.block);
    for (i = 0; i < SIZE; i++)
        for (j = 0; j < SIZE; j++) {
            CHECK((out[i * c.block.ldz + j] == 0) == (naive_keep(&c.block, i, j) == 0));
            dropped += out[i * c.block.ldz + j] == 0;
        }
    /* 4096 draws at 0.25: four standard deviations are 0.027. */
    CHECK_NEAR((double)dropped / (SIZE * SIZE), 0.25, 0.027);
    case_clear(&c);
}

TEST(kernel_attention_drops_what_the_philox_words_say)
{
    size_t i;

    for (i = 0; i < dgm_kernels_count(); i++)
        if (dgm_kernels_entry(i) != NULL)
            check_dropped(dgm_kernels_entry(i)->attention);
}

/* Broken weights must show: a NaN among the keys is not taken for a hidden row. */
TEST(kernel_attention_lets_nan_through)
{
    size_t k;

    for (k = 0; k < dgm_kernels_count(); k++) {
        struct attention_case c;
        dgm_real *out;
        int64_t i;

        if (dgm_kernels_entry(k) == NULL)
            continue;
        CHECK(case_make(&c, 41, 3, 9, 16, 0));
        out = case_output(&c);
        CHECK(out != NULL);
        for (i = 0; i < 16; i++)
            c.inputs[CASE_DQ][i] = (dgm_real)NAN;
        dgm_kernels_entry(k)->attention->forward(&c.block);
        CHECK(isnan(out[0]) && !isnan(out[c.block.ldz]));
        case_clear(&c);
    }
}
