/*
 * conllu_packed.h: a sentence as bytes, for another process of the same program on a machine of the
 * same kind: what was read once, with its faults, is not read again.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_PACKED_H
#define DGM_SYNTAX_CONLLU_CONLLU_PACKED_H

#include "syntax/conllu/conllu.h"

/* Puts the words, ranges, empty nodes, comments and places of a sentence behind what is in a
 * buffer; heads and relations stay in the columns alone. */
dgm_status dgm_conllu_pack(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_conllu_sentence *sentence);
/* The sentence of all `size` bytes; it has no parse. DGM_DATA where they are not what was
 * packed. */
dgm_status dgm_conllu_unpack(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                             const char *packed, size_t size);

#endif
