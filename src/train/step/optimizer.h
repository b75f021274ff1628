/*
 * optimizer.h: Adam with clipping and decoupled weight decay (specification 1.9, readings
 * B34-B36), or Adadelta with clipping (Zeiler 2012; specification, recurrent models, 1.5), over
 * the flat buffers of a model's parameters.
 */
#ifndef DGM_TRAIN_STEP_OPTIMIZER_H
#define DGM_TRAIN_STEP_OPTIMIZER_H

#include "nn/param.h"

enum dgm_optimizer_kind { DGM_ADAM, DGM_ADADELTA };

struct dgm_optimizer_options {
    double beta1, beta2, eps, weight_decay; /* Adadelta has eps alone */
    double clip_norm;                       /* 0: off */
    enum dgm_optimizer_kind kind;
    double rho; /* Adadelta's */
};

struct dgm_optimizer {
    struct dgm_optimizer_options options;
    struct dgm_params *params;
    int64_t first, count;     /* elements of the flat buffers that are stepped here: all, or the
                                 slice of a rank (train/step/exchange/slices.h) */
    struct dgm_buffer *m, *v; /* (count) first and second moments; Adadelta's running means of
                                 squared gradients and of squared steps */
    struct dgm_buffer *norm;  /* one double */
    struct dgm_buffer *sum;   /* (count) of the gradients of an update's batches; NULL: it has one
                                 batch */
};

/* Over elements first .. first + count - 1 of the flat buffers. */
dgm_status dgm_optimizer_init(struct dgm_env *env, struct dgm_optimizer *optimizer,
                              struct dgm_params *params,
                              const struct dgm_optimizer_options *options, int64_t first,
                              int64_t count);
void dgm_optimizer_clear(struct dgm_env *env, struct dgm_optimizer *optimizer);

/* For updates of several batches: memory for the sum of their gradients, which an update then reads
 * instead of the parameters' own. */
dgm_status dgm_optimizer_hold_sum(struct dgm_env *env, struct dgm_optimizer *optimizer);
/*
 * Adds the parameters' gradients, those of one batch alone, to the sum; the first of an update
 * replace it. So the sum is one of batches in their order, whichever device computed each: within a
 * batch, a parameter's gradient has several terms, too (tied embeddings), and (a + b) + (c + d) is
 * not ((a + b) + c) + d.
 */
dgm_status dgm_optimizer_add(struct dgm_env *env, struct dgm_optimizer *optimizer, int is_first);
/* Adds (optimizer->count) elements of a gradient that lie at `from`. */
dgm_status dgm_optimizer_add_from(struct dgm_env *env, struct dgm_optimizer *optimizer,
                                  struct dgm_ref from, int is_first);

/* For a moving average of the values that are stepped here (ema.h), `mean` (optimizer->count).
 * Makes it equal to them; moves it towards them, mean = (1 - share) mean + share value, but where
 * their rate is 0 and they stay. */
dgm_status dgm_optimizer_copy(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                              struct dgm_buffer *mean);
dgm_status dgm_optimizer_blend(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                               struct dgm_buffer *mean, double share);

/* Clears, of the gradient of an update, what belongs to parameters of rate 0: their length does not
 * count, and no step moves them. Called once, when the gradient is complete. */
dgm_status dgm_optimizer_skip_frozen(struct dgm_env *env, struct dgm_optimizer *optimizer);

/* The sum of squares of `count` elements from `offset` on of the gradients of the latest update, or
 * of the one that is under way, before they are scaled. A slice's sum is one of several: where the
 * optimizer has one, the whole must lie in the parameters' own gradients. */
dgm_status dgm_optimizer_squares(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                                 int64_t offset, int64_t count, double *sum);
/* The same of the sum of the slice, `offset` counting from its first element. */
dgm_status dgm_optimizer_slice_squares(struct dgm_env *env, const struct dgm_optimizer *optimizer,
                                       int64_t offset, int64_t count, double *sum);
/*
 * Update t (from 1) with the gradients of its batches times grad_scale; *norm: their length after
 * scaling, before clipping. Parameters stay as they are, and DGM_DIVERGED names the first
 * parameter at fault, when the norm is not finite.
 */
dgm_status dgm_optimizer_update(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t,
                                double rate, double grad_scale, double *norm);
/* The same, with the sum of squares of the whole gradient known. */
dgm_status dgm_optimizer_step(struct dgm_env *env, struct dgm_optimizer *optimizer, int64_t t,
                              double rate, double grad_scale, double squares, double *norm);

#endif
