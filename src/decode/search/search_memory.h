/*
 * search_memory.h: how much memory a search may take; refuses one that is too large beforehand.
 */
#ifndef DGM_DECODE_SEARCH_SEARCH_MEMORY_H
#define DGM_DECODE_SEARCH_SEARCH_MEMORY_H

#include "decode/search/search.h"

/* How many searches go side by side, at most one on each thread of the device, where `most` tokens
 * may be searched together: one where there are fewer sentences than threads. */
int dgm_search_workers(const struct dgm_search *search, const struct dgm_packed *source,
                       int64_t most);

/* A batch has at most so many tokens, and so many rows: hypotheses of a step. */
struct dgm_search_share {
    int64_t tokens, rows;
};

/* The share of a batch where so many searches go side by side: of `most` tokens, as many rows as
 * are fast, and none so large that a search waits for others at the end. */
struct dgm_search_share dgm_search_share(const struct dgm_search *search,
                                         const struct dgm_packed *source, int64_t most,
                                         int workers);

/* The most bytes, beside the models, that all searches together take for the batches that sentences
 * order[0..] are cut into (translate.c), where every hypothesis of a beam grows to its limit. */
double dgm_search_memory(const struct dgm_search *search, const struct dgm_packed *source,
                         const int32_t *order, int64_t most, int workers);

/* DGM_MEMORY, with the number of tokens that would fit, if that exceeds what the environment may
 * still use; at level debug the log says how much it is. *workers becomes smaller where fewer fit.
 * What earlier searches hold still counts as used by others, but for the scratch memory of the
 * caller's device where is_warm says that it has searched before. */
dgm_status dgm_search_check_memory(struct dgm_env *env, const struct dgm_search *search,
                                   const struct dgm_packed *source, const int32_t *order,
                                   int64_t most, int is_warm, int *workers);

#endif
