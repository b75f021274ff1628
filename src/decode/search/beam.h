/*
 * beam.h: what a rule of beam search is: a row of beam_list.h and a file beam_<name>.c. It decides,
 * step by step, which continuations of a sentence's hypotheses live on and which are finished.
 *
 * One step of search.c: the models score the next token of all live hypotheses (candidates.h); then
 * the rule is called once for each sentence, in the order of the rows; then the models forget the
 * hypotheses that did not live on. The contract between the search and a rule:
 *
 * - A rule reads the rows first..last-1, their candidates, the options and results[s].count.
 * - It changes nothing by itself. It calls dgm_beam_finish, which adds one result to the sentence,
 *   and dgm_beam_continue, which adds one row to the next step; nobody else advances at->next.
 * - Rows are added best first: the next step relies on their order.
 * - It adds at most `beam` rows, and no result beyond `beam` of the sentence. Both functions assert
 *   it, and that the candidate is a row of the sentence at hand.
 * - A sentence that gets no row is done. A rule ends each sentence at its limit, where it
 *   adds none.
 */
#ifndef DGM_DECODE_SEARCH_BEAM_H
#define DGM_DECODE_SEARCH_BEAM_H

#include "decode/search/search.h"

/* A live hypothesis; the rows of one sentence stand together, in order of their scores. */
struct dgm_beam_row {
    int32_t sentence;
    double logp;
};

/* A continuation of a live hypothesis. */
struct dgm_candidate {
    double logp;
    int32_t row, id;
};

/* Where a batch stands. */
struct dgm_beam {
    const struct dgm_batch *batch;
    struct dgm_result *results;
    int64_t most;        /* tokens: the largest limit that a sentence may have */
    int64_t rows;        /* live hypotheses */
    int64_t step;        /* tokens each of them has */
    size_t stride;       /* of search->tokens */
    int64_t next;        /* hypotheses of the next step so far */
    int64_t first, last; /* the rows of the sentence that the rule is asked about ... */
    int64_t first_next;  /* ... and the first of its rows in the next step */
};

struct dgm_beam_rule {
    const char *name; /* as --beam-rule has it */
    int forces_end;   /* at its limit a sentence needs search->ends */
    /* Finishes or continues the rows at->first..last-1, which are all rows of one sentence. */
    dgm_status (*advance)(struct dgm_env *env, const struct dgm_search *search,
                          struct dgm_beam *at);
};

/* The rule of that number, or NULL beyond the last; the one of that name, or NULL; the same, where
 * another name is DGM_USAGE. */
const struct dgm_beam_rule *dgm_beam_rule_entry(int i);
const struct dgm_beam_rule *dgm_beam_rule_find(const char *name);
dgm_status dgm_beam_rule_read(struct dgm_env *env, const char *name,
                              const struct dgm_beam_rule **rule);

/* Tokens that sentence s may have, the end symbol aside. */
int64_t dgm_beam_limit(const struct dgm_search *search, const struct dgm_beam *at, int32_t s);

/* Inserts into the `most` best so far, the best first; equal ones by row, then by token. */
void dgm_beam_keep(struct dgm_candidate *best, int *count, int most,
                   struct dgm_candidate candidate);
/* The `most` best continuations of the sentence at hand; their number. */
int dgm_beam_gather(const struct dgm_search *search, const struct dgm_beam *at,
                    struct dgm_candidate *best, int most);

/* Adds the result that `candidate` makes of its row. */
dgm_status dgm_beam_finish(struct dgm_env *env, const struct dgm_search *search,
                           struct dgm_beam *at, const struct dgm_candidate *candidate);
/* Adds the row of the next step that `candidate` makes of its row. */
void dgm_beam_continue(const struct dgm_search *search, struct dgm_beam *at,
                       const struct dgm_candidate *candidate);

#endif
