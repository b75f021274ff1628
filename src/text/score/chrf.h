/*
 * chrf.h: chrF (Popovic, WMT 2015) and chrF++ (WMT 2017), with the numbers of
 * sacreBLEU.
 *
 * F-score of character n-grams, white space left out, and in chrF++ of word n-grams
 * with the punctuation at a word's edge set off.
 */
#ifndef DGM_TEXT_SCORE_CHRF_H
#define DGM_TEXT_SCORE_CHRF_H

#include "base/map.h"
#include "text/score/metric.h"
#include "text/score/ngrams.h"

#define DGM_CHRF_CHAR_ORDER 6
#define DGM_CHRF_MAX_WORD_ORDER 2
#define DGM_CHRF_MAX_ORDER (DGM_CHRF_CHAR_ORDER + DGM_CHRF_MAX_WORD_ORDER)

/* Zeroed: chrF2. */
struct dgm_chrf_options {
    int word_order; /* 0: chrF; 1 or 2: chrF+, chrF++ */
    int beta;       /* weight of recall; 0 means 2 */
    int lower;
    int whitespace;    /* let white space be part of character n-grams */
    int eps_smoothing; /* the mean of the F-scores of all orders, as chrF++.py and NLTK
                          have it */
};

/* Sums of these are the statistics of the texts together. */
struct dgm_chrf_stats {
    int64_t hypothesis[DGM_CHRF_MAX_ORDER], reference[DGM_CHRF_MAX_ORDER];
    int64_t common[DGM_CHRF_MAX_ORDER];
};

/* Scratch memory for counting; zeroed is valid. */
struct dgm_chrf {
    struct dgm_chrf_options options;
    struct dgm_map words;
    struct dgm_ngrams ngrams;
    struct dgm_buf hypothesis, reference; /* in lower case */
    uint32_t *items;
    size_t item_capacity;
};

/*
 * The statistics of one sentence against the reference that gives it the highest score.
 */
dgm_status dgm_chrf_count(struct dgm_env *env, struct dgm_chrf *chrf, struct dgm_chrf_stats *stats,
                          struct dgm_metric_text hypothesis,
                          const struct dgm_metric_text *references, size_t reference_count);

/* 0..100 */
double dgm_chrf_score(const struct dgm_chrf_stats *stats, const struct dgm_chrf_options *options);

void dgm_chrf_clear(struct dgm_env *env, struct dgm_chrf *chrf);

#endif
