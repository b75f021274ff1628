/*
 * score.h: what `score` is asked for. cmd_score.c fills it in, and the files that write tables use
 * it; none of these calls another. score_columns.c reads systems.
 */
#ifndef DGM_CMD_SCORE_SCORE_H
#define DGM_CMD_SCORE_SCORE_H

#include "cmd/common.h"

enum { DGM_SCORE_METRICS = 8 };

struct dgm_score {
    struct dgm_cmd *cmd;
    struct dgm_writer writer;
    const char *metrics[DGM_SCORE_METRICS];
    dgm_scorer *scorers[DGM_SCORE_METRICS];
    size_t count; /* of metrics */
    const char **references;
    size_t reference_count;
    const char **systems; /* the files of --input, then those of --paired-bs */
    size_t system_count;  /* at least 1 */
    /* Standard input, if it is read: the systems of its columns, from this one on. */
    struct dgm_score_columns *columns; /* NULL: it is not */
    size_t first_column, column_count;
    char (*column_names)[32];
};

/* Opens standard input, if it is a system, and puts those of its columns in its place. */
dgm_status dgm_score_open_columns(struct dgm_score *score);
void dgm_score_close_columns(struct dgm_score *score);
/* How many systems are read together with this one. */
size_t dgm_score_width(const struct dgm_score *score, size_t system);
/* Counts those: scorers for each, those of a system behind each other. */
dgm_status dgm_score_read(struct dgm_score *score, size_t system, dgm_scorer *const *scorers,
                          dgm_score_fn each);

/* Makes a scorer for each metric, as the options say; `keep`: fit for a paired test. The caller
 * frees the scorers, after a failure too: those made before it are there. */
dgm_status dgm_score_make(struct dgm_score *score, int keep, dgm_scorer **scorers);

/* Counts a file in the scorers of a system, or with --read-scores takes its scores. */
dgm_status dgm_score_add(struct dgm_score *score, const char *path, const char *const *references,
                         dgm_scorer *const *scorers, dgm_score_fn each);

/* Writes the whole result to --output. */
dgm_status dgm_score_write(struct dgm_score *score, const struct dgm_buf *out);

#endif
