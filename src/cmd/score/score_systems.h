/* score_systems.h: `score` with several translations. */
#ifndef DGM_CMD_SCORE_SCORE_SYSTEMS_H
#define DGM_CMD_SCORE_SCORE_SYSTEMS_H

#include "cmd/score/score.h"

/* Writes a table with a row for each system. */
dgm_status dgm_score_systems(struct dgm_score *score);

/* --paired-bs: compares the systems with the first, and writes a table for each metric. */
dgm_status dgm_score_paired(struct dgm_score *score);

#endif
