/*
 * scorer.h: what a public scorer holds, and how sentences come to it that other threads counted.
 */
#ifndef DGM_API_SCORE_SCORER_H
#define DGM_API_SCORE_SCORER_H

#include "api/context.h"
#include "base/lines/lines.h"
#include "text/score/metric.h"

struct dgm_scorer {
    struct dgm_context *context;
    struct dgm_settings settings; /* over dgm_metric_tables; other threads open measures by them */
    struct dgm_measure measure;
    int64_t sums[DGM_METRIC_WIDTH];
    long sentences;
    int references; /* of each sentence; -1: their number varies; 0 before the first */
    struct dgm_metric_text *texts; /* the references of one sentence */
    size_t text_capacity;
    long tokenized; /* sentences that look tokenised */
    struct dgm_looks looks;
    int sacrebleu; /* its samples and its p in dgm_scorer_paired */
    int keep;      /* the numbers of every sentence, a row each */
    int64_t *rows;
    size_t row_capacity; /* numbers */
    struct dgm_buf out;
};

/* Makes room for `count` references in scorer->texts. */
dgm_status dgm_scorer_reserve(struct dgm_scorer *scorer, size_t count);
/* Adds a sentence with `present` references. */
dgm_status dgm_scorer_take(struct dgm_scorer *scorer, const struct dgm_metric_count *count,
                           int present);

/* Checks that the scorers can be compared, and collects their rows, `count` of them. */
dgm_status dgm_scorer_gather(struct dgm_env *env, dgm_scorer *const *scorers, size_t count,
                             const int64_t **rows);

/* ---- score_columns.c ---------------------------------------------------------------------- */

struct dgm_score_columns {
    struct dgm_context *context;
    struct dgm_lines lines;
    size_t count;
};

/* ---- scorer_settings.c -------------------------------------------------------------------- */

/* DGM_USAGE unless a metric has this name; NULL is the default one. */
dgm_status dgm_scorer_check_name(struct dgm_env *env, const char *metric);
/* What public options say of metrics, as settings over dgm_metric_tables. */
dgm_status dgm_scorer_take_options(struct dgm_env *env, struct dgm_settings *settings,
                                   const dgm_scorer_options *options);
/* The same of other settings, whose tables have those rows among others. */
dgm_status dgm_scorer_take_settings(struct dgm_env *env, struct dgm_settings *settings,
                                    const struct dgm_settings *from);
/* Whether numbers of both, of one metric, are of one kind. */
int dgm_scorer_is_like(const struct dgm_scorer *a, const struct dgm_scorer *b);

#endif
