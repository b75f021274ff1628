/* repeats.c: a map from sentences to the results of their search. */
#include "decode/repeats.h"

#include <string.h>

#include "base/mem.h"
#include "base/system/meter.h"

static void forget(struct dgm_env *env, struct dgm_repeats *repeats)
{
    for (size_t i = 0; i < repeats->sentences.count; i++)
        dgm_result_clear(env, &repeats->found[i]);
    dgm_map_clear(env, &repeats->sentences);
    repeats->bytes = 0;
}

void dgm_repeats_clear(struct dgm_env *env, struct dgm_repeats *repeats)
{
    forget(env, repeats);
    dgm_release(env, repeats->found);
    dgm_packed_clear(env, &repeats->fresh);
    dgm_buf_clear(env, &repeats->key);
    memset(repeats, 0, sizeof *repeats);
}

/* What a search reads of a sentence without a tree. */
static dgm_status write_key(struct dgm_env *env, struct dgm_buf *key,
                            const struct dgm_packed *source, int32_t s)
{
    const int32_t start = source->offsets[s], n = source->offsets[s + 1] - start;
    const int32_t facts[] = { dgm_packed_has_first(source, s) ? source->firsts[s] : 0, n,
                              source->word_offsets[s + 1] - source->word_offsets[s] };

    dgm_buf_reset(key);
    DGM_TRY(dgm_buf_add(env, key, (const char *)facts, sizeof facts));
    DGM_TRY(dgm_buf_add(env, key, (const char *)(source->ids + start), (size_t)n * sizeof n));
    return dgm_buf_add(env, key, (const char *)(source->words + start), (size_t)n * sizeof n);
}

/* Numbers the sentences of a run; those that are new are packed, and counted before the run. */
static dgm_status sort_out(struct dgm_env *env, struct dgm_repeats *repeats,
                           const struct dgm_packed *source, uint32_t *numbers)
{
    struct dgm_map *sentences = &repeats->sentences;

    dgm_packed_reset(&repeats->fresh);
    for (int32_t s = 0; s < source->count; s++) {
        const size_t known = sentences->count;

        DGM_TRY(write_key(env, &repeats->key, source, s));
        DGM_TRY(dgm_reserve(env, &repeats->found, &repeats->capacity, known + 1,
                            sizeof *repeats->found));
        memset(&repeats->found[known], 0, sizeof *repeats->found);
        DGM_TRY(dgm_map_number(env, sentences, repeats->key.data, repeats->key.size, &numbers[s]));
        if (sentences->count > known)
            DGM_TRY(dgm_packed_append(env, &repeats->fresh, source, s));
    }
    return DGM_OK;
}

static double bytes_of(const struct dgm_result *result)
{
    double bytes = sizeof *result + (double)result->count * sizeof *result->items;

    for (int32_t i = 0; i < result->count; i++)
        bytes += (double)result->items[i].length * sizeof *result->items[i].tokens;
    return bytes;
}

static dgm_status copy_result(struct dgm_env *env, struct dgm_result *to,
                              const struct dgm_result *from)
{
    to->is_done = from->is_done;
    if (from->items == NULL)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &to->items, (size_t)from->count, sizeof *to->items));
    for (; to->count < from->count; to->count++) {
        const struct dgm_hypothesis *item = &from->items[to->count];
        struct dgm_hypothesis *copy = &to->items[to->count];

        *copy = *item;
        DGM_TRY(dgm_new(env, &copy->tokens, (size_t)item->length, sizeof *copy->tokens));
        memcpy(copy->tokens, item->tokens, (size_t)item->length * sizeof *copy->tokens);
    }
    return DGM_OK;
}

/* What a watch of all sentences is told while new ones are searched. */
struct heard {
    const struct dgm_translate_watch *watch;
    int32_t known;
};

static void tell(void *user, int32_t done)
{
    const struct heard *heard = user;

    heard->watch->tell(heard->watch->user, heard->known + done);
}

/* The new ones, whose entries are the last. */
static dgm_status search_fresh(struct dgm_env *env, struct dgm_repeats *repeats,
                               struct dgm_workers *workers, int64_t batch_tokens,
                               struct heard *heard)
{
    const size_t count = (size_t)repeats->fresh.count, known = repeats->sentences.count - count;
    const struct dgm_translate_watch watch = { tell, heard };
    dgm_status status;

    if (count == 0)
        return DGM_OK;
    status = dgm_translate_all(env, workers, &repeats->fresh, batch_tokens, repeats->found + known,
                               heard->watch != NULL ? &watch : NULL);
    for (size_t i = 0; i < count; i++)
        repeats->bytes += bytes_of(&repeats->found[known + i]);
    return status;
}

static dgm_status hand_out(struct dgm_env *env, struct dgm_repeats *repeats,
                           const uint32_t *numbers, struct dgm_result *results, int32_t count)
{
    for (int32_t s = 0; s < count; s++)
        DGM_TRY(copy_result(env, &results[s], &repeats->found[numbers[s]]));
    return DGM_OK;
}

/* What --memory promises does not count what is kept. */
static int is_limited(const struct dgm_env *env)
{
    return env->meter != NULL && env->meter->limit > 0;
}

dgm_status dgm_repeats_translate(struct dgm_env *env, struct dgm_repeats *repeats,
                                 struct dgm_workers *workers, const struct dgm_packed *source,
                                 int64_t batch_tokens, struct dgm_result *results,
                                 const struct dgm_translate_watch *watch)
{
    struct heard heard = { watch, 0 };
    dgm_status status, copied;
    uint32_t *numbers;

    if (repeats->is_off || is_limited(env) || dgm_packed_columns(source) != 0)
        return dgm_translate_all(env, workers, source, batch_tokens, results, watch);
    DGM_TRY(dgm_new(env, &numbers, (size_t)source->count, sizeof *numbers));
    DGM_TRY_OUT(sort_out(env, repeats, source, numbers));
    heard.known = source->count - repeats->fresh.count;
    repeats->again += heard.known;
    if (watch != NULL && heard.known > 0)
        tell(&heard, 0);
    status = search_fresh(env, repeats, workers, batch_tokens, &heard);
    if (status == DGM_OK || status == DGM_INTERRUPTED) { /* with what is done */
        copied = hand_out(env, repeats, numbers, results, source->count);
        status = copied != DGM_OK ? copied : status;
    }
out:
    /* What takes too much begins anew. */
    if (status != DGM_OK || repeats->bytes + dgm_map_bytes(&repeats->sentences) > DGM_REPEATS_BYTES)
        forget(env, repeats);
    dgm_release(env, numbers);
    return status;
}
