/*
 * multitask.h: the second task of a multi-task model: parse pairs behind the translation pairs.
 *
 * Specification 3.11 (Currey and Heafield 2018): one Transformer learns translations, from
 * "<TR> x <TR>", and linearised parses of the same sources, from "<PA> x <PA>". Sources get the
 * marks of translating from the pipeline; the parse pairs are made here, all in one place, behind
 * the translation pairs. A line without a parse has no parse pair and keeps its translation pair.
 *
 * An epoch has every translation pair, and parse pairs by a ratio. With fewer than there are it has
 * others than the epoch before: no parse pair comes again before all were there.
 */
#ifndef DGM_DATA_MULTITASK_H
#define DGM_DATA_MULTITASK_H

#include "data/corpus.h"
#include "data/tree/parses.h"

/* Of each source, one at either end. */
enum { DGM_MULTITASK_MARKS = 2 };

/*
 * Appends the parse pairs of a corpus that was read with this pipeline and makes them part of its
 * checksum. Pairs with more than max_length tokens on a side are left out, *too_long of them.
 * DGM_DATA [E_ALIGN] unless there are as many parses as lines of the text.
 */
dgm_status dgm_multitask_add(struct dgm_env *env, struct dgm_corpus *corpus,
                             struct dgm_pipeline *pipeline, const struct dgm_parses *parses,
                             int32_t max_length, long *too_long);

/* How many parse pairs an epoch has: `ratio` (0..1) for each translation pair, but no more than
 * there are. */
int32_t dgm_multitask_count(const struct dgm_corpus *corpus, double ratio);
/* Which: their numbers in the corpus, dgm_multitask_count of them. All of them, where it has room
 * for all, stand in their order. */
dgm_status dgm_multitask_choose(struct dgm_env *env, uint32_t *pairs,
                                const struct dgm_corpus *corpus, double ratio, uint64_t seed,
                                int64_t epoch);

#endif
