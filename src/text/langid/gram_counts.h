/* gram_counts.h: how often each n-gram was seen in each language, at 16 to 46 bytes for a pair. */
#ifndef DGM_TEXT_LANGID_GRAM_COUNTS_H
#define DGM_TEXT_LANGID_GRAM_COUNTS_H

#include "base/env.h"
#include "text/langid/langid_model.h"
#include "text/langid/langid_reader.h"

struct dgm_gram_count {
    uint64_t id; /* key << 11 | order << 8 | language; 0: none */
    int64_t count;
};

static inline uint32_t dgm_gram_count_key(const struct dgm_gram_count *gram)
{
    return (uint32_t)(gram->id >> 11);
}

static inline int dgm_gram_count_order(const struct dgm_gram_count *gram)
{
    return (int)(gram->id >> 8 & 7);
}

static inline int dgm_gram_count_language(const struct dgm_gram_count *gram)
{
    return (int)(gram->id & 255);
}

/* Zeroed: nothing was seen. */
struct dgm_gram_counts {
    struct dgm_gram_count *slots;
    size_t slot_count, used; /* a power of two, or 0 */
    int64_t totals[DGM_LANGID_ORDERS + 1][DGM_LANGID_LANGUAGES];
};

/* Counts the n-grams of a text. */
dgm_status dgm_gram_counts_add(struct dgm_env *env, struct dgm_gram_counts *counts, int language,
                               const char *text, size_t bytes);
/* All that were seen, in the order of key, order and language: (counts->used), to be released. */
dgm_status dgm_gram_counts_sort(struct dgm_env *env, const struct dgm_gram_counts *counts,
                                struct dgm_gram_count **sorted);
void dgm_gram_counts_clear(struct dgm_env *env, struct dgm_gram_counts *counts);

#endif
