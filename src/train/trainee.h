/*
 * trainee.h: what is trained: a learner, and what it has made of its options, model and text.
 *
 * The learner (learner.h) writes it, the parts of the run read it.
 */
#ifndef DGM_TRAIN_TRAINEE_H
#define DGM_TRAIN_TRAINEE_H

#include <stdint.h>

#include "base/buf.h"

struct dgm_corpus;
struct dgm_learner;
struct dgm_params;

struct dgm_trainee {
    const struct dgm_learner *learner;
    void *self;                      /* (learner->size) its own */
    struct dgm_params *params;       /* NULL until it has a model */
    const struct dgm_corpus *corpus; /* what batches are made of, all of the text or a window of
                                        it; NULL until there is data */
    int has_valid;                   /* there is something to validate on */
    uint64_t first_valid_checksum;   /* of the text that decides what is best, by itself */
    struct dgm_buf texts;            /* of several training texts, a line each: checksum up to its
                                        end, pairs, pairs in an epoch, tag */
};

#endif
