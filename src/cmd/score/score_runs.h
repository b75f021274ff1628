/* score_runs.h: `score --runs`. */
#ifndef DGM_CMD_SCORE_SCORE_RUNS_H
#define DGM_CMD_SCORE_SCORE_RUNS_H

#include "cmd/score/score.h"

/* Writes a table, for each metric and test set, of systems that were trained several times. */
dgm_status dgm_score_runs(struct dgm_score *score);

#endif
