/*
 * scorer.h: what a public scorer holds.
 */
#ifndef DGM_API_SCORE_SCORER_H
#define DGM_API_SCORE_SCORER_H

#include "api/context.h"
#include "text/score/bleu.h"
#include "text/score/chrf.h"

struct dgm_scorer {
    struct dgm_context *context;
    int is_chrf;
    struct dgm_bleu bleu;
    struct dgm_chrf chrf;
    struct dgm_bleu_stats bleu_sum;
    struct dgm_chrf_stats chrf_sum;
    long sentences;
    int references;              /* of each sentence; -1: their number varies; 0 before the first */
    struct dgm_bleu_text *texts; /* the references of one sentence */
    size_t text_capacity;
    int sacrebleu; /* its samples and its p in dgm_scorer_paired */
    int keep;      /* the statistics of every sentence, a row of int64_t each */
    int64_t *rows;
    size_t row_capacity; /* numbers */
    struct dgm_buf out;
};

/* Counts one sentence against the first `count` of scorer->texts. */
dgm_status dgm_scorer_count(struct dgm_scorer *scorer, struct dgm_bleu_text hypothesis,
                            size_t count);

/* Numbers of a row: all that the statistics of a sentence are made of. */
#define DGM_SCORER_BLEU_WIDTH (sizeof(struct dgm_bleu_stats) / sizeof(int64_t))
#define DGM_SCORER_CHRF_WIDTH (sizeof(struct dgm_chrf_stats) / sizeof(int64_t))
size_t dgm_scorer_width(const struct dgm_scorer *scorer);

/* Makes room for `count` references in scorer->texts. */
dgm_status dgm_scorer_reserve(struct dgm_scorer *scorer, size_t count);

#endif
