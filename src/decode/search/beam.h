/*
 * beam.h: what a rule of beam search is: a row of beam_list.h and a file beam_<name>.c. It decides,
 * step by step, which continuations of a sentence's hypotheses live on and which are finished.
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
    int64_t most;  /* what no sentence's limit exceeds */
    int64_t rows;  /* live hypotheses */
    int64_t next;  /* those of the next step so far */
    int64_t step;  /* tokens each of them has */
    size_t stride; /* of search->tokens */
};

struct dgm_beam_rule {
    const char *name; /* as --beam-rule has it */
    int forces_end;   /* at its limit a sentence needs search->ends */
    /* Finishes or continues the rows first..last-1, which are all rows of one sentence. */
    dgm_status (*advance)(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at,
                          int64_t first, int64_t last);
};

/* The rule of that number; the one of that name, or NULL. */
const struct dgm_beam_rule *dgm_beam_rule_entry(int i);
const struct dgm_beam_rule *dgm_beam_rule_find(const char *name);

/* Tokens that sentence s may have, the end symbol aside. */
int64_t dgm_beam_limit(const struct dgm_search *search, const struct dgm_beam *at, int32_t s);

/* Inserts into the `most` best so far, the best first; equal ones by row, then by token. */
void dgm_beam_keep(struct dgm_candidate *best, int *count, int most,
                   struct dgm_candidate candidate);
/* The `most` best continuations of the rows of one sentence; their number. */
int dgm_beam_gather(const struct dgm_search *search, int64_t first, int64_t last,
                    struct dgm_candidate *best, int most);

/* Adds the result that `candidate` makes of its row. */
dgm_status dgm_beam_finish(struct dgm_env *env, struct dgm_search *search, struct dgm_beam *at,
                           const struct dgm_candidate *candidate);
/* Row r of the next step continues `candidate`. */
void dgm_beam_continue(struct dgm_search *search, struct dgm_beam *at, int64_t r,
                       const struct dgm_candidate *candidate);

#endif
