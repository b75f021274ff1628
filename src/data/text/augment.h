/*
 * augment.h: sources of training as people write them in haste, some anew in each epoch: in
 * capitals, with slips of the fingers, with other marks (noise.h). Targets stay, but for capitals,
 * which both sides have then.
 *
 * A sentence is kept as pieces that spell its text, which is changed and cut again; so nothing is
 * read again. What is drawn is a function of the seed, the epoch and the number of the pair:
 * threads, ranks, windows and resumes do not change it. A pair stays as it is where it has an
 * unknown piece, before or behind, and where it would become too long.
 */
#ifndef DGM_DATA_TEXT_AUGMENT_H
#define DGM_DATA_TEXT_AUGMENT_H

#include "data/batch.h"
#include "data/text/pipeline.h"

enum { DGM_AUGMENT_CASE, DGM_AUGMENT_TYPO, DGM_AUGMENT_PUNCT, DGM_AUGMENTS };

/* Zeroed: nothing is changed. */
struct dgm_augment {
    int is_on;
    double shares[DGM_AUGMENTS]; /* of the lines */
    uint64_t seed;
    int32_t longest;
    struct dgm_pipeline pipeline; /* beside that of the model */
    struct dgm_buf line, changed;
    const char **words; /* of the line; scratch */
    size_t word_capacity;
    struct dgm_encoded encoded, sides[2];
};

/* what: "case=0.05,typo=0.02,punct=0.02", each of them once; DGM_USAGE for anything else. NULL:
 * nothing. The pipeline must outlive it, and stay as it is. */
dgm_status dgm_augment_init(struct dgm_env *env, struct dgm_augment *augment,
                            const struct dgm_pipeline *pipeline, const char *what, uint64_t seed,
                            int32_t longest);
void dgm_augment_clear(struct dgm_env *env, struct dgm_augment *augment);
/* Changes the pair that was added last to a batch, if it is its turn. */
dgm_status dgm_augment_last(struct dgm_env *env, struct dgm_augment *augment, int64_t epoch,
                            struct dgm_batch *batch);

#endif
