/* score_options.c: which options of `score` go together. */
#include "cmd/score/score_options.h"

#include <string.h>

static dgm_status refuse_of_multi(const struct dgm_score *score, const char *option,
                                  const char *expected)
{
    return dgm_fail(score->cmd->env, DGM_USAGE,
                    "--%s %s with --multi-bleu, whose numbers are those of multi-bleu.perl; "
                    "expected %s",
                    option, dgm_settings_text(&score->cmd->settings, option), expected);
}

/* What the script would compute in another way than it is told. */
static dgm_status check_numbers_of_multi(const struct dgm_score *score)
{
    static const char *const fixed[][2] = { { "tokenize", "none" },
                                            { "smooth-method", "none" },
                                            { "max-ngram-order", "4" } };
    const struct dgm_settings *settings = &score->cmd->settings;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (dgm_settings_is_typed(settings, fixed[i][0]) &&
            strcmp(dgm_settings_text(settings, fixed[i][0]), fixed[i][1]) != 0)
            return refuse_of_multi(score, fixed[i][0], fixed[i][1]);
    return dgm_settings_is_typed(settings, "smooth-value")
               ? refuse_of_multi(score, "smooth-value", "none, as nothing is smoothed")
               : DGM_OK;
}

/* Whether the script's line itself is written: tables, JSON, LaTeX and numbers alone have forms of
 * their own. */
static int writes_line(const struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    return score->system_count == 1 && dgm_settings_text(settings, "by-length") == NULL &&
           dgm_settings_text(settings, "format")[0] == 't' &&
           !dgm_settings_flag(settings, "score-only") &&
           !dgm_settings_flag(settings, "repetitions");
}

static dgm_status check_multi(const struct dgm_score *score)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_env *env = score->cmd->env;
    if (!dgm_settings_flag(settings, "multi-bleu"))
        return DGM_OK;
    DGM_TRY(check_numbers_of_multi(score));
    if (!writes_line(score))
        return DGM_OK;
    if (dgm_settings_is_typed(settings, "short") && dgm_settings_flag(settings, "short"))
        return dgm_fail(env, DGM_USAGE,
                        "--short with --multi-bleu, whose line has no signature; expected one of "
                        "them");
    if (dgm_settings_is_typed(settings, "confidence") && dgm_settings_flag(settings, "confidence"))
        return dgm_fail(env, DGM_USAGE,
                        "--confidence with --multi-bleu, whose line has no interval; expected one "
                        "of them, or --score-only");
    if (dgm_settings_is_typed(settings, "width") && dgm_settings_int(settings, "width") != 2)
        return dgm_fail(env, DGM_USAGE,
                        "--width %s with --multi-bleu, whose line has 2 decimals; expected 2, or "
                        "--score-only",
                        dgm_settings_text(settings, "width"));
    return DGM_OK;
}

dgm_status dgm_score_check_options(const struct dgm_score *score)
{
    DGM_TRY(check_multi(score));
    return dgm_scorer_check(score->cmd->context, &score->cmd->settings);
}
