/*
 * search.h: beam search over packed hypotheses.
 *
 * At each step the best continuations of a sentence's live hypotheses are looked at; which of them
 * live on and which are finished is up to a rule (beam.h). All live hypotheses of all sentences
 * are rows of one packed batch; a sentence's result does not depend on its neighbours.
 */
#ifndef DGM_DECODE_SEARCH_SEARCH_H
#define DGM_DECODE_SEARCH_SEARCH_H

#include "data/batch.h"
#include "model/incremental.h"

/* Final scores: logP / len^a, logP / ((5 + len) / 6)^a, logP; len counts the end symbol, if there
 * is one. */
enum dgm_penalty { DGM_PENALTY_FAIRSEQ, DGM_PENALTY_GNMT, DGM_PENALTY_NONE };

struct dgm_search_options {
    int beam;
    enum dgm_penalty penalty;
    double alpha;
    double length_factor; /* limit: length_factor * source tokens + length_extra ... */
    int64_t length_extra;
    int64_t max_length;               /* ... and at most this many, the end symbol aside */
    int64_t min_length;               /* the end symbol is forbidden before this many tokens */
    int32_t forbidden;                /* an id that is never chosen (padding), or -1 */
    const struct dgm_beam_rule *rule; /* beam.h; NULL: the first of its list */
};

struct dgm_hypothesis {
    int32_t *tokens; /* (length), the end symbol last, unless the rule leaves it out */
    int32_t length;
    double logp, score;
};

/* The hypotheses of one sentence, the best score first. */
struct dgm_result {
    struct dgm_hypothesis *items;
    int32_t count;
    int is_done; /* its search came to an end */
};

/* result.c: which penalty a name is: fairseq, gnmt, none; DGM_USAGE for another. */
dgm_status dgm_penalty_read(struct dgm_env *env, const char *name, enum dgm_penalty *penalty);
/* The final score of a hypothesis of `length` tokens. */
double dgm_search_score(const struct dgm_search_options *options, double logp, int32_t length);
/* Best score first; equal ones in the order in which they were finished. */
void dgm_result_sort(struct dgm_result *result);
void dgm_result_clear(struct dgm_env *env, struct dgm_result *result);

enum { DGM_ENSEMBLE = 16, DGM_MAX_BEAM = 64 };

struct dgm_beam_row;

struct dgm_search {
    struct dgm_search_options options;
    struct dgm_device *device;
    struct dgm_incremental models[DGM_ENSEMBLE]; /* an ensemble averages probabilities */
    int model_count;
    int64_t vocab;
    int32_t eos;

    /* Scratch memory, kept between batches. */
    struct dgm_buffer *top; /* on the device: results of a step */
    size_t top_bytes;
    dgm_real *values, *ends; /* on the host: (R,2b) and (R) log-probabilities */
    int32_t *ids;            /* (R,2b) */
    size_t top_capacity;
    struct dgm_beam_row *rows, *next_rows;
    int32_t *tokens, *next_tokens; /* (R, stride) of the live rows */
    int32_t *from, *last;          /* (R) */
    size_t row_capacity, token_capacity;
};

/*
 * The models share vocabularies and end symbol (else DGM_MODEL); they and the device outlive the
 * search. DGM_USAGE for a beam outside 1..DGM_MAX_BEAM. Cleared by dgm_search_clear in any case.
 */
dgm_status dgm_search_init(struct dgm_env *env, struct dgm_search *search,
                           const struct dgm_net *const *models, int model_count,
                           struct dgm_device *device, const struct dgm_search_options *options);
void dgm_search_clear(struct dgm_env *env, struct dgm_search *search);

/*
 * Searches one batch; results: one per sentence, zeroed; each cleared by dgm_result_clear, also
 * after a failure. Hypotheses of probability zero or NaN are dropped: where nothing else is left
 * (broken weights, an end symbol that is impossible), a result is empty.
 */
dgm_status dgm_search_batch(struct dgm_env *env, struct dgm_search *search,
                            const struct dgm_batch *batch, struct dgm_result *results);

/*
 * candidates.c: reads one token per row, search->last, and leaves in search->values and
 * search->ids, (rows, 2 beam), the most probable next tokens with their log-probabilities, best
 * first (an id of -1 is no candidate), and, if asked for, in search->ends (rows) the
 * log-probability of the end symbol.
 */
dgm_status dgm_search_expand(struct dgm_env *env, struct dgm_search *search, int64_t rows,
                             int forbid_end, int want_ends);

#endif
