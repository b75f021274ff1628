/* parse_scores.c: the scores of a parser, as numbers, a table or JSON. */
#include <string.h>

#include "api/context.h"
#include "syntax/eval/eval_table.h"
#include "syntax/eval/parse_eval.h"

static dgm_status evaluate(struct dgm_env *env, dgm_parse_counts counts[DGM_PARSE_METRICS],
                           const char *gold, const char *system,
                           const dgm_parse_eval_options *options)
{
    int policy;
    DGM_TRY(dgm_argument_check(env, gold, "gold"));
    DGM_TRY(dgm_argument_check(env, system, "system"));
    DGM_TRY(dgm_options_choose(env, &policy, "multi_root", options->multi_root,
                               dgm_multi_root_names, DGM_MULTI_ROOTS));
    return dgm_parse_eval_files(env, counts, gold, system, (enum dgm_multi_root)policy,
                                options->earlier_heads);
}

dgm_status dgm_parse_eval(dgm_context *context, const char *gold, const char *system,
                          const dgm_parse_eval_options *options, dgm_write_fn write, void *user)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_parse_eval_options chosen;
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_write_check(env, write));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_parse_eval_options"));
    DGM_TRY(evaluate(env, counts, gold, system, &chosen));
    status = chosen.json ? dgm_eval_table_json(env, &text, counts)
                         : dgm_eval_table_add(env, &text, counts, chosen.all, chosen.counts);
    return dgm_report_made(env, write, user, &text, status);
}

dgm_status dgm_parse_eval_count(dgm_context *context, const char *gold, const char *system,
                                const dgm_parse_eval_options *options, dgm_parse_counts *counts,
                                size_t count)
{
    dgm_parse_counts all[DGM_PARSE_METRICS];
    dgm_parse_eval_options chosen;
    struct dgm_env *env;
    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, counts, "counts"));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_parse_eval_options"));
    if (count > DGM_PARSE_METRICS)
        return dgm_fail(env, DGM_USAGE, "counts of %zu metrics; expected at most %d", count,
                        (int)DGM_PARSE_METRICS);
    DGM_TRY(evaluate(env, all, gold, system, &chosen));
    memcpy(counts, all, count * sizeof *counts);
    return DGM_OK;
}
