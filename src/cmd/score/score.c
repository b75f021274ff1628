/* score.c: scorers as the options ask for, and the end of the output. */
#include "cmd/score/score.h"

dgm_status dgm_score_make(struct dgm_score *score, int keep, dgm_scorer **scorers)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    dgm_scorer_options chosen = { .struct_size = sizeof chosen, .keep_sentences = keep };
    const char *given = dgm_settings_text(settings, "read-scores");
    size_t i;
    if (given != NULL)
        return dgm_scorer_open_given(score->cmd->context, given, keep,
                                     dgm_settings_text(settings, "paired-bs-p"), &scorers[0]);
    chosen.paired_p = dgm_settings_text(settings, "paired-bs-p");
    for (i = 0; i < score->count; i++) {
        chosen.metric = score->metrics[i];
        DGM_TRY(dgm_scorer_open(score->cmd->context, &chosen, settings, &scorers[i]));
    }
    return DGM_OK;
}

dgm_status dgm_score_add(struct dgm_score *score, const char *path, const char *const *references,
                         dgm_scorer *const *scorers, dgm_score_fn each)
{
    if (dgm_settings_text(&score->cmd->settings, "read-scores") != NULL)
        return dgm_scorer_add_scores(scorers[0], path);
    return dgm_scorer_add_files(scorers, score->count, path, references, score->reference_count,
                                each, score);
}

dgm_status dgm_score_write(struct dgm_score *score, const struct dgm_buf *out)
{
    return dgm_cmd_put(score->cmd->env, dgm_settings_text(&score->cmd->settings, "output"), out);
}
