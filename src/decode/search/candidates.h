/*
 * candidates.h: one step of all models: the most probable next tokens of every live hypothesis.
 */
#ifndef DGM_DECODE_SEARCH_CANDIDATES_H
#define DGM_DECODE_SEARCH_CANDIDATES_H

#include "decode/search/search.h"

/*
 * Reads one token for each of `rows` hypotheses, search->last, and leaves in search->values and
 * search->ids, (rows, k), the most probable next tokens with their log-probabilities, best first;
 * an id of -1 is no candidate, and neither is the end symbol without search->may_end. k is twice
 * the beam, or the size of the vocabulary where that is smaller. want_ends: search->ends (rows)
 * becomes the log-probability of the end symbol.
 */
dgm_status dgm_candidates_find(struct dgm_env *env, struct dgm_search *search, int64_t rows,
                               int want_ends);
/* k. */
int dgm_candidates_width(const struct dgm_search *search);
/* Those that the device is asked for: one more where the unknown mark, which may be among them, is
 * barred. */
int dgm_candidates_asked(const struct dgm_search *search);

#endif
