/* test_random_tree.c: random trees are trees, and each is as likely as any other. */
#include "syntax/tree/random_tree.h"

#include "syntax/tree/tree.h"

#include "test.h"

#define MOST_WORDS 300

TEST(random_tree_is_a_tree_with_one_root)
{
    static const int32_t counts[] = { 1, 2, 3, 7, 40, MOST_WORDS };
    int32_t head[MOST_WORDS], mark[MOST_WORDS];
    struct dgm_random random;

    dgm_random_init(&random, 5, 1, 0, 0);
    dgm_tree_random(head, &random, 0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct dgm_tree tree = { .head = head, .count = counts[i], .has_parse = 1 };

        dgm_tree_random(head, &random, counts[i]);
        CHECK_STATUS(dgm_tree_validate(test_env(), mark, &tree), DGM_OK);
        CHECK_INT(dgm_tree_root_count(&tree), 1);
    }
}

/* Three words have 9 rooted trees. Of 9,000 draws each has 1,000, standard deviation 30. */
TEST(random_tree_has_no_favourites)
{
    int32_t head[3];
    int times[27] = { 0 }, seen = 0;
    struct dgm_random random;

    dgm_random_init(&random, 7, 1, 0, 0);
    for (int i = 0; i < 9000; i++) {
        dgm_tree_random(head, &random, 3);
        times[head[0] + 3 * head[1] + 9 * head[2]]++;
    }
    for (int i = 0; i < 27; i++) {
        seen += times[i] > 0;
        CHECK(times[i] == 0 || (times[i] > 850 && times[i] < 1150));
    }
    CHECK_INT(seen, 9);
}
