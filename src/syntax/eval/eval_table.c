/* eval_table.c: the scores of a parser, as a table or JSON. */
#include "syntax/eval/eval_table.h"

#include <string.h>

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
    get_ratios(ratios, counts);
    for (int i = 0; i < 3; i++) {
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

/* The metrics that a short table has. */
static int is_chief(dgm_parse_metric metric)
{
    return metric == DGM_PARSE_UPOS || metric == DGM_PARSE_UAS || metric == DGM_PARSE_LAS ||
           metric == DGM_PARSE_CLAS || metric == DGM_PARSE_MLAS;
}

dgm_status dgm_eval_table_add(struct dgm_env *env, struct dgm_buf *out,
                              const dgm_parse_counts *counts, int all, int with_counts)
{
    DGM_TRY(dgm_buf_add_text(env, out,
                             with_counts
                                 ? "Metric     | Correct   |      Gold | Predicted | Aligned\n"
                                 : "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"));
    DGM_TRY(dgm_buf_add_text(env, out,
                             "-----------+-----------+-----------+-----------+-----------\n"));
    for (int metric = 0; metric < DGM_PARSE_METRICS; metric++) {
        if (!all && !with_counts && !is_chief((dgm_parse_metric)metric))
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "%-11s|",
                                   dgm_parse_metric_name((dgm_parse_metric)metric)));
        DGM_TRY(with_counts ? add_counts(env, out, &counts[metric], (dgm_parse_metric)metric)
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

dgm_status dgm_eval_table_json(struct dgm_env *env, struct dgm_buf *out,
                               const dgm_parse_counts *counts)
{
    double ratios[4];
    for (int metric = 0; metric < DGM_PARSE_METRICS; metric++) {
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
