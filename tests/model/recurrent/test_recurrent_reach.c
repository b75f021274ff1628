/*
 * test_recurrent_reach.c: the words that a state of a recurrent model depends on, and no others
 * (specification, recurrent models, 10.2, 3, and 10.3).
 */
#include "recurrent_tree.h"

/* Whether columns first .. first+cols-1 of row i depend on word j. */
typedef int (*reach)(const int32_t *heads, int32_t words, int32_t i, int32_t j);

static int reach_all(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)heads, (void)words, (void)i, (void)j;
    return 1;
}

static int reach_before(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)heads, (void)words;
    return j <= i;
}

static int reach_after(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)heads, (void)words;
    return j >= i;
}

static int reach_siblings(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    for (; i != INIT; i = sibling_of(heads, words, i))
        if (i == j)
            return 1;
    return 0;
}

static int reach_parents(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)words;
    for (; i != INIT; i = parent_of(heads, i))
        if (i == j)
            return 1;
    return 0;
}

/* Whether j comes no later than i below `node` when heads come first, or last. */
static int comes(const int32_t *heads, int32_t words, int32_t node, int32_t i, int32_t j, int last,
                 int *seen)
{
    if (node != INIT && !last) {
        *seen |= node == j;
        if (node == i)
            return 1;
    }
    for (int32_t k = 0; k < words; k++)
        if (parent_of(heads, k) == node && comes(heads, words, k, i, j, last, seen))
            return 1;
    if (node != INIT && last) {
        *seen |= node == j;
        return node == i;
    }
    return 0;
}

static int reach_preorder(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    int seen = 0;

    comes(heads, words, INIT, i, j, 0, &seen);
    return seen;
}

static int reach_postorder(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    int seen = 0;

    comes(heads, words, INIT, i, j, 1, &seen);
    return seen;
}

static void check_row(const struct recurrent_output *before, const struct recurrent_output *after,
                      int64_t first, int64_t cols, int expected)
{
    size_t bytes = (size_t)cols * sizeof *before->encoded;

    CHECK_INT(memcmp(before->encoded + first, after->encoded + first, bytes) != 0, expected);
}

/* Every word in turn becomes another one: what moves, in `parts` parts of the columns. */
static void check_reach(struct tiny *tiny, const reach *reaches, int parts)
{
    struct recurrent_output before, after;
    struct dgm_random random;
    struct dgm_batch batch;
    int32_t heads[WORDS];

    dgm_random_init(&random, 13, 80, 0, 0);
    for (int number = 0; number < 8; number++) {
        draw_tree(&random, heads, WORDS, number);
        CHECK_STATUS(recurrent_sentence(&batch, heads, WORDS), DGM_OK);
        CHECK_STATUS(recurrent_run(tiny, &batch, &before), DGM_OK);
        for (int32_t j = 0; j < WORDS; j++) {
            batch.source.ids[j] = 0;
            CHECK_STATUS(recurrent_run(tiny, &batch, &after), DGM_OK);
            for (int32_t i = 0; i < before.rows; i++)
                for (int part = 0; part < parts; part++)
                    check_row(&before, &after, i * before.columns + part * before.columns / parts,
                              before.columns / parts, reaches[part](heads, WORDS, i, j));
            recurrent_forget(&after);
            batch.source.ids[j] = 3 + j;
        }
        recurrent_forget(&before);
        dgm_batch_clear(test_env(), &batch);
    }
}

TEST(recurrent_chains_carry_words_in_their_direction)
{
    static const reach both[2] = { reach_before, reach_after };
    static const reach orders[2] = { reach_preorder, reach_postorder };
    static const reach four[4] = { reach_before, reach_after, reach_preorder, reach_postorder };
    struct tiny tiny;

    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential\nsrc-eos = 0\n"), DGM_OK);
    check_reach(&tiny, both, 2);
    tiny_close(&tiny);
    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential-dependency\nbirnn = 0\n"), DGM_OK);
    check_reach(&tiny, orders, 2);
    tiny_close(&tiny);
    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential-dependency\n"), DGM_OK);
    check_reach(&tiny, four, 4);
    tiny_close(&tiny);
}

TEST(recurrent_trees_let_every_state_see_every_word)
{
    static const char *const options[] = {
        "encoder = lexicalized\n",
        "encoder = lexicalized\nbirnn = 0\n",
        "encoder = lexicalized\ndynamic-z = 1\n",
        "encoder = constituency\n",
        "encoder = constituency\nbirnn = 0\n",
        "encoder = constituency\nbirnn = 0\nroot-td = lc0\n",
        "encoder = constituency\ndynamic-z = 1\nbirnn = 0\n",
    };
    static const reach all[1] = { reach_all };

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, options[i]), DGM_OK);
        check_reach(&tiny, all, 1);
        tiny_close(&tiny);
    }
}

/* With the state above the roots held constant, a word reaches its dependents and the siblings
 * after it, and what depends on these. */
TEST(recurrent_dependencies_carry_words_along_chains_of_siblings)
{
    static const char *const options[] = {
        "encoder = lexicalized\nbirnn = 0\n",
        "encoder = lexicalized\nbirnn = 0\ndynamic-z = 1\n",
    };
    static const reach siblings[1] = { reach_siblings };

    for (int i = 0; i < 2; i++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, options[i]), DGM_OK);
        CHECK_STATUS(recurrent_set(&tiny, "encoder.init.weight", 0, -1, 0), DGM_OK);
        check_reach(&tiny, siblings, 1);
        tiny_close(&tiny);
    }
}

/* Without a carry and without the one matrix, states go along the paths of the other. */
static void check_paths(const char *none, reach path)
{
    struct tiny tiny;
    char name[100];

    CHECK_STATUS(recurrent_open(&tiny, "encoder = lexicalized\nbirnn = 0\n"), DGM_OK);
    CHECK_STATUS(recurrent_set(&tiny, "encoder.init.weight", 0, -1, 0), DGM_OK);
    for (int s = 0; s < 2; s++) {
        const char *side = s ? "right" : "left";
        snprintf(name, sizeof name, "encoder.tree.%s.%s.weight", side, none);
        CHECK_STATUS(recurrent_set(&tiny, name, 0, -1, 0), DGM_OK);
        snprintf(name, sizeof name, "encoder.tree.%s.word.bias", side);
        CHECK_STATUS(recurrent_set(&tiny, name, 0, D, -1000), DGM_OK);
    }
    check_reach(&tiny, &path, 1);
    tiny_close(&tiny);
}

TEST(recurrent_dependencies_without_a_carry_follow_parents_or_siblings)
{
    check_paths("sibling", reach_parents);
    check_paths("parent", reach_siblings);
}
