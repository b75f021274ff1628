/*
 * test_result.c: the scores of finished hypotheses, and their order.
 */
#include "decode/search/result.h"

#include "decode/search/search.h"
#include "test.h"

TEST(result_scores_are_those_of_the_penalties)
{
    struct dgm_search_options options = { .penalty = DGM_PENALTY_FAIRSEQ, .alpha = 2 };

    CHECK_NEAR(dgm_result_score(&options, -12, 2), -3, 1e-12);
    options.penalty = DGM_PENALTY_GNMT; /* (5 + 7) / 6 = 2 */
    CHECK_NEAR(dgm_result_score(&options, -12, 7), -3, 1e-12);
    options.penalty = DGM_PENALTY_NONE;
    CHECK_NEAR(dgm_result_score(&options, -12, 7), -12, 0);
}

/* The length of each says when it was finished. */
TEST(result_of_equal_scores_keeps_their_order)
{
    static const double scores[] = { -2, -1, -2, -1, -3 };
    static const int32_t sorted[] = { 1, 3, 0, 2, 4 };
    struct dgm_hypothesis items[5] = { { 0 } };
    struct dgm_result result = { items, 5, 1 };

    for (int32_t i = 0; i < 5; i++) {
        items[i].score = scores[i];
        items[i].length = i;
    }
    dgm_result_sort(&result);
    for (int32_t i = 0; i < 5; i++)
        CHECK_INT(items[i].length, sorted[i]);
}
