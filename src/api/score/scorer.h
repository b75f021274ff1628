/*
 * scorer.h: what a public scorer holds, and how sentences come to it that other threads counted.
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

/* What a sentence comes to, by whichever thread: numbers only, so that it can stand in bytes. */
struct dgm_counted {
    struct dgm_bleu_stats bleu;
    struct dgm_chrf_stats chrf;
    int is_uncut, looks_tokenized;
};

/* Makes room for `count` references in scorer->texts. */
dgm_status dgm_scorer_reserve(struct dgm_scorer *scorer, size_t count);
/* Adds a sentence with `present` references. */
dgm_status dgm_scorer_take(struct dgm_scorer *scorer, const struct dgm_counted *counted,
                           int present);

#endif
