/*
 * wording.h: the text of a hypothesis, and what stands for one that has no words.
 *
 * A line of words never becomes an empty one unless somebody asks for it: who reads lines in pairs
 * would lose his text. What the models say does not depend on it.
 */
#ifndef DGM_API_TRANSLATE_WORDING_H
#define DGM_API_TRANSLATE_WORDING_H

#include "data/text/pipeline.h"
#include "decode/search/result.h"

/* Zero-initialise; cleared in any case. */
struct dgm_wording {
    struct dgm_pipeline *pipeline; /* of the models; borrowed */
    int tags;                      /* tokens at the head of a hypothesis that are none of it: of
                                    * those of a line, set by the caller */
    int keep_tokens;               /* words with blanks between, not running text */
    struct dgm_buf text;           /* written last */
};

/* copies: of the hypothesis, or NULL. */
dgm_status dgm_wording_write(struct dgm_env *env, struct dgm_wording *wording,
                             const struct dgm_hypothesis *item, const struct dgm_copies *copies);
/* Leaves of a result the `most` best hypotheses that have words: tokens need not make any. Where
 * there are none, the copy is its only one: without tokens, of probability zero. */
dgm_status dgm_wording_keep(struct dgm_env *env, struct dgm_wording *wording,
                            struct dgm_result *result, int32_t most);
int dgm_wording_is_copy(const struct dgm_hypothesis *item);
/* Writes a line of the source in place of its translation. */
dgm_status dgm_wording_copy(struct dgm_env *env, struct dgm_wording *wording, const char *line,
                            size_t bytes);
void dgm_wording_clear(struct dgm_env *env, struct dgm_wording *wording);

#endif
