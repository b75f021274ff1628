/*
 * spm_file.h: the messages of a SentencePiece model file, as they stand.
 */
#ifndef DGM_TEXT_SPM_SPM_FILE_H
#define DGM_TEXT_SPM_SPM_FILE_H

#include "text/spm/spm.h"

/* Reads spm->file into its pieces, scores and settings. spm.c checks what pieces mean together. */
dgm_status dgm_spm_file_read(struct dgm_env *env, struct dgm_spm *spm, const char *name);

#endif
