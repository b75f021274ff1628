/*
 * search_memory.h: how much memory a search may take; refuses one that is too large beforehand.
 */
#ifndef DGM_DECODE_SEARCH_SEARCH_MEMORY_H
#define DGM_DECODE_SEARCH_SEARCH_MEMORY_H

#include "decode/search/search.h"

/* The most bytes, beside the models, over the batches of at most `most` tokens that sentences
 * order[0..] are cut into (translate.c), where every hypothesis of a beam grows to its limit. order NULL: as they
 * come. */
double dgm_search_memory(const struct dgm_search *search, const struct dgm_packed *source,
                         const int32_t *order, int64_t most);

/* DGM_MEMORY, with the batch size that would fit, if that exceeds what the environment may still
 * use; at level debug the log says how much it is. */
dgm_status dgm_search_check_memory(struct dgm_env *env, const struct dgm_search *search,
                                   const struct dgm_packed *source, const int32_t *order,
                                   int64_t most);

#endif
