/*
 * judge.h: what a validation says of the model: whether it is the best so far.
 */
#ifndef DGM_TRAIN_JUDGE_H
#define DGM_TRAIN_JUDGE_H

#include "base/env.h"

struct dgm_report;
struct dgm_settings;
struct dgm_train_state;

/* Of one validation. */
struct dgm_judge {
    const char *decides;           /* the metric that decides the best */
    struct dgm_train_state *state; /* knows the best, and counts validations since */
    struct dgm_report *report;     /* is told every score */
    int is_best;                   /* the model is a new best */
};

/* Which of several validation texts a score is of. */
struct dgm_score_set {
    const char *name; /* NULL: it has none */
    int decides;      /* the best, by the metric that does */
};

/* Takes the value of a metric, better the higher it is (`upwards`) or the lower. set: NULL where
 * there is one text. */
dgm_status dgm_judge_score(struct dgm_env *env, struct dgm_judge *judge,
                           const struct dgm_score_set *set, const char *metric, double value,
                           int upwards);

/* What a validation has come to. A model without finite scores is that of a training that has
 * diverged: DGM_DIVERGED. */
dgm_status dgm_judge_settle(struct dgm_env *env, dgm_status status);

/* Whether --valid-metrics names the metric. */
int dgm_judge_wants(const struct dgm_settings *settings, const char *metric);

/* Scores of two validation texts do not compare: the next validation is the first. */
void dgm_judge_forget(struct dgm_env *env, struct dgm_train_state *state);

#endif
