/* score_systems.h: `score` with several translations. */
#ifndef DGM_CMD_SCORE_SCORE_SYSTEMS_H
#define DGM_CMD_SCORE_SCORE_SYSTEMS_H

#include "cmd/score/score.h"

/* Writes a table with a row for each system; `paired`: compares them with the first, and writes one
 * for each metric (--paired-bs). */
dgm_status dgm_score_systems(struct dgm_score *score, int paired);

#endif
