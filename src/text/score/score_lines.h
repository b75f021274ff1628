/*
 * score_lines.h: scores of sentences as other programs write them, a line each:
 *
 *     0.8312                                  a number alone: BLEURT's score_files, and most else
 *     hyp.en TAB Segment 0 TAB score: 0.8312  comet-score; its last line, hyp.en TAB score: 0.82,
 *                                             is of the whole text
 *     {"hypothesis": "..", "prediction": 1.5} MetricX's predict; or JSON with "score" or "COMET"
 */
#ifndef DGM_TEXT_SCORE_SCORE_LINES_H
#define DGM_TEXT_SCORE_SCORE_LINES_H

#include "text/flat_json.h"

enum dgm_score_form { DGM_SCORES_UNKNOWN, DGM_SCORES_PLAIN, DGM_SCORES_COMET, DGM_SCORES_JSON };

/* Zero-initialise but for the path, read lines, clear. */
struct dgm_score_lines {
    const char *path;         /* for messages */
    enum dgm_score_form form; /* that of the first line, and of all */
    long segments;            /* sentences so far */
    int is_ended;             /* the line of the whole text has come */
    struct dgm_buf system;    /* what comet-score calls the translation */
    struct dgm_flat flat;
};

/* The score of line `number`, ended by NUL at `size`; *is_one 0: the line is of the whole text.
 * DGM_DATA where it has none. */
dgm_status dgm_score_lines_read(struct dgm_env *env, struct dgm_score_lines *lines, long number,
                                const char *text, size_t size, double *score, int *is_one);
void dgm_score_lines_clear(struct dgm_env *env, struct dgm_score_lines *lines);

#endif
