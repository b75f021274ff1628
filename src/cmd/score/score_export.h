/* score_export.h: `score --export`. */
#ifndef DGM_CMD_SCORE_SCORE_EXPORT_H
#define DGM_CMD_SCORE_SCORE_EXPORT_H

#include "cmd/score/score.h"

/* Writes source, translation and reference of each line for a neural metric. */
dgm_status dgm_score_export(struct dgm_score *score);

#endif
