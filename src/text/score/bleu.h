/*
 * bleu.h: BLEU (Papineni and others, ACL 2002), with the numbers of sacreBLEU and
 * multi-bleu.perl.
 *
 * A sentence yields integer statistics; sums of them, over a corpus or over a resampled
 * one, yield a score.
 */
#ifndef DGM_TEXT_SCORE_BLEU_H
#define DGM_TEXT_SCORE_BLEU_H

#include "base/map.h"
#include "text/score/mecab.h"
#include "text/score/metric.h"
#include "text/score/ngrams.h"

enum dgm_bleu_tokenizer {
    DGM_BLEU_13A,  /* mteval-v13a: what WMT and sacreBLEU mean by BLEU */
    DGM_BLEU_NONE, /* the text is tokenised */
    DGM_BLEU_INTL, /* mteval-v14 --international-tokenization */
    DGM_BLEU_CHAR,
    DGM_BLEU_JA_MECAB, /* words of Japanese, by MeCab */
    DGM_BLEU_ZH        /* single Chinese characters, and 13a of what stands between */
};

enum dgm_bleu_smoothing {
    DGM_BLEU_SMOOTH_EXP,   /* halves the precision for every order without a match */
    DGM_BLEU_SMOOTH_FLOOR, /* matches of such an order: the value, by default 0.1 */
    DGM_BLEU_SMOOTH_ADD_K, /* adds the value, by default 1, to matches and totals from
                              order 2 */
    DGM_BLEU_SMOOTH_NONE
};

/* Zeroed: sacreBLEU's defaults. */
struct dgm_bleu_options {
    enum dgm_bleu_tokenizer tokenizer;
    enum dgm_bleu_smoothing smoothing;
    int has_smooth_value; /* else the default of the method */
    double smooth_value;
    int lower;           /* as Python's str.lower */
    int lower_ascii;     /* as multi-bleu.perl -lc, which knows nothing but ASCII */
    int effective_order; /* leave out orders that the text is too short for: for sentences
                          */
    int order;           /* 1..6; 0 means 4 */
    int force;           /* do not warn of text that looks tokenised */
};

/* Sums of these are the statistics of the texts together. */
struct dgm_bleu_stats {
    int64_t hyp_len, ref_len;
    int64_t correct[DGM_NGRAMS_MAX_ORDER], total[DGM_NGRAMS_MAX_ORDER];
};

struct dgm_bleu_score {
    double score;                            /* 0..100 */
    double precisions[DGM_NGRAMS_MAX_ORDER]; /* 0..100 */
    double brevity_penalty, ratio;
    struct dgm_bleu_stats stats;
};

/* Scratch memory for counting; zeroed is valid. */
struct dgm_bleu {
    struct dgm_bleu_options options;
    struct dgm_map words;
    struct dgm_ngrams ngrams;
    struct dgm_buf lowered, tokens;
    uint32_t *items;
    size_t item_capacity;
    struct dgm_mecab *mecab; /* NULL unless the tokeniser is MeCab */
    int notes;               /* DGM_METRIC_UNCUT and so on, of the sentence at hand */
};

/* Cuts a text as the options say, and leaves the numbers of its words, keys of bleu->words, in
 * bleu->items. */
dgm_status dgm_bleu_words(struct dgm_env *env, struct dgm_bleu *bleu, size_t *count,
                          struct dgm_metric_text text);

/* The statistics of one sentence against 1 or more references. */
dgm_status dgm_bleu_count(struct dgm_env *env, struct dgm_bleu *bleu, struct dgm_bleu_stats *stats,
                          struct dgm_metric_text hypothesis,
                          const struct dgm_metric_text *references, size_t reference_count);

struct dgm_bleu_score dgm_bleu_score(const struct dgm_bleu_stats *stats,
                                     const struct dgm_bleu_options *options);

void dgm_bleu_clear(struct dgm_env *env, struct dgm_bleu *bleu);

#endif
