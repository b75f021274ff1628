/*
 * bpe_load.h: reading the codes of byte pair encoding, and the vocabulary that limits its pieces.
 */
#ifndef DGM_TEXT_BPE_BPE_LOAD_H
#define DGM_TEXT_BPE_BPE_LOAD_H

#include "base/env.h"
#include "text/bpe/bpe.h"

/*
 * Loads codes, at most `merges` lines of them (-1: all). DGM_DATA with file and line: a
 * line without exactly two fields, an unknown version, ill-formed UTF-8, no rule at
 * all. Duplicate rules and a shortage of rules are warnings. *bpe must be zeroed or
 * cleared.
 */
dgm_status dgm_bpe_load(struct dgm_env *env, struct dgm_bpe *bpe, const char *path, long merges);
/* The same from memory; `name` is used in messages. */
dgm_status dgm_bpe_parse(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes,
                         const char *name, long merges);

/* Reads `piece count` lines; pieces rarer than the threshold are as good as absent. */
dgm_status dgm_bpe_load_vocabulary(struct dgm_env *env, struct dgm_bpe *bpe, const char *path,
                                   int64_t threshold);

#endif
