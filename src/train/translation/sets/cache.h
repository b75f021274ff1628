/*
 * cache.h: training text that is too large for memory, on its way into a file.
 *
 * Pairs are encoded into a corpus as they are read. At the end of each block (data/cache/) it is
 * looked at: once they need more than --shuffle-memory, all of them move to the file, and from then
 * on each block as it is full. A text that stays below that never sees the file, unless one is
 * named. Either way the file has the same bytes.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_CACHE_H
#define DGM_TRAIN_TRANSLATION_SETS_CACHE_H

#include "data/cache/text_cache_writer.h"
#include "train/translation/sets/sets.h"

/* Zeroed is valid: the text stays in memory. */
struct dgm_sets_cache {
    const struct dgm_run *run;
    struct dgm_sets *sets;
    struct dgm_text_cache_writer writer;
    struct dgm_buf made_of;
    char path[1024], why[DGM_TEXT_CACHE_WHY];
    int is_on, always;      /* always: --train-cache names a file */
    int64_t memory, filled; /* of a window; of the block that the pairs at hand end with */
    /* Of a dry run, the text that is read, from 0, what the pairs up to its end may take, and how
     * many these are; limit 0: it is not known yet, kept 0: there is room for more. */
    size_t text;
    int64_t limit;
    int32_t kept;
};

/* What the text is made of, beside the pipeline. */
struct dgm_sets_parts {
    const struct dgm_corpus_files *files;
    int parses; /* trees of the source come from the parser */
    int32_t longest;
};

/* What can be said of --train-cache before anything is read. */
dgm_status dgm_sets_cache_check(const struct dgm_run *run);
/* Opens sets->cache if there is a file that was made of the same; otherwise the text is to be
 * read. */
dgm_status dgm_sets_cache_begin(const struct dgm_run *run, struct dgm_sets *sets,
                                struct dgm_sets_cache *cache, const struct dgm_sets_parts *parts);
/* Asked once for each pair, when the corpus has it: whether its pairs are to move now. */
int dgm_sets_cache_is_due(struct dgm_sets_cache *cache, const struct dgm_corpus *corpus);
/* Moves all pairs of the corpus, with their trees. */
dgm_status dgm_sets_cache_take(struct dgm_sets_cache *cache, struct dgm_corpus *corpus);
/* With is_on, when the text was read: ends the file and opens sets->cache, if the text is not to
 * stay in memory. */
dgm_status dgm_sets_cache_end(struct dgm_sets_cache *cache, struct dgm_corpus *corpus,
                              const struct dgm_sets_parts *parts);
void dgm_sets_cache_clear(struct dgm_env *env, struct dgm_sets_cache *cache);

/* With sets->cache open: the text as training sees it. What fits into --shuffle-memory becomes a
 * corpus in memory, and the cache is closed; else it gets windows. */
dgm_status dgm_sets_cache_use(const struct dgm_run *run, struct dgm_sets *sets,
                              struct dgm_windows *windows, struct dgm_corpus *corpus);

#endif
