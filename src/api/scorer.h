/*
 * scorer.h: what a public scorer holds.
 */
#ifndef DGM_API_SCORER_H
#define DGM_API_SCORER_H

#include "api/context.h"
#include "text/bleu.h"
#include "text/chrf.h"

struct dgm_scorer {
    struct dgm_context *context;
    int is_chrf;
    struct dgm_bleu bleu;
    struct dgm_chrf chrf;
    struct dgm_bleu_stats bleu_sum;
    struct dgm_chrf_stats chrf_sum;
    long sentences;
    int references; /* of each sentence; -1: their number varies; 0 before the first */
    struct dgm_bleu_text *texts; /* the references of one sentence */
    size_t text_capacity;
    struct dgm_buf out;
};

/* Counts one sentence against the first `count` of scorer->texts. */
dgm_status dgm_scorer_count(struct dgm_scorer *scorer, struct dgm_bleu_text hypothesis,
                            size_t count);

/* Makes room for `count` references in scorer->texts. */
dgm_status dgm_scorer_reserve(struct dgm_scorer *scorer, size_t count);

#endif
