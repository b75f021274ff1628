/*
 * side_file.h: a file beside a text, whose line n says something of line n of the text: what a
 * sentence pair counts (weight_file.h), which of its words are linked (link_file.h).
 */
#ifndef DGM_DATA_TEXT_SIDE_FILE_H
#define DGM_DATA_TEXT_SIDE_FILE_H

#include "base/lines/lines.h"

/* Zeroed is valid: there is no file. */
struct dgm_side_file {
    struct dgm_lines lines; /* lines.line: the line read last */
    const char *path;       /* borrowed; NULL: there is none */
    const char *what;       /* borrowed: what its lines are, in messages: "weights" */
};

/* path NULL: there is none, and the functions below do nothing. */
dgm_status dgm_side_file_open(struct dgm_env *env, struct dgm_side_file *file, const char *path,
                              const char *what);
/* Reads the line for line `number` of `text`, the next one. DGM_DATA where there is none. */
dgm_status dgm_side_file_next(struct dgm_env *env, struct dgm_side_file *file, const char *text,
                              long number);
/* DGM_DATA where lines are left behind that of the last line of `text`. */
dgm_status dgm_side_file_check_end(struct dgm_env *env, struct dgm_side_file *file,
                                   const char *text, long lines);
void dgm_side_file_close(struct dgm_env *env, struct dgm_side_file *file);

#endif
