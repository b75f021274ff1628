/*
 * search.h: beam search over packed hypotheses.
 *
 * Each step finds the best continuations of a sentence's live hypotheses (candidates.h); a rule
 * decides which of them live on and which are finished (beam.h). All live hypotheses of all
 * sentences are rows of one packed batch; a sentence's result does not depend on its neighbours.
 */
#ifndef DGM_DECODE_SEARCH_SEARCH_H
#define DGM_DECODE_SEARCH_SEARCH_H

#include "data/batch.h"
#include "data/shortlist/shortlist.h"
#include "decode/lost_scores.h"
#include "decode/search/result.h"
#include "model/search/incremental.h"

struct dgm_search_options {
    int beam;
    enum dgm_penalty penalty;
    double alpha;
    double length_factor; /* limit: length_factor * source tokens + length_extra, the end symbol */
    int64_t length_extra; /* aside, and no more than dgm_search_longest */
    int32_t forbidden;    /* an id that is never chosen (padding), or -1 */
    int bars_unknown;     /* neither is the unknown mark, though it keeps its probability */
    int64_t least;        /* tokens before the end symbol, a given first one among them: 1, and no
                           * translation is empty (min_len of fairseq, which is 1 there, too); 0:
                           * it may be */
    const struct dgm_beam_rule *rule; /* beam.h; NULL: the first of its list */
    /* Words that a sentence may use, of the models' vocabularies; borrowed; NULL: all.
     * Probabilities are then those among these words. */
    const struct dgm_shortlist *shortlist;
    struct dgm_input_lines lines; /* for messages: what a number of a batch is to the caller */
};

enum { DGM_ENSEMBLE = 16, DGM_MAX_BEAM = 64 };

struct dgm_beam_row;

struct dgm_search {
    struct dgm_search_options options;
    struct dgm_device *device;
    struct dgm_incremental models[DGM_ENSEMBLE]; /* an ensemble averages probabilities */
    int model_count;
    int64_t vocab;
    int64_t width; /* scores of a hypothesis: vocab, or the places of a list */
    int32_t eos;
    int may_end;                        /* hypotheses at hand are long enough for the end symbol */
    struct dgm_shortlist_choice choice; /* of the batch at hand, with a shortlist */

    /* Scratch memory, kept between batches. */
    struct dgm_buffer *top; /* on the device: results of a step */
    size_t top_bytes;
    dgm_real *values, *ends; /* on the host: (R,k) and (R) log-probabilities (candidates.h) */
    int32_t *ids;            /* (R,k), behind the values */
    size_t value_capacity, end_capacity;
    struct dgm_beam_row *rows, *next_rows;
    int32_t *tokens, *next_tokens; /* (R, stride) of the live rows */
    int32_t *from, *last;          /* (R) */
    size_t row_capacity, token_capacity;
};

/* What nobody has asked for otherwise (search_defaults.h). */
struct dgm_search_options dgm_search_defaults(void);

/*
 * The models share vocabularies and end symbol (else DGM_MODEL); they and the device outlive the
 * search. DGM_USAGE for a beam outside 1..DGM_MAX_BEAM. Cleared by dgm_search_clear in any case.
 */
dgm_status dgm_search_init(struct dgm_env *env, struct dgm_search *search,
                           const struct dgm_net *const *models, int model_count,
                           struct dgm_device *device, const struct dgm_search_options *options);
void dgm_search_clear(struct dgm_env *env, struct dgm_search *search);

/* Tokens, the end symbol aside, that every model has positions for. */
int64_t dgm_search_longest(const struct dgm_search *search);

/*
 * Searches one batch; results: one per sentence, zeroed; each cleared by dgm_result_clear, also
 * after a failure. All hypotheses of a sentence begin with the token that is given (source.firsts:
 * a tag), of all sentences of a batch or of none; it is a token as others are, but for its
 * probability, which is 1. Continuations of probability zero are dropped. DGM_MODEL where a
 * hypothesis has no continuation of finite probability, or nothing is left for a sentence (weights
 * that overflow, an end symbol that is impossible).
 */
dgm_status dgm_search_batch(struct dgm_env *env, struct dgm_search *search,
                            const struct dgm_batch *batch, struct dgm_result *results);

#endif
