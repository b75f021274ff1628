/* score_systems.h: `score` with several translations, or as a table of LaTeX. */
#ifndef DGM_CMD_SCORE_SCORE_SYSTEMS_H
#define DGM_CMD_SCORE_SCORE_SYSTEMS_H

#include "cmd/score/score.h"

/* Systems side by side. */
struct dgm_score_table {
    struct dgm_score *score;
    dgm_scorer **scorers; /* system s, metric m: [m * system_count + s] */
    dgm_paired *results;  /* the same: scores, and what is asked of them (score_tests.h) */
    int width;            /* decimals */
    struct dgm_buf out;
};

/* Writes a table with a row for each system; one for each metric where scores are tested. */
dgm_status dgm_score_systems(struct dgm_score *score);

/* score_latex.c: appends the table to `out`, a column for each metric. */
dgm_status dgm_score_add_latex(struct dgm_score_table *table);

#endif
