/* test_spanning.c: the best tree, the best projective tree and sums over trees, against
 * all trees of short sentences and as properties of long ones. */
#include "base/mem.h"
#include "base/philox.h"
#include "syntax/spanning/projective.h"
#include "syntax/spanning/spanning.h"
#include "syntax/spanning/tree_marginals.h"
#include "syntax/tree/tree.h"

#include "test.h"
#include "tree_check.h"

#include <math.h>
#include <string.h>

#define MOST_WORDS 6
#define MOST_CELLS ((MOST_WORDS + 1) * (MOST_WORDS + 1))
#define LONG_WORDS 500

/* ---- all trees of n words --------------------------------------------------------- */

struct forest {
    int32_t *head; /* (count,n), 0 for the root */
    int *roots, *projective;
    size_t count, room, root_room, flag_room;
};

/* Words below the root if every word reaches it, or else 0. */
static int32_t count_roots(const int32_t *head, int32_t n)
{
    int32_t roots = 0;
    int32_t i, at, steps;

    for (i = 1; i <= n; i++) {
        for (at = i, steps = 0; at != 0 && steps <= n; steps++)
            at = head[at - 1];
        if (at != 0)
            return 0;
        roots += head[i - 1] == 0;
    }
    return roots;
}

static dgm_status is_projective(struct dgm_env *env, int *projective, const int32_t *head,
                                int32_t n)
{
    struct dgm_tree tree = { NULL, 0, 0 };
    dgm_status status;
    int32_t i;

    DGM_TRY(dgm_tree_init(env, &tree, head, n));
    for (i = 0; i < n; i++)
        tree.head[i] = head[i] == 0 ? i : head[i] - 1;
    status = tree_is_projective(env, projective, &tree);
    dgm_tree_clear(env, &tree);
    return status;
}

static dgm_status add_tree(struct dgm_env *env, struct forest *all, const int32_t *head, int32_t n)
{
    int32_t roots = count_roots(head, n);
    size_t width = (size_t)n;

    if (roots == 0)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &all->head, &all->room, (all->count + 1) * width, sizeof *all->head));
    DGM_TRY(dgm_grow(env, &all->roots, &all->root_room, all->count, sizeof *all->roots));
    DGM_TRY(dgm_grow(env, &all->projective, &all->flag_room, all->count, sizeof *all->projective));
    memcpy(all->head + all->count * width, head, width * sizeof *head);
    all->roots[all->count] = (int)roots;
    DGM_TRY(is_projective(env, &all->projective[all->count], head, n));
    all->count++;
    return DGM_OK;
}

/* Counts through all head assignments like an odometer. */
static dgm_status list_trees(struct dgm_env *env, struct forest *all, int32_t n)
{
    int32_t head[MOST_WORDS] = { 0 };
    int32_t i = 0;

    memset(all, 0, sizeof *all);
    while (i < n) {
        DGM_TRY(add_tree(env, all, head, n));
        for (i = 0; i < n && head[i] == n; i++)
            head[i] = 0;
        if (i < n)
            head[i]++;
    }
    return DGM_OK;
}

static void clear_trees(struct dgm_env *env, struct forest *all)
{
    dgm_release(env, all->head);
    dgm_release(env, all->roots);
    dgm_release(env, all->projective);
}

/* ---- scores ----------------------------------------------------------------------- */

enum { PLAIN, HOLES, TIES, TIES_AND_HOLES, NOTHING, KINDS };

static void random_scores(struct dgm_random *random, dgm_real *scores, int32_t n, int kind)
{
    size_t cells = ((size_t)n + 1) * ((size_t)n + 1), i;

    for (i = 0; i < cells; i++) {
        int ties = kind == TIES || kind == TIES_AND_HOLES;

        scores[i] =
            (dgm_real)(ties ? (double)dgm_random_below(random, 3) : 3 * dgm_random_normal(random));
        if ((kind == HOLES || kind == TIES_AND_HOLES) && dgm_random_below(random, 2) == 0)
            scores[i] = (dgm_real)(dgm_random_below(random, 4) == 0 ? (double)NAN : -HUGE_VAL);
        if (kind == NOTHING)
            scores[i] = (dgm_real)-HUGE_VAL;
    }
    for (i = 0; i <= (size_t)n; i++) { /* not to be read */
        scores[i] = 1e30f;
        scores[i * ((size_t)n + 2)] = 1e30f;
    }
}

struct total {
    int banned;
    double score;
};

static struct total total_of(const dgm_real *scores, const int32_t *head, int32_t n)
{
    struct total total = { 0, 0 };
    int32_t d;

    for (d = 1; d <= n; d++) {
        double s = (double)scores[d * (n + 1) + head[d - 1]];

        if (isnan(s) || s == -HUGE_VAL)
            total.banned++;
        else
            total.score += s;
    }
    return total;
}

static struct total best_of_all(const struct forest *all, const dgm_real *scores, int32_t n,
                                int projective)
{
    struct total best = { 1000, 0 }, total;
    size_t i;

    for (i = 0; i < all->count; i++) {
        if (all->roots[i] != 1 || (projective && !all->projective[i]))
            continue;
        total = total_of(scores, all->head + i * (size_t)n, n);
        if (total.banned < best.banned || (total.banned == best.banned && total.score > best.score))
            best = total;
    }
    return best;
}

/* ---- the best tree ---------------------------------------------------------------- */

typedef dgm_status search_fn(struct dgm_env *env, int32_t *head, const dgm_real *scores, int32_t n,
                             struct dgm_spanning_work *work);

static void expect_best(search_fn *search, const struct forest *all, const dgm_real *scores,
                        int32_t n, struct dgm_spanning_work *work)
{
    struct dgm_env *env = test_env();
    int projective_only = search == dgm_projective_tree;
    struct total want = best_of_all(all, scores, n, projective_only), got;
    int32_t head[MOST_WORDS];
    int projective = 0;

    CHECK_STATUS(search(env, head, scores, n, work), DGM_OK);
    CHECK_INT(count_roots(head, n), 1);
    got = total_of(scores, head, n);
    CHECK_INT(got.banned, want.banned);
    CHECK_NEAR(got.score, want.score, 1e-10);
    CHECK_STATUS(is_projective(env, &projective, head, n), DGM_OK);
    CHECK(projective || !projective_only);
}

static void expect_best_of_random_scores(search_fn *search)
{
    struct dgm_env *env = test_env();
    struct dgm_spanning_work work = { NULL, NULL, 0, 0 };
    struct dgm_random random;
    dgm_real scores[MOST_CELLS];
    struct forest all;
    int32_t n;
    int round;

    dgm_random_init(&random, 31, 1, 0, 0);
    for (n = 1; n <= MOST_WORDS; n++) {
        CHECK_STATUS(list_trees(env, &all, n), DGM_OK);
        for (round = 0; round < (n < 6 ? 2000 : 800); round++) {
            random_scores(&random, scores, n, round % 50 == 0 ? NOTHING : round % NOTHING);
            expect_best(search, &all, scores, n, &work);
        }
        clear_trees(env, &all);
    }
    dgm_spanning_work_clear(env, &work);
}

TEST(spanning_enumeration_finds_as_many_trees_as_cayley)
{
    static const size_t cayley[] = { 1, 1, 3, 16, 125, 1296, 16807 };
    struct forest all;
    int32_t n;

    for (n = 1; n <= MOST_WORDS; n++) {
        CHECK_STATUS(list_trees(test_env(), &all, n), DGM_OK);
        CHECK_INT(all.count, cayley[n]);
        clear_trees(test_env(), &all);
    }
}

TEST(spanning_tree_is_the_best_of_all_trees)
{
    expect_best_of_random_scores(dgm_spanning_tree);
}

TEST(spanning_projective_tree_is_the_best_of_all_projective_trees)
{
    expect_best_of_random_scores(dgm_projective_tree);
}

/* Root arcs that beat everything by 1e6, and lose by as much. */
TEST(spanning_tree_has_one_root_however_good_the_others_are)
{
    struct dgm_env *env = test_env();
    struct dgm_spanning_work work = { NULL, NULL, 0, 0 };
    struct dgm_random random;
    dgm_real scores[MOST_CELLS];
    struct forest all;
    int32_t n = 5, d;
    int round;

    dgm_random_init(&random, 32, 1, 0, 0);
    CHECK_STATUS(list_trees(env, &all, n), DGM_OK);
    for (round = 0; round < 200; round++) {
        random_scores(&random, scores, n, TIES);
        for (d = 1; d <= n; d++)
            scores[d * (n + 1)] += (dgm_real)(round % 2 == 0 ? 1e6 : -1e6);
        expect_best(dgm_spanning_tree, &all, scores, n, &work);
        expect_best(dgm_projective_tree, &all, scores, n, &work);
    }
    clear_trees(env, &all);
    dgm_spanning_work_clear(env, &work);
}

TEST(spanning_ties_take_small_heads)
{
    static const int32_t want[] = { 2, 0, 1, 1, 1 };
    struct dgm_env *env = test_env();
    struct dgm_spanning_work work = { NULL, NULL, 0, 0 };
    dgm_real scores[36] = { 0 };
    int32_t head[5], again[5];

    scores[2 * 6] = 1; /* the root's word is certain, the rest is equal */
    CHECK_STATUS(dgm_spanning_tree(env, head, scores, 5, &work), DGM_OK);
    CHECK_MEM(head, want, sizeof want);
    CHECK_STATUS(dgm_projective_tree(env, head, scores, 5, &work), DGM_OK);
    CHECK_STATUS(dgm_projective_tree(env, again, scores, 5, &work), DGM_OK);
    CHECK_MEM(head, again, sizeof head);
    CHECK_INT(head[1], 0);
    dgm_spanning_work_clear(env, &work);
}

TEST(spanning_tree_bears_infinities_and_the_largest_numbers)
{
    static const int32_t want[] = { 2, 0, 2 };
    struct dgm_env *env = test_env();
    struct dgm_spanning_work work = { NULL, NULL, 0, 0 };
    dgm_real scores[16];
    int32_t head[3];
    int i;

    for (i = 0; i < 16; i++)
        scores[i] = -3e38f;
    scores[4 + 2] = scores[12 + 2] = 3e38f;
    scores[8] = (dgm_real)HUGE_VAL;
    CHECK_STATUS(dgm_spanning_tree(env, head, scores, 3, &work), DGM_OK);
    CHECK_MEM(head, want, sizeof want);
    CHECK_STATUS(dgm_projective_tree(env, head, scores, 3, &work), DGM_OK);
    CHECK_MEM(head, want, sizeof want);
    CHECK_STATUS(dgm_spanning_tree(env, head, scores, 0, &work), DGM_OK);
    CHECK_STATUS(dgm_projective_tree(env, head, scores, 0, &work), DGM_OK);
    dgm_spanning_work_clear(env, &work);
}

/* ---- long sentences --------------------------------------------------------------- */

struct long_case {
    dgm_real *scores;
    int32_t *head, *want;
    struct dgm_spanning_work work;
};

static dgm_status begin_long(struct dgm_env *env, struct long_case *c)
{
    size_t width = LONG_WORDS + 1;

    memset(c, 0, sizeof *c);
    c->scores = dgm_alloc(env, width * width, sizeof *c->scores);
    c->head = dgm_alloc(env, width, sizeof *c->head);
    c->want = dgm_alloc(env, width, sizeof *c->want);
    return c->scores == NULL || c->head == NULL || c->want == NULL ? DGM_MEMORY : DGM_OK;
}

static void end_long(struct dgm_env *env, struct long_case *c)
{
    dgm_release(env, c->scores);
    dgm_release(env, c->head);
    dgm_release(env, c->want);
    dgm_spanning_work_clear(env, &c->work);
}

/* No word of a best tree gains by moving, with all below it, to a head outside its
 * own subtree. */
static int no_move_gains(const struct long_case *c, int32_t n)
{
    int32_t d, h, at;

    for (d = 1; d <= n; d++) {
        const dgm_real *row = c->scores + (size_t)d * ((size_t)n + 1);

        for (h = 1; h <= n && c->head[d - 1] != 0; h++) {
            if (h == d || !((double)row[h] > (double)row[c->head[d - 1]] + 1e-9))
                continue;
            for (at = h; at != 0 && at != d;)
                at = c->head[at - 1];
            if (at == 0)
                return 0;
        }
    }
    return 1;
}

/* A tree planted far above the noise is found again, projective or not. */
TEST(spanning_long_planted_trees_are_found)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    struct long_case c;
    int32_t n = LONG_WORDS, i;
    size_t width = LONG_WORDS + 1;

    CHECK_STATUS(begin_long(env, &c), DGM_OK);
    dgm_random_init(&random, 33, 1, 0, 0);
    random_scores(&random, c.scores, n, PLAIN);
    for (i = 1; i <= n; i++) {
        c.want[i - 1] = i == 1 ? 0 : 1 + (int32_t)dgm_random_below(&random, (uint32_t)i - 1);
        c.scores[(size_t)i * width + (size_t)c.want[i - 1]] = 100;
    }
    CHECK_STATUS(dgm_spanning_tree(env, c.head, c.scores, n, &c.work), DGM_OK);
    CHECK_MEM(c.head, c.want, (size_t)n * sizeof *c.head);
    for (i = 1; i <= n; i++) { /* a caterpillar: projective */
        c.scores[(size_t)i * width + (size_t)c.want[i - 1]] = 0;
        c.want[i - 1] = i == 250 ? 0 : i < 250 ? i + 1 : i % 2 == 0 ? i - 2 : i - 1;
        c.scores[(size_t)i * width + (size_t)c.want[i - 1]] = 100;
    }
    CHECK_STATUS(dgm_projective_tree(env, c.head, c.scores, n, &c.work), DGM_OK);
    CHECK_MEM(c.head, c.want, (size_t)n * sizeof *c.head);
    CHECK_STATUS(dgm_spanning_tree(env, c.head, c.scores, n, &c.work), DGM_OK);
    CHECK_MEM(c.head, c.want, (size_t)n * sizeof *c.head);
    end_long(env, &c);
}

/* Random scores, and scores that fall with the distance, where cycles nest n deep. */
TEST(spanning_long_trees_are_valid_and_beat_projective_ones)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    struct long_case c;
    int32_t n = LONG_WORDS, d, h;
    double free_score;
    int round, projective = 0;

    CHECK_STATUS(begin_long(env, &c), DGM_OK);
    dgm_random_init(&random, 34, 1, 0, 0);
    for (round = 0; round < 2; round++) {
        random_scores(&random, c.scores, n, round == 0 ? PLAIN : HOLES);
        for (d = 1; d <= n && round == 0; d++) {
            for (h = 0; h <= n; h++)
                c.scores[d * (n + 1) + h] = (dgm_real)(-(d > h ? d - h : h - d) * (h + 1));
        }
        CHECK_STATUS(dgm_spanning_tree(env, c.head, c.scores, n, &c.work), DGM_OK);
        CHECK_INT(count_roots(c.head, n), 1);
        CHECK(no_move_gains(&c, n));
        CHECK_INT(total_of(c.scores, c.head, n).banned, 0);
        free_score = total_of(c.scores, c.head, n).score;
        CHECK_STATUS(dgm_projective_tree(env, c.want, c.scores, n, &c.work), DGM_OK);
        CHECK_INT(count_roots(c.want, n), 1);
        CHECK_STATUS(is_projective(env, &projective, c.want, n), DGM_OK);
        CHECK_INT(projective, 1);
        CHECK_INT(total_of(c.scores, c.want, n).banned, 0);
        CHECK(total_of(c.scores, c.want, n).score <= free_score + 1e-6);
    }
    end_long(env, &c);
}

/* ---- memory ----------------------------------------------------------------------- */

static void expect_warm_and_clean(search_fn *search)
{
    struct dgm_env *env = test_env();
    struct dgm_spanning_work work = { NULL, NULL, 0, 0 };
    dgm_real scores[MOST_CELLS] = { 0 };
    int32_t head[MOST_WORDS] = { -7, -7, -7, -7, -7, -7 };
    long before, n;

    for (n = 1; n <= 2; n++) {
        test_env_fail_at(test_allocations() + n);
        CHECK_STATUS(search(env, head, scores, 6, &work), DGM_MEMORY);
        test_env_fail_at(0);
        dgm_env_clear_error(env);
        CHECK_INT(head[0], -7);
        dgm_spanning_work_clear(env, &work);
    }
    CHECK_STATUS(search(env, head, scores, 6, &work), DGM_OK);
    before = test_allocations();
    CHECK_STATUS(search(env, head, scores, 3, &work), DGM_OK);
    CHECK_STATUS(search(env, head, scores, 6, &work), DGM_OK);
    CHECK_INT(test_allocations(), before);
    dgm_spanning_work_clear(env, &work);
}

TEST(spanning_searches_ask_for_memory_once_and_survive_its_lack)
{
    expect_warm_and_clean(dgm_spanning_tree);
    expect_warm_and_clean(dgm_projective_tree);
}

TEST(spanning_sizes_cannot_wrap)
{
    struct dgm_env *env = test_env();
    struct dgm_spanning_work work = { NULL, NULL, 0, 0 };
    double z;

    CHECK_STATUS(dgm_spanning_tree(env, NULL, NULL, INT32_MAX, &work), DGM_MEMORY);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_projective_tree(env, NULL, NULL, INT32_MAX, &work), DGM_MEMORY);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_tree_marginals(env, NULL, &z, NULL, INT32_MAX, 1), DGM_MEMORY);
    dgm_env_clear_error(env);
    dgm_spanning_work_clear(env, &work);
}

/* ---- sums over trees -------------------------------------------------------------- */

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
    struct long_case c;
    double *p, log_z;
    int32_t n = 200;

    CHECK_STATUS(begin_long(env, &c), DGM_OK);
    p = dgm_alloc(env, 201 * 201, sizeof *p);
    CHECK(p != NULL);
    CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, c.scores, n, 0), DGM_OK);
    CHECK_NEAR(log_z, 199 * log(201), 1e-8);
    expect_rows_of_one(p, n, 1e-9);
    CHECK_STATUS(dgm_tree_marginals(env, p, &log_z, c.scores, n, 1), DGM_OK);
    CHECK_NEAR(log_z, 199 * log(200), 1e-8);
    CHECK_NEAR(p[17 * 201], 1 / 200.0, 1e-11);
    expect_rows_of_one(p, n, 1e-9);
    dgm_release(env, p);
    end_long(env, &c);
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
