/*
 * reading.h: how far the work is in the text that it reads, for whoever asks while it goes on.
 */
#ifndef DGM_BASE_LINES_READING_H
#define DGM_BASE_LINES_READING_H

#include <stdint.h>

#include "base/lines/lines.h"

/* Of the text that was opened first of those that are open: others are read beside it. */
struct dgm_reading {
    int is_on, fd;
    char name[256];         /* as messages have it; a longer one is cut */
    long line;              /* read last; 0: none yet */
    long long taken, bytes; /* bytes: of a regular file that is not packed; else 0 */
    int64_t done;           /* lines that are done; 0: nobody counts them */
    double started;         /* of the work, in seconds of dgm_clock */
};

/* What lines.c tells. All do nothing where env has no reading. */
void dgm_reading_open(struct dgm_env *env, const struct dgm_lines *lines);
void dgm_reading_next(struct dgm_env *env, const struct dgm_lines *lines);
void dgm_reading_close(struct dgm_env *env, const struct dgm_lines *lines);
/* What the work tells: `lines` of its text are done. */
void dgm_reading_done(struct dgm_env *env, int64_t lines);

/* Logs a line of status: "status: line 12 of in.en (34 %), 8 are done, after 0:00:02". */
void dgm_reading_tell(struct dgm_env *env);

#endif
