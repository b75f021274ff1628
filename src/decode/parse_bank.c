/*
 * parse_bank.c: a whole bank of sentences parsed in batches of like lengths, results in place.
 */
#include <string.h>

#include "base/mem.h"
#include "decode/parse.h"

/* The sentences from the longest to the shortest, equal ones in their order: counting sort. */
static dgm_status sort_by_length(struct dgm_env *env, struct dgm_parse *parse,
                                 const struct dgm_treebank *bank)
{
    const struct dgm_packed *rows = &bank->rows;
    int32_t longest = 0, *place, s;

    for (s = 0; s < rows->count; s++)
        longest = dgm_packed_length(rows, s) > longest ? dgm_packed_length(rows, s) : longest;
    DGM_TRY(dgm_reserve(env, &parse->order, &parse->order_capacity, (size_t)rows->count,
                        sizeof *parse->order));
    place = dgm_alloc(env, (size_t)longest + 2, sizeof *place);
    if (place == NULL)
        return DGM_MEMORY;
    for (s = 0; s < rows->count; s++)
        place[longest - dgm_packed_length(rows, s) + 1]++;
    for (s = 0; s <= longest; s++)
        place[s + 1] += place[s];
    for (s = 0; s < rows->count; s++)
        parse->order[place[longest - dgm_packed_length(rows, s)]++] = s;
    dgm_release(env, place);
    return DGM_OK;
}

/* Sentences order[begin..] that make up the next batch. */
static int32_t batch_end(const struct dgm_parse *parse, const struct dgm_treebank *bank,
                         int32_t begin, int64_t batch_words)
{
    int64_t words = 0;
    int32_t end = begin;

    while (end < bank->rows.count) {
        words += dgm_packed_length(&bank->rows, parse->order[end]);
        if (end > begin && words > batch_words)
            break;
        end++;
    }
    return end;
}

/* Rows of the latest batch to the places of its sentences in the bank. */
static void hand_over(const struct dgm_parse *parse, const struct dgm_treebank *bank,
                      const int32_t *numbers, struct dgm_parsed *parsed)
{
    const struct dgm_packed *rows = &parse->step.rows;

    for (int32_t s = 0; s < rows->count; s++) {
        size_t from = (size_t)rows->offsets[s], to = (size_t)bank->rows.offsets[numbers[s]];
        size_t count = (size_t)dgm_packed_length(rows, s);

        memcpy(parsed->heads + to, parse->heads + from, count * sizeof *parsed->heads);
        memcpy(parsed->labels + to, parse->labels + from, count * sizeof *parsed->labels);
        memcpy(parsed->tags + to, parse->tags + from, count * sizeof *parsed->tags);
        memcpy(parsed->prob + to, parse->prob + from, count * sizeof *parsed->prob);
    }
}

static dgm_status reserve(struct dgm_env *env, struct dgm_parsed *parsed, size_t rows)
{
    size_t heads = parsed->capacity, labels = heads, tags = heads;

    DGM_TRY(dgm_reserve(env, &parsed->heads, &heads, rows, sizeof *parsed->heads));
    DGM_TRY(dgm_reserve(env, &parsed->labels, &labels, rows, sizeof *parsed->labels));
    DGM_TRY(dgm_reserve(env, &parsed->tags, &tags, rows, sizeof *parsed->tags));
    return dgm_reserve(env, &parsed->prob, &parsed->capacity, rows, sizeof *parsed->prob);
}

dgm_status dgm_parse_bank(struct dgm_env *env, struct dgm_parse *parse,
                          const struct dgm_treebank *bank, int64_t batch_words,
                          struct dgm_parsed *parsed)
{
    int32_t end;

    if (bank->rows.count == 0)
        return DGM_OK;
    DGM_TRY(reserve(env, parsed, (size_t)bank->rows.offsets[bank->rows.count]));
    DGM_TRY(sort_by_length(env, parse, bank));
    for (int32_t begin = 0; begin < bank->rows.count; begin = end) {
        end = batch_end(parse, bank, begin, batch_words);
        DGM_TRY(dgm_parse_batch(env, parse, bank, parse->order + begin, end - begin));
        hand_over(parse, bank, parse->order + begin, parsed);
    }
    return DGM_OK;
}

void dgm_parsed_clear(struct dgm_env *env, struct dgm_parsed *parsed)
{
    dgm_release(env, parsed->heads);
    dgm_release(env, parsed->labels);
    dgm_release(env, parsed->tags);
    dgm_release(env, parsed->prob);
    memset(parsed, 0, sizeof *parsed);
}
