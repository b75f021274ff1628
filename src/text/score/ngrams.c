/* ngrams.c: counting n-grams of one sentence against its references. */
#include "text/score/ngrams.h"

#include <string.h>

#include "base/mem.h"

void dgm_ngrams_reset(struct dgm_ngrams *ngrams)
{
    dgm_pair_map_reset(&ngrams->pairs);
}

/* Counts one n-gram; *number is its number for the next longer one. */
static dgm_status count_one(struct dgm_env *env, struct dgm_ngrams *ngrams, uint32_t *number,
                            uint32_t shorter, uint32_t item, int order, int is_reference)
{
    size_t old = ngrams->pairs.count;
    struct dgm_ngram *ngram;

    DGM_TRY(dgm_grow(env, &ngrams->items, &ngrams->capacity, old, sizeof *ngrams->items));
    DGM_TRY(dgm_pair_map_insert(env, &ngrams->pairs, number, shorter, item));
    ngram = &ngrams->items[*number];
    if (*number == old)
        memset(ngram, 0, sizeof *ngram);
    ngram->order = order;
    if (is_reference)
        ngram->current++;
    else
        ngram->hypothesis++;
    return DGM_OK;
}

dgm_status dgm_ngrams_add(struct dgm_env *env, struct dgm_ngrams *ngrams, const uint32_t *items,
                          size_t count, int order, int is_reference)
{
    uint32_t number;

    for (size_t start = 0; start < count; start++) {
        number = 0;
        for (size_t i = 0; i < (size_t)order && start + i < count; i++) {
            /* The n-gram without its last item; 0 is the empty one. */
            uint32_t shorter = i > 0 ? number + 1 : 0;

            DGM_TRY(count_one(env, ngrams, &number, shorter, items[start + i], (int)i + 1,
                              is_reference));
        }
    }
    /* Matches are clipped by the reference that has the n-gram most often (Papineni and others). */
    for (size_t i = 0; i < ngrams->pairs.count; i++) {
        struct dgm_ngram *ngram = &ngrams->items[i];

        if (ngram->current > ngram->reference)
            ngram->reference = ngram->current;
        ngram->current = 0;
    }
    return DGM_OK;
}

void dgm_ngrams_sum(const struct dgm_ngrams *ngrams, int64_t *hypothesis, int64_t *reference,
                    int64_t *common, int order)
{
    memset(hypothesis, 0, (size_t)order * sizeof *hypothesis);
    memset(reference, 0, (size_t)order * sizeof *reference);
    memset(common, 0, (size_t)order * sizeof *common);
    for (size_t i = 0; i < ngrams->pairs.count; i++) {
        const struct dgm_ngram *ngram = &ngrams->items[i];

        hypothesis[ngram->order - 1] += ngram->hypothesis;
        reference[ngram->order - 1] += ngram->reference;
        common[ngram->order - 1] +=
            ngram->hypothesis < ngram->reference ? ngram->hypothesis : ngram->reference;
    }
}

void dgm_ngrams_clear(struct dgm_env *env, struct dgm_ngrams *ngrams)
{
    dgm_pair_map_clear(env, &ngrams->pairs);
    dgm_release(env, ngrams->items);
    ngrams->items = NULL;
    ngrams->capacity = 0;
}
