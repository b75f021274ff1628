/*
 * resample.h: other pieces for the words of a sentence, drawn anew in each epoch: subword
 * regularisation (text/spm/spm_sample.h) and BPE-dropout.
 *
 * A sentence is kept as its best pieces, which spell its text; so nothing is read again. What is
 * unknown, marks and single bytes stay as they are. The draws are a function of the seed, the epoch
 * and the number of the pair: threads, ranks, windows and resumes do not change them. Words keep
 * their numbers, so that trees fit as before.
 */
#ifndef DGM_DATA_TEXT_RESAMPLE_H
#define DGM_DATA_TEXT_RESAMPLE_H

#include "data/batch.h"
#include "data/text/pipeline.h"

/* Zeroed: nothing is drawn. */
struct dgm_resample {
    int is_on;
    double dropout; /* of codes */
    uint64_t seed;
    int32_t longest;              /* sentences that would be longer keep their best pieces */
    struct dgm_pipeline pipeline; /* beside that of the model */
    struct dgm_spm_sampling sampling[2];
    struct dgm_encoded drawn;
    struct dgm_buf word;
};

/* alpha, dropout: below 0 where they are not asked for. The pipeline must outlive it, and stay as
 * it is. DGM_USAGE where the pieces of the pipeline are of a kind that one of them is not for. */
dgm_status dgm_resample_init(struct dgm_env *env, struct dgm_resample *resample,
                             const struct dgm_pipeline *pipeline, double alpha, double dropout,
                             uint64_t seed, int32_t longest);
void dgm_resample_clear(struct dgm_env *env, struct dgm_resample *resample);
/* Draws the pieces of the pair that was added last to a batch. */
dgm_status dgm_resample_last(struct dgm_env *env, struct dgm_resample *resample, int64_t epoch,
                             struct dgm_batch *batch);

#endif
