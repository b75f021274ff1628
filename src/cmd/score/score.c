/* score.c: scorers as the options ask for, and the end of the output. */
#include "cmd/score/score.h"

#include <string.h>

/* --multi-bleu stands for multi-bleu.perl: text that is tokenised already, up to 4 words however
 * short a line is, no smoothing, and lower case of ASCII letters only, as that script has it. chrF,
 * which it does not know, is as without. */
dgm_status dgm_score_make(struct dgm_score *score, int keep, dgm_scorer **scorers)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    int multi = dgm_settings_flag(settings, "multi-bleu");
    dgm_scorer_options chosen;
    size_t i;
    memset(&chosen, 0, sizeof chosen);
    chosen.struct_size = sizeof chosen;
    chosen.tokenize = multi ? "none" : dgm_settings_text(settings, "tokenize");
    chosen.smooth = multi ? "none" : dgm_settings_text(settings, "smooth-method");
    chosen.has_smooth_value = dgm_settings_text(settings, "smooth-value") != NULL;
    if (chosen.has_smooth_value)
        chosen.smooth_value = dgm_settings_real(settings, "smooth-value");
    chosen.effective_order = !multi && dgm_settings_flag(settings, "sentence-level");
    chosen.max_order = multi ? 4 : (int)dgm_settings_int(settings, "max-ngram-order");
    chosen.word_order = (int)dgm_settings_int(settings, "chrf-word-order");
    chosen.beta = (int)dgm_settings_int(settings, "chrf-beta");
    chosen.whitespace = dgm_settings_flag(settings, "chrf-whitespace");
    chosen.force = dgm_settings_flag(settings, "force");
    chosen.keep_sentences = keep;
    chosen.paired_p = dgm_settings_text(settings, "paired-bs-p");
    for (i = 0; i < score->count; i++) {
        int as_script = multi && strcmp(score->metrics[i], "bleu") == 0;
        chosen.metric = score->metrics[i];
        chosen.lower = !as_script && dgm_settings_flag(settings, "lowercase");
        chosen.lower_ascii = as_script && dgm_settings_flag(settings, "lowercase");
        DGM_TRY(dgm_scorer_new(score->cmd->context, &chosen, &scorers[i]));
    }
    return DGM_OK;
}

dgm_status dgm_score_write(struct dgm_score *score, const struct dgm_buf *out)
{
    struct dgm_env *env = score->cmd->env;
    DGM_TRY(dgm_cmd_open_output(env, &score->writer,
                                dgm_settings_text(&score->cmd->settings, "output")));
    return dgm_cmd_close_output(env, &score->writer,
                                dgm_writer_add(env, &score->writer, out->data, out->size));
}
