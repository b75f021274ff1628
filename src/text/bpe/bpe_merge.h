/* bpe_merge.h: the merges of one word; used by bpe.c alone. */
#ifndef DGM_TEXT_BPE_BPE_MERGE_H
#define DGM_TEXT_BPE_BPE_MERGE_H

#include "text/bpe/bpe.h"

/*
 * Merges one stretch of text (a word, or a part of it beside a glossary word) until no
 * rule applies. bpe->nodes then holds the pieces, linked from node 0 on.
 */
dgm_status dgm_bpe_merge(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes);

#endif
