/*
 * translate.h: many sentences: batches by length, results in the order of the input; and the
 * log-probabilities of given translations.
 */
#ifndef DGM_DECODE_TRANSLATE_H
#define DGM_DECODE_TRANSLATE_H

#include "decode/workers.h"

/* Is told, after batches, how many sentences are done; in the thread of the caller. */
struct dgm_translate_watch {
    void (*tell)(void *user, int32_t done);
    void *user;
};

/*
 * Searches every sentence of `source`; results (count), zeroed. At most batch_tokens source tokens
 * and as many live hypotheses are searched together, which bounds the memory; sentences of similar
 * length share a batch, and each thread has its batches. Results do not depend on that. Where the
 * search was stopped, results of batches that came to their end are there (is_done). watch may be
 * NULL.
 */
dgm_status dgm_translate_all(struct dgm_env *env, struct dgm_workers *workers,
                             const struct dgm_packed *source, int64_t batch_tokens,
                             struct dgm_result *results, const struct dgm_translate_watch *watch);

/*
 * logp (count): the log-probability of each target given its source and, where that has one, the
 * first token of the target (source->firsts), the end symbol included; an ensemble averages the
 * probabilities of each token. Where scoring was stopped, what was not scored has kept its value.
 */
dgm_status dgm_translate_score(struct dgm_env *env, const struct dgm_net *const *models,
                               int model_count, struct dgm_device *device,
                               const struct dgm_packed *source, const struct dgm_packed *target,
                               int64_t batch_tokens, double *logp);

#endif
