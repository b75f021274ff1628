/* test_score_lines.c: scores of sentences as other programs write them, and their mean. */
#include <string.h>

#include "test.h"
#include "text/score/given.h"
#include "text/score/score_lines.h"

struct line {
    const char *text;
    double score;
    int is_one;
};

static void check_all(const struct line *lines, size_t count)
{
    struct dgm_score_lines reader = { .path = "scores" };
    double score;
    int is_one;

    for (size_t i = 0; i < count; i++) {
        CHECK_STATUS(dgm_score_lines_read(test_env(), &reader, (long)i + 1, lines[i].text,
                                          strlen(lines[i].text), &score, &is_one),
                     DGM_OK);
        CHECK_NEAR(score, lines[i].score, 0);
        CHECK_INT(is_one, lines[i].is_one);
    }
    dgm_score_lines_clear(test_env(), &reader);
}

TEST(score_lines_of_each_program)
{
    static const struct line plain[] = { { "0.25", 0.25, 1 }, { "-1.5e-1", -0.15, 1 } };
    static const struct line comet[] = { { "a b.en\tSegment 0\tscore: 0.8312", 0.8312, 1 },
                                         { "a b.en\tSegment 1\tscore: -0.1\tvariance: 2", -0.1, 1 },
                                         { "a b.en\tscore: 0.5", 0.5, 0 } };
    static const struct line json[] = {
        { "{\"prediction\": 3.5, \"score\": 1, \"source\": \"\\\"prediction\\\": 7\"}", 3.5, 1 },
        { "{\"src\": \"x\", \"COMET\": 0.5}", 0.5, 1 },
        { "{\"score\": -2}", -2, 1 }
    };

    check_all(plain, 2);
    check_all(comet, 3);
    check_all(json, 3);
}

/* A mean of whole numbers is that of the scores, and no sum of samples overflows. */
TEST(given_scores_have_their_mean)
{
    struct dgm_measure measure = { 0 };
    int64_t sums[DGM_METRIC_WIDTH] = { 0 };
    struct dgm_metric_count count;

    CHECK_STATUS(dgm_given_open(test_env(), &measure, "COMET"), DGM_OK);
    CHECK_NEAR(dgm_measure_score(&measure, sums), 0, 0);
    for (int i = 0; i < 10; i++) {
        dgm_given_count(&count, 0.1 * i - 0.3);
        dgm_measure_add(&measure, sums, count.sums);
    }
    CHECK_NEAR(dgm_measure_score(&measure, sums), 0.15, 1e-8);
    CHECK(dgm_given_fits(100, 100000000) && dgm_given_fits(DGM_GIVEN_MOST, 80000));
    CHECK(!dgm_given_fits(DGM_GIVEN_MOST, 92000));
    dgm_measure_close(test_env(), &measure);
}
