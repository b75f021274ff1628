/*
 * wording.c: the text of a hypothesis, and what stands for one that has no words.
 */
#include "api/translate/wording.h"

#include <math.h>

#include "base/mem.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

/* An empty text, too, is one that can be lent. */
static dgm_status begin(struct dgm_env *env, struct dgm_wording *wording)
{
    dgm_buf_reset(&wording->text);
    return dgm_buf_add_text(env, &wording->text, "");
}

dgm_status dgm_wording_write(struct dgm_env *env, struct dgm_wording *wording,
                             const struct dgm_hypothesis *item, const struct dgm_copies *copies)
{
    const struct dgm_target_ids target = {
        .ids = item->tokens, .from = wording->tags, .n = item->length, .copies = copies
    };

    DGM_TRY(begin(env, wording));
    return dgm_pipeline_decode(env, wording->pipeline, &wording->text, &target,
                               !wording->keep_tokens);
}

static int is_blank(const struct dgm_buf *text)
{
    size_t at = 0, bytes;
    const char *word;

    return !dgm_word_counts_next(text->data, text->size, &at, &word, &bytes);
}

/* Sorts out the hypotheses without words; how many of the first are left. */
static dgm_status sort_out(struct dgm_env *env, struct dgm_wording *wording,
                           struct dgm_result *result, int32_t most, int32_t *kept)
{
    for (int32_t i = *kept = 0; i < result->count && *kept < most; i++) {
        const struct dgm_hypothesis item = result->items[i];

        DGM_TRY(dgm_wording_write(env, wording, &item, NULL));
        if (is_blank(&wording->text))
            continue;
        result->items[i] = result->items[*kept];
        result->items[(*kept)++] = item;
    }
    return DGM_OK;
}

dgm_status dgm_wording_keep(struct dgm_env *env, struct dgm_wording *wording,
                            struct dgm_result *result, int32_t most)
{
    int32_t kept;

    DGM_TRY(sort_out(env, wording, result, most, &kept));
    for (int32_t i = kept; i < result->count; i++)
        dgm_release(env, result->items[i].tokens);
    result->count = kept;
    if (kept > 0)
        return DGM_OK;
    if (result->items == NULL)
        DGM_TRY(dgm_new(env, &result->items, 1, sizeof *result->items));
    result->items[0] = (struct dgm_hypothesis){ .logp = -HUGE_VAL, .score = -HUGE_VAL };
    result->count = 1;
    return DGM_OK;
}

int dgm_wording_is_copy(const struct dgm_hypothesis *item)
{
    return item->length == 0;
}

dgm_status dgm_wording_copy(struct dgm_env *env, struct dgm_wording *wording, const char *line,
                            size_t bytes)
{
    DGM_TRY(begin(env, wording));
    if (wording->keep_tokens && !wording->pipeline->has_spm)
        return dgm_pipeline_words(env, wording->pipeline, DGM_SOURCE, &wording->text, line, bytes);
    return dgm_utf8_repair(env, &wording->text, line, bytes, NULL);
}

void dgm_wording_clear(struct dgm_env *env, struct dgm_wording *wording)
{
    dgm_buf_clear(env, &wording->text);
}
