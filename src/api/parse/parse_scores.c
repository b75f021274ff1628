/* parse_scores.c: the scores of a parser, as numbers, a table or JSON. */
#include <string.h>

#include "api/context.h"
#include "base/number/number.h"
#include "syntax/eval/parse_eval.h"

enum { COLUMN = 10 };

/* ---- numbers ------------------------------------------------------------------------------ */

static double ratio(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

/* Precision, recall, F1, accuracy on aligned words: 0..1. */
static void get_ratios(double ratios[4], const dgm_parse_counts *counts)
{
    ratios[0] = ratio(counts->correct, counts->system);
    ratios[1] = ratio(counts->correct, counts->gold);
    ratios[2] = ratio(2 * counts->correct, counts->system + counts->gold);
    ratios[3] = ratio(counts->correct, counts->aligned);
}

/* ---- the table ---------------------------------------------------------------------------- */

/* At the right edge of its column. */
static dgm_status add_cell(struct dgm_env *env, struct dgm_buf *out, const char *text)
{
    size_t length = strlen(text);
    for (; length < COLUMN; length++)
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    return dgm_buf_add_text(env, out, text);
}

static dgm_status add_percent(struct dgm_env *env, struct dgm_buf *out, double value)
{
    char digits[32];
    dgm_number_print_fixed(digits, 100.0 * value, 2);
    return add_cell(env, out, digits);
}

static dgm_status add_percents(struct dgm_env *env, struct dgm_buf *out,
                               const dgm_parse_counts *counts)
{
    double ratios[4];
    int i;
    get_ratios(ratios, counts);
    for (i = 0; i < 3; i++) {
        DGM_TRY(add_percent(env, out, ratios[i]));
        DGM_TRY(dgm_buf_add_text(env, out, " |"));
    }
    return counts->aligned < 0 ? DGM_OK : add_percent(env, out, ratios[3]);
}

/* Of words, there is nothing to compare once they are aligned: every aligned one is correct. */
static dgm_status add_counts(struct dgm_env *env, struct dgm_buf *out,
                             const dgm_parse_counts *counts, dgm_parse_metric metric)
{
    int64_t aligned = metric == DGM_PARSE_WORDS ? counts->correct : counts->aligned;
    DGM_TRY(dgm_buf_add_format(env, out, "%10lld |%10lld |%10lld |", (long long)counts->correct,
                               (long long)counts->gold, (long long)counts->system));
    if (aligned <= 0)
        return add_cell(env, out, "");
    return dgm_buf_add_format(env, out, "%10lld", (long long)aligned);
}

static int is_chosen(const dgm_parse_eval_options *options, dgm_parse_metric metric)
{
    return options->all || options->counts || metric == DGM_PARSE_UPOS || metric == DGM_PARSE_UAS ||
           metric == DGM_PARSE_LAS || metric == DGM_PARSE_CLAS || metric == DGM_PARSE_MLAS;
}

static dgm_status add_table(struct dgm_env *env, struct dgm_buf *out,
                            const dgm_parse_counts *counts, const dgm_parse_eval_options *options)
{
    int metric;
    DGM_TRY(dgm_buf_add_text(env, out,
                             options->counts
                                 ? "Metric     | Correct   |      Gold | Predicted | Aligned\n"
                                 : "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"));
    DGM_TRY(dgm_buf_add_text(env, out,
                             "-----------+-----------+-----------+-----------+-----------\n"));
    for (metric = 0; metric < DGM_PARSE_METRICS; metric++) {
        if (!is_chosen(options, (dgm_parse_metric)metric))
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "%-11s|",
                                   dgm_parse_metric_name((dgm_parse_metric)metric)));
        DGM_TRY(options->counts ? add_counts(env, out, &counts[metric], (dgm_parse_metric)metric)
                                : add_percents(env, out, &counts[metric]));
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    }
    return DGM_OK;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static dgm_status add_member(struct dgm_env *env, struct dgm_buf *out, const char *name,
                             double value)
{
    DGM_TRY(dgm_buf_add_format(env, out, ", \"%s\": ", name));
    return dgm_buf_add_real(env, out, 100.0 * value, 17);
}

static dgm_status add_json(struct dgm_env *env, struct dgm_buf *out, const dgm_parse_counts *counts)
{
    double ratios[4];
    int metric;
    for (metric = 0; metric < DGM_PARSE_METRICS; metric++) {
        const dgm_parse_counts *of = &counts[metric];
        get_ratios(ratios, of);
        DGM_TRY(dgm_buf_add_format(env, out,
                                   "%s \"%s\": {\"correct\": %lld, \"gold\": %lld, "
                                   "\"system\": %lld",
                                   metric > 0 ? ",\n" : "{\n",
                                   dgm_parse_metric_name((dgm_parse_metric)metric),
                                   (long long)of->correct, (long long)of->gold,
                                   (long long)of->system));
        if (of->aligned >= 0)
            DGM_TRY(dgm_buf_add_format(env, out, ", \"aligned\": %lld", (long long)of->aligned));
        DGM_TRY(add_member(env, out, "precision", ratios[0]));
        DGM_TRY(add_member(env, out, "recall", ratios[1]));
        DGM_TRY(add_member(env, out, "f1", ratios[2]));
        if (of->aligned >= 0)
            DGM_TRY(add_member(env, out, "aligned_accuracy", ratios[3]));
        DGM_TRY(dgm_buf_add_char(env, out, '}'));
    }
    return dgm_buf_add_text(env, out, "\n}\n");
}

/* ---- the interface ------------------------------------------------------------------------ */

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
    if (write == NULL)
        return dgm_argument_check(env, NULL, "write");
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_parse_eval_options"));
    DGM_TRY(evaluate(env, counts, gold, system, &chosen));
    status = chosen.json ? add_json(env, &text, counts) : add_table(env, &text, counts, &chosen);
    if (status == DGM_OK)
        status = dgm_report_write(env, write, user, &text);
    dgm_buf_clear(env, &text);
    return status;
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
