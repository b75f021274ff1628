/* test_tree.c: depths, distances and shape of trees, by hand and as properties of
 * random ones. */
#include "base/mem.h"
#include "base/philox.h"
#include "syntax/tree/tree.h"

#include "test.h"
#include "tree_check.h"

#include <string.h>

#define RANDOM_TREES 60
#define MOST_WORDS 24

/* A random forest: every word hangs below an earlier one of a random order, or is a
 * root. */
static void random_heads(struct dgm_random *random, int32_t *head, int32_t count, int one_root)
{
    uint32_t order[MOST_WORDS];
    int32_t i;

    for (i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    dgm_random_shuffle(random, order, (size_t)count);
    for (i = 0; i < count; i++) {
        int is_root = i == 0 || (!one_root && dgm_random_below(random, 5) == 0);

        head[order[i]] =
            (int32_t)(is_root ? order[i] : order[dgm_random_below(random, (uint32_t)i)]);
    }
}

/* Distance by climbing from both words: slow and plain. */
static int32_t climb_distance(const int32_t *head, const int32_t *depth, int32_t a, int32_t b)
{
    int32_t steps = 0;

    while (a != b) {
        int32_t *deeper = depth[a] >= depth[b] ? &a : &b;

        if (head[*deeper] == *deeper)
            return steps + depth[a] + depth[b] + 2;
        *deeper = head[*deeper];
        steps++;
    }
    return steps;
}

static void check_distances(const struct dgm_tree *tree, const int32_t *depth, const int32_t *d)
{
    int32_t n = tree->count;
    int32_t i, j, k;

    for (i = 0; i < n; i++) {
        CHECK_INT(d[i * n + i], 0);
        if (tree->head[i] != i)
            CHECK_INT(d[i * n + tree->head[i]], 1);
        for (j = 0; j < n; j++) {
            CHECK_INT(d[i * n + j], climb_distance(tree->head, depth, i, j));
            CHECK_INT(d[i * n + j], d[j * n + i]);
            CHECK(d[i * n + j] >= depth[i] - depth[j]);
            for (k = 0; k < n; k++)
                CHECK(d[i * n + j] <= d[i * n + k] + d[k * n + j]);
        }
    }
}

TEST(tree_distances_are_a_metric_that_counts_arcs)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    int32_t head[MOST_WORDS], depth[MOST_WORDS], distance[MOST_WORDS * MOST_WORDS];
    int round;

    dgm_random_init(&random, 7, 1, 0, 0);
    for (round = 0; round < RANDOM_TREES; round++) {
        struct dgm_tree tree = { NULL, 0, 0 };
        int32_t count = 1 + (int32_t)dgm_random_below(&random, MOST_WORDS);

        random_heads(&random, head, count, round % 2);
        CHECK_STATUS(dgm_tree_init(env, &tree, head, count), DGM_OK);
        CHECK_STATUS(tree_validate(env, &tree), DGM_OK);
        dgm_tree_depths(depth, &tree);
        CHECK_STATUS(dgm_tree_distances(env, distance, &tree), DGM_OK);
        check_distances(&tree, depth, distance);
        dgm_tree_clear(env, &tree);
    }
}

/* Moving words about in the sentence moves rows and columns of the matrix and nothing
 * else, so the order of siblings has no effect. */
TEST(tree_distances_do_not_depend_on_the_order_of_siblings)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    int32_t head[MOST_WORDS], moved[MOST_WORDS];
    int32_t d[MOST_WORDS * MOST_WORDS], e[MOST_WORDS * MOST_WORDS];
    uint32_t place[MOST_WORDS];
    int32_t n = MOST_WORDS;
    int32_t i, j;
    int round;

    dgm_random_init(&random, 8, 1, 0, 0);
    for (round = 0; round < 20; round++) {
        struct dgm_tree tree = { NULL, 0, 0 }, other = { NULL, 0, 0 };

        random_heads(&random, head, n, 0);
        for (i = 0; i < n; i++)
            place[i] = (uint32_t)i;
        dgm_random_shuffle(&random, place, (size_t)n);
        for (i = 0; i < n; i++)
            moved[place[i]] = (int32_t)place[head[i]];
        CHECK_STATUS(dgm_tree_init(env, &tree, head, n), DGM_OK);
        CHECK_STATUS(dgm_tree_init(env, &other, moved, n), DGM_OK);
        CHECK_STATUS(dgm_tree_distances(env, d, &tree), DGM_OK);
        CHECK_STATUS(dgm_tree_distances(env, e, &other), DGM_OK);
        for (i = 0; i < n; i++) {
            for (j = 0; j < n; j++)
                CHECK_INT(d[i * n + j], e[(int32_t)place[i] * n + (int32_t)place[j]]);
        }
        dgm_tree_clear(env, &tree);
        dgm_tree_clear(env, &other);
    }
}

TEST(tree_roots_meet_in_a_virtual_root)
{
    static const int32_t head[] = { 0, 0, 2, 2, 3 };
    static const int32_t want_depth[] = { 0, 1, 0, 1, 2 };
    static const int32_t want[] = { 0, 1, 2, 3, 4, 1, 0, 3, 4, 5, 2, 3, 0,
                                    1, 2, 3, 4, 1, 0, 1, 4, 5, 2, 1, 0 };
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };
    int32_t depth[5], distance[25];

    CHECK_STATUS(dgm_tree_init(env, &tree, head, 5), DGM_OK);
    CHECK_INT(dgm_tree_root_count(&tree), 2);
    dgm_tree_depths(depth, &tree);
    CHECK_MEM(depth, want_depth, sizeof want_depth);
    CHECK_STATUS(dgm_tree_distances(env, distance, &tree), DGM_OK);
    CHECK_MEM(distance, want, sizeof want);
    dgm_tree_clear(env, &tree);
}

TEST(tree_adjacency_joins_heads_dependents_and_the_word_itself)
{
    static const int32_t head[] = { 0, 2, 0 };
    static const int32_t want[] = { 1, 0, 1, 0, 1, 1, 1, 1, 1 };
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };
    int32_t adjacent[9];

    CHECK_STATUS(dgm_tree_init(env, &tree, head, 3), DGM_OK);
    dgm_tree_adjacency(adjacent, &tree);
    CHECK_MEM(adjacent, want, sizeof want);
    dgm_tree_clear(env, &tree);
}

static void expect_fault(const int32_t *head, int32_t count, const char *message)
{
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };

    CHECK_STATUS(dgm_tree_init(env, &tree, head, count), DGM_OK);
    CHECK_STATUS(tree_validate(env, &tree), DGM_DATA);
    CHECK_STR(env->error.message, message);
    dgm_env_clear_error(env);
    dgm_tree_clear(env, &tree);
}

TEST(tree_validation_names_the_cycle)
{
    static const int32_t loop[] = { 0, 2, 1, 1 };
    static const int32_t way_in[] = { 1, 2, 3, 2, 4 };
    static const int32_t outside[] = { 0, 3, 0 };
    static const int32_t negative[] = { 0, -1 };

    expect_fault(loop, 4, "cycle 2 -> 3 -> 2; expected a tree [E_CYCLE]");
    expect_fault(way_in, 5, "cycle 3 -> 4 -> 3; expected a tree [E_CYCLE]");
    expect_fault(outside, 3,
                 "head 3 of word 1 is outside this sentence; expected 0..2 counted from 0 "
                 "[E_HEAD]");
    expect_fault(negative, 2,
                 "head -1 of word 1 is outside this sentence; expected 0..1 counted from 0 "
                 "[E_HEAD]");
}

TEST(tree_long_cycles_are_told_shortened)
{
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };
    char text[40];
    int32_t i;

    CHECK_STATUS(dgm_tree_init(env, &tree, NULL, 1000), DGM_OK);
    for (i = 0; i < 1000; i++)
        tree.head[i] = (i + 1) % 1000;
    dgm_tree_describe_cycle(text, sizeof text, &tree, 0);
    CHECK_STR(text, "1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ...");
    dgm_tree_clear(env, &tree);
}

TEST(tree_chain_of_100000_words_is_ordinary)
{
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };
    int32_t n = 100000;
    int32_t *depth = dgm_alloc(env, (size_t)n, sizeof *depth);
    int projective = 0;
    int32_t i;

    CHECK(depth != NULL);
    CHECK_STATUS(dgm_tree_init(env, &tree, NULL, n), DGM_OK);
    for (i = 0; i < n; i++)
        tree.head[i] = i + 1 < n ? i + 1 : i;
    tree.has_parse = 1;
    CHECK_STATUS(tree_validate(env, &tree), DGM_OK);
    dgm_tree_depths(depth, &tree);
    CHECK_INT(depth[0], n - 1);
    CHECK_STATUS(tree_is_projective(env, &projective, &tree), DGM_OK);
    CHECK_INT(projective, 1);
    tree.head[n - 1] = 0; /* closes the chain */
    CHECK_STATUS(tree_validate(env, &tree), DGM_DATA);
    dgm_env_clear_error(env);
    dgm_tree_clear(env, &tree);
    dgm_release(env, depth);
}

/* By definition: every word between a word and its head depends on that head. */
static int arcs_are_projective(const struct dgm_tree *tree)
{
    int32_t i, between, at;

    for (i = 0; i < tree->count; i++) {
        int32_t head = tree->head[i];
        int32_t low = i < head ? i : head;
        int32_t high = i < head ? head : i;

        for (between = low + 1; between < high; between++) {
            for (at = between; at != head && tree->head[at] != at;)
                at = tree->head[at];
            if (at != head)
                return 0;
        }
    }
    return 1;
}

TEST(tree_projectivity_agrees_with_its_definition)
{
    struct dgm_env *env = test_env();
    struct dgm_random random;
    int32_t head[MOST_WORDS];
    int seen[2] = { 0, 0 };
    int round;

    dgm_random_init(&random, 9, 1, 0, 0);
    for (round = 0; round < 300; round++) {
        struct dgm_tree tree = { NULL, 0, 0 };
        int32_t count = 1 + (int32_t)dgm_random_below(&random, 7);
        int projective = -1;

        random_heads(&random, head, count, round % 3 != 0);
        CHECK_STATUS(dgm_tree_init(env, &tree, head, count), DGM_OK);
        CHECK_STATUS(tree_is_projective(env, &projective, &tree), DGM_OK);
        CHECK_INT(projective, arcs_are_projective(&tree));
        seen[projective]++;
        dgm_tree_clear(env, &tree);
    }
    CHECK(seen[0] > 20 && seen[1] > 20);
}

TEST(tree_without_a_parse_keeps_its_words)
{
    struct dgm_env *env = test_env();
    struct dgm_tree tree = { NULL, 0, 0 };

    CHECK_STATUS(dgm_tree_init(env, &tree, NULL, 3), DGM_OK);
    CHECK_INT(tree.count, 3);
    CHECK_INT(tree.has_parse, 0);
    CHECK_INT(tree.head[2], -1);
    CHECK_STATUS(tree_validate(env, &tree), DGM_DATA);
    dgm_env_clear_error(env);
    dgm_tree_clear(env, &tree);
}
