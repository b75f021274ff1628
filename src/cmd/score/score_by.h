/* score_by.h: `score --by`. */
#ifndef DGM_CMD_SCORE_SCORE_BY_H
#define DGM_CMD_SCORE_SCORE_BY_H

#include "cmd/score/score.h"

/* Writes how well systems do in groups of words or of lines, as a table or as CSV. */
dgm_status dgm_score_by(struct dgm_score *score);

#endif
