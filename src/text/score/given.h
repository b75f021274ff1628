/*
 * given.h: a metric that another program has computed, COMET or MetricX: a sentence comes to its
 * score, and a text to their mean. It is none of metric_list.h, as it counts nothing itself; what
 * compares systems takes it as any other.
 */
#ifndef DGM_TEXT_SCORE_GIVEN_H
#define DGM_TEXT_SCORE_GIVEN_H

#include "text/score/metric.h"

/* Scores are kept as whole numbers of this part, which any printed digit of theirs is far above. */
#define DGM_GIVEN_UNIT 1e-8
#define DGM_GIVEN_MOST 1e6 /* their largest size */

enum { DGM_GIVEN_NAME = 64 }; /* bytes of a name, its NUL among them */

extern const struct dgm_metric dgm_metric_given;

/* The metric, under a name that tables show. */
dgm_status dgm_given_open(struct dgm_env *env, struct dgm_measure *measure, const char *name);
/* A sentence of that score, |score| <= DGM_GIVEN_MOST. */
void dgm_given_count(struct dgm_metric_count *count, double score);
/* Whether samples of so many sentences, one of which has the largest score, cannot overflow. */
int dgm_given_fits(double largest, long sentences);

#endif
