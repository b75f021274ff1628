/* bar.h: progress bars on a terminal: of batches, and of the lines of a file. */
#ifndef DGM_CMD_BAR_H
#define DGM_CMD_BAR_H

#include "base/lines/lines.h"

/*
 * A bar over batches: "[####....] 12/80 batches, TEXT", at most ten times a second. The cursor
 * stays at the beginning of the line, which the next log line erases.
 */
struct dgm_cmd_bar {
    struct dgm_env *env;
    const char *unit; /* "batches" */
    double shown_at;  /* seconds; 0: never */
};
/* A dgm_progress_fn; its user is the bar. */
void dgm_cmd_bar_show(void *bar, int64_t done, int64_t total, const char *text);

/* A bar over the lines of a file: "[####....] 1200 sentences, 85.3/s, 0:02:10 left". A file whose
 * size is not known has neither cells nor an end. */
struct dgm_cmd_line_bar {
    struct dgm_cmd_bar bar;
    const struct dgm_lines *lines; /* being read */
    int64_t written;               /* lines that are done */
    long long bytes;               /* of the file, read for these lines */
    double started;                /* seconds */
};
void dgm_cmd_line_bar_begin(struct dgm_cmd_line_bar *bar, struct dgm_env *env,
                            const struct dgm_lines *lines);
/* A dgm_progress_fn over the lines that were read since the last step. */
void dgm_cmd_line_bar_show(void *bar, int64_t done, int64_t total, const char *text);
/* All lines read so far are written. */
void dgm_cmd_line_bar_step(struct dgm_cmd_line_bar *bar, int64_t written);
/* Erases the bar. */
void dgm_cmd_line_bar_end(struct dgm_cmd_line_bar *bar);

#endif
