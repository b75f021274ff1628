/*
 * bleu.h: BLEU (Papineni and others, ACL 2002), with the numbers of sacreBLEU and
 * multi-bleu.perl.
 *
 * A sentence yields integer statistics; sums of them, over a corpus or over a resampled
 * one, yield a score.
 */
#ifndef DGM_TEXT_SCORE_BLEU_H
#define DGM_TEXT_SCORE_BLEU_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"
#include "text/score/ngrams.h"

#define DGM_BLEU_VERSION "dragoman-0.1.0"

enum dgm_bleu_tokenizer {
    DGM_BLEU_13A,  /* mteval-v13a: what WMT and sacreBLEU mean by BLEU */
    DGM_BLEU_NONE, /* the text is tokenised */
    DGM_BLEU_INTL, /* mteval-v14 --international-tokenization */
    DGM_BLEU_CHAR
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
    long tokenized_lines; /* that end in " .": a sign of tokenised text */
    int is_uncut;         /* a reference so far was hardly cut: its script sets no blanks */
};

struct dgm_bleu_text {
    const char *data; /* NULL: this reference is absent */
    size_t bytes;
};

/* The statistics of one sentence against 1 or more references. */
dgm_status dgm_bleu_count(struct dgm_env *env, struct dgm_bleu *bleu, struct dgm_bleu_stats *stats,
                          struct dgm_bleu_text hypothesis, const struct dgm_bleu_text *references,
                          size_t reference_count);

/* Counts one more text that ends in " ."; warns at the hundredth. dgm_bleu_count does so by itself:
 * for texts that were counted elsewhere. */
void dgm_bleu_tell_tokenized(struct dgm_env *env, struct dgm_bleu *bleu);

void dgm_bleu_add(struct dgm_bleu_stats *sum, const struct dgm_bleu_stats *part);

struct dgm_bleu_score dgm_bleu_score(const struct dgm_bleu_stats *stats,
                                     const struct dgm_bleu_options *options);

/*
 * Appends "BLEU = 41.02, 70.1/47.9/34.5/25.1 (BP=0.985, ratio=0.986, hyp_len=...,
 * ref_len=...)".
 */
dgm_status dgm_bleu_print_multi(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_bleu_stats *stats);

/*
 * Appends "70.1/47.9/34.5/25.1 (BP = 0.985 ratio = 0.986 hyp_len = ... ref_len = ...)".
 */
dgm_status dgm_bleu_print_verbose(struct dgm_env *env, struct dgm_buf *out,
                                  const struct dgm_bleu_score *score, int order);

/*
 * Appends "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:dragoman-0.1.0", or the
 * short form with "#:1|c:mixed|...". references: their number, or -1 if it varies
 * ("var").
 */
dgm_status dgm_bleu_print_signature(struct dgm_env *env, struct dgm_buf *out,
                                    const struct dgm_bleu_options *options, int references,
                                    int is_short);

void dgm_bleu_clear(struct dgm_env *env, struct dgm_bleu *bleu);

#endif
