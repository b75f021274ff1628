/*
 * eval_align.h: which word of the system's file is which word of the gold file.
 */
#ifndef DGM_SYNTAX_EVAL_EVAL_ALIGN_H
#define DGM_SYNTAX_EVAL_EVAL_ALIGN_H

#include "syntax/eval/eval_file.h"

/* Fills eval->match; both files have been read and hold the same characters. */
dgm_status dgm_eval_align(struct dgm_env *env, struct dgm_eval *eval);

#endif
