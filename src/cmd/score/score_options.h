/*
 * score_options.h: which options of `score` go together.
 */
#ifndef DGM_CMD_SCORE_SCORE_OPTIONS_H
#define DGM_CMD_SCORE_SCORE_OPTIONS_H

#include "cmd/score/score.h"

/* DGM_USAGE where the command line gives an option that would change nothing: multi-bleu.perl or a
 * metric has one way alone, or its partner is missing. */
dgm_status dgm_score_check_options(const struct dgm_score *score);

#endif
