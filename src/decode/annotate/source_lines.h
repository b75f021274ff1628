/*
 * source_lines.h: the sources of translations that are parsed: one line of a file beside each
 * sentence.
 */
#ifndef DGM_DECODE_ANNOTATE_SOURCE_LINES_H
#define DGM_DECODE_ANNOTATE_SOURCE_LINES_H

#include "base/lines/lines.h"

/* Zero-initialise it; it is cleared in any case. Without a path it has no lines, and every sentence
 * goes without. */
struct dgm_source_lines {
    const char *path;   /* NULL: there are none */
    const char *parsed; /* the file of the sentences, for messages */
    struct dgm_lines lines;
    long number; /* of the line last read, from 1 */
};

/* DGM_USAGE where both are one file; `path` and `parsed` outlive it. */
dgm_status dgm_source_lines_open(struct dgm_env *env, struct dgm_source_lines *source,
                                 const char *path, const char *parsed);
/* Reads the line of the next sentence, source->lines.line. DGM_DATA if there is none. */
dgm_status dgm_source_lines_next(struct dgm_env *env, struct dgm_source_lines *source);
/* After the last sentence: DGM_DATA if lines are left. */
dgm_status dgm_source_lines_check_end(struct dgm_env *env, struct dgm_source_lines *source);
void dgm_source_lines_close(struct dgm_env *env, struct dgm_source_lines *source);

#endif
