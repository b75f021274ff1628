/*
 * glossary.h: what BPE leaves whole: words and regular expressions, as --glossaries of subword-nmt
 * 0.3.8 are.
 *
 * A stretch of a word that an expression matches from its beginning to its end stays as it is; else
 * the matches in it are set apart. Groups capture nothing: subword-nmt writes what they hold a
 * second time.
 */
#ifndef DGM_TEXT_BPE_GLOSSARY_H
#define DGM_TEXT_BPE_GLOSSARY_H

#include "text/bpe/bpe.h"

dgm_status dgm_bpe_glossary_add(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                                size_t bytes);
void dgm_bpe_glossary_clear(struct dgm_env *env, struct dgm_bpe *bpe);

/* Whether one of them matches text[0..bytes) from its beginning to its end. */
dgm_status dgm_bpe_glossary_has(struct dgm_env *env, struct dgm_bpe *bpe, const char *text,
                                size_t bytes, int *has);
/* Whether number `number` leaves it as it is, for it matches the whole. */
dgm_status dgm_bpe_glossary_is_whole(struct dgm_env *env, struct dgm_bpe *bpe, size_t number,
                                     const char *text, size_t bytes, int *is_whole);
/* The next match of number `number` from byte `from` on; advances: not an empty one there. */
dgm_status dgm_bpe_glossary_next(struct dgm_env *env, struct dgm_bpe *bpe, size_t number,
                                 const char *text, size_t bytes, size_t from, int advances,
                                 size_t *start, size_t *end, int *found);

#endif
