/*
 * result.h: the finished hypotheses of a sentence, their scores and their order.
 */
#ifndef DGM_DECODE_SEARCH_RESULT_H
#define DGM_DECODE_SEARCH_RESULT_H

#include "base/env.h"

/* How the length of a hypothesis counts: logP / len^a, logP / ((5 + len) / 6)^a, logP; len counts
 * the end symbol, if there is one. */
enum dgm_penalty { DGM_PENALTY_FAIRSEQ, DGM_PENALTY_GNMT, DGM_PENALTY_NONE };

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

struct dgm_search_options;

/* Reads the name of a penalty: fairseq, gnmt, none; DGM_USAGE for another. */
dgm_status dgm_penalty_read(struct dgm_env *env, const char *name, enum dgm_penalty *penalty);
/* The final score of a hypothesis of `length` tokens. */
double dgm_result_score(const struct dgm_search_options *options, double logp, int32_t length);
/* Best score first; equal ones in the order in which they were finished. */
void dgm_result_sort(struct dgm_result *result);
void dgm_result_clear(struct dgm_env *env, struct dgm_result *result);

#endif
