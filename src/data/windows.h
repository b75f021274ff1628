/*
 * windows.h: a text of any size as the batches of an epoch: window by window.
 *
 * A text in memory is one window, and its order that of order.h. A text in a cache
 * (cache/text_cache.h) that is larger than the memory it may take is shuffled on two levels: the
 * order of its blocks is drawn from (seed, epoch) and cut into windows of about as many blocks
 * each; the blocks of a window are read, and all pairs in them shuffled and cut into batches as if
 * they were a corpus. Nothing but text, seed, epoch and number of windows decides about the order.
 *
 * Where texts have shares of an epoch (mixture.h), a block is read once for each time that one of
 * its pairs may come: the first visit uses the pairs that come at all, the second those that come
 * at least twice. So what is repeated is spread over the epoch. A visit that would use no pair is
 * left out.
 *
 * A place in an epoch is a number of pairs: that of all windows before, and some batches of one
 * window. So a run resumes after reading one window, wherever it was.
 */
#ifndef DGM_DATA_WINDOWS_H
#define DGM_DATA_WINDOWS_H

#include "data/cache/text_cache.h"
#include "data/mixture.h"
#include "data/order.h"

/* One reading of a block: of the pairs that come more than `pass` times. */
struct dgm_visit {
    uint32_t block, pass;
};

/* Zeroed, or with `mixture` alone: a text in memory. */
struct dgm_windows {
    const struct dgm_mixture *mixture; /* borrowed; NULL: every pair comes once */
    struct dgm_text_cache *cache;      /* borrowed; NULL: the text is in memory */
    struct dgm_corpus *corpus;         /* borrowed: what the pairs of a window are read into */
    struct dgm_visit *all;     /* (all_visits) that an epoch may have: each block, then others */
    size_t all_visits, visits; /* visits: that the epoch has */
    uint32_t *blocks, *passes; /* (visits) in the order of the epoch */
    uint16_t *times;           /* of a mixture: (pairs of the corpus) */
    size_t time_capacity;
    int64_t most;           /* visits of a window */
    int64_t count, at;      /* windows of an epoch; the one whose batches are in the order */
    int64_t batches, pairs; /* of the epoch, in windows before that one */
};

/* The cache's text in windows of at most `bytes`, but of one block at least. mixture: or NULL. */
dgm_status dgm_windows_init(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_text_cache *cache, struct dgm_corpus *corpus,
                            const struct dgm_mixture *mixture, int64_t bytes);
void dgm_windows_clear(struct dgm_env *env, struct dgm_windows *windows);

/* How often an epoch reads a part of the text: 1 where it is in memory. */
static inline int64_t dgm_windows_count(const struct dgm_windows *windows)
{
    return windows->cache != NULL ? windows->count : 1;
}

/* The order of the first window of an epoch, and of the next one of the same epoch. corpus: what
 * the batches are made of, that of the windows where there is a cache. */
dgm_status dgm_windows_begin(struct dgm_env *env, struct dgm_windows *windows,
                             struct dgm_order *order, const struct dgm_corpus *corpus,
                             const struct dgm_order_options *options, int64_t epoch);
dgm_status dgm_windows_next(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_order *order, const struct dgm_corpus *corpus,
                            const struct dgm_order_options *options, int64_t epoch);
/* The order of the present window once more, with other options; nothing is read. */
dgm_status dgm_windows_cut(struct dgm_env *env, const struct dgm_windows *windows,
                           struct dgm_order *order, const struct dgm_corpus *corpus,
                           const struct dgm_order_options *options, int64_t epoch);
/* The order of the window in which a run stands that has used so many pairs of the epoch, in so
 * many batches. *fits: whether a batch ends there. */
dgm_status dgm_windows_seek(struct dgm_env *env, struct dgm_windows *windows,
                            struct dgm_order *order, const struct dgm_corpus *corpus,
                            const struct dgm_order_options *options, int64_t epoch, int64_t pairs,
                            int64_t batches, int *fits);
/* Whether there is no window behind this one. */
static inline int dgm_windows_is_last(const struct dgm_windows *windows)
{
    return windows->at + 1 >= dgm_windows_count(windows);
}

/* Bytes by which a window may be larger than the present one. */
int64_t dgm_windows_spare(const struct dgm_windows *windows);

#endif
