/*
 * test_course.c: where a run stands in its text, from batch to batch and from epoch to epoch.
 */
#include "train/course.h"

#include <string.h>

#include "test.h"
#include "text_case.h"

enum { PAIRS = 200 };

static dgm_status begin(struct dgm_run *run, struct dgm_course *course, struct dgm_corpus *text)
{
    memset(run, 0, sizeof *run);
    memset(course, 0, sizeof *course);
    run->env = test_env();
    run->options.order.seed = 7;
    run->options.order.batch_tokens = 60;
    run->options.order.parse_ratio = 1;
    DGM_TRY(text_case_make(text, PAIRS, 1));
    return dgm_course_next_order(run, course, text);
}

TEST(course_goes_from_epoch_to_epoch)
{
    struct dgm_corpus text;
    struct dgm_course course;
    struct dgm_run run;
    int64_t pairs = 0;

    CHECK_STATUS(begin(&run, &course, &text), DGM_OK);
    CHECK_INT(run.state.epoch, 1);
    CHECK(course.order.batches > 5);
    CHECK_INT(dgm_course_batches(&course), course.order.batches);
    CHECK_INT(dgm_course_guess_batches(&course), course.order.batches);
    for (; dgm_course_epochs(&course, &run.state) == 0; run.state.batch++) {
        const int64_t place = dgm_course_place(&course, &run.state);

        CHECK_INT(place, run.state.batch);
        CHECK(dgm_course_share(&course, &run.state) < 1);
        pairs += dgm_order_batch_pairs(&course.order, place);
    }
    CHECK_INT(pairs, PAIRS);
    CHECK(dgm_course_share(&course, &run.state) == 1);
    run.state.sentences = pairs;
    CHECK_STATUS(dgm_course_next_order(&run, &course, &text), DGM_OK);
    CHECK_INT(run.state.epoch, 2);
    CHECK_INT(run.state.batch + run.state.sentences, 0);
    CHECK_INT(dgm_course_epochs(&course, &run.state), 1);
    dgm_course_clear(test_env(), &course);
    dgm_corpus_clear(test_env(), &text);
}
