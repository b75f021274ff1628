/*
 * spm_decode.h: pieces of a SentencePiece model back into text, the same as the library's.
 */
#ifndef DGM_TEXT_SPM_SPM_DECODE_H
#define DGM_TEXT_SPM_SPM_DECODE_H

#include "text/spm/spm.h"

/* One text that is put together. Zeroed is valid; reused. */
struct dgm_spm_decoder {
    struct dgm_buf text, bytes; /* so far; bytes that wait for the rest of their character */
    int has_begun, saw_blank;   /* whether a blank at the beginning has had its turn */
};

void dgm_spm_decoder_begin(struct dgm_spm_decoder *decoder);
dgm_status dgm_spm_decoder_add(struct dgm_env *env, const struct dgm_spm *spm,
                               struct dgm_spm_decoder *decoder, int32_t id);
/* A piece by its text, which may be none of the vocabulary: then it stands for itself. */
dgm_status dgm_spm_decoder_add_piece(struct dgm_env *env, const struct dgm_spm *spm,
                                     struct dgm_spm_decoder *decoder, const char *piece,
                                     size_t bytes);
/* Text as it stands, that is no piece: behind a blank, unless it is glued to what is there. */
dgm_status dgm_spm_decoder_add_text(struct dgm_env *env, const struct dgm_spm *spm,
                                    struct dgm_spm_decoder *decoder, const char *text, size_t bytes,
                                    int is_glued);
/* Appends the whole text to out. */
dgm_status dgm_spm_decoder_end(struct dgm_env *env, const struct dgm_spm *spm,
                               struct dgm_spm_decoder *decoder, struct dgm_buf *out);
void dgm_spm_decoder_clear(struct dgm_env *env, struct dgm_spm_decoder *decoder);

#endif
