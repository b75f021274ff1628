/*
 * scores.h: the translations that a validation makes, and what BLEU and chrF say of them.
 */
#ifndef DGM_TRAIN_TRANSLATION_SCORES_H
#define DGM_TRAIN_TRANSLATION_SCORES_H

#include "train/translation/learner.h"

/* 0..100 each. */
struct dgm_scores {
    double bleu; /* over words, as multi-bleu has it */
    double chrf; /* chrF2, of lines as `translate` writes them */
};

/* Translates the source of a validation text once, and scores that. */
dgm_status dgm_scores_find(const struct dgm_run *run, struct dgm_translation *self,
                           const struct dgm_corpus *valid, struct dgm_scores *scores);
/* Bytes that the search takes. */
dgm_status dgm_scores_bytes(const struct dgm_run *run, const struct dgm_translation *self,
                            const struct dgm_corpus *valid, double *bytes);

#endif
