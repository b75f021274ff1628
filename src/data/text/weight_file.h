/*
 * weight_file.h: what each sentence pair of a text counts: a file beside it, a number a line.
 */
#ifndef DGM_DATA_TEXT_WEIGHT_FILE_H
#define DGM_DATA_TEXT_WEIGHT_FILE_H

#include "data/text/side_file.h"

/* Weights are numbers from .. to. */
#define DGM_WEIGHT_LEAST 1e-6
#define DGM_WEIGHT_MOST 1e6

/* path NULL: there is none, and all weights are 1. */
dgm_status dgm_weight_file_open(struct dgm_env *env, struct dgm_side_file *file, const char *path);
/* The weight of line `number` of `text`, the next one. DGM_DATA with file and line for one that is
 * missing, no number, or out of range. */
dgm_status dgm_weight_file_next(struct dgm_env *env, struct dgm_side_file *file, const char *text,
                                long number, float *weight);

#endif
