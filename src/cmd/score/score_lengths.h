/* score_lengths.h: `score --by-length`. */
#ifndef DGM_CMD_SCORE_SCORE_LENGTHS_H
#define DGM_CMD_SCORE_SCORE_LENGTHS_H

#include "cmd/score/score.h"

/* Writes the scores of groups of lines by the length of their source, with --baseline beside. */
dgm_status dgm_score_lengths(struct dgm_score *score);

#endif
