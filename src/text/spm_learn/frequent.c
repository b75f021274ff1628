/*
 * frequent.c: counted texts in the order of their counts.
 */
#include "text/spm_learn/frequent.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/number/own_math.h"
#include "text/spm_learn/model_write.h"

static int compare(const void *a, const void *b)
{
    const struct dgm_spm_sorted *one = a, *other = b;

    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return dgm_bytes_compare(one->text, one->bytes, other->text, other->bytes);
}

dgm_status dgm_spm_sort(struct dgm_env *env, const struct dgm_map *map,
                        struct dgm_spm_sorted **sorted)
{
    DGM_TRY(dgm_new(env, sorted, map->count, sizeof **sorted));
    for (size_t i = 0; i < map->count; i++) {
        const struct dgm_map_entry *entry = &map->entries[i];

        (*sorted)[i] =
            (struct dgm_spm_sorted){ dgm_map_key(map, entry), entry->length, entry->value };
    }
    qsort(*sorted, map->count, sizeof **sorted, compare);
    return DGM_OK;
}

dgm_status dgm_spm_learned_add(struct dgm_env *env, struct dgm_spm_learned_set *set,
                               const char *text, size_t bytes, double score)
{
    DGM_TRY(dgm_grow(env, &set->items, &set->capacity, set->count, sizeof *set->items));
    set->items[set->count] = (struct dgm_spm_learned){ set->text.size, bytes, score };
    DGM_TRY(dgm_buf_add(env, &set->text, text, bytes));
    set->count++;
    return DGM_OK;
}

void dgm_spm_learned_clear(struct dgm_env *env, struct dgm_spm_learned_set *set)
{
    dgm_buf_clear(env, &set->text);
    dgm_release(env, set->items);
    memset(set, 0, sizeof *set);
}

/* A word behind a symbol has no U+2581 in front, and may be spelled like a piece of each model. */
static int may_be_piece(const struct dgm_spm_sorted *item)
{
    return item->bytes < DGM_SPM_PIECE_BYTES && !dgm_spm_learn_is_reserved(item->text, item->bytes);
}

dgm_status dgm_spm_learn_frequent(struct dgm_env *env, const struct dgm_map *counts, size_t pieces,
                                  struct dgm_spm_learned_set *set)
{
    struct dgm_spm_sorted *sorted = NULL;
    double sum = 0.0;
    dgm_status status;

    DGM_TRY_OUT(dgm_spm_sort(env, counts, &sorted));
    for (size_t i = 0; i < counts->count; i++)
        sum += (double)sorted[i].count;
    for (size_t i = 0; i < counts->count && set->count < pieces; i++)
        if (may_be_piece(&sorted[i]))
            DGM_TRY_OUT(
                dgm_spm_learned_add(env, set, sorted[i].text, sorted[i].bytes,
                                    dgm_own_log((double)sorted[i].count) - dgm_own_log(sum)));
out:
    dgm_release(env, sorted);
    return status;
}
