/* score_tests.c: the tests that the options name, run and named in signatures. */
#include "cmd/score/score_tests.h"

#include <string.h>

static int has(const struct dgm_score *score, const char *flag)
{
    return dgm_settings_flag(&score->cmd->settings, flag);
}

static int is_bootstrap(const struct dgm_score *score)
{
    return dgm_settings_is_set(&score->cmd->settings, "paired-bs");
}

static int is_sacrebleu(const struct dgm_score *score, const char *kind_of_p)
{
    return strcmp(dgm_settings_text(&score->cmd->settings, kind_of_p), "sacrebleu") == 0;
}

int dgm_score_is_paired(const struct dgm_score *score)
{
    return is_bootstrap(score) || has(score, "paired-ar");
}

int dgm_score_has_mean(const struct dgm_score *score)
{
    return is_bootstrap(score) || has(score, "confidence");
}

static dgm_status run(const struct dgm_score *score, dgm_scorer *const *scorers, size_t count,
                      enum dgm_score_test kind, const char *samples, const char *kind_of_p,
                      dgm_paired *results)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    return dgm_scorer_test(scorers, count, kind,
                           kind_of_p != NULL && is_sacrebleu(score, kind_of_p),
                           (long)dgm_settings_int(settings, samples),
                           (uint64_t)dgm_settings_int(settings, "seed"), results);
}

dgm_status dgm_score_test(const struct dgm_score *score, dgm_scorer *const *scorers, size_t count,
                          dgm_paired *results)
{
    size_t s;
    for (s = 0; s < count; s++)
        DGM_TRY(dgm_scorer_value(scorers[s], &results[s].score, NULL));
    if (is_bootstrap(score))
        return run(score, scorers, count, DGM_SCORE_BOOTSTRAP, "paired-bs-n", "paired-bs-p",
                   results);
    if (has(score, "paired-ar"))
        DGM_TRY(run(score, scorers, count, DGM_SCORE_RANDOMIZATION, "paired-ar-n", "paired-ar-p",
                    results));
    for (s = 0; s < count && has(score, "confidence"); s++) {
        const double p = results[s].p;
        DGM_TRY(
            run(score, scorers + s, 1, DGM_SCORE_CONFIDENCE, "confidence-n", NULL, &results[s]));
        results[s].p = p;
    }
    return DGM_OK;
}

/* "|bs:1000|ar:10000|seed:12345|p:two-sided" */
static dgm_status add_samples(const struct dgm_score *score, struct dgm_buf *out, int is_short)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_env *env = score->cmd->env;
    const int randomized = has(score, "paired-ar");
    if (dgm_score_has_mean(score))
        DGM_TRY(
            dgm_buf_add_format(env, out, "|bs:%s",
                               dgm_settings_text(settings, is_bootstrap(score) ? "paired-bs-n"
                                                                               : "confidence-n")));
    if (randomized)
        DGM_TRY(dgm_buf_add_format(env, out, "|ar:%s", dgm_settings_text(settings, "paired-ar-n")));
    DGM_TRY(dgm_buf_add_format(env, out, "|%s:%s", is_short ? "rs" : "seed",
                               dgm_settings_text(settings, "seed")));
    if (dgm_score_is_paired(score) &&
        !is_sacrebleu(score, randomized ? "paired-ar-p" : "paired-bs-p"))
        return dgm_buf_add_text(env, out, "|p:two-sided");
    return DGM_OK;
}

dgm_status dgm_score_add_signature(const struct dgm_score *score, struct dgm_buf *out,
                                   dgm_scorer *scorer, int is_short)
{
    struct dgm_env *env = score->cmd->env;
    const char *text;
    size_t first;
    DGM_TRY(
        dgm_scorer_text(scorer, is_short ? DGM_SCORE_SHORT_SIGNATURE : DGM_SCORE_SIGNATURE, &text));
    first = strcspn(text, "|");
    DGM_TRY(dgm_buf_add(env, out, text, first));
    if (dgm_score_is_paired(score) || dgm_score_has_mean(score))
        DGM_TRY(add_samples(score, out, is_short));
    return dgm_buf_add_text(env, out, text + first);
}
