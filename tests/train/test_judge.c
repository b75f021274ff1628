/*
 * test_judge.c: which values of a metric make a model the best.
 */
#include "train/judge.h"

#include <math.h>
#include <string.h>

#include "test.h"
#include "train/watch/report.h"

/* A run of which only validations are of interest: what they are told to, and what they count. */
struct validations {
    struct dgm_train_state state;
    struct dgm_report report;
    struct dgm_judge judge;
};

static dgm_status begin(struct validations *run)
{
    memset(run, 0, sizeof *run);
    run->judge.decides = "cost";
    run->judge.state = &run->state;
    run->judge.report = &run->report;
    return dgm_report_open(test_env(), &run->report, test_dir(), &run->state);
}

static dgm_status score(struct validations *run, double value, int upwards)
{
    run->state.updates++;
    return dgm_judge_score(test_env(), &run->judge, NULL, "cost", value, upwards);
}

/* A score that is no number is never the best, and does not bar what comes after it. */
TEST(judge_takes_no_score_for_the_best_that_is_no_number)
{
    const double scores[4] = { HUGE_VAL, 3, -HUGE_VAL, 2 };
    static const int best[4] = { 0, 1, 0, 1 };
    struct validations run;

    CHECK_STATUS(begin(&run), DGM_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(score(&run, scores[i], 0), DGM_OK);
        CHECK_INT(run.judge.is_best, best[i]);
    }
    CHECK_STATUS(score(&run, HUGE_VAL - HUGE_VAL, 0), DGM_OK);
    CHECK_INT(run.judge.is_best, 0);
    CHECK_INT(run.state.stalled, 1);
    dgm_report_close(test_env(), &run.report);
}

/* The earlier of two equal scores stays the best: the later one counts as no progress. */
TEST(judge_takes_no_tie_for_the_best)
{
    static const double scores[6] = { 3, 3, 4, 2, 2, 5 };
    static const int best[2][6] = { { 1, 0, 0, 1, 0, 0 }, { 1, 0, 1, 0, 0, 1 } };
    static const int64_t stalled[2][6] = { { 0, 1, 2, 0, 1, 2 }, { 0, 1, 0, 1, 2, 0 } };

    for (int upwards = 0; upwards < 2; upwards++) {
        struct validations run;

        CHECK_STATUS(begin(&run), DGM_OK);
        for (int i = 0; i < 6; i++) {
            CHECK_STATUS(score(&run, scores[i], upwards), DGM_OK);
            CHECK_INT(run.judge.is_best, best[upwards][i]);
            CHECK_INT(run.state.stalled, stalled[upwards][i]);
        }
        dgm_report_close(test_env(), &run.report);
    }
}

/* Other metrics, and other texts than the first, are told and decide nothing. */
TEST(judge_lets_one_metric_of_one_text_decide)
{
    const struct dgm_score_set news = { "news", 1 }, talks = { "talks", 0 };
    struct validations run;

    CHECK_STATUS(begin(&run), DGM_OK);
    CHECK_STATUS(dgm_judge_score(test_env(), &run.judge, &news, "bleu", 20, 1), DGM_OK);
    CHECK_STATUS(dgm_judge_score(test_env(), &run.judge, &talks, "cost", 3, 0), DGM_OK);
    CHECK_INT(run.judge.is_best, 0);
    CHECK_INT(run.state.stalled, 0);
    run.state.updates = 7;
    CHECK_STATUS(dgm_judge_score(test_env(), &run.judge, &news, "cost", 3, 0), DGM_OK);
    CHECK_INT(run.judge.is_best, 1);
    CHECK_INT(run.state.best_update, 7);
    dgm_report_close(test_env(), &run.report);
}
