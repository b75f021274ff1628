/*
 * score.h: what the files of `score` share: what is asked for.
 */
#ifndef DGM_CMD_SCORE_H
#define DGM_CMD_SCORE_H

#include "cmd/command.h"

enum { DGM_SCORE_METRICS = 8 };

struct dgm_score {
    struct dgm_cmd *cmd;
    struct dgm_writer writer;
    const char *metrics[DGM_SCORE_METRICS];
    dgm_scorer *scorers[DGM_SCORE_METRICS];
    size_t count; /* of metrics */
    const char **references;
    size_t reference_count;
};

/* A scorer for each metric, as the options say; `keep`: fit for a paired test. What was made before
 * a failure is there, to be freed. */
dgm_status dgm_score_make(struct dgm_score *score, int keep, dgm_scorer **scorers);

/* --paired-bs: compares its files with --input, and writes a table for each metric. */
dgm_status dgm_score_compare(struct dgm_score *score);

/* --by-length: scores of groups of lines by the length of their source, with --baseline beside. */
dgm_status dgm_score_by_length(struct dgm_score *score);

/* --repetitions: how many lines say a phrase twice. */
dgm_status dgm_score_repetitions(struct dgm_score *score);

/* Writes the whole result to --output. */
dgm_status dgm_score_write(struct dgm_score *score, const struct dgm_buf *out);

#endif
