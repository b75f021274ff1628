/*
 * judge.c: values of metrics, and which of them makes a model the best.
 */
#include "train/judge.h"

#include <math.h>
#include <string.h>

#include "base/option/settings.h"
#include "train/watch/report.h"

/* Whether `value` is the best so far; a tie is not. */
static int note_score(struct dgm_train_state *state, double value, int upwards)
{
    int is_first = state->best_update == 0 || !isfinite(state->best);
    int is_best =
        isfinite(value) && (is_first || (upwards ? value > state->best : value < state->best));

    if (is_best) {
        state->best = value;
        state->best_update = state->updates;
        state->stalled = 0;
    } else {
        state->stalled++;
    }
    return is_best;
}

dgm_status dgm_judge_score(struct dgm_env *env, struct dgm_judge *judge,
                           const struct dgm_score_set *set, const char *metric, double value,
                           int upwards)
{
    struct dgm_valid_score score = { .set = set != NULL ? set->name : NULL, .metric = metric };
    int decides = (set == NULL || set->decides) && strcmp(metric, judge->decides) == 0;

    if (decides)
        judge->is_best = note_score(judge->state, value, upwards);
    score.value = value;
    score.decides = decides;
    score.is_best = decides && judge->is_best;
    return dgm_report_valid(env, judge->report, judge->state, &score);
}

int dgm_judge_wants(const struct dgm_settings *settings, const char *metric)
{
    for (size_t i = 0; i < dgm_settings_count(settings, "valid-metrics"); i++)
        if (strcmp(dgm_settings_item(settings, "valid-metrics", i), metric) == 0)
            return 1;
    return 0;
}

void dgm_judge_forget(struct dgm_env *env, struct dgm_train_state *state)
{
    int had_one = state->best_update > 0;

    state->best = 0;
    state->best_update = 0;
    state->best_checksum = 0;
    state->stalled = 0;
    if (had_one)
        dgm_log(env, DGM_LOG_NOTE,
                "the validation text is another one than that of the "
                "checkpoints: the best score is forgotten");
}

dgm_status dgm_judge_settle(struct dgm_env *env, dgm_status status)
{
    if (status == DGM_MODEL)
        env->error.status = status = DGM_DIVERGED;
    return status;
}
