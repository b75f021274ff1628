/*
 * lost_scores.h: what is said where a model has no finite score: its weights overflow, or are
 * damaged. What would follow from such scores is not what the model has learned.
 */
#ifndef DGM_DECODE_LOST_SCORES_H
#define DGM_DECODE_LOST_SCORES_H

#include "base/env.h"

/* What a sentence is to the caller. of: the line of the input, from 1, that sentence `number`, from
 * 0, of those that are computed together stands in; NULL: messages have that number. */
struct dgm_input_lines {
    long (*of)(const void *user, int32_t number);
    const void *user;
};

/* DGM_MODEL: "line 3: no finite score for token 5: ..." for sentence `number`, what "token" and
 * place 5; a place of 0 is left out. */
dgm_status dgm_lost_scores_fail(struct dgm_env *env, const struct dgm_input_lines *lines,
                                int32_t number, const char *what, long place);

#endif
