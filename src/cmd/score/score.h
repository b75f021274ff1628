/*
 * score.h: what the files of `score` share: what is asked for.
 */
#ifndef DGM_CMD_SCORE_SCORE_H
#define DGM_CMD_SCORE_SCORE_H

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
    const char **systems; /* the files of --input, then those of --paired-bs */
    size_t system_count;  /* at least 1 */
};

/* A scorer for each metric, as the options say; `keep`: fit for a paired test. What was made before
 * a failure is there, to be freed. */
dgm_status dgm_score_make(struct dgm_score *score, int keep, dgm_scorer **scorers);

/* ---- several systems: score_systems.c ---------------------------------------------------- */

/* Systems side by side. */
struct dgm_score_table {
    struct dgm_score *score;
    dgm_scorer **scorers; /* system s, metric m: [m * system_count + s] */
    int width;            /* decimals */
    struct dgm_buf out;
};

/* Reads all systems; `keep`: fit for a paired test. The table is cleared by its owner. */
dgm_status dgm_score_table_read(struct dgm_score_table *table, struct dgm_score *score, int keep);
void dgm_score_table_clear(struct dgm_score_table *table);
/* A number, or with `decimals` negative a word, at the right edge of its column. */
dgm_status dgm_score_add_cell(struct dgm_score_table *table, const char *word, double value,
                              int decimals);
/* Text between the quotes of JSON. */
dgm_status dgm_score_add_string(struct dgm_score_table *table, const char *text);
/* Its signature, the short one with --short; valid until the scorer's next text. */
dgm_status dgm_score_signature(struct dgm_score_table *table, dgm_scorer *scorer,
                               const char **text);

/* A table with a row for each system. */
dgm_status dgm_score_systems(struct dgm_score *score);

/* --paired-bs: compares the systems with the first, and writes a table for each metric. */
dgm_status dgm_score_compare(struct dgm_score *score);

/* ---- other tables ------------------------------------------------------------------------ */

/* --by-length: scores of groups of lines by the length of their source, with --baseline beside. */
dgm_status dgm_score_by_length(struct dgm_score *score);

/* --repetitions: how many lines say a phrase twice. */
dgm_status dgm_score_repetitions(struct dgm_score *score);

/* Writes the whole result to --output. */
dgm_status dgm_score_write(struct dgm_score *score, const struct dgm_buf *out);

#endif
