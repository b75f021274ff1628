/*
 * bpe_learn.h: learning the merge rules of byte pair encoding from word counts.
 *
 * The most frequent pair of neighbouring symbols becomes one symbol, again and again;
 * of equally frequent pairs the greater one in string order. The bytes are those of
 * subword-nmt's learn-bpe.
 */
#ifndef DGM_TEXT_BPE_BPE_LEARN_H
#define DGM_TEXT_BPE_BPE_LEARN_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"

struct dgm_bpe_learn_options {
    long symbols;          /* rules to learn */
    int64_t min_frequency; /* stop when no pair is as frequent; usually 2 */
    int total_symbols;     /* take the number of different characters off `symbols` */
};

/*
 * Appends the codes to out: the line "#version: 0.2" and one line for each rule, fewer
 * than asked for where the text runs out of pairs (logged). `counts`: words and their
 * frequencies (word_counts.h).
 */
dgm_status dgm_bpe_learn(struct dgm_env *env, struct dgm_buf *out, const struct dgm_map *counts,
                         const struct dgm_bpe_learn_options *options);

#endif
