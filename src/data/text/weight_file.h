/*
 * weight_file.h: what each sentence pair of a text counts: a file with a number a line.
 */
#ifndef DGM_DATA_TEXT_WEIGHT_FILE_H
#define DGM_DATA_TEXT_WEIGHT_FILE_H

#include "base/lines/lines.h"

/* Weights are numbers from .. to. */
#define DGM_WEIGHT_LEAST 1e-6
#define DGM_WEIGHT_MOST 1e6

/* Zeroed is valid: there is no file, and all weights are 1. */
struct dgm_weight_file {
    const char *path; /* borrowed */
    struct dgm_lines lines;
};

/* path NULL: there is none. */
dgm_status dgm_weight_file_open(struct dgm_env *env, struct dgm_weight_file *file,
                                const char *path);
/* The weight of line `number` of `text`, the next one. DGM_DATA with file and line for one that is
 * missing, no number, or out of range. */
dgm_status dgm_weight_file_next(struct dgm_env *env, struct dgm_weight_file *file,
                                const char *text, long number, float *weight);
/* DGM_DATA where weights are left behind that of the last line. */
dgm_status dgm_weight_file_check_end(struct dgm_env *env, struct dgm_weight_file *file,
                                     const char *text, long lines);
void dgm_weight_file_close(struct dgm_env *env, struct dgm_weight_file *file);

#endif
