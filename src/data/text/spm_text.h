/*
 * spm_text.h: SentencePiece models of a pipeline's sides, and which piece is which entry of the
 * vocabularies.
 *
 * A vocabulary holds the pieces that text becomes, in their order, behind its special entries; the
 * model's own control symbols are none of them, and its unknown piece is <unk>.
 */
#ifndef DGM_DATA_TEXT_SPM_TEXT_H
#define DGM_DATA_TEXT_SPM_TEXT_H

#include "text/bpe/vocab.h"
#include "text/spm/spm_decode.h"
#include "text/spm/spm_encode.h"

/* Of one side. Zeroed: there is none. */
struct dgm_spm_text {
    struct dgm_spm spm;
    int32_t *entries; /* by piece */
    int32_t *pieces;  /* by entry, -1: it is no piece; those from `count` on are none, either */
    size_t count;
};

/* Adds a vocabulary of all pieces, `marks` (or NULL) behind them. DGM_DATA where a piece is spelled
 * like a special entry or a mark: text could make it. */
dgm_status dgm_spm_text_vocab(struct dgm_env *env, const struct dgm_spm_text *text,
                              struct dgm_vocab *vocab, const struct dgm_map *marks,
                              const char *name);
/* Whether text may become a piece of that name. */
int dgm_spm_text_spells(const struct dgm_spm_text *text, const char *name, size_t bytes);
/* Notes which piece is which entry, again where the vocabulary has grown. *missing: pieces that it
 * has not, which become <unk>. */
dgm_status dgm_spm_text_link(struct dgm_env *env, struct dgm_spm_text *text,
                             const struct dgm_vocab *vocab, size_t *missing);
/* Adds the text of an entry, behind dgm_spm_decoder_begin. One of `vocab` that is no piece, as
 * those of the other side in a joint vocabulary, is written as it is spelled; special ones and
 * `tags` are not written. */
dgm_status dgm_spm_text_decode(struct dgm_env *env, const struct dgm_spm_text *text,
                               const struct dgm_vocab *vocab, const struct dgm_map *tags,
                               struct dgm_spm_decoder *decoder, int32_t id);
/* Appends all of it: one line, whatever bytes the entries spell. */
dgm_status dgm_spm_text_decode_end(struct dgm_env *env, const struct dgm_spm_text *text,
                                   struct dgm_spm_decoder *decoder, struct dgm_buf *out);
void dgm_spm_text_clear(struct dgm_env *env, struct dgm_spm_text *text);

#endif
