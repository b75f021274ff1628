/*
 * spm_encode.h: text into the pieces of a SentencePiece model, the same as the library's.
 */
#ifndef DGM_TEXT_SPM_SPM_ENCODE_H
#define DGM_TEXT_SPM_SPM_ENCODE_H

#include "text/spm/spm_line.h"

/* Cuts any bytes into pieces. Unknown characters in a row are one piece, or bytes where the model
 * falls back to them. */
dgm_status dgm_spm_encode(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line,
                          const char *text, size_t bytes);
/* Cuts line->text, which was rewritten before. */
dgm_status dgm_spm_encode_again(struct dgm_env *env, const struct dgm_spm *spm,
                                struct dgm_spm_line *line);

/* Cut line->text into line->pieces, each for a kind of models: spm_unigram.c, spm_sample.c,
 * spm_merge.c. */
dgm_status dgm_spm_unigram(struct dgm_env *env, const struct dgm_spm *spm,
                           struct dgm_spm_line *line);
dgm_status dgm_spm_draw(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line);
dgm_status dgm_spm_merge(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line);

#endif
