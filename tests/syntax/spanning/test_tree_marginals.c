/* test_tree_marginals.c: sums over trees, against all trees of short sentences. */
#include "syntax/spanning/tree_marginals.h"

#include "forest.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* p: (n+1,n+1). Returns log Z, -infinity where no tree is possible. */
static double sum_all(const struct forest *all, double *p, const dgm_real *scores, int32_t n,
                      int single_root)
{
    double peak = -HUGE_VAL, z = 0, weight;
    struct total total;
    int pass, cell;
    size_t i;
    int32_t d;

    for (cell = 0; cell < (n + 1) * (n + 1); cell++)
        p[cell] = 0;
    for (pass = 0; pass < 2; pass++) {
        for (i = 0; i < all->count; i++) {
            const int32_t *head = all->head + i * (size_t)n;

            total = total_of(scores, head, n);
            if (total.banned > 0 || (single_root && all->roots[i] != 1))
                continue;
            if (pass == 0) {
                peak = total.score > peak ? total.score : peak;
                continue;
            }
            weight = exp(total.score - peak);
            z += weight;
            for (d = 1; d <= n; d++)
                p[d * (n + 1) + head[d - 1]] += weight;
        }
    }
    for (cell = 0; cell < (n + 1) * (n + 1) && z > 0; cell++)
        p[cell] /= z;
    return z > 0 ? log(z) + peak : -HUGE_VAL;
}

static void expect_rows_of_one(const double *p, int32_t n, double tolerance)
{
    int32_t d, h;

    for (d = 1; d <= n; d++) {
        double sum = 0;

        for (h = 0; h <= n; h++)
            sum += p[d * (n + 1) + h];
        CHECK_NEAR(sum, 1, tolerance);
        CHECK_INT(p[d * (n + 1) + d] == 0, 1);
        CHECK_INT(p[d] == 0, 1);
    }
}

static void expect_sums(const struct forest *all, const dgm_real *scores, int32_t n,
                        int single_root)
{
    struct dgm_env *env = test_env();
    double want[MOST_CELLS], got[MOST_CELLS], log_z = -7;
    double want_z = sum_all(all, want, scores, n, single_root);
    int32_t i;

    if (want_z == -HUGE_VAL) {
        CHECK_STATUS(dgm_tree_marginals(env, got, &log_z, scores, n, single_root), DGM_FAILURE);
        CHECK_NEAR(log_z, -7, 0);
        dgm_env_clear_error(env);
        return;
    }
    CHECK_STATUS(dgm_tree_marginals(env, got, &log_z, scores, n, single_root), DGM_OK);
    CHECK_NEAR(log_z, want_z, 1e-9 * (1 + fabs(want_z)));
    for (i = 0; i < (n + 1) * (n + 1); i++)
        CHECK_NEAR(got[i], want[i], 1e-9);
    expect_rows_of_one(got, n, 1e-9);
}

/* Also far from 0, as only differences within a row matter. */
TEST(spanning_marginals_agree_with_the_sum_over_all_trees)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    dgm_real scores[MOST_CELLS];
    struct forest all;
    int32_t n, i;
    int round;

    dgm_random_init(&random, 35, 1, 0, 0);
    for (n = 1; n <= MOST_WORDS; n++) {
        CHECK_STATUS(list_trees(env, &all, n), DGM_OK);
        for (round = 0; round < (n < 6 ? 300 : 60); round++) {
            random_scores(&random, scores, n, round % NOTHING);
            for (i = 0; i < (n + 1) * (n + 1); i++)
                scores[i] += round % 3 == 0 ? -2048 : round % 3 == 1 ? 1024 : 0;
            expect_sums(&all, scores, n, 0);
            expect_sums(&all, scores, n, 1);
        }
        clear_trees(env, &all);
    }
}

/* One root at any price: the level of the root's arcs cancels. */
TEST(spanning_marginals_of_single_roots_bear_any_level_of_root_scores)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    dgm_real scores[MOST_CELLS];
    struct forest all;
    int32_t n = 5, d;
    int round;

    dgm_random_init(&random, 36, 1, 0, 0);
    CHECK_STATUS(list_trees(env, &all, n), DGM_OK);
    for (round = 0; round < 40; round++) {
        random_scores(&random, scores, n, TIES);
        for (d = 1; d <= n; d++)
            scores[d * (n + 1)] += round % 2 == 0 ? -5000 : 5000;
        expect_sums(&all, scores, n, 1);
    }
    clear_trees(env, &all);
}

/* Cayley: (n+1)^(n-1) trees, n^(n-1) of them with a single root. */
TEST(spanning_partition_counts_trees_as_cayley)
{
    struct dgm_env *env = test_env();
    dgm_real *scores = dgm_alloc(env, 201 * 201, sizeof *scores);
    double *p = dgm_alloc(env, 201 * 201, sizeof *p), log_z;
    int32_t n = 200;

    CHECK(scores != NULL && p != NULL);
    CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, scores, n, 0), DGM_OK);
    CHECK_NEAR(log_z, 199 * log(201), 1e-8);
    expect_rows_of_one(p, n, 1e-9);
    CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, scores, n, 1), DGM_OK);
    CHECK_NEAR(log_z, 199 * log(200), 1e-8);
    CHECK_NEAR(p[17 * 201], 1 / 200.0, 1e-11);
    expect_rows_of_one(p, n, 1e-9);
    dgm_release(env, p);
    dgm_release(env, scores);
}

/* Two words that prefer each other by 60 nats leave no digit of the rest. */
TEST(spanning_marginals_refuse_what_rounding_would_spoil)
{
    struct dgm_env *env = test_env();
    dgm_real scores[16] = { 0 };
    double p[16], log_z;
    int kind;

    scores[4 + 2] = scores[8 + 1] = 60;
    for (kind = 0; kind < 2; kind++) {
        CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, scores, 3, kind), DGM_FAILURE);
        dgm_env_clear_error(env);
    }
}

/* Heads of which the only tree has weight exp(-4137): the inverse has infinities, and NaN in
 * columns that are not the last. */
TEST(spanning_marginals_refuse_an_inverse_that_is_not_finite)
{
    const dgm_real inf = (dgm_real)HUGE_VAL;
    const dgm_real scores[5 * 5] = {
        0,
        0,
        0,
        0,
        0,
        (dgm_real)-1468.39,
        -inf,
        0,
        (dgm_real)-4255.99,
        (dgm_real)-3512.09,
        -inf,
        (dgm_real)-3426.9,
        (dgm_real)-4680.04,
        -inf,
        -4137,
        0,
        -inf,
        (dgm_real)-2597.23,
        (dgm_real)-4504.33,
        (dgm_real)-1198.88,
        (dgm_real)-3502.53,
        -inf,
        0,
        0,
        0,
    };
    struct dgm_env *env = test_env();
    double marginal[5 * 5], partition;

    CHECK_STATUS(dgm_tree_marginals(env, marginal, &partition, scores, 4, 1), DGM_FAILURE);
    CHECK(strstr(env->error.message, "[E_TREES]") != NULL);
    dgm_env_clear_error(env);
}

TEST(spanning_marginals_survive_the_lack_of_memory)
{
    struct dgm_env *env = test_env();
    dgm_real scores[16] = { 0 };
    double p[16] = { 7 }, log_z = 7;
    long n;

    for (n = 1; n <= 4; n++) {
        test_env_fail_at(test_allocations() + n);
        CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, scores, 3, 1), DGM_MEMORY);
        test_env_fail_at(0);
        dgm_env_clear_error(env);
        CHECK_NEAR(p[0] + log_z, 14, 0);
    }
    CHECK_STATUS(dgm_tree_marginals(env, NULL, &log_z, scores, 3, 1), DGM_OK);
    CHECK_NEAR(log_z, log(9), 1e-12);
    CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, scores, 0, 1), DGM_OK);
    CHECK_NEAR(log_z, 0, 0);
    CHECK_NEAR(p[0], 0, 0);
}

TEST(spanning_marginals_have_sizes_that_cannot_wrap)
{
    struct dgm_env *env = test_env();
    double z;

    CHECK_STATUS(dgm_tree_marginals(env, NULL, &z, NULL, INT32_MAX, 1), DGM_MEMORY);
    dgm_env_clear_error(env);
}
