/* scorer_paired.c: whether systems differ: scorers that kept their sentences, resampled. */
#include <string.h>

#include "api/score/scorer.h"
#include "base/mem.h"
#include "text/score/paired.h"

static double score_sums(const void *user, const int64_t *sums)
{
    const struct dgm_scorer *scorer = user;
    struct dgm_bleu_stats bleu;
    struct dgm_chrf_stats chrf;
    if (scorer->is_chrf) {
        memcpy(&chrf, sums, sizeof chrf);
        return dgm_chrf_score(&chrf, &scorer->chrf.options);
    }
    memcpy(&bleu, sums, sizeof bleu);
    return dgm_bleu_score(&bleu, &scorer->bleu.options).score;
}

/* That they can be compared, and their rows. */
static dgm_status gather(struct dgm_env *env, dgm_scorer *const *scorers, size_t count,
                         const int64_t **rows)
{
    size_t i;
    for (i = 0; i < count; i++) {
        const struct dgm_scorer *scorer = scorers[i], *first = scorers[0];
        DGM_TRY(dgm_argument_check(env, scorer, "scorers[i]"));
        if (&scorer->context->env != env)
            return dgm_fail(env, DGM_USAGE, "the scorers belong to different contexts");
        if (!scorer->keep)
            return dgm_fail(env, DGM_USAGE, "a scorer was made without keep_sentences");
        if (scorer->is_chrf != first->is_chrf)
            return dgm_fail(env, DGM_USAGE, "the scorers have different metrics");
        if (scorer->sentences != first->sentences)
            return dgm_fail(env, DGM_DATA, "system %zu has %ld sentences; expected %ld", i,
                            scorer->sentences, first->sentences);
        rows[i] = scorer->rows;
    }
    return DGM_OK;
}

static void hand_over(dgm_paired *results, const struct dgm_paired_result *found, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        results[i].score = found[i].score;
        results[i].mean = found[i].mean;
        results[i].half_width = found[i].half_width;
        results[i].p = found[i].p;
    }
}

dgm_status dgm_scorer_paired(dgm_scorer *const *scorers, size_t count, long samples, uint64_t seed,
                             dgm_paired *results)
{
    struct dgm_paired_result *found = NULL;
    struct dgm_paired_test test;
    const int64_t **rows = NULL;
    struct dgm_env *env;
    dgm_status status;
    if (scorers == NULL || count == 0)
        return DGM_USAGE;
    DGM_ENTER_HANDLE(scorers[0]);
    env = &scorers[0]->context->env;
    DGM_TRY(dgm_argument_check(env, results, "results"));
    if (samples < 1)
        return dgm_fail(env, DGM_USAGE, "%ld samples; expected at least 1", samples);
    test.score = score_sums;
    test.user = scorers[0];
    test.sentences = (size_t)scorers[0]->sentences;
    test.width = dgm_scorer_width(scorers[0]);
    test.samples = (size_t)samples;
    test.seed = seed;
    test.sacrebleu = scorers[0]->sacrebleu;
    rows = dgm_alloc(env, count, sizeof *rows);
    found = dgm_alloc(env, count, sizeof *found);
    status = rows == NULL || found == NULL ? DGM_MEMORY : gather(env, scorers, count, rows);
    if (status == DGM_OK)
        status = dgm_paired_bootstrap(env, found, &test, rows, count);
    if (status == DGM_OK)
        hand_over(results, found, count);
    dgm_release(env, found);
    dgm_release(env, rows);
    return status;
}
