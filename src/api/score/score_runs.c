/* score_runs.c: runs of systems on test sets, compared. */
#include "api/program.h"
#include "api/score/scorer.h"
#include "base/mem.h"

/* The rows of one set, or of all. */
static void choose(struct dgm_paired_test *test, const int64_t **rows, size_t count,
                   const struct dgm_score_runs *asked, size_t set)
{
    size_t start = set > 0 && set < asked->sets ? asked->ends[set - 1] : 0;

    test->sentences = asked->ends[set < asked->sets ? set : asked->sets - 1] - start;
    if (set == asked->sets) {
        test->ends = asked->ends;
        test->parts = asked->sets;
    }
    for (size_t i = 0; i < count; i++)
        rows[i] += start * test->width;
}

dgm_status dgm_scorer_runs(dgm_scorer *const *scorers, const struct dgm_score_runs *asked,
                           size_t set, struct dgm_runs_result *results, double *scores)
{
    const struct dgm_measure *measure = &scorers[0]->measure;
    struct dgm_paired_test test = { .score = measure->metric->score,
                                    .user = measure->state,
                                    .width = measure->metric->width,
                                    .samples = (size_t)asked->samples,
                                    .seed = asked->seed };
    const int64_t **rows = NULL;
    struct dgm_env *env;
    size_t count = 0;
    dgm_status status;
    DGM_ENTER_HANDLE(scorers[0]);
    env = &scorers[0]->context->env;
    for (size_t s = 0; s < asked->systems; s++)
        count += asked->runs[s];
    DGM_TRY_OUT(dgm_new(env, &rows, count, sizeof *rows));
    DGM_TRY_OUT(dgm_scorer_gather(env, scorers, count, rows));
    choose(&test, rows, count, asked, set);
    status = dgm_runs_compare(env, results, scores, &test, rows, asked->runs, asked->systems);
out:
    dgm_release(env, rows);
    return status;
}
