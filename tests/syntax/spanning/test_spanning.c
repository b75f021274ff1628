/* test_spanning.c: the best tree and the best projective tree, against all trees of short sentences
 * and as properties of long ones. */
#include "base/mem.h"
#include "base/philox.h"
#include "syntax/spanning/projective.h"
#include "syntax/spanning/spanning.h"

#include "forest.h"
#include "test.h"

#include <math.h>
#include <string.h>

#define LONG_WORDS 500

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

    CHECK_STATUS(dgm_spanning_tree(env, NULL, NULL, INT32_MAX, &work), DGM_MEMORY);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_projective_tree(env, NULL, NULL, INT32_MAX, &work), DGM_MEMORY);
    dgm_env_clear_error(env);
    dgm_spanning_work_clear(env, &work);
}
