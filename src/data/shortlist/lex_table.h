/*
 * lex_table.h: how probable a target type is as the translation of a source type: a lexical table,
 * with a row for each source type, learned from pairs of sentences or read from a file
 * (lex_file.h).
 */
#ifndef DGM_DATA_SHORTLIST_LEX_TABLE_H
#define DGM_DATA_SHORTLIST_LEX_TABLE_H

#include "base/system/pool.h"
#include "data/packed.h"

/* Zero-initialise; cleared in any case. */
struct dgm_lex_table {
    int32_t types[2]; /* of source and target */
    size_t
        *starts; /* (types[DGM_SOURCE] + 1) row e: words[starts[e]] .. words[starts[e + 1] - 1] */
    int32_t *words; /* target types, none twice in a row */
    float *p;       /* p(word | source type) of each */
};

/*
 * Learns p by EM: model 1 of Brown et al. (The mathematics of statistical machine translation,
 * 1993), whose likelihood has one maximum. Sentence s of `source` translates as sentence s of
 * `target`; ends of sentences are left out. The empty word is source type DGM_VOCAB_BOS, which no
 * text holds. Bytes do not depend on the pool's threads. Memory: 8 bytes for each pair of types
 * that stand in a pair of sentences, 4 for each source token, 8 for each target token, and 12 for
 * each target type and thread.
 */
dgm_status dgm_lex_table_learn(struct dgm_env *env, struct dgm_lex_table *table,
                               struct dgm_pool *pool, const struct dgm_packed *source,
                               const struct dgm_packed *target, const int32_t types[2]);
void dgm_lex_table_clear(struct dgm_env *env, struct dgm_lex_table *table);

#endif
