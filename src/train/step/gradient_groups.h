/*
 * gradient_groups.h: how large the latest update's gradient was in each part of a translation
 * model.
 */
#ifndef DGM_TRAIN_STEP_GRADIENT_GROUPS_H
#define DGM_TRAIN_STEP_GRADIENT_GROUPS_H

#include "train/step/optimizer.h"

/* By the names of parameters: tables of embeddings, those that are also the output's included; the
 * decoder's attention over the source; the output's own projection; the rest of both sides. */
enum dgm_gradient_group {
    DGM_GRADIENT_EMBEDDINGS,
    DGM_GRADIENT_ATTENTION,
    DGM_GRADIENT_OUTPUT,
    DGM_GRADIENT_ENCODER,
    DGM_GRADIENT_DECODER,
    DGM_GRADIENT_GROUPS
};

struct dgm_gradient_norms {
    double norm[DGM_GRADIENT_GROUPS]; /* -1: the model has no parameter in the group */
};

const char *dgm_gradient_group_name(enum dgm_gradient_group group);
/* Of a parameter's name. */
enum dgm_gradient_group dgm_gradient_group_of(const char *name);

/* After an update whose gradient had this norm before clipping, as the optimizer told it: the
 * squares of the groups' norms add up to its square. */
dgm_status dgm_gradient_norms_read(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                                   double norm, struct dgm_gradient_norms *norms);

#endif
