/*
 * optimizer.h: Adam with clipping and decoupled weight decay (specification 1.9, readings
 * B34-B36), over the flat buffers of a model's parameters.
 */
#ifndef DGM_TRAIN_OPTIMIZER_H
#define DGM_TRAIN_OPTIMIZER_H

#include "nn/param.h"

struct dgm_optimizer_options {
    double beta1, beta2, eps, weight_decay;
    double clip_norm; /* 0: off */
};

struct dgm_optimizer {
    struct dgm_optimizer_options options;
    struct dgm_params *params;
    struct dgm_buffer *m, *v; /* first and second moments, (params->total) */
    struct dgm_buffer *norm;  /* one double */
};

dgm_status dgm_optimizer_init(struct dgm_env *env, struct dgm_optimizer *optimizer,
                              struct dgm_params *params,
                              const struct dgm_optimizer_options *options);
void dgm_optimizer_clear(struct dgm_env *env, struct dgm_optimizer *optimizer);

/* Gradients to zero, before the batches of an update. */
dgm_status dgm_optimizer_begin(struct dgm_env *env, struct dgm_optimizer *optimizer);

/*
 * Update t (from 1) with the accumulated gradients times grad_scale; *norm: their length after
 * scaling, before clipping. Parameters stay as they are, and DGM_DIVERGED names the first
 * parameter at fault, when the norm is not finite.
 */
dgm_status dgm_optimizer_update(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t,
                                double rate, double grad_scale, double *norm);

#endif
